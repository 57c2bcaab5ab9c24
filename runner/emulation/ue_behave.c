/*
 * What an emulated UE does by itself: the answers without which no procedure gets anywhere, and
 * keeping what the network allots. Everything here can be switched off.
 */
#include "runner/emulation/emulation.h"

/* Causes after which 5G-GUTI, TAI list and security context are gone (24.501 5.5.1.2.5, 5.6.1.5).
 */
static bool cause_deletes_identity(int cause)
{
	return cause == NAS_5GMM_ILLEGAL_UE || cause == NAS_5GMM_ILLEGAL_ME ||
	       cause == NAS_5GMM_SERVICES_NOT_ALLOWED ||
	       cause == NAS_5GMM_UE_IDENTITY_CANNOT_BE_DERIVED;
}

static void take_timer_t3346(struct ue *ue, const struct nas_received *m)
{
	struct timer_ie timer = received_t3346(m);

	if (!timer.present)
		return;
	ue->t3346 = timer;
	record_timer(ue->e->t->record, ue->name, "T3346", "given", timer.us);
}

static void take_identity(struct ue *ue, const struct nas_received *m)
{
	struct nas_identity identity;

	if (!nas_get_identity(&m->msg, NAS_IE_5G_GUTI, &identity) ||
	    identity.type != NAS_IDENTITY_GUTI)
		return;
	ue->has_guti = true;
	ue->guti = identity.guti;
}

static void take_tai_list(struct ue_access *access, const struct nas_received *m)
{
	struct octets value;
	int count;

	if (!nas_get(&m->msg, NAS_IE_TAI_LIST, &value))
		return;
	count = nas_tai_list_decode(value, access->tais, NAS_TAI_LIST_MAX);
	access->tai_count = count < 0		       ? 0
			    : count < NAS_TAI_LIST_MAX ? (size_t)count
						       : NAS_TAI_LIST_MAX;
}

static void registration_accept(struct ue *ue, enum access access, const struct nas_received *m)
{
	/* IEs that have to be acknowledged (24.501 5.5.1.2.4, 5.5.1.3.4) */
	static const enum nas_ie acknowledged[] = {
		NAS_IE_5G_GUTI,
		NAS_IE_CONFIGURED_NSSAI,
		NAS_IE_NETWORK_SLICING_INDICATION,
		NAS_IE_OPERATOR_DEFINED_CATEGORIES,
		NAS_IE_EXTENDED_EMERGENCY_NUMBER_LIST,
		NAS_IE_CAG_INFORMATION_LIST,
		NAS_IE_SOR_TRANSPARENT_CONTAINER,
		NAS_IE_NSSRG_INFORMATION,
		NAS_IE_UE_RADIO_CAPABILITY_ID,
		NAS_IE_UE_RADIO_CAPABILITY_ID_DELETION,
	};
	struct timer_ie t3512 = received_timer(m, NAS_IE_T3512_VALUE);
	bool complete = false;

	ue->access[access].registered = true;
	take_identity(ue, m);
	take_tai_list(&ue->access[access], m);
	if (t3512.present)
		ue->t3512 = t3512.us;
	for (size_t i = 0; i < sizeof(acknowledged) / sizeof(*acknowledged); i++)
		complete |= nas_find(&m->msg, acknowledged[i]) != NULL;
	if (complete && ue->behaviours & COMPLETE_REGISTRATION) {
		struct nas_msg msg = nas_build(ue->e, NAS_REGISTRATION_COMPLETE);

		ue_answer(ue, access, &msg, ue_answer_type(ue, access));
	}
}

static void reject(struct ue *ue, enum access access, const struct nas_received *m, bool initial)
{
	int cause = received_cause(m);

	take_timer_t3346(ue, m);
	if (cause_deletes_identity(cause)) {
		ue->has_guti = false;
		ue->access[access].tai_count = 0;
		ue->access[access].context.valid = false;
	}
	if (initial || cause_deletes_identity(cause) || cause == NAS_5GMM_IMPLICITLY_DEREGISTERED)
		ue->access[access].registered = false;
}

static void configuration_update(struct ue *ue, enum access access, const struct nas_received *m)
{
	enum { ACKNOWLEDGEMENT_REQUESTED = 0x01 };
	uint8_t indication = 0;

	take_identity(ue, m);
	take_tai_list(&ue->access[access], m);
	if (nas_get_u8(&m->msg, NAS_IE_CONFIGURATION_UPDATE_INDICATION, &indication) &&
	    indication & ACKNOWLEDGEMENT_REQUESTED &&
	    ue->behaviours & COMPLETE_CONFIGURATION_UPDATE) {
		struct nas_msg msg = nas_build(ue->e, NAS_CONFIGURATION_UPDATE_COMPLETE);

		ue_answer(ue, access, &msg, ue_answer_type(ue, access));
	}
}

static void network_deregistration(struct ue *ue, enum access access, const struct nas_received *m)
{
	uint8_t type = NAS_ACCESS_3GPP;

	take_timer_t3346(ue, m);
	nas_get_u8(&m->msg, NAS_IE_DEREGISTRATION_TYPE, &type);
	if (type & NAS_ACCESS_3GPP)
		ue->access[ACCESS_3GPP].registered = false;
	if (type & NAS_ACCESS_NON_3GPP)
		ue->access[ACCESS_NON_3GPP].registered = false;
	if (ue->behaviours & ANSWER_DEREGISTRATION) {
		struct nas_msg msg = nas_build(ue->e, NAS_DEREGISTRATION_ACCEPT_UE_TERMINATED);

		ue_answer(ue, access, &msg, ue_answer_type(ue, access));
	}
}

static void add_temporary_identity(struct ue *ue, struct nas_msg *msg, bool short_form)
{
	static const uint8_t none[] = { NAS_IDENTITY_NONE };

	if (!ue->has_guti)
		nas_add(msg, NAS_IE_MOBILE_IDENTITY, OCTETS(none, sizeof(none)));
	else if (short_form)
		nas_add_s_tmsi(msg, NAS_IE_MOBILE_IDENTITY, &ue->guti.s_tmsi);
	else
		nas_add_guti(msg, NAS_IE_MOBILE_IDENTITY, &ue->guti);
}

static void identity_request(struct ue *ue, enum access access, const struct nas_received *m)
{
	static const uint8_t none[] = { NAS_IDENTITY_NONE };
	struct nas_msg msg = nas_build(ue->e, NAS_IDENTITY_RESPONSE);
	uint8_t type = 0;

	nas_get_u8(&m->msg, NAS_IE_IDENTITY_TYPE, &type);
	switch (type & 7) {
	case NAS_IDENTITY_SUCI:
		ue_add_suci(ue, &msg, NAS_IE_MOBILE_IDENTITY);
		break;
	case NAS_IDENTITY_GUTI:
		add_temporary_identity(ue, &msg, false);
		break;
	case NAS_IDENTITY_S_TMSI:
		add_temporary_identity(ue, &msg, true);
		break;
	case NAS_IDENTITY_IMEI:
	case NAS_IDENTITY_IMEISV:
		ue_add_imei(ue, &msg, NAS_IE_MOBILE_IDENTITY, (enum nas_identity_type)(type & 7));
		break;
	default:
		nas_add(&msg, NAS_IE_MOBILE_IDENTITY, OCTETS(none, sizeof(none)));
		break;
	}
	ue_answer(ue, access, &msg, ue_answer_type(ue, access));
}

/* A 5GSM message in answer to the network's command, in an UL NAS TRANSPORT. */
static void answer_session(struct ue *ue, enum access access, const struct nas_msg *command,
			   enum nas_message_type type)
{
	uint8_t memory[512], octets[32];
	struct nas_msg sm, msg;
	struct arena arena;
	int len;

	arena_init(&arena, memory, sizeof(memory));
	nas_init(&sm, type, &arena);
	sm.pdu_session_id = command->pdu_session_id;
	sm.pti = command->pti;
	len = nas_encode(&sm, octets, sizeof(octets));
	if (len < 0)
		return;
	msg = nas_build(ue->e, NAS_UL_NAS_TRANSPORT);
	nas_add_u8(&msg, NAS_IE_PAYLOAD_CONTAINER_TYPE, NAS_PAYLOAD_N1_SM);
	nas_add(&msg, NAS_IE_PAYLOAD_CONTAINER, OCTETS(octets, (size_t)len));
	nas_add_u8(&msg, NAS_IE_PDU_SESSION_ID, command->pdu_session_id);
	ue_answer(ue, access, &msg, ue_answer_type(ue, access));
}

static void downlink_transport(struct ue *ue, enum access access, const struct nas_received *m)
{
	uint8_t memory[NAS_ARENA_SIZE];
	struct octets payload;
	struct arena arena;
	struct nas_msg sm;
	uint16_t session;
	uint8_t type;

	arena_init(&arena, memory, sizeof(memory));
	if (!nas_get_u8(&m->msg, NAS_IE_PAYLOAD_CONTAINER_TYPE, &type) ||
	    type != NAS_PAYLOAD_N1_SM || !nas_get(&m->msg, NAS_IE_PAYLOAD_CONTAINER, &payload) ||
	    nas_decode(&sm, payload, &arena, DECODE_LENIENT, NULL) != FINDING_NONE ||
	    sm.epd != NAS_EPD_5GSM || sm.pdu_session_id > 15)
		return;
	session = (uint16_t)(1U << sm.pdu_session_id);
	switch (sm.type) {
	case NAS_PDU_SESSION_ESTABLISHMENT_ACCEPT:
		ue->sessions |= session;
		break;
	case NAS_PDU_SESSION_RELEASE_COMMAND:
		ue->sessions = (uint16_t)(ue->sessions & ~session);
		if (ue->behaviours & ANSWER_SESSION)
			answer_session(ue, access, &sm, NAS_PDU_SESSION_RELEASE_COMPLETE);
		break;
	case NAS_PDU_SESSION_MODIFICATION_COMMAND:
		if (ue->behaviours & ANSWER_SESSION)
			answer_session(ue, access, &sm, NAS_PDU_SESSION_MODIFICATION_COMPLETE);
		break;
	default:
		break;
	}
}

bool ue_behave(struct ue *ue, enum access access, const struct nas_received *m)
{
	switch (m->msg.type) {
	case REGISTRATION_ACCEPT:
		registration_accept(ue, access, m);
		return false;
	case REGISTRATION_REJECT:
		/* A rejected update leaves a UE registered where the cause does not say otherwise.
		 */
		reject(ue, access, m, !ue->access[access].registered);
		return false;
	case SERVICE_REJECT:
		reject(ue, access, m, false);
		return false;
	case DEREGISTRATION_REQUEST:
		network_deregistration(ue, access, m);
		return false;
	case DEREGISTRATION_ACCEPT:
		ue->access[access].registered = false;
		return false;
	case AUTHENTICATION_REQUEST:
		if (!(ue->behaviours & ANSWER_AUTHENTICATION))
			return false;
		ue_authentication_request(ue, access, m);
		return true;
	case AUTHENTICATION_RESULT:
		return true;
	case SECURITY_MODE_COMMAND:
		if (!(ue->behaviours & ANSWER_SECURITY_MODE))
			return false;
		ue_security_mode_command(ue, access, m);
		return true;
	case IDENTITY_REQUEST:
		if (!(ue->behaviours & ANSWER_IDENTITY))
			return false;
		identity_request(ue, access, m);
		return true;
	case CONFIGURATION_UPDATE_COMMAND:
		configuration_update(ue, access, m);
		return true;
	case DL_NAS_TRANSPORT:
		downlink_transport(ue, access, m);
		return true;
	default:
		return false;
	}
}
