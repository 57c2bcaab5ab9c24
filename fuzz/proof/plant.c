/* Which planted bug is there: the number in SPILLWAY_PLANT, none without it. */
#include <stdlib.h>

#include "codecs/planted.h"

int spillway_plant;

__attribute__((constructor)) static void choose_plant(void)
{
	const char *number = getenv("SPILLWAY_PLANT");

	if (number)
		spillway_plant = atoi(number);
}
