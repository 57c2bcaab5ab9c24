/*
 * The control action `sessions`: what the adapter says is checked against what came, so that a
 * share is never judged on figures that do not fit together.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/control.h"
#include "runner/case/quiet.h"
#include "runner/emulation/upf_private.h"

static uint64_t requests(const void *arg)
{
	const struct n4 *n4 = arg;

	return n4->request_count;
}

static void describe(const struct upf_offered *o, double asked, char *buf, size_t size)
{
	struct text text;

	text_init(&text, buf, size);
	if (asked > 0)
		text_printf(&text, "asked for %.0f procedures, ", asked);
	text_printf(&text,
		    "the adapter says that it offered %" PRIu64 ", and %" PRIu64
		    " session requests came",
		    o->offered, o->sent);
	if (o->has_failed)
		text_printf(&text, "; it says that %" PRIu64 " failed", o->failed);
	if (o->has_redirected)
		text_printf(&text, " and %" PRIu64 " were redirected", o->redirected);
}

/* The figures have to be possible, whatever the IUT does: otherwise nothing can be judged. */
static void check(struct tc *t, const struct upf_offered *o, double asked, const char *action)
{
	uint64_t slack = o->offered / 50 > 2 ? o->offered / 50 : 2;
	char figures[320];

	describe(o, asked, figures, sizeof(figures));
	if (asked > 0 && o->offered != (uint64_t)asked)
		tc_error(t, "the control adapter does not do what it is asked for: \"%s\": %s",
			 action, figures);
	if (o->sent > o->offered + slack)
		tc_error(t, "more came than was offered: \"%s\": %s", action, figures);
	/* A procedure may be sent and fail then: both together can be more than was offered. */
	if (o->has_failed && o->failed > o->offered)
		tc_error(t, "more failed than was offered: \"%s\": %s", action, figures);
	if (o->has_redirected && o->redirected > o->sent + slack)
		tc_error(t, "more was redirected than came: \"%s\": %s", action, figures);
}

/* What a procedure begins with; 0: not known. */
static enum pfcp_message_type first_request(const struct control_words *words)
{
	static const struct {
		const char *op;
		enum pfcp_message_type type;
	} ops[] = {
		{ "establish", PFCP_SESSION_ESTABLISHMENT_REQUEST },
		{ "modify", PFCP_SESSION_MODIFICATION_REQUEST },
		{ "delete", PFCP_SESSION_DELETION_REQUEST },
	};
	const char *op = control_words_value(words, "op");

	for (size_t i = 0; op && i < sizeof(ops) / sizeof(*ops); i++)
		if (strcmp(ops[i].op, op) == 0)
			return ops[i].type;
	return (enum pfcp_message_type)0;
}

static struct upf_offered offer(struct tc *t, const char *arguments)
{
	struct n4 *n4 = n4_of_case(t);
	struct upf_offered o = { .offered = 0 };
	struct upf_count *count = upf_count_start(t);
	struct control_words *words = tc_alloc(t, sizeof(*words));
	uint64_t began = loop_now(t->loop), lasts;
	char action[CONTROL_WORDS_MAX];
	const char *asked_word;
	double figure, asked;

	snprintf(action, sizeof(action), "sessions %s", arguments);
	if (control_words_parse(words, action, NULL) != 0)
		tc_error(t, "no control action: \"%s\"", action);
	asked_word = control_words_value(words, "count");
	asked = asked_word ? strtod(asked_word, NULL) : 0;
	lasts = control_duration(words);

	n4->counting = true;
	tc_control(t, "%s", action);
	if (!tc_control_figure(t, "offered", &figure) || figure < 0)
		tc_error(t,
			 "the control adapter does not say how many procedures it offered: \"%s\" "
			 "answered %s",
			 action, tc_control_reply(t)[0] ? tc_control_reply(t) : "nothing");
	o.offered = (uint64_t)figure;
	o.has_failed = tc_control_figure(t, "failed", &figure) && figure >= 0;
	o.failed = o.has_failed ? (uint64_t)figure : 0;
	o.has_redirected = tc_control_figure(t, "redirected", &figure) && figure >= 0;
	o.redirected = o.has_redirected ? (uint64_t)figure : 0;
	/* An adapter may return before the last procedure: its rate says when that is. */
	tc_timer_until(t, "tester", "load offered", began + lasts);
	await_quiet(t, requests, n4, "procedures");
	n4->counting = false;
	upf_count_stop(count);
	o.count = count;
	o.sent = upf_counted(count, .type = first_request(words));
	check(t, &o, asked, action);
	return o;
}

struct upf_offered upf_offer(struct tc *t, const char *format, ...)
{
	char arguments[CONTROL_WORDS_MAX - 16];
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	return offer(t, arguments);
}

struct upf_offered upf_offer_all_sent(struct tc *t, const char *format, ...)
{
	char arguments[CONTROL_WORDS_MAX - 16], figures[320];
	struct upf_offered o;
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	o = offer(t, arguments);
	if (o.sent == o.offered)
		return o;
	describe(&o, 0, figures, sizeof(figures));
	tc_error(t, "no overload is on, and yet not all that is offered comes: \"sessions %s\": %s",
		 arguments, figures);
}

void upf_offered_add(struct upf_offered *sum, struct upf_offered more)
{
	sum->offered += more.offered;
	sum->sent += more.sent;
	sum->has_failed |= more.has_failed;
	sum->failed += more.failed;
	sum->has_redirected |= more.has_redirected;
	sum->redirected += more.redirected;
	sum->count = more.count;
}
