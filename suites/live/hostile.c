#include "suites/live/hostile.h"

#include <stdio.h>
#include <string.h>

struct random randoms;
const struct way *way;

static struct loop *loop;
static struct timer pump;
static struct peer {
	struct link *link;
	bool up, flooding;
	unsigned int received;
} peers[HOSTILE_LINKS_MAX];

/* --- saying ----------------------------------------------------------------------------------- */

void say_on(struct link *link, uint16_t stream, uint32_t ppid, struct octets octets)
{
	link_send(link, stream, ppid, octets);
}

void say(struct link *link, struct octets octets)
{
	say_on(link, 0, NGAP_PPID, octets);
}

void say_random(struct link *link, size_t len)
{
	static uint8_t data[HOSTILE_LONG];

	random_bytes(&randoms, data, len);
	say(link, OCTETS(data, len));
}

void say_garbage(struct link *link)
{
	say_random(link, 1 + random_below(&randoms, HOSTILE_GARBAGE_MAX));
}

void say_long_garbage(struct link *link)
{
	say_random(link, HOSTILE_LONG);
}

void flood_garbage(struct link *link)
{
	say_random(link, HOSTILE_GARBAGE_MAX);
}

void set_up(struct link *link)
{
	say(link, hostile.set_up);
}

void set_up_half(struct link *link)
{
	say(link, OCTETS(hostile.set_up.data, hostile.set_up.len / 2));
}

/* As a stream would come that nobody has told what a message is. */
void set_up_by_octets(struct link *link)
{
	for (size_t i = 0; i < hostile.set_up.len; i++)
		say(link, OCTETS(hostile.set_up.data + i, 1));
}

void set_up_with_wrong_ppid(struct link *link)
{
	say_on(link, 0, 0, hostile.set_up);
}

void set_up_on_last_stream(struct link *link)
{
	say_on(link, (uint16_t)(link_streams(link) - 1), NGAP_PPID, hostile.set_up);
}

/* --- ends ------------------------------------------------------------------------------------- */

static void forget(const struct link *link)
{
	bool known = false;

	for (size_t i = 0; i < HOSTILE_LINKS_MAX; i++) {
		if (peers[i].link != link)
			continue;
		peers[i] = (struct peer){ 0 };
		known = true;
	}
	if (known && hostile.gone)
		hostile.gone(hostile.arg);
}

void shut_down(struct link *link)
{
	forget(link);
	link_close(link, false);
}

void abort_it(struct link *link)
{
	forget(link);
	link_close(link, true);
}

static void on_up(struct link *link, void *arg)
{
	struct peer *peer = arg;

	peer->up = true;
	if (way->up)
		way->up(link);
}

static void on_message(struct link *link, void *arg, const struct link_message *message)
{
	struct peer *peer = arg;

	if (way->each)
		way->each(link);
	else if (way->received)
		way->received(link, peer->received++, message);
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	(void)arg;
	(void)reason;
	abort_it(link);
}

const struct link_handler hostile_handler = {
	.up = on_up,
	.message = on_message,
	.down = on_down,
};

bool hostile_take(struct link *link, bool up)
{
	for (size_t i = 0; i < HOSTILE_LINKS_MAX; i++) {
		if (peers[i].link)
			continue;
		peers[i] = (struct peer){ .link = link, .up = up };
		link_set_handler(link, &hostile_handler, &peers[i]);
		if (up && way->up)
			way->up(link);
		return true;
	}
	link_close(link, true);
	return false;
}

/* --- floods ----------------------------------------------------------------------------------- */

void start_pump(struct link *link)
{
	for (size_t i = 0; i < HOSTILE_LINKS_MAX; i++)
		if (peers[i].link == link)
			peers[i].flooding = true;
	if (!timer_running(&pump))
		timer_start(&pump, US_PER_MS);
}

static void pump_fired(struct timer *timer, void *arg)
{
	(void)arg;
	for (size_t i = 0; i < HOSTILE_LINKS_MAX; i++) {
		for (int n = 0; peers[i].flooding && n < HOSTILE_BURST; n++) {
			if (way->flood)
				way->flood(peers[i].link);
			else
				say(peers[i].link, hostile.harmless);
		}
	}
	timer_start(timer, US_PER_MS);
}

/* --- the program ------------------------------------------------------------------------------ */

void hostile_list(void)
{
	for (size_t i = 0; i < hostile.way_count; i++)
		puts(hostile.ways[i].name);
}

bool hostile_open(const char *transport, const char *name, uint16_t udp_port,
		  uint16_t peer_udp_port, struct loop **its_loop, struct net **net)
{
	static const enum net_transport known[] = { NET_KERNEL, NET_USRSCTP, NET_USRSCTP_UDP };
	struct net_options options = { .udp_port = udp_port, .peer_udp_port = peer_udp_port };
	char buf[300] = "out of memory";
	struct text why;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(net_transport_name(known[i]), transport) == 0)
			options.transport = known[i];
	for (size_t i = 0; i < hostile.way_count; i++)
		if (strcmp(hostile.ways[i].name, name) == 0)
			way = &hostile.ways[i];
	if (!options.transport || !way) {
		fprintf(stderr, "%s: no such transport or way\n", hostile.program);
		return false;
	}
	random_init(&randoms, 1, "hostile");
	loop = loop_new(LOOP_LIVE, 1);
	if (loop) {
		text_init(&why, buf, sizeof(buf));
		*net = net_new(loop, &options, NULL, &why);
	}
	if (!loop || !*net) {
		fprintf(stderr, "%s: %s\n", hostile.program, buf);
		return false;
	}
	timer_init(&pump, loop, "flood", pump_fired, NULL);
	*its_loop = loop;
	return true;
}
