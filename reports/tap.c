/*
 * TAP version 14. A test point is ok only for a pass; not applicable is a SKIP; fail, inconc and
 * error are not ok, with the verdict in the description and in the diagnostic block. What a
 * baseline expects is a TODO: not ok, and no failure of the run.
 */
#include "reports/report.h"

#include <stdlib.h>
#include <string.h>

#include "reports/printable.h"

/* A description: "#" and "\" would begin a directive or an escape. */
static void description(const char *s, FILE *out)
{
	for (uint32_t c; (c = utf8_next(&s)) != 0;) {
		if (c == '#' || c == '\\')
			fputc('\\', out);
		utf8_put(is_steering(c) ? ' ' : c, out);
	}
}

static void member(const char *name, const char *value, FILE *out)
{
	if (value == NULL || value[0] == '\0')
		return;
	fprintf(out, "  %s: ", name);
	print_yaml(value, out);
	fputc('\n', out);
}

/* Line by line: not every reader knows the indicator of indentation that a literal block needs. */
static void lines(const char *name, const char *value, FILE *out)
{
	char *copy = value == NULL || value[0] == '\0' ? NULL : strdup(value);

	if (copy == NULL)
		return;
	fprintf(out, "  %s:\n", name);
	for (char *line = copy, *end; line != NULL; line = end) {
		end = strchr(line, '\n');
		if (end != NULL)
			*end++ = '\0';
		if (end != NULL || *line != '\0') {
			fputs("    ", out);
			print_yaml_entry(line, out);
		}
	}
	free(copy);
}

static void list(const char *name, char *const *values, size_t count, FILE *out)
{
	if (count == 0)
		return;
	fprintf(out, "  %s:\n", name);
	for (size_t i = 0; i < count; i++) {
		fputs("    ", out);
		print_yaml_entry(values[i], out);
	}
}

static void diagnostics(const struct result *result, FILE *out)
{
	fputs("  ---\n", out);
	member("verdict", verdict_name(result->verdict), out);
	member("reason", result->reason, out);
	member("clause", result->clause, out);
	member("requirement", result->requirement, out);
	member("strength", result->strength, out);
	member("baseline", result->baseline, out);
	list("warnings", result->warnings, result->warning_count, out);
	list("notes", result->notes, result->note_count, out);
	lines("detail", result->detail, out);
	lines("ladder", result->ladder, out);
	member("repeat", result->repro, out);
	member("evidence", result->evidence, out);
	fprintf(out, "  duration_ms: %.3f\n  ...\n", result->wall_ms);
}

static void test_point(const struct result *result, size_t n, FILE *out)
{
	bool expected = result_is_expected(result);
	bool stale = result_is_stale(result);
	bool ok = !stale && (result->verdict == VERDICT_PASS || result->verdict == VERDICT_NA);
	const char *directive = expected ? "TODO" : result->verdict == VERDICT_NA ? "SKIP" : NULL;

	fprintf(out, "%s %zu - ", ok ? "ok" : "not ok", n);
	description(result->id, out);
	if (result->verdict == VERDICT_NONE)
		fputs(" (not run)", out);
	else if (result->verdict != VERDICT_PASS)
		fprintf(out, " (%s)", verdict_name(result->verdict));
	else if (stale)
		fputs(" (pass, the baseline is stale)", out);
	if (directive != NULL) {
		fprintf(out, " # %s ", directive);
		description(result->reason == NULL ? "" : result->reason, out);
	}
	fputc('\n', out);
	if (result->verdict != VERDICT_PASS || result->warning_count > 0 || result->note_count > 0)
		diagnostics(result, out);
}

void report_tap(const struct run_record *record, FILE *out)
{
	const struct results *results = &record->results, *missing = &record->missing;
	size_t count = results->count + missing->count;

	fprintf(out, "TAP version 14\n1..%zu", count);
	fputs(count == 0 ? " # SKIP nothing was run\n" : "\n", out);
	for (size_t i = 0; i < results->count; i++)
		test_point(&results->items[i], i + 1, out);
	for (size_t i = 0; i < missing->count; i++)
		test_point(&missing->items[i], results->count + i + 1, out);
}
