/*
 * TP/N1/REACH/05 to 07, 09 and X05: what happens when nothing is heard of a UE, at the expiry
 * of the mobile reachable timer and of the implicit de-registration timer.
 */
#include "runner/emulation/sbi_core_case.h"
#include "suites/n1_reachability/supervision.h"

#include <inttypes.h>

static uint64_t told_t3512(const struct ue *ue, const struct supervision *supervision)
{
	uint64_t told = ue_t3512(ue);

	return told ? told : supervision->t3512;
}

static void paged_while_reachable(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct supervision supervision = order_supervision(t);
	uint64_t since;

	ue_registered(ue);
	ue_can_be_paged(ue);
	since = loop_now(t->loop);
	silent_until(t, since + supervision.reachable / 10 * 9);
	ue_downlink(ue, "data");
	expect_paging(t, ue, .silence = OUTCOME_VIOLATION,
		      .why = "the mobile reachable timer has not expired");
}

static void removed_after_silence(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *early = ue_new(gnb);
	struct ue *ues[2] = { ue_new(gnb), ue_new(gnb) };
	struct supervision supervision = order_supervision(t);
	uint64_t since, early_since;

	for (int i = 0; i < 2; i++)
		ue_registered(ues[i]);
	since = loop_now(t->loop);
	ue_registered(early);
	early_since = loop_now(t->loop);
	silent_until(t, early_since + told_t3512(early, &supervision));
	judge_known(t, early, NULL, "at the expiry of its T3512 (%" PRIu64 " s)",
		    told_t3512(early, &supervision) / US_PER_S);
	judge_removed(t, ues, NULL, since, supervised_time(&supervision));
}

/* The mobile reachable timer equals T3512: nothing follows it, and it does not end before. */
static void emergency_ends_at_t3512(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *silent = ue_new(gnb), *early = ue_new(gnb);
	struct supervision supervision = order_supervision(t);
	uint64_t since, early_since, t3512, tolerance;

	ue_registered(silent, .type = REG_EMERGENCY);
	since = loop_now(t->loop);
	ue_registered(early, .type = REG_EMERGENCY);
	early_since = loop_now(t->loop);
	t3512 = told_t3512(early, &supervision);
	tolerance = late_end(t3512) - t3512;
	silent_until(t, early_since + t3512 - tolerance);
	judge_known(t, early, NULL, "%" PRIu64 " s before its T3512 is over", tolerance / US_PER_S);

	silent_until(t, since + t3512 + t3512 / 2);
	if (ask_whether_known(t, silent, NULL) != CONTEXT_GONE)
		tc_violation(t,
			     "half of T3512 (%" PRIu64 " s) after its end a UE that was "
			     "registered for emergency services is still registered",
			     t3512 / US_PER_S);
}

/*
 * One 5G-S-TMSI that differs from an allotted one in a single bit, and one at random. It cannot be
 * known that nobody has them, but nobody whose keys these UEs use.
 */
static void unknown_identity(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ues[2] = { ue_new(gnb), ue_new(gnb) };
	struct nas_guti guti;

	for (int i = 0; i < 2; i++)
		ue_registered(ues[i]);
	begin_back_off(t, long_back_off(t->profile));
	back_off_by_reject(t, ues[0], 0);
	end_back_off(t);
	tc_sleep(t, t->profile->response_time); /* what the end of congestion may take */
	for (int i = 0; i < 2; i++) {
		struct nas_s_tmsi s_tmsi;

		if (!ue_guti(ues[i], &guti))
			tc_inconc(t, "the UE was registered without a 5G-GUTI");
		s_tmsi = guti.s_tmsi;
		s_tmsi.tmsi ^= i == 0 ? UINT32_C(1) << 31
				      : 1 + (uint32_t)random_below(&t->random, UINT32_MAX);
		ue_service_request(ues[i], SR_SIGNALLING, .s_tmsi = &s_tmsi);
		expect_nas(t, ues[i], .type = SERVICE_REJECT, .never = SERVICE_ACCEPT,
			   .never_cause = NAS_5GMM_CONGESTION,
			   .cause = NAS_5GMM_UE_IDENTITY_CANNOT_BE_DERIVED,
			   .why = "the UE's identity cannot be derived from a 5G-S-TMSI that was "
				  "never assigned");
	}
}

static void known_between_expiries(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct supervision supervision = order_supervision(t);
	uint64_t since;

	ue_registered(ue);
	ue_can_be_paged(ue);
	since = loop_now(t->loop);
	silent_until(t, since + supervision.reachable + supervision.implicit / 2);
	if (ask_whether_known(t, ue, NULL) != CONTEXT_KNOWN)
		tc_should(t, "N1-A-44",
			  "%" PRIu64 " s after its release, where the supervision takes %" PRIu64
			  " s, the AMF does not know the UE any more",
			  (loop_now(t->loop) - since) / US_PER_S,
			  supervised_time(&supervision) / US_PER_S);
}

static uint64_t paging_time(const struct profile *profile)
{
	return supervision_of(profile).reachable;
}

static uint64_t removal_time(const struct profile *profile)
{
	struct supervision supervision = supervision_of(profile);

	return late_end(supervised_time(&supervision)) + 5 * US_PER_S;
}

static uint64_t emergency_time(const struct profile *profile)
{
	return supervision_of(profile).t3512 / 2 * 3 + 5 * US_PER_S;
}

static uint64_t between_time(const struct profile *profile)
{
	struct supervision supervision = supervision_of(profile);

	return supervision.reachable + supervision.implicit / 2;
}

#define REACH(number, row, ics)                                                    \
	.id = "TP/N1/REACH/" number, .role = ROLE_AMF, .requirement = "N1-A-" row, \
	.strength = SHALL, .clause = "24.501 5.3.7", .needs = (ics)

const struct test_case expiry_cases[EXPIRY_CASES] = {
	{ REACH("05", "43", 0), .purpose = "A UE is paged until its mobile reachable timer expires",
	  .stimulus = "UE CM-IDLE; downlink data when nine tenths of the mobile reachable timer "
		      "are over",
	  .expect = "PAGING", .iut_time = paging_time, .run = paged_while_reachable },
	{ REACH("06", "44", 0),
	  .purpose = "A silent UE is implicitly de-registered, and not before its T3512",
	  .stimulus = "UE CM-IDLE and silent for mobile reachable and implicit de-registration "
		      "timer and a tenth; another one comes when its T3512 expires",
	  .expect = "SERVICE REJECT with cause 9 or 10 (later: a warning, never: a violation); the "
		    "other UE is known",
	  .iut_time = removal_time, .run = removed_after_silence },
	{ REACH("07", "45", NEEDS(ICS_EMERGENCY)),
	  .purpose = "A silent UE that is registered for emergency is de-registered after T3512",
	  .stimulus = "UE registered for emergency services, CM-IDLE and silent for T3512 and a "
		      "half; another one comes just before its T3512 expires",
	  .expect = "SERVICE REJECT with cause 9 or 10; the other UE is known",
	  .iut_time = emergency_time, .run = emergency_ends_at_t3512 },
	{ REACH("09", "44", NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "After congestion a UE that nobody knows is not sent into back-off",
	  .stimulus = "Congestion on, then off: SERVICE REQUEST with a 5G-S-TMSI that was never "
		      "assigned",
	  .expect = "SERVICE REJECT with cause 9", .iut_time_us = 7 * US_PER_S,
	  .run = unknown_identity },
	{ REACH("X05", "44", 0),
	  .purpose = "Expiry of the mobile reachable timer alone de-registers nobody",
	  .stimulus = "UE CM-IDLE; SERVICE REQUEST when half of the implicit de-registration timer "
		      "is over",
	  .expect = "SERVICE ACCEPT (else a warning)", .iut_time = between_time,
	  .run = known_between_expiries },
};
