/* The comparison for a terminal: verdicts first, then what changed in many cases, then each case.
 */
#include <string.h>

#include "reports/compare.h"
#include "reports/printable.h"

enum { COMMON_SHOWN = 40, CASES_NAMED = 4, CHANGES_SHOWN = 40, WIDTH = 200 };

/* One line's worth of a text of whoever wrote it. */
static void put(const char *s, FILE *out)
{
	print_last_lines(s, "", 1, WIDTH, out);
}

static void put_word(const char *s, FILE *out)
{
	print_line(s == NULL ? "" : s, out);
}

static void print_record(const struct run_record *record, const char *side, FILE *out)
{
	static const char *const members[] = { "iut", "version", "profile", "mode", "started" };

	fprintf(out, "%-7s ", side);
	print_line(record->dir, out);
	fputc(':', out);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const char *word = run_record_word(record, members[i]);

		if (word == NULL)
			continue;
		fprintf(out, "%s %s ", i > 0 ? "," : "", members[i]);
		print_line(word, out);
	}
	fprintf(out, ", %zu results\n", record->results.count);
}

static void print_name(const struct change *change, FILE *out)
{
	switch (change->kind) {
	case CHANGE_VERDICT_WORSE:
	case CHANGE_VERDICT_BETTER:
	case CHANGE_VERDICT_OTHER:
		fputs("verdict", out);
		return;
	case CHANGE_REASON:
		fputs("reason", out);
		return;
	case CHANGE_WARNING:
		fputs("warning", out);
		return;
	case CHANGE_DURATION:
		fputs("time of the IUT", out);
		return;
	case CHANGE_DELAY:
		fputs("until ", out);
		break;
	case CHANGE_NUMBER:
		fputs("number of ", out);
		break;
	default:
		break;
	}
	put_word(change->type, out);
	if (change->field != NULL) {
		fputs(", ", out);
		print_line(change->field, out);
	}
}

static void print_values(const struct change *change, FILE *out)
{
	const char *before = change->before, *after = change->after;

	if (change->kind == CHANGE_MESSAGE || change->kind == CHANGE_WARNING) {
		fputs(before == NULL ? "new" : "gone", out);
		fputs(": ", out);
		put_word(before == NULL ? after : before, out);
		return;
	}
	put_word(before == NULL ? "(not there)" : before, out);
	fputs(" -> ", out);
	put_word(after == NULL ? "(not there)" : after, out);
}

static void print_change(const struct change *change, FILE *out)
{
	fputs("    ", out);
	if (change->lane != NULL) {
		print_line(change->lane, out);
		fputc(' ', out);
	}
	print_name(change, out);
	fputs(": ", out);
	print_values(change, out);
	if (change->times > 1)
		fprintf(out, "  (%zu times)", change->times);
	fputc('\n', out);
}

static void print_verdicts(const struct comparison *comparison, enum change_kind kind,
			   const char *heading, FILE *out)
{
	bool first = true;

	for (size_t i = 0; i < comparison->count; i++) {
		const struct case_comparison *item = &comparison->cases[i];

		if (item->count == 0 || item->changes[0].kind != kind)
			continue;
		if (first)
			fprintf(out, "\n%s\n", heading);
		first = false;
		fputs("  ", out);
		print_line(item->id, out);
		fputs("  ", out);
		print_values(&item->changes[0], out);
		if (item->count > 1 && item->changes[1].kind == CHANGE_REASON &&
		    item->changes[1].after[0] != '\0') {
			fputs("  ", out);
			print_line(item->changes[1].after, out);
		}
		fputc('\n', out);
	}
}

static void print_most(const char *value, size_t different, FILE *out)
{
	put_word(value == NULL ? "(not there)" : value, out);
	if (different > 1)
		fprintf(out, " and %zu other%s", different - 1, different == 2 ? "" : "s");
}

static void print_common_values(const struct common_change *common, FILE *out)
{
	print_most(common->change.before, common->different[BEFORE], out);
	fputs(" -> ", out);
	print_most(common->change.after, common->different[AFTER], out);
}

static void print_common(const struct comparison *comparison, FILE *out)
{
	size_t count;
	struct common_change *common = comparison_common(comparison, &count);

	if (count > 0)
		fputs("\nwhat the IUT sent, over all cases\n", out);
	for (size_t i = 0; i < count && i < COMMON_SHOWN; i++) {
		fputs("  ", out);
		print_name(&common[i].change, out);
		fputs(": ", out);
		if (common[i].change.kind == CHANGE_MESSAGE)
			fputs(common[i].change.before == NULL ? "new" : "gone", out);
		else
			print_common_values(&common[i], out);
		fprintf(out, "  (%zu case%s:", common[i].count, common[i].count == 1 ? "" : "s");
		for (size_t c = 0; c < common[i].count && c < CASES_NAMED; c++) {
			fputc(' ', out);
			print_line(comparison->cases[common[i].cases[c]].id, out);
		}
		fputs(common[i].count > CASES_NAMED ? " ...)\n" : ")\n", out);
	}
	if (count > COMMON_SHOWN)
		fprintf(out, "  and %zu more\n", count - COMMON_SHOWN);
	common_free(common, count);
}

static void print_cases(const struct comparison *comparison, FILE *out)
{
	for (size_t i = 0; i < comparison->count; i++) {
		const struct case_comparison *item = &comparison->cases[i];
		size_t more = item->more;

		if (item->count == 0 && item->why == NULL)
			continue;
		fputc('\n', out);
		print_line(item->id, out);
		if (item->clause != NULL) {
			fputs("  ", out);
			print_line(item->clause, out);
		}
		fputc('\n', out);
		for (size_t c = 0; c < item->count && c < CHANGES_SHOWN; c++)
			print_change(&item->changes[c], out);
		if (item->count > CHANGES_SHOWN)
			more += item->count - CHANGES_SHOWN;
		if (more > 0)
			fprintf(out, "    and %zu more\n", more);
		if (item->why != NULL) {
			fputs("    the messages are not compared; ", out);
			print_line(item->why, out);
			fputc('\n', out);
		}
	}
}

static void print_only(const struct comparison *comparison, int side, FILE *out)
{
	if (comparison->only[side] == 0)
		return;
	fprintf(out, "\nonly %s\n", side == BEFORE ? "before" : "after");
	for (size_t i = 0; i < comparison->count; i++) {
		const struct case_comparison *item = &comparison->cases[i];

		if (!item->there[side] || item->there[!side])
			continue;
		fprintf(out, "  %-6s  ", verdict_name(item->verdict[side]));
		print_line(item->id, out);
		fputc('\n', out);
	}
}

static void print_left_out(const char *line, FILE *out)
{
	fputs("  ", out);
	print_line(line, out);
	fputc('\n', out);
}

void comparison_text(const struct comparison *comparison, FILE *out)
{
	print_record(comparison->records[BEFORE], "before", out);
	print_record(comparison->records[AFTER], "after", out);
	for (size_t i = 0; i < comparison->remark_count; i++) {
		fputs("note    ", out);
		put(comparison->remarks[i], out);
	}
	print_verdicts(comparison, CHANGE_VERDICT_WORSE, "worse", out);
	print_verdicts(comparison, CHANGE_VERDICT_BETTER, "better", out);
	print_verdicts(comparison, CHANGE_VERDICT_OTHER, "judged otherwise", out);
	print_only(comparison, BEFORE, out);
	print_only(comparison, AFTER, out);
	print_common(comparison, out);
	print_cases(comparison, out);
	fputs("\nleft out, since it varies by nature\n", out);
	comparison_left_out(comparison, print_left_out, out);
	if (comparison->uncompared > 0)
		fprintf(out, "the messages of %zu case%s could not be compared\n",
			comparison->uncompared, comparison->uncompared == 1 ? "" : "s");
	fprintf(out,
		"\n%zu cases in both: %zu worse, %zu better, %zu judged otherwise, %zu with the "
		"same "
		"verdict, of which %zu changed; %zu only before, %zu only after\n",
		comparison->count - comparison->only[BEFORE] - comparison->only[AFTER],
		comparison->worse, comparison->better, comparison->other, comparison->same,
		comparison->changed, comparison->only[BEFORE], comparison->only[AFTER]);
}
