/*
 * What a receiver has to do about a message by TS 29.244 7.6, as a pass of its own over a decoded
 * message: the same message may be sent on purpose by a case and judged by a reference.
 */
#ifndef SPILLWAY_CODECS_PFCP_PFCP_CHECK_H
#define SPILLWAY_CODECS_PFCP_PFCP_CHECK_H

#include "codecs/pfcp/pfcp.h"

/* In rising order of severity; finding.reaction is one of these. */
enum pfcp_reaction {
	PFCP_REACTION_NONE,
	PFCP_REACTION_IGNORE_IE, /* as if the IE were not there, go on (7.6.8, 7.6.9, 7.6.10) */
	PFCP_REACTION_NOTIFY,	 /* a response: stop retransmitting the request, tell the
				    application of the error (7.6.3, 7.6.6, 7.6.8) */
	PFCP_REACTION_REJECT,	 /* a request: send its response with the cause */
	PFCP_REACTION_DISCARD,	 /* silently (7.6.3, 7.6.4) */
	PFCP_REACTION_VERSION_NOT_SUPPORTED, /* answer with that message, then discard (7.6.2) */
};

struct pfcp_verdict {
	enum pfcp_reaction reaction; /* the most severe one of all findings */
	uint8_t cause;		     /* REJECT: enum pfcp_cause_value, 66 to 69 */
	int32_t offending_ie;	     /* REJECT: type of the IE to be named, -1 for none */
};

/*
 * Lengths, values, presence, repetition and place of all IEs. Every deviation becomes a finding
 * with the type of the IE (finding.ie), its offset and what 7.6 asks for.
 *
 * - A member of a grouped IE counts by the presence of the group too (7.2.3.2). A mandatory member
 *   that an optional group lacks makes the group count as absent (7.6.8), no more.
 * - A length field beyond the end of its scope is an invalid length (7.6.7): cause 68 in a request,
 *   whatever the presence. A value that is too short for its fixed part while its length field is
 *   true is semantically incorrect (7.6.8): cause 69 where the IE is mandatory or conditional. Some
 *   receivers answer 68 there, which the text does not exclude.
 * - A value of length zero that is not mandatory is no error in a Session Modification Request and
 *   an Association Update Request, where it removes what was provisioned (8.1.2, 5.6.3).
 * - Of conditional IEs only those are asked for whose condition stands in the message itself: what
 *   a Report Type or Node Report Type announces, the F-SEID of an accepted establishment.
 * - A response with a rejection cause needs no other IE (7.2.3.2, 7.6.6).
 * - A Heartbeat Request cannot be rejected: what would be a rejection is DISCARD.
 * - Vendors' IEs are no deviation anywhere.
 */
struct pfcp_verdict pfcp_check(const struct pfcp_message *msg, struct findings *findings);

/* The verdict on octets that pfcp_decode refused; rule is what it returned. */
struct pfcp_verdict pfcp_check_refused(enum finding_rule rule);

/* Short text of a reaction ("reject"), static storage. */
const char *pfcp_reaction_name(enum pfcp_reaction reaction);

#endif
