#ifndef SPILLWAY_REPORTS_LADDER_H
#define SPILLWAY_REPORTS_LADDER_H

#include <stdbool.h>
#include <stdio.h>

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

#endif
