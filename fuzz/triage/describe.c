/*
 * An input of a harness in words, for the text beside a regression case: what our own codec makes
 * of it, or its octets where the harness has no message. usage: describe HARNESS FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/nas/nas.h"
#include "codecs/ngap/ngap_print.h"
#include "codecs/pfcp/pfcp_print.h"

enum { INPUT_MAX = 1 << 20, ROOM = 96 << 20, TEXT_MAX = 4 << 20, FINDINGS_MAX = 16 };

static uint8_t room[ROOM];
static char printed[TEXT_MAX];

static void describe_ngap(struct text *text, struct octets in, struct arena *arena)
{
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct ngap_pdu pdu;
	bool refused = ngap_decode(&pdu, in, arena, DECODE_LENIENT, &findings) != 0;

	for (size_t i = 0; i < findings.count && i < FINDINGS_MAX; i++)
		text_printf(text, "%s at octet %u, %s\n", finding_rule_name(items[i].rule),
			    items[i].bit / 8, items[i].field);
	if (refused)
		text_puts(text, "refused\n");
	else
		ngap_print(&pdu, 0, text);
}

static void describe_nas(struct text *text, struct octets in, struct arena *arena)
{
	nas_print_pdu(text, in, arena, NAS_PRINT_TREE);
}

static void describe_pfcp(struct text *text, struct octets in, struct arena *arena)
{
	pfcp_print_pdu(text, in, arena, PFCP_PRINT_TREE);
}

static void describe_octets(struct text *text, struct octets in, struct arena *arena)
{
	(void)arena;
	for (size_t i = 0; i < in.len; i++)
		text_putc(text, in.data[i] >= ' ' && in.data[i] <= '~' ? (char)in.data[i] : '.');
	text_putc(text, '\n');
}

static const struct {
	const char *harness;
	void (*describe)(struct text *text, struct octets in, struct arena *arena);
} forms[] = {
	{ "ngap", describe_ngap }, { "ngap_print", describe_ngap },
	{ "nas", describe_nas },   { "nas_print", describe_nas },
	{ "pfcp", describe_pfcp }, { "pfcp_print", describe_pfcp },
};

int main(int argc, char **argv)
{
	static uint8_t data[INPUT_MAX];
	void (*describe)(struct text *, struct octets, struct arena *) = describe_octets;
	struct arena arena;
	struct text text;
	FILE *file;
	size_t len;

	if (argc != 3) {
		fprintf(stderr, "usage: %s HARNESS FILE\n", argv[0]);
		return 2;
	}
	file = fopen(argv[2], "rb");
	if (!file) {
		perror(argv[2]);
		return EXIT_FAILURE;
	}
	len = fread(data, 1, sizeof(data), file);
	fclose(file);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcmp(forms[i].harness, argv[1]) == 0)
			describe = forms[i].describe;
	arena_init(&arena, room, sizeof(room));
	text_init(&text, printed, sizeof(printed));
	describe(&text, OCTETS(data, len), &arena);
	fputs(printed, stdout);
	return EXIT_SUCCESS;
}
