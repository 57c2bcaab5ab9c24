/* The program: which suites and which reference IUTs it carries. */
#include "runner/cli/program.h"

#include "fixtures/reference/reference.h"
#include "spillway_commit.h"

extern const struct suite suite_n1_backoff;
extern const struct suite suite_n1_congestion;
extern const struct suite suite_n1_reachability;
extern const struct suite suite_n2_overload;
extern const struct suite suite_n2_ran;
extern const struct suite suite_n4_oci_cp;
extern const struct suite suite_n4_oci_up;
extern const struct suite suite_nrf_load;
extern const struct suite suite_sbi_oci_client;
extern const struct suite suite_sbi_oci_server;

static const struct suite *const suites[] = {
	&suite_n1_backoff,     &suite_n1_congestion, &suite_n1_reachability, &suite_n2_overload,
	&suite_n2_ran,	       &suite_n4_oci_cp,     &suite_n4_oci_up,	     &suite_sbi_oci_client,
	&suite_sbi_oci_server, &suite_nrf_load,
};

static const struct iut_ops *const iuts[] = {
	&reference_amf, &reference_ran,	      &reference_ue,	    &reference_up,
	&reference_cp,	&reference_nf_server, &reference_nf_client, &reference_nrf,
};

const struct registry program_registry = {
	.version = SPILLWAY_VERSION,
	.commit = SPILLWAY_COMMIT,
	.build = SPILLWAY_BUILD,
	.world = {
		.suites = suites,
		.suite_count = sizeof(suites) / sizeof(suites[0]),
		.iuts = iuts,
		.iut_count = sizeof(iuts) / sizeof(iuts[0]),
	},
};
