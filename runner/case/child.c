/*
 * Fork, deadline, end. The fork comes before any loop, socket or thread of this program, so the
 * child can do everything; it leaves by _exit and runs nothing of the parent's exit.
 */
#include "runner/case/child.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/case/control_private.h"

enum {
	LINE_LIMIT = 4 << 20, /* octets of one line; more is a child gone mad */
	MEMORY_LIMIT_GIB = 4,
	FRAMES = 48,
};

/* Between the polite end, which yields a backtrace, and the sure one. */
static const uint64_t grace = 2 * 1000000;

uint64_t child_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* --- in the child --------------------------------------------------------------------------- */

static int crash_fd = -1;
static void (*last_words)(void *arg);
static void *last_words_arg;

void child_last_words(void (*hook)(void *arg), void *arg)
{
	last_words = hook;
	last_words_arg = arg;
}

/* Async-signal-safe, but for backtrace(), which was warmed up before the fork. */
static void crashed(int number, siginfo_t *info, void *context)
{
	static volatile sig_atomic_t once;
	char line[] = "S00\n";
	void *frames[FRAMES];
	int count;

	(void)info;
	(void)context;
	if (!once) {
		once = 1;
		control_exec_kill_all();
		line[1] = (char)('0' + number / 10 % 10);
		line[2] = (char)('0' + number % 10);
		if (write(crash_fd, line, 4) == 4) {
			count = backtrace(frames, FRAMES);
			backtrace_symbols_fd(frames, count, crash_fd);
		}
		if (last_words)
			last_words(last_words_arg);
	}
	_exit(128 + number);
}

static void set_signals(int fd)
{
	/* SIGTERM comes from the watchdog: where the case hangs is worth knowing. */
	static const int deadly[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM };
	static char stack_memory[65536];
	stack_t stack = { .ss_sp = stack_memory, .ss_size = sizeof(stack_memory) };
	struct sigaction action = { .sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	sigset_t none;

	crash_fd = fd;
	sigaltstack(&stack, NULL);
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(deadly) / sizeof(*deadly); i++)
		sigaction(deadly[i], &action, NULL);
	/* The terminal's interrupt reaches the whole group; it is the supervisor that decides. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void limit_memory(void)
{
#if !defined(SPILLWAY_SANITIZED)
	struct rlimit limit = { .rlim_cur = (rlim_t)MEMORY_LIMIT_GIB << 30,
				.rlim_max = (rlim_t)MEMORY_LIMIT_GIB << 30 };

	setrlimit(RLIMIT_DATA, &limit);
#endif
}

static void write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1); /* nobody listens any more */
		data += n;
		len -= (size_t)n;
	}
}

void child_say(int fd, char what, const char *text)
{
	char small[512];
	size_t len = strlen(text);
	char *line = len + 2 <= sizeof(small) ? small : malloc(len + 2);

	if (!line)
		_exit(1);
	line[0] = what;
	for (size_t i = 0; i < len; i++)
		line[1 + i] = text[i] == '\n' ? ' ' : text[i];
	line[len + 1] = '\n';
	write_all(fd, line, len + 2);
	if (line != small)
		free(line);
}

/* --- in the parent -------------------------------------------------------------------------- */

int child_start(struct child *child, child_main *body, void *body_arg, uint64_t limit)
{
	pid_t parent = getpid();
	sigset_t all, before;
	void *frames[4];
	int fds[2];
	pid_t pid;

	backtrace(frames, 4);
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -errno;
	fflush(stdout);
	fflush(stderr);
	/* The handlers of this process are not for the child: it starts deaf, and gets its own. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid != 0)
		sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0) {
		close(fds[0]);
		close(fds[1]);
		return -EAGAIN;
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		close(fds[0]);
		set_signals(fds[1]);
		limit_memory();
		body(fds[1], body_arg);
		_exit(0);
	}
	close(fds[1]);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	child->pid = pid;
	child->fd = fds[0];
	child->started = child_now();
	child->deadline = child->started + limit;
	child->len = 0;
	child->timed_out = false;
	child->overflowed = false;
	child->crashed = false;
	child->hard = false;
	child->crash[0] = '\0';
	child->status = 0;
	return 0;
}

static void hand_out(struct child *child, char *line, size_t len)
{
	size_t used = strlen(child->crash);

	if (!child->crashed && len == 3 && line[0] == 'S') {
		child->crashed = true;
		snprintf(child->crash, sizeof(child->crash), "signal %d (%s)", atoi(line + 1),
			 strsignal(atoi(line + 1)));
		return;
	}
	if (child->crashed)
		snprintf(child->crash + used, sizeof(child->crash) - used, "\n  %s", line);
	else if (child->line)
		child->line(child, line, len);
}

static void split(struct child *child)
{
	char *from = child->buf;
	char *end = child->buf + child->len;
	char *newline;

	while ((newline = memchr(from, '\n', (size_t)(end - from)))) {
		*newline = '\0';
		hand_out(child, from, (size_t)(newline - from));
		from = newline + 1;
	}
	child->len = (size_t)(end - from);
	memmove(child->buf, from, child->len);
}

/* false at the end of what the child has to say. */
static bool take(struct child *child)
{
	for (;;) {
		ssize_t n;

		if (child->size - child->len < 4096) {
			size_t size = child->size ? child->size * 2 : 16384;
			char *buf = size <= LINE_LIMIT ? realloc(child->buf, size) : NULL;

			if (!buf) {
				child->overflowed = true;
				return false;
			}
			child->buf = buf;
			child->size = size;
		}
		n = read(child->fd, child->buf + child->len, child->size - child->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		if (n == 0)
			return false;
		child->len += (size_t)n;
		split(child);
	}
}

static void reap(struct child *child)
{
	if (child->overflowed)
		kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
		continue;
	close(child->fd);
	free(child->buf);
	child->buf = NULL;
	child->size = 0;
	child->pid = 0;
}

/* Ends what is too late; returns the us until the next deadline, at most `most`. */
static uint64_t watch_over(struct child *children, size_t count, uint64_t most)
{
	uint64_t now = child_now();

	for (size_t i = 0; i < count; i++) {
		struct child *child = &children[i];

		if (child->pid == 0)
			continue;
		if (child->deadline <= now) {
			child->hard = child->timed_out;
			kill(child->pid, child->hard ? SIGKILL : SIGTERM);
			child->timed_out = true;
			child->deadline = now + grace;
		}
		if (child->deadline - now < most)
			most = child->deadline - now;
	}
	return most;
}

struct child *child_wait(struct child *children, size_t count,
			 const volatile sig_atomic_t *interrupted)
{
	struct pollfd fds[256];
	struct child *which[256];

	for (;;) {
		/* A signal between the test and poll() would be missed: look again each second. */
		uint64_t most = watch_over(children, count, 1000000);
		nfds_t n = 0;

		if (interrupted && *interrupted)
			return NULL;
		for (size_t i = 0; i < count && n < 256; i++) {
			if (children[i].pid == 0)
				continue;
			which[n] = &children[i];
			fds[n++] = (struct pollfd){ .fd = children[i].fd, .events = POLLIN };
		}
		if (n == 0)
			return NULL;
		if (poll(fds, n, (int)(most / 1000) + 1) <= 0)
			continue;
		for (nfds_t i = 0; i < n; i++) {
			if (!fds[i].revents || take(which[i]))
				continue;
			reap(which[i]);
			return which[i];
		}
	}
}

void child_kill(struct child *child)
{
	if (child->pid == 0)
		return;
	/* SIGTERM first: it takes the programs of the adapter along. */
	kill(child->pid, SIGTERM);
	child->timed_out = true;
	child->deadline = child_now() + grace;
	while (child->pid)
		child_wait(child, 1, NULL);
}

void child_death(const struct child *child, struct text *out)
{
	if (child->overflowed)
		text_puts(out, "its process wrote without end and was killed");
	else if (child->timed_out)
		text_printf(out, "no verdict within the deadline; it was in: %s",
			    child->crash[0] ? child->crash : "(no answer to the watchdog)");
	else if (child->crashed)
		text_printf(out, "its process crashed: %s", child->crash);
	else if (WIFSIGNALED(child->status))
		text_printf(out, "its process was killed by signal %d (%s)",
			    WTERMSIG(child->status), strsignal(WTERMSIG(child->status)));
	else
		text_printf(out, "its process ended with status %d before a verdict",
			    WEXITSTATUS(child->status));
}
