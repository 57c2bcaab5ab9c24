/* The two halves of the NRF that the tester plays: instances, and who is told of them. */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_NRF_PRIVATE_H
#define SPILLWAY_RUNNER_EMULATION_SBI_NRF_PRIVATE_H

#include <jansson.h>

#include "runner/emulation/sbi_nrf.h"

enum { NRF_ID = 64, NRF_URI = 512, NRF_PEERS_MAX = 64 };

struct nrf_instance {
	struct sbi_nrf *nrf;
	struct nrf_instance *next;
	char id[NRF_ID];
	json_t *profile;
	bool own; /* of the tester: no heart-beats */
	struct timer heart;
};

struct nrf_subscription {
	struct nrf_subscription *next;
	unsigned int number;
	char uri[NRF_URI];
	json_t *data;
	int64_t valid_until_ms; /* INT64_MAX: for ever */
};

/* A subscriber's server. */
struct nrf_peer {
	char authority[80];
	struct http_client *client;
};

struct sbi_nrf {
	struct http *http;
	struct loop *loop;
	struct sbi_server *server;
	unsigned int heart_beat_s;
	int64_t epoch_ms;
	const struct access_token_key *key;
	unsigned int token_lifetime_s;
	const char *instance_id;
	struct nrf_instance *instances; /* newest first */
	size_t instance_count;
	struct nrf_subscription *subscriptions;
	size_t subscription_count;
	unsigned int subscriptions_ever;
	struct nrf_peer peers[NRF_PEERS_MAX];
	size_t peer_count;
	size_t notified, not_notified;
	_Alignas(max_align_t) uint8_t room[256 * 1024]; /* for reading a body */
};

int64_t sbi_nrf_now_ms(const struct sbi_nrf *nrf);
/* A member that is text; "" where it is not there. */
const char *sbi_nrf_text(const json_t *object, const char *name);
/* Whether a profile has one of the services, which are parted by commas. */
bool sbi_nrf_has_service(const json_t *profile, const char *names);
/* Instance ids are UUIDs: letters of either case. */
bool sbi_same_id(struct octets a, struct octets b);

sbi_handle sbi_nrf_subscribe, sbi_nrf_prolong, sbi_nrf_unsubscribe;
/* Tells those who asked for it; the event is "NF_REGISTERED", "NF_PROFILE_CHANGED", ... */
void sbi_nrf_tell(struct sbi_nrf *nrf, const struct nrf_instance *instance, const char *event);
void sbi_nrf_forget_subscriptions(struct sbi_nrf *nrf);

#endif
