/* What two runs made of a case: verdict, reason, warnings, how long it took. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare_private.h"

static void add_texts(struct comparison *comparison, struct case_comparison *item,
		      enum change_kind kind, const char *before, const char *after)
{
	comparison_add(comparison, item,
		       &(struct change){
			       .kind = kind,
			       .before = (char *)(uintptr_t)before,
			       .after = (char *)(uintptr_t)after,
			       .times = 1,
		       });
}

const struct result *runs_worst(const struct runs *runs)
{
	const struct result *worst = &runs->results[0];

	for (size_t i = 1; i < runs->count; i++) {
		if (verdict_gravity(runs->results[i].verdict) > verdict_gravity(worst->verdict))
			worst = &runs->results[i];
	}
	return worst;
}

static void compare_verdicts(struct comparison *comparison, struct case_comparison *item)
{
	enum verdict before = item->verdict[BEFORE], after = item->verdict[AFTER];
	int step = verdict_gravity(after) - verdict_gravity(before);
	/* What is not applicable was not judged; from there, anything but a pass is worse. */
	bool by_na = after == VERDICT_NA || (before == VERDICT_NA && after == VERDICT_PASS);
	enum change_kind kind = by_na	   ? CHANGE_VERDICT_OTHER
				: step > 0 ? CHANGE_VERDICT_WORSE
					   : CHANGE_VERDICT_BETTER;

	if (before == after) {
		comparison->same++;
		return;
	}
	comparison->worse += kind == CHANGE_VERDICT_WORSE;
	comparison->better += kind == CHANGE_VERDICT_BETTER;
	comparison->other += kind == CHANGE_VERDICT_OTHER;
	add_texts(comparison, item, kind, verdict_name(before), verdict_name(after));
}

/* The same but for figures, which a reason takes from the messages. */
static bool same_but_for_digits(const char *a, const char *b)
{
	static const char digits[] = "0123456789.";

	while (*a != '\0' && *b != '\0') {
		size_t n = strspn(a, digits), m = strspn(b, digits);

		if ((n > 0) != (m > 0))
			return false;
		if (n == 0 && *a++ != *b++)
			return false;
		a += n;
		b += m;
	}
	return *a == *b;
}

static void compare_reasons(struct comparison *comparison, struct case_comparison *item,
			    const char *before, const char *after)
{
	before = before == NULL ? "" : before;
	after = after == NULL ? "" : after;
	if (strcmp(before, after) == 0)
		return;
	if (item->verdict[BEFORE] == item->verdict[AFTER] && same_but_for_digits(before, after))
		comparison->digits++;
	else
		add_texts(comparison, item, CHANGE_REASON, before, after);
}

static bool has_warning(const struct runs *runs, const char *warning)
{
	for (size_t i = 0; i < runs->count; i++) {
		for (size_t w = 0; w < runs->results[i].warning_count; w++) {
			if (same_but_for_digits(runs->results[i].warnings[w], warning))
				return true;
		}
	}
	return false;
}

static void compare_warnings(struct comparison *comparison, struct case_comparison *item,
			     const struct runs runs[2])
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs[side].count; i++) {
			const struct result *result = &runs[side].results[i];

			for (size_t w = 0; w < result->warning_count; w++) {
				const char *warning = result->warnings[w];

				if (!has_warning(&runs[!side], warning))
					add_texts(comparison, item, CHANGE_WARNING,
						  side == BEFORE ? warning : NULL,
						  side == AFTER ? warning : NULL);
			}
		}
	}
}

static int by_length(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The median of repetitions; what they differ by is noise too. */
static double duration_of(const struct runs *runs, double *range)
{
	double *sorted = calloc(runs->count, sizeof(*sorted)), median;

	*range = 0;
	if (sorted == NULL)
		return NAN;
	for (size_t i = 0; i < runs->count; i++)
		sorted[i] = runs->results[i].iut_ms;
	qsort(sorted, runs->count, sizeof(*sorted), by_length);
	median = sorted[runs->count / 2];
	*range = sorted[runs->count - 1] - sorted[0];
	free(sorted);
	return median;
}

static uint64_t samples_of(const struct runs *runs)
{
	uint64_t offered = 0;

	for (size_t i = 0; i < runs->count; i++)
		for (size_t f = 0; f < runs->results[i].figure_count; f++)
			offered += (uint64_t)runs->results[i].figures[f].offered;
	return offered;
}

static void compare_durations(struct comparison *comparison, struct case_comparison *item,
			      const struct runs runs[2])
{
	double range[2], ms[2], bound;
	char buf[2][64];

	for (int side = 0; side < 2; side++) {
		ms[side] = duration_of(&runs[side], &range[side]);
		snprintf(buf[side], sizeof(buf[side]), "%.3f s", ms[side] / 1000);
	}
	bound = fmax((double)comparison->noise_us / 1000,
		     comparison->noise_share * fmax(ms[BEFORE], ms[AFTER]));
	bound = fmax(bound, fmax(range[BEFORE], range[AFTER]));
	if (comparison->other_seed) {
		item->chance = fabs(ms[BEFORE] - ms[AFTER]) > bound ||
			       samples_of(&runs[BEFORE]) != samples_of(&runs[AFTER]);
		comparison->by_chance += item->chance;
	} else if (fabs(ms[BEFORE] - ms[AFTER]) > bound)
		add_texts(comparison, item, CHANGE_DURATION, buf[BEFORE], buf[AFTER]);
}

void comparison_results(struct comparison *comparison, struct case_comparison *item,
			const struct runs runs[2])
{
	compare_verdicts(comparison, item);
	compare_reasons(comparison, item, runs_worst(&runs[BEFORE])->reason,
			runs_worst(&runs[AFTER])->reason);
	compare_warnings(comparison, item, runs);
	compare_durations(comparison, item, runs);
}
