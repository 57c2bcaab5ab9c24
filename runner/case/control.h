/*
 * The control adapter (design/control.md): how a case moves the implementation under test. One
 * small language of actions, four ways to carry them out: a function call on the embedded IUT, a
 * program, an HTTP request, a person.
 *
 * Actions are asynchronous: the case goes on reading messages while one runs. What an adapter says
 * is as little trusted as what the IUT sends: its output is bounded, its time is limited, and a
 * broken answer is a failed action, never a crash.
 */
#ifndef SPILLWAY_RUNNER_CASE_CONTROL_H
#define SPILLWAY_RUNNER_CASE_CONTROL_H

#include "codecs/text.h"
#include "runner/case/iut.h"
#include "runner/case/profile.h"
#include "runner/core/loop.h"
#include "runner/core/record.h"

enum {
	CONTROL_ARGS_MAX = 24,
	CONTROL_WORDS_MAX = 2048,    /* octets of one action with its arguments */
	CONTROL_OUTPUT_MAX = 262144, /* octets of an adapter's output that are looked at */
	CONTROL_ACTIONS_MAX = 32,    /* at the same time */
};

/* An action taken apart: "NAME key=value key=value". */
struct control_words {
	char name[64];
	struct control_arg args[CONTROL_ARGS_MAX];
	size_t count;
	char buf[CONTROL_WORDS_MAX]; /* what the args point into */
};

/*
 * Keys and values are printable ASCII without blanks; anything else, too many words, or a word
 * without "=" is -EINVAL, with a sentence in why (may be NULL).
 */
int control_words_parse(struct control_words *words, const char *action, struct text *why);
/* The value of a key; NULL where it is absent. */
const char *control_words_value(const struct control_words *words, const char *key);

struct control_options {
	const struct profile *profile;
	struct loop *loop; /* live for exec, http and manual; builtin takes either */
	struct record *record;
	/* For CONTROL_BUILTIN only. */
	const struct iut_ops *ops;
	struct iut *iut;
};

struct control;

/* Copies the options. NULL with a sentence in why. */
struct control *control_open(const struct control_options *options, struct text *why);
/* Gives up what still runs: a program is killed with its process group, a connection closed. */
void control_close(struct control *control);

/* One action that was started; it belongs to the adapter until control_release. */
struct control_action;

/*
 * Starts an action. It never fails by itself: what cannot be started is an action that ended at
 * once with CONTROL_FAILED. NULL only where CONTROL_ACTIONS_MAX are in use or memory ran out.
 * The time limit is the profile's control timeout, and on top of it what "count" and "rate", or
 * "duration", of the action ask for.
 */
struct control_action *control_start(struct control *control, const char *action);
bool control_ended(const struct control_action *action);
/* Valid once ended. */
enum control_result control_outcome(const struct control_action *action);
/* The JSON object that was returned (printed without blanks), or "". */
const char *control_reply(const struct control_action *action);
/* Why it failed or is not supported: one sentence that names the action; "" when done. */
const char *control_reason(const struct control_action *action);
/* A number of the returned object; false where it is absent or no number. */
bool control_figure(const struct control_action *action, const char *member, double *value);
/* Any action, ended or not; one that still runs is given up. */
void control_release(struct control_action *action);

/*
 * The time that an action takes by what it says ("count" at a "rate", "duration"), at most a day,
 * in us; 0 where it says nothing.
 */
uint64_t control_duration(const struct control_words *words);
/* The time limit of an action, in us from its start. */
uint64_t control_limit(const struct profile *profile, const struct control_words *words);

#endif
