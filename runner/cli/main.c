/* The program: which suites and which reference IUTs it carries. */
#include "runner/cli/registry.h"

#ifdef SPILLWAY_REFERENCE
#include "fixtures/reference/reference.h"
#endif

extern const struct suite suite_n1_congestion;
extern const struct suite suite_n2_overload;

static const struct suite *const suites[] = {
#ifdef SPILLWAY_N1_CONGESTION
	&suite_n1_congestion,
#endif
#ifdef SPILLWAY_N2_OVERLOAD
	&suite_n2_overload,
#endif
	NULL,
};

static const struct iut_ops *const iuts[] = {
#ifdef SPILLWAY_REFERENCE
	&reference_amf,
#endif
	NULL,
};

int main(int argc, char *argv[])
{
	const struct registry registry = {
		.version = SPILLWAY_VERSION,
		.world = {
			.suites = suites,
			.suite_count = sizeof(suites) / sizeof(suites[0]) - 1,
			.iuts = iuts,
			.iut_count = sizeof(iuts) / sizeof(iuts[0]) - 1,
		},
	};

	return cli_main(&registry, argc, argv);
}
