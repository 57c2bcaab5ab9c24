/*
 * Whole procedures of the IUT's UEs as preconditions: they succeed, or end the case with what went
 * wrong.
 */
#include <inttypes.h>

#include "runner/emulation/nw_private.h"

enum { STEPS = 4 }; /* answers of a UE in a registration, each with its response time */

struct awaited {
	struct nw_ue *ue;
	enum access access;
};

static bool registered_and_idle(void *arg)
{
	const struct awaited *a = arg;

	return a->ue->access[a->access].registered && !a->ue->access[a->access].connection;
}

static bool registered(void *arg)
{
	const struct awaited *a = arg;

	return a->ue->access[a->access].registered;
}

static bool served(void *arg)
{
	const struct awaited *a = arg;
	const struct nw_ue_access *access = &a->ue->access[a->access];

	return access->connection && !access->connection->releasing && access->secured &&
	       !access->request.waits;
}

static bool idle(void *arg)
{
	const struct awaited *a = arg;

	return !a->ue->access[a->access].connection;
}

static void forget(struct nw_ue *ue)
{
	queue_clear(&ue->nas);
	queue_clear(&ue->ngap);
}

static const char *access_word(enum access access)
{
	return access == ACCESS_NON_3GPP ? " access=non-3gpp" : "";
}

static void not_done(struct nw_ue *ue, const char *what, unsigned int requests_before,
		     uint64_t limit)
{
	struct tc *t = ue->nw->e->t;

	if (ue->requests == requests_before)
		tc_iut_dead(t, "%s: asked for %s, it sends no request within %" PRIu64 " ms",
			    ue->name, what, limit / US_PER_MS);
	tc_inconc(t, "%s: no %s within %" PRIu64 " ms; its last message was %s%s%s", ue->name, what,
		  limit / US_PER_MS, ue->last ? nas_message_name(ue->last->msg.type) : "none",
		  ue->discarded ? ", and the last of what was discarded: " : "",
		  ue->discarded ? ue->discard_reason : "");
}

void nw_registered_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct awaited awaited = { .ue = ue, .access = options->access };
	struct tc *t = ue->nw->e->t;
	uint64_t limit = STEPS * t->profile->response_time + NW_FOLLOW_ON_DELAY;
	unsigned int behaviours = ue->behaviours, requests = ue->requests;
	uint64_t rejects = ue->rejects;
	bool keep = ue->keep_connected;

	if (registered_and_idle(&awaited))
		return;
	ue->behaviours = ~0U;
	ue->rejects = 0;
	ue->keep_connected = false;
	/* An IUT may begin by itself: then it is not asked as well. */
	if (!(ue->access[options->access].connection && tc_wait(t, limit, registered, &awaited))) {
		tc_control(t, "ue-register ue=%u type=initial%s", ue->number,
			   access_word(options->access));
		if (!tc_wait(t, limit, registered, &awaited))
			not_done(ue, "registration", requests, limit);
	}
	if (!tc_wait(t, limit, registered_and_idle, &awaited))
		nw_idle_with(ue, options);
	ue->behaviours = behaviours;
	ue->rejects = rejects;
	ue->keep_connected = keep;
	forget(ue);
}

void nw_connected_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct awaited awaited = { .ue = ue, .access = options->access };
	struct tc *t = ue->nw->e->t;
	unsigned int behaviours = ue->behaviours, requests = ue->requests;
	uint64_t rejects = ue->rejects, limit = 2 * t->profile->response_time;

	nw_keep_connected(ue, true);
	if (!served(&awaited)) {
		ue->behaviours = ~0U;
		ue->rejects = 0;
		tc_control(t, "ue-service ue=%u kind=signalling%s", ue->number,
			   access_word(options->access));
		if (!tc_wait(t, limit, served, &awaited))
			not_done(ue, "signalling connection", requests, limit);
	}
	ue->behaviours = behaviours;
	ue->rejects = rejects;
	forget(ue);
}

void nw_idle_with(struct nw_ue *ue, const struct nw_options *options)
{
	struct awaited awaited = { .ue = ue, .access = options->access };
	struct nw_connection *connection = ue->access[options->access].connection;
	struct tc *t = ue->nw->e->t;

	ue->keep_connected = false;
	if (connection && !connection->releasing)
		nw_judge_sending(ue->nw, ue->name, "UE CONTEXT RELEASE COMMAND",
				 nw_release_command(connection, NULL));
	if (!tc_wait(t, t->profile->response_time, idle, &awaited))
		tc_iut_dead(t, "%s: no UE CONTEXT RELEASE COMPLETE within %" PRIu64 " ms", ue->name,
			    t->profile->response_time / US_PER_MS);
	forget(ue);
}
