/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_FLOW_H
#define WLAB_FLOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <netinet/in.h>
#include <linux/tcp.h>

#define FLOW_NEVER UINT64_MAX

/* What the loop watches a socket for: as long as there is something to read or
 * to accept, once there is room to write (WATCH_BOTH: while there is), or both.
 */
/**
 * union address - of IPv4 or IPv6, as the network has
 * @any: whose family tells which
 * @v4: its port is where that of @v6 is
 */
union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

enum watch { WATCH_LISTEN = 1, WATCH_RECV, WATCH_SEND, WATCH_BOTH };

struct flow;
struct plan;

/**
 * struct flow_ops - what a kind of flow does; NULL where it has nothing to do
 * @kind: its name in the plan
 * @listen: at the start of the run: read the kind's words, be ready to receive
 * @start: at the flow's start
 * @stop: at the flow's stop, unless it has stopped by itself before
 * @due_ns: when @act is to be called next; not asked of a flow that has stopped
 * @act: do what is due; called again until @due_ns is in the future
 * @ready: a watched socket is; @tag is as given to watch_add()
 * @drain: now and then, so that nothing overflows
 * @so_far: payload bytes that have come by now; the flow must not feel it. Without
 *	it the flow's @received
 * @finish: at the end of the run: take the last figures
 * @report: add the kind's own figures, each as " KEY=NUMBER"
 * @close: after all: close what is open, free what is held
 */
struct flow_ops {
	const char *kind;
	void (*listen)(const struct plan *plan, struct flow *flow);
	void (*start)(const struct plan *plan, struct flow *flow);
	void (*stop)(struct flow *flow);
	uint64_t (*due_ns)(const struct flow *flow);
	void (*act)(struct flow *flow);
	void (*ready)(struct flow *flow, enum watch what, uint32_t tag);
	void (*drain)(struct flow *flow);
	uint64_t (*so_far)(struct flow *flow);
	void (*finish)(struct flow *flow);
	void (*report)(const struct flow *flow, FILE *to);
	void (*close)(struct flow *flow);
};

/**
 * struct flow - one flow of a run; times are ns since its start
 * @name: of the user
 * @ops: its kind
 * @own: what the kind keeps of it besides
 * @words: "KEY=NUMBER ...", the kind's own; see flow_word()
 * @from: namespace of the sender
 * @to: namespace of the receiver
 * @src: address of the sender
 * @dst: address of the receiver
 * @start_ns: when it begins
 * @stop_ns: when the sender stops, FLOW_NEVER for the end of the run
 * @congestion: tcp, web: algorithm, or "-" for the namespace's
 * @seed: of the flow's random numbers
 * @bytes: tcp, udp: how many to send, 0 for no bound
 * @rate_bps: udp, media: of IP packets
 * @size: udp, media: bytes of an IP packet
 * @lowat: tcp, web: bytes that make the receiver read
 * @started: it has begun
 * @stopped: the sender has sent all it will
 * @ended: the receiver has seen the end
 * @end_ns: up to when @received counts, FLOW_NEVER for the end of the run
 * @tx: socket of the sender, -1 for none
 * @rx: socket of the receiver
 * @listener: where somebody waits for connections
 * @sent: payload bytes handed to the sender's socket
 * @received: payload bytes that the receiver has
 * @warm: bytes received at the end of the warm-up
 * @packets_sent: udp, media: how many
 * @packets_received: udp, media: how many
 * @retrans: tcp: segments sent again
 * @srtt_us: tcp: smoothed round-trip time at the end
 * @mss: tcp: of the sender
 * @log: udp, media: records of arrivals
 */
struct flow {
	char *name;
	const struct flow_ops *ops;
	void *own;
	char *words;
	int from;
	int to;
	union address src;
	union address dst;
	uint64_t start_ns;
	uint64_t stop_ns;
	char *congestion;
	uint64_t seed;
	uint64_t bytes;
	uint64_t rate_bps;
	uint32_t size;
	int lowat;
	bool started;
	atomic_bool stopped;
	bool ended;
	uint64_t end_ns;
	int tx;
	int rx;
	int listener;
	uint64_t sent;
	uint64_t received;
	uint64_t warm;
	uint64_t packets_sent;
	uint64_t packets_received;
	uint32_t retrans;
	uint32_t srtt_us;
	uint32_t mss;
	FILE *log;
};

/**
 * flow_ops_of() - a kind of flow
 * @kind: its name in the plan
 *
 * Return: its ops; the program fails where there is none.
 */
const struct flow_ops *flow_ops_of(const char *kind);

/**
 * flow_word() - one of the kind's own words
 * @flow: flow
 * @key: which
 *
 * Return: its value; the program fails where it is missing.
 */
uint64_t flow_word(const struct flow *flow, const char *key);

/**
 * flow_close() - close the sockets tx, rx and listener
 * @flow: flow
 */
void flow_close(struct flow *flow);

/**
 * watch_add() - have the loop look at a socket until it is closed
 * @fd: socket
 * @flow: whose
 * @what: what it waits for
 * @tag: for the flow, to tell its sockets apart
 */
void watch_add(int fd, struct flow *flow, enum watch what, uint32_t tag);

/**
 * watch_change() - have the loop look at a watched socket for something else
 * @fd: socket
 * @flow: whose
 * @what: what it waits for from now on
 * @tag: from now on
 */
void watch_change(int fd, struct flow *flow, enum watch what, uint32_t tag);

/**
 * watch_process() - have the loop wake when a process ends
 * @pid: a child
 *
 * Return: what to close when it has ended.
 */
int watch_process(int pid);

/**
 * run_now() - virtual time since the start of the run
 *
 * Return: ns.
 */
uint64_t run_now(void);

/**
 * run_stamp() - virtual time since the start of the run, of a kernel's stamp
 * @stamp: of CLOCK_REALTIME, as sockets have it
 *
 * Return: ns.
 */
int64_t run_stamp(const struct timespec *stamp);

extern const struct flow_ops tcp_ops;
extern const struct flow_ops udp_ops;
extern const struct flow_ops web_ops;
extern const struct flow_ops media_ops;

/* What other kinds that send by TCP or UDP have in common with those. */

/**
 * tcp_socket() - a non-blocking socket with the flow's congestion control
 * @flow: whose
 * @local: address to bind it to
 *
 * Return: the socket, in the namespace entered last.
 */
int tcp_socket(const struct flow *flow, const union address *local);

void udp_listen(const struct plan *plan, struct flow *flow);
void udp_start(const struct plan *plan, struct flow *flow);
void udp_send(struct flow *flow);
void udp_drain(struct flow *flow);
uint64_t udp_so_far(struct flow *flow);
void udp_finish(struct flow *flow);

#endif
