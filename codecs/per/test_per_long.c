/*
 * Tests of what is long or from a later release: lengths in fragments at each level, open types,
 * extension additions.
 */
#include "codecs/per/test_per.h"

/* Length boundaries of the general form, and what is written where fragments begin. */
START_TEST(fragments_of_octets)
{
	static const struct per_node any = OCTET(PER_GENERAL, 0, 0, INT64_MAX, false);
	static const struct {
		size_t len;
		size_t headers;
		const char *first; /* length octets at the start */
	} cases[] = {
		{ 127, 1, "7f" },	  { 128, 2, "8080" },	      { 16383, 2, "bfff" },
		{ 16384, 2, "c1" },	  { 16385, 2, "c1" },	      { 16384 + 127, 2, "c1" },
		{ 16384 + 128, 3, "c1" }, { 32768, 2, "c2" },	      { 65535, 3, "c3" },
		{ 65536, 2, "c4" },	  { 65536 + 16384, 3, "c4" }, { 65536 + 16383, 3, "c4" },
		{ 131072, 3, "c4" },	  { 200000, 5, "c4" },
	};
	uint8_t *data = malloc(200000);
	uint8_t *buf = malloc(200100);

	for (size_t i = 0; i < 200000; i++)
		data[i] = (uint8_t)(i * 7 + i / 256);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct octets value = OCTETS(data, cases[i].len);
		struct octets back;
		uint8_t first[4];
		size_t n = unhex(cases[i].first, first);
		size_t total = cases[i].len + cases[i].headers;

		ck_assert_int_eq(encode(&any, &value, buf, 200100), (ssize_t)total);
		ck_assert_int_eq(memcmp(buf, first, n), 0);
		ck_assert(decode_mode(&any, buf, total, &back, DECODE_STRICT));
		ck_assert(octets_equal(back, value));
		ck_assert(!decode(&any, buf, total - 1, &back));
		ck_assert_int_eq(finding_items[0].rule, FINDING_TRUNCATED);
		ck_assert_int_eq(encode(&any, &value, buf, total - 1), -ENOSPC);
	}
	/* 16K is one fragment, and a remainder of 0 octets that is written nevertheless. */
	struct octets value = OCTETS(data, 16384);

	ck_assert_int_eq(encode(&any, &value, buf, 200100), 16386);
	ck_assert_uint_eq(buf[16385], 0);
	free(data);
	free(buf);
}
END_TEST

START_TEST(fragments_that_are_wrong)
{
	static const struct per_node any = OCTET(PER_GENERAL, 0, 0, INT64_MAX, false);
	uint8_t *in = calloc(1, 90000);
	struct octets back;

	/* c0 and c5 are no lengths. */
	in[0] = 0xc0;
	ck_assert(!decode(&any, in, 10, &back));
	ck_assert_int_eq(finding_items[0].rule, FINDING_SYNTAX);
	in[0] = 0xc5;
	ck_assert(!decode(&any, in, 90000, &back));
	ck_assert_int_eq(finding_items[0].rule, FINDING_SYNTAX);
	/* Two fragments of 16K where one of 32K is due. */
	in[0] = 0xc1;
	in[16385] = 0xc1;
	in[32770] = 0;
	ck_assert(decode(&any, in, 32771, &back));
	ck_assert_uint_eq(back.len, 32768);
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH_NOT_MINIMAL);
	ck_assert(!decode_mode(&any, in, 32771, &back, DECODE_STRICT));
	/* A length of 5 in two octets. */
	in[0] = 0x80;
	in[1] = 5;
	ck_assert(decode(&any, in, 7, &back));
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH_NOT_MINIMAL);
	ck_assert_uint_eq(back.len, 5);
	free(in);
}
END_TEST

START_TEST(fragments_of_bits)
{
	static const struct per_node open = BITS(PER_NO_BITS, 0, 16, 16, true);
	static const size_t lens[] = { 16383, 16384, 16385, 32768, 65536, 65541, 100000 };
	uint8_t *data = malloc(13000);
	uint8_t *buf = malloc(14000);

	memset(data, 0xa5, 13000);
	for (size_t i = 0; i < COUNT(lens); i++) {
		struct per_bits value = PER_BITS(data, lens[i]);
		struct per_bits back;
		ssize_t n = encode(&open, &value, buf, 14000);

		ck_assert_int_gt(n, 0);
		ck_assert(decode_mode(&open, buf, (size_t)n, &back, DECODE_STRICT));
		ck_assert_uint_eq(back.len, lens[i]);
		ck_assert_int_eq(memcmp(back.data, data, lens[i] / 8), 0);
		if (lens[i] % 8)
			ck_assert_uint_eq(back.data[lens[i] / 8],
					  (uint8_t)(0xa5 & 0xff << (8 - lens[i] % 8)));
		if (lens[i] < PER_FRAGMENT || lens[i] % 8 == 0)
			continue;
		/* Padding that is not zero does not get into the value. */
		buf[n - 1] |= 0x01;
		ck_assert(decode(&open, buf, (size_t)n, &back));
		ck_assert_uint_eq(back.data[lens[i] / 8] & 0x01, 0);
		ck_assert_int_eq(finding_items[0].rule, FINDING_PADDING);
	}
	free(data);
	free(buf);
}
END_TEST

/* Elements of an octet each, the count bounded by 64K or more: general length, in fragments. */
START_TEST(fragments_of_elements)
{
	static const struct per_node octet = INTEGER(PER_ONE_OCTET, 0, 0, 255, false);
	static const struct per_member element[] = { { &octet, "", 0, false } };
	static const struct per_node list = { .kind = PER_SEQUENCE_OF,
					      .form = PER_GENERAL,
					      .lower = 1,
					      .upper = 65536,
					      .members = element,
					      .count = 1,
					      .size = sizeof(struct per_list),
					      .name = "list" };
	static const size_t counts[] = { 1,	127,   128,   16383, 16384,
					 16385, 32768, 49152, 65535, 65536 };
	int64_t *items = malloc(65537 * sizeof(*items));
	uint8_t *buf = malloc(70000);

	for (size_t i = 0; i < 65537; i++)
		items[i] = (int64_t)(i % 251);
	for (size_t i = 0; i < COUNT(counts); i++) {
		struct per_list value = { counts[i], items };
		struct per_list back;
		ssize_t n = encode(&list, &value, buf, 70000);

		ck_assert_int_gt(n, (ssize_t)counts[i]);
		ck_assert(decode_mode(&list, buf, (size_t)n, &back, DECODE_STRICT));
		ck_assert_uint_eq(back.count, counts[i]);
		ck_assert_int_eq(memcmp(back.items, items, counts[i] * sizeof(*items)), 0);
		ck_assert(!decode(&list, buf, (size_t)n - 1, &back));
	}
	struct per_list value = { 65537, items };

	ck_assert_int_eq(encode(&list, &value, buf, 70000), -ERANGE);
	value.count = 0;
	ck_assert_int_eq(encode(&list, &value, buf, 70000), -ERANGE);
	/* More than the bound in fragments, and none at all. */
	memset(buf, 0, 70000);
	buf[0] = 0xc4;
	buf[65537] = 1;
	ck_assert(!decode(&list, buf, 65539, &value));
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH);
	ck_assert(!decode(&list, (const uint8_t *)"\0", 1, &value));
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH);
	/* An element behind the last one that there is room for touches nothing. */
	uint8_t *exact = malloc(65536 * sizeof(int64_t));
	struct per_decoder d;

	arena_init(&arena, exact, 65536 * sizeof(int64_t));
	findings.count = 0;
	per_decoder_init(&d, OCTETS(buf, 65539), &arena, DECODE_LENIENT, &findings, no_foreign);
	ck_assert(!per_decode(&d, &list, &value));
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH);
	free(exact);
	free(items);
	free(buf);
}
END_TEST

/* Fields that each go in fragments, one inside the other: three levels, as NAS-PDU, IE, message. */
START_TEST(fragments_nested)
{
	static const size_t lens[] = { 16505, 16506, 16507, 16508, 16509, 16510, 16511,
				       16512, 16513, 100,   16380, 16383, 16384, 16385,
				       32768, 65530, 65536, 70000, 131072 };
	uint8_t *data = malloc(140000);
	uint8_t *buf = malloc(140100);

	for (size_t i = 0; i < 140000; i++)
		data[i] = (uint8_t)(i ^ i >> 8);
	for (size_t i = 0; i < COUNT(lens); i++) {
		struct per_encoder e;
		struct per_decoder d;
		struct per_reader saved[2];
		struct octets content = OCTETS(data, lens[i]);
		struct octets outer;
		struct octets inner;
		struct octets back;
		size_t a;
		size_t b;

		per_encoder_init(&e, buf, 140100, no_foreign_out);
		ck_assert(per_open_begin(&e, &a) && per_open_begin(&e, &b) &&
			  per_put_open(&e, content) && per_open_end(&e, b) && per_open_end(&e, a));
		arena_init(&arena, arena_memory, sizeof(arena_memory));
		findings.count = 0;
		per_decoder_init(&d, OCTETS(buf, e.len), &arena, DECODE_STRICT, &findings,
				 no_foreign);
		ck_assert(per_get_open(&d, &outer));
		ck_assert_uint_eq(d.in.bit, d.in.end);
		per_enter(&d, outer, &saved[0]);
		ck_assert(per_get_open(&d, &inner));
		per_enter(&d, inner, &saved[1]);
		ck_assert(per_get_open(&d, &back));
		ck_assert(octets_equal(back, content));
		ck_assert(per_leave(&d, &saved[1]) && per_leave(&d, &saved[0]));
		/* Room for one octet less is not enough, wherever it runs out. */
		per_encoder_init(&e, buf, e.len - 1, no_foreign_out);
		ck_assert(!(per_open_begin(&e, &a) && per_open_begin(&e, &b) &&
			    per_put_open(&e, content) && per_open_end(&e, b) &&
			    per_open_end(&e, a)));
		ck_assert_int_eq(e.error, -ENOSPC);
	}
	free(data);
	free(buf);
}
END_TEST

/* An open type around nothing is one octet of padding. */
START_TEST(open_type_of_nothing)
{
	struct per_encoder e;
	uint8_t buf[4];
	size_t start;

	per_encoder_init(&e, buf, sizeof(buf), no_foreign_out);
	ck_assert(per_open_begin(&e, &start) && per_open_end(&e, start));
	assert_hex(buf, (ssize_t)e.len, "0100");
	per_encoder_init(&e, buf, 1, no_foreign_out);
	ck_assert(per_open_begin(&e, &start) && !per_open_end(&e, start));
	ck_assert_int_eq(e.error, -ENOSPC);
}
END_TEST

struct extended {
	int64_t value;
	const int64_t *maybe;
	const struct per_additions *additions;
};

static const struct per_member extended_members[] = {
	{ &octet_node, "value", offsetof(struct extended, value), false },
	{ &octet_node, "maybe", offsetof(struct extended, maybe), true },
};
static const struct per_node extended_node = {
	.kind = PER_SEQUENCE,
	.extensible = true,
	.members = extended_members,
	.count = 2,
	.optionals = 1,
	.size = sizeof(struct extended),
	.additions = offsetof(struct extended, additions),
	.name = "extended",
};

/* Additions of a later release are kept and sent again, present or not. */
START_TEST(additions_kept)
{
	uint8_t in[256];
	uint8_t buf[256];
	struct extended value;

	/* Worked out: ext 1, maybe 0, pad; 05; 0 000000 (n-1) then bitmap. */
	static const struct {
		const char *hex;
		size_t bits;
		size_t count;
	} exact[] = {
		{ "80050101aa", 1, 1 }, /* 0 000000 1 */
		{ "800500", 1, 0 },	/* 0 000000 0 */
		{ "c0050603"
		  "8001bb02ccdd",
		  2, 2 }, /* 0 000001 1 1 */
		{ "8005048001"
		  "02",
		  3, 1 }, /* 0 000010 0 1 0 */
	};

	for (size_t i = 0; i < COUNT(exact); i++) {
		size_t n = unhex(exact[i].hex, in);

		ck_assert(decode_mode(&extended_node, in, n, &value, DECODE_STRICT));
		ck_assert_int_eq(value.value, 5);
		ck_assert_ptr_nonnull(value.additions);
		ck_assert_uint_eq(value.additions->present.len, exact[i].bits);
		ck_assert_uint_eq(value.additions->count, exact[i].count);
		assert_hex(buf, encode(&extended_node, &value, buf, sizeof(buf)), exact[i].hex);
		for (size_t j = 0; j < n; j++)
			ck_assert(!decode(&extended_node, in, j, &value));
	}
}
END_TEST

/* A bitmap of more than 64 bits has a length of its own. */
START_TEST(additions_many)
{
	uint8_t bitmap[20] = { 0 };
	uint8_t content[] = { 0x11, 0x22 };
	struct octets values[2] = { OCTETS(content, 2), OCTETS(content, 1) };
	static const size_t lens[] = { 63, 64, 65, 66, 127, 128, 150 };
	uint8_t buf[64];

	for (size_t i = 0; i < COUNT(lens); i++) {
		struct per_additions additions = { PER_BITS(bitmap, lens[i]), 2, values };
		struct extended value = { .value = 1, .additions = &additions };
		struct extended back;
		ssize_t n;

		memset(bitmap, 0, sizeof(bitmap));
		bitmap[0] = 0x80;
		bitmap[(lens[i] - 1) / 8] |= (uint8_t)(0x80 >> (lens[i] - 1) % 8);
		n = encode(&extended_node, &value, buf, sizeof(buf));
		ck_assert_int_gt(n, 0);
		ck_assert(decode_mode(&extended_node, buf, (size_t)n, &back, DECODE_STRICT));
		ck_assert_uint_eq(back.additions->present.len, lens[i]);
		ck_assert_uint_eq(back.additions->count, 2);
		ck_assert(octets_equal(back.additions->values[0], values[0]));
		ck_assert(octets_equal(back.additions->values[1], values[1]));
	}
	/* 64 bits with a length of their own. */
	uint8_t long_form[12] = { 0x80, 0x05, 0x80, 0x40 };

	ck_assert(!decode_mode(&extended_node, long_form, sizeof(long_form),
			       &(struct extended){ 0 }, DECODE_STRICT));
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH_NOT_MINIMAL);
	struct per_additions none = { PER_BITS(bitmap, 0), 0, NULL };
	struct extended value = { .value = 1, .additions = &none };

	ck_assert_int_eq(encode(&extended_node, &value, buf, sizeof(buf)), -ERANGE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("per_long");
	TCase *tc = tcase_create("per_long");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, fragments_of_octets);
	tcase_add_test(tc, fragments_that_are_wrong);
	tcase_add_test(tc, fragments_of_bits);
	tcase_add_test(tc, fragments_of_elements);
	tcase_add_test(tc, fragments_nested);
	tcase_add_test(tc, open_type_of_nothing);
	tcase_add_test(tc, additions_kept);
	tcase_add_test(tc, additions_many);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
