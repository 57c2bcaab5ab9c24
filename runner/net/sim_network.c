/*
 * SCTP as an application sees it, without packets on any wire: associations between nets of one
 * process whose messages arrive after a delay drawn from the seed. What SCTP would repair is seen
 * as time: a lost packet comes a retransmission timeout later, streams overtake each other, a
 * message of one stream never overtakes another.
 */
#include "runner/net/sim_network.h"

#include <errno.h>
#include <stdlib.h>

enum { DEFAULT_DELAY_US = 100 };
/* RFC 9260 clause 16: RTO.Initial and RTO.Max, Association.Max.Retrans. */
#define RTO_INITIAL US_PER_S
#define RTO_MAX	    (60 * US_PER_S)
#define RETRANS_MAX 10
#define HEARTBEAT   US_PER_S

/* --- associations ---------------------------------------------------------------------------- */

static void drop_packet(struct sim_packet *packet)
{
	struct sim_assoc *assoc = packet->assoc;
	struct sim_end *from = assoc->ends[!packet->to];

	if (from && packet->kind == PACKET_DATA)
		from->link.waiting -= packet->len;
	timer_stop(&packet->arrival);
	*packet->where = packet->next;
	if (packet->next)
		packet->next->where = packet->where;
	free(packet);
}

void sim_assoc_free(struct sim_assoc *assoc)
{
	while (assoc->packets)
		drop_packet(assoc->packets);
	timer_stop(&assoc->lost);
	*assoc->where = assoc->next;
	if (assoc->next)
		assoc->next->where = assoc->where;
	free(assoc->stream_latest[0]);
	free(assoc->stream_latest[1]);
	free(assoc);
}

void sim_assoc_settle(struct sim_assoc *assoc)
{
	if (!assoc->held && !assoc->ends[0] && !assoc->ends[1] && !assoc->packets)
		sim_assoc_free(assoc);
}

bool sim_network_is_cut(const struct sim_network *network, const struct net_address *address)
{
	for (size_t i = 0; i < network->cut_count; i++) {
		if (net_address_same_ip(&network->cuts[i], address))
			return true;
	}
	return false;
}

bool sim_assoc_is_cut(const struct sim_assoc *assoc)
{
	return sim_network_is_cut(assoc->network, &assoc->addresses[0]) ||
	       sim_network_is_cut(assoc->network, &assoc->addresses[1]);
}

/* The ends notice that nothing is answered any more, or with an ABORT by who knows nothing. */
static void assoc_lost(struct timer *timer, void *arg)
{
	struct sim_assoc *assoc = arg;
	bool cut = sim_assoc_is_cut(assoc);

	(void)timer;
	assoc->held++;
	while (assoc->packets)
		drop_packet(assoc->packets);
	for (int side = 0; side < 2; side++) {
		if (assoc->ends[side] && assoc->ends[side]->link.state != LINK_DOWN)
			link_is_down(&assoc->ends[side]->link,
				     assoc->vanished[!side] && !cut ? LINK_ABORTED : LINK_LOST);
	}
	assoc->held--;
	sim_assoc_settle(assoc);
}

struct sim_assoc *sim_assoc_new(struct sim_network *network)
{
	struct sim_assoc *assoc = calloc(1, sizeof(*assoc));

	if (!assoc)
		return NULL;
	assoc->network = network;
	timer_init(&assoc->lost, network->loop, "sim association lost", assoc_lost, assoc);
	assoc->next = network->assocs;
	assoc->where = &network->assocs;
	if (assoc->next)
		assoc->next->where = &assoc->next;
	network->assocs = assoc;
	return assoc;
}

struct sim_end *sim_end_new(struct sim_assoc *assoc, int side, struct net *net,
			    enum link_state state)
{
	struct sim_end *end = calloc(1, sizeof(*end));

	if (!end)
		return NULL;
	end->assoc = assoc;
	assoc->ends[side] = end;
	link_enter(&end->link, net, &assoc->addresses[side], &assoc->addresses[!side], state);
	return end;
}

/* --- packets on their way -------------------------------------------------------------------- */

static void arrive(struct timer *timer, void *arg);

static uint64_t base_delay(const struct sim_network *network)
{
	return network->conditions.delay_us ? network->conditions.delay_us : DEFAULT_DELAY_US;
}

uint64_t sim_network_delay(struct sim_network *network)
{
	uint64_t jitter = network->conditions.jitter_us;

	return base_delay(network) + (jitter ? random_below(&network->random, jitter + 1) : 0);
}

/* One way, in us; LOOP_NEVER when every repetition is lost as well. */
static uint64_t draw_delay(struct sim_network *network)
{
	const struct sim_conditions *c = &network->conditions;
	uint64_t base = base_delay(network);
	uint64_t delay = sim_network_delay(network), rto = RTO_INITIAL;

	if (c->reordering > 0 && random_unit(&network->random) < c->reordering)
		delay += base + random_below(&network->random, 3 * base);
	if (c->loss > 0) {
		int lost = 0;

		while (random_unit(&network->random) < c->loss) {
			if (++lost > RETRANS_MAX)
				return LOOP_NEVER;
			delay += rto;
			rto = 2 * rto < RTO_MAX ? 2 * rto : RTO_MAX;
		}
	}
	return delay;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void depart(struct sim_packet *packet)
{
	struct sim_assoc *assoc = packet->assoc;
	uint64_t now = loop_now(assoc->network->loop), delay = draw_delay(assoc->network), at;
	int to = packet->to;

	if (delay == LOOP_NEVER) {
		if (!timer_running(&assoc->lost))
			timer_start(&assoc->lost, SIM_LOST_AFTER);
		packet->parked = true;
		return;
	}
	at = later(now + delay, assoc->earliest[to]);
	if (packet->kind == PACKET_DATA) {
		at = later(at, assoc->stream_latest[to][packet->stream]);
		assoc->stream_latest[to][packet->stream] = at;
	} else if (packet->kind == PACKET_SHUTDOWN) {
		at = later(at, assoc->latest[to]);
	} else if (packet->kind != PACKET_ABORT) {
		assoc->earliest[to] = at;
	}
	assoc->latest[to] = later(at, assoc->latest[to]);
	timer_start(&packet->arrival, at - now);
}

int sim_post(struct sim_assoc *assoc, int to, enum sim_packet_kind kind, uint16_t stream,
	     uint32_t ppid, struct octets data)
{
	struct sim_packet *packet = calloc(1, sizeof(*packet) + data.len);

	if (!packet)
		return -ENOMEM;
	timer_init(&packet->arrival, assoc->network->loop, "sim packet", arrive, packet);
	packet->assoc = assoc;
	packet->kind = kind;
	packet->to = to;
	packet->stream = stream;
	packet->ppid = ppid;
	packet->len = data.len;
	if (data.len)
		memcpy(packet->data, data.data, data.len);
	packet->next = assoc->packets;
	packet->where = &assoc->packets;
	if (packet->next)
		packet->next->where = &packet->next;
	assoc->packets = packet;
	depart(packet);
	return 0;
}

void sim_post_control(struct sim_assoc *assoc, int to, enum sim_packet_kind kind)
{
	if (sim_post(assoc, to, kind, 0, 0, OCTETS(NULL, 0)) != 0 && !timer_running(&assoc->lost))
		timer_start(&assoc->lost, SIM_LOST_AFTER);
}

/* --- what arrives ---------------------------------------------------------------------------- */

static struct sim_listener *find_listener(struct sim_network *network,
					  const struct net_address *address)
{
	struct sim_listener *wildcard = NULL;

	for (struct sim_listener *l = network->listeners; l; l = l->next) {
		const struct net_address *local = &l->base.local;

		if (net_address_equal(local, address))
			return l;
		if (net_address_unspecified(local) &&
		    local->sa.sa_family == address->sa.sa_family &&
		    net_address_port(local) == net_address_port(address))
			wildcard = l;
	}
	return wildcard;
}

/* The association that the same two addresses had before the client lost its memory. */
static struct sim_assoc *find_older(const struct sim_assoc *assoc)
{
	for (struct sim_assoc *a = assoc->network->assocs; a; a = a->next) {
		if (a != assoc && a->ends[SERVER] && a->ends[SERVER]->link.state == LINK_UP &&
		    net_address_equal(&a->addresses[0], &assoc->addresses[0]) &&
		    net_address_equal(&a->addresses[1], &assoc->addresses[1]))
			return a;
	}
	return NULL;
}

static bool agree_streams(struct sim_assoc *assoc, uint16_t server)
{
	uint16_t client = assoc->streams[CLIENT];

	assoc->agreed = client < server ? client : server;
	for (int side = 0; side < 2; side++) {
		assoc->stream_latest[side] = calloc(assoc->agreed, sizeof(uint64_t));
		if (!assoc->stream_latest[side])
			return false;
	}
	return true;
}

static void restart(struct sim_assoc *assoc, struct sim_assoc *older)
{
	struct sim_end *end = older->ends[SERVER];

	while (older->packets)
		drop_packet(older->packets);
	older->ends[SERVER] = NULL;
	end->assoc = assoc;
	end->link.streams = assoc->agreed;
	assoc->ends[SERVER] = end;
	if (older->ends[CLIENT])
		sim_post_control(older, CLIENT, PACKET_ABORT);
	sim_assoc_settle(older);
	sim_post_control(assoc, CLIENT, PACKET_COOKIE_ACK);
	link_is_restarted(&end->link);
}

static void cookie_echo(struct sim_assoc *assoc)
{
	struct sim_listener *listener = find_listener(assoc->network, &assoc->addresses[SERVER]);
	struct sim_assoc *older = find_older(assoc);
	struct sim_end *end;

	if ((!listener && !older) ||
	    !agree_streams(assoc, listener ? listener->base.net->streams : older->agreed)) {
		sim_post_control(assoc, CLIENT, PACKET_ABORT);
		return;
	}
	if (older) {
		restart(assoc, older);
		return;
	}
	end = sim_end_new(assoc, SERVER, listener->base.net, LINK_UP);
	if (!end) {
		sim_post_control(assoc, CLIENT, PACKET_ABORT);
		return;
	}
	end->link.streams = assoc->agreed;
	sim_post_control(assoc, CLIENT, PACKET_COOKIE_ACK);
	link_is_accepted(&end->link, &listener->base);
}

static void down(struct sim_end *end, enum link_down_reason reason)
{
	if (end && end->link.state != LINK_DOWN)
		link_is_down(&end->link, reason);
}

static void handle(struct sim_assoc *assoc, struct sim_packet *packet, struct octets data)
{
	struct sim_end *end = assoc->ends[packet->to];

	switch (packet->kind) {
	case PACKET_INIT:
		sim_post_control(assoc, CLIENT,
				 find_listener(assoc->network, &assoc->addresses[SERVER])
					 ? PACKET_INIT_ACK
					 : PACKET_REFUSED);
		break;
	case PACKET_INIT_ACK:
		if (end)
			sim_post_control(assoc, SERVER, PACKET_COOKIE_ECHO);
		break;
	case PACKET_REFUSED:
		down(end, LINK_REFUSED);
		break;
	case PACKET_COOKIE_ECHO:
		if (assoc->ends[CLIENT])
			cookie_echo(assoc);
		break;
	case PACKET_COOKIE_ACK:
		if (end) {
			end->link.streams = assoc->agreed;
			link_is_up(&end->link);
		} else if (assoc->ends[SERVER]) {
			sim_post_control(assoc, SERVER, PACKET_ABORT);
		}
		break;
	case PACKET_DATA:
		if (end && end->link.state == LINK_UP)
			link_is_message(&end->link, packet->stream, packet->ppid, data);
		else if (!end && assoc->vanished[packet->to] && assoc->ends[!packet->to])
			sim_post_control(assoc, !packet->to, PACKET_ABORT);
		break;
	case PACKET_SHUTDOWN:
		down(end, LINK_SHUTDOWN);
		break;
	case PACKET_ABORT:
		down(end, LINK_ABORTED);
		break;
	}
}

static void arrive(struct timer *timer, void *arg)
{
	struct sim_packet *packet = arg;
	struct sim_assoc *assoc = packet->assoc;
	struct sim_end *from = assoc->ends[!packet->to];

	(void)timer;
	if (sim_assoc_is_cut(assoc)) {
		/* Nobody repeats an ABORT. */
		if (packet->kind == PACKET_ABORT)
			drop_packet(packet);
		else
			packet->parked = true;
		sim_assoc_settle(assoc);
		return;
	}
	*packet->where = packet->next;
	if (packet->next)
		packet->next->where = packet->where;
	if (from && packet->kind == PACKET_DATA)
		from->link.waiting -= packet->len;
	assoc->held++;
	handle(assoc, packet, OCTETS(packet->data, packet->len));
	assoc->held--;
	free(packet);
	sim_assoc_settle(assoc);
}

/* --- the network ----------------------------------------------------------------------------- */

struct sim_network *sim_network_new(struct loop *loop, const struct sim_conditions *conditions)
{
	struct sim_network *network = calloc(1, sizeof(*network));

	if (!network)
		return NULL;
	network->loop = loop;
	if (conditions)
		network->conditions = *conditions;
	network->next_port = SIM_EPHEMERAL_FIRST;
	random_init(&network->random, loop_seed(loop), "sim network");
	return network;
}

void sim_network_free(struct sim_network *network)
{
	if (!network)
		return;
	while (network->assocs)
		sim_assoc_free(network->assocs);
	sim_datagrams_free(network);
	free(network);
}

/* What waited at the cut goes on its way, in the order in which it was sent. */
static void repair(struct sim_assoc *assoc)
{
	struct sim_packet *waiting = NULL, *next;

	timer_stop(&assoc->lost);
	for (struct sim_packet *p = assoc->packets; p; p = next) {
		next = p->next;
		if (!p->parked)
			continue;
		*p->where = p->next;
		if (p->next)
			p->next->where = p->where;
		p->next = waiting;
		waiting = p;
	}
	for (struct sim_packet *p = waiting; p; p = next) {
		next = p->next;
		p->next = assoc->packets;
		p->where = &assoc->packets;
		if (p->next)
			p->next->where = &p->next;
		assoc->packets = p;
		p->parked = false;
		depart(p);
	}
	/* The next heartbeat finds nobody who knows the association. */
	if ((assoc->ends[CLIENT] && assoc->vanished[SERVER]) ||
	    (assoc->ends[SERVER] && assoc->vanished[CLIENT]))
		timer_start(&assoc->lost, HEARTBEAT);
}

int sim_network_cut(struct sim_network *network, const struct net_address *address, bool cut)
{
	size_t i = 0;

	while (i < network->cut_count && !net_address_same_ip(&network->cuts[i], address))
		i++;
	if (cut == (i < network->cut_count))
		return 0;
	if (cut && i == SIM_CUT_MAX)
		return -ENOSPC;
	for (struct sim_assoc *a = network->assocs; a; a = a->next) {
		if (!net_address_same_ip(address, &a->addresses[0]) &&
		    !net_address_same_ip(address, &a->addresses[1]))
			continue;
		if (cut && !timer_running(&a->lost))
			timer_start(&a->lost, SIM_LOST_AFTER);
	}
	if (cut) {
		network->cuts[network->cut_count++] = *address;
		return 0;
	}
	network->cuts[i] = network->cuts[--network->cut_count];
	for (struct sim_assoc *a = network->assocs; a; a = a->next) {
		if (timer_running(&a->lost) && !sim_assoc_is_cut(a))
			repair(a);
	}
	return 0;
}
