/*
 * What the IUT sent, as a case sees it. Messages are decoded leniently, kept as received, and live
 * until the end of the case; nothing in them has been judged.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_RECEIVED_H
#define SPILLWAY_RUNNER_EMULATION_RECEIVED_H

#include "codecs/nas/nas.h"
#include "codecs/nas/nas_timer.h"
#include "codecs/ngap/ngap.h"
#include "runner/case/tc.h"

struct gnb;
struct ue;
struct nw_node;
struct nw_ue;

enum access {
	ACCESS_3GPP,
	ACCESS_NON_3GPP,
	ACCESS_COUNT,
};

/* 5GMM message types as a test purpose writes them; the values are those of TS 24.501 9.7. */
enum mm_message {
	REGISTRATION_REQUEST = NAS_REGISTRATION_REQUEST,
	REGISTRATION_ACCEPT = NAS_REGISTRATION_ACCEPT,
	REGISTRATION_COMPLETE = NAS_REGISTRATION_COMPLETE,
	REGISTRATION_REJECT = NAS_REGISTRATION_REJECT,
	/* the UE's request, and the network's answer to it */
	DEREGISTRATION_REQUEST_UE = NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING,
	DEREGISTRATION_ACCEPT = NAS_DEREGISTRATION_ACCEPT_UE_ORIGINATING,
	/* the network's request, and the UE's answer to it */
	DEREGISTRATION_REQUEST = NAS_DEREGISTRATION_REQUEST_UE_TERMINATED,
	DEREGISTRATION_ACCEPT_UE = NAS_DEREGISTRATION_ACCEPT_UE_TERMINATED,
	SERVICE_REQUEST = NAS_SERVICE_REQUEST,
	SERVICE_REJECT = NAS_SERVICE_REJECT,
	SERVICE_ACCEPT = NAS_SERVICE_ACCEPT,
	CONTROL_PLANE_SERVICE_REQUEST = NAS_CONTROL_PLANE_SERVICE_REQUEST,
	CONFIGURATION_UPDATE_COMMAND = NAS_CONFIGURATION_UPDATE_COMMAND,
	CONFIGURATION_UPDATE_COMPLETE = NAS_CONFIGURATION_UPDATE_COMPLETE,
	AUTHENTICATION_REQUEST = NAS_AUTHENTICATION_REQUEST,
	AUTHENTICATION_RESPONSE = NAS_AUTHENTICATION_RESPONSE,
	AUTHENTICATION_REJECT = NAS_AUTHENTICATION_REJECT,
	AUTHENTICATION_FAILURE = NAS_AUTHENTICATION_FAILURE,
	AUTHENTICATION_RESULT = NAS_AUTHENTICATION_RESULT,
	IDENTITY_REQUEST = NAS_IDENTITY_REQUEST,
	IDENTITY_RESPONSE = NAS_IDENTITY_RESPONSE,
	SECURITY_MODE_COMMAND = NAS_SECURITY_MODE_COMMAND,
	SECURITY_MODE_COMPLETE = NAS_SECURITY_MODE_COMPLETE,
	SECURITY_MODE_REJECT = NAS_SECURITY_MODE_REJECT,
	MM_STATUS = NAS_5GMM_STATUS,
	NOTIFICATION = NAS_NOTIFICATION,
	NOTIFICATION_RESPONSE = NAS_NOTIFICATION_RESPONSE,
	UL_NAS_TRANSPORT = NAS_UL_NAS_TRANSPORT,
	DL_NAS_TRANSPORT = NAS_DL_NAS_TRANSPORT,
};

/* One NGAP message. */
struct ngap_received {
	uint64_t time; /* arrival, loop time in us */
	struct gnb *gnb;
	struct ue *ue; /* NULL: not UE-associated */
	/* where the IUT is a UE or an NG-RAN node, in place of the two above */
	struct nw_node *node;
	struct nw_ue *nw_ue;
	uint16_t tnl; /* TNL association of the AMF, from 0 */
	uint16_t stream;
	uint32_t ppid;
	struct ngap_pdu pdu;
	struct octets octets; /* as received */
	const struct finding *findings;
	size_t finding_count; /* of decoder and clause 10 check together, at most 16 are kept */
	/* What TS 38.413 clause 10 has a receiver do about them: enum ngap_reaction of ngap_check.h
	 */
	uint8_t reaction;
};

/* One NAS message: downlink to a UE of ours, or uplink of a UE of the IUT. */
struct nas_received {
	uint64_t time;
	struct ue *ue;
	struct nw_ue *nw_ue;	 /* of the IUT; ue is NULL then */
	uint8_t security_header; /* as received, enum nas_security_header_type; 0 is plain */
	bool integrity;		 /* protected, and its MAC is right under a context of the UE */
	uint32_t count;		 /* NAS COUNT; 0 when plain */
	struct nas_msg msg;	 /* the plain message */
	struct octets plain;	 /* its octets */
	struct octets octets;	 /* as received */
	const struct ngap_received *carrier;
	const struct finding *findings;
	size_t finding_count;
};

/* A GPRS timer 2 or 3 of a message with everything that a case may want to judge. */
struct timer_ie {
	bool present;
	struct octets value; /* the IE's value; any length */
	uint8_t unit;	     /* bits 8 to 6 */
	uint8_t number;	     /* bits 5 to 1 */
	enum nas_timer_state state;
	bool reserved_unit;
	uint64_t us; /* 0 unless the state is NAS_TIMER_RUNS */
};

/*
 * The timer of that role; an IE with the IEI of T3346 (5F) is also found in a message that has no
 * such IE in the standard. m may be NULL: absent.
 */
struct timer_ie received_timer(const struct nas_received *m, enum nas_ie ie);
struct timer_ie received_t3346(const struct nas_received *m);

/* Whether an IE with this IEI is anywhere in the message, known to its table or not. */
bool received_iei(const struct nas_received *m, uint8_t iei);

/* The 5GMM cause, -1 if there is none. */
int received_cause(const struct nas_received *m);
/* The message type; 0 for NULL. */
uint8_t received_type(const struct nas_received *m);

/*
 * The 5GSM message in a DL NAS TRANSPORT, decoded into the case's memory; NULL where there is none.
 */
const struct nas_msg *received_sm(const struct nas_received *m);

/* Content of an OVERLOAD START (38.413 9.2.6.14). */
enum { OVERLOAD_SLICES_MAX = 32 };

struct overload {
	bool has_action;
	int action; /* 0..3, above: an extension */
	bool has_tlr;
	int tlr;
	size_t item_count; /* OverloadStartNSSAIList; items past the maximum are counted only */
	struct overload_slice {
		size_t slice_count; /* S-NSSAIs of this item; past the maximum counted only */
		struct slice slices[OVERLOAD_SLICES_MAX];
		bool has_action;
		int action;
		bool has_tlr;
		int tlr;
	} items[OVERLOAD_SLICES_MAX];
};

/* False when the message is no OVERLOAD START. */
bool received_overload(const struct ngap_received *m, struct overload *overload);

/* NGAP cause of any message that has one: "misc/control-processing-overload"; "" if none. */
void received_ngap_cause(const struct ngap_received *m, struct text *out);

/*
 * Called for every downlink NAS (NGAP) message the moment it arrives, also for those that a default
 * behaviour answers. For conditions over a whole case ("IEI 5F in no other message"): collect, and
 * judge in the body; a watcher must not end the case but by tc_end_later().
 */
typedef void watch_nas_fn(const struct nas_received *m, void *arg);
typedef void watch_ngap_fn(const struct ngap_received *m, void *arg);
void watch_nas(struct tc *t, watch_nas_fn *fn, void *arg);
void watch_ngap(struct tc *t, watch_ngap_fn *fn, void *arg);

#endif
