/* n2-ran: an NG-RAN node that is told to shed load by OVERLOAD START and OVERLOAD STOP. */
#include "suites/n2_ran/ran.h"

static const struct case_group groups[] = {
	{ action_cases, ACTION_CASES },	  { reduction_cases, REDUCTION_CASES },
	{ replace_cases, REPLACE_CASES }, { several_cases, SEVERAL_CASES },
	{ slice_cases, SLICE_CASES },	  { connected_cases, CONNECTED_CASES },
	{ error_cases, ERROR_CASES },	  { balance_cases, BALANCE_CASES },
};

static const struct not_tested not_tested[] = {
	{ "N2-R-11", "the text does not say whether NG Reset clears overload state: no verdict "
		     "could be given" },
	{ "N2-R-19", "the percentage is a may of stage 2 and a shall of stage 3; the suite judges "
		     "by stage 3 (N2-R-04)" },
	{ "N2-R-24", "about nodes that do not know OVERLOAD START or STOP: such a node claims no "
		     "n2-overload, and is not judged" },
	{ "N2-L-07", "needs UEs that the AMF has redirected to another one and that return from "
		     "CM-IDLE (23.501 5.19.4): no control action does that" },
};

const struct suite suite_n2_ran = {
	.name = "n2-ran",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
