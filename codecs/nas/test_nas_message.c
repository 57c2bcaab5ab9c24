/*
 * Messages made from the tables, whole and broken; the inputs that broke other people's software;
 * what a test author may do to a message.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/nas_identity.h"
#include "codecs/nas/nas_sample.h"
#include "codecs/nas/nas_slice.h"
#include "codecs/nas/nas_timer.h"
#include "codecs/nas/nas_value.h"

enum { ROOM = 65536, PDU_MAX = 4096, FINDINGS_MAX = 64 };

static uint8_t build_room[ROOM];
static uint8_t decode_room[ROOM];
static struct finding items[FINDINGS_MAX];
static struct arena decode_arena; /* outlives the messages that were decoded into it */

struct decoded {
	struct nas_msg msg;
	struct findings findings;
	enum finding_rule rule;
	uint8_t *copy; /* the input on the heap, of exact size */
};

static struct decoded decode(struct octets pdu, enum decode_mode mode)
{
	struct decoded d = { .findings = { items, FINDINGS_MAX, 0 } };

	d.copy = malloc(pdu.len ? pdu.len : 1);
	ck_assert_ptr_nonnull(d.copy);
	if (pdu.len)
		memcpy(d.copy, pdu.data, pdu.len);
	arena_init(&decode_arena, decode_room, NAS_ARENA_SIZE);
	d.rule = nas_decode(&d.msg, OCTETS(d.copy, pdu.len), &decode_arena, mode, &d.findings);
	return d;
}

/* Whatever the lenient mode accepts encodes to the same octets, and prints. */
static void check_same_octets(const struct nas_msg *msg, struct octets pdu)
{
	static uint8_t out[PDU_MAX];
	static char buf[32768];
	struct text text;

	ck_assert_int_eq(nas_encode(msg, out, sizeof(out)), (int)pdu.len);
	ck_assert_mem_eq(out, pdu.data, pdu.len);
	for (size_t size = 0; size < pdu.len; size += pdu.len / 5 + 1)
		ck_assert_int_eq(nas_encode(msg, out, size), -ENOSPC);
	for (int form = NAS_PRINT_TREE; form <= NAS_PRINT_FLAT; form++) {
		text_init(&text, buf, sizeof(buf));
		nas_print(&text, msg, (enum nas_print_form)form);
		ck_assert(text.len > 0 && !text.truncated);
	}
	text_init(&text, buf, sizeof(buf));
	nas_print_line(&text, msg);
	ck_assert(text.len > 0);
	text_init(&text, buf, 40);
	nas_print(&text, msg, NAS_PRINT_FLAT);
	ck_assert_uint_lt(text.len, 40);
}

static struct octets from_hex(const char *hex, uint8_t *out)
{
	size_t len = strlen(hex) / 2;

	for (size_t i = 0; i < len; i++) {
		unsigned int octet;

		ck_assert_int_eq(sscanf(hex + 2 * i, "%2x", &octet), 1);
		out[i] = (uint8_t)octet;
	}
	return OCTETS(out, len);
}

static const struct finding *finding_of(const struct findings *findings, enum finding_rule rule)
{
	for (size_t i = 0; i < findings->count && i < findings->max; i++)
		if (findings->items[i].rule == rule)
			return &findings->items[i];
	return NULL;
}

/* One decode of a broken input in both modes; what is accepted has to survive. */
static void survive(struct octets pdu)
{
	struct decoded d = decode(pdu, DECODE_LENIENT);

	if (d.rule == FINDING_NONE)
		check_same_octets(&d.msg, pdu);
	for (size_t i = 0; i < d.findings.count && i < FINDINGS_MAX; i++) {
		ck_assert_ptr_nonnull(items[i].field);
		ck_assert_uint_le(items[i].bit, pdu.len * 8);
	}
	free(d.copy);
	d = decode(pdu, DECODE_STRICT);
	ck_assert_int_eq(d.rule != FINDING_NONE, d.findings.count > 0);
	free(d.copy);
}

/* Builds message i with its mandatory IEs and the given row (NULL: none). */
static struct octets sample_pdu(const struct nas_message_info *info, const struct nas_row *row,
				uint8_t *out)
{
	struct arena arena;
	struct nas_msg msg;
	int len;

	arena_init(&arena, build_room, sizeof(build_room));
	nas_sample_message(&msg, info, &arena);
	if (row && row->presence != NAS_MANDATORY)
		ck_assert_int_eq(nas_sample_add(&msg, row), 0);
	ck_assert_msg(nas_check(&msg, NULL) == FINDING_NONE, "%s %s", info->name,
		      row ? nas_ie_name(row->ie) : "");
	len = nas_encode(&msg, out, PDU_MAX);
	ck_assert_int_gt(len, 0);
	return OCTETS(out, (size_t)len);
}

START_TEST(every_ie_of_every_message_round_trips)
{
	const struct nas_message_info *info;
	uint8_t out[PDU_MAX];

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		for (size_t k = 0; k < info->count; k++) {
			const struct nas_row *row = &info->rows[k];
			struct octets pdu = sample_pdu(info, row, out);
			struct decoded d = decode(pdu, DECODE_STRICT);
			const struct nas_item *item;
			uint8_t room[NAS_SAMPLE_SIZE];
			struct octets value = nas_sample_value(row, room);

			ck_assert_msg(d.rule == FINDING_NONE, "%s %s", info->name,
				      nas_ie_name(row->ie));
			ck_assert_ptr_eq(d.msg.info, info);
			item = nas_find(&d.msg, row->ie);
			ck_assert_ptr_nonnull(item);
			ck_assert_uint_eq(item->value.len, value.len);
			if (row->format >= NAS_FORMAT_V && row->format != NAS_FORMAT_TV_HALF)
				ck_assert(octets_equal(item->value, value));
			check_same_octets(&d.msg, pdu);
			free(d.copy);
		}
	}
}
END_TEST

/* All IEs at once, in the order of the table although added backwards. */
START_TEST(full_messages)
{
	const struct nas_message_info *info;
	uint8_t out[PDU_MAX];

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		struct arena arena;
		struct nas_msg msg;
		struct decoded d;
		int len;

		arena_init(&arena, build_room, sizeof(build_room));
		nas_init(&msg, (enum nas_message_type)info->type, &arena);
		for (size_t k = info->count; k-- > 0;)
			ck_assert_int_eq(nas_sample_add(&msg, &info->rows[k]), 0);
		len = nas_encode(&msg, out, sizeof(out));
		ck_assert_int_gt(len, 0);
		d = decode(OCTETS(out, (size_t)len), DECODE_STRICT);
		ck_assert_msg(d.rule == FINDING_NONE, "%s", info->name);
		ck_assert_uint_eq(d.msg.count, info->count);
		for (size_t k = 0; k < info->count; k++)
			ck_assert_ptr_eq(d.msg.items[k].row, &info->rows[k]);
		check_same_octets(&d.msg, OCTETS(out, (size_t)len));
		free(d.copy);
	}
}
END_TEST

START_TEST(every_truncation)
{
	const struct nas_message_info *info;
	uint8_t out[PDU_MAX];

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		for (size_t k = 0; k < info->count; k++) {
			struct octets pdu = sample_pdu(info, &info->rows[k], out);

			for (size_t len = 0; len < pdu.len; len++)
				survive(OCTETS(pdu.data, len));
		}
	}
}
END_TEST

START_TEST(mutations)
{
	const struct nas_message_info *info;
	uint8_t out[PDU_MAX];
	uint32_t state = 12345;

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		for (size_t k = 0; k < info->count; k++) {
			struct octets pdu = sample_pdu(info, &info->rows[k], out);

			for (int n = 0; n < 60; n++) {
				uint8_t bad[PDU_MAX];
				size_t len = pdu.len;

				memcpy(bad, pdu.data, len);
				for (int m = 0; m < 1 + n % 3; m++) {
					state = state * 1103515245u + 12345u;
					bad[3 + (state >> 16) % (len - 2)] = (uint8_t)(state >> 8);
				}
				survive(OCTETS(bad, len));
			}
		}
	}
}
END_TEST

/* Wrong lengths of every IE, as a length octet says them. */
START_TEST(wrong_lengths)
{
	const struct nas_message_info *info;
	uint8_t out[PDU_MAX];
	static const uint8_t zeros[300];

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		for (size_t k = 0; k < info->count; k++) {
			const struct nas_row *row = &info->rows[k];
			struct arena arena;
			struct nas_msg msg;
			struct decoded d;
			int len;

			if (row->format < NAS_FORMAT_LV || row->format == NAS_FORMAT_TV_HALF ||
			    row->format == NAS_FORMAT_TV || row->min == 0)
				continue;
			arena_init(&arena, build_room, sizeof(build_room));
			nas_sample_message(&msg, info, &arena);
			ck_assert_int_eq(nas_set(&msg, row->ie, OCTETS(zeros, row->min - 1u)), 0);
			ck_assert_int_eq(nas_check(&msg, NULL), FINDING_LENGTH);
			len = nas_encode(&msg, out, sizeof(out));
			ck_assert_int_gt(len, 0);
			d = decode(OCTETS(out, (size_t)len), DECODE_LENIENT);
			ck_assert_int_eq(d.rule, FINDING_NONE);
			ck_assert_ptr_nonnull(finding_of(&d.findings, FINDING_LENGTH));
			ck_assert_str_eq(finding_of(&d.findings, FINDING_LENGTH)->field,
					 nas_ie_name(row->ie));
			ck_assert_int_eq(finding_of(&d.findings, FINDING_LENGTH)->reaction,
					 row->presence == NAS_MANDATORY
						 ? NAS_REACTION_MANDATORY_INVALID
						 : NAS_REACTION_IGNORE_IE);
			free(d.copy);
			d = decode(OCTETS(out, (size_t)len), DECODE_STRICT);
			ck_assert_int_eq(d.rule, FINDING_LENGTH);
			free(d.copy);
			if (row->max >= 250)
				continue;
			ck_assert_int_eq(nas_set(&msg, row->ie, OCTETS(zeros, row->max + 1u)), 0);
			ck_assert_int_ne(nas_check(&msg, NULL), FINDING_NONE);
		}
	}
}
END_TEST

/* The rows of cases/README.md: what goes in, and the finding that has to come out. */
static const struct {
	const char *hex;
	enum finding_rule rule;
	int32_t ie;
	uint32_t bit;
	const char *field;
} cases[] = {
	/* as captured: 2E is the last octet of an IE 00, which asks for comprehension */
	{ "7e004179000d0100f1100000000000000000000004f0f0f02e", FINDING_UNKNOWN_IE, 0, 152, NULL },
	/* the last IE is 2E alone, without its length octet; and with a true length of 0 */
	{ "7e004179000d0100f1100000000000000000002e", FINDING_TRUNCATED, 0x2e, 152,
	  "UE security capability" },
	{ "7e004179000d0100f1100000000000000000002e00", FINDING_LENGTH, 0x2e, 160,
	  "UE security capability" },
	/* 5GS mobile identity of length 6: a SUCI shorter than its fixed part */
	{ "7e00417900060102f8390000", FINDING_LENGTH, -1, 48, "SUCI" },
	/* 5G-S-TMSI with length 2 */
	{ "7e004c100002f400", FINDING_LENGTH, -1, 32, "5G-S-TMSI" },
	{ "7e004c100007f4", FINDING_TRUNCATED, -1, 32, "5G-S-TMSI" },
	/* 5GMM capability with length 32 in a rest of 13 */
	{ "7e0041790007f400000000000110200102030405060708090a0b0c0d", FINDING_TRUNCATED, 0x10, 104,
	  "5GMM capability" },
	/* SUPI format 4, unsupported protection scheme */
	{ "7e00417900094102f839f0ff000021", FINDING_NOT_COMPREHENDED, -1, 48, "SUCI" },
	{ "7e00417900090102f839f0ff030021", FINDING_NOT_COMPREHENDED, -1, 48, "SUCI" },
	/* mandatory IE missing */
	{ "7e0044", FINDING_MISSING, -1, 24, "5GMM cause" },
	{ "7e0041", FINDING_MISSING, -1, 24, "5GS registration type" },
	/* comprehension required, and not */
	{ "7e0044160201aa", FINDING_UNKNOWN_IE, 0x02, 32, NULL },
	{ "7e00441622020102", FINDING_UNKNOWN_IE, 0x22, 32, NULL },
	{ "7e0044167f00020102", FINDING_UNKNOWN_IE, 0x7f, 32, NULL },
	{ "7e00441683", FINDING_UNKNOWN_IE, 0x80, 32, NULL },
	/* order, duplicates, spare half octets, unknown message */
	{ "7e00441616012c5f013e", FINDING_ORDER, 0x5f, 56, "T3346 value" },
	{ "7e0044165f013e5f0134", FINDING_DUPLICATE, 0x5f, 56, "T3346 value" },
	{ "7e005b11", FINDING_RESERVED, -1, 24, "Spare half octet" },
	{ "7e00ee0102", FINDING_UNKNOWN_MESSAGE, -1, 16, "Message type" },
	{ "2e01010001", FINDING_UNKNOWN_MESSAGE, -1, 24, "Message type" },
	/* reserved unit of timer 2 */
	{ "7e0044165f01be", FINDING_RESERVED, 0x5f, 48, "Unit" },
	/* N1 SM container that holds no 5GSM message, or a broken one */
	{ "7e006701000401020304", FINDING_SYNTAX, -1, 48, "N1 SM information" },
	{ "7e00670100032e0101", FINDING_TRUNCATED, -1, 48, "N1 SM information" },
	{ "7e00670100042e0101c1", FINDING_MISSING, -1, 80,
	  "Integrity protection maximum data rate" },
	/* multiple payloads: an entry longer than the container, a broken message in an entry,
	   an optional IE longer than its entry, octets behind the last entry */
	{ "7e00670f0009010007012e0501d665", FINDING_TRUNCATED, -1, 56, "Payload container entry" },
	{ "7e00670f0008010005012e0501d6", FINDING_MISSING, -1, 112, "5GSM cause" },
	{ "7e00670f000c0100091112fe052e0501d665", FINDING_TRUNCATED, -1, 56,
	  "Payload container entry" },
	{ "7e00670f000a010006012e0501d665aa", FINDING_TRAILING, -1, 120, "Payload container" },
};

START_TEST(inputs_that_broke_others)
{
	const char *field = cases[_i].field ? cases[_i].field : "information element identifier";
	uint8_t room[PDU_MAX];
	struct octets pdu = from_hex(cases[_i].hex, room);
	struct decoded d = decode(pdu, DECODE_LENIENT);
	const struct finding *finding = finding_of(&d.findings, cases[_i].rule);

	ck_assert_int_eq(d.rule, FINDING_NONE);
	ck_assert_msg(finding != NULL, "%s", cases[_i].hex);
	ck_assert_int_eq(finding->ie, cases[_i].ie);
	ck_assert_uint_eq(finding->bit, cases[_i].bit);
	ck_assert_str_eq(finding->field, field);
	check_same_octets(&d.msg, pdu);
	free(d.copy);
	d = decode(pdu, DECODE_STRICT);
	ck_assert_int_ne(d.rule, FINDING_NONE);
	ck_assert_uint_eq(d.findings.count, 1);
	free(d.copy);
}
END_TEST

START_TEST(refused_in_both_modes)
{
	static const struct {
		const char *hex;
		enum finding_rule rule;
	} rows[] = {
		{ "", FINDING_TRUNCATED },	    { "7e", FINDING_TRUNCATED },
		{ "7e00", FINDING_TRUNCATED },	    { "2e", FINDING_TRUNCATED },
		{ "2e01", FINDING_TRUNCATED },	    { "2e0101", FINDING_TRUNCATED },
		{ "48656c6c6f21", FINDING_SYNTAX }, { "0741", FINDING_SYNTAX },
		{ "7e025f74", FINDING_SYNTAX }, /* protected: not for nas_decode */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t room[16];
		struct octets pdu = from_hex(rows[i].hex, room);

		for (int mode = DECODE_LENIENT; mode <= DECODE_STRICT; mode++) {
			struct decoded d = decode(pdu, (enum decode_mode)mode);

			ck_assert_int_eq(d.rule, rows[i].rule);
			ck_assert_uint_eq(d.findings.count, 1);
			free(d.copy);
		}
	}
}
END_TEST

START_TEST(secured_header)
{
	uint8_t room[64];
	uint8_t out[64];
	struct nas_secured secured;
	struct octets pdu = from_hex("7e0211223344057e0043", room);

	ck_assert(nas_is_secured(pdu));
	ck_assert_int_eq(nas_secured_decode(&secured, pdu), FINDING_NONE);
	ck_assert_uint_eq(secured.security_header, 2);
	ck_assert_mem_eq(secured.mac, ((uint8_t[]){ 0x11, 0x22, 0x33, 0x44 }), 4);
	ck_assert_uint_eq(secured.sequence_number, 5);
	ck_assert_uint_eq(secured.inner.len, 3);
	ck_assert_int_eq(nas_secured_encode(&secured, out, sizeof(out)), (int)pdu.len);
	ck_assert_mem_eq(out, pdu.data, pdu.len);
	ck_assert_int_eq(nas_secured_encode(&secured, out, 9), -ENOSPC);
	for (size_t len = 0; len < 8; len++) {
		uint8_t *copy = malloc(len ? len : 1);

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, pdu.data, len);
		ck_assert_int_eq(nas_secured_decode(&secured, OCTETS(copy, len)),
				 FINDING_TRUNCATED);
		free(copy);
	}
	/* security protected message of 4 octets */
	ck_assert_int_eq(nas_secured_decode(&secured, from_hex("7e025f74", room)),
			 FINDING_TRUNCATED);
	ck_assert_int_eq(nas_secured_decode(&secured, from_hex("7e00430000000000", room)),
			 FINDING_SYNTAX);
	ck_assert_int_eq(nas_secured_decode(&secured, from_hex("2e02430000000000", room)),
			 FINDING_SYNTAX);
}
END_TEST

/* What a test author does to a message on purpose. */
START_TEST(messages_can_be_bent)
{
	struct arena arena;
	struct nas_msg msg;
	uint8_t out[64];
	uint8_t cause;
	uint8_t value[2] = { 0x3e, 0x34 };
	struct octets octet = OCTETS(value, 1);

	arena_init(&arena, build_room, sizeof(build_room));
	nas_init(&msg, NAS_REGISTRATION_REJECT, &arena);
	ck_assert_int_eq(nas_add_timer(&msg, NAS_IE_T3346_VALUE, 1800), 0);
	ck_assert_int_eq(nas_add_u8(&msg, NAS_IE_5GMM_CAUSE, NAS_5GMM_CONGESTION), 0);
	ck_assert_int_eq(nas_encode(&msg, out, sizeof(out)), 7);
	ck_assert_mem_eq(out, ((uint8_t[]){ 0x7e, 0, 0x44, 0x16, 0x5f, 1, 0x3e }), 7);
	ck_assert_int_eq(nas_cause(&msg), 22);
	ck_assert_int_eq(nas_check(&msg, NULL), FINDING_NONE);
	/* an IE that the message does not have (N1-A-23, other way round) */
	ck_assert_int_eq(nas_add_timer(&msg, NAS_IE_T3448_VALUE, 60), -ENOENT);
	ck_assert_int_eq(nas_append_any(&msg, 0x6b, NAS_FORMAT_TLV, octet), 0);
	ck_assert_ptr_nonnull(nas_find_unknown(&msg, 0x6b));
	ck_assert_int_eq(nas_check(&msg, NULL), FINDING_UNKNOWN_IE);
	/* a duplicate */
	ck_assert_int_eq(nas_append(&msg, NAS_IE_T3346_VALUE, octet), 0);
	ck_assert_int_eq(nas_append_any(&msg, 0, NAS_FORMAT_RAW, OCTETS(value, 2)), 0);
	ck_assert_int_eq(nas_encode(&msg, out, sizeof(out)), 15);
	ck_assert_mem_eq(out,
			 ((uint8_t[]){ 0x7e, 0, 0x44, 0x16, 0x5f, 1, 0x3e, 0x6b, 1, 0x3e, 0x5f, 1,
				       0x3e, 0x3e, 0x34 }),
			 15);
	ck_assert_int_eq(nas_remove(&msg, NAS_IE_T3346_VALUE), 2);
	ck_assert_ptr_null(nas_find(&msg, NAS_IE_T3346_VALUE));
	/* missing mandatory IE */
	ck_assert_int_eq(nas_remove(&msg, NAS_IE_5GMM_CAUSE), 1);
	ck_assert_int_eq(nas_cause(&msg), -1);
	ck_assert(!nas_get_u8(&msg, NAS_IE_5GMM_CAUSE, &cause));
	/* spare bits beside the security header type, any message type */
	msg.security_header = 0xf0;
	msg.type = 0xfe;
	ck_assert_int_eq(nas_encode(&msg, out, sizeof(out)), 8);
	ck_assert_mem_eq(out, ((uint8_t[]){ 0x7e, 0xf0, 0xfe, 0x6b, 1, 0x3e, 0x3e, 0x34 }), 8);
}
END_TEST

START_TEST(half_octets)
{
	struct arena arena;
	struct nas_msg msg;
	struct nas_s_tmsi s_tmsi = { 1, 2, 3 };
	uint8_t out[64];
	uint8_t type;

	arena_init(&arena, build_room, sizeof(build_room));
	nas_init(&msg, NAS_SERVICE_REQUEST, &arena);
	ck_assert_int_eq(nas_add_s_tmsi(&msg, NAS_IE_5G_S_TMSI, &s_tmsi), 0);
	ck_assert_int_eq(nas_add_u8(&msg, NAS_IE_SERVICE_TYPE, NAS_SERVICE_EMERGENCY_FALLBACK), 0);
	ck_assert_int_eq(nas_add_u8(&msg, NAS_IE_NGKSI, 3), 0);
	ck_assert_int_eq(nas_encode(&msg, out, sizeof(out)), 13);
	ck_assert_uint_eq(out[3], 0x43);
	/* one half without the other */
	ck_assert_int_eq(nas_remove(&msg, NAS_IE_NGKSI), 1);
	ck_assert_int_eq(nas_encode(&msg, out, sizeof(out)), 13);
	ck_assert_uint_eq(out[3], 0x40);
	ck_assert(nas_get_u8(&msg, NAS_IE_SERVICE_TYPE, &type));
	ck_assert_uint_eq(type, 4);
	ck_assert_int_eq(nas_set(&msg, NAS_IE_SERVICE_TYPE, OCTETS(NULL, 0)), 0);
	ck_assert_int_eq(nas_encode(&msg, out, sizeof(out)), -EINVAL);
}
END_TEST

START_TEST(limits)
{
	static uint8_t big[70000];
	static uint8_t pdu[3 + 4 + 2000];
	struct arena arena;
	struct nas_msg msg;
	struct decoded d;
	size_t used;

	/* a length field that cannot say it */
	arena_init(&arena, build_room, sizeof(build_room));
	nas_init(&msg, NAS_REGISTRATION_REJECT, &arena);
	ck_assert_int_eq(nas_add(&msg, NAS_IE_T3346_VALUE, OCTETS(big, 256)), 0);
	ck_assert_int_eq(nas_encode(&msg, pdu, sizeof(pdu)), -EMSGSIZE);
	ck_assert_int_eq(nas_set(&msg, NAS_IE_T3346_VALUE, OCTETS(big, 1)), 0);
	ck_assert_int_eq(nas_add(&msg, NAS_IE_EAP_MESSAGE, OCTETS(big, 65536)), 0);
	ck_assert_int_eq(nas_encode(&msg, pdu, sizeof(pdu)), -EMSGSIZE);
	/* an arena that is too small, at every size */
	for (size_t size = 0; size < 2048; size += 64) {
		arena_init(&arena, build_room, size);
		nas_init(&msg, NAS_REGISTRATION_REJECT, &arena);
		for (int i = 0; i < 20; i++) {
			int error = nas_add_u8(&msg, NAS_IE_5GMM_CAUSE, 22);

			ck_assert(error == 0 || error == -ENOMEM);
		}
	}
	/* thousands of IEs: bounded memory, every octet kept */
	memcpy(pdu, ((uint8_t[]){ 0x7e, 0, 0x44, 0x16 }), 4);
	memset(pdu + 4, 0x90, sizeof(pdu) - 4);
	d = decode(OCTETS(pdu, sizeof(pdu)), DECODE_LENIENT);
	ck_assert_int_eq(d.rule, FINDING_NONE);
	ck_assert_uint_le(d.msg.count, NAS_ITEMS_MAX);
	check_same_octets(&d.msg, OCTETS(pdu, sizeof(pdu)));
	free(d.copy);
	arena_init(&arena, decode_room, 256);
	ck_assert_int_eq(nas_decode(&msg, OCTETS(pdu, sizeof(pdu)), &arena, DECODE_LENIENT, NULL),
			 FINDING_NO_MEMORY);
	/* no NAS message is that long */
	arena_init(&arena, decode_room, sizeof(decode_room));
	big[0] = 0x7e;
	big[2] = 0x44;
	ck_assert_int_eq(nas_decode(&msg, OCTETS(big, sizeof(big)), &arena, DECODE_LENIENT, NULL),
			 FINDING_LENGTH);
	/* nothing stays in the arena of a message after it was printed */
	d = decode(from_hex("7e00680100052e0101d665", pdu), DECODE_LENIENT);
	used = d.msg.arena ? d.findings.count : 1;
	ck_assert_uint_eq(used, 0);
	free(d.copy);
}
END_TEST

static void print_of(const char *hex, enum nas_print_form form, char *buf, size_t size)
{
	uint8_t room[PDU_MAX];
	struct arena arena;
	struct text text;
	size_t used;

	arena_init(&arena, decode_room, sizeof(decode_room));
	text_init(&text, buf, size);
	used = arena.used;
	nas_print_pdu(&text, from_hex(hex, room), &arena, form);
	ck_assert_uint_eq(arena.used, used);
}

START_TEST(prints)
{
	uint8_t room[256];
	struct arena arena;
	struct text text;
	char buf[8192];

	print_of("7e0044165f013e", NAS_PRINT_TREE, buf, sizeof(buf));
	ck_assert_str_eq(buf, "REGISTRATION REJECT\n  5GMM cause: 22 (Congestion)\n"
			      "  T3346 value: 1800 s (30 min) [3e]\n");
	print_of("7e0044165f013e5f01340201aa", NAS_PRINT_FLAT, buf, sizeof(buf));
	ck_assert_str_eq(buf, "REGISTRATION REJECT/5GMM cause = 22 (Congestion)\n"
			      "REGISTRATION REJECT/T3346 value = 1800 s (30 min) [3e]\n"
			      "REGISTRATION REJECT/T3346 value[2] = 1200 s (20 min) [34]\n"
			      "REGISTRATION REJECT/Unknown IE 02 = aa\n");
	print_of("7e0043", NAS_PRINT_FLAT, buf, sizeof(buf));
	ck_assert_str_eq(buf, "REGISTRATION COMPLETE/ = empty\n");
	/* a message in a message, in a protected message with null ciphering */
	print_of("7e0211223344057e00680100052e0502d665", NAS_PRINT_FLAT, buf, sizeof(buf));
	ck_assert_str_eq(
		buf,
		"Security protected NAS message/Security header type = 2\n"
		"Security protected NAS message/Message authentication code = 11223344\n"
		"Security protected NAS message/Sequence number = 5\n"
		"Security protected NAS message/DL NAS TRANSPORT/Payload container type = "
		"1 (N1 SM information)\n"
		"Security protected NAS message/DL NAS TRANSPORT/Payload container/5GSM STATUS/"
		"PDU session ID = 5\n"
		"Security protected NAS message/DL NAS TRANSPORT/Payload container/5GSM STATUS/"
		"PTI = 2\n"
		"Security protected NAS message/DL NAS TRANSPORT/Payload container/5GSM STATUS/"
		"5GSM cause = 101 (Message not compatible with the protocol state)\n");
	/* two payloads, the second with an optional IE */
	print_of("7e00670f0014020006012e0501d665"
		 "0009111201052e0501d61a",
		 NAS_PRINT_FLAT, buf, sizeof(buf));
	ck_assert_ptr_nonnull(strstr(buf, "Payload container/Number of entries = 2\n"));
	ck_assert_ptr_nonnull(
		strstr(buf, "Payload container contents/5GSM STATUS/5GSM cause = 101"));
	ck_assert_ptr_nonnull(
		strstr(buf, "Payload container contents/5GSM STATUS/5GSM cause = 26"));
	print_of("7e02112233440599aabb", NAS_PRINT_TREE, buf, sizeof(buf));
	ck_assert_ptr_nonnull(strstr(buf, "Ciphered message: 99aabb"));

	arena_init(&arena, decode_room, sizeof(decode_room));
	text_init(&text, buf, sizeof(buf));
	nas_print_pdu_line(&text, from_hex("7e004d165f0134", room), &arena);
	ck_assert_str_eq(buf,
			 "SERVICE REJECT, 5GMM cause 22 (Congestion), T3346 value 1200 s (20 min)");
	text_init(&text, buf, sizeof(buf));
	nas_print_pdu_line(&text, from_hex("48656c6c6f21", room), &arena);
	ck_assert_str_eq(buf, "no NAS message, 6 octets");
}
END_TEST

/* The tables themselves: what a slip in nas_message.def would break. */
START_TEST(tables)
{
	const struct nas_message_info *info;
	size_t i;

	for (i = 0; (info = nas_message_info_at(i)); i++) {
		ck_assert_ptr_eq(nas_message_info(info->epd, info->type), info);
		ck_assert_str_eq(nas_message_name(info->type), info->name);
		ck_assert_uint_le(info->count, NAS_ITEMS_MAX);
		for (size_t k = 0; k < info->count; k++) {
			const struct nas_row *row = &info->rows[k];
			bool low = row->format == NAS_FORMAT_V_LOW;

			ck_assert_ptr_eq(nas_row(info, row->ie), row);
			ck_assert_uint_le(row->min, row->max);
			ck_assert_int_eq(row->iei == 0, k < info->mandatory);
			ck_assert_int_eq(row->presence == NAS_MANDATORY, k < info->mandatory);
			/* halves come in pairs */
			if (low)
				ck_assert_uint_eq(info->rows[k + 1].format, NAS_FORMAT_V_HIGH);
			if (row->format == NAS_FORMAT_V_HIGH)
				ck_assert_uint_eq(info->rows[k - 1].format, NAS_FORMAT_V_LOW);
			/* TS 24.007 11.2.4: the format follows from the IEI, but for TV */
			if (row->format == NAS_FORMAT_TV_HALF)
				ck_assert(row->iei & 0x80 && !(row->iei & 0x0f));
			if (row->format == NAS_FORMAT_TLV_E)
				ck_assert_uint_eq(row->iei & 0xf0, 0x70);
			if (row->format == NAS_FORMAT_TLV || row->format == NAS_FORMAT_TV)
				ck_assert(row->iei > 0 && row->iei < 0x70);
			for (size_t m = info->mandatory; m < k; m++)
				ck_assert_uint_ne(info->rows[m].iei, row->iei);
		}
	}
	ck_assert_uint_eq(i, 48);
	ck_assert_ptr_null(nas_message_info(NAS_EPD_5GMM, 0xc1));
	ck_assert_ptr_null(nas_message_info(NAS_EPD_5GSM, 0x41));
	ck_assert_ptr_null(nas_message_info(NAS_EPD_5GMM, 0));
	/* spec/codecs.md section 2 */
	ck_assert_uint_eq(
		nas_row(nas_message_info(NAS_EPD_5GMM, NAS_REGISTRATION_REJECT), NAS_IE_T3346_VALUE)
			->iei,
		0x5f);
	ck_assert_uint_eq(
		nas_row(nas_message_info(NAS_EPD_5GMM, NAS_SERVICE_REJECT), NAS_IE_T3448_VALUE)
			->iei,
		0x6b);
	ck_assert_ptr_null(
		nas_row(nas_message_info(NAS_EPD_5GMM, NAS_SERVICE_REJECT), NAS_IE_T3502_VALUE));
	ck_assert_ptr_null(
		nas_row(nas_message_info(NAS_EPD_5GMM, NAS_SERVICE_ACCEPT), NAS_IE_T3346_VALUE));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nas_message");
	TCase *tc = tcase_create("message");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, tables);
	tcase_add_test(tc, every_ie_of_every_message_round_trips);
	tcase_add_test(tc, full_messages);
	tcase_add_test(tc, every_truncation);
	tcase_add_test(tc, mutations);
	tcase_add_test(tc, wrong_lengths);
	tcase_add_loop_test(tc, inputs_that_broke_others, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tc, refused_in_both_modes);
	tcase_add_test(tc, secured_header);
	tcase_add_test(tc, messages_can_be_bent);
	tcase_add_test(tc, half_octets);
	tcase_add_test(tc, limits);
	tcase_add_test(tc, prints);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
