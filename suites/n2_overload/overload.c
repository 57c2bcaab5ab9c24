#include "suites/n2_overload/overload.h"

#include <stdio.h>

static void order(struct tc *t, const char *arguments, va_list args)
{
	char words[256];

	vsnprintf(words, sizeof(words), arguments, args);
	tc_control(t, "n2-overload state=on %s", words);
}

const struct ngap_received *next_start(struct tc *t, struct gnb *gnb,
				       const struct ngap_received *before)
{
	uint64_t until = loop_now(t->loop) + t->profile->response_time;
	const struct ngap_received *repeated = NULL;

	while (!repeated || loop_now(t->loop) < until) {
		const struct ngap_received *m = expect_ngap(
			t, gnb, .type = NGAP_OVERLOAD_START, .within = until - loop_now(t->loop),
			.silence = repeated ? OUTCOME_RETURN : OUTCOME_DEFAULT,
			.why = "an AMF in N2 overload sends OVERLOAD START");

		if (!m)
			break;
		if (!before || !octets_equal(m->octets, before->octets))
			return m;
		repeated = m;
	}
	return repeated;
}

const struct ngap_received *start_overload(struct tc *t, struct gnb *gnb,
					   const struct ngap_received *before,
					   const char *arguments, ...)
{
	va_list args;

	forget_ngap(gnb);
	va_start(args, arguments);
	order(t, arguments, args);
	va_end(args);
	return next_start(t, gnb, before);
}

void order_overload(struct tc *t, const char *arguments, ...)
{
	va_list args;

	va_start(args, arguments);
	order(t, arguments, args);
	va_end(args);
}

void end_overload(struct tc *t)
{
	tc_control(t, "n2-overload state=off");
}

void serves(struct tc *t, struct gnb *gnb)
{
	gnb_configuration_update(gnb);
	expect_ngap(t, gnb,
		    .type = ONE_OF(NGAP_RAN_CONFIGURATION_UPDATE_ACKNOWLEDGE,
				   NGAP_RAN_CONFIGURATION_UPDATE_FAILURE),
		    .why = "the AMF still serves the node");
}

struct overload overload_of(struct tc *t, const struct ngap_received *start)
{
	struct overload overload;

	if (!received_overload(start, &overload))
		tc_violation(t, "OVERLOAD START cannot be read");
	return overload;
}

struct octets ie_octets(const struct ngap_received *m, enum ngap_id id)
{
	const struct ngap_ie *ie = ngap_find(&m->pdu, id);

	return ie ? ie->raw : (struct octets){ 0 };
}

static bool of_later_release(const struct ngap_received *m, const struct ngap_ie *ie)
{
	return m->pdu.message == NGAP_OVERLOAD_START &&
	       ie->criticality == NGAP_CRITICALITY_IGNORE &&
	       strcmp(ngap_ie_name(ie->id), "unknown") == 0;
}

void well_formed(struct tc *t, const struct ngap_received *m, unsigned int allowed,
		 enum ngap_criticality procedure_criticality)
{
	static const struct {
		enum ngap_id id;
		unsigned int bit;
	} known[] = {
		{ NGAP_ID_AMF_OVERLOAD_RESPONSE, IE_OVERLOAD_RESPONSE },
		{ NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, IE_TRAFFIC_LOAD_REDUCTION },
		{ NGAP_ID_OVERLOAD_START_NSSAI_LIST, IE_NSSAI_LIST },
		{ NGAP_ID_GUAMI_LIST, IE_GUAMI_LIST },
	};
	const char *name = ngap_message_name(m->pdu.message);

	if (m->pdu.criticality != procedure_criticality)
		tc_violation(t, "%s has procedure criticality %u, not %u", name, m->pdu.criticality,
			     (unsigned int)procedure_criticality);
	for (size_t i = 0; i < m->pdu.count; i++) {
		const struct ngap_ie *ie = &m->pdu.ies[i];
		bool found = false;

		for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++)
			found |= ie->id == known[k].id && (allowed & known[k].bit) != 0;
		if (found)
			continue;
		if (!of_later_release(m, ie))
			tc_violation(t, "%s carries IE %u (%s), which it must not", name, ie->id,
				     ngap_ie_name(ie->id));
		tc_note(t, "%s carries IE %u, which Release 19 does not know", name, ie->id);
	}
	for (size_t i = 0; i < m->finding_count; i++) {
		const struct finding *finding = &m->findings[i];

		if (finding->rule != FINDING_UNKNOWN_IE)
			tc_violation(t, "%s is malformed: %s of %s at bit %u", name,
				     finding_rule_name(finding->rule), finding->field,
				     (unsigned int)finding->bit);
	}
}

struct shares no_overload(void)
{
	return (struct shares){ 0 };
}

/* Row: OverloadAction 0 to 3; column: RRCEstablishmentCause 0 to 9; true: named for rejection. */
static const bool rejected_by[4][RRC_CAUSES] = {
	{ false, false, false, false, true, true, true, true, false, false },
	{ false, false, false, true, true, true, true, true, false, false },
	{ false, true, false, true, true, true, true, true, true, true },
	{ true, false, false, true, true, true, true, true, false, false },
};

struct shares shares_of(const struct overload *overload)
{
	struct shares shares = no_overload();

	if (!overload->has_action || overload->action < 0 || overload->action > 3)
		return shares;
	for (size_t cause = 0; cause < RRC_CAUSES; cause++)
		if (rejected_by[overload->action][cause])
			shares.rejected[cause] = overload->has_tlr ? overload->tlr : 100;
	return shares;
}

bool some_rises(const struct shares *a, const struct shares *b)
{
	for (size_t cause = 0; cause < RRC_CAUSES; cause++)
		if (b->rejected[cause] > a->rejected[cause])
			return true;
	return false;
}

bool some_falls(const struct shares *a, const struct shares *b)
{
	return some_rises(b, a);
}

void print_overload(const struct overload *overload, struct text *out)
{
	if (overload->has_action)
		text_printf(out, "action %d", overload->action);
	else
		text_puts(out, "no action");
	if (overload->has_tlr)
		text_printf(out, ", reduction %d %%", overload->tlr);
	else
		text_puts(out, ", no reduction stated");
	if (overload->item_count > 0)
		text_printf(out, ", %zu slice items", overload->item_count);
}

const struct ngap_received *last_overload_message(struct tc *t, struct gnb *gnb, uint64_t us)
{
	uint64_t until = loop_now(t->loop) + us;
	const struct ngap_received *last = NULL;

	while (loop_now(t->loop) < until) {
		const struct ngap_received *m =
			expect_ngap(t, gnb, .type = ONE_OF(NGAP_OVERLOAD_START, NGAP_OVERLOAD_STOP),
				    .within = until - loop_now(t->loop), .silence = OUTCOME_RETURN);

		if (m)
			last = m;
	}
	return last;
}

unsigned int load_of_level(struct tc *t, size_t i)
{
	if (t->profile->load_level_count == 0)
		tc_na(t, "the profile states no load-levels");
	return t->profile->load_levels[i].from;
}

/* Far enough below the first level for any sensible hysteresis. */
unsigned int load_below_levels(struct tc *t)
{
	return load_of_level(t, 0) / 4;
}
