/*
 * MILENAGE (TS 35.206): the authentication and key generation functions that USIM and home network
 * share. f1 and f2..f5 are separate calls because a UE learns SQN from AK before it can check f1.
 */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_MILENAGE_H
#define SPILLWAY_CODECS_NAS_SECURITY_MILENAGE_H

#include <stdint.h>

#include "codecs/nas/security/status.h"

enum {
	MILENAGE_KEY_SIZE = 16, /* K, OP, OPc, RAND, CK, IK */
	MILENAGE_MAC_SIZE = 8,
	MILENAGE_RES_SIZE = 8,
	MILENAGE_SQN_SIZE = 6, /* SQN, AK, AK* */
	MILENAGE_AMF_SIZE = 2, /* the authentication management field */
};

/* OPc of subscriber key k and operator variant op. opc may be op. */
enum nas_security_status milenage_opc(const uint8_t k[16], const uint8_t op[16], uint8_t opc[16]);

/* f1 (MAC-A, in AUTN) and f1* (MAC-S, in AUTS). Either output may be NULL. */
enum nas_security_status milenage_f1(const uint8_t k[16], const uint8_t opc[16],
				     const uint8_t rand[16], const uint8_t sqn[6],
				     const uint8_t amf[2], uint8_t mac_a[8], uint8_t mac_s[8]);

/* f2 (RES), f3 (CK), f4 (IK), f5 (AK) and f5* (AK for resynchronisation); any output may be NULL.
 */
enum nas_security_status milenage_f2345(const uint8_t k[16], const uint8_t opc[16],
					const uint8_t rand[16], uint8_t res[8], uint8_t ck[16],
					uint8_t ik[16], uint8_t ak[6], uint8_t ak_star[6]);

#endif
