/*
 * The tester's AMFs: listeners, associations, and what is sent to the IUT's nodes. What arrives
 * from them is in nw_node.c and nw_connection.c, how they are waited for in nw_coming.c.
 */
#include "runner/emulation/nw_amf.h"

#include <errno.h>
#include <stdio.h>

#include "runner/emulation/nw_private.h"

struct nw *nw_of(struct tc *t)
{
	struct emulation *e = emulation_of(t);

	if (!e->nw) {
		e->nw = tc_alloc(t, sizeof(*e->nw));
		e->nw->e = e;
		random_init(&e->nw->random, t->seed, "network");
		e->nw->tmsi_base = (uint32_t)random_u64(&e->nw->random) | 0x10000000;
	}
	return e->nw;
}

/* --- associations --- */

static void forget_link(struct nw_association *association, bool abort)
{
	if (association->link)
		link_close(association->link, abort);
	association->link = NULL;
}

struct nw_association *nw_first_association(const struct nw_node *node)
{
	for (struct nw_association *a = node->amf->associations; a; a = a->next)
		if (a->node == node && a->link)
			return a;
	return NULL;
}

static void association_ended(struct nw_association *association)
{
	struct nw_node *node = association->node;

	forget_link(association, true);
	if (!node)
		return;
	nw_drop_connections(node, association);
	if (!nw_first_association(node))
		node->set_up = false;
}

static const char *whose(const struct nw_association *association)
{
	return association->node ? association->node->name : association->amf->name;
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	struct nw_association *association = arg;
	struct nw *nw = association->amf->nw;

	(void)link;
	association_ended(association);
	if (association->expected_down || nw->settling || nw->may_drop)
		return;
	if (reason == LINK_FAILED)
		emulation_end(nw->e, VERDICT_ERROR, "the association of %s broke at our own side",
			      whose(association));
	else
		emulation_end(nw->e, emulation_dead(nw->e),
			      "the IUT dropped the association of %s (%s)", whose(association),
			      link_down_reason_name(reason));
}

static void on_restart(struct link *link, void *arg)
{
	struct nw_association *association = arg;
	struct nw *nw = association->amf->nw;

	(void)link;
	if (association->node) {
		nw_drop_connections(association->node, association);
		association->node->set_up = false;
	}
	association->node = NULL; /* NG Setup is to come again */
	if (!association->expected_down && !nw->settling && !nw->may_drop)
		emulation_end(nw->e, emulation_dead(nw->e),
			      "the IUT restarted the association of %s", whose(association));
}

static void on_message(struct link *link, void *arg, const struct link_message *message)
{
	struct nw_association *association = arg;

	(void)link;
	nw_node_input(association, message);
}

static const struct link_handler handler = {
	.message = on_message,
	.down = on_down,
	.restart = on_restart,
};

struct listening {
	struct nw_amf *amf;
	size_t tnl;
};

static void on_accept(struct link *link, void *arg)
{
	const struct listening *at = arg;
	struct nw *nw = at->amf->nw;
	struct nw_association **last = &at->amf->associations;
	struct nw_association *association;

	if (nw->e->ended) {
		link_close(link, true);
		return;
	}
	if (++nw->association_count > NW_ASSOCIATIONS_MAX) {
		link_close(link, true);
		emulation_end(nw->e, VERDICT_FAIL,
			      "the IUT floods %s: more than %d associations in one case",
			      at->amf->name, NW_ASSOCIATIONS_MAX);
		return;
	}
	association = tc_alloc(nw->e->t, sizeof(*association));
	association->amf = at->amf;
	association->link = link;
	association->tnl = at->tnl;
	while (*last)
		last = &(*last)->next;
	*last = association;
	nw->came = loop_now(nw->e->t->loop);
	link_set_handler(link, &handler, association);
}

/* --- an AMF --- */

static void add_plmns(struct nw_amf *amf, const struct plmn *plmns, size_t count)
{
	for (size_t i = 0; i < count && amf->plmn_count < NW_PLMNS_MAX; i++)
		amf->plmns[amf->plmn_count++] = plmns[i];
}

static void choose_plmns(struct nw_amf *amf)
{
	const struct profile *profile = amf->nw->e->t->profile;

	if (amf->options.plmns) {
		add_plmns(amf, amf->options.plmns, amf->options.plmn_count);
		return;
	}
	add_plmns(amf, &profile->plmn, 1);
	add_plmns(amf, profile->equivalent_plmns, profile->equivalent_plmn_count);
	add_plmns(amf, profile->other_plmns, profile->other_plmn_count);
}

static int with_zero(int value, int preset)
{
	return value == NW_ZERO ? 0 : value ? value : preset;
}

static unsigned int choose_entry(struct nw *nw, const struct nw_amf_options *options)
{
	const struct profile *profile = nw->e->t->profile;

	if (options->entry > profile->amf_count)
		tc_na(nw->e->t, "the profile has %zu tester.amfs, and the case needs number %u",
		      profile->amf_count, options->entry);
	if (options->entry && nw->entries >> (options->entry - 1) & 1)
		tc_error(nw->e->t, "AMF %u is started already", options->entry);
	if (options->entry)
		return options->entry;
	for (unsigned int i = 0; i < profile->amf_count; i++)
		if (!(nw->entries >> i & 1) &&
		    (!options->several_tnl || profile->amfs[i].tnl_count > 1))
			return i + 1;
	if (options->several_tnl)
		tc_na(nw->e->t, "no (further) entry of tester.amfs has several TNL associations");
	tc_na(nw->e->t, "the profile has %zu tester.amfs, and the case needs more",
	      profile->amf_count);
}

static void choose_guamis(struct nw_amf *amf)
{
	const struct nw_amf_options *options = &amf->options;

	amf->guami = (struct nw_guami){
		.region = amf->profile->region,
		.set = (uint16_t)with_zero(options->set, amf->profile->set),
		.pointer = amf->profile->pointer,
	};
	amf->guami_count = 1 + options->more_guami_count;
	amf->guamis = tc_alloc(amf->nw->e->t, amf->guami_count * sizeof(*amf->guamis));
	amf->guamis[0] = amf->guami;
	for (size_t i = 0; i < options->more_guami_count; i++)
		amf->guamis[1 + i] = options->more_guamis[i];
}

static void open_listeners(struct nw_amf *amf)
{
	struct tc *t = amf->nw->e->t;
	char buf[256], address[80];
	struct text why, text;

	text_init(&why, buf, sizeof(buf));
	for (size_t i = 0; i < amf->tnl_count; i++) {
		struct listening *at = tc_alloc(t, sizeof(*at));

		*at = (struct listening){ .amf = amf, .tnl = i };
		amf->listeners[i] = net_listen(t->net, amf->name, &amf->profile->tnl_addresses[i],
					       on_accept, at, &why);
		if (amf->listeners[i])
			continue;
		text_init(&text, address, sizeof(address));
		net_address_print(&amf->profile->tnl_addresses[i], &text);
		tc_error(t, "%s cannot listen at %s: %s", amf->name, address, buf);
	}
	amf->listening = true;
}

struct nw_amf *nw_amf_start_with(struct tc *t, const struct nw_amf_options *options)
{
	struct nw *nw = nw_of(t);
	unsigned int entry = choose_entry(nw, options);
	struct nw_amf *amf = tc_alloc(t, sizeof(*amf));
	struct nw_amf **last = &nw->amfs;

	nw->entries |= 1U << (entry - 1);
	amf->nw = nw;
	amf->options = *options;
	amf->number = entry;
	amf->profile = &t->profile->amfs[entry - 1];
	snprintf(amf->name, sizeof(amf->name), "amf%u", ++nw->amf_count);
	if (options->name)
		snprintf(amf->name, sizeof(amf->name), "%s", options->name);
	choose_guamis(amf);
	choose_plmns(amf);
	amf->capacity = (uint8_t)with_zero(options->capacity, amf->profile->capacity);
	amf->tnl_count = amf->profile->tnl_count ? amf->profile->tnl_count : 1;
	memcpy(amf->weights, amf->profile->tnl, sizeof(amf->weights));
	amf->behaviours = ~(unsigned int)NW_RELEASE_AT_ONCE & ~options->without;
	while (*last)
		last = &(*last)->next;
	*last = amf;
	open_listeners(amf);
	return amf;
}

static void close_listeners(struct nw_amf *amf)
{
	for (size_t i = 0; i < amf->tnl_count; i++) {
		if (amf->listeners[i])
			net_listener_close(amf->listeners[i]);
		amf->listeners[i] = NULL;
	}
	amf->listening = false;
}

static void leave(struct nw_association *association, bool abort)
{
	association->expected_down = true;
	forget_link(association, abort);
	association_ended(association);
}

void nw_leave_all(struct nw_amf *amf, bool abort)
{
	for (struct nw_association *a = amf->associations; a; a = a->next)
		if (a->link)
			leave(a, abort);
}

void nw_amf_stop(struct nw_amf *amf)
{
	close_listeners(amf);
	nw_leave_all(amf, false);
}

void nw_amf_crash(struct nw_amf *amf)
{
	close_listeners(amf);
	nw_leave_all(amf, true);
}

void nw_amf_resume(struct nw_amf *amf)
{
	if (!amf->listening)
		open_listeners(amf);
}

static void leave_node(struct nw_node *node, bool abort)
{
	for (struct nw_association *a = node->amf->associations; a; a = a->next)
		if (a->node == node && a->link)
			leave(a, abort);
	queue_clear(&node->inbox);
}

void nw_disconnect(struct nw_node *node)
{
	leave_node(node, false);
}

void nw_abort(struct nw_node *node)
{
	leave_node(node, true);
}

void nw_may_drop(struct tc *t)
{
	nw_of(t)->may_drop = true;
}

void nw_amf_without(struct nw_amf *amf, unsigned int behaviours)
{
	amf->behaviours &= ~behaviours;
}

void nw_amf_with(struct nw_amf *amf, unsigned int behaviours)
{
	amf->behaviours |= behaviours;
}

void nw_harmless(struct nw_node *node, enum ngap_message type)
{
	set_bit(node->harmless, type);
}

void nw_amf_bend(struct nw_amf *amf, ngap_alter_fn *alter, void *arg)
{
	amf->bend = alter;
	amf->bend_arg = arg;
}

void nw_amf_rejects(struct nw_amf *amf, uint64_t types, const struct nw_options *options)
{
	amf->rejects = options ? types : 0;
	if (options)
		amf->reject = *options;
}

/* --- sending --- */

int nw_transmit(struct nw_association *association, uint16_t stream, const struct ngap_pdu *pdu)
{
	struct nw_amf *amf = association->amf;
	uint8_t *out = amf->nw->e->out;
	struct ngap_pdu bent = *pdu;
	ssize_t len;

	if (amf->bend)
		amf->bend(&bent, amf->bend_arg);
	len = ngap_encode(&bent, out, MESSAGE_MAX);
	if (len < 0)
		return len == -ENOTCONN ? -EINVAL : (int)len;
	if (!association->link)
		return -ENOTCONN;
	return link_send(association->link, stream, NGAP_PPID, OCTETS(out, (size_t)len));
}

void nw_reply(struct nw_association *association, uint16_t stream, const struct ngap_pdu *pdu)
{
	int error = nw_transmit(association, stream, pdu);

	/* An association that goes away in this moment is reported by the link itself. */
	if (error < 0 && error != -ENOTCONN)
		emulation_end(association->amf->nw->e, VERDICT_ERROR, "%s: cannot send %s: %s",
			      whose(association), ngap_message_name(pdu->message),
			      strerror(-error));
}

void nw_judge_sending(struct nw *nw, const char *to, const char *what, int error)
{
	struct tc *t = nw->e->t;

	if (error >= 0)
		return;
	if (error == -ENOTCONN)
		tc_iut_dead(t, "%s has no association any more for %s", to, what);
	tc_error(t, "%s: cannot send %s: %s", to, what, strerror(-error));
}

struct ngap_pdu *nw_message(struct tc *t, enum ngap_message message)
{
	struct ngap_pdu *pdu = tc_alloc(t, sizeof(*pdu));

	ngap_pdu_init(pdu, message, emulation_arena(t, 2 * NGAP_ARENA_SIZE));
	return pdu;
}

void nw_send(struct nw_node *node, const struct ngap_pdu *pdu)
{
	struct nw_association *association = nw_first_association(node);
	const char *name = ngap_message_name(pdu->message);

	node->last_sent = name;
	nw_judge_sending(node->nw, node->name, name,
			 association ? nw_transmit(association, 0, pdu) : -ENOTCONN);
}

void nw_send_raw(struct nw_node *node, uint16_t stream, uint32_t ppid, struct octets data)
{
	const struct nw_association *association = nw_first_association(node);

	node->last_sent = "octets";
	nw_judge_sending(node->nw, node->name, "octets",
			 association ? link_send(association->link, stream, ppid, data)
				     : -ENOTCONN);
}

void nw_error_indication(struct nw_node *node, enum ngap_cause_protocol cause, int procedure_code)
{
	struct ngap_pdu pdu = ngap_build(node->nw->e, NGAP_ERROR_INDICATION);
	struct ngap_cause value = { .choice = NGAP_CAUSE_CHOICE_PROTOCOL, .protocol = cause };
	struct ngap_criticality_diagnostics diagnostics = { .procedure_code = NULL };
	int64_t code = procedure_code;

	ngap_add(&pdu, NGAP_ID_CAUSE, &value);
	if (procedure_code >= 0) {
		diagnostics.procedure_code = &code;
		ngap_add(&pdu, NGAP_ID_CRITICALITY_DIAGNOSTICS, &diagnostics);
	}
	nw_send(node, &pdu);
}

void nw_reset(struct nw_node *node)
{
	struct ngap_pdu pdu = ngap_build(node->nw->e, NGAP_NG_RESET);
	struct ngap_cause cause = { .choice = NGAP_CAUSE_CHOICE_MISC,
				    .misc = NGAP_CAUSE_MISC_OM_INTERVENTION };
	struct ngap_reset_type type = { .choice = NGAP_RESET_TYPE_CHOICE_NG_INTERFACE,
					.ng_interface = NGAP_RESET_ALL_RESET_ALL };

	ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	ngap_add(&pdu, NGAP_ID_RESET_TYPE, &type);
	nw_drop_connections(node, NULL);
	nw_send(node, &pdu);
}

/* --- what it is --- */

struct tc *nw_node_tc(const struct nw_node *node)
{
	return node->nw->e->t;
}

const char *nw_amf_name(const struct nw_amf *amf)
{
	return amf->name;
}

const char *nw_node_name(const struct nw_node *node)
{
	return node->name;
}

struct nw_amf *nw_node_amf(const struct nw_node *node)
{
	return node->amf;
}

enum node_kind nw_node_kind(const struct nw_node *node)
{
	return node->kind;
}

bool nw_node_up(const struct nw_node *node)
{
	return node->set_up && nw_first_association(node);
}

const struct ngap_received *nw_node_setup(const struct nw_node *node)
{
	return node->setup;
}

unsigned int nw_node_setups(const struct nw_node *node)
{
	return node->setups;
}

struct nw_guami nw_amf_guami(const struct nw_amf *amf)
{
	return amf->guami;
}

void nw_guami_hex(const struct nw_guami *guami, char hex[8])
{
	snprintf(hex, 8, "%02X%04X", guami->region,
		 (unsigned int)(guami->set << 6 | guami->pointer) & 0xffff);
}

unsigned int nw_amf_number(const struct nw_amf *amf)
{
	return amf->number;
}

size_t nw_tnl_count(const struct nw_amf *amf)
{
	return amf->tnl_count;
}

size_t nw_tnl_of(const struct ngap_received *m)
{
	return m->tnl;
}
