// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * HARQ, TS 36.321 clauses 5.3.2 and 5.4.2. What a bearer sends in one TTI is a
 * transport block. It arrives or is lost as a whole, and goes once more a round trip
 * later, before anything new, until it arrives or has been sent often enough. Each
 * process carries one block at a time, from its first transmission to the feedback
 * for its last.
 *
 * The receiver hands blocks up in the order in which they were sent for the first
 * time, as MAC-hs does (TS 25.321 clause 11.6.2): one that has arrived waits until
 * those before it have arrived or are given up. So the PDUs of a block are held, and
 * the mode's sent() is called when that is so: nobody knows their fate before.
 */
#include "../air/air.h"
#include "../air/rings.h"
#include "../mac/sched.h"
#include "../mac/submit.h"
#include "../rlc/mode.h"
#include "../rlc/tm.h"
#include "harq.h"
#include "tdd.h"

/* b->harq.next_ns: walks no more than what transmissions of a round trip left. */
static void harq_set_next(struct wl_bearer *b, u64 now_ns)
{
	struct wl_harq *harq = &b->harq;
	u64 next_ns = WL_NEVER_NS;
	u32 i;

	for (i = harq->blocks.head; i != harq->blocks.tail; i++) {
		const struct wl_harq_block *block = wl_harq_block_at(b, i);

		if (block->state == WL_HARQ_WAITS)
			next_ns = min(next_ns, block->next_ns);
	}
	wl_link_spend(b->link, (harq->blocks.tail - harq->blocks.head) /
		      WL_WALKED_PER_CHARGE);
	for (i = 0; harq->stalled && i < b->cfg.harq.processes; i++)
		if (harq->free_ns[i] > now_ns)
			next_ns = min(next_ns, harq->free_ns[i]);
	harq->next_ns = next_ns;
	wl_bearer_touch(b);
}

/* Return: the first that is free, or how many there are. */
static u32 harq_process(const struct wl_bearer *b, u64 now_ns)
{
	const struct wl_harq *harq = &b->harq;
	u32 i;

	if (harq->blocks.tail - harq->blocks.head >= b->rings.blocks)
		return b->cfg.harq.processes;
	for (i = 0; i < b->cfg.harq.processes; i++)
		if (harq->free_ns[i] <= now_ns)
			break;
	return i;
}

bool wl_harq_free(const struct wl_bearer *b, u64 now_ns)
{
	return harq_process(b, now_ns) < b->cfg.harq.processes;
}

bool wl_harq_open(struct wl_bearer *b, u64 now_ns)
{
	struct wl_harq *harq = &b->harq;
	u32 i;

	if (harq->open)
		return true;
	i = harq_process(b, now_ns);
	if (i == b->cfg.harq.processes) {
		harq->stalled = true;
		harq_set_next(b, now_ns);
		return false;
	}
	*wl_harq_block_at(b, harq->blocks.tail++) = (struct wl_harq_block){
		.first_ns = now_ns, .next_ns = WL_NEVER_NS, .process = i,
	};
	harq->open = true;
	harq->open_next = b->link->open;
	b->link->open = b;
	return true;
}

bool wl_harq_may(struct wl_bearer *b, u64 now_ns)
{
	if (wl_harq_open(b, now_ns))
		return true;
	wl_sched_pause(b);
	wl_bearer_touch(b);
	return false;
}

static struct wl_harq_block *harq_filling(struct wl_bearer *b)
{
	return wl_harq_block_at(b, b->harq.blocks.tail - 1);
}

static void harq_add(struct wl_bearer *b, u32 bytes, u32 pdus)
{
	struct wl_harq_block *block = harq_filling(b);

	block->bits += 8ULL * bytes;
	block->air_bytes += bytes + (u64)pdus * b->cfg.header_bytes;
	block->pdus += pdus;
}

void wl_harq_put(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx)
{
	struct wl_ring *txs = &b->harq.txs;

	harq_add(b, tx->bytes, 1);
	/* As with PDUs on their way, see wl_flight_push(). */
	if (txs->tail - txs->head >= b->rings.txs) {
		b->stats.v[WLINK_STAT_PDUS_LOST]++;
		wl_submit_sent(b, now_ns, tx, now_ns + wl_link_tti_ns(b->link), true);
		return;
	}
	*wl_harq_tx_at(b, txs->tail++) = *tx;
}

void wl_harq_put_sdu(struct wl_bearer *b, struct wl_sdu *sdu, u32 bytes, u32 pdus)
{
	struct wl_harq_block *block = harq_filling(b);

	harq_add(b, bytes, pdus);
	block->last_pdus += pdus;
	wl_tm_count(sdu, bytes, pdus, 0);
	if (sdu->left_bytes)
		return;
	if (!block->sdus++)
		block->first_pdus = block->last_pdus;
	block->last_pdus = 0;
	wl_fifo_push(&b->harq.sdus, wl_fifo_pop(&b->queue));
}

/* A lost block takes with it every SDU that it has a PDU of. Return: false when the budget
 * did not suffice.
 */
static bool harq_give_sdus(struct wl_bearer *b, struct wl_harq_block *block, u64 end_ns,
			   bool lost)
{
	struct wl_sdu *sdu;

	/* A TTI that has become shorter ends not before the one before it. */
	if (b->air_sdus.head)
		end_ns = max(end_ns, b->air_sdus.tail->end_ns);
	while (block->given < block->sdus) {
		if (!wl_link_try_charge(b->link))
			return false;
		sdu = wl_fifo_pop(&b->harq.sdus);
		if (lost)
			sdu->pdus_lost += block->given ? sdu->pdus : block->first_pdus;
		block->given++;
		sdu->due_ns = end_ns - b->harq.late_ns;
		sdu->end_ns = end_ns;
		wl_fifo_push(&b->air_sdus, sdu);
	}
	sdu = b->harq.sdus.head ?: b->queue.head;
	if (lost && block->last_pdus)
		sdu->pdus_lost += block->last_pdus;
	if (lost)
		b->stats.v[WLINK_STAT_PDUS_LOST] += block->pdus;
	return true;
}

/* Return: false when the budget did not suffice. */
static bool harq_give_pdus(struct wl_bearer *b, u64 now_ns, const struct wl_harq_block *block,
			   u64 end_ns, bool lost)
{
	struct wl_harq *harq = &b->harq;
	struct wl_tx tx;

	while (harq->txs.head != block->tx_end) {
		if (!wl_link_try_charge(b->link))
			return false;
		tx = *wl_harq_tx_at(b, harq->txs.head++);
		b->stats.v[WLINK_STAT_PDUS_LOST] += lost;
		wl_submit_sent(b, now_ns, &tx, end_ns, lost);
	}
	return true;
}

/* Blocks whose fate is known, and that of all before them. Return: false when the budget did
 * not suffice: it is to be called again, and goes on.
 */
static bool harq_give(struct wl_bearer *b, u64 now_ns)
{
	u64 end_ns = now_ns + wl_link_tti_ns(b->link);
	struct wl_harq *harq = &b->harq;
	bool all = true;

	while (harq->blocks.head != harq->blocks.tail) {
		struct wl_harq_block *block = wl_harq_block_at(b, harq->blocks.head);
		bool lost = block->state == WL_HARQ_LOST;

		if (block->state == WL_HARQ_WAITS)
			break;
		harq->late_ns = now_ns - block->first_ns;
		all = b->ops ? harq_give_pdus(b, now_ns, block, end_ns, lost) :
			       harq_give_sdus(b, block, end_ns, lost);
		if (!all)
			break;
		harq->blocks.head++;
	}
	harq->late_ns = 0;
	return all;
}

/* Each transmission is lost for itself, with what the receiver has of those before
 * it in the factor; or by the channel, for which it is one PDU.
 */
static bool harq_is_lost(struct wl_bearer *b, const struct wl_harq_block *block,
			 u64 now_ns)
{
	const struct wl_harq_cfg *cfg = &b->cfg.harq;
	u32 bler_q32 = cfg->bler_q32;
	bool lost;
	u32 i;

	for (i = 1; i < block->sent && cfg->factor_q32 != WLINK_PROB_ONE; i++)
		bler_q32 = (u64)bler_q32 * cfg->factor_q32 >> 32;
	lost = wl_rng_chance(&b->harq.rng, bler_q32);
	if (b->air->chan.cfg.kind == WLINK_CHANNEL_NONE)
		return lost;
	wl_air_frame(b->link, b->air, now_ns);
	return wl_air_lost(b->link, b->air, 1, block->bits / 8, NULL) || lost;
}

/* When what is sent now may go once more. */
static u64 harq_again_ns(const struct wl_bearer *b, u64 now_ns)
{
	return wl_tdd_next_ns(b->link, now_ns + b->harq.round_ns);
}

static void harq_transmit(struct wl_bearer *b, struct wl_harq_block *block,
			  u64 now_ns)
{
	u64 again_ns = harq_again_ns(b, now_ns);

	block->sent++;
	b->harq.free_ns[block->process] = again_ns;
	if (!harq_is_lost(b, block, now_ns)) {
		block->state = WL_HARQ_ARRIVED;
	} else if (block->sent < b->cfg.harq.transmissions) {
		block->next_ns = again_ns;
		b->harq.free_ns[block->process] = WL_NEVER_NS;
	} else {
		block->state = WL_HARQ_LOST;
		b->stats.v[WLINK_STAT_HARQ_LOST]++;
	}
}

bool wl_harq_close(struct wl_bearer *b, u64 now_ns)
{
	struct wl_harq_block *block = harq_filling(b);
	struct wl_harq *harq = &b->harq;

	if (block->pdus && !block->sent) {
		b->stats.v[WLINK_STAT_HARQ_BLOCKS]++;
		block->tx_end = harq->txs.tail;
		harq_transmit(b, block, now_ns);
	}
	if (block->pdus) {
		if (!harq_give(b, now_ns))
			return false;
		harq_set_next(b, now_ns);
	} else {
		harq->blocks.tail--;
	}
	b->link->open = harq->open_next;
	harq->open = false;
	return true;
}

static void harq_owe(struct wl_bearer *b, u64 bits, u64 now_ns)
{
	bool shared = wl_link_shared(b->link);
	struct wl_debt *debt = shared ? &b->link->debt : &b->harq.debt;

	if (shared)
		bits = DIV64_U64_ROUND_UP(bits * WL_NSEC_PER_SEC, b->cfg.rate_bps);
	/* Else TTIs that have passed since then pay for this, too. */
	if (!debt->left)
		debt->from_ns = now_ns;
	debt->left += bits;
}

u64 wl_harq_pay(const struct wl_link *link, struct wl_debt *debt, u64 now_ns,
		const u64 gives[2])
{
	u64 paid, ttis[2];

	if (now_ns > debt->from_ns) {
		wl_tdd_count(link, debt->from_ns, now_ns, ttis);
		paid = ttis[0] * gives[0] + ttis[1] * gives[1];
		debt->left -= min(debt->left, paid);
	}
	debt->from_ns = now_ns + wl_link_tti_ns(link);
	paid = min(debt->left, gives[link->special]);
	debt->left -= paid;
	return paid;
}

/* A bearer that is silent tries a round trip later. */
static void harq_again(struct wl_bearer *b, struct wl_harq_block *block, u64 now_ns)
{
	if (!b->cfg.rate_bps) {
		block->next_ns = harq_again_ns(b, now_ns);
		return;
	}
	wl_link_spend(b->link, 1);
	b->stats.v[WLINK_STAT_HARQ_RETX]++;
	b->stats.v[WLINK_STAT_AIR_BYTES] += block->air_bytes;
	harq_owe(b, block->bits, now_ns);
	harq_transmit(b, block, now_ns);
}

/* What comes next begins anew without them. */
static bool harq_empty(struct wl_bearer *b, u64 now_ns)
{
	struct wl_harq *harq = &b->harq;
	u32 i, walked = harq->blocks.tail - harq->blocks.head;

	if (!b->link->budget && walked)
		return false;
	for (i = harq->blocks.head; i != harq->blocks.tail; i++) {
		struct wl_harq_block *block = wl_harq_block_at(b, i);

		if (block->state == WL_HARQ_WAITS) {
			block->state = WL_HARQ_LOST;
			b->stats.v[WLINK_STAT_HARQ_LOST]++;
		}
	}
	/* Counted last, or a small budget would never give anything. */
	if (!harq_give(b, now_ns))
		return false;
	wl_link_spend(b->link, walked / WL_WALKED_PER_CHARGE);
	wl_harq_flush(b);
	return true;
}

bool wl_harq_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_harq *harq = &b->harq;
	u32 i;

	if (harq->resets)
		return harq_empty(b, now_ns);
	for (i = harq->blocks.head; i != harq->blocks.tail; i++) {
		struct wl_harq_block *block = wl_harq_block_at(b, i);

		if (block->state == WL_HARQ_WAITS && block->next_ns <= now_ns)
			harq_again(b, block, now_ns);
	}
	if (!harq_give(b, now_ns))
		return false;
	if (harq->stalled) {
		harq->stalled = false;
		wl_sched_wake(b, now_ns);
	}
	harq_set_next(b, now_ns);
	return true;
}

void wl_harq_set_round(struct wl_bearer *b)
{
	struct wl_cfg at = b->cfg;

	at.tti_ns = wl_link_tti_ns(b->link);
	b->harq.round_ns = wl_harq_ttis(&at) * at.tti_ns;
}

static void harq_unopen(struct wl_bearer *b)
{
	struct wl_bearer **from = &b->link->open;

	while (*from != b)
		from = &(*from)->harq.open_next;
	*from = b->harq.open_next;
	b->harq.open = false;
}

void wl_harq_reset(struct wl_bearer *b, u64 now_ns)
{
	struct wl_harq *harq = &b->harq;

	if (harq->open) {
		harq_unopen(b);
		harq_filling(b)->tx_end = harq->txs.tail;
	}
	if (harq_empty(b, now_ns))
		return;
	harq->resets = true;
	b->again = true;
}

void wl_harq_configure(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old)
{
	struct wl_harq_cfg as_old = b->cfg.harq;

	as_old.bler_q32 = old->harq.bler_q32;
	as_old.factor_q32 = old->harq.factor_q32;
	if (memcmp(&as_old, &old->harq, sizeof(as_old)) ||
	    wl_cfg_reestablishes(old, &b->cfg))
		wl_harq_reset(b, now_ns);
}

void wl_harq_flush(struct wl_bearer *b)
{
	struct wl_harq *harq = &b->harq;

	if (harq->open)
		harq_unopen(b);
	harq->blocks.head = harq->blocks.tail;
	harq->txs.head = harq->txs.tail;
	memset(harq->free_ns, 0, sizeof(harq->free_ns));
	harq->debt.left = 0;
	harq->stalled = false;
	harq->resets = false;
	harq->next_ns = WL_NEVER_NS;
}
