/* A received message that is longer than the buffer it is read into, put together piece by piece.
 */
#ifndef SPILLWAY_RUNNER_NET_PARTIAL_H
#define SPILLWAY_RUNNER_NET_PARTIAL_H

#include "codecs/octets.h"

struct partial {
	uint8_t *data;
	size_t len;
	size_t max;
};

/*
 * The next piece; last says that the message ends with it. Returns whether there is a whole message
 * now: then *piece is the message, valid until the next call. What goes beyond LINK_MESSAGE_MAX
 * (or beyond the memory there is) is cut off.
 */
bool partial_add(struct partial *partial, struct octets *piece, bool last);
/* Forgets what has come so far. */
void partial_reset(struct partial *partial);
void partial_free(struct partial *partial);

#endif
