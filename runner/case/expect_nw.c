/*
 * Expectations over the queues of the IUT's UEs and nodes: wait, match, and end the case with what
 * was wrong.
 */
#include "runner/case/expect_nw.h"

#include <inttypes.h>

#include "runner/case/expect_print.h"
#include "runner/emulation/nw_private.h"

enum {
	DETAIL_MAX = 16384,
	EXTENSIONS_MAX = 12, /* messages of the IUT that each give it the response time anew */
};

#define TOLERANCE_LEAST (2 * US_PER_S)

static const uint16_t requests[4] = { REGISTRATION_REQUEST, SERVICE_REQUEST,
				      CONTROL_PLANE_SERVICE_REQUEST };

enum seen {
	SEEN_NOTHING,
	SEEN_MATCH,
	SEEN_NEVER,
	SEEN_OTHER,
};

/* What is looked for, in one queue or in those of all UEs. */
struct search {
	const struct nw_expectation *expectation;
	uint64_t types;
	struct queue *queue;
	struct nw *all; /* NAS of any UE; queue is where it was found then */
	bool only_matches;
	bool no_other_request; /* another request than those is unexpected, answered or not */
	uint64_t since;	       /* what came before does not count */
	const struct entry *entry;
	enum seen seen;
	size_t count; /* when a wait began */
};

static unsigned int entry_type(const struct entry *entry)
{
	return entry->nas ? entry->nas->msg.type : entry->ngap->pdu.message;
}

static bool is_here(const struct entry *entry, const struct nw_expectation *x)
{
	return (!x->node || entry->ngap->node == x->node) &&
	       (!x->at || (entry->ngap->node && entry->ngap->node->amf == x->at));
}

static void look_in(struct search *search, struct queue *queue)
{
	const struct nw_expectation *x = search->expectation;

	for (const struct entry *entry = queue->first; entry; entry = entry->next) {
		unsigned int type = entry_type(entry);

		if (!is_here(entry, x) || entry->ngap->time < search->since)
			continue;
		if (search->entry && search->entry->ngap->time <= entry->ngap->time)
			return; /* another UE was earlier */
		if (nw_in_set(x->never, type))
			search->seen = SEEN_NEVER;
		else if (search->types ? nw_in_set(search->types, type) : !entry->skippable)
			search->seen = SEEN_MATCH;
		else if ((!entry->skippable && !search->only_matches) ||
			 (search->no_other_request && nw_in_set(one_of_(requests), type)))
			search->seen = SEEN_OTHER;
		else
			continue;
		search->entry = entry;
		search->queue = queue;
		return;
	}
}

static bool found(void *arg)
{
	struct search *search = arg;

	search->seen = SEEN_NOTHING;
	search->entry = NULL;
	if (!search->all)
		look_in(search, search->queue);
	for (struct nw_ue *ue = search->all ? search->all->ues : NULL; ue; ue = ue->next)
		look_in(search, &ue->nas);
	return search->seen != SEEN_NOTHING;
}

static size_t entries(const struct search *search)
{
	size_t count = 0;

	if (!search->all)
		return search->queue->count;
	for (const struct nw_ue *ue = search->all->ues; ue; ue = ue->next)
		count += ue->nas.count;
	return count;
}

static bool found_or_grown(void *arg)
{
	struct search *search = arg;

	return found(arg) || entries(search) > search->count;
}

/* Without a time of its own an expectation gives the IUT its response time for each message. */
static void wait_for(struct tc *t, struct search *search)
{
	if (search->expectation->within) {
		tc_wait(t, search->expectation->within, found, search);
		return;
	}
	for (int i = 0; i < EXTENSIONS_MAX; i++) {
		search->count = entries(search);
		if (!tc_wait(t, t->profile->response_time, found_or_grown, search) ||
		    search->seen != SEEN_NOTHING)
			return;
	}
}

/* The message and what was passed over on the way to it are gone. */
static void consume(struct search *search)
{
	const struct nw_expectation *x = search->expectation;
	const struct entry *next;

	for (const struct entry *entry = search->queue->first; entry; entry = next) {
		next = entry->next;
		if (entry != search->entry && (!entry->skippable || !is_here(entry, x)))
			continue;
		queue_remove(search->queue, entry);
		if (entry == search->entry)
			return;
	}
}

static void end_with(struct tc *t, enum outcome outcome, const char *reason)
{
	switch (outcome) {
	case OUTCOME_VIOLATION:
		tc_violation(t, "%s", reason);
	case OUTCOME_FAIL:
		tc_fail(t, "%s", reason);
	case OUTCOME_INCONC:
		tc_inconc(t, "%s", reason);
	case OUTCOME_DEFAULT:
		tc_iut_dead(t, "%s", reason);
	case OUTCOME_RETURN:
		break;
	}
}

static enum outcome or_default(enum outcome outcome, enum outcome preset)
{
	return outcome == OUTCOME_DEFAULT ? preset : outcome;
}

static void because(struct text *reason, const struct nw_expectation *x)
{
	if (x->why)
		text_printf(reason, " (%s)", x->why);
}

/* --- conditions --- */

struct condition {
	const char *name;
	bool wanted, met;
	char expected[48], received[48];
};

enum { CONDITIONS = 6 };

static void say(char *out, size_t size, const char *name, const char *fallback, int value)
{
	struct text text;

	text_init(&text, out, size);
	if (name)
		text_puts(&text, name);
	else if (value < 0)
		text_puts(&text, fallback);
	else
		text_printf(&text, "%d", value);
}

static void check_cause(const struct nw_expectation *x, const struct nas_received *m,
			struct condition *c)
{
	enum rrc_cause cause = received_rrc_cause(m);

	*c = (struct condition){ "RRC cause", x->cause != RRC_DEFAULT, cause == x->cause, "", "" };
	say(c->expected, sizeof(c->expected), rrc_cause_name(x->cause), "", -1);
	say(c->received, sizeof(c->received), cause ? rrc_cause_name(cause) : NULL, "none", -1);
}

static void check_registration(const struct nw_expectation *x, const struct nas_received *m,
			       struct condition *c)
{
	enum reg_type type = received_registration_type(m);

	*c = (struct condition){ "registration", x->registration != 0, type == x->registration, "",
				 "" };
	say(c->expected, sizeof(c->expected), nas_registration_type_name((uint8_t)x->registration),
	    "", (int)x->registration);
	say(c->received, sizeof(c->received),
	    type ? nas_registration_type_name((uint8_t)type) : NULL, "none", type ? (int)type : -1);
}

static void check_service(const struct nw_expectation *x, const struct nas_received *m,
			  struct condition *c)
{
	int type = received_service_type(m);

	*c = (struct condition){ "service type", x->service != 0, type == x->service - 1, "", "" };
	say(c->expected, sizeof(c->expected), nas_service_type_name((uint8_t)(x->service - 1)), "",
	    x->service - 1);
	say(c->received, sizeof(c->received),
	    type >= 0 ? nas_service_type_name((uint8_t)type) : NULL, "none", type);
}

static void check_identity(const struct nw_expectation *x, const struct nas_received *m,
			   struct condition *c)
{
	static const char *const wanted[] = { "any", "SUCI", "5G-GUTI or 5G-S-TMSI" };
	struct nas_identity identity = { .type = NAS_IDENTITY_NONE };
	bool temporary;

	received_identity(m, &identity);
	temporary = identity.type == NAS_IDENTITY_GUTI || identity.type == NAS_IDENTITY_S_TMSI;
	*c = (struct condition){ "identity", x->identity != IDENTITY_DEFAULT,
				 x->identity == IDENTITY_SUCI ? identity.type == NAS_IDENTITY_SUCI
							      : temporary,
				 "", "" };
	say(c->expected, sizeof(c->expected), wanted[x->identity], "", -1);
	say(c->received, sizeof(c->received), nas_identity_type_name(identity.type), "", -1);
}

static void check_presence(const char *name, enum presence wanted, bool present, const char *with,
			   const char *without, struct condition *c)
{
	*c = (struct condition){ name, wanted != NOT_LOOKED_AT, (wanted == PRESENT) == present, "",
				 "" };
	say(c->expected, sizeof(c->expected), wanted == PRESENT ? with : without, "", -1);
	say(c->received, sizeof(c->received), present ? with : without, "", -1);
}

/* Whether all hold. */
static bool conditions_of(const struct nw_expectation *x, const struct nas_received *m,
			  struct condition conditions[CONDITIONS])
{
	bool met = true;

	check_cause(x, m, &conditions[0]);
	check_registration(x, m, &conditions[1]);
	check_service(x, m, &conditions[2]);
	check_identity(x, m, &conditions[3]);
	check_presence("carried by", x->initial, m->carrier->pdu.message == NGAP_INITIAL_UE_MESSAGE,
		       "InitialUEMessage", "UplinkNASTransport", &conditions[4]);
	check_presence("protection", x->protected, m->integrity, "integrity protected", "plain",
		       &conditions[5]);
	for (int i = 0; i < CONDITIONS; i++)
		met &= !conditions[i].wanted || conditions[i].met;
	return met;
}

/* --- prints --- */

static struct expectation as_printed(const struct nw_expectation *x, uint64_t types)
{
	return (struct expectation){ .type = types, .never = x->never, .why = x->why };
}

static void nas_detail(struct tc *t, const struct search *search, const struct nas_received *m)
{
	struct expectation printed = as_printed(search->expectation, search->types);
	struct condition conditions[CONDITIONS];
	char buf[DETAIL_MAX];
	struct text detail;

	text_init(&detail, buf, sizeof(buf));
	conditions_of(search->expectation, m, conditions);
	for (int i = 0; i < CONDITIONS; i++)
		if (conditions[i].wanted)
			text_printf(&detail, "%c %-16s expected %-32s received %s\n",
				    conditions[i].met ? ' ' : '!', conditions[i].name,
				    conditions[i].expected, conditions[i].received);
	print_nas_comparison(&detail, t, &printed, m);
	tc_detail(t, buf);
}

static void ngap_detail(struct tc *t, const struct nw_expectation *x, const struct ngap_received *m)
{
	struct expectation printed = as_printed(x, x->type);
	char buf[DETAIL_MAX];
	struct text detail;

	text_init(&detail, buf, sizeof(buf));
	print_ngap_comparison(&detail, t, &printed, m);
	tc_detail(t, buf);
}

static void print_message(struct text *out, const struct ngap_received *m)
{
	char buf[160];
	struct text cause;

	if (m->pdu.message == NGAP_MESSAGE_UNKNOWN)
		text_printf(out, "a message of procedure code %u and kind %d, which is not known",
			    m->pdu.procedure_code, (int)m->pdu.kind);
	else
		text_puts(out, ngap_message_name(m->pdu.message));
	text_init(&cause, buf, sizeof(buf));
	received_ngap_cause(m, &cause);
	if (cause.len)
		text_printf(out, ", cause %s", buf);
}

/* Others that spoke meanwhile: an IUT may answer for the wrong UE, or at the wrong place. */
static void print_others(struct text *out, const struct nw *nw, const struct nw_ue *ue,
			 uint64_t since)
{
	if (ue && ue->last && ue->last->time >= since)
		text_printf(out, "; what it sent is %s to %s", nas_message_name(ue->last->msg.type),
			    ue->node->name);
	for (const struct nw_ue *other = nw->ues; other; other = other->next) {
		if (other == ue || !other->last || other->last->time < since)
			continue;
		text_printf(out, "; %s sent %s", other->name,
			    nas_message_name(other->last->msg.type));
		return;
	}
}

static void nas_silence(struct tc *t, struct nw_ue *ue, const struct search *search,
			uint64_t waited, uint64_t since)
{
	const struct nw_expectation *x = search->expectation;
	char buf[768];
	struct text reason;

	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: no ", ue ? ue->name : "the IUT's UEs");
	print_nas_types(&reason, search->types);
	if (x->at)
		text_printf(&reason, " to %s", x->at->name);
	text_printf(&reason, " within %" PRIu64 " ms", waited / US_PER_MS);
	if (ue && ue->last_sent)
		text_printf(&reason, "; the network's last message to it was %s", ue->last_sent);
	if (ue && ue->discarded)
		text_printf(&reason, "; %u of its messages were discarded, the last because: %s",
			    ue->discarded, ue->discard_reason);
	print_others(&reason, nw_of(t), ue, since);
	because(&reason, x);
	end_with(t, x->silence, buf);
}

/* --- NAS --- */

/* What was found is judged: the message, or NULL where an outcome is to return. */
static const struct nas_received *judge_nas(struct tc *t, struct search *search)
{
	const struct nw_expectation *x = search->expectation;
	const struct nas_received *m = search->entry->nas;
	struct condition conditions[CONDITIONS];
	enum outcome outcome;
	char buf[768];
	struct text reason;

	if (search->seen == SEEN_MATCH && conditions_of(x, m, conditions)) {
		consume(search);
		return m;
	}
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", m->nw_ue->name);
	switch (search->seen) {
	case SEEN_NEVER:
		outcome = OUTCOME_VIOLATION;
		print_nas_received(&reason, m);
		text_puts(&reason, ", which must not come here");
		break;
	case SEEN_MATCH:
		outcome = or_default(x->unmet, OUTCOME_VIOLATION);
		print_nas_received(&reason, m);
		text_puts(&reason, " is not as expected:");
		for (int i = 0; i < CONDITIONS; i++)
			if (conditions[i].wanted && !conditions[i].met)
				text_printf(&reason, " %s %s, not %s;", conditions[i].name,
					    conditions[i].received, conditions[i].expected);
		break;
	default:
		outcome = or_default(x->otherwise, OUTCOME_FAIL);
		text_puts(&reason, "expected ");
		print_nas_types(&reason, search->types);
		text_puts(&reason, ", received ");
		print_nas_received(&reason, m);
		break;
	}
	because(&reason, x);
	if (outcome != OUTCOME_RETURN)
		nas_detail(t, search, m);
	end_with(t, outcome, buf);
	return NULL;
}

static bool ready(void *arg)
{
	const struct nw_ue_access *access = arg;

	return access->request.ready || !access->request.waits;
}

/* Waits until security has run; a UE that does not take part in it has fallen silent. */
static void await_security(struct tc *t, const struct nas_received *m,
			   const struct nw_expectation *x)
{
	enum access access = m->carrier->node->kind == NODE_N3IWF ? ACCESS_NON_3GPP : ACCESS_3GPP;
	struct nw_ue_access *a = &m->nw_ue->access[access];
	const struct nas_received *last;
	char buf[512];
	struct text reason;

	do {
		last = m->nw_ue->last;
		if (tc_wait(t, t->profile->response_time, ready, a))
			break;
	} while (m->nw_ue->last != last);
	if (a->request.ready)
		return;
	text_init(&reason, buf, sizeof(buf));
	if (a->connection)
		text_printf(&reason,
			    "%s: no answer to %s within %" PRIu64 " ms, so that its %s cannot be "
			    "answered protected",
			    m->nw_ue->name, m->nw_ue->last_sent ? m->nw_ue->last_sent : "nothing",
			    t->profile->response_time / US_PER_MS, nas_message_name(m->msg.type));
	else
		text_printf(&reason, "%s: its connection ended before security was established",
			    m->nw_ue->name);
	if (m->nw_ue->discarded)
		text_printf(&reason, "; %u of its messages were discarded, the last because: %s",
			    m->nw_ue->discarded, m->nw_ue->discard_reason);
	because(&reason, x);
	end_with(t, x->silence, buf);
}

static const struct nas_received *expect_by(struct tc *t, struct nw_ue *ue, struct search *search)
{
	const struct nw_expectation *x = search->expectation;
	uint64_t began = loop_now(t->loop);
	const struct nas_received *m;

	wait_for(t, search);
	if (search->seen == SEEN_NOTHING) {
		nas_silence(t, ue, search, x->within ? x->within : t->profile->response_time,
			    began);
		return NULL;
	}
	m = judge_nas(t, search);
	if (m && x->secured)
		await_security(t, m, x);
	return m;
}

const struct nas_received *expect_nas_of_with(struct tc *t, struct nw_ue *ue,
					      const struct nw_expectation *x)
{
	struct search search = { .expectation = x, .types = x->type, .queue = &ue->nas };

	return expect_by(t, ue, &search);
}

const struct nas_received *expect_nas_of_any_with(struct tc *t, const struct nw_expectation *x)
{
	struct search search = { .expectation = x, .types = x->type, .all = nw_of(t) };

	return expect_by(t, NULL, &search);
}

void expect_no_nas_of_with(struct tc *t, struct nw_ue *ue, const struct nw_expectation *x)
{
	struct search search = {
		.expectation = x,
		.types = x->type ? x->type : one_of_(requests),
		.queue = &ue->nas,
		.only_matches = true,
	};
	uint64_t within = x->within ? x->within : t->profile->response_time;
	char buf[768];
	struct text reason;

	if (!tc_wait(t, within, found, &search))
		return;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", ue->name);
	print_nas_received(&reason, search.entry->nas);
	text_puts(&reason, ", where nothing of the kind may come");
	because(&reason, x);
	nas_detail(t, &search, search.entry->nas);
	end_with(t, or_default(x->unmet, OUTCOME_VIOLATION), buf);
}

/* --- instants --- */

uint64_t nw_tolerance(uint64_t us)
{
	return us / 10 > TOLERANCE_LEAST ? us / 10 : TOLERANCE_LEAST;
}

static uint64_t until(uint64_t from, uint64_t us)
{
	return us < LOOP_NEVER - from ? from + us : LOOP_NEVER - 1;
}

static double seconds(uint64_t us)
{
	return (double)us / (double)US_PER_S;
}

/* Runs the loop up to an instant, or until the search has something. */
static bool wait_until(struct tc *t, uint64_t instant, struct search *search)
{
	uint64_t now = loop_now(t->loop);

	return tc_wait(t, instant > now ? instant - now : 0, found, search);
}

/* Nothing of the search's types from `from` until `due` less the tolerance. */
static bool silent(struct tc *t, struct nw_ue *ue, struct search *search, uint64_t from,
		   uint64_t us)
{
	const struct nw_expectation *x = search->expectation;
	uint64_t tolerance = nw_tolerance(us);
	uint64_t end = until(from, us > tolerance ? us - tolerance : 0);
	char buf[768];
	struct text reason;

	search->since = from;
	if (!wait_until(t, end, search) || search->entry->ngap->time >= end)
		return true;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", ue->name);
	print_nas_received(&reason, search->entry->nas);
	text_printf(&reason, " after %.3f s, where silence of %.0f s (- %.0f s) is due",
		    seconds(search->entry->ngap->time - from), seconds(us), seconds(tolerance));
	because(&reason, x);
	nas_detail(t, search, search->entry->nas);
	end_with(t, or_default(x->unmet, OUTCOME_VIOLATION), buf);
	return false;
}

void expect_silence_with(struct tc *t, struct nw_ue *ue, uint64_t from, uint64_t us,
			 const struct nw_expectation *x)
{
	struct search search = {
		.expectation = x,
		.types = x->type ? x->type : one_of_(requests),
		.queue = &ue->nas,
		.only_matches = true,
	};

	silent(t, ue, &search, from, us);
}

/* The types that end a silence: every request, and what is expected afterwards. */
static uint64_t with_requests(uint64_t types)
{
	uint16_t all[4] = { requests[0], requests[1], requests[2], 0 };
	uint16_t first = types & 0xffff;

	if (first && !nw_in_set(one_of_(all), first))
		all[3] = first;
	return one_of_(all);
}

const struct nas_received *expect_between_with(struct tc *t, struct nw_ue *ue, uint64_t from,
					       uint64_t min, uint64_t max,
					       const struct nw_expectation *x)
{
	struct search before = {
		.expectation = x,
		.types = with_requests(x->type),
		.queue = &ue->nas,
		.only_matches = true,
	};
	struct search search = {
		.expectation = x,
		.types = x->type ? x->type : one_of_(requests),
		.queue = &ue->nas,
		.no_other_request = true,
		.since = from,
	};
	uint64_t end = until(from, max + nw_tolerance(max));
	const struct nas_received *m;
	char buf[768];
	struct text reason;

	if (!silent(t, ue, &before, from, min))
		return NULL;
	if (wait_until(t, end, &search)) {
		m = judge_nas(t, &search);
		if (m && x->secured)
			await_security(t, m, x);
		return m;
	}
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: no ", ue->name);
	print_nas_types(&reason, search.types);
	text_printf(&reason, " until %.3f s, where it is due after %.0f", seconds(end - from),
		    seconds(min));
	if (max != min)
		text_printf(&reason, " to %.0f", seconds(max));
	text_printf(&reason, " s (+ %.0f s)", seconds(nw_tolerance(max)));
	print_others(&reason, nw_of(t), ue, from + 1);
	because(&reason, x);
	end_with(t, or_default(x->silence, OUTCOME_VIOLATION), buf);
	return NULL;
}

const struct nas_received *expect_after_with(struct tc *t, struct nw_ue *ue, uint64_t from,
					     uint64_t us, const struct nw_expectation *x)
{
	return expect_between_with(t, ue, from, us, us, x);
}

/* --- NGAP --- */

static const struct ngap_received *expect_in(struct tc *t, const char *who, const char *last_sent,
					     struct queue *queue, const struct nw_expectation *x)
{
	struct search search = { .expectation = x, .types = x->type, .queue = queue };
	uint64_t within = x->within ? x->within : t->profile->response_time;
	const struct ngap_received *m;
	enum outcome outcome;
	char buf[768];
	struct text reason;

	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", who);
	wait_for(t, &search);
	if (search.seen == SEEN_NOTHING) {
		text_puts(&reason, "no ");
		print_ngap_types(&reason, x->type);
		text_printf(&reason, " within %" PRIu64 " ms", within / US_PER_MS);
		if (last_sent)
			text_printf(&reason, "; the last message sent was %s", last_sent);
		because(&reason, x);
		end_with(t, x->silence, buf);
		return NULL;
	}
	m = search.entry->ngap;
	if (search.seen == SEEN_MATCH) {
		consume(&search);
		return m;
	}
	if (search.seen == SEEN_NEVER) {
		outcome = OUTCOME_VIOLATION;
		print_message(&reason, m);
		text_puts(&reason, ", which must not come here");
	} else {
		outcome = or_default(x->otherwise, OUTCOME_FAIL);
		text_puts(&reason, "expected ");
		print_ngap_types(&reason, x->type);
		text_puts(&reason, ", received ");
		print_message(&reason, m);
	}
	because(&reason, x);
	if (outcome != OUTCOME_RETURN)
		ngap_detail(t, x, m);
	end_with(t, outcome, buf);
	return NULL;
}

const struct ngap_received *expect_ngap_of_with(struct tc *t, struct nw_ue *ue,
						const struct nw_expectation *x)
{
	return expect_in(t, ue->name, ue->last_sent, &ue->ngap, x);
}

const struct ngap_received *expect_node_with(struct tc *t, struct nw_node *node,
					     const struct nw_expectation *x)
{
	return expect_in(t, node->name, node->last_sent, &node->inbox, x);
}

void expect_no_node_with(struct tc *t, struct nw_node *node, const struct nw_expectation *x)
{
	struct search search = {
		.expectation = x, .types = x->type, .queue = &node->inbox, .only_matches = true
	};
	uint64_t within = x->within ? x->within : t->profile->response_time;
	char buf[768];
	struct text reason;

	if (!tc_wait(t, within, found, &search))
		return;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", node->name);
	print_message(&reason, search.entry->ngap);
	text_puts(&reason, ", where nothing of the kind may come");
	because(&reason, x);
	ngap_detail(t, x, search.entry->ngap);
	end_with(t, or_default(x->unmet, OUTCOME_VIOLATION), buf);
}

void forget_nas_of(struct nw_ue *ue)
{
	queue_clear(&ue->nas);
	queue_clear(&ue->ngap);
}

void forget_node(struct nw_node *node)
{
	queue_clear(&node->inbox);
}

/* --- what is in a message --- */

bool received_error_report(const struct ngap_received *m, struct nw_error_report *report)
{
	const struct ngap_cause *cause;
	const struct ngap_criticality_diagnostics *d;

	*report = (struct nw_error_report){ -1, -1, -1, -1, -1, -1, -1, -1 };
	if (!m || m->pdu.message != NGAP_ERROR_INDICATION)
		return false;
	cause = ngap_value(&m->pdu, NGAP_ID_CAUSE);
	d = ngap_value(&m->pdu, NGAP_ID_CRITICALITY_DIAGNOSTICS);
	if (cause) {
		report->cause_group = (int)cause->choice;
		/* all groups but the extensions are enumerations at the same place */
		if (cause->choice != NGAP_CAUSE_CHOICE_CHOICE_EXTENSIONS)
			report->cause = (int)cause->protocol;
	}
	if (d && d->procedure_code)
		report->procedure_code = (int)*d->procedure_code;
	if (d && d->triggering_message)
		report->triggering_message = (int)*d->triggering_message;
	if (d && d->procedure_criticality)
		report->procedure_criticality = (int)*d->procedure_criticality;
	if (d && d->ies_criticality_diagnostics && d->ies_criticality_diagnostics->count) {
		const struct ngap_criticality_diagnostics_ie_item *item =
			&d->ies_criticality_diagnostics->items[0];

		report->ie = (int)item->ie_id;
		report->ie_criticality = (int)item->ie_criticality;
		report->type_of_error = (int)item->type_of_error;
	}
	return true;
}

enum rrc_cause received_initial_cause(const struct ngap_received *m)
{
	int cause;

	if (!m || m->pdu.message != NGAP_INITIAL_UE_MESSAGE ||
	    !ngap_get_enum(&m->pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE, &cause))
		return RRC_DEFAULT;
	return nw_rrc_cause_of(cause);
}

enum rrc_cause received_rrc_cause(const struct nas_received *m)
{
	return m ? received_initial_cause(m->carrier) : RRC_DEFAULT;
}

enum reg_type received_registration_type(const struct nas_received *m)
{
	uint8_t type;

	if (!m || !nas_get_u8(&m->msg, NAS_IE_5GS_REGISTRATION_TYPE, &type))
		return 0;
	return (enum reg_type)(type & 7);
}

bool received_follow_on(const struct nas_received *m)
{
	uint8_t type;

	return m && nas_get_u8(&m->msg, NAS_IE_5GS_REGISTRATION_TYPE, &type) &&
	       type & NAS_FOLLOW_ON_REQUEST;
}

int received_service_type(const struct nas_received *m)
{
	uint8_t type;

	return m && nas_get_u8(&m->msg, NAS_IE_SERVICE_TYPE, &type) ? type : -1;
}

bool received_identity(const struct nas_received *m, struct nas_identity *identity)
{
	return m && (nas_get_identity(&m->msg, NAS_IE_5GS_MOBILE_IDENTITY, identity) ||
		     nas_get_identity(&m->msg, NAS_IE_5G_S_TMSI, identity) ||
		     nas_get_identity(&m->msg, NAS_IE_MOBILE_IDENTITY, identity));
}

bool received_s_tmsi(const struct ngap_received *m, struct nas_s_tmsi *s_tmsi)
{
	const struct ngap_five_g_s_tmsi *in = m ? ngap_value(&m->pdu, NGAP_ID_FIVE_G_S_TMSI) : NULL;

	if (!in || in->five_g_tmsi.len != 4)
		return false;
	*s_tmsi = (struct nas_s_tmsi){
		.amf_set_id = (uint16_t)in->amf_set_id,
		.amf_pointer = (uint8_t)in->amf_pointer,
		.tmsi = (uint32_t)in->five_g_tmsi.data[0] << 24 |
			(uint32_t)in->five_g_tmsi.data[1] << 16 |
			(uint32_t)in->five_g_tmsi.data[2] << 8 | in->five_g_tmsi.data[3],
	};
	return true;
}

const char *rrc_cause_name(enum rrc_cause cause)
{
	static const char *const names[] = {
		[RRC_DEFAULT] = "none",
		[RRC_EMERGENCY] = "emergency",
		[RRC_HIGH_PRIORITY_ACCESS] = "highPriorityAccess",
		[RRC_MT_ACCESS] = "mt-Access",
		[RRC_MO_SIGNALLING] = "mo-Signalling",
		[RRC_MO_DATA] = "mo-Data",
		[RRC_MO_VOICE_CALL] = "mo-VoiceCall",
		[RRC_MO_VIDEO_CALL] = "mo-VideoCall",
		[RRC_MO_SMS] = "mo-SMS",
		[RRC_MPS_PRIORITY_ACCESS] = "mps-PriorityAccess",
		[RRC_MCS_PRIORITY_ACCESS] = "mcs-PriorityAccess",
		[RRC_NOT_AVAILABLE] = "notAvailable",
		[RRC_MO_EXCEPTION_DATA] = "mo-ExceptionData",
	};

	return (size_t)cause < sizeof(names) / sizeof(*names) ? names[cause] : "?";
}
