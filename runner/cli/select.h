/*
 * Which cases a command line means. The matching itself is run_select's; this adds what a person
 * needs who mistyped: which pattern matched nothing, and which word was probably meant.
 */
#ifndef SPILLWAY_RUNNER_CLI_SELECT_H
#define SPILLWAY_RUNNER_CLI_SELECT_H

#include "runner/cli/options.h"
#include "runner/cli/registry.h"

/*
 * Selects the cases that at least one pattern matches; all of them where there is no pattern.
 * role NULL: of every role. 0, -ENOMEM, or -ENOENT (a pattern matches nothing, or nothing is left)
 * with a sentence in why. Release with run_selection_clear (also after an error).
 */
int select_cases(const struct registry *registry, const struct word_list *patterns,
		 const char *role, struct run_selection *selection, struct text *why);

#endif
