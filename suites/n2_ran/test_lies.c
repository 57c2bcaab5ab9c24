/*
 * An adapter whose figures do not fit what came over N2 is a broken rig: no case of the suite may
 * take its word and pass, nor blame the node. The adapter here is honest but for one thing each.
 */
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/reference/reference.h"
#include "runner/case/stage.h"

extern const struct suite suite_n2_ran;

/* What was asked for, and what the node has really done. */
struct truth {
	json_int_t asked, offered, rejected;
	json_t *ues;
};

struct lie {
	const char *name;
	unsigned int share; /* one of so many attempts is made; 0: all of them */
	/* What is said instead of the truth; NULL: nothing is said. */
	json_t *(*say)(const struct truth *truth);
	bool about_rejected; /* of use only where something could be rejected */
};

/* Which UEs have connected is said as it is. */
static json_t *figures(const struct truth *truth, json_int_t offered, json_int_t rejected)
{
	return json_pack("{s:I, s:I, s:O?}", "offered", offered, "rejected", rejected, "ues",
			 truth->ues);
}

static json_t *as_asked(const struct truth *truth)
{
	return figures(truth, truth->asked, truth->rejected);
}

static json_t *as_asked_alone(const struct truth *truth)
{
	return json_pack("{s:I, s:O?}", "offered", truth->asked, "ues", truth->ues);
}

static json_t *twice(const struct truth *truth)
{
	return figures(truth, 2 * truth->offered, truth->rejected);
}

static json_t *half(const struct truth *truth)
{
	return figures(truth, truth->offered / 2, truth->rejected / 2);
}

static json_t *none_rejected(const struct truth *truth)
{
	return figures(truth, truth->offered, 0);
}

static json_t *all_rejected(const struct truth *truth)
{
	return figures(truth, truth->offered, truth->offered);
}

static json_t *negative(const struct truth *truth)
{
	return figures(truth, -truth->offered, truth->rejected);
}

static json_t *enormous(const struct truth *truth)
{
	(void)truth;
	return json_pack("{s:f}", "offered", 1e300);
}

static json_t *in_words(const struct truth *truth)
{
	(void)truth;
	return json_pack("{s:s}", "offered", "all of them");
}

static json_t *something_else(const struct truth *truth)
{
	return json_pack("[I]", truth->offered);
}

static const struct lie lies[] = {
	{ "a tenth is made", 10, as_asked, false },
	{ "a tenth is made, and nothing is said about the rest", 10, as_asked_alone, false },
	{ "twice what was offered", 0, twice, false },
	{ "half of what was offered", 0, half, false },
	{ "nothing was rejected", 0, none_rejected, true },
	{ "everything was rejected", 0, all_rejected, true },
	{ "a negative figure", 0, negative, false },
	{ "a figure without bounds", 0, enormous, false },
	{ "no figure but words", 0, in_words, false },
	{ "no object", 0, something_else, false },
	{ "nothing", 0, NULL, false },
};

static const struct lie *lie;
static unsigned int told; /* lies of which a case could take note */

/* One action `attempts` under way. */
struct action {
	struct control_waiter inner;
	struct control_waiter *outer;
	json_int_t asked;
	struct action *next;
};
static struct action *actions;

/* Figures within the tolerance of the house are no lie. */
static bool differs(json_int_t a, json_int_t b, json_int_t of)
{
	json_int_t slack = of / 50 > 2 ? of / 50 : 2;

	return a > b + slack || b > a + slack;
}

static json_int_t figure(const json_t *object, const char *key, json_int_t absent)
{
	const json_t *value = json_object_get(object, key);

	return json_is_integer(value) ? json_integer_value(value) : absent;
}

static bool material(const struct truth *truth, const json_t *said)
{
	if (!lie->about_rejected && differs(figure(said, "offered", -1000), truth->offered, 0))
		return true;
	return lie->about_rejected &&
	       differs(figure(said, "rejected", 0), truth->rejected, truth->offered);
}

static void unlink_action(struct action *action)
{
	struct action **link = &actions;

	while (*link && *link != action)
		link = &(*link)->next;
	if (*link)
		*link = action->next;
}

static void ended(struct control_waiter *waiter, enum control_result result,
		  const struct text *reply)
{
	struct action *action = (struct action *)waiter;
	struct truth truth = { .asked = action->asked };
	json_t *true_figures = json_loads(reply->buf, 0, NULL), *said;
	static char buf[65536], copy[65536];
	struct text text;
	size_t len = 0;

	truth.offered = figure(true_figures, "offered", 0);
	truth.rejected = figure(true_figures, "rejected", 0);
	truth.ues = json_object_get(true_figures, "ues");
	said = lie->say ? lie->say(&truth) : NULL;
	told += material(&truth, said);
	if (said)
		len = json_dumpb(said, buf, sizeof(buf) - 1, JSON_COMPACT);
	ck_assert_uint_lt(len, sizeof(buf));
	buf[len] = '\0';
	json_decref(said);
	json_decref(true_figures);
	text_init(&text, copy, sizeof(copy));
	text_puts(&text, buf);
	unlink_action(action);
	action->outer->ended(action->outer, result, &text);
	free(action);
}

static bool later(struct iut *iut, const char *name, const struct control_arg *args, size_t count,
		  struct control_waiter *waiter)
{
	struct control_arg changed[16];
	struct action *action;
	char number[32];

	ck_assert_uint_le(count, 16);
	action = calloc(1, sizeof(*action));
	ck_assert_ptr_nonnull(action);
	*action = (struct action){ .inner.ended = ended, .outer = waiter, .asked = 1 };
	for (size_t i = 0; i < count; i++) {
		changed[i] = args[i];
		if (strcmp(args[i].key, "count") != 0)
			continue;
		action->asked = atoll(args[i].value);
		if (!lie->share || action->asked < lie->share)
			continue;
		snprintf(number, sizeof(number), "%lld", action->asked / lie->share);
		changed[i].value = number;
	}
	if (!reference_ran.control_later(iut, name, changed, count, &action->inner)) {
		free(action);
		return false;
	}
	action->next = actions;
	actions = action;
	return true;
}

static void forget(struct iut *iut, struct control_waiter *waiter)
{
	for (struct action *action = actions, *next; action; action = next) {
		next = action->next;
		if (action->outer != waiter)
			continue;
		reference_ran.forget(iut, &action->inner);
		unlink_action(action);
		free(action);
	}
}

static enum verdict run_with(const struct test_case *test, struct text *reason)
{
	struct iut_ops liar = reference_ran;
	const struct iut_ops *const iuts[] = { &liar };
	const struct run_world world = { .iuts = iuts, .iut_count = 1 };
	struct profile *profile = profile_builtin(ROLE_RAN);
	const struct stage_options options = {
		.world = &world,
		.test = test,
		.profile = profile,
		.seed = 1,
		.log_level = RECORD_ERROR,
	};
	struct stage *stage = malloc(sizeof(*stage));
	enum verdict verdict;

	ck_assert_ptr_nonnull(profile);
	ck_assert_ptr_nonnull(stage);
	liar.control_later = later;
	liar.forget = forget;
	told = 0;
	stage_run(stage, &options);
	verdict = stage->private.verdict;
	text_puts(reason, stage->private.reason);
	stage_clear(stage);
	free(stage);
	profile_free(profile);
	return verdict;
}

START_TEST(no_lie_is_believed)
{
	size_t lied_to = 0, cases = 0, wrong = 0;
	char buf[4096];

	lie = &lies[_i];
	for (const struct test_case *test; (test = suite_case(&suite_n2_ran, cases)) != NULL;
	     cases++) {
		struct text reason;
		enum verdict verdict;

		text_init(&reason, buf, sizeof(buf));
		verdict = run_with(test, &reason);

		lied_to += told > 0;
		/* na: an adapter that does not say what a case needs */
		bool good = told ? verdict == VERDICT_ERROR || verdict == VERDICT_INCONC ||
					    verdict == VERDICT_NA
				 : verdict == VERDICT_PASS || verdict == VERDICT_NA;

		if (good)
			continue;
		fprintf(stderr, "%s, %s: verdict %s: %s\n", test->id, lie->name,
			verdict_name(verdict), buf);
		wrong++;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_msg(lied_to > cases / 2, "%s: %zu of %zu cases saw it", lie->name, lied_to,
		      cases);
}
END_TEST

/* The reason has both figures (offered 1,000, sent 100). */
START_TEST(the_figures_are_told)
{
	char buf[4096];

	lie = &lies[0];
	for (size_t i = 0; i < suite_n2_ran.group_count; i++) {
		struct text reason;

		text_init(&reason, buf, sizeof(buf));
		ck_assert_int_eq(run_with(&suite_n2_ran.groups[i].cases[0], &reason),
				 VERDICT_ERROR);
		ck_assert_msg(strstr(buf, "the adapter says that it offered ") &&
				      strstr(buf, " INITIAL UE MESSAGEs came"),
			      "%s", buf);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("adapters that lie");
	TCase *tcase = tcase_create("lies");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, no_lie_is_believed, 0, sizeof(lies) / sizeof(lies[0]));
	tcase_add_test(tcase, the_figures_are_told);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
