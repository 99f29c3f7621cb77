// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Unacknowledged mode of TS 25.322: PDUs of one size, numbered, never sent
 * again. A gap in the numbers drops every SDU with a bit or its length indicator
 * in one of the missing PDUs.
 *
 * A SDU leaves the buffer when its last bit has been sent. It is delivered or
 * dropped when the PDU that tells where it ends comes out of the receiving
 * entity in its turn. Where that PDU has been lost, the SDU is dropped when a
 * later PDU makes up the gap or, so that no drop waits for ever, when the lost
 * one would have arrived; with reordering, Timer_DAR after that.
 *
 * Duplicate avoidance and reordering, TS 25.322 clause 9.7.10, where configured:
 * a PDU that comes after a gap is held until what is missing has come, the
 * window of PDUs behind the highest number received has passed it, or Timer_DAR
 * expires. A PDU whose turn is over is of no use to anyone and is ignored in any
 * case; it counts as a duplicate where duplicate avoidance is on. (Without,
 * a real receiver would take its number of 7 bits for one far ahead.)
 *
 * At the receiver PDUs have their turn in the order of their numbers, whether they
 * were received or are missing, and with the turn of its last one a SDU is
 * delivered, if all of it is there, or dropped.
 */
#include "../air/rings.h"
#include "../buffer/buffer.h"
#include "../buffer/sdu.h"
#include "mode.h"
#include "segment.h"

static void um_start(struct wl_bearer *b, u64 now_ns)
{
	b->mode.um.dar_ns = WL_NEVER_NS;
}

static void um_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	memset(tx, 0, sizeof(*tx));
	tx->kind = WL_TX_NEW;
	tx->sn = b->mode.um.vt_us++;
	wl_seg_fill(b, now_ns, tx);
	wl_link_spend(b->link, wl_pdu_at(b, tx->sn)->sdus);
}

/* --- The receiver --- */

/* The PDU that tells where it ends has been sent, or will be lost. */
static bool um_rx_ended(const struct wl_sdu *sdu)
{
	return sdu && sdu->whole_ns != WL_NEVER_NS;
}

static void um_rx_finish(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	b->reassembly = sdu->next;
	wl_link_spend(b->link, 1);
	if (sdu->flags & WL_SDU_WHOLE)
		wl_sdu_deliver(b, sdu, now_ns);
	else
		wl_sdu_drop(b, sdu, now_ns, WLINK_DROP_CHANNEL);
}

static bool um_rx_begun_by(const struct wl_sdu *sdu, u32 sn)
{
	return sdu && sdu->flags & WL_SDU_BEGUN &&
	       (s32)(sn - sdu->first_sn) >= 0;
}

/* The turn of the next PDU, received or missing. */
static void um_rx_take_turn(struct wl_bearer *b, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;
	u32 sn = um->vr_us++;

	um->held >>= 1;
	while (um_rx_begun_by(b->reassembly, sn) && um_rx_ended(b->reassembly) &&
	       b->reassembly->last_sn == sn)
		um_rx_finish(b, b->reassembly, now_ns);
}

/* What a PDU brings, long before its turn or in it. */
static void um_rx_receive(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_sdu *sdu = b->reassembly;
	u32 passed = 0;

	for (; um_rx_begun_by(sdu, sn); sdu = sdu->next) {
		passed++;
		if (um_rx_ended(sdu) && (s32)(sn - sdu->last_sn) > 0)
			continue;
		if (--sdu->missing || !um_rx_ended(sdu))
			continue;
		wl_sdu_set_whole(sdu, now_ns);
	}
	wl_link_spend(b->link, passed / WL_WALKED_PER_CHARGE);
}

/* Of PDUs that are missing only those matter that tell where a SDU ends. */
static void um_rx_skip_missing(struct wl_bearer *b, u32 sn)
{
	const struct wl_sdu *sdu = b->reassembly;
	struct wl_um *um = &b->mode.um;

	if (um->held)
		return;
	if (um_rx_ended(sdu) && (s32)(sn - sdu->last_sn) > 0)
		sn = sdu->last_sn;
	if ((s32)(sn - um->vr_us) > 0)
		um->vr_us = sn;
}

/* Return: false when the budget did not suffice. */
static bool um_rx_move_to(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_um *um = &b->mode.um;

	while ((s32)(sn - um->vr_us) > 0) {
		um_rx_skip_missing(b, sn - 1);
		um_rx_take_turn(b, now_ns);
		if (!wl_link_charge(b->link, 1) && (s32)(sn - um->vr_us) > 0)
			return false;
	}
	return true;
}

/* What is held and has no gap before it any more; then look after Timer_DAR. */
static void um_rx_settle(struct wl_bearer *b, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;

	while (um->held & 1)
		um_rx_take_turn(b, now_ns);
	if ((s32)(um->vr_us - um->vr_udt) > 0)
		um->dar_ns = WL_NEVER_NS;
	if (um->held && um->dar_ns == WL_NEVER_NS) {
		um->vr_udt = um->vr_udh;
		um->dar_ns = now_ns + b->cfg.rlc.reorder_ns;
	}
}

/* Return: false when the budget did not suffice: once more. */
static bool um_rx_put_pdu(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	u32 window = b->cfg.rlc.reorder;
	struct wl_um *um = &b->mode.um;
	s32 ahead = sn - um->vr_us;

	if (ahead < 0 || (ahead < 64 && um->held >> ahead & 1)) {
		b->stats.v[WLINK_STAT_DUPLICATES] += b->cfg.rlc.duplicates;
		return true;
	}
	if ((s32)(sn - um->vr_udh) > 0)
		um->vr_udh = sn;
	if (!um_rx_move_to(b, now_ns, window ? um->vr_udh - window + 1 : sn))
		return false;
	um->held |= 1ULL << (sn - um->vr_us);
	um_rx_receive(b, now_ns, sn);
	um_rx_settle(b, now_ns);
	return true;
}

/* When the SDU whose turn it is will be given up, if Timer_DAR does not see to
 * it.
 */
static u64 um_rx_give_up_ns(const struct wl_bearer *b)
{
	const struct wl_sdu *sdu = b->reassembly;

	if (!um_rx_ended(sdu) || b->mode.um.dar_ns != WL_NEVER_NS)
		return WL_NEVER_NS;
	return sdu->whole_ns + (b->cfg.rlc.reorder ? b->cfg.rlc.reorder_ns : 0);
}

static u64 um_rx_next_ns(const struct wl_bearer *b)
{
	return min3(b->mode.um.dar_ns, um_rx_give_up_ns(b),
		    wl_flight_next_ns(b));
}

static bool um_rx_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;

	while (wl_flight_next_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link) ||
		    !um_rx_put_pdu(b, now_ns, wl_flight_at(b, b->flight.head)->sn))
			return false;
		wl_flight_pop(b);
	}
	if (um->dar_ns <= now_ns) {
		if (!um_rx_move_to(b, now_ns, um->vr_udt + 1))
			return false;
		um_rx_settle(b, now_ns);
	}
	/* Timer_DAR does not run, so nothing is held. */
	while (um_rx_give_up_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link) ||
		    !um_rx_move_to(b, now_ns, b->reassembly->last_sn + 1))
			return false;
	}
	return true;
}

/* The window may have become smaller. */
static bool um_rx_configured(struct wl_bearer *b, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;

	if (um->held && !um_rx_move_to(b, now_ns, um->vr_udh + 1 - b->cfg.rlc.reorder))
		return false;
	um_rx_settle(b, now_ns);
	return true;
}

/* --- Both --- */

static u64 um_next_ns(const struct wl_bearer *b)
{
	u64 next_ns = min(um_rx_next_ns(b), wl_buffer_discard_ns(b));

	return b->unreleased ? min(next_ns, b->unreleased->end_ns) : next_ns;
}

static bool um_event(struct wl_bearer *b, u64 now_ns)
{
	if (!wl_seg_release_sent(b, now_ns) || !um_rx_configured(b, now_ns) ||
	    !um_rx_event(b, now_ns))
		return false;
	while (wl_buffer_discard_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_buffer_drop_first(b, now_ns, WLINK_DROP_TIMER);
	}
	return true;
}

static bool um_configured(struct wl_bearer *b, u64 now_ns,
			  const struct wl_cfg *old)
{
	/* Timers may have become shorter than what has passed. */
	return um_event(b, now_ns);
}

static int um_check(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_refusal bounds[] = {
		{ "pdu", "bytes", cfg->pdu_bytes, wl_seg_pdu_bytes_min(cfg),
		  WLINK_PDU_MAX },
	};

	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

static void um_rings(const struct wl_cfg *cfg, struct wl_ring_need *need)
{
	need->pdus = WLINK_UM_SN;
	need->flights = wl_seg_flights(cfg);
}

const struct wl_mode_ops wl_um_ops = {
	.unacknowledged = true,
	.header_bytes = 1,
	.pdu_bytes = 40,
	.window = 1024,
	.check = um_check,
	.rings = um_rings,
	.start = um_start,
	.wanted = wl_seg_wanted,
	.key_ns = wl_seg_key_ns,
	.send = um_send,
	.sent = wl_seg_um_sent,
	.next_ns = um_next_ns,
	.event = um_event,
	.configured = um_configured,
};
