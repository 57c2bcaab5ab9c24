#include "suites/n2_ran/ran.h"

#include <inttypes.h>
#include <stdio.h>

enum { ARGUMENTS_MAX = 192, REASON_MAX = 512 };

struct nw_node *gnb_of_one_amf(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);

	nw_iut_connects(t);
	return nw_node(amf, NODE_GNB);
}

void settle(struct tc *t)
{
	tc_sleep(t, t->profile->response_time < US_PER_S ? t->profile->response_time : US_PER_S);
}

/* --- attempts --- */

static struct nw_attempts offer_words(struct tc *t, const char *words)
{
	struct nw_attempts a = nw_attempts(t, "%s", words);

	if (a.foreign)
		tc_error(t,
			 "\"attempts %s\": of %" PRIu64 " INITIAL UE MESSAGEs %" PRIu64
			 " have another RRC cause than was asked for",
			 words, a.sent, a.foreign);
	return a;
}

#define WORDS(words, format)                                \
	char words[ARGUMENTS_MAX];                          \
	va_list args_;                                      \
	va_start(args_, format);                            \
	vsnprintf((words), sizeof(words), (format), args_); \
	va_end(args_)

struct nw_attempts offer(struct tc *t, const char *format, ...)
{
	WORDS(words, format);
	return offer_words(t, words);
}

struct nw_attempts nothing_is_lost(struct tc *t, const char *format, ...)
{
	WORDS(words, format);
	return nw_attempts_all_sent(t, "%s", words);
}

void all_are_sent(struct tc *t, const char *why, const char *format, ...)
{
	struct nw_attempts a;

	WORDS(words, format);
	a = offer_words(t, words);
	if (a.sent != a.offered)
		tc_violation(t,
			     "%s: offered %" PRIu64 " attempts (%s), sent %" PRIu64
			     ", and all have to be",
			     why, a.offered, words, a.sent);
}

void none_is_sent(struct tc *t, const char *why, const char *format, ...)
{
	struct nw_attempts a;

	WORDS(words, format);
	a = offer_words(t, words);
	if (a.sent)
		tc_violation(t,
			     "%s: offered %" PRIu64 " attempts (%s), sent %" PRIu64
			     ", and none may be",
			     why, a.offered, words, a.sent);
}

void something_is_refused(struct tc *t, const char *format, ...)
{
	struct nw_attempts a;

	WORDS(words, format);
	a = offer_words(t, words);
	if (a.sent == a.offered)
		tc_fail(t,
			"OVERLOAD START has no effect (N2-R-01): offered %" PRIu64
			" attempts (%s), sent all of them",
			a.offered, words);
}

/* --- shares --- */

void share_is_sent(struct tc *t, double stated, const char *format, ...)
{
	struct share_test test = SHARE_TEST(stated);
	struct nw_attempts sum = { .offered = 0 };
	enum share_answer answer;
	char buf[REASON_MAX];
	struct text text;

	WORDS(words, format);
	if (t->profile->false_alarm > 0)
		test.error = t->profile->false_alarm;
	do {
		nw_attempts_add(&sum, offer(t, "%s count=%" PRIu64, words,
					    sum.offered ? test.step : test.first));
		answer = share_judge(&test, sum.offered, sum.sent, sum.offered >= test.last);
	} while (answer == SHARE_UNDECIDED);

	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "%s: ", words);
	tc_share(t, words, &test, sum.offered, sum.sent, &text);
	if (sum.offered < test.last)
		text_printf(&text,
			    "; the sequential test stopped early, after %" PRIu64
			    " of up to %" PRIu64 " attempts",
			    sum.offered, test.last);
	switch (answer) {
	case SHARE_VIOLATED:
		tc_violation(t, "%s", buf);
	case SHARE_TOO_FEW:
		tc_inconc(t, "too few attempts: %s", buf);
	default:
		tc_note(t, "%s", buf);
	}
}

/* --- slices --- */

static bool same_slice(const struct slice *a, const struct slice *b)
{
	return a->sst == b->sst && a->has_sd == b->has_sd && (!a->has_sd || a->sd == b->sd);
}

static void print_slice(const struct slice *slice, char word[16])
{
	if (slice->has_sd)
		snprintf(word, 16, "%u-%06" PRIx32, slice->sst, slice->sd & 0xffffff);
	else
		snprintf(word, 16, "%u", slice->sst);
}

struct three_slices three_slices(struct tc *t)
{
	static const struct slice presets[] = {
		{ .sst = 1, .has_sd = true, .sd = 0x010203 },
		{ .sst = 2 },
		{ .sst = 3, .has_sd = true, .sd = 0x0a0b0c },
		{ .sst = 4 },
		{ .sst = 5 },
	};
	struct slice all[3];
	struct three_slices slices;
	size_t count = 0;

	for (size_t i = 0; i < t->profile->slice_count && count < 3; i++)
		all[count++] = t->profile->slices[i];
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]) && count < 3; i++) {
		bool has = false;

		for (size_t k = 0; k < count; k++)
			has |= same_slice(&all[k], &presets[i]);
		if (!has)
			all[count++] = presets[i];
	}
	slices.a = all[0];
	slices.b = all[1];
	slices.c = all[2];
	print_slice(&slices.a, slices.a_word);
	print_slice(&slices.b, slices.b_word);
	print_slice(&slices.c, slices.c_word);
	return slices;
}

struct nw_node *gnb_with_slices(struct tc *t, const struct three_slices *slices,
				const struct slice *more)
{
	struct slice *all = tc_alloc(t, 4 * sizeof(*all));
	struct nw_amf *amf;

	all[0] = slices->a;
	all[1] = slices->b;
	all[2] = slices->c;
	if (more)
		all[3] = *more;
	amf = nw_amf_start(t, .slices = all, .slice_count = more ? 4 : 3);
	nw_iut_connects(t);
	return nw_node(amf, NODE_GNB);
}
