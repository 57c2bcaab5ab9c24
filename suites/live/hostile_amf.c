/*
 * What a listener that is no AMF, or a broken one, may do to the tester. One way for each word of
 * the table; the rest is an ordinary SCTP association.
 *
 *   hostile_amf TRANSPORT IP PORT WAY    prints "ready" once it listens; ends when it is killed
 *   hostile_amf --list
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/ngap/ngap.h"
#include "runner/core/random.h"
#include "runner/net/link.h"

enum {
	GARBAGE_MAX = 300,
	LONG = 60000,
	FLOOD_BURST = 500, /* messages a millisecond, as long as the association takes them */
	LINKS_MAX = 16,
};

/* NG SETUP RESPONSE: name, GUAMI 99970/2/1/0, capacity 255, slice 1-010203. */
static const uint8_t setup_response[] = {
	0x20, 0x15, 0x00, 0x2e, 0x00, 0x00, 0x04, 0x00, 0x01, 0x00, 0x05, 0x01, 0x00,
	0x61, 0x6d, 0x66, 0x00, 0x60, 0x00, 0x08, 0x00, 0x00, 0x99, 0xf9, 0x07, 0x02,
	0x00, 0x40, 0x00, 0x56, 0x40, 0x01, 0xff, 0x00, 0x50, 0x00, 0x0d, 0x00, 0x99,
	0xf9, 0x07, 0x00, 0x01, 0x10, 0x08, 0x01, 0x02, 0x03, 0x00, 0x10,
};
/* OVERLOAD STOP, which any gNB may get at any time. */
static const uint8_t overload_stop[] = { 0x00, 0x17, 0x00, 0x03, 0x00, 0x00, 0x00 };

struct way {
	const char *name;
	void (*accepted)(struct link *link);
	/* The number counts the messages of an association from 0. */
	void (*received)(struct link *link, unsigned int number, const struct link_message *m);
};

static const struct way *way;
static struct net *net;
static struct net_listener *listener;
static struct random randoms;
static struct timer pump;
static struct peer {
	struct link *link;
	unsigned int received;
} peers[LINKS_MAX];

static void say_on(struct link *link, uint16_t stream, uint32_t ppid, const uint8_t *data,
		   size_t len)
{
	link_send(link, stream, ppid, OCTETS(data, len));
}

static void say(struct link *link, const uint8_t *data, size_t len)
{
	say_on(link, 0, NGAP_PPID, data, len);
}

static void forget(struct link *link)
{
	for (size_t i = 0; i < LINKS_MAX; i++)
		if (peers[i].link == link)
			peers[i] = (struct peer){ 0 };
}

static void random_message(struct link *link, size_t len)
{
	static uint8_t data[LONG];

	random_bytes(&randoms, data, len);
	say(link, data, len);
}

static void garbage(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	random_message(link, 1 + random_below(&randoms, GARBAGE_MAX));
}

static void half(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	say(link, setup_response, sizeof(setup_response) / 2);
}

static void one_octet(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	say(link, setup_response, 1);
}

static void echo(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	say_on(link, m->stream, m->ppid, m->data.data, m->data.len);
}

static void wrong_ppid(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	say_on(link, 0, 0, setup_response, sizeof(setup_response));
}

static void wrong_stream(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	say_on(link, (uint16_t)(link_streams(link) - 1), NGAP_PPID, setup_response,
	       sizeof(setup_response));
}

static void long_garbage(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	random_message(link, LONG);
}

/* NG Setup is answered, what comes then is not. */
static void set_up_only(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)m;
	if (number == 0)
		say(link, setup_response, sizeof(setup_response));
}

/* A NAS message that is all of 60,000 octets, for the first UE. */
static void long_nas(struct link *link, unsigned int number, const struct link_message *m)
{
	static uint8_t nas[LONG], out[LONG + 200], memory[4096];
	struct arena arena;
	struct ngap_pdu pdu;
	ssize_t len;

	set_up_only(link, number, m);
	if (number == 0)
		return;
	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, NGAP_DOWNLINK_NAS_TRANSPORT, &arena);
	ngap_add_int(&pdu, NGAP_ID_AMF_UE_NGAP_ID, 1);
	ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, 1);
	random_bytes(&randoms, nas, sizeof(nas));
	nas[0] = 0x7e;
	nas[1] = 0;
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, OCTETS(nas, sizeof(nas)));
	len = ngap_encode(&pdu, out, sizeof(out));
	if (len > 0)
		say_on(link, 1, NGAP_PPID, out, (size_t)len);
}

static void shut_down(struct link *link)
{
	forget(link);
	link_close(link, false);
}

static void abort_it(struct link *link)
{
	forget(link);
	link_close(link, true);
}

static void drop_at_once(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	abort_it(link);
}

static void drop_set_up(struct link *link, unsigned int number, const struct link_message *m)
{
	set_up_only(link, number, m);
	if (number > 0)
		abort_it(link);
}

static void vanish(struct link *link, unsigned int number, const struct link_message *m)
{
	set_up_only(link, number, m);
	if (number > 0)
		raise(SIGKILL);
}

static void freeze(struct link *link, unsigned int number, const struct link_message *m)
{
	set_up_only(link, number, m);
	if (number > 0)
		raise(SIGSTOP);
}

/* One association, and never another. */
static void close_door(struct link *link)
{
	(void)link;
	if (listener)
		net_listener_close(listener);
	listener = NULL;
}

static void start_pump(struct link *link)
{
	(void)link;
	if (!timer_running(&pump))
		timer_start(&pump, US_PER_MS);
}

static void flood_set_up(struct link *link, unsigned int number, const struct link_message *m)
{
	set_up_only(link, number, m);
	start_pump(link);
}

static const struct way ways[] = {
	{ .name = "mute" },
	{ .name = "garbage", .received = garbage },
	{ .name = "half", .received = half },
	{ .name = "one-octet", .received = one_octet },
	{ .name = "echo", .received = echo },
	{ .name = "wrong-ppid", .received = wrong_ppid },
	{ .name = "wrong-stream", .received = wrong_stream },
	{ .name = "long-garbage", .received = long_garbage },
	{ .name = "long-nas", .received = long_nas },
	{ .name = "set-up-only", .received = set_up_only },
	{ .name = "shut-down", .accepted = shut_down },
	{ .name = "abort", .accepted = abort_it },
	{ .name = "drop", .received = drop_at_once },
	{ .name = "drop-set-up", .received = drop_set_up },
	{ .name = "vanish", .received = vanish },
	{ .name = "freeze", .received = freeze },
	{ .name = "one-only", .accepted = close_door, .received = set_up_only },
	{ .name = "flood-garbage", .accepted = start_pump },
	{ .name = "flood", .received = flood_set_up },
};

static void pump_fired(struct timer *timer, void *arg)
{
	bool is_garbage = strcmp(way->name, "flood-garbage") == 0;

	(void)arg;
	for (size_t i = 0; i < LINKS_MAX; i++) {
		for (int n = 0; peers[i].link && n < FLOOD_BURST; n++) {
			if (is_garbage)
				random_message(peers[i].link, GARBAGE_MAX);
			else
				say(peers[i].link, overload_stop, sizeof(overload_stop));
		}
	}
	timer_start(timer, US_PER_MS);
}

static void on_message(struct link *link, void *arg, const struct link_message *message)
{
	struct peer *peer = arg;

	if (way->received)
		way->received(link, peer->received++, message);
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	(void)arg;
	(void)reason;
	forget(link);
	link_close(link, true);
}

static const struct link_handler handler = { .message = on_message, .down = on_down };

static void on_accept(struct link *link, void *arg)
{
	(void)arg;
	for (size_t i = 0; i < LINKS_MAX; i++) {
		if (peers[i].link)
			continue;
		peers[i] = (struct peer){ .link = link };
		link_set_handler(link, &handler, &peers[i]);
		if (way->accepted)
			way->accepted(link);
		return;
	}
	link_close(link, true);
}

static bool choose(struct net_options *options, const char *transport, const char *name)
{
	static const enum net_transport known[] = { NET_KERNEL, NET_USRSCTP, NET_USRSCTP_UDP };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(net_transport_name(known[i]), transport) == 0)
			options->transport = known[i];
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (strcmp(ways[i].name, name) == 0)
			way = &ways[i];
	/* The tester's ports, seen from the other side. */
	options->udp_port = 9899;
	options->peer_udp_port = 9900;
	return options->transport && way;
}

int main(int argc, char **argv)
{
	struct net_options options = { 0 };
	struct net_address address;
	struct loop *loop;
	char buf[300];
	struct text why;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
			puts(ways[i].name);
		return EXIT_SUCCESS;
	}
	if (argc != 5 || !choose(&options, argv[1], argv[4]) ||
	    net_address_parse(&address, argv[2], (uint16_t)atoi(argv[3])) != 0) {
		fprintf(stderr, "usage: hostile_amf TRANSPORT IP PORT WAY\n");
		return 2;
	}
	text_init(&why, buf, sizeof(buf));
	random_init(&randoms, 1, "hostile");
	loop = loop_new(LOOP_LIVE, 1);
	net = loop ? net_new(loop, &options, NULL, &why) : NULL;
	listener = net ? net_listen(net, "hostile", &address, on_accept, NULL, &why) : NULL;
	if (!listener) {
		fprintf(stderr, "hostile_amf: %s\n", buf);
		return EXIT_FAILURE;
	}
	timer_init(&pump, loop, "flood", pump_fired, NULL);
	puts("ready");
	fflush(stdout);
	loop_run(loop, LOOP_NEVER, NULL, NULL);
	return EXIT_SUCCESS;
}
