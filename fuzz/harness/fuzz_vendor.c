/*
 * Somebody else's codec beside ours, on the same octets. A run ends when
 *  - what their encoder makes of an accepted message is not accepted, or encodes to other octets;
 *  - with SPILLWAY_VENDOR_STRICT set: one of the two accepts what the other one refuses.
 * Without it such differences are counted, and named at the end, since most codecs are laxer than
 * the standard in places that are known.
 */
#include <errno.h>
#include <string.h>

#include "codecs/nas/nas.h"
#include "codecs/ngap/ngap.h"
#include "codecs/pfcp/pfcp.h"
#include "fuzz/harness/harness.h"
#include "fuzz/vendor/vendor.h"

enum { OUT_MAX = 65536 + 64, ROOM = 8 << 20, VENDOR_MAX = 60000 };

static uint8_t room[ROOM];
static uint8_t out[OUT_MAX];
static uint8_t again[OUT_MAX];

static struct {
	unsigned long both, neither, only_ours, only_theirs;
} counts;

static bool we_decode(struct octets in)
{
	struct arena arena;
	struct ngap_pdu pdu;
	struct nas_msg nas;
	struct pfcp_message pfcp;

	arena_init(&arena, room, sizeof(room));
	switch (vendor_protocol) {
	case VENDOR_NGAP:
		return ngap_decode(&pdu, in, &arena, DECODE_LENIENT, NULL) == 0;
	case VENDOR_PFCP:
		return pfcp_decode(&pfcp, in, &arena, DECODE_STRICT, NULL) == FINDING_NONE;
	case VENDOR_NAS:
	default:
		return nas_decode(&nas, in, &arena, DECODE_LENIENT, NULL) == FINDING_NONE;
	}
}

static void print_counts(void)
{
	fprintf(stderr, "both %lu, neither %lu, only ours %lu, only theirs %lu\n", counts.both,
		counts.neither, counts.only_ours, counts.only_theirs);
}

static void compare(bool ours, bool theirs)
{
	static bool announced;

	if (!announced)
		atexit(print_counts);
	announced = true;
	if (ours)
		*(theirs ? &counts.both : &counts.only_ours) += 1;
	else
		*(theirs ? &counts.only_theirs : &counts.neither) += 1;
	if (getenv("SPILLWAY_VENDOR_STRICT"))
		require(ours == theirs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *message = NULL;
	void *second = NULL;
	ssize_t len;
	bool theirs;

	if (size == 0 || size > VENDOR_MAX)
		return 0;
	theirs = vendor_decode(data, size, &message);
	compare(we_decode(OCTETS(data, size)), theirs);
	if (!theirs)
		return 0;
	len = vendor_encode(message, out, sizeof(out));
	if (len == -ENOSYS)
		return 0;
	require(len > 0 && (size_t)len <= sizeof(out));
	require(vendor_decode(out, (size_t)len, &second));
	require(vendor_encode(second, again, sizeof(again)) == len);
	require(memcmp(out, again, (size_t)len) == 0);
	return 0;
}
