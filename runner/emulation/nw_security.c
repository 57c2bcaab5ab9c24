/*
 * The network's end of 5G-AKA and of NAS security (TS 33.501 6.1.3.2, 6.4, 6.7.2; TS 24.501 4.4,
 * 5.4.1, 5.4.2). Contexts and COUNTs are these AMFs' own; only ciphers and key derivation are
 * shared with anybody.
 */
#include <errno.h>
#include <stdio.h>

#include "codecs/nas/security/milenage.h"
#include "runner/emulation/nw_private.h"

enum {
	SQN_STEP = 32,			  /* SEQ above five bits of IND (33.102 C.1.1.1) */
	ADDITIONAL_SECURITY_RINMR = 0x02, /* 9.11.3.12: send the whole initial message */
};

static const uint8_t abba[2] = { 0, 0 };

static enum nas_connection connection_of(enum access access)
{
	return access == ACCESS_3GPP ? NAS_CONNECTION_3GPP : NAS_CONNECTION_NON_3GPP;
}

struct nw_context *nw_context(struct nw_ue *ue, enum access access)
{
	struct nw_context *own = &ue->access[access].context;
	const struct nw_context *from =
		&ue->access[access == ACCESS_3GPP ? ACCESS_NON_3GPP : ACCESS_3GPP].context;

	/*
	 * One 5G NAS security context serves both accesses of a network, each with COUNTs of its
	 * own (33.501 6.3.2). A connection that is secured goes on with what it has.
	 */
	if (from->valid && !ue->access[access].secured && !ue->apart &&
	    (!own->valid || from->generation > own->generation)) {
		*own = *from;
		own->ul_next = 0;
		own->dl_count = 0;
	}
	return own;
}

bool nw_unprotect(struct nw_context *context, enum access access, struct octets pdu, uint8_t *plain,
		  size_t size, size_t *len, uint32_t *count, struct text *why)
{
	struct nas_security_position position = {
		.connection = connection_of(access),
		.direction = NAS_UPLINK,
	};
	struct nas_security_header header;
	enum nas_security_status status;

	if (!context->valid) {
		text_puts(why, "protected, but the network has no security context of this UE");
		return false;
	}
	if (nas_security_parse(pdu, &header) != NAS_SECURITY_OK ||
	    nas_count_estimate(context->ul_next, header.sequence_number, &position.count) !=
		    NAS_SECURITY_OK) {
		text_puts(why, "no message of this security context");
		return false;
	}
	status = nas_security_unprotect(&context->suite, &position, pdu, plain, size, len);
	if (status != NAS_SECURITY_OK) {
		text_printf(why, "%s (sequence number %u, NAS COUNT expected from %u on)",
			    nas_security_status_name(status), header.sequence_number,
			    context->ul_next);
		return false;
	}
	context->ul_next = position.count + 1;
	*count = position.count;
	return true;
}

bool nw_decipher(const struct nw_context *context, enum access access, uint32_t count,
		 uint8_t *data, size_t len)
{
	struct nas_security_position position = {
		.count = count,
		.connection = connection_of(access),
		.direction = NAS_UPLINK,
	};

	return nas_security_cipher(&context->suite, &position, data, len) == NAS_SECURITY_OK;
}

ssize_t nw_protect(struct nw_context *context, enum access access,
		   enum nas_security_header_type type, struct octets plain, uint8_t *out,
		   size_t size)
{
	struct nas_security_position position = {
		.count = context->dl_count,
		.connection = connection_of(access),
		.direction = NAS_DOWNLINK,
	};
	size_t len;

	if (!context->valid)
		return -ENOKEY;
	if (nas_security_protect(&context->suite, &position, type, plain, out, size, &len) !=
	    NAS_SECURITY_OK)
		return -EINVAL;
	context->dl_count++;
	return (ssize_t)len;
}

bool nw_k_gnb(const struct nw_ue *ue, enum access access, uint8_t key[KDF_KEY_SIZE])
{
	const struct nw_ue_access *a = &ue->access[access];

	return a->context.valid &&
	       derive_k_gnb(a->context.k_amf, a->last_ul_count,
			    access == ACCESS_3GPP ? ACCESS_TYPE_3GPP : ACCESS_TYPE_NON_3GPP,
			    key) == NAS_SECURITY_OK;
}

/* --- authentication --- */

static bool serving_network(const struct nw_ue *ue, char name[SERVING_NETWORK_NAME_SIZE])
{
	struct nas_plmn plmn;
	char digits[16], mcc[4];
	struct text text;

	memcpy(plmn.octets, ue->plmn.bcd, 3);
	text_init(&text, digits, sizeof(digits));
	nas_plmn_print(&text, &plmn); /* "999-70" */
	snprintf(mcc, sizeof(mcc), "%.3s", digits);
	return strlen(digits) >= 6 &&
	       serving_network_name(mcc, digits + 4, NULL, name) == NAS_SECURITY_OK;
}

static void sqn_octets(uint64_t sqn, uint8_t out[6])
{
	for (int i = 0; i < 6; i++)
		out[i] = (uint8_t)(sqn >> (40 - 8 * i));
}

static uint8_t next_ngksi(const struct nw_ue_access *access)
{
	uint8_t last = access->candidate.valid ? access->candidate.ngksi
		       : access->context.valid ? access->context.ngksi
					       : 6;

	return (uint8_t)((last + 1) % 7);
}

/* Vector and key hierarchy, kept for the response. */
static bool make_vector(struct nw_ue *ue, struct nw_ue_access *access)
{
	const struct profile_subscribers *s = &ue->nw->e->t->profile->subscribers;
	uint8_t res[8], ck[16], ik[16], ak[6], sqn[6], mac[8];
	uint8_t k_ausf[KDF_KEY_SIZE], k_seaf[KDF_KEY_SIZE];
	uint8_t *rand = access->authentication.rand, *autn = access->authentication.autn;
	char name[SERVING_NETWORK_NAME_SIZE];
	struct nw_context candidate = {
		.valid = true,
		.ngksi = next_ngksi(access),
		.generation = ++ue->generation,
	};
	struct octets sn;

	random_bytes(&ue->nw->random, rand, 16);
	ue->sqn += SQN_STEP;
	sqn_octets(ue->sqn, sqn);
	if (!serving_network(ue, name) ||
	    milenage_f2345(s->k, s->opc, rand, res, ck, ik, ak, NULL) != NAS_SECURITY_OK ||
	    milenage_f1(s->k, s->opc, rand, sqn, s->amf, mac, NULL) != NAS_SECURITY_OK)
		return false;
	for (int i = 0; i < 6; i++)
		autn[i] = sqn[i] ^ ak[i];
	memcpy(autn + 6, s->amf, 2);
	memcpy(autn + 8, mac, 8);
	sn = OCTETS((const uint8_t *)name, strlen(name));
	if (derive_res_star(ck, ik, sn, rand, OCTETS(res, sizeof(res)),
			    access->authentication.xres_star) != NAS_SECURITY_OK ||
	    derive_k_ausf(ck, ik, sn, autn, k_ausf) != NAS_SECURITY_OK ||
	    derive_k_seaf(k_ausf, sn, k_seaf) != NAS_SECURITY_OK ||
	    derive_k_amf(k_seaf, OCTETS((const uint8_t *)ue->digits, strlen(ue->digits)),
			 OCTETS(abba, sizeof(abba)), candidate.k_amf) != NAS_SECURITY_OK)
		return false;
	access->candidate = candidate;
	return true;
}

int nw_start_authentication(struct nw_connection *connection, const struct nw_options *options)
{
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];
	struct nas_msg msg;

	if (!ue->digits || !make_vector(ue, access))
		return -EINVAL;
	access->authentication.runs = true;
	msg = nas_build(ue->nw->e, NAS_AUTHENTICATION_REQUEST);
	nas_add_u8(&msg, NAS_IE_NGKSI, access->candidate.ngksi);
	nas_add_u8(&msg, NAS_IE_SPARE, 0);
	nas_add(&msg, NAS_IE_ABBA, OCTETS(abba, sizeof(abba)));
	nas_add(&msg, NAS_IE_AUTHENTICATION_PARAMETER_RAND,
		OCTETS(access->authentication.rand, 16));
	nas_add(&msg, NAS_IE_AUTHENTICATION_PARAMETER_AUTN,
		OCTETS(access->authentication.autn, 16));
	return nw_submit(connection, &msg, options);
}

/* --- security mode --- */

static bool choose_algorithms(const struct nw_ue *ue, struct nas_security_suite *suite, bool null)
{
	/* AES before SNOW 3G before ZUC; null integrity only for an unauthenticated emergency */
	static const uint8_t preferred[] = { 2, 1, 3 };

	suite->nia = NIA0;
	suite->nea = NEA0;
	if (null)
		return true;
	for (size_t i = sizeof(preferred); i-- > 0;) {
		if (ue->capability.ia >> preferred[i] & 1)
			suite->nia = (enum nia)preferred[i];
		if (ue->capability.ea >> preferred[i] & 1)
			suite->nea = (enum nea)preferred[i];
	}
	return suite->nia != NIA0;
}

static void command(struct nw_connection *connection, bool null)
{
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];
	struct nw_context *context = &access->candidate;
	struct nw_options options = { .protection = PROTECT_INTEGRITY_NEW };
	struct nas_msg msg;
	uint8_t capability[4];
	int error;

	if (!choose_algorithms(ue, &context->suite, null)) {
		emulation_end(ue->nw->e, VERDICT_FAIL,
			      "%s supports no integrity algorithm that a network could choose",
			      ue->name);
		return;
	}
	if (derive_algorithm_key(context->k_amf, N_NAS_ENC_ALG, (uint8_t)context->suite.nea,
				 context->suite.k_nas_enc) != NAS_SECURITY_OK ||
	    derive_algorithm_key(context->k_amf, N_NAS_INT_ALG, (uint8_t)context->suite.nia,
				 context->suite.k_nas_int) != NAS_SECURITY_OK) {
		emulation_end(ue->nw->e, VERDICT_ERROR, "%s: no keys can be derived", ue->name);
		return;
	}
	msg = nas_build(ue->nw->e, NAS_SECURITY_MODE_COMMAND);
	nas_add_u8(&msg, NAS_IE_SELECTED_NAS_SECURITY_ALGORITHMS,
		   nas_algorithms((uint8_t)context->suite.nea, (uint8_t)context->suite.nia));
	nas_add_u8(&msg, NAS_IE_NGKSI, context->ngksi);
	nas_add_u8(&msg, NAS_IE_SPARE, 0);
	capability[0] = capability[1] = 0x80;
	nas_add(&msg, NAS_IE_REPLAYED_UE_SECURITY_CAPABILITIES,
		ue->capability_octets.len ? ue->capability_octets : OCTETS(capability, 2));
	if (access->request.waits && !access->request.integrity)
		nas_add_u8(&msg, NAS_IE_ADDITIONAL_5G_SECURITY_INFORMATION,
			   ADDITIONAL_SECURITY_RINMR);
	error = nw_submit(connection, &msg, &options);
	if (error < 0 && error != -ENOTCONN)
		emulation_end(ue->nw->e, VERDICT_ERROR, "%s: cannot send SECURITY MODE COMMAND: %s",
			      ue->name, strerror(-error));
}

void nw_null_security(struct nw_connection *connection)
{
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];

	/* 33.501 10.2.2.2: the keys are without meaning, and so they are zero. */
	access->candidate = (struct nw_context){
		.valid = true,
		.ngksi = next_ngksi(access),
		.generation = ++ue->generation,
	};
	command(connection, true);
}

/* The answer cannot be right: profile and USIM do not fit together, or the UE is at fault. */
static void answered_wrongly(struct nw_ue *ue, const char *what)
{
	if (ue->authenticated)
		emulation_end(ue->nw->e, VERDICT_FAIL, "%s %s", ue->name, what);
	else
		emulation_end(ue->nw->e, VERDICT_ERROR,
			      "%s %s: are k and opc of the profile those of the IUT's USIM?",
			      ue->name, what);
}

void nw_authentication_response(struct nw_connection *connection, const struct nas_received *m)
{
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];
	struct octets res;

	if (!access->authentication.runs)
		return;
	access->authentication.runs = false;
	access->authentication.resynchronised = false;
	if (!nas_get(&m->msg, NAS_IE_AUTHENTICATION_RESPONSE_PARAMETER, &res) || res.len != 16 ||
	    memcmp(res.data, access->authentication.xres_star, 16) != 0) {
		answered_wrongly(ue, "answers the authentication challenge with a wrong RES*");
		return;
	}
	ue->authenticated = true;
	command(connection, false);
}

static bool resynchronise(struct nw_ue *ue, const struct nw_ue_access *access,
			  const struct nas_received *m)
{
	const struct profile_subscribers *s = &ue->nw->e->t->profile->subscribers;
	static const uint8_t dummy_amf[MILENAGE_AMF_SIZE];
	uint8_t ak_star[6], sqn[6], mac[8];
	uint64_t value = 0;
	struct octets auts;

	if (!nas_get(&m->msg, NAS_IE_AUTHENTICATION_FAILURE_PARAMETER, &auts) || auts.len != 14 ||
	    milenage_f2345(s->k, s->opc, access->authentication.rand, NULL, NULL, NULL, NULL,
			   ak_star) != NAS_SECURITY_OK)
		return false;
	for (int i = 0; i < 6; i++) {
		sqn[i] = auts.data[i] ^ ak_star[i];
		value = value << 8 | sqn[i];
	}
	if (milenage_f1(s->k, s->opc, access->authentication.rand, sqn, dummy_amf, NULL, mac) !=
		    NAS_SECURITY_OK ||
	    memcmp(mac, auts.data + 6, 8) != 0)
		return false;
	ue->sqn = value;
	return true;
}

void nw_authentication_failure(struct nw_connection *connection, const struct nas_received *m)
{
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];
	int cause = received_cause(m);
	int error;

	if (!access->authentication.runs)
		return;
	access->authentication.runs = false;
	if (cause == NAS_5GMM_NGKSI_ALREADY_IN_USE ||
	    (cause == NAS_5GMM_SYNCH_FAILURE && !access->authentication.resynchronised &&
	     resynchronise(ue, access, m))) {
		access->authentication.resynchronised = true;
		error = nw_start_authentication(connection, NW_OPTIONS());
		if (error < 0 && error != -ENOTCONN)
			emulation_end(ue->nw->e, VERDICT_ERROR,
				      "%s: cannot send AUTHENTICATION REQUEST: %s", ue->name,
				      strerror(-error));
		return;
	}
	answered_wrongly(ue, cause == NAS_5GMM_MAC_FAILURE
				     ? "finds the MAC of the authentication challenge wrong"
				     : "refuses the authentication challenge");
}
