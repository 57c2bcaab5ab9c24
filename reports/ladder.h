#ifndef SPILLWAY_REPORTS_LADDER_H
#define SPILLWAY_REPORTS_LADDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "codecs/text.h"

/* A record may come from anywhere: its paths must stay inside it. */
bool path_stays_inside(const char *path);

/*
 * The last messages and control actions of DIR/EVIDENCE/events.jsonl, one a line; malloc'ed. NULL
 * where there is nothing to be read, or evidence points out of the record.
 */
char *ladder_from_events(const char *dir, const char *evidence);

/*
 * All of them, each line with this indentation, to out. False: events.jsonl cannot be read. Lines
 * that are no event are counted at the end.
 */
bool ladder_print(const char *dir, const char *evidence, const char *indent, FILE *out);

/*
 * The next line of a JSON lines file without its end, cut to size: false at the end of the file.
 * *whole: it ended, and had room.
 */
bool next_line(FILE *file, char *line, size_t size, size_t *len, bool *whole);

#endif
