/*
 * TP/N2/RAN/LB: which AMF, and which association, a new connection goes to (TS 23.501 5.19.3,
 * 5.21.1.3, 6.3.5). Weights are facts of stage 2: a deviation is a warning where the profile does
 * not claim amf-weight.
 */
#include <inttypes.h>
#include <stdio.h>

#include "suites/n2_ran/ran.h"

enum { AMFS_MAX = 3, REASON_MAX = 512 };

struct amfs {
	size_t count;
	struct nw_amf *amf[AMFS_MAX];
	double share[AMFS_MAX]; /* of new UEs, as their capacities state it */
};

static struct amfs amfs_with(struct tc *t, const int *capacities, size_t count)
{
	struct amfs amfs = { .count = count };
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		amfs.amf[i] = nw_amf_start(t, .capacity = capacities[i]);
		sum += capacities[i];
	}
	for (size_t i = 0; i < count; i++)
		amfs.share[i] = capacities[i] / sum;
	nw_iut_connects(t);
	for (size_t i = 0; i < count; i++)
		nw_node(amfs.amf[i], NODE_GNB);
	return amfs;
}

static double false_alarm(const struct tc *t)
{
	return t->profile->false_alarm > 0 ? t->profile->false_alarm : STATS_FALSE_ALARM;
}

struct split {
	uint64_t offered, at[AMFS_MAX];
	double p; /* of the stated shares */
	char text[REASON_MAX];
};

static struct split judge_split(const struct amfs *amfs, const struct nw_attempts *a)
{
	struct split split = { .offered = a->offered };
	struct text text;

	text_init(&text, split.text, sizeof(split.text));
	text_printf(&text, "offered %" PRIu64 ", sent %" PRIu64 ":", a->offered, a->sent);
	for (size_t i = 0; i < amfs->count; i++) {
		split.at[i] = nw_counted(a->count, .at = amfs->amf[i]);
		text_printf(&text, "%s %" PRIu64 " to %s (stated %.1f %%)", i ? "," : "",
			    split.at[i], nw_amf_name(amfs->amf[i]), 100 * amfs->share[i]);
	}
	split.p = stats_split(split.at, amfs->share, amfs->count);
	text_printf(&text, "; chi-square p = %.2g", split.p);
	return split;
}

/* FAIL where the profile claims amf-weight, else a warning. */
static void weights_violated(struct tc *t, const char *why, const char *figures)
{
	if (t->profile->ics[ICS_AMF_WEIGHT])
		tc_violation(t, "%s: %s", why, figures);
	tc_should(t, t->test->requirement, "%s: %s", why, figures);
}

static void by_capacity(struct tc *t)
{
	static const int capacities[] = { 50, 100, 100 };
	struct amfs amfs = amfs_with(t, capacities, 3);
	struct nw_attempts a;
	struct split split;

	nothing_is_lost(t, "cause=mo-Signalling count=20 rate=100");
	a = offer(t, "cause=mo-Signalling count=3000 rate=500");
	split = judge_split(&amfs, &a);
	if (split.p < false_alarm(t))
		weights_violated(t, "new UEs are not spread by Relative AMF Capacity", split.text);
	tc_note(t, "%s", split.text);
}

/* An AMF CONFIGURATION UPDATE that was sent is acknowledged (N2-L-05). */
static void acknowledged(struct tc *t, struct nw_node *node)
{
	const struct ngap_received *m =
		expect_node(t, node,
			    .type = ONE_OF(NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE,
					   NGAP_AMF_CONFIGURATION_UPDATE_FAILURE),
			    .silence = OUTCOME_FAIL, .why = "AMF CONFIGURATION UPDATE is answered");

	if (m->pdu.message == NGAP_AMF_CONFIGURATION_UPDATE_FAILURE)
		tc_fail(t, "%s refuses an AMF CONFIGURATION UPDATE", nw_node_name(node));
}

static void capacity_zero(struct tc *t)
{
	static const int capacities[] = { 50, 100, 100 };
	struct amfs amfs = amfs_with(t, capacities, 3);
	struct nw_amf *closed = amfs.amf[1];
	char figures[REASON_MAX];
	struct nw_attempts a;
	uint64_t there;

	a = nothing_is_lost(t, "cause=mo-Signalling count=100 rate=100");
	if (!nw_counted(a.count, .at = closed))
		tc_inconc(t, "no new UE goes to %s even before its capacity is 0",
			  nw_amf_name(closed));
	nw_amf_capacity(closed, 0);
	acknowledged(t, nw_node(closed, NODE_GNB));
	settle(t);
	a = offer(t, "cause=mo-Signalling count=500 rate=200");
	there = nw_counted(a.count, .at = closed);
	snprintf(figures, sizeof(figures),
		 "offered %" PRIu64 ", sent %" PRIu64 ", of which %" PRIu64 " to %s", a.offered,
		 a.sent, there, nw_amf_name(closed));
	if (there)
		weights_violated(t, "capacity 0 means no new entrants", figures);
	if (a.sent != a.offered)
		weights_violated(t, "other AMFs of the set take the new UEs", figures);
}

static void unavailable_guami(struct tc *t)
{
	static const int capacities[] = { 100, 100 };
	struct amfs amfs = amfs_with(t, capacities, 2);
	struct nw_guami guami = nw_amf_guami(amfs.amf[0]);
	struct nw_attempts a;
	char hex[8];

	nw_guami_hex(&guami, hex);
	a = nothing_is_lost(t, "cause=mo-Data guami=%s count=50 rate=100", hex);
	if (nw_counted(a.count, .at = amfs.amf[0]) != a.offered)
		tc_inconc(t, "UEs of %s do not go there even before the AMF STATUS INDICATION",
			  nw_amf_name(amfs.amf[0]));
	nw_status_indication(amfs.amf[0], &guami, NULL);
	settle(t);
	a = offer(t, "cause=mo-Data guami=%s count=100 rate=100", hex);
	if (nw_counted(a.count, .at = amfs.amf[0]) || a.sent != a.offered)
		tc_violation(t,
			     "the GUAMI is unavailable and another AMF has to be selected: offered "
			     "%" PRIu64 ", sent %" PRIu64 ", of which %" PRIu64 " to %s",
			     a.offered, a.sent, nw_counted(a.count, .at = amfs.amf[0]),
			     nw_amf_name(amfs.amf[0]));
}

static void association_of_weight_zero(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t, .several_tnl = true);
	const struct profile_amf *profile;
	size_t zero = 0, count;
	struct nw_attempts a;
	struct nw_node *node;
	uint64_t there;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	count = nw_tnl_count(amf);
	profile = &t->profile->amfs[nw_amf_number(amf) - 1];
	settle(t);
	forget_node(node);
	while (zero < count && profile->tnl[zero])
		zero++;
	if (zero == count) {
		zero = count - 1;
		nw_tnl_weight(amf, zero, 0);
		acknowledged(t, node);
		settle(t);
	}
	a = nothing_is_lost(t, "cause=mo-Signalling count=500 rate=200");
	there = nw_counted(a.count, .at = amf, .tnl = (int)zero + 1);
	if (there)
		tc_violation(t,
			     "TNL association %zu has weight 0: offered %" PRIu64 ", sent %" PRIu64
			     ", of which %" PRIu64 " on it",
			     zero + 1, a.offered, a.sent, there);
}

/* --- beyond the purposes --- */

static void not_across_sets(struct tc *t)
{
	/* no policy of equal parts comes near the split that these would give */
	enum { FIRST = 40, SECOND = 80, FOREIGN = 170 };
	const double across[] = { FIRST / 290.0, SECOND / 290.0, FOREIGN / 290.0 };
	uint64_t at[3];
	struct nw_amf *amf[3];
	struct nw_attempts a;

	amf[0] = nw_amf_start(t, .capacity = FIRST);
	amf[1] = nw_amf_start(t, .capacity = SECOND);
	amf[2] = nw_amf_start(t, .capacity = FOREIGN,
			      .set = nw_amf_guami(amf[0]).set == 77 ? 78 : 77);
	nw_iut_connects(t);
	a = nothing_is_lost(t, "cause=mo-Signalling count=2000 rate=500");
	for (size_t i = 0; i < 3; i++)
		at[i] = nw_counted(a.count, .at = amf[i]);
	tc_note(t,
		"offered %" PRIu64 ": %" PRIu64 " and %" PRIu64 " to the set of two, %" PRIu64
		" to the AMF of the other set",
		a.offered, at[0], at[1], at[2]);
	if (at[2] && at[0] + at[1] && stats_split(at, across, 3) > 1e-6)
		tc_violation(t,
			     "new UEs are spread by capacity over AMFs of different sets: offered "
			     "%" PRIu64 ", %" PRIu64 " and %" PRIu64 " to one set, %" PRIu64
			     " to the other (p = %.2g of a split by weight over both)",
			     a.offered, at[0], at[1], at[2], stats_split(at, across, 3));
}

static void absent_values_stay(struct tc *t)
{
	static const int capacities[] = { 40, 200 };
	struct amfs amfs = amfs_with(t, capacities, 2);
	struct nw_attempts a;
	struct split split;

	a = nothing_is_lost(t, "cause=mo-Signalling count=1000 rate=500");
	split = judge_split(&amfs, &a);
	if (split.p < false_alarm(t))
		tc_inconc(t, "the node does not go by Relative AMF Capacity: %s", split.text);
	for (size_t i = 0; i < 2; i++) {
		const char *name = nw_amf_name(amfs.amf[i]);
		struct nw_node *node = nw_node(amfs.amf[i], NODE_GNB);
		struct ngap_pdu *pdu = nw_message(t, NGAP_AMF_CONFIGURATION_UPDATE);

		ngap_add_octets(pdu, NGAP_ID_AMF_NAME, OCTETS((const uint8_t *)name, strlen(name)));
		nw_send(node, pdu);
		acknowledged(t, node);
	}
	settle(t);
	a = offer(t, "cause=mo-Signalling count=1000 rate=500");
	split = judge_split(&amfs, &a);
	if (split.p < false_alarm(t))
		tc_violation(t,
			     "an AMF CONFIGURATION UPDATE without Relative AMF Capacity has "
			     "changed it: %s",
			     split.text);
	tc_note(t, "%s", split.text);
}

static void shared_guami(struct tc *t)
{
	enum { FIRST = 50, SECOND = 100 };
	struct nw_guami *shared = tc_alloc(t, sizeof(*shared));
	struct amfs amfs = { .count = 2, .share = { 1 / 3.0, 2 / 3.0 } };
	struct nw_attempts a;
	struct split split;
	char hex[8];

	if (t->profile->amf_count == 0)
		tc_na(t, "the profile has no tester.amfs");
	*shared = (struct nw_guami){ .region = t->profile->amfs[0].region,
				     .set = t->profile->amfs[0].set,
				     .pointer = 41 };
	amfs.amf[0] = nw_amf_start(t, .capacity = FIRST, .set = shared->set ? shared->set : NW_ZERO,
				   .more_guamis = shared, .more_guami_count = 1);
	amfs.amf[1] =
		nw_amf_start(t, .capacity = SECOND, .set = shared->set ? shared->set : NW_ZERO,
			     .more_guamis = shared, .more_guami_count = 1);
	nw_iut_connects(t);
	nw_guami_hex(shared, hex);
	a = nothing_is_lost(t, "cause=mo-Data guami=%s count=1500 rate=500", hex);
	split = judge_split(&amfs, &a);
	if (split.p < false_alarm(t))
		weights_violated(t, "a GUAMI of several AMFs is not resolved by their weights",
				 split.text);
	tc_note(t, "%s", split.text);
}

static void overload_moves_nobody(struct tc *t)
{
	static const int capacities[] = { 100, 100 };
	struct amfs amfs = amfs_with(t, capacities, 2);
	struct nw_node *node = nw_node(amfs.amf[0], NODE_GNB);
	unsigned int number = nw_amf_number(amfs.amf[0]);
	struct nw_attempts a;

	a = nothing_is_lost(t, "cause=mo-Signalling amf=%u count=50 rate=100", number);
	if (nw_counted(a.count, .at = amfs.amf[0]) != a.offered)
		tc_inconc(t, "UEs of %s do not go there even before its overload",
			  nw_amf_name(amfs.amf[0]));
	nw_overload_start(node, .action = ACTION_0);
	settle(t);
	/* mo-Signalling is not concerned, mo-Data is: neither goes elsewhere */
	for (int concerned = 0; concerned < 2; concerned++) {
		uint64_t elsewhere;

		a = offer(t, "cause=%s amf=%u count=100 rate=100",
			  concerned ? "mo-Data" : "mo-Signalling", number);
		elsewhere = nw_counted(a.count, .at = amfs.amf[1]);
		if (elsewhere)
			tc_violation(t,
				     "UEs with a 5G-GUTI of an overloaded AMF are moved: offered "
				     "%" PRIu64 ", sent %" PRIu64 ", of which %" PRIu64
				     " to another AMF of the set",
				     a.offered, a.sent, elsewhere);
	}
}

#define BALANCE(number, ...) .id = "TP/N2/RAN/LB/" number, .role = ROLE_RAN, __VA_ARGS__

const struct test_case balance_cases[BALANCE_CASES] = {
	{ BALANCE("01", .requirement = "N2-L-02", .clause = "23.501 5.19.3", .strength = SHALL),
	  .purpose = "New UEs are spread over the AMFs of a set by their capacity",
	  .stimulus = "AMFs of one set with capacities 50, 100, 100; 3,000 registrations without "
		      "5G-GUTI",
	  .expect = "1:2:2 by chi-square; a warning where amf-weight is not claimed",
	  .iut_time_us = 10 * US_PER_S, .run = by_capacity },
	{ BALANCE("02", .requirement = "N2-L-04", .clause = "23.501 5.19.3; 38.413 8.7.3.2",
		  .strength = SHALL),
	  .purpose = "An AMF of capacity 0 gets no new entrants",
	  .stimulus = "AMF CONFIGURATION UPDATE with capacity 0 from one of three AMFs",
	  .expect = "Acknowledged; none of 500 registrations goes there",
	  .iut_time_us = 10 * US_PER_S, .run = capacity_zero },
	{ BALANCE("03", .requirement = "N2-L-06", .clause = "38.413 8.7.6.2", .strength = SHALL),
	  .purpose = "A GUAMI that is unavailable leads to another AMF",
	  .stimulus = "AMF STATUS INDICATION with a GUAMI; 100 attempts of UEs with it",
	  .expect = "All go to another AMF", .iut_time_us = 5 * US_PER_S,
	  .run = unavailable_guami },
	{ BALANCE("04", .requirement = "N2-L-10", .clause = "23.501 5.21.1.3", .strength = SHALL),
	  .purpose = "A TNL association of weight 0 carries no initial message",
	  .stimulus = "Two TNL associations with weights 0 and 255; 500 initial messages",
	  .expect = "None on the one of weight 0", .iut_time_us = 10 * US_PER_S,
	  .run = association_of_weight_zero },
	{ BALANCE("X01", .requirement = "N2-L-03", .clause = "23.501 5.19.3", .strength = SHALL),
	  .purpose = "Capacities balance within a set, not across sets",
	  .stimulus = "Two AMFs of one set, a third of another; 2,000 registrations",
	  .expect = "No split by weight over all three", .iut_time_us = 10 * US_PER_S,
	  .run = not_across_sets },
	{ BALANCE("X02", .requirement = "N2-L-05", .clause = "38.413 8.7.3.2", .strength = SHALL),
	  .purpose = "AMF CONFIGURATION UPDATE is acknowledged, and what it does not say stays",
	  .stimulus = "Update with the AMF Name alone from AMFs of capacities 40 and 200",
	  .expect = "Acknowledged; the split of 1,000 registrations is as before",
	  .iut_time_us = 10 * US_PER_S, .run = absent_values_stay },
	{ BALANCE("X03", .requirement = "N2-L-09", .clause = "23.501 6.3.5", .strength = SHALL),
	  .purpose = "A GUAMI of several AMFs is resolved by their weights",
	  .stimulus = "Two AMFs of capacities 50 and 100 share a GUAMI; 1,500 attempts with it",
	  .expect = "1:2 by chi-square; a warning where amf-weight is not claimed",
	  .iut_time_us = 10 * US_PER_S, .run = shared_guami },
	{ BALANCE("X04", .requirement = "N2-L-11", .clause = "23.501 5.19.3, 5.19.4",
		  .strength = SHOULD),
	  .purpose = "A UE with a 5G-GUTI of an overloaded AMF is not moved to another one",
	  .stimulus = "START with action 0 from one of two AMFs; attempts of its UEs",
	  .expect = "None goes to the other AMF", .iut_time_us = 5 * US_PER_S,
	  .run = overload_moves_nobody },
};
