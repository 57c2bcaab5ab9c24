/*
 * Putting a live IUT back: what a case asked of it is taken back by the supervisor, not by the
 * case, because a case may have died (design/architecture.md, "A case").
 */
#ifndef SPILLWAY_RUNNER_CASE_UNDO_H
#define SPILLWAY_RUNNER_CASE_UNDO_H

#include <signal.h>

#include "runner/case/profile.h"

enum { UNDO_MAX = 8 };

struct undo {
	bool wanted[UNDO_MAX]; /* by its table */
	bool reset;	       /* reset is due */
	bool no_reset;	       /* the adapter has none: each case has a fresh association */
	bool was_reset;	       /* the last undoing reset the IUT */
};

/* A case started this action. */
void undo_note(struct undo *undo, const char *action);
/* What an earlier run may have left, of which nobody knows: before the first case. */
void undo_assume(struct undo *undo, const struct profile *profile);
/*
 * Undoes what is due, in a process of its own. 0, or -1 with a sentence; then what failed stays
 * due.
 */
int undo_run(struct undo *undo, const struct profile *profile,
	     const volatile sig_atomic_t *interrupted, struct text *why);

#endif
