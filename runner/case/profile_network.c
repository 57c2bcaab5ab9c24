/*
 * The network that the cases play in: PLMNs, areas, slices, subscribers.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/profile_values.h"

#define AT(member) .offset = offsetof(struct profile, member)

/* --- network -----------------------------------------------------------------------------------
 */

static void take_plmn(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	size_t len;

	(void)key;
	if (!reader_scalar(r, value, "MCC and MNC"))
		return;
	len = strlen(value->scalar);
	if ((len != 5 && len != 6) || strspn(value->scalar, "0123456789") != len)
		reader_complain(r, value, "MCC and MNC in 5 or 6 digits expected, not \"%.60s\"",
				value->scalar);
	else
		plmn_set(to, value->scalar);
}

static size_t take_plmn_list(struct reader *r, const struct node *value, struct plmn *out)
{
	size_t n = 0;

	if (!reader_list(r, value, "PLMNs"))
		return 0;
	for (const struct node *e = value->first; e; e = e->next) {
		if (n == PROFILE_LIST_MAX - 1) {
			reader_complain(r, e, "more than %d PLMNs", PROFILE_LIST_MAX - 1);
			break;
		}
		take_plmn(r, e, NULL, &out[n]);
		for (size_t i = 0; out[n].digits[0] && i < n; i++)
			if (strcmp(out[i].digits, out[n].digits) == 0)
				reader_complain(r, e, "the PLMN %s stands here already",
						out[n].digits);
		n++;
	}
	return n;
}

static void take_equivalent(struct reader *r, const struct node *value, const struct key *key,
			    void *to)
{
	(void)key;
	(void)to;
	r->profile->equivalent_plmn_count = take_plmn_list(r, value, r->profile->equivalent_plmns);
}

static void take_other(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	(void)key;
	(void)to;
	r->profile->other_plmn_count = take_plmn_list(r, value, r->profile->other_plmns);
}

static void take_tacs(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct profile *p = r->profile;
	uint8_t tac[3];

	(void)key;
	(void)to;
	if (!reader_list(r, value, "TACs"))
		return;
	if (value->count == 0)
		reader_complain(r, value, "at least one TAC expected");
	for (const struct node *e = value->first; e; e = e->next) {
		if (p->tac_count == PROFILE_LIST_MAX) {
			reader_complain(r, e, "more than %d TACs", PROFILE_LIST_MAX);
			return;
		}
		if (!reader_hex(r, e, tac, 3, NULL))
			continue;
		p->tacs[p->tac_count] = (uint32_t)tac[0] << 16 | (uint32_t)tac[1] << 8 | tac[2];
		for (size_t i = 0; i < p->tac_count; i++)
			if (p->tacs[i] == p->tacs[p->tac_count])
				reader_complain(r, e, "the TAC %.10s stands here already",
						e->scalar);
		p->tac_count++;
	}
}

static void take_nid(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	(void)key;
	(void)to;
	if (!reader_scalar(r, value, "a NID"))
		return;
	if (!value->scalar[0])
		return;
	if (strlen(value->scalar) != 11 || strspn(value->scalar, "0123456789abcdefABCDEF") != 11) {
		reader_complain(r, value, "a NID of 11 hexadecimal digits expected, not \"%.60s\"",
				value->scalar);
		return;
	}
	r->profile->nid = strtoull(value->scalar, NULL, 16);
	r->profile->has_nid = true;
}

static const struct key network_table[] = {
	KEY("plmn", take_plmn, AT(plmn), .required = true, .text = "MCC and MNC, 5 or 6 digits"),
	KEY("amf-region", take_u8, AT(amf_region), .max = 255,
	    .text = "AMF Region ID of the IUT, an AMF"),
	KEY("amf-set", take_u16, AT(amf_set), .max = 1023, .text = "its AMF Set ID"),
	KEY("amf-pointer", take_u8, AT(amf_pointer), .max = 63, .text = "its AMF Pointer"),
	KEY("tacs", take_tacs, .required = true,
	    .text = "Tracking Area Codes, 6 hexadecimal digits each"),
	KEY("equivalent-plmns", take_equivalent, .text = "PLMNs that are equivalent to the first"),
	KEY("other-plmns", take_other, .text = "PLMNs that are others"),
	KEY("nid", take_nid,
	    .text = "NID of a stand-alone non-public network, 11 hexadecimal digits"),
};
const struct keys profile_network_keys = KEYS(network_table);

/* --- slices and subscribers --------------------------------------------------------------------
 */

static void take_sd(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct slice *slice = to;
	uint8_t sd[3];

	(void)key;
	if (!reader_hex(r, value, sd, 3, NULL))
		return;
	slice->has_sd = true;
	slice->sd = (uint32_t)sd[0] << 16 | (uint32_t)sd[1] << 8 | sd[2];
	/* TS 23.003 28.4.2: that value says "no SD" */
	if (slice->sd == 0xffffff)
		reader_complain(r, value, "the SD FFFFFF stands for none: leave it out");
}

static const struct key slice_table[] = {
	KEY("sst", take_u8, .offset = offsetof(struct slice, sst), .max = 255, .required = true,
	    .text = "slice/service type"),
	KEY("sd", take_sd, .text = "slice differentiator, 6 hexadecimal digits"),
};
const struct keys profile_slice_keys = KEYS(slice_table);

void take_slices(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct profile *p = r->profile;

	(void)key;
	(void)to;
	if (!reader_list(r, value, "slices"))
		return;
	if (value->count == 0)
		reader_complain(r, value, "at least one slice expected");
	for (const struct node *e = value->first; e; e = e->next) {
		struct slice slice = { 0 };

		if (p->slice_count == PROFILE_LIST_MAX) {
			reader_complain(r, e, "more than %d slices", PROFILE_LIST_MAX);
			return;
		}
		reader_map(r, e, &profile_slice_keys, &slice);
		for (size_t i = 0; i < p->slice_count; i++)
			if (p->slices[i].sst == slice.sst && p->slices[i].has_sd == slice.has_sd &&
			    p->slices[i].sd == slice.sd)
				reader_complain(r, e, "this slice stands here already");
		p->slices[p->slice_count++] = slice;
	}
}

static void take_first(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	const char *digits;
	size_t len;

	(void)key;
	if (!reader_scalar(r, value, "a SUPI"))
		return;
	digits = value->scalar + 5;
	len = strlen(value->scalar);
	if (strncmp(value->scalar, "imsi-", 5) != 0 || len < 5 + 6 || len > 5 + 15 ||
	    strspn(digits, "0123456789") != len - 5)
		reader_complain(r, value, "imsi- and 6 to 15 digits expected, not \"%.60s\"",
				value->scalar);
	else
		strcpy(to, value->scalar);
}

static void take_key16(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	(void)key;
	reader_hex(r, value, to, 16, NULL);
}

static void take_amf_field(struct reader *r, const struct node *value, const struct key *key,
			   void *to)
{
	(void)key;
	reader_hex(r, value, to, 2, NULL);
}

/* one home network key, TS 33.501 annex C */

struct hn_key {
	uint8_t id;
	unsigned int scheme;
	uint8_t public_key[65];
	size_t public_key_len;
	uint8_t private_key[32];
	bool has_private_key;
};

static void take_public_key(struct reader *r, const struct node *value, const struct key *key,
			    void *to)
{
	struct hn_key *k = to;

	(void)key;
	reader_hex(r, value, k->public_key, -65, &k->public_key_len);
}

static void take_private_key(struct reader *r, const struct node *value, const struct key *key,
			     void *to)
{
	struct hn_key *k = to;

	(void)key;
	k->has_private_key = reader_hex(r, value, k->private_key, 32, NULL);
}

static const char *const schemes[] = { "A", "B", NULL };
static const struct key hn_key_table[] = {
	KEY("id", take_u8, .offset = offsetof(struct hn_key, id), .max = 255, .required = true,
	    .text = "Home Network Public Key Identifier"),
	KEY("scheme", take_word, .offset = offsetof(struct hn_key, scheme), .words = schemes,
	    .required = true, .text = "the protection scheme"),
	KEY("public-key", take_public_key, .required = true,
	    .text = "the home network's public key, hexadecimal"),
	KEY("private-key", take_private_key,
	    .text = "the private key, where the tester plays the network"),
};
static const struct keys hn_key_keys = KEYS(hn_key_table);

static void take_hn_keys(struct reader *r, const struct node *value, const struct key *key,
			 void *to)
{
	struct profile_subscribers *s = &r->profile->subscribers;
	const size_t max = sizeof(s->hn_keys) / sizeof(*s->hn_keys);

	(void)key;
	(void)to;
	if (!reader_list(r, value, "home network keys"))
		return;
	for (const struct node *e = value->first; e; e = e->next) {
		struct hn_key k = { 0 };

		if (s->hn_key_count == max) {
			reader_complain(r, e, "more than %zu home network keys", max);
			return;
		}
		reader_map(r, e, &hn_key_keys, &k);
		/* profile A: X25519; profile B: secp256r1, compressed or not */
		if (k.public_key_len && k.public_key_len != (k.scheme ? 33U : 32U) &&
		    !(k.scheme && k.public_key_len == 65))
			reader_complain(r, e, "a public key of scheme %s has %s octets",
					schemes[k.scheme], k.scheme ? "33 or 65" : "32");
		s->hn_keys[s->hn_key_count].id = k.id;
		s->hn_keys[s->hn_key_count].scheme = schemes[k.scheme][0];
		memcpy(s->hn_keys[s->hn_key_count].public_key, k.public_key, sizeof(k.public_key));
		s->hn_keys[s->hn_key_count].public_key_len = k.public_key_len;
		memcpy(s->hn_keys[s->hn_key_count].private_key, k.private_key,
		       sizeof(k.private_key));
		s->hn_keys[s->hn_key_count++].has_private_key = k.has_private_key;
	}
}

static const struct key subscribers_table[] = {
	KEY("first", take_first, .offset = offsetof(struct profile_subscribers, first),
	    .text = "the first SUPI: imsi- and its digits", .required = true),
	KEY("count", take_u32, .offset = offsetof(struct profile_subscribers, count), .min = 1,
	    .max = 10000000, .required = true, .text = "how many there are (1)"),
	KEY("k", take_key16, .offset = offsetof(struct profile_subscribers, k), .required = true,
	    .text = "K, 32 hexadecimal digits"),
	KEY("opc", take_key16, .offset = offsetof(struct profile_subscribers, opc),
	    .text = "OPc, 32 hexadecimal digits", .required = true),
	KEY("amf", take_amf_field, .offset = offsetof(struct profile_subscribers, amf),
	    .text = "the AMF of authentication, 4 hexadecimal digits (8000)"),
	KEY("hn-keys", take_hn_keys, .text = "keys that SUPIs are concealed with",
	    .map = &hn_key_keys, .is_list = true),
};
const struct keys profile_subscribers_keys = KEYS(subscribers_table);

void take_subscribers(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct profile_subscribers *s = to;
	const char *digits;
	char *end;

	(void)key;
	reader_map(r, value, &profile_subscribers_keys, s);
	if (!s->first[0])
		return;
	digits = s->first + 5;
	/* the last of them has to have as many digits as the first */
	double room = 1;
	for (size_t i = 0; i < strlen(digits); i++)
		room *= 10;
	if ((double)strtoull(digits, &end, 10) + s->count > room)
		reader_complain(r, value, "%u subscribers from %s on do not fit in its digits",
				s->count, s->first);
}
