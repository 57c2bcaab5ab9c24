#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/case/results.h"

static char base[] = "/tmp/spillway-results-XXXXXX";

static char *warnings[] = { "one", "two \"quoted\"\n" };
static char *notes[] = { "a figure" };
static struct figure figures[] = {
	{ .what = "mo-Data",
	  .offered = 1000,
	  .sent = 497,
	  .stated = 0.5,
	  .tolerance = 0.05,
	  .low = 0.4,
	  .high = 0.6 },
};
static const struct result whole = {
	.figures = figures,
	.figure_count = 1,
	.id = "TP/T/A/01",
	.suite = "toys",
	.role = "amf",
	.purpose = "it works",
	.requirement = "T-1",
	.clause = "1.2 3",
	.strength = "shall",
	.verdict = VERDICT_FAIL,
	.reason = "line 1\nline 2\ttab \xc3\xa4",
	.warnings = warnings,
	.warning_count = 2,
	.notes = notes,
	.note_count = 1,
	.detail = "expected\nreceived",
	.ladder = "-> a\n<- b",
	.baseline = "expected",
	.repro = "spillway run TP/T/A/01 --seed 9",
	.evidence = "cases/TP/T/A/01",
	.seed = INT64_MAX,
	.repetition = 3,
	.iut_ms = 1234567.891,
	.wall_ms = 0.001,
};

START_TEST(there_and_back)
{
	char *line = result_print(&whole);
	struct result r;

	ck_assert_ptr_nonnull(line);
	ck_assert_ptr_null(strchr(line, '\n'));
	ck_assert_ptr_nonnull(strstr(line, "\"verdict\":\"fail\""));
	ck_assert(result_parse(line, strlen(line), &r));
	ck_assert_str_eq(r.id, whole.id);
	ck_assert_str_eq(r.suite, whole.suite);
	ck_assert_int_eq(r.verdict, whole.verdict);
	ck_assert_str_eq(r.reason, whole.reason);
	ck_assert_uint_eq(r.warning_count, 2);
	ck_assert_str_eq(r.warnings[1], warnings[1]);
	ck_assert_str_eq(r.notes[0], notes[0]);
	ck_assert_uint_eq(r.figure_count, 1);
	ck_assert_str_eq(r.figures[0].what, "mo-Data");
	ck_assert_uint_eq(r.figures[0].sent, 497);
	ck_assert(r.figures[0].low == 0.4 && r.figures[0].tolerance == 0.05);
	ck_assert_str_eq(r.detail, whole.detail);
	ck_assert_str_eq(r.ladder, whole.ladder);
	ck_assert_str_eq(r.baseline, whole.baseline);
	ck_assert_str_eq(r.repro, whole.repro);
	ck_assert_str_eq(r.evidence, whole.evidence);
	ck_assert_uint_eq(r.seed, whole.seed);
	ck_assert_uint_eq(r.repetition, 3);
	ck_assert(r.iut_ms == whole.iut_ms && r.wall_ms == whole.wall_ms);
	result_clear(&r);
	free(line);
}
END_TEST

/* The order of the contract, design/cli.md. */
START_TEST(order_of_members)
{
	static const char *const members[] = { "id",	      "verdict", "reason", "warnings",
					       "requirement", "clause",	 "seed",   "iut_ms",
					       "wall_ms",     "repro" };
	char *line = result_print(&whole);
	const char *at = line;

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		char member[32];

		snprintf(member, sizeof(member), "\"%s\":", members[i]);
		at = strstr(at, member);
		ck_assert_msg(at != NULL, "%s", members[i]);
	}
	free(line);
}
END_TEST

START_TEST(no_result)
{
	static const char *const lines[] = {
		"",
		"{",
		"[]",
		"{}",
		"null",
		"{\"id\":\"x\"}",
		"{\"id\":\"x\",\"verdict\":\"good\"}",
		"{\"id\":1,\"verdict\":\"pass\"}",
		"{\"verdict\":\"pass\"}",
		"{\"id\":\"x\",\"id\":\"y\",\"verdict\":\"pass\"}",
		"{\"id\":\"x\",\"verdict\":\"pass\"} trailing",
	};
	struct result r;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(!result_parse(lines[i], strlen(lines[i]), &r), "%s", lines[i]);
	/* a field of another type is as absent */
	static const char odd[] = "{\"id\":\"x\",\"verdict\":\"na\",\"seed\":\"7\",\"warnings\":{},"
				  "\"repetition\":-5}";

	ck_assert(result_parse(odd, sizeof(odd) - 1, &r));
	ck_assert_uint_eq(r.repetition, 1);
	ck_assert_uint_eq(r.warning_count, 0);
	ck_assert_str_eq(r.reason, "");
	result_clear(&r);
}
END_TEST

START_TEST(any_torn_line)
{
	char *line = result_print(&whole);
	size_t len = strlen(line);
	struct result r;

	for (size_t i = 0; i < len; i++)
		ck_assert(!result_parse(line, i, &r));
	for (size_t i = 0; i < len; i++) {
		char before = line[i];

		line[i] = (char)(before ^ 0x20);
		if (result_parse(line, len, &r))
			result_clear(&r);
		line[i] = before;
	}
	free(line);
}
END_TEST

START_TEST(journal_with_torn_lines)
{
	char path[128], *line = result_print(&whole), buf[512];
	struct results results;
	struct text why;
	FILE *file;

	text_init(&why, buf, sizeof(buf));
	ck_assert_int_eq(results_read(base, &results, &why), 0);
	ck_assert_uint_eq(results.count, 0);
	snprintf(path, sizeof(path), "%s/results.jsonl", base);
	file = fopen(path, "w");
	for (int i = 0; i < 5; i++)
		fprintf(file, "%s\n", line);
	fprintf(file, "%.40s\n\n%s\n%.60s", line, line, line);
	fclose(file);
	ck_assert_int_eq(results_read(base, &results, &why), 0);
	ck_assert_uint_eq(results.count, 6);
	ck_assert_uint_eq(results.torn, 2);
	results_clear(&results);
	unlink(path);
	free(line);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("results");
	TCase *tcase = tcase_create("results");
	SRunner *runner;
	int failed;

	if (!mkdtemp(base))
		return 1;
	tcase_add_test(tcase, there_and_back);
	tcase_add_test(tcase, order_of_members);
	tcase_add_test(tcase, no_result);
	tcase_add_test(tcase, any_torn_line);
	tcase_add_test(tcase, journal_with_torn_lines);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	rmdir(base);
	return failed != 0;
}
