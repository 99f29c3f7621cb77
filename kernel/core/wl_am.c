// SPDX-License-Identifier: GPL-2.0
/*
 * AM: what happens when. See wl_am.h.
 */
#include "wl_mode.h"

static void am_arrived(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	if (!am->unacked)
		am->unacked = sdu;
	if (!am->live)
		am->live = sdu;
	if (!am->reassembly)
		am->reassembly = sdu;
}

static void am_unlinked(struct wl_bearer *b, const struct wl_sdu *sdu)
{
	struct wl_am *am = &b->mode.am;

	if (am->unacked == sdu)
		am->unacked = sdu->next;
	if (am->live == sdu)
		am->live = sdu->next;
	if (am->reassembly == sdu)
		am->reassembly = sdu->next;
}

static void am_start(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	memset(am, 0, sizeof(*am));
	am->poll_at_ns = WL_NEVER_NS;
	am->prohibit_at_ns = WL_NEVER_NS;
	am->periodic_at_ns = WL_NEVER_NS;
	am->status_at_ns = WL_NEVER_NS;
	am->mrw_at_ns = WL_NEVER_NS;
	am->rst_at_ns = WL_NEVER_NS;
	am->origin_ns = now_ns;
	/* The first RESET carries RSN 0. */
	am->rsn = 1;
	am->unacked = b->queue.head;
	am->live = b->queue.head;
	am->reassembly = b->queue.head;
}

/* A periodic timer runs from start(), whether or not anybody looks. */
static u64 next_period_ns(const struct wl_am *am, u64 period_ns, u64 now_ns)
{
	u64 periods = div64_u64(now_ns - am->origin_ns, period_ns);

	return am->origin_ns + (periods + 1) * period_ns;
}

/* Nothing is polled for, reported or waited for while nothing is outstanding. */
static void arm_periodic(struct wl_bearer *b, u64 now_ns)
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
			next_period_ns(am, rlc->poll_periodic_ns, now_ns);
	if (am->status_at_ns == WL_NEVER_NS &&
	    rlc->status_periodic_ns != WL_NEVER_NS)
		am->status_at_ns =
			next_period_ns(am, rlc->status_periodic_ns, now_ns);
}

static void am_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		    u64 end_ns, bool lost)
{
	wl_am_tx_sent(b, now_ns, tx, end_ns, lost);
	arm_periodic(b, now_ns);
}

static u64 am_next_ns(const struct wl_bearer *b)
{
	const struct wl_feedback *feedback = wl_feedback_first(b);
	const struct wl_flight *flight = wl_flight_first(b);
	const struct wl_am *am = &b->mode.am;
	u64 next_ns;

	next_ns = min3(am->poll_at_ns, am->prohibit_at_ns, am->periodic_at_ns);
	next_ns = min3(next_ns, am->status_at_ns, wl_am_status_due_ns(b));
	next_ns = min3(next_ns, am->mrw_at_ns, am->rst_at_ns);
	next_ns = min(next_ns, wl_am_discard_ns(b));
	if (flight)
		next_ns = min(next_ns, flight->arrive_ns);
	if (feedback)
		next_ns = min(next_ns, feedback->arrive_ns);
	return next_ns;
}

static void arrivals(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_flight *first;
	struct wl_flight flight;

	while ((first = wl_flight_first(b)) && first->arrive_ns <= now_ns) {
		wl_flight_pop(b, &flight);
		wl_am_rx_pdu(b, now_ns, &flight);
	}
}

static void answers(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_feedback *first;
	struct wl_feedback feedback;

	while ((first = wl_feedback_first(b)) && first->arrive_ns <= now_ns) {
		wl_feedback_pop(b, &feedback);
		if (feedback.kind == WL_AM_RESET_ACK)
			wl_am_reset_ack(b, feedback.lsn);
		else if (b->mode.am.rst_on)
			continue;
		else if (feedback.kind == WL_AM_MRW_ACK)
			wl_am_mrw_ack(b, feedback.lsn, feedback.aux);
		else
			wl_am_tx_status(b, now_ns, &feedback);
	}
}

static void poll_timers(struct wl_bearer *b, u64 now_ns)
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
		b->stats.timeouts++;
		wl_am_tx_poll(b);
	}
	if (am->periodic_at_ns <= now_ns) {
		am->periodic_at_ns = WL_NEVER_NS;
		wl_am_tx_poll(b);
	}
}

static void timers(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	if (am->rst_at_ns <= now_ns)
		wl_am_reset_expired(b, now_ns);
	if (am->mrw_at_ns <= now_ns)
		wl_am_mrw_expired(b, now_ns);
	while (wl_am_discard_ns(b) <= now_ns)
		wl_am_discard(b, now_ns);
	poll_timers(b, now_ns);
	if (am->status_at_ns <= now_ns) {
		am->status_at_ns = WL_NEVER_NS;
		am->status = true;
	}
}

static void am_event(struct wl_bearer *b, u64 now_ns)
{
	arrivals(b, now_ns);
	answers(b, now_ns);
	timers(b, now_ns);
	if (wl_am_status_due_ns(b) <= now_ns)
		wl_am_status_send(b, now_ns);
	wl_am_tx_force_poll(b, now_ns);
	arm_periodic(b, now_ns);
	wl_bearer_wake(b, now_ns);
}

static void am_configured(struct wl_bearer *b, u64 now_ns,
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
	am_event(b, now_ns);
}

const struct wl_mode_ops wl_am_ops = {
	.start = am_start,
	.arrived = am_arrived,
	.wanted = wl_am_tx_wanted,
	.key_ns = wl_am_tx_key_ns,
	.send = wl_am_tx_send,
	.sent = am_sent,
	.next_ns = am_next_ns,
	.event = am_event,
	.fresh_next = wl_am_tx_fresh_next,
	.unlinked = am_unlinked,
	.configured = am_configured,
};
