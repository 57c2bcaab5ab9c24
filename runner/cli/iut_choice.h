/*
 * What several commands ask their options alike: which reference IUT, with which faults and
 * variants, by which profile, over which transport. Each function prints its own usage error and
 * returns the exit status, 0 to go on.
 */
#ifndef SPILLWAY_RUNNER_CLI_IUT_CHOICE_H
#define SPILLWAY_RUNNER_CLI_IUT_CHOICE_H

#include "runner/cli/commands.h"

int choose_iut(const struct invocation *invocation, const char *role, const struct iut_ops **ops);
int choose_faults(const struct invocation *invocation, const struct iut_ops *ops,
		  struct iut_set *faults, struct iut_set *variants);
/* --profile, else the built-in one of the role (NULL: amf). Errors of the file are printed. */
int choose_profile(const struct invocation *invocation, const char *role, struct profile **profile);
/* Puts --address into the profile's iut address. */
int choose_address(const struct invocation *invocation, struct profile *profile);
/* --transport, else otherwise. */
enum net_transport chosen_transport(const struct settings *settings, enum net_transport otherwise);

#endif
