// SPDX-License-Identifier: GPL-2.0
/* Background load as packets: transfers that come as a Poisson process, with
 * hyper-exponential sizes of balanced means, each at one rate; or the rates of a
 * recorded load. Packets are sent and received as in UDP flows.
 *
 * A size is rounded to whole packets up or down by chance, so that the mean is exact.
 * A packet is in the middle of its interval, as in media flows.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "run/plan.h"
#include "rng.h"

/* A transfer that goes on. */
struct transfer {
	uint64_t begin_ns;
	uint64_t sent;
	uint64_t packets;
	uint64_t due_ns;
};

/**
 * struct load - private data of a load
 * @rng: random numbers
 * @arrival_ns: mean time between two transfers, 0 for a recorded load
 * @arrive_ns: when the next one comes
 * @short_q32: probability of a short one, times 2^32
 * @mean: mean packets of all
 * @on: heap of those that go on, the one whose packet is due first on top
 * @count: how many
 * @room: for how many @on has room
 * @transfers: how many have come
 * @step: rest of the recorded load, "NS:BPS,..."
 * @step_ns: since when @rate_bps holds
 * @rate_bps: its rate now
 * @bit_ns: bits until the next packet at @step_ns, times 10^9
 */
struct load {
	struct rng rng;
	uint64_t arrival_ns;
	uint64_t arrive_ns;
	uint64_t short_q32;
	double mean;
	struct transfer *on;
	size_t count;
	size_t room;
	uint64_t transfers;
	const char *step;
	uint64_t step_ns;
	uint64_t rate_bps;
	__uint128_t bit_ns;
};

static uint64_t transfer_due_ns(const struct flow *flow, const struct transfer *t)
{
	/* Half packets, in bits. */
	__uint128_t bits = (__uint128_t)(2 * t->sent + 1) * flow->size * 4;

	return t->begin_ns + (uint64_t)(bits * 1000000000U / flow->rate_bps);
}

/* Puts @t in place of the one at @at, or of one below it. */
static void heap_down(struct load *l, size_t at, struct transfer t)
{
	size_t child;

	for (; (child = 2 * at + 1) < l->count; at = child) {
		if (child + 1 < l->count &&
		    l->on[child + 1].due_ns < l->on[child].due_ns)
			child++;
		if (l->on[child].due_ns >= t.due_ns)
			break;
		l->on[at] = l->on[child];
	}
	l->on[at] = t;
}

static void heap_add(struct load *l, struct transfer t)
{
	size_t at = l->count++;

	if (l->count > l->room) {
		l->room = 2 * l->count;
		l->on = reallocarray(l->on, l->room, sizeof(*l->on));
		if (!l->on)
			fail("out of memory");
	}
	for (; at && l->on[(at - 1) / 2].due_ns > t.due_ns; at = (at - 1) / 2)
		l->on[at] = l->on[(at - 1) / 2];
	l->on[at] = t;
}

static void transfer_comes(const struct flow *flow)
{
	struct load *l = flow->own;
	struct transfer t = { .begin_ns = l->arrive_ns };
	uint64_t part = l->short_q32;
	double packets;

	if (rng_next(&l->rng) >> 32 >= part)
		part = (1ULL << 32) - part;
	/* The mean of its kind is the mean of all / (2 part). */
	packets = l->mean * rng_exponential(&l->rng) * (1ULL << 31) / (double)part;
	t.packets = (uint64_t)(packets + rng_unit(&l->rng));
	if (l->arrive_ns < run_end_ns() && l->arrive_ns < flow->stop_ns)
		l->transfers++;
	l->arrive_ns += rng_exponential_ns(&l->rng, l->arrival_ns);
	if (!t.packets)
		return;
	t.due_ns = transfer_due_ns(flow, &t);
	heap_add(l, t);
}

static void transfer_sent(const struct flow *flow)
{
	struct load *l = flow->own;
	struct transfer t = l->on[0];

	if (++t.sent == t.packets) {
		if (!--l->count)
			return;
		t = l->on[l->count];
	} else {
		t.due_ns = transfer_due_ns(flow, &t);
	}
	heap_down(l, 0, t);
}

/* When the next packet is due at this rate. */
static uint64_t step_due_ns(const struct load *l)
{
	__uint128_t ns;

	if (!l->rate_bps)
		return FLOW_NEVER;
	ns = (l->bit_ns + l->rate_bps - 1) / l->rate_bps;
	return ns < FLOW_NEVER / 2 ? l->step_ns + (uint64_t)ns : FLOW_NEVER;
}

/* Goes on to the step in which the next packet is due. */
static void step_on(const struct flow *flow)
{
	struct load *l = flow->own;
	uint64_t at_ns;
	char *end;

	while (*l->step) {
		at_ns = flow->start_ns + strtoull(l->step, &end, 10);
		if (step_due_ns(l) <= at_ns)
			return;
		if (*end != ':')
			fail("flow %s: a load without a rate", flow->name);
		l->bit_ns -= (__uint128_t)l->rate_bps * (at_ns - l->step_ns);
		l->step_ns = at_ns;
		l->rate_bps = strtoull(end + 1, &end, 10);
		l->step = end + (*end == ',');
	}
}

static void step_sent(const struct flow *flow)
{
	struct load *l = flow->own;
	uint64_t due_ns = step_due_ns(l);

	/* What is over of the ns is of the next packet. */
	l->bit_ns += (__uint128_t)flow->size * 8 * 1000000000U;
	l->bit_ns -= (__uint128_t)l->rate_bps * (due_ns - l->step_ns);
	l->step_ns = due_ns;
	step_on(flow);
}

static void load_listen(const struct plan *plan, struct flow *flow)
{
	struct load *l = plan_memory(sizeof(*l));
	const char *loads = strstr(flow->words, "loads=");

	flow->own = l;
	flow->size = (uint32_t)flow_word(flow, "size");
	l->rng.state = flow->seed;
	if (loads) {
		l->step = loads + strlen("loads=");
		l->step_ns = flow->start_ns;
		l->bit_ns = (__uint128_t)flow->size * 4 * 1000000000U;
		step_on(flow);
	} else {
		flow->rate_bps = flow_word(flow, "rate");
		l->arrival_ns = flow_word(flow, "arrival");
		l->short_q32 = flow_word(flow, "short");
		l->mean = (double)flow_word(flow, "transfer") / flow->size;
		l->arrive_ns = flow->start_ns +
			       rng_exponential_ns(&l->rng, l->arrival_ns);
	}
	udp_listen(plan, flow);
}

/* Transfers come until one of those that go on has a packet before the next one comes. */
static uint64_t load_packet_ns(const struct flow *flow)
{
	struct load *l = flow->own;

	if (!l->arrival_ns)
		return step_due_ns(l);
	while (!l->count || l->on[0].due_ns >= l->arrive_ns)
		transfer_comes(flow);
	return l->on[0].due_ns;
}

static void load_sent(struct flow *flow)
{
	const struct load *l = flow->own;

	if (l->arrival_ns)
		transfer_sent(flow);
	else
		step_sent(flow);
}

static void load_report(const struct flow *flow, FILE *to)
{
	const struct load *l = flow->own;

	if (l->arrival_ns)
		fprintf(to, " transfers=%" PRIu64, l->transfers);
}

static void load_close(struct flow *flow)
{
	struct load *l = flow->own;

	free(l->on);
	flow_close(flow);
}

const struct flow_ops load_ops = {
	.kind = "load",
	.listen = load_listen,
	.packet_ns = load_packet_ns,
	.sent = load_sent,
	.due_ns = ahead_due_ns,
	.act = ahead_act,
	.drain = udp_drain,
	.so_far = udp_so_far,
	.finish = udp_finish,
	.report = load_report,
	.close = load_close,
};
