/*
 * Cases in processes of their own: what such a process says to the supervisor, on both ends.
 */
#ifndef SPILLWAY_RUNNER_CASE_CASE_CHILD_H
#define SPILLWAY_RUNNER_CASE_CASE_CHILD_H

#include "runner/case/child.h"
#include "runner/case/stage.h"
#include "runner/case/undo.h"

/* Runs the case and says everything about it on fd; for the body of a child. */
void case_child_run(int fd, const struct stage_options *options);

/* What the supervisor has heard of one case. */
struct case_report {
	struct result result;
	bool has_result;
	bool touched;	  /* the IUT may have seen something */
	bool answered;	  /* the IUT did answer */
	bool unreachable; /* it could not be reached at all */
	int record_error; /* errno of the record, 0: none */
	uint32_t subscriber, gnb_id;
	struct undo *undo; /* of the owner; may be NULL */
};

/* One line of a child; false where it is none of a case. */
bool case_report_take(struct case_report *report, const char *line, size_t len);

#endif
