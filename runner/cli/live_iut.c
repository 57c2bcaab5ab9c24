#include "runner/cli/live_iut.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/cli/iut_choice.h"

enum { READY_TIMEOUT_MS = 10000, ARGUMENTS_MAX = 16 + 4 * WORD_LIST_MAX, READY_LINE_MAX = 512 };

/* Into the part of 127.0.0.0/8 that belongs to this process. */
static void relocate(struct profile *profile)
{
	struct net_address network = *iut_address(profile);
	uint32_t pid = (uint32_t)getpid();

	network.v4.sin_addr.s_addr =
		htonl(127U << 24 | (1 + (pid >> 8) % 254) << 16 | (pid & 0xff) << 8);
	move_on_loopback(profile, &network);
}

static void free_control(struct profile *profile)
{
	for (size_t i = 0; profile->control_command != NULL && profile->control_command[i] != NULL;
	     i++)
		free(profile->control_command[i]);
	free(profile->control_command);
	profile->control_command = NULL;
}

static int set_control(struct live_iut *iut, const char *self)
{
	const char *const words[] = { self, "ctl", "--control", iut->socket };
	size_t count = sizeof(words) / sizeof(words[0]);
	char **command = calloc(count + 1, sizeof(*command));

	if (command == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		command[i] = strdup(words[i]);
		if (command[i] == NULL) {
			while (i > 0)
				free(command[--i]);
			free(command);
			return -ENOMEM;
		}
	}
	iut->profile->control = CONTROL_EXEC;
	iut->profile->control_command = command;
	return 0;
}

static _Noreturn void child(struct live_iut *iut, const char *self, int output, pid_t parent)
{
	const struct settings *settings = &iut->invocation->settings;
	const char *arguments[ARGUMENTS_MAX];
	char address[128], seed[32];
	struct text text;
	size_t n = 0;

	text_init(&text, address, sizeof(address));
	net_address_print(iut_address(iut->profile), &text);
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)settings->seed);
	arguments[n++] = self;
	arguments[n++] = "iut";
	arguments[n++] = iut->role;
	arguments[n++] = "--control";
	arguments[n++] = iut->socket;
	arguments[n++] = "--address";
	arguments[n++] = address;
	arguments[n++] = "--transport";
	arguments[n++] = net_transport_name(iut->wanted);
	arguments[n++] = "--seed";
	arguments[n++] = seed;
	for (size_t i = 0; i < settings->faults.count; i++) {
		arguments[n++] = "--fault";
		arguments[n++] = settings->faults.words[i];
	}
	for (size_t i = 0; i < settings->with_variants.count; i++) {
		arguments[n++] = "--variant";
		arguments[n++] = settings->with_variants.words[i];
	}
	arguments[n] = NULL;
	/* It must not outlive a killed run, and Ctrl-C is for the run to handle. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_RIG);
	setpgid(0, 0);
	if (dup2(output, STDOUT_FILENO) < 0)
		_exit(EXIT_RIG);
	signal(SIGPIPE, SIG_DFL);
	execv(self, (char *const *)(uintptr_t)arguments);
	_exit(EXIT_RIG);
}

/* Reads its first line. */
static int await_ready(struct live_iut *iut, char *line, size_t size)
{
	size_t len = 0;

	while (len < size - 1) {
		struct pollfd wait = { .fd = iut->output, .events = POLLIN };
		int ready = poll(&wait, 1, READY_TIMEOUT_MS);
		ssize_t n;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return ready == 0 ? -ETIMEDOUT : -errno;
		n = read(iut->output, line + len, size - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EPIPE;
		len += (size_t)n;
		line[len] = '\0';
		if (memchr(line, '\n', len) != NULL)
			return strncmp(line, "ready ", 6) == 0 ? 0 : -EPROTO;
	}
	return -EPROTO;
}

/* The transport that it found to work, for our own side. */
static bool take_transport(struct live_iut *iut, const char *line)
{
	static const enum net_transport known[] = { NET_KERNEL, NET_USRSCTP, NET_USRSCTP_UDP };
	const char *word = strstr(line, " transport=");
	size_t len;

	if (word == NULL)
		return false;
	word += strlen(" transport=");
	len = strcspn(word, " \n");
	/* Datagrams: there was nothing to choose. */
	if (role_on_n4(iut->profile->role) || role_on_sbi(iut->profile->role))
		return strncmp(word, "udp", len) == 0 || strncmp(word, "http2", len) == 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const char *name = net_transport_name(known[i]);

		if (strlen(name) == len && strncmp(name, word, len) == 0) {
			iut->wanted = known[i];
			iut->profile->iut_transport = known[i];
			iut->profile->n2.transport = known[i];
			return true;
		}
	}
	return false;
}

static void end_process(struct live_iut *iut)
{
	if (iut->output >= 0)
		close(iut->output);
	iut->output = -1;
	if (iut->pid > 0) {
		kill(iut->pid, SIGTERM);
		while (waitpid(iut->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	iut->pid = 0;
}

static int launch(struct live_iut *iut, struct text *why)
{
	char self[4096], line[READY_LINE_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	pid_t parent = getpid();
	int pipes[2], rc;

	if (len <= 0) {
		text_puts(why,
			  "/proc/self/exe cannot be read, so 'spillway iut' cannot be started");
		return -ENOENT;
	}
	self[len] = '\0';
	if (iut->profile->control_command == NULL && set_control(iut, self) != 0) {
		text_puts(why, "out of memory");
		return -ENOMEM;
	}
	if (pipe2(pipes, O_CLOEXEC) != 0) {
		rc = -errno;
		text_printf(why, "no pipe: %s", strerror(-rc));
		return rc;
	}
	iut->pid = fork();
	if (iut->pid == 0)
		child(iut, self, pipes[1], parent);
	rc = -errno;
	close(pipes[1]);
	iut->output = pipes[0];
	if (iut->pid < 0) {
		iut->pid = 0;
		text_printf(why, "'spillway iut' cannot be started: %s", strerror(-rc));
		return rc;
	}
	rc = await_ready(iut, line, sizeof(line));
	if (rc == 0 && !take_transport(iut, line))
		rc = -EPROTO;
	if (rc != 0) {
		text_printf(why, "'spillway iut %s' did not get ready: %s", iut->role,
			    rc == -EPIPE ? "it ended" : strerror(-rc));
		end_process(iut);
	}
	return rc;
}

int live_iut_start(struct live_iut *iut, const struct invocation *invocation,
		   const struct iut_ops *ops, struct profile *profile, struct text *why)
{
	const char *tmp = getenv("TMPDIR");
	struct text text;

	*iut = (struct live_iut){
		.invocation = invocation,
		.role = ops->role,
		.profile = profile,
		.wanted = chosen_transport(&invocation->settings, NET_AUTO),
		.output = -1,
	};
	text_init(&text, iut->dir, sizeof(iut->dir));
	text_printf(&text, "%s/spillway-XXXXXX", tmp == NULL || tmp[0] == '\0' ? "/tmp" : tmp);
	if (text.truncated) {
		text_init(&text, iut->dir, sizeof(iut->dir));
		text_puts(&text, "/tmp/spillway-XXXXXX");
	}
	if (mkdtemp(iut->dir) == NULL) {
		int rc = -errno;

		text_printf(why, "%s: %s", iut->dir, strerror(-rc));
		iut->dir[0] = '\0';
		return rc;
	}
	text_init(&text, iut->socket, sizeof(iut->socket));
	text_printf(&text, "%s/control", iut->dir);
	/* An earlier process of this role had another socket. */
	free_control(profile);
	relocate(profile);
	return launch(iut, why);
}

int live_iut_ensure(struct live_iut *iut, struct text *why)
{
	int status;

	if (iut->pid > 0) {
		pid_t ended = waitpid(iut->pid, &status, WNOHANG);

		if (ended == 0 || (ended < 0 && errno == EINTR))
			return 0;
		iut->pid = 0;
		end_process(iut);
	}
	return launch(iut, why);
}

void live_iut_stop(struct live_iut *iut)
{
	end_process(iut);
	if (iut->socket[0] != '\0')
		unlink(iut->socket);
	if (iut->dir[0] != '\0')
		rmdir(iut->dir);
	iut->socket[0] = iut->dir[0] = '\0';
	iut->profile = NULL;
}
