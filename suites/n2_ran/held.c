/*
 * A UE that stays connected, of an IUT of which nothing is known but that `attempts` makes UEs.
 * Whether they have the keys of the profile's subscribers shows when they are authenticated.
 */
#include <stdlib.h>
#include <string.h>

#include "suites/n2_ran/ran.h"

static unsigned int number_in_reply(struct tc *t)
{
	static const char member[] = "\"ues\"";
	const char *at = strstr(tc_control_reply(t), member);
	unsigned long number;

	if (at)
		at = strpbrk(at + sizeof(member) - 1, "0123456789]");
	if (!at || *at == ']')
		tc_na(t, "the adapter does not say which UE has connected: it answered %s",
		      tc_control_reply(t)[0] ? tc_control_reply(t) : "nothing");
	number = strtoul(at, NULL, 10);
	return number > 0 && number <= UINT32_MAX ? (unsigned int)number : 1;
}

static bool registered(void *arg)
{
	return nw_ue_is_registered(arg, ACCESS_3GPP);
}

/* INITIAL CONTEXT SETUP REQUEST with keys that nobody has: only the node's part counts. */
static void set_up_context(struct tc *t, struct nw_ue *ue, struct nw_amf *amf,
			   const struct slice *allowed)
{
	static const uint8_t key[32] = { 1 };
	static const uint8_t first_two[2] = { 0xc0, 0 }, none[2];
	const struct nw_guami own = nw_amf_guami(amf);
	const uint8_t sst = allowed->sst;
	const uint8_t sd_octets[] = { (uint8_t)(allowed->sd >> 16), (uint8_t)(allowed->sd >> 8),
				      (uint8_t)allowed->sd };
	const struct octets sd = OCTETS(sd_octets, sizeof(sd_octets));
	struct ngap_pdu *pdu = nw_message(t, NGAP_INITIAL_CONTEXT_SETUP_REQUEST);
	struct ngap_guami guami = {
		.plmn_identity = OCTETS(t->profile->plmn.bcd, 3),
		.amf_region_id = own.region,
		.amf_set_id = own.set,
		.amf_pointer = own.pointer,
	};
	struct ngap_allowed_nssai_item item = {
		.s_nssai = { .sst = OCTETS(&sst, 1), .sd = allowed->has_sd ? &sd : NULL },
	};
	struct ngap_allowed_nssai nssai = { .count = 1, .items = &item };
	struct ngap_ue_security_capabilities capabilities = {
		.n_rencryption_algorithms = PER_BITS(first_two, 16),
		.n_rintegrity_protection_algorithms = PER_BITS(first_two, 16),
		.eutra_encryption_algorithms = PER_BITS(none, 16),
		.eutra_integrity_protection_algorithms = PER_BITS(none, 16),
	};
	struct per_bits security_key = PER_BITS(key, 256);

	ngap_add(pdu, NGAP_ID_GUAMI, &guami);
	ngap_add(pdu, NGAP_ID_ALLOWED_NSSAI, &nssai);
	ngap_add(pdu, NGAP_ID_UE_SECURITY_CAPABILITIES, &capabilities);
	ngap_add(pdu, NGAP_ID_SECURITY_KEY, &security_key);
	nw_ue_send_ngap(ue, ACCESS_3GPP, pdu);
	expect_ngap_of(t, ue, .type = NGAP_INITIAL_CONTEXT_SETUP_RESPONSE,
		       .otherwise = OUTCOME_INCONC, .silence = OUTCOME_INCONC,
		       .why = "a UE that has no keys is given a context");
}

struct held hold_ue(struct tc *t, struct nw_amf *amf, const char *requests,
		    const struct slice *allowed)
{
	static const struct slice any = { .sst = 1 };
	struct held held = { .allowed = t->profile->slices,
			     .allowed_count = t->profile->slice_count };
	const struct nas_received *m;

	/* until it is known which UE it is that is to stay */
	nw_amf_without(amf, NW_RELEASE);
	tc_control(t, "attempts cause=mo-Signalling count=1 rate=1%s%s", requests ? " nssai=" : "",
		   requests ? requests : "");
	held.number = number_in_reply(t);
	m = expect_nas_of_any(t, .type = REGISTRATION_REQUEST);
	held.ue = m->nw_ue;
	nw_keep_connected(held.ue, true);
	nw_amf_with(amf, NW_RELEASE);
	if (held.allowed_count == 0) {
		held.allowed = &any;
		held.allowed_count = 1;
	}
	if (tc_wait(t, t->profile->response_time, registered, held.ue))
		return held;

	tc_note(t, "%s does not answer its authentication: it is served without",
		nw_ue_name(held.ue));
	nw_ue_without(held.ue, NW_IDENTIFY | NW_AUTHENTICATE | NW_SET_UP_CONTEXT |
				       NW_ACCEPT_REGISTRATION | NW_ACCEPT_SERVICE);
	nw_accept(held.ue, .protection = PROTECT_PLAIN, .keep_connected = true);
	held.allowed = allowed ? allowed : &any;
	held.allowed_count = 1;
	set_up_context(t, held.ue, amf, held.allowed);
	return held;
}

struct uplinks {
	const struct nw_count *count;
};

static bool arrived(void *arg)
{
	const struct uplinks *uplinks = arg;

	return nw_counted_uplinks(uplinks->count) > 0;
}

bool uplink_arrives(struct tc *t, const struct held *held)
{
	/* 5GMM STATUS with cause 111: asks for nothing */
	static const char status[] = "7e00646f";
	struct uplinks uplinks = { .count = nw_count_start(t) };

	tc_control(t, "uplink ue=%u hex=%s", held->number, status);
	return tc_wait(t, t->profile->response_time, arrived, &uplinks);
}
