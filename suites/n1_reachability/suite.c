/* n1-reachability: an AMF that supervises silent UEs, and those that it has silenced itself. */
#include "suites/n1_reachability/supervision.h"

static const struct case_group groups[] = {
	{ back_off_cases, BACK_OFF_CASES },
	{ expiry_cases, EXPIRY_CASES },
	{ connection_cases, CONNECTION_CASES },
	{ access_cases, ACCESS_CASES },
};

static const struct not_tested not_tested[] = {
	{ "N1-A-41",
	  "stage 2 has another threshold for the same adjustment; on the wire it is what "
	  "TP/N1/REACH/01 and 02 judge by stage 3, and an AMF that follows stage 2 "
	  "passes them" },
	{ "N1-A-46", "no requirement: no context is kept for a UE whose initial registration is "
		     "rejected, so none is looked for" },
};

const struct suite suite_n1_reachability = {
	.name = "n1-reachability",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
