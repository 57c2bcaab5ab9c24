#include "runner/core/escape.h"

#include <stddef.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at s (RFC 3629), 0 where there is none. */
static size_t utf8(const unsigned char *s, uint32_t *code)
{
	size_t len;

	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	*code = s[0] & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	if ((len == 3 && *code < 0x800) || (len == 4 && (*code < 0x10000 || *code > 0x10ffff)) ||
	    (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return len;
}

/* C1 controls, line ends and marks that change the direction of text. */
static bool harmful(uint32_t code)
{
	return code < 0xa0 || (code >= 0x200e && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
	       code == 0x61c || code == 0xfeff;
}

static size_t plain(const unsigned char *p)
{
	size_t n = 0;

	while (p[n] >= 0x20 && p[n] < 0x7f && p[n] != '"' && p[n] != '\\')
		n++;
	return n;
}

static void escape(struct text *out, const char *s, bool json)
{
	const unsigned char *p = (const unsigned char *)s;

	while (*p) {
		uint32_t code = *p;
		size_t len = plain(p), multi;

		if (len == 0 && (multi = utf8(p, &code)) != 0 && !harmful(code))
			len = multi;
		if (len) {
			text_printf(out, "%.*s", (int)len, (const char *)p);
			p += len;
			continue;
		}
		len = code < 0x80 ? 1 : utf8(p, &code);
		if (*p == '"' || *p == '\\')
			text_printf(out, json || *p == '\\' ? "\\%c" : "%c", *p);
		else if (len == 0)
			text_printf(out, json ? "\\\\x%02x" : "\\x%02x", *p);
		else if (json || code >= 0x80)
			text_printf(out, "\\u%04x", (unsigned int)code);
		else
			text_printf(out, "\\x%02x", *p);
		p += len ? len : 1;
	}
}

void escape_line(struct text *out, const char *s)
{
	escape(out, s, false);
}

void escape_json(struct text *out, const char *s)
{
	if (!s) {
		text_puts(out, "null");
		return;
	}
	text_putc(out, '"');
	escape(out, s, true);
	text_putc(out, '"');
}
