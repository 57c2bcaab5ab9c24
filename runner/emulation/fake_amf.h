/*
 * The AMF of the emulation's own tests: just enough of one to get a UE in, and able to go wrong at
 * any chosen message in every way a peer can. It knows one UE at a time by heart and checks what it
 * gets with its own code, so that the tests do not lean on the reference AMF.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_FAKE_AMF_H
#define SPILLWAY_RUNNER_EMULATION_FAKE_AMF_H

#include "runner/case/iut.h"

enum fake_wrong {
	FAKE_RIGHT,
	FAKE_SILENT,	/* the message is not sent, nor any after it */
	FAKE_GARBAGE,	/* random octets in its place */
	FAKE_TRUNCATED, /* its first half */
	FAKE_FLIPPED,	/* one bit wrong, a different one each time */
	FAKE_WRONG_PPID,
	FAKE_WRONG_STREAM, /* stream 0 for a UE, stream 1 for the node */
	FAKE_HUGE,	   /* 60,000 octets behind a good header */
	FAKE_FLOOD,	   /* DOWNLINK NAS TRANSPORT or OVERLOAD START without end */
	FAKE_FLOOD_STATUS, /* 5GMM STATUS without end */
	FAKE_SHUTDOWN,
	FAKE_ABORT,
	FAKE_TWICE,
	FAKE_EMPTY,    /* a message of no octets */
	FAKE_WRONG_UE, /* the RAN UE NGAP ID of nobody */
	FAKE_WRONGS,
};
const char *fake_wrong_name(enum fake_wrong wrong);

/* How the next AMF is to behave; the tests set it before a case runs. */
struct fake_plan {
	enum fake_wrong wrong;
	unsigned int at;       /* which message it sends, from 0 */
	uint8_t service_cause; /* reject service requests with this; 0: accept */
	uint8_t t3346;	       /* octet that goes with it; 0: none */
	bool plain_reject;
	bool wrong_mac_reject;
	bool wrong_autn;
	bool old_sqn;
	bool wrong_capabilities;
	bool setup_failure;
	bool keeps_connections; /* no release of its own accord */
	uint8_t nea, nia;
	uint32_t answers_late; /* ms before each message */

	/* what it saw */
	unsigned int sent;
	unsigned int resynchronised, mac_failures, security_rejects;
	unsigned int completes;	 /* REGISTRATION COMPLETE */
	unsigned int containers; /* NAS message containers that deciphered to a whole message */
	unsigned int bad_macs;
	unsigned int releases;
	unsigned int error_indications;
	char last_identity[64]; /* SUPI digits of the last SUCI */
	int last_cause;		/* RRC establishment cause of the last InitialUEMessage */
	bool last_had_s_tmsi;
	unsigned int registrations;
};
extern struct fake_plan fake_plan;

extern const struct iut_ops fake_amf;

#endif
