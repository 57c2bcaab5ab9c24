#include "runner/net/partial.h"

#include <stdlib.h>

#include "runner/net/transport.h"

enum { PARTIAL_FIRST = 256 * 1024 };

static void keep(struct partial *partial, struct octets piece)
{
	size_t room = LINK_MESSAGE_MAX - partial->len;
	size_t n = piece.len < room ? piece.len : room;

	if (partial->len + n > partial->max) {
		size_t max = partial->max ? 2 * partial->max : PARTIAL_FIRST;
		uint8_t *data;

		while (max < partial->len + n)
			max *= 2;
		data = realloc(partial->data, max);
		if (!data)
			return;
		partial->data = data;
		partial->max = max;
	}
	memcpy(partial->data + partial->len, piece.data, n);
	partial->len += n;
}

bool partial_add(struct partial *partial, struct octets *piece, bool last)
{
	if (last && partial->len == 0)
		return true;
	keep(partial, *piece);
	if (!last)
		return false;
	*piece = OCTETS(partial->data, partial->len);
	partial->len = 0;
	return true;
}

void partial_reset(struct partial *partial)
{
	partial->len = 0;
}

void partial_free(struct partial *partial)
{
	free(partial->data);
}
