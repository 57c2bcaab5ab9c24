/*
 * Messages that are built from the tables, with the input as the source of chance: the strict
 * decoder has to take what the encoder made of a valid message, and encode it to the same octets
 * again. The other harnesses go from octets to messages and would not miss a message that no
 * decoder takes.
 */
#include <string.h>

#include "codecs/nas/nas.h"
#include "codecs/ngap/ngap.h"
#include "codecs/pfcp/pfcp.h"
#include "fuzz/harness/harness.h"
#include "fuzz/mutator/mutator.h"

enum { PDU_MAX = 65536, ROOM = 8 << 20 };

static uint8_t pdu_octets[PDU_MAX];
static uint8_t again[PDU_MAX];
static uint8_t room[ROOM];

static void check_nas(struct octets in)
{
	struct arena arena;
	struct nas_msg msg;

	arena_init(&arena, room, sizeof(room));
	require(nas_decode(&msg, in, &arena, DECODE_STRICT, NULL) == FINDING_NONE);
	require(nas_encode(&msg, again, sizeof(again)) == (int)in.len);
}

static void check_ngap(struct octets in)
{
	struct arena arena;
	struct ngap_pdu pdu;

	arena_init(&arena, room, sizeof(room));
	require(ngap_decode(&pdu, in, &arena, DECODE_STRICT, NULL) == 0);
	require(ngap_encode(&pdu, again, sizeof(again)) == (ssize_t)in.len);
}

static void check_pfcp(struct octets in)
{
	struct pfcp_message msg;
	struct arena arena;

	arena_init(&arena, room, sizeof(room));
	require(pfcp_decode(&msg, in, &arena, DECODE_STRICT, NULL) == FINDING_NONE);
	require(pfcp_encode(&msg, again, sizeof(again)) == (int)in.len);
}

static const struct {
	mutate_fn *mutate;
	void (*check)(struct octets in);
} protocols[] = {
	{ mutate_nas, check_nas },
	{ mutate_ngap, check_ngap },
	{ mutate_pfcp, check_pfcp },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t seed = UINT64_C(0xcbf29ce484222325);
	enum mutation_fault fault = FAULT_NONE;
	struct chance chance;
	size_t protocol;
	size_t len = 0;

	if (size < 2 || size > 64)
		return 0;
	for (size_t i = 0; i < size; i++)
		seed = (seed ^ data[i]) * UINT64_C(0x100000001b3);
	chance = chance_of(seed);
	protocol = data[0] % (sizeof(protocols) / sizeof(protocols[0]));
	for (unsigned int i = 0; i <= data[1] % 32U; i++) {
		size_t now = protocols[protocol].mutate(pdu_octets, len, PDU_MAX, MUTATION_VALID,
							&fault, &chance);

		if (!now)
			continue;
		len = now;
		protocols[protocol].check(OCTETS(pdu_octets, len));
		require(memcmp(again, pdu_octets, len) == 0);
	}
	return 0;
}
