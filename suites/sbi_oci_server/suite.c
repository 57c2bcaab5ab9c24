/* sbi-oci-server: an NF producer that tells its consumers of its load and overload over HTTP/2. */
#include "suites/sbi_oci_server/server.h"

static const struct case_group groups[] = {
	{ srv_header_cases, SRV_HEADER_CASES },	      { srv_inform_cases, SRV_INFORM_CASES },
	{ srv_timestamp_cases, SRV_TIMESTAMP_CASES }, { srv_status_cases, SRV_STATUS_CASES },
	{ srv_priority_cases, SRV_PRIORITY_CASES },   { srv_load_cases, SRV_LOAD_CASES },
	{ srv_token_cases, SRV_TOKEN_CASES },
};

static const struct not_tested not_tested[] = {
	{ "SB-S-01", "shows only where requests are neither refused nor answered: judged in "
		     "TP/SBI/SRV/ST/01" },
	{ "SB-S-05", "overload control by the header field is optional: a producer without it "
		     "claims no olc-h, and is not judged" },
	{ "SB-S-08", "a permission: the header field is taken with any status code by every case" },
	{ "SB-S-18", "a permission of consumers: where there is more than one element in a request "
		     "shows in sbi-oci-client" },
	{ "SB-L-09", "is about an SCP or SEPP, and no IUT is one" },
	{ "SB-L-10", "is about an SCP or SEPP, and no IUT is one" },
	{ "SB-L-11", "is about an SCP, and no IUT is one" },
};

const struct suite suite_sbi_oci_server = {
	.name = "sbi-oci-server",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
