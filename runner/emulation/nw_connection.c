/*
 * The UE-associated part of a tester's AMF: AMF UE NGAP IDs, NAS in both directions, contexts and
 * their release (TS 38.413 8.3, 8.6, 10.6).
 */
#include <errno.h>

#include "runner/emulation/nw_private.h"
#include "runner/emulation/sm_accept.h"

unsigned int nw_behaviours(const struct nw_connection *connection)
{
	return connection->amf->behaviours & (connection->ue ? connection->ue->behaviours : ~0U);
}

struct nw_connection *nw_connection_by_id(const struct nw_amf *amf, int64_t amf_ue_ngap_id)
{
	return amf_ue_ngap_id >= 1 && amf_ue_ngap_id <= (int64_t)amf->connection_count
		       ? amf->connections[amf_ue_ngap_id - 1]
		       : NULL;
}

/* --- the end of a connection --- */

void nw_connection_end(struct nw_connection *connection)
{
	struct nw_ue *ue = connection->ue;

	if (!connection->open)
		return;
	connection->open = false;
	timer_stop(&connection->release);
	if (ue && ue->access[connection->access].connection == connection)
		nw_ue_now_idle(ue, connection->access);
}

void nw_drop_connections(struct nw_node *node, const struct nw_association *association)
{
	const struct nw_amf *amf = node->amf;

	for (size_t i = 0; i < amf->connection_count; i++) {
		struct nw_connection *connection = amf->connections[i];

		if (connection->node == node &&
		    (!association || connection->association == association))
			nw_connection_end(connection);
	}
}

void nw_connection_drop_part(struct nw_node *node,
			     const struct ngap_ue_associated_logical_ng_connection_list *list)
{
	const struct nw_amf *amf = node->amf;

	for (size_t i = 0; i < list->count; i++) {
		const int64_t *id = list->items[i].amf_ue_ngap_id;
		const int64_t *ran = list->items[i].ran_ue_ngap_id;

		for (size_t k = 0; k < amf->connection_count; k++) {
			struct nw_connection *connection = amf->connections[k];

			if (connection->open && connection->node == node &&
			    (id ? *id == (int64_t)connection->amf_ue_ngap_id
				: ran && *ran == connection->ran_ue_ngap_id))
				nw_connection_end(connection);
		}
	}
}

/* --- sending --- */

static void add_ids(struct ngap_pdu *pdu, const struct nw_connection *connection)
{
	ngap_add_int(pdu, NGAP_ID_AMF_UE_NGAP_ID, (int64_t)connection->amf_ue_ngap_id);
	ngap_add_int(pdu, NGAP_ID_RAN_UE_NGAP_ID, connection->ran_ue_ngap_id);
}

static int transmit(struct nw_connection *connection, struct ngap_pdu *pdu,
		    const struct nw_options *options)
{
	if (options && options->alter_ngap)
		options->alter_ngap(pdu, options->alter_ngap_arg);
	return nw_transmit(connection->association, connection->stream, pdu);
}

int nw_downlink(struct nw_connection *connection, struct octets nas,
		const struct nw_options *options)
{
	struct ngap_pdu pdu = ngap_build(connection->amf->nw->e, NGAP_DOWNLINK_NAS_TRANSPORT);

	add_ids(&pdu, connection);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, nas);
	return transmit(connection, &pdu, options);
}

/* Bits for NEA1, NEA2, ... from the first bit on (38.413 9.3.1.86); 0 is not in it. */
static struct per_bits algorithms(uint8_t octets[2], uint8_t mask)
{
	unsigned int bits = 0;

	for (unsigned int n = 1; n < 8; n++)
		if (mask >> n & 1)
			bits |= 1U << (16 - n);
	octets[0] = (uint8_t)(bits >> 8);
	octets[1] = (uint8_t)bits;
	return PER_BITS(octets, 16);
}

static const struct ngap_allowed_nssai *allowed_nssai(const struct slice *slices, size_t count,
						      struct arena *arena)
{
	static const struct slice any = { .sst = 1 };
	struct ngap_allowed_nssai *list = arena_take(arena, sizeof(*list));
	struct ngap_allowed_nssai_item *items = arena_take(arena, 8 * sizeof(*items));

	if (!list || !items)
		return NULL;
	if (count == 0) {
		slices = &any;
		count = 1;
	}
	count = count < 8 ? count : 8;
	memset(items, 0, 8 * sizeof(*items));
	for (size_t i = 0; i < count; i++)
		nw_s_nssai(arena, &slices[i], &items[i].s_nssai);
	*list = (struct ngap_allowed_nssai){ .count = count, .items = items };
	return list;
}

int nw_context_setup(struct nw_connection *connection, struct octets nas,
		     const struct slice *allowed, size_t count, const struct nw_options *options)
{
	struct nw_amf *amf = connection->amf;
	const struct nw_ue *ue = connection->ue;
	const struct profile *profile = amf->nw->e->t->profile;
	struct ngap_pdu pdu = ngap_build(amf->nw->e, NGAP_INITIAL_CONTEXT_SETUP_REQUEST);
	struct ngap_guami guami = {
		.plmn_identity = OCTETS(connection->plmn.bcd, 3),
		.amf_region_id = amf->guami.region,
		.amf_set_id = amf->guami.set,
		.amf_pointer = amf->guami.pointer,
	};
	uint8_t key[KDF_KEY_SIZE], bits[4][2];
	struct per_bits security_key = PER_BITS(key, 256);
	struct ngap_ue_security_capabilities capabilities = {
		.n_rencryption_algorithms = algorithms(bits[0], ue->capability.ea),
		.n_rintegrity_protection_algorithms = algorithms(bits[1], ue->capability.ia),
		.eutra_encryption_algorithms = algorithms(bits[2], ue->capability.eea),
		.eutra_integrity_protection_algorithms = algorithms(bits[3], ue->capability.eia),
	};

	if (!nw_k_gnb(ue, connection->access, key))
		random_bytes(&amf->nw->random, key, sizeof(key));
	add_ids(&pdu, connection);
	ngap_add(&pdu, NGAP_ID_GUAMI, &guami);
	ngap_add(&pdu, NGAP_ID_ALLOWED_NSSAI,
		 allowed_nssai(count ? allowed : profile->slices,
			       count ? count : profile->slice_count, pdu.arena));
	ngap_add(&pdu, NGAP_ID_UE_SECURITY_CAPABILITIES, &capabilities);
	ngap_add(&pdu, NGAP_ID_SECURITY_KEY, &security_key);
	if (nas.len)
		ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, nas);
	connection->context_set_up = true;
	return transmit(connection, &pdu, options);
}

static struct octets session_transfer(struct arena *arena, uint8_t psi)
{
	uint8_t *out = arena_take(arena, N2_TRANSFER_MAX);

	return out ? n2_setup_transfer(psi, out) : OCTETS(NULL, 0);
}

int nw_session_setup(struct nw_connection *connection, uint8_t psi, struct octets nas)
{
	const struct profile *profile = connection->amf->nw->e->t->profile;
	static const struct slice any = { .sst = 1 };
	struct ngap_pdu pdu =
		ngap_build(connection->amf->nw->e, NGAP_PDU_SESSION_RESOURCE_SETUP_REQUEST);
	struct ngap_pdu_session_resource_setup_item_su_req item = {
		.pdu_session_id = psi,
		.pdu_session_nas_pdu = &nas,
		.pdu_session_resource_setup_request_transfer = session_transfer(pdu.arena, psi),
	};
	struct ngap_pdu_session_resource_setup_list_su_req list = { .count = 1, .items = &item };
	struct ngap_ue_aggregate_maximum_bit_rate rate = {
		.ue_aggregate_maximum_bit_rate_dl = 1000000000,
		.ue_aggregate_maximum_bit_rate_ul = 1000000000,
	};

	nw_s_nssai(pdu.arena, profile->slice_count ? &profile->slices[0] : &any, &item.s_nssai);
	add_ids(&pdu, connection);
	ngap_add(&pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_SU_REQ, &list);
	ngap_add(&pdu, NGAP_ID_UE_AGGREGATE_MAXIMUM_BIT_RATE, &rate);
	return transmit(connection, &pdu, NULL);
}

int nw_release_command(struct nw_connection *connection, const struct ngap_cause *cause)
{
	static const struct ngap_cause normal = { .choice = NGAP_CAUSE_CHOICE_NAS,
						  .nas = NGAP_CAUSE_NAS_NORMAL_RELEASE };
	struct ngap_pdu pdu = ngap_build(connection->amf->nw->e, NGAP_UE_CONTEXT_RELEASE_COMMAND);
	struct ngap_ue_ngap_ids ids = {
		.choice = NGAP_UE_NGAP_IDS_CHOICE_UE_NGAP_ID_PAIR,
		.ue_ngap_id_pair = { .amf_ue_ngap_id = (int64_t)connection->amf_ue_ngap_id,
				     .ran_ue_ngap_id = connection->ran_ue_ngap_id },
	};

	connection->releasing = true;
	timer_stop(&connection->release);
	ngap_add(&pdu, NGAP_ID_UE_NGAP_IDS, &ids);
	ngap_add(&pdu, NGAP_ID_CAUSE, cause ? cause : &normal);
	return transmit(connection, &pdu, NULL);
}

static void release_by_default(struct nw_connection *connection, const struct ngap_cause *cause)
{
	int error;

	if (!connection->open || connection->releasing)
		return;
	error = nw_release_command(connection, cause);
	if (error < 0 && error != -ENOTCONN)
		emulation_end(connection->amf->nw->e, VERDICT_ERROR,
			      "cannot send UE CONTEXT RELEASE COMMAND: %s", strerror(-error));
}

static void on_release(struct timer *timer, void *arg)
{
	struct nw_connection *connection = arg;

	(void)timer;
	if (!connection->amf->nw->e->ended && nw_behaviours(connection) & NW_RELEASE &&
	    !connection->ue->keep_connected)
		release_by_default(connection, NULL);
}

void nw_release_later(struct nw_connection *connection)
{
	const struct nw_ue *ue = connection->ue;
	const struct nw_ue_access *access = &ue->access[connection->access];

	if (!connection->open || connection->releasing || ue->keep_connected ||
	    !(nw_behaviours(connection) & NW_RELEASE))
		return;
	/* REGISTRATION COMPLETE is still to come, and is given the time of an answer. */
	timer_start(&connection->release, access->accepted    ? ue->nw->e->t->profile->response_time
					  : access->follow_on ? NW_FOLLOW_ON_DELAY
							      : NW_RELEASE_DELAY);
}

void nw_release_now(struct nw_connection *connection)
{
	if (nw_behaviours(connection) & NW_RELEASE && !connection->ue->keep_connected)
		release_by_default(connection, NULL);
}

/* --- what arrives --- */

/* ERROR INDICATION with the ids that the message had (10.6). */
static void error_indication(struct nw_association *association, const struct ngap_received *m,
			     enum ngap_cause_radio_network reason)
{
	struct ngap_pdu pdu = ngap_build(association->amf->nw->e, NGAP_ERROR_INDICATION);
	struct ngap_cause cause = { .choice = NGAP_CAUSE_CHOICE_RADIO_NETWORK,
				    .radio_network = reason };
	int64_t id;

	if (ngap_get_int(&m->pdu, NGAP_ID_AMF_UE_NGAP_ID, &id))
		ngap_add_int(&pdu, NGAP_ID_AMF_UE_NGAP_ID, id);
	if (ngap_get_int(&m->pdu, NGAP_ID_RAN_UE_NGAP_ID, &id))
		ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, id);
	ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	nw_reply(association, 0, &pdu);
}

static struct nw_connection *connection_new(struct nw_association *association,
					    uint32_t ran_ue_ngap_id, uint16_t peer_stream)
{
	struct nw_amf *amf = association->amf;
	struct tc *t = amf->nw->e->t;
	struct nw_connection *connection;

	if (amf->connection_count == amf->connection_room) {
		size_t room = amf->connection_room ? 2 * amf->connection_room : 64;
		struct nw_connection **grown;

		if (room > NW_CONNECTIONS_MAX)
			return NULL;
		grown = tc_alloc(t, room * sizeof(*grown));
		if (amf->connection_count)
			memcpy(grown, amf->connections, amf->connection_count * sizeof(*grown));
		amf->connections = grown;
		amf->connection_room = room;
	}
	connection = tc_alloc(t, sizeof(*connection));
	connection->amf = amf;
	connection->node = association->node;
	connection->association = association;
	connection->access = association->node->kind == NODE_N3IWF ? ACCESS_NON_3GPP : ACCESS_3GPP;
	connection->plmn = t->profile->plmn;
	connection->tac = connection->node->tac;
	connection->amf_ue_ngap_id = amf->connection_count + 1;
	connection->ran_ue_ngap_id = ran_ue_ngap_id;
	/* The stream that the node has chosen for this UE, where we have it too (38.412 7). */
	connection->stream = peer_stream < link_streams(association->link) ? peer_stream : 0;
	connection->open = true;
	timer_init(&connection->release, t->loop, "release", on_release, connection);
	amf->connections[amf->connection_count++] = connection;
	return connection;
}

/*
 * Where the UE is: the TAI of the User Location Information, the PLMN that it has selected. What a
 * message does not say is as before: behind an N3IWF only the first one says the PLMN.
 */
static void locate(struct nw_connection *connection, const struct ngap_received *m)
{
	const struct ngap_user_location_information *location =
		ngap_value(&m->pdu, NGAP_ID_USER_LOCATION_INFORMATION);
	const struct ngap_tai *tai = NULL;
	struct octets plmn = OCTETS(connection->plmn.bcd, 3);
	struct octets selected;

	if (location &&
	    location->choice == NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_NR)
		tai = &location->user_location_information_nr.tai;
	else if (location &&
		 location->choice ==
			 NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_EUTRA)
		tai = &location->user_location_information_eutra.tai;
	if (tai && tai->tac.len == 3)
		connection->tac = (uint32_t)tai->tac.data[0] << 16 |
				  (uint32_t)tai->tac.data[1] << 8 | tai->tac.data[2];
	if (tai && tai->plmn_identity.len == 3)
		plmn = tai->plmn_identity;
	if (ngap_get_octets(&m->pdu, NGAP_ID_SELECTED_PLMN_IDENTITY, &selected) &&
	    selected.len == 3)
		plmn = selected;
	memmove(connection->plmn.bcd, plmn.data, 3);
}

static void watch(struct emulation *e, const struct ngap_received *m)
{
	for (size_t i = 0; i < e->watcher_count; i++)
		if (e->watchers[i].ngap)
			e->watchers[i].ngap(m, e->watchers[i].arg);
}

static struct nw_connection **bucket(struct nw_node *node, uint32_t ran_ue_ngap_id)
{
	return &node->by_ran_id[ran_ue_ngap_id % NW_BUCKETS];
}

/* The node uses a RAN UE NGAP ID again: what it meant before has ended there. */
static void end_former(struct nw_node *node, uint32_t ran_ue_ngap_id)
{
	struct nw_connection *connection = *bucket(node, ran_ue_ngap_id);

	while (connection && connection->ran_ue_ngap_id != ran_ue_ngap_id)
		connection = connection->older;
	if (connection)
		nw_connection_end(connection);
}

static void initial_ue_message(struct nw_association *association, struct ngap_received *m)
{
	struct nw_amf *amf = association->amf;
	struct emulation *e = amf->nw->e;
	struct nw_connection *connection;
	struct octets nas;
	int64_t id;

	if (!ngap_get_int(&m->pdu, NGAP_ID_RAN_UE_NGAP_ID, &id) ||
	    !ngap_get_octets(&m->pdu, NGAP_ID_NAS_PDU, &nas)) {
		emulation_end(e, VERDICT_FAIL,
			      "%s sent an INITIAL UE MESSAGE without RAN UE NGAP ID or NAS-PDU",
			      association->node->name);
		return;
	}
	end_former(association->node, (uint32_t)id);
	connection = connection_new(association, (uint32_t)id, m->stream);
	if (!connection) {
		emulation_end(e, VERDICT_FAIL, "the IUT floods %s: more than %d connections",
			      amf->name, NW_CONNECTIONS_MAX);
		return;
	}
	connection->older = *bucket(association->node, (uint32_t)id);
	*bucket(association->node, (uint32_t)id) = connection;
	locate(connection, m);
	connection->context_requested = ngap_find(&m->pdu, NGAP_ID_UE_CONTEXT_REQUEST) != NULL;
	nw_count_initial(association, m);
	if (amf->behaviours & NW_RELEASE_AT_ONCE) {
		watch(e, m);
		if (amf->behaviours & NW_RELEASE)
			release_by_default(connection, NULL);
		return;
	}
	if (!nw_nas_find(connection, nas, m))
		return;
	m->nw_ue = connection->ue;
	watch(e, m);
	if (!e->ended)
		nw_nas_input(connection, nas, m);
}

static bool is_harmless(enum ngap_message message)
{
	switch (message) {
	case NGAP_UE_CONTEXT_RELEASE_COMPLETE:
	case NGAP_INITIAL_CONTEXT_SETUP_RESPONSE:
	case NGAP_UE_CONTEXT_MODIFICATION_RESPONSE:
	case NGAP_PDU_SESSION_RESOURCE_SETUP_RESPONSE:
	case NGAP_PDU_SESSION_RESOURCE_MODIFY_RESPONSE:
	case NGAP_PDU_SESSION_RESOURCE_RELEASE_RESPONSE:
	case NGAP_PDU_SESSION_RESOURCE_NOTIFY:
	case NGAP_UE_RADIO_CAPABILITY_INFO_INDICATION:
	case NGAP_UE_RADIO_CAPABILITY_CHECK_RESPONSE:
	case NGAP_RRC_INACTIVE_TRANSITION_REPORT:
	case NGAP_LOCATION_REPORT:
	case NGAP_UPLINK_UE_ASSOCIATED_NRPPA_TRANSPORT:
		return true;
	default:
		return false;
	}
}

/* A message for a connection that has ended here, or is about to. */
static void late_input(struct nw_association *association, const struct ngap_received *m)
{
	record_log(association->amf->nw->e->t->record, RECORD_INFO,
		   "%s: %s for a connection that has ended", association->node->name,
		   ngap_message_name(m->pdu.message));
	if (m->pdu.message != NGAP_UE_CONTEXT_RELEASE_COMPLETE &&
	    m->pdu.message != NGAP_ERROR_INDICATION &&
	    m->pdu.message != NGAP_UE_CONTEXT_RELEASE_REQUEST)
		error_indication(association, m, NGAP_CAUSE_RADIO_NETWORK_UNKNOWN_LOCAL_UE_NGAP_ID);
}

/* Whether the message was answered, or is of the kind that needs no answer. */
static bool behave(struct nw_connection *connection, const struct ngap_received *m)
{
	switch (m->pdu.message) {
	case NGAP_UE_CONTEXT_RELEASE_REQUEST:
		if (!(nw_behaviours(connection) & NW_RELEASE))
			return false;
		release_by_default(connection, ngap_value(&m->pdu, NGAP_ID_CAUSE));
		return true;
	case NGAP_INITIAL_CONTEXT_SETUP_FAILURE:
		connection->context_set_up = false;
		return false;
	case NGAP_UPLINK_NAS_TRANSPORT:
		return true; /* of a UE that is held */
	default:
		return is_harmless(m->pdu.message);
	}
}

static void no_connection(struct nw_association *association, const struct ngap_received *m,
			  int64_t amf, int64_t ran)
{
	if (m->pdu.message != NGAP_ERROR_INDICATION)
		error_indication(association, m, NGAP_CAUSE_RADIO_NETWORK_UNKNOWN_LOCAL_UE_NGAP_ID);
	/* A node has none before the AMF has answered a UE: till then there is nothing it can say.
	 */
	if (amf < 0) {
		emulation_end(
			association->amf->nw->e, VERDICT_FAIL,
			"%s sent %s without AMF UE NGAP ID, which it has to have (RAN UE NGAP "
			"ID %lld, -1: absent)",
			association->node->name, ngap_message_name(m->pdu.message), (long long)ran);
		return;
	}
	emulation_end(association->amf->nw->e, VERDICT_FAIL,
		      "%s sent %s for a connection that does not exist: AMF UE NGAP ID %lld, RAN "
		      "UE NGAP ID %lld (-1: absent)",
		      association->node->name, ngap_message_name(m->pdu.message), (long long)amf,
		      (long long)ran);
}

static void connection_message(struct nw_association *association, struct ngap_received *m)
{
	struct emulation *e = association->amf->nw->e;
	struct nw_connection *connection;
	struct octets nas;
	int64_t amf = -1, ran = -1;
	bool skippable;

	ngap_get_int(&m->pdu, NGAP_ID_AMF_UE_NGAP_ID, &amf);
	ngap_get_int(&m->pdu, NGAP_ID_RAN_UE_NGAP_ID, &ran);
	connection = nw_connection_by_id(association->amf, amf);
	if (!connection || connection->node != association->node ||
	    (ran >= 0 && ran != connection->ran_ue_ngap_id)) {
		watch(e, m);
		no_connection(association, m, amf, ran);
		return;
	}
	m->nw_ue = connection->ue;
	if (m->pdu.message == NGAP_UPLINK_NAS_TRANSPORT)
		e->nw->uplinks++;
	if (!connection->open || !connection->ue) {
		watch(e, m);
		if (m->pdu.message == NGAP_UE_CONTEXT_RELEASE_COMPLETE)
			nw_connection_end(connection);
		else
			late_input(association, m);
		return;
	}
	watch(e, m);
	if (e->ended)
		return;
	if (m->pdu.message == NGAP_UPLINK_NAS_TRANSPORT && !connection->ue->held) {
		locate(connection, m);
		if (!ngap_get_octets(&m->pdu, NGAP_ID_NAS_PDU, &nas))
			emulation_end(e, VERDICT_FAIL,
				      "%s sent an UPLINK NAS TRANSPORT without NAS-PDU",
				      association->node->name);
		else
			nw_nas_input(connection, nas, m);
		return;
	}
	skippable = behave(connection, m);
	if (!queue_push(e->t, &connection->ue->ngap, m, NULL, skippable)) {
		emulation_end(e, VERDICT_FAIL,
			      "the IUT floods %s: %d messages that nobody asked for wait for %s, "
			      "the last is %s",
			      association->node->name, QUEUE_MAX, connection->ue->name,
			      ngap_message_name(m->pdu.message));
		return;
	}
	if (m->pdu.message == NGAP_UE_CONTEXT_RELEASE_COMPLETE)
		nw_connection_end(connection);
}

void nw_connection_input(struct nw_association *association, struct ngap_received *m)
{
	association->amf->nw->last_arrival = loop_now(association->amf->nw->e->t->loop);
	if (m->pdu.message == NGAP_INITIAL_UE_MESSAGE)
		initial_ue_message(association, m);
	else
		connection_message(association, m);
}
