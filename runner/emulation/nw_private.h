/*
 * What the parts of the network's side know of each other; for floor 4 only, cases see nw_amf.h,
 * nw_ue.h, nw_overload.h and expect_nw.h. The rules of emulation.h hold here too: what the loop
 * calls must not end the case but by emulation_end(), and memory grows only up to a bound.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_NW_PRIVATE_H
#define SPILLWAY_RUNNER_EMULATION_NW_PRIVATE_H

#include "codecs/nas/security/key_derivation.h"
#include "codecs/nas/security/protection.h"
#include "runner/core/random.h"
#include "runner/emulation/emulation.h"
#include "runner/emulation/nw_overload.h"
#include "runner/emulation/nw_ue.h"

enum {
	NW_BUCKETS = 1024,	      /* connections of a node by RAN UE NGAP ID */
	NW_PLMNS_MAX = 12,	      /* as many as a PLMN support list has */
	NW_CONNECTIONS_MAX = 1 << 20, /* of one AMF in a case */
	NW_ASSOCIATIONS_MAX = 1024,   /* accepted in a case */
	NW_STRANGERS_MAX = 1 << 16,   /* UEs of unknown identity in a case */
	NW_INITIAL_MAX = 1 << 20,     /* INITIAL UE MESSAGEs that a counter keeps */
};

#define NW_RELEASE_DELAY   (200 * US_PER_MS)
#define NW_FOLLOW_ON_DELAY (2 * US_PER_S)

/* --- AMFs, associations, nodes --- */

struct nw_association {
	struct nw_association *next; /* of its AMF */
	struct nw_amf *amf;
	struct nw_node *node; /* NULL: nothing has said yet whose it is */
	struct link *link;    /* NULL: gone */
	size_t tnl;
	bool expected_down;
};

struct nw_node {
	struct nw *nw;
	struct nw_node *next; /* of its AMF */
	struct nw_amf *amf;
	enum node_kind kind;
	char name[40];
	uint8_t id[16]; /* Global RAN Node ID, as something to compare */
	size_t id_len;
	bool set_up;
	unsigned int setups;
	const struct ngap_received *setup;
	uint32_t tac; /* the first that it supports */
	struct queue inbox;
	uint64_t harmless[4];
	const char *last_sent;
	bool noted_malformed;
	unsigned int resets;			     /* NG RESETs that were acknowledged */
	struct nw_connection *by_ran_id[NW_BUCKETS]; /* the youngest first */
};

/* The AMF's end of a UE-associated logical NG-connection. */
struct nw_connection {
	struct nw_amf *amf;
	struct nw_node *node;
	struct nw_association *association;
	struct nw_connection *older; /* in the same bucket */
	struct nw_ue *ue;	     /* NULL: answered by release alone */
	enum access access;
	uint64_t amf_ue_ngap_id;
	uint32_t ran_ue_ngap_id;
	uint16_t stream;
	bool open, releasing;
	bool context_requested, context_set_up;
	struct plmn plmn; /* that the UE has selected */
	uint32_t tac;
	struct timer release;
};

struct nw_amf {
	struct nw *nw;
	struct nw_amf *next;
	struct nw_amf_options options;
	const struct profile_amf *profile;
	unsigned int number; /* entry of profile->amfs, from 1 */
	char name[64];
	struct nw_guami guami;
	struct nw_guami *guamis; /* all, its own first */
	size_t guami_count;
	struct plmn plmns[NW_PLMNS_MAX];
	size_t plmn_count;
	uint8_t capacity;
	uint8_t weights[PROFILE_LIST_MAX];
	size_t tnl_count; /* at least 1 */
	unsigned int behaviours;
	struct net_listener *listeners[PROFILE_LIST_MAX];
	bool listening;
	struct nw_association *associations;
	struct nw_node *nodes;
	unsigned int node_count;
	struct nw_connection **connections; /* by AMF UE NGAP ID - 1 */
	size_t connection_count, connection_room;
	uint64_t rejects; /* types; 0: none */
	struct nw_options reject;
	ngap_alter_fn *bend;
	void *bend_arg;
};

/* --- UEs --- */

/* A 5G NAS security context at the AMF, with the COUNTs of one access. */
struct nw_context {
	bool valid;
	uint8_t ngksi;
	uint32_t generation;
	uint8_t k_amf[KDF_KEY_SIZE];
	struct nas_security_suite suite;
	uint32_t ul_next; /* lowest acceptable */
	uint32_t dl_count;
};

/* What a UE has asked for and not been answered. */
struct nw_request {
	bool waits;
	bool ready; /* identified and authenticated as far as that is done by default */
	uint8_t type;
	uint8_t registration; /* bits 4 to 1 */
	uint8_t service;
	bool integrity; /* the message was protected, and its MAC right */
	bool follow_on;
	bool has_status;
	uint16_t status; /* PDU session status */
};

struct nw_ue_access {
	struct nw_connection *connection; /* NULL: CM-IDLE */
	bool registered;
	bool accepted; /* REGISTRATION ACCEPT is sent, and to be completed */
	bool secured;  /* secure exchange is established on this connection */
	bool follow_on;
	struct nw_context context;
	struct nw_context candidate; /* from AUTHENTICATION RESPONSE to SECURITY MODE COMPLETE */
	struct nw_request request;
	struct {
		bool runs;
		uint8_t rand[16], autn[16], xres_star[16];
		bool resynchronised;
	} authentication;
	bool identifying;
	bool deregistering;	/* DEREGISTRATION REQUEST is sent */
	uint32_t last_ul_count; /* of the last message that could be verified */
};

struct nw_ue {
	struct nw *nw;
	struct nw_ue *next;
	uint32_t serial; /* from 1; its 5G-TMSIs come from it */
	char name[24];
	char supi[24];
	const char *digits; /* of the IMSI; NULL: a stranger */
	uint32_t index;	    /* of the subscriber */
	unsigned int number;
	unsigned int behaviours;
	bool keep_connected;
	bool held; /* connected without NAS: what it sends is a matter of N2 alone */
	uint64_t harmless[4];
	uint64_t rejects;
	struct nw_options reject;
	nas_alter_fn *bend;
	void *bend_arg;
	struct nw_registration registration;
	struct nw_ue_access access[ACCESS_COUNT];
	struct nw_amf *amf; /* where it was last, and which has allotted the 5G-GUTI */
	struct nw_node *node;
	uint32_t generation; /* of keys */
	uint32_t guti_count;
	bool has_guti;
	struct nas_guti guti;
	bool has_old_guti;
	struct nas_guti old_guti; /* the UE may still use it until it has completed */
	/*
	 * Registered over its two accesses in two PLMNs: two networks, which share no context; the
	 * old 5G-GUTI is that of the other access.
	 */
	bool apart;
	struct plmn plmn;
	uint32_t tac;
	uint64_t sqn;
	bool authenticated; /* at least once in this case */
	struct nas_ue_security_capability capability;
	struct octets capability_octets;
	uint8_t capability_storage[16];
	uint16_t sessions;
	struct queue nas, ngap;
	uint64_t sent_at, idle_since;
	unsigned int requests;
	const char *last_sent;
	unsigned int discarded;
	uint64_t unreadable_at; /* loop time of its last INITIAL UE MESSAGE without readable NAS */
	char discard_reason[160];
	const struct nas_received *last; /* the last message of this UE */
};

/* One INITIAL UE MESSAGE for the counters. */
struct nw_initial {
	uint64_t time;
	enum rrc_cause cause;
	const struct nw_node *node;
	const struct ngap_received *message;
	uint16_t tnl;
	uint16_t nssai_count;
	struct slice nssai[8];
	bool has_amf; /* set and pointer of a 5G-S-TMSI, or of the GUAMI IE */
	uint16_t set;
	uint8_t pointer;
};

struct nw_count {
	struct nw *nw;
	size_t from, to; /* of nw->initials; SIZE_MAX: goes on */
	uint64_t uplinks_from, uplinks_to;
};

struct nw {
	struct emulation *e;
	struct nw_amf *amfs;
	unsigned int amf_count, entries; /* bit n: entry n + 1 of the profile is in use */
	struct nw_ue *ues, *last_ue;
	struct nw_ue **by_index;  /* of the subscriber */
	struct nw_ue **by_serial; /* serial - 1 */
	uint32_t ue_count, stranger_count, serial_room;
	unsigned int association_count;
	struct random random;
	uint32_t tmsi_base;
	bool settling; /* the IUT is being restarted: associations may come and go */
	bool may_drop;
	uint64_t came; /* when the last association came up */
	/* every INITIAL UE MESSAGE of the case */
	struct nw_initial *initials;
	size_t initial_count, initial_room;
	uint64_t uplinks; /* UPLINK NAS TRANSPORTs */
	uint64_t last_arrival;
};

struct nw *nw_of(struct tc *t);

/* --- nw_amf.c --- */

/* Every association of this AMF ends from our side. */
void nw_leave_all(struct nw_amf *amf, bool abort);
/* The association that non-UE messages go out on; NULL: none is up. */
struct nw_association *nw_first_association(const struct nw_node *node);
/* Encodes and sends; 0, -ENOTCONN or another negative errno. */
int nw_transmit(struct nw_association *association, uint16_t stream, const struct ngap_pdu *pdu);
/* From a callback: what is the rig's own fault ends the case with error. */
void nw_reply(struct nw_association *association, uint16_t stream, const struct ngap_pdu *pdu);
/* A case sends: an association that is gone ends it. */
void nw_judge_sending(struct nw *nw, const char *to, const char *what, int error);
/* All connections of this node (or over this association) end at our side. */
void nw_drop_connections(struct nw_node *node, const struct nw_association *association);

/* --- nw_setup.c --- */

/* NG SETUP REQUEST: the node it is from is found or made, and answered. NULL: not to be had. */
struct nw_node *nw_setup_input(struct nw_association *association, const struct ngap_received *m);
/* RAN CONFIGURATION UPDATE: a new association of a node that is known, or a change. */
void nw_configuration_input(struct nw_association *association, const struct ngap_received *m);
void nw_tell_tnl(struct nw_node *node);

/* --- nw_node.c --- */

void nw_node_input(struct nw_association *association, const struct link_message *message);

/* --- nw_connection.c --- */

void nw_connection_input(struct nw_association *association, struct ngap_received *m);
struct nw_connection *nw_connection_by_id(const struct nw_amf *amf, int64_t amf_ue_ngap_id);
void nw_connection_end(struct nw_connection *connection);
void nw_connection_drop_part(struct nw_node *node,
			     const struct ngap_ue_associated_logical_ng_connection_list *list);
/* Behaviours in force for this connection. */
unsigned int nw_behaviours(const struct nw_connection *connection);
/* UE CONTEXT RELEASE COMMAND. */
int nw_release_command(struct nw_connection *connection, const struct ngap_cause *cause);
/* NW_RELEASE: soon, now, or not at all, as behaviours and the state of the UE say. */
void nw_release_later(struct nw_connection *connection);
void nw_release_now(struct nw_connection *connection);
/* NAS to the UE: DOWNLINK NAS TRANSPORT. 0 or a negative errno. */
int nw_downlink(struct nw_connection *connection, struct octets nas,
		const struct nw_options *options);
/*
 * NAS (empty: none) in an INITIAL CONTEXT SETUP REQUEST, K_gNB from the UE's context where it has
 * one; these slices as Allowed NSSAI, the profile's where count is 0.
 */
int nw_context_setup(struct nw_connection *connection, struct octets nas,
		     const struct slice *allowed, size_t count, const struct nw_options *options);
/* NAS in a PDU SESSION RESOURCE SETUP REQUEST for this session. */
int nw_session_setup(struct nw_connection *connection, uint8_t psi, struct octets nas);
void nw_s_nssai(struct arena *arena, const struct slice *slice, struct ngap_s_nssai *out);

/* --- nw_ue.c --- */

struct nw_ue *nw_ue_new(struct nw *nw, bool stranger);
struct nw_ue *nw_ue_by_index(struct nw *nw, uint32_t index);
/* By a temporary identity as this AMF knows it; NULL: nobody. */
struct nw_ue *nw_ue_by_s_tmsi(struct nw_amf *amf, const struct nas_s_tmsi *s_tmsi);
/* The subscriber of a SUCI; NULL: none of the profile, or it cannot be revealed. */
struct nw_ue *nw_ue_by_suci(struct nw *nw, const struct nas_suci *suci);
void nw_ue_allot_guti(struct nw_ue *ue, const struct nw_connection *connection);
void nw_ue_now_idle(struct nw_ue *ue, enum access access);
/* A stranger turns out to be this UE. */
void nw_ue_becomes(struct nw_connection *connection, struct nw_ue *ue);
void nw_ue_record(struct nw_ue *ue, bool sent, struct octets plain, unsigned int security_header,
		  const char *remark);
struct nw_connection *nw_connection_of(struct nw_ue *ue, enum access access, const char *what);

/* --- nw_input.c: uplink NAS --- */

/* Whose the NAS message in an INITIAL UE MESSAGE is: sets connection->ue. False: case ended. */
bool nw_nas_find(struct nw_connection *connection, struct octets pdu,
		 const struct ngap_received *carrier);
void nw_nas_input(struct nw_connection *connection, struct octets pdu,
		  const struct ngap_received *carrier);

/* --- nw_behave.c --- */

/* Takes note of a message and answers by default; true where expectations may pass over it. */
bool nw_behave(struct nw_connection *connection, const struct nas_received *m);
/* Goes on with the request that waits, as far as behaviours let it. */
void nw_proceed(struct nw_connection *connection);

/* --- nw_security.c --- */

struct nw_context *nw_context(struct nw_ue *ue, enum access access);
/* False with a sentence in why; plain gets the inner message, deciphered. */
bool nw_unprotect(struct nw_context *context, enum access access, struct octets pdu, uint8_t *plain,
		  size_t size, size_t *len, uint32_t *count, struct text *why);
/* Deciphers a NAS message container of a message with this COUNT in place. */
bool nw_decipher(const struct nw_context *context, enum access access, uint32_t count,
		 uint8_t *data, size_t len);
ssize_t nw_protect(struct nw_context *context, enum access access,
		   enum nas_security_header_type type, struct octets plain, uint8_t *out,
		   size_t size);
/* AUTHENTICATION REQUEST with a new vector. 0 or a negative errno. */
int nw_start_authentication(struct nw_connection *connection, const struct nw_options *options);
/* Emergency services without authentication: security mode with null algorithms. */
void nw_null_security(struct nw_connection *connection);
void nw_authentication_response(struct nw_connection *connection, const struct nas_received *m);
void nw_authentication_failure(struct nw_connection *connection, const struct nas_received *m);
bool nw_k_gnb(const struct nw_ue *ue, enum access access, uint8_t key[KDF_KEY_SIZE]);

/* --- nw_message.c: NAS to UEs --- */

/* Protects and sends as the options and the state of the connection say. 0 or a negative errno. */
int nw_submit(struct nw_connection *connection, const struct nas_msg *msg,
	      const struct nw_options *options);
/* As nw_submit, from a callback: ends the case where it fails. */
void nw_answer(struct nw_connection *connection, const struct nas_msg *msg);
int nw_submit_reject(struct nw_connection *connection, const struct nw_options *options);
int nw_submit_accept(struct nw_connection *connection, const struct nw_options *options);
/* True where a timer has a coding. */
bool nw_timer_octet(const struct nw_timer *timer, enum nas_timer_coding coding, uint8_t *octet);

/* --- nw_session.c --- */

/* UL NAS TRANSPORT with a 5GSM message; whether it was answered. */
bool nw_session_input(struct nw_connection *connection, const struct nas_received *m);

/* --- nw_count.c --- */

void nw_count_initial(struct nw_association *association, const struct ngap_received *m);
enum rrc_cause nw_rrc_cause_of(int value);

#endif
