/* baseline: the known failures of an IUT, brought up to date with a run. */
#include "runner/cli/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/baseline_update.h"

static int print(const void *update, FILE *out)
{
	baseline_update_print(update, out);
	return 0;
}

/*
 * Reasons are a person's work: the file that has them is replaced by a whole one, or not at all.
 * What is no file (a pipe, a terminal) is written to as it is.
 */
static int write_baseline(struct invocation *invocation, const struct baseline_update *update)
{
	const char *path = invocation->settings.out;
	struct stat status;
	char *new_path;
	int exit_status;

	if (path == NULL || (lstat(path, &status) == 0 && !S_ISREG(status.st_mode)))
		return output_write(invocation, print, update);
	if (asprintf(&new_path, "%s.new", path) < 0)
		return command_error(invocation, EXIT_RIG, "out of memory");
	invocation->settings.out = new_path;
	exit_status = output_write(invocation, print, update);
	invocation->settings.out = path;
	if (exit_status == EXIT_PASSED && rename(new_path, path) != 0)
		exit_status = command_error(invocation, EXIT_RIG, "%s: %s", path, strerror(errno));
	if (exit_status == EXIT_RIG)
		unlink(new_path);
	free(new_path);
	return exit_status;
}

int command_baseline(struct invocation *invocation)
{
	const struct settings *settings = &invocation->settings;
	struct baseline_update update;
	struct run_record record;
	char buf[4096];
	struct text why;
	int status, rc;

	text_init(&why, buf, sizeof(buf));
	if (run_record_read(settings->operands.words[0], &record, &why) != 0)
		return command_error(invocation, EXIT_USAGE, "%s", buf);
	text_init(&why, buf, sizeof(buf));
	rc = baseline_update_make(&update, &record, &invocation->registry->world,
				  settings->baseline, &why);
	if (rc != 0) {
		run_record_clear(&record);
		return command_error(invocation, rc == -EINVAL ? EXIT_USAGE : EXIT_RIG, "%s", buf);
	}
	status = write_baseline(invocation, &update);
	if (status == EXIT_PASSED) {
		baseline_update_remarks(&update, stderr);
		if (baseline_update_unexplained(&update) > 0)
			status = EXIT_FAILED;
		else if (record.incomplete || record.results.torn > 0)
			status = EXIT_INCONCLUSIVE;
	}
	if (record.incomplete) {
		text_init(&why, buf, sizeof(buf));
		report_incomplete(&record, &why);
		command_error(invocation, 0, "%s: %s", record.dir, buf);
	}
	baseline_update_clear(&update);
	run_record_clear(&record);
	return status;
}
