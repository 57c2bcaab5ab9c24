/*
 * The UE's end of 5G-AKA and of NAS security (TS 33.501 6.1.3.2, 6.4, 6.7.2; TS 24.501 4.4, 5.4.1,
 * 5.4.2). Contexts, COUNTs and their checks are the UE's own; only ciphers and key derivation are
 * shared with anybody.
 */
#include <errno.h>
#include <stdio.h>

#include "codecs/nas/security/milenage.h"
#include "runner/emulation/emulation.h"

/* 9.11.3.12: the K_AMF has to be derived anew; the whole initial message is asked for again */
enum { ADDITIONAL_SECURITY_HDP = 0x01, ADDITIONAL_SECURITY_RINMR = 0x02 };

static enum nas_connection connection_of(enum access access)
{
	return access == ACCESS_3GPP ? NAS_CONNECTION_3GPP : NAS_CONNECTION_NON_3GPP;
}

static enum access other(enum access access)
{
	return access == ACCESS_3GPP ? ACCESS_NON_3GPP : ACCESS_3GPP;
}

bool ue_serving_network(const struct ue *ue, enum access access,
			char name[SERVING_NETWORK_NAME_SIZE])
{
	const struct profile *profile = ue->e->t->profile;
	const struct gnb *gnb = ue->access[access].gnb;
	char mcc[4], nid[12];

	snprintf(mcc, sizeof(mcc), "%.3s", profile->plmn.digits);
	snprintf(nid, sizeof(nid), "%011llX", (unsigned long long)(profile->nid & 0xfffffffffff));
	return serving_network_name(mcc, profile->plmn.digits + strlen(mcc),
				    gnb && gnb->options.snpn ? nid : NULL, name) == NAS_SECURITY_OK;
}

struct context *ue_context(struct ue *ue, enum access access)
{
	struct context *own = &ue->access[access].context;
	const struct context *from = &ue->access[other(access)].context;

	/*
	 * One 5G NAS security context serves both accesses of a network, each with COUNTs of its
	 * own (33.501 6.3.2). A connection that is in use goes on with what it has.
	 */
	if (from->valid && !ue->access[access].connection &&
	    (!own->valid || from->generation > own->generation)) {
		*own = *from;
		own->ul_count = 0;
		own->dl_next = 0;
	}
	return own;
}

static bool derive_suite(struct context *context, uint8_t algorithms)
{
	struct nas_security_suite *suite = &context->suite;

	suite->nea = (enum nea)(algorithms >> 4);
	suite->nia = (enum nia)(algorithms & 0x0f);
	return suite->nea <= NEA3 && suite->nia <= NIA3 &&
	       derive_algorithm_key(context->k_amf, N_NAS_ENC_ALG, (uint8_t)suite->nea,
				    suite->k_nas_enc) == NAS_SECURITY_OK &&
	       derive_algorithm_key(context->k_amf, N_NAS_INT_ALG, (uint8_t)suite->nia,
				    suite->k_nas_int) == NAS_SECURITY_OK;
}

/* The context that a SECURITY MODE COMMAND names, with the keys of the algorithms it selects. */
static bool select_candidate(struct ue *ue, enum access access, struct octets inner,
			     struct text *why)
{
	struct context *candidate = &ue->access[access].candidate;
	uint8_t memory[NAS_ARENA_SIZE];
	struct arena arena;
	struct nas_msg msg;
	uint8_t ngksi, algorithms;

	arena_init(&arena, memory, sizeof(memory));
	if (nas_decode(&msg, inner, &arena, DECODE_LENIENT, NULL) != FINDING_NONE ||
	    msg.type != SECURITY_MODE_COMMAND) {
		text_puts(why, "security header type 3 on what is no SECURITY MODE COMMAND");
		return false;
	}
	if (!nas_get_u8(&msg, NAS_IE_NGKSI, &ngksi) ||
	    !nas_get_u8(&msg, NAS_IE_SELECTED_NAS_SECURITY_ALGORITHMS, &algorithms)) {
		text_puts(why, "SECURITY MODE COMMAND without ngKSI or algorithms");
		return false;
	}
	if (ue->pending.valid && ue->pending.ngksi == ngksi) {
		*candidate = ue->pending;
	} else if (ue->access[access].context.valid && ue->access[access].context.ngksi == ngksi) {
		*candidate = ue->access[access].context;
	} else if (ue->access[other(access)].context.valid &&
		   ue->access[other(access)].context.ngksi == ngksi) {
		*candidate = ue->access[other(access)].context;
		candidate->ul_count = 0;
		candidate->dl_next = 0;
	} else {
		text_printf(why, "SECURITY MODE COMMAND for ngKSI %u, which the UE does not have",
			    ngksi);
		return false;
	}
	if (!derive_suite(candidate, algorithms)) {
		text_printf(why,
			    "SECURITY MODE COMMAND selects algorithms 0x%02x, unknown to the UE",
			    algorithms);
		return false;
	}
	return true;
}

bool ue_unprotect(struct ue *ue, enum access access, struct octets pdu, uint8_t *plain, size_t size,
		  size_t *len, uint32_t *count, struct text *why)
{
	struct nas_security_position position = {
		.connection = connection_of(access),
		.direction = NAS_DOWNLINK,
	};
	struct nas_security_header header;
	enum nas_security_status status;
	struct context *context;

	status = nas_security_parse(pdu, &header);
	if (status != NAS_SECURITY_OK) {
		text_printf(why, "no security protected message: %s",
			    nas_security_status_name(status));
		return false;
	}
	if (header.type == NAS_INTEGRITY_PROTECTED_NEW_CONTEXT) {
		if (!select_candidate(ue, access, header.message, why))
			return false;
		context = &ue->access[access].candidate;
	} else if (header.type == NAS_INTEGRITY_PROTECTED ||
		   header.type == NAS_INTEGRITY_PROTECTED_AND_CIPHERED) {
		context = &ue->access[access].context;
	} else {
		text_printf(why, "security header type %u, which no network sends", header.type);
		return false;
	}
	if (!context->valid) {
		text_puts(why, "protected, but the UE has no security context");
		return false;
	}
	if (nas_count_estimate(context->dl_next, header.sequence_number, &position.count) !=
	    NAS_SECURITY_OK) {
		text_puts(why, "downlink NAS COUNT is used up");
		return false;
	}
	status = nas_security_unprotect(&context->suite, &position, pdu, plain, size, len);
	if (status != NAS_SECURITY_OK) {
		text_printf(why, "%s (sequence number %u, NAS COUNT expected from %u on)",
			    nas_security_status_name(status), header.sequence_number,
			    context->dl_next);
		return false;
	}
	context->dl_next = position.count + 1;
	*count = position.count;
	return true;
}

ssize_t ue_protect(struct ue *ue, enum access access, enum nas_security_header_type type,
		   struct octets plain, uint8_t *out, size_t size)
{
	struct context *context = &ue->access[access].context;
	struct nas_security_position position = {
		.count = context->ul_count,
		.connection = connection_of(access),
		.direction = NAS_UPLINK,
	};
	size_t len;

	if (!context->valid)
		return -ENOKEY;
	if (nas_security_protect(&context->suite, &position, type, plain, out, size, &len) !=
	    NAS_SECURITY_OK)
		return -EINVAL;
	context->ul_count++;
	return (ssize_t)len;
}

bool ue_cipher(const struct ue *ue, enum access access, uint8_t *data, size_t len)
{
	const struct context *context = &ue->access[access].context;
	struct nas_security_position position = {
		.count = context->ul_count,
		.connection = connection_of(access),
		.direction = NAS_UPLINK,
	};

	return nas_security_cipher(&context->suite, &position, data, len) == NAS_SECURITY_OK;
}

/* --- authentication --- */

static void send_failure(struct ue *ue, enum access access, uint8_t cause, const uint8_t *auts)
{
	struct nas_msg msg = nas_build(ue->e, NAS_AUTHENTICATION_FAILURE);

	nas_add_u8(&msg, NAS_IE_5GMM_CAUSE, cause);
	if (auts)
		nas_add_copy(&msg, NAS_IE_AUTHENTICATION_FAILURE_PARAMETER, OCTETS(auts, 14));
	ue_answer(ue, access, &msg, ue_answer_type(ue, access));
}

static void send_response(struct ue *ue, enum access access)
{
	struct nas_msg msg = nas_build(ue->e, NAS_AUTHENTICATION_RESPONSE);

	nas_add_copy(&msg, NAS_IE_AUTHENTICATION_RESPONSE_PARAMETER, OCTETS(ue->last_res_star, 16));
	ue_answer(ue, access, &msg, ue_answer_type(ue, access));
}

static void send_synch_failure(struct ue *ue, enum access access, const uint8_t *rand)
{
	const struct profile_subscribers *s = &ue->e->t->profile->subscribers;
	static const uint8_t dummy_amf[MILENAGE_AMF_SIZE];
	uint8_t ak_star[MILENAGE_SQN_SIZE];
	uint8_t auts[14];

	if (milenage_f2345(s->k, s->opc, rand, NULL, NULL, NULL, NULL, ak_star) !=
		    NAS_SECURITY_OK ||
	    milenage_f1(s->k, s->opc, rand, ue->sqn, dummy_amf, NULL, auts + 6) != NAS_SECURITY_OK)
		return;
	for (int i = 0; i < MILENAGE_SQN_SIZE; i++)
		auts[i] = ue->sqn[i] ^ ak_star[i];
	send_failure(ue, access, NAS_5GMM_SYNCH_FAILURE, auts);
}

/* RES*, and the key hierarchy that waits for SECURITY MODE COMMAND. */
static bool agree(struct ue *ue, enum access access, uint8_t ngksi, struct octets abba,
		  const uint8_t *rand, const uint8_t *autn, const uint8_t *res, const uint8_t *ck,
		  const uint8_t *ik)
{
	char name[SERVING_NETWORK_NAME_SIZE];
	uint8_t k_ausf[KDF_KEY_SIZE], k_seaf[KDF_KEY_SIZE];
	struct context pending = {
		.valid = true,
		.ngksi = ngksi,
		.generation = ue->authentications + 1,
	};
	struct octets sn;

	if (!ue_serving_network(ue, access, name))
		return false;
	sn = OCTETS((const uint8_t *)name, strlen(name));
	if (derive_res_star(ck, ik, sn, rand, OCTETS(res, MILENAGE_RES_SIZE), ue->last_res_star) !=
		    NAS_SECURITY_OK ||
	    derive_k_ausf(ck, ik, sn, autn, k_ausf) != NAS_SECURITY_OK ||
	    derive_k_seaf(k_ausf, sn, k_seaf) != NAS_SECURITY_OK ||
	    derive_k_amf(k_seaf, OCTETS((const uint8_t *)ue->digits, strlen(ue->digits)), abba,
			 pending.k_amf) != NAS_SECURITY_OK)
		return false;
	ue->authentications++;
	ue->pending = pending;
	memcpy(ue->last_rand, rand, sizeof(ue->last_rand));
	ue->has_last_rand = true;
	return true;
}

void ue_authentication_request(struct ue *ue, enum access access, const struct nas_received *m)
{
	const struct profile_subscribers *s = &ue->e->t->profile->subscribers;
	struct octets rand, autn, abba;
	uint8_t res[8], ck[16], ik[16], ak[6], sqn[6], mac[8];
	uint8_t ngksi;

	if (!nas_get_u8(&m->msg, NAS_IE_NGKSI, &ngksi) || !nas_get(&m->msg, NAS_IE_ABBA, &abba) ||
	    !nas_get(&m->msg, NAS_IE_AUTHENTICATION_PARAMETER_RAND, &rand) || rand.len != 16 ||
	    !nas_get(&m->msg, NAS_IE_AUTHENTICATION_PARAMETER_AUTN, &autn) || autn.len != 16) {
		tc_note(ue->e->t, "%s: AUTHENTICATION REQUEST without RAND and AUTN of 5G-AKA",
			ue->name);
		return;
	}
	/* The challenge answered last, once more: its answer got lost (24.501 5.4.1.3.7 g). */
	if (ue->has_last_rand && memcmp(ue->last_rand, rand.data, 16) == 0 && ue->pending.valid &&
	    ue->pending.ngksi == ngksi) {
		send_response(ue, access);
		return;
	}
	if (milenage_f2345(s->k, s->opc, rand.data, res, ck, ik, ak, NULL) != NAS_SECURITY_OK)
		return;
	for (int i = 0; i < MILENAGE_SQN_SIZE; i++)
		sqn[i] = autn.data[i] ^ ak[i];
	if (milenage_f1(s->k, s->opc, rand.data, sqn, autn.data + 6, mac, NULL) != NAS_SECURITY_OK)
		return;
	if (memcmp(mac, autn.data + 8, sizeof(mac)) != 0) {
		tc_note(ue->e->t, "%s: the MAC in AUTN is wrong", ue->name);
		send_failure(ue, access, NAS_5GMM_MAC_FAILURE, NULL);
		return;
	}
	if (!(autn.data[6] & 0x80)) {
		tc_note(ue->e->t, "%s: the separation bit in AUTN is 0", ue->name);
		send_failure(ue, access, NAS_5GMM_NON_5G_AUTHENTICATION_UNACCEPTABLE, NULL);
		return;
	}
	if (memcmp(sqn, ue->sqn, sizeof(sqn)) <= 0) {
		send_synch_failure(ue, access, rand.data);
		return;
	}
	if (!agree(ue, access, ngksi, abba, rand.data, autn.data, res, ck, ik)) {
		tc_note(ue->e->t, "%s: AUTHENTICATION REQUEST cannot be answered", ue->name);
		return;
	}
	memcpy(ue->sqn, sqn, sizeof(sqn));
	send_response(ue, access);
}

/* --- security mode --- */

static void reject_security_mode(struct ue *ue, enum access access, uint8_t cause, const char *why)
{
	struct nas_msg msg = nas_build(ue->e, NAS_SECURITY_MODE_REJECT);

	tc_note(ue->e->t, "%s refuses SECURITY MODE COMMAND: %s", ue->name, why);
	nas_add_u8(&msg, NAS_IE_5GMM_CAUSE, cause);
	ue_answer(ue, access, &msg, ue_answer_type(ue, access));
}

void ue_security_mode_command(struct ue *ue, enum access access, const struct nas_received *m)
{
	struct ue_access *a = &ue->access[access];
	struct nas_ue_security_capability replayed;
	struct nas_msg msg;
	uint8_t additional = 0, imeisv_request = 0;

	if (m->security_header != NAS_INTEGRITY_PROTECTED_NEW_CONTEXT || !m->integrity) {
		tc_note(ue->e->t, "%s ignores a SECURITY MODE COMMAND of security header type %u",
			ue->name, m->security_header);
		return;
	}
	if (!nas_get_ue_security_capability(&m->msg, NAS_IE_REPLAYED_UE_SECURITY_CAPABILITIES,
					    &replayed) ||
	    replayed.ea != ue->ea || replayed.ia != ue->ia) {
		reject_security_mode(ue, access, NAS_5GMM_UE_SECURITY_CAPABILITIES_MISMATCH,
				     "the replayed capabilities are not what the UE sent");
		return;
	}
	if (!(ue->ea >> a->candidate.suite.nea & 1) || !(ue->ia >> a->candidate.suite.nia & 1)) {
		reject_security_mode(ue, access, NAS_5GMM_UE_SECURITY_CAPABILITIES_MISMATCH,
				     "it selects an algorithm that the UE does not support");
		return;
	}
	if (a->candidate.suite.nia == NIA0 && !ue->emergency) {
		reject_security_mode(ue, access, NAS_5GMM_UE_SECURITY_CAPABILITIES_MISMATCH,
				     "null integrity protection outside an emergency");
		return;
	}
	nas_get_u8(&m->msg, NAS_IE_ADDITIONAL_5G_SECURITY_INFORMATION, &additional);
	if (additional & ADDITIONAL_SECURITY_HDP) {
		reject_security_mode(ue, access, NAS_5GMM_SECURITY_MODE_REJECTED,
				     "horizontal derivation of K_AMF at one and the same AMF");
		return;
	}

	a->context = a->candidate;
	a->secured = true;
	if (ue->pending.valid && ue->pending.generation == a->context.generation)
		ue->pending.valid = false;
	msg = nas_build(ue->e, NAS_SECURITY_MODE_COMPLETE);
	if (nas_get_u8(&m->msg, NAS_IE_IMEISV_REQUEST, &imeisv_request) &&
	    (imeisv_request & 7) == 1)
		ue_add_imei(ue, &msg, NAS_IE_IMEISV, NAS_IDENTITY_IMEISV);
	if (a->initial.len > 0 && (!a->initial_protected || additional & ADDITIONAL_SECURITY_RINMR))
		nas_add(&msg, NAS_IE_NAS_MESSAGE_CONTAINER, a->initial);
	ue_answer(ue, access, &msg, NAS_INTEGRITY_PROTECTED_AND_CIPHERED_NEW_CONTEXT);
}
