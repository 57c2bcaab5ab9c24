#include "reports/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/ladder.h"

enum { PATH_SIZE = 4096 };

static int compare_words(const char *a, const char *b)
{
	return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

static int compare_results(const void *left, const void *right)
{
	const struct result *a = left, *b = right;
	int order = compare_words(a->suite, b->suite);

	if (order == 0)
		order = compare_words(a->id, b->id);
	if (order == 0)
		order = (a->repetition > b->repetition) - (a->repetition < b->repetition);
	if (order == 0)
		order = (a->seed > b->seed) - (a->seed < b->seed);
	return order;
}

/* A verdict never improves; not applicable is the mildest. */
static int gravity(enum verdict verdict)
{
	return verdict == VERDICT_NA ? -1 : (int)verdict;
}

static void keep_worst(struct results *results)
{
	size_t kept = 0;

	if (results->count > 1)
		qsort(results->items, results->count, sizeof(results->items[0]), compare_results);
	for (size_t i = 0; i < results->count; i++) {
		struct result *result = &results->items[i];
		struct result *last = kept > 0 ? &results->items[kept - 1] : NULL;

		if (last == NULL || compare_results(last, result) != 0) {
			results->items[kept++] = *result;
		} else if (gravity(result->verdict) > gravity(last->verdict)) {
			result_clear(last);
			*last = *result;
		} else {
			result_clear(result);
		}
	}
	results->count = kept;
}

static void add_ladder(const char *dir, struct result *result)
{
	if (result->verdict == VERDICT_PASS || result->verdict == VERDICT_NA ||
	    result->evidence == NULL || (result->ladder != NULL && result->ladder[0] != '\0'))
		return;
	free(result->ladder);
	result->ladder = ladder_from_events(dir, result->evidence);
}

int run_record_read(const char *dir, struct run_record *record, struct text *why)
{
	char path[PATH_SIZE];
	struct text text;
	struct stat status;
	bool journal;
	int rc;

	*record = (struct run_record){ 0 };
	if (stat(dir, &status) != 0) {
		rc = -errno;
		text_printf(why, "%s: %s", dir, strerror(-rc));
		return rc;
	}
	if (!S_ISDIR(status.st_mode)) {
		text_printf(why, "%s: not a directory", dir);
		return -ENOTDIR;
	}
	text_init(&text, path, sizeof(path));
	text_printf(&text, "%s/results.jsonl", dir);
	journal = stat(path, &status) == 0;
	text_init(&text, path, sizeof(path));
	text_printf(&text, "%s/run.json", dir);
	record->run = text.truncated ? NULL : json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	if (!journal && record->run == NULL) {
		text_printf(why, "%s: no run record: neither run.json nor results.jsonl", dir);
		return -ENOENT;
	}
	if (!json_is_object(record->run)) {
		json_decref(record->run);
		record->run = json_object();
	}
	record->dir = strdup(dir);
	if (record->dir == NULL || record->run == NULL) {
		run_record_clear(record);
		text_puts(why, "out of memory");
		return -ENOMEM;
	}
	rc = results_read(dir, &record->results, why);
	if (rc != 0) {
		run_record_clear(record);
		return rc;
	}
	keep_worst(&record->results);
	for (size_t i = 0; i < record->results.count; i++) {
		run_counts_add(&record->counts, &record->results.items[i]);
		add_ladder(dir, &record->results.items[i]);
	}
	record->counts.selected = record->results.count;
	return 0;
}

void run_record_clear(struct run_record *record)
{
	json_decref(record->run);
	free(record->dir);
	results_clear(&record->results);
	*record = (struct run_record){ 0 };
}

const char *run_record_word(const struct run_record *record, const char *member)
{
	return json_string_value(json_object_get(record->run, member));
}
