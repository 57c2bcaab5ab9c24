/*
 * The coming of an IUT over real SCTP (usrsctp over UDP, which needs no privilege): the reference
 * NG-RAN node in a process of its own, without any adapter, finds the listeners of one case after
 * the other by its own retries.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixtures/reference/reference.h"
#include "runner/case/expect_nw.h"
#include "runner/emulation/test_stage.h"

static pid_t peer;

static void serve(const struct profile *of)
{
	const struct net_options options = {
		.transport = NET_USRSCTP_UDP,
		.udp_port = of->n2.peer_udp_port,
		.peer_udp_port = of->n2.udp_port,
	};
	uint64_t none[8] = { 0 };
	struct loop *loop = loop_new(LOOP_LIVE, 3);
	char buf[300];
	struct text why;
	struct net *net;

	text_init(&why, buf, sizeof(buf));
	net = loop ? net_new(loop, &options, NULL, &why) : NULL;
	if (!net || !reference_ran.start(loop, net, of, none, none, &why)) {
		fprintf(stderr, "peer: %s\n", buf);
		_exit(1);
	}
	loop_run(loop, LOOP_NEVER, NULL, NULL);
	_exit(0);
}

static void set_up(void)
{
	stage_role = ROLE_RAN;
	profile = profile_builtin(ROLE_RAN);
	ck_assert_ptr_nonnull(profile);
	profile->live = true;
	profile->control = CONTROL_NONE;
	profile->n2.transport = NET_USRSCTP_UDP;
	profile->n2.udp_port = (uint16_t)(20000 + getpid() % 20000);
	profile->n2.peer_udp_port = (uint16_t)(profile->n2.udp_port + 1);
	profile->response_time = 5 * US_PER_S;
	profile->connect_time = 30 * US_PER_S;
}

static void tear_down(void)
{
	if (peer > 0) {
		kill(peer, SIGKILL);
		waitpid(peer, NULL, 0);
	}
	peer = 0;
	profile_free(profile);
}

static void start_peer(void)
{
	peer = fork();
	ck_assert_int_ge(peer, 0);
	if (peer == 0)
		serve(profile);
}

/* Each in a process of its own, as the supervisor has it. */
static void run_case(void (*body)(struct tc *t), enum verdict verdict)
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		stage_body(&reference_ran, body, SHALL, NULL, NULL);
		if (stage.private.verdict != verdict)
			fprintf(stderr, "verdict %s: %s\n", verdict_name(stage.private.verdict),
				stage.private.reason);
		_exit(stage.private.verdict == verdict ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
}

static void connects(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_error_report report;
	struct nw_node *node;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	nw_overload_start(node, .action = ACTION_EXTENDED, .tlr = 50);
	if (!received_error_report(expect_node(t, node, .type = NGAP_ERROR_INDICATION), &report) ||
	    report.procedure_code != NGAP_PROCEDURE_OVERLOAD_START)
		tc_fail(t, "no report");
	nw_abort(node);
	nw_iut_returns(t);
}

static void several(struct tc *t)
{
	struct nw_amf *first = nw_amf_start(t), *second = nw_amf_start(t, .several_tnl = true);

	nw_iut_connects(t);
	if (!nw_node_up(nw_node(first, NODE_GNB)) || !nw_node_up(nw_node(second, NODE_GNB)))
		tc_fail(t, "not up");
	nw_tnl_weight(second, 1, 9);
	expect_node(t, nw_node(second, NODE_GNB),
		    .type = NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE);
}

START_TEST(test_one_case_after_the_other)
{
	start_peer();
	run_case(connects, VERDICT_PASS);
	run_case(several, VERDICT_PASS);
}
END_TEST

static void nobody(struct tc *t)
{
	nw_amf_start(t);
	nw_iut_connects(t);
}

START_TEST(test_nobody_comes)
{
	profile->connect_time = US_PER_S;
	run_case(nobody, VERDICT_ERROR);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("network over SCTP");
	TCase *tcase = tcase_create("live");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 90);
	tcase_add_test(tcase, test_one_case_after_the_other);
	tcase_add_test(tcase, test_nobody_comes);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
