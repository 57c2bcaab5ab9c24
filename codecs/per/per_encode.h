/*
 * Writing aligned PER: the walker over nodes, and the primitives for what stands outside the node
 * tables. See per.h. The encoder takes any value that its type can express and refuses the rest:
 * what is not PER of this type has to be sent as raw octets.
 */
#ifndef SPILLWAY_CODECS_PER_ENCODE_H
#define SPILLWAY_CODECS_PER_ENCODE_H

#include "codecs/per/per.h"

struct per_encoder;

/* Encodes the value of a foreign node. False: per_refuse was called. */
typedef bool per_foreign_encode_fn(struct per_encoder *e, const struct per_node *node,
				   const void *value);

struct per_encoder {
	uint8_t *buf;
	size_t size;
	size_t len;	      /* whole octets written */
	uint64_t bits;	      /* the pending bits are the lowest ones */
	unsigned int pending; /* below 8 */
	unsigned int depth;
	int error; /* 0, -ENOSPC, -ERANGE, -EINVAL */
	per_foreign_encode_fn *foreign;
};

void per_encoder_init(struct per_encoder *e, uint8_t *buf, size_t size,
		      per_foreign_encode_fn *foreign);

bool per_encode(struct per_encoder *e, const struct per_node *node, const void *value);

/* Sets the error if none is set yet. Always false. */
bool per_refuse(struct per_encoder *e, int error);

/* per_put_bits where fewer than eight octets are left to write to. */
bool per_put_last(struct per_encoder *e, uint64_t bits, unsigned int pending);

/*
 * The n (up to 56) low bits of value. Eight octets are stored at once: what is written behind len
 * is overwritten by what follows, or is not part of the result.
 */
static inline bool per_put_bits(struct per_encoder *e, uint64_t value, unsigned int n)
{
	unsigned int pending = e->pending + n;
	uint64_t bits = e->bits << n | (value & (((uint64_t)1 << n) - 1));

	if (pending >= 8) {
		uint64_t word = __builtin_bswap64(bits << (64 - pending));

		if (!likely(e->size - e->len >= 8))
			return per_put_last(e, bits, pending);
		memcpy(e->buf + e->len, &word, 8);
		e->len += pending / 8;
	}
	e->bits = bits;
	e->pending = pending % 8;
	return true;
}

static inline bool per_put_align(struct per_encoder *e)
{
	return likely(!e->pending) || per_put_bits(e, 0, 8 - e->pending);
}

/* Octets with a general length determinant, aligned: an OCTET STRING or a raw open type. */
bool per_put_open(struct per_encoder *e, struct octets content);

/*
 * An open type around what is encoded between the two calls. start is where per_open_begin says;
 * per_open_end pads, moves the content and writes the length, in fragments if need be.
 */
bool per_open_begin(struct per_encoder *e, size_t *start);
bool per_open_end(struct per_encoder *e, size_t start);

bool per_put_additions(struct per_encoder *e, const struct per_additions *additions);

#endif
