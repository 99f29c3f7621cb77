/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_FLOW_H
#define WLAB_FLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#define FLOW_NEVER UINT64_MAX

/**
 * struct flow - one flow of a run; times are ns since its start
 * @name: of the user
 * @tcp: or UDP
 * @from: namespace of the sender
 * @to: namespace of the receiver
 * @src: address of the sender
 * @dst: address of the receiver
 * @start_ns: when it begins
 * @stop_ns: when the sender stops, FLOW_NEVER for the end of the run
 * @bytes: how many to send, 0 for no bound
 * @rate_bps: udp: of IP packets
 * @size: udp: bytes of an IP packet
 * @lowat: tcp: bytes that make the receiver read
 * @congestion: tcp: algorithm, or "-" for the namespace's
 * @started: the sender exists
 * @stopped: the sender has sent all it will
 * @ended_ns: when the receiver saw the end, FLOW_NEVER before
 * @tx: socket of the sender, -1 for none
 * @rx: socket of the receiver
 * @listener: tcp: where the receiver waits
 * @sent: payload bytes handed to @tx
 * @received: payload bytes read from @rx
 * @packets_sent: udp: how many
 * @packets_received: udp: how many
 * @retrans: tcp: segments sent again
 * @srtt_us: tcp: smoothed round-trip time at the end
 * @mss: tcp: of the sender
 * @log: udp: records of arrivals
 */
struct flow {
	char *name;
	bool tcp;
	int from;
	int to;
	struct sockaddr_in src;
	struct sockaddr_in dst;
	uint64_t start_ns;
	uint64_t stop_ns;
	uint64_t bytes;
	uint64_t rate_bps;
	uint32_t size;
	int lowat;
	char *congestion;
	bool started;
	bool stopped;
	uint64_t ended_ns;
	int tx;
	int rx;
	int listener;
	uint64_t sent;
	uint64_t received;
	uint64_t packets_sent;
	uint64_t packets_received;
	uint32_t retrans;
	uint32_t srtt_us;
	uint32_t mss;
	FILE *log;
};

/* What the loop watches a socket for. */
enum watch { WATCH_LISTEN = 1, WATCH_RECV, WATCH_SEND };

struct plan;

/**
 * watch_add() - have the loop look at a socket
 * @fd: socket
 * @flow: whose
 * @what: what it waits for
 */
void watch_add(int fd, struct flow *flow, enum watch what);

/**
 * run_now() - virtual time since the start of the run
 *
 * Return: ns.
 */
uint64_t run_now(void);

void tcp_listen(const struct plan *plan, struct flow *flow);
void tcp_start(const struct plan *plan, struct flow *flow);
void tcp_ready(struct flow *flow, enum watch what);
void tcp_stop(struct flow *flow);
void tcp_finish(struct flow *flow);

void udp_listen(const struct plan *plan, struct flow *flow);
void udp_start(const struct plan *plan, struct flow *flow);
uint64_t udp_due_ns(const struct flow *flow);
void udp_send(struct flow *flow);
void udp_drain(struct flow *flow);
void udp_finish(struct flow *flow);

#endif
