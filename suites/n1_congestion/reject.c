/* TP/N1/AMF/REJECT/01 to 05 and X05: what a reject for congestion carries, and what it leaves
 * alone. */
#include "suites/n1_congestion/congestion.h"

static void initial_registration(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	congest(t, &control);
	default_reject(t, rejected_registration(t, ue, REG_INITIAL));
}

static void service_request(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	order_congestion(t);
	default_reject(t, rejected_service_request(t, ue));
}

static void mobility_update(struct tc *t)
{
	bool two_areas = t->profile->tac_count > 1;
	struct gnb *gnb = gnb_connect(t, .only_tac = two_areas);
	struct gnb *far =
		two_areas ? gnb_connect(t, .tac = t->profile->tacs[1], .only_tac = true) : gnb;
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	congest(t, &control);
	if (ue_in_tai_list(ue, far))
		tc_note(t, "the registration area holds all the tracking areas there are: the UE "
			   "did not leave it");
	ue_move(ue, far);
	congestion_reject(t, rejected_registration(t, ue, REG_MOBILITY));
}

/*
 * As long as T3512 says. A live run does not wait for an hour: the AMF cannot tell a UE whose timer
 * ran out from one that comes early.
 */
static void await_t3512(struct tc *t, struct ue *ue)
{
	static const uint64_t patience = 120 * US_PER_S;
	uint64_t t3512 = ue_t3512(ue);

	if (t->profile->live && t3512 > patience) {
		tc_note(t, "T3512 is too long to be waited for: the periodic update comes early");
		return;
	}
	tc_timer(t, ue_name(ue), "T3512", t3512);
}

static void context_outlives_update(struct tc *t)
{
	enum reg_type type = (enum reg_type)t->test->param;
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);
	const struct nas_received *answer;
	struct nas_guti guti;
	int cause;

	if (type == REG_PERIODIC && !tc_control_try(t, "timers t3512=12"))
		tc_note(t, "T3512 cannot be set and is what the AMF has configured");
	ue_registered(ue);
	if (!ue_guti(ue, &guti))
		tc_inconc(t, "the UE was registered without a 5G-GUTI");
	congest(t, &control);
	if (type == REG_PERIODIC)
		await_t3512(t, ue);
	congestion_reject(t, rejected_registration(t, ue, type));
	ue_idle(ue);

	end_congestion(t);
	await_end(t, control.after);
	ue_service_request(ue, SR_SIGNALLING, .guti = &guti);
	answer = expect_nas(t, ue, .type = ONE_OF(SERVICE_ACCEPT, SERVICE_REJECT),
			    .why = "the context of a UE outlives the reject of its update");
	if (received_type(answer) == SERVICE_ACCEPT)
		return;
	cause = received_cause(answer);
	if (cause == NAS_5GMM_CONGESTION)
		tc_inconc(t, "the AMF is still congested after the end was ordered");
	tc_violation(t,
		     "after the reject of its update the UE's 5G-S-TMSI is answered by "
		     "SERVICE REJECT with cause %d: its context is gone",
		     cause);
}

static void protected_reject(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	order_congestion(t);
	judge_protection(t, rejected_service_request(t, ue));
}

#define REJECT(number, ...)                                                    \
	.id = "TP/N1/AMF/REJECT/" number, .role = ROLE_AMF, .strength = SHALL, \
	.needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__
#define CONGESTED "AMF congested: "

const struct test_case reject_cases[REJECT_CASES] = {
	{ REJECT("01", .requirement = "N1-A-20", .clause = "24.501 5.5.1.2.5"),
	  .purpose = "The reject of an initial registration says congestion and for how long",
	  .stimulus = CONGESTED "initial registration of a normal UE",
	  .expect = "REGISTRATION REJECT with cause 22 and T3346 (IEI 5F)",
	  .run = initial_registration },
	{ REJECT("02", .requirement = "N1-A-21", .clause = "24.501 5.6.1.5"),
	  .purpose = "The reject of a service request says congestion and for how long",
	  .stimulus = CONGESTED "SERVICE REQUEST of type data from CM-IDLE",
	  .expect = "SERVICE REJECT with cause 22 and T3346 (IEI 5F)", .run = service_request },
	{ REJECT("03", .requirement = "N1-A-12", .clause = "24.501 5.5.1.3.5, 23.501 5.19.7.2"),
	  .purpose = "The reject of a mobility update says congestion and for how long",
	  .stimulus = CONGESTED "mobility registration update from CM-IDLE outside the TAI list",
	  .expect = "REGISTRATION REJECT with cause 22 and T3346 (IEI 5F)",
	  .run = mobility_update },
	{ REJECT("04", .requirement = "N1-A-14", .clause = "24.501 5.3.9, 5.5.1.3.5"),
	  .purpose = "A rejected periodic update leaves the UE its context",
	  .stimulus = CONGESTED "periodic registration update after T3512; congestion off; service "
				"request with the old 5G-S-TMSI",
	  .expect = "REGISTRATION REJECT with cause 22 and T3346, then SERVICE ACCEPT",
	  .iut_time_us = 15 * US_PER_S, .run = context_outlives_update, .param = REG_PERIODIC },
	{ REJECT("05", .requirement = "N1-A-32", .clause = "24.501 4.4.4.2"),
	  .purpose = "A reject is integrity protected where there is a security context",
	  .stimulus = CONGESTED "integrity protected SERVICE REQUEST of a registered UE",
	  .expect = "SERVICE REJECT integrity protected", .run = protected_reject },
	{ REJECT("X05", .requirement = "N1-A-12", .clause = "24.501 5.3.9, 5.5.1.3.5"),
	  .purpose = "A rejected mobility update leaves the UE its context",
	  .stimulus = CONGESTED "mobility registration update; congestion off; service request "
				"with the old 5G-S-TMSI",
	  .expect = "REGISTRATION REJECT with cause 22 and T3346, then SERVICE ACCEPT",
	  .run = context_outlives_update, .param = REG_MOBILITY },
};
