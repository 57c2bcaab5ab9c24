/*
 * Two runs' traffic of one case. Messages are set against each other by the element that received
 * them and by type, never by time. A few of a type are compared one by one, in their order; many,
 * or as many as chance has it, by which values they had and how often.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare.h"

enum {
	LANES_BY_NAME = 4, /* up to so many elements of a kind have a part of their own in a case */
	FEW = 10,	   /* numbers of messages up to this one are no matter of chance */
	STRAYS = 2,
	VALUES_SHOWN = 3,
	SHOWN_ROOM = 700,
};

/* Of a normal distribution: a change beyond it is none of chance. */
static const double deviations = 5;

struct pair {
	struct comparison *comparison;
	struct case_comparison *item;
	const struct traffic_group *group[2];
};

static void report(const struct pair *pair, enum change_kind kind, const char *field,
		   const char *before, const char *after, size_t times)
{
	const struct traffic_group *group = pair->group[pair->group[AFTER] != NULL];

	comparison_add(pair->comparison, pair->item,
		       &(struct change){
			       .kind = kind,
			       .lane = (char *)(uintptr_t)group->lane,
			       .proto = (char *)(uintptr_t)group->proto,
			       .type = (char *)(uintptr_t)group->type,
			       .field = (char *)(uintptr_t)field,
			       .before = (char *)(uintptr_t)before,
			       .after = (char *)(uintptr_t)after,
			       .times = times,
		       });
}

/* --- numbers ------------------------------------------------------------------------------------
 */

/* Whether a of n and b of m are two shares, by more than chance explains. */
static bool shares_differ(size_t a, size_t n, size_t b, size_t m)
{
	double p, q, common, sigma;

	if (n == 0 || m == 0)
		return false;
	p = (double)a / (double)n;
	q = (double)b / (double)m;
	common = (double)(a + b) / (double)(n + m);
	sigma = sqrt(common * (1 - common) * (1 / (double)n + 1 / (double)m));
	return fabs(p - q) > deviations * sigma && fabs(p - q) > 0.01;
}

static bool numbers_differ(size_t a, size_t b, bool other_seed)
{
	double x = (double)a, y = (double)b;

	if (!other_seed && a <= FEW && b <= FEW)
		return a != b;
	return fabs(x - y) > deviations * sqrt(x + y);
}

struct spread {
	double low, high, sum;
	size_t different, count;
	bool numeric;
};

static struct spread spread_of(const struct traffic_field *field)
{
	struct spread spread = { .numeric = true };

	for (const struct traffic_value *v = field->values; v != NULL; v = v->hh.next) {
		spread.numeric = spread.numeric && !isnan(v->number);
		if (spread.different == 0 || v->number < spread.low)
			spread.low = v->number;
		if (spread.different == 0 || v->number > spread.high)
			spread.high = v->number;
		spread.sum += v->number * (double)v->count;
		spread.count += v->count;
		spread.different++;
	}
	spread.numeric = spread.numeric && spread.count > 0;
	return spread;
}

/* Two spreads by chance are alike where they overlap and have their middle at the same place. */
static bool spreads_differ(const struct spread *a, const struct spread *b)
{
	double width = fmax(a->high - a->low, b->high - b->low);
	double least = (double)(a->count < b->count ? a->count : b->count);

	if (a->low > b->high || b->low > a->high)
		return true;
	/* Of so many, not all by chance have one value. */
	if (least >= FEW && (a->different == 1) != (b->different == 1))
		return true;
	/* The mean of n out of an even spread errs by its width over the root of 12 n. */
	return fabs(a->sum / (double)a->count - b->sum / (double)b->count) >
	       deviations * width * sqrt(2 / (12 * least));
}

/* --- fields -------------------------------------------------------------------------------------
 */

static int by_count(const void *left, const void *right)
{
	const struct traffic_value *const *a = left, *const *b = right;

	if ((*a)->count != (*b)->count)
		return (*a)->count < (*b)->count ? 1 : -1;
	return strcmp((*a)->text, (*b)->text);
}

/* "22 (Congestion) (3 of 4), 111 (...) (1 of 4)"; "900 to 1800 s"... */
static void show(const struct traffic_field *field, size_t messages, struct text *out)
{
	const struct traffic_value *sorted[TRAFFIC_VALUES_MAX];
	size_t count = 0;

	for (const struct traffic_value *v = field->values; v != NULL && count < TRAFFIC_VALUES_MAX;
	     v = v->hh.next)
		sorted[count++] = v;
	qsort(sorted, count, sizeof(sorted[0]), by_count);
	for (size_t i = 0; i < count && i < VALUES_SHOWN; i++) {
		text_printf(out, "%s%s", i > 0 ? ", " : "", sorted[i]->text);
		if (count > 1 || sorted[i]->count < messages)
			text_printf(out, " (%zu of %zu)", sorted[i]->count, messages);
	}
	if (count > VALUES_SHOWN || field->many)
		text_printf(out, ", %s%zu other values", field->many ? "more than " : "",
			    count - (count < VALUES_SHOWN ? count : VALUES_SHOWN));
}

static void show_spread(const struct spread *spread, size_t messages, struct text *out)
{
	if (spread->different == 1)
		text_printf(out, "%.15g in %zu", spread->low, messages);
	else
		text_printf(out, "%.15g to %.15g in %zu", spread->low, spread->high, messages);
}

static void report_values(const struct pair *pair, const char *path,
			  struct traffic_field *const fields[2], const struct spread spreads[2])
{
	char buf[2][SHOWN_ROOM];
	struct text text;

	for (int i = 0; i < 2; i++) {
		text_init(&text, buf[i], sizeof(buf[i]));
		if (spreads != NULL)
			show_spread(&spreads[i], pair->group[i]->count, &text);
		else
			show(fields[i], pair->group[i]->count, &text);
	}
	report(pair, CHANGE_FIELD, path, buf[BEFORE], buf[AFTER], 1);
}

static bool same_value(const struct traffic_value *a, const struct traffic_value *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a->text, b->text) == 0;
}

static bool in_order(const struct pair *pair)
{
	return !pair->group[BEFORE]->merged && !pair->group[AFTER]->merged &&
	       pair->group[BEFORE]->count == pair->group[AFTER]->count &&
	       pair->group[AFTER]->count <= TRAFFIC_ORDER_MAX;
}

static const char *text_of(const struct traffic_value *value)
{
	return value == NULL ? NULL : value->text;
}

/* The n-th with the n-th. Where most differ and both have many values, chance chose them. */
static bool compare_in_order(const struct pair *pair, const char *path,
			     struct traffic_field *const fields[2], const struct spread spreads[2])
{
	size_t n = pair->group[AFTER]->count, different = 0;

	for (size_t i = 0; i < n; i++)
		different += !same_value(fields[BEFORE]->order[i], fields[AFTER]->order[i]);
	if (2 * different > n && spreads[BEFORE].numeric && spreads[AFTER].numeric &&
	    spreads[BEFORE].different > 2 && spreads[AFTER].different > 2)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct traffic_value *a = fields[BEFORE]->order[i];
		const struct traffic_value *b = fields[AFTER]->order[i];

		if (!same_value(a, b))
			report(pair, CHANGE_FIELD, path, text_of(a), text_of(b), 1);
	}
	return true;
}

static const struct traffic_value *value_of(const struct traffic_field *field, const char *text)
{
	struct traffic_value *value;

	HASH_FIND(hh, field->values, text, strlen(text), value);
	return value;
}

/* A value that only one of them has, or that its messages have in quite another share. */
static bool values_differ(const struct pair *pair, struct traffic_field *const fields[2])
{
	for (int side = 0; side < 2; side++) {
		for (const struct traffic_value *v = fields[side]->values; v != NULL;
		     v = v->hh.next) {
			const struct traffic_value *other = value_of(fields[!side], v->text);

			if (other == NULL || shares_differ(v->count, pair->group[side]->count,
							   other->count, pair->group[!side]->count))
				return true;
		}
	}
	return false;
}

/* Too many values to say which are new: that is how identifiers look. */
static void ignore_many(const struct pair *pair, const char *path,
			struct traffic_field *const fields[2])
{
	const char *name = strrchr(path, '/');

	traffic_ignore(&pair->comparison->ignored[VARIES_NOT], name != NULL ? name + 1 : path,
		       fields[BEFORE]->count + fields[AFTER]->count);
}

static void compare_field(const struct pair *pair, const char *path,
			  struct traffic_field *const fields[2])
{
	struct spread spreads[2] = { spread_of(fields[BEFORE]), spread_of(fields[AFTER]) };
	bool numeric = spreads[BEFORE].numeric && spreads[AFTER].numeric;

	if (in_order(pair) && compare_in_order(pair, path, fields, spreads))
		return;
	if (shares_differ(fields[BEFORE]->count, pair->group[BEFORE]->count, fields[AFTER]->count,
			  pair->group[AFTER]->count)) {
		report_values(pair, path, fields, NULL);
	} else if (numeric && (spreads[BEFORE].different > 1 || spreads[AFTER].different > 1)) {
		if (spreads_differ(&spreads[BEFORE], &spreads[AFTER]))
			report_values(pair, path, fields, spreads);
	} else if (fields[BEFORE]->many || fields[AFTER]->many) {
		if (fields[BEFORE]->many != fields[AFTER]->many &&
		    (spreads[BEFORE].different == 1 || spreads[AFTER].different == 1))
			report_values(pair, path, fields, NULL);
		else
			ignore_many(pair, path, fields);
	} else if (values_differ(pair, fields)) {
		report_values(pair, path, fields, NULL);
	}
}

static struct traffic_field *field_of(const struct traffic_group *group, const char *path)
{
	struct traffic_field *field;

	HASH_FIND_STR(group->fields, path, field);
	return field;
}

/* A field that only one of them has; a group of it is not listed leaf by leaf. */
static void compare_lone_field(const struct pair *pair, const struct traffic_field *field, int side)
{
	size_t messages = pair->group[side]->count, others = pair->group[!side]->count;
	char buf[SHOWN_ROOM];
	struct text text;

	/* What a few of many have may by chance be missing. */
	if (messages > FEW && !shares_differ(field->count, messages, 0, others))
		return;
	text_init(&text, buf, sizeof(buf));
	show(field, messages, &text);
	report(pair, CHANGE_FIELD, field->path, side == BEFORE ? buf : NULL,
	       side == AFTER ? buf : NULL, 1);
}

static void compare_fields(const struct pair *pair)
{
	for (int side = 0; side < 2; side++) {
		for (struct traffic_field *f = pair->group[side]->fields; f != NULL;
		     f = f->hh.next) {
			struct traffic_field *other = field_of(pair->group[!side], f->path);

			if (other == NULL)
				compare_lone_field(pair, f, side);
			else if (side == BEFORE)
				compare_field(pair, f->path,
					      (struct traffic_field *[2]){ f, other });
		}
	}
}

/* --- delays -------------------------------------------------------------------------------------
 */

struct delay {
	uint64_t median, low, high;
};

static int by_size(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static bool delay_of(const struct traffic_group *group, struct delay *delay)
{
	uint64_t sorted[TRAFFIC_DELAYS_MAX];
	size_t n = group->delay_count;

	if (n == 0)
		return false;
	memcpy(sorted, group->delays, n * sizeof(sorted[0]));
	qsort(sorted, n, sizeof(sorted[0]), by_size);
	*delay = (struct delay){ sorted[n / 2], sorted[0], sorted[n - 1] };
	return true;
}

/* What the delays of one run differ by is noise too. */
static void compare_delays(const struct pair *pair)
{
	const struct comparison *comparison = pair->comparison;
	struct delay a, b;
	double longer, bound, difference;
	char buf[2][64];

	if (pair->item->chance || !delay_of(pair->group[BEFORE], &a) ||
	    !delay_of(pair->group[AFTER], &b))
		return;
	longer = (double)(a.median > b.median ? a.median : b.median);
	difference = fabs((double)a.median - (double)b.median);
	bound = fmax((double)comparison->noise_us, comparison->noise_share * longer);
	bound = fmax(bound, fmax((double)(a.high - a.low), (double)(b.high - b.low)));
	if (difference <= bound)
		return;
	snprintf(buf[BEFORE], sizeof(buf[BEFORE]), "%.3f s", (double)a.median / 1e6);
	snprintf(buf[AFTER], sizeof(buf[AFTER]), "%.3f s", (double)b.median / 1e6);
	report(pair, CHANGE_DELAY, NULL, buf[BEFORE], buf[AFTER], 1);
}

/* --- groups -------------------------------------------------------------------------------------
 */

static void compare_numbers(const struct pair *pair)
{
	size_t before = pair->group[BEFORE]->count, after = pair->group[AFTER]->count;
	char buf[2][32];

	if (pair->item->chance || !numbers_differ(before, after, pair->comparison->other_seed))
		return;
	snprintf(buf[BEFORE], sizeof(buf[BEFORE]), "%zu", before);
	snprintf(buf[AFTER], sizeof(buf[AFTER]), "%zu", after);
	report(pair, CHANGE_NUMBER, NULL, buf[BEFORE], buf[AFTER], 1);
}

static void report_lone(const struct pair *pair, int side)
{
	char count[64];

	/* what comes by the clock, as a heart-beat, comes once more in a longer case */
	if (pair->item->chance && pair->group[side]->count <= STRAYS)
		return;
	snprintf(count, sizeof(count), "%zu", pair->group[side]->count);
	report(pair, CHANGE_MESSAGE, NULL, side == BEFORE ? count : NULL,
	       side == AFTER ? count : NULL, 1);
}

static const struct traffic_group *group_of(const struct traffic *traffic,
					    const struct traffic_group *like)
{
	struct traffic_group *group;

	HASH_FIND(hh, traffic->groups, like->key, like->hh.keylen, group);
	return group;
}

void comparison_traffic(struct comparison *comparison, struct case_comparison *item,
			struct traffic *before, struct traffic *after)
{
	struct traffic *traffics[2] = { before, after };
	struct pair pair = { .comparison = comparison, .item = item };

	traffic_merge_crowds(before, after, LANES_BY_NAME);
	for (int side = 0; side < 2; side++) {
		for (const struct traffic_group *g = traffics[side]->groups; g != NULL;
		     g = g->hh.next) {
			const struct traffic_group *other = group_of(traffics[!side], g);

			pair.group[side] = g;
			pair.group[!side] = other;
			if (other == NULL) {
				report_lone(&pair, side);
			} else if (side == BEFORE) {
				compare_numbers(&pair);
				compare_fields(&pair);
				compare_delays(&pair);
			}
		}
	}
}
