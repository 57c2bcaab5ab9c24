/*
 * What differs between two runs by nature and says nothing about the IUT: random numbers, MACs,
 * sequence numbers, identifiers that are given out, times of day, keys. A comparison leaves it out,
 * and says so.
 */
#ifndef SPILLWAY_REPORTS_VARYING_H
#define SPILLWAY_REPORTS_VARYING_H

#include <stdbool.h>

#include "codecs/text.h"

enum varying {
	VARIES_NOT,
	VARIES_RANDOM,
	VARIES_MAC,
	VARIES_SEQUENCE,
	VARIES_IDENTIFIER,
	VARIES_TIME,
	VARIES_KEY, /* a secret: not to be shown either */
	VARIES_ENCLOSED,
	VARIES_BY_CHANCE, /* found out by comparing, not by the field's name */
	VARYING_COUNT,
};

/* "random numbers", for people. */
const char *varying_name(enum varying varying);

/* proto as in events.jsonl, path as in reports/fields.h. */
enum varying varying_field(const char *proto, const char *path);

/*
 * A value with what varies inside it replaced: UUIDs by <uuid>, dates by <time>, identifiers in a
 * URI of SBI by <id>. Says what it was that varies, or VARIES_NOT.
 */
enum varying varying_value(const char *proto, const char *value, struct text *out);
/* The same for a path of a URI, or a name: numbers and hexadecimal identifiers become <id>. */
void varying_path(const char *path, struct text *out);

#endif
