/*
 * TP/N1/REACH/08 and X08 to X10: two accesses, one T3346. What is told over one of them counts for
 * the supervision of the other.
 */
#include "suites/n1_reachability/supervision.h"

#include <inttypes.h>

/* The AMF adds 8 min to T3346; one is left for what cannot be measured (N1-A-42). */
static const uint64_t after_back_off = 7 * 60 * US_PER_S;

struct accesses {
	struct gnb *gnb, *n3iwf;
};

static struct accesses both_accesses(struct tc *t)
{
	return (struct accesses){ gnb_connect(t), gnb_connect(t, .kind = NODE_N3IWF) };
}

/* Short, and far below the back-offs of this suite. Whether the AMF takes them. */
static bool order_non_3gpp(struct tc *t, const struct supervision *supervision)
{
	if (tc_control_try(t,
			   "timers non-3gpp-deregistration=%" PRIu64 " non-3gpp-implicit=%" PRIu64,
			   supervision->t3512 / US_PER_S, supervision->reachable / US_PER_S))
		return true;
	tc_note(t, "the timers of non-3GPP access cannot be set");
	return false;
}

/*
 * Registered and CM-IDLE over non-3GPP access. Returns the UE's non-3GPP de-registration timer in
 * us; it is 54 min where the AMF says nothing (24.501 10.2).
 */
static uint64_t register_non_3gpp(struct tc *t, struct ue *ue, struct gnb *n3iwf)
{
	const struct nas_received *m;
	struct timer_ie timer;

	ue_register(ue, REG_INITIAL, .via = n3iwf);
	m = expect_nas(t, ue, .type = REGISTRATION_ACCEPT, .otherwise = OUTCOME_INCONC,
		       .why = "precondition: the UE is registered over non-3GPP access");
	timer = received_timer(m, NAS_IE_NON_3GPP_DEREGISTRATION_TIMER);
	ue_idle(ue, .via = n3iwf);
	if (timer.state == NAS_TIMER_ZERO || timer.state == NAS_TIMER_DEACTIVATED)
		tc_inconc(t, "the non-3GPP de-registration timer of the UE does not run");
	return timer.present ? timer.us : 54 * 60 * US_PER_S;
}

static void judge_non_3gpp(struct tc *t, struct ue *ue, struct gnb *n3iwf,
			   const struct back_off *back_off)
{
	silent_until(t, back_off->told + back_off->t3346 + after_back_off);
	judge_known(t, ue, n3iwf,
		    "over non-3GPP access, 7 min after the end of T3346 (%" PRIu64 " s),",
		    back_off->t3346 / US_PER_S);
}

static void reject_counts_for_non_3gpp(struct tc *t)
{
	struct accesses on = both_accesses(t);
	struct ue *ue = ue_new(on.gnb);
	struct supervision supervision = order_supervision(t);
	struct back_off back_off;
	uint64_t deregistration;

	order_non_3gpp(t, &supervision);
	ue_registered(ue);
	ue_also_behind(ue, on.n3iwf);
	deregistration = register_non_3gpp(t, ue, on.n3iwf);
	ue_move(ue, on.gnb);
	begin_back_off(t, long_back_off(t->profile));
	back_off = back_off_by_reject(t, ue, 0);
	end_back_off(t);
	needs_back_off(t, &back_off, deregistration);
	judge_non_3gpp(t, ue, on.n3iwf, &back_off);
}

static void deregistration_counts_for_non_3gpp(struct tc *t)
{
	struct accesses on = both_accesses(t);
	struct ue *ue = ue_new(on.gnb);
	struct supervision supervision = order_supervision(t);
	struct back_off back_off;
	uint64_t deregistration;

	order_non_3gpp(t, &supervision);
	ue_registered(ue);
	ue_also_behind(ue, on.n3iwf);
	deregistration = register_non_3gpp(t, ue, on.n3iwf);
	ue_move(ue, on.gnb);
	ue_connected(ue);
	back_off = back_off_by_deregistration(t, ue, on.gnb, long_back_off(t->profile));
	needs_back_off(t, &back_off, deregistration);
	judge_non_3gpp(t, ue, on.n3iwf, &back_off);
}

static void deregistration_counts_for_3gpp(struct tc *t)
{
	struct accesses on = both_accesses(t);
	struct ue *ue = ue_new(on.gnb);
	struct supervision supervision = order_supervision(t);
	struct back_off back_off;

	/* over 3GPP last, so that its supervision has just begun when the back-off does */
	ue_registered(ue);
	ue_also_behind(ue, on.n3iwf);
	ue_registered(ue, .via = on.n3iwf, .stay_connected = true);
	ue_move(ue, on.gnb);
	ue_connected(ue);
	ue_idle(ue);
	back_off = back_off_by_deregistration(t, ue, on.n3iwf, long_back_off(t->profile));
	needs_back_off(t, &back_off, supervised_time(&supervision));
	silent_until(t, back_off.told + back_off.t3346 / 15 * 14);
	judge_known(t, ue, NULL, "over 3GPP access, with %" PRIu64 " s of its T3346 left,",
		    back_off.t3346 / 15 / US_PER_S);
}

static void silence_over_non_3gpp(struct tc *t)
{
	struct gnb *n3iwf = gnb_connect(t, .kind = NODE_N3IWF);
	struct ue *ues[2] = { ue_new(n3iwf), ue_new(n3iwf) };
	struct ue *early = ue_new(n3iwf);
	struct supervision supervision = order_supervision(t);
	bool set = order_non_3gpp(t, &supervision);
	uint64_t since, early_since, deregistration;

	for (int i = 0; i < 2; i++)
		register_non_3gpp(t, ues[i], n3iwf);
	since = loop_now(t->loop);
	deregistration = register_non_3gpp(t, early, n3iwf);
	early_since = loop_now(t->loop);
	silent_until(t, early_since + deregistration);
	judge_known(t, early, NULL,
		    "at the expiry of its non-3GPP de-registration timer (%" PRIu64 " s)",
		    deregistration / US_PER_S);
	if (set)
		judge_removed(t, ues, NULL, since, supervision.reachable);
}

static uint64_t non_3gpp_time(const struct profile *profile)
{
	return long_back_off(profile) + after_back_off;
}

static uint64_t long_time(const struct profile *profile)
{
	return long_back_off(profile);
}

static uint64_t silence_time(const struct profile *profile)
{
	return late_end(supervision_of(profile).reachable) + 5 * US_PER_S;
}

#define REACH(number, row, ics)                                                    \
	.id = "TP/N1/REACH/" number, .role = ROLE_AMF, .requirement = "N1-A-" row, \
	.strength = SHALL, .clause = "24.501 5.3.7", .needs = NEEDS(ICS_NON_3GPP) | (ics)
#define CONGESTION NEEDS(ICS_NAS_CONGESTION)

const struct test_case access_cases[ACCESS_CASES] = {
	{ REACH("08", "42", CONGESTION),
	  .purpose = "A reject over 3GPP access counts for the registration over non-3GPP access",
	  .stimulus = "UE registered and CM-IDLE over both; SERVICE REJECT over 3GPP with a T3346 "
		      "above the non-3GPP de-registration timer; SERVICE REQUEST over non-3GPP "
		      "7 min after its end",
	  .expect = "SERVICE ACCEPT or cause 22, not cause 9 or 10", .iut_time = non_3gpp_time,
	  .run = reject_counts_for_non_3gpp },
	{ REACH("X08", "42", 0),
	  .purpose = "A de-registration from 3GPP access counts for that over non-3GPP access",
	  .stimulus = "UE registered over both; DEREGISTRATION REQUEST for 3GPP with a T3346 above "
		      "the non-3GPP de-registration timer; SERVICE REQUEST over non-3GPP 7 min "
		      "after its end",
	  .expect = "SERVICE ACCEPT or cause 22, not cause 9 or 10", .iut_time = non_3gpp_time,
	  .run = deregistration_counts_for_non_3gpp },
	{ REACH("X09", "40", 0),
	  .purpose = "A de-registration from non-3GPP access counts for that over 3GPP access",
	  .stimulus = "UE registered over both; DEREGISTRATION REQUEST for non-3GPP with a T3346 "
		      "above mobile reachable and implicit de-registration timer; SERVICE REQUEST "
		      "over 3GPP when 14 of 15 parts of it are over",
	  .expect = "SERVICE ACCEPT or cause 22, not cause 9 or 10", .iut_time = long_time,
	  .run = deregistration_counts_for_3gpp },
	{ REACH("X10", "42", 0),
	  .purpose = "A UE that is silent over non-3GPP access outlives its own timer there, and "
		     "not for ever",
	  .stimulus = "UE registered and CM-IDLE over non-3GPP; SERVICE REQUEST at the expiry of "
		      "its non-3GPP de-registration timer, of another one after the implicit timer "
		      "and a tenth",
	  .expect = "SERVICE ACCEPT, then SERVICE REJECT with cause 9 or 10 (later: a warning)",
	  .iut_time = silence_time, .run = silence_over_non_3gpp },
};
