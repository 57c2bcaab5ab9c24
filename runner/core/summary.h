/* One line about a message for the record, made by the codec of its protocol. */
#ifndef SPILLWAY_RUNNER_CORE_SUMMARY_H
#define SPILLWAY_RUNNER_CORE_SUMMARY_H

#include "codecs/arena.h"
#include "codecs/octets.h"
#include "codecs/text.h"

/*
 * proto as in struct record_message; an unknown one is summed up by its length, and so is what the
 * codec refuses, with the reason. The arena is used, not reset.
 */
void summarise(const char *proto, struct octets data, struct arena *arena, struct text *out);

#endif
