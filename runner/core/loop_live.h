/*
 * The live half of the loop: descriptors and the monotonic clock, by libuv.
 *
 * libuv only gathers which descriptors are ready; their callbacks run after uv_run has returned.
 * So a waiting function may run the loop again from inside an event, which uv_run itself does not
 * allow.
 */
#ifndef SPILLWAY_RUNNER_CORE_LOOP_LIVE_H
#define SPILLWAY_RUNNER_CORE_LOOP_LIVE_H

#include "runner/core/loop.h"

struct live;

struct live *live_new(void);
void live_free(struct live *live);
/* Monotonic, in us, from an arbitrary start. */
uint64_t live_clock(void);
/* ms since 1970 */
int64_t live_epoch_ms(void);
/*
 * Collects ready descriptors; when there is none, waits for one, at most for so many us (rounded up
 * to ms), or until live_wake. LOOP_NEVER waits without limit.
 */
void live_gather(struct live *live, uint64_t wait);
/* Calls back one gathered descriptor; false when there is none left. */
bool live_dispatch(struct live *live);
/* Ends a live_gather; may be called from a signal handler. */
void live_wake(struct live *live);

struct loop_watch *live_watch(struct live *live, int fd, unsigned int events, loop_ready *ready,
			      void *arg);

#endif
