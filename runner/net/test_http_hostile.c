/*
 * Peers that break the rules: octets of any kind against our server, and fake servers against our
 * client. Each has to end with a reason, in time and in bounded memory, while others are served.
 */
#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runner/net/test_http.h"
#include "runner/net/transport.h"

static struct test_world world, *w = &world;

/* Octets to be sent, which the tests compose. */
static uint8_t octets[1 << 20];
static size_t len;

static void put(const void *data, size_t n)
{
	ck_assert_uint_le(len + n, sizeof(octets));
	memcpy(octets + len, data, n);
	len += n;
}

static void put_frame(unsigned int type, unsigned int flags, uint32_t stream, const void *data,
		      size_t n)
{
	const uint8_t head[9] = {
		(uint8_t)(n >> 16),	 (uint8_t)(n >> 8),	 (uint8_t)n,
		(uint8_t)type,		 (uint8_t)flags,	 (uint8_t)(stream >> 24),
		(uint8_t)(stream >> 16), (uint8_t)(stream >> 8), (uint8_t)stream
	};

	put(head, sizeof(head));
	put(data, n);
}

static void put_preface(void)
{
	put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
	put_frame(4, 0, 0, "", 0);
}

/* A request, by indexed fields of the static table and one literal. */
static void put_request(uint32_t stream, bool last)
{
	/* :method GET, :scheme http, :path /, :authority a */
	put_frame(1, last ? 5 : 4, stream,
		  "\x82\x86\x84\x41\x01"
		  "a",
		  6);
}

static void begin_with(const struct http_limits *limits)
{
	struct http_options side = { 0 };
	struct net_address address;

	memset(w, 0, sizeof(*w));
	len = 0;
	world_text(w);
	w->loop = loop_new(LOOP_LIVE, 1);
	w->tester = http_new(w->loop, &side, NULL, &w->text);
	side.limits = *limits;
	w->iut = http_new(w->loop, &side, NULL, &w->text);
	net_address_parse(&address, "127.0.0.1", 0);
	w->server = http_listen(w->iut, "nrf", &address, NULL, &test_server, w, &w->text);
	ck_assert_msg(w->server != NULL, "%s", w->why);
	w->client = http_client_new(w->tester, "amf", NULL, http_server_local(w->server), NULL,
				    &(struct http_client_options){ .timeout_us = 2 * US_PER_S },
				    &w->text);
}

static void begin(void)
{
	begin_with(&(struct http_limits){ .request_us = 300 * US_PER_MS, .body = 100000 });
}

static void end(void)
{
	world_free(w);
}

static int connected(void)
{
	const struct net_address *to = http_server_local(w->server);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_eq(connect(fd, &to->sa, net_address_len(to)), 0);
	return fd;
}

/* Sends what was composed, while the server reads; false when it has closed. */
static bool send_all(int fd)
{
	size_t sent = 0;

	while (sent < len) {
		ssize_t n = send(fd, octets + sent, len - sent, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n > 0)
			sent += (size_t)n;
		else if (errno != EAGAIN)
			return false;
		run_for(w, 1);
	}
	len = 0;
	return true;
}

/* Whether the server closes within so many ms; what it says is read and dropped. */
static bool closes(int fd, unsigned int ms)
{
	char ignored[65536];

	for (unsigned int i = 0; i < ms / 10; i++) {
		ssize_t n = recv(fd, ignored, sizeof(ignored), MSG_DONTWAIT);

		if (n == 0 || (n < 0 && errno != EAGAIN))
			return true;
		run_for(w, 10);
	}
	return false;
}

static void others_are_served(void)
{
	size_t before = w->responses;

	ask(w, "/other");
	ck_assert(run_until(w, &w->responses, before + 1, 2000));
	ck_assert_uint_eq(w->status, 200);
}

/* --- against our server ----------------------------------------------------------------------- */

START_TEST(no_http2)
{
	static const char *const greetings[] = {
		"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
		"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\nmuch more that is not HTTP/2 at all",
		"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03 a TLS hello, more or less",
		"Hello!Hello!Hello!Hello!",
	};

	for (size_t i = 0; i < sizeof(greetings) / sizeof(greetings[0]); i++) {
		int fd = connected();

		put(greetings[i], strlen(greetings[i]));
		send_all(fd);
		ck_assert_msg(closes(fd, 1000), "%s", greetings[i]);
		close(fd);
	}
	others_are_served();
}
END_TEST

/* Nothing at all, a preface octet by octet, one without SETTINGS: closed in time. */
START_TEST(slow_beginnings)
{
	int silent = connected(), slow = connected();

	for (int i = 0; i < 20; i++) {
		put(&"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[i], 1);
		if (!send_all(slow))
			break;
		run_for(w, 25);
	}
	ck_assert(closes(silent, 1000));
	ck_assert(closes(slow, 1000));
	close(silent);
	close(slow);
	others_are_served();
}
END_TEST

/* Headers without an end, a body without an end: reset in time, the connection lives. */
START_TEST(half_open_streams)
{
	int fd = connected();

	put_preface();
	for (uint32_t id = 1; id < 200; id += 2)
		put_request(id, false);
	ck_assert(send_all(fd));
	run_for(w, 500);
	ck_assert_uint_eq(w->requests, 0);
	ck_assert_uint_eq(http_server_open(w->server), 0);
	put_request(201, true);
	ck_assert(send_all(fd));
	ck_assert(run_until(w, &w->requests, 1, 1000));
	close(fd);
	others_are_served();
}
END_TEST

START_TEST(rapid_reset)
{
	static const uint8_t cancel[4] = { 0, 0, 0, 8 };
	int fd = connected();
	bool open = true;

	w->hold = true;
	put_preface();
	for (uint32_t id = 1; open && id < 40000; id += 2) {
		put_request(id, true);
		put_frame(3, 0, id, cancel, 4);
		if (id % 200 == 1)
			open = send_all(fd);
	}
	ck_assert(!open || closes(fd, 1000));
	close(fd);
	/* no more than the burst came through, and nothing of it is left */
	ck_assert_uint_le(w->requests, 1500);
	ck_assert_uint_eq(w->open_count, 0);
	w->hold = false;
	others_are_served();
}
END_TEST

START_TEST(endless_continuation)
{
	static uint8_t block[16000];
	int fd = connected();
	bool open = true;

	/* literal fields without indexing: x: aaa... in pieces */
	memset(block, 'a', sizeof(block));
	memcpy(block, "\x00\x01x\x7f\x00", 5);
	put_preface();
	put_frame(1, 0, 1, "\x82\x86\x84", 3);
	for (int i = 0; open && i < 2000; i++) {
		put_frame(9, 0, 1, block, 132);
		if (i % 50 == 0)
			open = send_all(fd);
	}
	ck_assert(!open || closes(fd, 1000));
	close(fd);
	ck_assert_uint_eq(w->requests, 0);
	others_are_served();
}
END_TEST

/* One large field in the table, then thousands of references to it, an octet each. */
START_TEST(header_bomb)
{
	static uint8_t block[16384];
	int fd = connected();
	size_t n = 0;

	memcpy(block, "\x82\x86\x84\x40\x01x\x7f\xc1\x1e", 9);
	n = 9;
	memset(block + n, 'b', 4000);
	n += 4000;
	memset(block + n, 0xbe, sizeof(block) - n);
	put_preface();
	put_frame(1, 5, 1, block, sizeof(block));
	put_request(3, true);
	send_all(fd);
	run_for(w, 200);
	/* the one is refused; the connection may live or not, but not hold what it was told */
	ck_assert_uint_le(w->requests, 1);
	close(fd);
	others_are_served();
}
END_TEST

START_TEST(endless_body)
{
	static uint8_t data[16384];
	int fd = connected();
	bool open = true;
	char ignored[65536];

	put_preface();
	put_request(1, false);
	for (int i = 0; open && i < 200; i++) {
		put_frame(0, 0, 1, data, sizeof(data));
		open = send_all(fd);
		while (recv(fd, ignored, sizeof(ignored), MSG_DONTWAIT) > 0)
			;
	}
	ck_assert_uint_eq(w->requests, 0);
	close(fd);
	others_are_served();
}
END_TEST

/* Answers to PING and SETTINGS that nobody reads do not pile up. */
START_TEST(floods)
{
	for (unsigned int type = 4; type <= 6; type += 2) {
		int fd = connected();
		bool open = true;

		put_preface();
		for (int i = 0; open && i < 200000; i++) {
			put_frame(type, 0, 0, "12345678", type == 6 ? 8 : 0);
			if (i % 1000 == 0)
				open = send_all(fd);
		}
		ck_assert(!open || closes(fd, 1000));
		close(fd);
	}
	others_are_served();
}
END_TEST

START_TEST(broken_frames)
{
	static const struct {
		unsigned int type, flags;
		uint32_t stream;
		size_t len;
	} frames[] = {
		{ 1, 4, 0, 3 },	    /* HEADERS on stream 0 */
		{ 0, 0, 0, 5 },	    /* DATA on stream 0 */
		{ 0, 0, 77, 5 },    /* DATA on an idle stream */
		{ 4, 0, 0, 5 },	    /* SETTINGS of a length that is none */
		{ 4, 1, 0, 6 },	    /* SETTINGS ACK with a payload */
		{ 3, 0, 9, 4 },	    /* RST_STREAM on an idle stream */
		{ 9, 4, 1, 5 },	    /* CONTINUATION without HEADERS */
		{ 8, 0, 0, 4 },	    /* WINDOW_UPDATE by 0 */
		{ 1, 5, 2, 3 },	    /* an even stream of a client */
		{ 5, 4, 1, 9 },	    /* PUSH_PROMISE of a client */
		{ 1, 0x0c, 1, 1 },  /* padding beyond the end */
		{ 0, 0, 1, 20000 }, /* beyond the largest frame */
		{ 1, 5, 1, 16384 }, /* HPACK that is none */
	};
	static uint8_t zero[20000];

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		int fd = connected();

		memset(zero,
		       frames[i].len == 16384	 ? 0xff
		       : frames[i].flags == 0x0c ? 9
						 : 0,
		       sizeof(zero));
		put_preface();
		put_frame(frames[i].type, frames[i].flags, frames[i].stream, zero, frames[i].len);
		send_all(fd);
		ck_assert_msg(closes(fd, 1000), "frame %zu", i);
		close(fd);
	}
	ck_assert_uint_eq(w->requests, 0);
	others_are_served();
}
END_TEST

/* A client that opens no window for the answer, and one that never reads. */
START_TEST(stalled_readers)
{
	static const uint8_t no_window[6] = { 0, 4, 0, 0, 0, 0 };
	static uint8_t body[100000];
	int fds[2] = { connected(), connected() };

	w->hold = true;
	for (int i = 0; i < 2; i++) {
		put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
		put_frame(4, 0, 0, no_window, i ? 0 : 6);
		put_request(1, true);
		ck_assert(send_all(fds[i]));
		ck_assert(run_until(w, &w->requests, (size_t)i + 1, 1000));
		answer(w->open[--w->open_count], "200", OCTETS(body, sizeof(body)));
	}
	w->hold = false;
	others_are_served();
	/* what waits for a window is given up after six times the time of a request */
	run_for(w, 2000);
	for (int i = 0; i < 2; i++)
		close(fds[i]);
	others_are_served();
}
END_TEST

START_TEST(too_many_connections)
{
	int fds[10];
	size_t refused = 0;

	for (int i = 0; i < 10; i++) {
		fds[i] = connected();
		put_preface();
		send_all(fds[i]);
	}
	for (int i = 0; i < 10; i++) {
		refused += closes(fds[i], 20);
		close(fds[i]);
	}
	ck_assert_uint_eq(refused, 6);
	run_for(w, 20);
	others_are_served();
}
END_TEST

static void begin_few(void)
{
	begin_with(&(struct http_limits){ .connections = 4 });
}

/* --- against our client ----------------------------------------------------------------------- */

static int listener = -1;

/* A listener of the test's own, which the client is to meet. */
static void listen_bare(void)
{
	struct net_address address;
	socklen_t size = sizeof(address);

	begin();
	net_address_parse(&address, "127.0.0.1", 0);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(listener, &address.sa, net_address_len(&address)), 0);
	ck_assert_int_eq(listen(listener, 8), 0);
	getsockname(listener, &address.sa, &size);
	http_client_close(w->client);
	w->client = http_client_new(w->tester, "amf", NULL, &address, NULL,
				    &(struct http_client_options){ .timeout_us = 500 * US_PER_MS,
								   .connect_us = 400 * US_PER_MS },
				    &w->text);
}

static void end_bare(void)
{
	close(listener);
	end();
}

/* The client has asked, and what was composed is the answer. */
static int answered(void)
{
	int fd;

	ask(w, "/");
	run_for(w, 20);
	fd = accept(listener, NULL, NULL);
	ck_assert_int_ge(fd, 0);
	send_all(fd);
	return fd;
}

/* The same, of a server that spoke of its settings and has the request. */
static int settled(void)
{
	int fd;

	put_frame(4, 0, 0, "", 0);
	fd = answered();
	run_for(w, 20);
	return fd;
}

/* What is read first does not turn the end into a reset. */
static void close_in_order(int fd)
{
	char ignored[4096];

	while (recv(fd, ignored, sizeof(ignored), MSG_DONTWAIT) > 0)
		;
	close(fd);
}

static void fails(enum http_failure failure)
{
	ck_assert(run_until(w, &w->failures, 1, 2000));
	ck_assert_msg(w->failure == failure, "%s: %s", http_failure_name(w->failure),
		      w->failed_why);
	ck_assert_uint_eq(w->responses, 0);
}

START_TEST(server_speaks_http1)
{
	int fd;

	put("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", 47);
	fd = answered();
	fails(HTTP_PROTOCOL);
	close(fd);
}
END_TEST

START_TEST(server_is_silent)
{
	int fd = answered();

	fails(HTTP_TIMEOUT);
	close(fd);
}
END_TEST

START_TEST(server_closes_at_once)
{
	int fd = answered();

	close_in_order(fd);
	fails(HTTP_CLOSED);
}
END_TEST

START_TEST(server_goes_away_at_once)
{
	int fd;

	put_frame(4, 0, 0, "", 0);
	put_frame(7, 0, 0, "\0\0\0\0\0\0\0\x0b", 8);
	fd = answered();
	run_for(w, 50);
	fails(HTTP_CLOSED);
	ck_assert_ptr_nonnull(strstr(w->failed_why, "GOAWAY ENHANCE_YOUR_CALM"));
	close(fd);
}
END_TEST

START_TEST(interim_answers)
{
	int fd = settled();

	for (int i = 0; i < 5; i++)
		put_frame(1, 4, 1,
			  "\x48\x03"
			  "103",
			  5);
	put_frame(1, 5, 1, "\x89", 1); /* 204 */
	send_all(fd);
	ck_assert(run_until(w, &w->responses, 1, 1000));
	ck_assert_uint_eq(w->status, 204);
	close(fd);
}
END_TEST

START_TEST(answer_without_status)
{
	int fd = settled();

	put_frame(1, 5, 1, "\x00\x01x\x01y", 5);
	send_all(fd);
	fails(HTTP_RESET);
	close(fd);
}
END_TEST

START_TEST(answer_stops_in_the_middle)
{
	int fd = settled();

	put_frame(1, 4, 1, "\x88", 1);
	put_frame(0, 0, 1, "abc", 3);
	send_all(fd);
	close_in_order(fd);
	fails(HTTP_CLOSED);
}
END_TEST

/* A peer that would have small header lists only, RFC 9113 6.5.2: advisory, the peer may refuse. */
START_TEST(tiny_header_list)
{
	int fd;

	put_frame(4, 0, 0, "\0\x06\0\0\0\x10", 6);
	fd = answered();
	run_for(w, 20);
	put_frame(1, 5, 1,
		  "\x48\x03"
		  "431",
		  5);
	send_all(fd);
	ck_assert(run_until(w, &w->responses, 1, 1000));
	ck_assert_uint_eq(w->status, 431);
	close(fd);
}
END_TEST

static long memory(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

int main(void)
{
	Suite *suite = suite_create("http hostile");
	int status;

	add_case(suite, "server", begin, end,
		 TESTS(no_http2, slow_beginnings, half_open_streams, rapid_reset,
		       endless_continuation, header_bomb, endless_body, floods, broken_frames,
		       stalled_readers));
	add_case(suite, "few", begin_few, end, TESTS(too_many_connections));
	add_case(suite, "client", listen_bare, end_bare,
		 TESTS(server_speaks_http1, server_is_silent, server_closes_at_once,
		       server_goes_away_at_once, interim_answers, answer_without_status,
		       answer_stops_in_the_middle, tiny_header_list));
	status = run_suite(suite);
	printf("at most %ld MiB\n", memory() / 1024);
#ifndef SPILLWAY_SANITIZED
	if (memory() > 100 * 1024)
		return EXIT_FAILURE;
#endif
	return status;
}
