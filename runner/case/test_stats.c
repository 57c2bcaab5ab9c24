/* Reference values were computed with rational arithmetic (sums of exact fractions). */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "runner/case/stats.h"
#include "runner/core/random.h"

#define CLOSE(x, y) ck_assert_msg(fabs((x) - (y)) <= 1e-9 * fabs(y), "%.17g is not %.17g", (x), (y))

START_TEST(binomial)
{
	CLOSE(stats_binomial_upper(10, 3, 0.5), 9.453125000000000e-01);
	CLOSE(stats_binomial_lower(10, 3, 0.5), 1.718750000000000e-01);
	CLOSE(stats_binomial_upper(10, 10, 0.2), 1.024000000000000e-07);
	CLOSE(stats_binomial_lower(10, 10, 0.2), 1.000000000000000e+00);
	CLOSE(stats_binomial_upper(1000, 300, 0.2), 3.811044687488596e-14);
	CLOSE(stats_binomial_lower(1000, 300, 0.2), 9.999999999999780e-01);
	CLOSE(stats_binomial_upper(1000, 251, 0.25), 4.830134540908286e-01);
	CLOSE(stats_binomial_lower(1000, 251, 0.25), 5.459946194985190e-01);
	CLOSE(stats_binomial_upper(1000, 700, 0.65), 4.532244037971629e-04);
	CLOSE(stats_binomial_lower(1000, 700, 0.65), 9.996454996090411e-01);
	CLOSE(stats_binomial_upper(1000, 90, 0.15), 9.999999944545639e-01);
	CLOSE(stats_binomial_lower(1000, 90, 0.15), 1.005158214221809e-08);
	CLOSE(stats_binomial_upper(4000, 2400, 0.55), 9.651888640643792e-11);
	CLOSE(stats_binomial_lower(4000, 2400, 0.55), 9.999999999217299e-01);
	CLOSE(stats_binomial_upper(4000, 40, 0.01), 5.213454334497262e-01);
	CLOSE(stats_binomial_lower(4000, 40, 0.01), 5.419187082164341e-01);
	ck_assert(stats_binomial_upper(10, 0, 0.3) == 1);
	ck_assert(stats_binomial_upper(10, 11, 0.3) == 0);
	ck_assert(stats_binomial_lower(10, 10, 0.3) == 1);
	ck_assert(stats_binomial_upper(10, 5, 0) == 0);
	ck_assert(stats_binomial_upper(10, 5, 1) == 1);
	ck_assert(stats_binomial_lower(10, 5, 1) == 0);
}
END_TEST

START_TEST(beta)
{
	/* I_x(1, 1) = x, I_x(a, 1) = x^a, I_x(1, b) = 1 - (1 - x)^b, I_1/2(a, a) = 1/2 */
	CLOSE(stats_beta(1, 1, 0.3), 0.3);
	CLOSE(stats_beta(7, 1, 0.3), pow(0.3, 7));
	CLOSE(stats_beta(1, 7, 0.3), 1 - pow(0.7, 7));
	CLOSE(stats_beta(1234.5, 1234.5, 0.5), 0.5);
}
END_TEST

START_TEST(chi_square)
{
	/* two degrees: exp(-x / 2); one degree: erfc(sqrt(x / 2)); four: (1 + x / 2) exp(-x / 2) */
	CLOSE(stats_chi_square(3, 2), exp(-1.5));
	CLOSE(stats_chi_square(80, 2), exp(-40));
	CLOSE(stats_chi_square(0.1, 1), erfc(sqrt(0.05)));
	CLOSE(stats_chi_square(40, 1), erfc(sqrt(20)));
	CLOSE(stats_chi_square(2.5, 4), (1 + 1.25) * exp(-1.25));
	CLOSE(stats_chi_square(50, 4), 26 * exp(-25));
	ck_assert(stats_chi_square(0, 3) == 1);
	ck_assert(stats_chi_square(INFINITY, 3) == 0);
}
END_TEST

START_TEST(interval)
{
	struct stats_interval i = stats_interval(10, 0, 0.05);

	/* none of ten: 1 - 0.025^(1/10) */
	ck_assert(i.low == 0);
	CLOSE(i.high, 1 - pow(0.025, 0.1));
	i = stats_interval(10, 10, 0.05);
	CLOSE(i.low, pow(0.025, 0.1));
	ck_assert(i.high == 1);
	i = stats_interval(1000, 200, 1e-9);
	ck_assert_double_eq_tol(stats_binomial_upper(1000, 200, i.low), 5e-10, 1e-14);
	ck_assert_double_eq_tol(stats_binomial_lower(1000, 200, i.high), 5e-10, 1e-14);
	i = stats_interval(0, 0, 0.05);
	ck_assert(i.low == 0 && i.high == 1);
}
END_TEST

START_TEST(share)
{
	struct share_test t = SHARE_TEST(0.5);

	ck_assert_int_eq(share_judge(&t, 999, 500, false), SHARE_UNDECIDED);
	ck_assert_int_eq(share_judge(&t, 999, 500, true), SHARE_TOO_FEW);
	ck_assert_int_eq(share_judge(&t, 1000, 500, false), SHARE_HOLDS);
	ck_assert_int_eq(share_judge(&t, 1000, 560, false), SHARE_UNDECIDED);
	ck_assert_int_eq(share_judge(&t, 4000, 2240, false), SHARE_HOLDS);
	ck_assert_int_eq(share_judge(&t, 1000, 700, false), SHARE_VIOLATED);
	ck_assert_int_eq(share_judge(&t, 1000, 300, false), SHARE_VIOLATED);
	/* few, but beyond doubt */
	ck_assert_int_eq(share_judge(&t, 200, 200, true), SHARE_VIOLATED);
	ck_assert(share_p_value(&t, 1000, 550) == 1);
	CLOSE(share_p_value(&t, 1000, 600), stats_binomial_upper(1000, 600, 0.55));
	/* a stated share of all: nothing above it, and 5 points below it are allowed */
	t = (struct share_test)SHARE_TEST(1.0);
	ck_assert_int_eq(share_judge(&t, 1000, 1000, false), SHARE_HOLDS);
	ck_assert_int_eq(share_judge(&t, 4000, 3780, false), SHARE_HOLDS);
	ck_assert_int_eq(share_judge(&t, 1000, 850, false), SHARE_VIOLATED);
}
END_TEST

static enum share_answer play(struct random *random, double stated, double truth, uint64_t *n)
{
	struct share_test t = SHARE_TEST(stated);
	enum share_answer answer = SHARE_UNDECIDED;
	uint64_t k = 0;

	for (*n = 0; answer == SHARE_UNDECIDED; ++*n) {
		if (*n >= t.first && (*n - t.first) % t.step == 0)
			answer = share_judge(&t, *n, k, false);
		if (answer != SHARE_UNDECIDED)
			break;
		k += random_unit(random) < truth;
	}
	return answer;
}

/* Random throttles at the edge of the tolerance are never rejected, those well off always are. */
START_TEST(share_in_the_long_run)
{
	static const double stated[] = { 0.01, 0.2, 0.5, 0.8, 0.99 };
	struct random random;
	uint64_t n, sum = 0, games = 0;

	random_init(&random, 1, "share");
	for (size_t s = 0; s < 5; s++) {
		for (int i = 0; i < 100; i++) {
			double off = stated[s] < 0.5 ? 0.05 : -0.05;

			ck_assert_int_eq(play(&random, stated[s], stated[s], &n), SHARE_HOLDS);
			sum += n;
			games++;
			ck_assert_int_eq(play(&random, stated[s], stated[s] + off, &n),
					 SHARE_HOLDS);
			ck_assert_uint_le(n, 4000);
			ck_assert_int_eq(play(&random, stated[s], stated[s] + 4 * off, &n),
					 SHARE_VIOLATED);
		}
	}
	/* most true shares are settled at the first looks */
	ck_assert_uint_lt(sum / games, 1400);
}
END_TEST

START_TEST(split)
{
	static const double shares[] = { 0.5, 0.3, 0.2 };
	uint64_t good[] = { 505, 290, 205 };
	uint64_t bad[] = { 600, 250, 150 };
	uint64_t none[] = { 0, 0, 0 };
	static const double with_zero[] = { 1, 0 };
	uint64_t hit[] = { 100, 1 };
	uint64_t clean[] = { 100, 0 };

	/* 25/500 + 100/300 + 25/200, two degrees of freedom */
	CLOSE(stats_split(good, shares, 3), exp(-(25.0 / 500 + 100.0 / 300 + 25.0 / 200) / 2));
	ck_assert_double_lt(stats_split(bad, shares, 3), 1e-8);
	ck_assert(stats_split(none, shares, 3) == 1);
	ck_assert(stats_split(hit, with_zero, 2) == 0);
	ck_assert(stats_split(clean, with_zero, 2) == 1);
}
END_TEST

START_TEST(spread)
{
	uint64_t values[] = { 10, 20, 10, 30, 10 };
	uint64_t instants[] = { 5000000, 100, 1000099, 1000100, 9000000 };
	struct spread s;

	ck_assert(stats_spread(values, instants, 5, 1000000, &s));
	ck_assert_uint_eq(s.distinct, 3);
	ck_assert_uint_eq(s.top, 10);
	CLOSE(s.top_share, 0.6);
	/* [100, 1000100) holds two, [1000099, ...) holds two as well */
	CLOSE(s.bin_share, 0.4);
	ck_assert_uint_eq(s.bin_from, 100);
	ck_assert(stats_spread(values, NULL, 5, 1000000, &s));
	ck_assert(s.bin_share == 0);
	ck_assert(stats_spread(NULL, NULL, 0, 1, &s));
	ck_assert_uint_eq(s.distinct, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stats");
	TCase *tcase = tcase_create("stats");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, binomial);
	tcase_add_test(tcase, beta);
	tcase_add_test(tcase, chi_square);
	tcase_add_test(tcase, interval);
	tcase_add_test(tcase, share);
	tcase_add_test(tcase, share_in_the_long_run);
	tcase_add_test(tcase, split);
	tcase_add_test(tcase, spread);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
