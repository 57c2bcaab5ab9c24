/*
 * The mutator behind libFuzzer's hooks. MUTATE and CROSS name the protocol's functions. What the
 * structured mutator declines, and the raw mode, are left to libFuzzer itself, which has its table
 * of recent comparisons and the dictionary.
 */
#include "fuzz/mutator/choose_mode.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t max, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct chance chance = chance_of(seed);
	enum mutation_mode mode = choose_mode(&chance);
	enum mutation_fault fault = FAULT_NONE;
	size_t len = 0;

	if (mode != MUTATION_RAW)
		len = MUTATE(data, size, max, mode, &fault, &chance);
	/* with all modes by turns, some structures get wrong octets as well */
	if (len && (wanted_mode() != MUTATION_MODES || !chance_one_in(&chance, 4)))
		return len;
	return LLVMFuzzerMutate(data, len ? len : size, max);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t max, unsigned int seed)
{
	struct chance chance = chance_of(seed);

	if (size > max)
		return 0;
	if (size)
		memcpy(out, data, size);
	if (choose_mode(&chance) == MUTATION_RAW)
		return cross_octets(out, size, max, other, other_size, &chance);
	return CROSS(out, size, max, other, other_size, &chance);
}
