#include "runner/core/capture.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#define uthash_nonfatal_oom		     1
#define uthash_nonfatal_oom_handler(element) ((void)(element))
#include <uthash.h>

enum {
	BLOCK_SECTION = 0x0a0d0d0a,
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET = 6,
	LINKTYPE_RAW = 101,	     /* IPv4 or IPv6 */
	LINKTYPE_EXPORTED_PDU = 252, /* of Wireshark: a dissector's name, then the message */
	OPTION_COMMENT = 1,
	OPTION_IF_NAME = 2,
	OPTION_EPB_FLAGS = 2,
	OPTION_SHB_APPLICATION = 4,
	TAG_END = 0,
	TAG_DISSECTOR = 12,
	TAG_IPV4_SOURCE = 20, /* the destination's is one above; so are those of IPv6 */
	TAG_IPV6_SOURCE = 22,
	TAG_PORT_TYPE = 24,
	TAG_SOURCE_PORT = 25,
	PORT_TYPE_TCP = 2,
	TAGS_MAX = 80,
	INTERFACE_WIRE = 0,
	INTERFACE_PLAIN = 1,
	INTERFACE_CASE = 2,
	/* The length of an option is a number of 16 bits. */
	COMMENT_MAX = 60000,

	IP_PROTO_UDP = 17,
	IP_PROTO_SCTP = 132,
	IP_HEADER_MAX = 40,
	SCTP_HEADER = 12,
	DATA_HEADER = 16,
	DATA_LAST = 1,
	DATA_FIRST = 2,
	/* Longer messages are cut into several chunks: an IP packet ends at 65,535 octets. */
	FRAGMENT_MAX = 65000,
	/* Everything of a packet block but the message. */
	PACKET_MAX = 128,
	NGAP_DEFAULT_PORT = 38412,
	PFCP_DEFAULT_PORT = 8805,
	HTTP_DEFAULT_PORT = 80,
	UDP_HEADER = 8,
	DATAGRAM_MAX_LEN = 65507,

	SSN_STREAMS = 16, /* streams above share the counters of those below */
	FLOWS_MAX = 4096, /* associations told apart; more share one */
	FLOW_KEY = 200,
};

struct side {
	uint8_t ip[16];
	uint16_t port;
	uint32_t tag;
	uint32_t tsn;
	uint16_t ssn[SSN_STREAMS];
};

struct flow {
	char key[FLOW_KEY];
	bool v6;
	struct side sides[2]; /* ours, the peer's */
	UT_hash_handle hh;
};

/* A position in a block that is being composed; the room is known to suffice. */
struct cursor {
	uint8_t *at;
};

static void put(struct cursor *c, const void *data, size_t len)
{
	if (len)
		memcpy(c->at, data, len);
	c->at += len;
}

static void put_zero(struct cursor *c, size_t len)
{
	memset(c->at, 0, len);
	c->at += len;
}

/* pcapng itself: in the byte order of the machine. */
static void put_h16(struct cursor *c, uint16_t v)
{
	put(c, &v, sizeof(v));
}

static void put_h32(struct cursor *c, uint32_t v)
{
	put(c, &v, sizeof(v));
}

/* Packets: in network byte order. */
static void put_n8(struct cursor *c, uint8_t v)
{
	*c->at++ = v;
}

static void put_n16(struct cursor *c, uint16_t v)
{
	put_h16(c, htons(v));
}

static void put_n32(struct cursor *c, uint32_t v)
{
	put_h32(c, htonl(v));
}

static size_t pad4(size_t len)
{
	return -len & 3;
}

static void put_option(struct cursor *c, uint16_t code, const void *data, size_t len)
{
	put_h16(c, code);
	put_h16(c, (uint16_t)len);
	put(c, data, len);
	put_zero(c, pad4(len));
}

/* The length of a block stands at its start and at its end. */
static uint8_t *block_begin(struct cursor *c, uint32_t type)
{
	uint8_t *start = c->at;

	put_h32(c, type);
	put_h32(c, 0);
	return start;
}

static void block_end(struct cursor *c, uint8_t *start)
{
	uint32_t len;

	put_zero(c, pad4((size_t)(c->at - start)));
	len = (uint32_t)(c->at - start) + 4;
	put_h32(c, len);
	memcpy(start + 4, &len, sizeof(len));
}

static void put_interface(struct cursor *c, uint16_t linktype, const char *name)
{
	uint8_t *start = block_begin(c, BLOCK_INTERFACE);

	put_h16(c, linktype);
	put_h16(c, 0);
	put_h32(c, 0); /* no limit to a packet's length */
	put_option(c, OPTION_IF_NAME, name, strlen(name));
	put_option(c, 0, NULL, 0);
	block_end(c, start);
}

static void crc_table(uint32_t table[256])
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
		table[i] = crc;
	}
}

int capture_open(struct capture *capture, int dir, const char *name, uint64_t base)
{
	static const char application[] = "spillway";
	char *room;
	struct cursor c;
	uint8_t *start;
	int err;

	*capture = (struct capture){ .base = base };
	err = writer_open(&capture->writer, dir, name);
	if (err)
		return err;
	crc_table(capture->crc);
	room = writer_room(&capture->writer, 512);
	c.at = (uint8_t *)room;
	start = block_begin(&c, BLOCK_SECTION);
	put_h32(&c, 0x1a2b3c4d);
	put_h16(&c, 1);
	put_h16(&c, 0);
	put_h32(&c, UINT32_MAX); /* length of the section: not known */
	put_h32(&c, UINT32_MAX);
	put_option(&c, OPTION_SHB_APPLICATION, application, strlen(application));
	put_option(&c, 0, NULL, 0);
	block_end(&c, start);
	put_interface(&c, LINKTYPE_RAW, "wire");
	put_interface(&c, LINKTYPE_EXPORTED_PDU, "deciphered");
	put_interface(&c, LINKTYPE_EXPORTED_PDU, "case");
	writer_commit(&capture->writer, (size_t)(c.at - (uint8_t *)room));
	return 0;
}

int capture_close(struct capture *capture)
{
	struct flow *flow, *next;

	HASH_ITER (hh, capture->flows, flow, next) {
		HASH_DEL(capture->flows, flow);
		free(flow);
	}
	return writer_close(&capture->writer);
}

/* "192.0.2.1:38412" or "[2001:db8::1]:38412"; the port may be absent. */
static bool read_address(const char *s, uint16_t default_port, struct side *side, bool *v6)
{
	char ip[INET6_ADDRSTRLEN + 2];
	const char *colon, *end;
	size_t len;

	if (!s)
		return false;
	*v6 = *s == '[';
	if (*v6)
		s++;
	end = strchr(s, *v6 ? ']' : ':');
	len = end ? (size_t)(end - s) : strlen(s);
	if (len >= sizeof(ip))
		return false;
	memcpy(ip, s, len);
	ip[len] = '\0';
	if (inet_pton(*v6 ? AF_INET6 : AF_INET, ip, side->ip) != 1)
		return false;
	colon = end ? strchr(end, ':') : NULL;
	side->port = colon ? (uint16_t)strtoul(colon + 1, NULL, 10) : default_port;
	return true;
}

static bool is_datagram(const struct record_message *message)
{
	return strcmp(message->proto, "pfcp") == 0;
}

static bool is_http(const struct record_message *message)
{
	return strcmp(message->proto, "http2") == 0;
}

static void make_sides(struct flow *flow, const struct record_message *message, unsigned int number,
		       uint32_t salt)
{
	uint16_t port = is_datagram(message) ? PFCP_DEFAULT_PORT
			: is_http(message)   ? HTTP_DEFAULT_PORT
					     : NGAP_DEFAULT_PORT;
	bool v6[2];

	for (int i = 0; i < 2; i++)
		flow->sides[i].tag = flow->sides[i].tsn = salt + 2 * number + (uint32_t)i + 1;
	if (read_address(message->local, port, &flow->sides[0], &v6[0]) &&
	    read_address(message->peer, port, &flow->sides[1], &v6[1]) && v6[0] == v6[1]) {
		flow->v6 = v6[0];
		return;
	}
	for (int i = 0; i < 2; i++) {
		uint8_t ip[4] = { 10, (uint8_t)(10 * i), (uint8_t)(number >> 8), (uint8_t)number };

		memcpy(flow->sides[i].ip, ip, sizeof(ip));
		flow->sides[i].port = port;
	}
}

static struct flow *find_flow(struct capture *capture, const struct record_message *message)
{
	char key[FLOW_KEY];
	struct flow *flow;
	struct text text;
	bool full = HASH_COUNT(capture->flows) >= FLOWS_MAX;

	text_init(&text, key, sizeof(key));
	text_printf(&text, "%s|%s|%s", message->link ? message->link : "",
		    message->local ? message->local : "", message->peer ? message->peer : "");
	HASH_FIND_STR(capture->flows, key, flow);
	if (flow || full)
		return flow ? flow : capture->flows;
	flow = calloc(1, sizeof(*flow));
	if (!flow)
		return NULL;
	memcpy(flow->key, key, sizeof(key));
	make_sides(flow, message, HASH_COUNT(capture->flows) + 1, capture->salt);
	HASH_ADD_STR(capture->flows, key, flow);
	return flow;
}

static void put_ip(struct cursor *c, const struct flow *flow, const struct side *from,
		   const struct side *to, uint8_t protocol, size_t payload)
{
	uint8_t *start = c->at;
	uint32_t sum = 0;
	uint16_t checksum;

	if (flow->v6) {
		put_n32(c, UINT32_C(6) << 28);
		put_n16(c, (uint16_t)payload);
		put_n8(c, protocol);
		put_n8(c, 64);
		put(c, from->ip, 16);
		put(c, to->ip, 16);
		return;
	}
	put_n16(c, 0x4500);
	put_n16(c, (uint16_t)(20 + payload));
	put_n32(c, 0x00004000); /* not to be fragmented */
	put_n8(c, 64);
	put_n8(c, protocol);
	put_n16(c, 0);
	put(c, from->ip, 4);
	put(c, to->ip, 4);
	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)start[i] << 8 | start[i + 1];
	sum = (sum >> 16) + (sum & 0xffff);
	sum += sum >> 16;
	checksum = htons((uint16_t)~sum);
	memcpy(start + 10, &checksum, sizeof(checksum));
}

static uint8_t *packet_begin(struct cursor *c, uint32_t interface, uint64_t time)
{
	uint8_t *start = block_begin(c, BLOCK_PACKET);

	put_h32(c, interface);
	put_h32(c, (uint32_t)(time >> 32));
	put_h32(c, (uint32_t)time);
	put_zero(c, 8); /* lengths, known at the end */
	return start;
}

/* What follows are options. */
static void packet_data_end(struct cursor *c, uint8_t *start)
{
	uint32_t len = (uint32_t)(c->at - start) - 28;

	memcpy(start + 20, &len, sizeof(len));
	memcpy(start + 24, &len, sizeof(len));
	put_zero(c, pad4(len));
}

static void packet_end(struct cursor *c, uint8_t *start, bool sent)
{
	uint32_t flags = sent ? 2 : 1;

	packet_data_end(c, start);
	put_option(c, OPTION_EPB_FLAGS, &flags, sizeof(flags));
	put_option(c, 0, NULL, 0);
	block_end(c, start);
}

static void put_fragment(struct capture *capture, struct cursor *c, struct flow *flow,
			 const struct record_message *message, struct octets part, uint8_t flags)
{
	struct side *from = &flow->sides[message->sent ? 0 : 1];
	struct side *to = &flow->sides[message->sent ? 1 : 0];
	uint16_t stream = message->stream < 0 ? 0 : (uint16_t)message->stream;
	uint32_t crc = UINT32_MAX;
	uint8_t *sctp;

	put_ip(c, flow, from, to, IP_PROTO_SCTP,
	       SCTP_HEADER + DATA_HEADER + part.len + pad4(part.len));
	sctp = c->at;
	put_n16(c, from->port);
	put_n16(c, to->port);
	put_n32(c, to->tag);
	put_n32(c, 0);
	put_n8(c, 0); /* DATA */
	put_n8(c, flags);
	put_n16(c, (uint16_t)(DATA_HEADER + part.len));
	put_n32(c, from->tsn++);
	put_n16(c, stream);
	put_n16(c, from->ssn[stream % SSN_STREAMS]);
	put_n32(c, message->ppid);
	put(c, part.data, part.len);
	put_zero(c, pad4(part.len));
	for (const uint8_t *p = sctp; p < c->at; p++)
		crc = crc >> 8 ^ capture->crc[(crc ^ *p) & 0xff];
	crc = ~crc; /* RFC 9260 appendix A: least significant octet first */
	for (int i = 0; i < 4; i++)
		sctp[8 + i] = (uint8_t)(crc >> (8 * i));
	if (flags & DATA_LAST)
		from->ssn[stream % SSN_STREAMS]++;
}

static void capture_sctp(struct capture *capture, uint64_t t_us,
			 const struct record_message *message)
{
	struct flow *flow = find_flow(capture, message);
	size_t done = 0;

	if (!flow)
		return;
	do {
		size_t left = message->data.len - done;
		size_t n = left < FRAGMENT_MAX ? left : FRAGMENT_MAX;
		uint8_t flags = (done == 0 ? DATA_FIRST : 0) | (n == left ? DATA_LAST : 0);
		char *room = writer_room(&capture->writer, PACKET_MAX + IP_HEADER_MAX + n);
		struct cursor c = { (uint8_t *)room };
		uint8_t *start;

		if (!room)
			return;
		start = packet_begin(&c, INTERFACE_WIRE, capture->base + t_us);
		put_fragment(capture, &c, flow, message,
			     OCTETS(n ? message->data.data + done : NULL, n), flags);
		packet_end(&c, start, message->sent);
		writer_commit(&capture->writer, (size_t)(c.at - (uint8_t *)room));
		done += n;
	} while (done < message->data.len);
}

static uint32_t sum16(uint32_t sum, const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		sum += i & 1 ? data[i] : (uint32_t)data[i] << 8;
	return sum;
}

/* The pseudo header of RFC 768 and RFC 8200 8.1 counts too. 65,535 octets do not overflow it. */
static uint16_t udp_checksum(const struct flow *flow, const struct side *from,
			     const struct side *to, const uint8_t *udp, size_t len)
{
	size_t ip = flow->v6 ? 16 : 4;
	uint32_t sum = IP_PROTO_UDP + (uint32_t)len;

	sum = sum16(sum, from->ip, ip);
	sum = sum16(sum, to->ip, ip);
	sum = sum16(sum, udp, len);
	sum = (sum >> 16) + (sum & 0xffff);
	sum += sum >> 16;
	sum = ~sum & 0xffff;
	return (uint16_t)(sum ? sum : 0xffff);
}

static void capture_udp(struct capture *capture, uint64_t t_us,
			const struct record_message *message)
{
	struct flow *flow = find_flow(capture, message);
	struct side *from, *to;
	size_t len = message->data.len;
	char *room = len > DATAGRAM_MAX_LEN || !flow
			     ? NULL
			     : writer_room(&capture->writer, PACKET_MAX + IP_HEADER_MAX + len);
	struct cursor c = { (uint8_t *)room };
	uint8_t *start, *udp;
	uint16_t checksum;

	if (!room)
		return;
	from = &flow->sides[message->sent ? 0 : 1];
	to = &flow->sides[message->sent ? 1 : 0];
	start = packet_begin(&c, INTERFACE_WIRE, capture->base + t_us);
	put_ip(&c, flow, from, to, IP_PROTO_UDP, UDP_HEADER + len);
	udp = c.at;
	put_n16(&c, from->port);
	put_n16(&c, to->port);
	put_n16(&c, (uint16_t)(UDP_HEADER + len));
	put_n16(&c, 0);
	put(&c, message->data.data, len);
	checksum = htons(udp_checksum(flow, from, to, udp, UDP_HEADER + len));
	memcpy(udp + 6, &checksum, sizeof(checksum));
	packet_end(&c, start, message->sent);
	writer_commit(&capture->writer, (size_t)(c.at - (uint8_t *)room));
}

static void put_tag(struct cursor *c, uint16_t tag, const void *value, size_t len)
{
	put_n16(c, tag);
	put_n16(c, (uint16_t)(len + pad4(len)));
	put(c, value, len);
	put_zero(c, pad4(len));
}

static void put_number_tag(struct cursor *c, uint16_t tag, uint32_t value)
{
	put_n16(c, tag);
	put_n16(c, 4);
	put_n32(c, value);
}

static void put_address_tags(struct cursor *c, const struct flow *flow, bool sent)
{
	const struct side *from = &flow->sides[sent ? 0 : 1], *to = &flow->sides[sent ? 1 : 0];
	uint16_t tag = flow->v6 ? TAG_IPV6_SOURCE : TAG_IPV4_SOURCE;
	size_t len = flow->v6 ? 16 : 4;

	put_tag(c, tag, from->ip, len);
	put_tag(c, (uint16_t)(tag + 1), to->ip, len);
	put_number_tag(c, TAG_PORT_TYPE, PORT_TYPE_TCP);
	put_number_tag(c, TAG_SOURCE_PORT, from->port);
	put_number_tag(c, TAG_SOURCE_PORT + 1, to->port);
}

/* flow NULL: without addresses. */
static void capture_plain(struct capture *capture, uint64_t t_us,
			  const struct record_message *message, const char *dissector,
			  const struct flow *flow)
{
	char *room = writer_room(&capture->writer, PACKET_MAX + TAGS_MAX + message->data.len);
	struct cursor c = { (uint8_t *)room };
	uint8_t *start;

	if (!room)
		return;
	start = packet_begin(&c, INTERFACE_PLAIN, capture->base + t_us);
	put_tag(&c, TAG_DISSECTOR, dissector, strlen(dissector));
	if (flow)
		put_address_tags(&c, flow, message->sent);
	put_n16(&c, TAG_END);
	put_n16(&c, 0);
	put(&c, message->data.data, message->data.len);
	packet_end(&c, start, message->sent);
	writer_commit(&capture->writer, (size_t)(c.at - (uint8_t *)room));
}

void capture_message(struct capture *capture, uint64_t t_us, const struct record_message *message)
{
	if (capture->writer.fd < 0)
		return;
	if (strcmp(message->proto, "ngap") == 0)
		capture_sctp(capture, t_us, message);
	else if (is_datagram(message))
		capture_udp(capture, t_us, message);
	else if (strcmp(message->proto, "nas") == 0)
		capture_plain(capture, t_us, message, "nas-5gs", NULL);
	else if (is_http(message) && message->data.len)
		capture_plain(capture, t_us, message, "http2", find_flow(capture, message));
}

void capture_note(struct capture *capture, uint64_t t_us, const char *note)
{
	/* Of those that take any text, the one that puts it into the list of packets. */
	static const char dissector[] = "syslog";
	size_t len = strlen(note);
	uint8_t *start;
	struct cursor c;

	if (capture->writer.fd < 0)
		return;
	if (len > COMMENT_MAX) {
		len = COMMENT_MAX;
		while (len > 0 && ((uint8_t)note[len] & 0xc0) == 0x80)
			len--;
	}
	c.at = (uint8_t *)writer_room(&capture->writer, PACKET_MAX + 2 * len);
	if (!c.at)
		return;
	start = packet_begin(&c, INTERFACE_CASE, capture->base + t_us);
	put_tag(&c, TAG_DISSECTOR, dissector, strlen(dissector));
	put_n16(&c, TAG_END);
	put_n16(&c, 0);
	put(&c, note, len);
	packet_data_end(&c, start);
	put_option(&c, OPTION_COMMENT, note, len);
	put_option(&c, 0, NULL, 0);
	block_end(&c, start);
	writer_commit(&capture->writer, (size_t)(c.at - start));
}
