/*
 * Many cases without a record: the kill matrix and searches over seeds. A fork costs more than most
 * cases do, so one process runs several jobs, each on a stage of its own; a crash costs the job
 * that crashed, and the rest of its share goes to a new process.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/case/case_child.h"

enum {
	PER_CHILD = 16,
	CHILDREN_MAX = 64,
	SAY_BEGIN = 'B',   /* of a job: its number */
	SAY_OUTCOME = 'O', /* VERDICT IUT_US WARNINGS REASON */
};

struct share {
	struct batch *batch;
	struct child *child;
	size_t from, to; /* jobs of this process; from moves on */
	bool busy;
};

struct batch {
	const struct run_world *world;
	const struct run_batch_options *options;
	const struct run_job *jobs;
	size_t count;
	struct run_outcome *outcomes;
	uint64_t limit;
	size_t next;
	bool over;
};

static void say_outcome(int fd, const struct stage *stage)
{
	const struct tc_private *p = &stage->private;
	char line[768];

	snprintf(line, sizeof(line), "%d %llu %zu %.500s", (int)p->verdict,
		 (unsigned long long)stage->iut_us, p->warnings.count + p->warnings.dropped,
		 p->reason);
	child_say(fd, SAY_OUTCOME, line);
}

static void body(int fd, void *arg)
{
	const struct share *share = arg;
	const struct batch *batch = share->batch;
	struct stage *stage = malloc(sizeof(*stage));

	if (!stage)
		_exit(1);
	for (size_t i = share->from; i < share->to; i++) {
		const struct run_job *job = &batch->jobs[i];
		struct stage_options options = {
			.world = batch->world,
			.test = job->test,
			.profile = batch->options->profile,
			.should_fails = batch->options->should_fails,
			.faults = job->faults,
			.variants = job->variants,
			.seed = job->seed,
			.log_level = RECORD_ERROR,
		};

		child_say(fd, SAY_BEGIN, "");
		stage_run(stage, &options);
		say_outcome(fd, stage);
		stage_clear(stage);
	}
	free(stage);
}

static void settle(struct batch *batch, size_t job, const struct run_outcome *outcome)
{
	if (batch->outcomes)
		batch->outcomes[job] = *outcome;
	if (batch->options->ended && !batch->options->ended(batch->options->arg, job, outcome))
		batch->over = true;
}

static void hear(struct child *child, char *line, size_t len)
{
	struct share *share = child->arg;
	struct run_outcome outcome = { 0 };
	unsigned long verdict;
	char *rest;

	(void)len;
	if (line[0] == SAY_BEGIN) {
		/* each job has the time to itself */
		child->deadline = child_now() + share->batch->limit;
		return;
	}
	if (line[0] != SAY_OUTCOME || share->from >= share->to)
		return;
	verdict = strtoul(line + 1, &rest, 10);
	outcome.verdict = verdict <= VERDICT_NA ? (enum verdict)verdict : VERDICT_ERROR;
	outcome.iut_us = strtoull(rest, &rest, 10);
	outcome.warnings = strtoul(rest, &rest, 10);
	snprintf(outcome.reason, sizeof(outcome.reason), "%s", rest + strspn(rest, " "));
	settle(share->batch, share->from++, &outcome);
}

/* Hands the next jobs to the process of this share; false where there are none. */
static bool start(struct share *share, int *error)
{
	struct batch *batch = share->batch;
	size_t per_child = batch->options->per_child ? batch->options->per_child : PER_CHILD;

	if (share->from == share->to) {
		if (batch->over || batch->next == batch->count)
			return false;
		share->from = batch->next;
		share->to = batch->count - share->from < per_child ? batch->count
								   : share->from + per_child;
		batch->next = share->to;
	}
	*error = child_start(share->child, body, share, batch->limit);
	share->busy = *error == 0;
	return share->busy;
}

/* The process is gone: what it did not finish is an error, and the rest goes on in another. */
static void ended(struct share *share)
{
	struct run_outcome outcome = { .verdict = VERDICT_ERROR };
	struct text reason;

	share->busy = false;
	if (share->from == share->to)
		return;
	text_init(&reason, outcome.reason, sizeof(outcome.reason));
	child_death(share->child, &reason);
	settle(share->batch, share->from++, &outcome);
}

int run_batch(const struct run_world *world, const struct run_batch_options *options,
	      const struct run_job *jobs, size_t count, struct run_outcome *outcomes)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t n = options->jobs ? options->jobs : processors > 0 ? (size_t)processors : 1;
	struct child children[CHILDREN_MAX] = { 0 };
	struct share shares[CHILDREN_MAX] = { 0 };
	struct batch batch = {
		.world = world,
		.options = options,
		.jobs = jobs,
		.count = count,
		.outcomes = outcomes,
		.limit = options->case_limit ? options->case_limit : 60 * US_PER_S,
	};
	int error = 0;

	if (options->profile->live)
		return -EINVAL;
	if (n > CHILDREN_MAX)
		n = CHILDREN_MAX;
	for (size_t i = 0; i < n; i++) {
		shares[i].batch = &batch;
		shares[i].child = &children[i];
		children[i].arg = &shares[i];
		children[i].line = hear;
		if (!start(&shares[i], &error))
			break;
	}
	while (!error) {
		struct child *child = child_wait(children, n, options->interrupted);
		struct share *share;

		if (!child) {
			if (options->interrupted && *options->interrupted)
				error = -EINTR;
			break;
		}
		share = child->arg;
		ended(share);
		if (!batch.over)
			start(share, &error);
	}
	for (size_t i = 0; i < n; i++)
		child_kill(&children[i]);
	return error;
}
