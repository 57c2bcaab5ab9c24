/*
 * Finished cases as they stand on disk: results.jsonl, one case a line, append-only
 * (design/cli.md). The writer puts each line down with one write, so a killed run loses at most the
 * line it was writing; the reader passes over a torn line. Reports, merge and --resume read with
 * it.
 */
#ifndef SPILLWAY_RUNNER_CASE_RESULTS_H
#define SPILLWAY_RUNNER_CASE_RESULTS_H

#include "codecs/text.h"
#include "runner/case/tc.h"

/* Every string may be NULL in what was read, except id and reason. All owned by the result. */
/* run.json says of which form the record is; readers take what they know of a later one. */
enum { RUN_RECORD_VERSION = 1 };

/* A share that was judged: so many of those offered were sent. Shares are 0..1. */
struct figure {
	char *what;
	uint64_t offered, sent;
	double stated, tolerance;
	double low, high; /* interval of the share at that error probability */
	double error;
};

struct result {
	char *id;
	char *suite;
	char *role;
	char *purpose;
	char *stimulus;
	char *expectation;
	char *requirement;
	char *clause;
	char *strength; /* "shall", "should", "may" */
	enum verdict verdict;
	char *reason;
	char **warnings;
	size_t warning_count;
	char **notes; /* figures and observations */
	size_t note_count;
	struct figure *figures;
	size_t figure_count;
	char *detail;	/* several lines: expected and received */
	char *ladder;	/* several lines: the last messages */
	char *baseline; /* "expected" or "stale" where a baseline names the case, else NULL */
	char *repro;
	char *evidence; /* folder of the case inside the record, NULL where none was kept */
	uint64_t seed;	/* --seed that repeats the case */
	unsigned int repetition; /* from 1 */
	double iut_ms, wall_ms;
};

void result_clear(struct result *result);

struct results {
	struct result *items;
	size_t count;
	size_t torn; /* lines that were no result */
};

/* Reads DIR/results.jsonl. A missing file is no results. 0, or a negative errno with a sentence. */
int results_read(const char *dir, struct results *results, struct text *why);
void results_clear(struct results *results);
/*
 * Sorts by suite, id, repetition and seed; where a line was repeated, the worst verdict stays: none
 * improves by being written again.
 */
void results_keep_worst(struct results *results);
/* The order of it: suite, id, repetition; and of cases alone: suite, id. */
int result_compare(const struct result *a, const struct result *b);
int result_compare_case(const struct result *a, const struct result *b);
/* A verdict never improves: the larger is the worse one. Not applicable is the mildest. */
int verdict_gravity(enum verdict verdict);

/* One line without the newline, as malloc'ed text; NULL without memory. */
char *result_print(const struct result *result);
/* The inverse; false where the line is no result. */
bool result_parse(const char *line, size_t len, struct result *result);

/* A baseline names the case, which failed as it says; or which passed, so that it is out of date.
 */
bool result_is_expected(const struct result *result);
bool result_is_stale(const struct result *result);

/* What a verdict does to the exit status and the sums of a run. */
struct run_counts {
	size_t selected, finished;
	size_t verdict[6];	  /* by enum verdict, without those that a baseline expects */
	size_t expected_failures; /* failed as the baseline says */
	size_t stale;		  /* the baseline expects a failure, and it passed */
	size_t not_run;		  /* --max-duration or an interruption ended the run before them */
	size_t too_long;	  /* left out: estimated time above --max-duration */
	size_t warnings;
	size_t not_put_back; /* 1: after the last case the live IUT stayed as the case left it */
};

void run_counts_add(struct run_counts *counts, const struct result *result);
/* The exit status of design/cli.md: 3 before 1, 1 before 2; 4 where nothing was selected. */
int run_exit_code(const struct run_counts *counts);

#endif
