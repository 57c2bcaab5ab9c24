/*
 * What an NG-RAN node that connects to the tester may do to it. One way for each word of the table;
 * it comes back as soon as it is refused or cut off, for ever.
 *
 *   hostile_ran TRANSPORT IP PEER-IP PEER-PORT WAY    prints "ready"; ends when it is killed
 *   hostile_ran --list
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites/live/hostile.h"

enum { RAN_UE_NGAP_ID_AT = 12, CROWD = 16 };

static const uint64_t retry_time = 20 * US_PER_MS;
static const uint64_t drip_time = 200 * US_PER_MS;

/* NG SETUP REQUEST of gNB 99970/1, TACs 1 and 2. */
static const uint8_t setup_request[] = {
	0x00, 0x15, 0x00, 0x73, 0x00, 0x00, 0x04, 0x00, 0x1b, 0x00, 0x08, 0x00, 0x99, 0xf9, 0x07,
	0x00, 0x00, 0x00, 0x04, 0x00, 0x52, 0x40, 0x05, 0x01, 0x00, 0x67, 0x6e, 0x62, 0x00, 0x66,
	0x00, 0x52, 0x01, 0x00, 0x00, 0x00, 0x01, 0x20, 0x99, 0xf9, 0x07, 0x00, 0x01, 0x10, 0x08,
	0x01, 0x02, 0x03, 0x00, 0x10, 0x99, 0xf9, 0x17, 0x00, 0x01, 0x10, 0x08, 0x01, 0x02, 0x03,
	0x00, 0x10, 0x99, 0xf9, 0x27, 0x00, 0x01, 0x10, 0x08, 0x01, 0x02, 0x03, 0x00, 0x10, 0x00,
	0x00, 0x02, 0x20, 0x99, 0xf9, 0x07, 0x00, 0x01, 0x10, 0x08, 0x01, 0x02, 0x03, 0x00, 0x10,
	0x99, 0xf9, 0x17, 0x00, 0x01, 0x10, 0x08, 0x01, 0x02, 0x03, 0x00, 0x10, 0x99, 0xf9, 0x27,
	0x00, 0x01, 0x10, 0x08, 0x01, 0x02, 0x03, 0x00, 0x10, 0x00, 0x15, 0x40, 0x01, 0x40,
};
/* INITIAL UE MESSAGE with a REGISTRATION REQUEST for emergency services, SUCI 99970/01. */
static uint8_t initial_ue_message[] = {
	0x00, 0x0f, 0x40, 0x45, 0x00, 0x00, 0x05, 0x00, 0x55, 0x00, 0x05, 0xc0, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x26, 0x00, 0x18, 0x17, 0x7e, 0x00, 0x41, 0x74, 0x00, 0x0d, 0x01, 0x99, 0xf9,
	0x07, 0xf0, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x2e, 0x02, 0xe0, 0x60, 0x00,
	0x79, 0x00, 0x0f, 0x40, 0x99, 0xf9, 0x07, 0x00, 0x00, 0x04, 0x00, 0x10, 0x99, 0xf9, 0x07,
	0x00, 0x00, 0x01, 0x00, 0x5a, 0x40, 0x01, 0x00, 0x00, 0x70, 0x40, 0x01, 0x00,
};
/* NG RESET of the whole interface, cause O&M intervention: any AMF may get it at any time. */
static const uint8_t ng_reset[] = { 0x00, 0x14, 0x00, 0x0d, 0x00, 0x00, 0x02, 0x00, 0x0f,
				    0x40, 0x01, 0x86, 0x00, 0x58, 0x00, 0x01, 0x00 };

static struct net *net;
static struct loop *loop;
static struct net_address local, peer;
static struct timer retry, drip;
static struct link *dripping;
static size_t dripped;
static uint32_t ran_ue_ngap_id;

/* --- coming ----------------------------------------------------------------------------------- */

static void connect_now(struct timer *timer, void *arg)
{
	char buf[300];
	struct text why;
	struct link *link;

	(void)arg;
	text_init(&why, buf, sizeof(buf));
	link = net_connect(net, "hostile", &local, &peer, &hostile_handler, NULL, &why);
	if (!link || !hostile_take(link, false))
		timer_start(timer, retry_time);
}

static void come_back(void *arg)
{
	(void)arg;
	dripping = NULL;
	if (!timer_running(&retry))
		timer_start(&retry, retry_time);
}

/* --- ways ------------------------------------------------------------------------------------- */

static void initial_message(struct link *link)
{
	uint32_t id = ran_ue_ngap_id++;

	for (size_t i = 0; i < 4; i++)
		initial_ue_message[RAN_UE_NGAP_ID_AT + i] = (uint8_t)(id >> (24 - 8 * i));
	say_on(link, 1, NGAP_PPID, OCTETS(initial_ue_message, sizeof(initial_ue_message)));
}

/* Octet by octet, slowly, and never to its end. */
static void drip_fired(struct timer *timer, void *arg)
{
	(void)arg;
	if (!dripping)
		return;
	say(dripping, OCTETS(setup_request + dripped++ % sizeof(setup_request), 1));
	timer_start(timer, drip_time);
}

static void start_drip(struct link *link)
{
	dripping = link;
	dripped = 0;
	timer_start(&drip, drip_time);
}

static void garbage_later(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	say_garbage(link);
}

static void half_later(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	say(link, OCTETS(initial_ue_message, sizeof(initial_ue_message) / 2));
}

static void set_up_twice(struct link *link)
{
	set_up(link);
	set_up(link);
}

static void start_flood(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)m;
	if (number == 0)
		start_pump(link);
}

/* UPLINK NAS TRANSPORT for a connection that there is not. */
static void uplink_of_nobody(struct link *link, unsigned int number, const struct link_message *m)
{
	static const uint8_t uplink_nas_transport[] = {
		0x00, 0x2e, 0x40, 0x34, 0x00, 0x00, 0x04, 0x00, 0x0a, 0x00, 0x06, 0x80, 0xff, 0xff,
		0xff, 0xff, 0xff, 0x00, 0x55, 0x00, 0x05, 0xc0, 0xff, 0xff, 0xff, 0xff, 0x00, 0x26,
		0x00, 0x08, 0x07, 0x7e, 0x00, 0x44, 0x16, 0x5f, 0x01, 0x3e, 0x00, 0x79, 0x40, 0x0e,
		0x00, 0x99, 0xf9, 0x07, 0x12, 0x34, 0x56, 0x70, 0x99, 0xf9, 0x07, 0x00, 0x00, 0x01,
	};

	(void)m;
	if (number == 0)
		say_on(link, 1, NGAP_PPID,
		       OCTETS(uplink_nas_transport, sizeof(uplink_nas_transport)));
}

static void one_stranger(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)m;
	if (number == 0)
		initial_message(link);
}

static void echo(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	say_on(link, m->stream, m->ppid, m->data);
}

static void drop_at_message(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)number;
	(void)m;
	abort_it(link);
}

static void vanish(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)link;
	(void)number;
	(void)m;
	raise(SIGKILL);
}

static void freeze(struct link *link, unsigned int number, const struct link_message *m)
{
	(void)link;
	(void)number;
	(void)m;
	raise(SIGSTOP);
}

static void another(struct link *link)
{
	static unsigned int count;

	set_up(link);
	if (++count < CROWD)
		come_back(NULL);
}

static const struct way ways[] = {
	{ .name = "mute" },
	{ .name = "garbage", .up = say_garbage },
	{ .name = "half", .up = set_up_half },
	{ .name = "octets", .up = set_up_by_octets },
	{ .name = "drip", .up = start_drip },
	{ .name = "wrong-ppid", .up = set_up_with_wrong_ppid },
	{ .name = "wrong-stream", .up = set_up_on_last_stream },
	{ .name = "long-garbage", .up = say_long_garbage },
	{ .name = "flood-garbage", .up = start_pump, .flood = flood_garbage },
	{ .name = "flood-set-up", .up = start_pump, .flood = set_up },
	{ .name = "shut-down", .up = shut_down },
	{ .name = "abort", .up = abort_it },
	{ .name = "early-ue", .up = initial_message },
	{ .name = "set-up-only", .up = set_up },
	{ .name = "set-up-twice", .up = set_up_twice },
	{ .name = "crowd", .up = another },
	{ .name = "garbage-later", .up = set_up, .received = garbage_later },
	{ .name = "half-later", .up = set_up, .received = half_later },
	{ .name = "echo", .up = set_up, .received = echo },
	{ .name = "stranger", .up = set_up, .received = one_stranger },
	{ .name = "uplink-of-nobody", .up = set_up, .received = uplink_of_nobody },
	{ .name = "drop", .up = set_up, .received = drop_at_message },
	{ .name = "vanish", .up = set_up, .received = vanish },
	{ .name = "freeze", .up = set_up, .received = freeze },
	{ .name = "flood", .up = set_up, .received = start_flood },
	{ .name = "flood-ues", .up = set_up, .received = start_flood, .flood = initial_message },
};

const struct hostile hostile = {
	.program = "hostile_ran",
	.ways = ways,
	.way_count = sizeof(ways) / sizeof(*ways),
	.set_up = { setup_request, sizeof(setup_request) },
	.harmless = { ng_reset, sizeof(ng_reset) },
	.gone = come_back,
};

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		hostile_list();
		return EXIT_SUCCESS;
	}
	if (argc != 6 || net_address_parse(&local, argv[2], 0) != 0 ||
	    net_address_parse(&peer, argv[3], (uint16_t)atoi(argv[4])) != 0) {
		fprintf(stderr, "usage: hostile_ran TRANSPORT IP PEER-IP PEER-PORT WAY\n");
		return 2;
	}
	/* The tester's ports, seen from the other side. */
	if (!hostile_open(argv[1], argv[5], 9899, 9900, &loop, &net))
		return EXIT_FAILURE;
	timer_init(&retry, loop, "retry", connect_now, NULL);
	timer_init(&drip, loop, "drip", drip_fired, NULL);
	timer_start(&retry, 0);
	puts("ready");
	fflush(stdout);
	loop_run(loop, LOOP_NEVER, NULL, NULL);
	return EXIT_SUCCESS;
}
