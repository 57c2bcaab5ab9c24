#include "reports/compare_private.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	CHANGES_MAX = 512, /* of a case */
	TAIL_ROOM = 48,	   /* what says that it was cut */
	REMARKS_MAX = 200,
	CHUNKS = 64, /* of the cases: no more than so many work at a time */
	THREADS_MAX = 15,
};

/* --- strings ------------------------------------------------------------------------------------
 */

const char *const comparison_sides[] = { "before", "after" };

char *comparison_copy(struct comparison *comparison, const char *s)
{
	size_t len = s == NULL ? 0 : strlen(s);
	char *to;

	if (s == NULL)
		return NULL;
	to = malloc((len < CHANGE_TEXT_MAX ? len : CHANGE_TEXT_MAX) + TAIL_ROOM);
	if (to == NULL) {
		comparison->out_of_memory = true;
		return NULL;
	}
	if (len <= CHANGE_TEXT_MAX) {
		memcpy(to, s, len + 1);
		return to;
	}
	len = CHANGE_TEXT_MAX;
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

void comparison_remark(struct comparison *comparison, const char *format, ...)
{
	char buf[CHANGE_TEXT_MAX];
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
	more[comparison->remark_count] = comparison_copy(comparison, buf);
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
		.lane = comparison_copy(comparison, change->lane),
		.proto = comparison_copy(comparison, change->proto),
		.type = comparison_copy(comparison, change->type),
		.field = comparison_copy(comparison, change->field),
		.before = comparison_copy(comparison, change->before),
		.after = comparison_copy(comparison, change->after),
		.times = change->times,
	};
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
			item->there[side] ? runs_worst(&runs[side])->verdict : VERDICT_NONE;
	}
	return item;
}

/* A case, and its results in both records. */
struct pairing {
	struct case_comparison *item;
	struct runs runs[2];
};

/* Of so many cases one after the other, whoever comes to them: what is found stands in their order.
 */
struct chunk {
	struct comparison found;
	const struct pairing *pairings;
	size_t count;
};

struct work {
	struct chunk chunks[CHUNKS];
	pthread_mutex_t lock;
	size_t next;
};

static void compare_case(struct comparison *comparison, const struct pairing *pairing,
			 struct message_decoder *decoder, char *room)
{
	struct case_comparison *item = pairing->item;

	if (!item->there[BEFORE] || !item->there[AFTER]) {
		comparison->only[item->there[BEFORE] ? BEFORE : AFTER]++;
		return;
	}
	comparison_results(comparison, item, pairing->runs);
	comparison_evidence(comparison, item, pairing->runs, decoder, room);
	comparison->uncompared += !item->compared;
	comparison->changed += item->verdict[BEFORE] == item->verdict[AFTER] && item->count > 0;
}

static struct chunk *next_chunk(struct work *work)
{
	struct chunk *chunk = NULL;

	pthread_mutex_lock(&work->lock);
	if (work->next < CHUNKS)
		chunk = &work->chunks[work->next++];
	pthread_mutex_unlock(&work->lock);
	return chunk;
}

static void *compare_chunks(void *arg)
{
	struct message_decoder *decoder = message_decoder_new();
	char *room = malloc(2 * COMPARE_ROOM);
	struct chunk *chunk;

	while ((chunk = next_chunk(arg)) != NULL) {
		if (decoder == NULL || room == NULL)
			chunk->found.out_of_memory = true;
		for (size_t i = 0; !chunk->found.out_of_memory && i < chunk->count; i++)
			compare_case(&chunk->found, &chunk->pairings[i], decoder, room);
	}
	message_decoder_free(decoder);
	free(room);
	return NULL;
}

/* As many as there are processors; this one works, too, where no other can be had. */
static void work_off(struct work *work)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t others[THREADS_MAX];
	size_t count = 0;

	while (count < THREADS_MAX && (long)count + 1 < processors &&
	       pthread_create(&others[count], NULL, compare_chunks, work) == 0)
		count++;
	compare_chunks(work);
	while (count > 0)
		pthread_join(others[--count], NULL);
}

static void take_over(struct comparison *comparison, struct comparison *found)
{
	comparison->worse += found->worse;
	comparison->better += found->better;
	comparison->other += found->other;
	comparison->same += found->same;
	comparison->changed += found->changed;
	comparison->gaps += found->gaps;
	comparison->uncompared += found->uncompared;
	comparison->digits += found->digits;
	comparison->by_chance += found->by_chance;
	comparison->out_of_memory = comparison->out_of_memory || found->out_of_memory;
	for (int side = 0; side < 2; side++)
		comparison->only[side] += found->only[side];
	comparison_take_ignored(comparison, found->ignored);
	for (size_t i = 0; i < found->remark_count; i++) {
		comparison_remark(comparison, "%s", found->remarks[i]);
		free(found->remarks[i]);
	}
	free(found->remarks);
}

/* Sets the cases of both records against each other: those of either, by suite and id. */
static size_t pair_cases(struct comparison *comparison, struct pairing *pairings)
{
	const struct results *before = &comparison->records[BEFORE]->results;
	const struct results *after = &comparison->records[AFTER]->results;
	size_t b = 0, a = 0, count = 0;

	while (b < before->count || a < after->count) {
		int order = b == before->count ? 1
			    : a == after->count
				    ? -1
				    : result_compare_case(&before->items[b], &after->items[a]);
		struct pairing *pairing = &pairings[count++];

		*pairing = (struct pairing){ .runs = {
						     [BEFORE] = { before->items + b,
								  order <= 0 ? run_length(before, b)
									     : 0 },
						     [AFTER] = { after->items + a,
								 order >= 0 ? run_length(after, a)
									    : 0 },
					     } };
		pairing->item = add_case(comparison, pairing->runs);
		b += pairing->runs[BEFORE].count;
		a += pairing->runs[AFTER].count;
	}
	return count;
}

static int compare_cases(struct comparison *comparison)
{
	size_t most = comparison->records[BEFORE]->results.count +
		      comparison->records[AFTER]->results.count + 1;
	struct pairing *pairings = calloc(most, sizeof(*pairings));
	struct work *work = calloc(1, sizeof(*work));
	size_t count;

	comparison->cases = calloc(most, sizeof(*comparison->cases));
	if (comparison->cases == NULL || pairings == NULL || work == NULL) {
		free(pairings);
		free(work);
		return -ENOMEM;
	}
	count = pair_cases(comparison, pairings);
	pthread_mutex_init(&work->lock, NULL);
	for (size_t i = 0, from = 0; i < CHUNKS; i++) {
		size_t to = (i + 1) * count / CHUNKS;

		work->chunks[i] = (struct chunk){
			.found = { .records = { comparison->records[BEFORE],
						comparison->records[AFTER] },
				   .other_seed = comparison->other_seed,
				   .noise_us = comparison->noise_us,
				   .noise_share = comparison->noise_share },
			.pairings = pairings + from,
			.count = to - from,
		};
		from = to;
	}
	work_off(work);
	for (size_t i = 0; i < CHUNKS; i++)
		take_over(comparison, &work->chunks[i].found);
	pthread_mutex_destroy(&work->lock);
	free(pairings);
	free(work);
	return comparison->out_of_memory ? -ENOMEM : 0;
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
			comparison_remark(comparison, "%s differs: %s before, %s after",
					  members[i].name, buf[BEFORE], buf[AFTER]);
	}
}

static void note_missing(struct comparison *comparison, int side)
{
	const struct run_record *record = comparison->records[side];
	char buf[CHANGE_TEXT_MAX];
	struct text text;

	if (record->results.torn > 0)
		comparison_remark(
			comparison,
			"%s: %zu line%s of results.jsonl cannot be read and %s passed over",
			comparison_sides[side], record->results.torn,
			record->results.torn == 1 ? "" : "s",
			record->results.torn == 1 ? "is" : "are");
	if (record->incomplete) {
		text_init(&text, buf, sizeof(buf));
		report_incomplete(record, &text);
		comparison_remark(comparison, "%s: %s", comparison_sides[side], buf);
	}
	for (size_t i = 0; i < record->missing.count; i++) {
		const struct result *missing = &record->missing.items[i];

		if (missing->verdict == VERDICT_ERROR)
			comparison_remark(comparison, "%s: %s: %s", comparison_sides[side],
					  missing->id, missing->reason);
	}
}

static bool is_virtual(const struct run_record *record)
{
	const char *mode = run_record_word(record, "mode");

	return mode != NULL && strcmp(mode, "virtual") == 0;
}

/* Then chance does not fall the same way in both. */
static bool has_other_seed(const struct run_record *before, const struct run_record *after)
{
	const json_t *a = json_object_get(before->run, "seed");
	const json_t *b = json_object_get(after->run, "seed");

	return a != NULL && b != NULL &&
	       !json_equal((json_t *)(uintptr_t)a, (json_t *)(uintptr_t)b);
}

int comparison_make(struct comparison *comparison, const struct run_record *before,
		    const struct run_record *after, uint64_t noise_us)
{
	bool virtual_time = is_virtual(before) && is_virtual(after);
	bool other_seed = has_other_seed(before, after);
	int rc;

	*comparison = (struct comparison){
		.records = { before, after },
		.noise_us = noise_us > 0    ? noise_us
			    : !virtual_time ? 200000
			    : other_seed    ? 50000
					    : 5000,
		.other_seed = other_seed,
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
