/*
 * Counting INITIAL UE MESSAGEs, and the control action `attempts`: what the adapter says is checked
 * against what came, so that a share is never judged on figures that do not fit together.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/control.h"
#include "runner/case/expect_nw.h"
#include "runner/case/quiet.h"
#include "runner/emulation/nw_private.h"

#define FIGURE_MAX 1e12 /* above any number of attempts */
struct nw_count *nw_count_start(struct tc *t)
{
	struct nw *nw = nw_of(t);
	struct nw_count *count = tc_alloc(t, sizeof(*count));

	*count = (struct nw_count){
		.nw = nw,
		.from = nw->initial_count,
		.to = SIZE_MAX,
		.uplinks_from = nw->uplinks,
	};
	return count;
}

void nw_count_stop(struct nw_count *count)
{
	count->to = count->nw->initial_count;
	count->uplinks_to = count->nw->uplinks;
}

static bool has_slice(const struct nw_initial *initial, const struct slice *slice)
{
	for (size_t i = 0; i < initial->nssai_count; i++)
		if (initial->nssai[i].sst == slice->sst &&
		    initial->nssai[i].has_sd == slice->has_sd &&
		    (!slice->has_sd || initial->nssai[i].sd == slice->sd))
			return true;
	return false;
}

static bool same_nssai(const struct nw_initial *initial, const struct nw_which *which)
{
	if (initial->nssai_count != which->nssai_count)
		return false;
	for (size_t i = 0; i < which->nssai_count; i++)
		if (!has_slice(initial, &which->nssai[i]))
			return false;
	return true;
}

static bool matches(const struct nw_initial *initial, const struct nw_which *which)
{
	return (!which->cause || initial->cause == which->cause) &&
	       (!which->at || initial->node->amf == which->at) &&
	       (!which->node || initial->node == which->node) &&
	       (!which->tnl || initial->tnl == which->tnl - 1) &&
	       (!which->nssai || same_nssai(initial, which)) &&
	       (!which->guami || (initial->has_amf && initial->set == which->guami->set &&
				  initial->pointer == which->guami->pointer)) &&
	       initial->time >= which->after;
}

uint64_t nw_counted_with(const struct nw_count *count, const struct nw_which *which)
{
	const struct nw *nw = count->nw;
	size_t to = count->to < nw->initial_count ? count->to : nw->initial_count;
	uint64_t n = 0;

	for (size_t i = count->from; i < to; i++)
		n += matches(&nw->initials[i], which);
	return n;
}

const struct ngap_received *nw_last_counted_with(const struct nw_count *count,
						 const struct nw_which *which)
{
	const struct nw *nw = count->nw;
	size_t to = count->to < nw->initial_count ? count->to : nw->initial_count;

	for (size_t i = to; i > count->from; i--)
		if (matches(&nw->initials[i - 1], which))
			return nw->initials[i - 1].message;
	return NULL;
}

uint64_t nw_counted_uplinks(const struct nw_count *count)
{
	uint64_t to = count->to == SIZE_MAX ? count->nw->uplinks : count->uplinks_to;

	return to - count->uplinks_from;
}

/* --- attempts --- */

enum { FLOOD_FACTOR = 10, FLOOD_FREE = 1000 };

/* What is awaited the end of. */
struct campaign {
	const struct nw_count *count;
	double asked;
};

static bool is_flood(const struct campaign *campaign)
{
	size_t came = campaign->count->nw->initial_count - campaign->count->from;

	return (double)came > FLOOD_FACTOR * campaign->asked + FLOOD_FREE;
}

/* A flood has no end that would be worth waiting for: it is no longer what was asked for. */
static uint64_t last_arrival(const void *arg)
{
	const struct campaign *campaign = arg;
	const struct nw *nw = campaign->count->nw;

	return is_flood(campaign) ? UINT64_MAX : nw->last_arrival;
}

static double number_of(const struct control_words *words, const char *key)
{
	const char *value = control_words_value(words, key);

	return value ? strtod(value, NULL) : 0;
}

static enum rrc_cause cause_of(const struct control_words *words)
{
	const char *value = control_words_value(words, "cause");

	for (int cause = RRC_EMERGENCY; value && cause <= RRC_MO_EXCEPTION_DATA; cause++)
		if (strcmp(rrc_cause_name((enum rrc_cause)cause), value) == 0)
			return (enum rrc_cause)cause;
	return RRC_DEFAULT;
}

/* Only what has been switched on here is switched off again. */
static void release_at_once(struct nw *nw, bool on, unsigned int *changed)
{
	unsigned int bit = 1;

	for (struct nw_amf *amf = nw->amfs; amf; amf = amf->next, bit <<= 1) {
		if (on && !(amf->behaviours & NW_RELEASE_AT_ONCE)) {
			amf->behaviours |= NW_RELEASE_AT_ONCE;
			*changed |= bit;
		} else if (!on && *changed & bit) {
			amf->behaviours &= ~(unsigned int)NW_RELEASE_AT_ONCE;
		}
	}
}

static void describe(const struct nw_attempts *a, double asked, char *buf, size_t size)
{
	struct text text;

	text_init(&text, buf, size);
	text_printf(&text,
		    "asked for %.0f attempts, the adapter says that it offered %" PRIu64
		    ", and %" PRIu64 " INITIAL UE MESSAGEs came",
		    asked, a->offered, a->sent);
	if (a->uplink)
		text_printf(&text, " and %" PRIu64 " UPLINK NAS TRANSPORTs", a->uplink);
	if (a->has_rejected)
		text_printf(&text, "; it says that %" PRIu64 " were rejected", a->rejected);
}

/* The figures have to be possible, whatever the IUT does: otherwise nothing can be judged. */
static void check(struct tc *t, const struct nw_attempts *a, double asked, bool resume,
		  const char *action)
{
	uint64_t slack = a->offered / 50 > 2 ? a->offered / 50 : 2;
	uint64_t came = a->sent + (resume ? a->uplink : 0);
	char figures[256];

	describe(a, asked, figures, sizeof(figures));
	if (asked > 0 && a->offered != (uint64_t)asked)
		tc_error(t, "the control adapter does not do what it is asked for: \"%s\": %s",
			 action, figures);
	if (a->sent > a->offered + slack)
		tc_error(t, "more came than was offered: \"%s\": %s", action, figures);
	if (a->has_rejected && a->rejected > a->offered)
		tc_error(t, "more was rejected than was offered: \"%s\": %s", action, figures);
	/* A resumed connection may well go on without any NAS. */
	if (a->has_rejected && !resume && came + a->rejected + slack < a->offered)
		tc_error(t,
			 "what the adapter says does not fit: sent and rejected together are not "
			 "what was offered: \"%s\": %s",
			 action, figures);
}

static struct nw_attempts attempt(struct tc *t, const char *arguments)
{
	struct nw *nw = nw_of(t);
	struct nw_attempts a = { .offered = 0 };
	struct nw_count *count = nw_count_start(t);
	uint64_t began = loop_now(t->loop), lasts = 0;
	char action[CONTROL_WORDS_MAX];
	struct control_words *words = tc_alloc(t, sizeof(*words));
	unsigned int changed = 0;
	double figure, asked;
	enum rrc_cause cause;
	const char *resume;
	struct campaign campaign;

	snprintf(action, sizeof(action), "attempts %s", arguments);
	if (control_words_parse(words, action, NULL) != 0)
		tc_error(t, "no control action: \"%s\"", action);
	asked = number_of(words, "count");
	cause = cause_of(words);
	resume = control_words_value(words, "resume");
	if (number_of(words, "rate") > 0)
		lasts = (uint64_t)(asked / number_of(words, "rate") * (double)US_PER_S);

	campaign = (struct campaign){ .count = count, .asked = asked };
	release_at_once(nw, true, &changed);
	tc_control(t, "%s", action);
	if (!tc_control_figure(t, "offered", &figure) || figure < 0 || figure > FIGURE_MAX)
		tc_error(t,
			 "the control adapter does not say how many attempts it offered: \"%s\" "
			 "answered %s",
			 action, tc_control_reply(t)[0] ? tc_control_reply(t) : "nothing");
	a.offered = (uint64_t)figure;
	a.has_rejected =
		tc_control_figure(t, "rejected", &figure) && figure >= 0 && figure <= FIGURE_MAX;
	a.rejected = a.has_rejected ? (uint64_t)figure : 0;
	a.has_wait_time = tc_control_figure(t, "wait-time", &a.wait_time);
	/* An adapter may return before the last attempt: the rate says when that is. */
	tc_timer_until(t, "tester", "load offered", began + lasts);
	await_quiet(t, last_arrival, &campaign, "attempts");
	if (is_flood(&campaign))
		tc_fail(t,
			"the IUT goes on sending: %zu INITIAL UE MESSAGEs, and %.0f attempts were "
			"asked for",
			nw->initial_count - count->from, asked);
	release_at_once(nw, false, &changed);
	nw_count_stop(count);
	a.count = count;
	a.sent = nw_counted(count);
	a.foreign = cause ? a.sent - nw_counted(count, .cause = cause) : 0;
	a.uplink = nw_counted_uplinks(count);
	check(t, &a, asked, resume && strcmp(resume, "yes") == 0, action);
	return a;
}

struct nw_attempts nw_attempts(struct tc *t, const char *format, ...)
{
	char arguments[CONTROL_WORDS_MAX - 16];
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	return attempt(t, arguments);
}

struct nw_attempts nw_attempts_all_sent(struct tc *t, const char *format, ...)
{
	char arguments[CONTROL_WORDS_MAX - 16], figures[256];
	struct nw_attempts a;
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	a = attempt(t, arguments);
	if (a.sent == a.offered && !a.rejected)
		return a;
	describe(&a, (double)a.offered, figures, sizeof(figures));
	tc_error(t, "no overload is on, and yet %s: \"attempts %s\": %s",
		 a.sent == a.offered ? "the adapter says that attempts were rejected"
				     : "not all attempts reach an AMF",
		 arguments, figures);
}

void nw_attempts_add(struct nw_attempts *sum, struct nw_attempts more)
{
	sum->offered += more.offered;
	sum->sent += more.sent;
	sum->uplink += more.uplink;
	sum->foreign += more.foreign;
	sum->has_rejected |= more.has_rejected;
	sum->rejected += more.rejected;
	if (more.has_wait_time) {
		sum->has_wait_time = true;
		sum->wait_time = more.wait_time;
	}
	sum->count = more.count;
}

/* --- a UE that stays --- */

/* What every UE at an AMF does without while one is being held. */
enum {
	UE_BEHAVIOURS = NW_IDENTIFY | NW_AUTHENTICATE | NW_ACCEPT_REGISTRATION | NW_ACCEPT_SERVICE |
			NW_SET_UP_CONTEXT | NW_RELEASE | NW_RELEASE_AT_ONCE,
};

static bool has_counted(void *arg)
{
	return nw_counted_with(arg, &(struct nw_which){ .unused_ = 0 }) > 0;
}

/* The first number of the list "ues" of an answer; 1 where there is none. */
static unsigned int first_ue(const char *reply)
{
	const char *list = strstr(reply, "\"ues\":[");
	unsigned long number = list ? strtoul(list + 7, NULL, 10) : 0;

	return number ? (unsigned int)number : 1;
}

struct nw_held nw_hold(struct tc *t, const struct slice *allowed, size_t count, const char *format,
		       ...)
{
	struct nw *nw = nw_of(t);
	unsigned int behaviours[PROFILE_LIST_MAX] = { 0 };
	struct nw_count *seen = nw_count_start(t);
	struct control_action *action;
	struct nw_connection *connection;
	char arguments[CONTROL_WORDS_MAX - 32];
	struct nw_held held = { .number = 1 };
	bool came;
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	for (struct nw_amf *amf = nw->amfs; amf; amf = amf->next) {
		behaviours[amf->number - 1] = amf->behaviours;
		amf->behaviours &= ~(unsigned int)UE_BEHAVIOURS;
	}
	/* The adapter may wait for an answer to the attempt: it is given one meanwhile. */
	action = tc_control_start(t, "attempts %s count=1", arguments);
	came = tc_wait(t, t->profile->response_time + t->profile->control_timeout, has_counted,
		       seen);
	if (came) {
		held.ue = nw_last_counted(seen)->nw_ue;
		held.ue->held = held.ue->keep_connected = true;
		connection = nw_connection_of(held.ue, ACCESS_3GPP, "a context setup");
		nw_judge_sending(nw, held.ue->name, "INITIAL CONTEXT SETUP REQUEST",
				 nw_context_setup(connection, OCTETS(NULL, 0), allowed, count,
						  NW_OPTIONS()));
		expect_ngap_of(t, held.ue, .type = NGAP_INITIAL_CONTEXT_SETUP_RESPONSE,
			       .otherwise = OUTCOME_INCONC, .silence = OUTCOME_INCONC);
	}
	tc_control_finish(t, action);
	if (!came)
		tc_error(t,
			 "one attempt is to come, and none does: \"attempts %s count=1\" answered "
			 "%s",
			 arguments, tc_control_reply(t));
	held.number = first_ue(tc_control_reply(t));
	for (struct nw_amf *amf = nw->amfs; amf; amf = amf->next)
		amf->behaviours = behaviours[amf->number - 1];
	nw_count_stop(seen);
	return held;
}
