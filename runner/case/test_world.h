/*
 * A small world for the tests of the supervisor: one suite whose cases end in every way there is,
 * and an IUT that knows a few actions and two faults.
 */
#ifndef SPILLWAY_RUNNER_CASE_TEST_WORLD_H
#define SPILLWAY_RUNNER_CASE_TEST_WORLD_H

#include <stdlib.h>
#include <string.h>

#include "runner/case/run.h"

struct iut {
	bool congested;
	bool faulty;
	struct loop *loop;
};

static inline struct iut *toy_start(struct loop *loop, struct net *net,
				    const struct profile *profile, const uint64_t *faults,
				    const uint64_t *variants, struct text *why)
{
	struct iut *iut = calloc(1, sizeof(*iut));

	(void)net;
	(void)profile;
	(void)variants;
	if (!iut)
		text_puts(why, "out of memory");
	else
		iut->faulty = faults[0] & 1;
	if (iut)
		iut->loop = loop;
	return iut;
}

static inline void toy_stop(struct iut *iut)
{
	free(iut);
}

static inline enum control_result toy_control(struct iut *iut, const char *action,
					      const struct control_arg *args, size_t count,
					      struct text *reply)
{
	if (strcmp(action, "nas-congestion") == 0) {
		iut->congested = count && strcmp(args[0].value, "on") == 0;
		text_printf(reply, "{\"congested\":%d,\"word\":\"x\"}", iut->congested);
		return CONTROL_DONE;
	}
	if (strcmp(action, "break") == 0) {
		text_puts(reply, "the toy broke");
		return CONTROL_FAILED;
	}
	text_puts(reply, "a toy");
	return CONTROL_NOT_SUPPORTED;
}

static const char *const toy_catchers[] = { "TP/T/FAULT/01", NULL };
static const struct iut_fault toy_faults[] = {
	{ "toy-fault", "T-1", "is faulty", toy_catchers },
	{ "toy-other", "T-2", "is otherwise faulty", toy_catchers },
};
static const struct iut_ops toy_ops = {
	.role = "amf",
	.faults = toy_faults,
	.fault_count = 2,
	.start = toy_start,
	.stop = toy_stop,
	.control = toy_control,
};

static inline void body_pass(struct tc *t)
{
	double value;

	tc_sleep(t, 3600 * US_PER_S);
	tc_control(t, "nas-congestion state=on");
	if (!tc_control_figure(t, "congested", &value) || value != 1)
		tc_fail(t, "no figure");
	if (tc_control_figure(t, "word", &value) || tc_control_figure(t, "none", &value))
		tc_fail(t, "a figure out of nothing");
	tc_note(t, "an hour passed");
}

static inline void body_fail(struct tc *t)
{
	tc_detail(t, "expected: 1\nreceived: 2");
	tc_fail(t, "it is %d", 2);
}

static inline void body_inconc(struct tc *t)
{
	tc_inconc(t, "who knows");
}

static inline void body_na(struct tc *t)
{
	tc_control(t, "unheard-of x=1");
	tc_fail(t, "went on");
}

static inline void body_error(struct tc *t)
{
	tc_control(t, "break");
	tc_fail(t, "went on");
}

static inline void body_crash(struct tc *t)
{
	volatile int *nowhere = (volatile int *)(uintptr_t)t->test->param;

	record_log(t->record, RECORD_INFO, "about to crash");
	*nowhere = 1;
}

static inline void body_hang(struct tc *t)
{
	volatile bool forever = true;

	record_log(t->record, RECORD_INFO, "about to hang");
	while (forever)
		continue;
	tc_fail(t, "unreachable");
}

static inline void body_should(struct tc *t)
{
	tc_should(t, "T-9", "could be better");
	tc_violation(t, "should have been otherwise");
}

static inline void body_fault(struct tc *t)
{
	/* the toy has no messages: the case sees its fault by the seed's stream and the action */
	if (tc_control_try(t, "no-such-thing"))
		tc_fail(t, "an unknown action was done");
	if (t->test->param)
		tc_violation(t, "param");
}

static inline void later(struct timer *timer, void *arg)
{
	struct tc *t = arg;

	(void)timer;
	tc_end_later(t, VERDICT_FAIL, "from a callback at %llu",
		     (unsigned long long)loop_now(t->loop));
}

static inline void body_later(struct tc *t)
{
	struct timer *timer = tc_alloc(t, sizeof(*timer));

	timer_init(timer, t->loop, "later", later, t);
	timer_start(timer, 5 * US_PER_S);
	tc_sleep(t, 60 * US_PER_S);
	tc_pass(t);
}

static inline void jump(struct timer *timer, void *arg)
{
	(void)timer;
	tc_inconc(arg, "from inside an event");
}

static inline void body_jump(struct tc *t)
{
	struct timer *timer = tc_alloc(t, sizeof(*timer));

	timer_init(timer, t->loop, "jump", jump, t);
	timer_start(timer, 5);
	tc_sleep(t, 60 * US_PER_S);
	tc_pass(t);
}

static inline void body_seed(struct tc *t)
{
	unsigned int first = tc_subscriber(t);
	unsigned int second = tc_subscriber(t);

	tc_note(t, "seed %llu draw %llu subscriber %u %u gnb %u", (unsigned long long)t->seed,
		(unsigned long long)random_u64(&t->random), first, second, tc_gnb_id(t));
}

static inline void body_dead(struct tc *t)
{
	t->iut_answered = t->test->param;
	tc_iut_dead(t, "silence");
}

/* A verdict never improves: the first word is kept, then the second is tried. */
static inline void body_never_improves(struct tc *t)
{
	switch (t->test->param) {
	case 0:
		tc_end_later(t, VERDICT_INCONC, "kept");
		tc_pass(t);
	case 1:
		tc_end_later(t, VERDICT_FAIL, "kept");
		tc_inconc(t, "not this");
	case 2:
		tc_end_later(t, VERDICT_FAIL, "kept");
		tc_na(t, "not this");
	case 3:
		tc_end_later(t, VERDICT_FAIL, "not this");
		tc_error(t, "kept");
	case 4:
		tc_end_later(t, VERDICT_INCONC, "kept");
		return;
	default:
		tc_end_later(t, VERDICT_FAIL, "kept");
		tc_end_later(t, VERDICT_FAIL, "not this");
		tc_sleep(t, 1);
		tc_error(t, "nobody comes here");
	}
}

static inline void body_talk(struct tc *t)
{
	for (int i = 0; i < 100; i++)
		tc_should(t, "T", "%d", i);
	for (int i = 0; i < 100; i++)
		tc_note(t, "%d \xff \"\n", i);
	for (int i = 0; i < 5000; i++)
		tc_detail(t, "0123456789abcdef");
	tc_fail(t, "\xff\xfe\"\\\n\x01");
}

static inline void body_huge(struct tc *t)
{
	char *p = tc_alloc(t, 100);

	for (int i = 0; i < 100; i++)
		if (p[i])
			tc_fail(t, "not cleared");
	tc_alloc(t, SIZE_MAX);
}

static inline void body_exit(struct tc *t)
{
	(void)t;
	_Exit(7);
}

#define TOY(ID, BODY, ...)                                                              \
	{                                                                               \
		.id = "TP/T/" ID, .requirement = "T-" ID, .clause = "1.234 5.6 a",      \
		.strength = SHALL, .role = ROLE_AMF, .purpose = "toy", .stimulus = "s", \
		.expect = "e", .run = (BODY), __VA_ARGS__                               \
	}

static const struct test_case toy_cases[] = {
	TOY("PASS/01", body_pass),
	TOY("FAIL/01", body_fail),
	TOY("INCONC/01", body_inconc),
	TOY("NA/01", body_na),
	TOY("NA/02", body_pass, .needs = NEEDS(ICS_OCI)),
	TOY("ERROR/01", body_error),
	TOY("CRASH/01", body_crash, .param = 8),
	TOY("HANG/01", body_hang),
	{ .id = "TP/T/SHOULD/01",
	  .requirement = "T-9",
	  .clause = "1.234 5.6 b",
	  .strength = SHOULD,
	  .role = ROLE_AMF,
	  .purpose = "toy",
	  .run = body_should },
	{ .id = "TP/T/MAY/01",
	  .requirement = "T-10",
	  .clause = "1.234 5.6 b",
	  .strength = MAY,
	  .role = ROLE_AMF,
	  .purpose = "toy",
	  .run = body_fault,
	  .param = 1 },
	TOY("FAULT/01", body_fault),
	TOY("LATER/01", body_later),
	TOY("JUMP/01", body_jump),
	TOY("SEED/01", body_seed),
	TOY("DEAD/01", body_dead),
	TOY("DEAD/02", body_dead, .param = 1),
	TOY("EXIT/01", body_exit),
	TOY("NEVER/01", body_never_improves, .param = 0),
	TOY("NEVER/02", body_never_improves, .param = 1),
	TOY("NEVER/03", body_never_improves, .param = 2),
	TOY("NEVER/04", body_never_improves, .param = 3),
	TOY("NEVER/05", body_never_improves, .param = 4),
	TOY("NEVER/06", body_never_improves, .param = 5),
	TOY("TALK/01", body_talk),
	TOY("HUGE/01", body_huge),
};

static const struct test_case toy_more[] = {
	TOY("MORE/01", body_pass), TOY("MORE/02", body_pass), TOY("MORE/03", body_pass),
	TOY("MORE/04", body_pass), TOY("MORE/05", body_pass), TOY("MORE/06", body_pass),
};

enum { TOYS = sizeof(toy_cases) / sizeof(*toy_cases) };

static const struct case_group toy_group = { toy_cases, TOYS };
static const struct case_group toy_more_group = { toy_more, sizeof(toy_more) / sizeof(*toy_more) };
static const struct suite toy_suite = {
	.name = "toys",
	.groups = &toy_group,
	.group_count = 1,
};
static const struct suite toy_more_suite = {
	.name = "more-toys",
	.groups = &toy_more_group,
	.group_count = 1,
};
static const struct suite *const toy_suites[] = { &toy_suite, &toy_more_suite };
static const struct iut_ops *const toy_iuts[] = { &toy_ops };
static const struct run_world toy_world = {
	.suites = toy_suites,
	.suite_count = 2,
	.iuts = toy_iuts,
	.iut_count = 1,
};

#endif
