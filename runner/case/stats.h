/*
 * Statistics for verdicts on shares: throttling is probabilistic, and may as well be deterministic,
 * so a share fails only where an exact test rejects "within 5 points of the stated share" at an
 * error probability that a thousand green runs survive (design/architecture.md, "Numbers").
 */
#ifndef SPILLWAY_RUNNER_CASE_STATS_H
#define SPILLWAY_RUNNER_CASE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codecs/text.h"

#define STATS_SHARE_TOLERANCE 0.05
#define STATS_FALSE_ALARM     1e-9

/* P(X <= k) and P(X >= k) for X binomial in n trials of p; exact to about 1e-12 relative. */
double stats_binomial_lower(uint64_t n, uint64_t k, double p);
double stats_binomial_upper(uint64_t n, uint64_t k, double p);
/* Regularised incomplete beta function I_x(a, b), a and b above 0, x in 0..1. */
double stats_beta(double a, double b, double x);
/* P(X >= x) for X chi-square with so many degrees of freedom. */
double stats_chi_square(double x, unsigned int freedom);

/* Clopper-Pearson: the exact two-sided interval of a share at the given error probability. */
struct stats_interval {
	double low, high;
};
struct stats_interval stats_interval(uint64_t n, uint64_t k, double error);

enum share_answer {
	SHARE_HOLDS,	 /* not rejected, and enough trials */
	SHARE_VIOLATED,	 /* rejected */
	SHARE_UNDECIDED, /* take more trials */
	SHARE_TOO_FEW,	 /* the limit of trials stands, and there are not enough to judge */
};

/*
 * A share judged step by step: n trials, k of them hits. Stated share in 0..1; tolerance and
 * error as above. To be asked after `first` trials and after each `step` more, up to `last`: the
 * error probability is divided among these looks. It holds early where the 95 % interval of the
 * share lies inside the tolerance, and at the last look where it is not rejected.
 */
struct share_test {
	double stated;
	double tolerance;
	double error;
	uint64_t first, step, last; /* 1,000, 500, 4,000 */
};
#define SHARE_TEST(share)                                         \
	((struct share_test){ .stated = (share),                  \
			      .tolerance = STATS_SHARE_TOLERANCE, \
			      .error = STATS_FALSE_ALARM,         \
			      .first = 1000,                      \
			      .step = 500,                        \
			      .last = 4000 })

/*
 * The p value of the exact binomial test against the nearer bound of the tolerance; 1 inside it.
 * Below the error, "within the tolerance" is rejected.
 */
double share_p_value(const struct share_test *test, uint64_t n, uint64_t k);
/* n offered, of which k were sent, with interval and bound, as part of a sentence. */
void share_print(struct text *text, const struct share_test *test, uint64_t n, uint64_t k);
/* no_more: no further trials can be had. */
enum share_answer share_judge(const struct share_test *test, uint64_t n, uint64_t k, bool no_more);

/*
 * A split over classes: observed counts against stated shares (which sum to 1). The p value of the
 * chi-square test; 1 where nothing can be tested. A hit in a class of share 0 gives 0.
 */
double stats_split(const uint64_t *observed, const double *shares, size_t classes);

/* --- spread of back-off values (N1-A-25) --------------------------------------------------- */

struct spread {
	size_t count;
	size_t distinct;   /* different values */
	double top_share;  /* share of the most frequent value */
	uint64_t top;	   /* that value */
	double bin_share;  /* largest share of instants in one bin of the width asked for */
	uint64_t bin_from; /* where that bin begins */
};

/*
 * values[i] is what was assigned (seconds, or a code), instants[i] the moment in us when it ends;
 * instants may be NULL. bin is in us, bins start at every instant (a sliding window). false
 * without memory.
 */
bool stats_spread(const uint64_t *values, const uint64_t *instants, size_t count, uint64_t bin,
		  struct spread *spread);

#endif
