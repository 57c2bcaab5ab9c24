/*
 * Emulated UE: a subscriber of the profile with USIM, NAS security contexts and both CM states,
 * over a gNB, an N3IWF or both. A puppet: it sends what the case says, when the case says, back-off
 * or not, and by itself only does the named default behaviours.
 *
 *	struct ue *ue = ue_new(gnb);		// next subscriber, de-registered
 *	ue_registered(ue);			// registers, ends in CM-IDLE; else the case ends
 *	ue_service_request(ue, SR_DATA);	// sends only
 *	expect_nas(t, ue, .type = SERVICE_REJECT, .cause = 22);
 *	ue_register(ue, REG_MOBILITY, .via = far, .cause = RRC_EMERGENCY);
 *	ue_register(ue, REG_INITIAL, .identity = IDENTITY_SUCI, .protection = PROTECT_PLAIN);
 *
 * Functions with a verb as name (ue_register) send and return; those with a participle
 * (ue_registered, ue_connected, ue_idle) run a whole procedure as a precondition and end the case
 * where it does not succeed.
 *
 * A request goes into an INITIAL UE MESSAGE where the UE is CM-IDLE on that node, into an UPLINK
 * NAS TRANSPORT where it is CM-CONNECTED.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_UE_H
#define SPILLWAY_RUNNER_EMULATION_UE_H

#include "codecs/nas/nas_area.h"
#include "codecs/nas/nas_identity.h"
#include "codecs/nas/nas_value.h"
#include "runner/emulation/gnb.h"

enum reg_type {
	REG_INITIAL = NAS_REGISTRATION_INITIAL,
	REG_MOBILITY = NAS_REGISTRATION_MOBILITY,
	REG_PERIODIC = NAS_REGISTRATION_PERIODIC,
	REG_EMERGENCY = NAS_REGISTRATION_EMERGENCY,
};

enum sr_type {
	SR_SIGNALLING = NAS_SERVICE_SIGNALLING,
	SR_DATA = NAS_SERVICE_DATA,
	SR_MOBILE_TERMINATED = NAS_SERVICE_MOBILE_TERMINATED,
	SR_EMERGENCY = NAS_SERVICE_EMERGENCY,
	SR_EMERGENCY_FALLBACK = NAS_SERVICE_EMERGENCY_FALLBACK,
	SR_HIGH_PRIORITY = NAS_SERVICE_HIGH_PRIORITY,
	SR_ELEVATED_SIGNALLING = NAS_SERVICE_ELEVATED_SIGNALLING,
};

/* NGAP RRCEstablishmentCause; RRC_DEFAULT takes it from the table of 24.501 4.5.6. */
enum rrc_cause {
	RRC_DEFAULT,
	RRC_EMERGENCY,
	RRC_HIGH_PRIORITY_ACCESS,
	RRC_MT_ACCESS,
	RRC_MO_SIGNALLING,
	RRC_MO_DATA,
	RRC_MO_VOICE_CALL,
	RRC_MO_VIDEO_CALL,
	RRC_MO_SMS,
	RRC_MPS_PRIORITY_ACCESS,
	RRC_MCS_PRIORITY_ACCESS,
	RRC_NOT_AVAILABLE,
	RRC_MO_EXCEPTION_DATA,
};

enum ue_protection {
	PROTECT_DEFAULT, /* as 24.501 4.4 has it for this message in this state */
	PROTECT_PLAIN,
	PROTECT_INTEGRITY,
	PROTECT_CIPHERED,
	PROTECT_INTEGRITY_NEW,
	PROTECT_CIPHERED_NEW,
	PROTECT_WRONG_MAC, /* integrity protected, one bit of the MAC wrong */
	PROTECT_OLD_COUNT, /* integrity protected under the COUNT of the message before */
};

enum ue_identity {
	IDENTITY_DEFAULT, /* the 5G-GUTI if the UE has one, else the SUCI */
	IDENTITY_SUCI,
	IDENTITY_GUTI,
};

/* Changes a plain message just before it is protected. What it adds must live in msg->arena. */
typedef void nas_alter_fn(struct nas_msg *msg, void *arg);

/* Options of everything that a UE sends; members that a message has no use for are ignored. */
struct ue_options {
	int unused_;
	struct gnb *via;      /* default: the node the UE was made on or moved to last */
	enum rrc_cause cause; /* of the INITIAL UE MESSAGE */
	enum ue_protection protection;
	enum ue_identity identity;
	const struct nas_s_tmsi *s_tmsi; /* in place of the UE's own, in NAS and NGAP */
	const struct nas_guti *guti;	 /* in place of the UE's own */
	bool follow_on;			 /* follow-on request pending */
	bool switch_off;		 /* ue_deregister */
	bool no_ue_context_request;	 /* leave out the UE Context Request IE */
	bool no_ngap_s_tmsi;		 /* leave out the 5G-S-TMSI IE of the INITIAL UE MESSAGE */
	bool discontinuous_coverage;	 /* Unavailability information of that type (9.11.2.20) */
	uint16_t pdu_session_status; /* bit n: PSI n is active; 0: IE only if sessions are known */
	uint16_t uplink_data_status; /* bit n: PSI n has data pending; 0: IE absent */
	uint8_t psi;		     /* PDU session id of UL NAS TRANSPORT; default 5 */
	enum nas_request_type request_type; /* of UL NAS TRANSPORT; 0: absent */
	struct octets data; /* CONTROL PLANE SERVICE REQUEST: user data; empty: none */
	nas_alter_fn *alter;
	void *alter_arg;
	ngap_alter_fn *alter_ngap; /* of the message that carries it */
	void *alter_ngap_arg;
	/* of ue_registered and other participles */
	bool stay_connected;	/* CM-CONNECTED at the end (registration with follow-on request) */
	enum reg_type type;	/* ue_registered; default REG_INITIAL */
	enum verdict otherwise; /* where the IUT refuses; default VERDICT_INCONC */
};
#define UE_OPTIONS(...) (&(struct ue_options){ .unused_ = 0, __VA_ARGS__ })

/* What a UE does by itself. All are on from the start. */
enum ue_behaviour {
	/* RES*, or AUTHENTICATION FAILURE (MAC failure, synch failure with AUTS) */
	ANSWER_AUTHENTICATION = 1 << 0,
	/* SECURITY MODE COMPLETE with the whole initial message, or SECURITY MODE REJECT */
	ANSWER_SECURITY_MODE = 1 << 1,
	ANSWER_IDENTITY = 1 << 2,
	/* REGISTRATION COMPLETE where a 5G-GUTI was allotted or it is asked for otherwise */
	COMPLETE_REGISTRATION = 1 << 3,
	/* CONFIGURATION UPDATE COMPLETE where it is asked for */
	COMPLETE_CONFIGURATION_UPDATE = 1 << 4,
	/* DEREGISTRATION ACCEPT for the network's request */
	ANSWER_DEREGISTRATION = 1 << 5,
	/* PDU SESSION MODIFICATION COMPLETE and PDU SESSION RELEASE COMPLETE */
	ANSWER_SESSION = 1 << 6,
};

/* --- life --- */

/* A UE with the next subscriber of the profile (see tc_subscriber). */
struct ue *ue_new(struct gnb *gnb);
/* The node for what comes next; over the node's access. A connection on another node is lost. */
void ue_move(struct ue *ue, struct gnb *gnb);
/* The node of the second access; the default node for sending stays. */
void ue_also_behind(struct ue *ue, struct gnb *gnb);
/* Switches default behaviours (a set of ue_behaviour) off or on again. */
void ue_without(struct ue *ue, unsigned int behaviours);
void ue_with(struct ue *ue, unsigned int behaviours);
/* A NAS message of this type is harmless for this UE at any time: expectations pass over it. */
void ue_harmless(struct ue *ue, enum mm_message type);
/* Access identity (0, 1 MPS, 2 MCS, 11 to 15): governs the default RRC cause. */
void ue_access_identity(struct ue *ue, unsigned int identity);
/* Algorithms that the UE says it supports: bit n is NEAn (NIAn). Default: all of 0 to 3. */
void ue_algorithms(struct ue *ue, uint8_t ea, uint8_t ia);
/* Supports and prefers control plane CIoT 5GS optimisation. Every UE supports service gap control.
 */
void ue_prefers_control_plane(struct ue *ue);

/* --- sending --- */

#define ue_register(ue, type, ...) ue_register_with((ue), (type), UE_OPTIONS(__VA_ARGS__))
void ue_register_with(struct ue *ue, enum reg_type type, const struct ue_options *options);

#define ue_service_request(ue, type, ...) \
	ue_service_request_with((ue), (type), UE_OPTIONS(__VA_ARGS__))
void ue_service_request_with(struct ue *ue, enum sr_type type, const struct ue_options *options);

/* CONTROL PLANE SERVICE REQUEST, mobile originating; .data goes into a CIoT small data container.
 */
#define ue_control_plane_service_request(ue, ...) \
	ue_control_plane_service_request_with((ue), UE_OPTIONS(__VA_ARGS__))
void ue_control_plane_service_request_with(struct ue *ue, const struct ue_options *options);

#define ue_deregister(ue, ...) ue_deregister_with((ue), UE_OPTIONS(__VA_ARGS__))
void ue_deregister_with(struct ue *ue, const struct ue_options *options);

/* UL NAS TRANSPORT with this payload; for N1 SM the options give PSI and request type. */
#define ue_ul_nas_transport(ue, container, payload, ...) \
	ue_ul_nas_transport_with((ue), (container), (payload), UE_OPTIONS(__VA_ARGS__))
void ue_ul_nas_transport_with(struct ue *ue, enum nas_payload_container_type container,
			      struct octets payload, const struct ue_options *options);

/* PDU SESSION ESTABLISHMENT REQUEST (IPv4, first slice of the profile, DNN "internet"). */
#define ue_pdu_session_request(ue, ...) ue_pdu_session_request_with((ue), UE_OPTIONS(__VA_ARGS__))
void ue_pdu_session_request_with(struct ue *ue, const struct ue_options *options);

/* PDU SESSION MODIFICATION REQUEST that tells 3GPP PS data off active (24.501 6.4.2.2). */
#define ue_data_off_request(ue, ...) ue_data_off_request_with((ue), UE_OPTIONS(__VA_ARGS__))
void ue_data_off_request_with(struct ue *ue, const struct ue_options *options);

/* An empty message in the case's memory, for nas_add...() and ue_send(). */
struct nas_msg *ue_message(struct ue *ue, enum nas_message_type type);
/* Any plain message; protected by default where the UE has a security context. */
#define ue_send(ue, msg, ...) ue_send_with((ue), (msg), UE_OPTIONS(__VA_ARGS__))
void ue_send_with(struct ue *ue, const struct nas_msg *msg, const struct ue_options *options);
/* Any octets as NAS-PDU, as they are (PROTECT_DEFAULT) or protected as the inner message. */
#define ue_send_octets(ue, octets, ...) ue_send_octets_with((ue), (octets), UE_OPTIONS(__VA_ARGS__))
void ue_send_octets_with(struct ue *ue, struct octets octets, const struct ue_options *options);

/* UE CONTEXT RELEASE REQUEST of the node (user inactivity). Sends only. */
void ue_release_request(struct ue *ue);
/* The radio connection is gone and the node tells nobody: CM-IDLE at our end only. */
void ue_connection_lost(struct ue *ue);

/* --- preconditions: whole procedures --- */

/* Registered, and CM-IDLE unless .stay_connected. Silence is what tc_iut_dead makes of it. */
#define ue_registered(ue, ...) ue_registered_with((ue), UE_OPTIONS(__VA_ARGS__))
void ue_registered_with(struct ue *ue, const struct ue_options *options);

/* CM-CONNECTED by a SERVICE REQUEST of type signalling. Nothing where it is connected already. */
#define ue_connected(ue, ...) ue_connected_with((ue), UE_OPTIONS(__VA_ARGS__))
void ue_connected_with(struct ue *ue, const struct ue_options *options);

/*
 * CM-IDLE: waits 100 ms for the IUT's own release, then asks for one. Nothing where it is idle
 * already.
 */
#define ue_idle(ue, ...) ue_idle_with((ue), UE_OPTIONS(__VA_ARGS__))
void ue_idle_with(struct ue *ue, const struct ue_options *options);

/*
 * A PDU session with .psi is up (accepted, resources set up), and the UE is CM-IDLE unless
 * .stay_connected. It must be registered.
 */
#define ue_pdu_session(ue, ...) ue_pdu_session_with((ue), UE_OPTIONS(__VA_ARGS__))
void ue_pdu_session_with(struct ue *ue, const struct ue_options *options);

/* --- what it is --- */

struct tc *ue_tc(const struct ue *ue);
const char *ue_supi(const struct ue *ue); /* "imsi-999700000000001", as control actions want it */
const char *ue_name(const struct ue *ue); /* "ue1" */
struct gnb *ue_node(const struct ue *ue);
bool ue_is_connected(const struct ue *ue); /* CM-CONNECTED on its default node */
/* As of the messages received; on the access of via (NULL: default node). */
bool ue_is_registered(const struct ue *ue, const struct gnb *via);
bool ue_has_security_context(const struct ue *ue);
/* False when none was allotted (or it was taken away by a reject that says so). */
bool ue_guti(const struct ue *ue, struct nas_guti *guti);
bool ue_in_tai_list(const struct ue *ue, const struct gnb *gnb);
/* T3512 of the last REGISTRATION ACCEPT in us; 0: none or deactivated. */
uint64_t ue_t3512(const struct ue *ue);
/* The last T3346 received (whatever the case did since); state NAS_TIMER_ABSENT: none. */
struct timer_ie ue_t3346(const struct ue *ue);
/* Bit n: PDU session n is active as of the messages received. */
uint16_t ue_sessions(const struct ue *ue);
/* When the UE sent its last message, loop time in us. */
uint64_t ue_sent_at(const struct ue *ue);

#endif
