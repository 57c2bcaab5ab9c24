/*
 * A build that changes a cause changes it in many cases: what they have in common is one line of a
 * summary.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/compare.h"

/* A change of a case, to be sorted beside those that are alike. */
struct place {
	const struct change *change;
	size_t at; /* of the case */
};

static int compare_text(const char *a, const char *b)
{
	return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

static int by_content(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = (int)a->change->kind - (int)b->change->kind;

	order = order != 0 ? order : compare_text(a->change->proto, b->change->proto);
	order = order != 0 ? order : compare_text(a->change->type, b->change->type);
	order = order != 0 ? order : compare_text(a->change->field, b->change->field);
	order = order != 0 ? order : compare_text(a->change->before, b->change->before);
	order = order != 0 ? order : compare_text(a->change->after, b->change->after);
	return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static int by_cases(const void *left, const void *right)
{
	const struct common_change *a = left, *b = right;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return (a->cases[0] > b->cases[0]) - (a->cases[0] < b->cases[0]);
}

static bool is_common(const struct change *change)
{
	return change->kind == CHANGE_MESSAGE || change->kind == CHANGE_FIELD;
}

static struct place *all_places(const struct comparison *comparison, size_t *count)
{
	struct place *places;

	*count = 0;
	for (size_t i = 0; i < comparison->count; i++)
		*count += comparison->cases[i].count;
	places = *count > 0 ? calloc(*count, sizeof(*places)) : NULL;
	*count = 0;
	for (size_t i = 0; places != NULL && i < comparison->count; i++) {
		const struct case_comparison *item = &comparison->cases[i];

		for (size_t c = 0; c < item->count; c++) {
			if (is_common(&item->changes[c]))
				places[(*count)++] = (struct place){ &item->changes[c], i };
		}
	}
	if (places != NULL)
		qsort(places, *count, sizeof(*places), by_content);
	return places;
}

/* A message that is there in some number is alike whatever the number. */
static bool alike(const struct change *a, const struct change *b)
{
	if (a->kind == CHANGE_MESSAGE && b->kind == CHANGE_MESSAGE)
		return change_same_text(a->proto, b->proto) && change_same_text(a->type, b->type) &&
		       (a->before == NULL) == (b->before == NULL);
	return change_same(a, b);
}

struct common_change *comparison_common(const struct comparison *comparison, size_t *count)
{
	size_t n;
	struct place *places = all_places(comparison, &n);
	struct common_change *common = n > 0 ? calloc(n, sizeof(*common)) : NULL;

	*count = 0;
	for (size_t i = 0; common != NULL && i < n;) {
		struct common_change *to = &common[*count];
		size_t end = i;

		while (end < n && alike(places[i].change, places[end].change))
			end++;
		*to = (struct common_change){ .change = places[i].change,
					      .cases = calloc(end - i, sizeof(*to->cases)) };
		if (to->cases == NULL)
			break;
		for (; i < end; i++) {
			if (to->count == 0 || to->cases[to->count - 1] != places[i].at)
				to->cases[to->count++] = places[i].at;
		}
		++*count;
	}
	free(places);
	if (common != NULL)
		qsort(common, *count, sizeof(*common), by_cases);
	return common;
}

void common_free(struct common_change *common, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(common[i].cases);
	free(common);
}
