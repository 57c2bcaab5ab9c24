/*
 * Uplink NAS: whose it is, whether it is protected as it says, and what it says (TS 24.501 4.4.4,
 * 4.4.6). Nothing is judged but what no network could work with.
 */
#include <stdio.h>

#include "runner/emulation/nw_private.h"

/* --- whose it is --- */

static struct nw_ue *by_identity(struct nw_amf *amf, const struct nas_identity *identity)
{
	switch (identity->type) {
	case NAS_IDENTITY_SUCI:
		return nw_ue_by_suci(amf->nw, &identity->suci);
	case NAS_IDENTITY_GUTI:
		return identity->guti.amf_region_id == amf->guami.region
			       ? nw_ue_by_s_tmsi(amf, &identity->guti.s_tmsi)
			       : NULL;
	case NAS_IDENTITY_S_TMSI:
		return nw_ue_by_s_tmsi(amf, &identity->s_tmsi);
	default:
		return NULL;
	}
}

static bool ngap_s_tmsi(const struct ngap_received *m, struct nas_s_tmsi *out)
{
	const struct ngap_five_g_s_tmsi *s_tmsi = ngap_value(&m->pdu, NGAP_ID_FIVE_G_S_TMSI);

	if (!s_tmsi || s_tmsi->five_g_tmsi.len != 4)
		return false;
	*out = (struct nas_s_tmsi){
		.amf_set_id = (uint16_t)s_tmsi->amf_set_id,
		.amf_pointer = (uint8_t)s_tmsi->amf_pointer,
		.tmsi = (uint32_t)s_tmsi->five_g_tmsi.data[0] << 24 |
			(uint32_t)s_tmsi->five_g_tmsi.data[1] << 16 |
			(uint32_t)s_tmsi->five_g_tmsi.data[2] << 8 | s_tmsi->five_g_tmsi.data[3],
	};
	return true;
}

/* The inner message as far as it can be read without keys. */
static struct octets readable(struct octets pdu)
{
	struct nas_security_header header;

	if (!nas_is_secured(pdu))
		return pdu;
	return nas_security_parse(pdu, &header) == NAS_SECURITY_OK ? header.message
								   : OCTETS(NULL, 0);
}

static struct nw_ue *find(struct nw_connection *connection, struct octets pdu,
			  const struct ngap_received *carrier)
{
	struct nw_amf *amf = connection->amf;
	uint8_t memory[NAS_ARENA_SIZE];
	struct nas_identity identity;
	struct nas_s_tmsi s_tmsi;
	struct arena arena;
	struct nas_msg msg;

	arena_init(&arena, memory, sizeof(memory));
	if (nas_decode(&msg, readable(pdu), &arena, DECODE_LENIENT, NULL) == FINDING_NONE &&
	    (nas_get_identity(&msg, NAS_IE_5GS_MOBILE_IDENTITY, &identity) ||
	     nas_get_identity(&msg, NAS_IE_5G_S_TMSI, &identity)))
		return by_identity(amf, &identity);
	return ngap_s_tmsi(carrier, &s_tmsi) ? nw_ue_by_s_tmsi(amf, &s_tmsi) : NULL;
}

static void attach(struct nw_connection *connection, struct nw_ue *ue)
{
	struct nw_ue_access *access = &ue->access[connection->access];
	struct nw_connection *old = access->connection;

	if (old && old != connection && old->open) {
		/* The UE has left that connection: what is there goes. */
		nw_ue_now_idle(ue, connection->access);
		if (!old->releasing)
			nw_release_command(old, NULL);
	}
	connection->ue = ue;
	access->connection = connection;
	ue->amf = connection->amf;
	ue->node = connection->node;
	ue->plmn = connection->plmn;
	ue->tac = connection->tac;
}

bool nw_nas_find(struct nw_connection *connection, struct octets pdu,
		 const struct ngap_received *carrier)
{
	struct nw *nw = connection->amf->nw;
	struct nw_ue *ue = find(connection, pdu, carrier);

	if (!ue)
		ue = nw_ue_new(nw, true);
	if (!ue)
		return false;
	attach(connection, ue);
	return true;
}

void nw_ue_becomes(struct nw_connection *connection, struct nw_ue *ue)
{
	struct nw_ue *stranger = connection->ue;
	struct nw_ue_access *from = &stranger->access[connection->access];
	struct nw_request request = from->request;
	bool follow_on = from->follow_on;

	if (stranger == ue)
		return;
	from->connection = NULL;
	attach(connection, ue);
	ue->access[connection->access].request = request;
	ue->access[connection->access].follow_on = follow_on;
	ue->access[connection->access].secured = false;
	/* What it has said as a stranger was said by this UE. */
	for (struct entry *entry = stranger->nas.first; entry; entry = entry->next) {
		((struct nas_received *)(uintptr_t)entry->nas)->nw_ue = ue;
		queue_push(ue->nw->e->t, &ue->nas, entry->ngap, entry->nas, entry->skippable);
	}
	queue_clear(&stranger->nas);
	ue->last = stranger->last;
	ue->requests += stranger->requests;
	stranger->requests = 0;
	if (stranger->capability_octets.len) {
		memcpy(ue->capability_storage, stranger->capability_storage,
		       sizeof(ue->capability_storage));
		ue->capability_octets =
			OCTETS(ue->capability_storage, stranger->capability_octets.len);
		ue->capability = stranger->capability;
	}
}

/* --- what it says --- */

/* A message as the network can read it. */
struct opened {
	struct octets plain;
	unsigned int security_header;
	bool integrity;
	uint32_t count;
	const struct nw_context *context;
};

static void discard(struct nw_ue *ue, struct octets pdu, unsigned int security_header,
		    const char *why, bool initial)
{
	ue->discarded++;
	if (initial)
		ue->unreadable_at = loop_now(ue->nw->e->t->loop);
	snprintf(ue->discard_reason, sizeof(ue->discard_reason), "%s", why);
	nw_ue_record(ue, false, pdu, security_header, "discarded");
	if (ue->discarded <= DISCARDED_NOTED)
		tc_note(ue->nw->e->t, "the network discards a NAS message of %s: %s", ue->name,
			why);
}

/* What a network takes without integrity protection (24.501 4.4.4.3). */
static bool plain_allowed(uint8_t type, bool secured)
{
	switch (type) {
	case NAS_REGISTRATION_REQUEST:
	case NAS_SERVICE_REQUEST:
	case NAS_CONTROL_PLANE_SERVICE_REQUEST:
	case NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING:
	case NAS_DEREGISTRATION_ACCEPT_UE_TERMINATED:
		return true;
	case NAS_IDENTITY_RESPONSE:
	case NAS_AUTHENTICATION_RESPONSE:
	case NAS_AUTHENTICATION_FAILURE:
	case NAS_SECURITY_MODE_REJECT:
		return !secured;
	default:
		return false;
	}
}

/* False where nothing of it can be used; why says it. */
static bool open_message(struct nw_connection *connection, struct octets pdu, bool initial,
			 struct opened *opened, struct text *why)
{
	struct emulation *e = connection->amf->nw->e;
	struct nw_ue_access *access = &connection->ue->access[connection->access];
	struct nas_security_header header;
	struct nw_context *context;
	size_t len;

	*opened = (struct opened){ .plain = pdu };
	if (!nas_is_secured(pdu))
		return true;
	if (nas_security_parse(pdu, &header) != NAS_SECURITY_OK || pdu.len > MESSAGE_MAX) {
		text_puts(why, "no security protected message");
		return false;
	}
	opened->security_header = header.type;
	context = header.type == NAS_INTEGRITY_PROTECTED_AND_CIPHERED_NEW_CONTEXT &&
				  access->candidate.valid
			  ? &access->candidate
			  : nw_context(connection->ue, connection->access);
	if (nw_unprotect(context, connection->access, pdu, e->nas_in, MESSAGE_MAX, &len,
			 &opened->count, why)) {
		opened->plain = OCTETS(e->nas_in, len);
		opened->integrity = true;
		opened->context = context;
		return true;
	}
	/* A first message is read as it stands, so that the UE can be authenticated. */
	if (!initial || header.type != NAS_INTEGRITY_PROTECTED)
		return false;
	opened->plain = header.message;
	return true;
}

/*
 * The whole message in the NAS message container of an initial one, where it can be deciphered:
 * that is what the UE has to say (4.4.6). Left as it is otherwise.
 */
static void unwrap(struct nw_connection *connection, struct opened *opened)
{
	uint8_t memory[NAS_ARENA_SIZE];
	struct octets container;
	struct arena arena;
	struct nas_msg msg, whole;
	uint8_t *copy;

	arena_init(&arena, memory, sizeof(memory));
	if (!opened->context ||
	    nas_decode(&msg, opened->plain, &arena, DECODE_LENIENT, NULL) != FINDING_NONE ||
	    msg.type == NAS_SECURITY_MODE_COMPLETE ||
	    !nas_get(&msg, NAS_IE_NAS_MESSAGE_CONTAINER, &container) || container.len == 0)
		return;
	copy = connection->amf->nw->e->nas_out;
	memcpy(copy, container.data, container.len);
	if (!nw_decipher(opened->context, connection->access, opened->count, copy, container.len))
		return;
	arena_init(&arena, memory, sizeof(memory));
	if (nas_decode(&whole, OCTETS(copy, container.len), &arena, DECODE_LENIENT, NULL) !=
		    FINDING_NONE ||
	    whole.type != msg.type)
		return;
	opened->plain = OCTETS(copy, container.len);
}

static void push(struct nw_ue *ue, const struct nas_received *m, bool skippable)
{
	struct emulation *e = ue->nw->e;

	if (!queue_push(e->t, &ue->nas, m->carrier, m, skippable))
		emulation_end(e, VERDICT_FAIL,
			      "the IUT floods the network: %d messages of %s that nobody asked for "
			      "wait, the last is %s",
			      QUEUE_MAX, ue->name, nas_message_name(m->msg.type));
}

void nw_nas_input(struct nw_connection *connection, struct octets pdu,
		  const struct ngap_received *carrier)
{
	struct emulation *e = connection->amf->nw->e;
	bool initial = carrier->pdu.message == NGAP_INITIAL_UE_MESSAGE;
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];
	struct nas_received *m;
	struct opened opened;
	char buf[200];
	struct text why;
	bool answered;

	text_init(&why, buf, sizeof(buf));
	if (!open_message(connection, pdu, initial, &opened, &why)) {
		discard(ue, pdu, pdu.len > 1 ? pdu.data[1] & 0x0f : 0, buf, initial);
		return;
	}
	unwrap(connection, &opened);
	m = received_nas(e, opened.plain, pdu, carrier, &why);
	if (!m) {
		discard(ue, opened.plain, opened.security_header, buf, initial);
		return;
	}
	m->nw_ue = ue;
	m->security_header = (uint8_t)opened.security_header;
	m->integrity = opened.integrity;
	m->count = opened.count;
	if (m->msg.epd != NAS_EPD_5GMM) {
		discard(ue, m->plain, opened.security_header, "no 5GMM message", initial);
		return;
	}
	if (!m->integrity && !plain_allowed(m->msg.type, access->secured)) {
		text_printf(&why, "%s without integrity protection", nas_message_name(m->msg.type));
		discard(ue, m->plain, opened.security_header, buf, initial);
		return;
	}
	nw_ue_record(ue, false, m->plain, opened.security_header,
		     opened.security_header && !m->integrity ? "its MAC is wrong here" : NULL);
	if (m->integrity) {
		access->last_ul_count = m->count;
		/* A first message that is protected right begins secure exchange (4.4.2.5). */
		if (initial)
			access->secured = true;
	}
	timer_stop(&connection->release);
	for (size_t i = 0; i < e->watcher_count; i++)
		if (e->watchers[i].nas)
			e->watchers[i].nas(m, e->watchers[i].arg);
	if (e->ended)
		return;
	ue->last = m;
	ue->plmn = connection->plmn;
	ue->tac = connection->tac;
	ue->node = connection->node;
	if (m->msg.type == NAS_REGISTRATION_REQUEST || m->msg.type == NAS_SERVICE_REQUEST ||
	    m->msg.type == NAS_CONTROL_PLANE_SERVICE_REQUEST)
		ue->requests++;
	answered = nw_behave(connection, m);
	ue = m->nw_ue = connection->ue; /* a stranger may have become somebody */
	push(ue, m, answered || bit_set(ue->harmless, m->msg.type));
}
