/*
 * What the expectations on either side of N2 share: how a message that was found stands to what was
 * expected, and how the case ends over it. Used by expect.c and expect_nw.c only.
 */
#ifndef SPILLWAY_RUNNER_CASE_EXPECT_END_H
#define SPILLWAY_RUNNER_CASE_EXPECT_END_H

#include "runner/case/expect.h"

struct entry;

enum seen {
	SEEN_NOTHING,
	SEEN_MATCH,
	SEEN_NEVER, /* of a type or cause that may never come */
	SEEN_OTHER, /* not what was expected, and not harmless */
};

/* The message type of an entry of a queue: enum mm_message, or enum ngap_message. */
unsigned int expect_entry_type(const struct entry *entry);

/* Ends the case with this reason unless the outcome is to return. */
void expect_end(struct tc *t, enum outcome outcome, const char *reason);
enum outcome expect_outcome(enum outcome outcome, enum outcome preset);
/* why may be NULL. */
void expect_because(struct text *reason, const char *why);

/* "no X within N ms; the last message sent was Y"; last_sent may be NULL. */
void expect_ngap_silence(struct text *reason, uint64_t types, uint64_t within,
			 const char *last_sent);
/* What is wrong with a message that is SEEN_NEVER or SEEN_OTHER, and the outcome of it. */
enum outcome expect_ngap_unmet(struct text *reason, enum seen seen, uint64_t types,
			       enum outcome otherwise, const struct ngap_received *m);

#endif
