#include "runner/net/packet_socket.h"

#include <errno.h>
#include <linux/filter.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/un.h>
#include <unistd.h>

#include "runner/net/transport.h"

enum {
	SCTP_COMMON_HEADER = 12,
	/* The kernel takes 4096 instructions; a port needs two. */
	PORTS_MAX = 2000,
	SOCKET_BUFFER = 4 << 20,
};

int packet_socket_probe_raw(void)
{
	int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_SCTP);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* As large as the process is allowed. */
static void grow_buffers(int fd)
{
	int size = SOCKET_BUFFER;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) != 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)) != 0)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
}

/* Passes packets to the ports taken; a socket without a port gets nothing. */
static int set_filter(const struct packet_socket *s)
{
	size_t count = 0;
	struct sock_filter *code = calloc(2 * s->port_count + 3, sizeof(*code));
	struct sock_fprog program;
	int err;

	if (!code)
		return -ENOMEM;
	if (s->local.sa.sa_family == AF_INET) {
		/* A raw IPv4 socket gets the IP header, an IPv6 socket does not. */
		code[count++] = (struct sock_filter)BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0);
		code[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_H | BPF_IND, 2);
	} else {
		code[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 2);
	}
	for (size_t i = 0; i < s->port_count; i++) {
		code[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							     s->ports[i].port, 0, 1);
		code[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, UINT32_MAX);
	}
	code[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
	program = (struct sock_fprog){ .len = (unsigned short)count, .filter = code };
	err = setsockopt(s->fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) == 0
		      ? 0
		      : -errno;
	free(code);
	return err;
}

static int set_options(const struct packet_socket *s)
{
	int on = 1;

	grow_buffers(s->fd);
	if (s->local.sa.sa_family == AF_INET)
		return setsockopt(s->fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof(on));
	if (setsockopt(s->fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) != 0 &&
	    s->kind == PACKET_UDP)
		return -1;
	return setsockopt(s->fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof(on));
}

int packet_socket_open(struct packet_socket *s, enum packet_kind kind,
		       const struct net_address *local)
{
	int err;

	*s = (struct packet_socket){ .kind = kind, .local = *local };
	s->fd = kind == PACKET_RAW
			? socket(local->sa.sa_family, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC,
				 IPPROTO_SCTP)
			: socket(local->sa.sa_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s->fd < 0)
		return -errno;
	err = kind == PACKET_RAW ? set_filter(s) : 0;
	if (!err &&
	    (set_options(s) != 0 || bind(s->fd, &s->local.sa, net_address_len(&s->local)) != 0))
		err = -errno;
	if (err)
		close(s->fd);
	return err;
}

void packet_socket_close(struct packet_socket *s)
{
	for (size_t i = 0; i < s->port_count; i++) {
		if (s->ports[i].lock >= 0)
			close(s->ports[i].lock);
	}
	free(s->ports);
	close(s->fd);
}

/* --- ports ----------------------------------------------------------------------------------- */

/*
 * The kernel does not know the SCTP ports of user space. A name in the abstract socket namespace
 * is taken by one process of the network namespace at a time, and is free again when it dies.
 */
static int lock_port(const struct net_address *local, uint16_t port)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	struct net_address address = *local;
	struct text text;
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	net_address_set_port(&address, port);
	text_init(&text, name.sun_path + 1, sizeof(name.sun_path) - 1);
	text_puts(&text, "spillway-sctp-");
	net_address_print(&address, &text);
	if (bind(fd, (struct sockaddr *)&name,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + text.len)) != 0) {
		err = -errno;
		close(fd);
		return err;
	}
	return fd;
}

static struct packet_port *find_port(const struct packet_socket *s, uint16_t port)
{
	for (size_t i = 0; i < s->port_count; i++) {
		if (s->ports[i].port == port)
			return &s->ports[i];
	}
	return NULL;
}

bool packet_socket_has_port(const struct packet_socket *s, uint16_t port)
{
	return find_port(s, port) != NULL;
}

static void remove_port(struct packet_socket *s, struct packet_port *port)
{
	if (port->lock >= 0)
		close(port->lock);
	*port = s->ports[--s->port_count];
	if (s->kind == PACKET_RAW)
		set_filter(s);
}

int packet_socket_take_port(struct packet_socket *s, uint16_t number)
{
	struct packet_port *port = find_port(s, number);
	int lock = -1, err;

	if (port) {
		port->users++;
		return 0;
	}
	if (s->port_count == PORTS_MAX)
		return -ENOSPC;
	if (s->port_count == s->port_max) {
		size_t max = s->port_max ? 2 * s->port_max : 8;
		struct packet_port *ports = realloc(s->ports, max * sizeof(*ports));

		if (!ports)
			return -ENOMEM;
		s->ports = ports;
		s->port_max = max;
	}
	if (s->kind == PACKET_RAW) {
		lock = lock_port(&s->local, number);
		if (lock < 0)
			return lock;
	}
	port = &s->ports[s->port_count++];
	*port = (struct packet_port){ .port = number, .users = 1, .lock = lock };
	err = s->kind == PACKET_RAW ? set_filter(s) : 0;
	if (err)
		remove_port(s, port);
	return err;
}

void packet_socket_leave_port(struct packet_socket *s, uint16_t number)
{
	struct packet_port *port = find_port(s, number);

	if (port && --port->users == 0)
		remove_port(s, port);
}

/* --- packets --------------------------------------------------------------------------------- */

union control {
	struct cmsghdr align;
	char v4[CMSG_SPACE(sizeof(struct in_pktinfo))];
	char v6[CMSG_SPACE(sizeof(struct in6_pktinfo))];
};

int packet_socket_send(struct packet_socket *s, const struct net_address *from,
		       const struct net_address *to, const void *packet, size_t len)
{
	union control control = { 0 };
	struct net_address name = *to;
	struct iovec iov = { .iov_base = (void *)(uintptr_t)packet, .iov_len = len };
	struct msghdr msg = {
		.msg_name = &name,
		.msg_namelen = net_address_len(to),
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
	};
	struct cmsghdr *cmsg;

	if (to->sa.sa_family == AF_INET) {
		struct in_pktinfo info = { .ipi_spec_dst = from->v4.sin_addr };

		msg.msg_controllen = sizeof(control.v4);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = IPPROTO_IP;
		cmsg->cmsg_type = IP_PKTINFO;
		cmsg->cmsg_len = CMSG_LEN(sizeof(info));
		memcpy(CMSG_DATA(cmsg), &info, sizeof(info));
	} else {
		struct in6_pktinfo info = { .ipi6_addr = from->v6.sin6_addr };

		msg.msg_controllen = sizeof(control.v6);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = IPPROTO_IPV6;
		cmsg->cmsg_type = IPV6_PKTINFO;
		cmsg->cmsg_len = CMSG_LEN(sizeof(info));
		memcpy(CMSG_DATA(cmsg), &info, sizeof(info));
	}
	return sendmsg(s->fd, &msg, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static bool read_local(struct msghdr *msg, sa_family_t family, struct net_address *local)
{
	*local = (struct net_address){ .v6 = { .sin6_family = family } };
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
			struct in_pktinfo info;

			memcpy(&info, CMSG_DATA(c), sizeof(info));
			local->v4.sin_addr = info.ipi_addr;
			return true;
		}
		if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
			struct in6_pktinfo info;

			memcpy(&info, CMSG_DATA(c), sizeof(info));
			local->v6.sin6_addr = info.ipi6_addr;
			return true;
		}
	}
	return false;
}

/*
 * A raw socket gets the packets of the whole machine until it is bound and has its filter, and
 * some of them wait in it afterwards. To answer one would end somebody else's association.
 */
static bool is_for(const struct packet_socket *s, const struct packet_received *received)
{
	const uint8_t *header = received->packet.data;

	if (s->kind != PACKET_RAW)
		return true;
	return packet_socket_has_port(s, (uint16_t)(header[2] << 8 | header[3])) &&
	       (net_address_unspecified(&s->local) ||
		net_address_same_ip(&s->local, &received->local));
}

int packet_socket_receive(struct packet_socket *s, void *buf, size_t size,
			  struct packet_received *received)
{
	union control control;
	struct iovec iov = { .iov_base = buf, .iov_len = size };
	struct msghdr msg = {
		.msg_name = &received->remote,
		.msg_namelen = sizeof(received->remote),
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	size_t len, skip = 0;
	ssize_t n;

	received->remote = (struct net_address){ .v6 = { .sin6_family = AF_UNSPEC } };
	n = recvmsg(s->fd, &msg, 0);
	if (n < 0)
		return errno == EWOULDBLOCK ? -EAGAIN : -errno;
	len = (size_t)n;
	if (s->kind == PACKET_RAW) {
		net_address_set_port(&received->remote, 0);
		if (s->local.sa.sa_family == AF_INET && len > 0)
			skip = (size_t)(*(const uint8_t *)buf & 15) * 4;
	}
	if (msg.msg_flags & MSG_TRUNC || received->remote.sa.sa_family != s->local.sa.sa_family ||
	    len < skip + SCTP_COMMON_HEADER ||
	    !read_local(&msg, s->local.sa.sa_family, &received->local))
		return 0;
	received->packet = OCTETS((const uint8_t *)buf + skip, len - skip);
	return is_for(s, received);
}
