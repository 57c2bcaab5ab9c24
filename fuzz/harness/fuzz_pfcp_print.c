/*
 * Any octets through the printers of PFCP: what printed.h demands, and every line of the flat form
 * is a field.
 */
#include "fuzz/harness/printed.h"

#include "codecs/pfcp/pfcp_print.h"

static uint8_t room[PFCP_ARENA_SIZE];
static char printed[1 << 20];

static void print_tree(struct text *text, struct octets pdu, struct arena *arena)
{
	pfcp_print_pdu(text, pdu, arena, PFCP_PRINT_TREE);
}

static void print_flat(struct text *text, struct octets pdu, struct arena *arena)
{
	pfcp_print_pdu(text, pdu, arena, PFCP_PRINT_FLAT);
}

static void check_fields(const char *text)
{
	for (const char *line = text; *line;) {
		const char *end = strchr(line, '\n');

		require(end != NULL);
		require(memmem(line, (size_t)(end - line), " = ", 3) ||
			strncmp(line, "No PFCP message", 15) == 0);
		line = end + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct octets in = OCTETS(data, size);
	struct arena arena;

	if (size > PFCP_USUAL_MAX)
		return 0;
	arena_init(&arena, room, sizeof(room));
	check_printed(print_tree, in, &arena, printed, sizeof(printed));
	check_printed(print_flat, in, &arena, printed, sizeof(printed));
	check_fields(printed);
	check_printed_line(pfcp_print_pdu_line, in, &arena, printed, sizeof(printed));
	return 0;
}
