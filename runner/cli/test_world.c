/*
 * The program with a world of its own, for tests of the command line: an IUT that answers one
 * control action, cases that pass on it, and cases that end with each verdict.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runner/cli/registry.h"

enum { OFF_BY_ONE, SOFT, MISSED, FAULT_COUNT };
enum { QUIET, LOUD, VARIANT_COUNT };

static const char *const exact[] = { "TP/DEMO/EXACT/01", NULL };
static const char *const should[] = { "TP/DEMO/SHOULD/01", NULL };

static const struct iut_fault faults[FAULT_COUNT] = {
	[OFF_BY_ONE] = { "demo-off-by-one", "D-01", "the figure is one too high", exact },
	[SOFT] = { "demo-soft", "D-02", "the level is left out", should },
	[MISSED] = { "demo-missed", "D-02", "nobody can see it", should },
};

static const struct iut_fault variants[VARIANT_COUNT] = {
	[QUIET] = { "demo-quiet", "D-01", "nothing is different", NULL },
	[LOUD] = { "demo-loud", "D-01", "the figure is wrong, which is no variant", NULL },
};

struct iut {
	uint64_t faults, variants;
};

static struct iut *start(struct loop *loop, struct net *net, const struct profile *profile,
			 const uint64_t *fault_set, const uint64_t *variant_set, struct text *why)
{
	struct iut *iut = calloc(1, sizeof(*iut));

	(void)loop;
	(void)net;
	(void)profile;
	if (iut == NULL) {
		text_puts(why, "out of memory");
		return NULL;
	}
	iut->faults = fault_set[0];
	iut->variants = variant_set[0];
	return iut;
}

static void stop(struct iut *iut)
{
	free(iut);
}

static enum control_result control(struct iut *iut, const char *action,
				   const struct control_arg *args, size_t count, struct text *reply)
{
	int percent;

	if (strcmp(action, "reset") == 0 || strcmp(action, "restart") == 0)
		return CONTROL_DONE;
	if (strcmp(action, "load") != 0 || count != 1 || strcmp(args[0].key, "percent") != 0) {
		text_printf(reply, "%s: not known here", action);
		return CONTROL_NOT_SUPPORTED;
	}
	percent = atoi(args[0].value);
	if (percent > 150) {
		text_puts(reply, "above 150 percent");
		return CONTROL_FAILED;
	}
	percent += (int)(iut->faults >> OFF_BY_ONE & 1) + (int)(iut->variants >> LOUD & 1);
	text_printf(reply, "{\"percent\":%d", percent);
	if ((iut->faults >> SOFT & 1) == 0)
		text_puts(reply, ",\"level\":1");
	text_putc(reply, '}');
	return CONTROL_DONE;
}

static const struct iut_ops demo_iut = {
	.role = "amf",
	.faults = faults,
	.fault_count = FAULT_COUNT,
	.variants = variants,
	.variant_count = VARIANT_COUNT,
	.start = start,
	.stop = stop,
	.control = control,
};

/* An IUT of another role, which errs in its own way. */
static const char *const far[] = { "TP/DEMO/FAR/01", NULL };

static const struct iut_fault far_faults[] = {
	{ "far-off-by-one", "D-05", "the figure is one too high", far },
};

static struct iut *start_far(struct loop *loop, struct net *net, const struct profile *profile,
			     const uint64_t *fault_set, const uint64_t *variant_set,
			     struct text *why)
{
	static const uint64_t none[IUT_SET_WORDS];
	struct iut *iut = start(loop, net, profile, none, variant_set, why);

	if (iut != NULL)
		iut->faults = (fault_set[0] & 1) << OFF_BY_ONE;
	return iut;
}

static const struct iut_ops far_iut = {
	.role = "ran",
	.faults = far_faults,
	.fault_count = sizeof(far_faults) / sizeof(far_faults[0]),
	.start = start_far,
	.stop = stop,
	.control = control,
};

static void exact_figure(struct tc *t)
{
	double percent = 0;

	tc_control(t, "load percent=%u", 50);
	if (!tc_control_figure(t, "percent", &percent))
		tc_inconc(t, "no figure came back");
	if (percent < 50 || percent > 50)
		tc_fail(t, "the load is %.0f percent, expected 50", percent);
}

static void level_is_told(struct tc *t)
{
	double level;

	tc_control(t, "load percent=%u", 50);
	if (!tc_control_figure(t, "level", &level))
		tc_violation(t, "no level is told");
}

#define HOSTILE "a\x1b[31mred\x07 <b>&amp;</b> \xe2\x80\xae \xff\xfe ]]> \n# SKIP"

static void always_fails(struct tc *t)
{
	tc_detail(t, "field  expected  received\npercent      50        51 *\n");
	tc_fail(t, "the figure is wrong");
}

static void always_inconc(struct tc *t)
{
	tc_inconc(t, "nothing to judge");
}

static void always_error(struct tc *t)
{
	tc_error(t, "the rig broke");
}

static void never_applies(struct tc *t)
{
	tc_control(t, "unheard-of percent=1");
}

static void warns(struct tc *t)
{
	tc_should(t, "D-02", "it could be nicer");
}

static void hostile(struct tc *t)
{
	tc_note(t, "%s", HOSTILE);
	tc_detail(t, HOSTILE);
	tc_fail(t, "%s", HOSTILE);
}

static void crashes(struct tc *t)
{
	(void)t;
	raise(SIGSEGV);
}

#define CLAUSE	"24.501 5.3.9 a"
#define CLAUSES "23.501 5.19.5.2, 38.413 9.2.6.14, 10.3.6"

#define CASE(name, need, word, text, body)                                                    \
	{                                                                                     \
		.id = "TP/DEMO/" name, .requirement = need, .clause = text, .strength = word, \
		.role = ROLE_AMF, .purpose = "Shows a verdict.",                              \
		.stimulus = "One control action.", .expect = "What it says.", .run = body     \
	}

static const struct test_case demo_cases[] = {
	CASE("EXACT/01", "D-01", SHALL, CLAUSE, exact_figure),
	CASE("SHOULD/01", "D-02", SHOULD, CLAUSES, level_is_told),
};

static const struct test_case far_cases[] = {
	{ .id = "TP/DEMO/FAR/01",
	  .requirement = "D-05",
	  .clause = CLAUSE,
	  .strength = SHALL,
	  .role = ROLE_RAN,
	  .purpose = "Shows another role.",
	  .stimulus = "One control action.",
	  .expect = "What it says.",
	  .run = exact_figure },
};

static const struct test_case verdict_cases[] = {
	CASE("VERDICT/FAIL", "D-03", SHALL, CLAUSE, always_fails),
	CASE("VERDICT/INCONC", "D-03", SHALL, CLAUSE, always_inconc),
	CASE("VERDICT/ERROR", "D-03", SHALL, CLAUSE, always_error),
	CASE("VERDICT/NA", "D-03", SHALL, CLAUSE, never_applies),
	CASE("VERDICT/WARN", "D-03", SHOULD, CLAUSE, warns),
	CASE("VERDICT/HOSTILE", "D-03", SHALL, CLAUSE, hostile),
	CASE("VERDICT/CRASH", "D-03", SHALL, CLAUSE, crashes),
};

static const struct not_tested not_tested[] = {
	{ "D-04", "nothing on the wire shows it" },
};

#define GROUP(list)                                    \
	{                                              \
		list, sizeof(list) / sizeof((list)[0]) \
	}

static const struct case_group demo_groups[] = { GROUP(demo_cases) };
static const struct case_group far_groups[] = { GROUP(far_cases) };
static const struct case_group verdict_groups[] = { GROUP(verdict_cases) };

static const struct suite demo = {
	.name = "demo",
	.groups = demo_groups,
	.group_count = 1,
	.not_tested = not_tested,
	.not_tested_count = 1,
};

static const struct suite verdicts = {
	.name = "demo-verdicts",
	.groups = verdict_groups,
	.group_count = 1,
};

static const struct suite far_suite = {
	.name = "far",
	.groups = far_groups,
	.group_count = 1,
};

static const struct suite *const suites[] = { &demo, &verdicts, &far_suite };
static const struct iut_ops *const iuts[] = { &demo_iut, &far_iut };

int main(int argc, char *argv[])
{
	const struct registry registry = {
		.version = "0.0.0-test",
		.world = {
			.suites = suites,
			.suite_count = 3,
			.iuts = iuts,
			.iut_count = 2,
		},
	};

	return cli_main(&registry, argc, argv);
}
