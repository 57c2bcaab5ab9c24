/*
 * Keeps what is counted of each INITIAL UE MESSAGE: cause, where it came, for which slices and
 * GUAMI. Counters are ranges over this list (runner/case/nw_attempts.c).
 */
#include "codecs/nas/nas_slice.h"
#include "runner/emulation/nw_private.h"

enum rrc_cause nw_rrc_cause_of(int value)
{
	static const enum rrc_cause causes[] = {
		[NGAP_RRC_ESTABLISHMENT_CAUSE_EMERGENCY] = RRC_EMERGENCY,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_HIGH_PRIORITY_ACCESS] = RRC_HIGH_PRIORITY_ACCESS,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_MT_ACCESS] = RRC_MT_ACCESS,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_MO_SIGNALLING] = RRC_MO_SIGNALLING,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_MO_DATA] = RRC_MO_DATA,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_MO_VOICE_CALL] = RRC_MO_VOICE_CALL,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_MO_VIDEO_CALL] = RRC_MO_VIDEO_CALL,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_MO_SMS] = RRC_MO_SMS,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_MPS_PRIORITY_ACCESS] = RRC_MPS_PRIORITY_ACCESS,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_MCS_PRIORITY_ACCESS] = RRC_MCS_PRIORITY_ACCESS,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_NOT_AVAILABLE] = RRC_NOT_AVAILABLE,
		[NGAP_RRC_ESTABLISHMENT_CAUSE_MO_EXCEPTION_DATA] = RRC_MO_EXCEPTION_DATA,
	};

	return value >= 0 && (size_t)value < sizeof(causes) / sizeof(*causes) ? causes[value]
									      : RRC_DEFAULT;
}

static void take_s_nssai(struct nw_initial *initial, const struct ngap_s_nssai *s)
{
	struct slice *slice = &initial->nssai[initial->nssai_count];

	if (initial->nssai_count == sizeof(initial->nssai) / sizeof(*initial->nssai) ||
	    s->sst.len != 1)
		return;
	*slice = (struct slice){ .sst = s->sst.data[0] };
	if (s->sd && s->sd->len == 3) {
		slice->has_sd = true;
		slice->sd = (uint32_t)s->sd->data[0] << 16 | (uint32_t)s->sd->data[1] << 8 |
			    s->sd->data[2];
	}
	initial->nssai_count++;
}

/* The requested NSSAI of a REGISTRATION REQUEST that is not hidden in a container. */
static void take_from_nas(struct nw_initial *initial, const struct ngap_received *m)
{
	uint8_t memory[NAS_ARENA_SIZE];
	struct nas_security_header header;
	struct nas_snssai items[8];
	struct octets nas;
	struct arena arena;
	struct nas_msg msg;
	int count;

	if (!ngap_get_octets(&m->pdu, NGAP_ID_NAS_PDU, &nas))
		return;
	if (nas_is_secured(nas)) {
		if (nas_security_parse(nas, &header) != NAS_SECURITY_OK ||
		    header.type != NAS_INTEGRITY_PROTECTED)
			return;
		nas = header.message;
	}
	arena_init(&arena, memory, sizeof(memory));
	if (nas_decode(&msg, nas, &arena, DECODE_LENIENT, NULL) != FINDING_NONE ||
	    msg.type != NAS_REGISTRATION_REQUEST)
		return;
	count = nas_get_nssai(&msg, NAS_IE_REQUESTED_NSSAI, items, 8);
	for (int i = 0; i < count && i < 8; i++)
		initial->nssai[initial->nssai_count++] = (struct slice){ .sst = items[i].sst,
									 .has_sd = items[i].has_sd,
									 .sd = items[i].sd };
}

static void take_nssai(struct nw_initial *initial, const struct ngap_received *m)
{
	const struct ngap_requested_nssai *requested = ngap_value(&m->pdu, NGAP_ID_REQUESTED_NSSAI);
	const struct ngap_allowed_nssai *allowed = ngap_value(&m->pdu, NGAP_ID_ALLOWED_NSSAI);

	for (size_t i = 0; requested && i < requested->count; i++)
		take_s_nssai(initial, &requested->items[i].s_nssai);
	if (!initial->nssai_count)
		take_from_nas(initial, m);
	for (size_t i = 0; !initial->nssai_count && allowed && i < allowed->count; i++)
		take_s_nssai(initial, &allowed->items[i].s_nssai);
}

static void take_amf(struct nw_initial *initial, const struct ngap_received *m)
{
	const struct ngap_five_g_s_tmsi *s_tmsi = ngap_value(&m->pdu, NGAP_ID_FIVE_G_S_TMSI);
	const struct ngap_guami *guami = ngap_value(&m->pdu, NGAP_ID_GUAMI);

	if (!s_tmsi && !guami)
		return;
	initial->has_amf = true;
	initial->set = (uint16_t)(s_tmsi ? s_tmsi->amf_set_id : guami->amf_set_id);
	initial->pointer = (uint8_t)(s_tmsi ? s_tmsi->amf_pointer : guami->amf_pointer);
}

void nw_count_initial(struct nw_association *association, const struct ngap_received *m)
{
	struct nw *nw = association->amf->nw;
	struct nw_initial *initial;
	int cause = -1;

	if (nw->initial_count == nw->initial_room) {
		size_t room = nw->initial_room ? 2 * nw->initial_room : 256;
		struct nw_initial *grown;

		if (room > NW_INITIAL_MAX)
			return; /* the bound of what is received is far below */
		grown = tc_alloc(nw->e->t, room * sizeof(*grown));
		if (nw->initial_count)
			memcpy(grown, nw->initials, nw->initial_count * sizeof(*grown));
		nw->initials = grown;
		nw->initial_room = room;
	}
	initial = &nw->initials[nw->initial_count++];
	*initial = (struct nw_initial){
		.time = m->time,
		.message = m,
		.node = association->node,
		.tnl = (uint16_t)association->tnl,
	};
	ngap_get_enum(&m->pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE, &cause);
	initial->cause = nw_rrc_cause_of(cause);
	take_nssai(initial, m);
	take_amf(initial, m);
}
