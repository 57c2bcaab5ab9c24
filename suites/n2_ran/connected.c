/* TP/N2/RAN/WAIT, CONN, PAGE: what overload does to a single UE, and what it must not do to it. */
#include "suites/n2_ran/ran.h"

static void refused_ue_waits(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);
	struct nw_attempts a;

	nothing_is_lost(t, "cause=mo-Data count=20 rate=100");
	nw_overload_start(node, .action = ACTION_1);
	settle(t);
	a = offer(t, "cause=mo-Data count=50 rate=100");
	if (a.sent)
		tc_inconc(t, "nothing to judge: %llu of %llu attempts were not refused",
			  (unsigned long long)a.sent, (unsigned long long)a.offered);
	if (!a.has_wait_time)
		tc_na(t, "the adapter does not say which wait time a refused UE gets");
	if (a.wait_time < 1 || a.wait_time > 16)
		tc_violation(t,
			     "a refused UE gets a wait time of %g s (0: none), where RRCReject has "
			     "1 to 16 s",
			     a.wait_time);
	tc_note(t, "wait time %g s", a.wait_time);
}

static void connected_ues_are_left_alone(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);
	const struct ngap_received *m;
	struct held held;

	nothing_is_lost(t, "cause=mo-Data count=20 rate=100");
	held = hold_ue(t, nw_node_amf(node), NULL, NULL);
	if (!uplink_arrives(t, &held))
		tc_inconc(t, "no overload is on, and no UPLINK NAS TRANSPORT comes when it is "
			     "asked for");
	nw_ue_without(held.ue, NW_RELEASE);
	nw_overload_start(node, .action = ACTION_1);
	settle(t);
	m = expect_ngap_of(t, held.ue, .type = NGAP_UE_CONTEXT_RELEASE_REQUEST, .within = US_PER_S,
			   .silence = OUTCOME_RETURN);
	if (m) {
		const struct ngap_cause *cause = ngap_value(&m->pdu, NGAP_ID_CAUSE);

		if (cause && cause->choice == NGAP_CAUSE_CHOICE_RADIO_NETWORK &&
		    cause->radio_network == NGAP_CAUSE_RADIO_NETWORK_USER_INACTIVITY)
			tc_inconc(t, "the node releases the UE for user inactivity");
		tc_violation(t, "OVERLOAD START makes the node ask for the release of a connected "
				"UE");
	}
	if (!uplink_arrives(t, &held))
		tc_violation(t, "uplink NAS of a connected UE is not forwarded during overload");
	something_is_refused(t, "cause=mo-Data count=50 rate=100");
}

static void paged_ue_answers(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);
	struct held held;

	nothing_is_lost(t, "cause=mo-Data count=20 rate=100");
	held = hold_ue(t, nw_node_amf(node), NULL, NULL);
	nw_ue_without(held.ue, NW_ACCEPT_SERVICE);
	nw_idle(held.ue);
	nw_page(held.ue);
	expect_nas_of(t, held.ue, .type = SERVICE_REQUEST, .silence = OUTCOME_INCONC,
		      .otherwise = OUTCOME_INCONC, .why = "paging works before overload");
	nw_idle(held.ue);
	nw_overload_start(node, .action = ACTION_2);
	settle(t);
	something_is_refused(t, "cause=mo-Data count=50 rate=100");
	nw_page(held.ue);
	expect_nas_of(t, held.ue, .type = SERVICE_REQUEST, .cause = RRC_MT_ACCESS,
		      .silence = OUTCOME_VIOLATION,
		      .why = "overload filters neither PAGING nor its answer");
}

const struct test_case connected_cases[CONNECTED_CASES] = {
	{ .id = "TP/N2/RAN/WAIT/01",
	  .role = ROLE_RAN,
	  .strength = SHOULD,
	  .requirement = "N2-R-17",
	  .clause = "23.501 5.19.5.2; 38.331 RRCReject",
	  .needs = NEEDS(ICS_N2_OVERLOAD),
	  .purpose = "A refused UE gets a wait time",
	  .stimulus = "START with action 1; 50 mo-Data",
	  .expect = "Wait time of 1 to 16 s",
	  .iut_time_us = 5 * US_PER_S,
	  .run = refused_ue_waits },
	{ .id = "TP/N2/RAN/CONN/01",
	  .role = ROLE_RAN,
	  .strength = SHALL,
	  .requirement = "N2-R-26",
	  .clause = "38.413 8.7.7.2",
	  .needs = NEEDS(ICS_N2_OVERLOAD),
	  .purpose = "Overload leaves connected UEs alone",
	  .stimulus = "START with action 1 while a UE is connected; uplink NAS of it",
	  .expect = "UPLINK NAS TRANSPORT, no UE CONTEXT RELEASE REQUEST",
	  .iut_time_us = 12 * US_PER_S,
	  .run = connected_ues_are_left_alone },
	{ .id = "TP/N2/RAN/PAGE/01",
	  .role = ROLE_RAN,
	  .strength = SHALL,
	  .requirement = "N2-R-27",
	  .clause = "23.501 5.19.5.2",
	  .needs = NEEDS(ICS_N2_OVERLOAD),
	  .purpose = "Overload filters neither PAGING nor its answer",
	  .stimulus = "START with action 2; PAGING for an idle UE",
	  .expect = "Its answer with RRC cause mt-Access",
	  .iut_time_us = 12 * US_PER_S,
	  .run = paged_ue_answers },
};
