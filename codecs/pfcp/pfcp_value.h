/*
 * Values of PFCP IEs as structures (TS 29.244 8.2). Each pfcp_x_decode reads the octets of an IE's
 * value, or the members of a grouped IE, and returns FINDING_NONE or the rule that they break;
 * octets behind the last known field are those of a later release and pass. Each pfcp_x_encode
 * returns the number of octets written, -ENOSPC, or -EINVAL for what the IE cannot express. Each
 * pfcp_add_x appends the IE to a message (see pfcp_add).
 *
 * Values that break the standard on purpose are built with pfcp_add and octets.
 */
#ifndef SPILLWAY_CODECS_PFCP_PFCP_VALUE_H
#define SPILLWAY_CODECS_PFCP_PFCP_VALUE_H

#include "codecs/pfcp/pfcp.h"
#include "codecs/text.h"

/* ---- Cause (8.2.1) ---- */

enum pfcp_cause_value {
#define CAUSE(cause, value, name) PFCP_CAUSE_##cause = (value),
#include "codecs/pfcp/pfcp_causes.def"
#undef CAUSE
};

/* 1 to 63, unknown ones too: the request was accepted. 0 is reserved and no acceptance. */
bool pfcp_cause_accepts(int cause);

/* Static storage; "spare" if the standard has no such value. */
const char *pfcp_cause_name(int cause);

/* ---- flags of any IE that consists of bits (8.2) ---- */

/* A bit as the standard names it: by octet of the IE (5 begins its value) and bit 1 to 8. */
#define PFCP_BIT(octet, bit) (((octet)-5) * 8 + (bit)-1)

/* PFCP_CP_FUNCTION_FEATURES_OVRL, PFCP_APPLY_ACTION_FORW, ...: bits of pfcp_flags.def. */
enum pfcp_flag {
#define FLAG(ie, octet, bit, flag) PFCP_##ie##_##flag = PFCP_BIT(octet, bit),
#include "codecs/pfcp/pfcp_flags.def"
#undef FLAG
};

/* Is this bit of the value set? Octets that are not there are 0. */
bool pfcp_flag(struct octets value, enum pfcp_flag flag);

/* As pfcp_flag, for the first IE of this type in a scope; false when there is none. */
bool pfcp_get_flag(const struct pfcp_ie_list *list, uint16_t type, enum pfcp_flag flag);

/* Sets a bit of size octets; false when it lies outside. */
bool pfcp_set_flag(uint8_t *value, size_t size, enum pfcp_flag flag);

/* ---- Node ID (8.2.38) ---- */

enum pfcp_node_id_type {
	PFCP_NODE_ID_IPV4 = 0,
	PFCP_NODE_ID_IPV6 = 1,
	PFCP_NODE_ID_FQDN = 2,
};

struct pfcp_node_id {
	uint8_t type;	     /* enum pfcp_node_id_type; other values 3 to 15 are decoded */
	uint8_t address[16]; /* network order; the first 4 for IPv4 */
	struct octets name;  /* FQDN: labels with their lengths before them (RFC 1035), no final 0;
				of other types than the three: the value */
};

enum finding_rule pfcp_node_id_decode(struct pfcp_node_id *id, struct octets value);
int pfcp_node_id_encode(const struct pfcp_node_id *id, uint8_t *out, size_t size);
struct pfcp_ie *pfcp_add_node_id(struct pfcp_message *msg, struct pfcp_ie *group,
				 const struct pfcp_node_id *id);
bool pfcp_node_id_equal(const struct pfcp_node_id *a, const struct pfcp_node_id *b);
/* "192.168.0.1", "2001:db8::1", "upf1.example". */
void pfcp_node_id_print(struct text *text, const struct pfcp_node_id *id);

/* Labels of a dotted name; returns the length, -EINVAL for labels of no or more than 63 octets. */
int pfcp_name_encode(const char *dotted, uint8_t *out, size_t size);

/* ---- F-SEID (8.2.37), F-TEID (8.2.3), UE IP Address (8.2.62) ---- */

struct pfcp_f_seid {
	uint64_t seid;
	bool has_ipv4;
	bool has_ipv6;
	uint8_t ipv4[4]; /* network order */
	uint8_t ipv6[16];
};

enum finding_rule pfcp_f_seid_decode(struct pfcp_f_seid *f_seid, struct octets value);
int pfcp_f_seid_encode(const struct pfcp_f_seid *f_seid, uint8_t *out, size_t size);
struct pfcp_ie *pfcp_add_f_seid(struct pfcp_message *msg, struct pfcp_ie *group,
				const struct pfcp_f_seid *f_seid);

struct pfcp_f_teid {
	uint32_t teid;
	bool has_ipv4; /* with choose: an IPv4 address is wanted */
	bool has_ipv6;
	bool choose;	/* CH: the UP function assigns it; neither TEID nor address is sent */
	bool choose_id; /* CHID; only with choose */
	uint8_t id;	/* CHOOSE ID */
	uint8_t ipv4[4];
	uint8_t ipv6[16];
};

enum finding_rule pfcp_f_teid_decode(struct pfcp_f_teid *f_teid, struct octets value);
int pfcp_f_teid_encode(const struct pfcp_f_teid *f_teid, uint8_t *out, size_t size);
struct pfcp_ie *pfcp_add_f_teid(struct pfcp_message *msg, struct pfcp_ie *group,
				const struct pfcp_f_teid *f_teid);

struct pfcp_ue_ip_address {
	bool has_ipv4;
	bool has_ipv6;
	bool destination; /* S/D; else source */
	bool choose_ipv4;
	bool choose_ipv6;
	bool has_delegation_bits;
	bool has_prefix_length;
	uint8_t delegation_bits;
	uint8_t prefix_length;
	uint8_t ipv4[4];
	uint8_t ipv6[16];
};

enum finding_rule pfcp_ue_ip_address_decode(struct pfcp_ue_ip_address *address,
					    struct octets value);
int pfcp_ue_ip_address_encode(const struct pfcp_ue_ip_address *address, uint8_t *out, size_t size);
struct pfcp_ie *pfcp_add_ue_ip_address(struct pfcp_message *msg, struct pfcp_ie *group,
				       const struct pfcp_ue_ip_address *address);

/* ---- Timer (8.2.35): a unit table of its own, not that of the GPRS timers ---- */

enum pfcp_timer_state {
	PFCP_TIMER_RUNNING,
	PFCP_TIMER_STOPPED,  /* unit and value all zero */
	PFCP_TIMER_INFINITE, /* unit 111 */
};

struct pfcp_timer {
	enum pfcp_timer_state state;
	uint32_t seconds; /* RUNNING: 0 (a value of 0 in a unit other than 000) to 1,116,000 */
	bool reserved;	  /* unit 101 or 110, read as minutes */
};

struct pfcp_timer pfcp_timer_decode(uint8_t octet);

/*
 * The octet for exactly this time, in the smallest unit that can say it; -ERANGE when none can,
 * and for 0 (which is PFCP_TIMER_OCTET_STOPPED).
 */
int pfcp_timer_encode(uint32_t seconds);

#define PFCP_TIMER_OCTET_STOPPED  0x00
#define PFCP_TIMER_OCTET_INFINITE 0xe0

/* ---- Load and Overload Control Information (7.5.3.3, 7.5.3.4) ---- */

struct pfcp_lci {
	uint32_t sequence_number;
	uint8_t metric; /* as on the wire, 0 to 255; see pfcp_metric */
};

struct pfcp_oci {
	uint32_t sequence_number;
	uint8_t metric; /* as on the wire, 0 to 255; see pfcp_metric */
	uint8_t timer;	/* as on the wire; see pfcp_timer_decode */
	bool has_flags; /* the OCI Flags IE is there */
	uint8_t flags;	/* its first octet */
};

#define PFCP_OCI_AOCI 0x01 /* associate OCI with Node ID (8.2.76) */

/* What a metric counts as: values above 100 are 0 (8.2.34). */
uint8_t pfcp_metric(uint8_t metric);

/*
 * From the grouped IE; of members that are there twice the first counts (7.6.10).
 * FINDING_MISSING: a mandatory member is absent. FINDING_LENGTH: a member is too short, or the
 * group cannot be split.
 */
enum finding_rule pfcp_lci_decode(struct pfcp_lci *lci, const struct pfcp_ie *ie);
enum finding_rule pfcp_oci_decode(struct pfcp_oci *oci, const struct pfcp_ie *ie);
struct pfcp_ie *pfcp_add_lci(struct pfcp_message *msg, struct pfcp_ie *group,
			     const struct pfcp_lci *lci);
struct pfcp_ie *pfcp_add_oci(struct pfcp_message *msg, struct pfcp_ie *group,
			     const struct pfcp_oci *oci);

/* ---- Volume Measurement, Threshold, Quota (8.2.44, 8.2.13, 8.2.50 and the like) ---- */

struct pfcp_volume {
	bool has_total;
	bool has_uplink;
	bool has_downlink;
	uint64_t total; /* octets of traffic */
	uint64_t uplink;
	uint64_t downlink;
	/* Volume Measurement only */
	bool has_total_packets;
	bool has_uplink_packets;
	bool has_downlink_packets;
	uint64_t total_packets;
	uint64_t uplink_packets;
	uint64_t downlink_packets;
};

enum finding_rule pfcp_volume_decode(struct pfcp_volume *volume, struct octets value);
int pfcp_volume_encode(const struct pfcp_volume *volume, uint8_t *out, size_t size);
struct pfcp_ie *pfcp_add_volume(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
				const struct pfcp_volume *volume);

/* ---- Outer Header Creation (8.2.56) ---- */

struct pfcp_outer_header_creation {
	uint16_t description; /* octet 5 in the high byte, octet 6 in the low one */
	uint32_t teid;	      /* what of these is sent follows from the description */
	uint16_t port;
	uint8_t ipv4[4];
	uint8_t ipv6[16];
	uint8_t c_tag[3];
	uint8_t s_tag[3];
};

enum {
	PFCP_OUTER_HEADER_GTP_U_UDP_IPV4 = 0x0100,
	PFCP_OUTER_HEADER_GTP_U_UDP_IPV6 = 0x0200,
	PFCP_OUTER_HEADER_UDP_IPV4 = 0x0400,
	PFCP_OUTER_HEADER_UDP_IPV6 = 0x0800,
	PFCP_OUTER_HEADER_IPV4 = 0x1000,
	PFCP_OUTER_HEADER_IPV6 = 0x2000,
	PFCP_OUTER_HEADER_C_TAG = 0x4000,
	PFCP_OUTER_HEADER_S_TAG = 0x8000,
};

enum finding_rule pfcp_outer_header_creation_decode(struct pfcp_outer_header_creation *header,
						    struct octets value);
int pfcp_outer_header_creation_encode(const struct pfcp_outer_header_creation *header, uint8_t *out,
				      size_t size);
struct pfcp_ie *pfcp_add_outer_header_creation(struct pfcp_message *msg, struct pfcp_ie *group,
					       const struct pfcp_outer_header_creation *header);

/* ---- small values ---- */

/* Source, Destination Interface (8.2.2, 8.2.24) */
enum pfcp_interface {
	PFCP_INTERFACE_ACCESS = 0,
	PFCP_INTERFACE_CORE = 1,
	PFCP_INTERFACE_SGI_LAN = 2, /* N6-LAN */
	PFCP_INTERFACE_CP_FUNCTION = 3,
};

/* PDN Type (8.2.79) */
enum pfcp_pdn_type {
	PFCP_PDN_TYPE_IPV4 = 1,
	PFCP_PDN_TYPE_IPV6 = 2,
	PFCP_PDN_TYPE_IPV4V6 = 3,
	PFCP_PDN_TYPE_NON_IP = 4,
	PFCP_PDN_TYPE_ETHERNET = 5,
};

/* Outer Header Removal (8.2.64) */
enum pfcp_outer_header_removal {
	PFCP_REMOVE_GTP_U_UDP_IPV4 = 0,
	PFCP_REMOVE_GTP_U_UDP_IPV6 = 1,
	PFCP_REMOVE_UDP_IPV4 = 2,
	PFCP_REMOVE_UDP_IPV6 = 3,
	PFCP_REMOVE_IPV4 = 4,
	PFCP_REMOVE_IPV6 = 5,
	PFCP_REMOVE_GTP_U_UDP_IP = 6,
};

/* Failed Rule ID (8.2.80) */
enum pfcp_rule_type {
	PFCP_RULE_PDR = 0,
	PFCP_RULE_FAR = 1,
	PFCP_RULE_QER = 2,
	PFCP_RULE_URR = 3,
	PFCP_RULE_BAR = 4,
	PFCP_RULE_MAR = 5,
	PFCP_RULE_SRR = 6,
};

struct pfcp_failed_rule_id {
	uint8_t type; /* enum pfcp_rule_type */
	uint32_t id;
};

enum finding_rule pfcp_failed_rule_id_decode(struct pfcp_failed_rule_id *rule, struct octets value);
int pfcp_failed_rule_id_encode(const struct pfcp_failed_rule_id *rule, uint8_t *out, size_t size);
struct pfcp_ie *pfcp_add_failed_rule_id(struct pfcp_message *msg, struct pfcp_ie *group,
					const struct pfcp_failed_rule_id *rule);

/* MBR, GBR (8.2.8, 8.2.9): kilobits per second, 40 bits. */
struct pfcp_bit_rate {
	uint64_t uplink;
	uint64_t downlink;
};

enum finding_rule pfcp_bit_rate_decode(struct pfcp_bit_rate *rate, struct octets value);
int pfcp_bit_rate_encode(const struct pfcp_bit_rate *rate, uint8_t *out, size_t size);
struct pfcp_ie *pfcp_add_bit_rate(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
				  const struct pfcp_bit_rate *rate);

/*
 * Recovery Time Stamp and the other times (8.2.65) are seconds since 1900, modulo 2^32 (era 1 from
 * 2036 on): pfcp_add_u32, pfcp_get_u32. This is the offset from the Unix time.
 */
#define PFCP_TIME_FROM_UNIX UINT32_C(2208988800)

#endif
