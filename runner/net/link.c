#include "runner/net/link.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/net/datagram.h"
#include "runner/net/packet_socket.h"
#include "runner/net/sim_network.h"

static const char *const reason_names[] = {
	[LINK_SHUTDOWN] = "shutdown", [LINK_ABORTED] = "abort", [LINK_LOST] = "lost",
	[LINK_REFUSED] = "refused",   [LINK_FAILED] = "failed",
};

const char *link_down_reason_name(enum link_down_reason reason)
{
	return (unsigned int)reason < sizeof(reason_names) / sizeof(reason_names[0])
		       ? reason_names[reason]
		       : "?";
}

static const char *const transport_names[] = {
	[NET_SIM] = "sim",
	[NET_AUTO] = "auto",
	[NET_KERNEL] = "kernel",
	[NET_USRSCTP] = "usrsctp",
	[NET_USRSCTP_UDP] = "usrsctp-udp",
	[NET_UDP] = "udp",
};

const char *net_transport_name(enum net_transport transport)
{
	return (unsigned int)transport < sizeof(transport_names) / sizeof(transport_names[0])
		       ? transport_names[transport]
		       : "?";
}

/*
 * The kernel's SCTP where there is one: beside it no other could answer for this machine. Else
 * usrsctp on raw sockets, or over UDP where the peer's UDP port is known.
 */
static enum net_transport resolve(const struct net_options *options, struct text *why)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_SCTP), err;

	if (fd >= 0) {
		close(fd);
		return NET_KERNEL;
	}
	err = packet_socket_probe_raw();
	if (err == 0)
		return NET_USRSCTP;
	if (options->peer_udp_port)
		return NET_USRSCTP_UDP;
	text_printf(
		why,
		"transport auto: this kernel has no SCTP, and a raw socket for usrsctp cannot be "
		"opened (%s): load the kernel's sctp module, or grant the capability CAP_NET_RAW, "
		"or choose transport usrsctp-udp where the peer speaks SCTP over UDP (RFC 6951)",
		strerror(-err));
	return NET_AUTO;
}

struct net *net_new(struct loop *loop, const struct net_options *options, struct record *record,
		    struct text *why)
{
	struct net_options chosen = *options;
	struct net *net = NULL;

	if (chosen.transport == NET_AUTO)
		chosen.transport = resolve(options, why);
	if (chosen.transport != NET_AUTO && chosen.transport != NET_SIM &&
	    loop_kind(loop) != LOOP_LIVE) {
		text_printf(why, "transport %s needs a live loop",
			    net_transport_name(chosen.transport));
		return NULL;
	}
	switch (chosen.transport) {
	case NET_SIM:
		net = net_sim_new(loop, &chosen, why);
		break;
	case NET_KERNEL:
		net = net_kernel_new(loop, &chosen, why);
		break;
	case NET_USRSCTP:
	case NET_USRSCTP_UDP:
		net = net_usrsctp_new(loop, &chosen, why);
		break;
	case NET_UDP:
		net = net_udp_new(why);
		break;
	case NET_AUTO:
		break;
	}
	if (!net)
		return NULL;
	net->loop = loop;
	net->record = record;
	net->streams = options->streams ? options->streams : LINK_STREAMS;
	return net;
}

void net_free(struct net *net)
{
	if (!net)
		return;
	while (net->listeners)
		net_listener_close(net->listeners);
	while (net->links)
		link_close(net->links, true);
	while (net->ports)
		datagram_close(net->ports);
	net->transport->free(net);
}

enum net_transport net_transport(const struct net *net)
{
	return net->transport->kind;
}

struct sim_network *net_sim(struct net *net)
{
	return net->transport->kind == NET_SIM ? sim_net_network(net) : NULL;
}

static void set_name(char name[LINK_NAME], const char *from)
{
	struct text text;

	text_init(&text, name, LINK_NAME);
	text_puts(&text, from ? from : "");
}

static void print_addresses(struct link *link)
{
	struct text text;

	text_init(&text, link->local_text, sizeof(link->local_text));
	net_address_print(&link->local, &text);
	text_init(&text, link->peer_text, sizeof(link->peer_text));
	net_address_print(&link->peer, &text);
}

void link_enter(struct link *link, struct net *net, const struct net_address *local,
		const struct net_address *peer, enum link_state state)
{
	link->net = net;
	link->local = *local;
	link->peer = *peer;
	link->state = state;
	link->streams = 1;
	print_addresses(link);
	link->next = net->links;
	link->where = &net->links;
	if (link->next)
		link->next->where = &link->next;
	net->links = link;
}

void link_set_local(struct link *link, const struct net_address *local)
{
	link->local = *local;
	print_addresses(link);
}

/* --- what the user asks ---------------------------------------------------------------------- */

struct link *net_connect(struct net *net, const char *name, const struct net_address *local,
			 const struct net_address *peer, const struct link_handler *handler,
			 void *arg, struct text *why)
{
	struct link *link;

	if (local->sa.sa_family != peer->sa.sa_family) {
		text_puts(why, "local and peer address are not of the same IP version");
		return NULL;
	}
	link = net->transport->connect(net, local, peer, why);
	if (!link)
		return NULL;
	set_name(link->name, name);
	link->handler = handler;
	link->arg = arg;
	return link;
}

struct net_listener *net_listen(struct net *net, const char *name, const struct net_address *local,
				net_accept *accept, void *arg, struct text *why)
{
	struct net_listener *listener = net->transport->listen(net, local, why);

	if (!listener)
		return NULL;
	listener->net = net;
	set_name(listener->name, name);
	listener->accept = accept;
	listener->arg = arg;
	listener->next = net->listeners;
	listener->where = &net->listeners;
	if (listener->next)
		listener->next->where = &listener->next;
	net->listeners = listener;
	return listener;
}

void net_listener_close(struct net_listener *listener)
{
	if (!listener)
		return;
	*listener->where = listener->next;
	if (listener->next)
		listener->next->where = listener->where;
	listener->net->transport->unlisten(listener);
}

void link_set_handler(struct link *link, const struct link_handler *handler, void *arg)
{
	link->handler = handler;
	link->arg = arg;
}

const struct net_address *link_local(const struct link *link)
{
	return &link->local;
}

const struct net_address *link_peer(const struct link *link)
{
	return &link->peer;
}

uint16_t link_streams(const struct link *link)
{
	return link->streams;
}

static void put_on_record(struct link *link, bool sent, const char *proto, const char *summary,
			  int32_t stream, uint32_t ppid, struct octets data)
{
	record_message(link->net->record, &(struct record_message){
						  .link = link->name,
						  .sent = sent,
						  .proto = proto,
						  .summary = summary,
						  .local = link->local_text,
						  .peer = link->peer_text,
						  .stream = stream,
						  .ppid = ppid,
						  .data = data,
					  });
}

int link_send(struct link *link, uint16_t stream, uint32_t ppid, struct octets data)
{
	int err;

	if (link->state != LINK_UP || link->closed)
		return -ENOTCONN;
	if (stream >= link->streams || data.len == 0)
		return -EINVAL;
	if (data.len > LINK_MESSAGE_MAX)
		return -EMSGSIZE;
	if (data.len > LINK_WAITING_MAX - link->waiting)
		return -ENOBUFS;
	put_on_record(link, true, "ngap", NULL, stream, ppid, data);
	err = link->net->transport->send(link, stream, ppid, data);
	if (err == 0)
		return 0;
	record_log(link->net->record, RECORD_WARN, "%s: the last message was not sent: %s",
		   link->name, strerror(-err));
	if (err == -ENOMEM)
		return -ENOBUFS;
	/* The association's end was seen by the transport first. */
	return err == -EMSGSIZE || err == -EINVAL ? err : -ENOTCONN;
}

void link_close(struct link *link, bool abort)
{
	if (!link || link->closed)
		return;
	link->closed = true;
	if (link->state == LINK_UP)
		put_on_record(link, true, "sctp", abort ? "abort" : "shutdown", -1, 0,
			      OCTETS(NULL, 0));
	link->net->transport->close(link, abort);
	link->state = LINK_DOWN;
	*link->where = link->next;
	if (link->next)
		link->next->where = link->where;
	link->net = NULL;
	if (link->callbacks == 0)
		free(link);
}

/* --- what the transport reports -------------------------------------------------------------- */

static bool returned(struct link *link)
{
	link->callbacks--;
	if (!link->closed)
		return true;
	if (link->callbacks == 0)
		free(link);
	return false;
}

static void event(struct link *link, const char *what)
{
	put_on_record(link, false, "sctp", what, -1, 0, OCTETS(NULL, 0));
}

bool link_is_accepted(struct link *link, struct net_listener *listener)
{
	set_name(link->name, listener->name);
	event(link, "up");
	link->callbacks++;
	listener->accept(link, listener->arg);
	if (!link->closed && !link->handler)
		link_close(link, true);
	return returned(link);
}

bool link_is_up(struct link *link)
{
	link->state = LINK_UP;
	event(link, "up");
	link->callbacks++;
	if (link->handler->up)
		link->handler->up(link, link->arg);
	return returned(link);
}

bool link_is_message(struct link *link, uint16_t stream, uint32_t ppid, struct octets data)
{
	put_on_record(link, false, "ngap", NULL, stream, ppid, data);
	link->callbacks++;
	if (link->handler->message)
		link->handler->message(
			link, link->arg,
			&(struct link_message){ .stream = stream, .ppid = ppid, .data = data });
	return returned(link);
}

bool link_is_restarted(struct link *link)
{
	event(link, "restart");
	link->callbacks++;
	if (link->handler->restart)
		link->handler->restart(link, link->arg);
	return returned(link);
}

bool link_is_down(struct link *link, enum link_down_reason reason)
{
	link->state = LINK_DOWN;
	event(link, link_down_reason_name(reason));
	link->callbacks++;
	if (link->handler->down)
		link->handler->down(link, link->arg, reason);
	return returned(link);
}
