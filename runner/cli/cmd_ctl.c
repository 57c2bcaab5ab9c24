/* ctl: the exec form of the control adapter (design/control.md) for `spillway iut`. */
#include "runner/cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "runner/cli/control_socket.h"

/* The exit status of an exec adapter, which is not that of the other commands. */
enum { CTL_DONE = 0, CTL_FAILED = 1, CTL_NOT_SUPPORTED = 3 };

int command_ctl(struct invocation *invocation)
{
	static char buf[CONTROL_SOCKET_REPLY_MAX + 256];
	const struct settings *settings = &invocation->settings;
	const struct word_list *operands = &settings->operands;
	const char *path =
		settings->control != NULL ? settings->control : getenv("SPILLWAY_CONTROL");
	char line[CONTROL_WORDS_MAX];
	struct control_words words;
	enum control_result result = CONTROL_FAILED;
	struct text action, reply;

	if (path == NULL || path[0] == '\0')
		return usage_error(invocation, "--control is missing, and so is $SPILLWAY_CONTROL");
	text_init(&action, line, sizeof(line));
	for (size_t i = 0; i < operands->count; i++)
		text_printf(&action, "%s%s", i == 0 ? "" : " ", operands->words[i]);
	text_init(&reply, buf, sizeof(buf));
	if (action.truncated)
		return usage_error(invocation, "the action is above %zu octets", sizeof(line) - 1);
	if (control_words_parse(&words, line, &reply) != 0)
		return usage_error(invocation, "%s", buf);
	if (control_socket_ask(path, line, &result, &reply) != 0)
		return command_error(invocation, CTL_FAILED, "%s", buf);
	switch (result) {
	case CONTROL_DONE:
		if (reply.len > 0)
			puts(buf);
		return output_done(invocation, CTL_DONE) == CTL_DONE ? CTL_DONE : CTL_FAILED;
	case CONTROL_NOT_SUPPORTED:
		return command_error(invocation, CTL_NOT_SUPPORTED, "not supported: %s",
				     reply.len > 0 ? buf : line);
	case CONTROL_FAILED:
		break;
	}
	return command_error(invocation, CTL_FAILED, "failed: %s", reply.len > 0 ? buf : line);
}
