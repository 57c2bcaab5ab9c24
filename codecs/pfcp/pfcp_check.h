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
	PFCP_REACTION_DISCARD,	 /* silently (7.6.3, 7.6.4; Heartbeat Requests) */
	PFCP_REACTION_VERSION_NOT_SUPPORTED, /* answer with that message, discard (7.6.2) */
};

struct pfcp_verdict {
	enum pfcp_reaction reaction; /* the most severe one of all findings */
	uint8_t cause;		     /* REJECT: enum pfcp_cause_value, 66 to 69 */
	int32_t offending_ie;	     /* REJECT: type of the IE to be named, -1 for none */
};

/*
 * Lengths, values, presence, repetition and place of all IEs. Every deviation becomes a finding
 * with its type (finding.ie), offset and reaction. A member of a grouped IE counts by the presence
 * of the group (7.2.3.2). A response with a rejection cause needs no other IE (7.2.3.2). Of
 * conditional IEs only those are asked for whose condition stands in the message itself; an IE of
 * length zero is no error (8.1.2) where its value may be empty.
 */
struct pfcp_verdict pfcp_check(const struct pfcp_message *msg, struct findings *findings);

/*
 * The verdict on octets that pfcp_decode refused, and on findings of its own (an IE length beyond
 * the message, a datagram of another length): finding is the first one that pfcp_decode stored,
 * msg as it left it.
 */
struct pfcp_verdict pfcp_check_decoding(const struct pfcp_message *msg,
					const struct finding *finding);

/* Short text of a reaction ("reject"); never NULL. */
const char *pfcp_reaction_name(enum pfcp_reaction reaction);

#endif
