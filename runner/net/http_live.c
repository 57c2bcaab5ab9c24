/* Sockets and TLS under HTTP/2, and the operations of the live back end. */
#include "runner/net/http_live.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	WIRE_MAX = 128 * 1024,
	WIRE_ENOUGH = 64 * 1024, /* more is not asked of the session before it is sent */
	READ_MAX = 32 * 1024,
	READS = 8, /* at a turn, so that others get theirs */
	BACKLOG = 512,
	ACCEPTS = 64,
};

struct live_listener {
	struct http_server *server;
	int fd;
	struct loop_watch *watch;
};

static struct live_connection *of(struct http_connection *connection)
{
	return (struct live_connection *)connection;
}

/* --- the end ---------------------------------------------------------------------------------- */

static void let_go(struct live_connection *c)
{
	c->ended = true;
	timer_stop(&c->flush);
	loop_unwatch(c->watch);
	c->watch = NULL;
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

static void is_down(struct live_connection *c, enum http_failure failure, const char *why)
{
	if (c->ended)
		return;
	let_go(c);
	http_is_down(&c->base, failure, why);
}

/* One sentence on why OpenSSL failed. */
static void tls_why(struct live_connection *c, struct text *why)
{
	long verified = SSL_get_verify_result(c->ssl);
	unsigned long error = ERR_peek_last_error();

	text_puts(why, "TLS: ");
	if (verified != X509_V_OK)
		text_printf(why, "the certificate of the peer is not accepted: %s",
			    X509_verify_cert_error_string(verified));
	else if (ERR_reason_error_string(error))
		text_puts(why, ERR_reason_error_string(error));
	else
		text_puts(why, "the handshake failed");
	ERR_clear_error();
}

static void tls_is_down(struct live_connection *c)
{
	char why[HTTP_WHY];
	struct text text;

	text_init(&text, why, sizeof(why));
	tls_why(c, &text);
	is_down(c, HTTP_TLS, why);
}

static void errno_is_down(struct live_connection *c, int error)
{
	char why[HTTP_WHY];
	struct text text;

	text_init(&text, why, sizeof(why));
	if (error == ECONNREFUSED)
		text_puts(&text, "connection refused: nobody listens there");
	else
		text_printf(&text, "the connection broke: %s", strerror(error));
	is_down(c, error == ECONNREFUSED ? HTTP_REFUSED : HTTP_LOST, why);
}

/* --- output ----------------------------------------------------------------------------------- */

static void to_wire(struct live_connection *c, const uint8_t *data, size_t len)
{
	memcpy(c->wire + c->wire_start + c->wire_len, data, len);
	c->wire_len += len;
}

/* Encrypts, or passes on, the session's next octets; false when there are none. */
static bool fill_some(struct live_connection *c)
{
	const uint8_t *data;
	ssize_t n;

	if (c->ssl) {
		size_t room = WIRE_MAX - c->wire_start - c->wire_len;
		int got = BIO_read(c->out, c->wire + c->wire_start + c->wire_len,
				   (int)(room < READ_MAX ? room : READ_MAX));

		if (got > 0) {
			c->wire_len += (size_t)got;
			return true;
		}
	}
	if (!c->session || (c->ssl && !c->handshaken))
		return false;
	n = session_pull(c, &data);
	if (n <= 0)
		return false;
	if (c->ssl)
		return SSL_write(c->ssl, data, (int)n) > 0;
	to_wire(c, data, (size_t)n);
	return true;
}

static void fill(struct live_connection *c)
{
	if (c->wire_start) {
		memmove(c->wire, c->wire + c->wire_start, c->wire_len);
		c->wire_start = 0;
	}
	while (c->wire_len < WIRE_ENOUGH && fill_some(c))
		;
}

/* false when the connection is down. */
static bool send_wire(struct live_connection *c)
{
	for (;;) {
		ssize_t n;

		fill(c);
		if (c->wire_len == 0)
			break;
		n = send(c->fd, c->wire + c->wire_start, c->wire_len, MSG_NOSIGNAL);
		if (n < 0) {
			if (errno == EINTR)
				continue;
			if (errno == EAGAIN)
				break;
			errno_is_down(c, errno);
			return false;
		}
		c->wire_start += (size_t)n;
		c->wire_len -= (size_t)n;
	}
	loop_watch_events(c->watch, LOOP_READABLE | (c->wire_len ? LOOP_WRITABLE : 0U));
	return true;
}

static void check_over(struct live_connection *c)
{
	char why[HTTP_WHY], buffer[32];
	struct text text;

	if (c->ended || !c->session || c->wire_len || !session_over(c))
		return;
	text_init(&text, why, sizeof(why));
	if (c->sent_goaway && c->sent_code != NGHTTP2_NO_ERROR) {
		text_printf(&text, "the peer broke the rules of HTTP/2 (GOAWAY %s was sent)",
			    http_error_name(c->sent_code, buffer, sizeof(buffer)));
		is_down(c, HTTP_PROTOCOL, why);
	} else {
		is_down(c, HTTP_CLOSED, "the connection was closed in order");
	}
}

static void flush(struct live_connection *c)
{
	if (!c->ended && c->connected && send_wire(c))
		check_over(c);
}

static void flush_now(struct timer *timer, void *arg)
{
	struct live_connection *c = arg;
	struct http *http = c->base.http;

	(void)timer;
	http_enter(http);
	flush(c);
	/* what could not be sent is told as well */
	if (!c->ended)
		session_deliver(c);
	http_leave(http);
}

void live_wants_flush(struct live_connection *c)
{
	if (!c->ended && !timer_running(&c->flush))
		timer_start(&c->flush, 0);
}

/* --- input ------------------------------------------------------------------------------------ */

static bool feed(struct live_connection *c, const uint8_t *data, size_t len)
{
	const char *fault = session_feed(c, data, len);
	char why[HTTP_WHY];
	struct text text;

	session_deliver(c);
	if (c->ended)
		return false;
	if (!fault)
		return true;
	text_init(&text, why, sizeof(why));
	text_printf(&text, "the peer does not speak HTTP/2 as it should: %s", fault);
	is_down(c, HTTP_PROTOCOL, why);
	return false;
}

static bool agreed_on_h2(struct live_connection *c)
{
	const unsigned char *name;
	unsigned int len;

	SSL_get0_alpn_selected(c->ssl, &name, &len);
	if (len == 2 && memcmp(name, "h2", 2) == 0)
		return true;
	is_down(c, HTTP_TLS, "TLS: the peer did not agree on HTTP/2 (ALPN h2)");
	return false;
}

/* false: the connection is down, or the handshake needs more. */
static bool handshake(struct live_connection *c)
{
	int result;

	if (c->handshaken)
		return true;
	ERR_clear_error();
	result = SSL_do_handshake(c->ssl);
	if (result == 1) {
		c->handshaken = true;
		return agreed_on_h2(c);
	}
	if (SSL_get_error(c->ssl, result) == SSL_ERROR_WANT_READ)
		return false;
	/* the alert is to reach the peer */
	if (send_wire(c))
		tls_is_down(c);
	return false;
}

static bool feed_tls(struct live_connection *c, const uint8_t *data, size_t len)
{
	uint8_t plain[READ_MAX / 2];

	if (len && BIO_write(c->in, data, (int)len) != (int)len) {
		is_down(c, HTTP_OWN, "out of memory");
		return false;
	}
	if (!handshake(c))
		return !c->ended;
	for (;;) {
		int n = SSL_read(c->ssl, plain, sizeof(plain));

		if (n > 0) {
			if (!feed(c, plain, (size_t)n))
				return false;
			continue;
		}
		switch (SSL_get_error(c->ssl, n)) {
		case SSL_ERROR_WANT_READ:
			return true;
		case SSL_ERROR_ZERO_RETURN:
			is_down(c, HTTP_CLOSED, "the peer closed the connection");
			return false;
		default:
			tls_is_down(c);
			return false;
		}
	}
}

static bool read_some(struct live_connection *c)
{
	uint8_t data[READ_MAX];
	ssize_t n = recv(c->fd, data, sizeof(data), 0);

	if (n > 0)
		return c->ssl ? feed_tls(c, data, (size_t)n) : feed(c, data, (size_t)n);
	if (n == 0) {
		is_down(c, HTTP_CLOSED,
			c->heard ? "the peer closed the connection"
				 : "the peer closed the connection before it spoke HTTP/2");
	} else if (errno != EAGAIN && errno != EINTR) {
		errno_is_down(c, errno);
	}
	return false;
}

/* TCP is up: a client speaks first. */
static bool connect_ended(struct live_connection *c)
{
	struct net_address local = { 0 };
	socklen_t len = sizeof(local);
	int error = 0;
	socklen_t error_len = sizeof(error);
	struct text text;

	getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &error_len);
	if (c->connect_error)
		error = c->connect_error;
	if (error) {
		errno_is_down(c, error);
		return false;
	}
	c->connected = true;
	if (getsockname(c->fd, &local.sa, &len) == 0) {
		text_init(&text, c->base.local_text, sizeof(c->base.local_text));
		net_address_print(&local, &text);
	}
	return !c->ssl || handshake(c) || !c->ended;
}

static void ready(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct live_connection *c = arg;
	struct http *http = c->base.http;
	bool more = true;

	(void)watch;
	http_enter(http);
	if (!c->connected)
		more = connect_ended(c);
	else if (events & LOOP_READABLE)
		for (int i = 0; i < READS && more; i++)
			more = read_some(c);
	flush(c);
	if (!c->ended)
		session_deliver(c);
	http_leave(http);
}

/* --- beginning -------------------------------------------------------------------------------- */

static bool start_tls(struct live_connection *c, SSL_CTX *context)
{
	const char *name = c->base.client ? c->base.client->tls_name : "";

	c->ssl = SSL_new(context);
	c->in = BIO_new(BIO_s_mem());
	c->out = BIO_new(BIO_s_mem());
	if (!c->ssl || !c->in || !c->out) {
		BIO_free(c->in);
		BIO_free(c->out);
		return false;
	}
	SSL_set_bio(c->ssl, c->in, c->out);
	if (c->base.server) {
		SSL_set_accept_state(c->ssl);
		return true;
	}
	SSL_set_connect_state(c->ssl);
	if (*name) {
		SSL_set_tlsext_host_name(c->ssl, name);
		return SSL_set1_host(c->ssl, name) == 1;
	}
	return true;
}

static void free_connection(struct http_connection *connection)
{
	struct live_connection *c = of(connection);

	if (!c->ended)
		let_go(c);
	session_free(c);
	SSL_free(c->ssl);
	free(c->wire);
	free(c);
}

/* Takes the descriptor over. */
static struct live_connection *connection_new(struct http *http, struct http_client *client,
					      struct http_server *server, int fd,
					      const struct net_address *peer)
{
	struct live_connection *c = calloc(1, sizeof(*c));
	SSL_CTX *context = client ? client->tls : server->tls;
	int on = 1;

	if (!c) {
		close(fd);
		return NULL;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	c->fd = fd;
	c->connected = server != NULL;
	c->done_last = &c->done;
	c->wire = malloc(WIRE_MAX);
	timer_init(&c->flush, http->loop, "HTTP output", flush_now, c);
	c->base.http = http;
	c->base.client = client;
	c->base.server = server;
	c->base.peer_streams = 100;
	c->watch =
		loop_watch(http->loop, fd, LOOP_READABLE | (server ? 0U : LOOP_WRITABLE), ready, c);
	if (!c->wire || !c->watch || session_start(c) != 0 || (context && !start_tls(c, context))) {
		free_connection(&c->base);
		return NULL;
	}
	http_connection_enter(&c->base, http, client, server,
			      client ? &client->local : &server->local, peer);
	http_connection_start(&c->base, server ? http->limits.request_us : 0);
	return c;
}

static int tcp_socket(const struct net_address *local, bool bound, struct text *why)
{
	int fd = socket(local->sa.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int on = 1;

	if (fd < 0) {
		text_printf(why, "no socket: %s", strerror(errno));
		return -1;
	}
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bound && bind(fd, &local->sa, net_address_len(local)) != 0) {
		net_address_print(local, why);
		text_printf(why, " cannot be used: %s", strerror(errno));
		close(fd);
		return -1;
	}
	return fd;
}

static struct http_connection *live_connect(struct http_client *client, struct text *why)
{
	bool bound = !net_address_unspecified(&client->local) || net_address_port(&client->local);
	int fd = tcp_socket(&client->local, bound, why);
	struct live_connection *c;
	int error = 0;

	if (fd < 0)
		return NULL;
	if (connect(fd, &client->peer.sa, net_address_len(&client->peer)) != 0)
		error = errno == EINPROGRESS ? 0 : errno;
	if (error && error != ECONNREFUSED) {
		text_puts(why, "cannot connect to ");
		net_address_print(&client->peer, why);
		text_printf(why, ": %s", strerror(error));
		close(fd);
		return NULL;
	}
	c = connection_new(client->http, client, NULL, fd, &client->peer);
	if (!c) {
		text_puts(why, "out of memory");
		return NULL;
	}
	c->connect_error = error;
	return &c->base;
}

static void accept_some(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct live_listener *listener = arg;
	struct http_server *server = listener->server;
	struct http *http = server->http;

	(void)watch;
	(void)events;
	http_enter(http);
	for (int i = 0; i < ACCEPTS; i++) {
		struct net_address peer = { 0 };
		socklen_t len = sizeof(peer);
		int fd = accept4(listener->fd, &peer.sa, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);
		struct live_connection *c;

		if (fd < 0)
			break;
		if (server->connection_count >= http->limits.connections) {
			record_log(http->record, RECORD_WARN,
				   "%s: a connection beyond %u was refused", server->name,
				   http->limits.connections);
			close(fd);
			continue;
		}
		c = connection_new(http, NULL, server, fd, &peer);
		if (c)
			flush(c);
	}
	http_leave(http);
}

static void free_listener(struct live_listener *listener)
{
	loop_unwatch(listener->watch);
	if (listener->fd >= 0)
		close(listener->fd);
	free(listener);
}

static int live_listen(struct http_server *server, struct text *why)
{
	struct live_listener *listener = calloc(1, sizeof(*listener));
	socklen_t len = sizeof(server->local);

	if (!listener) {
		text_puts(why, "out of memory");
		return -1;
	}
	listener->server = server;
	listener->fd = tcp_socket(&server->local, true, why);
	if (listener->fd >= 0 && listen(listener->fd, BACKLOG) != 0) {
		net_address_print(&server->local, why);
		text_printf(why, " cannot be listened on: %s", strerror(errno));
		close(listener->fd);
		listener->fd = -1;
	}
	if (listener->fd >= 0) {
		getsockname(listener->fd, &server->local.sa, &len);
		listener->watch = loop_watch(server->http->loop, listener->fd, LOOP_READABLE,
					     accept_some, listener);
		if (!listener->watch)
			text_puts(why, "the listener cannot be watched");
	}
	if (!listener->watch) {
		free_listener(listener);
		return -1;
	}
	server->inner = listener;
	return 0;
}

static void live_unlisten(struct http_server *server)
{
	free_listener(server->inner);
	server->inner = NULL;
}

/* --- operations ------------------------------------------------------------------------------- */

static int live_send(struct http_connection *connection, struct http_stream *stream,
		     const struct http_message *message, enum http_part part, uint32_t code)
{
	return session_send(of(connection), stream, message, part, code);
}

static void live_reset(struct http_connection *connection, struct http_stream *stream,
		       uint32_t code)
{
	session_reset(of(connection), stream->id, code);
}

static void live_goaway(struct http_connection *connection)
{
	session_goaway(of(connection));
}

/* What the socket takes at once; whoever does not read does not care for it. */
static void send_what_goes(struct live_connection *c)
{
	fill(c);
	while (c->wire_len) {
		ssize_t n = send(c->fd, c->wire + c->wire_start, c->wire_len, MSG_NOSIGNAL);

		if (n <= 0)
			break;
		c->wire_start += (size_t)n;
		c->wire_len -= (size_t)n;
		fill(c);
	}
}

static void live_end(struct http_connection *connection, bool abort)
{
	struct live_connection *c = of(connection);
	struct linger reset = { .l_onoff = 1, .l_linger = 0 };

	if (c->ended)
		return;
	if (abort) {
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	} else if (c->connected && (!c->ssl || c->handshaken)) {
		send_what_goes(c);
		session_terminate(c);
		send_what_goes(c);
		if (c->ssl) {
			SSL_shutdown(c->ssl);
			send_what_goes(c);
		}
	}
	let_go(c);
}

static void live_free(struct http *http)
{
	(void)http;
}

const struct http_backend http_live_backend = {
	.drains_itself = true,
	.free = live_free,
	.connect = live_connect,
	.listen = live_listen,
	.unlisten = live_unlisten,
	.send = live_send,
	.reset = live_reset,
	.goaway = live_goaway,
	.end = live_end,
	.free_connection = free_connection,
};
