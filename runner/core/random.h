/*
 * Seeded random numbers. Each user has a stream of its own, named by a label, so that one more draw
 * in one place does not change what all others see.
 */
#ifndef SPILLWAY_RUNNER_CORE_RANDOM_H
#define SPILLWAY_RUNNER_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state[4];
};

/* Derives the stream from the seed and the label; equal inputs give equal streams. */
void random_init(struct random *random, uint64_t seed, const char *label);
uint64_t random_u64(struct random *random);
/* Uniform in 0..n-1, without modulo bias; 0 when n is 0. */
uint64_t random_below(struct random *random, uint64_t n);
/* Uniform in [0, 1). */
double random_unit(struct random *random);
void random_bytes(struct random *random, void *out, size_t len);

#endif
