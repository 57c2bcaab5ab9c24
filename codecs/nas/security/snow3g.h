/*
 * SNOW 3G (TS 35.216) and the modes built on it, UEA2 and UIA2 (TS 35.215): 128-NEA1 and 128-NIA1.
 * Ours, from the specification's definitions, because OpenSSL does not have them.
 */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_SNOW3G_H
#define SPILLWAY_CODECS_NAS_SECURITY_SNOW3G_H

#include <stddef.h>
#include <stdint.h>

struct snow3g {
	uint32_t lfsr[16]; /* ring: s0 is lfsr[first] */
	unsigned int first;
	uint32_t r1, r2, r3;
};

/* key and iv as 16 octets each, most significant word (k3, IV3) first. */
void snow3g_init(struct snow3g *s, const uint8_t key[16], const uint8_t iv[16]);

/* The next 32 bits of keystream. */
uint32_t snow3g_next(struct snow3g *s);

/* f8 over whole octets in place. bearer: 0..31, direction: 0 or 1. */
void uea2(const uint8_t key[16], uint32_t count, uint8_t bearer, uint8_t direction, uint8_t *data,
	  size_t len);

/* f9 over the first bits of data. 128-NIA1 is this with fresh = BEARER in the top five bits. */
void uia2(const uint8_t key[16], uint32_t count, uint32_t fresh, uint8_t direction,
	  const uint8_t *data, size_t bits, uint8_t mac[4]);

#endif
