/*
 * Every case of the suites on SBI against an NF that goes wrong at some message: there is always a
 * verdict, in about the time that the case says it takes, and an error of the rig only where the
 * IUT never answered or its adapter lies.
 */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>

#include "runner/case/stage.h"
#include "runner/emulation/fake_nf.h"

extern const struct suite suite_sbi_oci_server, suite_nrf_load;

/* With sanitizers every run takes several times as long. */
#ifdef SPILLWAY_SANITIZED
static const unsigned int places[] = { 0, 5 };
#else
static const unsigned int places[] = { 0, 1, 5, 40 };
#endif

static void judge(const struct test_case *test, const struct profile *profile,
		  enum fake_nf_wrong wrong, unsigned int at)
{
	static const struct iut_ops *const iuts[] = { &fake_nf_server, &fake_nf_client, &fake_nrf };
	static const struct run_world world = { .iuts = iuts, .iut_count = 3 };
	static struct stage stage;
	struct stage_options options = {
		.world = &world,
		.test = test,
		.profile = profile,
		.seed = 1,
		.log_level = RECORD_ERROR,
	};
	/* as the supervisor has it */
	uint64_t limit = 120 * US_PER_S + 2 * case_iut_time(test, profile) + profile->connect_time;

	fake_nf_plan = (struct fake_nf_plan){ .wrong = wrong, .at = at };
	stage_run(&stage, &options);
	ck_assert_msg(stage.private.verdict != VERDICT_NONE, "%s, %d at %u: no verdict", test->id,
		      wrong, at);
	ck_assert_msg(stage.private.verdict != VERDICT_ERROR || !stage.tc.iut_answered ||
			      wrong == FAKE_NF_LIES || wrong == FAKE_NF_FLOOD ||
			      test->role == ROLE_NF_CLIENT,
		      "%s, %d at %u: error, %s", test->id, wrong, at, stage.private.reason);
	ck_assert_msg(stage.private.verdict != VERDICT_PASS || wrong != FAKE_NF_SILENT || at > 0,
		      "%s passes without an answer", test->id);
	ck_assert_msg(stage.iut_us < limit, "%s, %d at %u: took %" PRIu64 " s", test->id, wrong, at,
		      stage.iut_us / US_PER_S);
	stage_clear(&stage);
}

static void judge_suite(const struct suite *suite, enum fake_nf_wrong wrong)
{
	struct profile *profiles[ROLE_NRF + 1] = { 0 };
	const struct test_case *test;

	for (size_t i = 0; (test = suite_case(suite, i)); i++) {
		if (!profiles[test->role])
			profiles[test->role] = profile_builtin(test->role);
		ck_assert_ptr_nonnull(profiles[test->role]);
		for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++)
			/* floods take long */
			if (wrong != FAKE_NF_FLOOD || (i % 10 == 0 && places[k] == 5))
				judge(test, profiles[test->role], wrong, places[k]);
	}
	for (size_t i = 0; i <= ROLE_NRF; i++)
		profile_free(profiles[i]);
}

/* _i: the way to go wrong */
START_TEST(producer)
{
	judge_suite(&suite_sbi_oci_server, (enum fake_nf_wrong)_i);
}
END_TEST

START_TEST(nrf_and_consumer)
{
	judge_suite(&suite_nrf_load, (enum fake_nf_wrong)_i);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("SBI against a hostile NF");
	TCase *tcase = tcase_create("hostile");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, producer, 0, FAKE_NF_WRONGS);
	tcase_add_loop_test(tcase, nrf_and_consumer, 0, FAKE_NF_WRONGS);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
