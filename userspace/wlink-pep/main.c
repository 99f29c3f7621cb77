// SPDX-License-Identifier: GPL-2.0
/* wlink-pep: a split-connection proxy that answers a client as its server does. */
#include <arpa/inet.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "pep.h"

static int epoll_fd;
size_t maxconn = 4000;
/* By option: send and receive buffers in bytes, 0 for what the kernel does by itself. */
static const char buffer_options[] = "sSrR";
static int buffers[4];

static const char usage[] =
	"usage: wlink-pep [OPTION]... ADDRESS:PORT...\n"
	"Split TCP connections to these servers; their packets, and those with the mark 0x776d,\n"
	"must be routed to this machine.\n"
	"  -D            go to the background when it listens\n"
	"  -n N          at most N connections at a time (4000)\n"
	"  -s, -S BYTES  send buffer towards clients, towards servers\n"
	"  -r, -R BYTES  receive buffer of clients' connections, of servers'\n";

static struct listener {
	union address address;
	int fd;
} *listeners;
static int listener_count;

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

static unsigned long number(const char *text, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 0);

	if (end == text || *end || value > most)
		error(1, 0, "'%s' is not a number up to %lu", text, most);
	return value;
}

/* ADDRESS:PORT, of IPv6 as well. */
static void listen_at(char *word, struct listener *l)
{
	char *colon = strrchr(word, ':');
	union address *a = &l->address;

	if (!colon)
		error(1, 0, "'%s' is not ADDRESS:PORT", word);
	*colon++ = '\0';
	a->any.sa_family = strchr(word, ':') ? AF_INET6 : AF_INET;
	if (inet_pton(a->any.sa_family, word, host_of(a)) != 1)
		error(1, 0, "'%s' is not an address", word);
	a->v4.sin_port = htons((uint16_t)number(colon, 65535));
	l->fd = socket_new(a->any.sa_family, CLIENT);
	syn_hold(l->fd);
	if (bind(l->fd, &a->any, size_of(a)) || listen(l->fd, SOMAXCONN))
		error(1, errno, "%s, port %s", word, colon);
	watch(l->fd, l, EPOLLIN);
}

static bool listens(const union address *server)
{
	int i;

	for (i = 0; i < listener_count; i++)
		if (!memcmp(&listeners[i].address, server, sizeof(*server)))
			return true;
	return false;
}

static void loop(void)
{
	struct epoll_event event;
	struct listener *l;
	struct syn syn;
	int n;

	for (;;) {
		/* One at a time: an event may free what another one is of. */
		n = epoll_wait(epoll_fd, &event, 1, pair_expire());
		if (n < 0 && errno != EINTR)
			error(1, errno, "epoll");
		if (n <= 0)
			continue;
		l = event.data.ptr;
		if (!l) {
			while (syn_read(&syn))
				if (listens(&syn.ends.server))
					pair_syn(&syn);
		} else if (l >= listeners && l < listeners + listener_count) {
			pair_accept(l->fd, &l->address);
		} else {
			pair_event(event.data.ptr, event.events);
		}
	}
}

int main(int argc, char **argv)
{
	struct rlimit files;
	size_t most;
	bool background = false;
	const char *at;
	int c;

	while ((c = getopt(argc, argv, "Dn:s:S:r:R:h")) != -1) {
		at = strchr(buffer_options, c);
		if (at)
			buffers[at - buffer_options] = (int)number(optarg, 1 << 30);
		else if (c == 'n')
			maxconn = number(optarg, 1000000);
		else if (c == 'D')
			background = true;
		else
			return fputs(usage, c == 'h' ? stdout : stderr), c != 'h';
	}
	if (optind == argc)
		return fputs(usage, stderr), 1;
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_fd < 0)
		error(1, errno, "epoll");
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	watch(syn_open(), NULL, EPOLLIN);
	listeners = calloc((size_t)(argc - optind), sizeof(*listeners));
	if (!listeners)
		error(1, errno, "listeners");
	while (optind < argc)
		listen_at(argv[optind++], &listeners[listener_count++]);
	/* A client for whom no descriptor is left would keep the loop busy. */
	most = (files.rlim_max - (rlim_t)listeners[listener_count - 1].fd - 1) / 2;
	maxconn = maxconn < most ? maxconn : most;
	if (background && daemon(0, 0))
		error(1, errno, "background");
	loop();
}
