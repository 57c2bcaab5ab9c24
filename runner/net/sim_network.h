/* The inside of the simulated network, for the nets on it. */
#ifndef SPILLWAY_RUNNER_NET_SIM_NETWORK_H
#define SPILLWAY_RUNNER_NET_SIM_NETWORK_H

#include "runner/net/transport.h"

enum {
	SIM_CUT_MAX = 64,
	SIM_EPHEMERAL_FIRST = 49152,
};
/* How long an association to a host that does not answer lives. */
#define SIM_LOST_AFTER (10 * US_PER_S)

/* The side that connected, and the one that listened. */
enum { CLIENT, SERVER };

enum sim_packet_kind {
	PACKET_INIT,
	PACKET_INIT_ACK,
	PACKET_REFUSED,
	PACKET_COOKIE_ECHO,
	PACKET_COOKIE_ACK,
	PACKET_DATA,
	PACKET_SHUTDOWN,
	PACKET_ABORT,
};

struct sim_assoc;
struct sim_port;
struct sim_datagram;

struct sim_packet {
	struct timer arrival;
	struct sim_packet *next, **where; /* in its association */
	struct sim_assoc *assoc;
	enum sim_packet_kind kind;
	int to;
	bool parked; /* arrived at a cut; waits for its repair */
	uint16_t stream;
	uint32_t ppid;
	size_t len;
	uint8_t data[];
};

struct sim_end {
	struct link link; /* first: it is freed as a link */
	struct sim_assoc *assoc;
};

struct sim_assoc {
	struct sim_network *network;
	struct sim_assoc *next, **where;
	struct net_address addresses[2];
	struct sim_end *ends[2];
	bool vanished[2];    /* the end went without an orderly shutdown */
	uint16_t streams[2]; /* that each side asks for */
	uint16_t agreed;
	struct sim_packet *packets;
	struct timer lost;
	unsigned int held;	    /* not to be freed yet */
	uint64_t earliest[2];	    /* arrival of what comes next at each side */
	uint64_t latest[2];	    /* arrival of what was sent last to each side */
	uint64_t *stream_latest[2]; /* the same, by stream */
};

struct sim_listener {
	struct net_listener base;	    /* first */
	struct sim_listener *next, **where; /* in the network */
};

struct sim_network {
	struct loop *loop;
	struct sim_conditions conditions;
	struct random random;
	struct sim_listener *listeners;
	struct sim_assoc *assocs;
	struct sim_port *ports;
	struct sim_datagram *datagrams; /* on their way */
	size_t flight;			/* octets of memory that they take */
	unsigned int icmp;		/* those among them that say "unreachable" */
	struct net_address cuts[SIM_CUT_MAX];
	size_t cut_count;
	uint16_t next_port;
};

struct sim_network *sim_net_network(struct net *net);
bool sim_network_is_cut(const struct sim_network *network, const struct net_address *address);
/* One way, in us, drawn from the conditions. */
uint64_t sim_network_delay(struct sim_network *network);
void sim_datagrams_free(struct sim_network *network);

/* NULL: no memory. */
struct sim_assoc *sim_assoc_new(struct sim_network *network);
void sim_assoc_free(struct sim_assoc *assoc);
/* Frees the association once neither an end nor a packet needs it. */
void sim_assoc_settle(struct sim_assoc *assoc);
bool sim_assoc_is_cut(const struct sim_assoc *assoc);

/* The link at one side, entered into its net; NULL: no memory. */
struct sim_end *sim_end_new(struct sim_assoc *assoc, int side, struct net *net,
			    enum link_state state);

/* Sends a packet on its way to one side; 0 or -ENOMEM. */
int sim_post(struct sim_assoc *assoc, int to, enum sim_packet_kind kind, uint16_t stream,
	     uint32_t ppid, struct octets data);
/* One without data; where there is no memory the association is lost. */
void sim_post_control(struct sim_assoc *assoc, int to, enum sim_packet_kind kind);

#endif
