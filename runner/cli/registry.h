/*
 * What a program offers: its suites and its reference IUTs. The commands get it as a parameter, so
 * that tests of the command line bring suites of their own.
 */
#ifndef SPILLWAY_RUNNER_CLI_REGISTRY_H
#define SPILLWAY_RUNNER_CLI_REGISTRY_H

#include "runner/case/run.h"

struct registry {
	const char *version;
	const char *commit; /* that it was built from; NULL: nobody knows */
	const char *build;  /* "Release"; NULL likewise */
	struct run_world world;
};

/* The reference IUT of a role ("amf"), or NULL. */
const struct iut_ops *registry_iut(const struct registry *registry, const char *role);

/* Whether the fault names the case. */
bool fault_names_case(const struct iut_fault *fault, const char *id);

/* Runs the command line; returns the exit status of the program. */
int cli_main(const struct registry *registry, int argc, char *argv[]);

#endif
