/* Values by walking the node tables: what a type can hold is what a sample of it is made of. */
#include "codecs/ngap/ngap_sample.h"

#include <errno.h>

#include "codecs/ngap/ngap_tables.h"

/* What an octet string holds that somebody else will want to dissect, by the name of its field. */
static const struct {
	const char *name;
	struct octets content;
} contents[] = {
#define CONTENT(name, octets)                                       \
	{                                                           \
		name,                                               \
		{                                                   \
			(const uint8_t *)octets, sizeof(octets) - 1 \
		}                                                   \
	}
	/* Intra N1 mode NAS transparent container: MAC, algorithms, ngKSI, NAS COUNT */
	CONTENT("NASC", "\x01\x02\x03\x04\x12\x00\x05"),
	/* 5GMM status, cause 111 */
	CONTENT("NAS-PDU", "\x7e\x00\x64\x6f"),
	/* OVERLOAD STOP */
	CONTENT("NGAP-Message", "\x00\x17\x00\x03\x00\x00\x00"),
	CONTENT("pDUSessionResourceSetupRequestTransfer",
		"\x00\x00\x03\x00\x8b\x00\x0a\x01\xf0\x7f\x00\x00\x01\x00\x00\x00\x01\x00\x86\x00"
		"\x01\x00"
		"\x00\x88\x00\x07\x00\x09\x00\x00\x09\x1c\x00"),
	CONTENT("pDUSessionResourceSetupResponseTransfer",
		"\x00\x03\xe0\x7f\x00\x00\x01\x00\x00\x00\x01\x00\x01"),
	CONTENT("pDUSessionResourceSetupUnsuccessfulTransfer", "\x00\x00"),
	/* UERadioAccessCapabilityInformation without content, empty UERadioPagingInformation */
	CONTENT("UERadioCapability", "\x00\x00"),
	CONTENT("UERadioCapabilityForPagingOfNR", "\x00\x00"),
	CONTENT("UERadioCapabilityForPagingOfEUTRA", "\x00\x00"),
	CONTENT("PLMNIdentity", "\x99\xf9\x07"),
#undef CONTENT
};

struct sampler {
	enum ngap_sample kind;
	struct arena *arena;
	bool failed;
	unsigned int depth;
};

static void *take(struct sampler *s, size_t size)
{
	void *memory = arena_take(s->arena, size);

	if (!memory)
		s->failed = true;
	return memory;
}

static void fill(struct sampler *s, const struct per_node *node, const char *name, void *out);

static struct octets octets_of(struct sampler *s, const struct per_node *node, const char *name)
{
	size_t n = (size_t)node->lower;
	uint8_t *data;

	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++)
		if (strcmp(contents[i].name, name) == 0 ||
		    strcmp(contents[i].name, node->name) == 0)
			return contents[i].content;
	if (s->kind != NGAP_SAMPLE_LEAST && node->upper > node->lower)
		n = node->upper < 150 ? (size_t)node->upper : 150;
	else if (node->upper > node->lower && n == 0)
		n = 1;
	data = take(s, n);
	if (!data)
		return OCTETS(NULL, 0);
	memset(data, node->kind == PER_OCTET_STRING ? 0x01 : 'a', n);
	return OCTETS(data, n);
}

static struct per_bits bits_of(struct sampler *s, const struct per_node *node)
{
	size_t n = s->kind == NGAP_SAMPLE_LEAST ? (size_t)node->lower : (size_t)node->upper;
	uint8_t *data;

	if (strcmp(node->name, "TransportLayerAddress") == 0)
		n = s->kind == NGAP_SAMPLE_LEAST ? 32 : 160;
	data = take(s, (n + 7) / 8);
	if (!data)
		return PER_BITS(NULL, 0);
	memset(data, s->kind == NGAP_SAMPLE_LEAST ? 0 : 0xff, (n + 7) / 8);
	return PER_BITS(data, n);
}

static void fill_ie(struct sampler *s, const struct ngap_ie_row *row, struct ngap_ie *ie)
{
	void *value = take(s, ngap_nodes[row->type].size);

	*ie = (struct ngap_ie){
		.id = row->id, .criticality = row->criticality, .type = row->type, .value = value
	};
	if (value)
		fill(s, &ngap_nodes[row->type], ngap_ie_name(row->id), value);
}

/* Every extension of the set that has a type; a list of none is not sent at all. */
static void fill_list(struct sampler *s, const struct ngap_ie_set *set, struct ngap_ie_list *list)
{
	struct ngap_ie *ies = take(s, set->count * sizeof(*ies));

	list->count = 0;
	list->items = ies;
	for (size_t i = 0; ies && i < set->count; i++)
		if (set->rows[i].type != NGAP_TYPE_RAW)
			fill_ie(s, &set->rows[i], &ies[list->count++]);
}

static bool has_typed(const struct ngap_ie_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rows[i].type != NGAP_TYPE_RAW)
			return true;
	return false;
}

static void fill_foreign(struct sampler *s, const struct ngap_ie_set *set, void *out)
{
	if (!set->single) {
		fill_list(s, set, out);
		return;
	}
	for (size_t i = set->count; i-- > 0;) {
		if (set->rows[i].type != NGAP_TYPE_RAW) {
			fill_ie(s, &set->rows[i], out);
			return;
		}
	}
}

static void fill_sequence(struct sampler *s, const struct per_node *node, uint8_t *out)
{
	for (size_t i = 0; i < node->count; i++) {
		const struct per_member *member = &node->members[i];
		void *at = out + member->offset;

		if (member->optional) {
			bool wanted = s->kind != NGAP_SAMPLE_LEAST && s->depth < 12;
			void *value = NULL;

			if (wanted &&
			    (member->node->kind != PER_FOREIGN || has_typed(member->node->foreign)))
				value = take(s, member->node->size);
			*(const void **)at = value;
			at = value;
		}
		if (at)
			fill(s, member->node, member->name, at);
	}
	if (node->extensible)
		*(const struct per_additions **)(void *)(out + node->additions) = NULL;
}

static void fill_list_of(struct sampler *s, const struct per_node *node, struct per_list *out)
{
	const struct per_node *element = node->members->node;
	size_t n = s->kind == NGAP_SAMPLE_LEAST || node->upper < 2 ? 1 : 2;
	uint8_t *items = take(s, n * element->size);

	out->count = n;
	out->items = items;
	for (size_t i = 0; items && i < n; i++)
		fill(s, element, element->name, items + i * element->size);
}

static void fill_choice(struct sampler *s, const struct per_node *node, uint8_t *out)
{
	size_t last = node->count - 1;
	const struct per_node *extension = node->members[last].node;
	size_t at = 0;

	if (extension->kind == PER_FOREIGN && !has_typed(extension->foreign))
		last--;
	if (s->kind == NGAP_SAMPLE_MOST)
		at = last / 2;
	else if (s->kind == NGAP_SAMPLE_LAST)
		at = last;
	*(uint32_t *)(void *)out = (uint32_t)at + 1;
	fill(s, node->members[at].node, node->members[at].name, out + node->members[at].offset);
}

static void fill(struct sampler *s, const struct per_node *node, const char *name, void *out)
{
	bool least = s->kind == NGAP_SAMPLE_LEAST;

	s->depth++;
	switch ((enum per_kind)node->kind) {
	case PER_INTEGER:
		*(int64_t *)out = least ? node->lower : node->upper;
		break;
	case PER_ENUMERATED:
		*(uint32_t *)out = least			 ? 0
				   : s->kind == NGAP_SAMPLE_LAST ? (uint32_t)node->count - 1
								 : (uint32_t)node->upper;
		break;
	case PER_BITS_64:
		*(uint64_t *)out = least ? 0 : ~(uint64_t)0 >> (64 - node->upper);
		break;
	case PER_BIT_STRING:
		*(struct per_bits *)out = bits_of(s, node);
		break;
	case PER_SEQUENCE:
		fill_sequence(s, node, out);
		break;
	case PER_SEQUENCE_OF:
		fill_list_of(s, node, out);
		break;
	case PER_CHOICE:
		fill_choice(s, node, out);
		break;
	case PER_FOREIGN:
		fill_foreign(s, node->foreign, out);
		break;
	default:
		*(struct octets *)out = octets_of(s, node, name);
		break;
	}
	s->depth--;
}

void ngap_sample(struct ngap_pdu *pdu, enum ngap_message message, enum ngap_sample kind, int only,
		 struct arena *arena)
{
	const struct ngap_message_info *info = ngap_message_info(message);
	struct sampler s = { .kind = kind, .arena = arena };

	ngap_pdu_init(pdu, message, arena);
	for (size_t i = 0; i < info->count; i++) {
		const struct ngap_ie_row *row = &info->rows[i];
		struct ngap_ie ie;

		if (row->type == NGAP_TYPE_RAW || (only >= 0 && i != (size_t)only))
			continue;
		fill_ie(&s, row, &ie);
		if (ie.value)
			ngap_add(pdu, (enum ngap_id)row->id, ie.value);
	}
	if (s.failed)
		pdu->error = -ENOMEM;
}

void *ngap_sample_value(const struct per_node *node, const char *name, enum ngap_sample kind,
			struct arena *arena)
{
	struct sampler s = { .kind = kind, .arena = arena };
	void *value = take(&s, node->size);

	if (value)
		fill(&s, node, name, value);
	return s.failed ? NULL : value;
}
