/*
 * What the cases of sbi-oci-server share: consumers of the producer under test, requests that have
 * it say what it has to say of its overload and load, and what it said.
 *
 * How often a producer repeats its overload control information is its own business (29.500
 * 6.4.3.3), so a case asks until something came, and judges what came.
 */
#ifndef SPILLWAY_SUITES_SBI_OCI_SERVER_SERVER_H
#define SPILLWAY_SUITES_SBI_OCI_SERVER_SERVER_H

#include <inttypes.h>

#include "runner/case/expect_sbi.h"

extern const struct test_case srv_header_cases[], srv_inform_cases[], srv_timestamp_cases[],
	srv_status_cases[], srv_priority_cases[], srv_load_cases[], srv_token_cases[];
enum {
	SRV_HEADER_CASES = 6,
	SRV_INFORM_CASES = 5,
	SRV_TIMESTAMP_CASES = 7,
	SRV_STATUS_CASES = 6,
	SRV_PRIORITY_CASES = 3,
	SRV_LOAD_CASES = 3,
	SRV_TOKEN_CASES = 6,
};

/* One element of OCI or LCI, and the answer that it came with. */
struct srv_item {
	const struct sbi_response *response;
	const struct sbi_load *load;
};

enum { SRV_ITEMS_MAX = 8192 };

struct srv {
	struct tc *t;
	struct sbi_peer *consumer;
	size_t plain; /* operation that does not subscribe */
	/* every element that came to requests by srv_request, in order */
	struct srv_item oci[SRV_ITEMS_MAX], lci[SRV_ITEMS_MAX];
	size_t oci_count, lci_count;
	size_t answers;
};

/* A consumer, whose first request is served: else inconc. */
struct srv *srv_start(struct tc *t);
/* Asks for the plain operation and notes what the answer says of load. */
#define srv_request(srv, peer, ...) \
	srv_request_with((srv), (peer), &(struct sbi_ask){ .unused_ = 0, __VA_ARGS__ })
const struct sbi_response *srv_request_with(struct srv *srv, struct sbi_peer *peer,
					    const struct sbi_ask *ask);
/* Notes what an answer says. */
void srv_note(struct srv *srv, const struct sbi_response *response);
/* A resource that is not there: an answer with an error status. */
const struct sbi_response *srv_missing(struct srv *srv, struct sbi_peer *peer);
/* Every operation of the profile, and a resource that is not there. */
void srv_request_all(struct srv *srv, struct sbi_peer *peer);

__attribute__((format(printf, 2, 3))) void srv_overload(struct srv *srv, const char *format, ...);

/*
 * Requests of this consumer until an answer has OCI (LCI); its last element. Fails the case where
 * none of several has it (SB-S-06).
 */
const struct srv_item *srv_oci(struct srv *srv, struct sbi_peer *peer);
const struct srv_item *srv_lci(struct srv *srv, struct sbi_peer *peer);
/* The same until its metric is another than this item's; NULL where it stays. */
const struct srv_item *srv_other_oci(struct srv *srv, struct sbi_peer *peer,
				     const struct srv_item *than);
/* The same, and inconc where it stays: the adapter's action had no effect. */
const struct srv_item *srv_new_oci(struct srv *srv, struct sbi_peer *peer,
				   const struct srv_item *than);

bool srv_has_slices(const struct sbi_load *load);
/* An IUT of this NF type: as it is, or as `nf-config` makes it; else na. */
void srv_be(struct srv *srv, const char *nf_type);
/* The first slice of the profile as control actions have it: "1-010203". */
void srv_slice(struct tc *t, size_t i, char out[16]);

/* How many changes of the metric were of less than 5 points, of all from this item on. */
struct srv_ramp {
	unsigned int changes, small;
};
struct srv_ramp srv_ramp(const struct srv_item *items, size_t count);
/* More than half of at least five. */
bool srv_fidgets(const struct srv_ramp *ramp);

/* Ends the case: what is wrong with this answer, with the answer printed. */
__attribute__((format(printf, 3, 4))) noreturn void
srv_violation(struct tc *t, const struct sbi_response *response, const char *format, ...);
/* The same as tc_should, with the answer printed where it ends the case. */
__attribute__((format(printf, 4, 5))) void srv_should(struct tc *t,
						      const struct sbi_response *response,
						      const char *requirement, const char *format,
						      ...);

/* Between two looks at a producer that tells at most so often. */
#define SRV_PACE  (200 * US_PER_MS)
#define SRV_NEEDS (NEEDS(ICS_OLC_H))

#endif
