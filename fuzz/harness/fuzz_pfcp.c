/*
 * Any octets as a PFCP datagram. Beyond memory faults, which the sanitizers see, a run ends when
 * one of these does not hold:
 *  - only a short header and another version are refused;
 *  - what is accepted encodes to the same octets, and takes no more memory than is promised;
 *  - the strict mode accepts exactly what has no finding;
 *  - the check comes to the most severe reaction of its findings, and to the same again;
 *  - a message of sound IEs that is built again one by one encodes to the same octets;
 *  - every value that decodes to a structure decodes to the same again after it was encoded.
 */
#include "codecs/pfcp/pfcp_check.h"
#include "codecs/pfcp/pfcp_value.h"
#include "fuzz/harness/harness.h"
#include "fuzz/harness/reach_pfcp.h"

enum { FINDINGS_MAX = 16, VALUE_MAX = 512, IE_ROOM = 64 };

static uint8_t room[PFCP_ARENA_MAX];
static uint8_t rebuilt_room[4 * PFCP_ARENA_MAX];
static uint8_t out[PFCP_MESSAGE_MAX + 1];

/* Encoded, decoded and encoded again, a value is the same. */
#define ROUND_TRIP(structure, decode, encode, octets)                                   \
	do {                                                                            \
		structure first;                                                        \
		structure second;                                                       \
		uint8_t once[VALUE_MAX];                                                \
		uint8_t twice[VALUE_MAX];                                               \
		int len;                                                                \
                                                                                        \
		if ((octets).len > VALUE_MAX || decode(&first, octets) != FINDING_NONE) \
			break;                                                          \
		len = encode(&first, once, sizeof(once));                               \
		require(len >= 0 && (size_t)len <= (octets).len);                       \
		require(decode(&second, OCTETS(once, (size_t)len)) == FINDING_NONE);    \
		require(encode(&second, twice, sizeof(twice)) == len);                  \
		require(memcmp(once, twice, (size_t)len) == 0);                         \
		require(len == 0 || encode(&first, twice, (size_t)len - 1) < 0);        \
	} while (0)

static void check_value(const struct pfcp_ie *ie)
{
	struct pfcp_timer timer;

	switch (ie->type) {
	case PFCP_IE_NODE_ID:
		ROUND_TRIP(struct pfcp_node_id, pfcp_node_id_decode, pfcp_node_id_encode,
			   ie->value);
		break;
	case PFCP_IE_F_SEID:
		ROUND_TRIP(struct pfcp_f_seid, pfcp_f_seid_decode, pfcp_f_seid_encode, ie->value);
		break;
	case PFCP_IE_F_TEID:
		ROUND_TRIP(struct pfcp_f_teid, pfcp_f_teid_decode, pfcp_f_teid_encode, ie->value);
		break;
	case PFCP_IE_UE_IP_ADDRESS:
		ROUND_TRIP(struct pfcp_ue_ip_address, pfcp_ue_ip_address_decode,
			   pfcp_ue_ip_address_encode, ie->value);
		break;
	case PFCP_IE_VOLUME_MEASUREMENT:
		ROUND_TRIP(struct pfcp_volume, pfcp_volume_decode, pfcp_volume_encode, ie->value);
		break;
	case PFCP_IE_OUTER_HEADER_CREATION:
		ROUND_TRIP(struct pfcp_outer_header_creation, pfcp_outer_header_creation_decode,
			   pfcp_outer_header_creation_encode, ie->value);
		break;
	case PFCP_IE_FAILED_RULE_ID:
		ROUND_TRIP(struct pfcp_failed_rule_id, pfcp_failed_rule_id_decode,
			   pfcp_failed_rule_id_encode, ie->value);
		break;
	case PFCP_IE_MBR:
		ROUND_TRIP(struct pfcp_bit_rate, pfcp_bit_rate_decode, pfcp_bit_rate_encode,
			   ie->value);
		break;
	case PFCP_IE_TIMER:
		if (ie->value.len != 1)
			break;
		timer = pfcp_timer_decode(ie->value.data[0]);
		if (timer.state == PFCP_TIMER_RUNNING && timer.seconds)
			require(pfcp_timer_decode((uint8_t)pfcp_timer_encode(timer.seconds))
					.seconds == timer.seconds);
		break;
	default:
		break;
	}
}

/* Checks all values; false when an IE is not what pfcp_add builds. */
static bool walk(const struct pfcp_ie_list *list, unsigned int depth)
{
	bool sound = true;

	require(depth <= PFCP_DEPTH_MAX);
	for (const struct pfcp_ie *ie = list->first; ie; ie = ie->next) {
		if (ie->bare || ie->length_lies)
			sound = false;
		else if (ie->grouped)
			sound &= walk(&ie->ies, depth + 1);
		else
			check_value(ie);
		require(ie->next != NULL || ie == list->last);
	}
	return sound;
}

static void build(struct pfcp_message *msg, struct pfcp_ie *group, const struct pfcp_ie_list *list)
{
	for (const struct pfcp_ie *ie = list->first; ie; ie = ie->next) {
		if (ie->grouped)
			build(msg, pfcp_add_group(msg, group, ie->type), &ie->ies);
		else if (ie->type >= PFCP_IE_VENDOR)
			pfcp_add_vendor(msg, group, ie->type, ie->enterprise_id, ie->value);
		else
			pfcp_add(msg, group, ie->type, ie->value);
	}
}

static void check_rebuilt(const struct pfcp_message *msg, struct octets in)
{
	struct pfcp_message again = *msg;
	struct arena arena;

	arena_init(&arena, rebuilt_room, sizeof(rebuilt_room));
	again.arena = &arena;
	again.ies = (struct pfcp_ie_list){ NULL, NULL };
	build(&again, NULL, &msg->ies);
	require(again.error == 0);
	require(pfcp_encode(&again, out, sizeof(out)) == (int)in.len);
	require(memcmp(out, in.data, in.len) == 0);
}

static void check_verdict(const struct pfcp_message *msg)
{
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct pfcp_verdict verdict = pfcp_check(msg, &findings);
	uint8_t most = PFCP_REACTION_NONE;

	for (size_t i = 0; i < findings.count && i < FINDINGS_MAX; i++)
		most = items[i].reaction > most ? items[i].reaction : most;
	require(findings.count > FINDINGS_MAX || verdict.reaction == most);
	require((verdict.reaction == PFCP_REACTION_REJECT) == (verdict.cause != 0));
	reach_pfcp(msg, &findings);
}

static void check(const uint8_t *data, size_t size)
{
	struct octets in = OCTETS(data, size);
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct pfcp_message msg;
	struct pfcp_message strict;
	enum finding_rule rule;
	struct arena arena;

	if (size > PFCP_MESSAGE_MAX)
		return;
	arena_init(&arena, room, sizeof(room));
	rule = pfcp_decode(&msg, in, &arena, DECODE_LENIENT, &findings);
	if (rule != FINDING_NONE) {
		require(rule == FINDING_TRUNCATED || rule == FINDING_NOT_COMPREHENDED);
		require(findings.count == 1 && items[0].rule == rule);
		return;
	}
	require(arena.used <= (size / 5 + 1) * 2 * IE_ROOM);
	in.len -= msg.following.len;
	require(pfcp_encode(&msg, out, sizeof(out)) == (int)in.len);
	require(memcmp(out, data, in.len) == 0);
	for (size_t i = 0; i < findings.count && i < FINDINGS_MAX; i++)
		require(items[i].bit <= size * 8);
	check_verdict(&msg);
	/* not everything with every input: it costs as much as all the rest */
	if (size & 1) {
		if (walk(&msg.ies, 0))
			check_rebuilt(&msg, in);
		return;
	}
	arena_init(&arena, room, sizeof(room));
	require((pfcp_decode(&strict, OCTETS(data, size), &arena, DECODE_STRICT, NULL) ==
		 FINDING_NONE) == (findings.count == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t start = linear_start(size);

	check(data, size);
	require_linear(start, size);
	return 0;
}
