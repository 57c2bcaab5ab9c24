/* Which transport is chosen, and what is said where one cannot be had. */
#include <check.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/net/link.h"

enum { NOBODY = 65534 };

static char why_buf[400];
static struct text why;

static struct net *try(struct loop *loop, struct net_options options)
{
	text_init(&why, why_buf, sizeof(why_buf));
	return net_new(loop, &options, NULL, &why);
}

static bool kernel_has_sctp(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_SCTP);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

START_TEST(what_cannot_be_is_explained)
{
	struct loop *virtual = loop_new(LOOP_VIRTUAL, 1), *live = loop_new(LOOP_LIVE, 1);

	ck_assert_ptr_null(try(virtual, (struct net_options){ .transport = NET_SIM }));
	ck_assert_str_eq(why_buf, "transport sim needs a simulated network");
	ck_assert_ptr_null(try(virtual, (struct net_options){ .transport = NET_USRSCTP_UDP }));
	ck_assert_str_eq(why_buf, "transport usrsctp-udp needs a live loop");
	if (!kernel_has_sctp()) {
		ck_assert_ptr_null(try(live, (struct net_options){ .transport = NET_KERNEL }));
		ck_assert_ptr_nonnull(strstr(why_buf, "this kernel has no SCTP"));
		ck_assert_ptr_nonnull(strstr(why_buf, "choose transport usrsctp"));
	}
	loop_free(virtual);
	loop_free(live);
}
END_TEST

START_TEST(an_address_that_is_not_here)
{
	struct loop *loop = loop_new(LOOP_LIVE, 1);
	struct net *net =
		try(loop, (struct net_options){ .transport = NET_USRSCTP_UDP, .udp_port = 29899 });
	struct net_address from, to;

	net_address_parse(&from, "192.0.2.77", 0);
	net_address_parse(&to, "127.0.0.1", NGAP_PORT);
	ck_assert_ptr_nonnull(net);
	ck_assert_ptr_null(net_connect(net, "gnb1", &from, &to, NULL, NULL, &why));
	ck_assert_str_eq(why_buf, "UDP socket 192.0.2.77:29899: this machine has no such address");
	net_free(net);
	loop_free(loop);
}
END_TEST

static void on_accept(struct link *link, void *arg)
{
	(void)arg;
	link_close(link, true);
}

/* Runs as somebody without capabilities; returns the number of the check that failed. */
static int without_privilege(void)
{
	struct loop *loop;
	struct net_address at;
	struct net *net;

	if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
		return 1;
	loop = loop_new(LOOP_LIVE, 1);
	if (try(loop, (struct net_options){ .transport = NET_USRSCTP }) ||
	    !strstr(why_buf, "CAP_NET_RAW") || !strstr(why_buf, "usrsctp-udp"))
		return 2;
	if (kernel_has_sctp())
		return 0;
	if (try(loop, (struct net_options){ .transport = NET_AUTO }) ||
	    !strstr(why_buf, "CAP_NET_RAW") || !strstr(why_buf, "usrsctp-udp"))
		return 3;
	net = try(loop, (struct net_options){
				.transport = NET_AUTO, .udp_port = 29898, .peer_udp_port = 9899 });
	if (!net || net_transport(net) != NET_USRSCTP_UDP)
		return 4;
	net_address_parse(&at, "127.0.0.1", NGAP_PORT);
	if (!net_listen(net, "amf", &at, on_accept, NULL, &why))
		return 5;
	net_free(net);
	loop_free(loop);
	return 0;
}

START_TEST(auto_takes_the_best_that_is_allowed)
{
	struct loop *loop = loop_new(LOOP_LIVE, 1);
	struct net *net;
	int status;
	pid_t pid;

	if (geteuid() == 0) {
		net = try(loop, (struct net_options){ .transport = NET_AUTO });
		ck_assert_msg(net != NULL, "%s", why_buf);
		ck_assert_int_eq(net_transport(net), kernel_has_sctp() ? NET_KERNEL : NET_USRSCTP);
		net_free(net);
	}
	loop_free(loop);
	pid = fork();
	if (pid == 0)
		_exit(geteuid() == 0 ? without_privilege() : 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("net_choice");
	TCase *tc = tcase_create("net_choice");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, what_cannot_be_is_explained);
	tcase_add_test(tc, an_address_that_is_not_here);
	tcase_add_test(tc, auto_takes_the_best_that_is_allowed);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
