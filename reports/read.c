#include "reports/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/ladder.h"
#include "reports/missing.h"

enum { PATH_SIZE = 4096 };

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
	if (!journal) {
		text_printf(why, "%s: no run record: results.jsonl is missing", dir);
		json_decref(record->run);
		record->run = NULL;
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
	if (record->results.count == 0 &&
	    (record->results.torn > 0 || json_object_size(record->run) == 0)) {
		text_printf(why, "%s: no case of results.jsonl can be read", dir);
		run_record_clear(record);
		return -EBADMSG;
	}
	run_name_iuts(record->run);
	results_keep_worst(&record->results);
	for (size_t i = 0; i < record->results.count; i++) {
		run_counts_add(&record->counts, &record->results.items[i]);
		add_ladder(dir, &record->results.items[i]);
	}
	record->counts.selected = record->results.count;
	rc = missing_find(record);
	if (rc != 0) {
		run_record_clear(record);
		text_puts(why, "out of memory");
	}
	return rc;
}

void run_name_iuts(json_t *run)
{
	static const char *const members[] = { "iut", "role" };
	const json_t *iuts = json_object_get(run, "iuts"), *one;
	size_t i;

	for (size_t m = 0; json_array_size(iuts) > 0 && m < 2; m++) {
		char buf[1024];
		struct text text;

		text_init(&text, buf, sizeof(buf));
		json_array_foreach(iuts, i, one)
		{
			const char *word = json_string_value(json_object_get(one, members[m]));

			if (word)
				text_printf(&text, "%s%s", text.len > 0 ? ", " : "", word);
		}
		/* a text that was cut in the middle of a character is none for JSON */
		if (text.len > 0 && !text.truncated)
			json_object_set_new(run, members[m], json_string(buf));
	}
}

void run_record_clear(struct run_record *record)
{
	json_decref(record->run);
	free(record->dir);
	results_clear(&record->results);
	results_clear(&record->missing);
	*record = (struct run_record){ 0 };
}

const char *run_record_word(const struct run_record *record, const char *member)
{
	return json_string_value(json_object_get(record->run, member));
}
