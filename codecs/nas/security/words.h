/* Words of 32 bits in network order, as the two word-oriented stream ciphers see their input. */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_WORDS_H
#define SPILLWAY_CODECS_NAS_SECURITY_WORDS_H

#include <stdint.h>

static inline uint32_t word(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
	return (uint32_t)a << 24 | (uint32_t)b << 16 | (uint32_t)c << 8 | d;
}

static inline uint32_t get_word(const uint8_t *in)
{
	return word(in[0], in[1], in[2], in[3]);
}

static inline void put_word(uint8_t *out, uint32_t v)
{
	out[0] = (uint8_t)(v >> 24);
	out[1] = (uint8_t)(v >> 16);
	out[2] = (uint8_t)(v >> 8);
	out[3] = (uint8_t)v;
}

/* n: 1..31 */
static inline uint32_t rotate_left(uint32_t v, unsigned int n)
{
	return v << n | v >> (32 - n);
}

#endif
