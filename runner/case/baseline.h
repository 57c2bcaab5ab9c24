/*
 * Known failures of an IUT: one line a case, `ID VERDICT reason...` (design/cli.md). A run that
 * fails just so is green; one that no longer does is red, since the baseline is stale then.
 */
#ifndef SPILLWAY_RUNNER_CASE_BASELINE_H
#define SPILLWAY_RUNNER_CASE_BASELINE_H

#include "runner/case/run.h"

/* Stands in the place of a reason that nobody has written yet: a run refuses it. */
#define BASELINE_UNEXPLAINED "UNEXPLAINED"

/* What a line says; the strings are the line's. reason is "" where there is none. */
struct baseline_words {
	const char *id;
	enum verdict verdict;
	const char *reason;
};

/* Cuts the blanks at the end of a line off; NULL for a comment or nothing, else where it begins. */
char *baseline_line(char *line);
/* Takes what baseline_line gave apart, in place. NULL, or what is wrong with it. */
const char *baseline_split(char *line, struct baseline_words *words);
/* Whether the reason still has to be written. */
bool baseline_unexplained(const char *reason);
bool baseline_has_case(const struct run_world *world, const char *id);

struct baseline {
	struct baseline_entry {
		char *id;
		enum verdict verdict;
	} * entries;
	size_t count;
};

/* 0, or -EINVAL with "FILE:LINE: what is wrong", one line for each fault in why. */
int baseline_read(const char *path, const struct run_world *world, struct baseline *baseline,
		  struct text *why);
void baseline_clear(struct baseline *baseline);
/* "expected", "stale", or NULL where the baseline has nothing to say about this verdict. */
const char *baseline_judge(const struct baseline *baseline, const char *id, enum verdict verdict);

#endif
