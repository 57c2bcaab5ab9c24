/*
 * Expectations over the queues of UEs and nodes: wait, match, and end the case with what was wrong.
 */
#include "runner/case/expect.h"

#include "runner/case/expect_end.h"
#include "runner/case/expect_print.h"
#include "runner/emulation/emulation.h"

enum {
	DETAIL_MAX = 16384,
	EXTENSIONS_MAX = 12, /* answers of the IUT that each give it the response time anew */
};

struct search {
	const struct expectation *expectation;
	struct queue *queue;
	const char *who;
	const struct queue *beside; /* what else the IUT sends meanwhile; NULL: nothing */
	bool only_matches;	    /* leave the rest alone: nothing is unexpected */
	const struct entry *entry;
	enum seen seen;
	size_t count; /* of both queues, when a wait began */
};

static bool is_via(const struct entry *entry, const struct gnb *via)
{
	return !via || entry->ngap->gnb == via;
}

static void look(struct search *search)
{
	const struct expectation *x = search->expectation;

	search->seen = SEEN_NOTHING;
	for (const struct entry *entry = search->queue->first; entry; entry = entry->next) {
		unsigned int type = expect_entry_type(entry);

		if (!is_via(entry, x->via))
			continue;
		search->entry = entry;
		if (type_in_set(x->never, type) || (x->never_cause && entry->nas &&
						    received_cause(entry->nas) == x->never_cause)) {
			search->seen = SEEN_NEVER;
			return;
		}
		if (x->type ? type_in_set(x->type, type) : !entry->skippable) {
			search->seen = SEEN_MATCH;
			return;
		}
		if (!entry->skippable && !search->only_matches) {
			search->seen = SEEN_OTHER;
			return;
		}
	}
	search->entry = NULL;
}

static bool found(void *arg)
{
	struct search *search = arg;

	look(search);
	return search->seen != SEEN_NOTHING;
}

static size_t waiting(const struct search *search)
{
	return search->queue->count + (search->beside ? search->beside->count : 0);
}

static bool found_or_grown(void *arg)
{
	struct search *search = arg;

	return found(arg) || waiting(search) != search->count;
}

/*
 * Waits for what the search looks for. Without a time of its own an expectation gives the IUT its
 * response time for each message, so a procedure of several steps may take several of them.
 */
static void wait_for(struct tc *t, struct search *search)
{
	uint64_t within = search->expectation->within;

	if (within) {
		tc_wait_answer(t, search->who, "answer", within, found, search);
		return;
	}
	for (int i = 0; i < EXTENSIONS_MAX; i++) {
		search->count = waiting(search);
		if (!tc_wait_answer(t, search->who, "answer", t->profile->response_time,
				    found_or_grown, search) ||
		    search->seen != SEEN_NOTHING)
			return;
	}
}

/* The message and what was passed over on the way to it are gone. */
static void consume(struct search *search)
{
	const struct gnb *via = search->expectation->via;
	const struct entry *next;

	for (const struct entry *entry = search->queue->first; entry; entry = next) {
		next = entry->next;
		if (entry != search->entry && (!entry->skippable || !is_via(entry, via)))
			continue;
		queue_remove(search->queue, entry);
		if (entry == search->entry)
			return;
	}
}

/* --- NAS --- */

static void nas_detail(struct tc *t, const struct expectation *x, const struct nas_received *m)
{
	char buf[DETAIL_MAX];
	struct text detail;

	text_init(&detail, buf, sizeof(buf));
	print_nas_comparison(&detail, t, x, m);
	tc_detail(t, buf);
}

static bool conditions_met(const struct expectation *x, const struct nas_received *m)
{
	if (x->cause && received_cause(m) != x->cause)
		return false;
	if (x->t3346 != NOT_LOOKED_AT && (x->t3346 == PRESENT) != received_t3346(m).present)
		return false;
	return x->protected == NOT_LOOKED_AT || (x->protected == PRESENT) == m->integrity;
}

static void nas_silence(struct tc *t, struct ue *ue, const struct expectation *x)
{
	uint64_t within = x->within ? x->within : t->profile->response_time;
	char buf[768];
	struct text reason;

	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: no ", ue->name);
	if (x->type)
		print_nas_types(&reason, x->type);
	else
		text_puts(&reason, "answer");
	text_printf(&reason, " within %llu ms", (unsigned long long)(within / US_PER_MS));
	if (ue->last_sent)
		text_printf(&reason, "; the last message of the UE was %s", ue->last_sent);
	if (ue->discarded)
		text_printf(&reason,
			    "; %u messages of the IUT were discarded, the last because: %s",
			    ue->discarded, ue->discard_reason);
	expect_because(&reason, x->why);
	expect_end(t, x->silence, buf);
}

const struct nas_received *expect_nas_with(struct tc *t, struct ue *ue, const struct expectation *x)
{
	/* a context setup or a change of the session may come first and takes its own time */
	struct search search = {
		.expectation = x, .who = ue->name, .queue = &ue->nas, .beside = &ue->ngap
	};
	const struct nas_received *m;
	enum outcome outcome;
	char buf[768];
	struct text reason;

	wait_for(t, &search);
	if (search.seen == SEEN_NOTHING) {
		nas_silence(t, ue, x);
		return NULL;
	}
	m = search.entry->nas;
	if (search.seen == SEEN_MATCH && conditions_met(x, m)) {
		consume(&search);
		return m;
	}
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", ue->name);
	switch (search.seen) {
	case SEEN_NEVER:
		outcome = OUTCOME_VIOLATION;
		print_nas_received(&reason, m);
		text_puts(&reason, ", which must not come here");
		break;
	case SEEN_MATCH:
		outcome = expect_outcome(x->unmet, OUTCOME_VIOLATION);
		print_nas_received(&reason, m);
		text_puts(&reason, " is not as expected");
		break;
	default:
		outcome = expect_outcome(x->otherwise, OUTCOME_FAIL);
		text_puts(&reason, "expected ");
		print_nas_types(&reason, x->type);
		text_puts(&reason, ", received ");
		print_nas_received(&reason, m);
		break;
	}
	expect_because(&reason, x->why);
	if (outcome != OUTCOME_RETURN)
		nas_detail(t, x, m);
	expect_end(t, outcome, buf);
	return NULL;
}

void expect_no_nas_with(struct tc *t, struct ue *ue, const struct expectation *x)
{
	struct search search = { .expectation = x, .queue = &ue->nas, .only_matches = true };
	uint64_t within = x->within ? x->within : t->profile->response_time;
	char buf[768];
	struct text reason;

	if (!tc_wait_shown(t, ue->name, "silence", within, found, &search))
		return;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", ue->name);
	print_nas_received(&reason, search.entry->nas);
	text_puts(&reason, ", where nothing of the kind may come");
	expect_because(&reason, x->why);
	nas_detail(t, x, search.entry->nas);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
}

/* --- NGAP --- */

static void ngap_detail(struct tc *t, const struct expectation *x, const struct ngap_received *m)
{
	char buf[DETAIL_MAX];
	struct text detail;

	text_init(&detail, buf, sizeof(buf));
	print_ngap_comparison(&detail, t, x, m);
	tc_detail(t, buf);
}

static const struct ngap_received *expect_in(struct tc *t, const char *who, const char *last_sent,
					     struct queue *queue, const struct expectation *x)
{
	struct search search = { .expectation = x, .who = who, .queue = queue };
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
		ngap_detail(t, x, m);
	expect_end(t, outcome, buf);
	return NULL;
}

const struct ngap_received *expect_ngap_with(struct tc *t, struct gnb *gnb,
					     const struct expectation *x)
{
	return expect_in(t, gnb->name, gnb->last_sent, &gnb->inbox, x);
}

const struct ngap_received *expect_ue_ngap_with(struct tc *t, struct ue *ue,
						const struct expectation *x)
{
	return expect_in(t, ue->name, ue->last_sent, &ue->ngap, x);
}

void expect_no_ngap_with(struct tc *t, struct gnb *gnb, const struct expectation *x)
{
	struct search search = { .expectation = x, .queue = &gnb->inbox, .only_matches = true };
	uint64_t within = x->within ? x->within : t->profile->response_time;
	char buf[768];
	struct text reason;

	if (!tc_wait_shown(t, gnb->name, "silence", within, found, &search))
		return;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", gnb->name);
	print_ngap_received(&reason, search.entry->ngap);
	text_puts(&reason, ", where nothing of the kind may come");
	expect_because(&reason, x->why);
	ngap_detail(t, x, search.entry->ngap);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
}

static bool was_paged(void *arg)
{
	const struct ue *ue = arg;

	return ue->paging != NULL;
}

const struct ngap_received *expect_paging_with(struct tc *t, struct ue *ue,
					       const struct expectation *x)
{
	uint64_t within = x->within ? x->within : t->profile->response_time;
	const struct ngap_received *m;
	char buf[512];
	struct text reason;

	if (tc_wait_answer(t, ue->name, "paging", within, was_paged, ue)) {
		m = ue->paging;
		ue->paging = NULL;
		return m;
	}
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: no PAGING within %llu ms", ue->name,
		    (unsigned long long)(within / US_PER_MS));
	expect_because(&reason, x->why);
	expect_end(t, expect_outcome(x->silence, OUTCOME_INCONC), buf);
	return NULL;
}

void observe(struct tc *t, uint64_t us)
{
	tc_sleep(t, us);
}

void forget_nas(struct ue *ue)
{
	queue_clear(&ue->nas);
	queue_clear(&ue->ngap);
}

void forget_ngap(struct gnb *gnb)
{
	queue_clear(&gnb->inbox);
}
