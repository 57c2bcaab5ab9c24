/*
 * What a person sees of a run: one line of progress while it goes, then the verdicts in the order
 * of the suites, what is to say about those that are not a plain pass, and the sums.
 */
#ifndef SPILLWAY_RUNNER_CLI_SCREEN_H
#define SPILLWAY_RUNNER_CLI_SCREEN_H

#include "reports/report.h"
#include "runner/case/run.h"
#include "runner/cli/terminal.h"

struct screen_case;

struct screen {
	const struct run_selection *selection;
	struct report_style style;
	struct progress_line line;
	const struct profile *profile;
	bool resumed;	/* what the record held before is shown too */
	bool streaming; /* a live run in a log: each verdict when it is known */
	struct screen_case *cases;
	size_t count, size;
	char current[128];
	char dir[4096];
};

/* Selection and profile have to outlive the screen; colour is an enum colour_word. */
void screen_open(struct screen *screen, const struct run_selection *selection,
		 const struct profile *profile, bool resumed, int colour);
void screen_progress(struct screen *screen, const struct run_progress *progress);
/* Verdicts, details and sums on standard output; the number of warnings is the last line. */
void screen_end(struct screen *screen, const struct run_counts *counts);
void screen_close(struct screen *screen);

#endif
