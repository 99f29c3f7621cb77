// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>

#include "feedback/sockets.h"

/* include/net/tcp_states.h: those in which a socket sends. */
#define STATE_ESTABLISHED	1
#define STATE_CLOSE_WAIT	8

/* Memory for a byte of payload: what setsockopt() takes for it, and the most there is. */
#define MEMORY_USUAL	2.0
#define MEMORY_MAX	4.0

static bool read_peer(int fd, struct in6_addr *peer)
{
	struct sockaddr_in6 any = { 0 };
	socklen_t len = sizeof(any);

	if (getpeername(fd, (struct sockaddr *)&any, &len))
		return false;
	*peer = any.sin6_addr;
	if (any.sin6_family == AF_INET) {
		memset(peer, 0, sizeof(*peer));
		memset(&peer->s6_addr[10], 0xff, 2);
		memcpy(&peer->s6_addr[12], &((struct sockaddr_in *)(void *)&any)->sin_addr, 4);
	}
	return any.sin6_family == AF_INET || any.sin6_family == AF_INET6;
}

/* Return: false where it is no TCP connection that can send. */
static bool read_state(struct connection *c)
{
	uint32_t memory[SK_MEMINFO_VARS] = { 0 };
	struct tcp_info info = { 0 };
	socklen_t len = sizeof(info), memory_len = sizeof(memory);

	if (getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &len) ||
	    getsockopt(c->fd, SOL_SOCKET, SO_MEMINFO, memory, &memory_len) ||
	    ioctl(c->fd, SIOCOUTQ, &c->queued_bytes))
		return false;
	c->memory_bytes = memory[SK_MEMINFO_WMEM_QUEUED];
	c->buffer_bytes = memory[SK_MEMINFO_SNDBUF];
	c->segment_bytes = info.tcpi_snd_mss;
	c->rtt_us = info.tcpi_min_rtt ? info.tcpi_min_rtt : UINT32_MAX;
	return info.tcpi_state == STATE_ESTABLISHED || info.tcpi_state == STATE_CLOSE_WAIT;
}

static bool add(struct connections *all, const struct connection *c)
{
	struct connection *more;

	if (all->n == all->room) {
		more = realloc(all->list, (2 * all->room + 64) * sizeof(*more));
		if (!more)
			return false;
		all->list = more;
		all->room = 2 * all->room + 64;
	}
	all->list[all->n++] = *c;
	return true;
}

int connections_open(int pid, bearer_fn fn, void *ctx, struct connections *all)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0);
	char path[32], kind[8] = "";
	struct connection c;
	struct in6_addr peer;
	struct dirent *e;
	int err = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	if (!dir && errno == EACCES)
		err = errno;
	while (process >= 0 && dir && !err && (e = readdir(dir))) {
		if (readlinkat(dirfd(dir), e->d_name, kind, 7) < 7 || strcmp(kind, "socket:"))
			continue;
		c.fd = (int)syscall(SYS_pidfd_getfd, process, atoi(e->d_name), 0);
		/* It may have been closed since. */
		if (c.fd < 0) {
			err = errno == EPERM || errno == ENOSYS ? errno : 0;
			continue;
		}
		c.bearer = read_peer(c.fd, &peer) ? fn(ctx, &peer) : 0;
		if (!c.bearer || !read_state(&c) || !add(all, &c))
			close(c.fd);
	}
	if (dir)
		closedir(dir);
	if (process >= 0)
		close(process);
	return err;
}

void connections_close(struct connections *all)
{
	while (all->n)
		close(all->list[--all->n].fd);
}

static bool is_meant(const char *pid, const char *name, const struct stat *netns)
{
	char path[300], comm[32] = "";
	struct stat own;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (fgets(comm, sizeof(comm), f))
		comm[strcspn(comm, "\n")] = '\0';
	fclose(f);
	if (strcmp(comm, name))
		return false;
	snprintf(path, sizeof(path), "/proc/%s/ns/net", pid);
	/* Who may not look there may not have the descriptors either, which is told then. */
	return stat(path, &own) || (own.st_ino == netns->st_ino && own.st_dev == netns->st_dev);
}

size_t processes_find(const char *name, const struct stat *netns, int *pids, size_t most)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	size_t n = 0;

	while (proc && n < most && (e = readdir(proc)))
		if (isdigit((unsigned char)e->d_name[0]) && is_meant(e->d_name, name, netns))
			pids[n++] = atoi(e->d_name);
	if (proc)
		closedir(proc);
	return n;
}

void connection_limit(const struct connection *c, double bytes)
{
	double each = MEMORY_USUAL;
	int half;

	if (c->queued_bytes >= 2 * c->segment_bytes)
		each = (double)c->memory_bytes / c->queued_bytes;
	bytes *= each < 1 ? 1 : each > MEMORY_MAX ? MEMORY_MAX : each;
	/* Each change wakes the program. */
	if (bytes > c->buffer_bytes * 0.875 && bytes < c->buffer_bytes * 1.125)
		return;
	/* The kernel doubles it; above net.core.wmem_max is for CAP_NET_ADMIN. */
	half = (int)(bytes < INT_MAX ? bytes / 2 : INT_MAX / 2);
	if (setsockopt(c->fd, SOL_SOCKET, SO_SNDBUFFORCE, &half, sizeof(half)))
		setsockopt(c->fd, SOL_SOCKET, SO_SNDBUF, &half, sizeof(half));
}
