/*
 * HTTP/2 messages of a record as fields. The record has frames of one plain form: header fields are
 * literals without a table, so no HPACK state is needed. A body of JSON is taken apart, and so are
 * the parameters of 3gpp-Sbi-* header fields.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/fields.h"
#include "reports/frames.h"
#include "reports/varying.h"

enum {
	PATH_ROOM = 512,
	VALUE_ROOM = 8192,
	ELEMENTS_MAX = 64, /* of an array */
	NESTING_MAX = 16,
};

/* Of one kind each, one after the other: what the frames hold. */
struct payload {
	uint8_t *data;
	size_t len;
};

struct frames {
	struct payload fields, body;
	unsigned int first; /* type of the first frame */
	uint32_t code;	    /* of RST_STREAM or GOAWAY */
};

static void append(struct payload *payload, const uint8_t *from, size_t len)
{
	if (len > 0)
		memcpy(payload->data + payload->len, from, len);
	payload->len += len;
}

static bool split_frames(struct frames *frames, struct octets data)
{
	bool first = true;
	struct frame frame;

	frames_skip_preface(&data);
	while (frames_next(&data, &frame)) {
		const struct octets *payload = &frame.payload;

		if (first)
			frames->first = frame.type;
		first = false;
		if (frame.type == FRAME_HEADERS || frame.type == FRAME_CONTINUATION)
			append(&frames->fields, payload->data, payload->len);
		else if (frame.type == FRAME_DATA)
			append(&frames->body, payload->data, payload->len);
		else if (frame.type == FRAME_RST_STREAM && payload->len >= 4)
			frames->code = frames_number(payload->data, 4);
		else if (frame.type == FRAME_GOAWAY && payload->len >= 8)
			frames->code = frames_number(payload->data + 4, 4);
	}
	return !first && data.len == 0;
}

/* A sender may have put a NUL there: what is behind it must not be lost. */
static void put_octets(struct text *out, struct octets s)
{
	for (size_t i = 0; i < s.len; i++)
		text_putc(out, s.data[i] == 0 ? '?' : (char)s.data[i]);
}

/* "Timestamp: "..."; Period-of-Validity: 10s, ..." as a field for each parameter. */
static void add_parameters(struct message_decoder *decoder, const char *name, char *value)
{
	unsigned int element = 1;
	char path[PATH_ROOM];
	bool quoted = false;
	char *start = value;

	for (char *at = value;; at++) {
		char end = *at;
		char *colon;

		if (end == '"')
			quoted = !quoted;
		if (end != '\0' && (quoted || (end != ';' && end != ',')))
			continue;
		*at = '\0';
		start += strspn(start, " ");
		colon = strchr(start, ':');
		if (colon != NULL)
			*colon = '\0';
		if (element > 1)
			snprintf(path, sizeof(path), "%.128s[%u]/%.256s", name, element,
				 colon != NULL ? start : "value");
		else
			snprintf(path, sizeof(path), "%.128s/%.256s", name,
				 colon != NULL ? start : "value");
		message_add(decoder, path,
			    colon != NULL ? colon + 1 + strspn(colon + 1, " ") : start);
		start = at + 1;
		element += end == ',';
		if (end == '\0' || element > ELEMENTS_MAX)
			return;
	}
}

static bool is_request_target(const char *name)
{
	return strcmp(name, ":method") == 0 || strcmp(name, ":path") == 0;
}

static void name_type(struct message_decoder *decoder, const char *method, char *target)
{
	struct text text;
	char *query = strchr(target, '?');

	text_init(&text, decoder->type, sizeof(decoder->type));
	if (method[0] == '\0') {
		text_puts(&text, "answer");
		return;
	}
	if (query != NULL)
		*query = '\0';
	text_printf(&text, "%s ", method);
	varying_path(target, &text);
	if (query != NULL) {
		/* what is asked for is a field each */
		char path[PATH_ROOM];

		query++;
		for (char *word; (word = strsep(&query, "&")) != NULL;) {
			char *equals = strchr(word, '=');

			if (equals != NULL)
				*equals = '\0';
			snprintf(path, sizeof(path), "query/%.400s", word);
			message_add(decoder, path, equals != NULL ? equals + 1 : "");
		}
	}
}

static bool add_headers(struct message_decoder *decoder, struct octets fields)
{
	char method[64] = "", target[VALUE_ROOM] = "", name[PATH_ROOM], value[VALUE_ROOM];
	struct octets n, v;
	struct text text;

	while (fields.len > 0) {
		if (fields.data[0] != 0)
			return false;
		fields = OCTETS(fields.data + 1, fields.len - 1);
		if (!frames_string(&fields, &n) || !frames_string(&fields, &v))
			return false;
		text_init(&text, name, sizeof(name));
		put_octets(&text, n);
		text_init(&text, value, sizeof(value));
		put_octets(&text, v);
		if (text.truncated)
			decoder->cut = true;
		if (strcmp(name, ":method") == 0)
			snprintf(method, sizeof(method), "%.63s", value);
		else if (strcmp(name, ":path") == 0)
			memcpy(target, value, sizeof(target));
		if (is_request_target(name))
			continue;
		if (strncmp(name, "3gpp-sbi-", 9) == 0)
			add_parameters(decoder, name, value);
		else
			message_add(decoder, name, value);
	}
	name_type(decoder, method, target);
	return true;
}

static void add_json(struct message_decoder *decoder, const json_t *value, char *path, size_t len,
		     unsigned int depth);

/* One level down; the path is as before afterwards. */
static void add_member(struct message_decoder *decoder, const json_t *value, char *path, size_t len,
		       unsigned int depth, const char *format, const char *name)
{
	struct text text;

	text_init(&text, path + len, PATH_ROOM - len);
	text_printf(&text, format, name);
	add_json(decoder, value, path, len + text.len, depth + 1);
	path[len] = '\0';
}

static void add_json(struct message_decoder *decoder, const json_t *value, char *path, size_t len,
		     unsigned int depth)
{
	char buf[64];
	const char *name;
	json_t *member;

	if (depth > NESTING_MAX || decoder->count == MESSAGE_FIELDS_MAX) {
		decoder->cut = true;
		return;
	}
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		json_object_foreach((json_t *)(uintptr_t)value, name, member)
		{
			char plain[128];
			struct text text;

			text_init(&text, plain, sizeof(plain));
			varying_path(name, &text);
			add_member(decoder, member, path, len, depth, "/%s", plain);
		}
		break;
	case JSON_ARRAY:
		for (size_t i = 0; i < json_array_size(value) && i < ELEMENTS_MAX; i++) {
			snprintf(buf, sizeof(buf), "%zu", i);
			add_member(decoder, json_array_get(value, i), path, len, depth, "[%s]",
				   buf);
		}
		if (json_array_size(value) == 0)
			message_add(decoder, path, "[]");
		if (json_array_size(value) > ELEMENTS_MAX)
			decoder->cut = true;
		break;
	case JSON_STRING:
		message_add(decoder, path, json_string_value(value));
		break;
	case JSON_INTEGER:
		snprintf(buf, sizeof(buf), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		message_add(decoder, path, buf);
		break;
	case JSON_REAL:
		snprintf(buf, sizeof(buf), "%.15g", json_real_value(value));
		message_add(decoder, path, buf);
		break;
	case JSON_TRUE:
		message_add(decoder, path, "true");
		break;
	case JSON_FALSE:
		message_add(decoder, path, "false");
		break;
	case JSON_NULL:
		message_add(decoder, path, "null");
		break;
	}
}

/* jansson goes down by recursion: it is not asked about a text that is nested more than that. */
static bool nested_too_deep(struct octets body)
{
	unsigned int depth = 0;
	bool string = false;

	for (size_t i = 0; i < body.len; i++) {
		uint8_t c = body.data[i];

		if (string) {
			if (c == '\\')
				i++;
			else if (c == '"')
				string = false;
		} else if (c == '"') {
			string = true;
		} else if (c == '{' || c == '[') {
			if (++depth > 4 * NESTING_MAX)
				return true;
		} else if ((c == '}' || c == ']') && depth > 0) {
			depth--;
		}
	}
	return false;
}

static void add_body(struct message_decoder *decoder, struct octets body)
{
	char path[PATH_ROOM] = "body", octets[32];
	json_t *json = NULL;

	if (body.len == 0)
		return;
	if (!nested_too_deep(body))
		json = json_loadb((const char *)body.data, body.len, JSON_DECODE_ANY, NULL);
	if (json != NULL) {
		add_json(decoder, json, path, strlen(path), 0);
		json_decref(json);
		return;
	}
	snprintf(octets, sizeof(octets), "%zu octets", body.len);
	message_add(decoder, path, octets);
}

static bool add_message(struct message_decoder *decoder, const struct frames *frames)
{
	char code[32];

	switch (frames->first) {
	case FRAME_SETTINGS:
		snprintf(decoder->type, sizeof(decoder->type), "connection");
		return true;
	case FRAME_RST_STREAM:
	case FRAME_GOAWAY:
		snprintf(decoder->type, sizeof(decoder->type), "%s",
			 frames->first == FRAME_GOAWAY ? "GOAWAY" : "RST_STREAM");
		snprintf(code, sizeof(code), "%u", frames->code);
		message_add(decoder, "error code", code);
		return true;
	case FRAME_HEADERS:
		if (!add_headers(decoder, OCTETS(frames->fields.data, frames->fields.len)))
			return false;
		add_body(decoder, OCTETS(frames->body.data, frames->body.len));
		return true;
	}
	return false;
}

bool message_decode_http(struct message_decoder *decoder, struct octets data)
{
	struct frames frames = { .first = 0 };
	bool good;

	/* Neither becomes longer than both together are in the frames. */
	frames.fields.data = malloc(data.len);
	frames.body.data = malloc(data.len);
	good = frames.fields.data != NULL && frames.body.data != NULL &&
	       split_frames(&frames, data) && add_message(decoder, &frames);
	free(frames.fields.data);
	free(frames.body.data);
	return good;
}
