/*
 * The commands of the program. Each returns the exit status; what it prints for programs goes to
 * standard output, everything else to standard error.
 */
#ifndef SPILLWAY_RUNNER_CLI_COMMANDS_H
#define SPILLWAY_RUNNER_CLI_COMMANDS_H

#include <stdio.h>

#include "runner/cli/options.h"
#include "runner/cli/registry.h"
#include "runner/cli/select.h"

int command_list(struct invocation *invocation);
int command_explain(struct invocation *invocation);
int command_run(struct invocation *invocation);
int command_faults(struct invocation *invocation);
int command_iut(struct invocation *invocation);
int command_ctl(struct invocation *invocation);
int command_report(struct invocation *invocation);
int command_show(struct invocation *invocation);
int command_merge(struct invocation *invocation);
int command_diff(struct invocation *invocation);
int command_baseline(struct invocation *invocation);
int command_profile_check(struct invocation *invocation);

/* The commands, in the order of the help; NULL past the last one. */
const struct command *cli_command(size_t n);

/* Prints "spillway COMMAND: sentence" and where the help is; returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int usage_error(const struct invocation *invocation,
						      const char *format, ...);
/* Prints "spillway COMMAND: sentence"; returns status. */
__attribute__((format(printf, 3, 4))) int command_error(const struct invocation *invocation,
							int status, const char *format, ...);

/* Flushes standard output: EXIT_RIG with a message where it could not be written, else status. */
int output_done(const struct invocation *invocation, int status);

/* 0 or a negative errno; errors of the stream are its owner's. */
typedef int output_fn(const void *what, FILE *out);
/*
 * Has print write to the file of --output, or to standard output. EXIT_PASSED, or with a message
 * EXIT_USAGE where the file cannot be opened, EXIT_RIG where it cannot be written.
 */
int output_write(const struct invocation *invocation, output_fn *print, const void *what);

const char *strength_name(enum strength strength);

/* Prints us as the shortest duration literal, rounded up to ms. */
void duration_print(uint64_t us, struct text *out);

#endif
