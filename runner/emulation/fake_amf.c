#include "runner/emulation/fake_amf.h"

#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/nas_area.h"
#include "codecs/nas/nas_identity.h"
#include "codecs/nas/nas_timer.h"
#include "codecs/nas/nas_value.h"
#include "codecs/nas/security/key_derivation.h"
#include "codecs/nas/security/milenage.h"
#include "codecs/nas/security/protection.h"
#include "codecs/nas/security/suci.h"
#include "codecs/ngap/ngap.h"

enum { UES_MAX = 512, FLOOD = 300000, FLOOD_BURST = 1000 };

struct fake_plan fake_plan;

struct fake_ue {
	bool used, secured;
	char digits[16];
	int64_t ran_id;
	struct link *link;
	uint16_t stream;
	uint8_t capability[8];
	size_t capability_len;
	uint8_t rand[16], xres_star[16], k_amf[32];
	struct nas_security_suite suite;
	uint32_t ul_next, dl_next;
	uint8_t sqn;
	bool follow_on;
};

struct late {
	struct late *next;
	struct timer timer;
	struct link *link; /* NULL: gone */
	uint16_t stream;
	size_t len;
	uint8_t data[2048];
};

struct iut {
	struct loop *loop;
	struct late *late;
	struct net *net;
	const struct profile *profile;
	struct net_listener *listener;
	struct link *links[64];
	size_t link_count;
	struct fake_ue ues[UES_MAX];
	struct random random;
	bool silent;
	struct timer flood;
	struct link *flood_link;
	uint16_t flood_stream;
	uint8_t flood_message[256];
	size_t flood_len;
	unsigned int flooded;
	uint8_t memory[65536];
};

const char *fake_wrong_name(enum fake_wrong wrong)
{
	static const char *const names[] = {
		"right",      "silent",	      "garbage", "truncated", "flipped",
		"wrong PPID", "wrong stream", "huge",	 "flood",     "flood of status",
		"shutdown",   "abort",	      "twice",	 "empty",     "wrong UE",
	};

	return names[wrong];
}

/* --- sending --- */

static void drop(struct iut *iut, struct link *link, bool abort)
{
	for (struct late *late = iut->late; late; late = late->next)
		if (late->link == link)
			late->link = NULL;
	for (size_t i = 0; i < iut->link_count; i++)
		if (iut->links[i] == link) {
			iut->links[i] = iut->links[--iut->link_count];
			link_close(link, abort);
			return;
		}
}

static void flood(struct timer *timer, void *arg)
{
	struct iut *iut = arg;

	for (int i = 0; i < FLOOD_BURST && iut->flooded < FLOOD; i++, iut->flooded++)
		if (link_send(iut->flood_link, iut->flood_stream, NGAP_PPID,
			      OCTETS(iut->flood_message, iut->flood_len)) != 0)
			return;
	if (iut->flooded < FLOOD)
		timer_start(timer, US_PER_MS);
}

static void start_flood(struct iut *iut, struct link *link, uint16_t stream, struct octets data)
{
	iut->flood_link = link;
	iut->flood_stream = stream;
	iut->flood_len =
		data.len < sizeof(iut->flood_message) ? data.len : sizeof(iut->flood_message);
	memcpy(iut->flood_message, data.data, iut->flood_len);
	timer_start(&iut->flood, 0);
}

static void nas_transport(struct iut *iut, const struct fake_ue *ue, int64_t ran_id,
			  struct octets nas, struct ngap_pdu *pdu, struct arena *arena)
{
	ngap_pdu_init(pdu, NGAP_DOWNLINK_NAS_TRANSPORT, arena);
	ngap_add_int(pdu, NGAP_ID_AMF_UE_NGAP_ID, 1000 + (ue - iut->ues));
	ngap_add_int(pdu, NGAP_ID_RAN_UE_NGAP_ID, ran_id);
	ngap_add_octets(pdu, NGAP_ID_NAS_PDU, nas);
}

static void send_wrong(struct iut *iut, struct link *link, uint16_t stream, uint8_t *data,
		       size_t len, const struct fake_ue *ue)
{
	static const uint8_t status[] = { 0x7e, 0x00, 0x64, 0x6f };
	static const uint8_t nas[40] = { 0x7e, 0x02 };
	uint8_t buf[60000], memory[4096];
	struct arena arena;
	struct ngap_pdu pdu;
	ssize_t n;

	arena_init(&arena, memory, sizeof(memory));
	switch (fake_plan.wrong) {
	case FAKE_SILENT:
		iut->silent = true;
		return;
	case FAKE_GARBAGE:
		random_bytes(&iut->random, buf, len);
		link_send(link, stream, NGAP_PPID, OCTETS(buf, len));
		return;
	case FAKE_TRUNCATED:
		link_send(link, stream, NGAP_PPID, OCTETS(data, len / 2));
		return;
	case FAKE_FLIPPED:
		data[random_below(&iut->random, len)] ^=
			(uint8_t)(1 << random_below(&iut->random, 8));
		break;
	case FAKE_WRONG_PPID:
		link_send(link, stream, 0x3c000000, OCTETS(data, len));
		return;
	case FAKE_WRONG_STREAM:
		link_send(link, ue ? 0 : 1, NGAP_PPID, OCTETS(data, len));
		return;
	case FAKE_HUGE:
		random_bytes(&iut->random, buf, sizeof(buf));
		memcpy(buf, data, len < 3 ? len : 3);
		link_send(link, stream, NGAP_PPID, OCTETS(buf, sizeof(buf)));
		return;
	case FAKE_FLOOD:
	case FAKE_FLOOD_STATUS:
		if (ue) {
			nas_transport(iut, ue, ue->ran_id,
				      fake_plan.wrong == FAKE_FLOOD ? OCTETS(nas, sizeof(nas))
								    : OCTETS(status, 4),
				      &pdu, &arena);
		} else if (fake_plan.wrong == FAKE_FLOOD) {
			ngap_pdu_init(&pdu, NGAP_OVERLOAD_START, &arena);
		} else {
			ngap_pdu_init(&pdu, NGAP_ERROR_INDICATION, &arena);
		}
		n = ngap_encode(&pdu, buf, sizeof(buf));
		if (n > 0)
			start_flood(iut, link, stream, OCTETS(buf, (size_t)n));
		return;
	case FAKE_SHUTDOWN:
		drop(iut, link, false);
		return;
	case FAKE_ABORT:
		drop(iut, link, true);
		return;
	case FAKE_TWICE:
		link_send(link, stream, NGAP_PPID, OCTETS(data, len));
		break;
	case FAKE_EMPTY:
		link_send(link, stream, NGAP_PPID, OCTETS(data, 0));
		return;
	case FAKE_WRONG_UE:
		if (!ue)
			break;
		nas_transport(iut, ue, 77777, OCTETS(status, 4), &pdu, &arena);
		n = ngap_encode(&pdu, buf, sizeof(buf));
		if (n > 0)
			link_send(link, stream, NGAP_PPID, OCTETS(buf, (size_t)n));
		return;
	default:
		break;
	}
	link_send(link, stream, NGAP_PPID, OCTETS(data, len));
}

static void send_late(struct timer *timer, void *arg)
{
	struct late *late = arg;

	(void)timer;
	if (late->link)
		link_send(late->link, late->stream, NGAP_PPID, OCTETS(late->data, late->len));
}

static void send_pdu(struct iut *iut, struct link *link, uint16_t stream,
		     const struct ngap_pdu *pdu, const struct fake_ue *ue)
{
	uint8_t buf[2048];
	ssize_t len = ngap_encode(pdu, buf, sizeof(buf));

	if (len < 0) {
		fprintf(stderr, "fake AMF cannot encode %s: %zd\n", ngap_message_name(pdu->message),
			len);
		abort();
	}
	if (iut->silent)
		return;
	if (fake_plan.sent++ == fake_plan.at && fake_plan.wrong) {
		send_wrong(iut, link, stream, buf, (size_t)len, ue);
		return;
	}
	if (fake_plan.answers_late) {
		struct late *late = calloc(1, sizeof(*late));

		if (!late)
			abort();
		*late = (struct late){
			.next = iut->late, .link = link, .stream = stream, .len = (size_t)len
		};
		iut->late = late;
		memcpy(late->data, buf, (size_t)len);
		timer_init(&late->timer, iut->loop, "late", send_late, late);
		timer_start(&late->timer, fake_plan.answers_late * US_PER_MS);
		return;
	}
	link_send(link, stream, NGAP_PPID, OCTETS(buf, (size_t)len));
}

static size_t protect(struct fake_ue *ue, enum nas_security_header_type type, struct octets plain,
		      uint8_t *out, size_t size)
{
	struct nas_security_position position = {
		.count = ue->dl_next++,
		.connection = NAS_CONNECTION_3GPP,
		.direction = NAS_DOWNLINK,
	};
	size_t len;

	if (nas_security_protect(&ue->suite, &position, type, plain, out, size, &len) !=
	    NAS_SECURITY_OK)
		abort();
	return len;
}

static void send_nas(struct iut *iut, struct fake_ue *ue, const struct nas_msg *msg, int type)
{
	uint8_t plain[1024], out[1100], memory[4096];
	struct arena arena;
	struct ngap_pdu pdu;
	int n = nas_encode(msg, plain, sizeof(plain));
	size_t len = (size_t)n;

	if (n < 0)
		abort();
	arena_init(&arena, memory, sizeof(memory));
	if (type)
		len = protect(ue, (enum nas_security_header_type)type, OCTETS(plain, (size_t)n),
			      out, sizeof(out));
	else
		memcpy(out, plain, len);
	if (fake_plan.wrong_mac_reject && msg->type == NAS_SERVICE_REJECT)
		out[2] ^= 0x80;
	nas_transport(iut, ue, ue->ran_id, OCTETS(out, len), &pdu, &arena);
	send_pdu(iut, ue->link, ue->stream, &pdu, ue);
}

static void release(struct iut *iut, struct fake_ue *ue)
{
	struct ngap_ue_ngap_ids ids = { .choice = NGAP_UE_NGAP_IDS_CHOICE_UE_NGAP_ID_PAIR };
	struct ngap_cause cause = { .choice = NGAP_CAUSE_CHOICE_NAS };
	uint8_t memory[4096];
	struct arena arena;
	struct ngap_pdu pdu;

	arena_init(&arena, memory, sizeof(memory));
	ids.ue_ngap_id_pair.amf_ue_ngap_id = 1000 + (ue - iut->ues);
	ids.ue_ngap_id_pair.ran_ue_ngap_id = ue->ran_id;
	ngap_pdu_init(&pdu, NGAP_UE_CONTEXT_RELEASE_COMMAND, &arena);
	ngap_add(&pdu, NGAP_ID_UE_NGAP_IDS, &ids);
	ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	send_pdu(iut, ue->link, ue->stream, &pdu, ue);
}

/* --- registration --- */

static void challenge(struct iut *iut, struct fake_ue *ue)
{
	const struct profile_subscribers *s = &iut->profile->subscribers;
	uint8_t autn[16], res[8], ck[16], ik[16], ak[6], mac[8], k_ausf[32], k_seaf[32];
	uint8_t sqn[6] = { 0, 0, 0, 0, 1, fake_plan.old_sqn && ue->sqn < 9 ? 0 : ++ue->sqn };
	static const uint8_t abba[2];
	char name[SERVING_NETWORK_NAME_SIZE];
	uint8_t memory[2048];
	struct arena arena;
	struct nas_msg msg;
	struct octets sn;

	if (fake_plan.old_sqn && ue->sqn < 9)
		memset(sqn, 0, sizeof(sqn));
	random_bytes(&iut->random, ue->rand, 16);
	milenage_f2345(s->k, s->opc, ue->rand, res, ck, ik, ak, NULL);
	milenage_f1(s->k, s->opc, ue->rand, sqn, s->amf[0] ? s->amf : (const uint8_t[]){ 0x80, 0 },
		    mac, NULL);
	for (int i = 0; i < 6; i++)
		autn[i] = sqn[i] ^ ak[i];
	autn[6] = s->amf[0] ? s->amf[0] : 0x80;
	autn[7] = s->amf[1];
	memcpy(autn + 8, mac, 8);
	if (fake_plan.wrong_autn)
		autn[15] ^= 1;
	serving_network_name("999", "70", NULL, name);
	sn = OCTETS((const uint8_t *)name, strlen(name));
	derive_res_star(ck, ik, sn, ue->rand, OCTETS(res, 8), ue->xres_star);
	derive_k_ausf(ck, ik, sn, autn, k_ausf);
	derive_k_seaf(k_ausf, sn, k_seaf);
	derive_k_amf(k_seaf, OCTETS((const uint8_t *)ue->digits, strlen(ue->digits)),
		     OCTETS(abba, 2), ue->k_amf);

	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, NAS_AUTHENTICATION_REQUEST, &arena);
	nas_add_u8(&msg, NAS_IE_NGKSI, 0);
	nas_add(&msg, NAS_IE_ABBA, OCTETS(abba, 2));
	nas_add(&msg, NAS_IE_AUTHENTICATION_PARAMETER_RAND, OCTETS(ue->rand, 16));
	nas_add(&msg, NAS_IE_AUTHENTICATION_PARAMETER_AUTN, OCTETS(autn, 16));
	send_nas(iut, ue, &msg, 0);
}

static void command_security(struct iut *iut, struct fake_ue *ue)
{
	uint8_t memory[2048];
	struct arena arena;
	struct nas_msg msg;

	ue->suite.nea = (enum nea)fake_plan.nea;
	ue->suite.nia = (enum nia)fake_plan.nia;
	derive_algorithm_key(ue->k_amf, N_NAS_ENC_ALG, fake_plan.nea, ue->suite.k_nas_enc);
	derive_algorithm_key(ue->k_amf, N_NAS_INT_ALG, fake_plan.nia, ue->suite.k_nas_int);
	ue->ul_next = ue->dl_next = 0;
	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, NAS_SECURITY_MODE_COMMAND, &arena);
	nas_add_u8(&msg, NAS_IE_SELECTED_NAS_SECURITY_ALGORITHMS,
		   nas_algorithms(fake_plan.nea, fake_plan.nia));
	nas_add_u8(&msg, NAS_IE_NGKSI, 0);
	if (fake_plan.wrong_capabilities)
		ue->capability[0] ^= 0x10;
	nas_add(&msg, NAS_IE_REPLAYED_UE_SECURITY_CAPABILITIES,
		OCTETS(ue->capability, ue->capability_len));
	nas_add_u8(&msg, NAS_IE_IMEISV_REQUEST, 1);
	send_nas(iut, ue, &msg, NAS_INTEGRITY_PROTECTED_NEW_CONTEXT);
}

static void accept_registration(struct iut *iut, struct fake_ue *ue)
{
	struct nas_guti guti = { .s_tmsi = { .amf_set_id = 1,
					     .amf_pointer = 0,
					     .tmsi = 0xc0000000 + (uint32_t)(ue - iut->ues) } };
	struct nas_tai tai = { .tac = iut->profile->tacs[0] };
	static const uint8_t result[] = { 0x01 };
	uint8_t memory[2048];
	struct arena arena;
	struct nas_msg msg;

	memcpy(guti.plmn.octets, iut->profile->plmn.bcd, 3);
	memcpy(tai.plmn.octets, iut->profile->plmn.bcd, 3);
	arena_init(&arena, memory, sizeof(memory));
	nas_init(&msg, NAS_REGISTRATION_ACCEPT, &arena);
	nas_add(&msg, NAS_IE_5GS_REGISTRATION_RESULT, OCTETS(result, 1));
	nas_add_guti(&msg, NAS_IE_5G_GUTI, &guti);
	nas_add_tai_list(&msg, NAS_IE_TAI_LIST, NAS_TAI_ONE_PLMN, &tai, 1);
	nas_add_timer(&msg, NAS_IE_T3512_VALUE, 60);
	send_nas(iut, ue, &msg, NAS_INTEGRITY_PROTECTED_AND_CIPHERED);
}

static void registration_request(struct iut *iut, struct fake_ue *ue, const struct nas_msg *msg)
{
	struct nas_identity identity;
	struct octets capability;
	uint8_t type = 0;
	char msin[32];

	fake_plan.registrations++;
	nas_get_u8(msg, NAS_IE_5GS_REGISTRATION_TYPE, &type);
	ue->follow_on = type & NAS_FOLLOW_ON_REQUEST;
	if (nas_get(msg, NAS_IE_UE_SECURITY_CAPABILITY, &capability) && capability.len <= 8) {
		memcpy(ue->capability, capability.data, capability.len);
		ue->capability_len = capability.len;
	}
	if (nas_get_identity(msg, NAS_IE_5GS_MOBILE_IDENTITY, &identity) &&
	    identity.type == NAS_IDENTITY_SUCI) {
		if (nas_suci_msin(&identity.suci, msin, sizeof(msin)))
			snprintf(ue->digits, sizeof(ue->digits), "99970%.10s", msin);
		snprintf(fake_plan.last_identity, sizeof(fake_plan.last_identity), "%s",
			 ue->digits);
		challenge(iut, ue);
	} else if (ue->secured) {
		accept_registration(iut, ue);
	} else {
		challenge(iut, ue);
	}
}

static void service_request(struct iut *iut, struct fake_ue *ue)
{
	uint8_t memory[2048];
	struct arena arena;
	struct nas_msg msg;

	arena_init(&arena, memory, sizeof(memory));
	if (!fake_plan.service_cause) {
		nas_init(&msg, NAS_SERVICE_ACCEPT, &arena);
		send_nas(iut, ue, &msg, NAS_INTEGRITY_PROTECTED_AND_CIPHERED);
		return;
	}
	nas_init(&msg, NAS_SERVICE_REJECT, &arena);
	nas_add_u8(&msg, NAS_IE_5GMM_CAUSE, fake_plan.service_cause);
	if (fake_plan.t3346)
		nas_add_copy(&msg, NAS_IE_T3346_VALUE, OCTETS(&fake_plan.t3346, 1));
	send_nas(iut, ue, &msg, fake_plan.plain_reject ? 0 : NAS_INTEGRITY_PROTECTED_AND_CIPHERED);
	release(iut, ue);
}

static void resynchronise(struct iut *iut, struct fake_ue *ue, const struct nas_msg *msg)
{
	const struct profile_subscribers *s = &iut->profile->subscribers;
	static const uint8_t dummy[2];
	struct octets auts;
	uint8_t ak[6], sqn[6], mac[8];

	if (nas_cause(msg) == NAS_5GMM_MAC_FAILURE)
		fake_plan.mac_failures++;
	if (nas_cause(msg) != NAS_5GMM_SYNCH_FAILURE ||
	    !nas_get(msg, NAS_IE_AUTHENTICATION_FAILURE_PARAMETER, &auts) || auts.len != 14)
		return;
	milenage_f2345(s->k, s->opc, ue->rand, NULL, NULL, NULL, NULL, ak);
	for (int i = 0; i < 6; i++)
		sqn[i] = auts.data[i] ^ ak[i];
	milenage_f1(s->k, s->opc, ue->rand, sqn, dummy, NULL, mac);
	if (memcmp(mac, auts.data + 6, 8) != 0)
		return;
	fake_plan.resynchronised++;
	ue->sqn = (uint8_t)(sqn[5] + 10);
	challenge(iut, ue);
}

static void nas_input(struct iut *iut, struct fake_ue *ue, struct octets pdu)
{
	uint8_t memory[NAS_ARENA_SIZE], memory2[NAS_ARENA_SIZE], plain[4096];
	struct nas_security_position position = {
		.connection = NAS_CONNECTION_3GPP,
		.direction = NAS_UPLINK,
	};
	struct arena arena, arena2;
	struct octets container;
	struct nas_msg msg, whole, down;
	bool secured = nas_is_secured(pdu);

	arena_init(&arena, memory, sizeof(memory));
	arena_init(&arena2, memory2, sizeof(memory2));
	if (secured) {
		size_t len;

		if (nas_count_estimate(ue->ul_next, pdu.data[6], &position.count) !=
			    NAS_SECURITY_OK ||
		    nas_security_unprotect(&ue->suite, &position, pdu, plain, sizeof(plain),
					   &len) != NAS_SECURITY_OK) {
			fake_plan.bad_macs++;
			return;
		}
		ue->ul_next = position.count + 1;
		pdu = OCTETS(plain, len);
	}
	if (nas_decode(&msg, pdu, &arena, DECODE_LENIENT, NULL) != FINDING_NONE)
		return;
	if (nas_get(&msg, NAS_IE_NAS_MESSAGE_CONTAINER, &container)) {
		uint8_t *inner = (uint8_t *)(uintptr_t)container.data;

		if (msg.type != NAS_SECURITY_MODE_COMPLETE)
			nas_security_cipher(&ue->suite, &position, inner, container.len);
		if (nas_decode(&whole, container, &arena2, DECODE_STRICT, NULL) == FINDING_NONE)
			fake_plan.containers++;
	}
	ue->secured = secured;
	switch (msg.type) {
	case NAS_REGISTRATION_REQUEST:
		registration_request(iut, ue, &msg);
		break;
	case NAS_AUTHENTICATION_RESPONSE: {
		struct octets res;

		if (nas_get(&msg, NAS_IE_AUTHENTICATION_RESPONSE_PARAMETER, &res) &&
		    octets_equal(res, OCTETS(ue->xres_star, 16)))
			command_security(iut, ue);
		break;
	}
	case NAS_AUTHENTICATION_FAILURE:
		resynchronise(iut, ue, &msg);
		break;
	case NAS_SECURITY_MODE_COMPLETE:
		accept_registration(iut, ue);
		break;
	case NAS_SECURITY_MODE_REJECT:
		fake_plan.security_rejects++;
		break;
	case NAS_REGISTRATION_COMPLETE:
		fake_plan.completes++;
		if (!ue->follow_on && !fake_plan.keeps_connections)
			release(iut, ue);
		break;
	case NAS_SERVICE_REQUEST:
		service_request(iut, ue);
		break;
	case NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING:
		nas_init(&down, NAS_DEREGISTRATION_ACCEPT_UE_ORIGINATING, &arena2);
		send_nas(iut, ue, &down, NAS_INTEGRITY_PROTECTED_AND_CIPHERED);
		release(iut, ue);
		break;
	default:
		break;
	}
}

/* --- NGAP --- */

static void ng_setup(struct iut *iut, struct link *link, struct arena *arena)
{
	struct ngap_cause cause = { .choice = NGAP_CAUSE_CHOICE_MISC };
	struct ngap_pdu pdu;

	if (fake_plan.setup_failure) {
		ngap_pdu_init(&pdu, NGAP_NG_SETUP_FAILURE, arena);
		ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	} else {
		ngap_pdu_init(&pdu, NGAP_NG_SETUP_RESPONSE, arena);
		ngap_add_octets(&pdu, NGAP_ID_AMF_NAME, OCTETS((const uint8_t *)"fake", 4));
		ngap_add_int(&pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, 100);
	}
	send_pdu(iut, link, 0, &pdu, NULL);
}

static struct fake_ue *find_ue(struct iut *iut, const struct link *link, const struct ngap_pdu *pdu)
{
	int64_t amf = -1;

	(void)link;
	ngap_get_int(pdu, NGAP_ID_AMF_UE_NGAP_ID, &amf);
	if (amf < 1000 || amf >= 1000 + UES_MAX || !iut->ues[amf - 1000].used)
		return NULL;
	return &iut->ues[amf - 1000];
}

/* By 5G-S-TMSI, else a free one. */
static struct fake_ue *initial_ue(struct iut *iut, const struct ngap_pdu *pdu)
{
	const struct ngap_five_g_s_tmsi *s_tmsi = ngap_value(pdu, NGAP_ID_FIVE_G_S_TMSI);

	fake_plan.last_had_s_tmsi = s_tmsi != NULL;
	if (s_tmsi && s_tmsi->five_g_tmsi.len == 4 && s_tmsi->five_g_tmsi.data[0] == 0xc0)
		return &iut->ues[(s_tmsi->five_g_tmsi.data[2] << 8 | s_tmsi->five_g_tmsi.data[3]) %
				 UES_MAX];
	for (size_t i = 0; i < UES_MAX; i++)
		if (!iut->ues[i].used)
			return &iut->ues[i];
	return NULL;
}

static void on_message(struct link *link, void *arg, const struct link_message *message)
{
	struct iut *iut = arg;
	struct octets nas;
	struct fake_ue *ue;
	struct arena arena;
	struct ngap_pdu pdu;

	arena_init(&arena, iut->memory, sizeof(iut->memory));
	if (ngap_decode(&pdu, message->data, &arena, DECODE_STRICT, NULL) != 0) {
		fprintf(stderr, "fake AMF got what it cannot decode\n");
		abort();
	}
	switch (pdu.message) {
	case NGAP_NG_SETUP_REQUEST:
		ng_setup(iut, link, &arena);
		break;
	case NGAP_INITIAL_UE_MESSAGE:
		ue = initial_ue(iut, &pdu);
		if (!ue || !ngap_get_octets(&pdu, NGAP_ID_NAS_PDU, &nas))
			break;
		ue->used = true;
		ue->link = link;
		ue->stream = message->stream;
		ngap_get_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, &ue->ran_id);
		ngap_get_enum(&pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE, &fake_plan.last_cause);
		nas_input(iut, ue, nas);
		break;
	case NGAP_UPLINK_NAS_TRANSPORT:
		ue = find_ue(iut, link, &pdu);
		if (ue && ngap_get_octets(&pdu, NGAP_ID_NAS_PDU, &nas))
			nas_input(iut, ue, nas);
		break;
	case NGAP_UE_CONTEXT_RELEASE_REQUEST:
		ue = find_ue(iut, link, &pdu);
		if (ue)
			release(iut, ue);
		break;
	case NGAP_UE_CONTEXT_RELEASE_COMPLETE:
		fake_plan.releases++;
		break;
	case NGAP_ERROR_INDICATION:
		fake_plan.error_indications++;
		break;
	default:
		break;
	}
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	(void)reason;
	drop(arg, link, false);
}

static void on_up(struct link *link, void *arg)
{
	(void)link;
	(void)arg;
}

static const struct link_handler handler = {
	.up = on_up,
	.message = on_message,
	.down = on_down,
	.restart = on_up,
};

static void on_accept(struct link *link, void *arg)
{
	struct iut *iut = arg;

	if (iut->link_count == 64) {
		link_close(link, true);
		return;
	}
	iut->links[iut->link_count++] = link;
	link_set_handler(link, &handler, iut);
}

static struct iut *start(struct loop *loop, struct net *net, const struct profile *profile,
			 const uint64_t *faults, const uint64_t *variants, struct text *why)
{
	struct iut *iut = calloc(1, sizeof(*iut));

	(void)faults;
	(void)variants;
	if (!iut)
		return NULL;
	iut->loop = loop;
	iut->net = net;
	iut->profile = profile;
	random_init(&iut->random, loop_seed(loop), "fake AMF");
	timer_init(&iut->flood, loop, "flood", flood, iut);
	iut->listener = net_listen(net, "amf", &profile->iut_n2, on_accept, iut, why);
	if (!iut->listener) {
		free(iut);
		return NULL;
	}
	return iut;
}

static void stop(struct iut *iut)
{
	struct late *next;

	timer_stop(&iut->flood);
	for (struct late *late = iut->late; late; late = next) {
		next = late->next;
		timer_stop(&late->timer);
		free(late);
	}
	free(iut);
}

static enum control_result control(struct iut *iut, const char *action,
				   const struct control_arg *args, size_t count, struct text *reply)
{
	(void)iut;
	(void)action;
	(void)args;
	(void)count;
	text_puts(reply, "the fake AMF has no controls");
	return CONTROL_NOT_SUPPORTED;
}

const struct iut_ops fake_amf = {
	.role = "amf",
	.start = start,
	.stop = stop,
	.control = control,
};
