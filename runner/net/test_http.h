/* What the tests of HTTP/2 share: a world with a server and a client, and what they saw. */
#ifndef SPILLWAY_RUNNER_NET_TEST_HTTP_H
#define SPILLWAY_RUNNER_NET_TEST_HTTP_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/net/http.h"

enum { TEST_STREAMS = 1024, TEST_TEXT = 256 };

struct test_world {
	struct loop *loop;
	struct sim_network *network;
	struct http *tester, *iut;
	struct http_server *server;
	struct http_client *client;
	struct record *record;
	char why[TEST_TEXT];
	struct text text;
	/* server */
	size_t requests, gone;
	struct http_stream *open[TEST_STREAMS]; /* not answered yet */
	size_t open_count;
	bool hold; /* requests are kept in open, not answered */
	char last_path[TEST_TEXT];
	size_t last_body;
	size_t last_trailers;
	char gone_why[TEST_TEXT];
	/* client */
	size_t responses, failures;
	unsigned int status;
	size_t body_len;
	size_t trailers;
	unsigned int body_sum;
	enum http_failure failure;
	char failed_why[TEST_TEXT];
};

static inline unsigned int sum_of(struct octets body)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < body.len; i++)
		sum = sum * 31 + body.data[i];
	return sum;
}

static inline void answer(struct http_stream *stream, const char *status, struct octets body)
{
	const struct http_header headers[] = {
		HTTP_HEADER(":status", status),
		HTTP_HEADER("content-type", "application/json"),
	};

	ck_assert_int_eq(http_respond(stream, &(struct http_message){ .headers = headers,
								      .header_count = 2,
								      .body = body }),
			 0);
}

static inline void take_request(struct http_stream *stream, void *arg,
				const struct http_message *request)
{
	struct test_world *w = arg;
	const struct octets *path = http_header(request, ":path");

	w->requests++;
	w->last_body = request->body.len;
	w->last_trailers = request->trailer_count;
	ck_assert_ptr_nonnull(path);
	snprintf(w->last_path, sizeof(w->last_path), "%.*s", (int)path->len,
		 (const char *)path->data);
	ck_assert_ptr_nonnull(http_header(request, ":authority"));
	if (w->hold) {
		ck_assert_uint_lt(w->open_count, TEST_STREAMS);
		w->open[w->open_count++] = stream;
	} else {
		answer(stream, "200", request->body);
	}
}

static inline void take_gone(struct http_stream *stream, void *arg, const char *why)
{
	struct test_world *w = arg;

	w->gone++;
	snprintf(w->gone_why, sizeof(w->gone_why), "%s", why);
	for (size_t i = 0; i < w->open_count; i++) {
		if (w->open[i] == stream)
			w->open[i] = w->open[--w->open_count];
	}
}

static inline void take_response(struct http_stream *stream, void *arg,
				 const struct http_message *response)
{
	struct test_world *w = arg;

	(void)stream;
	w->responses++;
	w->status = http_status(response);
	w->body_len = response->body.len;
	w->body_sum = sum_of(response->body);
	w->trailers = response->trailer_count;
}

static inline void take_failure(struct http_stream *stream, void *arg, enum http_failure failure,
				const char *why)
{
	struct test_world *w = arg;

	(void)stream;
	w->failures++;
	w->failure = failure;
	snprintf(w->failed_why, sizeof(w->failed_why), "%s", why);
}

static const struct http_server_handler test_server = { take_request, take_gone };
static const struct http_client_handler test_client = { take_response, take_failure };

static inline struct http_stream *ask_with(struct test_world *w, const char *path,
					   struct octets body, const struct http_header *trailers,
					   size_t trailer_count)
{
	const struct http_header headers[] = {
		HTTP_HEADER(":method", body.len ? "POST" : "GET"),
		HTTP_HEADER(":path", path),
		HTTP_HEADER("3gpp-sbi-message-priority", "7"),
	};

	return http_request(w->client,
			    &(struct http_message){ .headers = headers,
						    .header_count = 3,
						    .body = body,
						    .trailers = trailers,
						    .trailer_count = trailer_count },
			    &test_client, w, &w->text);
}

static inline struct http_stream *ask(struct test_world *w, const char *path)
{
	return ask_with(w, path, OCTETS(NULL, 0), NULL, 0);
}

struct test_wait {
	const size_t *count;
	size_t wanted;
};

static inline bool reached(void *arg)
{
	const struct test_wait *wait = arg;

	return *wait->count >= wait->wanted;
}

/* Runs until a count is reached, at most for so many ms. */
static inline bool run_until(struct test_world *w, const size_t *count, size_t wanted,
			     unsigned int ms)
{
	struct test_wait wait = { count, wanted };

	return loop_run(w->loop, loop_now(w->loop) + ms * US_PER_MS, reached, &wait);
}

static inline void run_for(struct test_world *w, unsigned int ms)
{
	loop_run(w->loop, loop_now(w->loop) + ms * US_PER_MS, NULL, NULL);
}

static inline void world_text(struct test_world *w)
{
	text_init(&w->text, w->why, sizeof(w->why));
}

static inline void world_free(struct test_world *w)
{
	http_free(w->tester);
	http_free(w->iut);
	sim_network_free(w->network);
	record_close(w->record);
	loop_free(w->loop);
}

#define TESTS(...)                             \
	(const TTest *const[]){ __VA_ARGS__ }, \
		sizeof((const TTest *const[]){ __VA_ARGS__ }) / sizeof(const TTest *)

static inline void add_case(Suite *suite, const char *name, void (*begin)(void), void (*end)(void),
			    const TTest *const *tests, size_t count)
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_set_timeout(tcase, 30);
	for (size_t i = 0; i < count; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
}

static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
