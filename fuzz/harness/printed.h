/*
 * What holds for every printer of a codec, whatever the octets: text comes out, it is terminated
 * within its buffer however small, a longer buffer gives a text that begins the same, a line is one
 * line, and the arena is left as it was.
 */
#ifndef SPILLWAY_FUZZ_HARNESS_PRINTED_H
#define SPILLWAY_FUZZ_HARNESS_PRINTED_H

#include <string.h>

#include "codecs/arena.h"
#include "codecs/octets.h"
#include "codecs/text.h"
#include "fuzz/harness/harness.h"

typedef void print_fn(struct text *text, struct octets pdu, struct arena *arena);

/* The arena is empty. printed, of size octets, holds the text afterwards. */
static inline void check_printed(print_fn *print, struct octets pdu, struct arena *arena,
				 char *printed, size_t size)
{
	struct text text;
	char start[100];

	text_init(&text, start, sizeof(start));
	print(&text, pdu, arena);
	require(text.len < sizeof(start) && start[text.len] == '\0');
	text_init(&text, printed, size);
	print(&text, pdu, arena);
	require(text.len > 0 && printed[text.len] == '\0' && arena->used == 0);
	require(strncmp(start, printed, strlen(start)) == 0);
}

static inline void check_printed_line(print_fn *print, struct octets pdu, struct arena *arena,
				      char *printed, size_t size)
{
	check_printed(print, pdu, arena, printed, size);
	require(!strchr(printed, '\n'));
}

#endif
