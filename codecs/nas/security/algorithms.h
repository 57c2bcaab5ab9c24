/*
 * The ciphering (NEA) and integrity (NIA) algorithms by their numbers (TS 33.501 annex D,
 * TS 33.401 annex B): 0 null, 1 SNOW 3G, 2 AES, 3 ZUC.
 *
 * Lengths are in bits, as the algorithms are defined; NAS uses whole octets only.
 */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_ALGORITHMS_H
#define SPILLWAY_CODECS_NAS_SECURITY_ALGORITHMS_H

#include <stddef.h>
#include <stdint.h>

#include "codecs/nas/security/status.h"

/* TS 24.501 9.11.3.34, type of ciphering / integrity protection algorithm */
enum nea { NEA0 = 0, NEA1 = 1, NEA2 = 2, NEA3 = 3 };
enum nia { NIA0 = 0, NIA1 = 1, NIA2 = 2, NIA3 = 3 };

enum nas_direction { NAS_UPLINK = 0, NAS_DOWNLINK = 1 };

/*
 * Ciphers or deciphers (the same operation) the first bits of data in place; bits of the last octet
 * beyond the length keep their value. bearer: 0..31, for NAS the NAS connection identifier.
 * NEA0 leaves the data alone. BAD_VALUE for an unknown algorithm, bearer or direction.
 */
enum nas_security_status nea_cipher(enum nea algorithm, const uint8_t key[16], uint32_t count,
				    uint8_t bearer, enum nas_direction direction, uint8_t *data,
				    size_t bits);

/* The MAC over the first bits of data, same parameters. NIA0 gives four zero octets. */
enum nas_security_status nia_mac(enum nia algorithm, const uint8_t key[16], uint32_t count,
				 uint8_t bearer, enum nas_direction direction, const uint8_t *data,
				 size_t bits, uint8_t mac[4]);

#endif
