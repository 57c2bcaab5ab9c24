/* What this program is made of: its suites, its reference IUTs, and where it came from. */
#ifndef SPILLWAY_RUNNER_CLI_PROGRAM_H
#define SPILLWAY_RUNNER_CLI_PROGRAM_H

#include "runner/cli/registry.h"

extern const struct registry program_registry;

#endif
