/* The Timestamp of overload control information, its prolongation, and how overload ends. */
#include "suites/sbi_oci_server/server.h"

#define VALIDITY_AWAITED UINT64_C(120) /* s */

static void constant(struct tc *t)
{
	struct srv *srv = srv_start(t);
	const struct srv_item *first;
	unsigned int moved = 0;
	size_t from;

	srv_overload(srv, "metric=40 validity=600");
	first = srv_oci(srv, srv->consumer);
	from = srv->oci_count - 1;
	for (int i = 0; i < 50; i++) {
		srv_request(srv, srv->consumer);
		tc_sleep(t, SRV_PACE);
	}
	for (size_t i = from + 1; i < srv->oci_count; i++) {
		const struct sbi_load *a = srv->oci[i - 1].load, *b = srv->oci[i].load;

		if (a->metric == b->metric && a->validity == b->validity)
			moved += a->timestamp != b->timestamp;
	}
	tc_note(t, "the timestamp moved %u times in %zu elements of 10 s, metric %u %% for %u s",
		moved, srv->oci_count - from, first->load->metric, first->load->validity);
	/* One may be a prolongation; a validity of ten minutes needs no more of them. */
	if (moved > 1)
		srv_should(t, srv->oci[srv->oci_count - 1].response, "SB-S-11",
			   "the Timestamp moved %u times within 10 s, though nothing changed and "
			   "there is nothing to prolong",
			   moved);
}

static void must_be_newer(struct tc *t, const struct srv_item *before, const struct srv_item *after,
			  const char *what)
{
	if (after->load->timestamp <= before->load->timestamp)
		srv_violation(t, after->response,
			      "%s: %u %% for %u s became %u %% for %u s, and the Timestamp is %s",
			      what, before->load->metric, before->load->validity,
			      after->load->metric, after->load->validity,
			      after->load->timestamp == before->load->timestamp ? "the same"
										: "an older one");
}

static void follows_content(struct tc *t)
{
	static const unsigned int metrics[] = { 40, 60, 30, 90, 10 };
	struct srv *srv = srv_start(t);
	const struct srv_item *before, *after;

	srv_overload(srv, "metric=50 validity=60");
	before = srv_oci(srv, srv->consumer);
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		tc_sleep(t, 1500 * US_PER_MS);
		srv_overload(srv, "metric=%u validity=60", metrics[i]);
		after = srv_new_oci(srv, srv->consumer, before);
		must_be_newer(t, before, after, "a new metric");
		before = after;
	}
	/* Timestamps have seconds, changes need not wait for them. */
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		srv_overload(srv, "metric=%u validity=60", metrics[i] + 5);
		after = srv_new_oci(srv, srv->consumer, before);
		must_be_newer(t, before, after, "changes that follow each other within a second");
		before = after;
	}
}

static void follows_validity(struct tc *t)
{
	static const unsigned int periods[] = { 120, 45, 300 };
	struct srv *srv = srv_start(t);
	const struct srv_item *before, *after;

	srv_overload(srv, "metric=50 validity=60");
	before = srv_oci(srv, srv->consumer);
	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		tc_sleep(t, 1500 * US_PER_MS);
		srv_overload(srv, "metric=50 validity=%u", periods[i]);
		for (int n = 0; n < 8; n++) {
			after = srv_oci(srv, srv->consumer);
			if (after->load->validity != before->load->validity)
				break;
			tc_sleep(t, SRV_PACE);
		}
		if (after->load->validity == before->load->validity)
			tc_inconc(t, "the control action does not change the period of validity");
		must_be_newer(t, before, after, "a new period of validity");
		before = after;
	}
}

/*
 * While overload lasts, its information is to be renewed before it elapses; a receiver counts from
 * the first message with a Timestamp.
 */
static void prolonged(struct tc *t)
{
	const uint64_t grace = 2 * US_PER_S;
	struct srv *srv = srv_start(t);
	const struct srv_item *current;
	uint64_t since, end;
	unsigned int renewals = 0;

	srv_overload(srv, "metric=40 validity=10");
	current = srv_oci(srv, srv->consumer);
	since = current->response->time;
	end = since + 45 * US_PER_S;
	while (loop_now(t->loop) < end) {
		uint64_t until = since + current->load->validity * US_PER_S;
		size_t from = srv->oci_count;

		tc_sleep(t, 500 * US_PER_MS);
		srv_request(srv, srv->consumer);
		if (srv->oci_count > from &&
		    srv->oci[srv->oci_count - 1].load->timestamp > current->load->timestamp) {
			current = &srv->oci[srv->oci_count - 1];
			since = current->response->time;
			renewals++;
			if (since > until + grace)
				srv_violation(
					t, current->response,
					"overload lasts, and its information was renewed %" PRIu64
					" ms after it had elapsed",
					(since - until) / US_PER_MS);
		} else if (loop_now(t->loop) > until + grace) {
			srv_violation(t, current->response,
				      "overload lasts, and its information has elapsed: the "
				      "Timestamp of %u s ago is still told, for a validity of %u s",
				      (unsigned int)((loop_now(t->loop) - since) / US_PER_S),
				      current->load->validity);
		}
	}
	tc_note(t, "a validity of %u s was renewed %u times in 45 s", current->load->validity,
		renewals);
}

static void no_small_steps(struct tc *t)
{
	struct srv *srv = srv_start(t);
	struct srv_ramp ramp;

	tc_control(t, "load percent=60");
	for (unsigned int percent = 75; percent <= 115; percent++) {
		tc_control(t, "load percent=%u", percent);
		for (int i = 0; i < 2; i++) {
			srv_request(srv, srv->consumer, .priority = SBI_VALUE(0));
			tc_sleep(t, SRV_PACE);
		}
	}
	ramp = srv_ramp(srv->oci, srv->oci_count);
	if (srv->oci_count == 0)
		tc_inconc(t, "a load of up to 115 %% gives no overload control information");
	tc_note(t, "%u changes of the metric, %u of them below 5 points", ramp.changes, ramp.small);
	if (srv_fidgets(&ramp))
		tc_violation(t, "%u of %u changes of the metric are below 5 points", ramp.small,
			     ramp.changes);
}

/* --- the end ------------------------------------------------------------------------------------
 */

/*
 * After the end, overload is told with metric 0, or not at all; what was told before may come again
 * with its old Timestamp, which nobody obeys, as long as it is valid.
 */
static void judge_end(struct srv *srv, const struct srv_item *last, const char *what)
{
	struct tc *t = srv->t;
	uint64_t ended = loop_now(t->loop);
	const uint64_t grace = US_PER_S;
	/* Whoever says that it lasts for hours is not waited for. */
	bool is_long = last->load->validity > VALIDITY_AWAITED;
	uint64_t elapses = last->response->time +
			   (is_long ? VALIDITY_AWAITED : last->load->validity) * US_PER_S;
	unsigned int told = 0, zero = 0;

	while (loop_now(t->loop) < elapses + 5 * US_PER_S) {
		size_t from = srv->oci_count;

		srv_request(srv, srv->consumer, .priority = SBI_VALUE(0));
		for (size_t i = from; i < srv->oci_count; i++) {
			const struct srv_item *item = &srv->oci[i];

			told++;
			if (item->load->metric == 0) {
				zero++;
				if (item->load->timestamp <= last->load->timestamp)
					srv_violation(
						t, item->response,
						"%s: metric 0 comes with the Timestamp of the "
						"overload: no receiver obeys it",
						what);
				continue;
			}
			if (item->response->time > ended + grace &&
			    item->load->timestamp > last->load->timestamp)
				srv_violation(t, item->response, "%s: metric %u %% is told anew",
					      what, item->load->metric);
			if (!is_long && item->response->time > elapses + 2 * grace)
				srv_violation(
					t, item->response,
					"%s: metric %u %% is still told after its validity of "
					"%u s",
					what, item->load->metric, last->load->validity);
		}
		tc_sleep(t, 500 * US_PER_MS);
	}
	tc_note(t, "%s: %u elements after it, %u of them with metric 0", what, told, zero);
}

static void ends(struct tc *t)
{
	struct srv *srv = srv_start(t);
	const struct srv_item *last;

	srv_overload(srv, "metric=40 validity=10");
	srv_oci(srv, srv->consumer);
	tc_sleep(t, 1500 * US_PER_MS);
	last = srv_oci(srv, srv->consumer);
	tc_sleep(t, 1500 * US_PER_MS);
	tc_control(t, "overload metric=0");
	judge_end(srv, last, "the overload has ended");
}

static void ends_with_load(struct tc *t)
{
	struct srv *srv = srv_start(t);
	const struct srv_item *last = NULL;

	tc_control(t, "load percent=110");
	for (int i = 0; i < 10; i++) {
		srv_request(srv, srv->consumer, .priority = SBI_VALUE(0));
		tc_sleep(t, SRV_PACE);
	}
	for (size_t i = srv->oci_count; i > 0 && !last; i--)
		last = srv->oci[i - 1].load->metric ? &srv->oci[i - 1] : NULL;
	if (!last)
		tc_fail(t,
			"at a load of 110 %% none of 10 answers has overload control information "
			"(SB-S-06)");
	tc_control(t, "load percent=30");
	judge_end(srv, last, "the load has fallen to 30 %");
}

const struct test_case srv_timestamp_cases[SRV_TIMESTAMP_CASES] = {
	{ .id = "TP/SBI/SRV/TS/01",
	  .requirement = "SB-S-11",
	  .clause = "29.500 6.4.3.4.2",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "The Timestamp stays while nothing changes",
	  .stimulus = "Constant overload with a validity of 10 minutes, 50 requests in 10 s",
	  .expect = "One Timestamp, or two where it is prolonged",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 11 * US_PER_S,
	  .run = constant },
	{ .id = "TP/SBI/SRV/TS/02",
	  .requirement = "SB-S-11",
	  .clause = "29.500 6.4.3.4.2",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "New content has a newer Timestamp",
	  .stimulus = "Metrics that go up and down, some of them within a second",
	  .expect = "A newer Timestamp with each",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 10 * US_PER_S,
	  .run = follows_content },
	{ .id = "TP/SBI/SRV/TS/X01",
	  .requirement = "SB-S-11",
	  .clause = "29.500 6.4.3.4.2",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "A new period of validity has a newer Timestamp",
	  .stimulus = "Overload whose validity changes, and nothing else",
	  .expect = "A newer Timestamp with each",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 6 * US_PER_S,
	  .run = follows_validity },
	{ .id = "TP/SBI/SRV/TS/X02",
	  .requirement = "SB-S-11",
	  .clause = "29.500 6.4.3.4.2, 6.4.3.4.4",
	  .strength = SHOULD,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Overload that lasts is prolonged before its validity elapses",
	  .stimulus = "Constant overload with a validity of 10 s, requests for 45 s",
	  .expect = "A newer Timestamp at least every 10 s",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 46 * US_PER_S,
	  .run = prolonged },
	{ .id = "TP/SBI/SRV/TS/X03",
	  .requirement = "SB-S-13",
	  .clause = "29.500 6.4.3.4.3",
	  .strength = SHOULD,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Small variations of overload are not announced",
	  .stimulus = "Load that rises by one point at a time",
	  .expect = "Most changes of the metric are of 5 points and more",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 17 * US_PER_S,
	  .run = no_small_steps },
	{ .id = "TP/SBI/SRV/END/01",
	  .requirement = "SB-S-12",
	  .clause = "29.500 6.4.3.4.3",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "The end of overload is told by metric 0, or shows by expiry",
	  .stimulus = "Overload with a validity of 10 s that ends; requests until after it",
	  .expect = "Metric 0 with a newer Timestamp, or nothing",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 19 * US_PER_S,
	  .run = ends },
	{ .id = "TP/SBI/SRV/END/X01",
	  .requirement = "SB-S-12",
	  .clause = "29.500 6.4.3.4.3",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Overload that came with load goes with it",
	  .stimulus = "Load of 110 %, then of 30 %; requests until the validity is over",
	  .expect = "Metric 0 with a newer Timestamp, or nothing",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 70 * US_PER_S,
	  .run = ends_with_load },
};
