/*
 * The samples of every message that has a typed IE, one IE each, as lines "name hex": for
 * tshark.sh, and as seeds of the fuzzers.
 */
#include <stdio.h>
#include <stdlib.h>

#include "codecs/ngap/ngap_sample.h"

static uint8_t memory[1024 * 1024];
static uint8_t out[65536];

static int print_sample(enum ngap_message message, enum ngap_sample kind, int only)
{
	struct ngap_pdu pdu;
	struct arena arena;
	ssize_t n;

	arena_init(&arena, memory, sizeof(memory));
	ngap_sample(&pdu, message, kind, only, &arena);
	if (pdu.count == 0)
		return 0;
	n = ngap_encode(&pdu, out, sizeof(out));
	if (n < 0) {
		fprintf(stderr, "%s %d %d: %zd\n", ngap_message_name(message), kind, only, n);
		return 1;
	}
	printf("%s.%s.%d ", ngap_message_name(message), ngap_ie_name(pdu.ies[0].id), kind);
	for (ssize_t i = 0; i < n; i++)
		printf("%02x", out[i]);
	putchar('\n');
	return 0;
}

int main(void)
{
	int failures = 0;

	for (int m = NGAP_MESSAGE_UNKNOWN + 1; m < NGAP_MESSAGE_COUNT; m++)
		for (int kind = 0; kind < NGAP_SAMPLE_COUNT; kind++)
			for (size_t i = 0; i < ngap_message_info((enum ngap_message)m)->count; i++)
				failures += print_sample((enum ngap_message)m,
							 (enum ngap_sample)kind, (int)i);
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
