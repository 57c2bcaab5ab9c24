/*
 * TP/N1/REACH/10, X06 and X07: the timers run while there is no NAS signalling connection, and only
 * then.
 */
#include "runner/emulation/sbi_core_case.h"
#include "suites/n1_reachability/supervision.h"

#include <inttypes.h>

static bool went_idle(void *arg)
{
	const struct ue *ue = arg;

	return !ue_is_connected(ue);
}

/* An AMF may release a connection that nobody uses; the UE then comes back. */
static void stay_connected(struct tc *t, struct ue *ue, uint64_t until)
{
	static const uint64_t pause = US_PER_S;

	while (loop_now(t->loop) < until) {
		if (!tc_wait(t, until - loop_now(t->loop), went_idle, ue))
			return;
		tc_note(t, "the AMF released the connection; the UE establishes another one");
		tc_sleep(t, pause);
		judge_known(t, ue, NULL, "after the AMF's release of its connection");
	}
}

static void stopped_by_paging_response(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct supervision supervision = order_supervision(t);
	struct back_off back_off;

	ue_registered(ue);
	ue_can_be_paged(ue);
	begin_back_off(t, long_back_off(t->profile));
	back_off = back_off_by_reject(t, ue, 0);
	end_back_off(t);
	needs_back_off(t, &back_off, supervised_time(&supervision));
	ue_downlink(ue, "data");
	expect_paging(t, ue);
	ue_service_request(ue, SR_MOBILE_TERMINATED, .cause = RRC_MT_ACCESS);
	expect_nas(t, ue, .type = SERVICE_ACCEPT, .otherwise = OUTCOME_INCONC);
	stay_connected(t, ue, back_off.told + back_off.t3346 + supervised_time(&supervision));
	ue_idle(ue);
	judge_known(t, ue, NULL, "after it was CM-CONNECTED for longer than any supervision");
}

static void started_by_each_release(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct supervision supervision = order_supervision(t);
	uint64_t part = supervised_time(&supervision) / 10 * 6;

	ue_registered(ue);
	silent_until(t, loop_now(t->loop) + part);
	if (ask_whether_known(t, ue, NULL) != CONTEXT_KNOWN)
		tc_inconc(t, "the AMF does not know the UE any more when six tenths of its "
			     "supervision are over");
	ue_idle(ue);
	silent_until(t, loop_now(t->loop) + part);
	judge_known(t, ue, NULL,
		    "as long after its second release as it was known after the first (%" PRIu64
		    " s)",
		    part / US_PER_S);
}

static void implicit_timer_stopped(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct supervision supervision = order_supervision(t);
	uint64_t since;

	ue_registered(ue);
	since = loop_now(t->loop);
	silent_until(t, since + supervision.reachable + supervision.implicit / 2);
	if (ask_whether_known(t, ue, NULL) != CONTEXT_KNOWN)
		tc_inconc(t, "the AMF does not know the UE any more when half of the implicit "
			     "de-registration timer is over");
	stay_connected(t, ue, since + late_end(supervised_time(&supervision)));
	ue_idle(ue);
	judge_known(t, ue, NULL, "after it was CM-CONNECTED when the timer would have expired");
}

static uint64_t response_time(const struct profile *profile)
{
	struct supervision supervision = supervision_of(profile);

	return long_back_off(profile) + supervised_time(&supervision);
}

static uint64_t releases_time(const struct profile *profile)
{
	struct supervision supervision = supervision_of(profile);

	return supervised_time(&supervision) / 10 * 12;
}

static uint64_t implicit_time(const struct profile *profile)
{
	struct supervision supervision = supervision_of(profile);

	return late_end(supervised_time(&supervision));
}

#define REACH(number, row, ics)                                                    \
	.id = "TP/N1/REACH/" number, .role = ROLE_AMF, .requirement = "N1-A-" row, \
	.strength = SHALL, .clause = "24.501 5.3.7", .needs = (ics)

const struct test_case connection_cases[CONNECTION_CASES] = {
	{ REACH("10", "43", NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "A UE that answers paging is not supervised while it is connected",
	  .stimulus = "SERVICE REJECT with a long T3346; congestion off; PAGING answered; UE "
		      "CM-CONNECTED for T3346, mobile reachable and implicit de-registration timer",
	  .expect = "The UE is still registered", .iut_time = response_time,
	  .run = stopped_by_paging_response },
	{ REACH("X06", "43", 0), .purpose = "Each release starts the supervision anew",
	  .stimulus = "SERVICE REQUEST after six tenths of the supervision, and again six tenths "
		      "after the release that follows",
	  .expect = "SERVICE ACCEPT both times", .iut_time = releases_time,
	  .run = started_by_each_release },
	{ REACH("X07", "44", 0),
	  .purpose = "A NAS connection stops the implicit de-registration timer",
	  .stimulus = "SERVICE REQUEST when half of the implicit de-registration timer is over; UE "
		      "CM-CONNECTED past its end",
	  .expect = "The UE is still registered", .iut_time = implicit_time,
	  .run = implicit_timer_stopped },
};
