/*
 * NG Setup and the configuration updates of both sides (TS 38.413 8.7.1 to 8.7.3, 8.7.6): who a
 * node is, what an AMF says of itself, and which associations and weights there are.
 */
#include <errno.h>
#include <stdio.h>

#include "runner/emulation/nw_private.h"

/* --- who it is --- */

static enum node_kind kind_of(const struct ngap_global_ran_node_id *id)
{
	switch (id->choice) {
	case NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_NG_ENB_ID:
		return NODE_NG_ENB;
	case NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_N3IWF_ID:
		return NODE_N3IWF;
	default:
		return NODE_GNB;
	}
}

static struct nw_node *find_node(const struct nw_amf *amf, const struct ngap_received *m)
{
	const struct ngap_ie *ie = ngap_find(&m->pdu, NGAP_ID_GLOBAL_RAN_NODE_ID);

	for (struct nw_node *node = amf->nodes; ie && node; node = node->next)
		if (node->id_len == ie->raw.len &&
		    memcmp(node->id, ie->raw.data, node->id_len) == 0)
			return node;
	return NULL;
}

static struct nw_node *new_node(struct nw_amf *amf, const struct ngap_received *m)
{
	static const char *const kinds[] = { "gnb", "ng-enb", "n3iwf" };
	const struct ngap_ie *ie = ngap_find(&m->pdu, NGAP_ID_GLOBAL_RAN_NODE_ID);
	const struct ngap_global_ran_node_id *id = ngap_value(&m->pdu, NGAP_ID_GLOBAL_RAN_NODE_ID);
	struct nw_node **last = &amf->nodes;
	struct nw_node *node;
	unsigned int number = 1;

	if (!id || !ie || ie->raw.len > sizeof(node->id))
		return NULL;
	node = tc_alloc(amf->nw->e->t, sizeof(*node));
	node->nw = amf->nw;
	node->amf = amf;
	node->kind = kind_of(id);
	node->id_len = ie->raw.len;
	memcpy(node->id, ie->raw.data, ie->raw.len);
	for (; *last; last = &(*last)->next)
		number += (*last)->kind == node->kind;
	snprintf(node->name, sizeof(node->name), "%.20s/%s%u", amf->name, kinds[node->kind],
		 number);
	*last = node;
	amf->node_count++;
	return node;
}

static bool serves(const struct nw_amf *amf, struct octets plmn)
{
	for (size_t i = 0; i < amf->plmn_count; i++)
		if (plmn.len == 3 && memcmp(amf->plmns[i].bcd, plmn.data, 3) == 0)
			return true;
	return false;
}

static bool plmn_in_common(const struct nw_amf *amf, const struct ngap_supported_ta_list *tas)
{
	for (size_t i = 0; tas && i < tas->count; i++) {
		const struct ngap_broadcast_plmn_list *plmns = &tas->items[i].broadcast_plmn_list;

		for (size_t k = 0; k < plmns->count; k++)
			if (serves(amf, plmns->items[k].plmn_identity))
				return true;
	}
	return false;
}

static void take_areas(struct nw_node *node, const struct ngap_supported_ta_list *tas)
{
	struct octets tac;

	if (!tas || !tas->count || tas->items[0].tac.len != 3)
		return;
	tac = tas->items[0].tac;
	node->tac = (uint32_t)tac.data[0] << 16 | (uint32_t)tac.data[1] << 8 | tac.data[2];
}

/* --- what an AMF says of itself --- */

static void write_guami(const struct nw_guami *guami, const struct plmn *plmn,
			struct ngap_guami *out)
{
	*out = (struct ngap_guami){
		.plmn_identity = OCTETS(plmn->bcd, 3),
		.amf_region_id = guami->region,
		.amf_set_id = guami->set,
		.amf_pointer = guami->pointer,
	};
}

static const struct ngap_served_guami_list *served_guamis(const struct nw_amf *amf,
							  struct arena *arena)
{
	size_t count = amf->plmn_count * amf->guami_count;
	struct ngap_served_guami_list *list = arena_take(arena, sizeof(*list));
	struct ngap_served_guami_item *items = arena_take(arena, count * sizeof(*items));

	if (!list || !items)
		return NULL;
	memset(items, 0, count * sizeof(*items));
	for (size_t i = 0; i < count; i++)
		write_guami(&amf->guamis[i % amf->guami_count], &amf->plmns[i / amf->guami_count],
			    &items[i].guami);
	*list = (struct ngap_served_guami_list){ .count = count, .items = items };
	return list;
}

void nw_s_nssai(struct arena *arena, const struct slice *slice, struct ngap_s_nssai *out)
{
	uint8_t *octets = arena_take(arena, 4);
	struct octets *sd = arena_take(arena, sizeof(*sd));

	memset(out, 0, sizeof(*out));
	if (!octets || !sd)
		return;
	octets[0] = slice->sst;
	out->sst = OCTETS(octets, 1);
	if (!slice->has_sd)
		return;
	octets[1] = (uint8_t)(slice->sd >> 16);
	octets[2] = (uint8_t)(slice->sd >> 8);
	octets[3] = (uint8_t)slice->sd;
	*sd = OCTETS(octets + 1, 3);
	out->sd = sd;
}

static const struct ngap_plmn_support_list *plmn_support(const struct nw_amf *amf,
							 struct arena *arena)
{
	const struct profile *profile = amf->nw->e->t->profile;
	const struct slice *slices = amf->options.slices ? amf->options.slices : profile->slices;
	size_t count = amf->options.slices ? amf->options.slice_count : profile->slice_count;
	static const struct slice any = { .sst = 1 };
	struct ngap_plmn_support_list *list = arena_take(arena, sizeof(*list));
	struct ngap_plmn_support_item *items = arena_take(arena, amf->plmn_count * sizeof(*items));
	struct ngap_slice_support_item *supported;

	if (count == 0) {
		slices = &any;
		count = 1;
	}
	supported = arena_take(arena, count * sizeof(*supported));
	if (!list || !items || !supported)
		return NULL;
	memset(items, 0, amf->plmn_count * sizeof(*items));
	memset(supported, 0, count * sizeof(*supported));
	for (size_t i = 0; i < count; i++)
		nw_s_nssai(arena, &slices[i], &supported[i].s_nssai);
	for (size_t i = 0; i < amf->plmn_count; i++) {
		items[i].plmn_identity = OCTETS(amf->plmns[i].bcd, 3);
		items[i].slice_support_list.count = count;
		items[i].slice_support_list.items = supported;
	}
	*list = (struct ngap_plmn_support_list){ .count = amf->plmn_count, .items = items };
	return list;
}

static void setup_response(struct nw_association *association)
{
	struct nw_amf *amf = association->amf;
	struct ngap_pdu pdu = ngap_build(amf->nw->e, NGAP_NG_SETUP_RESPONSE);

	ngap_add_octets(&pdu, NGAP_ID_AMF_NAME,
			OCTETS((const uint8_t *)amf->name, strlen(amf->name)));
	ngap_add(&pdu, NGAP_ID_SERVED_GUAMI_LIST, served_guamis(amf, pdu.arena));
	ngap_add_int(&pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, amf->capacity);
	ngap_add(&pdu, NGAP_ID_PLMN_SUPPORT_LIST, plmn_support(amf, pdu.arena));
	if (amf->options.alter)
		amf->options.alter(&pdu, amf->options.alter_arg);
	nw_reply(association, 0, &pdu);
}

static void setup_failure(struct nw_association *association, enum ngap_cause_misc reason)
{
	static const int seconds[] = { 1, 2, 5, 10, 20, 60 };
	struct nw_amf *amf = association->amf;
	struct ngap_pdu pdu = ngap_build(amf->nw->e, NGAP_NG_SETUP_FAILURE);
	struct ngap_cause cause = { .choice = NGAP_CAUSE_CHOICE_MISC, .misc = reason };

	ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	for (size_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++)
		if (amf->options.time_to_wait == seconds[i])
			ngap_add_enum(&pdu, NGAP_ID_TIME_TO_WAIT, (int)i);
	if (amf->options.alter)
		amf->options.alter(&pdu, amf->options.alter_arg);
	nw_reply(association, 0, &pdu);
}

/*
 * The node sets up anew: what it knew of UEs is gone, and so is an association of before. Where
 * nobody has asked for that, the node was lost without a word, as by a crash.
 */
static void start_anew(struct nw_node *node, struct nw_association *association)
{
	const struct nw *nw = node->nw;

	nw_drop_connections(node, NULL);
	for (struct nw_association *a = node->amf->associations; a; a = a->next) {
		if (a == association || a->node != node || !a->link || a->tnl != association->tnl)
			continue;
		if (!nw->settling && !nw->may_drop)
			emulation_end(nw->e, emulation_dead(nw->e),
				      "the IUT dropped the association of %s: NG SETUP REQUEST "
				      "comes on a new one",
				      node->name);
		a->expected_down = true;
		link_close(a->link, true);
		a->link = NULL;
	}
}

struct nw_node *nw_setup_input(struct nw_association *association, const struct ngap_received *m)
{
	struct nw_amf *amf = association->amf;
	const struct ngap_supported_ta_list *tas = ngap_value(&m->pdu, NGAP_ID_SUPPORTED_TA_LIST);
	struct nw_node *node = find_node(amf, m);

	if (!node)
		node = new_node(amf, m);
	if (!node)
		return NULL;
	start_anew(node, association);
	association->node = node;
	node->set_up = false;
	node->setups++;
	node->setup = m;
	take_areas(node, tas);
	if (!(amf->behaviours & NW_ANSWER_NG_SETUP))
		return node;
	if (amf->options.refuse_setup) {
		setup_failure(association, amf->options.refuse_cause);
	} else if (!plmn_in_common(amf, tas)) {
		setup_failure(association, NGAP_CAUSE_MISC_UNKNOWN_PLMN_OR_SNPN);
	} else {
		setup_response(association);
		node->set_up = true;
		if (amf->behaviours & NW_TELL_TNL_ASSOCIATIONS && amf->profile->tnl_count)
			nw_tell_tnl(node);
	}
	return node;
}

void nw_configuration_input(struct nw_association *association, const struct ngap_received *m)
{
	struct nw_amf *amf = association->amf;
	struct ngap_pdu pdu;

	if (!association->node) {
		association->node = find_node(amf, m);
		if (!association->node) {
			emulation_end(amf->nw->e, VERDICT_FAIL,
				      "%s: RAN CONFIGURATION UPDATE on a new association without a "
				      "Global RAN Node ID that is known (38.413 8.7.2.2)",
				      amf->name);
			return;
		}
	}
	take_areas(association->node, ngap_value(&m->pdu, NGAP_ID_SUPPORTED_TA_LIST));
	if (!(amf->behaviours & NW_ANSWER_RAN_CONFIGURATION_UPDATE))
		return;
	pdu = ngap_build(amf->nw->e, NGAP_RAN_CONFIGURATION_UPDATE_ACKNOWLEDGE);
	nw_reply(association, 0, &pdu);
}

/* --- updates by the AMF --- */

static void write_address(const struct net_address *address, uint8_t octets[16],
			  struct ngap_cp_transport_layer_information *out)
{
	bool v6 = address->sa.sa_family == AF_INET6;

	if (v6)
		memcpy(octets, &address->v6.sin6_addr, 16);
	else
		memcpy(octets, &address->v4.sin_addr, 4);
	out->choice = NGAP_CP_TRANSPORT_LAYER_INFORMATION_CHOICE_ENDPOINT_IP_ADDRESS;
	out->endpoint_ip_address = PER_BITS(octets, v6 ? 128 : 32);
}

/* ToUpdate for association `update` (-1: none), ToAdd from association `add` on (0: none). */
static void tnl_update(struct nw_amf *amf, int update, size_t add, struct ngap_pdu *pdu)
{
	struct arena *arena = pdu->arena;
	uint8_t(*octets)[16] = arena_take(arena, PROFILE_LIST_MAX * sizeof(*octets));
	struct ngap_amf_tnl_association_to_add_item *added =
		arena_take(arena, PROFILE_LIST_MAX * sizeof(*added));
	struct ngap_amf_tnl_association_to_update_item *updated =
		arena_take(arena, sizeof(*updated));
	struct ngap_amf_tnl_association_to_add_list *add_list =
		arena_take(arena, sizeof(*add_list));
	struct ngap_amf_tnl_association_to_update_list *update_list =
		arena_take(arena, sizeof(*update_list));
	int64_t *weight = arena_take(arena, sizeof(*weight));

	if (!octets || !added || !updated || !add_list || !update_list || !weight) {
		pdu->error = -ENOMEM;
		return;
	}
	if (add && add < amf->tnl_count) {
		memset(added, 0, PROFILE_LIST_MAX * sizeof(*added));
		*add_list = (struct ngap_amf_tnl_association_to_add_list){ .items = added };
		for (size_t i = add; i < amf->tnl_count; i++) {
			write_address(&amf->profile->tnl_addresses[i], octets[i],
				      &added[add_list->count].amf_tnl_association_address);
			added[add_list->count++].tnl_address_weight_factor = amf->weights[i];
		}
		ngap_add(pdu, NGAP_ID_AMF_TNL_ASSOCIATION_TO_ADD_LIST, add_list);
	}
	if (update >= 0) {
		memset(updated, 0, sizeof(*updated));
		write_address(&amf->profile->tnl_addresses[update], octets[0],
			      &updated->amf_tnl_association_address);
		*weight = amf->weights[update];
		updated->tnl_address_weight_factor = weight;
		*update_list = (struct ngap_amf_tnl_association_to_update_list){ .count = 1,
										 .items = updated };
		ngap_add(pdu, NGAP_ID_AMF_TNL_ASSOCIATION_TO_UPDATE_LIST, update_list);
	}
}

void nw_tell_tnl(struct nw_node *node)
{
	struct ngap_pdu pdu = ngap_build(node->nw->e, NGAP_AMF_CONFIGURATION_UPDATE);

	tnl_update(node->amf, 0, 1, &pdu);
	nw_reply(nw_first_association(node), 0, &pdu);
}

static void send_to_all(struct nw_amf *amf, const struct ngap_pdu *pdu)
{
	unsigned int sent = 0;

	for (struct nw_node *node = amf->nodes; node; node = node->next) {
		if (!nw_node_up(node))
			continue;
		nw_send(node, pdu);
		sent++;
	}
	if (!sent)
		tc_iut_dead(amf->nw->e->t, "%s has no node to send %s to", amf->name,
			    ngap_message_name(pdu->message));
}

void nw_amf_capacity(struct nw_amf *amf, uint8_t capacity)
{
	struct ngap_pdu pdu = ngap_build(amf->nw->e, NGAP_AMF_CONFIGURATION_UPDATE);

	amf->capacity = capacity;
	ngap_add_int(&pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, capacity);
	send_to_all(amf, &pdu);
}

void nw_tnl_weight(struct nw_amf *amf, size_t i, uint8_t weight)
{
	struct ngap_pdu pdu = ngap_build(amf->nw->e, NGAP_AMF_CONFIGURATION_UPDATE);

	if (i >= amf->tnl_count)
		tc_error(amf->nw->e->t, "%s has no TNL association %zu", amf->name, i);
	amf->weights[i] = weight;
	tnl_update(amf, (int)i, 0, &pdu);
	send_to_all(amf, &pdu);
}

void nw_status_indication(struct nw_amf *amf, const struct nw_guami *guami, const char *backup)
{
	struct ngap_pdu *pdu = nw_message(amf->nw->e->t, NGAP_AMF_STATUS_INDICATION);
	const struct nw_guami *guamis = guami ? guami : amf->guamis;
	size_t per_plmn = guami ? 1 : amf->guami_count;
	size_t count = amf->plmn_count * per_plmn;
	struct ngap_unavailable_guami_item *items = tc_alloc(amf->nw->e->t, count * sizeof(*items));
	struct ngap_unavailable_guami_list list = { .count = count, .items = items };
	struct octets name = OCTETS((const uint8_t *)backup, backup ? strlen(backup) : 0);

	for (size_t i = 0; i < count; i++) {
		write_guami(&guamis[i % per_plmn], &amf->plmns[i / per_plmn], &items[i].guami);
		if (backup)
			items[i].backup_amf_name = &name;
	}
	ngap_add(pdu, NGAP_ID_UNAVAILABLE_GUAMI_LIST, &list);
	send_to_all(amf, pdu);
}
