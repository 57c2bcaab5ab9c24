/* Tests of the message model: vectors, what is kept, what can be expressed, printing. */
#include <check.h>

#include "codecs/ngap/ngap_print.h"
#include "codecs/ngap/test_ngap.h"

static uint8_t big[1024 * 1024];
static uint8_t room[64 * 1024];

/* Every vector does what its last column says, within the memory that ngap.h promises. */
START_TEST(vectors)
{
	FILE *file = open_source("fixtures/vectors/ngap.txt");
	size_t seen = 0;
	struct vector v;

	for (; next_vector(file, &v); seen++) {
		bool exact = strcmp(v.kind, "exact") == 0;
		struct test *t;

		ck_assert_msg(decode_octets(&t, v.data, v.len, DECODE_LENIENT) == 0, "%s", v.name);
		ck_assert_msg((t->findings.count == 0) == exact, "%s", v.name);
		ck_assert_msg(encodes_to_input(t), "%s", v.name);
		ck_assert_msg(t->arena.used <= NGAP_ARENA_SIZE, "%s %zu", v.name, t->arena.used);
		ck_assert_msg((decode_octets(&t, v.data, v.len, DECODE_STRICT) == 0) == exact, "%s",
			      v.name);
	}
	fclose(file);
	ck_assert_uint_ge(seen, 49);
}
END_TEST

/* Whatever is cut off, the rest is refused, with a finding that lies inside of it. */
START_TEST(truncated)
{
	FILE *file = open_source("fixtures/vectors/ngap.txt");
	struct vector v;

	while (next_vector(file, &v)) {
		for (size_t len = 0; len < v.len; len++) {
			struct test *t;

			ck_assert_int_eq(decode_octets(&t, v.data, len, DECODE_LENIENT), -EBADMSG);
			ck_assert_uint_ge(t->findings.count, 1);
			ck_assert_uint_le(t->items[t->findings.count - 1].bit, len * 8);
		}
	}
	fclose(file);
}
END_TEST

/* The table of 1.5: each action is one octet of the spec's vectors. */
START_TEST(overload_actions)
{
	static const char *const hex[] = { "001640080000010002000100", "001640080000010002000110",
					   "001640080000010002000120", "001640080000010002000130" };

	for (int action = 0; action < 4; action++) {
		const struct ngap_overload_response *response;
		struct test *t;

		ck_assert_int_eq(decode_hex(&t, hex[action], DECODE_STRICT), 0);
		ck_assert_int_eq(t->pdu.message, NGAP_OVERLOAD_START);
		ck_assert_int_eq(t->pdu.criticality, NGAP_CRITICALITY_IGNORE);
		response = ngap_value(&t->pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE);
		ck_assert_ptr_nonnull(response);
		ck_assert_int_eq(response->overload_action, action);
	}
}
END_TEST

/* V-N-12: a load reduction of 100 stays raw; V-N-13: an action of a later release has a number. */
START_TEST(outside_of_its_constraint)
{
	const struct ngap_overload_response *response;
	const struct ngap_ie *ie;
	int64_t value;
	struct test *t;

	ck_assert_int_eq(decode_hex(&t, "0016400d000002000200011000094001c6", DECODE_LENIENT), 0);
	ck_assert_uint_eq(t->findings.count, 1);
	ck_assert_int_eq(t->items[0].rule, FINDING_RANGE);
	ck_assert_int_eq(t->items[0].ie, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION);
	ck_assert_str_eq(t->items[0].field, "TrafficLoadReductionIndication");
	ck_assert_uint_eq(t->items[0].bit / 8, 16);
	ie = ngap_find(&t->pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION);
	ck_assert_ptr_null(ie->value);
	ck_assert_int_eq(ie->type, NGAP_TYPE_TRAFFIC_LOAD_REDUCTION_INDICATION);
	ck_assert_uint_eq(ie->raw.len, 1);
	ck_assert_uint_eq(ie->raw.data[0], 0xc6);
	ck_assert(!ngap_get_int(&t->pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, &value));
	ck_assert_int_eq(decode_hex(&t, "0016400d000002000200011000094001c6", DECODE_STRICT),
			 -EBADMSG);

	ck_assert_int_eq(decode_hex(&t, "00164009000001000200024000", DECODE_STRICT), 0);
	response = ngap_value(&t->pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE);
	ck_assert_int_eq((int)response->overload_action, 4);
}
END_TEST

static void start(struct ngap_pdu *pdu, enum ngap_message message, struct arena *arena)
{
	arena_init(arena, room, sizeof(room));
	ngap_pdu_init(pdu, message, arena);
}

static void assert_encodes(const struct ngap_pdu *pdu, const char *hex)
{
	uint8_t out[512];
	char text[1025] = "";
	ssize_t n = ngap_encode(pdu, out, sizeof(out));

	ck_assert_int_gt(n, 0);
	for (ssize_t i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", out[i]);
	ck_assert_str_eq(text, hex);
}

/* What no correct node would send can be composed, IE by IE, and comes back as it was sent. */
START_TEST(broken_messages)
{
	const struct ngap_overload_response response = {
		.choice = NGAP_OVERLOAD_RESPONSE_CHOICE_OVERLOAD_ACTION,
		.overload_action = NGAP_OVERLOAD_ACTION_REJECT_RRC_CR_SIGNALLING,
	};
	struct ngap_pdu pdu;
	struct arena arena;
	struct test *t;
	int64_t value;

	/* Wrong order, and one IE twice. */
	start(&pdu, NGAP_OVERLOAD_START, &arena);
	ngap_add_int(&pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, 50);
	ngap_add(&pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE, &response);
	ngap_add_int(&pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, 1);
	assert_encodes(&pdu, "001640120000030009400162000200011000094001"
			     "00");
	ck_assert_int_eq(
		decode_hex(&t, "00164012000003000940016200020001100009400100", DECODE_STRICT), 0);
	ck_assert_uint_eq(t->pdu.count, 3);
	ck_assert(ngap_get_int(&t->pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, &value));
	ck_assert_int_eq(value, 50);

	/* Wrong criticality of IE and procedure, another kind, another procedure code. */
	start(&pdu, NGAP_OVERLOAD_STOP, &arena);
	pdu.criticality = NGAP_CRITICALITY_NOTIFY;
	pdu.kind = NGAP_UNSUCCESSFUL_OUTCOME;
	pdu.procedure_code = 255;
	assert_encodes(&pdu, "40ff8003000000");
	start(&pdu, NGAP_OVERLOAD_START, &arena);
	ngap_add(&pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE, &response)->criticality =
		NGAP_CRITICALITY_NOTIFY;
	assert_encodes(&pdu, "001640080000010002800110");

	/* Raw octets for a known id, an id that nobody knows, an empty open type. */
	start(&pdu, NGAP_OVERLOAD_START, &arena);
	ngap_add_raw(&pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE, NGAP_CRITICALITY_REJECT,
		     OCTETS((const uint8_t *)"\xff\xff", 2));
	ngap_add_raw(&pdu, 65535, NGAP_CRITICALITY_IGNORE, OCTETS(NULL, 0));
	assert_encodes(&pdu, "0016400d000002000200"
			     "02ffffffff4000");
	ck_assert_uint_eq(ngap_remove(&pdu, (enum ngap_id)65535), 1);
	ck_assert_uint_eq(ngap_remove(&pdu, (enum ngap_id)65535), 0);
	ck_assert_uint_eq(pdu.count, 1);

	/* Trailing octets. */
	start(&pdu, NGAP_OVERLOAD_STOP, &arena);
	pdu.trailing = OCTETS((const uint8_t *)"\x00\x01", 2);
	assert_encodes(&pdu, "001700030000000001");
}
END_TEST

/* Errors of composing stick to the message, so that one check at the end does. */
START_TEST(composing_errors)
{
	struct ngap_pdu pdu;
	struct arena arena;
	uint8_t out[64];
	int64_t value = 5;

	start(&pdu, NGAP_OVERLOAD_STOP, &arena);
	ck_assert_ptr_null(ngap_add(&pdu, NGAP_ID_CAUSE, &value));
	ck_assert_int_eq(ngap_encode(&pdu, out, sizeof(out)), -EINVAL);
	start(&pdu, NGAP_OVERLOAD_START, &arena);
	ck_assert_ptr_null(ngap_add_enum(&pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, 1));
	ck_assert_int_eq(pdu.error, -EINVAL);
	start(&pdu, NGAP_OVERLOAD_START, &arena);
	ck_assert_ptr_nonnull(
		ngap_add_int(&pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, 100));
	ck_assert_int_eq(ngap_encode(&pdu, out, sizeof(out)), -ERANGE);
	start(&pdu, NGAP_OVERLOAD_START, &arena);
	arena.size = 100;
	ck_assert_ptr_null(ngap_add_int(&pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, 1));
	ck_assert_int_eq(ngap_encode(&pdu, out, sizeof(out)), -ENOMEM);
	start(&pdu, NGAP_OVERLOAD_STOP, &arena);
	pdu.criticality = 3;
	ck_assert_int_eq(ngap_encode(&pdu, out, sizeof(out)), -ERANGE);
}
END_TEST

/* More IEs than any message has, in one arena. */
START_TEST(many_ies)
{
	static struct ngap_pdu pdu;
	struct arena arena;
	struct test *t;
	ssize_t n;

	arena_init(&arena, big, sizeof(big));
	ngap_pdu_init(&pdu, NGAP_OVERLOAD_STOP, &arena);
	for (unsigned int i = 0; i < 5000; i++)
		ngap_add_raw(&pdu, (uint16_t)(60000 + i), NGAP_CRITICALITY_IGNORE,
			     OCTETS((const uint8_t *)"x", 1));
	n = ngap_encode(&pdu, room, sizeof(room));
	ck_assert_int_eq(n, 3 + 2 + 1 + 3 + 5 * 5000);
	ck_assert_int_eq(decode_octets(&t, room, (size_t)n, DECODE_STRICT), 0);
	ck_assert_uint_eq(t->pdu.count, 5000);
	ck_assert_uint_eq(t->pdu.ies[4999].id, 64999);
}
END_TEST

/* NAS-PDU, its IE and the message each cross the boundaries of length forms on their own. */
START_TEST(long_nas_pdu)
{
	static const size_t lens[] = { 0,     1,     100,   125,   126,	  127,	 128,	200,
				       16000, 16360, 16370, 16378, 16379, 16380, 16381, 16382,
				       16383, 16384, 16385, 20000, 32768, 49152, 60000, 65536 };
	static uint8_t nas[65536];
	static uint8_t out[66000];
	static uint8_t again[66000];

	for (size_t i = 0; i < sizeof(nas); i++)
		nas[i] = (uint8_t)(i * 31 >> 3);
	for (size_t i = 0; i < COUNT(lens); i++) {
		struct ngap_pdu pdu;
		struct arena arena;
		struct octets back;
		struct test *t;
		ssize_t n;

		start(&pdu, NGAP_UPLINK_NAS_TRANSPORT, &arena);
		ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, 7);
		ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, OCTETS(nas, lens[i]));
		n = ngap_encode(&pdu, out, sizeof(out));
		ck_assert_int_gt(n, (ssize_t)lens[i]);
		ck_assert_int_eq(decode_octets(&t, out, (size_t)n, DECODE_STRICT), 0);
		ck_assert(ngap_get_octets(&t->pdu, NGAP_ID_NAS_PDU, &back));
		ck_assert(octets_equal(back, OCTETS(nas, lens[i])));
		ck_assert_int_eq(ngap_encode(&t->pdu, again, sizeof(again)), n);
		ck_assert_int_eq(memcmp(out, again, (size_t)n), 0);
		ck_assert_int_eq(ngap_encode(&t->pdu, again, (size_t)n - 1), -ENOSPC);
		ck_assert_int_eq(decode_octets(&t, out, (size_t)n - 1, DECODE_LENIENT), -EBADMSG);
	}
}
END_TEST

/* A list whose bound is 64K has a general length; from 16K on it goes in fragments. */
START_TEST(long_reset)
{
	static struct ngap_ue_associated_logical_ng_connection_item items[20000];
	static uint8_t memory[4 * 1024 * 1024];
	static const int64_t id = 3;
	static const size_t counts[] = { 1, 127, 128, 16383, 16384, 16385, 20000 };
	struct ngap_reset_type type = { .choice = NGAP_RESET_TYPE_CHOICE_PART_OF_NG_INTERFACE };
	const struct ngap_reset_type *back;
	struct ngap_pdu pdu;
	struct arena arena;

	for (size_t i = 0; i < COUNT(items); i++)
		items[i].ran_ue_ngap_id = &id;
	for (size_t i = 0; i < COUNT(counts); i++) {
		ssize_t n;

		type.part_of_ng_interface.count = counts[i];
		type.part_of_ng_interface.items = items;
		start(&pdu, NGAP_NG_RESET, &arena);
		ngap_add(&pdu, NGAP_ID_RESET_TYPE, &type);
		n = ngap_encode(&pdu, big, sizeof(big));
		ck_assert_int_gt(n, 0);
		arena_init(&arena, memory, sizeof(memory));
		ck_assert_int_eq(
			ngap_decode(&pdu, OCTETS(big, (size_t)n), &arena, DECODE_STRICT, NULL), 0);
		back = ngap_value(&pdu, NGAP_ID_RESET_TYPE);
		ck_assert_uint_eq(back->part_of_ng_interface.count, counts[i]);
		ck_assert_int_eq(*back->part_of_ng_interface.items[counts[i] - 1].ran_ue_ngap_id,
				 3);
		arena_init(&arena, room, sizeof(room));
		if (counts[i] > 16383)
			ck_assert_int_eq(ngap_decode(&pdu, OCTETS(big, (size_t)n), &arena,
						     DECODE_STRICT, NULL),
					 -ENOMEM);
	}
}
END_TEST

/* Values above 32 bits, at their top. */
START_TEST(wide_integers)
{
	const struct ngap_ue_aggregate_maximum_bit_rate *rate;
	struct test *t;
	int64_t id;

	ck_assert_int_eq(decode_hex(&t,
				    "00044023000003000a000680ffffffffff00550005c0ffffffff"
				    "006e4009"
				    "1403a3529440000000",
				    DECODE_LENIENT),
			 0);
	ck_assert(ngap_get_int(&t->pdu, NGAP_ID_AMF_UE_NGAP_ID, &id));
	ck_assert_int_eq(id, 1099511627775);
	ck_assert(ngap_get_int(&t->pdu, NGAP_ID_RAN_UE_NGAP_ID, &id));
	ck_assert_int_eq(id, 4294967295);
	rate = ngap_value(&t->pdu, NGAP_ID_UE_AGGREGATE_MAXIMUM_BIT_RATE);
	ck_assert_ptr_nonnull(rate);
	ck_assert_int_eq(rate->ue_aggregate_maximum_bit_rate_dl, 4000000000000);
}
END_TEST

/* Extensions: known ones typed, unknown ones kept, both sent again; so are additions. */
START_TEST(extensions_kept)
{
	const struct ngap_served_guami_list *list;
	const enum ngap_guami_type *type;
	const struct ngap_ie_list *extensions;
	struct test *t;

	/* ServedGUAMIItem with GUAMIType and with an id of a later release. */
	ck_assert_int_eq(decode_hex(&t,
				    "2015001c00000100600015002099f9070200400001"
				    "00b0400140"
				    "ffff40020102",
				    DECODE_LENIENT),
			 0);
	ck_assert(encodes_to_input(t));
	list = ngap_value(&t->pdu, NGAP_ID_SERVED_GUAMI_LIST);
	ck_assert_ptr_nonnull(list);
	extensions = list->items[0].ie_extensions;
	ck_assert_uint_eq(extensions->count, 2);
	type = ngap_extension(extensions, NGAP_ID_GUAMI_TYPE);
	ck_assert_ptr_nonnull(type);
	ck_assert_int_eq(*type, NGAP_GUAMI_TYPE_MAPPED);
	ck_assert_uint_eq(extensions->items[1].id, 65535);
	ck_assert_ptr_null(extensions->items[1].value);
	ck_assert_uint_eq(extensions->items[1].raw.len, 2);
	ck_assert_ptr_null(ngap_extension(NULL, NGAP_ID_GUAMI_TYPE));
	ck_assert_ptr_null(ngap_extension(extensions, NGAP_ID_NID));
}
END_TEST

START_TEST(additions_kept)
{
	struct test *t;

	/* OVERLOAD STOP whose message SEQUENCE has two additions, one of them present. */
	ck_assert_int_eq(decode_hex(&t,
				    "00170007800000"
				    "0280"
				    "01aa",
				    DECODE_LENIENT),
			 0);
	ck_assert_ptr_nonnull(t->pdu.additions);
	ck_assert_uint_eq(t->pdu.additions->present.len, 2);
	ck_assert_uint_eq(t->pdu.additions->count, 1);
	ck_assert(encodes_to_input(t));
}
END_TEST

/* An id that is legal elsewhere is opaque here; an unknown procedure is raw as a whole. */
START_TEST(dispatch)
{
	const struct ngap_ie *ie;
	struct test *t;

	ck_assert_int_eq(decode_hex(&t, "0017000800000100554001ff", DECODE_STRICT), 0);
	ie = ngap_find(&t->pdu, NGAP_ID_RAN_UE_NGAP_ID);
	ck_assert_int_eq(ie->type, NGAP_TYPE_RAW);
	ck_assert_uint_eq(ie->raw.data[0], 0xff);
	ck_assert_int_eq(decode_hex(&t, "00fe4004deadbeef", DECODE_STRICT), 0);
	ck_assert(t->pdu.is_raw);
	ck_assert_int_eq(t->pdu.message, NGAP_MESSAGE_UNKNOWN);
	ck_assert_uint_eq(t->pdu.raw.len, 4);
	ck_assert(encodes_to_input(t));
	/* A successful outcome of a procedure that has none. */
	ck_assert_int_eq(decode_hex(&t, "201640040000000a", DECODE_STRICT), 0);
	ck_assert(t->pdu.is_raw);
	ck_assert(encodes_to_input(t));
	ck_assert_int_eq(ngap_message_of(22, NGAP_INITIATING_MESSAGE), NGAP_OVERLOAD_START);
	ck_assert_int_eq(ngap_message_of(22, NGAP_SUCCESSFUL_OUTCOME), NGAP_MESSAGE_UNKNOWN);
	ck_assert_int_eq(ngap_message_of(255, NGAP_INITIATING_MESSAGE), NGAP_MESSAGE_UNKNOWN);
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(ngap_message_name(NGAP_NG_SETUP_REQUEST), "NGSetupRequest");
	ck_assert_str_eq(ngap_message_name(NGAP_MESSAGE_COUNT), "unknown");
	ck_assert_str_eq(ngap_procedure_name(22), "OverloadStart");
	ck_assert_str_eq(ngap_procedure_name(255), "unknown");
	ck_assert_str_eq(ngap_ie_name(NGAP_ID_AMF_UE_NGAP_ID), "AMF-UE-NGAP-ID");
	ck_assert_str_eq(ngap_ie_name(113), "unknown");
	ck_assert_str_eq(ngap_ie_name(65535), "unknown");
	ck_assert_int_eq(NGAP_PROCEDURE_UPLINK_NAS_TRANSPORT, 46);
	ck_assert_int_eq(NGAP_ID_GUAMI_LIST, 451);
	ck_assert_int_eq(ngap_message_info(NGAP_OVERLOAD_STOP)->criticality,
			 NGAP_CRITICALITY_REJECT);
	ck_assert_int_eq(ngap_ie_row(NGAP_OVERLOAD_START, NGAP_ID_AMF_OVERLOAD_RESPONSE)->presence,
			 NGAP_OPTIONAL);
	ck_assert_ptr_null(ngap_ie_row(NGAP_OVERLOAD_STOP, NGAP_ID_AMF_OVERLOAD_RESPONSE));
}
END_TEST

START_TEST(print)
{
	struct test *t;
	struct text text;
	char buf[4096];

	ck_assert_int_eq(decode_hex(&t,
				    "0016401d000003000200010000094001620031400c"
				    "0000600000100801020309e0",
				    DECODE_STRICT),
			 0);
	text_init(&text, buf, sizeof(buf));
	ngap_print(&t->pdu, 0, &text);
	ck_assert_str_eq(buf, "OverloadStart (OverloadStart 22, initiating message, ignore)\n"
			      "  AMFOverloadResponse (2, reject)\n"
			      "    overloadAction: reject-non-emergency-mo-dt\n"
			      "  AMFTrafficLoadReductionIndication (9, ignore): 50\n"
			      "  OverloadStartNSSAIList (49, ignore): 1\n"
			      "    [0]\n"
			      "      sliceOverloadList: 1\n"
			      "        [0]\n"
			      "          s-NSSAI\n"
			      "            sST: 01\n"
			      "            sD: 010203\n"
			      "      sliceOverloadResponse\n"
			      "        overloadAction: reject-non-emergency-mo-dt\n"
			      "      sliceTrafficLoadReductionIndication: 80\n");
	text_init(&text, buf, sizeof(buf));
	ngap_print_flat(&t->pdu, &text);
	ck_assert_ptr_nonnull(strstr(buf, "\nAMFTrafficLoadReductionIndication = 50\n"));
	ck_assert_ptr_nonnull(strstr(
		buf, "\nOverloadStartNSSAIList[0].sliceOverloadList[0].s-NSSAI.sD = 010203\n"));
	text_init(&text, buf, sizeof(buf));
	ngap_print_summary(&t->pdu, &text);
	ck_assert_str_eq(buf, "OverloadStart: AMFOverloadResponse, "
			      "AMFTrafficLoadReductionIndication 50, OverloadStartNSSAIList");

	/* Duplicates, unknown ids and raw IEs have names of their own. */
	ck_assert_int_eq(decode_hex(&t,
				    "001640170000040009400162000940"
				    "016200094001c6ffff400100",
				    DECODE_LENIENT),
			 0);
	text_init(&text, buf, sizeof(buf));
	ngap_print_flat(&t->pdu, &text);
	ck_assert_ptr_nonnull(strstr(buf, "\nAMFTrafficLoadReductionIndication#2 = 50\n"));
	ck_assert_ptr_nonnull(strstr(buf, "\nAMFTrafficLoadReductionIndication#3 = raw c6\n"));
	ck_assert_ptr_nonnull(strstr(buf, "\nid-65535 = raw 00\n"));
	/* Too little room: cut, terminated, said so. */
	text_init(&text, buf, 20);
	ngap_print(&t->pdu, 0, &text);
	ck_assert(text.truncated);
	ck_assert_uint_eq(strlen(buf), 19);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ngap");
	TCase *tc = tcase_create("ngap");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, vectors);
	tcase_add_test(tc, truncated);
	tcase_add_test(tc, overload_actions);
	tcase_add_test(tc, outside_of_its_constraint);
	tcase_add_test(tc, broken_messages);
	tcase_add_test(tc, composing_errors);
	tcase_add_test(tc, many_ies);
	tcase_add_test(tc, long_nas_pdu);
	tcase_add_test(tc, long_reset);
	tcase_add_test(tc, wide_integers);
	tcase_add_test(tc, extensions_kept);
	tcase_add_test(tc, additions_kept);
	tcase_add_test(tc, dispatch);
	tcase_add_test(tc, names);
	tcase_add_test(tc, print);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
