#include "codecs/sbi/sbi_read.h"

static bool scheme_known(struct octets scheme, uint16_t *port)
{
	if (sbi_equal_nocase(scheme, "http")) {
		*port = 80;
		return true;
	}
	*port = 443;
	return sbi_equal_nocase(scheme, "https");
}

/* Visible ASCII, of which RFC 3986 leaves these out. */
static bool uri_octets(struct octets value, const uint8_t **bad)
{
	for (size_t i = 0; i < value.len; i++) {
		uint8_t c = value.data[i];

		if (c <= ' ' || c >= 0x7f || strchr("\"<>\\^`{|}", c)) {
			*bad = value.data + i;
			return false;
		}
	}
	return true;
}

static bool read_port(struct octets digits, uint16_t *port)
{
	uint64_t number;

	if (!sbi_number(digits, &number) || number > UINT16_MAX)
		return false;
	*port = (uint16_t)number;
	return true;
}

/* host, host:port, [IPv6], [IPv6]:port */
static bool read_authority(struct sbi_uri *uri, struct octets authority, const uint8_t **bad)
{
	size_t end = 0, after;

	*bad = authority.data;
	if (authority.len > 0 && authority.data[0] == '[') {
		while (end < authority.len && authority.data[end] != ']')
			end++;
		if (end == authority.len)
			return false;
		uri->host = OCTETS(authority.data + 1, end - 1);
		after = end + 1;
	} else {
		while (end < authority.len && authority.data[end] != ':')
			end++;
		uri->host = OCTETS(authority.data, end);
		after = end;
	}
	if (!sbi_is_host(uri->host))
		return false;
	if (after == authority.len)
		return true;
	*bad = authority.data + after;
	uri->has_port = true;
	return authority.data[after] == ':' &&
	       read_port(OCTETS(authority.data + after + 1, authority.len - after - 1), &uri->port);
}

static enum finding_rule fail(struct octets value, const uint8_t *bad, const char *field,
			      struct findings *findings)
{
	struct sbi_line line = { .all = value, .findings = findings };

	sbi_fault(&line, FINDING_SYNTAX, bad, field);
	return FINDING_SYNTAX;
}

enum finding_rule sbi_uri_read(struct sbi_uri *uri, struct octets value, struct findings *findings)
{
	struct octets rest = value, authority;
	const uint8_t *bad = value.data;
	size_t at = 0;

	memset(uri, 0, sizeof(*uri));
	while (at < value.len && value.data[at] != ':')
		at++;
	uri->scheme = OCTETS(value.data, at);
	if (value.len - at < 3 || memcmp(value.data + at, "://", 3) != 0 ||
	    !scheme_known(uri->scheme, &uri->port))
		return fail(value, value.data, "URI scheme", findings);
	rest = OCTETS(value.data + at + 3, value.len - at - 3);
	if (!uri_octets(rest, &bad))
		return fail(value, bad, "URI", findings);
	for (at = 0; at < rest.len && rest.data[at] != '/' && rest.data[at] != '?'; at++)
		;
	authority = OCTETS(rest.data, at);
	if (!read_authority(uri, authority, &bad))
		return fail(value, bad, "URI authority", findings);
	rest = OCTETS(rest.data + at, rest.len - at);
	for (at = 0; at < rest.len && rest.data[at] != '?'; at++)
		;
	uri->path = OCTETS(rest.data, at);
	if (at < rest.len) {
		uri->has_query = true;
		uri->query = OCTETS(rest.data + at + 1, rest.len - at - 1);
	}
	return FINDING_NONE;
}

enum finding_rule sbi_target_apiroot_read(struct sbi_uri *uri, struct octets value,
					  struct findings *findings)
{
	enum finding_rule rule = sbi_uri_read(uri, value, findings);

	if (rule != FINDING_NONE)
		return rule;
	if (uri->has_query)
		return fail(value, uri->query.data, "apiRoot", findings);
	/* the API's own path follows with a "/" of its own */
	if (uri->path.len > 0 && uri->path.data[uri->path.len - 1] == '/')
		return fail(value, uri->path.data + uri->path.len - 1, "apiRoot", findings);
	return FINDING_NONE;
}

bool sbi_uri_under(const struct sbi_uri *uri, const struct sbi_uri *scope)
{
	size_t len = scope->path.len;

	if (!sbi_same_nocase(uri->scheme, scope->scheme) ||
	    !sbi_same_nocase(uri->host, scope->host) || uri->port != scope->port)
		return false;
	/* "/a" has "/a" and "/a/b" below it, and not "/ab" */
	while (len > 0 && scope->path.data[len - 1] == '/')
		len--;
	if (uri->path.len < len || (len && memcmp(uri->path.data, scope->path.data, len) != 0))
		return false;
	return uri->path.len == len || uri->path.data[len] == '/';
}
