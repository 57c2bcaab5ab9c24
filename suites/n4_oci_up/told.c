#include "suites/n4_oci_up/told.h"

#include <stdio.h>

#include "codecs/pfcp/pfcp_print.h"

enum {
	TRIES = 16,	 /* messages until something has to have come */
	PLACE_TRIES = 6, /* of one kind */
	DETAIL_MAX = 8192,
	SMALL_STEP = 3, /* points */
};

/* --- what came --- */

static bool may_carry(uint8_t type)
{
	return type == PFCP_SESSION_ESTABLISHMENT_RESPONSE ||
	       type == PFCP_SESSION_MODIFICATION_RESPONSE ||
	       type == PFCP_SESSION_DELETION_RESPONSE || type == PFCP_SESSION_REPORT_REQUEST;
}

static void note(struct told_item *items, size_t *count, const struct pfcp_received *m,
		 struct pfcp_information information)
{
	if (*count < TOLD_MAX)
		items[(*count)++] = (struct told_item){ .m = m, .information = information };
}

/* Where the standard has no place for it: another message, or inside another IE. */
static bool is_misplaced(const struct pfcp_received *m, uint16_t type, size_t instances)
{
	return (!instances || !may_carry(m->msg.type)) &&
	       pfcp_find_anywhere(&m->msg.ies, type) != NULL;
}

static void watch(const struct pfcp_received *m, void *arg)
{
	struct pfcp_information oci = pfcp_received_oci(m), lci = pfcp_received_lci(m);
	struct told *told = arg;

	if (is_misplaced(m, PFCP_IE_OVERLOAD_CONTROL_INFORMATION, oci.instances) &&
	    !told->misplaced_oci)
		told->misplaced_oci = m;
	if (is_misplaced(m, PFCP_IE_LOAD_CONTROL_INFORMATION, lci.instances) &&
	    !told->misplaced_lci)
		told->misplaced_lci = m;
	if (oci.instances > 1 && !told->repeated_oci)
		told->repeated_oci = m;
	if (lci.instances > 1 && !told->repeated_lci)
		told->repeated_lci = m;
	if (!may_carry(m->msg.type))
		return;
	told->messages++;
	if (oci.instances)
		note(told->oci, &told->oci_count, m, oci);
	if (lci.instances)
		note(told->lci, &told->lci_count, m, lci);
}

struct told *told_start(struct tc *t)
{
	struct told *told = tc_alloc(t, sizeof(*told));

	told->t = t;
	pfcp_watch(t, watch, told);
	told->smf = smf_start(t);
	told->session = smf_established(told->smf);
	return told;
}

void told_overload(struct told *told, const char *format, ...)
{
	char arguments[256];
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	tc_control(told->t, "overload %s", arguments);
}

/* --- traffic --- */

struct smf_session *told_session(struct told *told, struct smf *smf)
{
	if (smf == told->smf) {
		if (!smf_session_up(told->session))
			told->session = smf_established(smf);
		return told->session;
	}
	if (!told->other || smf_session_smf(told->other) != smf)
		told->other = smf_established(smf);
	return told->other;
}

static const struct pfcp_received *report(struct told *told, struct smf_session *session)
{
	struct smf *smf = smf_session_smf(session);

	if (!tc_control_try(told->t, "report session=%u", smf_session_number(session)))
		return NULL;
	return expect_pfcp(told->t, smf_end(smf), .type = PFCP_SESSION_REPORT_REQUEST,
			   .silence = OUTCOME_RETURN);
}

const struct pfcp_received *told_provoke(struct told *told, struct smf *smf, enum told_place place)
{
	switch (place) {
	case IN_MODIFICATION:
		return smf_modify(told_session(told, smf));
	case IN_ESTABLISHMENT:
		return smf_establish(smf_session(smf));
	case IN_DELETION:
		return smf_delete(smf_established(smf));
	case IN_REPORT:
		return report(told, told_session(told, smf));
	}
	return NULL;
}

/* One message of the IUT after the other: most are of the cheapest kind. */
static void stir(struct told *told, struct smf *smf, struct smf_session *session, unsigned int i)
{
	struct smf_session *brief;

	switch (i % 8) {
	case 5:
		brief = smf_session(smf);
		smf_establish(brief);
		if (smf_session_up(brief))
			smf_delete(brief);
		break;
	case 7:
		report(told, session);
		break;
	default:
		smf_modify(session);
		break;
	}
}

enum kind { OCI, LCI };

static const struct told_item *last(const struct told *told, enum kind kind, struct smf *smf,
				    size_t from)
{
	const struct told_item *items = kind == OCI ? told->oci : told->lci;
	size_t count = kind == OCI ? told->oci_count : told->lci_count;

	for (size_t i = count; i > from; i--)
		if (items[i - 1].m->end == smf_end(smf))
			return &items[i - 1];
	return NULL;
}

/* than NULL: any content. *any: something came. */
static const struct told_item *await(struct told *told, enum kind kind, struct smf *smf,
				     const struct told_item *than, bool *any)
{
	size_t from = kind == OCI ? told->oci_count : told->lci_count;
	struct smf_session *session = told_session(told, smf);
	const struct told_item *item;

	*any = false;
	for (unsigned int i = 0; i < TRIES; i++) {
		stir(told, smf, session, i);
		item = last(told, kind, smf, from);
		*any |= item != NULL;
		if (item && (!than || !told_same(&item->information, &than->information)))
			return item;
		tc_sleep(told->t, TOLD_PACE);
	}
	return NULL;
}

static noreturn void untold(struct told *told, enum kind kind, struct smf *smf)
{
	const struct pfcp_end *end = smf_end(smf);

	tc_fail(told->t,
		"%s: %d and more messages that may have it came, and none has %s control "
		"information (N4-U-14): what has changed has to reach its receivers",
		pfcp_end_name(end), TRIES, kind == OCI ? "overload" : "load");
}

static const struct told_item *await_or_fail(struct told *told, enum kind kind, struct smf *smf,
					     const struct told_item *than)
{
	bool any;
	const struct told_item *item = await(told, kind, smf, than, &any);

	if (!item && !any)
		untold(told, kind, smf);
	return item;
}

const struct told_item *told_oci(struct told *told, struct smf *smf)
{
	return await_or_fail(told, OCI, smf, NULL);
}

const struct told_item *told_lci(struct told *told, struct smf *smf)
{
	return await_or_fail(told, LCI, smf, NULL);
}

const struct told_item *told_other_oci(struct told *told, struct smf *smf,
				       const struct told_item *than)
{
	return await_or_fail(told, OCI, smf, than);
}

const struct told_item *told_other_lci(struct told *told, struct smf *smf,
				       const struct told_item *than)
{
	return await_or_fail(told, LCI, smf, than);
}

const struct told_item *told_new_oci(struct told *told, struct smf *smf,
				     const struct told_item *than)
{
	const struct told_item *item = told_other_oci(told, smf, than);
	char buf[80];
	struct text text;

	if (item)
		return item;
	text_init(&text, buf, sizeof(buf));
	told_print(&text, &than->information);
	tc_inconc(told->t,
		  "the control action changes nothing in the overload control "
		  "information: %s stays",
		  buf);
}

const struct told_item *told_oci_in(struct told *told, enum told_place place)
{
	for (unsigned int i = 0; i < PLACE_TRIES; i++) {
		struct smf_session *session = place == IN_DELETION ? smf_established(told->smf)
								   : told_session(told, told->smf);
		const struct pfcp_received *m;

		/* An IUT that tells each change once, or once a second, is to have something to
		   say. */
		tc_sleep(told->t, US_PER_S + TOLD_PACE);
		told_overload(told, "metric=%u validity=60", 30 + 10 * (i % 5));
		if (place == IN_DELETION)
			m = smf_delete(session);
		else
			m = told_provoke(told, told->smf, place);
		if (m && pfcp_received_oci(m).instances)
			return &told->oci[told->oci_count - 1];
	}
	return NULL;
}

/* --- what it says --- */

bool told_for_node(const struct pfcp_information *oci)
{
	return oci->has_flags && oci->flags & PFCP_OCI_AOCI;
}

bool told_same(const struct pfcp_information *a, const struct pfcp_information *b)
{
	return a->has_metric == b->has_metric && a->metric == b->metric &&
	       a->has_timer == b->has_timer && a->timer == b->timer &&
	       told_for_node(a) == told_for_node(b);
}

bool told_later(uint32_t number, uint32_t than)
{
	/* What follows the last number is not standardised; near it a range may have ended too. */
	if (than == UINT32_MAX)
		return number != than;
	return number > than || (than >= UINT32_C(0xffffff00) && number < UINT32_C(0x80000000));
}

uint64_t told_validity(const struct pfcp_information *oci)
{
	struct pfcp_timer timer = pfcp_timer_decode(oci->has_timer ? oci->timer : 0);

	if (timer.state == PFCP_TIMER_INFINITE)
		return LOOP_NEVER;
	return timer.state == PFCP_TIMER_RUNNING ? timer.seconds * US_PER_S : 0;
}

void told_print(struct text *out, const struct pfcp_information *information)
{
	if (information->has_sequence_number)
		text_printf(out, "seq %" PRIu32, information->sequence_number);
	else
		text_puts(out, "no seq");
	if (information->has_metric)
		text_printf(out, " metric %u", information->metric);
	if (information->has_timer)
		text_printf(out, " timer %02x", information->timer);
	if (information->has_flags)
		text_printf(out, " flags %02x", information->flags);
}

struct told_ramp told_ramp(const struct told_item *items, size_t count)
{
	struct told_ramp ramp = { .changes = 0 };

	for (size_t i = 1; i < count; i++) {
		int before = items[i - 1].information.metric, metric = items[i].information.metric;
		int change = metric > before ? metric - before : before - metric;

		ramp.changes += change > 0;
		ramp.small += change > 0 && change < SMALL_STEP;
	}
	return ramp;
}

bool told_fidgets(const struct told_ramp *ramp)
{
	return ramp->changes >= 5 && 5 * ramp->small > ramp->changes;
}

noreturn void told_violation(struct tc *t, const struct pfcp_received *m, const char *format, ...)
{
	char reason[512], buf[DETAIL_MAX];
	struct text detail;
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	text_init(&detail, buf, sizeof(buf));
	text_puts(&detail, "message received:\n");
	pfcp_print(&detail, &m->msg, PFCP_PRINT_FLAT);
	text_puts(&detail, "octets received: ");
	text_hex(&detail, m->octets.data, m->octets.len < 512 ? m->octets.len : 512);
	text_printf(&detail, "\nclause: %s (%s)\n", t->test->clause, t->test->requirement);
	tc_detail(t, buf);
	tc_violation(t, "%s: %s", pfcp_end_name(m->end), reason);
}

static void check_member(struct tc *t, const struct pfcp_received *m, const struct pfcp_ie *group,
			 uint16_t type, size_t length)
{
	const struct pfcp_ie *ie = pfcp_find(&group->ies, type);

	if (!ie)
		told_violation(t, m, "%s has overload control information without %s",
			       pfcp_message_name(m->msg.type), pfcp_ie_name(type));
	if (ie->value.len != length)
		told_violation(t, m, "%s of %zu octets, not %zu, in %s", pfcp_ie_name(type),
			       ie->value.len, length, pfcp_message_name(m->msg.type));
}

void told_is_whole(struct tc *t, const struct told_item *item)
{
	const struct pfcp_ie *oci =
		pfcp_find(&item->m->msg.ies, PFCP_IE_OVERLOAD_CONTROL_INFORMATION);

	check_member(t, item->m, oci, PFCP_IE_SEQUENCE_NUMBER, 4);
	check_member(t, item->m, oci, PFCP_IE_METRIC, 1);
	check_member(t, item->m, oci, PFCP_IE_TIMER, 1);
}
