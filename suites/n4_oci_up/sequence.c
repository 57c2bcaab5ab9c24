/* TP/N4/UP/SEQ: the sequence number of overload control information follows its content. */
#include "suites/n4_oci_up/told.h"

#define OVERLOAD NEEDS(ICS_OCI)
/* A prolongation may well come after a tenth of the period of validity. */
#define PROLONGS_AFTER(validity) ((validity) / 10)

/*
 * Of two that follow each other at one CP function and are about the same: a change needs a larger
 * number; without one the number stays, but for prolongations, of which as many are possible as fit
 * between the two.
 */
static void judge(struct tc *t, const struct told_item *before, const struct told_item *item)
{
	const struct pfcp_information *a = &before->information, *b = &item->information;
	char buf[160];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	told_print(&text, a);
	text_puts(&text, ", then ");
	told_print(&text, b);
	if (!told_same(a, b) && b->sequence_number == a->sequence_number)
		told_violation(t, item->m,
			       "the content has changed, and the sequence number has "
			       "not: %s",
			       buf);
	if (b->sequence_number != a->sequence_number &&
	    !told_later(b->sequence_number, a->sequence_number))
		told_violation(t, item->m, "the sequence number is smaller than the one before: %s",
			       buf);
}

static void judge_all(struct tc *t, const struct told *told)
{
	for (size_t i = 0; i < told->oci_count; i++) {
		const struct told_item *item = &told->oci[i];

		if (!item->information.has_sequence_number)
			told_violation(t, item->m,
				       "overload control information without sequence number");
		for (size_t k = i; k > 0; k--) {
			const struct told_item *before = &told->oci[k - 1];

			if (before->m->end != item->m->end ||
			    told_for_node(&before->information) !=
				    told_for_node(&item->information))
				continue;
			judge(t, before, item);
			break;
		}
	}
}

/* Numbers that are new although nothing else is, and how many prolongations account for. */
static void judge_constant(struct tc *t, const struct told *told, size_t from)
{
	uint64_t began = 0, validity = 0, allowed;
	unsigned int renewed = 0;

	for (size_t i = from; i < told->oci_count; i++) {
		const struct told_item *item = &told->oci[i];

		if (i == from) {
			began = item->m->time;
			validity = told_validity(&item->information);
			continue;
		}
		if (!told_same(&told->oci[i - 1].information, &item->information)) {
			tc_note(t, "the IUT changes the content by itself");
			return;
		}
		renewed += item->information.sequence_number !=
			   told->oci[i - 1].information.sequence_number;
		if (validity == LOOP_NEVER || validity == 0)
			allowed = 0;
		else
			allowed = 1 + (item->m->time - began) / PROLONGS_AFTER(validity);
		if (renewed > allowed)
			told_violation(t, item->m,
				       "%u new sequence numbers within %" PRIu64
				       " ms, and the content is the same: prolongations account "
				       "for %" PRIu64,
				       renewed, (item->m->time - began) / US_PER_MS, allowed);
	}
}

static void constant(struct tc *t)
{
	struct told *told = told_start(t);
	const struct told_item *first;
	size_t from;

	told_overload(told, "metric=40 validity=600");
	first = told_oci(told, told->smf);
	from = (size_t)(first - told->oci);
	for (unsigned int i = 0; i < 50; i++) {
		told_provoke(told, told->smf, (enum told_place)(i % 3));
		if (i % 10 == 9)
			told_provoke(told, told->smf, IN_REPORT);
		tc_sleep(t, US_PER_S / 10);
	}
	judge_constant(t, told, from);
	judge_all(t, told);
	tc_note(t, "%zu messages with overload control information", told->oci_count - from);
}

/* Each step has to be seen, with a larger number. */
static void steps(struct tc *t, struct told *told, const unsigned int (*step)[2], size_t count)
{
	const struct told_item *before = NULL;

	for (size_t i = 0; i < count; i++) {
		told_overload(told, "metric=%u validity=%u", step[i][0], step[i][1]);
		before = before ? told_new_oci(told, told->smf, before) : told_oci(told, told->smf);
	}
	judge_all(t, told);
}

static void metric_changes(struct tc *t)
{
	static const unsigned int step[][2] = { { 20, 60 }, { 40, 60 }, { 25, 60 }, { 100, 60 } };

	steps(t, told_start(t), step, sizeof(step) / sizeof(*step));
}

static void validity_changes(struct tc *t)
{
	static const unsigned int step[][2] = { { 30, 60 }, { 30, 120 }, { 30, 20 }, { 30, 600 } };

	steps(t, told_start(t), step, sizeof(step) / sizeof(*step));
}

/* --- prolonging --- */

/*
 * Since the last new number its period of validity has run out, and traffic was there. A receiver
 * starts the period when it receives the number for the first time.
 */
static void prolonged(struct tc *t)
{
	enum { VALIDITY = 20, LASTS = 50 };
	struct told *told = told_start(t);
	const struct told_item *newest;
	uint64_t end, until;

	told_overload(told, "metric=50 validity=%d", VALIDITY);
	newest = told_oci(told, told->smf);
	end = newest->m->time + LASTS * US_PER_S;
	while (loop_now(t->loop) < end) {
		const struct told_item *last;

		told_provoke(told, told->smf, IN_MODIFICATION);
		last = &told->oci[told->oci_count - 1];
		if (last->information.sequence_number != newest->information.sequence_number)
			newest = last;
		until = told_validity(&newest->information);
		if (until == LOOP_NEVER)
			break;
		/* One message more, since that at the very end may be the one. */
		if (loop_now(t->loop) > newest->m->time + until + US_PER_S)
			tc_violation(t,
				     "%s: overload goes on, and its validity of %" PRIu64
				     " s has run out with sequence number %" PRIu32
				     " although there is traffic: no new number prolongs it",
				     pfcp_end_name(newest->m->end), until / US_PER_S,
				     newest->information.sequence_number);
		tc_sleep(t, US_PER_S / 2);
	}
	judge_all(t, told);
}

/* --- the end of the range, and its middle --- */

static void passes(struct tc *t)
{
	bool wraps = t->test->param != 0;
	uint32_t start = wraps ? UINT32_MAX : UINT32_C(0x7fffffff);
	struct told *told = told_start(t);
	const struct told_item *item, *before = NULL;
	uint32_t number;

	told_overload(told, "metric=20 validity=60 sequence=%" PRIu32, start);
	for (unsigned int i = 0; i < 4; i++) {
		if (i)
			told_overload(told, "metric=%u validity=60", 20 + 15 * i);
		item = i ? told_new_oci(told, told->smf, before) : told_oci(told, told->smf);
		number = item->information.sequence_number;
		if (i == 0 && number != start)
			tc_inconc(t, "the sequence number was set to %" PRIu32 ", and is %" PRIu32,
				  start, number);
		if (before && number == before->information.sequence_number)
			told_violation(t, item->m,
				       "the content has changed, and the sequence number stays at "
				       "%" PRIu32,
				       number);
		if (before && !told_later(number, before->information.sequence_number))
			told_violation(t, item->m,
				       "%" PRIu32 " follows %" PRIu32 ": that is no increment",
				       number, before->information.sequence_number);
		before = item;
	}
}

const struct test_case told_sequence_cases[SEQUENCE_CASES] = {
	{ .id = "TP/N4/UP/SEQ/01",
	  .requirement = "N4-U-07",
	  .clause = "29.244 6.2.4.3.2.1",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "While nothing changes, the sequence number stays",
	  .stimulus = "Constant overload with a validity of 600 s, 50 messages within seconds",
	  .expect = "Equal sequence numbers, but for prolongations",
	  .needs = OVERLOAD,
	  .iut_time_us = 8 * US_PER_S,
	  .run = constant },
	{ .id = "TP/N4/UP/SEQ/02",
	  .requirement = "N4-U-07",
	  .clause = "29.244 6.2.4.3.2.1",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "Another metric has a larger sequence number",
	  .stimulus = "Metric 20, 40, 25, 100",
	  .expect = "Sequence number larger each time",
	  .needs = OVERLOAD,
	  .iut_time_us = 2 * US_PER_S,
	  .run = metric_changes },
	{ .id = "TP/N4/UP/SEQ/03",
	  .requirement = "N4-U-07",
	  .clause = "29.244 6.2.4.3.2.1",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "Another period of validity has a larger sequence number",
	  .stimulus = "Metric 30; validity 60 s, 120 s, 20 s, 600 s",
	  .expect = "Sequence number larger each time",
	  .needs = OVERLOAD,
	  .iut_time_us = 2 * US_PER_S,
	  .run = validity_changes },
	{ .id = "TP/N4/UP/SEQ/04",
	  .requirement = "N4-U-08",
	  .clause = "29.244 6.2.4.3.2.1 note 1",
	  .strength = SHOULD,
	  .role = ROLE_UP,
	  .purpose = "Overload that outlasts its validity is told anew with a larger sequence "
		     "number",
	  .stimulus = "Metric 50, validity 20 s, for 50 s; two requests a second",
	  .expect = "A larger sequence number before each expiry",
	  .needs = OVERLOAD,
	  .iut_time_us = 52 * US_PER_S,
	  .run = prolonged },
	{ .id = "TP/N4/UP/SEQ/05",
	  .requirement = "N4-U-07",
	  .clause = "29.244 6.2.4.3.2.1",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "After the last sequence number a base value follows, and changes go on. The "
		     "standard does not name that value: any is taken",
	  .stimulus = "Sequence number FFFFFFFF, then three changes of the metric",
	  .expect = "Another sequence number each time",
	  .needs = OVERLOAD,
	  .iut_time_us = 2 * US_PER_S,
	  .run = passes,
	  .param = 1 },
	{ .id = "TP/N4/UP/SEQ/X01",
	  .requirement = "N4-U-07",
	  .clause = "29.244 6.2.4.3.2.1, 8.2.33",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "The sequence number is unsigned: it goes on past 7FFFFFFF",
	  .stimulus = "Sequence number 7FFFFFFF, then three changes of the metric",
	  .expect = "A larger sequence number each time",
	  .needs = OVERLOAD,
	  .iut_time_us = 2 * US_PER_S,
	  .run = passes },
};
