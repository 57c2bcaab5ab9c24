#include "suites/n1_congestion/congestion.h"

#include <inttypes.h>
#include <string.h>

struct control control_ues(struct gnb *gnb)
{
	struct control control = { ue_new(gnb), ue_new(gnb) };

	ue_registered(control.before);
	ue_registered(control.after);
	return control;
}

void order_congestion(struct tc *t)
{
	tc_control(t, "nas-congestion state=on");
}

bool order_exact_t3346(struct tc *t, uint32_t seconds)
{
	if (tc_control_try(t, "nas-congestion state=on t3346=%u spread=0", seconds))
		return true;
	tc_control(t, "nas-congestion state=on t3346=%u", seconds);
	return false;
}

void end_congestion(struct tc *t)
{
	tc_control(t, "nas-congestion state=off");
}

/*
 * Whether a normal request is rejected for congestion. What is neither that nor served makes the
 * case inconclusive: without the control nothing can be said about exemptions.
 */
static bool control_is_rejected(struct tc *t, struct ue *ue)
{
	const struct nas_received *answer;

	ue_service_request(ue, SR_DATA);
	answer = expect_nas(t, ue, .type = ONE_OF(SERVICE_REJECT, SERVICE_ACCEPT),
			    .otherwise = OUTCOME_INCONC, .silence = OUTCOME_INCONC,
			    .why = "the negative control: a congested AMF rejects the service "
				   "request of a normal UE with cause 22");
	if (received_type(answer) == SERVICE_REJECT &&
	    received_cause(answer) != NAS_5GMM_CONGESTION)
		tc_inconc(t,
			  "the control UE is rejected with cause %d, not 22: the AMF shows no "
			  "congestion",
			  received_cause(answer));
	ue_idle(ue);
	return received_type(answer) == SERVICE_REJECT;
}

static const uint64_t pause = US_PER_S / 2;

bool congestion_begins(struct tc *t, struct ue *ue)
{
	uint64_t until = loop_now(t->loop) + t->profile->response_time;

	while (!control_is_rejected(t, ue)) {
		if (loop_now(t->loop) >= until)
			return false;
		tc_sleep(t, pause);
	}
	return true;
}

void await_congestion(struct tc *t, const struct control *control)
{
	if (!congestion_begins(t, control->before))
		tc_inconc(t, "the AMF serves the control UE although it was told to be congested");
}

void await_end(struct tc *t, struct ue *ue)
{
	uint64_t until = loop_now(t->loop) + t->profile->response_time;

	while (control_is_rejected(t, ue) && loop_now(t->loop) < until)
		tc_sleep(t, pause);
}

void congest(struct tc *t, const struct control *control)
{
	order_congestion(t);
	await_congestion(t, control);
}

void still_congested(struct tc *t, const struct control *control)
{
	if (!control_is_rejected(t, control->after))
		tc_inconc(t, "the AMF serves the second control UE: the congestion was over, and "
			     "nothing is shown");
}

/* How long an answer is watched for another one that takes it back. */
static const uint64_t afterwards = 300 * US_PER_MS;

/* type 0: a SERVICE REQUEST */
static const struct nas_received *rejected(struct tc *t, struct ue *ue, enum reg_type type)
{
	uint16_t reject = type ? REGISTRATION_REJECT : SERVICE_REJECT;
	uint16_t accept = type ? REGISTRATION_ACCEPT : SERVICE_ACCEPT;
	uint64_t until = loop_now(t->loop) + t->profile->response_time;

	for (;;) {
		const struct nas_received *answer;

		if (type)
			ue_register(ue, type);
		else
			ue_service_request(ue, SR_DATA);
		answer = expect_nas(t, ue, .type = ONE_OF(reject, accept));
		if (received_type(answer) == reject) {
			expect_no_nas(t, ue, .type = ONE_OF(REGISTRATION_ACCEPT, SERVICE_ACCEPT),
				      .within = afterwards,
				      .why = "a request that was rejected is not accepted");
			return answer;
		}
		if (loop_now(t->loop) >= until)
			tc_inconc(t, "the request was served, as a congested AMF may do: there is "
				     "no reject to judge");
		ue_idle(ue);
		tc_sleep(t, pause);
	}
}

const struct nas_received *rejected_service_request(struct tc *t, struct ue *ue)
{
	return rejected(t, ue, 0);
}

const struct nas_received *rejected_registration(struct tc *t, struct ue *ue, enum reg_type type)
{
	return rejected(t, ue, type);
}

static unsigned int count_of(const struct nas_received *m, uint8_t iei)
{
	unsigned int count = 0;

	for (size_t i = 0; i < m->msg.count; i++)
		count += m->msg.items[i].format == NAS_FORMAT_TLV && m->msg.items[i].iei == iei;
	return count;
}

struct timer_ie judged_t3346(struct tc *t, const struct nas_received *m)
{
	struct timer_ie t3346 = received_t3346(m);
	const char *name = nas_message_name(received_type(m));

	if (!t3346.present)
		tc_violation(t, "%s has no T3346 value (IEI 5F)", name);
	if (count_of(m, 0x5f) > 1)
		tc_violation(t, "%s has the T3346 value (IEI 5F) %u times", name,
			     count_of(m, 0x5f));
	if (t3346.value.len != 1)
		tc_violation(t,
			     "T3346 value of %s has a length of %zu octets; a GPRS timer 2 has "
			     "one",
			     name, t3346.value.len);
	if (t3346.state != NAS_TIMER_RUNS)
		tc_violation(t, "T3346 of %s is %s (octet %02x): the UE starts no timer", name,
			     t3346.state == NAS_TIMER_ZERO ? "zero" : "deactivated",
			     t3346.value.data[0]);
	if (t3346.reserved_unit)
		tc_should(t, "N1-A-26", "T3346 of %s has the reserved unit %u (octet %02x)", name,
			  t3346.unit, t3346.value.data[0]);
	return t3346;
}

struct timer_ie congestion_reject(struct tc *t, const struct nas_received *reject)
{
	int cause = received_cause(reject);

	if (cause < 0)
		tc_violation(t, "%s has no 5GMM cause", nas_message_name(received_type(reject)));
	if (cause != NAS_5GMM_CONGESTION)
		tc_violation(t, "%s has cause %d, not 22 (congestion)",
			     nas_message_name(received_type(reject)), cause);
	return judged_t3346(t, reject);
}

void default_reject(struct tc *t, const struct nas_received *reject)
{
	struct timer_ie t3346 = congestion_reject(t, reject);

	if (t3346.us < t->profile->t3346_min || t3346.us > t->profile->t3346_max)
		tc_should(t, "N1-A-25",
			  "T3346 of %s is %" PRIu64 " s, outside the range that the profile "
			  "states, %" PRIu64 " to %" PRIu64 " s",
			  nas_message_name(received_type(reject)), t3346.us / US_PER_S,
			  t->profile->t3346_min / US_PER_S, t->profile->t3346_max / US_PER_S);
}

void judge_protection(struct tc *t, const struct nas_received *reject)
{
	const char *name = nas_message_name(received_type(reject));

	if (reject->integrity)
		return;
	if (reject->security_header != 0)
		tc_fail(t, "the MAC of %s is wrong: the UE discards it", name);
	tc_should(t, "N1-A-32",
		  "%s is plain although there is a security context: the UE does not "
		  "use its T3346",
		  name);
}

/* What an AMF gives as the reason when it lets go of a UE because of its own load. */
static bool for_overload(const struct ngap_received *release)
{
	char buf[96];
	struct text cause;

	text_init(&cause, buf, sizeof(buf));
	received_ngap_cause(release, &cause);
	return strcmp(buf, "misc/control-processing-overload") == 0;
}

static void not_withdrawn(struct tc *t, struct ue *ue, enum mm_message accept)
{
	const struct ngap_received *release;

	expect_no_nas(t, ue, .type = ONE_OF(REGISTRATION_REJECT, SERVICE_REJECT),
		      .never_cause = NAS_5GMM_CONGESTION, .within = afterwards,
		      .why = "an exempt request that was accepted is not rejected afterwards");
	release = expect_ue_ngap(t, ue, .type = NGAP_UE_CONTEXT_RELEASE_COMMAND, .within = 1,
				 .otherwise = OUTCOME_RETURN, .silence = OUTCOME_RETURN);
	if (release && for_overload(release))
		tc_violation(t,
			     "right after %s the UE is released for overload: the exempt request "
			     "was not served",
			     nas_message_name((uint8_t)accept));
}

const struct nas_received *served(struct tc *t, struct ue *ue, enum mm_message accept)
{
	const struct nas_received *answer = expect_nas(
		t, ue, .type = accept, .never = ONE_OF(REGISTRATION_REJECT, SERVICE_REJECT),
		.never_cause = NAS_5GMM_CONGESTION);

	not_withdrawn(t, ue, accept);
	return answer;
}

struct ue *emergency_ue(struct tc *t, struct gnb *gnb)
{
	struct ue *ue = ue_new(gnb);

	ue_register(ue, REG_EMERGENCY, .cause = RRC_EMERGENCY, .follow_on = true);
	served(t, ue, REGISTRATION_ACCEPT);
	if (!ue_is_connected(ue)) {
		ue_service_request(ue, SR_EMERGENCY, .cause = RRC_EMERGENCY);
		served(t, ue, SERVICE_ACCEPT);
	}
	forget_nas(ue);
	return ue;
}

const struct nas_msg *session_answer(struct tc *t, struct ue *ue, uint8_t psi)
{
	uint64_t until = loop_now(t->loop) + t->profile->response_time;

	for (;;) {
		uint64_t now = loop_now(t->loop);
		const struct nas_received *m = expect_nas(
			t, ue, .type = DL_NAS_TRANSPORT, .never_cause = NAS_5GMM_CONGESTION,
			.within = until > now ? until - now : 1, .silence = OUTCOME_VIOLATION,
			.why = "the AMF forwards the 5GSM message, and the SMF answers");
		const struct nas_msg *sm = received_sm(m);

		if (received_cause(m) >= 0)
			tc_violation(t,
				     "the 5GSM message came back with 5GMM cause %d instead of "
				     "being forwarded",
				     received_cause(m));
		if (sm && sm->pdu_session_id == psi)
			return sm;
	}
}
