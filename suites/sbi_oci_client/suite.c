/* sbi-oci-client: an NF consumer that producers tell of overload and load. */
#include "suites/sbi_oci_client/client.h"

static const struct case_group groups[] = {
	{ cli_loss_cases, CLI_LOSS_CASES },	{ cli_validity_cases, CLI_VALIDITY_CASES },
	{ cli_scope_cases, CLI_SCOPE_CASES },	{ cli_syntax_cases, CLI_SYNTAX_CASES },
	{ cli_status_cases, CLI_STATUS_CASES }, { cli_priority_cases, CLI_PRIORITY_CASES },
	{ cli_load_cases, CLI_LOAD_CASES },	{ cli_token_cases, CLI_TOKEN_CASES },
	{ cli_scp_cases, CLI_SCP_CASES },
};

static const struct not_tested not_tested[] = {
	{ "SB-C-14", "is about a consumer that does not claim olc-h, whose cases are then na; a "
		     "response with OCI that cannot be used is in TP/SBI/CLI/ERR/01" },
	{ "SB-C-21", "is judged in TP/SBI/CLI/PRIO/02, together with SB-C-22" },
	{ "SB-S-18", "no control action overloads a consumer" },
	{ "SB-L-07", "LCI of overlapping scopes shows in nothing but the balance of two services "
		     "of one instance, and a consumer asks for one" },
	{ "SB-L-09", "is about an SCP or SEPP, and no IUT is one: an SCP is played" },
	{ "SB-L-10", "is about an SCP or SEPP, and no IUT is one; what a consumer makes of these "
		     "answers is in TP/SBI/CLI/SCP/X05 and X06" },
	{ "SB-L-11", "is about an SCP, and no IUT is one; what a consumer makes of both is in "
		     "TP/SBI/CLI/SCP/X02 and X04" },
	{ "NR-11", "is about the AMF's own service, whose answers are those of the N1 and N2 "
		   "suites' IUT; its SBI is not asked" },
};

const struct suite suite_sbi_oci_client = {
	.name = "sbi-oci-client",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
