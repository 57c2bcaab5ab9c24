/*
 * Emulated NG-RAN node: gNB, ng-eNB or N3IWF. A puppet: it sends what the case says, and by itself
 * does only the named default behaviours below, each of which can be switched off.
 *
 *	struct gnb *gnb = gnb_connect(t);			  // associated and set up
 *	struct gnb *far = gnb_connect(t, .tac = t->profile->tacs[1]);
 *	struct gnb *n3iwf = gnb_connect(t, .kind = NODE_N3IWF);
 *	struct gnb *late = gnb_connect(t, .no_setup = true);	  // associated only
 *	gnb_ng_setup(late);					  // sends only
 *	expect_ngap(t, late, .type = ONE_OF(NGAP_NG_SETUP_RESPONSE, NGAP_NG_SETUP_FAILURE));
 *
 * Each node has a node id that no other case of the run uses and a local address of
 * profile->n2.addresses in turn. An association that the IUT drops or restarts unasked ends the
 * case (architecture.md); gnb_may_drop() declares it legal. So do octets that are no NGAP, a
 * foreign PPID, a message for a UE that the node never had, and a flood.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_GNB_H
#define SPILLWAY_RUNNER_EMULATION_GNB_H

#include "runner/emulation/received.h"

enum node_kind {
	NODE_GNB,
	NODE_NG_ENB,
	NODE_N3IWF,
};

/* What a node does by itself. All are on from the start. */
enum gnb_behaviour {
	/* INITIAL CONTEXT SETUP RESPONSE, with all PDU sessions set up */
	ANSWER_CONTEXT_SETUP = 1 << 0,
	/* UE CONTEXT RELEASE COMPLETE; the UE is CM-IDLE then */
	ANSWER_CONTEXT_RELEASE = 1 << 1,
	ANSWER_CONTEXT_MODIFICATION = 1 << 2,
	/* PDU SESSION RESOURCE SETUP, MODIFY and RELEASE */
	ANSWER_PDU_SESSION_RESOURCE = 1 << 3,
	ANSWER_AMF_CONFIGURATION_UPDATE = 1 << 4,
	/* NG RESET ACKNOWLEDGE; the UEs concerned are CM-IDLE then */
	ANSWER_NG_RESET = 1 << 5,
};

/* Changes a message just before it is encoded. What it adds must live in the message's arena. */
typedef void ngap_alter_fn(struct ngap_pdu *pdu, void *arg);

struct gnb_options {
	int unused_;
	enum node_kind kind;
	uint32_t id;   /* node id; 0: tc_gnb_id() */
	uint32_t tac;  /* of its cell; 0: profile->tacs[0]. All TACs of the profile are supported */
	bool only_tac; /* supports its own TAC only */
	const struct slice *slices; /* NULL: the profile's */
	size_t slice_count;
	bool snpn;	      /* broadcasts profile->nid; UEs behind it use an SNPN */
	bool no_setup;	      /* associate only */
	ngap_alter_fn *alter; /* of the NG SETUP REQUEST */
	void *alter_arg;
	enum verdict failing; /* of NG SETUP FAILURE; default VERDICT_INCONC */
};

/*
 * Ends the case where the association does not come up (error, or what tc_iut_dead says) or NG
 * Setup is not answered by NG SETUP RESPONSE.
 */
#define gnb_connect(t, ...) \
	gnb_connect_with((t), &(struct gnb_options){ .unused_ = 0, __VA_ARGS__ })
struct gnb *gnb_connect_with(struct tc *t, const struct gnb_options *options);

/* NG SETUP REQUEST of this node; sends only. alter may be NULL. */
void gnb_ng_setup(struct gnb *gnb, ngap_alter_fn *alter, void *arg);
/* The answer to its last NG SETUP REQUEST, NULL if there is none yet. */
const struct ngap_received *gnb_setup_response(const struct gnb *gnb);

/* Ends the association from our side: in order, or as by a crash. UEs behind it are CM-IDLE. */
void gnb_disconnect(struct gnb *gnb);
void gnb_abort(struct gnb *gnb);
/* A new association with the same node id and NG Setup as in gnb_connect. */
void gnb_reconnect(struct gnb *gnb);
bool gnb_up(const struct gnb *gnb);
/* The IUT may drop or restart the association: no verdict. */
void gnb_may_drop(struct gnb *gnb);

/* Switches default behaviours (a set of gnb_behaviour) off or on again. */
void gnb_without(struct gnb *gnb, unsigned int behaviours);
void gnb_with(struct gnb *gnb, unsigned int behaviours);
/* A non-UE message of this type is harmless for this node at any time: expectations pass over it.
 */
void gnb_harmless(struct gnb *gnb, enum ngap_message type);

/* --- sending --- */

/*
 * An empty message of the case's arena for building with ngap_add...(); valid until the case ends.
 */
struct ngap_pdu *gnb_message(struct gnb *gnb, enum ngap_message message);
/* Non-UE-associated message on stream 0. A message that cannot be encoded is the rig's error. */
void gnb_send(struct gnb *gnb, const struct ngap_pdu *pdu);
/* Any octets on any stream with any PPID. */
void gnb_send_raw(struct gnb *gnb, uint16_t stream, uint32_t ppid, struct octets data);

/*
 * ERROR INDICATION without UE ids: cause of group protocol, with CriticalityDiagnostics naming
 * procedure_code (-1: none).
 */
void gnb_error_indication(struct gnb *gnb, enum ngap_cause_protocol cause, int procedure_code);
/* NG RESET of the whole NG interface; UEs behind the node are CM-IDLE. Sends only. */
void gnb_reset(struct gnb *gnb);
/* RAN CONFIGURATION UPDATE with the node's name only. Sends only. */
void gnb_configuration_update(struct gnb *gnb);

/* --- what it is, and what came --- */

struct tc *gnb_tc(const struct gnb *gnb);
const char *gnb_name(const struct gnb *gnb); /* "gnb1", "n3iwf1" */
uint32_t gnb_id(const struct gnb *gnb);
uint32_t gnb_tac(const struct gnb *gnb);
enum node_kind gnb_kind(const struct gnb *gnb);

/* The streams on which UE-associated (other) messages of the IUT came: bit n is stream n < 64. */
uint64_t gnb_ue_streams(const struct gnb *gnb);
uint64_t gnb_non_ue_streams(const struct gnb *gnb);

/* Relative AMF Capacity last told (NG SETUP RESPONSE or AMF CONFIGURATION UPDATE), -1: never. */
int gnb_relative_capacity(const struct gnb *gnb);

#endif
