#include "reports/varying.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const char *const names[VARYING_COUNT] = {
	[VARIES_NOT] = "fields with another value in almost every message",
	[VARIES_RANDOM] = "random numbers and what is computed from them",
	[VARIES_MAC] = "message authentication codes",
	[VARIES_SEQUENCE] = "sequence numbers",
	[VARIES_IDENTIFIER] = "identifiers that an element gives out",
	[VARIES_TIME] = "dates and times of day",
	[VARIES_KEY] = "keys and tokens (they are not shown either)",
	[VARIES_ENCLOSED] = "enclosed messages and their length: they are compared by themselves",
	[VARIES_BY_CHANCE] = "values that both builds draw from the same range",
};

/* Fields with a component of this name in their path. */
static const struct {
	const char *proto, *name;
	enum varying varies;
} table[] = {
	{ "nas", "Authentication parameter RAND", VARIES_RANDOM },
	{ "nas", "Authentication parameter AUTN", VARIES_RANDOM },
	{ "nas", "Authentication response parameter", VARIES_RANDOM },
	{ "nas", "Authentication failure parameter", VARIES_RANDOM },
	{ "nas", "5G-TMSI", VARIES_IDENTIFIER },
	{ "nas", "Sequence number", VARIES_SEQUENCE },
	{ "nas", "Message authentication code", VARIES_MAC },
	{ "nas", "Universal time and local time zone", VARIES_TIME },
	{ "ngap", "AMF-UE-NGAP-ID", VARIES_IDENTIFIER },
	{ "ngap", "RAN-UE-NGAP-ID", VARIES_IDENTIFIER },
	{ "ngap", "UE-NGAP-IDs", VARIES_IDENTIFIER },
	{ "ngap", "fiveG-TMSI", VARIES_IDENTIFIER },
	{ "ngap", "aMF-UE-NGAP-ID", VARIES_IDENTIFIER },
	{ "ngap", "rAN-UE-NGAP-ID", VARIES_IDENTIFIER },
	{ "ngap", "gTP-TEID", VARIES_IDENTIFIER },
	{ "ngap", "timeStamp", VARIES_TIME },
	{ "ngap", "SecurityKey", VARIES_KEY },
	{ "ngap", "SecurityContext", VARIES_KEY },
	{ "ngap", "nextHopNH", VARIES_KEY },
	{ "ngap", "NAS-PDU", VARIES_ENCLOSED },
	{ "ngap", "pDUSessionNAS-PDU", VARIES_ENCLOSED },
	{ "nas", "NAS message container", VARIES_ENCLOSED },
	{ "pfcp", "Header Sequence Number", VARIES_SEQUENCE },
	{ "pfcp", "Sequence Number", VARIES_SEQUENCE },
	{ "pfcp", "UR-SEQN", VARIES_SEQUENCE },
	{ "pfcp", "SEID", VARIES_IDENTIFIER },
	{ "pfcp", "TEID", VARIES_IDENTIFIER },
	{ "pfcp", "UE IP Address", VARIES_IDENTIFIER },
	{ "pfcp", "Recovery Time Stamp", VARIES_TIME },
	{ "pfcp", "Start Time", VARIES_TIME },
	{ "pfcp", "End Time", VARIES_TIME },
	{ "pfcp", "Time of First Packet", VARIES_TIME },
	{ "pfcp", "Time of Last Packet", VARIES_TIME },
	{ "http2", "date", VARIES_TIME },
	{ "http2", "content-length", VARIES_ENCLOSED },
	{ "http2", "etag", VARIES_IDENTIFIER },
	{ "http2", "subscriptionId", VARIES_IDENTIFIER },
	{ "http2", "rand", VARIES_RANDOM },
	{ "http2", "autn", VARIES_RANDOM },
	{ "http2", "hxresStar", VARIES_RANDOM },
	{ "http2", "resStar", VARIES_RANDOM },
	{ "http2", "auts", VARIES_RANDOM },
	{ "http2", "authorization", VARIES_KEY },
	{ "http2", "3gpp-sbi-access-token", VARIES_KEY },
	{ "http2", "3gpp-sbi-client-credentials", VARIES_KEY },
	{ "http2", "access_token", VARIES_KEY },
	{ "http2", "client_assertion", VARIES_KEY },
	{ "http2", "kseaf", VARIES_KEY },
	{ "http2", "kausf", VARIES_KEY },
	{ "http2", "encPermanentKey", VARIES_KEY },
	{ "http2", "encOpcKey", VARIES_KEY },
};

const char *varying_name(enum varying varying)
{
	return varying < VARYING_COUNT ? names[varying] : "?";
}

/* The component's name ends before "[2]" and "#2". */
static bool is_name(const char *component, size_t len, const char *name)
{
	size_t n = strlen(name);

	return len >= n && strncmp(component, name, n) == 0 &&
	       (len == n || component[n] == '[' || component[n] == '#');
}

enum varying varying_field(const char *proto, const char *path)
{
	static const char criticality[] = ".criticality";
	size_t whole = strlen(path), tail = sizeof(criticality) - 1;

	if (whole >= tail && strcmp(path + whole - tail, criticality) == 0)
		return VARIES_NOT;
	while (*path != '\0') {
		size_t len = strcspn(path, "/.");

		for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
			/* Octets enclose; fields of what is enclosed are compared. */
			if (table[i].name[0] == path[0] && strcmp(table[i].proto, proto) == 0 &&
			    is_name(path, len, table[i].name) &&
			    (table[i].varies != VARIES_ENCLOSED || path[len] == '\0'))
				return table[i].varies;
		}
		path += len;
		path += *path != '\0';
	}
	return VARIES_NOT;
}

/* How many characters of s are of the pattern: x hexadecimal digit, 9 digit, a letter, else itself.
 */
static size_t matches(const char *s, const char *pattern)
{
	size_t n = 0;

	for (; pattern[n] != '\0'; n++) {
		unsigned char c = (unsigned char)s[n];
		bool good = pattern[n] == 'x'	? isxdigit(c) != 0
			    : pattern[n] == '9' ? isdigit(c) != 0
			    : pattern[n] == 'a' ? isalpha(c) != 0
						: c == (unsigned char)pattern[n];

		if (!good)
			return 0;
	}
	return n;
}

static const struct {
	const char *pattern, *becomes;
	enum varying varies;
} patterns[] = {
	{ "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "<uuid>", VARIES_IDENTIFIER },
	{ "aaa, 99 aaa 9999 99:99:99 GMT", "<time>", VARIES_TIME },
	{ "9999-99-99T99:99:99", "<time>", VARIES_TIME },
};

/* After RFC 3339's seconds: ".123456", and "Z" or "+01:00". */
static size_t time_tail(const char *s)
{
	size_t n = 0;

	if (s[0] == '.')
		for (n = 1; isdigit((unsigned char)s[n]) && n < 12;)
			n++;
	if (s[n] == 'Z')
		return n + 1;
	return n + (matches(s + n, "+99:99") > 0 || matches(s + n, "-99:99") > 0 ? 6 : 0);
}

enum varying varying_value(const char *proto, const char *value, struct text *out)
{
	enum varying varies = VARIES_NOT;

	if (strcmp(proto, "http2") == 0 &&
	    (strncmp(value, "http://", 7) == 0 || strncmp(value, "https://", 8) == 0)) {
		varying_path(value, out);
		return strcmp(out->buf, value) == 0 ? VARIES_NOT : VARIES_IDENTIFIER;
	}
	/* each of the patterns has one of them */
	if (strpbrk(value, "-:") == NULL) {
		text_puts(out, value);
		return VARIES_NOT;
	}
	while (*value != '\0') {
		size_t n = 0;

		for (size_t i = 0; n == 0 && i < sizeof(patterns) / sizeof(patterns[0]); i++) {
			n = matches(value, patterns[i].pattern);
			if (n == 0)
				continue;
			text_puts(out, patterns[i].becomes);
			varies = patterns[i].varies;
			if (varies == VARIES_TIME)
				n += time_tail(value + n);
		}
		if (n == 0)
			text_putc(out, *value++);
		value += n;
	}
	return varies;
}

void varying_path(const char *path, struct text *out)
{
	enum { DIGITS_MIN = 6 };
	const char *start = path;

	while (*path != '\0') {
		size_t n = matches(path, patterns[0].pattern), digits = strspn(path, "0123456789");
		bool whole = digits > 0 && (path == start || path[-1] == '/') &&
			     (path[digits] == '\0' || path[digits] == '/');

		if (n == 0 && whole)
			n = digits;
		if (n > 0) {
			text_puts(out, "<id>");
			path += n;
			continue;
		}
		while (isxdigit((unsigned char)path[n]))
			n++;
		/* a word such as "added" is no number */
		if (n >= DIGITS_MIN && strcspn(path, "0123456789") < n) {
			text_puts(out, "<id>");
		} else {
			n = n > 0 ? n : 1;
			text_write(out, path, n);
		}
		path += n;
	}
}
