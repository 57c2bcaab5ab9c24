#include "runner/core/summary.h"

void summarise(const char *proto, struct octets data, struct text *out)
{
	text_printf(out, "%s, %zu octets", proto, data.len);
}
