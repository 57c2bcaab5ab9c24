/* A body on its stage for the tests of the emulation: in this process, in virtual time. */
#ifndef SPILLWAY_RUNNER_EMULATION_TEST_STAGE_H
#define SPILLWAY_RUNNER_EMULATION_TEST_STAGE_H

#include <check.h>

#include "runner/case/expect.h"
#include "runner/case/stage.h"

static struct stage stage;
static struct profile *profile;
static uint64_t stage_seed = 1;
static enum role stage_role = ROLE_AMF;

/* variant: of the IUT, NULL for none. dir: of the evidence, NULL for none. */
static inline void stage_body(const struct iut_ops *iut, void (*body)(struct tc *t),
			      enum strength strength, const char *variant, const char *dir)
{
	const struct iut_ops *const iuts[] = { iut };
	const struct run_world world = { .iuts = iuts, .iut_count = 1 };
	const struct test_case test = {
		.id = "TP/TEST/01",
		.requirement = "N1-A-00",
		.clause = "24.501 0.0",
		.strength = strength,
		.role = stage_role,
		.purpose = "the emulation works",
		.run = body,
	};
	struct stage_options options = {
		.world = &world,
		.test = &test,
		.profile = profile,
		.seed = stage_seed,
		.log_level = RECORD_ERROR,
		.dir = dir,
	};

	if (variant)
		ck_assert(iut_set_add_variant(&options.variants, iut, variant));
	stage_run(&stage, &options);
}

#define ck_verdict(wanted)                                                             \
	ck_assert_msg(stage.private.verdict == (wanted), "verdict %s, reason: %s\n%s", \
		      verdict_name(stage.private.verdict), stage.private.reason,       \
		      stage.private.detail_buf)
#define ck_reason(part) \
	ck_assert_msg(strstr(stage.private.reason, (part)), "reason: %s", stage.private.reason)
#define ck_detail(part)                                                       \
	ck_assert_msg(strstr(stage.private.detail_buf, (part)), "detail: %s", \
		      stage.private.detail_buf)

#endif
