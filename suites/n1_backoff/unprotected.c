/* TP/N1/UE/UNPROT: a reject that anybody could have sent does not choose the back-off. */
#include "suites/n1_backoff/backoff.h"

static void plain_registration_reject(struct tc *t)
{
	struct nw_ue *ue = new_ue(t);
	uint64_t sent;

	nw_ue_without(ue, NW_AUTHENTICATE | NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST);
	sent = reject(t, ue, .t3346 = TIMER(10), .protection = PROTECT_PLAIN);
	expect_between(t, ue, sent, 15 * 60 * US_PER_S, 30 * 60 * US_PER_S,
		       .type = REGISTRATION_REQUEST);
}

#define UNPROTECTED(number, row, ...)                                                 \
	.id = "TP/N1/UE/UNPROT/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, .needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__

const struct test_case unprotected_cases[UNPROTECTED_CASES] = {
	{ UNPROTECTED("01", "11", .clause = "24.501 5.5.1.2.5"),
	  .purpose = "T3346 of an unprotected reject is not used",
	  .stimulus = "Plain REGISTRATION REJECT with cause 22 and T3346 10 s",
	  .expect = "The next request after a time of the default range, 15 to 30 min",
	  .iut_time_us = 33 * 60 * US_PER_S, .run = plain_registration_reject },
};
