#include <check.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "runner/core/loop.h"
#include "runner/core/random.h"

static int order[64];
static int order_count;

struct numbered {
	struct timer timer;
	int number;
};

static void note(struct timer *timer, void *arg)
{
	(void)timer;
	order[order_count++] = ((struct numbered *)arg)->number;
}

static void start_numbered(struct loop *loop, struct numbered *n, int number, uint64_t after)
{
	n->number = number;
	timer_init(&n->timer, loop, "test", note, n);
	timer_start(&n->timer, after);
}

START_TEST(events_fire_in_time_order_and_ties_in_start_order)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct numbered n[5];
	static const int expected[] = { 3, 1, 2, 4, 0 };

	order_count = 0;
	start_numbered(loop, &n[0], 0, 500);
	start_numbered(loop, &n[1], 1, 100);
	start_numbered(loop, &n[2], 2, 100);
	start_numbered(loop, &n[3], 3, 50);
	start_numbered(loop, &n[4], 4, 100);
	ck_assert(!loop_run(loop, 1000, NULL, NULL));
	ck_assert_int_eq(order_count, 5);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(order[i], expected[i]);
	ck_assert_uint_eq(loop_now(loop), 1000);
	loop_free(loop);
}
END_TEST

START_TEST(the_virtual_clock_jumps)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct numbered n;

	order_count = 0;
	start_numbered(loop, &n, 1, 54 * 60 * US_PER_S);
	ck_assert_uint_eq(timer_left(&n.timer), 54 * 60 * US_PER_S);
	ck_assert(!loop_run(loop, 54 * 60 * US_PER_S, NULL, NULL));
	/* An event at the very end belongs to what comes after. */
	ck_assert_int_eq(order_count, 0);
	ck_assert(timer_running(&n.timer));
	ck_assert(!loop_run(loop, LOOP_NEVER, NULL, NULL));
	ck_assert_int_eq(order_count, 1);
	/* Nothing is left and there is no end: time stands still. */
	ck_assert_uint_eq(loop_now(loop), 54 * 60 * US_PER_S);
	loop_free(loop);
}
END_TEST

START_TEST(a_stopped_timer_is_silent_and_a_huge_time_saturates)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct numbered n[3];

	order_count = 0;
	start_numbered(loop, &n[0], 0, 10);
	start_numbered(loop, &n[1], 1, 20);
	start_numbered(loop, &n[2], 2, UINT64_MAX - 1);
	timer_stop(&n[0].timer);
	timer_stop(&n[0].timer);
	timer_start(&n[1].timer, 30);
	loop_run(loop, 25, NULL, NULL);
	ck_assert_int_eq(order_count, 0);
	timer_start(&n[2].timer, UINT64_MAX - 1);
	ck_assert_uint_eq(n[2].timer.due, LOOP_NEVER);
	loop_run(loop, LOOP_NEVER, NULL, NULL);
	ck_assert_int_eq(order_count, 1);
	ck_assert_int_eq(order[0], 1);
	loop_free(loop);
}
END_TEST

static bool four(void *arg)
{
	return *(int *)arg >= 4;
}

struct ticker {
	struct timer timer;
	int ticks;
	bool interrupt;
};

static void tick(struct timer *timer, void *arg)
{
	struct ticker *ticker = arg;

	ticker->ticks++;
	timer_start(timer, 7);
	if (ticker->interrupt)
		loop_interrupt(timer->loop);
}

START_TEST(a_condition_ends_the_run_after_the_event_that_made_it_true)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct ticker ticker = { .ticks = 0 };

	timer_init(&ticker.timer, loop, "tick", tick, &ticker);
	timer_start(&ticker.timer, 7);
	ck_assert(loop_run(loop, 1000, four, &ticker.ticks));
	ck_assert_uint_eq(loop_now(loop), 28);
	ck_assert(loop_run(loop, 1000, four, &ticker.ticks));
	ck_assert_uint_eq(loop_now(loop), 28);
	ticker.interrupt = true;
	ck_assert(!loop_run(loop, 1000, NULL, NULL));
	ck_assert_int_eq(ticker.ticks, 5);
	loop_free(loop);
}
END_TEST

START_TEST(many_timers_agree_with_a_sorted_list)
{
	enum { COUNT = 2000 };
	static struct numbered n[COUNT];
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct random random;
	uint64_t last = 0;

	random_init(&random, 5, "heap");
	for (int i = 0; i < COUNT; i++) {
		timer_init(&n[i].timer, loop, "test", NULL, NULL);
		n[i].timer.fire = note;
		n[i].timer.arg = &n[i];
		timer_start(&n[i].timer, random_below(&random, 1000));
	}
	for (int i = 0; i < COUNT; i += 3)
		timer_stop(&n[i].timer);
	for (int i = 0; i < COUNT; i += 6)
		timer_start(&n[i].timer, random_below(&random, 1000));
	for (int due = 0;;) {
		order_count = 0;
		if (!loop_run(loop, loop_now(loop) + 1, NULL, NULL) && loop_now(loop) > 1000)
			break;
		ck_assert_uint_ge(loop_now(loop), last);
		last = loop_now(loop);
		due += order_count;
		ck_assert_int_le(due, COUNT);
	}
	for (int i = 0; i < COUNT; i++)
		ck_assert(!timer_running(&n[i].timer));
	loop_free(loop);
}
END_TEST

/* libuv's, after which this process does not run for a while where a test says so. */
static bool stalls;

int uv_timer_start(uv_timer_t *handle, uv_timer_cb callback, uint64_t after, uint64_t repeat)
{
	int (*real)(uv_timer_t *, uv_timer_cb, uint64_t, uint64_t);
	int rc;

	*(void **)&real = dlsym(RTLD_NEXT, "uv_timer_start");
	rc = real(handle, callback, after, repeat);
	if (stalls)
		usleep(5000);
	return rc;
}

START_TEST(a_process_that_is_not_scheduled_for_a_while_loses_no_timer)
{
	struct loop *loop = loop_new(LOOP_LIVE, 1);
	struct numbered n;

	order_count = 0;
	start_numbered(loop, &n, 0, US_PER_MS);
	stalls = true;
	alarm(10);
	ck_assert(!loop_run(loop, 500 * US_PER_MS, NULL, NULL));
	alarm(0);
	stalls = false;
	ck_assert_int_eq(order_count, 1);
	loop_free(loop);
}
END_TEST

START_TEST(live_timers_keep_time)
{
	struct loop *loop = loop_new(LOOP_LIVE, 1);
	struct numbered n[2];
	uint64_t before;

	order_count = 0;
	start_numbered(loop, &n[0], 0, 20 * US_PER_MS);
	start_numbered(loop, &n[1], 1, 5 * US_PER_MS);
	before = loop_now(loop);
	ck_assert(!loop_run(loop, before + 40 * US_PER_MS, NULL, NULL));
	ck_assert_uint_ge(loop_now(loop) - before, 40 * US_PER_MS);
	ck_assert_int_eq(order_count, 2);
	ck_assert_int_eq(order[0], 1);
	ck_assert_ptr_null(loop_watch(loop, 4095, LOOP_READABLE, NULL, NULL));
	loop_free(loop);
}
END_TEST

struct pair {
	struct loop_watch *watch;
	struct loop *loop;
	int fd;
	int reads;
	bool eof;
	bool nested;
};

static void readable(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct pair *pair = arg;
	char buf[16];
	ssize_t n;

	ck_assert_uint_eq(events, LOOP_READABLE);
	n = read(pair->fd, buf, sizeof(buf));
	if (n > 0)
		pair->reads++;
	if (n == 0) {
		pair->eof = true;
		loop_unwatch(watch);
	}
	if (pair->nested) {
		pair->nested = false;
		ck_assert(!loop_run(pair->loop, loop_now(pair->loop) + 10 * US_PER_MS, NULL, NULL));
		ck_assert_int_eq(pair->reads, 2);
	}
}

static bool at_eof(void *arg)
{
	return ((struct pair *)arg)->eof;
}

static void write_one(struct timer *timer, void *arg)
{
	(void)timer;
	ck_assert_int_eq(write(*(int *)arg, "x", 1), 1);
}

START_TEST(live_descriptors_are_called_back_also_in_a_nested_run)
{
	struct loop *loop = loop_new(LOOP_LIVE, 1);
	struct pair pair = { .loop = loop, .nested = true };
	struct timer writer;
	int fds[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pair.fd = fds[0];
	pair.watch = loop_watch(loop, fds[0], LOOP_READABLE, readable, &pair);
	ck_assert_ptr_nonnull(pair.watch);
	ck_assert_int_eq(write(fds[1], "y", 1), 1);
	timer_init(&writer, loop, "writer", write_one, &fds[1]);
	timer_start(&writer, 3 * US_PER_MS);
	ck_assert(!loop_run(loop, loop_now(loop) + 20 * US_PER_MS, at_eof, &pair));
	ck_assert_int_eq(pair.reads, 2);
	close(fds[1]);
	ck_assert(loop_run(loop, loop_now(loop) + US_PER_S, at_eof, &pair));
	loop_free(loop);
	close(fds[0]);
}
END_TEST

/* A timer that starts itself anew without delay does not starve the descriptors. */
static void again(struct timer *timer, void *arg)
{
	(*(int *)arg)++;
	timer_start(timer, 0);
}

START_TEST(a_busy_timer_leaves_room_for_descriptors)
{
	struct loop *loop = loop_new(LOOP_LIVE, 1);
	struct pair pair = { .loop = loop };
	struct timer busy;
	int fds[2], count = 0;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pair.fd = fds[0];
	pair.watch = loop_watch(loop, fds[0], LOOP_READABLE, readable, &pair);
	timer_init(&busy, loop, "busy", again, &count);
	timer_start(&busy, 0);
	close(fds[1]);
	ck_assert(loop_run(loop, loop_now(loop) + US_PER_S, at_eof, &pair));
	ck_assert_int_lt(count, 1000);
	timer_stop(&busy);
	loop_free(loop);
	close(fds[0]);
}
END_TEST

/* The answer is in the socket, behind other messages, before a stall past the deadline is over. */
static void stall(struct timer *timer, void *arg)
{
	uint64_t until = loop_now(timer->loop) + 30 * US_PER_MS;

	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(write(*(int *)arg, "x", 1), 1);
	while (loop_now(timer->loop) < until)
		;
}

static bool three_read(void *arg)
{
	return ((struct pair *)arg)->reads >= 3;
}

static void read_one(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct pair *pair = arg;
	char octet;

	(void)watch;
	(void)events;
	if (read(pair->fd, &octet, 1) == 1)
		pair->reads++;
}

START_TEST(what_came_during_a_stall_counts_at_the_deadline)
{
	struct loop *loop = loop_new(LOOP_LIVE, 1);
	struct pair pair = { .loop = loop };
	struct numbered late;
	struct timer staller;
	int fds[2];

	order_count = 0;
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pair.fd = fds[0];
	pair.watch = loop_watch(loop, fds[0], LOOP_READABLE, read_one, &pair);
	timer_init(&staller, loop, "staller", stall, &fds[1]);
	timer_start(&staller, US_PER_MS);
	start_numbered(loop, &late, 0, 5 * US_PER_MS);
	ck_assert(loop_run(loop, loop_now(loop) + 10 * US_PER_MS, three_read, &pair));
	ck_assert_int_eq(pair.reads, 3);
	ck_assert(!loop_run(loop, loop_now(loop), NULL, NULL));
	ck_assert_int_eq(order_count, 1);
	loop_unwatch(pair.watch);
	loop_free(loop);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

START_TEST(a_virtual_loop_watches_nothing)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 9);

	ck_assert_ptr_null(loop_watch(loop, 0, LOOP_READABLE, readable, NULL));
	ck_assert_uint_eq(loop_seed(loop), 9);
	ck_assert_int_eq(loop_kind(loop), LOOP_VIRTUAL);
	loop_free(loop);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("loop");
	TCase *tc = tcase_create("loop");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, events_fire_in_time_order_and_ties_in_start_order);
	tcase_add_test(tc, the_virtual_clock_jumps);
	tcase_add_test(tc, a_stopped_timer_is_silent_and_a_huge_time_saturates);
	tcase_add_test(tc, a_condition_ends_the_run_after_the_event_that_made_it_true);
	tcase_add_test(tc, many_timers_agree_with_a_sorted_list);
	tcase_add_test(tc, a_process_that_is_not_scheduled_for_a_while_loses_no_timer);
	tcase_add_test(tc, live_timers_keep_time);
	tcase_add_test(tc, what_came_during_a_stall_counts_at_the_deadline);
	tcase_add_test(tc, live_descriptors_are_called_back_also_in_a_nested_run);
	tcase_add_test(tc, a_busy_timer_leaves_room_for_descriptors);
	tcase_add_test(tc, a_virtual_loop_watches_nothing);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
