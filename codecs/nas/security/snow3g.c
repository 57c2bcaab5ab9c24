#include "codecs/nas/security/snow3g.h"

#include <pthread.h>
#include <string.h>

#include "codecs/nas/security/words.h"

/*
 * S1 and S2 take a word through a substitution box and a MixColumn-like matrix; one table each
 * serves all four octets, since the matrix is circulant. mul_alpha and div_alpha are the
 * feedback's multiplications in GF(2^32). All of it follows from four field polynomials, so it is
 * computed rather than typed.
 */
static uint32_t s1_table[256];
static uint32_t s2_table[256];
static uint32_t mul_alpha[256];
static uint32_t div_alpha[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Low octets of the field polynomials x^8 + ... */
enum {
	POLY_RIJNDAEL = 0x1b, /* S1 */
	POLY_DICKSON = 0x69,  /* S2 */
	POLY_ALPHA = 0xa9,    /* feedback */
};

static uint8_t times_x(uint8_t v, uint8_t poly)
{
	return (uint8_t)((unsigned int)(v << 1) ^ ((v & 0x80) ? poly : 0U));
}

static uint8_t times(uint8_t a, uint8_t b, uint8_t poly)
{
	uint8_t product = 0;

	for (int bit = 7; bit >= 0; bit--) {
		product = times_x(product, poly);
		if (b & (1 << bit))
			product ^= a;
	}
	return product;
}

static uint8_t power(uint8_t base, unsigned int exponent, uint8_t poly)
{
	uint8_t result = 1;

	for (; exponent > 0; exponent >>= 1) {
		if (exponent & 1)
			result = times(result, base, poly);
		base = times(base, base, poly);
	}
	return result;
}

static uint8_t times_x_power(uint8_t v, unsigned int exponent, uint8_t poly)
{
	return times(v, power(2, exponent, poly), poly);
}

/* SR: the substitution of Rijndael, inversion and an affine map. */
static uint8_t sbox_rijndael(uint8_t v)
{
	uint8_t inverse = power(v, 254, POLY_RIJNDAEL);
	unsigned int doubled = (unsigned int)inverse << 8 | inverse;

	return (uint8_t)(inverse ^ doubled >> 7 ^ doubled >> 6 ^ doubled >> 5 ^ doubled >> 4 ^
			 0x63);
}

/* SQ: the Dickson polynomial g49, as TS 35.216 3.3.2 spells it out. */
static uint8_t sbox_dickson(uint8_t v)
{
	static const uint8_t exponents[] = { 1, 9, 13, 15, 33, 41, 45, 47, 49 };
	uint8_t sum = 0x25;

	for (size_t i = 0; i < sizeof(exponents); i++)
		sum ^= power(v, exponents[i], POLY_DICKSON);
	return sum;
}

static uint32_t column(uint8_t s, uint8_t poly)
{
	uint8_t doubled = times_x(s, poly);

	return word(doubled, (uint8_t)(doubled ^ s), s, s);
}

static void make_tables(void)
{
	for (unsigned int i = 0; i < 256; i++) {
		uint8_t c = (uint8_t)i;

		s1_table[i] = column(sbox_rijndael(c), POLY_RIJNDAEL);
		s2_table[i] = column(sbox_dickson(c), POLY_DICKSON);
		mul_alpha[i] =
			word(times_x_power(c, 23, POLY_ALPHA), times_x_power(c, 245, POLY_ALPHA),
			     times_x_power(c, 48, POLY_ALPHA), times_x_power(c, 239, POLY_ALPHA));
		div_alpha[i] =
			word(times_x_power(c, 16, POLY_ALPHA), times_x_power(c, 39, POLY_ALPHA),
			     times_x_power(c, 6, POLY_ALPHA), times_x_power(c, 64, POLY_ALPHA));
	}
}

static uint32_t substitute(const uint32_t table[256], uint32_t w)
{
	return table[w >> 24] ^ rotate_left(table[w >> 16 & 0xff], 24) ^
	       rotate_left(table[w >> 8 & 0xff], 16) ^ rotate_left(table[w & 0xff], 8);
}

static uint32_t stage(const struct snow3g *s, unsigned int i)
{
	return s->lfsr[(s->first + i) % 16];
}

static uint32_t clock_fsm(struct snow3g *s)
{
	uint32_t f = (stage(s, 15) + s->r1) ^ s->r2;
	uint32_t r = s->r2 + (s->r3 ^ stage(s, 5));

	s->r3 = substitute(s2_table, s->r2);
	s->r2 = substitute(s1_table, s->r1);
	s->r1 = r;
	return f;
}

/* f: the output of the FSM while initialising, 0 afterwards. */
static void clock_lfsr(struct snow3g *s, uint32_t f)
{
	uint32_t s0 = stage(s, 0);
	uint32_t s11 = stage(s, 11);

	s->lfsr[s->first] =
		s0 << 8 ^ mul_alpha[s0 >> 24] ^ stage(s, 2) ^ s11 >> 8 ^ div_alpha[s11 & 0xff] ^ f;
	s->first = (s->first + 1) % 16;
}

void snow3g_init(struct snow3g *s, const uint8_t key[16], const uint8_t iv[16])
{
	uint32_t ones = UINT32_MAX;

	pthread_once(&once, make_tables);
	*s = (struct snow3g){ 0 };
	for (unsigned int i = 0; i < 4; i++) {
		uint32_t k = get_word(key + 4 * (3 - i));

		s->lfsr[i] = k ^ ones;
		s->lfsr[i + 4] = k;
		s->lfsr[i + 8] = k ^ ones;
		s->lfsr[i + 12] = k;
	}
	s->lfsr[15] ^= get_word(iv + 12); /* IV0 */
	s->lfsr[12] ^= get_word(iv + 8);
	s->lfsr[10] ^= get_word(iv + 4);
	s->lfsr[9] ^= get_word(iv); /* IV3 */
	for (int i = 0; i < 32; i++)
		clock_lfsr(s, clock_fsm(s));
	clock_fsm(s);
	clock_lfsr(s, 0);
}

uint32_t snow3g_next(struct snow3g *s)
{
	uint32_t z = clock_fsm(s) ^ stage(s, 0);

	clock_lfsr(s, 0);
	return z;
}

void uea2(const uint8_t key[16], uint32_t count, uint8_t bearer, uint8_t direction, uint8_t *data,
	  size_t len)
{
	struct snow3g s;
	uint8_t iv[16];

	put_word(iv, count);
	put_word(iv + 4, (uint32_t)bearer << 27 | (uint32_t)direction << 26);
	memcpy(iv + 8, iv, 8);
	snow3g_init(&s, key, iv);
	for (; len >= 4; data += 4, len -= 4)
		put_word(data, get_word(data) ^ snow3g_next(&s));
	if (len > 0) {
		uint8_t last[4];

		put_word(last, snow3g_next(&s));
		for (size_t i = 0; i < len; i++)
			data[i] ^= last[i];
	}
}

/* Multiplication by a fixed element of GF(2^64) modulo x^64 + x^4 + x^3 + x + 1, four bits a step.
 */
struct multiplier {
	uint64_t multiple[16];
};

static uint64_t times_x64(uint64_t v)
{
	return v << 1 ^ ((v >> 63) ? 0x1bU : 0U);
}

static void multiplier_init(struct multiplier *m, uint64_t p)
{
	m->multiple[0] = 0;
	m->multiple[1] = p;
	for (unsigned int i = 2; i < 16; i++)
		m->multiple[i] = (i & 1) ? m->multiple[i - 1] ^ p : times_x64(m->multiple[i / 2]);
}

static uint64_t multiply(const struct multiplier *m, uint64_t v)
{
	uint64_t product = 0;

	for (int shift = 60; shift >= 0; shift -= 4) {
		uint64_t top = product >> 60;

		/* top * (x^4 + x^3 + x + 1), without carries */
		product = product << 4 ^ top ^ top << 1 ^ top << 3 ^ top << 4;
		product ^= m->multiple[v >> shift & 0xf];
	}
	return product;
}

static uint64_t get_words(const uint8_t *in)
{
	return (uint64_t)get_word(in) << 32 | get_word(in + 4);
}

void uia2(const uint8_t key[16], uint32_t count, uint32_t fresh, uint8_t direction,
	  const uint8_t *data, size_t bits, uint8_t mac[4])
{
	struct snow3g s;
	struct multiplier m;
	uint8_t iv[16];
	uint32_t z[5];
	uint64_t eval = 0;
	size_t rest = bits;

	put_word(iv, count);
	put_word(iv + 4, fresh);
	put_word(iv + 8, count ^ (uint32_t)direction << 31);
	put_word(iv + 12, fresh ^ (uint32_t)direction << 15);
	snow3g_init(&s, key, iv);
	for (size_t i = 0; i < 5; i++)
		z[i] = snow3g_next(&s);

	multiplier_init(&m, (uint64_t)z[0] << 32 | z[1]);
	for (; rest >= 64; data += 8, rest -= 64)
		eval = multiply(&m, eval ^ get_words(data));
	if (rest > 0) {
		uint8_t last[8] = { 0 };
		uint64_t mask = UINT64_MAX << (64 - rest);

		memcpy(last, data, (rest + 7) / 8);
		eval = multiply(&m, eval ^ (get_words(last) & mask));
	}
	multiplier_init(&m, (uint64_t)z[2] << 32 | z[3]);
	eval = multiply(&m, eval ^ (uint64_t)bits);
	put_word(mac, (uint32_t)(eval >> 32) ^ z[4]);
}
