#include "codecs/nas/security/key_derivation.h"

#include <stdio.h>
#include <string.h>

#include "codecs/nas/security/sha256.h"

/* FC values, TS 33.501 A.1.2 */
enum {
	FC_ALGORITHM_KEY = 0x69,
	FC_K_AUSF = 0x6a,
	FC_RES_STAR = 0x6b,
	FC_K_SEAF = 0x6c,
	FC_K_AMF = 0x6d,
	FC_K_GNB = 0x6e,
	FC_NH = 0x6f,
	FC_K_AMF_PRIME = 0x72,
};

enum {
	MAX_PARAMETER = 255,
	NID_DIGITS = 11,
	COUNT_MAX = 0xffffff,
};

enum nas_security_status kdf(struct octets key, uint8_t fc, const struct octets *parameters,
			     size_t count, uint8_t out[32])
{
	struct octets pieces[1 + 2 * KDF_MAX_PARAMETERS];
	uint8_t lengths[KDF_MAX_PARAMETERS][2];
	size_t n = 0;

	if (count > KDF_MAX_PARAMETERS)
		return NAS_SECURITY_BAD_LENGTH;
	pieces[n++] = OCTETS(&fc, 1);
	for (size_t i = 0; i < count; i++) {
		if (parameters[i].len > MAX_PARAMETER)
			return NAS_SECURITY_BAD_LENGTH;
		lengths[i][0] = 0;
		lengths[i][1] = (uint8_t)parameters[i].len;
		pieces[n++] = parameters[i];
		pieces[n++] = OCTETS(lengths[i], 2);
	}
	return hmac_sha256(key, pieces, n, out);
}

static bool digits(const char *text, size_t min, size_t max)
{
	size_t len = strnlen(text, max + 1);

	return len >= min && len <= max && strspn(text, "0123456789") == len;
}

enum nas_security_status serving_network_name(const char *mcc, const char *mnc, const char *nid,
					      char out[SERVING_NETWORK_NAME_SIZE])
{
	int len;

	if (mcc == NULL || mnc == NULL || !digits(mcc, 3, 3) || !digits(mnc, 2, 3))
		return NAS_SECURITY_BAD_VALUE;
	if (nid != NULL && (strnlen(nid, NID_DIGITS + 1) != NID_DIGITS ||
			    strspn(nid, "0123456789abcdefABCDEF") != NID_DIGITS))
		return NAS_SECURITY_BAD_VALUE;
	len = snprintf(out, SERVING_NETWORK_NAME_SIZE, "5G:mnc%s%s.mcc%s.3gppnetwork.org%s%s",
		       mnc[2] == '\0' ? "0" : "", mnc, mcc, nid != NULL ? ":" : "",
		       nid != NULL ? nid : "");
	return len > 0 && len < SERVING_NETWORK_NAME_SIZE ? NAS_SECURITY_OK : NAS_SECURITY_NO_SPACE;
}

static bool sn_name_ok(struct octets sn_name)
{
	return sn_name.len >= 1 && sn_name.len <= MAX_PARAMETER;
}

static void join_ck_ik(uint8_t key[32], const uint8_t ck[16], const uint8_t ik[16])
{
	memcpy(key, ck, 16);
	memcpy(key + 16, ik, 16);
}

static void put_count(uint8_t out[4], uint32_t count)
{
	out[0] = (uint8_t)(count >> 24);
	out[1] = (uint8_t)(count >> 16);
	out[2] = (uint8_t)(count >> 8);
	out[3] = (uint8_t)count;
}

enum nas_security_status derive_res_star(const uint8_t ck[16], const uint8_t ik[16],
					 struct octets sn_name, const uint8_t rand[16],
					 struct octets res, uint8_t res_star[16])
{
	const struct octets parameters[] = { sn_name, OCTETS(rand, 16), res };
	uint8_t key[32], out[32];
	enum nas_security_status status;

	if (!sn_name_ok(sn_name) || res.len < 4 || res.len > 16)
		return NAS_SECURITY_BAD_LENGTH;
	join_ck_ik(key, ck, ik);
	status = kdf(OCTETS(key, sizeof(key)), FC_RES_STAR, parameters, 3, out);
	if (status == NAS_SECURITY_OK)
		memcpy(res_star, out + 16, 16);
	return status;
}

enum nas_security_status derive_hres_star(const uint8_t rand[16], const uint8_t res_star[16],
					  uint8_t hres_star[16])
{
	const struct octets pieces[] = { OCTETS(rand, 16), OCTETS(res_star, 16) };
	uint8_t out[32];
	enum nas_security_status status = sha256(pieces, 2, out);

	if (status == NAS_SECURITY_OK)
		memcpy(hres_star, out + 16, 16);
	return status;
}

enum nas_security_status derive_k_ausf(const uint8_t ck[16], const uint8_t ik[16],
				       struct octets sn_name, const uint8_t sqn_xor_ak[6],
				       uint8_t k_ausf[32])
{
	const struct octets parameters[] = { sn_name, OCTETS(sqn_xor_ak, 6) };
	uint8_t key[32];

	if (!sn_name_ok(sn_name))
		return NAS_SECURITY_BAD_LENGTH;
	join_ck_ik(key, ck, ik);
	return kdf(OCTETS(key, sizeof(key)), FC_K_AUSF, parameters, 2, k_ausf);
}

enum nas_security_status derive_k_seaf(const uint8_t k_ausf[32], struct octets sn_name,
				       uint8_t k_seaf[32])
{
	if (!sn_name_ok(sn_name))
		return NAS_SECURITY_BAD_LENGTH;
	return kdf(OCTETS(k_ausf, 32), FC_K_SEAF, &sn_name, 1, k_seaf);
}

enum nas_security_status derive_k_amf(const uint8_t k_seaf[32], struct octets supi,
				      struct octets abba, uint8_t k_amf[32])
{
	const struct octets parameters[] = { supi, abba };

	if (supi.len == 0 || abba.len < 2)
		return NAS_SECURITY_BAD_LENGTH;
	return kdf(OCTETS(k_seaf, 32), FC_K_AMF, parameters, 2, k_amf);
}

enum nas_security_status derive_k_amf_prime(const uint8_t k_amf[32], uint8_t direction,
					    uint32_t count, uint8_t k_amf_prime[32])
{
	uint8_t count_octets[4];
	const struct octets parameters[] = { OCTETS(&direction, 1), OCTETS(count_octets, 4) };

	if (direction > 1)
		return NAS_SECURITY_BAD_VALUE;
	if (count > COUNT_MAX)
		return NAS_SECURITY_BAD_COUNT;
	put_count(count_octets, count);
	return kdf(OCTETS(k_amf, 32), FC_K_AMF_PRIME, parameters, 2, k_amf_prime);
}

enum nas_security_status derive_algorithm_key(const uint8_t key[32],
					      enum algorithm_type_distinguisher type,
					      uint8_t algorithm, uint8_t out[16])
{
	uint8_t type_octet = (uint8_t)type;
	const struct octets parameters[] = { OCTETS(&type_octet, 1), OCTETS(&algorithm, 1) };
	uint8_t full[32];
	enum nas_security_status status;

	if (type < N_NAS_ENC_ALG || type > N_UP_INT_ALG || algorithm > 15)
		return NAS_SECURITY_BAD_VALUE;
	status = kdf(OCTETS(key, 32), FC_ALGORITHM_KEY, parameters, 2, full);
	if (status == NAS_SECURITY_OK)
		memcpy(out, full + 16, 16);
	return status;
}

enum nas_security_status derive_k_gnb(const uint8_t k_amf[32], uint32_t uplink_count,
				      enum access_type_distinguisher access, uint8_t k_gnb[32])
{
	uint8_t access_octet = (uint8_t)access;
	uint8_t count_octets[4];
	const struct octets parameters[] = { OCTETS(count_octets, 4), OCTETS(&access_octet, 1) };

	if (access != ACCESS_TYPE_3GPP && access != ACCESS_TYPE_NON_3GPP)
		return NAS_SECURITY_BAD_VALUE;
	if (uplink_count > COUNT_MAX)
		return NAS_SECURITY_BAD_COUNT;
	put_count(count_octets, uplink_count);
	return kdf(OCTETS(k_amf, 32), FC_K_GNB, parameters, 2, k_gnb);
}

enum nas_security_status derive_nh(const uint8_t k_amf[32], const uint8_t sync_input[32],
				   uint8_t nh[32])
{
	const struct octets parameter = OCTETS(sync_input, 32);

	return kdf(OCTETS(k_amf, 32), FC_NH, &parameter, 1, nh);
}
