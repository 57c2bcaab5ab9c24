/*
 * The other end of an HTTP/2 connection, octet by octet, so that it can break every rule: what the
 * hostile network functions of the live runs share. Blocking, a thread for each connection; an NF
 * of the tester is never asked to wait for another.
 */
#ifndef SPILLWAY_SUITES_LIVE_HOSTILE_HTTP_H
#define SPILLWAY_SUITES_LIVE_HOSTILE_HTTP_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_MAX = 16384 };

enum frame_type {
	FRAME_DATA = 0,
	FRAME_HEADERS = 1,
	FRAME_RST_STREAM = 3,
	FRAME_SETTINGS = 4,
	FRAME_PUSH_PROMISE = 5,
	FRAME_PING = 6,
	FRAME_GOAWAY = 7,
	FRAME_WINDOW_UPDATE = 8,
	FRAME_CONTINUATION = 9,
	FRAME_UNKNOWN = 0xee,
};

enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };

struct wire {
	int fd;
	SSL *ssl;    /* NULL: clear text */
	bool server; /* we are */
	bool broken; /* nothing goes out any more */
	uint32_t next_stream;
	/* Octets of DATA that the other side takes: of all, of the newest stream, of each at first.
	 */
	int64_t window, stream_window, initial_window;
	const char *host; /* our own address with its port, or the other's */
};

struct frame {
	uint8_t type, flags;
	uint32_t stream;
	size_t len;
	uint8_t data[FRAME_MAX];
};

/* What a frame carries, put together. What does not fit any more is left out. */
struct block {
	uint8_t data[FRAME_MAX];
	size_t len;
};

void block_put(struct block *block, const void *data, size_t len);
/* A header field as a literal that no table keeps (RFC 7541 6.2.2). */
void block_field(struct block *block, const char *name, const char *value);
/* ":status", which has to be the first field. */
void block_status(struct block *block, const char *status);
void block_request(struct block *block, const struct wire *wire, const char *method,
		   const char *path);

/* False: the other side is gone. */
bool wire_send(struct wire *wire, const void *data, size_t len);
bool wire_frame(struct wire *wire, unsigned int type, unsigned int flags, uint32_t stream,
		const void *data, size_t len);
bool wire_block(struct wire *wire, unsigned int type, unsigned int flags, uint32_t stream,
		const struct block *block);
bool wire_number(struct wire *wire, unsigned int type, uint32_t stream, uint32_t number);
/* The preface of a client, and SETTINGS without any. */
bool wire_begin(struct wire *wire);
/* The next frame; answers SETTINGS and PING by itself, and keeps the windows. */
bool wire_read(struct wire *wire, struct frame *frame);
/* Reads and drops, until the other side is gone. */
void wire_drain(struct wire *wire);
/* As many octets of DATA as asked for, within the windows of the other side or without a look. */
bool wire_body(struct wire *wire, uint32_t stream, uint64_t octets, bool within_window);

void pause_ms(unsigned int ms);

#endif
