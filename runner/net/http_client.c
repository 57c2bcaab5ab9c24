#include "runner/net/http_private.h"

#include <errno.h>
#include <stdlib.h>

/* Connections of a client that are coming up at a time. */
enum { STARTING_MAX = 64 };

static uint32_t streams_allowed(const struct http_connection *connection)
{
	uint32_t own = connection->client->options.streams;

	if (connection->client->options.once)
		return connection->taken ? 0 : 1;
	return own < connection->peer_streams ? own : connection->peer_streams;
}

/* The least busy of those that can take one; *starting is set where one may come to be. */
static struct http_connection *choose(struct http_client *client, size_t *starting, size_t *alive)
{
	struct http_connection *best = NULL;

	*starting = *alive = 0;
	for (struct http_connection *c = client->connections; c; c = c->next) {
		if (c->draining)
			continue;
		++*alive;
		if (c->state == CONNECTION_STARTING)
			++*starting;
		else if (HASH_COUNT(c->streams) < streams_allowed(c) &&
			 (!best || HASH_COUNT(c->streams) < HASH_COUNT(best->streams)))
			best = c;
	}
	return best;
}

static void send_request(struct http_connection *connection, struct http_stream *stream)
{
	struct http *http = connection->http;
	int err;

	http_queue_remove(&stream->client->waiting, stream);
	stream->connection = connection;
	err = http->backend->send(connection, stream, &stream->request->message, HTTP_WHOLE, 0);
	if (!err) {
		HASH_ADD(hh, connection->streams, id, sizeof(stream->id), stream);
		err = stream->hh.tbl ? 0 : -ENOMEM;
	}
	if (err) {
		http_queue_add(&stream->client->waiting, stream);
		stream->connection = NULL;
		http_fail(stream, HTTP_OWN, strerror(-err));
		return;
	}
	stream->stage = STREAM_OPEN;
	connection->taken++;
	http_record_message(connection, true, stream->id, &stream->request->message, false);
	free(stream->request);
	stream->request = NULL;
}

void http_fail_waiting(struct http_client *client, enum http_failure failure, const char *why)
{
	while (client->waiting.first)
		http_fail(client->waiting.first, failure, why);
}

void http_dispatch(struct http_client *client)
{
	while (client->waiting.first && !client->closed) {
		size_t starting, alive;
		struct http_connection *connection = choose(client, &starting, &alive);
		size_t per = client->options.once ? 1 : client->options.streams;
		char why[HTTP_WHY];
		struct text text;

		if (connection) {
			send_request(connection, client->waiting.first);
			continue;
		}
		if ((alive >= client->options.connections && !client->options.once) ||
		    starting * per >= client->waiting.count || starting >= STARTING_MAX)
			return;
		text_init(&text, why, sizeof(why));
		connection = client->http->backend->connect(client, &text);
		if (!connection) {
			if (!alive)
				http_fail_waiting(client, HTTP_OWN, why);
			return;
		}
		if (connection->state == CONNECTION_STARTING)
			timer_start(&connection->starting, client->options.connect_us);
	}
}

static void request_timed_out(struct timer *timer, void *arg)
{
	struct http_stream *stream = arg;
	struct http *http = stream->http;
	struct http_connection *connection = stream->connection;
	char why[HTTP_WHY];
	struct text text;

	(void)timer;
	http_enter(http);
	text_init(&text, why, sizeof(why));
	text_printf(&text, "no whole answer within %.3f s",
		    (double)stream->client->options.timeout_us / (double)HTTP_SECOND);
	if (stream->stage == STREAM_OPEN) {
		http->backend->reset(connection, stream, HTTP_CANCEL);
		http_record_reset(connection, true, stream->id, HTTP_CANCEL);
	} else {
		text_puts(&text, "; there was no connection");
	}
	http_fail(stream, HTTP_TIMEOUT, why);
	http_leave(http);
}

struct http_client *http_client_new(struct http *http, const char *name,
				    const struct net_address *local, const struct net_address *peer,
				    const struct http_tls *tls,
				    const struct http_client_options *options, struct text *why)
{
	struct http_client *client = calloc(1, sizeof(*client));
	struct text text;

	if (!client) {
		text_puts(why, "out of memory");
		return NULL;
	}
	if (tls && !http->net) {
		client->tls = http_tls_new(tls, false, why);
		if (!client->tls) {
			free(client);
			return NULL;
		}
		text_init(&text, client->tls_name, sizeof(client->tls_name));
		text_puts(&text, tls->name ? tls->name : "");
	}
	client->http = http;
	text_init(&text, client->name, sizeof(client->name));
	text_puts(&text, name ? name : "");
	client->peer = *peer;
	client->local = *peer;
	if (local) {
		client->local = *local;
	} else if (peer->sa.sa_family == AF_INET6) {
		client->local.v6.sin6_addr = in6addr_any;
		client->local.v6.sin6_port = 0;
	} else {
		client->local.v4.sin_addr.s_addr = htonl(INADDR_ANY);
		client->local.v4.sin_port = 0;
	}
	client->options = options ? *options : (struct http_client_options){ 0 };
	if (!client->options.connections)
		client->options.connections = 1;
	if (!client->options.streams)
		client->options.streams = 100;
	if (!client->options.timeout_us)
		client->options.timeout_us = 10 * HTTP_SECOND;
	if (!client->options.connect_us)
		client->options.connect_us = 5 * HTTP_SECOND;
	text_init(&text, client->authority, sizeof(client->authority));
	if (client->options.authority)
		text_puts(&text, client->options.authority);
	else
		net_address_print(peer, &text);
	client->options.authority = client->authority;
	client->next = http->clients;
	client->where = &http->clients;
	if (client->next)
		client->next->where = &client->next;
	http->clients = client;
	return client;
}

void http_client_close(struct http_client *client)
{
	struct http *http;

	if (!client || client->closed)
		return;
	http = client->http;
	http_enter(http);
	client->closed = true;
	while (client->waiting.first)
		http_stream_dies(client->waiting.first);
	for (struct http_stream *s = http->failed.first, *next; s; s = next) {
		next = s->next;
		if (s->client == client)
			http_stream_dies(s);
	}
	while (client->connections)
		http_connection_close(client->connections, false, "closed");
	*client->where = client->next;
	if (client->next)
		client->next->where = client->where;
	client->next = http->dead_clients;
	http->dead_clients = client;
	http_leave(http);
}

size_t http_client_connections(const struct http_client *client)
{
	return http_count_up(client->connections);
}

void http_client_drop(struct http_client *client)
{
	http_enter(client->http);
	while (client->connections) {
		struct http_connection *connection = client->connections;
		struct http_stream *stream, *next;

		HASH_ITER (hh, connection->streams, stream, next)
			http_fail(stream, HTTP_LOST, "we broke the connection");
		http_connection_close(connection, true, "dropped");
	}
	http_dispatch(client);
	http_leave(client->http);
}

/* What keeps a request from being one; NULL: nothing. */
static const char *request_fault(const struct http *http, const struct http_message *m)
{
	if (!http_header(m, ":method") || !http_header(m, ":path"))
		return "a request has a :method and a :path";
	if (m->header_count + m->trailer_count + 2 > HTTP_HEADERS_MAX)
		return "there are too many header fields";
	if (http_list_size(m->headers, m->header_count) > 1 << 20)
		return "the header list is larger than 1 MiB";
	if (m->body.len > http->limits.body)
		return "the body is larger than the limit of this side";
	return NULL;
}

struct http_stream *http_request(struct http_client *client, const struct http_message *request,
				 const struct http_client_handler *handler, void *arg,
				 struct text *why)
{
	struct http_header made[2];
	size_t count = 0;
	struct http_stream *stream;
	const char *fault = request_fault(client->http, request);

	if (!fault && client->waiting.count >= client->http->limits.waiting)
		fault = "too many requests wait for a connection";
	stream = fault ? NULL : calloc(1, sizeof(*stream));
	if (!stream) {
		if (why)
			text_puts(why, fault ? fault : "out of memory");
		return NULL;
	}
	if (!http_header(request, ":scheme"))
		made[count++] =
			(struct http_header)HTTP_HEADER(":scheme", client->tls ? "https" : "http");
	if (!http_header(request, ":authority"))
		made[count++] = (struct http_header)HTTP_HEADER(":authority", client->authority);
	stream->request = http_store(request, made, count);
	if (!stream->request) {
		free(stream);
		if (why)
			text_puts(why, "out of memory");
		return NULL;
	}
	stream->http = client->http;
	stream->client = client;
	stream->handler = handler;
	stream->arg = arg;
	stream->stage = STREAM_WAITING;
	stream->since = loop_now(client->http->loop);
	http_queue_add(&client->waiting, stream);
	timer_init(&stream->timeout, client->http->loop, "HTTP request", request_timed_out, stream);
	timer_start(&stream->timeout, client->options.timeout_us);
	http_enter(client->http);
	http_dispatch(client);
	http_leave(client->http);
	return stream;
}

void http_cancel(struct http_stream *stream)
{
	struct http *http = stream->http;
	struct http_connection *connection = stream->connection;
	struct http_client *client = stream->client;

	http_enter(http);
	if (stream->stage == STREAM_OPEN) {
		http->backend->reset(connection, stream, HTTP_CANCEL);
		http_record_reset(connection, true, stream->id, HTTP_CANCEL);
		http_stream_dies(stream);
		http_settle(connection);
		http_dispatch(client);
	} else {
		http_stream_dies(stream);
	}
	http_leave(http);
}
