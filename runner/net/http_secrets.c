#include "runner/net/http_secrets.h"

#include <string.h>

static bool is(struct octets name, const char *text)
{
	return name.len == strlen(text) && memcmp(name.data, text, name.len) == 0;
}

bool http_is_secret_field(struct octets name)
{
	return is(name, "authorization") || is(name, "3gpp-sbi-access-token") ||
	       is(name, "3gpp-sbi-client-credentials") ||
	       is(name, "3gpp-sbi-source-nf-client-credentials");
}

void http_blot_value(uint8_t *value, size_t len)
{
	size_t keep = 0;

	while (keep < len && value[keep] != ' ')
		keep++;
	keep = keep == len ? 0 : keep + 1;
	memset(value + keep, 'x', len - keep);
}

static const char *const secret_members[] = {
	"access_token", "client_assertion", "client_secret", "kseaf",
	"kausf",	"encPermanentKey",  "encOpcKey",
};

static bool is_space(uint8_t c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* From the colon after the member's name to the end of its text. */
static void blot_text(uint8_t *at, const uint8_t *end)
{
	while (at < end && (is_space(*at) || *at == ':'))
		at++;
	if (at == end || *at != '"')
		return;
	for (at++; at < end && *at != '"'; at++) {
		if (*at == '\\' && at + 1 < end)
			*at++ = 'x';
		*at = 'x';
	}
}

static void blot_parameter(uint8_t *at, const uint8_t *end)
{
	while (at < end && *at != '&')
		*at++ = 'x';
}

static void blot_member(uint8_t *body, size_t len, const char *name)
{
	const size_t n = strlen(name);
	uint8_t *const end = body + len;
	uint8_t *at = body;

	while ((at = memmem(at, (size_t)(end - at), name, n))) {
		const bool begins = at == body || at[-1] == '&';
		const bool quoted = at > body && at[-1] == '"';

		at += n;
		if (quoted && at < end && *at == '"')
			blot_text(at + 1, end);
		else if (begins && at < end && *at == '=')
			blot_parameter(at + 1, end);
	}
}

void http_blot_body(uint8_t *body, size_t len)
{
	for (size_t i = 0; i < sizeof(secret_members) / sizeof(secret_members[0]); i++)
		blot_member(body, len, secret_members[i]);
}
