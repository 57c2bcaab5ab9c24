/* What is common to both kinds of datagram ports; each embeds the structure at its start. */
#ifndef SPILLWAY_RUNNER_NET_DATAGRAM_TRANSPORT_H
#define SPILLWAY_RUNNER_NET_DATAGRAM_TRANSPORT_H

#include "runner/net/datagram.h"
#include "runner/net/transport.h"

struct datagram_transport {
	int (*send)(struct datagram_port *port, const struct net_address *peer, struct octets data);
	/* Gives up everything but the port's memory, which is freed with free. */
	void (*close)(struct datagram_port *port);
};

struct datagram_port {
	const struct datagram_transport *transport;
	struct net *net;
	struct datagram_port *next, **where; /* in net->ports */
	char name[LINK_NAME];
	struct net_address local;
	char local_text[ADDRESS_TEXT];
	const struct datagram_handler *handler;
	void *arg;
	unsigned int callbacks; /* in progress */
	bool closed;		/* freed when the last callback returns */
};

/* A port with its memory from calloc, its local address and its transport set; NULL with why. */
struct datagram_port *sim_datagram_open(struct net *net, const struct net_address *local,
					struct text *why);
struct datagram_port *udp_datagram_open(struct net *net, const struct net_address *local,
					struct text *why);

/* Each returns whether the port is still there when the user's callback has returned. */
bool datagram_is_received(struct datagram_port *port, const struct net_address *peer,
			  struct octets data);
bool datagram_is_unreachable(struct datagram_port *port, const struct net_address *peer);

#endif
