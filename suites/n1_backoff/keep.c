/* TP/N1/UE/KEEP: what does not end T3346. */
#include "suites/n1_backoff/backoff.h"

static void reselects(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off b = back_off(t, ue, 60);

	tc_control(t, "ue-move ue=%u cell=3 rat=eutra", nw_ue_number(ue));
	due(t, ue, b, .type = SERVICE_REQUEST);
}

#define KEEP(number, row, ...)                                                      \
	.id = "TP/N1/UE/KEEP/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, __VA_ARGS__

const struct test_case keep_cases[KEEP_CASES] = {
	{ KEEP("09", "32", .clause = "23.501 5.19.7.2", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "Reselection inside the PLMN does not stop T3346",
	  .stimulus = "Another cell and radio access technology in back-off",
	  .expect = "Silence until T3346 expires", .iut_time_us = 70 * US_PER_S, .run = reselects },
};
