/* n4-oci-up: a UP function that tells CP functions of its load and overload over PFCP. */
#include "suites/n4_oci_up/told.h"

static const struct case_group groups[] = {
	{ told_format_cases, FORMAT_CASES }, { told_sequence_cases, SEQUENCE_CASES },
	{ told_inform_cases, INFORM_CASES }, { told_repeat_cases, REPEAT_CASES },
	{ told_load_cases, LOAD_CASES },
};

static const struct not_tested not_tested[] = {
	{ "N4-U-01", "overload control is optional: a UP function without it claims no oci, and is "
		     "not judged" },
	{ "N4-U-09", "a permission: larger steps of the sequence number are taken by every case" },
	{ "N4-U-17", "the text does not say what a significant load is; that no message is sent "
		     "for overload control alone is TP/N4/UP/FMT/X01" },
	{ "N4-U-19", "a permission: which requests are served in overload is not judged" },
	{ "N4-U-21", "the default priority of a request without one is not standardised, and shows "
		     "on no wire" },
	{ "N4-U-26", "shows at the receiver: TP/N4/CP/LCI/01" },
};

const struct suite suite_n4_oci_up = {
	.name = "n4-oci-up",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
