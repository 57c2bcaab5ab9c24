/*
 * The socket under a user-space SCTP: whole SCTP packets in and out of one local address, either
 * as IP payload (raw socket, needs CAP_NET_RAW) or as UDP payload (RFC 6951, needs nothing).
 *
 * A raw socket sees every SCTP packet of its address. A filter in the kernel passes only those to
 * ports that are taken here, so that several processes can share an address.
 */
#ifndef SPILLWAY_RUNNER_NET_PACKET_SOCKET_H
#define SPILLWAY_RUNNER_NET_PACKET_SOCKET_H

#include "runner/net/link.h"

enum packet_kind {
	PACKET_RAW,
	PACKET_UDP,
};

struct packet_port {
	uint16_t port;
	unsigned int users;
	int lock; /* descriptor that keeps other processes off the port; -1 over UDP */
};

struct packet_socket {
	enum packet_kind kind;
	int fd;
	struct net_address local; /* its port is the UDP port, or 0 */
	struct packet_port *ports;
	size_t port_count;
	size_t port_max;
};

/* 0 or a negative errno: -EPERM without CAP_NET_RAW, -EADDRNOTAVAIL, -EADDRINUSE, ... */
int packet_socket_open(struct packet_socket *socket, enum packet_kind kind,
		       const struct net_address *local);
void packet_socket_close(struct packet_socket *socket);

/* An SCTP port is taken, or one user less has it. -EADDRINUSE: another process has it. */
int packet_socket_take_port(struct packet_socket *socket, uint16_t port);
void packet_socket_leave_port(struct packet_socket *socket, uint16_t port);
bool packet_socket_has_port(const struct packet_socket *socket, uint16_t port);

/* 0 or a negative errno; the packet is then lost, as packets may be. */
int packet_socket_send(struct packet_socket *socket, const struct net_address *from,
		       const struct net_address *to, const void *packet, size_t len);

struct packet_received {
	struct net_address local;  /* where it was sent to; port 0 */
	struct net_address remote; /* with its UDP port, or 0 */
	struct octets packet;	   /* SCTP common header and chunks, in the buffer given */
};

/*
 * Reads one packet. 1, or 0 for one to be ignored (not SCTP, not to here), or -EAGAIN, or another
 * negative errno, which concerns one packet sent before.
 */
int packet_socket_receive(struct packet_socket *socket, void *buf, size_t size,
			  struct packet_received *received);

/* Whether the process may open raw sockets: 0 or a negative errno. */
int packet_socket_probe_raw(void);

#endif
