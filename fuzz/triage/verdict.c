/*
 * What our codec says about each file of a corpus, for the differential against other decoders:
 * lines "octets verdict", where the verdict is refused, sound, or the first finding.
 * usage: verdict ngap|nas|pfcp FOLDER
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/nas/nas.h"
#include "codecs/ngap/ngap_check.h"
#include "codecs/pfcp/pfcp_check.h"

enum { INPUT_MAX = 60000, ROOM = 8 << 20, FINDINGS_MAX = 8 };

static uint8_t room[ROOM];

/* False when the octets are refused. */
typedef bool decode_fn(struct octets in, struct arena *arena, struct findings *findings);

static bool decode_ngap(struct octets in, struct arena *arena, struct findings *findings)
{
	struct ngap_pdu pdu;

	if (ngap_decode(&pdu, in, arena, DECODE_LENIENT, findings) != 0)
		return false;
	if (findings->count == 0)
		ngap_check(&pdu, findings);
	return true;
}

static bool decode_nas(struct octets in, struct arena *arena, struct findings *findings)
{
	struct nas_msg msg;

	return nas_decode(&msg, in, arena, DECODE_LENIENT, findings) == FINDING_NONE;
}

static bool decode_pfcp(struct octets in, struct arena *arena, struct findings *findings)
{
	struct pfcp_message msg;

	if (pfcp_decode(&msg, in, arena, DECODE_LENIENT, findings) != FINDING_NONE)
		return false;
	if (findings->count == 0)
		pfcp_check(&msg, findings);
	return true;
}

static const struct {
	const char *name;
	decode_fn *decode;
} protocols[] = {
	{ "ngap", decode_ngap },
	{ "nas", decode_nas },
	{ "pfcp", decode_pfcp },
};

static void print_verdict(decode_fn *decode, const uint8_t *data, size_t len)
{
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct arena arena;
	const char *verdict = "sound";

	arena_init(&arena, room, sizeof(room));
	if (!decode(OCTETS(data, len), &arena, &findings))
		verdict = "refused";
	else if (findings.count)
		verdict = finding_rule_name(items[0].rule);
	for (size_t i = 0; i < len; i++)
		printf("%02x", data[i]);
	printf(" %s\n", verdict);
}

int main(int argc, char **argv)
{
	static uint8_t data[INPUT_MAX + 1];
	decode_fn *decode = NULL;
	struct dirent **entries;
	int count;

	for (size_t i = 0; argc == 3 && i < sizeof(protocols) / sizeof(protocols[0]); i++)
		if (strcmp(argv[1], protocols[i].name) == 0)
			decode = protocols[i].decode;
	if (!decode) {
		fprintf(stderr, "usage: verdict ngap|nas|pfcp FOLDER\n");
		return 2;
	}
	count = scandir(argv[2], &entries, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		char name[4096];
		size_t len;
		FILE *file;

		snprintf(name, sizeof(name), "%s/%s", argv[2], entries[i]->d_name);
		file = entries[i]->d_name[0] != '.' ? fopen(name, "rb") : NULL;
		free(entries[i]);
		if (!file)
			continue;
		len = fread(data, 1, sizeof(data), file);
		fclose(file);
		if (len > 0 && len <= INPUT_MAX)
			print_verdict(decode, data, len);
	}
	if (count >= 0)
		free(entries);
	return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
