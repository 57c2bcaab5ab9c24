/*
 * What the tables say about messages, and composing a message IE by IE. Needs no knowledge of the
 * encoding.
 */
#include "codecs/ngap/ngap.h"

#include <errno.h>

#include "codecs/ngap/ngap_tables.h"

static const uint8_t message_of[][3] = {
#define MESSAGE(id, procedure, kind, name) [NGAP_PROCEDURE_##procedure][NGAP_##kind] = NGAP_##id,
#include "codecs/ngap/ngap_messages.def"
};

_Static_assert(NGAP_MESSAGE_COUNT <= UINT8_MAX, "message_of is too narrow");

static const char *const procedure_names[] = {
#define PROCEDURE(id, code, criticality, name) [code] = name,
#include "codecs/ngap/ngap_messages.def"
};

static const char *const ie_names[] = {
#define ID(id, number, name) [number] = name,
#include "codecs/ngap/ngap_ids.def"
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum ngap_message ngap_message_of(uint8_t procedure_code, enum ngap_kind kind)
{
	if (procedure_code >= COUNT(message_of) || kind > NGAP_UNSUCCESSFUL_OUTCOME)
		return NGAP_MESSAGE_UNKNOWN;
	return message_of[procedure_code][kind];
}

const struct ngap_message_info *ngap_message_info(enum ngap_message message)
{
	if (message <= NGAP_MESSAGE_UNKNOWN || message >= NGAP_MESSAGE_COUNT)
		return &ngap_message_infos[NGAP_MESSAGE_UNKNOWN];
	return &ngap_message_infos[message];
}

const struct ngap_ie_row *ngap_ie_row(enum ngap_message message, uint16_t id)
{
	const struct ngap_message_info *info = ngap_message_info(message);

	for (size_t i = 0; i < info->count; i++)
		if (info->rows[i].id == id)
			return &info->rows[i];
	return NULL;
}

const char *ngap_message_name(enum ngap_message message)
{
	return ngap_message_info(message)->name;
}

const char *ngap_procedure_name(uint8_t procedure_code)
{
	return procedure_code < COUNT(procedure_names) && procedure_names[procedure_code]
		       ? procedure_names[procedure_code]
		       : "unknown";
}

const char *ngap_ie_name(uint16_t id)
{
	return id < COUNT(ie_names) && ie_names[id] ? ie_names[id] : "unknown";
}

void ngap_pdu_init(struct ngap_pdu *pdu, enum ngap_message message, struct arena *arena)
{
	const struct ngap_message_info *info = ngap_message_info(message);

	*pdu = (struct ngap_pdu){
		.kind = info->kind,
		.procedure_code = info->procedure_code,
		.criticality = info->criticality,
		.message = message,
		.arena = arena,
	};
}

static void *fail(struct ngap_pdu *pdu, int error)
{
	if (!pdu->error)
		pdu->error = error;
	return NULL;
}

static struct ngap_ie *append(struct ngap_pdu *pdu, const struct ngap_ie *ie)
{
	if (pdu->count == pdu->max) {
		size_t max = pdu->max ? 2 * pdu->max : 8;
		struct ngap_ie *ies = arena_take(pdu->arena, max * sizeof(*ies));

		if (!ies)
			return fail(pdu, -ENOMEM);
		if (pdu->count)
			memcpy(ies, pdu->ies, pdu->count * sizeof(*ies));
		pdu->ies = ies;
		pdu->max = max;
	}
	pdu->ies[pdu->count] = *ie;
	return &pdu->ies[pdu->count++];
}

struct ngap_ie *ngap_add(struct ngap_pdu *pdu, enum ngap_id id, const void *value)
{
	const struct ngap_ie_row *row = ngap_ie_row(pdu->message, (uint16_t)id);

	if (!row || row->type == NGAP_TYPE_RAW || !value)
		return fail(pdu, -EINVAL);
	return append(pdu, &(struct ngap_ie){
				   .id = row->id,
				   .criticality = row->criticality,
				   .type = row->type,
				   .value = value,
			   });
}

/* A scalar of one of the kinds from first to last, copied into the arena. */
static struct ngap_ie *add_copy(struct ngap_pdu *pdu, enum ngap_id id, const void *value,
				size_t size, enum per_kind first, enum per_kind last)
{
	const struct ngap_ie_row *row = ngap_ie_row(pdu->message, (uint16_t)id);
	void *copy;

	if (!row || row->type == NGAP_TYPE_RAW || ngap_nodes[row->type].kind < first ||
	    ngap_nodes[row->type].kind > last)
		return fail(pdu, -EINVAL);
	copy = arena_take(pdu->arena, size);
	if (!copy)
		return fail(pdu, -ENOMEM);
	memcpy(copy, value, size);
	return ngap_add(pdu, id, copy);
}

static bool is_bits_64(const struct ngap_pdu *pdu, enum ngap_id id)
{
	const struct ngap_ie_row *row = ngap_ie_row(pdu->message, (uint16_t)id);

	return row && ngap_nodes[row->type].kind == PER_BITS_64;
}

struct ngap_ie *ngap_add_int(struct ngap_pdu *pdu, enum ngap_id id, int64_t value)
{
	enum per_kind kind = is_bits_64(pdu, id) ? PER_BITS_64 : PER_INTEGER;

	return add_copy(pdu, id, &value, sizeof(value), kind, kind);
}

struct ngap_ie *ngap_add_enum(struct ngap_pdu *pdu, enum ngap_id id, int value)
{
	return add_copy(pdu, id, &value, sizeof(value), PER_ENUMERATED, PER_ENUMERATED);
}

struct ngap_ie *ngap_add_octets(struct ngap_pdu *pdu, enum ngap_id id, struct octets value)
{
	return add_copy(pdu, id, &value, sizeof(value), PER_OCTET_STRING, PER_UTF8_STRING);
}

struct ngap_ie *ngap_add_cause(struct ngap_pdu *pdu, enum ngap_cause_choice group, int value)
{
	struct ngap_cause *cause = arena_take(pdu->arena, sizeof(*cause));

	if (!cause)
		return fail(pdu, -ENOMEM);
	*cause = (struct ngap_cause){ .choice = group };
	switch (group) {
	case NGAP_CAUSE_CHOICE_RADIO_NETWORK:
		cause->radio_network = (enum ngap_cause_radio_network)value;
		break;
	case NGAP_CAUSE_CHOICE_TRANSPORT:
		cause->transport = (enum ngap_cause_transport)value;
		break;
	case NGAP_CAUSE_CHOICE_NAS:
		cause->nas = (enum ngap_cause_nas)value;
		break;
	case NGAP_CAUSE_CHOICE_PROTOCOL:
		cause->protocol = (enum ngap_cause_protocol)value;
		break;
	default:
		cause->choice = NGAP_CAUSE_CHOICE_MISC;
		cause->misc = (enum ngap_cause_misc)value;
		break;
	}
	return ngap_add(pdu, NGAP_ID_CAUSE, cause);
}

struct ngap_ie *ngap_add_raw(struct ngap_pdu *pdu, uint16_t id, enum ngap_criticality criticality,
			     struct octets content)
{
	const struct ngap_ie_row *row = ngap_ie_row(pdu->message, id);

	return append(pdu, &(struct ngap_ie){
				   .id = id,
				   .criticality = (uint8_t)criticality,
				   .type = row ? row->type : NGAP_TYPE_RAW,
				   .raw = content,
			   });
}

size_t ngap_remove(struct ngap_pdu *pdu, enum ngap_id id)
{
	size_t kept = 0;
	size_t was = pdu->count;

	for (size_t i = 0; i < was; i++)
		if (pdu->ies[i].id != id)
			pdu->ies[kept++] = pdu->ies[i];
	pdu->count = kept;
	return was - kept;
}

const struct ngap_ie *ngap_find(const struct ngap_pdu *pdu, enum ngap_id id)
{
	for (size_t i = 0; i < pdu->count; i++)
		if (pdu->ies[i].id == id)
			return &pdu->ies[i];
	return NULL;
}

const void *ngap_value(const struct ngap_pdu *pdu, enum ngap_id id)
{
	const struct ngap_ie *ie = ngap_find(pdu, id);

	return ie ? ie->value : NULL;
}

/* The first IE of this id if it is typed, of one of the kinds from first to last. */
static const void *value_of(const struct ngap_pdu *pdu, enum ngap_id id, enum per_kind first,
			    enum per_kind last)
{
	const struct ngap_ie *ie = ngap_find(pdu, id);

	if (!ie || !ie->value || ie->type <= NGAP_TYPE_RAW || ie->type >= NGAP_TYPE_COUNT ||
	    ngap_nodes[ie->type].kind < first || ngap_nodes[ie->type].kind > last)
		return NULL;
	return ie->value;
}

bool ngap_get_int(const struct ngap_pdu *pdu, enum ngap_id id, int64_t *value)
{
	const int64_t *at = value_of(pdu, id, PER_INTEGER, PER_INTEGER);

	if (!at)
		at = value_of(pdu, id, PER_BITS_64, PER_BITS_64);
	if (at)
		*value = *at;
	return at != NULL;
}

bool ngap_get_enum(const struct ngap_pdu *pdu, enum ngap_id id, int *value)
{
	const int *at = value_of(pdu, id, PER_ENUMERATED, PER_ENUMERATED);

	if (at)
		*value = *at;
	return at != NULL;
}

bool ngap_get_octets(const struct ngap_pdu *pdu, enum ngap_id id, struct octets *value)
{
	const struct octets *at = value_of(pdu, id, PER_OCTET_STRING, PER_UTF8_STRING);

	if (at)
		*value = *at;
	return at != NULL;
}

const void *ngap_extension(const struct ngap_ie_list *list, enum ngap_id id)
{
	for (size_t i = 0; list && i < list->count; i++)
		if (list->items[i].id == id)
			return list->items[i].value;
	return NULL;
}
