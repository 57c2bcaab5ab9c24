/* TP/N2/RAN/TLR: the Traffic Load Reduction Indication as a share (TS 38.413 9.3.1.106). */
#include "suites/n2_ran/ran.h"

static void half_is_sent(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Data count=50 rate=200");
	nw_overload_start(node, .action = ACTION_1, .tlr = 50);
	settle(t);
	share_is_sent(t, 0.5, "cause=mo-Data rate=200");
}

static void extreme_shares(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Data count=50 rate=200");
	nw_overload_start(node, .action = ACTION_1, .tlr = 1);
	settle(t);
	share_is_sent(t, 0.99, "cause=mo-Data rate=200");
	nw_overload_start(node, .action = ACTION_1, .tlr = 99);
	settle(t);
	share_is_sent(t, 0.01, "cause=mo-Data rate=200");
}

static void permitted_traffic_is_whole(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mt-Access count=50 rate=200");
	nw_overload_start(node, .action = ACTION_2, .tlr = 30);
	settle(t);
	something_is_refused(t, "cause=mo-Data count=200 rate=200");
	all_are_sent(t, "a reduction under action 2 does not thin what the action permits",
		     "cause=mt-Access count=1000 rate=200");
}

static void other_traffic_is_whole(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Signalling count=50 rate=200");
	nw_overload_start(node, .action = ACTION_0, .tlr = 50);
	settle(t);
	something_is_refused(t, "cause=mo-Data count=100 rate=200");
	all_are_sent(t, "a reduction under action 0 does not concern mo-Signalling",
		     "cause=mo-Signalling count=1000 rate=200");
}

static void share_at_any_rate(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Data count=50 rate=100");
	nw_overload_start(node, .action = ACTION_1, .tlr = 50);
	settle(t);
	share_is_sent(t, 0.5, "cause=mo-Data rate=100");
	share_is_sent(t, 0.5, "cause=mo-Data rate=200");
}

#define REDUCTION(number, requires)                                         \
	.id = "TP/N2/RAN/TLR/" number, .role = ROLE_RAN, .strength = SHALL, \
	.needs = NEEDS(ICS_N2_OVERLOAD), .requirement = requires,           \
	.clause = "38.413 8.7.7.2, 9.3.1.106"

const struct test_case reduction_cases[REDUCTION_CASES] = {
	{ REDUCTION("01", "N2-R-04"),
	  .purpose = "A reduction of 50 lets half of the traffic concerned through",
	  .stimulus = "OVERLOAD START with action 1 and reduction 50; up to 4,000 mo-Data",
	  .expect = "50 % sent", .iut_time_us = 15 * US_PER_S, .run = half_is_sent },
	{ REDUCTION("02", "N2-R-04"),
	  .purpose = "The reduction is the share refused, not the share sent",
	  .stimulus = "OVERLOAD START with action 1 and reduction 1, then 99; up to 4,000 mo-Data",
	  .expect = "99 %, then 1 % sent", .iut_time_us = 20 * US_PER_S, .run = extreme_shares },
	{ REDUCTION("03", "N2-R-05"),
	  .purpose = "A reduction does not thin what its action permits",
	  .stimulus = "OVERLOAD START with action 2 and reduction 30; 1,000 mt-Access",
	  .expect = "1,000 sent", .iut_time_us = 10 * US_PER_S, .run = permitted_traffic_is_whole },
	{ REDUCTION("04", "N2-R-05"),
	  .purpose = "A reduction does not concern what its action does not name",
	  .stimulus = "OVERLOAD START with action 0 and reduction 50; 1,000 mo-Signalling",
	  .expect = "1,000 sent", .iut_time_us = 10 * US_PER_S, .run = other_traffic_is_whole },
	{ REDUCTION("05", "N2-R-04"),
	  .purpose = "A reduction is relative to the traffic, whatever its rate",
	  .stimulus = "OVERLOAD START with action 1 and reduction 50; then twice the rate",
	  .expect = "50 % sent at both rates", .iut_time_us = 30 * US_PER_S,
	  .run = share_at_any_rate },
};
