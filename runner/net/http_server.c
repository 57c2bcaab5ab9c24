#include "runner/net/http_private.h"

#include <errno.h>
#include <stdlib.h>

struct http_server *http_listen(struct http *http, const char *name,
				const struct net_address *local, const struct http_tls *tls,
				const struct http_server_handler *handler, void *arg,
				struct text *why)
{
	struct http_server *server = calloc(1, sizeof(*server));
	struct text text;

	if (!server) {
		text_puts(why, "out of memory");
		return NULL;
	}
	server->http = http;
	text_init(&text, server->name, sizeof(server->name));
	text_puts(&text, name ? name : "");
	server->local = *local;
	server->handler = handler;
	server->arg = arg;
	if (tls && !http->net)
		server->tls = http_tls_new(tls, true, why);
	if ((tls && !http->net && !server->tls) || http->backend->listen(server, why) != 0) {
		SSL_CTX_free(server->tls);
		free(server);
		return NULL;
	}
	server->next = http->servers;
	server->where = &http->servers;
	if (server->next)
		server->next->where = &server->next;
	http->servers = server;
	return server;
}

const struct net_address *http_server_local(const struct http_server *server)
{
	return &server->local;
}

size_t http_server_open(const struct http_server *server)
{
	size_t count = 0;

	for (const struct http_connection *c = server->connections; c; c = c->next)
		count += HASH_COUNT(c->streams);
	return count;
}

const char *http_server_trouble(const struct http_server *server)
{
	return server->trouble;
}

size_t http_server_connections(const struct http_server *server)
{
	return http_count_up(server->connections);
}

void http_server_goaway(struct http_server *server)
{
	http_enter(server->http);
	for (struct http_connection *c = server->connections, *next; c; c = next) {
		next = c->next;
		if (c->draining || c->state != CONNECTION_UP)
			continue;
		c->draining = true;
		server->http->backend->goaway(c);
		http_settle(c);
	}
	http_leave(server->http);
}

void http_server_drop(struct http_server *server)
{
	struct http *http = server->http;

	http_enter(http);
	while (!server->closed && server->connections) {
		struct http_connection *connection = server->connections;

		http_break(connection, "dropped");
		/* the server may have been closed meanwhile, and the connection with it */
		if (!server->closed)
			http_connection_dies(connection);
	}
	http_leave(http);
}

void http_server_close(struct http_server *server)
{
	struct http *http;

	if (!server || server->closed)
		return;
	http = server->http;
	http_enter(http);
	server->closed = true;
	http->backend->unlisten(server);
	while (server->connections)
		http_connection_close(server->connections, false, "closed");
	*server->where = server->next;
	if (server->next)
		server->next->where = server->where;
	server->next = http->dead_servers;
	http->dead_servers = server;
	http_leave(http);
}

static int respond(struct http_stream *stream, const struct http_message *response,
		   enum http_part part, uint32_t code)
{
	struct http_connection *connection = stream->connection;
	struct http *http = stream->http;
	int err = 0;

	if (stream->stage != STREAM_OPEN)
		return -ENOTCONN;
	if (response->body.len > http->limits.body ||
	    response->header_count + response->trailer_count > HTTP_HEADERS_MAX)
		return -EMSGSIZE;
	http_enter(http);
	/* before it leaves: the record has what comes back after it */
	http_record_message(connection, true, stream->id, response, part != HTTP_WHOLE);
	if (part == HTTP_PART_THEN_RESET)
		http_record_reset(connection, true, stream->id, code);
	err = http->backend->send(connection, stream, response, part, code);
	if (err) {
		record_log(http->record, RECORD_WARN, "%s: the last response was not sent: %s",
			   stream->server->name, strerror(-err));
		http->backend->reset(connection, stream, HTTP_INTERNAL_ERROR);
	}
	http_stream_dies(stream);
	http_settle(connection);
	http_leave(http);
	return err;
}

int http_respond(struct http_stream *stream, const struct http_message *response)
{
	return respond(stream, response, HTTP_WHOLE, 0);
}

int http_respond_partly(struct http_stream *stream, const struct http_message *response,
			enum http_error code)
{
	return respond(stream, response,
		       code == HTTP_NO_ERROR ? HTTP_PART_THEN_NOTHING : HTTP_PART_THEN_RESET,
		       (uint32_t)code);
}

void http_reset(struct http_stream *stream, enum http_error code)
{
	struct http_connection *connection = stream->connection;
	struct http *http = stream->http;

	if (stream->stage != STREAM_OPEN)
		return;
	http_enter(http);
	http_record_reset(connection, true, stream->id, (uint32_t)code);
	http->backend->reset(connection, stream, (uint32_t)code);
	http_stream_dies(stream);
	http_settle(connection);
	http_leave(http);
}

void http_stream_drop(struct http_stream *stream)
{
	struct http_connection *connection = stream->connection;
	struct http_client *client = stream->client;
	struct http_server *server = stream->server;
	struct http *http = stream->http;

	if (stream->stage != STREAM_OPEN)
		return;
	http_enter(http);
	http_stream_dies(stream);
	http_break(connection, "dropped");
	if (client ? !client->closed : !server->closed)
		http_connection_dies(connection);
	if (client)
		http_dispatch(client);
	http_leave(http);
}
