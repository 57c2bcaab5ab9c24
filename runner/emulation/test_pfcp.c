/* The tester's CP and UP functions, against a peer that is no codec's friend. */
#include <check.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>

#include "runner/case/expect_pfcp.h"
#include "runner/emulation/fake_n4.h"
#include "runner/emulation/smf.h"
#include "runner/emulation/test_stage.h"
#include "runner/emulation/upf.h"

static void set_up_role(enum role role)
{
	stage_role = role;
	profile = profile_builtin(role);
	ck_assert_ptr_nonnull(profile);
	fake_n4_plan = (struct fake_n4_plan){ .offered = -1, .failed = -1 };
}

static void set_up_up(void)
{
	set_up_role(ROLE_UP);
}

static void set_up_cp(void)
{
	set_up_role(ROLE_CP);
}

static void tear_down(void)
{
	stage_clear(&stage);
	profile_free(profile);
}

static void run_up(void (*body)(struct tc *t))
{
	fake_n4_plan.messages = 0;
	stage_body(&fake_up, body, SHALL, NULL, NULL);
}

static void run_cp(void (*body)(struct tc *t))
{
	fake_n4_plan.messages = 0;
	stage_body(&fake_cp, body, SHALL, NULL, NULL);
}

/* --- CP functions of ours --- */

static void busy(struct tc *t)
{
	struct smf *smf = smf_start(t);
	struct smf_session *session = smf_established(smf);

	expect_response(t, smf_modify(session, .priority = PFCP_PRIORITY(0)), .accepted = true,
			.priority = PFCP_PRIORITY(0), .oci = ABSENT);
	tc_control(t, "report session=1");
	expect_pfcp(t, smf_end(smf), .type = PFCP_SESSION_REPORT_REQUEST);
	expect_response(t, smf_heartbeat(smf), .type = PFCP_HEARTBEAT_RESPONSE);
	expect_response(t, smf_update(smf), .accepted = true);
	expect_response(t, smf_delete(session), .cause = PFCP_CAUSE_REQUEST_ACCEPTED);
	smf_release(smf);
	tc_sleep(t, US_PER_S);
}

enum { BUSY_MESSAGES = 8 };

START_TEST(cp_functions_do_what_they_are_told)
{
	run_up(busy);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_n4_plan.messages, BUSY_MESSAGES);
	ck_assert_uint_eq(fake_n4_plan.requests, 7);
	ck_assert_uint_eq(fake_n4_plan.heartbeats, 1);
	ck_assert_uint_eq(fake_n4_plan.report_responses, 1);
}
END_TEST

static void several(struct tc *t)
{
	struct smf *first = smf_start(t), *second = smf_start(t, .no_ovrl = true, .no_load = true);

	for (int i = 0; i < 100; i++)
		smf_established(i % 2 ? first : second);
	ck_assert_uint_eq(smf_session_number(smf_established(second)), 101);
}

START_TEST(several_cp_functions)
{
	run_up(several);
	ck_verdict(VERDICT_PASS);
}
END_TEST

START_TEST(a_lost_response_is_asked_for_again)
{
	fake_n4_plan.wrong = FAKE_N4_LOST;
	fake_n4_plan.at = (unsigned int)_i;
	run_up(busy);
	ck_verdict(VERDICT_PASS);
}
END_TEST

static void not_answered(struct tc *t)
{
	struct smf *smf = smf_start(t);
	const struct pfcp_received *first, *again;

	smf_established(smf);
	pfcp_ignore(smf_end(smf), PFCP_SESSION_REPORT_REQUEST, true);
	tc_control(t, "report session=1");
	first = expect_pfcp(t, smf_end(smf), .type = PFCP_SESSION_REPORT_REQUEST);
	ck_assert_ptr_null(first->repeats);
	for (int i = 0; i < 3; i++) {
		again = expect_pfcp(t, smf_end(smf), .type = PFCP_SESSION_REPORT_REQUEST,
				    .repetition = true);
		ck_assert_ptr_eq(again->repeats, first);
		ck_assert(again->octets.len == first->octets.len &&
			  (memcmp(again->octets.data, first->octets.data, first->octets.len) ==
			   0) == (i + 1 != (int)fake_n4_plan.refresh));
	}
}

START_TEST(repetitions_are_seen_as_such)
{
	for (unsigned int refresh = 0; refresh < 4; refresh++) {
		fake_n4_plan.refresh = refresh;
		run_up(not_answered);
		ck_verdict(VERDICT_PASS);
		ck_assert_uint_eq(fake_n4_plan.report_responses, 0);
		stage_clear(&stage);
	}
}
END_TEST

static void wants_74(struct tc *t)
{
	struct smf *smf = smf_start(t);

	expect_response(t, smf_establish(smf_session(smf)), .oci = PRESENT, .cause = 74);
}

START_TEST(what_is_not_met_is_shown)
{
	fake_n4_plan.cause = 64;
	run_up(wants_74);
	ck_verdict(VERDICT_FAIL);
	ck_reason("Session Establishment Response is not as expected");
	ck_detail("! Cause                expected 74 (PFCP entity in congestion)");
	ck_detail("received 64 (Request rejected");
	ck_detail("! OCI                  expected present");
	ck_detail("clause: 24.501 0.0");
	ck_detail("octets received: 21330");
}
END_TEST

static void needs_a_session(struct tc *t)
{
	smf_established(smf_start(t));
}

START_TEST(a_precondition_that_fails_is_inconclusive)
{
	fake_n4_plan.cause = 74;
	run_up(needs_a_session);
	ck_verdict(VERDICT_INCONC);
	ck_reason("cause 74");
}
END_TEST

static void one_too_many(struct tc *t)
{
	for (int i = 0; i < 5; i++)
		smf_start(t);
}

START_TEST(too_few_addresses)
{
	run_up(one_too_many);
	ck_verdict(VERDICT_NA);
	ck_reason("tester.n4 has too few addresses: 4");
}
END_TEST

/* --- UP functions of ours --- */

static int by_priority(const struct pfcp_message *msg)
{
	return msg->has_priority ? 2 : 1;
}

static void offers(struct tc *t)
{
	struct upf *upf = upf_start(t);
	struct upf_offered offered;
	uint64_t sent;

	upf_start(t);
	upf_start(t, .addresses = 2);
	upf_iut_associates(t);
	ck_assert_uint_eq(upf_cp_features(upf).len, 1);
	upf_classify(t, by_priority);
	upf_offer_all_sent(t, "count=20 op=establish");
	ck_assert_uint_eq(upf_session_count(upf), 20);
	upf_oci(upf, .sequence_number = 7, .metric = 30, .timer = UPF_SECONDS(20), .node = true);
	upf_oci_more(upf, .sequence_number = 8, .metric = 0, .without = UPF_TIMER);
	upf_lci(upf, .sequence_number = 1, .metric = 80);
	upf_tell(upf);
	ck_assert_uint_eq(upf_oci_sent(upf), 1);
	sent = upf_oci_sent_at(upf);
	ck_assert_uint_le(sent, loop_now(t->loop));
	offered = upf_offer(t, "count=1000 op=establish rate=500");
	ck_assert_uint_eq(offered.offered, 1000);
	ck_assert_uint_eq(offered.sent, 1000 - fake_n4_plan.drops);
	ck_assert_uint_eq(offered.failed, fake_n4_plan.drops);
	ck_assert_uint_eq(upf_counted(offered.count, .at = upf), offered.sent);
	ck_assert_uint_eq(upf_counted(offered.count, .priority = PFCP_PRIORITY(1)),
			  (offered.sent + 3) / 4);
	ck_assert_uint_eq(upf_counted(offered.count, .class = 2), (offered.sent + 3) / 4);
	ck_assert_uint_eq(upf_counted(offered.count, .type = PFCP_SESSION_DELETION_REQUEST), 0);
	upf_restart(upf);
	ck_assert_uint_eq(upf_session_count(upf), 0);
	expect_response(t, upf_heartbeat(upf), .type = PFCP_HEARTBEAT_RESPONSE);
}

START_TEST(up_functions_count_what_comes)
{
	run_cp(offers);
	ck_verdict(VERDICT_PASS);
}
END_TEST

static void tells(struct tc *t)
{
	struct upf *upf = upf_start(t);

	upf_iut_associates(t);
	upf_offer_all_sent(t, "count=1 op=establish");
	upf_lci(upf, .sequence_number = 7, .metric = 80);
	upf_oci(upf, .sequence_number = 1000, .metric = 30, .timer = UPF_SECONDS(20));
	upf_oci_more(upf, .sequence_number = 8, .metric = 101, .node = true, .without = UPF_TIMER);
	upf_offer(t, "count=1 op=modify");
}

START_TEST(information_is_as_the_case_says)
{
	/* LCI seq 7 load 80; OCI seq 1000 metric 30 20 s; OCI seq 8 metric 101 AOCI */
	static const uint8_t wanted[] = {
		0x00, 0x33, 0x00, 0x0d, 0x00, 0x34, 0x00, 0x04, 0x00, 0x00, 0x00, 0x07, 0x00,
		0x35, 0x00, 0x01, 0x50, 0x00, 0x36, 0x00, 0x12, 0x00, 0x34, 0x00, 0x04, 0x00,
		0x00, 0x03, 0xe8, 0x00, 0x35, 0x00, 0x01, 0x1e, 0x00, 0x37, 0x00, 0x01, 0x0a,
		0x00, 0x36, 0x00, 0x12, 0x00, 0x34, 0x00, 0x04, 0x00, 0x00, 0x00, 0x08, 0x00,
		0x35, 0x00, 0x01, 0x65, 0x00, 0x6e, 0x00, 0x01, 0x01,
	};

	run_cp(tells);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_gt(fake_n4_plan.last_len, sizeof(wanted));
	ck_assert_uint_eq(fake_n4_plan.last[1], 53);
	ck_assert_mem_eq(fake_n4_plan.last + fake_n4_plan.last_len - sizeof(wanted), wanted,
			 sizeof(wanted));
}
END_TEST

static void offers_some(struct tc *t)
{
	upf_start(t);
	upf_iut_associates(t);
	upf_offer(t, "count=100 op=establish rate=100");
}

static void offers_all(struct tc *t)
{
	upf_start(t);
	upf_iut_associates(t);
	upf_offer_all_sent(t, "count=100 op=establish rate=100");
}

START_TEST(an_adapter_that_lies)
{
	fake_n4_plan.offered = 99;
	run_cp(offers_some);
	ck_verdict(VERDICT_ERROR);
	ck_reason("does not do what it is asked for");
	ck_reason("100 session requests came");
	stage_clear(&stage);
	fake_n4_plan.offered = -1;
	fake_n4_plan.says_nothing = true;
	run_cp(offers_some);
	ck_verdict(VERDICT_ERROR);
	ck_reason("does not say how many");
	stage_clear(&stage);
	fake_n4_plan.says_nothing = false;
	fake_n4_plan.failed = 101;
	run_cp(offers_some);
	ck_verdict(VERDICT_ERROR);
	ck_reason("more failed than was offered");
	stage_clear(&stage);
	fake_n4_plan.failed = -1;
	fake_n4_plan.drops = 1;
	run_cp(offers_some);
	ck_verdict(VERDICT_PASS);
	stage_clear(&stage);
	run_cp(offers_all);
	ck_verdict(VERDICT_ERROR);
	ck_reason("not all that is offered comes");
}
END_TEST

START_TEST(a_cp_function_that_stays_away)
{
	fake_n4_plan.stays_away = true;
	run_cp(offers_some);
	ck_verdict(VERDICT_ERROR);
	ck_reason("no Association Setup Request");
	stage_clear(&stage);
	fake_n4_plan.no_restart = true;
	run_cp(offers_some);
	ck_verdict(VERDICT_ERROR);
}
END_TEST

/* --- hostile --- */

static const char *const names[FAKE_N4_WRONGS] = {
	"right",
	"silent",
	"lost",
	"garbage",
	"truncated",
	"empty",
	"version",
	"length",
	"ie length",
	"huge",
	"nested",
	"twice",
	"flood of the same",
	"flood",
	"sequence",
	"seid",
	"peer",
	"gone",
};

static size_t held_octets(void)
{
	return mallinfo2().uordblks;
}

static void judge_hostile(enum fake_n4_wrong wrong, unsigned int at, size_t before)
{
	const char *name = names[wrong];

	ck_assert_msg(stage.private.verdict != VERDICT_NONE, "%s at %u: no verdict", name, at);
	ck_assert_msg(stage.iut_us < 120 * US_PER_S, "%s at %u: took %" PRIu64 " us", name, at,
		      stage.iut_us);
	ck_assert_msg(stage.private.verdict != VERDICT_ERROR || at == 0, "%s at %u: error, %s",
		      name, at, stage.private.reason);
	switch (wrong) {
	case FAKE_N4_GARBAGE:
	case FAKE_N4_TRUNCATED:
	case FAKE_N4_EMPTY:
	case FAKE_N4_VERSION:
	case FAKE_N4_LENGTH:
	case FAKE_N4_IE_LENGTH:
		ck_assert_msg(stage.private.verdict == VERDICT_FAIL, "%s at %u: %s, %s", name, at,
			      verdict_name(stage.private.verdict), stage.private.reason);
		ck_reason("no PFCP message");
		break;
	case FAKE_N4_RIGHT:
	case FAKE_N4_LOST:
	case FAKE_N4_HUGE:
	case FAKE_N4_TWICE:
	case FAKE_N4_FLOOD_SAME:
	case FAKE_N4_FLOOD:
		ck_assert_msg(stage.private.verdict == VERDICT_PASS, "%s at %u: %s, %s", name, at,
			      verdict_name(stage.private.verdict), stage.private.reason);
		break;
	default:
		break;
	}
	stage_clear(&stage);
	ck_assert_msg(held_octets() < before + (1 << 20), "%s at %u: %zu octets are lost", name, at,
		      held_octets() - before);
}

START_TEST(a_hostile_up_function)
{
	enum fake_n4_wrong wrong = (enum fake_n4_wrong)(_i / BUSY_MESSAGES);
	unsigned int at = (unsigned int)(_i % BUSY_MESSAGES);
	size_t before = held_octets();

	if ((wrong == FAKE_N4_FLOOD || wrong == FAKE_N4_FLOOD_SAME) && at != 4)
		return; /* these take long */
	fake_n4_plan.wrong = wrong;
	fake_n4_plan.at = at;
	run_up(busy);
	switch (wrong) {
	case FAKE_N4_SILENT:
	case FAKE_N4_GONE:
		/* the report is repeated by nobody, and it is the third message */
		ck_assert_msg(stage.private.verdict == (at == 0 ? VERDICT_ERROR : VERDICT_FAIL),
			      "%s at %u: %s, %s", names[wrong], at,
			      verdict_name(stage.private.verdict), stage.private.reason);
		ck_reason(at == 3 ? "no Session Report Request" : "no answer from 127.0.0.8:8805");
		break;
	case FAKE_N4_PEER:
		if (at != 3) {
			ck_verdict(VERDICT_FAIL);
			ck_reason("and its request went to 127.0.0.8:8805");
		}
		break;
	case FAKE_N4_SEID:
		if (at == 1 || at == 2 || at == 6) {
			ck_verdict(VERDICT_FAIL);
			ck_reason("and ours is");
		}
		break;
	case FAKE_N4_SEQUENCE:
		/* the next time it is right */
		ck_verdict(VERDICT_PASS);
		break;
	default:
		break;
	}
	judge_hostile(wrong, at, before);
}
END_TEST

static void busy_up(struct tc *t)
{
	struct upf *upf = upf_start(t, .addresses = 4);

	upf_iut_associates(t);
	upf_offer_all_sent(t, "count=3 op=establish");
	upf_oci(upf, .sequence_number = 7, .metric = 30);
	upf_tell(upf);
	upf_heartbeat(upf);
	upf_offer(t, "count=3 op=modify");
	tc_sleep(t, US_PER_S);
}

enum { BUSY_UP_MESSAGES = 12 };

START_TEST(a_hostile_cp_function)
{
	enum fake_n4_wrong wrong = (enum fake_n4_wrong)(_i / BUSY_UP_MESSAGES);
	unsigned int at = (unsigned int)(_i % BUSY_UP_MESSAGES);
	size_t before = held_octets();

	if ((wrong == FAKE_N4_FLOOD || wrong == FAKE_N4_FLOOD_SAME) && at != 9)
		return;
	fake_n4_plan.wrong = wrong;
	fake_n4_plan.at = at;
	run_cp(busy_up);
	ck_assert_msg(stage.private.verdict != VERDICT_NONE, "%s at %u: no verdict", names[wrong],
		      at);
	ck_assert_msg(stage.iut_us < 200 * US_PER_S, "%s at %u: took %" PRIu64 " us", names[wrong],
		      at, stage.iut_us);
	switch (wrong) {
	case FAKE_N4_RIGHT:
		ck_assert_uint_eq(fake_n4_plan.messages, BUSY_UP_MESSAGES);
		ck_verdict(VERDICT_PASS);
		break;
	case FAKE_N4_GARBAGE:
	case FAKE_N4_TRUNCATED:
	case FAKE_N4_EMPTY:
	case FAKE_N4_VERSION:
	case FAKE_N4_LENGTH:
	case FAKE_N4_IE_LENGTH:
		ck_verdict(VERDICT_FAIL);
		ck_reason("no PFCP message");
		break;
	default:
		break;
	}
	stage_clear(&stage);
	ck_assert_msg(held_octets() < before + (1 << 20), "%s at %u: %zu octets are lost",
		      names[wrong], at, held_octets() - before);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pfcp");
	TCase *cp = tcase_create("cp functions"), *up = tcase_create("up functions");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(cp, set_up_up, tear_down);
	tcase_set_timeout(cp, 60);
	tcase_add_test(cp, cp_functions_do_what_they_are_told);
	tcase_add_test(cp, several_cp_functions);
	tcase_add_loop_test(cp, a_lost_response_is_asked_for_again, 0, BUSY_MESSAGES);
	tcase_add_test(cp, repetitions_are_seen_as_such);
	tcase_add_test(cp, what_is_not_met_is_shown);
	tcase_add_test(cp, a_precondition_that_fails_is_inconclusive);
	tcase_add_test(cp, too_few_addresses);
	tcase_add_loop_test(cp, a_hostile_up_function, 0, FAKE_N4_WRONGS * BUSY_MESSAGES);
	suite_add_tcase(suite, cp);
	tcase_add_checked_fixture(up, set_up_cp, tear_down);
	tcase_set_timeout(up, 60);
	tcase_add_test(up, up_functions_count_what_comes);
	tcase_add_test(up, information_is_as_the_case_says);
	tcase_add_test(up, an_adapter_that_lies);
	tcase_add_test(up, a_cp_function_that_stays_away);
	tcase_add_loop_test(up, a_hostile_cp_function, 0, FAKE_N4_WRONGS * BUSY_UP_MESSAGES);
	suite_add_tcase(suite, up);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
