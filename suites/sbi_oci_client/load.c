/* TP/SBI/CLI/LCI: load is no overload (TS 29.500 6.3). */
#include <inttypes.h>
#include <string.h>

#include "suites/sbi_oci_client/client.h"

static void load_balances_and_does_not_throttle(struct tc *t)
{
	struct sbi_peer *heavy = cli_peer(t, 0), *light = cli_peer(t, 0);
	struct sbi_offered o;
	uint64_t here;

	cli_begin(t);
	sbi_lci(heavy, .metric = 100);
	sbi_lci(light, .metric = 10);
	cli_tell(heavy);
	cli_tell(light);
	o = sbi_offer(t, "count=1000 rate=%d", CLI_RATE);
	if (o.sent != o.offered)
		tc_violation(t,
			     "load is taken for overload: offered %" PRIu64 ", sent %" PRIu64
			     " with a load of 100 %%",
			     o.offered, o.sent);
	here = sbi_counted(&o.count, .at = heavy);
	tc_note(t, "%" PRIu64 " of %" PRIu64 " go to the producer with a load of 100 %%", here,
		o.sent);
	if (here * 10 >= o.sent * 4)
		tc_should(t, "SB-L-01",
			  "a producer with a load of 100 %% gets %" PRIu64 " of %" PRIu64
			  " requests, beside one with 10 %%",
			  here, o.sent);
	/* and alone it gets all there is */
	sbi_peer_stop(light);
	cli_all_sent(t, "the only producer has a load of 100 %, and no overload",
		     "count=500 rate=%d", CLI_RATE);
}

static void older_load_is_discarded(struct tc *t)
{
	struct sbi_peer *first = cli_peer(t, 0), *second = cli_peer(t, 0);
	int64_t now = sbi_now(t);
	struct sbi_offered o;
	uint64_t here;

	cli_begin(t);
	sbi_lci(first, .metric = 99, .timestamp = SBI_VALUE(now));
	sbi_lci(second, .metric = 1, .timestamp = SBI_VALUE(now));
	cli_tell(first);
	cli_tell(second);
	sbi_lci(first, .metric = 1, .timestamp = SBI_VALUE(now - 60));
	sbi_lci(second, .metric = 99, .timestamp = SBI_VALUE(now - 60));
	cli_tell(second);
	o = sbi_offer(t, "count=1000 rate=%d", CLI_RATE);
	here = sbi_counted(&o.count, .at = first);
	tc_note(t, "%" PRIu64 " of %" PRIu64 " go to the producer with a load of 99 %%", here,
		o.sent);
	if (here * 10 >= o.sent * 4)
		tc_violation(t,
			     "of %" PRIu64 " requests %" PRIu64
			     " go to the producer whose newest load is 99 %%, beside one with "
			     "1 %%: older LCI has overwritten it",
			     o.sent, here);
}

static bool has(struct octets text, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i + len <= text.len; i++)
		if (memcmp(text.data + i, word, len) == 0)
			return true;
	return false;
}

static void no_subscription_to_load(struct tc *t)
{
	struct sbi_server *nrf;

	cli_producer(t);
	nrf = sbi_nrf_server(sbi_nrf_of_case(t));
	tc_sleep(t, 2 * US_PER_S);
	for (size_t i = 0; i < sbi_server_received_count(nrf); i++) {
		const struct sbi_received *r = sbi_server_received(nrf, i);

		if (!r || !has(r->method, "POST") || !has(r->path, "/subscriptions"))
			continue;
		tc_note(t, "subscription: %.*s", (int)r->message->body.len,
			(const char *)r->message->body.data);
		if (has(r->message->body, "/load\""))
			tc_violation(t,
				     "the IUT subscribes to changes of the load, though the "
				     "producer supports LC-H: %.*s",
				     (int)r->message->body.len,
				     (const char *)r->message->body.data);
	}
}

#define LOAD(number, requires, where, verb)                                       \
	.id = "TP/SBI/CLI/LCI/" number, .role = ROLE_NF_CLIENT, .strength = verb, \
	.needs = NEEDS(ICS_LCI), .requirement = requires, .clause = "29.500 " where

const struct test_case cli_load_cases[CLI_LOAD_CASES] = {
	{ LOAD("01", "SB-L-01", "6.3.1", SHALL),
	  .purpose = "Load information balances, and never throttles",
	  .stimulus = "Two producers with LCI 100 % and 10 %; 1,000 operations, then one alone",
	  .expect = "All sent, less to the first", .iut_time_us = 15 * US_PER_S,
	  .run = load_balances_and_does_not_throttle },
	{ LOAD("X01", "SB-L-04", "6.3.3.4.2", SHALL),
	  .purpose = "LCI with an older timestamp is discarded",
	  .stimulus = "Loads 99 % and 1 %, then older LCI the other way round",
	  .expect = "Less than 40 % to the first", .iut_time_us = 15 * US_PER_S,
	  .run = older_load_is_discarded },
	{ LOAD("X02", "SB-L-08", "6.3.3.5.2", SHOULD),
	  .purpose = "With LC-H there is no subscription to load at the NRF",
	  .stimulus = "A producer with lcHSupportInd",
	  .expect = "No subscription to changes of the load", .iut_time_us = 5 * US_PER_S,
	  .run = no_subscription_to_load },
};
