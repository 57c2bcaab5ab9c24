/*
 * Between the adapter and its four kinds: an action in progress and how a kind ends it.
 */
#ifndef SPILLWAY_RUNNER_CASE_CONTROL_PRIVATE_H
#define SPILLWAY_RUNNER_CASE_CONTROL_PRIVATE_H

#include <jansson.h>

#include "runner/case/control.h"

struct control_kind_ops {
	/* 0, or -1 with a sentence in why. */
	int (*open)(struct control *control, struct text *why);
	void (*close)(struct control *control);
	/* Starts; ends the action itself where that fails. */
	void (*start)(struct control_action *action);
	/* Gives up what runs; the action is not to be ended any more. */
	void (*abandon)(struct control_action *action);
};

extern const struct control_kind_ops control_exec_ops;
extern const struct control_kind_ops control_http_ops;
extern const struct control_kind_ops control_manual_ops;

struct control {
	struct control_options options;
	const struct control_kind_ops *kind;
	void *kind_data;
	struct control_action *actions[CONTROL_ACTIONS_MAX];
};

struct control_action {
	struct control *control;
	char text[CONTROL_WORDS_MAX]; /* as it was asked for */
	struct control_words words;
	struct timer limit;
	void *kind_data; /* of the kind, while it runs */
	bool ended;
	enum control_result outcome;
	char reason[512];
	json_t *object;
	char *reply;
};

/* Ends the action; format NULL: nothing to say. The kind has given back its kind_data before. */
__attribute__((format(printf, 3, 4))) void
control_end(struct control_action *action, enum control_result outcome, const char *format, ...);
/* Takes the JSON object that an adapter returned, where there is one. Anything else is logged. */
void control_take_object(struct control_action *action, const char *data, size_t len);

/*
 * Kills the programs of all actions in this process. Async-signal-safe: for a case that crashed
 * or is stopped by the watchdog.
 */
void control_exec_kill_all(void);

#endif
