#include "runner/case/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- distributions ------------------------------------------------------------------------------
 */

/* Lentz's method for the continued fraction of the incomplete beta function (DLMF 8.17.22). */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1;
	double d = 1 - (a + b) * x / (a + 1);
	double h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int m = 1; m < 100000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return h;
}

double stats_beta(double a, double b, double x)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	/* the fraction converges fast below the mean; above it, the other end is computed */
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double stats_binomial_upper(uint64_t n, uint64_t k, double p)
{
	if (k == 0)
		return 1;
	if (k > n)
		return 0;
	return stats_beta((double)k, (double)(n - k) + 1, p);
}

double stats_binomial_lower(uint64_t n, uint64_t k, double p)
{
	if (k >= n)
		return 1;
	/* P(X <= k) of p is P(n - X >= n - k) of 1 - p */
	return stats_beta((double)(n - k), (double)k + 1, 1 - p);
}

/* Upper regularised incomplete gamma function (DLMF 8.7.1, 8.9.2). */
static double gamma_upper(double a, double x)
{
	double front = exp(-x + a * log(x) - lgamma(a));

	if (x < a + 1) {
		double term = 1 / a;
		double sum = term;

		for (double n = a + 1; term > sum * 1e-17; n++) {
			term *= x / n;
			sum += term;
		}
		return 1 - front * sum;
	}
	const double tiny = 1e-300;
	double b = x + 1 - a;
	double c = 1 / tiny;
	double d = 1 / b;
	double h = d;

	for (int i = 1; i < 100000; i++) {
		double an = -i * (i - a);
		double step;

		b += 2;
		d = an * d + b;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = b + an / c;
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return front * h;
}

double stats_chi_square(double x, unsigned int freedom)
{
	if (!(x > 0) || freedom == 0)
		return 1;
	return isinf(x) ? 0 : gamma_upper(freedom / 2.0, x / 2);
}

/* The p at which tail(n, k, p) passes the wanted probability; tail rises or falls with p. */
static double solve(uint64_t n, uint64_t k, double wanted, bool rising,
		    double (*tail)(uint64_t, uint64_t, double))
{
	double low = 0, high = 1;

	for (int i = 0; i < 200 && high - low > 1e-15; i++) {
		double middle = (low + high) / 2;

		if ((tail(n, k, middle) < wanted) == rising)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

struct stats_interval stats_interval(uint64_t n, uint64_t k, double error)
{
	struct stats_interval interval = { 0, 1 };

	if (n == 0 || k > n)
		return interval;
	if (k > 0)
		interval.low = solve(n, k, error / 2, true, stats_binomial_upper);
	if (k < n)
		interval.high = solve(n, k, error / 2, false, stats_binomial_lower);
	return interval;
}

/* --- shares -------------------------------------------------------------------------------------
 */

static void bounds(const struct share_test *test, double *low, double *high)
{
	*low = fmax(0, test->stated - test->tolerance);
	*high = fmin(1, test->stated + test->tolerance);
}

double share_p_value(const struct share_test *test, uint64_t n, uint64_t k)
{
	double low, high;
	double share = n ? (double)k / (double)n : 0;

	if (n == 0 || k > n)
		return 1;
	bounds(test, &low, &high);
	if (share > high)
		return stats_binomial_upper(n, k, high);
	if (share < low)
		return stats_binomial_lower(n, k, low);
	return 1;
}

enum share_answer share_judge(const struct share_test *test, uint64_t n, uint64_t k, bool no_more)
{
	uint64_t looks = test->step ? 1 + (test->last - test->first) / test->step : 1;
	struct stats_interval interval;
	double low, high;

	if (n < test->first && !no_more)
		return SHARE_UNDECIDED;
	if (share_p_value(test, n, k) < test->error / (double)looks)
		return SHARE_VIOLATED;
	if (n < test->first)
		return SHARE_TOO_FEW;
	if (no_more || n >= test->last)
		return SHARE_HOLDS;
	/* Inside with some confidence: more trials would hardly change the answer. */
	bounds(test, &low, &high);
	interval = stats_interval(n, k, 0.05);
	return interval.low >= low && interval.high <= high ? SHARE_HOLDS : SHARE_UNDECIDED;
}

double stats_split(const uint64_t *observed, const double *shares, size_t classes)
{
	double sum = 0, x = 0, rest_expected = 0, rest_observed = 0;
	unsigned int used = 0;

	for (size_t i = 0; i < classes; i++)
		sum += (double)observed[i];
	for (size_t i = 0; i < classes; i++) {
		double expected = sum * shares[i];
		double difference = (double)observed[i] - expected;

		if (shares[i] <= 0) {
			if (observed[i])
				return 0;
			continue;
		}
		/* below 5 the distribution is no chi-square any more: such classes go together */
		if (expected < 5) {
			rest_expected += expected;
			rest_observed += (double)observed[i];
			continue;
		}
		x += difference * difference / expected;
		used++;
	}
	if (rest_expected >= 5) {
		x += (rest_observed - rest_expected) * (rest_observed - rest_expected) /
		     rest_expected;
		used++;
	}
	return used > 1 ? stats_chi_square(x, used - 1) : 1;
}

/* --- spread -------------------------------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t *sorted(const uint64_t *values, size_t count)
{
	uint64_t *copy = malloc((count ? count : 1) * sizeof(*copy));

	if (copy && count) {
		memcpy(copy, values, count * sizeof(*copy));
		qsort(copy, count, sizeof(*copy), compare);
	}
	return copy;
}

bool stats_spread(const uint64_t *values, const uint64_t *instants, size_t count, uint64_t bin,
		  struct spread *spread)
{
	uint64_t *v = sorted(values, count);
	uint64_t *t = instants ? sorted(instants, count) : NULL;
	size_t top = 0, best = 0;

	memset(spread, 0, sizeof(*spread));
	if (!v || (instants && !t)) {
		free(v);
		free(t);
		return false;
	}
	spread->count = count;
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from; to < count && v[to] == v[from];)
			to++;
		spread->distinct++;
		if (to - from > top) {
			top = to - from;
			spread->top = v[from];
		}
	}
	/* the window [t[from], t[from] + bin) */
	for (size_t from = 0, to = 0; t && from < count; from++) {
		while (to < count && t[to] - t[from] < bin)
			to++;
		if (to - from > best) {
			best = to - from;
			spread->bin_from = t[from];
		}
	}
	if (count) {
		spread->top_share = (double)top / (double)count;
		spread->bin_share = (double)best / (double)count;
	}
	free(v);
	free(t);
	return true;
}

void share_print(struct text *text, const struct share_test *test, uint64_t n, uint64_t k)
{
	struct stats_interval interval = stats_interval(n, k, test->error);
	double low = test->stated - test->tolerance, high = test->stated + test->tolerance;

	text_printf(text,
		    "offered %" PRIu64 ", sent %" PRIu64
		    " (%.1f %%, interval %.1f to %.1f %% at an error of %.0e); stated %.0f %%, "
		    "within %.0f to %.0f %%",
		    n, k, n ? 100.0 * (double)k / (double)n : 0, 100 * interval.low,
		    100 * interval.high, test->error, 100 * test->stated, 100 * (low > 0 ? low : 0),
		    100 * (high < 1 ? high : 1));
}
