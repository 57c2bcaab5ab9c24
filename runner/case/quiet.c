#include "runner/case/quiet.h"

#include <inttypes.h>

#define QUIET	    US_PER_S
#define QUIET_LIMIT (120 * US_PER_S)

struct quiet {
	quiet_activity *activity;
	const void *arg;
	uint64_t last;
};

static bool arrived(void *arg)
{
	const struct quiet *quiet = arg;

	return quiet->activity(quiet->arg) > quiet->last;
}

void await_quiet(struct tc *t, quiet_activity *activity, const void *arg, const char *what)
{
	uint64_t end = loop_now(t->loop) + QUIET_LIMIT;
	struct quiet quiet = { .activity = activity, .arg = arg };

	do {
		quiet.last = activity(arg);
		if (loop_now(t->loop) >= end)
			tc_fail(t,
				"the IUT goes on sending for %" PRIu64 " s after the %s have ended",
				QUIET_LIMIT / US_PER_S, what);
	} while (tc_wait_shown(t, "tester", "silence", QUIET, arrived, &quiet));
}
