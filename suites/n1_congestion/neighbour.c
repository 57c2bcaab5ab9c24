/* TP/N1/AMF/SNPN, GAP, CIOT: neighbours of general congestion control that use the same causes. */
#include <inttypes.h>

#include "suites/n1_congestion/congestion.h"

static void localized_services(struct tc *t)
{
	struct gnb *gnb;
	struct ue *ue;
	const struct nas_received *reject;
	int cause;
	bool t3346;

	if (!t->profile->has_nid)
		tc_na(t, "the profile names no nid: there is no SNPN to register in");
	tc_control(t, "snpn state=on nid=%011" PRIx64 " localized=yes", t->profile->nid);
	gnb = gnb_connect(t, .snpn = true);
	ue = ue_new(gnb);
	order_congestion(t);
	reject = rejected_registration(t, ue, REG_INITIAL);
	cause = received_cause(reject);
	t3346 = received_t3346(reject).present;
	tc_note(t, "rejected with cause %d, %s T3346", cause, t3346 ? "with" : "without");
	if (cause == NAS_5GMM_CONGESTION)
		congestion_reject(t, reject);
	else if (cause < 0)
		tc_violation(t, "REGISTRATION REJECT has no 5GMM cause");
	else if (t3346)
		tc_violation(t,
			     "cause %d comes with T3346 (IEI 5F), which keeps the UE from "
			     "another SNPN",
			     cause);
}

/* Between these two instants the AMF took the UE for CM-IDLE and started T3447. */
struct start {
	uint64_t earliest, latest;
};

static struct start leave(struct tc *t, struct ue *ue)
{
	struct start start = { .earliest = loop_now(t->loop) };

	ue_idle(ue);
	start.latest = loop_now(t->loop);
	return start;
}

/* The step of the unit in which the value is coded, in us. */
static int64_t coding_step(const struct timer_ie *timer)
{
	static const int64_t steps[] = { 2, 60, 360 };

	return (timer->unit < 3 ? steps[timer->unit] : 60) * (int64_t)US_PER_S;
}

static void service_gap(struct tc *t)
{
	/* In units of 2 s on both ends, and no whole minute: full and remaining time differ. */
	enum { GAP = 50, WAIT = 20 };
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	const struct nas_received *answer;
	struct timer_ie t3346;
	struct start start;
	int64_t most, least;
	uint64_t sent;

	tc_control(t, "service-gap supi=%s t3447=%d", ue_supi(ue), GAP);
	ue_registered(ue, .stay_connected = true);
	start = leave(t, ue);
	/* Where the gap begins with the registration, this request lies inside it already. */
	ue_service_request(ue, SR_DATA);
	answer = expect_nas(t, ue, .type = ONE_OF(SERVICE_ACCEPT, SERVICE_REJECT));
	if (received_type(answer) == SERVICE_ACCEPT)
		start = leave(t, ue);
	else
		ue_idle(ue);

	tc_sleep(t, WAIT * US_PER_S);
	sent = loop_now(t->loop);
	answer = rejected_service_request(t, ue);
	if (received_cause(answer) != NAS_5GMM_CONGESTION)
		tc_violation(t, "SERVICE REJECT inside the service gap has cause %d, not 22",
			     received_cause(answer));
	t3346 = received_t3346(answer);
	if (!t3346.present) {
		tc_note(t, "no T3346, as an AMF may");
		return;
	}
	judged_t3346(t, answer);
	most = (int64_t)(GAP * US_PER_S) - (int64_t)(sent - start.latest);
	least = (int64_t)(GAP * US_PER_S) - (int64_t)(answer->time - start.earliest);
	if ((int64_t)t3346.us > most + coding_step(&t3346) ||
	    (int64_t)t3346.us < least - coding_step(&t3346))
		tc_violation(t,
			     "T3346 is %" PRIu64 " s where %.1f to %.1f s of a T3447 of %d s "
			     "remain",
			     t3346.us / US_PER_S, (double)least / US_PER_S, (double)most / US_PER_S,
			     GAP);
}

static void control_plane_data(struct tc *t)
{
	/* An empty UDP datagram between two documentation addresses (RFC 5737). */
	static const uint8_t data[] = {
		0x45, 0x00, 0x00, 0x1c, 0x00, 0x00, 0x00, 0x00, 0x40, 0x11, 0xf6, 0xcd, 0xc0, 0x00,
		0x02, 0x01, 0xc0, 0x00, 0x02, 0x02, 0x0f, 0xa0, 0x0f, 0xa0, 0x00, 0x08, 0x00, 0x00,
	};
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	const struct nas_received *answer;
	struct timer_ie t3448;

	ue_prefers_control_plane(ue);
	ue_registered(ue);
	ue_pdu_session(ue);
	tc_control(t, "cp-congestion state=on t3448=60");
	ue_control_plane_service_request(ue, .data = OCTETS(data, sizeof(data)));
	answer = expect_nas(t, ue, .type = ONE_OF(SERVICE_REJECT, SERVICE_ACCEPT));
	if (received_type(answer) == SERVICE_ACCEPT)
		tc_inconc(t, "the AMF serves the request, as it may: there is no reject to judge");
	if (received_cause(answer) != NAS_5GMM_CONGESTION)
		tc_violation(t, "SERVICE REJECT of control plane data has cause %d, not 22",
			     received_cause(answer));
	t3448 = received_timer(answer, NAS_IE_T3448_VALUE);
	if (!t3448.present)
		tc_violation(t, "SERVICE REJECT of control plane data has no T3448 (IEI 6B)%s",
			     received_t3346(answer).present ? ", but a T3346" : "");
	if (t3448.value.len != 1 || t3448.state != NAS_TIMER_RUNS)
		tc_violation(t, "T3448 does not start a timer: length %zu, octet %02x",
			     t3448.value.len, t3448.value.len ? t3448.value.data[0] : 0);
}

#define NEIGHBOUR(name, ics, ...)                                     \
	.id = "TP/N1/AMF/" name, .role = ROLE_AMF, .strength = SHALL, \
	.needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ics), __VA_ARGS__

const struct test_case neighbour_cases[NEIGHBOUR_CASES] = {
	{ NEIGHBOUR("SNPN/01", ICS_SNPN_LOCALIZED, .requirement = "N1-A-24",
		    .clause = "24.501 5.3.9, 5.5.1.2.5"),
	  .purpose = "An SNPN with localized services lets a rejected UE leave",
	  .stimulus = "AMF of an SNPN with localized services congested: initial registration",
	  .expect = "Another cause than 22 without T3346, or cause 22 with T3346",
	  .run = localized_services },
	{ NEIGHBOUR("GAP/01", ICS_SERVICE_GAP, .requirement = "N1-A-28",
		    .clause = "24.501 5.6.1.5"),
	  .purpose = "A request inside the service gap is told how long to wait",
	  .stimulus = "T3447 running in the AMF: SERVICE REQUEST of type data",
	  .expect = "SERVICE REJECT with cause 22; T3346, if there is one, is the rest of T3447",
	  .iut_time_us = 25 * US_PER_S, .run = service_gap },
	{ NEIGHBOUR("CIOT/01", ICS_CP_CIOT, .requirement = "N1-A-29",
		    .clause = "24.501 5.6.1.5, 8.2.18"),
	  .purpose = "Control plane data in congestion is put off by T3448",
	  .stimulus = "Control plane data congestion: CONTROL PLANE SERVICE REQUEST with data",
	  .expect = "SERVICE REJECT with cause 22 and T3448 (IEI 6B)", .run = control_plane_data },
};
