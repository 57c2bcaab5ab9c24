/*
 * A UDM that the tester plays, TS 29.503: registrations of AMF and SMF (Nudm_UECM), the data of the
 * profile's subscribers and subscriptions to them (Nudm_SDM), vectors (Nudm_UEAuthentication). Each
 * subscriber has all slices of the profile, the first one by default, and one DNN, "internet".
 * Another registration of a context takes its place; nobody is told. Rules of its server have it
 * answer anything else.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_UDM_H
#define SPILLWAY_RUNNER_EMULATION_SBI_UDM_H

#include "runner/emulation/sbi_server.h"
#include "runner/emulation/sbi_subscriber.h"

#define SBI_DNN "internet"

struct sbi_udm;

/* The subscribers are shared with an AUSF. NULL with the sentence in why. */
struct sbi_udm *sbi_udm_start(struct http *http, struct loop *loop, const struct net_address *local,
			      const struct http_tls *tls, struct sbi_subscribers *subscribers,
			      struct text *why);
void sbi_udm_stop(struct sbi_udm *udm);
struct sbi_server *sbi_udm_server(struct sbi_udm *udm);
/* Whether an AMF is registered for the subscriber, on 3GPP or non-3GPP access. */
bool sbi_udm_has_amf(const struct sbi_udm *udm, uint32_t subscriber, bool non_3gpp);
/* Subscriptions to data that were made and not ended. */
size_t sbi_udm_subscriptions(const struct sbi_udm *udm);

/* Profile slices as JSON has them; digits of SDs in the room. */
struct sbi_slices {
	struct json_snssai items[PROFILE_LIST_MAX];
	char sd[PROFILE_LIST_MAX][8];
	size_t count;
};
void sbi_slices_of(struct sbi_slices *slices, const struct profile *profile);

#endif
