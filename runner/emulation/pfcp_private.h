/* What the parts of the N4 emulation know of each other; cases see smf.h, upf.h, expect_pfcp.h. */
#ifndef SPILLWAY_RUNNER_EMULATION_PFCP_PRIVATE_H
#define SPILLWAY_RUNNER_EMULATION_PFCP_PRIVATE_H

#include "runner/emulation/emulation.h"
#include "runner/emulation/pfcp_path.h"

enum {
	PFCP_REPEATS_KEPT = 1024, /* requests of the IUT that can be recognised when repeated */
	PFCP_RESPONSE_KEPT = 512, /* octets of a response that is kept for a repetition */
	PFCP_INBOX_MAX = 512,
	PFCP_EXCHANGES_MAX = 1 << 16, /* of one entity, in a case */
	PFCP_FOREIGN_NOTED = 4,
	PFCP_PASSED_NOTED = 4,
};

enum pfcp_end_kind {
	PFCP_END_CP,
	PFCP_END_UP,
};

struct pfcp_entry {
	struct pfcp_entry *next;
	const struct pfcp_received *m;
	bool skippable;
};

/* A request of the IUT, and the response that it got. */
struct pfcp_repeat {
	bool used;
	struct net_address peer;
	uint32_t sequence_number;
	uint8_t type;
	const struct pfcp_received *m; /* NULL: it was not kept */
	size_t len;		       /* of the response; 0: none, or too long to be kept */
	uint8_t response[PFCP_RESPONSE_KEPT];
};

struct pfcp_exchange {
	struct pfcp_exchange *next; /* of the entity, newest first */
	struct pfcp_end *end;
	unsigned int address;
	struct net_address to;
	uint32_t sequence_number;
	uint8_t type;
	uint64_t seid; /* of ours that the response is to have in its header; 0: not known */
	struct timer t1;
	unsigned int left; /* repetitions */
	uint64_t sent_at;  /* the last time */
	bool over;	   /* given up */
	const struct pfcp_received *response;
	struct octets octets;
};

struct pfcp_port {
	struct pfcp_end *end;
	struct datagram_port *port;
	unsigned int number;
};

struct pfcp_end_ops {
	/*
	 * A request that came for the first time: answers it, and returns whether it is one that an
	 * expectation may pass over.
	 */
	bool (*request)(struct pfcp_end *end, struct pfcp_received *m);
	/* NULL: there is no such session of ours. */
	void *(*session)(struct pfcp_end *end, uint64_t seid);
	/* A request that came for the first time, answered or not; may be NULL. */
	void (*arrived)(struct pfcp_end *end, const struct pfcp_received *m);
};

struct pfcp_end {
	struct n4 *n4;
	struct pfcp_end *next;
	const struct pfcp_end_ops *ops;
	void *owner; /* struct smf or upf */
	enum pfcp_end_kind kind;
	char name[16];
	unsigned int entry; /* of profile->n4, from 1 */
	struct pfcp_port ports[PROFILE_LIST_MAX];
	unsigned int port_count;
	struct pfcp_node_id node_id;
	uint32_t recovery; /* Recovery Time Stamp */
	uint32_t sequence_number;
	uint32_t ignored[8]; /* message types, a bit each */
	pfcp_alter_fn *alter;
	void *alter_arg;
	struct pfcp_exchange *exchanges;
	size_t exchange_count;
	struct pfcp_repeat *repeats;
	struct pfcp_entry *first, *last; /* the inbox */
	size_t waiting;
	uint64_t last_arrival; /* of anything from the IUT; 0: nothing */
	char last_sent[160];   /* "Session Report Request seq 7 ..."; "" for nothing */
	unsigned int foreign, passed;
};

struct upf_request;

struct n4 {
	struct emulation *e;
	struct pfcp_end *ends;
	bool taken[PROFILE_LIST_MAX]; /* addresses of profile->n4 */
	unsigned int ends_made[2];    /* by kind */
	unsigned int established;     /* sessions of all CP functions, since the case began */
	struct random random;
	struct arena arena; /* of messages that are sent as soon as they are built */
	uint8_t *out;	    /* PFCP_MESSAGE_MAX octets */
	pfcp_watch_fn *watch;
	void *watch_arg;
	bool counting; /* requests are answered and counted, not kept */
	int (*classify)(const struct pfcp_message *msg);
	struct upf_request *requests; /* of the IUT to UP functions, in order */
	size_t request_count, request_max;
};

struct n4 *n4_of_case(struct tc *t);

/*
 * An entity with ports at so many free entries of profile->n4 from `entry` on (0: the next free
 * ones); na where there are too few.
 */
void pfcp_end_open(struct pfcp_end *end, struct tc *t, enum pfcp_end_kind kind, unsigned int entry,
		   unsigned int addresses);

/* A message in the arena of what is sent at once; node messages have no SEID. */
struct pfcp_message pfcp_build(struct pfcp_end *end, enum pfcp_message_type type, uint64_t seid);
/*
 * Answers a request to where it came from: sequence number and message priority are its own. The
 * response is kept for a repetition. Ends the case where it cannot be encoded.
 */
void pfcp_answer(struct pfcp_end *end, const struct pfcp_received *request,
		 struct pfcp_message *response);
/*
 * As pfcp_request, also from inside a callback; the message's room is free again afterwards. seid:
 * of ours, for the response's header; 0: any. NULL: the case was ended.
 */
struct pfcp_exchange *pfcp_begin(struct pfcp_end *end, unsigned int address,
				 const struct net_address *to, struct pfcp_message *msg,
				 uint64_t seid);
/* From a case: never NULL. */
struct pfcp_exchange *pfcp_begin_or_end(struct pfcp_end *end, unsigned int address,
					const struct net_address *to, struct pfcp_message *msg,
					uint64_t seid);
/* The Node ID and the Recovery Time Stamp of the entity. */
void pfcp_add_node(struct pfcp_message *msg, const struct pfcp_end *end);
void pfcp_add_recovery(struct pfcp_message *msg, const struct pfcp_end *end);
void pfcp_f_seid_at(struct pfcp_f_seid *f_seid, uint64_t seid, const struct net_address *address);
/* The address of an F-SEID with the IUT's port; false where it has none of our IP version. */
bool pfcp_f_seid_address(const struct pfcp_f_seid *f_seid, const struct profile *profile,
			 struct net_address *address);
bool pfcp_same_host(const struct net_address *a, const struct net_address *b);
void pfcp_inbox_remove(struct pfcp_end *end, const struct pfcp_entry *entry);
/* Decodes into scratch memory: false, with why, where these octets are no PFCP message. */
bool received_pfcp_scan(struct emulation *e, struct octets data, struct pfcp_received *seen,
			struct text *why);
/* Keeps what was scanned; octets are those of the message alone. NULL: the case was ended. */
struct pfcp_received *received_pfcp_keep(struct emulation *e, const struct pfcp_received *seen,
					 struct octets octets);
/* Heartbeat Request: the same on both sides. */
void pfcp_answer_heartbeat(struct pfcp_end *end, const struct pfcp_received *m);

#endif
