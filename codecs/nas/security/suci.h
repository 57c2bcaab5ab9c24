/*
 * Subscription concealment (TS 33.501 annex C): from scheme input to scheme output at the UE, and
 * back at the home network.
 *
 * The ephemeral private key is an argument, so that a run in virtual time is the same octets again.
 */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_SUCI_H
#define SPILLWAY_CODECS_NAS_SECURITY_SUCI_H

#include <stddef.h>
#include <stdint.h>

#include "codecs/nas/security/status.h"
#include "codecs/octets.h"

/* TS 33.501 C.1, TS 24.501 9.11.3.4 */
enum suci_protection_scheme {
	SUCI_NULL_SCHEME = 0,
	SUCI_PROFILE_A = 1, /* X25519 */
	SUCI_PROFILE_B = 2, /* P-256 (secp256r1), compressed points */
};

enum {
	SUCI_PRIVATE_KEY_SIZE = 32,
	SUCI_PROFILE_A_KEY_SIZE = 32, /* public key, as in the scheme output */
	SUCI_PROFILE_B_KEY_SIZE = 33,
	SUCI_MAC_SIZE = 8,
	SUCI_MAX_INPUT = 1024, /* far above any MSIN (5 octets) or user name */
};

/* Octets that a scheme adds to its input: key and MAC; 0 for the null scheme and unknown ones. */
size_t suci_overhead(enum suci_protection_scheme scheme);

/*
 * Scheme output (ephemeral public key | ciphertext | MAC) of input: the MSIN in BCD for an IMSI,
 * the user name for an NAI. out must not overlap input. hn_public_key: 32 octets (A), 33 octets
 * compressed or 65 uncompressed (B), ignored for null. ephemeral: 32 random octets, ignored for
 * null. Any value will do: one outside a P-256 key's range is reduced into it. BAD_LENGTH for an
 * input of 0 or above SUCI_MAX_INPUT octets, BAD_KEY, BAD_VALUE, NO_SPACE.
 */
enum nas_security_status suci_conceal(enum suci_protection_scheme scheme,
				      struct octets hn_public_key, const uint8_t ephemeral[32],
				      struct octets input, uint8_t *out, size_t size, size_t *len);

/*
 * The scheme input again. hn_private_key: 32 octets, ignored for null. MAC_MISMATCH if the output
 * was altered or made for another key; BAD_KEY if its public key is no point of the curve. Nothing
 * is written to out unless the MAC is right. out must not overlap output.
 */
enum nas_security_status suci_reveal(enum suci_protection_scheme scheme,
				     const uint8_t hn_private_key[32], struct octets output,
				     uint8_t *out, size_t size, size_t *len);

/*
 * The public key of a private key: 32 octets (A) or 33 octets compressed (B) in out, the length in
 * *len. BAD_KEY if a P-256 private key is outside 1..n-1.
 */
enum nas_security_status suci_public_key(enum suci_protection_scheme scheme,
					 const uint8_t private_key[32], uint8_t out[33],
					 size_t *len);

#endif
