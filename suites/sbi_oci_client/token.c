/*
 * TP/SBI/CLI/AUTH: access tokens of the NRF (TS 33.501 13.4.1, TS 29.500 6.7.3), as far as they
 * touch load: who shows a good one is served, a new one is asked for in time, and neither an NRF
 * nor a producer that refuses is stormed.
 */
#include <inttypes.h>

#include "suites/sbi_oci_client/client.h"

#define CONTEXTS "/nsmf-pdusession"
#define TOKENS	 "/oauth2/token"

/* A producer that wants a token, and a consumer that knows of it. */
static struct sbi_peer *start(struct tc *t)
{
	struct sbi_peer *producer;

	sbi_use_tokens(t);
	producer = cli_peer(t, 0);
	sbi_iut_starts(t);
	return producer;
}

struct shown {
	uint64_t good, missing, wrong;
};

/* What the requests from number `from` on bring; a wrong token ends the case. */
static struct shown shown_since(struct tc *t, struct sbi_peer *producer, size_t from)
{
	const struct sbi_server *server = sbi_peer_server(producer);
	struct shown shown = { 0 };

	for (size_t i = from; i < sbi_server_received_count(server); i++) {
		const struct sbi_received *received = sbi_server_received(server, i);

		if (!received)
			continue;
		shown.good += received->token == SBI_TOKEN_GOOD;
		shown.missing += received->token == SBI_TOKEN_MISSING;
		shown.wrong += received->token == SBI_TOKEN_BAD ||
			       received->token == SBI_TOKEN_OTHER_SCOPE;
	}
	tc_note(t,
		"requests with a good access token: %" PRIu64 ", without one: %" PRIu64
		", with another: %" PRIu64,
		shown.good, shown.missing, shown.wrong);
	return shown;
}

/* Every operation gets through, though 401 may come first where no token was shown. */
static void must_get_through(struct tc *t, struct sbi_peer *producer, size_t from,
			     const struct sbi_offered *o, const char *when)
{
	const struct shown shown = shown_since(t, producer, from);
	const char *fault = sbi_server_token_fault(sbi_peer_server(producer));

	if (shown.good < o->offered || (o->has_failed && o->failed))
		tc_violation(t,
			     "%s: of %" PRIu64 " operations %" PRIu64
			     " come with a good access token, %" PRIu64 " without one, %" PRIu64
			     " with another%s%s",
			     when, o->offered, shown.good, shown.missing, shown.wrong,
			     shown.wrong ? ": " : "", shown.wrong ? fault : "");
}

static void shows_token(struct tc *t)
{
	struct sbi_peer *producer = start(t);
	struct sbi_offered o = sbi_offer(t, "count=20 rate=10");

	must_get_through(t, producer, 0, &o, "the producer wants access tokens");
}

static void renews(struct tc *t)
{
	enum { LIFETIME = 5 };
	struct sbi_peer *producer;
	struct sbi_offered o;

	sbi_use_tokens(t);
	sbi_nrf_set_token_lifetime(sbi_nrf_of_case(t), LIFETIME);
	producer = cli_peer(t, 0);
	sbi_iut_starts(t);
	o = sbi_offer(t, "count=150 rate=10");
	must_get_through(t, producer, 0, &o, "access tokens expire after 5 s");
}

/* --- who refuses -------------------------------------------------------------------------------
 */

static uint64_t token_requests(struct tc *t, uint64_t since)
{
	return sbi_server_count(sbi_nrf_server(sbi_nrf_of_case(t)), "POST", TOKENS, since);
}

/* The shortest time between two requests for a token; LOOP_NEVER: there are no two. */
static uint64_t shortest_rest(struct tc *t, uint64_t since)
{
	const struct sbi_server *nrf = sbi_nrf_server(sbi_nrf_of_case(t));
	uint64_t last = LOOP_NEVER, shortest = LOOP_NEVER;

	for (size_t i = 0; i < sbi_server_received_count(nrf); i++) {
		const struct sbi_received *received = sbi_server_received(nrf, i);

		if (!received || received->t_us < since ||
		    !octets_equal(received->path, sbi_octets(TOKENS)))
			continue;
		if (last != LOOP_NEVER && received->t_us - last < shortest)
			shortest = received->t_us - last;
		last = received->t_us;
	}
	return shortest;
}

static void nrf_refuses(struct tc *t)
{
	enum { WAIT = 5, EARLY_US = 200000 };
	static const struct sbi_rule congested = { .method = "POST",
						   .path = TOKENS,
						   .status = 503,
						   .cause = "NF_CONGESTION",
						   .headers = { { JSON_TEXT("retry-after"),
								  JSON_TEXT("5") } },
						   .header_count = 1 };
	struct sbi_peer *producer;
	struct sbi_server *nrf;
	struct sbi_offered o;
	uint64_t since, asked, rest;
	size_t from;

	sbi_use_tokens(t);
	producer = cli_peer(t, 0);
	nrf = sbi_nrf_server(sbi_nrf_of_case(t));
	sbi_server_rule(nrf, &congested);
	sbi_iut_starts(t);
	since = loop_now(t->loop);
	from = sbi_server_received_count(sbi_peer_server(producer));
	o = sbi_offer(t, "count=120 rate=10");
	asked = token_requests(t, since);
	rest = shortest_rest(t, since);
	tc_note(t,
		"%" PRIu64 " requests for an access token, all refused, for %" PRIu64 " operations",
		asked, o.offered);
	if (shown_since(t, producer, from).good)
		tc_inconc(t,
			  "the NRF gives no access token, and one that is good is shown: kept from "
			  "before");
	if (asked > o.offered)
		tc_violation(t,
			     "the NRF answers 503, and gets %" PRIu64
			     " requests for an access token, for %" PRIu64
			     " operations: a storm of retries",
			     asked, o.offered);
	if (o.has_failed && o.failed != o.offered)
		tc_violation(t,
			     "without access token none of %" PRIu64
			     " operations can succeed, and %" PRIu64 " fail upwards",
			     o.offered, o.failed);
	if (rest != LOOP_NEVER && rest + EARLY_US < WAIT * US_PER_S)
		tc_should(t, "SB-C-19",
			  "503 with Retry-After of %d s, and the NRF is asked again after %.3f s",
			  WAIT, (double)rest / (double)US_PER_S);
	sbi_server_no_rule(nrf, -1);
	tc_timer(t, "tester", "Retry-After", (WAIT + 1) * US_PER_S);
	from = sbi_server_received_count(sbi_peer_server(producer));
	o = sbi_offer(t, "count=20 rate=10");
	must_get_through(t, producer, from, &o, "the NRF gives access tokens again");
}

static void producer_refuses(struct tc *t)
{
	enum { ENOUGH = 10, OPERATIONS = 5 };
	static const struct sbi_rule unauthorized = {
		.method = "POST",
		.path = CONTEXTS,
		.status = 401,
		.headers = { { JSON_TEXT("www-authenticate"),
			       JSON_TEXT("Bearer realm=\"smf\", error=\"invalid_token\"") } },
		.header_count = 1,
	};
	struct sbi_peer *producer = start(t);
	uint64_t since = loop_now(t->loop), asked, sent;
	struct sbi_offered o;

	sbi_server_rule(sbi_peer_server(producer), &unauthorized);
	o = sbi_offer(t, "count=%d rate=1", OPERATIONS);
	asked = token_requests(t, since);
	sent = sbi_counted(&o.count, .at = producer);
	tc_note(t, "%" PRIu64 " requests, and %" PRIu64 " for access tokens, for %d operations",
		sent, asked, OPERATIONS);
	if (sent > ENOUGH * OPERATIONS || asked > ENOUGH * OPERATIONS)
		tc_violation(t,
			     "a producer takes no access token: %" PRIu64
			     " requests to it and %" PRIu64
			     " to the NRF for %d operations: the loop is not noticed",
			     sent, asked, OPERATIONS);
	if (o.has_failed && o.failed != o.offered)
		tc_violation(t,
			     "a producer takes no access token: %" PRIu64 " of %" PRIu64
			     " operations fail upwards, and none of them can succeed",
			     o.failed, o.offered);
}

#define AUTH(number, own, where, seconds)                                           \
	.id = "TP/SBI/CLI/AUTH/" number, .role = ROLE_NF_CLIENT, .strength = SHALL, \
	.needs = NEEDS(ICS_OAUTH2), .requirement = own, .clause = where,            \
	.iut_time_us = (seconds)*US_PER_S

const struct test_case cli_token_cases[CLI_TOKEN_CASES] = {
	{ AUTH("X01", "SB-X-01", "33.501 13.4.1.1; 29.500 6.7.3", 4),
	  .purpose = "A producer that wants access tokens gets those of the NRF",
	  .stimulus = "A producer whose service needs a token; 20 operations",
	  .expect = "Each comes with a token of the NRF for this service, and succeeds",
	  .run = shows_token },
	{ AUTH("X02", "SB-X-01", "33.501 13.4.1.1; 29.510 6.3.5.2.3", 17),
	  .purpose = "An access token that expired is replaced",
	  .stimulus = "Tokens of 5 s; 150 operations within 15 s", .expect = "All succeed",
	  .run = renews },
	{ AUTH("X03", "SB-X-02", "29.500 6.4.2.1; 29.510 5.4.2.2", 23),
	  .purpose = "An NRF in overload that gives no access tokens is not stormed",
	  .stimulus = "503 with Retry-After 5 to requests for tokens; 120 operations; then tokens",
	  .expect = "At most one request for each operation, failures upwards; then success",
	  .run = nrf_refuses },
	{ AUTH("X04", "SB-X-02", "29.500 6.7.3", 7), .purpose = "401 again and again is noticed",
	  .stimulus = "401 invalid_token to every request; 5 operations",
	  .expect = "Few requests to producer and NRF, and failures upwards",
	  .run = producer_refuses },
};
