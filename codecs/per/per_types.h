/*
 * The C shapes that decoded ASN.1 values have besides integers, octets and structs.
 */
#ifndef SPILLWAY_CODECS_PER_TYPES_H
#define SPILLWAY_CODECS_PER_TYPES_H

#include "codecs/octets.h"

/*
 * A BIT STRING whose size is not fixed or exceeds 64 bits. The first bit is the most significant
 * one of data[0]; unused bits of the last octet are zero after decoding and ignored in encoding.
 */
struct per_bits {
	const uint8_t *data;
	size_t len; /* in bits */
};

#define PER_BITS(ptr, n) ((struct per_bits){ .data = (ptr), .len = (n) })

/* The bits as a number, the last bit being the least significant; for up to 64 bits, else 0. */
static inline uint64_t per_bits_value(struct per_bits bits)
{
	uint64_t value = 0;

	if (bits.len > 64)
		return 0;
	for (size_t i = 0; i < bits.len; i++)
		value = value << 1 | (bits.data[i / 8] >> (7 - i % 8) & 1);
	return value;
}

/* The len (up to 64) low bits of value as a bit string that lives in storage. */
static inline struct per_bits per_bits_of(uint8_t storage[8], uint64_t value, size_t len)
{
	if (len > 64)
		len = 64;
	value = len ? value << (64 - len) : 0;
	for (size_t i = 0; i < 8; i++)
		storage[i] = (uint8_t)(value >> (56 - 8 * i));
	return (struct per_bits){ .data = storage, .len = len };
}

/*
 * Extension additions of a SEQUENCE that this release does not know: kept as received and sent
 * again.
 */
struct per_additions {
	struct per_bits present;     /* the presence bitmap, 1 to 16,383 bits */
	size_t count;		     /* bits set in it */
	const struct octets *values; /* count open type contents */
};

#endif
