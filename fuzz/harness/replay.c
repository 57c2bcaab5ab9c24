/*
 * Runs a harness over files of hexadecimal octets, a message a line, in the first field or in the
 * second: so that every build without a fuzzer tests the harness and its oracles on valid input.
 * A file that is not there is named and passed over.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char hex_digits[] = "0123456789abcdef";

static size_t run_file(FILE *file)
{
	static char line[300000];
	size_t count = 0;

	while (fgets(line, sizeof(line), file)) {
		char *hex = line;
		size_t digits = strspn(hex, hex_digits);
		uint8_t *data;

		if (line[0] == '#')
			continue;
		if (digits < 4 || !strchr("\t\n ", hex[digits])) {
			hex = line + strcspn(line, "\t ");
			hex += strspn(hex, "\t ");
			digits = strspn(hex, hex_digits);
		}
		/* of exact size, so that a sanitizer sees one octet too many */
		data = malloc(digits / 2 ? digits / 2 : 1);
		if (!data)
			return count;
		for (size_t i = 0; i < digits / 2; i++) {
			unsigned int octet = 0;

			sscanf(hex + 2 * i, "%2x", &octet);
			data[i] = (uint8_t)octet;
		}
		LLVMFuzzerTestOneInput(data, digits / 2);
		free(data);
		count++;
	}
	return count;
}

int main(int argc, char **argv)
{
	size_t count = 0;

	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "r");

		if (!file) {
			printf("%s: not there, not tested\n", argv[i]);
			continue;
		}
		count += run_file(file);
		fclose(file);
	}
	printf("%zu messages\n", count);
	return count ? EXIT_SUCCESS : EXIT_FAILURE;
}
