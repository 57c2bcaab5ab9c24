/*
 * One live HTTP/2 connection in two halves: the socket with TLS (http_live.c), and the session of
 * libnghttp2 with its streams (http_session.c). The session never calls a user: what it understood
 * waits in lists until the octets at hand are read.
 */
#ifndef SPILLWAY_RUNNER_NET_HTTP_LIVE_H
#define SPILLWAY_RUNNER_NET_HTTP_LIVE_H

#include <nghttp2/nghttp2.h>

#include "runner/net/http_private.h"

/* Incoming octets of messages that are not whole yet, on one connection. */
#define HTTP_HELD_MAX ((size_t)64 << 20)

struct session_stream;

struct live_connection {
	struct http_connection base; /* first */
	/* socket */
	int fd;
	struct loop_watch *watch;
	bool connected; /* TCP */
	int connect_error;
	bool handshaken; /* TLS, where there is some */
	bool ended;	 /* nothing is to be done with it any more */
	SSL *ssl;
	BIO *in, *out;
	uint8_t *wire; /* to be sent */
	size_t wire_start, wire_len;
	struct timer flush;
	/* session */
	nghttp2_session *session;
	struct session_stream *streams; /* all */
	struct session_stream *done, **done_last;
	size_t held;
	bool heard; /* the peer's SETTINGS */
	bool said_up;
	bool goaway; /* the peer's, not reported yet */
	bool peer_went;
	uint32_t goaway_last, goaway_code;
	bool sent_goaway;
	uint32_t sent_code;
};

/* 0, or -1: no memory. */
int session_start(struct live_connection *c);
void session_free(struct live_connection *c);
/* NULL, or what is wrong with the octets: the connection cannot go on. */
const char *session_feed(struct live_connection *c, const uint8_t *data, size_t len);
/* Tells the upper half what was understood; stops where the connection ended meanwhile. */
void session_deliver(struct live_connection *c);
/* The next octets to be sent, valid until the next call; 0: none; negative: cannot go on. */
ssize_t session_pull(struct live_connection *c, const uint8_t **data);
/* Whether both sides are through with each other. */
bool session_over(struct live_connection *c);
/* Says good-bye, for what may still be sent. */
void session_terminate(struct live_connection *c);

int session_send(struct live_connection *c, struct http_stream *stream,
		 const struct http_message *message, enum http_part part, uint32_t code);
void session_reset(struct live_connection *c, uint32_t id, uint32_t code);
void session_goaway(struct live_connection *c);

/* Something is to be sent, at the next turn of the loop. */
void live_wants_flush(struct live_connection *c);

#endif
