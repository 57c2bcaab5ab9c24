/*
 * Expectations on SBI: what has to come from the IUT, and what stands in it. Answers to requests of
 * ours are at hand (sbi_finish), and expect_answer holds them against conditions; requests of the
 * IUT (notifications, NFRegister) are looked for at a server, and expect_sbi waits for the first
 * one since the last that it took. A mismatch is printed side by side, with the clause.
 */
#ifndef SPILLWAY_RUNNER_CASE_EXPECT_SBI_H
#define SPILLWAY_RUNNER_CASE_EXPECT_SBI_H

#include "runner/case/expect.h"
#include "runner/case/stats.h"
#include "runner/emulation/sbi_load.h"

struct sbi_expectation {
	int unused_;
	/* of a request */
	const char *method; /* NULL: any */
	const char *path;   /* how it begins; NULL: any */
	uint64_t within;    /* us; 0: profile->response_time */
	/* of an answer */
	unsigned int status; /* 201; 2: any of 2xx; 0: any */
	unsigned int not_status;
	const char *cause;	  /* of ProblemDetails */
	const char *content_type; /* before its parameters */
	enum presence location, retry_after;
	/* of both */
	enum presence oci, lci; /* PRESENT: and conforms to the grammar */
	int64_t metric;		/* SBI_VALUE(): of the first OCI */
	int priority;		/* SBI_VALUE() */
	const char *why;	/* a sentence for the report */
	/* unmet: default OUTCOME_VIOLATION. silence: tc_iut_dead */
	enum outcome unmet, silence;
};
#define SBI_EXPECTATION(...) (&(struct sbi_expectation){ .unused_ = 0, __VA_ARGS__ })

/* Returns the answer, or NULL (OUTCOME_RETURN). */
#define expect_answer(t, response, ...) \
	expect_answer_with((t), (response), SBI_EXPECTATION(__VA_ARGS__))
const struct sbi_response *expect_answer_with(struct tc *t, const struct sbi_response *response,
					      const struct sbi_expectation *expectation);

/* The next request to this server that has the method and the path; others are passed over. */
#define expect_sbi(t, server, ...) expect_sbi_with((t), (server), SBI_EXPECTATION(__VA_ARGS__))
const struct sbi_received *expect_sbi_with(struct tc *t, struct sbi_server *server,
					   const struct sbi_expectation *expectation);
/* No request with the method and the path within .within. */
#define expect_no_sbi(t, server, ...) \
	expect_no_sbi_with((t), (server), SBI_EXPECTATION(__VA_ARGS__))
void expect_no_sbi_with(struct tc *t, struct sbi_server *server,
			const struct sbi_expectation *expectation);
/* What has come to it so far is not looked for any more. */
void forget_sbi(struct tc *t, struct sbi_server *server);

#endif
