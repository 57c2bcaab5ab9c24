/*
 * NG SETUP REQUEST of an emulated node: who it is, and which tracking areas and slices it has
 * (TS 38.413 9.2.6.1).
 */
#include "runner/emulation/emulation.h"

enum {
	GNB_ID_BITS = 22,
	NG_ENB_ID_BITS = 20,
	N3IWF_ID_BITS = 16,
};

static void plmn_octets(const struct gnb *gnb, struct octets *out)
{
	*out = OCTETS(gnb->e->t->profile->plmn.bcd, 3);
}

static void node_id(const struct gnb *gnb, uint8_t storage[8], struct ngap_global_ran_node_id *out)
{
	switch (gnb->options.kind) {
	case NODE_GNB:
		out->choice = NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_GNB_ID;
		plmn_octets(gnb, &out->global_gnb_id.plmn_identity);
		out->global_gnb_id.gnb_id.choice = NGAP_GNB_ID_CHOICE_GNB_ID;
		out->global_gnb_id.gnb_id.gnb_id = per_bits_of(storage, gnb->id, GNB_ID_BITS);
		break;
	case NODE_NG_ENB:
		out->choice = NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_NG_ENB_ID;
		plmn_octets(gnb, &out->global_ng_enb_id.plmn_identity);
		out->global_ng_enb_id.ng_enb_id.choice = NGAP_NG_ENB_ID_CHOICE_MACRO_NG_ENB_ID;
		out->global_ng_enb_id.ng_enb_id.macro_ng_enb_id =
			gnb->id & ((1U << NG_ENB_ID_BITS) - 1);
		break;
	case NODE_N3IWF:
		out->choice = NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_N3IWF_ID;
		plmn_octets(gnb, &out->global_n3iwf_id.plmn_identity);
		out->global_n3iwf_id.n3iwf_id.choice = NGAP_N3IWF_ID_CHOICE_N3IWF_ID;
		out->global_n3iwf_id.n3iwf_id.n3iwf_id = gnb->id & ((1U << N3IWF_ID_BITS) - 1);
		break;
	}
}

/* NULL when the arena is too small. */
static const struct ngap_supported_ta_list *supported_tas(struct gnb *gnb, struct arena *arena)
{
	const struct profile *profile = gnb->e->t->profile;
	const struct slice *slices = gnb->options.slices ? gnb->options.slices : profile->slices;
	size_t slice_count = gnb->options.slices ? gnb->options.slice_count : profile->slice_count;
	size_t ta_count = 1;
	uint32_t tacs[PROFILE_LIST_MAX + 1] = { gnb->tac };
	struct ngap_supported_ta_list *list = arena_take(arena, sizeof(*list));
	struct ngap_slice_support_item *items =
		arena_take(arena, (slice_count + 1) * sizeof(*items));
	struct ngap_broadcast_plmn_item *plmn = arena_take(arena, sizeof(*plmn));
	struct ngap_ie_list *extensions = NULL;
	struct ngap_supported_ta_item *tas;

	for (size_t i = 0; i < profile->tac_count && !gnb->options.only_tac; i++)
		if (profile->tacs[i] != gnb->tac)
			tacs[ta_count++] = profile->tacs[i];
	tas = arena_take(arena, ta_count * sizeof(*tas));
	if (!list || !items || !plmn || !tas)
		return NULL;

	memset(items, 0, (slice_count + 1) * sizeof(*items));
	for (size_t i = 0; i < slice_count; i++) {
		uint8_t *octets = arena_take(arena, 4);
		struct octets *sd = arena_take(arena, sizeof(*sd));

		if (!octets || !sd)
			return NULL;
		octets[0] = slices[i].sst;
		items[i].s_nssai.sst = OCTETS(octets, 1);
		if (!slices[i].has_sd)
			continue;
		octets[1] = (uint8_t)(slices[i].sd >> 16);
		octets[2] = (uint8_t)(slices[i].sd >> 8);
		octets[3] = (uint8_t)slices[i].sd;
		*sd = OCTETS(octets + 1, 3);
		items[i].s_nssai.sd = sd;
	}
	if (gnb->options.snpn) {
		struct ngap_npn_support *npn = arena_take(arena, sizeof(*npn));
		struct ngap_ie *ie = arena_take(arena, sizeof(*ie));

		extensions = arena_take(arena, sizeof(*extensions));
		if (!npn || !ie || !extensions)
			return NULL;
		memset(npn, 0, sizeof(*npn));
		npn->choice = NGAP_NPN_SUPPORT_CHOICE_SNPN;
		npn->snpn = profile->nid;
		*ie = (struct ngap_ie){ .id = NGAP_ID_NPN_SUPPORT,
					.criticality = NGAP_CRITICALITY_REJECT,
					.type = NGAP_TYPE_NPN_SUPPORT,
					.value = npn };
		*extensions = (struct ngap_ie_list){ .count = 1, .items = ie };
	}
	memset(plmn, 0, sizeof(*plmn));
	plmn_octets(gnb, &plmn->plmn_identity);
	plmn->tai_slice_support_list.items = items;
	plmn->tai_slice_support_list.count = slice_count;
	plmn->ie_extensions = extensions;
	memset(tas, 0, ta_count * sizeof(*tas));
	for (size_t i = 0; i < ta_count; i++) {
		uint8_t *tac = arena_take(arena, 3);

		if (!tac)
			return NULL;
		tac[0] = (uint8_t)(tacs[i] >> 16);
		tac[1] = (uint8_t)(tacs[i] >> 8);
		tac[2] = (uint8_t)tacs[i];
		tas[i].tac = OCTETS(tac, 3);
		tas[i].broadcast_plmn_list.items = plmn;
		tas[i].broadcast_plmn_list.count = 1;
	}
	memset(list, 0, sizeof(*list));
	list->items = tas;
	list->count = ta_count;
	return list;
}

void gnb_ng_setup(struct gnb *gnb, ngap_alter_fn *alter, void *arg)
{
	struct tc *t = gnb->e->t;
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_NG_SETUP_REQUEST);
	struct ngap_global_ran_node_id id = { .choice = 0 };
	uint8_t storage[8];

	node_id(gnb, storage, &id);
	ngap_add(&pdu, NGAP_ID_GLOBAL_RAN_NODE_ID, &id);
	ngap_add_octets(&pdu, NGAP_ID_RAN_NODE_NAME,
			OCTETS((const uint8_t *)gnb->name, strlen(gnb->name)));
	ngap_add(&pdu, NGAP_ID_SUPPORTED_TA_LIST, supported_tas(gnb, pdu.arena));
	ngap_add_enum(&pdu, NGAP_ID_DEFAULT_PAGING_DRX, NGAP_PAGING_DRX_V128);
	if (alter)
		alter(&pdu, arg);
	gnb->setup_response = NULL;
	gnb->setup_pending = true;
	gnb_send(gnb, &pdu);
	record_log(t->record, RECORD_DEBUG, "%s: NG SETUP REQUEST sent", gnb->name);
}
