/*
 * Building, encoding and reading messages. The encoder obeys the tree alone: a test that wants a
 * wrong message gets exactly that.
 */
#include <errno.h>

#include "codecs/pfcp/pfcp.h"
#include "codecs/pfcp/pfcp_cursor.h"
#include "codecs/planted.h"

enum {
	NESTING_MAX = 1000,
	LENGTH_MAX = 0xffff,
	FIRST_SESSION_MESSAGE = 50,
};

struct writer {
	uint8_t *out;
	size_t size;
	size_t at;
};

static bool has_room(const struct writer *w, size_t len)
{
	return len <= w->size - w->at;
}

static int put_octets(struct writer *w, struct octets value)
{
	if (!has_room(w, value.len))
		return -ENOSPC;
	if (value.len)
		memcpy(w->out + w->at, value.data, value.len);
	w->at += value.len;
	return 0;
}

static int encode_list(struct writer *w, const struct pfcp_ie_list *list, unsigned int depth)
{
	if (depth > NESTING_MAX)
		return -ELOOP;
	for (const struct pfcp_ie *ie = list->first; ie; ie = ie->next) {
		size_t head = ie->type >= PFCP_IE_VENDOR ? 6 : 4;
		uint8_t *at = w->out + w->at;
		size_t content = w->at + 4;
		size_t length;
		int err;

		if (ie->bare) {
			err = put_octets(w, ie->value);
			if (err)
				return err;
			continue;
		}
		if (!has_room(w, head))
			return -ENOSPC;
		if (head > 4)
			put_number(at + 4, ie->enterprise_id, 2);
		w->at += head;
		err = ie->grouped ? encode_list(w, &ie->ies, depth + 1) : put_octets(w, ie->value);
		if (err)
			return err;
		length = w->at - content;
		if (ie->length_lies && !(PLANTED(24) && ie->grouped))
			length = ie->length;
		else if (length > LENGTH_MAX)
			return -EMSGSIZE;
		put_number(at, ie->type, 2);
		put_number(at + 2, length, 2);
	}
	return 0;
}

int pfcp_encode(const struct pfcp_message *msg, uint8_t *out, size_t size)
{
	struct writer w = { out, size, 0 };
	size_t length;
	int err;

	if (msg->error)
		return msg->error;
	if (!has_room(&w, msg->has_seid ? 16 : 8))
		return -ENOSPC;
	out[0] = (uint8_t)(msg->version << 5 | msg->spare | (msg->follow_on ? 4 : 0) |
			   (msg->has_priority ? 2 : 0) | (msg->has_seid ? 1 : 0));
	out[1] = msg->type;
	w.at = 4;
	if (msg->has_seid) {
		put_number(out + 4, msg->seid, 8);
		w.at = 12;
	}
	put_number(out + w.at, msg->sequence_number, 3);
	out[w.at + 3] = (uint8_t)(msg->priority << 4 | (msg->spare_last & 0x0f));
	w.at += 4;
	err = encode_list(&w, &msg->ies, 0);
	if (err)
		return err;
	length = w.at - 4;
	if (msg->length_lies)
		length = msg->length;
	else if (length > LENGTH_MAX)
		return -EMSGSIZE;
	put_number(out + 2, length, 2);
	err = put_octets(&w, msg->trailing);
	return err ? err : (int)w.at;
}

void pfcp_init(struct pfcp_message *msg, enum pfcp_message_type type, struct arena *arena)
{
	*msg = (struct pfcp_message){ .arena = arena,
				      .type = (uint8_t)type,
				      .version = PFCP_VERSION,
				      .has_seid = (unsigned int)type >= FIRST_SESSION_MESSAGE };
}

static void fail(struct pfcp_message *msg, int err)
{
	if (!msg->error)
		msg->error = err;
}

struct pfcp_ie *pfcp_add_ref(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			     struct octets value)
{
	struct pfcp_ie *ie = pfcp_new_ie(msg->arena, group ? &group->ies : &msg->ies);

	if (!ie) {
		fail(msg, -ENOMEM);
		return NULL;
	}
	ie->type = type;
	ie->value = value;
	return ie;
}

struct pfcp_ie *pfcp_add(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			 struct octets value)
{
	uint8_t *copy = arena_take(msg->arena, value.len ? value.len : 1);

	if (!copy) {
		fail(msg, -ENOMEM);
		return NULL;
	}
	if (value.len)
		memcpy(copy, value.data, value.len);
	return pfcp_add_ref(msg, group, type, OCTETS(copy, value.len));
}

struct pfcp_ie *pfcp_add_encoded(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
				 const uint8_t *octets, int len)
{
	if (len < 0) {
		fail(msg, len);
		return NULL;
	}
	return pfcp_add(msg, group, type, OCTETS(octets, (size_t)len));
}

static struct pfcp_ie *add_number(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
				  uint64_t value, size_t n)
{
	uint8_t octets[8];

	put_number(octets, value, n);
	return pfcp_add(msg, group, type, OCTETS(octets, n));
}

struct pfcp_ie *pfcp_add_u8(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			    uint8_t value)
{
	return add_number(msg, group, type, value, 1);
}

struct pfcp_ie *pfcp_add_u16(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			     uint16_t value)
{
	return add_number(msg, group, type, value, 2);
}

struct pfcp_ie *pfcp_add_u32(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			     uint32_t value)
{
	return add_number(msg, group, type, value, 4);
}

struct pfcp_ie *pfcp_add_u64(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			     uint64_t value)
{
	return add_number(msg, group, type, value, 8);
}

struct pfcp_ie *pfcp_add_group(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type)
{
	struct pfcp_ie *ie = pfcp_add_ref(msg, group, type, OCTETS(NULL, 0));

	if (ie)
		ie->grouped = true;
	return ie;
}

struct pfcp_ie *pfcp_add_vendor(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
				uint16_t enterprise_id, struct octets value)
{
	struct pfcp_ie *ie = pfcp_add(msg, group, type | PFCP_IE_VENDOR, value);

	if (ie)
		ie->enterprise_id = enterprise_id;
	return ie;
}

struct pfcp_ie *pfcp_add_bare(struct pfcp_message *msg, struct pfcp_ie *group, struct octets value)
{
	struct pfcp_ie *ie = pfcp_add(msg, group, 0, value);

	if (ie)
		ie->bare = true;
	return ie;
}

void pfcp_lie(struct pfcp_ie *ie, uint16_t length)
{
	if (!ie)
		return;
	ie->length = length;
	ie->length_lies = true;
}

size_t pfcp_remove(struct pfcp_ie_list *list, uint16_t type)
{
	struct pfcp_ie **at = &list->first;
	size_t removed = 0;

	list->last = NULL;
	while (*at) {
		if ((*at)->type == type && !(*at)->bare) {
			*at = (*at)->next;
			removed++;
			continue;
		}
		list->last = *at;
		at = &(*at)->next;
	}
	return removed;
}

static const struct pfcp_ie *find_from(const struct pfcp_ie *ie, uint16_t type)
{
	while (ie && (ie->type != type || ie->bare))
		ie = ie->next;
	return ie;
}

const struct pfcp_ie *pfcp_find(const struct pfcp_ie_list *list, uint16_t type)
{
	return find_from(list->first, type);
}

const struct pfcp_ie *pfcp_find_next(const struct pfcp_ie *ie, uint16_t type)
{
	return find_from(ie->next, type);
}

size_t pfcp_count(const struct pfcp_ie_list *list, uint16_t type)
{
	size_t count = 0;

	for (const struct pfcp_ie *ie = pfcp_find(list, type); ie; ie = pfcp_find_next(ie, type))
		count++;
	return count;
}

static const struct pfcp_ie *find_below(const struct pfcp_ie_list *list, uint16_t type,
					unsigned int depth)
{
	for (const struct pfcp_ie *ie = list->first; ie; ie = ie->next) {
		const struct pfcp_ie *below;

		if (ie->type == type && !ie->bare)
			return ie;
		if (!ie->grouped || depth == NESTING_MAX)
			continue;
		below = find_below(&ie->ies, type, depth + 1);
		if (below)
			return below;
	}
	return NULL;
}

const struct pfcp_ie *pfcp_find_anywhere(const struct pfcp_ie_list *list, uint16_t type)
{
	return find_below(list, type, 0);
}

bool pfcp_get(const struct pfcp_ie_list *list, uint16_t type, struct octets *value)
{
	const struct pfcp_ie *ie = pfcp_find(list, type);

	if (!ie)
		return false;
	*value = ie->value;
	return true;
}

static bool find_number(const struct pfcp_ie_list *list, uint16_t type, size_t n, uint64_t *value)
{
	const struct pfcp_ie *ie = pfcp_find(list, type);

	if (!ie || ie->value.len < n)
		return false;
	*value = get_number(ie->value.data, n);
	return true;
}

bool pfcp_get_u8(const struct pfcp_ie_list *list, uint16_t type, uint8_t *value)
{
	uint64_t number;

	if (!find_number(list, type, 1, &number))
		return false;
	*value = (uint8_t)number;
	return true;
}

bool pfcp_get_u16(const struct pfcp_ie_list *list, uint16_t type, uint16_t *value)
{
	uint64_t number;

	if (!find_number(list, type, 2, &number))
		return false;
	*value = (uint16_t)number;
	return true;
}

bool pfcp_get_u32(const struct pfcp_ie_list *list, uint16_t type, uint32_t *value)
{
	uint64_t number;

	if (!find_number(list, type, 4, &number))
		return false;
	*value = (uint32_t)number;
	return true;
}

bool pfcp_get_u64(const struct pfcp_ie_list *list, uint16_t type, uint64_t *value)
{
	return find_number(list, type, 8, value);
}

int pfcp_cause(const struct pfcp_message *msg)
{
	uint8_t cause;

	return pfcp_get_u8(&msg->ies, PFCP_IE_CAUSE, &cause) ? cause : -1;
}
