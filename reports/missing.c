/*
 * A run that was killed, cut short or only partly merged must not look like one that passed: what
 * run.json promised is compared with what was finished, and the difference gets a name of its own.
 */
#include "reports/missing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A record may come from anywhere: its lists are no reason to use up the memory. */
enum { MISSING_MAX = 200000 };

static int add(struct run_record *record, const char *suite, const char *id,
	       unsigned int repetition, enum verdict verdict, const char *reason)
{
	struct results *missing = &record->missing;
	struct result *result;

	if (missing->count > MISSING_MAX)
		return 0;
	if ((missing->count & (missing->count - 1)) == 0) {
		size_t room = missing->count > 0 ? missing->count * 2 : 1;
		struct result *more = realloc(missing->items, room * sizeof(*more));

		if (more == NULL)
			return -ENOMEM;
		missing->items = more;
	}
	result = &missing->items[missing->count];
	*result = (struct result){
		.id = strdup(id),
		.suite = strdup(suite),
		.reason = strdup(reason),
		.verdict = verdict,
		.repetition = repetition,
	};
	missing->count++;
	record->incomplete = record->incomplete || verdict == VERDICT_NONE;
	return result->id == NULL || result->suite == NULL || result->reason == NULL ? -ENOMEM : 0;
}

static int compare(const void *left, const void *right)
{
	return result_compare(left, right);
}

static bool finished(const struct run_record *record, const char *suite, const char *id,
		     unsigned int repetition)
{
	const struct results *results = &record->results;
	struct result key = {
		.suite = (char *)(uintptr_t)suite,
		.id = (char *)(uintptr_t)id,
		.repetition = repetition,
	};

	return results->count > 0 && bsearch(&key, results->items, results->count,
					     sizeof(results->items[0]), compare) != NULL;
}

static size_t number(const json_t *object, const char *member)
{
	json_int_t n = json_integer_value(json_object_get(object, member));

	return n > 0 ? (size_t)n : 0;
}

static int add_run(struct run_record *record, const char *id, enum verdict verdict,
		   const char *reason)
{
	return add(record, "spillway", id, 1, verdict, reason);
}

/* Those of run.json's list, {suite: [id...]}, that have no result. */
static int add_cases(struct run_record *record, const char *member, size_t repeat,
		     enum verdict verdict, const char *reason, size_t *count)
{
	const char *suite;
	json_t *ids;

	json_object_foreach(json_object_get(record->run, member), suite, ids)
	{
		size_t ids_count = json_array_size(ids);
		size_t rounds = ids_count == 0 ? 0 : repeat;

		if (rounds > 0 && rounds > MISSING_MAX / ids_count) {
			rounds = MISSING_MAX / ids_count;
			if (add_run(record, "further repetitions", VERDICT_NONE,
				    "too many to compare with the results") != 0)
				return -ENOMEM;
		}
		for (size_t n = 1; n <= rounds && *count < MISSING_MAX; n++) {
			for (size_t i = 0; i < ids_count; i++) {
				const char *id = json_string_value(json_array_get(ids, i));

				if (id == NULL || finished(record, suite, id, (unsigned int)n))
					continue;
				if (add(record, suite, id, (unsigned int)n, verdict, reason) != 0)
					return -ENOMEM;
				++*count;
			}
		}
	}
	return 0;
}

static int add_parts(struct run_record *record)
{
	const json_t *parts = json_object_get(record->run, "missing_shards");
	size_t shards = number(record->run, "shards");

	for (size_t i = 0; i < json_array_size(parts); i++) {
		json_int_t part = json_integer_value(json_array_get(parts, i));
		char id[80];

		snprintf(id, sizeof(id), "part %" JSON_INTEGER_FORMAT " of %zu", part, shards);
		if (add_run(record, id, VERDICT_NONE, "this part was not merged") != 0)
			return -ENOMEM;
	}
	return 0;
}

int missing_find(struct run_record *record)
{
	const json_t *counts = json_object_get(record->run, "counts");
	const char *not_put_back = run_record_word(record, "not_put_back");
	size_t repeat = number(record->run, "repeat");
	size_t *not_run = &record->counts.not_run;
	size_t selected = number(counts, "selected");
	bool named = json_is_object(json_object_get(record->run, "cases"));
	int rc = 0;

	if (named)
		rc = add_cases(record, "cases", repeat, VERDICT_NONE,
			       "not run: the run ended before it", not_run);
	if (rc == 0)
		rc = add_cases(record, "left_out", repeat > 0 ? 1 : 0, VERDICT_NA,
			       "left out: it takes longer than --max-duration",
			       &record->counts.too_long);
	if (rc == 0 && !named && selected > record->results.count) {
		*not_run = selected - record->results.count;
		rc = add_run(record, "cases that were not run", VERDICT_NONE,
			     "the run ended before them; run.json does not name them");
	}
	if (rc == 0)
		rc = add_parts(record);
	if (rc == 0 && json_object_size(record->run) == 0)
		rc = add_run(record, "the whole run", VERDICT_NONE,
			     "run.json is missing or torn: nobody knows what else was selected");
	if (rc == 0 && json_is_null(json_object_get(record->run, "ended")))
		rc = add_run(record, "the end of the run", VERDICT_NONE,
			     "the run was killed, or still goes on");
	if (rc == 0 && not_put_back != NULL) {
		record->counts.not_put_back = 1;
		rc = add_run(record, "the IUT put back", VERDICT_ERROR, not_put_back);
	}
	record->counts.selected = record->results.count + *not_run;
	return rc;
}

void report_incomplete(const struct run_record *record, struct text *out)
{
	text_printf(out, "incomplete: %zu of %zu cases are finished", record->counts.finished,
		    record->counts.selected);
	for (size_t i = 0; i < record->missing.count; i++) {
		const struct result *result = &record->missing.items[i];

		if (strcmp(result->suite, "spillway") == 0 && result->verdict == VERDICT_NONE)
			text_printf(out, "; %s: %s", result->id, result->reason);
	}
}
