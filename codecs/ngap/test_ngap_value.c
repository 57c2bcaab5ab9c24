/* Tests of values on their own, of the small accessors, and of printing what is unusual. */
#include <check.h>

#include "codecs/ngap/ngap_print.h"
#include "codecs/ngap/test_ngap.h"

static char buf[64 * 1024];
static struct text text;
static uint8_t memory[16 * 1024];
static struct arena arena;
static struct findings findings;
static struct finding items[16];

static int decode_value(enum ngap_type type, const char *hex, enum decode_mode mode,
			const void **value)
{
	static uint8_t *in;
	uint8_t data[512];
	size_t n = unhex(hex, data, sizeof(data));

	free(in);
	in = malloc(n ? n : 1);
	memcpy(in, data, n);
	arena_init(&arena, memory, sizeof(memory));
	findings = (struct findings){ items, COUNT(items), 0 };
	return ngap_decode_value(type, OCTETS(in, n), &arena, mode, &findings, value);
}

/* The transfer inside PDU SESSION RESOURCE SETUP REQUEST, from a capture-like message. */
START_TEST(setup_request_transfer)
{
	static const char hex[] = "0000040082000a0c3b9aca00301dcd6500008b000a01f07f0000010000000100"
				  "860001000088000700090000091c00";
	const struct ngap_pdu_session_resource_setup_request_transfer *transfer;
	const struct ngap_up_transport_layer_information *tunnel;
	const struct ngap_qos_flow_setup_request_list *flows;
	const void *value;
	uint8_t out[64];
	uint8_t want[64];
	size_t n = unhex(hex, want, sizeof(want));

	ck_assert_int_eq(decode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_REQUEST_TRANSFER, hex,
				      DECODE_STRICT, &value),
			 0);
	transfer = value;
	ck_assert_uint_eq(transfer->protocol_ies.count, 4);
	tunnel = ngap_extension(&transfer->protocol_ies, NGAP_ID_UL_NGU_UP_TNL_INFORMATION);
	ck_assert_ptr_nonnull(tunnel);
	ck_assert_uint_eq(per_bits_value(tunnel->gtp_tunnel.transport_layer_address), 0x7f000001);
	flows = ngap_extension(&transfer->protocol_ies, NGAP_ID_QOS_FLOW_SETUP_REQUEST_LIST);
	ck_assert_ptr_nonnull(flows);
	ck_assert_int_eq(
		flows->items[0]
			.qos_flow_level_qos_parameters.qos_characteristics.non_dynamic5qi.five_qi,
		9);
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_REQUEST_TRANSFER,
					   value, out, sizeof(out)),
			 (ssize_t)n);
	ck_assert_int_eq(memcmp(out, want, n), 0);
	text_init(&text, buf, sizeof(buf));
	ngap_print_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_REQUEST_TRANSFER, value, 1, &text);
	ck_assert_ptr_nonnull(strstr(buf, "gTP-TEID: 00000001\n"));
	ck_assert_ptr_nonnull(strstr(buf, "PDUSessionType (134, reject): ipv4\n"));
}
END_TEST

START_TEST(value_errors)
{
	const void *value;
	int64_t number = 5;
	uint8_t out[8];

	ck_assert_int_eq(decode_value(NGAP_TYPE_RAW, "00", DECODE_STRICT, &value), -EINVAL);
	ck_assert_int_eq(decode_value(NGAP_TYPE_COUNT, "00", DECODE_STRICT, &value), -EINVAL);
	ck_assert_int_eq(decode_value(NGAP_TYPE_TRAFFIC_LOAD_REDUCTION_INDICATION, "c6",
				      DECODE_LENIENT, &value),
			 -EBADMSG);
	ck_assert_int_eq(items[0].rule, FINDING_RANGE);
	ck_assert_int_eq(decode_value(NGAP_TYPE_TRAFFIC_LOAD_REDUCTION_INDICATION, "",
				      DECODE_LENIENT, &value),
			 -EBADMSG);
	ck_assert_int_eq(decode_value(NGAP_TYPE_TRAFFIC_LOAD_REDUCTION_INDICATION, "6200",
				      DECODE_LENIENT, &value),
			 0);
	ck_assert_int_eq(items[0].rule, FINDING_TRAILING);
	ck_assert_int_eq(decode_value(NGAP_TYPE_TRAFFIC_LOAD_REDUCTION_INDICATION, "63",
				      DECODE_STRICT, &value),
			 -EBADMSG);
	arena_init(&arena, NULL, 0);
	ck_assert_int_eq(ngap_decode_value(NGAP_TYPE_S_NSSAI, OCTETS((const uint8_t *)"\0\1", 2),
					   &arena, DECODE_STRICT, NULL, &value),
			 -ENOMEM);
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_RAW, &number, out, sizeof(out)), -EINVAL);
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_RAN_UE_NGAP_ID, &number, out, 1), -ENOSPC);
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_RAN_UE_NGAP_ID, &number, out, 2), 2);
}
END_TEST

/* A value that is no bits is one octet, as the content of an open type has to be. */
START_TEST(value_of_no_bits)
{
	static const struct ngap_ie_list none = { 0, NULL };
	struct ngap_pdu_session_resource_setup_request_transfer transfer = { .protocol_ies = none };
	uint8_t out[8];

	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_REQUEST_TRANSFER,
					   &transfer, out, sizeof(out)),
			 3);
	transfer.protocol_ies.count = 65536;
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_REQUEST_TRANSFER,
					   &transfer, out, sizeof(out)),
			 -ERANGE);
}
END_TEST

/* Extension containers hold 1 to 65,535 fields; the wire counts from 0. */
START_TEST(extension_container_bounds)
{
	const struct ngap_ie_list none = { 0, NULL };
	struct ngap_s_nssai s_nssai = { .sst = { (const uint8_t *)"\1", 1 },
					.ie_extensions = &none };
	struct ngap_ie ie = { .id = 1, .criticality = 3 };
	const struct ngap_ie_list bad_criticality = { 1, &ie };
	uint8_t out[32];
	const void *value;

	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_S_NSSAI, &s_nssai, out, sizeof(out)), -ERANGE);
	s_nssai.ie_extensions = &bad_criticality;
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_S_NSSAI, &s_nssai, out, sizeof(out)), -ERANGE);
	ie.criticality = NGAP_CRITICALITY_IGNORE;
	ie.type = NGAP_TYPE_COUNT;
	ie.value = &ie;
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_S_NSSAI, &s_nssai, out, sizeof(out)), -EINVAL);
	/* 65,536 fields. */
	ck_assert_int_eq(decode_value(NGAP_TYPE_S_NSSAI, "2020ffff", DECODE_LENIENT, &value),
			 -EBADMSG);
	ck_assert_int_eq(items[0].rule, FINDING_LENGTH);
}
END_TEST

START_TEST(accessors)
{
	struct octets octets;
	struct test *t;
	int64_t number;
	int cause;

	ck_assert_int_eq(
		decode_hex(&t,
			   "000f40480000050055000200010026001a197e004179000d0199f907f0ff0000000000"
			   "00012e04f0f0f0f0007900135099f907000000010099f907000001e7010203005a4001"
			   "180070400100",
			   DECODE_STRICT),
		0);
	ck_assert(ngap_get_enum(&t->pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE, &cause));
	ck_assert_int_eq(cause, NGAP_RRC_ESTABLISHMENT_CAUSE_MO_SIGNALLING);
	ck_assert(!ngap_get_enum(&t->pdu, NGAP_ID_RAN_UE_NGAP_ID, &cause));
	ck_assert(!ngap_get_enum(&t->pdu, NGAP_ID_CAUSE, &cause));
	ck_assert(!ngap_get_int(&t->pdu, NGAP_ID_NAS_PDU, &number));
	ck_assert(!ngap_get_octets(&t->pdu, NGAP_ID_RAN_UE_NGAP_ID, &octets));
	ck_assert_ptr_null(ngap_value(&t->pdu, NGAP_ID_CAUSE));
	ck_assert_ptr_null(ngap_find(&t->pdu, NGAP_ID_CAUSE));
}
END_TEST

/* An input that no transport of this protocol delivers. */
START_TEST(input_too_long)
{
	uint8_t *in = calloc(1, NGAP_PDU_MAX + 1);
	const void *value;
	struct ngap_pdu pdu;

	arena_init(&arena, memory, sizeof(memory));
	findings = (struct findings){ items, COUNT(items), 0 };
	ck_assert_int_eq(
		ngap_decode(&pdu, OCTETS(in, NGAP_PDU_MAX + 1), &arena, DECODE_LENIENT, &findings),
		-EBADMSG);
	ck_assert_int_eq(items[0].rule, FINDING_LENGTH);
	ck_assert_int_eq(ngap_decode_value(NGAP_TYPE_NAS_PDU, OCTETS(in, NGAP_PDU_MAX + 1), &arena,
					   DECODE_LENIENT, &findings, &value),
			 -EINVAL);
	free(in);
}
END_TEST

/* Raw messages, values of later releases, what was composed and cannot be sent, long octets. */
START_TEST(print_the_unusual)
{
	static uint8_t nas[3000];
	static const struct ngap_overload_response no_choice = { 0 };
	static const struct ngap_overload_start_nssai_list empty = { 0, NULL };
	struct ngap_pdu pdu;
	struct test *t;

	text_init(&text, buf, sizeof(buf));
	ck_assert_int_eq(decode_hex(&t, "20fe4004deadbeef", DECODE_STRICT), 0);
	ngap_print(&t->pdu, 0, &text);
	ck_assert_str_eq(buf, "unknown (unknown 254, successful outcome, ignore)\n"
			      "  value: raw deadbeef\n");
	text_init(&text, buf, sizeof(buf));
	ngap_print_summary(&t->pdu, &text);
	ck_assert_str_eq(buf, "procedure 254, successful outcome");

	ck_assert_int_eq(decode_hex(&t, "0016400900000100020002400007", DECODE_LENIENT), 0);
	text_init(&text, buf, sizeof(buf));
	ngap_print_flat(&t->pdu, &text);
	ck_assert_ptr_nonnull(strstr(buf, "AMFOverloadResponse.overloadAction = unknown (4)\n"));
	ck_assert_ptr_nonnull(strstr(buf, "trailing octets = 07\n"));

	ck_assert_int_eq(decode_hex(&t, "4015000d000002000f400180006b400130", DECODE_STRICT), 0);
	text_init(&text, buf, sizeof(buf));
	ngap_print_summary(&t->pdu, &text);
	ck_assert_str_eq(buf, "NGSetupFailure: Cause control-processing-overload, TimeToWait v10s");

	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, NGAP_OVERLOAD_START, &arena);
	ngap_add(&pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE, &no_choice);
	ngap_add(&pdu, NGAP_ID_OVERLOAD_START_NSSAI_LIST, &empty);
	pdu.criticality = 3;
	text_init(&text, buf, sizeof(buf));
	ngap_print(&pdu, 0, &text);
	ck_assert_str_eq(buf, "OverloadStart (OverloadStart 22, initiating message, invalid)\n"
			      "  AMFOverloadResponse (2, reject): (no choice)\n"
			      "  OverloadStartNSSAIList (49, ignore): (empty)\n");

	ngap_pdu_init(&pdu, NGAP_UPLINK_NAS_TRANSPORT, &arena);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, OCTETS(nas, sizeof(nas)));
	text_init(&text, buf, sizeof(buf));
	ngap_print(&pdu, 0, &text);
	ck_assert_ptr_nonnull(strstr(buf, "00... (3000 octets)\n"));

	memset(nas, 'a', sizeof(nas));
	nas[0] = '"';
	nas[1] = 0xff;
	ngap_pdu_init(&pdu, NGAP_NG_SETUP_RESPONSE, &arena);
	ngap_add_octets(&pdu, NGAP_ID_AMF_NAME, OCTETS(nas, 1000));
	text_init(&text, buf, sizeof(buf));
	ngap_print(&pdu, 0, &text);
	ck_assert_ptr_nonnull(strstr(buf, "\"\\x22\\xffaaa"));
	ck_assert_ptr_nonnull(strstr(buf, "\"... (1000 octets)\n"));
	text_init(&text, buf, sizeof(buf));
	ngap_print_value(NGAP_TYPE_RAW, nas, 0, &text);
	ck_assert_str_eq(buf, "");
}
END_TEST

/* A list that is longer than its type allows, a string too; nothing half sent. */
START_TEST(lists_too_long)
{
	static struct ngap_allowed_nssai_item nine[9];
	const struct ngap_allowed_nssai allowed = { 9, nine };
	const struct octets three = OCTETS((const uint8_t *)"abc", 3);
	uint8_t out[128];

	for (size_t i = 0; i < COUNT(nine); i++)
		nine[i].s_nssai.sst = OCTETS((const uint8_t *)"\1", 1);
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_ALLOWED_NSSAI, &allowed, out, sizeof(out)),
			 -ERANGE);
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_SST, &three, out, sizeof(out)), -ERANGE);
	ck_assert_int_eq(ngap_encode_value(NGAP_TYPE_FIVE_G_TMSI, &three, out, sizeof(out)),
			 -ERANGE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ngap_value");
	TCase *tc = tcase_create("value");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, setup_request_transfer);
	tcase_add_test(tc, value_errors);
	tcase_add_test(tc, value_of_no_bits);
	tcase_add_test(tc, extension_container_bounds);
	tcase_add_test(tc, accessors);
	tcase_add_test(tc, input_too_long);
	tcase_add_test(tc, print_the_unusual);
	tcase_add_test(tc, lists_too_long);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
