#include <arpa/inet.h>
#include <errno.h>
#include <unistd.h>

#include "runner/net/transport.h"

int net_address_parse(struct net_address *address, const char *ip, uint16_t port)
{
	*address = (struct net_address){ .v6 = { .sin6_family = AF_UNSPEC } };
	if (inet_pton(AF_INET, ip, &address->v4.sin_addr) == 1) {
		address->v4.sin_family = AF_INET;
		address->v4.sin_port = htons(port);
		return 0;
	}
	if (inet_pton(AF_INET6, ip, &address->v6.sin6_addr) == 1) {
		address->v6.sin6_family = AF_INET6;
		address->v6.sin6_port = htons(port);
		return 0;
	}
	return -EINVAL;
}

void net_address_print(const struct net_address *address, struct text *out)
{
	char ip[INET6_ADDRSTRLEN] = "?";

	switch (address->sa.sa_family) {
	case AF_INET:
		inet_ntop(AF_INET, &address->v4.sin_addr, ip, sizeof(ip));
		text_printf(out, "%s:%u", ip, net_address_port(address));
		break;
	case AF_INET6:
		inet_ntop(AF_INET6, &address->v6.sin6_addr, ip, sizeof(ip));
		text_printf(out, "[%s]:%u", ip, net_address_port(address));
		break;
	default:
		text_puts(out, "(no address)");
		break;
	}
}

bool net_address_same_ip(const struct net_address *a, const struct net_address *b)
{
	if (a->sa.sa_family != b->sa.sa_family)
		return false;
	if (a->sa.sa_family == AF_INET)
		return a->v4.sin_addr.s_addr == b->v4.sin_addr.s_addr;
	return a->sa.sa_family == AF_INET6 &&
	       memcmp(&a->v6.sin6_addr, &b->v6.sin6_addr, sizeof(a->v6.sin6_addr)) == 0;
}

bool net_address_equal(const struct net_address *a, const struct net_address *b)
{
	return net_address_same_ip(a, b) && net_address_port(a) == net_address_port(b);
}

bool net_address_unspecified(const struct net_address *address)
{
	if (address->sa.sa_family == AF_INET)
		return address->v4.sin_addr.s_addr == htonl(INADDR_ANY);
	return address->sa.sa_family != AF_INET6 || IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr);
}

uint16_t net_address_port(const struct net_address *address)
{
	return ntohs(address->sa.sa_family == AF_INET6 ? address->v6.sin6_port
						       : address->v4.sin_port);
}

void net_address_set_port(struct net_address *address, uint16_t port)
{
	if (address->sa.sa_family == AF_INET6)
		address->v6.sin6_port = htons(port);
	else
		address->v4.sin_port = htons(port);
}

socklen_t net_address_len(const struct net_address *address)
{
	return address->sa.sa_family == AF_INET6 ? sizeof(address->v6) : sizeof(address->v4);
}

int net_address_towards(const struct net_address *peer, struct net_address *local)
{
	struct net_address name;
	socklen_t len = sizeof(name);
	int fd = socket(peer->sa.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0), err = 0;

	if (fd < 0)
		return -errno;
	if (connect(fd, &peer->sa, net_address_len(peer)) != 0 ||
	    getsockname(fd, &name.sa, &len) != 0)
		err = -errno;
	close(fd);
	if (err)
		return err;
	net_address_set_port(&name, net_address_port(local));
	*local = name;
	return 0;
}
