// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * lte-um: PDUs are numbered and never sent again. The receiver holds what comes after a
 * gap until t-Reordering has expired, then drops every SDU with a part that is missing
 * (clause 5.1.2.2). It drops one whose end is missing, too, when the PDU that has it
 * would have come and t-Reordering after that, so that none waits for ever.
 */
#include "../../air/rings.h"
#include "../../buffer/buffer.h"
#include "../../buffer/sdu.h"
#include "../../rlc/mode.h"
#include "../../rlc/segment.h"
#include "lte.h"

static void um_start(struct wl_bearer *b, u64 now_ns)
{
	b->mode.lte.reorder_at_ns = WL_NEVER_NS;
}

static u32 um_fits(const struct wl_bearer *b, u32 room)
{
	return wl_lte_fits(b, room, false);
}

static void um_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	memset(tx, 0, sizeof(*tx));
	wl_link_spend(b->link, wl_lte_fill(b, now_ns, tx));
}

/* --- The receiver --- */

/* Its last part has been sent, and it is known when that comes or would have come. */
static bool um_ended(const struct wl_sdu *sdu)
{
	return sdu && sdu->whole_ns != WL_NEVER_NS;
}

/* What is before VR(UR) goes to the upper layer, or is dropped. Return: false when the
 * budget did not suffice.
 */
static bool um_deliver(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu;

	while (um_ended(sdu = b->reassembly) &&
	       (s32)(sdu->last_sn - b->mode.lte.vr_r) < 0) {
		if (!wl_link_try_charge(b->link))
			return false;
		b->reassembly = sdu->next;
		if (sdu->flags & WL_SDU_WHOLE)
			wl_sdu_deliver(b, sdu, now_ns);
		else
			wl_sdu_drop(b, sdu, now_ns, WLINK_DROP_CHANNEL);
	}
	return true;
}

/* To the first from a number on that has not come. */
static void um_move_to(struct wl_bearer *b, u32 sn)
{
	struct wl_lte *lte = &b->mode.lte;
	u32 from = sn;

	while ((s32)(sn - lte->vr_h) < 0 && wl_pdu_at(b, sn)->flags & WL_PDU_RECEIVED)
		sn++;
	wl_link_spend(b->link, (sn - from) / WL_WALKED_PER_CHARGE);
	lte->vr_r = sn;
}

static void um_start_timer(struct wl_bearer *b, u64 now_ns)
{
	struct wl_lte *lte = &b->mode.lte;

	lte->reorder_at_ns = WL_NEVER_NS;
	if (lte->vr_h == lte->vr_r)
		return;
	lte->reorder_at_ns = now_ns + b->cfg.rlc.reorder_ns;
	lte->vr_x = lte->vr_h;
}

static void um_receive(struct wl_bearer *b, u64 now_ns, struct wl_pdu *pdu)
{
	struct wl_sdu *sdu = pdu->sdu;
	u32 i;

	pdu->flags |= WL_PDU_RECEIVED;
	wl_link_spend(b->link, pdu->sdus / WL_WALKED_PER_CHARGE);
	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next)
		if (!--sdu->missing && um_ended(sdu))
			wl_sdu_set_whole(sdu, now_ns);
}

static void um_put(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_lte *lte = &b->mode.lte;
	u32 window = b->cfg.rlc.window;

	if ((s32)(sn - lte->vr_r) < 0)
		return;
	um_receive(b, now_ns, wl_pdu_at(b, sn));
	if ((s32)(sn - lte->vr_h) >= 0)
		lte->vr_h = sn + 1;
	if ((s32)(lte->vr_h - lte->vr_r) > (s32)window)
		um_move_to(b, lte->vr_h - window);
	else if (sn == lte->vr_r)
		um_move_to(b, sn);
	if (lte->reorder_at_ns != WL_NEVER_NS && (s32)(lte->vr_x - lte->vr_r) <= 0)
		lte->reorder_at_ns = WL_NEVER_NS;
	if (lte->reorder_at_ns == WL_NEVER_NS)
		um_start_timer(b, now_ns);
}

/* When the SDU whose turn it is will be given up, if t-Reordering does not see to it: its
 * last PDU has been lost, and nothing has come after it.
 */
static u64 um_give_up_ns(const struct wl_bearer *b)
{
	const struct wl_sdu *sdu = b->reassembly;

	if (!um_ended(sdu) || b->mode.lte.reorder_at_ns != WL_NEVER_NS)
		return WL_NEVER_NS;
	return sdu->whole_ns + b->cfg.rlc.reorder_ns;
}

/* The receiver knows nothing of it, nor does VR(UR). */
static void um_give_up(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu = b->reassembly;

	b->reassembly = sdu->next;
	wl_sdu_drop(b, sdu, now_ns, WLINK_DROP_CHANNEL);
}

static u64 um_next_ns(const struct wl_bearer *b)
{
	u64 next_ns = min3(b->mode.lte.reorder_at_ns, um_give_up_ns(b),
			   wl_flight_next_ns(b));

	next_ns = min(next_ns, wl_buffer_discard_ns(b));
	return b->unreleased ? min(next_ns, b->unreleased->end_ns) : next_ns;
}

static bool um_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_lte *lte = &b->mode.lte;

	if (!wl_seg_release_sent(b, now_ns) || !um_deliver(b, now_ns))
		return false;
	while (wl_flight_next_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		um_put(b, now_ns, wl_flight_pop(b)->sn);
		if (!um_deliver(b, now_ns))
			return false;
	}
	if (lte->reorder_at_ns <= now_ns) {
		um_move_to(b, lte->vr_x);
		um_start_timer(b, now_ns);
		if (!um_deliver(b, now_ns))
			return false;
	}
	while (um_give_up_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		um_give_up(b, now_ns);
	}
	while (wl_buffer_discard_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_buffer_drop_first(b, now_ns, WLINK_DROP_TIMER);
	}
	return true;
}

static bool um_configured(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old)
{
	/* Timers may have become shorter than what has passed. */
	return um_event(b, now_ns);
}

static int um_check(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_refusal bounds[] = {
		{ "pdu in a mode of LTE or NR", "bytes", cfg->pdu_bytes, 0, 0 },
		{ "tti in a mode of LTE or NR", "ns", cfg->tti_ns, 1, WLINK_TTI_MAX },
		{ "window", "PDUs", cfg->rlc.window, 1, WL_LTE_WINDOW },
		{ "reorder_timer", "ns", cfg->rlc.reorder_ns, WL_NSEC_PER_MSEC,
		  1600 * WL_NSEC_PER_MSEC },
	};

	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

/* A record is needed until its PDU has come and is out of the window. */
static void um_rings(const struct wl_cfg *cfg, struct wl_ring_need *need)
{
	need->flights = wl_lte_flights(cfg, WL_RINGS_RECORDS_MAX);
	need->pdus = need->flights + 2 * WL_LTE_WINDOW;
}

const struct wl_mode_ops wl_lte_um_ops = {
	.unacknowledged = true,
	.window = WL_LTE_WINDOW,
	.check = um_check,
	.rings = um_rings,
	.start = um_start,
	.wanted = wl_lte_new_bytes,
	.fits = um_fits,
	.key_ns = wl_seg_key_ns,
	.send = um_send,
	.sent = wl_seg_um_sent,
	.next_ns = um_next_ns,
	.event = um_event,
	.configured = um_configured,
};
