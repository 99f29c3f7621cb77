// SPDX-License-Identifier: GPL-2.0
/* Media flows: talk spurts and silences with exponentially distributed
 * lengths. A spurt has a packet every size * 8 / rate seconds, in the middle of
 * its interval: so the mean rate of packets is exact to a 10000th although spurts
 * end within an interval. Packets are sent and received as in UDP flows.
 */
#include <inttypes.h>

#include "flow.h"
#include "run/plan.h"
#include "rng.h"

/**
 * struct media - private data of a media flow
 * @rng: random numbers
 * @talk_ns: mean of talk spurts
 * @silence_ns: mean of silences
 * @begin_ns: start of the spurt
 * @end_ns: its end
 * @packets: its packets sent so far
 * @spurts: number of spurts with a packet
 */
struct media {
	struct rng rng;
	uint64_t talk_ns;
	uint64_t silence_ns;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t packets;
	uint64_t spurts;
};

static uint64_t media_packet_ns(const struct flow *flow)
{
	const struct media *m = flow->own;
	/* Half packets, in bits. */
	__uint128_t bits = (__uint128_t)(2 * m->packets + 1) * flow->size * 4;

	return m->begin_ns + (uint64_t)(bits * 1000000000U / flow->rate_bps);
}

/* The next spurt that is long enough for a packet, from @begin_ns on. */
static void spurt(struct flow *flow, uint64_t begin_ns)
{
	struct media *m = flow->own;

	for (;;) {
		m->begin_ns = begin_ns;
		m->end_ns = begin_ns + rng_exponential_ns(&m->rng, m->talk_ns);
		m->packets = 0;
		if (media_packet_ns(flow) < m->end_ns)
			return;
		begin_ns = m->end_ns +
			   rng_exponential_ns(&m->rng, m->silence_ns);
	}
}

static void media_sent(struct flow *flow)
{
	struct media *m = flow->own;

	if (!m->packets++)
		m->spurts++;
	if (media_packet_ns(flow) >= m->end_ns)
		spurt(flow, m->end_ns +
			    rng_exponential_ns(&m->rng, m->silence_ns));
}

static void media_listen(const struct plan *plan, struct flow *flow)
{
	struct media *m = plan_memory(sizeof(*m));
	uint64_t begin_ns = flow->start_ns;
	double talks;

	flow->own = m;
	flow->rate_bps = flow_word(flow, "rate");
	flow->size = (uint32_t)flow_word(flow, "size");
	m->talk_ns = flow_word(flow, "talk");
	m->silence_ns = flow_word(flow, "silence");
	m->rng.state = flow->seed;
	talks = (double)m->talk_ns / (double)(m->talk_ns + m->silence_ns);
	/* Talk is as likely at the start of the flow as at any other time. */
	if (rng_unit(&m->rng) > talks)
		begin_ns += rng_exponential_ns(&m->rng, m->silence_ns);
	spurt(flow, begin_ns);
	udp_listen(plan, flow);
}

static void media_report(const struct flow *flow, FILE *to)
{
	const struct media *m = flow->own;

	fprintf(to, " spurts=%" PRIu64, m->spurts);
}

const struct flow_ops media_ops = {
	.kind = "media",
	.listen = media_listen,
	.packet_ns = media_packet_ns,
	.sent = media_sent,
	.due_ns = ahead_due_ns,
	.act = ahead_act,
	.drain = udp_drain,
	.so_far = udp_so_far,
	.finish = udp_finish,
	.report = media_report,
	.close = flow_close,
};
