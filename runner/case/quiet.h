/* Waiting until an IUT that was asked to send something has sent it all. */
#ifndef SPILLWAY_RUNNER_CASE_QUIET_H
#define SPILLWAY_RUNNER_CASE_QUIET_H

#include "runner/case/tc.h"

/* A figure that grows with what comes. */
typedef uint64_t quiet_activity(const void *arg);

/*
 * Returns when nothing has come for a second. An IUT that goes on for two minutes fails the case;
 * what names what was asked for ("attempts").
 */
void await_quiet(struct tc *t, quiet_activity *activity, const void *arg, const char *what);

#endif
