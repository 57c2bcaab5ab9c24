/*
 * What decoding and encoding a NAS message costs: nanoseconds here, instructions under callgrind
 * with --only and --iterations. Beside them stands the time of copying the same octets with a
 * check sum, as the measure of the machine.
 *
 *   bench_nas [--list] [--only NAME] [--iterations N]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "codecs/nas/nas.h"

static const struct {
	const char *name;
	const char *hex;
} messages[] = {
	{ "registration_reject", "7e0044165f013e" },
	{ "registration_reject_timers", "7e0044165f015f16012c3a01a5" },
	{ "service_request", "7e004c110007f40040010203044002200050022000" },
	{ "registration_request",
	  "7e00412a000bf200f110010040010203041001002e04e0e0e0e02f0201015200f110000001400220005002"
	  "2000b025022000180100510102530100" },
	{ "registration_accept",
	  "7e0042010177000bf200f110010040010203044a0300f11054070000f11000000115050401010203210201"
	  "00500220005e01065d012c16012c" },
	{ "dl_nas_transport",
	  "7e006801002f2e0501c211000901000631310101ff01060600640600322905010a0000012204010102032509"
	  "08696e7465726e65741205" },
};

static volatile unsigned int sink;

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static size_t octets_of(const char *hex, uint8_t *out)
{
	size_t len = strlen(hex) / 2;

	for (size_t i = 0; i < len; i++) {
		unsigned int octet = 0;

		if (sscanf(hex + 2 * i, "%2x", &octet) != 1)
			exit(EXIT_FAILURE);
		out[i] = (uint8_t)octet;
	}
	return len;
}

/* One decode with all checks and one encode. */
static void round_trip(struct octets pdu, uint8_t *out, size_t size)
{
	static uint8_t room[NAS_ARENA_SIZE];
	struct finding items[8];
	struct findings findings = { items, 8, 0 };
	struct arena arena;
	struct nas_msg msg;

	arena_init(&arena, room, sizeof(room));
	if (nas_decode(&msg, pdu, &arena, DECODE_LENIENT, &findings) != FINDING_NONE ||
	    nas_encode(&msg, out, size) != (int)pdu.len || findings.count)
		exit(EXIT_FAILURE);
	sink += out[pdu.len - 1];
}

static void check_sum(struct octets pdu, uint8_t *out, size_t size)
{
	unsigned int sum = 0;

	memcpy(out, pdu.data, pdu.len < size ? pdu.len : size);
	for (size_t i = 0; i < pdu.len; i++)
		sum = sum * 31 + out[i];
	sink += sum;
}

/* The fastest of some batches: the others were disturbed. */
static double measure(void (*body)(struct octets, uint8_t *, size_t), struct octets pdu,
		      unsigned long iterations)
{
	uint8_t out[512];
	double best = 1e300;

	for (int batch = 0; batch < 10; batch++) {
		double start = now();
		double each;

		for (unsigned long i = 0; i < iterations; i++)
			body(pdu, out, sizeof(out));
		each = (now() - start) / (double)iterations;
		best = each < best ? each : best;
	}
	return best;
}

int main(int argc, char **argv)
{
	const char *only = NULL;
	unsigned long fixed = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--list") == 0) {
			for (size_t k = 0; k < sizeof(messages) / sizeof(messages[0]); k++)
				puts(messages[k].name);
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
	for (size_t k = 0; k < sizeof(messages) / sizeof(messages[0]); k++) {
		uint8_t pdu[256];
		uint8_t out[512];
		struct octets in = OCTETS(pdu, octets_of(messages[k].hex, pdu));

		if (only && strcmp(only, messages[k].name) != 0)
			continue;
		if (fixed) {
			for (unsigned long i = 0; i < fixed; i++)
				round_trip(in, out, sizeof(out));
			continue;
		}
		printf("%-28s %3zu octets: decode + encode %6.1f ns, copy and sum %5.1f ns\n",
		       messages[k].name, in.len, measure(round_trip, in, 200000),
		       measure(check_sum, in, 200000));
	}
	return EXIT_SUCCESS;
}
