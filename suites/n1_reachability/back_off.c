/*
 * TP/N1/REACH/01 to 04 and X01 to X04: an AMF that sends a UE away with T3346 does not take its
 * silence for absence, and forgets about the back-off when the UE is back.
 */
#include "suites/n1_reachability/supervision.h"

#include <inttypes.h>

/* 14 minutes of 15, as the purposes have it. */
static uint64_t near_end(const struct back_off *back_off)
{
	return back_off->told + back_off->t3346 / 15 * 14;
}

static void outlasts_long_back_off(struct tc *t)
{
	enum reg_type type = (enum reg_type)t->test->param;
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct supervision supervision = order_supervision(t);
	struct back_off back_off;

	ue_registered(ue);
	if (type == REG_PERIODIC)
		tc_timer(t, ue_name(ue), "T3512", supervision.t3512);
	begin_back_off(t, long_back_off(t->profile));
	back_off = back_off_by_reject(t, ue, type);
	end_back_off(t);
	needs_back_off(t, &back_off, supervised_time(&supervision));
	silent_until(t, near_end(&back_off));
	judge_known(t, ue, NULL, "with %" PRIu64 " s of its T3346 left",
		    back_off.t3346 / 15 / US_PER_S);
}

static void back_to_default(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ues[2] = { ue_new(gnb), ue_new(gnb) };
	struct supervision supervision = order_supervision(t);

	for (int i = 0; i < 2; i++)
		ue_registered(ues[i]);
	begin_back_off(t, long_back_off(t->profile));
	for (int i = 0; i < 2; i++) {
		struct back_off back_off = back_off_by_reject(t, ues[i], 0);

		needs_back_off(t, &back_off, supervised_time(&supervision));
	}
	end_back_off(t);
	for (int i = 0; i < 2; i++)
		served_again(t, ues[i]);
	judge_removed(t, ues, NULL, loop_now(t->loop), supervised_time(&supervision));
}

/* Below T3512, not below what the AMF can be configured to. */
static uint64_t short_back_off(const struct tc *t, const struct supervision *supervision)
{
	uint64_t half = supervision->t3512 / 2;
	uint64_t least = t->profile->t3346_min;

	return half > least ? half : least;
}

static void short_back_off_changes_nothing(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ues[2] = { ue_new(gnb), ue_new(gnb) };
	struct supervision supervision = order_supervision(t);

	for (int i = 0; i < 2; i++)
		ue_registered(ues[i]);
	begin_back_off(t, short_back_off(t, &supervision));
	for (int i = 0; i < 2; i++) {
		struct back_off back_off = back_off_by_reject(t, ues[i], 0);

		if (back_off.t3346 >= supervision.t3512)
			tc_inconc(t, "T3346 is %" PRIu64 " s, not below a T3512 of %" PRIu64 " s",
				  back_off.t3346 / US_PER_S, supervision.t3512 / US_PER_S);
	}
	end_back_off(t);
	judge_removed(t, ues, NULL, loop_now(t->loop), supervised_time(&supervision));
}

static struct back_off least_exceeding(struct tc *t, struct ue *ue)
{
	struct supervision supervision = order_supervision(t);
	struct back_off back_off;

	ue_registered(ue);
	begin_back_off(t, least_back_off(t->profile));
	back_off = back_off_by_reject(t, ue, 0);
	end_back_off(t);
	needs_back_off(t, &back_off, supervised_time(&supervision));
	return back_off;
}

/*
 * Counted from the request: whatever the AMF's answer and its release took, its timers cannot have
 * started before.
 */
static void outlasts_least_back_off(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct back_off back_off = least_exceeding(t, ue);

	silent_until(t, back_off.asked + back_off.t3346 - US_PER_S);
	judge_known(t, ue, NULL, "one second before the end of its T3346");
}

static void exceeds_back_off(struct tc *t)
{
	static const uint64_t reaction = US_PER_S / 10; /* of a UE that waits for the expiry */
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct back_off back_off = least_exceeding(t, ue);

	silent_until(t, back_off.told + back_off.t3346 + reaction);
	judge_known(t, ue, NULL, "at the expiry of its T3346");
}

static void outlasts_second_back_off(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct supervision supervision = order_supervision(t);
	struct back_off back_off;

	ue_registered(ue);
	begin_back_off(t, 2 * supervision.t3512);
	back_off = back_off_by_reject(t, ue, 0);
	silent_until(t, back_off.told + back_off.t3346);
	begin_back_off(t, long_back_off(t->profile));
	back_off = back_off_by_reject(t, ue, 0);
	end_back_off(t);
	needs_back_off(t, &back_off, supervised_time(&supervision));
	silent_until(t, near_end(&back_off));
	judge_known(t, ue, NULL, "with %" PRIu64 " s of its second T3346 left",
		    back_off.t3346 / 15 / US_PER_S);
}

static uint64_t long_time(const struct profile *profile)
{
	return long_back_off(profile);
}

static uint64_t least_time(const struct profile *profile)
{
	return least_back_off(profile);
}

static uint64_t periodic_time(const struct profile *profile)
{
	return supervision_of(profile).t3512 + long_back_off(profile);
}

static uint64_t second_time(const struct profile *profile)
{
	return 2 * supervision_of(profile).t3512 + long_back_off(profile);
}

static uint64_t removal_time(const struct profile *profile)
{
	struct supervision supervision = supervision_of(profile);

	return late_end(supervised_time(&supervision)) + 5 * US_PER_S;
}

#define REACH(number, row, ...)                                                    \
	.id = "TP/N1/REACH/" number, .role = ROLE_AMF, .requirement = "N1-A-" row, \
	.clause = "24.501 5.3.7", .needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__
#define LONG_BACK_OFF                                                                        \
	"T3346 longer by half than mobile reachable and implicit de-registration timer; UE " \
	"silent; "

const struct test_case back_off_cases[BACK_OFF_CASES] = {
	{ REACH("01", "40", .strength = SHALL),
	  .purpose = "A UE whose service request was rejected stays registered during its T3346",
	  .stimulus = "SERVICE REJECT with cause 22 and a " LONG_BACK_OFF
		      "SERVICE REQUEST when 14 of 15 parts of T3346 are over",
	  .expect = "SERVICE ACCEPT or cause 22, not cause 9 or 10", .iut_time = long_time,
	  .run = outlasts_long_back_off },
	{ REACH("02", "40", .strength = SHALL),
	  .purpose = "A UE whose mobility update was rejected stays registered during its T3346",
	  .stimulus = "REGISTRATION REJECT of a mobility update with cause 22 and a " LONG_BACK_OFF
		      "SERVICE REQUEST when 14 of 15 parts of T3346 are over",
	  .expect = "SERVICE ACCEPT or cause 22, not cause 9 or 10", .iut_time = long_time,
	  .run = outlasts_long_back_off, .param = REG_MOBILITY },
	{ REACH("03", "40", .strength = SHALL),
	  .purpose = "The supervision that a back-off stretched ends with it",
	  .stimulus = "SERVICE REJECT with a long T3346; congestion off; SERVICE REQUEST accepted "
		      "and released; silence for the default supervision and a tenth",
	  .expect = "SERVICE REJECT with cause 9 or 10 (later: a warning)",
	  .iut_time = removal_time, .run = back_to_default },
	{ REACH("04", "44", .strength = SHALL),
	  .purpose = "A T3346 below T3512 leaves the supervision as it is",
	  .stimulus = "SERVICE REJECT with cause 22 and a T3346 below T3512; silence for the "
		      "default supervision and a tenth",
	  .expect = "SERVICE REJECT with cause 9 or 10 (later: a warning, never: a violation)",
	  .iut_time = removal_time, .run = short_back_off_changes_nothing },
	{ REACH("X01", "40", .strength = SHALL),
	  .purpose = "A UE whose periodic update was rejected stays registered during its T3346",
	  .stimulus = "REGISTRATION REJECT of a periodic update with cause 22 and a " LONG_BACK_OFF
		      "SERVICE REQUEST when 14 of 15 parts of T3346 are over",
	  .expect = "SERVICE ACCEPT or cause 22, not cause 9 or 10", .iut_time = periodic_time,
	  .run = outlasts_long_back_off, .param = REG_PERIODIC },
	{ REACH("X02", "40", .strength = SHALL),
	  .purpose = "A T3346 that barely exceeds the supervision is outlasted to its end",
	  .stimulus = "SERVICE REJECT with the shortest T3346 above mobile reachable and implicit "
		      "de-registration timer; SERVICE REQUEST one second before it ends",
	  .expect = "SERVICE ACCEPT or cause 22, not cause 9 or 10", .iut_time = least_time,
	  .run = outlasts_least_back_off },
	{ REACH("X03", "40", .strength = SHOULD),
	  .purpose = "The supervision exceeds T3346: a UE that comes at its expiry is known",
	  .stimulus = "SERVICE REJECT with the shortest T3346 above mobile reachable and implicit "
		      "de-registration timer; SERVICE REQUEST at its expiry",
	  .expect = "SERVICE ACCEPT or cause 22, not cause 9 or 10", .iut_time = least_time,
	  .run = exceeds_back_off },
	{ REACH("X04", "40", .strength = SHALL),
	  .purpose = "A second back-off is outlasted as the first one",
	  .stimulus = "SERVICE REJECT with a T3346 of twice T3512; at its expiry another one with "
		      "a " LONG_BACK_OFF "SERVICE REQUEST when 14 of 15 parts of it are over",
	  .expect = "SERVICE ACCEPT or cause 22, not cause 9 or 10", .iut_time = second_time,
	  .run = outlasts_second_back_off },
};
