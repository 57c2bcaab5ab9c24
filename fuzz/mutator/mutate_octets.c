/* Octets without a meaning: the raw mode of every protocol, and the values of IEs. */
#include <string.h>

#include "fuzz/mutator/mutator.h"

static const uint8_t telling[] = { 0x00, 0x01, 0x7f, 0x80, 0xc0, 0xc1, 0xfe, 0xff };

static const char *const fault_names[FAULTS] = {
	[FAULT_NONE] = "none",
	[FAULT_LENGTH] = "length",
	[FAULT_DUPLICATE] = "duplicate",
	[FAULT_MISSING] = "missing",
	[FAULT_ORDER] = "order",
	[FAULT_CRITICALITY] = "criticality",
	[FAULT_UNKNOWN_ID] = "unknown id",
	[FAULT_EXTENSION_BIT] = "extension bit",
	[FAULT_SIZE] = "size",
	[FAULT_FRAGMENT] = "fragmented length",
	[FAULT_WRONG_MESSAGE] = "wrong message",
};

const char *mutation_fault_name(enum mutation_fault fault)
{
	return fault < FAULTS ? fault_names[fault] : "unknown";
}

static void change_octet(uint8_t *octet, struct chance *chance)
{
	switch (chance_below(chance, 4)) {
	case 0:
		*octet = (uint8_t)(*octet ^ 1u << chance_below(chance, 8));
		break;
	case 1:
		*octet = telling[chance_below(chance, sizeof(telling))];
		break;
	case 2:
		*octet = (uint8_t)(*octet + 1 - 2 * chance_below(chance, 2));
		break;
	default:
		*octet = (uint8_t)chance_draw(chance);
		break;
	}
}

size_t mutate_value(uint8_t *data, size_t size, size_t min, size_t max, struct chance *chance)
{
	size_t wanted = size;

	if (max > min && chance_one_in(chance, 2)) {
		size_t most = max - min < 24 ? max - min : 24;

		wanted = min + chance_below(chance, most + 1);
		if (chance_one_in(chance, 12))
			wanted = max;
	}
	if (wanted < min)
		wanted = min;
	if (wanted > max)
		wanted = max;
	for (size_t i = size; i < wanted; i++)
		data[i] = (uint8_t)chance_draw(chance);
	for (uint32_t n = 1 + chance_below(chance, 3); wanted && n > 0; n--)
		change_octet(&data[chance_below(chance, wanted)], chance);
	return wanted;
}

static size_t erase(uint8_t *data, size_t size, struct chance *chance)
{
	size_t at = chance_below(chance, size);
	size_t n = 1 + chance_below(chance, size - at < 8 ? size - at : 8);

	if (n >= size)
		return size;
	memmove(data + at, data + at + n, size - at - n);
	return size - n;
}

static size_t insert(uint8_t *data, size_t size, size_t max, struct chance *chance)
{
	size_t at = chance_below(chance, size + 1);
	size_t n = 1 + chance_below(chance, 8);
	size_t from = chance_below(chance, size);
	uint8_t piece[8];

	if (size + n > max)
		return size;
	for (size_t i = 0; i < n; i++)
		piece[i] = size && from + i < size && n % 2 ? data[from + i]
							    : (uint8_t)chance_draw(chance);
	memmove(data + at + n, data + at, size - at);
	memcpy(data + at, piece, n);
	return size + n;
}

size_t mutate_octets(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
		     enum mutation_fault *fault, struct chance *chance)
{
	(void)mode;
	*fault = FAULT_NONE;
	for (uint32_t n = 1 + chance_below(chance, 4); n > 0; n--) {
		switch (chance_below(chance, 6)) {
		case 0:
			if (size > 1)
				size = erase(data, size, chance);
			break;
		case 1:
			size = insert(data, size, max, chance);
			break;
		default:
			if (size)
				change_octet(&data[chance_below(chance, size)], chance);
			break;
		}
	}
	return size;
}

size_t cross_octets(uint8_t *data, size_t size, size_t max, const uint8_t *other, size_t other_size,
		    struct chance *chance)
{
	size_t keep = chance_below(chance, size + 1);
	size_t from = chance_below(chance, other_size + 1);
	size_t n = other_size - from;

	if (n > max - keep)
		n = max - keep;
	if (n)
		memcpy(data + keep, other + from, n);
	return keep + n;
}
