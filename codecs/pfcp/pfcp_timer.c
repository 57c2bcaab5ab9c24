/*
 * The Timer IE (8.2.35). Its units are near enough to those of the GPRS timers to be mistaken for
 * them: 10 minutes where GPRS timer 2 has 6, an infinite time where that is deactivated.
 */
#include <errno.h>

#include "codecs/pfcp/pfcp_value.h"

enum {
	VALUE_MASK = 0x1f,
	UNIT_SHIFT = 5,
	UNIT_RESERVED_FIRST = 5,
	UNIT_INFINITE = 7,
	MINUTE = 60,
	HOUR = 3600,
};

/* Seconds by unit; reserved ones are minutes. */
static const uint32_t units[UNIT_INFINITE] = {
	2, MINUTE, 10 * MINUTE, HOUR, 10 * HOUR, MINUTE, MINUTE,
};

struct pfcp_timer pfcp_timer_decode(uint8_t octet)
{
	unsigned int unit = octet >> UNIT_SHIFT;

	if (octet == PFCP_TIMER_OCTET_STOPPED)
		return (struct pfcp_timer){ .state = PFCP_TIMER_STOPPED };
	if (unit == UNIT_INFINITE)
		return (struct pfcp_timer){ .state = PFCP_TIMER_INFINITE };
	return (struct pfcp_timer){ .state = PFCP_TIMER_RUNNING,
				    .seconds = units[unit] * (octet & VALUE_MASK),
				    .reserved = unit >= UNIT_RESERVED_FIRST };
}

int pfcp_timer_encode(uint32_t seconds)
{
	if (seconds == 0)
		return -ERANGE;
	for (unsigned int unit = 0; unit < UNIT_RESERVED_FIRST; unit++)
		if (seconds % units[unit] == 0 && seconds / units[unit] <= VALUE_MASK)
			return (int)(unit << UNIT_SHIFT | seconds / units[unit]);
	return -ERANGE;
}
