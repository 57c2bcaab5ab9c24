#include "reports/baseline_update.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reports/printable.h"
#include "runner/case/baseline.h"

enum { REASON_MAX = 160, OLD_REASON_MAX = 400 };

/* A case of the record, over its repetitions. */
struct outcome {
	const struct result *worst;
	bool steady;
	bool written;
};

struct outcomes {
	struct outcome *items; /* by id */
	size_t count;
};

static int by_id(const void *left, const void *right)
{
	const struct outcome *a = left, *b = right;

	return strcmp(a->worst->id, b->worst->id);
}

/* What was not run says nothing; missing.c keeps it apart from the results. */
static int make_outcomes(const struct run_record *record, struct outcomes *outcomes)
{
	const struct results *results = &record->results;
	struct outcome *last = NULL;

	*outcomes = (struct outcomes){
		.items = calloc(results->count + 1, sizeof(*outcomes->items)),
	};
	if (outcomes->items == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < results->count; i++) {
		const struct result *result = &results->items[i];

		if (last == NULL || result_compare_case(last->worst, result) != 0) {
			last = &outcomes->items[outcomes->count++];
			*last = (struct outcome){ .worst = result, .steady = true };
			continue;
		}
		last->steady = last->steady && last->worst->verdict == result->verdict;
		if (verdict_gravity(result->verdict) > verdict_gravity(last->worst->verdict))
			last->worst = result;
	}
	qsort(outcomes->items, outcomes->count, sizeof(*outcomes->items), by_id);
	return 0;
}

static struct outcome *find_outcome(const struct outcomes *outcomes, const char *id)
{
	struct result key = { .id = (char *)(uintptr_t)id };
	struct outcome wanted = { .worst = &key };

	return outcomes->count == 0 ? NULL
				    : bsearch(&wanted, outcomes->items, outcomes->count,
					      sizeof(*outcomes->items), by_id);
}

/* --- items --------------------------------------------------------------------------------------
 */

/* Takes line and about, which are malloc'ed. */
static int add(struct baseline_update *update, enum baseline_fate fate, char *line, char *about)
{
	/* room is doubled at each power of two */
	if ((update->count & (update->count - 1)) == 0) {
		size_t room = update->count > 0 ? update->count * 2 : 1;
		struct baseline_item *more = realloc(update->items, room * sizeof(*more));

		if (more == NULL) {
			free(line);
			free(about);
			return -ENOMEM;
		}
		update->items = more;
	}
	update->items[update->count++] = (struct baseline_item){ fate, line, about };
	update->fates[fate] += about != NULL;
	return line == NULL && about == NULL ? -ENOMEM : 0;
}

/* On one line, without what steers, cut where it is long. NULL without memory. */
static char *one_line(const char *s, size_t max)
{
	char *out = NULL;
	size_t size, n = 0;
	FILE *stream = open_memstream(&out, &size);
	uint32_t c;

	if (stream == NULL)
		return NULL;
	while (s != NULL && (c = utf8_next(&s)) != 0 && n++ < max)
		utf8_put(is_steering(c) ? ' ' : c, stream);
	if (n > max)
		fputs("...", stream);
	return fclose(stream) == 0 ? out : NULL;
}

__attribute__((format(printf, 1, 2))) static char *compose(const char *format, ...)
{
	char *out;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&out, format, args);
	va_end(args);
	return n < 0 ? NULL : out;
}

/* A failure for which somebody has to write the reason; was: what stood there for another verdict.
 */
static int add_unexplained(struct baseline_update *update, const struct outcome *outcome,
			   const struct baseline_words *was)
{
	const char *id = outcome->worst->id, *verdict = verdict_name(outcome->worst->verdict);
	char *reason = one_line(outcome->worst->reason, REASON_MAX);
	char *old = one_line(was != NULL ? was->reason : NULL, OLD_REASON_MAX);
	char *line = NULL, *about = NULL;

	if (reason != NULL && old != NULL) {
		line = was == NULL
			       ? compose("%s %s " BASELINE_UNEXPLAINED ": %s", id, verdict, reason)
			       : compose("%s %s " BASELINE_UNEXPLAINED ": %s (was %s: %s)", id,
					 verdict, reason, verdict_name(was->verdict), old);
		about = was == NULL ? compose("%s (%s)", id, verdict)
				    : compose("%s (%s; the reason is for %s)", id, verdict,
					      verdict_name(was->verdict));
	}
	free(reason);
	free(old);
	return add(update, was == NULL ? BASELINE_UNEXPLAINED_NEW : BASELINE_OTHER_VERDICT, line,
		   about);
}

static int add_unsteady(struct baseline_update *update, const struct outcome *outcome)
{
	return outcome->steady
		       ? 0
		       : add(update, BASELINE_UNSTEADY, NULL, compose("%s", outcome->worst->id));
}

/* An entry of the old baseline: line as it stands there, words what it says. */
static int add_entry(struct baseline_update *update, const struct outcomes *outcomes,
		     const struct run_world *world, const char *line,
		     const struct baseline_words *words)
{
	struct outcome *outcome = find_outcome(outcomes, words->id);
	enum verdict verdict = outcome == NULL ? VERDICT_NONE : outcome->worst->verdict;
	bool unexplained = words->reason[0] == '\0' || baseline_unexplained(words->reason);
	enum baseline_fate fate = unexplained ? BASELINE_UNEXPLAINED_OLD : BASELINE_KEPT;
	int rc;

	if (outcome != NULL)
		outcome->written = true;
	if (!baseline_has_case(world, words->id))
		return add(update, BASELINE_NO_CASE, NULL, compose("%s", words->id));
	if (verdict == VERDICT_PASS)
		return add(update, BASELINE_STALE, NULL,
			   compose("%s (%s: %s)", words->id, verdict_name(words->verdict),
				   words->reason));
	if (verdict == VERDICT_NONE || verdict == VERDICT_NA)
		fate = unexplained ? fate : BASELINE_NOT_JUDGED;
	else if (verdict != words->verdict)
		return add_unexplained(update, outcome, words);
	rc = words->reason[0] == '\0'
		     ? add(update, fate,
			   compose("%s %s " BASELINE_UNEXPLAINED, words->id,
				   verdict_name(words->verdict)),
			   compose("%s", words->id))
		     : add(update, fate, compose("%s", line), compose("%s", words->id));
	return rc == 0 && outcome != NULL ? add_unsteady(update, outcome) : rc;
}

static bool stands_already(const struct baseline_update *update, const char *id)
{
	size_t len = strlen(id);

	for (size_t i = 0; i < update->count; i++) {
		const char *about = update->items[i].about;

		if (about != NULL && strncmp(about, id, len) == 0 &&
		    (about[len] == '\0' || about[len] == ' '))
			return true;
	}
	return false;
}

static int read_old(struct baseline_update *update, const struct outcomes *outcomes,
		    const struct run_world *world, const char *path, struct text *why)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	unsigned int number = 0;
	int rc = 0;

	if (file == NULL) {
		rc = -errno;
		text_printf(why, "%s: %s", path, strerror(-rc));
		return rc == -ENOMEM ? rc : -EINVAL;
	}
	while (rc != -ENOMEM && getline(&line, &size, file) >= 0) {
		char *from = baseline_line(line), *whole = strdup(line);
		struct baseline_words words;
		const char *wrong = NULL;
		int added;

		number++;
		if (whole != NULL && from != NULL)
			wrong = baseline_split(from, &words);
		if (wrong == NULL && from != NULL && stands_already(update, words.id))
			wrong = "the case stands here twice";
		if (wrong != NULL) {
			text_printf(why, "%s%s:%u: %s", why->len > 0 ? "\n" : "", path, number,
				    wrong);
			rc = -EINVAL;
			free(whole);
			continue;
		}
		if (whole != NULL && from != NULL) {
			added = add_entry(update, outcomes, world, whole, &words);
			free(whole);
		} else {
			added = add(update, BASELINE_KEPT, whole, NULL);
		}
		rc = added != 0 ? added : rc;
	}
	if (rc == 0 && ferror(file)) {
		text_printf(why, "%s: cannot be read", path);
		rc = -EINVAL;
	}
	free(line);
	fclose(file);
	return rc;
}

static int add_new(struct baseline_update *update, const struct outcomes *outcomes,
		   const struct run_world *world)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < outcomes->count; i++) {
		const struct outcome *outcome = &outcomes->items[i];
		enum verdict verdict = outcome->worst->verdict;

		if (outcome->written || verdict == VERDICT_PASS || verdict == VERDICT_NA ||
		    verdict == VERDICT_NONE)
			continue;
		rc = baseline_has_case(world, outcome->worst->id)
			     ? add_unexplained(update, outcome, NULL)
			     : add(update, BASELINE_NO_CASE, NULL,
				   compose("%s", outcome->worst->id));
		if (rc == 0)
			rc = add_unsteady(update, outcome);
	}
	return rc;
}

int baseline_update_make(struct baseline_update *update, const struct run_record *record,
			 const struct run_world *world, const char *old, struct text *why)
{
	struct outcomes outcomes;
	int rc;

	*update = (struct baseline_update){ .items = NULL };
	rc = make_outcomes(record, &outcomes);
	if (rc == 0 && old != NULL)
		rc = read_old(update, &outcomes, world, old, why);
	if (rc == 0)
		rc = add_new(update, &outcomes, world);
	free(outcomes.items);
	if (rc == -ENOMEM)
		text_puts(why, "out of memory");
	if (rc != 0)
		baseline_update_clear(update);
	return rc;
}

void baseline_update_clear(struct baseline_update *update)
{
	for (size_t i = 0; i < update->count; i++) {
		free(update->items[i].line);
		free(update->items[i].about);
	}
	free(update->items);
	*update = (struct baseline_update){ .items = NULL };
}

/* --- what is written ----------------------------------------------------------------------------
 */

void baseline_update_print(const struct baseline_update *update, FILE *out)
{
	for (size_t i = 0; i < update->count; i++) {
		if (update->items[i].line != NULL)
			fprintf(out, "%s\n", update->items[i].line);
	}
}

static const char *const fate_names[BASELINE_FATE_COUNT] = {
	[BASELINE_KEPT] = "kept",
	[BASELINE_NOT_JUDGED] = "kept, not judged by this run",
	[BASELINE_STALE] = "stale, left out: it passes",
	[BASELINE_NO_CASE] = "left out: there is no such case",
	[BASELINE_UNEXPLAINED_OLD] = "still unexplained",
	[BASELINE_UNEXPLAINED_NEW] = "new, unexplained",
	[BASELINE_OTHER_VERDICT] = "another verdict, unexplained",
	[BASELINE_UNSTEADY] = "its repetitions end differently",
};

void baseline_update_remarks(const struct baseline_update *update, FILE *out)
{
	for (int fate = BASELINE_NOT_JUDGED; fate < BASELINE_FATE_COUNT; fate++) {
		for (size_t i = 0; i < update->count; i++) {
			const struct baseline_item *item = &update->items[i];

			if ((int)item->fate != fate || item->about == NULL)
				continue;
			fprintf(out, "%s: ", fate_names[fate]);
			print_line(item->about, out);
			fputc('\n', out);
		}
	}
	fprintf(out, "%zu kept, %zu not judged, %zu stale, %zu unexplained\n",
		update->fates[BASELINE_KEPT], update->fates[BASELINE_NOT_JUDGED],
		update->fates[BASELINE_STALE] + update->fates[BASELINE_NO_CASE],
		baseline_update_unexplained(update));
}

size_t baseline_update_unexplained(const struct baseline_update *update)
{
	return update->fates[BASELINE_UNEXPLAINED_OLD] + update->fates[BASELINE_UNEXPLAINED_NEW] +
	       update->fates[BASELINE_OTHER_VERDICT];
}
