/*
 * Any octets through the printers of NAS messages: text comes out, it is terminated within its
 * buffer however small, a longer buffer gives a text that begins the same, and printing leaves the
 * arena as it was.
 */
#include <stdlib.h>

#include "codecs/nas/nas.h"

enum { PDU_MAX = 2000, SHORT = 100 };

static uint8_t room[65536];
static char printed[1 << 20];

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct octets in = OCTETS(data, size);
	struct arena arena;
	struct text text;
	char start[SHORT];

	if (size > PDU_MAX)
		return 0;
	arena_init(&arena, room, sizeof(room));
	for (int form = NAS_PRINT_TREE; form <= NAS_PRINT_FLAT; form++) {
		text_init(&text, printed, sizeof(printed));
		nas_print_pdu(&text, in, &arena, (enum nas_print_form)form);
		require(text.len > 0 && printed[text.len] == '\0' && arena.used == 0);
		text_init(&text, start, sizeof(start));
		nas_print_pdu(&text, in, &arena, (enum nas_print_form)form);
		require(text.len < sizeof(start) && start[text.len] == '\0');
		require(strncmp(start, printed, text.len) == 0);
	}
	text_init(&text, printed, sizeof(printed));
	nas_print_pdu_line(&text, in, &arena);
	require(text.len > 0 && !strchr(printed, '\n') && arena.used == 0);
	return 0;
}
