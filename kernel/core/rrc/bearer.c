// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A bearer is set up, configured and emptied; what its protocol does as time goes
 * on.
 *
 * TM: queue -> air_sdus or unit -> pipe -> the link's out list. Modes that number
 * their PDUs keep a SDU on the queue until both peers have done with it: the
 * sender releases it, and it is gone, handed over or dropped.
 */
#include "../3gpp.h"
#include "../air/air.h"
#include "../air/reverse.h"
#include "../air/rings.h"
#include "../buffer/buffer.h"
#include "../buffer/sdu.h"
#include "../impair/impair.h"
#include "../mac/sched.h"
#include "../mac/serve.h"
#include "../mac/submit.h"
#include "../rlc/tm.h"
#include "bearer.h"

/* What a change of the configuration does at once. More waits for the budget of a
 * call; how much that is must not depend on what the call has done before.
 */
#define CHANGE_BUDGET	256U

/* PDUs that are made to fit a transport block: of small SDUs in NR. */
#define BLOCK_PDU_BYTES	64U

/* Another mode is a file with its struct wl_mode_ops, and a line here or in 3gpp/ops.c. */
static const struct wl_mode_ops *const modes[] = {
	[WLINK_MODE_TM] = NULL,
	[WLINK_MODE_UM] = &wl_um_ops,
	[WLINK_MODE_AM] = &wl_am_ops,
	[WLINK_MODE_FSR] = &wl_sr_ops,
	[WLINK_MODE_ASR] = &wl_sr_ops,
};

const struct wl_mode_ops *wl_bearer_mode(enum wlink_mode mode)
{
	return wl_mode_is_lte(mode) ? wl_3gpp->mode[mode] : modes[mode];
}

/* The bearer begins anew: take away what has been begun, keep what has not, for which it
 * has its grant. Return: false when the budget did not suffice.
 */
static bool bearer_drop_begun(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu;

	while ((sdu = b->old.head)) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_fifo_pop(&b->old);
		sdu->flags &= ~WL_SDU_LISTED;
		if (sdu->flags & (WL_SDU_BEGUN | WL_SDU_GONE)) {
			wl_sdu_let_go(b, sdu, now_ns, WLINK_DROP_REESTABLISH);
		} else {
			wl_buffer_unbegin(b, sdu);
			wl_fifo_push(&b->queue, sdu);
			wl_buffer_list(b, sdu);
		}
	}
	if (b->access.on)
		wl_3gpp->access_idle(b);
	return true;
}

static void bearer_let_leave(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns,
			     enum wlink_drop reason)
{
	sdu->flags &= ~WL_SDU_LISTED;
	wl_sdu_let_go(b, sdu, now_ns, reason);
}

/* Its SDUs that the engine had not reached yet; those of others stay, in their order.
 * Return: false when the budget did not suffice.
 */
static bool bearer_leave_inbox(struct wl_bearer *b)
{
	struct wl_link *link = b->link;
	struct wl_sdu *sdu;

	while ((sdu = link->inbox.head) && sdu->seq < b->leave_seq) {
		if (!wl_link_try_charge(link))
			return false;
		wl_fifo_pop(&link->inbox);
		wl_fifo_push(sdu->owner == b ? &b->leaving : &link->passed, sdu);
	}
	wl_fifo_append(&link->passed, &link->inbox);
	link->inbox = link->passed;
	link->passed.head = NULL;
	b->leave_seq = 0;
	return true;
}

/* The same of what is due and has not been handed over. */
static bool bearer_leave_out(struct wl_bearer *b)
{
	struct wl_link *link = b->link;
	struct wl_sdu *sdu;

	if (!link->sifted) {
		link->sifted = link->out.head;
		link->out.head = NULL;
	}
	while ((sdu = link->sifted)) {
		if (!wl_link_try_charge(link))
			return false;
		link->sifted = sdu->out_next;
		if (sdu->owner == b)
			wl_sdu_drop_out(b, sdu, b->leave_ns);
		else
			wl_sdu_out(link, sdu);
	}
	return true;
}

/* What it holds goes, and the buffer is empty. What is behind the receiver is not forwarded:
 * it goes there. Return: false when the budget did not suffice.
 */
static bool bearer_leave(struct wl_bearer *b)
{
	if (!bearer_leave_inbox(b))
		return false;
	while (b->leaving.head) {
		if (!wl_link_try_charge(b->link))
			return false;
		bearer_let_leave(b, wl_fifo_pop(&b->leaving), b->leave_ns, b->leave_for);
	}
	while (b->leave_for == WLINK_DROP_FLUSH && b->impair.delayed) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_sdu_drop(b, wl_impair_take(b), b->leave_ns, WLINK_DROP_FLUSH);
	}
	if (b->leave_for == WLINK_DROP_FLUSH && !bearer_leave_out(b))
		return false;
	b->leave_for = WLINK_DROP_NONE;
	wl_buffer_start(b, b->leave_ns);
	return true;
}

u64 wl_bearer_event_ns(const struct wl_bearer *b)
{
	u64 next_ns = min(wl_tm_expiry_ns(b), wl_aqm_next_ns(&b->aqm));

	if (b->again)
		return b->link->event_ns;
	if (b->pipe.head)
		next_ns = min(next_ns, b->pipe.head->deliver_ns);
	if (b->ops)
		next_ns = min(next_ns, b->ops->next_ns(b));
	return min3(min(next_ns, b->impair.next_ns), b->harq.next_ns, b->access.next_ns);
}

static void bearer_start(struct wl_bearer *b, u64 now_ns)
{
	b->ops = wl_bearer_mode(b->cfg.mode);
	memset(b->place, 0, sizeof(b->place));
	b->passed = NULL;
	b->unended = NULL;
	b->flight.head = b->flight.tail;
	b->feedback.head = b->feedback.tail;
	wl_submit_forget(b);
	b->connection = ++b->link->connections;
	memset(&b->mode, 0, sizeof(b->mode));
	b->failed = false;
	if (b->ops)
		b->ops->start(b, now_ns);
}

/* Another mode, PDU or window, or a radio link failure: what has been begun goes, except
 * what is on its way in TM. What HARQ gives before that is for the mode that has filled it.
 */
static void bearer_reestablish(struct wl_bearer *b, u64 now_ns)
{
	b->restarts = b->harq.resets;
	if (b->restarts)
		return;
	wl_serve_abort(b, now_ns);
	/* What the one before has not come to is younger than what it has kept. */
	wl_fifo_append(&b->queue, &b->old);
	b->old = b->queue;
	b->queue.head = NULL;
	bearer_start(b, now_ns);
	/* What it sends goes by all that it keeps. */
	if (bearer_drop_begun(b, now_ns))
		wl_sched_wake(b, now_ns);
	else
		b->again = true;
}

/* RRC re-establishes the connection, TS 36.331 clause 5.3.7. */
static void bearer_fail(struct wl_bearer *b, u64 now_ns)
{
	b->stats.v[WLINK_STAT_UNRECOVERABLE]++;
	wl_3gpp->harq_reset(b, now_ns);
	bearer_reestablish(b, now_ns);
}

/* Return: false when the budget did not suffice. */
static bool bearer_event(struct wl_bearer *b, u64 now_ns, bool again)
{
	if (b->leave_for && !bearer_leave(b))
		return false;
	if (b->harq.resets && !wl_3gpp->harq_event(b, now_ns))
		return false;
	if (b->restarts)
		bearer_reestablish(b, now_ns);
	if (b->old.head) {
		if (!bearer_drop_begun(b, now_ns))
			return false;
		wl_sched_wake(b, now_ns);
	}
	if (!wl_buffer_trim(b, now_ns))
		return false;
	while (b->ops && wl_sdu_is_over(b->queue.head)) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_sdu_reap_first(b);
	}
	while (b->pipe.head && b->pipe.head->deliver_ns <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_sdu_received(b, wl_fifo_pop(&b->pipe));
	}
	if (b->impair.next_ns <= now_ns && !wl_impair_event(b, now_ns))
		return false;
	if (b->harq.next_ns <= now_ns && !wl_3gpp->harq_event(b, now_ns))
		return false;
	if (b->access.next_ns <= now_ns) {
		wl_3gpp->access_event(b, now_ns);
		wl_sched_wake(b, now_ns);
	}
	if (b->ops && (again || b->ops->next_ns(b) <= now_ns)) {
		if (!b->ops->event(b, now_ns))
			return false;
		if (b->failed)
			bearer_fail(b, now_ns);
		if (b->old.head || b->restarts)
			return false;
		wl_sched_wake(b, now_ns);
	}
	/* One that arrived before the change that shortened the timer may be
	 * late.
	 */
	while (wl_tm_expiry_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_buffer_drop_first(b, now_ns, WLINK_DROP_TIMER);
	}
	/* After what has been acknowledged at this time. */
	wl_buffer_event(b, now_ns);
	/* What had a grant may have been dropped while it could not be sent. */
	if (b->access.state > WL_ACCESS_WAITS && !b->busy && !wl_sched_wanted(b))
		wl_3gpp->access_idle(b);
	return true;
}

void wl_bearer_event(struct wl_bearer *b, u64 now_ns)
{
	bool again = b->again;

	b->again = false;
	if (!bearer_event(b, now_ns, again))
		b->again = true;
}

static void bearer_configure_access(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old)
{
	const struct wl_cfg *cfg = &b->cfg;

	if (b->access.on || cfg->access.sr_ns || cfg->drx.cycle_ns || cfg->drx.idle_ns)
		wl_3gpp->access_configure(b, now_ns, old);
}

void wl_bearer_configure(struct wl_bearer *b, u64 now_ns,
			 const struct wl_cfg *cfg, bool reseed)
{
	struct wl_link *link = b->link;
	struct wl_cfg old = b->cfg;
	u64 turns = wl_air_turns(b);
	u32 left = link->budget;

	link->budget = CHANGE_BUDGET;
	b->changing = true;
	if (wl_link_tti_ns(link))
		wl_air_sync(link, b->air, now_ns);
	wl_serve_before_configure(b, now_ns, cfg);
	b->cfg = *cfg;
	bearer_configure_access(b, now_ns, &old);
	wl_impair_configure(b);
	wl_air_configure(b, now_ns, reseed);
	wl_serve_configure(b, now_ns, &old);
	wl_reverse_configure(b, now_ns, &old);
	if (b->rings.blocks)
		wl_3gpp->harq_configure(b, now_ns, &old);
	if (wl_cfg_reestablishes(&old, cfg))
		bearer_reestablish(b, now_ns);
	else if (b->ops && b->ops->configured &&
		 !b->ops->configured(b, now_ns, &old))
		b->again = true;
	wl_buffer_configure(b, now_ns, &old);
	b->changing = false;
	/* Timer_Discard may have become shorter than what has passed. What leaves has an event of
	 * its own.
	 */
	if (!b->leave_for && wl_bearer_event_ns(b) <= now_ns)
		wl_bearer_event(b, now_ns);
	if (!b->restarts)
		wl_sched_wake(b, now_ns);
	link->budget = left - min(left, CHANGE_BUDGET - link->budget);
	wl_link_spend(link, (wl_air_turns(b) - turns) / 2);
}

void wl_bearer_tell(struct wl_link *link)
{
	u64 turns, now_ns = link->event_ns;
	struct wl_bearer *b;

	while ((b = link->untold)) {
		turns = wl_air_turns(b);
		wl_serve_hear(b, now_ns);
		/* What HARQ has comes before what else the change is for it: told once more. */
		if (link->news & WL_NEWS_GRID && b->harq.resets)
			return;
		link->untold = b->next;
		wl_air_hear(b, now_ns);
		if (link->news & WL_NEWS_WAKE)
			wl_sched_wake(b, now_ns);
		turns = wl_air_turns(b) - turns;
		if (!wl_link_charge(link, 4 + turns / 2) && link->untold)
			return;
	}
	if (link->news & WL_NEWS_GRID) {
		link->untold = link->all;
		link->news = WL_NEWS_WAKE;
	} else {
		link->news = 0;
	}
}

/* All SDUs that it holds leave it, and it begins anew. */
static void bearer_empty(struct wl_bearer *b, u64 now_ns)
{
	struct wl_fifo *held[] = { &b->pipe, &b->air_sdus, &b->harq.sdus, &b->queue, &b->old };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(held); i++) {
		wl_fifo_append(&b->leaving, held[i]);
		held[i]->head = NULL;
	}
	b->again = false;
	b->restarts = false;
	b->trim.on = false;
	b->last_deliver_ns = 0;
	b->flight_last_ns = 0;
	wl_reverse_flush(b, now_ns);
	if (b->rings.blocks)
		wl_3gpp->harq_flush(b);
	bearer_start(b, now_ns);
	wl_serve_abort(b, now_ns);
	wl_sched_idle(b);
	if (b->access.on)
		wl_3gpp->access_reset(b, now_ns);
}

void wl_bearer_flush(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu;

	bearer_empty(b, now_ns);
	while ((sdu = wl_fifo_pop(&b->leaving)))
		bearer_let_leave(b, sdu, now_ns, WLINK_DROP_FLUSH);
	while ((sdu = wl_impair_take(b)))
		wl_sdu_drop(b, sdu, now_ns, WLINK_DROP_FLUSH);
	b->impair.last_ns = 0;
	b->leave_for = WLINK_DROP_NONE;
	wl_buffer_start(b, now_ns);
}

void wl_bearer_leave(struct wl_bearer *b, u64 now_ns, enum wlink_drop reason)
{
	bearer_empty(b, now_ns);
	b->again = b->leaving.head || b->link->inbox.head ||
		   (reason == WLINK_DROP_FLUSH && b->stats.v[WLINK_STAT_SDUS_HELD]);
	b->leave_ns = now_ns;
	b->leave_seq = b->link->seq;
	b->leave_for = b->again ? reason : WLINK_DROP_NONE;
	if (!b->again)
		wl_buffer_start(b, now_ns);
}

void wl_bearer_init(struct wl_bearer *b, struct wl_link *link, u16 number,
		    const struct wl_cfg *cfg, u64 now_ns)
{
	b->link = link;
	b->number = number;
	b->cfg = *cfg;
	wl_cfg_follow(&b->cfg);
	b->ops = wl_bearer_mode(cfg->mode);
	b->empty_ns = now_ns;
	b->unit.end_ns = WL_NEVER_NS;
	b->start_ns = WL_NEVER_NS;
	b->event.bearer = b;
	b->share.turn.bearer = b;
	b->air = &link->air;
	if (number > 1 && cfg->channel.kind != WLINK_CHANNEL_LINK) {
		b->air = &b->own;
		wl_air_init(link, b->air, b, now_ns);
	}
	wl_reverse_init(b, now_ns);
	wl_rng_seed(&b->aqm.rng, link->first.cfg.seed, WL_RNG_AQM, number);
	wl_rng_seed(&b->harq.rng, link->first.cfg.seed, WL_RNG_HARQ, number);
	b->harq.next_ns = WL_NEVER_NS;
	wl_rng_seed(&b->access.rng, link->first.cfg.seed, WL_RNG_ACCESS, number);
	b->access.next_ns = WL_NEVER_NS;
	bearer_configure_access(b, now_ns, NULL);
	wl_impair_seed(b);
	wl_impair_configure(b);
	wl_buffer_start(b, now_ns);
	wl_serve_configure(b, now_ns, NULL);
	bearer_start(b, now_ns);
}

/* What HARQ holds is on its way for so much longer. */
void wl_bearer_records(const struct wl_cfg *cfg, struct wl_ring_need *need)
{
	const struct wl_mode_ops *ops = wl_bearer_mode(cfg->mode);
	u64 blocks = wl_harq_blocks(cfg);
	struct wl_cfg held = *cfg;

	memset(need, 0, sizeof(*need));
	held.delay_ns += blocks * cfg->tti_ns;
	if (ops)
		ops->rings(&held, need);
	need->submits = ops ? wl_submit_limit(cfg) : 0;
	need->carries = need->submits ? WL_CARRIED_MAX : 0;
	need->flights += need->submits;
	need->blocks = blocks;
	if (!ops || !blocks)
		return;
	need->txs = div64_u64(wl_cfg_bytes_in(wl_cfg_usual_bps(cfg),
					      (blocks + 1) * cfg->tti_ns),
			      ops->fits ? BLOCK_PDU_BYTES : cfg->pdu_bytes) + 2 * blocks;
	need->pdus = max(need->pdus, need->txs);
}

void wl_rings_need(const struct wl_cfg *cfg, struct wl_rings *need)
{
	struct wl_ring_need records;

	wl_bearer_records(cfg, &records);
	wl_rings_set(need, &records);
}

void wl_bearer_need(const struct wl_bearer *b, const struct wl_cfg *cfg,
		    struct wl_rings *need)
{
	struct wl_cfg slow = *cfg;

	slow.delay_ns = max(slow.delay_ns, b->cfg.delay_ns);
	wl_rings_need(&slow, need);
	wl_rings_join(need, &b->rings);
}
