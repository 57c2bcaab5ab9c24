/*
 * The one usrsctp of the process, without threads: packet sockets feed it, the loop's timers move
 * its clock.
 *
 * usrsctp knows addresses here only as opaque pointers (AF_CONN), and takes the same pointer for
 * both ends of a packet. So a pointer stands for a pair of addresses, local and remote. Pairs come
 * from a fixed pool and their memory is never given back: a pointer that usrsctp kept, or that
 * comes back to it in a cookie, is always a pair, at worst one that now leads elsewhere.
 */
#ifndef SPILLWAY_RUNNER_NET_USRSCTP_STACK_H
#define SPILLWAY_RUNNER_NET_USRSCTP_STACK_H

#include "runner/net/packet_socket.h"

struct stack_options {
	enum packet_kind kind;
	bool no_crc_on_loopback;
};

/*
 * Counts another user in, starting usrsctp where it is the first. Users of one time share loop and
 * options: NULL-terminated sentence in why and a negative errno where they differ.
 */
int stack_enter(struct loop *loop, const struct stack_options *options, struct text *why);
void stack_leave(void);

struct endpoint {
	struct packet_socket socket;
	struct loop_watch *watch;
	struct endpoint *next;
	unsigned int users;
	unsigned int listeners;
};

/* The packet socket of a local address (its port being the UDP port, or 0). */
struct endpoint *endpoint_get(const struct net_address *local, int *err);
void endpoint_put(struct endpoint *endpoint);

struct pair {
	struct endpoint *endpoint; /* NULL: not in use */
	struct net_address local;
	struct net_address remote; /* with its UDP port, or 0 */
	unsigned int users;	   /* a pair without may be taken for other addresses */
	struct pair *next;	   /* in its hash chain, or in the list of free ones */
};

/* Each get is to be put; NULL: all pairs are in use. */
struct pair *pair_get(struct endpoint *endpoint, const struct net_address *local,
		      const struct net_address *remote);
void pair_put(struct pair *pair);
/*
 * As pair_put, and one use of the local SCTP port less; but only after some time: the association
 * is still being shut down by usrsctp.
 */
void pair_linger(struct pair *pair, uint16_t port);
/* The pair behind a pointer from usrsctp. */
struct pair *pair_of(void *address);

/* An association more, or less: while there is one the clock ticks. */
void stack_associations(int change);
unsigned int stack_association_count(void);

/* Work that usrsctp announced from inside one of its calls, to be done outside of it. */
struct stack_work {
	void (*run)(struct stack_work *work);
	struct stack_work *next;
	bool queued;
};
void stack_queue(struct stack_work *work);
void stack_unqueue(struct stack_work *work);

#endif
