/* n2-overload: an AMF that sheds load by OVERLOAD START and OVERLOAD STOP. */
#include "suites/n2_overload/overload.h"

static const struct case_group groups[] = {
	{ format_cases, FORMAT_CASES },
	{ load_cases, LOAD_CASES },
	{ sequence_cases, SEQUENCE_CASES },
	{ capacity_cases, CAPACITY_CASES },
};

static const struct not_tested not_tested[] = {
	{ "N2-A-09", "the standard leaves open who spreads the load of several overloaded AMFs: a "
		     "matter of deployment, not of one IUT" },
};

const struct suite suite_n2_overload = {
	.name = "n2-overload",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
