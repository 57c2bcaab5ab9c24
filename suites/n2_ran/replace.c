/*
 * TP/N2/RAN/REPL and STOP: a further OVERLOAD START replaces the one before as a whole, and
 * OVERLOAD STOP and NG Setup end it.
 */
#include <inttypes.h>

#include "suites/n2_ran/ran.h"

static void everything_is_sent(struct tc *t, const char *why)
{
	for (enum rrc_cause cause = RRC_EMERGENCY; cause <= RRC_MCS_PRIORITY_ACCESS; cause++)
		all_are_sent(t, why, "cause=%s count=50 rate=200", rrc_cause_name(cause));
}

/* START with action 2, in force. */
static void restrict_to_emergency(struct tc *t, struct nw_node *node)
{
	nothing_is_lost(t, "cause=mo-Data count=20 rate=100");
	nw_overload_start(node, .action = ACTION_2);
	settle(t);
	something_is_refused(t, "cause=mo-Data count=50 rate=100");
}

/* --- replacement --- */

static void action_and_reduction_are_replaced(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Signalling count=50 rate=100");
	nw_overload_start(node, .action = ACTION_1, .tlr = 80);
	settle(t);
	something_is_refused(t, "cause=mo-Signalling count=100 rate=100");
	nw_overload_start(node, .action = ACTION_0);
	settle(t);
	all_are_sent(t, "action 0 has replaced action 1", "cause=mo-Signalling count=200 rate=100");
	none_is_sent(t, "the reduction of the START before is not inherited",
		     "cause=mo-Data count=200 rate=100");
}

static void list_is_replaced(struct tc *t)
{
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	const struct nw_slice_item item = { .slices = &s.a, .slice_count = 1 };

	nothing_is_lost(t, "cause=mo-Signalling nssai=%s count=50 rate=100", s.a_word);
	nw_overload_start(node, .action = ACTION_0, .items = &item, .item_count = 1);
	settle(t);
	something_is_refused(t, "cause=mo-Signalling nssai=%s count=50 rate=100", s.a_word);
	none_is_sent(t, "action 0 is in force beside the slice item",
		     "cause=mo-Data nssai=%s count=50 rate=100", s.b_word);
	nw_overload_start(node, .action = ACTION_0);
	settle(t);
	all_are_sent(t, "the slice items of the START before are not inherited",
		     "cause=mo-Signalling nssai=%s count=200 rate=100", s.a_word);
	none_is_sent(t, "action 0 is still in force", "cause=mo-Data count=100 rate=100");
}

static void equal_start_changes_nothing(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Data count=50 rate=200");
	nw_overload_start(node, .action = ACTION_1, .tlr = 50);
	settle(t);
	nw_overload_start(node, .action = ACTION_1, .tlr = 50);
	settle(t);
	share_is_sent(t, 0.5, "cause=mo-Data rate=200");
}

static void empty_start_replaces(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	restrict_to_emergency(t, node);
	nw_overload_start(node);
	settle(t);
	for (enum rrc_cause cause = RRC_EMERGENCY; cause <= RRC_MCS_PRIORITY_ACCESS; cause++) {
		struct nw_attempts a =
			offer(t, "cause=%s count=50 rate=200", rrc_cause_name(cause));

		if (a.sent != a.offered)
			tc_should(t, "N2-R-06",
				  "a START without IEs has replaced action 2, and the node still "
				  "filters: %s offered %" PRIu64 ", sent %" PRIu64,
				  rrc_cause_name(cause), a.offered, a.sent);
	}
}

static void start_without_action(struct tc *t)
{
	static const char *const causes[] = { "mo-Data", "mo-Signalling", "mt-Access" };
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Data count=20 rate=100");
	for (int reduction = 0; reduction <= 60; reduction += 60) {
		nw_overload_start(node, .tlr = reduction);
		settle(t);
		for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
			struct nw_attempts a = offer(t, "cause=%s count=50 rate=100", causes[i]);

			if (a.sent != a.offered)
				tc_note(t,
					"with reduction %d and no action the node filters: %s "
					"offered %" PRIu64 ", sent %" PRIu64,
					reduction, causes[i], a.offered, a.sent);
		}
		if (!nw_node_up(node))
			tc_fail(t, "a START without action cost the association");
	}
	nw_overload_stop(node);
	settle(t);
	everything_is_sent(t, "the node serves after STARTs without action and a STOP");
}

/* Neither time nor what else the AMF says ends overload. */
static void overload_lasts(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	restrict_to_emergency(t, node);
	nw_amf_capacity(nw_node_amf(node), 100);
	expect_node(t, node,
		    .type = ONE_OF(NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE,
				   NGAP_AMF_CONFIGURATION_UPDATE_FAILURE),
		    .silence = OUTCOME_FAIL, .why = "AMF CONFIGURATION UPDATE is answered");
	settle(t);
	none_is_sent(t, "AMF CONFIGURATION UPDATE does not end overload",
		     "cause=mo-Data count=50 rate=100");
	tc_sleep(t, 70 * US_PER_S);
	none_is_sent(t, "there was no OVERLOAD STOP", "cause=mo-Data count=50 rate=100");
}

/* --- the end --- */

static void stop_ends_it(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	restrict_to_emergency(t, node);
	nw_overload_stop(node);
	settle(t);
	everything_is_sent(t, "OVERLOAD STOP has ended the overload");
}

static void stop_ends_slices(struct tc *t)
{
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	const struct nw_slice_item item = { .slices = &s.a, .slice_count = 1 };

	nothing_is_lost(t, "cause=mo-Signalling nssai=%s count=50 rate=100", s.a_word);
	nw_overload_start(node, .action = ACTION_0, .items = &item, .item_count = 1);
	settle(t);
	something_is_refused(t, "cause=mo-Signalling nssai=%s count=50 rate=100", s.a_word);
	nw_overload_stop(node);
	settle(t);
	all_are_sent(t, "OVERLOAD STOP has ended the slice items",
		     "cause=mo-Signalling nssai=%s count=200 rate=100", s.a_word);
	all_are_sent(t, "OVERLOAD STOP has ended what is AMF-wide",
		     "cause=mo-Data count=200 rate=100");
}

static void stop_without_start(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Data count=20 rate=100");
	nw_overload_stop(node);
	settle(t);
	if (!nw_node_up(node))
		tc_violation(t, "OVERLOAD STOP without START cost the association");
	everything_is_sent(t, "OVERLOAD STOP without START is harmless");
}

struct setups {
	const struct nw_node *node;
	unsigned int before;
};

static bool set_up_again(void *arg)
{
	const struct setups *setups = arg;

	return nw_node_setups(setups->node) > setups->before && nw_node_up(setups->node);
}

/* NG Setup as the adapter can do it; else it follows from the loss of the association. */
static void ng_setup_again(struct tc *t, struct nw_node *node, const char *association)
{
	struct setups setups = { .node = node, .before = nw_node_setups(node) };
	uint64_t limit = t->profile->connect_time;

	nw_may_drop(t);
	if (!tc_control_try(t, "ng-setup amf=%u association=%s", nw_amf_number(nw_node_amf(node)),
			    association))
		nw_abort(node);
	if (!tc_wait(t, limit, set_up_again, &setups))
		tc_iut_dead(t, "no NG Setup again within %" PRIu64 " s", limit / US_PER_S);
}

static void ng_setup_ends_it(struct tc *t)
{
	static const char *const associations[] = { "same", "new" };
	struct nw_node *node = gnb_of_one_amf(t);

	for (size_t i = 0; i < 2; i++) {
		restrict_to_emergency(t, node);
		ng_setup_again(t, node, associations[i]);
		settle(t);
		everything_is_sent(t, i == 0 ? "NG Setup on the same association has ended the "
					       "overload"
					     : "NG Setup on a new association has ended the "
					       "overload");
	}
}

#define REPLACED(number, ...)                                                \
	.id = "TP/N2/RAN/REPL/" number, .role = ROLE_RAN, .strength = SHALL, \
	.clause = "38.413 8.7.7.2", .needs = NEEDS(ICS_N2_OVERLOAD), __VA_ARGS__
#define STOPPED(number, ...)                                                 \
	.id = "TP/N2/RAN/STOP/" number, .role = ROLE_RAN, .strength = SHALL, \
	.needs = NEEDS(ICS_N2_OVERLOAD), __VA_ARGS__

const struct test_case replace_cases[REPLACE_CASES] = {
	{ REPLACED("01", .requirement = "N2-R-06"),
	  .purpose = "A further START replaces action and reduction as a whole",
	  .stimulus = "START with action 1 and reduction 80, then START with action 0 alone",
	  .expect = "All mo-Signalling and no mo-Data is sent", .iut_time_us = 10 * US_PER_S,
	  .run = action_and_reduction_are_replaced },
	{ REPLACED("02", .requirement = "N2-R-06"),
	  .purpose = "A START without slice items ends those of the START before",
	  .stimulus = "START with a slice item, then START without",
	  .expect = "Traffic of the slice is sent", .iut_time_us = 10 * US_PER_S,
	  .run = list_is_replaced },
	{ REPLACED("03", .requirement = "N2-R-29"), .purpose = "An equal START changes nothing",
	  .stimulus = "START with action 1 and reduction 50, twice; up to 4,000 mo-Data",
	  .expect = "50 % sent, not 25 %", .iut_time_us = 15 * US_PER_S,
	  .run = equal_start_changes_nothing },
	{ REPLACED("04", .requirement = "N2-R-06"),
	  .purpose = "A START without IEs ends the filter of the START before",
	  .stimulus = "START with action 2, then START without IEs",
	  .expect = "All causes are sent; a node that goes on filtering is warned of",
	  .iut_time_us = 10 * US_PER_S, .run = empty_start_replaces },
	{ REPLACED("X01", .requirement = "N2-R-20"),
	  .purpose = "A START without Overload Response does no harm",
	  .stimulus = "START without IEs, and with a reduction alone; then STOP",
	  .expect = "The node serves, filtering or not; after STOP all causes are sent",
	  .iut_time_us = 10 * US_PER_S, .run = start_without_action },
	{ REPLACED("X02", .requirement = "N2-R-01"),
	  .purpose = "Overload lasts until OVERLOAD STOP",
	  .stimulus = "START with action 2, AMF CONFIGURATION UPDATE, a pause of 70 s",
	  .expect = "No mo-Data is sent after either", .iut_time_us = 85 * US_PER_S,
	  .run = overload_lasts },
	{ STOPPED("01", .requirement = "N2-R-07", .clause = "38.413 8.7.8.2"),
	  .purpose = "OVERLOAD STOP ends the overload",
	  .stimulus = "START with action 2, then STOP; 50 attempts per RRC cause",
	  .expect = "All causes are sent", .iut_time_us = 10 * US_PER_S, .run = stop_ends_it },
	{ STOPPED("02", .requirement = "N2-R-28", .clause = "38.413 8.7.8.2"),
	  .purpose = "OVERLOAD STOP ends slice items too",
	  .stimulus = "START with action 0 and a slice item, then STOP",
	  .expect = "Traffic of the slice is sent", .iut_time_us = 10 * US_PER_S,
	  .run = stop_ends_slices },
	{ STOPPED("03", .requirement = "N2-R-08", .clause = "38.413 8.7.8.2"),
	  .purpose = "OVERLOAD STOP without START is harmless",
	  .stimulus = "STOP while there is no overload; 50 attempts per RRC cause",
	  .expect = "The association stays and all causes are sent", .iut_time_us = 5 * US_PER_S,
	  .run = stop_without_start },
	{ STOPPED("04", .requirement = "N2-R-10", .clause = "38.413 8.7.1.1"),
	  .purpose = "NG Setup clears overload state",
	  .stimulus = "START with action 2, then NG Setup on the same, and on a new association",
	  .expect = "All causes are sent", .iut_time_us = 20 * US_PER_S, .run = ng_setup_ends_it },
};
