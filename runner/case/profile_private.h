/*
 * What the built-in profile and the reader of profiles share.
 */
#ifndef SPILLWAY_RUNNER_CASE_PROFILE_PRIVATE_H
#define SPILLWAY_RUNNER_CASE_PROFILE_PRIVATE_H

#include "runner/case/profile.h"

/* Of the tester's NFs, where the profile does not say another: the one that open cores use. */
enum { SBI_TESTER_PORT = 7777 };

/* The values that hold where a profile says nothing. */
void profile_defaults(struct profile *profile);

/* MCC and MNC of 5 or 6 digits, which the caller has checked. BCD as in TS 24.501 9.11.3.4. */
void plmn_set(struct plmn *plmn, const char *digits);

/*
 * The addresses of an AMF's TNL associations past the first, where the profile names none: its own
 * with 100 more in the last octet for each. False where that leaves the octet's range.
 */
bool tnl_addresses_default(struct profile_amf *amf);

#endif
