/* Expectations on SBI: wait, match, and end the case with what was wrong. */
#include "runner/case/expect_sbi.h"

#include <inttypes.h>
#include <stdio.h>

#include "runner/case/expect_end.h"
#include "runner/emulation/sbi_private.h"

enum {
	CONDITIONS = 12,
	VALUE_TEXT = 80,
	DETAIL_MAX = 16384,
};

/* One condition of an expectation, held against a message. */
struct condition {
	const char *name;
	bool wanted, met;
	char expected[VALUE_TEXT], received[VALUE_TEXT];
};

struct conditions {
	struct condition items[CONDITIONS];
	size_t count;
	bool met;
};

static void put(char out[VALUE_TEXT], const char *text)
{
	snprintf(out, VALUE_TEXT, "%s", text);
}

static void put_octets(char out[VALUE_TEXT], const struct octets *octets)
{
	struct text text;

	text_init(&text, out, VALUE_TEXT);
	if (!octets)
		text_puts(&text, "none");
	for (size_t i = 0; octets && i < octets->len; i++) {
		uint8_t c = octets->data[i];

		text_putc(&text, c >= ' ' && c < 0x7f ? (char)c : '?');
	}
}

static struct condition *add(struct conditions *c, const char *name, bool wanted, bool met)
{
	struct condition *item = &c->items[c->count++];

	*item = (struct condition){ .name = name, .wanted = wanted, .met = met };
	c->met &= !wanted || met;
	return item;
}

/* --- conditions --- */

static bool status_fits(unsigned int wanted, unsigned int status)
{
	return wanted < 10 ? status / 100 == wanted : status == wanted;
}

static void check_status(struct conditions *c, const struct sbi_expectation *x, unsigned int status)
{
	bool met = (!x->status || status_fits(x->status, status)) &&
		   (!x->not_status || !status_fits(x->not_status, status));
	struct condition *item = add(c, ":status", x->status || x->not_status, met);

	if (x->status)
		snprintf(item->expected, VALUE_TEXT, x->status < 10 ? "%uxx" : "%u", x->status);
	else
		snprintf(item->expected, VALUE_TEXT, x->not_status < 10 ? "not %uxx" : "not %u",
			 x->not_status);
	snprintf(item->received, VALUE_TEXT, "%u", status);
}

static bool type_is(const struct octets *value, const char *type)
{
	size_t len = strlen(type);

	return value && value->len >= len && sbi_equal_nocase(OCTETS(value->data, len), type) &&
	       (value->len == len || value->data[len] == ';' || value->data[len] == ' ');
}

static void check_presence(struct conditions *c, const char *name, enum presence wanted,
			   const struct octets *value)
{
	struct condition *item =
		add(c, name, wanted != NOT_LOOKED_AT, (wanted == PRESENT) == (value != NULL));

	put(item->expected, wanted == PRESENT ? "present" : "absent");
	put_octets(item->received, value);
}

/* PRESENT means present and right. */
static void check_loads(struct conditions *c, const char *name, enum presence wanted,
			const struct sbi_loads *loads)
{
	bool there = loads->lines > 0;
	struct condition *item = add(c, name, wanted != NOT_LOOKED_AT,
				     wanted == PRESENT ? there && !loads->fault : !there);

	put(item->expected, wanted == PRESENT ? "present, by the grammar" : "absent");
	if (there && loads->fault)
		put(item->received, loads->fault);
	else
		put_octets(item->received, there ? &loads->text : NULL);
}

static void check_metric(struct conditions *c, const struct sbi_expectation *x,
			 const struct sbi_loads *oci)
{
	bool there = oci->count && oci->items[0].has & SBI_HAS_METRIC;
	struct condition *item = add(c, "OCI metric", x->metric != 0,
				     there && oci->items[0].metric == x->metric - 1);

	snprintf(item->expected, VALUE_TEXT, "%" PRId64 " %%", x->metric - 1);
	if (there)
		snprintf(item->received, VALUE_TEXT, "%u %%", oci->items[0].metric);
	else
		put(item->received, "none");
}

static void check_priority(struct conditions *c, const struct sbi_expectation *x,
			   const struct http_message *m)
{
	int priority = sbi_priority_of(m);
	struct condition *item =
		add(c, "message priority", x->priority != 0, priority == x->priority - 1);

	snprintf(item->expected, VALUE_TEXT, "%d", x->priority - 1);
	put_octets(item->received, http_header(m, "3gpp-sbi-message-priority"));
}

static void check_common(struct tc *t, struct conditions *c, const struct sbi_expectation *x,
			 const struct http_message *m)
{
	struct sbi_loads oci = { .count = 0 }, lci = { .count = 0 };

	if (x->oci || x->metric)
		oci = sbi_oci_of(t, m);
	if (x->lci)
		lci = sbi_lci_of(t, m);
	check_loads(c, "3gpp-Sbi-Oci", x->oci, &oci);
	check_loads(c, "3gpp-Sbi-Lci", x->lci, &lci);
	check_metric(c, x, &oci);
	check_priority(c, x, m);
}

static void check_answer(struct tc *t, struct conditions *c, const struct sbi_expectation *x,
			 const struct sbi_response *response)
{
	const struct octets *type = http_header(response->message, "content-type");
	struct condition *item;

	check_status(c, x, response->status);
	item = add(c, "content-type", x->content_type != NULL,
		   x->content_type && type_is(type, x->content_type));
	put(item->expected, x->content_type ? x->content_type : "");
	put_octets(item->received, type);
	item = add(c, "cause", x->cause != NULL,
		   x->cause && strcmp(response->cause, x->cause) == 0);
	put(item->expected, x->cause ? x->cause : "");
	put(item->received, response->cause[0] ? response->cause : "none");
	check_presence(c, "location", x->location, http_header(response->message, "location"));
	check_presence(c, "retry-after", x->retry_after,
		       http_header(response->message, "retry-after"));
	check_common(t, c, x, response->message);
}

/* --- print --- */

static void detail(struct tc *t, const struct conditions *c, const struct sbi_expectation *x,
		   const struct http_message *m)
{
	char buf[DETAIL_MAX];
	struct text out;

	text_init(&out, buf, sizeof(buf));
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].wanted)
			text_printf(&out, "%c %-20s expected %-32s received %s\n",
				    c->items[i].met ? ' ' : '!', c->items[i].name,
				    c->items[i].expected, c->items[i].received);
	text_puts(&out, "message received:\n");
	sbi_print(&out, m);
	text_printf(&out, "clause: %s (%s): %s\n", t->test->clause, t->test->requirement,
		    x->why ? x->why : t->test->purpose);
	tc_detail(t, buf);
}

static void say_unmet(struct text *reason, const struct conditions *c)
{
	bool first = true;

	for (size_t i = 0; i < c->count; i++) {
		if (!c->items[i].wanted || c->items[i].met)
			continue;
		text_printf(reason, "%s%s is %s, expected %s", first ? "" : "; ", c->items[i].name,
			    c->items[i].received, c->items[i].expected);
		first = false;
	}
}

/* --- answers at hand --- */

const struct sbi_response *expect_answer_with(struct tc *t, const struct sbi_response *response,
					      const struct sbi_expectation *x)
{
	const struct sbi_exchange *exchange = response->exchange;
	struct conditions c = { .met = true };
	char buf[512];
	struct text reason;

	check_answer(t, &c, x, response);
	if (c.met)
		return response;
	if (x->unmet == OUTCOME_RETURN)
		return NULL;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: answer to %s: ", exchange->peer->name, exchange->what);
	say_unmet(&reason, &c);
	expect_because(&reason, x->why);
	detail(t, &c, x, response->message);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
	return NULL;
}

/* --- requests that come --- */

static size_t *looked_at(struct tc *t, struct sbi_server *server)
{
	struct sbi *sbi = sbi_of_case(t);

	for (size_t i = 0; i < sizeof(sbi->looked) / sizeof(sbi->looked[0]); i++) {
		if (!sbi->looked[i].server)
			sbi->looked[i].server = server;
		if (sbi->looked[i].server == server)
			return &sbi->looked[i].next;
	}
	tc_error(t, "too many servers are looked at");
}

struct search {
	struct sbi_server *server;
	const struct sbi_expectation *x;
	size_t next;
	const struct sbi_received *found;
};

static bool found(void *arg)
{
	struct search *s = arg;

	for (; s->next < sbi_server_received_count(s->server); s->next++) {
		const struct sbi_received *r = sbi_server_received(s->server, s->next);

		if (!r || !r->message || !sbi_octets_begin(r->path, s->x->path) ||
		    (s->x->method && !sbi_octets_are(r->method, s->x->method)))
			continue;
		s->found = r;
		s->next++;
		return true;
	}
	return false;
}

static void say_kind(struct text *reason, const struct sbi_expectation *x)
{
	text_printf(reason, "%s", x->method ? x->method : "request");
	if (x->path)
		text_printf(reason, " %s", x->path);
}

const struct sbi_received *expect_sbi_with(struct tc *t, struct sbi_server *server,
					   const struct sbi_expectation *x)
{
	size_t *next = looked_at(t, server);
	struct search s = { .server = server, .x = x, .next = *next };
	uint64_t within = x->within ? x->within : t->profile->response_time;
	struct conditions c = { .met = true };
	char buf[512];
	struct text reason;

	text_init(&reason, buf, sizeof(buf));
	if (!tc_wait_answer(t, sbi_server_name(server), "request", within, found, &s)) {
		text_printf(&reason, "%s: no ", sbi_server_root(server));
		say_kind(&reason, x);
		text_printf(&reason, " within %" PRIu64 " ms", within / US_PER_MS);
		expect_because(&reason, x->why);
		expect_end(t, x->silence, buf);
		return NULL;
	}
	*next = s.next;
	check_common(t, &c, x, s.found->message);
	if (c.met)
		return s.found;
	if (x->unmet == OUTCOME_RETURN)
		return NULL;
	text_printf(&reason, "%s: ", sbi_server_root(server));
	say_kind(&reason, x);
	text_puts(&reason, ": ");
	say_unmet(&reason, &c);
	expect_because(&reason, x->why);
	detail(t, &c, x, s.found->message);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
	return NULL;
}

void expect_no_sbi_with(struct tc *t, struct sbi_server *server, const struct sbi_expectation *x)
{
	size_t *next = looked_at(t, server);
	struct search s = { .server = server, .x = x, .next = *next };
	uint64_t within = x->within ? x->within : t->profile->response_time;
	struct conditions c = { .met = true };
	char buf[512];
	struct text reason;

	if (!tc_wait_shown(t, sbi_server_name(server), "silence", within, found, &s)) {
		*next = s.next;
		return;
	}
	*next = s.next;
	text_init(&reason, buf, sizeof(buf));
	text_printf(&reason, "%s: ", sbi_server_root(server));
	say_kind(&reason, x);
	text_puts(&reason, ", where none may come");
	expect_because(&reason, x->why);
	detail(t, &c, x, s.found->message);
	expect_end(t, expect_outcome(x->unmet, OUTCOME_VIOLATION), buf);
}

void forget_sbi(struct tc *t, struct sbi_server *server)
{
	*looked_at(t, server) = sbi_server_received_count(server);
}
