/*
 * Markdown of the kind that GitHub and GitLab show: the summary of a step of a pipeline, or a
 * comment on a change. What an IUT sent is text in it and nothing else. GitHub takes 1 MiB a step,
 * so the whole is bounded and says what it left out.
 */
#include "reports/report.h"

#include <stdlib.h>
#include <string.h>

#include "reports/printable.h"

enum {
	WORD_MAX = 80,
	REASON_MAX = 200, /* characters, up to six octets each */
	ROWS_MAX = 100,	  /* of each table */
	STORIES_MAX = 50,
	STORIES_OCTETS = 300000, /* of all of them */
	STORY_LADDER = 25,
	STORY_WIDTH = 160,
};

/* Of ASCII, what means nothing to Markdown inside a line, whatever stands beside it. */
static bool is_plain(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c < 0x80 && strchr(" .,/()%+=;-", (int)c) != NULL);
}

/* As part of a line. A character reference begins no markup; "www." would begin a link. */
static void print_cell(const char *s, size_t room, FILE *out)
{
	if (s == NULL)
		return;
	while (*s != '\0') {
		bool link = strncmp(s, "www.", 4) == 0;
		uint32_t c = utf8_next(&s);

		if (room-- == 0) {
			fputs("...", out);
			return;
		}
		if (is_steering(c) || c == 0xfffe || c == 0xffff)
			fputc(' ', out);
		else if (c < 0x80 && (link || !is_plain(c)))
			fprintf(out, "&#%u;", (unsigned int)c);
		else
			utf8_put(c, out);
	}
}

/* Somebody has to look at it. */
static bool calls(const struct result *result)
{
	return result_is_stale(result) ||
	       (result->verdict != VERDICT_PASS && result->verdict != VERDICT_NA &&
		!result_is_expected(result));
}

static const char *word_of(const struct result *result)
{
	return result_is_stale(result)		 ? "pass, the baseline is stale"
	       : result->verdict == VERDICT_NONE ? "not run"
						 : verdict_name(result->verdict);
}

static void headline(const struct run_record *record, FILE *out)
{
	const struct run_counts *counts = &record->counts;
	const char *state = "passed";

	switch (run_exit_code(counts)) {
	case 1:
		state = "failed";
		break;
	case 2:
		state = "inconclusive";
		break;
	case 3:
		state = "the rig broke";
		break;
	case 4:
		state = "nothing was run";
		break;
	default:
		if (record->incomplete)
			state = "incomplete";
		break;
	}
	fprintf(out, "## spillway: %s\n\n", state);
}

static void facts(const struct run_record *record, FILE *out)
{
	static const char *const members[] = { "iut",  "profile", "version", "commit",
					       "host", "started", "ended" };
	const json_t *seed = json_object_get(record->run, "seed");
	bool first = true;

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const char *word = run_record_word(record, members[i]);

		if (word == NULL)
			continue;
		fprintf(out, "%s%s ", first ? "" : ", ", members[i]);
		print_cell(word, WORD_MAX, out);
		first = false;
	}
	if (json_is_integer(seed)) {
		fprintf(out, "%sseed %" JSON_INTEGER_FORMAT, first ? "" : ", ",
			json_integer_value(seed));
		first = false;
	}
	fputs(first ? "" : "\n\n", out);
}

static void remarks(const struct run_record *record, FILE *out)
{
	const struct run_counts *counts = &record->counts;
	char buf[2048];
	struct text text;

	if (record->incomplete) {
		text_init(&text, buf, sizeof(buf));
		report_incomplete(record, &text);
		fputs("**", out);
		print_cell(buf, REASON_MAX, out);
		fputs("**\n\n", out);
	}
	if (record->results.torn > 0)
		fprintf(out, "**%zu torn line%s of results.jsonl passed over**\n\n",
			record->results.torn, record->results.torn == 1 ? "" : "s");
	if (counts->not_put_back > 0)
		fputs("**The IUT was not put back.**\n\n", out);
	if (counts->expected_failures > 0)
		fprintf(out, "%zu failed as the baseline expects.\n\n", counts->expected_failures);
	if (counts->too_long > 0)
		fprintf(out, "%zu left out (--max-duration).\n\n", counts->too_long);
}

struct suite_sums {
	size_t cases, verdict[6], expected;
};

static void suite_row(const char *name, const struct suite_sums *sums, FILE *out)
{
	static const enum verdict order[] = { VERDICT_PASS, VERDICT_FAIL, VERDICT_INCONC,
					      VERDICT_ERROR, VERDICT_NA };

	fputs("| ", out);
	print_cell(name, WORD_MAX, out);
	fprintf(out, " | %zu |", sums->cases);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		fprintf(out, " %zu |", sums->verdict[order[i]]);
	fprintf(out, " %zu |\n", sums->expected);
}

/* The results are sorted by suite. */
static void suite_table(const struct results *results, FILE *out)
{
	struct suite_sums all = { 0 };
	size_t rows = 0;

	fputs("| suite | cases | pass | fail | inconc | error | na | as the baseline expects |\n"
	      "|---|--:|--:|--:|--:|--:|--:|--:|\n",
	      out);
	for (size_t i = 0; i < results->count;) {
		const char *suite = results->items[i].suite;
		struct suite_sums sums = { 0 };

		for (; i < results->count; i++) {
			const struct result *result = &results->items[i];

			if (strcmp(suite == NULL ? "" : suite,
				   result->suite == NULL ? "" : result->suite) != 0)
				break;
			sums.cases++;
			if (result_is_expected(result))
				sums.expected++;
			else
				sums.verdict[result->verdict]++;
		}
		all.cases += sums.cases;
		all.expected += sums.expected;
		for (size_t v = 0; v < sizeof(sums.verdict) / sizeof(sums.verdict[0]); v++)
			all.verdict[v] += sums.verdict[v];
		if (rows++ < ROWS_MAX)
			suite_row(suite, &sums, out);
	}
	suite_row("all", &all, out);
	fputc('\n', out);
}

static void more(size_t rows, FILE *out)
{
	if (rows > ROWS_MAX)
		fprintf(out, "\nand %zu more\n", rows - ROWS_MAX);
	if (rows > 0)
		fputc('\n', out);
}

static void calling_rows(const struct results *results, size_t *rows, FILE *out)
{
	for (size_t i = 0; i < results->count; i++) {
		const struct result *result = &results->items[i];

		if (!calls(result))
			continue;
		if (*rows == 0)
			fputs("| case | verdict | requirement | clause | reason |\n"
			      "|---|---|---|---|---|\n",
			      out);
		if ((*rows)++ >= ROWS_MAX)
			continue;
		fputs("| ", out);
		print_cell(result->id, WORD_MAX, out);
		fprintf(out, " | **%s** | ", word_of(result));
		print_cell(result->requirement, WORD_MAX, out);
		fputs(" | ", out);
		print_cell(result->clause, WORD_MAX, out);
		fputs(" | ", out);
		print_cell(result->reason, REASON_MAX, out);
		fputs(" |\n", out);
	}
}

static void warning_rows(const struct results *results, FILE *out)
{
	size_t rows = 0;

	for (size_t i = 0; i < results->count; i++) {
		const struct result *result = &results->items[i];

		for (size_t w = 0; w < result->warning_count; w++) {
			if (rows == 0)
				fputs("| case | clause | warning |\n|---|---|---|\n", out);
			if (rows++ >= ROWS_MAX)
				continue;
			fputs("| ", out);
			print_cell(result->id, WORD_MAX, out);
			fputs(" | ", out);
			print_cell(result->clause, WORD_MAX, out);
			fputs(" | ", out);
			print_cell(result->warnings[w], REASON_MAX, out);
			fputs(" |\n", out);
		}
	}
	more(rows, out);
}

/*
 * What the text report says of the case, as octets of HTML between <pre> and </pre>. A block that
 * begins so ends for Markdown at </pre> alone, which the text cannot hold. NULL without memory.
 */
static char *story_of(const struct result *result, size_t *len)
{
	static const struct report_style style = { .ladder_lines = STORY_LADDER,
						   .ladder_width = STORY_WIDTH };
	char *text = NULL, *html = NULL;
	size_t text_len = 0;
	FILE *plain = open_memstream(&text, &text_len);
	FILE *out;
	bool whole;

	if (plain == NULL)
		return NULL;
	report_text_details(result, &style, plain);
	whole = fclose(plain) == 0;
	out = whole ? open_memstream(&html, len) : NULL;
	if (out == NULL) {
		free(text);
		return NULL;
	}
	for (char *line = text; *line != '\0';) {
		size_t end = strcspn(line, "\n");
		bool last = line[end] == '\0';

		line[end] = '\0';
		print_xml(line, out);
		fputc('\n', out);
		line += end + (last ? 0 : 1);
	}
	free(text);
	if (fclose(out) == 0)
		return html;
	free(html);
	return NULL;
}

/* Of what somebody has to look at, as much as there is room for. */
static void stories(const struct results *results, FILE *out)
{
	size_t told = 0, left = 0, octets = 0;

	for (size_t i = 0; i < results->count; i++) {
		const struct result *result = &results->items[i];
		size_t len = 0;
		char *story;

		if (!calls(result))
			continue;
		story = told < STORIES_MAX ? story_of(result, &len) : NULL;
		if (story == NULL || octets + len > STORIES_OCTETS) {
			left++;
		} else {
			told++;
			octets += len;
			fputs("<details><summary>", out);
			print_cell(result->id, WORD_MAX, out);
			fprintf(out, " (%s)</summary>\n\n<pre>\n%s</pre>\n\n</details>\n\n",
				word_of(result), story);
		}
		free(story);
	}
	if (left > 0)
		fprintf(out, "%zu more at length in the other reports.\n\n", left);
}

void report_markdown(const struct run_record *record, FILE *out)
{
	size_t rows = 0;

	headline(record, out);
	remarks(record, out);
	suite_table(&record->results, out);
	calling_rows(&record->results, &rows, out);
	calling_rows(&record->missing, &rows, out);
	more(rows, out);
	stories(&record->results, out);
	warning_rows(&record->results, out);
	facts(record, out);
}
