#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/case/test_world.h"

static char base[] = "/tmp/spillway-run-XXXXXX";
static char dir[512];
static char why_buf[4096];
static struct text why;
static struct profile *profile;
static struct run_counts counts;

/* Without a record of an earlier run. */
static void afresh(void)
{
	char command[600];

	snprintf(dir, sizeof(dir), "%s/record", base);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static void setup(void)
{
	afresh();
	text_init(&why, why_buf, sizeof(why_buf));
	profile = profile_builtin(ROLE_AMF);
	ck_assert_ptr_nonnull(profile);
	profile->ics[ICS_OCI] = false;
}

static void teardown(void)
{
	profile_free(profile);
}

static int go(const char *const *globs, struct run_options options)
{
	size_t n = 0;

	while (globs && globs[n])
		n++;
	options.globs = globs;
	options.glob_count = n;
	options.profile = profile;
	options.version = "test";
	options.log_level = RECORD_INFO;
	if (!options.case_limit)
		options.case_limit = 20 * US_PER_S;
	text_init(&why, why_buf, sizeof(why_buf));
	return run(&toy_world, &options, &counts, &why);
}

#define GLOBS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct result *find(const struct results *results, const char *id)
{
	for (size_t i = 0; i < results->count; i++)
		if (strcmp(results->items[i].id, id) == 0)
			return &results->items[i];
	ck_abort_msg("no result of %s", id);
}

START_TEST(every_way_to_end)
{
	struct results results;
	const struct result *r;
	int status = go(GLOBS("toys"),
			(struct run_options){ .out = dir, .seed = 7, .case_limit = US_PER_S });

	ck_assert_msg(status == 3, "%d %s", status, why.buf);
	ck_assert_uint_eq(counts.selected, TOYS);
	ck_assert_uint_eq(counts.finished, TOYS);
	ck_assert_int_eq(results_read(dir, &results, &why), 0);
	ck_assert_uint_eq(results.count, TOYS);
	ck_assert_uint_eq(results.torn, 0);

	r = find(&results, "TP/T/PASS/01");
	ck_assert_int_eq(r->verdict, VERDICT_PASS);
	ck_assert_double_eq_tol(r->iut_ms, 3600e3, 1);
	ck_assert_double_lt(r->wall_ms, 1000);
	ck_assert_uint_eq(r->note_count, 1);
	ck_assert_str_eq(r->suite, "toys");
	ck_assert_str_eq(r->role, "amf");
	ck_assert_str_eq(r->repro, "spillway run TP/T/PASS/01 --seed 7");
	ck_assert_str_eq(r->evidence, "cases/TP/T/PASS/01");

	r = find(&results, "TP/T/FAIL/01");
	ck_assert_int_eq(r->verdict, VERDICT_FAIL);
	ck_assert_str_eq(r->reason, "it is 2");
	ck_assert_str_eq(r->detail, "expected: 1\nreceived: 2");
	ck_assert_int_eq(find(&results, "TP/T/INCONC/01")->verdict, VERDICT_INCONC);

	r = find(&results, "TP/T/NA/01");
	ck_assert_int_eq(r->verdict, VERDICT_NA);
	ck_assert_ptr_nonnull(strstr(r->reason, "unheard-of"));
	r = find(&results, "TP/T/NA/02");
	ck_assert_int_eq(r->verdict, VERDICT_NA);
	ck_assert_ptr_nonnull(strstr(r->reason, "oci"));

	r = find(&results, "TP/T/ERROR/01");
	ck_assert_int_eq(r->verdict, VERDICT_ERROR);
	ck_assert_ptr_nonnull(strstr(r->reason, "the toy broke"));

	r = find(&results, "TP/T/CRASH/01");
	ck_assert_int_eq(r->verdict, VERDICT_ERROR);
	ck_assert_msg(strstr(r->reason, "signal 11") != NULL, "%s", r->reason);
	ck_assert_ptr_nonnull(strchr(r->detail, '['));
	ck_assert_msg(strstr(r->detail, "about to crash") != NULL, "%s", r->detail);

	r = find(&results, "TP/T/HANG/01");
	ck_assert_int_eq(r->verdict, VERDICT_ERROR);
	ck_assert_msg(strstr(r->reason, "deadline") != NULL, "%s", r->reason);
	ck_assert_msg(strstr(r->detail, "about to hang") != NULL, "%s", r->detail);

	r = find(&results, "TP/T/EXIT/01");
	ck_assert_int_eq(r->verdict, VERDICT_ERROR);
	ck_assert_ptr_nonnull(strstr(r->reason, "status 7"));

	r = find(&results, "TP/T/SHOULD/01");
	ck_assert_int_eq(r->verdict, VERDICT_PASS);
	ck_assert_uint_eq(r->warning_count, 2);
	ck_assert_str_eq(r->warnings[0], "T-9: could be better");
	r = find(&results, "TP/T/MAY/01");
	ck_assert_int_eq(r->verdict, VERDICT_PASS);
	ck_assert_uint_eq(r->warning_count, 0);

	r = find(&results, "TP/T/LATER/01");
	ck_assert_int_eq(r->verdict, VERDICT_FAIL);
	ck_assert_str_eq(r->reason, "from a callback at 5000000");
	r = find(&results, "TP/T/JUMP/01");
	ck_assert_int_eq(r->verdict, VERDICT_INCONC);
	ck_assert_int_eq(find(&results, "TP/T/DEAD/01")->verdict, VERDICT_ERROR);
	ck_assert_int_eq(find(&results, "TP/T/DEAD/02")->verdict, VERDICT_FAIL);
	for (int i = 1; i <= 6; i++) {
		static const enum verdict kept[] = { VERDICT_INCONC, VERDICT_FAIL,   VERDICT_FAIL,
						     VERDICT_ERROR,  VERDICT_INCONC, VERDICT_FAIL };
		char id[32];

		snprintf(id, sizeof(id), "TP/T/NEVER/%02d", i);
		r = find(&results, id);
		ck_assert_int_eq(r->verdict, kept[i - 1]);
		ck_assert_str_eq(r->reason, "kept");
	}
	r = find(&results, "TP/T/TALK/01");
	ck_assert_uint_eq(r->warning_count, 65);
	ck_assert_str_eq(r->warnings[64], "... and 36 more");
	ck_assert_uint_eq(r->note_count, 65);
	ck_assert_str_eq(r->reason, "??\"\\\n\x01");
	ck_assert_int_eq(find(&results, "TP/T/HUGE/01")->verdict, VERDICT_ERROR);
	ck_assert_uint_eq(counts.warnings, 2 + 65);
	results_clear(&results);
}
END_TEST

START_TEST(should_is_raised)
{
	struct results results;

	ck_assert_int_eq(go(GLOBS("*SHOULD*"),
			    (struct run_options){ .out = dir, .should = RUN_SHOULD_FAIL }),
			 1);
	ck_assert_int_eq(results_read(dir, &results, &why), 0);
	ck_assert_int_eq(results.items[0].verdict, VERDICT_FAIL);
	ck_assert_ptr_nonnull(strstr(results.items[0].repro, " --should fail"));
	results_clear(&results);
	profile->should_fails = true;
	ck_assert_int_eq(go(GLOBS("*SHOULD*"), (struct run_options){ 0 }), 1);
	ck_assert_int_eq(go(GLOBS("*SHOULD*"), (struct run_options){ .should = RUN_SHOULD_WARN }),
			 0);
}
END_TEST

START_TEST(exit_codes)
{
	ck_assert_int_eq(go(GLOBS("*PASS*"), (struct run_options){ 0 }), 0);
	ck_assert_int_eq(go(GLOBS("*PASS*", "*NA*"), (struct run_options){ 0 }), 0);
	ck_assert_int_eq(go(GLOBS("*PASS*", "*/INCONC/*"), (struct run_options){ 0 }), 2);
	ck_assert_int_eq(go(GLOBS("*FAIL*", "*/INCONC/*"), (struct run_options){ 0 }), 1);
	ck_assert_int_eq(go(GLOBS("*FAIL*", "*ERROR*"), (struct run_options){ 0 }), 3);
	ck_assert_int_eq(go(GLOBS("nothing-like-it"), (struct run_options){ 0 }), 4);
	ck_assert_ptr_nonnull(strstr(why.buf, "nothing-like-it"));
	ck_assert_int_eq(go(GLOBS("*PASS*"), (struct run_options){ .shard = 3, .shards = 2 }), 4);
	profile->live = true;
	ck_assert_int_eq(go(GLOBS("*PASS*"), (struct run_options){ .jobs = 2 }), 4);
	ck_assert_ptr_nonnull(strstr(why.buf, "serial"));
}
END_TEST

START_TEST(exit_code_function)
{
	/* selected, pass, inconc, fail, error, stale, not run: exit */
	static const size_t table[][8] = {
		{ 0, 0, 0, 0, 0, 0, 0, 4 }, { 1, 1, 0, 0, 0, 0, 0, 0 }, { 2, 1, 1, 0, 0, 0, 0, 2 },
		{ 3, 1, 1, 1, 0, 0, 0, 1 }, { 4, 1, 1, 1, 1, 0, 0, 3 }, { 2, 1, 0, 0, 1, 0, 0, 3 },
		{ 1, 1, 0, 0, 0, 1, 0, 1 }, { 2, 1, 0, 0, 0, 0, 1, 2 }, { 2, 0, 1, 0, 0, 1, 0, 1 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct run_counts c = { .selected = table[i][0],
					.stale = table[i][5],
					.not_run = table[i][6] };

		c.verdict[VERDICT_PASS] = table[i][1];
		c.verdict[VERDICT_INCONC] = table[i][2];
		c.verdict[VERDICT_FAIL] = table[i][3];
		c.verdict[VERDICT_ERROR] = table[i][4];
		ck_assert_int_eq(run_exit_code(&c), (int)table[i][7]);
	}
}
END_TEST

START_TEST(selection)
{
	static const struct {
		const char *glob;
		size_t count;
	} table[] = {
		{ "toys", TOYS },
		{ "more-*", 6 },
		{ "TP/T/DEAD/*", 2 },
		{ "clause:1.234/5.6 b", 0 },
		{ "clause:1.234/5.6/b", 2 },
		{ "clause:1.234 5.6 b", 2 },
		{ "clause:1.234/5.6*", TOYS + 6 },
		{ "req:T-9", 1 },
		{ "req:T-1?", 1 },
		{ "fault:toy-fault", 1 },
		{ "fault:toy-*", 1 },
		{ "fault:*-nope", 0 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct run_selection s;
		int error = run_select(&toy_world, &table[i].glob, 1, &s, &why);

		ck_assert_int_eq(error, table[i].count ? 0 : -ENOENT);
		ck_assert_msg(s.count == table[i].count, "%s: %zu", table[i].glob, s.count);
		run_selection_clear(&s);
	}
}
END_TEST

START_TEST(shards_are_a_partition)
{
	size_t all = 0;

	for (unsigned int i = 1; i <= 4; i++) {
		ck_assert_int_eq(
			go(GLOBS("more-toys"), (struct run_options){ .shard = i, .shards = 4 }), 0);
		all += counts.finished;
	}
	ck_assert_uint_eq(all, 6);
}
END_TEST

START_TEST(shard_from_the_environment)
{
	unsigned int shard = 0, shards = 0;
	int error;

	ck_assert(!run_shard_environment(&shard, &shards, &error, &why));
	setenv("SLURM_ARRAY_TASK_ID", "12", 1);
	setenv("SLURM_ARRAY_TASK_COUNT", "5", 1);
	setenv("SLURM_ARRAY_TASK_MIN", "10", 1);
	ck_assert(run_shard_environment(&shard, &shards, &error, &why));
	ck_assert_int_eq(error, 0);
	ck_assert_uint_eq(shard, 3);
	ck_assert_uint_eq(shards, 5);
	setenv("SLURM_ARRAY_TASK_ID", "15", 1);
	ck_assert(run_shard_environment(&shard, &shards, &error, &why));
	ck_assert_int_eq(error, -EINVAL);
	unsetenv("SLURM_ARRAY_TASK_ID");
	setenv("TEST_SHARD_INDEX", "0", 1);
	setenv("TEST_TOTAL_SHARDS", "2", 1);
	ck_assert(run_shard_environment(&shard, &shards, &error, &why));
	ck_assert_uint_eq(shard, 1);
	ck_assert_uint_eq(shards, 2);
	unsetenv("TEST_SHARD_INDEX");
	setenv("CI_NODE_INDEX", "2", 1);
	setenv("CI_NODE_TOTAL", "2", 1);
	ck_assert(run_shard_environment(&shard, &shards, &error, &why));
	ck_assert_uint_eq(shard, 2);
	unsetenv("CI_NODE_INDEX");
}
END_TEST

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

START_TEST(baseline)
{
	char name[300];

	snprintf(name, sizeof(name), "%s/baseline", base);
	write_file(name, "# known\nTP/T/FAIL/01 fail ticket 7\n\n  TP/T/PASS/01 fail was broken\n");
	ck_assert_int_eq(go(GLOBS("*FAIL*"), (struct run_options){ .baseline = name }), 0);
	ck_assert_uint_eq(counts.expected_failures, 1);
	ck_assert_int_eq(go(GLOBS("*PASS*"), (struct run_options){ .baseline = name }), 1);
	ck_assert_uint_eq(counts.stale, 1);
	ck_assert_int_eq(go(GLOBS("*FAIL*", "*INCONC*"), (struct run_options){ .baseline = name }),
			 2);

	write_file(name, "TP/T/FAIL/01 fail\nTP/T/FAIL/01 maybe so\nTP/T/NOPE/01 fail x\nTP\n");
	ck_assert_int_eq(go(GLOBS("*FAIL*"), (struct run_options){ .baseline = name }), 4);
	for (int line = 1; line <= 4; line++) {
		char where[320];

		snprintf(where, sizeof(where), "%s:%d: ", name, line);
		ck_assert_msg(strstr(why.buf, where) != NULL, "%s", why.buf);
	}
	ck_assert_int_eq(go(GLOBS("*FAIL*"), (struct run_options){ .baseline = "/nonexistent" }),
			 4);
}
END_TEST

static char *note_of(const char *id)
{
	struct results results;
	char *note;

	ck_assert_int_eq(results_read(dir, &results, &why), 0);
	note = strdup(find(&results, id)->notes[0]);
	results_clear(&results);
	return note;
}

START_TEST(seeds_repeat)
{
	char *one, *two, *three;

	go(GLOBS("*SEED*"), (struct run_options){ .out = dir, .seed = 41 });
	one = note_of("TP/T/SEED/01");
	afresh();
	go(GLOBS("toys"),
	   (struct run_options){ .out = dir, .seed = 41, .jobs = 3, .case_limit = US_PER_S });
	two = note_of("TP/T/SEED/01");
	afresh();
	go(GLOBS("*SEED*"), (struct run_options){ .out = dir, .seed = 42 });
	three = note_of("TP/T/SEED/01");
	ck_assert_str_eq(one, two);
	ck_assert_str_ne(one, three);
	ck_assert_ptr_nonnull(strstr(one, "subscriber 0 1"));
	free(one);
	free(two);
	free(three);
}
END_TEST

START_TEST(repetitions)
{
	struct results results;

	ck_assert_int_eq(go(GLOBS("*SEED*", "*MAY*"),
			    (struct run_options){ .out = dir, .seed = 10, .repeat = 3 }),
			 0);
	ck_assert_uint_eq(counts.finished, 6);
	ck_assert_int_eq(results_read(dir, &results, &why), 0);
	for (size_t i = 0; i < results.count; i++) {
		char path[600];

		ck_assert_uint_eq(results.items[i].seed, 9 + results.items[i].repetition);
		snprintf(path, sizeof(path), "%s/%s/events.jsonl", dir, results.items[i].evidence);
		ck_assert_msg(access(path, R_OK) == 0, "%s", path);
	}
	results_clear(&results);

	/* the third repetition is what its repro says */
	ck_assert_int_eq(go(GLOBS("*FAIL*"), (struct run_options){ .until_fail = true, .jobs = 1 }),
			 1);
	ck_assert_uint_eq(counts.finished, 1);
	ck_assert_int_eq(go(GLOBS("*PASS*"),
			    (struct run_options){ .until_fail = true, .repeat = 4, .jobs = 2 }),
			 0);
	ck_assert_uint_eq(counts.finished, 4);
	ck_assert_int_eq(
		go(GLOBS("*PASS*"),
		   (struct run_options){ .until_fail = true, .max_duration = 300 * US_PER_MS }),
		0);
	ck_assert_uint_gt(counts.finished, 1);
}
END_TEST

START_TEST(evidence_of_failures_only)
{
	char path[600];

	ck_assert_int_eq(go(GLOBS("*PASS*", "*FAIL*"),
			    (struct run_options){ .out = dir, .evidence_failed_only = true }),
			 1);
	snprintf(path, sizeof(path), "%s/cases/TP/T/FAIL/01/log.txt", dir);
	ck_assert_int_eq(access(path, R_OK), 0);
	snprintf(path, sizeof(path), "%s/cases/TP/T/PASS", dir);
	ck_assert_int_ne(access(path, R_OK), 0);
}
END_TEST

START_TEST(a_record_is_not_overwritten)
{
	char path[600];

	ck_assert_int_eq(go(GLOBS("*PASS*"), (struct run_options){ .out = dir }), 0);
	ck_assert_int_eq(go(GLOBS("*PASS*"), (struct run_options){ .out = dir }), 4);
	ck_assert_ptr_nonnull(strstr(why.buf, "--resume"));
	/* but what a run left that was killed at its very beginning is no record */
	afresh();
	mkdir(dir, 0777);
	snprintf(path, sizeof(path), "%s/results.jsonl", dir);
	fclose(fopen(path, "w"));
	ck_assert_int_eq(go(GLOBS("*PASS*"), (struct run_options){ .out = dir }), 0);
}
END_TEST

static size_t lines_of(const char *name)
{
	FILE *file = fopen(name, "r");
	size_t n = 0;
	int c;

	if (!file)
		return 0;
	while ((c = getc(file)) != EOF)
		n += c == '\n';
	fclose(file);
	return n;
}

START_TEST(killed_and_resumed)
{
	char path[600];
	struct results results;
	pid_t pid = fork();
	FILE *file;
	int status;

	ck_assert_int_ge(pid, 0);
	snprintf(path, sizeof(path), "%s/results.jsonl", dir);
	if (pid == 0) {
		go(GLOBS("toys"), (struct run_options){ .out = dir, .seed = 5, .jobs = 1 });
		_exit(0);
	}
	/* HANG/01 stands in the middle: what is before it is finished then */
	while (lines_of(path) < 7)
		usleep(1000);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);

	/* torn, as by a machine that lost power */
	file = fopen(path, "a");
	fputs("{\"id\":\"TP/T/HANG/01\",\"verd", file);
	fclose(file);
	ck_assert_int_eq(results_read(dir, &results, &why), 0);
	ck_assert_uint_eq(results.count, 7);
	ck_assert_uint_eq(results.torn, 1);
	results_clear(&results);

	/* another seed, other policy: not the same run */
	ck_assert_int_eq(
		go(NULL, (struct run_options){ .resume = dir, .seed = 6, .seed_given = true }), 4);
	ck_assert_int_eq(go(NULL, (struct run_options){ .resume = dir, .should = RUN_SHOULD_FAIL }),
			 4);
	ck_assert_int_eq(go(NULL, (struct run_options){ .resume = dir, .case_limit = US_PER_S }),
			 3);
	ck_assert_uint_eq(counts.finished, TOYS);
	ck_assert_int_eq(results_read(dir, &results, &why), 0);
	ck_assert_uint_eq(results.count, TOYS);
	ck_assert_uint_eq(results.torn, 0);
	for (size_t i = 0; i < results.count; i++) {
		ck_assert_uint_eq(results.items[i].seed, 5);
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(results.items[i].id, results.items[j].id);
	}
	results_clear(&results);
}
END_TEST

static json_t *described(void)
{
	char path[600];
	json_t *run;

	snprintf(path, sizeof(path), "%s/run.json", dir);
	run = json_load_file(path, 0, NULL);
	ck_assert_ptr_nonnull(run);
	return run;
}

static const char *word(const json_t *run, const char *key)
{
	const char *s = json_string_value(json_object_get(run, key));

	ck_assert_msg(s != NULL, "run.json has no %s", key);
	return s;
}

START_TEST(a_run_says_when_it_began)
{
	json_t *run;

	ck_assert_int_eq(go(GLOBS("*HANG*"),
			    (struct run_options){ .out = dir, .case_limit = 1200 * US_PER_MS }),
			 3);
	run = described();
	ck_assert_int_lt(strcmp(word(run, "started"), word(run, "ended")), 0);
	json_decref(run);
}
END_TEST

static json_int_t number(const json_t *run, const char *key)
{
	return json_integer_value(json_object_get(run, key));
}

START_TEST(a_resumed_part_stays_that_part)
{
	struct run_options part = { .out = dir, .shard = 1, .shards = 3 };
	json_t *run;

	ck_assert_int_eq(go(GLOBS("*MORE*"), part), 0);
	ck_assert_int_eq(go(NULL, (struct run_options){ .resume = dir, .shard = 2, .shards = 3 }),
			 4);
	ck_assert_ptr_nonnull(strstr(why.buf, "is part 1 of 3, not 2 of 3"));
	ck_assert_int_eq(go(NULL, (struct run_options){ .resume = dir, .shard = 1, .shards = 3 }),
			 0);
	/* twice: what the first resumption writes is what the second one reads */
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(go(NULL, (struct run_options){ .resume = dir }), 0);
		ck_assert_uint_eq(counts.finished, 2);
		ck_assert_uint_eq(counts.selected, 2);
	}
	run = described();
	ck_assert_int_eq(number(run, "shard"), 1);
	ck_assert_int_eq(number(run, "shards"), 3);
	ck_assert_uint_eq(json_array_size(json_object_get(run, "globs")), 1);
	ck_assert_uint_eq(
		json_array_size(json_object_get(json_object_get(run, "cases"), "more-toys")), 2);
	json_decref(run);
}
END_TEST

START_TEST(repeated_lines_count_once)
{
	char command[1200];

	ck_assert_int_eq(go(GLOBS("*MORE*"), (struct run_options){ .out = dir }), 0);
	snprintf(command, sizeof(command),
		 "cd %s && for i in 1 2 3 4 5; do cat results.jsonl results.jsonl >two && "
		 "mv two results.jsonl; done",
		 dir);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(go(NULL, (struct run_options){ .resume = dir }), 0);
	ck_assert_uint_eq(counts.finished, 6);
	ck_assert_uint_eq(counts.verdict[VERDICT_PASS], 6);
}
END_TEST

START_TEST(budget_ends_a_run)
{
	ck_assert_int_eq(
		go(GLOBS("*HANG*", "*MORE*"),
		   (struct run_options){ .out = dir, .jobs = 1, .max_duration = 200 * US_PER_MS }),
		2);
	ck_assert_uint_eq(counts.finished, 0);
	ck_assert_uint_eq(counts.not_run, 7);
}
END_TEST

/* A file system of a few pages, where the tests run as root. */
START_TEST(full_disk)
{
	struct results results;
	char small[300];
	int status, error;

	snprintf(small, sizeof(small), "%s/small", base);
	mkdir(small, 0777);
	if (mount("none", small, "tmpfs", 0, "size=64k") != 0)
		return;
	snprintf(dir, sizeof(dir), "%s/record", small);
	status = go(GLOBS("more-toys"), (struct run_options){ .out = dir, .jobs = 1 });
	error = results_read(dir, &results, &why);
	umount2(small, MNT_DETACH);
	ck_assert_int_eq(status, 3);
	ck_assert_msg(strstr(why.buf, "No space left on device") != NULL, "%s", why.buf);
	ck_assert_ptr_nonnull(strstr(why.buf, "stay readable"));
	ck_assert_uint_lt(counts.finished, 6);
	ck_assert_int_eq(error, 0);
	ck_assert_uint_eq(results.count, counts.finished);
	results_clear(&results);
}
END_TEST

START_TEST(interrupted)
{
	static volatile sig_atomic_t stop = 1;

	ck_assert_int_eq(go(GLOBS("more-toys"), (struct run_options){ .interrupted = &stop }), 2);
	ck_assert_uint_eq(counts.finished, 0);
	ck_assert_uint_eq(counts.not_run, 6);
}
END_TEST

static size_t ended_count;

static bool batch_ended(void *arg, size_t job, const struct run_outcome *outcome)
{
	(void)arg;
	(void)job;
	(void)outcome;
	ended_count++;
	return true;
}

START_TEST(batch)
{
	enum { N = 200 };
	static struct run_job jobs[N];
	static struct run_outcome outcomes[N];
	struct run_batch_options options = {
		.profile = profile, .jobs = 2, .case_limit = US_PER_S, .ended = batch_ended
	};

	for (size_t i = 0; i < N; i++)
		jobs[i] = (struct run_job){ .test = &toy_cases[i == 100 ? 7 : i % 7], .seed = i };
	ended_count = 0;
	ck_assert_int_eq(run_batch(&toy_world, &options, jobs, N, outcomes), 0);
	ck_assert_uint_eq(ended_count, N);
	for (size_t i = 0; i < N; i++) {
		static const enum verdict expected[] = { VERDICT_PASS, VERDICT_FAIL, VERDICT_INCONC,
							 VERDICT_NA,   VERDICT_NA,   VERDICT_ERROR,
							 VERDICT_ERROR };
		enum verdict verdict = i == 100 ? VERDICT_ERROR : expected[i % 7];

		ck_assert_msg(outcomes[i].verdict == verdict, "%zu: %s %s", i,
			      verdict_name(outcomes[i].verdict), outcomes[i].reason);
	}
	ck_assert_ptr_nonnull(strstr(outcomes[100].reason, "deadline"));
	ck_assert_ptr_nonnull(strstr(outcomes[6].reason, "signal 11"));
	ck_assert_str_eq(outcomes[1].reason, "it is 2");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("run");
	TCase *tcase = tcase_create("run");
	SRunner *runner;
	char command[600];
	int failed;

	if (!mkdtemp(base))
		return 1;
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, every_way_to_end);
	tcase_add_test(tcase, should_is_raised);
	tcase_add_test(tcase, exit_codes);
	tcase_add_test(tcase, exit_code_function);
	tcase_add_test(tcase, selection);
	tcase_add_test(tcase, shards_are_a_partition);
	tcase_add_test(tcase, shard_from_the_environment);
	tcase_add_test(tcase, baseline);
	tcase_add_test(tcase, seeds_repeat);
	tcase_add_test(tcase, repetitions);
	tcase_add_test(tcase, evidence_of_failures_only);
	tcase_add_test(tcase, a_record_is_not_overwritten);
	tcase_add_test(tcase, killed_and_resumed);
	tcase_add_test(tcase, a_run_says_when_it_began);
	tcase_add_test(tcase, a_resumed_part_stays_that_part);
	tcase_add_test(tcase, repeated_lines_count_once);
	tcase_add_test(tcase, budget_ends_a_run);
	tcase_add_test(tcase, full_disk);
	tcase_add_test(tcase, interrupted);
	tcase_add_test(tcase, batch);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	snprintf(command, sizeof(command), "rm -rf %s", base);
	return system(command) != 0 || failed;
}
