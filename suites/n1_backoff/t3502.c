/* TP/N1/UE/T3502: what T3502 has to do with a back-off. */
#include "suites/n1_backoff/backoff.h"

static void both_timers(struct tc *t)
{
	struct nw_ue *ue = new_ue(t);
	struct back_off b = { .us = 60 * US_PER_S };

	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .secured = true);
	b.from = reject(t, ue, .t3346 = TIMER(60), .t3502 = TIMER(12 * 60));
	due(t, ue, b, .type = REGISTRATION_REQUEST);
}

#define T3502(number, row, ...)                                                      \
	.id = "TP/N1/UE/T3502/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, .needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__

const struct test_case t3502_cases[T3502_CASES] = {
	{ T3502("01", "54", .clause = "24.501 5.5.1.2.5"),
	  .purpose = "T3502 is not started in addition to T3346",
	  .stimulus = "REGISTRATION REJECT with cause 22, T3346 60 s and T3502 12 min",
	  .expect = "REGISTRATION REQUEST after 60 s", .iut_time_us = 70 * US_PER_S,
	  .run = both_timers },
};
