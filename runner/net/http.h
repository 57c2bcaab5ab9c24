/*
 * HTTP/2 between two elements, as whole requests and responses.
 *
 * A struct http is one side's access: the tester has one (with the record of the case), an IUT has
 * another. Live it is libnghttp2 over TCP, in clear text with prior knowledge or over TLS with ALPN
 * "h2"; in virtual time the same messages cross the simulated network, where connections are
 * refused, cut, lost and reset as SCTP associations are. A message is on the record before anybody
 * acts on it. Callbacks come from the loop only, never from inside a call of this interface; they
 * may close anything, the connection they come from included. Everything from a peer is bounded by
 * the limits.
 */
#ifndef SPILLWAY_RUNNER_NET_HTTP_H
#define SPILLWAY_RUNNER_NET_HTTP_H

#include "runner/net/link.h"

struct http_header {
	struct octets name; /* lower case */
	struct octets value;
};

#define HTTP_TEXT(s) ((struct octets){ (const uint8_t *)(s), strlen(s) })
#define HTTP_HEADER(field, text)                  \
	{                                         \
		HTTP_TEXT(field), HTTP_TEXT(text) \
	}

enum { HTTP_HEADERS_MAX = 128 }; /* fields of a message, trailers included */

/*
 * A request or response. Header fields in the order of the wire, pseudo fields first (":method",
 * ":scheme", ":authority", ":path"; ":status").
 */
struct http_message {
	const struct http_header *headers;
	size_t header_count;
	struct octets body;
	const struct http_header *trailers;
	size_t trailer_count;
};

/* The first header field of this name (lower case); NULL: there is none. */
const struct octets *http_header(const struct http_message *message, const char *name);
/* The values of every field of this name, at most max; returns how many there are. */
size_t http_headers(const struct http_message *message, const char *name, struct octets *values,
		    size_t max);
/* In one piece of memory of its own, freed with free; NULL: there is none. */
struct http_message *http_message_copy(const struct http_message *message);
/* 100 to 599; 0 where it is none. */
unsigned int http_status(const struct http_message *message);

struct http_limits {	      /* 0 takes the default */
	size_t header_list;   /* octets of a list, 32 for each field included; 64 KiB */
	size_t body;	      /* octets; 4 MiB, virtual 512 KiB */
	uint32_t streams;     /* concurrent ones, on a connection, that a peer may open; 256 */
	uint32_t connections; /* accepted by one server; 256 */
	uint64_t request_us;  /* for a whole request to come in, and a handshake; 10 s */
	uint32_t waiting;     /* requests of a client that wait for a connection; 65536 */
};

struct http_options {
	struct sim_network *sim; /* on a virtual loop; NULL on a live one */
	struct http_limits limits;
};

struct http;

/* record may be NULL. NULL with the sentence in why where the side cannot be. */
struct http *http_new(struct loop *loop, const struct http_options *options, struct record *record,
		      struct text *why);
/* Closes what is still open, without callbacks. */
void http_free(struct http *http);

/* Files in PEM. On a virtual loop there is no TLS: what is given is ignored. */
struct http_tls {
	const char *ca;	  /* whom to trust; NULL: a client then takes any certificate */
	const char *cert; /* our own chain; a server needs one */
	const char *key;
	bool client_certificate; /* a server asks for one that ca has signed */
	const char *name;	 /* that the server's certificate has to have; NULL: not checked */
	bool only_1_2;		 /* TLS 1.2 alone; else 1.2 and 1.3 */
};

enum http_failure {
	HTTP_REFUSED,  /* nobody listens there */
	HTTP_LOST,     /* the connection broke or does not answer any more */
	HTTP_CLOSED,   /* the peer closed, or went away before it took the request (GOAWAY) */
	HTTP_RESET,    /* the peer reset the stream */
	HTTP_TIMEOUT,  /* no whole answer in time */
	HTTP_LIMIT,    /* the answer is larger than our limits allow */
	HTTP_TLS,      /* no handshake: certificate, version, protocol */
	HTTP_PROTOCOL, /* the peer does not speak HTTP/2 as it should */
	HTTP_OWN,      /* our own side: no memory, too much waiting */
};
const char *http_failure_name(enum http_failure failure); /* "refused" */

/* HTTP/2 error codes, RFC 9113 7, that a tester wants to send. */
enum http_error {
	HTTP_NO_ERROR = 0,
	HTTP_PROTOCOL_ERROR = 1,
	HTTP_INTERNAL_ERROR = 2,
	HTTP_FLOW_CONTROL_ERROR = 3,
	HTTP_REFUSED_STREAM = 7,
	HTTP_CANCEL = 8,
	HTTP_ENHANCE_YOUR_CALM = 11,
};

/* One exchange: a request and the answer to it. */
struct http_stream;

/* --- server ----------------------------------------------------------------------------------- */

struct http_server_handler {
	/* A whole request. The answer is http_respond or http_reset, now or later; data is valid
	 * during the callback. */
	void (*request)(struct http_stream *stream, void *arg, const struct http_message *request);
	/* The client took the request back or is gone: the stream is no more. May be NULL. */
	void (*gone)(struct http_stream *stream, void *arg, const char *why);
};

struct http_server;

/*
 * The name is for the record ("nrf"; copied). local's port 0 means any, http_server_local says
 * which. tls NULL: clear text. NULL with the sentence in why where it cannot be.
 */
struct http_server *http_listen(struct http *http, const char *name,
				const struct net_address *local, const struct http_tls *tls,
				const struct http_server_handler *handler, void *arg,
				struct text *why);
const struct net_address *http_server_local(const struct http_server *server);
/* Requests taken and not answered yet. */
size_t http_server_open(const struct http_server *server);
/* Connections that are up. */
size_t http_server_connections(const struct http_server *server);
/* Why the last connection ended that never came up or broke the rules; "": there was none. */
const char *http_server_trouble(const struct http_server *server);
/* Asks the clients to go: GOAWAY; what was taken is still answered, then connections close. */
void http_server_goaway(struct http_server *server);
/* Breaks every connection without a word; goes on listening. */
void http_server_drop(struct http_server *server);
/* Streams that are not answered are no more, without callback. */
void http_server_close(struct http_server *server);

/* Answers, and ends the stream's life here. 0, or -EMSGSIZE, -ENOBUFS, -ENOTCONN. */
int http_respond(struct http_stream *stream, const struct http_message *response);
/* RST_STREAM; ends the stream's life here. */
void http_reset(struct http_stream *stream, enum http_error code);
/*
 * Answers with a part of the response, then resets the stream (live: or, with code HTTP_NO_ERROR,
 * leaves it half open, until the client gives it up). In virtual time the part is not seen.
 */
int http_respond_partly(struct http_stream *stream, const struct http_message *response,
			enum http_error code);
/* Breaks the connection of the stream without a word, and with it all its streams. */
void http_stream_drop(struct http_stream *stream);

/* --- client ----------------------------------------------------------------------------------- */

struct http_client_options {
	uint32_t connections;  /* at most so many at a time; 0: 1 */
	uint32_t streams;      /* at most so many on each; 0: 100. The peer's limit holds too */
	uint64_t timeout_us;   /* of a request, from being asked for; 0: 10 s */
	uint64_t connect_us;   /* for a connection with its handshake; 0: 5 s */
	const char *authority; /* for :authority; NULL: the peer's address and port */
	bool once;	       /* each request has a connection of its own */
};

struct http_client_handler {
	/* The whole answer; data is valid during the callback. The stream is no more. */
	void (*response)(struct http_stream *stream, void *arg,
			 const struct http_message *response);
	/* There is none, and why: one sentence. The stream is no more. */
	void (*failed)(struct http_stream *stream, void *arg, enum http_failure failure,
		       const char *why);
};

struct http_client;

/*
 * The connections to one peer. None is opened before there is a request. local may be NULL: any.
 * The name is for the record. NULL with the sentence in why.
 */
struct http_client *http_client_new(struct http *http, const char *name,
				    const struct net_address *local, const struct net_address *peer,
				    const struct http_tls *tls,
				    const struct http_client_options *options, struct text *why);
/* Closes its connections in order; streams are no more, without callback. */
void http_client_close(struct http_client *client);
size_t http_client_connections(const struct http_client *client);
/* Breaks its connections without a word; open streams fail. */
void http_client_drop(struct http_client *client);

/*
 * Asks; the message is copied. :method and :path are the caller's, :scheme and :authority are made
 * where they are absent. The answer is one callback. NULL: what is asked for is no request, or too
 * large, or too many wait already; the sentence is in why (may be NULL).
 */
struct http_stream *http_request(struct http_client *client, const struct http_message *request,
				 const struct http_client_handler *handler, void *arg,
				 struct text *why);
/* Takes the request back (RST_STREAM, CANCEL); no callback comes. */
void http_cancel(struct http_stream *stream);

/* --- both ------------------------------------------------------------------------------------- */

/* What the user keeps with a stream; NULL at first. */
void http_stream_set_user(struct http_stream *stream, void *user);
void *http_stream_user(const struct http_stream *stream);
/* The other side, "192.0.2.1:7777"; "" while there is no connection. */
const char *http_stream_peer(const struct http_stream *stream);
/* Which connection of this side it came over, from 1; 0 while there is none. */
uint32_t http_stream_connection(const struct http_stream *stream);
/* Loop time in us when the request was asked for, or was there as a whole. */
uint64_t http_stream_since(const struct http_stream *stream);

#endif
