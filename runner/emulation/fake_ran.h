/*
 * The gNB, N3IWF and UEs of the tests of the network's side: just enough of them to get in, with a
 * back-off timer, and able to go wrong at any chosen message in every way a peer can. It checks
 * what it gets with its own code, so that the tests do not lean on the reference IUTs.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_FAKE_RAN_H
#define SPILLWAY_RUNNER_EMULATION_FAKE_RAN_H

#include "codecs/ngap/ngap.h"
#include "runner/case/iut.h"

enum fake_ran_wrong {
	FAKE_RAN_RIGHT,
	FAKE_RAN_SILENT,    /* the message is not sent, nor any after it */
	FAKE_RAN_GARBAGE,   /* random octets in its place */
	FAKE_RAN_TRUNCATED, /* its first half */
	FAKE_RAN_FLIPPED,   /* one bit wrong, a different one each time */
	FAKE_RAN_WRONG_PPID,
	FAKE_RAN_HUGE,	      /* 60,000 octets behind a good header */
	FAKE_RAN_FLOOD,	      /* the message without end */
	FAKE_RAN_FLOOD_ERROR, /* ERROR INDICATION without end */
	FAKE_RAN_SHUTDOWN,
	FAKE_RAN_ABORT,
	FAKE_RAN_TWICE,
	FAKE_RAN_EMPTY,	   /* a message of no octets */
	FAKE_RAN_WRONG_UE, /* UPLINK NAS TRANSPORT with an AMF UE NGAP ID of nobody */
	FAKE_RAN_OTHER_UE, /* UE 2 sends a REGISTRATION REQUEST instead */
	FAKE_RAN_WRONGS,
};
const char *fake_ran_wrong_name(enum fake_ran_wrong wrong);

/* How the next IUT is to behave; the tests set it before a case runs. */
struct fake_ran_plan {
	enum fake_ran_wrong wrong;
	unsigned int at; /* which message it sends, from 0 */
	bool no_restart; /* the adapter has neither restart nor start: it retries by itself */
	bool never_connects;
	bool no_setup;
	bool one_association; /* adds no TNL association */
	bool n3iwf;	      /* a second node */
	bool foreign_plmn;    /* broadcasts a PLMN of nobody */
	bool setup_on_update; /* no Global RAN Node ID in its RAN CONFIGURATION UPDATE */
	/* UEs */
	unsigned int behind;   /* ms before each NAS answer */
	uint64_t back_off;     /* us; 0: T3346 as it was received */
	bool ignores_back_off; /* sends again after 1 s */
	bool early_transport;  /* 1 s after a reject a connection with UL NAS TRANSPORT */
	bool early_unreadable; /* and that with a wrong MAC */
	bool never_retries;
	bool falls_to_suci; /* registers with SUCI after a back-off */
	bool has_no_usim;   /* registers with its IMEI */
	bool unknown_guti;  /* begins with a 5G-GUTI of nobody */
	bool wrong_res;
	bool stale_sqn;	     /* its SQN is ahead */
	bool plain_complete; /* SECURITY MODE COMPLETE without protection */
	bool no_paging_response;
	/* attempts: what is said, and done, in place of what was asked for; -1: as asked */
	int offered, sent, rejected;
	bool says_nothing;
	bool goes_on_sending;

	/* what it saw */
	unsigned int messages; /* that it sent */
	unsigned int setups, responses, failures;
	int capacity;
	unsigned int updates, added;
	uint8_t weights[4];
	unsigned int accepts, rejects, completes, deregistrations, pages, releases, contexts;
	unsigned int bad_macs, resets, error_indications, status_indications;
	bool last_reject_protected, last_reject_had_t3346;
	uint8_t last_reject_cause, last_t3346, last_t3502;
	uint8_t start[1 << 16]; /* the last OVERLOAD START or STOP, as octets */
	size_t start_len;
	unsigned int starts, stops;
};
extern struct fake_ran_plan fake_ran_plan;

extern const struct iut_ops fake_ran;	 /* of role ran */
extern const struct iut_ops fake_ran_ue; /* the same, of role ue */

#endif
