/*
 * Any octets as a NAS message. Beyond memory faults, which the sanitizers see, a run ends when
 * one of these does not hold:
 *  - what the lenient mode accepts encodes to the same octets;
 *  - the strict mode accepts exactly what has no finding, and the check of the decoded message
 *    finds the same again and leaves the arena as it was;
 *  - a message without findings that is built again IE by IE, in reverse order, is the same;
 *  - every value that decodes to a structure encodes to the same octets.
 * Printing is slow and has a harness of its own.
 */
#include "codecs/nas/nas_area.h"
#include "codecs/nas/nas_identity.h"
#include "codecs/nas/nas_slice.h"
#include "codecs/nas/nas_timer.h"
#include "fuzz/harness/harness.h"
#include "fuzz/harness/reach_nas.h"

enum { OUT_MAX = 70000, FINDINGS_MAX = 16 };

static uint8_t room[NAS_ARENA_SIZE];
static uint8_t rebuilt_room[65536];
static uint8_t out[OUT_MAX];

static void check_value(const struct nas_item *item)
{
	struct octets value = item->value;
	struct nas_identity identity;
	struct nas_snssai slices[NAS_NSSAI_MAX];
	struct nas_rejected_snssai rejected[NAS_NSSAI_MAX];
	struct nas_tai tais[NAS_TAI_LIST_MAX];
	enum nas_timer_coding coding;
	uint8_t again[1024];
	int count;

	if (!item->row || value.len > sizeof(again))
		return;
	switch (nas_ie_type(item->row->ie)) {
	case NAS_TYPE_5GS_MOBILE_IDENTITY:
		if (nas_identity_decode(&identity, value) != FINDING_NONE ||
		    identity.type == NAS_IDENTITY_NONE)
			break;
		require(nas_identity_encode(&identity, again, sizeof(again)) == (int)value.len);
		require(memcmp(again, value.data, value.len) == 0);
		break;
	case NAS_TYPE_NSSAI:
		count = nas_nssai_decode(value, slices, NAS_NSSAI_MAX);
		if (count < 1 || count > NAS_NSSAI_MAX)
			break;
		require(nas_nssai_encode(slices, (size_t)count, again, sizeof(again)) ==
			(int)value.len);
		require(memcmp(again, value.data, value.len) == 0);
		break;
	case NAS_TYPE_REJECTED_NSSAI:
		count = nas_rejected_nssai_decode(value, rejected, NAS_NSSAI_MAX);
		if (count < 1 || count > NAS_NSSAI_MAX)
			break;
		require(nas_rejected_nssai_encode(rejected, (size_t)count, again, sizeof(again)) ==
			(int)value.len);
		require(memcmp(again, value.data, value.len) == 0);
		break;
	case NAS_TYPE_5GS_TRACKING_AREA_IDENTITY_LIST:
		count = nas_tai_list_decode(value, tais, NAS_TAI_LIST_MAX);
		for (int i = 0; i < count && i < NAS_TAI_LIST_MAX; i++)
			require(nas_tai_list_has(value, &tais[i]));
		break;
	default:
		if (!nas_timer_coding_of((enum nas_ie)item->row->ie, &coding) || value.len != 1)
			break;
		struct nas_timer timer = nas_timer_decode(value.data[0], coding);

		if (timer.state != NAS_TIMER_DEACTIVATED && !timer.reserved) {
			int octet = nas_timer_encode(timer.seconds, coding);

			require(octet >= 0 &&
				nas_timer_decode((uint8_t)octet, coding).seconds == timer.seconds);
		}
	}
}

/* A message in the order of its table is the same again when its IEs are added backwards. */
static void check_rebuilt(const struct nas_msg *msg, struct octets in)
{
	struct arena arena;
	struct nas_msg again;

	arena_init(&arena, rebuilt_room, sizeof(rebuilt_room));
	nas_init(&again, (enum nas_message_type)msg->type, &arena);
	again.pdu_session_id = msg->pdu_session_id;
	again.pti = msg->pti;
	for (size_t i = msg->count; i-- > 0;)
		require(nas_add(&again, (enum nas_ie)msg->items[i].row->ie, msg->items[i].value) ==
			0);
	require(nas_encode(&again, out, sizeof(out)) == (int)in.len);
	require(memcmp(out, in.data, in.len) == 0);
}

static void check(const uint8_t *data, size_t size)
{
	struct octets in = OCTETS(data, size);
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct findings checked = { NULL, 0, 0 };
	struct nas_secured secured;
	struct arena arena;
	struct nas_msg msg;
	struct nas_msg strict;

	if (size > OUT_MAX)
		return;
	if (nas_secured_decode(&secured, in) == FINDING_NONE) {
		require(nas_secured_encode(&secured, out, sizeof(out)) == (int)size);
		require(memcmp(out, data, size) == 0);
		in = secured.inner;
	}
	arena_init(&arena, room, sizeof(room));
	if (nas_decode(&msg, in, &arena, DECODE_LENIENT, &findings) != FINDING_NONE) {
		require(findings.count == 1 && items[0].rule != FINDING_NO_MEMORY);
		return;
	}
	require(nas_encode(&msg, out, sizeof(out)) == (int)in.len);
	require(memcmp(out, in.data, in.len) == 0);
	/* both modes on one input would be the same checks twice */
	if (in.len & 1) {
		size_t used = arena.used;

		require((nas_check(&msg, &checked) == FINDING_NONE) == (findings.count == 0));
		require(checked.count == findings.count && arena.used == used);
	}
	for (size_t i = 0; i < findings.count && i < FINDINGS_MAX; i++)
		require(items[i].bit <= in.len * 8);
	reach_nas(&msg, &findings);
	for (size_t i = 0; i < msg.count; i++)
		check_value(&msg.items[i]);
	if (findings.count == 0)
		check_rebuilt(&msg, in);
	if (in.len & 1)
		return;
	arena_init(&arena, room, sizeof(room));
	require((nas_decode(&strict, in, &arena, DECODE_STRICT, NULL) == FINDING_NONE) ==
		(findings.count == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t start = linear_start(size);

	check(data, size);
	require_linear(start, size);
	return 0;
}
