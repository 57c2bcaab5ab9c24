/*
 * Semantic coverage: which IE of which message was seen with which outcome. The edges of a codec
 * that walks tables are all covered within seconds, so that they no longer tell the fuzzer which
 * inputs are new; these counters do. libFuzzer takes them from their section, the replay program
 * prints what was never reached (--reach).
 *
 * A pair is a message (its IE number 0) or one IE of it. Each harness is linked with one file that
 * knows the tables of its codec, or with reach_none.c.
 */
#ifndef SPILLWAY_FUZZ_REACH_H
#define SPILLWAY_FUZZ_REACH_H

#include "codecs/text.h"

enum reach_outcome {
	REACH_SOUND,	/* no finding names it */
	REACH_FINDING,	/* a finding does */
	REACH_REPEATED, /* more than once in its scope */
	REACH_OUTCOMES
};

#define REACH_COUNTERS __attribute__((section("__libfuzzer_extra_counters")))

/* How many pairs there are; 0 where the codec has no tables of messages. */
size_t reach_pairs(void);

/* "NGSetupRequest/RANNodeName" */
void reach_name(struct text *text, size_t pair);

/* Whether a pair was reached with this outcome since the counters were last cleared. */
bool reach_seen(size_t pair, enum reach_outcome outcome);

#endif
