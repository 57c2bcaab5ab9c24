#include "runner/emulation/fake_n4.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/net/datagram.h"

enum {
	MESSAGE_MAX = 65507,
	FLOOD = 100000,
	DEEP = 100,
	T1_MS = 1000,
	N1 = 3,
	VERSION_NODE = 0x20,
	VERSION_SESSION = 0x21,
	VERSION_PRIORITY = 0x23,
	PEERS = 4,
};

struct fake_n4_plan fake_n4_plan;

struct iut {
	struct loop *loop;
	struct net *net;
	const struct profile *profile;
	struct datagram_port *ports[2];
	bool cp, silent;
	uint32_t sequence_number;
	/* UP */
	struct net_address peer; /* of the last establishment */
	uint64_t peer_seid;
	uint64_t seid;
	struct timer t1;
	unsigned int left;
	uint8_t report[64];
	size_t report_len;
	/* CP */
	uint64_t up_seid[PEERS];
	unsigned int associated;
};

struct message {
	uint8_t octets[MESSAGE_MAX + 8];
	size_t len;
};

static struct message made, other;

static void put(struct message *m, uint64_t value, unsigned int octets)
{
	while (octets-- > 0)
		m->octets[m->len++] = (uint8_t)(value >> (8 * octets));
}

static void put_ie(struct message *m, uint16_t type, uint64_t value, unsigned int octets)
{
	put(m, type, 2);
	put(m, octets, 2);
	put(m, value, octets);
}

static void begin(struct message *m, uint8_t first, uint8_t type, uint64_t seid,
		  uint32_t sequence_number, uint8_t priority)
{
	m->len = 0;
	put(m, first, 1);
	put(m, type, 1);
	put(m, 0, 2);
	if (first & 1)
		put(m, seid, 8);
	put(m, sequence_number, 3);
	put(m, first & 2 ? (uint64_t)priority << 4 : 0, 1);
}

static void set_length(struct message *m, int more)
{
	size_t len = m->len - 4 + (size_t)more;

	m->octets[2] = (uint8_t)(len >> 8);
	m->octets[3] = (uint8_t)len;
}

static uint32_t ip_of(const struct net_address *address)
{
	return ntohl(address->v4.sin_addr.s_addr);
}

/* --- going wrong --- */

static void nest(struct message *m)
{
	/* Create PDR in Create PDR ... : each has the next as its value. */
	for (unsigned int i = 0; i < DEEP; i++) {
		put(m, 1, 2);
		put(m, 4 * (DEEP - 1 - i), 2);
	}
}

static void fill(struct message *m)
{
	while (m->len + 1004 <= MESSAGE_MAX) {
		put(m, 0x7ff0, 2);
		put(m, 1000, 2);
		memset(m->octets + m->len, 0, 1000);
		m->len += 1000;
	}
}

static void flood(struct iut *iut, const struct net_address *to)
{
	for (uint32_t i = 0; i < FLOOD; i++) {
		if (iut->cp) {
			begin(&other, VERSION_NODE, 1, 0, 0x100000 + i, 0);
			put_ie(&other, 96, 1, 4);
		} else {
			begin(&other, VERSION_SESSION, 56, iut->peer_seid ^ 0x55, 0x100000 + i, 0);
			put_ie(&other, 39, 1, 1);
		}
		set_length(&other, 0);
		datagram_send(iut->ports[0], to, OCTETS(other.octets, other.len));
	}
}

static void send_message(struct iut *iut, unsigned int port, const struct net_address *to,
			 struct message *m)
{
	enum fake_n4_wrong wrong =
		fake_n4_plan.messages == fake_n4_plan.at ? fake_n4_plan.wrong : FAKE_N4_RIGHT;
	unsigned int times = 1;
	int more = 0;

	if (iut->silent || !iut->ports[port])
		return;
	fake_n4_plan.messages++;
	set_length(m, 0);
	switch (wrong) {
	case FAKE_N4_SILENT:
		iut->silent = true;
		return;
	case FAKE_N4_LOST:
		return;
	case FAKE_N4_GARBAGE:
		memset(m->octets, 0xff, m->len);
		break;
	case FAKE_N4_TRUNCATED:
		m->len /= 2;
		break;
	case FAKE_N4_EMPTY:
		m->len = 0;
		break;
	case FAKE_N4_VERSION:
		m->octets[0] = (uint8_t)((m->octets[0] & 0x1f) | 0x40);
		break;
	case FAKE_N4_LENGTH:
		more = 4;
		break;
	case FAKE_N4_IE_LENGTH:
		put(m, 19, 2);
		put(m, 4, 2);
		put(m, 1, 1);
		break;
	case FAKE_N4_HUGE:
		fill(m);
		break;
	case FAKE_N4_NESTED:
		nest(m);
		break;
	case FAKE_N4_TWICE:
		times = 2;
		break;
	case FAKE_N4_FLOOD_SAME:
		times = FLOOD;
		break;
	case FAKE_N4_FLOOD:
		flood(iut, to);
		break;
	case FAKE_N4_SEQUENCE:
		m->octets[(m->octets[0] & 1) ? 14 : 6] ^= 0x55;
		break;
	case FAKE_N4_SEID:
		if (m->octets[0] & 1)
			m->octets[11] ^= 0x55;
		break;
	case FAKE_N4_PEER:
		port = !port;
		break;
	case FAKE_N4_GONE:
		iut->silent = true;
		for (int i = 0; i < 2; i++) {
			datagram_close(iut->ports[i]);
			iut->ports[i] = NULL;
		}
		return;
	case FAKE_N4_RIGHT:
	case FAKE_N4_WRONGS:
		break;
	}
	if (m->len > 4 && wrong != FAKE_N4_TRUNCATED && wrong != FAKE_N4_GARBAGE)
		set_length(m, more);
	while (times-- > 0 && iut->ports[port])
		datagram_send(iut->ports[port], to, OCTETS(m->octets, m->len));
}

/* --- the UP function --- */

static uint64_t number_at(struct octets data, size_t at, unsigned int octets)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < octets && at + i < data.len; i++)
		value = value << 8 | data.data[at + i];
	return value;
}

/* The offset of the value of the first IE of this type at message level; 0: none. */
static size_t find_ie(struct octets data, uint16_t type)
{
	size_t at = data.data[0] & 1 ? 16 : 8;

	while (at + 4 <= data.len) {
		if (number_at(data, at, 2) == type)
			return at + 4;
		at += 4 + (size_t)number_at(data, at + 2, 2);
	}
	return 0;
}

static void put_node_id(struct iut *iut, struct message *m)
{
	put_ie(m, 60, ip_of(&iut->profile->iut_n4), 5);
}

static void repeat_report(struct timer *timer, void *arg)
{
	struct iut *iut = arg;
	unsigned int repetition = N1 - iut->left + 1;

	(void)timer;
	if (!iut->report_len || iut->left == 0)
		return;
	iut->left--;
	memcpy(other.octets, iut->report, iut->report_len);
	other.len = iut->report_len;
	if (repetition == fake_n4_plan.refresh)
		other.octets[other.len - 1] ^= 1;
	send_message(iut, 0, &iut->peer, &other);
	timer_start(&iut->t1, T1_MS * US_PER_MS);
}

static void up_request(struct iut *iut, unsigned int port, const struct net_address *peer,
		       struct octets data)
{
	uint8_t type = data.data[1], first = data.data[0];
	bool session = first & 1;
	uint32_t sequence_number = (uint32_t)number_at(data, session ? 12 : 4, 3);
	uint8_t priority = session ? data.data[15] >> 4 : 0;
	size_t at;

	fake_n4_plan.requests++;
	begin(&made, first, (uint8_t)(type + 1), iut->peer_seid, sequence_number, priority);
	switch (type) {
	case 1:
		fake_n4_plan.heartbeats++;
		put_ie(&made, 96, 7, 4);
		break;
	case 5:
	case 7:
	case 9:
		put_node_id(iut, &made);
		put_ie(&made, 19, 1, 1);
		if (type == 5)
			put_ie(&made, 96, 7, 4);
		break;
	case 50:
		at = find_ie(data, 57);
		iut->peer_seid = number_at(data, at + 1, 8);
		iut->peer = *peer;
		begin(&made, first, 51, iut->peer_seid, sequence_number, priority);
		put_node_id(iut, &made);
		put_ie(&made, 19, fake_n4_plan.cause ? fake_n4_plan.cause : 1, 1);
		if (!fake_n4_plan.cause) {
			put(&made, 57, 2);
			put(&made, 13, 2);
			put(&made, 2, 1);
			put(&made, ++iut->seid, 8);
			put(&made, ip_of(&iut->profile->iut_n4), 4);
		}
		break;
	case 52:
	case 54:
		put_ie(&made, 19, 1, 1);
		break;
	default:
		return;
	}
	send_message(iut, port, peer, &made);
}

static bool up_control(struct iut *iut, const char *action)
{
	if (strcmp(action, "report") != 0)
		return false;
	begin(&made, VERSION_SESSION, 56, iut->peer_seid, ++iut->sequence_number, 0);
	put_ie(&made, 39, 1, 1);
	memcpy(iut->report, made.octets, made.len);
	set_length(&made, 0);
	memcpy(iut->report, made.octets, made.len);
	iut->report_len = made.len;
	iut->left = N1;
	timer_start(&iut->t1, T1_MS * US_PER_MS);
	send_message(iut, 0, &iut->peer, &made);
	return true;
}

/* --- the CP function --- */

static void cp_associate(struct iut *iut)
{
	if (fake_n4_plan.stays_away)
		return;
	for (size_t i = 0; i < iut->profile->n4_count && i < PEERS; i++) {
		begin(&made, VERSION_NODE, 5, 0, ++iut->sequence_number, 0);
		put_node_id(iut, &made);
		put_ie(&made, 96, 7, 4);
		put_ie(&made, 89, 3, 1);
		send_message(iut, 0, &iut->profile->n4[i], &made);
	}
}

static void put_establishment(struct iut *iut, struct message *m)
{
	put_node_id(iut, m);
	put(m, 57, 2);
	put(m, 13, 2);
	put(m, 2, 1);
	put(m, 0x1234, 8);
	put(m, ip_of(&iut->profile->iut_n4), 4);
}

static void cp_sessions(struct iut *iut, const char *op, unsigned int count, struct text *reply)
{
	unsigned int sent = count > fake_n4_plan.drops ? count - fake_n4_plan.drops : 0;
	int offered = fake_n4_plan.offered >= 0 ? fake_n4_plan.offered : (int)count;
	int failed = fake_n4_plan.failed >= 0 ? fake_n4_plan.failed : (int)(count - sent);

	for (unsigned int i = 0; i < sent; i++) {
		bool modify = op && strcmp(op, "modify") == 0;

		begin(&made, i % 4 == 0 ? VERSION_PRIORITY : VERSION_SESSION, modify ? 52 : 50,
		      modify ? iut->up_seid[0] : 0, ++iut->sequence_number, 1);
		if (!modify)
			put_establishment(iut, &made);
		send_message(iut, 0, &iut->profile->n4[0], &made);
	}
	if (!fake_n4_plan.says_nothing)
		text_printf(reply, "{\"offered\":%d,\"failed\":%d,\"redirected\":0}", offered,
			    failed);
}

static void cp_message(struct iut *iut, unsigned int port, const struct net_address *peer,
		       struct octets data)
{
	bool session = data.data[0] & 1;
	uint32_t sequence_number = (uint32_t)number_at(data, session ? 12 : 4, 3);
	uint32_t recovery;
	size_t at;

	switch (data.data[1]) {
	case 1:
		fake_n4_plan.heartbeats++;
		at = find_ie(data, 96);
		recovery = (uint32_t)number_at(data, at, 4);
		begin(&made, VERSION_NODE, 2, 0, sequence_number, 0);
		put_ie(&made, 96, 7, 4);
		send_message(iut, port, peer, &made);
		if (fake_n4_plan.last_recovery && fake_n4_plan.last_recovery != recovery)
			cp_associate(iut);
		fake_n4_plan.last_recovery = recovery;
		break;
	case 6:
		at = find_ie(data, 96);
		fake_n4_plan.last_recovery = (uint32_t)number_at(data, at, 4);
		iut->associated++;
		break;
	case 51:
		at = find_ie(data, 57);
		if (at)
			iut->up_seid[0] = number_at(data, at + 1, 8);
		break;
	case 56:
		begin(&made, VERSION_SESSION, 57, iut->up_seid[0], sequence_number, 0);
		put_ie(&made, 19, 1, 1);
		send_message(iut, port, peer, &made);
		break;
	default:
		break;
	}
}

/* --- what the rig sees --- */

static void on_received(struct datagram_port *port, void *arg, const struct net_address *peer,
			struct octets data)
{
	struct iut *iut = arg;
	unsigned int n = port == iut->ports[1];

	if (data.len < 8)
		return;
	if (data.len <= sizeof(fake_n4_plan.last)) {
		memcpy(fake_n4_plan.last, data.data, data.len);
		fake_n4_plan.last_len = data.len;
	}
	if (iut->cp) {
		cp_message(iut, n, peer, data);
	} else if (data.data[1] == 57) {
		fake_n4_plan.report_responses++;
		iut->report_len = 0;
		timer_stop(&iut->t1);
	} else {
		up_request(iut, n, peer, data);
	}
}

static const struct datagram_handler handler = { .received = on_received };

static void stop(struct iut *iut)
{
	timer_stop(&iut->t1);
	datagram_close(iut->ports[0]);
	datagram_close(iut->ports[1]);
	free(iut);
}

static struct iut *start(struct loop *loop, struct net *net, const struct profile *profile, bool cp,
			 struct text *why)
{
	struct iut *iut = calloc(1, sizeof(*iut));
	struct net_address second = profile->iut_n4;

	if (!iut)
		return NULL;
	iut->loop = loop;
	iut->net = net;
	iut->profile = profile;
	iut->cp = cp;
	iut->seid = 0x1000;
	iut->sequence_number = 100;
	timer_init(&iut->t1, loop, "T1", repeat_report, iut);
	second.v4.sin_addr.s_addr = htonl(ntohl(second.v4.sin_addr.s_addr) + 1);
	iut->ports[0] = net_datagram_open(net, "iut", &profile->iut_n4, &handler, iut, why);
	iut->ports[1] = net_datagram_open(net, "iut/2", &second, &handler, iut, why);
	if (iut->ports[0] && iut->ports[1])
		return iut;
	stop(iut);
	return NULL;
}

static struct iut *start_up(struct loop *loop, struct net *net, const struct profile *profile,
			    const uint64_t *faults, const uint64_t *variants, struct text *why)
{
	(void)faults;
	(void)variants;
	return start(loop, net, profile, false, why);
}

static struct iut *start_cp(struct loop *loop, struct net *net, const struct profile *profile,
			    const uint64_t *faults, const uint64_t *variants, struct text *why)
{
	(void)faults;
	(void)variants;
	return start(loop, net, profile, true, why);
}

static const char *value_of(const struct control_arg *args, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(args[i].key, key) == 0)
			return args[i].value;
	return NULL;
}

static enum control_result control(struct iut *iut, const char *action,
				   const struct control_arg *args, size_t count, struct text *reply)
{
	const char *n = value_of(args, count, "count");

	if (iut->cp && strcmp(action, "restart") == 0 && !fake_n4_plan.no_restart) {
		cp_associate(iut);
		return CONTROL_DONE;
	}
	if (iut->cp && strcmp(action, "sessions") == 0) {
		cp_sessions(iut, value_of(args, count, "op"),
			    n ? (unsigned int)strtoul(n, NULL, 10) : 1, reply);
		return CONTROL_DONE;
	}
	return !iut->cp && up_control(iut, action) ? CONTROL_DONE : CONTROL_NOT_SUPPORTED;
}

const struct iut_ops fake_up = {
	.role = "up", .start = start_up, .stop = stop, .control = control
};
const struct iut_ops fake_cp = {
	.role = "cp", .start = start_cp, .stop = stop, .control = control
};
