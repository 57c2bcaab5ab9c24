/*
 * A bounded string builder over a caller's buffer; the one way in which this project composes
 * text. It never overruns, never fails and is always terminated; what does not fit is dropped and
 * remembered in truncated.
 */
#ifndef SPILLWAY_CODECS_TEXT_H
#define SPILLWAY_CODECS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *buf;
	size_t size; /* at least 1 */
	size_t len;  /* without the terminator, always below size */
	bool truncated;
};

void text_init(struct text *text, char *buf, size_t size);
void text_putc(struct text *text, char c);
void text_puts(struct text *text, const char *s);
/* n octets, a zero among them as any other. */
void text_write(struct text *text, const void *s, size_t n);
__attribute__((format(printf, 2, 3))) void text_printf(struct text *text, const char *format, ...);

/*
 * Makes one printable line of what was appended since len was from: "\\x0a" and so on for each
 * control character. For text that quotes what somebody else wrote.
 */
void text_one_line(struct text *text, size_t from);

/* Lower-case hexadecimal digits, no separators. */
void text_hex(struct text *text, const uint8_t *data, size_t len);

/* n times two blanks: the indentation of every multi-line print in the house. */
void text_indent(struct text *text, unsigned int n);

#endif
