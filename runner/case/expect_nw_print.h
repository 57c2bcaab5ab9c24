/* Conditions on a message and their print; used by expect_nw.c only. */
#ifndef SPILLWAY_RUNNER_CASE_EXPECT_NW_PRINT_H
#define SPILLWAY_RUNNER_CASE_EXPECT_NW_PRINT_H

#include "runner/case/expect_nw.h"

struct nw;

struct nw_condition {
	const char *name;
	bool wanted, met;
	char expected[48], received[48];
};

enum { NW_CONDITIONS = 6 };

/* Fills in all; whether those that are wanted hold. */
bool nw_conditions(const struct nw_expectation *x, const struct nas_received *m,
		   struct nw_condition conditions[NW_CONDITIONS]);

/*
 * Expected against received, field by field, as the case's detail; types are those that were looked
 * for.
 */
void nw_nas_detail(struct tc *t, const struct nw_expectation *x, uint64_t types,
		   const struct nas_received *m);
void nw_ngap_detail(struct tc *t, const struct nw_expectation *x, const struct ngap_received *m);

/*
 * What came since from this UE (NULL: none in particular) and from another: an IUT may answer for
 * the wrong UE, or at the wrong place.
 */
void nw_print_others(struct text *out, const struct nw *nw, const struct nw_ue *ue, uint64_t since);

#endif
