/* Whom a producer tells of its overload, by which messages, and what it tells the NRF of itself. */
#include "suites/sbi_oci_server/server.h"

static void whoever_it_is(struct tc *t)
{
	struct srv *srv = srv_start(t);
	struct sbi_peer *plain = sbi_peer_start(t, .no_olc_h = true, .no_lc_h = true);
	const struct srv_item *item;

	srv_request(srv, plain);
	for (unsigned int metric = 30; metric <= 60; metric += 30) {
		srv_overload(srv, "metric=%u validity=60", metric);
		srv_oci(srv, srv->consumer);
		item = srv_oci(srv, plain);
		if (item->response->oci.fault)
			tc_note(t, "%s", item->response->oci.fault);
		tc_sleep(t, US_PER_S);
	}
}

static void every_consumer(struct tc *t)
{
	struct srv *srv = srv_start(t);
	struct sbi_peer *second = sbi_peer_start(t), *third = sbi_peer_start(t);
	struct sbi_peer *const peers[] = { srv->consumer, second, third };

	for (size_t i = 0; i < 3; i++)
		srv_request(srv, peers[i]);
	for (unsigned int metric = 20; metric <= 60; metric += 20) {
		srv_overload(srv, "metric=%u validity=60", metric);
		for (size_t i = 0; i < 3; i++) {
			const struct srv_item *item = srv_oci(srv, peers[i]);
			bool stale = item->load->metric != metric;

			if (stale)
				item = srv_other_oci(srv, peers[i], item);
			if (!item || item->load->metric != metric)
				tc_violation(t,
					     "%s gets answers, and is not told that the metric is "
					     "%u %% by now",
					     sbi_peer_name(peers[i]), metric);
		}
		tc_sleep(t, US_PER_S);
	}
}

static void no_extra_message(struct tc *t)
{
	struct srv *srv = srv_start(t);
	size_t subscribing = sbi_subscribing(t);
	const struct sbi_response *response;

	if (subscribing == SIZE_MAX)
		tc_na(t, "no operation of the profile has a {callback}: nothing can be notified");
	response = sbi_finish(sbi_operation(srv->consumer, subscribing));
	if (response->status / 100 != 2)
		tc_inconc(t, "the subscription is refused with %u", response->status);
	/* What a new subscription brings by itself. */
	tc_sleep(t, 3 * US_PER_S);
	forget_sbi(t, sbi_peer_server(srv->consumer));
	for (unsigned int metric = 20; metric <= 80; metric += 20) {
		srv_overload(srv, "metric=%u validity=30", metric);
		expect_no_sbi(t, sbi_peer_server(srv->consumer), .within = 5 * US_PER_S,
			      .why = "overload control information rides on messages that are sent "
				     "anyway");
	}
	srv_overload(srv, "metric=0");
	expect_no_sbi(t, sbi_peer_server(srv->consumer), .within = 5 * US_PER_S);
	srv_request(srv, srv->consumer);
}

static void announced(struct tc *t)
{
	const struct json_nf_profile *profile;

	sbi_peer_start(t);
	sbi_iut_starts(t);
	profile = sbi_iut_profile(t);
	if (!profile)
		tc_fail(t, "the IUT registers with what is no NFProfile");
	if (t->profile->ics[ICS_OLC_H] && profile->olc_h_support_ind != JSON_YES)
		tc_violation(t,
			     "olcHSupportInd of its NFProfile is %s, though overload control by "
			     "3gpp-Sbi-Oci is supported",
			     profile->olc_h_support_ind == JSON_NO ? "false"
								   : "absent, which means false");
	if (t->profile->ics[ICS_LCI] && profile->lc_h_support_ind != JSON_YES)
		tc_violation(t,
			     "lcHSupportInd of its NFProfile is %s, though load control by "
			     "3gpp-Sbi-Lci is supported",
			     profile->lc_h_support_ind == JSON_NO ? "false"
								  : "absent, which means false");
}

static void within_range(struct tc *t)
{
	struct srv *srv = srv_start(t);

	for (unsigned int percent = 90; percent <= 150; percent += 20) {
		if (!tc_control_try(t, "load percent=%u", percent))
			break;
		for (int i = 0; i < 5; i++) {
			/* A request of high priority is served at any load. */
			srv_request(srv, srv->consumer, .priority = SBI_VALUE(0));
			tc_sleep(t, SRV_PACE);
		}
	}
	tc_control_try(t, "load percent=0");
	srv_overload(srv, "metric=100 validity=60");
	srv_oci(srv, srv->consumer);
	for (size_t i = 0; i < srv->oci_count; i++)
		if (srv->oci[i].load->has & SBI_HAS_METRIC && srv->oci[i].load->metric > 100)
			srv_violation(t, srv->oci[i].response, "the metric is %u %%",
				      srv->oci[i].load->metric);
}

const struct test_case srv_inform_cases[SRV_INFORM_CASES] = {
	{ .id = "TP/SBI/SRV/HDR/06",
	  .requirement = "SB-S-07",
	  .clause = "29.500 6.4.3.2",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Overload control information is sent whether or not the consumer supports it",
	  .stimulus = "Overload; requests of a consumer without olcHSupportInd, and of one with it",
	  .expect = "3gpp-Sbi-Oci to both",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 4 * US_PER_S,
	  .run = whoever_it_is },
	{ .id = "TP/SBI/SRV/HDR/X01",
	  .requirement = "SB-S-14",
	  .clause = "29.500 6.4.3.3",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "New overload control information reaches every consumer",
	  .stimulus = "Overload that changes; requests of three consumers",
	  .expect = "The new metric to each of them",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 5 * US_PER_S,
	  .run = every_consumer },
	{ .id = "TP/SBI/SRV/HDR/X02",
	  .requirement = "SB-S-06",
	  .clause = "29.500 6.4.3.1, 6.4.3.2",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Overload causes no message that would not be sent anyway",
	  .stimulus = "A subscription without events; overload that changes every 5 s",
	  .expect = "No notification",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 30 * US_PER_S,
	  .run = no_extra_message },
	{ .id = "TP/SBI/SRV/HDR/X03",
	  .requirement = "SB-S-12",
	  .clause = "29.500 6.4.3.4.3",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "The metric stays within 0 to 100 however high the load is",
	  .stimulus = "Load up to 150 %, overload of 100 %",
	  .expect = "No metric above 100",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 5 * US_PER_S,
	  .run = within_range },
	{ .id = "TP/SBI/SRV/REG/01",
	  .requirement = "SB-S-22",
	  .clause = "29.500 6.4.3.6, 29.510",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Support of load and overload control is told to the NRF",
	  .stimulus = "Start of the producer",
	  .expect = "NFRegister with olcHSupportInd and lcHSupportInd true as claimed",
	  .iut_time_us = 5 * US_PER_S,
	  .run = announced },
};
