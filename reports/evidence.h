/*
 * What a case left in the run record, for those who read it: the folder that its result names,
 * lines of any length, members of events. Nothing in it can be trusted.
 */
#ifndef SPILLWAY_REPORTS_EVIDENCE_H
#define SPILLWAY_REPORTS_EVIDENCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
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
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

#endif
