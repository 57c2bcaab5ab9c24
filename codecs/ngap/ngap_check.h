/*
 * What a receiver has to do about a message by TS 38.413 clause 10, as a pass of its own over a
 * decoded message: the same message may be sent on purpose by a case and judged by a reference.
 */
#ifndef SPILLWAY_CODECS_NGAP_CHECK_H
#define SPILLWAY_CODECS_NGAP_CHECK_H

#include "codecs/ngap/ngap.h"

/* In rising order of severity; finding.reaction is one of these. */
enum ngap_reaction {
	NGAP_REACTION_NONE,
	NGAP_REACTION_IGNORE_IE, /* skip the IE, go on */
	NGAP_REACTION_NOTIFY_IE, /* skip the IE, go on, and report it (10.3.4.2, 10.3.5) */
	NGAP_REACTION_IGNORE,	 /* drop the message, go on, no report */
	NGAP_REACTION_NOTIFY,	 /* drop the message and send ERROR INDICATION (10.3.4.1) */
	NGAP_REACTION_REJECT,	 /* reject the procedure: its failure message if it has one that can
				    be built, else ERROR INDICATION */
	NGAP_REACTION_TERMINATE, /* response message: consider the procedure failed, local handling
				  */
};

struct ngap_verdict {
	enum ngap_reaction reaction; /* the most severe one of all findings */
	enum ngap_reaction report; /* NOTIFY_IE where an accepted message has something to report */
	enum ngap_cause_protocol cause; /* for REJECT, NOTIFY and NOTIFY_IE */
	bool error_indication;		/* what has to be told is told by an ERROR INDICATION */
	bool in_response;     /* what has to be told is told in the procedure's own response */
	bool failure_message; /* REJECT: the procedure has an unsuccessful outcome for it */
};

/*
 * Checks presence, criticality, order and number of occurrences. Every deviation becomes a finding
 * with its id and reaction. Never asks for an answer to an ERROR INDICATION.
 */
struct ngap_verdict ngap_check(const struct ngap_pdu *pdu, struct findings *findings);

/* The verdict on octets that ngap_decode refused (10.2); pdu as ngap_decode left it. */
struct ngap_verdict ngap_check_undecodable(struct octets in);

/*
 * The CriticalityDiagnostics that reports these findings (10.3.4.2, 9.3.1.3): procedure and
 * triggering message if they go into an ERROR INDICATION, one item for each IE that is missing or
 * not understood, 256 at most. NULL if the arena is too small.
 */
const struct ngap_criticality_diagnostics *ngap_diagnostics(const struct ngap_pdu *pdu,
							    const struct findings *findings,
							    bool error_indication,
							    struct arena *arena);

#endif
