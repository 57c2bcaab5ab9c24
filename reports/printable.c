#include "reports/printable.h"

#include <string.h>

#define REPLACEMENT UINT32_C(0xfffd)

uint32_t utf8_next(const char **s)
{
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)*s;
	unsigned int more;
	uint32_t c;

	if (p[0] == 0)
		return 0;
	++*s;
	if (p[0] < 0x80)
		return p[0];
	if (p[0] >= 0xc2 && p[0] <= 0xdf) {
		more = 1;
		c = p[0] & 0x1f;
	} else if (p[0] >= 0xe0 && p[0] <= 0xef) {
		more = 2;
		c = p[0] & 0x0f;
	} else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		more = 3;
		c = p[0] & 0x07;
	} else {
		return REPLACEMENT;
	}
	for (unsigned int i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return REPLACEMENT;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return REPLACEMENT;
	*s += more;
	return c;
}

size_t utf8_encode(uint32_t c, char octets[4])
{
	size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const uint8_t first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (size_t i = len; i-- > 1; c >>= 6)
		octets[i] = (char)(0x80 | (c & 0x3f));
	octets[0] = (char)(first[len] | c);
	return len;
}

void utf8_put(uint32_t c, FILE *out)
{
	char octets[4];

	fwrite(octets, 1, utf8_encode(c, octets), out);
}

bool is_steering(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
	       c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

static void put_escaped(uint32_t c, FILE *out)
{
	if (c == '\n')
		fputs("\\n", out);
	else if (c == '\t')
		fputs("\\t", out);
	else if (c < 0x100)
		fprintf(out, "\\x%02x", (unsigned int)c);
	else
		fprintf(out, "\\u%04x", (unsigned int)c);
}

void print_line(const char *s, FILE *out)
{
	uint32_t c;

	while ((c = utf8_next(&s)) != 0) {
		if (is_steering(c))
			put_escaped(c, out);
		else
			utf8_put(c, out);
	}
}

/* Up to the line's end; *s then stands behind its line break. */
static void print_one_line(const char **s, const char *indent, size_t width, FILE *out)
{
	size_t column = 0;
	bool start = true;

	while (**s != '\0' && **s != '\n') {
		uint32_t c = utf8_next(s);

		if (column++ >= width) {
			if (column == width + 1)
				fputs("...", out);
			continue;
		}
		if (start)
			fputs(indent, out);
		start = false;
		if (c == '\t')
			fputs("    ", out);
		else if (is_steering(c) || c == 0xfffe || c == 0xffff)
			put_escaped(c, out);
		else
			utf8_put(c, out);
	}
	if (**s == '\n')
		++*s;
	fputc('\n', out);
}

void print_lines(const char *s, const char *indent, FILE *out)
{
	while (*s != '\0')
		print_one_line(&s, indent, SIZE_MAX, out);
}

void print_last_lines(const char *s, const char *indent, size_t lines, size_t width, FILE *out)
{
	size_t count = *s != '\0';

	for (const char *p = s; *p != '\0'; p++)
		count += *p == '\n' && p[1] != '\0';
	for (; count > lines; count--)
		s = strchr(s, '\n') + 1;
	while (*s != '\0')
		print_one_line(&s, indent, width, out);
}

void print_xml(const char *s, FILE *out)
{
	uint32_t c;

	while ((c = utf8_next(&s)) != 0) {
		switch (c) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\t':
		case '\n':
		case '\r':
			fprintf(out, "&#%u;", (unsigned int)c);
			break;
		default:
			if (c >= 0x20 && c != 0xfffe && c != 0xffff && !is_steering(c))
				utf8_put(c, out);
			break;
		}
	}
}

static void print_yaml_scalar(const char *s, const char *colons_until, FILE *out)
{
	uint32_t c;

	fputc('"', out);
	while ((c = utf8_next(&s)) != 0) {
		if (c == ':' && s <= colons_until)
			fputs("\\x3a", out);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", (char)c);
		else if (c == 0xfffe || c == 0xffff || (is_steering(c) && c >= 0x100))
			fprintf(out, "\\u%04x", (unsigned int)c);
		else if (is_steering(c))
			put_escaped(c, out);
		else
			utf8_put(c, out);
	}
	fputc('"', out);
}

void print_yaml(const char *s, FILE *out)
{
	print_yaml_scalar(s, NULL, out);
}

void print_yaml_entry(const char *s, FILE *out)
{
	const char *word = s + strcspn(s, " ");

	fputs("- ", out);
	print_yaml_scalar(s, word + strspn(word, " ") + 1, out);
	fputc('\n', out);
}
