/* TP/N1/UE/ALLOW: what T3346 does not bar. */
#include "suites/n1_backoff/backoff.h"

static void emergency_call(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);

	back_off(t, ue, 60);
	tc_control(t, "ue-service ue=%u kind=emergency", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_EMERGENCY),
		      .cause = RRC_EMERGENCY);
}

#define ALLOW(number, row, ...)                                                      \
	.id = "TP/N1/UE/ALLOW/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, __VA_ARGS__

const struct test_case allow_cases[ALLOW_CASES] = {
	{ ALLOW("01", "40", .clause = "24.501 5.3.9",
		.needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_EMERGENCY)),
	  .purpose = "T3346 does not bar emergency calls",
	  .stimulus = "An emergency call in back-off",
	  .expect = "SERVICE REQUEST with service type emergency services",
	  .iut_time_us = 10 * US_PER_S, .run = emergency_call },
};
