/*
 * The directory of a run record as the supervisor writes it (design/cli.md): run.json, replaced as
 * a whole, and results.jsonl, to which each finished case is added by one write. What a killed run
 * or a full disk leaves behind is readable.
 */
#ifndef SPILLWAY_RUNNER_CASE_JOURNAL_H
#define SPILLWAY_RUNNER_CASE_JOURNAL_H

#include <jansson.h>

#include "runner/case/results.h"

struct journal {
	char *dir;
	int fd;
	int lock;
	bool durable; /* each line is on the medium before the next case begins */
};

/*
 * Opens or makes the record. Without `again` the directory must not hold one yet; with it, it must.
 * A line torn by the end of the earlier run is cut off. Negative errno with a sentence.
 */
int journal_open(struct journal *journal, const char *dir, bool again, struct text *why);
void journal_close(struct journal *journal);
/* 0 or a negative errno; a line that did not fit is taken back. */
int journal_append(struct journal *journal, const struct result *result);
/* Replaces run.json; takes the reference. */
int journal_describe(struct journal *journal, json_t *run);
/* run.json of a record; NULL with a sentence. */
json_t *journal_read_run(const char *dir, struct text *why);

/* Makes DIR/cases/ID (and /repeat-N from the second on) below the record; relative gets the path
 * from the record's folder, path the whole one. */
int journal_case_dir(const struct journal *journal, const char *id, unsigned int repetition,
		     struct text *relative, struct text *path);
/* Removes the files of a case. */
void journal_drop_case(const struct journal *journal, const char *path);
/* The last lines of a file, for what died without a word. */
void journal_tail(const char *path, unsigned int lines, struct text *out);

#endif
