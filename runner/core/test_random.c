#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "runner/core/random.h"

/* The sequence that follows from the definition of xoshiro256** for the state 1, 2, 3, 4. */
START_TEST(the_generator_gives_its_published_sequence)
{
	static const uint64_t expected[] = {
		UINT64_C(11520),
		UINT64_C(0),
		UINT64_C(1509978240),
		UINT64_C(1215971899390074240),
		UINT64_C(1216172134540287360),
		UINT64_C(607988272756665600),
		UINT64_C(16172922978634559625),
		UINT64_C(8476171486693032832),
	};
	struct random random = { .state = { 1, 2, 3, 4 } };

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		ck_assert_uint_eq(random_u64(&random), expected[i]);
}
END_TEST

/* Runs of the past have to stay repeatable: these values must not change. */
START_TEST(seed_and_label_choose_the_stream)
{
	struct random a, b, c, d;
	uint64_t first;

	random_init(&a, 1, "gnb");
	random_init(&b, 1, "gnb");
	random_init(&c, 1, "ue");
	random_init(&d, 2, "gnb");
	first = random_u64(&a);
	ck_assert_uint_eq(first, random_u64(&b));
	ck_assert_uint_ne(first, random_u64(&c));
	ck_assert_uint_ne(first, random_u64(&d));
	ck_assert_uint_eq(first, UINT64_C(6029750991270647791));
}
END_TEST

START_TEST(below_is_in_range_and_even)
{
	struct random random;
	int counts[6] = { 0 };

	random_init(&random, 42, "dice");
	for (int i = 0; i < 60000; i++) {
		uint64_t x = random_below(&random, 6);

		ck_assert_uint_lt(x, 6);
		counts[x]++;
	}
	for (int i = 0; i < 6; i++) {
		ck_assert_int_gt(counts[i], 9600);
		ck_assert_int_lt(counts[i], 10400);
	}
	ck_assert_uint_eq(random_below(&random, 0), 0);
	ck_assert_uint_eq(random_below(&random, 1), 0);
	ck_assert_uint_lt(random_below(&random, UINT64_MAX), UINT64_MAX);
	for (int i = 0; i < 1000; i++) {
		double x = random_unit(&random);

		ck_assert(x >= 0 && x < 1);
	}
}
END_TEST

START_TEST(bytes_fill_exactly_what_they_are_given)
{
	uint8_t a[13], b[13];
	struct random random;

	for (size_t len = 0; len < sizeof(a); len++) {
		memset(a, 0xaa, sizeof(a));
		random_init(&random, 7, "bytes");
		random_bytes(&random, a, len);
		random_init(&random, 7, "bytes");
		random_bytes(&random, b, len);
		ck_assert_mem_eq(a, b, len);
		for (size_t i = len; i < sizeof(a); i++)
			ck_assert_uint_eq(a[i], 0xaa);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("random");
	TCase *tc = tcase_create("random");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, the_generator_gives_its_published_sequence);
	tcase_add_test(tc, seed_and_label_choose_the_stream);
	tcase_add_test(tc, below_is_in_range_and_even);
	tcase_add_test(tc, bytes_fill_exactly_what_they_are_given);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
