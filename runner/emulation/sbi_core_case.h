/* The network functions behind the AMF of a case, where the profile's tester.sbi.roles has some. */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_CORE_CASE_H
#define SPILLWAY_RUNNER_EMULATION_SBI_CORE_CASE_H

#include "runner/emulation/sbi_core.h"
#include "runner/emulation/ue.h"

/*
 * Started with the first element that the case plays, or here. NULL: there are none. Those who
 * cannot start end the case with error, also where an NRF that is not ours does not take them
 * within ixit connect-time.
 */
struct sbi_core *sbi_core_of_case(struct tc *t);
/*
 * The same for a case that is about them: before it plays anything else. Where the profile has them
 * for such cases only, the AMF is told to use them. na: there are none.
 */
struct sbi_core *sbi_core_demanded(struct tc *t);

/*
 * Mobile terminated traffic, so that the AMF pages. Where the suite plays the SMF, its sessions are
 * what has data: ue_can_be_paged gives the UE, which is registered, one, and leaves it CM-IDLE.
 * Elsewhere it does nothing, and ue_downlink is the control action of that kind ("data",
 * "signalling").
 */
void ue_can_be_paged(struct ue *ue);
void ue_downlink(struct ue *ue, const char *kind);

#endif
