#include "runner/cli/control_socket.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define CONNECTION_TIME (10 * US_PER_S)
#define ASK_SECONDS	60

enum { LINE_MAX_OCTETS = CONTROL_WORDS_MAX };

static const char *const outcome_words[] = {
	[CONTROL_DONE] = "done",
	[CONTROL_NOT_SUPPORTED] = "not-supported",
	[CONTROL_FAILED] = "failed",
};

struct connection {
	struct control_socket *socket;
	int fd;	      /* -1: the slot is free */
	bool waiting; /* for an action that has not ended yet */
	struct control_waiter waiter;
	struct loop_watch *watch;
	struct timer limit;
	size_t len;
	char line[LINE_MAX_OCTETS];
	char *out; /* what of the outcome the kernel has not taken yet */
	size_t out_len, out_sent;
};

struct control_socket {
	struct loop *loop;
	int fd;
	struct loop_watch *watch;
	char path[CONTROL_SOCKET_PATH_MAX + 1];
	const struct control_socket_handler *handler;
	void *arg;
	struct connection connections[CONTROL_SOCKET_CONNECTIONS];
};

static void connection_close(struct connection *connection)
{
	if (connection->fd < 0)
		return;
	if (connection->waiting)
		connection->socket->handler->forget(connection->socket->arg, &connection->waiter);
	connection->waiting = false;
	timer_stop(&connection->limit);
	loop_unwatch(connection->watch);
	close(connection->fd);
	free(connection->out);
	connection->fd = -1;
	connection->watch = NULL;
	connection->out = NULL;
}

static void limit_fired(struct timer *timer, void *arg)
{
	(void)timer;
	connection_close(arg);
}

static void flush_outcome(struct connection *connection)
{
	while (connection->out_sent < connection->out_len) {
		ssize_t n = send(connection->fd, connection->out + connection->out_sent,
				 connection->out_len - connection->out_sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			loop_watch_events(connection->watch, LOOP_WRITABLE);
			return;
		}
		if (n < 0)
			break;
		connection->out_sent += (size_t)n;
	}
	connection_close(connection);
}

static void answer(struct connection *connection, enum control_result result,
		   const struct text *reply)
{
	const char *word = outcome_words[result];
	size_t size = strlen(word) + 1 + reply->len + 2;
	struct text text;

	connection->out = malloc(size);
	if (connection->out == NULL) {
		connection_close(connection);
		return;
	}
	text_init(&text, connection->out, size);
	text_puts(&text, word);
	if (reply->len > 0)
		text_printf(&text, " %s", reply->buf);
	/* The outcome is one line, whatever the IUT put into it. */
	for (size_t i = 0; i < text.len; i++) {
		if (text.buf[i] == '\n' || text.buf[i] == '\r')
			text.buf[i] = ' ';
	}
	text_putc(&text, '\n');
	connection->out_len = text.len;
	flush_outcome(connection);
}

static void answer_bounded(struct connection *connection, enum control_result result,
			   const struct text *reply)
{
	char buf[64];
	struct text text;

	if (!reply->truncated && reply->len < CONTROL_SOCKET_REPLY_MAX) {
		answer(connection, result, reply);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "the answer is above %d octets", CONTROL_SOCKET_REPLY_MAX - 1);
	answer(connection, CONTROL_FAILED, &text);
}

static void action_ended(struct control_waiter *waiter, enum control_result result,
			 const struct text *reply)
{
	struct connection *connection =
		(struct connection *)((char *)waiter - offsetof(struct connection, waiter));

	connection->waiting = false;
	timer_start(&connection->limit, CONNECTION_TIME);
	answer_bounded(connection, result, reply);
}

/* True: the outcome comes later. */
static bool begin_waiting(struct connection *connection, const struct control_words *words)
{
	const struct control_socket *socket = connection->socket;

	connection->waiter.ended = action_ended;
	if (!socket->handler->later ||
	    !socket->handler->later(socket->arg, words, &connection->waiter))
		return false;
	connection->waiting = true;
	timer_start(&connection->limit, ASK_SECONDS * US_PER_S + control_duration(words));
	return true;
}

static void carry_out(struct connection *connection)
{
	static char buf[CONTROL_SOCKET_REPLY_MAX];
	struct control_socket *socket = connection->socket;
	struct control_words words;
	enum control_result result;
	struct text reply;

	text_init(&reply, buf, sizeof(buf));
	if (control_words_parse(&words, connection->line, &reply) != 0)
		result = CONTROL_FAILED;
	else if (begin_waiting(connection, &words))
		return;
	else
		result = socket->handler->act(socket->arg, &words, &reply);
	answer_bounded(connection, result, &reply);
}

static void read_line(struct connection *connection)
{
	char *end;
	ssize_t n = recv(connection->fd, connection->line + connection->len,
			 sizeof(connection->line) - 1 - connection->len, 0);

	if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
		return;
	if (n <= 0) {
		connection_close(connection);
		return;
	}
	connection->len += (size_t)n;
	end = memchr(connection->line, '\n', connection->len);
	if (end != NULL) {
		struct text reply;
		char buf[64];

		/* A NUL would hide what follows it from the parser. */
		if (memchr(connection->line, '\0', (size_t)(end - connection->line)) != NULL) {
			text_init(&reply, buf, sizeof(buf));
			text_puts(&reply, "the action holds a NUL");
			answer(connection, CONTROL_FAILED, &reply);
			return;
		}
		*end = '\0';
		carry_out(connection);
	} else if (connection->len == sizeof(connection->line) - 1) {
		struct text reply;
		char buf[64];

		text_init(&reply, buf, sizeof(buf));
		text_printf(&reply, "the action is above %zu octets", sizeof(connection->line) - 1);
		answer(connection, CONTROL_FAILED, &reply);
	}
}

static void connection_ready(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct connection *connection = arg;

	(void)watch;
	(void)events;
	if (connection->out != NULL)
		flush_outcome(connection);
	else if (connection->waiting)
		connection_close(connection); /* the asking side has gone, or says too much */
	else
		read_line(connection);
}

static void connection_open(struct control_socket *socket, int fd)
{
	struct connection *connection = NULL;

	for (size_t i = 0; i < CONTROL_SOCKET_CONNECTIONS; i++) {
		if (socket->connections[i].fd < 0)
			connection = &socket->connections[i];
	}
	if (connection == NULL) {
		close(fd);
		return;
	}
	connection->watch =
		loop_watch(socket->loop, fd, LOOP_READABLE, connection_ready, connection);
	if (connection->watch == NULL) {
		close(fd);
		return;
	}
	connection->fd = fd;
	connection->len = 0;
	connection->out_len = connection->out_sent = 0;
	connection->waiting = false;
	timer_start(&connection->limit, CONNECTION_TIME);
}

static void socket_ready(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct control_socket *socket = arg;
	int fd = accept4(socket->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)watch;
	(void)events;
	if (fd >= 0)
		connection_open(socket, fd);
}

static int path_address(const char *path, struct sockaddr_un *address, struct text *why)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (path[0] == '\0' || strlen(path) > CONTROL_SOCKET_PATH_MAX) {
		text_printf(why, "control socket '%s': a path of 1 to %d octets is needed", path,
			    CONTROL_SOCKET_PATH_MAX);
		return -ENAMETOOLONG;
	}
	memcpy(address->sun_path, path, strlen(path) + 1);
	return 0;
}

/* Removes a socket at which nobody listens any more. */
static int remove_stale(const struct sockaddr_un *address)
{
	struct stat status;
	int fd, rc;

	if (lstat(address->sun_path, &status) != 0)
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(status.st_mode))
		return -EEXIST;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	rc = connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0 ? -EADDRINUSE
										  : -errno;
	close(fd);
	if (rc != -ECONNREFUSED)
		return rc;
	return unlink(address->sun_path) == 0 ? 0 : -errno;
}

static int listen_at(const struct sockaddr_un *address, struct text *why)
{
	int fd, rc = remove_stale(address);
	mode_t mask;

	if (rc == -EADDRINUSE) {
		text_printf(why, "control socket %s: another process listens there",
			    address->sun_path);
		return rc;
	}
	if (rc != 0) {
		text_printf(why, "control socket %s: %s", address->sun_path,
			    rc == -EEXIST ? "exists and is no socket" : strerror(-rc));
		return rc;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0) {
		mask = umask(0177);
		rc = bind(fd, (const struct sockaddr *)address, sizeof(*address));
		umask(mask);
		if (rc == 0)
			rc = listen(fd, CONTROL_SOCKET_CONNECTIONS);
	}
	if (fd >= 0 && rc == 0)
		return fd;
	rc = -errno;
	text_printf(why, "control socket %s: %s", address->sun_path, strerror(-rc));
	if (fd >= 0)
		close(fd);
	return rc;
}

struct control_socket *control_socket_open(struct loop *loop, const char *path,
					   const struct control_socket_handler *handler, void *arg,
					   struct text *why)
{
	struct control_socket *control;
	struct sockaddr_un address;
	int fd;

	if (path_address(path, &address, why) != 0)
		return NULL;
	fd = listen_at(&address, why);
	if (fd < 0)
		return NULL;
	control = calloc(1, sizeof(*control));
	if (control != NULL)
		control->watch = loop_watch(loop, fd, LOOP_READABLE, socket_ready, control);
	if (control == NULL || control->watch == NULL) {
		text_printf(why, "control socket %s: out of memory", path);
		free(control);
		close(fd);
		unlink(path);
		return NULL;
	}
	control->loop = loop;
	control->fd = fd;
	control->handler = handler;
	control->arg = arg;
	memcpy(control->path, path, strlen(path) + 1);
	for (size_t i = 0; i < CONTROL_SOCKET_CONNECTIONS; i++) {
		struct connection *connection = &control->connections[i];

		connection->socket = control;
		connection->fd = -1;
		timer_init(&connection->limit, loop, "control connection", limit_fired, connection);
	}
	return control;
}

void control_socket_close(struct control_socket *control)
{
	if (control == NULL)
		return;
	for (size_t i = 0; i < CONTROL_SOCKET_CONNECTIONS; i++)
		connection_close(&control->connections[i]);
	loop_unwatch(control->watch);
	close(control->fd);
	unlink(control->path);
	free(control);
}

/* Reads up to the line's end, or the end of the connection. */
static int receive_line(int fd, char *line, size_t size, size_t *len)
{
	*len = 0;
	while (*len < size - 1) {
		ssize_t n = recv(fd, line + *len, size - 1 - *len, 0);
		char *end;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN || errno == EWOULDBLOCK ? -ETIMEDOUT : -errno;
		if (n == 0)
			return -ECONNRESET;
		end = memchr(line + *len, '\n', (size_t)n);
		*len += (size_t)n;
		if (end != NULL) {
			*end = '\0';
			*len = (size_t)(end - line);
			return 0;
		}
	}
	return -EMSGSIZE;
}

static int outcome_parse(const char *line, enum control_result *result, struct text *reply)
{
	for (size_t i = 0; i < sizeof(outcome_words) / sizeof(outcome_words[0]); i++) {
		size_t len = strlen(outcome_words[i]);

		if (strncmp(line, outcome_words[i], len) != 0 ||
		    (line[len] != '\0' && line[len] != ' '))
			continue;
		*result = (enum control_result)i;
		if (line[len] == ' ')
			text_puts(reply, line + len + 1);
		return 0;
	}
	return -EPROTO;
}

int control_socket_ask(const char *path, const char *action, enum control_result *result,
		       struct text *reply)
{
	static char line[CONTROL_SOCKET_REPLY_MAX + 64];
	struct timeval limit = { .tv_sec = ASK_SECONDS };
	struct control_words words;
	struct sockaddr_un address;
	size_t len;
	int fd, rc = path_address(path, &address, reply);

	if (rc != 0)
		return rc;
	if (control_words_parse(&words, action, NULL) == 0)
		limit.tv_sec += (time_t)(control_duration(&words) / US_PER_S + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) != 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) != 0 ||
	    connect(fd, (const struct sockaddr *)&address, sizeof(address)) != 0) {
		rc = -errno;
	} else {
		len = (size_t)snprintf(line, sizeof(line), "%s\n", action);
		if (len >= sizeof(line))
			rc = -EMSGSIZE;
		else if (send(fd, line, len, MSG_NOSIGNAL) != (ssize_t)len)
			rc = -errno;
		else
			rc = receive_line(fd, line, sizeof(line), &len);
		if (rc == 0)
			rc = outcome_parse(line, result, reply);
	}
	if (fd >= 0)
		close(fd);
	if (rc != 0)
		text_printf(reply, "control socket %s: %s", path,
			    rc == -EPROTO ? "an answer that is none" : strerror(-rc));
	return rc;
}
