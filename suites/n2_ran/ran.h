/*
 * What the cases of n2-ran share: an NG-RAN node under the tester's AMFs, attempts at its radio
 * side, and verdicts on how many of them reach an AMF.
 *
 * "All" and "none" are exact: before any overload the same attempts have all arrived, so the way
 * loses nothing. Shares in between are statistics (design/architecture.md, "Numbers").
 */
#ifndef SPILLWAY_SUITES_N2_RAN_RAN_H
#define SPILLWAY_SUITES_N2_RAN_RAN_H

#include "runner/case/expect_nw.h"
#include "runner/case/stats.h"

/* The tables of the files of this suite; suite.c joins them. */
enum {
	ACTION_CASES = 8,
	REDUCTION_CASES = 5,
	REPLACE_CASES = 10,
	SEVERAL_CASES = 4,
	SLICE_CASES = 9,
	CONNECTED_CASES = 3,
	ERROR_CASES = 7,
	BALANCE_CASES = 8,
};
extern const struct test_case action_cases[ACTION_CASES];
extern const struct test_case reduction_cases[REDUCTION_CASES];
extern const struct test_case replace_cases[REPLACE_CASES];
extern const struct test_case several_cases[SEVERAL_CASES];
extern const struct test_case slice_cases[SLICE_CASES];
extern const struct test_case connected_cases[CONNECTED_CASES];
extern const struct test_case error_cases[ERROR_CASES];
extern const struct test_case balance_cases[BALANCE_CASES];

/* An AMF that the IUT's gNB is set up with. */
struct nw_node *gnb_of_one_amf(struct tc *t);
/* What was sent last has reached the node and is in force: "after settling time" (N2-R-03). */
void settle(struct tc *t);

/*
 * The control action `attempts`; what arrives with another RRC cause than asked for is `error`,
 * since then nothing was offered that could be judged.
 */
__attribute__((format(printf, 2, 3))) struct nw_attempts offer(struct tc *t, const char *format,
							       ...);
/*
 * offer() before overload: all arrives, or the case ends with `error`. Each case begins so: an
 * adapter that offers less than it says could otherwise not be told from a node that refuses.
 */
__attribute__((format(printf, 2, 3))) struct nw_attempts nothing_is_lost(struct tc *t,
									 const char *format, ...);

/* Attempts of which all, or none, reach an AMF; else the requirement of the case is violated. */
__attribute__((format(printf, 3, 4))) void all_are_sent(struct tc *t, const char *why,
							const char *format, ...);
__attribute__((format(printf, 3, 4))) void none_is_sent(struct tc *t, const char *why,
							const char *format, ...);
/*
 * Evidence that a filter is on, where the case is about what it lets through: that nothing of this
 * is refused violates N2-R-01.
 */
__attribute__((format(printf, 2, 3))) void something_is_refused(struct tc *t, const char *format,
								...);

/*
 * The share of attempts that reach an AMF is `stated` (0..1) within 5 points: offers them in steps
 * until that is decided, and says what was offered, sent, the interval, the bound, and whether the
 * test stopped early. count= is added to the arguments.
 */
__attribute__((format(printf, 3, 4))) void share_is_sent(struct tc *t, double stated,
							 const char *format, ...);

/* S-NSSAIs for slice cases: A and B of the profile where it has them, and a third one. */
struct three_slices {
	struct slice a, b, c;
	char a_word[16], b_word[16], c_word[16]; /* as the control action has them */
};
struct three_slices three_slices(struct tc *t);
/* gnb_of_one_amf where the AMF supports all three, and `more` where that is not NULL. */
struct nw_node *gnb_with_slices(struct tc *t, const struct three_slices *slices,
				const struct slice *more);

/* --- held.c: a UE that stays ------------------------------------------------------------------ */

/* A UE of the IUT in CM-CONNECTED, with a UE context in the node. */
struct held {
	struct nw_ue *ue;
	unsigned int number;	     /* for ue=N */
	const struct slice *allowed; /* its Allowed NSSAI */
	size_t allowed_count;
};
/*
 * A UE that requests this NSSAI ("1-010203"; NULL: none). One that has its keys is registered; one
 * that is only a generator of attempts gets a context, a 5G-GUTI, and as Allowed NSSAI `allowed`.
 */
struct held hold_ue(struct tc *t, struct nw_amf *amf, const char *requests,
		    const struct slice *allowed);
/* Uplink NAS of this UE reaches the AMF when it is asked for; false: it does not. */
bool uplink_arrives(struct tc *t, const struct held *held);

#endif
