/*
 * What comes with the program beside itself, made at build time from the tables that the program
 * goes by: manual pages and completions of shells. So help, manual and completion say the same.
 */
#ifndef SPILLWAY_RUNNER_CLI_PAPERS_H
#define SPILLWAY_RUNNER_CLI_PAPERS_H

#include <stdio.h>

#include "runner/cli/registry.h"

struct paper_source {
	const struct registry *registry;
	const char *date; /* of a manual page: "2026-12-01" */
};

typedef void paper_print(const struct paper_source *source, FILE *out);

paper_print manual_program; /* spillway(1) */
paper_print manual_profile; /* spillway-profile(5) */
paper_print manual_cases;   /* spillway-cases(7) */
paper_print completion_bash;
paper_print completion_zsh;
paper_print completion_fish;

#endif
