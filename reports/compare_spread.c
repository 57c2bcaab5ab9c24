/*
 * A value that an IUT draws by chance, as T3346 where it spreads the load, is there once in many
 * cases and differs in most of them between any two runs. One case alone does not show that it is
 * chance; all together they do: both builds then draw from the same range, with the same middle.
 * Such changes are taken out again. A value outside the range of the others stays.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare.h"

enum {
	DRAWS_MIN = 8,	   /* changes of a field that may be told from a few that somebody made */
	DIFFERENT_MIN = 5, /* values on each side */
};

struct draw {
	struct change *change;
	struct case_comparison *item;
	double value[2];
};

static int by_field(const void *left, const void *right)
{
	const struct draw *a = left, *b = right;
	int order = strcmp(a->change->proto, b->change->proto);

	/* a timer is drawn alike for whatever message has it */
	return order != 0 ? order : strcmp(a->change->field, b->change->field);
}

static struct draw *all_draws(const struct comparison *comparison, size_t *count)
{
	struct draw *draws;
	size_t most = 0;

	*count = 0;
	for (size_t i = 0; i < comparison->count; i++)
		most += comparison->cases[i].count;
	draws = most > 0 ? calloc(most, sizeof(*draws)) : NULL;
	for (size_t i = 0; draws != NULL && i < comparison->count; i++) {
		struct case_comparison *item = &comparison->cases[i];

		for (size_t c = 0; c < item->count; c++) {
			struct change *change = &item->changes[c];
			struct draw draw = { change, item, { NAN, NAN } };

			if (change->kind != CHANGE_FIELD || change->before == NULL ||
			    change->after == NULL)
				continue;
			draw.value[BEFORE] = traffic_number(change->before);
			draw.value[AFTER] = traffic_number(change->after);
			if (!isnan(draw.value[BEFORE]) && !isnan(draw.value[AFTER]))
				draws[(*count)++] = draw;
		}
	}
	if (draws != NULL)
		qsort(draws, *count, sizeof(*draws), by_field);
	return draws;
}

static int by_value(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Of one side: the values without the tenth at each end, so that one that strays counts little. */
struct range {
	double low, high, mean;
	size_t different;
};

static bool range_of(const struct draw *draws, size_t count, int side, struct range *range)
{
	double *values = calloc(count, sizeof(*values)), sum = 0;
	size_t cut = count / 10;

	if (values == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		values[i] = draws[i].value[side];
	qsort(values, count, sizeof(*values), by_value);
	*range = (struct range){ .low = values[cut], .high = values[count - 1 - cut] };
	for (size_t i = cut; i < count - cut; i++) {
		sum += values[i];
		range->different += i == cut || values[i] > values[i - 1];
	}
	range->mean = sum / (double)(count - 2 * cut);
	free(values);
	return true;
}

/* Whether the changes of one field look like draws of one range by both builds. */
static bool by_chance(const struct range ranges[2], size_t count)
{
	double widths[2] = { ranges[BEFORE].high - ranges[BEFORE].low,
			     ranges[AFTER].high - ranges[AFTER].low };
	double width = fmax(widths[BEFORE], widths[AFTER]);

	return count >= DRAWS_MIN && ranges[BEFORE].different >= DIFFERENT_MIN &&
	       ranges[AFTER].different >= DIFFERENT_MIN &&
	       fmin(widths[BEFORE], widths[AFTER]) > width / 2 &&
	       /* two means of n draws from an even spread, three deviations apart */
	       fabs(ranges[BEFORE].mean - ranges[AFTER].mean) <
		       3 * width * sqrt(2 / (12 * (double)count));
}

/*
 * The range of both, a quarter of it more at each end. Cases may have ranges of their own, shorter
 * ones, from which another seed draws another value.
 */
static bool inside(double value, const struct range ranges[2], bool other_seed)
{
	double low = fmin(ranges[BEFORE].low, ranges[AFTER].low);
	double high = fmax(ranges[BEFORE].high, ranges[AFTER].high);
	double more = (high - low) / 4;

	return (other_seed || value >= low - more) && value <= high + more;
}

static void take_out(struct comparison *comparison, struct draw *draws, size_t count)
{
	struct range ranges[2];

	if (!range_of(draws, count, BEFORE, &ranges[BEFORE]) ||
	    !range_of(draws, count, AFTER, &ranges[AFTER]) || !by_chance(ranges, count))
		return;
	for (size_t i = 0; i < count; i++) {
		if (!inside(draws[i].value[BEFORE], ranges, comparison->other_seed) ||
		    !inside(draws[i].value[AFTER], ranges, comparison->other_seed))
			continue;
		traffic_ignore(&comparison->ignored[VARIES_BY_CHANCE], draws[i].change->field,
			       draws[i].change->times);
		draws[i].change->times = 0;
	}
}

static void drop_taken_out(struct comparison *comparison, struct case_comparison *item)
{
	size_t kept = 0;

	for (size_t c = 0; c < item->count; c++) {
		if (item->changes[c].times > 0)
			item->changes[kept++] = item->changes[c];
		else
			change_clear(&item->changes[c]);
	}
	if (kept == 0 && item->count > 0 && item->more == 0 &&
	    item->verdict[BEFORE] == item->verdict[AFTER])
		comparison->changed--;
	item->count = kept;
}

void comparison_drop_chance(struct comparison *comparison)
{
	size_t count, end;
	struct draw *draws = all_draws(comparison, &count);

	for (size_t i = 0; draws != NULL && i < count; i = end) {
		for (end = i + 1; end < count && by_field(&draws[i], &draws[end]) == 0;)
			end++;
		take_out(comparison, &draws[i], end - i);
	}
	free(draws);
	for (size_t i = 0; i < comparison->count; i++)
		drop_taken_out(comparison, &comparison->cases[i]);
}
