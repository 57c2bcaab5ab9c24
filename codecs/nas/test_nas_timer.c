/*
 * The timers against the tables of TS 24.008 as written down here a second time, and against
 * search over all octets.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "codecs/nas/nas_timer.h"

static const enum nas_timer_coding codings[] = { NAS_TIMER_2, NAS_TIMER_3 };

/* Seconds that a unit stands for; -1 deactivated, 0 reserved. */
static int unit_of(enum nas_timer_coding coding, unsigned int unit)
{
	static const int timer_2[8] = { 2, 60, 360, 0, 0, 0, 0, -1 };
	static const int timer_3[8] = { 600, 3600, 36000, 2, 30, 60, 1152000, -1 };

	return coding == NAS_TIMER_2 ? timer_2[unit] : timer_3[unit];
}

START_TEST(every_octet_means_what_the_table_says)
{
	enum nas_timer_coding coding = codings[_i];

	for (unsigned int octet = 0; octet < 256; octet++) {
		struct nas_timer timer = nas_timer_decode((uint8_t)octet, coding);
		int unit = unit_of(coding, octet >> 5);
		unsigned int value = octet & 31;

		ck_assert_uint_eq(timer.octet, octet);
		if (unit < 0) {
			ck_assert_int_eq(timer.state, NAS_TIMER_DEACTIVATED);
			ck_assert_uint_eq(timer.seconds, 0);
			ck_assert(!timer.reserved);
			continue;
		}
		ck_assert_int_eq(timer.reserved, unit == 0);
		ck_assert_uint_eq(timer.seconds, value * (unsigned int)(unit ? unit : 60));
		ck_assert_int_eq(timer.state, value ? NAS_TIMER_RUNS : NAS_TIMER_ZERO);
	}
}
END_TEST

/* All octets of defined units with this meaning, by search. */
static size_t search(uint32_t seconds, enum nas_timer_coding coding, uint8_t *octets)
{
	size_t count = 0;

	for (unsigned int octet = 0; octet < 256; octet++) {
		struct nas_timer timer = nas_timer_decode((uint8_t)octet, coding);

		if (timer.state != NAS_TIMER_DEACTIVATED && !timer.reserved &&
		    timer.seconds == seconds)
			octets[count++] = (uint8_t)octet;
	}
	return count;
}

START_TEST(encoding_is_exact_or_refused)
{
	enum nas_timer_coding coding = codings[_i];
	uint32_t floor = 0;

	for (uint32_t seconds = 0; seconds < 13000; seconds++) {
		uint8_t expected[256];
		uint8_t octets[8];
		size_t count = search(seconds, coding, expected);
		int octet = nas_timer_encode(seconds, coding);

		ck_assert_uint_eq(nas_timer_octets(seconds, coding, octets), count);
		for (size_t i = 0; i < count; i++) {
			bool found = false;

			for (size_t k = 0; k < count; k++)
				found = found || octets[i] == expected[k];
			ck_assert(found);
		}
		if (count) {
			floor = seconds;
			ck_assert_int_eq(octet, octets[0]);
		} else {
			ck_assert_int_eq(octet, -ERANGE);
		}
		ck_assert_uint_eq(nas_timer_floor(seconds, coding), floor);
		if (nas_timer_ceil(seconds, coding) != UINT32_MAX) {
			ck_assert_uint_ge(nas_timer_ceil(seconds, coding), seconds);
			ck_assert_int_eq(nas_timer_ceil(seconds, coding) == seconds, count > 0);
		}
	}
}
END_TEST

START_TEST(amounts_of_the_catalogue)
{
	static const struct {
		enum nas_timer_coding coding;
		uint32_t seconds;
		int octet;
	} rows[] = {
		{ NAS_TIMER_2, 0, 0x00 },
		{ NAS_TIMER_2, 2, 0x01 },
		{ NAS_TIMER_2, 10, 0x05 },
		{ NAS_TIMER_2, 60, 0x1e },
		{ NAS_TIMER_2, 62, 0x1f },
		{ NAS_TIMER_2, 120, 0x22 },
		{ NAS_TIMER_2, 720, 0x2c },
		{ NAS_TIMER_2, 900, 0x2f },
		{ NAS_TIMER_2, 1200, 0x34 },
		{ NAS_TIMER_2, 1800, 0x3e },
		{ NAS_TIMER_2, 1860, 0x3f },
		{ NAS_TIMER_2, 2160, 0x46 },
		{ NAS_TIMER_2, 3600, 0x4a },
		{ NAS_TIMER_2, 10800, 0x5e },
		{ NAS_TIMER_2, 11160, 0x5f },
		{ NAS_TIMER_2, 61, -ERANGE },
		{ NAS_TIMER_2, 63, -ERANGE },
		{ NAS_TIMER_2, 64, -ERANGE },
		{ NAS_TIMER_2, 1, -ERANGE },
		{ NAS_TIMER_2, 11161, -ERANGE },
		{ NAS_TIMER_2, 11520, -ERANGE },
		{ NAS_TIMER_2, UINT32_MAX, -ERANGE },
		{ NAS_TIMER_3, 2, 0x61 },
		{ NAS_TIMER_3, 30, 0x6f },
		{ NAS_TIMER_3, 54 * 60, -ERANGE },
		{ NAS_TIMER_3, 50 * 60, 0x05 },
		{ NAS_TIMER_3, 60 * 60, 0x06 },
		{ NAS_TIMER_3, 540, 0x92 },
		{ NAS_TIMER_3, 31 * 1152000, 0xdf },
		{ NAS_TIMER_3, UINT32_MAX, -ERANGE },
	};
	uint8_t octets[8];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_msg(nas_timer_encode(rows[i].seconds, rows[i].coding) == rows[i].octet,
			      "%u s", rows[i].seconds);
	/* several codings, one produced */
	ck_assert_uint_eq(nas_timer_octets(540, NAS_TIMER_3, octets), 2);
	ck_assert_uint_eq(octets[0], 0x92);
	ck_assert_uint_eq(octets[1], 0xa9);
	ck_assert_uint_eq(nas_timer_octets(60, NAS_TIMER_2, octets), 2);
	ck_assert_uint_eq(octets[1], 0x21);
	/* the same octet in both codings (CD-T-06) */
	ck_assert_uint_eq(nas_timer_decode(0x3e, NAS_TIMER_2).seconds, 1800);
	ck_assert_uint_eq(nas_timer_decode(0x3e, NAS_TIMER_3).seconds, 30 * 3600);
	ck_assert_uint_eq(nas_timer_decode(0x5e, NAS_TIMER_3).seconds, 300 * 3600);
	ck_assert_uint_eq(nas_timer_decode(0xbe, NAS_TIMER_3).seconds, 1800);
	ck_assert_uint_eq(nas_timer_decode(0xbe, NAS_TIMER_2).seconds, 1800);
	ck_assert(nas_timer_decode(0xbe, NAS_TIMER_2).reserved);
}
END_TEST

START_TEST(rounding_only_on_request)
{
	ck_assert_uint_eq(nas_timer_floor(64, NAS_TIMER_2), 62);
	ck_assert_uint_eq(nas_timer_ceil(64, NAS_TIMER_2), 120);
	ck_assert_uint_eq(nas_timer_floor(UINT32_MAX, NAS_TIMER_2), NAS_TIMER_2_MAX);
	ck_assert_uint_eq(nas_timer_ceil(NAS_TIMER_2_MAX + 1, NAS_TIMER_2), UINT32_MAX);
	ck_assert_uint_eq(nas_timer_floor(UINT32_MAX, NAS_TIMER_3), NAS_TIMER_3_MAX);
	ck_assert_uint_eq(nas_timer_ceil(NAS_TIMER_3_MAX, NAS_TIMER_3), NAS_TIMER_3_MAX);
	ck_assert_uint_eq(nas_timer_floor(1, NAS_TIMER_3), 0);
}
END_TEST

START_TEST(messages_know_the_coding_of_their_timers)
{
	uint8_t room[1024];
	struct arena arena;
	struct nas_msg msg;
	enum nas_timer_coding coding;

	arena_init(&arena, room, sizeof(room));
	nas_init(&msg, NAS_REGISTRATION_ACCEPT, &arena);
	ck_assert_int_eq(nas_add_timer(&msg, NAS_IE_T3512_VALUE, 30 * 3600), 0);
	ck_assert_int_eq(nas_add_timer(&msg, NAS_IE_T3502_VALUE, 30 * 60), 0);
	ck_assert_int_eq(nas_add_timer(&msg, NAS_IE_T3502_VALUE, 61), -ERANGE);
	/* no T3346 in this message (N1-A-23), and a timer only where the type is one */
	ck_assert_int_eq(nas_add_timer(&msg, NAS_IE_T3346_VALUE, 60), -ENOENT);
	ck_assert_int_eq(nas_add_timer(&msg, NAS_IE_TAI_LIST, 60), -ENOENT);
	ck_assert_uint_eq(nas_find(&msg, NAS_IE_T3512_VALUE)->value.data[0], 0x3e);
	ck_assert_uint_eq(nas_find(&msg, NAS_IE_T3502_VALUE)->value.data[0], 0x3e);
	ck_assert_uint_eq(nas_get_timer(&msg, NAS_IE_T3512_VALUE).seconds, 30 * 3600);
	ck_assert_uint_eq(nas_get_timer(&msg, NAS_IE_T3502_VALUE).seconds, 30 * 60);
	ck_assert_int_eq(nas_get_timer(&msg, NAS_IE_T3448_VALUE).state, NAS_TIMER_ABSENT);
	ck_assert(!nas_timer_coding_of(NAS_IE_5GMM_CAUSE, &coding));
}
END_TEST

START_TEST(prints)
{
	static const struct {
		uint8_t octet;
		enum nas_timer_coding coding;
		const char *text;
	} rows[] = {
		{ 0x05, NAS_TIMER_2, "10 s" },
		{ 0x3e, NAS_TIMER_2, "1800 s (30 min)" },
		{ 0x4a, NAS_TIMER_2, "3600 s (1 h)" },
		{ 0x00, NAS_TIMER_2, "zero" },
		{ 0xe3, NAS_TIMER_2, "deactivated" },
		{ 0xbe, NAS_TIMER_2, "1800 s (30 min), reserved unit 5" },
		{ 0xbe, NAS_TIMER_3, "1800 s (30 min)" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char buf[64];
		struct text text;

		text_init(&text, buf, sizeof(buf));
		nas_timer_print(&text, rows[i].octet, rows[i].coding);
		ck_assert_str_eq(buf, rows[i].text);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nas_timer");
	TCase *tc = tcase_create("timer");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tc, every_octet_means_what_the_table_says, 0, 2);
	tcase_add_loop_test(tc, encoding_is_exact_or_refused, 0, 2);
	tcase_add_test(tc, amounts_of_the_catalogue);
	tcase_add_test(tc, rounding_only_on_request);
	tcase_add_test(tc, messages_know_the_coding_of_their_timers);
	tcase_add_test(tc, prints);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
