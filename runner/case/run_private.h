/*
 * The state of a run, shared by the part that runs cases and the part that opens and closes the
 * record.
 */
#ifndef SPILLWAY_RUNNER_CASE_RUN_PRIVATE_H
#define SPILLWAY_RUNNER_CASE_RUN_PRIVATE_H

#include "runner/case/baseline.h"
#include "runner/case/case_child.h"
#include "runner/case/journal.h"
#include "runner/case/run.h"
#include "runner/case/undo.h"

enum { ROLES = ROLE_NRF + 1 };

/* A place for one case at a time. */
struct run_state;

struct slot {
	struct run_state *run;
	struct child *child;
	const struct run_selected *item; /* NULL: free */
	unsigned int repetition;
	uint64_t seed;	    /* as --seed */
	char path[4096];    /* of the evidence; "" where there is no record */
	char relative[512]; /* the same from the record's folder */
	bool budgeted;	    /* its deadline is the end of the run's budget */
	struct case_report report;
};

struct run_state {
	const struct run_world *world;
	const struct run_options *options;
	const struct profile *profile;
	struct profile *builtin[ROLES]; /* for cases of other roles than the profile's */
	struct run_counts *counts;
	struct text *why;

	struct run_selection selection;
	unsigned int repeat; /* 0: without end */
	struct baseline baseline;
	struct journal journal;
	bool has_journal;
	struct results old; /* of a resumed record */
	char *began;	    /* when the run, or the one that it resumes, began */
	unsigned int shard, shards;
	json_t *globs;	  /* of the whole record, with those of a resumed run */
	json_t *cases;	  /* {suite: [id...]} that the record is to hold */
	json_t *left_out; /* the same, for --max-duration */
	char not_put_back[1024];
	uint64_t old_seed;
	bool has_old_seed;

	uint64_t started, max_duration;
	bool should_fails;
	unsigned int jobs;
	struct child *children;
	struct slot *slots;
	size_t next;  /* over selection and repetitions */
	bool failed;  /* --until-fail has its failure */
	bool stopped; /* the record cannot be written: why is set */

	/* live: of the IUT that is reached by this profile */
	const struct profile *facing;
	uint32_t subscriber, gnb_id;
	bool iut_seen;
	char unreachable[1024];
	struct undo undo;
	bool undo_needed;	  /* a case was run: what is due is no guess any more */
	unsigned int undo_failed; /* times in a row */
};

/* Checks the options, selects, opens the record. 0, or the exit status with run->why set. */
int run_prepare(struct run_state *run);
/* Whether a resumed record has this case already. */
bool run_done_before(const struct run_state *run, const char *id, unsigned int repetition);
/* The record cannot be written any more. */
void run_stopped(struct run_state *run, int error);
/* After the last case of a live run. */
void run_put_back(struct run_state *run);
/* Writes the end of the record; the exit status. */
int run_conclude(struct run_state *run);
void run_clear(struct run_state *run);

/* A word for a shell. */
void run_quote(const char *word, struct text *out);

#endif
