/*
 * An SMF that the tester plays, TS 29.502, with as much of session management (TS 24.501 6.3, 6.4)
 * as brings sessions up, has them activated, deactivated, modified and released: a session is
 * accepted with one QoS flow, and the AMF gets N1 and N2 messages for it by
 * Namf_Communication_N1N2MessageTransfer. There is no UPF behind it. Rules of its server have it
 * answer anything else.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_SMF_H
#define SPILLWAY_RUNNER_EMULATION_SBI_SMF_H

#include "runner/case/profile.h"
#include "runner/emulation/sbi_server.h"

enum {
	SBI_SESSIONS_MAX = 4096, /* the oldest go first */
	/* from the SM context being there to its transfer: what a UPF would take */
	SBI_SMF_TRANSFER_US = 20 * 1000,
};

struct sbi_smf;

/* The AMF is that of iut.sbi.uri, else that of the callback URI. NULL with the sentence in why. */
struct sbi_smf *sbi_smf_start(struct http *http, struct loop *loop, const struct net_address *local,
			      const struct http_tls *tls, const struct profile *profile,
			      struct text *why);
void sbi_smf_stop(struct sbi_smf *smf);
struct sbi_server *sbi_smf_server(struct sbi_smf *smf);
/*
 * Requests to the AMF have an access token of our NRF from now on; epoch_ms: ms since 1970 at the
 * loop's time 0. Key and text stay the caller's.
 */
void sbi_smf_show_tokens(struct sbi_smf *smf, const struct access_token_key *key,
			 const char *nf_instance, int64_t epoch_ms);

/* What is known of a UE's session. */
struct sbi_smf_session {
	bool active;		/* set up and not released */
	bool user_plane;	/* the RAN has set its resources up */
	unsigned int transfers; /* that the AMF took (2xx), and did not take */
	unsigned int transfers_failed;
	unsigned int unreached;	  /* times the AMF told that it could not reach the UE */
	unsigned int n1_messages; /* from the UE */
	uint8_t last_n1;	  /* type of the last (enum nas_message_type); 0: none */
	bool exempted;		  /* the AMF said an exemption indication with it (exemptionInd) */
};
/* supi: "imsi-999700000000001". false: there never was one. */
bool sbi_smf_session(const struct sbi_smf *smf, const char *supi, uint8_t pdu_session_id,
		     struct sbi_smf_session *session);
/*
 * Downlink data for a session without user plane: the AMF is asked to have its resources set up,
 * and has to page a UE that is CM-IDLE. The session's identity, or 0: there is no such session.
 */
uint8_t sbi_smf_downlink(struct sbi_smf *smf, const char *supi);
/* 3gpp-Sbi-Oci in the last answer of an AMF to a transfer; "": there was none in it. */
const char *sbi_smf_amf_oci(const struct sbi_smf *smf);
/* Sessions that are active. */
size_t sbi_smf_sessions(const struct sbi_smf *smf);

#endif
