#include "runner/case/profile_reader.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kind_name(const struct node *node)
{
	switch (node->kind) {
	case NODE_LIST:
		return "a list";
	case NODE_MAP:
		return "a map";
	default:
		return "a single value";
	}
}

void reader_complain(struct reader *r, const struct node *where, const char *format, ...)
{
	size_t from = r->errors->len;
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	text_printf(r->errors, "%s:%u:%u: %s", r->path, where->line, where->column, text);
	/* a key or value of the file may have line ends in it, and worse */
	text_one_line(r->errors, from);
	text_putc(r->errors, '\n');
	r->bad = true;
}

bool reader_scalar(struct reader *r, const struct node *value, const char *what)
{
	if (value->kind == NODE_SCALAR)
		return true;
	reader_complain(r, value, "%s expected, not %s", what, kind_name(value));
	return false;
}

bool reader_list(struct reader *r, const struct node *value, const char *what)
{
	if (value->kind == NODE_LIST)
		return true;
	reader_complain(r, value, "a list of %s expected, not %s", what, kind_name(value));
	return false;
}

static void unknown_key(struct reader *r, const struct node *key, const struct keys *keys)
{
	struct text allowed;
	char buf[800];

	text_init(&allowed, buf, sizeof(buf));
	for (size_t i = 0; i < keys->count; i++)
		text_printf(&allowed, "%s%s", i ? ", " : "", keys->keys[i].name);
	reader_complain(r, key, "unknown key \"%.60s\"; allowed here: %s", key->scalar, buf);
}

void reader_map(struct reader *r, const struct node *map, const struct keys *keys, void *base)
{
	bool seen[64] = { false };

	if (map->kind != NODE_MAP) {
		reader_complain(r, map, "a map expected, not %s", kind_name(map));
		return;
	}
	for (const struct node *value = map->first; value; value = value->next) {
		const struct key *key = NULL;

		for (size_t i = 0; i < keys->count && !key; i++) {
			if (strcmp(keys->keys[i].name, value->key->scalar) == 0) {
				key = &keys->keys[i];
				seen[i] = true;
			}
		}
		if (key)
			key->take(r, value, key, (char *)base + key->offset);
		else
			unknown_key(r, value->key, keys);
	}
	for (size_t i = 0; i < keys->count; i++)
		if (keys->keys[i].required && !seen[i])
			reader_complain(r, map, "the key \"%s\" is missing here",
					keys->keys[i].name);
}

void take_map(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	reader_map(r, value, key->map, to);
}

void take_flag(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	static const char *const yes[] = { "yes", "true", "on" };
	static const char *const no[] = { "no", "false", "off" };

	(void)key;
	if (!reader_scalar(r, value, "yes or no"))
		return;
	for (size_t i = 0; i < 3 && value->plain; i++) {
		if (strcmp(value->scalar, yes[i]) == 0 || strcmp(value->scalar, no[i]) == 0) {
			*(bool *)to = strcmp(value->scalar, yes[i]) == 0;
			return;
		}
	}
	reader_complain(r, value, "yes or no expected, not \"%.60s\"", value->scalar);
}

static bool whole(struct reader *r, const struct node *value, const struct key *key,
		  unsigned long long *n)
{
	char *end;

	if (!reader_scalar(r, value, "a whole number"))
		return false;
	errno = 0;
	*n = strtoull(value->scalar, &end, 10);
	if (!isdigit((unsigned char)value->scalar[0]) || *end || !value->plain) {
		reader_complain(r, value, "a whole number expected, not \"%.60s\"", value->scalar);
		return false;
	}
	if (errno || (double)*n < key->min || (double)*n > key->max) {
		reader_complain(r, value, "%.60s is outside %.0f to %.0f", value->scalar, key->min,
				key->max);
		return false;
	}
	return true;
}

void take_u8(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	unsigned long long n;

	if (whole(r, value, key, &n))
		*(uint8_t *)to = (uint8_t)n;
}

void take_u16(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	unsigned long long n;

	if (whole(r, value, key, &n))
		*(uint16_t *)to = (uint16_t)n;
}

void take_u32(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	unsigned long long n;

	if (whole(r, value, key, &n))
		*(uint32_t *)to = (uint32_t)n;
}

void take_double(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	double n;
	char *end;

	if (!reader_scalar(r, value, "a number"))
		return;
	n = strtod(value->scalar, &end);
	if (!strpbrk(value->scalar, "0123456789") || *end || !value->plain || !isfinite(n))
		reader_complain(r, value, "a number expected, not \"%.60s\"", value->scalar);
	else if (n < key->min || n > key->max)
		reader_complain(r, value, "%.60s is outside %g to %g", value->scalar, key->min,
				key->max);
	else
		*(double *)to = n;
}

static void print_seconds(char *buf, size_t size, double seconds)
{
	if (seconds >= 60 && fmod(seconds, 60) == 0)
		snprintf(buf, size, "%.0fm", seconds / 60);
	else if (seconds < 1)
		snprintf(buf, size, "%.0fms", seconds * 1000);
	else
		snprintf(buf, size, "%.0fs", seconds);
}

void take_duration(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	char min[32], max[32];
	uint64_t us;

	if (!reader_scalar(r, value, "a duration"))
		return;
	if (!profile_duration(value->scalar, &us)) {
		reader_complain(r, value, "a duration expected (500ms, 10s, 5m, 2h), not \"%.60s\"",
				value->scalar);
		return;
	}
	if ((double)us < key->min * 1e6 || (double)us > key->max * 1e6) {
		print_seconds(min, sizeof(min), key->min);
		print_seconds(max, sizeof(max), key->max);
		reader_complain(r, value, "%.60s is outside %s to %s", value->scalar, min, max);
		return;
	}
	*(uint64_t *)to = us;
}

static bool printable(struct reader *r, const struct node *value)
{
	for (const char *c = value->scalar; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			reader_complain(r, value, "a control character inside a value");
			return false;
		}
	}
	return true;
}

void take_string(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	char **s = to;

	(void)key;
	if (!reader_scalar(r, value, "text") || !printable(r, value))
		return;
	if (!value->scalar[0]) {
		reader_complain(r, value, "text expected, not nothing");
		return;
	}
	*s = strdup(value->scalar);
	if (!*s)
		reader_complain(r, value, "out of memory");
}

void take_word(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct text allowed;
	char buf[512];

	text_init(&allowed, buf, sizeof(buf));
	for (unsigned int i = 0; key->words[i]; i++) {
		if (value->kind == NODE_SCALAR && strcmp(value->scalar, key->words[i]) == 0) {
			*(unsigned int *)to = i;
			return;
		}
		text_printf(&allowed, "%s%s", i ? ", " : "", key->words[i]);
	}
	if (reader_scalar(r, value, buf))
		reader_complain(r, value, "one of %s expected, not \"%.60s\"", buf, value->scalar);
}

void take_address(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	(void)key;
	if (!reader_scalar(r, value, "an IPv4 or IPv6 address"))
		return;
	if (net_address_parse(to, value->scalar, 0) != 0)
		reader_complain(r, value, "an IPv4 or IPv6 address expected, not \"%.60s\"",
				value->scalar);
}

void take_file(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	const char *slash = strrchr(r->path, '/');
	char **path = to;
	char *name = NULL;
	size_t folder;

	take_string(r, value, key, &name);
	if (!name || name[0] == '/' || !slash) {
		*path = name;
		return;
	}
	folder = (size_t)(slash + 1 - r->path);
	*path = malloc(folder + strlen(name) + 1);
	if (*path) {
		memcpy(*path, r->path, folder);
		strcpy(*path + folder, name);
	} else {
		reader_complain(r, value, "out of memory");
	}
	free(name);
}

bool reader_hex(struct reader *r, const struct node *value, uint8_t *out, int len, size_t *got)
{
	size_t max = (size_t)(len < 0 ? -len : len);
	size_t digits;

	if (!reader_scalar(r, value, "hexadecimal digits"))
		return false;
	digits = strlen(value->scalar);
	if (digits != strspn(value->scalar, "0123456789abcdefABCDEF") || digits % 2 ||
	    digits > 2 * max || (len > 0 ? digits != 2 * max : digits == 0)) {
		reader_complain(r, value, "%s%zu hexadecimal digits expected, not \"%.140s\"",
				len < 0 ? "an even number, at most " : "", 2 * max, value->scalar);
		return false;
	}
	for (size_t i = 0; i < digits / 2; i++) {
		char pair[3] = { value->scalar[2 * i], value->scalar[2 * i + 1], '\0' };

		out[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	if (got)
		*got = digits / 2;
	return true;
}
