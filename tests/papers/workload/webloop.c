// SPDX-License-Identifier: GPL-2.0
/* A web flow of the guest on the host, over its loopback:
 *
 *   webloop DIR server
 *   webloop DIR client PORT SEED CONNECTIONS PIPELINE PERSISTENT PAGES TRANSACTIONS
 *
 * The server says its port and serves until the end of standard input. The client asks the server
 * of somebody else and prints its figures.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <sys/epoll.h>

#include "flow/flow.h"
#include "net/netns.h"
#include "run/plan.h"
#include "web/web.h"

#define TAG_SHIFT 3U
#define REST "think=0 read=65536"

/* Kinds that are not tried here. */
const struct flow_ops udp_ops = { .kind = "udp" };
const struct flow_ops media_ops = { .kind = "media" };
const struct flow_ops load_ops = { .kind = "load" };
const struct flow_ops ping_ops = { .kind = "ping" };

static int epoll_fd;

void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	fputs("\n", stderr);
	va_end(args);
	_exit(1);
}

void netns_enter(const struct plan *plan, int which)
{
	(void)plan;
	(void)which;
}

uint64_t run_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

static void watch(int how, int fd, enum watch what, uint32_t tag)
{
	static const uint32_t events[] = {
		[WATCH_LISTEN] = EPOLLIN,
		[WATCH_RECV] = EPOLLIN,
		[WATCH_SEND] = EPOLLOUT | EPOLLET,
		[WATCH_BOTH] = EPOLLIN | EPOLLOUT,
	};
	struct epoll_event ev = {
		.events = events[what],
		.data.u64 = (uint64_t)tag << TAG_SHIFT | what,
	};

	if (epoll_ctl(epoll_fd, how, fd, &ev))
		fail("epoll: %s", strerror(errno));
}

void watch_add(int fd, struct flow *flow, enum watch what, uint32_t tag)
{
	(void)flow;
	watch(EPOLL_CTL_ADD, fd, what, tag);
}

void watch_change(int fd, struct flow *flow, enum watch what, uint32_t tag)
{
	(void)flow;
	watch(EPOLL_CTL_MOD, fd, what, tag);
}

static void step(struct flow *flow)
{
	struct epoll_event ev[4];
	int i, n = epoll_wait(epoll_fd, ev, 4, 0);

	for (i = 0; i < n; i++)
		flow->ops->ready(flow, ev[i].data.u64 & 7U,
				 (uint32_t)(ev[i].data.u64 >> TAG_SHIFT));
}

static void serve(struct flow *flow)
{
	struct pollfd wait[] = {
		{ .fd = epoll_fd, .events = POLLIN },
		{ .fd = 0, .events = POLLIN },
	};
	struct sockaddr_in own;
	socklen_t size = sizeof(own);

	if (getsockname(flow->listener, (struct sockaddr *)&own, &size))
		fail("getsockname: %s", strerror(errno));
	printf("ready %u\n", ntohs(own.sin_port));
	fflush(stdout);
	while (!wait[1].revents) {
		if (poll(wait, 2, -1) < 0)
			fail("poll: %s", strerror(errno));
		step(flow);
	}
}

static void ask(const struct plan *plan, struct flow *flow, uint64_t count)
{
	struct pollfd wait = { .fd = epoll_fd, .events = POLLIN };
	const struct web *web = flow->own;

	flow->ops->start(plan, flow);
	while (!flow->ended) {
		/* As guest.c does at a flow's stop. */
		flow->stopped = web->transactions + 1 >= count;
		if (poll(&wait, 1, 600000) != 1)
			fail("nothing happens");
		step(flow);
	}
	printf("bytes=%llu", (unsigned long long)flow->received);
	flow->ops->report(flow, stdout);
	puts("");
}

static struct sockaddr_in at(const char *address, const char *port)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(port)),
	};

	inet_pton(AF_INET, address, &sin.sin_addr);
	return sin;
}

int main(int argc, char **argv)
{
	const bool client = argc == 10 && !strcmp(argv[2], "client");
	struct plan plan = { .out = argv[1] };
	struct flow flow = {
		.name = "web",
		.ops = flow_ops_of("web"),
		.congestion = "-",
		.words = "connections=1 pipeline=0 persistent=1 pages=0 " REST,
		.tx = -1,
		.rx = -1,
		.listener = -1,
		.stop_ns = FLOW_NEVER,
	};
	char words[256];

	if (!client && (argc != 3 || strcmp(argv[2], "server")))
		fail("usage: see the source");
	signal(SIGPIPE, SIG_IGN);
	epoll_fd = epoll_create1(0);
	flow.src.v4 = at("127.0.0.1", "0");
	/* An address of its own, since the client takes one port by the other. */
	flow.dst.v4 = at("127.0.0.77", "0");
	if (client) {
		flow.seed = strtoull(argv[4], NULL, 10);
		snprintf(words, sizeof(words),
			 "connections=%s pipeline=%s persistent=%s pages=%s " REST,
			 argv[5], argv[6], argv[7], argv[8]);
		flow.words = words;
	}
	flow.ops->listen(&plan, &flow);
	if (client) {
		flow.src.v4 = at("127.0.0.1", argv[3]);
		ask(&plan, &flow, strtoull(argv[9], NULL, 10));
	} else {
		serve(&flow);
	}
	flow.ops->finish(&flow);
	flow.ops->close(&flow);
	close(epoll_fd);
	return 0;
}
