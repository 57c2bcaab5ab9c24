/*
 * What reaches an open port from anybody: garbage, half a handshake from thousands of addresses,
 * an INIT with every length wrong. An association that is up meanwhile is not to notice, and the
 * memory of the process is not to grow with the attack.
 */
#include <check.h>
#include <stdlib.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <usrsctp.h>

#include "runner/net/obedient_peer.h"

enum {
	GARBAGE = 20000,
	HANDSHAKES = 12000,	    /* three times as many addresses as there are pairs */
	GROWTH_MAX_KB = 256 * 1024, /* AddressSanitizer keeps what is freed for a while */
};

static struct net_options options = { .transport = NET_USRSCTP_UDP };
static uint16_t port;
static char why_buf[300];
static struct text why;

static struct net_address address(const char *ip, uint16_t number)
{
	struct net_address a;

	ck_assert_int_eq(net_address_parse(&a, ip, number), 0);
	return a;
}

static int udp_socket(const struct net_address *to)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, &to->sa, sizeof(to->v4)) != 0)
		_exit(1);
	return fd;
}

static size_t make_init(uint8_t packet[128], struct random *random, bool bent)
{
	size_t len = 32;
	uint32_t crc;

	memset(packet, 0, 128);
	random_bytes(random, packet, 2);
	packet[2] = (uint8_t)(port >> 8);
	packet[3] = (uint8_t)port;
	packet[12] = 1; /* INIT */
	packet[15] = 20;
	random_bytes(random, packet + 16, 4); /* initiate tag */
	packet[21] = 1;			      /* receiver window 65536 */
	packet[25] = 16;		      /* streams, out and in */
	packet[27] = 16;
	random_bytes(random, packet + 28, 4);
	if (bent) {
		len += random_below(random, 96);
		random_bytes(random, packet + 32, len - 32);
		random_bytes(random, packet + 12 + random_below(random, 4), 1);
		packet[15] = (uint8_t)random_below(random, 256);
	}
	crc = usrsctp_crc32c(packet, len);
	memcpy(packet + 8, &crc, sizeof(crc));
	return len;
}

static void attack(void)
{
	struct net_address to = address("127.0.0.2", options.udp_port);
	uint8_t packet[2048];
	struct random random;
	int fd = udp_socket(&to);

	random_init(&random, 1, "attack");
	for (int i = 0; i < GARBAGE; i++) {
		size_t len = (size_t)random_below(&random, sizeof(packet));

		random_bytes(&random, packet, len);
		send(fd, packet, len, 0);
		if (i % 100 == 0)
			usleep(2000);
	}
	close(fd);
	for (int i = 0; i < HANDSHAKES; i++) {
		size_t len = make_init(packet, &random, i % 4 == 0);

		fd = udp_socket(&to); /* from a port of its own */
		send(fd, packet, len, 0);
		close(fd);
		if (i % 100 == 0)
			usleep(2000);
	}
	_exit(0);
}

static int echoes, downs, accepted;

static void on_echo(struct link *link, void *arg, const struct link_message *message)
{
	(void)link;
	(void)arg;
	(void)message;
	echoes++;
}

static void on_request(struct link *link, void *arg, const struct link_message *message)
{
	(void)arg;
	link_send(link, message->stream, message->ppid, message->data);
}

static void ping(struct timer *timer, void *arg)
{
	link_send(arg, 0, NGAP_PPID, OCTETS((const uint8_t *)"ping", 4));
	timer_start(timer, 5 * US_PER_MS);
}

static void on_up(struct link *link, void *arg)
{
	struct timer *timer = arg;

	timer->arg = link;
	timer_start(timer, 0);
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	(void)arg;
	(void)reason;
	downs++;
	link_close(link, true);
}

static const struct link_handler client_handler = {
	.up = on_up,
	.message = on_echo,
	.down = on_down,
};
static const struct link_handler server_handler = { .message = on_request, .down = on_down };

static void on_accept(struct link *link, void *arg)
{
	accepted++;
	link_set_handler(link, &server_handler, arg);
}

static bool dead(void *arg)
{
	return waitpid(*(pid_t *)arg, NULL, WNOHANG) != 0;
}

START_TEST(an_attack_disturbs_nobody)
{
	struct loop *loop = loop_new(LOOP_LIVE, 1);
	struct net_address at = address("127.0.0.2", port), from = address("127.0.0.1", 0);
	struct rusage before, after;
	struct timer pings[2];
	struct sctpstat stat;
	struct net *net;
	int count;
	pid_t pid;

	for (int i = 0; i < 2; i++)
		timer_init(&pings[i], loop, "ping", ping, NULL);
	text_init(&why, why_buf, sizeof(why_buf));
	net = net_new(loop, &options, NULL, &why);
	ck_assert_msg(net != NULL, "%s", why_buf);
	ck_assert_ptr_nonnull(net_listen(net, "amf", &at, on_accept, NULL, &why));
	ck_assert_ptr_nonnull(
		net_connect(net, "gnb1", &from, &at, &client_handler, &pings[0], &why));
	loop_run(loop, loop_now(loop) + 200 * US_PER_MS, NULL, NULL);
	ck_assert_int_gt(echoes, 0);
	getrusage(RUSAGE_SELF, &before);

	pid = fork();
	if (pid == 0)
		attack();
	ck_assert(loop_run(loop, loop_now(loop) + 60 * US_PER_S, dead, &pid));
	loop_run(loop, loop_now(loop) + 500 * US_PER_MS, NULL, NULL);

	getrusage(RUSAGE_SELF, &after);
	usrsctp_get_stat(&stat);
	ck_assert_uint_gt(stat.sctps_badsum, GARBAGE / 4);
	ck_assert_uint_gt(stat.sctps_outcontrolchunks, HANDSHAKES / 2);
	ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, GROWTH_MAX_KB);
	ck_assert_int_eq(downs, 0);
	ck_assert_int_eq(accepted, 1);
	/* It still echoes, and another one still comes in. */
	count = echoes;
	ck_assert_ptr_nonnull(
		net_connect(net, "gnb2", &from, &at, &client_handler, &pings[1], &why));
	loop_run(loop, loop_now(loop) + 500 * US_PER_MS, NULL, NULL);
	ck_assert_int_gt(echoes, count);
	ck_assert_int_eq(accepted, 2);
	for (int i = 0; i < 2; i++)
		timer_stop(&pings[i]);
	net_free(net);
	loop_free(loop);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("net_hostile");
	TCase *tc = tcase_create("net_hostile");
	SRunner *runner = srunner_create(suite);
	int failed;

	port = (uint16_t)(10000 + getpid() % 20000);
	options.udp_port = options.peer_udp_port = (uint16_t)(10000 + getpid() % 50000);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, an_attack_disturbs_nobody);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
