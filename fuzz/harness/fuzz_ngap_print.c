/*
 * Prints whatever decodes. The text is bounded and terminated, the flat form has a line for each
 * field, and the fields of what is encoded and decoded again are the same.
 */
#include "codecs/ngap/ngap_print.h"
#include "fuzz/harness/harness.h"

enum { TEXT_MAX = 1024 * 1024, OUT_MAX = 256 * 1024, ROOM = 8 * 1024 * 1024 };

static uint8_t room[2][ROOM];
static uint8_t out[OUT_MAX];
static char text_buf[2][TEXT_MAX];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arenas[2];
	struct ngap_pdu pdu;
	struct ngap_pdu other;
	struct text text;
	struct text again;
	char small[32];
	ssize_t len;

	for (int i = 0; i < 2; i++)
		arena_init(&arenas[i], room[i], ROOM);
	if (ngap_decode(&pdu, OCTETS(data, size), &arenas[0], DECODE_LENIENT, NULL) != 0)
		return 0;
	text_init(&text, text_buf[0], TEXT_MAX);
	ngap_print(&pdu, 0, &text);
	require(text.len > 0 && text_buf[0][text.len] == 0);
	text_init(&text, small, sizeof(small));
	ngap_print(&pdu, 0, &text);
	ngap_print_summary(&pdu, &text);
	text_init(&text, text_buf[0], TEXT_MAX);
	ngap_print_flat(&pdu, &text);
	len = ngap_encode(&pdu, out, sizeof(out));
	require(len > 0);
	require(ngap_decode(&other, OCTETS(out, (size_t)len), &arenas[1], DECODE_LENIENT, NULL) ==
		0);
	text_init(&again, text_buf[1], TEXT_MAX);
	ngap_print_flat(&other, &again);
	require(text.len == again.len && memcmp(text_buf[0], text_buf[1], text.len) == 0);
	return 0;
}
