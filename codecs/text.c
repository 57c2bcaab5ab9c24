#include "codecs/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_init(struct text *text, char *buf, size_t size)
{
	text->buf = buf;
	text->size = size;
	text->len = 0;
	text->truncated = false;
	buf[0] = '\0';
}

static void text_append(struct text *text, const char *s, size_t n)
{
	size_t room = text->size - 1 - text->len;

	if (n > room) {
		text->truncated = true;
		n = room;
	}
	memcpy(text->buf + text->len, s, n);
	text->len += n;
	text->buf[text->len] = '\0';
}

void text_putc(struct text *text, char c)
{
	text_append(text, &c, 1);
}

void text_puts(struct text *text, const char *s)
{
	text_append(text, s, strlen(s));
}

void text_printf(struct text *text, const char *format, ...)
{
	size_t room = text->size - text->len;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text->buf + text->len, room, format, args);
	va_end(args);
	if (n < 0) {
		text->buf[text->len] = '\0';
		text->truncated = true;
	} else if ((size_t)n >= room) {
		text->len = text->size - 1;
		text->truncated = true;
	} else {
		text->len += (size_t)n;
	}
}

void text_write(struct text *text, const void *s, size_t n)
{
	if (n > 0)
		text_append(text, s, n);
}

void text_one_line(struct text *text, size_t from)
{
	for (size_t i = from; i < text->len; i++) {
		unsigned char c = (unsigned char)text->buf[i];
		size_t room = text->size - 1 - i, rest = text->len - i - 1;
		char escape[5];

		if (c >= ' ' && c != 0x7f)
			continue;
		snprintf(escape, sizeof(escape), "\\x%02x", c);
		if (room < 4 + rest) {
			text->truncated = true;
			rest = room < 4 ? 0 : room - 4;
		}
		if (room >= 4) {
			memmove(text->buf + i + 4, text->buf + i + 1, rest);
			memcpy(text->buf + i, escape, 4);
			i += 3;
			text->len = i + 1 + rest;
		} else {
			text->len = i;
		}
		text->buf[text->len] = '\0';
	}
}

void text_hex(struct text *text, const uint8_t *data, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		char pair[2] = { digits[data[i] >> 4], digits[data[i] & 15] };

		text_append(text, pair, sizeof(pair));
		if (text->truncated)
			return;
	}
}

void text_indent(struct text *text, unsigned int n)
{
	while (n-- > 0)
		text_append(text, "  ", 2);
}
