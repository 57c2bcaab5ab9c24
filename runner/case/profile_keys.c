/*
 * The keys of a profile (design/profile.md): one table for each map, and the values that need more
 * than a range to be checked.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/pfcp/pfcp.h"
#include "runner/case/profile_reader.h"
#include "runner/case/profile_values.h"
#include "runner/net/transport.h"

#define AT(member) .offset = offsetof(struct profile, member)

static const char *const roles[] = { "amf",	  "ue",	       "ran", "up", "cp",
				     "nf-server", "nf-client", "nrf", NULL };
/* in the order of enum net_transport from NET_AUTO on */
static const char *const transports[] = { "auto", "kernel", "usrsctp", "usrsctp-udp", NULL };

static const char *const states[] = { "on", "off", NULL };

static void take_role(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	unsigned int n = ROLE_AMF;

	take_word(r, value, key, &n);
	*(enum role *)to = (enum role)n;
}

static void take_transport(struct reader *r, const struct node *value, const struct key *key,
			   void *to)
{
	unsigned int n = 0;

	take_word(r, value, key, &n);
	*(enum net_transport *)to = (enum net_transport)(NET_AUTO + n);
}

/* Text into a buffer of key->max octets. */
static void take_text(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	char *s = NULL;

	take_string(r, value, key, &s);
	if (s && strlen(s) >= (size_t)key->max)
		reader_complain(r, value, "at most %.0f octets expected", key->max - 1);
	else if (s)
		strcpy(to, s);
	free(s);
}

/* --- addresses -------------------------------------------------------------------------------- */

struct endpoint {
	struct net_address address;
	uint16_t port;
	enum net_transport transport;
};

static void set_port(struct net_address *address, uint16_t port)
{
	if (address->sa.sa_family == AF_INET6)
		address->v6.sin6_port = htons(port);
	else
		address->v4.sin_port = htons(port);
}

static const struct key iut_n2_table[] = {
	KEY("address", take_address, .offset = offsetof(struct endpoint, address),
	    .text = "its address for NGAP", .required = true),
	KEY("port", take_u16, .offset = offsetof(struct endpoint, port), .min = 1, .max = 65535,
	    .text = "its SCTP port (38412)"),
	KEY("transport", take_transport, .offset = offsetof(struct endpoint, transport),
	    .text = "SCTP of the IUT, where it is not the tester's", .words = transports),
};
static const struct keys iut_n2_keys = KEYS(iut_n2_table);

static void take_iut_n2(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct endpoint endpoint = { .port = NGAP_PORT, .transport = NET_AUTO };

	(void)key;
	(void)to;
	reader_map(r, value, &iut_n2_keys, &endpoint);
	set_port(&endpoint.address, endpoint.port);
	r->profile->iut_n2 = endpoint.address;
	r->profile->iut_transport = endpoint.transport;
}

static size_t take_addresses(struct reader *r, const struct node *list, struct net_address *out)
{
	static const struct key any = { .name = "addresses" };
	size_t n = 0;

	if (!reader_list(r, list, "addresses"))
		return 0;
	for (const struct node *e = list->first; e; e = e->next) {
		if (n == PROFILE_LIST_MAX) {
			reader_complain(r, e, "more than %d addresses", PROFILE_LIST_MAX);
			break;
		}
		take_address(r, e, &any, &out[n]);
		for (size_t i = 0; out[n].sa.sa_family && i < n; i++)
			if (net_address_same_ip(&out[i], &out[n]))
				reader_complain(r, e, "the address %.60s stands here already",
						e->scalar);
		n++;
	}
	if (list->count == 0)
		reader_complain(r, list, "at least one address expected");
	return n;
}

static void take_f_seid(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	(void)key;
	(void)to;
	r->n4_f_seid = value;
	r->profile->iut_n4_f_seid_count = take_addresses(r, value, r->profile->iut_n4_f_seid);
}

static const struct key iut_n4_table[] = {
	KEY("address", take_address, .offset = offsetof(struct endpoint, address),
	    .text = "its address for PFCP", .required = true),
	KEY("port", take_u16, .offset = offsetof(struct endpoint, port), .min = 1, .max = 65535,
	    .text = "its UDP port (8805)"),
	KEY("f-seid", take_f_seid, .text = "further addresses that its F-SEIDs may have"),
};
static const struct keys iut_n4_keys = KEYS(iut_n4_table);

static void take_iut_n4(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct endpoint endpoint = { .port = PFCP_PORT };
	struct profile *p = r->profile;

	(void)key;
	(void)to;
	reader_map(r, value, &iut_n4_keys, &endpoint);
	set_port(&endpoint.address, endpoint.port);
	p->iut_n4 = endpoint.address;
	p->has_iut_n4 = true;
	for (size_t i = 0; i < p->iut_n4_f_seid_count; i++)
		set_port(&p->iut_n4_f_seid[i], endpoint.port);
}

static void take_n2_addresses(struct reader *r, const struct node *value, const struct key *key,
			      void *to)
{
	(void)key;
	(void)to;
	r->n2_addresses = value;
	r->profile->n2.address_count = take_addresses(r, value, r->profile->n2.addresses);
}

static void take_n4_addresses(struct reader *r, const struct node *value, const struct key *key,
			      void *to)
{
	(void)key;
	(void)to;
	r->n4_addresses = value;
	r->profile->n4_count = take_addresses(r, value, r->profile->n4);
	for (size_t i = 0; i < r->profile->n4_count; i++)
		set_port(&r->profile->n4[i], PFCP_PORT);
}

static void take_n2_transport(struct reader *r, const struct node *value, const struct key *key,
			      void *to)
{
	r->n2_transport = value;
	take_transport(r, value, key, to);
}

static void take_sbi_addresses(struct reader *r, const struct node *value, const struct key *key,
			       void *to)
{
	(void)key;
	(void)to;
	r->sbi_addresses = value;
	r->profile->sbi_address_count = take_addresses(r, value, r->profile->sbi_addresses);
}

static void take_has_address(struct reader *r, const struct node *value, const struct key *key,
			     void *to)
{
	take_address(r, value, key, to);
	if (to == &r->profile->n3iwf)
		r->profile->has_n3iwf = true;
	else
		r->profile->has_sbi = true;
}

/* --- sbi ---------------------------------------------------------------------------------------
 */

/* clang-format off */
#define TLS_FILES                                                                \
	KEY("ca", take_file, .offset = offsetof(struct profile_tls, ca),         \
	    .text = "who signed the certificates that are taken"),               \
	KEY("cert", take_file, .offset = offsetof(struct profile_tls, cert),     \
	    .text = "the certificate that is shown"),                            \
	KEY("key", take_file, .offset = offsetof(struct profile_tls, key),       \
	    .text = "its private key")
/* clang-format on */

static const struct key tls_table[] = { TLS_FILES };
static const struct keys tls_keys = KEYS(tls_table);

static const struct key iut_tls_table[] = {
	TLS_FILES,
	KEY("name", take_text, .offset = offsetof(struct profile_tls, name),
	    .max = sizeof(((struct profile_tls *)0)->name),
	    .text = "that the certificate of the IUT has to have; without it any"),
};
static const struct keys iut_tls_keys = KEYS(iut_tls_table);

static void take_state(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	unsigned int n = 0;

	take_word(r, value, key, &n);
	*(bool *)to = n == 0;
}

/* Long enough for HS256 (RFC 7518 3.2); it is not quoted in a complaint. */
static void take_secret(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	enum { LEAST = 32 };

	take_string(r, value, key, to);
	if (*(char **)to && strlen(*(char **)to) < LEAST)
		reader_complain(r, value, "a secret of at least %d octets expected, this has %zu",
				LEAST, strlen(*(char **)to));
}

static const struct key oauth2_table[] = {
	KEY("state", take_state, .offset = offsetof(struct profile_oauth2, on), .words = states,
	    .text = "on: access tokens in every case; off: in those about them alone"),
	KEY("key", take_file, .offset = offsetof(struct profile_oauth2, key),
	    .text = "a key that signs or checks them, in PEM"),
	KEY("secret", take_secret, .offset = offsetof(struct profile_oauth2, secret),
	    .text = "a shared secret of at least 32 octets (HS256), in place of the key"),
};
static const struct keys oauth2_keys = KEYS(oauth2_table);

static void take_oauth2(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct profile_oauth2 *oauth2 = to;

	(void)key;
	oauth2->on = true;
	reader_map(r, value, &oauth2_keys, to);
	if (!oauth2->key == !oauth2->secret)
		reader_complain(r, value, "oauth2 needs a key or a secret, one of both");
}

static void take_end(struct reader *r, const struct node *value, const struct key *key,
		     bool (*set)(struct profile *profile, const char *uri))
{
	char *uri = NULL;

	take_string(r, value, key, &uri);
	if (uri && strncmp(uri, "http://", 7) != 0 && strncmp(uri, "https://", 8) != 0)
		reader_complain(r, value, "a URI with http:// or https:// expected, not \"%.60s\"",
				uri);
	else if (uri && !set(r->profile, uri))
		reader_complain(r, value,
				"a URI with an IP address expected (http://192.0.2.1:7777), not "
				"\"%.60s\"",
				uri);
	free(uri);
}

static void take_uri(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	(void)to;
	take_end(r, value, key, profile_set_iut_sbi);
}

static void take_nrf_uri(struct reader *r, const struct node *value, const struct key *key,
			 void *to)
{
	(void)to;
	take_end(r, value, key, profile_set_sbi_nrf);
}

static const struct key iut_sbi_table[] = {
	KEY("uri", take_uri, .required = true, .text = "its apiRoot, with an IP address"),
	KEY("tls", take_map, AT(iut_sbi_tls), .map = &iut_tls_keys, .text = "of connections to it"),
	KEY("oauth2", take_oauth2, AT(iut_sbi_oauth2),
	    .text = "of an NRF that is tested: what its access tokens are checked with",
	    .map = &oauth2_keys),
};
static const struct keys iut_sbi_keys = KEYS(iut_sbi_table);

static void take_nf_type(struct reader *r, const struct node *value, const struct key *key,
			 void *to)
{
	take_text(r, value, key, to);
	if (value->kind == NODE_SCALAR &&
	    strspn(value->scalar, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(value->scalar))
		reader_complain(r, value,
				"a type of TS 29.510 expected (AMF, SMF, ...), not "
				"\"%.60s\"",
				value->scalar);
}

static void take_sbi_roles(struct reader *r, const struct node *value, const struct key *key,
			   void *to)
{
	static const char *const known[] = { "nrf",  "ausf", "udm",  "udr",   "pcf",
					     "nssf", "smf",  "amf",  "nef",   "bsf",
					     "chf",  "scp",  "sepp", "nsacf", NULL };
	const struct key word = { .name = "roles", .words = known };
	struct profile *p = r->profile;

	(void)key;
	(void)to;
	if (!reader_list(r, value, "NF types"))
		return;
	for (const struct node *e = value->first; e; e = e->next) {
		unsigned int n = 0;

		if (p->sbi_role_count == PROFILE_LIST_MAX) {
			reader_complain(r, e, "more than %d roles", PROFILE_LIST_MAX);
			return;
		}
		take_word(r, e, &word, &n);
		strcpy(p->sbi_roles[p->sbi_role_count++], known[n]);
	}
}

/* --- iut and tester ----------------------------------------------------------------------------
 */

static const struct key iut_table[] = {
	KEY("name", take_text, AT(iut_name), .max = 128, .text = "what reports call it"),
	KEY("role", take_role, AT(role), .words = roles, .required = true, .text = "what it is"),
	KEY("n2", take_iut_n2, .text = "of an AMF, a UE or an NG-RAN node: where its NGAP is",
	    .map = &iut_n2_keys),
	KEY("n4", take_iut_n4, .text = "of a UP or CP function: where its PFCP is",
	    .map = &iut_n4_keys),
	KEY("sbi", take_map, .map = &iut_sbi_keys,
	    .text = "of a network function: where its services are"),
	KEY("nf-type", take_nf_type, AT(iut_nf_type), .max = 32,
	    .text = "its NF type (AMF, SMF, ...)"),
};
static const struct keys iut_keys = KEYS(iut_table);

static const struct key tester_n2_table[] = {
	KEY("addresses", take_n2_addresses, .text = "those of the gNBs that the tester plays"),
	KEY("transport", take_n2_transport, AT(n2.transport), .words = transports,
	    .text = "SCTP of the tester: of the kernel, of user space over raw sockets, or over "
		    "UDP"),
	KEY("udp-port", take_u16, AT(n2.udp_port), .min = 1, .max = 65535,
	    .text = "the tester's UDP port for usrsctp-udp (9899)"),
	KEY("peer-udp-port", take_u16, AT(n2.peer_udp_port), .min = 1, .max = 65535,
	    .text = "the IUT's UDP port for usrsctp-udp (9899)"),
	KEY("crc-on-loopback", take_flag, AT(n2.crc_on_loopback),
	    .text = "no: no CRC32c on loopback, where the peer leaves it out too"),
};
static const struct keys tester_n2_keys = KEYS(tester_n2_table);

static const struct key tester_n3iwf_table[] = {
	KEY("address", take_has_address, AT(n3iwf), .required = true,
	    .text = "that of the N3IWF that the tester plays"),
};
static const struct keys tester_n3iwf_keys = KEYS(tester_n3iwf_table);

static const struct key tester_n4_table[] = {
	KEY("addresses", take_n4_addresses, .required = true,
	    .text = "those of the PFCP functions that the tester plays"),
};
static const struct keys tester_n4_keys = KEYS(tester_n4_table);

static const struct key tester_sbi_table[] = {
	KEY("address", take_has_address, AT(sbi), .required = true,
	    .text = "of the NRF that the tester plays; with roles, of all its NFs"),
	KEY("addresses", take_sbi_addresses,
	    .text = "of the consumers and producers that the tester plays"),
	KEY("port", take_u16, AT(sbi_port), .min = 1, .max = 65535,
	    .text = "the port of all of them (7777)"),
	KEY("roles", take_sbi_roles,
	    .text = "the NFs that are played towards an AMF (nrf, ausf, udm, pcf, nssf, smf)"),
	KEY("nrf", take_nrf_uri,
	    .text = "the apiRoot of an NRF that is not the tester's: its NFs register there"),
	KEY("tls", take_map, AT(sbi_tls), .map = &tls_keys, .text = "of the tester's servers"),
	KEY("oauth2", take_oauth2, AT(sbi_oauth2),
	    .text = "access tokens of the NRF that the tester plays", .map = &oauth2_keys),
};
static const struct keys tester_sbi_keys = KEYS(tester_sbi_table);

static void take_tester_sbi(struct reader *r, const struct node *value, const struct key *key,
			    void *to)
{
	struct profile *p = r->profile;

	(void)key;
	reader_map(r, value, &tester_sbi_keys, to);
	if (!p->has_sbi)
		return;
	set_port(&p->sbi, p->sbi_port);
	for (size_t i = 0; i < p->sbi_address_count; i++)
		set_port(&p->sbi_addresses[i], p->sbi_port);
	if (!p->sbi_tls.cert != !p->sbi_tls.key)
		reader_complain(r, value, "tls needs both cert and key");
}

static const struct key guami_table[] = {
	KEY("region", take_u8, .offset = offsetof(struct profile_amf, region), .max = 255,
	    .text = "AMF Region ID"),
	KEY("set", take_u16, .offset = offsetof(struct profile_amf, set), .max = 1023,
	    .text = "AMF Set ID"),
	KEY("pointer", take_u8, .offset = offsetof(struct profile_amf, pointer), .max = 63,
	    .text = "AMF Pointer"),
};
static const struct keys guami_keys = KEYS(guami_table);

static void take_tnl(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	static const struct key weight = { .name = "tnl", .max = 255 };
	struct profile_amf *amf = to;

	(void)key;
	if (!reader_list(r, value, "weight factors"))
		return;
	for (const struct node *e = value->first; e; e = e->next) {
		if (amf->tnl_count == PROFILE_LIST_MAX) {
			reader_complain(r, e, "more than %d associations", PROFILE_LIST_MAX);
			return;
		}
		take_u8(r, e, &weight, &amf->tnl[amf->tnl_count++]);
	}
}

/* Of the associations past the first, in the order of the weights. */
static void take_tnl_addresses(struct reader *r, const struct node *value, const struct key *key,
			       void *to)
{
	static const struct key any = { .name = "tnl-addresses" };
	struct profile_amf *amf = to;
	size_t n = 1;

	(void)key;
	if (!reader_list(r, value, "addresses"))
		return;
	for (const struct node *e = value->first; e; e = e->next) {
		if (n == PROFILE_LIST_MAX) {
			reader_complain(r, e, "more than %d associations", PROFILE_LIST_MAX);
			return;
		}
		take_address(r, e, &any, &amf->tnl_addresses[n]);
		set_port(&amf->tnl_addresses[n++], NGAP_PORT);
	}
}

/* Every association has an address of its own. */
static void complete_tnl(struct reader *r, const struct node *where, struct profile_amf *amf)
{
	size_t named = 1;

	amf->tnl_addresses[0] = amf->address;
	while (named < PROFILE_LIST_MAX && amf->tnl_addresses[named].sa.sa_family)
		named++;
	if (named == 1 && amf->tnl_count > 1 && !tnl_addresses_default(amf))
		reader_complain(r, where,
				"%zu TNL associations need tnl-addresses: 100 more in the last "
				"octet of the address for each leave its range",
				amf->tnl_count);
	else if (named > 1 && named != amf->tnl_count)
		reader_complain(r, where, "%zu tnl-addresses for %zu associations past the first",
				named - 1, amf->tnl_count ? amf->tnl_count - 1 : 0);
}

/* Nobody can listen twice at one address. */
static void complain_twice(struct reader *r, const struct node *where, size_t n)
{
	const struct profile_amf *amfs = r->profile->amfs;
	size_t mine = amfs[n].tnl_count ? amfs[n].tnl_count : 1;

	for (size_t i = 0; i < n; i++) {
		size_t theirs = amfs[i].tnl_count ? amfs[i].tnl_count : 1;

		for (size_t k = 0; k < mine * theirs; k++) {
			if (!net_address_equal(&amfs[n].tnl_addresses[k % mine],
					       &amfs[i].tnl_addresses[k / mine]))
				continue;
			reader_complain(r, where,
					"an address of this AMF, or of one of its TNL "
					"associations, stands at another AMF already");
			return;
		}
	}
}

static const struct key amf_table[] = {
	KEY("address", take_address, .offset = offsetof(struct profile_amf, address),
	    .text = "its address for NGAP", .required = true),
	KEY("guami", take_map, .map = &guami_keys, .required = true,
	    .text = "its GUAMI, in the PLMN of network"),
	KEY("capacity", take_u8, .offset = offsetof(struct profile_amf, capacity), .max = 255,
	    .text = "Relative AMF Capacity (255)"),
	KEY("tnl", take_tnl, .text = "TNL Address Weight Factors, one for each association"),
	KEY("tnl-addresses", take_tnl_addresses,
	    .text = "addresses of the associations past the first"),
};
static const struct keys amf_keys = KEYS(amf_table);

static void take_amfs(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct profile *p = r->profile;

	(void)key;
	(void)to;
	if (!reader_list(r, value, "AMFs"))
		return;
	for (const struct node *e = value->first; e; e = e->next) {
		struct profile_amf *amf = &p->amfs[p->amf_count];

		if (p->amf_count == PROFILE_LIST_MAX) {
			reader_complain(r, e, "more than %d AMFs", PROFILE_LIST_MAX);
			return;
		}
		p->amf_count++;
		amf->capacity = 255;
		reader_map(r, e, &amf_keys, amf);
		set_port(&amf->address, NGAP_PORT);
		complete_tnl(r, e, amf);
		complain_twice(r, e, p->amf_count - 1);
	}
}

static const struct key tester_table[] = {
	KEY("n2", take_map, .map = &tester_n2_keys, .text = "NGAP"),
	KEY("amfs", take_amfs,
	    .text = "where the IUT is a UE or an NG-RAN node: the AMFs that the tester plays",
	    .map = &amf_keys, .is_list = true),
	KEY("n3iwf", take_map, .map = &tester_n3iwf_keys, .text = "a node of non-3GPP access"),
	KEY("n4", take_map, .map = &tester_n4_keys, .text = "PFCP"),
	KEY("sbi", take_tester_sbi, .text = "services", .map = &tester_sbi_keys),
};
static const struct keys tester_keys = KEYS(tester_table);

/* --- ics ---------------------------------------------------------------------------------------
 */

static void take_ics(struct reader *r, const struct node *value, const struct key *key, void *to)
{
	struct key table[ICS_COUNT];
	const struct keys keys = { .keys = table, .count = ICS_COUNT };

	(void)key;
	memset(table, 0, sizeof(table));
	for (size_t i = 0; i < ICS_COUNT; i++) {
		table[i].name = ics_name((enum ics)i);
		table[i].take = take_flag;
		table[i].offset = i * sizeof(bool);
	}
	reader_map(r, value, &keys, to);
}

static const struct key top_table[] = {
	KEY("iut", take_map, .map = &iut_keys, .required = true,
	    .text = "the implementation under test"),
	KEY("tester", take_map, .map = &tester_keys,
	    .text = "the tester's own side; every address may be IPv4 or IPv6"),
	KEY("network", take_map, .map = &profile_network_keys,
	    .text = "the network that both are configured for"),
	KEY("slices", take_slices, .text = "S-NSSAIs of the network", .map = &profile_slice_keys,
	    .is_list = true),
	KEY("subscribers", take_subscribers, AT(subscribers),
	    .text = "a range of SUPIs whose keys both sides have",
	    .map = &profile_subscribers_keys),
	KEY("ics", take_ics, AT(ics),
	    .text = "what the IUT claims: a case whose need is not claimed is not applicable"),
	KEY("ixit", take_map, .map = &profile_ixit_keys, .text = "values that the cases need"),
	KEY("policy", take_map, .map = &profile_policy_keys, .text = "how verdicts are made"),
	KEY("control", take_control, .text = "the control adapter, which moves the IUT",
	    .map = &profile_control_keys),
};
const struct keys profile_keys = KEYS(top_table);
