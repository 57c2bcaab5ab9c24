/*
 * NAS-5GS messages (TS 24.501 clauses 8 and 9) as a header and a list of information elements in
 * wire order.
 *
 * The list keeps everything a sender can get wrong - duplicates, wrong order, unknown IEs, wrong
 * lengths, absent mandatory IEs, a rest that is no IE at all - so a test can send such messages,
 * and whatever was decoded in lenient mode encodes to the same octets again. What is wrong with a
 * message is not in its structure but in the findings of the decoder.
 *
 * IEs are addressed by role (NAS_IE_T3346_VALUE); IEIs, formats and positions come from the
 * tables in nas_message.def. Values are octets without IEI and length; nas_timer.h,
 * nas_identity.h, nas_slice.h, nas_area.h and nas_value.h turn them into structures.
 *
 * No heap: decoded values point into the caller's input, the list and values that a caller adds
 * lie in the caller's arena. Both have to outlive the message.
 */
#ifndef SPILLWAY_CODECS_NAS_NAS_H
#define SPILLWAY_CODECS_NAS_NAS_H

#include "codecs/arena.h"
#include "codecs/finding.h"
#include "codecs/octets.h"
#include "codecs/text.h"

enum nas_epd {
	NAS_EPD_5GSM = 0x2e,
	NAS_EPD_5GMM = 0x7e,
};

/*
 * Message types (9.7): NAS_REGISTRATION_REQUEST = 0x41 and so on, named as in nas_message.def.
 * 5GMM and 5GSM types do not overlap.
 */
enum nas_message_type {
#define MESSAGE(message, type, direction, clause, name) NAS_##message = type,
#define IE(message, ie, iei, format, presence, min, max)
#define END(message)
#include "codecs/nas/nas_message.def"
#undef MESSAGE
#undef IE
#undef END
};

/* Roles of IEs: NAS_IE_5GMM_CAUSE and so on, named as in nas_ie.def. */
enum nas_ie {
	NAS_IE_NONE = 0, /* an IE that the message's table does not have */
#define NAS_IE(ie, name, type) NAS_IE_##ie,
#include "codecs/nas/nas_ie.def"
#undef NAS_IE
	NAS_IE_COUNT,
};

/* Types of IE values: NAS_TYPE_GPRS_TIMER_2 and so on, named as in nas_type.def. */
enum nas_type {
#define NAS_TYPE(type, name, clause, ...) NAS_TYPE_##type,
#include "codecs/nas/nas_type.def"
#undef NAS_TYPE
	NAS_TYPE_COUNT,
};

/* TS 24.007 11.2.1.1 */
enum nas_format {
	NAS_FORMAT_RAW,	   /* octets that are no IE: written as they are */
	NAS_FORMAT_V_LOW,  /* bits 4 to 1 of an octet; the value is one octet 0x00 to 0x0f */
	NAS_FORMAT_V_HIGH, /* bits 8 to 5 */
	NAS_FORMAT_V,
	NAS_FORMAT_LV,
	NAS_FORMAT_LV_E,
	NAS_FORMAT_TV_HALF, /* IEI in the high nibble; the value is one octet 0x00 to 0x0f */
	NAS_FORMAT_TV,
	NAS_FORMAT_TLV,
	NAS_FORMAT_TLV_E,
};

enum nas_presence {
	NAS_MANDATORY,
	NAS_CONDITIONAL,
	NAS_OPTIONAL,
};

enum nas_sender {
	NAS_SENT_BY_UE = 1,
	NAS_SENT_BY_NETWORK = 2,
	NAS_SENT_BY_BOTH = 3,
};

/* One row of a message's table. min and max are lengths of the value alone, in octets. */
struct nas_row {
	uint16_t ie; /* enum nas_ie */
	uint8_t iei; /* 0 for formats without one */
	uint8_t format;
	uint8_t presence;
	uint16_t min;
	uint16_t max;
};

struct nas_message_info {
	uint8_t epd;
	uint8_t type;
	uint8_t sender;	   /* enum nas_sender */
	uint8_t mandatory; /* number of rows of the imperative part; they come first */
	uint16_t count;
	const struct nas_row *rows;
	const uint8_t *by_ie;  /* of NAS_IE_COUNT: position in rows plus 1, or 0 */
	const uint8_t *by_iei; /* of 256: position in rows plus 1 of the IE with this IEI, or 0 */
	const char *name;      /* "REGISTRATION REJECT" */
	const char *clause;    /* "8.2.9", of TS 24.501 */
};

struct nas_item {
	const struct nas_row *row; /* NULL for an IE that the message's table does not have */
	struct octets value;	   /* without IEI and length */
	uint32_t offset;	   /* of the IE's first octet in the input; 0 when built */
	uint8_t iei;		   /* as on the wire; TV_HALF: value nibble cleared */
	uint8_t format;		   /* enum nas_format */
};

/* The decoder keeps at most this many IEs; what follows becomes one RAW item with a finding. */
#define NAS_ITEMS_MAX 96
/* An arena of this size suffices to decode any message. */
#define NAS_ARENA_SIZE 8192

struct nas_msg {
	const struct nas_message_info *info; /* NULL for a type that is in no table */
	struct arena *arena;
	struct nas_item *items; /* in wire order */
	uint16_t count;
	uint16_t room;
	uint8_t epd;
	uint8_t security_header; /* 5GMM: the whole octet, spare bits included; 0 when plain */
	uint8_t pdu_session_id;	 /* 5GSM */
	uint8_t pti;		 /* 5GSM */
	uint8_t type;		 /* enum nas_message_type, or any other octet */
};

/* What TS 24.501 clause 7 has the receiver do about a finding (finding.reaction). */
enum nas_reaction {
	NAS_REACTION_NONE,
	NAS_REACTION_IGNORE_MESSAGE,	   /* 7.2.1 */
	NAS_REACTION_MESSAGE_TYPE_UNKNOWN, /* 7.4: 5GMM STATUS with cause 97 */
	NAS_REACTION_MANDATORY_INVALID,	   /* 7.5.1: cause 96 */
	NAS_REACTION_IGNORE_IE,		   /* 7.6, 7.7.1: as if the IE were not there */
};

/*
 * A security protected 5GMM message (8.2.28), taken apart without keys; MACs and ciphers are in
 * security/protection.h.
 */
struct nas_secured {
	uint8_t security_header; /* the whole octet; the type is bits 4 to 1 */
	uint8_t mac[4];
	uint8_t sequence_number;
	struct octets inner; /* plain or ciphered NAS message */
};

/* ---- tables ---- */

/* NULL when there is no table for the type. */
const struct nas_message_info *nas_message_info(uint8_t epd, uint8_t type);

/* The i-th table, in the order of nas_message.def; NULL past the last one. */
const struct nas_message_info *nas_message_info_at(size_t i);

/* The row of an IE in a message's table, NULL when the message does not have it. */
const struct nas_row *nas_row(const struct nas_message_info *info, enum nas_ie ie);

/* Names; static storage, never NULL ("unknown" for values out of range). */
const char *nas_message_name(uint8_t type);
const char *nas_ie_name(enum nas_ie ie);
enum nas_type nas_ie_type(enum nas_ie ie);
const char *nas_type_name(enum nas_type type);
const char *nas_type_clause(enum nas_type type);
const char *nas_format_name(enum nas_format format);

/* ---- security protected messages ---- */

/* True for a 5GMM PDU whose security header type is not plain. */
bool nas_is_secured(struct octets pdu);

/*
 * Splits a security protected PDU. Returns FINDING_NONE, or the rule that refused it:
 * FINDING_TRUNCATED below the 7 octets of header, MAC and sequence number (and at an empty inner
 * message), FINDING_SYNTAX when the PDU is plain or no 5GMM.
 */
enum finding_rule nas_secured_decode(struct nas_secured *secured, struct octets pdu);

/* Returns the length written, or -ENOSPC. out and inner may overlap only when out + 7 == inner. */
int nas_secured_encode(const struct nas_secured *secured, uint8_t *out, size_t size);

/* ---- plain messages ---- */

/*
 * Decodes a plain 5GMM or 5GSM message; a security protected one has to be opened first
 * (FINDING_SYNTAX otherwise).
 *
 * Runs over structure, presence, order and the values of all IEs that have a known type.
 * Findings name IEI, field and bit offset in the input. Lenient mode returns FINDING_NONE for
 * everything that has a complete header, and keeps what it cannot split as items of format RAW;
 * it refuses (with that rule) a PDU that is shorter than its header, of another protocol, or
 * when the arena is too small. Strict mode returns the rule of the first finding. findings may
 * be NULL.
 *
 * msg is set in any case, as far as decoding got; it is safe to print and to encode.
 */
enum finding_rule nas_decode(struct nas_msg *msg, struct octets pdu, struct arena *arena,
			     enum decode_mode mode, struct findings *findings);

/*
 * The checks of nas_decode over a message in memory (built or decoded): presence, order,
 * duplicates, lengths, values. Offsets are those of the items. Returns the first rule found.
 */
enum finding_rule nas_check(const struct nas_msg *msg, struct findings *findings);

/*
 * Writes the message exactly as it stands; nothing is added, reordered or checked but what the
 * formats themselves cannot carry. Returns the number of octets, -ENOSPC when size is too small,
 * -EMSGSIZE when a value is longer than its length field can say, -EINVAL for a half octet or TV
 * item whose value is empty.
 */
int nas_encode(const struct nas_msg *msg, uint8_t *out, size_t size);

/* ---- building ---- */

/* Starts an empty plain message of a type; 5GSM types get PDU session id and PTI 0. */
void nas_init(struct nas_msg *msg, enum nas_message_type type, struct arena *arena);

/*
 * Adds an IE where the message's table has it (an IE that is there already stays, the new one
 * comes after it). The octets are not copied. Returns 0, -ENOENT when the message does not have
 * this IE, -ENOMEM when the arena is exhausted. Lengths are not checked (see nas_check).
 */
int nas_add(struct nas_msg *msg, enum nas_ie ie, struct octets value);

/* As nas_add, with a copy of the octets in the message's arena. */
int nas_add_copy(struct nas_msg *msg, enum nas_ie ie, struct octets value);

/* As nas_add, with one octet; half octet IEs take its low nibble. */
int nas_add_u8(struct nas_msg *msg, enum nas_ie ie, uint8_t value);

/* As nas_add, but replaces the value of the first such IE if the message has one. */
int nas_set(struct nas_msg *msg, enum nas_ie ie, struct octets value);

/* As nas_add, but at the very end: for wrong order and duplicates. */
int nas_append(struct nas_msg *msg, enum nas_ie ie, struct octets value);

/* Appends any IE, known to the table or not, or raw octets (NAS_FORMAT_RAW). Not copied. */
int nas_append_any(struct nas_msg *msg, uint8_t iei, enum nas_format format, struct octets value);

/* Removes every IE of this role; returns how many there were. */
int nas_remove(struct nas_msg *msg, enum nas_ie ie);

/* ---- reading ---- */

/* The first IE of this role, or NULL. A receiver handles only the first one (7.6.3). */
const struct nas_item *nas_find(const struct nas_msg *msg, enum nas_ie ie);

/* The first IE with this IEI that the message's table does not have, or NULL. */
const struct nas_item *nas_find_unknown(const struct nas_msg *msg, uint8_t iei);

/* The value of the first IE of this role; false when absent. */
bool nas_get(const struct nas_msg *msg, enum nas_ie ie, struct octets *value);

/* The first octet of the value (the nibble for half octets); false when absent or empty. */
bool nas_get_u8(const struct nas_msg *msg, enum nas_ie ie, uint8_t *value);

/* The 5GMM (5GSM) cause of any message that has one, else -1. */
int nas_cause(const struct nas_msg *msg);

/* ---- printing ---- */

enum nas_print_form {
	NAS_PRINT_TREE, /* indented, one line a field */
	NAS_PRINT_FLAT, /* "path = value", one line a field: two prints can be compared by line */
};

/*
 * All fields, decoded as far as their types go, and octets where they do not. In the flat form a
 * path is "REGISTRATION REJECT/5GMM cause"; a repeated IE has "[2]" and so on behind its name.
 * Messages in messages are printed with the rest of msg's arena, which is as before afterwards.
 */
void nas_print(struct text *text, const struct nas_msg *msg, enum nas_print_form form);

/* One line: "REGISTRATION REJECT, 5GMM cause 22 (Congestion), T3346 value 1800 s". No newline. */
void nas_print_line(struct text *text, const struct nas_msg *msg);

/*
 * Decodes and prints any PDU: plain, security protected (the inner message where it is not
 * ciphered), or octets that are no NAS message. arena is used and left as it was.
 */
void nas_print_pdu(struct text *text, struct octets pdu, struct arena *arena,
		   enum nas_print_form form);
void nas_print_pdu_line(struct text *text, struct octets pdu, struct arena *arena);

#endif
