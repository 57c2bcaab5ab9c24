/*
 * Live runs as the supervisor sees them: an exec adapter that writes down what it was asked for
 * stands for the IUT. What matters is what happens between the cases.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/case/test_world.h"

static char base[] = "/tmp/spillway-live-XXXXXX";
static char dir[128], script[128], trace[128];
static char *command[] = { script, NULL };
static struct profile *profile;
static struct run_counts counts;
static char why_buf[4096];
static struct text why;
static int ensured, ensure_answer;

/* --- cases that need a live IUT ------------------------------------------------------------------
 */

static void body_congest(struct tc *t)
{
	tc_control(t, "nas-congestion state=on t3346=60");
	tc_control(t, "load percent=90");
}

static void body_congest_and_crash(struct tc *t)
{
	tc_control(t, "nas-congestion state=on t3346=60");
	raise(SIGSEGV);
}

static void body_timers(struct tc *t)
{
	tc_control(t, "timers t3512=60");
}

static void body_many(struct tc *t)
{
	uint32_t first = tc_subscriber(t);
	uint32_t gnb = tc_gnb_id(t);

	for (int i = 0; i < 9; i++)
		tc_subscriber(t);
	tc_note(t, "from %u, gnb %u", first, gnb);
}

static void body_greedy(struct tc *t)
{
	for (;;)
		tc_subscriber(t);
}

static void body_unreachable(struct tc *t)
{
	t->iut_answered = t->test->param;
	tc_unreachable(t, "127.0.0.5:38412: nobody listens there");
}

static void body_long_action(struct tc *t)
{
	struct control_action *action = tc_control_start(t, "sleep duration=1");
	uint64_t before = loop_now(t->loop);
	double value;

	tc_sleep(t, 50 * US_PER_MS);
	if (loop_now(t->loop) - before > 300 * US_PER_MS)
		tc_fail(t, "the case waited for the action");
	tc_control_finish(t, action);
	if (!tc_control_figure(t, "slept", &value) || value != 1)
		tc_fail(t, "no figure of the action");
}

static const struct test_case live_cases[] = {
	TOY("CONGEST/01", body_congest),
	TOY("CONGEST/02", body_congest_and_crash),
	TOY("TIMERS/01", body_timers),
	TOY("MANY/01", body_many),
	TOY("MANY/02", body_many),
	TOY("GREEDY/01", body_greedy),
	TOY("UNREACHABLE/01", body_unreachable),
	TOY("UNREACHABLE/02", body_unreachable, .param = 1),
	TOY("LONG/01", body_long_action, .iut_time_us = 10 * US_PER_S),
	TOY("NA/01", body_na),
};
static const struct case_group live_group = { live_cases,
					      sizeof(live_cases) / sizeof(*live_cases) };
static const struct suite live_suite = { .name = "live", .groups = &live_group, .group_count = 1 };
static const struct suite *const live_suites[] = { &live_suite };
static const struct run_world live_world = { .suites = live_suites, .suite_count = 1 };

/* --- the rig
 * -------------------------------------------------------------------------------------- */

static void use_script(const char *text)
{
	FILE *file = fopen(script, "w");

	ck_assert_ptr_nonnull(file);
	fprintf(file,
		"#!/bin/sh\necho \"$@\" >>%s\ncase $1 in unheard-of) exit 3;; sleep) sleep 0.5; "
		"echo "
		"'{\"slept\":1}';; esac\n%s\n",
		trace, text);
	fclose(file);
	ck_assert_int_eq(chmod(script, 0755), 0);
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

/* Without a record of an earlier run. */
static void afresh(void)
{
	char line[200];

	snprintf(line, sizeof(line), "rm -rf %s", dir);
	ck_assert_int_eq(system(line), 0);
	unlink(trace);
}

static void setup(void)
{
	afresh();
	profile = profile_builtin(ROLE_AMF);
	ck_assert_ptr_nonnull(profile);
	profile->live = true;
	profile->control = CONTROL_EXEC;
	profile->control_command = command;
	profile->control_timeout = 2 * US_PER_S;
	profile->n2.transport = NET_USRSCTP_UDP;
	profile->n2.udp_port = 29911;
	profile->n2.peer_udp_port = 29912;
	profile->subscribers.count = 100;
	ensured = 0;
	ensure_answer = 0;
	use_script("");
}

static void teardown(void)
{
	profile->control_command = NULL;
	profile_free(profile);
}

static int ensure(void *arg, enum role role, const struct profile **way, struct text *sentence)
{
	(void)arg;
	ck_assert_int_eq(role, ROLE_AMF);
	*way = profile;
	ensured++;
	if (ensure_answer)
		text_puts(sentence, "the IUT's process is gone");
	return ensure_answer;
}

static int go(const char *const *globs, struct run_options options)
{
	while (globs[options.glob_count])
		options.glob_count++;
	options.globs = globs;
	options.profile = profile;
	options.out = dir;
	options.ensure_iut = ensure;
	options.log_level = RECORD_INFO;
	if (!options.case_limit)
		options.case_limit = 20 * US_PER_S;
	text_init(&why, why_buf, sizeof(why_buf));
	return run(&live_world, &options, &counts, &why);
}

#define GLOBS(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define BEFORE "nas-congestion state=off\nn2-overload state=off\nreset\n"

static void check_results(struct results *results, size_t count)
{
	ck_assert_msg(results_read(dir, results, &why) == 0, "%s", why.buf);
	ck_assert_uint_eq(results->count, count);
}

START_TEST(what_a_case_did_is_undone)
{
	ck_assert_int_eq(go(GLOBS("*CONGEST/01", "*TIMERS*"), (struct run_options){ 0 }), 0);
	ck_assert_str_eq(read_trace(), BEFORE "nas-congestion state=on t3346=60\nload percent=90\n"
					      "nas-congestion state=off\nload percent=0\nreset\n"
					      "timers t3512=60\nreset\n");
	ck_assert_int_eq(ensured, 2);
}
END_TEST

START_TEST(a_crash_is_undone)
{
	ck_assert_int_eq(go(GLOBS("*CONGEST/02"), (struct run_options){ 0 }), 3);
	ck_assert_str_eq(read_trace(), BEFORE "nas-congestion state=on t3346=60\n"
					      "nas-congestion state=off\nreset\n");
}
END_TEST

START_TEST(an_adapter_without_reset)
{
	use_script("[ $1 != reset ] || exit 3");
	ck_assert_int_eq(go(GLOBS("*CONGEST/01", "*TIMERS*", "*MANY*"), (struct run_options){ 0 }),
			 0);
	/* asked once */
	ck_assert_str_eq(read_trace(), BEFORE "nas-congestion state=on t3346=60\nload percent=90\n"
					      "nas-congestion state=off\nload percent=0\n"
					      "timers t3512=60\n");
}
END_TEST

START_TEST(an_adapter_that_is_broken)
{
	struct results results;

	use_script("echo the lab is closed >&2; exit 1");
	ck_assert_int_eq(go(GLOBS("*CONGEST*", "*MANY*"), (struct run_options){ 0 }), 3);
	check_results(&results, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(results.items[i].verdict, VERDICT_ERROR);
		ck_assert_msg(i == 0 || strstr(results.items[i].reason, "could not be put back"),
			      "%s", results.items[i].reason);
		ck_assert_ptr_nonnull(strstr(results.items[i].reason, "exit status is 1"));
	}
	results_clear(&results);
	/* before the first case, by the first case, and twice after it: not for each case */
	ck_assert_str_eq(read_trace(), "nas-congestion state=off\n"
				       "nas-congestion state=on t3346=60\n"
				       "nas-congestion state=off\nnas-congestion state=off\n");
}
END_TEST

START_TEST(undoing_the_last_case_fails)
{
	char line[300];

	use_script("[ \"$1 $2\" != 'load percent=0' ] || { echo stuck >&2; exit 1; }");
	ck_assert_int_eq(go(GLOBS("*CONGEST/01"), (struct run_options){ 0 }), 3);
	ck_assert_uint_eq(counts.verdict[VERDICT_PASS], 1);
	ck_assert_uint_eq(counts.not_put_back, 1);
	snprintf(line, sizeof(line), "grep -q '\"not_put_back\": \"the IUT could not' %s/run.json",
		 dir);
	ck_assert_int_eq(system(line), 0);
	afresh();
	use_script("");
	ck_assert_int_eq(go(GLOBS("*CONGEST/01"), (struct run_options){ 0 }), 0);
	ck_assert_uint_eq(counts.not_put_back, 0);
}
END_TEST

START_TEST(subscribers_and_ids_are_unique)
{
	struct results results;

	use_script("[ $1 != reset ] || exit 3");
	ck_assert_int_eq(go(GLOBS("*MANY*"), (struct run_options){ .repeat = 2 }), 0);
	check_results(&results, 4);
	ck_assert_str_eq(results.items[0].notes[0], "from 0, gnb 1");
	ck_assert_str_eq(results.items[1].notes[0], "from 10, gnb 2");
	ck_assert_str_eq(results.items[2].notes[0], "from 20, gnb 3");
	ck_assert_str_eq(results.items[3].notes[0], "from 30, gnb 4");
	results_clear(&results);
}
END_TEST

START_TEST(after_a_reset_subscribers_serve_again)
{
	struct results results;

	profile->subscribers.count = 30;
	ck_assert_int_eq(go(GLOBS("*MANY*"), (struct run_options){ .repeat = 2 }), 0);
	check_results(&results, 4);
	ck_assert_str_eq(results.items[2].notes[0], "from 0, gnb 3");
	results_clear(&results);
	afresh();
	ck_assert_int_eq(go(GLOBS("*GREEDY*"), (struct run_options){ 0 }), 3);
	check_results(&results, 1);
	ck_assert_ptr_nonnull(strstr(results.items[0].reason, "subscribers.count"));
	results_clear(&results);
}
END_TEST

START_TEST(unreachable_once_for_the_run)
{
	struct results results;

	ck_assert_int_eq(go(GLOBS("*UNREACHABLE/01", "*LONG*"), (struct run_options){ 0 }), 3);
	check_results(&results, 2);
	ck_assert_str_eq(results.items[1].reason, "127.0.0.5:38412: nobody listens there");
	ck_assert_int_eq(results.items[1].verdict, VERDICT_ERROR);
	results_clear(&results);
	afresh();
	/* it did answer before: the others are tried */
	ck_assert_int_eq(go(GLOBS("*UNREACHABLE/02", "*MANY*"), (struct run_options){ 0 }), 3);
	ck_assert_uint_eq(counts.verdict[VERDICT_PASS], 2);
}
END_TEST

START_TEST(the_process_of_the_iut_is_gone)
{
	ensure_answer = 1;
	ck_assert_int_eq(go(GLOBS("*MANY*"), (struct run_options){ 0 }), 3);
	ck_assert_uint_eq(counts.verdict[VERDICT_ERROR], 2);
}
END_TEST

START_TEST(an_action_that_takes_time)
{
	ck_assert_msg(go(GLOBS("*LONG*"), (struct run_options){ 0 }) == 0, "%s", why.buf);
	ck_assert_uint_eq(counts.verdict[VERDICT_PASS], 1);
}
END_TEST

START_TEST(not_supported_is_not_applicable)
{
	ck_assert_int_eq(go(GLOBS("*NA*"), (struct run_options){ 0 }), 0);
	ck_assert_uint_eq(counts.verdict[VERDICT_NA], 1);
}
END_TEST

START_TEST(cases_above_the_limit_are_left_out)
{
	ck_assert_int_eq(
		go(GLOBS("*LONG*", "*MANY*"), (struct run_options){ .max_duration = 9 * US_PER_S }),
		0);
	ck_assert_uint_eq(counts.too_long, 1);
	ck_assert_uint_eq(counts.selected, 2);
	ck_assert_uint_eq(counts.finished, 2);
	afresh();
	ck_assert_int_eq(go(GLOBS("*LONG*"), (struct run_options){ .max_duration = 9 * US_PER_S }),
			 4);
}
END_TEST

START_TEST(no_adapter_no_action)
{
	profile->control = CONTROL_NONE;
	ck_assert_int_eq(go(GLOBS("*CONGEST/01", "*MANY/01"), (struct run_options){ 0 }), 0);
	ck_assert_uint_eq(counts.verdict[VERDICT_NA], 1);
	ck_assert_uint_eq(counts.verdict[VERDICT_PASS], 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("live");
	TCase *tcase = tcase_create("live");
	SRunner *runner;
	char line[200];
	int failed;

	if (!mkdtemp(base))
		return 1;
	snprintf(dir, sizeof(dir), "%s/record", base);
	snprintf(script, sizeof(script), "%s/adapter", base);
	snprintf(trace, sizeof(trace), "%s/trace", base);
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, what_a_case_did_is_undone);
	tcase_add_test(tcase, a_crash_is_undone);
	tcase_add_test(tcase, an_adapter_without_reset);
	tcase_add_test(tcase, an_adapter_that_is_broken);
	tcase_add_test(tcase, undoing_the_last_case_fails);
	tcase_add_test(tcase, subscribers_and_ids_are_unique);
	tcase_add_test(tcase, after_a_reset_subscribers_serve_again);
	tcase_add_test(tcase, unreachable_once_for_the_run);
	tcase_add_test(tcase, the_process_of_the_iut_is_gone);
	tcase_add_test(tcase, an_action_that_takes_time);
	tcase_add_test(tcase, not_supported_is_not_applicable);
	tcase_add_test(tcase, cases_above_the_limit_are_left_out);
	tcase_add_test(tcase, no_adapter_no_action);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	snprintf(line, sizeof(line), "rm -rf %s", base);
	return system(line) != 0 || failed;
}
