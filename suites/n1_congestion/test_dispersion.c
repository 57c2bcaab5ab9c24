/* Laws that spread must pass whatever they look like; laws that bunch must not. */
#include "suites/n1_congestion/dispersion.h"

#include <check.h>
#include <stdlib.h>

#include "codecs/nas/nas_timer.h"
#include "runner/core/loop.h"
#include "runner/core/random.h"

enum { UES_MAX = 600 };

static uint64_t values[UES_MAX], instants[UES_MAX];

static struct profile profile_of(uint32_t min, uint32_t max)
{
	return (struct profile){ .t3346_min = min * US_PER_S,
				 .t3346_max = max * US_PER_S,
				 .desync_share = 0.6,
				 .desync_values = 3,
				 .desync_bin = 0.1,
				 .false_alarm = 1e-9 };
}

/* UE i of count is rejected at an even rate over `over` us and gets this many seconds. */
static void give(size_t i, size_t count, uint64_t over, uint64_t seconds)
{
	values[i] = seconds;
	instants[i] = over * i / count + seconds * US_PER_S;
}

static enum dispersion_fault judged(const struct profile *profile, size_t count)
{
	struct dispersion dispersion;

	return dispersion_judge(profile, values, instants, count, &dispersion);
}

/* The n-th amount that can be coded from min on, round and round. */
static uint64_t code_in_turn(uint32_t min, uint32_t max, size_t n)
{
	uint32_t codes[96];
	size_t count = 0;

	for (uint32_t code = nas_timer_ceil(min, NAS_TIMER_2); code <= max && count < 96;
	     code = nas_timer_ceil(code + 1, NAS_TIMER_2))
		codes[count++] = code;
	return codes[n % count];
}

START_TEST(test_codes)
{
	static const struct {
		uint32_t min, max;
		size_t codes;
	} rows[] = {
		{ 10, 62, 27 },	   /* 2 s units */
		{ 900, 1200, 6 },  /* 15 to 20 min; 18 min in two codings is one amount */
		{ 3600, 4600, 3 }, /* 60, 66, 72 min */
		{ 11160, 11160, 1 }, { 11161, 20000, 0 }, { 100, 50, 0 },
	};
	struct dispersion dispersion;

	give(0, 1, 0, 10);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct profile profile = profile_of(rows[i].min, rows[i].max);
		enum dispersion_fault fault =
			dispersion_judge(&profile, values, instants, 1, &dispersion);

		ck_assert_uint_eq(dispersion.codes, rows[i].codes);
		ck_assert_int_eq(fault == DISPERSION_NO_CHOICE, rows[i].codes < 2);
	}
}
END_TEST

START_TEST(test_constant)
{
	struct profile profile = profile_of(10, 11160);

	for (size_t i = 0; i < 300; i++)
		give(i, 300, 10 * US_PER_S, 900);
	ck_assert_int_eq(judged(&profile, 300), DISPERSION_FEW_VALUES);
}
END_TEST

START_TEST(test_two_values)
{
	struct profile profile = profile_of(10, 11160);

	for (size_t i = 0; i < 300; i++)
		give(i, 300, US_PER_S, i % 2 ? 900 : 960);
	ck_assert_int_eq(judged(&profile, 300), DISPERSION_FEW_VALUES);
	/* A third value now and then does not help. */
	for (size_t i = 0; i < 300; i++)
		give(i, 300, US_PER_S, i % 50 == 0 ? 1020 : i % 2 ? 900 : 960);
	ck_assert_int_eq(judged(&profile, 300), DISPERSION_ONE_SECOND);
}
END_TEST

START_TEST(test_mostly_one_value)
{
	struct profile profile = profile_of(10, 11160);

	/* Registrations over 10 s: the expiries are apart, the values are not. */
	for (size_t i = 0; i < 300; i++)
		give(i, 300, 10 * US_PER_S, i % 3 ? 900 : code_in_turn(10, 11160, i));
	ck_assert_int_eq(judged(&profile, 300), DISPERSION_ONE_VALUE);
}
END_TEST

START_TEST(test_common_expiry)
{
	struct profile profile = profile_of(10, 11160);

	/* All different, and all at the same moment. */
	for (size_t i = 0; i < 600; i++)
		give(i, 600, 60 * US_PER_S, 62 - i / 10 / 2 * 2);
	ck_assert_int_eq(judged(&profile, 600), DISPERSION_ONE_SECOND);
}
END_TEST

START_TEST(test_laws_that_spread)
{
	static const struct {
		uint32_t min, max;
	} ranges[] = { { 10, 11160 }, { 10, 40 }, { 10, 62 }, { 900, 1200 }, { 3600, 4600 } };

	for (size_t r = 0; r < sizeof(ranges) / sizeof(ranges[0]); r++) {
		uint32_t min = ranges[r].min, max = ranges[r].max;
		struct profile profile = profile_of(min, max);

		/* in order */
		for (size_t i = 0; i < 300; i++)
			give(i, 300, US_PER_S, code_in_turn(min, max, i));
		ck_assert_int_eq(judged(&profile, 300), DISPERSION_GOOD);
		/* by a hash of the identity */
		for (size_t i = 0; i < 300; i++)
			give(i, 300, US_PER_S, code_in_turn(min, max, i * 2654435761u >> 7));
		ck_assert_int_eq(judged(&profile, 300), DISPERSION_GOOD);
		/* outwards from the middle, and the other way round every time */
		for (size_t i = 0; i < 300; i++)
			give(i, 300, US_PER_S, code_in_turn(min, max, i % 2 ? i : 299 - i));
		ck_assert_int_eq(judged(&profile, 300), DISPERSION_GOOD);
	}
}
END_TEST

/* Codes drawn at random, and seconds drawn at random and rounded, never give a false alarm. */
START_TEST(test_chance)
{
	static const struct {
		uint32_t min, max;
	} ranges[] = { { 10, 11160 }, { 10, 40 },     { 10, 62 },
		       { 900, 1200 }, { 1500, 2400 }, { 3600, 4600 } };
	struct random random;

	random_init(&random, 1, "chance");
	for (size_t r = 0; r < sizeof(ranges) / sizeof(ranges[0]); r++) {
		uint32_t min = ranges[r].min, max = ranges[r].max;
		struct profile profile = profile_of(min, max);

		for (int run = 0; run < 500; run++) {
			for (size_t i = 0; i < 300; i++)
				give(i, 300, US_PER_S,
				     code_in_turn(min, max,
						  (size_t)random_below(&random, 96 * 95)));
			ck_assert_int_eq(judged(&profile, 300), DISPERSION_GOOD);
			for (size_t i = 0; i < 300; i++) {
				uint32_t drawn =
					min + (uint32_t)random_below(&random, max - min + 1);
				uint32_t up = nas_timer_ceil(drawn, NAS_TIMER_2);
				uint32_t down = nas_timer_floor(drawn, NAS_TIMER_2);
				bool is_down =
					up > max || (down >= min && drawn - down < up - drawn);

				give(i, 300, US_PER_S, is_down ? down : up);
			}
			ck_assert_int_eq(judged(&profile, 300), DISPERSION_GOOD);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dispersion");
	TCase *tcase = tcase_create("laws");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_codes);
	tcase_add_test(tcase, test_constant);
	tcase_add_test(tcase, test_two_values);
	tcase_add_test(tcase, test_mostly_one_value);
	tcase_add_test(tcase, test_common_expiry);
	tcase_add_test(tcase, test_laws_that_spread);
	tcase_add_test(tcase, test_chance);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
