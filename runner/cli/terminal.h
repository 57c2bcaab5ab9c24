/*
 * What depends on whether a person looks on: colours, and one line of progress that is written over
 * and over. In a log neither appears.
 */
#ifndef SPILLWAY_RUNNER_CLI_TERMINAL_H
#define SPILLWAY_RUNNER_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* enum colour_word; unless it says it: a terminal that is not dumb, and NO_COLOR is not set. */
bool terminal_colours(FILE *stream, int choice);

/*
 * The progress line on standard error. Its clock is the person's: it shows how long is left and
 * decides nothing.
 */
struct progress_line {
	bool shown; /* standard error is a terminal */
	uint64_t started_us, drawn_us;
	double done, total; /* work, in any unit */
};

void progress_line_start(struct progress_line *line, double total);
/* Draws the line anew, at most some ten times a second (or always, with force). */
__attribute__((format(printf, 3, 4))) void progress_line_draw(struct progress_line *line,
							      bool force, const char *format, ...);
/* Takes the line off the screen, for other output or at the end. */
void progress_line_clear(struct progress_line *line);
double progress_line_seconds(const struct progress_line *line);

#endif
