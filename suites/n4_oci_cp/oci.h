/*
 * What the cases of n4-oci-cp share: a CP function under the tester's UP functions, procedures
 * offered at its upper side, and verdicts on how many of their requests reach a UP function.
 *
 * What came on the wire decides; what the adapter says is checked against it. "All" and "none" are
 * exact: before any overload the same procedures have all arrived, so the way loses nothing. Shares
 * in between are statistics (design/architecture.md, "Numbers").
 */
#ifndef SPILLWAY_SUITES_N4_OCI_CP_OCI_H
#define SPILLWAY_SUITES_N4_OCI_CP_OCI_H

#include "runner/case/expect_pfcp.h"
#include "runner/case/stats.h"
#include "runner/emulation/upf.h"

/* The tables of the files of this suite; suite.c joins them. */
enum {
	LOSS_CASES = 6,
	LOSS_MORE_CASES = 11,
	SEQUENCE_CASES = 7,
	VALIDITY_CASES = 11,
	ENCODING_CASES = 6,
	SCOPE_CASES = 7,
	PRIORITY_CASES = 5,
	LOAD_CASES = 5,
};
extern const struct test_case cp_loss_cases[LOSS_CASES];
extern const struct test_case cp_loss_more_cases[LOSS_MORE_CASES];
extern const struct test_case cp_sequence_cases[SEQUENCE_CASES];
extern const struct test_case cp_validity_cases[VALIDITY_CASES];
extern const struct test_case cp_encoding_cases[ENCODING_CASES];
extern const struct test_case cp_scope_cases[SCOPE_CASES];
extern const struct test_case cp_priority_cases[PRIORITY_CASES];
extern const struct test_case cp_load_cases[LOAD_CASES];

/* Long enough for any number of requests that is offered at one point. */
#define LONG_VALIDITY UPF_SECONDS(1800)

/* What modifications are offered as; oci_share_sent adds count=. */
#define MODIFY "op=modify rate=500"

/* upf_iut_associates, and the responses have had time to arrive. */
void oci_associate(struct tc *t);
/* upf_restart likewise. */
void oci_restart(struct upf *upf);
/*
 * A UP function that the IUT is associated with, and sessions there. What the adapter says of
 * establishments and modifications was held against the wire: before overload all of them come.
 */
struct upf *oci_upf(struct tc *t);
/* count sessions more at this UP function; all of them come, or the case ends with `error`. */
void oci_establish(struct tc *t, const struct upf *upf, unsigned int count);

/* The current information of upf_oci or upf_lci reaches the IUT, and has had time to work. */
void oci_tell(struct upf *upf);
void oci_settle(struct tc *t);

/* As upf_offer; procedures that were neither sent nor failed upwards are noted. */
__attribute__((format(printf, 2, 3))) struct upf_offered oci_offer(struct tc *t, const char *format,
								   ...);
/* Procedures of which all, or none, are sent; else the requirement of the case is violated. */
__attribute__((format(printf, 3, 4))) void oci_all_sent(struct tc *t, const char *why,
							const char *format, ...);
__attribute__((format(printf, 3, 4))) void oci_none_sent(struct tc *t, const char *why,
							 const char *format, ...);
/*
 * Evidence that the IUT acts on OCI, where the case is about something else: that nothing of this
 * is shed violates N4-C-02.
 */
__attribute__((format(printf, 2, 3))) void oci_something_shed(struct tc *t, const char *format,
							      ...);
/*
 * The share of procedures whose requests are sent is `stated` (0..1) within 5 points: offers them
 * in steps until that is decided, and says what was offered, sent, the interval and the bound.
 * count= is added to the arguments.
 */
__attribute__((format(printf, 3, 4))) void oci_share_sent(struct tc *t, double stated,
							  const char *format, ...);
/*
 * The same for so many procedures at once, where time does not allow more: a violation where the
 * share is rejected. why says which moment this is.
 */
__attribute__((format(printf, 4, 5))) void
oci_share_of_these(struct tc *t, double stated, const char *why, const char *format, ...);
/* And for what was offered in several parts. */
void oci_judge(struct tc *t, double stated, const char *why, const struct upf_offered *offered);
/* SHARE_TEST with the profile's error probability. */
struct share_test oci_share_test(const struct tc *t, double stated);
/* A figure that the last control action returned; na where it returns none of this name. */
uint64_t oci_figure(struct tc *t, const char *name);
/* The IUT still knows the newest session at this UP function: it accepts a report about it. */
void oci_session_kept(struct tc *t, struct upf *upf, const char *why);

#endif
