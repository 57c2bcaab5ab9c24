/* What libfuzzer.c and afl.c share: the mode that a campaign asks for, and one mutation in it. */
#ifndef SPILLWAY_FUZZ_CHOOSE_MODE_H
#define SPILLWAY_FUZZ_CHOOSE_MODE_H

#include <stdlib.h>
#include <string.h>

#include "fuzz/mutator/mutator.h"

/* SPILLWAY_FUZZ_MODE: valid, fault or raw; anything else is all three by turns, MUTATION_MODES. */
static inline enum mutation_mode wanted_mode(void)
{
	static enum mutation_mode wanted = MUTATION_MODES;
	static bool known;

	if (!known) {
		static const char *const names[] = { "valid", "fault", "raw" };
		const char *name = getenv("SPILLWAY_FUZZ_MODE");

		for (int i = 0; name && i < MUTATION_MODES; i++)
			if (strcmp(name, names[i]) == 0)
				wanted = (enum mutation_mode)i;
		known = true;
	}
	return wanted;
}

static inline enum mutation_mode choose_mode(struct chance *chance)
{
	enum mutation_mode wanted = wanted_mode();

	return wanted != MUTATION_MODES ? wanted
					: (enum mutation_mode)chance_below(chance, MUTATION_MODES);
}

#endif
