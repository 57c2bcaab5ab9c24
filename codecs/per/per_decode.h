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

/* Records the finding that ends this decoding, at the present position. Always false. */
bool per_fail(struct per_decoder *d, enum finding_rule rule);

/* Records a finding that the lenient mode lives with: true; in strict mode as per_fail. */
bool per_note(struct per_decoder *d, enum finding_rule rule);

/* n (up to 57) bits. */
bool per_get_bits(struct per_decoder *d, unsigned int n, uint64_t *value);

/* Skips to the next octet; padding bits that are not zero are noted. */
bool per_get_align(struct per_decoder *d);

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
