/*
 * A harness as a plain program: so that every build without a fuzzer tests it and its oracles, and
 * so that an input that a fuzzer found can be looked at with any compiler and any debugger.
 *
 * usage: replay [--text] [--seeds DIRECTORY | --reach | --bench ROUNDS] PATH...
 *
 * A path is a file of octets, a folder of such files (no ending, .bin or .yaml), or, where its name
 * ends in .txt, vectors, one a line: hexadecimal octets in the first field or the second; with
 * --text "name TAB input", with \n for a line end in the input. A path that is not there is named
 * and passed over.
 *
 * --seeds writes each input to a file that is named by its hash, and runs nothing.
 * --reach lists the pairs of message and IE that no input reached, by outcome.
 * --bench runs all inputs that many times and prints executions per second of processor time.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "fuzz/harness/harness.h"
#include "fuzz/harness/reach.h"

enum { INPUT_MAX = 1 << 20, LINE_MAX_OCTETS = 300000 };

struct input {
	struct input *next;
	size_t len;
	uint8_t *data; /* of exact size, so that a sanitizer sees one octet too many */
};

static struct {
	bool text, reach;
	const char *seeds;
	unsigned long rounds;
	size_t count;
	int failures;
	struct input *inputs; /* kept for --bench */
} replay;

static void keep(uint8_t *data, size_t len)
{
	struct input *input = malloc(sizeof(*input));

	if (!input) {
		free(data);
		return;
	}
	*input = (struct input){ replay.inputs, len, data };
	replay.inputs = input;
}

static void write_seed(const uint8_t *data, size_t len)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	char path[4096];
	FILE *file;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
	snprintf(path, sizeof(path), "%s/%016" PRIx64, replay.seeds, hash);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		replay.failures++;
		return;
	}
	if (fwrite(data, 1, len, file) != len || fclose(file) != 0)
		replay.failures++;
}

/* Takes data, which has room for one octet at least. */
static void run(uint8_t *data, size_t len)
{
	uint8_t *exact = realloc(data, len ? len : 1);

	data = exact ? exact : data;
	replay.count++;
	if (replay.seeds)
		write_seed(data, len);
	else
		LLVMFuzzerTestOneInput(data, len);
	if (replay.rounds)
		keep(data, len);
	else
		free(data);
}

static void run_hex(const char *line)
{
	static const char hex_digits[] = "0123456789abcdef";
	const char *hex = line;
	size_t digits = strspn(hex, hex_digits);
	uint8_t *data;

	if (digits < 4 || !strchr("\t\n ", hex[digits])) {
		hex = line + strcspn(line, "\t ");
		hex += strspn(hex, "\t ");
		digits = strspn(hex, hex_digits);
	}
	data = malloc(digits / 2 + 1);
	for (size_t i = 0; data && i < digits / 2; i++) {
		unsigned int octet = 0;

		sscanf(hex + 2 * i, "%2x", &octet);
		data[i] = (uint8_t)octet;
	}
	if (data)
		run(data, digits / 2);
}

static void run_text(const char *line)
{
	const char *at = strchr(line, '\t');
	size_t end, len = 0;
	uint8_t *data;

	if (!at)
		return;
	at++;
	end = strcspn(at, "\t\n");
	data = malloc(end + 1);
	for (size_t i = 0; data && i < end; i++) {
		bool line_end = at[i] == '\\' && at[i + 1] == 'n';

		data[len++] = line_end ? '\n' : (uint8_t)at[i];
		i += line_end;
	}
	if (data)
		run(data, len);
}

static void run_lines(FILE *file)
{
	static char line[LINE_MAX_OCTETS];

	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (replay.text)
			run_text(line);
		else
			run_hex(line);
	}
}

static void run_octets(FILE *file)
{
	uint8_t *data = malloc(INPUT_MAX);

	if (data)
		run(data, fread(data, 1, INPUT_MAX, file));
}

static void run_path(const char *path);

static void run_folder(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		char inside[4096];

		const char *ending = strchr(entries[i]->d_name, '.');

		snprintf(inside, sizeof(inside), "%s/%s", path, entries[i]->d_name);
		if (!ending || strcmp(ending, ".bin") == 0 || strcmp(ending, ".yaml") == 0)
			run_path(inside);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void run_path(const char *path)
{
	size_t len = strlen(path);
	struct stat status;
	FILE *file;

	if (stat(path, &status) != 0) {
		printf("%s: not there, not tested\n", path);
		return;
	}
	if (S_ISDIR(status.st_mode)) {
		run_folder(path);
		return;
	}
	file = fopen(path, "r");
	if (!file) {
		perror(path);
		replay.failures++;
		return;
	}
	if (len > 4 && strcmp(path + len - 4, ".txt") == 0)
		run_lines(file);
	else
		run_octets(file);
	fclose(file);
}

static void print_unreached(void)
{
	static const char *const outcomes[] = { "sound", "with a finding", "repeated" };
	size_t pairs = reach_pairs();

	for (int outcome = 0; outcome < REACH_OUTCOMES; outcome++) {
		size_t reached = 0;

		for (size_t i = 0; i < pairs; i++)
			reached += reach_seen(i, (enum reach_outcome)outcome);
		printf("%s: %zu of %zu pairs\n", outcomes[outcome], reached, pairs);
		for (size_t i = 0; i < pairs; i++) {
			char name[256];
			struct text text;

			if (reach_seen(i, (enum reach_outcome)outcome))
				continue;
			text_init(&text, name, sizeof(name));
			reach_name(&text, i);
			printf("  never %s: %s\n", outcomes[outcome], name);
		}
	}
}

static double processor_seconds(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void bench(void)
{
	double start = processor_seconds();
	double seconds;

	for (unsigned long i = 0; i < replay.rounds; i++)
		for (struct input *input = replay.inputs; input; input = input->next)
			LLVMFuzzerTestOneInput(input->data, input->len);
	seconds = processor_seconds() - start;
	printf("%.0f executions per second of processor time\n",
	       (double)replay.count * (double)replay.rounds / seconds);
	while (replay.inputs) {
		struct input *input = replay.inputs;

		replay.inputs = input->next;
		free(input->data);
		free(input);
	}
}

int main(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--text") == 0)
			replay.text = true;
		else if (strcmp(argv[i], "--reach") == 0)
			replay.reach = true;
		else if (strcmp(argv[i], "--seeds") == 0 && i + 1 < argc)
			replay.seeds = argv[++i];
		else if (strcmp(argv[i], "--bench") == 0 && i + 1 < argc)
			replay.rounds = strtoul(argv[++i], NULL, 10);
		else
			i = argc;
	}
	if (i >= argc) {
		fprintf(stderr,
			"usage: %s [--text] [--seeds DIRECTORY | --reach | --bench ROUNDS] "
			"PATH...\n",
			argv[0]);
		return 2;
	}
	if (replay.seeds && mkdir(replay.seeds, 0777) != 0 && errno != EEXIST) {
		perror(replay.seeds);
		return EXIT_FAILURE;
	}
	for (; i < argc; i++)
		run_path(argv[i]);
	printf("%zu inputs\n", replay.count);
	if (replay.rounds)
		bench();
	if (replay.reach)
		print_unreached();
	return replay.count && !replay.failures ? EXIT_SUCCESS : EXIT_FAILURE;
}
