#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/nas_timer.h"
#include "codecs/nas/nas_value.h"
#include "codecs/nas/security/key_derivation.h"
#include "codecs/nas/security/milenage.h"
#include "runner/core/random.h"
#include "runner/emulation/fake_ran_parts.h"

enum { CAUSE_MT = 2, CAUSE_SIGNALLING = 3, CAUSE_DATA = 4 };

static enum nas_connection connection_of(const struct fake_ran_ue *ue)
{
	return ue->n3iwf ? NAS_CONNECTION_NON_3GPP : NAS_CONNECTION_3GPP;
}

/* --- sending --- */

static size_t encode(const struct nas_msg *msg, uint8_t *out, size_t size)
{
	int len = nas_encode(msg, out, size);

	if (len < 0)
		abort();
	return (size_t)len;
}

static size_t protect(struct fake_ran_ue *ue, enum nas_security_header_type type,
		      struct octets plain, uint8_t *out, size_t size)
{
	struct nas_security_position position = {
		.count = ue->context.ul_count++,
		.connection = connection_of(ue),
		.direction = NAS_UPLINK,
	};
	size_t len;

	if (nas_security_protect(&ue->context.suite, &position, type, plain, out, size, &len) !=
	    NAS_SECURITY_OK)
		abort();
	return len;
}

static void send_waiting(struct timer *timer, void *arg)
{
	struct fake_ran_ue *ue = arg;

	(void)timer;
	if (ue->ran_id)
		fake_uplink(ue, OCTETS(ue->waiting, ue->waiting_len), CAUSE_SIGNALLING);
}

/* type -1: as the state of the connection asks */
static void answer(struct fake_ran_ue *ue, const struct nas_msg *msg, int type)
{
	uint8_t plain[512];
	size_t len = encode(msg, plain, sizeof(plain));

	if (type < 0)
		type = ue->secured ? NAS_INTEGRITY_PROTECTED_AND_CIPHERED : NAS_PLAIN;
	if (type == NAS_PLAIN) {
		memcpy(ue->waiting, plain, len);
		ue->waiting_len = len;
	} else {
		ue->waiting_len = protect(ue, (enum nas_security_header_type)type,
					  OCTETS(plain, len), ue->waiting, sizeof(ue->waiting));
	}
	if (fake_ran_plan.behind)
		timer_start(&ue->delay, fake_ran_plan.behind * US_PER_MS);
	else
		send_waiting(NULL, ue);
}

static void send_initial(struct fake_ran_ue *ue, const struct nas_msg *msg, int cause)
{
	uint8_t out[700];
	size_t len;

	ue->initial_len = encode(msg, ue->initial, sizeof(ue->initial));
	ue->initial_protected = ue->context.valid;
	if (ue->context.valid) {
		len = protect(ue, NAS_INTEGRITY_PROTECTED, OCTETS(ue->initial, ue->initial_len),
			      out, sizeof(out));
		ue->secured = true;
	} else {
		memcpy(out, ue->initial, ue->initial_len);
		len = ue->initial_len;
	}
	fake_uplink(ue, OCTETS(out, len), cause);
}

static void add_suci(struct fake_ran_ue *ue, struct nas_msg *msg, enum nas_ie ie)
{
	struct nas_identity identity;
	struct nas_plmn plmn;

	if (nas_plmn_from_text(&plmn, "99970") != 0 ||
	    nas_suci_from_msin(&identity, &plmn, "0", ue->digits + 5, msg->arena) != 0)
		abort();
	nas_add_identity(msg, ie, &identity);
}

void fake_ue_register(struct fake_ran_ue *ue, uint8_t type)
{
	const struct nas_ue_security_capability capability = { .ea = 0xf0 >> 4, .ia = 0xf0 >> 4 };
	static const struct nas_guti nobody = {
		.plmn = { { 0x99, 0xf9, 0x07 } },
		.amf_region_id = 2,
		.s_tmsi = { .amf_set_id = 1, .tmsi = 0x00c0ffee },
	};
	static const struct nas_identity imei = { .type = NAS_IDENTITY_IMEI,
						  .digits = "356938035643809" };
	uint8_t memory[4096];
	struct arena arena;
	struct nas_msg msg;

	ue->wants = NAS_REGISTRATION_REQUEST;
	ue->registration_type = type;
	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, NAS_REGISTRATION_REQUEST, &arena);
	nas_add_u8(&msg, NAS_IE_5GS_REGISTRATION_TYPE, type);
	nas_add_u8(&msg, NAS_IE_NGKSI, ue->context.valid ? ue->context.ngksi : NAS_NGKSI_NO_KEY);
	if (ue->has_guti)
		nas_add_guti(&msg, NAS_IE_5GS_MOBILE_IDENTITY, &ue->guti);
	else if (fake_ran_plan.has_no_usim)
		nas_add_identity(&msg, NAS_IE_5GS_MOBILE_IDENTITY, &imei);
	else if (fake_ran_plan.unknown_guti)
		nas_add_guti(&msg, NAS_IE_5GS_MOBILE_IDENTITY, &nobody);
	else
		add_suci(ue, &msg, NAS_IE_5GS_MOBILE_IDENTITY);
	nas_add_ue_security_capability(&msg, NAS_IE_UE_SECURITY_CAPABILITY, &capability);
	send_initial(ue, &msg, CAUSE_SIGNALLING);
}

void fake_ue_service(struct fake_ran_ue *ue, uint8_t type)
{
	uint8_t memory[4096];
	struct arena arena;
	struct nas_msg msg;

	ue->wants = NAS_SERVICE_REQUEST;
	ue->service_type = type;
	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, NAS_SERVICE_REQUEST, &arena);
	nas_add_u8(&msg, NAS_IE_NGKSI, ue->context.ngksi);
	nas_add_u8(&msg, NAS_IE_SERVICE_TYPE, type);
	nas_add_s_tmsi(&msg, NAS_IE_5G_S_TMSI, &ue->guti.s_tmsi);
	send_initial(ue, &msg, type == NAS_SERVICE_MOBILE_TERMINATED ? CAUSE_MT : CAUSE_DATA);
}

void fake_ue_deregister(struct fake_ran_ue *ue, bool switch_off)
{
	uint8_t memory[4096];
	struct arena arena;
	struct nas_msg msg;

	ue->wants = 0;
	ue->registered = false;
	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING, &arena);
	nas_add_u8(&msg, NAS_IE_DEREGISTRATION_TYPE, switch_off ? 0x09 : 0x01);
	nas_add_u8(&msg, NAS_IE_NGKSI, ue->context.ngksi);
	nas_add_guti(&msg, NAS_IE_5GS_MOBILE_IDENTITY, &ue->guti);
	send_initial(ue, &msg, CAUSE_SIGNALLING);
}

void fake_ue_switch(struct fake_ran_ue *ue, bool n3iwf)
{
	struct fake_context context = ue->context;

	if (ue->n3iwf == n3iwf)
		return;
	ue->n3iwf = n3iwf;
	ue->ran_id = 0;
	ue->secured = false;
	if (!ue->other.valid) {
		ue->other = context;
		ue->other.ul_count = ue->other.dl_next = 0;
	}
	ue->context = ue->other;
	ue->other = context;
}

void fake_ue_paged(struct fake_ran_ue *ue)
{
	timer_stop(&ue->back_off);
	fake_ue_service(ue, NAS_SERVICE_MOBILE_TERMINATED);
}

/* --- back-off --- */

/* Neither a request, nor anything else that may begin a connection. */
static void begin_with_transport(struct fake_ran_ue *ue)
{
	static const uint8_t nothing[1];
	uint8_t memory[1024], plain[64], out[128];
	struct arena arena;
	struct nas_msg msg;
	size_t len;

	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, NAS_UL_NAS_TRANSPORT, &arena);
	nas_add_u8(&msg, NAS_IE_PAYLOAD_CONTAINER_TYPE, NAS_PAYLOAD_SMS);
	nas_add_u8(&msg, NAS_IE_SPARE, 0);
	nas_add(&msg, NAS_IE_PAYLOAD_CONTAINER, OCTETS(nothing, 1));
	len = encode(&msg, plain, sizeof(plain));
	len = protect(ue, NAS_INTEGRITY_PROTECTED_AND_CIPHERED, OCTETS(plain, len), out,
		      sizeof(out));
	if (fake_ran_plan.early_unreadable)
		out[3] ^= 1;
	fake_uplink(ue, OCTETS(out, len), CAUSE_DATA);
}

static void again(struct timer *timer, void *arg)
{
	struct fake_ran_ue *ue = arg;

	(void)timer;
	if (fake_ran_plan.early_transport || fake_ran_plan.early_unreadable) {
		begin_with_transport(ue);
		return;
	}
	if (ue->wants == NAS_REGISTRATION_REQUEST || fake_ran_plan.falls_to_suci) {
		if (fake_ran_plan.falls_to_suci) {
			ue->has_guti = false;
			ue->context.valid = false;
		}
		fake_ue_register(ue, ue->registration_type ? ue->registration_type : 1);
	} else if (ue->wants == NAS_SERVICE_REQUEST) {
		fake_ue_service(ue, ue->service_type);
	}
}

static void rejected(struct fake_ran_ue *ue, const struct nas_msg *msg, bool protected)
{
	struct nas_timer t3346 = nas_get_timer(msg, NAS_IE_T3346_VALUE);
	uint64_t us = fake_ran_plan.back_off ? fake_ran_plan.back_off : t3346.seconds * US_PER_S;

	fake_ran_plan.rejects++;
	fake_ran_plan.last_reject_protected = protected;
	fake_ran_plan.last_reject_had_t3346 = nas_find(msg, NAS_IE_T3346_VALUE) != NULL;
	fake_ran_plan.last_reject_cause = (uint8_t)nas_cause(msg);
	nas_get_u8(msg, NAS_IE_T3346_VALUE, &fake_ran_plan.last_t3346);
	nas_get_u8(msg, NAS_IE_T3502_VALUE, &fake_ran_plan.last_t3502);
	if (nas_cause(msg) == NAS_5GMM_UE_IDENTITY_CANNOT_BE_DERIVED) {
		ue->has_guti = false;
		ue->context.valid = false;
		ue->registered = false;
		ue->wants = NAS_REGISTRATION_REQUEST;
		us = US_PER_S;
	}
	if (fake_ran_plan.ignores_back_off || fake_ran_plan.early_transport ||
	    fake_ran_plan.early_unreadable)
		us = US_PER_S;
	if (us && !fake_ran_plan.never_retries)
		timer_start(&ue->back_off, us);
}

/* --- authentication and security mode --- */

static void authenticate(struct fake_ran_ue *ue, const struct nas_msg *in)
{
	const struct profile_subscribers *s = &ue->iut->profile->subscribers;
	uint8_t res[8], ck[16], ik[16], ak[6], sqn[6], mac[8], ak_star[6], auts[14], res_star[16];
	uint8_t k_ausf[32], k_seaf[32], memory[2048];
	static const uint8_t dummy[2];
	char name[SERVING_NETWORK_NAME_SIZE];
	struct octets rand, autn, abba, sn;
	struct arena arena;
	struct nas_msg msg;
	uint64_t value = 0;

	arena_init(&arena, memory, sizeof(memory));
	if (!nas_get(in, NAS_IE_AUTHENTICATION_PARAMETER_RAND, &rand) ||
	    !nas_get(in, NAS_IE_AUTHENTICATION_PARAMETER_AUTN, &autn) ||
	    !nas_get(in, NAS_IE_ABBA, &abba) || rand.len != 16 || autn.len != 16)
		abort();
	milenage_f2345(s->k, s->opc, rand.data, res, ck, ik, ak, ak_star);
	for (int i = 0; i < 6; i++) {
		sqn[i] = autn.data[i] ^ ak[i];
		value = value << 8 | sqn[i];
	}
	milenage_f1(s->k, s->opc, rand.data, sqn, autn.data + 6, mac, NULL);
	if (memcmp(mac, autn.data + 8, 8) != 0)
		abort();
	if (fake_ran_plan.stale_sqn && ue->sqn == 0)
		ue->sqn = 0x123456;
	if (value <= ue->sqn) {
		nas_init(&msg, NAS_AUTHENTICATION_FAILURE, &arena);
		nas_add_u8(&msg, NAS_IE_5GMM_CAUSE, NAS_5GMM_SYNCH_FAILURE);
		for (int i = 0; i < 6; i++)
			sqn[i] = (uint8_t)(ue->sqn >> (40 - 8 * i));
		for (int i = 0; i < 6; i++)
			auts[i] = sqn[i] ^ ak_star[i];
		milenage_f1(s->k, s->opc, rand.data, sqn, dummy, NULL, auts + 6);
		nas_add_copy(&msg, NAS_IE_AUTHENTICATION_FAILURE_PARAMETER, OCTETS(auts, 14));
		answer(ue, &msg, -1);
		return;
	}
	ue->sqn = value;
	serving_network_name("999", "70", NULL, name);
	sn = OCTETS((const uint8_t *)name, strlen(name));
	derive_res_star(ck, ik, sn, rand.data, OCTETS(res, 8), res_star);
	derive_k_ausf(ck, ik, sn, autn.data, k_ausf);
	derive_k_seaf(k_ausf, sn, k_seaf);
	ue->pending = (struct fake_context){ .valid = true };
	nas_get_u8(in, NAS_IE_NGKSI, &ue->pending.ngksi);
	derive_k_amf(k_seaf, OCTETS((const uint8_t *)ue->digits, strlen(ue->digits)), abba,
		     ue->pending.k_amf);
	if (fake_ran_plan.wrong_res)
		res_star[0] ^= 1;
	nas_init(&msg, NAS_AUTHENTICATION_RESPONSE, &arena);
	nas_add_copy(&msg, NAS_IE_AUTHENTICATION_RESPONSE_PARAMETER, OCTETS(res_star, 16));
	answer(ue, &msg, -1);
}

static void security_mode(struct fake_ran_ue *ue, struct octets pdu)
{
	struct nas_security_position position = { .connection = connection_of(ue),
						  .direction = NAS_DOWNLINK };
	uint8_t memory[4096], algorithms = 0, plain[512], additional = 0;
	struct arena arena;
	struct nas_msg in, msg;
	size_t len;

	arena_init(&arena, memory, sizeof(memory));
	if (nas_decode(&in, OCTETS(pdu.data + 7, pdu.len - 7), &arena, DECODE_LENIENT, NULL) !=
		    FINDING_NONE ||
	    !nas_get_u8(&in, NAS_IE_SELECTED_NAS_SECURITY_ALGORITHMS, &algorithms))
		abort();
	nas_get_u8(&in, NAS_IE_ADDITIONAL_5G_SECURITY_INFORMATION, &additional);
	ue->pending.suite.nea = (enum nea)(algorithms >> 4);
	ue->pending.suite.nia = (enum nia)(algorithms & 15);
	derive_algorithm_key(ue->pending.k_amf, N_NAS_ENC_ALG, algorithms >> 4,
			     ue->pending.suite.k_nas_enc);
	derive_algorithm_key(ue->pending.k_amf, N_NAS_INT_ALG, algorithms & 15,
			     ue->pending.suite.k_nas_int);
	if (nas_security_unprotect(&ue->pending.suite, &position, pdu, plain, sizeof(plain),
				   &len) != NAS_SECURITY_OK) {
		fake_ran_plan.bad_macs++;
		return;
	}
	ue->context = ue->pending;
	ue->context.dl_next = 1;
	ue->secured = true;
	nas_init(&msg, NAS_SECURITY_MODE_COMPLETE, &arena);
	if (!ue->initial_protected || additional & 2)
		nas_add(&msg, NAS_IE_NAS_MESSAGE_CONTAINER, OCTETS(ue->initial, ue->initial_len));
	answer(ue, &msg,
	       fake_ran_plan.plain_complete ? NAS_PLAIN
					    : NAS_INTEGRITY_PROTECTED_AND_CIPHERED_NEW_CONTEXT);
}

/* --- what arrives --- */

static void accepted(struct fake_ran_ue *ue, const struct nas_msg *in)
{
	struct nas_identity identity;
	uint8_t memory[2048];
	struct arena arena;
	struct nas_msg msg;

	fake_ran_plan.accepts++;
	ue->wants = 0;
	if (in->type == NAS_SERVICE_ACCEPT)
		return;
	ue->registered = true;
	if (!nas_get_identity(in, NAS_IE_5G_GUTI, &identity))
		return;
	ue->has_guti = true;
	ue->guti = identity.guti;
	fake_ran_plan.completes++;
	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, NAS_REGISTRATION_COMPLETE, &arena);
	answer(ue, &msg, -1);
}

static void deregistered(struct fake_ran_ue *ue, const struct nas_msg *in)
{
	uint8_t memory[2048], type = 0;
	struct arena arena;
	struct nas_msg msg;

	fake_ran_plan.deregistrations++;
	nas_get_u8(in, NAS_IE_DEREGISTRATION_TYPE, &type);
	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, NAS_DEREGISTRATION_ACCEPT_UE_TERMINATED, &arena);
	answer(ue, &msg, -1);
	ue->registered = false;
	ue->wants = NAS_REGISTRATION_REQUEST;
	timer_start(&ue->back_off,
		    type & 4 ? US_PER_S
			     : nas_get_timer(in, NAS_IE_T3346_VALUE).seconds * US_PER_S + 1);
}

static void simple(struct fake_ran_ue *ue, enum nas_message_type type)
{
	uint8_t memory[2048];
	struct arena arena;
	struct nas_msg msg;

	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, type, &arena);
	if (type == NAS_IDENTITY_RESPONSE)
		add_suci(ue, &msg, NAS_IE_MOBILE_IDENTITY);
	answer(ue, &msg, -1);
}

static void take(struct fake_ran_ue *ue, const struct nas_msg *msg, bool protected)
{
	uint8_t indication = 0;

	switch (msg->type) {
	case NAS_AUTHENTICATION_REQUEST:
		authenticate(ue, msg);
		break;
	case NAS_IDENTITY_REQUEST:
		simple(ue, NAS_IDENTITY_RESPONSE);
		break;
	case NAS_REGISTRATION_ACCEPT:
	case NAS_SERVICE_ACCEPT:
		accepted(ue, msg);
		break;
	case NAS_REGISTRATION_REJECT:
	case NAS_SERVICE_REJECT:
		rejected(ue, msg, protected);
		break;
	case NAS_DEREGISTRATION_REQUEST_UE_TERMINATED:
		deregistered(ue, msg);
		break;
	case NAS_CONFIGURATION_UPDATE_COMMAND:
		timer_stop(&ue->back_off);
		nas_get_u8(msg, NAS_IE_CONFIGURATION_UPDATE_INDICATION, &indication);
		if (indication & 1)
			simple(ue, NAS_CONFIGURATION_UPDATE_COMPLETE);
		break;
	case NAS_NOTIFICATION:
		fake_ue_switch(ue, false);
		fake_ue_paged(ue);
		break;
	default:
		break;
	}
}

void fake_ue_nas(struct fake_ran_ue *ue, struct octets pdu)
{
	struct nas_security_position position = { .connection = connection_of(ue),
						  .direction = NAS_DOWNLINK };
	uint8_t memory[NAS_ARENA_SIZE], plain[2048];
	struct nas_security_header header;
	struct octets inner = pdu;
	struct arena arena;
	struct nas_msg msg;
	size_t len;

	if (nas_is_secured(pdu)) {
		if (nas_security_parse(pdu, &header) != NAS_SECURITY_OK)
			return;
		if (header.type == NAS_INTEGRITY_PROTECTED_NEW_CONTEXT) {
			security_mode(ue, pdu);
			return;
		}
		if (nas_count_estimate(ue->context.dl_next, header.sequence_number,
				       &position.count) != NAS_SECURITY_OK ||
		    nas_security_unprotect(&ue->context.suite, &position, pdu, plain, sizeof(plain),
					   &len) != NAS_SECURITY_OK) {
			fake_ran_plan.bad_macs++;
			return;
		}
		ue->context.dl_next = position.count + 1;
		inner = OCTETS(plain, len);
	}
	arena_init(&arena, memory, sizeof(memory));
	if (nas_decode(&msg, inner, &arena, DECODE_LENIENT, NULL) == FINDING_NONE)
		take(ue, &msg, nas_is_secured(pdu));
}

void fake_ue_start(struct iut *iut, struct fake_ran_ue *ue, unsigned int number)
{
	if (ue->number)
		return;
	ue->iut = iut;
	ue->number = number;
	snprintf(ue->digits, sizeof(ue->digits), "%015llu", 999700000000000ULL + number);
	timer_init(&ue->back_off, iut->loop, "back-off", again, ue);
	timer_init(&ue->delay, iut->loop, "delay", send_waiting, ue);
}
