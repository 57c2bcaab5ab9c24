/* TP/SBI/CLI/LOSS: the reduction that a producer asks for (TS 29.500 6.4.3.5). */
#include <inttypes.h>
#include <stdio.h>

#include "suites/sbi_oci_client/client.h"

static void metric_is_the_share_shed(struct tc *t)
{
	static const unsigned int metrics[] = { 10, 50, 90 };
	struct sbi_peer *producer = cli_producer(t);

	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		sbi_oci(producer, .metric = metrics[i], .validity = CLI_LONG);
		cli_tell(producer);
		cli_share(t, 1 - metrics[i] / 100.0, NULL, "%s", "");
	}
}

static void nothing_is_lost(struct tc *t, const struct sbi_offered *o, const char *what)
{
	if (o->has_failed && o->sent + o->failed < o->offered)
		tc_violation(t,
			     "%" PRIu64 " operations are lost: offered %" PRIu64
			     ", and only %" PRIu64 " were sent and %" PRIu64 " failed upwards, %s",
			     o->offered - o->sent - o->failed, o->offered, o->sent, o->failed,
			     what);
}

static void shed_requests_go_to_another(struct tc *t)
{
	struct sbi_peer *first = cli_peer(t, 0), *second = cli_peer(t, 1);
	struct sbi_offered sum;

	(void)second;
	cli_begin(t);
	sbi_oci(first, .metric = 50, .validity = CLI_LONG);
	cli_tell(first);
	sum = cli_share(t, 0.5, first, "%s", "");
	nothing_is_lost(t, &sum, "though a second producer could take them");
	if (sum.sent < sum.offered)
		tc_violation(t,
			     "another producer could take what is shed, and does not get it: "
			     "offered %" PRIu64 ", sent %" PRIu64 " to both of them",
			     sum.offered, sum.sent);
}

static void no_redirection_inside_the_scope(struct tc *t)
{
	struct sbi_peer *first = cli_peer(t, 0);

	cli_peer(t, 1);
	cli_begin(t);
	sbi_oci(first, .metric = 50, .validity = CLI_LONG, .scope = sbi_scope_set(first));
	cli_tell(first);
	cli_share(t, 0.5, NULL, "%s", "");
}

static void responses_are_sent(struct tc *t)
{
	enum { NOTIFICATIONS = 100 };
	static const unsigned int metrics[] = { 50, 100 };
	struct sbi_peer *producer = cli_producer(t);
	const char *callback = sbi_peer_callback(producer);

	if (!callback[0])
		tc_inconc(t, "the IUT has given no URI for notifications");
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		sbi_oci(producer, .metric = metrics[i], .validity = CLI_LONG);
		cli_tell(producer);
		cli_something_shed(t, "count=100 rate=%d", CLI_RATE);
		for (unsigned int n = 0; n < NOTIFICATIONS; n++) {
			struct sbi_exchange *asked =
				sbi_ask(producer, .uri = callback,
					.body = "{\"statusInfo\":{\"resourceStatus\":\"UPDATED\"}}",
					.fields = { { "3gpp-sbi-callback",
						      "Nsmf_PDUSession_StatusNotify" } });

			if (!sbi_finish_try(asked))
				tc_violation(t,
					     "notification %u of %u is not answered at metric %u, "
					     "though responses are not to be throttled: %s",
					     n + 1, NOTIFICATIONS, metrics[i],
					     sbi_failure_why(asked));
		}
	}
}

static void everything_is_shed(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);

	sbi_oci(producer, .metric = 100, .validity = CLI_LONG);
	cli_tell(producer);
	cli_none_sent(t, "the metric is 100", "count=1000 rate=%d priority=normal", CLI_RATE);
}

static void nine_is_nine(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);

	sbi_oci(producer, .metric = 9, .validity = CLI_LONG);
	cli_tell(producer);
	cli_share(t, 0.91, NULL, "%s", "");
}

static void any_status_brings_it(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);

	sbi_server_rule(sbi_peer_server(producer),
			&(struct sbi_rule){ .method = "POST",
					    .status = 403,
					    .cause = "SUBSCRIPTION_DENIED",
					    .times = 1 });
	sbi_oci(producer, .metric = 100, .validity = CLI_LONG);
	cli_tell(producer);
	cli_none_sent(t, "the metric is 100, as a response with status 403 said",
		      "count=500 rate=%d", CLI_RATE);
}

static void notifications_bring_it(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);

	sbi_oci(producer, .metric = 50, .validity = CLI_LONG);
	sbi_tell(producer);
	sbi_no_oci(producer);
	cli_share(t, 0.5, NULL, "%s", "");
}

static void shed_requests_fail_upwards(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	struct sbi_offered o;

	sbi_oci(producer, .metric = 50, .validity = CLI_LONG);
	cli_tell(producer);
	o = sbi_offer(t, "count=1000 rate=%d", CLI_RATE);
	if (!o.has_failed)
		tc_na(t, "the control adapter does not say how many operations failed");
	if (o.sent == o.offered)
		tc_fail(t, "nothing is shed at metric 50 (SB-C-01): sent %" PRIu64, o.sent);
	nothing_is_lost(t, &o, "and whoever asked is not told of them");
}

static void nothing_without_oci(struct tc *t)
{
	cli_producer(t);
	cli_all_sent(t, "no producer has told of overload", "count=1000 rate=%d", CLI_RATE);
}

#define LOSS(number, requires, where, need)                                                        \
	.id = "TP/SBI/CLI/LOSS/" number, .role = ROLE_NF_CLIENT, .strength = SHALL, .needs = need, \
	.requirement = requires, .clause = "29.500 " where

const struct test_case cli_loss_cases[CLI_LOSS_CASES] = {
	{ LOSS("01", "SB-C-01", "6.4.3.5.1, 6.4.3.5.2", NEEDS(ICS_OLC_H)),
	  .purpose = "The metric is the percentage of requests that is shed",
	  .stimulus = "OCI with metric 10, then 50, then 90; up to 4,000 operations each",
	  .expect = "90, 50, 10 % sent", .iut_time_us = 40 * US_PER_S,
	  .run = metric_is_the_share_shed },
	{ LOSS("02", "SB-C-02", "6.4.3.5.2", NEEDS(ICS_OLC_H) | NEEDS(ICS_REDIRECT)),
	  .purpose = "What is shed is redirected to another producer where there is one",
	  .stimulus = "Two producers of a set, instance scope, metric 50 on the first",
	  .expect = "50 % there, the others at the second, none lost", .iut_time_us = 15 * US_PER_S,
	  .run = shed_requests_go_to_another },
	{ LOSS("03", "SB-C-03", "6.4.3.5.1", NEEDS(ICS_OLC_H)),
	  .purpose = "What is shed is not redirected inside the scope",
	  .stimulus = "Two producers of a set, OCI of the set, metric 50",
	  .expect = "50 % sent to both together", .iut_time_us = 15 * US_PER_S,
	  .run = no_redirection_inside_the_scope },
	{ LOSS("04", "SB-C-04", "6.4.3.5.1", NEEDS(ICS_OLC_H)),
	  .purpose = "Responses are not throttled",
	  .stimulus = "OCI with metric 50, then 100; 100 notifications each",
	  .expect = "All answered", .iut_time_us = 10 * US_PER_S, .run = responses_are_sent },
	{ LOSS("X01", "SB-C-01", "6.4.3.4.3", NEEDS(ICS_OLC_H)),
	  .purpose = "Metric 100 means no request of normal priority",
	  .stimulus = "OCI with metric 100; 1,000 operations", .expect = "0 sent",
	  .iut_time_us = 10 * US_PER_S, .run = everything_is_shed },
	{ LOSS("X02", "SB-C-01", "6.4.3.5.2", NEEDS(ICS_OLC_H)),
	  .purpose = "The metric counts to the point",
	  .stimulus = "OCI with metric 9; up to 4,000 operations", .expect = "91 % sent",
	  .iut_time_us = 25 * US_PER_S, .run = nine_is_nine },
	{ LOSS("X03", "SB-S-08", "6.4.3.4.1", NEEDS(ICS_OLC_H)),
	  .purpose = "OCI counts in a response with any status code",
	  .stimulus = "One response 403 with OCI, metric 100; then 500 operations",
	  .expect = "0 sent", .iut_time_us = 8 * US_PER_S, .run = any_status_brings_it },
	{ LOSS("X04", "SB-C-01", "6.4.3.2", NEEDS(ICS_OLC_H)),
	  .purpose = "OCI counts in a notification request",
	  .stimulus = "One notification with OCI, metric 50; then up to 4,000 operations",
	  .expect = "50 % sent", .iut_time_us = 15 * US_PER_S, .run = notifications_bring_it },
	{ LOSS("X05", "SB-C-02", "6.4.3.5.2", NEEDS(ICS_OLC_H)),
	  .purpose = "What is shed and cannot be redirected fails as if it had been rejected",
	  .stimulus = "One producer, metric 50; 1,000 operations",
	  .expect = "Sent and failed upwards together are what was offered",
	  .iut_time_us = 8 * US_PER_S, .run = shed_requests_fail_upwards },
	{ LOSS("X06", "SB-C-01", "6.4.3.5.1", NEEDS(ICS_OLC_H)),
	  .purpose = "Without overload control information nothing is throttled",
	  .stimulus = "No OCI; 1,000 operations", .expect = "All sent", .iut_time_us = 8 * US_PER_S,
	  .run = nothing_without_oci },
};
