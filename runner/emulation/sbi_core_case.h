/* The network functions behind the AMF of a case, where the profile's tester.sbi.roles has some. */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_CORE_CASE_H
#define SPILLWAY_RUNNER_EMULATION_SBI_CORE_CASE_H

#include "runner/case/tc.h"
#include "runner/emulation/sbi_core.h"

/*
 * Started with the first element that the case plays, or here. NULL: there are none. Those who
 * cannot start end the case with error, also where an NRF that is not ours does not take them
 * within ixit connect-time.
 */
struct sbi_core *sbi_core_of_case(struct tc *t);

#endif
