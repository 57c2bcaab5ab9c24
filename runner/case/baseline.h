/*
 * Known failures of an IUT: one line a case, `ID VERDICT reason...` (design/cli.md). A run that
 * fails just so is green; one that no longer does is red, since the baseline is stale then.
 */
#ifndef SPILLWAY_RUNNER_CASE_BASELINE_H
#define SPILLWAY_RUNNER_CASE_BASELINE_H

#include "runner/case/run.h"

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
