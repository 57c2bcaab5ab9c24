/* nrf-load: an NRF that keeps load data, and consumers that select producers by it. */
#include "suites/nrf_load/nrf.h"

static const struct case_group groups[] = {
	{ nrfl_profile_cases, NRF_PROFILE_CASES }, { nrfl_load_value_cases, NRF_LOAD_CASES },
	{ nrfl_life_cases, NRF_LIFE_CASES },	   { nrfl_selection_cases, NRF_SELECTION_CASES },
	{ nrfl_token_cases, NRF_TOKEN_CASES },
};

static const struct not_tested not_tested[] = {
	{ "NR-11", "about the statuses of Namf_Communication of an AMF: as those of any producer "
		   "they are judged in TP/SBI/SRV/ST/01, with the AMF as nf-server" },
};

const struct suite suite_nrf_load = {
	.name = "nrf-load",
	.groups = groups,
	.group_count = sizeof(groups) / sizeof(groups[0]),
	.not_tested = not_tested,
	.not_tested_count = sizeof(not_tested) / sizeof(not_tested[0]),
};
