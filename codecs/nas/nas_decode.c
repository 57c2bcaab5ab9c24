/*
 * From octets to a list of IEs, by the message's table. Nothing is judged here: what cannot be
 * split is kept as it is, and nas_check.c says what is wrong with it.
 */
#include <errno.h>

#include "codecs/nas/nas_build.h"
#include "codecs/nas/nas_codec.h"
#include "codecs/planted.h"

enum { HEADER_5GMM = 3, HEADER_5GSM = 4, SECURED_HEADER = 7 };

struct input {
	const uint8_t *data;
	size_t len;
	size_t pos;
};

static size_t rest(const struct input *in)
{
	return in->len - in->pos;
}

/* Octets before the value of an IE, by format. */
static const uint8_t overhead[] = {
	[NAS_FORMAT_LV] = 1,  [NAS_FORMAT_LV_E] = 2,  [NAS_FORMAT_TV] = 1,
	[NAS_FORMAT_TLV] = 2, [NAS_FORMAT_TLV_E] = 3,
};

/*
 * Takes the value that starts before pos with IEI (if the format has one) and length. Returns
 * false, with pos where it was, when the input ends inside.
 */
static bool take(struct input *in, enum nas_format format, size_t fixed, struct octets *value)
{
	const uint8_t *at = in->data + in->pos;
	size_t before = overhead[format];
	size_t len = fixed;

	if (rest(in) < before)
		return false;
	switch (format) {
	case NAS_FORMAT_LV:
	case NAS_FORMAT_TLV:
		len = PLANTED(21) ? at[before - 1] & 0x7f : at[before - 1];
		break;
	case NAS_FORMAT_LV_E:
	case NAS_FORMAT_TLV_E:
		len = (size_t)at[before - 2] << 8 | at[before - 1];
		break;
	default:
		break;
	}
	if (rest(in) - before + PLANTED(16) < len)
		return false;
	*value = OCTETS(at + before, len);
	in->pos += before + len;
	return true;
}

/* The formats of IEs that a receiver does not know (TS 24.007 11.2.4, the rule for 5GS). */
static enum nas_format unknown_format(uint8_t octet)
{
	if (octet & 0x80)
		return NAS_FORMAT_TV_HALF;
	return (octet & 0xf0) == 0x70 ? NAS_FORMAT_TLV_E : NAS_FORMAT_TLV;
}

/* What remains, when it cannot be split; iei names the IE at which it went wrong. */
static bool keep_rest(struct nas_msg *msg, struct input *in, uint8_t iei)
{
	struct nas_item *item = nas_new_item(msg);

	if (!item)
		return false;
	item->format = NAS_FORMAT_RAW;
	item->iei = iei;
	item->offset = (uint32_t)in->pos;
	item->value = OCTETS(in->data + in->pos, rest(in));
	in->pos = in->len;
	return true;
}

/* The part without IEIs. False when the arena is exhausted. */
static bool split_imperative(struct nas_msg *msg, struct input *in)
{
	for (size_t i = 0; i < msg->info->mandatory && rest(in) > 0; i++) {
		const struct nas_row *row = &msg->info->rows[i];
		uint32_t offset = (uint32_t)in->pos;
		struct nas_item *item;
		struct octets value;

		if (row->format == NAS_FORMAT_V_LOW) {
			value = OCTETS(&nas_nibble[in->data[in->pos] & 0x0f], 1);
		} else if (row->format == NAS_FORMAT_V_HIGH) {
			value = OCTETS(&nas_nibble[in->data[in->pos] >> 4], 1);
			in->pos++;
		} else if (!take(in, row->format, row->max, &value)) {
			return keep_rest(msg, in, 0);
		}
		item = nas_new_item(msg);
		if (!item)
			return false;
		item->row = row;
		item->format = row->format;
		item->offset = offset;
		item->value = value;
	}
	return true;
}

/* The IEs with IEI. False when the arena is exhausted. */
static bool split_optional(struct nas_msg *msg, struct input *in)
{
	const struct nas_message_info *info = msg->info;

	while (rest(in) > 0) {
		uint8_t octet = in->data[in->pos];
		uint8_t iei = octet & 0x80 ? octet & 0xf0 : octet;
		const struct nas_row *row = NULL;
		uint32_t offset = (uint32_t)in->pos;
		enum nas_format format;
		struct nas_item *item;
		struct octets value;

		if (info && info->by_iei[iei])
			row = &info->rows[info->by_iei[iei] - 1];
		format = row ? row->format : unknown_format(octet);
		if (msg->count == NAS_ITEMS_MAX - 1 && !PLANTED(19))
			return keep_rest(msg, in, 0);
		if (format == NAS_FORMAT_TV_HALF) {
			value = OCTETS(&nas_nibble[octet & 0x0f], 1);
			in->pos++;
		} else if (!take(in, format, row ? row->max : 0, &value)) {
			return keep_rest(msg, in, iei);
		}
		item = nas_new_item(msg);
		if (!item)
			return false;
		item->row = row;
		item->format = (uint8_t)format;
		item->iei = iei;
		item->offset = offset;
		item->value = value;
	}
	return true;
}

static enum finding_rule refuse(struct findings *findings, enum finding_rule rule, uint32_t octet,
				const char *field)
{
	finding_add(findings, (struct finding){ .rule = rule,
						.bit = octet * 8,
						.ie = -1,
						.reaction = NAS_REACTION_IGNORE_MESSAGE,
						.field = field });
	return rule;
}

enum finding_rule nas_split(struct nas_msg *msg, struct octets pdu, struct arena *arena,
			    struct findings *findings)
{
	struct input in = { .data = pdu.data, .len = pdu.len };

	*msg = (struct nas_msg){ .arena = arena };
	if (pdu.len == 0)
		return refuse(findings, FINDING_TRUNCATED, 0, "Extended protocol discriminator");
	if (pdu.len > 0xffff + SECURED_HEADER)
		return refuse(findings, FINDING_LENGTH, 0, "NAS message");
	msg->epd = pdu.data[0];
	switch (msg->epd) {
	case NAS_EPD_5GMM:
		if (pdu.len < 2)
			return refuse(findings, FINDING_TRUNCATED, 1, "Security header type");
		msg->security_header = pdu.data[1];
		if (msg->security_header & 0x0f)
			return refuse(findings, FINDING_SYNTAX, 1, "Security header type");
		if (pdu.len < HEADER_5GMM)
			return refuse(findings, FINDING_TRUNCATED, 2, "Message type");
		msg->type = pdu.data[2];
		in.pos = HEADER_5GMM;
		break;
	case NAS_EPD_5GSM:
		if (pdu.len < 2)
			return refuse(findings, FINDING_TRUNCATED, 1, "PDU session ID");
		msg->pdu_session_id = pdu.data[1];
		if (pdu.len < 3)
			return refuse(findings, FINDING_TRUNCATED, 2, "PTI");
		msg->pti = pdu.data[2];
		if (pdu.len < HEADER_5GSM)
			return refuse(findings, FINDING_TRUNCATED, 3, "Message type");
		msg->type = pdu.data[3];
		in.pos = HEADER_5GSM;
		break;
	default:
		return refuse(findings, FINDING_SYNTAX, 0, "Extended protocol discriminator");
	}
	msg->info = nas_message_info(msg->epd, msg->type);
	if (!msg->info ? rest(&in) == 0 || keep_rest(msg, &in, 0)
		       : split_imperative(msg, &in) && split_optional(msg, &in))
		return FINDING_NONE;
	return refuse(findings, FINDING_NO_MEMORY, (uint32_t)in.pos, "NAS message");
}

enum finding_rule nas_decode(struct nas_msg *msg, struct octets pdu, struct arena *arena,
			     enum decode_mode mode, struct findings *findings)
{
	struct nas_checker checker = { .msg = msg,
				       .findings = findings,
				       .stop = mode == DECODE_STRICT };
	enum finding_rule rule = nas_split(msg, pdu, arena, findings);

	if (rule != FINDING_NONE)
		return rule;
	if (mode == DECODE_LENIENT && !findings)
		return FINDING_NONE;
	nas_check_message(&checker);
	return mode == DECODE_STRICT ? checker.first : FINDING_NONE;
}

bool nas_is_secured(struct octets pdu)
{
	return pdu.len >= 2 && pdu.data[0] == NAS_EPD_5GMM && (pdu.data[1] & 0x0f) != 0;
}

enum finding_rule nas_secured_decode(struct nas_secured *secured, struct octets pdu)
{
	if (pdu.len < 2)
		return FINDING_TRUNCATED;
	if (!nas_is_secured(pdu))
		return FINDING_SYNTAX;
	if (pdu.len <= SECURED_HEADER)
		return FINDING_TRUNCATED;
	secured->security_header = pdu.data[1];
	memcpy(secured->mac, pdu.data + 2, sizeof(secured->mac));
	secured->sequence_number = pdu.data[6];
	secured->inner = OCTETS(pdu.data + SECURED_HEADER, pdu.len - SECURED_HEADER);
	return FINDING_NONE;
}

int nas_secured_encode(const struct nas_secured *secured, uint8_t *out, size_t size)
{
	size_t inner = secured->inner.len;

	if (size < SECURED_HEADER || size - SECURED_HEADER < inner)
		return -ENOSPC;
	if (inner)
		memmove(out + SECURED_HEADER, secured->inner.data, inner);
	out[0] = NAS_EPD_5GMM;
	out[1] = secured->security_header;
	memcpy(out + 2, secured->mac, sizeof(secured->mac));
	out[6] = secured->sequence_number;
	return (int)(SECURED_HEADER + inner);
}
