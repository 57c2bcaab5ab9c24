/*
 * Message links: whole messages with their addressing between two elements.
 *
 * A net is one side's access to a transport: the tester has one (with the record of the case), an
 * IUT has another. In virtual time both are attached to one simulated network; live they are
 * sockets. Callbacks come from the loop only, never from inside a call of this interface.
 */
#ifndef SPILLWAY_RUNNER_NET_LINK_H
#define SPILLWAY_RUNNER_NET_LINK_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "codecs/octets.h"
#include "codecs/text.h"
#include "runner/core/loop.h"
#include "runner/core/random.h"
#include "runner/core/record.h"

/* SCTP payload protocol identifier of NGAP, TS 38.412. */
#define NGAP_PPID 60
#define NGAP_PORT 38412

struct net_address {
	union {
		struct sockaddr sa;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	};
};

/* Numeric IPv4 or IPv6 address; -EINVAL otherwise. */
int net_address_parse(struct net_address *address, const char *ip, uint16_t port);
void net_address_print(const struct net_address *address, struct text *out);

enum link_down_reason {
	LINK_SHUTDOWN, /* closed in order by the peer */
	LINK_ABORTED,  /* ABORT from the peer */
	LINK_LOST,     /* no answer any more */
	LINK_REFUSED,  /* nobody listens there */
	LINK_FAILED,   /* our own side: no privilege, no memory, ... */
};
const char *link_down_reason_name(enum link_down_reason reason);

struct link;

struct link_message {
	uint16_t stream;
	uint32_t ppid;	    /* host order */
	struct octets data; /* valid during the callback */
};

struct link_handler {
	void (*up)(struct link *link, void *arg);
	void (*message)(struct link *link, void *arg, const struct link_message *message);
	/* The link is gone; link_close has still to be called. */
	void (*down)(struct link *link, void *arg, enum link_down_reason reason);
	/* The peer restarted the association (RFC 9260 5.2); what it knew is gone. */
	void (*restart)(struct link *link, void *arg);
};

enum net_transport {
	NET_SIM,
	NET_AUTO,
	NET_KERNEL,
	NET_USRSCTP,
	NET_USRSCTP_UDP,
	NET_UDP, /* live, datagrams only: no association can be made */
};
const char *net_transport_name(enum net_transport transport); /* "sim", "auto", "kernel", ... */
/*
 * Two lines: which SCTP this machine has; and the libraries below, after which others may be
 * appended: "SCTP: kernel yes; ...\nOpenSSL 3.0.15, nghttp2 1.52.0, ".
 */
void net_back_ends(struct text *out);

/* How the simulated network treats what is sent through it; all zero: ideal, 100 us one way. */
struct sim_conditions {
	uint64_t delay_us;  /* one way; 0: 100 us */
	uint64_t jitter_us; /* uniform on top; messages of one stream stay in order (SCTP) */
	double loss;	    /* of a packet; SCTP repeats it: seen as extra delay. UDP: gone */
	double duplication; /* of an unreliable (UDP) message */
	double reordering;  /* between streams of an association, or of UDP messages */
};

struct sim_network;
struct sim_network *sim_network_new(struct loop *loop, const struct sim_conditions *conditions);
/* The nets on it are to be freed before. */
void sim_network_free(struct sim_network *network);
/*
 * Cuts the host of this IP address (the port is ignored) off, or repairs the cut. What is sent
 * meanwhile over an association arrives after the repair; one that is cut for 10 s goes down,
 * LINK_LOST. Datagrams are lost.
 * 0, or -ENOSPC (64 hosts are cut off already).
 */
int sim_network_cut(struct sim_network *network, const struct net_address *address, bool cut);

struct net;

struct net_options {
	enum net_transport transport;
	struct sim_network *sim; /* for NET_SIM */
	uint16_t udp_port;	 /* for NET_USRSCTP_UDP: our UDP port; 0: 9899 */
	uint16_t peer_udp_port;	 /* 0: 9899 */
	bool no_crc_on_loopback; /* some peers leave out CRC32c on lo, and expect it so */
	uint16_t streams;	 /* asked for each way; 0: 16 */
};

/*
 * record may be NULL. On failure returns NULL and writes one sentence for the user to why: which
 * capability is missing, which transport to choose.
 */
struct net *net_new(struct loop *loop, const struct net_options *options, struct record *record,
		    struct text *why);
/* Closes (aborts) what is still open. */
void net_free(struct net *net);
/* The simulated network that it stands on; NULL: it is live. */
struct sim_network *net_sim(struct net *net);
/* The transport in use: what NET_AUTO was resolved to. */
enum net_transport net_transport(const struct net *net);

/*
 * Starts an association from local to peer; local's port 0 means any. The name is for the record
 * ("gnb1"; copied). The answer is the handler's up or down. NULL with the sentence in why where it
 * cannot even be tried.
 */
struct link *net_connect(struct net *net, const char *name, const struct net_address *local,
			 const struct net_address *peer, const struct link_handler *handler,
			 void *arg, struct text *why);

typedef void net_accept(struct link *link, void *arg);

struct net_listener;
/*
 * accept gets each association that comes up; it must call link_set_handler before it returns, or
 * link_close.
 */
struct net_listener *net_listen(struct net *net, const char *name, const struct net_address *local,
				net_accept *accept, void *arg, struct text *why);
void net_listener_close(struct net_listener *listener);

void link_set_handler(struct link *link, const struct link_handler *handler, void *arg);
const struct net_address *link_local(const struct link *link);
const struct net_address *link_peer(const struct link *link);
/* Outbound streams after negotiation; at least 1 once up. */
uint16_t link_streams(const struct link *link);

/*
 * Queues one whole message. 0, or -ENOTCONN (not up or gone), -EMSGSIZE (above 1 MiB), -ENOBUFS
 * (more than 64 MiB waiting), -EINVAL (stream). The data is copied.
 */
int link_send(struct link *link, uint16_t stream, uint32_t ppid, struct octets data);

/* Ends the association, in order or by ABORT, and frees the link. No callback comes any more. */
void link_close(struct link *link, bool abort);

#endif
