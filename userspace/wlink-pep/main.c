// SPDX-License-Identifier: GPL-2.0
/* wlink-pep: a split-connection proxy that answers a client as its server does. */
#include <arpa/inet.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "pep.h"

/* Of buffers[]. */
static const char buffer_options[] = "sSrR";

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
