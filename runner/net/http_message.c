#include <stdlib.h>

#include "runner/net/http_private.h"

static bool same(struct octets name, const char *wanted)
{
	return name.len == strlen(wanted) && memcmp(name.data, wanted, name.len) == 0;
}

const struct octets *http_header(const struct http_message *message, const char *name)
{
	for (size_t i = 0; i < message->header_count; i++) {
		if (same(message->headers[i].name, name))
			return &message->headers[i].value;
	}
	return NULL;
}

size_t http_headers(const struct http_message *message, const char *name, struct octets *values,
		    size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < message->header_count; i++) {
		if (!same(message->headers[i].name, name))
			continue;
		if (count < max)
			values[count] = message->headers[i].value;
		count++;
	}
	return count;
}

unsigned int http_status(const struct http_message *message)
{
	const struct octets *value = http_header(message, ":status");
	unsigned int status = 0;

	if (!value || value->len != 3)
		return 0;
	for (size_t i = 0; i < 3; i++) {
		if (value->data[i] < '0' || value->data[i] > '9')
			return 0;
		status = status * 10 + (unsigned int)(value->data[i] - '0');
	}
	return status >= 100 && status <= 599 ? status : 0;
}

size_t http_list_size(const struct http_header *headers, size_t count)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		size += headers[i].name.len + headers[i].value.len + 32;
	return size;
}

static struct octets copy(uint8_t **at, struct octets from)
{
	struct octets to = OCTETS(*at, from.len);

	if (from.len)
		memcpy(*at, from.data, from.len);
	*at += from.len;
	return to;
}

static void copy_fields(uint8_t **at, struct http_header *to, const struct http_header *from,
			size_t count)
{
	for (size_t i = 0; i < count; i++) {
		to[i].name = copy(at, from[i].name);
		to[i].value = copy(at, from[i].value);
	}
}

struct http_stored *http_store(const struct http_message *message, const struct http_header *before,
			       size_t before_count)
{
	size_t fields = before_count + message->header_count + message->trailer_count;
	size_t size = sizeof(struct http_stored) + fields * sizeof(struct http_header) +
		      message->body.len + http_list_size(before, before_count) +
		      http_list_size(message->headers, message->header_count) +
		      http_list_size(message->trailers, message->trailer_count);
	struct http_stored *stored = malloc(size);
	struct http_header *trailers;
	uint8_t *at;

	if (!stored)
		return NULL;
	at = (uint8_t *)&stored->fields[fields];
	trailers = &stored->fields[before_count + message->header_count];
	copy_fields(&at, stored->fields, before, before_count);
	copy_fields(&at, stored->fields + before_count, message->headers, message->header_count);
	copy_fields(&at, trailers, message->trailers, message->trailer_count);
	stored->message = (struct http_message){
		.headers = stored->fields,
		.header_count = before_count + message->header_count,
		.trailers = trailers,
		.trailer_count = message->trailer_count,
		.body = copy(&at, message->body),
	};
	return stored;
}

struct http_message *http_message_copy(const struct http_message *message)
{
	struct http_stored *stored = http_store(message, NULL, 0);

	/* the message stands first in it */
	return stored ? &stored->message : NULL;
}

static const char *const failure_names[] = {
	[HTTP_REFUSED] = "refused", [HTTP_LOST] = "lost",	  [HTTP_CLOSED] = "closed",
	[HTTP_RESET] = "reset",	    [HTTP_TIMEOUT] = "timeout",	  [HTTP_LIMIT] = "limit",
	[HTTP_TLS] = "tls",	    [HTTP_PROTOCOL] = "protocol", [HTTP_OWN] = "own side",
};

const char *http_failure_name(enum http_failure failure)
{
	return (unsigned int)failure < sizeof(failure_names) / sizeof(failure_names[0])
		       ? failure_names[failure]
		       : "?";
}

static const char *const error_names[] = {
	"NO_ERROR",
	"PROTOCOL_ERROR",
	"INTERNAL_ERROR",
	"FLOW_CONTROL_ERROR",
	"SETTINGS_TIMEOUT",
	"STREAM_CLOSED",
	"FRAME_SIZE_ERROR",
	"REFUSED_STREAM",
	"CANCEL",
	"COMPRESSION_ERROR",
	"CONNECT_ERROR",
	"ENHANCE_YOUR_CALM",
	"INADEQUATE_SECURITY",
	"HTTP_1_1_REQUIRED",
};

const char *http_error_name(uint32_t code, char *buffer, size_t size)
{
	struct text text;

	if (code < sizeof(error_names) / sizeof(error_names[0]))
		return error_names[code];
	text_init(&text, buffer, size);
	text_printf(&text, "code %u", code);
	return buffer;
}
