/*
 * S-NSSAI (TS 24.501 9.11.2.8), NSSAI (9.11.3.37) and rejected NSSAI (9.11.3.46).
 */
#ifndef SPILLWAY_CODECS_NAS_NAS_SLICE_H
#define SPILLWAY_CODECS_NAS_NAS_SLICE_H

#include "codecs/nas/nas.h"

#define NAS_NSSAI_MAX 16 /* S-NSSAIs in a configured NSSAI; 8 in the others */

struct nas_snssai {
	uint8_t sst;
	bool has_sd;
	bool has_mapped_sst;
	bool has_mapped_sd; /* only with has_sd and has_mapped_sst */
	uint8_t mapped_sst;
	uint32_t sd;	    /* 24 bits */
	uint32_t mapped_sd; /* 24 bits */
};

struct nas_rejected_snssai {
	uint8_t cause; /* 0 not available in PLMN, 1 in registration area, 2 NSSAA failed */
	uint8_t sst;
	bool has_sd;
	uint32_t sd;
};

/* One S-NSSAI without its length octet: 1, 2, 4, 5 or 8 octets. FINDING_LENGTH otherwise. */
enum finding_rule nas_snssai_decode(struct nas_snssai *snssai, struct octets value);

/* Returns the length written, without length octet, -ENOSPC, or -EINVAL for fields that have no
 * common form. */
int nas_snssai_encode(const struct nas_snssai *snssai, uint8_t *out, size_t size);

/*
 * The value of an NSSAI IE. Returns the number of S-NSSAIs, of which the first max are stored,
 * or -EBADMSG for a list that does not add up.
 */
int nas_nssai_decode(struct octets value, struct nas_snssai *items, size_t max);
int nas_nssai_encode(const struct nas_snssai *items, size_t count, uint8_t *out, size_t size);

int nas_rejected_nssai_decode(struct octets value, struct nas_rejected_snssai *items, size_t max);
int nas_rejected_nssai_encode(const struct nas_rejected_snssai *items, size_t count, uint8_t *out,
			      size_t size);

bool nas_snssai_equal(const struct nas_snssai *a, const struct nas_snssai *b);

/* "1" or "1-010203", with "(mapped 2-0a0b0c)" where there is a mapped one. */
void nas_snssai_print(struct text *text, const struct nas_snssai *snssai);

/* As nas_nssai_decode on an IE of a message; -ENOENT when it is absent. */
int nas_get_nssai(const struct nas_msg *msg, enum nas_ie ie, struct nas_snssai *items, size_t max);
int nas_add_nssai(struct nas_msg *msg, enum nas_ie ie, const struct nas_snssai *items,
		  size_t count);
bool nas_get_snssai(const struct nas_msg *msg, enum nas_ie ie, struct nas_snssai *snssai);
int nas_add_snssai(struct nas_msg *msg, enum nas_ie ie, const struct nas_snssai *snssai);

#endif
