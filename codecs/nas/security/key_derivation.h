/*
 * The 5G key hierarchy (TS 33.501 annex A) over the generic KDF of TS 33.220 annex B.2.
 *
 * Functions only: which key is current, and which COUNT goes in, is the business of each side's own
 * context.
 */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_KEY_DERIVATION_H
#define SPILLWAY_CODECS_NAS_SECURITY_KEY_DERIVATION_H

#include <stddef.h>
#include <stdint.h>

#include "codecs/nas/security/status.h"
#include "codecs/octets.h"

enum {
	KDF_KEY_SIZE = 32,		/* K_AUSF, K_SEAF, K_AMF, K_gNB, K_N3IWF, NH */
	NAS_KEY_SIZE = 16,		/* K_NASint, K_NASenc, RES*, HXRES* */
	KDF_MAX_PARAMETERS = 4,		/* Pi of one derivation; the 5G keys need three */
	SERVING_NETWORK_NAME_SIZE = 48, /* longest name, NID included, with its final NUL */
};

/* TS 33.501 A.8, the values of the algorithm type distinguisher */
enum algorithm_type_distinguisher {
	N_NAS_ENC_ALG = 0x01,
	N_NAS_INT_ALG = 0x02,
	N_RRC_ENC_ALG = 0x03,
	N_RRC_INT_ALG = 0x04,
	N_UP_ENC_ALG = 0x05,
	N_UP_INT_ALG = 0x06,
};

/* TS 33.501 A.9, access type distinguisher */
enum access_type_distinguisher {
	ACCESS_TYPE_3GPP = 0x01,
	ACCESS_TYPE_NON_3GPP = 0x02,
};

/*
 * HMAC-SHA-256(key, FC || P0 || L0 || P1 || L1 ...) (TS 33.220 B.2.0). key: 1..64 octets.
 * BAD_LENGTH for more than KDF_MAX_PARAMETERS or a parameter above 255 octets (no 3GPP key has
 * one).
 */
enum nas_security_status kdf(struct octets key, uint8_t fc, const struct octets *parameters,
			     size_t count, uint8_t out[32]);

/*
 * "5G:mncXXX.mccYYY.3gppnetwork.org", in an SNPN followed by ":" and the NID (TS 24.501 9.12.1).
 * mcc: 3 digits; mnc: 2 or 3 digits (two get a leading zero); nid: 11 hexadecimal digits
 * or NULL for a PLMN. out receives a C string of at most SERVING_NETWORK_NAME_SIZE octets.
 */
enum nas_security_status serving_network_name(const char *mcc, const char *mnc, const char *nid,
					      char out[SERVING_NETWORK_NAME_SIZE]);

/* All sn_name below: the name's characters without NUL, 1..255 octets. */

/* RES*, XRES* (A.4): the 128 least significant bits. res: 4..16 octets (Milenage: 8). */
enum nas_security_status derive_res_star(const uint8_t ck[16], const uint8_t ik[16],
					 struct octets sn_name, const uint8_t rand[16],
					 struct octets res, uint8_t res_star[16]);

/*
 * HRES*, HXRES* (A.5): the 128 least significant bits of SHA-256(RAND || RES*). Early versions of
 * Release 15 took the most significant ones.
 */
enum nas_security_status derive_hres_star(const uint8_t rand[16], const uint8_t res_star[16],
					  uint8_t hres_star[16]);

/* K_AUSF of 5G AKA (A.2). sqn_xor_ak: the first 6 octets of AUTN. */
enum nas_security_status derive_k_ausf(const uint8_t ck[16], const uint8_t ik[16],
				       struct octets sn_name, const uint8_t sqn_xor_ak[6],
				       uint8_t k_ausf[32]);

/* K_SEAF (A.6) */
enum nas_security_status derive_k_seaf(const uint8_t k_ausf[32], struct octets sn_name,
				       uint8_t k_seaf[32]);

/*
 * K_AMF (A.7). supi: the characters without type prefix, for an IMSI its 5..15 digits
 * ("001010000000001", not "imsi-..."), for an NAI "user@realm". abba: the content of the ABBA IE,
 * 2 or more octets (0000 in Release 15 to 19).
 */
enum nas_security_status derive_k_amf(const uint8_t k_seaf[32], struct octets supi,
				      struct octets abba, uint8_t k_amf[32]);

/* K_AMF' at mobility (A.13). direction: 0 idle mobility (uplink COUNT), 1 handover (downlink). */
enum nas_security_status derive_k_amf_prime(const uint8_t k_amf[32], uint8_t direction,
					    uint32_t count, uint8_t k_amf_prime[32]);

/*
 * Algorithm key (A.8), the 128 least significant bits. key: K_AMF for the NAS keys, K_gNB for the
 * others. algorithm: the number of the NEA or NIA, 0..15.
 */
enum nas_security_status derive_algorithm_key(const uint8_t key[32],
					      enum algorithm_type_distinguisher type,
					      uint8_t algorithm, uint8_t out[16]);

/* K_gNB (access 3GPP) or K_N3IWF (non-3GPP) (A.9). uplink_count: full NAS COUNT, 24 bits. */
enum nas_security_status derive_k_gnb(const uint8_t k_amf[32], uint32_t uplink_count,
				      enum access_type_distinguisher access, uint8_t k_gnb[32]);

/* NH (A.10). sync_input: the initial K_gNB for the first NH, the NH before for later ones. */
enum nas_security_status derive_nh(const uint8_t k_amf[32], const uint8_t sync_input[32],
				   uint8_t nh[32]);

#endif
