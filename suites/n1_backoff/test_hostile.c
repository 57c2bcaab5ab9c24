/*
 * Every case of the suite against a UE, or its node, that goes wrong at some message: silence,
 * octets that mean nothing, another UE, floods, resets. There is always a verdict, in about the
 * time that the case says it takes, and never an error of the rig once the IUT has answered.
 */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>

#include "runner/case/stage.h"
#include "runner/emulation/fake_ran.h"

extern const struct suite suite_n1_backoff;

/* Messages of NG Setup (0 and 1), of the registration, of the request after it, of the retry. */
static const unsigned int places[] = { 3, 7, 10 };

static bool floods(enum fake_ran_wrong wrong)
{
	return wrong == FAKE_RAN_FLOOD || wrong == FAKE_RAN_FLOOD_ERROR;
}

static void judge(const struct test_case *test, const struct profile *profile,
		  enum fake_ran_wrong wrong, unsigned int at)
{
	static const struct iut_ops *const iuts[] = { &fake_ran_ue };
	static const struct run_world world = { .iuts = iuts, .iut_count = 1 };
	static struct stage stage;
	struct stage_options options = {
		.world = &world,
		.test = test,
		.profile = profile,
		.seed = 1,
		.log_level = RECORD_ERROR,
	};
	uint64_t limit = 2 * case_iut_time(test, profile) + 10 * 60 * US_PER_S;

	fake_ran_plan = (struct fake_ran_plan){
		.offered = -1, .sent = -1, .rejected = -1, .n3iwf = true, .wrong = wrong, .at = at
	};
	stage_run(&stage, &options);
	ck_assert_msg(stage.private.verdict != VERDICT_NONE, "%s, %s at message %u: no verdict",
		      test->id, fake_ran_wrong_name(wrong), at);
	/* one bit of RES* is like another USIM, and that is a matter of the profile */
	ck_assert_msg(stage.private.verdict != VERDICT_ERROR || wrong == FAKE_RAN_FLIPPED,
		      "%s, %s at message %u: error, %s", test->id, fake_ran_wrong_name(wrong), at,
		      stage.private.reason);
	/* who has never registered, shows nothing; a probe has nothing to be shown */
	ck_assert_msg(stage.private.verdict != VERDICT_PASS || wrong != FAKE_RAN_SILENT ||
			      at != places[0] || test->strength == MAY,
		      "%s, %s at message %u: pass", test->id, fake_ran_wrong_name(wrong), at);
	ck_assert_msg(stage.iut_us < limit, "%s, %s at message %u: took %" PRIu64 " s", test->id,
		      fake_ran_wrong_name(wrong), at, stage.iut_us / US_PER_S);
	stage_clear(&stage);
}

/* _i: the way to go wrong */
START_TEST(always_a_verdict)
{
	struct profile *profile = profile_builtin(ROLE_UE);
	enum fake_ran_wrong wrong = (enum fake_ran_wrong)_i;
	const struct test_case *test;

	ck_assert_ptr_nonnull(profile);
	for (size_t i = 0; (test = suite_case(&suite_n1_backoff, i)); i++)
		for (size_t k = 0; k < sizeof(places) / sizeof(*places); k++)
			if (!floods(wrong) || (i + k) % 20 == 0) /* these take long */
				judge(test, profile, wrong, places[k]);
	profile_free(profile);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("n1-backoff against a hostile UE");
	TCase *tcase = tcase_create("hostile");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, always_a_verdict, 0, FAKE_RAN_WRONGS);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
