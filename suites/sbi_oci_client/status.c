/* TP/SBI/CLI/ST: congestion that is told by status codes (TS 29.500 6.4.2). */
#include <inttypes.h>
#include <stdio.h>

#include "suites/sbi_oci_client/client.h"

#define CONTEXTS "/nsmf-pdusession/v1/sm-contexts"

static const struct sbi_rule congested = { .method = "POST",
					   .status = 503,
					   .cause = "NF_CONGESTION" };

static void diverts(struct tc *t)
{
	enum { STORM_RATE = 100 };
	struct sbi_peer *first = cli_peer(t, 0);
	struct sbi_offered o;
	uint64_t here, slack;

	cli_peer(t, 1);
	cli_begin(t);
	sbi_server_rule(sbi_peer_server(first), &congested);
	o = sbi_offer(t, "count=1000 rate=%d", STORM_RATE);
	here = sbi_counted(&o.count, .at = first);
	slack = o.offered / 20;
	tc_note(t,
		"offered %" PRIu64 "; to the producer that answers 503: %" PRIu64
		" requests, to the other: %" PRIu64,
		o.offered, here, o.sent - here);
	for (uint64_t from = o.count.from; from < o.count.to; from += US_PER_S) {
		uint64_t n = sbi_counted(&o.count, .at = first, .after = from,
					 .before = from + US_PER_S);

		if (n > STORM_RATE * 3 / 2)
			tc_violation(t,
				     "the producer that answers 503 gets %" PRIu64
				     " requests within a second, for %d operations: a storm of "
				     "retries",
				     n, STORM_RATE);
	}
	if (o.has_failed && o.failed)
		tc_violation(t,
			     "%" PRIu64 " of %" PRIu64
			     " operations fail, though another producer could take them",
			     o.failed, o.offered);
	if (o.sent - here + slack < o.offered)
		tc_violation(t,
			     "of %" PRIu64 " operations %" PRIu64
			     " come to the producer that could take all of them",
			     o.offered, o.sent - here);
}

static void adapts(struct tc *t)
{
	enum { RATE = 20, OVERLOADED = 60, RECOVERED = 60, JUDGED = 20 };
	const struct sbi_rule half = {
		.method = "POST", .status = 503, .cause = "NF_CONGESTION", .share = 0.5
	};
	const uint64_t in_time = (uint64_t)RATE * JUDGED;
	struct sbi_peer *producer = cli_producer(t);
	uint64_t began = loop_now(t->loop), over, end, under, after;
	struct control_action *action;
	struct sbi_count count = sbi_count_start(t);

	sbi_server_rule(sbi_peer_server(producer), &half);
	action = tc_control_start(t, "operations rate=%d duration=%d", RATE,
				  OVERLOADED + RECOVERED + JUDGED);
	over = began + OVERLOADED * US_PER_S;
	tc_sleep_until(t, over);
	sbi_server_no_rule(sbi_peer_server(producer), -1);
	tc_control_finish(t, action);
	end = over + RECOVERED * US_PER_S;
	tc_sleep_until(t, end + JUDGED * US_PER_S);
	sbi_count_stop(&count);
	under = sbi_counted(&count, .after = over - JUDGED * US_PER_S, .before = over);
	after = sbi_counted(&count, .after = end, .before = end + JUDGED * US_PER_S);
	tc_note(t,
		"in the last %d s of 503s %" PRIu64 " requests for %" PRIu64
		" operations; %d s after they ended %" PRIu64,
		JUDGED, under, in_time, RECOVERED, after);
	if (under * 10 > in_time * 9)
		tc_violation(t,
			     "half of all requests are answered with 503 for %d s, and the IUT "
			     "still sends %" PRIu64 " for %" PRIu64 " operations",
			     OVERLOADED, under, in_time);
	if (after * 100 < (in_time - 1) * 95)
		tc_violation(t,
			     "%d s after the last 503 the IUT sends %" PRIu64
			     " requests for %" PRIu64 " operations",
			     RECOVERED, after, in_time);
}

/* How exactly a wait is measured, live as in virtual time. */
enum { WAIT = 5, EARLY_US = 200000 };

/* One answer asks to wait; nothing more comes until then, and something afterwards. */
static void waits(struct tc *t, unsigned int status, const char *cause, bool as_date)
{
	struct sbi_peer *producer = cli_producer(t);
	struct sbi_server *server = sbi_peer_server(producer);
	char now[SBI_DATE_LEN + 1], until[SBI_DATE_LEN + 1];
	struct sbi_rule rule = { .method = "POST", .status = status, .cause = cause, .times = 1 };
	size_t before = sbi_server_received_count(server);
	const struct sbi_received *first, *next;
	struct text text;

	text_init(&text, now, sizeof(now));
	sbi_date_print(&text, sbi_now(t));
	text_init(&text, until, sizeof(until));
	sbi_date_print(&text, sbi_now(t) + WAIT);
	rule.headers[rule.header_count++] =
		(struct http_header){ .name = sbi_octets("retry-after"),
				      .value = sbi_octets(as_date ? until : "5") };
	if (as_date)
		rule.headers[rule.header_count++] =
			(struct http_header){ .name = sbi_octets("date"),
					      .value = sbi_octets(now) };
	sbi_server_rule(server, &rule);
	tc_control(t, "operations rate=20 duration=12");
	first = sbi_server_received(server, before);
	next = sbi_server_received(server, before + 1);
	if (!first || first->status != status)
		tc_inconc(t, "no request comes that could be answered with %u", status);
	if (!next)
		tc_violation(t, "after Retry-After of %d s nothing comes any more", WAIT);
	tc_note(t, "the next request comes after %.3f s",
		(double)(next->t_us - first->t_us) / (double)US_PER_S);
	/* a date has no fractions of a second */
	if (next->t_us + EARLY_US + (as_date ? US_PER_S : 0) < first->t_us + WAIT * US_PER_S)
		tc_violation(t,
			     "%u with Retry-After of %d s, and the next request comes after "
			     "%.3f s",
			     status, WAIT, (double)(next->t_us - first->t_us) / (double)US_PER_S);
}

static void waits_after_429(struct tc *t)
{
	waits(t, 429, "NF_CONGESTION_RISK", false);
}

static void waits_after_503(struct tc *t)
{
	waits(t, 503, "NF_CONGESTION", false);
}

static void waits_until_a_date(struct tc *t)
{
	waits(t, 429, "NF_CONGESTION_RISK", true);
}

/* --- redirection --- */

/* 307 to the same resource of another peer. */
static void redirect(struct sbi_peer *from, const struct sbi_peer *to)
{
	struct tc *t = sbi_peer_tc(from);
	struct sbi_rule *rule = tc_alloc(t, sizeof(*rule));
	char *location = tc_alloc(t, 256);

	snprintf(location, 256, "%s%s", sbi_peer_root(to), CONTEXTS);
	*rule = (struct sbi_rule){ .method = NULL, .status = 307, .path = "/nsmf" };
	rule->headers[rule->header_count++] = (struct http_header){ .name = sbi_octets("location"),
								    .value = sbi_octets(location) };
	sbi_server_rule(sbi_peer_server(from), rule);
}

static void loop_is_bounded(struct tc *t, const char *what)
{
	enum { ENOUGH = 30, OPERATIONS = 5 };
	struct sbi_offered o = sbi_offer(t, "count=%d rate=1", OPERATIONS);

	tc_note(t, "%s: %" PRIu64 " requests for %d operations", what, o.sent, OPERATIONS);
	if (o.sent > ENOUGH * OPERATIONS)
		tc_violation(t,
			     "%s: %" PRIu64 " requests for %d operations: the loop is not noticed",
			     what, o.sent, OPERATIONS);
	if (o.has_failed && o.failed != o.offered)
		tc_violation(t,
			     "%s: %" PRIu64 " of %" PRIu64
			     " operations fail upwards, and none of them can succeed",
			     what, o.failed, o.offered);
}

static void redirection_loop(struct tc *t)
{
	struct sbi_peer *first = cli_peer(t, 0), *second;

	second = sbi_peer_start(t, .services = "nsmf-pdusession", .unknown = true);
	cli_begin(t);
	redirect(first, second);
	redirect(second, first);
	loop_is_bounded(t, "two producers that redirect to each other");
	sbi_server_no_rule(sbi_peer_server(first), -1);
	redirect(first, first);
	loop_is_bounded(t, "a producer that redirects to itself");
}

static void redirection_is_followed(struct tc *t)
{
	struct sbi_peer *first = cli_peer(t, 0), *second;
	struct sbi_offered o;
	uint64_t there;

	second = sbi_peer_start(t, .services = "nsmf-pdusession", .unknown = true);
	cli_begin(t);
	redirect(first, second);
	o = sbi_offer(t, "count=20 rate=10");
	there = sbi_counted(&o.count, .at = second, .method = "POST", .body = "{");
	if (there != o.offered)
		tc_violation(t,
			     "of %" PRIu64 " operations that are redirected %" PRIu64
			     " come to the place in Location, with method and body",
			     o.offered, there);
	if (o.has_failed && o.failed)
		tc_violation(t, "%" PRIu64 " of %" PRIu64 " redirected operations fail", o.failed,
			     o.offered);
}

#define ST(number, requires, where, verb, need)                                                 \
	.id = "TP/SBI/CLI/ST/" number, .role = ROLE_NF_CLIENT, .strength = verb, .needs = need, \
	.requirement = requires, .clause = where

const struct test_case cli_status_cases[CLI_STATUS_CASES] = {
	{ ST("01", "SB-C-15", "29.500 6.4.2.1", SHALL, 0),
	  .purpose = "Requests that a producer refuses with 503 are diverted to another one",
	  .stimulus = "Two producers, the first answers 503; 1,000 operations",
	  .expect = "All served by the second, no retries at the first",
	  .iut_time_us = 12 * US_PER_S, .run = diverts },
	{ ST("02", "SB-C-16", "29.500 6.4.2.2, annex A", SHALL, 0),
	  .purpose = "503 makes a consumer send less until all is accepted",
	  .stimulus = "Half of all requests refused with 503 for 60 s, then none",
	  .expect = "At most 90 % sent in the last 20 s; 60 s later at least 95 %",
	  .iut_time_us = 150 * US_PER_S, .run = adapts },
	{ ST("03", "SB-C-19", "29.500 6.4.2.3; RFC 9110 10.2.3", SHOULD, 0),
	  .purpose = "Retry-After of 429 is waited for",
	  .stimulus = "429 with Retry-After 5; operations for 12 s",
	  .expect = "No request for 5 s, and some afterwards", .iut_time_us = 15 * US_PER_S,
	  .run = waits_after_429 },
	{ ST("04", "SB-C-20", "29.500 6.4.2.4", SHALL, 0),
	  .purpose = "A loop of redirections is noticed",
	  .stimulus = "307 from one producer to the other and back; from one to itself",
	  .expect = "Few requests, and a failure upwards", .iut_time_us = 15 * US_PER_S,
	  .run = redirection_loop },
	{ ST("X01", "SB-C-19", "29.500 6.4.2.2; RFC 9110 10.2.3", SHOULD, 0),
	  .purpose = "Retry-After of 503 is waited for",
	  .stimulus = "503 with Retry-After 5; operations for 12 s",
	  .expect = "No request for 5 s, and some afterwards", .iut_time_us = 15 * US_PER_S,
	  .run = waits_after_503 },
	{ ST("X02", "SB-C-19", "RFC 9110 10.2.3", SHOULD, 0),
	  .purpose = "Retry-After that is a date is waited for",
	  .stimulus = "429 with Retry-After as a date, 5 s after Date; operations for 12 s",
	  .expect = "No request for 5 s, and some afterwards", .iut_time_us = 15 * US_PER_S,
	  .run = waits_until_a_date },
	{ ST("X03", "SB-C-20", "29.500 6.4.2.4", SHALL, NEEDS(ICS_REDIRECT)),
	  .purpose = "307 is followed with the same method and body",
	  .stimulus = "307 to another producer; 20 operations",
	  .expect = "All arrive there, and succeed", .iut_time_us = 5 * US_PER_S,
	  .run = redirection_is_followed },
};
