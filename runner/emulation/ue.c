/*
 * Emulated UEs: life, state and what arrives. Building and protecting what a UE sends is in
 * ue_send.c, its default behaviours are in ue_behave.c and ue_security.c.
 */
#include "runner/emulation/ue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/emulation/emulation.h"

/* "imsi-999700000000001" and an index give a SUPI; the number of digits stays. */
static void subscriber_supi(struct ue *ue, const char *first, uint32_t index)
{
	const char *digits = strchr(first, '-');
	uint64_t number;
	size_t len;

	digits = digits ? digits + 1 : first;
	len = strlen(digits);
	number = strtoull(digits, NULL, 10) + index;
	snprintf(ue->supi, sizeof(ue->supi), "imsi-%0*" PRIu64, (int)len, number);
	ue->digits = ue->supi + 5;
}

struct ue *ue_new(struct gnb *gnb)
{
	struct emulation *e = gnb->e;
	struct ue *ue = tc_alloc(e->t, sizeof(*ue));

	subscriber_supi(ue, e->t->profile->subscribers.first, tc_subscriber(e->t));
	snprintf(ue->name, sizeof(ue->name), "ue%u", ++e->ue_count);
	ue->e = e;
	ue->behaviours = ~0U;
	ue->ea = ue->ia = 0x0f;
	ue->node = gnb;
	ue->access[gnb_access(gnb)].gnb = gnb;
	if (e->last_ue)
		e->last_ue->next = ue;
	else
		e->ues = ue;
	e->last_ue = ue;
	return ue;
}

static void place(struct ue *ue, struct gnb *gnb)
{
	struct ue_access *access = &ue->access[gnb_access(gnb)];

	if (access->gnb != gnb && access->connection) {
		access->connection->open = false;
		ue_now_idle(ue, gnb_access(gnb));
	}
	access->gnb = gnb;
}

void ue_move(struct ue *ue, struct gnb *gnb)
{
	place(ue, gnb);
	ue->node = gnb;
}

void ue_also_behind(struct ue *ue, struct gnb *gnb)
{
	place(ue, gnb);
}

enum access ue_choose(struct ue *ue, const struct ue_options *options)
{
	struct gnb *gnb = options->via ? options->via : ue->node;

	place(ue, gnb);
	return gnb_access(gnb);
}

void ue_without(struct ue *ue, unsigned int behaviours)
{
	ue->behaviours &= ~behaviours;
}

void ue_with(struct ue *ue, unsigned int behaviours)
{
	ue->behaviours |= behaviours;
}

void ue_harmless(struct ue *ue, enum mm_message type)
{
	set_bit(ue->harmless, type);
}

void ue_access_identity(struct ue *ue, unsigned int identity)
{
	ue->access_identity = identity;
}

void ue_algorithms(struct ue *ue, uint8_t ea, uint8_t ia)
{
	ue->ea = ea;
	ue->ia = ia;
}

void ue_prefers_control_plane(struct ue *ue)
{
	ue->prefers_control_plane = true;
}

void ue_now_idle(struct ue *ue, enum access access)
{
	ue->access[access].connection = NULL;
	ue->access[access].secured = false;
	if (ue->on_idle)
		ue->on_idle(ue, ue->on_arg);
}

void ue_connection_lost(struct ue *ue)
{
	enum access access = gnb_access(ue->node);

	if (!ue->access[access].connection)
		return;
	ue->access[access].connection->open = false;
	ue_now_idle(ue, access);
}

/* --- what arrives --- */

void emulation_record_nas(struct emulation *e, const char *name, bool sent, struct octets plain,
			  unsigned int security_header, const char *remark)
{
	static const char *const protections[] = {
		"plain",
		"integrity protected",
		"ciphered",
		"integrity protected, new context",
		"ciphered, new context",
	};
	uint8_t memory[NAS_ARENA_SIZE];
	struct arena arena;
	char line[512];
	struct text text;

	arena_init(&arena, memory, sizeof(memory));
	text_init(&text, line, sizeof(line));
	nas_print_pdu_line(&text, plain, &arena);
	text_printf(&text, " (%s%s%s)",
		    security_header < 5 ? protections[security_header] : "unknown protection",
		    remark ? "; " : "", remark ? remark : "");
	record_message(e->t->record, &(struct record_message){
					     .link = name,
					     .sent = sent,
					     .proto = "nas",
					     .summary = line,
					     .stream = -1,
					     .data = plain,
				     });
}

void ue_record(struct ue *ue, bool sent, struct octets plain, unsigned int security_header,
	       const char *remark)
{
	emulation_record_nas(ue->e, ue->name, sent, plain, security_header, remark);
}

/* A message that a UE must not act upon; an expectation that gets nothing tells of it. */
static void discard(struct ue *ue, struct octets pdu, unsigned int security_header, const char *why)
{
	ue->discarded++;
	snprintf(ue->discard_reason, sizeof(ue->discard_reason), "%s", why);
	ue_record(ue, false, pdu, security_header, "discarded");
	if (ue->discarded <= DISCARDED_NOTED)
		tc_note(ue->e->t, "%s discards a NAS message: %s", ue->name, why);
}

/* What a UE may take without integrity protection (24.501 4.4.4.2). */
static bool plain_allowed(const struct ue_access *access, const struct nas_received *m)
{
	uint8_t identity = 0;

	switch (m->msg.type) {
	case IDENTITY_REQUEST:
		return !access->secured && nas_get_u8(&m->msg, NAS_IE_IDENTITY_TYPE, &identity) &&
		       (identity & 7) == NAS_IDENTITY_SUCI;
	case AUTHENTICATION_REQUEST:
	case AUTHENTICATION_RESULT:
	case AUTHENTICATION_REJECT:
	case DEREGISTRATION_ACCEPT:
		return !access->secured;
	case REGISTRATION_REJECT:
	case SERVICE_REJECT:
		/* Past the start of security a UE drops these too; but what they say, and that
		 * they are plain, is for the case to judge. */
		return true;
	default:
		return false;
	}
}

void ue_nas_input(struct ue *ue, enum access access, struct octets pdu,
		  const struct ngap_received *carrier)
{
	struct emulation *e = ue->e;
	struct ue_access *a = &ue->access[access];
	struct octets plain = pdu;
	unsigned int security_header = 0;
	struct nas_received *m;
	uint32_t count = 0;
	char buf[200];
	struct text why;
	bool skippable;

	if (e->ended)
		return;
	text_init(&why, buf, sizeof(buf));
	if (nas_is_secured(pdu)) {
		uint8_t *out;
		size_t len;

		security_header = pdu.data[1] & 0x0f;
		if (pdu.len > MESSAGE_MAX) {
			discard(ue, pdu, security_header, "longer than any NAS message");
			return;
		}
		out = e->nas_in;
		if (!ue_unprotect(ue, access, pdu, out, MESSAGE_MAX, &len, &count, &why)) {
			discard(ue, pdu, security_header, buf);
			return;
		}
		plain = OCTETS(out, len);
	}
	m = received_nas(e, plain, pdu, carrier, &why);
	if (!m) {
		discard(ue, plain, security_header, buf);
		return;
	}
	if (m->msg.epd != NAS_EPD_5GMM) {
		discard(ue, m->plain, security_header, "no 5GMM message");
		return;
	}
	m->ue = ue;
	m->security_header = (uint8_t)security_header;
	m->integrity = security_header != 0;
	m->count = count;
	if (!m->integrity && !plain_allowed(a, m)) {
		text_printf(&why, "plain %s, which has to be protected",
			    nas_message_name(m->msg.type));
		discard(ue, m->plain, security_header, buf);
		return;
	}
	ue_record(ue, false, m->plain, security_header, NULL);
	if (security_header == NAS_INTEGRITY_PROTECTED ||
	    security_header == NAS_INTEGRITY_PROTECTED_AND_CIPHERED)
		a->secured = true;
	for (size_t i = 0; i < e->watcher_count; i++)
		if (e->watchers[i].nas)
			e->watchers[i].nas(m, e->watchers[i].arg);
	if (e->ended)
		return;
	skippable = ue_behave(ue, access, m) || bit_set(ue->harmless, m->msg.type);
	if (ue->on_nas)
		ue->on_nas(ue, m, ue->on_arg);
	else if (!queue_push(e->t, &ue->nas, carrier, m, skippable))
		emulation_end(e, VERDICT_FAIL,
			      "the IUT floods %s: %d messages that nobody asked for wait, the last "
			      "is %s",
			      ue->name, QUEUE_MAX, nas_message_name(m->msg.type));
}

/* --- what it is --- */

struct tc *ue_tc(const struct ue *ue)
{
	return ue->e->t;
}

const char *ue_supi(const struct ue *ue)
{
	return ue->supi;
}

const char *ue_name(const struct ue *ue)
{
	return ue->name;
}

struct gnb *ue_node(const struct ue *ue)
{
	return ue->node;
}

bool ue_is_connected(const struct ue *ue)
{
	return ue->access[gnb_access(ue->node)].connection != NULL;
}

bool ue_is_registered(const struct ue *ue, const struct gnb *via)
{
	return ue->access[gnb_access(via ? via : ue->node)].registered;
}

bool ue_has_security_context(const struct ue *ue)
{
	return ue->access[gnb_access(ue->node)].context.valid;
}

bool ue_guti(const struct ue *ue, struct nas_guti *guti)
{
	if (ue->has_guti)
		*guti = ue->guti;
	return ue->has_guti;
}

bool ue_in_tai_list(const struct ue *ue, const struct gnb *gnb)
{
	const struct ue_access *access = &ue->access[gnb_access(gnb)];
	struct nas_tai here = { .tac = gnb->tac };

	memcpy(here.plmn.octets, ue->e->t->profile->plmn.bcd, 3);
	for (size_t i = 0; i < access->tai_count; i++)
		if (nas_tai_equal(&access->tais[i], &here))
			return true;
	return false;
}

uint64_t ue_t3512(const struct ue *ue)
{
	return ue->t3512;
}

struct timer_ie ue_t3346(const struct ue *ue)
{
	return ue->t3346;
}

uint16_t ue_sessions(const struct ue *ue)
{
	return ue->sessions;
}

uint64_t ue_sent_at(const struct ue *ue)
{
	return ue->sent_at;
}
