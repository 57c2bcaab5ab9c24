#include <check.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>

#include "runner/case/expect_nw.h"
#include "runner/emulation/fake_ran.h"
#include "runner/emulation/test_stage.h"

static void run_case(void (*body)(struct tc *t), enum strength strength)
{
	fake_ran_plan.messages = 0;
	stage_body(&fake_ran_ue, body, strength, NULL, NULL);
}

static void set_up(void)
{
	stage_role = ROLE_UE;
	profile = profile_builtin(ROLE_UE);
	ck_assert_ptr_nonnull(profile);
	fake_ran_plan = (struct fake_ran_plan){ .offered = -1, .sent = -1, .rejected = -1 };
}

static void tear_down(void)
{
	stage_clear(&stage);
	profile_free(profile);
}

/* One AMF, the IUT there, and its first UE registered. */
static struct nw_ue *registered(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_registered(ue);
	return ue;
}

/* --- hostile --- */

enum { BUSY_MESSAGES = 21 };

static void busy(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	tc_control(t, "ue-service ue=1 kind=data");
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
	nw_connected(ue);
	nw_configuration_update(ue, .acknowledge = true);
	expect_nas_of(t, ue, .type = CONFIGURATION_UPDATE_COMPLETE);
	nw_idle(ue);
	nw_page(ue);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
	nw_idle(ue);
	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=1 kind=data");
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
	nw_reject(ue, .t3346 = TIMER(10));
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	expect_after(t, ue, nw_sent_at(ue), 10 * US_PER_S, .type = SERVICE_REQUEST);
	nw_idle(ue);
	tc_control(t, "ue-deregister ue=1 switch-off=no");
	expect_nas_of(t, ue, .type = DEREGISTRATION_REQUEST_UE);
	tc_sleep(t, US_PER_S);
}

static size_t held_octets(void)
{
	return mallinfo2().uordblks;
}

START_TEST(test_hostile_peer)
{
	enum fake_ran_wrong wrong = (enum fake_ran_wrong)(_i / BUSY_MESSAGES);
	unsigned int at = (unsigned int)(_i % BUSY_MESSAGES);
	bool flood = wrong == FAKE_RAN_FLOOD || wrong == FAKE_RAN_FLOOD_ERROR;

	if (flood && at % 10 != 0)
		return; /* these take long */
	fake_ran_plan.wrong = wrong;
	fake_ran_plan.at = at;
	run_case(busy, SHALL);
	ck_assert_msg(stage.private.verdict != VERDICT_NONE, "%s at message %u: no verdict",
		      fake_ran_wrong_name(wrong), at);
	ck_assert_msg(stage.private.verdict != VERDICT_ERROR || at == 0,
		      "%s at message %u: error, %s", fake_ran_wrong_name(wrong), at,
		      stage.private.reason);
	ck_assert_msg(stage.iut_us < 120 * US_PER_S, "%s at message %u: took %" PRIu64 " us",
		      fake_ran_wrong_name(wrong), at, stage.iut_us);
	switch (wrong) {
	case FAKE_RAN_GARBAGE:
	case FAKE_RAN_TRUNCATED:
	case FAKE_RAN_WRONG_PPID:
	case FAKE_RAN_HUGE:
	case FAKE_RAN_FLOOD_ERROR:
	case FAKE_RAN_WRONG_UE:
		ck_assert_msg(stage.private.verdict == VERDICT_FAIL, "%s at message %u: %s, %s",
			      fake_ran_wrong_name(wrong), at, verdict_name(stage.private.verdict),
			      stage.private.reason);
		break;
	case FAKE_RAN_OTHER_UE:
		ck_assert_msg(stage.private.verdict != VERDICT_PASS || at != 1,
			      "%s at message %u: pass", fake_ran_wrong_name(wrong), at);
		break;
	case FAKE_RAN_SILENT:
	case FAKE_RAN_SHUTDOWN:
	case FAKE_RAN_ABORT:
		/* the last messages are awaited by nobody */
		ck_assert_msg(stage.private.verdict != VERDICT_PASS || at == 0 ||
				      at >= BUSY_MESSAGES - 4,
			      "%s at message %u: pass", fake_ran_wrong_name(wrong), at);
		break;
	case FAKE_RAN_RIGHT:
		ck_verdict(VERDICT_PASS);
		ck_assert_uint_eq(fake_ran_plan.messages, BUSY_MESSAGES);
		break;
	default:
		break;
	}
	ck_assert_msg(held_octets() < (size_t)256 << 20, "%s at message %u: %zu octets",
		      fake_ran_wrong_name(wrong), at, held_octets());
}
END_TEST

START_TEST(test_flipped_bits)
{
	for (unsigned int i = 0; i < 10 * BUSY_MESSAGES; i++) {
		fake_ran_plan = (struct fake_ran_plan){ .offered = -1, .sent = -1, .rejected = -1 };
		fake_ran_plan.wrong = FAKE_RAN_FLIPPED;
		fake_ran_plan.at = i % BUSY_MESSAGES;
		stage_seed = 1 + i;
		run_case(busy, SHALL);
		ck_assert_msg(stage.private.verdict != VERDICT_NONE, "seed %" PRIu64 ": no verdict",
			      stage_seed);
		ck_assert_uint_lt(stage.iut_us, 300 * US_PER_S);
		if (i + 1 < 10 * BUSY_MESSAGES)
			stage_clear(&stage);
	}
	stage_seed = 1;
}
END_TEST

static Suite *nw_suite(void)
{
	Suite *suite = suite_create("network: hostile");
	TCase *tcase = tcase_create("hostile");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_hostile_peer, 0, FAKE_RAN_WRONGS * BUSY_MESSAGES);
	tcase_add_test(tcase, test_flipped_bits);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(nw_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
