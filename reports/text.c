/* The report for people; `run` prints its pieces on the terminal. */
#include "reports/report.h"

#include <string.h>

#include "reports/filters.h"
#include "reports/printable.h"

static const char *colour_of(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_PASS:
		return "\033[32m";
	case VERDICT_FAIL:
		return "\033[1;31m";
	case VERDICT_ERROR:
		return "\033[1;35m";
	case VERDICT_INCONC:
	case VERDICT_NONE:
		return "\033[33m";
	case VERDICT_NA:
		return "\033[2m";
	}
	return "";
}

static void verdict_word(enum verdict verdict, const struct report_style *style, FILE *out)
{
	fprintf(out, "%s%-6s%s", style->colours ? colour_of(verdict) : "", verdict_name(verdict),
		style->colours ? "\033[0m" : "");
}

void report_text_verdict(const struct result *result, const struct report_style *style, FILE *out)
{
	verdict_word(result->verdict, style, out);
	fputs("  ", out);
	print_line(result->id, out);
	if (result->repetition > 1)
		fprintf(out, " (repetition %u)", result->repetition);
	if (result->baseline != NULL) {
		fputs(" [baseline: ", out);
		print_line(result->baseline, out);
		fputc(']', out);
	}
	if (result->verdict != VERDICT_PASS && result->reason != NULL &&
	    result->reason[0] != '\0') {
		fputs("  ", out);
		print_line(result->reason, out);
	}
	if (result->warning_count > 0)
		fprintf(out, "  (%zu warning%s)", result->warning_count,
			result->warning_count == 1 ? "" : "s");
	fputc('\n', out);
}

static void labelled(const char *label, const char *value, FILE *out)
{
	if (value == NULL || value[0] == '\0')
		return;
	fprintf(out, "  %-12s ", label);
	print_line(value, out);
	fputc('\n', out);
}

static void blocked(const char *label, const char *value, FILE *out)
{
	if (value == NULL || value[0] == '\0')
		return;
	fprintf(out, "  %s\n", label);
	print_lines(value, "    ", out);
}

void report_text_details(const struct result *result, const struct report_style *style, FILE *out)
{
	verdict_word(result->verdict, style, out);
	fputs("  ", out);
	print_line(result->id, out);
	fputc('\n', out);
	labelled("reason", result->reason, out);
	for (size_t i = 0; i < result->warning_count; i++)
		labelled("warning", result->warnings[i], out);
	labelled("purpose", result->purpose, out);
	labelled("stimulus", result->stimulus, out);
	labelled("expected", result->expectation, out);
	labelled("clause", result->clause, out);
	if (result->requirement != NULL) {
		fputs("  requirement  ", out);
		print_line(result->requirement, out);
		if (result->strength != NULL) {
			fputs(" (", out);
			print_line(result->strength, out);
			fputc(')', out);
		}
		fputc('\n', out);
	}
	for (size_t i = 0; i < result->note_count; i++)
		labelled("note", result->notes[i], out);
	blocked("expected and received", result->detail, out);
	if (style->ladder_lines == 0) {
		blocked("last messages", result->ladder, out);
	} else if (result->ladder != NULL && result->ladder[0] != '\0') {
		fputs("  last messages\n", out);
		print_last_lines(result->ladder, "    ", style->ladder_lines, style->ladder_width,
				 out);
	}
	labelled("evidence", result->evidence, out);
	labelled("repeat", result->repro, out);
}

void report_text_sums(const struct run_counts *counts, double seconds,
		      const struct report_style *style, FILE *out)
{
	static const enum verdict verdicts[] = {
		VERDICT_PASS, VERDICT_FAIL, VERDICT_INCONC, VERDICT_ERROR, VERDICT_NA,
	};

	fprintf(out, "%zu case%s:", counts->finished, counts->finished == 1 ? "" : "s");
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		size_t n = counts->verdict[verdicts[i]];

		fputs(i == 0 ? " " : ", ", out);
		if (n > 0 && style->colours)
			fputs(colour_of(verdicts[i]), out);
		fprintf(out, "%zu %s", n, verdict_name(verdicts[i]));
		if (n > 0 && style->colours)
			fputs("\033[0m", out);
	}
	if (counts->expected_failures > 0)
		fprintf(out, ", %zu failed as the baseline expects", counts->expected_failures);
	if (counts->stale > 0)
		fprintf(out, ", %zu passed against the baseline", counts->stale);
	if (counts->too_long > 0)
		fprintf(out, ", %zu left out (--max-duration)", counts->too_long);
	if (counts->not_run > 0)
		fprintf(out, ", %zu not run", counts->not_run);
	if (counts->not_put_back > 0)
		fputs(", the IUT was not put back", out);
	if (seconds >= 0)
		fprintf(out, "; %.1f s", seconds);
	fprintf(out, "\nwarnings: %zu\n", counts->warnings);
}

static void print_missing(const struct result *result, FILE *out)
{
	fputs(result->verdict == VERDICT_NONE ? "not run "
	      : result->verdict == VERDICT_NA ? "left out "
					      : "error   ",
	      out);
	print_line(result->id, out);
	if (result->repetition > 1)
		fprintf(out, " (repetition %u)", result->repetition);
	fputs("  ", out);
	print_line(result->reason, out);
	fputc('\n', out);
}

/* What nobody may overlook stands first. */
static void print_warnings(const struct run_record *record, FILE *out)
{
	const struct results *missing = &record->missing;
	char buf[2048];
	struct text text;

	if (record->incomplete) {
		text_init(&text, buf, sizeof(buf));
		report_incomplete(record, &text);
		print_line(buf, out);
		fputc('\n', out);
	}
	for (size_t i = 0; i < missing->count; i++) {
		if (missing->items[i].verdict == VERDICT_ERROR)
			print_missing(&missing->items[i], out);
	}
}

static bool was_traced(const struct results *results, const struct display_filter *filter)
{
	for (size_t i = 0; i < results->count; i++) {
		if (results->items[i].evidence != NULL &&
		    display_filter_fits(filter, results->items[i].role))
			return true;
	}
	return false;
}

static void print_filters(const struct results *results, FILE *out)
{
	bool first = true;

	for (size_t i = 0; i < display_filter_count; i++) {
		const struct display_filter *filter = &display_filters[i];

		if (!was_traced(results, filter))
			continue;
		if (first)
			fputs("\ndisplay filters of Wireshark for trace.pcapng\n", out);
		first = false;
		fprintf(out, "  %-58s %s\n", filter->filter, filter->finds);
	}
}

void report_text(const struct run_record *record, FILE *out)
{
	const struct report_style plain = { .colours = false };
	const struct results *results = &record->results;
	static const char *const members[] = { "iut",  "version", "commit", "profile",
					       "host", "started", "ended" };

	print_warnings(record, out);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const char *word = run_record_word(record, members[i]);

		if (word == NULL)
			continue;
		fprintf(out, "%-9s ", members[i]);
		print_line(word, out);
		fputc('\n', out);
	}
	fputc('\n', out);
	for (size_t i = 0; i < results->count; i++)
		report_text_verdict(&results->items[i], &plain, out);
	for (size_t i = 0; i < record->missing.count; i++)
		print_missing(&record->missing.items[i], out);
	for (size_t i = 0; i < results->count; i++) {
		const struct result *result = &results->items[i];

		if ((result->verdict == VERDICT_PASS || result->verdict == VERDICT_NA) &&
		    result->warning_count == 0)
			continue;
		fputc('\n', out);
		report_text_details(result, &plain, out);
	}
	print_filters(results, out);
	fputc('\n', out);
	if (results->torn > 0)
		fprintf(out, "%zu torn line%s of results.jsonl passed over\n", results->torn,
			results->torn == 1 ? "" : "s");
	report_text_sums(&record->counts, -1, &plain, out);
}
