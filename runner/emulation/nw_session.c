/*
 * UL NAS TRANSPORT and a minimal SMF behind it (TS 24.501 5.4.5, 6.4): enough for sessions of the
 * IUT's UEs to come up, be modified and go.
 */
#include <errno.h>

#include "runner/emulation/nw_private.h"
#include "runner/emulation/sm_accept.h"

enum { PSI_FIRST = 1, PSI_LAST = 15, SM_MAX = 256 };

/* A 5GSM message on its way: as DL NAS TRANSPORT, or with the setup of its resources. */
static void send_sm(struct nw_connection *connection, const struct nas_msg *sm, bool with_resources)
{
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];
	uint8_t octets[SM_MAX], plain[SM_MAX + 16];
	uint8_t *out = ue->nw->e->nas_out;
	struct nas_msg msg;
	ssize_t len = nas_encode(sm, octets, sizeof(octets));
	int error = len < 0 ? (int)len : 0;

	msg = nas_build(ue->nw->e, NAS_DL_NAS_TRANSPORT);
	nas_add_u8(&msg, NAS_IE_PAYLOAD_CONTAINER_TYPE, NAS_PAYLOAD_N1_SM);
	nas_add_u8(&msg, NAS_IE_SPARE, 0);
	nas_add(&msg, NAS_IE_PAYLOAD_CONTAINER, OCTETS(octets, len > 0 ? (size_t)len : 0));
	nas_add_u8(&msg, NAS_IE_PDU_SESSION_ID, sm->pdu_session_id);
	if (!with_resources) {
		nw_answer(connection, &msg);
		return;
	}
	len = error ? error : nas_encode(&msg, plain, sizeof(plain));
	if (len > 0) {
		nw_ue_record(ue, true, OCTETS(plain, (size_t)len),
			     NAS_INTEGRITY_PROTECTED_AND_CIPHERED, NULL);
		len = nw_protect(&access->context, connection->access,
				 NAS_INTEGRITY_PROTECTED_AND_CIPHERED, OCTETS(plain, (size_t)len),
				 out, MESSAGE_MAX);
	}
	error = len < 0 ? (int)len
			: nw_session_setup(connection, sm->pdu_session_id,
					   OCTETS(out, (size_t)len));
	if (error < 0 && error != -ENOTCONN)
		emulation_end(ue->nw->e, VERDICT_ERROR, "%s: cannot send %s: %s", ue->name,
			      nas_message_name(sm->type), strerror(-error));
}

static void answer_to(const struct nas_msg *request, enum nas_message_type type,
		      struct nas_msg *answer, struct arena *arena)
{
	nas_init(answer, type, arena);
	answer->pdu_session_id = request->pdu_session_id;
	answer->pti = request->pti;
}

static void establish(struct nw_connection *connection, const struct nas_msg *request,
		      struct arena *arena)
{
	struct nw_ue *ue = connection->ue;
	struct nas_msg sm;

	ue->sessions |= (uint16_t)(1U << request->pdu_session_id);
	answer_to(request, NAS_PDU_SESSION_ESTABLISHMENT_ACCEPT, &sm, arena);
	sm_accept_fill(&sm, ue->serial);
	send_sm(connection, &sm, true);
}

static bool answer(struct nw_connection *connection, const struct nas_msg *sm, struct arena *arena)
{
	struct nw_ue *ue = connection->ue;
	uint16_t bit = (uint16_t)(1U << sm->pdu_session_id);
	struct nas_msg out;

	switch (sm->type) {
	case NAS_PDU_SESSION_ESTABLISHMENT_REQUEST:
		establish(connection, sm, arena);
		return true;
	case NAS_PDU_SESSION_MODIFICATION_REQUEST:
		answer_to(sm,
			  ue->sessions & bit ? NAS_PDU_SESSION_MODIFICATION_COMMAND
					     : NAS_PDU_SESSION_MODIFICATION_REJECT,
			  &out, arena);
		if (!(ue->sessions & bit))
			nas_add_u8(&out, NAS_IE_5GSM_CAUSE, NAS_5GSM_INVALID_PDU_SESSION_IDENTITY);
		send_sm(connection, &out, false);
		return true;
	case NAS_PDU_SESSION_RELEASE_REQUEST:
		answer_to(sm,
			  ue->sessions & bit ? NAS_PDU_SESSION_RELEASE_COMMAND
					     : NAS_PDU_SESSION_RELEASE_REJECT,
			  &out, arena);
		nas_add_u8(&out, NAS_IE_5GSM_CAUSE,
			   ue->sessions & bit ? NAS_5GSM_REGULAR_DEACTIVATION
					      : NAS_5GSM_INVALID_PDU_SESSION_IDENTITY);
		ue->sessions &= (uint16_t)~bit;
		send_sm(connection, &out, false);
		return true;
	case NAS_PDU_SESSION_MODIFICATION_COMPLETE:
	case NAS_PDU_SESSION_RELEASE_COMPLETE:
		return true;
	default:
		return false;
	}
}

bool nw_session_input(struct nw_connection *connection, const struct nas_received *m)
{
	const struct nw_ue_access *access = &connection->ue->access[connection->access];
	uint8_t memory[NAS_ARENA_SIZE], container_type = 0;
	struct octets payload;
	struct arena arena;
	struct nas_msg sm;

	/* Sessions of a UE that is de-registered are gone; DL NAS TRANSPORT would end its T3346. */
	if (!access->registered && !access->accepted)
		return false;
	arena_init(&arena, memory, sizeof(memory));
	if (!(nw_behaviours(connection) & NW_ANSWER_SESSION) ||
	    !nas_get_u8(&m->msg, NAS_IE_PAYLOAD_CONTAINER_TYPE, &container_type) ||
	    container_type != NAS_PAYLOAD_N1_SM ||
	    !nas_get(&m->msg, NAS_IE_PAYLOAD_CONTAINER, &payload) ||
	    nas_decode(&sm, payload, &arena, DECODE_LENIENT, NULL) != FINDING_NONE ||
	    sm.epd != NAS_EPD_5GSM || sm.pdu_session_id < PSI_FIRST || sm.pdu_session_id > PSI_LAST)
		return false;
	return answer(connection, &sm, &arena);
}
