/*
 * What is common to both kinds of HTTP/2: streams, clients with their connections, servers, and the
 * record. A back end embeds struct http_connection at the start of its own.
 *
 * A callback may close anything. So what is closed within one is only marked, and its memory is
 * given back when the outermost callback has returned (http_enter, http_leave).
 */
#ifndef SPILLWAY_RUNNER_NET_HTTP_PRIVATE_H
#define SPILLWAY_RUNNER_NET_HTTP_PRIVATE_H

#include <openssl/ssl.h>

#include "runner/net/http.h"
#include "runner/net/transport.h"

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

enum { HTTP_WHY = 256 };

/* A message in memory of its own, in one piece. */
struct http_stored {
	struct http_message message;
	struct http_header fields[];
};

enum http_stage {
	STREAM_WAITING, /* in the client's queue, without a connection */
	STREAM_OPEN,	/* in its connection's table */
	STREAM_FAILED,	/* to be reported; in the side's queue */
	STREAM_DEAD,
};

struct http_stream {
	struct http *http;
	struct http_connection *connection;
	uint32_t id;
	enum http_stage stage;
	struct http_stream *next, *previous; /* in a queue, or among the dead */
	UT_hash_handle hh;		     /* in its connection */
	uint64_t since;
	void *user;
	void *arg;
	/* of a client */
	struct http_client *client;
	const struct http_client_handler *handler;
	struct http_stored *request; /* until it is sent */
	struct timer timeout;
	enum http_failure failure;
	char why[HTTP_WHY];
	/* of a server */
	struct http_server *server;
	/* of the back end */
	void *inner;
};

struct http_queue {
	struct http_stream *first, *last;
	size_t count;
};

enum http_state {
	CONNECTION_STARTING,
	CONNECTION_UP,
	CONNECTION_DOWN,
};

struct http_connection {
	struct http *http;
	struct http_connection *next, **where; /* of its client or server, or among the dead */
	struct http_client *client;
	struct http_server *server;
	enum http_state state;
	bool draining; /* takes no new streams */
	uint32_t number;
	struct http_stream *streams;
	uint32_t peer_streams; /* that the peer allows */
	uint32_t taken;	       /* streams ever */
	struct timer starting;
	char local_text[ADDRESS_TEXT];
	char peer_text[ADDRESS_TEXT];
};

struct http_client {
	struct http *http;
	struct http_client *next, **where;
	char name[LINK_NAME];
	struct net_address local, peer;
	char authority[300];
	struct http_client_options options;
	SSL_CTX *tls;
	char tls_name[256];
	struct http_queue waiting;
	struct http_connection *connections;
	bool closed;
};

struct http_server {
	struct http *http;
	struct http_server *next, **where;
	char name[LINK_NAME];
	struct net_address local;
	SSL_CTX *tls;
	const struct http_server_handler *handler;
	void *arg;
	struct http_connection *connections;
	size_t connection_count;
	bool closed;
	char trouble[HTTP_WHY];
	/* of the back end */
	void *inner;
};

/* How much of a message is sent, and what comes then. */
enum http_part {
	HTTP_WHOLE,
	HTTP_PART_THEN_RESET,
	HTTP_PART_THEN_NOTHING,
};

struct http_backend {
	/* A server's connection that is draining ends by itself, when everything was sent. */
	bool drains_itself;
	void (*free)(struct http *http);
	/* The connection is starting; NULL with the sentence in why. */
	struct http_connection *(*connect)(struct http_client *client, struct text *why);
	/* Fills in the server's local address; 0 or -1 with the sentence in why. */
	int (*listen)(struct http_server *server, struct text *why);
	void (*unlisten)(struct http_server *server);
	/* A client's stream gets its id here. 0 or a negative errno. */
	int (*send)(struct http_connection *connection, struct http_stream *stream,
		    const struct http_message *message, enum http_part part, uint32_t code);
	/* The stream is forgotten after it. */
	void (*reset)(struct http_connection *connection, struct http_stream *stream,
		      uint32_t code);
	void (*goaway)(struct http_connection *connection);
	/* Ends it, in order or without a word; its memory stays. */
	void (*end)(struct http_connection *connection, bool abort);
	void (*free_connection)(struct http_connection *connection);
};

struct http {
	const struct http_backend *backend;
	struct loop *loop;
	struct record *record;
	struct http_limits limits;
	struct http_client *clients;
	struct http_server *servers;
	struct http_queue failed;
	struct timer report;
	uint32_t numbers; /* of connections */
	unsigned int depth;
	bool freed;
	/* closed within a callback */
	struct http_stream *dead_streams;
	struct http_connection *dead_connections;
	struct http_client *dead_clients;
	struct http_server *dead_servers;
	/* of the back end */
	struct net *net;
};

extern const struct http_backend http_sim_backend;
extern const struct http_backend http_live_backend;

/* Around everything that a back end does from the loop. */
void http_enter(struct http *http);
void http_leave(struct http *http);

/* --- what clients and servers share; within http_enter ---------------------------------------- */

#define HTTP_SECOND (UINT64_C(1000) * US_PER_MS)

void http_queue_add(struct http_queue *queue, struct http_stream *stream);
void http_queue_remove(struct http_queue *queue, struct http_stream *stream);
/* Takes a stream out of wherever it is; its memory stays until nobody can look at it. */
void http_stream_dies(struct http_stream *stream);
/* A client's stream: its user will hear of it, from the loop. */
void http_fail(struct http_stream *stream, enum http_failure failure, const char *why);
/* A server's stream: its user hears of it now. */
void http_gone(struct http_stream *stream, const char *why);
/* After its back end has let go. */
void http_connection_dies(struct http_connection *connection);
/* Its streams are no more, without a word to their users. */
void http_connection_close(struct http_connection *connection, bool abort, const char *why);
/* Ends it at the back end; the users of its streams hear of it, and may close its server. */
void http_break(struct http_connection *connection, const char *why);
/* Closes a connection that is no longer needed for anything. */
void http_settle(struct http_connection *connection);
size_t http_count_up(const struct http_connection *connections);
/* Sends what waits, over connections that are there or that it starts. */
void http_dispatch(struct http_client *client);
void http_fail_waiting(struct http_client *client, enum http_failure failure, const char *why);

/* Enters a new connection of a back end, which calloc made. */
void http_connection_enter(struct http_connection *connection, struct http *http,
			   struct http_client *client, struct http_server *server,
			   const struct net_address *local, const struct net_address *peer);

/* For a connection that is not up yet: breaks it after so many us; 0: not by itself. */
void http_connection_start(struct http_connection *connection, uint64_t after);

/* --- what a back end reports; within http_enter ----------------------------------------------- */

void http_is_up(struct http_connection *connection);
/* The back end has ended it by itself, or cannot go on with it. */
void http_is_down(struct http_connection *connection, enum http_failure failure, const char *why);
/* The peer takes no new streams, and took none above last. */
void http_is_going_away(struct http_connection *connection, uint32_t last, uint32_t code);
/* A whole request; NULL: no memory. The stream may be gone when it returns. */
void http_is_request(struct http_connection *connection, uint32_t id,
		     const struct http_message *request, void *inner);
void http_is_response(struct http_stream *stream, const struct http_message *response);
/* The peer reset a stream, or it broke: a client's fails, a server's is gone. */
void http_is_reset(struct http_stream *stream, enum http_failure failure, uint32_t code,
		   const char *why);
/* NULL: there is none (any more). */
struct http_stream *http_find(struct http_connection *connection, uint32_t id);

/* --- messages --------------------------------------------------------------------------------- */

/*
 * Copies a message, with fields that stand before its own. NULL: no memory. Freed with free.
 */
struct http_stored *http_store(const struct http_message *message, const struct http_header *before,
			       size_t before_count);
/* Octets of its header list, RFC 9113 10.5.1. */
size_t http_list_size(const struct http_header *headers, size_t count);

/* --- record ----------------------------------------------------------------------------------- */

void http_record_message(struct http_connection *connection, bool sent, uint32_t stream,
			 const struct http_message *message, bool partly);
void http_record_up(struct http_connection *connection);
void http_record_down(struct http_connection *connection, bool ours, const char *why);
void http_record_reset(struct http_connection *connection, bool sent, uint32_t stream,
		       uint32_t code);
void http_record_goaway(struct http_connection *connection, bool sent, uint32_t last,
			uint32_t code);
/* "CANCEL", "code 77"; in a caller's buffer of at least 32 octets where it has no name. */
const char *http_error_name(uint32_t code, char *buffer, size_t size);

/* NULL with the sentence in why. */
SSL_CTX *http_tls_new(const struct http_tls *tls, bool server, struct text *why);

#endif
