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

/* Events for which the loop watches a socket: readable or acceptable, writable
 * (once; with WATCH_BOTH as long as it is), or both.
 */
/**
 * union address - IPv4 or IPv6
 * @any: has the family
 * @v4: its port has the same offset as that of @v6
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
 * struct flow_ops - callbacks of a kind of flow; NULL for those without effect
 * @kind: its name in the plan
 * @listen: at the start of the run: parse the kind's words, prepare to receive
 * @start: at the flow's start
 * @stop: at the flow's stop, unless it has stopped by itself before
 * @due_ns: time of the next call of @act; not called for a flow that has stopped
 * @act: perform what is due; called again until @due_ns is in the future
 * @packet_ns: udp, media, load: time of the next packet, FLOW_NEVER for none
 * @sent: it was counted as sent: on to the one after it
 * @ready: a watched socket is ready; @tag is that of watch_add()
 * @drain: called regularly, before buffers overflow
 * @so_far: payload bytes received by now, without effect on the flow; NULL for
 *	the flow's @received
 * @halt: at the end of the run, before anything is removed: send no more, note what has come
 * @finish: then: update the figures
 * @report: add the kind's own figures, each as " KEY=NUMBER"
 * @close: last: close sockets, free memory
 */
struct flow_ops {
	const char *kind;
	void (*listen)(const struct plan *plan, struct flow *flow);
	void (*start)(const struct plan *plan, struct flow *flow);
	void (*stop)(struct flow *flow);
	uint64_t (*due_ns)(const struct flow *flow);
	void (*act)(struct flow *flow);
	uint64_t (*packet_ns)(const struct flow *flow);
	void (*sent)(struct flow *flow);
	void (*ready)(struct flow *flow, enum watch what, uint32_t tag);
	void (*drain)(struct flow *flow);
	uint64_t (*so_far)(struct flow *flow);
	void (*halt)(struct flow *flow);
	void (*finish)(struct flow *flow);
	void (*report)(const struct flow *flow, FILE *to);
	void (*close)(struct flow *flow);
};

/**
 * struct flow - one flow of a run; times are ns since its start
 * @name: the user's name of it
 * @ops: its kind
 * @own: private data of the kind
 * @words: "KEY=NUMBER ...", the kind's own; see flow_word()
 * @from: namespace of the sender
 * @to: namespace of the receiver
 * @src: address of the sender
 * @dst: address of the receiver
 * @start_ns: when it begins
 * @stop_ns: when the sender stops, FLOW_NEVER for the end of the run
 * @congestion: tcp, web: algorithm, or "-" for the namespace's
 * @seed: seed of the flow's random numbers
 * @bytes: tcp, udp: how many to send, 0 for no bound
 * @rate_bps: udp, media: rate of IP packets; load: of a transfer
 * @size: udp, media, load: bytes of an IP packet
 * @lowat: tcp, web: number of bytes that wakes the receiver
 * @started: it has started
 * @stopped: the sender sends no more
 * @ended: the receiver has seen the end
 * @end_ns: until when @received counts, FLOW_NEVER for the end of the run
 * @tx: socket of the sender, -1 for none
 * @rx: socket of the receiver
 * @listener: listening socket
 * @sent: payload bytes written to the sender's socket
 * @received: payload bytes received
 * @warm: bytes received at the end of the warm-up
 * @come: bytes of TCP that the receiver's socket had at the end of the run, its FIN perhaps
 * @packets_sent: udp, media, load: how many; ping: requests
 * @packets_received: udp, media, load: how many; ping: answers
 * @last_ns: of the same: when the last of them came, 0 for none
 * @retrans: tcp, web: segments retransmitted
 * @srtt_us: tcp, web: smoothed round-trip time at the end
 * @mss: tcp, web: the sender's MSS
 * @busy_us: tcp, web: time in which data were sent and not acknowledged, the next two included
 * @rwnd_limited_us: tcp, web: time for which the receiver's window held the sender up
 * @sndbuf_limited_us: tcp, web: time for which its own send buffer did
 * @log: udp, media, load: records of arrivals; ping: requests
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
	uint64_t come;
	uint64_t packets_sent;
	uint64_t packets_received;
	uint64_t last_ns;
	uint32_t retrans;
	uint32_t srtt_us;
	uint32_t mss;
	uint64_t busy_us;
	uint64_t rwnd_limited_us;
	uint64_t sndbuf_limited_us;
	FILE *log;
};

/**
 * flow_ops_of() - a kind of flow
 * @kind: its name in the plan
 *
 * Return: its ops; an unknown kind ends the program.
 */
const struct flow_ops *flow_ops_of(const char *kind);

/**
 * flow_word() - a word of the flow's kind
 * @flow: flow
 * @key: its key
 *
 * Return: its value; a missing word ends the program.
 */
uint64_t flow_word(const struct flow *flow, const char *key);

/**
 * flow_close() - close the sockets tx, rx and listener, and free what the flow has of its own
 * @flow: flow
 */
void flow_close(struct flow *flow);

/**
 * watch_add() - let the loop watch a socket until it is closed
 * @fd: socket
 * @flow: its flow
 * @what: events to wait for
 * @tag: identifies the socket to the flow
 */
void watch_add(int fd, struct flow *flow, enum watch what, uint32_t tag);

/**
 * watch_change() - change the events for which a socket is watched
 * @fd: socket
 * @flow: its flow
 * @what: new events
 * @tag: new tag
 */
void watch_change(int fd, struct flow *flow, enum watch what, uint32_t tag);

/**
 * watch_process() - let the loop wake when a process ends
 * @pid: a child
 *
 * Return: a descriptor, to be closed when it has ended.
 */
int watch_process(int pid);

/* What the start may take of virtual time: a look at the clock is 1 ns, and programs look at it. */
#define RUN_START_SLACK_NS 1000000U

/**
 * run_now() - virtual time since the start of the run
 *
 * Return: ns.
 */
uint64_t run_now(void);

/**
 * run_start_ns() - when the run has started, by CLOCK_MONOTONIC
 *
 * Return: ns.
 */
uint64_t run_start_ns(void);

/**
 * run_end_ns() - when the run ends, since its start
 *
 * Return: ns, less once all that it lasts for has ended.
 */
uint64_t run_end_ns(void);

/**
 * run_stamp() - virtual time since the start of the run, from a time stamp
 * @stamp: time stamp of a socket, by CLOCK_REALTIME
 *
 * Return: ns.
 */
int64_t run_stamp(const struct timespec *stamp);

extern const struct flow_ops tcp_ops;
extern const struct flow_ops udp_ops;
extern const struct flow_ops web_ops;
extern const struct flow_ops media_ops;
extern const struct flow_ops load_ops;
extern const struct flow_ops ping_ops;

/* Functions that other kinds over TCP or UDP share with tcp and udp. */

/**
 * tcp_socket() - a non-blocking socket with the flow's congestion control
 * @flow: its flow
 * @local: address to bind it to
 *
 * Return: the socket, in the namespace entered last.
 */
int tcp_socket(const struct flow *flow, const union address *local);

/**
 * tcp_note() - add what the kernel has counted of a sender's connection
 * @flow: its flow
 * @fd: its socket, before it is closed or at the end of the run
 */
void tcp_note(struct flow *flow, int fd);

/**
 * tcp_nodelay() - no waiting for more to send, as today's browsers and servers
 * @flow: whose
 * @fd: socket
 */
void tcp_nodelay(const struct flow *flow, int fd);

/* The one connection that a flow's listener has. */
void tcp_accept(struct flow *flow);

/* A bound one, with a buffer for all there may be where an option names one. */
int udp_socket(const struct flow *flow, const union address *local, int buffer);

void udp_listen(const struct plan *plan, struct flow *flow);

/**
 * udp_fill() - count a packet as sent and make it
 * @flow: its flow
 * @packet: where to; zeros but for what this writes
 * @sent_ns: when it is sent, since the start of the run
 *
 * Return: its bytes without headers.
 */
size_t udp_fill(struct flow *flow, char *packet, uint64_t sent_ns);

void udp_send(struct flow *flow);
void udp_drain(struct flow *flow);
uint64_t udp_so_far(struct flow *flow);
void udp_finish(struct flow *flow);

/**
 * ahead_start() - from now on the packets of all flows of datagrams are sent by themselves
 * @plan: the run, in virtual time, at its start; its flows listen
 */
void ahead_start(struct plan *plan);

/* Whether there is such a flow. */
bool ahead_sends(void);

/**
 * ahead_halt() - send no more; the flows count what was sent until the end of the run
 * @plan: the run
 */
void ahead_halt(struct plan *plan);

/* In real time: when the next packet is due, and send it. */
uint64_t ahead_due_ns(const struct flow *flow);
void ahead_act(struct flow *flow);

#endif
