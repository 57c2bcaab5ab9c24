#include "runner/net/usrsctp_assoc.h"

#include <errno.h>
#include <stdlib.h>
#include <usrsctp.h>

enum {
	/* Messages of one association at a time. */
	MESSAGE_BUDGET = 32,
	READ_BUFFER = 65536,
};
/* For what is still to be sent after a link was closed. */
#define CLOSING_TIME (5 * US_PER_S)

static uint8_t read_buffer[READ_BUFFER];

/* --- sockets of usrsctp ---------------------------------------------------------------------- */

static void subscribe(struct socket *so, uint16_t type)
{
	struct sctp_event event = {
		.se_assoc_id = SCTP_FUTURE_ASSOC,
		.se_type = type,
		.se_on = 1,
	};

	usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof(event));
}

struct socket *usrsctp_open_socket(uint16_t streams)
{
	struct sctp_initmsg init = { .sinit_num_ostreams = streams,
				     .sinit_max_instreams = streams };
	struct socket *so = usrsctp_socket(AF_CONN, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	int on = 1;

	if (!so)
		return NULL;
	usrsctp_set_non_blocking(so, 1);
	usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_INITMSG, &init, sizeof(init));
	usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on));
	usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RECVRCVINFO, &on, sizeof(on));
	subscribe(so, SCTP_ASSOC_CHANGE);
	subscribe(so, SCTP_SHUTDOWN_EVENT);
	return so;
}

int usrsctp_bind_socket(struct socket *so, uint16_t port, void *address)
{
	struct sockaddr_conn name = {
		.sconn_family = AF_CONN,
		.sconn_port = htons(port),
		.sconn_addr = address,
	};

	return usrsctp_bind(so, (struct sockaddr *)&name, sizeof(name)) == 0 ? 0 : -errno;
}

void usrsctp_close_socket(struct socket *so, bool abort)
{
	struct linger linger = { .l_onoff = 1, .l_linger = 0 };

	usrsctp_set_upcall(so, NULL, NULL);
	if (abort)
		usrsctp_setsockopt(so, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	usrsctp_close(so);
}

void usrsctp_announced(struct socket *so, void *arg, int flags)
{
	(void)so;
	(void)flags;
	stack_queue(arg);
}

/* --- associations ---------------------------------------------------------------------------- */

static void assoc_run(struct stack_work *work);

static void assoc_end(struct assoc *assoc, bool abort)
{
	if (assoc->link) {
		assoc->link->assoc = NULL;
		assoc->link->link.waiting = 0;
	}
	waiting_clear(&assoc->waiting);
	stack_unqueue(&assoc->work);
	usrsctp_close_socket(assoc->so, abort);
	timer_stop(&assoc->closing);
	if (abort) {
		packet_socket_leave_port(&assoc->pair->endpoint->socket, assoc->port);
		pair_put(assoc->pair);
	} else {
		pair_linger(assoc->pair, assoc->port);
	}
	stack_associations(-1);
	partial_free(&assoc->partial);
	free(assoc);
}

static void closing_over(struct timer *timer, void *arg)
{
	(void)timer;
	assoc_end(arg, true);
}

struct assoc *usrsctp_assoc_new(struct net *net, struct socket *so, struct pair *pair,
				uint16_t port, const struct net_address *local,
				const struct net_address *peer, enum link_state state)
{
	struct assoc *assoc = calloc(1, sizeof(*assoc));
	struct assoc_link *link = calloc(1, sizeof(*link));

	if (!assoc || !link) {
		free(assoc);
		free(link);
		usrsctp_close_socket(so, true);
		packet_socket_leave_port(&pair->endpoint->socket, port);
		pair_put(pair);
		return NULL;
	}
	assoc->work.run = assoc_run;
	assoc->so = so;
	assoc->pair = pair;
	assoc->port = port;
	assoc->link = link;
	waiting_init(&assoc->waiting);
	timer_init(&assoc->closing, net->loop, "usrsctp closing", closing_over, assoc);
	link->assoc = assoc;
	link_enter(&link->link, net, local, peer, state);
	usrsctp_set_upcall(so, usrsctp_announced, &assoc->work);
	stack_associations(1);
	return assoc;
}

static void assoc_down(struct assoc *assoc, enum link_down_reason reason)
{
	struct assoc_link *link = assoc->link;

	assoc_end(assoc, reason != LINK_SHUTDOWN);
	if (link)
		link_is_down(&link->link, reason);
}

static enum link_down_reason reason_of(int error, bool connecting)
{
	switch (error) {
	case ECONNREFUSED:
		return LINK_REFUSED;
	case ETIMEDOUT:
	case ECONNABORTED: /* given up here, after too many retransmissions */
		return LINK_LOST;
	case ECONNRESET:
	case EPIPE:
		return LINK_ABORTED;
	default:
		return connecting ? LINK_FAILED : LINK_LOST;
	}
}

static void assoc_failed(struct assoc *assoc)
{
	bool connecting = assoc->link && assoc->link->link.state == LINK_CONNECTING;
	int error = 0;
	socklen_t len = sizeof(error);

	usrsctp_getsockopt(assoc->so, SOL_SOCKET, SO_ERROR, &error, &len);
	assoc_down(assoc, reason_of(error, connecting));
}

/* --- sending --------------------------------------------------------------------------------- */

/* 0, or -EAGAIN where usrsctp has no room, or another negative errno. */
static int send_now(struct assoc *assoc, uint16_t stream, uint32_t ppid, struct octets data)
{
	struct sctp_sndinfo info = { .snd_sid = stream, .snd_ppid = htonl(ppid) };
	ssize_t n = usrsctp_sendv(assoc->so, data.data, data.len, NULL, 0, &info, sizeof(info),
				  SCTP_SENDV_SNDINFO, 0);

	if (n >= 0)
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
		/* Any other error is the association's end, which is usrsctp_announced by itself.
		 */
		len = waiting_drop_first(&assoc->waiting);
		if (assoc->link)
			assoc->link->link.waiting -= len;
	}
}

int usrsctp_assoc_send(struct link *link, uint16_t stream, uint32_t ppid, struct octets data)
{
	struct assoc *assoc = ((struct assoc_link *)link)->assoc;
	int err = assoc->waiting.first ? -EAGAIN : send_now(assoc, stream, ppid, data);

	if (err != -EAGAIN)
		return err;
	err = waiting_add(&assoc->waiting, stream, ppid, data);
	if (!err)
		link->waiting += data.len;
	return err;
}

/* --- receiving ------------------------------------------------------------------------------- */

/* Returns whether the association is still there. */
static bool notified(struct assoc *assoc, const union sctp_notification *n, size_t len)
{
	struct assoc_link *link = assoc->link;

	if (len < sizeof(n->sn_header))
		return true;
	if (n->sn_header.sn_type == SCTP_SHUTDOWN_EVENT) {
		assoc_down(assoc, LINK_SHUTDOWN);
		return false;
	}
	if (n->sn_header.sn_type != SCTP_ASSOC_CHANGE || len < sizeof(n->sn_assoc_change))
		return true;
	switch (n->sn_assoc_change.sac_state) {
	case SCTP_COMM_UP:
		if (!link)
			return true;
		link->link.streams = n->sn_assoc_change.sac_outbound_streams;
		if (link->link.state != LINK_CONNECTING)
			return true;
		return link_is_up(&link->link) && link->assoc == assoc;
	case SCTP_RESTART:
		partial_reset(&assoc->partial);
		if (!link)
			return true;
		link->link.streams = n->sn_assoc_change.sac_outbound_streams;
		return link_is_restarted(&link->link) && link->assoc == assoc;
	case SCTP_SHUTDOWN_COMP:
		assoc_down(assoc, LINK_SHUTDOWN);
		return false;
	case SCTP_COMM_LOST:
	case SCTP_CANT_STR_ASSOC:
		assoc_failed(assoc);
		return false;
	default:
		return true;
	}
}

/* Returns whether the association is still there. */
static bool received(struct assoc *assoc, const struct sctp_rcvinfo *info, struct octets part,
		     bool last)
{
	struct assoc_link *link = assoc->link;

	if (!link)
		return true;
	if (!partial_add(&assoc->partial, &part, last))
		return true;
	return link_is_message(&link->link, info->rcv_sid, ntohl(info->rcv_ppid), part) &&
	       link->assoc == assoc;
}

/* One message or notification. Returns whether there may be more. */
static bool read_one(struct assoc *assoc)
{
	struct sctp_rcvinfo info = { 0 };
	struct sockaddr_conn from;
	socklen_t from_len = sizeof(from), info_len = sizeof(info);
	unsigned int info_type = 0;
	int flags = 0;
	ssize_t n =
		usrsctp_recvv(assoc->so, read_buffer, sizeof(read_buffer), (struct sockaddr *)&from,
			      &from_len, &info, &info_len, &info_type, &flags);

	if (n < 0) {
		if (errno != EWOULDBLOCK && errno != EAGAIN && errno != EINTR) {
			bool connecting = assoc->link && assoc->link->link.state == LINK_CONNECTING;

			assoc_down(assoc, reason_of(errno, connecting));
		}
		return false;
	}
	if (flags & MSG_NOTIFICATION)
		return notified(assoc, (const union sctp_notification *)(void *)read_buffer,
				(size_t)n);
	if (n == 0) {
		assoc_down(assoc, LINK_SHUTDOWN);
		return false;
	}
	return received(assoc, &info, OCTETS(read_buffer, (size_t)n), flags & MSG_EOR);
}

static void assoc_run(struct stack_work *work)
{
	struct assoc *assoc = (struct assoc *)work;

	send_waiting(assoc);
	if (!assoc->link && !assoc->waiting.first) {
		assoc_end(assoc, false);
		return;
	}
	for (int i = 0; i < MESSAGE_BUDGET; i++) {
		if (!read_one(assoc))
			return;
	}
	stack_queue(&assoc->work);
}

void usrsctp_assoc_close(struct link *link, bool abort)
{
	struct assoc *assoc = ((struct assoc_link *)link)->assoc;

	if (!assoc)
		return;
	if (!abort && assoc->waiting.first && link->state == LINK_UP) {
		assoc->link = NULL;
		timer_start(&assoc->closing, CLOSING_TIME);
		stack_queue(&assoc->work);
		return;
	}
	assoc->link = NULL;
	assoc_end(assoc, abort || link->state != LINK_UP);
}
