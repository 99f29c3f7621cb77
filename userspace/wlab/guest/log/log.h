/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_LOG_H
#define WLAB_LOG_H

#include <search.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * wlab-log IN OUT START DURATION WARMUP: turns what a run has left in IN into
 * what people read. Times in IN are absolute, in OUT relative to START.
 *
 *   IN/trace.raw.CPU, IN/SYSTEM.NAME.format	from the kernel
 *   IN/FLOW.udp			arrivals of an UDP or media flow
 *   IN/FLOW.web			transactions of a web flow
 *   IN/names				"flow PORT NAME KIND SENT COME" and
 *					"link DEVICE NAME" lines, from the plan
 */

enum log_kind {
	LOG_SDU, LOG_RATE, LOG_CHANNEL, LOG_GRANT, LOG_SCHEDULE, LOG_RRC, LOG_TCP,
	LOG_KINDS
};

/* Fields of the events, in one list for all kinds. */
enum log_field {
	F_DEV, F_BEARER, F_GEN, F_SEQ, F_BYTES, F_PDUS, F_PDUS_LOST, F_DROP,
	F_ARRIVAL, F_START, F_END, F_DELIVER, F_DUE, F_WHOLE, F_RETX,
	F_HANDOVER, F_PROTO, F_SPORT, F_DPORT, F_TCP_SEQ, F_PAYLOAD, F_AT,
	F_OLD, F_NEW, F_BAD, F_SND_NXT, F_SND_UNA, F_CWND, F_SSTHRESH,
	F_SND_WND, F_SRTT, F_RCV_WND, F_BUFFER, F_ECN, F_USED, F_STATE, F_PASS,
	F_ACCESS, F_ACCESS_TX,
	F_FIELDS
};

/**
 * struct layout - where the fields of one event are, read from its format file
 * @id: common_type
 * @offset: of each field in the record
 * @size: of each field, 0 where the event has none
 */
struct layout {
	unsigned int id;
	unsigned int offset[F_FIELDS];
	unsigned int size[F_FIELDS];
};

/**
 * struct record - one event as the kernel wrote it
 * @kind: which
 * @ts_ns: when it was written
 * @data: its bytes
 * @layout: of them
 */
struct record {
	enum log_kind kind;
	uint64_t ts_ns;
	const unsigned char *data;
	const struct layout *layout;
};

/* As in pkt_sch_wlink.h. */
#define DROP_NONE 0
#define DROP_FLUSH 4
#define DROPS 12
extern const char *const drop_names[DROPS];

#define SCHEDULE_STATES 5
extern const char *const schedule_names[SCHEDULE_STATES];

#define RRC_STATES 5
extern const char *const rrc_names[RRC_STATES];

/**
 * struct delays - of packets, ns
 * @list: of all, and of those that came after the warm-up
 * @count: how many
 */
struct delays {
	uint64_t *list[2];
	size_t count[2];
};

enum { WHOLE, WARM };

/**
 * struct conn - a TCP connection of a flow
 * @port: of the receiver; only ever of one connection of its flow
 * @isn: initial sequence number by direction: data, acknowledgements
 * @isn_known: whether @isn holds anything
 */
struct conn {
	unsigned int port;
	uint32_t isn[2];
	bool isn_known[2];
};

/**
 * struct name_flow - a flow as the log knows it
 * @name: of the user
 * @port: of the sender
 * @sent_at: link whose events tell when its packets are sent
 * @come_at: and the one that tells when they have come
 * @tcp: or UDP
 * @web: one of TCP whose transactions are told
 * @conns: tcp: its connections
 * @conn_count: how many
 * @seq: series of sequence numbers
 * @cwnd: series of the congestion window
 * @delays: one-way through @come_at
 * @e2e: udp: end to end
 * @transactions: web: from the first request to the last object
 */
struct name_flow {
	char name[128];
	unsigned int port;
	char sent_at[32];
	char come_at[32];
	bool tcp;
	bool web;
	struct conn *conns;
	size_t conn_count;
	FILE *seq;
	FILE *cwnd;
	struct delays delays;
	struct delays e2e;
	struct delays transactions;
};

/**
 * struct name_link - one direction of a leg
 * @device: that carries it
 * @name: of the user
 * @seen: any SDU of it is in the log
 * @rate: series of the rate
 * @steps: changes of the buffer's occupancy
 * @step_count: how many
 * @fills: occupancies as the kernel has counted them, one an arrival
 * @fill_count: how many
 * @delays: of delivered SDUs
 * @drops: by reason, of all and after the warm-up; not what is held at the end
 */
struct name_link {
	char device[16];
	char name[32];
	bool seen;
	FILE *rate;
	struct step *steps;
	size_t step_count;
	struct fill *fills;
	size_t fill_count;
	struct delays delays;
	uint64_t drops[2][DROPS];
};

struct step {
	int64_t t_ns;
	uint64_t order;
	int sdus;
	int bytes;
};

/**
 * struct fill - what a SDU has found in the buffer
 * @t_ns: when it came
 * @seq: its number
 * @bearer: of it
 * @sdus: not acknowledged yet, itself included
 */
struct fill {
	int64_t t_ns;
	uint64_t seq;
	unsigned int bearer;
	unsigned int sdus;
};

#define MAX_FLOWS 256
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

/* names.c */
void names_read(struct log *log);
struct name_link *link_of(struct log *log, char *device);
/* *@back is set where the packet runs against the flow, as ACKs do. */
struct name_flow *flow_of(struct log *log, unsigned int sport,
			  unsigned int dport, bool *back);
/* The flow's connection with a port of the receiver. */
struct conn *conn_of(struct name_flow *f, unsigned int port);
FILE *out_open(const struct log *log, const char *folder, const char *name,
	       const char *suffix);
/* Ends the program with the file's path where it could not all be written. */
void out_close(FILE *f);
/* The list with room for one more than @count items of @size bytes. */
void *longer(void *list, size_t count, size_t size);
/* A delay of what came at @from_ns. */
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

/* event.c: write one event to the log and to the series. */
void event_write(struct log *log, const struct record *r);

/* web.c: write and remember a web flow's transactions. */
void web_read(const struct log *log, struct name_flow *f);

/* stats.c: write occupancies, print figures as JSON. */
void stats_write(struct log *log);

#endif
