/*
 * What reading and printing an element of 3gpp-Sbi-Oci costs: nanoseconds here, instructions under
 * callgrind with --only and --iterations. Beside them stands the time of copying the same octets
 * with a check sum, as the measure of the machine.
 *
 *   bench_sbi [--list] [--only NAME] [--iterations N]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "codecs/sbi/sbi.h"

static const char value[] =
	"Timestamp: \"Tue, 04 Feb 2020 08:49:37 GMT\"; Period-of-Validity: 75s; "
	"Overload-Reduction-Metric: 50%; "
	"NF-Instance: 54804518-4191-46b3-955c-ac631f953ed8";

static struct sbi_load oci;
static volatile unsigned int sink;

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static void read_one(void)
{
	static uint8_t room[256];
	struct octets line = OCTETS((const uint8_t *)value, sizeof(value) - 1);
	struct arena arena;
	size_t found;

	arena_init(&arena, room, sizeof(room));
	if (sbi_oci_read(&oci, 1, &found, &line, 1, SBI_REL_18, &arena, DECODE_STRICT, NULL) !=
	    FINDING_NONE)
		exit(EXIT_FAILURE);
	sink += oci.metric;
}

static void print_one(void)
{
	char printed[256];
	struct text text;

	text_init(&text, printed, sizeof(printed));
	sbi_oci_print(&text, &oci);
	if (text.len != sizeof(value) - 1)
		exit(EXIT_FAILURE);
	sink += (unsigned int)printed[3];
}

static void check_sum(void)
{
	char copy[sizeof(value)];
	unsigned int sum = 0;

	memcpy(copy, value, sizeof(value));
	for (size_t i = 0; i < sizeof(value); i++)
		sum = sum * 31 + (unsigned int)copy[i];
	sink += sum;
}

/* The fastest of some batches: the others were disturbed. */
static double measure(void (*body)(void))
{
	const unsigned long iterations = 200000;
	double best = 1e300;

	for (int batch = 0; batch < 10; batch++) {
		double start = now(), each;

		for (unsigned long i = 0; i < iterations; i++)
			body();
		each = (now() - start) / (double)iterations;
		best = each < best ? each : best;
	}
	return best;
}

static const struct {
	const char *name;
	void (*body)(void);
} bodies[] = { { "oci_read", read_one }, { "oci_print", print_one } };

int main(int argc, char **argv)
{
	const char *only = NULL;
	unsigned long fixed = 0;

	read_one();
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--list") == 0) {
			for (size_t k = 0; k < sizeof(bodies) / sizeof(bodies[0]); k++)
				puts(bodies[k].name);
			return EXIT_SUCCESS;
		}
		if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
			only = argv[++i];
		} else if (strcmp(argv[i], "--iterations") == 0 && i + 1 < argc) {
			fixed = strtoul(argv[++i], NULL, 10);
		} else {
			fprintf(stderr, "usage: %s [--list] [--only NAME] [--iterations N]\n",
				argv[0]);
			return EXIT_FAILURE;
		}
	}
	for (size_t k = 0; k < sizeof(bodies) / sizeof(bodies[0]); k++) {
		if (only && strcmp(only, bodies[k].name) != 0)
			continue;
		if (fixed) {
			for (unsigned long i = 0; i < fixed; i++)
				bodies[k].body();
			continue;
		}
		printf("%-12s %3zu octets: %6.1f ns, copy and sum %5.1f ns\n", bodies[k].name,
		       sizeof(value) - 1, measure(bodies[k].body), measure(check_sum));
	}
	return EXIT_SUCCESS;
}
