/*
 * The algorithms against the published test data, and AES' two modes against OpenSSL's own
 * objects at every length around their block and chunk limits.
 */
#include <check.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>

#include "codecs/nas/security/aes.h"
#include "codecs/nas/security/algorithms.h"
#include "codecs/nas/security/snow3g.h"
#include "codecs/nas/security/test_hex.h"
#include "codecs/nas/security/words.h"
#include "codecs/nas/security/zuc.h"

struct set {
	int algorithm;
	int number;
	const char *key;
	uint32_t count;
	uint32_t bearer_or_fresh;
	int direction;
	size_t bits;
	const char *in;
	const char *out;
};

static const struct set nea_sets[] = {
#define NEA_SET(...) { __VA_ARGS__ },
#include "codecs/nas/security/test_algorithms.def"
#undef NEA_SET
};

static const struct set nia_sets[] = {
#define NIA_SET(...) { __VA_ARGS__ },
#include "codecs/nas/security/test_algorithms.def"
#undef NIA_SET
};

static const struct set uia2_sets[] = {
#define UIA2_SET(...) { 1, __VA_ARGS__ },
#include "codecs/nas/security/test_algorithms.def"
#undef UIA2_SET
};

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* A copy whose end the address sanitizer knows. */
static uint8_t *exact(const char *text, size_t *len)
{
	uint8_t *out = malloc(strlen(text) / 2 + 1);

	ck_assert_ptr_nonnull(out);
	*len = hex(text, out, strlen(text) / 2);
	out = realloc(out, *len);
	ck_assert_ptr_nonnull(out);
	return out;
}

START_TEST(published_nea)
{
	const struct set *set = &nea_sets[_i];
	uint8_t key[16];
	size_t len;
	uint8_t *data = exact(set->in, &len);

	hex(set->key, key, sizeof(key));
	ck_assert_uint_eq(nea_cipher((enum nea)set->algorithm, key, set->count,
				     (uint8_t)set->bearer_or_fresh,
				     (enum nas_direction)set->direction, data, set->bits),
			  NAS_SECURITY_OK);
	assert_hex(data, len, set->out);
	ck_assert_uint_eq(nea_cipher((enum nea)set->algorithm, key, set->count,
				     (uint8_t)set->bearer_or_fresh,
				     (enum nas_direction)set->direction, data, set->bits),
			  NAS_SECURITY_OK);
	assert_hex(data, len, set->in);
	free(data);
}
END_TEST

START_TEST(published_nia)
{
	const struct set *set = &nia_sets[_i];
	uint8_t key[16], mac[4];
	size_t len;
	uint8_t *data = exact(set->in, &len);

	hex(set->key, key, sizeof(key));
	ck_assert_uint_eq(nia_mac((enum nia)set->algorithm, key, set->count,
				  (uint8_t)set->bearer_or_fresh, (enum nas_direction)set->direction,
				  data, set->bits, mac),
			  NAS_SECURITY_OK);
	assert_hex(mac, 4, set->out);
	if (set->bits % 8 != 0) {
		data[len - 1] ^= 1; /* beyond the length: no part of the message */
		ck_assert_uint_eq(nia_mac((enum nia)set->algorithm, key, set->count,
					  (uint8_t)set->bearer_or_fresh,
					  (enum nas_direction)set->direction, data, set->bits, mac),
				  NAS_SECURITY_OK);
		assert_hex(mac, 4, set->out);
	}
	free(data);
}
END_TEST

START_TEST(published_uia2)
{
	const struct set *set = &uia2_sets[_i];
	uint8_t key[16], mac[4];
	size_t len;
	uint8_t *data = exact(set->in, &len);

	hex(set->key, key, sizeof(key));
	uia2(key, set->count, set->bearer_or_fresh, (uint8_t)set->direction, data, set->bits, mac);
	assert_hex(mac, 4, set->out);
	free(data);
}
END_TEST

/* n-th word of the keystream, from 1 */
struct keystream {
	const char *key;
	const char *iv;
	struct {
		size_t n;
		uint32_t word;
	} words[4];
};

/* TS 35.217 clause 3, test sets 1 to 4; printed from k0 and IV0 on, where UEA2 begins with k3 and
 * IV3 */
static const struct keystream snow3g_sets[] = {
	{ "2bd6459f82c5b300952c49104881ff48",
	  "ea024714ad5c4d84df1f9b251c0bf45f",
	  { { 1, 0xabee9704 }, { 2, 0x7ac31373 } } },
	{ "8ce33e2cc3c0b5fc1f3de8a6dc66b1f3",
	  "d3c5d592327fb11cde551988ceb2f9b7",
	  { { 1, 0xeff8a342 }, { 2, 0xf751480f } } },
	{ "4035c6680af8c6d1a8ff8667b1714013",
	  "62a540981ba6f9b74592b0e78690f71b",
	  { { 1, 0xa8c874a9 }, { 2, 0x7ae7c4f8 } } },
	{ "0ded7263109cf92e3352255a140e0f76",
	  "6b68079a41a7c4c91befd79f7fdcc233",
	  { { 1, 0xd712c05c }, { 2, 0xa937c2a6 }, { 3, 0xeb7eaae3 }, { 2500, 0x9c0db3aa } } },
};

/* TS 35.223 clause 3, test sets 1 to 4 */
static const struct keystream zuc_sets[] = {
	{ "00000000000000000000000000000000",
	  "00000000000000000000000000000000",
	  { { 1, 0x27bede74 }, { 2, 0x018082da } } },
	{ "ffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffff",
	  { { 1, 0x0657cfa0 }, { 2, 0x7096398b } } },
	{ "3d4c4be96a82fdaeb58f641db17b455b",
	  "84319aa8de6915ca1f6bda6bfbd8c766",
	  { { 1, 0x14f1c272 }, { 2, 0x3279c419 } } },
	{ "4d320bfad4c285bfd6b8bd00f39d8b41",
	  "52959daba0bf176ece2dc315049eb574",
	  { { 1, 0xed4400e7 }, { 2, 0x0633e5c5 }, { 2000, 0x7a574cdb } } },
};

static void assert_keystream(const struct keystream *set, size_t n, uint32_t z)
{
	for (size_t i = 0; i < COUNT_OF(set->words); i++) {
		if (set->words[i].n == n)
			ck_assert_uint_eq(z, set->words[i].word);
	}
}

static void reverse_words(uint8_t data[16])
{
	uint32_t words[4];

	for (size_t i = 0; i < 4; i++)
		words[i] = get_word(data + 4 * i);
	for (size_t i = 0; i < 4; i++)
		put_word(data + 4 * i, words[3 - i]);
}

START_TEST(published_snow3g)
{
	const struct keystream *set = &snow3g_sets[_i];
	struct snow3g s;
	uint8_t key[16], iv[16];

	hex(set->key, key, sizeof(key));
	hex(set->iv, iv, sizeof(iv));
	reverse_words(key);
	reverse_words(iv);
	snow3g_init(&s, key, iv);
	for (size_t n = 1; n <= 2500; n++)
		assert_keystream(set, n, snow3g_next(&s));
}
END_TEST

START_TEST(published_zuc)
{
	const struct keystream *set = &zuc_sets[_i];
	struct zuc z;
	uint8_t key[16], iv[16];

	hex(set->key, key, sizeof(key));
	hex(set->iv, iv, sizeof(iv));
	zuc_init(&z, key, iv);
	for (size_t n = 1; n <= 2000; n++)
		assert_keystream(set, n, zuc_next(&z));
}
END_TEST

static void fill(uint8_t *data, size_t len, unsigned int seed)
{
	for (size_t i = 0; i < len; i++) {
		seed = seed * 1103515245U + 12345U;
		data[i] = (uint8_t)(seed >> 16);
	}
}

static void openssl_cmac(const uint8_t key[16], const uint8_t *data, size_t len, uint8_t mac[16])
{
	char cipher[] = "AES-128-CBC";
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher, 0),
		OSSL_PARAM_construct_end(),
	};
	EVP_MAC *cmac = EVP_MAC_fetch(NULL, "CMAC", NULL);
	EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(cmac);
	size_t written = 0;

	ck_assert_int_eq(EVP_MAC_init(ctx, key, 16, params), 1);
	ck_assert_int_eq(EVP_MAC_update(ctx, data, len), 1);
	ck_assert_int_eq(EVP_MAC_final(ctx, mac, &written, 16), 1);
	EVP_MAC_CTX_free(ctx);
	EVP_MAC_free(cmac);
}

START_TEST(cmac_agrees_with_openssl)
{
	uint8_t key[16], joined[8 + 800], mac[16], expected[16];

	for (size_t len = 0; len <= 800; len++) {
		uint8_t *data = malloc(len + 1);

		ck_assert_ptr_nonnull(data);
		data = realloc(data, len > 0 ? len : 1);
		ck_assert_ptr_nonnull(data);
		fill(key, sizeof(key), (unsigned int)len);
		fill(joined, 8 + len, 7U * (unsigned int)len + 1);
		memcpy(data, joined + 8, len);
		ck_assert_uint_eq(aes_cmac(key, joined, data, len * 8, mac), NAS_SECURITY_OK);
		openssl_cmac(key, joined, 8 + len, expected);
		ck_assert_mem_eq(mac, expected, 16);
		free(data);
	}
}
END_TEST

/* NEA2 is AES in counter mode from COUNT | BEARER | DIRECTION | 0. */
START_TEST(nea2_agrees_with_openssl)
{
	const uint8_t block[16] = { 0x01, 0x02, 0x03, 0x04, 2 << 3 | 1 << 2 };
	uint8_t key[16], data[300], expected[300];
	int written;

	for (size_t len = 0; len <= sizeof(data); len++) {
		EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

		fill(key, sizeof(key), (unsigned int)len);
		fill(data, len, 3U * (unsigned int)len);
		ck_assert_int_eq(EVP_EncryptInit_ex(ctx, EVP_aes_128_ctr(), NULL, key, block), 1);
		ck_assert_int_eq(EVP_EncryptUpdate(ctx, expected, &written, data, (int)len), 1);
		ck_assert_uint_eq(nea_cipher(NEA2, key, 0x01020304, 2, NAS_DOWNLINK, data, len * 8),
				  NAS_SECURITY_OK);
		ck_assert_mem_eq(data, expected, len);
		EVP_CIPHER_CTX_free(ctx);
	}
}
END_TEST

/* The algorithm, the key, the COUNT, the bearer, the direction: each one matters. */
START_TEST(every_parameter_matters)
{
	enum nia algorithm = (enum nia)_i;
	uint8_t key[16], other[16], data[40], mac[6][4];

	fill(key, sizeof(key), 1);
	memcpy(other, key, sizeof(key));
	other[15] ^= 1;
	fill(data, sizeof(data), 2);
	nia_mac(algorithm, key, 5, 1, NAS_UPLINK, data, 320, mac[0]);
	nia_mac(algorithm, other, 5, 1, NAS_UPLINK, data, 320, mac[1]);
	nia_mac(algorithm, key, 6, 1, NAS_UPLINK, data, 320, mac[2]);
	nia_mac(algorithm, key, 5, 2, NAS_UPLINK, data, 320, mac[3]);
	nia_mac(algorithm, key, 5, 1, NAS_DOWNLINK, data, 320, mac[4]);
	nia_mac(algorithm, key, 5, 1, NAS_UPLINK, data, 312, mac[5]);
	for (size_t i = 0; i < 6; i++) {
		for (size_t j = 0; j < i; j++)
			ck_assert_mem_ne(mac[i], mac[j], 4);
	}
	for (size_t i = 1; i < 5; i++) {
		uint8_t a[40] = { 0 }, b[40] = { 0 };

		nea_cipher((enum nea)algorithm, key, 5, 1, NAS_UPLINK, a, 320);
		nea_cipher((enum nea)algorithm, i == 1 ? other : key, i == 2 ? 6 : 5,
			   i == 3 ? 2 : 1, i == 4 ? NAS_DOWNLINK : NAS_UPLINK, b, 320);
		ck_assert_mem_ne(a, b, 40);
	}
}
END_TEST

START_TEST(null_algorithms)
{
	uint8_t key[16] = { 1 }, data[5] = { 1, 2, 3, 4, 5 }, mac[4] = { 9, 9, 9, 9 };

	ck_assert_uint_eq(nea_cipher(NEA0, key, 1, 1, NAS_UPLINK, data, 40), NAS_SECURITY_OK);
	assert_hex(data, 5, "0102030405");
	ck_assert_uint_eq(nia_mac(NIA0, key, 1, 1, NAS_UPLINK, data, 40, mac), NAS_SECURITY_OK);
	assert_hex(mac, 4, "00000000");
}
END_TEST

START_TEST(bad_parameters)
{
	uint8_t key[16] = { 0 }, data[4] = { 0 }, mac[4];

	for (int algorithm = 0; algorithm < 4; algorithm++) {
		ck_assert_uint_eq(nea_cipher((enum nea)algorithm, key, 0, 32, NAS_UPLINK, data, 32),
				  NAS_SECURITY_BAD_VALUE);
		ck_assert_uint_eq(
			nea_cipher((enum nea)algorithm, key, 0, 1, (enum nas_direction)2, data, 32),
			NAS_SECURITY_BAD_VALUE);
		ck_assert_uint_eq(
			nia_mac((enum nia)algorithm, key, 0, 32, NAS_UPLINK, data, 32, mac),
			NAS_SECURITY_BAD_VALUE);
		ck_assert_uint_eq(nea_cipher((enum nea)algorithm, key, 0, 1, NAS_UPLINK, data, 0),
				  NAS_SECURITY_OK);
		ck_assert_uint_eq(nia_mac((enum nia)algorithm, key, 0, 1, NAS_UPLINK, data, 0, mac),
				  NAS_SECURITY_OK);
	}
	ck_assert_uint_eq(nea_cipher((enum nea)4, key, 0, 1, NAS_UPLINK, data, 32),
			  NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(nia_mac((enum nia)7, key, 0, 1, NAS_UPLINK, data, 32, mac),
			  NAS_SECURITY_BAD_VALUE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nas security algorithms");
	TCase *tc = tcase_create("algorithms");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tc, published_nea, 0, (int)COUNT_OF(nea_sets));
	tcase_add_loop_test(tc, published_nia, 0, (int)COUNT_OF(nia_sets));
	tcase_add_loop_test(tc, published_uia2, 0, (int)COUNT_OF(uia2_sets));
	tcase_add_loop_test(tc, published_snow3g, 0, (int)COUNT_OF(snow3g_sets));
	tcase_add_loop_test(tc, published_zuc, 0, (int)COUNT_OF(zuc_sets));
	tcase_add_test(tc, cmac_agrees_with_openssl);
	tcase_add_test(tc, nea2_agrees_with_openssl);
	tcase_add_loop_test(tc, every_parameter_matters, 1, 4);
	tcase_add_test(tc, null_algorithms);
	tcase_add_test(tc, bad_parameters);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
