#include "runner/emulation/fake_ran.h"

#include <stdio.h>
#include <stdlib.h>

#include "codecs/ngap/ngap_check.h"
#include "runner/core/random.h"
#include "runner/emulation/fake_ran_parts.h"

enum { FLOOD = 200000, FLOOD_BURST = 1000 };

struct fake_ran_plan fake_ran_plan;

const char *fake_ran_wrong_name(enum fake_ran_wrong wrong)
{
	static const char *const names[] = {
		"right",      "silent", "garbage", "truncated",	      "flipped",
		"wrong PPID", "huge",	"flood",   "flood of errors", "shutdown",
		"abort",      "twice",	"empty",   "wrong UE",	      "other UE",
	};

	return names[wrong];
}

/* --- sending --- */

void fake_drop(struct fake_link *link, bool abort)
{
	if (link->link)
		link_close(link->link, abort);
	link->link = NULL;
	link->used = link->up = link->set_up = false;
	for (size_t i = 0; i < FAKE_UES; i++)
		if (link->iut->ues[i].via == link)
			link->iut->ues[i].ran_id = 0;
}

void fake_flood(struct timer *timer, void *arg)
{
	struct iut *iut = arg;

	for (int i = 0; i < FLOOD_BURST && iut->flooded < FLOOD; i++, iut->flooded++)
		if (!iut->flood_link->link ||
		    link_send(iut->flood_link->link, 0, NGAP_PPID,
			      OCTETS(iut->flood_message, iut->flood_len)) != 0)
			return;
	if (iut->flooded < FLOOD)
		timer_start(timer, US_PER_MS);
}

static void start_flood(struct fake_link *link, struct octets data)
{
	struct iut *iut = link->iut;

	iut->flood_link = link;
	iut->flood_len =
		data.len < sizeof(iut->flood_message) ? data.len : sizeof(iut->flood_message);
	memcpy(iut->flood_message, data.data, iut->flood_len);
	timer_start(&iut->flood, 0);
}

static void of_nobody(struct fake_link *link, enum ngap_message message, bool start)
{
	static const uint8_t nas[] = { 0x7e, 0x00, 0x64, 0x6f };
	uint8_t buf[256], memory[4096];
	struct arena arena;
	struct ngap_pdu pdu;
	ssize_t len;

	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, message, &arena);
	if (message == NGAP_UPLINK_NAS_TRANSPORT) {
		ngap_add_int(&pdu, NGAP_ID_AMF_UE_NGAP_ID, 777777);
		ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, 777777);
		ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, OCTETS(nas, sizeof(nas)));
	}
	len = ngap_encode(&pdu, buf, sizeof(buf));
	if (len > 0 && start)
		start_flood(link, OCTETS(buf, (size_t)len));
	else if (len > 0)
		link_send(link->link, 0, NGAP_PPID, OCTETS(buf, (size_t)len));
}

static void send_wrong(struct fake_link *link, uint16_t stream, uint8_t *data, size_t len)
{
	struct iut *iut = link->iut;
	uint8_t buf[60000];

	switch (fake_ran_plan.wrong) {
	case FAKE_RAN_SILENT:
		iut->silent = true;
		return;
	case FAKE_RAN_GARBAGE:
		random_bytes(&iut->random, buf, len);
		link_send(link->link, stream, NGAP_PPID, OCTETS(buf, len));
		return;
	case FAKE_RAN_TRUNCATED:
		link_send(link->link, stream, NGAP_PPID, OCTETS(data, len / 2));
		return;
	case FAKE_RAN_FLIPPED:
		data[random_below(&iut->random, len)] ^=
			(uint8_t)(1 << random_below(&iut->random, 8));
		break;
	case FAKE_RAN_WRONG_PPID:
		link_send(link->link, stream, 0x3c000000, OCTETS(data, len));
		return;
	case FAKE_RAN_HUGE:
		random_bytes(&iut->random, buf, sizeof(buf));
		memcpy(buf, data, len < 3 ? len : 3);
		link_send(link->link, stream, NGAP_PPID, OCTETS(buf, sizeof(buf)));
		return;
	case FAKE_RAN_FLOOD:
		start_flood(link, OCTETS(data, len));
		return;
	case FAKE_RAN_FLOOD_ERROR:
		of_nobody(link, NGAP_ERROR_INDICATION, true);
		return;
	case FAKE_RAN_SHUTDOWN:
		fake_drop(link, false);
		return;
	case FAKE_RAN_ABORT:
		fake_drop(link, true);
		return;
	case FAKE_RAN_TWICE:
		link_send(link->link, stream, NGAP_PPID, OCTETS(data, len));
		break;
	case FAKE_RAN_EMPTY:
		link_send(link->link, stream, NGAP_PPID, OCTETS(data, 0));
		return;
	case FAKE_RAN_WRONG_UE:
		of_nobody(link, NGAP_UPLINK_NAS_TRANSPORT, false);
		return;
	case FAKE_RAN_OTHER_UE:
		if (!link->set_up)
			break;
		fake_ue_start(iut, &iut->ues[1], 2);
		fake_ue_register(&iut->ues[1], 1);
		return;
	default:
		break;
	}
	link_send(link->link, stream, NGAP_PPID, OCTETS(data, len));
}

void fake_send(struct fake_link *link, uint16_t stream, const struct ngap_pdu *pdu)
{
	static uint8_t buf[8192];
	ssize_t len = ngap_encode(pdu, buf, sizeof(buf));

	if (len < 0) {
		fprintf(stderr, "fake RAN cannot encode %s: %zd\n", ngap_message_name(pdu->message),
			len);
		abort();
	}
	if (link->iut->silent || !link->link)
		return;
	if (fake_ran_plan.messages++ == fake_ran_plan.at && fake_ran_plan.wrong) {
		send_wrong(link, stream, buf, (size_t)len);
		return;
	}
	link_send(link->link, stream, NGAP_PPID, OCTETS(buf, (size_t)len));
}

struct fake_link *fake_ready_link(struct iut *iut, bool n3iwf)
{
	for (size_t i = 0; i < FAKE_LINKS; i++)
		if (iut->links[i].set_up && iut->links[i].n3iwf == n3iwf)
			return &iut->links[i];
	return NULL;
}

/* --- NG Setup and updates --- */

static void node_id(const struct fake_link *link, uint8_t storage[8], const uint8_t *plmn,
		    struct ngap_global_ran_node_id *out)
{
	memset(out, 0, sizeof(*out));
	if (link->n3iwf) {
		out->choice = NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_N3IWF_ID;
		out->global_n3iwf_id.plmn_identity = OCTETS(plmn, 3);
		out->global_n3iwf_id.n3iwf_id.choice = NGAP_N3IWF_ID_CHOICE_N3IWF_ID;
		out->global_n3iwf_id.n3iwf_id.n3iwf_id = 7;
		return;
	}
	out->choice = NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_GNB_ID;
	out->global_gnb_id.plmn_identity = OCTETS(plmn, 3);
	out->global_gnb_id.gnb_id.choice = NGAP_GNB_ID_CHOICE_GNB_ID;
	out->global_gnb_id.gnb_id.gnb_id = per_bits_of(storage, 42, 24);
}

void fake_setup(struct fake_link *link)
{
	static const uint8_t foreign[3] = { 0x99, 0xf9, 0x99 };
	const struct profile *profile = link->iut->profile;
	const uint8_t *plmn = fake_ran_plan.foreign_plmn ? foreign : profile->plmn.bcd;
	uint8_t memory[8192], storage[8];
	struct ngap_global_ran_node_id id;
	uint8_t sst = profile->slices[0].sst;
	struct ngap_slice_support_item slice = { .s_nssai = { .sst = OCTETS(&sst, 1) } };
	struct ngap_broadcast_plmn_item broadcast = {
		.plmn_identity = OCTETS(plmn, 3),
		.tai_slice_support_list = { .count = 1, .items = &slice },
	};
	uint8_t tac[3] = { 0, 0, 1 };
	struct ngap_supported_ta_item ta = {
		.tac = OCTETS(tac, 3),
		.broadcast_plmn_list = { .count = 1, .items = &broadcast },
	};
	struct ngap_supported_ta_list tas = { .count = 1, .items = &ta };
	struct arena arena;
	struct ngap_pdu pdu;

	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, NGAP_NG_SETUP_REQUEST, &arena);
	node_id(link, storage, plmn, &id);
	ngap_add(&pdu, NGAP_ID_GLOBAL_RAN_NODE_ID, &id);
	ngap_add(&pdu, NGAP_ID_SUPPORTED_TA_LIST, &tas);
	ngap_add_enum(&pdu, NGAP_ID_DEFAULT_PAGING_DRX, NGAP_PAGING_DRX_V128);
	fake_ran_plan.setups++;
	fake_send(link, 0, &pdu);
}

static void answer_with(struct fake_link *link, enum ngap_message message)
{
	uint8_t memory[2048];
	struct arena arena;
	struct ngap_pdu pdu;

	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, message, &arena);
	fake_send(link, 0, &pdu);
}

static void announce(struct fake_link *link)
{
	uint8_t memory[2048], storage[8];
	struct ngap_global_ran_node_id id;
	struct arena arena;
	struct ngap_pdu pdu;

	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, NGAP_RAN_CONFIGURATION_UPDATE, &arena);
	node_id(link, storage, link->iut->profile->plmn.bcd, &id);
	if (!fake_ran_plan.setup_on_update)
		ngap_add(&pdu, NGAP_ID_GLOBAL_RAN_NODE_ID, &id);
	fake_send(link, 0, &pdu);
}

static void on_up(struct link *l, void *arg)
{
	struct fake_link *link = arg;

	(void)l;
	link->up = true;
	if (fake_ran_plan.no_setup)
		return;
	if (link->added)
		announce(link);
	else
		fake_setup(link);
}

static void on_down(struct link *l, void *arg, enum link_down_reason reason)
{
	struct fake_link *link = arg;

	(void)l;
	(void)reason;
	fake_drop(link, true);
}

static void on_message(struct link *l, void *arg, const struct link_message *message);

static const struct link_handler handler = {
	.up = on_up,
	.message = on_message,
	.down = on_down,
};

static void connect_to(struct iut *iut, const struct net_address *peer, size_t amf, bool n3iwf,
		       bool added)
{
	struct net_address local = iut->profile->iut_n2;
	char buf[200];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	local.v4.sin_port = 0;
	for (size_t i = 0; i < FAKE_LINKS; i++) {
		struct fake_link *link = &iut->links[i];

		if (link->used)
			continue;
		*link = (struct fake_link){ .iut = iut,
					    .used = true,
					    .amf = amf,
					    .n3iwf = n3iwf,
					    .added = added,
					    .peer = *peer };
		link->link = net_connect(iut->net, "fake", &local, peer, &handler, link, &why);
		if (!link->link)
			abort();
		return;
	}
}

static bool has_link(const struct iut *iut, size_t amf, bool n3iwf)
{
	for (size_t i = 0; i < FAKE_LINKS; i++)
		if (iut->links[i].used && iut->links[i].amf == amf && iut->links[i].n3iwf == n3iwf)
			return true;
	return false;
}

void fake_connect_all(struct timer *timer, void *arg)
{
	struct iut *iut = arg;

	for (size_t i = 0; i < iut->profile->amf_count && !fake_ran_plan.never_connects; i++)
		for (int n3iwf = 0; n3iwf <= fake_ran_plan.n3iwf; n3iwf++)
			if (!has_link(iut, i, n3iwf))
				connect_to(iut, &iut->profile->amfs[i].address, i, n3iwf, false);
	timer_start(timer, 3 * US_PER_S);
}

static void configuration_update(struct fake_link *link, const struct ngap_pdu *pdu)
{
	const struct ngap_amf_tnl_association_to_add_list *add =
		ngap_value(pdu, NGAP_ID_AMF_TNL_ASSOCIATION_TO_ADD_LIST);
	const struct ngap_amf_tnl_association_to_update_list *update =
		ngap_value(pdu, NGAP_ID_AMF_TNL_ASSOCIATION_TO_UPDATE_LIST);
	int64_t capacity;

	fake_ran_plan.updates++;
	if (ngap_get_int(pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, &capacity))
		fake_ran_plan.capacity = (int)capacity;
	if (update && update->count && update->items[0].tnl_address_weight_factor)
		fake_ran_plan.weights[0] = (uint8_t)*update->items[0].tnl_address_weight_factor;
	for (size_t i = 0; add && i < add->count; i++) {
		struct net_address peer = link->peer;
		const struct per_bits *bits =
			&add->items[i].amf_tnl_association_address.endpoint_ip_address;

		fake_ran_plan.added++;
		if (i < 3)
			fake_ran_plan.weights[1 + i] =
				(uint8_t)add->items[i].tnl_address_weight_factor;
		memcpy(&peer.v4.sin_addr, bits->data, 4);
		if (!fake_ran_plan.one_association)
			connect_to(link->iut, &peer, link->amf, link->n3iwf, true);
	}
	answer_with(link, NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE);
}

/* --- UEs --- */

static struct fake_ran_ue *ue_by_ran_id(struct iut *iut, int64_t ran_id)
{
	for (size_t i = 0; i < FAKE_UES; i++)
		if (iut->ues[i].ran_id && iut->ues[i].ran_id == ran_id)
			return &iut->ues[i];
	return NULL;
}

static void location(struct iut *iut, struct ngap_user_location_information *out, uint8_t tac[3])
{
	struct ngap_user_location_information_nr *nr = &out->user_location_information_nr;
	struct octets plmn = OCTETS(iut->profile->plmn.bcd, 3);

	memset(out, 0, sizeof(*out));
	memcpy(tac, (const uint8_t[]){ 0, 0, 1 }, 3);
	out->choice = NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_NR;
	nr->nr_cgi.plmn_identity = plmn;
	nr->nr_cgi.nr_cell_identity = 1;
	nr->tai.plmn_identity = plmn;
	nr->tai.tac = OCTETS(tac, 3);
}

void fake_initial(struct fake_link *link, int64_t ran_id, struct octets nas, int cause,
		  const struct nas_guti *guti, const struct slice *nssai, size_t nssai_count)
{
	uint8_t memory[8192], tac[3], tmsi[4], sst[8], sd[8][3];
	struct octets sd_octets[8];
	struct ngap_requested_nssai_item items[8] = { 0 };
	struct ngap_requested_nssai requested = { .count = nssai_count, .items = items };
	struct ngap_user_location_information where;
	struct ngap_five_g_s_tmsi s_tmsi = { .amf_set_id = 0 };
	struct arena arena;
	struct ngap_pdu pdu;

	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, NGAP_INITIAL_UE_MESSAGE, &arena);
	location(link->iut, &where, tac);
	ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, ran_id);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, nas);
	ngap_add(&pdu, NGAP_ID_USER_LOCATION_INFORMATION, &where);
	ngap_add_enum(&pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE, cause);
	if (guti) {
		s_tmsi.amf_set_id = guti->s_tmsi.amf_set_id;
		s_tmsi.amf_pointer = guti->s_tmsi.amf_pointer;
		for (int i = 0; i < 4; i++)
			tmsi[i] = (uint8_t)(guti->s_tmsi.tmsi >> (24 - 8 * i));
		s_tmsi.five_g_tmsi = OCTETS(tmsi, 4);
		ngap_add(&pdu, NGAP_ID_FIVE_G_S_TMSI, &s_tmsi);
	}
	ngap_add_enum(&pdu, NGAP_ID_UE_CONTEXT_REQUEST, NGAP_UE_CONTEXT_REQUEST_REQUESTED);
	for (size_t i = 0; i < nssai_count; i++) {
		sst[i] = nssai[i].sst;
		items[i].s_nssai.sst = OCTETS(&sst[i], 1);
		if (!nssai[i].has_sd)
			continue;
		sd[i][0] = (uint8_t)(nssai[i].sd >> 16);
		sd[i][1] = (uint8_t)(nssai[i].sd >> 8);
		sd[i][2] = (uint8_t)nssai[i].sd;
		sd_octets[i] = OCTETS(sd[i], 3);
		items[i].s_nssai.sd = &sd_octets[i];
	}
	if (nssai_count)
		ngap_add(&pdu, NGAP_ID_REQUESTED_NSSAI, &requested);
	fake_send(link, (uint16_t)(1 + ran_id % 3), &pdu);
}

void fake_uplink(struct fake_ran_ue *ue, struct octets nas, int cause)
{
	struct iut *iut = ue->iut;
	struct ngap_user_location_information where;
	uint8_t memory[8192], tac[3];
	struct arena arena;
	struct ngap_pdu pdu;

	if (!ue->ran_id) {
		ue->via = fake_ready_link(iut, ue->n3iwf);
		if (!ue->via)
			return;
		ue->ran_id = ++iut->next_ran_id;
		ue->amf_id = -1;
		fake_initial(ue->via, ue->ran_id, nas, cause, ue->has_guti ? &ue->guti : NULL, NULL,
			     0);
		return;
	}
	if (ue->amf_id < 0)
		return;
	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, NGAP_UPLINK_NAS_TRANSPORT, &arena);
	location(iut, &where, tac);
	ngap_add_int(&pdu, NGAP_ID_AMF_UE_NGAP_ID, ue->amf_id);
	ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, ue->ran_id);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, nas);
	ngap_add(&pdu, NGAP_ID_USER_LOCATION_INFORMATION, &where);
	fake_send(ue->via, (uint16_t)(1 + ue->ran_id % 3), &pdu);
}

static void ue_answer(struct fake_link *link, const struct ngap_pdu *in, enum ngap_message message)
{
	const struct ngap_ue_ngap_ids *ids = ngap_value(in, NGAP_ID_UE_NGAP_IDS);
	uint8_t memory[4096];
	struct arena arena;
	struct ngap_pdu pdu;
	int64_t amf = 0, ran = 0;

	if (ids) {
		amf = ids->ue_ngap_id_pair.amf_ue_ngap_id;
		ran = ids->ue_ngap_id_pair.ran_ue_ngap_id;
	} else {
		ngap_get_int(in, NGAP_ID_AMF_UE_NGAP_ID, &amf);
		ngap_get_int(in, NGAP_ID_RAN_UE_NGAP_ID, &ran);
	}
	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, message, &arena);
	ngap_add_int(&pdu, NGAP_ID_AMF_UE_NGAP_ID, amf);
	ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, ran);
	fake_send(link, (uint16_t)(1 + ran % 3), &pdu);
}

static void release(struct fake_link *link, const struct ngap_pdu *pdu)
{
	const struct ngap_ue_ngap_ids *ids = ngap_value(pdu, NGAP_ID_UE_NGAP_IDS);
	struct fake_ran_ue *ue =
		ids ? ue_by_ran_id(link->iut, ids->ue_ngap_id_pair.ran_ue_ngap_id) : NULL;

	fake_ran_plan.releases++;
	ue_answer(link, pdu, NGAP_UE_CONTEXT_RELEASE_COMPLETE);
	if (!ue)
		return;
	ue->ran_id = 0;
	ue->secured = false;
}

static void page(struct iut *iut, const struct ngap_pdu *pdu)
{
	const struct ngap_ue_paging_identity *id = ngap_value(pdu, NGAP_ID_UE_PAGING_IDENTITY);
	uint32_t tmsi;

	fake_ran_plan.pages++;
	if (!id || id->five_g_s_tmsi.five_g_tmsi.len != 4)
		return;
	tmsi = (uint32_t)id->five_g_s_tmsi.five_g_tmsi.data[0] << 24 |
	       (uint32_t)id->five_g_s_tmsi.five_g_tmsi.data[1] << 16 |
	       (uint32_t)id->five_g_s_tmsi.five_g_tmsi.data[2] << 8 |
	       id->five_g_s_tmsi.five_g_tmsi.data[3];
	for (size_t i = 0; i < FAKE_UES; i++)
		if (iut->ues[i].has_guti && iut->ues[i].guti.s_tmsi.tmsi == tmsi &&
		    !fake_ran_plan.no_paging_response)
			fake_ue_paged(&iut->ues[i]);
}

/* NG Setup can fail in this state, and the rest is dealt with by kind. */
static void handle(struct fake_link *link, const struct ngap_pdu *pdu)
{
	struct iut *iut = link->iut;
	struct fake_ran_ue *ue = NULL;
	struct octets nas;
	int64_t ran, amf, capacity;

	if (ngap_get_int(pdu, NGAP_ID_RAN_UE_NGAP_ID, &ran))
		ue = ue_by_ran_id(iut, ran);
	if (ue && ngap_get_int(pdu, NGAP_ID_AMF_UE_NGAP_ID, &amf))
		ue->amf_id = amf;
	switch (pdu->message) {
	case NGAP_NG_SETUP_RESPONSE:
		fake_ran_plan.responses++;
		link->set_up = true;
		if (ngap_get_int(pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, &capacity))
			fake_ran_plan.capacity = (int)capacity;
		break;
	case NGAP_NG_SETUP_FAILURE:
		fake_ran_plan.failures++;
		break;
	case NGAP_AMF_CONFIGURATION_UPDATE:
		configuration_update(link, pdu);
		break;
	case NGAP_AMF_STATUS_INDICATION:
		fake_ran_plan.status_indications++;
		break;
	case NGAP_ERROR_INDICATION:
		fake_ran_plan.error_indications++;
		break;
	case NGAP_NG_RESET:
		fake_ran_plan.resets++;
		for (size_t i = 0; i < FAKE_UES; i++)
			iut->ues[i].ran_id = 0;
		answer_with(link, NGAP_NG_RESET_ACKNOWLEDGE);
		break;
	case NGAP_PAGING:
		page(iut, pdu);
		break;
	case NGAP_UE_CONTEXT_RELEASE_COMMAND:
		release(link, pdu);
		break;
	case NGAP_INITIAL_CONTEXT_SETUP_REQUEST:
		fake_ran_plan.contexts++;
		ue_answer(link, pdu, NGAP_INITIAL_CONTEXT_SETUP_RESPONSE);
		/* fall through */
	case NGAP_DOWNLINK_NAS_TRANSPORT:
		if (ue && ngap_get_octets(pdu, NGAP_ID_NAS_PDU, &nas))
			fake_ue_nas(ue, nas);
		break;
	default:
		break;
	}
}

/* What TS 38.413 clause 10 has a node do about an OVERLOAD START, as far as the tests need it. */
static void overload(struct fake_link *link, const struct link_message *message)
{
	fake_ran_plan.start_len = message->data.len < sizeof(fake_ran_plan.start)
					  ? message->data.len
					  : sizeof(fake_ran_plan.start);
	memcpy(fake_ran_plan.start, message->data.data, fake_ran_plan.start_len);
	(void)link;
}

static void error_report(struct fake_link *link, const struct ngap_pdu *in)
{
	uint8_t memory[2048];
	struct ngap_cause cause = {
		.choice = NGAP_CAUSE_CHOICE_PROTOCOL,
		.protocol = NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_REJECT,
	};
	int64_t code = in->procedure_code;
	enum ngap_triggering_message trigger = NGAP_TRIGGERING_MESSAGE_INITIATING_MESSAGE;
	enum ngap_criticality criticality = (enum ngap_criticality)in->criticality;
	struct ngap_criticality_diagnostics_ie_item item = {
		.ie_criticality = NGAP_CRITICALITY_REJECT,
		.ie_id = NGAP_ID_AMF_OVERLOAD_RESPONSE,
		.type_of_error = NGAP_TYPE_OF_ERROR_NOT_UNDERSTOOD,
	};
	struct ngap_criticality_diagnostics_ie_list list = { .count = 1, .items = &item };
	struct ngap_criticality_diagnostics diagnostics = {
		.procedure_code = &code,
		.triggering_message = &trigger,
		.procedure_criticality = &criticality,
		.ies_criticality_diagnostics = &list,
	};
	struct arena arena;
	struct ngap_pdu pdu;

	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, NGAP_ERROR_INDICATION, &arena);
	ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	ngap_add(&pdu, NGAP_ID_CRITICALITY_DIAGNOSTICS, &diagnostics);
	fake_send(link, 0, &pdu);
}

static void on_message(struct link *l, void *arg, const struct link_message *message)
{
	static uint8_t memory[4 << 20];
	struct fake_link *link = arg;
	struct findings findings = { .max = 0 };
	enum ngap_reaction reaction;
	struct arena arena;
	struct ngap_pdu pdu;

	(void)l;
	arena_init(&arena, memory, sizeof(memory));
	if (ngap_decode(&pdu, message->data, &arena, DECODE_LENIENT, NULL) != 0) {
		overload(link, message);
		return;
	}
	if (pdu.message == NGAP_OVERLOAD_START || pdu.message == NGAP_OVERLOAD_STOP) {
		overload(link, message);
		fake_ran_plan.starts += pdu.message == NGAP_OVERLOAD_START;
		fake_ran_plan.stops += pdu.message == NGAP_OVERLOAD_STOP;
		reaction = ngap_check(&pdu, &findings).reaction;
		if (reaction == NGAP_REACTION_NOTIFY_IE || reaction >= NGAP_REACTION_NOTIFY)
			error_report(link, &pdu);
		return;
	}
	handle(link, &pdu);
}
