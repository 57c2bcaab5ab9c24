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

#endif
