/*
 * Raw sockets of several processes on one machine: each answers its own packets and no others,
 * also those that came in while it was being set up.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/net/packet_socket.h"
#include "runner/net/transport.h"

enum { PORT = 38412, OTHER_PORT = 38413 };

static struct net_address here, elsewhere, sender;

static void addresses(const char *first, const char *second, const char *third)
{
	net_address_parse(&here, first, 0);
	net_address_parse(&elsewhere, second, 0);
	net_address_parse(&sender, third, 0);
}

/* A common header alone: which packet it is shows in its verification tag. */
static void send_packet(struct packet_socket *from, const struct net_address *to, uint16_t port,
			uint8_t tag)
{
	const uint8_t packet[12] = {
		OTHER_PORT >> 8, OTHER_PORT & 0xff, (uint8_t)(port >> 8), (uint8_t)port, [7] = tag,
	};

	ck_assert_int_eq(packet_socket_send(from, &sender, to, packet, sizeof(packet)), 0);
}

/* The tags of the packets that wait in a socket and are for it. */
static const char *tags(struct packet_socket *s)
{
	static char text[16];
	struct packet_received received;
	uint8_t buf[256];
	size_t len = 0;
	int result;

	while ((result = packet_socket_receive(s, buf, sizeof(buf), &received)) >= 0) {
		if (result == 1 && len < sizeof(text) - 1)
			text[len++] = (char)received.packet.data[7];
	}
	ck_assert_int_eq(result, -EAGAIN);
	text[len] = '\0';
	return text;
}

/* What a socket holds that was open for a while before it had its filter and its address. */
static void open_late(struct packet_socket *s, const struct net_address *local,
		      struct packet_socket *from)
{
	int fd = socket(local->sa.sa_family, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_SCTP);
	int on = 1;

	ck_assert_int_ge(fd, 0);
	if (local->sa.sa_family == AF_INET)
		setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof(on));
	else
		setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof(on));
	send_packet(from, &elsewhere, PORT, 'a');
	send_packet(from, &here, OTHER_PORT, 'b');
	send_packet(from, &here, PORT, 'c');
	ck_assert_int_eq(packet_socket_open(s, PACKET_RAW, local), 0);
	ck_assert_int_eq(dup2(fd, s->fd), s->fd);
	close(fd);
	ck_assert_int_eq(packet_socket_take_port(s, PORT), 0);
}

static void answers_its_own(const char *first, const char *second, const char *third,
			    const char *any)
{
	struct packet_socket from, s, wildcard;
	struct net_address all;

	addresses(first, second, third);
	net_address_parse(&all, any, 0);
	ck_assert_int_eq(packet_socket_open(&from, PACKET_RAW, &sender), 0);

	open_late(&s, &here, &from);
	ck_assert_str_eq(tags(&s), net_address_same_ip(&here, &elsewhere) ? "ac" : "c");
	packet_socket_close(&s);

	open_late(&wildcard, &all, &from);
	ck_assert_str_eq(tags(&wildcard), "ac");
	/* From now on the kernel's filter holds. */
	send_packet(&from, &here, OTHER_PORT, 'd');
	send_packet(&from, &here, PORT, 'e');
	ck_assert_str_eq(tags(&wildcard), "e");
	packet_socket_leave_port(&wildcard, PORT);
	send_packet(&from, &here, PORT, 'f');
	ck_assert_str_eq(tags(&wildcard), "");
	packet_socket_close(&wildcard);
	packet_socket_close(&from);
}

START_TEST(a_raw_socket_answers_its_own_packets)
{
	answers_its_own("127.91.0.1", "127.91.0.2", "127.91.0.3", "0.0.0.0");
}
END_TEST

START_TEST(also_with_ipv6)
{
	answers_its_own("::1", "::1", "::1", "::");
}
END_TEST

static bool has_ipv6(void)
{
	struct net_address loopback;
	int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0), result;

	net_address_parse(&loopback, "::1", 0);
	result = fd < 0 ? -1 : bind(fd, &loopback.sa, net_address_len(&loopback));
	if (fd >= 0)
		close(fd);
	return result == 0;
}

int main(void)
{
	Suite *suite = suite_create("packet_socket");
	TCase *tcase = tcase_create("raw");
	SRunner *runner;
	int failed;

	if (packet_socket_probe_raw() != 0)
		return 77; /* raw sockets need CAP_NET_RAW */
	tcase_add_test(tcase, a_raw_socket_answers_its_own_packets);
	if (has_ipv6())
		tcase_add_test(tcase, also_with_ipv6);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
