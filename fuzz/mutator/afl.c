/* The mutator as a library that AFL++ loads (AFL_CUSTOM_MUTATOR_LIBRARY). */
#include "fuzz/mutator/choose_mode.h"

struct afl_mutator {
	struct chance chance;
	uint8_t *out;
	size_t room;
};

/* AFL++'s interface; afl_state is never looked into. */
void *afl_custom_init(void *afl_state, unsigned int seed);
size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out, uint8_t *other,
		       size_t other_size, size_t max);
void afl_custom_deinit(void *state);

void *afl_custom_init(void *afl_state, unsigned int seed)
{
	struct afl_mutator *mutator = calloc(1, sizeof(*mutator));

	(void)afl_state;
	if (mutator)
		mutator->chance = chance_of(seed);
	return mutator;
}

size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out, uint8_t *other,
		       size_t other_size, size_t max)
{
	struct afl_mutator *mutator = state;
	enum mutation_mode mode = choose_mode(&mutator->chance);
	enum mutation_fault fault = FAULT_NONE;
	size_t len = 0;

	if (mutator->room < max) {
		uint8_t *room = realloc(mutator->out, max);

		if (!room) {
			*out = data;
			return size;
		}
		mutator->out = room;
		mutator->room = max;
	}
	if (size > max)
		size = max;
	memcpy(mutator->out, data, size);
	*out = mutator->out;
	if (mode != MUTATION_RAW && other && chance_one_in(&mutator->chance, 8))
		len = CROSS(mutator->out, size, max, other, other_size, &mutator->chance);
	if (!len)
		len = MUTATE(mutator->out, size, max, mode, &fault, &mutator->chance);
	if (!len)
		len = mutate_octets(mutator->out, size, max, MUTATION_RAW, &fault,
				    &mutator->chance);
	return len;
}

void afl_custom_deinit(void *state)
{
	struct afl_mutator *mutator = state;

	free(mutator->out);
	free(mutator);
}
