/*
 * What the parts of the emulation know of each other; for floor 4 only, cases see gnb.h, ue.h,
 * crowd.h and expect.h.
 *
 * Two kinds of code run here. What a case calls may end the case at once (tc_fail and the like).
 * What the loop calls - message and timer callbacks - must not: it returns errors, and ends the
 * case by emulation_end().
 *
 * Everything lives in the case's memory (tc_alloc) and is never freed. The IUT can make that grow
 * only up to RECEIVED_OCTETS_MAX and QUEUE_MAX; past them the case ends.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_EMULATION_H
#define SPILLWAY_RUNNER_EMULATION_EMULATION_H

#include "codecs/nas/security/key_derivation.h"
#include "codecs/nas/security/protection.h"
#include "runner/emulation/crowd.h"

enum {
	QUEUE_MAX = 512,		/* messages that wait in one queue */
	RECEIVED_OCTETS_MAX = 96 << 20, /* memory for everything received in a case */
	MESSAGE_MAX = 1 << 17,		/* of what we send, octets */
	BUILD_MAX = 1 << 16,		/* arena of a message that is built and sent */
	NODE_UES_MAX = 1 << 20,		/* RAN UE NGAP IDs of one node */
	WATCHERS_MAX = 8,
	FINDINGS_KEPT = 16,
	DISCARDED_NOTED = 8, /* notes about discarded messages of one UE */
};

/* --- queues --- */

struct entry {
	struct entry *next;
	bool skippable; /* answered by a default behaviour, or harmless */
	const struct ngap_received *ngap;
	const struct nas_received *nas; /* NULL in queues of NGAP messages */
};

struct queue {
	struct entry *first, *last;
	size_t count;
};

/* False when QUEUE_MAX entries wait that nobody may pass over. */
bool queue_push(struct tc *t, struct queue *queue, const struct ngap_received *ngap,
		const struct nas_received *nas, bool skippable);
void queue_remove(struct queue *queue, const struct entry *entry);
void queue_drop_skippable(struct queue *queue);
void queue_clear(struct queue *queue);

/* Which kind of message: whether a set (ONE_OF()) has this type. */
static inline bool type_in_set(uint64_t types, unsigned int type)
{
	for (unsigned int i = 0; i < 4; i++)
		if ((types >> (16 * i) & 0xffff) == type && type)
			return true;
	return false;
}

/* --- the whole --- */

struct nw;
struct n4;
struct sbi;
struct sbi_core;

struct emulation {
	struct tc *t;
	struct sbi *sbi;       /* network functions, where the IUT is one; else NULL */
	struct sbi_core *core; /* those behind the IUT, where it is an AMF; NULL: none */
	struct n4 *n4;	       /* PFCP entities, where the IUT is a UP or CP function; else NULL */
	struct nw *nw; /* the network's side, where the IUT is a UE or an NG-RAN node; else NULL */
	struct gnb *gnbs;
	struct ue *ues, *last_ue;
	unsigned int gnb_count, n3iwf_count, ue_count;
	unsigned int next_address;
	bool ended;	  /* the case has its verdict: what still comes is left alone */
	size_t octets;	  /* kept of what was received */
	uint8_t *scratch; /* for the first pass of decoding */
	size_t scratch_size;
	uint8_t *out;		 /* MESSAGE_MAX octets for encoding NGAP */
	uint8_t *nas_out;	 /* and NAS */
	uint8_t *nas_in;	 /* MESSAGE_MAX octets for a deciphered message */
	struct arena ngap_arena; /* for messages that are sent as soon as they are built */
	struct arena nas_arena;
	struct {
		watch_nas_fn *nas;
		watch_ngap_fn *ngap;
		void *arg;
	} watchers[WATCHERS_MAX];
	size_t watcher_count;
};

struct emulation *emulation_of(struct tc *t);

/* Ends the case from inside a callback. Only the first call counts. */
__attribute__((format(printf, 3, 4))) void emulation_end(struct emulation *e, enum verdict verdict,
							 const char *format, ...);
/* The verdict for an IUT that is dead: FAIL after its first answer, ERROR before. */
enum verdict emulation_dead(const struct emulation *e);

/*
 * A NAS message of the UE of that name on the record: the plain text, and how it was protected.
 * Sent is what the emulation sends.
 */
void emulation_record_nas(struct emulation *e, const char *name, bool sent, struct octets plain,
			  unsigned int security_header, const char *remark);

/* An arena of the case's memory. */
struct arena *emulation_arena(struct tc *t, size_t size);

/* --- received.c --- */

/* NULL when the octets are no NGAP message (why says it) or the memory bound is reached (ended). */
struct ngap_received *received_ngap(struct emulation *e, struct gnb *gnb,
				    const struct link_message *message, struct text *why);
/* NULL when the plain octets are no NAS message (why says it), or the bound is reached (ended). */
struct nas_received *received_nas(struct emulation *e, struct octets plain, struct octets octets,
				  const struct ngap_received *carrier, struct text *why);

/* What every protocol's messages are kept with. A scratch arena of at least so many octets. */
void received_scratch(struct emulation *e, size_t size, struct arena *arena);
/*
 * Memory for a message: the structure, its octets, and the arena of the second pass, of which the
 * first one used so much. NULL when the bound is reached (ended).
 */
void *received_memory(struct emulation *e, size_t size, size_t octets, size_t used,
		      struct arena *arena, uint8_t **copy);
void received_findings(struct emulation *e, const struct finding *items, size_t count,
		       const struct finding **kept, size_t *kept_count);
void received_say_findings(struct text *why, const struct findings *findings);

/* --- gnb --- */

/* The RAN's end of a UE-associated logical NG-connection. */
struct connection {
	struct ue *ue;
	uint32_t ran_ue_ngap_id;
	bool open;
	bool has_amf_ue_ngap_id;
	uint64_t amf_ue_ngap_id;
	uint16_t stream;     /* on which we send */
	int32_t peer_stream; /* on which the IUT sends, -1: not yet */
};

struct gnb {
	struct emulation *e;
	struct gnb *next;
	char name[16];
	struct gnb_options options;
	uint32_t id;
	uint32_t tac;
	unsigned int behaviours;
	struct net_address local;
	struct link *link;
	bool up, down_expected;
	bool failed; /* did not come up, or is gone */
	enum link_down_reason reason;
	uint64_t ue_streams, non_ue_streams;
	bool noted_stream, noted_malformed;
	const struct ngap_received *setup_response;
	bool setup_pending;
	int relative_capacity;
	const char *last_sent; /* name of the last message, NULL: none */
	struct queue inbox;
	uint64_t harmless[4];		 /* bit set of enum ngap_message */
	struct connection **connections; /* by RAN UE NGAP ID - 1 */
	size_t connection_count, connection_room;
};

static inline enum access gnb_access(const struct gnb *gnb)
{
	return gnb->options.kind == NODE_N3IWF ? ACCESS_NON_3GPP : ACCESS_3GPP;
}

/* A message in the arena for messages that are sent at once; the one before becomes invalid. */
struct ngap_pdu ngap_build(struct emulation *e, enum ngap_message message);
struct nas_msg nas_build(struct emulation *e, enum nas_message_type type);

/* Encodes and sends. 0, -ENOTCONN, or another negative errno of codec or link. */
int gnb_transmit(struct gnb *gnb, uint16_t stream, const struct ngap_pdu *pdu);
/* As gnb_transmit, from a callback: what is the rig's own fault ends the case with error. */
void gnb_reply(struct gnb *gnb, uint16_t stream, const struct ngap_pdu *pdu);

/* --- gnb_ue.c: procedures of single UEs --- */

/* Whether a message is UE-associated by its kind. */
bool ngap_is_ue_associated(const struct ngap_pdu *pdu);
/* Notes in m which UE a UE-associated message is for, if the node knows it. */
void gnb_ue_find(struct gnb *gnb, struct ngap_received *m);
/* Takes a UE-associated message: answers by default, passes NAS on, queues it. */
void gnb_ue_input(struct gnb *gnb, const struct ngap_received *m);
void gnb_paging_input(struct gnb *gnb, const struct ngap_received *m);
/* All connections of the node (or those of the list) end at our side. */
void gnb_drop_connections(struct gnb *gnb);
void gnb_drop_part(struct gnb *gnb,
		   const struct ngap_ue_associated_logical_ng_connection_list *list);

/* What an INITIAL UE MESSAGE or UPLINK NAS TRANSPORT carries besides NAS. */
struct uplink {
	enum rrc_cause cause;
	const struct nas_s_tmsi *s_tmsi; /* NULL: IE absent */
	bool no_ue_context_request;
	ngap_alter_fn *alter;
	void *alter_arg;
};

/*
 * Sends NAS of a UE: INITIAL UE MESSAGE where it has no connection on this node, else UPLINK NAS
 * TRANSPORT. 0 or a negative errno (-ENOSPC: no more RAN UE NGAP IDs).
 */
int gnb_uplink(struct gnb *gnb, struct ue *ue, struct octets nas, const struct uplink *uplink);
int gnb_release_request(struct gnb *gnb, const struct connection *connection);
/* AMF UE NGAP ID, where it is known, and RAN UE NGAP ID. */
void gnb_add_ids(struct ngap_pdu *pdu, const struct connection *connection);

/* --- gnb_session.c: PDU session resources --- */

void gnb_answer_context_setup(struct gnb *gnb, const struct ngap_received *m,
			      const struct connection *connection);
void gnb_answer_resource_setup(struct gnb *gnb, const struct ngap_received *m,
			       const struct connection *connection);
/* The NAS-PDUs of the sessions in a setup request go to the UE. */
void gnb_session_nas(struct gnb *gnb, const struct ngap_received *m, struct ue *ue);

/* --- ue --- */

/* A 5G NAS security context, with the COUNTs of one access. */
struct context {
	bool valid;
	uint8_t ngksi;
	uint32_t generation; /* of the key hierarchy: which authentication it came from */
	uint8_t k_amf[KDF_KEY_SIZE];
	struct nas_security_suite suite;
	uint32_t ul_count; /* next to use */
	uint32_t dl_next;  /* lowest acceptable */
};

struct ue_access {
	struct gnb *gnb;	       /* where the UE is on this access; NULL: nowhere */
	struct connection *connection; /* of the current N1 connection, NULL: CM-IDLE */
	bool registered;
	bool secured; /* secure exchange of NAS messages on this connection (24.501 4.4.2.5) */
	struct context context;
	struct context candidate; /* of a SECURITY MODE COMMAND whose MAC was right */
	/* the whole initial message of the current connection, for SECURITY MODE COMPLETE */
	struct octets initial;
	uint8_t *initial_octets;
	size_t initial_room;
	bool initial_protected;
	struct nas_tai tais[NAS_TAI_LIST_MAX];
	size_t tai_count;
};

struct ue {
	struct emulation *e;
	struct ue *next;
	char name[16];
	char supi[24];
	const char *digits; /* of the IMSI */
	unsigned int behaviours;
	unsigned int access_identity;
	uint8_t ea, ia;
	bool prefers_control_plane;
	struct gnb *node; /* default */
	struct ue_access access[ACCESS_COUNT];

	/* USIM */
	uint8_t sqn[6];
	uint8_t last_rand[16], last_res_star[16];
	bool has_last_rand;
	uint32_t authentications;
	/* key hierarchy of the last authentication, until SECURITY MODE COMMAND takes it into use
	 */
	struct context pending;

	bool emergency; /* registered, or registering, for emergency services */
	bool has_guti;
	struct nas_guti guti;
	uint64_t t3512;
	struct timer_ie t3346;
	uint16_t sessions; /* bit n: PSI n is active */
	uint8_t pti;

	struct queue nas, ngap;
	uint64_t harmless[4];		    /* bit set of 5GMM message types */
	const struct ngap_received *paging; /* the last, since the UE sent its last message */
	uint64_t sent_at;
	const char *last_sent; /* name of the last message, NULL: none */
	unsigned int discarded;
	char discard_reason[160]; /* of the last one */

	/* In place of the queue, for a crowd. */
	void (*on_nas)(struct ue *ue, const struct nas_received *m, void *arg);
	void (*on_idle)(struct ue *ue, void *arg);
	void *on_arg;
};

/* The connection of this access ended at our side. */
void ue_now_idle(struct ue *ue, enum access access);
/* Downlink NAS of this UE. */
void ue_nas_input(struct ue *ue, enum access access, struct octets pdu,
		  const struct ngap_received *carrier);
/* Default behaviours; true where expectations may pass over the message. */
bool ue_behave(struct ue *ue, enum access access, const struct nas_received *m);

/* Sending without ending the case: 0, -ENOTCONN, or another negative errno (the rig's fault). */
int ue_submit(struct ue *ue, const struct nas_msg *msg, enum rrc_cause cause,
	      const struct ue_options *options);
int ue_submit_octets(struct ue *ue, struct octets octets, const struct ue_options *options);
int ue_submit_registration(struct ue *ue, enum reg_type type, const struct ue_options *options);
int ue_submit_service_request(struct ue *ue, enum sr_type type, const struct ue_options *options);
/* The access and node that options mean; the UE is on that node from then on. */
enum access ue_choose(struct ue *ue, const struct ue_options *options);
/* An answer over this access, protected so. From callbacks; ends the case where that fails. */
void ue_answer(struct ue *ue, enum access access, const struct nas_msg *msg,
	       enum nas_security_header_type type);
/* The type for an answer as the state of the connection asks: ciphered once secured, else plain. */
enum nas_security_header_type ue_answer_type(const struct ue *ue, enum access access);
/* Adds the UE's SUCI, or its IMEI or IMEISV, as this IE. */
int ue_add_suci(struct ue *ue, struct nas_msg *msg, enum nas_ie ie);
int ue_add_imei(struct ue *ue, struct nas_msg *msg, enum nas_ie ie, enum nas_identity_type type);
/* A NAS message on the record: the plain text, and how it was protected. */
void ue_record(struct ue *ue, bool sent, struct octets plain, unsigned int security_header,
	       const char *remark);

/* --- ue_security.c
 * --------------------------------------------------------------------------------- */

/*
 * Opens a protected message under the context of the access, or for SECURITY MODE COMMAND under the
 * context that the command names; plain gets the inner message. why gets a sentence on failure.
 */
bool ue_unprotect(struct ue *ue, enum access access, struct octets pdu, uint8_t *plain, size_t size,
		  size_t *len, uint32_t *count, struct text *why);
/*
 * Protects under the context of the access and counts up. Returns the length or a negative errno.
 */
ssize_t ue_protect(struct ue *ue, enum access access, enum nas_security_header_type type,
		   struct octets plain, uint8_t *out, size_t size);
/* Ciphers a container of the message that ue_protect() will protect next, with its COUNT. */
bool ue_cipher(const struct ue *ue, enum access access, uint8_t *data, size_t len);
/* The context of an access, taken over from the other access where this one has none. */
struct context *ue_context(struct ue *ue, enum access access);
void ue_authentication_request(struct ue *ue, enum access access, const struct nas_received *m);
void ue_security_mode_command(struct ue *ue, enum access access, const struct nas_received *m);
/* "5G:mnc...": of the network behind this access; false when it cannot be formed. */
bool ue_serving_network(const struct ue *ue, enum access access,
			char name[SERVING_NETWORK_NAME_SIZE]);

static inline bool bit_set(const uint64_t *set, unsigned int bit)
{
	return bit < 256 && (set[bit / 64] >> (bit % 64) & 1);
}

static inline void set_bit(uint64_t *set, unsigned int bit)
{
	if (bit < 256)
		set[bit / 64] |= UINT64_C(1) << (bit % 64);
}

#endif
