#include "suites/live/hostile_http.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD = 9, WINDOW = 65535 };

void pause_ms(unsigned int ms)
{
	poll(NULL, 0, (int)ms);
}

void block_put(struct block *block, const void *data, size_t len)
{
	if (len > sizeof(block->data) - block->len)
		return;
	memcpy(block->data + block->len, data, len);
	block->len += len;
}

/* A string literal without Huffman code, of less than 2^14 octets beyond the prefix. */
static void put_string(struct block *block, const char *text)
{
	size_t len = strlen(text), rest = len - 127;
	const uint8_t longer[3] = { 127, (uint8_t)(rest | 0x80), (uint8_t)(rest >> 7) };
	const uint8_t brief = (uint8_t)len;

	if (len < 127)
		block_put(block, &brief, 1);
	else
		block_put(block, longer, 3);
	block_put(block, text, len);
}

void block_field(struct block *block, const char *name, const char *value)
{
	block_put(block, "", 1);
	put_string(block, name);
	put_string(block, value);
}

void block_status(struct block *block, const char *status)
{
	block_put(block, "\x08", 1);
	put_string(block, status);
}

void block_request(struct block *block, const struct wire *wire, const char *method,
		   const char *path)
{
	block_put(block, "\x02", 1);
	put_string(block, method);
	block_put(block, wire->ssl ? "\x87" : "\x86", 1);
	block_put(block, "\x04", 1);
	put_string(block, path);
	block_put(block, "\x01", 1);
	put_string(block, wire->host);
}

bool wire_send(struct wire *wire, const void *data, size_t len)
{
	const uint8_t *at = data;

	while (len && !wire->broken) {
		ssize_t n = wire->ssl ? SSL_write(wire->ssl, at, (int)len)
				      : send(wire->fd, at, len, MSG_NOSIGNAL);

		if (n <= 0) {
			wire->broken = true;
			break;
		}
		at += n;
		len -= (size_t)n;
	}
	return !wire->broken;
}

bool wire_frame(struct wire *wire, unsigned int type, unsigned int flags, uint32_t stream,
		const void *data, size_t len)
{
	uint8_t octets[HEAD + FRAME_MAX] = {
		(uint8_t)(len >> 16),	 (uint8_t)(len >> 8),	 (uint8_t)len,
		(uint8_t)type,		 (uint8_t)flags,	 (uint8_t)(stream >> 24),
		(uint8_t)(stream >> 16), (uint8_t)(stream >> 8), (uint8_t)stream
	};

	memcpy(octets + HEAD, data, len);
	return wire_send(wire, octets, HEAD + len);
}

bool wire_block(struct wire *wire, unsigned int type, unsigned int flags, uint32_t stream,
		const struct block *block)
{
	return wire_frame(wire, type, flags, stream, block->data, block->len);
}

bool wire_number(struct wire *wire, unsigned int type, uint32_t stream, uint32_t number)
{
	const uint8_t octets[4] = { (uint8_t)(number >> 24), (uint8_t)(number >> 16),
				    (uint8_t)(number >> 8), (uint8_t)number };

	return wire_frame(wire, type, 0, stream, octets, sizeof(octets));
}

static bool read_all(struct wire *wire, uint8_t *data, size_t len)
{
	while (len) {
		ssize_t n = wire->ssl ? SSL_read(wire->ssl, data, (int)len)
				      : recv(wire->fd, data, len, 0);

		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

bool wire_begin(struct wire *wire)
{
	static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
	uint8_t received[sizeof(preface) - 1];

	wire->window = wire->stream_window = wire->initial_window = WINDOW;
	wire->next_stream = 1;
	if (wire->server && !read_all(wire, received, sizeof(received)))
		return false;
	if (!wire->server)
		wire_send(wire, preface, sizeof(preface) - 1);
	return wire_frame(wire, FRAME_SETTINGS, 0, 0, "", 0);
}

static uint32_t number_of(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void take_settings(struct wire *wire, const struct frame *frame)
{
	enum { INITIAL_WINDOW_SIZE = 4, SETTING = 6 };

	for (size_t i = 0; i + SETTING <= frame->len; i += SETTING)
		if (frame->data[i] == 0 && frame->data[i + 1] == INITIAL_WINDOW_SIZE)
			wire->initial_window = number_of(frame->data + i + 2);
	wire_frame(wire, FRAME_SETTINGS, ACK, 0, "", 0);
}

bool wire_read(struct wire *wire, struct frame *frame)
{
	uint8_t head[HEAD];

	if (!read_all(wire, head, sizeof(head)))
		return false;
	frame->len = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
	frame->type = head[3];
	frame->flags = head[4];
	frame->stream = number_of(head + 5) & 0x7fffffff;
	if (frame->len > sizeof(frame->data) || !read_all(wire, frame->data, frame->len))
		return false;
	if (frame->type == FRAME_SETTINGS && !(frame->flags & ACK))
		take_settings(wire, frame);
	else if (frame->type == FRAME_HEADERS)
		wire->stream_window = wire->initial_window;
	else if (frame->type == FRAME_PING && !(frame->flags & ACK))
		wire_frame(wire, FRAME_PING, ACK, 0, frame->data, frame->len);
	else if (frame->type == FRAME_WINDOW_UPDATE && frame->len == 4)
		*(frame->stream ? &wire->stream_window : &wire->window) += number_of(frame->data);
	return true;
}

void wire_drain(struct wire *wire)
{
	uint8_t octets[4096];

	while ((wire->ssl ? SSL_read(wire->ssl, octets, sizeof(octets))
			  : (int)recv(wire->fd, octets, sizeof(octets), 0)) > 0)
		;
}

bool wire_body(struct wire *wire, uint32_t stream, uint64_t octets, bool within_window)
{
	static const uint8_t nothing[FRAME_MAX];
	struct frame frame;

	while (octets) {
		size_t len = octets < sizeof(nothing) ? (size_t)octets : sizeof(nothing);

		while (within_window &&
		       (wire->window < (int64_t)len || wire->stream_window < (int64_t)len))
			if (!wire_read(wire, &frame) ||
			    (frame.type == FRAME_RST_STREAM && frame.stream == stream))
				return false;
		if (!wire_frame(wire, FRAME_DATA, octets == len ? END_STREAM : 0, stream, nothing,
				len))
			return false;
		wire->window -= (int64_t)len;
		wire->stream_window -= (int64_t)len;
		octets -= len;
	}
	return true;
}
