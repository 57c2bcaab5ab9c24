/*
 * What an emulated UE sends: building the messages of 24.501 8.2, the protection of initial NAS
 * messages (4.4.6: clear text IEs, and the whole message in a ciphered container), and the RRC
 * establishment cause (4.5.6).
 */
#include <errno.h>
#include <stdio.h>

#include "codecs/nas/nas_slice.h"
#include "codecs/nas/security/suci.h"
#include "runner/emulation/emulation.h"

enum {
	DEFAULT_PSI = 5,
	CIOT_DATA_MAX = 254, /* user data in a CIoT small data container, octets */
};

/* --- identities --------------------------------------------------------------------------------
 */

/* Decimal digits to BCD, low nibble first, filled up with 1111. Returns the number of octets. */
static size_t to_bcd(const char *digits, uint8_t *out, size_t size)
{
	size_t n = 0;

	for (; *digits && n < size; n++) {
		out[n] = (uint8_t)(*digits++ - '0');
		if (*digits)
			out[n] |= (uint8_t)((*digits++ - '0') << 4);
		else
			out[n] |= 0xf0;
	}
	return n;
}

int ue_add_suci(struct ue *ue, struct nas_msg *msg, enum nas_ie ie)
{
	const struct profile *profile = ue->e->t->profile;
	size_t plmn_len = strlen(profile->plmn.digits);
	enum suci_protection_scheme scheme = SUCI_NULL_SCHEME;
	struct nas_identity identity = { .type = NAS_IDENTITY_SUCI };
	uint8_t msin[8], ephemeral[32], output[128];
	struct octets key = { .len = 0 };
	size_t msin_len, len;
	char plmn[7];

	snprintf(plmn, sizeof(plmn), "%.*s", (int)plmn_len, ue->digits);
	if (strlen(ue->digits) <= plmn_len || nas_plmn_from_text(&identity.suci.plmn, plmn) != 0)
		return -EINVAL;
	msin_len = to_bcd(ue->digits + plmn_len, msin, sizeof(msin));
	memset(ephemeral, 0, sizeof(ephemeral));
	if (profile->subscribers.hn_key_count) {
		scheme = profile->subscribers.hn_keys[0].scheme == 'B' ? SUCI_PROFILE_B
								       : SUCI_PROFILE_A;
		key = OCTETS(profile->subscribers.hn_keys[0].public_key,
			     profile->subscribers.hn_keys[0].public_key_len);
		identity.suci.home_network_public_key_id = profile->subscribers.hn_keys[0].id;
		random_bytes(&ue->e->t->random, ephemeral, sizeof(ephemeral));
	}
	if (suci_conceal(scheme, key, ephemeral, OCTETS(msin, msin_len), output, sizeof(output),
			 &len) != NAS_SECURITY_OK)
		return -EINVAL;
	identity.suci.format = NAS_SUPI_IMSI;
	identity.suci.routing_indicator[0] = 0xf0; /* "0" */
	identity.suci.routing_indicator[1] = 0xff;
	identity.suci.protection_scheme = (uint8_t)scheme;
	identity.suci.scheme_output = OCTETS(output, len);
	return nas_add_identity(msg, ie, &identity);
}

/* The identity that options ask for; s_tmsi gets the 5G-S-TMSI where it is a temporary one. */
static int add_identity(struct ue *ue, struct nas_msg *msg, const struct ue_options *options,
			struct nas_s_tmsi *s_tmsi, bool *has_s_tmsi)
{
	struct nas_guti guti = options->guti ? *options->guti : ue->guti;
	bool has_guti = options->guti || options->s_tmsi || ue->has_guti;

	*has_s_tmsi = false;
	if (options->identity == IDENTITY_SUCI ||
	    (options->identity == IDENTITY_DEFAULT && !has_guti))
		return ue_add_suci(ue, msg, NAS_IE_5GS_MOBILE_IDENTITY);
	if (!has_guti)
		return -ENOENT;
	if (options->s_tmsi)
		guti.s_tmsi = *options->s_tmsi;
	*s_tmsi = guti.s_tmsi;
	*has_s_tmsi = true;
	return nas_add_guti(msg, NAS_IE_5GS_MOBILE_IDENTITY, &guti);
}

static uint8_t ngksi(struct ue *ue, enum access access, const struct ue_options *options)
{
	const struct context *context = ue_context(ue, access);

	return context->valid && options->protection != PROTECT_PLAIN ? context->ngksi
								      : NAS_NGKSI_NO_KEY;
}

/* --- cause -------------------------------------------------------------------------------------
 */

/* Access identities 1, 2 and 11 to 15 come before the category (24.501 table 4.5.6.1). */
static enum rrc_cause cause_of(const struct ue *ue, const struct ue_options *options,
			       enum rrc_cause category)
{
	if (options->cause != RRC_DEFAULT)
		return options->cause;
	if (ue->access_identity == 1)
		return RRC_MPS_PRIORITY_ACCESS;
	if (ue->access_identity == 2)
		return RRC_MCS_PRIORITY_ACCESS;
	if (ue->access_identity >= 11 && ue->access_identity <= 15)
		return RRC_HIGH_PRIORITY_ACCESS;
	return category;
}

static enum rrc_cause service_category(enum sr_type type)
{
	switch (type) {
	case SR_MOBILE_TERMINATED:
		return RRC_MT_ACCESS;
	case SR_EMERGENCY:
	case SR_EMERGENCY_FALLBACK:
		return RRC_EMERGENCY;
	case SR_DATA:
		return RRC_MO_DATA;
	case SR_HIGH_PRIORITY:
		return RRC_HIGH_PRIORITY_ACCESS;
	default:
		return RRC_MO_SIGNALLING;
	}
}

/* --- protection --------------------------------------------------------------------------------
 */

static bool is_initial_type(uint8_t type)
{
	return type == NAS_REGISTRATION_REQUEST || type == NAS_SERVICE_REQUEST ||
	       type == NAS_CONTROL_PLANE_SERVICE_REQUEST ||
	       type == NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING;
}

/* The IEs that may go in clear text (24.501 4.4.6). */
static bool is_clear_text(uint8_t type, enum nas_ie ie)
{
	switch (ie) {
	case NAS_IE_NGKSI:
	case NAS_IE_5GS_MOBILE_IDENTITY:
		return true;
	case NAS_IE_5GS_REGISTRATION_TYPE:
	case NAS_IE_UE_SECURITY_CAPABILITY:
	case NAS_IE_ADDITIONAL_GUTI:
	case NAS_IE_UE_STATUS:
	case NAS_IE_EPS_NAS_MESSAGE_CONTAINER:
	case NAS_IE_NID:
		return type == NAS_REGISTRATION_REQUEST;
	case NAS_IE_SERVICE_TYPE:
	case NAS_IE_5G_S_TMSI:
		return type == NAS_SERVICE_REQUEST;
	case NAS_IE_CONTROL_PLANE_SERVICE_TYPE:
		return type == NAS_CONTROL_PLANE_SERVICE_REQUEST;
	case NAS_IE_DEREGISTRATION_TYPE:
		return type == NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING;
	default:
		return false;
	}
}

static bool cipher(struct ue *ue, enum access access, uint8_t *data, size_t len)
{
	const struct context *context = &ue->access[access].context;
	struct nas_security_position position = {
		.count = context->ul_count,
		.connection = access == ACCESS_3GPP ? NAS_CONNECTION_3GPP : NAS_CONNECTION_NON_3GPP,
		.direction = NAS_UPLINK,
	};

	return nas_security_cipher(&context->suite, &position, data, len) == NAS_SECURITY_OK;
}

/*
 * The message as it goes out first: clear text IEs, and where there is a security context and
 * something to hide, the whole message in a ciphered container. A CONTROL PLANE SERVICE REQUEST
 * whose only hidden IE is the CIoT small data container has that IE ciphered instead.
 */
static int initial_form(struct ue *ue, enum access access, const struct nas_msg *full,
			struct octets whole, bool with_context, struct nas_msg *msg,
			struct arena *arena)
{
	size_t hidden = 0, ciot = 0;
	uint8_t *copy;
	int error = 0;

	nas_init(msg, (enum nas_message_type)full->type, arena);
	for (size_t i = 0; i < full->count; i++) {
		const struct nas_item *item = &full->items[i];
		enum nas_ie ie = item->row ? (enum nas_ie)item->row->ie : NAS_IE_NONE;

		if (item->row && is_clear_text(full->type, ie))
			error = error ? error : nas_add(msg, ie, item->value);
		else if (ie == NAS_IE_CIOT_SMALL_DATA_CONTAINER)
			ciot++;
		else
			hidden++;
	}
	if (error || !with_context || hidden + ciot == 0)
		return error;
	if (hidden == 0 && ciot == 1) {
		const struct nas_item *item = nas_find(full, NAS_IE_CIOT_SMALL_DATA_CONTAINER);

		copy = arena_take(arena, item->value.len);
		if (!copy)
			return -ENOMEM;
		memcpy(copy, item->value.data, item->value.len);
		if (!cipher(ue, access, copy, item->value.len))
			return -EINVAL;
		return nas_add(msg, NAS_IE_CIOT_SMALL_DATA_CONTAINER,
			       OCTETS(copy, item->value.len));
	}
	copy = arena_take(arena, whole.len);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, whole.data, whole.len);
	if (!cipher(ue, access, copy, whole.len))
		return -EINVAL;
	return nas_add(msg, NAS_IE_NAS_MESSAGE_CONTAINER, OCTETS(copy, whole.len));
}

/* Protects as asked; -ENOKEY where that needs a context that the UE does not have. */
static ssize_t protect_as(struct ue *ue, enum access access, enum ue_protection protection,
			  struct octets plain, uint8_t *out, size_t size)
{
	struct context *context = ue_context(ue, access);
	ssize_t len;

	switch (protection) {
	case PROTECT_INTEGRITY:
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED, plain, out, size);
	case PROTECT_CIPHERED:
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED_AND_CIPHERED, plain, out,
				  size);
	case PROTECT_INTEGRITY_NEW:
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED_NEW_CONTEXT, plain, out,
				  size);
	case PROTECT_CIPHERED_NEW:
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED_AND_CIPHERED_NEW_CONTEXT,
				  plain, out, size);
	case PROTECT_WRONG_MAC:
		len = ue_protect(ue, access, NAS_INTEGRITY_PROTECTED, plain, out, size);
		if (len > 5)
			out[5] ^= 0x01;
		return len;
	case PROTECT_OLD_COUNT:
		if (context->ul_count > 0)
			context->ul_count--;
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED, plain, out, size);
	default:
		if (plain.len > size)
			return -ENOSPC;
		memcpy(out, plain.data, plain.len);
		return (ssize_t)plain.len;
	}
}

static void keep_initial(struct ue *ue, struct ue_access *a, struct octets whole)
{
	if (whole.len > a->initial_room) {
		a->initial_room = whole.len < 256 ? 256 : whole.len;
		a->initial_octets = tc_alloc(ue->e->t, a->initial_room);
	}
	memcpy(a->initial_octets, whole.data, whole.len);
	a->initial = OCTETS(a->initial_octets, whole.len);
}

/* A new thing begins: what was only to be passed over from the one before is gone. */
static void begin(struct ue *ue, struct octets plain)
{
	ue->last_sent = plain.len > 2 && plain.data[0] == NAS_EPD_5GMM && plain.data[1] == 0
				? nas_message_name(plain.data[2])
				: "no NAS message";
	queue_drop_skippable(&ue->nas);
	queue_drop_skippable(&ue->ngap);
	ue->paging = NULL;
	ue->discarded = 0;
	ue->sent_at = loop_now(ue->e->t->loop);
}

/* What goes to the node, and what of the UE's context was used, for messages of every kind. */
struct outgoing {
	struct octets plain; /* for the record */
	bool initial;
	enum rrc_cause cause;
	const struct nas_s_tmsi *s_tmsi;
};

static int send_out(struct ue *ue, enum access access, const struct outgoing *outgoing,
		    enum ue_protection protection, const struct ue_options *options)
{
	struct ue_access *a = &ue->access[access];
	struct uplink uplink = {
		.cause = outgoing->cause,
		.s_tmsi = options->no_ngap_s_tmsi ? NULL : outgoing->s_tmsi,
		.no_ue_context_request = options->no_ue_context_request,
		.alter = options->alter_ngap,
		.alter_arg = options->alter_ngap_arg,
	};
	uint8_t *out = ue->e->nas_out;
	ssize_t len = protect_as(ue, access, protection, outgoing->plain, out, MESSAGE_MAX);

	if (len < 0)
		return (int)len;
	ue_record(ue, true, outgoing->plain, len > 1 && out[0] == NAS_EPD_5GMM ? out[1] & 0x0fU : 0,
		  protection == PROTECT_WRONG_MAC   ? "wrong MAC"
		  : protection == PROTECT_OLD_COUNT ? "old COUNT"
						    : NULL);
	begin(ue, outgoing->plain);
	return gnb_uplink(a->gnb, ue, OCTETS(out, (size_t)len), &uplink);
}

int ue_submit(struct ue *ue, const struct nas_msg *msg, enum rrc_cause cause,
	      const struct ue_options *options)
{
	enum access access = ue_choose(ue, options);
	struct ue_access *a = &ue->access[access];
	struct context *context = ue_context(ue, access);
	enum ue_protection protection = options->protection;
	struct nas_msg full = *msg, form;
	struct outgoing outgoing = { .cause = cause_of(ue, options, cause) };
	uint8_t whole[8192], first[8192], memory[16384];
	struct nas_s_tmsi s_tmsi;
	struct arena arena;
	int len;

	arena_init(&arena, memory, sizeof(memory));
	if (options->alter)
		options->alter(&full, options->alter_arg);
	len = nas_encode(&full, whole, sizeof(whole));
	if (len < 0)
		return len;
	outgoing.initial = !a->connection;
	outgoing.plain = OCTETS(whole, (size_t)len);
	if (options->s_tmsi || options->guti ||
	    (ue->has_guti && options->identity != IDENTITY_SUCI)) {
		s_tmsi = options->s_tmsi ? *options->s_tmsi
			 : options->guti ? options->guti->s_tmsi
					 : ue->guti.s_tmsi;
		outgoing.s_tmsi = &s_tmsi;
	}

	if (!outgoing.initial || !is_initial_type(full.type)) {
		if (protection == PROTECT_DEFAULT)
			protection = context->valid ? PROTECT_CIPHERED : PROTECT_PLAIN;
		return send_out(ue, access, &outgoing, protection, options);
	}

	if (protection == PROTECT_DEFAULT)
		protection = context->valid ? PROTECT_INTEGRITY : PROTECT_PLAIN;
	keep_initial(ue, a, outgoing.plain);
	a->initial_protected = protection != PROTECT_PLAIN;
	if (protection == PROTECT_PLAIN || protection == PROTECT_INTEGRITY ||
	    protection == PROTECT_WRONG_MAC) {
		int error =
			initial_form(ue, access, &full, outgoing.plain,
				     protection != PROTECT_PLAIN && context->valid, &form, &arena);

		if (error)
			return error;
		len = nas_encode(&form, first, sizeof(first));
		if (len < 0)
			return len;
		ue_record(ue, true, outgoing.plain, (unsigned int)NAS_PLAIN,
			  "the whole message; what follows is its initial form");
		outgoing.plain = OCTETS(first, (size_t)len);
	}
	return send_out(ue, access, &outgoing, protection, options);
}

int ue_submit_octets(struct ue *ue, struct octets octets, const struct ue_options *options)
{
	enum access access = ue_choose(ue, options);
	struct outgoing outgoing = {
		.plain = octets,
		.initial = !ue->access[access].connection,
		.cause = cause_of(ue, options, RRC_MO_SIGNALLING),
	};
	struct nas_s_tmsi s_tmsi = options->s_tmsi ? *options->s_tmsi : ue->guti.s_tmsi;

	if (options->s_tmsi || (ue->has_guti && options->identity != IDENTITY_SUCI))
		outgoing.s_tmsi = &s_tmsi;
	return send_out(ue, access, &outgoing, options->protection, options);
}

enum nas_security_header_type ue_answer_type(const struct ue *ue, enum access access)
{
	return ue->access[access].context.valid && ue->access[access].secured
		       ? NAS_INTEGRITY_PROTECTED_AND_CIPHERED
		       : NAS_PLAIN;
}

void ue_answer(struct ue *ue, enum access access, const struct nas_msg *msg,
	       enum nas_security_header_type type)
{
	struct ue_access *a = &ue->access[access];
	static const struct uplink nothing;
	uint8_t plain[8192];
	uint8_t *out = ue->e->nas_out;
	ssize_t len = nas_encode(msg, plain, sizeof(plain));
	int error;

	if (!a->connection || !a->gnb)
		return; /* the connection went away meanwhile */
	if (len >= 0 && type != NAS_PLAIN) {
		ssize_t secured =
			ue_protect(ue, access, type, OCTETS(plain, (size_t)len), out, MESSAGE_MAX);

		if (secured >= 0)
			ue_record(ue, true, OCTETS(plain, (size_t)len), type, NULL);
		len = secured;
	} else if (len >= 0) {
		memcpy(out, plain, (size_t)len);
		ue_record(ue, true, OCTETS(plain, (size_t)len), type, NULL);
	}
	error = len < 0 ? (int)len : gnb_uplink(a->gnb, ue, OCTETS(out, (size_t)len), &nothing);
	if (error < 0 && error != -ENOTCONN)
		emulation_end(ue->e, VERDICT_ERROR, "%s: cannot send %s: %s", ue->name,
			      nas_message_name(msg->type), strerror(-error));
}

/* --- messages ----------------------------------------------------------------------------------
 */

static void add_capabilities(struct ue *ue, struct nas_msg *msg, bool with_5gmm)
{
	enum { SERVICE_GAP_CONTROL = 0x80, CP_CIOT = 0x10 };
	uint8_t capability = SERVICE_GAP_CONTROL | (ue->prefers_control_plane ? CP_CIOT : 0);
	struct nas_ue_security_capability security = { .ea = ue->ea, .ia = ue->ia };

	if (with_5gmm)
		nas_add_copy(msg, NAS_IE_5GMM_CAPABILITY, OCTETS(&capability, 1));
	nas_add_ue_security_capability(msg, NAS_IE_UE_SECURITY_CAPABILITY, &security);
}

static void add_requested_nssai(struct ue *ue, struct nas_msg *msg)
{
	const struct profile *profile = ue->e->t->profile;
	struct nas_snssai slices[8];
	size_t count = 0;

	for (; count < profile->slice_count && count < 8; count++)
		slices[count] = (struct nas_snssai){
			.sst = profile->slices[count].sst,
			.has_sd = profile->slices[count].has_sd,
			.sd = profile->slices[count].sd,
		};
	if (count)
		nas_add_nssai(msg, NAS_IE_REQUESTED_NSSAI, slices, count);
}

static void add_session_status(struct ue *ue, struct nas_msg *msg, const struct ue_options *options)
{
	uint16_t status = options->pdu_session_status ? options->pdu_session_status : ue->sessions;

	if (options->uplink_data_status)
		nas_add_psi(msg, NAS_IE_UPLINK_DATA_STATUS, options->uplink_data_status);
	if (status)
		nas_add_psi(msg, NAS_IE_PDU_SESSION_STATUS, status);
}

static void add_nid(struct ue *ue, enum access access, struct nas_msg *msg)
{
	uint64_t nid = ue->e->t->profile->nid;
	const struct gnb *gnb = ue->access[access].gnb;
	uint8_t octets[6] = { 0 };

	if (!gnb->options.snpn)
		return;
	/* 9.11.3.79: 11 digits, each in a nibble, the first in bits 4 to 1 of the first octet */
	for (int i = 0; i < 11; i++) {
		uint8_t digit = (uint8_t)(nid >> (40 - 4 * i) & 0x0f);

		octets[i / 2] |= (uint8_t)(i % 2 ? digit << 4 : digit);
	}
	nas_add_copy(msg, NAS_IE_NID, OCTETS(octets, sizeof(octets)));
}

static void add_last_visited_tai(struct ue *ue, enum access access, struct nas_msg *msg)
{
	if (access == ACCESS_3GPP && ue->access[access].tai_count)
		nas_add_tai(msg, NAS_IE_LAST_VISITED_REGISTERED_TAI, &ue->access[access].tais[0]);
}

int ue_submit_registration(struct ue *ue, enum reg_type type, const struct ue_options *options)
{
	/* 9.11.2.20: type discontinuous coverage, no period */
	static const uint8_t discontinuous_coverage[] = { 0x01 };
	enum { CP_CIOT_PREFERRED = 0x04 }; /* 5GS preferred network behaviour, 9.11.3.9A */
	enum access access = ue_choose(ue, options);
	struct nas_msg msg = nas_build(ue->e, NAS_REGISTRATION_REQUEST);
	struct nas_s_tmsi s_tmsi;
	bool has_s_tmsi;
	int error;

	ue->emergency = type == REG_EMERGENCY;
	nas_add_u8(&msg, NAS_IE_5GS_REGISTRATION_TYPE,
		   (uint8_t)((uint8_t)type | (options->follow_on ? NAS_FOLLOW_ON_REQUEST : 0)));
	nas_add_u8(&msg, NAS_IE_NGKSI, ngksi(ue, access, options));
	error = add_identity(ue, &msg, options, &s_tmsi, &has_s_tmsi);
	if (error)
		return error;
	if (type != REG_PERIODIC) {
		add_capabilities(ue, &msg, true);
		if (type != REG_EMERGENCY)
			add_requested_nssai(ue, &msg);
		add_last_visited_tai(ue, access, &msg);
	}
	add_session_status(ue, &msg, options);
	if (ue->prefers_control_plane && type != REG_PERIODIC) {
		static const uint8_t update[] = { CP_CIOT_PREFERRED };

		nas_add(&msg, NAS_IE_5GS_UPDATE_TYPE, OCTETS(update, 1));
	}
	add_nid(ue, access, &msg);
	if (options->discontinuous_coverage)
		nas_add(&msg, NAS_IE_UNAVAILABILITY_INFORMATION,
			OCTETS(discontinuous_coverage, sizeof(discontinuous_coverage)));
	return ue_submit(ue, &msg, type == REG_EMERGENCY ? RRC_EMERGENCY : RRC_MO_SIGNALLING,
			 options);
}

int ue_submit_service_request(struct ue *ue, enum sr_type type, const struct ue_options *options)
{
	enum access access = ue_choose(ue, options);
	struct nas_msg msg = nas_build(ue->e, NAS_SERVICE_REQUEST);
	struct nas_s_tmsi s_tmsi = options->s_tmsi ? *options->s_tmsi
				   : options->guti ? options->guti->s_tmsi
						   : ue->guti.s_tmsi;
	struct ue_options with_data = *options;

	if (!options->s_tmsi && !options->guti && !ue->has_guti)
		return -ENOENT;
	if (type == SR_DATA && !options->uplink_data_status)
		with_data.uplink_data_status = ue->sessions;
	nas_add_u8(&msg, NAS_IE_NGKSI, ngksi(ue, access, options));
	nas_add_u8(&msg, NAS_IE_SERVICE_TYPE, (uint8_t)type);
	nas_add_s_tmsi(&msg, NAS_IE_5G_S_TMSI, &s_tmsi);
	add_session_status(ue, &msg, &with_data);
	return ue_submit(ue, &msg, service_category(type), options);
}

static int submit_control_plane(struct ue *ue, const struct ue_options *options)
{
	enum access access = ue_choose(ue, options);
	struct nas_msg msg = nas_build(ue->e, NAS_CONTROL_PLANE_SERVICE_REQUEST);
	uint8_t container[1 + CIOT_DATA_MAX];
	size_t len = options->data.len < CIOT_DATA_MAX ? options->data.len : CIOT_DATA_MAX;

	nas_add_u8(&msg, NAS_IE_CONTROL_PLANE_SERVICE_TYPE, NAS_CP_SERVICE_MOBILE_ORIGINATING);
	nas_add_u8(&msg, NAS_IE_NGKSI, ngksi(ue, access, options));
	if (len) {
		/* 9.11.3.18B: control plane user data of this PDU session */
		container[0] = (options->psi ? options->psi : DEFAULT_PSI) & 0x07;
		memcpy(container + 1, options->data.data, len);
		nas_add_copy(&msg, NAS_IE_CIOT_SMALL_DATA_CONTAINER, OCTETS(container, 1 + len));
	}
	return ue_submit(ue, &msg, RRC_MO_DATA, options);
}

static int submit_deregistration(struct ue *ue, const struct ue_options *options)
{
	enum access access = ue_choose(ue, options);
	struct nas_msg msg = nas_build(ue->e, NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING);
	struct nas_s_tmsi s_tmsi;
	bool has_s_tmsi;
	int error;

	nas_add_u8(&msg, NAS_IE_DEREGISTRATION_TYPE,
		   (uint8_t)((access == ACCESS_3GPP ? NAS_ACCESS_3GPP : NAS_ACCESS_NON_3GPP) |
			     (options->switch_off ? NAS_DEREGISTRATION_SWITCH_OFF : 0)));
	nas_add_u8(&msg, NAS_IE_NGKSI, ngksi(ue, access, options));
	error = add_identity(ue, &msg, options, &s_tmsi, &has_s_tmsi);
	if (error)
		return error;
	if (options->switch_off)
		ue->access[access].registered = false;
	return ue_submit(ue, &msg, RRC_MO_SIGNALLING, options);
}

static int submit_ul_nas_transport(struct ue *ue, enum nas_payload_container_type container,
				   struct octets payload, const struct nas_snssai *slice,
				   const char *dnn, const struct ue_options *options)
{
	struct nas_msg msg = nas_build(ue->e, NAS_UL_NAS_TRANSPORT);

	nas_add_u8(&msg, NAS_IE_PAYLOAD_CONTAINER_TYPE, (uint8_t)container);
	nas_add(&msg, NAS_IE_PAYLOAD_CONTAINER, payload);
	if (container == NAS_PAYLOAD_N1_SM)
		nas_add_u8(&msg, NAS_IE_PDU_SESSION_ID, options->psi ? options->psi : DEFAULT_PSI);
	if (options->request_type)
		nas_add_u8(&msg, NAS_IE_REQUEST_TYPE, (uint8_t)options->request_type);
	if (slice)
		nas_add_snssai(&msg, NAS_IE_S_NSSAI, slice);
	if (dnn)
		nas_add_dnn(&msg, dnn);
	return ue_submit(ue, &msg, RRC_MO_SIGNALLING, options);
}

/* --- what a case calls -------------------------------------------------------------------------
 */

static void judge_sending(struct ue *ue, const char *what, int error)
{
	struct tc *t = ue->e->t;

	if (error >= 0)
		return;
	switch (error) {
	case -ENOTCONN:
		tc_iut_dead(t, "%s cannot send %s: its node has no association any more", ue->name,
			    what);
	case -ENOENT:
		tc_error(t, "%s has no 5G-GUTI to send %s with", ue->name, what);
	case -ENOKEY:
		tc_error(t, "%s has no security context to protect %s with", ue->name, what);
	default:
		tc_error(t, "%s cannot send %s: %s", ue->name, what, strerror(-error));
	}
}

void ue_register_with(struct ue *ue, enum reg_type type, const struct ue_options *options)
{
	judge_sending(ue, "REGISTRATION REQUEST", ue_submit_registration(ue, type, options));
}

void ue_service_request_with(struct ue *ue, enum sr_type type, const struct ue_options *options)
{
	judge_sending(ue, "SERVICE REQUEST", ue_submit_service_request(ue, type, options));
}

void ue_control_plane_service_request_with(struct ue *ue, const struct ue_options *options)
{
	judge_sending(ue, "CONTROL PLANE SERVICE REQUEST", submit_control_plane(ue, options));
}

void ue_deregister_with(struct ue *ue, const struct ue_options *options)
{
	judge_sending(ue, "DEREGISTRATION REQUEST", submit_deregistration(ue, options));
}

void ue_ul_nas_transport_with(struct ue *ue, enum nas_payload_container_type container,
			      struct octets payload, const struct ue_options *options)
{
	judge_sending(ue, "UL NAS TRANSPORT",
		      submit_ul_nas_transport(ue, container, payload, NULL, NULL, options));
}

/* A 5GSM message of this UE; encoded into out. */
static size_t encode_sm(struct ue *ue, struct nas_msg *sm, const struct ue_options *options,
			uint8_t *out, size_t size)
{
	int len;

	sm->pdu_session_id = options->psi ? options->psi : DEFAULT_PSI;
	ue->pti = (uint8_t)(ue->pti % 254 + 1);
	sm->pti = ue->pti;
	len = nas_encode(sm, out, size);
	if (len < 0)
		tc_error(ue->e->t, "%s cannot encode %s", ue->name, nas_message_name(sm->type));
	return (size_t)len;
}

void ue_pdu_session_request_with(struct ue *ue, const struct ue_options *options)
{
	const struct profile *profile = ue->e->t->profile;
	static const uint8_t full_rate[] = { 0xff, 0xff }; /* 9.11.4.7 */
	struct ue_options with = *options;
	struct nas_snssai slice = { .sst = 1 };
	uint8_t memory[1024], octets[128];
	struct arena arena;
	struct nas_msg sm;
	size_t len;

	arena_init(&arena, memory, sizeof(memory));
	nas_init(&sm, NAS_PDU_SESSION_ESTABLISHMENT_REQUEST, &arena);
	nas_add(&sm, NAS_IE_INTEGRITY_MAXIMUM_DATA_RATE, OCTETS(full_rate, 2));
	nas_add_u8(&sm, NAS_IE_PDU_SESSION_TYPE, 1); /* IPv4 */
	len = encode_sm(ue, &sm, options, octets, sizeof(octets));
	if (!with.request_type)
		with.request_type = NAS_REQUEST_INITIAL;
	if (profile->slice_count) {
		slice.sst = profile->slices[0].sst;
		slice.has_sd = profile->slices[0].has_sd;
		slice.sd = profile->slices[0].sd;
	}
	judge_sending(ue, "PDU SESSION ESTABLISHMENT REQUEST",
		      submit_ul_nas_transport(
			      ue, NAS_PAYLOAD_N1_SM, OCTETS(octets, len),
			      with.request_type == NAS_REQUEST_INITIAL ? &slice : NULL,
			      with.request_type == NAS_REQUEST_INITIAL ? "internet" : NULL, &with));
}

void ue_data_off_request_with(struct ue *ue, const struct ue_options *options)
{
	/* 24.008 10.5.6.3: configuration protocol PPP, 3GPP PS data off UE status: activated */
	static const uint8_t pco[] = { 0x80, 0x00, 0x17, 0x01, 0x02 };
	uint8_t memory[1024], octets[128];
	struct arena arena;
	struct nas_msg sm;
	size_t len;

	arena_init(&arena, memory, sizeof(memory));
	nas_init(&sm, NAS_PDU_SESSION_MODIFICATION_REQUEST, &arena);
	nas_add(&sm, NAS_IE_EXTENDED_PCO, OCTETS(pco, sizeof(pco)));
	len = encode_sm(ue, &sm, options, octets, sizeof(octets));
	judge_sending(ue, "PDU SESSION MODIFICATION REQUEST",
		      submit_ul_nas_transport(ue, NAS_PAYLOAD_N1_SM, OCTETS(octets, len), NULL,
					      NULL, options));
}

struct nas_msg *ue_message(struct ue *ue, enum nas_message_type type)
{
	struct tc *t = ue->e->t;
	struct nas_msg *msg = tc_alloc(t, sizeof(*msg));

	nas_init(msg, type, emulation_arena(t, NAS_ARENA_SIZE));
	return msg;
}

void ue_send_with(struct ue *ue, const struct nas_msg *msg, const struct ue_options *options)
{
	judge_sending(ue, nas_message_name(msg->type),
		      ue_submit(ue, msg, RRC_MO_SIGNALLING, options));
}

void ue_send_octets_with(struct ue *ue, struct octets octets, const struct ue_options *options)
{
	judge_sending(ue, "octets", ue_submit_octets(ue, octets, options));
}

void ue_release_request(struct ue *ue)
{
	const struct ue_access *a = &ue->access[gnb_access(ue->node)];

	if (!a->connection)
		tc_error(ue->e->t, "%s has no connection that could be released", ue->name);
	judge_sending(ue, "UE CONTEXT RELEASE REQUEST", gnb_release_request(a->gnb, a->connection));
}
