/* What clients and servers share: streams and connections, their lives, and what a back end
 * reports. */
#include "runner/net/http_private.h"

#include <errno.h>
#include <stdlib.h>

/* --- queues, life and death ------------------------------------------------------------------- */

void http_queue_add(struct http_queue *queue, struct http_stream *stream)
{
	stream->next = NULL;
	stream->previous = queue->last;
	if (queue->last)
		queue->last->next = stream;
	else
		queue->first = stream;
	queue->last = stream;
	queue->count++;
}

void http_queue_remove(struct http_queue *queue, struct http_stream *stream)
{
	if (stream->previous)
		stream->previous->next = stream->next;
	else
		queue->first = stream->next;
	if (stream->next)
		stream->next->previous = stream->previous;
	else
		queue->last = stream->previous;
	queue->count--;
}

static void free_dead(struct http *http)
{
	while (http->dead_streams) {
		struct http_stream *stream = http->dead_streams;

		http->dead_streams = stream->next;
		free(stream->request);
		free(stream);
	}
	while (http->dead_connections) {
		struct http_connection *connection = http->dead_connections;

		http->dead_connections = connection->next;
		http->backend->free_connection(connection);
	}
	while (http->dead_clients) {
		struct http_client *client = http->dead_clients;

		http->dead_clients = client->next;
		SSL_CTX_free(client->tls);
		free(client);
	}
	while (http->dead_servers) {
		struct http_server *server = http->dead_servers;

		http->dead_servers = server->next;
		SSL_CTX_free(server->tls);
		free(server);
	}
}

void http_enter(struct http *http)
{
	http->depth++;
}

void http_leave(struct http *http)
{
	if (--http->depth)
		return;
	free_dead(http);
	if (!http->freed)
		return;
	http->backend->free(http);
	free(http);
}

void http_stream_dies(struct http_stream *stream)
{
	struct http *http = stream->http;

	switch (stream->stage) {
	case STREAM_WAITING:
		http_queue_remove(&stream->client->waiting, stream);
		break;
	case STREAM_OPEN:
		HASH_DEL(stream->connection->streams, stream);
		break;
	case STREAM_FAILED:
		http_queue_remove(&http->failed, stream);
		break;
	case STREAM_DEAD:
		return;
	}
	stream->stage = STREAM_DEAD;
	timer_stop(&stream->timeout);
	stream->next = http->dead_streams;
	http->dead_streams = stream;
}

void http_fail(struct http_stream *stream, enum http_failure failure, const char *why)
{
	struct text text;

	if (stream->stage == STREAM_FAILED || stream->stage == STREAM_DEAD)
		return;
	if (stream->stage == STREAM_WAITING)
		http_queue_remove(&stream->client->waiting, stream);
	else
		HASH_DEL(stream->connection->streams, stream);
	timer_stop(&stream->timeout);
	stream->stage = STREAM_FAILED;
	stream->failure = failure;
	text_init(&text, stream->why, sizeof(stream->why));
	text_puts(&text, why);
	http_queue_add(&stream->http->failed, stream);
	if (!timer_running(&stream->http->report))
		timer_start(&stream->http->report, 0);
}

static void report_failures(struct timer *timer, void *arg)
{
	struct http *http = arg;

	(void)timer;
	http_enter(http);
	while (http->failed.first) {
		struct http_stream *stream = http->failed.first;
		const struct http_client_handler *handler = stream->handler;

		http_stream_dies(stream);
		if (handler && handler->failed)
			handler->failed(stream, stream->arg, stream->failure, stream->why);
	}
	http_leave(http);
}

void http_connection_enter(struct http_connection *connection, struct http *http,
			   struct http_client *client, struct http_server *server,
			   const struct net_address *local, const struct net_address *peer)
{
	struct http_connection **list = client ? &client->connections : &server->connections;
	struct text text;

	connection->http = http;
	connection->client = client;
	connection->server = server;
	connection->number = ++http->numbers;
	text_init(&text, connection->local_text, sizeof(connection->local_text));
	net_address_print(local, &text);
	text_init(&text, connection->peer_text, sizeof(connection->peer_text));
	net_address_print(peer, &text);
	connection->next = *list;
	connection->where = list;
	if (connection->next)
		connection->next->where = &connection->next;
	*list = connection;
	if (server)
		server->connection_count++;
}

void http_connection_dies(struct http_connection *connection)
{
	struct http *http = connection->http;

	timer_stop(&connection->starting);
	*connection->where = connection->next;
	if (connection->next)
		connection->next->where = connection->where;
	if (connection->server)
		connection->server->connection_count--;
	connection->state = CONNECTION_DOWN;
	connection->next = http->dead_connections;
	http->dead_connections = connection;
}

void http_connection_close(struct http_connection *connection, bool abort, const char *why)
{
	struct http_stream *stream, *next;

	if (connection->state == CONNECTION_UP)
		http_record_down(connection, true, why);
	connection->http->backend->end(connection, abort);
	HASH_ITER (hh, connection->streams, stream, next)
		http_stream_dies(stream);
	http_connection_dies(connection);
}

size_t http_count_up(const struct http_connection *connections)
{
	size_t count = 0;

	for (const struct http_connection *c = connections; c; c = c->next)
		count += c->state == CONNECTION_UP;
	return count;
}

void http_settle(struct http_connection *connection)
{
	bool done = connection->draining ||
		    (connection->client && connection->client->options.once && connection->taken);

	if (connection->server && connection->http->backend->drains_itself)
		return;
	if (done && connection->state == CONNECTION_UP && !connection->streams)
		http_connection_close(connection, false, "closed");
}

void http_gone(struct http_stream *stream, const char *why)
{
	const struct http_server *server = stream->server;

	http_stream_dies(stream);
	if (server->handler->gone)
		server->handler->gone(stream, server->arg, why);
}

void http_break(struct http_connection *connection, const char *why)
{
	struct http_stream *streams = NULL;

	connection->http->backend->end(connection, true);
	if (connection->state == CONNECTION_UP)
		http_record_down(connection, true, why);
	connection->state = CONNECTION_DOWN;
	while ((streams = connection->streams)) {
		if (streams->client)
			http_fail(streams, HTTP_LOST, why);
		else
			http_gone(streams, why);
	}
}

/* --- what a back end reports ------------------------------------------------------------------ */

struct http_stream *http_find(struct http_connection *connection, uint32_t id)
{
	struct http_stream *stream = NULL;

	HASH_FIND(hh, connection->streams, &id, sizeof(id), stream);
	return stream;
}

void http_is_up(struct http_connection *connection)
{
	timer_stop(&connection->starting);
	connection->state = CONNECTION_UP;
	http_record_up(connection);
	if (connection->client)
		http_dispatch(connection->client);
}

void http_is_down(struct http_connection *connection, enum http_failure failure, const char *why)
{
	struct http_client *client = connection->client;
	struct http_server *server = connection->server;
	bool was_up = connection->state == CONNECTION_UP;
	struct http_stream *stream, *next;

	if (connection->state == CONNECTION_DOWN)
		return;
	http_record_down(connection, false, why);
	connection->state = CONNECTION_DOWN;
	if (client) {
		HASH_ITER (hh, connection->streams, stream, next)
			http_fail(stream, failure, why);
		http_connection_dies(connection);
		/* what waits has another chance only where there is another connection */
		if (!was_up && !client->connections)
			http_fail_waiting(client, failure, why);
		http_dispatch(client);
		return;
	}
	if (!was_up || failure == HTTP_TLS || failure == HTTP_PROTOCOL)
		snprintf(server->trouble, sizeof(server->trouble), "%s", why);
	while (!server->closed && connection->streams)
		http_gone(connection->streams, why);
	if (!server->closed)
		http_connection_dies(connection);
}

void http_is_going_away(struct http_connection *connection, uint32_t last, uint32_t code)
{
	struct http_stream *stream, *next;
	char why[HTTP_WHY], buffer[32];
	struct text text;

	http_record_goaway(connection, false, last, code);
	connection->draining = true;
	if (!connection->client)
		return;
	text_init(&text, why, sizeof(why));
	text_printf(&text, "the server went away before it took the request (GOAWAY %s)",
		    http_error_name(code, buffer, sizeof(buffer)));
	HASH_ITER (hh, connection->streams, stream, next) {
		if (stream->id > last)
			http_fail(stream, HTTP_CLOSED, why);
	}
	http_dispatch(connection->client);
	http_settle(connection);
}

void http_is_request(struct http_connection *connection, uint32_t id,
		     const struct http_message *request, void *inner)
{
	struct http_server *server = connection->server;
	struct http_stream *stream = calloc(1, sizeof(*stream));

	http_record_message(connection, false, id, request, false);
	if (!stream)
		return;
	stream->http = connection->http;
	stream->connection = connection;
	stream->server = server;
	stream->id = id;
	stream->inner = inner;
	stream->since = loop_now(connection->http->loop);
	timer_init(&stream->timeout, connection->http->loop, "HTTP response", NULL, NULL);
	HASH_ADD(hh, connection->streams, id, sizeof(stream->id), stream);
	if (!stream->hh.tbl) {
		free(stream);
		return;
	}
	stream->stage = STREAM_OPEN;
	server->handler->request(stream, server->arg, request);
}

void http_is_response(struct http_stream *stream, const struct http_message *response)
{
	struct http_connection *connection = stream->connection;
	struct http_client *client = stream->client;
	const struct http_client_handler *handler = stream->handler;

	http_record_message(connection, false, stream->id, response, false);
	http_stream_dies(stream);
	if (handler && handler->response)
		handler->response(stream, stream->arg, response);
	if (client->closed)
		return;
	if (connection->state == CONNECTION_UP)
		http_settle(connection);
	http_dispatch(client);
}

void http_is_reset(struct http_stream *stream, enum http_failure failure, uint32_t code,
		   const char *why)
{
	struct http_connection *connection = stream->connection;

	if (failure == HTTP_RESET)
		http_record_reset(connection, false, stream->id, code);
	if (stream->client) {
		http_fail(stream, failure, why);
		http_settle(connection);
		http_dispatch(stream->client);
		return;
	}
	http_gone(stream, why);
	if (!connection->server->closed)
		http_settle(connection);
}

/* --- the side as a whole ---------------------------------------------------------------------- */

static void starting_timed_out(struct timer *timer, void *arg)
{
	struct http_connection *connection = arg;
	struct http *http = connection->http;

	(void)timer;
	http_enter(http);
	http->backend->end(connection, true);
	http_is_down(connection, connection->server ? HTTP_LOST : HTTP_TIMEOUT,
		     "the connection did not come up in time");
	http_leave(http);
}

void http_connection_start(struct http_connection *connection, uint64_t after)
{
	timer_init(&connection->starting, connection->http->loop, "HTTP connection",
		   starting_timed_out, connection);
	if (after)
		timer_start(&connection->starting, after);
}

static void set_default(size_t *value, size_t otherwise)
{
	if (!*value)
		*value = otherwise;
}

struct http *http_new(struct loop *loop, const struct http_options *options, struct record *record,
		      struct text *why)
{
	struct http *http;

	if ((loop_kind(loop) == LOOP_VIRTUAL) != (options->sim != NULL)) {
		text_puts(why, options->sim ? "a simulated network needs a virtual loop"
					    : "HTTP on a virtual loop needs a simulated network");
		return NULL;
	}
	http = calloc(1, sizeof(*http));
	if (!http) {
		text_puts(why, "out of memory");
		return NULL;
	}
	http->loop = loop;
	http->record = record;
	http->limits = options->limits;
	set_default(&http->limits.header_list, (size_t)64 << 10);
	set_default(&http->limits.body, options->sim ? (size_t)512 << 10 : (size_t)4 << 20);
	if (options->sim && http->limits.body > (size_t)512 << 10)
		http->limits.body = (size_t)512 << 10;
	if (!http->limits.streams)
		http->limits.streams = 256;
	if (!http->limits.connections)
		http->limits.connections = 256;
	if (!http->limits.request_us)
		http->limits.request_us = 10 * HTTP_SECOND;
	if (!http->limits.waiting)
		http->limits.waiting = 65536;
	timer_init(&http->report, loop, "HTTP failures", report_failures, http);
	http->backend = &http_live_backend;
	if (options->sim) {
		http->backend = &http_sim_backend;
		/* without a record: this side records whole messages itself */
		http->net = net_new(
			loop, &(struct net_options){ .transport = NET_SIM, .sim = options->sim },
			NULL, why);
		if (!http->net) {
			free(http);
			return NULL;
		}
	}
	return http;
}

void http_free(struct http *http)
{
	if (!http || http->freed)
		return;
	http_enter(http);
	http->freed = true;
	while (http->clients)
		http_client_close(http->clients);
	while (http->servers)
		http_server_close(http->servers);
	timer_stop(&http->report);
	http_leave(http);
}

void http_stream_set_user(struct http_stream *stream, void *user)
{
	stream->user = user;
}

void *http_stream_user(const struct http_stream *stream)
{
	return stream->user;
}

const char *http_stream_peer(const struct http_stream *stream)
{
	return stream->connection ? stream->connection->peer_text : "";
}

uint32_t http_stream_connection(const struct http_stream *stream)
{
	return stream->connection ? stream->connection->number : 0;
}

uint64_t http_stream_since(const struct http_stream *stream)
{
	return stream->since;
}
