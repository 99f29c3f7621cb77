// SPDX-License-Identifier: GPL-2.0
/* Sockets and their addresses. */
#include <errno.h>
#include <error.h>
#include <unistd.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>

#include "pep.h"

int epoll_fd;
int buffers[4];

socklen_t size_of(const union address *a)
{
	return a->any.sa_family == AF_INET6 ? sizeof(a->v6) : sizeof(a->v4);
}

void *host_of(union address *a)
{
	return a->any.sa_family == AF_INET6 ? (void *)&a->v6.sin6_addr : (void *)&a->v4.sin_addr;
}

void watch(int fd, void *data, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = data };

	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event))
		error(1, errno, "epoll");
}

int socket_new(int family, enum side side)
{
	const int one = 1;
	int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (setsockopt(fd, family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP,
		       family == AF_INET6 ? IPV6_TRANSPARENT : IP_TRANSPARENT, &one, sizeof(one)))
		error(1, errno, "transparent socket (CAP_NET_ADMIN is needed)");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	/* Inherited by what a listener accepts, as the buffers are. */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (buffers[side])
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffers[side], sizeof(int));
	if (buffers[2 + side])
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffers[2 + side], sizeof(int));
	return fd;
}

void close_reset(int fd)
{
	const struct linger now = { .l_onoff = 1 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
}
