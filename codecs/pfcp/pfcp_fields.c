/*
 * pfcp_fields.def as tables, and the walk over them.
 */
#include "codecs/pfcp/pfcp_fields.h"

#include "codecs/pfcp/pfcp_codec.h"

enum {
	B1 = 0x01,
	B2 = 0x02,
	B3 = 0x04,
	B4 = 0x08,
	B5 = 0x10,
	B6 = 0x20,
	B7 = 0x40,
	B8 = 0x80,
	NO_COUNT = -1,
};

/* clang-format off */
#define ALWAYS { 0, 0, 0, false }
#define IF(bits) { bits, 0, 0, false }
#define ANY(bits) { 0, bits, 0, false }
#define UNLESS(bits) { 0, 0, bits, false }
#define IF_UNLESS(bits, others) { bits, 0, others, false }
#define IF_LEFT { 0, 0, 0, true }

#define FIELDS_OF(ie) static const struct pfcp_field fields_##ie[] = {
#define FIELD(kind, condition, name) { PFCP_FIELD_##kind, condition, name },
#define END(ie) };
#include "codecs/pfcp/pfcp_fields.def"
#undef FIELDS_OF
#undef FIELD
#undef END
/* clang-format on */

/* By type. */
static const struct {
	const struct pfcp_field *fields;
	size_t count;
} by_type[] = {
#define FIELDS_OF(ie) \
	[PFCP_IE_##ie] = { fields_##ie, sizeof(fields_##ie) / sizeof(fields_##ie[0]) },
#define FIELD(kind, condition, name)
#define END(ie)
#include "codecs/pfcp/pfcp_fields.def"
#undef FIELDS_OF
#undef FIELD
#undef END
};

struct walk {
	const uint8_t *at;
	size_t left;
	unsigned int flags;
	long count; /* of the MORE_ that follows; NO_COUNT to the end */
};

static bool is_there(const struct walk *walk, const struct pfcp_field *field)
{
	const struct pfcp_condition *condition = &field->condition;

	if (field->kind == PFCP_FIELD_FLAGS || field->kind == PFCP_FIELD_FLAGS_2)
		return true;
	return (walk->flags & condition->all) == condition->all &&
	       (condition->any == 0 || walk->flags & condition->any) &&
	       (walk->flags & condition->none) == 0 && (!condition->left || walk->left > 0);
}

/* Splits one part off; false when the octets end in it. */
static bool take(struct walk *walk, unsigned int kind, struct octets *value)
{
	size_t head = 0; /* octets of a length before the value */
	size_t len = 1;

	switch (kind) {
	case PFCP_FIELD_FLAGS_2:
	case PFCP_FIELD_U16:
	case PFCP_FIELD_U16_HEX:
		len = 2;
		break;
	case PFCP_FIELD_U24:
	case PFCP_FIELD_U24_HEX:
		len = 3;
		break;
	case PFCP_FIELD_U32:
	case PFCP_FIELD_U32_HEX:
	case PFCP_FIELD_TIME:
	case PFCP_FIELD_IPV4:
		len = 4;
		break;
	case PFCP_FIELD_U40:
		len = 5;
		break;
	case PFCP_FIELD_MAC:
	case PFCP_FIELD_MORE_MAC:
		len = 6;
		break;
	case PFCP_FIELD_U64:
	case PFCP_FIELD_U64_HEX:
		len = 8;
		break;
	case PFCP_FIELD_IPV6:
		len = 16;
		break;
	case PFCP_FIELD_ADDRESS:
		len = walk->left < 16 ? 4 : 16;
		break;
	case PFCP_FIELD_NAME:
	case PFCP_FIELD_REST:
		len = walk->left;
		break;
	case PFCP_FIELD_LV:
	case PFCP_FIELD_LV_6:
		head = 1;
		break;
	case PFCP_FIELD_LV_2:
	case PFCP_FIELD_MORE_LV_2:
		head = 2;
		break;
	default:
		break;
	}
	if (walk->left < head)
		return false;
	if (head)
		len = (size_t)get_number(walk->at, head) &
		      (kind == PFCP_FIELD_LV_6 ? 0x3f : 0xffff);
	if (walk->left - head < len)
		return false;
	*value = OCTETS(walk->at + head, len);
	walk->at += head + len;
	walk->left -= head + len;
	return true;
}

/* The field, or each of its repetitions. */
static bool take_all(struct walk *walk, const struct pfcp_field *field, pfcp_field_fn *fn,
		     void *context)
{
	struct octets value;

	if (field->kind < PFCP_FIELD_MORE_U8) {
		if (!take(walk, field->kind, &value))
			return false;
		if (fn)
			fn(context, field, value);
		if (field->kind == PFCP_FIELD_FLAGS)
			walk->flags = value.data[0];
		else if (field->kind == PFCP_FIELD_FLAGS_2)
			walk->flags = value.data[0] | (unsigned int)value.data[1] << 8;
		else if (field->kind == PFCP_FIELD_COUNT)
			walk->count = value.data[0];
		return true;
	}
	for (long i = 0; walk->count == NO_COUNT ? walk->left > 0 : i < walk->count; i++) {
		if (!take(walk, field->kind, &value))
			return false;
		if (fn)
			fn(context, field, value);
	}
	return true;
}

enum finding_rule pfcp_fields_walk(uint16_t type, struct octets value, pfcp_field_fn *fn,
				   void *context, const char **at)
{
	struct walk walk = { value.data, value.len, 0, NO_COUNT };

	if (type >= sizeof(by_type) / sizeof(by_type[0]))
		return FINDING_NONE;
	for (size_t i = 0; i < by_type[type].count; i++) {
		const struct pfcp_field *field = &by_type[type].fields[i];

		*at = field->name;
		if (!is_there(&walk, field))
			continue;
		if (!take_all(&walk, field, fn, context))
			return FINDING_LENGTH;
		if ((field->kind == PFCP_FIELD_FLAGS || field->kind == PFCP_FIELD_FLAGS_2) &&
		    field->condition.any && !(walk.flags & field->condition.any))
			return FINDING_SYNTAX;
	}
	return FINDING_NONE;
}
