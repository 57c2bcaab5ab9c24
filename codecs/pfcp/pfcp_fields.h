/*
 * The parts of an IE value by pfcp_fields.def, one walk for who checks and who prints them.
 */
#ifndef SPILLWAY_CODECS_PFCP_PFCP_FIELDS_H
#define SPILLWAY_CODECS_PFCP_PFCP_FIELDS_H

#include "codecs/pfcp/pfcp.h"

enum pfcp_field_kind {
	PFCP_FIELD_FLAGS,
	PFCP_FIELD_FLAGS_2,
	PFCP_FIELD_U8,
	PFCP_FIELD_U16,
	PFCP_FIELD_U16_HEX,
	PFCP_FIELD_U24,
	PFCP_FIELD_U24_HEX,
	PFCP_FIELD_U32,
	PFCP_FIELD_U32_HEX,
	PFCP_FIELD_U40,
	PFCP_FIELD_U64,
	PFCP_FIELD_U64_HEX,
	PFCP_FIELD_TIME,
	PFCP_FIELD_IPV4,
	PFCP_FIELD_IPV6,
	PFCP_FIELD_ADDRESS,
	PFCP_FIELD_MAC,
	PFCP_FIELD_NAME,
	PFCP_FIELD_LV,
	PFCP_FIELD_LV_2,
	PFCP_FIELD_LV_6,
	PFCP_FIELD_REST,
	PFCP_FIELD_COUNT,
	PFCP_FIELD_MORE_U8,
	PFCP_FIELD_MORE_MAC,
	PFCP_FIELD_MORE_LV_2,
};

/* When a field is there, by the bits of the flags before it (the second octet in the high byte). */
struct pfcp_condition {
	uint16_t all;
	uint16_t any;
	uint16_t none;
	bool left; /* only if octets are left */
};

struct pfcp_field {
	uint8_t kind; /* enum pfcp_field_kind */
	struct pfcp_condition condition;
	const char *name;
};

/* Called for each part in wire order; value is without the length of an LV. */
typedef void pfcp_field_fn(void *context, const struct pfcp_field *field, struct octets value);

/*
 * Walks over the parts of a value of an IE of form FIELDS. Returns FINDING_NONE; FINDING_LENGTH
 * when the octets end before the part that *at names; FINDING_SYNTAX when none of the flags is set
 * of which one has to be. What follows the last known part is passed over. fn may be NULL.
 */
enum finding_rule pfcp_fields_walk(uint16_t type, struct octets value, pfcp_field_fn *fn,
				   void *context, const char **at);

#endif
