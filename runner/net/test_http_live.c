/* Our client against our server over sockets, in clear text and over TLS. */
#include "runner/net/test_certificates.h"
#include "runner/net/test_http.h"

static struct test_world world, *w = &world;
static struct http_tls server_tls, client_tls;
static char paths[6][128];

enum { CA, OTHER_CA, SERVER_CERT, SERVER_KEY, CLIENT_CERT, CLIENT_KEY };

static void make_sides(const struct http_limits *limits)
{
	struct http_options side = { 0 };

	memset(w, 0, sizeof(*w));
	world_text(w);
	w->loop = loop_new(LOOP_LIVE, 1);
	w->tester = http_new(w->loop, &side, NULL, &w->text);
	if (limits)
		side.limits = *limits;
	w->iut = http_new(w->loop, &side, NULL, &w->text);
	ck_assert_ptr_nonnull(w->tester);
	ck_assert_ptr_nonnull(w->iut);
}

static void connect_sides(const struct http_tls *server, const struct http_tls *client,
			  const struct http_client_options *options)
{
	struct net_address address;

	net_address_parse(&address, "127.0.0.1", 0);
	w->server = http_listen(w->iut, "nrf", &address, server, &test_server, w, &w->text);
	ck_assert_msg(w->server != NULL, "%s", w->why);
	address = *http_server_local(w->server);
	w->client = http_client_new(w->tester, "amf", NULL, &address, client, options, &w->text);
	ck_assert_msg(w->client != NULL, "%s", w->why);
}

static void begin(void)
{
	make_sides(NULL);
	connect_sides(NULL, NULL, NULL);
}

static void end(void)
{
	world_free(w);
}

/* --- clear text ------------------------------------------------------------------------------- */

START_TEST(request_and_response)
{
	static uint8_t body[3000000];
	const struct http_header trailer = HTTP_HEADER("x-check", "1");

	for (size_t i = 0; i < sizeof(body); i++)
		body[i] = (uint8_t)(i * 7 + i / 1000);
	ck_assert_ptr_nonnull(ask(w, "/a?b=c"));
	ck_assert(run_until(w, &w->responses, 1, 5000));
	ck_assert_uint_eq(w->status, 200);
	ck_assert_str_eq(w->last_path, "/a?b=c");
	/* larger than every window on the way */
	ask_with(w, "/b", OCTETS(body, sizeof(body)), &trailer, 1);
	ck_assert(run_until(w, &w->responses, 2, 5000));
	ck_assert_uint_eq(w->body_len, sizeof(body));
	ck_assert_uint_eq(w->body_sum, sum_of(OCTETS(body, sizeof(body))));
	ck_assert_uint_eq(w->last_trailers, 1);
	ck_assert_uint_eq(http_client_connections(w->client), 1);
}
END_TEST

START_TEST(trailers_of_a_response)
{
	const struct http_header headers[] = { HTTP_HEADER(":status", "200") };
	const struct http_header trailers[] = { HTTP_HEADER("x-a", "1"), HTTP_HEADER("x-b", "2") };

	w->hold = true;
	ask(w, "/");
	ask(w, "/");
	ck_assert(run_until(w, &w->requests, 2, 5000));
	/* with a body, and without */
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(
			http_respond(w->open[i],
				     &(struct http_message){ .headers = headers,
							     .header_count = 1,
							     .trailers = trailers,
							     .trailer_count = 2,
							     .body = HTTP_TEXT(i ? "" : "body") }),
			0);
		ck_assert(run_until(w, &w->responses, (size_t)i + 1, 5000));
		ck_assert_uint_eq(w->trailers, 2);
		ck_assert_uint_eq(w->body_len, i ? 0 : 4);
	}
}
END_TEST

START_TEST(many_streams)
{
	w->hold = true;
	for (int i = 0; i < 300; i++)
		ck_assert_ptr_nonnull(ask(w, "/"));
	ck_assert(run_until(w, &w->requests, 300, 5000));
	ck_assert_uint_eq(http_client_connections(w->client), 3);
	while (w->open_count)
		answer(w->open[--w->open_count], "200", OCTETS(NULL, 0));
	ck_assert(run_until(w, &w->responses, 300, 5000));
	/* and more than may be open at a time */
	w->hold = false;
	for (int i = 0; i < 1000; i++)
		ask(w, "/");
	ck_assert(run_until(w, &w->responses, 1300, 10000));
	ck_assert_uint_eq(w->failures, 0);
	ck_assert_uint_le(http_client_connections(w->client), 4);
}
END_TEST

static void begin_many(void)
{
	make_sides(NULL);
	connect_sides(NULL, NULL, &(struct http_client_options){ .connections = 4 });
}

/* The server allows fewer streams than the client would open. */
START_TEST(peer_limits_streams)
{
	w->hold = true;
	for (int i = 0; i < 30; i++)
		ask(w, "/");
	run_for(w, 200);
	ck_assert_uint_eq(w->requests, 10);
	w->hold = false;
	while (w->open_count)
		answer(w->open[--w->open_count], "200", OCTETS(NULL, 0));
	ck_assert(run_until(w, &w->responses, 30, 5000));
}
END_TEST

static void begin_few(void)
{
	make_sides(&(struct http_limits){ .streams = 10, .body = 100000, .header_list = 1000 });
	connect_sides(NULL, NULL, NULL);
}

START_TEST(server_limits)
{
	static uint8_t body[200000];
	static char value[2000];
	struct http_header big[] = { HTTP_HEADER(":method", "GET"),
				     HTTP_HEADER(":path", "/"),
				     { HTTP_TEXT("x"), { (uint8_t *)value, sizeof(value) } } };

	ask_with(w, "/", OCTETS(body, sizeof(body)), NULL, 0);
	ck_assert(run_until(w, &w->failures, 1, 5000));
	ck_assert_int_eq(w->failure, HTTP_RESET);
	ck_assert_str_eq(w->failed_why, "the stream was reset (ENHANCE_YOUR_CALM)");
	memset(value, 'a', sizeof(value));
	http_request(w->client, &(struct http_message){ .headers = big, .header_count = 3 },
		     &test_client, w, NULL);
	ck_assert(run_until(w, &w->failures, 2, 5000));
	ck_assert_int_eq(w->failure, HTTP_RESET);
	ck_assert_uint_eq(w->requests, 0);
	/* the connection bears it */
	ask(w, "/");
	ck_assert(run_until(w, &w->responses, 1, 5000));
	ck_assert_uint_eq(http_server_connections(w->server), 1);
}
END_TEST

START_TEST(client_limits)
{
	static uint8_t body[6 << 20];
	const struct http_header headers[] = { HTTP_HEADER(":status", "200") };

	w->hold = true;
	ask(w, "/");
	ck_assert(run_until(w, &w->requests, 1, 5000));
	ck_assert_int_eq(http_respond(w->open[0],
				      &(struct http_message){ .headers = headers,
							      .header_count = 1,
							      .body = OCTETS(body, sizeof(body)) }),
			 0);
	ck_assert(run_until(w, &w->failures, 1, 5000));
	ck_assert_int_eq(w->failure, HTTP_LIMIT);
}
END_TEST

static void begin_generous(void)
{
	make_sides(&(struct http_limits){ .body = 8 << 20 });
	connect_sides(NULL, NULL, NULL);
}

START_TEST(goaway_in_the_middle)
{
	w->hold = true;
	ask(w, "/1");
	ask(w, "/2");
	ck_assert(run_until(w, &w->requests, 2, 5000));
	http_server_goaway(w->server);
	ask(w, "/3");
	ck_assert(run_until(w, &w->failures, 1, 5000));
	ck_assert_int_eq(w->failure, HTTP_CLOSED);
	ck_assert_str_eq(w->failed_why,
			 "the server went away before it took the request (GOAWAY NO_ERROR)");
	answer(w->open[0], "200", OCTETS(NULL, 0));
	answer(w->open[1], "200", OCTETS(NULL, 0));
	ck_assert(run_until(w, &w->responses, 2, 5000));
	w->hold = false;
	ask(w, "/4");
	ck_assert(run_until(w, &w->responses, 3, 5000));
	run_for(w, 50);
	ck_assert_uint_eq(http_server_connections(w->server), 1);
	ck_assert_uint_eq(w->failures, 1);
}
END_TEST

START_TEST(resets)
{
	static uint8_t body[1000];
	const struct http_header headers[] = { HTTP_HEADER(":status", "200") };
	const struct http_message part = { .headers = headers,
					   .header_count = 1,
					   .body = OCTETS(body, sizeof(body)) };

	w->hold = true;
	for (int i = 0; i < 3; i++)
		ask(w, "/");
	ck_assert(run_until(w, &w->requests, 3, 5000));
	http_reset(w->open[0], HTTP_REFUSED_STREAM);
	ck_assert(run_until(w, &w->failures, 1, 5000));
	ck_assert_str_eq(w->failed_why, "the stream was reset (REFUSED_STREAM)");
	ck_assert_int_eq(http_respond_partly(w->open[1], &part, HTTP_INTERNAL_ERROR), 0);
	ck_assert(run_until(w, &w->failures, 2, 5000));
	ck_assert_str_eq(w->failed_why, "the stream was reset (INTERNAL_ERROR)");
	/* half open until the client gives it up */
	ck_assert_int_eq(http_respond_partly(w->open[2], &part, HTTP_NO_ERROR), 0);
	run_for(w, 100);
	ck_assert_uint_eq(w->failures, 2);
	ck_assert(run_until(w, &w->failures, 3, 5000));
	ck_assert_int_eq(w->failure, HTTP_TIMEOUT);
	ck_assert_uint_eq(w->responses, 0);
	ck_assert_uint_eq(http_client_connections(w->client), 1);
}
END_TEST

static void begin_impatient(void)
{
	make_sides(NULL);
	connect_sides(NULL, NULL, &(struct http_client_options){ .timeout_us = 500 * US_PER_MS });
}

START_TEST(taken_back)
{
	struct http_stream *stream;

	w->hold = true;
	stream = ask(w, "/");
	ck_assert(run_until(w, &w->requests, 1, 5000));
	http_cancel(stream);
	ck_assert(run_until(w, &w->gone, 1, 5000));
	ck_assert_uint_eq(w->failures, 0);
	ck_assert_uint_eq(w->open_count, 0);
}
END_TEST

START_TEST(dropped)
{
	w->hold = true;
	ask(w, "/1");
	ask(w, "/2");
	ck_assert(run_until(w, &w->requests, 2, 5000));
	http_stream_drop(w->open[0]);
	ck_assert_uint_eq(w->gone, 1);
	ck_assert(run_until(w, &w->failures, 2, 5000));
	ck_assert_int_eq(w->failure, HTTP_LOST);
	ck_assert_str_eq(w->failed_why, "the connection broke: Connection reset by peer");
	ask(w, "/3");
	ck_assert(run_until(w, &w->requests, 3, 5000));
	http_server_close(w->server);
	ck_assert(run_until(w, &w->failures, 3, 5000));
	ck_assert_int_eq(w->failure, HTTP_CLOSED);
}
END_TEST

START_TEST(nobody_listens)
{
	http_server_close(w->server);
	ask(w, "/");
	ask(w, "/");
	ck_assert(run_until(w, &w->failures, 2, 5000));
	ck_assert_int_eq(w->failure, HTTP_REFUSED);
	ck_assert_str_eq(w->failed_why, "connection refused: nobody listens there");
}
END_TEST

START_TEST(address_in_use)
{
	ck_assert_ptr_null(http_listen(w->tester, "other", http_server_local(w->server), NULL,
				       &test_server, w, &w->text));
	ck_assert_msg(strstr(w->why, ": Address already in use") != NULL, "%s", w->why);
}
END_TEST

static void close_all(struct http_stream *stream, void *arg, const struct http_message *response)
{
	(void)stream;
	(void)arg;
	(void)response;
	w->responses++;
	http_free(w->tester);
	http_free(w->iut);
	w->tester = w->iut = NULL;
}

START_TEST(closed_in_a_callback)
{
	static const struct http_client_handler closing = { close_all, take_failure };
	const struct http_header headers[] = { HTTP_HEADER(":method", "GET"),
					       HTTP_HEADER(":path", "/") };

	for (int i = 0; i < 3; i++)
		http_request(w->client,
			     &(struct http_message){ .headers = headers, .header_count = 2 },
			     &closing, w, NULL);
	ck_assert(run_until(w, &w->responses, 1, 5000));
	run_for(w, 50);
	ck_assert_uint_eq(w->responses, 1);
}
END_TEST

/* --- TLS -------------------------------------------------------------------------------------- */

static void begin_tls(void)
{
	make_sides(NULL);
	server_tls = (struct http_tls){ .cert = paths[SERVER_CERT], .key = paths[SERVER_KEY] };
	client_tls = (struct http_tls){ .ca = paths[CA], .name = "nrf.example.com" };
}

static void tls_works(void)
{
	static uint8_t body[300000];

	connect_sides(&server_tls, &client_tls, NULL);
	for (int i = 0; i < 5; i++)
		ask_with(w, "/", OCTETS(body, sizeof(body)), NULL, 0);
	ck_assert_msg(run_until(w, &w->responses, 5, 5000), "%s", w->failed_why);
	ck_assert_uint_eq(w->body_len, sizeof(body));
}

static void tls_fails(enum http_failure failure, const char *why)
{
	connect_sides(&server_tls, &client_tls, NULL);
	ask(w, "/");
	ck_assert(run_until(w, &w->failures, 1, 5000));
	ck_assert_int_eq(w->failure, failure);
	ck_assert_msg(strstr(w->failed_why, why) != NULL, "%s", w->failed_why);
	ck_assert_uint_eq(w->requests, 0);
}

START_TEST(tls_1_3)
{
	tls_works();
}
END_TEST

START_TEST(tls_1_2)
{
	server_tls.only_1_2 = true;
	tls_works();
}
END_TEST

START_TEST(tls_both_certificates)
{
	server_tls.ca = paths[CA];
	server_tls.client_certificate = true;
	client_tls.cert = paths[CLIENT_CERT];
	client_tls.key = paths[CLIENT_KEY];
	tls_works();
}
END_TEST

START_TEST(tls_any_certificate)
{
	client_tls.ca = NULL;
	client_tls.name = NULL;
	tls_works();
}
END_TEST

START_TEST(tls_wrong_ca)
{
	client_tls.ca = paths[OTHER_CA];
	tls_fails(HTTP_TLS, "TLS: the certificate of the peer is not accepted: unable to get local "
			    "issuer certificate");
}
END_TEST

START_TEST(tls_wrong_name)
{
	client_tls.name = "ausf.example.com";
	tls_fails(HTTP_TLS, "hostname mismatch");
}
END_TEST

START_TEST(tls_no_client_certificate)
{
	server_tls.ca = paths[CA];
	server_tls.client_certificate = true;
	tls_fails(HTTP_TLS, "certificate required");
}
END_TEST

START_TEST(tls_bad_files)
{
	struct net_address address;

	net_address_parse(&address, "127.0.0.1", 0);
	server_tls.key = paths[CLIENT_KEY];
	ck_assert_ptr_null(
		http_listen(w->iut, "nrf", &address, &server_tls, &test_server, w, &w->text));
	ck_assert_ptr_nonnull(strstr(w->why, "TLS: cannot use the key"));
	world_text(w);
	client_tls.ca = "/nowhere";
	ck_assert_ptr_null(
		http_client_new(w->tester, "amf", NULL, &address, &client_tls, NULL, &w->text));
	ck_assert_ptr_nonnull(strstr(w->why, "TLS: cannot use the CA /nowhere"));
}
END_TEST

/* One side speaks TLS, the other does not. */
START_TEST(tls_against_clear_text)
{
	connect_sides(NULL, &client_tls, NULL);
	ask(w, "/");
	ck_assert(run_until(w, &w->failures, 1, 8000));
	ck_assert_int_ne(w->failure, HTTP_TIMEOUT);
}
END_TEST

START_TEST(clear_text_against_tls)
{
	connect_sides(&server_tls, NULL, NULL);
	ask(w, "/");
	ck_assert(run_until(w, &w->failures, 1, 8000));
	ck_assert_int_ne(w->failure, HTTP_TIMEOUT);
}
END_TEST

int main(void)
{
	static const char *const names[] = { "ca.pem",	   "other-ca.pem", "server.pem",
					     "server.key", "client.pem",   "client.key" };
	Suite *suite = suite_create("http live");
	const char *directory = test_certificates();
	int status;

	for (size_t i = 0; directory && i < sizeof(names) / sizeof(names[0]); i++)
		snprintf(paths[i], sizeof(paths[i]), "%s/%s", directory, names[i]);
	add_case(suite, "plain", begin, end,
		 TESTS(request_and_response, trailers_of_a_response, goaway_in_the_middle,
		       taken_back, dropped, nobody_listens, address_in_use, closed_in_a_callback));
	add_case(suite, "many", begin_many, end, TESTS(many_streams));
	add_case(suite, "limits", begin_few, end, TESTS(peer_limits_streams, server_limits));
	add_case(suite, "generous", begin_generous, end, TESTS(client_limits));
	add_case(suite, "impatient", begin_impatient, end, TESTS(resets));
	add_case(suite, "tls", begin_tls, end,
		 TESTS(tls_1_3, tls_1_2, tls_both_certificates, tls_any_certificate, tls_wrong_ca,
		       tls_wrong_name, tls_no_client_certificate, tls_bad_files,
		       tls_against_clear_text, clear_text_against_tls));
	status = directory ? run_suite(suite) : EXIT_FAILURE;
	test_certificates_remove();
	return status;
}
