/* report and merge: what is made of run records on disk. */
#include "runner/cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reports/report.h"

static int print_junit(const void *record, FILE *out)
{
	report_junit(record, out);
	return 0;
}

static int print_tap(const void *record, FILE *out)
{
	report_tap(record, out);
	return 0;
}

static int print_json(const void *record, FILE *out)
{
	report_json(record, out);
	return 0;
}

static int print_html(const void *record, FILE *out)
{
	return report_html(record, out);
}

static int print_text(const void *record, FILE *out)
{
	report_text(record, out);
	return 0;
}

static int print_markdown(const void *record, FILE *out)
{
	report_markdown(record, out);
	return 0;
}

static output_fn *const renderers[] = {
	[FORMAT_JUNIT] = print_junit, [FORMAT_TAP] = print_tap,
	[FORMAT_JSON] = print_json,   [FORMAT_HTML] = print_html,
	[FORMAT_TEXT] = print_text,   [FORMAT_MARKDOWN] = print_markdown,
};

/* Status, or EXIT_INCONCLUSIVE with a message where the record is not whole. */
static int whole(const struct invocation *invocation, const struct run_record *record, int status)
{
	char buf[2048];
	struct text text;

	if (!record->incomplete || status != EXIT_PASSED)
		return status;
	text_init(&text, buf, sizeof(buf));
	report_incomplete(record, &text);
	return command_error(invocation, EXIT_INCONCLUSIVE, "%s: %s", record->dir, buf);
}

int command_report(struct invocation *invocation)
{
	const struct settings *settings = &invocation->settings;
	struct run_record record;
	char buf[512];
	struct text why;
	int status;

	if (settings->format == FORMAT_NONE)
		return usage_error(invocation,
				   "--format is missing: junit, tap, json, html, text or markdown");
	text_init(&why, buf, sizeof(buf));
	if (run_record_read(settings->operands.words[0], &record, &why) != 0)
		return command_error(invocation, EXIT_USAGE, "%s", buf);
	if (record.results.torn > 0)
		command_error(invocation, 0, "%zu torn line%s of results.jsonl passed over",
			      record.results.torn, record.results.torn == 1 ? "" : "s");
	status = output_write(invocation, renderers[settings->format], &record);
	status = whole(invocation, &record, status);
	run_record_clear(&record);
	return status;
}

int command_merge(struct invocation *invocation)
{
	const struct settings *settings = &invocation->settings;
	struct run_record joined;
	char buf[2048];
	struct text why;
	int rc;

	if (settings->out == NULL)
		return usage_error(invocation, "-o DIR is missing");
	text_init(&why, buf, sizeof(buf));
	rc = report_merge(settings->operands.words, settings->operands.count, settings->out, &why);
	if (rc != 0)
		return command_error(invocation,
				     rc == -ENOSPC || rc == -EIO || rc == -ENOMEM ? EXIT_RIG
										  : EXIT_USAGE,
				     "%s", buf);
	if (why.len > 0)
		command_error(invocation, 0, "%s", buf);
	text_init(&why, buf, sizeof(buf));
	if (run_record_read(settings->out, &joined, &why) != 0)
		return command_error(invocation, EXIT_RIG, "%s", buf);
	rc = whole(invocation, &joined, EXIT_PASSED);
	run_record_clear(&joined);
	return rc;
}
