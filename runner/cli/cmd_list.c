/* list and explain: what the cases are, from their own tables and the fault tables alone. */
#include "runner/cli/commands.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *case_seed = "1";

static json_t *needs_json(uint64_t needs)
{
	json_t *list = json_array();

	for (int i = 0; i < ICS_COUNT; i++) {
		if ((needs & NEEDS(i)) != 0)
			json_array_append_new(list, json_string(ics_name((enum ics)i)));
	}
	return list;
}

static json_t *faults_json(const struct registry *registry, const struct test_case *test)
{
	const struct iut_ops *iut = registry_iut(registry, role_name(test->role));
	json_t *list = json_array();

	for (size_t i = 0; iut != NULL && i < iut->fault_count; i++) {
		const struct iut_fault *fault = &iut->faults[i];

		if (fault_names_case(fault, test->id))
			json_array_append_new(list,
					      json_pack("{s:s, s:s, s:s}", "name", fault->name,
							"requirement", fault->requirement, "text",
							fault->text));
	}
	return list;
}

/* With the timers of the built-in profile where the time depends on them. */
static uint64_t listed_time(const struct test_case *test)
{
	struct profile *profile;
	uint64_t time;

	if (test->iut_time == NULL)
		return test->iut_time_us;
	profile = profile_builtin(test->role);
	if (profile == NULL)
		return test->iut_time_us;
	time = case_iut_time(test, profile);
	profile_free(profile);
	return time;
}

static json_t *case_json(const struct suite *suite, const struct test_case *test)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:I}", "id", test->id, "suite",
			 suite->name, "role", role_name(test->role), "requirement",
			 test->requirement, "clause", test->clause, "strength",
			 strength_name(test->strength), "purpose", test->purpose, "needs",
			 needs_json(test->needs), "iut_ms", (json_int_t)(listed_time(test) / 1000));
}

static int print_json(const struct invocation *invocation, json_t *json)
{
	char *text = json == NULL ? NULL : json_dumps(json, JSON_COMPACT);

	json_decref(json);
	if (text == NULL)
		return command_error(invocation, EXIT_RIG, "out of memory");
	puts(text);
	free(text);
	return output_done(invocation, EXIT_PASSED);
}

/* Suites of which at least one case is selected show their rows that are not tested. */
static bool suite_selected(const struct run_selection *selection, const struct suite *suite)
{
	for (size_t i = 0; i < selection->count; i++) {
		if (selection->items[i].suite == suite)
			return true;
	}
	return false;
}

static int list_json(const struct invocation *invocation, const struct run_selection *selection)
{
	const struct registry *registry = invocation->registry;
	json_t *cases = json_array(), *not_tested = json_array();

	for (size_t i = 0; i < selection->count; i++)
		json_array_append_new(
			cases, case_json(selection->items[i].suite, selection->items[i].test));
	for (size_t s = 0; s < registry->world.suite_count; s++) {
		const struct suite *suite = registry->world.suites[s];

		for (size_t i = 0; suite_selected(selection, suite) && i < suite->not_tested_count;
		     i++)
			json_array_append_new(not_tested,
					      json_pack("{s:s, s:s, s:s}", "suite", suite->name,
							"requirement",
							suite->not_tested[i].requirement, "reason",
							suite->not_tested[i].reason));
	}
	return print_json(invocation,
			  json_pack("{s:o, s:o}", "cases", cases, "not_tested", not_tested));
}

static void list_case(const struct test_case *test, int id_width, int clause_width)
{
	char buf[32];
	struct text time;
	const char *comma = " [";

	text_init(&time, buf, sizeof(buf));
	if (listed_time(test) == 0)
		text_puts(&time, "<1s");
	else
		duration_print(listed_time(test), &time);
	printf("%-*s  %s  %-6s  %-*s  %5s  %s", id_width, test->id, role_name(test->role),
	       strength_name(test->strength), clause_width, test->clause, buf, test->purpose);
	for (int i = 0; i < ICS_COUNT; i++) {
		if ((test->needs & NEEDS(i)) != 0) {
			printf("%s%s", comma, ics_name((enum ics)i));
			comma = ", ";
		}
	}
	puts(comma[0] == ',' ? "]" : "");
}

static int list_text(const struct invocation *invocation, const struct run_selection *selection)
{
	const struct registry *registry = invocation->registry;
	int id_width = 0, clause_width = 0;

	for (size_t i = 0; i < selection->count; i++) {
		int id = (int)strlen(selection->items[i].test->id);
		int clause = (int)strlen(selection->items[i].test->clause);

		id_width = id > id_width ? id : id_width;
		clause_width = clause > clause_width ? clause : clause_width;
	}
	for (size_t i = 0; i < selection->count; i++)
		list_case(selection->items[i].test, id_width, clause_width);
	for (size_t s = 0; s < registry->world.suite_count; s++) {
		const struct suite *suite = registry->world.suites[s];

		if (!suite_selected(selection, suite) || suite->not_tested_count == 0)
			continue;
		printf("\nnot tested by %s:\n", suite->name);
		for (size_t i = 0; i < suite->not_tested_count; i++)
			printf("  %s  %s\n", suite->not_tested[i].requirement,
			       suite->not_tested[i].reason);
	}
	return output_done(invocation, EXIT_PASSED);
}

int command_list(struct invocation *invocation)
{
	struct run_selection selection;
	char buf[512];
	struct text why;
	int status;

	text_init(&why, buf, sizeof(buf));
	if (select_cases(invocation->registry, &invocation->settings.operands, NULL, &selection,
			 &why) != 0)
		status = command_error(invocation, EXIT_USAGE, "%s", buf);
	else if (invocation->settings.json)
		status = list_json(invocation, &selection);
	else
		status = list_text(invocation, &selection);
	run_selection_clear(&selection);
	return status;
}

static int explain_json(const struct invocation *invocation, const struct run_selected *selected,
			const char *repeat)
{
	const struct test_case *test = selected->test;
	json_t *json = case_json(selected->suite, test);

	if (json != NULL)
		json_object_update_new(
			json, json_pack("{s:s, s:s, s:o, s:s}", "stimulus", test->stimulus,
					"expectation", test->expect, "faults",
					faults_json(invocation->registry, test), "repeat", repeat));
	return print_json(invocation, json);
}

static int explain_text(const struct invocation *invocation, const struct run_selected *selected,
			const char *repeat)
{
	const struct test_case *test = selected->test;
	const struct iut_ops *iut = registry_iut(invocation->registry, role_name(test->role));
	char buf[32];
	struct text time;
	bool any = false;

	text_init(&time, buf, sizeof(buf));
	if (listed_time(test) == 0)
		text_puts(&time, "below 1s");
	else
		duration_print(listed_time(test), &time);
	printf("%s\n  suite        %s\n  IUT          %s\n", test->id, selected->suite->name,
	       role_name(test->role));
	printf("  purpose      %s\n  clause       %s\n  requirement  %s (%s)\n", test->purpose,
	       test->clause, test->requirement, strength_name(test->strength));
	printf("  stimulus     %s\n  expectation  %s\n", test->stimulus, test->expect);
	printf("  needs       ");
	for (int i = 0; i < ICS_COUNT; i++) {
		if ((test->needs & NEEDS(i)) != 0) {
			printf("%s %s", any ? "," : "", ics_name((enum ics)i));
			any = true;
		}
	}
	printf("%s\n  IUT's time   %s\n", any ? "" : " nothing", buf);
	printf("  catches     ");
	any = false;
	for (size_t i = 0; iut != NULL && i < iut->fault_count; i++) {
		const struct iut_fault *fault = &iut->faults[i];

		if (!fault_names_case(fault, test->id))
			continue;
		printf("%s %s: %s\n", any ? "              " : "", fault->name, fault->text);
		any = true;
	}
	printf("%s  repeat       %s\n", any ? "" : " no fault: it reports\n", repeat);
	return output_done(invocation, EXIT_PASSED);
}

int command_explain(struct invocation *invocation)
{
	const struct registry *registry = invocation->registry;
	const char *id = invocation->settings.operands.words[0];
	char repeat[256];
	struct text command;
	struct run_selection selection;
	struct text why;
	char buf[512];
	int status;

	text_init(&why, buf, sizeof(buf));
	if (select_cases(registry, &invocation->settings.operands, NULL, &selection, &why) != 0) {
		status = command_error(invocation, EXIT_USAGE, "%s", buf);
	} else if (selection.count > 1) {
		status = command_error(invocation, EXIT_USAGE,
				       "'%s' means %zu cases; 'spillway list' prints their ids", id,
				       selection.count);
	} else {
		text_init(&command, repeat, sizeof(repeat));
		text_printf(&command, "spillway run %s --seed %s", selection.items[0].test->id,
			    case_seed);
		status = invocation->settings.json
				 ? explain_json(invocation, &selection.items[0], repeat)
				 : explain_text(invocation, &selection.items[0], repeat);
	}
	run_selection_clear(&selection);
	return status;
}
