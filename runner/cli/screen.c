#include "runner/cli/screen.h"

#include <stdlib.h>
#include <string.h>

#include "reports/printable.h"
#include "runner/cli/commands.h"

/* The whole ladder is in the record and in every report. */
enum { LADDER_LINES = 10, LADDER_WIDTH = 150 };

/* What is printed of a finished case, kept until the end: in the suites' order, not the run's. */
struct screen_case {
	size_t place;
	unsigned int repetition;
	char *verdict;
	char *details; /* NULL: nothing to say beyond the verdict */
};

static size_t place_of(const struct screen *screen, const char *id)
{
	for (size_t i = 0; i < screen->selection->count; i++) {
		if (strcmp(screen->selection->items[i].test->id, id) == 0)
			return i;
	}
	return screen->selection->count;
}

/* The share of a case in the work: virtual time costs nothing, the IUT's time does. */
static double work_of(const struct screen *screen, size_t place)
{
	if (!screen->profile->live || place >= screen->selection->count)
		return 1;
	return 1 +
	       (double)case_iut_time(screen->selection->items[place].test, screen->profile) / 1e6;
}

typedef void piece(const struct result *result, const struct report_style *style, FILE *out);

static char *print_piece(piece *print, const struct result *result,
			 const struct report_style *style)
{
	char *buf = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buf, &size);

	if (out == NULL)
		return NULL;
	print(result, style, out);
	if (fclose(out) != 0) {
		free(buf);
		return NULL;
	}
	return buf;
}

static void keep(struct screen *screen, const struct result *result)
{
	struct screen_case *kept;

	if (screen->count == screen->size) {
		size_t size = screen->size == 0 ? 64 : 2 * screen->size;
		struct screen_case *more = realloc(screen->cases, size * sizeof(*more));

		if (more == NULL)
			return;
		screen->cases = more;
		screen->size = size;
	}
	kept = &screen->cases[screen->count++];
	*kept = (struct screen_case){
		.place = place_of(screen, result->id),
		.repetition = result->repetition,
		.verdict = print_piece(report_text_verdict, result, &screen->style),
	};
	if ((result->verdict != VERDICT_PASS && result->verdict != VERDICT_NA) ||
	    result->warning_count > 0)
		kept->details = print_piece(report_text_details, result, &screen->style);
}

static void draw(struct screen *screen, const struct run_counts *counts, bool force)
{
	static const enum verdict shown[] = { VERDICT_FAIL, VERDICT_INCONC, VERDICT_ERROR,
					      VERDICT_NA };
	char buf[160];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "%zu pass", counts->verdict[VERDICT_PASS]);
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		if (counts->verdict[shown[i]] > 0)
			text_printf(&text, ", %zu %s", counts->verdict[shown[i]],
				    verdict_name(shown[i]));
	}
	progress_line_draw(&screen->line, force, "[%zu/%zu] %s  %s", counts->finished,
			   counts->selected, buf, screen->current);
}

/* The verdicts of the first part of a resumed run. */
static void keep_earlier(struct screen *screen)
{
	struct results results = { 0 };
	char buf[256];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	if (results_read(screen->dir, &results, &why) != 0)
		return;
	results_keep_worst(&results);
	for (size_t i = 0; i < results.count; i++) {
		if (place_of(screen, results.items[i].id) < screen->selection->count)
			keep(screen, &results.items[i]);
	}
	results_clear(&results);
}

/* What a live run costs is known before it begins, and may be hours. */
static void announce(const struct run_progress *progress)
{
	uint64_t minutes = (progress->iut_time + 59999999) / 60000000;

	fprintf(stderr, "spillway run: %zu cases, about ",
		progress->counts->selected - progress->counts->finished);
	if (minutes >= 120)
		fprintf(stderr, "%llu h %llu min", (unsigned long long)(minutes / 60),
			(unsigned long long)(minutes % 60));
	else if (minutes > 1)
		fprintf(stderr, "%llu min", (unsigned long long)minutes);
	else
		fprintf(stderr, "%llu s",
			(unsigned long long)((progress->iut_time + 999999) / 1000000));
	fputs(" of the IUT's time", stderr);
	if (progress->max_duration > 0) {
		char buf[32];
		struct text text;

		text_init(&text, buf, sizeof(buf));
		duration_print(progress->max_duration, &text);
		fprintf(stderr, "; the run ends after %s (--max-duration)", buf);
	}
	fputc('\n', stderr);
}

static void started(struct screen *screen, const struct run_progress *progress)
{
	double total = 0;

	if (progress->dir != NULL)
		snprintf(screen->dir, sizeof(screen->dir), "%s", progress->dir);
	for (size_t i = 0; i < screen->selection->count; i++)
		total += work_of(screen, i);
	/* A shard, a resumed or a repeated run has another number of cases than the selection. */
	if (screen->selection->count > 0 && progress->counts != NULL)
		total *= (double)(progress->counts->selected - progress->counts->finished) /
			 (double)screen->selection->count;
	if (screen->profile->live && progress->counts != NULL)
		announce(progress);
	progress_line_start(&screen->line, total);
	if (screen->resumed)
		keep_earlier(screen);
}

void screen_open(struct screen *screen, const struct run_selection *selection,
		 const struct profile *profile, bool resumed, int colour)
{
	*screen = (struct screen){
		.selection = selection,
		.style = {
			.colours = terminal_colours(stdout, colour),
			.ladder_lines = LADDER_LINES,
			.ladder_width = LADDER_WIDTH,
		},
		.profile = profile,
		.resumed = resumed,
	};
	progress_line_start(&screen->line, 0);
	screen->streaming = profile->live && !screen->line.shown;
}

void screen_progress(struct screen *screen, const struct run_progress *progress)
{
	switch (progress->event) {
	case RUN_STARTED:
		started(screen, progress);
		break;
	case RUN_CASE:
		snprintf(screen->current, sizeof(screen->current), "%s", progress->id);
		if (progress->counts != NULL)
			draw(screen, progress->counts, screen->profile->live);
		break;
	case RUN_FINISHED:
		screen->line.done += work_of(screen, place_of(screen, progress->id));
		if (screen->streaming) {
			report_text_verdict(progress->result, &screen->style, stdout);
			fflush(stdout);
		}
		keep(screen, progress->result);
		if (progress->counts != NULL)
			draw(screen, progress->counts, false);
		break;
	case RUN_STEP:
		progress_line_clear(&screen->line);
		fprintf(stderr, "%s ", progress->id);
		print_line(progress->text, stderr);
		fputc('\n', stderr);
		break;
	case RUN_NOTE:
		progress_line_clear(&screen->line);
		fputs("spillway run: ", stderr);
		print_lines(progress->text, "", stderr);
		break;
	}
}

static int compare_cases(const void *left, const void *right)
{
	const struct screen_case *a = left, *b = right;

	if (a->repetition != b->repetition)
		return a->repetition < b->repetition ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

void screen_end(struct screen *screen, const struct run_counts *counts)
{
	progress_line_clear(&screen->line);
	if (screen->count > 1)
		qsort(screen->cases, screen->count, sizeof(screen->cases[0]), compare_cases);
	for (size_t i = 0; !screen->streaming && i < screen->count; i++)
		fputs(screen->cases[i].verdict == NULL ? "" : screen->cases[i].verdict, stdout);
	for (size_t i = 0; i < screen->count; i++) {
		if (screen->cases[i].details != NULL)
			printf("\n%s", screen->cases[i].details);
	}
	putchar('\n');
	if (screen->dir[0] != '\0')
		printf("record: %s\n", screen->dir);
	report_text_sums(counts, progress_line_seconds(&screen->line), &screen->style, stdout);
}

void screen_close(struct screen *screen)
{
	for (size_t i = 0; i < screen->count; i++) {
		free(screen->cases[i].verdict);
		free(screen->cases[i].details);
	}
	free(screen->cases);
}
