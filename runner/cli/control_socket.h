/*
 * The Unix socket by which `spillway ctl` moves a `spillway iut`: one line with an action goes in,
 * one line with the outcome comes back, then the connection ends. The socket belongs to its user
 * alone (mode 0600); even so, a peer costs at most one buffer and a few seconds.
 */
#ifndef SPILLWAY_RUNNER_CLI_CONTROL_SOCKET_H
#define SPILLWAY_RUNNER_CLI_CONTROL_SOCKET_H

#include "codecs/text.h"
#include "runner/case/control.h"
#include "runner/core/loop.h"

enum {
	CONTROL_SOCKET_CONNECTIONS = 16,
	CONTROL_SOCKET_REPLY_MAX = 65536, /* octets of an outcome */
	CONTROL_SOCKET_PATH_MAX = 107,
};

struct control_socket_handler {
	/* Carries out the action; reply as iut_ops.control has it. */
	enum control_result (*act)(void *arg, const struct control_words *words,
				   struct text *reply);
	/* Optional, both: as iut_ops.control_later, which is asked first, and iut_ops.forget. */
	bool (*later)(void *arg, const struct control_words *words, struct control_waiter *waiter);
	void (*forget)(void *arg, struct control_waiter *waiter);
};

struct control_socket;

/*
 * Listens at path on the live loop; the handler must outlive the socket. What a dead process left
 * at path is replaced; a live one is not. NULL with a sentence in why.
 */
struct control_socket *control_socket_open(struct loop *loop, const char *path,
					   const struct control_socket_handler *handler, void *arg,
					   struct text *why);
/* Ends all connections and removes the path. */
void control_socket_close(struct control_socket *socket);

/*
 * The other side: sends the action and waits for the outcome, at most a minute above the time that
 * the action asks for. 0, or a negative errno with a sentence in reply.
 */
int control_socket_ask(const char *path, const char *action, enum control_result *result,
		       struct text *reply);

#endif
