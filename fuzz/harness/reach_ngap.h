/* Semantic coverage of NGAP; see reach.h. */
#ifndef SPILLWAY_FUZZ_REACH_NGAP_H
#define SPILLWAY_FUZZ_REACH_NGAP_H

#include "codecs/ngap/ngap.h"
#include "fuzz/harness/reach.h"

/* Counts the IEs of a message that was decoded with these findings. */
void reach_ngap(const struct ngap_pdu *pdu, const struct findings *findings);

#endif
