#include <check.h>
#include <stdlib.h>

#include "codecs/ngap/ngap_check.h"
#include "runner/case/expect_nw.h"
#include "runner/emulation/fake_ran.h"
#include "runner/emulation/test_stage.h"

static void run_case(void (*body)(struct tc *t), enum strength strength)
{
	fake_ran_plan.messages = 0;
	stage_body(&fake_ran_ue, body, strength, NULL, NULL);
}

static void set_up(void)
{
	stage_role = ROLE_UE;
	profile = profile_builtin(ROLE_UE);
	ck_assert_ptr_nonnull(profile);
	fake_ran_plan = (struct fake_ran_plan){ .offered = -1, .sent = -1, .rejected = -1 };
}

static void tear_down(void)
{
	stage_clear(&stage);
	profile_free(profile);
}

/* --- overload --- */

static struct nw_overload shape;

static void sends_shape(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);

	nw_iut_connects(t);
	nw_overload_start_with(nw_node(amf, NODE_GNB), &shape);
	tc_sleep(t, US_PER_S);
	nw_overload_stop(nw_node(amf, NODE_GNB));
	tc_sleep(t, US_PER_S);
}

static void start_only(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);

	nw_iut_connects(t);
	nw_overload_start_with(nw_node(amf, NODE_GNB), &shape);
	tc_sleep(t, US_PER_S);
}

/* The octets that went out, against the vectors of the standards' ASN.1. */
START_TEST(test_overload_octets)
{
	static const struct slice a = { .sst = 1, .has_sd = true, .sd = 0x010203 };
	static const struct slice b = { .sst = 2 };
	static const struct nw_slice_item item_a = {
		.slices = &a, .slice_count = 1, .action = ACTION_0, .tlr = 80
	};
	static const struct nw_slice_item item_b = { .slices = &b, .slice_count = 1 };
	static const struct {
		struct nw_overload overload;
		const char *hex;
	} rows[] = {
		{ { .action = ACTION_0 }, "001640080000010002000100" },
		{ { .action = ACTION_1 }, "001640080000010002000110" },
		{ { .action = ACTION_2 }, "001640080000010002000120" },
		{ { .action = ACTION_3 }, "001640080000010002000130" },
		{ { .action = ACTION_1, .tlr = 1 }, "0016400d00000200020001100009400100" },
		{ { .action = ACTION_1, .tlr = 50 }, "0016400d00000200020001100009400162" },
		{ { .action = ACTION_1, .tlr = 99 }, "0016400d000002000200011000094001c4" },
		{ { .action = ACTION_ABSENT }, "00164003000000" },
		{ { .action = ACTION_0, .tlr = 50, .items = &item_a, .item_count = 1 },
		  "0016401d000003000200010000094001620031400c0000600000100801020309e0" },
		{ { .items = &item_b, .item_count = 1 }, "0016400e0000010031400700000000000010" },
		{ { .action = ACTION_1, .tlr = 100, .on_purpose = true },
		  "0016400d000002000200011000094001c6" },
		{ { .action = ACTION_EXTENDED }, "00164009000001000200024000" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char hex[160];
		struct text text;

		fake_ran_plan.start_len = 0;
		shape = rows[i].overload;
		run_case(start_only, SHALL);
		ck_verdict(VERDICT_PASS);
		text_init(&text, hex, sizeof(hex));
		text_hex(&text, fake_ran_plan.start, fake_ran_plan.start_len);
		ck_assert_str_eq(hex, rows[i].hex);
		stage_clear(&stage);
	}
}
END_TEST

/* What the IUT got, decoded; findings of decoder and clause 10 check. */
static struct ngap_verdict received_shape(struct ngap_pdu *pdu, struct findings *findings)
{
	static uint8_t memory[4 << 20];
	struct arena arena;

	arena_init(&arena, memory, sizeof(memory));
	ck_assert_int_eq(ngap_decode(pdu, OCTETS(fake_ran_plan.start, fake_ran_plan.start_len),
				     &arena, DECODE_LENIENT, findings),
			 0);
	return ngap_check(pdu, findings);
}

START_TEST(test_overload_shapes)
{
	static const struct slice slices[] = { { .sst = 1, .has_sd = true, .sd = 0x010203 },
					       { .sst = 2 } };
	static const struct nw_slice_item items[] = {
		{ .slices = slices, .slice_count = 2, .action = ACTION_0, .tlr = 80 },
		{ .slices = slices + 1, .slice_count = 1 },
	};
	static const struct nw_guami guamis[] = { { 2, 1, 0 }, { 2, 1, 5 } };
	static const struct {
		struct nw_overload overload;
		enum ngap_reaction reaction;
		size_t items;
	} rows[] = {
		{ { .action = ACTION_1, .tlr = 50 }, NGAP_REACTION_NONE, 0 },
		{ { .action = ACTION_ABSENT }, NGAP_REACTION_NONE, 0 },
		{ { .tlr = 40 }, NGAP_REACTION_NONE, 0 },
		{ { .action = ACTION_3, .items = items, .item_count = 2 }, NGAP_REACTION_NONE, 2 },
		{ { .action = ACTION_0, .guamis = guamis, .guami_count = 2 },
		  NGAP_REACTION_NONE,
		  0 },
		{ { .items = items, .item_count = 1, .filler_items = 1023 },
		  NGAP_REACTION_NONE,
		  1024 },
		{ { .action = ACTION_EXTENDED, .tlr = 40 }, NGAP_REACTION_REJECT, 0 },
		{ { .action = ACTION_CHOICE_EXTENSION, .tlr = 40 }, NGAP_REACTION_REJECT, 0 },
		{ { .action = ACTION_1, .tlr = 60, .fault = START_WRONG_ORDER },
		  NGAP_REACTION_REJECT,
		  0 },
		{ { .action = ACTION_1, .fault = START_ACTION_TWICE }, NGAP_REACTION_REJECT, 0 },
		{ { .action = ACTION_1, .tlr = 60, .fault = START_TLR_TWICE },
		  NGAP_REACTION_REJECT,
		  0 },
		{ { .action = ACTION_0,
		    .unknown_ie = 65000,
		    .unknown_criticality = NGAP_CRITICALITY_IGNORE },
		  NGAP_REACTION_IGNORE_IE,
		  0 },
		{ { .action = ACTION_0,
		    .unknown_ie = 65000,
		    .unknown_criticality = NGAP_CRITICALITY_NOTIFY },
		  NGAP_REACTION_NOTIFY_IE,
		  0 },
		{ { .action = ACTION_0,
		    .unknown_ie = 65000,
		    .unknown_criticality = NGAP_CRITICALITY_REJECT },
		  NGAP_REACTION_REJECT,
		  0 },
	};
	const struct ngap_overload_start_nssai_list *list;
	struct finding found[8];
	struct findings findings = { .items = found, .max = 8 };
	struct ngap_pdu pdu;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fake_ran_plan.start_len = 0;
		shape = rows[i].overload;
		run_case(start_only, SHALL);
		ck_verdict(VERDICT_PASS);
		findings.count = 0;
		ck_assert_int_eq(received_shape(&pdu, &findings).reaction, rows[i].reaction);
		ck_assert_uint_eq(pdu.message, NGAP_OVERLOAD_START);
		list = ngap_value(&pdu, NGAP_ID_OVERLOAD_START_NSSAI_LIST);
		ck_assert_uint_eq(list ? list->count : 0, rows[i].items);
		stage_clear(&stage);
	}
}
END_TEST

START_TEST(test_overload_stop)
{
	shape = (struct nw_overload){ .action = ACTION_2 };
	run_case(sends_shape, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_ran_plan.starts, 1);
	ck_assert_uint_eq(fake_ran_plan.stops, 1);
}
END_TEST

/* The seven bits of the reduction, or what stands in their place. */
START_TEST(test_impossible_reduction)
{
	static const struct {
		int tlr;
		uint8_t octet;
	} rows[] = { { 100, 0xc6 }, { 128, 0xfe }, { TLR_ZERO, 0xfe }, { 99, 0xc4 }, { 1, 0x00 } };
	struct finding found[8];
	struct findings findings = { .items = found, .max = 8 };
	const struct ngap_ie *ie;
	struct ngap_pdu pdu;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		shape = (struct nw_overload){ .action = ACTION_1,
					      .tlr = rows[i].tlr,
					      .on_purpose = true };
		run_case(start_only, SHALL);
		ck_verdict(VERDICT_PASS);
		received_shape(&pdu, &findings);
		ie = ngap_find(&pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION);
		ck_assert_ptr_nonnull(ie);
		ck_assert_uint_eq(ie->raw.len, 1);
		ck_assert_uint_eq(ie->raw.data[0], rows[i].octet);
		stage_clear(&stage);
		if (rows[i].tlr >= 1 && rows[i].tlr <= 99)
			continue;
		shape.on_purpose = false;
		run_case(start_only, SHALL);
		ck_verdict(VERDICT_ERROR);
		ck_reason("cannot be: 1 to 99");
		stage_clear(&stage);
	}
}
END_TEST

START_TEST(test_too_many_items)
{
	/* count 1,025 less one, in two octets behind an item's fixed 22 octets of header */
	static const uint8_t count[] = { 0x04, 0x00 };
	struct findings findings = { .max = 0 };
	const struct ngap_ie *ie;
	struct ngap_pdu pdu;

	shape = (struct nw_overload){ .action = ACTION_1, .filler_items = 1025 };
	run_case(start_only, SHALL);
	ck_verdict(VERDICT_ERROR);
	ck_reason("1025 slice items cannot be");
	stage_clear(&stage);
	shape.on_purpose = true;
	run_case(start_only, SHALL);
	ck_verdict(VERDICT_PASS);
	received_shape(&pdu, &findings);
	ie = ngap_find(&pdu, NGAP_ID_OVERLOAD_START_NSSAI_LIST);
	ck_assert_ptr_nonnull(ie);
	ck_assert_ptr_null(ie->value);
	ck_assert_mem_eq(ie->raw.data, count, 2);
	ck_assert_uint_eq(ie->raw.data[ie->raw.len - 1], 1025 & 0xff);
	ck_assert_uint_eq(ie->raw.data[ie->raw.len - 2], 1025 >> 8);
}
END_TEST

static void reads_report(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_error_report report;
	const struct ngap_received *m;

	nw_iut_connects(t);
	nw_overload_start(nw_node(amf, NODE_GNB), .action = ACTION_EXTENDED, .tlr = 40);
	m = expect_node(t, nw_node(amf, NODE_GNB), .type = NGAP_ERROR_INDICATION);
	if (!received_error_report(m, &report) ||
	    report.procedure_code != NGAP_PROCEDURE_OVERLOAD_START ||
	    report.triggering_message != NGAP_TRIGGERING_MESSAGE_INITIATING_MESSAGE ||
	    report.procedure_criticality != NGAP_CRITICALITY_IGNORE ||
	    report.ie != NGAP_ID_AMF_OVERLOAD_RESPONSE ||
	    report.type_of_error != NGAP_TYPE_OF_ERROR_NOT_UNDERSTOOD ||
	    report.cause_group != NGAP_CAUSE_CHOICE_PROTOCOL ||
	    report.cause != NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_REJECT)
		tc_fail(t, "report of %d %d", report.procedure_code, report.ie);
	/* nobody asked for this one: it ends the next expectation */
	nw_overload_start(nw_node(amf, NODE_GNB), .action = ACTION_EXTENDED);
	expect_node(t, nw_node(amf, NODE_GNB), .type = NGAP_NG_RESET);
}

START_TEST(test_error_report)
{
	run_case(reads_report, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("expected NGReset, received ErrorIndication");
}
END_TEST

/* --- attempts --- */

static struct nw_attempts attempts;

static void attempts_of(struct tc *t)
{
	static const struct slice a[] = { { .sst = 1, .has_sd = true, .sd = 0x010203 } };
	static const struct slice b[] = { { .sst = 2 },
					  { .sst = 1, .has_sd = true, .sd = 0x010203 } };
	struct nw_amf *amfs[2] = { nw_amf_start(t), nw_amf_start(t) };
	struct nw_count *all;

	nw_iut_connects(t);
	all = nw_count_start(t);
	attempts = nw_attempts(t, "cause=mo-Data count=100 rate=50 nssai=1-010203");
	nw_attempts_add(&attempts, nw_attempts(t, "cause=emergency count=10 nssai=1-010203,2"));
	if (fake_ran_plan.sent >= 0)
		return;
	if (nw_counted(all) != 110 || nw_counted(all, .cause = RRC_EMERGENCY) != 10 ||
	    nw_counted(all, .at = amfs[0]) != 55 ||
	    nw_counted(all, .at = amfs[1], .tnl = 1) != 55 ||
	    nw_counted(all, .at = amfs[1], .tnl = 2) != 0 ||
	    nw_counted(all, .node = nw_node(amfs[0], NODE_GNB)) != 55)
		tc_fail(t, "counts");
	if (nw_counted(all, .nssai = a, .nssai_count = 1) != 100 ||
	    nw_counted(all, .nssai = b, .nssai_count = 2) != 10 ||
	    nw_counted(all, .nssai = b, .nssai_count = 1) != 0)
		tc_fail(t, "slices");
	if (nw_counted(attempts.count) != 10 || attempts.foreign != 0)
		tc_fail(t, "the last attempts");
}

START_TEST(test_attempts)
{
	run_case(attempts_of, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(attempts.offered, 110);
	ck_assert_uint_eq(attempts.sent, 110);
	ck_assert(!attempts.has_rejected);
	/* each is released at once, and nothing else is said */
	ck_assert_uint_eq(fake_ran_plan.releases, 110);
	ck_assert_uint_eq(fake_ran_plan.rejects, 0);
}
END_TEST

static void thousand(struct tc *t)
{
	nw_amf_start(t);
	nw_iut_connects(t);
	attempts = nw_attempts(t, "cause=mo-Data count=1000 rate=500");
}

static void thousand_unfiltered(struct tc *t)
{
	nw_amf_start(t);
	nw_iut_connects(t);
	attempts = nw_attempts_all_sent(t, "cause=mo-Data count=1000 rate=500");
}

START_TEST(test_lying_adapter)
{
	static const struct {
		int offered, sent, rejected;
		enum verdict verdict;
		const char *reason;
	} rows[] = {
		{ -1, 10, 0, VERDICT_ERROR, "sent and rejected together are not what was offered" },
		{ -1, 10, 990, VERDICT_PASS, NULL },
		{ -1, 10, -1, VERDICT_PASS, NULL }, /* may be, for all that is known */
		{ -1, 985, 0, VERDICT_PASS, NULL },
		{ 999, -1, -1, VERDICT_ERROR, "does not do what it is asked for" },
		{ 10, 1000, -1, VERDICT_ERROR, "does not do what it is asked for" },
		{ -1, 1100, -1, VERDICT_ERROR, "more came than was offered" },
		{ -1, 1000, 2000, VERDICT_ERROR, "more was rejected than was offered" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fake_ran_plan.offered = rows[i].offered;
		fake_ran_plan.sent = rows[i].sent;
		fake_ran_plan.rejected = rows[i].rejected;
		run_case(thousand, SHALL);
		ck_verdict(rows[i].verdict);
		if (rows[i].reason)
			ck_reason(rows[i].reason);
		stage_clear(&stage);
	}
	fake_ran_plan = (struct fake_ran_plan){ .offered = -1, .sent = 10, .rejected = -1 };
	run_case(thousand_unfiltered, SHALL);
	ck_verdict(VERDICT_ERROR);
	ck_reason("offered 1000, and 10 INITIAL UE MESSAGEs came");
	stage_clear(&stage);
	fake_ran_plan.sent = -1;
	run_case(thousand_unfiltered, SHALL);
	ck_verdict(VERDICT_PASS);
	stage_clear(&stage);
	fake_ran_plan.says_nothing = true;
	run_case(thousand, SHALL);
	ck_verdict(VERDICT_ERROR);
	ck_reason("does not say how many");
}
END_TEST

START_TEST(test_endless_attempts)
{
	fake_ran_plan.goes_on_sending = true;
	run_case(thousand, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("goes on sending");
}
END_TEST

static Suite *nw_suite(void)
{
	Suite *suite = suite_create("network: overload");
	TCase *tcase = tcase_create("overload");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, test_overload_octets);
	tcase_add_test(tcase, test_overload_shapes);
	tcase_add_test(tcase, test_overload_stop);
	tcase_add_test(tcase, test_impossible_reduction);
	tcase_add_test(tcase, test_too_many_items);
	tcase_add_test(tcase, test_error_report);
	tcase_add_test(tcase, test_attempts);
	tcase_add_test(tcase, test_lying_adapter);
	tcase_add_test(tcase, test_endless_attempts);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(nw_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
