/* faults: prints the kill matrix of each reference IUT. */
#include "runner/cli/commands.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/printable.h"
#include "runner/cli/iut_choice.h"
#include "runner/cli/kill_matrix.h"
#include "runner/cli/terminal.h"

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

static const char *case_id(const struct kill_matrix *matrix, size_t test)
{
	return matrix->selection->items[test].test->id;
}

static bool fault_was_run(const struct kill_matrix *matrix, size_t fault)
{
	for (size_t c = 0; c < matrix->selection->count; c++) {
		if (kill_matrix_verdict(matrix, fault, c) != KILL_NOT_RUN)
			return true;
	}
	return false;
}

/* Whether some fault names this case and no other: the fault that it alone is there to catch. */
static bool has_fault_of_its_own(const struct iut_ops *ops, const char *id)
{
	for (size_t f = 0; f < ops->fault_count; f++) {
		const char *const *cases = ops->faults[f].cases;

		if (cases != NULL && cases[0] != NULL && cases[1] == NULL &&
		    strcmp(cases[0], id) == 0)
			return true;
	}
	return false;
}

static void print_fault(const struct kill_matrix *matrix, size_t f)
{
	const struct iut_fault *fault = &matrix->ops->faults[f];

	printf("%-8s  %s (%s): %s\n", kill_matrix_survives(matrix, f) ? "SURVIVED" : "caught",
	       fault->name, fault->requirement, fault->text);
	for (size_t c = 0; c < matrix->selection->count; c++) {
		int verdict = kill_matrix_verdict(matrix, f, c);
		bool named = fault_names_case(fault, case_id(matrix, c));

		if (verdict == KILL_NOT_RUN || (!named && verdict != VERDICT_FAIL))
			continue;
		printf("            %s %s: %s", named ? "by" : "also by", case_id(matrix, c),
		       verdict_name((enum verdict)verdict));
		if (verdict != VERDICT_FAIL && kill_matrix_reason(matrix, f, c)[0] != '\0') {
			fputs(": ", stdout);
			print_line(kill_matrix_reason(matrix, f, c), stdout);
		}
		putchar('\n');
	}
}

static void print_alarms(const struct kill_matrix *matrix)
{
	for (size_t i = 0; i < matrix->alarm_count; i++) {
		const struct kill_alarm *alarm = &matrix->alarms[i];

		printf("ALARM     %s: %s with seed %llu", alarm->test->id,
		       verdict_name(alarm->verdict), (unsigned long long)alarm->seed);
		if (alarm->count > 1)
			printf(" and %zu more", alarm->count - 1);
		if (alarm->variant != NULL)
			printf(", variant %s", alarm->variant->name);
		fputs(": ", stdout);
		print_line(alarm->reason, stdout);
		printf("\n            repeat: spillway run %s --should fail --seed %llu",
		       alarm->test->id, (unsigned long long)alarm->seed);
		if (alarm->variant != NULL)
			printf(" --variant %s", alarm->variant->name);
		putchar('\n');
	}
	if (matrix->alarm_count == KILL_ALARMS_MAX)
		puts("          and perhaps more");
}

static void print_text(const struct kill_matrix *matrix, const struct settings *settings)
{
	bool first = true;

	for (size_t f = 0; f < matrix->ops->fault_count; f++) {
		if (fault_was_run(matrix, f))
			print_fault(matrix, f);
	}
	print_alarms(matrix);
	for (size_t c = 0; c < matrix->selection->count; c++) {
		if (has_fault_of_its_own(matrix->ops, case_id(matrix, c)))
			continue;
		printf("%s %s", first ? "cases without a fault of their own:" : ",",
		       case_id(matrix, c));
		first = false;
	}
	if (!first)
		putchar('\n');
	first = true;
	for (size_t f = 0; f < matrix->ops->fault_count; f++) {
		if (fault_was_run(matrix, f))
			continue;
		printf("%s %s", first ? "faults that name none of these cases:" : ",",
		       matrix->ops->faults[f].name);
		first = false;
	}
	if (!first)
		putchar('\n');
	printf("%s: %zu cases, %zu of %zu faults, %zu survivors; correct IUT with %llu seed%s%s: "
	       "%zu alarms; %zu runs\n",
	       matrix->ops->role, matrix->selection->count, matrix->faults_run,
	       matrix->ops->fault_count, matrix->survivors,
	       (unsigned long long)(settings->seeds == 0 ? 1 : settings->seeds),
	       settings->seeds > 1 ? "s" : "", settings->variants ? ", and in each variant" : "",
	       matrix->alarms_found, matrix->runs);
	if (matrix->variants_silent > 0)
		printf("%s: %zu runs in a variant had nothing to judge (inconc or na)\n",
		       matrix->ops->role, matrix->variants_silent);
}

static json_t *fault_json(const struct kill_matrix *matrix, size_t f)
{
	const struct iut_fault *fault = &matrix->ops->faults[f];
	json_t *named = json_array(), *verdicts = json_object(), *reasons = json_object();

	for (size_t i = 0; fault->cases != NULL && fault->cases[i] != NULL; i++)
		json_array_append_new(named, json_string(fault->cases[i]));
	for (size_t c = 0; c < matrix->selection->count; c++) {
		int verdict = kill_matrix_verdict(matrix, f, c);

		if (verdict == KILL_NOT_RUN)
			continue;
		json_object_set_new(verdicts, case_id(matrix, c),
				    json_string(verdict_name((enum verdict)verdict)));
		json_object_set_new(reasons, case_id(matrix, c),
				    json_string(kill_matrix_reason(matrix, f, c)));
	}
	return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:o}", "name", fault->name, "requirement",
			 fault->requirement, "text", fault->text, "caught",
			 !kill_matrix_survives(matrix, f), "named", named, "verdicts", verdicts,
			 "reasons", reasons);
}

static json_t *matrix_json(const struct kill_matrix *matrix, const struct settings *settings)
{
	json_t *faults = json_array(), *survivors = json_array(), *alarms = json_array();
	json_t *unowned = json_array();

	for (size_t f = 0; f < matrix->ops->fault_count; f++) {
		if (!fault_was_run(matrix, f))
			continue;
		json_array_append_new(faults, fault_json(matrix, f));
		if (kill_matrix_survives(matrix, f))
			json_array_append_new(survivors, json_string(matrix->ops->faults[f].name));
	}
	for (size_t i = 0; i < matrix->alarm_count; i++) {
		const struct kill_alarm *alarm = &matrix->alarms[i];

		json_array_append_new(
			alarms,
			json_pack("{s:s, s:I, s:I, s:s, s:s, s:s?}", "id", alarm->test->id, "count",
				  (json_int_t)alarm->count, "seed", (json_int_t)alarm->seed,
				  "verdict", verdict_name(alarm->verdict), "reason", alarm->reason,
				  "variant", alarm->variant == NULL ? NULL : alarm->variant->name));
	}
	for (size_t c = 0; c < matrix->selection->count; c++) {
		if (!has_fault_of_its_own(matrix->ops, case_id(matrix, c)))
			json_array_append_new(unowned, json_string(case_id(matrix, c)));
	}
	return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:I, s:I, s:o}", "role",
			 matrix->ops->role, "cases", (json_int_t)matrix->selection->count, "runs",
			 (json_int_t)matrix->runs, "seeds",
			 (json_int_t)(settings->seeds == 0 ? 1 : settings->seeds), "faults", faults,
			 "survivors", survivors, "alarms", alarms, "alarms_found",
			 (json_int_t)matrix->alarms_found, "variants_silent",
			 (json_int_t)matrix->variants_silent, "cases_without_own_fault", unowned);
}

static void draw(void *arg, size_t done, size_t total)
{
	struct progress_line *line = arg;

	line->done = (double)done;
	line->total = (double)total;
	progress_line_draw(line, false, "[%zu/%zu] runs", done, total);
}

/* The matrix of one IUT. *status gets worse where it has to; *json (may be NULL) grows. */
static int one_iut(const struct invocation *invocation, const struct iut_ops *ops,
		   const struct run_selection *selection, json_t *list, int *status)
{
	const struct settings *settings = &invocation->settings;
	bool seeded = option_given(invocation->command, settings, "seed");
	struct progress_line line;
	struct kill_matrix matrix;
	struct profile *profile = profile_builtin(selection->items[0].test->role);
	struct kill_options options = {
		.selection = selection,
		.profile = profile,
		.seed = seeded ? settings->seed : 1,
		.seeds = settings->seeds == 0 ? 1 : settings->seeds,
		.jobs = (unsigned int)settings->jobs,
		.matrix = settings->matrix,
		.variants = settings->variants,
		.progress = draw,
		.arg = &line,
		.interrupted = &interrupted,
	};
	char buf[256];
	struct text why;
	int rc;

	if (profile == NULL)
		return command_error(invocation, EXIT_RIG, "out of memory");
	text_init(&why, buf, sizeof(buf));
	progress_line_start(&line, 0);
	rc = kill_matrix_run(&invocation->registry->world, ops, &options, &matrix, &why);
	progress_line_clear(&line);
	if (rc != 0) {
		rc = command_error(invocation, EXIT_RIG, "%s", buf);
	} else if (matrix.interrupted) {
		rc = command_error(invocation, EXIT_RIG, "interrupted after %zu runs", matrix.runs);
	} else {
		if (list != NULL)
			json_array_append_new(list, matrix_json(&matrix, settings));
		else
			print_text(&matrix, settings);
		if (matrix.survivors > 0 || matrix.alarms_found > 0)
			*status = EXIT_FAILED;
	}
	kill_matrix_clear(&matrix);
	profile_free(profile);
	return rc;
}

static int all_iuts(const struct invocation *invocation, json_t *list)
{
	const struct run_world *world = &invocation->registry->world;
	const struct settings *settings = &invocation->settings;
	struct run_selection selection;
	int status = EXIT_PASSED, rc = 0;
	bool any = false;
	char buf[512];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	if (select_cases(invocation->registry, &settings->operands, NULL, &selection, &why) != 0)
		rc = command_error(invocation, EXIT_USAGE, "%s", buf);
	run_selection_clear(&selection);
	for (size_t i = 0; rc == 0 && i < world->iut_count; i++) {
		const struct iut_ops *ops = world->iuts[i];

		if (settings->role != NULL && strcmp(settings->role, ops->role) != 0)
			continue;
		text_init(&why, buf, sizeof(buf));
		if (select_cases(invocation->registry, &settings->operands, ops->role, &selection,
				 &why) == 0) {
			any = true;
			rc = one_iut(invocation, ops, &selection, list, &status);
		} else if (settings->role != NULL || world->iut_count == 1) {
			rc = command_error(invocation, EXIT_USAGE, "%s", buf);
		}
		run_selection_clear(&selection);
	}
	if (rc == 0 && !any)
		rc = command_error(invocation, EXIT_USAGE,
				   "nothing selected: no reference IUT for these cases");
	return rc != 0 ? rc : status;
}

int command_faults(struct invocation *invocation)
{
	const struct settings *settings = &invocation->settings;
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
	const struct iut_ops *ops;
	json_t *list = NULL;
	int status;

	if (settings->role != NULL) {
		status = choose_iut(invocation, settings->role, &ops);
		if (status != 0)
			return status;
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (settings->json)
		list = json_array();
	status = all_iuts(invocation, list);
	if (list != NULL && status <= EXIT_FAILED) {
		json_t *json = json_pack("{s:O}", "iuts", list);
		char *text = json == NULL ? NULL : json_dumps(json, JSON_COMPACT);

		if (text != NULL)
			puts(text);
		else
			status = command_error(invocation, EXIT_RIG, "out of memory");
		free(text);
		json_decref(json);
	}
	json_decref(list);
	return output_done(invocation, status);
}
