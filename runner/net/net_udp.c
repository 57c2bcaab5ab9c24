/*
 * UDP by the kernel: a socket for each local address. Ports are opened on any live net, whatever
 * carries its associations; the net made here has ports only, so that a run over N4 needs neither
 * SCTP nor a privilege.
 */
#include <errno.h>
#include <time.h> /* defines what the next one needs */
#include <linux/errqueue.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/net/datagram_transport.h"

enum {
	/* Datagrams read before other events get their turn. */
	BUDGET = 32,
	BUFFER = 65536,
	SOCKET_BUFFER = 2 << 20,
};

struct udp_port {
	struct datagram_port port; /* first */
	int fd;
	struct loop_watch *watch;
};

static uint8_t read_buffer[BUFFER];

/* --- ports ----------------------------------------------------------------------------------- */

/*
 * An error that ICMP reported is told by the next call on the socket, whomever that concerns; the
 * peer's address is in the error queue.
 */
static bool concerns_earlier(int err)
{
	return err == ECONNREFUSED || err == EHOSTUNREACH || err == ENETUNREACH;
}

static int udp_send(struct datagram_port *base, const struct net_address *peer, struct octets data)
{
	struct udp_port *port = (struct udp_port *)base;

	for (int tries = 0; tries < 2; tries++) {
		if (sendto(port->fd, data.data, data.len, MSG_NOSIGNAL, &peer->sa,
			   net_address_len(peer)) >= 0)
			return 0;
		if (!concerns_earlier(errno))
			break;
	}
	/* A full queue loses datagrams, and so does a host without a route. */
	return errno == EWOULDBLOCK || concerns_earlier(errno) ? 0 : -errno;
}

static void udp_close(struct datagram_port *base)
{
	struct udp_port *port = (struct udp_port *)base;

	loop_unwatch(port->watch);
	close(port->fd);
}

static const struct datagram_transport udp_datagram_transport = {
	.send = udp_send,
	.close = udp_close,
};

/* Returns whether the port is still there. */
static bool read_error(struct udp_port *port, bool *any)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(struct sock_extended_err) +
				      sizeof(struct net_address))];
	} control;
	struct net_address peer = { .v6 = { .sin6_family = AF_UNSPEC } };
	struct msghdr msg = {
		.msg_name = &peer,
		.msg_namelen = sizeof(peer),
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	*any = recvmsg(port->fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) >= 0;
	if (!*any || peer.sa.sa_family != port->port.local.sa.sa_family)
		return true;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
		struct sock_extended_err err;

		if (!(c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) &&
		    !(c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR))
			continue;
		memcpy(&err, CMSG_DATA(c), sizeof(err));
		if (err.ee_errno == ECONNREFUSED)
			return datagram_is_unreachable(&port->port, &peer);
	}
	return true;
}

static void ready(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct udp_port *port = arg;
	bool any = true;

	(void)watch;
	(void)events;
	for (int i = 0; i < BUDGET && any; i++) {
		if (!read_error(port, &any))
			return;
	}
	for (int i = 0; i < BUDGET; i++) {
		struct net_address peer = { .v6 = { .sin6_family = AF_UNSPEC } };
		socklen_t len = sizeof(peer);
		ssize_t n = recvfrom(port->fd, read_buffer, sizeof(read_buffer), 0, &peer.sa, &len);

		if (n < 0 && !concerns_earlier(errno))
			return;
		if (n < 0 || peer.sa.sa_family != port->port.local.sa.sa_family)
			continue;
		if (!datagram_is_received(&port->port, &peer, OCTETS(read_buffer, (size_t)n)))
			return;
	}
}

static int open_socket(struct net_address *local, struct text *why)
{
	bool v6 = local->sa.sa_family == AF_INET6;
	int fd = socket(local->sa.sa_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int on = 1, size = SOCKET_BUFFER;
	socklen_t len = sizeof(*local);

	if (fd >= 0) {
		if (v6)
			setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
		setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_RECVERR : IP_RECVERR, &on,
			   sizeof(on));
		if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) != 0)
			setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
		if (bind(fd, &local->sa, net_address_len(local)) == 0 &&
		    getsockname(fd, &local->sa, &len) == 0)
			return fd;
	}
	net_address_print(local, why);
	text_printf(why, ": %s",
		    errno == EADDRNOTAVAIL ? "this machine has no such address" : strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

struct datagram_port *udp_datagram_open(struct net *net, const struct net_address *local,
					struct text *why)
{
	struct udp_port *port = calloc(1, sizeof(*port));

	if (!port) {
		text_puts(why, "out of memory");
		return NULL;
	}
	port->port.local = *local;
	port->port.transport = &udp_datagram_transport;
	port->fd = open_socket(&port->port.local, why);
	if (port->fd < 0) {
		free(port);
		return NULL;
	}
	port->watch = loop_watch(net->loop, port->fd, LOOP_READABLE, ready, port);
	if (!port->watch) {
		text_puts(why, "the socket cannot be watched");
		close(port->fd);
		free(port);
		return NULL;
	}
	return &port->port;
}

/* --- the net --------------------------------------------------------------------------------- */

static void udp_free(struct net *net)
{
	free(net);
}

static struct link *no_connect(struct net *net, const struct net_address *local,
			       const struct net_address *peer, struct text *why)
{
	(void)net;
	(void)local;
	(void)peer;
	text_puts(why, "transport udp carries datagrams only");
	return NULL;
}

static struct net_listener *no_listen(struct net *net, const struct net_address *local,
				      struct text *why)
{
	no_connect(net, local, NULL, why);
	return NULL;
}

static const struct transport udp_transport = {
	.kind = NET_UDP,
	.free = udp_free,
	.connect = no_connect,
	.listen = no_listen,
};

struct net *net_udp_new(struct text *why)
{
	struct net *net = calloc(1, sizeof(*net));

	if (net)
		net->transport = &udp_transport;
	else
		text_puts(why, "out of memory");
	return net;
}
