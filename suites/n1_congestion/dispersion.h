/*
 * Whether T3346 values are chosen so that the UEs that a congested AMF turns away do not come back
 * at once (24.501 5.3.9).
 *
 * The standard gives no figure. What is judged is the convention of N1-A-25 with the profile's
 * thresholds, on the values themselves and on the instants at which they run out. The coding is
 * coarse, so an AMF may have few codes to choose from: no more is asked than a fair choice among
 * them gives, chance included. Any law that spreads is good, a random one or not.
 */
#ifndef SPILLWAY_SUITES_N1_CONGESTION_DISPERSION_H
#define SPILLWAY_SUITES_N1_CONGESTION_DISPERSION_H

#include "runner/case/profile.h"
#include "runner/case/stats.h"

enum dispersion_fault {
	DISPERSION_GOOD,
	DISPERSION_NO_MEMORY,
	DISPERSION_NO_CHOICE,  /* the profile's range leaves a single code: nothing to judge */
	DISPERSION_FEW_VALUES, /* fewer different values than `values_min` */
	DISPERSION_ONE_VALUE,  /* one value has more than `value_max` */
	DISPERSION_ONE_SECOND, /* a second of expiries has more than `second_max` */
};

struct dispersion {
	size_t codes; /* different amounts of GPRS timer 2 in the profile's range of T3346 */
	double fair;  /* the largest share of a code under a fair law */
	size_t values_min;
	double value_max, second_max; /* shares, 0 to 1 */
	struct spread spread;	      /* what was found */
};

/*
 * values[i] are amounts in s, instants[i] the moments in us at which they run out; count is above
 * 0. dispersion is filled in any case but for the spread without memory or choice.
 */
enum dispersion_fault dispersion_judge(const struct profile *profile, const uint64_t *values,
				       const uint64_t *instants, size_t count,
				       struct dispersion *dispersion);

#endif
