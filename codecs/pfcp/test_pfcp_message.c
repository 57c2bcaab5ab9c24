/*
 * Messages as trees: the tables hold together, samples of all messages are sound, what is built is
 * what is sent, and hostile input neither runs out of its bounds nor out of its time.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/pfcp/pfcp_check.h"
#include "codecs/pfcp/pfcp_print.h"
#include "codecs/pfcp/pfcp_sample.h"
#include "codecs/pfcp/pfcp_value.h"

enum { ROWS_MAX = 64 };

static uint8_t room[PFCP_SAMPLE_ARENA];
static uint8_t decoded_room[PFCP_ARENA_MAX];
static uint8_t out[PFCP_MESSAGE_MAX + 1];
static uint8_t again[PFCP_MESSAGE_MAX + 1];
static char printed[4 << 20];
static struct arena arena;
static struct arena decoded_arena;

static void start(struct pfcp_message *msg, enum pfcp_message_type type)
{
	arena_init(&arena, room, sizeof(room));
	pfcp_init(msg, type, &arena);
}

static enum finding_rule decode(struct pfcp_message *msg, struct octets in,
				struct findings *findings)
{
	arena_init(&decoded_arena, decoded_room, sizeof(decoded_room));
	return pfcp_decode(msg, in, &decoded_arena, DECODE_LENIENT, findings);
}

static void check_rows(const struct pfcp_member *members, size_t count)
{
	/* pfcp_check keeps one bit for each row */
	ck_assert_uint_le(count, ROWS_MAX);
	for (size_t i = 0; i < count; i++) {
		ck_assert_ptr_nonnull(pfcp_ie_info(members[i].type));
		for (size_t k = 0; k < i; k++)
			ck_assert_uint_ne(members[i].type, members[k].type);
	}
}

START_TEST(tables)
{
	const struct pfcp_message_info *message;
	const struct pfcp_ie_info *ie;
	size_t messages = 0;
	size_t ies = 0;
	size_t i;

	for (i = 0; (message = pfcp_message_info_at(i)); i++, messages++) {
		ck_assert_ptr_eq(pfcp_message_info(message->type), message);
		check_rows(message->members, message->count);
		if (message->kind == PFCP_REQUEST) {
			int response = pfcp_response_type(message->type);

			ck_assert_int_eq(pfcp_message_info((uint8_t)response)->kind, PFCP_RESPONSE);
		}
		ck_assert_int_eq(message->node, message->type < 50);
	}
	for (i = 0; (ie = pfcp_ie_info_at(i)); i++, ies++) {
		ck_assert_ptr_eq(pfcp_ie_info(ie->type), ie);
		check_rows(ie->members, ie->count);
		ck_assert_int_eq(ie->form == PFCP_FORM_GROUPED, ie->count > 0);
		ck_assert(ie->release >= 15 && ie->release <= 19);
	}
	ck_assert_uint_eq(messages, 25);
	ck_assert_uint_eq(ies, 401);
	ck_assert_ptr_null(pfcp_message_info(18));
	ck_assert_ptr_null(pfcp_message_info(255));
	ck_assert_ptr_null(pfcp_ie_info(0));
	ck_assert_ptr_null(pfcp_ie_info(0xffff));
	ck_assert_str_eq(pfcp_ie_name(54), "Overload Control Information");
	ck_assert_int_eq(pfcp_response_type(PFCP_SESSION_MODIFICATION_RESPONSE), -1);
}
END_TEST

/* OCI and LCI belong into four messages and into no other place. */
START_TEST(place_of_control_information)
{
	static const uint16_t types[] = { PFCP_IE_OVERLOAD_CONTROL_INFORMATION,
					  PFCP_IE_LOAD_CONTROL_INFORMATION };
	const struct pfcp_message_info *message;
	const struct pfcp_ie_info *ie;

	for (size_t t = 0; t < 2; t++) {
		for (size_t i = 0; (message = pfcp_message_info_at(i)); i++) {
			bool allowed = message->type == PFCP_SESSION_ESTABLISHMENT_RESPONSE ||
				       message->type == PFCP_SESSION_MODIFICATION_RESPONSE ||
				       message->type == PFCP_SESSION_DELETION_RESPONSE ||
				       message->type == PFCP_SESSION_REPORT_REQUEST;
			const struct pfcp_member *member =
				pfcp_message_member(message->type, types[t]);

			ck_assert_int_eq(member != NULL, allowed);
			if (member)
				ck_assert(member->presence == PFCP_OPTIONAL && !member->repeated);
		}
		for (size_t i = 0; (ie = pfcp_ie_info_at(i)); i++)
			ck_assert_ptr_null(pfcp_group_member(ie->type, types[t]));
	}
}
END_TEST

static void check_sample(enum pfcp_message_type type, enum pfcp_sample kind)
{
	struct finding items[8];
	struct findings findings = { items, 8, 0 };
	struct pfcp_message msg;
	struct pfcp_message seen;
	struct text text;
	int len;

	arena_init(&arena, room, sizeof(room));
	pfcp_sample_message(&msg, type, kind, &arena);
	len = pfcp_encode(&msg, out, sizeof(out));
	ck_assert_int_gt(len, 0);
	ck_assert_int_eq(decode(&seen, OCTETS(out, (size_t)len), &findings), FINDING_NONE);
	pfcp_check(&seen, &findings);
	ck_assert_msg(findings.count == 0, "%s: %s", pfcp_message_name((uint8_t)type),
		      findings.count ? items[0].field : "");
	ck_assert_int_eq(pfcp_encode(&seen, again, sizeof(again)), len);
	ck_assert_mem_eq(out, again, (size_t)len);
	text_init(&text, printed, sizeof(printed));
	pfcp_print(&text, &seen, PFCP_PRINT_TREE);
	ck_assert(!text.truncated && !strstr(printed, "Unknown") && !strstr(printed, "cut off"));
	/* nothing is written behind a buffer that is too small */
	for (int size = 0; size < len; size++) {
		memset(again, 0xee, sizeof(again));
		ck_assert_int_eq(pfcp_encode(&seen, again, (size_t)size), -ENOSPC);
		ck_assert_uint_eq(again[size], 0xee);
	}
}

START_TEST(samples_of_all_messages)
{
	const struct pfcp_message_info *info;

	for (size_t i = 0; (info = pfcp_message_info_at(i)); i++) {
		check_sample((enum pfcp_message_type)info->type, PFCP_SAMPLE_LEAST);
		check_sample((enum pfcp_message_type)info->type, PFCP_SAMPLE_MOST);
	}
}
END_TEST

START_TEST(header)
{
	struct pfcp_message msg;
	struct pfcp_message seen;

	start(&msg, PFCP_SESSION_DELETION_REQUEST);
	msg.seid = UINT64_C(0x0102030405060708);
	msg.sequence_number = 0xffffff;
	msg.has_priority = true;
	msg.priority = 12;
	ck_assert_int_eq(pfcp_encode(&msg, out, sizeof(out)), 16);
	ck_assert_mem_eq(out, "\x23\x36\x00\x0c\1\2\3\4\5\6\7\x08\xff\xff\xff\xc0", 16);
	ck_assert_int_eq(decode(&seen, OCTETS(out, 16), NULL), FINDING_NONE);
	ck_assert_uint_eq(seen.seid, msg.seid);
	ck_assert_uint_eq(seen.sequence_number, 0xffffff);
	ck_assert(seen.has_priority && seen.priority == 12 && seen.has_seid && !seen.follow_on);
	start(&msg, PFCP_HEARTBEAT_REQUEST);
	ck_assert_int_eq(pfcp_encode(&msg, out, sizeof(out)), 8);
	ck_assert_mem_eq(out, "\x20\x01\x00\x04\x00\x00\x00\x00", 8);
}
END_TEST

START_TEST(bundle)
{
	struct pfcp_message msg;
	struct octets rest;
	size_t len = 0;
	size_t count = 0;

	for (unsigned int i = 0; i < 3; i++) {
		start(&msg, PFCP_SESSION_DELETION_REQUEST);
		msg.sequence_number = i;
		msg.follow_on = i < 2;
		len += (size_t)pfcp_encode(&msg, out + len, sizeof(out) - len);
	}
	for (rest = OCTETS(out, len); rest.len; rest = msg.following) {
		struct findings findings = { NULL, 0, 0 };

		ck_assert_int_eq(decode(&msg, rest, &findings), FINDING_NONE);
		ck_assert_uint_eq(findings.count, 0);
		ck_assert_uint_eq(msg.sequence_number, count++);
	}
	ck_assert_uint_eq(count, 3);
}
END_TEST

START_TEST(building_and_reading)
{
	const uint8_t octets[] = { 1, 2, 3 };
	struct pfcp_message msg;
	struct pfcp_ie *pdr;
	struct pfcp_ie *pdi;
	uint64_t u64;
	uint32_t u32;
	uint16_t u16;
	uint8_t u8;

	start(&msg, PFCP_SESSION_ESTABLISHMENT_REQUEST);
	for (uint16_t i = 1; i <= 3; i++) {
		pdr = pfcp_add_group(&msg, NULL, PFCP_IE_CREATE_PDR);
		pfcp_add_u16(&msg, pdr, PFCP_IE_PDR_ID, i);
		pdi = pfcp_add_group(&msg, pdr, PFCP_IE_PDI);
		pfcp_add_u8(&msg, pdi, PFCP_IE_SOURCE_INTERFACE, PFCP_INTERFACE_CORE);
		pfcp_add_u32(&msg, pdr, PFCP_IE_PRECEDENCE, 255);
	}
	pfcp_add_u64(&msg, NULL, 0x7000, UINT64_C(0x0102030405060708));
	pfcp_add_vendor(&msg, NULL, 1, 0x1234, OCTETS(octets, 3));
	pfcp_add_bare(&msg, NULL, OCTETS(octets, 3));
	ck_assert_int_eq(pfcp_encode(&msg, out, sizeof(out)), 16 + 3 * 27 + 12 + 9 + 3);
	ck_assert_mem_eq(out + 16 + 3 * 27 + 12, "\x80\x01\0\5\x12\x34\1\2\3\1\2\3", 12);
	ck_assert_uint_eq(pfcp_count(&msg.ies, PFCP_IE_CREATE_PDR), 3);
	const struct pfcp_ie *ie = pfcp_find(&msg.ies, PFCP_IE_CREATE_PDR);

	for (uint16_t i = 1; i <= 3; i++, ie = pfcp_find_next(ie, PFCP_IE_CREATE_PDR)) {
		ck_assert(pfcp_get_u16(&ie->ies, PFCP_IE_PDR_ID, &u16) && u16 == i);
		ck_assert(pfcp_get_u32(&ie->ies, PFCP_IE_PRECEDENCE, &u32) && u32 == 255);
		ck_assert(!pfcp_get_u8(&ie->ies, PFCP_IE_SOURCE_INTERFACE, &u8));
	}
	ck_assert_ptr_null(ie);
	ck_assert_ptr_eq(pfcp_find_anywhere(&msg.ies, PFCP_IE_SOURCE_INTERFACE),
			 pfcp_find_anywhere(&msg.ies, PFCP_IE_PDI)->ies.first);
	ck_assert(pfcp_get_u64(&msg.ies, 0x7000, &u64) && u64 == UINT64_C(0x0102030405060708));
	ck_assert(!pfcp_get_u64(&msg.ies, PFCP_IE_CAUSE, &u64));
	ck_assert_ptr_null(pfcp_find(&msg.ies, 0));
	ck_assert_int_eq(pfcp_cause(&msg), -1);
	ck_assert_uint_eq(pfcp_remove(&msg.ies, PFCP_IE_CREATE_PDR), 3);
	ck_assert_int_eq(pfcp_encode(&msg, out, sizeof(out)), 16 + 12 + 9 + 3);
	pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE, 74);
	ck_assert_int_eq(pfcp_cause(&msg), 74);
}
END_TEST

/* The first error stays, whatever is added to what could not be added. */
START_TEST(exhausted_arena)
{
	struct pfcp_message msg;
	struct pfcp_ie *group;

	start(&msg, PFCP_SESSION_MODIFICATION_RESPONSE);
	arena.size = 100;
	group = pfcp_add_group(&msg, NULL, PFCP_IE_OVERLOAD_CONTROL_INFORMATION);
	ck_assert_ptr_nonnull(group);
	ck_assert_ptr_null(pfcp_add_u8(&msg, group, PFCP_IE_METRIC, 1));
	pfcp_lie(NULL, 3);
	ck_assert_int_eq(msg.error, -ENOMEM);
	ck_assert_int_eq(pfcp_encode(&msg, out, sizeof(out)), -ENOMEM);
}
END_TEST

START_TEST(too_long)
{
	static uint8_t value[0x10000];
	struct pfcp_message msg;
	struct pfcp_ie *ie;

	start(&msg, PFCP_SESSION_MODIFICATION_RESPONSE);
	ie = pfcp_add_ref(&msg, NULL, PFCP_IE_NETWORK_INSTANCE, OCTETS(value, 0xffff - 12 - 4));
	ck_assert_int_eq(pfcp_encode(&msg, out, sizeof(out)), PFCP_MESSAGE_MAX);
	ie->value.len++;
	ck_assert_int_eq(pfcp_encode(&msg, out, sizeof(out)), -EMSGSIZE);
	ie->value.len = 0x10000;
	static uint8_t large[0x20000];

	ck_assert_int_eq(pfcp_encode(&msg, large, sizeof(large)), -EMSGSIZE);
	pfcp_lie(ie, 5);
	msg.length_lies = true;
	ck_assert_int_eq(pfcp_encode(&msg, large, sizeof(large)), 16 + 4 + 0x10000);
}
END_TEST

/* 100 deep, as the tester may send it; what is too deep stays octets. */
START_TEST(nesting)
{
	struct finding items[4];
	struct findings findings = { items, 4, 0 };
	struct pfcp_message msg;
	struct pfcp_message seen;
	struct pfcp_ie *group = NULL;
	struct text text;
	int len;

	start(&msg, PFCP_SESSION_MODIFICATION_RESPONSE);
	pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE, 1);
	for (int i = 0; i < 100; i++)
		group = pfcp_add_group(&msg, group, PFCP_IE_OVERLOAD_CONTROL_INFORMATION);
	len = pfcp_encode(&msg, out, sizeof(out));
	ck_assert_int_eq(len, 16 + 5 + 400);
	ck_assert_int_eq(decode(&seen, OCTETS(out, (size_t)len), &findings), FINDING_NONE);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_int_eq(items[0].rule, FINDING_TOO_DEEP);
	ck_assert_int_eq(pfcp_encode(&seen, again, sizeof(again)), len);
	ck_assert_mem_eq(out, again, (size_t)len);
	ck_assert_int_eq(pfcp_check(&seen, NULL).reaction, PFCP_REACTION_IGNORE_IE);
	ck_assert_int_eq(pfcp_check(&msg, NULL).reaction, PFCP_REACTION_IGNORE_IE);
	text_init(&text, printed, sizeof(printed));
	pfcp_print(&text, &msg, PFCP_PRINT_TREE);
	ck_assert_ptr_nonnull(strstr(printed, "nested too deep"));
	arena_init(&arena, room, sizeof(room));
	pfcp_init(&msg, PFCP_SESSION_MODIFICATION_RESPONSE, &arena);
	group = NULL;
	for (int i = 0; i < 1100; i++)
		group = pfcp_add_group(&msg, group, PFCP_IE_OVERLOAD_CONTROL_INFORMATION);
	ck_assert_int_eq(pfcp_encode(&msg, out, sizeof(out)), -ELOOP);
}
END_TEST

/* A message full of the smallest IEs, groups with a stray octet, fits PFCP_ARENA_MAX. */
START_TEST(largest_messages)
{
	static const char *const units[] = { "\0\x36\0\1\0", "\0\x13\0\0", "\x80\1\0\2\0\0" };
	static const size_t sizes[] = { 5, 4, 6 };

	for (size_t i = 0; i < 3; i++) {
		struct findings findings = { NULL, 0, 0 };
		struct pfcp_message msg;
		struct text text;
		size_t len = 8;

		memcpy(out, "\x20\x01\xff\xff\0\0\1\0", 8);
		for (; len + sizes[i] <= PFCP_MESSAGE_MAX; len += sizes[i])
			memcpy(out + len, units[i], sizes[i]);
		memset(out + len, 0, PFCP_MESSAGE_MAX - len);
		ck_assert_int_eq(decode(&msg, OCTETS(out, PFCP_MESSAGE_MAX), &findings),
				 FINDING_NONE);
		ck_assert_int_eq(pfcp_encode(&msg, again, sizeof(again)), PFCP_MESSAGE_MAX);
		ck_assert_mem_eq(out, again, PFCP_MESSAGE_MAX);
		pfcp_check(&msg, &findings);
		text_init(&text, printed, sizeof(printed));
		pfcp_print(&text, &msg, PFCP_PRINT_FLAT);
		pfcp_print_line(&text, &msg);
	}
}
END_TEST

/* An arena too small for the message is refused, never overrun. */
START_TEST(small_arenas)
{
	struct pfcp_message msg;
	size_t enough;
	int len;

	arena_init(&arena, room, sizeof(room));
	pfcp_sample_message(&msg, PFCP_SESSION_ESTABLISHMENT_REQUEST, PFCP_SAMPLE_LEAST, &arena);
	len = pfcp_encode(&msg, out, sizeof(out));
	ck_assert_int_eq(decode(&msg, OCTETS(out, (size_t)len), NULL), FINDING_NONE);
	enough = decoded_arena.used;
	for (size_t size = 0; size < enough; size += 7) {
		struct finding items[1];
		struct findings findings = { items, 1, 0 };
		struct pfcp_message seen;

		arena_init(&decoded_arena, decoded_room, size);
		ck_assert_int_eq(pfcp_decode(&seen, OCTETS(out, (size_t)len), &decoded_arena,
					     DECODE_LENIENT, &findings),
				 FINDING_NO_MEMORY);
		ck_assert_int_eq(items[0].rule, FINDING_NO_MEMORY);
		ck_assert_uint_le(decoded_arena.used, size);
	}
}
END_TEST

/* Every message cut off anywhere: kept and the same again, or refused for its header. */
START_TEST(truncation)
{
	const struct pfcp_message_info *info;

	for (size_t i = 0; (info = pfcp_message_info_at(i)); i++) {
		struct pfcp_message msg;
		int len;

		arena_init(&arena, room, sizeof(room));
		pfcp_sample_message(&msg, (enum pfcp_message_type)info->type, PFCP_SAMPLE_MOST,
				    &arena);
		len = pfcp_encode(&msg, out, sizeof(out));
		for (int cut = 0; cut < len; cut++) {
			struct findings findings = { NULL, 0, 0 };
			uint8_t *exact = malloc(cut ? (size_t)cut : 1);
			struct pfcp_message seen;
			enum finding_rule rule;

			ck_assert_ptr_nonnull(exact);
			memcpy(exact, out, (size_t)cut);
			rule = decode(&seen, OCTETS(exact, (size_t)cut), &findings);
			ck_assert_int_eq(rule == FINDING_TRUNCATED, cut < (info->node ? 8 : 16));
			ck_assert_uint_gt(findings.count, 0);
			if (rule == FINDING_NONE) {
				ck_assert_int_eq(pfcp_encode(&seen, again, sizeof(again)), cut);
				ck_assert_mem_eq(again, exact, (size_t)cut);
				ck_assert_int_ne(pfcp_check(&seen, NULL).reaction,
						 PFCP_REACTION_NONE);
			}
			free(exact);
		}
	}
}
END_TEST

START_TEST(flat_print)
{
	const struct pfcp_oci oci = { 1000, 255, 0x0a, true, PFCP_OCI_AOCI };
	struct pfcp_message msg;
	struct text text;

	start(&msg, PFCP_SESSION_MODIFICATION_RESPONSE);
	msg.sequence_number = 7;
	pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE, 74);
	pfcp_add_oci(&msg, NULL, &oci);
	pfcp_lie(pfcp_add_oci(&msg, NULL, &oci), 9);
	text_init(&text, printed, sizeof(printed));
	pfcp_print(&text, &msg, PFCP_PRINT_FLAT);
#define PATH "Session Modification Response/"
#define OCI  PATH "Overload Control Information"
	ck_assert_str_eq(printed,
			 PATH "SEID = 0x0000000000000000\n" PATH "Header Sequence Number = 7\n" PATH
			      "Cause = 74 (PFCP entity in congestion)\n" OCI
			      "/Sequence Number = 1000\n" OCI "/Metric = 255 (counts as 0)\n" OCI
			      "/Timer = 20 s\n" OCI "/OCI Flags = 01 (AOCI)\n" OCI
			      "[2]/Sequence Number = 1000\n" OCI
			      "[2]/Metric = 255 (counts as 0)\n" OCI "[2]/Timer = 20 s\n" OCI
			      "[2]/OCI Flags = 01 (AOCI)\n" OCI "[2], Length = 9 (not true)\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pfcp messages");
	TCase *tcase = tcase_create("messages");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, tables);
	tcase_add_test(tcase, place_of_control_information);
	tcase_add_test(tcase, samples_of_all_messages);
	tcase_add_test(tcase, header);
	tcase_add_test(tcase, bundle);
	tcase_add_test(tcase, building_and_reading);
	tcase_add_test(tcase, exhausted_arena);
	tcase_add_test(tcase, too_long);
	tcase_add_test(tcase, nesting);
	tcase_add_test(tcase, largest_messages);
	tcase_add_test(tcase, small_arenas);
	tcase_add_test(tcase, truncation);
	tcase_add_test(tcase, flat_print);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
