/*
 * Any octets through the printers of PFCP: text comes out, it is terminated within its buffer
 * however small, a longer buffer gives a text that begins the same, every line of the flat form is
 * a field, the line is one line, and the arena is left as it was.
 */
#include <stdlib.h>

#include "codecs/pfcp/pfcp_print.h"

enum { PDU_MAX = PFCP_USUAL_MAX, SHORT = 100 };

static uint8_t room[PFCP_ARENA_SIZE];
static char printed[1 << 20];

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_flat(const char *text)
{
	for (const char *line = text; *line;) {
		const char *end = strchr(line, '\n');

		require(end != NULL);
		require(memmem(line, (size_t)(end - line), " = ", 3) ||
			strncmp(line, "No PFCP message", 15) == 0);
		line = end + 1;
	}
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
	for (int form = PFCP_PRINT_TREE; form <= PFCP_PRINT_FLAT; form++) {
		text_init(&text, printed, sizeof(printed));
		pfcp_print_pdu(&text, in, &arena, (enum pfcp_print_form)form);
		require(text.len > 0 && printed[text.len] == '\0' && arena.used == 0);
		if (form == PFCP_PRINT_FLAT && !text.truncated)
			check_flat(printed);
		text_init(&text, start, sizeof(start));
		pfcp_print_pdu(&text, in, &arena, (enum pfcp_print_form)form);
		require(text.len < sizeof(start) && start[text.len] == '\0');
		require(strncmp(start, printed, text.len) == 0);
	}
	text_init(&text, printed, sizeof(printed));
	pfcp_print_pdu_line(&text, in, &arena);
	require(text.len > 0 && !strchr(printed, '\n') && arena.used == 0);
	return 0;
}
