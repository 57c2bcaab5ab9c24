/*
 * PLMN identities and the 5GS mobile identity in all its types (TS 24.501 9.11.3.4, TS 23.003).
 */
#ifndef SPILLWAY_CODECS_NAS_NAS_IDENTITY_H
#define SPILLWAY_CODECS_NAS_NAS_IDENTITY_H

#include "codecs/nas/nas.h"

/* MCC and MNC in BCD as on the wire; equal octets are equal PLMNs. */
struct nas_plmn {
	uint8_t octets[3];
};

/* "00101" or "001001" (MNC of two or three digits), also "001-01". -EINVAL otherwise. */
int nas_plmn_from_text(struct nas_plmn *plmn, const char *digits);
/* True when all digits are decimal (the third MNC digit may be the filler). */
bool nas_plmn_valid(const struct nas_plmn *plmn);
bool nas_plmn_equal(const struct nas_plmn *a, const struct nas_plmn *b);
/* "001-01" */
void nas_plmn_print(struct text *text, const struct nas_plmn *plmn);

enum nas_identity_type {
	NAS_IDENTITY_NONE = 0,
	NAS_IDENTITY_SUCI = 1,
	NAS_IDENTITY_GUTI = 2,
	NAS_IDENTITY_IMEI = 3,
	NAS_IDENTITY_S_TMSI = 4,
	NAS_IDENTITY_IMEISV = 5,
	NAS_IDENTITY_MAC = 6,
	NAS_IDENTITY_EUI64 = 7,
};

enum nas_supi_format {
	NAS_SUPI_IMSI = 0,
	NAS_SUPI_NAI = 1, /* network specific identifier */
	NAS_SUPI_GCI = 2,
	NAS_SUPI_GLI = 3,
};

enum nas_protection_scheme {
	NAS_SCHEME_NULL = 0,
	NAS_SCHEME_PROFILE_A = 1,
	NAS_SCHEME_PROFILE_B = 2,
};

struct nas_s_tmsi {
	uint16_t amf_set_id; /* 10 bits */
	uint8_t amf_pointer; /* 6 bits */
	uint32_t tmsi;	     /* 5G-TMSI */
};

struct nas_guti {
	struct nas_plmn plmn;
	uint8_t amf_region_id;
	struct nas_s_tmsi s_tmsi;
};

struct nas_suci {
	enum nas_supi_format format;
	struct nas_plmn plmn;		    /* IMSI format */
	uint8_t routing_indicator[2];	    /* IMSI format: 1 to 4 digits in BCD, filler 1111 */
	uint8_t protection_scheme;	    /* IMSI format: 4 bits */
	uint8_t home_network_public_key_id; /* IMSI format */
	struct octets scheme_output;	    /* IMSI format; null scheme: the MSIN in BCD */
	struct octets nai;		    /* the other formats: UTF-8, not terminated */
};

/* Octets point into what was decoded. */
struct nas_identity {
	enum nas_identity_type type;
	union {
		struct nas_suci suci;
		struct nas_guti guti;
		struct nas_s_tmsi s_tmsi;
		char digits[17]; /* IMEI (15), IMEISV (16), terminated */
		struct {
			uint8_t address[6];
			bool unrelated; /* MAURI: usable for nothing but identification */
		} mac;
		uint8_t eui64[8];
	};
};

/*
 * Decodes a value (what follows the length field). Returns FINDING_NONE or the rule that is
 * broken: FINDING_LENGTH for a length that the type does not allow, FINDING_RANGE for digits that
 * are no digits, FINDING_NOT_COMPREHENDED for a SUPI format, FINDING_RESERVED for spare bits or a
 * reserved protection scheme. After LENGTH the identity is not usable; after the others it holds
 * what was received.
 */
enum finding_rule nas_identity_decode(struct nas_identity *identity, struct octets value);

/* Returns the length written, -ENOSPC, or -EINVAL for digits or fields out of range. */
int nas_identity_encode(const struct nas_identity *identity, uint8_t *out, size_t size);

/* The type of identity alone (3 bits); -1 for an empty value. */
int nas_identity_type(struct octets value);

const char *nas_identity_type_name(enum nas_identity_type type);

/* SUCI of null scheme from digits: msin "0000000001", routing "0". -EINVAL, -ENOSPC. */
int nas_suci_from_msin(struct nas_identity *identity, const struct nas_plmn *plmn,
		       const char *routing, const char *msin, struct arena *arena);

/* The routing indicator's digits, terminated. False when they are malformed. */
bool nas_suci_routing_digits(const struct nas_suci *suci, char digits[5]);

/* The MSIN of a null scheme SUCI, terminated; size at least 2 x length + 1. */
bool nas_suci_msin(const struct nas_suci *suci, char *msin, size_t size);

/*
 * The identity in an IE of a message (5GS mobile identity, 5G-GUTI, 5G-S-TMSI, mobile identity,
 * IMEISV, additional GUTI ...). False when absent or not usable.
 */
bool nas_get_identity(const struct nas_msg *msg, enum nas_ie ie, struct nas_identity *identity);
int nas_add_identity(struct nas_msg *msg, enum nas_ie ie, const struct nas_identity *identity);

/* Shorthands for the two temporary identities. */
int nas_add_guti(struct nas_msg *msg, enum nas_ie ie, const struct nas_guti *guti);
int nas_add_s_tmsi(struct nas_msg *msg, enum nas_ie ie, const struct nas_s_tmsi *s_tmsi);

bool nas_s_tmsi_equal(const struct nas_s_tmsi *a, const struct nas_s_tmsi *b);
bool nas_guti_equal(const struct nas_guti *a, const struct nas_guti *b);

#endif
