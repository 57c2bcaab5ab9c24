/*
 * What arrives from the IUT's nodes: the way of a message from the association to node or UE, and
 * the non-UE-associated ones (TS 38.413 8.7).
 */
#include "codecs/ngap/ngap_check.h"
#include "runner/emulation/nw_private.h"

/* NG RESETs of one node that need not be expected; what comes beyond them is a flood. */
enum { RESETS_PASSED_OVER = 16 };

static const char *whose(const struct nw_association *association)
{
	return association->node ? association->node->name : association->amf->name;
}

/* Messages that a correct node may send at any time, and that ask for nothing. */
static bool is_harmless(enum ngap_message message)
{
	switch (message) {
	case NGAP_NG_RESET_ACKNOWLEDGE:
	case NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE:
	case NGAP_UPLINK_RAN_CONFIGURATION_TRANSFER:
	case NGAP_UPLINK_NON_UE_ASSOCIATED_NRPPA_TRANSPORT:
	case NGAP_UPLINK_RIM_INFORMATION_TRANSFER:
		return true;
	default:
		return false;
	}
}

static void acknowledge_reset(struct nw_association *association, const struct ngap_received *m)
{
	struct nw_node *node = association->node;
	const struct ngap_reset_type *type = ngap_value(&m->pdu, NGAP_ID_RESET_TYPE);
	struct ngap_pdu pdu = ngap_build(node->nw->e, NGAP_NG_RESET_ACKNOWLEDGE);

	if (type && type->choice == NGAP_RESET_TYPE_CHOICE_PART_OF_NG_INTERFACE) {
		nw_connection_drop_part(node, &type->part_of_ng_interface);
		ngap_add(&pdu, NGAP_ID_UE_ASSOCIATED_LOGICAL_NG_CONNECTION_LIST,
			 &type->part_of_ng_interface);
	} else {
		nw_drop_connections(node, NULL);
	}
	nw_reply(association, 0, &pdu);
}

/* Told once for a node: judging the form of a message is for the cases that are about it. */
static void note_malformed(struct nw_node *node, const struct ngap_received *m)
{
	if (m->reaction < NGAP_REACTION_NOTIFY || node->noted_malformed || m->finding_count == 0)
		return;
	node->noted_malformed = true;
	tc_note(node->nw->e->t, "%s: %s of the IUT would be refused by 38.413 clause 10: %s, %s",
		node->name, ngap_message_name(m->pdu.message), m->findings[0].field,
		finding_rule_name(m->findings[0].rule));
}

/* The first message of an association says whose it is. False where it does not. */
static bool identify(struct nw_association *association, const struct ngap_received *m)
{
	struct nw_amf *amf = association->amf;

	switch (m->pdu.message) {
	case NGAP_NG_SETUP_REQUEST:
		if (nw_setup_input(association, m))
			return true;
		emulation_end(amf->nw->e, VERDICT_FAIL,
			      "%s: NG SETUP REQUEST without a Global RAN Node ID that can be read",
			      amf->name);
		return false;
	case NGAP_RAN_CONFIGURATION_UPDATE:
		nw_configuration_input(association, m);
		return association->node != NULL;
	default:
		if (association->node)
			return true;
		emulation_end(amf->nw->e, VERDICT_FAIL,
			      "the IUT begins an association with %s by %s, before NG Setup "
			      "(38.413 8.7.1)",
			      amf->name, ngap_message_name(m->pdu.message));
		return false;
	}
}

static void non_ue_input(struct nw_association *association, const struct ngap_received *m)
{
	struct nw_node *node = association->node;
	struct nw_amf *amf = node->amf;
	bool skippable = is_harmless(m->pdu.message) || bit_set(node->harmless, m->pdu.message);

	switch (m->pdu.message) {
	case NGAP_NG_SETUP_REQUEST:
		skippable |= (amf->behaviours & NW_ANSWER_NG_SETUP) != 0;
		break;
	case NGAP_RAN_CONFIGURATION_UPDATE:
		skippable |= (amf->behaviours & NW_ANSWER_RAN_CONFIGURATION_UPDATE) != 0;
		break;
	case NGAP_NG_RESET:
		if (amf->behaviours & NW_ANSWER_NG_RESET) {
			acknowledge_reset(association, m);
			/* a node may reset now and then; one that goes on is flooding */
			skippable |= node->resets++ < RESETS_PASSED_OVER;
		}
		break;
	default:
		break;
	}
	if (!queue_push(node->nw->e->t, &node->inbox, m, NULL, skippable))
		emulation_end(node->nw->e, VERDICT_FAIL,
			      "the IUT floods %s: %d messages that nobody asked for wait, the last "
			      "is %s",
			      node->name, QUEUE_MAX, ngap_message_name(m->pdu.message));
}

static void no_ngap(struct nw_association *association, const struct link_message *message,
		    const char *why)
{
	struct text hex;
	char digits[80];

	text_init(&hex, digits, sizeof(digits));
	text_hex(&hex, message->data.data, message->data.len < 32 ? message->data.len : 32);
	emulation_end(association->amf->nw->e, VERDICT_FAIL,
		      "the IUT sent %zu octets to %s that are no NGAP message (%s): %s%s",
		      message->data.len, whose(association), why, digits,
		      message->data.len > 32 ? "..." : "");
}

void nw_node_input(struct nw_association *association, const struct link_message *message)
{
	struct emulation *e = association->amf->nw->e;
	struct ngap_received *m;
	char buf[200];
	struct text why;

	e->t->iut_answered = true;
	if (e->ended)
		return;
	text_init(&why, buf, sizeof(buf));
	if (message->ppid != NGAP_PPID) {
		emulation_end(e, VERDICT_FAIL,
			      "the IUT sent a message of payload protocol identifier %u on stream "
			      "%u to %s; NGAP has %d (38.412 7)",
			      message->ppid, message->stream, whose(association), NGAP_PPID);
		return;
	}
	m = received_ngap(e, NULL, message, &why);
	if (!m) {
		no_ngap(association, message, buf);
		return;
	}
	m->tnl = (uint16_t)association->tnl;
	if (!identify(association, m))
		return;
	m->node = association->node;
	note_malformed(association->node, m);
	if (ngap_is_ue_associated(&m->pdu)) {
		nw_connection_input(association, m);
		return;
	}
	for (size_t i = 0; i < e->watcher_count; i++)
		if (e->watchers[i].ngap)
			e->watchers[i].ngap(m, e->watchers[i].arg);
	if (!e->ended)
		non_ue_input(association, m);
}
