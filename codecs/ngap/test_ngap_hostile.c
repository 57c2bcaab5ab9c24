/*
 * Inputs that broke other people's software, inputs that hold almost nothing right, and captures
 * of other people's software. Buffers are heap blocks of exactly the input's size, so that a
 * sanitizer sees a read of one octet too much.
 */
#include <check.h>

#include "codecs/ngap/ngap_check.h"
#include "codecs/ngap/ngap_print.h"
#include "codecs/ngap/test_ngap.h"

static char text_buf[256 * 1024];

/* AMF-UE-NGAP-ID one above its range: the IE stays raw, and nobody can take it for a value. */
START_TEST(amf_ue_ngap_id_out_of_range)
{
	static const char *const hex[] = {
		"002e004900000400558005c0ffffffff000a8007a00100000000000026400100007900295affffff"
		"fffffffff0000000004001ff40ffffffffffff000000004001ffffffffff000000004001ff",
		"000b0017000002000a8007a001000000000000554005c0ffffffff",
	};

	for (size_t i = 0; i < COUNT(hex); i++) {
		const struct ngap_ie *ie;
		struct test *t;
		int64_t id;
		bool found = false;

		ck_assert_int_eq(decode_hex(&t, hex[i], DECODE_LENIENT), 0);
		ie = ngap_find(&t->pdu, NGAP_ID_AMF_UE_NGAP_ID);
		ck_assert_ptr_nonnull(ie);
		ck_assert_ptr_null(ie->value);
		ck_assert_uint_eq(ie->raw.len, 7);
		ck_assert(!ngap_get_int(&t->pdu, NGAP_ID_AMF_UE_NGAP_ID, &id));
		for (size_t j = 0; j < t->findings.count; j++)
			found |= t->items[j].rule == FINDING_RANGE &&
				 t->items[j].ie == NGAP_ID_AMF_UE_NGAP_ID;
		ck_assert(found);
		ck_assert(ngap_get_int(&t->pdu, NGAP_ID_RAN_UE_NGAP_ID, &id));
		ck_assert_int_eq(id, 4294967295);
		ck_assert(encodes_to_input(t));
		ck_assert_int_eq(decode_hex(&t, hex[i], DECODE_STRICT), -EBADMSG);
	}
}
END_TEST

static const struct {
	const char *hex;
	enum finding_rule rule;
	unsigned int octet; /* that the finding lies in */
} refused[] = {
	/* NGSetupRequest: a length inside GlobalRANNodeID runs past its IE. */
	{ "0015003c000004001b0408c002fc3910000102005240090300667265653567630066001700000000010002f8"
	  "39"
	  "00020008804001020310081122330015400100",
	  FINDING_TRUNCATED, 16 },
	/* InitialUEMessage, NGSetupResponse: an empty message, then what looks like IEs. */
	{ "000f000030000004005500020001002601067e00", FINDING_EMPTY_OPEN_TYPE, 4 },
	{ "2015000014000003000a0002ffff005500020001", FINDING_EMPTY_OPEN_TYPE, 4 },
	/* Hello! */
	{ "48656c6c6f21", FINDING_TRUNCATED, 4 },
	/* Extension bit, fourth alternative, criticality 3 of message and IE, nothing. */
	{ "80164003000000", FINDING_NOT_COMPREHENDED, 0 },
	{ "60164003000000", FINDING_SYNTAX, 0 },
	{ "0016c003000000", FINDING_SYNTAX, 2 },
	{ "001640080000010002c00110", FINDING_SYNTAX, 9 },
	{ "", FINDING_TRUNCATED, 0 },
	/* More IEs than octets. */
	{ "0016400300ffff", FINDING_TRUNCATED, 7 },
	{ "0016400700000200024001", FINDING_TRUNCATED, 7 },
	/* A fragment of 16K that is not there; a length octet that is none. */
	{ "001640c1000000", FINDING_TRUNCATED, 4 },
	{ "001640c0000000", FINDING_SYNTAX, 3 },
};

START_TEST(refuses)
{
	const struct finding *last;
	struct test *t;

	ck_assert_int_eq(decode_hex(&t, refused[_i].hex, DECODE_LENIENT), -EBADMSG);
	ck_assert_uint_ge(t->findings.count, 1);
	last = &t->items[t->findings.count - 1];
	ck_assert_msg(last->rule == refused[_i].rule && last->bit / 8 == refused[_i].octet,
		      "%zu: %s at %u", (size_t)_i, finding_rule_name(last->rule), last->bit);
	ck_assert_str_ne(last->field, "");
	/* A count that cannot be true has taken no memory. */
	if (refused[_i].rule == FINDING_TRUNCATED && refused[_i].octet == 7)
		ck_assert_uint_eq(t->arena.used, 0);
	ck_assert_int_eq(decode_hex(&t, refused[_i].hex, DECODE_STRICT), -EBADMSG);
}
END_TEST

/* NAS is not this layer's business. */
START_TEST(accepts_broken_nas)
{
	static const char *const hex[] = {
		"000f40480000050055000200010026001a197e004179000d0100f1100000000000000000000004f0f0"
		"f02e"
		"007900135000f1100000007f0000f110000001ea1c095d005a4001180070400100",
		"000f40480000050055000200010026001a197e00417900060102f8390000000000000000012e04f0f0"
		"f0f0"
		"007900135002f839000000001002f839000001ed55488f005a4001180070400100",
	};

	for (size_t i = 0; i < COUNT(hex); i++) {
		struct octets nas;
		struct test *t;

		ck_assert_int_eq(decode_hex(&t, hex[i], DECODE_STRICT), 0);
		ck_assert(ngap_get_octets(&t->pdu, NGAP_ID_NAS_PDU, &nas));
		ck_assert_uint_eq(nas.len, 25);
		ck_assert(encodes_to_input(t));
	}
}
END_TEST

/* Decodes; what is wrong is for the presence check to say. */
START_TEST(incomplete_messages)
{
	static const struct {
		const char *hex;
		uint16_t missing[3];
	} cases[] = {
		{ "200d000f000002005540020000006a00020100",
		  { NGAP_ID_AMF_UE_NGAP_ID, NGAP_ID_PDU_SESSION_RESOURCE_ADMITTED_LIST } },
		{ "200d0003000000",
		  { NGAP_ID_AMF_UE_NGAP_ID, NGAP_ID_RAN_UE_NGAP_ID,
		    NGAP_ID_TARGET_TO_SOURCE_TRANSPARENT_CONTAINER } },
		{ "00140009000001000f400200c0", { NGAP_ID_RESET_TYPE } },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct test *t;

		ck_assert_int_eq(decode_hex(&t, cases[i].hex, DECODE_LENIENT), 0);
		ck_assert(encodes_to_input(t));
		t->findings.count = 0;
		ngap_check(&t->pdu, &t->findings);
		for (size_t j = 0; j < 3 && cases[i].missing[j]; j++) {
			bool found = false;

			for (size_t k = 0; k < t->findings.count; k++)
				found |= t->items[k].rule == FINDING_MISSING &&
					 t->items[k].ie == cases[i].missing[j];
			ck_assert_msg(found, "%zu %u", i, cases[i].missing[j]);
		}
	}
}
END_TEST

START_TEST(untyped_message)
{
	struct test *t;

	ck_assert_int_eq(decode_hex(&t,
				    "003040300000020063401c0400bfb3d36df08004a86264bc04203379e720ad"
				    "00d11495826ad"
				    "840009e400908e104c50959dbd7fa",
				    DECODE_LENIENT),
			 0);
	ck_assert_int_eq(t->pdu.message, NGAP_UPLINK_RAN_CONFIGURATION_TRANSFER);
	ck_assert_uint_eq(t->pdu.count, 2);
	ck_assert(encodes_to_input(t));
}
END_TEST

/* An empty open type of an IE, known or not: a finding, the IE stays raw. */
START_TEST(empty_open_type)
{
	static const char *const hex[] = { "0016400700000100020000", "00164007000001ffff4000" };

	for (size_t i = 0; i < COUNT(hex); i++) {
		struct test *t;

		ck_assert_int_eq(decode_hex(&t, hex[i], DECODE_LENIENT), 0);
		ck_assert_uint_eq(t->findings.count, 1);
		ck_assert_int_eq(t->items[0].rule, FINDING_EMPTY_OPEN_TYPE);
		ck_assert_ptr_null(t->pdu.ies[0].value);
		ck_assert(encodes_to_input(t));
		ck_assert_int_eq(decode_hex(&t, hex[i], DECODE_STRICT), -EBADMSG);
	}
}
END_TEST

/* IEs that are spoiled deep inside leave nothing behind that spoils the ones after them. */
START_TEST(many_spoiled_ies)
{
	static const uint8_t spoiled[] = { 0x00, 0x6e, 0x40, 0x09, 0x14, 0xff, 0xff,
					   0xff, 0xff, 0xff, 0xff, 0x00, 0x00 };
	enum { N = 200 };
	uint8_t data[8 + N * sizeof(spoiled)] = { 0x00, 0x04, 0x40, 0x80, 0x00, 0x00, 0x00, N };
	size_t content = sizeof(data) - 5;
	struct test *t;

	data[3] = (uint8_t)(0x80 | content >> 8);
	data[4] = (uint8_t)content;
	for (size_t i = 0; i < N; i++)
		memcpy(data + 8 + i * sizeof(spoiled), spoiled, sizeof(spoiled));
	ck_assert_int_eq(decode_octets(&t, data, sizeof(data), DECODE_LENIENT), 0);
	ck_assert_uint_eq(t->pdu.count, N);
	ck_assert_uint_eq(t->findings.count, N);
	ck_assert_ptr_null(t->pdu.ies[N - 1].value);
	ck_assert_uint_le(t->arena.used, N * sizeof(struct ngap_ie) + 16);
}
END_TEST

/* However many findings there were, the one that ended it is the last in the caller's array. */
START_TEST(last_finding_kept)
{
	static const uint8_t in[] = { 0x01, 0x16, 0x41, 0x07, 0x00, 0x00,
				      0x01, 0x00, 0x02, 0xc0, 0x00 };
	struct finding items[2];
	struct findings all = { items, 2, 0 };
	struct ngap_pdu pdu;
	struct arena arena;
	static uint8_t memory[1024];

	arena_init(&arena, memory, sizeof(memory));
	ck_assert_int_eq(ngap_decode(&pdu, OCTETS(in, sizeof(in)), &arena, DECODE_LENIENT, &all),
			 -EBADMSG);
	ck_assert_uint_eq(all.count, 3);
	ck_assert_int_eq(items[0].rule, FINDING_PADDING);
	ck_assert_int_eq(items[1].rule, FINDING_SYNTAX);
}
END_TEST

/* A finding names the IE that it lies in, also behind an extension of it. */
START_TEST(finding_names_its_ie)
{
	struct test *t;

	ck_assert_int_eq(decode_hex(&t,
				    "201500180000010060001100209"
				    "9f9070200400000"
				    "00b0400140ffff",
				    DECODE_LENIENT),
			 0);
	ck_assert_uint_eq(t->findings.count, 1);
	ck_assert_int_eq(t->items[0].rule, FINDING_TRAILING);
	ck_assert_int_eq(t->items[0].ie, NGAP_ID_SERVED_GUAMI_LIST);
}
END_TEST

/* What the lenient mode forgives, and names. */
START_TEST(forgiven)
{
	static const struct {
		const char *hex;
		enum finding_rule rule;
		unsigned int bit;
	} cases[] = {
		{ "01164003000000", FINDING_PADDING, 8 },
		{ "00164103000000", FINDING_PADDING, 18 },
		{ "0016408003000000", FINDING_LENGTH_NOT_MINIMAL, 40 },
		{ "001640080000010002010110", FINDING_PADDING, 72 },
		{ "001640080000010002000111", FINDING_PADDING, 92 },
		{ "00164009000001000200021000", FINDING_TRAILING, 96 },
		{ "0016400300000000", FINDING_TRAILING, 56 },
		{ "0016400400000000", FINDING_TRAILING, 56 },
		{ "001640090000010002008001"
		  "10",
		  FINDING_LENGTH_NOT_MINIMAL, 96 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct test *t;

		ck_assert_int_eq(decode_hex(&t, cases[i].hex, DECODE_LENIENT), 0);
		ck_assert_uint_eq(t->findings.count, 1);
		ck_assert_msg(t->items[0].rule == cases[i].rule && t->items[0].bit == cases[i].bit,
			      "%zu: %s at %u", i, finding_rule_name(t->items[0].rule),
			      t->items[0].bit);
		ck_assert_int_eq(decode_hex(&t, cases[i].hex, DECODE_STRICT), -EBADMSG);
	}
}
END_TEST

/*
 * Whatever is accepted re-encodes; without a finding, to the same octets; with one, to octets that
 * decode and encode to themselves.
 */
static void assert_consistent(const uint8_t *data, size_t len)
{
	static uint8_t out[8192];
	struct findings findings;
	struct finding items[64];
	struct test *t;
	struct text text;
	ssize_t n;
	ssize_t again;

	if (decode_octets(&t, data, len, DECODE_LENIENT) != 0) {
		ck_assert_uint_ge(t->findings.count, 1);
		ck_assert_int_ne(decode_octets(&t, data, len, DECODE_STRICT), 0);
		return;
	}
	n = ngap_encode(&t->pdu, out, sizeof(out));
	ck_assert_int_gt(n, 0);
	if (t->findings.count == 0)
		ck_assert(encodes_to_input(t));
	text_init(&text, text_buf, sizeof(text_buf));
	ngap_print(&t->pdu, 0, &text);
	ngap_print_flat(&t->pdu, &text);
	findings = (struct findings){ items, COUNT(items), 0 };
	ngap_check(&t->pdu, &findings);
	ngap_diagnostics(&t->pdu, &findings, true, &t->arena);
	ck_assert_int_eq(decode_octets(&t, out, (size_t)n, DECODE_LENIENT), 0);
	again = ngap_encode(&t->pdu, out, sizeof(out));
	ck_assert_int_eq(again, n);
	ck_assert_int_eq(memcmp(out, t->in, (size_t)n), 0);
}

START_TEST(mutated)
{
	enum { ROUNDS = 600 };
	FILE *file = open_source("fixtures/vectors/ngap.txt");
	struct vector v;
	uint8_t data[2100];

	seed_random(1);
	while (next_vector(file, &v)) {
		for (int i = 0; i < ROUNDS; i++) {
			memcpy(data, v.data, v.len);
			assert_consistent(data, mutate(data, v.len, sizeof(data)));
		}
	}
	fclose(file);
}
END_TEST

START_TEST(random_octets)
{
	uint8_t data[256];

	seed_random(2);
	for (int i = 0; i < 20000; i++) {
		size_t len = next_random(64);

		for (size_t j = 0; j < len; j++)
			data[j] = (uint8_t)next_random(256);
		assert_consistent(data, len);
	}
}
END_TEST

/* Lines of the captures that are no NGAP-PDUs, or that cannot come back as they were. */
static const struct {
	const char *start;
	const char *reason;
} exceptions[] = {
	{ "4502004400004000408",
	  "an IPv4 header (45 02, length 0044, protocol 84 SCTP), not NGAP" },
};

static const char *exception(const char *line)
{
	for (size_t i = 0; i < COUNT(exceptions); i++)
		if (strncmp(line, exceptions[i].start, strlen(exceptions[i].start)) == 0)
			return exceptions[i].reason;
	return NULL;
}

static FILE *open_capture(void)
{
	const char *shared = getenv("SPILLWAY_SHARED");
	const char *root = getenv("SPILLWAY_SOURCE_DIR");
	char path[4096];

	if (shared)
		snprintf(path, sizeof(path), "%s/cases/captures/ngap.txt", shared);
	else
		snprintf(path, sizeof(path), "%s/../shared/cases/captures/ngap.txt",
			 root ? root : ".");
	FILE *file = fopen(path, "r");

	if (!file)
		printf("captures: skipped, there is no %s (set SPILLWAY_SHARED)\n", path);
	return file;
}

/* What other people's software really sends decodes, prints and comes back octet for octet. */
START_TEST(captures)
{
	static char line[200000];
	static uint8_t data[100000];
	FILE *file = open_capture();
	size_t seen = 0;
	size_t excepted = 0;

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		size_t len = unhex(line, data, sizeof(data));
		struct text text;
		struct test *t;

		seen++;
		if (exception(line)) {
			excepted++;
			continue;
		}
		ck_assert_msg(decode_octets(&t, data, len, DECODE_LENIENT) == 0, "%.60s", line);
		ck_assert_msg(encodes_to_input(t), "%.60s", line);
		text_init(&text, text_buf, sizeof(text_buf));
		ngap_print(&t->pdu, 0, &text);
		ck_assert_msg(text.len > 10 && !text.truncated, "%.60s", line);
	}
	fclose(file);
	printf("captures: %zu PDUs, %zu excepted\n", seen, excepted);
	ck_assert_uint_gt(seen, 1000);
	ck_assert_uint_eq(excepted, COUNT(exceptions));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ngap_hostile");
	TCase *tc = tcase_create("hostile");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, amf_ue_ngap_id_out_of_range);
	tcase_add_loop_test(tc, refuses, 0, COUNT(refused));
	tcase_add_test(tc, accepts_broken_nas);
	tcase_add_test(tc, incomplete_messages);
	tcase_add_test(tc, untyped_message);
	tcase_add_test(tc, empty_open_type);
	tcase_add_test(tc, many_spoiled_ies);
	tcase_add_test(tc, last_finding_kept);
	tcase_add_test(tc, finding_names_its_ie);
	tcase_add_test(tc, forgiven);
	tcase_add_test(tc, mutated);
	tcase_add_test(tc, random_octets);
	tcase_add_test(tc, captures);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
