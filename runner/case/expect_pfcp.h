/*
 * Expectations on N4: what has to come from the IUT, and what stands in it. As in expect.h: an
 * expectation takes the first message of an entity's inbox that matches, passes over what a default
 * behaviour answered (repetitions too), and any other message ends the case, named and printed
 * against what was expected.
 *
 * Responses do not go through the inbox: whoever sends a request gets its response (smf.h, upf.h),
 * and expect_response judges it by the same conditions.
 */
#ifndef SPILLWAY_RUNNER_CASE_EXPECT_PFCP_H
#define SPILLWAY_RUNNER_CASE_EXPECT_PFCP_H

#include "runner/case/expect.h"
#include "runner/case/stats.h"
#include "runner/emulation/pfcp_path.h"

/* Values of which 0 is one: .metric = PFCP_VALUE(0). */
#define PFCP_VALUE(value) ((int64_t)(value) + 1)

struct pfcp_expectation {
	int unused_;
	uint64_t type;	 /* enum pfcp_message_type or ONE_OF() some; 0: any that is not harmless */
	uint64_t never;	 /* types that violate the requirement at once */
	uint64_t within; /* us; 0: profile->response_time */
	bool repetition; /* of a request that came before; otherwise they are passed over */
	/* conditions on the message of the expected type; 0: not looked at */
	int cause;		    /* Cause IE */
	bool accepted;		    /* Cause IE says so */
	int priority;		    /* PFCP_PRIORITY(n) */
	enum presence has_priority; /* MP */
	enum presence oci, lci;
	/* of the overload control information, that counts (the first) */
	int64_t metric, sequence_number, timer; /* PFCP_VALUE() */
	enum presence aoci;			/* OCI Flags with bit AOCI */
	const char *why;			/* a sentence for the report */
	/* unmet: default OUTCOME_VIOLATION. otherwise: OUTCOME_FAIL. silence: tc_iut_dead */
	enum outcome unmet, otherwise, silence;
};
#define PFCP_EXPECTATION(...) (&(struct pfcp_expectation){ .unused_ = 0, __VA_ARGS__ })

/* The next request of the IUT to this entity. */
#define expect_pfcp(t, end, ...) expect_pfcp_with((t), (end), PFCP_EXPECTATION(__VA_ARGS__))
const struct pfcp_received *expect_pfcp_with(struct tc *t, struct pfcp_end *end,
					     const struct pfcp_expectation *expectation);
/* Nothing of .type (0: any that is not harmless) within .within. */
#define expect_no_pfcp(t, end, ...) expect_no_pfcp_with((t), (end), PFCP_EXPECTATION(__VA_ARGS__))
void expect_no_pfcp_with(struct tc *t, struct pfcp_end *end,
			 const struct pfcp_expectation *expectation);
/* Drops what waits in the inbox. */
void forget_pfcp(struct pfcp_end *end);

/* A message at hand has to be of .type (0: any) and meet the conditions. Returns m, or NULL. */
#define expect_response(t, m, ...) expect_response_with((t), (m), PFCP_EXPECTATION(__VA_ARGS__))
const struct pfcp_received *expect_response_with(struct tc *t, const struct pfcp_received *m,
						 const struct pfcp_expectation *expectation);

#endif
