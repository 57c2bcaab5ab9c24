/*
 * Reads the events of a case for reports/traffic.h: which message is of which lane and type, what
 * it answers, how long it took.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/event_line.h"
#include "reports/evidence.h"
#include "reports/traffic_private.h"

enum {
	LINE_ROOM = 8 << 20, /* the longest line that is looked at */
	REQUESTS_MAX = 4096,
};

/* The octets take the place of the digits: they need half of it. */
static struct octets unhex(char *hex, size_t len)
{
	uint8_t *to = (uint8_t *)hex;
	size_t n = 0;

	for (; 2 * n + 1 < len; n++) {
		int high = hex_digit(hex[2 * n]), low = hex_digit(hex[2 * n + 1]);

		if (high < 0 || low < 0)
			break;
		to[n] = (uint8_t)(high << 4 | low);
	}
	return OCTETS(to, n);
}

static void request_key(const struct event_line *event, char *key, size_t size)
{
	snprintf(key, size, "%.100s|%.100s|%.100s|%lld", event->link, event->local, event->peer,
		 (long long)event->stream);
}

/* The tester's request: the answer on its stream is an answer to that. */
static void remember_request(struct traffic *traffic, const struct event_line *event,
			     const char *type)
{
	struct traffic_request *request;
	char key[TRAFFIC_KEY_MAX];
	size_t len, size = strlen(type) + 1;

	request_key(event, key, sizeof(key));
	len = strlen(key) + 1;
	if (HASH_COUNT(traffic->requests) >= REQUESTS_MAX)
		traffic_forget_requests(traffic);
	HASH_FIND_STR(traffic->requests, key, request);
	if (request != NULL) {
		HASH_DEL(traffic->requests, request);
		free(request);
	}
	request = calloc(1, sizeof(*request) + len + size);
	if (request == NULL)
		return;
	memcpy(request->key, key, len);
	request->type = request->key + len;
	memcpy(request->type, type, size);
	HASH_ADD_STR(traffic->requests, key, request);
}

static void name_answer(struct traffic *traffic, const struct event_line *event, char *type,
			size_t size)
{
	struct traffic_request *request;
	char key[TRAFFIC_KEY_MAX];

	request_key(event, key, sizeof(key));
	HASH_FIND_STR(traffic->requests, key, request);
	if (request == NULL)
		return;
	snprintf(type, size, "answer to %s", request->type);
	HASH_DEL(traffic->requests, request);
	free(request);
}

static void name_by_summary(const struct event_line *event, char *type, size_t size)
{
	const char *summary = event->summary;
	struct text text;

	text_init(&text, type, size);
	varying_path(summary[0] != '\0' ? summary : "empty", &text);
}

/* The digits are taken: the event has no octets any more. */
static void decode_event(struct message_decoder *decoder, struct event_line *event)
{
	message_decode(decoder, event->proto, unhex((char *)(uintptr_t)event->hex, event->hex_len));
}

static void take_received(struct traffic *traffic, struct event_line *event,
			  struct message_decoder *decoder, const struct traffic_lane *lane)
{
	char type[2 * MESSAGE_TYPE_MAX];
	const char *proto = event->proto;
	struct traffic_group *group;
	uint64_t now = event->t_us, since = traffic->last_control;

	decode_event(decoder, event);
	snprintf(type, sizeof(type), "%s", decoder->type);
	if (event->hex_len == 0) {
		decoder->count = 0;
		name_by_summary(event, type, MESSAGE_TYPE_MAX);
	} else if (strcmp(type, "answer") == 0) {
		name_answer(traffic, event, type, sizeof(type));
	}
	traffic->cut = traffic->cut || decoder->cut;
	group = traffic_find_group(traffic, lane->name, lane->kind, proto, type);
	if (group == NULL)
		return;
	traffic->messages++;
	group->count++;
	for (size_t i = 0; i < decoder->count; i++)
		traffic_add_field(traffic, group, &decoder->fields[i]);
	if (lane->sent && lane->last_sent > since)
		since = lane->last_sent;
	traffic_add_delay(traffic, group, now > since ? now - since : 0);
}

static void take_message(struct traffic *traffic, struct event_line *event,
			 struct message_decoder *decoder)
{
	struct traffic_lane *lane = traffic_find_lane(traffic, event->link);

	if (lane == NULL) {
		traffic->cut = true;
		return;
	}
	if (strcmp(event->dir, "received") == 0) {
		take_received(traffic, event, decoder, lane);
		return;
	}
	lane->sent = true;
	lane->last_sent = event->t_us;
	if (strcmp(event->proto, "http2") == 0) {
		decode_event(decoder, event);
		remember_request(traffic, event, decoder->type);
	}
}

static void take_line(struct traffic *traffic, char *line, size_t len,
		      struct message_decoder *decoder)
{
	struct event_line event;

	if (!event_line_read(&event, line, len)) {
		traffic->torn++;
		return;
	}
	if (strcmp(event.kind, "message") == 0)
		take_message(traffic, &event, decoder);
	else if (strcmp(event.kind, "control") == 0)
		traffic->last_control = event.t_us;
	event_line_clear(&event);
}

static int read_lines(struct traffic *traffic, FILE *file, char *room,
		      struct message_decoder *decoder)
{
	size_t have = 0, got;
	bool skip = false;

	while ((got = fread(room + have, 1, LINE_ROOM - have, file)) > 0) {
		char *start = room, *end = room + have + got, *newline;

		while ((newline = memchr(start, '\n', (size_t)(end - start))) != NULL) {
			if (!skip && newline > start)
				take_line(traffic, start, (size_t)(newline - start), decoder);
			skip = false;
			start = newline + 1;
		}
		have = (size_t)(end - start);
		if (have == LINE_ROOM) {
			traffic->torn += !skip;
			skip = true;
			have = 0;
		}
		memmove(room, start, have);
	}
	traffic->torn += have > 0;
	return ferror(file) ? -EIO : 0;
}

int traffic_read(struct traffic *traffic, const char *path, struct message_decoder *decoder)
{
	FILE *file = fopen(path, "re");
	char *room;
	int rc;

	if (file == NULL)
		return -errno;
	room = malloc(LINE_ROOM);
	traffic->last_control = 0;
	rc = room == NULL ? -ENOMEM : read_lines(traffic, file, room, decoder);
	free(room);
	fclose(file);
	return rc;
}
