/*
 * What the cases of n1-reachability share: the timers that the AMF is told to supervise its UEs by,
 * a back-off that they have to outlast, and how a UE finds out whether the AMF still knows it.
 */
#ifndef SPILLWAY_SUITES_N1_REACHABILITY_SUPERVISION_H
#define SPILLWAY_SUITES_N1_REACHABILITY_SUPERVISION_H

#include "runner/case/expect.h"

/* The tables of the files of this suite; suite.c joins them. */
enum {
	BACK_OFF_CASES = 8,
	EXPIRY_CASES = 5,
	CONNECTION_CASES = 3,
	ACCESS_CASES = 4,
};
extern const struct test_case back_off_cases[BACK_OFF_CASES];
extern const struct test_case expiry_cases[EXPIRY_CASES];
extern const struct test_case connection_cases[CONNECTION_CASES];
extern const struct test_case access_cases[ACCESS_CASES];

/* --- time ------------------------------------------------------------------------------------ */

/* Timers of the AMF, in us. What the profile leaves open has the default, T3512 + 4 min. */
struct supervision {
	uint64_t t3512, reachable, implicit;
};
struct supervision supervision_of(const struct profile *profile);
/* Both timers together: from the release of a UE to its implicit de-registration. */
uint64_t supervised_time(const struct supervision *supervision);
/* When something that is due after so many us is over for certain: 10 %, at least 2 s, later. */
uint64_t late_end(uint64_t us);
/* A T3346 that exceeds both timers by half; the shortest that exceeds them at all. */
uint64_t long_back_off(const struct profile *profile);
uint64_t least_back_off(const struct profile *profile);

/* Until this loop time. */
void silent_until(struct tc *t, uint64_t instant);

/*
 * Configures the AMF so (control action timers). One without that action has the timers that the
 * profile names.
 */
struct supervision order_supervision(struct tc *t);

/* --- back-off -------------------------------------------------------------------------------- */

/* A T3346 that a UE was sent, and when: loop times and length in us. */
struct back_off {
	uint64_t asked; /* the request was sent */
	uint64_t told;	/* T3346 arrived: the UE's timer starts */
	uint64_t t3346;
};

/* Control action nas-congestion with this T3346, exact where the adapter can have it so. */
void begin_back_off(struct tc *t, uint64_t t3346);
void end_back_off(struct tc *t);

/*
 * A request from CM-IDLE that is rejected with cause 22 and T3346, and the UE is CM-IDLE again. A
 * request that is served is repeated for the response time; then the case is inconc. type 0 is a
 * SERVICE REQUEST.
 */
struct back_off back_off_by_reject(struct tc *t, struct ue *ue, enum reg_type type);
/*
 * DEREGISTRATION REQUEST of the network over this node, for its access only, with T3346. Ends with
 * inconc where the AMF does not send it so.
 */
struct back_off back_off_by_deregistration(struct tc *t, struct ue *ue, struct gnb *via,
					   uint64_t t3346);

/* The case is about a back-off of more than so many us; inconc where it is not. */
void needs_back_off(struct tc *t, const struct back_off *back_off, uint64_t above);

/* --- is the UE still registered? ------------------------------------------------------------- */

enum context {
	CONTEXT_KNOWN, /* SERVICE ACCEPT, or a protected reject for congestion */
	CONTEXT_GONE,  /* SERVICE REJECT with cause 9 or 10 */
	CONTEXT_UNCLEAR,
};

/* SERVICE REQUEST with the UE's 5G-S-TMSI, over its default node or via. */
enum context ask_whether_known(struct tc *t, struct ue *ue, struct gnb *via);

/* The AMF must know the UE; that it does not violates the case. format says when that is. */
__attribute__((format(printf, 4, 5))) void judge_known(struct tc *t, struct ue *ue, struct gnb *via,
						       const char *format, ...);

/*
 * Served after the end of congestion, and CM-IDLE again. A request that is rejected for congestion
 * is repeated for the response time (its T3346 is a back-off of its own); then the case is inconc.
 */
void served_again(struct tc *t, struct ue *ue);

/*
 * Two UEs have been idle (over via, NULL: their default node) at the latest since then, and due us
 * later they are implicitly de-registered. Later is a warning. Never is a violation: the second UE
 * asks only where the first one was known for too long, after three times as long.
 */
void judge_removed(struct tc *t, struct ue *const ues[2], struct gnb *via, uint64_t since,
		   uint64_t due);

#endif
