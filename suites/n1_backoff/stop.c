/* TP/N1/UE/STOP: what ends T3346 before its time. */
#include "suites/n1_backoff/backoff.h"

static void paged(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);

	back_off(t, ue, 60);
	nw_page(ue);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_MOBILE_TERMINATED));
}

#define STOP(number, row, ...)                                                      \
	.id = "TP/N1/UE/STOP/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, __VA_ARGS__

const struct test_case stop_cases[STOP_CASES] = {
	{ STOP("01", "22", .clause = "24.501 5.3.9, 5.6.2.2.1", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "Paging is answered during T3346", .stimulus = "PAGING of a UE in back-off",
	  .expect = "SERVICE REQUEST with service type mobile terminated services",
	  .iut_time_us = 10 * US_PER_S, .run = paged },
};
