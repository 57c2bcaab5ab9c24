/*
 * The IUT of a live run without a profile: `spillway iut` as a child, on loopback addresses of its
 * own, so that two such runs on one machine do not meet. It ends with its parent.
 */
#ifndef SPILLWAY_RUNNER_CLI_LIVE_IUT_H
#define SPILLWAY_RUNNER_CLI_LIVE_IUT_H

#include <sys/types.h>

#include "runner/cli/commands.h"
#include "runner/cli/control_socket.h"

struct live_iut {
	const struct invocation *invocation;
	const char *role;
	struct profile *profile;
	enum net_transport wanted;
	pid_t pid;  /* 0: none */
	int output; /* what it prints; -1: none */
	char dir[64];
	char socket[CONTROL_SOCKET_PATH_MAX + 1];
};

/*
 * Starts it and waits until it listens. The profile (a built-in one) gets its addresses, its
 * transport and a control adapter. 0, or a negative errno with a sentence in why; live_iut_stop is
 * needed in either case.
 */
int live_iut_start(struct live_iut *iut, const struct invocation *invocation,
		   const struct iut_ops *ops, struct profile *profile, struct text *why);
/* Starts it again where it died. 0, or a negative errno with a sentence: how it died. */
int live_iut_ensure(struct live_iut *iut, struct text *why);
/* Ends it; a live_iut of which only output is set, to -1, may be stopped too. */
void live_iut_stop(struct live_iut *iut);

#endif
