/*
 * The supervisor of a run: chooses the cases, gives each a process of its own with a deadline,
 * keeps the journal, and puts the IUT back where a case left it. It owns no loop, socket or thread
 * itself: those are made after the fork, so a crash of the tester or of the embedded IUT costs one
 * case and nothing else.
 */
#ifndef SPILLWAY_RUNNER_CASE_RUN_H
#define SPILLWAY_RUNNER_CASE_RUN_H

#include <signal.h>

#include "codecs/text.h"
#include "runner/case/results.h"
#include "runner/case/tc.h"

/* What the program carries: all suites, and one reference IUT for each role that has one. */
struct run_world {
	const struct suite *const *suites;
	size_t suite_count;
	const struct iut_ops *const *iuts;
	size_t iut_count;
};

/* NULL where there is none. */
const struct iut_ops *run_iut(const struct run_world *world, enum role role);

/* A set of faults or of variants of an IUT: bit n stands for entry n of its table. */
enum { IUT_SET_WORDS = 4 };
struct iut_set {
	uint64_t word[IUT_SET_WORDS];
};
static inline void iut_set_add(struct iut_set *set, size_t n)
{
	if (n < IUT_SET_WORDS * 64)
		set->word[n / 64] |= UINT64_C(1) << (n % 64);
}
/* Adds a fault (or variant) by name; false where the IUT has none of that name. */
bool iut_set_add_fault(struct iut_set *set, const struct iut_ops *ops, const char *name);
bool iut_set_add_variant(struct iut_set *set, const struct iut_ops *ops, const char *name);

/* --- selection ------------------------------------------------------------------------------ */

struct run_selected {
	const struct suite *suite;
	const struct test_case *test;
};

struct run_selection {
	struct run_selected *items; /* in the order of the suites; each case once */
	size_t count;
};

/*
 * Cases that match at least one GLOB: of the id, of the suite's name, "clause:GLOB", "req:GLOB",
 * "fault:GLOB" (the cases that must catch it). No globs: every case. Returns 0, or -ENOENT where
 * a glob matches nothing (the sentence names it), or -ENOMEM.
 */
int run_select(const struct run_world *world, const char *const *globs, size_t glob_count,
	       struct run_selection *selection, struct text *why);
void run_selection_clear(struct run_selection *selection);

/* --- a run ---------------------------------------------------------------------------------- */

enum run_event {
	RUN_STARTED,  /* of the run: selected is known */
	RUN_CASE,     /* a case begins */
	RUN_FINISHED, /* a case ended: result is set */
	RUN_STEP,     /* a line of the ladder of a case, where steps are asked for */
	RUN_NOTE,     /* text for the user */
};

struct run_progress {
	enum run_event event;
	const char *id;
	const struct result *result;
	const struct run_counts *counts;
	const char *text;
	const char *dir; /* of the record; NULL without one */
	/* RUN_STARTED of a live run: time of the IUT that the cases still to be run will take, us,
	 * and the limit that ends the run before; 0: none. */
	uint64_t iut_time, max_duration;
};

/* What a violated "should" is worth: as the profile's policy says, or as --should says. */
enum run_should {
	RUN_SHOULD_POLICY,
	RUN_SHOULD_WARN,
	RUN_SHOULD_FAIL,
};

struct run_options {
	const char *const *globs;
	size_t glob_count;
	const struct profile *profile;	 /* required; profile->live says which loop */
	struct iut_set faults, variants; /* of the embedded IUT, virtual only */
	uint64_t seed;
	bool seed_given;	    /* else a resumed run takes its own from the record */
	bool one_role;		    /* only cases of the profile's role, as with a file */
	unsigned int jobs;	    /* 0: as many as processors; above 1 only in virtual time */
	unsigned int shard, shards; /* I of N, from 1; 0: all (see run_shard_environment) */
	unsigned int repeat;	    /* 0 means 1 */
	bool until_fail;       /* repeat until a case fails, or repeat is reached where it is set */
	uint64_t max_duration; /* us; 0: the profile's policy, or none */
	const char *baseline;  /* file; may be NULL */
	const char *out;       /* directory of the record; created; NULL: no record */
	const char *resume;    /* directory of an earlier record; instead of out */
	enum record_level log_level;
	bool steps; /* RUN_STEP for each message, control action and timer */
	enum run_should should;
	bool evidence_failed_only;
	uint64_t case_limit; /* us of wall clock for one case; 0: from the case */
	/* Of the program, and what it can use on this machine; NULL: nobody knows. */
	const char *version, *commit, *back_ends;
	/* For `repro`: the program's name, and the words that the run does not know of itself
	 * ("--fault NAME"; may be NULL). "--live", "--profile FILE" and "--should fail" it does. */
	const char *program;
	const char *repeat_words;

	void (*progress)(void *arg, const struct run_progress *progress);
	/*
	 * Live, where the command starts the IUTs itself, one at a time: called before each case.
	 * Makes sure that the one of this role runs; *profile is the way to it and outlives the
	 * run. Another profile than before is an IUT that no case has touched. A non-zero answer
	 * with a sentence in why is the case's `error`. NULL: there is one IUT, the profile's.
	 */
	int (*ensure_iut)(void *arg, enum role role, const struct profile **profile,
			  struct text *why);
	void *arg;
	/* Set (by a signal handler) to end the run after what is running was killed. */
	const volatile sig_atomic_t *interrupted;
};

/*
 * Runs the selection. Returns the exit status of design/cli.md; 3 with a sentence in why where the
 * record cannot be written any more (what was finished stays readable), 4 with one for a usage
 * error: nothing was run.
 */
int run(const struct run_world *world, const struct run_options *options, struct run_counts *counts,
	struct text *why);

/*
 * Index and number of an array job from the environment: SLURM_ARRAY_TASK_ID / _COUNT / _MIN,
 * JOB_COMPLETION_INDEX with SPILLWAY_SHARDS (Kubernetes), TEST_SHARD_INDEX / TEST_TOTAL_SHARDS
 * (Bazel), GTEST_SHARD_INDEX / GTEST_TOTAL_SHARDS, CI_NODE_INDEX / CI_NODE_TOTAL (GitLab). True
 * where one is set; a value that makes no sense is -EINVAL in *error with a sentence in why.
 */
bool run_shard_environment(unsigned int *shard, unsigned int *shards, int *error, struct text *why);

/* The seed that a case of a run sees: repetition n has the run's seed + n - 1. */
uint64_t run_case_seed(uint64_t run_seed, const char *id);

/* --- many cases without a record: `faults`, long searches ------------------------------------- */

struct run_job {
	const struct test_case *test;
	struct iut_set faults, variants;
	uint64_t seed; /* as --seed */
};

struct run_outcome {
	enum verdict verdict;
	char reason[512];
	size_t warnings;
	uint64_t iut_us;
};

struct run_batch_options {
	const struct profile *profile; /* virtual */
	bool should_fails;
	unsigned int jobs;	/* processes at a time; 0: as many as processors */
	unsigned int per_child; /* jobs that one process runs one after the other; 0: 16 */
	uint64_t case_limit;	/* us of wall clock for one job; 0: 60 s */
	/* Called for each job, in the order in which they end. False ends the batch. May be NULL.
	 */
	bool (*ended)(void *arg, size_t job, const struct run_outcome *outcome);
	void *arg;
	const volatile sig_atomic_t *interrupted;
};

/*
 * Runs every job in virtual time against the embedded IUT and fills outcomes[0..count-1] (may be
 * NULL where ended is used). A crash is the error of the job that crashed. 0, or a negative errno.
 */
int run_batch(const struct run_world *world, const struct run_batch_options *options,
	      const struct run_job *jobs, size_t count, struct run_outcome *outcomes);

#endif
