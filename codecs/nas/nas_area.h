/*
 * Tracking areas: 5GS tracking area identity (TS 24.501 9.11.3.8), the list of it (9.11.3.9) and
 * PLMN list (9.11.3.45).
 */
#ifndef SPILLWAY_CODECS_NAS_NAS_AREA_H
#define SPILLWAY_CODECS_NAS_NAS_AREA_H

#include "codecs/nas/nas_identity.h"

#define NAS_TAI_LIST_MAX 16 /* tracking areas in a list, over all partial lists (9.11.3.9) */

struct nas_tai {
	struct nas_plmn plmn;
	uint32_t tac; /* 24 bits */
};

/* The type of a partial list. */
enum nas_tai_list_type {
	NAS_TAI_ONE_PLMN = 0,	    /* one PLMN, any TACs */
	NAS_TAI_ONE_PLMN_RANGE = 1, /* one PLMN, consecutive TACs */
	NAS_TAI_MANY_PLMNS = 2,
};

/*
 * The TAIs of a list, of all partial lists in order. Returns their number, of which the first max
 * are stored, or -EBADMSG for a list that does not add up.
 */
int nas_tai_list_decode(struct octets value, struct nas_tai *items, size_t max);

/*
 * One partial list of the given type. Returns the length written, -ENOSPC, or -EINVAL when the
 * TAIs do not have the form that the type needs, or are not 1 to 16.
 */
int nas_tai_list_encode(enum nas_tai_list_type type, const struct nas_tai *items, size_t count,
			uint8_t *out, size_t size);

bool nas_tai_equal(const struct nas_tai *a, const struct nas_tai *b);

/* Is the TAI in the list of the IE? False when the IE is absent or malformed. */
bool nas_tai_list_has(struct octets value, const struct nas_tai *tai);

/* "001-01 tac 000001" */
void nas_tai_print(struct text *text, const struct nas_tai *tai);

/* 6 octets. */
enum finding_rule nas_tai_decode(struct nas_tai *tai, struct octets value);
void nas_tai_encode(const struct nas_tai *tai, uint8_t out[6]);

int nas_add_tai_list(struct nas_msg *msg, enum nas_ie ie, enum nas_tai_list_type type,
		     const struct nas_tai *items, size_t count);
int nas_add_tai(struct nas_msg *msg, enum nas_ie ie, const struct nas_tai *tai);
bool nas_get_tai(const struct nas_msg *msg, enum nas_ie ie, struct nas_tai *tai);

#endif
