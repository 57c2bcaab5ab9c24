/* What the two programs share that build every typed message and compare it with its vector. */
#ifndef SPILLWAY_CODECS_NGAP_TEST_NGAP_BUILD_H
#define SPILLWAY_CODECS_NGAP_TEST_NGAP_BUILD_H

#include <check.h>

#include "codecs/ngap/test_ngap.h"

struct builder {
	const char *vector;
	void (*build)(void);
};

static uint8_t memory[64 * 1024];
static struct arena arena;
static uint8_t encoded[2048];
static ssize_t encoded_len;

#define O(...)	     OCTETS(((const uint8_t[]){ __VA_ARGS__ }), sizeof((const uint8_t[]){ __VA_ARGS__ }))
#define BITS(n, ...) PER_BITS(((const uint8_t[]){ __VA_ARGS__ }), n)
#define LIST(type, ...)                                                        \
	{                                                                      \
		.count = sizeof((const type[]){ __VA_ARGS__ }) / sizeof(type), \
		.items = (const type[])                                        \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define TEXT(s)	      OCTETS((const uint8_t *)(s), sizeof(s) - 1)
#define PLMN	      O(0x99, 0xf9, 0x07)
#define TAC	      O(0, 0, 1)
#define SD	      O(1, 2, 3)
#define NAS	      O(0x7e, 0x00, 0x44, 0x16, 0x5f, 0x01, 0x3e)
#define ADDRESS(last) BITS(32, 10, 0, 0, last)
#define SST(n)              \
	{                   \
		.sst = O(n) \
	}
#define SST_SD(n)                                         \
	{                                                 \
		.sst = O(n), .sd = &(const struct octets) \
		{                                         \
			SD.data, 3                        \
		}                                         \
	}
#define TAI                                       \
	{                                         \
		.plmn_identity = PLMN, .tac = TAC \
	}
#define GUAMI(region, set, pointer)                                                \
	{                                                                          \
		.plmn_identity = PLMN, .amf_region_id = region, .amf_set_id = set, \
		.amf_pointer = pointer                                             \
	}
#define CAUSE(alternative, member, value)                                               \
	(const struct ngap_cause)                                                       \
	{                                                                               \
		.choice = NGAP_CAUSE_CHOICE_##alternative, .member = NGAP_CAUSE_##value \
	}
#define EXTENSION(ie_id, crit, ie_type, pointer)                                       \
	&(const struct ngap_ie_list)                                                   \
	{                                                                              \
		1, &(const struct ngap_ie)                                             \
		{                                                                      \
			.id = NGAP_ID_##ie_id, .criticality = NGAP_CRITICALITY_##crit, \
			.type = NGAP_TYPE_##ie_type, .value = pointer                  \
		}                                                                      \
	}

static inline struct ngap_pdu start(enum ngap_message message)
{
	struct ngap_pdu pdu;

	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, message, &arena);
	return pdu;
}

/* Encodes while the literals of the builder are still there. */
static inline void finish(const struct ngap_pdu *pdu)
{
	encoded_len = ngap_encode(pdu, encoded, sizeof(encoded));
}

extern const struct builder builders[];
extern const size_t builder_count;

START_TEST(built_message_is_its_vector)
{
	const char *name = builders[_i].vector;
	FILE *file = open_source("fixtures/vectors/ngap.txt");
	char hex[2 * sizeof(encoded) + 1] = "";
	struct vector v;
	bool found = false;

	builders[_i].build();
	ck_assert_msg(encoded_len > 0, "%s: %zd", name, encoded_len);
	for (ssize_t i = 0; i < encoded_len; i++)
		snprintf(hex + 2 * i, 3, "%02x", encoded[i]);
	while (!found && next_vector(file, &v))
		found = strcmp(v.name, name) == 0;
	fclose(file);
	ck_assert_msg(found && v.len == (size_t)encoded_len && memcmp(v.data, encoded, v.len) == 0,
		      "%s %s", name, hex);
}
END_TEST

/* Room for one octet less is not enough, wherever the message ends. */
START_TEST(no_room)
{
	builders[_i].build();
	ck_assert_int_gt(encoded_len, 0);

	struct test *t;
	size_t whole = (size_t)encoded_len;

	ck_assert_int_eq(decode_octets(&t, encoded, whole, DECODE_STRICT), 0);
	for (size_t size = 0; size < whole; size++) {
		uint8_t *out = malloc(size ? size : 1);

		ck_assert_int_eq(ngap_encode(&t->pdu, out, size), -ENOSPC);
		free(out);
	}
}
END_TEST

/* An arena that is too small is -ENOMEM, never anything else. */
START_TEST(no_memory)
{
	static uint8_t small[8192];
	struct ngap_pdu pdu;
	struct arena tight;

	builders[_i].build();
	for (size_t size = 0;; size += 8) {
		int error;

		ck_assert_uint_lt(size, NGAP_ARENA_SIZE);
		arena_init(&tight, small, size);
		error = ngap_decode(&pdu, OCTETS(encoded, (size_t)encoded_len), &tight,
				    DECODE_STRICT, NULL);
		if (error == 0)
			break;
		ck_assert_int_eq(error, -ENOMEM);
	}
}
END_TEST

static int run_builders(const char *name)
{
	Suite *suite = suite_create(name);
	TCase *tc = tcase_create(name);
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tc, built_message_is_its_vector, 0, (int)builder_count);
	tcase_add_loop_test(tc, no_room, 0, (int)builder_count);
	tcase_add_loop_test(tc, no_memory, 0, (int)builder_count);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
