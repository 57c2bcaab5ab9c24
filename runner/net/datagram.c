#include "runner/net/datagram.h"

#include <errno.h>
#include <stdlib.h>

#include "runner/net/datagram_transport.h"

struct datagram_port *net_datagram_open(struct net *net, const char *name,
					const struct net_address *local,
					const struct datagram_handler *handler, void *arg,
					struct text *why)
{
	struct datagram_port *port = net_transport(net) == NET_SIM
					     ? sim_datagram_open(net, local, why)
					     : udp_datagram_open(net, local, why);
	struct text text;

	if (!port)
		return NULL;
	port->net = net;
	port->handler = handler;
	port->arg = arg;
	text_init(&text, port->name, sizeof(port->name));
	text_puts(&text, name ? name : "");
	text_init(&text, port->local_text, sizeof(port->local_text));
	net_address_print(&port->local, &text);
	port->next = net->ports;
	port->where = &net->ports;
	if (port->next)
		port->next->where = &port->next;
	net->ports = port;
	return port;
}

void datagram_close(struct datagram_port *port)
{
	if (!port || port->closed)
		return;
	port->closed = true;
	port->transport->close(port);
	*port->where = port->next;
	if (port->next)
		port->next->where = port->where;
	port->net = NULL;
	if (port->callbacks == 0)
		free(port);
}

const struct net_address *datagram_local(const struct datagram_port *port)
{
	return &port->local;
}

const char *datagram_name(const struct datagram_port *port)
{
	return port->name;
}

static void put_on_record(struct datagram_port *port, bool sent, const char *proto,
			  const char *summary, const struct net_address *peer, struct octets data)
{
	char peer_text[ADDRESS_TEXT];
	struct text text;

	if (!port->net->record)
		return;
	text_init(&text, peer_text, sizeof(peer_text));
	net_address_print(peer, &text);
	record_message(port->net->record, &(struct record_message){
						  .link = port->name,
						  .sent = sent,
						  .proto = proto,
						  .summary = summary,
						  .local = port->local_text,
						  .peer = peer_text,
						  .stream = -1,
						  .data = data,
					  });
}

int datagram_send(struct datagram_port *port, const struct net_address *peer, struct octets data)
{
	int err;

	if (port->closed)
		return -ENOTCONN;
	if (data.len > DATAGRAM_MAX)
		return -EMSGSIZE;
	if (peer->sa.sa_family != port->local.sa.sa_family)
		return -EINVAL;
	put_on_record(port, true, "pfcp", NULL, peer, data);
	err = port->transport->send(port, peer, data);
	if (err)
		record_log(port->net->record, RECORD_WARN, "%s: the last datagram was not sent: %s",
			   port->name, strerror(-err));
	return err;
}

static bool returned(struct datagram_port *port)
{
	port->callbacks--;
	if (!port->closed)
		return true;
	if (port->callbacks == 0)
		free(port);
	return false;
}

bool datagram_is_received(struct datagram_port *port, const struct net_address *peer,
			  struct octets data)
{
	put_on_record(port, false, "pfcp", NULL, peer, data);
	port->callbacks++;
	port->handler->received(port, port->arg, peer, data);
	return returned(port);
}

bool datagram_is_unreachable(struct datagram_port *port, const struct net_address *peer)
{
	put_on_record(port, false, "icmp", "port unreachable", peer, OCTETS(NULL, 0));
	port->callbacks++;
	if (port->handler->unreachable)
		port->handler->unreachable(port, port->arg, peer);
	return returned(port);
}
