/*
 * What stands behind a running case: how it ends, what it has to say, what it may use. The body and
 * the emulation see only tc.h.
 */
#ifndef SPILLWAY_RUNNER_CASE_TC_PRIVATE_H
#define SPILLWAY_RUNNER_CASE_TC_PRIVATE_H

#include <setjmp.h>

#include "runner/case/control.h"
#include "runner/case/stats.h"
#include "runner/case/tc.h"

enum {
	TC_REASON_MAX = 2048,
	TC_DETAIL_MAX = 32768,
	TC_FIGURES_MAX = 32, /* shares of one case, and */
	TC_FIGURE_WORDS = 160,
	TC_LINES_MAX = 64, /* warnings, and notes, of one case */
};

struct tc_lines {
	char *line[TC_LINES_MAX];
	size_t count;
	size_t dropped;
};

struct tc_figure {
	char what[TC_FIGURE_WORDS];
	struct share_test test;
	uint64_t n, k;
};

struct tc_block {
	struct tc_block *next;
	max_align_t data[];
};

struct tc_ending {
	struct tc_ending *next;
	void (*end)(void *arg);
	void *arg;
};

struct tc_private {
	jmp_buf end;
	bool in_body;
	unsigned int waits; /* how many tc_wait are on the stack */
	bool torn; /* left from inside an event: loop and net are not to be touched any more */

	enum verdict verdict;
	bool pending; /* tc_end_later: a wait has to end */
	bool unreachable;
	char reason[TC_REASON_MAX];
	struct tc_lines warnings, notes;
	struct tc_figure figures[TC_FIGURES_MAX]; /* the last ones */
	size_t figure_count;			  /* of all */
	char detail_buf[TC_DETAIL_MAX];
	struct text detail;
	struct tc_block *blocks;
	struct tc_ending *endings;

	struct control *control;
	struct control_action *last; /* whose figures tc_control_figure reads */

	/* The supervisor keeps what is unique in a run; told(arg, ...) hears of each step. */
	uint32_t subscriber, subscriber_end; /* next, and behind the last that may be used */
	uint32_t gnb_id;
	void (*told)(void *arg, char what, const char *text);
	void *told_arg;
};

/* What told() hears of. */
enum {
	TOLD_CONTROL = 'C',    /* an action begins: its words */
	TOLD_SUBSCRIBER = 'U', /* the next free index */
	TOLD_GNB_ID = 'G',     /* the next free id */
	TOLD_STEP = 'S',       /* a line of the ladder, if the run asked for steps */
};

/* Runs the body of t->test to its verdict. t->private is set up but for the jump. */
void tc_run_body(struct tc *t);
/* Frees what the case took by tc_alloc, its lines and its actions. */
void tc_private_clear(struct tc_private *p);

#endif
