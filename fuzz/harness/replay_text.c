/*
 * Runs a harness over files of text vectors, "name TAB input ...", with \n for a line end in the
 * input: so that every build without a fuzzer tests the harness and its oracles on valid input.
 * With
 * --seeds DIRECTORY each input is written there as well. A file that is not there is named and
 * passed over.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *seeds;

/* The input of a line, of exact size, so that a sanitizer sees one octet too many. */
static uint8_t *input_of(const char *at, size_t *len)
{
	size_t end = strcspn(at, "\t\n");
	uint8_t *data = malloc(end ? end : 1);

	*len = 0;
	for (size_t i = 0; data && i < end; i++) {
		bool line_end = at[i] == '\\' && at[i + 1] == 'n';

		data[(*len)++] = line_end ? '\n' : (uint8_t)at[i];
		i += line_end;
	}
	return data;
}

static int write_seed(const char *name, const uint8_t *data, size_t len)
{
	char path[4096];
	FILE *file;
	int failed;

	snprintf(path, sizeof(path), "%s/%.*s", seeds, (int)strcspn(name, "\t/"), name);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		return 1;
	}
	failed = fwrite(data, 1, len, file) != len;
	return fclose(file) != 0 || failed;
}

static size_t run_file(FILE *file, int *failures)
{
	static char line[300000];
	size_t count = 0;

	while (fgets(line, sizeof(line), file)) {
		const char *tab = strchr(line, '\t');
		uint8_t *data;
		size_t len;

		if (line[0] == '#' || !tab)
			continue;
		data = input_of(tab + 1, &len);
		if (!data)
			return count;
		if (seeds)
			*failures += write_seed(line, data, len);
		else
			LLVMFuzzerTestOneInput(data, len);
		free(data);
		count++;
	}
	return count;
}

int main(int argc, char **argv)
{
	size_t count = 0;
	int failures = 0, first = 1;

	if (argc > 2 && strcmp(argv[1], "--seeds") == 0) {
		seeds = argv[2];
		mkdir(seeds, 0777);
		first = 3;
	}
	for (int i = first; i < argc; i++) {
		FILE *file = fopen(argv[i], "r");

		if (!file) {
			printf("%s: not there, not tested\n", argv[i]);
			continue;
		}
		count += run_file(file, &failures);
		fclose(file);
	}
	printf("%zu inputs\n", count);
	return count && !failures ? EXIT_SUCCESS : EXIT_FAILURE;
}
