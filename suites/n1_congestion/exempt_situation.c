/*
 * TP/N1/AMF/EXEMPT/10 to 18: requests that a congested AMF serves because of what went before, how
 * they arrive, or what the radio says of them.
 */
#include "runner/emulation/sbi_core_case.h"
#include "suites/n1_congestion/congestion.h"

static void await_paging(struct tc *t, struct ue *ue)
{
	ue_downlink(ue, "data");
	/* An AMF may hold back downlink data while congested: no PAGING is no verdict. */
	expect_paging(t, ue, .silence = OUTCOME_INCONC);
}

static void paging_response(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_can_be_paged(ue);
	congest(t, &control);
	await_paging(t, ue);
	ue_service_request(ue, SR_MOBILE_TERMINATED, .cause = RRC_MT_ACCESS);
	served(t, ue, SERVICE_ACCEPT);
	still_congested(t, &control);
}

/* An AMF that forgot the UE at a reject has nobody to page. */
static void still_known(struct tc *t, struct ue *ue)
{
	const struct nas_received *answer;
	int cause;

	ue_service_request(ue, SR_DATA);
	answer = expect_nas(t, ue, .type = ONE_OF(SERVICE_REJECT, SERVICE_ACCEPT));
	cause = received_cause(answer);
	if (received_type(answer) == SERVICE_REJECT && cause != NAS_5GMM_CONGESTION)
		tc_inconc(t,
			  "after the reject of its update the UE's service request is rejected "
			  "with cause %d: the AMF has nobody to page",
			  cause);
	ue_idle(ue);
}

static void paging_response_by_update(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_can_be_paged(ue);
	congest(t, &control);
	/* A rejected update is what brings a UE to ATTEMPTING-REGISTRATION-UPDATE. */
	ue_register(ue, REG_MOBILITY);
	if (received_type(
		    expect_nas(t, ue, .type = ONE_OF(REGISTRATION_REJECT, REGISTRATION_ACCEPT))) ==
	    REGISTRATION_ACCEPT)
		tc_note(t, "the AMF serves mobility updates without paging as well");
	ue_idle(ue);
	still_known(t, ue);

	await_paging(t, ue);
	ue_register(ue, REG_MOBILITY, .cause = RRC_MT_ACCESS);
	served(t, ue, REGISTRATION_ACCEPT);
	still_congested(t, &control);
}

static void notification_response(struct tc *t)
{
	bool update = t->test->param;
	struct gnb *gnb = gnb_connect(t);
	struct gnb *n3iwf = gnb_connect(t, .kind = NODE_N3IWF);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_also_behind(ue, n3iwf);
	ue_registered(ue, .via = n3iwf, .stay_connected = true);
	congest(t, &control);
	tc_control(t, "notify supi=%s", ue_supi(ue));
	expect_nas(t, ue, .type = NOTIFICATION, .via = n3iwf, .silence = OUTCOME_INCONC);
	if (update) {
		ue_register(ue, REG_MOBILITY, .via = gnb, .cause = RRC_MT_ACCESS);
		served(t, ue, REGISTRATION_ACCEPT);
	} else {
		ue_service_request(ue, SR_MOBILE_TERMINATED, .via = gnb, .cause = RRC_MT_ACCESS);
		served(t, ue, SERVICE_ACCEPT);
	}
	still_congested(t, &control);
}

static void initial_registration_with_emergency_cause(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	congest(t, &control);
	ue_register(ue, REG_INITIAL, .cause = RRC_EMERGENCY);
	served(t, ue, REGISTRATION_ACCEPT);
	still_congested(t, &control);
}

static void update_with_emergency_cause(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	congest(t, &control);
	ue_register(ue, (enum reg_type)t->test->param, .cause = RRC_EMERGENCY);
	served(t, ue, REGISTRATION_ACCEPT);
	still_congested(t, &control);
}

static void connected_update(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue, .stay_connected = true);
	congest(t, &control);
	if (!ue_is_connected(ue))
		tc_inconc(t, "the AMF released the UE before it could send its update");
	ue_register(ue, REG_MOBILITY);
	served(t, ue, REGISTRATION_ACCEPT);
	still_congested(t, &control);
}

static void discontinuous_coverage(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	congest(t, &control);
	ue_register(ue, REG_MOBILITY, .discontinuous_coverage = true);
	served(t, ue, REGISTRATION_ACCEPT);
	still_congested(t, &control);
}

/* What the SMF saw of the request, where the suite plays it; recorded, not judged. */
static void note_n11(struct tc *t, const struct ue *ue, uint8_t psi)
{
	const struct sbi_core *core = sbi_core_of_case(t);
	struct sbi_smf_session session;

	if (!core || !core->smf)
		tc_note(t, "an exemption flag on N11 is not seen here");
	else if (!sbi_smf_session(core->smf, ue_supi(ue), psi, &session))
		tc_note(t, "the session is not that of the SMF which the suite plays");
	else
		tc_note(t, "N11: the last 5GSM message of the UE was %s, %s exemption indication",
			nas_message_name(session.last_n1),
			session.exempted ? "with an" : "without");
}

static void data_off_report(struct tc *t)
{
	enum { PSI = 5 };
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_pdu_session(ue, .psi = PSI);
	congest(t, &control);
	ue_service_request(ue, SR_ELEVATED_SIGNALLING);
	served(t, ue, SERVICE_ACCEPT);
	forget_nas(ue);
	ue_data_off_request(ue, .psi = PSI);
	tc_note(t, "the SMF answered by %s", nas_message_name(session_answer(t, ue, PSI)->type));
	note_n11(t, ue, PSI);
	still_congested(t, &control);
}

static void unasked_mobile_terminated_request(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);
	const struct nas_received *answer;

	ue_registered(ue);
	congest(t, &control);
	ue_service_request(ue, SR_MOBILE_TERMINATED, .cause = RRC_MT_ACCESS);
	answer = expect_nas(t, ue, .type = ONE_OF(SERVICE_ACCEPT, SERVICE_REJECT),
			    .otherwise = OUTCOME_RETURN, .silence = OUTCOME_RETURN);
	if (!answer)
		tc_note(t, "an unasked response to paging is not answered");
	else if (received_type(answer) == SERVICE_ACCEPT)
		tc_note(t, "an unasked response to paging is served: the AMF trusts the service "
			   "type alone");
	else
		tc_note(t,
			"an unasked response to paging is rejected with cause %d: the AMF "
			"remembers whom it paged",
			received_cause(answer));
	still_congested(t, &control);
}

static bool resources_are_set_up(const struct ngap_received *m)
{
	return ngap_find(&m->pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_SU_REQ) ||
	       ngap_find(&m->pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_CXT_REQ);
}

static void emergency_session(struct tc *t)
{
	enum { PSI = 6 };
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	const struct nas_msg *sm;
	struct ue *ue;

	congest(t, &control);
	ue = emergency_ue(t, gnb);
	ue_pdu_session_request(ue, .psi = PSI, .request_type = NAS_REQUEST_INITIAL_EMERGENCY);
	sm = session_answer(t, ue, PSI);
	if (sm->type != NAS_PDU_SESSION_ESTABLISHMENT_ACCEPT)
		tc_inconc(t,
			  "the SMF, not the AMF, refused the emergency PDU session: %s, 5GSM "
			  "cause %d",
			  nas_message_name(sm->type), nas_cause(sm));
	if (!resources_are_set_up(
		    expect_ue_ngap(t, ue,
				   .type = ONE_OF(NGAP_PDU_SESSION_RESOURCE_SETUP_REQUEST,
						  NGAP_INITIAL_CONTEXT_SETUP_REQUEST),
				   .silence = OUTCOME_VIOLATION,
				   .why = "the emergency PDU session gets resources "
					  "in the access network")))
		tc_violation(t, "no resources are set up for the emergency PDU session");
	still_congested(t, &control);
}

static void mps_registration(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	if (!tc_control_try(t, "subscriber supi=%s mps=yes", ue_supi(ue)))
		tc_note(t, "the subscription could not be set to MPS");
	ue_access_identity(ue, 1);
	congest(t, &control);
	ue_register(ue, REG_INITIAL, .cause = RRC_MPS_PRIORITY_ACCESS);
	served(t, ue, REGISTRATION_ACCEPT);
	still_congested(t, &control);
}

#define EXEMPT(number, ics, ...)                            \
	.id = "TP/N1/AMF/EXEMPT/" number, .role = ROLE_AMF, \
	.needs = NEEDS(ICS_NAS_CONGESTION) | (ics), __VA_ARGS__
#define CONGESTED "AMF congested: "

const struct test_case exempt_situation_cases[EXEMPT_SITUATION_CASES] = {
	{ EXEMPT("10", 0, .requirement = "N1-A-06", .clause = "24.501 5.3.9 e", .strength = SHOULD),
	  .purpose = "A congested AMF serves the response to its paging",
	  .stimulus = CONGESTED "PAGING for downlink data answered by SERVICE REQUEST of type "
				"mobile terminated services, RRC cause mt-Access",
	  .expect = "SERVICE ACCEPT", .run = paging_response },
	{ EXEMPT("11", 0, .requirement = "N1-A-07", .clause = "24.501 5.3.9 e, 5.6.2.2.1",
		 .strength = SHOULD),
	  .purpose = "A congested AMF serves a response to paging that is a registration update",
	  .stimulus = CONGESTED "PAGING answered by a mobility registration update, RRC cause "
				"mt-Access",
	  .expect = "REGISTRATION ACCEPT", .run = paging_response_by_update },
	{ EXEMPT("12", NEEDS(ICS_NON_3GPP) | NEEDS(ICS_NOTIFICATION), .requirement = "N1-A-06",
		 .clause = "24.501 5.3.9 e, 5.6.3.2", .strength = SHOULD),
	  .purpose = "A congested AMF serves the response to its notification",
	  .stimulus = CONGESTED "NOTIFICATION over non-3GPP access answered by SERVICE REQUEST of "
				"type mobile terminated services over 3GPP access",
	  .expect = "SERVICE ACCEPT", .run = notification_response, .param = false },
	{ EXEMPT("X15", NEEDS(ICS_NON_3GPP) | NEEDS(ICS_NOTIFICATION), .requirement = "N1-A-07",
		 .clause = "24.501 5.3.9 e, 5.6.3.2", .strength = SHOULD),
	  .purpose = "A congested AMF serves a mobility update that answers its notification",
	  .stimulus = CONGESTED "NOTIFICATION over non-3GPP access answered by a mobility "
				"registration update over 3GPP access",
	  .expect = "REGISTRATION ACCEPT", .run = notification_response, .param = true },
	{ EXEMPT("13", 0, .requirement = "N1-A-08", .clause = "24.501 5.3.9 f", .strength = SHOULD),
	  .purpose =
		  "A congested AMF serves an initial registration that the radio calls emergency",
	  .stimulus = CONGESTED "initial registration (type 1) with RRC cause emergency",
	  .expect = "REGISTRATION ACCEPT", .run = initial_registration_with_emergency_cause },
	{ EXEMPT("14", 0, .requirement = "N1-A-08", .clause = "24.501 5.3.9 f", .strength = SHOULD),
	  .purpose = "A congested AMF serves a mobility update that the radio calls emergency",
	  .stimulus = CONGESTED "mobility registration update with RRC cause emergency",
	  .expect = "REGISTRATION ACCEPT", .run = update_with_emergency_cause,
	  .param = REG_MOBILITY },
	{ EXEMPT("15", 0, .requirement = "N1-A-10", .clause = "23.501 5.19.7.2",
		 .strength = SHOULD),
	  .purpose = "A congested AMF serves a mobility update of a connected UE",
	  .stimulus = "UE CM-CONNECTED, then AMF congested: mobility registration update in an "
		      "UPLINK NAS TRANSPORT",
	  .expect = "REGISTRATION ACCEPT", .run = connected_update },
	{ EXEMPT("16", NEEDS(ICS_DISCONTINUOUS_COVERAGE), .requirement = "N1-A-09",
		 .clause = "24.501 5.3.9 g", .strength = SHOULD),
	  .purpose = "A congested AMF serves a report of discontinuous coverage",
	  .stimulus = CONGESTED "mobility registration update with unavailability information",
	  .expect = "REGISTRATION ACCEPT", .run = discontinuous_coverage },
	{ EXEMPT("17", NEEDS(ICS_PS_DATA_OFF), .requirement = "N1-A-13",
		 .clause = "23.501 5.19.7.2", .strength = SHALL),
	  .purpose = "A congested AMF forwards a report of 3GPP PS data off",
	  .stimulus = CONGESTED "SERVICE REQUEST of type elevated signalling, then PDU SESSION "
				"MODIFICATION REQUEST",
	  .expect = "SERVICE ACCEPT, and the 5GSM message is answered, not returned with a cause",
	  .run = data_off_report },
	{ EXEMPT("18", 0, .requirement = "N1-A-06", .clause = "24.501 5.3.9 e", .strength = MAY),
	  .purpose = "Whether the AMF trusts the service type alone",
	  .stimulus = CONGESTED "SERVICE REQUEST of type mobile terminated services without PAGING "
				"or NOTIFICATION",
	  .expect = "Either outcome is recorded", .run = unasked_mobile_terminated_request },
	{ EXEMPT("X01", NEEDS(ICS_EMERGENCY), .requirement = "N1-A-15", .clause = "23.501 5.19.5.2",
		 .strength = SHOULD),
	  .purpose = "A congested AMF carries an emergency through to its PDU session",
	  .stimulus = CONGESTED "emergency registration and emergency PDU session",
	  .expect = "REGISTRATION ACCEPT, PDU SESSION ESTABLISHMENT ACCEPT, resources set up on N2",
	  .run = emergency_session },
	{ EXEMPT("X02", 0, .requirement = "N1-A-08", .clause = "24.501 5.3.9 f",
		 .strength = SHOULD),
	  .purpose = "A congested AMF serves a periodic update that the radio calls emergency",
	  .stimulus = CONGESTED "periodic registration update with RRC cause emergency",
	  .expect = "REGISTRATION ACCEPT", .run = update_with_emergency_cause,
	  .param = REG_PERIODIC },
	{ EXEMPT("X03", NEEDS(ICS_HIGH_PRIORITY), .requirement = "N1-A-04",
		 .clause = "24.501 5.3.9 c", .strength = SHOULD),
	  .purpose = "A congested AMF serves the registration of an MPS UE",
	  .stimulus = CONGESTED "initial registration with RRC cause mps-PriorityAccess",
	  .expect = "REGISTRATION ACCEPT", .run = mps_registration },
};
