/*
 * One association of usrsctp and its socket.
 *
 * usrsctp announces events from inside its own calls; what it announces is only queued there and
 * is done from the loop. An association may outlive its link: when a link is closed in order, what
 * was accepted from the user is still sent.
 */
#ifndef SPILLWAY_RUNNER_NET_USRSCTP_ASSOC_H
#define SPILLWAY_RUNNER_NET_USRSCTP_ASSOC_H

#include "runner/net/partial.h"
#include "runner/net/transport.h"
#include "runner/net/usrsctp_stack.h"
#include "runner/net/waiting.h"

struct socket;

struct assoc_link;

struct assoc {
	struct stack_work work; /* first */
	struct socket *so;
	struct pair *pair;
	uint16_t port;		 /* local */
	struct assoc_link *link; /* NULL: closed by the user, still sending */
	struct waiting_list waiting;
	struct timer closing;
	struct partial partial;
};

struct assoc_link {
	struct link link;    /* first */
	struct assoc *assoc; /* NULL: gone */
};

/* A socket that does not block and reports what becomes of its association; NULL: no memory. */
struct socket *usrsctp_open_socket(uint16_t streams);
/* address: a pair, or NULL for all. 0 or a negative errno. */
int usrsctp_bind_socket(struct socket *so, uint16_t port, void *address);
void usrsctp_close_socket(struct socket *so, bool abort);
/* For usrsctp_set_upcall with a struct stack_work. */
void usrsctp_announced(struct socket *so, void *arg, int flags);

/*
 * Takes over socket and pair (with one use of its port), also where it fails: NULL, no memory. Its
 * link is entered into the net.
 */
struct assoc *usrsctp_assoc_new(struct net *net, struct socket *so, struct pair *pair,
				uint16_t port, const struct net_address *local,
				const struct net_address *peer, enum link_state state);
/* Operations of the transport. */
int usrsctp_assoc_send(struct link *link, uint16_t stream, uint32_t ppid, struct octets data);
void usrsctp_assoc_close(struct link *link, bool abort);

#endif
