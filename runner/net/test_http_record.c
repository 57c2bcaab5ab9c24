/*
 * What the record and the capture have of HTTP: tshark reads it, and no secret is in it. Without
 * tshark the test is skipped.
 */
#include <unistd.h>

#include "runner/net/test_certificates.h"
#include "runner/net/test_http.h"

static struct test_world world, *w = &world;
static char dir[] = "/tmp/spillway-http-XXXXXX";

static const char oci[] = "Timestamp: \"Tue, 04 Feb 2020 08:49:37 GMT\"; Period-of-Validity: 75s; "
			  "Overload-Reduction-Metric: 50%; "
			  "NF-Instance: 54804518-4191-46b3-955c-ac631f953ed8";

static void read_back(const char *command_format, char *out, size_t size)
{
	char command[900];
	FILE *pipe;
	size_t n;

	snprintf(command, sizeof(command), command_format, dir);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	n = fread(out, 1, size - 1, pipe);
	out[n] = '\0';
	pclose(pipe);
}

static void overloaded(struct http_stream *stream, void *arg, const struct http_message *request)
{
	static const char problem[] = "{\"status\":503,\"cause\":\"NF_CONGESTION\"}";
	static const char token[] =
		"{\"access_token\": \"c2VjcmV0\",\"token_type\":\"Bearer\",\"expires_in\":5}";
	static char large[200000];
	const struct octets *path = http_header(request, ":path");
	const bool asked_for_token = path->len > 7 && memcmp(path->data, "/oauth2", 7) == 0;
	struct http_header headers[] = {
		HTTP_HEADER(":status", asked_for_token ? "200" : "503"),
		HTTP_HEADER("content-type",
			    asked_for_token ? "application/json" : "application/problem+json"),
		HTTP_HEADER("retry-after", "5"),
		HTTP_HEADER("3gpp-sbi-oci", oci),
		{ HTTP_TEXT("x-long"), OCTETS((uint8_t *)large, 40000) },
	};
	struct http_message response = { .headers = headers, .header_count = 4 };
	struct test_world *test = arg;

	test->requests++;
	memset(large, 'a', sizeof(large));
	if (path->len == 5) {
		/* header lists and bodies that need several frames */
		response.header_count = 5;
		response.body = OCTETS((uint8_t *)large, sizeof(large));
	} else {
		response.body = asked_for_token ? HTTP_TEXT(token) : HTTP_TEXT(problem);
	}
	ck_assert_int_eq(http_respond(stream, &response), 0);
}

static void ask_path(const char *path)
{
	struct http_header headers[] = {
		HTTP_HEADER(":method", "GET"),
		HTTP_HEADER(":path", path),
		HTTP_HEADER("authorization", "Bearer c2VjcmV0"),
	};

	ck_assert_ptr_nonnull(http_request(
		w->client, &(struct http_message){ .headers = headers, .header_count = 3 },
		&test_client, w, NULL));
}

static void exchange(enum loop_kind kind, const struct http_tls *server_tls,
		     const struct http_tls *client_tls)
{
	static const struct http_server_handler handler = { overloaded, take_gone };
	struct http_options side = { 0 };
	struct net_address address;

	memset(w, 0, sizeof(*w));
	world_text(w);
	w->loop = loop_new(kind, 1);
	if (kind == LOOP_VIRTUAL)
		w->network = side.sim = sim_network_new(w->loop, &(struct sim_conditions){ 0 });
	w->record = record_open(dir, w->loop);
	ck_assert_ptr_nonnull(w->record);
	w->tester = http_new(w->loop, &side, w->record, &w->text);
	w->iut = http_new(w->loop, &side, NULL, &w->text);
	net_address_parse(&address, "127.0.0.1", 0);
	w->server = http_listen(w->iut, "nrf", &address, server_tls, &handler, w, &w->text);
	ck_assert_msg(w->server != NULL, "%s", w->why);
	w->client = http_client_new(w->tester, "amf", NULL, http_server_local(w->server),
				    client_tls, NULL, &w->text);
	ask_path("/nudm-sdm/v2/imsi-1/am-data");
	ask_path("/oauth2/token");
	ask_path("/long");
	ck_assert(run_until(w, &w->responses, 3, 5000));
	http_client_close(w->client);
	/* a second connection, and a reset */
	w->client = http_client_new(w->tester, "amf", NULL, http_server_local(w->server),
				    client_tls, NULL, &w->text);
	ask_path("/nudm-sdm/v2/imsi-2/am-data");
	ck_assert(run_until(w, &w->responses, 4, 5000));
	ask_path("/nudm-sdm/v2/imsi-3/am-data");
	http_client_drop(w->client);
	ck_assert(run_until(w, &w->failures, 1, 5000));
	world_free(w);
}

static void check_evidence(void)
{
	char out[8000];

	read_back("tshark -r %s/trace.pcapng -T fields -e http2.streamid -e http2.headers.method "
		  "-e http2.headers.path -e http2.headers.status -Y http2.headers -E separator=, "
		  "-E occurrence=f "
		  "2>/dev/null",
		  out, sizeof(out));
	ck_assert_str_eq(out, "1,GET,/nudm-sdm/v2/imsi-1/am-data,\n"
			      "3,GET,/oauth2/token,\n"
			      "5,GET,/long,\n"
			      "1,,,503\n"
			      "3,,,200\n"
			      "5,,,503\n"
			      "1,GET,/nudm-sdm/v2/imsi-2/am-data,\n"
			      "1,,,503\n"
			      "3,GET,/nudm-sdm/v2/imsi-3/am-data,\n");
	read_back("tshark -r %s/trace.pcapng -T fields -e http2.header.value -Y "
		  "'http2.header.name == \"3gpp-sbi-oci\" and http2.headers.status == 503' "
		  "2>/dev/null",
		  out, sizeof(out));
	ck_assert_msg(strstr(out, oci) != NULL, "%s", out);
	/* JSON, and a body of many frames put together */
	read_back(
		"tshark -r %s/trace.pcapng -T fields -e json.value.string -e http2.body.fragments "
		"-Y 'json or http2.body.fragments' 2>/dev/null | cut -c1-300",
		out, sizeof(out));
	ck_assert_msg(strstr(out, "NF_CONGESTION") != NULL, "%s", out);
	read_back("tshark -r %s/trace.pcapng "
		  "-Y '_ws.malformed or _ws.expert.severity >= \"Warning\"' 2>&1 | grep -v Running",
		  out, sizeof(out));
	ck_assert_str_eq(out, "");
	read_back("cat %1$s/events.jsonl %1$s/log.txt %1$s/trace.pcapng | "
		  "grep -a -c -e c2VjcmV0 -e 6332566a636d5630",
		  out, sizeof(out));
	ck_assert_str_eq(out, "0\n");
	read_back("grep -c '\"proto\":\"http2\",\"summary\":\"503 NF_CONGESTION, 3gpp-sbi-oci: "
		  "Timestamp' %s/events.jsonl",
		  out, sizeof(out));
	ck_assert_str_eq(out, "2\n");
}

START_TEST(virtual_time)
{
	exchange(LOOP_VIRTUAL, NULL, NULL);
	check_evidence();
}
END_TEST

START_TEST(over_tls)
{
	const char *directory = test_certificates();
	char cert[128], key[128];
	const struct http_tls server = { .cert = cert, .key = key }, client = { 0 };

	ck_assert_ptr_nonnull(directory);
	snprintf(cert, sizeof(cert), "%s/server.pem", directory);
	snprintf(key, sizeof(key), "%s/server.key", directory);
	exchange(LOOP_LIVE, &server, &client);
	check_evidence();
	test_certificates_remove();
}
END_TEST

static void nothing(void)
{
}

int main(void)
{
	Suite *suite = suite_create("http record");
	char command[64];
	int status;

	if (system("tshark --version >/dev/null 2>&1") != 0)
		return 77;
	if (!mkdtemp(dir))
		return EXIT_FAILURE;
	add_case(suite, "record", nothing, nothing, TESTS(virtual_time, over_tls));
	status = run_suite(suite);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) == 0 ? status : EXIT_FAILURE;
}
