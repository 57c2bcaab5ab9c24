/*
 * The control action `operations`: what the adapter says is checked against what came, so that a
 * share is never judged on figures that do not fit together.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/control.h"
#include "runner/case/quiet.h"
#include "runner/emulation/sbi_private.h"

enum { FLOOD_FACTOR = 10, FLOOD_FREE = 1000 };

/* What is awaited the end of. */
struct campaign {
	const struct sbi *sbi;
	uint64_t before; /* requests that had come already */
	double offered;
};

static uint64_t requests(const struct sbi *sbi)
{
	uint64_t n = 0;

	for (const struct sbi_peer *peer = sbi->peers; peer; peer = peer->next)
		n += peer->server ? sbi_server_received_count(peer->server) : 0;
	return n;
}

static uint64_t came(const struct campaign *campaign)
{
	return requests(campaign->sbi) - campaign->before;
}

static bool is_flood(const struct campaign *campaign)
{
	return (double)came(campaign) > FLOOD_FACTOR * campaign->offered + FLOOD_FREE;
}

/* A flood has no end that would be worth waiting for: it is no longer what was asked for. */
static uint64_t activity(const void *arg)
{
	const struct campaign *campaign = arg;

	return is_flood(campaign) ? UINT64_MAX : came(campaign);
}

static void describe(const struct sbi_offered *o, double asked, char *buf, size_t size)
{
	struct text text;

	text_init(&text, buf, size);
	if (asked > 0)
		text_printf(&text, "asked for %.0f operations, ", asked);
	text_printf(&text,
		    "the adapter says that it offered %" PRIu64 ", and %" PRIu64 " requests came",
		    o->offered, o->sent);
	if (o->has_failed)
		text_printf(&text, "; it says that %" PRIu64 " failed", o->failed);
	if (o->has_redirected)
		text_printf(&text, " and %" PRIu64 " were redirected", o->redirected);
}

static uint64_t unsuccessful(const struct sbi_offered *o)
{
	uint64_t good = 0;

	for (unsigned int status = 200; status < 300; status++)
		if (status <= 204)
			good += sbi_counted(&o->count, .status = status);
	return o->sent - good;
}

/* The figures have to be possible, whatever the IUT does: otherwise nothing can be judged. */
static void check(struct tc *t, const struct sbi_offered *o, double asked, const char *action)
{
	uint64_t slack = o->offered / 50 > 2 ? o->offered / 50 : 2;
	char figures[320];

	describe(o, asked, figures, sizeof(figures));
	if (asked > 0 && o->offered != (uint64_t)asked)
		tc_error(t, "the control adapter does not do what it is asked for: \"%s\": %s",
			 action, figures);
	/* What is refused, or led elsewhere, may be tried again. */
	if (o->sent > o->offered + slack && unsuccessful(o) == 0)
		tc_error(t, "more came than was offered: \"%s\": %s", action, figures);
	if (o->has_failed && o->failed > o->offered)
		tc_error(t, "more failed than was offered: \"%s\": %s", action, figures);
	if (o->has_redirected && o->redirected > o->sent + slack)
		tc_error(t, "more was redirected than came: \"%s\": %s", action, figures);
}

static struct sbi_offered offer(struct tc *t, const char *arguments)
{
	struct sbi_offered o = { .offered = 0, .count = sbi_count_start(t) };
	struct control_words *words = tc_alloc(t, sizeof(*words));
	struct campaign campaign = { .sbi = sbi_of_case(t) };
	uint64_t began = loop_now(t->loop), lasts;
	char action[CONTROL_WORDS_MAX];
	const char *asked_word;
	double figure, asked;

	snprintf(action, sizeof(action), "operations %s", arguments);
	if (control_words_parse(words, action, NULL) != 0)
		tc_error(t, "no control action: \"%s\"", action);
	asked_word = control_words_value(words, "count");
	asked = asked_word ? strtod(asked_word, NULL) : 0;
	lasts = control_duration(words);
	campaign.before = requests(campaign.sbi);
	tc_control(t, "%s", action);
	if (!tc_control_figure(t, "offered", &figure) || figure < 0)
		tc_error(t,
			 "the control adapter does not say how many operations it offered: \"%s\" "
			 "answered %s",
			 action, tc_control_reply(t)[0] ? tc_control_reply(t) : "nothing");
	o.offered = (uint64_t)figure;
	o.has_failed = tc_control_figure(t, "failed", &figure) && figure >= 0;
	o.failed = o.has_failed ? (uint64_t)figure : 0;
	o.has_redirected = tc_control_figure(t, "redirected", &figure) && figure >= 0;
	o.redirected = o.has_redirected ? (uint64_t)figure : 0;
	/* An adapter may return before the last operation: its rate says when that is. */
	tc_timer_until(t, "tester", "load offered", began + lasts);
	campaign.offered = (double)o.offered;
	await_quiet(t, activity, &campaign, "operations");
	if (is_flood(&campaign))
		tc_fail(t,
			"the IUT floods the tester: %" PRIu64 " requests came for %" PRIu64
			" operations (\"%s\")",
			came(&campaign), o.offered, action);
	sbi_count_stop(&o.count);
	o.sent = sbi_counted(&o.count, .at = NULL);
	check(t, &o, asked, action);
	return o;
}

struct sbi_offered sbi_offer(struct tc *t, const char *format, ...)
{
	char arguments[CONTROL_WORDS_MAX - 16];
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	return offer(t, arguments);
}

struct sbi_offered sbi_offer_all_sent(struct tc *t, const char *format, ...)
{
	char arguments[CONTROL_WORDS_MAX - 16], figures[320];
	struct sbi_offered o;
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	o = offer(t, arguments);
	if (o.sent == o.offered)
		return o;
	describe(&o, 0, figures, sizeof(figures));
	tc_error(t,
		 "no overload is on, and yet not all that is offered comes: \"operations %s\": %s",
		 arguments, figures);
}

void sbi_offered_add(struct sbi_offered *sum, struct sbi_offered more)
{
	sum->offered += more.offered;
	sum->sent += more.sent;
	sum->has_failed |= more.has_failed;
	sum->failed += more.failed;
	sum->has_redirected |= more.has_redirected;
	sum->redirected += more.redirected;
	sum->count.t = more.count.t;
	sum->count.to = more.count.to;
}
