#include <check.h>
#include <errno.h>
#include <string.h>

#include "runner/cli/options.h"

static const char *const words[] = { "warn", "fail", NULL };

static const struct option options[] = {
	{ .name = "json",
	  .kind = OPTION_FLAG,
	  .place = offsetof(struct settings, json),
	  .text = "prints one JSON object" },
	{ .name = "profile",
	  .kind = OPTION_TEXT,
	  .value = "FILE",
	  .place = offsetof(struct settings, profile),
	  .text = "the profile" },
	{ .name = "fault",
	  .kind = OPTION_TEXTS,
	  .value = "NAME",
	  .place = offsetof(struct settings, faults),
	  .text = "a fault" },
	{ .name = "jobs",
	  .letter = 'j',
	  .kind = OPTION_NUMBER,
	  .value = "N",
	  .min = 1,
	  .max = 99,
	  .place = offsetof(struct settings, jobs),
	  .text = "how many at a time" },
	{ .name = "max-duration",
	  .kind = OPTION_DURATION,
	  .value = "D",
	  .place = offsetof(struct settings, max_duration),
	  .text = "how long" },
	{ .name = "should",
	  .kind = OPTION_WORD,
	  .value = "WORD",
	  .words = words,
	  .place = offsetof(struct settings, should),
	  .text = "what a should is" },
	{ .name = "shard",
	  .kind = OPTION_SHARD,
	  .value = "I/N",
	  .place = offsetof(struct settings, shard),
	  .text = "a part" },
};

static const struct command command = {
	.name = "try",
	.operands = "[GLOB...]",
	.summary = "Tries.",
	.options = options,
	.option_count = sizeof(options) / sizeof(options[0]),
	.max_operands = 3,
	.operand_name = "GLOB",
};

static struct settings settings;
static char buf[1024];
static struct text why;

static int parse(const struct command *what, int argc, const char *const argv[])
{
	memset(&settings, 0, sizeof(settings));
	text_init(&why, buf, sizeof(buf));
	return options_parse(what, argc, (char *const *)(uintptr_t)argv, 0, &settings, &why);
}

#define PARSE(...)                                                                       \
	parse(&command, (int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)), \
	      (const char *[]){ __VA_ARGS__ })

START_TEST(every_kind_and_both_spellings)
{
	ck_assert_int_eq(PARSE("a", "--json", "--profile=x=y", "b", "--fault", "f1", "--fault=f2",
			       "-j", "7", "--max-duration", "90s", "--should=fail", "--shard",
			       "2/5", "--", "--json"),
			 0);
	ck_assert(settings.json);
	ck_assert_str_eq(settings.profile, "x=y");
	ck_assert_uint_eq(settings.faults.count, 2);
	ck_assert_str_eq(settings.faults.words[1], "f2");
	ck_assert_uint_eq(settings.jobs, 7);
	ck_assert_uint_eq(settings.max_duration, 90000000);
	ck_assert_int_eq(settings.should, SHOULD_FAIL);
	ck_assert_uint_eq(settings.shard.index, 2);
	ck_assert_uint_eq(settings.shard.count, 5);
	ck_assert_uint_eq(settings.operands.count, 3);
	ck_assert_str_eq(settings.operands.words[2], "--json");
	ck_assert(option_given(&command, &settings, "jobs"));
	ck_assert_int_eq(PARSE("-j9"), 0);
	ck_assert_uint_eq(settings.jobs, 9);
	ck_assert(!option_given(&command, &settings, "json"));
}
END_TEST

static void refused(int rc, const char *part, const char *other)
{
	ck_assert_int_eq(rc, -EINVAL);
	ck_assert_msg(strstr(buf, part) != NULL, "'%s' is not in '%s'", part, buf);
	ck_assert_msg(strstr(buf, other) != NULL, "'%s' is not in '%s'", other, buf);
}

START_TEST(errors_name_the_option_and_the_nearest_word)
{
	refused(PARSE("--profil", "x"), "'--profil'", "'--profile'");
	refused(PARSE("--max-durations=5s"), "'--max-durations'", "'--max-duration'");
	refused(PARSE("--hlep"), "'--hlep'", "'--help'");
	refused(PARSE("--zzzzzzzzzzz"), "unknown option", "'--zzzzzzzzzzz'");
	refused(PARSE("-x"), "unknown option", "'-x'");
	refused(PARSE("--should", "fial"), "warn, fail", "'fail'");
	refused(PARSE("--jobs", "0"), "--jobs", "1 to 99");
	refused(PARSE("--jobs", "100"), "--jobs", "1 to 99");
	refused(PARSE("--jobs", "-1"), "--jobs", "1 to 99");
	refused(PARSE("--jobs", "5x"), "--jobs", "'5x'");
	refused(PARSE("--jobs", "99999999999999999999999"), "--jobs", "1 to 99");
	refused(PARSE("--jobs"), "--jobs", "needs a value: N");
	refused(PARSE("--json=yes"), "--json", "takes no value");
	refused(PARSE("--profile", ""), "--profile", "empty");
	refused(PARSE("--max-duration", "10"), "--max-duration", "500ms");
	refused(PARSE("--shard", "0/5"), "--shard", "2/5");
	refused(PARSE("--shard", "6/5"), "--shard", "'6/5'");
	refused(PARSE("--shard", "5"), "--shard", "'5'");
	refused(PARSE("a", "b", "c", "d"), "3 operands", "'d'");
}
END_TEST

START_TEST(operands_may_be_limited_and_may_end_options)
{
	struct command other = command;

	other.min_operands = 1;
	other.operand_name = "the case ID";
	refused(parse(&other, 0, NULL), "the case ID", "missing");
	other.max_operands = 0;
	other.min_operands = 0;
	refused(parse(&other, 1, (const char *[]){ "x" }), "no operand", "'x'");
	other = command;
	other.operands_end_options = true;
	ck_assert_int_eq(parse(&other, 2, (const char *[]){ "act", "--json" }), 0);
	ck_assert(!settings.json);
	ck_assert_str_eq(settings.operands.words[1], "--json");
}
END_TEST

START_TEST(help_shows_every_option)
{
	char help[8192];
	struct text text;

	text_init(&text, help, sizeof(help));
	options_help(&command, &text);
	for (size_t i = 0; i < command.option_count; i++) {
		ck_assert_ptr_nonnull(strstr(help, options[i].name));
		ck_assert_ptr_nonnull(strstr(help, options[i].text));
	}
	ck_assert_ptr_nonnull(strstr(help, "-j, --jobs N"));
	ck_assert_ptr_nonnull(strstr(help, "--should warn|fail"));
	ck_assert_ptr_nonnull(strstr(help, "-h, --help"));
	for (const char *line = help; line != NULL && *line != '\0';) {
		ck_assert_uint_le(strcspn(line, "\n"), 100);
		line = strchr(line, '\n');
		line = line == NULL ? NULL : line + 1;
	}
	ck_assert_int_eq(PARSE("--help", "--nonsense"), 0);
	ck_assert(settings.help);
}
END_TEST

START_TEST(the_nearest_word_is_near)
{
	static const char *const list[] = { "TP/N1/AMF/EXEMPT/01", "n1-congestion", "n2-overload" };

	ck_assert_str_eq(nearest_word("n1-congestoin", list, 3), "n1-congestion");
	ck_assert_str_eq(nearest_word("N2-Overload", list, 3), "n2-overload");
	ck_assert_str_eq(nearest_word("TP/N1/AMF/EXEMT/01", list, 3), "TP/N1/AMF/EXEMPT/01");
	ck_assert_ptr_null(nearest_word("completely-different", list, 3));
	ck_assert_ptr_null(nearest_word("", list, 3));
	ck_assert_ptr_null(nearest_word("x", NULL, 0));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("options");
	TCase *tcase = tcase_create("options");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, every_kind_and_both_spellings);
	tcase_add_test(tcase, errors_name_the_option_and_the_nearest_word);
	tcase_add_test(tcase, operands_may_be_limited_and_may_end_options);
	tcase_add_test(tcase, help_shows_every_option);
	tcase_add_test(tcase, the_nearest_word_is_near);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
