/*
 * The list of IEs of a message in the making, for the decoder and for nas_add and its kin.
 */
#ifndef SPILLWAY_CODECS_NAS_NAS_BUILD_H
#define SPILLWAY_CODECS_NAS_NAS_BUILD_H

#include "codecs/nas/nas.h"

/* The octets 0 to 15: half octet values point here. */
extern const uint8_t nas_nibble[16];

/* A new last item, cleared; NULL when the arena is exhausted or the list full. */
struct nas_item *nas_new_item(struct nas_msg *msg);

/* nas_decode without any checks. */
enum finding_rule nas_split(struct nas_msg *msg, struct octets pdu, struct arena *arena,
			    struct findings *findings);

#endif
