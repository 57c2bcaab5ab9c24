/*
 * What it costs to decode and to encode an NGAP-PDU, every IE of it: processor time, least of many
 * batches, and the arena that the decoded message takes. A loop of fixed arithmetic is timed
 * beside it, so that figures of different machines can be compared.
 *
 * usage: bench_ngap                             all PDUs
 *        bench_ngap --list                      their names
 *        bench_ngap --only NAME --iterations N  one PDU, N times, no clock: for callgrind
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codecs/ngap/ngap.h"

#define FILLER	  "7e020102030405"
#define FILLER_4  FILLER FILLER FILLER FILLER
#define FILLER_24 FILLER_4 FILLER_4 FILLER_4 FILLER_4 FILLER_4 FILLER_4

static const struct {
	const char *name;
	const char *hex;
	double target; /* ns, sum (quality.md) */
} pdus[] = {
	{ "OverloadStart", "0016401d000003000200012000094001620031400c000060000010080102030300",
	  280 },
	{ "NGSetupRequest",
	  "00150045000004001b00090099f9075000010203005240160980676e622d636f6e666f726d616e63652d3030"
	  "30310066001200000000010099f9070001100801020300100015400140",
	  470 },
	{ "InitialUEMessage",
	  "000f40480000050055000200010026001a197e004179000d0199f907f0ff000000000000012e04f0f0f0f000"
	  "7900135099f907000000010099f907000001e7010203005a4001180070400100",
	  340 },
	{ "InitialContextSetupRequest",
	  "000e00817400000b000a000680012345678900550005c0fffffffe006e000a0c3b9aca00301dcd6500001c00"
	  "070099f90702004000470044004001197e004179000d0199f907f0ff000000000000012e04f0f0f0f0402001"
	  "020321000003008b000a01f07f0000010000000100860001000088000700090000091c000000000502010102"
	  "03007700091c000e000000000000005e00200102030405060708090a0b0c0d0e0f1011121314151617"
	  "18191a1b1c1d1e1f20002440040099f907002240081122334455ffff0100264080aa80a8" FILLER_24,
	  1100 },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define BATCHES	 200
#define BATCH	 2000

static uint8_t in[1024];
static uint8_t out[1024];
static uint8_t memory[NGAP_ARENA_SIZE];
static struct ngap_pdu pdu;
static struct arena arena;
static size_t in_len;

static size_t unhex(const char *hex)
{
	size_t n = 0;
	unsigned int octet;

	for (; *hex; hex += 2) {
		sscanf(hex, "%2x", &octet);
		in[n++] = (uint8_t)octet;
	}
	return n;
}

static int decode(void)
{
	arena_init(&arena, memory, sizeof(memory));
	return ngap_decode(&pdu, OCTETS(in, in_len), &arena, DECODE_LENIENT, NULL);
}

static int encode(void)
{
	return ngap_encode(&pdu, out, sizeof(out)) == (ssize_t)in_len ? 0 : -1;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ns of one call, the least mean of all batches. */
static double measure(int (*run)(void))
{
	double best = 1e18;

	for (int i = 0; i < BATCHES; i++) {
		double start = now();
		double spent;

		for (int j = 0; j < BATCH; j++)
			if (run() != 0)
				return -1;
		spent = (now() - start) / BATCH;
		if (spent < best)
			best = spent;
	}
	return best;
}

/* A thousand dependent multiplications. */
static int yardstick(void)
{
	static volatile uint64_t seed = 1;
	uint64_t x = seed;

	for (int i = 0; i < 1000; i++)
		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
	seed = x;
	return 0;
}

static bool load(size_t i)
{
	in_len = unhex(pdus[i].hex);
	return decode() == 0 && encode() == 0 && memcmp(in, out, in_len) == 0;
}

static int repeat(const char *name, long iterations)
{
	for (size_t i = 0; i < COUNT(pdus); i++) {
		if (strcmp(pdus[i].name, name) != 0)
			continue;
		if (!load(i))
			return 1;
		while (iterations-- > 0)
			if (decode() != 0 || encode() != 0)
				return 1;
		return 0;
	}
	fprintf(stderr, "no PDU %s\n", name);
	return 2;
}

int main(int argc, char **argv)
{
	double unit;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (size_t i = 0; i < COUNT(pdus); i++)
			puts(pdus[i].name);
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "--only") == 0 && strcmp(argv[3], "--iterations") == 0)
		return repeat(argv[2], strtol(argv[4], NULL, 10));
	if (argc != 1) {
		fprintf(stderr, "usage: bench_ngap [--list | --only NAME --iterations N]\n");
		return 2;
	}
	unit = measure(yardstick);
	printf("%-28s %6s %8s %8s %8s %8s %8s %6s\n", "NGAP-PDU", "octets", "decode", "encode",
	       "sum ns", "reach", "ratio", "arena");
	for (size_t i = 0; i < COUNT(pdus); i++) {
		double d;
		double e;

		if (!load(i)) {
			fprintf(stderr, "%s does not come back as it was\n", pdus[i].name);
			return 1;
		}
		d = measure(decode);
		e = measure(encode);
		printf("%-28s %6zu %8.1f %8.1f %8.1f %8.0f %8.3f %6zu\n", pdus[i].name, in_len, d,
		       e, d + e, pdus[i].target, (d + e) / unit, arena.used);
	}
	printf("ratio: to 1000 dependent multiplications, %.1f ns here\n", unit);
	return 0;
}
