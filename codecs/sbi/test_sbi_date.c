#include <check.h>
#include <stdlib.h>
#include <time.h>

#include "codecs/sbi/sbi.h"
#include "codecs/sbi/sbi_date.h"

static int64_t fixdate(const char *s)
{
	int64_t seconds;
	size_t bad;

	ck_assert_int_eq(sbi_date_read(&seconds, sbi_octets(s), &bad), FINDING_NONE);
	return seconds;
}

static enum finding_rule rule_of(const char *s, size_t *bad)
{
	int64_t seconds;

	return sbi_date_read(&seconds, sbi_octets(s), bad);
}

START_TEST(known_dates)
{
	ck_assert_int_eq(fixdate("Thu, 01 Jan 1970 00:00:00 GMT"), 0);
	ck_assert_int_eq(fixdate("Wed, 31 Dec 1969 23:59:59 GMT"), -1);
	ck_assert_int_eq(fixdate("Tue, 04 Feb 2020 08:49:37 GMT"), 1580806177);
	ck_assert_int_eq(fixdate("Sat, 29 Feb 2020 00:00:00 GMT"), 1582934400);
	ck_assert_int_eq(fixdate("Tue, 29 Feb 2000 12:00:00 GMT"), 951825600);
	ck_assert_int_eq(fixdate("Fri, 31 Dec 9999 23:59:59 GMT"), SBI_DATE_MAX);
	ck_assert_int_eq(fixdate("Sat, 31 Dec 2016 23:59:60 GMT"), 1483228800);
}
END_TEST

START_TEST(refused_dates)
{
	static const struct {
		const char *text;
		enum finding_rule rule;
		size_t bad;
	} dates[] = {
		{ "", FINDING_SYNTAX, 0 },
		{ "Tue", FINDING_SYNTAX, 3 },
		{ "tue, 04 Feb 2020 08:49:37 GMT", FINDING_SYNTAX, 0 },
		{ "Tue, 4 Feb 2020 08:49:37 GMT", FINDING_SYNTAX, 5 },
		{ "Tue, 04 Feb 2020 08:49:37 UTC", FINDING_SYNTAX, 25 },
		{ "Tue, 04 Feb 2020 08:49:37 GMT ", FINDING_SYNTAX, 29 },
		{ "Tue, 04 Feb 99999 08:49:37 GMT", FINDING_SYNTAX, 16 },
		{ "Wed, 04 Feb 2020 08:49:37 GMT", FINDING_RANGE, 0 },
		{ "Fri, 29 Feb 2019 08:49:37 GMT", FINDING_RANGE, 0 },
		{ "Thu, 29 Feb 1900 08:49:37 GMT", FINDING_RANGE, 0 },
		{ "Tue, 00 Feb 2020 08:49:37 GMT", FINDING_RANGE, 0 },
		{ "Tue, 04 Feb 2020 24:00:00 GMT", FINDING_RANGE, 0 },
		{ "Tue, 04 Feb 2020 08:60:00 GMT", FINDING_RANGE, 0 },
		{ "Tue, 04 Feb 2020 08:49:61 GMT", FINDING_RANGE, 0 },
	};

	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		size_t bad = 99;

		ck_assert_msg(rule_of(dates[i].text, &bad) == dates[i].rule, "%s", dates[i].text);
		ck_assert_uint_eq(bad, dates[i].bad);
	}
}
END_TEST

/* libc's calendar is the oracle: every day of 800 years, and their ends. */
START_TEST(every_day)
{
	for (int64_t day = -146097; day < 146097; day++) {
		char printed[64], expected[64];
		int64_t at = day * 86400 + (day & 0xffff), again;
		time_t when = (time_t)at;
		struct text text;
		struct tm tm;
		size_t bad;

		text_init(&text, printed, sizeof(printed));
		sbi_date_print(&text, at);
		gmtime_r(&when, &tm);
		strftime(expected, sizeof(expected), "%a, %d %b %Y %H:%M:%S GMT", &tm);
		ck_assert_str_eq(printed, expected);
		ck_assert_int_eq(sbi_date_read(&again, sbi_octets(printed), &bad), FINDING_NONE);
		ck_assert_int_eq(again, at);
	}
}
END_TEST

START_TEST(beyond_the_calendar)
{
	char printed[64];
	struct text text;

	text_init(&text, printed, sizeof(printed));
	sbi_date_print(&text, INT64_MAX);
	ck_assert_str_eq(printed, "Fri, 31 Dec 9999 23:59:59 GMT");
	text_init(&text, printed, sizeof(printed));
	sbi_date_print(&text, INT64_MIN);
	ck_assert_str_eq(printed, "Sat, 01 Jan 0000 00:00:00 GMT");
}
END_TEST

START_TEST(obsolete_forms)
{
	bool obsolete;
	int64_t at;
	size_t bad;

	ck_assert_int_eq(sbi_date_read_any(&at, sbi_octets("Sunday, 06-Nov-94 08:49:37 GMT"),
					   &obsolete, &bad),
			 FINDING_NONE);
	ck_assert(obsolete);
	ck_assert_int_eq(at, 784111777);
	ck_assert_int_eq(
		sbi_date_read_any(&at, sbi_octets("Sun Nov  6 08:49:37 1994"), &obsolete, &bad),
		FINDING_NONE);
	ck_assert(obsolete);
	ck_assert_int_eq(at, 784111777);
	ck_assert_int_eq(sbi_date_read_any(&at, sbi_octets("Sun, 06 Nov 1994 08:49:37 GMT"),
					   &obsolete, &bad),
			 FINDING_NONE);
	ck_assert(!obsolete);
	ck_assert_int_eq(sbi_date_read_any(&at, sbi_octets("yesterday"), &obsolete, &bad),
			 FINDING_SYNTAX);
}
END_TEST

START_TEST(milliseconds)
{
	char printed[64];
	struct text text;
	int64_t ms;
	size_t bad;

	ck_assert_int_eq(
		sbi_date_ms_read(&ms, sbi_octets("Sun, 04 Aug 2019 08:49:37.845 GMT"), &bad),
		FINDING_NONE);
	ck_assert_int_eq(ms, INT64_C(1564908577845));
	text_init(&text, printed, sizeof(printed));
	sbi_date_ms_print(&text, ms);
	ck_assert_str_eq(printed, "Sun, 04 Aug 2019 08:49:37.845 GMT");
	text_init(&text, printed, sizeof(printed));
	sbi_date_ms_print(&text, -1);
	ck_assert_str_eq(printed, "Wed, 31 Dec 1969 23:59:59.999 GMT");
}
END_TEST

START_TEST(date_times)
{
	static const struct {
		const char *text;
		enum finding_rule rule;
		int64_t ms;
	} dates[] = {
		{ "2020-02-04T08:49:37Z", FINDING_NONE, INT64_C(1580806177000) },
		{ "2020-02-04T08:49:37.5Z", FINDING_NONE, INT64_C(1580806177500) },
		{ "2020-02-04T08:49:37.123456789Z", FINDING_NONE, INT64_C(1580806177123) },
		{ "2020-02-04T10:49:37+02:00", FINDING_NONE, INT64_C(1580806177000) },
		{ "2020-02-04t03:19:37-05:30", FINDING_NONE, INT64_C(1580806177000) },
		{ "2020-02-04T08:49:37", FINDING_SYNTAX, 0 },
		{ "2020-02-04T08:49:37.Z", FINDING_SYNTAX, 0 },
		{ "2020-02-04 08:49:37Z", FINDING_SYNTAX, 0 },
		{ "2020-02-30T08:49:37Z", FINDING_RANGE, 0 },
		{ "2020-02-04T08:49:37+24:00", FINDING_SYNTAX, 0 },
	};

	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		int64_t ms;
		size_t bad;

		ck_assert_msg(sbi_datetime_read(&ms, sbi_octets(dates[i].text), &bad) ==
				      dates[i].rule,
			      "%s", dates[i].text);
		if (dates[i].rule == FINDING_NONE)
			ck_assert_int_eq(ms, dates[i].ms);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sbi date");
	TCase *tcase = tcase_create("date");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, known_dates);
	tcase_add_test(tcase, refused_dates);
	tcase_add_test(tcase, every_day);
	tcase_add_test(tcase, beyond_the_calendar);
	tcase_add_test(tcase, obsolete_forms);
	tcase_add_test(tcase, milliseconds);
	tcase_add_test(tcase, date_times);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
