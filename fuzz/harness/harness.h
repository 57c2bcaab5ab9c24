/*
 * What harnesses, drivers and mutators agree on. A harness is one function over octets; libFuzzer,
 * AFL++ (afl.c) and the plain replay program (replay.c) all call it. It is silent until an oracle
 * fails, keeps no state between inputs, and never reads beyond what it was given.
 */
#ifndef SPILLWAY_FUZZ_HARNESS_H
#define SPILLWAY_FUZZ_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The line that triage groups by, where no sanitizer says what went wrong. */
static inline void require_failed(const char *what, const char *where)
{
	fprintf(stderr, "ORACLE: %s in %s\n", what, where);
	abort();
}

#define require(holds)                                    \
	do {                                              \
		if (!(holds))                             \
			require_failed(#holds, __func__); \
	} while (0)

/*
 * Time is linear in the input. What is allowed for an octet is many times of what the slowest codec
 * takes under sanitizers, so that only another order of growth gets beyond it, and only processor
 * time counts; short inputs are not timed at all.
 */
enum { TIMED_FROM = 4096, NS_AN_OCTET = 1000, NS_AT_LEAST = 20000000 };

static inline uint64_t processor_ns(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline uint64_t linear_start(size_t size)
{
	return size < TIMED_FROM ? 0 : processor_ns();
}

static inline void require_linear(uint64_t start, size_t size)
{
	if (start)
		require(processor_ns() - start < NS_AT_LEAST + NS_AN_OCTET * (uint64_t)size);
}

#endif
