/*
 * PFCP messages (TS 29.244 clauses 7 and 8) as a header and a tree of information elements in wire
 * order.
 *
 * The tree keeps everything a sender can get wrong - repeated, missing and misplaced IEs, IEs of
 * vendors and of later releases, length fields that lie, a rest that is no IE - so a test can send
 * such messages, and whatever was decoded encodes to the same octets again. Decoding looks at the
 * structure alone; what a receiver has to do about a message (7.6) is the pass in pfcp_check.h.
 * Typed values are in pfcp_value.h, text in pfcp_print.h.
 *
 * Which IEs there are is in pfcp_ies.def, which message or grouped IE has which in
 * pfcp_members.def.
 *
 * No heap, no state: decoded values point into the caller's input, the tree lies in the caller's
 * arena. Both have to outlive the message.
 */
#ifndef SPILLWAY_CODECS_PFCP_PFCP_H
#define SPILLWAY_CODECS_PFCP_PFCP_H

#include "codecs/arena.h"
#include "codecs/finding.h"
#include "codecs/octets.h"

#define PFCP_PORT    8805 /* UDP */
#define PFCP_VERSION 1

/* An arena of this size suffices to decode any message of PFCP_USUAL_MAX octets. */
#define PFCP_ARENA_SIZE 40960
#define PFCP_USUAL_MAX	1500
/*
 * An arena of this size suffices to decode any message: at worst, 5 octets are a grouped IE and an
 * octet in it that is no IE, and each of the two takes 64 octets.
 */
#define PFCP_ARENA_MAX ((65539 / 5 + 1) * 2 * 64)

/* The longest message: 4 octets and what the length field can say. */
#define PFCP_MESSAGE_MAX 65539

/* Grouped IEs below this depth stay undivided (FINDING_TOO_DEEP). */
#define PFCP_DEPTH_MAX 8

/* Message types (7.3): PFCP_HEARTBEAT_REQUEST = 1, named as in pfcp_messages.def. */
enum pfcp_message_type {
#define MESSAGE(message, type, kind, sender, clause, name) PFCP_##message = (type),
#include "codecs/pfcp/pfcp_messages.def"
#undef MESSAGE
};

/* IE types (8.1.2): PFCP_IE_CREATE_PDR = 1 and so on, named as in pfcp_ies.def. */
enum pfcp_ie_type {
#define IE(ie, type, form, min, release, clause, name) PFCP_IE_##ie = (type),
#include "codecs/pfcp/pfcp_ies.def"
#undef IE
};

/* IE types from here on belong to the vendor whose enterprise id their value begins with. */
#define PFCP_IE_VENDOR 0x8000

struct pfcp_ie_list {
	struct pfcp_ie *first; /* in wire order; NULL when empty */
	struct pfcp_ie *last;
};

struct pfcp_ie {
	struct pfcp_ie *next;	 /* in the same scope; NULL for the last */
	struct octets value;	 /* behind type, length and enterprise id; of a grouped IE that was
				    decoded: the octets of its members, for reading only */
	struct pfcp_ie_list ies; /* members, when grouped */
	uint32_t offset;	 /* of its first octet in the input, in octets; 0 when built */
	uint16_t type;		 /* enum pfcp_ie_type or any other number */
	uint16_t length;	 /* the length field that is sent when length_lies */
	uint16_t enterprise_id;	 /* types >= PFCP_IE_VENDOR */
	bool grouped;		 /* ies are what is sent, not value */
	bool length_lies;	 /* length stands on the wire instead of the true one */
	bool bare; /* octets that are no IE: value is sent as it is. Also a vendor's IE
		      that is too short for its enterprise id has type and length in it */
};

struct pfcp_message {
	struct pfcp_ie_list ies;
	struct arena *arena; /* where IEs that are added find room */
	int error;	     /* first error of an addition, as negative errno; 0 if none */
	uint8_t type;	     /* enum pfcp_message_type or any other number */
	uint8_t version;     /* PFCP_VERSION, 0 to 7 */
	bool follow_on;	     /* FO: another message follows in the datagram */
	bool has_priority;   /* MP */
	bool has_seid;	     /* S */
	uint8_t spare;	     /* bits 5 and 4 of the first octet, as 0x18 */
	uint8_t priority;    /* bits 8 to 5 of the header's last octet: 0 (highest) to 15 */
	uint8_t spare_last;  /* bits 4 to 1 of the header's last octet */
	bool length_lies;    /* length stands on the wire instead of the true one */
	uint16_t length;     /* of what follows the first 4 octets; when built: only if it lies */
	uint32_t sequence_number; /* 0 to 0xffffff */
	uint64_t seid;		  /* if has_seid */
	struct octets trailing;	  /* octets behind the message, without FO; they are sent as well */
	struct octets following;  /* with FO: the rest of the datagram; not sent */
};

/* ---- tables ---- */

enum pfcp_message_kind {
	PFCP_REQUEST,
	PFCP_RESPONSE,
};

enum pfcp_sender {
	PFCP_SENT_BY_CP = 1,
	PFCP_SENT_BY_UP = 2,
	PFCP_SENT_BY_BOTH = 3,
};

/* P column of the tables of clause 7, see 7.2.3.2; in falling order of strictness. */
enum pfcp_presence {
	PFCP_MANDATORY,
	PFCP_CONDITIONAL,
	PFCP_CONDITIONAL_OPTIONAL,
	PFCP_OPTIONAL,
};

/* An IE that a message or grouped IE has. */
struct pfcp_member {
	uint16_t type;	  /* enum pfcp_ie_type */
	uint8_t presence; /* enum pfcp_presence */
	bool repeated;	  /* several IEs of this type are allowed in this scope */
};

struct pfcp_message_info {
	const char *name;   /* "Session Establishment Request" */
	const char *clause; /* of TS 29.244 */
	uint8_t type;
	uint8_t kind;	/* enum pfcp_message_kind */
	uint8_t sender; /* enum pfcp_sender */
	bool node;	/* node related: no SEID in its header */
	uint16_t count;
	const struct pfcp_member *members; /* in the standard's order */
};

/* How the value of an IE is built; see pfcp_forms.def. */
enum pfcp_form {
#define FORM(form, name) PFCP_FORM_##form,
#include "codecs/pfcp/pfcp_forms.def"
#undef FORM
};

struct pfcp_ie_info {
	const char *name;   /* "Create PDR" */
	const char *clause; /* of TS 29.244 */
	uint16_t type;
	uint8_t form;	 /* enum pfcp_form */
	uint8_t release; /* that brought it: 15 (or earlier) to 19 */
	uint16_t min;	 /* least length of the value in octets */
	uint16_t count;	 /* of members, for grouped IEs */
	const struct pfcp_member *members;
};

/* NULL for a type that the standard does not have. */
const struct pfcp_message_info *pfcp_message_info(uint8_t type);
const struct pfcp_ie_info *pfcp_ie_info(uint16_t type);

/* The i-th of all, in rising order of type; NULL past the last. */
const struct pfcp_message_info *pfcp_message_info_at(size_t i);
const struct pfcp_ie_info *pfcp_ie_info_at(size_t i);

/* The row of an IE in a message or grouped IE; NULL when it has none there. */
const struct pfcp_member *pfcp_message_member(uint8_t message_type, uint16_t type);
const struct pfcp_member *pfcp_group_member(uint16_t group_type, uint16_t type);

/* Names of the standard; static storage, "unknown" if there is none. */
const char *pfcp_message_name(uint8_t type);
const char *pfcp_ie_name(uint16_t type);

/* The type of the response to a request, -1 when the request is none. */
int pfcp_response_type(uint8_t request_type);

/* ---- octets ---- */

/*
 * Decodes the first message of a datagram. The arena is used, not reset.
 *
 * Lenient mode keeps whatever can be kept: a length field that is too large (the IE's value is
 * what there is), octets that are no IE, trailing octets, nesting that is too deep; each is a
 * finding. It refuses an input that is shorter than its header, a version other than 1 (also
 * findings, 7.6.2 and 7.6.3) and an arena that is too small. Strict mode refuses at the first
 * finding. A datagram with FO leaves its other messages in msg->following.
 *
 * Returns FINDING_NONE or the rule that refused. msg is set as far as decoding got, and safe to
 * print and to encode. findings may be NULL.
 */
enum finding_rule pfcp_decode(struct pfcp_message *msg, struct octets in, struct arena *arena,
			      enum decode_mode mode, struct findings *findings);

/*
 * Writes the message exactly as it stands. Returns the number of octets, -ENOSPC when size is too
 * small, -EMSGSIZE when a content is longer than its length field can say, -ELOOP when IEs are
 * nested more than 1,000 deep, or msg->error.
 */
int pfcp_encode(const struct pfcp_message *msg, uint8_t *out, size_t size);

/* ---- building ---- */

/*
 * An empty message. Session messages (type 50 and above) get a SEID field of value 0, node
 * messages none. sequence_number is for the caller to set.
 */
void pfcp_init(struct pfcp_message *msg, enum pfcp_message_type type, struct arena *arena);

/*
 * Append an IE of any type to the members of group, or to the message where group is NULL. Nothing
 * is checked against the tables. pfcp_add copies the octets into the arena, pfcp_add_ref keeps the
 * pointer. An error (no room) is kept in msg->error, so that only pfcp_encode needs to be looked
 * at. Each returns the new IE, to be changed at will, or NULL.
 */
struct pfcp_ie *pfcp_add(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			 struct octets value);
struct pfcp_ie *pfcp_add_ref(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			     struct octets value);
struct pfcp_ie *pfcp_add_u8(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			    uint8_t value);
struct pfcp_ie *pfcp_add_u16(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			     uint16_t value);
struct pfcp_ie *pfcp_add_u32(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			     uint32_t value);
struct pfcp_ie *pfcp_add_u64(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			     uint64_t value);

/* An empty grouped IE, of any type. */
struct pfcp_ie *pfcp_add_group(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type);

/* A vendor's IE; type is brought to PFCP_IE_VENDOR or above. */
struct pfcp_ie *pfcp_add_vendor(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
				uint16_t enterprise_id, struct octets value);

/* Octets that are no IE. */
struct pfcp_ie *pfcp_add_bare(struct pfcp_message *msg, struct pfcp_ie *group, struct octets value);

/* Makes an IE's length field say something else than its length. ie may be NULL. */
void pfcp_lie(struct pfcp_ie *ie, uint16_t length);

/* Takes every IE of this type out of a list; returns how many there were. */
size_t pfcp_remove(struct pfcp_ie_list *list, uint16_t type);

/* ---- reading ---- */

/*
 * The first IE of this type in a scope (&msg->ies, &group->ies), and the next one after ie in its
 * scope; NULL for none. Bare octets are never found.
 */
const struct pfcp_ie *pfcp_find(const struct pfcp_ie_list *list, uint16_t type);
const struct pfcp_ie *pfcp_find_next(const struct pfcp_ie *ie, uint16_t type);
size_t pfcp_count(const struct pfcp_ie_list *list, uint16_t type);

/* The first IE of this type anywhere, depth first; NULL for none. */
const struct pfcp_ie *pfcp_find_anywhere(const struct pfcp_ie_list *list, uint16_t type);

/*
 * The first octets of the value of the first IE of this type as a number in network order; false
 * when there is no such IE or its value is shorter. Later octets are those of later releases.
 */
bool pfcp_get_u8(const struct pfcp_ie_list *list, uint16_t type, uint8_t *value);
bool pfcp_get_u16(const struct pfcp_ie_list *list, uint16_t type, uint16_t *value);
bool pfcp_get_u32(const struct pfcp_ie_list *list, uint16_t type, uint32_t *value);
bool pfcp_get_u64(const struct pfcp_ie_list *list, uint16_t type, uint64_t *value);

/* The whole value of the first IE of this type; false when there is none. */
bool pfcp_get(const struct pfcp_ie_list *list, uint16_t type, struct octets *value);

/* The value of the Cause IE at message level, -1 when there is none. */
int pfcp_cause(const struct pfcp_message *msg);

#endif
