/* n1-congestion: an AMF that sheds load by NAS-level mobility management congestion control. */
#include "suites/n1_congestion/congestion.h"

static const struct case_group groups[] = {
	{ exempt_request_cases, EXEMPT_REQUEST_CASES },
	{ exempt_situation_cases, EXEMPT_SITUATION_CASES },
	{ exempt_more_cases, EXEMPT_MORE_CASES },
	{ reject_cases, REJECT_CASES },
	{ reject_bounds_cases, REJECT_BOUNDS_CASES },
	{ code_cases, CODE_CASES },
	{ desync_cases, DESYNC_CASES },
	{ neighbour_cases, NEIGHBOUR_CASES },
	{ behind_cases, BEHIND_CASES },
	{ behind_load_cases, BEHIND_LOAD_CASES },
};

static const struct not_tested not_tested[] = {
	{ "N1-A-16", "informational; that load levels drive both mechanisms is seen by "
		     "TP/N2/AMF/SEQ/08" },
	{ "N1-A-30", "a tolerance without a requirement: an AMF may choose T3346 by a UE's "
		     "communication pattern, which no control action sets" },
	{ "N1-X-01", "DNN based session management congestion control (T3396) is a mechanism of "
		     "its own; this suite judges mobility management" },
	{ "N1-X-02", "S-NSSAI based session management congestion control (T3584, T3585) is a "
		     "mechanism of its own; this suite judges mobility management" },
	{ "N1-X-03", "group specific control is done inside the core and not seen on N1" },
	{ "N1-X-04", "that the AMF holds back further control plane data is seen on N11 only; the "
		     "reject itself is TP/N1/AMF/CIOT/01" },
	{ "N1-X-05", "T3447 in accepts is a subscription figure; the reject inside the gap is "
		     "TP/N1/AMF/GAP/01" },
	{ "N1-X-06", "a definition of causes; their use for congestion is TP/N1/AMF/SNPN/01" },
};

const struct suite suite_n1_congestion = {
	.name = "n1-congestion",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
