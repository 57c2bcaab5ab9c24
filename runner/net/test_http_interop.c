/*
 * Public HTTP/2 programs against our server, and a public server against our client: nghttp,
 * h2load, curl and nghttpd. Those that are not installed are passed over; without any the test is
 * skipped.
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/net/test_certificates.h"
#include "runner/net/test_http.h"
#include "runner/net/transport.h"

static struct test_world world, *w = &world;
static const char *directory;
static char output[20000];
static pid_t child; /* that serves; none: 0 */

static bool installed(const char *program)
{
	char command[64];

	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", program);
	return system(command) == 0;
}

static void begin(void)
{
	struct http_options side = { 0 };

	memset(w, 0, sizeof(*w));
	world_text(w);
	w->loop = loop_new(LOOP_LIVE, 1);
	w->tester = http_new(w->loop, &side, NULL, &w->text);
	w->iut = http_new(w->loop, &side, NULL, &w->text);
}

static void end(void)
{
	if (child) {
		kill(child, SIGTERM);
		waitpid(child, NULL, 0);
		child = 0;
	}
	world_free(w);
}

static unsigned int serve(bool tls)
{
	struct net_address address;
	char cert[128], key[128];
	const struct http_tls files = { .cert = cert, .key = key };

	snprintf(cert, sizeof(cert), "%s/server.pem", directory);
	snprintf(key, sizeof(key), "%s/server.key", directory);
	net_address_parse(&address, "127.0.0.1", 0);
	w->server = http_listen(w->iut, "nrf", &address, tls ? &files : NULL, &test_server, w,
				&w->text);
	ck_assert_msg(w->server != NULL, "%s", w->why);
	return net_address_port(http_server_local(w->server));
}

static pid_t start(const char *command, const char *file)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		char shell[600];

		snprintf(shell, sizeof(shell), "exec %s >%s 2>&1", command, file);
		execl("/bin/sh", "sh", "-c", shell, (char *)NULL);
		_exit(127);
	}
	return pid;
}

/* Runs a program while our loop serves it; its exit status, its output in `output`. */
static int run(const char *command)
{
	char file[128];
	int status = -1;
	pid_t pid;
	FILE *f;
	size_t n;

	snprintf(file, sizeof(file), "%s/output", directory);
	pid = start(command, file);
	for (int i = 0; i < 2000 && waitpid(pid, &status, WNOHANG) == 0; i++)
		run_for(w, 10);
	if (!WIFEXITED(status))
		kill(pid, SIGKILL);
	f = fopen(file, "r");
	ck_assert_ptr_nonnull(f);
	n = fread(output, 1, sizeof(output) - 1, f);
	output[n] = '\0';
	fclose(f);
	unlink(file);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void load(const char *scheme, bool tls)
{
	char command[300];
	unsigned int port;

	if (!installed("h2load"))
		return;
	port = serve(tls);
	snprintf(command, sizeof(command), "h2load -n 3000 -c 10 -m 60 %s://127.0.0.1:%u/x", scheme,
		 port);
	ck_assert_int_eq(run(command), 0);
	ck_assert_msg(strstr(output, "3000 done, 3000 succeeded, 0 failed, 0 errored, 0 timeout"),
		      "%s", output);
	ck_assert_uint_eq(w->requests, 3000);
}

START_TEST(h2load_clear_text)
{
	load("http", false);
}
END_TEST

START_TEST(h2load_tls)
{
	load("https", true);
}
END_TEST

START_TEST(nghttp_with_body)
{
	char command[400];
	unsigned int port;

	if (!installed("nghttp"))
		return;
	port = serve(false);
	/* a body that has to be cut by windows both ways, and trailers */
	snprintf(command, sizeof(command),
		 "sh -c \"head -c 2000000 /dev/zero | nghttp -n -v --trailer 'x-check: 1' -d - "
		 "http://127.0.0.1:%u/body | tail -60\"",
		 port);
	run(command);
	ck_assert_uint_eq(w->requests, 1);
	ck_assert_uint_eq(w->last_body, 2000000);
	ck_assert_uint_eq(w->last_trailers, 1);
	ck_assert_msg(strstr(output, "RST_STREAM") == NULL, "%s", output);
}
END_TEST

START_TEST(curl)
{
	char command[300];
	unsigned int port;

	if (!installed("curl"))
		return;
	port = serve(false);
	snprintf(command, sizeof(command),
		 "curl -s --http2-prior-knowledge -d body -w ' %%{http_version} %%{http_code}' "
		 "http://127.0.0.1:%u/curl",
		 port);
	ck_assert_int_eq(run(command), 0);
	ck_assert_str_eq(output, "body 2 200");
	ck_assert_str_eq(w->last_path, "/curl");
}
END_TEST

static void against_nghttpd(bool tls)
{
	char command[700], file[128], ca[128];
	const struct http_tls files = { .ca = ca, .name = "nrf.example.com" };
	struct net_address address;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t len = sizeof(address);

	if (!installed("nghttpd"))
		return;
	/* a port that is free now */
	net_address_parse(&address, "127.0.0.1", 0);
	ck_assert_int_eq(bind(listener, &address.sa, net_address_len(&address)), 0);
	getsockname(listener, &address.sa, &len);
	close(listener);
	snprintf(ca, sizeof(ca), "%s/ca.pem", directory);
	snprintf(file, sizeof(file), "%s/output", directory);
	snprintf(command, sizeof(command),
		 "nghttpd -a 127.0.0.1 -d %s --echo-upload %s %u %s%s%s%s%s", directory,
		 tls ? "" : "--no-tls", net_address_port(&address), tls ? directory : "",
		 tls ? "/server.key " : "", tls ? directory : "", tls ? "/server.pem" : "", "");
	child = start(command, file);
	w->client = http_client_new(w->tester, "amf", NULL, &address, tls ? &files : NULL,
				    &(struct http_client_options){ .connections = 2 }, &w->text);
	ck_assert_msg(w->client != NULL, "%s", w->why);
	/* it needs a moment to listen */
	for (int i = 0; i < 100 && w->responses == 0; i++) {
		ask(w, "/ca.pem");
		run_until(w, &w->responses, 1, 50);
	}
	ck_assert_msg(w->status == 200, "%s", w->failed_why);
	ck_assert_uint_gt(w->body_len, 100);
	w->responses = w->failures = 0;
	for (int i = 0; i < 150; i++) {
		static uint8_t body[20000];

		ask_with(w, "/echo", OCTETS(body, sizeof(body)), NULL, 0);
	}
	ck_assert(run_until(w, &w->responses, 150, 10000));
	ck_assert_uint_eq(w->failures, 0);
	ck_assert_uint_eq(w->body_len, 20000);
	ask(w, "/nothing-here");
	ck_assert(run_until(w, &w->responses, 151, 10000));
	ck_assert_uint_eq(w->status, 404);
	unlink(file);
}

START_TEST(nghttpd_clear_text)
{
	against_nghttpd(false);
}
END_TEST

START_TEST(nghttpd_tls)
{
	against_nghttpd(true);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("http interop");
	int status;

	if (!installed("h2load") && !installed("nghttp") && !installed("nghttpd") &&
	    !installed("curl"))
		return 77;
	directory = test_certificates();
	if (!directory)
		return EXIT_FAILURE;
	add_case(suite, "interop", begin, end,
		 TESTS(h2load_clear_text, h2load_tls, nghttp_with_body, curl, nghttpd_clear_text,
		       nghttpd_tls));
	status = run_suite(suite);
	test_certificates_remove();
	return status;
}
