// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Selective repeat. See sr.h.
 *
 * A frame that is not acknowledged is on the list of those to be sent again
 * (WL_PDU_RETX), on the list of those whose timer runs (timer_ns is set), or on
 * the air (neither). With start handover its timer runs wherever it is, but while
 * it is on the first list, which is emptied at once.
 *
 * At the receiver every frame that is missing between rnext and highest has been
 * NACKed at least once. The record of a frame from rnext on is valid, because the
 * sender has not got an ACK for it.
 */
#include "../air/reverse.h"
#include "../air/rings.h"
#include "../buffer/buffer.h"
#include "../buffer/sdu.h"
#include "../rlc/mode.h"
#include "sr.h"

/* How often at most the timer of a frame expires, which does not wait for the air. */
#define TIMER_MIN_NS	WL_NSEC_PER_MSEC

/* In an outage what the usual rate makes of it; before the first rate nothing. */
static u64 sr_serial_ns(u32 bytes, u64 rate_bps)
{
	if (!rate_bps)
		return 0;
	return div64_u64(8 * WL_NSEC_PER_SEC * bytes, rate_bps);
}

static u64 sr_airtime_ns(const struct wl_bearer *b, u32 bytes)
{
	return wl_link_tti_ns(b->link) ?:
	       sr_serial_ns(bytes, wl_cfg_usual_bps(&b->cfg));
}

static u64 sr_back_ns(const struct wl_bearer *b)
{
	const struct wl_cfg *cfg = &b->cfg;

	return sr_serial_ns(cfg->rlc.ack_bytes,
			 cfg->reverse.rate_bps ?: wl_cfg_usual_bps(cfg)) +
	       wl_cfg_reverse_delay_ns(cfg);
}

/* --- The sender --- */

static bool sr_tx_outstanding(const struct wl_sr *sr, u32 sn)
{
	return sn - sr->una < sr->next - sr->una;
}

/* Deadlines mostly grow, so the place is looked for from the end. */
static void sr_tx_start_timer(struct wl_bearer *b, struct wl_pdu *pdu,
			      u64 deadline_ns)
{
	struct wl_list *timed = &b->mode.sr.timed;
	u32 i, after = timed->last;

	pdu->timer_ns = deadline_ns;
	for (i = timed->count; i > 0; i--) {
		if (wl_pdu_at(b, after)->timer_ns <= deadline_ns)
			break;
		after = wl_pdu_at(b, after)->prev;
	}
	wl_link_spend(b->link, (timed->count - i) / WL_WALKED_PER_CHARGE);
	wl_list_add(b, timed, pdu, i ? &after : NULL);
}

static void sr_tx_stop_timer(struct wl_bearer *b, struct wl_pdu *pdu)
{
	wl_list_del(b, &b->mode.sr.timed, pdu);
	pdu->timer_ns = WL_NEVER_NS;
}

/* Send it again; its timer runs, and has no meaning any more. */
static void sr_tx_request(struct wl_bearer *b, struct wl_pdu *pdu)
{
	struct wl_list *again = &b->mode.sr.again;

	sr_tx_stop_timer(b, pdu);
	pdu->flags |= WL_PDU_RETX;
	wl_list_add(b, again, pdu, &again->last);
}

static void sr_tx_unrequest(struct wl_bearer *b, struct wl_pdu *pdu)
{
	wl_list_del(b, &b->mode.sr.again, pdu);
	pdu->flags &= ~WL_PDU_RETX;
}

static u32 sr_tx_fresh_bytes(const struct wl_bearer *b)
{
	return min(b->fresh->left_bytes, b->cfg.pdu_bytes);
}

static u32 sr_tx_wanted(const struct wl_bearer *b)
{
	const struct wl_sr *sr = &b->mode.sr;

	if (sr->again.count)
		return wl_pdu_at(b, sr->again.first)->bytes;
	if (b->fresh && sr->next - sr->una < b->cfg.rlc.window)
		return sr_tx_fresh_bytes(b);
	return 0;
}

static bool sr_tx_fresh_next(const struct wl_bearer *b)
{
	const struct wl_sr *sr = &b->mode.sr;

	return !sr->again.count && sr->next - sr->una < b->cfg.rlc.window;
}

static u64 sr_tx_key_ns(const struct wl_bearer *b)
{
	const struct wl_sr *sr = &b->mode.sr;

	if (sr->again.count)
		return wl_pdu_at(b, sr->again.first)->sdu->arrival_ns;
	return b->fresh->arrival_ns;
}

static struct wl_pdu *sr_tx_cut_frame(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;
	struct wl_sdu *sdu = b->fresh;
	struct wl_pdu *pdu = wl_pdu_at(b, sr->next);

	if (!(sdu->flags & WL_SDU_BEGUN)) {
		wl_sdu_begin(b, sdu, now_ns);
		sdu->first_sn = sr->next;
		sdu->missing = 0;
	}
	memset(pdu, 0, sizeof(*pdu));
	pdu->sn = sr->next++;
	pdu->sdu = sdu;
	pdu->flags = WL_PDU_SENT;
	pdu->sdus = 1;
	pdu->bytes = sr_tx_fresh_bytes(b);
	pdu->timer_ns = WL_NEVER_NS;
	sdu->missing++;
	sdu->left_bytes -= pdu->bytes;
	if (!sdu->left_bytes) {
		sdu->last_sn = pdu->sn;
		b->fresh = sdu->next;
		b->passed = sdu;
	}
	return pdu;
}

static void sr_tx_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	const struct wl_sr *sr = &b->mode.sr;
	struct wl_pdu *pdu;

	memset(tx, 0, sizeof(*tx));
	if (sr->again.count) {
		tx->kind = WL_TX_RETX;
		pdu = wl_pdu_at(b, sr->again.first);
		sr_tx_unrequest(b, pdu);
	} else {
		tx->kind = WL_TX_NEW;
		pdu = sr_tx_cut_frame(b, now_ns);
	}
	tx->sn = pdu->sn;
	tx->bytes = pdu->bytes;
	pdu->tx_ns = now_ns;
	if (b->cfg.rlc.start != WLINK_START_AIR) {
		pdu->queued++;
		sr_tx_start_timer(b, pdu, now_ns + max(sr->rtxto_ns, TIMER_MIN_NS));
	}
	wl_sdu_count(pdu->sdu, 1, 0);
	if (tx->kind == WL_TX_RETX)
		wl_sdu_count_retx(pdu->sdu);
}

static void sr_tx_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		       u64 end_ns, bool lost)
{
	const struct wl_sr *sr = &b->mode.sr;
	struct wl_pdu *pdu = wl_pdu_at(b, tx->sn);
	u64 due_ns = wl_flight_due_ns(b, end_ns);

	if (!lost)
		wl_flight_push(b, end_ns, tx);
	/* The ACK for an earlier transmission may have come meanwhile. */
	if (!sr_tx_outstanding(sr, tx->sn))
		return;
	wl_sdu_count(pdu->sdu, 0, lost);
	if (tx->kind == WL_TX_NEW && wl_sdu_ends_in(pdu->sdu, pdu->sn)) {
		pdu->sdu->end_ns = end_ns - b->harq.late_ns;
		pdu->sdu->due_ns = due_ns - b->harq.late_ns;
	}
	if (b->cfg.rlc.start == WLINK_START_AIR) {
		sr_tx_start_timer(b, pdu, end_ns + sr->rtxto_ns);
		return;
	}
	pdu->queued--;
	pdu->sent_ns = end_ns;
}

/* A NACK that comes sooner after the first bit than a round trip takes was made
 * before the frame could have arrived, and speaks of an earlier transmission.
 */
static void sr_tx_take_nack(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_pdu *pdu = wl_pdu_at(b, sn);
	u64 after_ns;

	if (!sr_tx_outstanding(&b->mode.sr, sn) || pdu->timer_ns == WL_NEVER_NS)
		return;
	after_ns = b->cfg.delay_ns + sr_back_ns(b);
	if (b->cfg.rlc.start == WLINK_START_AIR)
		after_ns += pdu->tx_ns + sr_airtime_ns(b, pdu->bytes);
	else if (!pdu->queued)
		after_ns += pdu->sent_ns;
	else
		return;
	if (now_ns >= after_ns)
		sr_tx_request(b, pdu);
}

static void sr_tx_forget(struct wl_bearer *b, struct wl_pdu *pdu)
{
	if (pdu->flags & WL_PDU_RETX)
		sr_tx_unrequest(b, pdu);
	else if (pdu->timer_ns != WL_NEVER_NS)
		sr_tx_stop_timer(b, pdu);
	if (wl_sdu_ends_in(pdu->sdu, pdu->sn))
		wl_sdu_release(b, pdu->sdu);
}

/* Exceptions (a) to (c) of the paper: no sample from a NACK, one from the last
 * frame of several, none from an ACK that brings nothing new.
 */
static void sr_tx_take_ack(struct wl_bearer *b, u64 now_ns, u32 expected)
{
	struct wl_sr *sr = &b->mode.sr;

	if (!sr_tx_outstanding(sr, expected - 1))
		return;
	wl_sr_rtt_sample(sr, &b->cfg,
			 now_ns - wl_pdu_at(b, expected - 1)->tx_ns);
	wl_link_spend(b->link, expected - sr->una);
	for (; sr->una != expected; sr->una++)
		sr_tx_forget(b, wl_pdu_at(b, sr->una));
}

static bool sr_tx_feedback(struct wl_bearer *b, u64 now_ns)
{
	while (wl_feedback_next_ns(b) <= now_ns) {
		const struct wl_feedback *feedback;

		if (!wl_link_try_charge(b->link))
			return false;
		feedback = wl_feedback_pop(b);
		if (feedback->kind == WL_SR_ACK)
			sr_tx_take_ack(b, now_ns, feedback->lsn);
		else
			sr_tx_take_nack(b, now_ns, feedback->lsn);
	}
	return true;
}

static u64 sr_tx_timer_ns(const struct wl_bearer *b)
{
	const struct wl_list *timed = &b->mode.sr.timed;

	return timed->count ? wl_pdu_at(b, timed->first)->timer_ns :
			      WL_NEVER_NS;
}

static void sr_tx_expire(struct wl_bearer *b, u64 now_ns)
{
	while (sr_tx_timer_ns(b) <= now_ns) {
		b->stats.v[WLINK_STAT_TIMEOUTS]++;
		sr_tx_request(b, wl_pdu_at(b, b->mode.sr.timed.first));
		wl_link_spend(b->link, 1);
	}
}

/* --- The receiver --- */

static bool sr_rx_have(const struct wl_bearer *b, u32 sn)
{
	return (s32)(sn - b->mode.sr.rnext) < 0 ||
	       wl_pdu_at(b, sn)->flags & WL_PDU_RECEIVED;
}

/* As long as a retransmission takes at most to arrive, after a NACK: the frame
 * on the air goes first.
 */
static u64 sr_rx_guard_ns(const struct wl_bearer *b)
{
	u64 airtime_ns = sr_airtime_ns(b, b->cfg.pdu_bytes);

	return b->cfg.rlc.nack_guard_ns ?:
	       sr_back_ns(b) + airtime_ns + airtime_ns + b->cfg.delay_ns;
}

static void sr_rx_send_feedback(struct wl_bearer *b, u64 now_ns, u8 kind, u32 lsn)
{
	struct wl_feedback feedback = {
		.kind = kind,
		.lsn = lsn,
	};

	wl_reverse_send(b, now_ns, b->cfg.rlc.ack_bytes, &feedback);
}

static void sr_rx_put_frame(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_pdu *pdu = wl_pdu_at(b, sn);
	struct wl_sdu *sdu = pdu->sdu;

	pdu->flags |= WL_PDU_RECEIVED;
	if (!--sdu->missing && !sdu->left_bytes)
		wl_sdu_set_whole(sdu, now_ns);
}

static void sr_rx_deliver_run(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;
	struct wl_sdu *sdu;

	while (sr->rnext != sr->highest && sr_rx_have(b, sr->rnext)) {
		sdu = wl_pdu_at(b, sr->rnext)->sdu;
		if (wl_sdu_ends_in(sdu, sr->rnext))
			wl_sdu_deliver(b, sdu, now_ns);
		wl_link_spend(b->link, 1);
		sr->rnext++;
	}
}

/* Frames that arrive in the order in which they were sent say nothing of those
 * behind them, so only what is missing before the last arrival is NACKed. Those
 * from seen on have never been.
 */
static void sr_rx_nack_missing(struct wl_bearer *b, u64 now_ns, u32 seen, u32 last)
{
	struct wl_sr *sr = &b->mode.sr;
	u64 guard = sr_rx_guard_ns(b);
	bool all = sr->renack_ns <= now_ns;
	struct wl_pdu *pdu;
	u64 again_ns;
	u32 sn;

	if (all)
		sr->renack_ns = WL_NEVER_NS;
	sn = all || (s32)(seen - sr->rnext) < 0 ? sr->rnext : seen;
	wl_link_spend(b->link, (sr->highest - sn) / WL_WALKED_PER_CHARGE);
	for (; sn != sr->highest; sn++) {
		if (sr_rx_have(b, sn))
			continue;
		pdu = wl_pdu_at(b, sn);
		again_ns = (s32)(sn - seen) < 0 ? pdu->nack_ns + guard : now_ns;
		if (again_ns <= now_ns && (s32)(sn - last) < 0) {
			sr_rx_send_feedback(b, now_ns, WL_SR_NACK, sn);
			wl_link_spend(b->link, 1);
			pdu->nack_ns = now_ns;
			again_ns = now_ns + guard;
		}
		sr->renack_ns = min(sr->renack_ns, again_ns);
	}
}

/* NACKs go after the last of them, so that none is asked for that comes at the same
 * instant.
 */
static void sr_rx_frames(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;
	u32 seen = sr->highest;
	u32 last = sr->rnext;
	bool ack = false;

	while (wl_flight_next_ns(b) <= now_ns) {
		u32 sn = wl_flight_pop(b)->sn;

		wl_link_spend(b->link, 1);
		if (sr_rx_have(b, sn)) {
			b->stats.v[WLINK_STAT_DUPLICATES]++;
			ack = true;
			continue;
		}
		sr_rx_put_frame(b, now_ns, sn);
		if ((s32)(sn - sr->highest) >= 0)
			sr->highest = sn + 1;
		if (sn == sr->rnext) {
			sr_rx_deliver_run(b, now_ns);
			ack = true;
		} else if ((s32)(sn - last) > 0) {
			last = sn;
		}
	}
	if ((s32)(last - sr->rnext) > 0)
		sr_rx_nack_missing(b, now_ns, seen, last);
	if (ack && sr->ack_ns == WL_NEVER_NS)
		sr->ack_ns = now_ns + b->cfg.rlc.ack_delay_ns;
}

/* It waits for the reverse transmitter, so that it tells the latest. */
static u64 sr_rx_ack_ns(const struct wl_bearer *b)
{
	if (b->mode.sr.ack_ns == WL_NEVER_NS)
		return WL_NEVER_NS;
	return max(b->mode.sr.ack_ns, wl_reverse_free_ns(b));
}

static void sr_rx_ack(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;

	if (sr_rx_ack_ns(b) > now_ns)
		return;
	sr->ack_ns = WL_NEVER_NS;
	sr_rx_send_feedback(b, now_ns, WL_SR_ACK, sr->rnext);
}

/* --- Both --- */

static void sr_start(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;

	sr->ack_ns = WL_NEVER_NS;
	sr->renack_ns = WL_NEVER_NS;
	wl_sr_rtt_start(sr, &b->cfg);
}

static u64 sr_next_ns(const struct wl_bearer *b)
{
	u64 next_ns = min(sr_rx_ack_ns(b), sr_tx_timer_ns(b));

	return min3(next_ns, wl_flight_next_ns(b), wl_feedback_next_ns(b));
}

static bool sr_event(struct wl_bearer *b, u64 now_ns)
{
	sr_rx_frames(b, now_ns);
	if (!sr_tx_feedback(b, now_ns))
		return false;
	sr_rx_ack(b, now_ns);
	sr_tx_expire(b, now_ns);
	return true;
}

static bool sr_configured(struct wl_bearer *b, u64 now_ns,
			  const struct wl_cfg *old)
{
	struct wl_sr *sr = &b->mode.sr;

	wl_sr_rtt_set(sr, &b->cfg);
	sr->renack_ns = 0;
	return true;
}

static int sr_check(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_refusal bounds[] = {
		{ "pdu", "bytes", cfg->pdu_bytes, 1, WLINK_PDU_MAX },
		{ "window", "frames", cfg->rlc.window, 1, WLINK_SR_WINDOW_MAX },
	};

	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

/* A frame is sent again no sooner than a round trip later. */
static void sr_rings(const struct wl_cfg *cfg, struct wl_ring_need *need)
{
	u64 back = wl_cfg_bytes_in(wl_cfg_reverse_rate_bps(cfg),
				   wl_cfg_reverse_delay_ns(cfg));
	u64 window = cfg->rlc.window;

	need->pdus = window + 1;
	need->flights = 2 * window + 8;
	need->feedbacks = min(div64_u64(back, cfg->rlc.ack_bytes), 4 * window) +
			  2 * window + 8;
}

const struct wl_mode_ops wl_sr_ops = {
	.header_bytes = 8,
	.pdu_bytes = 250,
	.window = 128,
	.check = sr_check,
	.rings = sr_rings,
	.start = sr_start,
	.wanted = sr_tx_wanted,
	.key_ns = sr_tx_key_ns,
	.send = sr_tx_send,
	.sent = sr_tx_sent,
	.next_ns = sr_next_ns,
	.event = sr_event,
	.fresh_next = sr_tx_fresh_next,
	.configured = sr_configured,
};
