/*
 * The 5G key hierarchy, from AUTN to a protected message, against values that an independent
 * program computed; that program in turn reproduces RES* and NAS-MACs of public captures.
 */
#include <check.h>

#include "codecs/nas/security/key_derivation.h"
#include "codecs/nas/security/milenage.h"
#include "codecs/nas/security/protection.h"
#include "codecs/nas/security/test_hex.h"

struct chain {
	const char *mcc, *mnc, *nid, *sn_name, *supi;
	const char *autn, *res_star, *hres_star, *k_ausf, *k_seaf, *k_amf;
	const char *k_nas_enc, *k_nas_int, *k_rrc_int, *k_gnb, *k_n3iwf, *nh, *k_amf_prime;
	const char *uplink, *downlink;
};

/* One subscriber, in a PLMN by IMSI and in an SNPN by NAI */
static const struct chain chains[] = {
	{
		.mcc = "001",
		.mnc = "01",
		.nid = NULL,
		.sn_name = "5G:mnc001.mcc001.3gppnetwork.org",
		.supi = "001010000000001",
		.autn = "6d51fda6b30880002ea28630d2a108e1",
		.res_star = "da8b2b5dcaa40bfdf93045d2c581b8a4",
		.hres_star = "666a1ea65d996d61b795c78ba248e73e",
		.k_ausf = "f72cf08cef2c27dd2f95bb610e755ceb236f6283b84212cf2a9d60937a0dd1b7",
		.k_seaf = "34a17f3d2ed5841159764c7ddc1393d268f357e9f009d8031c497e5eeaedec1f",
		.k_amf = "574ad3fe94d526ab1a53d576019638c37d408ddad869ba291cf8865eec57907d",
		.k_nas_enc = "0cfa014f3d290446b642a6197926ac99",
		.k_nas_int = "0bda055e57d274bf30d485e02e5f1b6a",
		.k_rrc_int = "497446c4ff116f0b4b1726e15bd67a05",
		.k_gnb = "b4d5d4d5771fcb6cf7d3c09506b2833c4a97a740f0b49db094468709fac99fcd",
		.k_n3iwf = "34698e0f2e546796a2cc46248d3c7d8b5cd0cfc07c9dd24baf3f78ce0e6bcc7e",
		.nh = "83ef53647c11b4b82451ef627b6be83c0e4ca3c48d7e96b8a3c2964e708b860e",
		.k_amf_prime = "32d6e7cbfa6ad28ca7435714699029c1ebda89f348b24380c058632c2cf93e4d",
		.uplink = "7e02ad0863acfe5624a7f140",
		.downlink = "7e017d28f11d037e00430100",
	},
	{
		.mcc = "999",
		.mnc = "70",
		.nid = "0123456789A",
		.sn_name = "5G:mnc070.mcc999.3gppnetwork.org:0123456789A",
		.supi = "user17@example.org",
		.autn = "6d51fda6b30880002ea28630d2a108e1",
		.res_star = "ce5b94772672b6e2ca4df600d45aca8f",
		.hres_star = "4fd11964b57c15fa77255912aa56be51",
		.k_ausf = "97c472a67db0b49526102c1f42ef312f537feb1be4f6754fff547a4329930bc7",
		.k_seaf = "e6131330b81732c68c4a1815675869ba6ff052f3defbaacedcf0b6bdd722c982",
		.k_amf = "361636d291d4b1abd0daa185207ff37da5f4594516c871fa26d71223e33e2e93",
		.k_nas_enc = "5094d0f2927a2ea4a13f6823de3e8f43",
		.k_nas_int = "4d5af1ab7f20f1892fed6ccefe93968e",
		.k_rrc_int = "b448d139f1051841261b7e67b5af5abb",
		.k_gnb = "d2284928b57cce1e29f0902bcb509281afc2fd9b734121265938db05e15c5153",
		.k_n3iwf = "d9aa4cd27c9210d04ca885e68cdb2512704056e88e067da47ecae4257e840eac",
		.nh = "e26ef768e4035d32b814860b413eb7ec93097d107e1035b8d6db24357566a93e",
		.k_amf_prime = "734bb09b92893a1a309d87802c7b70cc5bafcd88fd34cc5dd020d5e7220dcd6c",
		.uplink = "7e02e02550a8fe36ba85e240",
		.downlink = "7e0199fee7c9037e00430100",
	},
};

#define OK(call) ck_assert_uint_eq((call), NAS_SECURITY_OK)

START_TEST(whole_chain)
{
	const struct chain *chain = &chains[_i];
	const uint8_t abba_octets[2] = { 0, 0 }, sqn[6] = { 0, 0, 0, 0, 0, 0x21 };
	const uint8_t amf[2] = { 0x80, 0 }, inner[5] = { 0x7e, 0x00, 0x43, 0x01, 0x00 };
	const struct octets abba = OCTETS(abba_octets, 2);
	struct nas_security_suite suite = { .nea = NEA2, .nia = NIA2 };
	struct nas_security_position position = { 0x1fe, NAS_CONNECTION_3GPP, NAS_UPLINK };
	char name[SERVING_NETWORK_NAME_SIZE];
	uint8_t k[16], op[16], opc[16], rand[16], autn[16], res[8], ck[16], ik[16], ak[6];
	uint8_t star[16], hstar[16], k_ausf[32], k_seaf[32], k_amf[32], k_gnb[32], key[32];
	uint8_t message[64];
	struct octets sn_name, supi;
	size_t len;

	hex("8f1d5b3a69c2470e9ab4d17c3056e2f8", k, 16);
	hex("11223344556677889900aabbccddeeff", op, 16);
	hex("d0c1b2a3948576675849302112efcdab", rand, 16);
	OK(serving_network_name(chain->mcc, chain->mnc, chain->nid, name));
	ck_assert_str_eq(name, chain->sn_name);
	sn_name = OCTETS((const uint8_t *)name, strlen(name));
	supi = OCTETS((const uint8_t *)chain->supi, strlen(chain->supi));

	OK(milenage_opc(k, op, opc));
	OK(milenage_f2345(k, opc, rand, res, ck, ik, ak, NULL));
	for (size_t i = 0; i < 6; i++)
		autn[i] = sqn[i] ^ ak[i];
	memcpy(autn + 6, amf, 2);
	OK(milenage_f1(k, opc, rand, sqn, amf, autn + 8, NULL));
	assert_hex(autn, 16, chain->autn);

	OK(derive_res_star(ck, ik, sn_name, rand, OCTETS(res, 8), star));
	assert_hex(star, 16, chain->res_star);
	OK(derive_hres_star(rand, star, hstar));
	assert_hex(hstar, 16, chain->hres_star);
	OK(derive_k_ausf(ck, ik, sn_name, autn, k_ausf));
	assert_hex(k_ausf, 32, chain->k_ausf);
	OK(derive_k_seaf(k_ausf, sn_name, k_seaf));
	assert_hex(k_seaf, 32, chain->k_seaf);
	OK(derive_k_amf(k_seaf, supi, abba, k_amf));
	assert_hex(k_amf, 32, chain->k_amf);

	OK(derive_algorithm_key(k_amf, N_NAS_ENC_ALG, NEA2, suite.k_nas_enc));
	assert_hex(suite.k_nas_enc, 16, chain->k_nas_enc);
	OK(derive_algorithm_key(k_amf, N_NAS_INT_ALG, NIA2, suite.k_nas_int));
	assert_hex(suite.k_nas_int, 16, chain->k_nas_int);
	OK(derive_algorithm_key(k_amf, N_RRC_INT_ALG, 1, key));
	assert_hex(key, 16, chain->k_rrc_int);
	OK(derive_k_gnb(k_amf, 0x010203, ACCESS_TYPE_3GPP, k_gnb));
	assert_hex(k_gnb, 32, chain->k_gnb);
	OK(derive_nh(k_amf, k_gnb, key));
	assert_hex(key, 32, chain->nh);
	OK(derive_k_gnb(k_amf, 0, ACCESS_TYPE_NON_3GPP, key));
	assert_hex(key, 32, chain->k_n3iwf);
	OK(derive_k_amf_prime(k_amf, 0, 5, key));
	assert_hex(key, 32, chain->k_amf_prime);

	OK(nas_security_protect(&suite, &position, NAS_INTEGRITY_PROTECTED_AND_CIPHERED,
				OCTETS(inner, 5), message, sizeof(message), &len));
	assert_hex(message, len, chain->uplink);
	position = (struct nas_security_position){ 3, NAS_CONNECTION_NON_3GPP, NAS_DOWNLINK };
	OK(nas_security_protect(&suite, &position, NAS_INTEGRITY_PROTECTED, OCTETS(inner, 5),
				message, sizeof(message), &len));
	assert_hex(message, len, chain->downlink);
}
END_TEST

START_TEST(names)
{
	char name[SERVING_NETWORK_NAME_SIZE];

	OK(serving_network_name("310", "260", NULL, name));
	ck_assert_str_eq(name, "5G:mnc260.mcc310.3gppnetwork.org");
	OK(serving_network_name("208", "93", NULL, name));
	ck_assert_str_eq(name, "5G:mnc093.mcc208.3gppnetwork.org");
	ck_assert_uint_eq(serving_network_name("20", "93", NULL, name), NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(serving_network_name("2081", "93", NULL, name), NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(serving_network_name("2x8", "93", NULL, name), NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(serving_network_name("208", "9", NULL, name), NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(serving_network_name("208", "9301", NULL, name), NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(serving_network_name(NULL, "93", NULL, name), NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(serving_network_name("208", "93", "0123456789", name),
			  NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(serving_network_name("208", "93", "0123456789g", name),
			  NAS_SECURITY_BAD_VALUE);
}
END_TEST

START_TEST(bad_lengths_and_values)
{
	const uint8_t octets[256] = { 0 };
	const struct octets five[5] = {
		{ octets, 1 }, { octets, 1 }, { octets, 1 }, { octets, 1 }, { octets, 1 }
	};
	const struct octets long_parameter = OCTETS(octets, 256), empty = OCTETS(octets, 0);
	const struct octets one = OCTETS(octets, 1), two = OCTETS(octets, 2);
	uint8_t out[32];

	OK(kdf(two, 0x69, five, 4, out));
	ck_assert_uint_eq(kdf(two, 0x69, five, 5, out), NAS_SECURITY_BAD_LENGTH);
	ck_assert_uint_eq(kdf(two, 0x69, &long_parameter, 1, out), NAS_SECURITY_BAD_LENGTH);
	ck_assert_uint_eq(kdf(empty, 0x69, five, 1, out), NAS_SECURITY_BAD_LENGTH);
	OK(kdf(two, 0x69, NULL, 0, out));

	OK(derive_res_star(octets, octets, one, octets, OCTETS(octets, 4), out));
	OK(derive_res_star(octets, octets, one, octets, OCTETS(octets, 16), out));
	ck_assert_uint_eq(derive_res_star(octets, octets, one, octets, OCTETS(octets, 3), out),
			  NAS_SECURITY_BAD_LENGTH);
	ck_assert_uint_eq(derive_res_star(octets, octets, one, octets, OCTETS(octets, 17), out),
			  NAS_SECURITY_BAD_LENGTH);
	ck_assert_uint_eq(derive_res_star(octets, octets, empty, octets, OCTETS(octets, 8), out),
			  NAS_SECURITY_BAD_LENGTH);
	ck_assert_uint_eq(derive_k_ausf(octets, octets, empty, octets, out),
			  NAS_SECURITY_BAD_LENGTH);
	ck_assert_uint_eq(derive_k_seaf(octets, long_parameter, out), NAS_SECURITY_BAD_LENGTH);
	ck_assert_uint_eq(derive_k_amf(octets, empty, two, out), NAS_SECURITY_BAD_LENGTH);
	ck_assert_uint_eq(derive_k_amf(octets, two, one, out), NAS_SECURITY_BAD_LENGTH);
	OK(derive_k_amf(octets, two, OCTETS(octets, 255), out));
	ck_assert_uint_eq(derive_k_amf(octets, two, long_parameter, out), NAS_SECURITY_BAD_LENGTH);

	ck_assert_uint_eq(
		derive_algorithm_key(octets, (enum algorithm_type_distinguisher)7, 0, out),
		NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(derive_algorithm_key(octets, N_NAS_INT_ALG, 16, out),
			  NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(derive_k_gnb(octets, 0, (enum access_type_distinguisher)3, out),
			  NAS_SECURITY_BAD_VALUE);
	OK(derive_k_gnb(octets, 0xffffff, ACCESS_TYPE_3GPP, out));
	ck_assert_uint_eq(derive_k_gnb(octets, 0x1000000, ACCESS_TYPE_3GPP, out),
			  NAS_SECURITY_BAD_COUNT);
	ck_assert_uint_eq(derive_k_amf_prime(octets, 2, 0, out), NAS_SECURITY_BAD_VALUE);
	ck_assert_uint_eq(derive_k_amf_prime(octets, 1, 0x1000000, out), NAS_SECURITY_BAD_COUNT);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("key derivation");
	TCase *tc = tcase_create("key derivation");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tc, whole_chain, 0, (int)(sizeof(chains) / sizeof(chains[0])));
	tcase_add_test(tc, names);
	tcase_add_test(tc, bad_lengths_and_values);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
