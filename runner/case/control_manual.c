/*
 * The manual adapter: the operator is the adapter. One question at a time on the terminal; an
 * answer is a word and, where a figure is wanted, a JSON object behind it. Without a terminal
 * nobody can answer, so every action fails at once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/case/control_private.h"

struct desk {
	struct loop_watch *watch;
	struct control_action *asking; /* the one on the screen */
	char line[4096];
	size_t len;
};

static void ask(struct control_action *action)
{
	fprintf(stderr,
		"\nOn the implementation under test, please do:\n\n    %s\n\n"
		"then type: done [{\"figure\":1}], na (it cannot do this), or failed [why]: ",
		action->text);
	fflush(stderr);
}

static void answered(struct desk *desk, char *line)
{
	struct control_action *action = desk->asking;
	char *rest = line + strcspn(line, " \t");

	if (*rest)
		*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (strcmp(line, "done") == 0 || strcmp(line, "d") == 0) {
		if (*rest)
			control_take_object(action, rest, strlen(rest));
		action->kind_data = NULL;
		desk->asking = NULL;
		control_end(action, CONTROL_DONE, NULL);
	} else if (strcmp(line, "na") == 0 || strcmp(line, "n") == 0) {
		action->kind_data = NULL;
		desk->asking = NULL;
		control_end(action, CONTROL_NOT_SUPPORTED, "the operator says so");
	} else if (strcmp(line, "failed") == 0 || strcmp(line, "f") == 0) {
		action->kind_data = NULL;
		desk->asking = NULL;
		control_end(action, CONTROL_FAILED, "the operator says: %s",
			    *rest ? rest : "failed");
	} else {
		ask(action);
	}
}

static void next(struct control *control)
{
	struct desk *desk = control->kind_data;

	for (size_t i = 0; i < CONTROL_ACTIONS_MAX && !desk->asking; i++) {
		struct control_action *action = control->actions[i];

		if (!action || action->ended || !action->kind_data)
			continue;
		desk->asking = action;
		ask(action);
	}
}

/* Nobody is there any more. */
static void hung_up(struct control *control)
{
	struct desk *desk = control->kind_data;

	loop_unwatch(desk->watch);
	desk->watch = NULL;
	desk->asking = NULL;
	for (size_t i = 0; i < CONTROL_ACTIONS_MAX; i++) {
		if (!control->actions[i] || control->actions[i]->ended)
			continue;
		control->actions[i]->kind_data = NULL;
		control_end(control->actions[i], CONTROL_FAILED, "standard input was closed");
	}
}

static void readable(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct control *control = arg;
	struct desk *desk = control->kind_data;
	char *newline;
	ssize_t n = read(STDIN_FILENO, desk->line + desk->len, sizeof(desk->line) - 1 - desk->len);

	(void)watch;
	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		hung_up(control);
		return;
	}
	desk->len += (size_t)n;
	desk->line[desk->len] = '\0';
	while ((newline = strchr(desk->line, '\n'))) {
		*newline = '\0';
		if (newline > desk->line && newline[-1] == '\r')
			newline[-1] = '\0';
		if (desk->asking)
			answered(desk, desk->line);
		desk->len -= (size_t)(newline + 1 - desk->line);
		memmove(desk->line, newline + 1, desk->len + 1);
		next(control);
	}
	if (desk->len == sizeof(desk->line) - 1)
		desk->len = 0; /* a line of that length answers nothing */
}

static void start(struct control_action *action)
{
	struct control *control = action->control;
	struct desk *desk = control->kind_data;

	if (!desk->watch) {
		control_end(action, CONTROL_FAILED,
			    "the profile's control adapter is the operator (kind: manual), and "
			    "standard input is not a terminal");
		return;
	}
	action->kind_data = desk;
	next(control);
}

static void abandon(struct control_action *action)
{
	struct desk *desk = action->kind_data;

	if (desk->asking == action) {
		fprintf(stderr, "\n(too late: nobody waits for this any more)\n");
		desk->asking = NULL;
	}
	action->kind_data = NULL;
	next(action->control);
}

static int open_manual(struct control *control, struct text *why)
{
	struct desk *desk = calloc(1, sizeof(*desk));

	if (!desk) {
		text_puts(why, "out of memory");
		return -1;
	}
	control->kind_data = desk;
	if (isatty(STDIN_FILENO))
		desk->watch = loop_watch(control->options.loop, STDIN_FILENO, LOOP_READABLE,
					 readable, control);
	return 0;
}

static void close_manual(struct control *control)
{
	struct desk *desk = control->kind_data;

	if (desk->watch)
		loop_unwatch(desk->watch);
	free(desk);
}

const struct control_kind_ops control_manual_ops = {
	.open = open_manual,
	.close = close_manual,
	.start = start,
	.abandon = abandon,
};
