/*
 * One set of tests for every SCTP back end: test_net_live usrsctp-udp | usrsctp | kernel, and after
 * one of usrsctp: no-crc, for peers that leave out the checksum on loopback. The peer
 * is a process of its own on another loopback address. Exit status 77 where the back end cannot
 * be had here.
 */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/net/obedient_peer.h"

#define LOCAL "127.0.0.1"
#define PEER  "127.0.0.2"

enum { CLIENTS_MAX = 4 };

struct client {
	struct link *link;
	int ups, downs, messages, restarts;
	enum link_down_reason reason;
	uint64_t down_at;
	uint16_t stream;
	uint32_t ppid;
	size_t len;
	uint64_t octets;
	bool wrong; /* a number or an octet that was not expected */
	char text[100];
	uint8_t *data; /* of the last message */
};

static struct net_options options;
static uint16_t port;
static struct loop *loop;
static struct net *net;
static struct client clients[CLIENTS_MAX];
static pid_t peer;
static char why_buf[300];
static struct text why;

static struct net_address address(const char *ip, uint16_t number)
{
	struct net_address a;

	ck_assert_int_eq(net_address_parse(&a, ip, number), 0);
	return a;
}

/* --- the peer's process ---------------------------------------------------------------------- */

static void serve(int ready)
{
	struct net_address at = address(PEER, port);
	struct loop *own = loop_new(LOOP_LIVE, 2);

	if (!obedient_peer(own, &options, &at, &why)) {
		fprintf(stderr, "peer: %s\n", why_buf);
		_exit(1);
	}
	if (write(ready, "r", 1) != 1)
		_exit(1);
	loop_run(own, LOOP_NEVER, NULL, NULL);
	_exit(0);
}

static pid_t start_peer(void)
{
	int ready[2];
	char c;
	pid_t pid;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		serve(ready[1]);
	close(ready[1]);
	ck_assert_int_eq(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static void stop_peer(void)
{
	int status;

	if (peer <= 0)
		return;
	kill(peer, SIGKILL);
	waitpid(peer, &status, 0);
	peer = 0;
}

/* --- this side ------------------------------------------------------------------------------- */

static void on_up(struct link *link, void *arg)
{
	(void)link;
	((struct client *)arg)->ups++;
}

static void on_message(struct link *link, void *arg, const struct link_message *message)
{
	struct client *client = arg;
	size_t n = message->data.len < sizeof(client->text) - 1 ? message->data.len
								: sizeof(client->text) - 1;

	(void)link;
	if (message->stream == 1) {
		uint32_t number = UINT32_MAX;

		memcpy(&number, message->data.data, n < 4 ? n : 4);
		if (number != (uint32_t)client->messages)
			client->wrong = true;
	}
	client->messages++;
	client->octets += message->data.len;
	client->stream = message->stream;
	client->ppid = message->ppid;
	client->len = message->data.len;
	memcpy(client->text, message->data.data, n);
	client->text[n] = '\0';
	free(client->data);
	client->data = malloc(client->len);
	memcpy(client->data, message->data.data, client->len);
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	struct client *client = arg;

	client->downs++;
	client->reason = reason;
	client->down_at = loop_now(loop);
	link_close(link, false);
	client->link = NULL;
}

static void on_restart(struct link *link, void *arg)
{
	(void)link;
	((struct client *)arg)->restarts++;
}

static const struct link_handler handler = {
	.up = on_up,
	.message = on_message,
	.down = on_down,
	.restart = on_restart,
};

static void set_up(void)
{
	text_init(&why, why_buf, sizeof(why_buf));
	memset(clients, 0, sizeof(clients));
	port++;
	peer = start_peer();
	loop = loop_new(LOOP_LIVE, 1);
	net = net_new(loop, &options, NULL, &why);
	ck_assert_msg(net != NULL, "%s", why_buf);
}

static void tear_down(void)
{
	net_free(net);
	loop_free(loop);
	stop_peer();
	for (int i = 0; i < CLIENTS_MAX; i++)
		free(clients[i].data);
}

static struct link *dial(struct client *client, const char *from, uint16_t from_port,
			 const char *to, uint16_t to_port)
{
	struct net_address local = address(from, from_port), remote = address(to, to_port);

	client->link = net_connect(net, "gnb1", &local, &remote, &handler, client, &why);
	ck_assert_msg(client->link != NULL, "%s", why_buf);
	return client->link;
}

static bool is_up_or_down(void *arg)
{
	return ((struct client *)arg)->ups + ((struct client *)arg)->downs > 0;
}

static bool is_down(void *arg)
{
	return ((struct client *)arg)->downs > 0;
}

static int wanted;

static bool has_messages(void *arg)
{
	return ((struct client *)arg)->messages >= wanted || is_down(arg);
}

static void connect_client(struct client *client, const char *from)
{
	dial(client, from, 0, PEER, port);
	ck_assert(loop_run(loop, loop_now(loop) + 10 * US_PER_S, is_up_or_down, client));
	ck_assert_int_eq(client->ups, 1);
}

static void say(struct client *client, uint16_t stream, uint32_t ppid, const char *text)
{
	ck_assert_int_eq(
		link_send(client->link, stream, ppid, OCTETS((const uint8_t *)text, strlen(text))),
		0);
}

static void await_messages(struct client *client, int count)
{
	wanted = count;
	ck_assert(loop_run(loop, loop_now(loop) + 30 * US_PER_S, has_messages, client));
	ck_assert_int_eq(client->messages, count);
}

START_TEST(messages_come_back_as_they_were)
{
	struct client *client = &clients[0];

	set_up();
	connect_client(client, LOCAL);
	ck_assert_uint_eq(link_streams(client->link), 16);
	ck_assert_uint_ne(ntohs(link_local(client->link)->v4.sin_port), 0);
	say(client, 15, NGAP_PPID, "hello");
	await_messages(client, 1);
	ck_assert_uint_eq(client->stream, 15);
	ck_assert_uint_eq(client->ppid, NGAP_PPID);
	ck_assert_str_eq(client->text, "hello");
	say(client, 0, 0xdeadbeef, "another payload protocol");
	await_messages(client, 2);
	ck_assert_uint_eq(client->ppid, 0xdeadbeef);
	ck_assert_int_eq(link_send(client->link, 16, 60, OCTETS((const uint8_t *)"x", 1)), -EINVAL);
	tear_down();
}
END_TEST

static bool is_pattern(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (data[i] != (uint8_t)(i * 7 + i / 251))
			return false;
	}
	return true;
}

static void check_big(struct client *client, size_t len)
{
	char order[32];

	snprintf(order, sizeof(order), "!big %zu", len);
	say(client, 0, NGAP_PPID, order);
	await_messages(client, client->messages + 1);
	ck_assert_uint_eq(client->len, len);
	ck_assert(is_pattern(client->data, len));
	/* And the other way round and back. */
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(
			link_send(client->link, 3, NGAP_PPID, OCTETS(client->data, client->len)),
			0);
		await_messages(client, client->messages + 1);
		ck_assert_uint_eq(client->len, len);
	}
	ck_assert(is_pattern(client->data, len));
}

START_TEST(long_messages_are_whole)
{
	set_up();
	connect_client(&clients[0], LOCAL);
	check_big(&clients[0], 60000);
	check_big(&clients[0], 65536);
	check_big(&clients[0], 65537);
	check_big(&clients[0], 1 << 20);
	tear_down();
}
END_TEST

START_TEST(several_local_addresses_and_one_port)
{
	static const char *const ips[] = { LOCAL, "127.0.0.3", "127.0.0.4" };

	set_up();
	for (int i = 0; i < 3; i++)
		dial(&clients[i], ips[i], (uint16_t)(port + 20000), PEER, port);
	for (int i = 0; i < 3; i++) {
		struct net_address expected = address(ips[i], (uint16_t)(port + 20000));

		ck_assert(
			loop_run(loop, loop_now(loop) + 10 * US_PER_S, is_up_or_down, &clients[i]));
		ck_assert_int_eq(clients[i].ups, 1);
		ck_assert_mem_eq(link_local(clients[i].link), &expected, sizeof(expected.v4));
	}
	for (int i = 0; i < 3; i++)
		say(&clients[i], 0, NGAP_PPID, ips[i]);
	for (int i = 0; i < 3; i++) {
		await_messages(&clients[i], 1);
		ck_assert_str_eq(clients[i].text, ips[i]);
	}
	tear_down();
}
END_TEST

START_TEST(the_ways_in_which_a_peer_goes)
{
	set_up();
	for (int i = 0; i < 3; i++)
		connect_client(&clients[i], LOCAL);
	say(&clients[0], 0, NGAP_PPID, "!shutdown");
	ck_assert(loop_run(loop, loop_now(loop) + 5 * US_PER_S, is_down, &clients[0]));
	ck_assert_int_eq(clients[0].reason, LINK_SHUTDOWN);
	ck_assert_str_eq(clients[0].text, "bye");
	say(&clients[1], 0, NGAP_PPID, "!abort");
	ck_assert(loop_run(loop, loop_now(loop) + 5 * US_PER_S, is_down, &clients[1]));
	ck_assert_int_eq(clients[1].reason, LINK_ABORTED);
	/* Nobody listens at this port, but the peer is there. */
	dial(&clients[3], LOCAL, 0, PEER, (uint16_t)(port + 1000));
	ck_assert(loop_run(loop, loop_now(loop) + 10 * US_PER_S, is_up_or_down, &clients[3]));
	ck_assert_int_eq(clients[3].downs, 1);
	ck_assert(clients[3].reason == LINK_REFUSED || clients[3].reason == LINK_LOST);
	ck_assert_int_eq(clients[2].downs, 0);
	tear_down();
}
END_TEST

START_TEST(who_is_dead_is_noticed_within_ten_seconds)
{
	uint64_t start;

	set_up();
	connect_client(&clients[0], LOCAL);
	connect_client(&clients[1], LOCAL);
	stop_peer();
	start = loop_now(loop);
	/* One association idle, one with data under way, one to an address without anybody. */
	link_send(clients[1].link, 0, NGAP_PPID, OCTETS((const uint8_t *)"anybody there?", 14));
	dial(&clients[2], LOCAL, 0, "127.0.0.99", port);
	for (int i = 0; i < 3; i++) {
		ck_assert(loop_run(loop, start + 10 * US_PER_S, is_down, &clients[i]));
		ck_assert_int_eq(clients[i].downs, 1);
		/* A kernel aborts the associations of a process that dies. */
		if (options.transport != NET_KERNEL)
			ck_assert_int_eq(clients[i].reason, LINK_LOST);
		printf("  %s after %.1f s\n", link_down_reason_name(clients[i].reason),
		       (double)(clients[i].down_at - start) / US_PER_S);
	}
	ck_assert_int_eq(clients[2].ups, 0);
	tear_down();
}
END_TEST

START_TEST(a_flood_arrives_whole_and_in_order)
{
	set_up();
	connect_client(&clients[0], LOCAL);
	say(&clients[0], 0, NGAP_PPID, "!flood 20000");
	await_messages(&clients[0], 20000);
	ck_assert(!clients[0].wrong);
	tear_down();
}
END_TEST

START_TEST(what_was_sent_before_closing_arrives)
{
	static uint8_t data[10000];

	set_up();
	connect_client(&clients[0], LOCAL);
	connect_client(&clients[1], LOCAL);
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(link_send(clients[0].link, 0, 99, OCTETS(data, sizeof(data))), 0);
	link_close(clients[0].link, false);
	for (int tries = 0; tries < 100; tries++) {
		say(&clients[1], 0, NGAP_PPID, "!stats");
		await_messages(&clients[1], tries + 1);
		if (strstr(clients[1].text, "1000 messages 10000000 octets"))
			break;
		loop_run(loop, loop_now(loop) + 50 * US_PER_MS, NULL, NULL);
	}
	ck_assert_str_eq(clients[1].text, "1000 messages 10000000 octets 0 restarts");
	tear_down();
}
END_TEST

START_TEST(the_queue_is_bounded)
{
	static uint8_t data[1 << 20];
	int sent = 0, err;

	set_up();
	connect_client(&clients[0], LOCAL);
	ck_assert_int_eq(link_send(clients[0].link, 0, 99, OCTETS(data, 0)), -EINVAL);
	while ((err = link_send(clients[0].link, 0, 99, OCTETS(data, sizeof(data)))) == 0)
		ck_assert_int_lt(++sent, 100);
	ck_assert_int_eq(err, -ENOBUFS);
	ck_assert_int_ge(sent, 64);
	link_close(clients[0].link, true);
	tear_down();
}
END_TEST

/* A client that dies and comes back on the same port: run in a process of its own. */
static void die_after_connecting(uint16_t from_port)
{
	struct net_address local = address(LOCAL, from_port), remote = address(PEER, port);
	struct client client = { 0 };

	loop = loop_new(LOOP_LIVE, 3);
	net = net_new(loop, &options, NULL, &why);
	if (!net || !net_connect(net, "gnb1", &local, &remote, &handler, &client, &why))
		_exit(2);
	loop_run(loop, loop_now(loop) + 10 * US_PER_S, is_up_or_down, &client);
	if (client.ups)
		raise(SIGKILL);
	_exit(1);
}

START_TEST(a_peer_that_comes_back_restarts_the_association)
{
	uint16_t from_port = (uint16_t)(port + 21000);
	pid_t pid;
	int status;

	if (options.transport == NET_KERNEL)
		return; /* a kernel aborts the associations of a dead process */
	port++;
	text_init(&why, why_buf, sizeof(why_buf));
	peer = start_peer();
	pid = fork();
	if (pid == 0)
		die_after_connecting(from_port);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

	memset(clients, 0, sizeof(clients));
	loop = loop_new(LOOP_LIVE, 1);
	net = net_new(loop, &options, NULL, &why);
	dial(&clients[0], LOCAL, from_port, PEER, port);
	ck_assert(loop_run(loop, loop_now(loop) + 10 * US_PER_S, is_up_or_down, &clients[0]));
	ck_assert_int_eq(clients[0].ups, 1);
	say(&clients[0], 0, NGAP_PPID, "!stats");
	await_messages(&clients[0], 1);
	ck_assert_str_eq(clients[0].text, "0 messages 0 octets 1 restarts");
	tear_down();
}
END_TEST

static struct client server;

static void on_accept(struct link *link, void *arg)
{
	server.link = link;
	server.ups++;
	link_set_handler(link, &handler, arg);
}

START_TEST(both_ends_in_one_process)
{
	struct net_address at;
	struct net_listener *listener;
	struct net *other;

	set_up();
	at = address("127.0.0.5", port);
	server = (struct client){ 0 };
	other = net_new(loop, &options, NULL, &why);
	ck_assert_msg(other != NULL, "%s", why_buf);
	listener = net_listen(other, "amf", &at, on_accept, &server, &why);
	ck_assert_msg(listener != NULL, "%s", why_buf);
	ck_assert_ptr_null(net_listen(net, "amf", &at, on_accept, &server, &why));
	dial(&clients[0], LOCAL, 0, "127.0.0.5", port);
	ck_assert(loop_run(loop, loop_now(loop) + 10 * US_PER_S, is_up_or_down, &clients[0]));
	ck_assert_int_eq(clients[0].ups, 1);
	ck_assert_int_eq(server.ups, 1);
	say(&clients[0], 4, NGAP_PPID, "request");
	await_messages(&server, 1);
	say(&server, 4, NGAP_PPID, "answer");
	await_messages(&clients[0], 1);
	ck_assert_str_eq(clients[0].text, "answer");
	net_free(other);
	ck_assert(loop_run(loop, loop_now(loop) + 5 * US_PER_S, is_down, &clients[0]));
	ck_assert_int_eq(clients[0].reason, LINK_ABORTED);
	free(server.data);
	tear_down();
}
END_TEST

START_TEST(listening_on_all_addresses)
{
	/* A kernel answers only from addresses that an interface has. */
	const char *to = options.transport == NET_KERNEL ? LOCAL : "127.0.0.7";
	struct net_address at;

	set_up();
	server = (struct client){ 0 };
	at = address("0.0.0.0", (uint16_t)(port + 5000));
	/* Over UDP all addresses include those that others have already. */
	if (options.transport == NET_USRSCTP_UDP) {
		net_free(net);
		stop_peer();
		net = net_new(loop, &options, NULL, &why);
	}
	ck_assert_msg(net_listen(net, "amf", &at, on_accept, &server, &why) != NULL, "%s", why_buf);
	dial(&clients[0], LOCAL, 0, to, (uint16_t)(port + 5000));
	ck_assert(loop_run(loop, loop_now(loop) + 10 * US_PER_S, is_up_or_down, &clients[0]));
	ck_assert_int_eq(clients[0].ups, 1);
	ck_assert_int_eq(server.ups, 1);
	if (options.transport != NET_KERNEL)
		ck_assert_uint_eq(ntohl(link_local(server.link)->v4.sin_addr.s_addr), 0x7f000007);
	ck_assert_uint_eq(ntohl(link_peer(server.link)->v4.sin_addr.s_addr), 0x7f000001);
	say(&clients[0], 4, NGAP_PPID, "request");
	await_messages(&server, 1);
	say(&server, 4, NGAP_PPID, "answer");
	await_messages(&clients[0], 1);
	free(server.data);
	tear_down();
}
END_TEST

START_TEST(ipv6)
{
	struct net_options both = options;
	struct net_address at;
	struct net *other;

	set_up();
	server = (struct client){ 0 };
	at = address("::1", port);
	/* Both ends have one address here, so over UDP they need two ports. */
	both.peer_udp_port = options.udp_port;
	both.udp_port = (uint16_t)(options.udp_port + 1);
	other = net_new(loop, &both, NULL, &why);
	ck_assert_msg(net_listen(net, "amf", &at, on_accept, &server, &why) != NULL, "%s", why_buf);
	at = address("::1", 0);
	clients[0].link = net_connect(other, "gnb1", &at, &(struct net_address){ 0 }, &handler,
				      &clients[0], &why);
	ck_assert_ptr_null(clients[0].link);
	ck_assert_str_eq(why_buf, "local and peer address are not of the same IP version");
	at = address("::1", port);
	clients[0].link = net_connect(other, "gnb1",
				      &(struct net_address){ .v6 = { .sin6_family = AF_INET6 } },
				      &at, &handler, &clients[0], &why);
	ck_assert_msg(clients[0].link != NULL, "%s", why_buf);
	ck_assert(loop_run(loop, loop_now(loop) + 10 * US_PER_S, is_up_or_down, &clients[0]));
	ck_assert_int_eq(clients[0].ups, 1);
	say(&clients[0], 4, NGAP_PPID, "request");
	await_messages(&server, 1);
	say(&server, 4, NGAP_PPID, "answer");
	await_messages(&clients[0], 1);
	net_free(other);
	free(server.data);
	tear_down();
}
END_TEST

static bool available(void)
{
	struct loop *trial = loop_new(LOOP_LIVE, 1);
	struct net *n;

	text_init(&why, why_buf, sizeof(why_buf));
	n = net_new(trial, &options, NULL, &why);
	net_free(n);
	loop_free(trial);
	return n != NULL;
}

int main(int argc, char **argv)
{
	Suite *suite = suite_create(argc > 1 ? argv[1] : "?");
	TCase *tc = tcase_create("live");
	SRunner *runner = srunner_create(suite);
	int failed;

	for (int t = NET_KERNEL; argc > 1 && t <= NET_USRSCTP_UDP; t++) {
		if (strcmp(argv[1], net_transport_name((enum net_transport)t)) == 0)
			options.transport = (enum net_transport)t;
	}
	if (options.transport == NET_SIM) {
		fprintf(stderr, "usage: test_net_live kernel|usrsctp|usrsctp-udp\n");
		return 2;
	}
	options.no_crc_on_loopback = argc > 2 && strcmp(argv[2], "no-crc") == 0;
	/* Several of these programs may run at once on a machine. */
	port = (uint16_t)(10000 + getpid() % 20000);
	options.udp_port = options.peer_udp_port = (uint16_t)(10000 + getpid() % 50000);
	if (!available()) {
		printf("skipped: %s\n", why_buf);
		return 77;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, messages_come_back_as_they_were);
	tcase_add_test(tc, long_messages_are_whole);
	tcase_add_test(tc, several_local_addresses_and_one_port);
	tcase_add_test(tc, the_ways_in_which_a_peer_goes);
	if (!options.no_crc_on_loopback)
		tcase_add_test(tc, who_is_dead_is_noticed_within_ten_seconds);
	tcase_add_test(tc, a_flood_arrives_whole_and_in_order);
	tcase_add_test(tc, what_was_sent_before_closing_arrives);
	tcase_add_test(tc, the_queue_is_bounded);
	tcase_add_test(tc, a_peer_that_comes_back_restarts_the_association);
	tcase_add_test(tc, both_ends_in_one_process);
	tcase_add_test(tc, listening_on_all_addresses);
	tcase_add_test(tc, ipv6);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	stop_peer();
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
