/*
 * UDP on the simulated network. Unlike what SCTP carries, a lost datagram stays lost, so does what
 * is sent to or from a host that is cut off, and a doubled one comes twice.
 */
#include <errno.h>
#include <stdlib.h>

#include "runner/net/datagram_transport.h"
#include "runner/net/sim_network.h"

/* What waits in the network's queues beyond this is dropped, as by any router. */
#define FLIGHT_MAX ((size_t)64 << 20)
/* ICMP is sent at a limited rate by every system; so many answers may be on their way. */
enum { ICMP_MAX = 64 };

struct sim_port {
	struct datagram_port port; /* first */
	struct sim_network *network;
	struct sim_port *next, **where; /* in the network */
	uint64_t latest;		/* arrival of what was sent last and in order */
};

struct sim_datagram {
	struct timer arrival;
	struct sim_datagram *next, **where; /* in the network */
	struct sim_network *network;
	struct net_address from, to;
	bool unreachable; /* ICMP: nobody listens at the address from */
	size_t len;
	uint8_t data[];
};

static void drop(struct sim_datagram *datagram)
{
	struct sim_network *network = datagram->network;

	timer_stop(&datagram->arrival);
	*datagram->where = datagram->next;
	if (datagram->next)
		datagram->next->where = datagram->where;
	network->flight -= sizeof(*datagram) + datagram->len;
	if (datagram->unreachable)
		network->icmp--;
	free(datagram);
}

void sim_datagrams_free(struct sim_network *network)
{
	while (network->datagrams)
		drop(network->datagrams);
}

static struct sim_port *find_port(struct sim_network *network, const struct net_address *address)
{
	struct sim_port *any = NULL;

	for (struct sim_port *p = network->ports; p; p = p->next) {
		if (net_address_equal(&p->port.local, address))
			return p;
		if (p->port.local.sa.sa_family == address->sa.sa_family &&
		    net_address_port(&p->port.local) == net_address_port(address) &&
		    net_address_unspecified(&p->port.local))
			any = p;
	}
	return any;
}

static void arrive(struct timer *timer, void *arg);

static int post(struct sim_network *network, const struct net_address *from,
		const struct net_address *to, struct octets data, bool unreachable, uint64_t delay)
{
	struct sim_datagram *datagram;
	size_t size = sizeof(*datagram) + data.len;

	if (size > FLIGHT_MAX - network->flight)
		return 0;
	datagram = calloc(1, size);
	if (!datagram)
		return -ENOMEM;
	timer_init(&datagram->arrival, network->loop, "sim datagram", arrive, datagram);
	datagram->network = network;
	datagram->from = *from;
	datagram->to = *to;
	datagram->unreachable = unreachable;
	datagram->len = data.len;
	if (data.len)
		memcpy(datagram->data, data.data, data.len);
	datagram->next = network->datagrams;
	datagram->where = &network->datagrams;
	if (datagram->next)
		datagram->next->where = &datagram->next;
	network->datagrams = datagram;
	network->flight += size;
	if (unreachable)
		network->icmp++;
	timer_start(&datagram->arrival, delay);
	return 0;
}

static void arrive(struct timer *timer, void *arg)
{
	struct sim_datagram *datagram = arg;
	struct sim_network *network = datagram->network;
	struct sim_port *port = find_port(network, &datagram->to);
	bool cut = sim_network_is_cut(network, &datagram->from) ||
		   sim_network_is_cut(network, &datagram->to);

	(void)timer;
	if (cut) {
		drop(datagram);
		return;
	}
	if (!port) {
		if (!datagram->unreachable && network->icmp < ICMP_MAX)
			post(network, &datagram->to, &datagram->from, OCTETS(NULL, 0), true,
			     sim_network_delay(network));
		drop(datagram);
		return;
	}
	if (datagram->unreachable)
		datagram_is_unreachable(&port->port, &datagram->from);
	else
		datagram_is_received(&port->port, &datagram->from,
				     OCTETS(datagram->data, datagram->len));
	drop(datagram);
}

/* One datagram or its double on its way: in order behind the one before, but where overtaken. */
static int depart(struct sim_port *port, const struct net_address *peer, struct octets data)
{
	struct sim_network *network = port->network;
	const struct sim_conditions *c = &network->conditions;
	uint64_t now = loop_now(network->loop), at = now + sim_network_delay(network);
	struct net_address from = port->port.local;

	if (c->loss > 0 && random_unit(&network->random) < c->loss)
		return 0;
	if (c->reordering > 0 && random_unit(&network->random) < c->reordering) {
		at += 1 + random_below(&network->random, 4 * sim_network_delay(network));
	} else {
		if (at < port->latest)
			at = port->latest;
		port->latest = at;
	}
	if (net_address_unspecified(&from)) {
		if (from.sa.sa_family == AF_INET)
			from.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		else
			from.v6.sin6_addr = in6addr_loopback;
	}
	return post(network, &from, peer, data, false, at - now);
}

static int sim_datagram_send(struct datagram_port *base, const struct net_address *peer,
			     struct octets data)
{
	struct sim_port *port = (struct sim_port *)base;
	const struct sim_conditions *c = &port->network->conditions;
	bool twice = c->duplication > 0 && random_unit(&port->network->random) < c->duplication;
	int err = depart(port, peer, data);

	return err || !twice ? err : depart(port, peer, data);
}

static void sim_datagram_close(struct datagram_port *base)
{
	struct sim_port *port = (struct sim_port *)base;

	*port->where = port->next;
	if (port->next)
		port->next->where = port->where;
}

static const struct datagram_transport sim_datagram_transport = {
	.send = sim_datagram_send,
	.close = sim_datagram_close,
};

static bool taken(struct sim_network *network, const struct net_address *local)
{
	for (struct sim_port *p = network->ports; p; p = p->next) {
		if (net_address_equal(&p->port.local, local))
			return true;
	}
	return false;
}

struct datagram_port *sim_datagram_open(struct net *net, const struct net_address *local,
					struct text *why)
{
	struct sim_network *network = sim_net_network(net);
	struct sim_port *port;
	struct net_address at = *local;

	for (unsigned int i = 0; !net_address_port(local) && i <= UINT16_MAX - SIM_EPHEMERAL_FIRST;
	     i++) {
		net_address_set_port(&at, (uint16_t)(SIM_EPHEMERAL_FIRST + i));
		if (!taken(network, &at))
			break;
	}
	if (taken(network, &at)) {
		net_address_print(&at, why);
		text_puts(why, " is in use");
		return NULL;
	}
	port = calloc(1, sizeof(*port));
	if (!port) {
		text_puts(why, "out of memory");
		return NULL;
	}
	port->port.transport = &sim_datagram_transport;
	port->port.local = at;
	port->network = network;
	port->next = network->ports;
	port->where = &network->ports;
	if (port->next)
		port->next->where = &port->next;
	network->ports = port;
	return &port->port;
}
