/*
 * What the network says to a UE: the messages of 24.501 8.2, how they are protected, and how they
 * travel (in NAS transport or with a context setup).
 */
#include <errno.h>

#include "codecs/nas/nas_area.h"
#include "codecs/nas/nas_slice.h"
#include "runner/emulation/nw_private.h"

bool nw_timer_octet(const struct nw_timer *timer, enum nas_timer_coding coding, uint8_t *octet)
{
	int coded;

	if (timer->kind == NW_TIMER_OCTET) {
		*octet = (uint8_t)timer->value;
		return timer->value <= 0xff;
	}
	coded = nas_timer_encode(timer->value, coding);
	*octet = (uint8_t)coded;
	return coded >= 0;
}

static int add_timer(struct nas_msg *msg, enum nas_ie ie, const struct nw_timer *timer)
{
	enum nas_timer_coding coding = NAS_TIMER_2;
	uint8_t octet;

	if (timer->kind == NW_TIMER_ABSENT)
		return 0;
	nas_timer_coding_of(ie, &coding);
	if (!nw_timer_octet(timer, coding, &octet))
		return -ERANGE;
	return nas_add_u8(msg, ie, octet);
}

/* --- the way out --- */

static enum nas_security_header_type header_type(const struct nw_ue_access *access,
						 enum ue_protection protection)
{
	switch (protection) {
	case PROTECT_PLAIN:
		return NAS_PLAIN;
	case PROTECT_INTEGRITY:
	case PROTECT_WRONG_MAC:
	case PROTECT_OLD_COUNT:
		return NAS_INTEGRITY_PROTECTED;
	case PROTECT_CIPHERED:
		return NAS_INTEGRITY_PROTECTED_AND_CIPHERED;
	case PROTECT_INTEGRITY_NEW:
		return NAS_INTEGRITY_PROTECTED_NEW_CONTEXT;
	case PROTECT_CIPHERED_NEW:
		return NAS_INTEGRITY_PROTECTED_AND_CIPHERED_NEW_CONTEXT;
	default:
		return access->secured && access->context.valid
			       ? NAS_INTEGRITY_PROTECTED_AND_CIPHERED
			       : NAS_PLAIN;
	}
}

static ssize_t protect(struct nw_connection *connection, struct octets plain,
		       const struct nw_options *options, uint8_t *out)
{
	struct nw_ue_access *access = &connection->ue->access[connection->access];
	enum nas_security_header_type type = header_type(access, options->protection);
	struct nw_context *context = &access->context;
	ssize_t len;

	if (type == NAS_PLAIN) {
		memcpy(out, plain.data, plain.len);
		return (ssize_t)plain.len;
	}
	/* Only SECURITY MODE COMMAND speaks under a context that is not in use yet. */
	if (type >= NAS_INTEGRITY_PROTECTED_NEW_CONTEXT && access->candidate.valid)
		context = &access->candidate;
	if (options->protection == PROTECT_OLD_COUNT && context->dl_count > 0)
		context->dl_count--;
	len = nw_protect(context, connection->access, type, plain, out, MESSAGE_MAX);
	if (options->protection == PROTECT_WRONG_MAC && len > 5)
		out[5] ^= 0x01;
	return len;
}

static const char *remark_of(const struct nw_options *options)
{
	return options->protection == PROTECT_WRONG_MAC	  ? "wrong MAC"
	       : options->protection == PROTECT_OLD_COUNT ? "old COUNT"
							  : NULL;
}

/* With a context setup where the node has asked for one and there are keys for it. */
static bool goes_with_context(const struct nw_connection *connection, uint8_t type)
{
	const struct nw_ue_access *access = &connection->ue->access[connection->access];

	return (type == NAS_REGISTRATION_ACCEPT || type == NAS_SERVICE_ACCEPT) &&
	       nw_behaviours(connection) & NW_SET_UP_CONTEXT && connection->context_requested &&
	       !connection->context_set_up && access->context.valid && access->secured;
}

/* On the ladder: the back-off that the UE is given with this message. */
static void record_back_off(const struct nw_ue *ue, const struct nas_msg *msg)
{
	static const struct {
		enum nas_ie ie;
		const char *name;
	} timers[] = {
		{ NAS_IE_T3346_VALUE, "T3346" },
		{ NAS_IE_T3448_VALUE, "T3448" },
	};

	for (size_t i = 0; i < sizeof(timers) / sizeof(*timers); i++)
		if (nas_find(msg, timers[i].ie))
			record_timer(ue->nw->e->t->record, ue->name, timers[i].name, "given",
				     nas_get_timer(msg, timers[i].ie).seconds * US_PER_S);
}

int nw_submit(struct nw_connection *connection, const struct nas_msg *msg,
	      const struct nw_options *options)
{
	struct nw_ue *ue = connection->ue;
	struct emulation *e = ue->nw->e;
	struct nas_msg full = *msg;
	uint8_t plain[8192];
	uint8_t *out = e->nas_out;
	ssize_t len;

	if (options->alter)
		options->alter(&full, options->alter_arg);
	if (ue->bend)
		ue->bend(&full, ue->bend_arg);
	len = nas_encode(&full, plain, sizeof(plain));
	if (len < 0)
		return (int)len;
	if (!connection->open || !connection->association->link)
		return -ENOTCONN;
	nw_ue_record(ue, true, OCTETS(plain, (size_t)len),
		     header_type(&ue->access[connection->access], options->protection),
		     remark_of(options));
	record_back_off(ue, &full);
	len = protect(connection, OCTETS(plain, (size_t)len), options, out);
	if (len < 0)
		return (int)len;
	ue->sent_at = loop_now(e->t->loop);
	ue->last_sent = nas_message_name(full.type);
	if (goes_with_context(connection, full.type))
		return nw_context_setup(connection, OCTETS(out, (size_t)len), NULL, 0, options);
	return nw_downlink(connection, OCTETS(out, (size_t)len), options);
}

void nw_answer(struct nw_connection *connection, const struct nas_msg *msg)
{
	int error = nw_submit(connection, msg, NW_OPTIONS());

	if (error < 0 && error != -ENOTCONN)
		emulation_end(connection->amf->nw->e, VERDICT_ERROR, "%s: cannot send %s: %s",
			      connection->ue->name, nas_message_name(msg->type), strerror(-error));
}

/* --- accepts and rejects --- */

static int add_area(const struct nw_connection *connection, struct nas_msg *msg)
{
	const struct profile *profile = connection->amf->nw->e->t->profile;
	const struct nw_registration *r = &connection->ue->registration;
	struct nas_tai tais[NAS_TAI_LIST_MAX];
	size_t count = 1;

	memcpy(tais[0].plmn.octets, connection->plmn.bcd, 3);
	tais[0].tac = connection->tac;
	for (size_t i = 0; !r->one_tac && i < profile->tac_count && count < NAS_TAI_LIST_MAX; i++) {
		if (profile->tacs[i] == connection->tac)
			continue;
		tais[count].plmn = tais[0].plmn;
		tais[count++].tac = profile->tacs[i];
	}
	return nas_add_tai_list(msg, NAS_IE_TAI_LIST, NAS_TAI_ONE_PLMN, tais, count);
}

static int add_allowed_nssai(const struct profile *profile, struct nas_msg *msg)
{
	struct nas_snssai items[8] = { { .sst = 1 } };
	size_t count = profile->slice_count < 8 ? profile->slice_count : 8;

	for (size_t i = 0; i < count; i++)
		items[i] = (struct nas_snssai){ .sst = profile->slices[i].sst,
						.has_sd = profile->slices[i].has_sd,
						.sd = profile->slices[i].sd };
	return nas_add_nssai(msg, NAS_IE_ALLOWED_NSSAI, items, count ? count : 1);
}

/* The PLMNs that are equivalent to the profile's own are so to each other. */
static int add_equivalent_plmns(const struct nw_connection *connection, struct nas_msg *msg)
{
	const struct profile *profile = connection->amf->nw->e->t->profile;
	uint8_t octets[3 * (PROFILE_LIST_MAX + 1)];
	bool member = memcmp(connection->plmn.bcd, profile->plmn.bcd, 3) == 0;
	size_t len = 0;

	for (size_t i = 0; i < profile->equivalent_plmn_count; i++)
		member |= memcmp(connection->plmn.bcd, profile->equivalent_plmns[i].bcd, 3) == 0;
	if (!member || connection->ue->registration.no_equivalent_plmns)
		return 0;
	for (size_t i = 0; i <= profile->equivalent_plmn_count && len < 45; i++) {
		const struct plmn *plmn = i ? &profile->equivalent_plmns[i - 1] : &profile->plmn;

		if (memcmp(plmn->bcd, connection->plmn.bcd, 3) == 0)
			continue;
		memcpy(octets + len, plmn->bcd, 3);
		len += 3;
	}
	return len ? nas_add_copy(msg, NAS_IE_EQUIVALENT_PLMNS, OCTETS(octets, len)) : 0;
}

static int registration_accept(struct nw_connection *connection, struct nas_msg *msg)
{
	/* emergency services and their fallback, IMS voice (9.11.3.5) */
	static const uint8_t support[] = { 0x17, 0x01 };
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];
	const struct profile *profile = ue->nw->e->t->profile;
	const struct nw_registration *r = &ue->registration;
	struct nw_timer t3512 = r->t3512;
	bool both;
	int error;

	if (!r->no_guti)
		nw_ue_allot_guti(ue, connection);
	both = ue->access[!connection->access].registered && !ue->apart;
	nas_add_u8(msg, NAS_IE_5GS_REGISTRATION_RESULT,
		   both					   ? NAS_ACCESS_BOTH
		   : connection->access == ACCESS_NON_3GPP ? NAS_ACCESS_NON_3GPP
							   : NAS_ACCESS_3GPP);
	if (!r->no_guti)
		nas_add_guti(msg, NAS_IE_5G_GUTI, &ue->guti);
	error = add_equivalent_plmns(connection, msg);
	error = error ? error : add_area(connection, msg);
	error = error ? error : add_allowed_nssai(profile, msg);
	if (error)
		return error;
	nas_add(msg, NAS_IE_5GS_NETWORK_FEATURE_SUPPORT, OCTETS(support, sizeof(support)));
	if (access->request.has_status)
		nas_add_psi(msg, NAS_IE_PDU_SESSION_STATUS, ue->sessions & access->request.status);
	if (r->mico)
		nas_add_u8(msg, NAS_IE_MICO_INDICATION, 0);
	if (t3512.kind == NW_TIMER_ABSENT && profile->t3512)
		t3512 = TIMER(nas_timer_floor((uint32_t)(profile->t3512 / US_PER_S), NAS_TIMER_3));
	if (connection->access == ACCESS_3GPP)
		error = add_timer(msg, NAS_IE_T3512_VALUE, &t3512);
	error = error ? error : add_timer(msg, NAS_IE_T3502_VALUE, &r->t3502);
	if (r->alter)
		r->alter(msg, r->alter_arg);
	access->accepted = !r->no_guti;
	access->registered = r->no_guti;
	return error;
}

static int service_accept(struct nw_connection *connection, struct nas_msg *msg)
{
	const struct nw_ue *ue = connection->ue;
	const struct nw_request *request = &ue->access[connection->access].request;

	return request->has_status
		       ? nas_add_psi(msg, NAS_IE_PDU_SESSION_STATUS, ue->sessions & request->status)
		       : 0;
}

int nw_submit_accept(struct nw_connection *connection, const struct nw_options *options)
{
	struct nw_ue_access *access = &connection->ue->access[connection->access];
	bool registration = access->request.type == NAS_REGISTRATION_REQUEST;
	struct nas_msg msg = nas_build(connection->amf->nw->e,
				       registration ? NAS_REGISTRATION_ACCEPT : NAS_SERVICE_ACCEPT);
	int error = registration ? registration_accept(connection, &msg)
				 : service_accept(connection, &msg);

	if (error)
		return error;
	access->follow_on = access->request.follow_on;
	access->request.waits = false;
	error = nw_submit(connection, &msg, options);
	nw_release_later(connection);
	return error;
}

int nw_submit_reject(struct nw_connection *connection, const struct nw_options *options)
{
	struct nw_ue_access *access = &connection->ue->access[connection->access];
	bool registration = access->request.type == NAS_REGISTRATION_REQUEST;
	struct nas_msg msg = nas_build(connection->amf->nw->e,
				       registration ? NAS_REGISTRATION_REJECT : NAS_SERVICE_REJECT);
	int error = 0;

	if (options->cause >= 0)
		nas_add_u8(&msg, NAS_IE_5GMM_CAUSE,
			   options->cause ? (uint8_t)options->cause : NAS_5GMM_CONGESTION);
	error = add_timer(&msg, NAS_IE_T3346_VALUE, &options->t3346);
	error = error ? error : add_timer(&msg, NAS_IE_T3502_VALUE, &options->t3502);
	error = error ? error : add_timer(&msg, NAS_IE_T3448_VALUE, &options->t3448);
	if (error)
		return error;
	access->request.waits = false;
	access->follow_on = false;
	if (registration && (access->request.registration & 7) != NAS_REGISTRATION_MOBILITY &&
	    (access->request.registration & 7) != NAS_REGISTRATION_PERIODIC)
		access->registered = false;
	error = nw_submit(connection, &msg, options);
	if (!error && !options->keep_connected)
		nw_release_now(connection);
	return error;
}

/* --- what a case sends --- */

/* A new part of the case begins: what was only to be passed over is gone. */
static void begin(struct nw_ue *ue)
{
	queue_drop_skippable(&ue->nas);
	queue_drop_skippable(&ue->ngap);
	ue->discarded = 0;
}

static void judge(struct nw_ue *ue, const char *what, int error)
{
	struct tc *t = ue->nw->e->t;

	if (error == -ERANGE)
		tc_error(t, "%s: a timer of %s has no coding: use TIMER_OCTET", ue->name, what);
	if (error == -ENOKEY)
		tc_error(t, "%s: %s cannot be protected, there is no security context", ue->name,
			 what);
	if (error == -ENOENT)
		tc_error(t, "%s: %s has no such information element", ue->name, what);
	nw_judge_sending(ue->nw, ue->name, what, error);
}

/* The request that a case answers. */
static struct nw_connection *waiting(struct nw_ue *ue, const struct nw_options *options,
				     const char *what)
{
	struct nw_connection *connection = nw_connection_of(ue, options->access, what);
	const struct nw_ue_access *access = &ue->access[options->access];

	if (!access->request.waits)
		tc_error(ue->nw->e->t, "no request of %s waits for %s", ue->name, what);
	if (!access->request.ready && options->protection != PROTECT_PLAIN)
		tc_error(ue->nw->e->t,
			 "%s is still being authenticated: expect its request with .secured, or "
			 "switch NW_AUTHENTICATE and NW_IDENTIFY off, before it gets %s",
			 ue->name, what);
	return connection;
}

void nw_reject_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct nw_connection *connection = waiting(ue, options, "a reject");

	begin(ue);
	judge(ue, "the reject", nw_submit_reject(connection, options));
}

void nw_accept_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct nw_connection *connection = waiting(ue, options, "an accept");

	begin(ue);
	judge(ue, "the accept", nw_submit_accept(connection, options));
}

void nw_authenticate_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct nw_connection *connection =
		nw_connection_of(ue, options->access, "AUTHENTICATION REQUEST");

	begin(ue);
	judge(ue, "AUTHENTICATION REQUEST", nw_start_authentication(connection, options));
}

void nw_deregister_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct nw_connection *connection =
		nw_connection_of(ue, options->access, "DEREGISTRATION REQUEST");
	struct nas_msg msg = nas_build(ue->nw->e, NAS_DEREGISTRATION_REQUEST_UE_TERMINATED);
	unsigned int type =
		options->access == ACCESS_NON_3GPP ? NAS_ACCESS_NON_3GPP : NAS_ACCESS_3GPP;
	int error;

	if (options->reregister)
		type |= NAS_DEREGISTRATION_REREGISTRATION_REQUIRED;
	nas_add_u8(&msg, NAS_IE_DEREGISTRATION_TYPE, (uint8_t)type);
	nas_add_u8(&msg, NAS_IE_SPARE, 0);
	if (options->cause > 0)
		nas_add_u8(&msg, NAS_IE_5GMM_CAUSE, (uint8_t)options->cause);
	error = add_timer(&msg, NAS_IE_T3346_VALUE, &options->t3346);
	begin(ue);
	ue->access[options->access].deregistering = true;
	judge(ue, "DEREGISTRATION REQUEST", error ? error : nw_submit(connection, &msg, options));
}

void nw_configuration_update_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct nw_connection *connection =
		nw_connection_of(ue, options->access, "CONFIGURATION UPDATE COMMAND");
	struct nas_msg msg = nas_build(ue->nw->e, NAS_CONFIGURATION_UPDATE_COMMAND);
	/* GSM default alphabet, "spillway" (24.008 10.5.3.5a) */
	static const uint8_t name[] = { 0x80, 0x73, 0x78, 0x9a, 0xcd, 0x7e, 0x87, 0xf3, 0x79 };

	/* It has to say something: a name of the network changes nothing that matters. */
	if (options->acknowledge)
		nas_add_u8(&msg, NAS_IE_CONFIGURATION_UPDATE_INDICATION, 1);
	nas_add(&msg, NAS_IE_SHORT_NAME_FOR_NETWORK, OCTETS(name, sizeof(name)));
	begin(ue);
	judge(ue, "CONFIGURATION UPDATE COMMAND", nw_submit(connection, &msg, options));
	if (!options->keep_connected)
		nw_release_later(connection);
}

void nw_notify_with(struct nw_ue *ue, const struct nw_options *options)
{
	enum access over = options->access == ACCESS_3GPP ? ACCESS_NON_3GPP : ACCESS_3GPP;
	struct nw_connection *connection = nw_connection_of(ue, over, "NOTIFICATION");
	struct nas_msg msg = nas_build(ue->nw->e, NAS_NOTIFICATION);

	nas_add_u8(&msg, NAS_IE_ACCESS_TYPE,
		   options->access == ACCESS_3GPP ? NAS_ACCESS_3GPP : NAS_ACCESS_NON_3GPP);
	nas_add_u8(&msg, NAS_IE_SPARE, 0);
	begin(ue);
	judge(ue, "NOTIFICATION", nw_submit(connection, &msg, options));
}

void nw_dl_nas_transport_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct nw_connection *connection =
		nw_connection_of(ue, options->access, "DL NAS TRANSPORT");
	struct nas_msg msg = nas_build(ue->nw->e, NAS_DL_NAS_TRANSPORT);
	/* as good as any: an SMS of one octet, which is no message, and is ignored */
	static const uint8_t nothing[1];

	nas_add_u8(&msg, NAS_IE_PAYLOAD_CONTAINER_TYPE,
		   (uint8_t)(options->payload_type ? options->payload_type : NAS_PAYLOAD_SMS));
	nas_add_u8(&msg, NAS_IE_SPARE, 0);
	nas_add(&msg, NAS_IE_PAYLOAD_CONTAINER,
		options->payload.len ? options->payload : OCTETS(nothing, 1));
	if (options->psi)
		nas_add_u8(&msg, NAS_IE_PDU_SESSION_ID, options->psi);
	if (options->cause > 0)
		nas_add_u8(&msg, NAS_IE_5GMM_CAUSE, (uint8_t)options->cause);
	begin(ue);
	judge(ue, "DL NAS TRANSPORT", nw_submit(connection, &msg, options));
}

void nw_release(struct nw_ue *ue, enum access access)
{
	struct nw_connection *connection = nw_connection_of(ue, access, "its release");

	begin(ue);
	nw_judge_sending(ue->nw, ue->name, "UE CONTEXT RELEASE COMMAND",
			 nw_release_command(connection, NULL));
}

struct nas_msg *nw_ue_message(struct nw_ue *ue, enum nas_message_type type)
{
	struct tc *t = ue->nw->e->t;
	struct nas_msg *msg = tc_alloc(t, sizeof(*msg));

	nas_init(msg, type, emulation_arena(t, NAS_ARENA_SIZE));
	return msg;
}

void nw_ue_send_with(struct nw_ue *ue, const struct nas_msg *msg, const struct nw_options *options)
{
	const char *name = nas_message_name(msg->type);
	struct nw_connection *connection = nw_connection_of(ue, options->access, name);

	begin(ue);
	judge(ue, name, nw_submit(connection, msg, options));
}

void nw_ue_send_octets(struct nw_ue *ue, enum access access, struct octets octets)
{
	struct nw_connection *connection = nw_connection_of(ue, access, "octets");

	begin(ue);
	ue->sent_at = loop_now(ue->nw->e->t->loop);
	nw_ue_record(ue, true, octets,
		     octets.len > 1 && octets.data[0] == NAS_EPD_5GMM ? octets.data[1] & 0x0f : 0,
		     "octets as the case has them");
	judge(ue, "octets", nw_downlink(connection, octets, NW_OPTIONS()));
}

void nw_ue_send_ngap(struct nw_ue *ue, enum access access, struct ngap_pdu *pdu)
{
	const char *name = ngap_message_name(pdu->message);
	struct nw_connection *connection = nw_connection_of(ue, access, name);
	struct ngap_pdu *whole = nw_message(ue->nw->e->t, pdu->message);

	begin(ue);
	ngap_add_int(whole, NGAP_ID_AMF_UE_NGAP_ID, (int64_t)connection->amf_ue_ngap_id);
	ngap_add_int(whole, NGAP_ID_RAN_UE_NGAP_ID, connection->ran_ue_ngap_id);
	for (size_t i = 0; i < pdu->count; i++) {
		const struct ngap_ie *ie = &pdu->ies[i];

		if (ie->value)
			ngap_add(whole, (enum ngap_id)ie->id, ie->value);
		else
			ngap_add_raw(whole, ie->id, (enum ngap_criticality)ie->criticality,
				     ie->raw);
	}
	whole->criticality = pdu->criticality;
	nw_judge_sending(ue->nw, ue->name, name,
			 nw_transmit(connection->association, connection->stream, whole));
}

/* --- paging --- */

static const struct ngap_tai_list_for_paging *paging_area(const struct nw_ue *ue,
							  struct arena *arena)
{
	const struct profile *profile = ue->nw->e->t->profile;
	size_t max = profile->tac_count + 1, count = 0;
	struct ngap_tai_list_for_paging *list = arena_take(arena, sizeof(*list));
	struct ngap_tai_list_for_paging_item *items = arena_take(arena, max * sizeof(*items));

	if (!list || !items)
		return NULL;
	memset(items, 0, max * sizeof(*items));
	for (size_t i = 0; i < max; i++) {
		uint32_t tac = i ? profile->tacs[i - 1] : ue->tac;
		uint8_t *octets = arena_take(arena, 3);

		if (!octets)
			return NULL;
		if (i && (tac == ue->tac || count == 16))
			continue;
		octets[0] = (uint8_t)(tac >> 16);
		octets[1] = (uint8_t)(tac >> 8);
		octets[2] = (uint8_t)tac;
		items[count].tai.plmn_identity = OCTETS(ue->plmn.bcd, 3);
		items[count++].tai.tac = OCTETS(octets, 3);
	}
	*list = (struct ngap_tai_list_for_paging){ .count = count, .items = items };
	return list;
}

static struct ngap_pdu *paging(struct tc *t, const struct nas_s_tmsi *s_tmsi)
{
	struct ngap_pdu *pdu = nw_message(t, NGAP_PAGING);
	struct ngap_ue_paging_identity *identity = arena_take(pdu->arena, sizeof(*identity));
	uint8_t *tmsi = arena_take(pdu->arena, 4);

	if (!identity || !tmsi)
		tc_error(t, "no room for a PAGING");
	memset(identity, 0, sizeof(*identity));
	for (int i = 0; i < 4; i++)
		tmsi[i] = (uint8_t)(s_tmsi->tmsi >> (24 - 8 * i));
	identity->choice = NGAP_UE_PAGING_IDENTITY_CHOICE_FIVE_G_S_TMSI;
	identity->five_g_s_tmsi.amf_set_id = s_tmsi->amf_set_id;
	identity->five_g_s_tmsi.amf_pointer = s_tmsi->amf_pointer;
	identity->five_g_s_tmsi.five_g_tmsi = OCTETS(tmsi, 4);
	ngap_add(pdu, NGAP_ID_UE_PAGING_IDENTITY, identity);
	return pdu;
}

void nw_page_s_tmsi(struct nw_node *node, const struct nas_s_tmsi *s_tmsi)
{
	const struct profile *profile = node->nw->e->t->profile;
	struct nw_ue area = { .nw = node->nw, .tac = node->tac };
	struct ngap_pdu *pdu = paging(node->nw->e->t, s_tmsi);

	memcpy(area.plmn.bcd, profile->plmn.bcd, 3);
	ngap_add(pdu, NGAP_ID_TAI_LIST_FOR_PAGING, paging_area(&area, pdu->arena));
	nw_send(node, pdu);
}

void nw_page_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct tc *t = ue->nw->e->t;
	struct ngap_pdu *pdu;
	unsigned int sent = 0;

	if (!ue->has_guti || !ue->amf)
		tc_error(t, "%s has no 5G-GUTI by which it could be paged", ue->name);
	begin(ue);
	pdu = paging(t, &ue->guti.s_tmsi);
	ngap_add(pdu, NGAP_ID_TAI_LIST_FOR_PAGING, paging_area(ue, pdu->arena));
	if (options->access == ACCESS_NON_3GPP)
		ngap_add_enum(pdu, NGAP_ID_PAGING_ORIGIN, NGAP_PAGING_ORIGIN_NON_3GPP);
	if (options->alter_ngap)
		options->alter_ngap(pdu, options->alter_ngap_arg);
	for (struct nw_node *node = ue->amf->nodes; node; node = node->next) {
		if (!nw_node_up(node) || node->kind == NODE_N3IWF)
			continue;
		nw_send(node, pdu);
		sent++;
	}
	if (!sent)
		tc_iut_dead(t, "%s: no node of %s is there to page it", ue->name, ue->amf->name);
	ue->sent_at = loop_now(t->loop);
	ue->last_sent = "PAGING";
}
