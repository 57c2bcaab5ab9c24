/* n1-backoff: a UE that the network sends away for a while with T3346. */
#include "suites/n1_backoff/backoff.h"

static const struct case_group groups[] = {
	{ start_cases, START_CASES },	    { unprotected_cases, UNPROTECTED_CASES },
	{ abnormal_cases, ABNORMAL_CASES }, { stop_cases, STOP_CASES },
	{ keep_cases, KEEP_CASES },	    { allow_cases, ALLOW_CASES },
	{ listed_cases, LISTED_CASES },	    { both_access_cases, BOTH_ACCESS_CASES },
	{ t3502_cases, T3502_CASES },	    { expired_cases, EXPIRED_CASES },
};

static const struct not_tested not_tested[] = {
	{ "N1-U-14",
	  "what a reject makes the UE tell its upper layers is not on N1, and no control "
	  "action asks for it" },
	{ "N1-U-15", "a may, and for UEs that are onboarded in an SNPN: no control action makes a "
		     "UE one" },
	{ "N1-U-16", "about EPS in single-registration mode: there is no EPS side on N1" },
	{ "N1-U-17", "T3448 holds back user data over the control plane: no control action makes a "
		     "UE send any" },
	{ "N1-U-46",
	  "that T3346 bars the call is TP/N1/UE/ALLOW/X08; what the upper layers are told "
	  "is not on N1, and no control action asks for it" },
	{ "N1-U-47", "no control action changes the 5GSM core network capability, or asks for an "
		     "always-on PDU session" },
	{ "N1-U-62", "informational: cause 22 is none of the causes that T3247 is about" },
	{ "N1-U-63", "informational: T3540 is not started for cause 22, and nothing on N1 would "
		     "show it" },
};

const struct suite suite_n1_backoff = {
	.name = "n1-backoff",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
