/*
 * What is wrong with a message: presence, order, lengths and values, with the reaction that
 * TS 24.501 clause 7 has for each.
 */
#include "codecs/nas/nas_codec.h"

/* The rows of a message's table that have been seen. */
#define ROWS_MAX 128

struct seen {
	uint64_t bits[ROWS_MAX / 64];
};

static bool has_seen(const struct seen *seen, size_t row)
{
	return seen->bits[row / 64] >> (row % 64) & 1;
}

static void report(struct nas_checker *checker, enum finding_rule rule, uint32_t bit, int32_t iei,
		   enum nas_reaction reaction, const char *field)
{
	if (checker->stop && checker->first != FINDING_NONE)
		return;
	if (checker->first == FINDING_NONE)
		checker->first = rule;
	finding_add(checker->findings, (struct finding){ .rule = rule,
							 .bit = checker->origin + bit,
							 .ie = iei,
							 .reaction = (uint8_t)reaction,
							 .field = field });
}

void nas_fault(struct nas_checker *checker, enum finding_rule rule, uint32_t bit, const char *field)
{
	enum nas_reaction reaction =
		rule == FINDING_RESERVED ? NAS_REACTION_NONE : checker->reaction;

	report(checker, rule, checker->value_bit + bit, checker->iei, reaction, field);
}

static uint32_t header_octets(const struct nas_msg *msg)
{
	return msg->epd == NAS_EPD_5GSM ? 4 : 3;
}

/* Bit offset of the first bit of an item's value octet. */
static uint32_t value_bit(const struct nas_item *item)
{
	uint32_t bit = item->offset * 8;

	switch (item->format) {
	case NAS_FORMAT_V_HIGH: /* its value's bit 4 is bit 8 on the wire */
		return bit >= 4 ? bit - 4 : 0;
	case NAS_FORMAT_LV:
	case NAS_FORMAT_TV:
		return bit + 8;
	case NAS_FORMAT_LV_E:
	case NAS_FORMAT_TLV:
		return bit + 16;
	case NAS_FORMAT_TLV_E:
		return bit + 24;
	default:
		return bit;
	}
}

/* Where the length field stands, for a finding about the length. */
static uint32_t length_bit(const struct nas_item *item)
{
	bool has_iei = item->format == NAS_FORMAT_TLV || item->format == NAS_FORMAT_TLV_E;

	return item->offset * 8 + (has_iei ? 8 : 0);
}

static void check_value(struct nas_checker *checker, const struct nas_item *item)
{
	const struct nas_row *row = item->row;
	enum nas_type type = nas_ie_type(row->ie);

	checker->iei = row->iei ? row->iei : -1;
	checker->reaction = row->presence == NAS_MANDATORY ? NAS_REACTION_MANDATORY_INVALID
							   : NAS_REACTION_IGNORE_IE;
	checker->value_bit = value_bit(item);
	if (item->value.len < row->min) {
		report(checker, FINDING_LENGTH, length_bit(item), checker->iei, checker->reaction,
		       nas_ie_name(row->ie));
		return;
	}
	/* A later release may have made the IE longer: the rest is not looked at. */
	if (item->value.len > row->max)
		report(checker, FINDING_LENGTH, length_bit(item), checker->iei, NAS_REACTION_NONE,
		       nas_ie_name(row->ie));
	nas_codec_of(type)->check(checker, item->value, type);
}

static void check_unsplit(struct nas_checker *checker, const struct nas_item *item,
			  const struct seen *seen)
{
	const struct nas_message_info *info = checker->msg->info;
	const char *field = "information element";
	enum finding_rule rule = FINDING_TRUNCATED;
	enum nas_reaction reaction = NAS_REACTION_IGNORE_IE;
	size_t i;

	if (item->iei) {
		if (info->by_iei[item->iei])
			field = nas_ie_name(info->rows[info->by_iei[item->iei] - 1].ie);
	} else {
		for (i = 0; i < info->mandatory && has_seen(seen, i); i++)
			;
		if (i < info->mandatory) {
			field = nas_ie_name(info->rows[i].ie);
			reaction = NAS_REACTION_MANDATORY_INVALID;
		} else {
			rule = FINDING_SYNTAX;
		}
	}
	report(checker, rule, item->offset * 8, item->iei ? item->iei : -1, reaction, field);
}

static void check_unknown(struct nas_checker *checker, const struct nas_item *item)
{
	/* TS 24.007 11.2.5: bits 8 to 5 zero ask for comprehension */
	bool required = (item->iei & 0xf0) == 0;

	report(checker, FINDING_UNKNOWN_IE, item->offset * 8, item->iei,
	       required ? NAS_REACTION_MANDATORY_INVALID : NAS_REACTION_IGNORE_IE,
	       "information element identifier");
}

void nas_check_message(struct nas_checker *checker)
{
	const struct nas_msg *msg = checker->msg;
	const struct nas_message_info *info = msg->info;
	struct seen seen = { { 0 } };
	const struct nas_row *last = NULL;
	uint32_t end = header_octets(msg);

	if (!info) {
		report(checker, FINDING_UNKNOWN_MESSAGE, (end - 1) * 8, -1,
		       NAS_REACTION_MESSAGE_TYPE_UNKNOWN, "Message type");
		return;
	}
	if (msg->epd == NAS_EPD_5GMM && msg->security_header >> 4)
		report(checker, FINDING_RESERVED, 8, -1, NAS_REACTION_NONE, "Spare half octet");
	for (size_t i = 0; i < msg->count; i++) {
		const struct nas_item *item = &msg->items[i];
		const struct nas_row *row = item->row;
		size_t index;

		if (checker->stop && checker->first != FINDING_NONE)
			return;
		if (item->offset + item->value.len > end)
			end = (uint32_t)(item->offset + item->value.len);
		if (item->format == NAS_FORMAT_RAW) {
			check_unsplit(checker, item, &seen);
			continue;
		}
		if (!row) {
			check_unknown(checker, item);
			continue;
		}
		index = (size_t)(row - info->rows);
		if (index >= info->count || index >= ROWS_MAX)
			continue;
		if (has_seen(&seen, index)) {
			report(checker, FINDING_DUPLICATE, item->offset * 8,
			       row->iei ? row->iei : -1, NAS_REACTION_IGNORE_IE,
			       nas_ie_name(row->ie));
			continue;
		}
		seen.bits[index / 64] |= (uint64_t)1 << (index % 64);
		if (last && row < last)
			report(checker, FINDING_ORDER, item->offset * 8, row->iei ? row->iei : -1,
			       NAS_REACTION_IGNORE_IE, nas_ie_name(row->ie));
		else
			last = row;
		check_value(checker, item);
	}
	/* no IE of the other part is mandatory */
	for (size_t i = 0; i < info->mandatory; i++) {
		const struct nas_row *row = &info->rows[i];

		if (!has_seen(&seen, i) && row->ie != NAS_IE_SPARE)
			report(checker, FINDING_MISSING, end * 8, -1,
			       NAS_REACTION_MANDATORY_INVALID, nas_ie_name(row->ie));
	}
}

enum finding_rule nas_check(const struct nas_msg *msg, struct findings *findings)
{
	struct nas_checker checker = { .msg = msg, .findings = findings };

	nas_check_message(&checker);
	return checker.first;
}

static const struct nas_codec codecs[NAS_TYPE_COUNT] = {
#define NAS_TYPE(type, name, clause, codec) \
	[NAS_TYPE_##type] = { nas_check_##codec, nas_print_##codec },
#include "codecs/nas/nas_type.def"
#undef NAS_TYPE
};

const struct nas_codec *nas_codec_of(enum nas_type type)
{
	return &codecs[type < NAS_TYPE_COUNT ? type : NAS_TYPE_OCTETS];
}
