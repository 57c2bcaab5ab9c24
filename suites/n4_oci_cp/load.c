/* TP/N4/CP/LCI: load control information selects UP functions, and throttles nothing. */
#include <inttypes.h>
#include <stdio.h>

#include "suites/n4_oci_cp/oci.h"

enum { REASON_MAX = 512 };

/* By load 20 and 80 the lighter one gets more than its half; so much is asked for. */
static const double lighter_share = 0.6;

struct two_upfs {
	struct upf *first, *second;
};

static struct two_upfs two_upfs(struct tc *t)
{
	struct two_upfs two = { upf_start(t), upf_start(t) };

	oci_associate(t);
	oci_establish(t, two.first, 5);
	oci_establish(t, two.second, 5);
	return two;
}

static void say(struct upf *upf, uint32_t sequence_number, uint8_t load)
{
	upf_lci(upf, .sequence_number = sequence_number, .metric = load);
	oci_tell(upf);
}

/*
 * New sessions anywhere: the first UP function gets more of them, as the lighter one. Step by step,
 * until its share is surely above what is asked for, or surely below.
 */
static void first_is_preferred(struct tc *t, const struct two_upfs *two, const char *why)
{
	struct share_test test = oci_share_test(t, lighter_share);
	uint64_t offered = 0, first = 0, second = 0;
	char figures[REASON_MAX];
	double p;

	do {
		struct upf_offered step =
			oci_offer(t, "op=establish rate=500 count=%" PRIu64, test.first);

		offered += step.offered;
		first += upf_counted(step.count, .at = two->first,
				     .type = PFCP_SESSION_ESTABLISHMENT_REQUEST);
		second += upf_counted(step.count, .at = two->second,
				      .type = PFCP_SESSION_ESTABLISHMENT_REQUEST);
		if (first + second != offered)
			tc_fail(t,
				"without overload all establishments are sent: offered %" PRIu64
				", sent %" PRIu64 " and %" PRIu64,
				offered, first, second);
		p = stats_binomial_lower(offered, first, lighter_share);
	} while (p >= test.error && offered < test.last &&
		 stats_interval(offered, first, test.error).low < lighter_share);
	snprintf(figures, sizeof(figures),
		 "%s: offered %" PRIu64 ", %" PRIu64
		 " to the lighter UP function (%.1f %%), %" PRIu64
		 " to the heavier; p = %.2g of a share of %.0f %% or more",
		 why, offered, first, 100.0 * (double)first / (double)offered, second, p,
		 100 * lighter_share);
	if (p < test.error)
		tc_violation(t, "at equal capacity the lighter UP function is not preferred: %s",
			     figures);
	tc_note(t, "%s", figures);
}

static void load_is_no_overload(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	say(upf, 10, 100);
	oci_all_sent(t, "load 100 without OCI throttles nothing", MODIFY " count=1000");
	oci_all_sent(t, "load 100 without OCI throttles nothing",
		     "op=establish rate=500 count=1000 up=%u", upf_number(upf));
}

static void lighter_gets_more(struct tc *t)
{
	struct two_upfs two = two_upfs(t);

	say(two.first, 10, 20);
	say(two.second, 10, 80);
	first_is_preferred(t, &two, "load 20 and 80");
}

static void older_load_is_late(struct tc *t)
{
	struct two_upfs two = two_upfs(t);

	say(two.first, 1000, 20);
	say(two.second, 1000, 80);
	say(two.first, 999, 95);
	say(two.second, 999, 5);
	first_is_preferred(t, &two, "after late information that said the opposite");
}

static void restart_begins_anew(struct tc *t)
{
	struct two_upfs two = two_upfs(t);

	say(two.first, 1000, 95);
	say(two.second, 1000, 50);
	upf_no_lci(two.first);
	oci_restart(two.first);
	oci_establish(t, two.first, 5);
	say(two.first, 1, 5);
	first_is_preferred(t, &two, "after the restart of the UP function that was heavier");
}

static void rolls_over(struct tc *t)
{
	struct two_upfs two = two_upfs(t);

	say(two.first, UINT32_MAX, 95);
	say(two.second, 1000, 50);
	say(two.first, 0, 5);
	first_is_preferred(t, &two, "after FFFFFFFF and 0");
}

#define LOAD(number, requires, where, need)                                                        \
	.id = "TP/N4/CP/LCI/" number, .role = ROLE_CP, .strength = SHALL, .requirement = requires, \
	.clause = "29.244 " where, .needs = NEEDS(need), .iut_time_us = 20 * US_PER_S

const struct test_case cp_load_cases[LOAD_CASES] = {
	{ LOAD("01", "N4-U-26", "6.2.3.1", ICS_OCI),
	  .purpose = "Load information does not throttle", .stimulus = "LCI with load 100, no OCI",
	  .expect = "All sent", .run = load_is_no_overload },
	{ LOAD("02", "N4-C-26", "6.2.3.2, annex B.2", ICS_LCI),
	  .purpose = "The UP function with less load gets more sessions",
	  .stimulus =
		  "Two UP functions of equal capacity with load 20 and 80; up to 4,000 sessions",
	  .expect = "More at the lighter one", .run = lighter_gets_more },
	{ LOAD("X01", "N4-C-25", "6.2.3.3.2.1", ICS_LCI),
	  .purpose = "LCI with a smaller sequence number is late and changes nothing",
	  .stimulus = "Load 20 and 80 with number 1000, then 95 and 5 with number 999",
	  .expect = "More at the first one", .run = older_load_is_late },
	{ LOAD("X02", "N4-C-25", "6.2.3.3.2.1", ICS_LCI),
	  .purpose = "A UP function that restarted begins its load information anew",
	  .stimulus = "Load 95 with number 1000; restart; load 5 with number 1",
	  .expect = "More at that one", .run = restart_begins_anew },
	{ LOAD("X03", "N4-C-25", "6.2.3.3.2.1", ICS_LCI),
	  .purpose = "LCI with sequence number 0 after FFFFFFFF is newer",
	  .stimulus = "Load 95 with number FFFFFFFF, load 5 with number 0",
	  .expect = "More at that one", .run = rolls_over },
};
