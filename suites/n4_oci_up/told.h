/*
 * What the cases of n4-oci-up share: CP functions with sessions, the overload that the IUT is told
 * to have, the traffic that its overload control information comes with, and what came.
 *
 * How often a UP function says what it has to say is its own business (29.244 6.2.4.3.3): only when
 * it has changed, in a subset of the messages, periodically. So a case makes traffic until
 * something came, and judges what came.
 */
#ifndef SPILLWAY_SUITES_N4_OCI_UP_TOLD_H
#define SPILLWAY_SUITES_N4_OCI_UP_TOLD_H

#include <inttypes.h>

#include "runner/case/expect_pfcp.h"
#include "runner/emulation/smf.h"

extern const struct test_case told_format_cases[], told_sequence_cases[], told_inform_cases[],
	told_repeat_cases[], told_load_cases[];
enum {
	FORMAT_CASES = 11,
	SEQUENCE_CASES = 6,
	INFORM_CASES = 6,
	REPEAT_CASES = 3,
	LOAD_CASES = 4,
};

enum { TOLD_MAX = 4096 };

/* One message that had information in it. */
struct told_item {
	const struct pfcp_received *m;
	struct pfcp_information information;
};

/* All that came, in order, over all CP functions. */
struct told {
	struct tc *t;
	struct smf *smf;		     /* the first CP function, and a session of it */
	struct smf_session *session, *other; /* other: of another CP function */
	struct told_item oci[TOLD_MAX], lci[TOLD_MAX];
	size_t oci_count, lci_count;
	/* The first message that had OCI (LCI) where there is no place for it; NULL: none. */
	const struct pfcp_received *misplaced_oci, *misplaced_lci;
	/* The first message that had more than one. */
	const struct pfcp_received *repeated_oci, *repeated_lci;
	size_t messages; /* of the four that may have it */
};

/* One CP function that is associated, with one session; everything that comes is looked at. */
struct told *told_start(struct tc *t);

/* The session that this CP function has its traffic with; set up where there is none. */
struct smf_session *told_session(struct told *told, struct smf *smf);

/* "overload" with these arguments. */
__attribute__((format(printf, 2, 3))) void told_overload(struct told *told, const char *format,
							 ...);

/* The four messages that may carry information. */
enum told_place {
	IN_MODIFICATION,
	IN_ESTABLISHMENT,
	IN_DELETION,
	IN_REPORT,
};
/*
 * One message of this kind from the IUT about a session of this CP function. NULL where the adapter
 * has no `report`, or no report comes of it.
 */
const struct pfcp_received *told_provoke(struct told *told, struct smf *smf, enum told_place place);

/*
 * Traffic until OCI (LCI) comes to this CP function. Fails the case where none comes at all in
 * several messages of each kind (N4-U-14).
 */
const struct told_item *told_oci(struct told *told, struct smf *smf);
const struct told_item *told_lci(struct told *told, struct smf *smf);
/* The same until its content is another than this one's; NULL where it stays the same. */
const struct told_item *told_other_oci(struct told *told, struct smf *smf,
				       const struct told_item *than);
const struct told_item *told_other_lci(struct told *told, struct smf *smf,
				       const struct told_item *than);
/* The same, and inconc where it stays: the adapter's action had no effect. */
const struct told_item *told_new_oci(struct told *told, struct smf *smf,
				     const struct told_item *than);
/* OCI in a message of this kind, with overload that is new each time; NULL: in none of several. */
const struct told_item *told_oci_in(struct told *told, enum told_place place);

/* Metric, period of validity and flags are the same. */
bool told_same(const struct pfcp_information *a, const struct pfcp_information *b);
/* A sequence number that is larger, or smaller after the end of the range (6.2.4.3.2.1). */
bool told_later(uint32_t number, uint32_t than);
/* "seq 7 metric 40 timer 1e AOCI" */
void told_print(struct text *out, const struct pfcp_information *information);
/* Period of validity in us; LOOP_NEVER: infinite, 0: none or stopped. */
uint64_t told_validity(const struct pfcp_information *oci);
bool told_for_node(const struct pfcp_information *oci); /* AOCI */

/* More than a fifth of at least five changes are smaller than 3 points (N4-U-13, N4-U-27). */
struct told_ramp {
	unsigned int changes, small;
};
struct told_ramp told_ramp(const struct told_item *items, size_t count);
bool told_fidgets(const struct told_ramp *ramp);

/* Ends the case: what is wrong with this message, with the message printed. */
__attribute__((format(printf, 3, 4))) noreturn void
told_violation(struct tc *t, const struct pfcp_received *m, const char *format, ...);
/* All of Sequence Number, Metric and Timer, each as long as it has to be. */
void told_is_whole(struct tc *t, const struct told_item *item);

/* Between two looks at an IUT that tells at most so often. */
#define TOLD_PACE (300 * US_PER_MS)

#endif
