/*
 * Octet strings that somebody else owns.
 *
 * Decoders never copy: what they return points into the caller's input (or into the caller's
 * arena), so the input has to outlive the decoded value.
 */
#ifndef SPILLWAY_CODECS_OCTETS_H
#define SPILLWAY_CODECS_OCTETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct octets {
	const uint8_t *data;
	size_t len;
};

#define OCTETS(ptr, n) ((struct octets){ .data = (ptr), .len = (n) })

static inline bool octets_equal(struct octets a, struct octets b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

#endif
