/*
 * Wireshark's dissector as somebody else's codec: one tshark reads packets from a pipe and says
 * after each what it found. It only decodes. The process is ours to feed: when it ends, which is
 * its crash and not ours, the harness says so and stops.
 *
 * It is PFCP, or with TSHARK_NAS defined NAS: neither has a transport with state around it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/vendor/vendor.h"

#ifdef TSHARK_NAS
#define DISSECTOR "nas-5gs"
const enum vendor_protocol vendor_protocol = VENDOR_NAS;
#else
#define DISSECTOR "pfcp"
const enum vendor_protocol vendor_protocol = VENDOR_PFCP;
#endif

enum { LINKTYPE_USER0 = 147, SNAPLEN = 262144 };

static FILE *packets;
static FILE *verdicts;

static void put_number(uint32_t number)
{
	fwrite(&number, sizeof(number), 1, packets);
}

static void give_up(const char *why)
{
	fprintf(stderr, "ORACLE: tshark %s\n", why);
	abort();
}

static void start(void)
{
	int in[2], back[2];

	if (pipe(in) != 0 || pipe(back) != 0)
		give_up("has no pipes");
	switch (fork()) {
	case -1:
		give_up("cannot be started");
	/* fall through */
	case 0:
		dup2(in[0], STDIN_FILENO);
		dup2(back[1], STDOUT_FILENO);
		close(in[1]);
		close(back[0]);
		execlp("tshark", "tshark", "-l", "-Q", "-r", "-", "-o",
		       "uat:user_dlts:\"User 0 (DLT=147)\",\"" DISSECTOR "\",\"0\",\"\",\"0\",\"\"",
		       "-T", "fields", "-E", "separator=/t", "-e", "frame.number", "-e",
		       "_ws.malformed", "-e", "_ws.expert.severity", (char *)NULL);
		_exit(127);
	default:
		close(in[0]);
		close(back[1]);
	}
	packets = fdopen(in[1], "wb");
	verdicts = fdopen(back[0], "r");
	if (!packets || !verdicts)
		give_up("has no pipes");
	/* the header of a pcap file: version 2.4 */
	put_number(0xa1b2c3d4);
	put_number(4u << 16 | 2u);
	put_number(0);
	put_number(0);
	put_number(SNAPLEN);
	put_number(LINKTYPE_USER0);
}

bool vendor_decode(const uint8_t *octets, size_t len, void **message)
{
	static char line[65536];
	char *malformed;
	char *severity;

	*message = NULL;
	if (!packets)
		start();
	put_number(0);
	put_number(0);
	put_number((uint32_t)len);
	put_number((uint32_t)len);
	fwrite(octets, len, 1, packets);
	if (fflush(packets) != 0 || !fgets(line, sizeof(line), verdicts))
		give_up("ended in this input");
	malformed = strchr(line, '\t');
	severity = malformed ? strchr(malformed + 1, '\t') : NULL;
	if (!severity)
		give_up("said something else");
	if (malformed + 1 != severity)
		return false;
	/* 8388608 is the severity "error" */
	return strstr(severity, "8388608") == NULL;
}

ssize_t vendor_encode(void *message, uint8_t *out, size_t size)
{
	(void)message;
	(void)out;
	(void)size;
	return -ENOSYS;
}
