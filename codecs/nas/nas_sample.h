/*
 * For tests: a valid value of every type of IE, so that a message with any of its IEs can be made
 * from the tables alone.
 */
#ifndef SPILLWAY_CODECS_NAS_NAS_SAMPLE_H
#define SPILLWAY_CODECS_NAS_NAS_SAMPLE_H

#include "codecs/nas/nas.h"

#define NAS_SAMPLE_SIZE 64

/* A value for a row, in static storage or in room (NAS_SAMPLE_SIZE octets). */
struct octets nas_sample_value(const struct nas_row *row, uint8_t *room);

/* Starts a message and adds samples of all its mandatory IEs. */
void nas_sample_message(struct nas_msg *msg, const struct nas_message_info *info,
			struct arena *arena);

/* nas_sample_value into the arena, then nas_add. */
int nas_sample_add(struct nas_msg *msg, const struct nas_row *row);

#endif
