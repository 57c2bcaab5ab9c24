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
	if (order == 0)
		order = (a->change->before == NULL) - (b->change->before == NULL);
	if (order == 0)
		order = (a->change->after == NULL) - (b->change->after == NULL);
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

/* The places of one change are by case. */
static void add_once(struct common_change *to, size_t at)
{
	if (to->count == 0 || to->cases[to->count - 1] != at)
		to->cases[to->count++] = at;
}

/* What happened to a field or a message, whatever its values are. */
static bool alike(const struct change *a, const struct change *b)
{
	return a->kind == b->kind && change_same_text(a->proto, b->proto) &&
	       change_same_text(a->type, b->type) && change_same_text(a->field, b->field) &&
	       (a->before == NULL) == (b->before == NULL) &&
	       (a->after == NULL) == (b->after == NULL);
}

static int by_text(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;

	return compare_text(*a, *b);
}

/* How many different texts there are; *most is the one that is there most often. */
static size_t count_texts(const struct place *places, size_t count, bool after, const char **most)
{
	const char **texts = calloc(count, sizeof(*texts));
	size_t different = 0, run = 0, longest = 0;

	*most = after ? places[0].change->after : places[0].change->before;
	if (texts == NULL)
		return 1;
	for (size_t i = 0; i < count; i++)
		texts[i] = after ? places[i].change->after : places[i].change->before;
	qsort(texts, count, sizeof(*texts), by_text);
	for (size_t i = 0; i < count; i++) {
		run = i > 0 && compare_text(texts[i], texts[i - 1]) == 0 ? run + 1 : 1;
		different += run == 1;
		if (run > longest) {
			longest = run;
			*most = texts[i];
		}
	}
	free(texts);
	return different;
}

struct common_change *comparison_common(const struct comparison *comparison, size_t *count)
{
	size_t n;
	struct place *places = all_places(comparison, &n);
	struct common_change *common = n > 0 ? calloc(n, sizeof(*common)) : NULL;

	*count = 0;
	for (size_t i = 0, end; common != NULL && i < n; i = end) {
		struct common_change *to = &common[*count];

		for (end = i + 1; end < n && alike(places[i].change, places[end].change);)
			end++;
		*to = (struct common_change){ .change = *places[i].change,
					      .cases = calloc(end - i, sizeof(*to->cases)) };
		if (to->cases == NULL)
			break;
		for (int side = BEFORE; side <= AFTER; side++) {
			const char *most;

			to->different[side] =
				count_texts(&places[i], end - i, side == AFTER, &most);
			*(side == AFTER ? &to->change.after : &to->change.before) =
				(char *)(uintptr_t)most;
		}
		for (size_t p = i; p < end; p++)
			add_once(to, places[p].at);
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

void comparison_left_out(const struct comparison *comparison,
			 void (*put)(const char *line, FILE *out), FILE *out)
{
	char buf[1024];
	struct text text;

	for (size_t v = 0; v < VARYING_COUNT; v++) {
		const struct traffic_ignored *ignored = &comparison->ignored[v];

		if (ignored->values == 0)
			continue;
		text_init(&text, buf, sizeof(buf));
		text_printf(&text, "%s, %zu values:", varying_name((enum varying)v),
			    ignored->values);
		for (size_t i = 0; i < ignored->name_count; i++)
			text_printf(&text, "%s%s", i > 0 ? ", " : " ", ignored->names[i]);
		if (ignored->name_count == TRAFFIC_NAMES_MAX)
			text_puts(&text, ", ...");
		put(buf, out);
	}
	text_init(&text, buf, sizeof(buf));
	if (comparison->digits > 0) {
		text_printf(&text, "figures in the reason of %zu case%s", comparison->digits,
			    comparison->digits == 1 ? "" : "s");
		put(buf, out);
	}
	text_init(&text, buf, sizeof(buf));
	if (comparison->other_seed) {
		text_printf(
			&text,
			"how long cases take, as the seeds differ; of %zu cases in which chance "
			"made "
			"that, or the samples, another, also the number and the times of messages",
			comparison->by_chance);
		put(buf, out);
	}
	text_init(&text, buf, sizeof(buf));
	text_printf(
		&text,
		"times that differ by less than %.3f s, by less than %.0f %% or by less than they "
		"do within one run; the times of the tester's machine",
		(double)comparison->noise_us / 1e6, comparison->noise_share * 100);
	put(buf, out);
}
