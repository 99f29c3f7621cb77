// SPDX-License-Identifier: GPL-2.0
#include "wl_ask.h"
#include "wl_case.h"

/* Calls of the engine that may pass without any progress of time. */
#define STUCK_CALLS	1000

void wl_case_set(struct wl_cfg *cfg, enum wl_op op, u64 value)
{
	struct wl_chan_cfg *channel = &cfg->channel;

	switch (op) {
	case WL_OP_RATE:
		cfg->rate_bps = value;
		break;
	case WL_OP_TTI:
		cfg->tti_ns = value;
		break;
	case WL_OP_DELAY:
		cfg->delay_ns = value;
		break;
	case WL_OP_PDU:
		cfg->pdu_bytes = value;
		break;
	case WL_OP_HEADER:
		cfg->header_bytes = value;
		break;
	case WL_OP_LIMIT_PACKETS:
		cfg->limit.kind = WL_LIMIT_PACKETS;
		cfg->limit.value = value;
		break;
	case WL_OP_LIMIT_BYTES:
		cfg->limit.kind = WL_LIMIT_BYTES;
		cfg->limit.value = value;
		break;
	case WL_OP_LIMIT_TIME:
		cfg->limit.kind = WL_LIMIT_TIME;
		cfg->limit.value = value;
		break;
	case WL_OP_NONE:
		memset(channel, 0, sizeof(*channel));
		break;
	case WL_OP_UNIFORM:
		memset(channel, 0, sizeof(*channel));
		channel->kind = WLINK_CHANNEL_UNIFORM;
		channel->loss_q32 = value;
		break;
	case WL_OP_P:
		channel->kind = WLINK_CHANNEL_GILBERT;
		channel->loss_bad_q32 = WLINK_PROB_ONE;
		channel->p_q32 = value;
		break;
	case WL_OP_R:
		channel->kind = WLINK_CHANNEL_GILBERT;
		channel->loss_bad_q32 = WLINK_PROB_ONE;
		channel->r_q32 = value;
		break;
	case WL_OP_KIND:
		channel->kind = value;
		break;
	default:
		break;
	}
}

static void record(struct wl_link *link, const struct wl_sdu *sdu)
{
	struct wl_run *run = (struct wl_run *)link;

	if (run->done_count == WL_CASE_SLOTS)
		return;
	run->done[run->done_count] = *sdu;
	run->handed_ns[run->done_count++] = run->now_ns;
}

static void record_change(struct wl_link *link, const struct wl_bearer *b,
			  u64 at_ns, u64 old_bps, u64 new_bps)
{
	struct wl_run *run = (struct wl_run *)link;
	struct wl_change *change;

	if (run->change_count == WL_CASE_CHANGES)
		return;
	change = &run->changes[run->change_count++];
	change->at_ns = at_ns;
	change->old_bps = old_bps;
	change->new_bps = new_bps;
}

static void ignore_channel(struct wl_link *link, const struct wl_bearer *b, u64 at_ns, bool bad)
{
	(void)link;
	(void)b;
	(void)at_ns;
	(void)bad;
}

static const struct wl_link_ops case_ops = {
	.dropped = record,
	.rate_changed = record_change,
	.applied = wl_ask_applied,
	.granted = wl_ask_granted,
	.schedule_changed = wl_ask_schedule_changed,
	.channel_changed = ignore_channel,
};

static void call(struct wl_run *run, u64 now_ns)
{
	struct wl_sdu sdu;

	run->now_ns = now_ns;
	while (!wl_link_advance(&run->link, now_ns))
		;
	while (wl_link_pop(&run->link, &sdu))
		record(&run->link, &sdu);
}

static bool run_until(struct wl_run *run, u64 until_ns)
{
	u32 stuck = 0;

	for (;;) {
		u64 next_ns = wl_link_next_ns(&run->link);
		u64 was_ns = run->now_ns;

		if (next_ns > until_ns || next_ns == WL_NEVER_NS)
			return true;
		call(run, max(next_ns, was_ns));
		stuck = run->now_ns == was_ns ? stuck + 1 : 0;
		if (stuck == STUCK_CALLS)
			return false;
	}
}

static void take(struct wl_run *run, const struct wl_step *step)
{
	u64 at_ns = step->at_ns;
	u32 times = step->more + 1;

	call(run, at_ns);
	switch (step->op) {
	case WL_OP_SEND:
		while (times--)
			wl_link_enqueue(&run->link, &run->link.first, at_ns, NULL, step->value,
					WL_ECN_NOT_ECT);
		break;
	case WL_OP_FLUSH:
		wl_link_flush(&run->link, at_ns);
		break;
	default:
		wl_case_set(&run->cfg, step->op, step->value);
		wl_ask(&run->link, &run->link.first, at_ns, &run->cfg, false);
		break;
	}
	call(run, at_ns);
}

static bool differs(struct wl_mismatch *bad, const char *what, u64 is, u64 wanted)
{
	if (is == wanted)
		return false;
	bad->what = what;
	bad->is = is;
	bad->wanted = wanted;
	return true;
}

static bool judge(const struct wl_run *run, const struct wl_want *want, struct wl_mismatch *bad)
{
	const struct wl_sdu *sdu;
	u32 i = 0;

	bad->seq = want->seq;
	while (i < run->done_count && run->done[i].seq != want->seq)
		i++;
	if (differs(bad, "found", i < run->done_count, true))
		return false;
	sdu = &run->done[i];
	return !differs(bad, "drop", sdu->drop, want->drop) &&
	       !differs(bad, "start_ns", sdu->start_ns, want->start_ns) &&
	       !differs(bad, "end_ns", sdu->end_ns, want->end_ns) &&
	       (want->drop || !differs(bad, "deliver_ns", sdu->deliver_ns, want->deliver_ns)) &&
	       !differs(bad, "pdus", sdu->pdus, want->pdus) &&
	       !differs(bad, "pdus_lost", sdu->pdus_lost, want->lost) &&
	       !differs(bad, "generation", sdu->generation, want->generation) &&
	       !differs(bad, "handed over at", run->handed_ns[i], sdu->deliver_ns);
}

bool wl_case_run(struct wl_run *run, const struct wl_case *test, u32 budget_max,
		 struct wl_mismatch *bad)
{
	const struct wl_step *step;
	const struct wl_want *want;

	memset(run, 0, sizeof(*run));
	memset(bad, 0, sizeof(*bad));
	wl_cfg_default(&run->cfg);
	for (step = test->cfg; step->op; step++)
		wl_case_set(&run->cfg, step->op, step->value);
	wl_link_init(&run->link, &run->cfg, 0, &case_ops);
	if (budget_max)
		run->link.budget_max = budget_max;
	wl_link_add_sdus(&run->link, run->sdus, test->slots ? test->slots : WL_CASE_SLOTS);
	for (step = test->steps; step->op; step++) {
		if (!run_until(run, step->at_ns)) {
			bad->what = "stuck";
			return false;
		}
		take(run, step);
	}
	if (!run_until(run, WL_NEVER_NS)) {
		bad->what = "stuck";
		return false;
	}
	if (differs(bad, "held at the end", run->link.first.stats.v[WLINK_STAT_SDUS_HELD], 0))
		return false;
	for (want = test->wants; want->end_ns; want++)
		if (!judge(run, want, bad))
			return false;
	return true;
}
