/*
 * Many UEs at once, for conditions on shares and spreads: each sends the same request at its own
 * instant, and what came back is kept for each. Event-driven: the crowd is as many UEs as the
 * profile has subscribers, in virtual time and live.
 *
 *	struct crowd *crowd = crowd_new(t, &gnb, 1, 300);
 *	crowd_registered(crowd);				// before congestion
 *	congest(t);
 *	crowd_run(crowd, CROWD_SERVICE_REQUEST, US_PER_S);	// 300 requests evenly over 1 s
 *	for (uint32_t i = 0; i < 300; i++)
 *		use(crowd_answer(crowd, i));
 */
#ifndef SPILLWAY_RUNNER_EMULATION_CROWD_H
#define SPILLWAY_RUNNER_EMULATION_CROWD_H

#include "runner/emulation/ue.h"

struct crowd;

enum crowd_request {
	CROWD_REGISTRATION,    /* initial registration */
	CROWD_SERVICE_REQUEST, /* of type data; the UEs must be registered */
	CROWD_MOBILITY_UPDATE,
	CROWD_PERIODIC_UPDATE,
};

enum crowd_outcome {
	CROWD_SILENT,	/* nothing within the response time */
	CROWD_ACCEPTED, /* REGISTRATION ACCEPT, SERVICE ACCEPT */
	CROWD_REJECTED, /* REGISTRATION REJECT, SERVICE REJECT */
	CROWD_OTHER,	/* another message ended it: DEREGISTRATION REQUEST, 5GMM STATUS, ... */
};

struct crowd_answer {
	enum crowd_outcome outcome;
	uint64_t sent;	       /* loop time in us */
	uint64_t answered;     /* 0 when silent */
	uint8_t type;	       /* of the message that decided */
	int cause;	       /* 5GMM cause, -1 if none */
	struct timer_ie t3346; /* its value octets live as long as the crowd */
};

/* count new UEs, in turn behind the nodes. na where the profile has too few subscribers. */
struct crowd *crowd_new(struct tc *t, struct gnb *const *gnbs, size_t gnb_count, uint32_t count);
uint32_t crowd_count(const struct crowd *crowd);
struct ue *crowd_ue(const struct crowd *crowd, uint32_t i);

/* All registered and CM-IDLE, at 200 UEs a second; else the case ends (inconc, tc_iut_dead). */
void crowd_registered(struct crowd *crowd);

/*
 * Each UE sends the request, evenly over `over` us; returns when all have their outcome. A
 * connection that is left open after the outcome is released by the node.
 */
void crowd_run(struct crowd *crowd, enum crowd_request request, uint64_t over);
const struct crowd_answer *crowd_answer(const struct crowd *crowd, uint32_t i);

#endif
