/*
 * One case on its stage, in this process: loop, record, network, the embedded IUT where the run is
 * virtual, the adapter, and then the body. Whoever calls this has forked before, or does not mind
 * what a crash costs.
 */
#ifndef SPILLWAY_RUNNER_CASE_STAGE_H
#define SPILLWAY_RUNNER_CASE_STAGE_H

#include "runner/case/run.h"
#include "runner/case/tc_private.h"

struct stage_options {
	const struct run_world *world;
	const struct test_case *test;
	const struct profile *profile;
	bool should_fails;
	struct iut_set faults, variants;
	uint64_t seed;	 /* as --seed */
	const char *dir; /* of the evidence; NULL: none */
	enum record_level log_level;
	uint32_t subscriber, gnb_id; /* the first that are free */
	void (*told)(void *arg, char what, const char *text);
	void *told_arg;
	/* Hears each step of the case; NULL: nobody wants to. */
	void (*step)(void *arg, const char *line);
	void *step_arg;
	bool steps; /* as asked for by the run */
};

struct stage {
	struct stage_options options;
	struct profile profile; /* as the case sees it; owns nothing */
	struct tc tc;
	struct tc_private private;
	struct sim_network *sim;
	struct net *iut_net;
	const struct iut_ops *ops;
	struct iut *iut;
	bool touched;	  /* the IUT may have seen something of it */
	int record_error; /* negative errno of the first write that failed */
	uint64_t iut_us;
	char ladder[16384]; /* the last messages; empty for pass and na */
};

/* Runs the case to its verdict and takes everything down again. */
void stage_run(struct stage *stage, const struct stage_options *options);
/* The outcome as a result; its strings are copies. false without memory. */
bool stage_result(const struct stage *stage, struct result *result);
void stage_clear(struct stage *stage);

#endif
