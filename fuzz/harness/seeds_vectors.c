/*
 * Writes each vector of a file of lines "name hex ..." as a seed. seeds_vectors VECTORS DIR
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	static char line[300000];
	char name[128];
	FILE *vectors;
	int failures = 0;

	if (argc != 3) {
		fprintf(stderr, "usage: %s VECTORS DIRECTORY\n", argv[0]);
		return EXIT_FAILURE;
	}
	vectors = fopen(argv[1], "r");
	if (!vectors) {
		perror(argv[1]);
		return EXIT_FAILURE;
	}
	mkdir(argv[2], 0777);
	while (fgets(line, sizeof(line), vectors)) {
		char path[4096];
		unsigned int octet;
		int at = 0;
		FILE *seed;

		if (line[0] == '#' || sscanf(line, "%127s %n", name, &at) != 1)
			continue;
		snprintf(path, sizeof(path), "%s/%s", argv[2], name);
		seed = fopen(path, "w");
		if (!seed) {
			perror(path);
			return EXIT_FAILURE;
		}
		for (; sscanf(line + at, "%2x", &octet) == 1 && line[at] != ' '; at += 2)
			failures += fputc((int)octet, seed) == EOF;
		failures += fclose(seed) != 0;
	}
	fclose(vectors);
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
