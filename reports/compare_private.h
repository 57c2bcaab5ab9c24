/*
 * Between the files of reports/compare.h: what is compared of a case, each by its own file.
 */
#ifndef SPILLWAY_REPORTS_COMPARE_PRIVATE_H
#define SPILLWAY_REPORTS_COMPARE_PRIVATE_H

#include "reports/compare.h"

enum {
	CHANGE_TEXT_MAX = 1024, /* octets of a text that is kept */
	COMPARE_ROOM = 1 << 16,
};

/* The results of a case in one record: its repetitions stand one after the other. */
struct runs {
	const struct result *results;
	size_t count;
};
const struct result *runs_worst(const struct runs *runs);

/* "before", "after" */
extern const char *const comparison_sides[];
/* Cut where it is long, not in the middle of a character. NULL stays NULL. */
char *comparison_copy(struct comparison *comparison, const char *s);
__attribute__((format(printf, 2, 3))) void comparison_remark(struct comparison *comparison,
							     const char *format, ...);
void comparison_take_ignored(struct comparison *comparison,
			     const struct traffic_ignored ignored[VARYING_COUNT]);

/* Verdicts, reasons, warnings, durations. */
void comparison_results(struct comparison *comparison, struct case_comparison *item,
			const struct runs runs[2]);
/* What the IUT sent; room holds 2 * COMPARE_ROOM. */
void comparison_evidence(struct comparison *comparison, struct case_comparison *item,
			 const struct runs runs[2], struct message_decoder *decoder, char *room);

#endif
