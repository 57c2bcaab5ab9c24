/* NGAP messages by the IE tables and the node tables of their types. */
#include "codecs/ngap/ngap_check.h"
#include "fuzz/mutator/ngap_vary.h"

enum { ROOM = 4 << 20, OUT_MAX = 256 * 1024, FINDINGS_MAX = 4, UNKNOWN_PROCEDURE = 0xf0 };

struct work {
	struct ngap_pdu pdu;
	struct arena arena;
	struct vary vary;
	struct chance *chance;
};

static uint8_t room[ROOM];
static uint8_t other_room[ROOM];
static uint8_t out[OUT_MAX];

static bool is_clean(const struct ngap_pdu *pdu)
{
	struct findings findings = { NULL, 0, 0 };

	if (pdu->is_raw)
		return false;
	ngap_check(pdu, &findings);
	return findings.count == 0;
}

static const struct ngap_message_info *info_of(const struct ngap_pdu *pdu)
{
	return ngap_message_info(pdu->message);
}

static void remove_ie(struct ngap_pdu *pdu, size_t at)
{
	memmove(pdu->ies + at, pdu->ies + at + 1, (pdu->count - at - 1) * sizeof(*pdu->ies));
	pdu->count--;
}

/* Makes room for an IE at a place. */
static struct ngap_ie *insert_ie(struct ngap_pdu *pdu, size_t at)
{
	if (!ngap_add_raw(pdu, 0, NGAP_CRITICALITY_IGNORE, OCTETS(NULL, 0)))
		return NULL;
	memmove(pdu->ies + at + 1, pdu->ies + at, (pdu->count - at - 1) * sizeof(*pdu->ies));
	return &pdu->ies[at];
}

static void draw_message(struct work *w, enum ngap_sample kind)
{
	enum ngap_message message;

	do
		message = (enum ngap_message)(1 + chance_below(w->chance, NGAP_MESSAGE_COUNT - 1));
	while (message == NGAP_PRIVATE_MESSAGE);
	arena_reset(&w->arena);
	ngap_sample(&w->pdu, message, kind, -1, &w->arena);
	for (size_t i = w->pdu.count; i-- > 0;) {
		const struct ngap_ie_row *row = ngap_ie_row(message, w->pdu.ies[i].id);

		if (row && row->presence == NGAP_OPTIONAL && !chance_one_in(w->chance, 3))
			remove_ie(&w->pdu, i);
	}
}

/* Samples with values of later releases are not understood by all checks: those are drawn again. */
static void new_message(struct work *w)
{
	enum { TRIES = 8 };

	for (int i = 0; i < TRIES; i++) {
		draw_message(w, i + 1 < TRIES ? (enum ngap_sample)chance_below(w->chance,
									       NGAP_SAMPLE_COUNT)
					      : NGAP_SAMPLE_LEAST);
		if (is_clean(&w->pdu))
			return;
	}
}

/* Where in wire order the IE of this row goes. */
static size_t place_of(const struct ngap_pdu *pdu, const struct ngap_ie_row *row)
{
	const struct ngap_message_info *info = info_of(pdu);
	size_t at = 0;

	for (const struct ngap_ie_row *before = info->rows; before < row; before++)
		while (at < pdu->count && pdu->ies[at].id == before->id)
			at++;
	return at;
}

static void add_ie(struct work *w)
{
	const struct ngap_message_info *info = info_of(&w->pdu);
	size_t start = chance_below(w->chance, info->count);

	for (size_t i = 0; i < info->count; i++) {
		const struct ngap_ie_row *row = &info->rows[(start + i) % info->count];
		struct ngap_ie *ie;
		void *value;

		if (row->type == NGAP_TYPE_RAW || ngap_find(&w->pdu, (enum ngap_id)row->id))
			continue;
		value = ngap_new_value(&w->vary, &ngap_nodes[row->type], ngap_ie_name(row->id));
		ie = value ? insert_ie(&w->pdu, place_of(&w->pdu, row)) : NULL;
		if (ie)
			*ie = (struct ngap_ie){ .id = row->id,
						.criticality = row->criticality,
						.type = row->type,
						.value = value };
		return;
	}
}

static void keep_valid(struct work *w)
{
	struct ngap_pdu *pdu = &w->pdu;
	const struct ngap_ie_row *row;
	size_t at = chance_below(w->chance, pdu->count);

	switch (chance_below(w->chance, 8)) {
	case 0:
		add_ie(w);
		break;
	case 1:
		row = pdu->count ? ngap_ie_row(pdu->message, pdu->ies[at].id) : NULL;
		if (row && row->presence == NGAP_OPTIONAL)
			remove_ie(pdu, at);
		break;
	default:
		if (!pdu->count || !pdu->ies[at].value)
			break;
		ngap_vary(&w->vary, &ngap_nodes[pdu->ies[at].type],
			  (void *)(uintptr_t)pdu->ies[at].value);
		break;
	}
}

/* ---- one fault, in the structure ---- */

static bool break_duplicate(struct work *w)
{
	size_t at = chance_below(w->chance, w->pdu.count);
	struct ngap_ie copy;
	struct ngap_ie *ie;

	if (!w->pdu.count)
		return false;
	copy = w->pdu.ies[at];
	ie = insert_ie(&w->pdu, at + 1);
	if (ie)
		*ie = copy;
	return ie != NULL;
}

static bool break_missing(struct work *w)
{
	size_t start = chance_below(w->chance, w->pdu.count);

	for (size_t i = 0; i < w->pdu.count; i++) {
		size_t at = (start + i) % w->pdu.count;
		const struct ngap_ie_row *row = ngap_ie_row(w->pdu.message, w->pdu.ies[at].id);

		if (row && row->presence == NGAP_MANDATORY) {
			remove_ie(&w->pdu, at);
			return true;
		}
	}
	return false;
}

static bool break_order(struct work *w)
{
	size_t at;
	struct ngap_ie first;

	if (w->pdu.count < 2)
		return false;
	at = chance_below(w->chance, w->pdu.count - 1);
	first = w->pdu.ies[at];
	if (first.id == w->pdu.ies[at + 1].id)
		return false;
	w->pdu.ies[at] = w->pdu.ies[at + 1];
	w->pdu.ies[at + 1] = first;
	return true;
}

static bool break_criticality(struct work *w)
{
	struct ngap_ie *ie;

	if (!w->pdu.count)
		return false;
	ie = &w->pdu.ies[chance_below(w->chance, w->pdu.count)];
	ie->criticality = (uint8_t)((ie->criticality + 1 + chance_below(w->chance, 2)) % 3);
	return true;
}

static bool break_unknown_id(struct work *w)
{
	uint16_t id = (uint16_t)(40000 + chance_below(w->chance, 20000));
	uint8_t *content = arena_take(&w->arena, 8);
	struct ngap_ie *ie =
		content ? insert_ie(&w->pdu, chance_below(w->chance, w->pdu.count + 1)) : NULL;

	if (!ie)
		return false;
	for (size_t i = 0; i < 8; i++)
		content[i] = (uint8_t)chance_draw(w->chance);
	*ie = (struct ngap_ie){ .id = id,
				.criticality = (uint8_t)chance_below(w->chance, 3),
				.type = NGAP_TYPE_RAW,
				.raw = OCTETS(content, 1 + chance_below(w->chance, 8)) };
	return true;
}

/* An open type with an octet more than its value has, or without its last one. */
static bool break_size(struct work *w)
{
	struct ngap_ie *ie;
	ssize_t len;
	uint8_t *content;

	if (!w->pdu.count)
		return false;
	ie = &w->pdu.ies[chance_below(w->chance, w->pdu.count)];
	if (!ie->value)
		return false;
	len = ngap_encode_value((enum ngap_type)ie->type, ie->value, out, sizeof(out));
	content = len > 0 ? arena_take(&w->arena, (size_t)len + 1) : NULL;
	if (!content)
		return false;
	memcpy(content, out, (size_t)len);
	content[len] = 0;
	ie->raw = OCTETS(content, (size_t)len + 1);
	if (len > 1 && chance_one_in(w->chance, 2))
		ie->raw.len = (size_t)len - 1;
	ie->value = NULL;
	return true;
}

/* ---- one fault, in the octets ---- */

/* Where the content of the message's open type begins: behind a length of one or two octets. */
static size_t content_of(const uint8_t *data)
{
	return data[3] < 0x80 ? 4 : 5;
}

/* The length octet of a short IE of the encoded message, 0 for none. */
static size_t pick_length(struct work *w, const uint8_t *data, size_t len)
{
	struct ngap_pdu pdu;
	struct arena arena;
	size_t start;

	arena_init(&arena, other_room, sizeof(other_room));
	if (ngap_decode(&pdu, OCTETS(data, len), &arena, DECODE_LENIENT, NULL) != 0 || !pdu.count)
		return 0;
	start = chance_below(w->chance, pdu.count);
	for (size_t i = 0; i < pdu.count; i++) {
		struct octets raw = pdu.ies[(start + i) % pdu.count].raw;
		size_t at = (size_t)(raw.data - data);

		if (raw.len && raw.len < 0x7f && at < len && data[at - 1] == raw.len)
			return at - 1;
	}
	return 0;
}

/* The same length in two octets where one does, or a number of fragments that there cannot be. */
static size_t break_fragment(struct work *w, uint8_t *data, size_t len)
{
	size_t at = pick_length(w, data, len);
	size_t content = len - content_of(data);

	if (!at || len + 1 > sizeof(out) || content_of(data) + 0x3f00 < len)
		return 0;
	if (chance_one_in(w->chance, 2)) {
		data[at] = (uint8_t)(chance_one_in(w->chance, 2)
					     ? 0xc0
					     : 0xc5 + chance_below(w->chance, 0x3b));
		return len;
	}
	/* the message's own length has to stay as long as it is */
	if ((data[3] < 0x80 && content + 1 >= 0x80) || content + 1 >= 0x4000)
		return 0;
	memmove(data + at + 1, data + at, len - at);
	data[at] = 0x80;
	content++;
	if (data[3] < 0x80) {
		data[3] = (uint8_t)content;
	} else {
		data[3] = (uint8_t)(0x80 | content >> 8);
		data[4] = (uint8_t)content;
	}
	return len + 1;
}

static size_t break_octets(struct work *w, enum mutation_fault fault, uint8_t *data, size_t len)
{
	size_t at;

	switch (fault) {
	case FAULT_LENGTH:
		at = pick_length(w, data, len);
		if (!at)
			return 0;
		data[at] = (uint8_t)(chance_one_in(w->chance, 2) ? data[at] - 1 : data[at] + 1);
		return len;
	case FAULT_EXTENSION_BIT:
		if (data[content_of(data)] & 0x80)
			return 0;
		data[content_of(data)] |= 0x80;
		return len;
	case FAULT_FRAGMENT:
		return break_fragment(w, data, len);
	case FAULT_WRONG_MESSAGE:
		data[1] = (uint8_t)(UNKNOWN_PROCEDURE + chance_below(w->chance, 15));
		return len;
	default:
		return 0;
	}
}

static bool break_structure(struct work *w, enum mutation_fault fault)
{
	switch (fault) {
	case FAULT_DUPLICATE:
		return break_duplicate(w);
	case FAULT_MISSING:
		return break_missing(w);
	case FAULT_ORDER:
		return break_order(w);
	case FAULT_CRITICALITY:
		return break_criticality(w);
	case FAULT_UNKNOWN_ID:
		return break_unknown_id(w);
	case FAULT_SIZE:
		return break_size(w);
	default:
		return false;
	}
}

/* Encodes the message with one rule broken; 0 if that cannot be. */
static size_t encode_broken(struct work *w, enum mutation_fault fault)
{
	bool in_structure = break_structure(w, fault);
	ssize_t len = ngap_encode(&w->pdu, out, sizeof(out));

	if (len <= 0)
		return 0;
	return in_structure ? (size_t)len : break_octets(w, fault, out, (size_t)len);
}

static size_t encode_any_broken(struct work *w, enum mutation_fault *fault)
{
	enum mutation_fault wanted = *fault;

	for (int attempt = 0; attempt < 3 * FAULTS; attempt++) {
		size_t len;

		*fault = wanted;
		if (wanted == FAULT_NONE)
			*fault = (enum mutation_fault)(1 + chance_below(w->chance, FAULTS - 1));
		len = encode_broken(w, *fault);
		if (len)
			return len;
		new_message(w);
	}
	*fault = FAULT_NONE;
	return 0;
}

static bool break_nas(struct work *w, enum mutation_fault *fault)
{
	const struct ngap_ie *ie = ngap_find(&w->pdu, NGAP_ID_NAS_PDU);

	if (!ie || !ie->value)
		return false;
	w->vary.mode = MUTATION_FAULT;
	ngap_vary(&w->vary, &ngap_nodes[ie->type], (void *)(uintptr_t)ie->value);
	*fault = w->vary.fault;
	return true;
}

size_t mutate_ngap(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
		   enum mutation_fault *fault, struct chance *chance)
{
	struct work w = { .chance = chance };
	size_t len;

	if (mode == MUTATION_RAW)
		return mutate_octets(data, size, max, mode, fault, chance);
	arena_init(&w.arena, room, sizeof(room));
	w.vary = (struct vary){ &w.arena, chance, MUTATION_VALID, FAULT_NONE };
	if (chance_one_in(chance, 16) ||
	    ngap_decode(&w.pdu, OCTETS(data, size), &w.arena, DECODE_STRICT, NULL) != 0 ||
	    !is_clean(&w.pdu))
		new_message(&w);
	for (uint32_t n = 1 + chance_below(chance, 3); n > 0; n--)
		keep_valid(&w);
	/* a fault in the NAS message is a fault too, and then the only one */
	if (mode == MUTATION_FAULT && *fault == FAULT_NONE && chance_one_in(chance, 8) &&
	    break_nas(&w, fault))
		mode = MUTATION_VALID;
	if (mode == MUTATION_FAULT) {
		if (!is_clean(&w.pdu))
			new_message(&w);
		len = encode_any_broken(&w, fault);
	} else {
		ssize_t encoded = ngap_encode(&w.pdu, out, sizeof(out));

		len = encoded > 0 ? (size_t)encoded : 0;
	}
	if (len == 0 || len > max)
		return 0;
	memcpy(data, out, len);
	return len;
}

size_t mutate_ngap_value(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
			 enum mutation_fault *fault, struct chance *chance)
{
	enum { HEADER = 2 };
	const void *value;
	struct arena arena;
	struct vary vary;
	enum ngap_type type;
	void *fresh;
	ssize_t len;

	*fault = FAULT_NONE;
	if (mode != MUTATION_VALID || size < HEADER || max < HEADER + 1)
		return mutate_octets(data, size, max, mode, fault, chance);
	arena_init(&arena, room, sizeof(room));
	vary = (struct vary){ &arena, chance, MUTATION_VALID, FAULT_NONE };
	if (chance_one_in(chance, 8)) {
		data[0] = (uint8_t)chance_draw(chance);
		data[1] = (uint8_t)chance_draw(chance);
	}
	type = (enum ngap_type)(1 + (data[0] << 8 | data[1]) % (NGAP_TYPE_COUNT - 1));
	if (!ngap_nodes[type].name)
		return 0;
	if (ngap_decode_value(type, OCTETS(data + HEADER, size - HEADER), &arena, DECODE_STRICT,
			      NULL, &value) != 0) {
		fresh = ngap_new_value(&vary, &ngap_nodes[type], ngap_nodes[type].name);
		if (!fresh)
			return 0;
		value = fresh;
	}
	for (uint32_t n = 1 + chance_below(chance, 3); n > 0; n--)
		ngap_vary(&vary, &ngap_nodes[type], (void *)(uintptr_t)value);
	len = ngap_encode_value(type, value, out, sizeof(out));
	if (len <= 0 || (size_t)len > max - HEADER)
		return 0;
	memcpy(data + HEADER, out, (size_t)len);
	return (size_t)len + HEADER;
}

/* IEs of the other message: in place of those of the same id, or behind all others. */
size_t cross_ngap(uint8_t *data, size_t size, size_t max, const uint8_t *other, size_t other_size,
		  struct chance *chance)
{
	struct arena arena;
	struct arena other_arena;
	struct ngap_pdu pdu;
	struct ngap_pdu from;
	ssize_t len;

	arena_init(&arena, room, sizeof(room));
	arena_init(&other_arena, other_room, sizeof(other_room));
	if (ngap_decode(&pdu, OCTETS(data, size), &arena, DECODE_LENIENT, NULL) != 0 ||
	    ngap_decode(&from, OCTETS(other, other_size), &other_arena, DECODE_LENIENT, NULL) !=
		    0 ||
	    !from.count || pdu.is_raw)
		return 0;
	for (uint32_t n = 1 + chance_below(chance, 3); n > 0; n--) {
		const struct ngap_ie *ie = &from.ies[chance_below(chance, from.count)];
		size_t at = 0;

		while (at < pdu.count && pdu.ies[at].id != ie->id)
			at++;
		if (at < pdu.count)
			pdu.ies[at] = *ie;
		else
			ngap_add_raw(&pdu, ie->id, (enum ngap_criticality)ie->criticality, ie->raw);
	}
	len = ngap_encode(&pdu, out, sizeof(out));
	if (len <= 0 || (size_t)len > max)
		return 0;
	memcpy(data, out, (size_t)len);
	return (size_t)len;
}
