// SPDX-License-Identifier: GPL-2.0
/*
 * Selective repeat: what both peers have in common. See wl_sr.h.
 */
#include "wl_link.h"
#include "wl_mode.h"

static u64 serial_ns(u32 bytes, u64 rate_bps)
{
	return div64_u64(8 * WL_NSEC_PER_SEC * bytes, rate_bps);
}

u64 wl_sr_airtime_ns(const struct wl_bearer *b, u32 bytes)
{
	return wl_link_tti_ns(b->link) ?: serial_ns(bytes, b->cfg.rate_bps);
}

u64 wl_sr_back_ns(const struct wl_bearer *b)
{
	return serial_ns(b->cfg.rlc.ack_bytes,
			 wl_cfg_reverse_rate_bps(&b->cfg)) +
	       wl_cfg_reverse_delay_ns(&b->cfg);
}

static void sr_start(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;

	memset(sr, 0, sizeof(*sr));
	sr->ack_ns = WL_NEVER_NS;
	sr->renack_ns = WL_NEVER_NS;
	wl_sr_rtt_start(sr, &b->cfg);
}

static u64 sr_next_ns(const struct wl_bearer *b)
{
	const struct wl_feedback *feedback = wl_feedback_first(b);
	const struct wl_flight *flight = wl_flight_first(b);
	u64 next_ns = min(b->mode.sr.ack_ns, wl_sr_tx_timer_ns(b));

	if (flight)
		next_ns = min(next_ns, flight->arrive_ns);
	if (feedback)
		next_ns = min(next_ns, feedback->arrive_ns);
	return next_ns;
}

static void sr_event(struct wl_bearer *b, u64 now_ns)
{
	wl_sr_rx_frames(b, now_ns);
	wl_sr_tx_feedback(b, now_ns);
	wl_sr_rx_ack(b, now_ns);
	wl_sr_tx_expire(b, now_ns);
	wl_bearer_wake(b, now_ns);
}

static void sr_configured(struct wl_bearer *b, u64 now_ns,
			  const struct wl_cfg *old)
{
	struct wl_sr *sr = &b->mode.sr;

	wl_sr_rtt_set(sr, &b->cfg);
	sr->renack_ns = 0;
}

const struct wl_mode_ops wl_sr_ops = {
	.start = sr_start,
	.wanted = wl_sr_tx_wanted,
	.key_ns = wl_sr_tx_key_ns,
	.send = wl_sr_tx_send,
	.sent = wl_sr_tx_sent,
	.next_ns = sr_next_ns,
	.event = sr_event,
	.fresh_next = wl_sr_tx_fresh_next,
	.configured = sr_configured,
};
