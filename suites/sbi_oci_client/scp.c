/*
 * TP/SBI/CLI/SCP: a consumer whose requests go by way of an SCP (TS 29.500 6.10). The SCP has an
 * overload of its own, and passes on what producers say of theirs: one must not be taken for the
 * other.
 */
#include <inttypes.h>
#include <stdio.h>

#include "suites/sbi_oci_client/client.h"

#define CONTEXTS "/nsmf-pdusession/v1/sm-contexts"
#define TARGET	 "3gpp-sbi-target-apiroot"

struct way {
	struct sbi_peer *scp, *first, *second;
};

static struct sbi_peer *scp_of(struct tc *t)
{
	struct sbi_peer *scp = sbi_peer_start(t, .scp = true);

	sbi_use_scp(scp);
	return scp;
}

/* Two producers of these priorities behind an SCP; everything that is offered comes by it. */
static struct way begin(struct tc *t, int second)
{
	struct way way = { .scp = scp_of(t) };
	struct sbi_offered o;

	way.first = cli_peer(t, 0);
	way.second = cli_peer(t, second);
	sbi_iut_starts(t);
	o = sbi_offer_all_sent(t, "count=20 rate=%d", CLI_RATE);
	if (sbi_counted(&o.count, .at = way.scp) == 0)
		tc_inconc(t, "no request comes by the SCP: TP/SBI/CLI/SCP/X01 is about that");
	return way;
}

static void goes_by_the_scp(struct tc *t)
{
	struct sbi_peer *scp = scp_of(t), *first = cli_peer(t, 0), *second = cli_peer(t, 0);
	struct sbi_server *server = sbi_peer_server(scp);
	struct sbi_offered o;
	uint64_t here;
	size_t from;

	sbi_iut_starts(t);
	from = sbi_server_received_count(server);
	o = sbi_offer(t, "count=40 rate=20");
	here = sbi_counted(&o.count, .at = scp);
	if (here < o.offered)
		tc_violation(t,
			     "of %" PRIu64 " operations %" PRIu64
			     " come to the SCP that the IUT is to go by",
			     o.offered, here);
	for (size_t i = from; i < sbi_server_received_count(server); i++) {
		const struct sbi_received *r = sbi_server_received(server, i);
		const struct octets *target =
			r && r->message ? http_header(r->message, TARGET) : NULL;
		struct octets root = target ? *target : OCTETS(NULL, 0);

		if (!target)
			tc_violation(t, "a request to the SCP lacks 3gpp-Sbi-Target-apiRoot");
		if (root.len && root.data[root.len - 1] == '/')
			root.len--;
		if (!sbi_equal_nocase(root, sbi_peer_root(first)) &&
		    !sbi_equal_nocase(root, sbi_peer_root(second)))
			tc_violation(
				t,
				"3gpp-Sbi-Target-apiRoot is %.*s: that is no producer that the "
				"NRF knows",
				(int)root.len, (const char *)root.data);
	}
	if (o.sent < o.offered || (o.has_failed && o.failed))
		tc_violation(t,
			     "offered %" PRIu64 " operations by way of an SCP, %" PRIu64
			     " arrive at producers, %" PRIu64 " fail",
			     o.offered, o.sent, o.failed);
}

/* It is told once, in an answer of one producer, and the other is no way around it. */
static void scp_in_overload(struct tc *t)
{
	struct way way = begin(t, 0);

	sbi_oci(way.scp, .metric = 50, .validity = CLI_LONG, .scope = sbi_scope_scp(way.scp));
	cli_tell(way.scp);
	sbi_no_oci(way.scp);
	cli_share(t, 0.5, way.scp, "%s", "");
	sbi_oci(way.scp, .metric = 0, .scope = sbi_scope_scp(way.scp));
	cli_tell(way.scp);
	cli_share(t, 1, way.scp, "%s", "");
}

static void another_scp_in_overload(struct tc *t)
{
	struct way way = begin(t, 0);
	struct sbi_peer *other = sbi_peer_start(t, .scp = true);

	sbi_oci(way.scp, .metric = 100, .validity = CLI_LONG, .scope = sbi_scope_scp(other));
	cli_tell(way.scp);
	cli_all_sent(t, "an SCP is overloaded that is not on the way", "count=1000 rate=%d",
		     CLI_RATE);
}

static void producer_in_overload(struct tc *t)
{
	struct way way = begin(t, 1);

	sbi_oci(way.first, .metric = 50, .validity = CLI_LONG);
	cli_tell(way.first);
	sbi_no_oci(way.first);
	cli_share(t, 0.5, way.first, "%s", "");
	cli_all_sent(t, "another producer can take what this one is spared", "count=1000 rate=%d",
		     CLI_RATE);
}

/* It is the SCP that asks for a rest: neither producer is to be asked by it. */
static void scp_refuses(struct tc *t)
{
	enum { WAIT = 5, EARLY_US = 200000 };
	struct way way = begin(t, 0);
	struct sbi_server *server = sbi_peer_server(way.scp);
	struct sbi_rule *rule = tc_alloc(t, sizeof(*rule));
	const struct sbi_received *first, *next;
	size_t before = sbi_server_received_count(server);

	*rule = (struct sbi_rule){
		.method = "POST",
		.times = 1,
		.status = 429,
		.cause = "NF_CONGESTION_RISK",
		.headers = { { sbi_octets("retry-after"), sbi_octets("5") },
			     { sbi_octets("server"), sbi_octets(sbi_scp_server_field(way.scp)) } },
		.header_count = 2,
	};
	sbi_server_rule(server, rule);
	tc_control(t, "operations rate=20 duration=12");
	first = sbi_server_received(server, before);
	next = sbi_server_received(server, before + 1);
	if (!first || first->status != 429)
		tc_inconc(t, "no request comes that the SCP could refuse");
	if (!next)
		tc_violation(t, "after Retry-After of %d s nothing comes to the SCP any more",
			     WAIT);
	tc_note(t, "the next request comes to the SCP after %.3f s",
		(double)(next->t_us - first->t_us) / (double)US_PER_S);
	if (next->t_us + EARLY_US < first->t_us + WAIT * US_PER_S)
		tc_violation(t,
			     "429 of the SCP with Retry-After of %d s, and the next request comes "
			     "to it after %.3f s",
			     WAIT, (double)(next->t_us - first->t_us) / (double)US_PER_S);
}

static void scp_redirects(struct tc *t)
{
	struct way way = begin(t, 0);
	struct sbi_peer *other = sbi_peer_start(t, .scp = true);
	struct sbi_rule *rule = tc_alloc(t, sizeof(*rule));
	char *location = tc_alloc(t, 256);
	struct sbi_offered o;
	uint64_t here;

	snprintf(location, 256, "%s%s", sbi_peer_root(other), CONTEXTS);
	*rule = (struct sbi_rule){
		.status = 308,
		.path = "/nsmf",
		.body = sbi_octets("{\"status\":308,\"cause\":\"SCP_REDIRECTION\"}"),
		.content_type = "application/problem+json",
		.headers = { { sbi_octets("location"), sbi_octets(location) },
			     { sbi_octets("server"), sbi_octets(sbi_scp_server_field(way.scp)) } },
		.header_count = 2,
	};
	sbi_server_rule(sbi_peer_server(way.scp), rule);
	o = sbi_offer(t, "count=20 rate=10");
	here = sbi_counted(&o.count, .at = other, .method = "POST", .status = 201);
	if (here < o.offered || (o.has_failed && o.failed))
		tc_violation(t,
			     "of %" PRIu64 " operations that an SCP leads to another one, %" PRIu64
			     " succeed by it, and %" PRIu64 " fail",
			     o.offered, here, o.failed);
}

/* The consumer may go on by the SCP, or directly: it has to get there. */
static void producer_redirects(struct tc *t)
{
	struct sbi_peer *scp = scp_of(t), *first = cli_peer(t, 0), *other;
	struct sbi_rule *rule = tc_alloc(t, sizeof(*rule));
	char *location = tc_alloc(t, 256);
	struct sbi_offered o;
	uint64_t here;

	other = sbi_peer_start(t, .services = "nsmf-pdusession", .unknown = true);
	sbi_iut_starts(t);
	sbi_offer_all_sent(t, "count=20 rate=%d", CLI_RATE);
	snprintf(location, 256, "%s%s", sbi_peer_root(other), CONTEXTS);
	*rule = (struct sbi_rule){ .status = 307, .path = "/nsmf" };
	rule->headers[rule->header_count++] =
		(struct http_header){ sbi_octets("location"), sbi_octets(location) };
	sbi_server_rule(sbi_peer_server(first), rule);
	o = sbi_offer(t, "count=20 rate=10");
	here = sbi_counted(&o.count, .at = other, .method = "POST", .body = "{");
	tc_note(t,
		"to the place in Location: %" PRIu64 " of %" PRIu64 " operations, %" PRIu64
		" requests by the SCP",
		here, o.offered, sbi_counted(&o.count, .at = scp));
	if (here != o.offered || (o.has_failed && o.failed))
		tc_violation(t,
			     "of %" PRIu64 " operations that a producer behind an SCP redirects, "
			     "%" PRIu64 " come to the place in Location, and %" PRIu64 " fail",
			     o.offered, here, o.failed);
}

#define SCP(number, requires, where, verb, seconds)                               \
	.id = "TP/SBI/CLI/SCP/" number, .role = ROLE_NF_CLIENT, .strength = verb, \
	.requirement = requires, .clause = "29.500 " where, .iut_time_us = (seconds)*US_PER_S

const struct test_case cli_scp_cases[CLI_SCP_CASES] = {
	{ SCP("X01", "SB-X-03", "6.10.2.5", SHALL, 4), .needs = NEEDS(ICS_SCP),
	  .purpose = "By way of an SCP requests say which producer they are for",
	  .stimulus = "An SCP before two producers; 40 operations",
	  .expect = "All come to the SCP, with the apiRoot of one of both",
	  .run = goes_by_the_scp },
	{ SCP("X02", "SB-C-24", "6.4.3.4.5.4", SHALL, 35),
	  .needs = NEEDS(ICS_SCP) | NEEDS(ICS_OLC_H),
	  .purpose = "OCI of an SCP is about all requests that go by it",
	  .stimulus = "SCP-FQDN, metric 50, once, before two producers; then metric 0",
	  .expect = "50 % to the SCP, then all", .run = scp_in_overload },
	{ SCP("X03", "SB-C-24", "6.4.3.4.5.4", SHALL, 8),
	  .needs = NEEDS(ICS_SCP) | NEEDS(ICS_OLC_H),
	  .purpose = "OCI of an SCP is not about requests that go by another one",
	  .stimulus = "SCP-FQDN of another SCP, metric 100", .expect = "All sent",
	  .run = another_scp_in_overload },
	{ SCP("X04", "SB-C-01", "6.4.3.5.1", SHALL, 25), .needs = NEEDS(ICS_SCP) | NEEDS(ICS_OLC_H),
	  .purpose = "OCI of a producer counts behind an SCP too",
	  .stimulus = "Metric 50 of one of two producers, in an answer that the SCP passes on",
	  .expect = "50 % to it, all to both", .run = producer_in_overload },
	{ SCP("X05", "SB-C-19", "5.2.7.4, 6.4.2.3; RFC 9110 10.2.3", SHOULD, 17),
	  .needs = NEEDS(ICS_SCP),
	  .purpose = "Retry-After of an SCP is waited for, whichever producer a request is for",
	  .stimulus = "429 of the SCP with Retry-After 5, once; operations for 12 s",
	  .expect = "No request to the SCP for 5 s, and some afterwards", .run = scp_refuses },
	{ SCP("X06", "SB-L-10", "5.2.7.4, 6.10.9", SHALL, 4),
	  .needs = NEEDS(ICS_SCP) | NEEDS(ICS_REDIRECT),
	  .purpose = "An SCP that leads to another one is followed, and that one told of the "
		     "producer",
	  .stimulus = "308 SCP_REDIRECTION with the Location of another SCP; 20 operations",
	  .expect = "All succeed by the other one", .run = scp_redirects },
	{ SCP("X07", "SB-C-20", "6.4.2.4, 6.10.9", SHALL, 5),
	  .needs = NEEDS(ICS_SCP) | NEEDS(ICS_REDIRECT),
	  .purpose = "A redirection of a producer behind an SCP is followed",
	  .stimulus = "307 of the producer to another one, passed on; 20 operations",
	  .expect = "All arrive there, by the SCP or directly, and succeed",
	  .run = producer_redirects },
};
