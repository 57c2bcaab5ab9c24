/* The network's side against the reference NG-RAN node, and everything that it sends by tshark. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fixtures/reference/reference.h"
#include "runner/case/expect_nw.h"
#include "runner/emulation/test_stage.h"

static void set_up(void)
{
	stage_role = ROLE_RAN;
	profile = profile_builtin(ROLE_RAN);
	ck_assert_ptr_nonnull(profile);
}

static void tear_down(void)
{
	stage_clear(&stage);
	profile_free(profile);
}

/* With each legal behaviour of the node: whatever a body expects has to hold with all of them. */
static void run_case(void (*body)(struct tc *t), int variant)
{
	stage_body(&reference_ran, body, SHALL,
		   variant ? reference_ran.variants[variant - 1].name : NULL, NULL);
	ck_verdict(VERDICT_PASS);
}

static void expect_sent(struct tc *t, struct nw_attempts a, uint64_t sent, const char *what)
{
	if (a.sent != sent || a.foreign)
		tc_fail(t, "%s: %llu of %llu sent, %llu of them with another cause", what,
			(unsigned long long)a.sent, (unsigned long long)a.offered,
			(unsigned long long)a.foreign);
}

static void actions(struct tc *t)
{
	static const bool sent[4][10] = {
		{ 1, 1, 1, 1, 0, 0, 0, 0, 1, 1 },
		{ 1, 1, 1, 0, 0, 0, 0, 0, 1, 1 },
		{ 1, 0, 1, 0, 0, 0, 0, 0, 0, 0 },
		{ 0, 1, 1, 0, 0, 0, 0, 0, 1, 1 },
	};
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_node *node;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	for (unsigned int action = 0; action < 4; action++) {
		nw_overload_start(node, .action = nw_action_of(action));
		for (int cause = RRC_EMERGENCY; cause <= RRC_MCS_PRIORITY_ACCESS; cause++) {
			const char *name = rrc_cause_name((enum rrc_cause)cause);

			expect_sent(t, nw_attempts(t, "cause=%s count=20 rate=100", name),
				    sent[action][cause - RRC_EMERGENCY] ? 20 : 0, name);
		}
	}
	nw_overload_stop(node);
	expect_sent(t, nw_attempts_all_sent(t, "cause=mo-Data count=20 rate=100"), 20, "stopped");
	nw_overload_start(node, .action = ACTION_1);
	tc_control(t, "ng-setup amf=1 association=same");
	expect_sent(t, nw_attempts_all_sent(t, "cause=mo-Data count=20 rate=100"), 20, "set up");
	if (nw_node_setups(node) != 2)
		tc_fail(t, "%u setups", nw_node_setups(node));
}

START_TEST(test_actions)
{
	run_case(actions, _i);
}
END_TEST

static void share(struct tc *t)
{
	struct share_test test = SHARE_TEST(0.5);
	struct nw_attempts sum = { .offered = 0 };
	struct nw_amf *amf = nw_amf_start(t);
	enum share_answer answer;

	nw_iut_connects(t);
	nw_attempts_all_sent(t, "cause=mo-Data count=20 rate=20");
	nw_overload_start(nw_node(amf, NODE_GNB), .action = ACTION_1, .tlr = 50);
	do {
		nw_attempts_add(&sum, nw_attempts(t, "cause=mo-Data count=%u rate=200",
						  (unsigned int)test.step));
		answer = share_judge(&test, sum.offered, sum.sent, sum.offered >= test.last);
	} while (answer == SHARE_UNDECIDED);
	if (answer != SHARE_HOLDS || !sum.has_rejected || sum.offered != sum.sent + sum.rejected)
		tc_fail(t, "%d: %llu of %llu", answer, (unsigned long long)sum.sent,
			(unsigned long long)sum.offered);
}

START_TEST(test_share)
{
	run_case(share, _i);
}
END_TEST

static void slices(struct tc *t)
{
	static const struct slice a = { .sst = 1, .has_sd = true, .sd = 0x010203 };
	static const struct nw_slice_item item = { .slices = &a, .slice_count = 1 };
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_node *node;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	nw_overload_start(node, .items = &item, .item_count = 1, .filler_items = 1023);
	expect_sent(t, nw_attempts(t, "cause=mo-Data count=10 rate=50 nssai=1-010203"), 0, "A");
	expect_sent(t, nw_attempts(t, "cause=mo-Data count=10 rate=50 nssai=2"), 10, "B");
	expect_sent(t, nw_attempts(t, "cause=mo-Data count=10 rate=50 nssai=1-010203,2"), 10, "AB");
	expect_sent(t, nw_attempts(t, "cause=mo-Data count=10 rate=50"), 10, "none");
}

START_TEST(test_slices)
{
	run_case(slices, _i);
}
END_TEST

static void errors(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_error_report report;
	struct nw_node *node;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	nw_overload_start(node, .action = ACTION_EXTENDED, .tlr = 50);
	if (!received_error_report(expect_node(t, node, .type = NGAP_ERROR_INDICATION), &report) ||
	    report.procedure_code != NGAP_PROCEDURE_OVERLOAD_START ||
	    report.ie != NGAP_ID_AMF_OVERLOAD_RESPONSE)
		tc_fail(t, "report %d %d", report.procedure_code, report.ie);
	nw_overload_start(node, .action = ACTION_0, .tlr = 50, .fault = START_WRONG_ORDER);
	if (!received_error_report(expect_node(t, node, .type = NGAP_ERROR_INDICATION), &report) ||
	    report.cause != NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_FALSELY_CONSTRUCTED_MESSAGE)
		tc_fail(t, "cause %d", report.cause);
	nw_overload_start(node, .action = ACTION_0, .fault = START_ACTION_TWICE);
	expect_node(t, node, .type = NGAP_ERROR_INDICATION);
	expect_sent(t, nw_attempts_all_sent(t, "cause=mo-Data count=20 rate=100"), 20, "nothing");
	nw_overload_start(node, .action = ACTION_0, .unknown_ie = 65000,
			  .unknown_criticality = NGAP_CRITICALITY_NOTIFY);
	expect_node(t, node, .type = NGAP_ERROR_INDICATION);
	expect_sent(t, nw_attempts(t, "cause=mo-Data count=20 rate=100"), 0, "notify");
	nw_overload_start(node);
	nw_overload_stop(node);
	nw_overload_start(node, .action = ACTION_0, .unknown_ie = 65000,
			  .unknown_criticality = NGAP_CRITICALITY_IGNORE);
	expect_no_node(t, node, .type = NGAP_ERROR_INDICATION, .within = US_PER_S);
	nw_overload_stop(node);
	nw_overload_start(node, .action = ACTION_1, .tlr = 100, .on_purpose = true);
	nw_overload_start(node, .action = ACTION_1, .fault = START_TRUNCATED);
	nw_overload_start(node, .filler_items = 1025, .on_purpose = true);
	tc_sleep(t, US_PER_S);
	forget_node(node);
	if (!nw_node_up(node))
		tc_fail(t, "gone");
}

START_TEST(test_errors)
{
	run_case(errors, _i);
}
END_TEST

static void balance(struct tc *t)
{
	struct nw_amf *amfs[3] = { nw_amf_start(t), nw_amf_start(t), nw_amf_start(t) };
	static const double shares[] = { 0.2, 0.4, 0.4 };
	uint64_t observed[3];
	struct nw_attempts a;

	nw_iut_connects(t);
	a = nw_attempts_all_sent(t, "cause=mo-Signalling count=1000 rate=500");
	for (int i = 0; i < 3; i++)
		observed[i] = nw_counted(a.count, .at = amfs[i]);
	if (stats_split(observed, shares, 3) < 1e-9)
		tc_fail(t, "%d %d %d", (int)observed[0], (int)observed[1], (int)observed[2]);
	nw_amf_capacity(amfs[1], 0);
	tc_sleep(t, US_PER_S);
	a = nw_attempts_all_sent(t, "cause=mo-Signalling count=200 rate=500");
	if (nw_counted(a.count, .at = amfs[1]))
		tc_fail(t, "capacity 0");
	nw_status_indication(amfs[0], NULL, NULL);
	tc_sleep(t, US_PER_S);
	a = nw_attempts_all_sent(t, "cause=mo-Data count=20 rate=500 guami=020040");
	if (nw_counted(a.count, .at = amfs[0]))
		tc_fail(t, "sent to the GUAMI that is unavailable");
}

START_TEST(test_balance)
{
	run_case(balance, _i);
}
END_TEST

static void associations(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t, .several_tnl = true);
	struct nw_attempts a;

	nw_iut_connects(t);
	a = nw_attempts_all_sent(t, "cause=mo-Data count=100 rate=500");
	if (nw_counted(a.count, .tnl = 1) != 100 || nw_counted(a.count, .tnl = 2) != 0)
		tc_fail(t, "weight 0 is used");
	nw_tnl_weight(amf, 0, 0);
	nw_tnl_weight(amf, 1, 255);
	tc_sleep(t, US_PER_S);
	a = nw_attempts_all_sent(t, "cause=mo-Data count=100 rate=500");
	if (nw_counted(a.count, .tnl = 2) != 100)
		tc_fail(t, "the new weights are not used");
}

START_TEST(test_associations)
{
	run_case(associations, _i);
}
END_TEST

static void guamis(struct tc *t)
{
	static const struct nw_guami other = { 2, 1, 9 };
	struct nw_amf *amf = nw_amf_start(t, .more_guamis = &other, .more_guami_count = 1);
	struct nw_guami own = nw_amf_guami(amf);
	char hex[2][8];

	nw_iut_connects(t);
	nw_guami_hex(&own, hex[0]);
	nw_guami_hex(&other, hex[1]);
	nw_overload_start(nw_node(amf, NODE_GNB), .action = ACTION_1, .guamis = &other,
			  .guami_count = 1);
	expect_sent(t, nw_attempts(t, "cause=mo-Data count=20 rate=100 guami=%s", hex[0]), 20,
		    "own");
	expect_sent(t, nw_attempts(t, "cause=mo-Data count=20 rate=100 guami=%s", hex[1]), 0,
		    "other");
	nw_overload_stop(nw_node(amf, NODE_GNB), .guamis = &other, .guami_count = 1);
	expect_sent(t, nw_attempts(t, "cause=mo-Data count=20 rate=100 guami=%s", hex[1]), 20,
		    "stopped");
}

START_TEST(test_guamis)
{
	run_case(guamis, _i);
}
END_TEST

static void held(struct tc *t)
{
	static const struct slice a = { .sst = 1, .has_sd = true, .sd = 0x010203 };
	static const struct nw_slice_item item = { .slices = &a, .slice_count = 1 };
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_attempts attempts;
	struct nas_s_tmsi s_tmsi;
	struct nw_count *paged;
	struct nw_node *node;
	struct nw_held ue;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	/* a connected UE is let alone */
	ue = nw_hold(t, NULL, 0, "cause=mo-Signalling");
	nw_overload_start(node, .action = ACTION_1);
	tc_control(t, "uplink ue=%u hex=7e00646f", ue.number);
	expect_ngap_of(t, ue.ue, .type = NGAP_UPLINK_NAS_TRANSPORT);
	nw_overload_stop(node);
	/* a UE that is inactive, allowed A; what it asked for is another slice */
	ue = nw_hold(t, &a, 1, "cause=mo-Signalling nssai=2");
	tc_control(t, "inactive ue=%u", ue.number);
	tc_sleep(t, US_PER_S);
	nw_overload_start(node, .items = &item, .item_count = 1);
	attempts = nw_attempts(t, "cause=mo-Data resume=yes ue=%u count=5 rate=10", ue.number);
	if (attempts.uplink || attempts.rejected != 5)
		tc_fail(t, "resumed %d", (int)attempts.uplink);
	nw_overload_stop(node);
	attempts = nw_attempts(t, "cause=mo-Data resume=yes ue=%u count=5 rate=10", ue.number);
	if (attempts.uplink != 5 || attempts.rejected)
		tc_fail(t, "not resumed: %d", (int)attempts.uplink);
	/* paging */
	attempts = nw_attempts_all_sent(t, "cause=mo-Data count=1 amf=1");
	if (!received_s_tmsi(nw_last_counted(attempts.count), &s_tmsi))
		tc_fail(t, "no 5G-S-TMSI");
	nw_overload_start(node, .action = ACTION_2);
	paged = nw_count_start(t);
	nw_amf_with(amf, NW_RELEASE_AT_ONCE);
	nw_page_s_tmsi(node, &s_tmsi);
	tc_sleep(t, 5 * US_PER_S);
	if (nw_counted(paged, .cause = RRC_MT_ACCESS) != 1)
		tc_fail(t, "not paged");
}

START_TEST(test_held)
{
	run_case(held, _i);
}
END_TEST

static void sets_up_anew(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_node *node;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	nw_iut_sets_up(t, "ng-setup amf=%u association=new", nw_amf_number(amf));
	if (nw_node_setups(node) != 2 || !nw_node_up(node))
		tc_fail(t, "%u setups", nw_node_setups(node));
	nw_iut_sets_up(t, "ng-setup amf=%u association=same", nw_amf_number(amf));
	if (nw_node_setups(node) != 3)
		tc_fail(t, "%u setups", nw_node_setups(node));
	nw_iut_sets_up(t, "ran-config node=ng-enb");
	if (!nw_node_up(nw_node(amf, NODE_NG_ENB)) || nw_node_up(node))
		tc_fail(t, "no ng-eNB in its place");
	nw_attempts_all_sent(t, "cause=mo-ExceptionData count=5 rate=50");
}

START_TEST(test_sets_up_anew)
{
	run_case(sets_up_anew, _i);
}
END_TEST

/* What a user of a UE behind the node may do, and what the node's overload control makes of it. */
static void users(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	const struct profile *p = t->profile;
	struct nw_count *uplinks;
	struct nw_node *node;
	struct nw_ue *ue;
	unsigned int n;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	ue = nw_ue(t);
	n = nw_ue_number(ue);
	nw_registered(ue);
	if (!nw_ue_is_registered(ue, ACCESS_3GPP) || nw_ue_node(ue) != node)
		tc_fail(t, "not registered behind the node");
	tc_control(t, "ue-service ue=%u kind=data", n);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .cause = RRC_MO_DATA,
		      .service = SERVICE(SR_DATA));
	nw_idle(ue);
	/* the node lets it wait; then the service is still wanted */
	nw_overload_start(node, .action = ACTION_1);
	tc_sleep(t, US_PER_S);
	tc_control(t, "ue-service ue=%u kind=data", n);
	expect_no_nas_of(t, ue, .within = 20 * US_PER_S);
	nw_overload_stop(node);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .within = 30 * US_PER_S);
	nw_idle(ue);
	nw_overload_start(node, .action = ACTION_1);
	tc_sleep(t, US_PER_S);
	tc_control(t, "ue-config ue=%u access-identities=1", n);
	tc_control(t, "ue-service ue=%u kind=data", n);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .cause = RRC_MPS_PRIORITY_ACCESS);
	nw_idle(ue);
	nw_overload_stop(node);
	tc_sleep(t, US_PER_S);
	tc_control(t, "ue-config ue=%u access-identities=none", n);
	nw_registration(ue, .one_tac = true);
	tc_control(t, "ue-register ue=%u type=mobility", n);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		      .secured = true);
	nw_idle(ue);
	tc_control(t, "ue-move ue=%u tac=%06x", n, (unsigned int)p->tacs[1]);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		      .node = node, .secured = true);
	nw_idle(ue);
	nw_page(ue);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .cause = RRC_MT_ACCESS);
	nw_idle(ue);
	nw_connected(ue);
	tc_sleep(t, US_PER_S);
	uplinks = nw_count_start(t);
	tc_control(t, "uplink ue=%u hex=7e00646f", n);
	tc_sleep(t, US_PER_S);
	if (nw_counted_uplinks(uplinks) != 1)
		tc_fail(t, "no uplink NAS");
	tc_control(t, "inactive ue=%u", n);
	tc_sleep(t, US_PER_S);
	nw_idle(ue);
	/* the other accesses have nodes of their own */
	tc_control(t, "ue-access ue=%u access=non-3gpp state=up", n);
	tc_control(t, "ue-register ue=%u type=initial access=non-3gpp", n);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .node = nw_node(amf, NODE_N3IWF),
		      .within = 30 * US_PER_S, .secured = true);
	tc_sleep(t, 5 * US_PER_S);
	tc_control(t, "ue-move ue=%u rat=eutra", n);
	tc_control(t, "ue-service ue=%u kind=data", n);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .node = nw_node(amf, NODE_NG_ENB),
		      .within = 30 * US_PER_S);
	nw_idle(ue);
	tc_control(t, "ue-deregister ue=%u switch-off=no", n);
	expect_nas_of(t, ue, .type = DEREGISTRATION_REQUEST_UE);
	tc_sleep(t, US_PER_S);
	tc_control(t, "ue-power ue=%u state=off", n);
	tc_sleep(t, 5 * US_PER_S);
	tc_control(t, "ue-usim ue=%u supi=%.16s%u", n, nw_ue_supi(ue), 1000 + n);
	nw_ue_is(ue, 999 + n);
	tc_control(t, "ue-power ue=%u state=on", n);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .identity = IDENTITY_SUCI,
		      .within = 30 * US_PER_S);
}

START_TEST(test_users)
{
	run_case(users, _i);
}
END_TEST

/* A UE is generated or has a user, and nobody is both. */
static void users_and_attempts(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_ue *ue;

	nw_iut_connects(t);
	expect_sent(t, nw_attempts_all_sent(t, "cause=mo-Data count=20 rate=100"), 20, "generated");
	ue = nw_ue_numbered(t, 5);
	nw_registered(ue);
	tc_control(t, "ue-register ue=30..31 type=initial");
	expect_nas_of(t, nw_ue_numbered(t, 30), .type = REGISTRATION_REQUEST);
	expect_nas_of(t, nw_ue_numbered(t, 31), .type = REGISTRATION_REQUEST);
	tc_sleep(t, 5 * US_PER_S);
	expect_sent(t, nw_attempts_all_sent(t, "cause=mo-Data count=40 rate=100"), 40, "again");
	tc_control(t, "ue-service ue=5 kind=signalling");
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
	nw_iut_sets_up(t, "ran-config node=n3iwf");
	ue = nw_ue_numbered(t, 7);
	tc_control(t, "ue-register ue=7");
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .node = nw_node(amf, NODE_N3IWF));
}

START_TEST(test_users_and_attempts)
{
	run_case(users_and_attempts, _i);
}
END_TEST

/* Everything that the tester sends is to dissect without a fault. */
START_TEST(test_dissected)
{
	void (*const bodies[])(struct tc * t) = { actions, balance, associations,
						  guamis,  slices,  held };
	char dir[] = "/tmp/spillway-network-XXXXXX";
	char command[512], line[512];
	FILE *tshark;

	if (system("tshark --version >/dev/null 2>&1") != 0) {
		fprintf(stderr, "no tshark: what is sent was not dissected\n");
		return;
	}
	ck_assert_ptr_nonnull(mkdtemp(dir));
	stage_body(&reference_ran, bodies[_i], SHALL, NULL, dir);
	ck_verdict(VERDICT_PASS);
	snprintf(command, sizeof(command),
		 "tshark -r %s/trace.pcapng -Y '_ws.malformed or _ws.expert.severity >= 0x600000' "
		 "2>/dev/null",
		 dir);
	tshark = popen(command, "r");
	ck_assert_ptr_nonnull(tshark);
	line[0] = '\0';
	ck_assert_msg(!fgets(line, sizeof(line), tshark), "%s", line);
	ck_assert_int_eq(pclose(tshark), 0);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

static Suite *ran_suite(void)
{
	Suite *suite = suite_create("network and reference NG-RAN node");
	TCase *tcase = tcase_create("ran");
	int variants = (int)reference_ran.variant_count + 1;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_actions, 0, variants);
	tcase_add_loop_test(tcase, test_share, 0, variants);
	tcase_add_loop_test(tcase, test_slices, 0, variants);
	tcase_add_loop_test(tcase, test_errors, 0, variants);
	tcase_add_loop_test(tcase, test_balance, 0, variants);
	tcase_add_loop_test(tcase, test_associations, 0, variants);
	tcase_add_loop_test(tcase, test_guamis, 0, variants);
	tcase_add_loop_test(tcase, test_held, 0, variants);
	tcase_add_loop_test(tcase, test_sets_up_anew, 0, variants);
	tcase_add_loop_test(tcase, test_users, 0, variants);
	tcase_add_loop_test(tcase, test_users_and_attempts, 0, variants);
	tcase_add_loop_test(tcase, test_dissected, 0, 6);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(ran_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
