/*
 * What the cases of n1-backoff share: a UE behind the tester's AMF, sent away with T3346, that is
 * to stay silent and then to come back.
 *
 * Instants count from the sending of the reject; timers have the tolerance of the purposes, 10 % or
 * 2 s, whichever is larger. During a back-off any request of the UE counts, on any connection.
 */
#ifndef SPILLWAY_SUITES_N1_BACKOFF_BACKOFF_H
#define SPILLWAY_SUITES_N1_BACKOFF_BACKOFF_H

#include "runner/case/expect_nw.h"

/* The tables of the files of this suite; suite.c joins them. */
enum {
	START_CASES = 13,
	UNPROTECTED_CASES = 10,
	ABNORMAL_CASES = 6,
	STOP_CASES = 11,
	KEEP_CASES = 16,
	ALLOW_CASES = 7,
	LISTED_CASES = 12,
	BOTH_ACCESS_CASES = 6,
	T3502_CASES = 13,
	EXPIRED_CASES = 3,
};
extern const struct test_case start_cases[START_CASES];
extern const struct test_case unprotected_cases[UNPROTECTED_CASES];
extern const struct test_case abnormal_cases[ABNORMAL_CASES];
extern const struct test_case stop_cases[STOP_CASES];
extern const struct test_case keep_cases[KEEP_CASES];
extern const struct test_case allow_cases[ALLOW_CASES];
extern const struct test_case listed_cases[LISTED_CASES];
extern const struct test_case both_access_cases[BOTH_ACCESS_CASES];
extern const struct test_case t3502_cases[T3502_CASES];
extern const struct test_case expired_cases[EXPIRED_CASES];

/* Timers of TS 24.501 10.2 that the network has not changed. */
#define T3502_DEFAULT (12 * 60 * US_PER_S)
#define T3510	      (15 * US_PER_S)
#define T3511	      (10 * US_PER_S)
#define T3512_DEFAULT (54 * 60 * US_PER_S)

/* --- where a case begins ---------------------------------------------------------------------- */

/* An AMF, the IUT's nodes set up with it, and the IUT's next UE: nothing was asked of it yet. */
struct nw_ue *new_ue(struct tc *t);
/*
 * Registered and CM-IDLE. T3512 is an hour, so that no periodic update falls into a back-off; who
 * says more by nw_registration() says that as well.
 */
struct nw_ue *registered_ue(struct tc *t);
/* Registered over both accesses in the same PLMN, CM-IDLE over both. */
struct nw_ue *ue_on_both_accesses(struct tc *t);

/*
 * nw_amf_start() with the home PLMN alone: a UE that looks for another PLMN after its fifth
 * attempt, as it may (24.501 5.5.1.2.7), finds none.
 */
struct nw_amf *start_home_amf(struct tc *t);
/*
 * At AMFs that were started: the IUT's nodes set up, and the next UE whose REGISTRATION REQUEST for
 * initial registration waits for the case's answer, without these behaviours besides
 * NW_ACCEPT_REGISTRATION. Unless NW_AUTHENTICATE is among them, security has run, and a reject is
 * protected.
 */
struct nw_ue *registering_ue(struct tc *t, unsigned int without);

/* As registered_ue(), with a TAI list of the one TAC where the UE is. na: there is one TAC only. */
struct nw_ue *ue_in_one_area(struct tc *t);
/* It moves into another TAC than that of registration, out of its TAI list. */
void leaves_area(struct tc *t, struct nw_ue *ue);
/*
 * ue_in_one_area() that has left it: the REGISTRATION REQUEST for mobility updating waits for the
 * case's answer; NW_ACCEPT_REGISTRATION is off.
 */
struct nw_ue *updating_ue(struct tc *t);

/* T3512 of registered_ue(), for nw_registration(). */
#define T3512_OF_CASES TIMER(3600)

/* --- the reject ------------------------------------------------------------------------------- */

/* What the network has told a UE: not to come for this long. */
struct back_off {
	uint64_t from; /* loop time of the reject's sending */
	uint64_t us;
};

/*
 * nw_reject(), and returns when the UE is CM-IDLE and has had the time to understand: a control
 * action would otherwise overtake the reject. What the UE sends meanwhile is kept for the
 * expectation that follows. Returns the instant of sending.
 */
#define reject(t, ue, ...) reject_with((t), (ue), NW_OPTIONS(__VA_ARGS__))
uint64_t reject_with(struct tc *t, struct nw_ue *ue, const struct nw_options *options);
/* Waits as reject() does, for what was sent last. */
void settled(struct tc *t, struct nw_ue *ue);

/*
 * Condition "R" of the purposes: the UE wants to send data (and goes on wanting it), its SERVICE
 * REQUEST is answered by SERVICE REJECT with cause 22 and this T3346, integrity protected. From
 * then on the network serves it again.
 */
struct back_off back_off(struct tc *t, struct nw_ue *ue, uint32_t seconds);
/* The same with any coding of that many seconds. */
struct back_off back_off_of(struct tc *t, struct nw_ue *ue, struct nw_timer t3346,
			    uint32_t seconds);
/* The same when the request is there already, whatever it is for. */
struct back_off sent_away(struct tc *t, struct nw_ue *ue, uint32_t seconds);

/* --- and its end ------------------------------------------------------------------------------ */

/* No request until T3346 is over (less the tolerance); returns then. */
#define silence(t, ue, back_off, ...) \
	expect_silence((t), (ue), (back_off).from, (back_off).us, __VA_ARGS__)
/* Silence, and at the expiry (+- tolerance) the request. */
#define due(t, ue, back_off, ...) \
	expect_after((t), (ue), (back_off).from, (back_off).us, __VA_ARGS__)
/* A reject without a usable T3346, sent then: the next attempt comes after T3511, and waits. */
void retried(struct tc *t, struct nw_ue *ue, uint64_t sent, enum reg_type type);
/*
 * Five attempts are rejected like this, the first of which has come already; between them is T3511.
 * Returns the instant of the fifth reject.
 */
uint64_t five_failures(struct tc *t, struct nw_ue *ue, enum reg_type type,
		       const struct nw_options *options);
/* The request that has come is served; no second REGISTRATION REQUEST follows. */
void comes_once(struct tc *t, struct nw_ue *ue);

#endif
