/*
 * Identities, slices, tracking areas and the small values: coding against octets written out by
 * hand, every length, every round trip.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "codecs/nas/nas_area.h"
#include "codecs/nas/nas_identity.h"
#include "codecs/nas/nas_slice.h"
#include "codecs/nas/nas_value.h"

#define OCTETS_OF(...) OCTETS(((uint8_t[]){ __VA_ARGS__ }), sizeof((uint8_t[]){ __VA_ARGS__ }))

/* An exact-size copy on the heap, so that a sanitizer sees one octet too many. */
static uint8_t *exact(struct octets value)
{
	uint8_t *copy = malloc(value.len ? value.len : 1);

	ck_assert_ptr_nonnull(copy);
	if (value.len)
		memcpy(copy, value.data, value.len);
	return copy;
}

static struct nas_plmn plmn_of(const char *digits)
{
	struct nas_plmn plmn = { { 0 } };

	ck_assert_int_eq(nas_plmn_from_text(&plmn, digits), 0);
	return plmn;
}

START_TEST(plmn_coding)
{
	static const struct {
		const char *digits;
		const char *printed;
		uint8_t octets[3];
	} rows[] = {
		{ "00101", "001-01", { 0x00, 0xf1, 0x10 } },
		{ "999-70", "999-70", { 0x99, 0xf9, 0x07 } },
		{ "310410", "310-410", { 0x13, 0x00, 0x14 } },
	};
	static const char *const wrong[] = { "", "1234", "1234567", "12a45", "0010 1", "00-101" };
	struct nas_plmn plmn;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char buf[16];
		struct text text;

		plmn = plmn_of(rows[i].digits);
		ck_assert_mem_eq(plmn.octets, rows[i].octets, 3);
		ck_assert(nas_plmn_valid(&plmn));
		text_init(&text, buf, sizeof(buf));
		nas_plmn_print(&text, &plmn);
		ck_assert_str_eq(buf, rows[i].printed);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_int_eq(nas_plmn_from_text(&plmn, wrong[i]), -EINVAL);
	plmn = (struct nas_plmn){ { 0x0a, 0xf1, 0x10 } };
	ck_assert(!nas_plmn_valid(&plmn));
	plmn = (struct nas_plmn){ { 0x00, 0xa1, 0x10 } };
	ck_assert(!nas_plmn_valid(&plmn));
}
END_TEST

/* Encodes, compares with octets, decodes again, compares the encodings. */
static void identity_round_trip(const struct nas_identity *identity, struct octets expected)
{
	uint8_t out[64];
	uint8_t again[64];
	struct nas_identity decoded;
	int len = nas_identity_encode(identity, out, sizeof(out));

	ck_assert_int_eq(len, (int)expected.len);
	ck_assert_mem_eq(out, expected.data, expected.len);
	ck_assert_int_eq(nas_identity_decode(&decoded, expected), FINDING_NONE);
	ck_assert_int_eq(decoded.type, identity->type);
	ck_assert_int_eq(nas_identity_encode(&decoded, again, sizeof(again)), len);
	ck_assert_mem_eq(again, out, (size_t)len);
	for (size_t size = 0; size < expected.len; size++)
		ck_assert_int_eq(nas_identity_encode(identity, again, size), -ENOSPC);
}

START_TEST(identities)
{
	uint8_t room[256];
	struct arena arena;
	struct nas_plmn plmn = plmn_of("00101");
	struct nas_guti guti = {
		.plmn = plmn_of("00101"),
		.amf_region_id = 0xca,
		.s_tmsi = { .amf_set_id = 1018, .amf_pointer = 33, .tmsi = 0xdeadbeef }
	};
	struct nas_identity identity = { .type = NAS_IDENTITY_GUTI, .guti = guti };
	char msin[32];
	char digits[5];

	arena_init(&arena, room, sizeof(room));
	identity_round_trip(&identity, OCTETS_OF(0xf2, 0x00, 0xf1, 0x10, 0xca, 0xfe, 0xa1, 0xde,
						 0xad, 0xbe, 0xef));
	identity = (struct nas_identity){ .type = NAS_IDENTITY_S_TMSI, .s_tmsi = guti.s_tmsi };
	identity_round_trip(&identity, OCTETS_OF(0xf4, 0xfe, 0xa1, 0xde, 0xad, 0xbe, 0xef));
	identity = (struct nas_identity){ .type = NAS_IDENTITY_NONE };
	identity_round_trip(&identity, OCTETS_OF(0x00));
	identity = (struct nas_identity){ .type = NAS_IDENTITY_IMEI, .digits = "490154203237518" };
	identity_round_trip(&identity, OCTETS_OF(0x4b, 0x09, 0x51, 0x24, 0x30, 0x32, 0x57, 0x81));
	identity =
		(struct nas_identity){ .type = NAS_IDENTITY_IMEISV, .digits = "4370816125816151" };
	identity_round_trip(&identity,
			    OCTETS_OF(0x45, 0x73, 0x80, 0x61, 0x21, 0x85, 0x61, 0x51, 0xf1));
	identity = (struct nas_identity){ .type = NAS_IDENTITY_MAC,
					  .mac = { { 2, 0, 0, 0, 0, 1 }, true } };
	identity_round_trip(&identity, OCTETS_OF(0x0e, 2, 0, 0, 0, 0, 1));
	identity = (struct nas_identity){ .type = NAS_IDENTITY_EUI64,
					  .eui64 = { 1, 2, 3, 4, 5, 6, 7, 8 } };
	identity_round_trip(&identity, OCTETS_OF(0x07, 1, 2, 3, 4, 5, 6, 7, 8));
	identity = (struct nas_identity){ .type = NAS_IDENTITY_SUCI,
					  .suci = { .format = NAS_SUPI_NAI,
						    .nai = OCTETS_OF('u', '@', 'r') } };
	identity_round_trip(&identity, OCTETS_OF(0x11, 'u', '@', 'r'));
	identity.suci.format = NAS_SUPI_GCI;
	identity_round_trip(&identity, OCTETS_OF(0x21, 'u', '@', 'r'));
	identity.suci.format = NAS_SUPI_GLI;
	identity_round_trip(&identity, OCTETS_OF(0x31, 'u', '@', 'r'));

	ck_assert_int_eq(nas_suci_from_msin(&identity, &plmn, "678", "000000001", &arena), 0);
	identity_round_trip(&identity,
			    OCTETS_OF(0x01, 0x00, 0xf1, 0x10, 0x76, 0xf8, 0, 0, 0, 0, 0, 0, 0xf1));
	ck_assert(nas_suci_msin(&identity.suci, msin, sizeof(msin)));
	ck_assert_str_eq(msin, "000000001");
	ck_assert(nas_suci_routing_digits(&identity.suci, digits));
	ck_assert_str_eq(digits, "678");
	ck_assert_int_eq(nas_suci_from_msin(&identity, &plmn, "0", "0000000001", &arena), 0);
	identity_round_trip(&identity,
			    OCTETS_OF(0x01, 0x00, 0xf1, 0x10, 0xf0, 0xff, 0, 0, 0, 0, 0, 0, 0x10));
	ck_assert_int_eq(nas_suci_from_msin(&identity, &plmn, "", "1", &arena), -EINVAL);
	ck_assert_int_eq(nas_suci_from_msin(&identity, &plmn, "12345", "1", &arena), -EINVAL);
	ck_assert_int_eq(nas_suci_from_msin(&identity, &plmn, "0", "1x", &arena), -EINVAL);
	ck_assert_int_eq(nas_suci_from_msin(&identity, &plmn, "0", "", &arena), -EINVAL);

	guti.s_tmsi.amf_set_id = 1024;
	identity = (struct nas_identity){ .type = NAS_IDENTITY_GUTI, .guti = guti };
	ck_assert_int_eq(nas_identity_encode(&identity, room, sizeof(room)), -EINVAL);
	identity = (struct nas_identity){ .type = NAS_IDENTITY_IMEI, .digits = "49015420323751" };
	ck_assert_int_eq(nas_identity_encode(&identity, room, sizeof(room)), -EINVAL);
}
END_TEST

START_TEST(identity_faults)
{
	static const struct {
		uint8_t len;
		uint8_t octets[16];
		enum finding_rule rule;
	} rows[] = {
		{ 0, { 0 }, FINDING_LENGTH },
		{ 2, { 0xf4, 0x00 }, FINDING_LENGTH }, /* 5G-S-TMSI of length 2 */
		{ 8, { 0xf4 }, FINDING_LENGTH },
		{ 10, { 0xf2 }, FINDING_LENGTH },
		{ 12, { 0xf2 }, FINDING_LENGTH },
		{ 11, { 0x02 }, FINDING_RESERVED },    /* 1111 missing before the type */
		{ 11, { 0xf2, 0xaa }, FINDING_RANGE }, /* MCC digits */
		{ 6, { 0x01, 0x02, 0xf8, 0x39 }, FINDING_LENGTH },
		{ 8, { 0x01, 0x02, 0xf8, 0x39, 0xf0, 0xff }, FINDING_LENGTH },
		{ 9, { 0x01, 0x02, 0xf8, 0x39, 0xf0, 0xff, 0, 0, 0x21 }, FINDING_NONE },
		{ 9, { 0x01, 0x02, 0xf8, 0x39, 0x0f, 0xff, 0, 0, 0x21 }, FINDING_RANGE },
		{ 9, { 0x01, 0x02, 0xf8, 0x39, 0xff, 0xff, 0, 0, 0x21 }, FINDING_RANGE },
		{ 9, { 0x01, 0x02, 0xf8, 0x39, 0xf0, 0xff, 0, 0, 0x2a }, FINDING_RANGE },
		{ 9,
		  { 0x01, 0x02, 0xf8, 0x39, 0xf0, 0xff, 0x03, 0, 0x21 }, /* unsupported scheme */
		  FINDING_NOT_COMPREHENDED },
		{ 9, { 0x01, 0x02, 0xf8, 0x39, 0xf0, 0xff, 0x0c, 0, 0xab }, FINDING_NONE },
		{ 9, { 0x81, 0x02, 0xf8, 0x39, 0xf0, 0xff, 0, 0, 0x21 }, FINDING_RESERVED },
		{ 9,
		  { 0x41, 0x02, 0xf8, 0x39, 0xf0, 0xff, 0, 0, 0x21 }, /* SUPI format 4 */
		  FINDING_NOT_COMPREHENDED },
		{ 1, { 0x11 }, FINDING_LENGTH },
		{ 8, { 0x4b, 0x09, 0x51, 0x24, 0x30, 0x32, 0x57, 0x8a }, FINDING_RANGE },
		{ 8, { 0x43, 0x09, 0x51, 0x24, 0x30, 0x32, 0x57, 0x81 }, FINDING_RANGE },
		{ 7, { 0x4b }, FINDING_LENGTH },
		{ 9, { 0x45, 0, 0, 0, 0, 0, 0, 0, 0x01 }, FINDING_RESERVED }, /* filler */
		{ 8, { 0x45 }, FINDING_LENGTH },
		{ 6, { 0x06 }, FINDING_LENGTH },
		{ 8, { 0x07 }, FINDING_LENGTH },
		{ 3, { 0x00 }, FINDING_NONE },
		{ 2, { 0x00 }, FINDING_LENGTH },
		{ 1, { 0x08 }, FINDING_RESERVED },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t *copy = exact(OCTETS(rows[i].octets, rows[i].len));
		struct nas_identity identity;

		ck_assert_msg(nas_identity_decode(&identity, OCTETS(copy, rows[i].len)) ==
				      rows[i].rule,
			      "row %zu", i);
		free(copy);
	}
}
END_TEST

/* Every first octet with every length: no read past the end, and only right lengths pass. */
START_TEST(identity_lengths)
{
	for (unsigned int first = 0; first < 256; first++) {
		for (size_t len = 0; len < 16; len++) {
			uint8_t octets[16] = { (uint8_t)first };
			uint8_t *copy = exact(OCTETS(octets, len));
			struct nas_identity identity;
			enum finding_rule rule = nas_identity_decode(&identity, OCTETS(copy, len));

			if (rule == FINDING_NONE && (first & 7) == NAS_IDENTITY_S_TMSI)
				ck_assert_uint_eq(len, 7);
			if (rule == FINDING_NONE && (first & 7) == NAS_IDENTITY_GUTI)
				ck_assert_uint_eq(len, 11);
			free(copy);
		}
	}
}
END_TEST

START_TEST(snssai_forms)
{
	static const struct nas_snssai forms[] = {
		{ .sst = 1 },
		{ .sst = 1, .has_mapped_sst = true, .mapped_sst = 2 },
		{ .sst = 1, .has_sd = true, .sd = 0x010203 },
		{ .sst = 1,
		  .has_sd = true,
		  .sd = 0x010203,
		  .has_mapped_sst = true,
		  .mapped_sst = 2 },
		{ .sst = 1,
		  .has_sd = true,
		  .sd = 0x010203,
		  .has_mapped_sst = true,
		  .mapped_sst = 2,
		  .has_mapped_sd = true,
		  .mapped_sd = 0x0a0b0c },
	};
	static const size_t lengths[] = { 1, 2, 4, 5, 8 };
	static const char *const printed[] = { "1", "1 (mapped 2)", "1-010203",
					       "1-010203 (mapped 2)",
					       "1-010203 (mapped 2-0a0b0c)" };
	struct nas_snssai bad = { .sst = 1, .has_mapped_sd = true };
	struct nas_snssai again[NAS_NSSAI_MAX];
	uint8_t out[64];
	uint8_t *copy;
	int len;

	for (size_t i = 0; i < 5; i++) {
		struct nas_snssai decoded;
		struct text text;
		char buf[64];

		len = nas_snssai_encode(&forms[i], out, sizeof(out));
		ck_assert_int_eq(len, (int)lengths[i]);
		ck_assert_int_eq(nas_snssai_decode(&decoded, OCTETS(out, (size_t)len)),
				 FINDING_NONE);
		ck_assert(nas_snssai_equal(&decoded, &forms[i]));
		ck_assert_int_eq(nas_snssai_encode(&forms[i], out, lengths[i] - 1), -ENOSPC);
		text_init(&text, buf, sizeof(buf));
		nas_snssai_print(&text, &decoded);
		ck_assert_str_eq(buf, printed[i]);
		for (size_t k = 0; k < 5; k++)
			ck_assert_int_eq(nas_snssai_equal(&forms[i], &forms[k]), i == k);
	}
	ck_assert_int_eq(nas_snssai_encode(&bad, out, sizeof(out)), -EINVAL);
	for (size_t n = 0; n < 12; n++) {
		bool legal = n == 1 || n == 2 || n == 4 || n == 5 || n == 8;

		copy = exact(OCTETS(out, n));
		ck_assert_int_eq(nas_snssai_decode(&bad, OCTETS(copy, n)) == FINDING_NONE, legal);
		free(copy);
	}
	len = nas_nssai_encode(forms, 5, out, sizeof(out));
	ck_assert_int_eq(len, 25);
	ck_assert_int_eq(nas_nssai_decode(OCTETS(out, 25), again, NAS_NSSAI_MAX), 5);
	for (size_t i = 0; i < 5; i++)
		ck_assert(nas_snssai_equal(&again[i], &forms[i]));
	for (size_t n = 0; n < 25; n++) {
		copy = exact(OCTETS(out, n));
		len = nas_nssai_decode(OCTETS(copy, n), again, NAS_NSSAI_MAX);
		ck_assert(n == 0 || n == 2 || n == 5 || n == 10 || n == 16 ? len >= 0
									   : len == -EBADMSG);
		free(copy);
	}
	ck_assert_int_eq(nas_nssai_encode(forms, 5, out, 24), -ENOSPC);
	/* more than the caller has room for is counted */
	ck_assert_int_eq(nas_nssai_decode(OCTETS_OF(1, 1, 1, 2, 1, 3), again, 1), 3);
}
END_TEST

START_TEST(rejected_nssai)
{
	static const struct nas_rejected_snssai items[] = {
		{ .cause = 0, .sst = 1 },
		{ .cause = 2, .sst = 2, .has_sd = true, .sd = 0xabcdef },
	};
	struct nas_rejected_snssai again[2];
	uint8_t out[16];

	ck_assert_int_eq(nas_rejected_nssai_encode(items, 2, out, sizeof(out)), 7);
	ck_assert_mem_eq(out, ((uint8_t[]){ 0x10, 1, 0x42, 2, 0xab, 0xcd, 0xef }), 7);
	ck_assert_int_eq(nas_rejected_nssai_decode(OCTETS(out, 7), again, 2), 2);
	ck_assert_uint_eq(again[1].sd, 0xabcdef);
	ck_assert_uint_eq(again[1].cause, 2);
	ck_assert(!again[0].has_sd);
	ck_assert_int_eq(nas_rejected_nssai_encode(items, 2, out, 6), -ENOSPC);
	ck_assert_int_eq(nas_rejected_nssai_decode(OCTETS(out, 6), again, 2), -EBADMSG);
	ck_assert_int_eq(nas_rejected_nssai_decode(OCTETS_OF(0x20, 1, 2), again, 2), -EBADMSG);
}
END_TEST

START_TEST(tai_lists)
{
	struct nas_plmn a = plmn_of("00101");
	struct nas_plmn b = plmn_of("999700");
	struct nas_tai one[] = { { a, 1 }, { a, 0x010203 }, { a, 7 } };
	struct nas_tai range[] = { { a, 0xfffffd }, { a, 0xfffffe }, { a, 0xffffff } };
	struct nas_tai many[] = { { a, 1 }, { b, 2 } };
	struct nas_tai wrong[] = { { a, 0x1000000 } };
	struct nas_tai again[NAS_TAI_LIST_MAX];
	uint8_t out[64];
	int len;

	len = nas_tai_list_encode(NAS_TAI_ONE_PLMN, one, 3, out, sizeof(out));
	ck_assert_int_eq(len, 13);
	ck_assert_mem_eq(out, ((uint8_t[]){ 0x02, 0x00, 0xf1, 0x10, 0, 0, 1, 1, 2, 3, 0, 0, 7 }),
			 13);
	ck_assert_int_eq(nas_tai_list_decode(OCTETS(out, 13), again, NAS_TAI_LIST_MAX), 3);
	ck_assert(nas_tai_equal(&again[1], &one[1]));
	ck_assert(nas_tai_list_has(OCTETS(out, 13), &one[2]));
	ck_assert(!nas_tai_list_has(OCTETS(out, 13), &many[1]));
	ck_assert(!nas_tai_list_has(OCTETS(out, 12), &one[2]));
	for (size_t n = 1; n < 13; n++) {
		uint8_t *copy = exact(OCTETS(out, n));

		ck_assert_int_eq(nas_tai_list_decode(OCTETS(copy, n), again, 3), -EBADMSG);
		free(copy);
	}
	len = nas_tai_list_encode(NAS_TAI_ONE_PLMN_RANGE, range, 3, out, sizeof(out));
	ck_assert_int_eq(len, 7);
	ck_assert_uint_eq(out[0], 0x22);
	ck_assert_int_eq(nas_tai_list_decode(OCTETS(out, 7), again, NAS_TAI_LIST_MAX), 3);
	ck_assert(nas_tai_equal(&again[2], &range[2]));
	len = nas_tai_list_encode(NAS_TAI_MANY_PLMNS, many, 2, out, sizeof(out));
	ck_assert_int_eq(len, 13);
	ck_assert_uint_eq(out[0], 0x41);
	ck_assert_int_eq(nas_tai_list_decode(OCTETS(out, 13), again, NAS_TAI_LIST_MAX), 2);
	ck_assert(nas_tai_equal(&again[1], &many[1]));
	ck_assert_int_eq(nas_tai_list_encode(NAS_TAI_ONE_PLMN, many, 2, out, sizeof(out)), -EINVAL);
	ck_assert_int_eq(nas_tai_list_encode(NAS_TAI_ONE_PLMN_RANGE, one, 3, out, sizeof(out)),
			 -EINVAL);
	ck_assert_int_eq(nas_tai_list_encode(NAS_TAI_ONE_PLMN, wrong, 1, out, sizeof(out)),
			 -EINVAL);
	ck_assert_int_eq(nas_tai_list_encode(NAS_TAI_ONE_PLMN, one, 0, out, sizeof(out)), -EINVAL);
	ck_assert_int_eq(nas_tai_list_encode(NAS_TAI_MANY_PLMNS, many, 2, out, 12), -ENOSPC);
	/* two partial lists; type 3 is none; a range that claims 32 */
	ck_assert_int_eq(nas_tai_list_decode(OCTETS_OF(0x20, 0, 0xf1, 0x10, 0, 0, 1, 0x00, 0, 0xf1,
						       0x10, 0, 0, 2),
					     again, NAS_TAI_LIST_MAX),
			 2);
	ck_assert_int_eq(nas_tai_list_decode(OCTETS_OF(0x60, 0, 0xf1, 0x10, 0, 0, 1), again, 3),
			 -EBADMSG);
	ck_assert_int_eq(nas_tai_list_decode(OCTETS_OF(0x3f, 0, 0xf1, 0x10, 0, 0, 1), again, 3),
			 32);
}
END_TEST

START_TEST(small_values)
{
	uint8_t room[2048];
	struct arena arena;
	struct nas_msg msg;
	struct nas_ue_security_capability capability = { .ea = 0x05, .ia = 0x0c };
	struct nas_ue_security_capability seen;
	uint16_t mask = 0;
	char dnn[32];

	arena_init(&arena, room, sizeof(room));
	nas_init(&msg, NAS_REGISTRATION_REQUEST, &arena);
	ck_assert_int_eq(nas_add_psi(&msg, NAS_IE_PDU_SESSION_STATUS, 1 << 5 | 1 << 15), 0);
	ck_assert(nas_get_psi(&msg, NAS_IE_PDU_SESSION_STATUS, &mask));
	ck_assert_uint_eq(mask, 1 << 5 | 1 << 15);
	ck_assert_mem_eq(nas_find(&msg, NAS_IE_PDU_SESSION_STATUS)->value.data,
			 ((uint8_t[]){ 0x20, 0x80 }), 2);
	ck_assert(!nas_get_psi(&msg, NAS_IE_UPLINK_DATA_STATUS, &mask));
	ck_assert_int_eq(
		nas_add_ue_security_capability(&msg, NAS_IE_UE_SECURITY_CAPABILITY, &capability),
		0);
	/* EA0, EA2; IA2, IA3 */
	ck_assert_mem_eq(nas_find(&msg, NAS_IE_UE_SECURITY_CAPABILITY)->value.data,
			 ((uint8_t[]){ 0xa0, 0x30 }), 2);
	ck_assert(nas_get_ue_security_capability(&msg, NAS_IE_UE_SECURITY_CAPABILITY, &seen));
	ck_assert_uint_eq(seen.ea, 0x05);
	ck_assert_uint_eq(seen.ia, 0x0c);
	ck_assert(!seen.has_eps);

	nas_init(&msg, NAS_UL_NAS_TRANSPORT, &arena);
	ck_assert_int_eq(nas_add_dnn(&msg, "ims.example"), 0);
	ck_assert_mem_eq(nas_find(&msg, NAS_IE_DNN)->value.data,
			 "\x03ims\x07"
			 "example",
			 12);
	ck_assert(nas_get_dnn(&msg, dnn, sizeof(dnn)));
	ck_assert_str_eq(dnn, "ims.example");
	ck_assert(!nas_get_dnn(&msg, dnn, 11));
	ck_assert_int_eq(nas_add_dnn(&msg, ""), -EINVAL);
	ck_assert_int_eq(nas_add_dnn(&msg, "a..b"), -EINVAL);
	ck_assert_int_eq(nas_add_dnn(&msg, "a."), -EINVAL);

	ck_assert_str_eq(nas_5gmm_cause_name(NAS_5GMM_CONGESTION), "Congestion");
	ck_assert_ptr_null(nas_5gmm_cause_name(1));
	ck_assert_uint_eq(nas_5gmm_cause_read(1), 111);
	ck_assert_uint_eq(nas_5gmm_cause_read(22), 22);
	ck_assert_uint_eq(nas_service_type_read(8), NAS_SERVICE_SIGNALLING);
	ck_assert_uint_eq(nas_service_type_read(11), NAS_SERVICE_DATA);
	ck_assert_uint_eq(nas_service_type_read(6), NAS_SERVICE_ELEVATED_SIGNALLING);
	ck_assert_str_eq(nas_registration_type_name(0x0c), "emergency registration");
	ck_assert_str_eq(nas_service_type_name(5), "high priority access");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nas_values");
	TCase *tc = tcase_create("values");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, plmn_coding);
	tcase_add_test(tc, identities);
	tcase_add_test(tc, identity_faults);
	tcase_add_test(tc, identity_lengths);
	tcase_add_test(tc, snssai_forms);
	tcase_add_test(tc, rejected_nssai);
	tcase_add_test(tc, tai_lists);
	tcase_add_test(tc, small_values);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
