#include "codecs/finding.h"

const char *finding_rule_name(enum finding_rule rule)
{
	static const char *const names[] = {
		[FINDING_NONE] = "none",
		[FINDING_TRUNCATED] = "truncated",
		[FINDING_TRAILING] = "trailing octets",
		[FINDING_PADDING] = "padding not zero",
		[FINDING_LENGTH] = "length not allowed",
		[FINDING_LENGTH_NOT_MINIMAL] = "length not minimal",
		[FINDING_RANGE] = "value out of range",
		[FINDING_NOT_COMPREHENDED] = "not comprehended",
		[FINDING_EMPTY_OPEN_TYPE] = "empty open type",
		[FINDING_SYNTAX] = "syntax",
		[FINDING_TOO_DEEP] = "nested too deep",
		[FINDING_NO_MEMORY] = "arena too small",
		[FINDING_MISSING] = "mandatory IE missing",
		[FINDING_DUPLICATE] = "IE repeated",
		[FINDING_ORDER] = "IE out of order",
		[FINDING_CRITICALITY] = "wrong criticality",
		[FINDING_UNKNOWN_IE] = "unknown IE",
		[FINDING_UNKNOWN_MESSAGE] = "unknown message",
		[FINDING_RESERVED] = "reserved coding",
	};

	if ((size_t)rule >= sizeof(names) / sizeof(names[0]))
		return "unknown rule";
	return names[rule];
}
