/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLINK_PEP_H
#define WLINK_PEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <netinet/in.h>

/* IPv4 or IPv6; the port has the same offset in both. What is unused is 0. */
union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* The ends of a connection. */
struct ends {
	union address client;
	union address server;
};

#define SYN_MAX 160

/**
 * struct syn - a client's SYN, an IP packet
 * @ends: its source and destination
 * @data: from its network header on
 * @len: bytes of @data
 */
struct syn {
	struct ends ends;
	uint8_t data[SYN_MAX];
	size_t len;
};

/* The sides of a pair of connections, and of each side's buffers. */
enum side { CLIENT, SERVER };

/* Of SYNs that are sent to this machine's own listeners; a rule must route them there. */
#define MARK 0x776d

/* socket.c */

extern int epoll_fd;
/* Send buffers by side, then receive buffers, in bytes; 0 for what the kernel does by itself. */
extern int buffers[4];

socklen_t size_of(const union address *a);
/* The address without its port. */
void *host_of(union address *a);
/* Has epoll tell of these events of a descriptor with this data. */
void watch(int fd, void *data, uint32_t events);
/* A transparent socket with a side's buffers, not blocking; -1 where there is none. */
int socket_new(int family, enum side side);
/* Closes a connection so that its peer sees a reset. */
void close_reset(int fd);

/* syn.c: SYNs that wait, and the answers of a router. */

/* Watches all SYNs; a descriptor that is readable when one has arrived. */
int syn_open(void);
/* A listener answers only SYNs that syn_pass() has sent. */
void syn_hold(int listener);
/* The next SYN that has arrived; false if there is none. */
bool syn_read(struct syn *syn);
/* Gives a SYN to its listener. */
void syn_pass(const struct syn *syn);
/* Answers a SYN as the server or a router on the way does after this error of connect(). */
void syn_refuse(const struct syn *syn, int error);

/* pair.c: the connections to client and server, from the SYN on. */

/* Pairs at a time. */
extern size_t maxconn;

/* A new or repeated SYN for one of the listeners. */
void pair_syn(const struct syn *syn);
/* A client has come to a listener of this server. */
void pair_accept(int listener, const union address *server);
/* An event of epoll with this data. */
void pair_event(void *data, uint32_t events);
/* Ends pairs that wait for too long; milliseconds until it is due again, -1 for never. */
int pair_expire(void);

#endif
