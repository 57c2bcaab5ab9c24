/* SCTP by the kernel: a one-to-one socket for each association. */
#include <errno.h>
#include <netinet/in.h> /* defines what the next one needs */
#include <netinet/sctp.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/net/partial.h"
#include "runner/net/transport.h"
#include "runner/net/waiting.h"

enum {
	BACKLOG = 64,
	LINKS_MAX = 4000, /* of a net; associations beyond are aborted */
	MESSAGE_BUDGET = 32,
	ACCEPT_BUDGET = 16,
	READ_BUFFER = 65536,
	SOCKET_BUFFER = 2 << 20,

	/* A peer that dies is to be noticed within seconds; ms. */
	RTO_INITIAL = 300,
	RTO_MIN = 200,
	RTO_MAX = 1000,
	RETRANS_MAX = 4,
	HEARTBEAT = 500,
};
/* For what is still to be sent after a link was closed. */
#define CLOSING_TIME (5 * US_PER_S)

struct kernel_link;

struct assoc {
	int fd;
	struct loop_watch *watch;
	struct kernel_net *net;
	struct assoc *next, **where; /* in the net */
	struct kernel_link *link;    /* NULL: closed by the user, still sending */
	struct waiting_list waiting;
	struct partial partial;
	struct timer closing;
};

struct kernel_link {
	struct link link;    /* first */
	struct assoc *assoc; /* NULL: gone */
};

struct kernel_listener {
	struct net_listener base; /* first */
	int fd;
	struct loop_watch *watch;
	bool closed, accepting;
};

struct kernel_net {
	struct net net; /* first */
	struct assoc *assocs;
	size_t assoc_count;
};

static uint8_t read_buffer[READ_BUFFER];

static void say_errno(struct text *why, const struct net_address *address, int err)
{
	net_address_print(address, why);
	if (err == EADDRNOTAVAIL)
		text_puts(why, ": this machine has no such address");
	else if (err == ENOSYS)
		text_puts(why, ": the kernel's SCTP is incomplete (module hmac is missing)");
	else
		text_printf(why, ": %s", strerror(err));
}

/* --- sockets --------------------------------------------------------------------------------- */

static void grow_buffers(int fd)
{
	int size = SOCKET_BUFFER;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) != 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)) != 0)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
}

static bool set_options(int fd, uint16_t streams)
{
	struct sctp_initmsg init = {
		.sinit_num_ostreams = streams,
		.sinit_max_instreams = streams,
		.sinit_max_attempts = RETRANS_MAX,
		.sinit_max_init_timeo = RTO_MAX,
	};
	struct sctp_rtoinfo rto = {
		.srto_initial = RTO_INITIAL,
		.srto_max = RTO_MAX,
		.srto_min = RTO_MIN,
	};
	struct sctp_assocparams assoc = { .sasoc_asocmaxrxt = RETRANS_MAX };
	struct sctp_paddrparams path = {
		.spp_hbinterval = HEARTBEAT,
		.spp_pathmaxrxt = RETRANS_MAX,
		.spp_flags = SPP_HB_ENABLE,
	};
	struct sctp_event_subscribe events = {
		.sctp_data_io_event = 1,
		.sctp_association_event = 1,
		.sctp_shutdown_event = 1,
	};
	int on = 1;

	grow_buffers(fd);
	/* Only the events that every kernel knows: it refuses a longer structure than its own. */
	return setsockopt(fd, IPPROTO_SCTP, SCTP_INITMSG, &init, sizeof(init)) == 0 &&
	       setsockopt(fd, IPPROTO_SCTP, SCTP_RTOINFO, &rto, sizeof(rto)) == 0 &&
	       setsockopt(fd, IPPROTO_SCTP, SCTP_ASSOCINFO, &assoc, sizeof(assoc)) == 0 &&
	       setsockopt(fd, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof(path)) == 0 &&
	       setsockopt(fd, IPPROTO_SCTP, SCTP_EVENTS, &events,
			  offsetof(struct sctp_event_subscribe, sctp_partial_delivery_event)) ==
		       0 &&
	       setsockopt(fd, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0 &&
	       setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0;
}

/* A bound socket; -1 with the sentence in why. *local gets the port. */
static int open_socket(struct net *net, struct net_address *local, struct text *why)
{
	socklen_t len = sizeof(*local);
	int fd = socket(local->sa.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
			IPPROTO_SCTP),
	    on = 1;

	if (fd < 0) {
		text_printf(why, "transport kernel: %s", strerror(errno));
		return -1;
	}
	if (local->sa.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (!set_options(fd, net->streams) || bind(fd, &local->sa, net_address_len(local)) != 0 ||
	    getsockname(fd, &local->sa, &len) != 0) {
		say_errno(why, local, errno);
		close(fd);
		return -1;
	}
	return fd;
}

static void close_socket(int fd, bool abort)
{
	struct linger linger = { .l_onoff = 1, .l_linger = 0 };

	if (abort)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	close(fd);
}

/* --- associations ---------------------------------------------------------------------------- */

static void ready(struct loop_watch *watch, unsigned int events, void *arg);

static void assoc_end(struct assoc *assoc, bool abort)
{
	if (assoc->link) {
		assoc->link->assoc = NULL;
		assoc->link->link.waiting = 0;
	}
	waiting_clear(&assoc->waiting);
	partial_free(&assoc->partial);
	timer_stop(&assoc->closing);
	loop_unwatch(assoc->watch);
	close_socket(assoc->fd, abort);
	*assoc->where = assoc->next;
	if (assoc->next)
		assoc->next->where = assoc->where;
	assoc->net->assoc_count--;
	free(assoc);
}

static void closing_over(struct timer *timer, void *arg)
{
	(void)timer;
	assoc_end(arg, true);
}

/* Takes over the socket, also where it fails. */
static struct assoc *assoc_new(struct net *net, int fd, const struct net_address *local,
			       const struct net_address *peer, enum link_state state)
{
	struct kernel_net *kernel = (struct kernel_net *)net;
	struct assoc *assoc = calloc(1, sizeof(*assoc));
	struct kernel_link *link = calloc(1, sizeof(*link));

	if (assoc)
		assoc->watch = loop_watch(net->loop, fd, LOOP_READABLE, ready, assoc);
	if (!assoc || !link || !assoc->watch) {
		if (assoc)
			loop_unwatch(assoc->watch);
		free(assoc);
		free(link);
		close_socket(fd, true);
		return NULL;
	}
	assoc->fd = fd;
	assoc->net = kernel;
	assoc->link = link;
	waiting_init(&assoc->waiting);
	timer_init(&assoc->closing, net->loop, "sctp closing", closing_over, assoc);
	assoc->next = kernel->assocs;
	assoc->where = &kernel->assocs;
	if (assoc->next)
		assoc->next->where = &assoc->next;
	kernel->assocs = assoc;
	kernel->assoc_count++;
	link->assoc = assoc;
	link_enter(&link->link, net, local, peer, state);
	return assoc;
}

static void assoc_down(struct assoc *assoc, enum link_down_reason reason)
{
	struct kernel_link *link = assoc->link;

	assoc_end(assoc, reason != LINK_SHUTDOWN);
	if (link)
		link_is_down(&link->link, reason);
}

static void assoc_failed(struct assoc *assoc, int error)
{
	socklen_t len = sizeof(error);
	enum link_down_reason reason;

	if (error == 0)
		getsockopt(assoc->fd, SOL_SOCKET, SO_ERROR, &error, &len);
	switch (error) {
	case ECONNREFUSED:
		reason = LINK_REFUSED;
		break;
	case ECONNRESET:
	case EPIPE:
		reason = LINK_ABORTED;
		break;
	case ETIMEDOUT:
	case EHOSTUNREACH:
	case ENETUNREACH:
	case ECONNABORTED:
		reason = LINK_LOST;
		break;
	default:
		reason = assoc->link && assoc->link->link.state == LINK_CONNECTING ? LINK_FAILED
										   : LINK_LOST;
		break;
	}
	assoc_down(assoc, reason);
}

/* --- sending --------------------------------------------------------------------------------- */

/* 0, or -EAGAIN where the kernel has no room, or another negative errno. */
static int send_now(struct assoc *assoc, uint16_t stream, uint32_t ppid, struct octets data)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(struct sctp_sndinfo))];
	} control = { 0 };
	struct sctp_sndinfo info = { .snd_sid = stream, .snd_ppid = htonl(ppid) };
	struct iovec iov = { .iov_base = (void *)(uintptr_t)data.data, .iov_len = data.len };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = IPPROTO_SCTP;
	cmsg->cmsg_type = SCTP_SNDINFO;
	cmsg->cmsg_len = CMSG_LEN(sizeof(info));
	memcpy(CMSG_DATA(cmsg), &info, sizeof(info));
	if (sendmsg(assoc->fd, &msg, MSG_NOSIGNAL) >= 0)
		return 0;
	return errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

static void send_waiting(struct assoc *assoc)
{
	while (assoc->waiting.first) {
		const struct waiting *first = assoc->waiting.first;
		size_t len;

		if (send_now(assoc, first->stream, first->ppid, OCTETS(first->data, first->len)) ==
		    -EAGAIN)
			return;
		/* Any other error is the association's end, which is announced by itself. */
		len = waiting_drop_first(&assoc->waiting);
		if (assoc->link)
			assoc->link->link.waiting -= len;
	}
	loop_watch_events(assoc->watch, LOOP_READABLE);
}

static int kernel_send(struct link *link, uint16_t stream, uint32_t ppid, struct octets data)
{
	struct assoc *assoc = ((struct kernel_link *)link)->assoc;
	int err = assoc->waiting.first ? -EAGAIN : send_now(assoc, stream, ppid, data);

	if (err != -EAGAIN)
		return err;
	err = waiting_add(&assoc->waiting, stream, ppid, data);
	if (!err) {
		link->waiting += data.len;
		loop_watch_events(assoc->watch, LOOP_READABLE | LOOP_WRITABLE);
	}
	return err;
}

/* --- receiving ------------------------------------------------------------------------------- */

/* Returns whether the association is still there. */
static bool notified(struct assoc *assoc, const union sctp_notification *n, size_t len)
{
	struct kernel_link *link = assoc->link;
	struct sctp_assoc_change change;

	if (len < sizeof(n->sn_header))
		return true;
	if (n->sn_header.sn_type == SCTP_SHUTDOWN_EVENT) {
		assoc_down(assoc, LINK_SHUTDOWN);
		return false;
	}
	if (n->sn_header.sn_type != SCTP_ASSOC_CHANGE || len < sizeof(change))
		return true;
	memcpy(&change, n, sizeof(change));
	switch (change.sac_state) {
	case SCTP_COMM_UP:
		if (!link)
			return true;
		link->link.streams = change.sac_outbound_streams;
		if (link->link.state != LINK_CONNECTING)
			return true;
		return link_is_up(&link->link) && link->assoc == assoc;
	case SCTP_RESTART:
		partial_reset(&assoc->partial);
		if (!link)
			return true;
		link->link.streams = change.sac_outbound_streams;
		return link_is_restarted(&link->link) && link->assoc == assoc;
	case SCTP_SHUTDOWN_COMP:
		assoc_down(assoc, LINK_SHUTDOWN);
		return false;
	case SCTP_COMM_LOST:
	case SCTP_CANT_STR_ASSOC:
		assoc_failed(assoc, 0);
		return false;
	default:
		return true;
	}
}

static void read_info(struct msghdr *msg, struct sctp_sndrcvinfo *info)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level == IPPROTO_SCTP && c->cmsg_type == SCTP_SNDRCV)
			memcpy(info, CMSG_DATA(c), sizeof(*info));
	}
}

/* One message or notification. Returns whether there may be more. */
static bool read_one(struct assoc *assoc)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(struct sctp_sndrcvinfo)) + 64];
	} control;
	struct iovec iov = { .iov_base = read_buffer, .iov_len = sizeof(read_buffer) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct kernel_link *link = assoc->link;
	struct sctp_sndrcvinfo info = { 0 };
	struct octets piece;
	ssize_t n = recvmsg(assoc->fd, &msg, 0);

	if (n < 0) {
		if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
			return false;
		assoc_failed(assoc, errno);
		return false;
	}
	if (msg.msg_flags & MSG_NOTIFICATION)
		return notified(assoc, (const union sctp_notification *)(void *)read_buffer,
				(size_t)n);
	if (n == 0) {
		assoc_down(assoc, LINK_SHUTDOWN);
		return false;
	}
	piece = OCTETS(read_buffer, (size_t)n);
	if (!link || !partial_add(&assoc->partial, &piece, msg.msg_flags & MSG_EOR))
		return true;
	read_info(&msg, &info);
	return link_is_message(&link->link, info.sinfo_stream, ntohl(info.sinfo_ppid), piece) &&
	       link->assoc == assoc;
}

static void ready(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct assoc *assoc = arg;

	(void)watch;
	if (events & LOOP_WRITABLE)
		send_waiting(assoc);
	if (!assoc->link && !assoc->waiting.first) {
		assoc_end(assoc, false);
		return;
	}
	if (!(events & LOOP_READABLE))
		return;
	for (int i = 0; i < MESSAGE_BUDGET; i++) {
		if (!read_one(assoc))
			return;
	}
}

static void kernel_close(struct link *link, bool abort)
{
	struct assoc *assoc = ((struct kernel_link *)link)->assoc;

	if (!assoc)
		return;
	assoc->link = NULL;
	if (!abort && assoc->waiting.first && link->state == LINK_UP)
		timer_start(&assoc->closing, CLOSING_TIME);
	else
		assoc_end(assoc, abort || link->state != LINK_UP);
}

/* --- connecting and listening ---------------------------------------------------------------- */

static struct link *kernel_connect(struct net *net, const struct net_address *local,
				   const struct net_address *peer, struct text *why)
{
	struct net_address from = *local;
	struct assoc *assoc;
	int fd, err = net_address_unspecified(local) ? net_address_towards(peer, &from) : 0;

	if (err) {
		say_errno(why, peer, -err);
		return NULL;
	}
	fd = open_socket(net, &from, why);
	if (fd < 0)
		return NULL;
	if (connect(fd, &peer->sa, net_address_len(peer)) != 0 && errno != EINPROGRESS) {
		say_errno(why, peer, errno);
		close(fd);
		return NULL;
	}
	assoc = assoc_new(net, fd, &from, peer, LINK_CONNECTING);
	if (!assoc) {
		text_puts(why, "out of memory");
		return NULL;
	}
	return &assoc->link->link;
}

static void accept_one(struct kernel_listener *listener, int fd, const struct net_address *peer)
{
	struct kernel_net *net = (struct kernel_net *)listener->base.net;
	struct net_address local;
	struct sctp_status status = { 0 };
	socklen_t len = sizeof(local), status_len = sizeof(status);
	struct assoc *assoc;

	if (net->assoc_count >= LINKS_MAX || getsockname(fd, &local.sa, &len) != 0) {
		close_socket(fd, true);
		return;
	}
	if (net_address_unspecified(&local))
		net_address_towards(peer, &local);
	assoc = assoc_new(&net->net, fd, &local, peer, LINK_UP);
	if (!assoc)
		return;
	if (getsockopt(fd, IPPROTO_SCTP, SCTP_STATUS, &status, &status_len) == 0 &&
	    status.sstat_outstrms)
		assoc->link->link.streams = status.sstat_outstrms;
	link_is_accepted(&assoc->link->link, &listener->base);
}

static void acceptable(struct loop_watch *watch, unsigned int events, void *arg)
{
	struct kernel_listener *listener = arg;

	(void)watch;
	(void)events;
	listener->accepting = true;
	for (int i = 0; i < ACCEPT_BUDGET && !listener->closed; i++) {
		struct net_address peer = { .v6 = { .sin6_family = AF_UNSPEC } };
		socklen_t len = sizeof(peer);
		int fd = accept4(listener->fd, &peer.sa, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0)
			break;
		accept_one(listener, fd, &peer);
	}
	listener->accepting = false;
	if (listener->closed)
		free(listener);
}

static struct net_listener *kernel_listen(struct net *net, const struct net_address *local,
					  struct text *why)
{
	struct net_address at = *local;
	struct kernel_listener *listener = calloc(1, sizeof(*listener));

	if (!listener) {
		text_puts(why, "out of memory");
		return NULL;
	}
	listener->fd = open_socket(net, &at, why);
	if (listener->fd < 0) {
		free(listener);
		return NULL;
	}
	if (listen(listener->fd, BACKLOG) != 0)
		say_errno(why, local, errno);
	else if (!(listener->watch = loop_watch(net->loop, listener->fd, LOOP_READABLE, acceptable,
						listener)))
		text_puts(why, "out of memory");
	if (!listener->watch) {
		close(listener->fd);
		free(listener);
		return NULL;
	}
	listener->base.local = at;
	return &listener->base;
}

static void kernel_unlisten(struct net_listener *base)
{
	struct kernel_listener *listener = (struct kernel_listener *)base;

	loop_unwatch(listener->watch);
	close(listener->fd);
	listener->closed = true;
	if (!listener->accepting)
		free(listener);
}

/* --- the net --------------------------------------------------------------------------------- */

static void kernel_free(struct net *net)
{
	struct kernel_net *kernel = (struct kernel_net *)net;

	while (kernel->assocs)
		assoc_end(kernel->assocs, false);
	free(kernel);
}

static const struct transport kernel_transport = {
	.kind = NET_KERNEL,
	.free = kernel_free,
	.connect = kernel_connect,
	.listen = kernel_listen,
	.unlisten = kernel_unlisten,
	.send = kernel_send,
	.close = kernel_close,
};

struct net *net_kernel_new(struct loop *loop, const struct net_options *options, struct text *why)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_SCTP);
	struct kernel_net *kernel;

	(void)loop;
	(void)options;
	if (fd < 0) {
		text_printf(
			why,
			"transport kernel: this kernel has no SCTP (%s): load its sctp module, or "
			"choose transport usrsctp or usrsctp-udp",
			strerror(errno));
		return NULL;
	}
	close(fd);
	kernel = calloc(1, sizeof(*kernel));
	if (!kernel) {
		text_puts(why, "out of memory");
		return NULL;
	}
	kernel->net.transport = &kernel_transport;
	return &kernel->net;
}
