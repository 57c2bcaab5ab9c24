#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "runner/net/link.h"

/* One end that remembers what happened to it. */
struct end {
	struct link *link;
	int ups, downs, restarts, messages;
	enum link_down_reason reason;
	uint64_t last_at;
	uint32_t last_ppid;
	uint16_t last_stream;
	uint8_t last[8];
	uint32_t in_order[4]; /* next number expected by stream */
	bool disordered, echo, close_at_once;
	char log[256];
	struct text text;
};

static struct loop *loop;
static struct sim_network *network;
static struct net *tester, *iut;
static struct end client, server;
static char why_buf[200];
static struct text why;

static void on_up(struct link *link, void *arg)
{
	struct end *end = arg;

	(void)link;
	end->ups++;
}

static void on_message(struct link *link, void *arg, const struct link_message *message)
{
	struct end *end = arg;
	uint32_t number = 0;

	end->messages++;
	end->last_at = loop_now(loop);
	end->last_ppid = message->ppid;
	end->last_stream = message->stream;
	memcpy(end->last, message->data.data,
	       message->data.len < sizeof(end->last) ? message->data.len : sizeof(end->last));
	if (message->data.len == 4 && message->stream < 4) {
		memcpy(&number, message->data.data, 4);
		if (number != end->in_order[message->stream]++)
			end->disordered = true;
	}
	if (end->text.buf)
		text_printf(&end->text, "%u ", message->stream);
	if (end->echo)
		link_send(link, message->stream, message->ppid, message->data);
	if (end->close_at_once) {
		link_close(link, false);
		end->link = NULL;
	}
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	struct end *end = arg;

	(void)link;
	end->downs++;
	end->reason = reason;
	link_close(link, false);
	end->link = NULL;
}

static void on_restart(struct link *link, void *arg)
{
	(void)link;
	((struct end *)arg)->restarts++;
}

static const struct link_handler handler = {
	.up = on_up,
	.message = on_message,
	.down = on_down,
	.restart = on_restart,
};

static void on_accept(struct link *link, void *arg)
{
	struct end *end = arg;

	end->link = link;
	end->ups++;
	link_set_handler(link, &handler, end);
}

static struct net_address address(const char *ip, uint16_t port)
{
	struct net_address a;

	ck_assert_int_eq(net_address_parse(&a, ip, port), 0);
	return a;
}

static struct net *sim_net(void)
{
	struct net_options options = { .transport = NET_SIM, .sim = network };
	struct net *net = net_new(loop, &options, NULL, &why);

	ck_assert_ptr_nonnull(net);
	return net;
}

static void set_up(const struct sim_conditions *conditions)
{
	text_init(&why, why_buf, sizeof(why_buf));
	client = server = (struct end){ 0 };
	loop = loop_new(LOOP_VIRTUAL, 1);
	network = sim_network_new(loop, conditions);
	tester = sim_net();
	iut = sim_net();
}

static void tear_down(void)
{
	net_free(tester);
	net_free(iut);
	sim_network_free(network);
	loop_free(loop);
}

static struct link *dial(struct net *net, struct end *end, uint16_t port)
{
	struct net_address from = address("127.0.0.1", port), to = address("127.0.0.5", NGAP_PORT);

	return net_connect(net, "gnb1", &from, &to, &handler, end, &why);
}

static void listen_and_connect(void)
{
	struct net_address at = address("127.0.0.5", NGAP_PORT);

	ck_assert_ptr_nonnull(net_listen(iut, "amf", &at, on_accept, &server, &why));
	client.link = dial(tester, &client, 0);
	ck_assert_ptr_nonnull(client.link);
	loop_run(loop, loop_now(loop) + 30 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(client.ups, 1);
	ck_assert_int_eq(server.ups, 1);
}

static int say(struct link *link, uint16_t stream, const char *text)
{
	return link_send(link, stream, NGAP_PPID, OCTETS((const uint8_t *)text, strlen(text)));
}

START_TEST(messages_arrive_with_their_addressing)
{
	set_up(NULL);
	listen_and_connect();
	server.echo = true;
	ck_assert_uint_eq(link_streams(client.link), 16);
	ck_assert_uint_eq(link_streams(server.link), 16);
	ck_assert_int_eq(say(client.link, 3, "hello"), 0);
	ck_assert_int_eq(client.messages + server.messages, 0);
	loop_run(loop, loop_now(loop) + 1000, NULL, NULL);
	ck_assert_int_eq(server.messages, 1);
	ck_assert_int_eq(client.messages, 1);
	ck_assert_uint_eq(client.last_ppid, NGAP_PPID);
	ck_assert_uint_eq(client.last_stream, 3);
	ck_assert_mem_eq(client.last, "hello", 5);
	ck_assert_uint_eq(client.last_at, 30 * US_PER_S + 200);
	ck_assert_int_eq(say(client.link, 16, "x"), -EINVAL);
	tear_down();
}
END_TEST

START_TEST(nobody_listens)
{
	set_up(NULL);
	client.link = dial(tester, &client, 0);
	ck_assert_int_eq(say(client.link, 0, "x"), -ENOTCONN);
	loop_run(loop, US_PER_S, NULL, NULL);
	ck_assert_int_eq(client.downs, 1);
	ck_assert_int_eq(client.reason, LINK_REFUSED);
	tear_down();
}
END_TEST

START_TEST(an_address_is_listened_on_once)
{
	struct net_address at = address("127.0.0.5", NGAP_PORT),
			   all = address("0.0.0.0", NGAP_PORT);
	struct net_listener *listener;

	set_up(NULL);
	listener = net_listen(iut, "amf", &all, on_accept, &server, &why);
	ck_assert_ptr_nonnull(listener);
	ck_assert_ptr_nonnull(net_listen(iut, "amf", &at, on_accept, &server, &why));
	ck_assert_ptr_null(net_listen(tester, "amf", &at, on_accept, &server, &why));
	ck_assert_str_eq(why_buf, "127.0.0.5:38412 is in use");
	net_listener_close(listener);
	listener = net_listen(iut, "amf", &all, on_accept, &server, &why);
	ck_assert_ptr_null(listener);
	tear_down();
}
END_TEST

START_TEST(closing_in_order_delivers_what_was_sent)
{
	set_up(&(struct sim_conditions){ .jitter_us = 50000, .loss = 0.2 });
	listen_and_connect();
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(say(client.link, (uint16_t)(i % 4), "bye"), 0);
	link_close(client.link, false);
	loop_run(loop, 300 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(server.messages, 20);
	ck_assert_int_eq(server.downs, 1);
	ck_assert_int_eq(server.reason, LINK_SHUTDOWN);
	ck_assert_int_eq(client.downs, 0);
	tear_down();
}
END_TEST

START_TEST(an_abort_is_told_apart)
{
	set_up(NULL);
	listen_and_connect();
	net_free(iut);
	loop_run(loop, loop_now(loop) + US_PER_S, NULL, NULL);
	ck_assert_int_eq(client.downs, 1);
	ck_assert_int_eq(client.reason, LINK_ABORTED);
	iut = sim_net();
	tear_down();
}
END_TEST

START_TEST(a_callback_may_close_its_own_link)
{
	set_up(NULL);
	listen_and_connect();
	server.close_at_once = true;
	say(client.link, 0, "one");
	say(client.link, 0, "two");
	loop_run(loop, loop_now(loop) + US_PER_S, NULL, NULL);
	ck_assert_int_eq(server.messages, 1);
	ck_assert_int_eq(client.reason, LINK_SHUTDOWN);
	tear_down();
}
END_TEST

START_TEST(streams_keep_their_order_and_overtake_each_other)
{
	char log[4096];
	bool overtaken = false;

	set_up(&(struct sim_conditions){ .jitter_us = 3000, .loss = 0.05, .reordering = 0.2 });
	listen_and_connect();
	text_init(&server.text, log, sizeof(log));
	for (uint32_t i = 0; i < 200; i++) {
		uint32_t number = i / 4;

		ck_assert_int_eq(link_send(client.link, (uint16_t)(i % 4), NGAP_PPID,
					   OCTETS((const uint8_t *)&number, 4)),
				 0);
		loop_run(loop, loop_now(loop) + 500, NULL, NULL);
	}
	loop_run(loop, loop_now(loop) + 300 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(server.messages, 200);
	ck_assert(!server.disordered);
	for (size_t i = 0; i + 2 < server.text.len; i += 2)
		overtaken |= (log[i] + 1 - '0') % 4 != log[i + 2] - '0';
	ck_assert(overtaken);
	tear_down();
}
END_TEST

static void run_noisy(char *log, size_t size)
{
	set_up(&(struct sim_conditions){ .jitter_us = 3000, .loss = 0.1, .reordering = 0.3 });
	listen_and_connect();
	text_init(&server.text, log, size);
	for (int i = 0; i < 100; i++)
		say(client.link, (uint16_t)(i % 16), "message");
	loop_run(loop, loop_now(loop) + 300 * US_PER_S, NULL, NULL);
	text_printf(&server.text, "%llu", (unsigned long long)server.last_at);
	tear_down();
}

START_TEST(the_same_seed_gives_the_same_run)
{
	char a[1000], b[1000];

	run_noisy(a, sizeof(a));
	run_noisy(b, sizeof(b));
	ck_assert_str_eq(a, b);
}
END_TEST

START_TEST(a_host_that_is_cut_off_is_lost)
{
	struct net_address host = address("127.0.0.5", 0);
	uint64_t cut_at;

	set_up(NULL);
	listen_and_connect();
	cut_at = loop_now(loop);
	ck_assert_int_eq(sim_network_cut(network, &host, true), 0);
	say(client.link, 0, "late");
	loop_run(loop, cut_at + 5 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(server.messages, 0);
	ck_assert_int_eq(sim_network_cut(network, &host, false), 0);
	loop_run(loop, cut_at + 20 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(server.messages, 1);
	ck_assert_int_eq(server.downs + client.downs, 0);

	ck_assert_int_eq(sim_network_cut(network, &host, true), 0);
	loop_run(loop, cut_at + 40 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(client.reason, LINK_LOST);
	ck_assert_int_eq(server.reason, LINK_LOST);
	ck_assert_int_eq(server.downs + client.downs, 2);

	client.link = dial(tester, &client, 0);
	loop_run(loop, cut_at + 60 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(client.downs, 2);
	ck_assert_int_eq(client.reason, LINK_LOST);
	tear_down();
}
END_TEST

START_TEST(a_client_that_comes_back_restarts_the_association)
{
	struct net_address host = address("127.0.0.1", 0), at = address("127.0.0.5", NGAP_PORT);
	struct end second = { 0 };

	set_up(NULL);
	ck_assert_ptr_nonnull(net_listen(iut, "amf", &at, on_accept, &server, &why));
	client.link = dial(tester, &client, 40001);
	loop_run(loop, US_PER_S, NULL, NULL);
	ck_assert_int_eq(server.ups, 1);
	ck_assert_ptr_null(dial(tester, &second, 40001));
	/* It dies behind a cut: its ABORT reaches nobody. */
	sim_network_cut(network, &host, true);
	net_free(tester);
	tester = sim_net();
	loop_run(loop, 2 * US_PER_S, NULL, NULL);
	second.link = dial(tester, &second, 40001);
	sim_network_cut(network, &host, false);
	loop_run(loop, 3 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(second.ups, 1);
	ck_assert_int_eq(server.ups, 1);
	ck_assert_int_eq(server.restarts, 1);
	ck_assert_int_eq(server.downs, 0);
	say(server.link, 1, "new");
	loop_run(loop, 4 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(second.messages, 1);
	tear_down();
}
END_TEST

START_TEST(who_comes_back_without_memory_aborts_what_it_does_not_know)
{
	struct net_address host = address("127.0.0.1", 0);
	uint64_t now;

	set_up(NULL);
	listen_and_connect();
	now = loop_now(loop);
	sim_network_cut(network, &host, true);
	net_free(tester);
	tester = sim_net();
	loop_run(loop, now + US_PER_S, NULL, NULL);
	ck_assert_int_eq(server.downs, 0);
	sim_network_cut(network, &host, false);
	loop_run(loop, now + 3 * US_PER_S, NULL, NULL);
	ck_assert_int_eq(server.downs, 1);
	ck_assert_int_eq(server.reason, LINK_ABORTED);
	tear_down();
}
END_TEST

START_TEST(bounds_of_what_is_sent)
{
	static uint8_t big[(1 << 20) + 1];

	set_up(NULL);
	listen_and_connect();
	ck_assert_int_eq(link_send(client.link, 0, 60, OCTETS(big, sizeof(big))), -EMSGSIZE);
	for (int i = 0; i < 64; i++)
		ck_assert_int_eq(link_send(client.link, 0, 60, OCTETS(big, 1 << 20)), 0);
	ck_assert_int_eq(link_send(client.link, 0, 60, OCTETS(big, 1)), -ENOBUFS);
	loop_run(loop, loop_now(loop) + US_PER_S, NULL, NULL);
	ck_assert_int_eq(server.messages, 64);
	ck_assert_int_eq(link_send(client.link, 0, 60, OCTETS(big, 1)), 0);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("net_sim");
	TCase *tc = tcase_create("net_sim");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tc, messages_arrive_with_their_addressing);
	tcase_add_test(tc, nobody_listens);
	tcase_add_test(tc, an_address_is_listened_on_once);
	tcase_add_test(tc, closing_in_order_delivers_what_was_sent);
	tcase_add_test(tc, an_abort_is_told_apart);
	tcase_add_test(tc, a_callback_may_close_its_own_link);
	tcase_add_test(tc, streams_keep_their_order_and_overtake_each_other);
	tcase_add_test(tc, the_same_seed_gives_the_same_run);
	tcase_add_test(tc, a_host_that_is_cut_off_is_lost);
	tcase_add_test(tc, a_client_that_comes_back_restarts_the_association);
	tcase_add_test(tc, who_comes_back_without_memory_aborts_what_it_does_not_know);
	tcase_add_test(tc, bounds_of_what_is_sent);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
