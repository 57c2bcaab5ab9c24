/*
 * Building, changing and encoding messages. The encoder obeys the list alone: a test that wants a
 * wrong message gets exactly that.
 */
#include <errno.h>

#include "codecs/nas/nas_build.h"

const uint8_t nas_nibble[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

enum { ROOM_FIRST = 8, ROOM_MAX = 4096 };

/*
 * The list grows in place as long as nothing else was taken from the arena, which is so while
 * decoding; otherwise it moves.
 */
static bool grow(struct nas_msg *msg)
{
	size_t room = msg->room ? (size_t)msg->room * 2 : ROOM_FIRST;
	size_t more = (room - msg->room) * sizeof(struct nas_item);
	struct arena *arena = msg->arena;
	struct nas_item *items;

	if (!arena || room > ROOM_MAX)
		return false;
	if (msg->items && (uint8_t *)(msg->items + msg->room) == arena->base + arena->used &&
	    arena->size - arena->used >= more) {
		arena->used += more;
		msg->room = (uint16_t)room;
		return true;
	}
	items = arena_take(arena, room * sizeof(*items));
	if (!items)
		return false;
	if (msg->count)
		memcpy(items, msg->items, msg->count * sizeof(*items));
	msg->items = items;
	msg->room = (uint16_t)room;
	return true;
}

struct nas_item *nas_new_item(struct nas_msg *msg)
{
	struct nas_item *item;

	if (msg->count == msg->room && !grow(msg))
		return NULL;
	item = &msg->items[msg->count++];
	*item = (struct nas_item){ 0 };
	return item;
}

void nas_init(struct nas_msg *msg, enum nas_message_type type, struct arena *arena)
{
	uint8_t epd = (unsigned int)type < 0x80 ? NAS_EPD_5GMM : NAS_EPD_5GSM;

	*msg = (struct nas_msg){ .arena = arena,
				 .epd = epd,
				 .type = (uint8_t)type,
				 .info = nas_message_info(epd, (uint8_t)type) };
}

static struct nas_item *append_row(struct nas_msg *msg, const struct nas_row *row,
				   struct octets value)
{
	struct nas_item *item = nas_new_item(msg);

	if (!item)
		return NULL;
	item->row = row;
	item->iei = row->iei;
	item->format = row->format;
	item->value = value;
	return item;
}

int nas_append(struct nas_msg *msg, enum nas_ie ie, struct octets value)
{
	const struct nas_row *row = nas_row(msg->info, ie);

	if (!row)
		return -ENOENT;
	return append_row(msg, row, value) ? 0 : -ENOMEM;
}

int nas_add(struct nas_msg *msg, enum nas_ie ie, struct octets value)
{
	const struct nas_row *row = nas_row(msg->info, ie);
	struct nas_item *item;
	size_t at;

	if (!row)
		return -ENOENT;
	item = append_row(msg, row, value);
	if (!item)
		return -ENOMEM;
	at = (size_t)(item - msg->items);
	while (at > 0 && msg->items[at - 1].row && msg->items[at - 1].row > row) {
		struct nas_item before = msg->items[at - 1];

		msg->items[at - 1] = msg->items[at];
		msg->items[at] = before;
		at--;
	}
	return 0;
}

int nas_add_copy(struct nas_msg *msg, enum nas_ie ie, struct octets value)
{
	uint8_t *copy;

	if (!nas_row(msg->info, ie))
		return -ENOENT;
	copy = msg->arena ? arena_take(msg->arena, value.len ? value.len : 1) : NULL;
	if (!copy)
		return -ENOMEM;
	if (value.len)
		memcpy(copy, value.data, value.len);
	return nas_add(msg, ie, OCTETS(copy, value.len));
}

int nas_add_u8(struct nas_msg *msg, enum nas_ie ie, uint8_t value)
{
	return nas_add_copy(msg, ie, OCTETS(&value, 1));
}

static struct nas_item *find(const struct nas_msg *msg, enum nas_ie ie)
{
	for (size_t i = 0; i < msg->count; i++)
		if (msg->items[i].row && msg->items[i].row->ie == ie)
			return &msg->items[i];
	return NULL;
}

int nas_set(struct nas_msg *msg, enum nas_ie ie, struct octets value)
{
	struct nas_item *item = find(msg, ie);

	if (!item)
		return nas_add(msg, ie, value);
	item->value = value;
	return 0;
}

int nas_append_any(struct nas_msg *msg, uint8_t iei, enum nas_format format, struct octets value)
{
	struct nas_item *item = nas_new_item(msg);

	if (!item)
		return -ENOMEM;
	item->iei = iei;
	item->format = (uint8_t)format;
	item->value = value;
	if (msg->info && msg->info->by_iei[iei]) {
		const struct nas_row *row = &msg->info->rows[msg->info->by_iei[iei] - 1];

		item->row = row->format == format ? row : NULL;
	}
	return 0;
}

int nas_remove(struct nas_msg *msg, enum nas_ie ie)
{
	uint16_t kept = 0;
	int removed;

	for (size_t i = 0; i < msg->count; i++) {
		if (msg->items[i].row && msg->items[i].row->ie == ie)
			continue;
		msg->items[kept++] = msg->items[i];
	}
	removed = msg->count - kept;
	msg->count = kept;
	return removed;
}

const struct nas_item *nas_find(const struct nas_msg *msg, enum nas_ie ie)
{
	return find(msg, ie);
}

const struct nas_item *nas_find_unknown(const struct nas_msg *msg, uint8_t iei)
{
	for (size_t i = 0; i < msg->count; i++)
		if (!msg->items[i].row && msg->items[i].format != NAS_FORMAT_RAW &&
		    msg->items[i].iei == iei)
			return &msg->items[i];
	return NULL;
}

bool nas_get(const struct nas_msg *msg, enum nas_ie ie, struct octets *value)
{
	const struct nas_item *item = find(msg, ie);

	if (!item)
		return false;
	*value = item->value;
	return true;
}

bool nas_get_u8(const struct nas_msg *msg, enum nas_ie ie, uint8_t *value)
{
	const struct nas_item *item = find(msg, ie);

	if (!item || item->value.len == 0)
		return false;
	*value = item->value.data[0];
	return true;
}

int nas_cause(const struct nas_msg *msg)
{
	uint8_t cause;

	if (nas_get_u8(msg, NAS_IE_5GMM_CAUSE, &cause) ||
	    nas_get_u8(msg, NAS_IE_5GSM_CAUSE, &cause))
		return cause;
	return -1;
}

struct output {
	uint8_t *data;
	size_t size;
	size_t len;
};

static bool put(struct output *out, const uint8_t *data, size_t len)
{
	if (out->size - out->len < len)
		return false;
	if (len)
		memcpy(out->data + out->len, data, len);
	out->len += len;
	return true;
}

/* IEI, length and value. Half octets are dealt with by the caller. */
static int put_item(struct output *out, const struct nas_item *item)
{
	size_t len = item->value.len;
	uint8_t head[3] = { item->iei };
	size_t n = 0;

	switch (item->format) {
	case NAS_FORMAT_RAW:
	case NAS_FORMAT_V:
		break;
	case NAS_FORMAT_TV:
		n = 1;
		break;
	case NAS_FORMAT_LV:
	case NAS_FORMAT_TLV:
		if (len > 0xff)
			return -EMSGSIZE;
		n = item->format == NAS_FORMAT_TLV;
		head[n++] = (uint8_t)len;
		break;
	case NAS_FORMAT_LV_E:
	case NAS_FORMAT_TLV_E:
		if (len > 0xffff)
			return -EMSGSIZE;
		n = item->format == NAS_FORMAT_TLV_E;
		head[n++] = (uint8_t)(len >> 8);
		head[n++] = (uint8_t)len;
		break;
	case NAS_FORMAT_TV_HALF:
		if (len == 0)
			return -EINVAL;
		head[0] = (uint8_t)((item->iei & 0xf0) | (item->value.data[0] & 0x0f));
		return put(out, head, 1) ? 0 : -ENOSPC;
	default:
		return -EINVAL;
	}
	return put(out, head, n) && put(out, item->value.data, len) ? 0 : -ENOSPC;
}

int nas_encode(const struct nas_msg *msg, uint8_t *buf, size_t size)
{
	struct output out = { .data = buf, .size = size };
	uint8_t header[4] = { msg->epd, msg->security_header, msg->type };
	size_t header_len = 3;
	bool low = false; /* the last octet still has room in its high half */

	if (msg->epd == NAS_EPD_5GSM) {
		header[1] = msg->pdu_session_id;
		header[2] = msg->pti;
		header[3] = msg->type;
		header_len = 4;
	}
	if (!put(&out, header, header_len))
		return -ENOSPC;
	for (size_t i = 0; i < msg->count; i++) {
		const struct nas_item *item = &msg->items[i];
		uint8_t half;
		int error;

		if (item->format != NAS_FORMAT_V_LOW && item->format != NAS_FORMAT_V_HIGH) {
			error = put_item(&out, item);
			if (error)
				return error;
			low = false;
			continue;
		}
		if (item->value.len == 0)
			return -EINVAL;
		half = item->value.data[0] & 0x0f;
		if (item->format == NAS_FORMAT_V_HIGH) {
			half = (uint8_t)(half << 4);
			if (low)
				half |= out.data[--out.len];
		}
		if (!put(&out, &half, 1))
			return -ENOSPC;
		low = item->format == NAS_FORMAT_V_LOW;
	}
	return (int)out.len;
}
