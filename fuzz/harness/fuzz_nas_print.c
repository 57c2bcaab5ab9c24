/*
 * Any octets through the printers of NAS messages: what printed.h demands.
 */
#include "fuzz/harness/printed.h"

#include "codecs/nas/nas.h"

enum { PDU_MAX = 2000 };

static uint8_t room[65536];
static char printed[1 << 20];

static void print_tree(struct text *text, struct octets pdu, struct arena *arena)
{
	nas_print_pdu(text, pdu, arena, NAS_PRINT_TREE);
}

static void print_flat(struct text *text, struct octets pdu, struct arena *arena)
{
	nas_print_pdu(text, pdu, arena, NAS_PRINT_FLAT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct octets in = OCTETS(data, size);
	struct arena arena;

	if (size > PDU_MAX)
		return 0;
	arena_init(&arena, room, sizeof(room));
	check_printed(print_tree, in, &arena, printed, sizeof(printed));
	check_printed(print_flat, in, &arena, printed, sizeof(printed));
	check_printed_line(nas_print_pdu_line, in, &arena, printed, sizeof(printed));
	return 0;
}
