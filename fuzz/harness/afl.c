/*
 * The driver for AFL++: persistent, with the input in shared memory. The octets are copied to a
 * block of their exact size, since what lies behind the input in AFL's buffer is memory that no
 * sanitizer objects to. Files on the command line are run once each, as triage does.
 */
#include <string.h>
#include <unistd.h>

#include "fuzz/harness/harness.h"

__AFL_FUZZ_INIT();

static void run(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		return;
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static int run_file(const char *path)
{
	static uint8_t data[1 << 20];
	FILE *file = fopen(path, "rb");

	if (!file) {
		perror(path);
		return EXIT_FAILURE;
	}
	run(data, fread(data, 1, sizeof(data), file));
	fclose(file);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	int status = EXIT_SUCCESS;

	for (int i = 1; i < argc; i++)
		status |= run_file(argv[i]);
	if (argc > 1)
		return status;
	__AFL_INIT();
	const uint8_t *input = __AFL_FUZZ_TESTCASE_BUF;

	while (__AFL_LOOP(100000))
		run(input, (size_t)__AFL_FUZZ_TESTCASE_LEN);
	return EXIT_SUCCESS;
}
