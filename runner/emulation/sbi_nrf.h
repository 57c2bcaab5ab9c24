/*
 * An NRF that the tester plays, TS 29.510: registration with heart-beats, discovery, subscriptions
 * with notifications, access tokens. A puppet with correct default behaviour; the rules of its
 * server (sbi_server.h) have it answer anything else.
 *
 * Profiles are kept as the JSON they came as, so that what this side does not know is given back
 * unchanged. Discovery looks at target-nf-type, target-nf-instance-id, service-names and
 * requester-nf-type; other parameters do not narrow its result.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_NRF_H
#define SPILLWAY_RUNNER_EMULATION_SBI_NRF_H

#include "runner/emulation/sbi_server.h"

enum {
	SBI_NRF_INSTANCES_MAX = 1024,
	SBI_NRF_SUBSCRIPTIONS_MAX = 1024,
	SBI_NRF_HEART_BEAT = 10,      /* seconds, by default */
	SBI_NRF_VALIDITY = 3600,      /* of a discovery result, seconds */
	SBI_NRF_TOKEN_LIFETIME = 600, /* seconds */
};

struct sbi_nrf_options {
	const char *instance_id;	    /* of the NRF, for tokens; NULL: a fixed one */
	unsigned int heart_beat_s;	    /* what instances are told; 0: SBI_NRF_HEART_BEAT */
	int64_t epoch_ms;		    /* ms since 1970 at the loop's time 0 */
	const struct access_token_key *key; /* NULL: no access tokens */
	const struct http_tls *tls;	    /* NULL: clear text */
};

struct sbi_nrf;

/* NULL with the sentence in why. */
struct sbi_nrf *sbi_nrf_start(struct http *http, struct loop *loop, const char *name,
			      const struct net_address *local,
			      const struct sbi_nrf_options *options, struct text *why);
void sbi_nrf_stop(struct sbi_nrf *nrf);
/* For rules, fields, and what was received. */
struct sbi_server *sbi_nrf_server(struct sbi_nrf *nrf);

/*
 * Enters or replaces an instance of the tester's own; it needs no heart-beats. The profile is a
 * JSON NFProfile. 0, or -1 with the sentence in why.
 */
int sbi_nrf_enter(struct sbi_nrf *nrf, struct octets profile, struct text *why);
/* Takes one away, own or not; false: there is none. Subscribers are told. */
bool sbi_nrf_remove(struct sbi_nrf *nrf, const char *instance_id);

/* The profile as it stands, as JSON, to be freed with free; NULL: there is none, or no memory. */
char *sbi_nrf_profile(const struct sbi_nrf *nrf, const char *instance_id);
/* "REGISTERED", "SUSPENDED", ...; NULL: there is none. */
const char *sbi_nrf_status(const struct sbi_nrf *nrf, const char *instance_id);
size_t sbi_nrf_instances(const struct sbi_nrf *nrf);
size_t sbi_nrf_subscriptions(const struct sbi_nrf *nrf);
/* From now on: NULL, no access tokens any more. It stays the caller's. */
void sbi_nrf_set_key(struct sbi_nrf *nrf, const struct access_token_key *key);
/* Of the tokens from now on, in seconds; 0: SBI_NRF_TOKEN_LIFETIME. */
void sbi_nrf_set_token_lifetime(struct sbi_nrf *nrf, unsigned int lifetime_s);
/* Notifications that were answered by 2xx, and those that were not or could not be sent. */
size_t sbi_nrf_notified(const struct sbi_nrf *nrf, size_t *failed);

#endif
