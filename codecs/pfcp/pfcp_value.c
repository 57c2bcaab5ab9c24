/*
 * Values of IEs as structures: causes, flags, control information, volumes and the small ones.
 * Addresses are in pfcp_address.c, timers in pfcp_timer.c.
 */
#include <errno.h>

#include "codecs/pfcp/pfcp_cursor.h"
#include "codecs/pfcp/pfcp_value.h"

enum { METRIC_MAX = 100 };

/* ---- Cause ---- */

bool pfcp_cause_accepts(int cause)
{
	return cause > PFCP_CAUSE_RESERVED && cause < PFCP_CAUSE_REQUEST_REJECTED;
}

const char *pfcp_cause_name(int cause)
{
	static const char *const names[] = {
#define CAUSE(cause_, value, name) [value] = (name),
#include "codecs/pfcp/pfcp_causes.def"
#undef CAUSE
	};

	if (cause < 0 || cause >= (int)(sizeof(names) / sizeof(names[0])) || !names[cause])
		return "spare";
	return names[cause];
}

/* ---- flags ---- */

bool pfcp_flag(struct octets value, enum pfcp_flag flag)
{
	size_t octet = (size_t)flag / 8;

	return octet < value.len && value.data[octet] >> ((unsigned int)flag % 8) & 1;
}

bool pfcp_get_flag(const struct pfcp_ie_list *list, uint16_t type, enum pfcp_flag flag)
{
	struct octets value;

	return pfcp_get(list, type, &value) && pfcp_flag(value, flag);
}

bool pfcp_set_flag(uint8_t *value, size_t size, enum pfcp_flag flag)
{
	size_t octet = (size_t)flag / 8;

	if (octet >= size)
		return false;
	value[octet] = (uint8_t)(value[octet] | 1u << ((unsigned int)flag % 8));
	return true;
}

/* ---- Load and Overload Control Information ---- */

uint8_t pfcp_metric(uint8_t metric)
{
	return metric > METRIC_MAX ? 0 : metric;
}

/* FINDING_NONE when the first IE of this type in the group has n octets or more. */
static enum finding_rule member_number(const struct pfcp_ie *group, uint16_t type, size_t n,
				       uint64_t *number)
{
	const struct pfcp_ie *ie = pfcp_find(&group->ies, type);

	if (!ie)
		return FINDING_MISSING;
	if (ie->length_lies || ie->value.len < n)
		return FINDING_LENGTH;
	*number = get_number(ie->value.data, n);
	return FINDING_NONE;
}

/* Sequence number and metric, which both groups begin with. */
static enum finding_rule control_decode(const struct pfcp_ie *ie, uint32_t *sequence_number,
					uint8_t *metric)
{
	uint64_t number = 0;
	enum finding_rule rule;

	if (!ie->grouped || ie->length_lies)
		return FINDING_LENGTH;
	for (const struct pfcp_ie *member = ie->ies.first; member; member = member->next)
		if (member->bare || member->length_lies)
			return FINDING_LENGTH;
	rule = member_number(ie, PFCP_IE_SEQUENCE_NUMBER, 4, &number);
	if (rule != FINDING_NONE)
		return rule;
	*sequence_number = (uint32_t)number;
	rule = member_number(ie, PFCP_IE_METRIC, 1, &number);
	*metric = (uint8_t)number;
	return rule;
}

enum finding_rule pfcp_lci_decode(struct pfcp_lci *lci, const struct pfcp_ie *ie)
{
	*lci = (struct pfcp_lci){ 0 };
	return control_decode(ie, &lci->sequence_number, &lci->metric);
}

enum finding_rule pfcp_oci_decode(struct pfcp_oci *oci, const struct pfcp_ie *ie)
{
	enum finding_rule rule;
	uint64_t number = 0;

	*oci = (struct pfcp_oci){ 0 };
	rule = control_decode(ie, &oci->sequence_number, &oci->metric);
	if (rule != FINDING_NONE)
		return rule;
	rule = member_number(ie, PFCP_IE_TIMER, 1, &number);
	if (rule != FINDING_NONE)
		return rule;
	oci->timer = (uint8_t)number;
	rule = member_number(ie, PFCP_IE_OCI_FLAGS, 1, &number);
	if (rule == FINDING_MISSING)
		return FINDING_NONE;
	oci->has_flags = true;
	oci->flags = (uint8_t)number;
	return rule;
}

struct pfcp_ie *pfcp_add_lci(struct pfcp_message *msg, struct pfcp_ie *group,
			     const struct pfcp_lci *lci)
{
	struct pfcp_ie *ie = pfcp_add_group(msg, group, PFCP_IE_LOAD_CONTROL_INFORMATION);

	if (!ie)
		return NULL;
	pfcp_add_u32(msg, ie, PFCP_IE_SEQUENCE_NUMBER, lci->sequence_number);
	pfcp_add_u8(msg, ie, PFCP_IE_METRIC, lci->metric);
	return ie;
}

struct pfcp_ie *pfcp_add_oci(struct pfcp_message *msg, struct pfcp_ie *group,
			     const struct pfcp_oci *oci)
{
	struct pfcp_ie *ie = pfcp_add_group(msg, group, PFCP_IE_OVERLOAD_CONTROL_INFORMATION);

	if (!ie)
		return NULL;
	pfcp_add_u32(msg, ie, PFCP_IE_SEQUENCE_NUMBER, oci->sequence_number);
	pfcp_add_u8(msg, ie, PFCP_IE_METRIC, oci->metric);
	pfcp_add_u8(msg, ie, PFCP_IE_TIMER, oci->timer);
	if (oci->has_flags)
		pfcp_add_u8(msg, ie, PFCP_IE_OCI_FLAGS, oci->flags);
	return ie;
}

/* ---- volumes ---- */

/* The six numbers in wire order, each with its flag. */
#define VOLUME_PARTS(PART)                             \
	PART(0x01, has_total, total)                   \
	PART(0x02, has_uplink, uplink)                 \
	PART(0x04, has_downlink, downlink)             \
	PART(0x08, has_total_packets, total_packets)   \
	PART(0x10, has_uplink_packets, uplink_packets) \
	PART(0x20, has_downlink_packets, downlink_packets)

enum finding_rule pfcp_volume_decode(struct pfcp_volume *volume, struct octets value)
{
	struct value_reader r = reader_of(value);
	uint64_t flags = read_number(&r, 1);

	*volume = (struct pfcp_volume){ 0 };
#define PART(flag, has, number)       \
	volume->has = flags & (flag); \
	if (volume->has)              \
		volume->number = read_number(&r, 8);
	VOLUME_PARTS(PART)
#undef PART
	return read_end(&r);
}

int pfcp_volume_encode(const struct pfcp_volume *volume, uint8_t *out, size_t size)
{
	struct value_writer w = writer_of(out, size);
	unsigned int flags = 0;

#define PART(flag, has, number) flags |= volume->has ? (flag) : 0;
	VOLUME_PARTS(PART)
#undef PART
	write_number(&w, flags, 1);
#define PART(flag, has, number) \
	if (volume->has)        \
		write_number(&w, volume->number, 8);
	VOLUME_PARTS(PART)
#undef PART
	return write_end(&w);
}

struct pfcp_ie *pfcp_add_volume(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
				const struct pfcp_volume *volume)
{
	uint8_t octets[PFCP_VALUE_MAX];

	return pfcp_add_encoded(msg, group, type, octets,
				pfcp_volume_encode(volume, octets, sizeof(octets)));
}

/* ---- Outer Header Creation ---- */

enum {
	WITH_TEID = PFCP_OUTER_HEADER_GTP_U_UDP_IPV4 | PFCP_OUTER_HEADER_GTP_U_UDP_IPV6,
	WITH_IPV4 = PFCP_OUTER_HEADER_GTP_U_UDP_IPV4 | PFCP_OUTER_HEADER_UDP_IPV4 |
		    PFCP_OUTER_HEADER_IPV4,
	WITH_IPV6 = PFCP_OUTER_HEADER_GTP_U_UDP_IPV6 | PFCP_OUTER_HEADER_UDP_IPV6 |
		    PFCP_OUTER_HEADER_IPV6,
	WITH_PORT = PFCP_OUTER_HEADER_UDP_IPV4 | PFCP_OUTER_HEADER_UDP_IPV6,
};

enum finding_rule pfcp_outer_header_creation_decode(struct pfcp_outer_header_creation *header,
						    struct octets value)
{
	struct value_reader r = reader_of(value);

	*header = (struct pfcp_outer_header_creation){ 0 };
	header->description = (uint16_t)read_number(&r, 2);
	if (header->description & WITH_TEID)
		header->teid = (uint32_t)read_number(&r, 4);
	if (header->description & WITH_IPV4)
		read_octets(&r, header->ipv4, 4);
	if (header->description & WITH_IPV6)
		read_octets(&r, header->ipv6, 16);
	if (header->description & WITH_PORT)
		header->port = (uint16_t)read_number(&r, 2);
	if (header->description & PFCP_OUTER_HEADER_C_TAG)
		read_octets(&r, header->c_tag, 3);
	if (header->description & PFCP_OUTER_HEADER_S_TAG)
		read_octets(&r, header->s_tag, 3);
	return read_end(&r);
}

int pfcp_outer_header_creation_encode(const struct pfcp_outer_header_creation *header, uint8_t *out,
				      size_t size)
{
	struct value_writer w = writer_of(out, size);

	write_number(&w, header->description, 2);
	if (header->description & WITH_TEID)
		write_number(&w, header->teid, 4);
	if (header->description & WITH_IPV4)
		write_octets(&w, header->ipv4, 4);
	if (header->description & WITH_IPV6)
		write_octets(&w, header->ipv6, 16);
	if (header->description & WITH_PORT)
		write_number(&w, header->port, 2);
	if (header->description & PFCP_OUTER_HEADER_C_TAG)
		write_octets(&w, header->c_tag, 3);
	if (header->description & PFCP_OUTER_HEADER_S_TAG)
		write_octets(&w, header->s_tag, 3);
	return write_end(&w);
}

struct pfcp_ie *pfcp_add_outer_header_creation(struct pfcp_message *msg, struct pfcp_ie *group,
					       const struct pfcp_outer_header_creation *header)
{
	uint8_t octets[PFCP_VALUE_MAX];

	return pfcp_add_encoded(msg, group, PFCP_IE_OUTER_HEADER_CREATION, octets,
				pfcp_outer_header_creation_encode(header, octets, sizeof(octets)));
}

/* ---- Failed Rule ID, bit rates ---- */

/* Octets of a rule's id; of spare types, which count as FAR, as many as that has. */
static size_t rule_id_len(uint8_t type)
{
	switch (type) {
	case PFCP_RULE_PDR:
	case PFCP_RULE_MAR:
		return 2;
	case PFCP_RULE_BAR:
	case PFCP_RULE_SRR:
		return 1;
	default:
		return 4;
	}
}

enum finding_rule pfcp_failed_rule_id_decode(struct pfcp_failed_rule_id *rule, struct octets value)
{
	struct value_reader r = reader_of(value);

	rule->type = (uint8_t)read_number(&r, 1) & 0x1f;
	rule->id = (uint32_t)read_number(&r, rule_id_len(rule->type));
	return read_end(&r);
}

int pfcp_failed_rule_id_encode(const struct pfcp_failed_rule_id *rule, uint8_t *out, size_t size)
{
	struct value_writer w = writer_of(out, size);
	size_t len = rule_id_len(rule->type);

	if (rule->type > 0x1f || (len < 4 && rule->id >> (8 * len)))
		return -EINVAL;
	write_number(&w, rule->type, 1);
	write_number(&w, rule->id, len);
	return write_end(&w);
}

struct pfcp_ie *pfcp_add_failed_rule_id(struct pfcp_message *msg, struct pfcp_ie *group,
					const struct pfcp_failed_rule_id *rule)
{
	uint8_t octets[PFCP_VALUE_MAX];

	return pfcp_add_encoded(msg, group, PFCP_IE_FAILED_RULE_ID, octets,
				pfcp_failed_rule_id_encode(rule, octets, sizeof(octets)));
}

enum finding_rule pfcp_bit_rate_decode(struct pfcp_bit_rate *rate, struct octets value)
{
	struct value_reader r = reader_of(value);

	rate->uplink = read_number(&r, 5);
	rate->downlink = read_number(&r, 5);
	return read_end(&r);
}

int pfcp_bit_rate_encode(const struct pfcp_bit_rate *rate, uint8_t *out, size_t size)
{
	struct value_writer w = writer_of(out, size);

	if (rate->uplink >> 40 || rate->downlink >> 40)
		return -EINVAL;
	write_number(&w, rate->uplink, 5);
	write_number(&w, rate->downlink, 5);
	return write_end(&w);
}

struct pfcp_ie *pfcp_add_bit_rate(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
				  const struct pfcp_bit_rate *rate)
{
	uint8_t octets[PFCP_VALUE_MAX];

	return pfcp_add_encoded(msg, group, type, octets,
				pfcp_bit_rate_encode(rate, octets, sizeof(octets)));
}
