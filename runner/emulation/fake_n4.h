/*
 * The UP function and the CP function of the tests of the N4 emulation: just enough of them, built
 * from octets by hand, and able to go wrong at any chosen message in every way a peer can.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_FAKE_N4_H
#define SPILLWAY_RUNNER_EMULATION_FAKE_N4_H

#include "runner/case/iut.h"

enum fake_n4_wrong {
	FAKE_N4_RIGHT,
	FAKE_N4_SILENT,	   /* the message is not sent, nor any after it */
	FAKE_N4_LOST,	   /* this one alone is not sent */
	FAKE_N4_GARBAGE,   /* octets of no meaning in its place */
	FAKE_N4_TRUNCATED, /* its first half */
	FAKE_N4_EMPTY,
	FAKE_N4_VERSION,   /* 2 */
	FAKE_N4_LENGTH,	   /* the length field says 4 more than there is */
	FAKE_N4_IE_LENGTH, /* that of its last IE */
	FAKE_N4_HUGE,	   /* filled up to 65,507 octets with unknown IEs */
	FAKE_N4_NESTED,	   /* grouped IEs 100 deep behind it */
	FAKE_N4_TWICE,
	FAKE_N4_FLOOD_SAME, /* 100,000 times */
	FAKE_N4_FLOOD,	    /* 100,000 Session Report Requests (from a CP: Heartbeat Requests) */
	FAKE_N4_SEQUENCE,   /* another sequence number */
	FAKE_N4_SEID,	    /* another SEID */
	FAKE_N4_PEER,	    /* from another address of it */
	FAKE_N4_GONE,	    /* its ports are closed: ICMP port unreachable */
	FAKE_N4_WRONGS,
};

struct fake_n4_plan {
	enum fake_n4_wrong wrong;
	unsigned int at;      /* which message it sends, from 0 */
	bool no_restart;      /* CP: the adapter has neither restart nor start */
	bool stays_away;      /* CP: it never associates */
	uint8_t cause;	      /* UP: of establishments; 0: accepted */
	unsigned int refresh; /* UP: repetition of a report that differs, from 1; 0: none */
	int offered, failed;  /* CP: what is said in place of what was done; -1: the truth */
	bool says_nothing;
	unsigned int drops; /* CP: so many of the procedures are not sent, and failed */

	/* what it saw */
	unsigned int messages; /* that it sent */
	unsigned int requests, repeated, report_responses, heartbeats;
	uint32_t last_recovery;
	uint8_t last[4096]; /* the last message that came */
	size_t last_len;
};
extern struct fake_n4_plan fake_n4_plan;

extern const struct iut_ops fake_up;
extern const struct iut_ops fake_cp;

#endif
