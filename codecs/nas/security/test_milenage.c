/* MILENAGE against the six sets of TS 35.207 (clauses 4 to 6). */
#include <check.h>

#include "codecs/nas/security/milenage.h"
#include "codecs/nas/security/test_hex.h"

struct set {
	const char *k, *rand, *sqn, *amf, *op, *opc;
	const char *mac_a, *mac_s, *res, *ck, *ik, *ak, *ak_star;
};

static const struct set sets[] = {
	{ .k = "465b5ce8b199b49faa5f0a2ee238a6bc",
	  .rand = "23553cbe9637a89d218ae64dae47bf35",
	  .sqn = "ff9bb4d0b607",
	  .amf = "b9b9",
	  .op = "cdc202d5123e20f62b6d676ac72cb318",
	  .opc = "cd63cb71954a9f4e48a5994e37a02baf",
	  .mac_a = "4a9ffac354dfafb3",
	  .mac_s = "01cfaf9ec4e871e9",
	  .res = "a54211d5e3ba50bf",
	  .ck = "b40ba9a3c58b2a05bbf0d987b21bf8cb",
	  .ik = "f769bcd751044604127672711c6d3441",
	  .ak = "aa689c648370",
	  .ak_star = "451e8beca43b" },
	{ .k = "0396eb317b6d1c36f19c1c84cd6ffd16",
	  .rand = "c00d603103dcee52c4478119494202e8",
	  .sqn = "fd8eef40df7d",
	  .amf = "af17",
	  .op = "ff53bade17df5d4e793073ce9d7579fa",
	  .opc = "53c15671c60a4b731c55b4a441c0bde2",
	  .mac_a = "5df5b31807e258b0",
	  .mac_s = "a8c016e51ef4a343",
	  .res = "d3a628ed988620f0",
	  .ck = "58c433ff7a7082acd424220f2b67c556",
	  .ik = "21a8c1f929702adb3e738488b9f5c5da",
	  .ak = "c47783995f72",
	  .ak_star = "30f1197061c1" },
	{ .k = "fec86ba6eb707ed08905757b1bb44b8f",
	  .rand = "9f7c8d021accf4db213ccff0c7f71a6a",
	  .sqn = "9d0277595ffc",
	  .amf = "725c",
	  .op = "dbc59adcb6f9a0ef735477b7fadf8374",
	  .opc = "1006020f0a478bf6b699f15c062e42b3",
	  .mac_a = "9cabc3e99baf7281",
	  .mac_s = "95814ba2b3044324",
	  .res = "8011c48c0c214ed2",
	  .ck = "5dbdbb2954e8f3cde665b046179a5098",
	  .ik = "59a92d3b476a0443487055cf88b2307b",
	  .ak = "33484dc2136b",
	  .ak_star = "deacdd848cc6" },
	{ .k = "9e5944aea94b81165c82fbf9f32db751",
	  .rand = "ce83dbc54ac0274a157c17f80d017bd6",
	  .sqn = "0b604a81eca8",
	  .amf = "9e09",
	  .op = "223014c5806694c007ca1eeef57f004f",
	  .opc = "a64a507ae1a2a98bb88eb4210135dc87",
	  .mac_a = "74a58220cba84c49",
	  .mac_s = "ac2cc74a96871837",
	  .res = "f365cd683cd92e96",
	  .ck = "e203edb3971574f5a94b0d61b816345d",
	  .ik = "0c4524adeac041c4dd830d20854fc46b",
	  .ak = "f0b9c08ad02e",
	  .ak_star = "6085a86c6f63" },
	{ .k = "4ab1deb05ca6ceb051fc98e77d026a84",
	  .rand = "74b0cd6031a1c8339b2b6ce2b8c4a186",
	  .sqn = "e880a1b580b6",
	  .amf = "9f07",
	  .op = "2d16c5cd1fdf6b22383584e3bef2a8d8",
	  .opc = "dcf07cbd51855290b92a07a9891e523e",
	  .mac_a = "49e785dd12626ef2",
	  .mac_s = "9e85790336bb3fa2",
	  .res = "5860fc1bce351e7e",
	  .ck = "7657766b373d1c2138f307e3de9242f9",
	  .ik = "1c42e960d89b8fa99f2744e0708ccb53",
	  .ak = "31e11a609118",
	  .ak_star = "fe2555e54aa9" },
	{ .k = "6c38a116ac280c454f59332ee35c8c4f",
	  .rand = "ee6466bc96202c5a557abbeff8babf63",
	  .sqn = "414b98222181",
	  .amf = "4464",
	  .op = "1ba00a1a7c6700ac8c3ff3e96ad08725",
	  .opc = "3803ef5363b947c6aaa225e58fae3934",
	  .mac_a = "078adfb488241a57",
	  .mac_s = "80246b8d0186bcf1",
	  .res = "16c8233f05a0ac28",
	  .ck = "3f8c7587fe8e4b233af676aede30ba3b",
	  .ik = "a7466cc1e6b2a1337d49d3b66e95d7b4",
	  .ak = "45b0f69ab06c",
	  .ak_star = "1f53cd2b1113" },
};

START_TEST(published)
{
	const struct set *set = &sets[_i];
	uint8_t k[16], rand[16], sqn[6], amf[2], op[16], opc[16];
	uint8_t mac_a[8], mac_s[8], res[8], ck[16], ik[16], ak[6], ak_star[6];

	hex(set->k, k, sizeof(k));
	hex(set->rand, rand, sizeof(rand));
	hex(set->sqn, sqn, sizeof(sqn));
	hex(set->amf, amf, sizeof(amf));
	hex(set->op, op, sizeof(op));
	ck_assert_uint_eq(milenage_opc(k, op, opc), NAS_SECURITY_OK);
	assert_hex(opc, 16, set->opc);
	ck_assert_uint_eq(milenage_opc(k, op, op), NAS_SECURITY_OK);
	assert_hex(op, 16, set->opc);

	ck_assert_uint_eq(milenage_f1(k, opc, rand, sqn, amf, mac_a, mac_s), NAS_SECURITY_OK);
	assert_hex(mac_a, 8, set->mac_a);
	assert_hex(mac_s, 8, set->mac_s);
	ck_assert_uint_eq(milenage_f2345(k, opc, rand, res, ck, ik, ak, ak_star), NAS_SECURITY_OK);
	assert_hex(res, 8, set->res);
	assert_hex(ck, 16, set->ck);
	assert_hex(ik, 16, set->ik);
	assert_hex(ak, 6, set->ak);
	assert_hex(ak_star, 6, set->ak_star);
}
END_TEST

START_TEST(outputs_are_optional)
{
	const uint8_t zero[16] = { 0 };
	uint8_t mac[8], alone[8];

	ck_assert_uint_eq(milenage_f1(zero, zero, zero, zero, zero, NULL, NULL), NAS_SECURITY_OK);
	ck_assert_uint_eq(milenage_f2345(zero, zero, zero, NULL, NULL, NULL, NULL, NULL),
			  NAS_SECURITY_OK);
	ck_assert_uint_eq(milenage_f1(zero, zero, zero, zero, zero, mac, alone), NAS_SECURITY_OK);
	ck_assert_uint_eq(milenage_f1(zero, zero, zero, zero, zero, NULL, mac), NAS_SECURITY_OK);
	ck_assert_mem_eq(mac, alone, 8);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("milenage");
	TCase *tc = tcase_create("milenage");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tc, published, 0, (int)(sizeof(sets) / sizeof(sets[0])));
	tcase_add_test(tc, outputs_are_optional);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
