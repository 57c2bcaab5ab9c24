/*
 * Values of IEs that are addresses: Node ID, F-SEID, F-TEID, UE IP Address, and names.
 */
#include <arpa/inet.h>
#include <errno.h>

#include "codecs/pfcp/pfcp_cursor.h"
#include "codecs/pfcp/pfcp_value.h"

enum {
	LABEL_MAX = 63,
	V6 = 0x01, /* flags of F-SEID, UE IP Address */
	V4 = 0x02,
};

/* ---- Node ID ---- */

static size_t address_len(uint8_t type)
{
	return type == PFCP_NODE_ID_IPV4 ? 4 : 16;
}

bool pfcp_is_name(struct octets name)
{
	size_t at = 0;

	while (at < name.len) {
		size_t label = name.data[at];

		if (label == 0 || label > LABEL_MAX || label > name.len - at - 1)
			return false;
		at += 1 + label;
	}
	return name.len > 0;
}

enum finding_rule pfcp_node_id_decode(struct pfcp_node_id *id, struct octets value)
{
	struct value_reader r = reader_of(value);

	*id = (struct pfcp_node_id){ 0 };
	id->type = (uint8_t)read_number(&r, 1) & 0x0f;
	switch (id->type) {
	case PFCP_NODE_ID_IPV4:
	case PFCP_NODE_ID_IPV6:
		read_octets(&r, id->address, address_len(id->type));
		return read_end(&r);
	case PFCP_NODE_ID_FQDN:
		id->name = OCTETS(r.at, r.left);
		return pfcp_is_name(id->name) ? FINDING_NONE : FINDING_SYNTAX;
	default:
		id->name = OCTETS(r.at, r.left);
		return FINDING_RESERVED;
	}
}

int pfcp_node_id_encode(const struct pfcp_node_id *id, uint8_t *out, size_t size)
{
	struct value_writer w = writer_of(out, size);

	write_number(&w, id->type & 0x0f, 1);
	if (id->type == PFCP_NODE_ID_IPV4 || id->type == PFCP_NODE_ID_IPV6)
		write_octets(&w, id->address, address_len(id->type));
	else
		write_octets(&w, id->name.data, id->name.len);
	return write_end(&w);
}

struct pfcp_ie *pfcp_add_node_id(struct pfcp_message *msg, struct pfcp_ie *group,
				 const struct pfcp_node_id *id)
{
	uint8_t octets[PFCP_VALUE_MAX];

	return pfcp_add_encoded(msg, group, PFCP_IE_NODE_ID, octets,
				pfcp_node_id_encode(id, octets, sizeof(octets)));
}

bool pfcp_node_id_equal(const struct pfcp_node_id *a, const struct pfcp_node_id *b)
{
	if (a->type != b->type)
		return false;
	if (a->type == PFCP_NODE_ID_IPV4 || a->type == PFCP_NODE_ID_IPV6)
		return memcmp(a->address, b->address, address_len(a->type)) == 0;
	return octets_equal(a->name, b->name);
}

bool pfcp_is_graphic(struct octets text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] <= ' ' || text.data[i] > '~')
			return false;
	return text.len > 0;
}

/* Labels that can be printed; a dot in one would be taken for the end of it. */
static bool is_printable_name(struct octets name)
{
	for (size_t at = 0; at < name.len; at += 1 + (size_t)name.data[at]) {
		struct octets label = OCTETS(name.data + at + 1, name.data[at]);

		if (!pfcp_is_graphic(label) || memchr(label.data, '.', label.len))
			return false;
	}
	return true;
}

void pfcp_name_print(struct text *text, struct octets name)
{
	if (!pfcp_is_name(name) || !is_printable_name(name)) {
		text_hex(text, name.data, name.len);
		return;
	}
	for (size_t at = 0; at < name.len; at += 1 + (size_t)name.data[at]) {
		if (at)
			text_putc(text, '.');
		text_write(text, name.data + at + 1, name.data[at]);
	}
}

void pfcp_address_print(struct text *text, struct octets address)
{
	char printed[INET6_ADDRSTRLEN];

	if (address.len == 4 || address.len == 16)
		text_puts(text, inet_ntop(address.len == 4 ? AF_INET : AF_INET6, address.data,
					  printed, sizeof(printed)));
	else
		text_hex(text, address.data, address.len);
}

void pfcp_node_id_print(struct text *text, const struct pfcp_node_id *id)
{
	if (id->type == PFCP_NODE_ID_IPV4 || id->type == PFCP_NODE_ID_IPV6)
		pfcp_address_print(text, OCTETS(id->address, address_len(id->type)));
	else if (id->type == PFCP_NODE_ID_FQDN)
		pfcp_name_print(text, id->name);
	else
		text_hex(text, id->name.data, id->name.len);
}

int pfcp_name_encode(const char *dotted, uint8_t *out, size_t size)
{
	struct value_writer w = writer_of(out, size);

	while (*dotted) {
		size_t label = strcspn(dotted, ".");

		if (label == 0 || label > LABEL_MAX)
			return -EINVAL;
		write_number(&w, label, 1);
		write_octets(&w, (const uint8_t *)dotted, label);
		dotted += label;
		if (*dotted == '.' && !*++dotted)
			return -EINVAL;
	}
	return write_end(&w);
}

/* ---- F-SEID, F-TEID, UE IP Address ---- */

enum finding_rule pfcp_f_seid_decode(struct pfcp_f_seid *f_seid, struct octets value)
{
	struct value_reader r = reader_of(value);
	uint64_t flags = read_number(&r, 1);

	*f_seid = (struct pfcp_f_seid){ .has_ipv4 = flags & V4, .has_ipv6 = flags & V6 };
	f_seid->seid = read_number(&r, 8);
	if (f_seid->has_ipv4)
		read_octets(&r, f_seid->ipv4, 4);
	if (f_seid->has_ipv6)
		read_octets(&r, f_seid->ipv6, 16);
	if (!r.failed && !f_seid->has_ipv4 && !f_seid->has_ipv6)
		return FINDING_SYNTAX;
	return read_end(&r);
}

int pfcp_f_seid_encode(const struct pfcp_f_seid *f_seid, uint8_t *out, size_t size)
{
	struct value_writer w = writer_of(out, size);

	write_number(&w, (f_seid->has_ipv4 ? V4 : 0) | (f_seid->has_ipv6 ? V6 : 0), 1);
	write_number(&w, f_seid->seid, 8);
	if (f_seid->has_ipv4)
		write_octets(&w, f_seid->ipv4, 4);
	if (f_seid->has_ipv6)
		write_octets(&w, f_seid->ipv6, 16);
	return write_end(&w);
}

struct pfcp_ie *pfcp_add_f_seid(struct pfcp_message *msg, struct pfcp_ie *group,
				const struct pfcp_f_seid *f_seid)
{
	uint8_t octets[PFCP_VALUE_MAX];

	return pfcp_add_encoded(msg, group, PFCP_IE_F_SEID, octets,
				pfcp_f_seid_encode(f_seid, octets, sizeof(octets)));
}

/* Flags of the F-TEID: V4 and V6 stand the other way round here. */
enum { F_TEID_V4 = 0x01, F_TEID_V6 = 0x02, F_TEID_CH = 0x04, F_TEID_CHID = 0x08 };

enum finding_rule pfcp_f_teid_decode(struct pfcp_f_teid *f_teid, struct octets value)
{
	struct value_reader r = reader_of(value);
	uint64_t flags = read_number(&r, 1);

	*f_teid = (struct pfcp_f_teid){ .has_ipv4 = flags & F_TEID_V4,
					.has_ipv6 = flags & F_TEID_V6,
					.choose = flags & F_TEID_CH,
					.choose_id = flags & F_TEID_CHID };
	if (!f_teid->choose) {
		f_teid->teid = (uint32_t)read_number(&r, 4);
		if (f_teid->has_ipv4)
			read_octets(&r, f_teid->ipv4, 4);
		if (f_teid->has_ipv6)
			read_octets(&r, f_teid->ipv6, 16);
	}
	if (f_teid->choose_id)
		f_teid->id = (uint8_t)read_number(&r, 1);
	if (!r.failed &&
	    ((!f_teid->has_ipv4 && !f_teid->has_ipv6) || (f_teid->choose_id && !f_teid->choose)))
		return FINDING_SYNTAX;
	return read_end(&r);
}

int pfcp_f_teid_encode(const struct pfcp_f_teid *f_teid, uint8_t *out, size_t size)
{
	struct value_writer w = writer_of(out, size);

	write_number(&w,
		     (f_teid->has_ipv4 ? F_TEID_V4 : 0) | (f_teid->has_ipv6 ? F_TEID_V6 : 0) |
			     (f_teid->choose ? F_TEID_CH : 0) |
			     (f_teid->choose_id ? F_TEID_CHID : 0),
		     1);
	if (!f_teid->choose) {
		write_number(&w, f_teid->teid, 4);
		if (f_teid->has_ipv4)
			write_octets(&w, f_teid->ipv4, 4);
		if (f_teid->has_ipv6)
			write_octets(&w, f_teid->ipv6, 16);
	}
	if (f_teid->choose_id)
		write_number(&w, f_teid->id, 1);
	return write_end(&w);
}

struct pfcp_ie *pfcp_add_f_teid(struct pfcp_message *msg, struct pfcp_ie *group,
				const struct pfcp_f_teid *f_teid)
{
	uint8_t octets[PFCP_VALUE_MAX];

	return pfcp_add_encoded(msg, group, PFCP_IE_F_TEID, octets,
				pfcp_f_teid_encode(f_teid, octets, sizeof(octets)));
}

enum { UE_S_D = 0x04, UE_IPV6D = 0x08, UE_CHV4 = 0x10, UE_CHV6 = 0x20, UE_IP6PL = 0x40 };

enum finding_rule pfcp_ue_ip_address_decode(struct pfcp_ue_ip_address *address, struct octets value)
{
	struct value_reader r = reader_of(value);
	uint64_t flags = read_number(&r, 1);

	*address = (struct pfcp_ue_ip_address){ .has_ipv4 = flags & V4,
						.has_ipv6 = flags & V6,
						.destination = flags & UE_S_D,
						.choose_ipv4 = flags & UE_CHV4,
						.choose_ipv6 = flags & UE_CHV6,
						.has_delegation_bits = flags & UE_IPV6D,
						.has_prefix_length = flags & UE_IP6PL };
	if (address->has_ipv4)
		read_octets(&r, address->ipv4, 4);
	if (address->has_ipv6)
		read_octets(&r, address->ipv6, 16);
	if (address->has_delegation_bits)
		address->delegation_bits = (uint8_t)read_number(&r, 1);
	if (address->has_prefix_length)
		address->prefix_length = (uint8_t)read_number(&r, 1);
	return read_end(&r);
}

int pfcp_ue_ip_address_encode(const struct pfcp_ue_ip_address *address, uint8_t *out, size_t size)
{
	struct value_writer w = writer_of(out, size);

	write_number(&w,
		     (address->has_ipv4 ? V4 : 0) | (address->has_ipv6 ? V6 : 0) |
			     (address->destination ? UE_S_D : 0) |
			     (address->choose_ipv4 ? UE_CHV4 : 0) |
			     (address->choose_ipv6 ? UE_CHV6 : 0) |
			     (address->has_delegation_bits ? UE_IPV6D : 0) |
			     (address->has_prefix_length ? UE_IP6PL : 0),
		     1);
	if (address->has_ipv4)
		write_octets(&w, address->ipv4, 4);
	if (address->has_ipv6)
		write_octets(&w, address->ipv6, 16);
	if (address->has_delegation_bits)
		write_number(&w, address->delegation_bits, 1);
	if (address->has_prefix_length)
		write_number(&w, address->prefix_length, 1);
	return write_end(&w);
}

struct pfcp_ie *pfcp_add_ue_ip_address(struct pfcp_message *msg, struct pfcp_ie *group,
				       const struct pfcp_ue_ip_address *address)
{
	uint8_t octets[PFCP_VALUE_MAX];

	return pfcp_add_encoded(msg, group, PFCP_IE_UE_IP_ADDRESS, octets,
				pfcp_ue_ip_address_encode(address, octets, sizeof(octets)));
}
