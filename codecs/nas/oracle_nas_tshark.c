/*
 * A second opinion: tshark dissects our vectors, and every IE of every message made from the
 * tables, without malformed or error-level items, and reads the same message types and 5GMM causes.
 *
 * Exits with 77 (ctest: skipped) where there is no tshark.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "codecs/nas/nas_sample.h"

enum { SKIPPED = 77, FRAMES_MAX = 1024, PDU_MAX = 4096, LINKTYPE_USER0 = 147 };

/* Expert severities of Wireshark. */
#define SEVERITY_ERROR 0x800000ul

struct frame {
	char name[160];
	int type;
	int cause;
};

static struct frame frames[FRAMES_MAX];
static size_t frame_count;

static void put32(FILE *file, uint32_t value)
{
	fwrite(&value, sizeof(value), 1, file);
}

static void put_frame(FILE *file, const char *name, const char *detail, struct octets pdu)
{
	struct frame *frame = &frames[frame_count];
	uint8_t room[NAS_ARENA_SIZE];
	struct arena arena;
	struct nas_msg msg;

	if (frame_count == FRAMES_MAX)
		return;
	arena_init(&arena, room, sizeof(room));
	nas_decode(&msg, pdu, &arena, DECODE_LENIENT, NULL);
	snprintf(frame->name, sizeof(frame->name), "%s %s", name, detail);
	frame->type = msg.type;
	frame->cause = msg.epd == NAS_EPD_5GMM ? nas_cause(&msg) : -1;
	frame_count++;
	put32(file, (uint32_t)frame_count);
	put32(file, 0);
	put32(file, (uint32_t)pdu.len);
	put32(file, (uint32_t)pdu.len);
	fwrite(pdu.data, 1, pdu.len, file);
}

/* The vectors without findings: what the suites may send. */
static bool put_vectors(FILE *file)
{
	const char *source = getenv("SPILLWAY_SOURCE_DIR");
	static char line[100000];
	char path[4096];
	FILE *vectors;

	snprintf(path, sizeof(path), "%s/fixtures/vectors/nas.txt", source ? source : ".");
	vectors = fopen(path, "r");
	if (!vectors) {
		perror(path);
		return false;
	}
	while (fgets(line, sizeof(line), vectors)) {
		static uint8_t pdu[PDU_MAX];
		char *rest = line;
		char *name = strsep(&rest, "\t");
		char *hex = strsep(&rest, "\t");
		char *findings = strsep(&rest, "\t");
		size_t len = 0;
		unsigned int octet;

		if (line[0] == '#' || !findings || strcmp(findings, "-") != 0)
			continue;
		for (; len < PDU_MAX && sscanf(hex + 2 * len, "%2x", &octet) == 1; len++)
			pdu[len] = (uint8_t)octet;
		put_frame(file, name, "", OCTETS(pdu, len));
	}
	fclose(vectors);
	return true;
}

static void put_tables(FILE *file)
{
	static uint8_t room[65536];
	const struct nas_message_info *info;

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		for (size_t k = 0; k < info->count; k++) {
			const struct nas_row *row = &info->rows[k];
			uint8_t pdu[PDU_MAX];
			struct arena arena;
			struct nas_msg msg;
			int len;

			arena_init(&arena, room, sizeof(room));
			nas_sample_message(&msg, info, &arena);
			if (row->presence != NAS_MANDATORY)
				nas_sample_add(&msg, row);
			len = nas_encode(&msg, pdu, sizeof(pdu));
			if (len > 0)
				put_frame(file, info->name, nas_ie_name(row->ie),
					  OCTETS(pdu, (size_t)len));
		}
	}
}

/* The highest of a comma separated list of numbers, 0 for none. */
static unsigned long highest(char *list)
{
	unsigned long max = 0;
	char *number;

	while ((number = strsep(&list, ",")) && *number) {
		unsigned long value = strtoul(number, NULL, 0);

		max = value > max ? value : max;
	}
	return max;
}

/* The first number of a list, -1 for none. */
static int first(const char *list)
{
	return *list ? (int)strtoul(list, NULL, 0) : -1;
}

struct tally {
	size_t seen;
	size_t clean;
	int faults;
};

static void judge(char *line, struct tally *tally)
{
	char *rest = line;
	char *fields[6];
	struct frame *frame;
	unsigned long number;
	unsigned long severity;
	int type;

	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < 6; i++)
		fields[i] = strsep(&rest, "\t");
	if (!fields[5])
		return;
	number = strtoul(fields[0], NULL, 10);
	if (number < 1 || number > frame_count)
		return;
	frame = &frames[number - 1];
	tally->seen++;
	severity = highest(fields[2]);
	tally->clean += severity == 0;
	type = first(fields[3]) >= 0 ? first(fields[3]) : first(fields[4]);
	/* a note is "extraneous data": an IE of a release that this tshark does not know */
	if (fields[1][0] || severity >= SEVERITY_ERROR) {
		printf("%s: malformed \"%s\", expert %#lx\n", frame->name, fields[1], severity);
		tally->faults++;
	}
	if (type != frame->type) {
		printf("%s: tshark reads message type %d, we %d\n", frame->name, type, frame->type);
		tally->faults++;
	}
	if (frame->cause >= 0 && first(fields[5]) != frame->cause) {
		printf("%s: tshark reads 5GMM cause %d, we %d\n", frame->name, first(fields[5]),
		       frame->cause);
		tally->faults++;
	}
}

int main(void)
{
	char path[] = "/tmp/oracle_nas_XXXXXX";
	static char line[100000];
	struct tally tally = { 0 };
	char command[2048];
	FILE *file;
	FILE *tshark;
	int fd;

	if (system("command -v tshark >/dev/null 2>&1") != 0) {
		puts("no tshark: skipped");
		return SKIPPED;
	}
	fd = mkstemp(path);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file) {
		perror(path);
		return EXIT_FAILURE;
	}
	put32(file, 0xa1b2c3d4);
	put32(file, 2 | 4 << 16);
	put32(file, 0);
	put32(file, 0);
	put32(file, 65535);
	put32(file, LINKTYPE_USER0);
	if (!put_vectors(file))
		tally.faults++;
	put_tables(file);
	fclose(file);
	snprintf(command, sizeof(command),
		 "tshark -r %s -o 'uat:user_dlts:\"User 0 (DLT=147)\",\"nas-5gs\",\"0\",\"\",\"0\","
		 "\"\"' -T fields -e frame.number -e _ws.malformed -e _ws.expert.severity "
		 "-e nas_5gs.mm.message_type -e nas_5gs.sm.message_type -e nas_5gs.mm.5gmm_cause "
		 "2>/dev/null",
		 path);
	tshark = popen(command, "r");
	while (tshark && fgets(line, sizeof(line), tshark))
		judge(line, &tally);
	if (!tshark || pclose(tshark) != 0)
		tally.faults++;
	unlink(path);
	printf("%zu frames, %zu read, %zu without any remark, %d faults\n", frame_count, tally.seen,
	       tally.clean, tally.faults);
	if (tally.seen != frame_count || tally.clean < frame_count / 2)
		tally.faults++;
	return tally.faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
