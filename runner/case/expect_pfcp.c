/* Expectations on PFCP messages: wait, match, and end the case with what was wrong. */
#include "runner/case/expect_pfcp.h"

#include <inttypes.h>

#include "codecs/pfcp/pfcp_print.h"
#include "runner/case/expect_end.h"
#include "runner/emulation/pfcp_private.h"

enum {
	CONDITIONS = 10,
	VALUE_TEXT = 64,
	DETAIL_MAX = 16384,
	OCTETS_PRINTED = 512,
};

/* One condition of an expectation, held against a message. */
struct condition {
	const char *name;
	bool wanted, met;
	char expected[VALUE_TEXT], received[VALUE_TEXT];
};

static void print_types(struct text *out, uint64_t types)
{
	if (!types)
		text_puts(out, "a message");
	for (unsigned int i = 0; i < 4 && (types >> (16 * i) & 0xffff); i++)
		text_printf(out, "%s%s", i ? " or " : "",
			    pfcp_message_name((uint8_t)(types >> (16 * i))));
}

/* --- conditions --- */

static void say_number(char out[VALUE_TEXT], bool there, uint64_t value)
{
	struct text text;

	text_init(&text, out, VALUE_TEXT);
	if (there)
		text_printf(&text, "%" PRIu64, value);
	else
		text_puts(&text, "none");
}

static void check_number(struct condition *c, const char *name, int64_t wanted, bool there,
			 uint64_t value)
{
	*c = (struct condition){ .name = name,
				 .wanted = wanted != 0,
				 .met = there && value == (uint64_t)(wanted - 1) };
	say_number(c->expected, wanted > 0, (uint64_t)(wanted - 1));
	say_number(c->received, there, value);
}

static void check_presence(struct condition *c, const char *name, enum presence wanted, bool there)
{
	struct text text;

	*c = (struct condition){ .name = name,
				 .wanted = wanted != NOT_LOOKED_AT,
				 .met = (wanted == PRESENT) == there };
	text_init(&text, c->expected, VALUE_TEXT);
	text_puts(&text, wanted == PRESENT ? "present" : "absent");
	text_init(&text, c->received, VALUE_TEXT);
	text_puts(&text, there ? "present" : "absent");
}

static void say_cause(char out[VALUE_TEXT], int cause)
{
	struct text text;

	text_init(&text, out, VALUE_TEXT);
	if (cause < 0)
		text_puts(&text, "none");
	else
		text_printf(&text, "%d (%s)", cause, pfcp_cause_name(cause));
}

static void check_cause(struct condition *c, const struct pfcp_expectation *x, int cause)
{
	struct text text;

	*c = (struct condition){ .name = "Cause",
				 .wanted = x->cause || x->accepted,
				 .met = x->cause ? cause == x->cause : pfcp_cause_accepts(cause) };
	if (x->cause) {
		say_cause(c->expected, x->cause);
	} else {
		text_init(&text, c->expected, VALUE_TEXT);
		text_puts(&text, "one that accepts");
	}
	say_cause(c->received, cause);
}

/* Whether all that are wanted hold. */
static bool conditions_of(const struct pfcp_expectation *x, const struct pfcp_received *m,
			  struct condition c[CONDITIONS])
{
	struct pfcp_information oci = pfcp_received_oci(m), lci = pfcp_received_lci(m);
	bool met = true;
	size_t n = 0;

	check_cause(&c[n++], x, pfcp_cause(&m->msg));
	check_presence(&c[n++], "MP", x->has_priority, m->msg.has_priority);
	check_number(&c[n++], "message priority", x->priority, m->msg.has_priority,
		     m->msg.priority);
	check_presence(&c[n++], "OCI", x->oci, oci.instances > 0);
	check_presence(&c[n++], "LCI", x->lci, lci.instances > 0);
	check_number(&c[n++], "OCI metric", x->metric, oci.has_metric, oci.metric);
	check_number(&c[n++], "OCI sequence number", x->sequence_number, oci.has_sequence_number,
		     oci.sequence_number);
	check_number(&c[n++], "OCI timer octet", x->timer, oci.has_timer, oci.timer);
	check_presence(&c[n++], "AOCI", x->aoci, oci.has_flags && oci.flags & PFCP_OCI_AOCI);
	for (size_t i = 0; i < n; i++)
		met &= !c[i].wanted || c[i].met;
	c[n] = (struct condition){ .name = NULL };
	return met;
}

/* --- print --- */

static void detail(struct tc *t, const struct pfcp_expectation *x, const struct pfcp_received *m)
{
	const char *why = x->why ? x->why : t->test->purpose;
	struct condition c[CONDITIONS];
	char buf[DETAIL_MAX], types[200];
	size_t shown = m->octets.len < OCTETS_PRINTED ? m->octets.len : OCTETS_PRINTED;
	struct text out, text;

	text_init(&out, buf, sizeof(buf));
	text_init(&text, types, sizeof(types));
	print_types(&text, x->type);
	text_printf(&out, "%c %-20s expected %-32s received %s\n",
		    !x->type || type_in_set(x->type, m->msg.type) ? ' ' : '!', "message", types,
		    pfcp_message_name(m->msg.type));
	conditions_of(x, m, c);
	for (size_t i = 0; c[i].name; i++)
		if (c[i].wanted)
			text_printf(&out, "%c %-20s expected %-32s received %s\n",
				    c[i].met ? ' ' : '!', c[i].name, c[i].expected, c[i].received);
	text_puts(&out, "message received:\n");
	pfcp_print(&out, &m->msg, PFCP_PRINT_FLAT);
	text_puts(&out, "octets received: ");
	text_hex(&out, m->octets.data, shown);
	text_puts(&out, shown < m->octets.len ? "...\n" : "\n");
	for (size_t i = 0; i < m->finding_count; i++)
		text_printf(&out, "finding: %s in %s at octet %u\n",
			    finding_rule_name(m->findings[i].rule), m->findings[i].field,
			    m->findings[i].bit / 8);
	if (why)
		text_printf(&out, "expected because: %s\n", why);
	if (t->test->clause)
		text_printf(&out, "clause: %s (%s)\n", t->test->clause,
			    t->test->requirement ? t->test->requirement : "-");
	tc_detail(t, buf);
}

/* The message is of a type that is wanted: it, or NULL where an outcome is to return. */
static const struct pfcp_received *judge(struct tc *t, const struct pfcp_expectation *x,
					 const struct pfcp_received *m)
{
	struct condition c[CONDITIONS];
	enum outcome outcome = expect_outcome(x->unmet, OUTCOME_VIOLATION);
	char buf[768];
	struct text reason;

	if (conditions_of(x, m, c))
		return m;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: %s is not as expected:", m->end->name,
		    pfcp_message_name(m->msg.type));
	for (size_t i = 0; c[i].name; i++)
		if (c[i].wanted && !c[i].met)
			text_printf(&reason, " %s %s, not %s;", c[i].name, c[i].received,
				    c[i].expected);
	expect_because(&reason, x->why);
	if (outcome != OUTCOME_RETURN)
		detail(t, x, m);
	expect_end(t, outcome, buf);
	return NULL;
}

/* --- waiting --- */

struct search {
	const struct pfcp_expectation *expectation;
	struct pfcp_end *end;
	bool only_matches;
	const struct pfcp_entry *entry;
	enum seen seen;
};

static bool found(void *arg)
{
	struct search *search = arg;
	const struct pfcp_expectation *x = search->expectation;

	for (const struct pfcp_entry *entry = search->end->first; entry; entry = entry->next) {
		uint8_t type = entry->m->msg.type;
		bool repetition = entry->m->repeats != NULL;

		if (type_in_set(x->never, type))
			search->seen = SEEN_NEVER;
		else if (repetition != x->repetition)
			continue;
		else if (x->type ? type_in_set(x->type, type) : !entry->skippable)
			search->seen = SEEN_MATCH;
		else if (!entry->skippable && !search->only_matches)
			search->seen = SEEN_OTHER;
		else
			continue;
		search->entry = entry;
		return true;
	}
	return false;
}

/* The message and what was passed over on the way to it are gone. */
static void consume(struct search *search)
{
	const struct pfcp_entry *next, *match = search->entry;

	for (const struct pfcp_entry *entry = search->end->first; entry; entry = next) {
		next = entry->next;
		if (entry != match && !entry->skippable)
			continue;
		pfcp_inbox_remove(search->end, entry);
		if (entry == match)
			return;
	}
}

static void silence(struct tc *t, const struct search *search, uint64_t within)
{
	const struct pfcp_expectation *x = search->expectation;
	char buf[512];
	struct text reason;

	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: no %s", search->end->name, x->repetition ? "repeated " : "");
	print_types(&reason, x->type);
	text_printf(&reason, " within %" PRIu64 " ms", within / US_PER_MS);
	if (search->end->last_sent[0])
		text_printf(&reason, "; the last message sent was %s", search->end->last_sent);
	expect_because(&reason, x->why);
	expect_end(t, x->silence, buf);
}

const struct pfcp_received *expect_pfcp_with(struct tc *t, struct pfcp_end *end,
					     const struct pfcp_expectation *x)
{
	struct search search = { .expectation = x, .end = end };
	uint64_t within = x->within ? x->within : t->profile->response_time;
	const struct pfcp_received *m;
	enum outcome outcome = OUTCOME_VIOLATION;
	char buf[512];
	struct text reason;

	if (!tc_wait_answer(t, pfcp_end_name(end), "answer", within, found, &search)) {
		silence(t, &search, within);
		return NULL;
	}
	m = search.entry->m;
	if (search.seen == SEEN_MATCH) {
		consume(&search);
		return judge(t, x, m);
	}
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", end->name);
	if (search.seen == SEEN_NEVER) {
		pfcp_print_line(&reason, &m->msg);
		text_puts(&reason, ", which must not come here");
	} else {
		outcome = expect_outcome(x->otherwise, OUTCOME_FAIL);
		text_puts(&reason, "expected ");
		print_types(&reason, x->type);
		text_puts(&reason, ", received ");
		pfcp_print_line(&reason, &m->msg);
	}
	expect_because(&reason, x->why);
	if (outcome != OUTCOME_RETURN)
		detail(t, x, m);
	expect_end(t, outcome, buf);
	return NULL;
}

void expect_no_pfcp_with(struct tc *t, struct pfcp_end *end, const struct pfcp_expectation *x)
{
	struct search search = { .expectation = x, .end = end, .only_matches = true };
	uint64_t within = x->within ? x->within : t->profile->response_time;
	char buf[512];
	struct text reason;

	if (!tc_wait_shown(t, pfcp_end_name(end), "silence", within, found, &search))
		return;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", end->name);
	pfcp_print_line(&reason, &search.entry->m->msg);
	text_puts(&reason, ", where nothing of the kind may come");
	expect_because(&reason, x->why);
	detail(t, x, search.entry->m);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
}

void forget_pfcp(struct pfcp_end *end)
{
	end->first = end->last = NULL;
	end->waiting = 0;
}

const struct pfcp_received *expect_response_with(struct tc *t, const struct pfcp_received *m,
						 const struct pfcp_expectation *x)
{
	char buf[512];
	struct text reason;
	enum outcome outcome;

	if (!x->type || type_in_set(x->type, m->msg.type))
		return judge(t, x, m);
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: expected ", m->end->name);
	print_types(&reason, x->type);
	text_puts(&reason, ", received ");
	pfcp_print_line(&reason, &m->msg);
	outcome = expect_outcome(x->otherwise, OUTCOME_FAIL);
	if (outcome != OUTCOME_RETURN)
		detail(t, x, m);
	expect_end(t, outcome, buf);
	return NULL;
}
