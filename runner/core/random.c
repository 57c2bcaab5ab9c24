/* xoshiro256** by Blackman and Vigna, its state filled by splitmix64. */
#include "runner/core/random.h"

#include <string.h>

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* FNV-1a */
static uint64_t label_hash(const char *label)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *label; label++)
		hash = (hash ^ (unsigned char)*label) * UINT64_C(0x100000001b3);
	return hash;
}

void random_init(struct random *random, uint64_t seed, const char *label)
{
	uint64_t state = seed;

	state = splitmix(&state) ^ label_hash(label);
	for (int i = 0; i < 4; i++)
		random->state[i] = splitmix(&state);
}

static uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

uint64_t random_u64(struct random *random)
{
	uint64_t *s = random->state;
	uint64_t result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

uint64_t random_below(struct random *random, uint64_t n)
{
	uint64_t reject, x;

	if (n == 0)
		return 0;
	reject = (0 - n) % n; /* 2^64 mod n */
	do
		x = random_u64(random);
	while (x < reject);
	return x % n;
}

double random_unit(struct random *random)
{
	return (double)(random_u64(random) >> 11) * 0x1p-53;
}

void random_bytes(struct random *random, void *out, size_t len)
{
	uint8_t *to = out;

	while (len > 0) {
		uint64_t x = random_u64(random);
		size_t n = len < sizeof(x) ? len : sizeof(x);

		for (size_t i = 0; i < n; i++)
			to[i] = (uint8_t)(x >> (8 * i));
		to += n;
		len -= n;
	}
}
