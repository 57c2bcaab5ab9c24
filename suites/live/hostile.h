/*
 * What the programs share that stand at the other end of the tester's association and are no AMF,
 * or no NG-RAN node, or a broken one. One way for each word of a table; the rest is an ordinary
 * SCTP association.
 */
#ifndef SPILLWAY_SUITES_LIVE_HOSTILE_H
#define SPILLWAY_SUITES_LIVE_HOSTILE_H

#include "codecs/ngap/ngap.h"
#include "runner/core/random.h"
#include "runner/net/link.h"

enum {
	HOSTILE_GARBAGE_MAX = 300,
	HOSTILE_LONG = 60000,
	HOSTILE_BURST = 500, /* messages a millisecond, as long as the association takes them */
	HOSTILE_LINKS_MAX = 16,
};

struct way {
	const char *name;
	/* The association is there. */
	void (*up)(struct link *link);
	/* The answer to each message. */
	void (*each)(struct link *link);
	/* The number counts the messages of an association from 0. */
	void (*received)(struct link *link, unsigned int number, const struct link_message *m);
	/* One message of a flood, once start_pump was called; NULL: the role's. */
	void (*flood)(struct link *link);
};

struct hostile {
	const char *program;
	const struct way *ways;
	size_t way_count;
	struct octets set_up;	/* its half of NG Setup */
	struct octets harmless; /* a message that the tester may get at any time */
	/* What is done with an end that is gone; NULL: nothing. */
	void (*gone)(void *arg);
	void *arg;
};

/* The program's table, and what was chosen of it. */
extern const struct hostile hostile;
extern const struct way *way;
extern struct random randoms;

/* The way, the transport (with these UDP ports) and the net on a live loop; false: said why. */
bool hostile_open(const char *transport, const char *name, uint16_t udp_port,
		  uint16_t peer_udp_port, struct loop **loop, struct net **net);
void hostile_list(void);
/* Takes a link in, whose end is up or on its way; false: there are too many. */
bool hostile_take(struct link *link, bool up);
extern const struct link_handler hostile_handler;

void say_on(struct link *link, uint16_t stream, uint32_t ppid, struct octets octets);
void say(struct link *link, struct octets octets);
void say_random(struct link *link, size_t len);
/* Ends it, and forgets it. */
void shut_down(struct link *link);
void abort_it(struct link *link);
void start_pump(struct link *link);

/* Of a way's up and each, for both roles. */
void set_up(struct link *link);
void set_up_half(struct link *link);
void set_up_by_octets(struct link *link);
void set_up_with_wrong_ppid(struct link *link);
void set_up_on_last_stream(struct link *link);
void say_garbage(struct link *link);
void say_long_garbage(struct link *link);
void flood_garbage(struct link *link);

#endif
