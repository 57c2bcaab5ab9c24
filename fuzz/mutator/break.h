/*
 * Which rules a protocol has, and how each of them is broken: one table for each mutator. work is
 * the mutator's own message.
 */
#ifndef SPILLWAY_FUZZ_BREAK_H
#define SPILLWAY_FUZZ_BREAK_H

#include "fuzz/mutator/mutator.h"

typedef bool break_fn(void *work); /* false: this message has no such rule */

struct breaks {
	break_fn *of[FAULTS];	   /* NULL: the protocol has no such rule */
	void (*renew)(void *work); /* another message, for a fault that was asked for */
};

/* Breaks *fault, or any rule if that is FAULT_NONE; *fault is what was broken, as in mutate_fn. */
void break_any(const struct breaks *breaks, void *work, enum mutation_fault *fault,
	       struct chance *chance);

#endif
