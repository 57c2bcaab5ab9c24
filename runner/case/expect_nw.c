/*
 * Expectations over the queues of the IUT's UEs and nodes: wait, match, and end the case with what
 * was wrong.
 */
#include "runner/case/expect_nw.h"

#include <inttypes.h>

#include "runner/case/expect_end.h"
#include "runner/case/expect_nw_print.h"
#include "runner/case/expect_print.h"
#include "runner/emulation/nw_private.h"

enum {
	EXTENSIONS_MAX = 12, /* messages of the IUT that each give it the response time anew */
};

#define TOLERANCE_LEAST (2 * US_PER_S)

static const uint16_t requests[4] = { REGISTRATION_REQUEST, SERVICE_REQUEST,
				      CONTROL_PLANE_SERVICE_REQUEST };

/* What is looked for, in one queue or in those of all UEs. */
struct search {
	const struct nw_expectation *expectation;
	const char *who;
	uint64_t types;
	struct queue *queue;
	struct nw *all; /* NAS of any UE; queue is where it was found then */
	bool only_matches;
	bool silence;	       /* any first message breaks it, but DEREGISTRATION REQUEST */
	bool no_other_request; /* another request than those is unexpected, answered or not */
	uint64_t since;	       /* what came before does not count */
	const struct entry *entry;
	enum seen seen;
	size_t count; /* when a wait began */
};

static bool is_here(const struct entry *entry, const struct nw_expectation *x)
{
	return (!x->node || entry->ngap->node == x->node) &&
	       (!x->at || (entry->ngap->node && entry->ngap->node->amf == x->at));
}

static bool begins_connection(const struct entry *entry)
{
	return entry->ngap->pdu.message == NGAP_INITIAL_UE_MESSAGE;
}

static void look_in(struct search *search, struct queue *queue)
{
	const struct nw_expectation *x = search->expectation;

	for (const struct entry *entry = queue->first; entry; entry = entry->next) {
		unsigned int type = expect_entry_type(entry);

		if (!is_here(entry, x) || entry->ngap->time < search->since)
			continue;
		if (search->entry && search->entry->ngap->time <= entry->ngap->time)
			return; /* another UE was earlier */
		if (type_in_set(x->never, type))
			search->seen = SEEN_NEVER;
		else if (search->types ? type_in_set(search->types, type) : !entry->skippable)
			search->seen = SEEN_MATCH;
		else if (search->silence && begins_connection(entry) &&
			 type != NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING)
			search->seen = SEEN_MATCH;
		else if ((!entry->skippable && !search->only_matches) ||
			 (search->no_other_request && type_in_set(one_of_(requests), type)))
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
		tc_wait_answer(t, search->who, "answer", search->expectation->within, found,
			       search);
		return;
	}
	for (int i = 0; i < EXTENSIONS_MAX; i++) {
		search->count = entries(search);
		if (!tc_wait_answer(t, search->who, "answer", t->profile->response_time,
				    found_or_grown, search) ||
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

/* --- silence --- */

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
	nw_print_others(&reason, nw_of(t), ue, since);
	expect_because(&reason, x->why);
	expect_end(t, x->silence, buf);
}

/* --- NAS --- */

/* What was found is judged: the message, or NULL where an outcome is to return. */
static const struct nas_received *judge_nas(struct tc *t, struct search *search)
{
	const struct nw_expectation *x = search->expectation;
	const struct nas_received *m = search->entry->nas;
	struct nw_condition conditions[NW_CONDITIONS];
	enum outcome outcome;
	char buf[768];
	struct text reason;

	if (search->seen == SEEN_MATCH && nw_conditions(x, m, conditions)) {
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
		outcome = expect_outcome(x->unmet, OUTCOME_VIOLATION);
		print_nas_received(&reason, m);
		text_puts(&reason, " is not as expected:");
		for (int i = 0; i < NW_CONDITIONS; i++)
			if (conditions[i].wanted && !conditions[i].met)
				text_printf(&reason, " %s %s, not %s;", conditions[i].name,
					    conditions[i].received, conditions[i].expected);
		break;
	default:
		outcome = expect_outcome(x->otherwise, OUTCOME_FAIL);
		text_puts(&reason, "expected ");
		print_nas_types(&reason, search->types);
		text_puts(&reason, ", received ");
		print_nas_received(&reason, m);
		break;
	}
	expect_because(&reason, x->why);
	if (outcome != OUTCOME_RETURN)
		nw_nas_detail(t, x, search->types, m);
	expect_end(t, outcome, buf);
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
	expect_because(&reason, x->why);
	expect_end(t, x->silence, buf);
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
	struct search search = {
		.expectation = x, .who = ue->name, .types = x->type, .queue = &ue->nas
	};

	return expect_by(t, ue, &search);
}

const struct nas_received *expect_nas_of_any_with(struct tc *t, const struct nw_expectation *x)
{
	struct search search = {
		.expectation = x, .who = "tester", .types = x->type, .all = nw_of(t)
	};

	return expect_by(t, NULL, &search);
}

/* A first message that nobody could read is one too: it ends the case. */
static void nothing_unreadable(struct tc *t, const struct nw_ue *ue, const struct search *search,
			       uint64_t from)
{
	const struct nw_expectation *x = search->expectation;
	char buf[512];
	struct text reason;

	if (!search->silence || !ue->unreadable_at || ue->unreadable_at < from)
		return;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason,
		    "%s: a first NAS message that cannot be read (%s), where nothing of the "
		    "kind may come",
		    ue->name, ue->discard_reason);
	expect_because(&reason, x->why);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
}

void expect_no_nas_of_with(struct tc *t, struct nw_ue *ue, const struct nw_expectation *x)
{
	struct search search = {
		.expectation = x,
		.types = x->type ? x->type : one_of_(requests),
		.queue = &ue->nas,
		.only_matches = true,
		.silence = x->type == 0,
	};
	uint64_t within = x->within ? x->within : t->profile->response_time;
	uint64_t from = loop_now(t->loop);
	char buf[768];
	struct text reason;

	if (!tc_wait_shown(t, ue->name, "silence", within, found, &search)) {
		nothing_unreadable(t, ue, &search, from);
		return;
	}
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", ue->name);
	print_nas_received(&reason, search.entry->nas);
	text_puts(&reason, ", where nothing of the kind may come");
	expect_because(&reason, x->why);
	nw_nas_detail(t, x, search.types, search.entry->nas);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
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
static bool wait_until(struct tc *t, const struct nw_ue *ue, const char *name, uint64_t instant,
		       struct search *search)
{
	uint64_t now = loop_now(t->loop);

	return tc_wait_shown(t, ue->name, name, instant > now ? instant - now : 0, found, search);
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
	search->silence = true;
	if (!wait_until(t, ue, "silence", end, search) || search->entry->ngap->time >= end) {
		nothing_unreadable(t, ue, search, from);
		return true;
	}
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", ue->name);
	print_nas_received(&reason, search->entry->nas);
	text_printf(&reason, " after %.3f s, where silence of %.0f s (- %.0f s) is due",
		    seconds(search->entry->ngap->time - from), seconds(us), seconds(tolerance));
	expect_because(&reason, x->why);
	nw_nas_detail(t, x, search->types, search->entry->nas);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
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

	if (first && !type_in_set(one_of_(all), first))
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
	/* the case may look later than the message came: its own instant counts */
	if (wait_until(t, ue, "request", end, &search) && search.entry->ngap->time <= end) {
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
	nw_print_others(&reason, nw_of(t), ue, from + 1);
	expect_because(&reason, x->why);
	expect_end(t, expect_outcome(x->silence, OUTCOME_VIOLATION), buf);
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
	struct search search = { .expectation = x, .who = who, .types = x->type, .queue = queue };
	uint64_t within = x->within ? x->within : t->profile->response_time;
	const struct ngap_received *m;
	enum outcome outcome;
	char buf[768];
	struct text reason;

	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", who);
	wait_for(t, &search);
	if (search.seen == SEEN_NOTHING) {
		expect_ngap_silence(&reason, x->type, within, last_sent);
		expect_because(&reason, x->why);
		expect_end(t, x->silence, buf);
		return NULL;
	}
	m = search.entry->ngap;
	if (search.seen == SEEN_MATCH) {
		consume(&search);
		return m;
	}
	outcome = expect_ngap_unmet(&reason, search.seen, x->type, x->otherwise, m);
	expect_because(&reason, x->why);
	if (outcome != OUTCOME_RETURN)
		nw_ngap_detail(t, x, m);
	expect_end(t, outcome, buf);
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

	if (!tc_wait_shown(t, node->name, "silence", within, found, &search))
		return;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", node->name);
	print_ngap_received(&reason, search.entry->ngap);
	text_puts(&reason, ", where nothing of the kind may come");
	expect_because(&reason, x->why);
	nw_ngap_detail(t, x, search.entry->ngap);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
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
