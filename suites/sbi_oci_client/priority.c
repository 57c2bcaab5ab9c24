/* TP/SBI/CLI/PRIO: which requests are sent first (TS 29.500 6.4.2.1, 6.8). */
#include <inttypes.h>

#include "suites/sbi_oci_client/client.h"

enum { WARM_UP = 1000, COUNTED = 2000, RATE = 200, SOME = 20 };

struct two_classes {
	uint64_t normal, normal_failed;
	uint64_t priority, priority_failed;
	struct sbi_count count;
};

/* So many operations, of which one in five has this priority. */
static struct two_classes offer_two_classes(struct tc *t, const char *priority, unsigned int count)
{
	unsigned int some = count / 5, rate = RATE / 5;
	struct two_classes of = { .count = sbi_count_start(t) };
	struct control_action *first, *second;

	first = tc_control_start(t, "operations priority=normal count=%u rate=%u", count - some,
				 RATE - rate);
	second = tc_control_start(t, "operations priority=%s count=%u rate=%u", priority, some,
				  rate);
	tc_control_finish(t, first);
	of.normal = cli_figure(t, "offered");
	of.normal_failed = cli_figure(t, "failed");
	tc_control_finish(t, second);
	of.priority = cli_figure(t, "offered");
	of.priority_failed = cli_figure(t, "failed");
	tc_sleep(t, US_PER_S);
	sbi_count_stop(&of.count);
	return of;
}

static void judge_classes(struct tc *t, const char *priority, const struct two_classes *of)
{
	tc_note(t,
		"of %" PRIu64 " normal operations %" PRIu64 " fail, of %" PRIu64
		" %s ones %" PRIu64,
		of->normal, of->normal_failed, of->priority, priority, of->priority_failed);
	if (of->normal_failed == 0)
		tc_fail(t, "nothing is held back (SB-C-01)");
	if (of->priority_failed && of->normal_failed < of->normal)
		tc_violation(
			t, "%" PRIu64 " %s operations fail while %" PRIu64 " normal ones are sent",
			of->priority_failed, priority, of->normal - of->normal_failed);
}

static void priority_is_spared(struct tc *t, const char *priority)
{
	struct sbi_peer *producer = cli_producer(t);
	struct two_classes of;
	uint64_t sent;

	sbi_oci(producer, .metric = 50, .validity = CLI_LONG);
	cli_tell(producer);
	/* the IUT gets to know how many of which there are */
	offer_two_classes(t, priority, WARM_UP);
	of = offer_two_classes(t, priority, COUNTED);
	sent = sbi_counted(&of.count, .at = producer);
	if (sent + of.normal_failed + of.priority_failed != of.normal + of.priority)
		tc_error(t,
			 "the control adapter's figures do not fit: %" PRIu64
			 " operations, %" PRIu64 " failed, %" PRIu64 " requests came",
			 of.normal + of.priority, of.normal_failed + of.priority_failed, sent);
	judge_classes(t, priority, &of);
	if (sent * 2 > of.normal + of.priority)
		cli_judge(t, 0.5, "all classes together", of.normal + of.priority, sent);
}

static void emergency_is_spared(struct tc *t)
{
	priority_is_spared(t, "emergency");
}

static void mps_is_spared(struct tc *t)
{
	priority_is_spared(t, "mps");
}

/*
 * What a producer refuses can hit anybody; what the IUT holds back by itself is what it decides. Of
 * the first it is known how much: what fails beyond it was held back.
 */
static void priority_goes_first_after_503(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	const struct sbi_rule half = { .method = "POST",
				       .status = 503,
				       .cause = "NF_CONGESTION",
				       .share = 0.5,
				       /* emergency requests are served: no other can be refused */
				       .above = 20 };
	struct two_classes of;

	uint64_t refused, held_back;

	sbi_server_rule(sbi_peer_server(producer), &half);
	offer_two_classes(t, "emergency", WARM_UP);
	of = offer_two_classes(t, "emergency", COUNTED);
	refused = sbi_counted(&of.count, .status = 503);
	held_back = of.normal_failed > refused ? of.normal_failed - refused : 0;
	tc_note(t,
		"of %" PRIu64 " normal operations %" PRIu64 " are refused with 503 and %" PRIu64
		" held back, of %" PRIu64 " emergency ones %" PRIu64,
		of.normal, refused, held_back, of.priority, of.priority_failed);
	if (!held_back)
		tc_inconc(t, "nothing is held back after 503");
	/* both alike: priority has no say */
	if (of.priority_failed && (double)of.priority_failed / (double)of.priority + 0.05 >=
					  (double)held_back / (double)of.normal)
		tc_violation(t,
			     "of %" PRIu64 " emergency operations %" PRIu64
			     " are held back, of %" PRIu64 " normal ones %" PRIu64,
			     of.priority, of.priority_failed, of.normal, held_back);
}

/* The one value that all requests of an action have; the case ends where it is none. */
static int value_of(struct tc *t, const char *priority)
{
	struct sbi_offered o =
		sbi_offer_all_sent(t, "count=%d rate=50 priority=%s", SOME, priority);
	int value = -1;

	if (sbi_counted(&o.count, .no_priority = true))
		tc_violation(t,
			     "%" PRIu64 " of %" PRIu64
			     " %s requests have no 3gpp-Sbi-Message-Priority, or one above 31",
			     sbi_counted(&o.count, .no_priority = true), o.sent, priority);
	for (int i = 0; i <= SBI_PRIORITY_MAX; i++)
		if (sbi_counted(&o.count, .priority = SBI_VALUE(i)) == o.sent)
			value = i;
	if (value < 0)
		tc_violation(t, "%s requests differ in their priority", priority);
	tc_note(t, "%s: %d", priority, value);
	return value;
}

static void emergency_before_normal(struct tc *t)
{
	int normal, emergency;

	cli_producer(t);
	normal = value_of(t, "normal");
	emergency = value_of(t, "emergency");
	if (emergency >= normal)
		tc_violation(
			t, "emergency requests have priority %d, normal ones %d: 0 is the highest",
			emergency, normal);
}

static void mps_before_emergency(struct tc *t)
{
	int mps, emergency;

	cli_producer(t);
	mps = value_of(t, "mps");
	emergency = value_of(t, "emergency");
	if (mps > emergency)
		tc_violation(t,
			     "MPS requests have priority %d, emergency ones %d: 0 is the highest",
			     mps, emergency);
}

#define PRIO(number, requires, where, verb, need)                                                 \
	.id = "TP/SBI/CLI/PRIO/" number, .role = ROLE_NF_CLIENT, .strength = verb, .needs = need, \
	.requirement = requires, .clause = "29.500 " where

const struct test_case cli_priority_cases[CLI_PRIORITY_CASES] = {
	{ PRIO("01", "SB-C-18", "6.4.2.1", SHALL, NEEDS(ICS_OLC_H) | NEEDS(ICS_EMERGENCY)),
	  .purpose = "Emergency requests are throttled last",
	  .stimulus = "Metric 50, one operation in five for an emergency; 1,000, then 2,000",
	  .expect = "No emergency one shed; half of all sent", .iut_time_us = 20 * US_PER_S,
	  .run = emergency_is_spared },
	{ PRIO("02", "SB-C-22", "6.8.4, 6.8.5", SHALL, NEEDS(ICS_EMERGENCY)),
	  .purpose = "Requests carry their priority, emergency a higher one than others",
	  .stimulus = "Normal and emergency operations",
	  .expect = "3gpp-Sbi-Message-Priority 0 to 31, emergency below normal",
	  .iut_time_us = 5 * US_PER_S, .run = emergency_before_normal },
	{ PRIO("X01", "SB-C-18", "6.4.2.1", SHALL, NEEDS(ICS_OLC_H) | NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "MPS requests are throttled last",
	  .stimulus = "Metric 50, one operation in five with MPS; 1,000, then 2,000",
	  .expect = "No MPS one shed; half of all sent", .iut_time_us = 20 * US_PER_S,
	  .run = mps_is_spared },
	{ PRIO("X02", "SB-C-17", "6.4.2.1", SHALL, NEEDS(ICS_EMERGENCY)),
	  .purpose = "After 503 too, priority says what is held back",
	  .stimulus = "Half of all normal requests refused with 503, one in five for an emergency",
	  .expect = "No emergency one held back while normal ones are sent",
	  .iut_time_us = 20 * US_PER_S, .run = priority_goes_first_after_503 },
	{ PRIO("X03", "SB-C-22", "6.8.4", SHOULD, NEEDS(ICS_EMERGENCY) | NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "MPS requests have a higher priority than emergency ones",
	  .stimulus = "MPS and emergency operations", .expect = "MPS not above emergency",
	  .iut_time_us = 5 * US_PER_S, .run = mps_before_emergency },
};
