/*
 * What it costs to decode and to encode a PFCP message, and to check it: nanoseconds here,
 * instructions under callgrind with --only and --iterations. Beside them stands the time of a check
 * sum over the same octets, as the measure of the machine.
 *
 *   bench_pfcp [--list | --only NAME --iterations N]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "codecs/pfcp/pfcp_check.h"

enum { BATCHES = 50, BATCH = 20000, OCTETS_MAX = 1024 };

static const struct {
	const char *name;
	const char *hex;
} messages[] = {
	{ "session_modification_response_oci", "233500270000000000000001000102300013000101003600120"
					       "0340004000003e8003500011e003700010a" },
	{ "heartbeat_request", "2001000c0000010000600004e8bb1d80" },
	{ "session_establishment_request",
	  "23320124000000000000000000000200003c0005000ac8c8010039000d0200000000000000010ac8c801"
	  "0001004f003800020001001d0004000000ff0002002800140001000015000901000000010ac8c8660016"
	  "000908696e7465726e6574005d0005020a3c0001005f000100006c000400000001006d00040000000100"
	  "01003d003800020002001d0004000000ff0002001b00140001020016000908696e7465726e6574005d00"
	  "05060a3c0001006c000400000002006d00040000000100030023006c000400000001002c000102000400"
	  "12002a0001020016000908696e7465726e657400030016006c000400000002002c00010200040005002a"
	  "00010000070020006d0004000000010019000100001a000a00000003e800000003e8007c000109007100"
	  "0101" },
};

static uint8_t in[OCTETS_MAX];
static size_t in_len;
static volatile unsigned int sink;

static void load(const char *hex)
{
	unsigned int octet;

	for (in_len = 0; sscanf(hex + 2 * in_len, "%2x", &octet) == 1; in_len++)
		in[in_len] = (uint8_t)octet;
}

static void round_trip_and(bool check)
{
	static uint8_t room[PFCP_ARENA_SIZE];
	static uint8_t out[OCTETS_MAX];
	struct pfcp_message msg;
	struct arena arena;

	arena_init(&arena, room, sizeof(room));
	if (pfcp_decode(&msg, OCTETS(in, in_len), &arena, DECODE_LENIENT, NULL) != FINDING_NONE ||
	    pfcp_encode(&msg, out, sizeof(out)) != (int)in_len)
		exit(EXIT_FAILURE);
	if (check && pfcp_check(&msg, NULL).reaction != PFCP_REACTION_NONE)
		exit(EXIT_FAILURE);
	sink += out[in_len - 1];
}

static void round_trip(void)
{
	round_trip_and(false);
}

static void round_trip_and_check(void)
{
	round_trip_and(true);
}

static void check_sum(void)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < in_len; i++)
		sum = sum * 31 + in[i];
	sink += sum;
}

/* Nanoseconds of one call, in the batch that was disturbed least. */
static double measure(void (*body)(void))
{
	double best = 1e300;

	for (int batch = 0; batch < BATCHES; batch++) {
		struct timespec from;
		struct timespec to;
		double each;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
		for (int i = 0; i < BATCH; i++)
			body();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
		each = ((double)(to.tv_sec - from.tv_sec) * 1e9 +
			(double)(to.tv_nsec - from.tv_nsec)) /
		       BATCH;
		best = each < best ? each : best;
	}
	return best;
}

int main(int argc, char **argv)
{
	const char *only = argc == 5 ? argv[2] : NULL;

	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		if (argc == 2) {
			puts(messages[i].name);
			continue;
		}
		load(messages[i].hex);
		if (!only) {
			printf("%-34s %3zu octets: decode + encode %6.1f ns, with check %6.1f ns, "
			       "check sum %5.1f ns\n",
			       messages[i].name, in_len, measure(round_trip),
			       measure(round_trip_and_check), measure(check_sum));
			continue;
		}
		for (long k = strtol(argv[4], NULL, 10);
		     strcmp(only, messages[i].name) == 0 && k > 0; k--)
			round_trip();
	}
	return EXIT_SUCCESS;
}
