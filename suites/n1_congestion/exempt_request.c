/* TP/N1/AMF/EXEMPT/01 to 09: requests that a congested AMF serves because of what they ask for. */
#include "suites/n1_congestion/congestion.h"

static void emergency_registration(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	congest(t, &control);
	ue_register(ue, REG_EMERGENCY, .cause = RRC_EMERGENCY);
	served(t, ue, REGISTRATION_ACCEPT);
	still_congested(t, &control);
}

static void emergency_service_request(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	congest(t, &control);
	ue_service_request(ue, SR_EMERGENCY, .cause = RRC_EMERGENCY);
	served(t, ue, SERVICE_ACCEPT);
	still_congested(t, &control);
}

/*
 * The UE takes a fallback for started when the radio tells it so (24.501 5.6.1.4), so an AMF may
 * leave out the SERVICE ACCEPT and only ask the node to trigger it.
 */
static void fallback_handled(struct tc *t, struct ue *ue)
{
	const struct ngap_received *trigger;

	if (expect_nas(t, ue, .type = SERVICE_ACCEPT, .never = SERVICE_REJECT,
		       .never_cause = NAS_5GMM_CONGESTION, .silence = OUTCOME_RETURN))
		return;
	trigger =
		expect_ue_ngap(t, ue, .within = 1,
			       .type = ONE_OF(NGAP_INITIAL_CONTEXT_SETUP_REQUEST,
					      NGAP_UE_CONTEXT_MODIFICATION_REQUEST),
			       .why = "SERVICE ACCEPT, or a fallback that the node is to trigger");
	if (!ngap_find(&trigger->pdu, NGAP_ID_EMERGENCY_FALLBACK_INDICATOR))
		tc_violation(t, "neither SERVICE ACCEPT nor an Emergency Fallback Indicator");
}

static void emergency_fallback(struct tc *t)
{
	bool connected = t->test->param;
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue, .stay_connected = connected);
	congest(t, &control);
	if (ue_is_connected(ue) != connected)
		tc_inconc(t, "the AMF released the UE before it could ask for fallback");
	forget_nas(ue);
	ue_service_request(ue, SR_EMERGENCY_FALLBACK, .cause = RRC_EMERGENCY);
	fallback_handled(t, ue);
	still_congested(t, &control);
}

static void high_priority_service_request(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	tc_control(t, "subscriber supi=%s mps=yes", ue_supi(ue));
	ue_access_identity(ue, 1);
	ue_registered(ue);
	congest(t, &control);
	ue_service_request(ue, SR_HIGH_PRIORITY, .cause = RRC_MPS_PRIORITY_ACCESS);
	served(t, ue, SERVICE_ACCEPT);
	still_congested(t, &control);
}

static void high_priority_registration(struct tc *t)
{
	enum rrc_cause cause = (enum rrc_cause)t->test->param;
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	/* What the UE says is backed by its subscription where the adapter can arrange that. */
	if (cause == RRC_MCS_PRIORITY_ACCESS &&
	    !tc_control_try(t, "subscriber supi=%s mcs=yes", ue_supi(ue)))
		tc_note(t, "the subscription could not be set to MCS");
	ue_access_identity(ue, cause == RRC_MCS_PRIORITY_ACCESS ? 2 : 11);
	congest(t, &control);
	ue_register(ue, REG_INITIAL, .cause = cause);
	served(t, ue, REGISTRATION_ACCEPT);
	still_congested(t, &control);
}

/* Whether the AMF still knows the UE: a request with its old 5G-S-TMSI says. */
static void context_is_gone(struct tc *t, struct ue *ue, const struct nas_guti *guti)
{
	const struct nas_received *answer;
	int cause;

	ue_service_request(ue, SR_SIGNALLING, .guti = guti);
	answer = expect_nas(t, ue, .type = SERVICE_REJECT, .never = SERVICE_ACCEPT,
			    .why = "the context of a UE that de-registered is removed: its old "
				   "5G-S-TMSI is unknown (cause 9) or de-registered (cause 10)");
	cause = received_cause(answer);
	if (cause != NAS_5GMM_UE_IDENTITY_CANNOT_BE_DERIVED &&
	    cause != NAS_5GMM_IMPLICITLY_DEREGISTERED)
		tc_inconc(t,
			  "the request with the old 5G-S-TMSI was rejected with cause %d, which "
			  "does not say whether the context is gone",
			  cause);
}

static void deregistration(struct tc *t)
{
	static const uint64_t limit = 5 * US_PER_S;
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);
	struct nas_guti guti;

	ue_registered(ue);
	if (!ue_guti(ue, &guti))
		tc_inconc(t, "the UE was registered without a 5G-GUTI");
	congest(t, &control);
	ue_deregister(ue);
	expect_nas(t, ue, .type = DEREGISTRATION_ACCEPT,
		   .never = ONE_OF(REGISTRATION_REJECT, SERVICE_REJECT, MM_STATUS),
		   .never_cause = NAS_5GMM_CONGESTION, .within = limit,
		   .silence = OUTCOME_VIOLATION);
	still_congested(t, &control);
	ue_idle(ue);
	end_congestion(t);
	await_end(t, control.before);
	context_is_gone(t, ue, &guti);
}

static void switch_off(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);
	struct nas_guti guti;

	ue_registered(ue);
	if (!ue_guti(ue, &guti))
		tc_inconc(t, "the UE was registered without a 5G-GUTI");
	congest(t, &control);
	forget_nas(ue);
	ue_deregister(ue, .switch_off = true);
	expect_no_nas(t, ue, .why = "a UE that switches off is not answered");
	expect_ue_ngap(t, ue, .type = NGAP_UE_CONTEXT_RELEASE_COMMAND,
		       .silence = OUTCOME_VIOLATION);
	still_congested(t, &control);
	end_congestion(t);
	await_end(t, control.before);
	context_is_gone(t, ue, &guti);
}

#define EXEMPT(number, ics, ...)                                                \
	.id = "TP/N1/AMF/EXEMPT/" number, .role = ROLE_AMF, .strength = SHOULD, \
	.needs = NEEDS(ICS_NAS_CONGESTION) | (ics), __VA_ARGS__
#define CONGESTED "AMF congested: "

const struct test_case exempt_request_cases[EXEMPT_REQUEST_CASES] = {
	{ EXEMPT("01", NEEDS(ICS_EMERGENCY), .requirement = "N1-A-02", .clause = "24.501 5.3.9 a"),
	  .purpose = "A congested AMF serves an emergency registration",
	  .stimulus = CONGESTED "REGISTRATION REQUEST of type emergency, RRC cause emergency",
	  .expect = "REGISTRATION ACCEPT, no cause 22", .run = emergency_registration },
	{ EXEMPT("02", NEEDS(ICS_EMERGENCY), .requirement = "N1-A-02", .clause = "24.501 5.3.9 a"),
	  .purpose = "A congested AMF serves a service request for emergency services",
	  .stimulus = CONGESTED "SERVICE REQUEST of type emergency services from CM-IDLE",
	  .expect = "SERVICE ACCEPT", .run = emergency_service_request },
	{ EXEMPT("03", NEEDS(ICS_EMERGENCY_FALLBACK), .requirement = "N1-A-03",
		 .clause = "24.501 5.3.9 b"),
	  .purpose = "A congested AMF serves emergency services fallback",
	  .stimulus = CONGESTED "SERVICE REQUEST of type emergency services fallback from CM-IDLE",
	  .expect = "No SERVICE REJECT 22; SERVICE ACCEPT or a fallback trigger to the node",
	  .run = emergency_fallback, .param = false },
	{ EXEMPT("04", NEEDS(ICS_EMERGENCY_FALLBACK), .requirement = "N1-A-03",
		 .clause = "24.501 5.3.9 b"),
	  .purpose = "A congested AMF serves emergency services fallback in CM-CONNECTED",
	  .stimulus = CONGESTED "SERVICE REQUEST of type emergency services fallback in an "
				"UPLINK NAS TRANSPORT",
	  .expect = "No SERVICE REJECT 22; SERVICE ACCEPT or a fallback trigger to the node",
	  .run = emergency_fallback, .param = true },
	{ EXEMPT("05", NEEDS(ICS_HIGH_PRIORITY), .requirement = "N1-A-04",
		 .clause = "24.501 5.3.9 c"),
	  .purpose = "A congested AMF serves high priority access of an MPS subscriber",
	  .stimulus = CONGESTED "SERVICE REQUEST of type high priority access, RRC cause "
				"mps-PriorityAccess",
	  .expect = "SERVICE ACCEPT", .run = high_priority_service_request },
	{ EXEMPT("06", NEEDS(ICS_HIGH_PRIORITY), .requirement = "N1-A-04",
		 .clause = "24.501 5.3.9 c"),
	  .purpose = "A congested AMF serves the registration of a high priority UE",
	  .stimulus = CONGESTED "initial registration with RRC cause highPriorityAccess",
	  .expect = "REGISTRATION ACCEPT", .run = high_priority_registration,
	  .param = RRC_HIGH_PRIORITY_ACCESS },
	{ EXEMPT("07", NEEDS(ICS_HIGH_PRIORITY), .requirement = "N1-A-04",
		 .clause = "24.501 5.3.9 c"),
	  .purpose = "A congested AMF serves the registration of an MCS UE",
	  .stimulus = CONGESTED "initial registration with RRC cause mcs-PriorityAccess",
	  .expect = "REGISTRATION ACCEPT", .run = high_priority_registration,
	  .param = RRC_MCS_PRIORITY_ACCESS },
	{ EXEMPT("08", 0, .requirement = "N1-A-05", .clause = "24.501 5.3.9 d"),
	  .purpose = "A congested AMF serves de-registration",
	  .stimulus = CONGESTED "DEREGISTRATION REQUEST of the UE without switch-off; congestion "
				"off; service request with the old 5G-S-TMSI",
	  .expect = "DEREGISTRATION ACCEPT within 5 s, then SERVICE REJECT with cause 9 or 10",
	  .run = deregistration },
	{ EXEMPT("09", 0, .requirement = "N1-A-05", .clause = "24.501 5.3.9 d"),
	  .purpose = "A congested AMF takes note of a UE that switches off",
	  .stimulus = CONGESTED "DEREGISTRATION REQUEST with switch-off; congestion off; service "
				"request with the old 5G-S-TMSI",
	  .expect = "No downlink NAS, UE context release, then SERVICE REJECT with cause 9 or 10",
	  .iut_time_us = 5 * US_PER_S, .run = switch_off },
};
