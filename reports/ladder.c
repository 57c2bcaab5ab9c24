/*
 * A case that crashed, or was killed, left no ladder in its result; its events are on disk all the
 * same. This makes the ladder from the end of events.jsonl.
 */
#include "reports/ladder.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/text.h"
#include "reports/evidence.h"
#include "reports/printable.h"

enum {
	TAIL_OCTETS = 524288,
	LINE_OCTETS = 8 << 20,
	RUNGS = 24,
	LADDER_SIZE = 16384,
	PATH_SIZE = 4096,
	RUNG_SIZE = 4096
};

static void put_rung(const json_t *event, struct text *out)
{
	json_int_t t = json_integer_value(json_object_get(event, "t_us"));
	const char *dir = event_word(event, "dir");
	const char *action = event_word(event, "action");
	const char *timer = event_word(event, "timer");

	if (dir[0] == '\0' && action[0] == '\0' && timer[0] == '\0')
		return;
	text_printf(out, "%6" PRId64 ".%06" PRId64 "  ", (int64_t)(t / 1000000),
		    (int64_t)(t % 1000000));
	if (action[0] != '\0')
		text_printf(out, "control  %s: %s\n", action, event_word(event, "outcome"));
	else if (timer[0] != '\0')
		text_printf(out, "%s  timer  %s %s (%.3f s)\n", event_word(event, "owner"), timer,
			    event_word(event, "what"), event_seconds(event, "us"));
	else
		text_printf(out, "%s %s %s  %s\n", event_word(event, "link"),
			    strcmp(dir, "sent") == 0 ? "-->" : "<--", event_word(event, "proto"),
			    event_word(event, "summary"));
}

/* The last lines of the tail, from the RUNGS-th last on; a torn one is passed over. */
static char *ladder_of(char *tail, size_t len, bool whole)
{
	char *ladder = malloc(LADDER_SIZE);
	char *end = tail + len, *start = end;
	struct text text;

	if (ladder == NULL)
		return NULL;
	text_init(&text, ladder, LADDER_SIZE);
	for (unsigned int lines = 0; start > tail && lines <= RUNGS; lines++) {
		char *newline = memrchr(tail, '\n', (size_t)(start - tail));

		start = newline == NULL ? tail : newline;
	}
	if (start == tail && !whole)
		start = memchr(tail, '\n', len);
	while (start != NULL && start < end) {
		char *next = memchr(start, '\n', (size_t)(end - start));
		size_t n = next == NULL ? (size_t)(end - start) : (size_t)(next - start);
		json_t *event = json_loadb(start, n, 0, NULL);

		if (json_is_object(event))
			put_rung(event, &text);
		json_decref(event);
		start = next == NULL ? NULL : next + 1;
	}
	if (text.len > 0)
		return ladder;
	free(ladder);
	return NULL;
}

char *ladder_from_events(const char *dir, const char *evidence)
{
	char path[PATH_SIZE];
	char *tail, *ladder = NULL;
	FILE *file;
	long size;

	if (!evidence_path(dir, evidence, "events.jsonl", path, sizeof(path)))
		return NULL;
	file = fopen(path, "re");
	if (file == NULL)
		return NULL;
	tail = malloc(TAIL_OCTETS);
	if (tail != NULL && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0) {
		bool whole = size <= TAIL_OCTETS;

		if (fseek(file, whole ? 0 : size - TAIL_OCTETS, SEEK_SET) == 0)
			ladder = ladder_of(tail, fread(tail, 1, TAIL_OCTETS, file), whole);
	}
	free(tail);
	fclose(file);
	return ladder;
}

bool ladder_print(const char *dir, const char *evidence, const char *indent, FILE *out)
{
	char path[PATH_SIZE], rung[RUNG_SIZE];
	struct text text;
	size_t len, unread = 0;
	FILE *file;
	char *line;
	bool whole;

	if (!evidence_path(dir, evidence, "events.jsonl", path, sizeof(path)))
		return false;
	line = malloc(LINE_OCTETS);
	file = line == NULL ? NULL : fopen(path, "re");
	while (file != NULL && next_line(file, line, LINE_OCTETS, &len, &whole)) {
		json_t *event = whole ? json_loadb(line, len, 0, NULL) : NULL;

		text_init(&text, rung, sizeof(rung));
		rung[0] = '\0';
		if (json_is_object(event))
			put_rung(event, &text);
		else
			unread++;
		if (text.len > 0)
			print_lines(rung, indent, out);
		json_decref(event);
	}
	if (unread > 0)
		fprintf(out, "%s(%zu line%s of events.jsonl cannot be read)\n", indent, unread,
			unread == 1 ? "" : "s");
	if (file != NULL)
		fclose(file);
	free(line);
	return file != NULL;
}
