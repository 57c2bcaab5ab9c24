/*
 * Datagrams: whole messages between UDP ports, beside the associations of link.h and over the same
 * net. In virtual time they go through the simulated network, where they are lost, doubled and
 * overtaken as its conditions say; live they go through a UDP socket for each local address.
 *
 * Nothing here repeats, orders or answers: that is for the protocol above (PFCP, TS 29.244 6.4).
 * Callbacks come from the loop only, never from inside a call of this interface. A callback may
 * close any port, its own included.
 */
#ifndef SPILLWAY_RUNNER_NET_DATAGRAM_H
#define SPILLWAY_RUNNER_NET_DATAGRAM_H

#include "runner/net/link.h"

/* What fits into one UDP datagram over IPv4. */
#define DATAGRAM_MAX 65507

struct datagram_port;

struct datagram_handler {
	/* data is valid during the callback; its length may be 0. */
	void (*received)(struct datagram_port *port, void *arg, const struct net_address *peer,
			 struct octets data);
	/* ICMP said that nobody listens at the peer; may be NULL. */
	void (*unreachable)(struct datagram_port *port, void *arg, const struct net_address *peer);
};

/*
 * Opens a UDP port at one local address of this machine; its port number 0 means any. The name is
 * for the record ("cp1"; copied). NULL with one sentence for the user in why: the address is in
 * use, or not of this machine.
 */
struct datagram_port *net_datagram_open(struct net *net, const char *name,
					const struct net_address *local,
					const struct datagram_handler *handler, void *arg,
					struct text *why);
/* Frees the port; what is on its way to it is lost. NULL is allowed. */
void datagram_close(struct datagram_port *port);

/* With the port number in use. */
const struct net_address *datagram_local(const struct datagram_port *port);
const char *datagram_name(const struct datagram_port *port);

/*
 * Sends one datagram; the data is copied. 0 also where it is lost on the way; -EMSGSIZE (above
 * DATAGRAM_MAX), -EINVAL (the peer's address is of another IP version), or another negative errno
 * of the local socket.
 */
int datagram_send(struct datagram_port *port, const struct net_address *peer, struct octets data);

#endif
