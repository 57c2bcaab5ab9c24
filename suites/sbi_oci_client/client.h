/*
 * What the cases of sbi-oci-client share: a consumer under the tester's producers, operations
 * offered at its upper side, and verdicts on how many of their requests reach a producer.
 *
 * What came on the wire decides; what the adapter says is checked against it. "All" and "none" are
 * exact: before any overload the same operations have all arrived, so the way loses nothing. Shares
 * in between are statistics (design/architecture.md, "Numbers").
 */
#ifndef SPILLWAY_SUITES_SBI_OCI_CLIENT_CLIENT_H
#define SPILLWAY_SUITES_SBI_OCI_CLIENT_CLIENT_H

#include "runner/case/expect_sbi.h"
#include "runner/case/stats.h"

/* The tables of the files of this suite; suite.c joins them. */
enum {
	CLI_LOSS_CASES = 10,
	CLI_VALIDITY_CASES = 7,
	CLI_SCOPE_CASES = 9,
	CLI_SYNTAX_CASES = 1,
	CLI_STATUS_CASES = 7,
	CLI_PRIORITY_CASES = 5,
	CLI_LOAD_CASES = 3,
	CLI_TOKEN_CASES = 4,
	CLI_SCP_CASES = 7,
};
extern const struct test_case cli_loss_cases[CLI_LOSS_CASES];
extern const struct test_case cli_validity_cases[CLI_VALIDITY_CASES];
extern const struct test_case cli_scope_cases[CLI_SCOPE_CASES];
extern const struct test_case cli_syntax_cases[CLI_SYNTAX_CASES];
extern const struct test_case cli_status_cases[CLI_STATUS_CASES];
extern const struct test_case cli_priority_cases[CLI_PRIORITY_CASES];
extern const struct test_case cli_load_cases[CLI_LOAD_CASES];
extern const struct test_case cli_token_cases[CLI_TOKEN_CASES];
extern const struct test_case cli_scp_cases[CLI_SCP_CASES];

/* Long enough for any number of requests that is offered at one point; seconds. */
enum { CLI_LONG = 3600, CLI_RATE = 200 };

/* A producer of what the IUT asks for, with a set, a service set and this NRF priority. */
struct sbi_peer *cli_peer(struct tc *t, int priority);
/* The IUT discovers what was made so far, and everything that it is offered comes. */
void cli_begin(struct tc *t);
/* One producer, and cli_begin. */
struct sbi_peer *cli_producer(struct tc *t);
/*
 * The current information of a producer reaches the IUT, in the answer to a request; returns when
 * that was.
 */
uint64_t cli_tell(struct sbi_peer *peer);

/* Operations that all come, or none, with success; else the requirement of the case is violated. */
__attribute__((format(printf, 3, 4))) void cli_all_sent(struct tc *t, const char *why,
							const char *format, ...);
__attribute__((format(printf, 3, 4))) void cli_none_sent(struct tc *t, const char *why,
							 const char *format, ...);
/* Evidence that the IUT acts on OCI, where the case is about something else. */
__attribute__((format(printf, 2, 3))) void cli_something_shed(struct tc *t, const char *format,
							      ...);
/*
 * The share of operations that come is `stated` (0..1) within 5 points: at this producer, or at all
 * of them together (NULL). Offers them in steps until that is decided; returns their sum. count= is
 * added to the arguments.
 */
__attribute__((format(printf, 4, 5))) struct sbi_offered
cli_share(struct tc *t, double stated, const struct sbi_peer *at, const char *format, ...);
/* Judges n offered, of which k came. */
void cli_judge(struct tc *t, double stated, const char *why, uint64_t n, uint64_t k);
struct share_test cli_share_test(const struct tc *t, double stated);
/* A figure that the last control action returned; na where it returns none of this name. */
uint64_t cli_figure(struct tc *t, const char *name);

#endif
