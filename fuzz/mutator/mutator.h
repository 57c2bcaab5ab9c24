/*
 * Mutation of messages as messages: they are decoded, changed as structures by the tables of their
 * protocol, and encoded again, so that lengths, counts and open types are right unless the point is
 * that they are not. The fuzzing engines know nothing of this: libfuzzer.c and afl.c call it.
 *
 * Everything depends on the octets and the chance alone: the same seed gives the same mutant.
 */
#ifndef SPILLWAY_FUZZ_MUTATOR_H
#define SPILLWAY_FUZZ_MUTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mutation_mode {
	MUTATION_VALID, /* the message stays one that the strict decoder accepts */
	MUTATION_FAULT, /* a valid message in which exactly one rule is broken */
	MUTATION_RAW,	/* octets are octets */
	MUTATION_MODES
};

enum mutation_fault {
	FAULT_NONE,
	FAULT_LENGTH,	     /* a length field that says something else than the length */
	FAULT_DUPLICATE,     /* an IE twice that may be there once */
	FAULT_MISSING,	     /* a mandatory IE is not there */
	FAULT_ORDER,	     /* two IEs have changed places */
	FAULT_CRITICALITY,   /* an IE with a criticality that is not its own */
	FAULT_UNKNOWN_ID,    /* an IE that the message does not have */
	FAULT_EXTENSION_BIT, /* extension or spare bits set, and nothing behind them */
	FAULT_SIZE,	     /* a value one octet longer or shorter than it may be */
	FAULT_FRAGMENT,	     /* a length in a form that its value does not call for */
	FAULT_WRONG_MESSAGE, /* a type of message that does not exist */
	FAULTS
};

/* A source of random numbers (xorshift64*); state is never 0. */
struct chance {
	uint64_t state;
};

static inline struct chance chance_of(uint64_t seed)
{
	return (struct chance){ (seed ^ UINT64_C(0x9e3779b97f4a7c15)) | 1 };
}

static inline uint32_t chance_draw(struct chance *chance)
{
	chance->state ^= chance->state >> 12;
	chance->state ^= chance->state << 25;
	chance->state ^= chance->state >> 27;
	return (uint32_t)(chance->state * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

/* 0 to n - 1; 0 where n is 0 or 1. */
static inline uint32_t chance_below(struct chance *chance, size_t n)
{
	return n > 1 ? (uint32_t)(chance_draw(chance) % n) : 0;
}

static inline bool chance_one_in(struct chance *chance, uint32_t n)
{
	return chance_below(chance, n) == 0;
}

/*
 * Mutates the size octets in data, which has room for max, and returns the new size, 0 when no
 * mutant fits. In MUTATION_FAULT *fault is the rule to be broken, FAULT_NONE leaves the choice;
 * afterwards it is the rule that was broken, FAULT_NONE if the message does not have that rule.
 */
typedef size_t mutate_fn(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
			 enum mutation_fault *fault, struct chance *chance);

/*
 * Puts parts of the message other into the message in data. Returns the new size, 0 when the two
 * cannot be crossed.
 */
typedef size_t cross_fn(uint8_t *data, size_t size, size_t max, const uint8_t *other,
			size_t other_size, struct chance *chance);

mutate_fn mutate_octets;
mutate_fn mutate_nas;	       /* 5GMM, 5GSM, and protected messages of nas_keys.h */
mutate_fn mutate_nas_5gsm;     /* without the first octet */
mutate_fn mutate_nas_security; /* behind the three octets that fuzz_nas_security.c begins with */
mutate_fn mutate_ngap;
mutate_fn mutate_ngap_value; /* behind the two octets that fuzz_ngap_value.c begins with */
mutate_fn mutate_pfcp;
mutate_fn mutate_sbi; /* header fields, "name: value" */

cross_fn cross_octets;
cross_fn cross_nas;
cross_fn cross_ngap;
cross_fn cross_pfcp;
cross_fn cross_sbi;

/* "duplicate"; static storage. */
const char *mutation_fault_name(enum mutation_fault fault);

/* Some octets of at most max, in data: what a value is replaced by. */
size_t mutate_value(uint8_t *data, size_t size, size_t min, size_t max, struct chance *chance);

#endif
