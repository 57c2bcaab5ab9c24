/*
 * The second half of the tables: values that cases need, the policy, the control adapter; and what
 * has to hold between values.
 */
#ifndef SPILLWAY_RUNNER_CASE_PROFILE_VALUES_H
#define SPILLWAY_RUNNER_CASE_PROFILE_VALUES_H

#include "runner/case/profile_reader.h"

extern const struct keys profile_keys; /* of the whole file */
extern const struct keys profile_network_keys, profile_slice_keys, profile_subscribers_keys;
extern const struct keys profile_control_keys;
extern const struct keys profile_ixit_keys;
extern const struct keys profile_policy_keys;
take take_slices;
take take_subscribers;
take take_control;

/* Minimum above maximum, what the role needs; after everything was read. */
void profile_check(struct reader *r, const struct node *root);

#endif
