/*
 * What the cases of nrf-load share towards an NRF: NFs that register, keep themselves registered,
 * and look for each other.
 */
#ifndef SPILLWAY_SUITES_NRF_LOAD_NRF_H
#define SPILLWAY_SUITES_NRF_LOAD_NRF_H

#include <inttypes.h>

#include "runner/case/expect_sbi.h"

extern const struct test_case nrfl_profile_cases[], nrfl_load_value_cases[], nrfl_life_cases[],
	nrfl_selection_cases[], nrfl_token_cases[];
enum {
	NRF_PROFILE_CASES = 4,
	NRF_LOAD_CASES = 5,
	NRF_LIFE_CASES = 4,
	NRF_SELECTION_CASES = 7,
	NRF_TOKEN_CASES = 5,
};

#define NRF_SERVICE "nsmf-pdusession"

/* A producer of NF type SMF; not registered yet. */
#define nrfl_producer(t, ...) \
	sbi_peer_start((t), .nf_type = "SMF", .services = NRF_SERVICE, __VA_ARGS__)
/* A consumer of NF type AMF that looks for it. */
struct sbi_peer *nrfl_consumer(struct tc *t);

/* PUT of this profile; NULL: its own. Whatever the answer is. */
const struct sbi_response *nrfl_put(struct sbi_peer *peer, const char *profile);
/* A registration that has to succeed: fails the case otherwise. */
const struct sbi_response *nrfl_register(struct sbi_peer *peer);
/* The same with heartBeatTimer; returns the one that the NRF says, in seconds. */
unsigned int nrfl_register_for(struct sbi_peer *peer, unsigned int heart_beat);
/* With a member more at its beginning: "\"load\":101". Valid until the next call. */
const char *nrfl_profile_with(struct sbi_peer *peer, const char *member);
/* A JSON Patch; whatever the answer is. */
__attribute__((format(printf, 2, 3))) const struct sbi_response *
nrfl_patch(struct sbi_peer *peer, const char *format, ...);
/* PATCH of nfStatus alone. */
const struct sbi_response *nrfl_heart_beat(struct sbi_peer *peer);
void nrfl_must_succeed(struct tc *t, const struct sbi_response *response, const char *what);

/*
 * Discovery of SMFs. The search result, or NULL where it was not answered with 200 (*response says
 * with what; may be NULL).
 */
const struct json_search_result *nrfl_discover(struct sbi_peer *consumer,
					       const struct sbi_response **response);
/* Discovery that has to succeed; the profile of this peer in it; NULL: it is not there. */
const struct json_nf_profile *nrfl_find(struct sbi_peer *consumer, const struct sbi_peer *peer);
/* The first service of a profile, from either list; NULL: it has none. */
const struct json_nf_service *nrfl_service(const struct json_nf_profile *profile);
/* There and REGISTERED. */
bool nrfl_is_offered(struct sbi_peer *consumer, const struct sbi_peer *peer);

/* Ends the case: what is wrong with this answer, with the answer printed. */
__attribute__((format(printf, 3, 4))) noreturn void
nrfl_violation(struct tc *t, const struct sbi_response *response, const char *format, ...);

#endif
