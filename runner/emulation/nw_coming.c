/*
 * The coming of the IUT: asked for by the adapter, or of its own accord, and waited for until its
 * nodes are set up at every AMF that listens.
 */
#include <inttypes.h>
#include <stdio.h>

#include "runner/emulation/nw_private.h"

#define CONNECT_LIMIT (60 * US_PER_S) /* where the profile states none */
#define SETTLING      (100 * US_PER_MS)

static size_t associations_of(const struct nw_node *node)
{
	bool has[PROFILE_LIST_MAX] = { false };
	size_t count = 0;

	for (const struct nw_association *a = node->amf->associations; a; a = a->next) {
		if (a->node != node || !a->link || has[a->tnl])
			continue;
		has[a->tnl] = true;
		count++;
	}
	return count;
}

/* How far the best node of an AMF is: 0 nothing, 1 set up, 2 with all its associations. */
static int progress(const struct nw_amf *amf)
{
	int best = 0;

	for (const struct nw_node *node = amf->nodes; node; node = node->next) {
		int now = 0;

		if (amf->options.refuse_setup)
			now = node->setups > 0 ? 2 : 0;
		else if (node->set_up)
			now = !(amf->behaviours & NW_TELL_TNL_ASSOCIATIONS) ||
					      associations_of(node) >= amf->tnl_count
				      ? 2
				      : 1;
		best = now > best ? now : best;
	}
	return best;
}

static bool all_there(void *arg)
{
	const struct nw *nw = arg;

	for (const struct nw_amf *amf = nw->amfs; amf; amf = amf->next)
		if (amf->listening && progress(amf) < 2)
			return false;
	return true;
}

static void missing(struct nw *nw, const struct nw_amf *amf, uint64_t limit)
{
	struct tc *t = nw->e->t;
	uint64_t s = limit / US_PER_S;
	char address[80];
	struct text text;

	text_init(&text, address, sizeof(address));
	net_address_print(&amf->profile->address, &text);
	for (const struct nw_association *a = amf->associations; a; a = a->next)
		if (a->link && !a->node)
			tc_iut_dead(t,
				    "%s: the IUT has associated with %s but sent no NG SETUP "
				    "REQUEST within %" PRIu64 " s",
				    amf->name, address, s);
	for (const struct nw_node *node = amf->nodes; node; node = node->next)
		if (node->set_up)
			tc_na(t,
			      "%s: the IUT has set up %zu of %zu TNL associations within %" PRIu64
			      " s",
			      node->name, associations_of(node), amf->tnl_count, s);
	if (amf->associations && !t->iut_answered)
		tc_unreachable(t,
			       "%s: the IUT ends each association with %s before NG Setup, for "
			       "%" PRIu64 " s",
			       amf->name, address, s);
	if (t->iut_answered)
		tc_iut_dead(t, "%s: the IUT does not connect to %s within %" PRIu64 " s", amf->name,
			    address, s);
	tc_unreachable(t,
		       "%s: the IUT does not connect to %s over %s within connect-time, %" PRIu64
		       " s: is it running, and is that its AMF?",
		       amf->name, address, net_transport_name(net_transport(t->net)), s);
}

static uint64_t connect_limit(const struct tc *t)
{
	return t->profile->connect_time ? t->profile->connect_time : CONNECT_LIMIT;
}

static void await_iut(struct nw *nw)
{
	uint64_t limit = connect_limit(nw->e->t);

	nw->settling = true;
	if (!tc_wait(nw->e->t, limit, all_there, nw))
		for (const struct nw_amf *amf = nw->amfs; amf; amf = amf->next)
			if (amf->listening && progress(amf) < 2)
				missing(nw, amf, limit);
	/* The response is still on its way; an IUT that is asked for more now could not do it. */
	tc_sleep(nw->e->t, SETTLING);
	nw->settling = false;
}

void nw_iut_connects(struct tc *t)
{
	struct nw *nw = nw_of(t);

	if (!nw->amfs)
		tc_error(t, "no AMF is started that the IUT could connect to");
	/* What came before the restart is from the life before. */
	for (struct nw_amf *amf = nw->amfs; amf; amf = amf->next)
		nw_leave_all(amf, true);
	nw->settling = true;
	if (!tc_control_try(t, "restart") && !tc_control_try(t, "start"))
		tc_note(t,
			"the adapter has neither restart nor start: the IUT has connect-time, "
			"%" PRIu64 " s, to connect by itself",
			connect_limit(t) / US_PER_S);
	await_iut(nw);
}

void nw_iut_returns(struct tc *t)
{
	await_iut(nw_of(t));
}

static unsigned int setups_of(const struct nw *nw)
{
	unsigned int setups = 0;

	for (const struct nw_amf *amf = nw->amfs; amf; amf = amf->next)
		for (const struct nw_node *node = amf->nodes; node; node = node->next)
			setups += node->setups;
	return setups;
}

struct new_setup {
	const struct nw *nw;
	unsigned int before;
};

static bool has_set_up(void *arg)
{
	const struct new_setup *wanted = arg;

	return setups_of(wanted->nw) > wanted->before;
}

void nw_iut_sets_up(struct tc *t, const char *format, ...)
{
	struct nw *nw = nw_of(t);
	struct new_setup wanted = { .nw = nw, .before = setups_of(nw) };
	char words[256];
	va_list args;

	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	nw->settling = true;
	tc_control(t, "%s", words);
	if (!tc_wait(t, connect_limit(t), has_set_up, &wanted))
		tc_iut_dead(t, "no NG SETUP REQUEST within %" PRIu64 " s after \"%s\"",
			    connect_limit(t) / US_PER_S, words);
	await_iut(nw);
}

struct wanted_node {
	struct nw_amf *amf;
	enum node_kind kind;
	struct nw_node *found;
};

static bool node_is_there(void *arg)
{
	struct wanted_node *wanted = arg;

	for (struct nw_node *node = wanted->amf->nodes; node; node = node->next) {
		if (!node->set_up || node->kind != wanted->kind)
			continue;
		wanted->found = node;
		return true;
	}
	return false;
}

struct nw_node *nw_node(struct nw_amf *amf, enum node_kind kind)
{
	static const char *const kinds[] = { "gNB", "ng-eNB", "N3IWF" };
	struct wanted_node wanted = { .amf = amf, .kind = kind };
	struct tc *t = amf->nw->e->t;

	if (!tc_wait(t, connect_limit(t), node_is_there, &wanted))
		tc_na(t, "%s: the IUT has no %s that connects within %" PRIu64 " s", amf->name,
		      kinds[kind], connect_limit(t) / US_PER_S);
	return wanted.found;
}

struct nw_node *nw_node_at(const struct nw_amf *amf, size_t i)
{
	struct nw_node *node = amf->nodes;

	while (node && i--)
		node = node->next;
	return node;
}
