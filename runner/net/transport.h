/*
 * What is common to every transport: the record, the callbacks, life and death of a link. A
 * transport embeds these structures at the start of its own and fills in the operations.
 *
 * A callback may close any link, its own included: a transport holds a link across a callback only
 * through the functions link_is_..., which say whether it is still there.
 */
#ifndef SPILLWAY_RUNNER_NET_TRANSPORT_H
#define SPILLWAY_RUNNER_NET_TRANSPORT_H

#include "runner/net/link.h"

enum {
	LINK_STREAMS = 16,
	LINK_NAME = 48,
	ADDRESS_TEXT = INET6_ADDRSTRLEN + 10,
};
#define LINK_MESSAGE_MAX ((size_t)1 << 20)
#define LINK_WAITING_MAX ((size_t)64 << 20)

enum link_state {
	LINK_CONNECTING,
	LINK_UP,
	LINK_DOWN,
};

struct datagram_port;

struct link {
	struct net *net;
	struct link *next, **where; /* in net->links */
	char name[LINK_NAME];
	struct net_address local;
	struct net_address peer;
	char local_text[ADDRESS_TEXT];
	char peer_text[ADDRESS_TEXT];
	const struct link_handler *handler;
	void *arg;
	enum link_state state;
	uint16_t streams;	/* outbound */
	size_t waiting;		/* octets accepted from the user and not yet handed on */
	unsigned int callbacks; /* in progress */
	bool closed;		/* freed when the last callback returns */
};

struct net_listener {
	struct net *net;
	struct net_listener *next, **where; /* in net->listeners */
	char name[LINK_NAME];
	struct net_address local;
	net_accept *accept;
	void *arg;
};

struct transport {
	enum net_transport kind;
	void (*free)(struct net *net);
	struct link *(*connect)(struct net *net, const struct net_address *local,
				const struct net_address *peer, struct text *why);
	struct net_listener *(*listen)(struct net *net, const struct net_address *local,
				       struct text *why);
	/* Frees the listener. */
	void (*unlisten)(struct net_listener *listener);
	/* The link is up and the arguments are in range. */
	int (*send)(struct link *link, uint16_t stream, uint32_t ppid, struct octets data);
	/* Ends the association where there is still one; the link's memory stays. */
	void (*close)(struct link *link, bool abort);
};

struct net {
	const struct transport *transport;
	struct loop *loop;
	struct record *record;
	uint16_t streams;
	struct link *links;
	struct net_listener *listeners;
	struct datagram_port *ports;
};

/* Transports make their net with these; each returns NULL with a sentence in why. */
struct net *net_sim_new(struct loop *loop, const struct net_options *options, struct text *why);
struct net *net_kernel_new(struct loop *loop, const struct net_options *options, struct text *why);
struct net *net_usrsctp_new(struct loop *loop, const struct net_options *options, struct text *why);
struct net *net_udp_new(struct text *why);

/* Enters a new link of a transport, whose memory comes from calloc and is freed with free. */
void link_enter(struct link *link, struct net *net, const struct net_address *local,
		const struct net_address *peer, enum link_state state);
/* The local address became known only now. */
void link_set_local(struct link *link, const struct net_address *local);

/* Each returns whether the link is still there when the user's callback has returned. */
bool link_is_accepted(struct link *link, struct net_listener *listener);
bool link_is_up(struct link *link);
bool link_is_message(struct link *link, uint16_t stream, uint32_t ppid, struct octets data);
bool link_is_restarted(struct link *link);
bool link_is_down(struct link *link, enum link_down_reason reason);

/* Same IP address (not port); an unspecified address is like no other. */
bool net_address_same_ip(const struct net_address *a, const struct net_address *b);
bool net_address_equal(const struct net_address *a, const struct net_address *b);
bool net_address_unspecified(const struct net_address *address);
uint16_t net_address_port(const struct net_address *address);
void net_address_set_port(struct net_address *address, uint16_t port);
/*
 * Sets the IP address of local to that from which this machine reaches the peer; 0 or a negative
 * errno.
 */
int net_address_towards(const struct net_address *peer, struct net_address *local);
socklen_t net_address_len(const struct net_address *address);

#endif
