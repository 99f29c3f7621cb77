/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_LOG_H
#define WLAB_LOG_H

#include <search.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/pkt_sch_wlink.h>

#include "ring/format.h"

/*
 * wlab-log IN OUT START DURATION WARMUP: converts the guest's files of a run in IN
 * to the event log, series and figures in OUT. Times in IN are absolute, in OUT
 * relative to START.
 *
 *   IN/trace.raw.CPU, IN/SYSTEM.NAME.format	from the kernel
 *   IN/FLOW.udp			arrivals of a UDP, media or load flow
 *   IN/FLOW.web			transactions of a web flow
 *   IN/FLOW.ping			requests of a flow of pings
 *   IN/names				"flow PORT NAME KIND[/PROTOCOL] SENT COME"
 *					and "link DEVICE NAME" lines, from the plan;
 *					"capture DEVICE" after these
 */

enum log_kind {
	LOG_SDU, LOG_RATE, LOG_CHANNEL, LOG_GRANT, LOG_SCHEDULE, LOG_RRC, LOG_BACKGROUND,
	LOG_TCP, LOG_PACKET,
	LOG_KINDS
};

/* Fields of the events, in one list for all kinds, and what the kernel calls them. */
#define LOG_FIELDS(X) \
	X(DEV, dev) X(BEARER, bearer) X(GEN, generation) X(SEQ, seq) X(BYTES, bytes) \
	X(PDUS, pdus) X(PDUS_LOST, pdus_lost) X(DROP, drop) X(ARRIVAL, arrival_ns) \
	X(START, start_ns) X(END, end_ns) X(DELIVER, deliver_ns) X(DUE, due_ns) \
	X(WHOLE, whole_ns) X(RETX, retx) X(HANDOVER, handover_ns) X(PROTO, proto) \
	X(SPORT, sport) X(DPORT, dport) X(TCP_SEQ, tcp_seq) X(PAYLOAD, payload_bytes) \
	X(AT, at_ns) X(OLD, old_bps) X(NEW, new_bps) X(BAD, bad) X(SND_NXT, snd_nxt) \
	X(SND_UNA, snd_una) X(CWND, snd_cwnd) X(SSTHRESH, ssthresh) X(SND_WND, snd_wnd) \
	X(SRTT, srtt) X(RCV_WND, rcv_wnd) X(BUFFER, buffer_sdus) X(ECN, ecn) X(USED, used) \
	X(STATE, state) X(PASS, pass) X(ACCESS, access_ns) X(ACCESS_TX, access_tx_ns) \
	X(JITTER, jitter_ns) X(IMPAIRED, impaired) X(USERS, users) X(AIRTIME, airtime_ns) \
	X(LEN, len) X(DATA, data) X(PACING, pacing_rate) X(DELIVERY, delivery_rate)

#define FIELD(field, name)	F_##field,
enum log_field { LOG_FIELDS(FIELD) F_FIELDS };

/**
 * struct layout - the fields of one event, from its format file
 * @id: common_type
 * @bytes: from the record's begin to the end of its last field
 * @field: each field, of size 0 if the event does not have it
 */
struct layout {
	unsigned int id;
	unsigned int bytes;
	struct ring_field field[F_FIELDS];
};

/**
 * struct record - one event as the kernel wrote it
 * @kind: kind of event
 * @ts_ns: time of writing
 * @data: its bytes
 * @bytes: how many
 * @layout: layout of @data
 */
struct record {
	enum log_kind kind;
	uint64_t ts_ns;
	const unsigned char *data;
	size_t bytes;
	const struct layout *layout;
};

extern const char *const drop_names[__WLINK_DROP_MAX];
extern const char *const schedule_names[__WLINK_SCHEDULE_STATE_MAX];
extern const char *const rrc_names[__WLINK_RRC_MAX];

/**
 * struct delays - delays of packets in ns
 * @list: of all packets, and of those that arrived after the warm-up
 * @count: lengths of @list
 */
struct delays {
	uint64_t *list[2];
	size_t count[2];
};

enum { WHOLE, WARM };

/**
 * struct conn - a TCP connection of a flow
 * @port: the receiver's port, unique in the flow, plus LEG times the leg
 * @isn: initial sequence number by direction: data, acknowledgements
 * @isn_known: whether @isn is valid
 */
#define LEG 65536U

struct conn {
	unsigned int port;
	uint32_t isn[2];
	bool isn_known[2];
};

/**
 * struct name_flow - a flow
 * @name: the user's name of it
 * @port: the sender's port
 * @sent_at: links whose events have the times of sending, with commas between them: the
 *	same direction of all cells that its user visits
 * @come_at: the same of the times of reception
 * @tcp: TCP, else UDP or ICMP
 * @web: a TCP flow with transactions
 * @ping: a flow of pings
 * @icmp: pings of ICMP, @port their identifier
 * @legs: tcp, with proxies: the leg of each link, whose sequence numbers are its own;
 *	0 is the one where the flow is measured
 * @conns: tcp: its connections
 * @conn_count: number of @conns
 * @seq: series of sequence numbers
 * @cwnd: series of the congestion window
 * @rates: series of the rates that the kernel computes, where its tcp_probe has them
 * @forwarded: packets that a cell has forwarded and no other one has yet
 * @forwarded_count: number of @forwarded
 * @delays: one-way delays over @come_at
 * @e2e: udp: end to end; ping: round trips
 * @transactions: web: from the first request to the last object
 */
struct name_flow {
	char name[128];
	unsigned int port;
	char *sent_at;
	char *come_at;
	bool tcp;
	bool web;
	bool ping;
	bool icmp;
	unsigned int *legs;
	struct conn *conns;
	size_t conn_count;
	FILE *seq;
	FILE *cwnd;
	FILE *rates;
	struct forwarded *forwarded;
	size_t forwarded_count;
	struct delays delays;
	struct delays e2e;
	struct delays transactions;
};

/**
 * struct name_link - one direction of a link
 * @device: the device that sends
 * @name: the user's name of it
 * @seen: the log has an SDU of it
 * @rate: series of the rate
 * @background: series of the users in the background
 * @steps: changes of the buffer's occupancy
 * @step_count: number of @steps
 * @fills: occupancies as counted by the kernel, one for each arrival
 * @fill_count: number of @fills
 * @delays: delays of delivered SDUs
 * @drops: drops by reason, in all and after the warm-up; without SDUs held at the end
 * @capture: its packets, NULL if they are not wanted
 * @packet: the last one in the trace, whose SDU comes next
 * @captured: how many packets
 * @capture_stopped_ns: since when packets are left out, -1 for never
 */
struct name_link {
	char device[16];
	char name[32];
	bool seen;
	FILE *rate;
	FILE *background;
	struct step *steps;
	size_t step_count;
	struct fill *fills;
	size_t fill_count;
	struct delays delays;
	uint64_t drops[2][__WLINK_DROP_MAX];
	FILE *capture;
	struct record packet;
	uint64_t captured;
	int64_t capture_stopped_ns;
};

/* A packet, and when it arrived at the first cell. */
struct forwarded {
	int64_t seq;
	int64_t bytes;
	uint64_t arrival_ns;
};

struct step {
	int64_t t_ns;
	uint64_t order;
	int sdus;
	int bytes;
};

/**
 * struct fill - the occupancy at the arrival of an SDU
 * @t_ns: time of arrival
 * @seq: the SDU's number
 * @bearer: its bearer
 * @sdus: SDUs not yet acknowledged, itself included
 */
struct fill {
	int64_t t_ns;
	uint64_t seq;
	unsigned int bearer;
	unsigned int sdus;
};

#define MAX_FLOWS 1000
#define MAX_LINKS 1024

struct log {
	const char *in;
	const char *out;
	uint64_t start_ns;
	uint64_t duration_ns;
	uint64_t warmup_ns;
	struct name_flow flows[MAX_FLOWS];
	size_t flow_count;
	struct name_link links[MAX_LINKS];
	size_t link_count;
	struct hsearch_data by_device;
	FILE *events;
	uint64_t event_count;
};

void fail(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* ring.c: call @each for every event of the file, in order. */
void ring_read(struct log *log,
	       void (*each)(struct log *log, const struct record *r));

/* format.c */
void layouts_read(const char *folder, struct layout layouts[LOG_KINDS]);
uint64_t field(const struct record *r, enum log_field f);
void field_text(const struct record *r, enum log_field f, char *to, size_t size);
/* A field of a length of its own. */
const unsigned char *field_bytes(const struct record *r, enum log_field f, size_t *len);

/* names.c */
void names_read(struct log *log);
struct name_link *link_of(struct log *log, char *device);
/* *@back is set for a packet against the direction of the flow, such as an ACK. */
struct name_flow *flow_of(struct log *log, unsigned int sport,
			  unsigned int dport, bool *back);
/* The flow's connection with this port of the receiver. */
struct conn *conn_of(struct name_flow *f, unsigned int port);
/* Grows a list to @count + 1 items of @size bytes. */
void *longer(void *list, size_t count, size_t size);
/* Adds the delay of a packet that arrived at @from_ns. */
void delay_add(const struct log *log, struct delays *d, int64_t from_ns,
	       uint64_t ns);

/*
 * put.c: columns of a table. A line is put_first() or put_text(), some
 * put_next() or put_next_text(), and put_end().
 */
void put_text(FILE *f, const char *text);
void put_first(FILE *f, int64_t value);
void put_next(FILE *f, int64_t value);
void put_next_text(FILE *f, const char *text);
void put_end(FILE *f);
FILE *out_open(const struct log *log, const char *folder, const char *name,
	       const char *suffix);
/* If not all could be written, ends the program with the file's path. */
void out_close(FILE *f);

/* event.c: write one event to the log and to the series. */
void event_write(struct log *log, const struct record *r);

/*
 * capture.c: the packets of a link as pcapng, each when its SDU has ended at @t_ns. A file that
 * has no room for all ends before: the run goes on.
 */
void capture_open(const struct log *log, struct name_link *l);
void capture_sdu(struct name_link *l, const struct record *r, int64_t t_ns, const char *verdict,
		 const char *flow);

/* web.c: write and remember a web flow's transactions, the round trips of pings. */
void web_read(const struct log *log, struct name_flow *f);
void ping_read(const struct log *log, struct name_flow *f);

/* stats.c: write occupancies, print figures as JSON. */
void stats_write(struct log *log);

#endif
