/* TP/N4/UP/END and FREQ: how overload ends, who is told of it, and how often. */
#include "suites/n4_oci_up/told.h"

#define OVERLOAD NEEDS(ICS_OCI)
/* How long a case looks for what must not come any more. */
#define LONGEST (20 * US_PER_S)

/* --- the end --- */

/* Two CP functions where the profile has two: none may be left with the old metric. */
static struct smf *second_smf(struct told *told)
{
	return told->t->profile->n4_count > 1 ? smf_start(told->t) : NULL;
}

static void begin(struct told *told, bool by_load)
{
	if (by_load)
		tc_control(told->t, "load percent=150");
	else
		told_overload(told, "metric=50 validity=20");
}

static void end(struct told *told, bool by_load)
{
	if (by_load)
		tc_control(told->t, "load percent=20");
	else
		told_overload(told, "metric=0");
}

static void recovery(struct tc *t)
{
	bool by_load = t->test->param != 0;
	struct told *told = told_start(t);
	struct smf *second = second_smf(told);
	struct smf_session *session = second ? told_session(told, second) : NULL;
	const struct told_item *old;
	uint64_t validity, ended, until;
	size_t from;

	begin(told, by_load);
	old = told_oci(told, told->smf);
	if (second)
		old = told_oci(told, second);
	validity = told_validity(&old->information);
	if (old->information.metric == 0)
		tc_inconc(t, "the IUT has no overload, though it was asked for");
	end(told, by_load);
	from = told->oci_count;
	ended = loop_now(t->loop);
	/* Past the validity of what was told before, where that is not long. */
	if (validity > LONGEST)
		validity = LONGEST;
	until = ended + validity + 5 * US_PER_S;
	while (loop_now(t->loop) < until) {
		told_provoke(told, told->smf, IN_MODIFICATION);
		if (session)
			smf_modify(session);
		tc_sleep(t, US_PER_S / 2);
	}
	for (size_t i = from; i < told->oci_count; i++) {
		const struct told_item *item = &told->oci[i];

		if (item->information.metric != 0)
			told_violation(
				t, item->m,
				"overload has ended %" PRIu64 " ms ago, and the metric told is %u",
				(item->m->time - ended) / US_PER_MS, item->information.metric);
		if (!told_later(item->information.sequence_number,
				old->information.sequence_number))
			told_violation(t, item->m,
				       "metric 0 has sequence number %" PRIu32
				       ", and metric %u had %" PRIu32
				       ": a receiver takes it for an old one",
				       item->information.sequence_number, old->information.metric,
				       old->information.sequence_number);
	}
	tc_note(t, "%s",
		told->oci_count > from ? "the end is told with metric 0"
				       : "the end is left to the period of validity");
}

/* --- who is told --- */

static void all_peers(struct tc *t)
{
	struct told *told;
	const struct told_item *first, *second;
	struct smf *other;

	if (t->profile->n4_count < 2)
		tc_na(t, "tester.n4 has one address: two CP functions are needed");
	told = told_start(t);
	other = smf_start(t);
	told_overload(told, "metric=40 validity=60");
	first = told_oci(told, told->smf);
	second = told_oci(told, other);
	for (unsigned int metric = 60; metric <= 90; metric += 15) {
		told_overload(told, "metric=%u validity=60", metric);
		/* in turn: whoever asks first is told first */
		if (metric == 75) {
			first = told_new_oci(told, told->smf, first);
			second = told_other_oci(told, other, second);
		} else {
			second = told_new_oci(told, other, second);
			first = told_other_oci(told, told->smf, first);
		}
		if (!first || !second)
			tc_violation(t,
				     "%s is told of the new metric, and %s, which has traffic too, "
				     "still of the old one",
				     pfcp_end_name(smf_end(first ? told->smf : other)),
				     pfcp_end_name(smf_end(first ? other : told->smf)));
	}
}

static void late_peer(struct tc *t)
{
	struct told *told;

	if (t->profile->n4_count < 2)
		tc_na(t, "tester.n4 has one address: two CP functions are needed");
	told = told_start(t);
	told_overload(told, "metric=40 validity=600");
	told_oci(told, told->smf);
	told_oci(told, smf_start(t));
	/* And one whose association was set up anew: it has forgotten everything. */
	smf_associate(told->smf);
	told_oci(told, told->smf);
}

/* --- how often --- */

static void slow_ramp(struct tc *t)
{
	struct told *told = told_start(t);
	struct told_ramp ramp;

	for (unsigned int percent = 60; percent <= 150; percent++) {
		tc_control(t, "load percent=%u", percent);
		told_provoke(told, told->smf, IN_MODIFICATION);
		tc_sleep(t, TOLD_PACE);
	}
	ramp = told_ramp(told->oci, told->oci_count);
	tc_note(t, "%u changes of the metric, %u of them smaller than 3 points", ramp.changes,
		ramp.small);
	if (told_fidgets(&ramp))
		tc_violation(t,
			     "load rises by 1 point at a time: %u of %u changes of the metric are "
			     "smaller than 3 points",
			     ramp.small, ramp.changes);
}

/* What was told last; 0: nothing. */
static unsigned int metric_at(struct told *told, unsigned int percent)
{
	size_t from = told->oci_count;

	tc_control(told->t, "load percent=%u", percent);
	for (int i = 0; i < 5; i++) {
		told_provoke(told, told->smf, IN_MODIFICATION);
		tc_sleep(told->t, TOLD_PACE);
	}
	return told->oci_count > from ? told->oci[told->oci_count - 1].information.metric : 0;
}

static void staircase(struct tc *t)
{
	static const unsigned int steps[] = { 100, 150, 90, 140 };
	struct told *told = told_start(t);
	unsigned int before = metric_at(told, steps[0]), metric;

	for (size_t i = 1; i < sizeof(steps) / sizeof(*steps); i++, before = metric) {
		metric = metric_at(told, steps[i]);
		if (metric == before && told->oci_count)
			tc_violation(t, "load goes from %u %% to %u %%, and the metric stays at %u",
				     steps[i - 1], steps[i], metric);
	}
	if (!told->oci_count)
		tc_fail(t, "load is 150 %%, and no message has overload control information "
			   "(N4-U-14)");
}

const struct test_case told_inform_cases[INFORM_CASES] = {
	{ .id = "TP/N4/UP/END/01",
	  .requirement = "N4-U-12",
	  .clause = "29.244 6.2.4.3.2.3",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "After recovery nobody is told of overload any more",
	  .stimulus = "Overload of metric 50 for a validity of 20 s is taken back; traffic of two "
		      "CP functions",
	  .expect = "Metric 0 with a larger sequence number, or no overload control information",
	  .needs = OVERLOAD,
	  .iut_time_us = 26 * US_PER_S,
	  .run = recovery },
	{ .id = "TP/N4/UP/END/X01",
	  .requirement = "N4-U-12",
	  .clause = "29.244 6.2.4.3.2.3",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "The same where overload comes and goes with measured load",
	  .stimulus = "Load 150 %, then 20 %; traffic of two CP functions",
	  .expect = "Metric 0 with a larger sequence number, or no overload control information",
	  .needs = OVERLOAD,
	  .iut_time_us = 26 * US_PER_S,
	  .run = recovery,
	  .param = 1 },
	{ .id = "TP/N4/UP/FREQ/01",
	  .requirement = "N4-U-14",
	  .clause = "29.244 6.2.4.3.3",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "Each CP function that has traffic is told of overload and of its changes",
	  .stimulus = "Two CP functions with traffic; overload, which changes three times",
	  .expect = "Overload control information, and each change of it, at both",
	  .needs = OVERLOAD,
	  .iut_time_us = 4 * US_PER_S,
	  .run = all_peers },
	{ .id = "TP/N4/UP/FREQ/02",
	  .requirement = "N4-U-13",
	  .clause = "29.244 6.2.4.3.2.3",
	  .strength = SHOULD,
	  .role = ROLE_UP,
	  .purpose = "Small steps of the metric are not announced",
	  .stimulus = "Load from 60 % to 150 % by 1 point at a time",
	  .expect = "At most a fifth of the changes are smaller than 3 points",
	  .needs = OVERLOAD,
	  .iut_time_us = 30 * US_PER_S,
	  .run = slow_ramp },
	{ .id = "TP/N4/UP/FREQ/X01",
	  .requirement = "N4-U-18",
	  .clause = "29.244 6.2.4.4.2.1",
	  .strength = SHOULD,
	  .role = ROLE_UP,
	  .purpose = "The reduction that is asked for follows the load",
	  .stimulus = "Load 100 %, 150 %, 90 %, 140 %",
	  .expect = "Another metric each time",
	  .needs = OVERLOAD,
	  .iut_time_us = 7 * US_PER_S,
	  .run = staircase },
	{ .id = "TP/N4/UP/FREQ/X02",
	  .requirement = "N4-U-14",
	  .clause = "29.244 6.2.4.3.3",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "A CP function that associates during overload is told of it too",
	  .stimulus = "Overload; a second CP function associates, then the first one anew",
	  .expect = "Overload control information at each",
	  .needs = OVERLOAD,
	  .iut_time_us = 3 * US_PER_S,
	  .run = late_peer },
};
