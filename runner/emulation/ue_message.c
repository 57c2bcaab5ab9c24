/*
 * What an emulated UE has to say: the messages of 24.501 8.2 and 8.3 built from its state and the
 * options of a case.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/nas_slice.h"
#include "codecs/nas/security/suci.h"
#include "runner/emulation/emulation.h"

enum {
	DEFAULT_PSI = 5,
	CIOT_DATA_MAX = 254, /* user data in a CIoT small data container, octets */
};

/* --- identities --- */

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

int ue_add_imei(struct ue *ue, struct nas_msg *msg, enum nas_ie ie, enum nas_identity_type type)
{
	struct nas_identity identity = { .type = type };
	size_t len = strlen(ue->digits);

	/* TAC of no real device, serial number from the subscription; check digit 0, or version 01
	 */
	snprintf(identity.digits, sizeof(identity.digits), "00000000%06d%s",
		 len > 6 ? atoi(ue->digits + len - 6) : atoi(ue->digits),
		 type == NAS_IDENTITY_IMEI ? "0" : "01");
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

/* --- messages --- */

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

/* --- what a case calls --- */

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
