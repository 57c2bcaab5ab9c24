/*
 * HTTP/2 on the simulated network: each connection is a link, on which whole messages, resets and
 * GOAWAYs travel in order. There are no frames, no HPACK and no flow control: what a run in virtual
 * time is about is who answers what, and when.
 */
#include <errno.h>
#include <stdlib.h>

#include "runner/net/http_private.h"

/* The ports of listeners that ask for any. */
enum { ANY_FIRST = 20000, ANY_LAST = 20256 };

enum sim_kind {
	SIM_LIMITS, /* how many streams the sender allows */
	SIM_MESSAGE,
	SIM_RESET,
	SIM_GOAWAY,
};

/* What crosses the network, before the lengths and octets of a message. */
struct sim_head {
	uint32_t kind;
	uint32_t stream;
	uint32_t code; /* of a reset or GOAWAY; streams that are allowed */
	uint32_t last; /* of a GOAWAY */
	uint32_t headers, trailers;
	uint32_t body;
};

struct sim_connection {
	struct http_connection base; /* first */
	struct link *link;
	uint32_t next_id;
	uint32_t last_id; /* the highest that the peer used */
};

static struct sim_connection *of(struct http_connection *connection)
{
	return (struct sim_connection *)connection;
}

static int send_head(struct sim_connection *c, const struct sim_head *head)
{
	return link_send(c->link, 0, 0, OCTETS((const uint8_t *)head, sizeof(*head)));
}

static size_t fields_size(const struct http_header *fields, size_t count)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		size += 2 * sizeof(uint32_t) + fields[i].name.len + fields[i].value.len;
	return size;
}

static void put(uint8_t **at, const void *data, size_t len)
{
	if (len)
		memcpy(*at, data, len);
	*at += len;
}

static void put_fields(uint8_t **at, const struct http_header *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t lengths[2] = { (uint32_t)fields[i].name.len,
					(uint32_t)fields[i].value.len };

		put(at, lengths, sizeof(lengths));
		put(at, fields[i].name.data, fields[i].name.len);
		put(at, fields[i].value.data, fields[i].value.len);
	}
}

static int send_message(struct sim_connection *c, uint32_t id, const struct http_message *m)
{
	struct sim_head head = {
		.kind = SIM_MESSAGE,
		.stream = id,
		.headers = (uint32_t)m->header_count,
		.trailers = (uint32_t)m->trailer_count,
		.body = (uint32_t)m->body.len,
	};
	size_t size = sizeof(head) + fields_size(m->headers, m->header_count) +
		      fields_size(m->trailers, m->trailer_count) + m->body.len;
	uint8_t *data, *at;
	int err;

	if (size > LINK_MESSAGE_MAX)
		return -EMSGSIZE;
	data = at = malloc(size);
	if (!data)
		return -ENOMEM;
	put(&at, &head, sizeof(head));
	put_fields(&at, m->headers, m->header_count);
	put_fields(&at, m->trailers, m->trailer_count);
	put(&at, m->body.data, m->body.len);
	err = link_send(c->link, 0, 0, OCTETS(data, size));
	free(data);
	return err;
}

static int sim_send(struct http_connection *connection, struct http_stream *stream,
		    const struct http_message *message, enum http_part part, uint32_t code)
{
	struct sim_connection *c = of(connection);

	if (connection->client) {
		stream->id = c->next_id;
		c->next_id += 2;
	}
	switch (part) {
	case HTTP_WHOLE:
		return send_message(c, stream->id, message);
	case HTTP_PART_THEN_RESET:
		return send_head(c, &(struct sim_head){ .kind = SIM_RESET,
							.stream = stream->id,
							.code = code });
	case HTTP_PART_THEN_NOTHING:
		break;
	}
	return 0;
}

static void sim_reset(struct http_connection *connection, struct http_stream *stream, uint32_t code)
{
	send_head(of(connection),
		  &(struct sim_head){ .kind = SIM_RESET, .stream = stream->id, .code = code });
}

static void sim_goaway(struct http_connection *connection)
{
	struct sim_connection *c = of(connection);
	struct sim_head head = { .kind = SIM_GOAWAY, .last = c->last_id };

	http_record_goaway(connection, true, head.last, head.code);
	send_head(c, &head);
}

static void sim_end(struct http_connection *connection, bool abort)
{
	struct sim_connection *c = of(connection);

	link_close(c->link, abort);
	c->link = NULL;
}

static void sim_free_connection(struct http_connection *connection)
{
	free(connection);
}

/* --- what comes ------------------------------------------------------------------------------- */

struct sim_input {
	const uint8_t *at, *end;
};

static bool take(struct sim_input *in, void *out, size_t len)
{
	if ((size_t)(in->end - in->at) < len)
		return false;
	memcpy(out, in->at, len);
	in->at += len;
	return true;
}

static bool take_octets(struct sim_input *in, size_t len, struct octets *out)
{
	if ((size_t)(in->end - in->at) < len)
		return false;
	*out = OCTETS(in->at, len);
	in->at += len;
	return true;
}

static bool take_fields(struct sim_input *in, struct http_header *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t lengths[2];

		if (!take(in, lengths, sizeof(lengths)) ||
		    !take_octets(in, lengths[0], &fields[i].name) ||
		    !take_octets(in, lengths[1], &fields[i].value))
			return false;
	}
	return true;
}

static void refuse(struct sim_connection *c, uint32_t id, uint32_t code)
{
	http_record_reset(&c->base, true, id, code);
	send_head(c, &(struct sim_head){ .kind = SIM_RESET, .stream = id, .code = code });
}

static void take_message(struct sim_connection *c, const struct sim_head *head,
			 const struct http_message *m)
{
	struct http_connection *connection = &c->base;
	struct http_stream *stream = http_find(connection, head->stream);
	const struct http_limits *limits = &connection->http->limits;
	bool large = http_list_size(m->headers, m->header_count) > limits->header_list ||
		     m->body.len > limits->body;

	if (connection->client) {
		/* an answer to what was taken back meanwhile is not for anybody */
		if (stream && large)
			http_is_reset(stream, HTTP_LIMIT, 0,
				      "the answer is larger than the limits allow");
		else if (stream)
			http_is_response(stream, m);
		return;
	}
	if (connection->draining)
		return;
	c->last_id = head->stream;
	if (stream || large)
		refuse(c, head->stream, HTTP_ENHANCE_YOUR_CALM);
	else if (HASH_COUNT(connection->streams) >= limits->streams)
		refuse(c, head->stream, HTTP_REFUSED_STREAM);
	else
		http_is_request(connection, head->stream, m, NULL);
}

static void take_reset(struct sim_connection *c, const struct sim_head *head)
{
	struct http_stream *stream = http_find(&c->base, head->stream);
	char why[HTTP_WHY], buffer[32];
	struct text text;

	if (!stream)
		return;
	text_init(&text, why, sizeof(why));
	text_printf(&text, "the peer reset the stream (%s)",
		    http_error_name(head->code, buffer, sizeof(buffer)));
	http_is_reset(stream, HTTP_RESET, head->code, why);
}

static void link_took(struct link *link, void *arg, const struct link_message *message)
{
	struct sim_connection *c = arg;
	struct http *http = c->base.http;
	struct http_header fields[HTTP_HEADERS_MAX + 2];
	struct http_message m = { .headers = fields };
	struct sim_input in = { message->data.data, message->data.data + message->data.len };
	struct sim_head head;

	(void)link;
	if (!take(&in, &head, sizeof(head)))
		return;
	http_enter(http);
	switch ((enum sim_kind)head.kind) {
	case SIM_LIMITS:
		c->base.peer_streams = head.code;
		if (c->base.client)
			http_is_up(&c->base);
		break;
	case SIM_MESSAGE:
		if (head.headers + head.trailers > HTTP_HEADERS_MAX + 2 ||
		    !take_fields(&in, fields, head.headers + head.trailers) ||
		    !take_octets(&in, head.body, &m.body))
			break;
		m.header_count = head.headers;
		m.trailers = fields + head.headers;
		m.trailer_count = head.trailers;
		take_message(c, &head, &m);
		break;
	case SIM_RESET:
		take_reset(c, &head);
		break;
	case SIM_GOAWAY:
		http_is_going_away(&c->base, head.last, head.code);
		break;
	}
	http_leave(http);
}

static const struct {
	enum http_failure failure;
	const char *why;
} reasons[] = {
	[LINK_SHUTDOWN] = { HTTP_CLOSED, "the peer closed the connection" },
	[LINK_ABORTED] = { HTTP_LOST, "the peer broke the connection" },
	[LINK_LOST] = { HTTP_LOST, "the peer does not answer any more" },
	[LINK_REFUSED] = { HTTP_REFUSED, "connection refused: nobody listens there" },
	[LINK_FAILED] = { HTTP_OWN, "our own side failed" },
};

static void link_went_down(struct link *link, void *arg, enum link_down_reason reason)
{
	struct sim_connection *c = arg;
	struct http *http = c->base.http;

	http_enter(http);
	link_close(link, true);
	c->link = NULL;
	http_is_down(&c->base, reasons[reason].failure, reasons[reason].why);
	http_leave(http);
}

/* The server speaks first: a client then knows how many streams it may open. */
static void say_limits(struct sim_connection *c)
{
	send_head(c,
		  &(struct sim_head){ .kind = SIM_LIMITS, .code = c->base.http->limits.streams });
}

static const struct link_handler handler = {
	.message = link_took,
	.down = link_went_down,
};

static void accepted(struct link *link, void *arg)
{
	struct http_server *server = arg;
	struct http *http = server->http;
	struct sim_connection *c;

	c = server->connection_count < http->limits.connections ? calloc(1, sizeof(*c)) : NULL;
	if (!c) {
		link_close(link, true);
		return;
	}
	http_enter(http);
	c->link = link;
	http_connection_enter(&c->base, http, NULL, server, link_local(link), link_peer(link));
	http_connection_start(&c->base, 0);
	link_set_handler(link, &handler, c);
	http_is_up(&c->base);
	say_limits(c);
	http_leave(http);
}

static struct http_connection *sim_connect(struct http_client *client, struct text *why)
{
	struct sim_connection *c = calloc(1, sizeof(*c));

	if (!c) {
		text_puts(why, "out of memory");
		return NULL;
	}
	c->next_id = 1;
	c->link = net_connect(client->http->net, client->name, &client->local, &client->peer,
			      &handler, c, why);
	if (!c->link) {
		free(c);
		return NULL;
	}
	http_connection_enter(&c->base, client->http, client, NULL, link_local(c->link),
			      &client->peer);
	http_connection_start(&c->base, 0);
	return &c->base;
}

static int sim_listen(struct http_server *server, struct text *why)
{
	if (net_address_port(&server->local)) {
		server->inner = net_listen(server->http->net, server->name, &server->local,
					   accepted, server, why);
		return server->inner ? 0 : -1;
	}
	for (uint16_t port = ANY_FIRST; port < ANY_LAST; port++) {
		char ignored[HTTP_WHY];
		struct text text;

		text_init(&text, ignored, sizeof(ignored));
		net_address_set_port(&server->local, port);
		server->inner = net_listen(server->http->net, server->name, &server->local,
					   accepted, server, &text);
		if (server->inner)
			return 0;
	}
	text_puts(why, "no local port is free");
	return -1;
}

static void sim_unlisten(struct http_server *server)
{
	net_listener_close(server->inner);
	server->inner = NULL;
}

static void sim_free(struct http *http)
{
	net_free(http->net);
}

const struct http_backend http_sim_backend = {
	.free = sim_free,
	.connect = sim_connect,
	.listen = sim_listen,
	.unlisten = sim_unlisten,
	.send = sim_send,
	.reset = sim_reset,
	.goaway = sim_goaway,
	.end = sim_end,
	.free_connection = sim_free_connection,
};
