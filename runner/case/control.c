/*
 * The adapter: takes actions apart, starts them by the kind that the profile names, limits their
 * time and keeps what they returned.
 */
#include "runner/case/control.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/control_private.h"

static bool word_ok(const char *word)
{
	for (; *word; word++)
		if (*word <= ' ' || *word > '~')
			return false;
	return true;
}

int control_words_parse(struct control_words *words, const char *action, struct text *why)
{
	struct text nowhere;
	char scratch[8];
	char *rest;
	char *word;

	if (!why) {
		text_init(&nowhere, scratch, sizeof(scratch));
		why = &nowhere;
	}
	memset(words->name, 0, sizeof(words->name));
	words->count = 0;
	if (strlen(action) >= sizeof(words->buf)) {
		text_puts(why, "the action is too long");
		return -EINVAL;
	}
	strcpy(words->buf, action);
	rest = words->buf;
	word = strsep(&rest, " ");
	if (!*word || strlen(word) >= sizeof(words->name) || !word_ok(word) || strchr(word, '=')) {
		text_puts(why, "the action has no name");
		return -EINVAL;
	}
	strcpy(words->name, word);
	while ((word = strsep(&rest, " "))) {
		char *value = strchr(word, '=');

		if (!*word)
			continue;
		if (!value || value == word || !word_ok(word)) {
			text_puts(why, "an argument is not key=value in printable ASCII");
			return -EINVAL;
		}
		if (words->count == CONTROL_ARGS_MAX) {
			text_puts(why, "too many arguments");
			return -EINVAL;
		}
		*value++ = '\0';
		words->args[words->count++] = (struct control_arg){ .key = word, .value = value };
	}
	return 0;
}

const char *control_words_value(const struct control_words *words, const char *key)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->args[i].key, key) == 0)
			return words->args[i].value;
	return NULL;
}

/* A number of seconds or of things, at most a day of them: more is no limit but a mistake. */
static double number(const struct control_words *words, const char *key)
{
	const char *value = control_words_value(words, key);
	double n = value ? strtod(value, NULL) : 0;

	return n > 0 && n <= 1e9 ? n : 0;
}

uint64_t control_duration(const struct control_words *words)
{
	double seconds = number(words, "duration");
	double rate = number(words, "rate");

	if (rate > 0 && number(words, "count") / rate > seconds)
		seconds = number(words, "count") / rate;
	if (seconds > 86400)
		seconds = 86400;
	return (uint64_t)(seconds * 1e6);
}

uint64_t control_limit(const struct profile *profile, const struct control_words *words)
{
	return profile->control_timeout + control_duration(words);
}

/* --- builtin ---------------------------------------------------------------------------------- */

/* An action that the embedded IUT has begun and not ended yet. */
struct builtin_wait {
	struct control_waiter waiter; /* first */
	struct control_action *action;
};

static void builtin_end(struct control_action *action, enum control_result outcome,
			const struct text *reply)
{
	if (outcome == CONTROL_DONE) {
		if (reply->len)
			control_take_object(action, reply->buf, reply->len);
		control_end(action, outcome, NULL);
	} else {
		control_end(action, outcome, "%s", reply->buf);
	}
}

static void builtin_ended(struct control_waiter *waiter, enum control_result outcome,
			  const struct text *reply)
{
	struct builtin_wait *wait = (struct builtin_wait *)waiter;
	struct control_action *action = wait->action;

	free(wait);
	action->kind_data = NULL;
	builtin_end(action, outcome, reply);
}

/* True: the action is one that takes its time. */
static bool builtin_wait_for(struct control_action *action)
{
	const struct control_options *o = &action->control->options;
	struct control_words *words = &action->words;
	struct builtin_wait *wait;

	if (!o->ops->control_later)
		return false;
	wait = malloc(sizeof(*wait));
	if (!wait) {
		control_end(action, CONTROL_FAILED, "out of memory");
		return true;
	}
	*wait = (struct builtin_wait){ .waiter.ended = builtin_ended, .action = action };
	if (o->ops->control_later(o->iut, words->name, words->args, words->count, &wait->waiter)) {
		action->kind_data = wait;
		return true;
	}
	free(wait);
	return false;
}

static void builtin_abandon(struct control_action *action)
{
	const struct control_options *o = &action->control->options;
	struct builtin_wait *wait = action->kind_data;

	o->ops->forget(o->iut, &wait->waiter);
	free(wait);
}

static void builtin_start(struct control_action *action)
{
	const struct control_options *o = &action->control->options;
	struct control_words *words = &action->words;
	enum control_result outcome;
	struct text reply;
	char *buf;

	if (builtin_wait_for(action))
		return;
	buf = malloc(CONTROL_OUTPUT_MAX);

	if (!buf) {
		control_end(action, CONTROL_FAILED, "out of memory");
		return;
	}
	text_init(&reply, buf, CONTROL_OUTPUT_MAX);
	outcome = o->ops->control(o->iut, words->name, words->args, words->count, &reply);
	builtin_end(action, outcome, &reply);
	free(buf);
}

static int builtin_open(struct control *control, struct text *why)
{
	if (control->options.ops && control->options.iut)
		return 0;
	text_puts(why, "control kind builtin: there is no embedded IUT in this run");
	return -1;
}

static const struct control_kind_ops builtin_ops = {
	.open = builtin_open,
	.start = builtin_start,
	.abandon = builtin_abandon,
};

/* --- the adapter ------------------------------------------------------------------------------ */

static const struct control_kind_ops *const kinds[] = {
	[CONTROL_BUILTIN] = &builtin_ops,
	[CONTROL_EXEC] = &control_exec_ops,
	[CONTROL_HTTP] = &control_http_ops,
	[CONTROL_MANUAL] = &control_manual_ops,
};

struct control *control_open(const struct control_options *options, struct text *why)
{
	enum control_kind kind = options->profile->control;
	struct control *control = calloc(1, sizeof(*control));

	if (!control) {
		text_puts(why, "out of memory");
		return NULL;
	}
	control->options = *options;
	if ((size_t)kind < sizeof(kinds) / sizeof(*kinds))
		control->kind = kinds[kind];
	if (!control->kind) {
		text_puts(why, "the profile names no control adapter");
		free(control);
		return NULL;
	}
	if (control->kind->open && control->kind->open(control, why) != 0) {
		free(control);
		return NULL;
	}
	return control;
}

void control_close(struct control *control)
{
	if (!control)
		return;
	for (size_t i = 0; i < CONTROL_ACTIONS_MAX; i++)
		if (control->actions[i])
			control_release(control->actions[i]);
	if (control->kind->close)
		control->kind->close(control);
	free(control);
}

static void abandon(struct control_action *action)
{
	if (action->kind_data && action->control->kind->abandon)
		action->control->kind->abandon(action);
	action->kind_data = NULL;
}

static void limit_reached(struct timer *timer, void *arg)
{
	struct control_action *action = arg;
	uint64_t limit = control_limit(action->control->options.profile, &action->words);

	(void)timer;
	abandon(action);
	control_end(action, CONTROL_FAILED, "no end after %.1f s", (double)limit / 1e6);
}

struct control_action *control_start(struct control *control, const char *text)
{
	struct control_action *action;
	struct text why;
	char buf[128];
	size_t slot = 0;

	while (slot < CONTROL_ACTIONS_MAX && control->actions[slot])
		slot++;
	if (slot == CONTROL_ACTIONS_MAX)
		return NULL;
	action = calloc(1, sizeof(*action));
	if (!action)
		return NULL;
	control->actions[slot] = action;
	action->control = control;
	timer_init(&action->limit, control->options.loop, "control", limit_reached, action);
	snprintf(action->text, sizeof(action->text), "%s", text);
	record_control(control->options.record, action->text, "asked");

	text_init(&why, buf, sizeof(buf));
	if (control_words_parse(&action->words, text, &why) != 0) {
		control_end(action, CONTROL_FAILED, "%s", why.buf);
		return action;
	}
	timer_start(&action->limit, control_limit(control->options.profile, &action->words));
	control->kind->start(action);
	return action;
}

void control_end(struct control_action *action, enum control_result outcome, const char *format,
		 ...)
{
	static const char *const outcomes[] = {
		[CONTROL_DONE] = "done",
		[CONTROL_NOT_SUPPORTED] = "not supported",
		[CONTROL_FAILED] = "failed",
	};
	char text[320] = "";
	va_list args;

	if (action->ended)
		return;
	action->ended = true;
	action->outcome = outcome;
	timer_stop(&action->limit);
	if (format) {
		va_start(args, format);
		vsnprintf(text, sizeof(text), format, args);
		va_end(args);
	}
	if (outcome != CONTROL_DONE)
		snprintf(action->reason, sizeof(action->reason), "control action \"%.120s\" %s%s%s",
			 action->text, outcomes[outcome], text[0] ? ": " : "", text);
	if (outcome == CONTROL_DONE)
		snprintf(text, sizeof(text), "done%s%.300s", action->reply ? ": " : "",
			 action->reply ? action->reply : "");
	record_control(action->control->options.record, action->text,
		       outcome == CONTROL_DONE ? text : action->reason);
}

void control_take_object(struct control_action *action, const char *data, size_t len)
{
	json_error_t error;
	json_t *object = json_loadb(data, len, JSON_REJECT_DUPLICATES, &error);

	if (!json_is_object(object)) {
		json_decref(object);
		record_log(action->control->options.record, RECORD_WARN,
			   "control action \"%.120s\": the answer is not a JSON object",
			   action->text);
		return;
	}
	json_decref(action->object);
	free(action->reply);
	action->object = object;
	action->reply = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII);
}

bool control_ended(const struct control_action *action)
{
	return action->ended;
}

enum control_result control_outcome(const struct control_action *action)
{
	return action->outcome;
}

const char *control_reply(const struct control_action *action)
{
	return action->reply ? action->reply : "";
}

const char *control_reason(const struct control_action *action)
{
	return action->reason;
}

bool control_figure(const struct control_action *action, const char *member, double *value)
{
	json_t *number = json_object_get(action->object, member);

	if (!json_is_number(number))
		return false;
	*value = json_number_value(number);
	return true;
}

void control_release(struct control_action *action)
{
	struct control *control = action->control;

	if (!action->ended)
		abandon(action);
	timer_stop(&action->limit);
	for (size_t i = 0; i < CONTROL_ACTIONS_MAX; i++)
		if (control->actions[i] == action)
			control->actions[i] = NULL;
	json_decref(action->object);
	free(action->reply);
	free(action);
}
