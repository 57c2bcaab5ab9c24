/* How an expectation that was not met prints; used by expect*.c only. */
#ifndef SPILLWAY_RUNNER_CASE_EXPECT_PRINT_H
#define SPILLWAY_RUNNER_CASE_EXPECT_PRINT_H

#include "runner/case/expect.h"

/* "SERVICE ACCEPT or SERVICE REJECT"; "a message" for 0. */
void print_nas_types(struct text *out, uint64_t types);
void print_ngap_types(struct text *out, uint64_t types);

/* One line: "SERVICE REJECT, 5GMM cause 22 (Congestion), ... (integrity protected)". */
void print_nas_received(struct text *out, const struct nas_received *m);
/* "ErrorIndication, cause protocol/..." */
void print_ngap_received(struct text *out, const struct ngap_received *m);

/*
 * Expected against received, field by field, fields that differ marked with "!"; then every field
 * of the message received and its octets; then the clause.
 */
void print_nas_comparison(struct text *out, const struct tc *t,
			  const struct expectation *expectation, const struct nas_received *m);
void print_ngap_comparison(struct text *out, const struct tc *t,
			   const struct expectation *expectation, const struct ngap_received *m);

#endif
