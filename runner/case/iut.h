/*
 * What a reference IUT offers to the rig: the case layer, `spillway iut` and `spillway faults` know
 * it only through this table, and meet it only as bytes on a link and as control actions.
 */
#ifndef SPILLWAY_RUNNER_CASE_IUT_H
#define SPILLWAY_RUNNER_CASE_IUT_H

#include "codecs/text.h"
#include "runner/case/profile.h"
#include "runner/core/loop.h"
#include "runner/net/link.h"

/* A named deviation (fault) or a named legal behaviour (variant) of a reference IUT. */
struct iut_fault {
	const char *name;	 /* "amf-rejects-paging-response" */
	const char *requirement; /* "N1-A-06" */
	const char *text;	 /* one line */
	const char *const *
		cases; /* ids of the cases that must catch it, NULL-terminated; NULL for variants */
};

enum control_result {
	CONTROL_DONE,
	CONTROL_NOT_SUPPORTED,
	CONTROL_FAILED,
};

struct control_arg {
	const char *key;
	const char *value;
};

struct iut;

/* Who waits for an action that takes its time: a member of the waiter's own structure. */
struct control_waiter {
	/* Once, from the loop; reply as iut_ops.control has it, valid during the call. */
	void (*ended)(struct control_waiter *waiter, enum control_result result,
		      const struct text *reply);
};

struct iut_ops {
	const char *role; /* "amf" */
	const struct iut_fault *faults;
	size_t fault_count;
	const struct iut_fault *variants;
	size_t variant_count;

	/*
	 * Starts the IUT of the profile on the loop and net; faults and variants are bit sets over
	 * the tables (bit n of word n / 64). NULL with a sentence in why.
	 */
	struct iut *(*start)(struct loop *loop, struct net *net, const struct profile *profile,
			     const uint64_t *faults, const uint64_t *variants, struct text *why);
	void (*stop)(struct iut *iut);

	/*
	 * Carries out one control action (design/control.md); returns at once, the effect may
	 * take loop time. reply gets a JSON object, or stays empty; on CONTROL_FAILED, or
	 * CONTROL_NOT_SUPPORTED, a sentence.
	 */
	enum control_result (*control)(struct iut *iut, const char *action,
				       const struct control_arg *args, size_t count,
				       struct text *reply);

	/*
	 * Optional, for actions whose figures are due only when they have ended ("attempts" at a
	 * rate). True: this is one, and has begun; the waiter is told how it ended, later than this
	 * call, unless it is forgotten or the IUT is stopped. False: it is one for control.
	 */
	bool (*control_later)(struct iut *iut, const char *action, const struct control_arg *args,
			      size_t count, struct control_waiter *waiter);
	/* The waiter is not to be told any more; its action goes on. */
	void (*forget)(struct iut *iut, struct control_waiter *waiter);
};

#endif
