/* show: cases of a run record at length on the terminal, each with its whole message ladder. */
#include "runner/cli/commands.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/ladder.h"
#include "reports/report.h"
#include "runner/cli/terminal.h"

static bool chosen(const struct word_list *globs, const struct result *result)
{
	for (size_t i = 1; i < globs->count; i++)
		if (fnmatch(globs->words[i], result->id, 0) == 0)
			return true;
	return globs->count < 2;
}

static void show(const struct run_record *record, const struct result *result,
		 const struct report_style *style)
{
	struct result story = *result;

	story.ladder = NULL; /* the whole one follows */
	report_text_details(&story, style, stdout);
	puts("  messages");
	if (result->evidence == NULL)
		puts("    not kept (run --evidence all)");
	else if (!ladder_print(record->dir, result->evidence, "    ", stdout))
		puts("    missing: events.jsonl of the case cannot be read");
	putchar('\n');
}

static int no_case(const struct invocation *invocation, const struct run_record *record,
		   const char *glob)
{
	const char **ids = calloc(record->results.count + 1, sizeof(*ids));
	const char *nearest;
	int status;

	for (size_t i = 0; ids != NULL && i < record->results.count; i++)
		ids[i] = record->results.items[i].id;
	nearest = ids == NULL ? NULL : nearest_word(glob, ids, record->results.count);
	if (nearest != NULL)
		status = command_error(invocation, EXIT_USAGE,
				       "%s: no case '%s' (did you mean '%s'?)", record->dir, glob,
				       nearest);
	else
		status = command_error(invocation, EXIT_USAGE, "%s: no case '%s'", record->dir,
				       glob);
	free(ids);
	return status;
}

/* Each word has to mean a case that is there. */
static int all_there(const struct invocation *invocation, const struct run_record *record)
{
	const struct word_list *globs = &invocation->settings.operands;

	for (size_t w = 1; w < globs->count; w++) {
		size_t i = 0;

		while (i < record->results.count &&
		       fnmatch(globs->words[w], record->results.items[i].id, 0) != 0)
			i++;
		if (i == record->results.count)
			return no_case(invocation, record, globs->words[w]);
	}
	return EXIT_PASSED;
}

int command_show(struct invocation *invocation)
{
	const struct report_style style = { .colours = terminal_colours(
						    stdout, invocation->settings.colour) };
	struct run_record record;
	char buf[512];
	struct text why;
	int status;

	text_init(&why, buf, sizeof(buf));
	if (run_record_read(invocation->settings.operands.words[0], &record, &why) != 0)
		return command_error(invocation, EXIT_USAGE, "%s", buf);
	status = all_there(invocation, &record);
	for (size_t i = 0; status == EXIT_PASSED && i < record.results.count; i++)
		if (chosen(&invocation->settings.operands, &record.results.items[i]))
			show(&record, &record.results.items[i], &style);
	run_record_clear(&record);
	return status == EXIT_PASSED ? output_done(invocation, EXIT_PASSED) : status;
}
