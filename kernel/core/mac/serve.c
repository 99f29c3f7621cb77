// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * How bits get on the air.
 *
 * TTI > 0: at each start of a TTI a bearer gets rate x TTI bits, fractions
 * carried, and sends whole PDUs while bits last. What is left stays for the next
 * TTI as long as there is something to send, so a PDU may need several TTIs.
 * Where bearers share the link, what the TTI gives is its airtime, and a PDU
 * costs what it takes at its bearer's rate; how bearers take turns is in
 * mac/sched.c. Without a TTI see mac/unit.c.
 *
 * The last PDU of a SDU in TM is as long as what is left: transparent mode
 * neither pads nor concatenates (TS 25.322 clause 4.2.1.1).
 */
#include "../3gpp.h"
#include "../air/air.h"
#include "../buffer/buffer.h"
#include "../rlc/tm.h"
#include "grid.h"
#include "quiet.h"
#include "sched.h"
#include "serve.h"
#include "submit.h"
#include "unit.h"

/* TM: as many equal PDUs of one SDU as the credit and the budget allow, one at
 * least.
 */
static u64 serve_send_run(struct wl_bearer *b, u64 now_ns, u32 pdu_bytes)
{
	struct wl_link *link = b->link;
	bool certain = wl_chan_certain(&b->air->chan);
	struct wl_sdu *sdu = b->queue.head;
	u32 pdus = 1, lost;

	if (pdu_bytes < sdu->left_bytes && !wl_link_shared(link))
		pdus = min_t(u64, sdu->left_bytes / pdu_bytes,
			     div_u64(b->credit.bits, 8 * pdu_bytes));
	if (!certain)
		pdus = min(pdus, max(link->budget, 1U));
	wl_link_spend(link, certain ? 1 : pdus);
	lost = b->harq.open ? 0 : wl_air_lost(link, b->air, pdus, pdu_bytes,
					      b->cfg.impair.lost ? &sdu->errors : NULL);
	wl_serve_count(b, pdus * pdu_bytes, pdus, lost, b->cfg.header_bytes);
	if (b->harq.open) {
		wl_3gpp->harq_put_sdu(b, sdu, pdus * pdu_bytes, pdus);
		return 8ULL * pdus * pdu_bytes;
	}
	wl_tm_count(sdu, pdus * pdu_bytes, pdus, lost);
	if (!sdu->left_bytes) {
		sdu->end_ns = now_ns + wl_link_tti_ns(link);
		sdu->due_ns = sdu->end_ns;
		wl_fifo_push(&b->air_sdus, wl_fifo_pop(&b->queue));
	}
	return 8ULL * pdus * pdu_bytes;
}

static u64 serve_send_pdu(struct wl_bearer *b, u64 now_ns)
{
	struct wl_link *link = b->link;
	struct wl_tx tx;
	bool lost;

	wl_submit_take(b, now_ns, &tx);
	lost = !b->harq.open && wl_air_lost(link, b->air, 1, tx.bytes, NULL);
	wl_serve_count(b, tx.bytes, 1, lost, b->cfg.header_bytes);
	wl_serve_count_tx(b, &tx);
	if (b->harq.open)
		wl_3gpp->harq_put(b, now_ns, &tx);
	else
		wl_submit_sent(b, now_ns, &tx,
			       now_ns + wl_link_tti_ns(link), lost);
	return 8ULL * tx.bytes;
}

static u64 serve_send(struct wl_bearer *b, u64 now_ns, u32 bytes)
{
	b->link->quiet = false;
	if (!b->ops && !b->granted)
		return serve_send_run(b, now_ns, bytes);
	wl_link_spend(b->link, 1);
	return b->granted ? wl_unit_at_once(b, now_ns, bytes) : serve_send_pdu(b, now_ns);
}

/* TM: the wait of a SDU that has capacity, if not enough, is over. */
static void serve_begin_sdu(struct wl_bearer *b, u64 now_ns)
{
	if (!b->ops)
		wl_buffer_begin(b, b->queue.head, now_ns);
}

static void serve_give(struct wl_bearer *b, u64 now_ns)
{
	struct wl_credit *credit = &b->credit;
	bool special = b->link->special;

	if (credit->at_ns == now_ns)
		return;
	credit->at_ns = now_ns;
	wl_air_frame(b->link, b->air, now_ns);
	credit->bits += credit->quota_bits[special];
	credit->rest += credit->quota_rest[special];
	if (credit->rest >= WL_NSEC_PER_SEC) {
		credit->rest -= WL_NSEC_PER_SEC;
		credit->bits++;
	}
	if (b->harq.debt.left)
		credit->bits -= wl_3gpp->harq_pay(b->link, &b->harq.debt, now_ns,
						  credit->quota_bits);
	if (b->access.state == WL_ACCESS_FIRST)
		credit->bits = min(credit->bits, b->access.left_bits);
}

/* What goes next where so many bits are left; all of it or, of a mode that makes PDUs to
 * fit, what fits. Return: 0 where nothing does.
 */
static u32 serve_fit(struct wl_bearer *b, u64 bits, u32 bytes)
{
	if (!b->ops || !b->ops->fits)
		return bits >= 8ULL * bytes ? bytes : 0;
	b->room = min_t(u64, bits / 8, WLINK_PDU_MAX);
	return b->ops->fits(b, b->room);
}

bool wl_serve_credit(struct wl_bearer *b, u64 now_ns)
{
	u32 bytes;

	for (;;) {
		bytes = wl_sched_wanted(b);
		if (wl_buffer_asks(b) && bytes &&
		    (b->ops ? serve_fit(b, b->credit.bits, bytes) : b->credit.bits)) {
			wl_buffer_front(b, now_ns);
			bytes = wl_sched_wanted(b);
		}
		if (!bytes)
			return true;
		if (b->credit.bits)
			serve_begin_sdu(b, now_ns);
		bytes = serve_fit(b, b->credit.bits, bytes);
		if (!bytes)
			return true;
		b->credit.bits -= serve_send(b, now_ns, bytes);
		if (!b->link->budget)
			return false;
	}
}

/* Where all processes of HARQ have a block, a bearer waits for one of them. */
static bool serve_may(struct wl_bearer *b, u64 now_ns)
{
	return !b->cfg.harq.processes || wl_3gpp->harq_may(b, now_ns);
}

/* What a first grant has left stays for the PDU that is next. */
static void serve_report(struct wl_bearer *b, u64 now_ns)
{
	wl_3gpp->access_report(b, now_ns);
	wl_sched_pause(b);
}

/* Return: false when the budget did not suffice. */
static bool serve_own(struct wl_bearer *b, u64 now_ns)
{
	if (!serve_may(b, now_ns))
		return true;
	serve_give(b, now_ns);
	if (!wl_serve_credit(b, now_ns))
		return false;
	if (!wl_sched_wanted(b))
		wl_sched_idle(b);
	else if (b->access.state == WL_ACCESS_FIRST)
		serve_report(b, now_ns);
	wl_bearer_touch(b);
	return true;
}

static bool serve_dedicated(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;

	while ((b = link->cursor)) {
		if (!serve_own(b, now_ns))
			return false;
		if (link->cursor == b)
			link->cursor = b->busy_next;
		if (!link->cursor)
			break;
		if (!wl_link_charge(link, 1))
			return false;
	}
	return true;
}

/* Return: whether what is left of a first grant holds the next PDU. */
static bool serve_in_first(struct wl_link *link, struct wl_bearer *b, u64 now_ns, u64 bits)
{
	u64 time_ns, rest;

	if (bits <= b->access.left_bits)
		return true;
	time_ns = min(wl_sched_airtime_ns(b, b->access.left_bits, &rest), link->credit_ns);
	link->credit_ns -= time_ns;
	b->share.saved_ns += time_ns;
	serve_report(b, now_ns);
	return false;
}

/* A PDU that is made to fit what is left of the TTI. Return: false where none does. */
static bool serve_rest(struct wl_bearer *b, u64 now_ns, u64 *bits)
{
	struct wl_link *link = b->link;
	u64 left_ns = link->credit_ns + b->share.saved_ns, time_ns, rest;

	*bits = wl_cfg_bits_in(b->cfg.rate_bps, left_ns, &rest);
	if (b->access.state == WL_ACCESS_FIRST)
		*bits = min(*bits, b->access.left_bits);
	if (!serve_fit(b, *bits, 0))
		return false;
	*bits = serve_send(b, now_ns, 0);
	time_ns = wl_sched_airtime_ns(b, *bits, &rest);
	b->share.time_rest = rest;
	b->share.saved_ns = 0;
	link->credit_ns = left_ns - min(left_ns, time_ns);
	return true;
}

static bool serve_shared(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;
	u64 rest, bits, time_ns;
	u32 bytes;

	while ((b = wl_sched_first(link))) {
		if (!serve_may(b, now_ns)) {
			if (!wl_link_charge(link, 1))
				return false;
			continue;
		}
		wl_air_frame(link, b->air, now_ns);
		if (wl_buffer_asks(b) &&
		    (link->credit_ns || b->share.saved_ns)) {
			wl_buffer_front(b, now_ns);
			/* What is next now may be younger than another's. */
			if (wl_sched_first(link) != b) {
				if (!link->budget)
					return false;
				continue;
			}
		}
		bytes = wl_sched_wanted(b);
		if (link->credit_ns || b->share.saved_ns)
			serve_begin_sdu(b, now_ns);
		if (b->ops && b->ops->fits && serve_rest(b, now_ns, &bits))
			goto sent;
		if (b->access.state == WL_ACCESS_FIRST &&
		    !serve_in_first(link, b, now_ns, 8ULL * bytes)) {
			wl_bearer_touch(b);
			if (!wl_link_charge(link, 1))
				return false;
			continue;
		}
		time_ns = wl_sched_airtime_ns(b, 8ULL * bytes, &rest);
		/* What is left is kept for this PDU, or another bearer could
		 * spend in one TTI what several have left.
		 */
		link->credit_ns += b->share.saved_ns;
		b->share.saved_ns = 0;
		if (time_ns > link->credit_ns || (b->ops && b->ops->fits)) {
			b->share.saved_ns = link->credit_ns;
			link->credit_ns = 0;
			return true;
		}
		link->credit_ns -= time_ns;
		b->share.time_rest = rest;
		bits = serve_send(b, now_ns, bytes);
sent:
		/* What it sends beyond that is not of it. */
		if (wl_sched_guaranteed(b))
			b->share.owed_bits -= bits;
		b->access.left_bits -= min(b->access.left_bits, bits);
		wl_sched_sent(b, bits);
		wl_bearer_touch(b);
		if (!link->budget)
			return false;
	}
	link->credit_ns = 0;
	return true;
}

/* A bearer fills its resource blocks. Return: false when the budget did not suffice. */
static bool serve_block(struct wl_bearer *b, u64 now_ns)
{
	bool first = b->access.state == WL_ACCESS_FIRST, done;
	u64 had, sent;

	if (first)
		b->credit.bits = min(b->credit.bits, b->access.left_bits);
	had = b->credit.bits;
	done = wl_serve_credit(b, now_ns);
	sent = had - b->credit.bits;
	b->share.tti_bits += sent;
	if (!first)
		return done;
	b->access.left_bits -= sent;
	if (done && wl_sched_wanted(b) &&
	    !serve_fit(b, b->access.left_bits, wl_sched_wanted(b))) {
		/* That was its turn. */
		wl_sched_sent(b, 0);
		serve_report(b, now_ns);
	}
	return done;
}

/* Each bearer that has been given resource blocks fills them. */
static bool serve_blocks(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;

	if (!wl_3gpp->rb_share(link, now_ns))
		return false;
	while ((b = link->given)) {
		wl_air_frame(link, b->air, now_ns);
		if (b->busy && !serve_block(b, now_ns))
			return false;
		wl_sched_take_back(b);
		if (b->busy)
			wl_sched_sent(b, 0);
		wl_bearer_touch(b);
		if (!wl_link_charge(link, 1))
			return false;
	}
	return true;
}

static void serve_give_airtime(struct wl_link *link, u64 now_ns)
{
	link->credit_ns += link->slot_ns[link->special];
	if (link->debt.left)
		link->credit_ns -= wl_3gpp->harq_pay(link, &link->debt, now_ns,
						     link->slot_ns);
}

/* Return: false when the budget did not suffice. */
static bool serve_fill(struct wl_link *link, u64 now_ns)
{
	if (!wl_sched_tti(link, now_ns))
		return false;
	if (wl_rb_on(link))
		return serve_blocks(link, now_ns);
	if (wl_link_shared(link))
		return serve_shared(link, now_ns);
	return serve_dedicated(link, now_ns);
}

/* Return: false when the budget did not suffice. */
static bool serve_start_tti(struct wl_link *link, u64 now_ns)
{
	if (!link->filling) {
		link->filling = true;
		link->filled = false;
		link->quiet = true;
		link->begun_ns = now_ns;
		link->special = link->first.cfg.tdd.pattern &&
				wl_3gpp->tdd_special(link, now_ns);
		link->cursor = link->busy;
		if (wl_rb_on(link))
			wl_3gpp->rb_start(link, now_ns);
		else if (wl_link_shared(link))
			serve_give_airtime(link, now_ns);
	}
	if (!link->filled && !serve_fill(link, now_ns))
		return false;
	link->filled = true;
	while (link->open) {
		if (!wl_3gpp->harq_close(link->open, now_ns))
			return false;
		if (!wl_link_charge(link, 1) && link->open)
			return false;
	}
	link->filling = false;
	link->start_ns = WL_NEVER_NS;
	if (link->busy)
		link->start_ns = wl_grid_own_ns(link, now_ns + wl_link_tti_ns(link));
	return true;
}

bool wl_serve_start(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;

	if (wl_link_tti_ns(link))
		return serve_start_tti(link, now_ns);
	while ((b = wl_sched_first(link))) {
		if (!b->unit.on)
			wl_buffer_front(b, now_ns);
		if (wl_sched_first(link) == b)
			break;
		if (!wl_link_charge(link, 1))
			return false;
	}
	link->start_ns = WL_NEVER_NS;
	if (!b)
		return true;
	link->sender = b;
	if (b->unit.on)
		wl_unit_resume(b, now_ns);
	else
		wl_unit_begin(b, now_ns);
	wl_bearer_touch(b);
	return true;
}

void wl_serve_start_own(struct wl_bearer *b, u64 now_ns)
{
	b->start_ns = WL_NEVER_NS;
	if (wl_sched_wanted(b)) {
		wl_buffer_front(b, now_ns);
		wl_unit_begin(b, now_ns);
	} else {
		wl_sched_idle(b);
	}
	wl_bearer_touch(b);
}

u64 wl_serve_end_ns(const struct wl_bearer *b)
{
	if (b->air_sdus.head)
		return min(b->air_sdus.head->end_ns, b->unit.end_ns);
	return b->unit.end_ns;
}

void wl_serve_end(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu = b->air_sdus.head;

	if (sdu && sdu->end_ns == now_ns)
		wl_tm_sent(b, wl_fifo_pop(&b->air_sdus), sdu->due_ns, now_ns);
	else
		wl_unit_end(b, now_ns);
}

static void serve_leave(struct wl_bearer *b, u64 now_ns)
{
	struct wl_link *link = b->link;

	if (link->sender != b)
		return;
	link->sender = NULL;
	link->over = 0;
	if (wl_sched_first(link))
		link->start_ns = wl_grid_next_start_ns(link, now_ns);
}

void wl_serve_abort(struct wl_bearer *b, u64 now_ns)
{
	b->unit.on = false;
	b->unit.waits = false;
	b->unit.end_ns = WL_NEVER_NS;
	b->over = 0;
	serve_leave(b, now_ns);
}

/* A shared transmitter does not wait for one whose rate is 0. */
static void serve_fall_silent(struct wl_bearer *b, u64 now_ns)
{
	struct wl_link *link = b->link;

	wl_sched_pause(b);
	b->over = 0;
	b->unit.waits = link->sender == b;
	serve_leave(b, now_ns);
}

/* TM without a TTI on a transmitter of its own, where nothing but the limit, the bits
 * and the delay decide what becomes of a SDU.
 */
static bool serve_is_plain(const struct wl_bearer *b)
{
	const struct wl_cfg *cfg = &b->cfg;

	return cfg->mode == WLINK_MODE_TM && cfg->rate_bps && !b->impair.on &&
	       !wl_link_tti_ns(b->link) &&
	       !wl_link_shared(b->link) &&
	       cfg->aqm.kind == WLINK_AQM_DROPTAIL &&
	       cfg->aqm.ramp_to_ns == WL_NEVER_NS &&
	       cfg->rlc.discard_ns == WL_NEVER_NS &&
	       cfg->channel.kind != WLINK_CHANNEL_TWOSTATE;
}

static void serve_set_quota(struct wl_bearer *b)
{
	struct wl_credit *credit = &b->credit;
	struct wl_link *link = b->link;
	u32 i;

	link->slot_ns[0] = wl_link_tti_ns(link);
	link->slot_ns[1] = div_u64(link->slot_ns[0] * link->first.cfg.tdd.symbols,
				   WLINK_TDD_SYMBOLS);
	for (i = 0; i < ARRAY_SIZE(link->slot_ns); i++)
		credit->quota_bits[i] = wl_cfg_bits_in(b->cfg.rate_bps, link->slot_ns[i],
						       &credit->quota_rest[i]);
	b->per_rate_q64 = b->cfg.rate_bps ?
			  div64_u64(U64_MAX, b->cfg.rate_bps) : 0;
	b->plain = serve_is_plain(b);
	if (b->cfg.harq.processes)
		wl_3gpp->harq_set_round(b);
}

void wl_serve_before_configure(struct wl_bearer *b, u64 now_ns,
			       const struct wl_cfg *cfg)
{
	if (b->unit.on)
		wl_unit_before_configure(b, now_ns, cfg);
}

/* Nobody gives turns as before: what is on the air goes on. */
static void serve_stop_waiting(struct wl_bearer *b, u64 now_ns)
{
	if (b->unit.waits)
		wl_unit_resume(b, now_ns);
}

static void serve_forget(struct wl_bearer *b, u64 now_ns)
{
	/* Without room for a block there has been none. */
	if (b->rings.blocks) {
		wl_3gpp->harq_reset(b, now_ns);
		/* What it gives to the mode may have ended before. */
		b->again |= b->ops && b->ops->next_ns(b) < now_ns;
	}
	wl_sched_idle(b);
	b->credit.at_ns = WL_NEVER_NS;
	b->share.mean_tti = 0;
	b->share.tti_bits = 0;
	b->share.first_tti = 0;
	b->share.owed_bits = 0;
	b->share.owed_ns = now_ns;
	wl_bearer_touch(b);
}

static void serve_begin_grid(struct wl_link *link, u64 now_ns)
{
	link->origin_ns = wl_grid_origin_ns(link, now_ns);
	link->start_ns = WL_NEVER_NS;
	link->filling = false;
	link->credit_ns = 0;
	while (link->given)
		wl_sched_take_back(link->given);
	link->over = 0;
	serve_forget(&link->first, now_ns);
}

void wl_serve_grid(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;

	serve_begin_grid(link, now_ns);
	for (b = link->all; b; b = b->next)
		serve_forget(b, now_ns);
	wl_sched_wake(&link->first, now_ns);
	for (b = link->all; b; b = b->next)
		wl_sched_wake(b, now_ns);
}

void wl_serve_configure(struct wl_bearer *b, u64 now_ns,
			const struct wl_cfg *old)
{
	struct wl_link *link = b->link;

	serve_set_quota(b);
	if (!old) {
		b->credit.at_ns = WL_NEVER_NS;
		wl_sched_guarantee(b, now_ns, 0);
		return;
	}
	if (old->rate_bps && !b->cfg.rate_bps)
		serve_fall_silent(b, now_ns);
	wl_sched_guarantee(b, now_ns, old->gbr_bps);
	if (b->unit.on)
		wl_unit_set_end(b);
	if (old->rate_bps != b->cfg.rate_bps)
		b->share.time_rest = 0;
	if (b != &link->first)
		return;
	if (memcmp(&old->cell, &b->cfg.cell, sizeof(old->cell)))
		link->users.begun = false;
	if (wl_cfg_same_grid(old, &b->cfg))
		return;
	serve_stop_waiting(b, now_ns);
	if (old->sched == WLINK_SCHED_DEDICATED || !wl_link_shared(link))
		link->sender = NULL;
	wl_air_grid(link, now_ns);
	serve_begin_grid(link, now_ns);
	wl_link_tell(link, WL_NEWS_GRID);
}

void wl_serve_hear(struct wl_bearer *b, u64 now_ns)
{
	struct wl_link *link = b->link;
	bool grid = link->news & WL_NEWS_GRID;

	if (grid || (link->news & WL_NEWS_CHANNEL && b->air == &link->air))
		wl_unit_cut(b, now_ns);
	if (!grid)
		return;
	serve_set_quota(b);
	serve_stop_waiting(b, now_ns);
	serve_forget(b, now_ns);
}

static u64 serve_first_unit_done_ns(const struct wl_bearer *b)
{
	const struct wl_unit *unit = &b->unit;
	u64 left_bytes, work, over;

	if (!unit->on)
		return min(b->start_ns, b->link->start_ns);
	left_bytes = unit->sdu->left_bytes - unit->bytes;
	work = left_bytes * 8 * WL_NSEC_PER_SEC;
	over = wl_unit_over(b);
	if (work <= over || !b->cfg.rate_bps)
		return unit->end_ns;
	return unit->end_ns + DIV64_U64_ROUND_UP(work - over,
						 b->cfg.rate_bps);
}

u64 wl_serve_first_done_ns(const struct wl_bearer *b)
{
	const struct wl_link *link = b->link;
	u64 ttis;

	if (!wl_link_tti_ns(link) || b->unit.on || link->filling)
		return serve_first_unit_done_ns(b);
	/* In TDD it may be early, as foreign slots carry nothing. */
	ttis = 1 + wl_quiet_bits(b, 8ULL * b->queue.head->left_bytes, b->cfg.rate_bps);
	return link->start_ns + ttis * wl_link_tti_ns(link);
}
