/*
 * Either end of a link between two SCTP stacks, as a program of its own for tests across machines:
 *
 *   net_echo serve TRANSPORT IP PORT READY    an obedient peer; makes the file READY when it
 * listens net_echo dial TRANSPORT LOCAL IP PORT     everything a link can do; 0 when all of it
 * worked net_echo wait TRANSPORT LOCAL IP PORT UP  makes the file UP, then waits for the peer to be
 * lost
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/net/obedient_peer.h"

struct client {
	struct link *link;
	bool up, down;
	enum link_down_reason reason;
	unsigned int messages;
	uint16_t stream;
	uint32_t ppid;
	size_t len;
	bool pattern; /* the last message was that of !big */
	bool disordered;
};

static struct loop *loop;
static struct net *net;
static struct net_address local, remote;
static char why_buf[300];
static struct text why;

static void on_up(struct link *link, void *arg)
{
	(void)link;
	((struct client *)arg)->up = true;
}

static void on_message(struct link *link, void *arg, const struct link_message *message)
{
	struct client *client = arg;
	uint32_t number = 0;

	(void)link;
	if (message->stream == 1 && message->data.len == 4) {
		memcpy(&number, message->data.data, 4);
		client->disordered |= number != client->messages;
	}
	client->messages++;
	client->stream = message->stream;
	client->ppid = message->ppid;
	client->len = message->data.len;
	client->pattern = true;
	for (size_t i = 0; i < client->len; i++)
		client->pattern &= message->data.data[i] == (uint8_t)(i * 7 + i / 251);
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	struct client *client = arg;

	client->down = true;
	client->reason = reason;
	link_close(link, false);
}

static const struct link_handler handler = {
	.up = on_up,
	.message = on_message,
	.down = on_down,
};

static unsigned int wanted;

static bool is_over(void *arg)
{
	const struct client *client = arg;

	return client->down || (client->up && client->messages >= wanted);
}

static bool is_down(void *arg)
{
	return ((struct client *)arg)->down;
}

static bool await(struct client *client, unsigned int messages)
{
	wanted = messages;
	return loop_run(loop, loop_now(loop) + 20 * US_PER_S, is_over, client) && !client->down;
}

static bool dial(struct client *client)
{
	*client = (struct client){ 0 };
	client->link = net_connect(net, "gnb1", &local, &remote, &handler, client, &why);
	if (!client->link) {
		fprintf(stderr, "net_echo: %s\n", why_buf);
		return false;
	}
	return await(client, 0);
}

static bool say(struct client *client, uint16_t stream, const char *text)
{
	return link_send(client->link, stream, NGAP_PPID,
			 OCTETS((const uint8_t *)text, strlen(text))) == 0;
}

static bool echo_on_all_streams(struct client *client)
{
	for (uint16_t stream = 0; stream < link_streams(client->link); stream++) {
		if (!say(client, stream, "echo") || !await(client, client->messages + 1) ||
		    client->stream != stream || client->ppid != NGAP_PPID || client->len != 4)
			return false;
	}
	return link_streams(client->link) == 16;
}

static bool long_messages(struct client *client)
{
	static uint8_t data[60000];

	if (!say(client, 0, "!big 60000") || !await(client, client->messages + 1) ||
	    client->len != sizeof(data) || !client->pattern)
		return false;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + i / 251);
	return link_send(client->link, 2, NGAP_PPID, OCTETS(data, sizeof(data))) == 0 &&
	       await(client, client->messages + 1) && client->len == sizeof(data) &&
	       client->pattern;
}

static bool flood(struct client *client)
{
	client->messages = 0;
	client->disordered = false;
	return say(client, 0, "!flood 2000") && await(client, 2000) && !client->disordered;
}

static bool ends_by(struct client *client, const char *order, enum link_down_reason reason)
{
	return say(client, 0, order) &&
	       loop_run(loop, loop_now(loop) + 5 * US_PER_S, is_down, client) &&
	       client->reason == reason;
}

static bool is_refused(struct client *client)
{
	struct net_address listened = remote;
	bool refused;

	remote.v4.sin_port = htons((uint16_t)(ntohs(remote.v4.sin_port) + 1));
	refused = !dial(client) && client->down &&
		  (client->reason == LINK_REFUSED || client->reason == LINK_LOST);
	remote = listened;
	return refused;
}

static int check(const char *what, bool worked)
{
	printf("%s: %s\n", what, worked ? "ok" : "FAILED");
	return worked ? 0 : 1;
}

static int run_dial(void)
{
	struct client client;
	int failed = check("up", dial(&client));

	if (failed)
		return failed;
	failed += check("echo on every stream", echo_on_all_streams(&client));
	failed += check("long messages", long_messages(&client));
	failed += check("flood", flood(&client));
	failed += check("abort", ends_by(&client, "!abort", LINK_ABORTED));
	failed += check("up again", dial(&client));
	failed += check("shutdown", ends_by(&client, "!shutdown", LINK_SHUTDOWN));
	failed += check("refused", is_refused(&client));
	return failed;
}

static bool touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	return fd >= 0 && close(fd) == 0;
}

static int run_wait(const char *up)
{
	struct client client;
	uint64_t start;

	if (check("up", dial(&client)) || !touch(up))
		return 1;
	start = loop_now(loop);
	if (!loop_run(loop, start + 30 * US_PER_S, is_down, &client))
		return check("lost", false);
	printf("down (%s) %.1f s after it came up\n", link_down_reason_name(client.reason),
	       (double)(loop_now(loop) - start) / US_PER_S);
	return check("lost", client.reason == LINK_LOST);
}

static bool read_transport(const char *name, enum net_transport *transport)
{
	for (int t = NET_AUTO; t <= NET_USRSCTP_UDP; t++) {
		*transport = (enum net_transport)t;
		if (strcmp(name, net_transport_name(*transport)) == 0)
			return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	/* That the checksum is there where it has to be shows only across a real network. */
	struct net_options options = {
		.transport = NET_SIM,
		.no_crc_on_loopback = getenv("NET_ECHO_NO_CRC_ON_LOOPBACK") != NULL,
	};
	bool serve = argc == 6 && strcmp(argv[1], "serve") == 0;
	bool wait = argc == 7 && strcmp(argv[1], "wait") == 0;

	text_init(&why, why_buf, sizeof(why_buf));
	if ((!serve && !wait && (argc != 6 || strcmp(argv[1], "dial") != 0)) ||
	    !read_transport(argv[2], &options.transport) ||
	    net_address_parse(&local, argv[3], serve ? (uint16_t)atoi(argv[4]) : 0) != 0 ||
	    (!serve && net_address_parse(&remote, argv[4], (uint16_t)atoi(argv[5])) != 0)) {
		fprintf(stderr, "usage: net_echo serve|dial|wait ... (see its source)\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	loop = loop_new(LOOP_LIVE, 1);
	net = serve ? obedient_peer(loop, &options, &local, &why)
		    : net_new(loop, &options, NULL, &why);
	if (!net) {
		fprintf(stderr, "net_echo: %s\n", why_buf);
		return 1;
	}
	printf("transport %s\n", net_transport_name(net_transport(net)));
	if (!serve)
		return wait ? run_wait(argv[6]) : run_dial();
	if (!touch(argv[5]))
		return 1;
	loop_run(loop, LOOP_NEVER, NULL, NULL);
	return 0;
}
