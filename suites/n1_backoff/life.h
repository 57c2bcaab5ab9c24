/*
 * What happens to a UE while T3346 runs, and how one sees that it runs no longer: for the cases
 * that are about the life of the timer and about what may be sent meanwhile.
 *
 * A request proves that T3346 was stopped only while it would still run: what comes so late that
 * expiry explains it as well is inconc.
 */
#ifndef SPILLWAY_SUITES_N1_BACKOFF_LIFE_H
#define SPILLWAY_SUITES_N1_BACKOFF_LIFE_H

#include "suites/n1_backoff/backoff.h"

/* --- where a case begins ---------------------------------------------------------------------- */

/*
 * R without the need: the user has given up, and whatever comes has a cause of its own. Returns 3 s
 * after the reject, in which nothing came.
 */
struct back_off back_off_in_peace(struct tc *t, struct nw_ue *ue, uint32_t seconds);
void wants_no_data(struct tc *t, struct nw_ue *ue);
/*
 * CM-CONNECTED although T3346 runs, and until nw_idle(), by what the profile claims of the
 * exemptions: a change of the PS data off status, emergency services fallback, an emergency call.
 * inconc: not to be had.
 */
void connected_by_exemption(struct tc *t, struct nw_ue *ue);

/* The UE's AMF has a node of this kind: na where not. */
struct nw_node *node_of_kind(struct nw_ue *ue, enum node_kind kind);
/* The first of the profile's PLMNs that are not equivalent to its own: na where there is none. */
const struct plmn *other_plmn(struct tc *t);
const struct plmn *equivalent_plmn(struct tc *t);
/* "ue-move" into the profile's first TAC in this PLMN. */
void moves_to(struct tc *t, struct nw_ue *ue, const struct plmn *plmn, bool equivalent);
/* The PLMN that the message says it came from. */
bool came_from(const struct nas_received *m, const struct plmn *plmn);

/* --- what is looked for ----------------------------------------------------------------------- */

/* The request, within the response time, and while T3346 of the back-off would still run. */
#define at_once(t, ue, back_off, ...) \
	at_once_with((t), (ue), &(back_off), NW_EXPECTATION(__VA_ARGS__))
const struct nas_received *at_once_with(struct tc *t, struct nw_ue *ue,
					const struct back_off *back_off,
					const struct nw_expectation *expectation);
/* No request until this long after the reject. */
void quiet_until(struct tc *t, struct nw_ue *ue, const struct back_off *back_off, uint64_t us);

#endif
