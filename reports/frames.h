/* HTTP/2 messages of the record (runner/net/http_record.c) for people. */
#ifndef SPILLWAY_REPORTS_FRAMES_H
#define SPILLWAY_REPORTS_FRAMES_H

#include <stdbool.h>

#include "codecs/octets.h"
#include "codecs/text.h"

enum frame_type {
	FRAME_DATA = 0,
	FRAME_HEADERS = 1,
	FRAME_RST_STREAM = 3,
	FRAME_SETTINGS = 4,
	FRAME_GOAWAY = 7,
	FRAME_CONTINUATION = 9,
};

struct frame {
	uint8_t type, flags;
	uint32_t stream;
	struct octets payload;
};

/* Passes over the preface of a connection; false where there is none. */
bool frames_skip_preface(struct octets *frames);
/* Takes the first frame; false where there is no whole one. */
bool frames_next(struct octets *frames, struct frame *frame);
/* Takes a string of a literal field: RFC 7541 5.2 without Huffman code; false where it is none. */
bool frames_string(struct octets *block, struct octets *string);
/* octets, 1 to 4 of them, as a number. */
uint32_t frames_number(const uint8_t *at, size_t octets);

/*
 * Frames of the record's canonical form (literal fields without Huffman code): a line for each
 * frame and field; a body as text where it is text, else as its length. What is not of that form
 * ends the text with a remark.
 */
void frames_print(struct text *out, struct octets frames);

#endif
