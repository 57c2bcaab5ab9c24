/*
 * Emulated NG-RAN nodes: association, NG Setup, non-UE-associated messages. What concerns single
 * UEs is in gnb_ue.c.
 */
#include "runner/emulation/gnb.h"

#include <errno.h>
#include <stdio.h>

#include "codecs/ngap/ngap_check.h"
#include "runner/emulation/emulation.h"
#include "runner/emulation/sbi_core_case.h"

#define CONNECT_LIMIT (10 * US_PER_S) /* where the profile states none */

const struct ngap_received *gnb_setup_response(const struct gnb *gnb)
{
	return gnb->setup_response;
}

/* --- what arrives --- */

/* Messages that a correct AMF may send at any time, and that ask for nothing. */
static bool is_harmless(enum ngap_message message)
{
	switch (message) {
	case NGAP_OVERLOAD_START:
	case NGAP_OVERLOAD_STOP:
	case NGAP_AMF_STATUS_INDICATION:
	case NGAP_PAGING:
	case NGAP_DOWNLINK_RAN_CONFIGURATION_TRANSFER:
	case NGAP_DOWNLINK_NON_UE_ASSOCIATED_NRPPA_TRANSPORT:
	case NGAP_DOWNLINK_RIM_INFORMATION_TRANSFER:
	case NGAP_NG_RESET_ACKNOWLEDGE:
	case NGAP_RAN_CONFIGURATION_UPDATE_ACKNOWLEDGE:
		return true;
	default:
		return false;
	}
}

static void note_capacity(struct gnb *gnb, const struct ngap_received *m)
{
	int64_t capacity;

	if (ngap_get_int(&m->pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, &capacity))
		gnb->relative_capacity = (int)capacity;
}

static void acknowledge_reset(struct gnb *gnb, const struct ngap_received *m)
{
	const struct ngap_reset_type *type = ngap_value(&m->pdu, NGAP_ID_RESET_TYPE);
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_NG_RESET_ACKNOWLEDGE);

	if (type && type->choice == NGAP_RESET_TYPE_CHOICE_PART_OF_NG_INTERFACE) {
		gnb_drop_part(gnb, &type->part_of_ng_interface);
		ngap_add(&pdu, NGAP_ID_UE_ASSOCIATED_LOGICAL_NG_CONNECTION_LIST,
			 &type->part_of_ng_interface);
	} else {
		gnb_drop_connections(gnb);
	}
	gnb_reply(gnb, 0, &pdu);
}

static void non_ue_input(struct gnb *gnb, const struct ngap_received *m)
{
	bool skippable = is_harmless(m->pdu.message) || bit_set(gnb->harmless, m->pdu.message);

	switch (m->pdu.message) {
	case NGAP_NG_SETUP_RESPONSE:
		note_capacity(gnb, m);
		/* fall through */
	case NGAP_NG_SETUP_FAILURE:
		if (gnb->setup_pending)
			gnb->setup_response = m;
		gnb->setup_pending = false;
		break;
	case NGAP_AMF_CONFIGURATION_UPDATE:
		note_capacity(gnb, m);
		if (gnb->behaviours & ANSWER_AMF_CONFIGURATION_UPDATE) {
			struct ngap_pdu pdu =
				ngap_build(gnb->e, NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE);

			gnb_reply(gnb, 0, &pdu);
			skippable = true;
		}
		break;
	case NGAP_NG_RESET:
		if (gnb->behaviours & ANSWER_NG_RESET)
			acknowledge_reset(gnb, m);
		break;
	case NGAP_PAGING:
		gnb_paging_input(gnb, m);
		break;
	default:
		break;
	}
	if (!queue_push(gnb->e->t, &gnb->inbox, m, NULL, skippable))
		emulation_end(gnb->e, VERDICT_FAIL,
			      "the IUT floods %s: %d messages that nobody asked for wait, the last "
			      "is %s",
			      gnb->name, QUEUE_MAX, ngap_message_name(m->pdu.message));
}

/* Told once for a node: judging the form of a message is for the cases that are about it. */
static void note_malformed(struct gnb *gnb, const struct ngap_received *m)
{
	if (m->reaction < NGAP_REACTION_NOTIFY || gnb->noted_malformed || m->finding_count == 0)
		return;
	gnb->noted_malformed = true;
	tc_note(gnb->e->t, "%s: %s of the IUT would be refused by 38.413 clause 10: %s, %s",
		gnb->name, ngap_message_name(m->pdu.message), m->findings[0].field,
		finding_rule_name(m->findings[0].rule));
}

static void on_message(struct link *link, void *arg, const struct link_message *message)
{
	struct gnb *gnb = arg;
	struct emulation *e = gnb->e;
	char buf[200];
	struct text why;
	struct ngap_received *m;
	bool ue_associated;

	(void)link;
	e->t->iut_answered = true;
	if (e->ended)
		return;
	text_init(&why, buf, sizeof(buf));
	if (message->ppid != NGAP_PPID) {
		emulation_end(e, VERDICT_FAIL,
			      "the IUT sent a message of payload protocol identifier %u on stream "
			      "%u to %s; NGAP has %d (38.412 7)",
			      message->ppid, message->stream, gnb->name, NGAP_PPID);
		return;
	}
	m = received_ngap(e, gnb, message, &why);
	if (!m) {
		struct text hex;
		char digits[80];

		text_init(&hex, digits, sizeof(digits));
		text_hex(&hex, message->data.data, message->data.len < 32 ? message->data.len : 32);
		emulation_end(e, VERDICT_FAIL,
			      "the IUT sent %zu octets to %s that are no NGAP message (%s): %s%s",
			      message->data.len, gnb->name, why.buf, digits,
			      message->data.len > 32 ? "..." : "");
		return;
	}
	note_malformed(gnb, m);
	ue_associated = ngap_is_ue_associated(&m->pdu);
	if (m->stream < 64) {
		uint64_t *streams = ue_associated ? &gnb->ue_streams : &gnb->non_ue_streams;

		*streams |= UINT64_C(1) << m->stream;
	}
	if (ue_associated)
		gnb_ue_find(gnb, m);
	for (size_t i = 0; i < e->watcher_count; i++)
		if (e->watchers[i].ngap)
			e->watchers[i].ngap(m, e->watchers[i].arg);
	if (e->ended)
		return;
	if (ue_associated)
		gnb_ue_input(gnb, m);
	else
		non_ue_input(gnb, m);
}

/* --- association --- */

static void on_up(struct link *link, void *arg)
{
	struct gnb *gnb = arg;

	(void)link;
	gnb->up = true;
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	struct gnb *gnb = arg;
	bool was_up = gnb->up;

	(void)link;
	gnb->up = false;
	gnb->failed = true;
	gnb->reason = reason;
	if (!was_up)
		return; /* whoever connects sees to it */
	gnb_drop_connections(gnb);
	if (gnb->down_expected)
		return;
	if (reason == LINK_FAILED)
		emulation_end(gnb->e, VERDICT_ERROR, "the association of %s broke at our own side",
			      gnb->name);
	else
		emulation_end(gnb->e, emulation_dead(gnb->e),
			      "the IUT dropped the association of %s (%s)", gnb->name,
			      link_down_reason_name(reason));
}

static void on_restart(struct link *link, void *arg)
{
	struct gnb *gnb = arg;

	(void)link;
	gnb_drop_connections(gnb);
	if (!gnb->down_expected)
		emulation_end(gnb->e, emulation_dead(gnb->e),
			      "the IUT restarted the association of %s", gnb->name);
}

static const struct link_handler handler = {
	.up = on_up,
	.message = on_message,
	.down = on_down,
	.restart = on_restart,
};

static bool up_or_failed(void *arg)
{
	const struct gnb *gnb = arg;

	return gnb->up || gnb->failed;
}

static bool setup_answered(void *arg)
{
	const struct gnb *gnb = arg;

	return gnb->setup_response || gnb->failed;
}

/* "127.0.0.5:38412 over usrsctp": with the wrong transport nobody answers either. */
static void peer_text(const struct tc *t, char *buf, size_t size)
{
	struct text text;

	text_init(&text, buf, size);
	net_address_print(&t->profile->iut_n2, &text);
	text_printf(&text, " over %s", net_transport_name(net_transport(t->net)));
}

/* Why there is no association; what never was cannot be lost. */
static const char *refusal(enum link_down_reason reason)
{
	return reason == LINK_LOST ? "no answer" : link_down_reason_name(reason);
}

static void associate(struct gnb *gnb)
{
	struct tc *t = gnb->e->t;
	uint64_t limit = t->profile->connect_time ? t->profile->connect_time : CONNECT_LIMIT;
	char buf[256], peer[80];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	peer_text(t, peer, sizeof(peer));
	gnb->up = false;
	gnb->failed = false;
	gnb->link = net_connect(t->net, gnb->name, &gnb->local, &t->profile->iut_n2, &handler, gnb,
				&why);
	if (!gnb->link)
		tc_error(t, "%s: no association with %s: %s", gnb->name, peer, buf);
	tc_wait(t, limit, up_or_failed, gnb);
	if (gnb->up)
		return;
	if (!gnb->failed)
		tc_unreachable(t, "%s: no association with %s within %llu s", gnb->name, peer,
			       (unsigned long long)(limit / US_PER_S));
	link_close(gnb->link, true);
	gnb->link = NULL;
	if (gnb->reason == LINK_FAILED)
		tc_error(t, "%s: no association with %s: our own side failed", gnb->name, peer);
	if (t->iut_answered)
		tc_iut_dead(t, "%s: the IUT at %s takes no association any more (%s)", gnb->name,
			    peer, refusal(gnb->reason));
	tc_unreachable(t, "%s: no association with %s (%s)", gnb->name, peer, refusal(gnb->reason));
}

static void set_up(struct gnb *gnb)
{
	struct tc *t = gnb->e->t;
	const struct ngap_received *answer;
	char buf[160];
	struct text cause;

	gnb_ng_setup(gnb, gnb->options.alter, gnb->options.alter_arg);
	tc_wait(t, t->profile->response_time, setup_answered, gnb);
	answer = gnb->setup_response;
	if (!answer)
		tc_iut_dead(t, "%s: NG SETUP REQUEST is not answered within %llu ms", gnb->name,
			    (unsigned long long)(t->profile->response_time / US_PER_MS));
	for (const struct entry *entry = gnb->inbox.first; entry; entry = entry->next) {
		if (entry->ngap != answer)
			continue;
		queue_remove(&gnb->inbox, entry);
		break;
	}
	if (answer->pdu.message == NGAP_NG_SETUP_RESPONSE)
		return;
	text_init(&cause, buf, sizeof(buf));
	received_ngap_cause(answer, &cause);
	if (gnb->options.failing == VERDICT_FAIL)
		tc_fail(t, "%s: NG SETUP FAILURE, cause %s", gnb->name, buf);
	tc_inconc(t, "%s: NG SETUP FAILURE, cause %s", gnb->name, buf);
}

struct gnb *gnb_connect_with(struct tc *t, const struct gnb_options *options)
{
	struct emulation *e = emulation_of(t);
	const struct profile *profile = t->profile;
	struct gnb *gnb = tc_alloc(t, sizeof(*gnb));
	struct gnb **last = &e->gnbs;

	sbi_core_of_case(t);
	gnb->e = e;
	gnb->options = *options;
	gnb->id = options->id ? options->id : tc_gnb_id(t);
	gnb->tac = options->tac ? options->tac : profile->tac_count ? profile->tacs[0] : 1;
	gnb->behaviours = ~0U;
	gnb->relative_capacity = -1;
	if (options->kind == NODE_N3IWF)
		snprintf(gnb->name, sizeof(gnb->name), "n3iwf%u", ++e->n3iwf_count);
	else
		snprintf(gnb->name, sizeof(gnb->name), "gnb%u", ++e->gnb_count);
	if (options->kind == NODE_N3IWF && profile->has_n3iwf)
		gnb->local = profile->n3iwf;
	else if (profile->n2.address_count)
		gnb->local = profile->n2.addresses[e->next_address++ % profile->n2.address_count];
	else
		gnb->local.v4.sin_family = AF_INET;
	while (*last)
		last = &(*last)->next;
	*last = gnb;
	associate(gnb);
	if (!options->no_setup)
		set_up(gnb);
	return gnb;
}

static void leave(struct gnb *gnb, bool abort)
{
	if (gnb->link)
		link_close(gnb->link, abort);
	gnb->link = NULL;
	gnb->up = false;
	gnb->setup_pending = false;
	queue_clear(&gnb->inbox);
	gnb_drop_connections(gnb);
}

void gnb_disconnect(struct gnb *gnb)
{
	leave(gnb, false);
}

void gnb_abort(struct gnb *gnb)
{
	leave(gnb, true);
}

void gnb_reconnect(struct gnb *gnb)
{
	leave(gnb, false);
	gnb->down_expected = false;
	associate(gnb);
	set_up(gnb);
}

bool gnb_up(const struct gnb *gnb)
{
	return gnb->up;
}

void gnb_may_drop(struct gnb *gnb)
{
	gnb->down_expected = true;
}

void gnb_without(struct gnb *gnb, unsigned int behaviours)
{
	gnb->behaviours &= ~behaviours;
}

void gnb_with(struct gnb *gnb, unsigned int behaviours)
{
	gnb->behaviours |= behaviours;
}

void gnb_harmless(struct gnb *gnb, enum ngap_message type)
{
	set_bit(gnb->harmless, type);
}

/* --- sending --- */

int gnb_transmit(struct gnb *gnb, uint16_t stream, const struct ngap_pdu *pdu)
{
	ssize_t len = ngap_encode(pdu, gnb->e->out, MESSAGE_MAX);

	if (len < 0)
		return len == -ENOTCONN ? -EINVAL : (int)len;
	if (!gnb->link)
		return -ENOTCONN;
	return link_send(gnb->link, stream, NGAP_PPID, OCTETS(gnb->e->out, (size_t)len));
}

void gnb_reply(struct gnb *gnb, uint16_t stream, const struct ngap_pdu *pdu)
{
	int error = gnb_transmit(gnb, stream, pdu);

	/* An association that goes away in this moment is reported by the link itself. */
	if (error < 0 && error != -ENOTCONN)
		emulation_end(gnb->e, VERDICT_ERROR, "%s: cannot send %s: %s", gnb->name,
			      ngap_message_name(pdu->message), strerror(-error));
}

static void judge_sending(struct gnb *gnb, const char *what, int error)
{
	struct tc *t = gnb->e->t;

	if (error >= 0)
		return;
	if (error == -ENOTCONN)
		tc_iut_dead(t, "%s has no association any more for %s", gnb->name, what);
	tc_error(t, "%s: cannot send %s: %s", gnb->name, what, strerror(-error));
}

struct ngap_pdu *gnb_message(struct gnb *gnb, enum ngap_message message)
{
	struct tc *t = gnb->e->t;
	struct ngap_pdu *pdu = tc_alloc(t, sizeof(*pdu));

	ngap_pdu_init(pdu, message, emulation_arena(t, 2 * NGAP_ARENA_SIZE));
	return pdu;
}

void gnb_send(struct gnb *gnb, const struct ngap_pdu *pdu)
{
	gnb->last_sent = ngap_message_name(pdu->message);
	judge_sending(gnb, ngap_message_name(pdu->message), gnb_transmit(gnb, 0, pdu));
}

void gnb_send_raw(struct gnb *gnb, uint16_t stream, uint32_t ppid, struct octets data)
{
	judge_sending(gnb, "octets",
		      gnb->link ? link_send(gnb->link, stream, ppid, data) : -ENOTCONN);
}

void gnb_error_indication(struct gnb *gnb, enum ngap_cause_protocol cause, int procedure_code)
{
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_ERROR_INDICATION);
	struct ngap_cause value = { .choice = NGAP_CAUSE_CHOICE_PROTOCOL, .protocol = cause };
	struct ngap_criticality_diagnostics diagnostics = { .procedure_code = NULL };
	int64_t code = procedure_code;

	ngap_add(&pdu, NGAP_ID_CAUSE, &value);
	if (procedure_code >= 0) {
		diagnostics.procedure_code = &code;
		ngap_add(&pdu, NGAP_ID_CRITICALITY_DIAGNOSTICS, &diagnostics);
	}
	gnb_send(gnb, &pdu);
}

void gnb_reset(struct gnb *gnb)
{
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_NG_RESET);
	struct ngap_cause cause = { .choice = NGAP_CAUSE_CHOICE_MISC,
				    .misc = NGAP_CAUSE_MISC_OM_INTERVENTION };
	struct ngap_reset_type type = { .choice = NGAP_RESET_TYPE_CHOICE_NG_INTERFACE,
					.ng_interface = NGAP_RESET_ALL_RESET_ALL };

	ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	ngap_add(&pdu, NGAP_ID_RESET_TYPE, &type);
	gnb_drop_connections(gnb);
	gnb_send(gnb, &pdu);
}

void gnb_configuration_update(struct gnb *gnb)
{
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_RAN_CONFIGURATION_UPDATE);

	ngap_add_octets(&pdu, NGAP_ID_RAN_NODE_NAME,
			OCTETS((const uint8_t *)gnb->name, strlen(gnb->name)));
	gnb_send(gnb, &pdu);
}

/* --- what it is --- */

struct tc *gnb_tc(const struct gnb *gnb)
{
	return gnb->e->t;
}

const char *gnb_name(const struct gnb *gnb)
{
	return gnb->name;
}

uint32_t gnb_id(const struct gnb *gnb)
{
	return gnb->id;
}

uint32_t gnb_tac(const struct gnb *gnb)
{
	return gnb->tac;
}

enum node_kind gnb_kind(const struct gnb *gnb)
{
	return gnb->options.kind;
}

uint64_t gnb_ue_streams(const struct gnb *gnb)
{
	return gnb->ue_streams;
}

uint64_t gnb_non_ue_streams(const struct gnb *gnb)
{
	return gnb->non_ue_streams;
}

int gnb_relative_capacity(const struct gnb *gnb)
{
	return gnb->relative_capacity;
}
