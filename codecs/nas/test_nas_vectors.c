/*
 * Whole messages from files: our own vectors with the findings and the text that belong to them,
 * and what other people's networks really sent.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/nas.h"

enum { LINE_MAX_OCTETS = 300000, PDU_MAX = 70000, FINDINGS_MAX = 32 };

static char line[LINE_MAX_OCTETS];
static char printed[LINE_MAX_OCTETS];
static uint8_t out[PDU_MAX];
static uint8_t room[NAS_ARENA_SIZE];
static struct arena arena;

static FILE *open_in_source(const char *path)
{
	const char *source = getenv("SPILLWAY_SOURCE_DIR");
	char full[4096];

	snprintf(full, sizeof(full), "%s/%s", source ? source : ".", path);
	return fopen(full, "r");
}

/* Hexadecimal digits up to the first other character, into a heap copy of exact size. */
static uint8_t *pdu_of(const char *hex, size_t *len)
{
	size_t digits = strspn(hex, "0123456789abcdef");
	uint8_t *pdu = malloc(digits / 2 ? digits / 2 : 1);

	ck_assert_ptr_nonnull(pdu);
	ck_assert_uint_eq(digits % 2, 0);
	*len = digits / 2;
	for (size_t i = 0; i < *len; i++) {
		unsigned int octet;

		ck_assert_int_eq(sscanf(hex + 2 * i, "%2x", &octet), 1);
		pdu[i] = (uint8_t)octet;
	}
	return pdu;
}

/* "rule@bit; rule@bit", or "-". */
static void findings_text(struct text *text, const struct findings *findings)
{
	if (findings->count == 0)
		text_putc(text, '-');
	for (size_t i = 0; i < findings->count && i < findings->max; i++)
		text_printf(text, "%s%s@%u", i ? "; " : "",
			    finding_rule_name(findings->items[i].rule), findings->items[i].bit);
}

static enum finding_rule decode(struct nas_msg *msg, struct octets pdu, enum decode_mode mode,
				struct findings *findings)
{
	arena_init(&arena, room, sizeof(room));
	return nas_decode(msg, pdu, &arena, mode, findings);
}

START_TEST(our_vectors)
{
	FILE *file = open_in_source("fixtures/vectors/nas.txt");
	size_t count = 0;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		struct finding items[FINDINGS_MAX];
		struct findings findings = { items, FINDINGS_MAX, 0 };
		char *fields[4];
		char *rest = line;
		struct nas_msg msg;
		struct text text;
		char seen[512];
		uint8_t *pdu;
		size_t len;

		if (line[0] == '#')
			continue;
		line[strcspn(line, "\n")] = '\0';
		for (size_t i = 0; i < 4; i++)
			fields[i] = strsep(&rest, "\t");
		ck_assert_ptr_nonnull(fields[3]);
		pdu = pdu_of(fields[1], &len);
		ck_assert_int_eq(decode(&msg, OCTETS(pdu, len), DECODE_LENIENT, &findings),
				 FINDING_NONE);
		text_init(&text, seen, sizeof(seen));
		findings_text(&text, &findings);
		ck_assert_msg(strcmp(seen, fields[2]) == 0, "%s: %s, not %s", fields[0], seen,
			      fields[2]);
		text_init(&text, printed, sizeof(printed));
		nas_print_line(&text, &msg);
		ck_assert_msg(strcmp(printed, fields[3]) == 0, "%s: %s", fields[0], printed);
		ck_assert_int_eq(nas_encode(&msg, out, sizeof(out)), (int)len);
		ck_assert_mem_eq(out, pdu, len);
		ck_assert_int_eq(decode(&msg, OCTETS(pdu, len), DECODE_STRICT, NULL),
				 findings.count ? items[0].rule : FINDING_NONE);
		free(pdu);
		count++;
	}
	fclose(file);
	ck_assert_uint_gt(count, 80);
}
END_TEST

/* Captured messages that break the standard, by line in the file, and why each finding is right. */
static const struct {
	size_t line;
	const char *findings;
	const char *reason;
} spoiled[] = {
	{ 17, "reserved coding@48", "IMEISV ends in filler 0 where 1111 belongs" },
	{ 421, "value out of range@48", "routing indicator 0fff: its first digit is a filler" },
	{ 430, "reserved coding@48", "IMEISV ends in filler 0 where 1111 belongs" },
	{ 507, "reserved coding@40", "network name with bit 8 of its first octet 0" },
	{ 566, "reserved coding@40", "network name with bit 8 of its first octet 0" },
	{ 630, "reserved coding@40", "network name with bit 8 of its first octet 0" },
	{ 678, "reserved coding@40", "network name with bit 8 of its first octet 0" },
	{ 704,
	  "reserved coding@81; reserved coding@240; length not allowed@384; "
	  "length not allowed@520",
	  "SSC mode 0, 5GSM cause 0, EAP message of length 0, DNN without label length" },
	{ 705,
	  "reserved coding@33; reserved coding@192; length not allowed@336; "
	  "length not allowed@472",
	  "the message inside the one before" },
	{ 724, "reserved coding@48", "IMEISV ends in filler 0 where 1111 belongs" },
};

static FILE *open_captures(void)
{
	const char *shared = getenv("SPILLWAY_SHARED");
	char full[4096];

	if (!shared)
		return open_in_source("../shared/cases/captures/nas.txt");
	snprintf(full, sizeof(full), "%s/cases/captures/nas.txt", shared);
	return fopen(full, "r");
}

START_TEST(captured_messages)
{
	FILE *file = open_captures();
	size_t count = 0;
	size_t next = 0;

	if (!file) {
		puts("test_nas_vectors: no captures (SPILLWAY_SHARED or ../shared): not tested");
		return;
	}
	while (fgets(line, sizeof(line), file)) {
		struct finding items[FINDINGS_MAX];
		struct findings findings = { items, FINDINGS_MAX, 0 };
		const char *expected = "-";
		struct nas_msg msg;
		struct text text;
		char seen[512];
		uint8_t *pdu;
		size_t len;

		count++;
		if (next < sizeof(spoiled) / sizeof(spoiled[0]) && spoiled[next].line == count)
			expected = spoiled[next++].findings;
		pdu = pdu_of(line, &len);
		ck_assert_uint_gt(len, 2);
		ck_assert_int_eq(decode(&msg, OCTETS(pdu, len), DECODE_LENIENT, &findings),
				 FINDING_NONE);
		text_init(&text, seen, sizeof(seen));
		findings_text(&text, &findings);
		ck_assert_msg(strcmp(seen, expected) == 0, "line %zu: %s, not %s", count, seen,
			      expected);
		for (int form = NAS_PRINT_TREE; form <= NAS_PRINT_FLAT; form++) {
			text_init(&text, printed, sizeof(printed));
			nas_print(&text, &msg, (enum nas_print_form)form);
			ck_assert(text.len > 0 && !text.truncated);
		}
		ck_assert_ptr_null(strstr(printed, "Unknown IE"));
		ck_assert_int_eq(nas_encode(&msg, out, sizeof(out)), (int)len);
		ck_assert_mem_eq(out, pdu, len);
		free(pdu);
	}
	fclose(file);
	printf("test_nas_vectors: %zu captured messages, %zu of them spoiled\n", count, next);
	ck_assert_uint_ge(count, 804);
	ck_assert_uint_eq(next, sizeof(spoiled) / sizeof(spoiled[0]));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nas_vectors");
	TCase *tc = tcase_create("vectors");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, our_vectors);
	tcase_add_test(tc, captured_messages);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
