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
/*
 * The IUT of the role to which --fault and --variant belong, all of them; NULL where none is named.
 */
int choose_iut_by_faults(const struct invocation *invocation, const struct iut_ops **ops);
/* --profile, else the built-in one of the role (NULL: amf). Errors of the file are printed. */
int choose_profile(const struct invocation *invocation, const char *role, struct profile **profile);
/* Where an IUT of the profile's role is: iut.n4 or iut.n2. */
struct net_address *iut_address(struct profile *profile);
/*
 * Puts --address into the profile's iut address. All other addresses of a built-in profile follow
 * it on loopback.
 */
int choose_address(const struct invocation *invocation, struct profile *profile);
/*
 * Moves every address of 127.0.0.0/8 into the /24 of this one (of 127.0.0.0/8, else nothing is
 * moved): runs on one machine do not meet, and two processes that are told one address of the
 * network agree on all of them.
 */
void move_on_loopback(struct profile *profile, const struct net_address *network);
/* --transport, else otherwise. */
enum net_transport chosen_transport(const struct settings *settings, enum net_transport otherwise);

#endif
