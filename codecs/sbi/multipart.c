#include "codecs/sbi/multipart.h"

#include "codecs/sbi/sbi_read.h"

static const char media_type[] = "multipart/related";

bool multipart_is(struct octets content_type)
{
	struct octets rest = content_type, type;

	return sbi_split(&rest, ';', &type) && sbi_equal_nocase(sbi_trim(type), media_type);
}

static bool boundary_of(struct octets content_type, struct octets *boundary)
{
	static const char name[] = "boundary=";
	struct octets rest = content_type, part;

	if (!sbi_split(&rest, ';', &part) || !sbi_equal_nocase(sbi_trim(part), media_type))
		return false;
	while (sbi_split(&rest, ';', &part)) {
		part = sbi_trim(part);
		if (part.len < sizeof(name) ||
		    !sbi_equal_nocase(OCTETS(part.data, sizeof(name) - 1), name))
			continue;
		*boundary = OCTETS(part.data + sizeof(name) - 1, part.len - (sizeof(name) - 1));
		if (boundary->len >= 2 && boundary->data[0] == '"' &&
		    boundary->data[boundary->len - 1] == '"')
			*boundary = OCTETS(boundary->data + 1, boundary->len - 2);
		return boundary->len >= 1 && boundary->len <= 70;
	}
	return false;
}

static enum finding_rule fail(struct octets body, enum finding_rule rule, const uint8_t *at,
			      const char *field, struct findings *findings)
{
	struct sbi_line line = { .all = body, .findings = findings };

	sbi_fault(&line, rule, at, field);
	return rule;
}

/*
 * The next delimiter at or after `at`: "--" and the boundary at the start of a line. *end is behind
 * it, *last says that it is the closing one. NULL: there is none.
 */
static const uint8_t *find_delimiter(const uint8_t *start, const uint8_t *at, const uint8_t *end,
				     struct octets boundary, const uint8_t **after, bool *last)
{
	while ((size_t)(end - at) >= boundary.len + 2) {
		const uint8_t *dash = memchr(at, '-', (size_t)(end - at));
		const uint8_t *p;

		if (!dash || (size_t)(end - dash) < boundary.len + 2)
			return NULL;
		at = dash + 1;
		if (dash[1] != '-' || (dash > start && dash[-1] != '\n') ||
		    memcmp(dash + 2, boundary.data, boundary.len) != 0)
			continue;
		p = dash + 2 + boundary.len;
		*last = end - p >= 2 && p[0] == '-' && p[1] == '-';
		if (*last)
			p += 2;
		while (p < end && sbi_is_blank(*p))
			p++;
		if (p < end && *p == '\r')
			p++;
		if (p < end && *p == '\n')
			p++;
		else if (!*last)
			continue; /* a longer boundary, or a body that looks like one */
		*after = p;
		return dash;
	}
	return NULL;
}

static bool take_field(struct octets line, const char *name, struct octets *value)
{
	size_t len = strlen(name);

	if (line.len <= len || line.data[len] != ':' ||
	    !sbi_equal_nocase(OCTETS(line.data, len), name))
		return false;
	*value = sbi_trim(OCTETS(line.data + len + 1, line.len - len - 1));
	return true;
}

/* Header fields up to an empty line; false where there is no such line. */
static bool read_fields(struct multipart_part *part, const uint8_t *at, const uint8_t *end)
{
	while (at < end) {
		const uint8_t *eol = memchr(at, '\n', (size_t)(end - at));
		struct octets line;

		if (!eol)
			return false;
		line = OCTETS(at, (size_t)(eol - at));
		if (line.len > 0 && line.data[line.len - 1] == '\r')
			line.len--;
		at = eol + 1;
		if (line.len == 0) {
			part->body = OCTETS(at, (size_t)(end - at));
			return true;
		}
		take_field(line, "content-type", &part->content_type);
		take_field(line, "content-id", &part->content_id);
	}
	return false;
}

enum finding_rule multipart_read(struct multipart *multipart, struct octets content_type,
				 struct octets body, struct findings *findings)
{
	const uint8_t *end = body.data + body.len, *at, *next;
	struct octets boundary;
	bool last = false;

	multipart->count = 0;
	if (!boundary_of(content_type, &boundary))
		return fail(body, FINDING_MISSING, body.data, "boundary", findings);
	if (body.len == 0 || !find_delimiter(body.data, body.data, end, boundary, &at, &last))
		return fail(body, FINDING_MISSING, body.data, "first boundary", findings);
	while (!last) {
		struct multipart_part part = { 0 };
		const uint8_t *after = end, *delimiter;

		delimiter = find_delimiter(body.data, at, end, boundary, &after, &last);
		if (!delimiter)
			return fail(body, FINDING_TRUNCATED, end, "closing boundary", findings);
		next = delimiter;
		/* the line end before a delimiter belongs to it */
		if (next > at && next[-1] == '\n')
			next--;
		if (next > at && next[-1] == '\r')
			next--;
		if (!read_fields(&part, at, next)) {
			/* no body: the fields end at the delimiter itself */
			if (!read_fields(&part, at, delimiter))
				return fail(body, FINDING_SYNTAX, at, "part", findings);
			part.body.len = 0;
		}
		if (part.content_id.len >= 2 && part.content_id.data[0] == '<' &&
		    part.content_id.data[part.content_id.len - 1] == '>')
			part.content_id = OCTETS(part.content_id.data + 1, part.content_id.len - 2);
		if (multipart->count == MULTIPART_PARTS_MAX)
			return fail(body, FINDING_RANGE, at, "parts", findings);
		multipart->parts[multipart->count++] = part;
		at = after;
	}
	return FINDING_NONE;
}

const struct multipart_part *multipart_find(const struct multipart *multipart,
					    struct octets content_id)
{
	for (size_t i = 0; i < multipart->count; i++) {
		if (multipart->parts[i].content_id.len &&
		    octets_equal(multipart->parts[i].content_id, content_id))
			return &multipart->parts[i];
	}
	return NULL;
}

static void write_field(struct text *out, const char *name, struct octets value)
{
	if (!value.len)
		return;
	text_puts(out, name);
	text_puts(out, ": ");
	text_write(out, value.data, value.len);
	text_puts(out, "\r\n");
}

void multipart_write(struct text *out, const struct multipart_part *parts, size_t count,
		     const char *boundary)
{
	for (size_t i = 0; i < count; i++) {
		text_printf(out, "--%s\r\n", boundary);
		write_field(out, "Content-Type", parts[i].content_type);
		write_field(out, "Content-Id", parts[i].content_id);
		text_puts(out, "\r\n");
		text_write(out, parts[i].body.data, parts[i].body.len);
		text_puts(out, "\r\n");
	}
	text_printf(out, "--%s--\r\n", boundary);
}

void multipart_content_type(struct text *out, const char *boundary)
{
	text_printf(out, "multipart/related; boundary=%s", boundary);
}
