/* The comparison as a page: the sums, what got worse, what changed in many cases, each case. */
#include <string.h>

#include "reports/compare.h"
#include "reports/page.h"

enum { COMMON_SHOWN = 200, CASES_NAMED = 20 };

static const char *const classes[CHANGE_KIND_COUNT] = {
	[CHANGE_VERDICT_WORSE] = "worse",
	[CHANGE_VERDICT_BETTER] = "better",
	[CHANGE_VERDICT_OTHER] = "other",
};

static const char *const what[CHANGE_KIND_COUNT] = {
	[CHANGE_VERDICT_WORSE] = "verdict, worse",
	[CHANGE_VERDICT_BETTER] = "verdict, better",
	[CHANGE_VERDICT_OTHER] = "verdict",
	[CHANGE_REASON] = "reason",
	[CHANGE_WARNING] = "warning",
	[CHANGE_MESSAGE] = "message",
	[CHANGE_NUMBER] = "number of messages",
	[CHANGE_FIELD] = "field",
	[CHANGE_DELAY] = "time until the message",
	[CHANGE_DURATION] = "time of the IUT",
};

/* A case is known by its place: its id is whatever the record says. */
static void link_to(const struct comparison *comparison, size_t index, FILE *out)
{
	fprintf(out, "<a href=\"#case-%zu\"><bdi>", index + 1);
	html_text(comparison->cases[index].id, out);
	fputs("</bdi></a>", out);
}

static void print_record(const struct run_record *record, const char *side, FILE *out)
{
	static const char *const members[] = { "iut", "version", "profile", "mode", "started" };

	fprintf(out, "<tr><th scope=\"row\">%s</th>", side);
	html_element("td", NULL, record->dir, out);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		html_element("td", NULL, run_record_word(record, members[i]), out);
	fprintf(out, "<td>%" JSON_INTEGER_FORMAT "</td><td>%zu</td></tr>\n",
		json_integer_value(json_object_get(record->run, "seed")), record->results.count);
}

static void print_runs(const struct comparison *comparison, FILE *out)
{
	fputs("<div class=\"scroll\"><table><thead><tr><td></td><th scope=\"col\">record</th>"
	      "<th scope=\"col\">IUT</th><th scope=\"col\">version of spillway</th>"
	      "<th scope=\"col\">profile</th><th scope=\"col\">mode</th>"
	      "<th scope=\"col\">started</th><th scope=\"col\">seed</th>"
	      "<th scope=\"col\">results</th></tr></thead><tbody>\n",
	      out);
	print_record(comparison->records[BEFORE], "before", out);
	print_record(comparison->records[AFTER], "after", out);
	fputs("</tbody></table></div>\n", out);
	if (comparison->remark_count > 0)
		fputs("<h2>To be known first</h2>\n<ul>\n", out);
	for (size_t i = 0; i < comparison->remark_count; i++) {
		html_element("li", NULL, comparison->remarks[i], out);
		fputc('\n', out);
	}
	if (comparison->remark_count > 0)
		fputs("</ul>\n", out);
}

static void print_sums(const struct comparison *comparison, FILE *out)
{
	fprintf(out,
		"<div class=\"counts\"><span class=\"worse\">%zu worse</span>"
		"<span class=\"better\">%zu better</span>"
		"<span class=\"other\">%zu judged otherwise</span>"
		"<span>%zu with the same verdict, of which %zu changed</span>"
		"<span>%zu only before</span><span>%zu only after</span></div>\n",
		comparison->worse, comparison->better, comparison->other, comparison->same,
		comparison->changed, comparison->only[BEFORE], comparison->only[AFTER]);
}

static void print_verdicts(const struct comparison *comparison, FILE *out)
{
	if (comparison->worse + comparison->better + comparison->other == 0)
		return;
	fputs("<h2>Verdicts</h2>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">case"
	      "</th><th scope=\"col\">before</th><th scope=\"col\">after</th>"
	      "<th scope=\"col\">reason</th></tr></thead><tbody>\n",
	      out);
	for (int kind = CHANGE_VERDICT_WORSE; kind <= CHANGE_VERDICT_OTHER; kind++) {
		for (size_t i = 0; i < comparison->count; i++) {
			const struct case_comparison *item = &comparison->cases[i];

			if (item->count == 0 || (int)item->changes[0].kind != kind)
				continue;
			fputs("<tr><td>", out);
			link_to(comparison, i, out);
			fputs("</td>", out);
			html_element("td", NULL, item->changes[0].before, out);
			html_element("td", classes[kind], item->changes[0].after, out);
			html_element("td", NULL,
				     item->count > 1 && item->changes[1].kind == CHANGE_REASON
					     ? item->changes[1].after
					     : NULL,
				     out);
			fputs("</tr>\n", out);
		}
	}
	fputs("</tbody></table></div>\n", out);
}

static void print_value(const char *value, size_t different, FILE *out)
{
	fputs("<td class=\"value\"><bdi>", out);
	html_text(value == NULL ? "\u2013" : value, out);
	fputs("</bdi>", out);
	if (different > 1)
		fprintf(out, " and %zu other%s", different - 1, different == 2 ? "" : "s");
	fputs("</td>", out);
}

/* Three cells: what, before, after. */
static void print_cells(const struct change *change, const size_t different[2], FILE *out)
{
	fputs("<td><bdi>", out);
	html_text(change->type, out);
	if (change->field != NULL) {
		fputs("</bdi>, <bdi>", out);
		html_text(change->field, out);
	}
	fputs("</bdi>", out);
	if (change->kind != CHANGE_FIELD)
		fprintf(out, "%s%s", change->type != NULL ? ": " : "", what[change->kind]);
	fputs("</td>", out);
	print_value(change->before, different[BEFORE], out);
	print_value(change->after, different[AFTER], out);
}

static void print_common(const struct comparison *comparison, FILE *out)
{
	size_t count;
	struct common_change *common = comparison_common(comparison, &count);

	if (count > 0)
		fputs("<h2>What the IUT sent, over all cases</h2>\n<div class=\"scroll\"><table>"
		      "<thead><tr><th scope=\"col\">message and field</th>"
		      "<th scope=\"col\">before</th><th scope=\"col\">after</th>"
		      "<th scope=\"col\">cases</th></tr></thead><tbody>\n",
		      out);
	for (size_t i = 0; i < count && i < COMMON_SHOWN; i++) {
		fputs("<tr>", out);
		print_cells(&common[i].change, common[i].different, out);
		fprintf(out, "<td>%zu: ", common[i].count);
		for (size_t c = 0; c < common[i].count && c < CASES_NAMED; c++) {
			fputs(c > 0 ? ", " : "", out);
			link_to(comparison, common[i].cases[c], out);
		}
		fputs(common[i].count > CASES_NAMED ? ", ...</td></tr>\n" : "</td></tr>\n", out);
	}
	if (count > 0)
		fputs("</tbody></table></div>\n", out);
	if (count > COMMON_SHOWN)
		fprintf(out, "<p>and %zu more</p>\n", count - COMMON_SHOWN);
	common_free(common, count);
}

static void print_case(const struct comparison *comparison, size_t index, FILE *out)
{
	const struct case_comparison *item = &comparison->cases[index];

	fprintf(out, "<h3 id=\"case-%zu\"><bdi>", index + 1);
	html_text(item->id, out);
	fputs("</bdi></h3>\n<p class=\"soft\"><bdi>", out);
	html_text(item->clause, out);
	fputs("</bdi> <bdi>", out);
	html_text(item->requirement, out);
	fputs("</bdi></p>\n", out);
	if (item->count > 0)
		fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">element</th>"
		      "<th scope=\"col\">what</th><th scope=\"col\">before</th>"
		      "<th scope=\"col\">after</th><th "
		      "scope=\"col\">times</th></tr></thead><tbody>\n",
		      out);
	for (size_t i = 0; i < item->count; i++) {
		fputs("<tr>", out);
		html_element("td", NULL, item->changes[i].lane, out);
		print_cells(&item->changes[i], (const size_t[2]){ 1, 1 }, out);
		fprintf(out, "<td>%zu</td></tr>\n", item->changes[i].times);
	}
	if (item->count > 0)
		fputs("</tbody></table></div>\n", out);
	if (item->more > 0)
		fprintf(out, "<p>and %zu more</p>\n", item->more);
	if (item->why != NULL) {
		fputs("<p>The messages are not compared; <bdi>", out);
		html_text(item->why, out);
		fputs("</bdi></p>\n", out);
	}
}

static void print_cases(const struct comparison *comparison, FILE *out)
{
	bool first = true;

	for (size_t i = 0; i < comparison->count; i++) {
		const struct case_comparison *item = &comparison->cases[i];

		if (item->count == 0 && item->why == NULL)
			continue;
		if (first)
			fputs("<h2>Case by case</h2>\n", out);
		first = false;
		print_case(comparison, i, out);
	}
}

static void print_only(const struct comparison *comparison, int side, FILE *out)
{
	if (comparison->only[side] == 0)
		return;
	fprintf(out, "<h2>Only %s</h2>\n<ul>\n", side == BEFORE ? "before" : "after");
	for (size_t i = 0; i < comparison->count; i++) {
		const struct case_comparison *item = &comparison->cases[i];

		if (!item->there[side] || item->there[!side])
			continue;
		fputs("<li><bdi>", out);
		html_text(item->id, out);
		fprintf(out, "</bdi>: %s</li>\n", verdict_name(item->verdict[side]));
	}
	fputs("</ul>\n", out);
}

static void print_left_out(const char *line, FILE *out)
{
	html_element("li", NULL, line, out);
	fputc('\n', out);
}

void comparison_html(const struct comparison *comparison, FILE *out)
{
	html_begin("spillway: what changed between two runs", out);
	fputs("<h1>What changed between two runs</h1>\n", out);
	print_sums(comparison, out);
	print_runs(comparison, out);
	print_verdicts(comparison, out);
	print_only(comparison, BEFORE, out);
	print_only(comparison, AFTER, out);
	print_common(comparison, out);
	print_cases(comparison, out);
	fputs("<h2>Left out, since it varies by nature</h2>\n<ul>\n", out);
	comparison_left_out(comparison, print_left_out, out);
	fputs("</ul>\n", out);
	if (comparison->uncompared > 0)
		fprintf(out, "<p>The messages of %zu cases could not be compared.</p>\n",
			comparison->uncompared);
	html_end(out);
}
