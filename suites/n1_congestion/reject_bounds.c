/*
 * TP/N1/AMF/REJECT/06 to 08 and own cases: where rejects for congestion begin and end, and the
 * other messages that carry cause 22.
 */
#include <inttypes.h>

#include "suites/n1_congestion/congestion.h"

/* The first message with an IEI 5F. */
struct sighting {
	bool seen;
	uint8_t type;
};

static void look_for_t3346(const struct nas_received *m, void *arg)
{
	struct sighting *sighting = arg;

	if (sighting->seen || !received_t3346(m).present)
		return;
	sighting->seen = true;
	sighting->type = received_type(m);
}

static void accepted_without_t3346(struct tc *t, struct ue *ue, enum mm_message accept,
				   const struct sighting *sighting)
{
	const struct nas_received *m =
		expect_nas(t, ue, .type = accept, .never_cause = NAS_5GMM_CONGESTION,
			   .otherwise = OUTCOME_RETURN);

	/* A reject that says nothing of congestion may be the subscription's fault. */
	if (!m && !sighting->seen)
		expect_nas(t, ue, .type = accept, .otherwise = OUTCOME_INCONC);
	if (m)
		ue_idle(ue);
	if (sighting->seen)
		tc_violation(t, "%s of an AMF that is not congested carries a T3346 (IEI 5F)",
			     nas_message_name(sighting->type));
}

static void not_congested(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct sighting *sighting = tc_alloc(t, sizeof(*sighting));

	watch_nas(t, look_for_t3346, sighting);
	ue_register(ue, REG_INITIAL);
	accepted_without_t3346(t, ue, REGISTRATION_ACCEPT, sighting);
	ue_service_request(ue, SR_DATA);
	accepted_without_t3346(t, ue, SERVICE_ACCEPT, sighting);
}

/* A base that is long past the time that the AMF gets to end its congestion. */
static void congest_for_long(struct tc *t, const struct control *control)
{
	uint64_t base = 20 * t->profile->response_time;

	if (base < t->profile->t3346_min)
		base = t->profile->t3346_min;
	if (base > t->profile->t3346_max)
		base = t->profile->t3346_max;
	if (!tc_control_try(t, "nas-congestion state=on t3346=%" PRIu64, base / US_PER_S)) {
		tc_note(t, "T3346 is what the AMF has configured");
		order_congestion(t);
	}
	await_congestion(t, control);
}

static void congestion_ends(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb), *new = ue_new(gnb);
	const struct nas_received *answer;

	ue_registered(ue);
	congest_for_long(t, &control);
	end_congestion(t);
	tc_sleep(t, t->profile->response_time);
	ue_service_request(ue, SR_DATA);
	expect_nas(t, ue, .type = SERVICE_ACCEPT, .never = SERVICE_REJECT,
		   .never_cause = NAS_5GMM_CONGESTION);

	ue_register(new, REG_INITIAL);
	expect_nas(t, new, .type = REGISTRATION_ACCEPT, .never = REGISTRATION_REJECT,
		   .never_cause = NAS_5GMM_CONGESTION);

	/* The UE that was rejected comes before its T3346 has run, which an AMF may remember. */
	ue_service_request(control.before, SR_DATA);
	answer = expect_nas(t, control.before, .type = ONE_OF(SERVICE_ACCEPT, SERVICE_REJECT));
	if (received_type(answer) == SERVICE_REJECT)
		tc_note(t,
			"a UE that was rejected before is still rejected, with cause %d, while "
			"its T3346 runs",
			received_cause(answer));
}

static void released_after(struct tc *t, struct ue *ue, const struct nas_received *reject)
{
	/* The standard names no time; twice what a procedure may take is long enough for any. */
	uint64_t within = 2 * t->profile->response_time;

	if (!expect_ue_ngap(t, ue, .type = NGAP_UE_CONTEXT_RELEASE_COMMAND, .within = within,
			    .silence = OUTCOME_RETURN))
		tc_should(t, "N1-A-34", "no UE CONTEXT RELEASE COMMAND within %" PRIu64 " s of %s",
			  within / US_PER_S, nas_message_name(received_type(reject)));
}

static void released_after_reject(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *registered = ue_new(gnb), *new = ue_new(gnb);

	ue_registered(registered);
	order_congestion(t);
	forget_nas(registered);
	released_after(t, registered, rejected_service_request(t, registered));
	released_after(t, new, rejected_registration(t, new, REG_INITIAL));
}

static void released_after_update(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	order_congestion(t);
	released_after(t, ue, rejected_registration(t, ue, REG_MOBILITY));
}

static void connected_service_request(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);
	const struct nas_received *answer;

	ue_registered(ue, .stay_connected = true);
	congest(t, &control);
	if (!ue_is_connected(ue))
		tc_inconc(t, "the AMF released the UE before it could send its request");
	ue_service_request(ue, SR_DATA);
	answer = expect_nas(t, ue, .type = ONE_OF(SERVICE_ACCEPT, SERVICE_REJECT));
	if (received_type(answer) == SERVICE_ACCEPT)
		tc_note(t, "the AMF serves service requests in CM-CONNECTED");
	else
		congestion_reject(t, answer);
}

static void protected_registration_reject(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	congest(t, &control);
	judge_protection(t, rejected_registration(t, ue, (enum reg_type)t->test->param));
}

/* The cells of the node are NB-IoT: RAT Information in every supported tracking area. */
static void serve_nb_iot(struct ngap_pdu *pdu, void *arg)
{
	static const enum ngap_rat_information rat = NGAP_RAT_INFORMATION_NB_IO_T;
	static const struct ngap_ie extension = {
		.id = NGAP_ID_RAT_INFORMATION,
		.criticality = NGAP_CRITICALITY_REJECT,
		.type = NGAP_TYPE_RAT_INFORMATION,
		.value = &rat,
	};
	static const struct ngap_ie_list extensions = { .count = 1, .items = &extension };
	struct ngap_supported_ta_list *list = arg;

	for (size_t i = 0; i < pdu->count; i++) {
		const struct ngap_supported_ta_list *sent = pdu->ies[i].value;
		struct ngap_supported_ta_item *items;

		if (pdu->ies[i].id != NGAP_ID_SUPPORTED_TA_LIST || !sent)
			continue;
		items = arena_take(pdu->arena, sent->count * sizeof(*items));
		if (!items)
			return;
		for (size_t k = 0; k < sent->count; k++) {
			items[k] = sent->items[k];
			items[k].ie_extensions = &extensions;
		}
		*list = (struct ngap_supported_ta_list){ .count = sent->count, .items = items };
		pdu->ies[i].value = list;
	}
}

static void barred_subscriber(struct tc *t)
{
	struct ngap_supported_ta_list *list = tc_alloc(t, sizeof(*list));
	struct gnb *node =
		gnb_connect(t, .kind = NODE_NG_ENB, .alter = serve_nb_iot, .alter_arg = list);
	struct ue *ue = ue_new(node);
	const struct nas_received *answer;

	tc_control(t, "subscriber supi=%s odb=yes", ue_supi(ue));
	ue_register(ue, REG_INITIAL);
	answer = expect_nas(t, ue, .type = ONE_OF(REGISTRATION_REJECT, REGISTRATION_ACCEPT));
	if (received_type(answer) == REGISTRATION_ACCEPT)
		tc_inconc(t, "the barred subscriber was registered: there is no reject to judge");
	congestion_reject(t, answer);
}

/* DEREGISTRATION REQUEST of the network, in the form that was ordered. */
static const struct nas_received *ordered_deregistration(struct tc *t, struct ue *ue,
							 const char *reregister, unsigned int t3346)
{
	const struct nas_received *m;
	uint8_t type = 0;
	bool required;

	if (t3346)
		tc_control(t, "deregister supi=%s reregister=%s cause=22 t3346=%u", ue_supi(ue),
			   reregister, t3346);
	else
		tc_control(t, "deregister supi=%s reregister=%s cause=22", ue_supi(ue), reregister);
	m = expect_nas(t, ue, .type = DEREGISTRATION_REQUEST);
	nas_get_u8(&m->msg, NAS_IE_DEREGISTRATION_TYPE, &type);
	required = type & NAS_DEREGISTRATION_REREGISTRATION_REQUIRED;
	if (required != (reregister[0] == 'y'))
		tc_inconc(t, "the AMF was told reregister=%s and sent the opposite", reregister);
	return m;
}

static void network_deregistration(struct tc *t)
{
	enum { BACK_OFF = 60 };
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *backs_off = ue_new(gnb), *returns = ue_new(gnb);
	const struct nas_received *m;
	struct timer_ie t3346;

	ue_registered(backs_off, .stay_connected = true);
	ue_registered(returns, .stay_connected = true);
	congest(t, &control);

	m = ordered_deregistration(t, backs_off, "no", BACK_OFF);
	if (received_cause(m) != NAS_5GMM_CONGESTION && !received_t3346(m).present)
		tc_inconc(t, "DEREGISTRATION REQUEST carries neither cause 22 nor T3346, as it "
			     "may: there is nothing to judge");
	if (received_cause(m) != NAS_5GMM_CONGESTION)
		tc_fail(t, "DEREGISTRATION REQUEST carries T3346 with cause %d, not 22",
			received_cause(m));
	t3346 = received_t3346(m);
	if (t3346.present && (t3346.value.len != 1 || t3346.us != BACK_OFF * US_PER_S))
		tc_fail(t,
			"T3346 of DEREGISTRATION REQUEST was ordered as %d s and reads as "
			"%" PRIu64 " s (length %zu)",
			BACK_OFF, t3346.us / US_PER_S, t3346.value.len);

	m = ordered_deregistration(t, returns, "yes", 0);
	if (received_t3346(m).present)
		tc_should(t, "N1-A-33",
			  "DEREGISTRATION REQUEST that requires re-registration "
			  "carries T3346, which the UE does not obey");
}

#define REJECT(number, ics, ...)                            \
	.id = "TP/N1/AMF/REJECT/" number, .role = ROLE_AMF, \
	.needs = NEEDS(ICS_NAS_CONGESTION) | (ics), __VA_ARGS__
#define CONGESTED "AMF congested: "

const struct test_case reject_bounds_cases[REJECT_BOUNDS_CASES] = {
	{ REJECT("06", 0, .requirement = "N1-A-22", .clause = "24.501 5.3.9", .strength = SHALL),
	  .purpose = "Without congestion there is no T3346",
	  .stimulus = "AMF not congested: initial registration, then SERVICE REQUEST of type data",
	  .expect = "Accepts, and no IEI 5F in any downlink NAS message", .run = not_congested },
	{ REJECT("07", 0, .requirement = "N1-A-01", .clause = "24.501 5.3.9", .strength = SHALL),
	  .purpose = "Rejects end with the congestion",
	  .stimulus = "Congestion on, then off: SERVICE REQUEST of a UE that was not "
		      "rejected before, and initial registration",
	  .expect = "SERVICE ACCEPT, REGISTRATION ACCEPT", .iut_time_us = 5 * US_PER_S,
	  .run = congestion_ends },
	{ REJECT("08", 0, .requirement = "N1-A-34", .clause = "24.501 5.3.9, 23.501 5.19.7.2",
		 .strength = SHALL),
	  .purpose = "The AMF releases the N1 connection after a reject",
	  .stimulus = CONGESTED "a service request and an initial registration that are rejected",
	  .expect = "UE CONTEXT RELEASE COMMAND after each reject", .run = released_after_reject },
	{ REJECT("X01", 0, .requirement = "N1-A-11", .clause = "23.501 5.19.7.2, 24.501 5.6.1.5",
		 .strength = SHALL),
	  .purpose = "A service request in CM-CONNECTED is served or rejected for congestion",
	  .stimulus = CONGESTED "SERVICE REQUEST of type data in an UPLINK NAS TRANSPORT",
	  .expect = "SERVICE ACCEPT, or SERVICE REJECT with cause 22 and T3346",
	  .run = connected_service_request },
	{ REJECT("X02", NEEDS(ICS_NG_ENB) | NEEDS(ICS_CP_CIOT), .requirement = "N1-A-27",
		 .clause = "24.501 5.5.1.2.5", .strength = SHALL),
	  .purpose = "In NB-N1 mode operator determined barring is told as congestion",
	  .stimulus = "Initial registration of a barred subscriber in an NB-IoT cell",
	  .expect = "REGISTRATION REJECT with cause 22 and T3346", .run = barred_subscriber },
	{ REJECT("X03", 0, .requirement = "N1-A-33", .clause = "24.501 5.5.2.3", .strength = MAY),
	  .purpose = "A network-initiated de-registration may carry cause 22 and T3346",
	  .stimulus = CONGESTED "de-registration by the network, without and with re-registration "
				"required",
	  .expect = "Cause 22 with the T3346 that was ordered; no T3346 where re-registration is "
		    "required",
	  .run = network_deregistration },
	{ REJECT("X04", 0, .requirement = "N1-A-32", .clause = "24.501 4.4.4.2", .strength = SHALL),
	  .purpose = "The reject of an update is integrity protected",
	  .stimulus = CONGESTED "integrity protected mobility registration update of a registered "
				"UE",
	  .expect = "REGISTRATION REJECT integrity protected", .run = protected_registration_reject,
	  .param = REG_MOBILITY },
	{ REJECT("X06", 0, .requirement = "N1-A-34", .clause = "24.501 5.3.9, 23.501 5.19.7.2",
		 .strength = SHALL),
	  .purpose = "The AMF releases the N1 connection after the reject of an update",
	  .stimulus = CONGESTED "a mobility registration update that is rejected",
	  .expect = "UE CONTEXT RELEASE COMMAND", .run = released_after_update },
	{ REJECT("X07", 0, .requirement = "N1-A-32", .clause = "24.501 4.4.4.2", .strength = SHALL),
	  .purpose = "The reject of a periodic update is integrity protected",
	  .stimulus = CONGESTED "integrity protected periodic registration update",
	  .expect = "REGISTRATION REJECT integrity protected", .run = protected_registration_reject,
	  .param = REG_PERIODIC },
	{ REJECT("X08", 0, .requirement = "N1-A-32", .clause = "24.501 4.4.4.2", .strength = SHALL),
	  .purpose = "The reject of an initial registration is protected where the UE is known",
	  .stimulus = CONGESTED "integrity protected initial registration with a 5G-GUTI",
	  .expect = "REGISTRATION REJECT integrity protected", .run = protected_registration_reject,
	  .param = REG_INITIAL },
};
