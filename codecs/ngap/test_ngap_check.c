/* Tests of clause 10: each case is a message, the reaction asked for, and what is reported. */
#include <check.h>

#include "codecs/ngap/ngap_check.h"
#include "codecs/ngap/test_ngap.h"

struct expected {
	const char *hex;
	enum ngap_reaction reaction;
	enum ngap_cause_protocol cause;
	bool error_indication;
	bool failure_message;
	bool in_response;
	enum finding_rule rule; /* of the last finding, FINDING_NONE: no finding */
	int32_t ie;
};

#define CAUSE(name) NGAP_CAUSE_PROTOCOL_##name

static const struct expected cases[] = {
	/* Nothing wrong; OVERLOAD START and STOP without IEs are legal. */
	{ "001640080000010002000100", NGAP_REACTION_NONE, CAUSE(UNSPECIFIED), 0, 0, 0, FINDING_NONE,
	  -1 },
	{ "00164003000000", NGAP_REACTION_NONE, CAUSE(UNSPECIFIED), 0, 0, 0, FINDING_NONE, -1 },
	{ "00170003000000", NGAP_REACTION_NONE, CAUSE(UNSPECIFIED), 0, 0, 0, FINDING_NONE, -1 },
	/* 10.3.4.2: unknown IE, ignore, notify and reject, in a procedure without a response. */
	{ "00164010000002000200011"
	  "0fde8400401020304",
	  NGAP_REACTION_IGNORE_IE, CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 0, 0, 0, FINDING_UNKNOWN_IE,
	  65000 },
	{ "001640100000020002000110fde8800401020304", NGAP_REACTION_NOTIFY_IE,
	  CAUSE(ABSTRACT_SYNTAX_ERROR_IGNORE_AND_NOTIFY), 1, 0, 0, FINDING_UNKNOWN_IE, 65000 },
	{ "001640100000020002000110fde8000401020304", NGAP_REACTION_REJECT,
	  CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 1, 0, 0, FINDING_UNKNOWN_IE, 65000 },
	/* N2-R-21: an action of a later release, criticality reject. */
	{ "00164009000001000200024000", NGAP_REACTION_REJECT, CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT),
	  1, 0, 0, FINDING_NOT_COMPREHENDED, NGAP_ID_AMF_OVERLOAD_RESPONSE },
	/* OverloadResponse as choice-Extensions of an id that nobody knows. */
	{ "0016400d00000100020006"
	  "80fde8000100",
	  NGAP_REACTION_REJECT, CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 1, 0, 0,
	  FINDING_NOT_COMPREHENDED, NGAP_ID_AMF_OVERLOAD_RESPONSE },
	/* N2-R-25: a load reduction of 100 has criticality ignore. */
	{ "0016400d000002000200011000094001c6", NGAP_REACTION_IGNORE_IE,
	  CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 0, 0, 0, FINDING_RANGE,
	  NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION },
	/* N2-R-23, 10.3.6: wrong order, and an IE twice. */
	{ "0016400d000002000940016200020001"
	  "10",
	  NGAP_REACTION_REJECT, CAUSE(ABSTRACT_SYNTAX_ERROR_FALSELY_CONSTRUCTED_MESSAGE), 1, 0, 0,
	  FINDING_ORDER, NGAP_ID_AMF_OVERLOAD_RESPONSE },
	{ "0016400d0000020002000110000200011"
	  "0",
	  NGAP_REACTION_REJECT, CAUSE(ABSTRACT_SYNTAX_ERROR_FALSELY_CONSTRUCTED_MESSAGE), 1, 0, 0,
	  FINDING_DUPLICATE, NGAP_ID_AMF_OVERLOAD_RESPONSE },
	/* A known IE with another criticality: seen, but nothing follows from it. */
	{ "001640080000010002800110", NGAP_REACTION_NONE, CAUSE(UNSPECIFIED), 0, 0, 0,
	  FINDING_CRITICALITY, NGAP_ID_AMF_OVERLOAD_RESPONSE },
	/* 10.3.5: NG SETUP REQUEST without its mandatory IEs has a failure message; only Cause. */
	{ "00150003000000", NGAP_REACTION_REJECT, CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 0, 1, 0,
	  FINDING_MISSING, NGAP_ID_DEFAULT_PAGING_DRX },
	/* INITIAL CONTEXT SETUP REQUEST with nothing: its failure message needs the UE's ids. */
	{ "000e0003000000", NGAP_REACTION_REJECT, CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 1, 0, 0,
	  FINDING_MISSING, NGAP_ID_SECURITY_KEY },
	{ "000e000f000002000a00020001005500020002", NGAP_REACTION_REJECT,
	  CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 0, 1, 0, FINDING_MISSING, NGAP_ID_SECURITY_KEY },
	/* A response message that lacks an IE of criticality ignore, and one of reject. */
	{ "201c000900000100554002"
	  "0001",
	  NGAP_REACTION_IGNORE_IE, CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 0, 0, 0, FINDING_MISSING,
	  NGAP_ID_PDU_SESSION_RESOURCE_RELEASED_LIST_REL_RES },
	{ "20150003000000", NGAP_REACTION_TERMINATE, CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 0, 0, 0,
	  FINDING_MISSING, NGAP_ID_PLMN_SUPPORT_LIST },
	/* An unknown IE to notify in a class 1 request is told in its response. */
	{ "0023000b000001fde8800401020304", NGAP_REACTION_NOTIFY_IE,
	  CAUSE(ABSTRACT_SYNTAX_ERROR_IGNORE_AND_NOTIFY), 0, 0, 1, FINDING_UNKNOWN_IE, 65000 },
	/* 10.3.4.1: unknown procedure by its criticality. */
	{ "00fe0003000000", NGAP_REACTION_REJECT, CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 1, 0, 0,
	  FINDING_UNKNOWN_MESSAGE, -1 },
	{ "00fe4003000000", NGAP_REACTION_IGNORE, CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 0, 0, 0,
	  FINDING_UNKNOWN_MESSAGE, -1 },
	{ "00fe8003000000", NGAP_REACTION_NOTIFY, CAUSE(ABSTRACT_SYNTAX_ERROR_IGNORE_AND_NOTIFY), 1,
	  0, 0, FINDING_UNKNOWN_MESSAGE, -1 },
	/* 10.5: no ERROR INDICATION answers an ERROR INDICATION. */
	{ "0009400b000001fde8000401020304", NGAP_REACTION_TERMINATE,
	  CAUSE(ABSTRACT_SYNTAX_ERROR_REJECT), 0, 0, 0, FINDING_UNKNOWN_IE, 65000 },
	{ "0009400b000001fde8800401020304", NGAP_REACTION_TERMINATE,
	  CAUSE(ABSTRACT_SYNTAX_ERROR_IGNORE_AND_NOTIFY), 0, 0, 0, FINDING_UNKNOWN_IE, 65000 },
};

START_TEST(reaction)
{
	const struct expected *want = &cases[_i];
	struct ngap_verdict got;
	const struct finding *last;
	struct test *t;

	ck_assert_int_eq(decode_hex(&t, want->hex, DECODE_LENIENT), 0);
	t->findings.count = 0;
	got = ngap_check(&t->pdu, &t->findings);
	ck_assert_msg(got.reaction == want->reaction, "%d: %d", _i, got.reaction);
	ck_assert_msg(got.cause == want->cause || want->reaction == NGAP_REACTION_IGNORE_IE ||
			      want->reaction == NGAP_REACTION_IGNORE,
		      "%d: %d", _i, got.cause);
	ck_assert_msg(got.error_indication == want->error_indication, "%d", _i);
	ck_assert_msg(got.failure_message == want->failure_message, "%d", _i);
	ck_assert_msg(got.in_response == want->in_response, "%d", _i);
	if (want->rule == FINDING_NONE) {
		ck_assert_uint_eq(t->findings.count, 0);
		return;
	}
	ck_assert_uint_ge(t->findings.count, 1);
	last = &t->items[t->findings.count - 1];
	ck_assert_msg(last->rule == want->rule && last->ie == want->ie, "%d: %s %d", _i,
		      finding_rule_name(last->rule), last->ie);
}
END_TEST

/* The ERROR INDICATION of N2-R-21, octet for octet. */
START_TEST(diagnostics_of_an_error_indication)
{
	const struct ngap_criticality_diagnostics *diagnostics;
	const struct ngap_cause cause = {
		.choice = NGAP_CAUSE_CHOICE_PROTOCOL,
		.protocol = NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_REJECT,
	};
	static const char want[] = "00094014000002000f400162001340087816100000000200";
	uint8_t wanted[64];
	uint8_t out[64];
	struct ngap_pdu pdu;
	struct test *t;

	ck_assert_int_eq(decode_hex(&t, "00164009000001000200024000", DECODE_LENIENT), 0);
	t->findings.count = 0;
	ngap_check(&t->pdu, &t->findings);
	diagnostics = ngap_diagnostics(&t->pdu, &t->findings, true, &t->arena);
	ck_assert_ptr_nonnull(diagnostics);
	ngap_pdu_init(&pdu, NGAP_ERROR_INDICATION, &t->arena);
	ngap_add(&pdu, NGAP_ID_CAUSE, &cause);
	ngap_add(&pdu, NGAP_ID_CRITICALITY_DIAGNOSTICS, diagnostics);
	ck_assert_int_eq(ngap_encode(&pdu, out, sizeof(out)),
			 (ssize_t)unhex(want, wanted, sizeof(wanted)));
	ck_assert_int_eq(memcmp(out, wanted, strlen(want) / 2), 0);
}
END_TEST

/* Missing and not understood IEs; those of criticality ignore are not reported. */
START_TEST(diagnostics_of_a_failure)
{
	const struct ngap_criticality_diagnostics *diagnostics;
	const struct ngap_criticality_diagnostics_ie_list *list;
	struct arena none;
	struct test *t;

	ck_assert_int_eq(decode_hex(&t,
				    "0015000d000002fde8000100fde94001"
				    "00",
				    DECODE_LENIENT),
			 0);
	t->findings.count = 0;
	ngap_check(&t->pdu, &t->findings);
	diagnostics = ngap_diagnostics(&t->pdu, &t->findings, false, &t->arena);
	ck_assert_ptr_nonnull(diagnostics);
	ck_assert_ptr_null(diagnostics->procedure_code);
	list = diagnostics->ies_criticality_diagnostics;
	ck_assert_uint_eq(list->count, 3);
	ck_assert_int_eq(list->items[0].ie_id, 65000);
	ck_assert_int_eq(list->items[0].type_of_error, NGAP_TYPE_OF_ERROR_NOT_UNDERSTOOD);
	ck_assert_int_eq(list->items[1].ie_id, NGAP_ID_GLOBAL_RAN_NODE_ID);
	ck_assert_int_eq(list->items[1].type_of_error, NGAP_TYPE_OF_ERROR_MISSING);
	ck_assert_int_eq(list->items[1].ie_criticality, NGAP_CRITICALITY_REJECT);
	ck_assert_int_eq(list->items[2].ie_id, NGAP_ID_SUPPORTED_TA_LIST);
	arena_init(&none, NULL, 0);
	ck_assert_ptr_null(ngap_diagnostics(&t->pdu, &t->findings, true, &none));
}
END_TEST

/* A message with 300 unknown IEs to reject: no more than 256 are reported. */
START_TEST(diagnostics_bounded)
{
	static struct finding items[400];
	struct findings findings = { items, COUNT(items), 0 };
	const struct ngap_criticality_diagnostics *diagnostics;
	struct ngap_pdu pdu;
	struct arena arena;
	static uint8_t memory[64 * 1024];

	for (unsigned int n = 255; n <= 300; n += n < 258 ? 1 : 42) {
		findings.count = 0;
		arena_init(&arena, memory, sizeof(memory));
		ngap_pdu_init(&pdu, NGAP_OVERLOAD_STOP, &arena);
		for (unsigned int i = 0; i < n; i++)
			ngap_add_raw(&pdu, (uint16_t)(60000 + i), NGAP_CRITICALITY_REJECT,
				     OCTETS((const uint8_t *)"x", 1));
		ngap_check(&pdu, &findings);
		ck_assert_uint_eq(findings.count, n);
		diagnostics = ngap_diagnostics(&pdu, &findings, true, &arena);
		ck_assert_uint_eq(diagnostics->ies_criticality_diagnostics->count,
				  n < 256 ? n : 256);
	}
}
END_TEST

/* An extension answers for itself, with its own id and criticality. */
START_TEST(unknown_extension)
{
	struct ngap_verdict verdict;
	struct test *t;

	/* S-NSSAI of an OVERLOAD START slice item with extension 65000, reject. */
	ck_assert_int_eq(decode_hex(&t,
				    "001640180000010031401100000000000808"
				    "0000fde8000401020304",
				    DECODE_LENIENT),
			 0);
	t->findings.count = 0;
	verdict = ngap_check(&t->pdu, &t->findings);
	ck_assert_int_eq(verdict.reaction, NGAP_REACTION_REJECT);
	ck_assert_uint_eq(t->findings.count, 1);
	ck_assert_int_eq(t->items[0].rule, FINDING_UNKNOWN_IE);
	ck_assert_int_eq(t->items[0].ie, 65000);
}
END_TEST

/* 10.2, and 10.5 for what claims to be an ERROR INDICATION. */
START_TEST(undecodable)
{
	static const uint8_t broken[] = { 0x00, 0x15, 0x00, 0x40 };
	static const uint8_t error[] = { 0x00, 0x09, 0x40, 0x40 };
	struct ngap_verdict verdict = ngap_check_undecodable(OCTETS(broken, sizeof(broken)));

	ck_assert(verdict.error_indication);
	ck_assert_int_eq(verdict.cause, NGAP_CAUSE_PROTOCOL_TRANSFER_SYNTAX_ERROR);
	verdict = ngap_check_undecodable(OCTETS(error, sizeof(error)));
	ck_assert(!verdict.error_indication);
	verdict = ngap_check_undecodable(OCTETS(NULL, 0));
	ck_assert(verdict.error_indication);
}
END_TEST

/* The aggregate bit rate is wanted where PDU sessions are set up, and only there. */
START_TEST(conditional_presence)
{
	struct test *t;
	bool missing = false;

	ck_assert_int_eq(decode_hex(&t,
				    "000e0012000001004700"
				    "0b"
				    "00000100008000010000"
				    "00",
				    DECODE_LENIENT),
			 0);
	t->findings.count = 0;
	ngap_check(&t->pdu, &t->findings);
	for (size_t i = 0; i < t->findings.count; i++)
		missing |= t->items[i].rule == FINDING_MISSING &&
			   t->items[i].ie == NGAP_ID_UE_AGGREGATE_MAXIMUM_BIT_RATE;
	ck_assert(missing);
	ck_assert_int_eq(decode_hex(&t, "000e0003000000", DECODE_LENIENT), 0);
	t->findings.count = 0;
	ngap_check(&t->pdu, &t->findings);
	for (size_t i = 0; i < t->findings.count; i++)
		ck_assert_int_ne(t->items[i].ie, NGAP_ID_UE_AGGREGATE_MAXIMUM_BIT_RATE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ngap_check");
	TCase *tc = tcase_create("check");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tc, reaction, 0, COUNT(cases));
	tcase_add_test(tc, diagnostics_of_an_error_indication);
	tcase_add_test(tc, diagnostics_of_a_failure);
	tcase_add_test(tc, diagnostics_bounded);
	tcase_add_test(tc, unknown_extension);
	tcase_add_test(tc, undecodable);
	tcase_add_test(tc, conditional_presence);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
