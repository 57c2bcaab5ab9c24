/*
 * Tests of the aligned PER walker on small types of their own: the encodings were worked out by
 * hand from X.691, so that reader and writer cannot be wrong together.
 */
#include "codecs/per/test_per.h"

/* The value encodes as hex, and hex decodes, without a finding, to the same octets again. */
static void assert_int(const struct per_node *node, int64_t value, const char *hex)
{
	uint8_t buf[64];
	uint8_t in[64];
	int64_t back = 0;
	size_t n = unhex(hex, in);

	assert_hex(buf, encode(node, &value, buf, sizeof(buf)), hex);
	ck_assert(decode_mode(node, in, n, &back, DECODE_STRICT));
	ck_assert_int_eq(back, value);
	ck_assert_uint_eq(findings.count, 0);
	for (size_t i = 0; i < n; i++)
		ck_assert(!decode(node, in, i, &back) || i == n);
}

static void refuse_int(const struct per_node *node, const char *hex, enum finding_rule rule)
{
	uint8_t in[64];
	int64_t back;
	size_t n = unhex(hex, in);

	ck_assert(!decode(node, in, n, &back));
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_int_eq(finding_items[0].rule, rule);
	ck_assert_int_eq(last_error, -EBADMSG);
}

/* X.691 11.5.7: the five ranges, each at both ends. */
START_TEST(integer_ranges)
{
	static const struct per_node one = INTEGER(PER_NO_BITS, 0, 7, 7, false);
	static const struct per_node bits = INTEGER(PER_BIT_FIELD, 7, 1, 99, false);
	static const struct per_node r255 = INTEGER(PER_BIT_FIELD, 8, 0, 254, false);
	static const struct per_node r256 = INTEGER(PER_ONE_OCTET, 0, 1, 256, false);
	static const struct per_node r257 = INTEGER(PER_TWO_OCTETS, 0, 0, 256, false);
	static const struct per_node r64k = INTEGER(PER_TWO_OCTETS, 0, 0, 65535, false);
	static const struct per_node r32 = INTEGER(PER_LONG, 2, 0, 4294967295, false);
	static const struct per_node r40 = INTEGER(PER_LONG, 3, 0, 1099511627775, false);
	static const struct per_node nine_octets = INTEGER(PER_LONG, 4, 0, INT64_MAX, false);
	int64_t value = 8;
	uint8_t buf[8];

	refuse_int(&nine_octets, "80000000000000000000", FINDING_RANGE);
	ck_assert_int_eq(encode(&one, &value, buf, sizeof(buf)), -ERANGE);
	value = 7;
	ck_assert_int_eq(encode(&one, &value, buf, sizeof(buf)), 0);
	assert_int(&bits, 1, "00");
	assert_int(&bits, 50, "62");
	assert_int(&bits, 99, "c4");
	refuse_int(&bits, "c6", FINDING_RANGE);
	refuse_int(&bits, "fe", FINDING_RANGE);
	assert_int(&r255, 254, "fe");
	refuse_int(&r255, "ff", FINDING_RANGE);
	assert_int(&r256, 1, "00");
	assert_int(&r256, 256, "ff");
	assert_int(&r257, 0, "0000");
	assert_int(&r257, 256, "0100");
	refuse_int(&r257, "0101", FINDING_RANGE);
	assert_int(&r64k, 65535, "ffff");
	assert_int(&r32, 0, "0000");
	assert_int(&r32, 255, "00ff");
	assert_int(&r32, 256, "400100");
	assert_int(&r32, 65536, "80010000");
	assert_int(&r32, 4294967295, "c0ffffffff");
	assert_int(&r40, 4294967296, "800100000000");
	assert_int(&r40, 1099511627775, "80ffffffffff");
	refuse_int(&r40, "a0010000000000", FINDING_RANGE);
	refuse_int(&r40, "a001000000000000", FINDING_RANGE);
	refuse_int(&r40, "e00100000000000000", FINDING_RANGE);
	value = 1099511627776;
	ck_assert_int_eq(encode(&r40, &value, buf, sizeof(buf)), -ERANGE);
	value = -1;
	ck_assert_int_eq(encode(&r40, &value, buf, sizeof(buf)), -ERANGE);
}
END_TEST

START_TEST(integer_not_minimal)
{
	static const struct per_node r32 = INTEGER(PER_LONG, 2, 0, 4294967295, false);
	static const uint8_t in[] = { 0x40, 0x00, 0x05 };
	int64_t value;

	ck_assert(decode(&r32, in, sizeof(in), &value));
	ck_assert_int_eq(value, 5);
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH_NOT_MINIMAL);
	ck_assert(!decode_mode(&r32, in, sizeof(in), &value, DECODE_STRICT));
}
END_TEST

/* Outside the root: general length and two's complement. */
START_TEST(integer_extension)
{
	static const struct per_node rate = INTEGER(PER_LONG, 3, 0, 4000000000000, true);
	static const struct per_node qfi = INTEGER(PER_BIT_FIELD, 6, 0, 63, true);
	static const uint8_t in_root[] = { 0x80, 0x01, 0x05 };
	int64_t value;

	assert_int(&rate, 4000000000000, "5003a352944000");
	assert_int(&rate, 4000000000001, "800603a352944001");
	assert_int(&rate, INT64_MAX, "80087fffffffffffffff");
	assert_int(&qfi, 63, "7e");
	assert_int(&qfi, 64, "800140");
	assert_int(&qfi, 127, "80017f");
	assert_int(&qfi, 128, "80020080");
	assert_int(&qfi, -1, "8001ff");
	assert_int(&qfi, -129, "8002ff7f");
	assert_int(&qfi, INT64_MIN, "80088000000000000000");
	refuse_int(&qfi, "8009010000000000000000", FINDING_RANGE);
	refuse_int(&qfi, "8000", FINDING_RANGE);
	ck_assert(decode(&qfi, in_root, sizeof(in_root), &value));
	ck_assert_int_eq(value, 5);
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH_NOT_MINIMAL);
}
END_TEST

static void assert_enum(const struct per_node *node, uint32_t value, const char *hex)
{
	uint8_t buf[32];
	uint8_t in[32];
	uint32_t back = 99;
	size_t n = unhex(hex, in);

	assert_hex(buf, encode(node, &value, buf, sizeof(buf)), hex);
	ck_assert(decode_mode(node, in, n, &back, DECODE_STRICT));
	ck_assert_uint_eq(back, value);
}

/* Extension values, known or not, keep their number: 1+6 bits below 64, else with a length. */
START_TEST(enumerated)
{
	static const char *const names[] = { "a", "b", "c" };
	static const struct per_node open = { .kind = PER_ENUMERATED,
					      .form = PER_BIT_FIELD,
					      .bits = 2,
					      .upper = 2,
					      .extensible = true,
					      .size = 4,
					      .names = names,
					      .count = 3,
					      .name = "e" };
	static const struct per_node closed = { .kind = PER_ENUMERATED,
						.form = PER_BIT_FIELD,
						.bits = 2,
						.upper = 2,
						.size = 4,
						.names = names,
						.count = 3,
						.name = "e" };
	static const uint8_t small[] = { 0xc0, 0x01, 0x05 };
	static const uint8_t huge[] = { 0xc0, 0x05, 0x01, 0, 0, 0, 0 };
	static const uint8_t nine[] = { 0xc0, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0 };
	static const uint8_t three[] = { 0xc0 };
	static const uint8_t three_root[] = { 0x60 };
	static const uint8_t small_63[] = { 0xc0, 0x01, 0x3f };
	static const uint8_t too_far[] = { 0xc0, 0x04, 0x7f, 0xff, 0xff, 0xfd };
	uint32_t value;
	uint8_t buf[8];

	assert_enum(&open, 0, "00");
	assert_enum(&open, 2, "40");
	assert_enum(&open, 3, "80");
	assert_enum(&open, 66, "bf");
	assert_enum(&open, 67, "c00140");
	assert_enum(&open, 3 + 255, "c001ff");
	assert_enum(&open, 3 + 256, "c0020100");
	assert_enum(&open, 3 + 65536, "c003010000");
	assert_enum(&open, INT32_MAX, "c0047ffffffc");
	ck_assert(!decode(&open, huge, sizeof(huge), &value));
	ck_assert_int_eq(finding_items[0].rule, FINDING_RANGE);
	ck_assert(!decode(&open, nine, sizeof(nine), &value));
	ck_assert(!decode(&open, three_root, sizeof(three_root), &value));
	ck_assert_int_eq(finding_items[0].rule, FINDING_RANGE);
	ck_assert(decode(&open, small, sizeof(small), &value));
	ck_assert_uint_eq(value, 8);
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH_NOT_MINIMAL);
	ck_assert(decode(&open, small_63, sizeof(small_63), &value));
	ck_assert_uint_eq(value, 66);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH_NOT_MINIMAL);
	ck_assert(!decode(&open, too_far, sizeof(too_far), &value));
	ck_assert_int_eq(finding_items[0].rule, FINDING_RANGE);
	ck_assert(!decode(&closed, three, sizeof(three), &value));
	value = 3;
	ck_assert_int_eq(encode(&closed, &value, buf, sizeof(buf)), -ERANGE);
	value = UINT32_MAX;
	ck_assert_int_eq(encode(&open, &value, buf, sizeof(buf)), -ERANGE);
}
END_TEST

/* A bit in front shows what is aligned and what is not. */
struct prefixed {
	int64_t bit;
	union {
		struct octets octets;
		struct per_bits bits;
		uint64_t value;
		struct per_list list;
	};
};

static const struct per_node bit_node = INTEGER(PER_BIT_FIELD, 1, 0, 1, false);

#define PREFIXED(node)                                                                    \
	static const struct per_member node##_members[] = {                               \
		{ &bit_node, "bit", offsetof(struct prefixed, bit), false },              \
		{ &node, "value", offsetof(struct prefixed, octets), false },             \
	};                                                                                \
	static const struct per_node node##_prefixed = { .kind = PER_SEQUENCE,            \
							 .members = node##_members,       \
							 .count = 2,                      \
							 .size = sizeof(struct prefixed), \
							 .name = "prefixed" }

static void assert_octets(const struct per_node *node, const char *content, const char *hex)
{
	uint8_t octets[64];
	uint8_t in[128];
	uint8_t buf[128];
	struct prefixed value = { .bit = 1 };
	struct prefixed back;
	size_t n = unhex(hex, in);

	value.octets = OCTETS(octets, unhex(content, octets));
	assert_hex(buf, encode(node, &value, buf, sizeof(buf)), hex);
	ck_assert(decode_mode(node, in, n, &back, DECODE_STRICT));
	ck_assert(octets_equal(back.octets, value.octets));
	for (size_t i = 0; i < n; i++)
		ck_assert(!decode(node, in, i, &back));
}

/* X.691 17: fixed up to two octets is not aligned, everything else is, unless it is empty. */
START_TEST(octet_string_alignment)
{
	static const struct per_node one = OCTET(PER_NO_BITS, 0, 1, 1, false);
	static const struct per_node two = OCTET(PER_NO_BITS, 0, 2, 2, false);
	static const struct per_node three = OCTET(PER_NO_BITS, 0, 3, 3, false);
	static const struct per_node some = OCTET(PER_BIT_FIELD, 3, 0, 7, false);
	static const struct per_node any = OCTET(PER_GENERAL, 0, 0, INT64_MAX, false);
	static const struct per_node open = OCTET(PER_NO_BITS, 0, 2, 2, true);
	PREFIXED(one);
	PREFIXED(two);
	PREFIXED(three);
	PREFIXED(some);
	PREFIXED(any);
	PREFIXED(open);
	struct prefixed value = { .bit = 0, .octets = OCTETS((const uint8_t *)"abc", 3) };
	uint8_t buf[16];

	assert_octets(&one_prefixed, "ff", "ff80");
	assert_octets(&two_prefixed, "0102", "808100");
	assert_octets(&three_prefixed, "010203", "80010203");
	assert_octets(&some_prefixed, "", "80");
	assert_octets(&some_prefixed, "0102", "a00102");
	assert_octets(&any_prefixed, "", "8000");
	assert_octets(&any_prefixed, "0102", "80020102");
	assert_octets(&open_prefixed, "ff00", "bfc000");
	assert_octets(&open_prefixed, "01", "c00101");
	assert_octets(&open_prefixed, "010203", "c003010203");
	assert_octets(&open_prefixed, "", "c000");
	ck_assert_int_eq(encode(&two_prefixed, &value, buf, sizeof(buf)), -ERANGE);
}
END_TEST

static void assert_bits(const struct per_node *node, const char *content, size_t len,
			const char *hex)
{
	uint8_t octets[64];
	uint8_t in[128];
	uint8_t buf[128];
	struct prefixed value = { .bit = 1 };
	struct prefixed back;
	size_t n = unhex(hex, in);

	unhex(content, octets);
	value.bits = PER_BITS(octets, len);
	assert_hex(buf, encode(node, &value, buf, sizeof(buf)), hex);
	ck_assert(decode_mode(node, in, n, &back, DECODE_STRICT));
	ck_assert_uint_eq(back.bits.len, len);
	if (len % 8)
		octets[len / 8] &= (uint8_t)(0xff << (8 - len % 8));
	ck_assert_int_eq(memcmp(back.bits.data, octets, (len + 7) / 8), 0);
	for (size_t i = 0; i < n; i++)
		ck_assert(!decode(node, in, i, &back));
}

/* X.691 16; the extensible fixed one is judged by its root form when its bit is 0. */
START_TEST(bit_string_alignment)
{
	static const struct per_node sixteen = BITS(PER_NO_BITS, 0, 16, 16, false);
	static const struct per_node seventeen = BITS(PER_NO_BITS, 0, 17, 17, false);
	static const struct per_node open = BITS(PER_NO_BITS, 0, 16, 16, true);
	static const struct per_node gnb = BITS(PER_BIT_FIELD, 4, 22, 32, false);
	static const struct per_node address = BITS(PER_BIT_FIELD, 8, 1, 160, true);
	PREFIXED(sixteen);
	PREFIXED(seventeen);
	PREFIXED(open);
	PREFIXED(gnb);
	PREFIXED(address);
	uint8_t in[] = { 0xd8 };
	struct prefixed back;

	assert_bits(&sixteen_prefixed, "ffff", 16, "ffff80");
	assert_bits(&seventeen_prefixed, "ffffff", 17, "80ffff80");
	assert_bits(&open_prefixed, "c000", 16, "b00000");
	assert_bits(&open_prefixed, "c0", 2, "c002c0");
	assert_bits(&open_prefixed, "c00001", 24, "c018c00001");
	assert_bits(&open_prefixed, "", 0, "c000");
	assert_bits(&gnb_prefixed, "ffffff", 22, "80fffffc");
	assert_bits(&gnb_prefixed, "00010203", 32, "d000010203");
	assert_bits(&address_prefixed, "7f000001", 32, "87c07f000001");
	assert_bits(&address_prefixed, "80", 1, "800080");
	ck_assert(!decode(&gnb_prefixed, in, sizeof(in), &back));
	ck_assert_int_eq(finding_items[0].rule, FINDING_LENGTH);
}
END_TEST

START_TEST(bits_64)
{
	static const struct per_node nid = {
		.kind = PER_BITS_64, .lower = 44, .upper = 44, .size = 8, .name = "nid"
	};
	static const struct per_node set = {
		.kind = PER_BITS_64, .lower = 10, .upper = 10, .size = 8, .name = "set"
	};
	static const struct per_node full = {
		.kind = PER_BITS_64, .lower = 64, .upper = 64, .size = 8, .name = "full"
	};
	PREFIXED(nid);
	PREFIXED(set);
	PREFIXED(full);
	static const struct {
		const struct per_node *node;
		uint64_t value;
		const char *hex;
	} cases[] = {
		{ &nid_prefixed, 0x80000000001, "80800000000010" },
		{ &set_prefixed, 0x3ff, "ffe0" },
		{ &set_prefixed, 1, "8020" },
		{ &full_prefixed, 0x8000000000000001, "808000000000000001" },
	};
	struct prefixed value = { .bit = 1, .value = 1024 };
	struct prefixed back;
	uint8_t buf[16];
	uint8_t in[16];

	for (size_t i = 0; i < COUNT(cases); i++) {
		value.value = cases[i].value;
		assert_hex(buf, encode(cases[i].node, &value, buf, sizeof(buf)), cases[i].hex);
		ck_assert(decode_mode(cases[i].node, in, unhex(cases[i].hex, in), &back,
				      DECODE_STRICT));
		ck_assert_uint_eq(back.value, cases[i].value);
	}
	value.value = 1024;
	ck_assert_int_eq(encode(&set_prefixed, &value, buf, sizeof(buf)), -ERANGE);
}
END_TEST

struct choice {
	uint32_t choice;
	union {
		int64_t number;
		struct octets octets;
	};
};

START_TEST(choice)
{
	static const struct per_node any = OCTET(PER_GENERAL, 0, 0, INT64_MAX, false);
	static const struct per_member alternatives[] = {
		{ &octet_node, "number", offsetof(struct choice, number), false },
		{ &any, "octets", offsetof(struct choice, octets), false },
		{ &octet_node, "other", offsetof(struct choice, number), false },
	};
	static const struct per_node node = { .kind = PER_CHOICE,
					      .form = PER_BIT_FIELD,
					      .bits = 2,
					      .upper = 2,
					      .members = alternatives,
					      .count = 3,
					      .size = sizeof(struct choice),
					      .name = "choice" };
	struct choice value = { .choice = 2, .octets = OCTETS((const uint8_t *)"a", 1) };
	struct choice back;
	uint8_t in[8];
	uint8_t buf[8];

	assert_hex(buf, encode(&node, &value, buf, sizeof(buf)), "400161");
	ck_assert(decode(&node, in, unhex("8007", in), &back));
	ck_assert_uint_eq(back.choice, 3);
	ck_assert_int_eq(back.number, 7);
	ck_assert(!decode(&node, in, unhex("c007", in), &back));
	ck_assert_int_eq(finding_items[0].rule, FINDING_RANGE);
	value.choice = 0;
	ck_assert_int_eq(encode(&node, &value, buf, sizeof(buf)), -EINVAL);
	value.choice = 4;
	ck_assert_int_eq(encode(&node, &value, buf, sizeof(buf)), -EINVAL);
}
END_TEST

/* A count that the rest of the input cannot hold takes no memory. */
START_TEST(count_bounded_before_memory)
{
	static const struct per_node octet = {
		.kind = PER_INTEGER, .form = PER_ONE_OCTET, .upper = 255, .size = 8, .min_bits = 8
	};
	static const struct per_member element[] = { { &octet, "", 0, false } };
	static const struct per_node list = { .kind = PER_SEQUENCE_OF,
					      .form = PER_TWO_OCTETS,
					      .lower = 1,
					      .upper = 65535,
					      .members = element,
					      .count = 1,
					      .size = sizeof(struct per_list),
					      .name = "list" };
	static const uint8_t in[] = { 0xff, 0xfe, 1, 2, 3 };
	static const uint8_t one_too_many[] = { 0x00, 0x03, 1, 2, 3 };
	struct per_list back;

	ck_assert(!decode(&list, in, sizeof(in), &back));
	ck_assert_int_eq(finding_items[0].rule, FINDING_TRUNCATED);
	ck_assert_uint_eq(arena.used, 0);
	ck_assert(!decode(&list, one_too_many, sizeof(one_too_many), &back));
	ck_assert_uint_eq(arena.used, 0);
}
END_TEST

START_TEST(arena_too_small)
{
	static const struct per_node any = BITS(PER_BIT_FIELD, 4, 1, 15, false);
	static const uint8_t in[] = { 0x80, 0xff, 0xff };
	struct per_decoder d;
	struct per_bits value;
	struct arena small;

	findings.count = 0;
	arena_init(&small, NULL, 0);
	per_decoder_init(&d, OCTETS(in, sizeof(in)), &small, DECODE_LENIENT, &findings, no_foreign);
	ck_assert(!per_decode(&d, &any, &value));
	ck_assert_int_eq(d.error, -ENOMEM);
	ck_assert_int_eq(finding_items[0].rule, FINDING_NO_MEMORY);
}
END_TEST

struct nested {
	const struct nested *next;
};

static const struct per_node nested_node;
static const struct per_member nested_members[] = {
	{ &nested_node, "next", offsetof(struct nested, next), true },
};
static const struct per_node nested_node = {
	.kind = PER_SEQUENCE,
	.members = nested_members,
	.count = 1,
	.optionals = 1,
	.size = sizeof(struct nested),
	.name = "nested",
};

/* A type that contains itself, nested as deep as the input says. */
START_TEST(depth_limited)
{
	uint8_t in[32];
	struct nested value;

	memset(in, 0xff, sizeof(in));
	ck_assert(!decode(&nested_node, in, sizeof(in), &value));
	ck_assert_int_eq(finding_items[0].rule, FINDING_TOO_DEEP);
	ck_assert(decode(&nested_node, (const uint8_t *)"\xfe", 1, &value));
	struct nested loop = { .next = &loop };

	ck_assert_int_eq(encode(&nested_node, &loop, in, sizeof(in)), -EINVAL);
}
END_TEST

START_TEST(padding_and_trailing)
{
	static const struct per_node bits = INTEGER(PER_BIT_FIELD, 4, 0, 15, false);
	int64_t value;

	ck_assert(decode(&bits, (const uint8_t *)"\x51", 1, &value));
	ck_assert_int_eq(value, 5);
	ck_assert_int_eq(finding_items[0].rule, FINDING_PADDING);
	ck_assert_uint_eq(finding_items[0].bit, 4);
	ck_assert(decode(&bits, (const uint8_t *)"\x50\x00", 2, &value));
	ck_assert_int_eq(finding_items[0].rule, FINDING_TRAILING);
	ck_assert_uint_eq(finding_items[0].bit, 8);
	ck_assert(!decode_mode(&bits, (const uint8_t *)"\x51", 1, &value, DECODE_STRICT));
	ck_assert(!decode_mode(&bits, (const uint8_t *)"\x50\x00", 2, &value, DECODE_STRICT));
}
END_TEST

START_TEST(characters)
{
	static const struct per_node printable = { .kind = PER_PRINTABLE_STRING,
						   .form = PER_BIT_FIELD,
						   .bits = 8,
						   .lower = 1,
						   .upper = 150,
						   .extensible = true,
						   .size = sizeof(struct octets),
						   .name = "s" };
	static const struct per_node visible = { .kind = PER_VISIBLE_STRING,
						 .form = PER_BIT_FIELD,
						 .bits = 8,
						 .lower = 1,
						 .upper = 150,
						 .extensible = true,
						 .size = sizeof(struct octets),
						 .name = "s" };
	static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 "
				  "'()+,-./:=?";
	struct octets value;
	uint8_t in[] = { 0x00, 0x00, 0 };

	for (unsigned int c = 0; c < 256; c++) {
		bool legal = c && strchr(set, (int)c);

		in[2] = (uint8_t)c;
		ck_assert(decode(&printable, in, sizeof(in), &value));
		ck_assert_uint_eq(findings.count, !legal);
		ck_assert(decode(&visible, in, sizeof(in), &value));
		ck_assert_uint_eq(findings.count, c < 0x20 || c > 0x7e);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("per");
	TCase *tc = tcase_create("per");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, integer_ranges);
	tcase_add_test(tc, integer_not_minimal);
	tcase_add_test(tc, integer_extension);
	tcase_add_test(tc, enumerated);
	tcase_add_test(tc, octet_string_alignment);
	tcase_add_test(tc, bit_string_alignment);
	tcase_add_test(tc, bits_64);
	tcase_add_test(tc, choice);
	tcase_add_test(tc, count_bounded_before_memory);
	tcase_add_test(tc, arena_too_small);
	tcase_add_test(tc, depth_limited);
	tcase_add_test(tc, padding_and_trailing);
	tcase_add_test(tc, characters);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
