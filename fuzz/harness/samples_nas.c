/*
 * Prints every message of the NAS tables, once alone and once with each of its IEs, in octets.
 * samples_nas [5gsm]: only those, and without the octet that every 5GSM message begins with
 */
#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/nas_sample.h"

static bool print_sample(const struct nas_message_info *info, const struct nas_row *row, int skip)
{
	static uint8_t room[65536];
	struct arena arena;
	struct nas_msg msg;
	uint8_t pdu[1024];
	int len;

	arena_init(&arena, room, sizeof(room));
	nas_sample_message(&msg, info, &arena);
	if (row)
		nas_sample_add(&msg, row);
	len = nas_encode(&msg, pdu, sizeof(pdu));
	if (len < 0)
		return false;
	printf("%02x-%02x ", info->type, row ? row->iei : 0);
	for (int i = skip; i < len; i++)
		printf("%02x", pdu[i]);
	putchar('\n');
	return true;
}

int main(int argc, char **argv)
{
	bool only_5gsm = argc > 1 && strcmp(argv[1], "5gsm") == 0;
	const struct nas_message_info *info;
	bool ok = true;

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		if (only_5gsm && info->epd != NAS_EPD_5GSM)
			continue;
		ok &= print_sample(info, NULL, only_5gsm);
		for (size_t k = info->mandatory; k < info->count; k++)
			ok &= print_sample(info, &info->rows[k], only_5gsm);
	}
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
