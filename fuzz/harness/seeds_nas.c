/*
 * Writes the seeds of fuzz_nas: every IE of every message, made from the tables. seeds_nas DIR
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "codecs/nas/nas_sample.h"

static int write_seed(const char *directory, const char *name, struct octets pdu)
{
	char path[4096];
	FILE *file;
	int failed;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		return 1;
	}
	failed = fwrite(pdu.data, 1, pdu.len, file) != pdu.len;
	return fclose(file) != 0 || failed;
}

int main(int argc, char **argv)
{
	static uint8_t room[65536];
	const struct nas_message_info *info;
	int failures = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
		return EXIT_FAILURE;
	}
	mkdir(argv[1], 0777);
	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		for (size_t k = 0; k <= info->count; k++) {
			struct arena arena;
			struct nas_msg msg;
			uint8_t pdu[1024];
			char name[32];
			int len;

			arena_init(&arena, room, sizeof(room));
			nas_sample_message(&msg, info, &arena);
			if (k < info->count && info->rows[k].presence != NAS_MANDATORY)
				nas_sample_add(&msg, &info->rows[k]);
			len = nas_encode(&msg, pdu, sizeof(pdu));
			if (len < 0) {
				failures++;
				continue;
			}
			snprintf(name, sizeof(name), "seed-%02x-%02zu", info->type, k);
			failures += write_seed(argv[1], name, OCTETS(pdu, (size_t)len));
		}
	}
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
