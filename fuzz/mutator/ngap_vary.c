/*
 * The walk goes down a value by the node table and changes what it comes to: each step either stops
 * at a component of its own or goes on into one.
 */
#include "fuzz/mutator/ngap_vary.h"

enum { OCTETS_GROWTH = 40, LIST_GROWTH = 4, NAS_ROOM = 2048, FRAGMENTED_MAX = 3 * PER_FRAGMENT };

void *ngap_new_value(struct vary *v, const struct per_node *node, const char *name)
{
	enum ngap_sample kind = (enum ngap_sample)(
		chance_one_in(v->chance, 3) ? NGAP_SAMPLE_LEAST
					    : chance_below(v->chance, NGAP_SAMPLE_COUNT));

	return ngap_sample_value(node, name, kind, v->arena);
}

static void vary_integer(struct vary *v, const struct per_node *node, int64_t *value)
{
	uint64_t range = (uint64_t)node->upper - (uint64_t)node->lower;
	uint64_t up;

	switch (chance_below(v->chance, 4)) {
	case 0:
		up = 0;
		break;
	case 1:
		up = range;
		break;
	case 2: /* about a power of two, where the number of octets changes */
		up = (UINT64_C(1) << chance_below(v->chance, 63)) - chance_below(v->chance, 2);
		break;
	default:
		up = (uint64_t)chance_draw(v->chance) << 32 | chance_draw(v->chance);
		break;
	}
	if (range != UINT64_MAX)
		up %= range + 1;
	*value = (int64_t)((uint64_t)node->lower + up);
}

static size_t vary_size(struct vary *v, const struct per_node *node, size_t size, size_t growth)
{
	size_t lower = (size_t)node->lower;
	size_t upper = (uint64_t)node->upper > size + growth ? size + growth : (size_t)node->upper;

	if (chance_one_in(v->chance, 3))
		return size;
	return upper > lower ? lower + chance_below(v->chance, upper - lower + 1) : lower;
}

static void vary_bits(struct vary *v, const struct per_node *node, struct per_bits *bits)
{
	size_t n = vary_size(v, node, bits->len, OCTETS_GROWTH);
	uint8_t *data = arena_take(v->arena, (n + 7) / 8 + 1);

	if (!data)
		return;
	for (size_t i = 0; i < (n + 7) / 8; i++)
		data[i] = i < (bits->len + 7) / 8 && !chance_one_in(v->chance, 4)
				  ? bits->data[i]
				  : (uint8_t)chance_draw(v->chance);
	if (n % 8)
		data[n / 8] = (uint8_t)(data[n / 8] & 0xff << (8 - n % 8));
	*bits = PER_BITS(data, n);
}

static void vary_nas(struct vary *v, struct octets *value)
{
	uint8_t *data = arena_take(v->arena, NAS_ROOM);
	size_t len;

	if (!data || value->len > NAS_ROOM)
		return;
	memcpy(data, value->data, value->len);
	len = mutate_nas(data, value->len, NAS_ROOM, v->mode, &v->fault, v->chance);
	if (len)
		*value = OCTETS(data, len);
}

static void vary_octets(struct vary *v, const struct per_node *node, struct octets *value)
{
	size_t n = vary_size(v, node, value->len, OCTETS_GROWTH);
	bool text = node->kind != PER_OCTET_STRING;
	uint8_t *data;

	if (strcmp(node->name, "NAS-PDU") == 0 && !chance_one_in(v->chance, 64)) {
		vary_nas(v, value);
		return;
	}
	/* now and then as long as it takes for a length in fragments */
	if (node->form == PER_GENERAL && (uint64_t)node->upper >= FRAGMENTED_MAX &&
	    chance_one_in(v->chance, 64))
		n = PER_FRAGMENT + chance_below(v->chance, FRAGMENTED_MAX - PER_FRAGMENT);
	data = arena_take(v->arena, n + 1);
	if (!data)
		return;
	for (size_t i = 0; i < n; i++) {
		if (i < value->len && !chance_one_in(v->chance, 4))
			data[i] = value->data[i];
		else
			data[i] = text ? (uint8_t)('A' + chance_below(v->chance, 26))
				       : (uint8_t)chance_draw(v->chance);
	}
	*value = OCTETS(data, n);
}

/* What a later release may have added behind the root of a SEQUENCE: up to 16 open types. */
static const struct per_additions *new_additions(struct vary *v)
{
	enum { BITS_MAX = 16, VALUE_MAX = 12 };
	struct per_additions *additions = arena_take(v->arena, sizeof(*additions));
	size_t bits = 1 + chance_below(v->chance, BITS_MAX);
	uint8_t *storage = arena_take(v->arena, 8);
	struct octets *values = arena_take(v->arena, BITS_MAX * sizeof(*values));

	if (!additions || !storage || !values)
		return NULL;
	*additions = (struct per_additions){
		.present = per_bits_of(storage, 1U | chance_draw(v->chance), bits),
		.values = values,
	};
	for (size_t i = 0; i < bits; i++) {
		size_t n = 1 + chance_below(v->chance, VALUE_MAX);
		uint8_t *value = arena_take(v->arena, n);

		if (!(storage[i / 8] >> (7 - i % 8) & 1))
			continue;
		if (!value)
			return NULL;
		memset(value, (int)chance_below(v->chance, 256), n);
		values[additions->count++] = OCTETS(value, n);
	}
	return additions;
}

static void vary_sequence(struct vary *v, const struct per_node *node, uint8_t *value)
{
	const struct per_member *member;
	void *at;

	if (node->extensible && chance_one_in(v->chance, 16))
		*(const struct per_additions **)(void *)(value + node->additions) =
			new_additions(v);
	if (!node->count)
		return;
	member = &node->members[chance_below(v->chance, node->count)];
	at = value + member->offset;
	if (member->optional) {
		void **pointer = at;

		if (!*pointer) {
			*pointer = ngap_new_value(v, member->node, member->name);
			/* an extension container cannot be empty, a single one has to have a value
			 */
			if (member->node->kind == PER_FOREIGN)
				*pointer = NULL;
			return;
		}
		if (chance_one_in(v->chance, 3)) {
			*pointer = NULL;
			return;
		}
		at = *pointer;
	}
	ngap_vary(v, member->node, at);
}

static void vary_list(struct vary *v, const struct per_node *node, struct per_list *list)
{
	const struct per_node *element = node->members->node;
	size_t n = vary_size(v, node, list->count, LIST_GROWTH);
	uint8_t *items;

	if (chance_one_in(v->chance, 2))
		n = list->count;
	if (n > list->count + LIST_GROWTH)
		n = list->count;
	items = arena_take(v->arena, (n ? n : 1) * element->size);
	if (!items)
		return;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *from;

		if (list->count)
			from = (const uint8_t *)list->items + i % list->count * element->size;
		else
			from = ngap_new_value(v, element, element->name);
		if (!from)
			return;
		memcpy(items + i * element->size, from, element->size);
	}
	*list = (struct per_list){ n, items };
	if (n)
		ngap_vary(v, element, items + chance_below(v->chance, n) * element->size);
}

static void vary_choice(struct vary *v, const struct per_node *node, uint8_t *value)
{
	uint32_t *choice = (uint32_t *)(void *)value;
	const struct per_member *member;
	void *content;
	size_t at;

	if (*choice < 1 || *choice > node->count)
		return;
	member = &node->members[*choice - 1];
	if (!chance_one_in(v->chance, 3)) {
		ngap_vary(v, member->node, value + member->offset);
		return;
	}
	at = chance_below(v->chance, node->count);
	member = &node->members[at];
	if (member->node->kind == PER_FOREIGN)
		return;
	content = ngap_new_value(v, member->node, member->name);
	if (!content)
		return;
	*choice = (uint32_t)at + 1;
	memcpy(value + member->offset, content, member->node->size);
}

static void vary_ie(struct vary *v, struct ngap_ie *ie)
{
	if (ie->value && ie->type > NGAP_TYPE_RAW && ie->type < NGAP_TYPE_COUNT)
		ngap_vary(v, &ngap_nodes[ie->type], (void *)(uintptr_t)ie->value);
}

static void vary_container(struct vary *v, const struct ngap_ie_set *set, void *value)
{
	struct ngap_ie_list *list = value;
	struct ngap_ie *ies = value;

	if (set->single) {
		vary_ie(v, ies);
		return;
	}
	if (!list->count)
		return;
	ies = (struct ngap_ie *)(uintptr_t)list->items;
	if (list->count > 1 && chance_one_in(v->chance, 4))
		list->count--;
	else
		vary_ie(v, &ies[chance_below(v->chance, list->count)]);
}

void ngap_vary(struct vary *v, const struct per_node *node, void *value)
{
	switch ((enum per_kind)node->kind) {
	case PER_INTEGER:
		vary_integer(v, node, value);
		break;
	case PER_ENUMERATED:
		*(uint32_t *)value = chance_below(v->chance, (size_t)node->upper + 1);
		if (node->extensible && node->count > node->upper + 1 &&
		    chance_one_in(v->chance, 4))
			*(uint32_t *)value = chance_below(v->chance, node->count);
		break;
	case PER_BITS_64:
		*(uint64_t *)value =
			((uint64_t)chance_draw(v->chance) << 32 | chance_draw(v->chance)) >>
			(64 - node->upper);
		break;
	case PER_BIT_STRING:
		vary_bits(v, node, value);
		break;
	case PER_SEQUENCE:
		vary_sequence(v, node, value);
		break;
	case PER_SEQUENCE_OF:
		vary_list(v, node, value);
		break;
	case PER_CHOICE:
		vary_choice(v, node, value);
		break;
	case PER_FOREIGN:
		vary_container(v, node->foreign, value);
		break;
	default:
		vary_octets(v, node, value);
		break;
	}
}
