/*
 * Most values follow from the tables: of a FIELDS value the shortest one that has all parts that
 * its flags promise. What has to mean something is listed.
 */
#include "codecs/pfcp/pfcp_sample.h"

#include "codecs/pfcp/pfcp_check.h"
#include "codecs/pfcp/pfcp_codec.h"
#include "codecs/pfcp/pfcp_fields.h"
#include "codecs/pfcp/pfcp_value.h"

#define SAMPLE(...)                                                                  \
	{                                                                            \
		(const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }) \
	}

enum { ROUNDS_MAX = 16, FINDINGS_MAX = 32 };

static const struct {
	uint16_t type;
	struct octets value;
	struct octets most; /* if it has another one */
} listed[] = {
	{ PFCP_IE_CAUSE, SAMPLE(PFCP_CAUSE_REQUEST_ACCEPTED), { 0 } },
	{ PFCP_IE_NODE_ID, SAMPLE(PFCP_NODE_ID_IPV4, 192, 0, 2, 1),
	  SAMPLE(PFCP_NODE_ID_FQDN, 3, 'u', 'p', 'f', 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e') },
	{ PFCP_IE_F_TEID, SAMPLE(0x01, 0, 0, 0, 1, 192, 0, 2, 1),
	  SAMPLE(0x03, 0, 0, 0, 1, 192, 0, 2, 1, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		 0, 1) },
	{ PFCP_IE_UE_IP_ADDRESS, SAMPLE(0x02, 10, 0, 0, 1),
	  SAMPLE(0x4f, 10, 0, 0, 1, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4,
		 60) },
	{ PFCP_IE_LOCAL_INGRESS_TUNNEL, SAMPLE(0x01, 0x08, 0x68, 192, 0, 2, 1), { 0 } },
	/* one that announces no other IE, and all that do */
	{ PFCP_IE_REPORT_TYPE, SAMPLE(0x08), SAMPLE(0x7f) },
	{ PFCP_IE_NODE_REPORT_TYPE, SAMPLE(0x01), SAMPLE(0x7f) },
	{ PFCP_IE_NETWORK_INSTANCE, SAMPLE(8, 'i', 'n', 't', 'e', 'r', 'n', 'e', 't'), { 0 } },
	{ PFCP_IE_APN_DNN, SAMPLE(8, 'i', 'n', 't', 'e', 'r', 'n', 'e', 't'), { 0 } },
	{ PFCP_IE_FQ_CSID, SAMPLE(0x01, 192, 0, 2, 1, 0, 1, 1), { 0 } },
	{ PFCP_IE_SDF_FILTER,
	  SAMPLE(0x01, 0, 0, 10, 'p', 'e', 'r', 'm', 'i', 't', ' ', 'o', 'u', 't'),
	  SAMPLE(0x1f, 0, 0, 10, 'p', 'e', 'r', 'm', 'i', 't', ' ', 'o', 'u', 't', 0xb8, 0xfc, 0, 0,
		 0, 1, 0, 0, 1, 0, 0, 0, 1) },
	{ PFCP_IE_SMF_SET_ID, SAMPLE(0, 3, 's', 'e', 't'), { 0 } },
	{ PFCP_IE_METRIC, SAMPLE(30), SAMPLE(100) },
	{ PFCP_IE_TIMER, SAMPLE(0x0a), SAMPLE(PFCP_TIMER_OCTET_INFINITE) },
	{ PFCP_IE_FAILED_RULE_ID, SAMPLE(PFCP_RULE_PDR, 0, 1), SAMPLE(PFCP_RULE_FAR, 0, 0, 0, 1) },
	{ PFCP_IE_PDN_TYPE, SAMPLE(PFCP_PDN_TYPE_IPV4), { 0 } },
	{ PFCP_IE_DL_BUFFERING_SUGGESTED_PACKET_COUNT, SAMPLE(1), SAMPLE(1, 0) },
	{ PFCP_IE_TRACE_INFORMATION,
	  SAMPLE(0x00, 0xf1, 0x10, 0, 0, 1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 12, 0, 0, 0, 0, 0, 0,
		 0, 0, 0, 0, 0, 0, 4, 192, 0, 2, 1),
	  { 0 } },
	{ PFCP_IE_FLOW_INFORMATION,
	  SAMPLE(1, 0, 10, 'p', 'e', 'r', 'm', 'i', 't', ' ', 'o', 'u', 't'),
	  { 0 } },
	{ PFCP_IE_REDIRECT_INFORMATION,
	  SAMPLE(2, 0, 8, 'h', 't', 't', 'p', ':', '/', '/', 'a'),
	  { 0 } },
	{ PFCP_IE_FORWARDING_POLICY, SAMPLE(1, 'a'), { 0 } },
	{ PFCP_IE_HEADER_ENRICHMENT, SAMPLE(0, 1, 'a', 1, 'b'), { 0 } },
	{ PFCP_IE_MULTICAST_TRANSPORT_INFORMATION,
	  SAMPLE(0, 0, 0, 0, 1, 4, 233, 252, 0, 1, 4, 192, 0, 2, 1),
	  { 0 } },
	{ PFCP_IE_MBS_SESSION_IDENTIFIER, SAMPLE(0x01, 0, 0, 1, 0x00, 0xf1, 0x10), { 0 } },
	{ PFCP_IE_MAC_ADDRESSES_DETECTED, SAMPLE(1, 2, 0, 0, 0, 0, 1), { 0 } },
	{ PFCP_IE_MAC_ADDRESSES_REMOVED, SAMPLE(1, 2, 0, 0, 0, 0, 1), { 0 } },
	{ PFCP_IE_USER_ID, SAMPLE(0x01, 8, 0x00, 0x11, 0x10, 0, 0, 0, 0, 0xf1), { 0 } },
	{ PFCP_IE_UE_IP_ADDRESS_POOL_IDENTITY, SAMPLE(0, 1, 'a'), { 0 } },
	{ PFCP_IE_IP_MULTICAST_ADDRESS, SAMPLE(0x02, 233, 252, 0, 1), { 0 } },
	{ PFCP_IE_DNS_QUERY_RESPONSE_FILTER, SAMPLE(0, 1, 'a'), { 0 } },
	{ PFCP_IE_L2TP_USER_AUTHENTICATION, SAMPLE(0, 1, 0x05, 1, 'a', 1, 'b'), { 0 } },
	{ PFCP_IE_USER_PLANE_IP_RESOURCE_INFORMATION, SAMPLE(0x01, 192, 0, 2, 1),
	  SAMPLE(0x61, 192, 0, 2, 1, 8, 'i', 'n', 't', 'e', 'r', 'n', 'e', 't', 0) },
	/* without a mask and without numbers: tshark 4.0 takes those for malformed */
	{ PFCP_IE_SOURCE_IP_ADDRESS, SAMPLE(0x02, 192, 0, 2, 1), { 0 } },
	{ PFCP_IE_PACKET_RATE_STATUS, SAMPLE(0), { 0 } },
	/* a failed measurement (bit 4) has no delays */
	{ PFCP_IE_QOS_MONITORING_MEASUREMENT, SAMPLE(0x08),
	  SAMPLE(0x07, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3) },
	{ PFCP_IE_LNS_ADDRESS, SAMPLE(192, 0, 2, 1), { 0 } },
};

static uint8_t all_flags(uint16_t type)
{
	uint8_t flags = 0;

	for (unsigned int flag = 0; flag < 8; flag++) {
#define FLAG(ie, octet, bit, name)                                \
	if (type == PFCP_IE_##ie && PFCP_BIT(octet, bit) == flag) \
		flags = (uint8_t)(flags | 1u << flag);
#include "codecs/pfcp/pfcp_flags.def"
#undef FLAG
	}
	return flags;
}

/* The shortest value of these flags that has all its parts; false when there is none. */
static bool fill_fields(uint16_t type, uint8_t flags, size_t min, uint8_t *room,
			struct octets *value)
{
	const char *at;

	memset(room, 0, PFCP_SAMPLE_SIZE);
	room[0] = flags;
	for (size_t len = min ? min : 1; len <= PFCP_SAMPLE_SIZE; len++) {
		*value = OCTETS(room, len);
		if (pfcp_fields_walk(type, *value, NULL, NULL, &at) == FINDING_NONE)
			return true;
	}
	return false;
}

static struct octets value_of(uint16_t type, enum pfcp_sample kind, uint8_t *room)
{
	const struct pfcp_ie_info *info = pfcp_ie_info(type);
	struct octets value;

	for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++)
		if (listed[i].type == type)
			return kind == PFCP_SAMPLE_MOST && listed[i].most.len ? listed[i].most
									      : listed[i].value;
	memset(room, 0, PFCP_SAMPLE_SIZE);
	room[0] = 1;
	if (info && info->form == PFCP_FORM_FIELDS) {
		if (kind == PFCP_SAMPLE_MOST &&
		    fill_fields(type, all_flags(type), info->min, room, &value))
			return value;
		for (unsigned int flags = 1; flags < 256; flags++)
			if (fill_fields(type, (uint8_t)flags, info->min, room, &value))
				return value;
	}
	if (info && info->form == PFCP_FORM_TEXT)
		return OCTETS((const uint8_t *)"text", 4);
	return OCTETS(room, info && info->min ? info->min : 1);
}

struct pfcp_ie *pfcp_sample_ie(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			       enum pfcp_sample kind)
{
	const struct pfcp_ie_info *info = pfcp_ie_info(type);
	uint8_t room[PFCP_SAMPLE_SIZE];
	struct pfcp_ie *ie;

	if (!info || info->form != PFCP_FORM_GROUPED)
		return pfcp_add(msg, group, type, value_of(type, kind, room));
	ie = pfcp_add_group(msg, group, type);
	for (size_t i = 0; ie && i < info->count; i++)
		if (info->members[i].presence == PFCP_MANDATORY || kind == PFCP_SAMPLE_MOST)
			pfcp_sample_ie(msg, ie, info->members[i].type, kind);
	return ie;
}

/* The first IE that the message itself lacks; -1 for none. */
static int missing(const struct pfcp_message *msg)
{
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };

	pfcp_check(msg, &findings);
	for (size_t i = 0; i < findings.count && i < FINDINGS_MAX; i++)
		if (items[i].rule == FINDING_MISSING)
			return items[i].ie;
	return -1;
}

void pfcp_sample_message(struct pfcp_message *msg, enum pfcp_message_type type,
			 enum pfcp_sample kind, struct arena *arena)
{
	const struct pfcp_message_info *info = pfcp_message_info((uint8_t)type);

	pfcp_init(msg, type, arena);
	msg->sequence_number = 1;
	msg->seid = 1;
	for (size_t i = 0; info && kind == PFCP_SAMPLE_MOST && i < info->count; i++)
		pfcp_sample_ie(msg, NULL, info->members[i].type, kind);
	for (int round = 0; round < ROUNDS_MAX; round++) {
		int ie = missing(msg);

		if (ie < 0)
			return;
		pfcp_sample_ie(msg, NULL, (uint16_t)ie, kind);
	}
}
