#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/case/control.h"

static char base[] = "/tmp/spillway-control-XXXXXX";
static char script[128], trace[128];
static struct profile *profile;
static struct loop *loop;
static struct control *control;
static char *command[] = { script, NULL };

static void setup(void)
{
	profile = profile_builtin(ROLE_AMF);
	loop = loop_new(LOOP_LIVE, 1);
	ck_assert(profile && loop);
	control = NULL;
	profile->control_timeout = 2 * US_PER_S;
	unlink(trace);
}

static void teardown(void)
{
	control_close(control);
	loop_free(loop);
	profile->control_command = NULL;
	profile_free(profile);
}

static void open_control(void)
{
	struct control_options options = { .profile = profile, .loop = loop };
	struct text why;
	char buf[256];

	text_init(&why, buf, sizeof(buf));
	control = control_open(&options, &why);
	ck_assert_msg(control != NULL, "%s", why.buf);
}

static bool ended(void *arg)
{
	return control_ended(arg);
}

/* Runs one action to its end; at most 10 s. */
static struct control_action *act(const char *words)
{
	struct control_action *action;

	if (!control)
		open_control();
	action = control_start(control, words);
	ck_assert_ptr_nonnull(action);
	ck_assert_msg(loop_run(loop, loop_now(loop) + 10 * US_PER_S, ended, action),
		      "\"%s\" did not end", words);
	return action;
}

static void use_script(const char *text)
{
	FILE *file = fopen(script, "w");

	ck_assert_ptr_nonnull(file);
	fprintf(file, "#!/bin/sh\nTRACE=%s\n%s\n", trace, text);
	fclose(file);
	ck_assert_int_eq(chmod(script, 0755), 0);
	profile->control = CONTROL_EXEC;
	profile->control_command = command;
}

static const char *read_trace(void)
{
	static char buf[8192];
	FILE *file = fopen(trace, "r");
	size_t n = file ? fread(buf, 1, sizeof(buf) - 1, file) : 0;

	buf[n] = '\0';
	if (file)
		fclose(file);
	return buf;
}

START_TEST(words)
{
	static struct control_words w;

	ck_assert_int_eq(control_words_parse(&w, "nas-congestion state=on t3346=60", NULL), 0);
	ck_assert_str_eq(w.name, "nas-congestion");
	ck_assert_uint_eq(w.count, 2);
	ck_assert_str_eq(control_words_value(&w, "t3346"), "60");
	ck_assert_ptr_null(control_words_value(&w, "state="));
	ck_assert_int_eq(control_words_parse(&w, "reset", NULL), 0);
	ck_assert_int_eq(control_words_parse(&w, "a b=c=d e=", NULL), 0);
	ck_assert_str_eq(control_words_value(&w, "b"), "c=d");
	ck_assert_str_eq(control_words_value(&w, "e"), "");
	ck_assert_int_eq(control_words_parse(&w, "", NULL), -EINVAL);
	ck_assert_int_eq(control_words_parse(&w, "a=b", NULL), -EINVAL);
	ck_assert_int_eq(control_words_parse(&w, "a b", NULL), -EINVAL);
	ck_assert_int_eq(control_words_parse(&w, "a =b", NULL), -EINVAL);
	ck_assert_int_eq(control_words_parse(&w, "a b=\x01", NULL), -EINVAL);
	ck_assert_int_eq(control_words_parse(&w, "a b=\xc3\xa4", NULL), -EINVAL);
}
END_TEST

START_TEST(limits)
{
	static struct control_words w;

	profile->control_timeout = 10 * US_PER_S;
	control_words_parse(&w, "attempts count=1000 rate=50", NULL);
	ck_assert_uint_eq(control_limit(profile, &w), 30 * US_PER_S);
	control_words_parse(&w, "sessions count=1000 rate=50 duration=60", NULL);
	ck_assert_uint_eq(control_limit(profile, &w), 70 * US_PER_S);
	control_words_parse(&w, "sessions count=1e300 rate=1e-300 duration=nan", NULL);
	ck_assert_uint_le(control_limit(profile, &w), 86410 * US_PER_S);
	control_words_parse(&w, "load percent=50", NULL);
	ck_assert_uint_eq(control_limit(profile, &w), 10 * US_PER_S);
}
END_TEST

START_TEST(exec_done)
{
	struct control_action *action;
	double value;

	use_script(
		"echo \"$#:$1:$2:$3\" >$TRACE; echo noise; echo '{\"offered\":1000,\"s\":\"x\"}'");
	action = act("attempts count=1 cause=$(reboot);`x`");
	ck_assert_int_eq(control_outcome(action), CONTROL_DONE);
	/* word by word, through no shell */
	ck_assert_str_eq(read_trace(), "3:attempts:count=1:cause=$(reboot);`x`\n");
	ck_assert(control_figure(action, "offered", &value) && value == 1000);
	ck_assert(!control_figure(action, "s", &value));
	ck_assert(!control_figure(action, "rejected", &value));
	ck_assert_str_eq(control_reply(action), "{\"offered\":1000,\"s\":\"x\"}");
	ck_assert_str_eq(control_reason(action), "");
	control_release(action);
}
END_TEST

/* How the program behaves, and what becomes of the action. */
static const struct {
	const char *script;
	enum control_result outcome;
	const char *reason; /* a part of it */
	const char *reply;
} programs[] = {
	{ "exit 0", CONTROL_DONE, "", "" },
	{ "exit 3", CONTROL_NOT_SUPPORTED, "not supported", "" },
	{ "exit 1", CONTROL_FAILED, "exit status is 1", "" },
	{ "exit 255", CONTROL_FAILED, "exit status is 255", "" },
	{ "echo one >&2; echo the lab is closed >&2; exit 1", CONTROL_FAILED,
	  "exit status is 1: the lab is closed", "" },
	{ "printf 'no such action' >&2; exit 3", CONTROL_NOT_SUPPORTED,
	  "the adapter says so: no such action", "" },
	{ "head -c 5000 /dev/zero | tr '\\0' x >&2; exit 2", CONTROL_FAILED, "xxx ...", "" },
	{ "kill -9 $$", CONTROL_FAILED, "signal 9", "" },
	{ "kill -SEGV $$", CONTROL_FAILED, "signal 11", "" },
	{ "sleep 60", CONTROL_FAILED, "no end after", "" },
	{ "trap '' TERM INT; sleep 60 & wait", CONTROL_FAILED, "no end after", "" },
	{ "exec >&- 2>&-; sleep 60", CONTROL_FAILED, "no end after", "" },
	{ "yes", CONTROL_FAILED, "more than 262144 octets", "" },
	{ "yes >&2", CONTROL_FAILED, "more than 262144 octets", "" },
	{ "cat /dev/zero", CONTROL_FAILED, "more than 262144 octets", "" },
	{ "sleep 7 & exit 0", CONTROL_DONE, "", "" }, /* holds the pipes open */
	{ "printf '{\"a\":1}'", CONTROL_DONE, "", "{\"a\":1}" },
	{ "printf '{\"a\":1}\\r\\n\\n\\n'", CONTROL_DONE, "", "{\"a\":1}" },
	{ "echo '{\"a\":1}'; echo later", CONTROL_DONE, "", "" },
	{ "echo '{\"a\":'", CONTROL_DONE, "", "" },
	{ "echo '{\"a\":1,\"a\":2}'", CONTROL_DONE, "", "" },
	{ "echo '[1]'", CONTROL_DONE, "", "" },
	{ "printf '{\"a\":\"\\377\"}\\n'", CONTROL_DONE, "", "" },
	{ "printf '\\000\\001{\"a\":1}\\n'", CONTROL_DONE, "", "" },
	{ "i=0; while [ $i -lt 3000 ]; do printf '{\"a\":'; i=$((i+1)); done", CONTROL_DONE, "",
	  "" },
	{ "head -c 100000 /dev/zero | tr '\\0' '{'", CONTROL_DONE, "", "" },
	{ "i=0; while [ $i -lt 1000 ]; do echo line $i >&2; i=$((i+1)); done", CONTROL_DONE, "",
	  "" },
};

START_TEST(exec_behaviour)
{
	struct control_action *action;

	profile->control_timeout = 300 * US_PER_MS;
	use_script(programs[_i].script);
	if (!strstr(programs[_i].reason, "no end"))
		profile->control_timeout = 5 * US_PER_S;
	action = act("load percent=90");
	ck_assert_msg(control_outcome(action) == programs[_i].outcome, "%s: %s",
		      programs[_i].script, control_reason(action));
	ck_assert_msg(strstr(control_reason(action), programs[_i].reason) != NULL, "%s: %s",
		      programs[_i].script, control_reason(action));
	ck_assert_str_eq(control_reply(action), programs[_i].reply);
	control_release(action);
}
END_TEST

START_TEST(exec_not_there)
{
	static char nowhere[] = "/nonexistent/adapter";
	static char *nothing[] = { nowhere, NULL };
	struct control_action *action;

	profile->control = CONTROL_EXEC;
	profile->control_command = nothing;
	action = act("reset");
	ck_assert_int_eq(control_outcome(action), CONTROL_FAILED);
	ck_assert_ptr_nonnull(strstr(control_reason(action), "No such file"));
	control_release(action);
	use_script("exit 0");
	chmod(script, 0644);
	action = act("reset");
	ck_assert_int_eq(control_outcome(action), CONTROL_FAILED);
	control_release(action);
}
END_TEST

static int process_count(const char *word)
{
	char line[256];
	FILE *pipe;
	int n;

	snprintf(line, sizeof(line), "pgrep -fc '%s'", word);
	pipe = popen(line, "r");
	ck_assert_ptr_nonnull(pipe);
	n = fgets(line, sizeof(line), pipe) ? atoi(line) : 0;
	pclose(pipe);
	return n;
}

/* What was killed takes a moment to go, and it is not ours to wait for. */
static int left_after_a_while(const char *word)
{
	int count = process_count(word);

	for (int tries = 0; count > 0 && tries < 100; tries++) {
		usleep(50000);
		count = process_count(word);
	}
	return count;
}

/* Whatever a program that took too long has started dies with it. */
START_TEST(exec_group_dies)
{
	struct control_action *action;
	char mark[64];

	snprintf(mark, sizeof(mark), "[s]leep 61.%d", (int)getpid());
	profile->control_timeout = 300 * US_PER_MS;
	use_script("");
	{
		char text[256];

		snprintf(text, sizeof(text), "sleep 61.%d & sleep 61.%d", (int)getpid(),
			 (int)getpid());
		use_script(text);
	}
	action = act("load percent=1");
	ck_assert_int_eq(control_outcome(action), CONTROL_FAILED);
	control_release(action);
	ck_assert_int_eq(left_after_a_while(mark), 0);

	/* the same where the case ends before the action does */
	action = control_start(control, "load percent=2");
	loop_run(loop, loop_now(loop) + 100 * US_PER_MS, NULL, NULL);
	ck_assert_int_gt(process_count(mark), 0);
	control_close(control);
	control = NULL;
	ck_assert_int_eq(left_after_a_while(mark), 0);
}
END_TEST

static int ticks;

static void tick(struct timer *timer, void *arg)
{
	(void)arg;
	ticks++;
	timer_start(timer, 10 * US_PER_MS);
}

/* The loop goes on while programs run, and several run at a time. */
START_TEST(exec_does_not_block)
{
	struct control_action *actions[8];
	struct timer timer;
	uint64_t before = loop_now(loop);

	use_script("sleep 0.4; echo \"{\\\"n\\\":${2#n=}}\"");
	open_control();
	timer_init(&timer, loop, "tick", tick, NULL);
	timer_start(&timer, 1);
	ticks = 0;
	for (int i = 0; i < 8; i++) {
		char text[32];

		snprintf(text, sizeof(text), "x n=%d", i);
		actions[i] = control_start(control, text);
		ck_assert(!control_ended(actions[i]));
	}
	for (int i = 0; i < 8; i++) {
		double n;

		ck_assert(loop_run(loop, before + 10 * US_PER_S, ended, actions[i]));
		ck_assert_int_eq(control_outcome(actions[i]), CONTROL_DONE);
		ck_assert(control_figure(actions[i], "n", &n) && n == i);
	}
	ck_assert_int_gt(ticks, 15);
	ck_assert_uint_lt(loop_now(loop) - before, 3 * US_PER_S);
	timer_stop(&timer);
}
END_TEST

START_TEST(too_many)
{
	struct control_action *first;

	use_script("sleep 5");
	open_control();
	first = control_start(control, "x");
	for (int i = 1; i < CONTROL_ACTIONS_MAX; i++)
		ck_assert_ptr_nonnull(control_start(control, "x"));
	ck_assert_ptr_null(control_start(control, "x"));
	control_release(first);
	ck_assert_ptr_nonnull(control_start(control, "x"));
}
END_TEST

/* --- http ---------------------------------------------------------------------------------------
 */

static pid_t server;
static char url[64];

static void answer(int fd, const char *request)
{
	static const char ok[] = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{\"offered\":5}";
	FILE *file = fopen(trace, "w");
	char junk[4096];

	if (file) {
		fputs(request, file);
		fclose(file);
	}
	if (strstr(request, "/ok"))
		dprintf(fd, "%s", ok);
	else if (strstr(request, "/empty"))
		dprintf(fd, "HTTP/1.1 204 No Content\r\n\r\n");
	else if (strstr(request, "/501"))
		dprintf(fd, "HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\n\r\n");
	else if (strstr(request, "/500"))
		dprintf(fd, "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n");
	else if (strstr(request, "/503"))
		dprintf(fd, "HTTP/1.1 503 Oh\r\nContent-Length: 38\r\n\r\n\r\nthe lab is "
			    "\x1b[2Jclosed\r\ncome back later");
	else if (strstr(request, "/moved"))
		dprintf(fd, "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n");
	else if (strstr(request, "/chunks"))
		dprintf(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n"
			    "3\r\n:2}\r\n0\r\n\r\n");
	else if (strstr(request, "/text"))
		dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
	else if (strstr(request, "/garbage"))
		dprintf(fd, "\x01\x02\x03 what\r\n\r\n");
	else if (strstr(request, "/half"))
		dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{");
	else if (strstr(request, "/slow"))
		sleep(5);
	memset(junk, ' ', sizeof(junk));
	if (strstr(request, "/huge")) {
		dprintf(fd, "HTTP/1.1 200 OK\r\n\r\n");
		while (write(fd, junk, sizeof(junk)) > 0)
			continue;
	}
	if (strstr(request, "/header")) {
		dprintf(fd, "HTTP/1.1 200 OK\r\nX: ");
		while (write(fd, junk, sizeof(junk)) > 0)
			continue;
	}
}

static void serve(int listener)
{
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		int fd = accept(listener, NULL, NULL);
		char request[8192];
		size_t n = 0;

		if (fd < 0)
			_exit(0);
		if (fork() != 0) {
			close(fd);
			while (waitpid(-1, NULL, WNOHANG) > 0)
				continue;
			continue;
		}
		/* the whole of it: the body ends with the brace of the object */
		while (n < sizeof(request) - 1) {
			ssize_t got = read(fd, request + n, sizeof(request) - 1 - n);

			if (got <= 0)
				break;
			n += (size_t)got;
			request[n] = '\0';
			if (strstr(request, "\r\n\r\n") && request[n - 1] == '}')
				break;
		}
		request[n] = '\0';
		answer(fd, request);
		close(fd);
		_exit(0);
	}
}

static void start_server(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(fd, 16) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) != 0)
		exit(1);
	snprintf(url, sizeof(url), "http://127.0.0.1:%u", ntohs(address.sin_port));
	server = fork();
	if (server == 0)
		serve(fd);
	close(fd);
}

static const struct {
	const char *path;
	enum control_result outcome;
	const char *reason;
	const char *reply;
} pages[] = {
	{ "/ok", CONTROL_DONE, "", "{\"offered\":5}" },
	{ "/empty", CONTROL_DONE, "", "" },
	{ "/chunks", CONTROL_DONE, "", "{\"a\":2}" },
	{ "/text", CONTROL_DONE, "", "" },
	{ "/501", CONTROL_NOT_SUPPORTED, "not supported", "" },
	{ "/500", CONTROL_FAILED, "status is 500", "" },
	{ "/503", CONTROL_FAILED, "status is 503: the lab is ?[2Jclosed", "" },
	{ "/moved", CONTROL_FAILED, "status is 302", "" },
	{ "/garbage", CONTROL_FAILED, "http://127.0.0.1", "" },
	{ "/half", CONTROL_FAILED, "http://127.0.0.1", "" },
	{ "/close", CONTROL_FAILED, "http://127.0.0.1", "" },
	{ "/slow", CONTROL_FAILED, "no end after", "" },
	{ "/huge", CONTROL_FAILED, "more than 65536 octets", "" },
	{ "/header", CONTROL_FAILED, "http://127.0.0.1", "" },
};

START_TEST(http_behaviour)
{
	struct control_action *action;
	char whole[128];

	snprintf(whole, sizeof(whole), "%s%s", url, pages[_i].path);
	profile->control = CONTROL_HTTP;
	profile->control_url = strdup(whole);
	profile->control_timeout =
		strcmp(pages[_i].path, "/slow") == 0 ? 300 * US_PER_MS : 5 * US_PER_S;
	action = act("nas-congestion state=on t3346=60");
	ck_assert_msg(control_outcome(action) == pages[_i].outcome, "%s: %s", pages[_i].path,
		      control_reason(action));
	ck_assert_msg(strstr(control_reason(action), pages[_i].reason) != NULL, "%s: %s",
		      pages[_i].path, control_reason(action));
	ck_assert_str_eq(control_reply(action), pages[_i].reply);
	ck_assert_ptr_nonnull(strstr(read_trace(), "POST /"));
	ck_assert_ptr_nonnull(strstr(read_trace(), " HTTP/1.1\r\n"));
	ck_assert_ptr_nonnull(strstr(read_trace(),
				     "\r\n\r\n{\"action\":\"nas-congestion\",\"args\":"
				     "{\"state\":\"on\",\"t3346\":\"60\"}}"));
}
END_TEST

START_TEST(http_refused)
{
	struct control_action *action;

	profile->control = CONTROL_HTTP;
	profile->control_url = strdup("http://127.0.0.1:1/x");
	action = act("reset");
	ck_assert_int_eq(control_outcome(action), CONTROL_FAILED);
	ck_assert_ptr_nonnull(strstr(control_reason(action), "127.0.0.1:1"));
}
END_TEST

START_TEST(http_given_up)
{
	struct control_action *action;
	char whole[128];

	snprintf(whole, sizeof(whole), "%s/slow", url);
	profile->control = CONTROL_HTTP;
	profile->control_url = strdup(whole);
	open_control();
	action = control_start(control, "x");
	loop_run(loop, loop_now(loop) + 100 * US_PER_MS, NULL, NULL);
	control_release(action);
	loop_run(loop, loop_now(loop) + 100 * US_PER_MS, NULL, NULL);
	ck_assert_ptr_nonnull(control_start(control, "x"));
}
END_TEST

/* --- manual --------------------------------------------------------------------------------------
 */

START_TEST(manual)
{
	static const struct {
		const char *typed;
		enum control_result outcome;
		const char *reply;
	} answers[] = {
		{ "done\n", CONTROL_DONE, "" },
		{ "done {\"offered\": 7}\n", CONTROL_DONE, "{\"offered\":7}" },
		{ "eh?\n\nd\n", CONTROL_DONE, "" },
		{ "na\n", CONTROL_NOT_SUPPORTED, "" },
		{ "failed the lab is closed\n", CONTROL_FAILED, "" },
	};
	int in = dup(0), err = dup(2), null = open("/dev/null", O_WRONLY);
	int master, slave;

	ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	dup2(slave, 0);
	dup2(null, 2);
	profile->control = CONTROL_MANUAL;
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		struct control_action *action;

		ck_assert_int_gt(write(master, answers[i].typed, strlen(answers[i].typed)), 0);
		action = act("n2-overload state=on");
		ck_assert_int_eq(control_outcome(action), answers[i].outcome);
		ck_assert_str_eq(control_reply(action), answers[i].reply);
		control_release(action);
	}
	/* nobody answers */
	profile->control_timeout = 100 * US_PER_MS;
	ck_assert_int_eq(control_outcome(act("reset")), CONTROL_FAILED);
	control_close(control);
	control = NULL;
	dup2(null, 0); /* no terminal */
	struct control_action *action = act("reset");

	ck_assert_int_eq(control_outcome(action), CONTROL_FAILED);
	ck_assert_ptr_nonnull(strstr(control_reason(action), "not a terminal"));
	dup2(in, 0);
	dup2(err, 2);
	close(in);
	close(err);
	close(null);
	close(master);
	close(slave);
}
END_TEST

/* An embedded IUT whose action "attempts" ends when its timer fires. */
struct iut {
	struct timer timer;
	struct control_waiter *waiter;
	unsigned int forgotten;
};

static void attempts_ended(struct timer *timer, void *arg)
{
	struct iut *iut = arg;
	struct control_waiter *waiter = iut->waiter;
	struct text reply;
	char buf[64];

	(void)timer;
	iut->waiter = NULL;
	text_init(&reply, buf, sizeof(buf));
	text_puts(&reply, "{\"offered\":3}");
	waiter->ended(waiter, CONTROL_DONE, &reply);
}

static bool slow_later(struct iut *iut, const char *action, const struct control_arg *args,
		       size_t count, struct control_waiter *waiter)
{
	(void)args;
	(void)count;
	if (strcmp(action, "attempts") != 0)
		return false;
	iut->waiter = waiter;
	timer_start(&iut->timer, 20 * US_PER_MS);
	return true;
}

static void slow_forget(struct iut *iut, struct control_waiter *waiter)
{
	ck_assert_ptr_eq(waiter, iut->waiter);
	iut->waiter = NULL;
	iut->forgotten++;
	timer_stop(&iut->timer);
}

static enum control_result slow_control(struct iut *iut, const char *action,
					const struct control_arg *args, size_t count,
					struct text *reply)
{
	(void)iut;
	(void)args;
	(void)count;
	text_puts(reply, action);
	return CONTROL_NOT_SUPPORTED;
}

START_TEST(builtin_takes_its_time)
{
	static const struct iut_ops ops = {
		.control = slow_control,
		.control_later = slow_later,
		.forget = slow_forget,
	};
	struct iut iut = { .forgotten = 0 };
	struct control_options options = {
		.profile = profile, .loop = loop, .ops = &ops, .iut = &iut
	};
	struct control_action *action;
	struct text why;
	char buf[256];
	double offered;

	timer_init(&iut.timer, loop, "attempts", attempts_ended, &iut);
	profile->control = CONTROL_BUILTIN;
	text_init(&why, buf, sizeof(buf));
	control = control_open(&options, &why);
	ck_assert_msg(control != NULL, "%s", why.buf);
	action = control_start(control, "attempts count=3");
	ck_assert(!control_ended(action));
	ck_assert(loop_run(loop, loop_now(loop) + US_PER_S, ended, action));
	ck_assert_int_eq(control_outcome(action), CONTROL_DONE);
	ck_assert(control_figure(action, "offered", &offered));
	ck_assert(offered > 2.9 && offered < 3.1);
	control_release(action);

	action = control_start(control, "other");
	ck_assert(control_ended(action));
	ck_assert_int_eq(control_outcome(action), CONTROL_NOT_SUPPORTED);
	control_release(action);

	/* given up, and left to control_close */
	control_release(control_start(control, "attempts"));
	ck_assert_uint_eq(iut.forgotten, 1);
	control_start(control, "attempts");
	control_close(control);
	control = NULL;
	ck_assert_uint_eq(iut.forgotten, 2);
}
END_TEST

START_TEST(no_adapter)
{
	struct control_options options = { .profile = profile, .loop = loop };
	struct text why;
	char buf[256];

	text_init(&why, buf, sizeof(buf));
	profile->control = CONTROL_NONE;
	ck_assert_ptr_null(control_open(&options, &why));
	profile->control = CONTROL_BUILTIN;
	ck_assert_ptr_null(control_open(&options, &why));
	ck_assert_ptr_nonnull(strstr(why.buf, "no embedded IUT"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("control");
	TCase *tcase = tcase_create("control");
	SRunner *runner;
	int failed;

	if (!mkdtemp(base))
		return 1;
	snprintf(script, sizeof(script), "%s/adapter", base);
	snprintf(trace, sizeof(trace), "%s/trace", base);
	start_server();
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, words);
	tcase_add_test(tcase, limits);
	tcase_add_test(tcase, exec_done);
	tcase_add_loop_test(tcase, exec_behaviour, 0, (int)(sizeof(programs) / sizeof(*programs)));
	tcase_add_test(tcase, exec_not_there);
	tcase_add_test(tcase, exec_group_dies);
	tcase_add_test(tcase, exec_does_not_block);
	tcase_add_test(tcase, too_many);
	tcase_add_loop_test(tcase, http_behaviour, 0, (int)(sizeof(pages) / sizeof(*pages)));
	tcase_add_test(tcase, http_refused);
	tcase_add_test(tcase, http_given_up);
	tcase_add_test(tcase, manual);
	tcase_add_test(tcase, builtin_takes_its_time);
	tcase_add_test(tcase, no_adapter);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	kill(server, SIGKILL);
	unlink(script);
	unlink(trace);
	rmdir(base);
	return failed != 0;
}
