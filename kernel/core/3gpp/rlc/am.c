// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* lte-am, nr-am: what happens when. See lte.h. */
#include "../../air/rings.h"
#include "../../buffer/buffer.h"
#include "../../rlc/mode.h"
#include "../../rlc/segment.h"
#include "lte.h"

static void lte_start(struct wl_bearer *b, u64 now_ns)
{
	b->mode.lte.poll_at_ns = WL_NEVER_NS;
	b->mode.lte.reorder_at_ns = WL_NEVER_NS;
}

static u32 lte_wanted(const struct wl_bearer *b)
{
	const struct wl_lte *lte = &b->mode.lte;

	if (lte->retx.count)
		return min_t(u64, lte->retx_bytes + 4, WLINK_PDU_MAX);
	return wl_lte_goes_on(b) || wl_lte_tx_open(b) ? wl_lte_new_bytes(b) : 0;
}

static u32 lte_fits(const struct wl_bearer *b, u32 room)
{
	return wl_lte_fits(b, room, b->mode.lte.retx.count);
}

static u64 lte_key_ns(const struct wl_bearer *b)
{
	const struct wl_list *retx = &b->mode.lte.retx;

	return (retx->count ? wl_pdu_at(b, retx->first)->sdu : b->fresh)->arrival_ns;
}

static u64 lte_retx_bytes(const struct wl_bearer *b)
{
	return b->mode.lte.retx_bytes + 4ULL * b->mode.lte.retx.count;
}

static bool lte_fresh_next(const struct wl_bearer *b)
{
	return !b->mode.lte.retx.count;
}

static void lte_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx, u64 end_ns,
		     bool lost)
{
	const struct wl_lte *lte = &b->mode.lte;

	if (!lost)
		wl_flight_push(b, end_ns, tx);
	/* An acknowledgment of an earlier copy may have come meanwhile. */
	if ((s32)(tx->sn - lte->vt_a) >= 0 && (s32)(tx->sn - lte->vt_s) < 0)
		wl_seg_sent(b, tx, end_ns, lost);
}

static u64 lte_next_ns(const struct wl_bearer *b)
{
	const struct wl_lte *lte = &b->mode.lte;
	u64 next_ns = min3(lte->poll_at_ns, lte->reorder_at_ns, wl_lte_status_due_ns(b));

	next_ns = min(next_ns, wl_buffer_discard_ns(b));
	return min3(next_ns, wl_flight_next_ns(b), wl_feedback_next_ns(b));
}

static bool lte_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_lte *lte = &b->mode.lte;

	while (wl_flight_next_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_lte_rx_pdu(b, now_ns, wl_flight_pop(b));
	}
	while (wl_feedback_next_ns(b) <= now_ns && !b->failed) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_lte_tx_status(b, wl_feedback_pop(b));
	}
	if (lte->reorder_at_ns <= now_ns)
		wl_lte_rx_expired(b, now_ns);
	if (lte->poll_at_ns <= now_ns)
		wl_lte_tx_expired(b);
	while (wl_buffer_discard_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_buffer_drop_first(b, now_ns, WLINK_DROP_TIMER);
	}
	if (wl_lte_status_due_ns(b) <= now_ns)
		wl_lte_status_send(b, now_ns);
	return true;
}

static bool lte_configured(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old)
{
	struct wl_lte *lte = &b->mode.lte;

	if (b->cfg.rlc.status_prohibit_ns == WL_NEVER_NS)
		lte->status_after_ns = 0;
	/* discardTimer may have become shorter than what has passed. */
	return lte_event(b, now_ns);
}

#define MS	WL_NSEC_PER_MSEC

/* What RLC-Config has, TS 36.331 and TS 38.331 clause 6.3.2; infinite and off are 0. */
static int lte_check_am(const struct wl_cfg *cfg, struct wl_refusal *why, u32 window,
			u32 poll_byte, u64 reorder_ns)
{
	const struct wl_rlc_cfg *rlc = &cfg->rlc;
	bool off = rlc->status_prohibit_ns == WL_NEVER_NS;
	const struct wl_refusal bounds[] = {
		{ "pdu in a mode of LTE or NR", "bytes", cfg->pdu_bytes, 0, 0 },
		{ "tti in a mode of LTE or NR", "ns", cfg->tti_ns, 1, WLINK_TTI_MAX },
		{ "window", "PDUs", rlc->window, 1, window },
		{ "poll_pdu", "PDUs", rlc->poll_pdu ?: 4, 4, WLINK_POLL_COUNT_MAX },
		{ "poll_byte", "bytes", rlc->poll_byte ?: 1000, 1000, poll_byte },
		{ "maxretx", "", rlc->maxretx, 1, 32 },
		{ "poll_timer", "ns", rlc->poll_ns, 5 * MS, 4000 * MS },
		{ "reorder_timer", "ns", rlc->reorder_ns, 1 * MS, reorder_ns },
		{ "status_prohibit", "ns", off ? MS : rlc->status_prohibit_ns, MS, 2400 * MS },
	};

	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

static int lte_check(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	return lte_check_am(cfg, why, WL_LTE_WINDOW, 3000000, 1600 * MS);
}

static int nr_check(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	return lte_check_am(cfg, why, WL_NR_WINDOW, 40000000, 200 * MS);
}

static void lte_rings(const struct wl_cfg *cfg, struct wl_ring_need *need)
{
	need->pdus = cfg->rlc.window + 1ULL;
	need->spans = wl_lte_spans(cfg->rlc.window);
	need->flights = wl_lte_flights(cfg, cfg->rlc.window);
	/* Of three bytes at least; the next one waits until this one is sent. */
	need->feedbacks = div64_u64(wl_cfg_bytes_in(wl_cfg_reverse_rate_bps(cfg),
						    wl_cfg_reverse_delay_ns(cfg)), 2) + 8;
	if (cfg->rlc.status_prohibit_ns != WL_NEVER_NS)
		need->feedbacks = min(need->feedbacks,
				      div64_u64(wl_cfg_reverse_delay_ns(cfg),
						cfg->rlc.status_prohibit_ns) + 8);
}

#define AM_OPS								\
	.rings = lte_rings, .start = lte_start, .wanted = lte_wanted,	\
	.fits = lte_fits, .retx_bytes = lte_retx_bytes,			\
	.key_ns = lte_key_ns, .send = wl_lte_tx_send, .sent = lte_sent,	\
	.next_ns = lte_next_ns, .event = lte_event,			\
	.fresh_next = lte_fresh_next, .configured = lte_configured

const struct wl_mode_ops wl_lte_am_ops = {
	.window = WL_LTE_WINDOW, .check = lte_check, AM_OPS,
};

const struct wl_mode_ops wl_nr_am_ops = {
	.window = WL_NR_WINDOW, .check = nr_check, AM_OPS,
};
