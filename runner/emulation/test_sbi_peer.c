/* The tester's network functions, and what expectations say, with a peer that does as it is told.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/expect_sbi.h"
#include "runner/case/stage.h"
#include "runner/emulation/fake_nf.h"

static struct stage stage;

/* Runs a body with an IUT of this role; its verdict. */
static enum verdict play(enum role role, void (*body)(struct tc *t), enum fake_nf_wrong wrong)
{
	static const struct iut_ops *const iuts[] = { &fake_nf_server, &fake_nf_client, &fake_nrf };
	static const struct run_world world = { .iuts = iuts, .iut_count = 3 };
	struct profile *profile = profile_builtin(role);
	const struct test_case test = { .id = "TP/T/1",
					.requirement = "T-1",
					.clause = "29.500 0",
					.strength = SHALL,
					.role = role,
					.purpose = "a test",
					.run = body };
	const struct stage_options options = {
		.world = &world, .test = &test, .profile = profile, .seed = 1
	};

	ck_assert_ptr_nonnull(profile);
	fake_nf_plan = (struct fake_nf_plan){ .wrong = wrong };
	stage_run(&stage, &options);
	profile_free(profile);
	return stage.private.verdict;
}

static void says(const char *where, const char *what)
{
	ck_assert_msg(strstr(where, what) != NULL, "\"%s\" is not in: %s", what, where);
}

/* --- answers ------------------------------------------------------------------------------------
 */

static void asks(struct tc *t)
{
	struct sbi_peer *peer = sbi_peer_start(t);
	const struct sbi_response *response =
		sbi_finish(sbi_operation(peer, 0, .priority = SBI_VALUE(7)));

	expect_answer(t, response, .status = 2, .not_status = 204, .oci = ABSENT,
		      .content_type = "application/json");
	if (sbi_asked_priority(response->exchange) != 7)
		tc_fail(t, "the priority is lost");
}

static void expects_more(struct tc *t)
{
	struct sbi_peer *peer = sbi_peer_start(t);

	expect_answer(t, sbi_finish(sbi_operation(peer, 0)), .status = 503,
		      .cause = "NF_CONGESTION", .retry_after = PRESENT);
}

static void expects_oci(struct tc *t)
{
	struct sbi_peer *peer = sbi_peer_start(t);

	expect_answer(t, sbi_finish(sbi_operation(peer, 0)), .oci = PRESENT);
}

START_TEST(answers)
{
	ck_assert_int_eq(play(ROLE_NF_SERVER, asks, FAKE_NF_RIGHT), VERDICT_PASS);
	stage_clear(&stage);
	ck_assert_int_eq(play(ROLE_NF_SERVER, expects_more, FAKE_NF_RIGHT), VERDICT_FAIL);
	says(stage.private.reason, ":status is 200, expected 503");
	says(stage.private.detail_buf, "! cause");
	says(stage.private.detail_buf, "! retry-after");
	says(stage.private.detail_buf, "content-type: application/json");
	says(stage.private.detail_buf, "29.500 0 (T-1)");
	stage_clear(&stage);
	/* one that is there, and not by the grammar */
	ck_assert_int_eq(play(ROLE_NF_SERVER, expects_oci, FAKE_NF_BAD_FIELDS), VERDICT_FAIL);
	says(stage.private.reason, "3gpp-Sbi-Oci");
	stage_clear(&stage);
	ck_assert_int_eq(play(ROLE_NF_SERVER, asks, FAKE_NF_RESET), VERDICT_FAIL);
	says(stage.private.reason, "reset");
	stage_clear(&stage);
	/* dead before it ever answered: the rig's */
	ck_assert_int_eq(play(ROLE_NF_SERVER, asks, FAKE_NF_SILENT), VERDICT_ERROR);
	says(stage.private.reason, "no answer");
	stage_clear(&stage);
}
END_TEST

/* --- requests of the IUT ------------------------------------------------------------------------
 */

static void offers(struct tc *t)
{
	struct sbi_peer *peers[3];
	struct sbi_offered o;

	for (int i = 0; i < 3; i++)
		peers[i] = sbi_peer_start(t, .services = "nsmf-pdusession", .set = "1");
	sbi_iut_starts(t);
	sbi_oci(peers[0], .metric = 50, .scope = sbi_scope_set(peers[0]));
	o = sbi_offer_all_sent(t, "count=300 rate=100");
	if (o.offered != 300 || sbi_counted(&o.count, .at = peers[1]) != 100 ||
	    sbi_counted(&o.count, .path = "/nsmf-pdusession/", .status = 201) != 300 ||
	    sbi_counted(&o.count, .no_priority = true) != 300 ||
	    sbi_counted(&o.count, .method = "GET") != 0)
		tc_fail(t, "it was counted otherwise");
	if (strcmp(sbi_peer_callback(peers[0]), "") != 0)
		tc_fail(t, "an ftp URI is no callback");
	sbi_tell(peers[0]);
}

static void wants_none(struct tc *t)
{
	struct sbi_peer *peer = sbi_peer_start(t, .services = "nsmf-pdusession");

	sbi_iut_starts(t);
	expect_no_sbi(t, sbi_peer_server(peer));
	tc_control(t, "operations count=1");
	expect_sbi(t, sbi_peer_server(peer), .method = "POST", .path = "/nsmf-");
	tc_control(t, "operations count=1");
	expect_no_sbi(t, sbi_peer_server(peer));
}

static void refuses(struct tc *t)
{
	static const struct sbi_rule rule = { .status = 503, .cause = "NF_CONGESTION" };
	struct sbi_peer *peers[3];
	struct sbi_offered o;

	for (int i = 0; i < 3; i++)
		peers[i] = sbi_peer_start(t, .services = "nsmf-pdusession");
	sbi_iut_starts(t);
	sbi_server_rule(sbi_peer_server(peers[0]), &rule);
	o = sbi_offer(t, "count=30 rate=10");
	if (sbi_counted(&o.count, .status = 503) != 10)
		tc_fail(t, "the rule is not obeyed");
}

START_TEST(requests)
{
	ck_assert_int_eq(play(ROLE_NF_CLIENT, offers, FAKE_NF_RIGHT), VERDICT_INCONC);
	says(stage.private.reason, "no request of the IUT had a URI for notifications");
	stage_clear(&stage);
	ck_assert_int_eq(play(ROLE_NF_CLIENT, wants_none, FAKE_NF_RIGHT), VERDICT_FAIL);
	says(stage.private.reason, "where none may come");
	stage_clear(&stage);
	ck_assert_int_eq(play(ROLE_NF_CLIENT, refuses, FAKE_NF_RIGHT), VERDICT_PASS);
	stage_clear(&stage);
	ck_assert_int_eq(play(ROLE_NF_CLIENT, offers, FAKE_NF_LIES), VERDICT_ERROR);
	says(stage.private.reason, "does not say how many");
	stage_clear(&stage);
	ck_assert_int_eq(play(ROLE_NF_CLIENT, offers, FAKE_NF_NO_ACTION), VERDICT_ERROR);
	says(stage.private.reason, "is it configured with it");
	stage_clear(&stage);
}
END_TEST

/* --- what a producer says -----------------------------------------------------------------------
 */

static void speaks(struct tc *t)
{
	struct sbi_peer *a =
		sbi_peer_start(t, .services = "nsmf-pdusession", .set = "1", .service_set = "2");
	struct sbi_peer *b = sbi_peer_start(t);
	const struct sbi_response *response;
	struct sbi_scope dnns = sbi_scope_dnns(a, &t->profile->slices[0], "internet,ims");

	sbi_oci(a, .metric = 20);
	sbi_oci_more(a, .metric = 50, .validity = 5, .scope = sbi_scope_service_set(a));
	sbi_oci_more(a, .metric = 0, .scope = dnns, .own_line = true);
	sbi_lci(a, .metric = 100, .later = -60);
	response = sbi_finish(sbi_ask(b, .uri = sbi_peer_callback_uri(a, "x"), .body = "{}"));
	expect_answer(t, response, .status = 204, .oci = PRESENT, .lci = PRESENT,
		      .metric = SBI_VALUE(20));
	if (response->oci.count != 3 || response->oci.lines != 2 ||
	    response->oci.items[1].validity != 5 ||
	    response->oci.items[1].timestamp <= response->oci.items[0].timestamp ||
	    response->oci.items[2].scope.dnns.count != 2 ||
	    response->lci.items[0].timestamp >= sbi_now(t))
		tc_fail(t, "it says something else");
	sbi_no_oci(a);
	sbi_oci(a, .text = "nonsense");
	response = sbi_finish(sbi_ask(b, .uri = sbi_peer_callback_uri(a, "x"), .body = "{}"));
	if (!response->oci.fault)
		tc_fail(t, "nonsense conforms");
}

START_TEST(says_of_load)
{
	enum verdict verdict = play(ROLE_NF_CLIENT, speaks, FAKE_NF_RIGHT);

	ck_assert_msg(verdict == VERDICT_PASS, "%s", stage.private.reason);
	stage_clear(&stage);
}
END_TEST

/* --- an SCP -------------------------------------------------------------------------------------
 */

#define CONTEXTS "/nsmf-pdusession/v1/sm-contexts"

static struct sbi_exchange *ask_by(struct sbi_peer *scp, struct sbi_peer *asks, const char *target)
{
	static char uri[200];

	snprintf(uri, sizeof(uri), "%s" CONTEXTS, sbi_peer_root(scp));
	return sbi_ask(asks, .uri = uri, .body = "{}", .priority = SBI_VALUE(7),
		       .fields = { { target ? "3gpp-sbi-target-apiroot" : NULL, target } });
}

static void passes_on(struct tc *t)
{
	struct sbi_peer *scp = sbi_peer_start(t, .scp = true), *asks = sbi_peer_start(t);
	struct sbi_peer *producer = sbi_peer_start(t, .services = "nsmf-pdusession");
	const struct sbi_response *response;
	const struct sbi_received *received;
	struct sbi_count count = sbi_count_start(t);

	sbi_oci(producer, .metric = 20);
	sbi_oci(scp, .metric = 50, .scope = sbi_scope_scp(scp));
	response = sbi_finish(ask_by(scp, asks, sbi_peer_root(producer)));
	expect_answer(t, response, .status = 201, .oci = PRESENT, .location = PRESENT);
	if (response->oci.count != 2 || response->oci.fault)
		tc_fail(t, "what the producer says of its overload, or the SCP, is lost");
	received = sbi_server_received(sbi_peer_server(producer), 0);
	if (!received || received->priority != 7 || !sbi_came_by(received, scp) ||
	    http_header(received->message, "3gpp-sbi-target-apiroot"))
		tc_fail(t, "the producer gets another request");
	if (sbi_counted(&count, .at = NULL) != 1 || sbi_counted(&count, .at = scp) != 1)
		tc_fail(t, "what is passed on counts twice");
}

/* It is nobody's way to anywhere. */
static void refuses_to_pass(struct tc *t)
{
	struct sbi_peer *scp = sbi_peer_start(t, .scp = true), *asks = sbi_peer_start(t);
	const char *const wrong[] = { NULL,
				      "",
				      "/",
				      "http://127.0.0.1:1",
				      sbi_peer_root(scp),
				      "http://127.0.0.43:7777/nsmf" };

	sbi_peer_start(t, .services = "nsmf-pdusession");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		expect_answer(t, sbi_finish(ask_by(scp, asks, wrong[i])), .status = 400);
}

static void loses_its_producer(struct tc *t)
{
	static const struct sbi_rule silence = { .action = SBI_SILENCE };
	struct sbi_peer *scp = sbi_peer_start(t, .scp = true), *asks = sbi_peer_start(t);
	struct sbi_peer *producer = sbi_peer_start(t, .services = "nsmf-pdusession");
	const struct sbi_response *response;
	struct sbi_exchange *waiting, *more;
	const struct octets *server;

	sbi_server_rule(sbi_peer_server(producer), &silence);
	waiting = ask_by(scp, asks, sbi_peer_root(producer));
	tc_sleep(t, US_PER_S);
	sbi_peer_stop(producer);
	response = sbi_finish(waiting);
	expect_answer(t, response, .status = 504, .cause = "TARGET_NF_NOT_REACHABLE");
	server = http_header(response->message, "server");
	if (!server || !octets_equal(*server, sbi_octets(sbi_scp_server_field(scp))))
		tc_fail(t, "the SCP does not say that it is its own answer");
	/* the other way round; and one that is still open when the case ends */
	sbi_peer_resume(producer);
	sbi_server_rule(sbi_peer_server(producer), &silence);
	waiting = ask_by(scp, asks, sbi_peer_root(producer));
	tc_sleep(t, US_PER_S);
	sbi_peer_stop(scp);
	if (sbi_finish_try(waiting))
		tc_fail(t, "an SCP that is no more answers");
	sbi_peer_resume(scp);
	more = ask_by(scp, asks, sbi_peer_root(producer));
	tc_sleep(t, US_PER_S);
	if (sbi_exchange_end(more) != SBI_PENDING)
		tc_fail(t, "nobody has answered, and there is an answer");
}

START_TEST(scp)
{
	void (*const bodies[])(struct tc * t) = { passes_on, refuses_to_pass, loses_its_producer };

	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		enum verdict verdict = play(ROLE_NF_CLIENT, bodies[i], FAKE_NF_RIGHT);

		ck_assert_msg(verdict == VERDICT_PASS, "%zu: %s", i, stage.private.reason);
		stage_clear(&stage);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sbi peer");
	TCase *tcase = tcase_create("peer");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, answers);
	tcase_add_test(tcase, requests);
	tcase_add_test(tcase, says_of_load);
	tcase_add_test(tcase, scp);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
