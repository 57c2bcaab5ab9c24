/* SUCI against the data of TS 33.501 C.4, in both directions, and against what an attacker sends.
 */
#include <check.h>
#include <openssl/err.h>
#include <stdlib.h>

#include "codecs/nas/security/suci.h"
#include "codecs/nas/security/test_hex.h"

#define PRIVATE_A "c53c22208b61860b06c62e5406a7b330c2b577aa5558981510d128247d38bd1d"
#define PUBLIC_A  "5a8d38864820197c3394b92613b20b91633cbd897119273bf8e4a6f4eec0a650"
#define PRIVATE_B "f1ab1074477ebcc7f554ea1c5fc368b1616730155e0041ac447d6301975fecda"
#define PUBLIC_B  "0272da71976234ce833a6907425867b82e074d44ef907dfb4b3e21c1c2256ebcd1"
#define UNCOMPRESSED                                                         \
	"0472da71976234ce833a6907425867b82e074d44ef907dfb4b3e21c1c2256ebcd1" \
	"5a7ded52fcbb097a4ed250e036c7b9c8c7004c4eedc4f068cd7bf8d3f900e3b4"

#define OK(call) ck_assert_uint_eq((call), NAS_SECURITY_OK)

struct set {
	enum suci_protection_scheme scheme;
	const char *hn_private, *hn_public, *ephemeral, *input, *output;
};

/* C.4.2 to C.4.4 */
static const struct set sets[] = {
	{ SUCI_NULL_SCHEME, PRIVATE_A, "", PRIVATE_A, "00012080f6", "00012080f6" },
	{ SUCI_PROFILE_A, PRIVATE_A, PUBLIC_A,
	  "c80949f13ebe61af4ebdbd293ea4f942696b9e815d7e8f0096bbf6ed7de62256", "00012080f6",
	  "b2e92f836055a255837debf850b528997ce0201cb82adfe4be1f587d07d8457d"
	  "cb02352410"
	  "cddd9e730ef3fa87" },
	{ SUCI_PROFILE_A, PRIVATE_A, PUBLIC_A,
	  "be9eff3e9f22a4b42a3d236e7a6c500b3f2e7e0c7449988ba800d664bf4fcd97",
	  "766572796c6f6e67757365726e616d6531",
	  "977d8b2fdaa7b64aa700d04227d5b440630ea4ec50f9082273a26bb678c92222"
	  "8e358a1582adb15322c10e515141d2039a"
	  "12e1d7783a97f1ac" },
	{ SUCI_PROFILE_B, PRIVATE_B, PUBLIC_B,
	  "99798858a1dc6a2c68637149a4b1dbfd1fdff5addd62a2142f06699ed7602529", "00012080f6",
	  "039aab8376597021e855679a9778ea0b67396e68c66df32c0f41e9acca2da9b9d1"
	  "46a33fc271"
	  "6ac7dae96aa30a4d" },
	{ SUCI_PROFILE_B, PRIVATE_B, UNCOMPRESSED,
	  "90a5898bd29ffa3f261e00e980067c70a2b1b992a21f5b4fef6d4df69fe804ad",
	  "766572796c6f6e67757365726e616d6531",
	  "03759bb22c563d9f4a6b3c1419e543fc2f39d6823f02a9d71162b39399218b244b"
	  "be22d8b9f856a52ed381cd7eaf4cf2d525"
	  "3cddc61a0a7882eb" },
};

START_TEST(published)
{
	const struct set *set = &sets[_i];
	uint8_t private_key[32], public_key[65], ephemeral[32], input[64], output[128], out[128];
	size_t public_len = hex(set->hn_public, public_key, sizeof(public_key));
	size_t input_len = hex(set->input, input, sizeof(input));
	size_t len = 0;

	hex(set->hn_private, private_key, sizeof(private_key));
	hex(set->ephemeral, ephemeral, sizeof(ephemeral));
	OK(suci_conceal(set->scheme, OCTETS(public_key, public_len), ephemeral,
			OCTETS(input, input_len), output, sizeof(output), &len));
	assert_hex(output, len, set->output);
	ck_assert_uint_eq(len, input_len + suci_overhead(set->scheme));
	OK(suci_reveal(set->scheme, private_key, OCTETS(output, len), out, sizeof(out), &len));
	assert_hex(out, len, set->input);
}
END_TEST

START_TEST(public_keys)
{
	uint8_t private_key[32], out[33];
	size_t len;

	hex(PRIVATE_A, private_key, 32);
	OK(suci_public_key(SUCI_PROFILE_A, private_key, out, &len));
	assert_hex(out, len, PUBLIC_A);
	hex(PRIVATE_B, private_key, 32);
	OK(suci_public_key(SUCI_PROFILE_B, private_key, out, &len));
	assert_hex(out, len, PUBLIC_B);
	ck_assert_uint_eq(suci_public_key(SUCI_NULL_SCHEME, private_key, out, &len),
			  NAS_SECURITY_BAD_VALUE);
	memset(private_key, 0, 32);
	ck_assert_uint_eq(suci_public_key(SUCI_PROFILE_B, private_key, out, &len),
			  NAS_SECURITY_BAD_KEY);
	memset(private_key, 0xff, 32);
	ck_assert_uint_eq(suci_public_key(SUCI_PROFILE_B, private_key, out, &len),
			  NAS_SECURITY_BAD_KEY);
}
END_TEST

/* Any 32 octets serve as an ephemeral key, those outside the range of P-256 too. */
START_TEST(every_ephemeral_key)
{
	static const char *const ephemerals[] = {
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0000000000000000000000000000000000000000000000000000000000000001",
		"ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550",
		"ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
		"ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552",
		"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	};
	const struct set *set = &sets[_i];
	uint8_t private_key[32], public_key[65], ephemeral[32], output[128], out[128];
	size_t public_len = hex(set->hn_public, public_key, sizeof(public_key));
	const uint8_t input[] = { 0x10, 0x32 };

	hex(set->hn_private, private_key, sizeof(private_key));
	for (size_t i = 0; i < sizeof(ephemerals) / sizeof(ephemerals[0]); i++) {
		size_t len;

		hex(ephemerals[i], ephemeral, sizeof(ephemeral));
		OK(suci_conceal(set->scheme, OCTETS(public_key, public_len), ephemeral,
				OCTETS(input, 2), output, sizeof(output), &len));
		OK(suci_reveal(set->scheme, private_key, OCTETS(output, len), out, sizeof(out),
			       &len));
		ck_assert_uint_eq(len, 2);
		ck_assert_mem_eq(out, input, 2);
	}
}
END_TEST

START_TEST(tampering)
{
	const struct set *set = &sets[_i];
	uint8_t private_key[32], output[128], out[128];
	size_t len = hex(set->output, output, sizeof(output)), out_len;

	hex(set->hn_private, private_key, sizeof(private_key));
	for (size_t bit = 0; bit < len * 8; bit++) {
		enum nas_security_status status;

		if (set->scheme == SUCI_PROFILE_A && bit == 31 * 8 + 7)
			continue; /* X25519 ignores it; but see below */
		output[bit / 8] ^= (uint8_t)(1 << bit % 8);
		memset(out, 0xee, sizeof(out));
		status = suci_reveal(set->scheme, private_key, OCTETS(output, len), out,
				     sizeof(out), &out_len);
		ck_assert(status == NAS_SECURITY_MAC_MISMATCH || status == NAS_SECURITY_BAD_KEY);
		for (size_t i = 0; i < sizeof(out); i++)
			ck_assert_uint_eq(out[i], 0xee);
		output[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	if (set->scheme == SUCI_PROFILE_A) {
		/* The shared secret is the same, but the key octets go into the KDF as they are. */
		output[31] ^= 0x80;
		ck_assert_uint_eq(suci_reveal(set->scheme, private_key, OCTETS(output, len), out,
					      sizeof(out), &out_len),
				  NAS_SECURITY_MAC_MISMATCH);
	}
	ck_assert_uint_eq(ERR_peek_error(), 0);
}
END_TEST

START_TEST(wrong_key)
{
	const struct set *set = &sets[_i];
	uint8_t private_key[32], output[128], out[128];
	size_t len = hex(set->output, output, sizeof(output));

	hex(set->hn_private, private_key, sizeof(private_key));
	private_key[20] ^= 1;
	ck_assert_uint_eq(
		suci_reveal(set->scheme, private_key, OCTETS(output, len), out, sizeof(out), &len),
		NAS_SECURITY_MAC_MISMATCH);
}
END_TEST

START_TEST(truncated)
{
	const struct set *set = &sets[_i];
	uint8_t private_key[32], whole[128], out[128];
	size_t len = hex(set->output, whole, sizeof(whole)), out_len;

	hex(set->hn_private, private_key, sizeof(private_key));
	for (size_t n = 0; n < len; n++) {
		uint8_t *exact = malloc(n + 1);
		enum nas_security_status status;

		ck_assert_ptr_nonnull(exact);
		exact = realloc(exact, n > 0 ? n : 1);
		ck_assert_ptr_nonnull(exact);
		memcpy(exact, whole, n);
		status = suci_reveal(set->scheme, private_key, OCTETS(exact, n), out, sizeof(out),
				     &out_len);
		ck_assert_uint_eq(status, n <= suci_overhead(set->scheme)
						  ? NAS_SECURITY_BAD_LENGTH
						  : NAS_SECURITY_MAC_MISMATCH);
		free(exact);
	}
}
END_TEST

START_TEST(bad_keys)
{
	uint8_t private_key[32], output[46] = { 0 }, out[64], key[65];
	const uint8_t ephemeral[32] = { 1 }, input[5] = { 1, 2, 3, 4, 5 };
	const struct octets in = OCTETS(input, 5);
	size_t len;

	/* X25519: points of low order give a secret that everybody knows */
	hex(PRIVATE_A, private_key, 32);
	ck_assert_uint_eq(suci_reveal(SUCI_PROFILE_A, private_key, OCTETS(output, 45), out,
				      sizeof(out), &len),
			  NAS_SECURITY_BAD_KEY);
	output[0] = 1;
	ck_assert_uint_eq(suci_reveal(SUCI_PROFILE_A, private_key, OCTETS(output, 45), out,
				      sizeof(out), &len),
			  NAS_SECURITY_BAD_KEY);

	/* P-256: infinity, unknown forms, an x without a point */
	hex(PRIVATE_B, private_key, 32);
	for (unsigned int form = 0; form < 256; form++) {
		memset(output, 0, sizeof(output));
		output[0] = (uint8_t)form;
		output[32] = form == 2 || form == 3 ? 1 : 5; /* x = 1 is on no point, x = 5 is */
		ck_assert_uint_eq(suci_reveal(SUCI_PROFILE_B, private_key, OCTETS(output, 46), out,
					      sizeof(out), &len),
				  NAS_SECURITY_BAD_KEY);
	}
	memset(private_key, 0, 32);
	hex(sets[3].output, output, sizeof(output));
	ck_assert_uint_eq(suci_reveal(SUCI_PROFILE_B, private_key, OCTETS(output, 46), out,
				      sizeof(out), &len),
			  NAS_SECURITY_BAD_KEY);

	hex(PUBLIC_B, key, sizeof(key));
	ck_assert_uint_eq(suci_conceal(SUCI_PROFILE_A, OCTETS(key, 33), ephemeral, in, out,
				       sizeof(out), &len),
			  NAS_SECURITY_BAD_KEY);
	ck_assert_uint_eq(suci_conceal(SUCI_PROFILE_B, OCTETS(key, 32), ephemeral, in, out,
				       sizeof(out), &len),
			  NAS_SECURITY_BAD_KEY);
	hex(UNCOMPRESSED, key, sizeof(key));
	key[64] ^= 1;
	ck_assert_uint_eq(suci_conceal(SUCI_PROFILE_B, OCTETS(key, 65), ephemeral, in, out,
				       sizeof(out), &len),
			  NAS_SECURITY_BAD_KEY);
	key[64] ^= 1;
	key[0] = 0x06; /* the hybrid form, which OpenSSL would take */
	ck_assert_uint_eq(suci_conceal(SUCI_PROFILE_B, OCTETS(key, 65), ephemeral, in, out,
				       sizeof(out), &len),
			  NAS_SECURITY_BAD_KEY);
	ck_assert_uint_eq(ERR_peek_error(), 0);
}
END_TEST

START_TEST(bad_lengths)
{
	static const uint8_t input[SUCI_MAX_INPUT + 1] = { 0 };
	uint8_t key[32], ephemeral[32] = { 9 }, out[SUCI_MAX_INPUT + 64];
	size_t len, back;

	hex(PUBLIC_A, key, 32);
	for (int scheme = SUCI_NULL_SCHEME; scheme <= SUCI_PROFILE_A; scheme++) {
		enum suci_protection_scheme s = (enum suci_protection_scheme)scheme;

		ck_assert_uint_eq(suci_conceal(s, OCTETS(key, 32), ephemeral, OCTETS(input, 0), out,
					       sizeof(out), &len),
				  NAS_SECURITY_BAD_LENGTH);
		ck_assert_uint_eq(suci_conceal(s, OCTETS(key, 32), ephemeral,
					       OCTETS(input, sizeof(input)), out, sizeof(out),
					       &len),
				  NAS_SECURITY_BAD_LENGTH);
		OK(suci_conceal(s, OCTETS(key, 32), ephemeral, OCTETS(input, SUCI_MAX_INPUT), out,
				sizeof(out), &len));
		ck_assert_uint_eq(suci_conceal(s, OCTETS(key, 32), ephemeral,
					       OCTETS(input, SUCI_MAX_INPUT), out, len - 1, &len),
				  NAS_SECURITY_NO_SPACE);
	}
	hex(PRIVATE_A, key, 32);
	hex(sets[1].output, out, sizeof(out));
	ck_assert_uint_eq(suci_reveal(SUCI_PROFILE_A, key, OCTETS(out, 45), ephemeral, 4, &back),
			  NAS_SECURITY_NO_SPACE);
	for (int scheme = 3; scheme < 16; scheme++) {
		enum suci_protection_scheme s = (enum suci_protection_scheme)scheme;

		ck_assert_uint_eq(suci_overhead(s), 0);
		ck_assert_uint_eq(suci_conceal(s, OCTETS(key, 32), ephemeral, OCTETS(input, 5), out,
					       sizeof(out), &len),
				  NAS_SECURITY_BAD_VALUE);
		ck_assert_uint_eq(suci_reveal(s, key, OCTETS(out, 45), out, sizeof(out), &len),
				  NAS_SECURITY_BAD_VALUE);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("suci");
	TCase *tc = tcase_create("suci");
	SRunner *runner = srunner_create(suite);
	const int all = (int)(sizeof(sets) / sizeof(sets[0]));
	int failed;

	tcase_add_loop_test(tc, published, 0, all);
	tcase_add_test(tc, public_keys);
	tcase_add_loop_test(tc, every_ephemeral_key, 1, all);
	tcase_add_loop_test(tc, tampering, 1, all);
	tcase_add_loop_test(tc, wrong_key, 1, all);
	tcase_add_loop_test(tc, truncated, 1, all);
	tcase_add_test(tc, bad_keys);
	tcase_add_test(tc, bad_lengths);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
