/*
 * TS 38.413 clause 10 as a pass over a decoded message. What is "not comprehended" is decided
 * here: an id that the message does not have, a content that violates its constraint, an
 * enumeration value or an alternative of a later release.
 */
#include "codecs/ngap/ngap_check.h"

#include "codecs/ngap/ngap_tables.h"

struct check {
	const struct ngap_pdu *pdu;
	const struct ngap_message_info *info;
	struct findings *findings;
	struct ngap_verdict verdict;
};

static bool is_response(const struct check *c)
{
	return c->pdu->kind != NGAP_INITIATING_MESSAGE;
}

static bool is_error_indication(const struct ngap_pdu *pdu)
{
	return pdu->procedure_code == NGAP_PROCEDURE_ERROR_INDICATION;
}

/* What clauses 10.3.4.2 and 10.3.5 ask for by the criticality of the IE concerned. */
static enum ngap_reaction reaction_to(const struct check *c, uint8_t criticality)
{
	if (criticality == NGAP_CRITICALITY_IGNORE)
		return NGAP_REACTION_IGNORE_IE;
	if (criticality == NGAP_CRITICALITY_NOTIFY)
		return NGAP_REACTION_NOTIFY_IE;
	return is_response(c) ? NGAP_REACTION_TERMINATE : NGAP_REACTION_REJECT;
}

static void report(struct check *c, enum finding_rule rule, int32_t ie, const char *field,
		   enum ngap_reaction reaction, enum ngap_cause_protocol cause)
{
	finding_add(c->findings, (struct finding){
					 .rule = rule,
					 .ie = ie,
					 .reaction = (uint8_t)reaction,
					 .field = field,
				 });
	if (reaction == NGAP_REACTION_NOTIFY_IE)
		c->verdict.report = NGAP_REACTION_NOTIFY_IE;
	if (reaction > c->verdict.reaction) {
		c->verdict.reaction = reaction;
		c->verdict.cause = cause;
	}
}

static void report_ie(struct check *c, enum finding_rule rule, uint16_t id, uint8_t criticality)
{
	enum ngap_reaction reaction = reaction_to(c, criticality);

	report(c, rule, id, ngap_ie_name(id), reaction,
	       reaction == NGAP_REACTION_NOTIFY_IE
		       ? NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_IGNORE_AND_NOTIFY
		       : NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_REJECT);
}

static void check_ie(struct check *c, const struct ngap_ie *ie, bool known);

static bool has_row(const struct ngap_ie_row *rows, size_t count, uint16_t id)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].id == id)
			return true;
	return false;
}

/*
 * Is every part of this value comprehended? False: the IE around it is not. Extensions in
 * iE-Extensions are IEs of their own, with their own criticality, and answer for themselves.
 */
static bool check_value(struct check *c, const struct per_node *node, const void *value)
{
	const uint8_t *base = value;

	switch ((enum per_kind)node->kind) {
	case PER_ENUMERATED:
		return *(const uint32_t *)value < node->count;
	case PER_SEQUENCE: {
		bool ok = true;

		for (size_t i = 0; i < node->count; i++) {
			const struct per_member *member = &node->members[i];
			const void *at = base + member->offset;

			if (member->optional)
				at = *(const void *const *)at;
			if (at)
				ok &= check_value(c, member->node, at);
		}
		return ok;
	}
	case PER_SEQUENCE_OF: {
		const struct per_list *list = value;
		const struct per_node *element = node->members->node;
		bool ok = true;

		base = list->items;
		for (size_t i = 0; i < list->count; i++, base += element->size)
			ok &= check_value(c, element, base);
		return ok;
	}
	case PER_CHOICE: {
		uint32_t choice = *(const uint32_t *)value;

		if (choice < 1 || choice > node->count)
			return false;
		return check_value(c, node->members[choice - 1].node,
				   base + node->members[choice - 1].offset);
	}
	case PER_FOREIGN: {
		const struct ngap_ie_set *set = node->foreign;
		const struct ngap_ie_list *list = value;
		const struct ngap_ie *single = value;

		if (set->single) {
			if (!has_row(set->rows, set->count, single->id))
				return false;
			if (single->type == NGAP_TYPE_RAW)
				return true;
			return single->value &&
			       check_value(c, &ngap_nodes[single->type], single->value);
		}
		for (size_t i = 0; i < list->count; i++)
			check_ie(c, &list->items[i],
				 has_row(set->rows, set->count, list->items[i].id));
		return true;
	}
	default:
		return true;
	}
}

static void check_ie(struct check *c, const struct ngap_ie *ie, bool known)
{
	if (!known) {
		report_ie(c, FINDING_UNKNOWN_IE, ie->id, ie->criticality);
		return;
	}
	if (ie->type == NGAP_TYPE_RAW)
		return;
	if (!ie->value)
		report_ie(c, FINDING_RANGE, ie->id, ie->criticality);
	else if (!check_value(c, &ngap_nodes[ie->type], ie->value))
		report_ie(c, FINDING_NOT_COMPREHENDED, ie->id, ie->criticality);
}

/* Clause 10.3.6; a message like this is not executed at all. */
static void report_construction(struct check *c, enum finding_rule rule, uint16_t id)
{
	report(c, rule, id, ngap_ie_name(id),
	       is_response(c) ? NGAP_REACTION_TERMINATE : NGAP_REACTION_REJECT,
	       NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_FALSELY_CONSTRUCTED_MESSAGE);
}

static void check_ies(struct check *c)
{
	bool seen[NGAP_ROWS_MAX] = { false };
	size_t furthest = 0;

	for (size_t i = 0; i < c->pdu->count; i++) {
		const struct ngap_ie *ie = &c->pdu->ies[i];
		size_t at = 0;

		while (at < c->info->count && c->info->rows[at].id != ie->id)
			at++;
		check_ie(c, ie, at < c->info->count);
		if (at >= c->info->count || at >= NGAP_ROWS_MAX)
			continue;
		if (ie->criticality != c->info->rows[at].criticality)
			report(c, FINDING_CRITICALITY, ie->id, ngap_ie_name(ie->id),
			       NGAP_REACTION_NONE, NGAP_CAUSE_PROTOCOL_UNSPECIFIED);
		if (seen[at])
			report_construction(c, FINDING_DUPLICATE, ie->id);
		else if (at < furthest)
			report_construction(c, FINDING_ORDER, ie->id);
		seen[at] = true;
		if (at > furthest)
			furthest = at;
	}
	for (size_t i = 0; i < c->info->count && i < NGAP_ROWS_MAX; i++) {
		const struct ngap_ie_row *row = &c->info->rows[i];
		bool wanted = row->presence == NGAP_MANDATORY;

		/* The one condition that this codec can tell (9.2.2.1, ifPDUsessionResourceSetup).
		 */
		if (row->presence == NGAP_CONDITIONAL &&
		    c->pdu->message == NGAP_INITIAL_CONTEXT_SETUP_REQUEST)
			wanted = ngap_find(c->pdu,
					   NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_CXT_REQ) != NULL;
		if (wanted && !seen[i])
			report_ie(c, FINDING_MISSING, row->id, row->criticality);
	}
}

/*
 * Can the unsuccessful outcome be composed? It has a Cause of our own; anything else that is
 * mandatory in it has to come from the message that is rejected.
 */
static bool can_fail(const struct ngap_pdu *pdu)
{
	const struct ngap_message_info *failure;

	failure =
		ngap_message_info(ngap_message_of(pdu->procedure_code, NGAP_UNSUCCESSFUL_OUTCOME));
	if (!failure->rows)
		return false;
	for (size_t i = 0; i < failure->count; i++)
		if (failure->rows[i].presence == NGAP_MANDATORY &&
		    failure->rows[i].id != NGAP_ID_CAUSE && !ngap_value(pdu, failure->rows[i].id))
			return false;
	return true;
}

static void conclude(struct check *c)
{
	struct ngap_verdict *v = &c->verdict;

	/* Clause 10.5: an ERROR INDICATION is never answered by one. */
	if (is_error_indication(c->pdu)) {
		if (v->reaction > NGAP_REACTION_IGNORE_IE)
			v->reaction = NGAP_REACTION_TERMINATE;
		v->report = NGAP_REACTION_NONE;
		return;
	}
	switch (v->reaction) {
	case NGAP_REACTION_NOTIFY_IE:
		v->in_response = !is_response(c) && (c->info->response & 1);
		v->error_indication = !v->in_response;
		break;
	case NGAP_REACTION_NOTIFY:
		v->error_indication = true;
		break;
	case NGAP_REACTION_REJECT:
		v->failure_message = can_fail(c->pdu);
		v->error_indication = !v->failure_message;
		break;
	default:
		break;
	}
}

/* Clause 10.3.4.1: a procedure, or a type of message of it, that nobody knows. */
static void check_unknown(struct check *c)
{
	enum ngap_reaction reaction = NGAP_REACTION_REJECT;
	enum ngap_cause_protocol cause = NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_REJECT;

	if (c->pdu->criticality == NGAP_CRITICALITY_IGNORE) {
		reaction = NGAP_REACTION_IGNORE;
	} else if (c->pdu->criticality == NGAP_CRITICALITY_NOTIFY) {
		reaction = NGAP_REACTION_NOTIFY;
		cause = NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_IGNORE_AND_NOTIFY;
	}
	report(c, FINDING_UNKNOWN_MESSAGE, -1, "procedureCode", reaction, cause);
}

struct ngap_verdict ngap_check(const struct ngap_pdu *pdu, struct findings *findings)
{
	struct check c = {
		.pdu = pdu,
		.info = ngap_message_info(ngap_message_of(pdu->procedure_code, pdu->kind)),
		.findings = findings,
		.verdict = { .cause = NGAP_CAUSE_PROTOCOL_UNSPECIFIED },
	};

	if (c.info == ngap_message_info(NGAP_MESSAGE_UNKNOWN))
		check_unknown(&c);
	else if (!pdu->is_raw)
		check_ies(&c);
	conclude(&c);
	return c.verdict;
}

struct ngap_verdict ngap_check_undecodable(struct octets in)
{
	struct ngap_verdict verdict = {
		.reaction = NGAP_REACTION_NOTIFY,
		.cause = NGAP_CAUSE_PROTOCOL_TRANSFER_SYNTAX_ERROR,
		.error_indication = true,
	};

	/* Whatever claims to be an ERROR INDICATION is not answered by one. */
	if (in.len >= 2 && in.data[1] == NGAP_PROCEDURE_ERROR_INDICATION) {
		verdict.reaction = NGAP_REACTION_TERMINATE;
		verdict.error_indication = false;
	}
	return verdict;
}

static bool diagnosed(const struct finding *finding)
{
	if (finding->ie < 0 || finding->reaction < NGAP_REACTION_NOTIFY_IE)
		return false;
	switch (finding->rule) {
	case FINDING_MISSING:
	case FINDING_UNKNOWN_IE:
	case FINDING_RANGE:
	case FINDING_NOT_COMPREHENDED:
		return true;
	default:
		return false;
	}
}

/* Most items of a CriticalityDiagnostics-IE-List (maxnoofErrors). */
#define ERRORS_MAX 256

static const struct ngap_criticality_diagnostics_ie_list *
list_errors(const struct findings *findings, struct arena *arena)
{
	size_t stored = findings->count < findings->max ? findings->count : findings->max;
	struct ngap_criticality_diagnostics_ie_list *list;
	struct ngap_criticality_diagnostics_ie_item *items;
	size_t n = 0;

	for (size_t i = 0; i < stored; i++)
		n += diagnosed(&findings->items[i]);
	if (n > ERRORS_MAX)
		n = ERRORS_MAX;
	list = arena_take(arena, sizeof(*list));
	items = arena_take(arena, n * sizeof(*items));
	if (!list || !items)
		return NULL;
	list->count = 0;
	list->items = items;
	for (size_t i = 0; i < stored && list->count < n; i++) {
		const struct finding *finding = &findings->items[i];

		if (!diagnosed(finding))
			continue;
		items[list->count++] = (struct ngap_criticality_diagnostics_ie_item){
			.ie_criticality = finding->reaction == NGAP_REACTION_NOTIFY_IE
						  ? NGAP_CRITICALITY_NOTIFY
						  : NGAP_CRITICALITY_REJECT,
			.ie_id = finding->ie,
			.type_of_error = finding->rule == FINDING_MISSING
						 ? NGAP_TYPE_OF_ERROR_MISSING
						 : NGAP_TYPE_OF_ERROR_NOT_UNDERSTOOD,
		};
	}
	return list;
}

const struct ngap_criticality_diagnostics *ngap_diagnostics(const struct ngap_pdu *pdu,
							    const struct findings *findings,
							    bool error_indication,
							    struct arena *arena)
{
	struct ngap_criticality_diagnostics *diagnostics = arena_take(arena, sizeof(*diagnostics));
	const struct ngap_criticality_diagnostics_ie_list *list = list_errors(findings, arena);

	if (!diagnostics || !list)
		return NULL;
	*diagnostics = (struct ngap_criticality_diagnostics){
		.ies_criticality_diagnostics = list->count ? list : NULL,
	};
	if (error_indication) {
		int64_t *code = arena_take(arena, sizeof(*code));
		enum ngap_triggering_message *trigger = arena_take(arena, sizeof(*trigger));
		enum ngap_criticality *criticality = arena_take(arena, sizeof(*criticality));

		if (!code || !trigger || !criticality)
			return NULL;
		*code = pdu->procedure_code;
		*trigger = (enum ngap_triggering_message)pdu->kind;
		*criticality = (enum ngap_criticality)pdu->criticality;
		diagnostics->procedure_code = code;
		diagnostics->triggering_message = trigger;
		diagnostics->procedure_criticality = criticality;
	}
	return diagnostics;
}
