/*
 * TP/N1/AMF/SBI: what an AMF makes of congestion towards the network functions behind it, which the
 * suite plays: exempt procedures end to end (N1-A-13, N1-A-15, N1-A-06), and what a UE gets where
 * one of them is overloaded or refuses.
 */
#include "suites/n1_congestion/behind.h"

#include <inttypes.h>

enum { PSI = 5, WAIT_S = 60, EMERGENCIES = 24 };

struct sbi_core *behind(struct tc *t, enum sbi_role role)
{
	struct sbi_core *core = sbi_core_demanded(t);

	if (!sbi_core_server(core, role))
		tc_na(t, "tester.sbi.roles has not all that this case is about");
	return core;
}

static uint64_t until(const struct tc *t)
{
	return loop_now(t->loop) + t->profile->response_time;
}

/* --- end to end ------------------------------------------------------------------------------ */

/* The UE's message, or its completion of the SMF's command as well, came to the SMF. */
static bool has_seen_modification(const struct sbi_smf_session *before,
				  const struct sbi_smf_session *now)
{
	return now->n1_messages > before->n1_messages &&
	       (now->last_n1 == NAS_PDU_SESSION_MODIFICATION_REQUEST ||
		now->n1_messages > before->n1_messages + 1);
}

static void data_off_report(struct tc *t)
{
	struct sbi_core *core = behind(t, SBI_ROLE_SMF);
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);
	struct sbi_smf_session before = { 0 }, now = { 0 };

	ue_registered(ue);
	ue_pdu_session(ue, .psi = PSI);
	if (!sbi_smf_session(core->smf, ue_supi(ue), PSI, &before))
		tc_inconc(t, "the PDU session is not that of the SMF which the suite plays");
	congest(t, &control);
	ue_service_request(ue, SR_ELEVATED_SIGNALLING);
	served(t, ue, SERVICE_ACCEPT);
	forget_nas(ue);
	ue_data_off_request(ue, .psi = PSI);
	session_answer(t, ue, PSI);
	sbi_smf_session(core->smf, ue_supi(ue), PSI, &now);
	if (!has_seen_modification(&before, &now))
		tc_violation(t, "the report of 3GPP PS data off did not come to the SMF");
	tc_note(t, "N11: %s exemption indication", now.exempted ? "with an" : "without");
	still_congested(t, &control);
}

struct session_at {
	const struct sbi_smf *smf;
	const char *supi;
	uint8_t psi;
};

static bool has_user_plane(void *arg)
{
	const struct session_at *at = arg;
	struct sbi_smf_session session;

	return sbi_smf_session(at->smf, at->supi, at->psi, &session) && session.active &&
	       session.user_plane;
}

static void emergency_session(struct tc *t)
{
	struct sbi_core *core = behind(t, SBI_ROLE_SMF);
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct session_at at = { .smf = core->smf, .psi = PSI };
	struct sbi_smf_session session;
	struct ue *ue;

	congest(t, &control);
	ue = emergency_ue(t, gnb);
	ue_pdu_session_request(ue, .psi = PSI, .request_type = NAS_REQUEST_INITIAL_EMERGENCY);
	session_answer(t, ue, PSI);
	at.supi = ue_supi(ue);
	if (!sbi_smf_session(core->smf, at.supi, PSI, &session)) {
		/* who was not authenticated is known by the PEI there */
		if (sbi_smf_sessions(core->smf) == 0)
			tc_violation(t, "the SMF knows of no emergency PDU session");
		tc_note(t, "the SMF has the session under another identity than the SUPI");
	} else if (!tc_wait(t, t->profile->response_time, has_user_plane, &at)) {
		tc_violation(t, "the SMF is not told of the resources of the emergency PDU session "
				"in the access network");
	}
	still_congested(t, &control);
}

static void mps_registration(struct tc *t)
{
	struct sbi_core *core = behind(t, SBI_ROLE_UDM);
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);
	size_t authenticated;

	behind(t, SBI_ROLE_AUSF);
	congest(t, &control);
	authenticated = sbi_ausf_authenticated(core->ausf, NULL);
	ue_access_identity(ue, 1);
	ue_register(ue, REG_INITIAL, .cause = RRC_MPS_PRIORITY_ACCESS);
	served(t, ue, REGISTRATION_ACCEPT);
	if (sbi_ausf_authenticated(core->ausf, NULL) == authenticated)
		tc_violation(t, "the UE was accepted, and the AUSF has not authenticated it");
	if (!sbi_udm_has_amf(core->udm,
			     sbi_subscriber_of(&core->subscribers, HTTP_TEXT(ue_supi(ue))), false))
		tc_violation(t, "the UE was accepted, and no AMF is registered for it at the UDM");
	still_congested(t, &control);
}

static void paging_for_data(struct tc *t)
{
	struct sbi_core *core = behind(t, SBI_ROLE_SMF);
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);
	struct session_at at = { .smf = core->smf, .psi = PSI };

	ue_registered(ue);
	ue_can_be_paged(ue);
	congest(t, &control);
	ue_downlink(ue, "data");
	expect_paging(t, ue, .silence = OUTCOME_INCONC);
	ue_service_request(ue, SR_MOBILE_TERMINATED, .cause = RRC_MT_ACCESS);
	served(t, ue, SERVICE_ACCEPT);
	at.supi = ue_supi(ue);
	if (!tc_wait(t, t->profile->response_time, has_user_plane, &at))
		tc_violation(t, "the UE answered, and the session that it was paged for gets no "
				"resources in the access network");
	still_congested(t, &control);
}

/* --- overloaded network functions ------------------------------------------------------------ */

enum told { TOLD_ACCEPTED, TOLD_REFUSED };

/*
 * What the UE gets for its last request for a session. Nothing at all is a violation: it would wait
 * for T3580, five times.
 */
static enum told session_told(struct tc *t, struct ue *ue, uint8_t psi)
{
	uint64_t end = until(t);

	for (;;) {
		uint64_t now = loop_now(t->loop);
		const struct nas_received *m = expect_nas(
			t, ue, .type = DL_NAS_TRANSPORT, .within = end > now ? end - now : 1,
			.silence = OUTCOME_VIOLATION,
			.why = "the UE is told what became of its request");
		const struct nas_msg *sm = received_sm(m);
		int cause = received_cause(m);

		if (cause >= 0) {
			tc_note(t, "the request for a session comes back with 5GMM cause %d",
				cause);
			if (cause == NAS_5GMM_CONGESTION &&
			    !nas_find(&m->msg, NAS_IE_BACK_OFF_TIMER_VALUE))
				tc_violation(t, "5GMM cause 22 for a 5GSM message comes without a "
						"back-off timer");
			return TOLD_REFUSED;
		}
		if (sm && sm->pdu_session_id == psi)
			return sm->type == NAS_PDU_SESSION_ESTABLISHMENT_ACCEPT ? TOLD_ACCEPTED
										: TOLD_REFUSED;
	}
}

/* From now on the SMF asks for this reduction; the AMF hears it with its next answer. */
static void overload_smf(struct tc *t, struct sbi_core *core, unsigned int metric)
{
	enum { ROOM = 400 };
	char *value = tc_alloc(t, ROOM);
	struct http_header *field = tc_alloc(t, sizeof(*field));
	struct text text;
	const struct sbi_load oci = {
		.has = SBI_HAS_TIMESTAMP | SBI_HAS_VALIDITY | SBI_HAS_METRIC | SBI_HAS_SCOPE,
		.timestamp =
			(loop_epoch_ms(t->loop) + (int64_t)(loop_now(t->loop) / US_PER_MS)) / 1000,
		.validity = 600,
		.metric = (uint16_t)metric,
		.scope = { .kind = SBI_SCOPE_NF_INSTANCE,
			   .id = HTTP_TEXT(sbi_core_instance_id(SBI_ROLE_SMF)) },
	};

	text_init(&text, value, ROOM);
	sbi_oci_print(&text, &oci);
	*field = (struct http_header)HTTP_HEADER("3gpp-sbi-oci", value);
	sbi_server_fields(sbi_core_server(core, SBI_ROLE_SMF), field, 1);
}

static struct ue *connected_ue(struct gnb *gnb)
{
	struct ue *ue = ue_new(gnb);

	ue_registered(ue, .stay_connected = true);
	if (!ue_is_connected(ue))
		ue_connected(ue);
	forget_nas(ue);
	return ue;
}

static void request_session(struct ue *ue)
{
	ue_pdu_session_request(ue, .psi = PSI, .request_type = NAS_REQUEST_INITIAL);
}

/* The AMF has asked the SMF for a session, whose answer says the overload. */
static void smf_is_heard(struct gnb *gnb)
{
	struct ue *ue = ue_new(gnb);

	ue_registered(ue, .stay_connected = true);
	ue_pdu_session(ue, .psi = PSI, .stay_connected = true);
}

static void smf_overloaded(struct tc *t)
{
	struct sbi_core *core = behind(t, SBI_ROLE_SMF);
	struct gnb *gnb = gnb_connect(t);
	struct sbi_smf_session session;
	struct ue *ue;

	overload_smf(t, core, 100);
	smf_is_heard(gnb);
	ue = connected_ue(gnb);
	request_session(ue);
	if (session_told(t, ue, PSI) == TOLD_ACCEPTED)
		tc_note(t, "the session was accepted in spite of the overload");
	if (sbi_smf_session(core->smf, ue_supi(ue), PSI, &session))
		tc_violation(t, "the SMF asked for a reduction by 100 %%, and gets a request for "
				"a new session");
}

static void emergency_at_overloaded_smf(struct tc *t)
{
	struct sbi_core *core = behind(t, SBI_ROLE_SMF);
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue;

	overload_smf(t, core, 50);
	smf_is_heard(gnb);
	ue = emergency_ue(t, gnb);
	for (unsigned int i = 0; i < EMERGENCIES; i++) {
		uint8_t psi = (uint8_t)(1 + i % 15);
		const struct nas_msg *sm;

		forget_nas(ue);
		ue_pdu_session_request(ue, .psi = psi,
				       .request_type = NAS_REQUEST_INITIAL_EMERGENCY);
		sm = session_answer(t, ue, psi);
		if (sm->type != NAS_PDU_SESSION_ESTABLISHMENT_ACCEPT)
			tc_inconc(t, "the SMF refused an emergency PDU session");
	}
}

static const struct sbi_rule smf_wants_time = {
	.method = "POST",
	.path = "/nsmf-pdusession/v1/sm-contexts",
	.status = 503,
	.cause = "NF_CONGESTION",
	.headers = { { JSON_TEXT("retry-after"), JSON_TEXT("60") } },
	.header_count = 1,
	.times = 1,
};

static void smf_retry_after(struct tc *t)
{
	struct sbi_core *core = behind(t, SBI_ROLE_SMF);
	struct gnb *gnb = gnb_connect(t);
	struct ue *first = connected_ue(gnb), *second = connected_ue(gnb);
	struct sbi_server *smf = sbi_core_server(core, SBI_ROLE_SMF);
	struct sbi_smf_session session;

	sbi_server_rule(smf, &smf_wants_time);
	request_session(first);
	if (session_told(t, first, PSI) == TOLD_ACCEPTED)
		tc_inconc(t, "the AMF found another SMF than the one that the suite plays");
	request_session(second);
	session_told(t, second, PSI);
	if (sbi_smf_session(core->smf, ue_supi(first), PSI, &session) ||
	    sbi_smf_session(core->smf, ue_supi(second), PSI, &session))
		tc_violation(t,
			     "the SMF answered 503 with Retry-After %d, and got another request "
			     "for a new session before that",
			     WAIT_S);
}

static void smf_refuses(struct tc *t)
{
	static const struct sbi_rule refusal = {
		.method = "POST",
		.path = "/nsmf-pdusession/v1/sm-contexts",
		.status = 403,
		.cause = "DNN_DENIED",
	};
	struct sbi_core *core = behind(t, SBI_ROLE_SMF);
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = connected_ue(gnb);

	sbi_server_rule(sbi_core_server(core, SBI_ROLE_SMF), &refusal);
	request_session(ue);
	if (session_told(t, ue, PSI) == TOLD_ACCEPTED)
		tc_inconc(t, "the AMF found another SMF than the one that the suite plays");
}

static bool is_for_good(int cause)
{
	switch (cause) {
	case NAS_5GMM_ILLEGAL_UE:
	case NAS_5GMM_ILLEGAL_ME:
	case NAS_5GMM_SERVICES_NOT_ALLOWED:
	case NAS_5GMM_PLMN_NOT_ALLOWED:
	case NAS_5GMM_TRACKING_AREA_NOT_ALLOWED:
		return true;
	default:
		return false;
	}
}

static void udm_overloaded(struct tc *t)
{
	static const struct sbi_rule overloaded = {
		.path = "/nudm-",
		.status = 503,
		.cause = "NF_CONGESTION",
	};
	struct sbi_core *core = behind(t, SBI_ROLE_UDM);
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	const struct nas_received *answer;
	int cause;

	sbi_server_rule(sbi_core_server(core, SBI_ROLE_UDM), &overloaded);
	ue_register(ue, REG_INITIAL);
	answer = expect_nas(t, ue, .type = ONE_OF(REGISTRATION_REJECT, REGISTRATION_ACCEPT),
			    .silence = OUTCOME_VIOLATION,
			    .why = "the UE is told that it cannot register now");
	if (received_type(answer) == REGISTRATION_ACCEPT) {
		tc_note(t, "the AMF serves the UE without the UDM");
		return;
	}
	cause = received_cause(answer);
	if (cause == NAS_5GMM_CONGESTION)
		congestion_reject(t, answer);
	else if (is_for_good(cause))
		tc_violation(t, "an overloaded UDM keeps the UE out for good: 5GMM cause %d",
			     cause);
	else
		tc_note(t, "rejected with 5GMM cause %d", cause);
}

#define BEHIND(number, row, where, verb)                                                         \
	.id = "TP/N1/AMF/SBI/" number, .role = ROLE_AMF, .strength = (verb), .requirement = row, \
	.clause = where
#define CONGESTED "AMF congested: "

const struct test_case behind_cases[BEHIND_CASES] = {
	{ BEHIND("X01", "N1-A-13", "23.501 5.19.7.2", SHALL),
	  .needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_PS_DATA_OFF),
	  .purpose = "A report of 3GPP PS data off comes to the SMF through a congested AMF",
	  .stimulus = CONGESTED "SERVICE REQUEST of type elevated signalling, then PDU SESSION "
				"MODIFICATION REQUEST",
	  .expect = "Nsmf_PDUSession_UpdateSMContext with the 5GSM message, and its answer",
	  .run = data_off_report },
	{ BEHIND("X02", "N1-A-15", "23.501 5.19.5.2", SHOULD),
	  .needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_EMERGENCY),
	  .purpose = "A congested AMF brings an emergency PDU session up at the SMF",
	  .stimulus = CONGESTED "emergency registration and emergency PDU session",
	  .expect = "The SMF has the session, with its resources in the access network",
	  .run = emergency_session },
	{ BEHIND("X03", "N1-A-15", "23.501 5.19.5.2", SHOULD),
	  .needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_HIGH_PRIORITY),
	  .purpose = "A congested AMF carries an MPS UE's registration through AUSF and UDM",
	  .stimulus = CONGESTED "initial registration with RRC cause mps-PriorityAccess",
	  .expect = "REGISTRATION ACCEPT, authenticated by the AUSF, registered at the UDM",
	  .run = mps_registration },
	{ BEHIND("X04", "SB-C-01", "29.500 6.4.3.5.1", SHALL), .needs = NEEDS(ICS_OLC_H),
	  .purpose = "An SMF that asks for no more sessions by OCI gets none",
	  .stimulus = "SMF: 3gpp-Sbi-Oci with metric 100 %; then a UE requests a PDU session",
	  .expect = "No request to the SMF; the UE is told, cause 22 with a back-off timer",
	  .run = smf_overloaded },
	{ BEHIND("X05", "SB-C-19", "29.500 6.4.2.2", SHOULD),
	  .purpose = "An SMF that says Retry-After is left alone for that time",
	  .stimulus = "SMF: 503 with Retry-After 60; two UEs request PDU sessions",
	  .expect = "No second request to the SMF; both UEs are told", .run = smf_retry_after },
	{ BEHIND("X06", "SB-C-02", "29.500 6.4.3.5.2", SHALL),
	  .purpose = "An overloaded UDM sends a UE into back-off, not away for good",
	  .stimulus = "UDM: 503 NF_CONGESTION for everything; initial registration",
	  .expect = "REGISTRATION REJECT; with cause 22 it has T3346", .run = udm_overloaded },
	{ BEHIND("X07", "SB-C-02", "29.500 6.4.3.5.2", SHALL),
	  .purpose = "What an SMF refuses is told to the UE",
	  .stimulus = "SMF: 403 to CreateSMContext; a UE requests a PDU session",
	  .expect = "The 5GSM message comes back with a 5GMM cause, or a 5GSM reject comes",
	  .run = smf_refuses },
	{ BEHIND("X08", "N1-A-06", "24.501 5.3.9 e", SHOULD), .needs = NEEDS(ICS_NAS_CONGESTION),
	  .purpose = "A congested AMF has an SMF's downlink data reach the UE",
	  .stimulus =
		  CONGESTED "N1N2MessageTransfer of the SMF for a UE in CM-IDLE, PAGING answered "
			    "by SERVICE REQUEST",
	  .expect = "SERVICE ACCEPT, and the session gets its resources in the access network",
	  .run = paging_for_data },
	{ BEHIND("X09", "SB-C-18", "29.500 6.4.2.1", SHALL), .needs = NEEDS(ICS_EMERGENCY),
	  .purpose = "Emergency sessions are not shed for an SMF's OCI while others are sent",
	  .stimulus = "SMF: 3gpp-Sbi-Oci with metric 50 %; 24 requests for emergency PDU sessions",
	  .expect = "All of them are accepted", .run = emergency_at_overloaded_smf },
};
