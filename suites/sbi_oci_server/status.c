/* How a producer refuses: 503, 429 and 307. */
#include <stdio.h>

#include "suites/sbi_oci_server/server.h"

/* A request may be left without an answer here: that is judged, too. */
static const struct sbi_response *try_request(struct srv *srv, struct sbi_peer *peer, int priority,
					      unsigned int *silent, unsigned int *reset)
{
	struct sbi_exchange *exchange = sbi_operation(peer, srv->plain, .priority = priority);
	const struct sbi_response *response = sbi_finish_try(exchange);

	if (response)
		srv_note(srv, response);
	else if (sbi_failure(exchange) == HTTP_TIMEOUT)
		(*silent)++;
	else
		(*reset)++;
	return response;
}

static bool digits_alone(struct octets value)
{
	for (size_t i = 0; i < value.len; i++)
		if (value.data[i] < '0' || value.data[i] > '9')
			return false;
	return value.len > 0;
}

static void judge_retry_after(struct tc *t, const struct sbi_response *response)
{
	const struct octets *value = http_header(response->message, "retry-after");
	struct sbi_retry_after after;

	if (!value || digits_alone(*value))
		return;
	if (sbi_retry_after_read(&after, *value, NULL) != FINDING_NONE)
		srv_violation(t, response, "Retry-After is neither seconds nor a date: %.*s",
			      (int)(value->len < 60 ? value->len : 60), (const char *)value->data);
	srv_should(t, response, "SB-S-02", "Retry-After is a date, not seconds");
}

static void judge_503(struct tc *t, const struct sbi_response *response)
{
	judge_retry_after(t, response);
	expect_answer(t, response, .content_type = "application/problem+json",
		      .cause = "NF_CONGESTION");
}

static void refuses(struct tc *t)
{
	struct srv *srv = srv_start(t);
	unsigned int silent = 0, reset = 0, served = 0, refused = 0;

	for (int round = 0; round < 2 && !refused && !silent && !reset; round++) {
		if (round == 0 && !tc_control_try(t, "load percent=150"))
			continue;
		if (round == 1) {
			tc_control_try(t, "load percent=0");
			tc_control(t, "overload metric=90 validity=60 retry-after=5");
		}
		for (int i = 0; i < 20; i++) {
			const struct sbi_response *response =
				try_request(srv, srv->consumer, SBI_VALUE(31), &silent, &reset);

			if (!response)
				continue;
			if (response->status == 503) {
				refused++;
				judge_503(t, response);
			} else if (response->status >= 500) {
				srv_should(t, response, "SB-S-02",
					   "a request that is refused in overload gets %u, not 503",
					   response->status);
				refused++;
			} else if (response->status == 429 || response->status / 100 == 3) {
				judge_retry_after(t, response);
				refused++;
			} else {
				served++;
			}
			tc_sleep(t, 50 * US_PER_MS);
			if (silent > 2)
				break;
		}
	}
	tc_note(t, "%u served, %u refused, %u without an answer, %u reset", served, refused, silent,
		reset);
	if (silent && !refused && !srv->oci_count)
		tc_fail(t,
			"overload shows by requests without an answer alone (%u), neither by a "
			"status nor by 3gpp-Sbi-Oci (SB-S-01)",
			silent);
	if (silent)
		tc_should(t, "SB-S-02", "%u of %u requests in overload got no answer", silent,
			  silent + served + refused + reset);
	if (reset)
		tc_should(t, "SB-S-02", "%u of %u requests in overload were reset, not refused",
			  reset, silent + served + refused + reset);
	if (!refused && !silent && !reset)
		tc_inconc(t, "nothing is refused, whatever the overload");
}

/* Two actions of the adapter lead there: both refusals look alike. */
static void refuses_when_told(struct tc *t)
{
	struct srv *srv = srv_start(t);
	unsigned int refused = 0;
	struct sbi_retry_after wait;

	srv_overload(srv, "metric=90 validity=60 retry-after=7");
	for (int i = 0; i < 10; i++) {
		const struct sbi_response *response = srv_request(srv, srv->consumer);
		const struct octets *after = http_header(response->message, "retry-after");

		if (response->status != 503 && response->status != 429)
			continue;
		refused++;
		judge_retry_after(t, response);
		if (response->status == 503)
			judge_503(t, response);
		if (after && sbi_retry_after_read(&wait, *after, NULL) == FINDING_NONE &&
		    !wait.is_date && (wait.seconds < 4 || wait.seconds > 14))
			srv_should(
				t, response, "SB-S-02",
				"consumers are to come again after 7 s, and Retry-After says %u s",
				wait.seconds);
		tc_sleep(t, 100 * US_PER_MS);
	}
	if (!refused)
		tc_inconc(t, "the IUT is told to refuse requests, and serves them");
	tc_note(t, "%u of 10 requests were refused", refused);
}

/* --- one greedy consumer ------------------------------------------------------------------------
 */

enum { GREEDY = 400, POLITE = 20 };

struct shares {
	unsigned int asked, too_many, refused;
};

static void judge_429(struct tc *t, const struct sbi_response *response, struct shares *shares)
{
	if (!response)
		return;
	shares->refused += response->status >= 400;
	if (response->status != 429)
		return;
	shares->too_many++;
	judge_retry_after(t, response);
	if (strcmp(response->cause, "NF_CONGESTION_RISK") != 0)
		srv_should(t, response, "SB-S-03", "429 has the cause \"%s\"", response->cause);
}

static void only_the_greedy(struct tc *t)
{
	struct srv *srv = srv_start(t);
	struct sbi_peer *polite[2] = { sbi_peer_start(t), sbi_peer_start(t) };
	struct sbi_exchange **asked =
		tc_alloc(t, (GREEDY + 2 * POLITE) * sizeof(struct sbi_exchange *));
	struct shares greedy = { .asked = 0 }, other = { .asked = 0 };
	size_t n = 0;

	tc_control(t, "load percent=90");
	/* For 4 s: 100 requests a second of one consumer, 5 of each other. */
	for (unsigned int i = 0; i < GREEDY; i++) {
		asked[n++] = sbi_operation(srv->consumer, srv->plain);
		if (i % (GREEDY / POLITE) == 0)
			for (int k = 0; k < 2; k++)
				asked[n++] = sbi_operation(polite[k], srv->plain);
		tc_sleep(t, 10 * US_PER_MS);
	}
	sbi_finish_all(t, asked, n);
	for (size_t i = 0; i < n; i++) {
		bool first = i % (GREEDY / POLITE + 2) == 0 || i % (GREEDY / POLITE + 2) > 2;

		judge_429(t, sbi_response(asked[i]), first ? &greedy : &other);
		*(first ? &greedy.asked : &other.asked) += 1;
	}
	tc_note(t, "429 to %u of %u requests of the greedy consumer, to %u of %u of the others",
		greedy.too_many, greedy.asked, other.too_many, other.asked);
	if (other.too_many)
		tc_should(t, "SB-S-03",
			  "%u of %u requests of consumers that ask 5 times a second get 429, since "
			  "another asks 100 times",
			  other.too_many, other.asked);
}

/* --- redirection --------------------------------------------------------------------------------
 */

/* The service of the plain operation: "/nsmf-pdusession/v1/..." */
static const char *service_of(struct srv *srv)
{
	const char *path = srv->t->profile->operations[srv->plain].path + 1;
	size_t len = strcspn(path, "/");
	char *name = tc_alloc(srv->t, len + 1);

	memcpy(name, path, len);
	return name;
}

static bool ends_with(struct octets octets, const char *text)
{
	size_t len = strlen(text);

	return octets.len >= len && memcmp(octets.data + octets.len - len, text, len) == 0;
}

static bool leads_to(const struct sbi_response *response, const char *root)
{
	const struct octets *location = http_header(response->message, "location");
	size_t len = strlen(root);

	return location && location->len >= len && memcmp(location->data, root, len) == 0 &&
	       (location->len == len || location->data[len] == '/');
}

static void judge_location(struct srv *srv, const struct sbi_response *response, const char *root)
{
	struct tc *t = srv->t;
	const struct octets *location = http_header(response->message, "location");
	struct sbi_uri uri;

	if (!location)
		srv_violation(t, response, "%u without Location", response->status);
	if (sbi_uri_read(&uri, *location, NULL) != FINDING_NONE)
		srv_violation(t, response, "Location is no absolute URI");
	if (!leads_to(response, root))
		srv_violation(t, response, "Location does not lead to %s, the less loaded server",
			      root);
	if (!ends_with(uri.path, t->profile->operations[srv->plain].path))
		srv_violation(t, response,
			      "Location has the other server, and not the resource that was asked "
			      "for");
}

static void redirects(struct tc *t)
{
	struct srv *srv = srv_start(t);
	struct sbi_peer *other =
		sbi_peer_start(t, .nf_type = t->profile->iut_nf_type, .services = service_of(srv),
			       .load = SBI_VALUE(10), .load_time = SBI_VALUE(sbi_now(t)));
	unsigned int redirected = 0;

	srv_overload(srv, "metric=60 validity=60 redirect=%s", sbi_peer_root(other));
	for (int i = 0; i < 20; i++) {
		const struct sbi_response *response = srv_request(srv, srv->consumer);

		if (response->status != 307 && response->status != 308)
			continue;
		redirected++;
		judge_location(srv, response, sbi_peer_root(other));
		tc_sleep(t, 50 * US_PER_MS);
	}
	if (!redirected)
		tc_inconc(t, "the IUT is told to redirect requests, and does not");
	tc_note(t, "%u of 20 requests were redirected", redirected);
}

/* The IUT finds one more producer of its kind at the NRF, and comes into overload. */
static void with_alternative(struct tc *t, const struct sbi_peer_options *options, const char *what)
{
	struct srv *srv = srv_start(t);
	struct sbi_peer_options asked = *options;
	struct sbi_peer *other;
	unsigned int there = 0, refused = 0;

	asked.nf_type = t->profile->iut_nf_type;
	asked.services = service_of(srv);
	asked.load_time = SBI_VALUE(sbi_now(t));
	other = sbi_peer_start_with(t, &asked);
	sbi_iut_starts(t);
	tc_control(t, "load percent=150");
	for (int i = 0; i < 30; i++) {
		const struct sbi_response *response =
			srv_request(srv, srv->consumer, .priority = SBI_VALUE(31));

		refused += response->status == 503;
		if (response->status != 307 && response->status != 308) {
			tc_sleep(t, SRV_PACE);
			continue;
		}
		if (leads_to(response, sbi_peer_root(other)))
			srv_violation(t, response, "a request is redirected to %s, %s",
				      sbi_peer_root(other), what);
		there++;
		tc_sleep(t, SRV_PACE);
	}
	tc_note(t, "%u of 30 requests got 503, %u were redirected to others", refused, there);
}

static void not_to_the_unknown(struct tc *t)
{
	with_alternative(t, &(struct sbi_peer_options){ .unused_ = 0 },
			 "of whose load nothing is known");
}

static void not_to_the_loaded(struct tc *t)
{
	with_alternative(
		t,
		&(struct sbi_peer_options){ .load = SBI_VALUE(95), .service_load = SBI_VALUE(95) },
		"whose load is 95 %");
}

const struct test_case srv_status_cases[SRV_STATUS_CASES] = {
	{ .id = "TP/SBI/SRV/ST/01",
	  .requirement = "SB-S-02",
	  .clause = "29.500 6.4.2.2, 5.2.7.2",
	  .strength = SHOULD,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Overload refuses by 503 with the cause NF_CONGESTION",
	  .stimulus = "Load of 150 %, else overload with Retry-After; requests of low priority",
	  .expect = "503, application/problem+json, NF_CONGESTION; Retry-After, if any, in seconds",
	  .iut_time_us = 5 * US_PER_S,
	  .run = refuses },
	{ .id = "TP/SBI/SRV/ST/02",
	  .requirement = "SB-S-03",
	  .clause = "29.500 6.4.2.3, 5.2.7.2",
	  .strength = SHOULD,
	  .role = ROLE_NF_SERVER,
	  .purpose = "429 is for the consumer that asks too much, and for no other",
	  .stimulus = "Load of 90 %; one consumer with 100 requests a second, two with 5",
	  .expect = "No 429 to the two; NF_CONGESTION_RISK in each 429",
	  .iut_time_us = 5 * US_PER_S,
	  .run = only_the_greedy },
	{ .id = "TP/SBI/SRV/ST/03",
	  .requirement = "SB-S-04",
	  .clause = "29.500 6.4.2.4",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "A redirection names the resource at the less loaded server",
	  .stimulus = "Overload with another server to redirect to",
	  .expect = "307 with a Location that leads to the same resource there",
	  .needs = NEEDS(ICS_REDIRECT),
	  .iut_time_us = 2 * US_PER_S,
	  .run = redirects },
	{ .id = "TP/SBI/SRV/ST/X01",
	  .requirement = "SB-S-04",
	  .clause = "29.500 6.4.2.4",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "No request is redirected to a server of whose load nothing is known",
	  .stimulus = "Load of 150 %; the NRF knows another producer, and no load of it",
	  .expect = "No redirection to it",
	  .iut_time_us = 12 * US_PER_S,
	  .run = not_to_the_unknown },
	{ .id = "TP/SBI/SRV/ST/X02",
	  .requirement = "SB-S-04",
	  .clause = "29.500 6.4.2.4",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "No request is redirected to a server in overload",
	  .stimulus = "Load of 150 %; the NRF knows another producer, with a load of 95 %",
	  .expect = "No redirection to it",
	  .iut_time_us = 12 * US_PER_S,
	  .run = not_to_the_loaded },
	{ .id = "TP/SBI/SRV/ST/X03",
	  .requirement = "SB-S-02",
	  .clause = "29.500 6.4.2.2, 5.2.7.2",
	  .strength = SHOULD,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Whoever is told when to come again is told so by 503 or 429",
	  .stimulus = "Overload with Retry-After; requests without a priority",
	  .expect = "Refusals with ProblemDetails; Retry-After in seconds",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 2 * US_PER_S,
	  .run = refuses_when_told },
};
