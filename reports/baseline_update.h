/*
 * A baseline brought up to date with a run: reasons are a person's work, so none is lost, and none
 * is made up.
 */
#ifndef SPILLWAY_REPORTS_BASELINE_UPDATE_H
#define SPILLWAY_REPORTS_BASELINE_UPDATE_H

#include "reports/report.h"
#include "runner/case/run.h"

/* What became of an entry, or of a case that has none. */
enum baseline_fate {
	BASELINE_KEPT,		  /* it ends as the entry says */
	BASELINE_NOT_JUDGED,	  /* kept: the case was not run, or is not applicable */
	BASELINE_STALE,		  /* left out: the case passes */
	BASELINE_NO_CASE,	  /* left out: there is no case of this id */
	BASELINE_UNEXPLAINED_OLD, /* somebody still has to write the reason */
	BASELINE_UNEXPLAINED_NEW, /* the same, of a case that had no entry */
	BASELINE_OTHER_VERDICT,	  /* the same: it had a reason for another verdict */
	BASELINE_UNSTEADY,	  /* beside another fate: repetitions end differently */
	BASELINE_FATE_COUNT,
};

struct baseline_update {
	struct baseline_item {
		enum baseline_fate fate;
		char *line;  /* to be written; NULL where it is left out */
		char *about; /* what there is to say; NULL for a comment, or an empty line */
	} * items;
	size_t count;
	size_t fates[BASELINE_FATE_COUNT];
};

/*
 * old may be NULL. 0, -EINVAL with "FILE:LINE: what is wrong" for each line of old that is none, or
 * another negative errno, with a sentence in why.
 */
int baseline_update_make(struct baseline_update *update, const struct run_record *record,
			 const struct run_world *world, const char *old, struct text *why);
void baseline_update_clear(struct baseline_update *update);

/* The file. */
void baseline_update_print(const struct baseline_update *update, FILE *out);
/* How many entries have no reason. */
size_t baseline_update_unexplained(const struct baseline_update *update);
/* What somebody has to look at, a line each; the sums last. */
void baseline_update_remarks(const struct baseline_update *update, FILE *out);

#endif
