/* The network functions behind the AMF, as the cases about them see them. */
#ifndef SPILLWAY_SUITES_N1_CONGESTION_BEHIND_H
#define SPILLWAY_SUITES_N1_CONGESTION_BEHIND_H

#include "codecs/sbi/sbi.h"
#include "runner/emulation/sbi_core_case.h"
#include "suites/n1_congestion/congestion.h"

/* All of them, and this one among them; before anything else is played. na where it is not. */
struct sbi_core *behind(struct tc *t, enum sbi_role role);

#endif
