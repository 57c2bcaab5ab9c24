/* TP/N1/UE/START: cause 22 with T3346 begins a back-off, whatever was rejected. */
#include "suites/n1_backoff/backoff.h"

static void service_rejected(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off b = back_off(t, ue, 60);

	due(t, ue, b, .type = SERVICE_REQUEST);
}

#define START(number, row, ...)                                                      \
	.id = "TP/N1/UE/START/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, .needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__

const struct test_case start_cases[START_CASES] = {
	{ START("02", "03", .clause = "24.501 5.6.1.5"),
	  .purpose = "A UE whose service request was rejected stays silent during its T3346",
	  .stimulus = "SERVICE REJECT with cause 22 and T3346 60 s, integrity protected",
	  .expect = "No request for 60 s, then SERVICE REQUEST", .iut_time_us = 70 * US_PER_S,
	  .run = service_rejected },
};
