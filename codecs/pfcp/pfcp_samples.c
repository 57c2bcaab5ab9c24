/*
 * Messages for tshark and for the fuzzers, as lines "name hex types": of every kind the least and
 * the most, the least with each member that it may have, and the vectors of a file that have no
 * findings. The types are those of all IEs in wire order.
 *
 *   pfcp_samples [VECTORS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "codecs/pfcp/pfcp_sample.h"

enum { RELEASE_OF_TSHARK = 17 };

static uint8_t room[PFCP_SAMPLE_ARENA];
static uint8_t out[PFCP_MESSAGE_MAX];
static uint8_t in[PFCP_MESSAGE_MAX];
static char line[2 * PFCP_MESSAGE_MAX + 1000];
static int failures;

/* Without vendors' IEs and the members of groups of later releases, of which tshark knows none. */
static void print_types(const struct pfcp_ie_list *list, const char **before)
{
	for (const struct pfcp_ie *ie = list->first; ie; ie = ie->next) {
		const struct pfcp_ie_info *info = pfcp_ie_info(ie->type);

		if (ie->type >= PFCP_IE_VENDOR)
			continue;
		printf("%s%u", *before, ie->type);
		*before = ",";
		if (info && info->release <= RELEASE_OF_TSHARK)
			print_types(&ie->ies, before);
	}
}

static void print_name(const char *name, const char *detail)
{
	for (const char *c = name; *c; c++)
		putchar(strchr(" /", *c) ? '-' : *c);
	putchar('.');
	for (const char *c = detail; *c; c++)
		putchar(strchr(" /", *c) ? '-' : *c);
	putchar(' ');
}

static void print_octets(struct octets octets)
{
	for (size_t i = 0; i < octets.len; i++)
		printf("%02x", octets.data[i]);
}

static void print_message(const char *name, const char *detail, const struct pfcp_message *msg)
{
	const char *before = " ";
	int len = pfcp_encode(msg, out, sizeof(out));

	if (len < 0) {
		fprintf(stderr, "%s.%s: %d\n", name, detail, len);
		failures++;
		return;
	}
	print_name(name, detail);
	print_octets(OCTETS(out, (size_t)len));
	print_types(&msg->ies, &before);
	putchar('\n');
}

/* A datagram, which may hold several messages. */
static void print_vector(const char *name, struct octets datagram)
{
	const char *before = " ";
	struct pfcp_message msg;
	struct arena arena;

	print_name(name, "vector");
	print_octets(datagram);
	for (struct octets rest = datagram; rest.len; rest = msg.following) {
		arena_init(&arena, room, sizeof(room));
		if (pfcp_decode(&msg, rest, &arena, DECODE_STRICT, NULL) != FINDING_NONE) {
			failures++;
			break;
		}
		print_types(&msg.ies, &before);
	}
	putchar('\n');
}

static void print_samples(const struct pfcp_message_info *info)
{
	enum pfcp_message_type type = (enum pfcp_message_type)info->type;
	struct pfcp_message msg;
	struct arena arena;

	arena_init(&arena, room, sizeof(room));
	pfcp_sample_message(&msg, type, PFCP_SAMPLE_LEAST, &arena);
	print_message(info->name, "least", &msg);
	arena_reset(&arena);
	pfcp_sample_message(&msg, type, PFCP_SAMPLE_MOST, &arena);
	print_message(info->name, "most", &msg);
	for (size_t i = 0; i < info->count; i++) {
		uint16_t member = info->members[i].type;

		arena_reset(&arena);
		pfcp_sample_message(&msg, type, PFCP_SAMPLE_LEAST, &arena);
		if (pfcp_find(&msg.ies, member))
			continue;
		pfcp_sample_ie(&msg, NULL, member, PFCP_SAMPLE_MOST);
		print_message(info->name, pfcp_ie_name(member), &msg);
	}
}

/*
 * Columns 3 and on of a vector: structure sound, and no value that cannot be read. What is only
 * repeated, missing or out of place is what the suites send, and has to be dissected.
 */
static bool is_dissectable(const char *structure, const char *rest)
{
	return structure && rest && strcmp(structure, "-") == 0 && !strstr(rest, "length") &&
	       !strstr(rest, "syntax");
}

static void print_vectors(const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file) {
		perror(path);
		failures++;
		return;
	}
	while (fgets(line, sizeof(line), file)) {
		char *rest = line;
		char *name = strsep(&rest, "\t");
		char *hex = strsep(&rest, "\t");
		char *findings = strsep(&rest, "\t");
		unsigned int octet;
		size_t len = 0;

		if (line[0] == '#' || !is_dissectable(findings, rest))
			continue;

		for (; len < sizeof(in) && sscanf(hex + 2 * len, "%2x", &octet) == 1; len++)
			in[len] = (uint8_t)octet;
		print_vector(name, OCTETS(in, len));
	}
	fclose(file);
}

int main(int argc, char **argv)
{
	const struct pfcp_message_info *info;

	for (size_t i = 0; (info = pfcp_message_info_at(i)); i++)
		print_samples(info);
	if (argc > 1)
		print_vectors(argv[1]);
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
