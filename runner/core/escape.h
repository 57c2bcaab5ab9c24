/*
 * Text from a peer, made safe to print: no control character reaches a terminal and no quote ends
 * a string of JSON.
 */
#ifndef SPILLWAY_RUNNER_CORE_ESCAPE_H
#define SPILLWAY_RUNNER_CORE_ESCAPE_H

#include "codecs/text.h"

/* The most characters that one octet of the source becomes. */
enum { ESCAPE_MAX = 6 };

/* For a line of text: controls and malformed UTF-8 become \xNN, characters that reorder text
 * \uNNNN. */
void escape_line(struct text *out, const char *s);
/* With its quotes, for JSON; malformed UTF-8 becomes the characters \xNN; NULL gives null. */
void escape_json(struct text *out, const char *s);

#endif
