/* Load control information. */
#include "suites/sbi_oci_server/server.h"

static void judge_lci(struct tc *t, const struct sbi_response *response)
{
	static const struct {
		unsigned int bit;
		const char *name;
	} parts[] = {
		{ SBI_HAS_TIMESTAMP, "Timestamp" },
		{ SBI_HAS_METRIC, "Load-Metric" },
		{ SBI_HAS_SCOPE, "scope" },
	};

	if (response->lci.lines && response->lci.fault)
		srv_violation(t, response, "3gpp-Sbi-Lci is against the grammar: %s",
			      response->lci.fault);
	for (size_t i = 0; i < response->lci.count; i++)
		for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++)
			if (!(response->lci.items[i].has & parts[k].bit))
				srv_violation(t, response, "3gpp-Sbi-Lci has no %s", parts[k].name);
}

static void form(struct tc *t)
{
	static const unsigned int loads[] = { 20, 60, 90, 40 };
	struct srv *srv = srv_start(t);
	const struct srv_item *before = NULL, *item;
	unsigned int changes = 0;

	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		tc_control(t, "load percent=%u", loads[i]);
		for (int n = 0; n < 4; n++) {
			judge_lci(t, srv_request(srv, srv->consumer));
			tc_sleep(t, SRV_PACE);
		}
		judge_lci(t, srv_missing(srv, srv->consumer));
		item = srv_lci(srv, srv->consumer);
		judge_lci(t, item->response);
		if (before && item->load->metric != before->load->metric) {
			changes++;
			if (item->load->timestamp <= before->load->timestamp)
				srv_violation(t, item->response,
					      "the load has changed from %u %% to %u %%, and the "
					      "Timestamp is none that is newer",
					      before->load->metric, item->load->metric);
		}
		before = item;
		tc_sleep(t, US_PER_S);
	}
	if (!changes)
		tc_inconc(t, "the control action changes nothing in the load control information");
}

static void within_range(struct tc *t)
{
	struct srv *srv = srv_start(t);

	for (unsigned int percent = 0; percent <= 150; percent += 25) {
		tc_control(t, "load percent=%u", percent);
		for (int n = 0; n < 4; n++) {
			srv_request(srv, srv->consumer, .priority = SBI_VALUE(0));
			tc_sleep(t, SRV_PACE);
		}
	}
	for (size_t i = 0; i < srv->lci_count; i++)
		if (srv->lci[i].load->has & SBI_HAS_METRIC && srv->lci[i].load->metric > 100)
			srv_violation(t, srv->lci[i].response, "the load is %u %%",
				      srv->lci[i].load->metric);
	if (!srv->lci_count)
		srv_lci(srv, srv->consumer);
}

static void no_small_steps(struct tc *t)
{
	struct srv *srv = srv_start(t);
	struct srv_ramp ramp;

	for (unsigned int percent = 20; percent <= 65; percent++) {
		tc_control(t, "load percent=%u", percent);
		for (int n = 0; n < 2; n++) {
			srv_request(srv, srv->consumer);
			tc_sleep(t, SRV_PACE);
		}
	}
	if (!srv->lci_count)
		srv_lci(srv, srv->consumer);
	ramp = srv_ramp(srv->lci, srv->lci_count);
	tc_note(t, "%u changes of the load, %u of them below 5 points", ramp.changes, ramp.small);
	if (srv_fidgets(&ramp))
		tc_violation(t, "%u of %u changes of the load are below 5 points", ramp.small,
			     ramp.changes);
}

const struct test_case srv_load_cases[SRV_LOAD_CASES] = {
	{ .id = "TP/SBI/SRV/LCI/01",
	  .requirement = "SB-L-03",
	  .clause = "29.500 6.3.3.4.1, 5.2.3.2.8",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "3gpp-Sbi-Lci keeps to its grammar, and its Timestamp to its content",
	  .stimulus = "Load that changes; requests that are served, and one that is not",
	  .expect = "Timestamp, Load-Metric and scope in each; a newer Timestamp with each change",
	  .needs = NEEDS(ICS_LCI),
	  .iut_time_us = 9 * US_PER_S,
	  .run = form },
	{ .id = "TP/SBI/SRV/LCI/X01",
	  .requirement = "SB-L-05",
	  .clause = "29.500 6.3.3.4.3",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "The load that is told stays within 0 to 100",
	  .stimulus = "Load of 0 to 150 %",
	  .expect = "No Load-Metric above 100",
	  .needs = NEEDS(ICS_LCI),
	  .iut_time_us = 6 * US_PER_S,
	  .run = within_range },
	{ .id = "TP/SBI/SRV/LCI/X02",
	  .requirement = "SB-L-06",
	  .clause = "29.500 6.3.3.3",
	  .strength = SHOULD,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Small variations of load are not announced",
	  .stimulus = "Load that rises by one point at a time",
	  .expect = "Most changes of the Load-Metric are of 5 points and more",
	  .needs = NEEDS(ICS_LCI),
	  .iut_time_us = 19 * US_PER_S,
	  .run = no_small_steps },
};
