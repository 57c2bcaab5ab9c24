/* The three uses of AES-128 in 5G security: single blocks (Milenage), CTR (NEA2, ECIES), CMAC
 * (NIA2). */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_AES_H
#define SPILLWAY_CODECS_NAS_SECURITY_AES_H

#include <stddef.h>
#include <stdint.h>

#include "codecs/nas/security/status.h"

enum { AES_BLOCK_OCTETS = 16 };

/* Encrypts each of the blocks by itself; out may be in. */
enum nas_security_status aes_encrypt_blocks(const uint8_t key[16], const uint8_t *in, uint8_t *out,
					    size_t blocks);

/* Counter mode over data in place, the whole 128-bit counter block incrementing. */
enum nas_security_status aes_ctr(const uint8_t key[16], const uint8_t counter_block[16],
				 uint8_t *data, size_t len);

/* CMAC (NIST SP 800-38B) over prefix followed by the first bits of data. */
enum nas_security_status aes_cmac(const uint8_t key[16], const uint8_t prefix[8],
				  const uint8_t *data, size_t bits, uint8_t mac[16]);

#endif
