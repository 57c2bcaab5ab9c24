/* What the links of this machine and this program rest on, for --version. */
#include <errno.h>
#include <nghttp2/nghttp2.h>
#include <openssl/crypto.h>
#include <string.h>
#include <unistd.h>

#include "runner/net/packet_socket.h"

static const char *kernel_sctp(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_SCTP);

	if (fd < 0)
		return "no (this kernel has none)";
	close(fd);
	return "yes";
}

static const char *raw_sctp(void)
{
	switch (packet_socket_probe_raw()) {
	case 0:
		return "yes";
	case -EPERM:
	case -EACCES:
		return "no (needs CAP_NET_RAW)";
	default:
		return "no (no raw sockets here)";
	}
}

void net_back_ends(struct text *out)
{
	text_printf(out, "SCTP: kernel %s; usrsctp %s; usrsctp-udp yes\n", kernel_sctp(),
		    raw_sctp());
	text_printf(out, "OpenSSL %s, nghttp2 %s, ", OpenSSL_version(OPENSSL_VERSION_STRING),
		    nghttp2_version(0)->version_str);
}
