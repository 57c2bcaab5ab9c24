#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "runner/net/datagram.h"

struct end {
	struct datagram_port *port;
	unsigned int received, unreachable;
	size_t last_len;
	uint32_t expected; /* number of the next one in order */
	unsigned int late, twice;
	struct net_address from;
	bool echo, close;
	uint8_t seen[1000];
};

static struct loop *loop;
static struct sim_network *network;
static struct net *tester, *iut;
static struct end a, b;
static char why_buf[200];
static struct text why;

static void on_received(struct datagram_port *port, void *arg, const struct net_address *peer,
			struct octets data)
{
	struct end *end = arg;
	uint32_t number;

	end->received++;
	end->last_len = data.len;
	end->from = *peer;
	if (data.len == sizeof(number)) {
		memcpy(&number, data.data, sizeof(number));
		if (number < end->expected)
			end->late++;
		else
			end->expected = number + 1;
		if (number < sizeof(end->seen) && end->seen[number]++)
			end->twice++;
	}
	if (end->echo)
		ck_assert_int_eq(datagram_send(port, peer, data), 0);
	if (end->close) {
		datagram_close(port);
		end->port = NULL;
	}
}

static void on_unreachable(struct datagram_port *port, void *arg, const struct net_address *peer)
{
	struct end *end = arg;

	(void)port;
	end->unreachable++;
	end->from = *peer;
}

static const struct datagram_handler handler = {
	.received = on_received,
	.unreachable = on_unreachable,
};

static struct net_address address(const char *ip, uint16_t port)
{
	struct net_address at;

	ck_assert_int_eq(net_address_parse(&at, ip, port), 0);
	return at;
}

static struct net *new_net(enum net_transport transport)
{
	struct net_options options = { .transport = transport, .sim = network };
	struct net *net = net_new(loop, &options, NULL, &why);

	ck_assert_msg(net != NULL, "%s", why_buf);
	return net;
}

static void set_up(enum net_transport transport, const struct sim_conditions *conditions)
{
	text_init(&why, why_buf, sizeof(why_buf));
	a = b = (struct end){ 0 };
	loop = loop_new(transport == NET_SIM ? LOOP_VIRTUAL : LOOP_LIVE, 1);
	network = transport == NET_SIM ? sim_network_new(loop, conditions) : NULL;
	tester = new_net(transport);
	iut = new_net(transport);
}

static void tear_down(void)
{
	net_free(tester);
	net_free(iut);
	sim_network_free(network);
	loop_free(loop);
}

static struct datagram_port *open_port(struct net *net, const char *ip, uint16_t number,
				       struct end *end)
{
	struct net_address at = address(ip, number);

	end->port = net_datagram_open(net, "end", &at, &handler, end, &why);
	return end->port;
}

static void open_both(void)
{
	ck_assert_msg(open_port(tester, "127.0.0.21", 28805, &a) != NULL, "%s", why_buf);
	ck_assert_msg(open_port(iut, "127.0.0.8", 28805, &b) != NULL, "%s", why_buf);
}

static bool answered(void *arg)
{
	(void)arg;
	return a.received + a.unreachable > 0;
}

static const enum net_transport transports[] = { NET_SIM, NET_UDP };

START_TEST(there_and_back)
{
	static uint8_t longest[DATAGRAM_MAX + 1];

	set_up(transports[_i], NULL);
	open_both();
	b.echo = true;
	ck_assert_int_eq(datagram_send(a.port, datagram_local(b.port), OCTETS(longest, 5)), 0);
	ck_assert(loop_run(loop, loop_now(loop) + 5 * US_PER_S, answered, NULL));
	ck_assert_uint_eq(a.last_len, 5);
	ck_assert_mem_eq(&a.from.v4.sin_addr, &datagram_local(b.port)->v4.sin_addr, 4);
	ck_assert_uint_eq(ntohs(a.from.v4.sin_port), 28805);
	for (size_t len = 0; len <= DATAGRAM_MAX; len += DATAGRAM_MAX) {
		a.received = 0;
		ck_assert_int_eq(datagram_send(a.port, &a.from, OCTETS(longest, len)), 0);
		ck_assert(loop_run(loop, loop_now(loop) + 5 * US_PER_S, answered, NULL));
		ck_assert_uint_eq(a.last_len, len);
	}
	ck_assert_int_eq(datagram_send(a.port, &a.from, OCTETS(longest, sizeof(longest))),
			 -EMSGSIZE);
	a.from = address("::1", 1);
	ck_assert_int_eq(datagram_send(a.port, &a.from, OCTETS(longest, 1)), -EINVAL);
	tear_down();
}
END_TEST

START_TEST(several_addresses_of_one_side)
{
	struct end second = { 0 };

	set_up(transports[_i], NULL);
	open_both();
	b.echo = true;
	ck_assert_ptr_nonnull(open_port(tester, "127.0.0.22", 28805, &second));
	ck_assert_int_eq(
		datagram_send(second.port, datagram_local(b.port), OCTETS((const uint8_t *)"x", 1)),
		0);
	loop_run(loop, loop_now(loop) + 200 * US_PER_MS, NULL, NULL);
	ck_assert_uint_eq(a.received, 0);
	ck_assert_uint_eq(second.received, 1);
	tear_down();
}
END_TEST

START_TEST(nobody_listens)
{
	struct net_address nobody = address("127.0.0.9", 28805);

	set_up(transports[_i], NULL);
	open_both();
	ck_assert_int_eq(datagram_send(a.port, &nobody, OCTETS((const uint8_t *)"x", 1)), 0);
	ck_assert(loop_run(loop, loop_now(loop) + 5 * US_PER_S, answered, NULL));
	ck_assert_uint_eq(a.unreachable, 1);
	ck_assert_mem_eq(&a.from.v4.sin_addr, &nobody.v4.sin_addr, 4);
	/* The port is none the worse for it. */
	b.echo = true;
	a.unreachable = 0;
	ck_assert_int_eq(
		datagram_send(a.port, datagram_local(b.port), OCTETS((const uint8_t *)"x", 1)), 0);
	ck_assert(loop_run(loop, loop_now(loop) + 5 * US_PER_S, answered, NULL));
	ck_assert_uint_eq(a.received, 1);
	tear_down();
}
END_TEST

START_TEST(closed_in_a_callback)
{
	set_up(transports[_i], NULL);
	open_both();
	b.close = true;
	datagram_send(a.port, datagram_local(b.port), OCTETS((const uint8_t *)"x", 1));
	datagram_send(a.port, datagram_local(b.port), OCTETS((const uint8_t *)"y", 1));
	loop_run(loop, loop_now(loop) + 200 * US_PER_MS, NULL, NULL);
	ck_assert_uint_eq(b.received, 1);
	ck_assert_ptr_null(b.port);
	/* Free for the next one. */
	ck_assert_ptr_nonnull(open_port(iut, "127.0.0.8", 28805, &b));
	tear_down();
}
END_TEST

START_TEST(an_address_is_taken_once)
{
	struct end other = { 0 };

	set_up(transports[_i], NULL);
	open_both();
	ck_assert_ptr_null(open_port(iut, "127.0.0.21", 28805, &other));
	ck_assert_ptr_nonnull(strstr(why_buf, "127.0.0.21:28805"));
	/* Any port is two different ones. */
	ck_assert_ptr_nonnull(open_port(iut, "127.0.0.21", 0, &other));
	ck_assert_uint_ne(ntohs(datagram_local(other.port)->v4.sin_port), 0);
	tear_down();
}
END_TEST

static void send_numbers(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		datagram_send(a.port, datagram_local(b.port),
			      OCTETS((const uint8_t *)&i, sizeof(i)));
		loop_run(loop, loop_now(loop) + US_PER_MS, NULL, NULL);
	}
	loop_run(loop, loop_now(loop) + US_PER_S, NULL, NULL);
}

START_TEST(jitter_keeps_the_order)
{
	set_up(NET_SIM, &(struct sim_conditions){ .delay_us = 500, .jitter_us = 20000 });
	open_both();
	send_numbers(1000);
	ck_assert_uint_eq(b.received, 1000);
	ck_assert_uint_eq(b.late, 0);
	tear_down();
}
END_TEST

START_TEST(a_bad_network)
{
	set_up(NET_SIM,
	       &(struct sim_conditions){
		       .delay_us = 5000, .loss = 0.1, .duplication = 0.1, .reordering = 0.1 });
	open_both();
	send_numbers(1000);
	/* Of 1,100 datagrams 990 arrive, 90 of them for the second time. */
	ck_assert_uint_gt(b.received, 930);
	ck_assert_uint_lt(b.received, 1050);
	ck_assert_uint_gt(b.twice, 50);
	ck_assert_uint_lt(b.twice, 140);
	ck_assert_uint_gt(b.late, 20);
	tear_down();
}
END_TEST

START_TEST(what_goes_to_a_cut_host_is_lost)
{
	set_up(NET_SIM, NULL);
	open_both();
	sim_network_cut(network, datagram_local(b.port), true);
	send_numbers(10);
	ck_assert_uint_eq(a.unreachable, 0);
	sim_network_cut(network, datagram_local(b.port), false);
	ck_assert_uint_eq(b.received, 0);
	send_numbers(10);
	ck_assert_uint_eq(b.received, 10);
	tear_down();
}
END_TEST

/* Nobody reads: what is under way takes a bounded memory. */
START_TEST(a_flood)
{
	static uint8_t data[60000];

	set_up(NET_SIM, NULL);
	open_both();
	for (int i = 0; i < 3000; i++)
		ck_assert_int_eq(
			datagram_send(a.port, datagram_local(b.port), OCTETS(data, sizeof(data))),
			0);
	loop_run(loop, loop_now(loop) + US_PER_S, NULL, NULL);
	ck_assert_uint_gt(b.received, 1000);
	ck_assert_uint_lt(b.received, 1200);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("datagram");
	TCase *tc = tcase_create("datagram");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tc, there_and_back, 0, 2);
	tcase_add_loop_test(tc, several_addresses_of_one_side, 0, 2);
	tcase_add_loop_test(tc, nobody_listens, 0, 2);
	tcase_add_loop_test(tc, closed_in_a_callback, 0, 2);
	tcase_add_loop_test(tc, an_address_is_taken_once, 0, 2);
	tcase_add_test(tc, jitter_keeps_the_order);
	tcase_add_test(tc, a_bad_network);
	tcase_add_test(tc, what_goes_to_a_cut_host_is_lost);
	tcase_add_test(tc, a_flood);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
