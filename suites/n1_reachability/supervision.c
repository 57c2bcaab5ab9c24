#include "suites/n1_reachability/supervision.h"

#include <inttypes.h>
#include <stdio.h>

/* --- time ------------------------------------------------------------------------------------ */

struct supervision supervision_of(const struct profile *profile)
{
	uint64_t by_default = profile->t3512 + 240 * US_PER_S;

	return (struct supervision){
		.t3512 = profile->t3512,
		.reachable = profile->mobile_reachable ? profile->mobile_reachable : by_default,
		.implicit = profile->implicit_deregistration ? profile->implicit_deregistration
							     : by_default,
	};
}

uint64_t supervised_time(const struct supervision *supervision)
{
	return supervision->reachable + supervision->implicit;
}

uint64_t late_end(uint64_t us)
{
	return us + (us / 10 > 2 * US_PER_S ? us / 10 : 2 * US_PER_S);
}

/* The next T3346 that can be said, not below this. */
static uint64_t codeable(uint64_t us)
{
	uint64_t seconds = (us + US_PER_S - 1) / US_PER_S;

	if (seconds > NAS_TIMER_2_MAX)
		seconds = NAS_TIMER_2_MAX;
	return nas_timer_ceil((uint32_t)seconds, NAS_TIMER_2) * US_PER_S;
}

uint64_t long_back_off(const struct profile *profile)
{
	struct supervision supervision = supervision_of(profile);

	return codeable(supervised_time(&supervision) * 3 / 2);
}

uint64_t least_back_off(const struct profile *profile)
{
	struct supervision supervision = supervision_of(profile);

	return codeable(supervised_time(&supervision) + US_PER_S);
}

void silent_until(struct tc *t, uint64_t instant)
{
	uint64_t now = loop_now(t->loop);

	if (instant > now)
		tc_timer(t, "tester", "silence of the UE", instant - now);
}

struct supervision order_supervision(struct tc *t)
{
	struct supervision supervision = supervision_of(t->profile);

	if (!tc_control_try(
		    t, "timers t3512=%" PRIu64 " mobile-reachable=%" PRIu64 " implicit=%" PRIu64,
		    supervision.t3512 / US_PER_S, supervision.reachable / US_PER_S,
		    supervision.implicit / US_PER_S))
		tc_note(t,
			"the timers cannot be set; by the profile T3512 is %" PRIu64
			" s, the mobile reachable timer %" PRIu64
			" s and the implicit de-registration timer %" PRIu64 " s",
			supervision.t3512 / US_PER_S, supervision.reachable / US_PER_S,
			supervision.implicit / US_PER_S);
	return supervision;
}

/* --- back-off -------------------------------------------------------------------------------- */

void begin_back_off(struct tc *t, uint64_t t3346)
{
	uint64_t seconds = t3346 / US_PER_S;

	if (!tc_control_try(t, "nas-congestion state=on t3346=%" PRIu64 " spread=0", seconds))
		tc_control(t, "nas-congestion state=on t3346=%" PRIu64, seconds);
}

void end_back_off(struct tc *t)
{
	tc_control(t, "nas-congestion state=off");
}

static bool is_unknown(int cause)
{
	return cause == NAS_5GMM_UE_IDENTITY_CANNOT_BE_DERIVED ||
	       cause == NAS_5GMM_IMPLICITLY_DEREGISTERED;
}

static struct back_off read_back_off(struct tc *t, const struct ue *ue,
				     const struct nas_received *m)
{
	struct timer_ie t3346 = received_t3346(m);
	const char *name = nas_message_name(received_type(m));
	int cause = received_cause(m);

	if (is_unknown(cause))
		tc_violation(t, "%s has cause %d: the AMF does not know the UE any more", name,
			     cause);
	if (cause != NAS_5GMM_CONGESTION || t3346.state != NAS_TIMER_RUNS)
		tc_inconc(t, "%s has cause %d and %s T3346: there is no back-off to be outlasted",
			  name, cause, t3346.present ? "an unusable" : "no");
	return (struct back_off){ .asked = ue_sent_at(ue), .told = m->time, .t3346 = t3346.us };
}

struct back_off back_off_by_reject(struct tc *t, struct ue *ue, enum reg_type type)
{
	static const uint64_t pause = US_PER_S / 2;
	uint64_t until = loop_now(t->loop) + t->profile->response_time;
	uint16_t reject = type ? REGISTRATION_REJECT : SERVICE_REJECT;
	uint16_t accept = type ? REGISTRATION_ACCEPT : SERVICE_ACCEPT;

	for (;;) {
		struct back_off back_off;
		const struct nas_received *m;

		if (type)
			ue_register(ue, type);
		else
			ue_service_request(ue, SR_DATA);
		m = expect_nas(t, ue, .type = ONE_OF(reject, accept),
			       .why = "a congested AMF rejects with cause 22 and T3346");
		if (received_type(m) == reject) {
			back_off = read_back_off(t, ue, m);
			ue_idle(ue);
			return back_off;
		}
		ue_idle(ue);
		if (loop_now(t->loop) >= until)
			tc_inconc(t, "the AMF was told to be congested and serves the request, as "
				     "it may: there is no back-off to be outlasted");
		tc_sleep(t, pause);
	}
}

struct back_off back_off_by_deregistration(struct tc *t, struct ue *ue, struct gnb *via,
					   uint64_t t3346)
{
	bool non_3gpp = gnb_kind(via) == NODE_N3IWF;
	uint8_t access = non_3gpp ? NAS_ACCESS_NON_3GPP : NAS_ACCESS_3GPP;
	const struct nas_received *m;
	uint8_t type = 0;

	tc_control(t, "deregister supi=%s reregister=no cause=22 t3346=%" PRIu64, ue_supi(ue),
		   t3346 / US_PER_S);
	m = expect_nas(t, ue, .type = DEREGISTRATION_REQUEST);
	nas_get_u8(&m->msg, NAS_IE_DEREGISTRATION_TYPE, &type);
	if ((type & (NAS_ACCESS_3GPP | NAS_ACCESS_NON_3GPP)) != access)
		tc_inconc(t,
			  "DEREGISTRATION REQUEST is not for %s access alone: the case is about "
			  "the access that stays",
			  non_3gpp ? "non-3GPP" : "3GPP");
	return read_back_off(t, ue, m);
}

void needs_back_off(struct tc *t, const struct back_off *back_off, uint64_t above)
{
	if (back_off->t3346 <= above)
		tc_inconc(t,
			  "T3346 is %" PRIu64 " s and does not exceed %" PRIu64
			  " s: nothing has to be adjusted",
			  back_off->t3346 / US_PER_S, above / US_PER_S);
}

/* --- is the UE still registered? ------------------------------------------------------------- */

enum context ask_whether_known(struct tc *t, struct ue *ue, struct gnb *via)
{
	const struct nas_received *m;

	ue_service_request(ue, SR_SIGNALLING, .via = via);
	m = expect_nas(t, ue, .type = ONE_OF(SERVICE_ACCEPT, SERVICE_REJECT),
		       .why = "a service request shows whether the AMF still knows the UE");
	if (received_type(m) == SERVICE_ACCEPT)
		return CONTEXT_KNOWN;
	if (is_unknown(received_cause(m)))
		return CONTEXT_GONE;
	if (received_cause(m) != NAS_5GMM_CONGESTION)
		tc_fail(t,
			"SERVICE REJECT with cause %d: neither congestion nor a UE that is not "
			"registered any more",
			received_cause(m));
	/* who has no context has no key either */
	return m->integrity ? CONTEXT_KNOWN : CONTEXT_UNCLEAR;
}

void judge_known(struct tc *t, struct ue *ue, struct gnb *via, const char *format, ...)
{
	char when[192];
	va_list args;

	va_start(args, format);
	vsnprintf(when, sizeof(when), format, args);
	va_end(args);
	switch (ask_whether_known(t, ue, via)) {
	case CONTEXT_KNOWN:
		return;
	case CONTEXT_GONE:
		tc_violation(t,
			     "%s the AMF answers with cause 9 or 10: it does not know the UE any "
			     "more",
			     when);
	default:
		tc_inconc(t,
			  "%s the AMF answers with a plain reject for congestion, which does "
			  "not show whether it knows the UE",
			  when);
	}
}

void served_again(struct tc *t, struct ue *ue)
{
	static const uint64_t pause = US_PER_S / 2;
	uint64_t until = loop_now(t->loop) + t->profile->response_time;

	for (;;) {
		const struct nas_received *m;
		int cause;

		ue_service_request(ue, SR_SIGNALLING);
		m = expect_nas(t, ue, .type = ONE_OF(SERVICE_ACCEPT, SERVICE_REJECT),
			       .why = "an AMF that is not congested any more serves the UE");
		ue_idle(ue);
		if (received_type(m) == SERVICE_ACCEPT)
			return;
		cause = received_cause(m);
		if (cause != NAS_5GMM_CONGESTION)
			tc_violation(t,
				     "right after the end of congestion the AMF answers with "
				     "cause %d, neither by an accept nor for congestion",
				     cause);
		if (loop_now(t->loop) >= until)
			tc_inconc(t, "the AMF is still congested after the end was ordered");
		tc_sleep(t, pause);
	}
}

void judge_removed(struct tc *t, struct ue *const ues[2], struct gnb *via, uint64_t since,
		   uint64_t due)
{
	const uint64_t never = 3 * due;

	silent_until(t, since + late_end(due));
	switch (ask_whether_known(t, ues[0], via)) {
	case CONTEXT_GONE:
		return;
	case CONTEXT_KNOWN:
		tc_should(t, "N1-A-44",
			  "%" PRIu64 " s after its release the UE is still registered; its "
			  "supervision takes %" PRIu64 " s",
			  (loop_now(t->loop) - since) / US_PER_S, due / US_PER_S);
		break;
	default:
		tc_violation(t, "the UE's supervision is over, and its service request is "
				"rejected for congestion, not with cause 9 or 10");
	}
	silent_until(t, since + never);
	if (ask_whether_known(t, ues[1], via) != CONTEXT_GONE)
		tc_violation(t,
			     "%" PRIu64 " s after its release, where the supervision takes "
			     "%" PRIu64 " s, the UE is still registered: it is never "
			     "de-registered implicitly",
			     never / US_PER_S, due / US_PER_S);
}
