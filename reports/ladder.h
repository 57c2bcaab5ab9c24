#ifndef SPILLWAY_REPORTS_LADDER_H
#define SPILLWAY_REPORTS_LADDER_H

#include <stdbool.h>

#include "codecs/text.h"

/* A record may come from anywhere: its paths must stay inside it. */
bool path_stays_inside(const char *path);

/*
 * The last messages and control actions of DIR/EVIDENCE/events.jsonl, one a line; malloc'ed. NULL
 * where there is nothing to be read, or evidence points out of the record.
 */
char *ladder_from_events(const char *dir, const char *evidence);

#endif
