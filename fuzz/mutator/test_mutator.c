/*
 * What the modes promise: of the valid one that nearly all of its output decodes without a finding,
 * of the fault one that the checks see the rule that is named and no other, and of all three that
 * the same seed gives the same octets.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/nas/nas.h"
#include "codecs/ngap/ngap_check.h"
#include "codecs/pfcp/pfcp_check.h"
#include "codecs/sbi/sbi.h"
#include "fuzz/harness/nas_keys.h"
#include "fuzz/mutator/mutator.h"

enum { MAX = 65536, ROUNDS = 4000, FINDINGS_MAX = 32, ROOM = 4 << 20 };

static uint8_t room[ROOM];

/* Findings of decoding and checking, the rules that there were as a bit set. */
typedef uint32_t rules_fn(const uint8_t *data, size_t len);

static uint32_t rules_of(const struct findings *findings)
{
	uint32_t rules = 0;

	for (size_t i = 0; i < findings->count && i < findings->max; i++)
		rules |= UINT32_C(1) << findings->items[i].rule;
	return rules;
}

static uint32_t ngap_rules(const uint8_t *data, size_t len)
{
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct arena arena;
	struct ngap_pdu pdu;

	arena_init(&arena, room, sizeof(room));
	if (ngap_decode(&pdu, OCTETS(data, len), &arena, DECODE_LENIENT, &findings) == 0 &&
	    findings.count == 0)
		ngap_check(&pdu, &findings);
	return rules_of(&findings);
}

static uint32_t nas_rules(const uint8_t *data, size_t len)
{
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct arena arena;
	struct nas_msg msg;

	arena_init(&arena, room, sizeof(room));
	nas_decode(&msg, OCTETS(data, len), &arena, DECODE_LENIENT, &findings);
	return rules_of(&findings);
}

static uint32_t pfcp_rules(const uint8_t *data, size_t len)
{
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct pfcp_message msg;
	struct arena arena;

	arena_init(&arena, room, sizeof(room));
	if (pfcp_decode(&msg, OCTETS(data, len), &arena, DECODE_LENIENT, &findings) ==
		    FINDING_NONE &&
	    findings.count == 0)
		pfcp_check(&msg, &findings);
	return rules_of(&findings);
}

static uint32_t sbi_rules(const uint8_t *data, size_t len)
{
	const uint8_t *colon = memchr(data, ':', len);
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct octets name;
	struct octets value;
	struct sbi_load load[2];
	struct arena arena;
	enum sbi_header header;
	size_t found;

	ck_assert_ptr_nonnull(colon);
	name = OCTETS(data, (size_t)(colon - data));
	value = OCTETS(colon + 2, len - name.len - 2);
	arena_init(&arena, room, sizeof(room));
	header = sbi_header_of(name);
	if (header == SBI_HEADER_OCI || header == SBI_HEADER_LCI)
		(header == SBI_HEADER_OCI ? sbi_oci_read : sbi_lci_read)(
			load, 2, &found, &value, 1, SBI_REL_18, &arena, DECODE_LENIENT, &findings);
	else
		sbi_header_check(name, value, SBI_REL_18, &arena, &findings);
	return rules_of(&findings);
}

#define RULE(rule) (UINT32_C(1) << FINDING_##rule)

static const struct protocol {
	const char *name;
	mutate_fn *mutate;
	cross_fn *cross;
	rules_fn *rules;
	uint32_t broken[FAULTS]; /* what a fault may be seen as; 0: it has no such rule */
} protocols[] = {
	{ .name = "NGAP",
	  .mutate = mutate_ngap,
	  .cross = cross_ngap,
	  .rules = ngap_rules,
	  .broken = {
		  /* wherever the octets behind it happen to fall */
		  [FAULT_LENGTH] = UINT32_MAX,
		  [FAULT_DUPLICATE] = RULE(DUPLICATE),
		  [FAULT_MISSING] = RULE(MISSING),
		  [FAULT_ORDER] = RULE(ORDER),
		  [FAULT_CRITICALITY] = RULE(CRITICALITY),
		  [FAULT_UNKNOWN_ID] = RULE(UNKNOWN_IE),
		  [FAULT_EXTENSION_BIT] = RULE(TRUNCATED),
		  [FAULT_SIZE] = RULE(TRAILING) | RULE(TRUNCATED),
		  [FAULT_FRAGMENT] = RULE(LENGTH_NOT_MINIMAL) | RULE(SYNTAX),
		  [FAULT_WRONG_MESSAGE] = RULE(UNKNOWN_MESSAGE),
	  } },
	{ .name = "NAS",
	  .mutate = mutate_nas,
	  .cross = cross_nas,
	  .rules = nas_rules,
	  .broken = {
		  /* what a mandatory IE whose length is wrong was is not there */
			[FAULT_LENGTH] = RULE(TRUNCATED) | RULE(MISSING),
		  [FAULT_DUPLICATE] = RULE(DUPLICATE),
		  [FAULT_MISSING] = RULE(MISSING),
		  [FAULT_ORDER] = RULE(ORDER),
		  [FAULT_UNKNOWN_ID] = RULE(UNKNOWN_IE),
		  [FAULT_EXTENSION_BIT] = RULE(RESERVED),
		  /* a value that is too long may be wrong in what the octet more means, too */
		  [FAULT_SIZE] = RULE(LENGTH) | RULE(RANGE) | RULE(RESERVED) | RULE(TRUNCATED) |
				 RULE(SYNTAX) | RULE(NOT_COMPREHENDED),
		  [FAULT_WRONG_MESSAGE] = RULE(UNKNOWN_MESSAGE),
	  } },
	{ .name = "PFCP",
	  .mutate = mutate_pfcp,
	  .cross = cross_pfcp,
	  .rules = pfcp_rules,
	  .broken = {
		  [FAULT_LENGTH] = RULE(LENGTH),
		  [FAULT_DUPLICATE] = RULE(DUPLICATE),
		  [FAULT_MISSING] = RULE(MISSING),
		  [FAULT_UNKNOWN_ID] = RULE(UNKNOWN_IE),
		  [FAULT_SIZE] = RULE(LENGTH) | RULE(RANGE) | RULE(TRUNCATED),
		  [FAULT_WRONG_MESSAGE] = RULE(UNKNOWN_MESSAGE),
	  } },
	{ .name = "SBI",
	  .mutate = mutate_sbi,
	  .cross = cross_sbi,
	  .rules = sbi_rules,
	  .broken = {
		  [FAULT_DUPLICATE] = RULE(DUPLICATE),
		  [FAULT_MISSING] = RULE(MISSING),
		  [FAULT_ORDER] = RULE(ORDER),
		  [FAULT_UNKNOWN_ID] = RULE(UNKNOWN_IE),
		  [FAULT_SIZE] = RULE(RANGE),
		  [FAULT_FRAGMENT] = RULE(LENGTH_NOT_MINIMAL),
	  } },
};

enum { PROTOCOLS = sizeof(protocols) / sizeof(protocols[0]) };

/* Mutants of mutants, from nothing on. */
START_TEST(test_valid)
{
	const struct protocol *p = &protocols[_i];
	struct chance chance = chance_of(1);
	static uint8_t data[MAX];
	size_t good = 0;
	size_t made = 0;
	size_t len = 0;

	for (int i = 0; i < ROUNDS; i++) {
		enum mutation_fault fault = FAULT_NONE;
		size_t now = p->mutate(data, len, MAX, MUTATION_VALID, &fault, &chance);

		ck_assert(fault == FAULT_NONE);
		ck_assert_uint_le(now, MAX);
		if (!now)
			continue;
		len = now;
		made++;
		good += p->rules(data, len) == 0;
	}
	printf("%s: %zu valid of %zu mutants\n", p->name, good, made);
	ck_assert_uint_ge(made, ROUNDS * 9 / 10);
	ck_assert_uint_ge(good * 100, made * 95);
}
END_TEST

START_TEST(test_one_fault)
{
	const struct protocol *p = &protocols[_i / FAULTS];
	enum mutation_fault wanted = (enum mutation_fault)(_i % FAULTS);
	struct chance chance = chance_of(2);
	static uint8_t data[MAX];
	size_t made = 0;
	size_t exact = 0;

	for (int i = 0; i < ROUNDS / 8; i++) {
		enum mutation_fault fault = wanted;
		size_t len = p->mutate(data, 0, MAX, MUTATION_FAULT, &fault, &chance);
		uint32_t rules;

		if (wanted == FAULT_NONE || !len || fault == FAULT_NONE)
			continue;
		ck_assert(fault == wanted);
		made++;
		rules = p->rules(data, len);
		exact += rules != 0 && (rules & ~p->broken[wanted]) == 0;
	}
	if (wanted == FAULT_NONE || !p->broken[wanted]) {
		ck_assert_uint_eq(made, 0);
		return;
	}
	printf("%s, %s: %zu of %zu\n", p->name, mutation_fault_name(wanted), exact, made);
	ck_assert_uint_gt(made, ROUNDS / 16);
	ck_assert_uint_ge(exact * 100, made * 95);
}
END_TEST

START_TEST(test_same_seed)
{
	const struct protocol *p = &protocols[_i];
	static uint8_t data[2][MAX];
	size_t len[2] = { 0, 0 };

	for (int side = 0; side < 2; side++) {
		struct chance chance = chance_of(3);

		for (int i = 0; i < 200; i++) {
			enum mutation_fault fault = FAULT_NONE;

			len[side] = p->mutate(data[side], len[side], MAX,
					      (enum mutation_mode)(i % MUTATION_MODES), &fault,
					      &chance);
		}
	}
	ck_assert_uint_eq(len[0], len[1]);
	ck_assert_int_eq(memcmp(data[0], data[1], len[0]), 0);
}
END_TEST

/* Parts of one message in another: no more is asked than that the result decodes. */
START_TEST(test_cross)
{
	const struct protocol *p = &protocols[_i];
	struct chance chance = chance_of(4);
	static uint8_t a[MAX];
	static uint8_t b[MAX];
	size_t crossed = 0;

	for (int i = 0; i < ROUNDS / 8; i++) {
		enum mutation_fault fault = FAULT_NONE;
		size_t len = p->mutate(a, 0, MAX, MUTATION_VALID, &fault, &chance);
		size_t other = p->mutate(b, 0, MAX, MUTATION_VALID, &fault, &chance);

		crossed += p->cross(a, len, MAX, b, other, &chance) > 0;
	}
	ck_assert_uint_gt(crossed, ROUNDS / 16);
}
END_TEST

/* Protected messages: opened and protected again, so that most of them verify. */
START_TEST(test_integrity)
{
	struct nas_security_suite suite = nas_keys_suite();
	struct nas_security_position position = nas_keys_position();
	struct chance chance = chance_of(5);
	static uint8_t data[MAX];
	const uint8_t inner[] = { 0x7e, 0, 0x64, 0x6f };
	size_t len;
	size_t right = 0;
	size_t wrong = 0;

	ck_assert(nas_security_protect(&suite, &position, NAS_INTEGRITY_PROTECTED_AND_CIPHERED,
				       OCTETS(inner, sizeof(inner)), data, MAX,
				       &len) == NAS_SECURITY_OK);
	for (int i = 0; i < 1000; i++) {
		enum mutation_fault fault = FAULT_NONE;
		size_t now = mutate_nas(data, len, MAX, MUTATION_VALID, &fault, &chance);

		if (!now)
			continue;
		len = now;
		if (nas_security_verify(&suite, &position, OCTETS(data, len)) == NAS_SECURITY_OK)
			right++;
		else
			wrong++;
	}
	printf("MAC right %zu, wrong %zu\n", right, wrong);
	ck_assert_uint_gt(right, 500);
	ck_assert_uint_gt(wrong, 50);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mutator");
	TCase *tcase = tcase_create("mutator");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, test_valid, 0, PROTOCOLS);
	tcase_add_loop_test(tcase, test_one_fault, 0, PROTOCOLS * FAULTS);
	tcase_add_loop_test(tcase, test_same_seed, 0, PROTOCOLS);
	tcase_add_loop_test(tcase, test_cross, 0, PROTOCOLS);
	tcase_add_test(tcase, test_integrity);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
