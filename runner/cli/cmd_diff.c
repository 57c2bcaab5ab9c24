/* diff: what changed between two run records. */
#include "runner/cli/commands.h"

#include "reports/compare.h"

static int print_text(const void *comparison, FILE *out)
{
	comparison_text(comparison, out);
	return 0;
}

static int print_html(const void *comparison, FILE *out)
{
	comparison_html(comparison, out);
	return 0;
}

static int print_json(const void *comparison, FILE *out)
{
	comparison_json(comparison, out);
	return 0;
}

static output_fn *const renderers[] = {
	[DIFF_FORMAT_DEFAULT] = print_text,
	[DIFF_FORMAT_TEXT] = print_text,
	[DIFF_FORMAT_HTML] = print_html,
	[DIFF_FORMAT_JSON] = print_json,
};

static int status_of(const struct comparison *comparison)
{
	if (comparison->worse > 0)
		return EXIT_FAILED;
	if (!comparison_is_empty(comparison) || comparison->uncompared > 0)
		return EXIT_INCONCLUSIVE;
	for (int side = BEFORE; side <= AFTER; side++) {
		if (comparison->records[side]->incomplete ||
		    comparison->records[side]->results.torn > 0)
			return EXIT_INCONCLUSIVE;
	}
	return comparison->gaps > 0 ? EXIT_INCONCLUSIVE : EXIT_PASSED;
}

static int compare(const struct invocation *invocation, const struct run_record records[2])
{
	struct comparison comparison;
	int status;

	if (comparison_make(&comparison, &records[BEFORE], &records[AFTER],
			    invocation->settings.noise) != 0)
		return command_error(invocation, EXIT_RIG, "out of memory");
	status = output_write(invocation, renderers[invocation->settings.format], &comparison);
	if (status == EXIT_PASSED)
		status = status_of(&comparison);
	comparison_clear(&comparison);
	return status;
}

int command_diff(struct invocation *invocation)
{
	struct run_record records[2];
	char buf[512];
	struct text why;
	int status, read = 0;

	while (read < 2) {
		text_init(&why, buf, sizeof(buf));
		if (run_record_read(invocation->settings.operands.words[read], &records[read],
				    &why) != 0)
			break;
		read++;
	}
	if (read == 2)
		status = compare(invocation, records);
	else
		status = command_error(invocation, EXIT_USAGE, "%s", buf);
	while (read > 0)
		run_record_clear(&records[--read]);
	return status;
}
