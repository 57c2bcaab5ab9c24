/*
 * What the cases of n1-congestion share: congesting an AMF, the negative control that shows that it
 * is congested, and the form of a reject for congestion.
 */
#ifndef SPILLWAY_SUITES_N1_CONGESTION_CONGESTION_H
#define SPILLWAY_SUITES_N1_CONGESTION_CONGESTION_H

#include "runner/case/expect.h"

/* The tables of the files of this suite; suite.c joins them. */
enum {
	EXEMPT_REQUEST_CASES = 9,
	EXEMPT_SITUATION_CASES = 13,
	EXEMPT_MORE_CASES = 13,
	REJECT_CASES = 6,
	REJECT_BOUNDS_CASES = 10,
	CODE_CASES = 4,
	DESYNC_CASES = 3,
	NEIGHBOUR_CASES = 3,
	BEHIND_CASES = 9,
	BEHIND_LOAD_CASES = 2,
};
extern const struct test_case exempt_request_cases[EXEMPT_REQUEST_CASES];
extern const struct test_case exempt_situation_cases[EXEMPT_SITUATION_CASES];
extern const struct test_case exempt_more_cases[EXEMPT_MORE_CASES];
extern const struct test_case reject_cases[REJECT_CASES];
extern const struct test_case reject_bounds_cases[REJECT_BOUNDS_CASES];
extern const struct test_case code_cases[CODE_CASES];
extern const struct test_case desync_cases[DESYNC_CASES];
extern const struct test_case neighbour_cases[NEIGHBOUR_CASES];
extern const struct test_case behind_cases[BEHIND_CASES];
extern const struct test_case behind_load_cases[BEHIND_LOAD_CASES];

/*
 * The negative control: two normal UEs whose mobile originated service requests a congested AMF
 * rejects, one before the request that the case is about, one after it.
 */
struct control {
	struct ue *before, *after;
};
/* Registers both; before congestion. */
struct control control_ues(struct gnb *gnb);

/*
 * Control action nas-congestion; waits until the first control UE is rejected with cause 22, at
 * most the response time, else the case is inconc.
 */
void congest(struct tc *t, const struct control *control);
/* The same without verdict: false where the UE is still served when the response time is over. */
bool congestion_begins(struct tc *t, struct ue *ue);
/* Only the waiting, after an action of the case's own. */
void await_congestion(struct tc *t, const struct control *control);
/* The second control UE is rejected as well, else the case is inconc. */
void still_congested(struct tc *t, const struct control *control);

/* Control action nas-congestion without negative control: where its reject is what is judged. */
void order_congestion(struct tc *t);
/*
 * With this T3346 for every UE. False where the adapter has no `spread`: then the IUT may put its
 * own jitter on top. na where it does not let the value be set.
 */
bool order_exact_t3346(struct tc *t, uint32_t seconds);
void end_congestion(struct tc *t);
/*
 * Waits until the end shows: a service request of this UE is served, or the response time is over
 * (an AMF may remember whom it sent into back-off). No verdict.
 */
void await_end(struct tc *t, struct ue *ue);

/*
 * A service request of type data from CM-IDLE, and the SERVICE REJECT that it gets. A request that
 * is served is repeated for the response time, in which the congestion has to begin; then the case
 * is inconc: a congested AMF may serve it. An accept right after the reject violates the case.
 */
const struct nas_received *rejected_service_request(struct tc *t, struct ue *ue);
/* The same for a registration of this type. */
const struct nas_received *rejected_registration(struct tc *t, struct ue *ue, enum reg_type type);

/*
 * Judges a reject for congestion (24.501 5.5.1.2.5, 5.5.1.3.5, 5.6.1.5, 9.11.2.4): cause 22, and a
 * T3346 of one octet that starts the timer. A violation ends the case.
 */
struct timer_ie congestion_reject(struct tc *t, const struct nas_received *reject);
/* N1-A-32: a reject to a UE with a security context is integrity protected. */
void judge_protection(struct tc *t, const struct nas_received *reject);
/* The same, of an AMF that chose T3346 itself: outside the profile's range is a warning. */
void default_reject(struct tc *t, const struct nas_received *reject);
/* Only the T3346 of it. */
struct timer_ie judged_t3346(struct tc *t, const struct nas_received *m);

/*
 * The answer to a request that is not to be rejected for congestion; nor is the accept withdrawn at
 * once by a reject, or by a release for overload.
 */
const struct nas_received *served(struct tc *t, struct ue *ue, enum mm_message accept);

/* A new UE that has registered for emergency services and is CM-CONNECTED. */
struct ue *emergency_ue(struct tc *t, struct gnb *gnb);

/*
 * The 5GSM message that answers the one that the UE sent last, for this PDU session. What the AMF
 * sends back instead of forwarding it (DL NAS TRANSPORT with a 5GMM cause), and silence, violate
 * the case.
 */
const struct nas_msg *session_answer(struct tc *t, struct ue *ue, uint8_t psi);

#endif
