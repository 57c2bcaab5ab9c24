/*
 * The IUT's UEs as the network knows them: identity, security context, 5G-GUTI, connection. What
 * the network says to a UE is said here; what the UE sends is expected by runner/case/expect_nw.h.
 *
 *	struct nw_ue *ue = nw_ue(t);			// the IUT's next UE; nothing is sent
 *	nw_registered(ue);				// ue-register; registered and CM-IDLE
 *	nw_ue_without(ue, NW_ACCEPT_SERVICE);		// from now on the case answers
 *	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
 *	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
 *	nw_reject(ue, .t3346 = TIMER(60));		// cause 22; protected, there is a context
 *	expect_silence(t, ue, nw_sent_at(ue), 60 * US_PER_S);
 *
 * UE number N of the IUT (`ue=N` of the control actions) has the SUPI subscribers.first + N - 1,
 * unless a case says otherwise by nw_ue_is(). The UE is found by SUCI, by a 5G-GUTI or 5G-S-TMSI
 * that one of the AMFs allotted, or by its connection. AMFs of the same set share what they know of
 * a UE; to an AMF of another set its 5G-GUTI is unknown.
 *
 * An initial NAS message with an unknown temporary identity belongs to nobody until NW_IDENTIFY has
 * asked for the SUCI: such a UE is a stranger, which is served like the others.
 *
 * Default behaviours (enum nw_behaviour) of an AMF towards a UE, in the order of a procedure:
 *	NW_IDENTIFY	IDENTITY REQUEST for SUCI where a REGISTRATION REQUEST has an identity that
 *			is unknown; SERVICE REJECT 9 where a SERVICE REQUEST has
 *	NW_AUTHENTICATE	5G-AKA and security mode where the UE has no valid context (the message is
 *			not protected, or its MAC fails); not for a SERVICE REQUEST. For a UE that
 *			registers for emergency services without SUCI: null algorithms
 *	NW_ACCEPT_REGISTRATION	REGISTRATION ACCEPT with 5G-GUTI, TAI list, NSSAI, T3512, ...
 *	NW_ACCEPT_SERVICE	SERVICE ACCEPT
 *	NW_SET_UP_CONTEXT	INITIAL CONTEXT SETUP REQUEST carries the accept, where the node
 *				asked for a context; else DOWNLINK NAS TRANSPORT
 *	NW_RELEASE	UE CONTEXT RELEASE COMMAND when nothing is left to do: 200 ms after the
 *			last message of the UE on a connection (2 s where it has asked for
 *			follow-on), unless nw_keep_connected(); after a reject or the end of a
 *			de-registration at once; and as the answer to UE CONTEXT RELEASE REQUEST
 *	NW_ACCEPT_DEREGISTRATION  DEREGISTRATION ACCEPT, but for switch-off
 *	NW_ANSWER_SESSION	PDU SESSION ESTABLISHMENT ACCEPT with resource setup, and the
 *answers to modification and release A message that a default behaviour answers may be passed over
 *by expectations, and is still found by an expectation that names it.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_NW_UE_H
#define SPILLWAY_RUNNER_EMULATION_NW_UE_H

#include "codecs/nas/nas_timer.h"
#include "runner/emulation/nw_amf.h"
#include "runner/emulation/ue.h"

struct nw_ue;

/* --- who it is -------------------------------------------------------------------------------- */

/*
 * The IUT's next UE that no other case of this run uses (wraps round at subscribers.count: live,
 * the state that an earlier case left is then to be cleared by `reset`).
 */
struct nw_ue *nw_ue(struct tc *t);
/* The IUT's UE of this number, from 1. */
struct nw_ue *nw_ue_numbered(struct tc *t, unsigned int number);
/* After a change of USIM: the UE is subscriber `index` (from 0) now, with nothing known of it. */
void nw_ue_is(struct nw_ue *ue, uint32_t index);
unsigned int nw_ue_number(const struct nw_ue *ue); /* for ue=N */
const char *nw_ue_supi(const struct nw_ue *ue);	   /* "imsi-999700000000001" */
const char *nw_ue_name(const struct nw_ue *ue);	   /* "ue1" */

/* --- what a UE gets --------------------------------------------------------------------------- */

/* A timer IE: absent, in seconds (coded exactly, else error), or any octet. */
struct nw_timer {
	enum { NW_TIMER_ABSENT, NW_TIMER_SECONDS, NW_TIMER_OCTET } kind;
	uint32_t value;
};
#define TIMER(seconds)	   ((struct nw_timer){ NW_TIMER_SECONDS, (seconds) })
#define TIMER_OCTET(octet) ((struct nw_timer){ NW_TIMER_OCTET, (octet) }) /* 00, E0, ... */

/* Options of everything that the network sends to a UE; members without use are ignored. */
struct nw_options {
	int unused_;
	/*
	 * PROTECT_DEFAULT: ciphered where secure exchange is established on the connection (the
	 * request was protected and its MAC right, or security mode is done), else plain.
	 * PROTECT_PLAIN makes a reject that an attacker could have sent.
	 */
	enum ue_protection protection;
	enum access access; /* connection to use: ACCESS_3GPP or ACCESS_NON_3GPP */
	int cause; /* 5GMM cause; 0: 22 (congestion) in rejects, none elsewhere; -1: none */
	struct nw_timer t3346, t3502, t3448;
	bool reregister;       /* nw_deregister: re-registration required */
	bool acknowledge;      /* nw_configuration_update: asks for COMPLETE */
	bool keep_connected;   /* NW_RELEASE does not release after this one */
	struct octets payload; /* nw_dl_nas_transport */
	enum nas_payload_container_type payload_type;
	uint8_t psi;
	nas_alter_fn *alter; /* of the NAS message, before it is protected */
	void *alter_arg;
	ngap_alter_fn *alter_ngap; /* of the message that carries it */
	void *alter_ngap_arg;
};
#define NW_OPTIONS(...) (&(struct nw_options){ .unused_ = 0, __VA_ARGS__ })

/*
 * What REGISTRATION ACCEPTs for this UE say from now on (also those that NW_ACCEPT_REGISTRATION
 * sends). Everything absent or 0: the profile's.
 */
struct nw_registration {
	int unused_;
	struct nw_timer t3512; /* default: ixit t3512 */
	struct nw_timer t3502; /* default: absent */
	bool mico;	       /* MICO indication */
	bool one_tac;	       /* TAI list with the UE's own TAC only; default: all TACs */
	bool no_guti;
	bool no_equivalent_plmns; /* default: the profile's equivalent-plmns where there are some */
	nas_alter_fn *alter;
	void *alter_arg;
};
#define nw_registration(ue, ...) \
	nw_registration_with((ue), &(struct nw_registration){ .unused_ = 0, __VA_ARGS__ })
void nw_registration_with(struct nw_ue *ue, const struct nw_registration *registration);

/* --- behaviours ---------------------------------------------------------------------------------
 */

/* For one UE (at all AMFs); what an AMF has switched off stays off. */
void nw_ue_without(struct nw_ue *ue, unsigned int behaviours);
void nw_ue_with(struct nw_ue *ue, unsigned int behaviours);
/* NAS of this type is harmless for this UE at any time. */
void nw_ue_harmless(struct nw_ue *ue, enum mm_message type);
/*
 * From now on every message of these types (ONE_OF(REGISTRATION_REQUEST, SERVICE_REQUEST)) of the
 * UE, or of any UE at this AMF, is answered by this reject, after NW_AUTHENTICATE where that is on;
 * NULL: no longer. The options are copied. The messages count as answered by default.
 */
void nw_ue_rejects(struct nw_ue *ue, uint64_t types, const struct nw_options *options);
void nw_amf_rejects(struct nw_amf *amf, uint64_t types, const struct nw_options *options);
/*
 * Error injection: alter sees every NAS message to this UE, default behaviours' included, just
 * before it is protected (msg->type says which it is); NULL: no longer.
 */
void nw_bend(struct nw_ue *ue, nas_alter_fn *alter, void *arg);
/* NW_RELEASE leaves the connections of this UE alone (true), or no longer. */
void nw_keep_connected(struct nw_ue *ue, bool keep);

/* --- sending ------------------------------------------------------------------------------------
 */
/*
 * All send and return. Where the UE is CM-IDLE there is no connection to send on: error, as that is
 * a mistake of the case.
 */

/*
 * REGISTRATION REJECT or SERVICE REJECT, as the answer to the request that waits for one (the last
 * initial or mobility REGISTRATION REQUEST, SERVICE REQUEST); then release by NW_RELEASE.
 */
#define nw_reject(ue, ...) nw_reject_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_reject_with(struct nw_ue *ue, const struct nw_options *options);
/* The accept for the request that waits, as the default behaviours would send it. */
#define nw_accept(ue, ...) nw_accept_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_accept_with(struct nw_ue *ue, const struct nw_options *options);
/* AUTHENTICATION REQUEST with the next vector; the rest follows by NW_AUTHENTICATE. */
#define nw_authenticate(ue, ...) nw_authenticate_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_authenticate_with(struct nw_ue *ue, const struct nw_options *options);
/* Network-initiated DEREGISTRATION REQUEST; .reregister, .cause, .t3346. */
#define nw_deregister(ue, ...) nw_deregister_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_deregister_with(struct nw_ue *ue, const struct nw_options *options);
/* CONFIGURATION UPDATE COMMAND; .acknowledge. */
#define nw_configuration_update(ue, ...) nw_configuration_update_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_configuration_update_with(struct nw_ue *ue, const struct nw_options *options);
/* NOTIFICATION for .access, over the other one (default: for 3GPP access, over non-3GPP access). */
#define nw_notify(ue, ...) nw_notify_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_notify_with(struct nw_ue *ue, const struct nw_options *options);
#define nw_dl_nas_transport(ue, ...) nw_dl_nas_transport_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_dl_nas_transport_with(struct nw_ue *ue, const struct nw_options *options);

/*
 * PAGING with the UE's 5G-S-TMSI at all nodes of its AMF, in all TACs of the profile (so also where
 * the UE has left its TAI list);
 * .access ACCESS_NON_3GPP: with Paging Origin non-3GPP. error where it has no 5G-GUTI.
 */
#define nw_page(ue, ...) nw_page_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_page_with(struct nw_ue *ue, const struct nw_options *options);

/* UE CONTEXT RELEASE COMMAND, cause nas/normal-release. Sends only. */
void nw_release(struct nw_ue *ue, enum access access);

/* Any plain message, for nas_add...() and nw_ue_send(). */
struct nas_msg *nw_ue_message(struct nw_ue *ue, enum nas_message_type type);
#define nw_ue_send(ue, msg, ...) nw_ue_send_with((ue), (msg), NW_OPTIONS(__VA_ARGS__))
void nw_ue_send_with(struct nw_ue *ue, const struct nas_msg *msg, const struct nw_options *options);
/* Any octets as NAS-PDU, as they are. */
void nw_ue_send_octets(struct nw_ue *ue, enum access access, struct octets octets);
/* Any UE-associated NGAP message: AMF and RAN UE NGAP ID are put in front of its IEs. */
void nw_ue_send_ngap(struct nw_ue *ue, enum access access, struct ngap_pdu *pdu);

/* --- preconditions: whole procedures ---------------------------------------------------------- */

/*
 * Registered over the access and CM-IDLE. Nothing where it is so already; else control action
 * ue-register, and all default behaviours for the time being. Silence is what tc_iut_dead makes of
 * it; a UE that is not to be had is inconc.
 */
#define nw_registered(ue, ...) nw_registered_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_registered_with(struct nw_ue *ue, const struct nw_options *options);
/*
 * CM-CONNECTED: ue-service kind=signalling where it is not. It stays so (nw_keep_connected).
 */
#define nw_connected(ue, ...) nw_connected_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_connected_with(struct nw_ue *ue, const struct nw_options *options);
/* CM-IDLE: releases what is there and waits for the node's answer; ends nw_keep_connected. */
#define nw_idle(ue, ...) nw_idle_with((ue), NW_OPTIONS(__VA_ARGS__))
void nw_idle_with(struct nw_ue *ue, const struct nw_options *options);

/* --- what it is, and what it did -------------------------------------------------------------- */

struct tc *nw_ue_tc(const struct nw_ue *ue);
bool nw_ue_is_connected(const struct nw_ue *ue, enum access access);
/* As of the messages: accepted (and completed, where a 5G-GUTI was allotted), not ended since. */
bool nw_ue_is_registered(const struct nw_ue *ue, enum access access);
bool nw_ue_has_context(const struct nw_ue *ue);
/* The 5G-GUTI that was allotted last; false: none. */
bool nw_ue_guti(const struct nw_ue *ue, struct nas_guti *guti);
/* Where it was seen last; NULL: nowhere. */
struct nw_node *nw_ue_node(const struct nw_ue *ue);
/* When the network sent its last NAS message (PAGING included) to this UE: loop time in us. */
uint64_t nw_sent_at(const struct nw_ue *ue);
/* When its last connection ended (UE CONTEXT RELEASE COMPLETE); 0: never. */
uint64_t nw_idle_since(const struct nw_ue *ue);
/* REGISTRATION and SERVICE REQUESTs of this UE so far, answered or not. */
unsigned int nw_ue_requests(const struct nw_ue *ue);

#endif
