/* A net on the simulated network: who connects to whom, and who listens. */
#include <errno.h>
#include <stdlib.h>

#include "runner/net/sim_network.h"

struct sim_net {
	struct net net; /* first */
	struct sim_network *network;
};

struct sim_network *sim_net_network(struct net *net)
{
	return ((struct sim_net *)net)->network;
}

static void sim_free(struct net *net)
{
	free(net);
}

static bool port_free(const struct sim_network *network, const struct net_address *local)
{
	for (const struct sim_assoc *a = network->assocs; a; a = a->next) {
		if (net_address_equal(&a->addresses[CLIENT], local))
			return false;
	}
	return true;
}

static bool choose_local(struct sim_network *network, struct net_address *local)
{
	if (net_address_unspecified(local)) {
		if (local->sa.sa_family == AF_INET)
			local->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		else
			local->v6.sin6_addr = in6addr_loopback;
	}
	if (net_address_port(local))
		return true;
	for (unsigned int tries = 0; tries <= UINT16_MAX - SIM_EPHEMERAL_FIRST; tries++) {
		net_address_set_port(local, network->next_port);
		network->next_port = network->next_port == UINT16_MAX ? SIM_EPHEMERAL_FIRST
								      : network->next_port + 1;
		if (port_free(network, local))
			return true;
	}
	return false;
}

static struct link *sim_connect(struct net *net, const struct net_address *local,
				const struct net_address *peer, struct text *why)
{
	struct sim_network *network = sim_net_network(net);
	struct net_address from = *local;
	struct sim_assoc *assoc;
	struct sim_end *end;

	if (!choose_local(network, &from)) {
		text_puts(why, "no local port is free");
		return NULL;
	}
	for (struct link *l = net->links; l; l = l->next) {
		if (l->state != LINK_DOWN && net_address_equal(&l->local, &from) &&
		    net_address_equal(&l->peer, peer)) {
			text_printf(why, "%s is in use for an association with this peer",
				    l->local_text);
			return NULL;
		}
	}
	assoc = sim_assoc_new(network);
	if (!assoc) {
		text_puts(why, "out of memory");
		return NULL;
	}
	assoc->addresses[CLIENT] = from;
	assoc->addresses[SERVER] = *peer;
	assoc->streams[CLIENT] = net->streams;
	end = sim_end_new(assoc, CLIENT, net, LINK_CONNECTING);
	if (!end) {
		sim_assoc_free(assoc);
		text_puts(why, "out of memory");
		return NULL;
	}
	if (sim_assoc_is_cut(assoc))
		timer_start(&assoc->lost, SIM_LOST_AFTER);
	sim_post_control(assoc, SERVER, PACKET_INIT);
	return &end->link;
}

static struct net_listener *sim_listen(struct net *net, const struct net_address *local,
				       struct text *why)
{
	struct sim_network *network = sim_net_network(net);
	struct sim_listener *listener;

	for (struct sim_listener *l = network->listeners; l; l = l->next) {
		if (l->base.local.sa.sa_family == local->sa.sa_family &&
		    net_address_port(&l->base.local) == net_address_port(local) &&
		    (net_address_equal(&l->base.local, local) || net_address_unspecified(local))) {
			net_address_print(local, why);
			text_puts(why, " is in use");
			return NULL;
		}
	}
	listener = calloc(1, sizeof(*listener));
	if (!listener) {
		text_puts(why, "out of memory");
		return NULL;
	}
	listener->base.local = *local;
	listener->next = network->listeners;
	listener->where = &network->listeners;
	if (listener->next)
		listener->next->where = &listener->next;
	network->listeners = listener;
	return &listener->base;
}

static void sim_unlisten(struct net_listener *base)
{
	struct sim_listener *listener = (struct sim_listener *)base;

	*listener->where = listener->next;
	if (listener->next)
		listener->next->where = listener->where;
	free(listener);
}

static int sim_send(struct link *link, uint16_t stream, uint32_t ppid, struct octets data)
{
	struct sim_assoc *assoc = ((struct sim_end *)link)->assoc;
	int err = sim_post(assoc, assoc->ends[SERVER] == (struct sim_end *)link ? CLIENT : SERVER,
			   PACKET_DATA, stream, ppid, data);

	if (!err)
		link->waiting += data.len;
	return err;
}

static void sim_close(struct link *link, bool abort)
{
	struct sim_assoc *assoc = ((struct sim_end *)link)->assoc;
	int side = assoc->ends[SERVER] == (struct sim_end *)link ? SERVER : CLIENT;

	assoc->held++;
	if (link->state == LINK_UP && assoc->ends[!side])
		sim_post_control(assoc, !side, abort ? PACKET_ABORT : PACKET_SHUTDOWN);
	assoc->vanished[side] = abort;
	assoc->ends[side] = NULL;
	assoc->held--;
	sim_assoc_settle(assoc);
}

static const struct transport sim_transport = {
	.kind = NET_SIM,
	.free = sim_free,
	.connect = sim_connect,
	.listen = sim_listen,
	.unlisten = sim_unlisten,
	.send = sim_send,
	.close = sim_close,
};

struct net *net_sim_new(struct loop *loop, const struct net_options *options, struct text *why)
{
	struct sim_net *sim;

	(void)loop;
	if (!options->sim) {
		text_puts(why, "transport sim needs a simulated network");
		return NULL;
	}
	sim = calloc(1, sizeof(*sim));
	if (!sim) {
		text_puts(why, "out of memory");
		return NULL;
	}
	sim->net.transport = &sim_transport;
	sim->network = options->sim;
	return &sim->net;
}
