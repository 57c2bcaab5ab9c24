/*
 * OVERLOAD START and STOP as octets, correct or not. Where a value is impossible the IE is written
 * by hand: what is sent on purpose must not depend on what the codec can be talked into.
 */
#include "runner/emulation/nw_overload.h"

#include <errno.h>

#include "runner/emulation/nw_private.h"

enum {
	ITEMS_MAX = 1024, /* slice items, TS 38.413 9.2.6.14 */
	ITEMS_ON_PURPOSE = 4096,
	SLICES_MAX = 1024, /* S-NSSAIs in one item */
	TLR_MAX = 99,
	TLR_CODED_MAX = 128, /* what seven bits of an offset of 1 can say */
	FILLER_SST = 255,
};

static size_t items_of(const struct nw_overload *o)
{
	return o->item_count + o->filler_items;
}

static bool tlr_fits(int tlr)
{
	return tlr >= 0 && tlr <= TLR_MAX;
}

int nw_overload_check(const struct nw_overload *o, struct text *why)
{
	char buf[16];
	struct text none;

	text_init(&none, buf, sizeof(buf));
	why = why ? why : &none;
	if (!tlr_fits(o->tlr)) {
		text_printf(why, "a traffic load reduction of %d percent cannot be: 1 to %d are",
			    o->tlr == TLR_ZERO ? 0 : o->tlr, TLR_MAX);
		return -ERANGE;
	}
	for (size_t i = 0; i < o->item_count; i++) {
		if (!tlr_fits(o->items[i].tlr)) {
			text_printf(why,
				    "a slice traffic load reduction of %d percent cannot be: 1 to "
				    "%d are",
				    o->items[i].tlr == TLR_ZERO ? 0 : o->items[i].tlr, TLR_MAX);
			return -ERANGE;
		}
		if (o->items[i].slice_count < 1 || o->items[i].slice_count > SLICES_MAX) {
			text_printf(why, "a slice item of %zu S-NSSAIs cannot be: 1 to %d are",
				    o->items[i].slice_count, SLICES_MAX);
			return -ERANGE;
		}
	}
	if (items_of(o) > ITEMS_MAX) {
		text_printf(why, "%zu slice items cannot be: up to %d are", items_of(o), ITEMS_MAX);
		return -ERANGE;
	}
	return 0;
}

/* --- the parts --- */

static bool response_of(enum nw_action action, struct ngap_overload_response *out)
{
	static const uint8_t nothing[] = { 0 };

	memset(out, 0, sizeof(*out));
	switch (action) {
	case ACTION_ABSENT:
		return false;
	case ACTION_CHOICE_EXTENSION:
		out->choice = NGAP_OVERLOAD_RESPONSE_CHOICE_CHOICE_EXTENSIONS;
		out->choice_extensions = (struct ngap_ie){
			.id = 65001,
			.criticality = NGAP_CRITICALITY_REJECT,
			.raw = OCTETS(nothing, sizeof(nothing)),
		};
		return true;
	default:
		/* ACTION_EXTENDED is the first value behind the root */
		out->choice = NGAP_OVERLOAD_RESPONSE_CHOICE_OVERLOAD_ACTION;
		out->overload_action = (enum ngap_overload_action)(action - ACTION_0);
		return true;
	}
}

static unsigned int tlr_bits(int tlr)
{
	return (unsigned int)((tlr == TLR_ZERO ? 0 : tlr) - 1) & 0x7f;
}

/* IE 9 by hand: seven bits, then one of padding. */
static struct octets tlr_octets(struct arena *arena, int tlr)
{
	uint8_t *octet = arena_take(arena, 1);

	if (!octet)
		return OCTETS(NULL, 0);
	*octet = (uint8_t)(tlr_bits(tlr) << 1);
	return OCTETS(octet, 1);
}

static void add_tlr(struct ngap_pdu *pdu, int tlr)
{
	if (tlr == 0)
		return;
	if (tlr_fits(tlr))
		ngap_add_int(pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, tlr);
	else
		ngap_add_raw(pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION,
			     NGAP_CRITICALITY_IGNORE, tlr_octets(pdu->arena, tlr));
}

/* One item of the list; false where the arena is too small. */
static bool item_of(struct arena *arena, const struct nw_slice_item *in,
		    struct ngap_overload_start_nssai_item *out)
{
	struct ngap_slice_overload_item *slices =
		arena_take(arena, (in->slice_count + 1) * sizeof(*slices));
	struct ngap_overload_response *response = arena_take(arena, sizeof(*response));
	int64_t *tlr = arena_take(arena, sizeof(*tlr));

	if (!slices || !response || !tlr)
		return false;
	memset(out, 0, sizeof(*out));
	memset(slices, 0, (in->slice_count + 1) * sizeof(*slices));
	for (size_t i = 0; i < in->slice_count; i++)
		nw_s_nssai(arena, &in->slices[i], &slices[i].s_nssai);
	out->slice_overload_list.count = in->slice_count;
	out->slice_overload_list.items = slices;
	if (response_of(in->action, response))
		out->slice_overload_response = response;
	*tlr = in->tlr;
	if (in->tlr)
		out->slice_traffic_load_reduction_indication = tlr;
	return true;
}

static struct ngap_overload_start_nssai_item *all_items(struct arena *arena,
							const struct nw_overload *o)
{
	size_t count = items_of(o);
	struct ngap_overload_start_nssai_item *items =
		arena_take(arena, (count + 1) * sizeof(*items));
	struct slice *filler = arena_take(arena, (o->filler_items + 1) * sizeof(*filler));

	if (!items || !filler)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		struct nw_slice_item one;

		if (i >= o->item_count) {
			struct slice *slice = &filler[i - o->item_count];

			*slice = (struct slice){ .sst = FILLER_SST,
						 .has_sd = true,
						 .sd = (uint32_t)(i - o->item_count + 1) };
			one = (struct nw_slice_item){ .slices = slice, .slice_count = 1 };
		} else {
			one = o->items[i];
		}
		if (!item_of(arena, &one, &items[i]))
			return NULL;
	}
	return items;
}

/*
 * The content of IE 49 for more items than its type allows: a
 * length of two octets (X.691 11.5.7.3), and behind it the items one by one, each encoded as the
 * only one of a list. That works where each ends at an octet's end, which an SD at its end, or
 * nothing but one, makes sure of; -EINVAL otherwise.
 */
static ssize_t items_by_hand(const struct nw_overload *o,
			     const struct ngap_overload_start_nssai_item *items, uint8_t *out,
			     size_t size)
{
	size_t count = items_of(o), len = 2;

	out[0] = (uint8_t)((count - 1) >> 8);
	out[1] = (uint8_t)(count - 1);
	for (size_t i = 0; i < count; i++) {
		struct ngap_overload_start_nssai_list list = { .count = 1, .items = &items[i] };
		const struct ngap_slice_overload_list *slices = &items[i].slice_overload_list;
		ssize_t one;

		if (items[i].slice_traffic_load_reduction_indication || !slices->count ||
		    !slices->items[slices->count - 1].s_nssai.sd ||
		    items[i].slice_overload_response)
			return -EINVAL;
		one = ngap_encode_value(NGAP_TYPE_OVERLOAD_START_NSSAI_LIST, &list, out + len,
					size - len);
		if (one < 2)
			return one < 0 ? one : -EINVAL;
		memmove(out + len, out + len + 2, (size_t)one - 2);
		len += (size_t)one - 2;
	}
	return (ssize_t)len;
}

static void add_items(struct ngap_pdu *pdu, const struct nw_overload *o)
{
	struct ngap_overload_start_nssai_item *items;
	struct ngap_overload_start_nssai_list *list = arena_take(pdu->arena, sizeof(*list));
	uint8_t *octets;
	ssize_t len;

	if (!items_of(o))
		return;
	items = all_items(pdu->arena, o);
	if (!items || !list) {
		pdu->error = -ENOMEM;
		return;
	}
	*list = (struct ngap_overload_start_nssai_list){ .count = items_of(o), .items = items };
	if (items_of(o) <= ITEMS_MAX) {
		ngap_add(pdu, NGAP_ID_OVERLOAD_START_NSSAI_LIST, list);
		return;
	}
	octets = arena_take(pdu->arena, MESSAGE_MAX / 2);
	len = octets ? items_by_hand(o, items, octets, MESSAGE_MAX / 2) : -ENOMEM;
	if (len < 0)
		pdu->error = (int)len;
	else
		ngap_add_raw(pdu, NGAP_ID_OVERLOAD_START_NSSAI_LIST, NGAP_CRITICALITY_IGNORE,
			     OCTETS(octets, (size_t)len));
}

static void add_guamis(struct ngap_pdu *pdu, const struct profile *profile,
		       const struct nw_overload *o)
{
	struct ngap_guami_list *list = arena_take(pdu->arena, sizeof(*list));
	struct ngap_guami_list_item *items =
		arena_take(pdu->arena, (o->guami_count + 1) * sizeof(*items));

	if (!o->guami_count)
		return;
	if (!list || !items) {
		pdu->error = -ENOMEM;
		return;
	}
	memset(items, 0, (o->guami_count + 1) * sizeof(*items));
	for (size_t i = 0; i < o->guami_count; i++)
		items[i].guami = (struct ngap_guami){
			.plmn_identity = OCTETS(profile->plmn.bcd, 3),
			.amf_region_id = o->guamis[i].region,
			.amf_set_id = o->guamis[i].set,
			.amf_pointer = o->guamis[i].pointer,
		};
	*list = (struct ngap_guami_list){ .count = o->guami_count, .items = items };
	ngap_add(pdu, NGAP_ID_GUAMI_LIST, list);
}

static void add_unknown(struct ngap_pdu *pdu, const struct nw_overload *o)
{
	static const uint8_t nothing[] = { 0 };

	if (o->unknown_ie)
		ngap_add_raw(pdu, o->unknown_ie, o->unknown_criticality,
			     OCTETS(nothing, sizeof(nothing)));
}

static void build_start(struct ngap_pdu *pdu, const struct profile *profile,
			const struct nw_overload *o)
{
	struct ngap_overload_response *response = arena_take(pdu->arena, sizeof(*response));
	bool has_response = response && response_of(o->action, response);

	if (o->fault == START_WRONG_ORDER) {
		add_tlr(pdu, o->tlr);
		add_items(pdu, o);
	}
	if (has_response)
		ngap_add(pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE, response);
	if (has_response && o->fault == START_ACTION_TWICE)
		ngap_add(pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE, response);
	if (o->fault != START_WRONG_ORDER) {
		add_tlr(pdu, o->tlr);
		if (o->fault == START_TLR_TWICE)
			add_tlr(pdu, o->tlr);
		add_items(pdu, o);
	}
	add_guamis(pdu, profile, o);
	add_unknown(pdu, o);
	if (o->fault == START_CRITICALITY_REJECT)
		pdu->criticality = NGAP_CRITICALITY_REJECT;
	if (o->alter)
		o->alter(pdu, o->alter_arg);
}

/* What there is room for: about 300 octets of structures for each item. */
static struct arena *room_for(struct tc *t, const struct nw_overload *o)
{
	size_t slices = items_of(o);

	for (size_t i = 0; i < o->item_count; i++)
		slices += o->items[i].slice_count;
	return emulation_arena(t, MESSAGE_MAX + 512 * (slices + o->guami_count + 64));
}

static ssize_t encode(struct tc *t, enum ngap_message message, const struct nw_overload *o,
		      uint8_t *out, size_t size)
{
	struct ngap_pdu pdu;
	char buf[256];
	struct text why;
	ssize_t len;

	text_init(&why, buf, sizeof(buf));
	if (!o->on_purpose && nw_overload_check(o, &why) != 0)
		tc_error(t, "%s is refused: %s", ngap_message_name(message), buf);
	if (o->tlr > TLR_CODED_MAX || o->tlr < TLR_ZERO || items_of(o) > ITEMS_ON_PURPOSE)
		tc_error(t, "%s: not even on purpose: a reduction of %d, %zu slice items",
			 ngap_message_name(message), o->tlr, items_of(o));
	ngap_pdu_init(&pdu, message, room_for(t, o));
	if (message == NGAP_OVERLOAD_START) {
		build_start(&pdu, t->profile, o);
	} else {
		add_guamis(&pdu, t->profile, o);
		add_unknown(&pdu, o);
		if (o->alter)
			o->alter(&pdu, o->alter_arg);
	}
	len = ngap_encode(&pdu, out, size);
	/* The content of the last IE, and the lengths around it, promise more than there is. */
	if (len > 1 && o->fault == START_TRUNCATED)
		len--;
	return len;
}

ssize_t nw_overload_encode(struct tc *t, const struct nw_overload *overload, uint8_t *out,
			   size_t size)
{
	return encode(t, NGAP_OVERLOAD_START, overload, out, size);
}

static void send_message(struct nw_node *node, enum ngap_message message,
			 const struct nw_overload *o)
{
	struct tc *t = node->nw->e->t;
	uint8_t *out = tc_alloc(t, MESSAGE_MAX);
	ssize_t len = encode(t, message, o, out, MESSAGE_MAX);
	const struct nw_association *association = nw_first_association(node);

	node->last_sent = ngap_message_name(message);
	if (len < 0)
		tc_error(t, "%s: cannot encode %s: %s", node->name, node->last_sent,
			 strerror((int)-len));
	nw_judge_sending(
		node->nw, node->name, node->last_sent,
		association ? link_send(association->link, 0, NGAP_PPID, OCTETS(out, (size_t)len))
			    : -ENOTCONN);
}

void nw_overload_start_with(struct nw_node *node, const struct nw_overload *overload)
{
	send_message(node, NGAP_OVERLOAD_START, overload);
}

void nw_overload_stop_with(struct nw_node *node, const struct nw_overload *overload)
{
	send_message(node, NGAP_OVERLOAD_STOP, overload);
}
