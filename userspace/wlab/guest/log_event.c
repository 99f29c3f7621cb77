// SPDX-License-Identifier: GPL-2.0
/* Normalises events: times from the start of the run, sequence numbers from the
 * flow's initial one, names instead of ports. Nothing random of the guest may
 * pass, since a digest of the log tells whether two runs were the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

#define PROTO_TCP 6
#define PROTO_UDP 17

/* The final flush takes some ns of looks at the clock: it is the end itself. */
static int64_t rel(const struct log *log, uint64_t ns)
{
	const int64_t t = (int64_t)(ns - log->start_ns);

	return t > (int64_t)log->duration_ns ? (int64_t)log->duration_ns : t;
}

/* One more column of the line. */
static void column(struct log *log, int64_t value)
{
	fprintf(log->events, "\t%" PRId64, value);
}

static void columns(struct log *log, const struct record *r,
		    const enum log_field *fields, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		column(log, (int64_t)field(r, fields[i]));
}

static void add_step(struct name_link *l, int64_t t_ns, int sdus, int bytes)
{
	l->steps = longer(l->steps, l->step_count, sizeof(*l->steps));
	l->steps[l->step_count] = (struct step){ t_ns, l->step_count, sdus,
						 bytes };
	l->step_count++;
}

static uint32_t seq_rel(struct name_flow *f, bool back, const struct record *r)
{
	const unsigned int port = (unsigned int)field(r, back ? F_SPORT :
								F_DPORT);
	const uint32_t seq = (uint32_t)field(r, F_TCP_SEQ);
	struct conn *c = conn_of(f, port);

	/* The first segment of a direction is its SYN. */
	if (!c->isn_known[back]) {
		c->isn_known[back] = true;
		c->isn[back] = seq;
	}
	return seq - c->isn[back];
}

static void series(struct log *log, const struct record *r, struct name_flow *f,
		   const char *link, int64_t seq)
{
	const uint64_t drop = field(r, F_DROP);
	const bool radio = !strncmp(link, "radio.", 6);
	const int64_t bytes = (int64_t)field(r, F_PAYLOAD);

	/* The SYN has taken number 0; UDP has but the link's numbers. */
	seq = f->tcp ? seq - 1 : (int64_t)field(r, F_SEQ);

	/* What is "sent" is seen best where the sender's own device has a log:
	 * always for uplink flows, for downlink ones on a wired wlink.
	 */
	if (radio == (f->up || !log->wired_seen))
		fprintf(f->seq, "%" PRId64 "\tsent\t%" PRId64 "\t%" PRId64 "\n",
			rel(log, field(r, F_ARRIVAL)), seq, bytes);
	if (drop != DROP_NONE && drop != DROP_FLUSH)
		fprintf(f->seq, "%" PRId64 "\tdropped\t%" PRId64 "\t%" PRId64
			"\t%s\n", rel(log, field(r, F_END)), seq, bytes,
			drop_names[drop]);
	if (drop == DROP_NONE && radio) {
		fprintf(f->seq, "%" PRId64 "\treceived\t%" PRId64 "\t%" PRId64
			"\n", rel(log, field(r, F_DELIVER)), seq, bytes);
		delay_add(log, &f->delays, rel(log, field(r, F_ARRIVAL)),
			  field(r, F_DELIVER) - field(r, F_ARRIVAL));
	}
}

static void drop_count(struct log *log, const struct record *r,
		       struct name_link *l)
{
	const uint64_t drop = field(r, F_DROP);
	const int64_t end = rel(log, field(r, F_END));

	/* A flush at the end finds what the link still held then. */
	if (drop == DROP_NONE ||
	    (drop == DROP_FLUSH && end >= (int64_t)log->duration_ns))
		return;
	l->drops[WHOLE][drop]++;
	if (end >= (int64_t)log->warmup_ns)
		l->drops[WARM][drop]++;
}

static void occupancy(struct log *log, const struct record *r,
		      struct name_link *l)
{
	const int64_t arrival = rel(log, field(r, F_ARRIVAL));
	const int64_t end = rel(log, field(r, F_END));
	const int bytes = (int)field(r, F_BYTES);
	const uint64_t drop = field(r, F_DROP);

	/* It was never in. */
	if (!field(r, F_BUFFER))
		return;
	l->fills = longer(l->fills, l->fill_count, sizeof(*l->fills));
	l->fills[l->fill_count++] = (struct fill){
		arrival, field(r, F_SEQ), (unsigned int)field(r, F_BEARER),
		(unsigned int)field(r, F_BUFFER),
	};
	add_step(l, arrival, 1, bytes);
	/* A flush at the end of the run finds SDUs that are still there, in
	 * the buffer or on their way to the far side.
	 */
	if (drop != DROP_FLUSH || end < (int64_t)log->duration_ns)
		add_step(l, end, -1, -bytes);
	if (drop == DROP_NONE)
		delay_add(log, &l->delays, arrival,
			  field(r, F_DELIVER) - field(r, F_ARRIVAL));
}

static void sdu(struct log *log, const struct record *r)
{
	static const enum log_field before[] = {
		F_BEARER, F_GEN, F_SEQ, F_BYTES, F_PDUS, F_PDUS_LOST,
	}, after[] = { F_RETX, F_BUFFER, F_ECN };
	const uint64_t proto = field(r, F_PROTO), drop = field(r, F_DROP);
	const uint64_t start = field(r, F_START), deliver = field(r, F_DELIVER);
	struct name_flow *f = NULL;
	struct name_link *l;
	int64_t seq = 0;
	bool back = false;
	char dev[32];

	if (drop >= DROPS)
		fail("unknown drop reason %" PRIu64, drop);
	field_text(r, F_DEV, dev, sizeof(dev));
	l = link_of(log, dev);
	if (!strncmp(l->name, "wired.", 6))
		log->wired_seen = true;
	if (proto == PROTO_TCP || proto == PROTO_UDP)
		f = flow_of(log, (unsigned int)field(r, F_SPORT),
			    (unsigned int)field(r, F_DPORT), &back);
	if (f && f->tcp)
		seq = seq_rel(f, back, r);
	fputs("sdu", log->events);
	column(log, rel(log, drop ? field(r, F_END) : field(r, F_HANDOVER)));
	fprintf(log->events, "\t%s\t%s\t%s", l->name, f ? f->name : "-",
		back ? "back" : "forth");
	columns(log, r, before, sizeof(before) / sizeof(before[0]));
	fprintf(log->events, "\t%s", drop_names[drop]);
	column(log, rel(log, field(r, F_ARRIVAL)));
	column(log, start ? rel(log, start) : -1);
	column(log, rel(log, field(r, F_END)));
	column(log, deliver ? rel(log, deliver) : -1);
	column(log, seq);
	column(log, (int64_t)field(r, F_PAYLOAD));
	column(log, deliver ? rel(log, field(r, F_DUE)) : -1);
	column(log, deliver ? rel(log, field(r, F_WHOLE)) : -1);
	columns(log, r, after, sizeof(after) / sizeof(after[0]));
	fputc('\n', log->events);
	drop_count(log, r, l);
	occupancy(log, r, l);
	if (f && !back && field(r, F_PAYLOAD) &&
	    (drop != DROP_FLUSH || rel(log, field(r, F_ARRIVAL)) >= 0))
		series(log, r, f, l->name, seq);
}

static void rate(struct log *log, const struct record *r)
{
	const int64_t t = rel(log, field(r, F_AT));
	struct name_link *l;
	char dev[32];

	field_text(r, F_DEV, dev, sizeof(dev));
	l = link_of(log, dev);
	fprintf(log->events, "rate\t%" PRId64 "\t%s\t%" PRIu64 "\t%" PRIu64
		"\t%" PRIu64 "\t%" PRIu64 "\n", t, l->name, field(r, F_GEN),
		field(r, F_OLD), field(r, F_NEW), field(r, F_BEARER));
	if (field(r, F_BEARER) != 1)
		return;
	if (!l->rate) {
		l->rate = out_open(log, "series", l->name, ".rate.tsv");
		fprintf(l->rate, "0\t%" PRIu64 "\n", field(r, F_OLD));
	}
	fprintf(l->rate, "%" PRId64 "\t%" PRIu64 "\n", t, field(r, F_NEW));
}

static void channel(struct log *log, const struct record *r)
{
	char dev[32];

	field_text(r, F_DEV, dev, sizeof(dev));
	fprintf(log->events, "channel\t%" PRId64 "\t%s\t%" PRIu64 "\t%" PRIu64
		"\t%" PRIu64 "\n", rel(log, field(r, F_AT)),
		link_of(log, dev)->name, field(r, F_BAD), field(r, F_BEARER),
		field(r, F_GEN));
}

static void grant(struct log *log, const struct record *r)
{
	static const enum log_field fields[] = {
		F_BEARER, F_GEN, F_BYTES, F_USED,
	};
	char dev[32];

	field_text(r, F_DEV, dev, sizeof(dev));
	fprintf(log->events, "grant\t%" PRId64 "\t%s", rel(log, field(r, F_AT)),
		link_of(log, dev)->name);
	columns(log, r, fields, sizeof(fields) / sizeof(fields[0]));
	fputc('\n', log->events);
}

static void play(struct log *log, const struct record *r)
{
	static const enum log_field fields[] = { F_BEARER, F_GEN };
	const uint64_t state = field(r, F_STATE);
	char dev[32];

	if (state >= PLAY_STATES)
		fail("unknown state of a schedule %" PRIu64, state);
	field_text(r, F_DEV, dev, sizeof(dev));
	fprintf(log->events, "play\t%" PRId64 "\t%s", rel(log, field(r, F_AT)),
		link_of(log, dev)->name);
	columns(log, r, fields, sizeof(fields) / sizeof(fields[0]));
	fprintf(log->events, "\t%s\t%" PRIu64 "\n", play_names[state],
		field(r, F_PASS));
}

static void tcp(struct log *log, const struct record *r)
{
	static const enum log_field window[] = {
		F_CWND, F_SSTHRESH, F_SND_WND, F_SRTT, F_RCV_WND, F_PAYLOAD,
	};
	bool back;
	struct name_flow *f = flow_of(log, (unsigned int)field(r, F_SPORT),
				      (unsigned int)field(r, F_DPORT), &back);
	int64_t t = rel(log, r->ts_ns);
	const struct conn *c;
	uint32_t isn;

	/* Only the sender's side: filtered in the kernel, too. */
	if (!f || back)
		return;
	c = conn_of(f, (unsigned int)field(r, F_DPORT));
	if (!c->isn_known[0])
		return;
	isn = c->isn[0];
	fputs("tcp", log->events);
	column(log, t);
	fprintf(log->events, "\t%s", f->name);
	columns(log, r, window, 2);
	column(log, (uint32_t)field(r, F_SND_UNA) - isn);
	column(log, (uint32_t)field(r, F_SND_NXT) - isn);
	columns(log, r, window + 2, 4);
	fputc('\n', log->events);
	fprintf(f->cwnd, "%" PRId64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
		t, field(r, F_CWND), field(r, F_SSTHRESH), field(r, F_SRTT));
}

/* After the end only the flush of what is still held counts. */
static bool too_late(const struct log *log, const struct record *r)
{
	if (r->ts_ns - log->start_ns <= log->duration_ns)
		return false;
	return r->kind != LOG_SDU || field(r, F_DROP) != DROP_FLUSH;
}

void event_write(struct log *log, const struct record *r)
{
	if (too_late(log, r))
		return;
	log->event_count++;
	if (r->kind == LOG_SDU)
		sdu(log, r);
	else if (r->kind == LOG_RATE)
		rate(log, r);
	else if (r->kind == LOG_CHANNEL)
		channel(log, r);
	else if (r->kind == LOG_GRANT)
		grant(log, r);
	else if (r->kind == LOG_PLAY)
		play(log, r);
	else
		tcp(log, r);
}
