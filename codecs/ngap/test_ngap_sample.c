/* Every typed IE of every message and every typed extension, made from the tables, goes through. */
#include <check.h>

#include "codecs/ngap/ngap_check.h"
#include "codecs/ngap/ngap_print.h"
#include "codecs/ngap/ngap_sample.h"
#include "codecs/ngap/ngap_tables.h"
#include "codecs/ngap/test_ngap.h"

static uint8_t memory[1024 * 1024];
static uint8_t out[256 * 1024];
static char text_buf[2][1024 * 1024];

static ssize_t encode_sample(enum ngap_message message, enum ngap_sample kind, int only)
{
	struct ngap_pdu pdu;
	struct arena arena;

	arena_init(&arena, memory, sizeof(memory));
	ngap_sample(&pdu, message, kind, only, &arena);
	return ngap_encode(&pdu, out, sizeof(out));
}

/* What was put in comes out: octets, text, and nothing to find for clause 10 but what is missing.
 */
static void assert_goes_through(enum ngap_message message, enum ngap_sample kind, int only)
{
	ssize_t n = encode_sample(message, kind, only);
	struct ngap_pdu sent;
	struct arena arena;
	struct text text;
	struct test *t;

	ck_assert_msg(n > 0, "%s %d %d: %zd", ngap_message_name(message), kind, only, n);
	ck_assert_msg(decode_octets(&t, out, (size_t)n, DECODE_STRICT) == 0, "%s %d %d: %s %s",
		      ngap_message_name(message), kind, only, finding_rule_name(t->items[0].rule),
		      t->items[0].field);
	ck_assert(encodes_to_input(t));
	arena_init(&arena, memory, sizeof(memory));
	ngap_sample(&sent, message, kind, only, &arena);
	text_init(&text, text_buf[0], sizeof(text_buf[0]));
	ngap_print_flat(&sent, &text);
	ck_assert(!text.truncated);
	text_init(&text, text_buf[1], sizeof(text_buf[1]));
	ngap_print_flat(&t->pdu, &text);
	ck_assert_str_eq(text_buf[0], text_buf[1]);
	t->findings.count = 0;
	ngap_check(&t->pdu, &t->findings);
	for (size_t i = 0; i < t->findings.count && i < t->findings.max; i++)
		ck_assert_msg(t->items[i].rule == FINDING_MISSING, "%s: %s %s",
			      ngap_message_name(message), t->items[i].field,
			      finding_rule_name(t->items[i].rule));
}

START_TEST(every_ie_alone)
{
	size_t seen = 0;

	for (int m = NGAP_MESSAGE_UNKNOWN + 1; m < NGAP_MESSAGE_COUNT; m++) {
		const struct ngap_message_info *info = ngap_message_info((enum ngap_message)m);

		for (size_t i = 0; i < info->count; i++) {
			if (info->rows[i].type == NGAP_TYPE_RAW)
				continue;
			for (int kind = 0; kind < NGAP_SAMPLE_COUNT; kind++)
				assert_goes_through((enum ngap_message)m, (enum ngap_sample)kind,
						    (int)i);
			seen++;
		}
	}
	ck_assert_uint_gt(seen, 300);
}
END_TEST

START_TEST(every_ie_together)
{
	for (int m = NGAP_MESSAGE_UNKNOWN + 1; m < NGAP_MESSAGE_COUNT; m++)
		for (int kind = 0; kind < NGAP_SAMPLE_COUNT; kind++)
			if (m != NGAP_PRIVATE_MESSAGE)
				assert_goes_through((enum ngap_message)m, (enum ngap_sample)kind,
						    -1);
}
END_TEST

/* The bound that counts are checked against is never above what an encoding takes. */
START_TEST(least_lengths)
{
	for (int m = NGAP_MESSAGE_UNKNOWN + 1; m < NGAP_MESSAGE_COUNT; m++) {
		struct ngap_pdu pdu;
		struct arena arena;

		arena_init(&arena, memory, sizeof(memory));
		ngap_sample(&pdu, (enum ngap_message)m, NGAP_SAMPLE_LEAST, -1, &arena);
		for (size_t i = 0; i < pdu.count; i++) {
			const struct ngap_ie *ie = &pdu.ies[i];
			ssize_t n = ngap_encode_value(ie->type, ie->value, out, sizeof(out));

			ck_assert_int_gt(n, 0);
			ck_assert_msg(ngap_nodes[ie->type].min_bits <= 8 * (size_t)n, "%s",
				      ngap_nodes[ie->type].name);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ngap_sample");
	TCase *tc = tcase_create("sample");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, every_ie_alone);
	tcase_add_test(tc, every_ie_together);
	tcase_add_test(tc, least_lengths);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
