/*
 * Reading aligned PER: the walker over nodes, and the primitives for what stands outside the node
 * tables. See per.h.
 */
#ifndef SPILLWAY_CODECS_PER_DECODE_H
#define SPILLWAY_CODECS_PER_DECODE_H

#include "codecs/arena.h"
#include "codecs/finding.h"
#include "codecs/per/per.h"

/* A position in octets that are contiguous: the message, or the content of an open type. */
struct per_reader {
	const uint8_t *data;
	size_t bit;	      /* next bit to read */
	size_t end;	      /* bits in data, a multiple of 8 */
	const uint8_t *floor; /* the memory that data lies in: reads from here */
	const uint8_t *limit; /* up to here are safe */
	uint32_t offset;      /* of data[0] in the whole input, in bits */
};

struct per_decoder;

/* Decodes a foreign node into out. False: per_fail was called. */
typedef bool per_foreign_decode_fn(struct per_decoder *d, const struct per_node *node, void *out);

struct per_decoder {
	struct per_reader in;
	struct arena *arena;
	struct findings *findings;
	enum decode_mode mode;
	per_foreign_decode_fn *foreign;
	int32_t ie;		/* for findings: id of the IE being read, -1 if none */
	const char *field;	/* for findings */
	unsigned int depth;	/* nesting so far */
	int error;		/* 0, -EBADMSG, -ENOMEM */
	enum finding_rule rule; /* why error is set */
};

void per_decoder_init(struct per_decoder *d, struct octets in, struct arena *arena,
		      enum decode_mode mode, struct findings *findings,
		      per_foreign_decode_fn *foreign);

/* Decodes a value of node into out, which has room for node->size octets. */
bool per_decode(struct per_decoder *d, const struct per_node *node, void *out);

/* Records the finding that ends this decoding, at the present position. */
void per_end(struct per_decoder *d, enum finding_rule rule);

/* per_end, and always false. */
static inline bool per_fail(struct per_decoder *d, enum finding_rule rule)
{
	per_end(d, rule);
	return false;
}

/* Records a finding that the lenient mode lives with: true; in strict mode as per_fail. */
bool per_note(struct per_decoder *d, enum finding_rule rule);

/* Eight octets from p on; zeros stand for those that may not be read. */
static inline uint64_t per_load(const struct per_reader *in, const uint8_t *p)
{
	size_t readable = (size_t)(in->limit - p);
	uint64_t word = 0;

	if (likely(readable >= 8)) {
		memcpy(&word, p, 8);
		return __builtin_bswap64(word);
	}
	if (likely(in->limit - in->floor >= 8)) {
		memcpy(&word, in->limit - 8, 8);
		return readable ? __builtin_bswap64(word) << (64 - 8 * readable) : 0;
	}
	for (unsigned int shift = 56; p < in->limit; shift -= 8)
		word |= (uint64_t)*p++ << shift;
	return word;
}

/* n (up to 57) bits. */
static inline bool per_get_bits(struct per_decoder *d, unsigned int n, uint64_t *value)
{
	size_t bit = d->in.bit;

	if (!likely(n <= d->in.end - bit))
		return per_fail(d, FINDING_TRUNCATED);
	if (n)
		*value = per_load(&d->in, d->in.data + bit / 8) << bit % 8 >> (64 - n);
	else
		*value = 0;
	d->in.bit = bit + n;
	return true;
}

/* Skips to the next octet; padding bits that are not zero are noted. */
static inline bool per_get_align(struct per_decoder *d)
{
	unsigned int used = d->in.bit % 8;

	if (!used)
		return true;
	if (!likely((uint8_t)(d->in.data[d->in.bit / 8] << used) == 0) &&
	    !per_note(d, FINDING_PADDING))
		return false;
	d->in.bit += 8 - used;
	return true;
}

/* An open type's content or an unconstrained OCTET STRING: aligned, with general length. */
bool per_get_open(struct per_decoder *d, struct octets *content);

/*
 * Enters the content of an open type that per_get_open has just returned, and leaves it again:
 * leaving notes octets and padding after the value. saved is the reader to return to. Content that
 * was not put together from fragments stays where it is: then only bit and end change.
 */
static inline void per_enter(struct per_decoder *d, struct octets content, struct per_reader *saved)
{
	uintptr_t at = (uintptr_t)content.data;
	uintptr_t base = (uintptr_t)d->in.data;

	*saved = d->in;
	if (likely(at >= base && at - base < d->in.end / 8)) {
		d->in.bit = (size_t)(at - base) * 8;
	} else {
		d->in.offset += (uint32_t)d->in.bit;
		d->in.data = content.data;
		d->in.floor = content.data;
		d->in.limit = content.data + content.len;
		d->in.bit = 0;
	}
	d->in.end = d->in.bit + content.len * 8;
}

bool per_leave_unfinished(struct per_decoder *d, const struct per_reader *saved);

static inline bool per_leave(struct per_decoder *d, const struct per_reader *saved)
{
	if (!likely(d->in.bit == d->in.end))
		return per_leave_unfinished(d, saved);
	d->in = *saved;
	return true;
}

/* The additions after the root of a SEQUENCE whose extension bit was set. */
bool per_get_additions(struct per_decoder *d, const struct per_additions **additions);

#endif
