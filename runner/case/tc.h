/*
 * A test case: data plus a short, straight sequential body.
 *
 * The body runs in a process of its own, forked before any loop, socket or thread. It waits by
 * running the loop until a condition or a deadline. Every function marked noreturn ends the case:
 * it leaves the body by longjmp, so a body owns nothing that would have to be released.
 */
#ifndef SPILLWAY_RUNNER_CASE_TC_H
#define SPILLWAY_RUNNER_CASE_TC_H

#include <stdarg.h>
#include <stdnoreturn.h>

#include "codecs/text.h"
#include "runner/case/iut.h"
#include "runner/case/profile.h"
#include "runner/core/loop.h"
#include "runner/core/random.h"
#include "runner/core/record.h"
#include "runner/net/link.h"

/* As in TTCN-3: a verdict never improves. VERDICT_NA stands beside the order. */
enum verdict {
	VERDICT_NONE,
	VERDICT_PASS,
	VERDICT_INCONC,
	VERDICT_FAIL,
	VERDICT_ERROR,
	VERDICT_NA,
};
const char *verdict_name(enum verdict verdict);

/* The verb of the standard's text. */
enum strength {
	SHALL,	/* shall, or indicative text: a violation is FAIL */
	SHOULD, /* a violation is a warning, FAIL where the profile or --should says so */
	MAY,	/* tolerated: the case reports, or serves as a baseline */
};

struct tc;

struct test_case {
	const char *id;		 /* the test purpose's id: "TP/N1/AMF/EXEMPT/01" */
	const char *requirement; /* "N1-A-02" */
	const char *clause;	 /* "24.501 5.3.9 a" */
	enum strength strength;
	enum role role;
	const char *purpose;  /* one sentence */
	const char *stimulus; /* one sentence */
	const char *expect;   /* one sentence */
	uint64_t needs;	      /* NEEDS(ICS_...) | ... */
	uint64_t iut_time_us; /* estimated time of the IUT; 0: below a second */
	/* The same where it follows from timers of the profile; NULL: iut_time_us is it. */
	uint64_t (*iut_time)(const struct profile *profile);
	void (*run)(struct tc *t);
	int param; /* cases that differ in a value are one body and a table */
};

static inline uint64_t case_iut_time(const struct test_case *test, const struct profile *profile)
{
	return test->iut_time ? test->iut_time(profile) : test->iut_time_us;
}

/* The cases of one file of a suite: entry and body stand together there. */
struct case_group {
	const struct test_case *cases;
	size_t count;
};

struct suite {
	const char *name; /* "n1-congestion" */
	const struct case_group *groups;
	size_t group_count;
	/* Rows of the catalogue for this role that no case covers, with the reason. */
	const struct not_tested {
		const char *requirement;
		const char *reason;
	} * not_tested;
	size_t not_tested_count;
};

/* The i-th case over all groups; NULL past the last one. */
static inline const struct test_case *suite_case(const struct suite *suite, size_t i)
{
	for (size_t g = 0; g < suite->group_count; g++) {
		if (i < suite->groups[g].count)
			return &suite->groups[g].cases[i];
		i -= suite->groups[g].count;
	}
	return NULL;
}

struct tc {
	const struct test_case *test;
	const struct profile *profile;
	struct loop *loop;
	struct record *record;
	struct net *net;      /* the tester's side */
	struct random random; /* stream of this case */
	uint64_t seed;
	bool iut_answered;	     /* set by the emulation at the first message from the IUT */
	struct emulation *emulation; /* the tester's network elements; NULL before the first one */
	struct tc_private *private;
};

/* The next subscriber that no other case of this run uses: an index from 0 into
 * profile->subscribers. */
uint32_t tc_subscriber(struct tc *t);
/*
 * The same where the UEs are the IUT's: the index of the next UE that no other case of this run
 * uses. An IUT has as many as it has: past the last one it begins anew.
 */
uint32_t tc_iut_ue(struct tc *t);
/* An NG-RAN node id (below 2^22) that no other case of this run uses. */
uint32_t tc_gnb_id(struct tc *t);
/*
 * Cleared memory that lives as long as the case; a body, and an emulation, never free it. Timers
 * in it need not be stopped at the end. Out of memory ends the case with error.
 */
void *tc_alloc(struct tc *t, size_t size);

/*
 * Called when the case is over, before loop and nets go; not where the case was left from inside an
 * event, when nothing can be taken down in order any more. The last that was asked for goes first.
 */
void tc_at_end(struct tc *t, void (*take_down)(void *arg), void *arg);

/* --- verdicts ------------------------------------------------------------------------------- */

/* The case is over and the IUT did what the case is about. Falling off the body's end is the same.
 */
noreturn void tc_pass(struct tc *t);
__attribute__((format(printf, 2, 3))) noreturn void tc_fail(struct tc *t, const char *format, ...);
__attribute__((format(printf, 2, 3))) noreturn void tc_inconc(struct tc *t, const char *format,
							      ...);
__attribute__((format(printf, 2, 3))) noreturn void tc_na(struct tc *t, const char *format, ...);
/* The rig broke; never the IUT's fault. */
__attribute__((format(printf, 2, 3))) noreturn void tc_error(struct tc *t, const char *format, ...);

/*
 * The requirement of the case is violated: FAIL, or for a SHOULD a warning on a pass (FAIL where
 * the policy raises it). Ends the case.
 */
__attribute__((format(printf, 2, 3))) noreturn void tc_violation(struct tc *t, const char *format,
								 ...);
/* A side condition of strength should is violated: a warning; ends with FAIL where the policy
 * raises it. */
__attribute__((format(printf, 3, 4))) void tc_should(struct tc *t, const char *requirement,
						     const char *format, ...);
/* A figure or observation for the record and the verdict's text; no judgement. */
__attribute__((format(printf, 2, 3))) void tc_note(struct tc *t, const char *format, ...);
struct share_test;
/*
 * A share that a verdict rests on: k of n (stats.h). Prints it as share_print() does, and keeps it
 * as a figure of the result, from which reports draw it. what says in words of whom, or of what.
 */
void tc_share(struct tc *t, const char *what, const struct share_test *test, uint64_t n, uint64_t k,
	      struct text *text);
/* Text (several lines: expected against received, field by field) that is printed with the verdict.
 */
void tc_detail(struct tc *t, const char *text);

/*
 * The IUT is silent where an answer is due, or dropped the association unasked: error before its
 * first answer, fail after it (with the last stimulus as evidence).
 */
__attribute__((format(printf, 2, 3))) noreturn void tc_iut_dead(struct tc *t, const char *format,
								...);

/*
 * The IUT cannot be reached at all: error with address and reason. Before any answer of the IUT,
 * the rest of a live run gets the same error without trying again.
 */
__attribute__((format(printf, 2, 3))) noreturn void tc_unreachable(struct tc *t, const char *format,
								   ...);

/* --- waiting -------------------------------------------------------------------------------- */

/* Runs the loop until done(arg), at most for so many us. Returns whether it came true. */
bool tc_wait(struct tc *t, uint64_t us, loop_condition *done, void *arg);
/*
 * The same, and the message ladder shows when it began and how it ended: owner is the element that
 * waits ("ue1"), name that of the timer in the standards, or what is waited for ("silence").
 */
bool tc_wait_shown(struct tc *t, const char *owner, const char *name, uint64_t us,
		   loop_condition *done, void *arg);
/* The same where it is to come true, as by an answer: shown only where it does not. */
bool tc_wait_answer(struct tc *t, const char *owner, const char *name, uint64_t us,
		    loop_condition *done, void *arg);
/* Lets a timer run out, which the message ladder shows by its name. */
void tc_timer(struct tc *t, const char *owner, const char *name, uint64_t us);
void tc_timer_until(struct tc *t, const char *owner, const char *name, uint64_t time);
/* Lets time pass; from a second on the message ladder shows it. */
void tc_sleep(struct tc *t, uint64_t us);
/* The same until this loop time, if it is still to come. */
void tc_sleep_until(struct tc *t, uint64_t time);
/*
 * A part that cannot know whether it is inside a wait (a message callback) ends the case with this:
 * the verdict is kept and taken when the wait returns.
 */
__attribute__((format(printf, 3, 4))) void tc_end_later(struct tc *t, enum verdict verdict,
							const char *format, ...);

/* --- moving the IUT ------------------------------------------------------------------------- */

/*
 * One control action, printf-like: "nas-congestion state=on t3346=%u". Waits until it is done (the
 * loop runs meanwhile). Not supported ends the case with na, failed with error. The supervisor
 * undoes it afterwards.
 */
__attribute__((format(printf, 2, 3))) void tc_control(struct tc *t, const char *format, ...);
/* As tc_control, but returns false where the adapter does not support it. */
__attribute__((format(printf, 2, 3))) bool tc_control_try(struct tc *t, const char *format, ...);
/* Member of the JSON object that the last action returned; false where it is absent or no number.
 */
bool tc_control_figure(struct tc *t, const char *member, double *value);
/* The whole object as text, "" where there was none. */
const char *tc_control_reply(struct tc *t);

struct control_action;
/*
 * Starts an action and goes on: for those that take time ("duration=60"). tc_control_finish waits
 * for it and ends the case as tc_control does; the figures are then its own.
 */
__attribute__((format(printf, 2, 3))) struct control_action *
tc_control_start(struct tc *t, const char *format, ...);
void tc_control_finish(struct tc *t, struct control_action *action);

#endif
