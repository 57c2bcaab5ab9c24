/*
 * NGAP (TS 38.413) messages as data that a conformance tester can bend.
 *
 * A message is its IEs in wire order, each either typed or raw, so that a case can send what no
 * correct node would: wrong order, duplicates, wrong criticality, unknown ids, missing IEs, raw
 * octets for a known id. Decoding never judges; presence and criticality (clause 10) are the pass
 * in ngap_check.h. Printing and field by field comparison are in ngap_print.h.
 *
 * No heap, no state, thread safe. Decoded values point into the input and into the caller's arena:
 * both have to outlive the message.
 *
 * Types of the IEs are in ngap_types.h, which the build makes from ngap.asn by these rules:
 *  - a name is the standard's in lower case, words separated by '_', prefix ngap_:
 *    GlobalGNB-ID is struct ngap_global_gnb_id, component pLMNIdentity is plmn_identity,
 *    sST is sst, FiveG-S-TMSI is struct ngap_five_g_s_tmsi, tAI is tai, nR-CGI is nr_cgi;
 *  - INTEGER: int64_t; BOOLEAN: bool; ENUMERATED: enum ngap_x with constants NGAP_X_VALUE
 *    (NGAP_OVERLOAD_ACTION_REJECT_RRC_CR_SIGNALLING); a value that the release does not know
 *    keeps its number, counted on from the last root value;
 *  - OCTET STRING, PrintableString, UTF8String: struct octets (strings without terminator);
 *  - BIT STRING of a fixed size up to 64 bits, not extensible: uint64_t, the last bit being the
 *    least significant (AMFSetID 5 is 5); any other BIT STRING: struct per_bits;
 *  - SEQUENCE: struct; OPTIONAL component: const pointer, NULL is absent;
 *    every SEQUENCE that the standard left open ends in `additions` (NULL is none);
 *    iE-Extensions is `const struct ngap_ie_list *ie_extensions` (NULL is none);
 *  - SEQUENCE OF: struct { size_t count; const T *items; };
 *  - CHOICE: struct { enum ngap_x_choice choice; union { ... }; } (anonymous union), constants
 *    NGAP_X_CHOICE_ALTERNATIVE, 0 is none; alternative choice-Extensions is
 *    `struct ngap_ie choice_extensions`.
 * The value of an IE is a const pointer to its C type: int64_t for AMF-UE-NGAP-ID, struct octets
 * for NAS-PDU, enum ngap_rrc_establishment_cause, struct ngap_guami.
 */
#ifndef SPILLWAY_CODECS_NGAP_H
#define SPILLWAY_CODECS_NGAP_H

#include <sys/types.h>

#include "codecs/arena.h"
#include "codecs/finding.h"
#include "codecs/ngap/ngap_ie.h"
#include "codecs/ngap/ngap_types.h"
#include "codecs/octets.h"

/* SCTP payload protocol identifier and port of NGAP (TS 38.412 clause 7). */
#define NGAP_PPID 60
#define NGAP_PORT 38412

/* Largest arena that a message of ordinary size needs; see ngap_decode. */
#define NGAP_ARENA_SIZE 4096

/* Longer input is refused: no SCTP user message of this protocol comes near it. */
#define NGAP_PDU_MAX (16 * 1024 * 1024)

enum ngap_kind {
	NGAP_INITIATING_MESSAGE,
	NGAP_SUCCESSFUL_OUTCOME,
	NGAP_UNSUCCESSFUL_OUTCOME,
};

/* Procedure codes: NGAP_PROCEDURE_NG_SETUP = 21, NGAP_PROCEDURE_OVERLOAD_START = 22, ... */
enum ngap_procedure {
#define PROCEDURE(id, code, crit, name) NGAP_PROCEDURE_##id = (code),
#include "codecs/ngap/ngap_messages.def"
};

/* Messages: NGAP_NG_SETUP_REQUEST, NGAP_OVERLOAD_START, NGAP_UE_CONTEXT_RELEASE_COMMAND, ... */
enum ngap_message {
	NGAP_MESSAGE_UNKNOWN,
#define MESSAGE(id, procedure, kind, name) NGAP_##id,
#include "codecs/ngap/ngap_messages.def"
	NGAP_MESSAGE_COUNT
};

/* Protocol IE ids: NGAP_ID_AMF_UE_NGAP_ID = 10, NGAP_ID_NAS_PDU = 38, ... */
enum ngap_id {
#define ID(id, number, name) NGAP_ID_##id = (number),
#include "codecs/ngap/ngap_ids.def"
};

struct ngap_pdu {
	enum ngap_kind kind;
	uint8_t procedure_code;
	uint8_t criticality;	   /* enum ngap_criticality */
	enum ngap_message message; /* of procedure_code and kind when decoded or initialised */
	struct ngap_ie *ies;	   /* in wire order, duplicates kept; free to be changed */
	size_t count;
	size_t max;	     /* room in ies */
	struct arena *arena; /* where ngap_add finds room */
	int error;	     /* first error of ngap_add..., as negative errno; 0 if none */
	bool is_raw;	     /* the content is raw, not ies: unknown procedure */
	struct octets raw; /* content of the message's open type: as received, and sent if is_raw */
	const struct per_additions *additions;
	struct octets trailing; /* octets after the message, which are a finding; sent as well */
};

/*
 * Decodes one NGAP-PDU. The arena is used, not reset.
 *
 * What the lenient mode accepts: padding bits, lengths in a longer form than needed, octets after
 * the end of an open type, IE contents that violate a constraint (the IE stays raw: value NULL,
 * type set); each is a finding. Refused in both modes: a message that ends inside a field, an IE
 * whose content ends inside a field, a criticality of 3, an unknown alternative of NGAP-PDU,
 * nesting too deep, an arena too small. An unknown procedure gives is_raw, an IE that the message
 * does not have in ngap_ies.def gives a raw IE of NGAP_TYPE_RAW; neither is a finding.
 *
 * Returns 0, -EBADMSG (the last stored finding says where and why) or -ENOMEM (arena); pdu is then
 * not to be used. An arena of NGAP_ARENA_SIZE does for every message of a few hundred octets; one
 * of 80 times the size of the input and NGAP_ARENA_SIZE does for all.
 */
int ngap_decode(struct ngap_pdu *pdu, struct octets in, struct arena *arena, enum decode_mode mode,
		struct findings *findings);

/*
 * Encodes pdu as it stands: nothing is sorted, added or checked against the tables. A typed value
 * that its own type cannot express (an integer out of range, a list too long) is an error: send
 * such things raw. Returns the length or -ENOSPC (size too small), -ERANGE (a value outside its
 * constraint), -EINVAL (no choice made, fixed size missed), or pdu->error.
 */
ssize_t ngap_encode(const struct ngap_pdu *pdu, uint8_t *buf, size_t size);

/* An empty message: kind, procedure code and criticality from the table. */
void ngap_pdu_init(struct ngap_pdu *pdu, enum ngap_message message, struct arena *arena);

/*
 * Append an IE; criticality and type are the table's for this message and id (ignore and
 * NGAP_TYPE_RAW if it has none). ngap_add keeps the pointer: value must outlive pdu and be of the
 * type that the table names. The others copy the scalar into the arena (not the octets that it
 * points to). An error (no room; ngap_add with an id that has no type here: -EINVAL) is kept in
 * pdu->error, so that only ngap_encode needs to be checked. Each returns the new IE, valid until
 * the next one is added, or NULL.
 */
struct ngap_ie *ngap_add(struct ngap_pdu *pdu, enum ngap_id id, const void *value);
struct ngap_ie *ngap_add_int(struct ngap_pdu *pdu, enum ngap_id id, int64_t value);
struct ngap_ie *ngap_add_enum(struct ngap_pdu *pdu, enum ngap_id id, int value);
struct ngap_ie *ngap_add_octets(struct ngap_pdu *pdu, enum ngap_id id, struct octets value);
struct ngap_ie *ngap_add_raw(struct ngap_pdu *pdu, uint16_t id, enum ngap_criticality criticality,
			     struct octets content);

/* The Cause IE of this group and value (an enumeration of that group); another group is misc. */
struct ngap_ie *ngap_add_cause(struct ngap_pdu *pdu, enum ngap_cause_choice group, int value);

/* Takes out every IE of this id; returns how many there were. */
size_t ngap_remove(struct ngap_pdu *pdu, enum ngap_id id);

/* First IE of this id, NULL if none. */
const struct ngap_ie *ngap_find(const struct ngap_pdu *pdu, enum ngap_id id);

/* Typed value of the first IE of this id; NULL if there is none or it did not decode. */
const void *ngap_value(const struct ngap_pdu *pdu, enum ngap_id id);

/* Scalars of the first IE of this id; false if there is none, it is raw or of another type. */
bool ngap_get_int(const struct ngap_pdu *pdu, enum ngap_id id, int64_t *value);
bool ngap_get_enum(const struct ngap_pdu *pdu, enum ngap_id id, int *value);
bool ngap_get_octets(const struct ngap_pdu *pdu, enum ngap_id id, struct octets *value);

/* Typed value of an extension in an iE-Extensions (list may be NULL); NULL if none. */
const void *ngap_extension(const struct ngap_ie_list *list, enum ngap_id id);

/*
 * One value of a type on its own: the transfers that NGAP carries as octet strings, or the content
 * of an IE for ngap_add_raw. As ngap_decode and ngap_encode.
 */
int ngap_decode_value(enum ngap_type type, struct octets in, struct arena *arena,
		      enum decode_mode mode, struct findings *findings, const void **value);
ssize_t ngap_encode_value(enum ngap_type type, const void *value, uint8_t *buf, size_t size);

/* NGAP_MESSAGE_UNKNOWN if the standard has no such combination. */
enum ngap_message ngap_message_of(uint8_t procedure_code, enum ngap_kind kind);

enum ngap_presence {
	NGAP_OPTIONAL,
	NGAP_MANDATORY,
	NGAP_CONDITIONAL,
};

/* A row of ngap_ies.def: an IE that a message has. */
struct ngap_ie_row {
	uint16_t id;
	uint8_t criticality; /* enum ngap_criticality */
	uint8_t presence;    /* enum ngap_presence */
	uint16_t type;	     /* enum ngap_type; NGAP_TYPE_RAW: kept raw by this codec */
};

struct ngap_message_info {
	const char *name; /* "NGSetupRequest" */
	uint8_t procedure_code;
	uint8_t criticality; /* of the procedure */
	uint8_t kind;
	uint8_t response; /* bit 0: the procedure has a successful outcome, bit 1: an unsuccessful
			     one */
	const struct ngap_ie_row *rows; /* in the standard's order */
	size_t count;
};

/* Never NULL; for NGAP_MESSAGE_UNKNOWN without rows. */
const struct ngap_message_info *ngap_message_info(enum ngap_message message);

/* Row of this message and id, NULL if the message has no such IE. */
const struct ngap_ie_row *ngap_ie_row(enum ngap_message message, uint16_t id);

/* Names of the standard, "NGSetupRequest", "NGSetup", "AMF-UE-NGAP-ID"; "unknown" if none. */
const char *ngap_message_name(enum ngap_message message);
const char *ngap_procedure_name(uint8_t procedure_code);
const char *ngap_ie_name(uint16_t id);

#endif
