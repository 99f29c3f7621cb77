// SPDX-License-Identifier: GPL-2.0
/* Normalises events: times from the start of the run, sequence numbers from the
 * flow's initial one, names instead of ports. Random values of the guest must not
 * enter the log, since equal runs must have equal digests.
 */
#include <string.h>

#include "log.h"

#define PROTO_ICMP 1
#define PROTO_TCP 6
#define PROTO_UDP 17
#define PROTO_ICMPV6 58

/* The final flush takes some ns of looks at the clock: it is the end itself. */
static int64_t rel(const struct log *log, uint64_t ns)
{
	const int64_t t = (int64_t)(ns - log->start_ns);

	return t > (int64_t)log->duration_ns ? (int64_t)log->duration_ns : t;
}

/* While the qdiscs are removed packets still move. */
static bool after_end(const struct log *log, uint64_t ns)
{
	return (int64_t)(ns - log->start_ns) > (int64_t)log->duration_ns;
}

/* SDUs that depart or are dropped after the end were held at the end. */
static uint64_t drop_of(const struct log *log, const struct record *r)
{
	return after_end(log, r->ts_ns) ? WLINK_DROP_FLUSH : field(r, F_DROP);
}

/* When it was dropped; of one that departs after the end, which is no drop of the
 * kernel's, when its last bit was sent.
 */
static int64_t dropped_at(const struct log *log, const struct record *r)
{
	return rel(log, field(r, field(r, F_DROP) == WLINK_DROP_NONE ? F_END : F_DELIVER));
}

/* The link held it at the end of the run, in the buffer or on its way. */
static bool held(const struct log *log, const struct record *r)
{
	return drop_of(log, r) == WLINK_DROP_FLUSH &&
	       (after_end(log, r->ts_ns) ||
		dropped_at(log, r) >= (int64_t)log->duration_ns);
}

/* Writes one more column of the line. */
static void column(struct log *log, int64_t value)
{
	put_next(log->events, value);
}

static void columns(struct log *log, const struct record *r,
		    const enum log_field *fields, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		column(log, (int64_t)field(r, fields[i]));
}

#define COLUMNS(log, r, ...)						\
	columns(log, r, (const enum log_field[]){ __VA_ARGS__ },	\
		sizeof((const enum log_field[]){ __VA_ARGS__ }) / sizeof(enum log_field))

static void add_step(struct name_link *l, int64_t t_ns, int sdus, int bytes)
{
	l->steps = longer(l->steps, l->step_count, sizeof(*l->steps));
	l->steps[l->step_count] = (struct step){ t_ns, l->step_count, sdus,
						 bytes };
	l->step_count++;
}

/* A line of a flow's sequence numbers but its last column, if any. */
static void seq_line(FILE *to, int64_t t_ns, const char *what, int64_t seq,
		     int64_t bytes)
{
	put_first(to, t_ns);
	put_next_text(to, what);
	put_next(to, seq);
	put_next(to, bytes);
}

static uint32_t seq_rel(struct name_flow *f, unsigned int leg, bool back,
			const struct record *r)
{
	const unsigned int port = (unsigned int)field(r, back ? F_SPORT :
								F_DPORT);
	const uint32_t seq = (uint32_t)field(r, F_TCP_SEQ);
	struct conn *c = conn_of(f, port + leg * LEG);

	/* The first segment of a direction is its SYN. */
	if (!c->isn_known[back]) {
		c->isn_known[back] = true;
		c->isn[back] = seq;
	}
	return seq - c->isn[back];
}

/* Whether a link is one of a list with commas. */
static bool among(const char *list, const char *link)
{
	const size_t length = strlen(link);

	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (!strncmp(list, link, length) && (!list[length] || list[length] == ','))
			return true;
	}
	return false;
}

/* The oldest equal packet that was forwarded is this one; NULL if there is none. UDP has no
 * numbers of its own.
 */
static struct forwarded *forwarded(const struct name_flow *f, int64_t seq, int64_t bytes)
{
	size_t i;

	for (i = 0; i < f->forwarded_count; i++)
		if (f->forwarded[i].bytes == bytes && (!f->tcp || f->forwarded[i].seq == seq))
			return &f->forwarded[i];
	return NULL;
}

/* When a packet arrived at the first of the cells that it has passed; it is on its way no
 * longer, unless it is forwarded again.
 */
static uint64_t first_arrival(const struct record *r, struct name_flow *f, int64_t seq)
{
	const int64_t bytes = (int64_t)field(r, F_PAYLOAD);
	struct forwarded *before = forwarded(f, seq, bytes);
	uint64_t arrival_ns = field(r, F_ARRIVAL);

	if (before) {
		arrival_ns = before->arrival_ns;
		f->forwarded_count--;
		memmove(before, before + 1,
			(size_t)(f->forwarded + f->forwarded_count - before) * sizeof(*before));
	}
	if (field(r, F_DROP) == WLINK_DROP_FORWARD) {
		f->forwarded = longer(f->forwarded, f->forwarded_count, sizeof(*f->forwarded));
		f->forwarded[f->forwarded_count++] = (struct forwarded){ seq, bytes, arrival_ns };
	}
	return arrival_ns;
}

static void series(struct log *log, const struct record *r, struct name_flow *f,
		   const char *link, int64_t seq)
{
	const uint64_t drop = drop_of(log, r);
	const int64_t bytes = (int64_t)field(r, F_PAYLOAD);
	const bool copy = field(r, F_IMPAIRED) & WLINK_IMPAIRED_COPY;
	uint64_t arrival_ns = field(r, F_ARRIVAL);

	/* The SYN has taken number 0; UDP has but the link's numbers. */
	seq = f->tcp ? seq - 1 : (int64_t)field(r, F_SEQ);

	if (!copy && strchr(f->come_at, ',') && among(f->come_at, link))
		arrival_ns = first_arrival(r, f, seq);
	if (!copy && among(f->sent_at, link) && arrival_ns == field(r, F_ARRIVAL)) {
		seq_line(f->seq, rel(log, field(r, F_ARRIVAL)), "sent", seq,
			 bytes);
		put_end(f->seq);
	}
	if (drop != WLINK_DROP_NONE && drop != WLINK_DROP_FLUSH && drop != WLINK_DROP_FORWARD) {
		seq_line(f->seq, dropped_at(log, r), "dropped", seq,
			 bytes);
		put_next_text(f->seq, drop_names[drop]);
		put_end(f->seq);
	}
	if (drop == WLINK_DROP_NONE && among(f->come_at, link)) {
		seq_line(f->seq, rel(log, field(r, F_DELIVER)), "received", seq,
			 bytes);
		put_end(f->seq);
		if (!copy)
			delay_add(log, &f->delays, rel(log, arrival_ns),
				  field(r, F_DELIVER) - arrival_ns);
	}
}

static void drop_count(struct log *log, const struct record *r,
		       struct name_link *l)
{
	const uint64_t drop = drop_of(log, r);

	if (drop == WLINK_DROP_NONE || held(log, r))
		return;
	l->drops[WHOLE][drop]++;
	if (dropped_at(log, r) >= (int64_t)log->warmup_ns)
		l->drops[WARM][drop]++;
}

static void occupancy(struct log *log, const struct record *r,
		      struct name_link *l)
{
	const int64_t arrival = rel(log, field(r, F_ARRIVAL));
	const int64_t end = rel(log, field(r, F_END));
	const int bytes = (int)field(r, F_BYTES);
	const uint64_t drop = drop_of(log, r);

	/* It was never in. */
	if (!field(r, F_BUFFER))
		return;
	l->fills = longer(l->fills, l->fill_count, sizeof(*l->fills));
	l->fills[l->fill_count++] = (struct fill){
		arrival, field(r, F_SEQ), (unsigned int)field(r, F_BEARER),
		(unsigned int)field(r, F_BUFFER),
	};
	add_step(l, arrival, 1, bytes);
	/* One whose last bit was not sent by the end of the run is still there. */
	if (drop != WLINK_DROP_FLUSH || end < (int64_t)log->duration_ns)
		add_step(l, end, -1, -bytes);
	if (drop == WLINK_DROP_NONE)
		delay_add(log, &l->delays, arrival,
			  field(r, F_DELIVER) - field(r, F_ARRIVAL));
}

/* Columns of lines that few logs have, so that all others stay what they are. */
static void name_once(struct log *log, bool *named, const char *names)
{
	if (!*named)
		fprintf(log->events, "# %s\n", names);
	*named = true;
}

/* Lines before that of a SDU, each where one of its last two fields is not 0. */
static struct beside {
	const char *name;
	const char *header;
	enum log_field fields[5];
	bool named;
} besides[] = {
	{ "access", "access\tt\tlink\tbearer\tgen\tseq\taccess\taccess_tx",
	  { F_BEARER, F_GEN, F_SEQ, F_ACCESS, F_ACCESS_TX }, false },
	{ "impaired", "impaired\tt\tlink\tbearer\tgen\tseq\tjitter\timpaired",
	  { F_BEARER, F_GEN, F_SEQ, F_JITTER, F_IMPAIRED }, false },
};

static void put_beside(struct log *log, const struct record *r, const struct name_link *l,
		       struct beside *beside)
{
	if (!field(r, beside->fields[3]) && !field(r, beside->fields[4]))
		return;
	name_once(log, &beside->named, beside->header);
	log->event_count++;
	put_text(log->events, beside->name);
	column(log, rel(log, field(r, F_END)));
	put_next_text(log->events, l->name);
	columns(log, r, beside->fields, sizeof(beside->fields) / sizeof(beside->fields[0]));
	put_end(log->events);
}

/* What became of a SDU, for its packet in a capture. */
static void verdict(const struct log *log, const struct record *r, char *to, size_t size)
{
	const uint64_t drop = drop_of(log, r);

	if (drop == WLINK_DROP_NONE || drop == WLINK_DROP_FORWARD || held(log, r))
		snprintf(to, size, "%s", drop == WLINK_DROP_NONE ? "delivered" :
					 drop == WLINK_DROP_FORWARD ? "forwarded" : "held");
	else
		snprintf(to, size, "dropped reason=%s", drop_names[drop]);
}

static void sdu(struct log *log, const struct record *r)
{
	const uint64_t proto = field(r, F_PROTO), drop = drop_of(log, r);
	const uint64_t start = field(r, F_START), deliver = field(r, F_DELIVER);
	const bool started = start && !after_end(log, start);
	const bool icmp = proto == PROTO_ICMP || proto == PROTO_ICMPV6;
	const bool delivered = deliver && drop == WLINK_DROP_NONE;
	struct name_flow *f = NULL;
	struct name_link *l;
	int64_t seq = 0;
	bool back = false;
	char dev[32], fate[64];

	if (drop >= __WLINK_DROP_MAX)
		fail("unknown drop reason %ju", (uintmax_t)drop);
	field_text(r, F_DEV, dev, sizeof(dev));
	l = link_of(log, dev);
	if (proto == PROTO_TCP || proto == PROTO_UDP || icmp)
		f = flow_of(log, (unsigned int)field(r, F_SPORT),
			    (unsigned int)field(r, F_DPORT), &back);
	if (f && f->icmp != icmp) {
		f = NULL;
		back = false;
	}
	if (f && f->tcp)
		seq = seq_rel(f, f->legs ? f->legs[l - log->links] : 0, back, r);
	put_beside(log, r, l, &besides[0]);
	put_beside(log, r, l, &besides[1]);
	put_text(log->events, "sdu");
	column(log, drop ? dropped_at(log, r) : rel(log, field(r, F_HANDOVER)));
	put_next_text(log->events, l->name);
	put_next_text(log->events, f ? f->name : "-");
	put_next_text(log->events, back ? "back" : "forth");
	COLUMNS(log, r, F_BEARER, F_GEN, F_SEQ, F_BYTES, F_PDUS, F_PDUS_LOST);
	put_next_text(log->events, drop_names[drop]);
	column(log, rel(log, field(r, F_ARRIVAL)));
	column(log, started ? rel(log, start) : -1);
	/* Of what the link holds at the end, the line says that its time there ends so. */
	column(log, held(log, r) ? dropped_at(log, r) : rel(log, field(r, F_END)));
	column(log, delivered ? rel(log, deliver) : -1);
	column(log, seq);
	column(log, (int64_t)field(r, F_PAYLOAD));
	column(log, delivered ? rel(log, field(r, F_DUE)) : -1);
	column(log, delivered ? rel(log, field(r, F_WHOLE)) : -1);
	COLUMNS(log, r, F_RETX, F_BUFFER, F_ECN);
	put_end(log->events);
	drop_count(log, r, l);
	occupancy(log, r, l);
	if (l->capture) {
		verdict(log, r, fate, sizeof(fate));
		capture_sdu(l, r, drop ? dropped_at(log, r) : rel(log, field(r, F_HANDOVER)), fate,
			    f ? f->name : "-");
	}
	if (f && !back && field(r, F_PAYLOAD) &&
	    (drop != WLINK_DROP_FLUSH || rel(log, field(r, F_ARRIVAL)) >= 0))
		series(log, r, f, l->name, seq);
}

static struct name_link *event_link(struct log *log, const struct record *r)
{
	char dev[32];

	field_text(r, F_DEV, dev, sizeof(dev));
	return link_of(log, dev);
}

/* Writes the first columns of all kinds of lines but SDUs and TCP. */
static struct name_link *event_line(struct log *log, const struct record *r,
				    const char *kind)
{
	struct name_link *l = event_link(log, r);

	put_text(log->events, kind);
	column(log, rel(log, field(r, F_AT)));
	put_next_text(log->events, l->name);
	return l;
}

static void rate(struct log *log, const struct record *r)
{
	struct name_link *l = event_line(log, r, "rate");

	COLUMNS(log, r, F_GEN, F_OLD, F_NEW, F_BEARER);
	put_end(log->events);
	if (field(r, F_BEARER) != 1)
		return;
	if (!l->rate) {
		l->rate = out_open(log, "series", l->name, ".rate.tsv");
		put_first(l->rate, 0);
		put_next(l->rate, (int64_t)field(r, F_OLD));
		put_end(l->rate);
	}
	put_first(l->rate, rel(log, field(r, F_AT)));
	put_next(l->rate, (int64_t)field(r, F_NEW));
	put_end(l->rate);
}

static void channel(struct log *log, const struct record *r)
{
	event_line(log, r, "channel");
	COLUMNS(log, r, F_BAD, F_BEARER, F_GEN);
	put_end(log->events);
}

static void grant(struct log *log, const struct record *r)
{
	event_line(log, r, "grant");
	COLUMNS(log, r, F_BEARER, F_GEN, F_BYTES, F_USED);
	put_end(log->events);
}

static void schedule(struct log *log, const struct record *r)
{
	const uint64_t state = field(r, F_STATE);

	if (state >= __WLINK_SCHEDULE_STATE_MAX)
		fail("unknown state of a schedule %ju", (uintmax_t)state);
	event_line(log, r, "play");
	COLUMNS(log, r, F_BEARER, F_GEN);
	put_next_text(log->events, schedule_names[state]);
	column(log, (int64_t)field(r, F_PASS));
	put_end(log->events);
}

static void rrc(struct log *log, const struct record *r)
{
	const uint64_t state = field(r, F_STATE);
	static bool named;

	if (state >= __WLINK_RRC_MAX)
		fail("unknown state of a receiver %ju", (uintmax_t)state);
	name_once(log, &named, "rrc\tt\tlink\tbearer\tgen\tstate");
	event_line(log, r, "rrc");
	COLUMNS(log, r, F_BEARER, F_GEN);
	put_next_text(log->events, rrc_names[state]);
	put_end(log->events);
}

/* A series only, so that logs stay what they were before there was such an event. */
static void background(struct log *log, const struct record *r)
{
	struct name_link *l = event_link(log, r);

	if (!l->background)
		l->background = out_open(log, "series", l->name, ".background.tsv");
	put_first(l->background, rel(log, field(r, F_AT)));
	put_next(l->background, (int64_t)field(r, F_USERS));
	put_next(l->background, (int64_t)field(r, F_AIRTIME));
	put_end(l->background);
}

/* Of the sender, in bit/s; only the lab's kernel has them in this event (patches/rates.patch). */
static void tcp_rates(struct log *log, const struct record *r, struct name_flow *f, int64_t t)
{
	if (!r->layout->field[F_PACING].size)
		return;
	if (!f->rates)
		f->rates = out_open(log, "series", f->name, ".rates.tsv");
	put_first(f->rates, t);
	put_next(f->rates, 8 * (int64_t)field(r, F_PACING));
	put_next(f->rates, 8 * (int64_t)field(r, F_DELIVERY));
	put_end(f->rates);
}

static void tcp(struct log *log, const struct record *r)
{
	bool back;
	struct name_flow *f = flow_of(log, (unsigned int)field(r, F_SPORT),
				      (unsigned int)field(r, F_DPORT), &back);
	int64_t t = rel(log, r->ts_ns);
	struct conn *c;
	uint32_t isn;

	/* Only the sender's side: filtered in the kernel, too. */
	if (!f || back)
		return;
	c = conn_of(f, (unsigned int)field(r, F_DPORT));
	/* Where no wlink has seen the SYN: at the sender's first ACK it alone is
	 * acknowledged.
	 */
	if (!c->isn_known[0]) {
		c->isn_known[0] = true;
		c->isn[0] = (uint32_t)field(r, F_SND_UNA) - 1;
	}
	isn = c->isn[0];
	log->event_count++;
	put_text(log->events, "tcp");
	column(log, t);
	put_next_text(log->events, f->name);
	COLUMNS(log, r, F_CWND, F_SSTHRESH);
	column(log, (uint32_t)field(r, F_SND_UNA) - isn);
	column(log, (uint32_t)field(r, F_SND_NXT) - isn);
	COLUMNS(log, r, F_SND_WND, F_SRTT, F_RCV_WND, F_PAYLOAD);
	put_end(log->events);
	put_first(f->cwnd, t);
	put_next(f->cwnd, (int64_t)field(r, F_CWND));
	put_next(f->cwnd, (int64_t)field(r, F_SSTHRESH));
	put_next(f->cwnd, (int64_t)field(r, F_SRTT));
	put_end(f->cwnd);
	tcp_rates(log, r, f, t);
}

/* After the end only SDUs that a link held at the end count, once. */
static bool too_late(const struct log *log, const struct record *r)
{
	return after_end(log, r->kind == LOG_SDU ? field(r, F_ARRIVAL) :
						  r->ts_ns);
}

static void (*const writers[])(struct log *log, const struct record *r) = {
	[LOG_SDU] = sdu, [LOG_RATE] = rate, [LOG_CHANNEL] = channel, [LOG_GRANT] = grant,
	[LOG_SCHEDULE] = schedule, [LOG_RRC] = rrc, [LOG_BACKGROUND] = background,
	[LOG_TCP] = tcp,
};

void event_write(struct log *log, const struct record *r)
{
	if (r->kind == LOG_PACKET)
		event_link(log, r)->packet = *r;
	if (r->kind == LOG_PACKET || too_late(log, r))
		return;
	/* tcp() leaves out what is of none of the flows. */
	log->event_count += r->kind != LOG_TCP && r->kind != LOG_BACKGROUND;
	writers[r->kind](log, r);
}
