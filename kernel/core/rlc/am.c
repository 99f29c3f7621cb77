// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * AM: what happens when. See rlc/am.h.
 */
#include "../air/rings.h"
#include "am.h"
#include "mode.h"
#include "segment.h"

static void am_start(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	am->poll_at_ns = WL_NEVER_NS;
	am->prohibit_at_ns = WL_NEVER_NS;
	am->periodic_at_ns = WL_NEVER_NS;
	am->status_at_ns = WL_NEVER_NS;
	am->mrw_at_ns = WL_NEVER_NS;
	am->rst_at_ns = WL_NEVER_NS;
	am->origin_ns = now_ns;
	/* The first RESET carries RSN 0. */
	am->rsn = 1;
}

/* A periodic timer runs from start(), whether or not anybody looks. */
static u64 am_next_period_ns(const struct wl_am *am, u64 period_ns, u64 now_ns)
{
	u64 periods = div64_u64(now_ns - am->origin_ns, period_ns);

	return am->origin_ns + (periods + 1) * period_ns;
}

/* Nothing is polled for, reported or waited for while nothing is outstanding. */
static void am_arm_periodic(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_am *am = &b->mode.am;

	if (am->vt_a == am->vt_s) {
		am->periodic_at_ns = WL_NEVER_NS;
		am->status_at_ns = WL_NEVER_NS;
		return;
	}
	if (am->periodic_at_ns == WL_NEVER_NS &&
	    rlc->poll_periodic_ns != WL_NEVER_NS)
		am->periodic_at_ns =
			am_next_period_ns(am, rlc->poll_periodic_ns, now_ns);
	if (am->status_at_ns == WL_NEVER_NS &&
	    rlc->status_periodic_ns != WL_NEVER_NS)
		am->status_at_ns =
			am_next_period_ns(am, rlc->status_periodic_ns, now_ns);
}

/* With start handover, the periodic timers run from the hand-over on, too. */
static void am_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	wl_am_tx_send(b, now_ns, tx);
	if (b->cfg.rlc.start != WLINK_START_AIR)
		am_arm_periodic(b, now_ns);
}

static void am_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		    u64 end_ns, bool lost)
{
	wl_am_tx_sent(b, now_ns, tx, end_ns, lost);
	am_arm_periodic(b, now_ns);
}

static u64 am_retx_bytes(const struct wl_bearer *b)
{
	return (u64)b->mode.am.retx.count * b->cfg.pdu_bytes;
}

static u64 am_next_ns(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;
	u64 next_ns;

	next_ns = min3(am->poll_at_ns, am->prohibit_at_ns, am->periodic_at_ns);
	next_ns = min3(next_ns, am->status_at_ns, wl_am_status_due_ns(b));
	next_ns = min3(next_ns, am->mrw_at_ns, am->rst_at_ns);
	next_ns = min(next_ns, wl_am_discard_ns(b));
	return min3(next_ns, wl_flight_next_ns(b), wl_feedback_next_ns(b));
}

/* Return: false when the budget did not suffice; so do the next two. */
static bool am_arrivals(struct wl_bearer *b, u64 now_ns)
{
	while (wl_flight_next_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_am_rx_pdu(b, now_ns, wl_flight_pop(b));
	}
	return true;
}

static bool am_answers(struct wl_bearer *b, u64 now_ns)
{
	while (wl_feedback_next_ns(b) <= now_ns) {
		const struct wl_feedback *feedback;

		if (!wl_link_try_charge(b->link))
			return false;
		feedback = wl_feedback_pop(b);
		if (feedback->kind == WL_AM_RESET_ACK)
			wl_am_reset_ack(b, feedback->lsn);
		else if (feedback->kind == WL_AM_MRW_ACK && !b->mode.am.rst_on)
			wl_am_mrw_ack(b, feedback->lsn, feedback->aux);
		else if (!b->mode.am.rst_on)
			wl_am_tx_status(b, now_ns, feedback);
	}
	return true;
}

static void am_poll_timers(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	/* Before the triggers: one that comes now is not delayed by it. */
	if (am->prohibit_at_ns <= now_ns) {
		am->prohibit_at_ns = WL_NEVER_NS;
		am->poll |= am->poll_delayed;
		am->poll_delayed = false;
	}
	if (am->poll_at_ns <= now_ns) {
		am->poll_at_ns = WL_NEVER_NS;
		b->stats.v[WLINK_STAT_TIMEOUTS]++;
		wl_am_tx_poll(b);
	}
	if (am->periodic_at_ns <= now_ns) {
		am->periodic_at_ns = WL_NEVER_NS;
		wl_am_tx_poll(b);
	}
}

static bool am_timers(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	if (am->rst_at_ns <= now_ns && !wl_am_reset_schedule(b, now_ns))
		return false;
	if (am->mrw_at_ns <= now_ns)
		wl_am_mrw_expired(b, now_ns);
	while (wl_am_discard_ns(b) <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_am_discard(b, now_ns);
	}
	am_poll_timers(b, now_ns);
	if (am->status_at_ns <= now_ns) {
		am->status_at_ns = WL_NEVER_NS;
		am->status = true;
	}
	return true;
}

static bool am_event(struct wl_bearer *b, u64 now_ns)
{
	if (!am_arrivals(b, now_ns) || !am_answers(b, now_ns) || !am_timers(b, now_ns))
		return false;
	if (wl_am_status_due_ns(b) <= now_ns)
		wl_am_status_send(b, now_ns);
	wl_am_tx_force_poll(b, now_ns);
	am_arm_periodic(b, now_ns);
	return true;
}

static bool am_configured(struct wl_bearer *b, u64 now_ns,
			  const struct wl_cfg *old)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_am *am = &b->mode.am;

	if (rlc->poll_ns == WL_NEVER_NS)
		am->poll_at_ns = WL_NEVER_NS;
	if (rlc->poll_prohibit_ns == WL_NEVER_NS &&
	    am->prohibit_at_ns != WL_NEVER_NS)
		am->prohibit_at_ns = now_ns;
	if (rlc->status_prohibit_ns == WL_NEVER_NS)
		am->status_after_ns = 0;
	am->periodic_at_ns = WL_NEVER_NS;
	am->status_at_ns = WL_NEVER_NS;
	/* Timer_Discard may have become shorter than what has passed. */
	return am_event(b, now_ns);
}

/* A STATUS PDU of the same size holds a LIST or BITMAP SUFI and an ACK SUFI in 48
 * bits. Without any trigger nobody ever says what has arrived.
 */
static int am_check(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_rlc_cfg *rlc = &cfg->rlc;
	u32 least = cfg->header_bytes < 4 ? 6 - cfg->header_bytes :
					    wl_seg_pdu_bytes_min(cfg);
	u32 triggers = rlc->poll_last + !!rlc->poll_pdu + !!rlc->poll_sdu +
		       !!rlc->poll_window +
		       (rlc->poll_periodic_ns != WL_NEVER_NS) +
		       (rlc->status_periodic_ns != WL_NEVER_NS);
	const struct wl_refusal bounds[] = {
		{ "pdu", "bytes", cfg->pdu_bytes, least, WLINK_PDU_MAX },
		{ "window", "PDUs", rlc->window, 1, WLINK_AM_WINDOW_MAX },
		{ "number of poll and periodic triggers", "", triggers, 1, 6 },
	};

	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

/* One report may need a STATUS PDU for each pair of a LIST SUFI, 17 bits with its
 * part of the SUFI's head, where every other PDU of the window is missing. The next
 * report waits until the last part of this one is sent.
 */
static void am_rings(const struct wl_cfg *cfg, struct wl_ring_need *need)
{
	u32 bytes = cfg->pdu_bytes + cfg->header_bytes;
	u32 pairs = max((8 * bytes - 28) / 17, 1U);
	u64 back = wl_cfg_bytes_in(wl_cfg_reverse_rate_bps(cfg),
				   wl_cfg_reverse_delay_ns(cfg));

	need->pdus = cfg->rlc.window + 1ULL;
	need->flights = wl_seg_flights(cfg);
	need->feedbacks = div64_u64(back, bytes) +
			  DIV_ROUND_UP(cfg->rlc.window, 2) / pairs + 2 + 8;
}

const struct wl_mode_ops wl_am_ops = {
	.header_bytes = 2,
	.pdu_bytes = 40,
	.window = 1024,
	.check = am_check,
	.rings = am_rings,
	.start = am_start,
	.wanted = wl_am_tx_wanted,
	.key_ns = wl_am_tx_key_ns,
	.send = am_send,
	.sent = am_sent,
	.next_ns = am_next_ns,
	.event = am_event,
	.fresh_next = wl_am_tx_fresh_next,
	.retx_bytes = am_retx_bytes,
	.configured = am_configured,
};
