/*
 * NGAP-PDUs between octets and struct ngap_pdu. The frame of a message and the fields of its
 * containers are read and written by hand, because what an IE's open type holds depends on the
 * message and the id; the content is the walker's.
 */
#include <errno.h>

#include "codecs/ngap/ngap_tables.h"
#include "codecs/per/per_decode.h"
#include "codecs/per/per_encode.h"
#include "codecs/planted.h"

/* Octets of an IE without content: id, criticality, length. */
#define FIELD_OCTETS 4

/*
 * The row of this id; rows are searched from *next on, because the IEs of a message come in the
 * order of the rows if the sender is sane.
 */
static const struct ngap_ie_row *find_row(const struct ngap_ie_row *rows, size_t count, uint16_t id,
					  size_t *next)
{
	for (size_t i = *next; i < count; i++) {
		if (rows[i].id == id) {
			*next = i + 1;
			return &rows[i];
		}
	}
	for (size_t i = 0; i < *next && i < count; i++) {
		if (rows[i].id == id) {
			*next = i + 1;
			return &rows[i];
		}
	}
	return NULL;
}

/* A violated constraint spoils one IE; anything else means that the octets cannot be trusted. */
static bool spoils_one_ie(enum finding_rule rule)
{
	return rule == FINDING_RANGE || rule == FINDING_LENGTH || rule == FINDING_EMPTY_OPEN_TYPE;
}

/* The typed value of an IE whose content has just been read. */
static bool decode_content(struct per_decoder *d, struct ngap_ie *ie)
{
	const struct per_node *node = &ngap_nodes[ie->type];
	size_t used = d->arena->used;
	unsigned int depth = d->depth;
	struct per_reader saved;
	void *value = NULL;
	bool ok;

	d->field = node->name;
	per_enter(d, ie->raw, &saved);
	if (!likely(ie->raw.len)) {
		ok = per_fail(d, FINDING_EMPTY_OPEN_TYPE);
	} else {
		value = arena_take(d->arena, node->size);
		ok = value ? per_decode(d, node, value) : per_fail(d, FINDING_NO_MEMORY);
	}
	if (likely(ok)) {
		ie->value = value;
		return per_leave(d, &saved);
	}
	if (d->mode == DECODE_STRICT || !spoils_one_ie(d->rule))
		return false;
	d->in = saved;
	d->depth = depth;
	d->error = 0;
	if (PLANTED(10))
		ie->value = value;
	d->arena->used = used;
	return true;
}

/* Id, criticality and content of a field, whatever their form. */
static bool decode_any_frame(struct per_decoder *d, struct ngap_ie *ie)
{
	uint64_t head;

	d->field = "id";
	if (!per_get_align(d) || !per_get_bits(d, 24, &head))
		return false;
	ie->id = (uint16_t)(head >> 8);
	ie->criticality = head >> 6 & 3;
	d->ie = ie->id;
	if (head % 64 || ie->criticality > NGAP_CRITICALITY_NOTIFY) {
		d->field = "criticality";
		d->in.bit -= 8;
		if (ie->criticality > NGAP_CRITICALITY_NOTIFY)
			return per_fail(d, FINDING_SYNTAX);
		if (!per_note(d, FINDING_PADDING))
			return false;
		d->in.bit += 8;
	}
	d->field = "value";
	return per_get_open(d, &ie->raw);
}

/* The usual form of a frame, aligned and with a content below 128 octets, in one reading. */
static inline bool decode_frame(struct per_decoder *d, struct ngap_ie *ie)
{
	const uint8_t *p = d->in.data + d->in.bit / 8;
	size_t left = d->in.end - d->in.bit;
	uint32_t head;
	size_t bits;

	if (!likely(d->in.bit % 8 == 0 && left >= 8 * FIELD_OCTETS))
		return decode_any_frame(d, ie);
	memcpy(&head, p, sizeof(head));
	head = __builtin_bswap32(head);
	bits = 8 * ((head & 0xff) + FIELD_OCTETS);
	if (!likely((head & 0x3f80) == 0 && (head & 0xc000) != 0xc000 && bits <= left))
		return decode_any_frame(d, ie);
	ie->id = (uint16_t)(head >> 16);
	ie->criticality = head >> 14 & (PLANTED(8) ? 1 : 3);
	d->ie = ie->id;
	ie->raw = OCTETS(p + FIELD_OCTETS, head & 0xff);
	d->in.bit += bits;
	return true;
}

static bool decode_field(struct per_decoder *d, const struct ngap_ie_row *rows, size_t count,
			 size_t *next, struct ngap_ie *ie)
{
	const struct ngap_ie_row *row;

	ie->type = NGAP_TYPE_RAW;
	ie->value = NULL;
	if (!likely(decode_frame(d, ie)))
		return false;
	row = find_row(rows, count, ie->id, next);
	if (!row || row->type == NGAP_TYPE_RAW) {
		d->field = "value";
		return ie->raw.len || per_note(d, FINDING_EMPTY_OPEN_TYPE);
	}
	ie->type = row->type;
	return decode_content(d, ie);
}

static bool decode_fields(struct per_decoder *d, const struct ngap_ie_row *rows, size_t count,
			  size_t n, struct ngap_ie *ies)
{
	size_t next = 0;
	int32_t outer = d->ie;

	for (size_t i = 0; i < n; i++)
		if (!decode_field(d, rows, count, &next, &ies[i]))
			return false;
	d->ie = outer;
	return true;
}

/* Room for the n fields of a container, if what is left of the input can hold so many. */
static struct ngap_ie *take_fields(struct per_decoder *d, size_t n)
{
	struct ngap_ie *ies;

	if (n > (d->in.end - d->in.bit) / 8 / FIELD_OCTETS) {
		per_fail(d, FINDING_TRUNCATED);
		return NULL;
	}
	ies = arena_take(d->arena, n * sizeof(*ies));
	if (!ies)
		per_fail(d, FINDING_NO_MEMORY);
	return ies;
}

static bool decode_container(struct per_decoder *d, const struct per_node *node, void *out)
{
	const struct ngap_ie_set *set = node->foreign;
	struct ngap_ie_list *list = out;
	struct ngap_ie *ies;
	size_t next = 0;
	uint64_t n;

	if (set->single) {
		int32_t outer = d->ie;
		bool ok = decode_field(d, set->rows, set->count, &next, out);

		d->ie = outer;
		return ok;
	}
	if (!per_get_align(d) || !per_get_bits(d, 16, &n))
		return false;
	list->count = n + set->lower;
	list->items = NULL;
	if (list->count > UINT16_MAX)
		return per_fail(d, FINDING_LENGTH);
	if (list->count == 0)
		return true;
	ies = take_fields(d, list->count);
	list->items = ies;
	return ies && decode_fields(d, set->rows, set->count, list->count, ies);
}

/* The SEQUENCE that every message is: the IEs, and what comes after them in some later release. */
static bool decode_message(struct per_decoder *d, struct ngap_pdu *pdu,
			   const struct ngap_message_info *info)
{
	uint64_t extended;
	uint64_t n;

	d->field = "protocolIEs";
	if (!per_get_bits(d, 1, &extended) || !per_get_align(d) || !per_get_bits(d, 16, &n))
		return false;
	if (n) {
		pdu->ies = take_fields(d, n);
		if (!pdu->ies)
			return false;
		pdu->max = n;
		pdu->count = n;
		if (!decode_fields(d, info->rows, info->count, n, pdu->ies))
			return false;
	}
	d->field = "extensions";
	return !extended || per_get_additions(d, &pdu->additions);
}

static bool decode_pdu(struct per_decoder *d, struct ngap_pdu *pdu)
{
	struct per_reader saved;
	uint64_t head;

	d->field = "NGAP-PDU";
	if (!per_get_bits(d, 8, &head))
		return false;
	if (head >> 7) {
		d->in.bit = 0;
		return per_fail(d, FINDING_NOT_COMPREHENDED);
	}
	if (head >> 5 > NGAP_UNSUCCESSFUL_OUTCOME) {
		d->in.bit = 1;
		return per_fail(d, FINDING_SYNTAX);
	}
	pdu->kind = (enum ngap_kind)(head >> 5);
	if (head & 0x1f && !per_note(d, FINDING_PADDING))
		return false;
	d->field = "procedureCode";
	if (!per_get_bits(d, 8, &head))
		return false;
	pdu->procedure_code = (uint8_t)head;
	d->field = "criticality";
	if (!per_get_bits(d, 2, &head))
		return false;
	pdu->criticality = (uint8_t)head;
	if (head > NGAP_CRITICALITY_NOTIFY) {
		d->in.bit -= 2;
		return per_fail(d, FINDING_SYNTAX);
	}
	pdu->message = ngap_message_of(pdu->procedure_code, pdu->kind);
	d->field = "value";
	if (!per_get_open(d, &pdu->raw))
		return false;
	if (pdu->raw.len == 0)
		return per_fail(d, FINDING_EMPTY_OPEN_TYPE);
	if (pdu->message == NGAP_MESSAGE_UNKNOWN || pdu->message == NGAP_PRIVATE_MESSAGE) {
		pdu->is_raw = true;
	} else {
		per_enter(d, pdu->raw, &saved);
		if (!decode_message(d, pdu, ngap_message_info(pdu->message)))
			return false;
		d->field = "value";
		if (!per_leave(d, &saved))
			return false;
	}
	d->field = "NGAP-PDU";
	if (likely(d->in.bit == d->in.end))
		return true;
	pdu->trailing = OCTETS(d->in.data + d->in.bit / 8, (d->in.end - d->in.bit) / 8);
	return per_note(d, FINDING_TRAILING);
}

int ngap_decode(struct ngap_pdu *pdu, struct octets in, struct arena *arena, enum decode_mode mode,
		struct findings *findings)
{
	struct per_decoder d;

	pdu->message = NGAP_MESSAGE_UNKNOWN;
	pdu->ies = NULL;
	pdu->count = 0;
	pdu->max = 0;
	pdu->arena = arena;
	pdu->error = 0;
	pdu->is_raw = false;
	pdu->additions = NULL;
	pdu->trailing = OCTETS(NULL, 0);
	if (in.len > NGAP_PDU_MAX) {
		finding_add(
			findings,
			(struct finding){ .rule = FINDING_LENGTH, .ie = -1, .field = "NGAP-PDU" });
		return -EBADMSG;
	}
	per_decoder_init(&d, in, arena, mode, findings, decode_container);
	if (!likely(decode_pdu(&d, pdu)))
		return d.error;
	return 0;
}

int ngap_decode_value(enum ngap_type type, struct octets in, struct arena *arena,
		      enum decode_mode mode, struct findings *findings, const void **value)
{
	struct per_decoder d;
	struct per_reader saved;
	void *out;

	if (type <= NGAP_TYPE_RAW || type >= NGAP_TYPE_COUNT || !ngap_nodes[type].name ||
	    in.len > NGAP_PDU_MAX)
		return -EINVAL;
	per_decoder_init(&d, in, arena, mode, findings, decode_container);
	d.field = ngap_nodes[type].name;
	saved = d.in;
	out = arena_take(arena, ngap_nodes[type].size);
	if (!out)
		per_fail(&d, FINDING_NO_MEMORY);
	else if (per_decode(&d, &ngap_nodes[type], out) && per_leave(&d, &saved))
		*value = out;
	return d.error;
}

static bool encode_field(struct per_encoder *e, const struct ngap_ie *ie)
{
	size_t start;

	if (ie->criticality > NGAP_CRITICALITY_NOTIFY)
		return per_refuse(e, -ERANGE);
	if (!ie->value)
		return per_put_align(e) &&
		       per_put_bits(e, (uint64_t)ie->id << 8 | (uint64_t)ie->criticality << 6,
				    24) &&
		       per_put_open(e, ie->raw);
	if (ie->type <= NGAP_TYPE_RAW || ie->type >= NGAP_TYPE_COUNT || !ngap_nodes[ie->type].name)
		return per_refuse(e, -EINVAL);
	/* Behind the frame, the gap that per_open_begin would leave. */
	if (!per_put_align(e) ||
	    !per_put_bits(e, (uint64_t)ie->id << 16 | (uint64_t)ie->criticality << 14, 32))
		return false;
	start = e->len - 1;
	return per_encode(e, &ngap_nodes[ie->type], ie->value) && per_open_end(e, start);
}

static bool encode_fields(struct per_encoder *e, const struct ngap_ie *ies, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!encode_field(e, &ies[i]))
			return false;
	return true;
}

static bool encode_container(struct per_encoder *e, const struct per_node *node, const void *value)
{
	const struct ngap_ie_set *set = node->foreign;
	const struct ngap_ie_list *list = value;

	if (set->single)
		return encode_field(e, value);
	if (list->count < set->lower || list->count > UINT16_MAX)
		return per_refuse(e, -ERANGE);
	return per_put_align(e) && per_put_bits(e, list->count - set->lower, 16) &&
	       encode_fields(e, list->items, list->count);
}

static bool encode_message(struct per_encoder *e, const struct ngap_pdu *pdu)
{
	size_t start;

	if (pdu->kind > NGAP_UNSUCCESSFUL_OUTCOME || pdu->criticality > NGAP_CRITICALITY_NOTIFY ||
	    pdu->count > UINT16_MAX)
		return per_refuse(e, -ERANGE);
	if (!per_put_bits(e,
			  (uint64_t)pdu->kind << 21 | (uint64_t)pdu->procedure_code << 8 |
				  (uint64_t)pdu->criticality << 6,
			  24))
		return false;
	if (pdu->is_raw)
		return per_put_open(e, pdu->raw);
	return per_open_begin(e, &start) &&
	       per_put_bits(e, (uint64_t)(pdu->additions != NULL) << 23 | pdu->count, 24) &&
	       encode_fields(e, pdu->ies, pdu->count) &&
	       (!pdu->additions || per_put_additions(e, pdu->additions)) && per_open_end(e, start);
}

static ssize_t encode_trailing(struct per_encoder *e, struct octets trailing)
{
	if (trailing.len > e->size - e->len)
		return -ENOSPC;
	memcpy(e->buf + e->len, trailing.data, trailing.len);
	return (ssize_t)(e->len + trailing.len);
}

ssize_t ngap_encode(const struct ngap_pdu *pdu, uint8_t *buf, size_t size)
{
	struct per_encoder e;

	if (pdu->error)
		return pdu->error;
	per_encoder_init(&e, buf, size, encode_container);
	if (!encode_message(&e, pdu))
		return e.error;
	if (!likely(!pdu->trailing.len))
		return encode_trailing(&e, pdu->trailing);
	return (ssize_t)e.len;
}

ssize_t ngap_encode_value(enum ngap_type type, const void *value, uint8_t *buf, size_t size)
{
	struct per_encoder e;

	if (type <= NGAP_TYPE_RAW || type >= NGAP_TYPE_COUNT || !ngap_nodes[type].name)
		return -EINVAL;
	per_encoder_init(&e, buf, size, encode_container);
	if (!per_encode(&e, &ngap_nodes[type], value) || !per_put_align(&e))
		return e.error;
	if (e.len == 0 && !per_put_bits(&e, 0, 8))
		return e.error;
	return (ssize_t)e.len;
}
