/*
 * The other end in the live tests: it sends back what it gets, and obeys messages that start with
 * a '!': "!abort", "!shutdown", "!die", "!flood N", "!big N", "!stats". Used by test_net_live in a
 * process of its own and by net_echo across stacks.
 */
#ifndef SPILLWAY_RUNNER_NET_OBEDIENT_PEER_H
#define SPILLWAY_RUNNER_NET_OBEDIENT_PEER_H

#include "runner/net/link.h"

/* Serves on the address; NULL with the sentence in why. What it needs stays allocated. */
struct net *obedient_peer(struct loop *loop, const struct net_options *options,
			  const struct net_address *local, struct text *why);

#endif
