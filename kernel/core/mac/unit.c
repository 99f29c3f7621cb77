// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * TTI 0: PDUs follow each other without a gap. Work is counted in 10^-9 bit, of
 * which a rate in bit/s does exactly rate per ns. The end of a PDU is rounded up
 * to a whole ns and the excess is paid back to the next one, so that N bits sent
 * without a pause take ceil(N * 10^9 / rate) ns, whatever N.
 */
#include "../air/air.h"
#include "../buffer/buffer.h"
#include "../rlc/tm.h"
#include "grid.h"
#include "sched.h"
#include "submit.h"
#include "unit.h"

/* Bits of a fraction of a ns that pass from one rate to another. */
#define OVER_SHIFT	26

void wl_serve_count(struct wl_bearer *b, u32 bytes, u32 pdus, u32 lost,
		    u32 header_bytes)
{
	struct wl_stats *stats = &b->stats;

	stats->v[WLINK_STAT_PDUS_SENT] += pdus;
	stats->v[WLINK_STAT_PDUS_LOST] += lost;
	stats->v[WLINK_STAT_AIR_BYTES] += bytes + (u64)pdus * header_bytes;
}

void wl_serve_count_tx(struct wl_bearer *b, const struct wl_tx *tx)
{
	struct wl_stats *stats = &b->stats;

	stats->v[WLINK_STAT_PAD_BYTES] += tx->pad_bytes;
	stats->v[WLINK_STAT_LI_BYTES] += tx->li_bytes;
	stats->v[WLINK_STAT_POLLS] += tx->poll;
	stats->v[WLINK_STAT_PDUS_RETX] += tx->kind == WL_TX_RETX;
	stats->v[WLINK_STAT_PDUS_CONTROL] += tx->kind > WL_TX_RETX;
}

void wl_unit_resume(struct wl_bearer *b, u64 now_ns)
{
	b->unit.waits = false;
	b->unit.work_at_ns = now_ns;
	wl_unit_set_end(b);
	wl_bearer_touch(b);
}

/* Work done in advance, less than one ns of it, in terms of the bearer's rate. */
static u64 unit_take_over(struct wl_bearer *b)
{
	struct wl_link *link = b->link;
	u64 over = b->over;

	if (!wl_link_shared(link))
		return over;
	over = link->over;
	if (link->over_bps != b->cfg.rate_bps && over)
		over = div64_u64(over << OVER_SHIFT, link->over_bps) *
		       b->cfg.rate_bps >> OVER_SHIFT;
	return over;
}

static void unit_fill_tm(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_chan *chan = &b->air->chan;
	struct wl_sdu *sdu = b->queue.head;
	struct wl_unit *unit = &b->unit;
	u32 pdus = 1;

	wl_sdu_begin(b, sdu, now_ns);
	unit->sdu = sdu;
	unit->pdu_bytes = wl_tm_pdu_bytes(b);
	unit->bytes = unit->pdu_bytes;
	/* Where each PDU has the same fate, the rest of the SDU is one unit. */
	if (unit->bytes != sdu->left_bytes &&
	    chan->cfg.kind != WLINK_CHANNEL_GILBERT && wl_chan_certain(chan) &&
	    !wl_link_shared(b->link)) {
		unit->bytes = sdu->left_bytes;
		pdus = DIV_ROUND_UP(unit->bytes, unit->pdu_bytes);
	}
	unit->lost = wl_air_lost_now(b->air, pdus);
}

static void unit_fill_pdu(struct wl_bearer *b, u64 now_ns)
{
	struct wl_unit *unit = &b->unit;

	wl_submit_take(b, now_ns, &unit->tx);
	unit->sdu = NULL;
	unit->pdu_bytes = unit->tx.bytes;
	unit->bytes = unit->tx.bytes;
	unit->lost = wl_air_lost_now(b->air, 1);
}

void wl_unit_begin(struct wl_bearer *b, u64 now_ns)
{
	struct wl_unit *unit = &b->unit;

	unit->mark_ns = wl_air_begin(b->link, b->air, now_ns);
	unit->from_ns = now_ns;
	unit->on = true;
	unit->header_bytes = b->cfg.header_bytes;
	if (b->ops)
		unit_fill_pdu(b, now_ns);
	else
		unit_fill_tm(b, now_ns);
	unit->work = (s64)(unit->bytes * WL_WORK_PER_BYTE) - (s64)unit_take_over(b);
	unit->work_at_ns = now_ns;
	wl_unit_set_end(b);
}

static inline void unit_end_tm(struct wl_bearer *b, u64 now_ns, u32 bytes, u32 pdus, u32 lost)
{
	wl_tm_count(b->queue.head, bytes, pdus, lost);
	if (!b->queue.head->left_bytes)
		wl_tm_sent(b, wl_fifo_pop(&b->queue), now_ns, now_ns);
}

static void unit_go_on(struct wl_bearer *b, u64 now_ns)
{
	struct wl_link *link = b->link;

	if (link->sender == b) {
		link->sender = NULL;
		link->over = b->over;
		link->over_bps = b->cfg.rate_bps;
		wl_sched_sent(b, 8ULL * b->unit.bytes);
		if (wl_sched_first(link))
			link->start_ns = wl_grid_next_start_ns(link, now_ns);
		else
			link->over = 0;
	} else if (!wl_sched_wanted(b)) {
		wl_sched_idle(b);
	}
	wl_sched_wake(b, now_ns);
}

void wl_unit_finish(struct wl_bearer *b, u64 now_ns)
{
	struct wl_unit *unit = &b->unit;
	u32 pdus = 1;

	if (unit->bytes != unit->pdu_bytes)
		pdus = DIV_ROUND_UP(unit->bytes, unit->pdu_bytes);
	b->over = wl_unit_over(b);
	if (b->air->chan.cfg.kind == WLINK_CHANNEL_TWOSTATE)
		unit->lost = wl_air_end_lost(b->link, b->air, unit, now_ns,
					     unit->sdu && b->cfg.impair.lost ?
					     &unit->sdu->errors : NULL);
	wl_serve_count(b, unit->bytes, pdus, unit->lost, unit->header_bytes);
	wl_air_count(b->air, pdus);
	unit->on = false;
	unit->end_ns = WL_NEVER_NS;
	if (unit->sdu) {
		unit_end_tm(b, now_ns, unit->bytes, pdus, unit->lost);
	} else {
		wl_serve_count_tx(b, &unit->tx);
		wl_submit_sent(b, now_ns, &unit->tx, now_ns, unit->lost);
	}
}

void wl_unit_end(struct wl_bearer *b, u64 now_ns)
{
	wl_unit_finish(b, now_ns);
	unit_go_on(b, now_ns);
}

u64 wl_unit_at_once(struct wl_bearer *b, u64 now_ns, u32 bytes)
{
	u32 lost;

	wl_air_begin(b->link, b->air, now_ns);
	/* In no time nothing happens that goes by time. */
	lost = wl_air_lost_now(b->air, 1);
	wl_serve_count(b, bytes, 1, lost, b->cfg.header_bytes);
	wl_air_count(b->air, 1);
	unit_end_tm(b, now_ns, bytes, 1, lost);
	return 8ULL * bytes;
}

/* Shorten a unit of several PDUs to the one on the air now, because the next
 * one may meet other conditions. One that ends now is over and the one after
 * it has begun: a change comes after all that the link did until then.
 */
static void unit_cut(struct wl_unit *unit)
{
	u64 done = unit->bytes * WL_WORK_PER_BYTE - unit->work;
	u64 pdus = div64_u64(done, unit->pdu_bytes * WL_WORK_PER_BYTE) + 1;
	u64 bytes = min_t(u64, pdus * unit->pdu_bytes, unit->bytes);

	unit->work -= (unit->bytes - bytes) * WL_WORK_PER_BYTE;
	unit->bytes = bytes;
	if (unit->lost)
		unit->lost = pdus;
}

static void unit_account(struct wl_bearer *b, u64 now_ns)
{
	struct wl_unit *unit = &b->unit;

	if (unit->end_ns != WL_NEVER_NS)
		unit->work -= (now_ns - unit->work_at_ns) * b->cfg.rate_bps;
	unit->work_at_ns = now_ns;
}

void wl_unit_cut(struct wl_bearer *b, u64 now_ns)
{
	if (!b->unit.on)
		return;
	unit_account(b, now_ns);
	if (b->unit.sdu)
		unit_cut(&b->unit);
	wl_unit_set_end(b);
	wl_bearer_touch(b);
}

void wl_unit_before_configure(struct wl_bearer *b, u64 now_ns,
			      const struct wl_cfg *cfg)
{
	struct wl_unit *unit = &b->unit;

	unit_account(b, now_ns);
	if (unit->sdu && (b->cfg.tti_ns != cfg->tti_ns ||
			  b->cfg.sched != cfg->sched ||
			  b->cfg.pdu_bytes != cfg->pdu_bytes ||
			  b->cfg.header_bytes != cfg->header_bytes ||
			  memcmp(&b->cfg.channel, &cfg->channel,
				 sizeof(cfg->channel))))
		unit_cut(unit);
}
