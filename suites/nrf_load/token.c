/*
 * TP/NRF/AUTH: an NRF that gives access tokens (TS 29.510 5.4.2, TS 33.501 13.4.1): what stands in
 * them, who gets none, and that overload neither opens the door nor blames who asks.
 */
#include <stdio.h>
#include <string.h>

#include "suites/nrf_load/nrf.h"

enum {
	FORM_MAX = 1024,
	LONGEST_S = 7 * 24 * 3600,
	SKEW_S = 60, /* of the NRF's clock */
};

#define NOBODY "8d1f4b5e-2b0a-4d3c-9d3f-6f0f7c1f9f00"

/* A consumer and a producer that are registered. */
struct pair {
	struct sbi_peer *consumer, *producer;
};

static struct pair registered(struct tc *t)
{
	struct pair pair = { nrfl_consumer(t), nrfl_producer(t, .load = SBI_VALUE(10)) };

	nrfl_register(pair.consumer);
	nrfl_register(pair.producer);
	return pair;
}

__attribute__((format(printf, 2, 3))) static const struct sbi_response *
ask(struct sbi_peer *consumer, const char *format, ...)
{
	char *form = tc_alloc(sbi_peer_tc(consumer), FORM_MAX);
	va_list args;

	va_start(args, format);
	vsnprintf(form, FORM_MAX, format, args);
	va_end(args);
	return sbi_finish(sbi_ask(consumer, .method = "POST", .path = "/oauth2/token", .body = form,
				  .content_type = "application/x-www-form-urlencoded"));
}

static const struct sbi_response *ask_for_type(struct sbi_peer *consumer)
{
	return ask(consumer,
		   "grant_type=client_credentials&nfInstanceId=%s&nfType=AMF&targetNfType=SMF"
		   "&scope=" NRF_SERVICE,
		   sbi_peer_id(consumer));
}

/* --- tokens that are good ------------------------------------------------------------------------
 */

static bool is_word(struct octets octets, const char *text)
{
	return sbi_equal_nocase(octets, text);
}

/* The token of an answer that has to be a good one for these. */
static const struct access_token *must_be_good(struct tc *t, const struct sbi_response *response,
					       const struct access_token_wanted *wanted,
					       const char *what)
{
	const struct json_access_token_rsp *answer;
	const struct access_token *token;
	char buf[200];
	struct text why;

	nrfl_must_succeed(t, response, what);
	answer = sbi_read(t, response, &json_access_token_rsp_object);
	if (!is_word(answer->token_type, "Bearer"))
		nrfl_violation(t, response, "%s: token_type is not Bearer", what);
	text_init(&why, buf, sizeof(buf));
	token = sbi_token_of_iut(t, answer->access_token, wanted, &why);
	if (!token)
		nrfl_violation(t, response, "%s: the token is not good: %s", what, buf);
	return token;
}

static struct access_token_wanted wanted_by_type(struct tc *t)
{
	return (struct access_token_wanted){ .nf_type = "SMF",
					     .service = NRF_SERVICE,
					     .now = sbi_now(t) };
}

static void must_be_for(struct tc *t, const struct sbi_response *response,
			const struct access_token *token, const struct sbi_peer *consumer)
{
	const struct json_access_token_rsp *answer =
		sbi_read(t, response, &json_access_token_rsp_object);
	const int64_t lasts = token->exp - sbi_now(t);

	if (!is_word(token->sub, sbi_peer_id(consumer)))
		nrfl_violation(t, response, "sub is \"%.*s\", and the consumer is %s",
			       (int)token->sub.len, (const char *)token->sub.data,
			       sbi_peer_id(consumer));
	if (!octets_equal(token->scope, sbi_octets(NRF_SERVICE)))
		nrfl_violation(t, response, "scope is \"%.*s\", and " NRF_SERVICE " was asked for",
			       (int)token->scope.len, (const char *)token->scope.data);
	if (lasts > LONGEST_S)
		tc_should(t, "SB-X-01", "the token is good for %" PRId64 " days",
			  lasts / (24 * 3600));
	if (answer->expires_in.present && (answer->expires_in.value > lasts + SKEW_S ||
					   answer->expires_in.value < lasts - SKEW_S))
		nrfl_violation(t, response,
			       "expires_in is %" PRId64 " s, and exp is in %" PRId64 " s",
			       answer->expires_in.value, lasts);
}

static bool is_not_stored(const struct sbi_response *response)
{
	const struct octets *field = http_header(response->message, "cache-control");

	return field && memmem(field->data, field->len, "no-store", 8);
}

static void for_a_type(struct tc *t)
{
	const struct pair pair = registered(t);
	const struct sbi_response *response = ask_for_type(pair.consumer);
	const struct access_token_wanted wanted = wanted_by_type(t);

	must_be_for(t, response,
		    must_be_good(t, response, &wanted, "a request for an access token"),
		    pair.consumer);
	if (!is_not_stored(response))
		nrfl_violation(t, response,
			       "the answer with a token lacks Cache-Control: no-store");
}

static void for_an_instance(struct tc *t)
{
	const struct pair pair = registered(t);
	const struct access_token_wanted wanted = { .nf_instance = sbi_peer_id(pair.producer),
						    .service = NRF_SERVICE,
						    .now = sbi_now(t) };
	const struct sbi_response *response =
		ask(pair.consumer,
		    "grant_type=client_credentials&nfInstanceId=%s&scope=" NRF_SERVICE
		    "&targetNfInstanceId=%s",
		    sbi_peer_id(pair.consumer), sbi_peer_id(pair.producer));

	must_be_for(t, response,
		    must_be_good(t, response, &wanted,
				 "a request for an access token for one instance"),
		    pair.consumer);
}

/* --- who gets none -------------------------------------------------------------------------------
 */

static bool is_one_of(struct octets error, const char *words)
{
	const char *found = memmem(words, strlen(words), error.data, error.len);

	return error.len && found && (found == words || found[-1] == ' ') &&
	       (found[error.len] == ' ' || found[error.len] == '\0');
}

/* 400 (or 401 for a client that is not known), and one of these errors. */
static void must_be_refused(struct tc *t, const struct sbi_response *response, const char *what,
			    const char *errors)
{
	const struct json_access_token_err *answer;

	if (response->status / 100 == 2)
		nrfl_violation(t, response, "%s is answered with a token", what);
	if (response->status != 400 && response->status != 401)
		nrfl_violation(t, response, "%s is answered with %u, not 400", what,
			       response->status);
	answer = sbi_read(t, response, &json_access_token_err_object);
	if (!is_one_of(answer->error, errors))
		tc_should(t, "SB-X-01", "%s is answered with the error %.*s, not %s", what,
			  (int)answer->error.len, (const char *)answer->error.data, errors);
}

/* nfType is there for consumers that an NRF does not know; it may take them at their word. */
static void of_nobody(struct sbi_peer *consumer)
{
	static const char what[] = "a request of a consumer that is not registered";
	struct tc *t = sbi_peer_tc(consumer);
	const struct sbi_response *response =
		ask(consumer, "grant_type=client_credentials&nfInstanceId=" NOBODY
			      "&nfType=SMF&targetNfType=SMF&scope=" NRF_SERVICE);

	if (response->status / 100 == 2)
		tc_note(t, "%s is answered with a token", what);
	else
		must_be_refused(t, response, what, "invalid_client unauthorized_client");
}

static void wrong_requests(struct tc *t)
{
	const struct pair pair = registered(t);
	const char *id = sbi_peer_id(pair.consumer);

	must_be_refused(t,
			ask(pair.consumer,
			    "grant_type=password&nfInstanceId=%s&nfType=AMF&targetNfType=SMF"
			    "&scope=" NRF_SERVICE,
			    id),
			"a request of another grant_type", "unsupported_grant_type");
	must_be_refused(t,
			ask(pair.consumer,
			    "nfInstanceId=%s&nfType=AMF&targetNfType=SMF&scope=" NRF_SERVICE, id),
			"a request without grant_type", "invalid_request unsupported_grant_type");
	must_be_refused(t,
			ask(pair.consumer,
			    "grant_type=client_credentials&nfInstanceId=%s&nfType=AMF"
			    "&targetNfType=SMF",
			    id),
			"a request without scope", "invalid_request invalid_scope");
	of_nobody(pair.consumer);
	nrfl_must_succeed(t, ask_for_type(pair.consumer), "a request as it should be");
}

/* A producer that allows its service to NFs of another type. */
static struct pair registered_for_others(struct tc *t)
{
	struct pair pair = { nrfl_consumer(t), nrfl_producer(t, .load = SBI_VALUE(10)) };

	nrfl_register(pair.consumer);
	nrfl_must_succeed(
		t,
		nrfl_put(pair.producer,
			 nrfl_profile_with(pair.producer, "\"allowedNfTypes\":[\"PCF\"]")),
		"a registration with allowedNfTypes");
	return pair;
}

static const char not_allowed[] = "invalid_scope unauthorized_client invalid_client invalid_grant";

static void not_for_all(struct tc *t)
{
	const struct pair pair = registered_for_others(t);

	must_be_refused(t, ask_for_type(pair.consumer),
			"a request of an AMF for a service that only PCFs may use", not_allowed);
	nrfl_register(pair.producer);
	nrfl_must_succeed(t, ask_for_type(pair.consumer),
			  "a request for a service that all may use");
}

/* --- in overload ---------------------------------------------------------------------------------
 */

static void in_overload(struct tc *t)
{
	enum { BUSY = 150, TRIES = 20 };
	const struct pair pair = registered_for_others(t);
	const struct access_token_wanted wanted = wanted_by_type(t);
	const struct sbi_response *response;
	unsigned int refused = 0;

	tc_control(t, "load percent=%d", BUSY);
	tc_sleep(t, US_PER_S);
	response = ask_for_type(pair.consumer);
	if (response->status / 100 == 2)
		nrfl_violation(t, response,
			       "in overload an AMF gets a token for a service that only PCFs may "
			       "use");
	nrfl_must_succeed(t, nrfl_put(pair.producer, NULL), "a registration in overload");
	for (unsigned int i = 0; i < TRIES; i++) {
		response = ask_for_type(pair.consumer);
		if (response->status / 100 == 2) {
			must_be_good(t, response, &wanted, "a token in overload");
			continue;
		}
		refused++;
		if (response->status != 503 && response->status != 429)
			nrfl_violation(t, response,
				       "in overload a good request for a token is refused with %u: "
				       "what is refused is the request, with 503 or 429",
				       response->status);
		if (response->status == 503 && strcmp(response->cause, "NF_CONGESTION") != 0)
			tc_should(t, "NR-09", "503 has the cause \"%s\", not NF_CONGESTION",
				  response->cause);
	}
	tc_note(t, "in overload %u of %d good requests for a token are refused", refused, TRIES);
	tc_control(t, "load percent=0");
	tc_sleep(t, US_PER_S);
	response = ask_for_type(pair.consumer);
	must_be_good(t, response, &wanted, "a request for a token after the overload");
}

#define AUTH(number, needed, where)                                                        \
	.id = "TP/NRF/AUTH/" number, .role = ROLE_NRF, .strength = SHALL, .clause = where, \
	.needs = NEEDS(ICS_OAUTH2), .requirement = needed

const struct test_case nrfl_token_cases[NRF_TOKEN_CASES] = {
	{ AUTH("X01", "SB-X-01", "29.510 5.4.2.2, 6.3.5.2; 33.501 13.4.1.1"),
	  .purpose = "A consumer gets a token for the service of an NF type",
	  .stimulus = "A request with targetNfType and scope, of a consumer that is registered",
	  .expect = "A token of the NRF's key, of this consumer, for this type and service",
	  .iut_time_us = US_PER_S, .run = for_a_type },
	{ AUTH("X02", "SB-X-01", "29.510 5.4.2.2, 6.3.5.2.4"),
	  .purpose = "A token for one instance is for this instance",
	  .stimulus = "A request with targetNfInstanceId",
	  .expect = "aud has the instance, and is not its type", .iut_time_us = US_PER_S,
	  .run = for_an_instance },
	{ AUTH("X03", "SB-X-01", "29.510 5.4.2.2, 6.3.5.2.5; RFC 6749 5.2"),
	  .purpose = "Who asks wrongly gets no token",
	  .stimulus = "Another grant_type, none, no scope, a consumer that is not registered",
	  .expect = "400 with the error, for the last a token too; a good request is answered as "
		    "before",
	  .iut_time_us = US_PER_S, .run = wrong_requests },
	{ AUTH("X04", "SB-X-01", "29.510 5.4.2.2, 6.1.6.2.2; 33.501 13.4.1.1"),
	  .purpose = "Who may not use a service gets no token for it",
	  .stimulus = "A producer with allowedNfTypes PCF; a request of an AMF",
	  .expect = "400; a token when the producer allows it to all", .iut_time_us = US_PER_S,
	  .run = not_for_all },
	{ AUTH("X05", "SB-X-02", "29.500 6.4.2; 29.510 5.4.2.2"),
	  .purpose = "Overload of the NRF opens no door, and blames nobody for it",
	  .stimulus = "Load of 150 %; requests that may not and that may have a token",
	  .expect = "No token for the first; for the others a token, or 503",
	  .iut_time_us = 4 * US_PER_S, .run = in_overload },
};
