#include "runner/cli/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "codecs/text.h"
#include "runner/cli/options.h"

#define DRAW_EVERY_US UINT64_C(80000)

bool terminal_colours(FILE *stream, int choice)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (choice == COLOUR_ALWAYS || choice == COLOUR_NEVER)
		return choice == COLOUR_ALWAYS;
	return isatty(fileno(stream)) && (no == NULL || no[0] == '\0') &&
	       (term == NULL || strcmp(term, "dumb") != 0);
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void progress_line_start(struct progress_line *line, double total)
{
	*line = (struct progress_line){
		.shown = isatty(STDERR_FILENO) != 0,
		.started_us = now_us(),
		.total = total,
	};
}

double progress_line_seconds(const struct progress_line *line)
{
	return (double)(now_us() - line->started_us) / 1e6;
}

static void put_left(const struct progress_line *line, struct text *out)
{
	double spent = progress_line_seconds(line);
	double left;

	if (line->done <= 0 || spent < 1 || line->total <= line->done)
		return;
	left = spent * (line->total - line->done) / line->done;
	if (left < 90)
		text_printf(out, ", %.0f s left", left);
	else if (left < 5400)
		text_printf(out, ", %.0f min left", left / 60);
	else
		text_printf(out, ", %.1f h left", left / 3600);
}

void progress_line_draw(struct progress_line *line, bool force, const char *format, ...)
{
	struct winsize size;
	char buf[512], front[256];
	struct text text;
	va_list args;
	int columns = 80;

	if (!line->shown || (!force && now_us() - line->drawn_us < DRAW_EVERY_US))
		return;
	line->drawn_us = now_us();
	va_start(args, format);
	vsnprintf(front, sizeof(front), format, args);
	va_end(args);
	text_init(&text, buf, sizeof(buf));
	text_puts(&text, front);
	put_left(line, &text);
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		columns = size.ws_col;
	fprintf(stderr, "\r\033[K%.*s", columns - 1, buf);
	fflush(stderr);
}

void progress_line_clear(struct progress_line *line)
{
	if (!line->shown || line->drawn_us == 0)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	line->drawn_us = 0;
}
