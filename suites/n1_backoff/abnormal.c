/* TP/N1/UE/ABN: cause 22 without a usable T3346 is an attempt that failed, no back-off. */
#include "suites/n1_backoff/backoff.h"

static void value_absent(struct tc *t)
{
	struct nw_ue *ue = new_ue(t);
	uint64_t sent;

	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .secured = true);
	sent = reject(t, ue, .cause = 22);
	expect_after(t, ue, sent, 10 * US_PER_S, .type = REGISTRATION_REQUEST);
}

#define ABNORMAL(number, row, ...)                                                 \
	.id = "TP/N1/UE/ABN/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, .needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__

const struct test_case abnormal_cases[ABNORMAL_CASES] = {
	{ ABNORMAL("01", "06", .clause = "24.501 5.5.1.2.5, 5.5.1.2.7 d"),
	  .purpose = "Cause 22 without T3346 is an attempt that failed",
	  .stimulus = "REGISTRATION REJECT with cause 22 and no T3346",
	  .expect = "REGISTRATION REQUEST after T3511", .iut_time_us = 15 * US_PER_S,
	  .run = value_absent },
};
