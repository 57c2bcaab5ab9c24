/* What the tests of the PER walker share: types of their own, exact-size input. */
#ifndef SPILLWAY_CODECS_PER_TEST_PER_H
#define SPILLWAY_CODECS_PER_TEST_PER_H

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/per/per_decode.h"
#include "codecs/per/per_encode.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct finding finding_items[64];
static struct findings findings;
static uint8_t arena_memory[8 * 1024 * 1024];
static struct arena arena;
static int last_error;

static inline bool no_foreign(struct per_decoder *d, const struct per_node *node, void *out)
{
	(void)node;
	(void)out;
	return per_fail(d, FINDING_SYNTAX);
}

static inline bool no_foreign_out(struct per_encoder *e, const struct per_node *node,
				  const void *value)
{
	(void)node;
	(void)value;
	return per_refuse(e, -EINVAL);
}

/* Decodes from a heap copy of exactly this size; out may point into it until the next call. */
static inline bool decode_mode(const struct per_node *node, const uint8_t *data, size_t len,
			       void *out, enum decode_mode mode)
{
	static uint8_t *copy;
	struct per_decoder d;
	struct per_reader end;

	free(copy);
	copy = malloc(len ? len : 1);
	if (len)
		memcpy(copy, data, len);
	findings = (struct findings){ finding_items, COUNT(finding_items), 0 };
	arena_init(&arena, arena_memory, sizeof(arena_memory));
	per_decoder_init(&d, OCTETS(copy, len), &arena, mode, &findings, no_foreign);
	end = d.in;
	bool ok = per_decode(&d, node, out) && per_leave(&d, &end);

	last_error = d.error;
	return ok;
}

static inline bool decode(const struct per_node *node, const uint8_t *data, size_t len, void *out)
{
	return decode_mode(node, data, len, out, DECODE_LENIENT);
}

static inline ssize_t encode(const struct per_node *node, const void *value, uint8_t *buf,
			     size_t size)
{
	struct per_encoder e;

	per_encoder_init(&e, buf, size, no_foreign_out);
	if (!per_encode(&e, node, value) || !per_put_align(&e))
		return e.error;
	return (ssize_t)e.len;
}

static inline size_t unhex(const char *hex, uint8_t *out)
{
	size_t n = 0;
	unsigned int octet;

	for (; *hex; hex += 2, n++) {
		ck_assert_int_eq(sscanf(hex, "%2x", &octet), 1);
		out[n] = (uint8_t)octet;
	}
	return n;
}

static inline void assert_hex(const uint8_t *data, ssize_t len, const char *hex)
{
	char text[512] = "";

	ck_assert_int_ge(len, 0);
	ck_assert_int_lt(len, 250);
	for (ssize_t i = 0; i < len; i++)
		snprintf(text + 2 * i, 3, "%02x", data[i]);
	ck_assert_str_eq(text, hex);
}

#define INTEGER(f, b, lo, hi, ext)                                                   \
	{                                                                            \
		.kind = PER_INTEGER, .form = f, .bits = b, .lower = lo, .upper = hi, \
		.extensible = ext, .size = 8, .name = "i", .min_bits = b             \
	}

#define OCTET(f, b, lo, hi, ext)                                                          \
	{                                                                                 \
		.kind = PER_OCTET_STRING, .form = f, .bits = b, .lower = lo, .upper = hi, \
		.extensible = ext, .size = sizeof(struct octets), .name = "o"             \
	}

#define BITS(f, b, lo, hi, ext)                                                         \
	{                                                                               \
		.kind = PER_BIT_STRING, .form = f, .bits = b, .lower = lo, .upper = hi, \
		.extensible = ext, .size = sizeof(struct per_bits), .name = "b"         \
	}

static const struct per_node octet_node = INTEGER(PER_ONE_OCTET, 0, 0, 255, false);

#endif
