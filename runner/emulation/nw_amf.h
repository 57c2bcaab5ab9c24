/*
 * The network's side of N2 where the IUT is a UE or an NG-RAN node: AMFs, several at once, and the
 * IUT's NG-RAN nodes as these AMFs see them. Puppets: an AMF sends what the case says, and by
 * itself does only the named default behaviours below, each of which can be switched off.
 *
 * "nw" is the network as seen by the IUT; everything here is named nw_..., so that nothing is taken
 * for the reference AMF.
 *
 *	static void emergency_and_mt_pass_action_2(struct tc *t)
 *	{
 *		struct nw_amf *amf = nw_amf_start(t);	// listens at tester.amfs[0]
 *		struct nw_node *node;
 *		struct nw_attempts attempts;
 *
 *		nw_iut_connects(t);			// restart or start; NG Setup is done
 *		node = nw_node(amf, NODE_GNB);
 *		nw_overload_start(node, .action = ACTION_2);
 *		attempts = nw_attempts(t, "cause=emergency count=100 rate=50");
 *		if (attempts.sent != attempts.offered)
 *			tc_violation(t, "...");
 *		nw_overload_stop(node);
 *	}
 *
 * Who connects. The case opens its listeners (nw_amf_start) and then calls nw_iut_connects: it asks
 * the adapter for `restart`, else `start`; an adapter with neither is given ixit connect-time for
 * the IUT's own retry. In virtual time it is the same: the embedded IUT starts before the case,
 * finds nobody, and connects when it is restarted. No listener outlives its case: an association of
 * usrsctp is memory of a process and cannot be handed to another, and the kernel's is treated
 * alike. Between two cases the IUT is therefore refused, and has to try again by itself.
 *
 * Addresses. AMF n listens at profile->amfs[n].address. Its TNL associations past the first have
 * their own addresses, profile->amfs[n].tnl_addresses (by default the same with 100, 200 added to
 * the last octet); the node is told of them by AMF CONFIGURATION UPDATE after NG Setup, and is to
 * send RAN CONFIGURATION UPDATE with its Global RAN Node ID on each (38.413 8.7.2, 8.7.3).
 *
 * An association that the IUT drops or restarts unasked ends the case (architecture.md), unless
 * nw_may_drop() declares it legal; so do octets that are no NGAP, a foreign PPID, a UE-associated
 * message for a connection that does not exist, a first message that is no NG SETUP REQUEST, and a
 * flood.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_NW_AMF_H
#define SPILLWAY_RUNNER_EMULATION_NW_AMF_H

#include "codecs/nas/nas_identity.h"
#include "runner/emulation/gnb.h"

struct nw_amf;
/* An NG-RAN node of the IUT (by its Global RAN Node ID) at one AMF, over all its associations. */
struct nw_node;

/* What an AMF does by itself. All are on from the start. */
enum nw_behaviour {
	/* NG SETUP RESPONSE; NG SETUP FAILURE with cause unknown PLMN where no PLMN is in common */
	NW_ANSWER_NG_SETUP = 1 << 0,
	NW_ANSWER_RAN_CONFIGURATION_UPDATE = 1 << 1,
	/* NG RESET ACKNOWLEDGE; the UEs concerned are CM-IDLE then */
	NW_ANSWER_NG_RESET = 1 << 2,
	/* after NG Setup: AMF CONFIGURATION UPDATE with the weights of the TNL associations, and
	   with the associations past the first to be added; only where the AMF has weights */
	NW_TELL_TNL_ASSOCIATIONS = 1 << 3,

	/* towards UEs; nw_ue.h has what each means, and can switch them for one UE */
	NW_IDENTIFY = 1 << 8,
	NW_AUTHENTICATE = 1 << 9,
	NW_ACCEPT_REGISTRATION = 1 << 10,
	NW_ACCEPT_SERVICE = 1 << 11,
	NW_SET_UP_CONTEXT = 1 << 12,
	NW_RELEASE = 1 << 13,
	NW_ACCEPT_DEREGISTRATION = 1 << 14,
	NW_ANSWER_SESSION = 1 << 15,
	/* UE CONTEXT RELEASE COMMAND as the only answer to each INITIAL UE MESSAGE, before all of
	   the above. Off from the start; nw_attempts() switches it on while it counts */
	NW_RELEASE_AT_ONCE = 1 << 16,
};

struct nw_guami {
	uint8_t region;
	uint16_t set; /* 10 bits */
	uint8_t pointer;
};

/* In place of a value of 0 where 0 means "as the profile has it". */
enum { NW_ZERO = -1 };

struct nw_amf_options {
	int unused_;
	unsigned int entry; /* of profile->amfs, from 1; 0: the next that is not in use */
	bool several_tnl;   /* the next that has several TNL associations; na where none has */
	const char *name;   /* AMF Name; default "amf1", "amf2", ... */
	int capacity;	    /* Relative AMF Capacity; 0: the profile's; NW_ZERO */
	int set;	    /* AMF set id; 0: the profile's; NW_ZERO */
	/* GUAMIs (in each PLMN) besides the AMF's own, of which UEs get their 5G-GUTI */
	const struct nw_guami *more_guamis;
	size_t more_guami_count;
	/* Default: the profile's PLMN, its equivalent and its other ones, each with all slices. */
	const struct plmn *plmns;
	size_t plmn_count;
	const struct slice *slices; /* NULL: the profile's */
	size_t slice_count;
	unsigned int without; /* behaviours that are off from the start */
	/* NG SETUP FAILURE with this cause instead of the response, and that Time to wait */
	bool refuse_setup;
	enum ngap_cause_misc refuse_cause; /* of group misc */
	int time_to_wait;		   /* s: 1, 2, 5, 10, 20, 60; 0: absent */
	ngap_alter_fn *alter;		   /* of the NG SETUP RESPONSE (or FAILURE) */
	void *alter_arg;
};

/* An AMF that listens. na where the profile has no (further) tester.amfs. */
#define nw_amf_start(t, ...) \
	nw_amf_start_with((t), &(struct nw_amf_options){ .unused_ = 0, __VA_ARGS__ })
struct nw_amf *nw_amf_start_with(struct tc *t, const struct nw_amf_options *options);

/*
 * Makes the IUT connect, and waits until at least one of its nodes is set up at every AMF that was
 * started (and does not refuse), and all TNL associations are there. error (tc_unreachable) where
 * none comes within ixit connect-time; fail where the IUT came and does not finish NG Setup.
 */
void nw_iut_connects(struct tc *t);
/* As nw_iut_connects, without asking the adapter for anything: after ng-setup, nw_abort(), ... */
void nw_iut_returns(struct tc *t);
/*
 * A control action that makes the IUT set up again ("ng-setup amf=1 association=new", "ran-config
 * node=ng-enb"): associations may go and come meanwhile. Returns when NG Setup was done anew, and
 * every AMF has its node.
 */
__attribute__((format(printf, 2, 3))) void nw_iut_sets_up(struct tc *t, const char *format, ...);

/* The first node of this kind that is set up at the AMF; waits ixit connect-time, else na. */
struct nw_node *nw_node(struct nw_amf *amf, enum node_kind kind);
/* The i-th node (from 0) in the order of their NG Setup, set up or not any more; NULL past them. */
struct nw_node *nw_node_at(const struct nw_amf *amf, size_t i);

/* The AMF stops listening and ends its associations: in order, or as by a crash. */
void nw_amf_stop(struct nw_amf *amf);
void nw_amf_crash(struct nw_amf *amf);
/* Listens again, with what it knows of UEs and GUTIs but no node. */
void nw_amf_resume(struct nw_amf *amf);
/* Ends the associations of one node from our side; its UEs are CM-IDLE. The listener stays. */
void nw_disconnect(struct nw_node *node);
void nw_abort(struct nw_node *node);
/* The IUT may drop or restart its associations from now on: no verdict. */
void nw_may_drop(struct tc *t);

/* Switches default behaviours (a set of nw_behaviour) off or on again. */
void nw_amf_without(struct nw_amf *amf, unsigned int behaviours);
void nw_amf_with(struct nw_amf *amf, unsigned int behaviours);
/* A non-UE message of this type is harmless at any time: expectations pass over it. */
void nw_harmless(struct nw_node *node, enum ngap_message type);

/*
 * Error injection: alter sees every NGAP message of this AMF, default behaviours' included, just
 * before it is encoded (pdu->message says which it is); NULL: no longer. OVERLOAD START and STOP
 * have their own (nw_overload.h). For NAS see nw_bend() in nw_ue.h.
 */
void nw_amf_bend(struct nw_amf *amf, ngap_alter_fn *alter, void *arg);

/* --- sending: non-UE-associated ----------------------------------------------------------- */

/* An empty message for ngap_add...(), valid until the case ends. */
struct ngap_pdu *nw_message(struct tc *t, enum ngap_message message);
/* On stream 0 of the node's first association. What cannot be encoded is the rig's error. */
void nw_send(struct nw_node *node, const struct ngap_pdu *pdu);
/* Any octets on any stream with any PPID. */
void nw_send_raw(struct nw_node *node, uint16_t stream, uint32_t ppid, struct octets data);

/* ERROR INDICATION without UE ids: cause of group protocol; procedure_code -1: no diagnostics. */
void nw_error_indication(struct nw_node *node, enum ngap_cause_protocol cause, int procedure_code);
/* NG RESET of the whole NG interface; the node's UEs are CM-IDLE. Sends only. */
void nw_reset(struct nw_node *node);

/* AMF CONFIGURATION UPDATE with Relative AMF Capacity alone, to all nodes of the AMF. Sends only:
 * expect_node(t, node, .type = NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE). */
void nw_amf_capacity(struct nw_amf *amf, uint8_t capacity);
/* AMF CONFIGURATION UPDATE with another weight for TNL association i (from 0). Sends only. */
void nw_tnl_weight(struct nw_amf *amf, size_t i, uint8_t weight);
/* AMF STATUS INDICATION for one GUAMI (NULL: all of this AMF); backup: AMF Name or NULL. */
void nw_status_indication(struct nw_amf *amf, const struct nw_guami *guami, const char *backup);

/* PAGING with this 5G-S-TMSI, whoever has it, in the areas of the profile. */
void nw_page_s_tmsi(struct nw_node *node, const struct nas_s_tmsi *s_tmsi);

/* --- what it is, and what came -------------------------------------------------------------- */

struct tc *nw_node_tc(const struct nw_node *node);
const char *nw_amf_name(const struct nw_amf *amf);
/* "amf1/gnb1", in the order of NG Setup at that AMF. */
const char *nw_node_name(const struct nw_node *node);
struct nw_amf *nw_node_amf(const struct nw_node *node);
enum node_kind nw_node_kind(const struct nw_node *node);
bool nw_node_up(const struct nw_node *node); /* set up, and at least one association */
/* The last NG SETUP REQUEST of the node. */
const struct ngap_received *nw_node_setup(const struct nw_node *node);
unsigned int nw_node_setups(const struct nw_node *node); /* NG SETUP REQUESTs so far */
struct nw_guami nw_amf_guami(const struct nw_amf *amf);	 /* its own, the first */
/* As the control action `attempts guami=` wants it: region, set and pointer as 6 hex digits. */
void nw_guami_hex(const struct nw_guami *guami, char hex[8]);
/* As the control action `ng-setup amf=` counts: the entry of profile->amfs, from 1. */
unsigned int nw_amf_number(const struct nw_amf *amf);
size_t nw_tnl_count(const struct nw_amf *amf);
/* The association on which a message came: 0 the first. */
size_t nw_tnl_of(const struct ngap_received *m);

#endif
