/*
 * The UE-associated part of an emulated node: RAN UE NGAP IDs, NAS in both directions, and the
 * default answers to the AMF's UE procedures (TS 38.413 8.2, 8.3, 8.6, 10.6).
 */
#include <errno.h>

#include "runner/emulation/emulation.h"

bool ngap_is_ue_associated(const struct ngap_pdu *pdu)
{
	/* An OVERLOAD START with a UE id in it is still a message for the node. */
	if (pdu->message != NGAP_MESSAGE_UNKNOWN && pdu->message != NGAP_ERROR_INDICATION)
		return ngap_ie_row(pdu->message, NGAP_ID_RAN_UE_NGAP_ID) ||
		       ngap_ie_row(pdu->message, NGAP_ID_UE_NGAP_IDS);
	return ngap_find(pdu, NGAP_ID_RAN_UE_NGAP_ID) || ngap_find(pdu, NGAP_ID_AMF_UE_NGAP_ID);
}

static uint16_t ue_stream(const struct gnb *gnb, uint32_t ran_ue_ngap_id)
{
	uint16_t streams = gnb->link ? link_streams(gnb->link) : 1;

	/* Stream 0 is for non-UE-associated signalling alone (38.412 7). */
	return streams > 1 ? (uint16_t)(1 + (ran_ue_ngap_id - 1) % (streams - 1U)) : 0;
}

/* NULL when the node has no more ids. */
static struct connection *connection_new(struct gnb *gnb, struct ue *ue)
{
	struct connection *connection;

	if (gnb->connection_count == gnb->connection_room) {
		size_t room = gnb->connection_room ? 2 * gnb->connection_room : 64;
		struct connection **grown;

		if (room > NODE_UES_MAX)
			return NULL;
		grown = tc_alloc(gnb->e->t, room * sizeof(struct connection *));
		if (gnb->connection_count)
			memcpy(grown, gnb->connections,
			       gnb->connection_count * sizeof(struct connection *));
		gnb->connections = grown;
		gnb->connection_room = room;
	}
	connection = tc_alloc(gnb->e->t, sizeof(*connection));
	connection->ue = ue;
	connection->ran_ue_ngap_id = (uint32_t)(gnb->connection_count + 1);
	connection->stream = ue_stream(gnb, connection->ran_ue_ngap_id);
	connection->peer_stream = -1;
	connection->open = true;
	gnb->connections[gnb->connection_count++] = connection;
	return connection;
}

static void connection_end(struct gnb *gnb, struct connection *connection)
{
	struct ue_access *access = &connection->ue->access[gnb_access(gnb)];

	connection->open = false;
	if (access->connection == connection)
		ue_now_idle(connection->ue, gnb_access(gnb));
}

void gnb_drop_connections(struct gnb *gnb)
{
	for (size_t i = 0; i < gnb->connection_count; i++)
		if (gnb->connections[i]->open)
			connection_end(gnb, gnb->connections[i]);
}

static struct connection *by_ran_id(struct gnb *gnb, int64_t id)
{
	return id >= 1 && (uint64_t)id <= gnb->connection_count ? gnb->connections[id - 1] : NULL;
}

static struct connection *by_amf_id(struct gnb *gnb, int64_t id)
{
	/* The newest first: an id of a connection that has ended may be used again. */
	for (size_t i = gnb->connection_count; i-- > 0;)
		if (gnb->connections[i]->has_amf_ue_ngap_id &&
		    gnb->connections[i]->amf_ue_ngap_id == (uint64_t)id)
			return gnb->connections[i];
	return NULL;
}

void gnb_drop_part(struct gnb *gnb,
		   const struct ngap_ue_associated_logical_ng_connection_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct connection *connection = NULL;

		if (list->items[i].ran_ue_ngap_id)
			connection = by_ran_id(gnb, *list->items[i].ran_ue_ngap_id);
		else if (list->items[i].amf_ue_ngap_id)
			connection = by_amf_id(gnb, *list->items[i].amf_ue_ngap_id);
		if (connection && connection->open)
			connection_end(gnb, connection);
	}
}

/* --- sending --- */

/* NULL when the arena is too small. */
static const struct ngap_user_location_information *location(struct gnb *gnb, struct arena *arena)
{
	const struct profile *profile = gnb->e->t->profile;
	struct ngap_user_location_information *location = arena_take(arena, sizeof(*location));
	uint8_t *octets = arena_take(arena, 8);
	struct octets plmn = OCTETS(profile->plmn.bcd, 3);
	struct ngap_tai tai = { .plmn_identity = plmn };

	if (!location || !octets)
		return NULL;
	memset(location, 0, sizeof(*location));
	octets[0] = (uint8_t)(gnb->tac >> 16);
	octets[1] = (uint8_t)(gnb->tac >> 8);
	octets[2] = (uint8_t)gnb->tac;
	tai.tac = OCTETS(octets, 3);
	switch (gnb->options.kind) {
	case NODE_GNB: {
		struct ngap_user_location_information_nr *nr =
			&location->user_location_information_nr;

		location->choice =
			NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_NR;
		nr->nr_cgi.plmn_identity = plmn;
		nr->nr_cgi.nr_cell_identity = ((uint64_t)gnb->id << 14 | 1) & 0xfffffffff;
		nr->tai = tai;
		if (gnb->options.snpn) {
			struct ngap_ie_list *list = arena_take(arena, sizeof(*list));
			struct ngap_ie *ie = arena_take(arena, sizeof(*ie));

			if (!list || !ie)
				return NULL;
			*ie = (struct ngap_ie){ .id = NGAP_ID_NID,
						.criticality = NGAP_CRITICALITY_REJECT,
						.type = NGAP_TYPE_NID,
						.value = &profile->nid };
			*list = (struct ngap_ie_list){ .count = 1, .items = ie };
			nr->ie_extensions = list;
		}
		break;
	}
	case NODE_NG_ENB: {
		struct ngap_user_location_information_eutra *eutra =
			&location->user_location_information_eutra;

		location->choice =
			NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_EUTRA;
		eutra->eutra_cgi.plmn_identity = plmn;
		eutra->eutra_cgi.eutra_cell_identity = ((uint64_t)gnb->id << 8 | 1) & 0xfffffff;
		eutra->tai = tai;
		break;
	}
	case NODE_N3IWF: {
		struct ngap_user_location_information_n3iwf_with_port_number *n3iwf =
			&location->user_location_information_n3iwf_with_port_number;

		/* The UE's end of the IPsec tunnel: a documentation address (RFC 5737). */
		location->choice =
			NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_N3IWF_WITH_PORT_NUMBER;
		memcpy(octets, (const uint8_t[]){ 192, 0, 2, 1, 0x01, 0xf4 }, 6);
		n3iwf->ip_address = PER_BITS(octets, 32);
		n3iwf->port_number = OCTETS(octets + 4, 2);
		break;
	}
	}
	return location;
}

static enum ngap_rrc_establishment_cause establishment_cause(enum rrc_cause cause)
{
	static const enum ngap_rrc_establishment_cause causes[] = {
		[RRC_DEFAULT] = NGAP_RRC_ESTABLISHMENT_CAUSE_MO_SIGNALLING,
		[RRC_EMERGENCY] = NGAP_RRC_ESTABLISHMENT_CAUSE_EMERGENCY,
		[RRC_HIGH_PRIORITY_ACCESS] = NGAP_RRC_ESTABLISHMENT_CAUSE_HIGH_PRIORITY_ACCESS,
		[RRC_MT_ACCESS] = NGAP_RRC_ESTABLISHMENT_CAUSE_MT_ACCESS,
		[RRC_MO_SIGNALLING] = NGAP_RRC_ESTABLISHMENT_CAUSE_MO_SIGNALLING,
		[RRC_MO_DATA] = NGAP_RRC_ESTABLISHMENT_CAUSE_MO_DATA,
		[RRC_MO_VOICE_CALL] = NGAP_RRC_ESTABLISHMENT_CAUSE_MO_VOICE_CALL,
		[RRC_MO_VIDEO_CALL] = NGAP_RRC_ESTABLISHMENT_CAUSE_MO_VIDEO_CALL,
		[RRC_MO_SMS] = NGAP_RRC_ESTABLISHMENT_CAUSE_MO_SMS,
		[RRC_MPS_PRIORITY_ACCESS] = NGAP_RRC_ESTABLISHMENT_CAUSE_MPS_PRIORITY_ACCESS,
		[RRC_MCS_PRIORITY_ACCESS] = NGAP_RRC_ESTABLISHMENT_CAUSE_MCS_PRIORITY_ACCESS,
		[RRC_NOT_AVAILABLE] = NGAP_RRC_ESTABLISHMENT_CAUSE_NOT_AVAILABLE,
		[RRC_MO_EXCEPTION_DATA] = NGAP_RRC_ESTABLISHMENT_CAUSE_MO_EXCEPTION_DATA,
	};

	return (size_t)cause < sizeof(causes) / sizeof(*causes) ? causes[cause] : causes[0];
}

static int initial_ue_message(struct gnb *gnb, struct ue *ue, struct octets nas,
			      const struct uplink *uplink)
{
	struct ue_access *access = &ue->access[gnb_access(gnb)];
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_INITIAL_UE_MESSAGE);
	struct ngap_five_g_s_tmsi s_tmsi = { .amf_set_id = 0 };
	struct connection *connection;
	uint8_t tmsi[4];

	if (!gnb->link || !gnb->up)
		return -ENOTCONN;
	connection = connection_new(gnb, ue);
	if (!connection)
		return -ENOSPC;
	access->connection = connection;
	ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, connection->ran_ue_ngap_id);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, nas);
	ngap_add(&pdu, NGAP_ID_USER_LOCATION_INFORMATION, location(gnb, pdu.arena));
	ngap_add_enum(&pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE,
		      (int)establishment_cause(uplink->cause));
	if (uplink->s_tmsi) {
		s_tmsi.amf_set_id = uplink->s_tmsi->amf_set_id;
		s_tmsi.amf_pointer = uplink->s_tmsi->amf_pointer;
		for (int i = 0; i < 4; i++)
			tmsi[i] = (uint8_t)(uplink->s_tmsi->tmsi >> (24 - 8 * i));
		s_tmsi.five_g_tmsi = OCTETS(tmsi, 4);
		ngap_add(&pdu, NGAP_ID_FIVE_G_S_TMSI, &s_tmsi);
	}
	if (!uplink->no_ue_context_request)
		ngap_add_enum(&pdu, NGAP_ID_UE_CONTEXT_REQUEST, NGAP_UE_CONTEXT_REQUEST_REQUESTED);
	if (gnb->options.snpn)
		ngap_add(&pdu, NGAP_ID_SELECTED_NID, &gnb->e->t->profile->nid);
	if (uplink->alter)
		uplink->alter(&pdu, uplink->alter_arg);
	return gnb_transmit(gnb, connection->stream, &pdu);
}

void gnb_add_ids(struct ngap_pdu *pdu, const struct connection *connection)
{
	if (connection->has_amf_ue_ngap_id)
		ngap_add_int(pdu, NGAP_ID_AMF_UE_NGAP_ID, (int64_t)connection->amf_ue_ngap_id);
	ngap_add_int(pdu, NGAP_ID_RAN_UE_NGAP_ID, connection->ran_ue_ngap_id);
}

int gnb_uplink(struct gnb *gnb, struct ue *ue, struct octets nas, const struct uplink *uplink)
{
	const struct connection *connection = ue->access[gnb_access(gnb)].connection;
	struct ngap_pdu pdu;

	if (!connection)
		return initial_ue_message(gnb, ue, nas, uplink);
	pdu = ngap_build(gnb->e, NGAP_UPLINK_NAS_TRANSPORT);
	gnb_add_ids(&pdu, connection);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, nas);
	ngap_add(&pdu, NGAP_ID_USER_LOCATION_INFORMATION, location(gnb, pdu.arena));
	if (uplink->alter)
		uplink->alter(&pdu, uplink->alter_arg);
	return gnb_transmit(gnb, connection->stream, &pdu);
}

int gnb_release_request(struct gnb *gnb, const struct connection *connection)
{
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_UE_CONTEXT_RELEASE_REQUEST);
	struct ngap_cause cause = { .choice = NGAP_CAUSE_CHOICE_RADIO_NETWORK,
				    .radio_network = NGAP_CAUSE_RADIO_NETWORK_USER_INACTIVITY };

	gnb_add_ids(&pdu, connection);
	ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	return gnb_transmit(gnb, connection->stream, &pdu);
}

/* --- finding the UE --- */

/* The ids of a message; -1 where one is absent. */
static void ids_of(const struct ngap_pdu *pdu, int64_t *amf, int64_t *ran)
{
	const struct ngap_ue_ngap_ids *ids = ngap_value(pdu, NGAP_ID_UE_NGAP_IDS);

	*amf = *ran = -1;
	if (ids && ids->choice == NGAP_UE_NGAP_IDS_CHOICE_UE_NGAP_ID_PAIR) {
		*amf = ids->ue_ngap_id_pair.amf_ue_ngap_id;
		*ran = ids->ue_ngap_id_pair.ran_ue_ngap_id;
	} else if (ids && ids->choice == NGAP_UE_NGAP_IDS_CHOICE_AMF_UE_NGAP_ID) {
		*amf = ids->amf_ue_ngap_id;
	} else {
		ngap_get_int(pdu, NGAP_ID_AMF_UE_NGAP_ID, amf);
		ngap_get_int(pdu, NGAP_ID_RAN_UE_NGAP_ID, ran);
	}
}

static struct connection *find(struct gnb *gnb, const struct ngap_received *m)
{
	int64_t amf, ran;

	ids_of(&m->pdu, &amf, &ran);
	return ran >= 0 ? by_ran_id(gnb, ran) : amf >= 0 ? by_amf_id(gnb, amf) : NULL;
}

void gnb_ue_find(struct gnb *gnb, struct ngap_received *m)
{
	struct connection *connection = find(gnb, m);

	m->ue = connection ? connection->ue : NULL;
}

/* ERROR INDICATION with the ids that the message had (10.6). */
static void error_indication(struct gnb *gnb, const struct ngap_received *m,
			     enum ngap_cause_radio_network reason)
{
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_ERROR_INDICATION);
	struct ngap_cause cause = { .choice = NGAP_CAUSE_CHOICE_RADIO_NETWORK,
				    .radio_network = reason };
	int64_t amf, ran;

	ids_of(&m->pdu, &amf, &ran);
	if (amf >= 0)
		ngap_add_int(&pdu, NGAP_ID_AMF_UE_NGAP_ID, amf);
	if (ran >= 0)
		ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, ran);
	ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	gnb_reply(gnb, m->stream < link_streams(gnb->link) ? m->stream : 0, &pdu);
}

static void note_stream(struct gnb *gnb, const struct ngap_received *m,
			struct connection *connection)
{
	if (!gnb->noted_stream && m->stream == 0 && link_streams(gnb->link) > 1) {
		gnb->noted_stream = true;
		tc_note(gnb->e->t,
			"%s: the IUT sends UE-associated %s on stream 0, which is for other "
			"signalling (38.412 7)",
			gnb->name, ngap_message_name(m->pdu.message));
	}
	if (connection->peer_stream >= 0 && connection->peer_stream != m->stream &&
	    !gnb->noted_stream) {
		gnb->noted_stream = true;
		tc_note(gnb->e->t,
			"%s: the IUT changes the stream of %s from %d to %u, which should stay "
			"(38.412 7)",
			gnb->name, connection->ue->name, connection->peer_stream, m->stream);
	}
	connection->peer_stream = m->stream;
}

/* --- default answers --- */

static void simple_answer(struct gnb *gnb, const struct connection *connection,
			  enum ngap_message message)
{
	struct ngap_pdu pdu = ngap_build(gnb->e, message);

	gnb_add_ids(&pdu, connection);
	gnb_reply(gnb, connection->stream, &pdu);
}

static void release_complete(struct gnb *gnb, const struct connection *connection)
{
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_UE_CONTEXT_RELEASE_COMPLETE);

	gnb_add_ids(&pdu, connection);
	ngap_add(&pdu, NGAP_ID_USER_LOCATION_INFORMATION, location(gnb, pdu.arena));
	gnb_reply(gnb, connection->stream, &pdu);
}

/* Whether the message was answered. */
static bool behave(struct gnb *gnb, const struct ngap_received *m,
		   const struct connection *connection)
{
	switch (m->pdu.message) {
	case NGAP_INITIAL_CONTEXT_SETUP_REQUEST:
		if (!(gnb->behaviours & ANSWER_CONTEXT_SETUP))
			return false;
		gnb_answer_context_setup(gnb, m, connection);
		return true;
	case NGAP_UE_CONTEXT_RELEASE_COMMAND:
		if (!(gnb->behaviours & ANSWER_CONTEXT_RELEASE))
			return false;
		release_complete(gnb, connection);
		return true;
	case NGAP_UE_CONTEXT_MODIFICATION_REQUEST:
		if (!(gnb->behaviours & ANSWER_CONTEXT_MODIFICATION))
			return false;
		simple_answer(gnb, connection, NGAP_UE_CONTEXT_MODIFICATION_RESPONSE);
		return true;
	case NGAP_PDU_SESSION_RESOURCE_SETUP_REQUEST:
		if (!(gnb->behaviours & ANSWER_PDU_SESSION_RESOURCE))
			return false;
		gnb_answer_resource_setup(gnb, m, connection);
		return true;
	case NGAP_PDU_SESSION_RESOURCE_RELEASE_COMMAND:
		if (!(gnb->behaviours & ANSWER_PDU_SESSION_RESOURCE))
			return false;
		simple_answer(gnb, connection, NGAP_PDU_SESSION_RESOURCE_RELEASE_RESPONSE);
		return true;
	case NGAP_PDU_SESSION_RESOURCE_MODIFY_REQUEST:
		if (!(gnb->behaviours & ANSWER_PDU_SESSION_RESOURCE))
			return false;
		simple_answer(gnb, connection, NGAP_PDU_SESSION_RESOURCE_MODIFY_RESPONSE);
		return true;
	default:
		return false;
	}
}

static bool is_harmless(enum ngap_message message)
{
	switch (message) {
	case NGAP_DOWNLINK_NAS_TRANSPORT:
	case NGAP_DOWNLINK_UE_ASSOCIATED_NRPPA_TRANSPORT:
	case NGAP_LOCATION_REPORTING_CONTROL:
	case NGAP_TRACE_START:
	case NGAP_DEACTIVATE_TRACE:
	case NGAP_UE_RADIO_CAPABILITY_CHECK_REQUEST:
	case NGAP_UETNLA_BINDING_RELEASE_REQUEST:
	case NGAP_CONNECTION_ESTABLISHMENT_INDICATION:
	case NGAP_AMFCP_RELOCATION_INDICATION:
	case NGAP_UE_INFORMATION_TRANSFER:
		return true;
	default:
		return false;
	}
}

/* A message for a connection that has ended here, while the AMF need not know yet. */
static void late_input(struct gnb *gnb, const struct ngap_received *m,
		       const struct connection *connection)
{
	if (m->pdu.message == NGAP_UE_CONTEXT_RELEASE_COMMAND) {
		release_complete(gnb, connection);
		return;
	}
	if (m->pdu.message == NGAP_ERROR_INDICATION)
		return; /* our request and its release have crossed */
	record_log(gnb->e->t->record, RECORD_INFO, "%s: %s for %s, whose connection has ended",
		   gnb->name, ngap_message_name(m->pdu.message), connection->ue->name);
	error_indication(gnb, m, NGAP_CAUSE_RADIO_NETWORK_UNKNOWN_LOCAL_UE_NGAP_ID);
}

void gnb_ue_input(struct gnb *gnb, const struct ngap_received *m)
{
	struct emulation *e = gnb->e;
	struct connection *connection = find(gnb, m);
	bool answered;
	struct octets nas;
	struct ue *ue;
	int64_t amf, ran;

	ids_of(&m->pdu, &amf, &ran);
	if (!connection) {
		if (m->pdu.message != NGAP_ERROR_INDICATION)
			error_indication(gnb, m, NGAP_CAUSE_RADIO_NETWORK_UNKNOWN_LOCAL_UE_NGAP_ID);
		emulation_end(e, VERDICT_FAIL,
			      "the IUT sent %s to %s for a UE that is not there: AMF UE NGAP ID "
			      "%lld, RAN UE NGAP ID %lld (-1: absent)",
			      ngap_message_name(m->pdu.message), gnb->name, (long long)amf,
			      (long long)ran);
		return;
	}
	if (!connection->open) {
		late_input(gnb, m, connection);
		return;
	}
	ue = connection->ue;
	if (amf >= 0 && connection->has_amf_ue_ngap_id &&
	    connection->amf_ue_ngap_id != (uint64_t)amf) {
		error_indication(gnb, m, NGAP_CAUSE_RADIO_NETWORK_INCONSISTENT_REMOTE_UE_NGAP_ID);
		emulation_end(e, VERDICT_FAIL,
			      "the IUT sent %s to %s with AMF UE NGAP ID %lld for RAN UE NGAP ID "
			      "%u, whose AMF UE NGAP ID is %llu (38.413 10.6)",
			      ngap_message_name(m->pdu.message), gnb->name, (long long)amf,
			      connection->ran_ue_ngap_id,
			      (unsigned long long)connection->amf_ue_ngap_id);
		return;
	}
	if (amf >= 0) {
		connection->has_amf_ue_ngap_id = true;
		connection->amf_ue_ngap_id = (uint64_t)amf;
	}
	note_stream(gnb, m, connection);

	answered = behave(gnb, m, connection);
	if (m->pdu.message != NGAP_DOWNLINK_NAS_TRANSPORT &&
	    !queue_push(e->t, &ue->ngap, m, NULL, answered || is_harmless(m->pdu.message))) {
		emulation_end(e, VERDICT_FAIL,
			      "the IUT floods %s: %d messages that nobody asked for wait, the last "
			      "is %s",
			      ue->name, QUEUE_MAX, ngap_message_name(m->pdu.message));
		return;
	}
	if (ngap_get_octets(&m->pdu, NGAP_ID_NAS_PDU, &nas) &&
	    m->pdu.message != NGAP_REROUTE_NAS_REQUEST)
		ue_nas_input(ue, gnb_access(gnb), nas, m);
	if (!e->ended)
		gnb_session_nas(gnb, m, ue);
	if (answered && m->pdu.message == NGAP_UE_CONTEXT_RELEASE_COMMAND)
		connection_end(gnb, connection);
}

void gnb_paging_input(struct gnb *gnb, const struct ngap_received *m)
{
	const struct ngap_ue_paging_identity *identity =
		ngap_value(&m->pdu, NGAP_ID_UE_PAGING_IDENTITY);
	const struct ngap_five_g_s_tmsi *s_tmsi;
	uint32_t tmsi;

	if (!identity || identity->choice != NGAP_UE_PAGING_IDENTITY_CHOICE_FIVE_G_S_TMSI)
		return;
	s_tmsi = &identity->five_g_s_tmsi;
	if (s_tmsi->five_g_tmsi.len != 4)
		return;
	tmsi = (uint32_t)s_tmsi->five_g_tmsi.data[0] << 24 |
	       (uint32_t)s_tmsi->five_g_tmsi.data[1] << 16 |
	       (uint32_t)s_tmsi->five_g_tmsi.data[2] << 8 | s_tmsi->five_g_tmsi.data[3];
	for (struct ue *ue = gnb->e->ues; ue; ue = ue->next)
		if (ue->has_guti && ue->guti.s_tmsi.tmsi == tmsi &&
		    ue->guti.s_tmsi.amf_set_id == s_tmsi->amf_set_id &&
		    ue->guti.s_tmsi.amf_pointer == s_tmsi->amf_pointer)
			ue->paging = m;
}
