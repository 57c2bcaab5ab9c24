#ifndef SPILLWAY_REPORTS_LADDER_H
#define SPILLWAY_REPORTS_LADDER_H

#include "codecs/text.h"

/*
 * The last messages and control actions of DIR/EVIDENCE/events.jsonl, one a line; malloc'ed. NULL
 * where there is nothing to be read, or evidence points out of the record.
 */
char *ladder_from_events(const char *dir, const char *evidence);

#endif
