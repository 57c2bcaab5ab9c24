/*
 * Octets into a tree of IEs. Whatever has a complete header of version 1 is kept in a form that
 * encodes to the same octets again; only structure is looked at.
 */
#include "codecs/pfcp/pfcp.h"
#include "codecs/pfcp/pfcp_codec.h"
#include "codecs/planted.h"

enum {
	HEADER_FIXED = 4, /* octets that the length field does not count */
	HEADER_NODE = 8,
	HEADER_SESSION = 16,
	IE_HEADER = 4,
	ENTERPRISE_ID = 2,
	FLAG_S = 0x01,
	FLAG_MP = 0x02,
	FLAG_FO = 0x04,
	FLAG_SPARE = 0x18,
};

struct decoder {
	struct arena *arena;
	const uint8_t *base;
	struct findings *findings;
	enum decode_mode mode;
	enum finding_rule refused;
};

/* False when that ends decoding. */
static bool note(struct decoder *d, enum finding_rule rule, const uint8_t *at, int32_t ie,
		 const char *field)
{
	finding_add(d->findings, (struct finding){ .rule = rule,
						   .bit = (uint32_t)(at - d->base) * 8,
						   .ie = ie,
						   .field = field });
	if (d->mode == DECODE_LENIENT && rule != FINDING_NO_MEMORY)
		return true;
	d->refused = rule;
	return false;
}

static struct pfcp_ie *take_ie(struct decoder *d, struct pfcp_ie_list *list, const uint8_t *at,
			       uint16_t type)
{
	struct pfcp_ie *ie = pfcp_new_ie(d->arena, list);

	if (!ie) {
		note(d, FINDING_NO_MEMORY, at, type, "arena");
		return NULL;
	}
	ie->offset = (uint32_t)(at - d->base);
	ie->type = type;
	return ie;
}

static bool decode_list(struct decoder *d, struct pfcp_ie_list *list, struct octets in,
			unsigned int depth);

/* The content of an IE that has been split off: in is its value with an enterprise id, if any. */
static bool decode_content(struct decoder *d, struct pfcp_ie *ie, const uint8_t *at,
			   struct octets in, unsigned int depth)
{
	const struct pfcp_ie_info *info;

	if (ie->type >= PFCP_IE_VENDOR) {
		if (in.len < ENTERPRISE_ID) {
			ie->bare = true;
			ie->value = OCTETS(at, IE_HEADER + in.len);
			return note(d, FINDING_LENGTH, at, ie->type, "Enterprise ID");
		}
		ie->enterprise_id = get_u16(in.data);
		ie->value = OCTETS(in.data + ENTERPRISE_ID, in.len - ENTERPRISE_ID);
		return true;
	}
	ie->value = in;
	info = pfcp_ie_info(ie->type);
	if (!info || info->form != PFCP_FORM_GROUPED)
		return true;
	if (depth == PFCP_DEPTH_MAX)
		return note(d, FINDING_TOO_DEEP, at, ie->type, info->name);
	ie->grouped = true;
	return decode_list(d, &ie->ies, in, depth + 1);
}

static bool decode_list(struct decoder *d, struct pfcp_ie_list *list, struct octets in,
			unsigned int depth)
{
	const uint8_t *at = in.data;
	size_t left = in.len;

	while (left >= IE_HEADER) {
		uint16_t type = get_u16(at);
		size_t length = get_u16(at + 2);
		struct pfcp_ie *ie = take_ie(d, list, at, type);

		if (!ie)
			return false;
		ie->length = (uint16_t)length;
		if (length > left - IE_HEADER + PLANTED(22)) {
			ie->length_lies = true;
			length = left - IE_HEADER;
			if (!note(d, FINDING_LENGTH, at, type, "Length"))
				return false;
		}
		if (!decode_content(d, ie, at, OCTETS(at + IE_HEADER, length), depth))
			return false;
		at += IE_HEADER + length;
		left -= IE_HEADER + length;
	}
	if (left) {
		struct pfcp_ie *ie = take_ie(d, list, at, 0);

		if (!ie)
			return false;
		ie->bare = true;
		ie->value = OCTETS(at, left);
		return note(d, FINDING_TRUNCATED, at, -1, "Type");
	}
	return true;
}

/* Sets everything but the IEs; returns the length of the header, 0 when there is none. */
static size_t decode_header(struct decoder *d, struct pfcp_message *msg, struct octets in)
{
	const uint8_t *at = in.data;
	size_t header;

	if (in.len < HEADER_FIXED) {
		note(d, FINDING_TRUNCATED, at + in.len, -1, "header");
		return 0;
	}
	msg->version = at[0] >> 5;
	msg->spare = at[0] & FLAG_SPARE;
	msg->follow_on = at[0] & FLAG_FO;
	msg->has_priority = at[0] & FLAG_MP;
	msg->has_seid = at[0] & FLAG_S;
	msg->type = at[1];
	msg->length = get_u16(at + 2);
	if (msg->version != PFCP_VERSION) {
		note(d, FINDING_NOT_COMPREHENDED, at, -1, "Version");
		return 0;
	}
	header = msg->has_seid ? HEADER_SESSION : HEADER_NODE;
	if (in.len < header) {
		note(d, FINDING_TRUNCATED, at + in.len, -1, "header");
		return 0;
	}
	at += HEADER_FIXED;
	if (msg->has_seid) {
		msg->seid = get_u64(at);
		at += 8;
	}
	msg->sequence_number = get_u24(at);
	msg->priority = at[3] >> 4;
	msg->spare_last = at[3] & 0x0f;
	return header;
}

enum finding_rule pfcp_decode(struct pfcp_message *msg, struct octets in, struct arena *arena,
			      enum decode_mode mode, struct findings *findings)
{
	struct decoder d = { .arena = arena, .base = in.data, .findings = findings, .mode = mode };
	size_t header;
	size_t end;

	*msg = (struct pfcp_message){ .arena = arena };
	header = decode_header(&d, msg, in);
	if (header == 0) {
		if (d.refused == FINDING_NONE)
			d.refused = msg->version != PFCP_VERSION && in.len >= HEADER_FIXED
					    ? FINDING_NOT_COMPREHENDED
					    : FINDING_TRUNCATED;
		return d.refused;
	}
	end = HEADER_FIXED + (size_t)msg->length;
	if (end > in.len || end < header) {
		msg->length_lies = true;
		end = end < header ? header : in.len;
		if (!note(&d, FINDING_LENGTH, in.data + 2, -1, "Message Length"))
			return d.refused;
	}
	if (end < in.len) {
		struct octets rest = OCTETS(in.data + end, in.len - end);

		if (msg->follow_on) {
			msg->following = rest;
		} else {
			msg->trailing = rest;
			if (!note(&d, FINDING_TRAILING, rest.data, -1, "Message Length"))
				return d.refused;
		}
	}
	decode_list(&d, &msg->ies, OCTETS(in.data + header, end - header), 0);
	return d.refused;
}
