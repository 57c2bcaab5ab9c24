/*
 * NAS messages by their tables. A message that is protected with the keys of the fuzzers is opened,
 * mutated and protected again, so that mutants get past the MAC; now and then the MAC is broken on
 * purpose. One that is protected with other keys but not ciphered is mutated inside as it stands.
 */
#include <string.h>

#include "codecs/nas/nas_sample.h"
#include "fuzz/harness/nas_keys.h"
#include "fuzz/mutator/break.h"

enum {
	ROOM = 256 * 1024,
	PDU_MAX = 65536,
	FIRST_5GSM_TYPE = 0xc0,
	UNKNOWN_TYPE = 0x7d, /* of no 5GMM message */
	UNKNOWN_5GSM_TYPE = 0xfd,
	VALUE_GROWTH = 64,
};

struct work {
	struct nas_msg msg;
	struct arena arena;
	struct chance *chance;
};

static uint8_t room[ROOM];
static uint8_t other_room[ROOM];

static bool is_clean(const struct nas_msg *msg)
{
	return msg->info && nas_check(msg, NULL) == FINDING_NONE;
}

static struct nas_item *pick_item(struct work *w)
{
	return w->msg.count ? &w->msg.items[chance_below(w->chance, w->msg.count)] : NULL;
}

/* An optional row that the message does not have yet, NULL for none. */
static const struct nas_row *pick_absent(struct work *w)
{
	const struct nas_message_info *info = w->msg.info;
	size_t optional = (size_t)info->count - info->mandatory;
	size_t start = chance_below(w->chance, optional);

	for (size_t i = 0; i < optional; i++) {
		const struct nas_row *row = &info->rows[info->mandatory + (start + i) % optional];

		if (!nas_find(&w->msg, (enum nas_ie)row->ie))
			return row;
	}
	return NULL;
}

static void new_message(struct work *w, bool only_5gsm)
{
	size_t count = 0;
	const struct nas_message_info *info;

	while (nas_message_info_at(count))
		count++;
	do
		info = nas_message_info_at(chance_below(w->chance, count));
	while (only_5gsm && info->epd != NAS_EPD_5GSM);
	arena_reset(&w->arena);
	nas_sample_message(&w->msg, info, &w->arena);
	w->msg.pdu_session_id = (uint8_t)chance_below(w->chance, 16);
	w->msg.pti = (uint8_t)chance_draw(w->chance);
	for (uint32_t n = chance_below(w->chance, 4); n > 0; n--) {
		const struct nas_row *row = pick_absent(w);

		if (row)
			nas_sample_add(&w->msg, row);
	}
}

static void remove_item(struct work *w, size_t at)
{
	struct nas_item *items = w->msg.items;

	memmove(items + at, items + at + 1, (w->msg.count - at - 1) * sizeof(*items));
	w->msg.count--;
}

/* Changes a value within what its row allows; what the checks object to is tried again. */
static void vary_value(struct work *w)
{
	struct nas_item *item = pick_item(w);

	if (!item || !item->row || !item->value.len || item->format == NAS_FORMAT_RAW)
		return;
	for (int attempt = 0; attempt < 6; attempt++) {
		struct octets was = item->value;
		const struct nas_row *row = item->row;
		size_t min = row->min;
		size_t max = row->max;
		uint8_t *copy;

		if (max > was.len + VALUE_GROWTH)
			max = was.len + VALUE_GROWTH;
		if (max < min)
			max = min;
		if (item->format <= NAS_FORMAT_V_HIGH || item->format == NAS_FORMAT_TV_HALF)
			min = max = 1;
		copy = arena_take(&w->arena, max > was.len ? max : was.len);
		if (!copy)
			return;
		memcpy(copy, was.data, was.len);
		item->value = OCTETS(copy, mutate_value(copy, was.len, min, max, w->chance));
		if (item->format <= NAS_FORMAT_V_HIGH || item->format == NAS_FORMAT_TV_HALF)
			copy[0] &= 0x0f;
		if (is_clean(&w->msg))
			return;
		item->value = was;
	}
}

static void change(struct work *w)
{
	const struct nas_row *row;
	size_t at;

	switch (chance_below(w->chance, 8)) {
	case 0:
	case 1:
		row = pick_absent(w);
		if (row)
			nas_sample_add(&w->msg, row);
		break;
	case 2:
		if (!w->msg.count)
			break;
		at = chance_below(w->chance, w->msg.count);
		if (w->msg.items[at].row && w->msg.items[at].row->presence != NAS_MANDATORY)
			remove_item(w, at);
		break;
	case 3:
		w->msg.pdu_session_id = (uint8_t)chance_draw(w->chance);
		w->msg.pti = (uint8_t)chance_draw(w->chance);
		break;
	default:
		vary_value(w);
		break;
	}
}

/* One change; what makes another IE wrong (the type of a container, say) is undone. */
static void keep_valid(struct work *w)
{
	struct nas_msg was = w->msg;
	struct nas_item *items = arena_take(&w->arena, (was.count + 1u) * sizeof(*items));

	if (!items)
		return;
	if (was.count)
		memcpy(items, was.items, was.count * sizeof(*items));
	change(w);
	if (is_clean(&w->msg))
		return;
	w->msg = was;
	if (was.count)
		memcpy(w->msg.items, items, was.count * sizeof(*items));
}

/* ---- one fault ---- */

static bool has_length(const struct nas_item *item)
{
	return item->format == NAS_FORMAT_LV || item->format == NAS_FORMAT_LV_E ||
	       item->format == NAS_FORMAT_TLV || item->format == NAS_FORMAT_TLV_E;
}

/* The last item with a length: more octets than there are, behind it nothing can be told. */
static bool break_length(void *of)
{
	struct work *w = of;
	struct nas_item *item = NULL;
	uint8_t *octets;
	size_t n = 0;
	size_t said;

	for (size_t i = 0; i < w->msg.count; i++)
		if (has_length(&w->msg.items[i]))
			item = &w->msg.items[i];
	if (!item)
		return false;
	for (size_t i = (size_t)(item - w->msg.items) + 1; i < w->msg.count; i++)
		if (w->msg.items[i].row && w->msg.items[i].row->presence == NAS_MANDATORY)
			return false;
	w->msg.count = (uint16_t)(item - w->msg.items + 1);
	octets = arena_take(&w->arena, item->value.len + 3);
	said = item->value.len + 1 + chance_below(w->chance, 8);
	if (!octets)
		return false;
	if (item->format == NAS_FORMAT_TLV || item->format == NAS_FORMAT_TLV_E)
		octets[n++] = item->iei;
	if (item->format == NAS_FORMAT_LV_E || item->format == NAS_FORMAT_TLV_E)
		octets[n++] = (uint8_t)(said >> 8);
	else if (said > 0xff)
		return false;
	octets[n++] = (uint8_t)said;
	memcpy(octets + n, item->value.data, item->value.len);
	item->format = NAS_FORMAT_RAW;
	item->value = OCTETS(octets, n + item->value.len);
	return true;
}

/* An item with IEI, at random; count if there is none. */
static size_t pick_optional(struct work *w)
{
	size_t start = chance_below(w->chance, w->msg.count);

	for (size_t i = 0; i < w->msg.count; i++) {
		size_t at = (start + i) % w->msg.count;

		if (w->msg.items[at].iei && w->msg.items[at].format != NAS_FORMAT_RAW)
			return at;
	}
	return w->msg.count;
}

static bool break_duplicate(void *of)
{
	struct work *w = of;
	size_t at;
	struct nas_item item;

	if (pick_optional(w) == w->msg.count && !pick_absent(w))
		return false;
	if (pick_optional(w) == w->msg.count)
		nas_sample_add(&w->msg, pick_absent(w));
	at = pick_optional(w);
	if (at == w->msg.count)
		return false;
	item = w->msg.items[at];
	if (nas_append_any(&w->msg, 0, NAS_FORMAT_RAW, OCTETS(NULL, 0)) != 0)
		return false;
	memmove(&w->msg.items[at + 1], &w->msg.items[at],
		(w->msg.count - at - 1) * sizeof(struct nas_item));
	w->msg.items[at] = item;
	return true;
}

/* The last mandatory IE, and what follows it: so nothing else takes its place. */
static bool break_missing(void *of)
{
	struct work *w = of;
	size_t mandatory = 0;

	while (mandatory < w->msg.count && w->msg.items[mandatory].row &&
	       w->msg.items[mandatory].row->presence == NAS_MANDATORY &&
	       !w->msg.items[mandatory].iei)
		mandatory++;
	/* half octets come in pairs */
	while (mandatory > 0 && (w->msg.items[mandatory - 1].format == NAS_FORMAT_V_LOW ||
				 w->msg.items[mandatory - 1].format == NAS_FORMAT_V_HIGH))
		return false;
	if (mandatory == 0)
		return false;
	w->msg.count = (uint16_t)(mandatory - 1);
	return true;
}

static bool break_order(void *of)
{
	struct work *w = of;

	for (size_t i = 0; i < 2 && w->msg.count < 4; i++)
		if (pick_absent(w))
			nas_sample_add(&w->msg, pick_absent(w));
	for (size_t i = w->msg.count; i-- > 1;) {
		struct nas_item *items = w->msg.items;
		struct nas_item later = items[i];

		if (!items[i - 1].iei || !later.iei || items[i - 1].row == later.row)
			continue;
		items[i] = items[i - 1];
		items[i - 1] = later;
		return true;
	}
	return false;
}

static bool break_unknown_id(void *of)
{
	struct work *w = of;
	uint8_t start = (uint8_t)(0x10 + chance_below(w->chance, 0x60));
	uint8_t *value = arena_take(&w->arena, 2);

	if (!value)
		return false;
	value[0] = value[1] = (uint8_t)chance_draw(w->chance);
	for (unsigned int i = 0; i < 0x60; i++) {
		uint8_t iei = (uint8_t)(0x10 + (start - 0x10 + i) % 0x60);

		if (!w->msg.info->by_iei[iei])
			return nas_append_any(&w->msg, iei, NAS_FORMAT_TLV, OCTETS(value, 2)) == 0;
	}
	return false;
}

/* A value with a length of its own, one octet off the limits of its row. */
static bool break_size(void *of)
{
	struct work *w = of;
	size_t start = chance_below(w->chance, w->msg.count);

	for (size_t i = 0; i < w->msg.count; i++) {
		struct nas_item *item = &w->msg.items[(start + i) % w->msg.count];
		size_t most = item->format == NAS_FORMAT_LV || item->format == NAS_FORMAT_TLV
				      ? 0xff
				      : 2000;
		size_t wanted;
		uint8_t *value;

		if (!item->row || !has_length(item))
			continue;
		if (item->row->min > 0 && (item->row->max >= most || chance_one_in(w->chance, 2)))
			wanted = item->row->min - 1u;
		else if (item->row->max < most)
			wanted = item->row->max + 1u;
		else
			continue;
		value = arena_take(&w->arena, wanted + 1);
		if (!value)
			return false;
		memset(value, 1, wanted + 1);
		memcpy(value, item->value.data,
		       item->value.len < wanted ? item->value.len : wanted);
		item->value = OCTETS(value, wanted);
		return true;
	}
	return false;
}

static bool break_extension_bit(void *of)
{
	struct work *w = of;

	if (w->msg.epd != NAS_EPD_5GMM)
		return false;
	w->msg.security_header = (uint8_t)(0x10 << chance_below(w->chance, 4));
	return true;
}

static bool break_message(void *of)
{
	struct work *w = of;

	w->msg.type = w->msg.epd == NAS_EPD_5GMM ? UNKNOWN_TYPE : UNKNOWN_5GSM_TYPE;
	w->msg.info = NULL;
	return true;
}

static void renew(void *of)
{
	struct work *w = of;

	new_message(w, w->msg.epd == NAS_EPD_5GSM);
}

/* NAS has neither criticalities nor fragments. */
static const struct breaks breaks = {
	.of = {
		[FAULT_DUPLICATE] = break_duplicate,
		[FAULT_LENGTH] = break_length,
		[FAULT_MISSING] = break_missing,
		[FAULT_SIZE] = break_size,
		[FAULT_UNKNOWN_ID] = break_unknown_id,
		[FAULT_WRONG_MESSAGE] = break_message,
		[FAULT_ORDER] = break_order,
		[FAULT_EXTENSION_BIT] = break_extension_bit,
	},
	.renew = renew,
};

/* ---- messages ---- */

static size_t mutate_plain(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
			   enum mutation_fault *fault, struct chance *chance)
{
	struct work w = { .chance = chance };
	bool was_5gsm = size > 0 && data[0] == NAS_EPD_5GSM;
	static uint8_t out[PDU_MAX];
	int len;

	arena_init(&w.arena, room, sizeof(room));
	if (chance_one_in(chance, 16) ||
	    nas_decode(&w.msg, OCTETS(data, size), &w.arena, DECODE_STRICT, NULL) != FINDING_NONE)
		new_message(&w, was_5gsm && !chance_one_in(chance, 4));
	for (uint32_t n = 1 + chance_below(chance, 3); n > 0; n--)
		keep_valid(&w);
	if (mode == MUTATION_FAULT)
		break_any(&breaks, &w, fault, chance);
	len = nas_encode(&w.msg, out, sizeof(out));
	if (len <= 0 || (size_t)len > max)
		return 0;
	memcpy(data, out, (size_t)len);
	return (size_t)len;
}

/* The position that the fuzzers' keys are used at, with the sequence number of the message. */
static struct nas_security_position position_of(const uint8_t *data)
{
	struct nas_security_position position = nas_keys_position();

	position.count = (position.count & ~UINT32_C(0xff)) | data[6];
	return position;
}

static size_t protect(uint8_t *data, size_t max, const struct nas_security_position *position,
		      enum nas_security_header_type type, struct octets inner,
		      struct chance *chance)
{
	struct nas_security_suite suite = nas_keys_suite();
	size_t len;

	if (nas_security_protect(&suite, position, type, inner, data, max, &len) != NAS_SECURITY_OK)
		return 0;
	if (chance_one_in(chance, 5))
		data[2 + chance_below(chance, 4)] ^= (uint8_t)(1u << chance_below(chance, 8));
	return len;
}

size_t mutate_nas(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
		  enum mutation_fault *fault, struct chance *chance)
{
	struct nas_security_suite suite = nas_keys_suite();
	struct nas_security_position position;
	struct nas_secured secured;
	static uint8_t inner[PDU_MAX];
	size_t len;

	if (mode == MUTATION_RAW)
		return mutate_octets(data, size, max, mode, fault, chance);
	if (nas_secured_decode(&secured, OCTETS(data, size)) != FINDING_NONE || size > PDU_MAX)
		return mutate_plain(data, size, max, mode, fault, chance);
	position = position_of(data);
	if (max > sizeof(inner))
		max = sizeof(inner);
	if (nas_security_unprotect(&suite, &position, OCTETS(data, size), inner, sizeof(inner),
				   &len) == NAS_SECURITY_OK) {
		len = mutate_plain(inner, len, max - 7, mode, fault, chance);
		return len ? protect(data, max, &position,
				     (enum nas_security_header_type)(1 + chance_below(chance, 4)),
				     OCTETS(inner, len), chance)
			   : 0;
	}
	memcpy(inner, secured.inner.data, secured.inner.len);
	len = mutate_plain(inner, secured.inner.len, max - 7, mode, fault, chance);
	if (!len)
		return 0;
	/* every other time with the keys of the fuzzers, else with the MAC as it was */
	if (chance_one_in(chance, 2))
		return protect(data, max, &position,
			       (enum nas_security_header_type)(1 + chance_below(chance, 4)),
			       OCTETS(inner, len), chance);
	memcpy(data + NAS_SECURITY_HEADER_SIZE, inner, len);
	return len + NAS_SECURITY_HEADER_SIZE;
}

size_t mutate_nas_5gsm(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
		       enum mutation_fault *fault, struct chance *chance)
{
	static uint8_t pdu[PDU_MAX + 1];
	size_t len;

	if (mode == MUTATION_RAW || size > PDU_MAX || max > PDU_MAX)
		return mutate_octets(data, size, max, mode, fault, chance);
	pdu[0] = NAS_EPD_5GSM;
	memcpy(pdu + 1, data, size);
	len = mutate_plain(pdu, size + 1, max + 1, mode, fault, chance);
	if (len < 2 || pdu[0] != NAS_EPD_5GSM)
		return 0;
	memcpy(data, pdu + 1, len - 1);
	return len - 1;
}

size_t mutate_nas_security(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
			   enum mutation_fault *fault, struct chance *chance)
{
	enum { HEADER = 3 };
	static uint8_t plain[PDU_MAX];
	struct nas_security_position position = nas_keys_position();
	size_t len;

	if (mode == MUTATION_RAW || size < HEADER || max < 64 || max > PDU_MAX)
		return mutate_octets(data, size, max, mode, fault, chance);
	if (chance_one_in(chance, 4))
		data[chance_below(chance, HEADER)] = (uint8_t)chance_draw(chance);
	if (size > HEADER + NAS_SECURITY_HEADER_SIZE && !chance_one_in(chance, 4)) {
		len = mutate_nas(data + HEADER, size - HEADER, max - HEADER, mode, fault, chance);
		return len ? len + HEADER : 0;
	}
	len = mutate_plain(plain, 0, max - HEADER - NAS_SECURITY_HEADER_SIZE, mode, fault, chance);
	if (!len)
		return 0;
	/* the algorithms that nas_keys.h protects with */
	data[0] = NEA2 | NIA2 << 2;
	data[1] &= (uint8_t)~3u;
	len = protect(data + HEADER, max - HEADER, &position,
		      (enum nas_security_header_type)(1 + chance_below(chance, 4)),
		      OCTETS(plain, len), chance);
	return len ? len + HEADER : 0;
}

/* An item of the other message: put where the table has it, or in place of the one that is there.
 */
size_t cross_nas(uint8_t *data, size_t size, size_t max, const uint8_t *other, size_t other_size,
		 struct chance *chance)
{
	struct work w = { .chance = chance };
	static uint8_t out[PDU_MAX];
	struct arena other_arena;
	struct nas_msg from;
	int len;

	arena_init(&w.arena, room, sizeof(room));
	arena_init(&other_arena, other_room, sizeof(other_room));
	if (nas_decode(&w.msg, OCTETS(data, size), &w.arena, DECODE_LENIENT, NULL) !=
		    FINDING_NONE ||
	    nas_decode(&from, OCTETS(other, other_size), &other_arena, DECODE_LENIENT, NULL) !=
		    FINDING_NONE ||
	    !from.count || !w.msg.info)
		return 0;
	for (uint32_t n = 1 + chance_below(chance, 3); n > 0; n--) {
		const struct nas_item *item = &from.items[chance_below(chance, from.count)];

		if (item->row)
			nas_set(&w.msg, (enum nas_ie)item->row->ie, item->value);
	}
	len = nas_encode(&w.msg, out, sizeof(out));
	if (len <= 0 || (size_t)len > max)
		return 0;
	memcpy(data, out, (size_t)len);
	return (size_t)len;
}
