#include "reports/event_line.h"

#include <string.h>

#include "reports/evidence.h"

enum { DIGITS_MAX = 18 };

/* Members that are kept; a string, or an integer. */
static const struct member {
	const char *name;
	bool number;
	size_t offset;
} members[] = {
	{ "t_us", true, offsetof(struct event_line, t_us) },
	{ "stream", true, offsetof(struct event_line, stream) },
	{ "kind", false, offsetof(struct event_line, kind) },
	{ "link", false, offsetof(struct event_line, link) },
	{ "dir", false, offsetof(struct event_line, dir) },
	{ "proto", false, offsetof(struct event_line, proto) },
	{ "summary", false, offsetof(struct event_line, summary) },
	{ "hex", false, offsetof(struct event_line, hex) },
	{ "local", false, offsetof(struct event_line, local) },
	{ "peer", false, offsetof(struct event_line, peer) },
};

enum { MEMBERS = sizeof(members) / sizeof(members[0]) };

static const char **word_of(struct event_line *event, const struct member *member)
{
	return (const char **)(void *)((char *)event + member->offset);
}

static void set_number(struct event_line *event, const struct member *member, int64_t value)
{
	memcpy((char *)event + member->offset, &value, sizeof(value));
}

static void clear_words(struct event_line *event)
{
	*event = (struct event_line){ .json = NULL };
	for (size_t i = 0; i < MEMBERS; i++)
		if (!members[i].number)
			*word_of(event, &members[i]) = "";
}

static size_t find_member(const char *name, size_t len)
{
	size_t i = 0;

	while (i < MEMBERS &&
	       (strlen(members[i].name) != len || memcmp(members[i].name, name, len)))
		i++;
	return i;
}

#define EACH(octet) (UINT64_C(0x0101010101010101) * (octet))

/* Nothing that a JSON string says in another way, or must not hold. */
static bool is_plain(const char *line, size_t len)
{
	unsigned int other = 0;
	uint64_t others = 0;
	size_t i = 0;

	/* eight at a time: the highest bit of an octet is set where it is one of them */
	for (; i + 8 <= len; i += 8) {
		uint64_t eight;

		memcpy(&eight, line + i, sizeof(eight));
		others |= eight | (eight + EACH(0x01)) | (eight - EACH(0x20)) |
			  ((eight ^ EACH('\\')) - EACH(0x01));
	}
	if (others & EACH(0x80))
		return false;
	for (; i < len; i++) {
		uint8_t c = (uint8_t)line[i];

		other |= (c < 0x20) | (c >= 0x7f) | (c == '\\');
	}
	return other == 0;
}

/* The value behind a colon; where it ends, or NULL where it is neither string nor integer. */
static char *take_value(struct event_line *event, char *at, char *end, const struct member *member)
{
	int64_t value = 0;
	char *from = at;

	if (*at == '"') {
		at = memchr(from + 1, '"', (size_t)(end - from) - 1);
		if (at == NULL)
			return NULL;
		*at = '\0';
		if (member != NULL && member->number)
			return NULL;
		if (member != NULL)
			*word_of(event, member) = from + 1;
		if (member != NULL && member->offset == offsetof(struct event_line, hex))
			event->hex_len = (size_t)(at - from) - 1;
		return at + 1;
	}
	while (*at >= '0' && *at <= '9')
		value = at - from < DIGITS_MAX ? 10 * value + (*at - '0') : value, at++;
	/* JSON has no 007 */
	if (at == from || at - from > DIGITS_MAX || (at - from > 1 && *from == '0'))
		return NULL;
	if (member != NULL && !member->number)
		return NULL;
	if (member != NULL)
		set_number(event, member, value);
	return at;
}

/* False where the line is not flat, has a member twice, or blanks: that is for others to judge. */
static bool read_plain(struct event_line *event, char *line, size_t len)
{
	char *at = line, *end = line + len;
	unsigned int seen = 0;

	if (*at++ != '{')
		return false;
	for (;;) {
		char *name = at + 1;
		size_t i;

		if (*at != '"' || (at = memchr(name, '"', (size_t)(end - name))) == NULL ||
		    at[1] != ':')
			return false;
		i = find_member(name, (size_t)(at - name));
		if (i < MEMBERS && seen & 1U << i)
			return false;
		seen |= 1U << i;
		at = take_value(event, at + 2, end, i < MEMBERS ? &members[i] : NULL);
		if (at == NULL)
			return false;
		if (*at == '}')
			return at + 1 == end;
		if (*at++ != ',')
			return false;
	}
}

static void fill(struct event_line *event)
{
	for (size_t i = 0; i < MEMBERS; i++) {
		json_int_t number =
			json_integer_value(json_object_get(event->json, members[i].name));

		if (members[i].number)
			set_number(event, &members[i], number > 0 ? number : 0);
		else
			*word_of(event, &members[i]) = event_word(event->json, members[i].name);
	}
	event->hex_len = strlen(event->hex);
}

bool event_line_read(struct event_line *event, char *line, size_t len)
{
	json_t *json;

	clear_words(event);
	line[len] = '\0';
	if (len > 0 && is_plain(line, len)) {
		/* a NUL behind each value is a quotation mark again for the other reader */
		if (read_plain(event, line, len))
			return true;
		for (size_t i = 0; i < len; i++)
			if (line[i] == '\0')
				line[i] = '"';
		clear_words(event);
	}
	json = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);
	if (!json_is_object(json)) {
		json_decref(json);
		return false;
	}
	event->json = json;
	fill(event);
	return true;
}

void event_line_clear(struct event_line *event)
{
	json_decref(event->json);
	clear_words(event);
}
