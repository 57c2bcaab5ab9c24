/*
 * What a case left in the run record, for those who read it: the folder that its result names,
 * lines of any length, members of events. Nothing in it can be trusted.
 */
#ifndef SPILLWAY_REPORTS_EVIDENCE_H
#define SPILLWAY_REPORTS_EVIDENCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * DIR/EVIDENCE/NAME into path. False where evidence is NULL or points out of the record, or there
 * is no room.
 */
bool evidence_path(const char *dir, const char *evidence, const char *name, char *path,
		   size_t size);

/*
 * The next line of a JSON lines file without its end, cut to size: false at the end of the file.
 * *whole: it ended, and had room.
 */
bool next_line(FILE *file, char *line, size_t size, size_t *len, bool *whole);

/* A text member of an event; "" where it has none. */
const char *event_word(const json_t *event, const char *member);
/* Of a member in microseconds; 0 where it is none. */
double event_seconds(const json_t *event, const char *member);

/* 0 to 15; -1 where it is no hexadecimal digit. */
static inline int hex_digit(char c)
{
	/* one more than the digit's value: a record has hundreds of millions of them */
	static const int8_t values[UINT8_MAX + 1] = {
		['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
		['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
		['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
		['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
	};

	return values[(uint8_t)c] - 1;
}

#endif
