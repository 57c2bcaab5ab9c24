#include "runner/net/test_http.h"

static struct test_world world, *w = &world;
static struct net_address server_address;

static void begin_with(const struct http_limits *limits, const struct http_client_options *options)
{
	struct http_options side = { 0 };

	memset(w, 0, sizeof(*w));
	world_text(w);
	w->loop = loop_new(LOOP_VIRTUAL, 1);
	w->network = sim_network_new(w->loop, &(struct sim_conditions){ 0 });
	side.sim = w->network;
	w->record = record_open(NULL, w->loop);
	w->tester = http_new(w->loop, &side, w->record, &w->text);
	if (limits)
		side.limits = *limits;
	w->iut = http_new(w->loop, &side, NULL, &w->text);
	ck_assert_ptr_nonnull(w->tester);
	ck_assert_ptr_nonnull(w->iut);
	net_address_parse(&server_address, "127.0.0.20", 7777);
	w->server = http_listen(w->iut, "nrf", &server_address, NULL, &test_server, w, &w->text);
	ck_assert_ptr_nonnull(w->server);
	w->client =
		http_client_new(w->tester, "amf", NULL, &server_address, NULL, options, &w->text);
	ck_assert_ptr_nonnull(w->client);
}

static void begin(void)
{
	begin_with(NULL, NULL);
}

static void end(void)
{
	world_free(w);
}

START_TEST(request_and_response)
{
	static const uint8_t body[] = "{\"a\":1}";
	const struct http_header trailer = HTTP_HEADER("x-check", "1");
	char ladder[2000];
	struct text text;

	ck_assert_ptr_nonnull(ask_with(w, "/nnrf-nfm/v1/x", OCTETS(body, 7), &trailer, 1));
	ck_assert(run_until(w, &w->responses, 1, 1000));
	ck_assert_uint_eq(w->status, 200);
	ck_assert_uint_eq(w->body_sum, sum_of(OCTETS(body, 7)));
	ck_assert_str_eq(w->last_path, "/nnrf-nfm/v1/x");
	ck_assert_uint_eq(w->last_trailers, 1);
	/* three one-way delays for the connection, and two for the messages */
	ck_assert_uint_eq(loop_now(w->loop), 600);
	text_init(&text, ladder, sizeof(ladder));
	record_ladder(w->record, 20, &text);
	ck_assert_ptr_nonnull(strstr(ladder, "amf --> http2  POST /nnrf-nfm/v1/x, "
					     "3gpp-sbi-message-priority: 7, 7 octets"));
	ck_assert_ptr_nonnull(strstr(ladder, "amf <-- http2  200, 7 octets"));
}
END_TEST

START_TEST(nobody_listens)
{
	http_server_close(w->server);
	ck_assert_ptr_nonnull(ask(w, "/"));
	ck_assert_ptr_nonnull(ask(w, "/"));
	ck_assert_uint_eq(w->failures, 0);
	ck_assert(run_until(w, &w->failures, 2, 1000));
	ck_assert_int_eq(w->failure, HTTP_REFUSED);
}
END_TEST

START_TEST(silence)
{
	w->hold = true;
	ask(w, "/");
	ck_assert(run_until(w, &w->failures, 1, 20000));
	ck_assert_int_eq(w->failure, HTTP_TIMEOUT);
	ck_assert_str_eq(w->failed_why, "no whole answer within 10.000 s");
	run_for(w, 10);
	/* the server hears of it */
	ck_assert_uint_eq(w->gone, 1);
	ck_assert_uint_eq(http_server_open(w->server), 0);
}
END_TEST

START_TEST(answered_later_in_another_order)
{
	w->hold = true;
	for (int i = 0; i < 5; i++)
		ask(w, "/");
	ck_assert(run_until(w, &w->requests, 5, 1000));
	answer(w->open[4], "503", OCTETS(NULL, 0));
	run_for(w, 5);
	ck_assert_uint_eq(w->status, 503);
	ck_assert_uint_eq(w->responses, 1);
	for (int i = 0; i < 4; i++)
		answer(w->open[i], "204", OCTETS(NULL, 0));
	run_for(w, 5);
	ck_assert_uint_eq(w->responses, 5);
	ck_assert_uint_eq(http_client_connections(w->client), 1);
}
END_TEST

START_TEST(resets)
{
	w->hold = true;
	ask(w, "/");
	ask(w, "/");
	ck_assert(run_until(w, &w->requests, 2, 1000));
	http_reset(w->open[0], HTTP_ENHANCE_YOUR_CALM);
	http_respond_partly(w->open[1], &(struct http_message){ 0 }, HTTP_INTERNAL_ERROR);
	ck_assert(run_until(w, &w->failures, 2, 1000));
	ck_assert_int_eq(w->failure, HTTP_RESET);
	ck_assert_str_eq(w->failed_why, "the peer reset the stream (INTERNAL_ERROR)");
	ck_assert_uint_eq(w->gone, 0);
}
END_TEST

START_TEST(taken_back)
{
	struct http_stream *stream;

	w->hold = true;
	stream = ask(w, "/");
	ck_assert(run_until(w, &w->requests, 1, 1000));
	http_cancel(stream);
	http_cancel(ask(w, "/"));
	run_for(w, 5);
	ck_assert_uint_eq(w->gone, 2);
	ck_assert_uint_eq(w->requests, 2);
	ck_assert_uint_eq(w->failures + w->responses, 0);
}
END_TEST

START_TEST(goaway_in_the_middle)
{
	w->hold = true;
	ask(w, "/1");
	ck_assert(run_until(w, &w->requests, 1, 1000));
	http_server_goaway(w->server);
	/* crosses the GOAWAY: is not taken */
	ask(w, "/2");
	run_for(w, 5);
	ck_assert_uint_eq(w->requests, 1);
	ck_assert_uint_eq(w->failures, 1);
	ck_assert_int_eq(w->failure, HTTP_CLOSED);
	/* what was taken is answered, and new ones have a new connection */
	answer(w->open[0], "200", OCTETS(NULL, 0));
	w->hold = false;
	ask(w, "/3");
	ck_assert(run_until(w, &w->responses, 2, 1000));
	ck_assert_uint_eq(w->failures, 1);
	run_for(w, 5);
	ck_assert_uint_eq(http_client_connections(w->client), 1);
	ck_assert_uint_eq(http_server_connections(w->server), 1);
}
END_TEST

START_TEST(dropped)
{
	w->hold = true;
	ask(w, "/1");
	ask(w, "/2");
	ck_assert(run_until(w, &w->requests, 2, 1000));
	http_stream_drop(w->open[0]);
	/* its own stream goes without a word, the other is said to be gone */
	ck_assert_uint_eq(w->gone, 1);
	ck_assert(run_until(w, &w->failures, 2, 1000));
	ck_assert_int_eq(w->failure, HTTP_LOST);
	ask(w, "/3");
	ck_assert(run_until(w, &w->requests, 3, 1000));
	w->open_count = 0;
	http_server_drop(w->server);
	ck_assert(run_until(w, &w->failures, 3, 1000));
}
END_TEST

START_TEST(cut_off)
{
	w->hold = true;
	ask(w, "/1");
	ck_assert(run_until(w, &w->requests, 1, 1000));
	sim_network_cut(w->network, &server_address, true);
	http_client_close(w->client);
	w->client = http_client_new(w->tester, "amf", NULL, &server_address, NULL,
				    &(struct http_client_options){ .timeout_us = 60 * US_PER_S,
								   .connect_us = 30 * US_PER_S },
				    &w->text);
	ask(w, "/2");
	ck_assert(run_until(w, &w->failures, 1, 60000));
	ck_assert_int_eq(w->failure, HTTP_LOST);
	ck_assert_uint_eq(loop_now(w->loop) / US_PER_S, 10);
}
END_TEST

/* 300 streams, beyond what the server allows on a connection. */
START_TEST(many_streams)
{
	w->hold = true;
	for (int i = 0; i < 300; i++)
		ck_assert_ptr_nonnull(ask(w, "/"));
	run_for(w, 100);
	ck_assert_uint_eq(w->requests, 40);
	ck_assert_uint_eq(http_client_connections(w->client), 4);
	while (w->open_count)
		answer(w->open[--w->open_count], "200", OCTETS(NULL, 0));
	w->hold = false;
	ck_assert(run_until(w, &w->responses, 300, 1000));
	ck_assert_uint_eq(w->failures, 0);
}
END_TEST

static void begin_many(void)
{
	begin_with(&(struct http_limits){ .streams = 10 },
		   &(struct http_client_options){ .connections = 4 });
}

START_TEST(limits)
{
	static uint8_t body[2000];
	static char value[2000];
	struct http_header big[] = { HTTP_HEADER(":method", "GET"),
				     HTTP_HEADER(":path", "/"),
				     { HTTP_TEXT("x"), { (uint8_t *)value, sizeof(value) } } };

	memset(value, 'a', sizeof(value));
	ask_with(w, "/", OCTETS(body, sizeof(body)), NULL, 0);
	http_request(w->client, &(struct http_message){ .headers = big, .header_count = 3 },
		     &test_client, w, NULL);
	ck_assert(run_until(w, &w->failures, 2, 1000));
	ck_assert_int_eq(w->failure, HTTP_RESET);
	ck_assert_uint_eq(w->requests, 0);
	/* and no request at all */
	ck_assert_ptr_null(http_request(w->client,
					&(struct http_message){ .headers = big, .header_count = 1 },
					&test_client, w, &w->text));
	ck_assert_str_eq(w->why, "a request has a :method and a :path");
}
END_TEST

static void begin_limits(void)
{
	begin_with(&(struct http_limits){ .body = 1000, .header_list = 1000 }, NULL);
}

START_TEST(each_its_own_connection)
{
	for (int i = 0; i < 5; i++)
		ask(w, "/");
	ck_assert(run_until(w, &w->responses, 5, 1000));
	run_for(w, 5);
	ck_assert_uint_eq(http_server_connections(w->server), 0);
}
END_TEST

static void begin_once(void)
{
	begin_with(NULL, &(struct http_client_options){ .once = true });
}

/* Everything may be closed from within a callback. */
static void close_all(struct http_stream *stream, void *arg, const struct http_message *response)
{
	struct test_world *world_ = arg;

	(void)stream;
	(void)response;
	world_->responses++;
	http_free(world_->tester);
	http_free(world_->iut);
	world_->tester = world_->iut = NULL;
}

START_TEST(closed_in_a_callback)
{
	static const struct http_client_handler closing = { .response = close_all,
							    .failed = take_failure };
	const struct http_header headers[] = { HTTP_HEADER(":method", "GET"),
					       HTTP_HEADER(":path", "/") };

	for (int i = 0; i < 3; i++)
		http_request(w->client,
			     &(struct http_message){ .headers = headers, .header_count = 2 },
			     &closing, w, NULL);
	run_for(w, 100);
	ck_assert_uint_eq(w->responses, 1);
	ck_assert_uint_eq(w->failures, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("http sim");

	add_case(suite, "plain", begin, end,
		 TESTS(request_and_response, nobody_listens, silence,
		       answered_later_in_another_order, resets, taken_back, goaway_in_the_middle,
		       dropped, cut_off, closed_in_a_callback));
	add_case(suite, "many", begin_many, end, TESTS(many_streams));
	add_case(suite, "limits", begin_limits, end, TESTS(limits));
	add_case(suite, "once", begin_once, end, TESTS(each_its_own_connection));
	return run_suite(suite);
}
