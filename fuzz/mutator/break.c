#include "fuzz/mutator/break.h"

void break_any(const struct breaks *breaks, void *work, enum mutation_fault *fault,
	       struct chance *chance)
{
	enum mutation_fault wanted = *fault;

	for (int attempt = 0; attempt < 3 * FAULTS; attempt++) {
		*fault = wanted;
		if (wanted == FAULT_NONE)
			*fault = (enum mutation_fault)(1 + chance_below(chance, FAULTS - 1));
		if (*fault < FAULTS && breaks->of[*fault] && breaks->of[*fault](work))
			return;
		if (wanted != FAULT_NONE)
			breaks->renew(work);
	}
	*fault = FAULT_NONE;
}
