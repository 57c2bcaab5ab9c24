#include "reports/compare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/evidence.h"

enum {
	CHANGES_MAX = 512, /* of a case */
	TEXT_MAX = 1024,   /* octets of a text that is kept */
	TAIL_ROOM = 48,	   /* what says that it was cut */
	REMARKS_MAX = 200,
	PATH_SIZE = 4096,
	COMPARE_ROOM = 1 << 16,
};

/* --- strings ------------------------------------------------------------------------------------
 */

/* Cut where it is long, not in the middle of a character. NULL stays NULL. */
static char *copy(struct comparison *comparison, const char *s)
{
	size_t len = s == NULL ? 0 : strlen(s);
	char *to;

	if (s == NULL)
		return NULL;
	to = malloc((len < TEXT_MAX ? len : TEXT_MAX) + TAIL_ROOM);
	if (to == NULL) {
		comparison->out_of_memory = true;
		return NULL;
	}
	if (len <= TEXT_MAX) {
		memcpy(to, s, len + 1);
		return to;
	}
	len = TEXT_MAX;
	while (len > 0 && ((uint8_t)s[len] & 0xc0) == 0x80)
		len--;
	memcpy(to, s, len);
	snprintf(to + len, TAIL_ROOM, "... (%zu octets)", strlen(s));
	return to;
}

bool change_same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

__attribute__((format(printf, 2, 3))) static void remark(struct comparison *comparison,
							 const char *format, ...)
{
	char buf[TEXT_MAX];
	struct text text;
	char **more;
	va_list args;

	if (comparison->remark_count == REMARKS_MAX)
		return;
	text_init(&text, buf, sizeof(buf));
	va_start(args, format);
	vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	more = realloc(comparison->remarks, (comparison->remark_count + 1) * sizeof(*more));
	if (more == NULL) {
		comparison->out_of_memory = true;
		return;
	}
	comparison->remarks = more;
	more[comparison->remark_count] = copy(comparison, buf);
	comparison->remark_count += more[comparison->remark_count] != NULL;
}

/* --- changes ------------------------------------------------------------------------------------
 */

void change_clear(struct change *change)
{
	free(change->lane);
	free(change->proto);
	free(change->type);
	free(change->field);
	free(change->before);
	free(change->after);
}

bool change_same(const struct change *a, const struct change *b)
{
	return a->kind == b->kind && change_same_text(a->proto, b->proto) &&
	       change_same_text(a->type, b->type) && change_same_text(a->field, b->field) &&
	       change_same_text(a->before, b->before) && change_same_text(a->after, b->after);
}

void comparison_add(struct comparison *comparison, struct case_comparison *item,
		    const struct change *change)
{
	struct change *more;

	for (size_t i = 0; i < item->count; i++) {
		if (change_same(&item->changes[i], change)) {
			item->changes[i].times += change->times;
			return;
		}
	}
	if (item->count == CHANGES_MAX) {
		item->more++;
		return;
	}
	/* room is doubled at each power of two */
	if ((item->count & (item->count - 1)) == 0) {
		more = realloc(item->changes,
			       (item->count > 0 ? item->count * 2 : 1) * sizeof(*more));
		if (more == NULL) {
			comparison->out_of_memory = true;
			return;
		}
		item->changes = more;
	}
	item->changes[item->count++] = (struct change){
		.kind = change->kind,
		.lane = copy(comparison, change->lane),
		.proto = copy(comparison, change->proto),
		.type = copy(comparison, change->type),
		.field = copy(comparison, change->field),
		.before = copy(comparison, change->before),
		.after = copy(comparison, change->after),
		.times = change->times,
	};
}

static void add_texts(struct comparison *comparison, struct case_comparison *item,
		      enum change_kind kind, const char *before, const char *after)
{
	comparison_add(comparison, item,
		       &(struct change){
			       .kind = kind,
			       .before = (char *)(uintptr_t)before,
			       .after = (char *)(uintptr_t)after,
			       .times = 1,
		       });
}

/* --- verdicts, reasons, warnings ----------------------------------------------------------------
 */

/* The results of a case in one record: its repetitions stand one after the other. */
struct runs {
	const struct result *results;
	size_t count;
};

static const struct result *worst_of(const struct runs *runs)
{
	const struct result *worst = &runs->results[0];

	for (size_t i = 1; i < runs->count; i++) {
		if (verdict_gravity(runs->results[i].verdict) > verdict_gravity(worst->verdict))
			worst = &runs->results[i];
	}
	return worst;
}

static void compare_verdicts(struct comparison *comparison, struct case_comparison *item)
{
	enum verdict before = item->verdict[BEFORE], after = item->verdict[AFTER];
	int step = verdict_gravity(after) - verdict_gravity(before);
	/* What is not applicable was not judged; from there, anything but a pass is worse. */
	bool by_na = after == VERDICT_NA || (before == VERDICT_NA && after == VERDICT_PASS);
	enum change_kind kind = by_na	   ? CHANGE_VERDICT_OTHER
				: step > 0 ? CHANGE_VERDICT_WORSE
					   : CHANGE_VERDICT_BETTER;

	if (before == after) {
		comparison->same++;
		return;
	}
	comparison->worse += kind == CHANGE_VERDICT_WORSE;
	comparison->better += kind == CHANGE_VERDICT_BETTER;
	comparison->other += kind == CHANGE_VERDICT_OTHER;
	add_texts(comparison, item, kind, verdict_name(before), verdict_name(after));
}

/* The same but for figures, which a reason takes from the messages. */
static bool same_but_for_digits(const char *a, const char *b)
{
	static const char digits[] = "0123456789.";

	while (*a != '\0' && *b != '\0') {
		size_t n = strspn(a, digits), m = strspn(b, digits);

		if ((n > 0) != (m > 0))
			return false;
		if (n == 0 && *a++ != *b++)
			return false;
		a += n;
		b += m;
	}
	return *a == *b;
}

static void compare_reasons(struct comparison *comparison, struct case_comparison *item,
			    const char *before, const char *after)
{
	before = before == NULL ? "" : before;
	after = after == NULL ? "" : after;
	if (strcmp(before, after) == 0)
		return;
	if (item->verdict[BEFORE] == item->verdict[AFTER] && same_but_for_digits(before, after))
		comparison->digits++;
	else
		add_texts(comparison, item, CHANGE_REASON, before, after);
}

static bool has_warning(const struct runs *runs, const char *warning)
{
	for (size_t i = 0; i < runs->count; i++) {
		for (size_t w = 0; w < runs->results[i].warning_count; w++) {
			if (same_but_for_digits(runs->results[i].warnings[w], warning))
				return true;
		}
	}
	return false;
}

static void compare_warnings(struct comparison *comparison, struct case_comparison *item,
			     const struct runs runs[2])
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs[side].count; i++) {
			const struct result *result = &runs[side].results[i];

			for (size_t w = 0; w < result->warning_count; w++) {
				const char *warning = result->warnings[w];

				if (!has_warning(&runs[!side], warning))
					add_texts(comparison, item, CHANGE_WARNING,
						  side == BEFORE ? warning : NULL,
						  side == AFTER ? warning : NULL);
			}
		}
	}
}

static int by_length(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The median of repetitions; what they differ by is noise too. */
static double duration_of(const struct runs *runs, double *range)
{
	double *sorted = calloc(runs->count, sizeof(*sorted)), median;

	*range = 0;
	if (sorted == NULL)
		return NAN;
	for (size_t i = 0; i < runs->count; i++)
		sorted[i] = runs->results[i].iut_ms;
	qsort(sorted, runs->count, sizeof(*sorted), by_length);
	median = sorted[runs->count / 2];
	*range = sorted[runs->count - 1] - sorted[0];
	free(sorted);
	return median;
}

static void compare_durations(struct comparison *comparison, struct case_comparison *item,
			      const struct runs runs[2])
{
	double range[2], ms[2], bound;
	char buf[2][64];

	for (int side = 0; side < 2; side++) {
		ms[side] = duration_of(&runs[side], &range[side]);
		snprintf(buf[side], sizeof(buf[side]), "%.3f s", ms[side] / 1000);
	}
	bound = fmax((double)comparison->noise_us / 1000,
		     comparison->noise_share * fmax(ms[BEFORE], ms[AFTER]));
	bound = fmax(bound, fmax(range[BEFORE], range[AFTER]));
	if (fabs(ms[BEFORE] - ms[AFTER]) > bound)
		add_texts(comparison, item, CHANGE_DURATION, buf[BEFORE], buf[AFTER]);
}

/* --- evidence -----------------------------------------------------------------------------------
 */

static bool events_path(const struct run_record *record, const struct result *result, char *path,
			size_t size)
{
	return evidence_path(record->dir, result->evidence, "events.jsonl", path, size);
}

static bool same_octets(const char *before, const char *after, char *room)
{
	FILE *files[2] = { fopen(before, "re"), fopen(after, "re") };
	bool same = files[0] != NULL && files[1] != NULL;
	size_t n = 1;

	while (same && n > 0) {
		n = fread(room, 1, COMPARE_ROOM, files[0]);
		same = fread(room + COMPARE_ROOM, 1, COMPARE_ROOM, files[1]) == n &&
		       memcmp(room, room + COMPARE_ROOM, n) == 0;
	}
	for (int i = 0; i < 2; i++) {
		if (files[i] == NULL)
			continue;
		same = same && !ferror(files[i]);
		fclose(files[i]);
	}
	return same;
}

/* Nothing to take apart: the runs left the same octets. An empty file says nothing. */
static bool same_evidence(const struct comparison *comparison, const struct runs runs[2],
			  char *room)
{
	if (runs[BEFORE].count != runs[AFTER].count)
		return false;
	for (size_t i = 0; i < runs[BEFORE].count; i++) {
		char paths[2][PATH_SIZE];

		for (int side = 0; side < 2; side++) {
			if (!events_path(comparison->records[side], &runs[side].results[i],
					 paths[side], sizeof(paths[side])))
				return false;
		}
		if (!same_octets(paths[BEFORE], paths[AFTER], room))
			return false;
	}
	return true;
}

static const char *const side_names[] = { "before", "after" };

/* All repetitions of one record. False with the reason in why where one of them is not there. */
static bool read_runs(const struct run_record *record, const struct runs *runs,
		      struct message_decoder *decoder, struct traffic *traffic, struct text *why)
{
	for (size_t i = 0; i < runs->count; i++) {
		char path[PATH_SIZE];
		int rc;

		if (runs->results[i].evidence == NULL) {
			text_puts(why, "the evidence was not kept");
			return false;
		}
		rc = events_path(record, &runs->results[i], path, sizeof(path))
			     ? traffic_read(traffic, path, decoder)
			     : -ENAMETOOLONG;
		if (rc != 0) {
			text_printf(why, "%s/events.jsonl: %s", runs->results[i].evidence,
				    rc == -ENAMETOOLONG ? "not a path inside the record"
							: strerror(-rc));
			return false;
		}
	}
	return true;
}

static void not_compared(struct comparison *comparison, struct case_comparison *item, int side,
			 const char *why)
{
	char buf[TEXT_MAX + 16];

	snprintf(buf, sizeof(buf), "%s: %s", side_names[side], why);
	item->compared = false;
	if (item->why == NULL)
		item->why = copy(comparison, buf);
}

/* What could not be read of what is there. */
static void note_gaps(struct comparison *comparison, const struct case_comparison *item, int side,
		      const struct traffic *traffic)
{
	if (traffic->torn > 0)
		remark(comparison,
		       "%s: %s: %zu line%s of events.jsonl cannot be read and %s passed over",
		       side_names[side], item->id, traffic->torn, traffic->torn == 1 ? "" : "s",
		       traffic->torn == 1 ? "is" : "are");
	if (traffic->cut)
		remark(comparison, "%s: %s: there is more in the messages than what is compared",
		       side_names[side], item->id);
	comparison->gaps += traffic->torn > 0 || traffic->cut;
}

static void gather_ignored(struct comparison *comparison, const struct traffic *traffic)
{
	for (size_t v = 0; v < VARYING_COUNT; v++) {
		const struct traffic_ignored *ignored = &traffic->ignored[v];

		comparison->ignored[v].values += ignored->values;
		for (size_t i = 0; i < ignored->name_count; i++)
			traffic_ignore(&comparison->ignored[v], ignored->names[i], 0);
	}
}

static void compare_evidence(struct comparison *comparison, struct case_comparison *item,
			     const struct runs runs[2], struct message_decoder *decoder)
{
	struct traffic traffics[2] = { { .groups = NULL }, { .groups = NULL } };
	char buf[TEXT_MAX];
	struct text why;

	item->compared = true;
	for (int side = 0; side < 2; side++) {
		text_init(&why, buf, sizeof(buf));
		if (!read_runs(comparison->records[side], &runs[side], decoder, &traffics[side],
			       &why))
			not_compared(comparison, item, side, buf);
	}
	if (item->compared) {
		for (int side = 0; side < 2; side++) {
			note_gaps(comparison, item, side, &traffics[side]);
			gather_ignored(comparison, &traffics[side]);
		}
		comparison_traffic(comparison, item, &traffics[BEFORE], &traffics[AFTER]);
	}
	for (int side = 0; side < 2; side++)
		traffic_clear(&traffics[side]);
}

/* --- cases --------------------------------------------------------------------------------------
 */

static size_t run_length(const struct results *results, size_t from)
{
	size_t n = from;

	while (n < results->count &&
	       result_compare_case(&results->items[from], &results->items[n]) == 0)
		n++;
	return n - from;
}

static struct case_comparison *add_case(struct comparison *comparison, const struct runs runs[2])
{
	const struct result *any = runs[runs[AFTER].count > 0 ? AFTER : BEFORE].results;
	struct case_comparison *item = &comparison->cases[comparison->count++];

	*item = (struct case_comparison){
		.suite = any->suite,
		.id = any->id,
		.requirement = any->requirement,
		.clause = any->clause,
	};
	for (int side = 0; side < 2; side++) {
		item->there[side] = runs[side].count > 0;
		item->runs[side] = runs[side].count;
		item->verdict[side] =
			item->there[side] ? worst_of(&runs[side])->verdict : VERDICT_NONE;
	}
	return item;
}

static void compare_case(struct comparison *comparison, const struct runs runs[2],
			 struct message_decoder *decoder, char *room)
{
	struct case_comparison *item = add_case(comparison, runs);

	if (!item->there[BEFORE] || !item->there[AFTER]) {
		comparison->only[item->there[BEFORE] ? BEFORE : AFTER]++;
		return;
	}
	compare_verdicts(comparison, item);
	compare_reasons(comparison, item, worst_of(&runs[BEFORE])->reason,
			worst_of(&runs[AFTER])->reason);
	compare_warnings(comparison, item, runs);
	compare_durations(comparison, item, runs);
	if (same_evidence(comparison, runs, room))
		item->compared = true;
	else
		compare_evidence(comparison, item, runs, decoder);
	comparison->uncompared += !item->compared;
	comparison->changed += item->verdict[BEFORE] == item->verdict[AFTER] && item->count > 0;
}

static int compare_cases(struct comparison *comparison)
{
	const struct results *before = &comparison->records[BEFORE]->results;
	const struct results *after = &comparison->records[AFTER]->results;
	struct message_decoder *decoder = message_decoder_new();
	char *room = malloc(2 * COMPARE_ROOM);
	size_t b = 0, a = 0;
	int rc = decoder == NULL || room == NULL ? -ENOMEM : 0;

	comparison->cases = calloc(before->count + after->count + 1, sizeof(*comparison->cases));
	if (comparison->cases == NULL)
		rc = -ENOMEM;
	while (rc == 0 && (b < before->count || a < after->count)) {
		int order = b == before->count ? 1
			    : a == after->count
				    ? -1
				    : result_compare_case(&before->items[b], &after->items[a]);
		struct runs runs[2] = {
			[BEFORE] = { before->items + b, order <= 0 ? run_length(before, b) : 0 },
			[AFTER] = { after->items + a, order >= 0 ? run_length(after, a) : 0 },
		};

		compare_case(comparison, runs, decoder, room);
		b += runs[BEFORE].count;
		a += runs[AFTER].count;
	}
	message_decoder_free(decoder);
	free(room);
	return comparison->out_of_memory ? -ENOMEM : rc;
}

/* --- the runs -----------------------------------------------------------------------------------
 */

/* What both runs should have in common, else what changed may not be the IUT's doing. */
static void compare_settings(struct comparison *comparison)
{
	static const struct {
		const char *member, *name;
	} members[] = {
		{ "version", "the version of spillway" },
		{ "commit", "the commit of spillway" },
		{ "profile_digest", "the profile's content" },
		{ "profile", "the profile" },
		{ "iut", "the IUT's name" },
		{ "role", "the role" },
		{ "mode", "the mode" },
		{ "seed", "the seed" },
		{ "should", "what a violated 'should' is" },
		{ "repeat", "the number of repetitions" },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		char buf[2][256];
		bool there[2];

		for (int side = 0; side < 2; side++) {
			const json_t *run = comparison->records[side]->run;
			const json_t *value = json_object_get(run, members[i].member);

			there[side] = json_is_string(value) || json_is_integer(value);
			if (json_is_string(value))
				snprintf(buf[side], sizeof(buf[side]), "%s",
					 json_string_value(value));
			else
				snprintf(buf[side], sizeof(buf[side]), "%" JSON_INTEGER_FORMAT,
					 json_integer_value(value));
		}
		if (there[BEFORE] && there[AFTER] && strcmp(buf[BEFORE], buf[AFTER]) != 0)
			remark(comparison, "%s differs: %s before, %s after", members[i].name,
			       buf[BEFORE], buf[AFTER]);
	}
}

static void note_missing(struct comparison *comparison, int side)
{
	const struct run_record *record = comparison->records[side];
	char buf[TEXT_MAX];
	struct text text;

	if (record->results.torn > 0)
		remark(comparison,
		       "%s: %zu line%s of results.jsonl cannot be read and %s passed over",
		       side_names[side], record->results.torn, record->results.torn == 1 ? "" : "s",
		       record->results.torn == 1 ? "is" : "are");
	if (record->incomplete) {
		text_init(&text, buf, sizeof(buf));
		report_incomplete(record, &text);
		remark(comparison, "%s: %s", side_names[side], buf);
	}
	for (size_t i = 0; i < record->missing.count; i++) {
		const struct result *missing = &record->missing.items[i];

		if (missing->verdict == VERDICT_ERROR)
			remark(comparison, "%s: %s: %s", side_names[side], missing->id,
			       missing->reason);
	}
}

static bool is_virtual(const struct run_record *record)
{
	const char *mode = run_record_word(record, "mode");

	return mode != NULL && strcmp(mode, "virtual") == 0;
}

int comparison_make(struct comparison *comparison, const struct run_record *before,
		    const struct run_record *after, uint64_t noise_us)
{
	bool virtual_time = is_virtual(before) && is_virtual(after);
	int rc;

	*comparison = (struct comparison){
		.records = { before, after },
		.noise_us = noise_us > 0   ? noise_us
			    : virtual_time ? 5000
					   : 200000,
		.noise_share = virtual_time ? 0.05 : 0.25,
	};
	compare_settings(comparison);
	note_missing(comparison, BEFORE);
	note_missing(comparison, AFTER);
	rc = compare_cases(comparison);
	if (rc == 0)
		comparison_drop_chance(comparison);
	if (rc != 0)
		comparison_clear(comparison);
	return rc;
}

void comparison_clear(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++) {
		struct case_comparison *item = &comparison->cases[i];

		for (size_t c = 0; c < item->count; c++)
			change_clear(&item->changes[c]);
		free(item->changes);
		free(item->why);
	}
	for (size_t i = 0; i < comparison->remark_count; i++)
		free(comparison->remarks[i]);
	free(comparison->remarks);
	free(comparison->cases);
	*comparison = (struct comparison){ .cases = NULL };
}

bool comparison_is_empty(const struct comparison *comparison)
{
	return comparison->worse == 0 && comparison->better == 0 && comparison->other == 0 &&
	       comparison->changed == 0 && comparison->only[BEFORE] == 0 &&
	       comparison->only[AFTER] == 0;
}

const char *change_name(enum change_kind kind)
{
	static const char *const names[CHANGE_KIND_COUNT] = {
		[CHANGE_VERDICT_WORSE] = "verdict-worse",
		[CHANGE_VERDICT_BETTER] = "verdict-better",
		[CHANGE_VERDICT_OTHER] = "verdict-other",
		[CHANGE_REASON] = "reason",
		[CHANGE_WARNING] = "warning",
		[CHANGE_MESSAGE] = "message",
		[CHANGE_NUMBER] = "number",
		[CHANGE_FIELD] = "field",
		[CHANGE_DELAY] = "delay",
		[CHANGE_DURATION] = "duration",
	};

	return kind < CHANGE_KIND_COUNT ? names[kind] : "?";
}
