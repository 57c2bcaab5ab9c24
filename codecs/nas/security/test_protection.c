/* Protecting and unprotecting NAS messages, over all pairs of algorithms, and what must not pass.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

#include "codecs/nas/security/protection.h"
#include "codecs/nas/security/test_hex.h"

static const struct nas_security_position uplink = {
	.count = 0x0102fe,
	.connection = NAS_CONNECTION_3GPP,
	.direction = NAS_UPLINK,
};

static const uint8_t plain[] = { 0x7e, 0x00, 0x43, 0x01, 0x00, 0xa5, 0x5a, 0x33, 0xcc };
static const struct octets inner = { plain, sizeof(plain) };

enum { PROTECTED_SIZE = sizeof(plain) + NAS_SECURITY_HEADER_SIZE };

#define OK(call) ck_assert_uint_eq((call), NAS_SECURITY_OK)

static struct nas_security_suite suite_of(int pair)
{
	struct nas_security_suite suite = {
		.nea = (enum nea)(pair / 4),
		.nia = (enum nia)(pair % 4),
	};

	for (uint8_t i = 0; i < 16; i++) {
		suite.k_nas_enc[i] = (uint8_t)(0x10 + i);
		suite.k_nas_int[i] = (uint8_t)(0xa0 ^ i);
	}
	return suite;
}

static void protect(const struct nas_security_suite *suite, enum nas_security_header_type type,
		    uint8_t out[PROTECTED_SIZE])
{
	size_t len = 0;

	OK(nas_security_protect(suite, &uplink, type, inner, out, PROTECTED_SIZE, &len));
	ck_assert_uint_eq(len, PROTECTED_SIZE);
}

START_TEST(round_trip)
{
	const struct nas_security_suite suite = suite_of(_i);

	for (unsigned int type = 1; type <= 4; type++) {
		uint8_t message[PROTECTED_SIZE], back[sizeof(plain)];
		bool ciphered = type == 2 || type == 4;
		struct nas_security_header header;
		size_t len = 0;

		protect(&suite, (enum nas_security_header_type)type, message);
		OK(nas_security_parse(OCTETS(message, sizeof(message)), &header));
		ck_assert_uint_eq(header.type, type);
		ck_assert_uint_eq(header.sequence_number, 0xfe);
		ck_assert_uint_eq(header.message.len, sizeof(plain));
		if (ciphered && suite.nea != NEA0)
			ck_assert_mem_ne(header.message.data, plain, sizeof(plain));
		else
			ck_assert_mem_eq(header.message.data, plain, sizeof(plain));
		if (suite.nia == NIA0)
			assert_hex(header.mac, 4, "00000000");
		else
			ck_assert_mem_ne(header.mac, "\0\0\0\0", 4);

		OK(nas_security_verify(&suite, &uplink, OCTETS(message, sizeof(message))));
		OK(nas_security_unprotect(&suite, &uplink, OCTETS(message, sizeof(message)), back,
					  sizeof(back), &len));
		ck_assert_uint_eq(len, sizeof(plain));
		ck_assert_mem_eq(back, plain, sizeof(plain));

		/* in place, and with the message moved to the front */
		OK(nas_security_unprotect(&suite, &uplink, OCTETS(message, sizeof(message)),
					  message, sizeof(message), &len));
		ck_assert_mem_eq(message, plain, sizeof(plain));
	}
}
END_TEST

START_TEST(in_place)
{
	const struct nas_security_suite suite = suite_of(4 * NEA2 + NIA2);
	uint8_t apart[PROTECTED_SIZE], joined[PROTECTED_SIZE];
	size_t len;

	protect(&suite, NAS_INTEGRITY_PROTECTED_AND_CIPHERED, apart);
	memcpy(joined, plain, sizeof(plain));
	OK(nas_security_protect(&suite, &uplink, NAS_INTEGRITY_PROTECTED_AND_CIPHERED,
				OCTETS(joined, sizeof(plain)), joined, sizeof(joined), &len));
	ck_assert_mem_eq(apart, joined, sizeof(apart));
}
END_TEST

/* Every bit of MAC, sequence number and message counts; the header type is not under the MAC. */
START_TEST(tampering)
{
	const struct nas_security_suite suite = suite_of(_i);

	for (size_t bit = 0; bit < PROTECTED_SIZE * 8; bit++) {
		uint8_t message[PROTECTED_SIZE], back[sizeof(plain)];
		enum nas_security_status status;
		size_t octet = bit / 8, len;

		protect(&suite, NAS_INTEGRITY_PROTECTED_AND_CIPHERED, message);
		message[octet] ^= (uint8_t)(1 << bit % 8);
		memset(back, 0xee, sizeof(back));
		status = nas_security_unprotect(&suite, &uplink, OCTETS(message, sizeof(message)),
						back, sizeof(back), &len);
		if (octet == 0 || octet == 1)
			continue;
		if (octet == 6)
			ck_assert_uint_eq(status, NAS_SECURITY_BAD_COUNT);
		else if (suite.nia == NIA0)
			ck_assert_uint_eq(status, NAS_SECURITY_OK);
		else
			ck_assert_uint_eq(status, NAS_SECURITY_MAC_MISMATCH);
		if (status != NAS_SECURITY_OK) {
			for (size_t i = 0; i < sizeof(back); i++)
				ck_assert_uint_eq(back[i], 0xee);
		}
	}
}
END_TEST

START_TEST(wrong_context)
{
	const struct nas_security_suite suite = suite_of(_i);
	struct nas_security_suite other = suite;
	struct nas_security_position position = uplink;
	uint8_t message[PROTECTED_SIZE], back[sizeof(plain)];
	struct octets in = OCTETS(message, sizeof(message));
	size_t len;

	protect(&suite, NAS_INTEGRITY_PROTECTED_AND_CIPHERED, message);
	other.k_nas_int[7] ^= 0x10;
	ck_assert_uint_eq(nas_security_verify(&other, &uplink, in), NAS_SECURITY_MAC_MISMATCH);
	position.count += 0x100; /* another overflow counter, same sequence number */
	ck_assert_uint_eq(nas_security_verify(&suite, &position, in), NAS_SECURITY_MAC_MISMATCH);
	position.count = uplink.count + 1;
	ck_assert_uint_eq(nas_security_verify(&suite, &position, in), NAS_SECURITY_BAD_COUNT);
	position = uplink;
	position.connection = NAS_CONNECTION_NON_3GPP;
	ck_assert_uint_eq(nas_security_verify(&suite, &position, in), NAS_SECURITY_MAC_MISMATCH);
	position = uplink;
	position.direction = NAS_DOWNLINK;
	ck_assert_uint_eq(nas_security_verify(&suite, &position, in), NAS_SECURITY_MAC_MISMATCH);

	/* The MAC is over what was sent: a wrong ciphering key goes unnoticed and gives other
	 * octets. */
	other = suite;
	other.k_nas_enc[0] ^= 1;
	OK(nas_security_unprotect(&other, &uplink, in, back, sizeof(back), &len));
	if (suite.nea != NEA0)
		ck_assert_mem_ne(back, plain, sizeof(plain));
}
END_TEST

START_TEST(bad_input)
{
	const struct nas_security_suite suite = suite_of(4 * NEA1 + NIA3);
	struct nas_security_position position = uplink;
	struct nas_security_header header;
	uint8_t message[PROTECTED_SIZE + 1], back[sizeof(plain)];
	size_t len = 77;

	/* The four octets that an open core fell over (and every other length below a header's). */
	static const uint8_t short_message[] = { 0x7e, 0x02, 0x5f, 0x74 };

	ck_assert_uint_eq(nas_security_parse(OCTETS(short_message, 4), &header),
			  NAS_SECURITY_BAD_LENGTH);
	protect(&suite, NAS_INTEGRITY_PROTECTED_AND_CIPHERED, message);
	for (size_t n = 0; n < PROTECTED_SIZE; n++) {
		uint8_t *exact = malloc(n + 1);
		enum nas_security_status status;

		ck_assert_ptr_nonnull(exact);
		exact = realloc(exact, n > 0 ? n : 1);
		ck_assert_ptr_nonnull(exact);
		memcpy(exact, message, n);
		status = nas_security_unprotect(&suite, &uplink, OCTETS(exact, n), back,
						sizeof(back), &len);
		ck_assert_uint_eq(status,
				  n <= 7 ? NAS_SECURITY_BAD_LENGTH : NAS_SECURITY_MAC_MISMATCH);
		free(exact);
	}
	ck_assert_uint_eq(len, 77);
	ck_assert_uint_eq(nas_security_unprotect(&suite, &uplink, OCTETS(message, PROTECTED_SIZE),
						 back, sizeof(back) - 1, &len),
			  NAS_SECURITY_NO_SPACE);
	ck_assert_uint_eq(nas_security_parse(inner, &header), NAS_SECURITY_BAD_VALUE);
	message[1] = 5;
	ck_assert_uint_eq(nas_security_unprotect(&suite, &uplink, OCTETS(message, PROTECTED_SIZE),
						 back, sizeof(back), &len),
			  NAS_SECURITY_BAD_VALUE);
	OK(nas_security_parse(OCTETS(message, PROTECTED_SIZE), &header));
	ck_assert_uint_eq(header.type, 5);
	message[0] = 0x2e;
	ck_assert_uint_eq(nas_security_parse(OCTETS(message, PROTECTED_SIZE), &header),
			  NAS_SECURITY_BAD_VALUE);

	for (int type = 0; type < 16; type++) {
		if (type >= 1 && type <= 4)
			continue;
		ck_assert_uint_eq(nas_security_protect(&suite, &uplink,
						       (enum nas_security_header_type)type, inner,
						       message, sizeof(message), &len),
				  NAS_SECURITY_BAD_VALUE);
	}
	ck_assert_uint_eq(nas_security_protect(&suite, &uplink, NAS_INTEGRITY_PROTECTED,
					       OCTETS(plain, 0), message, sizeof(message), &len),
			  NAS_SECURITY_BAD_LENGTH);
	for (size_t size = 0; size < PROTECTED_SIZE; size++)
		ck_assert_uint_eq(nas_security_protect(&suite, &uplink, NAS_INTEGRITY_PROTECTED,
						       inner, message, size, &len),
				  NAS_SECURITY_NO_SPACE);
	position.count = NAS_COUNT_MAX + 1;
	ck_assert_uint_eq(nas_security_protect(&suite, &position, NAS_INTEGRITY_PROTECTED, inner,
					       message, sizeof(message), &len),
			  NAS_SECURITY_BAD_COUNT);
	ck_assert_uint_eq(nas_security_cipher(&suite, &position, message, 1),
			  NAS_SECURITY_BAD_COUNT);
}
END_TEST

/* An initial NAS message: its container ciphered, then the whole under the MAC, with one COUNT. */
START_TEST(message_container)
{
	const struct nas_security_suite suite = suite_of(_i);
	uint8_t container[sizeof(plain)], body[4 + sizeof(plain)] = { 0x7e, 0x00, 0x41, 0x71 };
	uint8_t message[NAS_SECURITY_HEADER_SIZE + sizeof(body)];
	uint8_t back[sizeof(body)];
	size_t len;

	memcpy(container, plain, sizeof(plain));
	OK(nas_security_cipher(&suite, &uplink, container, sizeof(container)));
	memcpy(body + 4, container, sizeof(container));
	OK(nas_security_protect(&suite, &uplink, NAS_INTEGRITY_PROTECTED,
				OCTETS(body, sizeof(body)), message, sizeof(message), &len));
	OK(nas_security_unprotect(&suite, &uplink, OCTETS(message, len), back, sizeof(back), &len));
	ck_assert_mem_eq(back, body, sizeof(body));
	OK(nas_security_cipher(&suite, &uplink, back + 4, sizeof(plain)));
	ck_assert_mem_eq(back + 4, plain, sizeof(plain));
}
END_TEST

static const struct {
	uint32_t next;
	uint8_t sequence_number;
	enum nas_security_status status;
	uint32_t count;
} estimates[] = {
	{ 0, 0, NAS_SECURITY_OK, 0 },
	{ 0, 7, NAS_SECURITY_OK, 7 },
	{ 7, 7, NAS_SECURITY_OK, 7 },
	{ 8, 7, NAS_SECURITY_OK, 0x107 }, /* a replay: its MAC will not fit 0x107 */
	{ 0xff, 0xff, NAS_SECURITY_OK, 0xff },
	{ 0xff, 0, NAS_SECURITY_OK, 0x100 },
	{ 0x100, 0, NAS_SECURITY_OK, 0x100 },
	{ 0x100, 0xff, NAS_SECURITY_OK, 0x1ff },
	{ 0x1234fe, 0x02, NAS_SECURITY_OK, 0x123502 },
	{ 0xffff80, 0xff, NAS_SECURITY_OK, 0xffffff },
	{ 0xffffff, 0xff, NAS_SECURITY_OK, 0xffffff },
	{ 0xffffff, 0xfe, NAS_SECURITY_BAD_COUNT, 0 },
	{ 0xffff80, 0x00, NAS_SECURITY_BAD_COUNT, 0 },
	{ 0x1000000, 0x00, NAS_SECURITY_BAD_COUNT, 0 },
	{ UINT32_MAX, 0xff, NAS_SECURITY_BAD_COUNT, 0 },
};

START_TEST(count_estimate)
{
	uint32_t count = 0;

	ck_assert_uint_eq(
		nas_count_estimate(estimates[_i].next, estimates[_i].sequence_number, &count),
		estimates[_i].status);
	ck_assert_uint_eq(count, estimates[_i].count);
}
END_TEST

/* Across the wrap of the sequence number, with messages lost on the way. */
START_TEST(count_wrap)
{
	const struct nas_security_suite suite = suite_of(4 * NEA3 + NIA1);
	uint32_t next = 0;

	for (uint32_t sent = 0; sent < 0x500; sent += 1 + sent % 97) {
		struct nas_security_position position = uplink;
		uint8_t message[PROTECTED_SIZE];
		struct nas_security_header header;
		struct octets in = OCTETS(message, sizeof(message));
		size_t len;

		position.count = sent;
		OK(nas_security_protect(&suite, &position, NAS_INTEGRITY_PROTECTED, inner, message,
					sizeof(message), &len));
		OK(nas_security_parse(in, &header));
		OK(nas_count_estimate(next, header.sequence_number, &position.count));
		ck_assert_uint_eq(position.count, sent);
		OK(nas_security_verify(&suite, &position, in));
		next = position.count + 1;

		OK(nas_count_estimate(next, header.sequence_number, &position.count));
		ck_assert_uint_eq(nas_security_verify(&suite, &position, in),
				  NAS_SECURITY_MAC_MISMATCH);
	}
}
END_TEST

static void *protect_in_thread(void *arg)
{
	const struct nas_security_suite suite = suite_of(4 * NEA2 + NIA2);
	size_t len;

	for (int i = 0; i < 200; i++) {
		if (nas_security_protect(&suite, &uplink, NAS_INTEGRITY_PROTECTED_AND_CIPHERED,
					 inner, arg, PROTECTED_SIZE, &len) != NAS_SECURITY_OK)
			return NULL;
	}
	return arg;
}

/* OpenSSL's contexts are per thread and end with it (the leak sanitizer looks on). */
START_TEST(threads)
{
	const struct nas_security_suite suite = suite_of(4 * NEA2 + NIA2);
	uint8_t expected[PROTECTED_SIZE], out[4][PROTECTED_SIZE];
	pthread_t thread[4];

	protect(&suite, NAS_INTEGRITY_PROTECTED_AND_CIPHERED, expected);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, protect_in_thread, out[i]), 0);
	for (size_t i = 0; i < 4; i++) {
		void *result;

		ck_assert_int_eq(pthread_join(thread[i], &result), 0);
		ck_assert_ptr_eq(result, out[i]);
		ck_assert_mem_eq(out[i], expected, sizeof(expected));
	}
}
END_TEST

START_TEST(status_names)
{
	for (int a = 0; a <= NAS_SECURITY_CRYPTO; a++) {
		for (int b = 0; b < a; b++)
			ck_assert_str_ne(nas_security_status_name((enum nas_security_status)a),
					 nas_security_status_name((enum nas_security_status)b));
	}
	ck_assert_str_eq(nas_security_status_name((enum nas_security_status)99), "unknown status");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nas security protection");
	TCase *tc = tcase_create("protection");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tc, round_trip, 0, 16);
	tcase_add_test(tc, in_place);
	tcase_add_loop_test(tc, tampering, 0, 16);
	for (int nea = 0; nea < 4; nea++)
		tcase_add_loop_test(tc, wrong_context, 4 * nea + 1, 4 * nea + 4);
	tcase_add_test(tc, bad_input);
	tcase_add_loop_test(tc, message_container, 0, 16);
	tcase_add_loop_test(tc, count_estimate, 0, (int)(sizeof(estimates) / sizeof(estimates[0])));
	tcase_add_test(tc, count_wrap);
	tcase_add_test(tc, threads);
	tcase_add_test(tc, status_names);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
