#include "suites/n1_congestion/dispersion.h"

#include "codecs/nas/nas_timer.h"
#include "runner/core/loop.h"

/*
 * Fair is to take each code equally often, and as well to draw seconds evenly and take the code
 * next to them: then a code gets half of the gap on either side of it, the first and the last one
 * all that lies outside.
 */
static void count_codes(const struct profile *profile, struct dispersion *dispersion)
{
	uint64_t first = (profile->t3346_min + US_PER_S - 1) / US_PER_S;
	uint64_t last = profile->t3346_max / US_PER_S;
	uint64_t code, begin, widest = 0;

	dispersion->codes = 0;
	dispersion->fair = 1;
	if (first < 1)
		first = 1;
	if (last > NAS_TIMER_2_MAX)
		last = NAS_TIMER_2_MAX;
	if (first > last)
		return;
	begin = first;
	code = nas_timer_ceil((uint32_t)first, NAS_TIMER_2);
	while (code <= last) {
		uint64_t next = nas_timer_ceil((uint32_t)code + 1, NAS_TIMER_2);
		uint64_t end = next <= last ? (code + next) / 2 : last + 1;

		if (end - begin > widest)
			widest = end - begin;
		begin = end;
		code = next;
		dispersion->codes++;
	}
	if (dispersion->codes == 0)
		return;
	dispersion->fair = 1.0 / (double)dispersion->codes;
	if ((double)widest / (double)(last + 1 - first) > dispersion->fair)
		dispersion->fair = (double)widest / (double)(last + 1 - first);
}

/*
 * Whether the fullest of the classes holds more than the limit, and more than chance puts there
 * under a fair law.
 */
static bool crowded(const struct profile *profile, const struct dispersion *dispersion,
		    double share, double limit)
{
	uint64_t count = dispersion->spread.count;
	double chance;

	if (share <= limit)
		return false;
	chance = stats_binomial_upper(count, (uint64_t)(share * (double)count + 0.5),
				      dispersion->fair);
	return chance * (double)dispersion->codes < profile->false_alarm;
}

enum dispersion_fault dispersion_judge(const struct profile *profile, const uint64_t *values,
				       const uint64_t *instants, size_t count,
				       struct dispersion *dispersion)
{
	*dispersion = (struct dispersion){ .values_min = profile->desync_values,
					   .value_max = profile->desync_share,
					   .second_max = profile->desync_bin };
	count_codes(profile, dispersion);
	if (dispersion->codes < 2)
		return DISPERSION_NO_CHOICE;
	if (dispersion->values_min > dispersion->codes)
		dispersion->values_min = dispersion->codes;
	if (dispersion->second_max < 1.6 / (double)dispersion->codes)
		dispersion->second_max = 1.6 / (double)dispersion->codes;

	if (!stats_spread(values, instants, count, US_PER_S, &dispersion->spread))
		return DISPERSION_NO_MEMORY;
	if (dispersion->spread.distinct < dispersion->values_min)
		return DISPERSION_FEW_VALUES;
	if (crowded(profile, dispersion, dispersion->spread.top_share, dispersion->value_max))
		return DISPERSION_ONE_VALUE;
	if (crowded(profile, dispersion, dispersion->spread.bin_share, dispersion->second_max))
		return DISPERSION_ONE_SECOND;
	return DISPERSION_GOOD;
}
