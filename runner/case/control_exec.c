/*
 * The exec adapter: a program for each action, watched from the loop. No shell, no waiting: the end
 * is seen on a pidfd, output comes through pipes, and what runs too long dies with its process
 * group. A program may leave something running behind it ("start"), so a group whose leader ended
 * by itself is let be.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/case/control_private.h"

enum {
	EXIT_NOT_SUPPORTED = 3, /* design/control.md */
	READ_MAX = 65536,	/* octets of one turn of the loop */
	LINE_MAX_LEN = 65536,
	LOG_LINES_MAX = 200, /* of standard error, for one action */
};

struct stream {
	struct program *program;
	int fd;
	struct loop_watch *watch;
	bool log;   /* standard error */
	char *line; /* the line that is being read, or the last one */
	size_t len;
	bool complete; /* the newline of `line` was seen */
	bool overlong; /* the line does not fit and is dropped */
	size_t lines;
};

struct program {
	struct control_action *action;
	pid_t pid;
	int pidfd;
	struct loop_watch *exit_watch;
	struct stream out, err;
	size_t total;
	bool flooded;
};

/* Groups to kill when this process goes down; read by a signal handler. */
static volatile pid_t running[CONTROL_ACTIONS_MAX];

static void running_set(pid_t from, pid_t to)
{
	for (size_t i = 0; i < CONTROL_ACTIONS_MAX; i++) {
		if (running[i] == from) {
			running[i] = to;
			return;
		}
	}
}

void control_exec_kill_all(void)
{
	for (size_t i = 0; i < CONTROL_ACTIONS_MAX; i++)
		if (running[i] > 0)
			kill(-running[i], SIGKILL);
}

static void log_line(struct stream *s)
{
	const struct control_action *action = s->program->action;

	if (s->lines++ < LOG_LINES_MAX)
		record_log(action->control->options.record, RECORD_INFO, "%s: %.*s%s",
			   action->words.name, (int)(s->len < 2000 ? s->len : 2000), s->line,
			   s->overlong || s->len > 2000 ? " ..." : "");
	else if (s->lines == LOG_LINES_MAX + 1)
		record_log(action->control->options.record, RECORD_WARN,
			   "%s: more than %d lines on standard error, the rest is dropped",
			   action->words.name, LOG_LINES_MAX);
}

static void take(struct stream *s, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s->complete) {
			/* Only a line with something in it replaces the last one. */
			if (data[i] == '\n' || data[i] == '\r')
				continue;
			s->len = 0;
			s->complete = false;
			s->overlong = false;
		}
		if (data[i] == '\n') {
			s->complete = true;
			if (s->log)
				log_line(s);
		} else if (s->len < LINE_MAX_LEN) {
			s->line[s->len++] = data[i];
		} else {
			s->overlong = true;
		}
	}
}

static void stream_close(struct stream *s)
{
	if (s->watch)
		loop_unwatch(s->watch);
	s->watch = NULL;
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

static void program_free(struct program *program)
{
	if (program->exit_watch)
		loop_unwatch(program->exit_watch);
	if (program->pidfd >= 0)
		close(program->pidfd);
	stream_close(&program->out);
	stream_close(&program->err);
	free(program->out.line);
	free(program->err.line);
	free(program);
}

enum drained {
	DRAINED_EMPTY, /* nothing more now */
	DRAINED_MORE,
	DRAINED_CLOSED,
};

/* Reads what is there, at most READ_MAX. */
static enum drained drain(struct stream *s)
{
	char buf[4096];
	size_t got = 0;

	if (s->fd < 0)
		return DRAINED_CLOSED;
	while (got < READ_MAX) {
		ssize_t n = read(s->fd, buf, sizeof(buf));

		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? DRAINED_EMPTY : DRAINED_CLOSED;
		if (n == 0)
			return DRAINED_CLOSED;
		got += (size_t)n;
		s->program->total += (size_t)n;
		if (s->program->total > CONTROL_OUTPUT_MAX) {
			s->program->flooded = true;
			return DRAINED_CLOSED;
		}
		take(s, buf, (size_t)n);
	}
	return DRAINED_MORE;
}

/* Kills the group and reaps its leader: a killed program ends at once. */
static void kill_program(struct program *program)
{
	if (program->pid <= 0)
		return;
	kill(-program->pid, SIGKILL);
	kill(program->pid, SIGKILL);
	while (waitpid(program->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	running_set(program->pid, 0);
	program->pid = 0;
}

static void abandon(struct control_action *action)
{
	struct program *program = action->kind_data;

	kill_program(program);
	program_free(program);
}

static void flooded(struct program *program)
{
	struct control_action *action = program->action;

	abandon(action);
	action->kind_data = NULL;
	control_end(action, CONTROL_FAILED, "the adapter wrote more than %d octets",
		    CONTROL_OUTPUT_MAX);
}

static void readable(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct stream *s = arg;

	(void)watch;
	(void)events;
	if (drain(s) != DRAINED_CLOSED)
		return;
	if (s->program->flooded)
		flooded(s->program);
	else
		stream_close(s);
}

/* The adapter's last word, which often says what is wrong: ": " and the line, or nothing. */
static void last_word(const struct stream *err, char *said, size_t size)
{
	int len = (int)(err->len < size - 8 ? err->len : size - 8);

	said[0] = '\0';
	if (len > 0)
		snprintf(said, size, ": %.*s%s", len, err->line,
			 err->overlong || (size_t)len < err->len ? " ..." : "");
}

static void ended(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct program *program = arg;
	struct control_action *action = program->action;
	char said[256];
	int status;
	pid_t pid = waitpid(program->pid, &status, WNOHANG);

	(void)watch;
	(void)events;
	if (pid == 0 || (pid < 0 && errno == EINTR))
		return;
	running_set(program->pid, 0);
	program->pid = 0;

	/* Something that it left running may hold the pipes open: what is there now is all. */
	while (drain(&program->out) == DRAINED_MORE)
		continue;
	while (drain(&program->err) == DRAINED_MORE)
		continue;
	if (program->flooded) {
		flooded(program);
		return;
	}
	if (!program->err.complete && program->err.len)
		log_line(&program->err);
	if (program->out.len && program->out.line[0] == '{' && !program->out.overlong)
		control_take_object(action, program->out.line, program->out.len);
	action->kind_data = NULL;
	last_word(&program->err, said, sizeof(said));
	program_free(program);

	if (pid < 0)
		control_end(action, CONTROL_FAILED, "its end was lost: %s", strerror(errno));
	else if (WIFSIGNALED(status))
		control_end(action, CONTROL_FAILED, "the adapter died of signal %d (%s)",
			    WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == 0)
		control_end(action, CONTROL_DONE, NULL);
	else if (WEXITSTATUS(status) == EXIT_NOT_SUPPORTED)
		control_end(action, CONTROL_NOT_SUPPORTED, "the adapter says so%s", said);
	else
		control_end(action, CONTROL_FAILED, "the adapter's exit status is %d%s",
			    WEXITSTATUS(status), said);
}

/* The profile's words, then the action's own. The array is malloc'ed, the words are not. */
static char **make_argv(struct control_action *action, char *joined, size_t size)
{
	char **command = action->control->options.profile->control_command;
	size_t n = 0;
	char **argv;
	struct text text;

	while (command[n])
		n++;
	argv = calloc(n + action->words.count + 2, sizeof(*argv));
	if (!argv)
		return NULL;
	memcpy(argv, command, n * sizeof(*argv));
	argv[n++] = action->words.name;
	text_init(&text, joined, size);
	for (size_t i = 0; i < action->words.count; i++) {
		argv[n++] = joined + text.len;
		text_printf(&text, "%s=%s", action->words.args[i].key, action->words.args[i].value);
		/* the terminator stays and parts this word from the next */
		text.len++;
	}
	return argv;
}

static int spawn(struct control_action *action, int out, int err, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	char joined[CONTROL_WORDS_MAX + CONTROL_ARGS_MAX];
	char **argv = make_argv(action, joined, sizeof(joined));
	sigset_t set;
	int error;

	if (!argv)
		return ENOMEM;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, out, 1);
	posix_spawn_file_actions_adddup2(&files, err, 2);
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
						      POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&attributes, 0);
	sigfillset(&set);
	posix_spawnattr_setsigdefault(&attributes, &set);
	sigemptyset(&set);
	posix_spawnattr_setsigmask(&attributes, &set);
	error = posix_spawnp(pid, argv[0], &files, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	free(argv);
	return error;
}

static bool stream_open(struct stream *s, struct program *program, int fd, bool log)
{
	struct loop *loop = program->action->control->options.loop;

	s->program = program;
	s->log = log;
	s->fd = fd;
	s->line = malloc(LINE_MAX_LEN);
	s->watch = loop_watch(loop, fd, LOOP_READABLE, readable, s);
	return s->line && s->watch;
}

static void start(struct control_action *action)
{
	struct loop *loop = action->control->options.loop;
	const char *name = action->control->options.profile->control_command[0];
	struct program *program = calloc(1, sizeof(*program));
	int out[2] = { -1, -1 };
	int err[2] = { -1, -1 };
	int error = 0;

	if (!program) {
		control_end(action, CONTROL_FAILED, "out of memory");
		return;
	}
	program->action = action;
	program->pidfd = -1;
	program->out.fd = -1;
	program->err.fd = -1;
	if (pipe2(out, O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(err, O_CLOEXEC | O_NONBLOCK) != 0) {
		error = errno;
	} else {
		/* Our ends do not wait; the program's ends are its own and ordinary. */
		fcntl(out[1], F_SETFL, 0);
		fcntl(err[1], F_SETFL, 0);
		error = spawn(action, out[1], err[1], &program->pid);
	}
	if (out[1] >= 0)
		close(out[1]);
	if (err[1] >= 0)
		close(err[1]);
	if (error) {
		if (out[0] >= 0)
			close(out[0]);
		if (err[0] >= 0)
			close(err[0]);
		free(program);
		control_end(action, CONTROL_FAILED, "%s: %s", name, strerror(error));
		return;
	}
	running_set(0, program->pid);
	action->kind_data = program;
	program->pidfd = pidfd_open(program->pid, 0);
	if (program->pidfd >= 0)
		program->exit_watch =
			loop_watch(loop, program->pidfd, LOOP_READABLE, ended, program);
	bool streams = stream_open(&program->out, program, out[0], false);

	streams = stream_open(&program->err, program, err[0], true) && streams;
	if (!program->exit_watch || !streams) {
		abandon(action);
		action->kind_data = NULL;
		control_end(action, CONTROL_FAILED, "%s cannot be watched", name);
	}
}

static int open_exec(struct control *control, struct text *why)
{
	char **command = control->options.profile->control_command;

	if (command && command[0])
		return 0;
	text_puts(why, "control kind exec: the profile has no command");
	return -1;
}

const struct control_kind_ops control_exec_ops = {
	.open = open_exec,
	.start = start,
	.abandon = abandon,
};
