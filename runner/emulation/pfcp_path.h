/*
 * The tester's PFCP entities, below what makes them a CP function (smf.h) or a UP function (upf.h):
 * UDP ports at several addresses, requests with their repetitions (TS 29.244 6.4), repeated
 * requests of the IUT, and what was received, as a case sees it.
 *
 * Puppets: an entity sends what the case says, and by itself only responses to the IUT's requests
 * (unless pfcp_ignore says that it does not answer) and repetitions of its own requests.
 *
 * The case ends over octets that are no PFCP message, over a response from another address than
 * its request went to or with a SEID that is not ours, and over a flood. Passed over, with a note,
 * is what a case before may have left under way: responses that nobody waits for, requests about
 * sessions that do not exist (answered with cause 65), and datagrams from foreign addresses.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_PFCP_PATH_H
#define SPILLWAY_RUNNER_EMULATION_PFCP_PATH_H

#include "codecs/pfcp/pfcp.h"
#include "codecs/pfcp/pfcp_check.h"
#include "codecs/pfcp/pfcp_value.h"
#include "runner/case/tc.h"
#include "runner/net/datagram.h"

/* A PFCP entity of the tester; smf_end() and upf_end() give it. */
struct pfcp_end;
/* A request that we sent, and what became of it. */
struct pfcp_exchange;

/* One PFCP message of the IUT: decoded leniently, kept as received until the case ends. */
struct pfcp_received {
	uint64_t time; /* arrival, loop time in us */
	struct pfcp_end *end;
	unsigned int address;	 /* of ours that it came to: 0 the first of the entity */
	struct net_address peer; /* where it came from */
	struct octets octets;	 /* the message alone, without a following one */
	struct pfcp_message msg;
	/* What TS 29.244 7.6 has a receiver do about it. */
	struct pfcp_verdict check;
	const struct finding *findings;
	size_t finding_count; /* at most 16 are kept */
	/*
	 * The request that came first, where this one repeats it (same sequence number); this one
	 * itself, where the first was not kept.
	 */
	const struct pfcp_received *repeats;
	void *session; /* struct smf_session or upf_session that its SEID means; NULL: none */
};

/* Sees a message just before it is encoded, and may change it; msg->type says which it is. */
typedef void pfcp_alter_fn(struct pfcp_message *msg, void *arg);

/* Message priority of a request: PFCP_PRIORITY(3); 0 means none (MP = 0). */
#define PFCP_PRIORITY(value) ((value) + 1)

/* Repetition of requests of ours, TS 29.244 6.4. */
#define PFCP_T1 (3 * US_PER_S)
#define PFCP_N1 3

/*
 * Sees every message of the IUT that is kept, at every entity, before anything is done about it;
 * one watcher, from now on. It is called by the loop: tc_end_later, not tc_fail.
 */
typedef void pfcp_watch_fn(const struct pfcp_received *m, void *arg);
void pfcp_watch(struct tc *t, pfcp_watch_fn *fn, void *arg);

/* The entity does not answer requests of this type any more, or does again. */
void pfcp_ignore(struct pfcp_end *end, enum pfcp_message_type type, bool ignore);
/* Error injection into everything that this entity sends; NULL: no longer. */
void pfcp_bend(struct pfcp_end *end, pfcp_alter_fn *alter, void *arg);

/* An empty message for pfcp_add...(), valid until the case ends; SEID 0. */
struct pfcp_message *pfcp_new(struct tc *t, enum pfcp_message_type type);
/*
 * Sends a request from one of the entity's addresses; its sequence number is set here. It is
 * repeated every PFCP_T1, PFCP_N1 times, octet by octet, until the response is there.
 */
struct pfcp_exchange *pfcp_request(struct pfcp_end *end, unsigned int address,
				   const struct net_address *to, struct pfcp_message *msg);
/*
 * Waits for the response. A silent IUT is dead (tc_iut_dead) after the last repetition and ixit
 * response-time; pfcp_finish_try returns NULL then.
 */
const struct pfcp_received *pfcp_finish(struct pfcp_exchange *exchange);
const struct pfcp_received *pfcp_finish_try(struct pfcp_exchange *exchange);
/* NULL: not yet. */
const struct pfcp_received *pfcp_response(const struct pfcp_exchange *exchange);
/* Not repeated any more; a late response is passed over. */
void pfcp_give_up(struct pfcp_exchange *exchange);
/* The octets of the request as sent last. */
struct octets pfcp_sent_octets(const struct pfcp_exchange *exchange);

/* Any octets, as one datagram. */
void pfcp_send_raw(struct pfcp_end *end, unsigned int address, const struct net_address *to,
		   struct octets octets);

struct tc *pfcp_end_tc(const struct pfcp_end *end);
const char *pfcp_end_name(const struct pfcp_end *end); /* "smf1", "upf2" */
const struct net_address *pfcp_end_address(const struct pfcp_end *end, unsigned int address);
unsigned int pfcp_end_addresses(const struct pfcp_end *end);
/* The sequence number that the next request gets (24 bits). */
void pfcp_next_sequence(struct pfcp_end *end, uint32_t sequence_number);

/* --- what is in a message --- */

/*
 * Overload or load control information of a message: how many instances there are at message
 * level, and the members of the first that count (7.6.10), as far as they are there and long
 * enough.
 */
struct pfcp_information {
	size_t instances;
	bool has_sequence_number, has_metric, has_timer, has_flags;
	uint32_t sequence_number;
	uint8_t metric; /* as on the wire */
	uint8_t timer;	/* the octet */
	uint8_t flags;
	struct octets octets; /* the members of the first instance */
};
/* m may be NULL: no instance. */
struct pfcp_information pfcp_received_oci(const struct pfcp_received *m);
struct pfcp_information pfcp_received_lci(const struct pfcp_received *m);

#endif
