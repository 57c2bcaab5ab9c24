/* n4-oci-cp: a CP function that is told of overload and load by UP functions. */
#include "suites/n4_oci_cp/oci.h"

static const struct case_group groups[] = {
	{ cp_loss_cases, LOSS_CASES },	       { cp_loss_more_cases, LOSS_MORE_CASES },
	{ cp_sequence_cases, SEQUENCE_CASES }, { cp_validity_cases, VALIDITY_CASES },
	{ cp_encoding_cases, ENCODING_CASES }, { cp_scope_cases, SCOPE_CASES },
	{ cp_priority_cases, PRIORITY_CASES }, { cp_load_cases, LOAD_CASES },
};

static const struct not_tested not_tested[] = {
	{ "N4-C-16", "what counts besides emergency and MPS (procedure, DNN, 5QI, ARP, LAPI) and "
		     "how is the operator's to say, and no control action offers requests that "
		     "differ in it" },
	{ "N4-C-24", "the priority that a CP function gives to a response without one shows in "
		     "nothing that it sends" },
};

const struct suite suite_n4_oci_cp = {
	.name = "n4-oci-cp",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
