/*
 * What the walker of per_decode.c needs of per_reader.c beside the primitives of per_decode.h.
 */
#ifndef SPILLWAY_CODECS_PER_READER_H
#define SPILLWAY_CODECS_PER_READER_H

#include "codecs/per/per_decode.h"

static inline size_t per_left(const struct per_decoder *d)
{
	return d->in.end - d->in.bit;
}

/* Memory of the arena; NULL: per_fail was called. */
void *per_take(struct per_decoder *d, size_t size);

/* An aligned number of up to eight octets, most significant first. */
bool per_get_number(struct per_decoder *d, size_t octets, uint64_t *value);

/*
 * General length determinant (X.691 11.9.3.5 to 11.9.3.8). more: this was a fragment, another
 * length follows what it counts.
 */
bool per_get_length(struct per_decoder *d, size_t *length, bool *more);

/* Notes a fragment that follows one which is not the largest: it has to be the last one. */
bool per_check_fragment(struct per_decoder *d, bool more, size_t previous);

/*
 * The rest of a fragmented string whose first length, in units of so many bits, has been read,
 * put together in the arena.
 */
bool per_get_fragments(struct per_decoder *d, size_t first, unsigned int unit, const uint8_t **data,
		       size_t *units);

/* n bits from the present position on, in the arena, unused bits zero. */
bool per_copy_bits(struct per_decoder *d, size_t n, const uint8_t **data);

#endif
