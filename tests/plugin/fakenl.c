// SPDX-License-Identifier: GPL-2.0
/*
 * libmnl's sockets, led to a test instead of the kernel: a packet socket to
 * $FAKE_KERNEL. Each packet begins with a word: there 0 before a message, 1
 * before a group that is joined, which is answered, 2 before the bus; back 0
 * before a message, else the error of a read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <libmnl/libmnl.h>

struct mnl_socket {
	int fd;
	unsigned int bus;
};

static int tell(const struct mnl_socket *nl, uint32_t tag, const void *data,
		size_t len)
{
	struct iovec parts[] = {
		{ &tag, sizeof(tag) }, { (void *)data, len },
	};

	return writev(nl->fd, parts, 2) < 0 ? -1 : 0;
}

struct mnl_socket *mnl_socket_open2(int bus, int flags)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct mnl_socket *nl = calloc(1, sizeof(*nl));
	const char *path = getenv("FAKE_KERNEL");
	uint32_t word = (uint32_t)bus;

	if (!nl || !path || strlen(path) >= sizeof(to.sun_path))
		abort();
	strcpy(to.sun_path, path);
	nl->bus = word;
	nl->fd = socket(AF_UNIX, SOCK_SEQPACKET | flags, 0);
	if (nl->fd < 0 || connect(nl->fd, (void *)&to, sizeof(to)) ||
	    tell(nl, 2, &word, sizeof(word)))
		abort();
	return nl;
}

int mnl_socket_bind(struct mnl_socket *nl, unsigned int groups, pid_t pid)
{
	return 0;
}

int mnl_socket_setsockopt(const struct mnl_socket *nl, int type, void *buf,
			  socklen_t len)
{
	uint32_t done;

	if (type != NETLINK_ADD_MEMBERSHIP)
		return 0;
	if (tell(nl, 1, buf, len))
		return -1;
	return read(nl->fd, &done, sizeof(done)) == sizeof(done) ? 0 : -1;
}

ssize_t mnl_socket_sendto(const struct mnl_socket *nl, const void *buf,
			  size_t len)
{
	return tell(nl, 0, buf, len) ? -1 : (ssize_t)len;
}

ssize_t mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t len)
{
	uint32_t tag = 0;
	struct iovec parts[] = { { &tag, sizeof(tag) }, { buf, len } };
	ssize_t got = readv(nl->fd, parts, 2);

	if (got < (ssize_t)sizeof(tag))
		abort();
	if (tag) {
		errno = (int)tag;
		return -1;
	}
	return got - (ssize_t)sizeof(tag);
}

int mnl_socket_get_fd(const struct mnl_socket *nl)
{
	return nl->fd;
}

unsigned int mnl_socket_get_portid(const struct mnl_socket *nl)
{
	return 1000 + nl->bus;
}

int mnl_socket_close(struct mnl_socket *nl)
{
	close(nl->fd);
	free(nl);
	return 0;
}
