/*
 * Prints a value of every type that an IE or an extension of NGAP has, as the harness ngap_value
 * takes it: two octets that pick the type, and its encoding, in octets.
 */
#include <stdio.h>
#include <stdlib.h>

#include "codecs/ngap/ngap_sample.h"

static uint8_t room[1 << 20];
static uint8_t pdu_octets[1 << 18];

static bool print_values(const struct ngap_pdu *pdu, bool seen[NGAP_TYPE_COUNT])
{
	for (size_t i = 0; i < pdu->count; i++) {
		const struct ngap_ie *ie = &pdu->ies[i];

		if (ie->type == NGAP_TYPE_RAW || seen[ie->type])
			continue;
		seen[ie->type] = true;
		printf("%s %04x", ngap_ie_name(ie->id), ie->type - 1U);
		for (size_t k = 0; k < ie->raw.len; k++)
			printf("%02x", ie->raw.data[k]);
		putchar('\n');
	}
	return true;
}

static bool print_sample(enum ngap_message message, enum ngap_sample kind,
			 bool seen[NGAP_TYPE_COUNT])
{
	struct arena arena;
	struct ngap_pdu pdu;
	ssize_t len;

	arena_init(&arena, room, sizeof(room));
	ngap_sample(&pdu, message, kind, -1, &arena);
	len = ngap_encode(&pdu, pdu_octets, sizeof(pdu_octets));
	if (len < 0)
		return false;
	arena_reset(&arena);
	return ngap_decode(&pdu, OCTETS(pdu_octets, (size_t)len), &arena, DECODE_LENIENT, NULL) ==
		       0 &&
	       print_values(&pdu, seen);
}

int main(void)
{
	static bool seen[NGAP_SAMPLE_COUNT][NGAP_TYPE_COUNT];
	bool ok = true;

	for (int kind = 0; kind < NGAP_SAMPLE_COUNT; kind++)
		for (int message = 1; message < NGAP_MESSAGE_COUNT; message++)
			ok &= print_sample((enum ngap_message)message, (enum ngap_sample)kind,
					   seen[kind]);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
