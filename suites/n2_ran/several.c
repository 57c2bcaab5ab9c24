/* TP/N2/RAN/AMF and GUAMI: overload belongs to the AMF, or to the GUAMIs, that it was said of. */
#include <inttypes.h>

#include "suites/n2_ran/ran.h"

struct two_amfs {
	struct nw_amf *amf[2];
	struct nw_node *node[2]; /* the IUT's gNB at each */
};

static struct two_amfs two_amfs(struct tc *t)
{
	struct two_amfs two;

	for (size_t i = 0; i < 2; i++)
		two.amf[i] = nw_amf_start(t);
	nw_iut_connects(t);
	for (size_t i = 0; i < 2; i++) {
		two.node[i] = nw_node(two.amf[i], NODE_GNB);
		nothing_is_lost(t, "cause=mo-Data amf=%u count=20 rate=100",
				nw_amf_number(two.amf[i]));
	}
	return two;
}

/* Attempts of UEs that belong to this AMF, of which all, or none, come to it. */
static void judge_at(struct tc *t, const struct nw_amf *amf, const char *cause, bool all,
		     const char *why)
{
	struct nw_attempts a =
		offer(t, "cause=%s amf=%u count=100 rate=100", cause, nw_amf_number(amf));
	uint64_t here = nw_counted(a.count, .at = amf);

	if (here != (all ? a.offered : 0))
		tc_violation(t,
			     "%s: %s for %s: offered %" PRIu64 ", sent there %" PRIu64
			     " (to any AMF %" PRIu64 "), and %s",
			     why, cause, nw_amf_name(amf), a.offered, here, a.sent,
			     all ? "all have to be" : "none may be");
}

static void other_amf_is_not_filtered(struct tc *t)
{
	struct two_amfs two = two_amfs(t);

	nw_overload_start(two.node[0], .action = ACTION_1);
	settle(t);
	judge_at(t, two.amf[0], "mo-Data", false, "the first AMF is overloaded");
	judge_at(t, two.amf[1], "mo-Data", true, "the second AMF is not overloaded");
}

static void each_has_its_filter(struct tc *t)
{
	struct two_amfs two = two_amfs(t);

	nw_overload_start(two.node[0], .action = ACTION_1);
	nw_overload_start(two.node[1], .action = ACTION_0);
	settle(t);
	judge_at(t, two.amf[0], "mo-Signalling", false, "the first AMF has asked for action 1");
	judge_at(t, two.amf[1], "mo-Signalling", true, "the second AMF has asked for action 0");
	judge_at(t, two.amf[0], "mo-Data", false, "the first AMF has asked for action 1");
	judge_at(t, two.amf[1], "mo-Data", false, "the second AMF has asked for action 0");
}

static void stop_is_for_its_amf(struct tc *t)
{
	struct two_amfs two = two_amfs(t);

	nw_overload_start(two.node[0], .action = ACTION_1);
	nw_overload_start(two.node[1], .action = ACTION_1);
	settle(t);
	judge_at(t, two.amf[0], "mo-Data", false, "both AMFs are overloaded");
	judge_at(t, two.amf[1], "mo-Data", false, "both AMFs are overloaded");
	nw_overload_stop(two.node[0]);
	settle(t);
	judge_at(t, two.amf[0], "mo-Data", true, "the first AMF has sent STOP");
	judge_at(t, two.amf[1], "mo-Data", false, "the second AMF has not sent STOP");
}

static void guami_list_restricts(struct tc *t)
{
	/* one of two GUAMIs of the AMF, and one that it does not serve: pointers alone differ */
	enum { OTHER_POINTER = 40, NOBODYS_POINTER = 41 };
	struct nw_guami other = {
		.region = t->profile->amf_count ? t->profile->amfs[0].region : 0,
		.set = t->profile->amf_count ? t->profile->amfs[0].set : 0,
		.pointer = OTHER_POINTER,
	};
	struct nw_amf *amf =
		nw_amf_start(t, .entry = 1, .more_guamis = &other, .more_guami_count = 1);
	struct nw_guami own = nw_amf_guami(amf);
	const struct nw_guami both[] = { own, other };
	const struct nw_guami nobodys = {
		.region = other.region,
		.set = other.set,
		.pointer = own.pointer == NOBODYS_POINTER ? NOBODYS_POINTER + 1 : NOBODYS_POINTER,
	};
	char own_hex[8], other_hex[8];
	struct nw_node *node;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	nw_guami_hex(&own, own_hex);
	nw_guami_hex(&other, other_hex);
	nothing_is_lost(t, "cause=mo-Data guami=%s count=20 rate=100", own_hex);
	nothing_is_lost(t, "cause=mo-Data guami=%s count=20 rate=100", other_hex);
	nw_overload_start(node, .action = ACTION_1, .guamis = &nobodys, .guami_count = 1);
	settle(t);
	all_are_sent(t, "START was for a GUAMI that the AMF does not serve",
		     "cause=mo-Data guami=%s count=100 rate=100", own_hex);
	all_are_sent(t, "START was for a GUAMI that the AMF does not serve",
		     "cause=mo-Data count=100 rate=100");
	nw_overload_start(node, .action = ACTION_1, .guamis = &other, .guami_count = 1);
	settle(t);
	none_is_sent(t, "the GUAMI stands in the list", "cause=mo-Data guami=%s count=100 rate=100",
		     other_hex);
	all_are_sent(t, "the GUAMI does not stand in the list",
		     "cause=mo-Data guami=%s count=100 rate=100", own_hex);
	nw_overload_stop(node, .guamis = &other, .guami_count = 1);
	settle(t);
	all_are_sent(t, "STOP has ended the overload of this GUAMI",
		     "cause=mo-Data guami=%s count=100 rate=100", other_hex);
	nw_overload_start(node, .action = ACTION_1, .guamis = both, .guami_count = 2);
	settle(t);
	nw_overload_stop(node, .guamis = &other, .guami_count = 1);
	settle(t);
	none_is_sent(t, "STOP for the other GUAMI does not concern this one",
		     "cause=mo-Data guami=%s count=100 rate=100", own_hex);
}

#define SEVERAL(number, ...)                                                                   \
	.id = "TP/N2/RAN/AMF/" number, .role = ROLE_RAN, .strength = SHALL,                    \
	.requirement = "N2-R-09", .clause = "38.413 8.7.7.2", .needs = NEEDS(ICS_N2_OVERLOAD), \
	.iut_time_us = 10 * US_PER_S, __VA_ARGS__

const struct test_case several_cases[SEVERAL_CASES] = {
	{ SEVERAL("01", .purpose = "Overload of one AMF does not filter traffic to another",
		  .stimulus = "Two AMFs, START with action 1 from the first",
		  .expect = "mo-Data: none to the first, all to the second",
		  .run = other_amf_is_not_filtered) },
	{ SEVERAL("02", .purpose = "Each AMF has its own filter",
		  .stimulus = "Two AMFs, START with action 1 from one and 0 from the other",
		  .expect = "mo-Signalling goes to the second alone", .run = each_has_its_filter) },
	{ SEVERAL("03", .purpose = "OVERLOAD STOP ends the overload of its AMF alone",
		  .stimulus = "Two AMFs, START from both, STOP from the first",
		  .expect = "mo-Data: all to the first, none to the second",
		  .run = stop_is_for_its_amf) },
	{ .id = "TP/N2/RAN/GUAMI/01",
	  .role = ROLE_RAN,
	  .strength = SHALL,
	  .requirement = "N2-R-16",
	  .clause = "38.413 8.7.7.2, 8.7.8.2 (release 19)",
	  .needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_GUAMI_LIST),
	  .purpose = "A GUAMI List restricts OVERLOAD START and STOP to its GUAMIs",
	  .stimulus = "An AMF with two GUAMIs, START for a third one, START for one of them, then "
		      "STOP for it; START for both, STOP for one",
	  .expect = "Only traffic for that GUAMI is filtered",
	  .iut_time_us = 10 * US_PER_S,
	  .run = guami_list_restricts },
};
