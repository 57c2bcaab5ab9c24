/* Semantic coverage of NAS; see reach.h. */
#ifndef SPILLWAY_FUZZ_REACH_NAS_H
#define SPILLWAY_FUZZ_REACH_NAS_H

#include "codecs/nas/nas.h"
#include "fuzz/harness/reach.h"

/* Counts the IEs of a message that was decoded with these findings. */
void reach_nas(const struct nas_msg *msg, const struct findings *findings);

#endif
