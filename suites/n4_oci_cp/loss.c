/* TP/N4/CP/LOSS: the reduction that a UP function asks for (TS 29.244 6.2.4.4). */
#include <inttypes.h>
#include <stdio.h>

#include "suites/n4_oci_cp/oci.h"

static void nothing_without_oci(struct tc *t)
{
	oci_upf(t);
	oci_all_sent(t, "no UP function has told of overload", MODIFY " count=1000");
	oci_all_sent(t, "no UP function has told of overload", "op=establish rate=500 count=1000");
}

static void metric_is_the_share_shed(struct tc *t)
{
	static const uint8_t metrics[] = { 10, 50, 90 };
	struct upf *upf = oci_upf(t);

	for (uint32_t i = 0; i < sizeof(metrics); i++) {
		upf_oci(upf, .sequence_number = 100 + i, .metric = metrics[i],
			.timer = LONG_VALIDITY);
		oci_tell(upf);
		oci_share_sent(t, 1 - metrics[i] / 100.0, MODIFY);
	}
}

static void everything_is_shed(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 100, .metric = 100, .timer = LONG_VALIDITY, .node = true);
	oci_tell(upf);
	oci_none_sent(t, "the metric is 100", MODIFY " count=1000");
	oci_none_sent(t, "the metric is 100", "op=establish priority=normal rate=500 count=1000");
}

static void responses_are_sent(struct tc *t)
{
	enum { REPORTS = 100 };
	static const uint8_t metrics[] = { 50, 100 };
	struct upf *upf = oci_upf(t);

	for (uint32_t i = 0; i < sizeof(metrics); i++) {
		upf_oci(upf, .sequence_number = 100 + i, .metric = metrics[i],
			.timer = LONG_VALIDITY, .node = true);
		oci_tell(upf);
		oci_something_shed(t, MODIFY " count=200");
		for (unsigned int n = 0; n < REPORTS; n++)
			if (!pfcp_finish_try(upf_report(upf_session(upf, 0))))
				tc_violation(t,
					     "Session Report Request %u of %u is not answered at "
					     "metric %u, though responses are not to be throttled",
					     n + 1, REPORTS, metrics[i]);
	}
}

/* Shares at both UP functions, and what is neither here nor there. */
struct redirection {
	uint64_t offered, first, second, failed, redirected;
	bool has_redirected;
};

static void offer_to_first(struct tc *t, struct redirection *sum, const struct upf *first,
			   const struct upf *second, uint64_t count)
{
	struct upf_offered offered = oci_offer(t, "op=establish rate=500 up=%u count=%" PRIu64,
					       upf_number(first), count);

	sum->offered += offered.offered;
	sum->first +=
		upf_counted(offered.count, .at = first, .type = PFCP_SESSION_ESTABLISHMENT_REQUEST);
	sum->second += upf_counted(offered.count, .at = second,
				   .type = PFCP_SESSION_ESTABLISHMENT_REQUEST);
	sum->failed += offered.failed;
	sum->has_redirected = offered.has_redirected;
	sum->redirected += offered.redirected;
}

static void shed_requests_go_to_another(struct tc *t)
{
	struct share_test test = oci_share_test(t, 0.5);
	struct redirection sum = { .offered = 0 };
	struct upf *first = upf_start(t), *second = upf_start(t);
	enum share_answer answer;
	char figures[512];
	struct text text;

	oci_associate(t);
	oci_establish(t, first, 10);
	oci_establish(t, second, 10);
	upf_oci(first, .sequence_number = 100, .metric = 50, .timer = LONG_VALIDITY, .node = true);
	oci_tell(first);
	do {
		offer_to_first(t, &sum, first, second, sum.offered ? test.step : test.first);
		answer = share_judge(&test, sum.offered, sum.first, sum.offered >= test.last);
	} while (answer == SHARE_UNDECIDED);
	text_init(&text, figures, sizeof(figures));
	tc_share(t, "to the first UP function", &test, sum.offered, sum.first, &text);
	text_printf(&text,
		    " to the first UP function; %" PRIu64 " to the second, %" PRIu64
		    " failed upwards",
		    sum.second, sum.failed);
	tc_note(t, "%s", figures);
	if (sum.first + sum.second + sum.failed < sum.offered)
		tc_violation(t,
			     "%" PRIu64
			     " procedures are lost: neither sent to a UP function nor failed: %s",
			     sum.offered - sum.first - sum.second - sum.failed, figures);
	if (answer == SHARE_VIOLATED)
		tc_violation(t, "the first UP function asks for half of its requests: %s", figures);
	if (sum.first + sum.second < sum.offered)
		tc_violation(t,
			     "another UP function could take what is shed, and does not get it: %s",
			     figures);
	if (sum.has_redirected && sum.redirected != sum.second)
		tc_error(t,
			 "the control adapter says that %" PRIu64 " were redirected, and %" PRIu64
			 " came to the second UP function",
			 sum.redirected, sum.second);
}

static void shed_requests_fail_upwards(struct tc *t)
{
	struct upf *upf = oci_upf(t);
	struct upf_offered offered;

	upf_oci(upf, .sequence_number = 100, .metric = 50, .timer = LONG_VALIDITY, .node = true);
	oci_tell(upf);
	for (int i = 0; i < 2; i++) {
		offered = oci_offer(t, "%s rate=500 count=1000", i ? "op=establish" : "op=modify");
		if (!offered.has_failed)
			tc_na(t, "the control adapter does not say how many procedures failed");
		if (offered.sent == offered.offered)
			tc_fail(t,
				"nothing is shed at metric 50 (N4-C-02): sent %" PRIu64
				" of %" PRIu64,
				offered.sent, offered.offered);
		if (offered.sent + offered.failed < offered.offered)
			tc_violation(t,
				     "procedures are lost without a word to the upper protocol: "
				     "offered %" PRIu64 ", sent %" PRIu64 ", failed %" PRIu64,
				     offered.offered, offered.sent, offered.failed);
		if (offered.failed > offered.offered - offered.sent)
			tc_error(t,
				 "the control adapter says that %" PRIu64 " failed, and of %" PRIu64
				 " %" PRIu64 " were sent and accepted",
				 offered.failed, offered.offered, offered.sent);
	}
}

#define LOSS(number, requires, where, need)                                               \
	.id = "TP/N4/CP/LOSS/" number, .role = ROLE_CP, .strength = SHALL, .needs = need, \
	.requirement = requires, .clause = "29.244 " where

const struct test_case cp_loss_cases[LOSS_CASES] = {
	{ LOSS("01", "N4-C-02", "6.2.4.4.2.1", NEEDS(ICS_OCI)),
	  .purpose = "Without overload control information nothing is throttled",
	  .stimulus = "No OCI; 1,000 modifications and 1,000 establishments", .expect = "All sent",
	  .iut_time_us = 10 * US_PER_S, .run = nothing_without_oci },
	{ LOSS("02", "N4-C-02", "6.2.4.4.2.1, annex A.1", NEEDS(ICS_OCI)),
	  .purpose = "The metric is the percentage of requests that is shed",
	  .stimulus = "OCI with metric 10, then 50, then 90; up to 4,000 procedures each",
	  .expect = "90, 50, 10 % sent", .iut_time_us = 25 * US_PER_S,
	  .run = metric_is_the_share_shed },
	{ LOSS("03", "N4-C-02", "6.2.4.4.2.1", NEEDS(ICS_OCI)),
	  .purpose = "Metric 100 means no new request of normal priority",
	  .stimulus = "OCI with metric 100; 1,000 modifications, 1,000 establishments",
	  .expect = "0 sent", .iut_time_us = 10 * US_PER_S, .run = everything_is_shed },
	{ LOSS("04", "N4-C-03", "6.2.4.4.1", NEEDS(ICS_OCI)),
	  .purpose = "Responses are not throttled",
	  .stimulus = "OCI with metric 50, then 100; 100 Session Report Requests each",
	  .expect = "All answered", .iut_time_us = 10 * US_PER_S, .run = responses_are_sent },
	{ LOSS("05", "N4-C-04", "6.2.4.4.2.1", NEEDS(ICS_OCI) | NEEDS(ICS_REDIRECT)),
	  .purpose = "What is shed is redirected to another UP function where there is one",
	  .stimulus = "Two UP functions, metric 50 on the first; establishments meant for it",
	  .expect = "50 % there, the others at the second, none lost", .iut_time_us = 15 * US_PER_S,
	  .run = shed_requests_go_to_another },
	{ LOSS("06", "N4-C-04", "6.2.4.4.2.1", NEEDS(ICS_OCI)),
	  .purpose = "What is shed and cannot be redirected fails as if it had been rejected",
	  .stimulus = "One UP function, metric 50; 1,000 modifications, 1,000 establishments",
	  .expect = "Sent and failed upwards together are what was offered",
	  .iut_time_us = 10 * US_PER_S, .run = shed_requests_fail_upwards },
};
