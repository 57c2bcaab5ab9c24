/*
 * Reports of a run, made from the run record on disk and nothing else (design/cli.md), so that any
 * report can be made again later. A verdict other than pass never looks like one in any format.
 */
#ifndef SPILLWAY_REPORTS_REPORT_H
#define SPILLWAY_REPORTS_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "codecs/text.h"
#include "runner/case/results.h"

struct run_record {
	char *dir;
	json_t *run; /* run.json; an empty object where it is missing or torn */
	/* By suite, id, seed and repetition; where a line was repeated, the worst verdict stays. */
	struct results results;
	struct run_counts counts;
	/*
	 * What the record should hold and does not, by suite: NONE was selected and not run, NA was
	 * left out for --max-duration, ERROR went wrong outside every case. The suite "spillway"
	 * stands for the run as a whole: it was killed, a part is missing.
	 */
	struct results missing;
	bool incomplete; /* something of the verdict NONE is missing */
};

/*
 * Reads the run record in dir. A torn results.jsonl, or no run.json, makes it incomplete. 0, or a
 * negative errno with a sentence in why: no directory, no results.jsonl, or nothing that can be
 * read in either file.
 */
int run_record_read(const char *dir, struct run_record *record, struct text *why);
void run_record_clear(struct run_record *record);

/* A text member of run.json; NULL where it is absent. */
const char *run_record_word(const struct run_record *record, const char *member);

/* Where run.json has several IUTs, its words "iut" and "role" become all of them. */
void run_name_iuts(json_t *run);

/* Every renderer leaves errors of the stream to its owner (ferror). */
void report_junit(const struct run_record *record, FILE *out);
void report_tap(const struct run_record *record, FILE *out);
void report_json(const struct run_record *record, FILE *out);
void report_text(const struct run_record *record, FILE *out);
/* For the summary of a pipeline's step: below 1 MiB, whatever the record holds. */
void report_markdown(const struct run_record *record, FILE *out);
/* One self-contained page; reads the events and logs of the record. 0 or -ENOMEM. */
int report_html(const struct run_record *record, FILE *out);

/* Pieces of the text report, which `run` prints too. Colours are for terminals only. */
struct report_style {
	bool colours;
	/* Of the last messages, so many at the most, cut to this width; 0: all, whole. */
	size_t ladder_lines, ladder_width;
};
/* One line: verdict, id, reason where it is not a pass. */
void report_text_verdict(const struct result *result, const struct report_style *style, FILE *out);
/* A verdict other than pass and na, or a warning, at length. */
void report_text_details(const struct result *result, const struct report_style *style, FILE *out);
/* "11 of 696 cases are finished" and why, in one line. */
void report_incomplete(const struct run_record *record, struct text *out);
/* Sums; the number of warnings is the last line. seconds below 0: unknown. */
void report_text_sums(const struct run_counts *counts, double seconds,
		      const struct report_style *style, FILE *out);

/*
 * Joins run records into the directory out, which is made. A case in several records keeps its
 * worst verdict. 0 (why then holds remarks, or nothing), or a negative errno with a sentence.
 */
int report_merge(const char *const *dirs, size_t count, const char *out, struct text *why);

#endif
