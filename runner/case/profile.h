/*
 * An IUT profile (design/profile.md): addresses, what the IUT claims, the values that cases need,
 * the control adapter and the policy. The reader keeps file, line and column of every value.
 */
#ifndef SPILLWAY_RUNNER_CASE_PROFILE_H
#define SPILLWAY_RUNNER_CASE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codecs/text.h"
#include "runner/net/link.h"

enum role {
	ROLE_AMF,
	ROLE_UE,
	ROLE_RAN,
	ROLE_UP,
	ROLE_CP,
	ROLE_NF_SERVER,
	ROLE_NF_CLIENT,
	ROLE_NRF,
};
const char *role_name(enum role role);
/* Its interface is N4: UDP, and no association below it. */
static inline bool role_on_n4(enum role role)
{
	return role == ROLE_UP || role == ROLE_CP;
}
/* Its interface is SBI: HTTP/2 over TCP. */
static inline bool role_on_sbi(enum role role)
{
	return role == ROLE_NF_SERVER || role == ROLE_NF_CLIENT || role == ROLE_NRF;
}

/* The closed list of claims; ics_name() gives the profile's word, ics_text() what it means. */
enum ics {
	ICS_EMERGENCY,
	ICS_EMERGENCY_FALLBACK,
	ICS_HIGH_PRIORITY,
	ICS_NON_3GPP,
	ICS_NOTIFICATION,
	ICS_PS_DATA_OFF,
	ICS_DISCONTINUOUS_COVERAGE,
	ICS_SNPN_LOCALIZED,
	ICS_SERVICE_GAP,
	ICS_CP_CIOT,
	ICS_NAS_CONGESTION,
	ICS_N2_OVERLOAD,
	ICS_N2_OVERLOAD_SLICES,
	ICS_GUAMI_LIST,
	ICS_AMF_WEIGHT,
	ICS_NG_ENB,
	ICS_RRC_INACTIVE,
	ICS_OCI,
	ICS_LCI,
	ICS_OLC_H,
	ICS_REDIRECT,
	ICS_OAUTH2,
	ICS_SCP,
	ICS_COUNT,
};
const char *ics_name(enum ics ics);
const char *ics_text(enum ics ics);

enum control_kind {
	CONTROL_NONE,
	CONTROL_BUILTIN,
	CONTROL_EXEC,
	CONTROL_HTTP,
	CONTROL_MANUAL,
};

struct plmn {
	uint8_t bcd[3]; /* as on N1 and N2 */
	char digits[7]; /* "99970" */
};

struct slice {
	uint8_t sst;
	bool has_sd;
	uint32_t sd; /* 24 bits */
};

struct load_level {
	uint32_t from; /* percent */
	uint8_t action;
	uint8_t tlr; /* 0: none stated, so 100 % */
	bool nas_congestion;
};

enum { PROFILE_LIST_MAX = 16 };

struct profile_subscribers {
	char first[24]; /* "imsi-999700000000001" */
	uint32_t count;
	uint8_t k[16];
	uint8_t opc[16];
	uint8_t amf[2]; /* the authentication management field */
	struct {
		uint8_t id;
		char scheme; /* 'A' or 'B' */
		uint8_t public_key[65];
		size_t public_key_len;
		uint8_t private_key[32]; /* only a reference IUT needs it */
		bool has_private_key;
	} hn_keys[4];
	size_t hn_key_count;
};

/* TLS files of an SBI end; paths are relative to the profile's folder in the file, here whole. */
struct profile_tls {
	char *ca, *cert, *key;
	char name[128]; /* that the other side's certificate has to have; "": not checked */
};

/*
 * Access tokens (OAuth 2.0 client credentials, TS 33.501 13.4.1): what they are signed and checked
 * with; one of both, or neither. Secrets: never printed.
 */
struct profile_oauth2 {
	bool on;      /* in every case; else only in those about tokens */
	char *key;    /* a file in PEM */
	char *secret; /* for HS256 */
};

/* One AMF that the suite plays where the IUT is a UE or an NG-RAN node. */
struct profile_amf {
	struct net_address address;
	uint8_t region;
	uint16_t set;
	uint8_t pointer;
	uint8_t capacity;
	uint8_t tnl[PROFILE_LIST_MAX]; /* weight factors of its TNL associations */
	size_t tnl_count;
	/* where they end: [0] is address, the others as the profile has them, or its default */
	struct net_address tnl_addresses[PROFILE_LIST_MAX];
};

/* What "any request" is for an nf-server of unknown kind. */
struct profile_operation {
	char method[16];
	char *path;
	uint16_t expect; /* HTTP status */
	/*
	 * JSON of the request; NULL: none. "{callback}" in it stands for a URI of the tester, to
	 * which notifications go: the operation subscribes.
	 */
	char *body;
};

struct profile {
	char *file;	 /* NULL: the built-in profile of the reference IUT */
	uint64_t digest; /* of the file's octets; a resumed run has to have the same */
	char iut_name[128];
	enum role role;
	bool live;

	struct net_address iut_n2;
	enum net_transport iut_transport;
	struct {
		struct net_address addresses[PROFILE_LIST_MAX];
		size_t address_count;
		enum net_transport transport;
		uint16_t udp_port, peer_udp_port;
		bool crc_on_loopback;
	} n2;
	struct net_address n3iwf;
	bool has_n3iwf;

	struct net_address iut_n4;
	bool has_iut_n4;
	/* where sessions of a UP function have their F-SEIDs; 0: at iut_n4 alone */
	struct net_address iut_n4_f_seid[PROFILE_LIST_MAX];
	size_t iut_n4_f_seid_count;
	struct net_address n4[PROFILE_LIST_MAX]; /* the CP or UP functions that the suite plays */
	size_t n4_count;
	/*
	 * Where the IUT listens: "http://127.0.0.30:7777"; NULL: it does not. https: over TLS. With
	 * iut_sbi_tls the tester checks the IUT's certificate (ca), and is known to it (cert, key).
	 */
	char *iut_sbi_uri;
	struct net_address iut_sbi; /* host and port of it; of family 0 where there is none */
	bool iut_sbi_https;
	struct profile_tls iut_sbi_tls;
	char iut_nf_type[32];
	/* The NRF that the suite plays, and the other NFs, producers and consumers alike. */
	struct net_address sbi;
	bool has_sbi;
	struct net_address sbi_addresses[PROFILE_LIST_MAX];
	size_t sbi_address_count;
	uint16_t sbi_port; /* of all of them */
	char sbi_roles[PROFILE_LIST_MAX][16];
	size_t sbi_role_count;
	/*
	 * They are there for cases that ask for them; the AMF uses them after `nf-config sbi=on`.
	 * Of the built-in profile only: one that is read has them in every case.
	 */
	bool sbi_on_demand;
	/* The NRF with which these NFs register where nrf is none of the roles. */
	struct net_address sbi_nrf;
	bool has_sbi_nrf, sbi_nrf_https;
	/* What our servers show (cert, key), and whose clients they take (ca); https where there is
	 * a cert. */
	struct profile_tls sbi_tls;
	/* Of the NRF that the suite plays; and of an NRF that is the IUT. */
	struct profile_oauth2 sbi_oauth2, iut_sbi_oauth2;
	struct profile_amf amfs[PROFILE_LIST_MAX];
	size_t amf_count;

	struct plmn plmn;
	uint8_t amf_region;
	uint16_t amf_set;		 /* 10 bits */
	uint8_t amf_pointer;		 /* 6 bits */
	uint32_t tacs[PROFILE_LIST_MAX]; /* 24 bits */
	size_t tac_count;
	struct plmn equivalent_plmns[PROFILE_LIST_MAX];
	size_t equivalent_plmn_count;
	struct plmn other_plmns[PROFILE_LIST_MAX];
	size_t other_plmn_count;
	uint64_t nid; /* 44 bits */
	bool has_nid;
	struct slice slices[PROFILE_LIST_MAX];
	size_t slice_count;
	struct profile_subscribers subscribers;

	bool ics[ICS_COUNT];

	/* ixit; times in us */
	uint64_t t3346_min, t3346_max;
	uint64_t t3512, mobile_reachable, implicit_deregistration;
	uint64_t response_time, connect_time;
	uint32_t max_toggles;	     /* OVERLOAD START/STOP changes in */
	uint64_t max_toggles_window; /* this time */
	struct load_level load_levels[PROFILE_LIST_MAX];
	size_t load_level_count;
	double desync_share;	/* N1-A-25: one value's share, 0.6 */
	uint32_t desync_values; /* N1-A-25: distinct values, 3 */
	double desync_bin;	/* N1-A-25: share of a 1 s bin, 0.1 */
	struct profile_operation operations[PROFILE_LIST_MAX];
	size_t operation_count;

	bool should_fails; /* policy.should: fail */
	double false_alarm;
	uint64_t max_duration; /* us; 0: none */

	enum control_kind control;
	char **control_command; /* NULL-terminated, for exec */
	char *control_url;
	uint64_t control_timeout; /* us */
};

/* The built-in profile of the embedded reference IUT of a role. Never fails but for memory: NULL.
 */
struct profile *profile_builtin(enum role role);

/*
 * Reads and checks a profile. NULL: every fault found stands in errors, one a line, as
 * "FILE:LINE:COLUMN: what is wrong" with the allowed keys or range.
 */
struct profile *profile_read(const char *path, struct text *errors);
void profile_free(struct profile *profile);

/*
 * Sets iut_sbi_uri and what follows from it: http or https, an IP address, a port where it is not
 * that of the scheme. False: it is none of that kind, or there is no memory.
 */
bool profile_set_iut_sbi(struct profile *profile, const char *uri);
/* The same for sbi_nrf. */
bool profile_set_sbi_nrf(struct profile *profile, const char *uri);

/* One key, for a manual. Everything lives as long as the call. */
struct profile_key {
	const char *path; /* "iut.n2.address"; a list of maps is "slices[].sst" */
	const char *form; /* "1..65535", "on | off"; "": the text says */
	const char *text;
	bool required; /* where the map that it is in is there */
};
typedef void profile_key_visit(const struct profile_key *key, void *arg);
/* Each key that a profile may have, in the order of the reader's tables. */
void profile_keys_visit(profile_key_visit *visit, void *arg);

/* What `profile check` prints of a good profile, with notes about what will not work. */
void profile_summary(const struct profile *profile, struct text *out);
/* The closed list of claims with what each means, one a line: `profile check --list-ics`. */
void profile_list_ics(struct text *out);
/* A duration literal of design/cli.md ("500ms", "10s", "5m", "2h"); false where it is none. */
bool profile_duration(const char *literal, uint64_t *us);

/* Needs of a case, as a bit set of ics. */
#define NEEDS(ics) (UINT64_C(1) << (ics))
/* The first need that the profile does not claim, or ICS_COUNT. */
enum ics profile_missing(const struct profile *profile, uint64_t needs);

#endif
