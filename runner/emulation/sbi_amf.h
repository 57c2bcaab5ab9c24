/*
 * An AMF that the tester plays, TS 29.518, for producers and consumers whose peer is one: it takes
 * N1 and N2 messages for UEs and subscriptions to them, UE contexts of other AMFs and events,
 * and as a consumer creates and releases SM contexts at an SMF (TS 29.502). No UE is behind it:
 * whoever is named is taken to be CM-CONNECTED. Rules of its server have it answer anything else.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_AMF_H
#define SPILLWAY_RUNNER_EMULATION_SBI_AMF_H

#include "runner/case/profile.h"
#include "runner/emulation/sbi_server.h"

enum { SBI_AMF_SESSIONS_MAX = 256 };

struct sbi_amf;

/* NULL with the sentence in why. */
struct sbi_amf *sbi_amf_start(struct http *http, struct loop *loop, const struct net_address *local,
			      const struct http_tls *tls, const struct profile *profile,
			      const char *nf_instance, struct text *why);
void sbi_amf_stop(struct sbi_amf *amf);
struct sbi_server *sbi_amf_server(struct sbi_amf *amf);

/* Transfers that were taken, and in the last one: session, sizes of its N1 and N2 parts. */
struct sbi_amf_transfers {
	size_t count;
	uint8_t pdu_session_id; /* 0: none was named */
	size_t n1_len, n2_len;
};
struct sbi_amf_transfers sbi_amf_transfers(const struct sbi_amf *amf);
/* Subscriptions and UE contexts that were made and not ended. */
size_t sbi_amf_subscriptions(const struct sbi_amf *amf);
size_t sbi_amf_contexts(const struct sbi_amf *amf);

/*
 * CreateSMContext for this SUPI at an SMF, with a PDU SESSION ESTABLISHMENT REQUEST. Its number,
 * for what follows; -1: there are too many, or it cannot be asked.
 */
int sbi_amf_create(struct sbi_amf *amf, const struct net_address *smf, const char *supi,
		   uint8_t pdu_session_id);
/* ReleaseSMContext; nothing where it was not created. */
void sbi_amf_release(struct sbi_amf *amf, int session);
/* Status of the last answer for it; 0: there was none yet, or there is none. */
unsigned int sbi_amf_status(const struct sbi_amf *amf, int session);

#endif
