/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_FEEDBACK_SOCKETS_H
#define _WLINKCTL_FEEDBACK_SOCKETS_H

/* The TCP connections of another program: which there are, and what each may queue. */

#include <stddef.h>
#include <stdint.h>
#include <netinet/in.h>
#include <sys/stat.h>

/**
 * struct connection - a TCP connection of another program
 * @fd: this process's own descriptor of the socket; it holds the connection open
 * @bearer: on the way to its other end
 * @queued_bytes: payload that is unsent or not acknowledged
 * @memory_bytes: what that takes of the send buffer
 * @buffer_bytes: the whole send buffer
 * @segment_bytes: payload of a segment
 * @rtt_us: its least round trip, UINT32_MAX while none is known
 */
struct connection {
	int fd;
	uint32_t bearer;
	uint32_t queued_bytes;
	uint32_t memory_bytes;
	uint32_t buffer_bytes;
	uint32_t segment_bytes;
	uint32_t rtt_us;
};

/**
 * struct connections - those of some processes
 * @list: array; free after use
 * @n: how many
 * @room: for how many there is memory
 */
struct connections {
	struct connection *list;
	size_t n;
	size_t room;
};

/**
 * typedef bearer_fn - the bearer on the way to an address
 * @ctx: of the caller
 * @peer: address; one of IPv4 is mapped
 *
 * Return: its number, 0 for none.
 */
typedef uint32_t (*bearer_fn)(void *ctx, const struct in6_addr *peer);

/**
 * processes_find() - the processes of a program
 * @name: of the program, as in /proc/PID/comm
 * @netns: their network namespace
 * @pids: result
 * @most: room in it
 *
 * Return: how many there are.
 */
size_t processes_find(const char *name, const struct stat *netns, int *pids, size_t most);

/**
 * connections_open() - all established connections of a process that have a bearer
 * @pid: the process; one that has ended has none
 * @fn: tells the bearer
 * @ctx: handed to @fn
 * @all: result, to which they are added; for moments, since a program's close()
 *	waits for them
 *
 * Return: 0, or the errno with which the kernel refuses the process's descriptors.
 */
int connections_open(int pid, bearer_fn fn, void *ctx, struct connections *all);

/**
 * connections_close() - let go of all of them
 * @all: of connections_open(), empty afterwards
 */
void connections_close(struct connections *all);

/**
 * connection_limit() - bound what a connection has unsent or unacknowledged
 * @c: the connection
 * @bytes: of payload; what is queued already stays
 */
void connection_limit(const struct connection *c, double bytes);

#endif
