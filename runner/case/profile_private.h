/*
 * What the built-in profile and the reader of profiles share.
 */
#ifndef SPILLWAY_RUNNER_CASE_PROFILE_PRIVATE_H
#define SPILLWAY_RUNNER_CASE_PROFILE_PRIVATE_H

#include "runner/case/profile.h"

/* The values that hold where a profile says nothing. */
void profile_defaults(struct profile *profile);

/* MCC and MNC of 5 or 6 digits, which the caller has checked. BCD as in TS 24.501 9.11.3.4. */
void plmn_set(struct plmn *plmn, const char *digits);

#endif
