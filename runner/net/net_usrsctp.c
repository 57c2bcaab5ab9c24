/* SCTP by usrsctp, over raw sockets or over UDP: who connects to whom, and who listens. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <usrsctp.h>

#include "runner/net/usrsctp_assoc.h"

enum {
	UDP_PORT = 9899, /* RFC 6951 */
	EPHEMERAL_FIRST = 49152,
	BACKLOG = 64,
	LINKS_MAX = 4000, /* associations beyond are aborted */
};

/* One listening socket of usrsctp serves a port on all addresses. */
struct port_listener {
	struct stack_work work; /* first */
	struct socket *so;
	uint16_t port;
	unsigned int users;
	struct port_listener *next;
};

struct usrsctp_listener {
	struct net_listener base; /* first */
	struct endpoint *endpoint;
	struct port_listener *port;
	struct usrsctp_listener *next;
};

struct usrsctp_net {
	struct net net; /* first */
	enum packet_kind kind;
	uint16_t udp_port;
	uint16_t peer_udp_port;
};

/* Like usrsctp itself, shared by the nets of the process. */
static struct port_listener *port_listeners;
static struct usrsctp_listener *listeners;

static struct usrsctp_net *usrsctp_net_of(struct net *net)
{
	return (struct usrsctp_net *)net;
}

static void say_errno(struct text *why, const struct net_address *local, int err)
{
	net_address_print(local, why);
	if (err == -EADDRNOTAVAIL)
		text_puts(why, ": this machine has no such address");
	else
		text_printf(why, ": %s", strerror(-err));
}

/* --- connecting ------------------------------------------------------------------------------ */

/* An SCTP port of our own: the one asked for, or any that nobody has. */
static int take_port(struct endpoint *endpoint, uint16_t *port)
{
	static uint16_t next;

	if (*port)
		return packet_socket_take_port(&endpoint->socket, *port);
	if (next == 0)
		next = (uint16_t)getpid();
	for (int tries = 0; tries <= UINT16_MAX - EPHEMERAL_FIRST; tries++) {
		uint16_t candidate = (uint16_t)(EPHEMERAL_FIRST | next++);
		int err;

		if (packet_socket_has_port(&endpoint->socket, candidate))
			continue;
		err = packet_socket_take_port(&endpoint->socket, candidate);
		if (err != -EADDRINUSE) {
			*port = candidate;
			return err;
		}
	}
	return -EADDRINUSE;
}

static struct endpoint *get_endpoint(struct net *net, const struct net_address *local,
				     struct text *why)
{
	struct net_address at = *local;
	struct endpoint *endpoint;
	int err = 0;

	net_address_set_port(
		&at, usrsctp_net_of(net)->kind == PACKET_UDP ? usrsctp_net_of(net)->udp_port : 0);
	endpoint = endpoint_get(&at, &err);
	if (!endpoint) {
		if (usrsctp_net_of(net)->kind == PACKET_UDP)
			text_puts(why, "UDP socket ");
		say_errno(why, &at, err);
		if (usrsctp_net_of(net)->kind == PACKET_UDP && err == -EADDRINUSE)
			text_puts(why, " (choose another UDP port)");
	}
	return endpoint;
}

static int start_connecting(struct socket *so, uint16_t local_port, uint16_t peer_port,
			    struct pair *pair)
{
	struct sockaddr_conn to = {
		.sconn_family = AF_CONN,
		.sconn_port = htons(peer_port),
		.sconn_addr = pair,
	};
	int err = usrsctp_bind_socket(so, local_port, pair);

	if (err)
		return err;
	if (usrsctp_connect(so, (struct sockaddr *)&to, sizeof(to)) != 0 && errno != EINPROGRESS)
		return -errno;
	return 0;
}

static struct link *usrsctp_net_connect(struct net *net, const struct net_address *local,
					const struct net_address *peer, struct text *why)
{
	struct net_address from = *local, remote = *peer;
	uint16_t port = net_address_port(local);
	struct endpoint *endpoint;
	struct assoc *assoc;
	struct pair *pair;
	struct socket *so;
	int err;

	err = net_address_unspecified(local) ? net_address_towards(peer, &from) : 0;
	if (err) {
		net_address_print(peer, why);
		text_printf(why, " cannot be reached: %s", strerror(-err));
		return NULL;
	}
	endpoint = get_endpoint(net, &from, why);
	if (!endpoint)
		return NULL;
	net_address_set_port(&remote, usrsctp_net_of(net)->kind == PACKET_UDP
					      ? usrsctp_net_of(net)->peer_udp_port
					      : 0);
	err = take_port(endpoint, &port);
	pair = err ? NULL : pair_get(endpoint, &from, &remote);
	if (!err && !pair)
		packet_socket_leave_port(&endpoint->socket, port);
	endpoint_put(endpoint);
	net_address_set_port(&from, port);
	if (!pair) {
		say_errno(why, &from, err ? err : -ENOBUFS);
		return NULL;
	}
	so = usrsctp_open_socket(net->streams);
	assoc = so ? usrsctp_assoc_new(net, so, pair, port, &from, peer, LINK_CONNECTING) : NULL;
	if (!assoc) {
		text_puts(why, "out of memory");
		return NULL;
	}
	err = start_connecting(so, port, net_address_port(peer), pair);
	if (err) {
		struct link *link = &assoc->link->link;

		say_errno(why, &from, err);
		link_close(link, true);
		return NULL;
	}
	return &assoc->link->link;
}

/* --- listening ------------------------------------------------------------------------------- */

static struct usrsctp_listener *find_listener(const struct net_address *local)
{
	struct usrsctp_listener *wildcard = NULL;

	for (struct usrsctp_listener *l = listeners; l; l = l->next) {
		if (net_address_equal(&l->base.local, local))
			return l;
		if (net_address_unspecified(&l->base.local) &&
		    l->base.local.sa.sa_family == local->sa.sa_family &&
		    net_address_port(&l->base.local) == net_address_port(local))
			wildcard = l;
	}
	return wildcard;
}

static void accept_one(struct port_listener *port, struct socket *so,
		       const struct sockaddr_conn *peer_name)
{
	struct pair *pair = pair_of(peer_name->sconn_addr);
	struct usrsctp_listener *listener = NULL;
	struct net_address local, peer;
	struct sctp_status status = { 0 };
	socklen_t len = sizeof(status);
	struct assoc *assoc;
	int on = 1;

	if (pair && pair->endpoint) {
		local = pair->local;
		peer = pair->remote;
		net_address_set_port(&local, port->port);
		net_address_set_port(&peer, ntohs(peer_name->sconn_port));
		listener = find_listener(&local);
	}
	if (!listener || stack_association_count() >= LINKS_MAX ||
	    packet_socket_take_port(&pair->endpoint->socket, port->port) != 0) {
		usrsctp_close_socket(so, true);
		return;
	}
	pair = pair_get(pair->endpoint, &pair->local, &pair->remote);
	usrsctp_set_non_blocking(so, 1);
	usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on));
	usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RECVRCVINFO, &on, sizeof(on));
	assoc = usrsctp_assoc_new(listener->base.net, so, pair, port->port, &local, &peer, LINK_UP);
	if (!assoc)
		return;
	if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_STATUS, &status, &len) == 0 &&
	    status.sstat_outstrms)
		assoc->link->link.streams = status.sstat_outstrms;
	/* What has arrived by now was usrsctp_announced to nobody. */
	stack_queue(&assoc->work);
	link_is_accepted(&assoc->link->link, &listener->base);
}

static void port_run(struct stack_work *work)
{
	struct port_listener *port = (struct port_listener *)work;
	struct sockaddr_conn peer = { 0 };
	socklen_t len = sizeof(peer);
	struct socket *so = usrsctp_accept(port->so, (struct sockaddr *)&peer, &len);

	if (!so)
		return;
	/* Once more, until there is none; queued before a callback closes the listener. */
	stack_queue(work);
	accept_one(port, so, &peer);
}

static struct port_listener *port_listener_get(uint16_t number, uint16_t streams, int *err)
{
	struct port_listener *port;

	for (port = port_listeners; port; port = port->next) {
		if (port->port == number) {
			port->users++;
			return port;
		}
	}
	*err = -ENOMEM;
	port = calloc(1, sizeof(*port));
	if (!port)
		return NULL;
	port->so = usrsctp_open_socket(streams);
	if (!port->so) {
		free(port);
		return NULL;
	}
	port->work.run = port_run;
	port->port = number;
	port->users = 1;
	usrsctp_set_upcall(port->so, usrsctp_announced, &port->work);
	*err = usrsctp_bind_socket(port->so, number, NULL);
	if (!*err && usrsctp_listen(port->so, BACKLOG) != 0)
		*err = -errno;
	if (*err) {
		usrsctp_close_socket(port->so, true);
		free(port);
		return NULL;
	}
	port->next = port_listeners;
	port_listeners = port;
	return port;
}

static void port_listener_put(struct port_listener *port)
{
	struct port_listener **where = &port_listeners;

	if (--port->users > 0)
		return;
	while (*where != port)
		where = &(*where)->next;
	*where = port->next;
	stack_unqueue(&port->work);
	usrsctp_close_socket(port->so, true);
	free(port);
}

static bool listened_on(const struct net_address *local)
{
	for (struct usrsctp_listener *l = listeners; l; l = l->next) {
		if (net_address_equal(&l->base.local, local))
			return true;
	}
	return false;
}

static struct net_listener *usrsctp_net_listen(struct net *net, const struct net_address *local,
					       struct text *why)
{
	struct usrsctp_listener *listener = NULL;
	uint16_t number = net_address_port(local);
	struct endpoint *endpoint;
	int err = listened_on(local) ? -EADDRINUSE : 0;

	if (err) {
		say_errno(why, local, err);
		return NULL;
	}
	endpoint = get_endpoint(net, local, why);
	if (!endpoint)
		return NULL;
	err = packet_socket_take_port(&endpoint->socket, number);
	if (!err) {
		err = -ENOMEM;
		listener = calloc(1, sizeof(*listener));
		if (listener)
			listener->port = port_listener_get(number, net->streams, &err);
		if (!listener || !listener->port) {
			packet_socket_leave_port(&endpoint->socket, number);
			free(listener);
			listener = NULL;
		}
	}
	if (!listener) {
		say_errno(why, local, err);
		endpoint_put(endpoint);
		return NULL;
	}
	listener->base.local = *local;
	listener->endpoint = endpoint;
	endpoint->listeners++;
	listener->next = listeners;
	listeners = listener;
	return &listener->base;
}

static void usrsctp_unlisten(struct net_listener *base)
{
	struct usrsctp_listener *listener = (struct usrsctp_listener *)base, **where = &listeners;

	while (*where != listener)
		where = &(*where)->next;
	*where = listener->next;
	port_listener_put(listener->port);
	packet_socket_leave_port(&listener->endpoint->socket, net_address_port(&base->local));
	listener->endpoint->listeners--;
	endpoint_put(listener->endpoint);
	free(listener);
}

/* --- the net --------------------------------------------------------------------------------- */

static void usrsctp_net_free(struct net *net)
{
	stack_leave();
	free(net);
}

static const struct transport raw_transport = {
	.kind = NET_USRSCTP,
	.free = usrsctp_net_free,
	.connect = usrsctp_net_connect,
	.listen = usrsctp_net_listen,
	.unlisten = usrsctp_unlisten,
	.send = usrsctp_assoc_send,
	.close = usrsctp_assoc_close,
};

static const struct transport udp_transport = {
	.kind = NET_USRSCTP_UDP,
	.free = usrsctp_net_free,
	.connect = usrsctp_net_connect,
	.listen = usrsctp_net_listen,
	.unlisten = usrsctp_unlisten,
	.send = usrsctp_assoc_send,
	.close = usrsctp_assoc_close,
};

struct net *net_usrsctp_new(struct loop *loop, const struct net_options *options, struct text *why)
{
	enum packet_kind kind = options->transport == NET_USRSCTP_UDP ? PACKET_UDP : PACKET_RAW;
	struct stack_options how = {
		.kind = kind,
		.no_crc_on_loopback = options->no_crc_on_loopback,
	};
	struct usrsctp_net *net;
	int err;

	err = kind == PACKET_RAW ? packet_socket_probe_raw() : 0;
	if (err) {
		text_puts(why,
			  err == -EPERM || err == -EACCES
				  ? "transport usrsctp needs the capability CAP_NET_RAW for raw "
				    "sockets: grant it, or choose transport usrsctp-udp where the "
				    "peer speaks SCTP over UDP (RFC 6951)"
				  : "transport usrsctp: no raw socket for SCTP: ");
		if (err != -EPERM && err != -EACCES)
			text_puts(why, strerror(-err));
		return NULL;
	}
	net = calloc(1, sizeof(*net));
	if (!net) {
		text_puts(why, "out of memory");
		return NULL;
	}
	if (stack_enter(loop, &how, why) != 0) {
		free(net);
		return NULL;
	}
	net->net.transport = kind == PACKET_UDP ? &udp_transport : &raw_transport;
	net->kind = kind;
	net->udp_port = options->udp_port ? options->udp_port : UDP_PORT;
	net->peer_udp_port = options->peer_udp_port ? options->peer_udp_port : UDP_PORT;
	return &net->net;
}
