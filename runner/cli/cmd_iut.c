/* iut: a reference IUT as a process of its own, moved by control actions over a Unix socket. */
#include "runner/cli/commands.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "runner/cli/control_socket.h"
#include "runner/cli/iut_choice.h"
#include "runner/core/loop.h"

struct iut_process {
	const struct iut_ops *ops;
	struct profile *profile;
	struct iut_set faults, variants;
	struct loop *loop;
	struct net *net;
	struct iut *iut;
	struct control_socket *control;
	bool ended;
};

static enum control_result act(void *arg, const struct control_words *words, struct text *reply)
{
	struct iut_process *process = arg;

	return process->ops->control(process->iut, words->name, words->args, words->count, reply);
}

static bool act_later(void *arg, const struct control_words *words, struct control_waiter *waiter)
{
	struct iut_process *process = arg;

	return process->ops->control_later != NULL &&
	       process->ops->control_later(process->iut, words->name, words->args, words->count,
					   waiter);
}

static void forget(void *arg, struct control_waiter *waiter)
{
	struct iut_process *process = arg;

	process->ops->forget(process->iut, waiter);
}

static const struct control_socket_handler control_handler = {
	.act = act,
	.later = act_later,
	.forget = forget,
};

static void print_list(const struct iut_fault *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		printf("%s\t%s\t%s\t", list[i].name,
		       list[i].requirement == NULL ? "" : list[i].requirement, list[i].text);
		for (size_t c = 0; list[i].cases != NULL && list[i].cases[c] != NULL; c++)
			printf("%s%s", c == 0 ? "" : ",", list[i].cases[c]);
		putchar('\n');
	}
}

/* The default path of the control socket of a role. */
static int default_path(const char *role, char *path, size_t size)
{
	const char *env = getenv("SPILLWAY_CONTROL");
	const char *dir = getenv("XDG_RUNTIME_DIR");
	struct text text;

	text_init(&text, path, size);
	if (env != NULL && env[0] != '\0')
		text_puts(&text, env);
	else if (dir != NULL && dir[0] == '/')
		text_printf(&text, "%s/spillway-%s.sock", dir, role);
	else
		text_printf(&text, "/tmp/spillway-%s-%u.sock", role, (unsigned int)getuid());
	return text.truncated ? -ENAMETOOLONG : 0;
}

static void signalled(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct iut_process *process = arg;

	(void)watch;
	(void)events;
	process->ended = true;
	loop_interrupt(process->loop);
}

static bool is_ended(void *arg)
{
	const struct iut_process *process = arg;

	return process->ended;
}

static const char *interface_of(enum role role)
{
	if (role_on_sbi(role))
		return "sbi";
	return role_on_n4(role) ? "n4" : "n2";
}

static int serve(const struct invocation *invocation, struct iut_process *process,
		 const sigset_t *ends, const char *path)
{
	char buf[512], where[128];
	struct loop_watch *signals;
	struct text text;
	int fd = signalfd(-1, ends, SFD_CLOEXEC | SFD_NONBLOCK);

	signals = fd < 0 ? NULL : loop_watch(process->loop, fd, LOOP_READABLE, signalled, process);
	if (signals == NULL) {
		if (fd >= 0)
			close(fd);
		return command_error(invocation, EXIT_RIG, "signals cannot be watched");
	}
	text_init(&text, buf, sizeof(buf));
	process->control =
		control_socket_open(process->loop, path, &control_handler, process, &text);
	if (process->control != NULL)
		process->iut =
			process->ops->start(process->loop, process->net, process->profile,
					    process->faults.word, process->variants.word, &text);
	if (process->iut == NULL) {
		command_error(invocation, EXIT_RIG, "%s", buf);
	} else {
		text_init(&text, where, sizeof(where));
		net_address_print(iut_address(process->profile), &text);
		printf("ready role=%s %s=%s transport=%s control=%s\n", process->ops->role,
		       interface_of(process->profile->role), where,
		       role_on_sbi(process->profile->role)
			       ? "http2"
			       : net_transport_name(net_transport(process->net)),
		       path);
		fflush(stdout);
		while (!process->ended)
			loop_run(process->loop, LOOP_NEVER, is_ended, process);
	}
	control_socket_close(process->control);
	if (process->iut != NULL)
		process->ops->stop(process->iut);
	loop_unwatch(signals);
	close(fd);
	return process->ended ? EXIT_PASSED : EXIT_RIG;
}

static int open_and_serve(const struct invocation *invocation, struct iut_process *process,
			  const char *path)
{
	const struct settings *settings = &invocation->settings;
	/* The tester's peer port is ours, and the other way round. */
	struct net_options options = {
		.transport =
			role_on_n4(process->profile->role) || role_on_sbi(process->profile->role)
				? NET_UDP
				: process->profile->iut_transport,
		.udp_port = settings->udp_port != 0 ? (uint16_t)settings->udp_port
						    : process->profile->n2.peer_udp_port,
		.peer_udp_port = process->profile->n2.udp_port,
		.no_crc_on_loopback = !process->profile->n2.crc_on_loopback,
	};
	uint64_t seed = option_given(invocation->command, settings, "seed") ? settings->seed : 1;
	char buf[512];
	struct text why;
	sigset_t ends;
	int status;

	/* Before anything has a thread, so that none is left that the signals would kill. */
	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	signal(SIGPIPE, SIG_IGN);
	process->loop = loop_new(LOOP_LIVE, seed);
	if (process->loop == NULL)
		return command_error(invocation, EXIT_RIG, "no event loop: out of memory or files");
	text_init(&why, buf, sizeof(buf));
	process->net = net_new(process->loop, &options, NULL, &why);
	status = process->net == NULL ? command_error(invocation, EXIT_RIG, "%s", buf)
				      : serve(invocation, process, &ends, path);
	if (process->net != NULL)
		net_free(process->net);
	loop_free(process->loop);
	return status;
}

int command_iut(struct invocation *invocation)
{
	const struct settings *settings = &invocation->settings;
	const char *role = settings->operands.words[0];
	struct iut_process process = { 0 };
	char path[CONTROL_SOCKET_PATH_MAX + 1];
	int status;

	status = choose_iut(invocation, role, &process.ops);
	if (status != 0)
		return status;
	if (settings->list_faults || settings->list_variants) {
		if (settings->list_faults)
			print_list(process.ops->faults, process.ops->fault_count);
		if (settings->list_variants)
			print_list(process.ops->variants, process.ops->variant_count);
		return output_done(invocation, EXIT_PASSED);
	}
	status = choose_faults(invocation, process.ops, &process.faults, &process.variants);
	if (status != 0)
		return status;
	if (settings->control == NULL) {
		if (default_path(role, path, sizeof(path)) != 0)
			return usage_error(invocation, "the control socket's path is too long: "
						       "choose another with --control");
	} else if (settings->control != NULL && strlen(settings->control) < sizeof(path)) {
		memcpy(path, settings->control, strlen(settings->control) + 1);
	} else {
		return usage_error(invocation, "--control: a path of at most %d octets is needed",
				   CONTROL_SOCKET_PATH_MAX);
	}
	status = choose_profile(invocation, role, &process.profile);
	if (status != 0)
		return status;
	status = choose_address(invocation, process.profile);
	if (status == 0) {
		process.profile->live = true;
		process.profile->iut_transport =
			chosen_transport(settings, process.profile->iut_transport);
		status = open_and_serve(invocation, &process, path);
	}
	profile_free(process.profile);
	return status;
}
