#include "runner/emulation/sbi_token.h"

#include <stdio.h>
#include <string.h>

#include "runner/core/loop.h"

enum { LONG_AGO = 3600, ARENA_MAX = 64 * 1024 };

/* {"typ":"JWT","alg":"none"} */
#define UNSIGNED_HEAD "eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0"

#define OTHER_INSTANCE "54804518-4191-46b3-955c-ac631f953ed8"

static const char *const names[BEARER_KINDS] = {
	[BEARER_GOOD] = "a good token",
	[BEARER_OF_INSTANCE] = "a good token for instances, this one among them",
	[BEARER_OF_SERVICES] = "a good token for services, this one among them",
	[BEARER_NONE] = "no token",
	[BEARER_EXPIRED] = "a token that expired an hour ago",
	[BEARER_FORGED] = "a token that somebody else signed",
	[BEARER_UNSIGNED] = "a token without signature (alg none)",
	[BEARER_CHANGED] = "a token whose claims were changed",
	[BEARER_OTHER_SERVICE] = "a token for another service",
	[BEARER_LONGER_SERVICE] = "a token for services whose names have this one's in them",
	[BEARER_OTHER_TYPE] = "a token for producers of another NF type",
	[BEARER_OTHER_INSTANCE] = "a token for another producer",
	[BEARER_GARBAGE] = "what is no token",
	[BEARER_OTHER_SCHEME] = "credentials of another scheme",
};

const char *sbi_bearer_name(enum sbi_bearer kind)
{
	return (unsigned int)kind < BEARER_KINDS ? names[kind] : "?";
}

/* --- what a consumer shows ----------------------------------------------------------------------
 */

struct claims {
	char aud[200], scope[400];
	int64_t exp;
};

static void fill(struct claims *claims, enum sbi_bearer kind, const struct sbi_bearer_for *to)
{
	const char *type = to->nf_type;
	const int len = (int)(to->service.len < 100 ? to->service.len : 100);
	const char *service = (const char *)to->service.data;

	if (kind == BEARER_OTHER_TYPE)
		type = strcmp(to->nf_type, "BSF") == 0 ? "CHF" : "BSF";
	/* an NF type, or a list of instances (TS 29.510 6.3.5.2.4) */
	if (kind == BEARER_OF_INSTANCE && to->nf_instance[0])
		snprintf(claims->aud, sizeof(claims->aud), "[\"" OTHER_INSTANCE "\",\"%s\"]",
			 to->nf_instance);
	else if (kind == BEARER_OTHER_INSTANCE)
		snprintf(claims->aud, sizeof(claims->aud), "[\"" OTHER_INSTANCE "\"]");
	else
		snprintf(claims->aud, sizeof(claims->aud), "\"%s\"", type);
	if (kind == BEARER_OTHER_SERVICE)
		snprintf(claims->scope, sizeof(claims->scope), "nbsf-management");
	else if (kind == BEARER_LONGER_SERVICE)
		snprintf(claims->scope, sizeof(claims->scope), "%.*s-y x-%.*s x-%.*s-y", len,
			 service, len, service, len, service);
	else if (kind == BEARER_OF_SERVICES)
		snprintf(claims->scope, sizeof(claims->scope), "nbsf-management %.*s nudr-dr", len,
			 service);
	else
		snprintf(claims->scope, sizeof(claims->scope), "%.*s", len, service);
	claims->exp = to->now + (kind == BEARER_EXPIRED ? -LONG_AGO : SBI_BEARER_LIFETIME);
}

static int issue(struct text *out, const struct access_token_key *key,
		 const struct sbi_bearer_for *to, const struct claims *claims, struct text *why)
{
	return access_token_issue(out, key,
				  &(struct access_token){ .iss = HTTP_TEXT(SBI_NRF_ID),
							  .sub = HTTP_TEXT(to->consumer),
							  .aud = HTTP_TEXT(claims->aud),
							  .scope = HTTP_TEXT(claims->scope),
							  .exp = claims->exp },
				  why);
}

static int issue_forged(struct text *out, const struct sbi_bearer_for *to,
			const struct claims *claims, struct text *why)
{
	static const char other[] = "of somebody else, who has no say here";
	struct access_token_key *key = access_token_secret(HTTP_TEXT(other), why);
	int result = key ? issue(out, key, to, claims, why) : -1;

	access_token_key_free(key);
	return result;
}

/* Head and claims of the one, signature of the other; without signature where that is NULL. */
static void put_together(struct text *out, const char *head, const char *claims_of,
			 const char *signature_of)
{
	const char *first = strchr(claims_of, '.'), *second = first ? strchr(first + 1, '.') : NULL;
	const char *dot = signature_of ? strrchr(signature_of, '.') : NULL;

	if (!second)
		return;
	if (head)
		text_puts(out, head);
	else
		text_write(out, claims_of, (size_t)(first - claims_of));
	text_write(out, first, (size_t)(second - first) + 1);
	if (dot)
		text_puts(out, dot + 1);
}

int sbi_bearer_print(struct text *out, enum sbi_bearer kind, const struct sbi_bearer_for *to,
		     struct text *why)
{
	char good[ACCESS_TOKEN_MAX], other[ACCESS_TOKEN_MAX];
	struct text good_text, other_text;
	struct claims claims;

	if (kind == BEARER_NONE)
		return 0;
	text_init(&good_text, good, sizeof(good));
	text_init(&other_text, other, sizeof(other));
	fill(&claims, kind, to);
	text_puts(out, kind == BEARER_OTHER_SCHEME ? "Basic " : "Bearer ");
	switch (kind) {
	case BEARER_FORGED:
		return issue_forged(out, to, &claims, why);
	case BEARER_UNSIGNED:
		if (issue(&good_text, to->key, to, &claims, why) != 0)
			return -1;
		put_together(out, UNSIGNED_HEAD, good, NULL);
		return 0;
	case BEARER_CHANGED:
		if (issue(&good_text, to->key, to, &claims, why) != 0)
			return -1;
		fill(&claims, BEARER_OTHER_SERVICE, to);
		if (issue(&other_text, to->key, to, &claims, why) != 0)
			return -1;
		put_together(out, NULL, good, other);
		return 0;
	case BEARER_GARBAGE:
		text_puts(out, "e30.e30.e30.e30");
		return 0;
	case BEARER_OTHER_SCHEME:
		text_puts(out, "c3BpbGx3YXk6c3BpbGx3YXk=");
		return 0;
	default:
		return issue(out, to->key, to, &claims, why);
	}
}

/* --- what a producer finds ----------------------------------------------------------------------
 */

struct octets sbi_service_of(struct octets path)
{
	const uint8_t *end;

	if (path.len && path.data[0] == '/')
		path = OCTETS(path.data + 1, path.len - 1);
	end = path.len ? memchr(path.data, '/', path.len) : NULL;
	return end ? OCTETS(path.data, (size_t)(end - path.data)) : path;
}

static bool is_one_of(struct octets word, const char *list)
{
	for (const char *at = list; at && *at;) {
		size_t len = strcspn(at, ",");

		if (len == word.len && memcmp(at, word.data, len) == 0)
			return true;
		at += len + (at[len] == ',');
	}
	return false;
}

enum sbi_token sbi_guard_look(const struct sbi_guard *guard, const struct http_message *request,
			      struct octets path, uint64_t now_us, struct text *why)
{
	const struct octets *field = http_header(request, "authorization");
	struct octets text = field ? access_token_of(*field) : OCTETS(NULL, 0);
	const struct octets service = sbi_service_of(path);
	struct access_token_wanted wanted = {
		.nf_type = guard->nf_type,
		.nf_instance = guard->nf_instance,
		.now = (guard->epoch_ms + (int64_t)(now_us / US_PER_MS)) / 1000 - SBI_TOKEN_LEEWAY,
	};
	uint8_t memory[ARENA_MAX];
	struct access_token token;
	struct arena arena;
	char name[100];

	if (!guard->key || service.len >= sizeof(name) || !is_one_of(service, guard->services))
		return SBI_TOKEN_NOT_LOOKED_AT;
	if (!field) {
		text_puts(why, "there is no token");
		return SBI_TOKEN_MISSING;
	}
	arena_init(&arena, memory, sizeof(memory));
	if (access_token_check(&token, guard->key, text, &wanted, &arena, why) != 0)
		return SBI_TOKEN_BAD;
	memcpy(name, service.data, service.len);
	name[service.len] = '\0';
	wanted.service = name;
	arena_reset(&arena);
	return access_token_check(&token, guard->key, text, &wanted, &arena, why) == 0
		       ? SBI_TOKEN_GOOD
		       : SBI_TOKEN_OTHER_SCOPE;
}
