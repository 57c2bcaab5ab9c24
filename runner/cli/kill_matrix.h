/*
 * The proof that the suite can tell a good IUT from a bad one: each fault of a reference IUT must
 * be caught by every case that its entry names, and the correct IUT must please every case, with
 * every seed. Whatever is found out is kept in the order of the tables, so the outcome is the same
 * whatever ran first.
 */
#ifndef SPILLWAY_RUNNER_CLI_KILL_MATRIX_H
#define SPILLWAY_RUNNER_CLI_KILL_MATRIX_H

#include <signal.h>

#include "runner/case/run.h"

struct kill_options {
	const struct run_selection *selection; /* of the IUT's role */
	const struct profile *profile;
	uint64_t seed;	/* of the faults, and the first of the correct IUT */
	uint64_t seeds; /* with which the correct IUT is run; at least 1 */
	unsigned int jobs;
	bool matrix;   /* every case against every fault */
	bool variants; /* the correct IUT in each variant too */
	/* Called as jobs end, for a progress line. */
	void (*progress)(void *arg, size_t done, size_t total);
	void *arg;
	const volatile sig_atomic_t *interrupted;
};

enum { KILL_NOT_RUN = -1 };

/* Runs of the correct IUT that a case did not like, with one verdict and with several seeds. */
struct kill_alarm {
	const struct test_case *test;
	const struct iut_fault *variant; /* NULL: none */
	enum verdict verdict;
	size_t count;
	uint64_t seed; /* the first of them */
	char reason[512];
};

enum { KILL_ALARMS_MAX = 1000 };

struct kill_matrix {
	const struct iut_ops *ops;
	const struct run_selection *selection;
	/* verdict[fault * selection->count + case], enum verdict or KILL_NOT_RUN */
	signed char *verdicts;
	char (*reasons)[512]; /* as verdicts */
	size_t faults_run;    /* faults against which at least one case was run */
	size_t survivors;     /* faults that a case which names them did not catch */
	size_t runs;
	/* Of the correct IUT: anything but pass. In a variant: fail and error; there a case may
	 * find nothing to judge. */
	struct kill_alarm *alarms;
	size_t alarm_count;	/* kept, at most KILL_ALARMS_MAX */
	size_t alarms_found;	/* runs in all */
	size_t variants_silent; /* runs in a variant that ended inconc or na */
	bool interrupted;
};

/* 0, or a negative errno with a sentence in why. Release with kill_matrix_clear. */
int kill_matrix_run(const struct run_world *world, const struct iut_ops *ops,
		    const struct kill_options *options, struct kill_matrix *matrix,
		    struct text *why);
void kill_matrix_clear(struct kill_matrix *matrix);

/* The verdict of a case against a fault, or KILL_NOT_RUN; and its reason. */
int kill_matrix_verdict(const struct kill_matrix *matrix, size_t fault, size_t test);
const char *kill_matrix_reason(const struct kill_matrix *matrix, size_t fault, size_t test);
bool kill_matrix_survives(const struct kill_matrix *matrix, size_t fault);

#endif
