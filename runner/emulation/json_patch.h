/* JSON Patch, RFC 6902, on jansson's values: what NFUpdate of the NRF needs of it. */
#ifndef SPILLWAY_RUNNER_EMULATION_JSON_PATCH_H
#define SPILLWAY_RUNNER_EMULATION_JSON_PATCH_H

#include <jansson.h>

#include "codecs/text.h"

/*
 * Applies a patch (an array of operations: add, remove, replace, test) to an object. On failure, -1
 * with the sentence in why, and the object may be half changed: work on a copy.
 */
int json_patch(json_t *object, const json_t *patch, struct text *why);

#endif
