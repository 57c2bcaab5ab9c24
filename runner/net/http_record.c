/*
 * Messages on the record, as HTTP/2 frames of a canonical form: HEADERS with literal fields that
 * lean on no table, DATA, and HEADERS again for trailers. So the octets of a message say everything
 * by themselves, whatever HPACK state, TLS or simulation carried it, and the capture opens in
 * Wireshark. Tokens and keys are blotted out here.
 */
#include <stdlib.h>

#include "runner/net/http_private.h"
#include "runner/net/http_secrets.h"

enum {
	FRAME_DATA = 0,
	FRAME_HEADERS = 1,
	FRAME_RST_STREAM = 3,
	FRAME_SETTINGS = 4,
	FRAME_GOAWAY = 7,
	FRAME_CONTINUATION = 9,
	END_STREAM = 1,
	END_HEADERS = 4,
	FRAME_HEAD = 9,
	FRAME_MAX = 16384,
	FIELD_MAX = 16, /* octets of a literal field besides name and value */
};

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

struct frames {
	uint8_t *at;
};

static void put(struct frames *f, const void *data, size_t len)
{
	if (len)
		memcpy(f->at, data, len);
	f->at += len;
}

static void put_n(struct frames *f, uint32_t value, size_t octets)
{
	while (octets-- > 0)
		*f->at++ = (uint8_t)(value >> (8 * octets));
}

static void put_head(struct frames *f, size_t len, uint8_t type, uint8_t flags, uint32_t stream)
{
	put_n(f, (uint32_t)len, 3);
	put_n(f, type, 1);
	put_n(f, flags, 1);
	put_n(f, stream, 4);
}

/* RFC 7541 5.1, with a prefix of 7 bits */
static void put_length(struct frames *f, size_t len)
{
	if (len < 127) {
		put_n(f, (uint32_t)len, 1);
		return;
	}
	put_n(f, 127, 1);
	for (len -= 127; len >= 128; len >>= 7)
		put_n(f, (uint32_t)(len & 127) | 128, 1);
	put_n(f, (uint32_t)len, 1);
}

/* RFC 7541 6.2.2: literal without indexing, new name */
static void put_field(struct frames *f, const struct http_header *field)
{
	put_n(f, 0, 1);
	put_length(f, field->name.len);
	put(f, field->name.data, field->name.len);
	put_length(f, field->value.len);
	put(f, field->value.data, field->value.len);
	if (http_is_secret_field(field->name))
		http_blot_value(f->at - field->value.len, field->value.len);
}

static size_t fields_max(const struct http_header *fields, size_t count)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		size += fields[i].name.len + fields[i].value.len + FIELD_MAX;
	return size + (size / FRAME_MAX + 2) * FRAME_HEAD;
}

/* The block is composed behind the room for its frames' heads, and moved to its place. */
static void put_fields(struct frames *f, const struct http_header *fields, size_t count,
		       uint32_t stream, uint8_t flags)
{
	uint8_t type = FRAME_HEADERS;
	uint8_t *block = f->at + fields_max(fields, count);
	struct frames composed = { block };
	size_t left;

	for (size_t i = 0; i < count; i++)
		put_field(&composed, &fields[i]);
	left = (size_t)(composed.at - block);
	do {
		size_t n = left < FRAME_MAX ? left : FRAME_MAX;

		left -= n;
		put_head(f, n, type, flags | (left ? 0 : END_HEADERS), stream);
		memmove(f->at, block, n);
		f->at += n;
		block += n;
		type = FRAME_CONTINUATION;
		flags = 0;
	} while (left);
}

static void put_body(struct frames *f, struct octets body, uint32_t stream, bool last)
{
	uint8_t *copy = f->at + (body.len / FRAME_MAX + 1) * FRAME_HEAD;
	size_t left = body.len;

	memcpy(copy, body.data, body.len);
	http_blot_body(copy, body.len);
	while (left) {
		size_t n = left < FRAME_MAX ? left : FRAME_MAX;

		left -= n;
		put_head(f, n, FRAME_DATA, last && !left ? END_STREAM : 0, stream);
		memmove(f->at, copy, n);
		f->at += n;
		copy += n;
	}
}

static size_t message_max(const struct http_message *m)
{
	return 2 * fields_max(m->headers, m->header_count) +
	       2 * fields_max(m->trailers, m->trailer_count) + m->body.len +
	       (m->body.len / FRAME_MAX + 2) * FRAME_HEAD;
}

static void put_value(struct text *out, const struct octets *value)
{
	if (value)
		text_write(out, value->data, value->len < 120 ? value->len : 120);
	else
		text_putc(out, '-');
}

/* "cause" of a ProblemDetails, for the ladder. */
static void put_cause(struct text *out, struct octets body)
{
	static const char name[] = "\"cause\"";
	const uint8_t *at = memmem(body.data, body.len, name, sizeof(name) - 1);
	const uint8_t *end = body.data + body.len;

	if (!at)
		return;
	at += sizeof(name) - 1;
	while (at < end && (*at == ' ' || *at == ':'))
		at++;
	if (at == end || *at++ != '"')
		return;
	text_putc(out, ' ');
	for (int i = 0; i < 40 && at < end && *at != '"'; i++)
		text_putc(out, (char)*at++);
}

static void summarise(struct text *out, const struct http_message *m)
{
	static const char *const shown[] = { "3gpp-sbi-message-priority", "3gpp-sbi-oci",
					     "3gpp-sbi-lci", "retry-after", "location" };
	const struct octets *method = http_header(m, ":method");

	if (method) {
		put_value(out, method);
		text_putc(out, ' ');
		put_value(out, http_header(m, ":path"));
	} else {
		put_value(out, http_header(m, ":status"));
		if (http_status(m) >= 300 && m->body.len)
			put_cause(out, m->body);
	}
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		const struct octets *value = http_header(m, shown[i]);

		if (!value)
			continue;
		text_printf(out, ", %s: ", shown[i]);
		put_value(out, value);
	}
	if (m->body.len)
		text_printf(out, ", %zu octets", m->body.len);
}

static const char *name_of(const struct http_connection *connection)
{
	return connection->client ? connection->client->name : connection->server->name;
}

static void put_on_record(struct http_connection *connection, bool sent, const char *summary,
			  uint32_t stream, struct octets data)
{
	record_message(connection->http->record, &(struct record_message){
							 .link = name_of(connection),
							 .sent = sent,
							 .proto = "http2",
							 .summary = summary,
							 .local = connection->local_text,
							 .peer = connection->peer_text,
							 .stream = (int32_t)stream,
							 .data = data,
						 });
}

void http_record_message(struct http_connection *connection, bool sent, uint32_t stream,
			 const struct http_message *m, bool partly)
{
	char summary[256];
	struct text text;
	struct frames f;
	uint8_t *room;

	if (!connection->http->record)
		return;
	room = malloc(message_max(m));
	if (!room) {
		record_log(connection->http->record, RECORD_ERROR,
			   "%s: no memory to record a message", name_of(connection));
		return;
	}
	f.at = room;
	put_fields(&f, m->headers, m->header_count, stream,
		   m->body.len || m->trailer_count || partly ? 0 : END_STREAM);
	if (m->body.len)
		put_body(&f, m->body, stream, !m->trailer_count && !partly);
	if (m->trailer_count)
		put_fields(&f, m->trailers, m->trailer_count, stream, partly ? 0 : END_STREAM);
	text_init(&text, summary, sizeof(summary));
	summarise(&text, m);
	if (partly)
		text_puts(&text, ", not whole");
	put_on_record(connection, sent, summary, stream, OCTETS(room, (size_t)(f.at - room)));
	free(room);
}

void http_record_up(struct http_connection *connection)
{
	uint8_t octets[64];
	struct frames f = { octets };

	/* What a client sends first, whoever it is: it tells a reader of the capture what this is.
	 */
	put(&f, preface, sizeof(preface) - 1);
	put_head(&f, 0, FRAME_SETTINGS, 0, 0);
	put_on_record(connection, connection->client != NULL, "up", 0,
		      OCTETS(octets, (size_t)(f.at - octets)));
}

void http_record_down(struct http_connection *connection, bool ours, const char *why)
{
	put_on_record(connection, ours, why, 0, OCTETS(NULL, 0));
}

void http_record_reset(struct http_connection *connection, bool sent, uint32_t stream,
		       uint32_t code)
{
	char summary[64], buffer[32];
	uint8_t octets[FRAME_HEAD + 4];
	struct frames f = { octets };
	struct text text;

	put_head(&f, 4, FRAME_RST_STREAM, 0, stream);
	put_n(&f, code, 4);
	text_init(&text, summary, sizeof(summary));
	text_printf(&text, "RST_STREAM %s", http_error_name(code, buffer, sizeof(buffer)));
	put_on_record(connection, sent, summary, stream, OCTETS(octets, sizeof(octets)));
}

void http_record_goaway(struct http_connection *connection, bool sent, uint32_t last, uint32_t code)
{
	char summary[64], buffer[32];
	uint8_t octets[FRAME_HEAD + 8];
	struct frames f = { octets };
	struct text text;

	put_head(&f, 8, FRAME_GOAWAY, 0, 0);
	put_n(&f, last, 4);
	put_n(&f, code, 4);
	text_init(&text, summary, sizeof(summary));
	text_printf(&text, "GOAWAY %s, last stream %u",
		    http_error_name(code, buffer, sizeof(buffer)), last);
	put_on_record(connection, sent, summary, 0, OCTETS(octets, sizeof(octets)));
}
