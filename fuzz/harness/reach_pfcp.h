/* Semantic coverage of PFCP; see reach.h. Grouped IEs are counted by their own tables. */
#ifndef SPILLWAY_FUZZ_REACH_PFCP_H
#define SPILLWAY_FUZZ_REACH_PFCP_H

#include "codecs/pfcp/pfcp.h"
#include "fuzz/harness/reach.h"

/* Counts the IEs of a message that was checked with these findings. */
void reach_pfcp(const struct pfcp_message *msg, const struct findings *findings);

#endif
