/*
 * A line of events.jsonl, for those who read all of them: a record may have a million. Lines as
 * spillway writes them, flat and without escapes, are taken apart where they stand; any other goes
 * through the JSON reader.
 */
#ifndef SPILLWAY_REPORTS_EVENT_LINE_H
#define SPILLWAY_REPORTS_EVENT_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_line {
	uint64_t t_us;
	int64_t stream; /* 0 where there is none */
	/* "" where there is none; they live as long as the line, or until event_line_clear(). */
	const char *kind, *link, *dir, *proto, *summary, *local, *peer;
	const char *hex;
	size_t hex_len;
	json_t *json; /* of a line that is not plain; else NULL */
};

/*
 * line[len] must be writable; the line is changed. False where it is no JSON object: there is
 * nothing to be cleared then.
 */
bool event_line_read(struct event_line *event, char *line, size_t len);
void event_line_clear(struct event_line *event);

#endif
