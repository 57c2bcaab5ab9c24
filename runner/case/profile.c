/*
 * What a profile is, apart from how it is read: its words, the built-in one of the embedded
 * reference IUTs, and what can be said about one.
 */
#include "runner/case/profile.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/pfcp/pfcp.h"
#include "codecs/sbi/sbi.h"
#include "runner/case/profile_private.h"
#include "runner/core/loop.h"

static const char *const role_names[] = {
	[ROLE_AMF] = "amf",
	[ROLE_UE] = "ue",
	[ROLE_RAN] = "ran",
	[ROLE_UP] = "up",
	[ROLE_CP] = "cp",
	[ROLE_NF_SERVER] = "nf-server",
	[ROLE_NF_CLIENT] = "nf-client",
	[ROLE_NRF] = "nrf",
};

const char *role_name(enum role role)
{
	return (size_t)role < sizeof(role_names) / sizeof(*role_names) ? role_names[role] : "?";
}

static const struct {
	const char *name;
	const char *text;
} ics_table[ICS_COUNT] = {
	[ICS_EMERGENCY] = { "emergency", "emergency registration and emergency services" },
	[ICS_EMERGENCY_FALLBACK] = { "emergency-fallback", "emergency services fallback" },
	[ICS_HIGH_PRIORITY] = { "high-priority", "MPS and MCS subscribers, high priority access" },
	[ICS_NON_3GPP] = { "non-3gpp", "access through an N3IWF" },
	[ICS_NOTIFICATION] = { "notification", "NOTIFICATION over the other access" },
	[ICS_PS_DATA_OFF] = { "ps-data-off", "3GPP PS data off, elevated signalling" },
	[ICS_DISCONTINUOUS_COVERAGE] = { "discontinuous-coverage",
					 "satellite access with discontinuous coverage" },
	[ICS_SNPN_LOCALIZED] = { "snpn-localized", "SNPN that provides localized services" },
	[ICS_SERVICE_GAP] = { "service-gap", "service gap control (T3447)" },
	[ICS_CP_CIOT] = { "cp-ciot", "control plane CIoT optimisation (T3448)" },
	[ICS_NAS_CONGESTION] = { "nas-congestion", "general NAS-level congestion control" },
	[ICS_N2_OVERLOAD] = { "n2-overload", "OVERLOAD START and OVERLOAD STOP" },
	[ICS_N2_OVERLOAD_SLICES] = { "n2-overload-slices", "overload per slice on N2" },
	[ICS_GUAMI_LIST] = { "guami-list", "overload per GUAMI on N2 (release 19)" },
	[ICS_AMF_WEIGHT] = { "amf-weight", "Relative AMF Capacity, TNL weight factors" },
	[ICS_NG_ENB] = { "ng-enb", "ng-eNB as NG-RAN node" },
	[ICS_RRC_INACTIVE] = { "rrc-inactive", "RRC_INACTIVE" },
	[ICS_OCI] = { "oci", "overload control information" },
	[ICS_LCI] = { "lci", "load control information" },
	[ICS_OLC_H] = { "olc-h", "overload control by the header field 3gpp-Sbi-Oci" },
	[ICS_REDIRECT] = { "redirect", "307 and 308 towards another instance" },
	[ICS_OAUTH2] = { "oauth2", "access tokens of the NRF (OAuth 2.0 client credentials)" },
	[ICS_SCP] = { "scp", "requests by way of an SCP (3gpp-Sbi-Target-apiRoot)" },
};

const char *ics_name(enum ics ics)
{
	return (size_t)ics < ICS_COUNT ? ics_table[ics].name : "?";
}

const char *ics_text(enum ics ics)
{
	return (size_t)ics < ICS_COUNT ? ics_table[ics].text : "?";
}

void profile_list_ics(struct text *out)
{
	for (size_t i = 0; i < ICS_COUNT; i++)
		text_printf(out, "%-24s %s\n", ics_table[i].name, ics_table[i].text);
}

enum ics profile_missing(const struct profile *profile, uint64_t needs)
{
	for (unsigned int i = 0; i < ICS_COUNT; i++)
		if ((needs & NEEDS(i)) && !profile->ics[i])
			return (enum ics)i;
	return ICS_COUNT;
}

bool profile_duration(const char *literal, uint64_t *us)
{
	static const struct {
		const char *unit;
		uint64_t us;
	} units[] = {
		{ "ms", US_PER_MS },
		{ "s", US_PER_S },
		{ "m", 60 * US_PER_S },
		{ "h", 3600 * US_PER_S },
	};
	unsigned long long n;
	char *end;

	if (!isdigit((unsigned char)literal[0]))
		return false;
	errno = 0;
	n = strtoull(literal, &end, 10);
	if (errno)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		if (n > UINT64_MAX / 4 / units[i].us)
			return false;
		*us = n * units[i].us;
		return true;
	}
	return false;
}

/* --- the built-in profile --------------------------------------------------------------------- */

void plmn_set(struct plmn *plmn, const char *digits)
{
	uint8_t third = strlen(digits) == 6 ? (uint8_t)(digits[5] - '0') : 15;

	memcpy(plmn->digits, digits, strlen(digits) + 1);
	plmn->bcd[0] = (uint8_t)((digits[1] - '0') << 4 | (digits[0] - '0'));
	plmn->bcd[1] = (uint8_t)(third << 4 | (digits[2] - '0'));
	plmn->bcd[2] = (uint8_t)((digits[4] - '0') << 4 | (digits[3] - '0'));
}

/* K and OPc of the lab's subscribers, as every open core's test set has them. */
static const uint8_t lab_k[16] = { 0x46, 0x5b, 0x5c, 0xe8, 0xb1, 0x99, 0xb4, 0x9f,
				   0xaa, 0x5f, 0x0a, 0x2e, 0xe2, 0x38, 0xa6, 0xbc };
/* Signs and checks access tokens where nobody brings a key. */
static const char lab_secret[] = "not a secret, a laboratory's: spillway";
static const uint8_t lab_opc[16] = { 0xe8, 0xed, 0x28, 0x9d, 0xeb, 0xa9, 0x52, 0xe4,
				     0x28, 0x3b, 0x54, 0xe8, 0x8e, 0x61, 0x83, 0xca };

static bool addresses_set(struct profile *profile)
{
	static const char *const tester[] = { "127.0.0.11", "127.0.0.12", "127.0.0.13",
					      "127.0.0.15", "127.0.0.16", "127.0.0.17",
					      "127.0.0.18", "127.0.0.19" };

	for (size_t i = 0; i < sizeof(tester) / sizeof(*tester); i++)
		if (net_address_parse(&profile->n2.addresses[i], tester[i], 0) != 0)
			return false;
	profile->n2.address_count = sizeof(tester) / sizeof(*tester);
	return net_address_parse(&profile->iut_n2, "127.0.0.5", NGAP_PORT) == 0 &&
	       net_address_parse(&profile->n3iwf, "127.0.0.14", 0) == 0;
}

bool tnl_addresses_default(struct profile_amf *amf)
{
	bool v6 = amf->address.sa.sa_family == AF_INET6;
	uint8_t *octets = v6 ? amf->address.v6.sin6_addr.s6_addr
			     : (uint8_t *)&amf->address.v4.sin_addr.s_addr;
	size_t last = v6 ? 15 : 3;

	for (size_t i = 0; i < amf->tnl_count || i == 0; i++) {
		struct net_address *out = &amf->tnl_addresses[i];

		*out = amf->address;
		if (octets[last] + 100 * i > 254)
			return false;
		if (v6)
			out->v6.sin6_addr.s6_addr[last] = (uint8_t)(octets[last] + 100 * i);
		else
			((uint8_t *)&out->v4.sin_addr.s_addr)[last] =
				(uint8_t)(octets[last] + 100 * i);
	}
	return true;
}

/*
 * Three AMFs of one set with the capacities of the catalogue, and a fourth that has two TNL
 * associations.
 */
static bool amfs_set(struct profile *profile)
{
	static const struct {
		const char *address;
		uint8_t capacity, tnl[2];
		size_t tnl_count;
	} amfs[] = {
		{ "127.0.0.31", 50, { 0 }, 0 },
		{ "127.0.0.32", 100, { 0 }, 0 },
		{ "127.0.0.33", 100, { 0 }, 0 },
		{ "127.0.0.34", 100, { 255, 0 }, 2 },
	};

	for (size_t i = 0; i < sizeof(amfs) / sizeof(*amfs); i++) {
		struct profile_amf *amf = &profile->amfs[i];

		if (net_address_parse(&amf->address, amfs[i].address, NGAP_PORT) != 0)
			return false;
		amf->region = profile->amf_region;
		amf->set = profile->amf_set;
		amf->pointer = (uint8_t)i;
		amf->capacity = amfs[i].capacity;
		memcpy(amf->tnl, amfs[i].tnl, sizeof(amfs[i].tnl));
		amf->tnl_count = amfs[i].tnl_count;
		if (!tnl_addresses_default(amf))
			return false;
	}
	profile->amf_count = sizeof(amfs) / sizeof(*amfs);
	return true;
}

/* The same host names for both roles: the IUT is at 127.0.0.8, the tester on the others. */
static bool n4_set(struct profile *profile)
{
	static const char *const tester[] = { "127.0.0.21", "127.0.0.22", "127.0.0.23",
					      "127.0.0.24" };
	static const char *const f_seid[] = { "127.0.0.8", "127.0.0.9" };

	for (size_t i = 0; i < sizeof(tester) / sizeof(*tester); i++)
		if (net_address_parse(&profile->n4[i], tester[i], PFCP_PORT) != 0)
			return false;
	profile->n4_count = sizeof(tester) / sizeof(*tester);
	profile->has_iut_n4 = true;
	if (net_address_parse(&profile->iut_n4, f_seid[0], PFCP_PORT) != 0)
		return false;
	if (profile->role == ROLE_CP)
		return true;
	for (size_t i = 0; i < sizeof(f_seid) / sizeof(*f_seid); i++)
		if (net_address_parse(&profile->iut_n4_f_seid[i], f_seid[i], PFCP_PORT) != 0)
			return false;
	profile->iut_n4_f_seid_count = sizeof(f_seid) / sizeof(*f_seid);
	return true;
}

/* Where an SBI end listens; false: the URI is none of those that profiles have. */
static bool sbi_end(const char *uri, struct net_address *address, bool *https)
{
	struct sbi_uri parts;
	char host[64];

	if (sbi_uri_read(&parts, sbi_octets(uri), NULL) != FINDING_NONE || parts.has_query ||
	    parts.host.len >= sizeof(host) || (parts.path.len && parts.path.data[0] != '/'))
		return false;
	memcpy(host, parts.host.data, parts.host.len);
	host[parts.host.len] = '\0';
	*https = sbi_equal_nocase(parts.scheme, "https");
	return net_address_parse(address, host, parts.port) == 0;
}

bool profile_set_iut_sbi(struct profile *profile, const char *uri)
{
	char *copy;

	if (!sbi_end(uri, &profile->iut_sbi, &profile->iut_sbi_https))
		return false;
	copy = strdup(uri);
	if (!copy)
		return false;
	free(profile->iut_sbi_uri);
	profile->iut_sbi_uri = copy;
	return true;
}

bool profile_set_sbi_nrf(struct profile *profile, const char *uri)
{
	profile->has_sbi_nrf = sbi_end(uri, &profile->sbi_nrf, &profile->sbi_nrf_https);
	return profile->has_sbi_nrf;
}

/* One that any producer can be asked, one that makes a resource, and one that subscribes. */
static bool operations_set(struct profile *profile)
{
	static const struct {
		const char *method, *path, *body;
		uint16_t expect;
	} operations[] = {
		{ "GET", "/nsmf-pdusession/v1/sm-contexts/1", NULL, 200 },
		{ "POST", "/nsmf-pdusession/v1/sm-contexts", "{}", 201 },
		{ "POST", "/nsmf-event-exposure/v1/subscriptions",
		  "{\"notifId\":\"1\",\"notifUri\":\"{callback}\","
		  "\"eventSubs\":[{\"event\":\"PDU_SES_REL\"}]}",
		  201 },
	};

	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		struct profile_operation *operation = &profile->operations[i];

		snprintf(operation->method, sizeof(operation->method), "%s", operations[i].method);
		operation->path = strdup(operations[i].path);
		operation->expect = operations[i].expect;
		profile->operation_count++;
		if (operations[i].body)
			operation->body = strdup(operations[i].body);
		if (!operation->path || (operations[i].body && !operation->body))
			return false;
	}
	return true;
}

/* The IUT is at 127.0.0.30, the tester's NRF at .40, and its other NFs at .41 and on. */
static bool sbi_set(struct profile *profile)
{
	static const char *const nf_types[] = {
		[ROLE_NF_SERVER] = "SMF", [ROLE_NF_CLIENT] = "AMF", [ROLE_NRF] = "NRF"
	};
	static const char *const tester[] = { "127.0.0.41", "127.0.0.42", "127.0.0.43",
					      "127.0.0.44", "127.0.0.45", "127.0.0.46" };

	for (size_t i = 0; i < sizeof(tester) / sizeof(*tester); i++)
		if (net_address_parse(&profile->sbi_addresses[i], tester[i], SBI_TESTER_PORT) != 0)
			return false;
	profile->sbi_address_count = sizeof(tester) / sizeof(*tester);
	profile->has_sbi = true;
	snprintf(profile->iut_nf_type, sizeof(profile->iut_nf_type), "%s", nf_types[profile->role]);
	/* Off: cases about tokens switch the IUT. */
	if (!(profile->sbi_oauth2.secret = strdup(lab_secret)) ||
	    !(profile->iut_sbi_oauth2.secret = strdup(lab_secret)))
		return false;
	return profile_set_iut_sbi(profile, "http://127.0.0.30:7777") &&
	       net_address_parse(&profile->sbi, "127.0.0.40", SBI_TESTER_PORT) == 0 &&
	       (profile->role != ROLE_NF_SERVER || operations_set(profile));
}

/* What is behind an AMF: all of it, though only for cases that are about it. */
static bool core_set(struct profile *profile)
{
	static const char *const roles[] = { "nrf", "ausf", "udm", "pcf", "nssf", "smf" };

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		strcpy(profile->sbi_roles[profile->sbi_role_count++], roles[i]);
	profile->sbi_on_demand = true;
	profile->has_sbi = true;
	return profile_set_iut_sbi(profile, "http://127.0.0.5:7777") &&
	       net_address_parse(&profile->sbi, "127.0.0.40", SBI_TESTER_PORT) == 0;
}

void profile_defaults(struct profile *profile)
{
	profile->role = ROLE_AMF;
	profile->iut_transport = NET_AUTO;
	profile->n2.transport = NET_AUTO;
	profile->n2.udp_port = 9899;
	profile->n2.peer_udp_port = 9899;
	profile->n2.crc_on_loopback = true;
	profile->amf_region = 2;
	profile->amf_set = 1;
	profile->amf_pointer = 0;
	profile->subscribers.amf[0] = 0x80;
	/* the range of GPRS timer 2: 2 s to 31 decihours */
	profile->t3346_min = 2 * US_PER_S;
	profile->t3346_max = 186 * 60 * US_PER_S;
	profile->t3512 = 54 * 60 * US_PER_S;
	profile->response_time = 5 * US_PER_S;
	profile->connect_time = 60 * US_PER_S;
	profile->sbi_port = SBI_TESTER_PORT;
	profile->max_toggles = 2;
	profile->max_toggles_window = 60 * US_PER_S;
	profile->desync_share = 0.6;
	profile->desync_values = 3;
	profile->desync_bin = 0.1;
	profile->false_alarm = 1e-9;
	profile->control_timeout = 10 * US_PER_S;
}

struct profile *profile_builtin(enum role role)
{
	struct profile *profile = calloc(1, sizeof(*profile));

	if (!profile)
		return NULL;
	profile_defaults(profile);
	profile->role = role;
	memcpy(profile->iut_name, "spillway reference ", 20);
	strncat(profile->iut_name, role_name(role), 32);
	profile->iut_transport = NET_SIM;
	profile->n2.transport = NET_SIM;
	if (!addresses_set(profile) ||
	    ((role == ROLE_UE || role == ROLE_RAN) && !amfs_set(profile)) ||
	    (role == ROLE_AMF && !core_set(profile)) || (role_on_n4(role) && !n4_set(profile)) ||
	    (role_on_sbi(role) && !sbi_set(profile))) {
		profile_free(profile);
		return NULL;
	}
	profile->has_n3iwf = true;

	plmn_set(&profile->plmn, "99970");
	plmn_set(&profile->equivalent_plmns[0], "99971");
	profile->equivalent_plmn_count = 1;
	plmn_set(&profile->other_plmns[0], "99972");
	profile->other_plmn_count = 1;
	profile->nid = UINT64_C(0x0a1b2c3d4e5); /* for cases about an SNPN; 44 bits */
	profile->has_nid = true;
	profile->tacs[0] = 1;
	profile->tacs[1] = 2;
	profile->tac_count = 2;
	profile->slices[0] = (struct slice){ .sst = 1, .has_sd = true, .sd = 0x010203 };
	profile->slices[1] = (struct slice){ .sst = 2 };
	profile->slice_count = 2;

	memcpy(profile->subscribers.first, "imsi-999700000000001", 21);
	profile->subscribers.count = 2000;
	memcpy(profile->subscribers.k, lab_k, sizeof(lab_k));
	memcpy(profile->subscribers.opc, lab_opc, sizeof(lab_opc));

	/* The reference IUT of a role claims all there is: none of its cases is `na`. */
	for (size_t i = 0; i < ICS_COUNT; i++)
		profile->ics[i] = true;
	profile->t3346_min = 10 * US_PER_S;
	profile->t3512 = 60 * US_PER_S;
	profile->mobile_reachable = 300 * US_PER_S;
	profile->implicit_deregistration = 300 * US_PER_S;
	profile->load_levels[0] = (struct load_level){ .from = 70, .action = 0, .tlr = 20 };
	profile->load_levels[1] =
		(struct load_level){ .from = 85, .action = 1, .tlr = 60, .nas_congestion = true };
	profile->load_levels[2] =
		(struct load_level){ .from = 95, .action = 2, .tlr = 90, .nas_congestion = true };
	profile->load_level_count = 3;
	profile->control = CONTROL_BUILTIN;
	return profile;
}

static void oauth2_free(struct profile_oauth2 *oauth2)
{
	free(oauth2->key);
	free(oauth2->secret);
}

static void tls_free(struct profile_tls *tls)
{
	free(tls->ca);
	free(tls->cert);
	free(tls->key);
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	free(profile->file);
	free(profile->iut_sbi_uri);
	tls_free(&profile->iut_sbi_tls);
	tls_free(&profile->sbi_tls);
	oauth2_free(&profile->iut_sbi_oauth2);
	oauth2_free(&profile->sbi_oauth2);
	for (size_t i = 0; i < profile->operation_count; i++) {
		free(profile->operations[i].path);
		free(profile->operations[i].body);
	}
	for (char **word = profile->control_command; word && *word; word++)
		free(*word);
	free(profile->control_command);
	free(profile->control_url);
	free(profile);
}
