/* TP/N1/UE/EXP: what the UE does when T3346 expires. */
#include "suites/n1_backoff/backoff.h"

static void need_is_gone(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off b = back_off(t, ue, 60);

	tc_control(t, "ue-service ue=%u kind=data cancel=yes", nw_ue_number(ue));
	silence(t, ue, b);
	expect_no_nas_of(t, ue, .within = 30 * US_PER_S);
}

#define EXPIRY(number, row, ...)                                                   \
	.id = "TP/N1/UE/EXP/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, __VA_ARGS__

const struct test_case expiry_cases[EXPIRY_CASES] = {
	{ EXPIRY("01", "13", .clause = "24.501 5.6.1.5", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "What is not needed any more is not sent when T3346 expires",
	  .stimulus = "The need is gone before T3346 expires", .expect = "No request",
	  .iut_time_us = 100 * US_PER_S, .run = need_is_gone },
};
