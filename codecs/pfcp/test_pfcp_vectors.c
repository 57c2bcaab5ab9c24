/*
 * Whole messages from files: our own vectors with what both passes find, the receiver's reaction
 * and the line, and what other people's laboratories really sent.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/pfcp/pfcp_check.h"
#include "codecs/pfcp/pfcp_print.h"

enum { LINE_SIZE = 300000, FINDINGS_MAX = 64, COLUMNS = 6, REACTIONS = 6 };

static char line[LINE_SIZE];
static char printed[1 << 20];
static uint8_t out[PFCP_MESSAGE_MAX];
static uint8_t room[PFCP_ARENA_MAX];
static struct arena arena;

static FILE *open_in_source(const char *path)
{
	const char *source = getenv("SPILLWAY_SOURCE_DIR");
	char full[4096];

	snprintf(full, sizeof(full), "%s/%s", source ? source : ".", path);
	return fopen(full, "r");
}

/* Hexadecimal digits up to the first other character, into a heap copy of exact size. */
static struct octets pdu_of(const char *hex)
{
	size_t len = strspn(hex, "0123456789abcdef") / 2;
	uint8_t *pdu = malloc(len ? len : 1);

	ck_assert_ptr_nonnull(pdu);
	for (size_t i = 0; i < len; i++) {
		unsigned int octet;

		ck_assert_int_eq(sscanf(hex + 2 * i, "%2x", &octet), 1);
		pdu[i] = (uint8_t)octet;
	}
	return OCTETS(pdu, len);
}

static enum finding_rule decode(struct pfcp_message *msg, struct octets pdu, enum decode_mode mode,
				struct findings *findings)
{
	arena_init(&arena, room, sizeof(room));
	return pfcp_decode(msg, pdu, &arena, mode, findings);
}

/* "rule@octet IE type; ...", or "-". */
static void findings_text(char *buf, size_t size, const struct findings *findings)
{
	struct text text;

	text_init(&text, buf, size);
	if (findings->count == 0)
		text_putc(&text, '-');
	for (size_t i = 0; i < findings->count && i < findings->max; i++) {
		const struct finding *finding = &findings->items[i];

		text_printf(&text, "%s%s@%u", i ? "; " : "", finding_rule_name(finding->rule),
			    finding->bit / 8);
		if (finding->ie >= 0)
			text_printf(&text, " IE %d", finding->ie);
	}
}

/* "reject 66 IE 60", "none". */
static void verdict_text(char *buf, size_t size, struct pfcp_verdict verdict)
{
	struct text text;

	text_init(&text, buf, size);
	text_puts(&text, pfcp_reaction_name(verdict.reaction));
	if (verdict.reaction == PFCP_REACTION_REJECT)
		text_printf(&text, " %u", verdict.cause);
	if (verdict.offending_ie >= 0)
		text_printf(&text, " IE %d", verdict.offending_ie);
}

/* What was decoded encodes to the same octets, but for messages that follow in the datagram. */
static void check_same(const struct pfcp_message *msg, struct octets pdu)
{
	int len = pfcp_encode(msg, out, sizeof(out));

	ck_assert_int_eq(len, (int)(pdu.len - msg->following.len));
	ck_assert_mem_eq(out, pdu.data, (size_t)len);
}

static void check_vector(char *const *columns)
{
	struct finding items[2][FINDINGS_MAX];
	struct findings structure = { items[0], FINDINGS_MAX, 0 };
	struct findings content = { items[1], FINDINGS_MAX, 0 };
	struct octets pdu = pdu_of(columns[1]);
	struct pfcp_verdict verdict;
	struct pfcp_message msg;
	enum finding_rule rule;
	struct text text;
	char seen[2048];

	rule = decode(&msg, pdu, DECODE_LENIENT, &structure);
	findings_text(seen, sizeof(seen), &structure);
	ck_assert_msg(strcmp(seen, columns[2]) == 0, "%s: decoding: %s, not %s", columns[0], seen,
		      columns[2]);
	if (rule == FINDING_NONE) {
		verdict = pfcp_check(&msg, &content);
		check_same(&msg, pdu);
	} else {
		verdict = pfcp_check_refused(rule);
	}
	findings_text(seen, sizeof(seen), &content);
	ck_assert_msg(strcmp(seen, columns[3]) == 0, "%s: check: %s, not %s", columns[0], seen,
		      columns[3]);
	verdict_text(seen, sizeof(seen), verdict);
	ck_assert_msg(strcmp(seen, columns[4]) == 0, "%s: %s, not %s", columns[0], seen,
		      columns[4]);
	text_init(&text, printed, sizeof(printed));
	pfcp_print_pdu_line(&text, pdu, &arena);
	ck_assert_msg(strcmp(printed, columns[5]) == 0, "%s: %s", columns[0], printed);
	ck_assert_int_eq(decode(&msg, pdu, DECODE_STRICT, NULL),
			 structure.count ? items[0][0].rule : FINDING_NONE);
	free((void *)(uintptr_t)pdu.data);
}

START_TEST(our_vectors)
{
	FILE *file = open_in_source("fixtures/vectors/pfcp.txt");
	size_t count = 0;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		char *columns[COLUMNS];
		char *rest = line;

		if (line[0] == '#')
			continue;
		line[strcspn(line, "\n")] = '\0';
		for (size_t i = 0; i < COLUMNS; i++)
			columns[i] = strsep(&rest, "\t");
		ck_assert_ptr_nonnull(columns[COLUMNS - 1]);
		check_vector(columns);
		count++;
	}
	fclose(file);
	ck_assert_uint_gt(count, 80);
}
END_TEST

static FILE *open_captures(void)
{
	const char *shared = getenv("SPILLWAY_SHARED");
	char full[4096];

	if (!shared)
		return open_in_source("../shared/cases/captures/pfcp.txt");
	snprintf(full, sizeof(full), "%s/cases/captures/pfcp.txt", shared);
	return fopen(full, "r");
}

/* Two of the sources are recordings of a fuzzer at work; its messages hold random IEs. */
static bool is_fuzzed(const char *source)
{
	return strstr(source, "dongnt1612/pcap:pfcp.pcap") || strstr(source, "pcap/pfcp.pcapng");
}

/*
 * What is wrong with messages of real elements, and why each is right to be found:
 *  - the control plane of an EPC on Sxa, where Precedence is not applicable, while it is mandatory
 *    on N4, whose tables these are;
 *  - F-TEIDs with CHOOSE that ask for neither an IPv4 nor an IPv6 address (8.2.3: one of them);
 *  - responses without Node ID.
 */
static bool is_known_deviation(const struct finding *finding)
{
	if (finding->rule == FINDING_MISSING)
		return finding->ie == PFCP_IE_PRECEDENCE || finding->ie == PFCP_IE_NODE_ID;
	return finding->rule == FINDING_SYNTAX && finding->ie == PFCP_IE_F_TEID;
}

START_TEST(captured_messages)
{
	/* by fuzzed or not, and reaction */
	static const size_t expected[2][REACTIONS] = {
		{ [PFCP_REACTION_NONE] = 976,
		  [PFCP_REACTION_IGNORE_IE] = 31,
		  [PFCP_REACTION_NOTIFY] = 3,
		  [PFCP_REACTION_REJECT] = 22 },
		{ [PFCP_REACTION_NONE] = 1,
		  [PFCP_REACTION_IGNORE_IE] = 90,
		  [PFCP_REACTION_NOTIFY] = 165,
		  [PFCP_REACTION_REJECT] = 136,
		  [PFCP_REACTION_DISCARD] = 33 },
	};
	size_t seen[2][REACTIONS] = { 0 };
	FILE *file = open_captures();

	if (!file) {
		puts("test_pfcp_vectors: no captures (SPILLWAY_SHARED or ../shared): not tested");
		return;
	}
	while (fgets(line, sizeof(line), file)) {
		struct finding items[FINDINGS_MAX];
		struct findings findings = { items, FINDINGS_MAX, 0 };
		struct octets pdu = pdu_of(line);
		bool fuzzed = is_fuzzed(line);
		struct pfcp_message msg;
		struct text text;

		/* the fuzzer too keeps to the structure: nothing to be refused */
		ck_assert_int_eq(decode(&msg, pdu, DECODE_STRICT, NULL), FINDING_NONE);
		check_same(&msg, pdu);
		seen[fuzzed][pfcp_check(&msg, &findings).reaction]++;
		for (size_t i = 0; !fuzzed && i < findings.count; i++)
			ck_assert_msg(is_known_deviation(&items[i]), "%.200s", line);
		for (int form = PFCP_PRINT_TREE; form <= PFCP_PRINT_FLAT; form++) {
			text_init(&text, printed, sizeof(printed));
			pfcp_print(&text, &msg, (enum pfcp_print_form)form);
			ck_assert(text.len > 0 && !text.truncated);
		}
		free((void *)(uintptr_t)pdu.data);
	}
	fclose(file);
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < REACTIONS; k++)
			ck_assert_msg(seen[i][k] == expected[i][k], "%s, %s: %zu, not %zu",
				      i ? "fuzzed" : "real",
				      pfcp_reaction_name((enum pfcp_reaction)k), seen[i][k],
				      expected[i][k]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pfcp vectors");
	TCase *tcase = tcase_create("vectors");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, our_vectors);
	tcase_add_test(tcase, captured_messages);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
