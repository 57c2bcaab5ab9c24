/*
 * ZUC (TS 35.222) and the modes built on it, 128-EEA3 and 128-EIA3 (TS 35.221): 128-NEA3 and
 * 128-NIA3. Ours, from the specification's definitions, because OpenSSL does not have them.
 */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_ZUC_H
#define SPILLWAY_CODECS_NAS_SECURITY_ZUC_H

#include <stddef.h>
#include <stdint.h>

struct zuc {
	uint32_t lfsr[16]; /* ring of 31-bit values: s0 is lfsr[first] */
	unsigned int first;
	uint32_t r1, r2;
};

void zuc_init(struct zuc *z, const uint8_t key[16], const uint8_t iv[16]);

/* The next 32 bits of keystream. */
uint32_t zuc_next(struct zuc *z);

/* Ciphers whole octets in place. bearer: 0..31, direction: 0 or 1. */
void eea3(const uint8_t key[16], uint32_t count, uint8_t bearer, uint8_t direction, uint8_t *data,
	  size_t len);

/* The MAC over the first bits of data. */
void eia3(const uint8_t key[16], uint32_t count, uint8_t bearer, uint8_t direction,
	  const uint8_t *data, size_t bits, uint8_t mac[4]);

#endif
