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

#include "suites/live/hostile.h"

/* NG SETUP RESPONSE: name, GUAMI 99970/2/1/0, capacity 255, slice 1-010203. */
static const uint8_t setup_response[] = {
	0x20, 0x15, 0x00, 0x2e, 0x00, 0x00, 0x04, 0x00, 0x01, 0x00, 0x05, 0x01, 0x00,
	0x61, 0x6d, 0x66, 0x00, 0x60, 0x00, 0x08, 0x00, 0x00, 0x99, 0xf9, 0x07, 0x02,
	0x00, 0x40, 0x00, 0x56, 0x40, 0x01, 0xff, 0x00, 0x50, 0x00, 0x0d, 0x00, 0x99,
	0xf9, 0x07, 0x00, 0x01, 0x10, 0x08, 0x01, 0x02, 0x03, 0x00, 0x10,
};
/* OVERLOAD STOP, which any gNB may get at any time. */
static const uint8_t overload_stop[] = { 0x00, 0x17, 0x00, 0x03, 0x00, 0x00, 0x00 };

static struct net_listener *listener;

static void echo(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	say_on(link, m->stream, m->ppid, m->data);
}

/* NG Setup is answered, what comes then is not. */
static void set_up_only(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)m;
	if (number == 0)
		set_up(link);
}

/* A NAS message that is all of 60,000 octets, for the first UE. */
static void long_nas(struct link *link, unsigned int number, const struct link_message *m)
{
	static uint8_t nas[HOSTILE_LONG], out[HOSTILE_LONG + 200], memory[4096];
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
		say_on(link, 1, NGAP_PPID, OCTETS(out, (size_t)len));
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

static void flood_set_up(struct link *link, unsigned int number, const struct link_message *m)
{
	set_up_only(link, number, m);
	start_pump(link);
}

static const struct way ways[] = {
	{ .name = "mute" },
	{ .name = "garbage", .each = say_garbage },
	{ .name = "half", .each = set_up_half },
	{ .name = "one-octet", .each = set_up_by_octets },
	{ .name = "echo", .received = echo },
	{ .name = "wrong-ppid", .each = set_up_with_wrong_ppid },
	{ .name = "wrong-stream", .each = set_up_on_last_stream },
	{ .name = "long-garbage", .each = say_long_garbage },
	{ .name = "long-nas", .received = long_nas },
	{ .name = "set-up-only", .received = set_up_only },
	{ .name = "shut-down", .up = shut_down },
	{ .name = "abort", .up = abort_it },
	{ .name = "drop", .each = abort_it },
	{ .name = "drop-set-up", .received = drop_set_up },
	{ .name = "vanish", .received = vanish },
	{ .name = "freeze", .received = freeze },
	{ .name = "one-only", .up = close_door, .received = set_up_only },
	{ .name = "flood-garbage", .up = start_pump, .flood = flood_garbage },
	{ .name = "flood", .received = flood_set_up },
};

const struct hostile hostile = {
	.program = "hostile_amf",
	.ways = ways,
	.way_count = sizeof(ways) / sizeof(*ways),
	.set_up = { setup_response, sizeof(setup_response) },
	.harmless = { overload_stop, sizeof(overload_stop) },
};

static void on_accept(struct link *link, void *arg)
{
	(void)arg;
	hostile_take(link, true);
}

int main(int argc, char **argv)
{
	struct net_address address;
	struct loop *loop;
	struct net *net;
	char buf[300];
	struct text why;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		hostile_list();
		return EXIT_SUCCESS;
	}
	if (argc != 5 || net_address_parse(&address, argv[2], (uint16_t)atoi(argv[3])) != 0) {
		fprintf(stderr, "usage: hostile_amf TRANSPORT IP PORT WAY\n");
		return 2;
	}
	/* The tester's ports, seen from the other side. */
	if (!hostile_open(argv[1], argv[4], 9899, 9900, &loop, &net))
		return EXIT_FAILURE;
	text_init(&why, buf, sizeof(buf));
	listener = net_listen(net, "hostile", &address, on_accept, NULL, &why);
	if (!listener) {
		fprintf(stderr, "hostile_amf: %s\n", buf);
		return EXIT_FAILURE;
	}
	puts("ready");
	fflush(stdout);
	loop_run(loop, LOOP_NEVER, NULL, NULL);
	return EXIT_SUCCESS;
}
