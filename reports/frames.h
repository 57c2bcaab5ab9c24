/* HTTP/2 messages of the record (runner/net/http_record.c) for people. */
#ifndef SPILLWAY_REPORTS_FRAMES_H
#define SPILLWAY_REPORTS_FRAMES_H

#include "codecs/octets.h"
#include "codecs/text.h"

/*
 * Frames of the record's canonical form (literal fields without Huffman code): a line for each
 * frame and field; a body as text where it is text, else as its length. What is not of that form
 * ends the text with a remark.
 */
void frames_print(struct text *out, struct octets frames);

#endif
