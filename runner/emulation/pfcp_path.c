/*
 * PFCP over UDP for the tester's entities: what is sent and repeated, and what arrives. Repetitions
 * of the IUT get the response that the first one got, octet by octet, without anything being done
 * again (TS 29.244 6.4).
 */
#include "runner/emulation/pfcp_path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "codecs/pfcp/pfcp_print.h"
#include "runner/emulation/pfcp_private.h"

struct n4 *n4_of_case(struct tc *t)
{
	struct emulation *e = emulation_of(t);

	if (!e->n4) {
		e->n4 = tc_alloc(t, sizeof(*e->n4));
		e->n4->e = e;
		e->n4->out = tc_alloc(t, PFCP_MESSAGE_MAX);
		arena_init(&e->n4->arena, tc_alloc(t, BUILD_MAX), BUILD_MAX);
		random_init(&e->n4->random, t->seed, "n4");
	}
	return e->n4;
}

bool pfcp_same_host(const struct net_address *a, const struct net_address *b)
{
	if (a->sa.sa_family != b->sa.sa_family)
		return false;
	if (a->sa.sa_family == AF_INET)
		return a->v4.sin_addr.s_addr == b->v4.sin_addr.s_addr;
	return memcmp(&a->v6.sin6_addr, &b->v6.sin6_addr, sizeof(a->v6.sin6_addr)) == 0;
}

static bool same_end(const struct net_address *a, const struct net_address *b)
{
	return pfcp_same_host(a, b) &&
	       (a->sa.sa_family == AF_INET ? a->v4.sin_port == b->v4.sin_port
					   : a->v6.sin6_port == b->v6.sin6_port);
}

/* --- ports ------------------------------------------------------------------------------------ */

static void on_datagram(struct datagram_port *port, void *arg, const struct net_address *peer,
			struct octets data);
static void on_unreachable(struct datagram_port *port, void *arg, const struct net_address *peer);

static const struct datagram_handler handler = {
	.received = on_datagram,
	.unreachable = on_unreachable,
};

static void open_port(struct pfcp_end *end, struct tc *t, const struct net_address *address)
{
	struct pfcp_port *port = &end->ports[end->port_count];
	char buf[256], name[32];
	struct text why;

	*port = (struct pfcp_port){ .end = end, .number = end->port_count };
	text_init(&why, buf, sizeof(buf));
	if (end->port_count)
		snprintf(name, sizeof(name), "%s/%u", end->name, end->port_count + 1);
	else
		snprintf(name, sizeof(name), "%s", end->name);
	port->port = net_datagram_open(t->net, name, address, &handler, port, &why);
	if (!port->port)
		tc_error(t, "%s cannot be opened: %s", name, buf);
	end->port_count++;
}

static void set_node_id(struct pfcp_end *end)
{
	const struct net_address *address = datagram_local(end->ports[0].port);

	if (address->sa.sa_family == AF_INET6) {
		end->node_id.type = PFCP_NODE_ID_IPV6;
		memcpy(end->node_id.address, &address->v6.sin6_addr, 16);
	} else {
		end->node_id.type = PFCP_NODE_ID_IPV4;
		memcpy(end->node_id.address, &address->v4.sin_addr, 4);
	}
}

void pfcp_end_open(struct pfcp_end *end, struct tc *t, enum pfcp_end_kind kind, unsigned int entry,
		   unsigned int addresses)
{
	struct n4 *n4 = n4_of_case(t);
	struct pfcp_end **last = &n4->ends;

	end->n4 = n4;
	end->kind = kind;
	snprintf(end->name, sizeof(end->name), "%s%u", kind == PFCP_END_CP ? "smf" : "upf",
		 ++n4->ends_made[kind]);
	end->repeats = tc_alloc(t, PFCP_REPEATS_KEPT * sizeof(*end->repeats));
	/* Neither is to look like that of the case before. */
	end->sequence_number = (uint32_t)random_below(&n4->random, 0x1000000);
	end->recovery = UINT32_C(3900000000) + (uint32_t)random_below(&n4->random, 0x1000000);
	for (size_t i = entry ? entry - 1 : 0;
	     end->port_count < addresses && i < t->profile->n4_count; i++) {
		if (n4->taken[i])
			continue;
		n4->taken[i] = true;
		open_port(end, t, &t->profile->n4[i]);
		if (!end->entry)
			end->entry = (unsigned int)i + 1;
	}
	if (end->port_count < addresses)
		tc_na(t, "tester.n4 has too few addresses: %zu", t->profile->n4_count);
	set_node_id(end);
	while (*last)
		last = &(*last)->next;
	*last = end;
}

/* --- sending ---------------------------------------------------------------------------------- */

struct pfcp_message pfcp_build(struct pfcp_end *end, enum pfcp_message_type type, uint64_t seid)
{
	struct pfcp_message msg;

	arena_reset(&end->n4->arena);
	pfcp_init(&msg, type, &end->n4->arena);
	if (msg.has_seid)
		msg.seid = seid;
	return msg;
}

struct pfcp_message *pfcp_new(struct tc *t, enum pfcp_message_type type)
{
	struct pfcp_message *msg = tc_alloc(t, sizeof(*msg));

	pfcp_init(msg, type, emulation_arena(t, PFCP_ARENA_SIZE));
	return msg;
}

void pfcp_add_node(struct pfcp_message *msg, const struct pfcp_end *end)
{
	pfcp_add_node_id(msg, NULL, &end->node_id);
}

void pfcp_add_recovery(struct pfcp_message *msg, const struct pfcp_end *end)
{
	pfcp_add_u32(msg, NULL, PFCP_IE_RECOVERY_TIME_STAMP, end->recovery);
}

void pfcp_f_seid_at(struct pfcp_f_seid *f_seid, uint64_t seid, const struct net_address *address)
{
	*f_seid = (struct pfcp_f_seid){ .seid = seid };
	if (address->sa.sa_family == AF_INET6) {
		f_seid->has_ipv6 = true;
		memcpy(f_seid->ipv6, &address->v6.sin6_addr, 16);
	} else {
		f_seid->has_ipv4 = true;
		memcpy(f_seid->ipv4, &address->v4.sin_addr, 4);
	}
}

bool pfcp_f_seid_address(const struct pfcp_f_seid *f_seid, const struct profile *profile,
			 struct net_address *address)
{
	*address = profile->iut_n4;
	if (address->sa.sa_family == AF_INET6 && f_seid->has_ipv6)
		memcpy(&address->v6.sin6_addr, f_seid->ipv6, 16);
	else if (address->sa.sa_family == AF_INET && f_seid->has_ipv4)
		memcpy(&address->v4.sin_addr, f_seid->ipv4, 4);
	else
		return false;
	return true;
}

/* Octets of the message in n4->out; negative: the case was ended. */
static int encode(struct pfcp_end *end, struct pfcp_message *msg)
{
	struct text text;
	int len;

	if (end->alter)
		end->alter(msg, end->alter_arg);
	len = pfcp_encode(msg, end->n4->out, PFCP_MESSAGE_MAX);
	if (len < 0) {
		emulation_end(end->n4->e, VERDICT_ERROR, "%s: %s cannot be encoded: %s", end->name,
			      pfcp_message_name(msg->type), strerror(-len));
		return len;
	}
	text_init(&text, end->last_sent, sizeof(end->last_sent));
	pfcp_print_line(&text, msg);
	return len;
}

static void transmit(struct pfcp_end *end, unsigned int address, const struct net_address *to,
		     struct octets octets)
{
	int err = datagram_send(end->ports[address].port, to, octets);

	if (err)
		emulation_end(end->n4->e, VERDICT_ERROR, "%s: nothing can be sent: %s", end->name,
			      strerror(-err));
}

void pfcp_send_raw(struct pfcp_end *end, unsigned int address, const struct net_address *to,
		   struct octets octets)
{
	transmit(end, address, to, octets);
}

/* An IUT numbers its requests one by one: a slot is taken again after PFCP_REPEATS_KEPT more. */
static struct pfcp_repeat *slot_of(struct pfcp_end *end, const struct pfcp_message *msg)
{
	return &end->repeats[msg->sequence_number % PFCP_REPEATS_KEPT];
}

static struct pfcp_repeat *repeat_of(struct pfcp_end *end, const struct pfcp_received *m)
{
	struct pfcp_repeat *r = slot_of(end, &m->msg);

	return r->used && r->sequence_number == m->msg.sequence_number && r->type == m->msg.type &&
			       same_end(&r->peer, &m->peer)
		       ? r
		       : NULL;
}

void pfcp_answer(struct pfcp_end *end, const struct pfcp_received *request,
		 struct pfcp_message *response)
{
	struct pfcp_repeat *repeat = repeat_of(end, request);
	int len;

	response->sequence_number = request->msg.sequence_number;
	if (response->has_seid && request->msg.has_priority) {
		response->has_priority = true;
		response->priority = request->msg.priority;
	}
	len = encode(end, response);
	if (len < 0)
		return;
	if (repeat && len <= PFCP_RESPONSE_KEPT) {
		memcpy(repeat->response, end->n4->out, (size_t)len);
		repeat->len = (size_t)len;
	}
	transmit(end, request->address, &request->peer, OCTETS(end->n4->out, (size_t)len));
}

void pfcp_answer_heartbeat(struct pfcp_end *end, const struct pfcp_received *m)
{
	struct pfcp_message msg = pfcp_build(end, PFCP_HEARTBEAT_RESPONSE, 0);

	pfcp_add_recovery(&msg, end);
	pfcp_answer(end, m, &msg);
}

static void repeat_request(struct timer *timer, void *arg)
{
	struct pfcp_exchange *exchange = arg;

	(void)timer;
	if (exchange->over || exchange->response || exchange->end->n4->e->ended)
		return;
	if (exchange->left == 0)
		return;
	exchange->left--;
	exchange->sent_at = loop_now(exchange->t1.loop);
	timer_start(&exchange->t1, PFCP_T1);
	transmit(exchange->end, exchange->address, &exchange->to, exchange->octets);
}

struct pfcp_exchange *pfcp_begin(struct pfcp_end *end, unsigned int address,
				 const struct net_address *to, struct pfcp_message *msg,
				 uint64_t seid)
{
	struct emulation *e = end->n4->e;
	struct pfcp_exchange *exchange;
	uint8_t *copy;
	int len;

	if (end->exchange_count == PFCP_EXCHANGES_MAX) {
		emulation_end(e, VERDICT_ERROR, "%s: more than %d requests in a case", end->name,
			      PFCP_EXCHANGES_MAX);
		return NULL;
	}
	msg->sequence_number = end->sequence_number;
	end->sequence_number = (end->sequence_number + 1) & 0xffffff;
	len = encode(end, msg);
	if (len < 0)
		return NULL;
	exchange = tc_alloc(e->t, sizeof(*exchange) + (size_t)len);
	copy = (uint8_t *)(exchange + 1);
	memcpy(copy, end->n4->out, (size_t)len);
	*exchange = (struct pfcp_exchange){
		.next = end->exchanges,
		.end = end,
		.address = address,
		.to = *to,
		.sequence_number = msg->sequence_number,
		.type = msg->type,
		.seid = seid,
		.left = PFCP_N1,
		.sent_at = loop_now(e->t->loop),
		.octets = OCTETS(copy, (size_t)len),
	};
	end->exchanges = exchange;
	end->exchange_count++;
	timer_init(&exchange->t1, e->t->loop, "T1", repeat_request, exchange);
	timer_start(&exchange->t1, PFCP_T1);
	transmit(end, address, to, exchange->octets);
	return exchange;
}

struct pfcp_exchange *pfcp_begin_or_end(struct pfcp_end *end, unsigned int address,
					const struct net_address *to, struct pfcp_message *msg,
					uint64_t seid)
{
	struct tc *t = end->n4->e->t;
	struct pfcp_exchange *exchange = pfcp_begin(end, address, to, msg, seid);

	if (exchange)
		return exchange;
	tc_sleep(t, 0); /* takes the verdict that was kept */
	tc_error(t, "%s: nothing can be sent", end->name);
}

struct pfcp_exchange *pfcp_request(struct pfcp_end *end, unsigned int address,
				   const struct net_address *to, struct pfcp_message *msg)
{
	return pfcp_begin_or_end(end, address, to, msg, 0);
}

static bool answered(void *arg)
{
	const struct pfcp_exchange *exchange = arg;

	return exchange->response != NULL;
}

const struct pfcp_received *pfcp_finish_try(struct pfcp_exchange *exchange)
{
	struct tc *t = exchange->end->n4->e->t;

	if (!exchange->over)
		tc_wait(t, PFCP_N1 * PFCP_T1 + t->profile->response_time, answered, exchange);
	if (!exchange->response)
		pfcp_give_up(exchange);
	return exchange->response;
}

const struct pfcp_received *pfcp_finish(struct pfcp_exchange *exchange)
{
	const struct pfcp_received *response = pfcp_finish_try(exchange);
	char buf[128];
	struct tc *t = exchange->end->n4->e->t;
	struct text to;

	if (response)
		return response;
	text_init(&to, buf, sizeof(buf));
	net_address_print(&exchange->to, &to);
	if (!t->iut_answered)
		tc_unreachable(t, "%s: no answer from %s to %s, sent %d times", exchange->end->name,
			       buf, pfcp_message_name(exchange->type), PFCP_N1 + 1);
	tc_iut_dead(t, "%s: no answer from %s to %s, sent %d times; the last message sent was %s",
		    exchange->end->name, buf, pfcp_message_name(exchange->type), PFCP_N1 + 1,
		    exchange->end->last_sent);
}

const struct pfcp_received *pfcp_response(const struct pfcp_exchange *exchange)
{
	return exchange ? exchange->response : NULL;
}

void pfcp_give_up(struct pfcp_exchange *exchange)
{
	timer_stop(&exchange->t1);
	exchange->over = true;
}

struct octets pfcp_sent_octets(const struct pfcp_exchange *exchange)
{
	return exchange->octets;
}

/* --- what arrives ----------------------------------------------------------------------------- */

static bool is_ignored(const struct pfcp_end *end, uint8_t type)
{
	return end->ignored[type / 32] >> (type % 32) & 1;
}

/* An address that the IUT may send from. */
static bool from_iut(const struct pfcp_end *end, const struct net_address *peer)
{
	const struct profile *profile = end->n4->e->t->profile;

	if (pfcp_same_host(&profile->iut_n4, peer))
		return true;
	for (size_t i = 0; i < profile->iut_n4_f_seid_count; i++)
		if (pfcp_same_host(&profile->iut_n4_f_seid[i], peer))
			return true;
	for (const struct pfcp_exchange *x = end->exchanges; x; x = x->next)
		if (pfcp_same_host(&x->to, peer))
			return true;
	return false;
}

static void pass_over(struct pfcp_end *end, const struct pfcp_message *msg, const char *why)
{
	char buf[200];
	struct text line;

	if (end->passed++ >= PFCP_PASSED_NOTED)
		return;
	text_init(&line, buf, sizeof(buf));
	pfcp_print_line(&line, msg);
	record_log(end->n4->e->t->record, RECORD_INFO, "%s: passed over: %s: %s", end->name, why,
		   buf);
}

static bool inbox_push(struct pfcp_end *end, const struct pfcp_received *m, bool skippable)
{
	struct emulation *e = end->n4->e;
	struct pfcp_entry *entry;

	for (entry = end->first; end->waiting >= PFCP_INBOX_MAX && entry;) {
		struct pfcp_entry *next = entry->next;

		if (entry->skippable)
			pfcp_inbox_remove(end, entry);
		entry = next;
	}
	if (end->waiting >= PFCP_INBOX_MAX) {
		emulation_end(e, VERDICT_FAIL,
			      "%s: the IUT floods the tester: more than %d messages wait",
			      end->name, PFCP_INBOX_MAX);
		return false;
	}
	entry = tc_alloc(e->t, sizeof(*entry));
	*entry = (struct pfcp_entry){ .m = m, .skippable = skippable };
	if (end->last)
		end->last->next = entry;
	else
		end->first = entry;
	end->last = entry;
	end->waiting++;
	return true;
}

void pfcp_inbox_remove(struct pfcp_end *end, const struct pfcp_entry *entry)
{
	struct pfcp_entry *previous = NULL;

	for (struct pfcp_entry *e = end->first; e; previous = e, e = e->next) {
		if (e != entry)
			continue;
		if (previous)
			previous->next = e->next;
		else
			end->first = e->next;
		if (end->last == e)
			end->last = previous;
		end->waiting--;
		return;
	}
}

/* A request of ours with this number whose response may still come. */
static struct pfcp_exchange *exchange_of(struct pfcp_end *end, const struct pfcp_message *msg)
{
	for (struct pfcp_exchange *x = end->exchanges; x; x = x->next)
		if (x->sequence_number == msg->sequence_number &&
		    (msg->type == PFCP_VERSION_NOT_SUPPORTED_RESPONSE ||
		     pfcp_response_type(x->type) == msg->type))
			return x;
	return NULL;
}

static void response(struct pfcp_port *port, struct pfcp_received *m)
{
	struct pfcp_end *end = port->end;
	struct pfcp_exchange *x = exchange_of(end, &m->msg);
	int cause = pfcp_cause(&m->msg);
	char expected[80], received[80];
	struct text text;

	if (!x || x->response || x->over) {
		pass_over(end, &m->msg,
			  x ? "a response that came again or too late"
			    : "a response to nothing that was asked");
		return;
	}
	if (!same_end(&x->to, &m->peer) || x->address != port->number) {
		text_init(&text, expected, sizeof(expected));
		net_address_print(&x->to, &text);
		text_init(&text, received, sizeof(received));
		net_address_print(&m->peer, &text);
		emulation_end(end->n4->e, VERDICT_FAIL,
			      "%s: %s came from %s%s, and its request went to %s", end->name,
			      pfcp_message_name(m->msg.type), received,
			      x->address != port->number
				      ? " to another address than it was sent from"
				      : "",
			      expected);
		return;
	}
	/* A rejection may have no session to name (7.2.2.4.2). */
	if (x->seid && m->msg.has_seid && m->msg.seid != x->seid &&
	    (m->msg.seid != 0 || pfcp_cause_accepts(cause))) {
		emulation_end(end->n4->e, VERDICT_FAIL,
			      "%s: %s has SEID %" PRIx64 ", and ours is %" PRIx64, end->name,
			      pfcp_message_name(m->msg.type), m->msg.seid, x->seid);
		return;
	}
	timer_stop(&x->t1);
	x->response = m;
}

/* While requests are counted, they are not kept. */
static void request(struct pfcp_end *end, struct pfcp_received *m, bool kept)
{
	struct pfcp_repeat *repeat = repeat_of(end, m);
	bool skippable = false;

	if (repeat) {
		m->repeats = repeat->m ? repeat->m : m;
		if (repeat->len)
			transmit(end, m->address, &m->peer, OCTETS(repeat->response, repeat->len));
		if (kept)
			inbox_push(end, m, true);
		return;
	}
	*slot_of(end, &m->msg) = (struct pfcp_repeat){
		.used = true,
		.peer = m->peer,
		.sequence_number = m->msg.sequence_number,
		.type = m->msg.type,
		.m = kept ? m : NULL,
	};
	if (end->ops->arrived)
		end->ops->arrived(end, m);
	if (!is_ignored(end, m->msg.type))
		skippable = end->ops->request(end, m);
	if (kept)
		inbox_push(end, m, skippable);
}

static struct octets first_message(struct octets data, const struct pfcp_message *msg)
{
	if (msg->follow_on && msg->following.len <= data.len)
		data.len -= msg->following.len;
	return data;
}

/* One message of a datagram. Returns the rest of it, behind FO. */
static struct octets one_message(struct pfcp_port *port, const struct net_address *peer,
				 struct octets data)
{
	struct pfcp_end *end = port->end;
	struct emulation *e = end->n4->e;
	struct octets none = OCTETS(NULL, 0), rest;
	const struct pfcp_message_info *info;
	struct pfcp_received *m, seen = {
		.time = loop_now(e->t->loop), .end = end, .address = port->number, .peer = *peer
	};
	char buf[160];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	if (!received_pfcp_scan(e, data, &seen, &why)) {
		emulation_end(e, VERDICT_FAIL,
			      "%s: octets that are no PFCP message: %s; the last message sent was "
			      "%s",
			      end->name, buf, end->last_sent[0] ? end->last_sent : "nothing");
		return none;
	}
	rest = seen.msg.follow_on ? seen.msg.following : none;
	e->t->iut_answered = true;
	end->last_arrival = seen.time ? seen.time : 1;
	info = pfcp_message_info(seen.msg.type);
	if (!info) {
		emulation_end(e, VERDICT_FAIL, "%s: message type %u, which is unknown", end->name,
			      seen.msg.type);
		return none;
	}
	if (seen.msg.has_seid)
		seen.session = end->ops->session(end, seen.msg.seid);
	if (info->kind == PFCP_REQUEST && end->n4->counting) {
		request(end, &seen, false);
		return rest;
	}
	m = received_pfcp_keep(e, &seen, first_message(data, &seen.msg));
	if (!m)
		return none;
	if (end->n4->watch)
		end->n4->watch(m, end->n4->watch_arg);
	if (info->kind == PFCP_REQUEST)
		request(end, m, true);
	else
		response(port, m);
	return rest;
}

static void on_datagram(struct datagram_port *udp, void *arg, const struct net_address *peer,
			struct octets data)
{
	struct pfcp_port *port = arg;
	struct pfcp_end *end = port->end;
	struct emulation *e = end->n4->e;
	char buf[80];
	struct text from;

	(void)udp;
	if (e->ended)
		return;
	if (!from_iut(end, peer)) {
		text_init(&from, buf, sizeof(buf));
		net_address_print(peer, &from);
		if (end->foreign++ < PFCP_FOREIGN_NOTED)
			record_log(e->t->record, RECORD_WARN,
				   "%s: a datagram from %s, which is not the IUT, is left alone",
				   end->name, buf);
		return;
	}
	do {
		struct octets rest = one_message(port, peer, data);

		/* Each message is at least as long as its header. */
		if (rest.len >= data.len)
			break;
		data = rest;
	} while (data.len && !e->ended);
}

/* Nobody listens there: the IUT is not there, or not any more. */
static void on_unreachable(struct datagram_port *udp, void *arg, const struct net_address *peer)
{
	const struct pfcp_port *port = arg;
	char buf[80];
	struct text to;

	(void)udp;
	text_init(&to, buf, sizeof(buf));
	net_address_print(peer, &to);
	record_log(port->end->n4->e->t->record, RECORD_INFO, "%s: nobody listens at %s",
		   port->end->name, buf);
}

/* --- what a case asks ------------------------------------------------------------------------- */

void pfcp_watch(struct tc *t, pfcp_watch_fn *fn, void *arg)
{
	struct n4 *n4 = n4_of_case(t);

	n4->watch = fn;
	n4->watch_arg = arg;
}

void pfcp_ignore(struct pfcp_end *end, enum pfcp_message_type type, bool ignore)
{
	uint32_t bit = UINT32_C(1) << (type % 32);

	if (ignore)
		end->ignored[(uint8_t)type / 32] |= bit;
	else
		end->ignored[(uint8_t)type / 32] &= ~bit;
}

void pfcp_bend(struct pfcp_end *end, pfcp_alter_fn *alter, void *arg)
{
	end->alter = alter;
	end->alter_arg = arg;
}

struct tc *pfcp_end_tc(const struct pfcp_end *end)
{
	return end->n4->e->t;
}

const char *pfcp_end_name(const struct pfcp_end *end)
{
	return end->name;
}

const struct net_address *pfcp_end_address(const struct pfcp_end *end, unsigned int address)
{
	return datagram_local(end->ports[address].port);
}

unsigned int pfcp_end_addresses(const struct pfcp_end *end)
{
	return end->port_count;
}

void pfcp_next_sequence(struct pfcp_end *end, uint32_t sequence_number)
{
	end->sequence_number = sequence_number & 0xffffff;
}
