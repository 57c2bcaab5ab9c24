#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "runner/cli/control_socket.h"

static char dir[64], path[128];
static char buf[CONTROL_SOCKET_REPLY_MAX + 256];

static enum control_result act(void *arg, const struct control_words *words, struct text *reply)
{
	unsigned int *count = arg;

	++*count;
	if (strcmp(words->name, "load") == 0) {
		text_printf(reply, "{\"percent\":%s}", control_words_value(words, "percent"));
		return CONTROL_DONE;
	}
	if (strcmp(words->name, "lines") == 0) {
		text_puts(reply, "one\ntwo\r\nthree");
		return CONTROL_FAILED;
	}
	if (strcmp(words->name, "big") == 0) {
		for (size_t i = 0; i < CONTROL_SOCKET_REPLY_MAX - 100; i++)
			text_putc(reply, 'x');
		return CONTROL_DONE;
	}
	if (strcmp(words->name, "huge") == 0) {
		for (size_t i = 0; i < 2 * CONTROL_SOCKET_REPLY_MAX; i++)
			text_putc(reply, 'x');
		return CONTROL_DONE;
	}
	if (strcmp(words->name, "silent") == 0)
		return CONTROL_DONE;
	text_printf(reply, "%s: no such action", words->name);
	return CONTROL_NOT_SUPPORTED;
}

/* An action that takes its time: "slow", which ends 20 ms after it began. */
static struct control_waiter *slow_waiter;
static struct timer slow_timer;
static unsigned int forgotten;

static void slow_ended(struct timer *timer, void *arg)
{
	struct control_waiter *waiter = slow_waiter;
	struct text reply;
	char text[64];

	(void)timer;
	(void)arg;
	slow_waiter = NULL;
	text_init(&reply, text, sizeof(text));
	text_puts(&reply, "{\"offered\":7}");
	waiter->ended(waiter, CONTROL_DONE, &reply);
}

static bool later(void *arg, const struct control_words *words, struct control_waiter *waiter)
{
	(void)arg;
	if (strcmp(words->name, "slow") != 0)
		return false;
	slow_waiter = waiter;
	timer_start(&slow_timer, 20 * US_PER_MS);
	return true;
}

static void forget(void *arg, struct control_waiter *waiter)
{
	(void)arg;
	ck_assert_ptr_eq(waiter, slow_waiter);
	slow_waiter = NULL;
	timer_stop(&slow_timer);
	forgotten++;
}

static const struct control_socket_handler handler = {
	.act = act,
	.later = later,
	.forget = forget,
};

/* The asking side blocks, so it has a thread of its own while this one runs the loop. */
struct question {
	const char *action;
	int rc;
	enum control_result result;
	bool ended;
};

static void *ask(void *arg)
{
	struct question *question = arg;
	struct text reply;

	text_init(&reply, buf, sizeof(buf));
	question->rc = control_socket_ask(path, question->action, &question->result, &reply);
	__atomic_store_n(&question->ended, true, __ATOMIC_RELEASE);
	return NULL;
}

static bool question_ended(void *arg)
{
	const struct question *question = arg;

	return __atomic_load_n(&question->ended, __ATOMIC_ACQUIRE);
}

static void tick(struct timer *timer, void *arg)
{
	(void)arg;
	timer_start(timer, 1000);
}

static void ask_and_serve(struct loop *loop, struct question *question)
{
	struct timer timer;
	pthread_t thread;

	timer_init(&timer, loop, "tick", tick, NULL);
	timer_start(&timer, 1000);
	ck_assert_int_eq(pthread_create(&thread, NULL, ask, question), 0);
	ck_assert(loop_run(loop, loop_now(loop) + 5 * US_PER_S, question_ended, question));
	timer_stop(&timer);
	pthread_join(thread, NULL);
}

static unsigned int acted;
static struct loop *loop;
static struct control_socket *control;

static void setup(void)
{
	struct text why;

	strcpy(dir, "/tmp/spillway-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/control", dir);
	loop = loop_new(LOOP_LIVE, 1);
	ck_assert_ptr_nonnull(loop);
	text_init(&why, buf, sizeof(buf));
	acted = 0;
	forgotten = 0;
	slow_waiter = NULL;
	timer_init(&slow_timer, loop, "slow", slow_ended, NULL);
	control = control_socket_open(loop, path, &handler, &acted, &why);
	ck_assert_msg(control != NULL, "%s", buf);
}

static void teardown(void)
{
	control_socket_close(control);
	loop_free(loop);
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}

START_TEST(outcomes_come_back_with_their_text)
{
	struct question done = { .action = "load percent=90" };
	struct question unknown = { .action = "nonsense a=b" };
	struct question failed = { .action = "lines" };
	struct question silent = { .action = "silent" };
	struct stat status;

	ask_and_serve(loop, &done);
	ck_assert_int_eq(done.rc, 0);
	ck_assert_int_eq(done.result, CONTROL_DONE);
	ck_assert_str_eq(buf, "{\"percent\":90}");
	ask_and_serve(loop, &unknown);
	ck_assert_int_eq(unknown.result, CONTROL_NOT_SUPPORTED);
	ck_assert_str_eq(buf, "nonsense: no such action");
	ask_and_serve(loop, &failed);
	ck_assert_int_eq(failed.result, CONTROL_FAILED);
	ck_assert_str_eq(buf, "one two  three");
	ask_and_serve(loop, &silent);
	ck_assert_int_eq(silent.result, CONTROL_DONE);
	ck_assert_str_eq(buf, "");
	ck_assert_int_eq(stat(path, &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0600);
}
END_TEST

START_TEST(an_action_that_takes_its_time_is_answered_when_it_ends)
{
	struct question slow = { .action = "slow count=3 rate=1000" };
	uint64_t begun = loop_now(loop);

	ask_and_serve(loop, &slow);
	ck_assert_int_eq(slow.rc, 0);
	ck_assert_int_eq(slow.result, CONTROL_DONE);
	ck_assert_str_eq(buf, "{\"offered\":7}");
	ck_assert_uint_ge(loop_now(loop) - begun, 20 * US_PER_MS);
	ck_assert_uint_eq(acted, 0);
	ck_assert_uint_eq(forgotten, 0);
}
END_TEST

START_TEST(large_answers_arrive_whole_or_fail)
{
	struct question big = { .action = "big" }, huge = { .action = "huge" };

	ask_and_serve(loop, &big);
	ck_assert_int_eq(big.rc, 0);
	ck_assert_int_eq(big.result, CONTROL_DONE);
	ck_assert_uint_eq(strlen(buf), CONTROL_SOCKET_REPLY_MAX - 100);
	ask_and_serve(loop, &huge);
	ck_assert_int_eq(huge.rc, 0);
	ck_assert_int_eq(huge.result, CONTROL_FAILED);
}
END_TEST

static int raw_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	memcpy(address.sun_path, path, strlen(path) + 1);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

/* Runs the loop until the peer has an answer, or the end of the connection. */
static ssize_t raw_answer(int fd, char *answer, size_t size)
{
	size_t len = 0;

	for (unsigned int i = 0; i < 200; i++) {
		ssize_t n;

		loop_run(loop, loop_now(loop) + 5000, NULL, NULL);
		n = recv(fd, answer + len, size - 1 - len, MSG_DONTWAIT);
		if (n > 0)
			len += (size_t)n;
		if (n == 0 || (n < 0 && errno == ECONNRESET)) {
			answer[len] = '\0';
			return (ssize_t)len;
		}
	}
	return -1;
}

START_TEST(hostile_peers_get_one_answer_and_the_door)
{
	static char flood[3 * CONTROL_WORDS_MAX];
	char answer[256];
	int fd = raw_connect();

	memset(flood, 'a', sizeof(flood));
	ck_assert_int_gt(send(fd, flood, sizeof(flood), MSG_NOSIGNAL), 0);
	ck_assert_int_ge(raw_answer(fd, answer, sizeof(answer)), 0);
	close(fd);

	fd = raw_connect();
	ck_assert_int_eq(send(fd, "load percent=1\0x\n", 17, MSG_NOSIGNAL), 17);
	ck_assert_int_gt(raw_answer(fd, answer, sizeof(answer)), 0);
	ck_assert_int_eq(strncmp(answer, "failed ", 7), 0);
	close(fd);

	fd = raw_connect();
	ck_assert_int_eq(send(fd, "\n", 1, MSG_NOSIGNAL), 1);
	ck_assert_int_gt(raw_answer(fd, answer, sizeof(answer)), 0);
	ck_assert_int_eq(strncmp(answer, "failed", 6), 0);
	close(fd);

	fd = raw_connect();
	ck_assert_int_eq(send(fd, "load \x1b[2J=1\n", 12, MSG_NOSIGNAL), 12);
	ck_assert_int_gt(raw_answer(fd, answer, sizeof(answer)), 0);
	ck_assert_int_eq(strncmp(answer, "failed", 6), 0);
	close(fd);

	/* Half a line, then gone. */
	fd = raw_connect();
	ck_assert_int_eq(send(fd, "load", 4, MSG_NOSIGNAL), 4);
	loop_run(loop, loop_now(loop) + 10000, NULL, NULL);
	close(fd);
	loop_run(loop, loop_now(loop) + 10000, NULL, NULL);
	ck_assert_uint_eq(acted, 0);
}
END_TEST

START_TEST(a_peer_that_does_not_wait_is_forgotten)
{
	int fd = raw_connect();

	ck_assert_int_eq(send(fd, "slow\n", 5, MSG_NOSIGNAL), 5);
	loop_run(loop, loop_now(loop) + 5 * US_PER_MS, NULL, NULL);
	ck_assert_ptr_nonnull(slow_waiter);
	close(fd);
	loop_run(loop, loop_now(loop) + 50 * US_PER_MS, NULL, NULL);
	ck_assert_uint_eq(forgotten, 1);

	/* and so is one whose socket is closed under it */
	fd = raw_connect();
	ck_assert_int_eq(send(fd, "slow\n", 5, MSG_NOSIGNAL), 5);
	loop_run(loop, loop_now(loop) + 5 * US_PER_MS, NULL, NULL);
	ck_assert_ptr_nonnull(slow_waiter);
	control_socket_close(control);
	control = NULL;
	ck_assert_uint_eq(forgotten, 2);
	close(fd);
}
END_TEST

START_TEST(too_many_connections_do_not_keep_others_out_for_ever)
{
	int fds[3 * CONTROL_SOCKET_CONNECTIONS];
	struct question question = { .action = "load percent=5" };
	char answer[64];

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		fds[i] = raw_connect();
		loop_run(loop, loop_now(loop) + 1000, NULL, NULL);
	}
	/* One more than there are places is turned away at once. */
	ck_assert_int_eq(raw_answer(fds[CONTROL_SOCKET_CONNECTIONS], answer, sizeof(answer)), 0);
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		close(fds[i]);
	ask_and_serve(loop, &question);
	ck_assert_int_eq(question.rc, 0);
	ck_assert_int_eq(question.result, CONTROL_DONE);
}
END_TEST

START_TEST(a_stale_socket_is_replaced_a_live_one_is_not)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct control_socket *other;
	char stale[256];
	struct text why;
	int fd;

	text_init(&why, buf, sizeof(buf));
	ck_assert_ptr_null(control_socket_open(loop, path, &handler, &acted, &why));
	ck_assert_ptr_nonnull(strstr(buf, "another process listens there"));

	snprintf(stale, sizeof(stale), "%s/stale", dir);
	memcpy(address.sun_path, stale, strlen(stale) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
	ck_assert_int_eq(access(stale, F_OK), 0);
	text_init(&why, buf, sizeof(buf));
	other = control_socket_open(loop, stale, &handler, &acted, &why);
	ck_assert_msg(other != NULL, "%s", buf);
	control_socket_close(other);

	/* A file of somebody else's is left alone. */
	fd = open(stale, O_CREAT | O_WRONLY, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
	text_init(&why, buf, sizeof(buf));
	ck_assert_ptr_null(control_socket_open(loop, stale, &handler, &acted, &why));
	ck_assert_ptr_nonnull(strstr(buf, "is no socket"));
	ck_assert_int_eq(unlink(stale), 0);
}
END_TEST

START_TEST(nobody_there_is_an_error_at_once)
{
	enum control_result result;
	struct text reply;

	text_init(&reply, buf, sizeof(buf));
	ck_assert_int_lt(control_socket_ask("/nonexistent/socket", "load", &result, &reply), 0);
	ck_assert_ptr_nonnull(strstr(buf, "/nonexistent/socket"));
	text_init(&reply, buf, sizeof(buf));
	ck_assert_int_lt(control_socket_ask("", "load", &result, &reply), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("control_socket");
	TCase *tcase = tcase_create("control_socket");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, outcomes_come_back_with_their_text);
	tcase_add_test(tcase, an_action_that_takes_its_time_is_answered_when_it_ends);
	tcase_add_test(tcase, a_peer_that_does_not_wait_is_forgotten);
	tcase_add_test(tcase, large_answers_arrive_whole_or_fail);
	tcase_add_test(tcase, hostile_peers_get_one_answer_and_the_door);
	tcase_add_test(tcase, too_many_connections_do_not_keep_others_out_for_ever);
	tcase_add_test(tcase, a_stale_socket_is_replaced_a_live_one_is_not);
	tcase_add_test(tcase, nobody_there_is_an_error_at_once);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
