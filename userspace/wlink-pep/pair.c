// SPDX-License-Identifier: GPL-2.0
/* Pairs of connections: the server's first, then the client's, then data in both directions. */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/socket.h>

#include "pep.h"

#define EVENTS (EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET)
#define CHUNK 65536U
/* Longer than the kernel tries to connect. */
#define PENDING_MS 200000

/**
 * struct flow - one direction of a pair
 * @held: bytes for the other side's socket, NULL if there are none
 * @from: first of them
 * @len: end of them
 * @ended: nothing more comes
 * @shut: the other side has been told
 */
struct flow {
	uint8_t *held;
	size_t from;
	size_t len;
	bool ended;
	bool shut;
};

/**
 * struct pair - a connection of a client, and that to its server
 * @syn: the client's; its ends are first, as tsearch() compares them
 * @fd: by side, -1 for none
 * @flow: by the side from which it comes
 * @connected: the server has answered
 * @until_ms: end of its time to have both connections
 * @list: of pairs that have not both
 */
struct pair {
	struct syn syn;
	int fd[2];
	struct flow flow[2];
	bool connected;
	int64_t until_ms;

	TAILQ_ENTRY(pair) list;
};

static TAILQ_HEAD(, pair) pending = TAILQ_HEAD_INITIALIZER(pending);
static void *all;
static size_t count;
size_t maxconn = 4000;
static uint8_t chunk[CHUNK];

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct ends));
}

static struct pair *find(const struct ends *ends)
{
	struct pair **found = tfind(ends, &all, compare);

	return found ? *found : NULL;
}

/* Closes both and frees the pair; with @reset each side that has a connection sees a reset. */
static void end(struct pair *p, bool reset)
{
	int side;

	if (p->fd[CLIENT] < 0)
		TAILQ_REMOVE(&pending, p, list);
	for (side = CLIENT; side <= SERVER; side++) {
		if (p->fd[side] >= 0 && reset)
			close_reset(p->fd[side]);
		else if (p->fd[side] >= 0)
			close(p->fd[side]);
		free(p->flow[side].held);
	}
	tdelete(p, &all, compare);
	count--;
	free(p);
}

static int error_of(int fd)
{
	int value = 0;
	socklen_t size = sizeof(value);

	getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &size);
	return value;
}

/* The server has answered, or nobody will. */
static void answered(struct pair *p, int value)
{
	p->connected = !value;
	if (!value) {
		syn_pass(&p->syn);
		return;
	}
	syn_refuse(&p->syn, value);
	end(p, true);
}

void pair_syn(const struct syn *syn)
{
	const union address *client = &syn->ends.client, *server = &syn->ends.server;
	const bool v6 = server->any.sa_family == AF_INET6;
	struct pair *p = find(&syn->ends);

	/* Its way here or the answer may have been lost. */
	if (p && p->connected && p->fd[CLIENT] < 0)
		syn_pass(syn);
	/* A full proxy is a slow server: the client tries again. */
	if (p || count >= maxconn)
		return;
	p = malloc(sizeof(*p));
	if (!p)
		return;
	*p = (struct pair){ .syn = *syn, .fd = { -1, socket_new(server->any.sa_family, SERVER) },
			    .until_ms = now_ms() + PENDING_MS };
	if (!tsearch(p, &all, compare)) {
		close(p->fd[SERVER]);
		free(p);
		return;
	}
	count++;
	TAILQ_INSERT_TAIL(&pending, p, list);
	if (p->fd[SERVER] < 0 || bind(p->fd[SERVER], &client->any, size_of(client)))
		end(p, true);
	else if (connect(p->fd[SERVER], &server->any, size_of(server)) && errno != EINPROGRESS)
		/* A route of this machine; a router of IPv6 says of it that there is none. */
		answered(p, v6 && errno == EHOSTUNREACH ? ENETUNREACH : errno);
	else
		watch(p->fd[SERVER], p, EVENTS);
}

/* Sends what is held, then what comes, until one of both sockets waits; false for an error. */
static bool pump(struct pair *p, enum side from)
{
	struct flow *f = &p->flow[from];
	const int in = p->fd[from], out = p->fd[!from];
	ssize_t did;

	while (!f->ended) {
		while (f->held) {
			did = send(out, f->held + f->from, f->len - f->from, MSG_NOSIGNAL);
			if (did < 0)
				return errno == EAGAIN;
			f->from += (size_t)did;
			if (f->from < f->len)
				continue;
			free(f->held);
			f->held = NULL;
		}
		did = recv(in, chunk, sizeof(chunk), 0);
		if (did < 0)
			return errno == EAGAIN;
		f->ended = !did;
		if (f->ended)
			break;
		f->from = 0;
		f->len = (size_t)did;
		f->held = malloc(f->len);
		if (!f->held)
			return false;
		memcpy(f->held, chunk, f->len);
	}
	if (!f->shut && shutdown(out, SHUT_WR))
		return errno == ENOTCONN;
	f->shut = true;
	return true;
}

static void relay(struct pair *p)
{
	if (!pump(p, CLIENT) || !pump(p, SERVER))
		end(p, true);
	else if (p->flow[CLIENT].shut && p->flow[SERVER].shut)
		end(p, false);
}

void pair_event(void *data, uint32_t events)
{
	struct pair *p = data;

	if (!p->connected)
		answered(p, error_of(p->fd[SERVER]));
	/* An error of one side, also where data wait for the other one. */
	else if (events & EPOLLERR && (error_of(p->fd[CLIENT]) || error_of(p->fd[SERVER])))
		end(p, true);
	else if (p->fd[CLIENT] >= 0)
		relay(p);
}

void pair_accept(int listener, const union address *server)
{
	struct ends ends = { .server = *server };
	socklen_t size = sizeof(ends.client);
	const int fd = accept4(listener, &ends.client.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
	struct pair *p = find(&ends);

	if (fd < 0)
		return;
	if (!p || p->fd[CLIENT] >= 0) {
		close_reset(fd);
		return;
	}
	TAILQ_REMOVE(&pending, p, list);
	p->fd[CLIENT] = fd;
	watch(fd, p, EVENTS);
	relay(p);
}

int pair_expire(void)
{
	struct pair *p;
	int64_t left;

	while ((p = TAILQ_FIRST(&pending))) {
		left = p->until_ms - now_ms();
		if (left > 0)
			return (int)left;
		end(p, true);
	}
	return -1;
}
