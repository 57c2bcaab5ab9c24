#include "runner/net/usrsctp_stack.h"

#include <errno.h>
#include <stdlib.h>
#include <usrsctp.h>

#include "runner/net/transport.h"

enum {
	PAIRS = 512, /* of addresses; associations between two addresses share one */
	BUCKETS = 1024,
	TICK_MS = 10, /* the resolution of usrsctp's timers */
	STALL_MS = 50,
	/* Packets and pieces of work at a time, before timers and other sockets have their turn. */
	PACKET_BUDGET = 64,
	WORK_BUDGET = 64,
	PACKET_BUFFER = 65536,
	LINGER_MAX = 256,
};
/* Longer than usrsctp takes to shut an association down. */
#define LINGER (15 * US_PER_S)

struct lingering {
	struct pair *pair;
	uint16_t port;
	uint64_t until;
};

static struct {
	bool started; /* usrsctp is; it stays so */
	bool crc_offloaded;
	unsigned int users;
	struct loop *loop;
	struct stack_options options;
	struct endpoint *endpoints;

	struct pair *pairs;
	struct pair *free_pairs;
	struct pair *buckets[BUCKETS];
	size_t clock_hand; /* of the search for a pair without users */
	struct lingering lingering[LINGER_MAX];
	size_t lingering_count;

	int associations;
	struct timer tick;
	uint64_t ticked; /* loop time of the last tick */

	struct timer work_timer;
	struct stack_work *work, **work_last;

	uint8_t *buffer;
} stack;

/* --- pairs ----------------------------------------------------------------------------------- */

static uint32_t hash_octets(uint32_t hash, const void *data, size_t len)
{
	for (const uint8_t *p = data; len > 0; len--)
		hash = (hash ^ *p++) * UINT32_C(0x01000193);
	return hash;
}

static uint32_t hash_address(uint32_t hash, const struct net_address *a)
{
	uint16_t port = net_address_port(a);

	hash = hash_octets(hash, &port, sizeof(port));
	return a->sa.sa_family == AF_INET
		       ? hash_octets(hash, &a->v4.sin_addr, sizeof(a->v4.sin_addr))
		       : hash_octets(hash, &a->v6.sin6_addr, sizeof(a->v6.sin6_addr));
}

static struct pair **bucket_of(const struct endpoint *endpoint, const struct net_address *local,
			       const struct net_address *remote)
{
	uint32_t hash = hash_octets(UINT32_C(0x811c9dc5), &endpoint, sizeof(endpoint));

	hash = hash_address(hash_address(hash, local), remote);
	return &stack.buckets[(hash ^ hash >> 16) % BUCKETS];
}

static struct pair *pair_find(struct endpoint *endpoint, const struct net_address *local,
			      const struct net_address *remote)
{
	struct pair *pair = *bucket_of(endpoint, local, remote);

	while (pair && (pair->endpoint != endpoint || !net_address_same_ip(&pair->local, local) ||
			!net_address_equal(&pair->remote, remote)))
		pair = pair->next;
	return pair;
}

static void pair_forget(struct pair *pair)
{
	struct pair **where = bucket_of(pair->endpoint, &pair->local, &pair->remote);

	while (*where != pair)
		where = &(*where)->next;
	*where = pair->next;
	usrsctp_deregister_address(pair);
	pair->endpoint = NULL;
	pair->next = stack.free_pairs;
	stack.free_pairs = pair;
}

/* A flood from ever new addresses takes the pairs of its own past, and never one in use. */
static bool make_room(void)
{
	for (size_t tries = 0; tries < PAIRS; tries++) {
		struct pair *pair = &stack.pairs[stack.clock_hand++ % PAIRS];

		if (pair->endpoint && pair->users == 0) {
			pair_forget(pair);
			return true;
		}
	}
	return false;
}

static struct pair *pair_make(struct endpoint *endpoint, const struct net_address *local,
			      const struct net_address *remote)
{
	struct pair *pair, **bucket;

	if (!stack.free_pairs && !make_room())
		return NULL;
	pair = stack.free_pairs;
	stack.free_pairs = pair->next;
	*pair = (struct pair){ .endpoint = endpoint, .local = *local, .remote = *remote };
	net_address_set_port(&pair->local, 0);
	bucket = bucket_of(endpoint, &pair->local, &pair->remote);
	pair->next = *bucket;
	*bucket = pair;
	usrsctp_register_address(pair);
	return pair;
}

struct pair *pair_get(struct endpoint *endpoint, const struct net_address *local,
		      const struct net_address *remote)
{
	struct net_address ip = *local;
	struct pair *pair;

	net_address_set_port(&ip, 0);
	pair = pair_find(endpoint, &ip, remote);
	if (!pair)
		pair = pair_make(endpoint, &ip, remote);
	if (pair && pair->users++ == 0)
		endpoint->users++;
	return pair;
}

void pair_put(struct pair *pair)
{
	if (--pair->users == 0)
		endpoint_put(pair->endpoint);
}

struct pair *pair_of(void *address)
{
	struct pair *pair = address;

	return stack.pairs && pair >= stack.pairs && pair < stack.pairs + PAIRS ? pair : NULL;
}

static void linger_over(struct pair *pair, uint16_t port)
{
	packet_socket_leave_port(&pair->endpoint->socket, port);
	pair_put(pair);
}

void pair_linger(struct pair *pair, uint16_t port)
{
	if (stack.lingering_count == LINGER_MAX) {
		linger_over(pair, port);
		return;
	}
	stack.lingering[stack.lingering_count++] = (struct lingering){
		.pair = pair,
		.port = port,
		.until = loop_now(stack.loop) + LINGER,
	};
	stack_associations(1);
}

static void end_lingering(uint64_t now)
{
	for (size_t i = 0; i < stack.lingering_count;) {
		struct lingering over = stack.lingering[i];

		if (over.until > now) {
			i++;
			continue;
		}
		stack.lingering[i] = stack.lingering[--stack.lingering_count];
		linger_over(over.pair, over.port);
		stack_associations(-1);
	}
}

/* --- packets --------------------------------------------------------------------------------- */

static bool is_loopback(const struct net_address *a)
{
	if (a->sa.sa_family == AF_INET)
		return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
}

enum { CRC_OFFSET = 8 };

/* usrsctp leaves the checksum to us: it can do with or without it, but not both at once. */
static bool checksum_right(const struct pair *pair, uint8_t *packet, size_t len)
{
	uint32_t received, computed;

	if (is_loopback(&pair->remote))
		return true;
	memcpy(&received, packet + CRC_OFFSET, sizeof(received));
	memset(packet + CRC_OFFSET, 0, sizeof(received));
	computed = usrsctp_crc32c(packet, len);
	return received == computed;
}

static int output(void *address, void *packet, size_t len, uint8_t tos, uint8_t set_df)
{
	struct pair *pair = pair_of(address);

	(void)tos;
	(void)set_df;
	if (!pair || !pair->endpoint)
		return 0;
	if (stack.crc_offloaded && !is_loopback(&pair->remote)) {
		uint32_t crc = usrsctp_crc32c(packet, len);

		memcpy((uint8_t *)packet + CRC_OFFSET, &crc, sizeof(crc));
	}
	packet_socket_send(&pair->endpoint->socket, &pair->local, &pair->remote, packet, len);
	return 0;
}

/* Whether an endpoint of its own takes the packets to this address. */
static bool has_own_endpoint(const struct endpoint *wildcard, const struct net_address *local)
{
	for (struct endpoint *e = stack.endpoints; e; e = e->next) {
		if (net_address_same_ip(&e->socket.local, local) &&
		    net_address_port(&e->socket.local) == net_address_port(&wildcard->socket.local))
			return true;
	}
	return false;
}

static void input(struct endpoint *endpoint, const struct packet_received *received)
{
	struct pair *pair;

	if (net_address_unspecified(&endpoint->socket.local) &&
	    has_own_endpoint(endpoint, &received->local))
		return;
	pair = pair_find(endpoint, &received->local, &received->remote);
	if (!pair && endpoint->listeners > 0)
		pair = pair_make(endpoint, &received->local, &received->remote);
	if (!pair)
		return;
	if (stack.crc_offloaded &&
	    !checksum_right(pair, (uint8_t *)(uintptr_t)received->packet.data,
			    received->packet.len))
		return;
	usrsctp_conninput(pair, received->packet.data, received->packet.len, 0);
}

static void run_work(void);

static void readable(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct endpoint *endpoint = arg;
	struct packet_received received;

	(void)watch;
	(void)events;
	for (int i = 0; i < PACKET_BUDGET; i++) {
		int result = packet_socket_receive(&endpoint->socket, stack.buffer, PACKET_BUFFER,
						   &received);

		if (result == -EAGAIN)
			break;
		if (result == 1)
			input(endpoint, &received);
	}
	run_work();
}

/* --- endpoints ------------------------------------------------------------------------------- */

/* Its own, or that of all addresses, which sends from any of them. */
static struct endpoint *endpoint_find(const struct net_address *local)
{
	struct endpoint *found = NULL;

	for (struct endpoint *e = stack.endpoints; e; e = e->next) {
		if (net_address_equal(&e->socket.local, local))
			return e;
		if (net_address_unspecified(&e->socket.local) &&
		    e->socket.local.sa.sa_family == local->sa.sa_family &&
		    net_address_port(&e->socket.local) == net_address_port(local))
			found = e;
	}
	return found;
}

struct endpoint *endpoint_get(const struct net_address *local, int *err)
{
	struct endpoint *endpoint = endpoint_find(local);

	if (endpoint) {
		endpoint->users++;
		return endpoint;
	}
	endpoint = calloc(1, sizeof(*endpoint));
	if (!endpoint) {
		*err = -ENOMEM;
		return NULL;
	}
	*err = packet_socket_open(&endpoint->socket, stack.options.kind, local);
	if (*err) {
		free(endpoint);
		return NULL;
	}
	endpoint->watch =
		loop_watch(stack.loop, endpoint->socket.fd, LOOP_READABLE, readable, endpoint);
	if (!endpoint->watch) {
		*err = -ENOMEM;
		packet_socket_close(&endpoint->socket);
		free(endpoint);
		return NULL;
	}
	endpoint->users = 1;
	endpoint->next = stack.endpoints;
	stack.endpoints = endpoint;
	return endpoint;
}

void endpoint_put(struct endpoint *endpoint)
{
	struct endpoint **where = &stack.endpoints;

	if (--endpoint->users > 0)
		return;
	for (size_t i = 0; i < PAIRS; i++) {
		if (stack.pairs[i].endpoint == endpoint)
			pair_forget(&stack.pairs[i]);
	}
	while (*where != endpoint)
		where = &(*where)->next;
	*where = endpoint->next;
	loop_unwatch(endpoint->watch);
	packet_socket_close(&endpoint->socket);
	free(endpoint);
}

/* --- work ------------------------------------------------------------------------------------ */

void stack_queue(struct stack_work *work)
{
	if (work->queued)
		return;
	work->queued = true;
	work->next = NULL;
	*stack.work_last = work;
	stack.work_last = &work->next;
	if (!timer_running(&stack.work_timer))
		timer_start(&stack.work_timer, 0);
}

void stack_unqueue(struct stack_work *work)
{
	struct stack_work **where = &stack.work;

	if (!work->queued)
		return;
	while (*where != work)
		where = &(*where)->next;
	*where = work->next;
	if (!work->next)
		stack.work_last = where;
	work->queued = false;
}

static void run_work(void)
{
	for (int i = 0; i < WORK_BUDGET && stack.work; i++) {
		struct stack_work *work = stack.work;

		stack_unqueue(work);
		work->run(work);
	}
	if (stack.work && !timer_running(&stack.work_timer))
		timer_start(&stack.work_timer, 0);
}

static void work_due(struct timer *timer, void *arg)
{
	(void)timer;
	(void)arg;
	run_work();
}

/* --- time ------------------------------------------------------------------------------------ */

/*
 * Where this process did not run for a while, the answers of that time are still in its sockets: a
 * peer must not be given up before they are read, so the stack's clock stands still meanwhile.
 */
static void tick(struct timer *timer, void *arg)
{
	uint64_t now = loop_now(stack.loop), elapsed = (now - stack.ticked) / US_PER_MS;

	(void)arg;
	stack.ticked += elapsed * US_PER_MS;
	usrsctp_handle_timers((uint32_t)(elapsed < STALL_MS ? elapsed : STALL_MS));
	end_lingering(now);
	run_work();
	if (stack.associations > 0)
		timer_start(timer, TICK_MS * US_PER_MS);
}

void stack_associations(int change)
{
	stack.associations += change;
	if (stack.associations > 0 && !timer_running(&stack.tick)) {
		stack.ticked = loop_now(stack.loop);
		timer_start(&stack.tick, TICK_MS * US_PER_MS);
	}
}

unsigned int stack_association_count(void)
{
	return (unsigned int)stack.associations;
}

/* --- start and end --------------------------------------------------------------------------- */

/*
 * A peer that dies is to be noticed within seconds, also where nothing is being sent; a round trip
 * in a laboratory takes milliseconds. Times in ms.
 */
static void tune(void)
{
	usrsctp_sysctl_set_sctp_ecn_enable(0);
	usrsctp_sysctl_set_sctp_asconf_enable(0);
	usrsctp_sysctl_set_sctp_auth_enable(0);
	usrsctp_sysctl_set_sctp_rto_initial_default(300);
	usrsctp_sysctl_set_sctp_rto_min_default(200);
	usrsctp_sysctl_set_sctp_rto_max_default(1000);
	usrsctp_sysctl_set_sctp_init_rto_max_default(1000);
	usrsctp_sysctl_set_sctp_init_rtx_max_default(4);
	usrsctp_sysctl_set_sctp_assoc_rtx_max_default(6);
	usrsctp_sysctl_set_sctp_path_rtx_max_default(6);
	usrsctp_sysctl_set_sctp_heartbeat_interval_default(250);
	usrsctp_sysctl_set_sctp_shutdown_guard_time_default(5);
	usrsctp_sysctl_set_sctp_sendspace(2 << 20);
	usrsctp_sysctl_set_sctp_recvspace(2 << 20);
}

static bool start(void)
{
	if (stack.started)
		return true;
	stack.pairs = calloc(PAIRS, sizeof(*stack.pairs));
	stack.buffer = malloc(PACKET_BUFFER);
	if (!stack.pairs || !stack.buffer) {
		free(stack.pairs);
		free(stack.buffer);
		return false;
	}
	for (size_t i = PAIRS; i-- > 0;) {
		stack.pairs[i].next = stack.free_pairs;
		stack.free_pairs = &stack.pairs[i];
	}
	usrsctp_init_nothreads(0, output, NULL);
	tune();
	stack.started = true;
	return true;
}

int stack_enter(struct loop *loop, const struct stack_options *options, struct text *why)
{
	if (stack.users > 0) {
		if (stack.loop != loop || stack.options.kind != options->kind ||
		    stack.options.no_crc_on_loopback != options->no_crc_on_loopback) {
			text_puts(why, "usrsctp is in use in this process already, in another way");
			return -EBUSY;
		}
		stack.users++;
		return 0;
	}
	if (!start()) {
		text_puts(why, "out of memory");
		return -ENOMEM;
	}
	stack.users = 1;
	stack.loop = loop;
	stack.options = *options;
	stack.crc_offloaded = options->no_crc_on_loopback;
	if (stack.crc_offloaded)
		usrsctp_enable_crc32c_offload();
	else
		usrsctp_disable_crc32c_offload();
	stack.work = NULL;
	stack.work_last = &stack.work;
	stack.associations = 0;
	timer_init(&stack.tick, loop, "usrsctp", tick, NULL);
	timer_init(&stack.work_timer, loop, "usrsctp work", work_due, NULL);
	return 0;
}

void stack_leave(void)
{
	if (--stack.users > 0)
		return;
	end_lingering(LOOP_NEVER);
	/* What is still being shut down comes to its end without an address to talk to. */
	for (int i = 0; i < 30; i++)
		usrsctp_handle_timers(1000);
	timer_stop(&stack.tick);
	timer_stop(&stack.work_timer);
	stack.loop = NULL;
}
