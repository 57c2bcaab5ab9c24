/*
 * Access tokens (TS 33.501 13.4.1, TS 29.500 6.7.3): who is not authorised is not served, whatever
 * the load is; and who is, is told of overload as before.
 */
#include "suites/sbi_oci_server/server.h"

static struct srv *start(struct tc *t)
{
	sbi_use_tokens(t);
	tc_sleep(t, US_PER_S);
	return srv_start(t);
}

/* There may be challenges of other schemes too, in this field or in further ones. */
static bool is_challenge(const struct sbi_response *response)
{
	static const char scheme[] = "bearer";
	const size_t len = sizeof(scheme) - 1;

	for (size_t i = 0; i < response->message->header_count; i++) {
		const struct http_header *field = &response->message->headers[i];

		if (!octets_equal(field->name, sbi_octets("www-authenticate")))
			continue;
		for (size_t at = 0; at + len <= field->value.len; at++) {
			const uint8_t *word = field->value.data + at;
			const bool begins = at == 0 || word[-1] == ' ' || word[-1] == ',';
			const bool ends = at + len == field->value.len || word[len] == ' ' ||
					  word[len] == ',';

			if (begins && ends && sbi_equal_nocase(OCTETS(word, len), scheme))
				return true;
		}
	}
	return false;
}

static bool is_refusal(unsigned int status, enum sbi_bearer kind)
{
	switch (kind) {
	case BEARER_OTHER_SERVICE:
	case BEARER_LONGER_SERVICE:
		return status == 403;
	case BEARER_OTHER_TYPE:
	case BEARER_OTHER_INSTANCE:
		return status == 401 || status == 403;
	default:
		return status == 401;
	}
}

/* A refusal for want of authorisation: 401, for a wrong scope 403, for another audience either. */
static void must_be_refused(struct srv *srv, enum sbi_bearer kind)
{
	const struct sbi_response *response = srv_request(srv, srv->consumer, .bearer = kind);
	const char *name = sbi_bearer_name(kind);

	if (response->status / 100 == 2)
		srv_violation(srv->t, response, "a request with %s is served (%u)", name,
			      response->status);
	if (response->status != 401 && response->status != 403)
		srv_violation(srv->t, response,
			      "a request with %s is answered with %u, neither with 401 nor with "
			      "403",
			      name, response->status);
	if (!is_challenge(response))
		srv_violation(srv->t, response,
			      "%u to a request with %s has no WWW-Authenticate with a Bearer "
			      "challenge",
			      response->status, name);
	if (!is_refusal(response->status, kind))
		srv_should(srv->t, response, "SB-X-01",
			   "a request with %s is answered with %u, not %u", name, response->status,
			   response->status == 401 ? 403 : 401);
}

static void must_be_served(struct srv *srv, enum sbi_bearer kind)
{
	const struct profile_operation *operation = &srv->t->profile->operations[srv->plain];
	const struct sbi_response *response = srv_request(srv, srv->consumer, .bearer = kind);

	if (response->status != operation->expect)
		srv_violation(srv->t, response, "a request with %s is answered with %u, not %u",
			      sbi_bearer_name(kind), response->status, operation->expect);
}

static void refused_among_good(struct tc *t, const enum sbi_bearer *kinds, size_t count)
{
	struct srv *srv = start(t);

	for (size_t i = 0; i < count; i++) {
		must_be_refused(srv, kinds[i]);
		/* It is the token that was refused, not the consumer. */
		must_be_served(srv, BEARER_GOOD);
	}
}

#define REFUSED(t, ...)                                                       \
	refused_among_good((t), (const enum sbi_bearer[]){ __VA_ARGS__ },     \
			   sizeof((const enum sbi_bearer[]){ __VA_ARGS__ }) / \
				   sizeof(enum sbi_bearer))

static void without(struct tc *t)
{
	REFUSED(t, BEARER_NONE, BEARER_OTHER_SCHEME, BEARER_GARBAGE);
}

static void expired(struct tc *t)
{
	REFUSED(t, BEARER_EXPIRED);
}

static void signature(struct tc *t)
{
	REFUSED(t, BEARER_FORGED, BEARER_UNSIGNED, BEARER_CHANGED);
}

static void scope(struct tc *t)
{
	struct srv *srv = start(t);

	must_be_refused(srv, BEARER_OTHER_SERVICE);
	must_be_refused(srv, BEARER_LONGER_SERVICE);
	must_be_served(srv, BEARER_GOOD);
	must_be_served(srv, BEARER_OF_SERVICES);
}

static void audience(struct tc *t)
{
	struct srv *srv;

	sbi_use_tokens(t);
	sbi_iut_starts(t);
	srv = srv_start(t);
	must_be_refused(srv, BEARER_OTHER_TYPE);
	must_be_refused(srv, BEARER_OTHER_INSTANCE);
	must_be_served(srv, BEARER_GOOD);
	if (sbi_iut_profile(t))
		must_be_served(srv, BEARER_OF_INSTANCE);
	else
		tc_note(t,
			"the IUT registers no profile that can be read: a token for its instance "
			"is not tried");
}

/* --- in overload --------------------------------------------------------------------------------
 */

enum { BUSY = 150, TRIES = 8 };

static void refused_in_overload(struct srv *srv, const struct sbi_response *response,
				enum sbi_bearer kind)
{
	if (response->status / 100 == 2)
		srv_violation(srv->t, response, "in overload a request with %s is served (%u)",
			      sbi_bearer_name(kind), response->status);
}

static void in_overload(struct tc *t)
{
	static const enum sbi_bearer kinds[] = { BEARER_NONE, BEARER_EXPIRED, BEARER_FORGED,
						 BEARER_OTHER_SERVICE };
	struct srv *srv = start(t);
	const struct sbi_response *response;
	unsigned int refused = 0;

	tc_control(t, "load percent=%d", BUSY);
	for (size_t i = 0; i < TRIES; i++) {
		const enum sbi_bearer kind = kinds[i % (sizeof(kinds) / sizeof(kinds[0]))];

		/* What is of high priority is served at any load. */
		response =
			srv_request(srv, srv->consumer, .bearer = kind, .priority = SBI_VALUE(0));
		refused_in_overload(srv, response, kind);
		response = srv_request(srv, srv->consumer, .bearer = kind);
		refused_in_overload(srv, response, kind);
		response = srv_request(srv, srv->consumer, .bearer = BEARER_GOOD);
		refused += response->status == 503;
		if (response->status == 401 || response->status == 403)
			srv_violation(
				t, response,
				"in overload a good token is refused with %u: what is refused "
				"is the request, with 503",
				response->status);
		tc_sleep(t, SRV_PACE);
	}
	tc_note(t, "%u of %d requests with a good token are refused with 503", refused, TRIES);
	tc_control(t, "load percent=0");
	tc_sleep(t, US_PER_S);
	must_be_refused(srv, BEARER_EXPIRED);
	must_be_served(srv, BEARER_GOOD);
}

#define CASE(number, text, what, wanted, function)                                                 \
	{                                                                                          \
		.id = "TP/SBI/SRV/AUTH/" number, .requirement = "SB-X-01",                         \
		.clause = "29.500 6.7.3, 33.501 13.4.1", .strength = SHALL,                        \
		.role = ROLE_NF_SERVER, .purpose = (text), .stimulus = (what), .expect = (wanted), \
		.needs = NEEDS(ICS_OAUTH2), .iut_time_us = US_PER_S, .run = (function)             \
	}

const struct test_case srv_token_cases[SRV_TOKEN_CASES] = {
	CASE("X01", "A request without access token is not served",
	     "Requests without token, with another scheme, with what is no token; good ones "
	     "between",
	     "401 with WWW-Authenticate; the good ones are served", without),
	CASE("X02", "An access token that expired is not taken",
	     "A request with a token that expired an hour ago; a good one",
	     "401; the good one is served", expired),
	CASE("X03", "An access token is taken only with the signature of the NRF",
	     "Tokens that another one signed, without signature, with changed claims; good ones "
	     "between",
	     "401; the good ones are served", signature),
	CASE("X04", "An access token is taken only for the service in its scope",
	     "Tokens for other services, for this one, for this one among others",
	     "403 to the first, the others are served", scope),
	CASE("X05", "An access token is taken only by the producers in its audience",
	     "Tokens for another NF type, for another instance, for the type and for the instance",
	     "401 or 403 to the first two, the others are served", audience),
	{ .id = "TP/SBI/SRV/AUTH/X06",
	  .requirement = "SB-X-01",
	  .clause = "29.500 6.7.3, 6.4.2.2",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Overload opens no door: tokens are looked at whatever the load is",
	  .stimulus = "Load of 150 %; requests with wrong and with good tokens, of high and of no "
		      "priority",
	  .expect = "None with a wrong token is served; good tokens are not refused as such",
	  .needs = NEEDS(ICS_OAUTH2),
	  .iut_time_us = 5 * US_PER_S,
	  .run = in_overload },
};
