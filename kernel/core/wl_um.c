// SPDX-License-Identifier: GPL-2.0
/*
 * Unacknowledged mode: the sending entity. See wl_um.h.
 */
#include "wl_buffer.h"
#include "wl_mode.h"
#include "wl_seg.h"

static void um_arrived(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;

	/* Not known before its end has been sent. */
	sdu->end_ns = WL_NEVER_NS;
	sdu->whole_ns = WL_NEVER_NS;
	if (!um->unsent)
		um->unsent = sdu;
	if (!um->reassembly)
		um->reassembly = sdu;
}

static void um_start(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu;

	memset(&b->mode.um, 0, sizeof(b->mode.um));
	b->mode.um.dar_ns = WL_NEVER_NS;
	for (sdu = b->queue.head; sdu; sdu = sdu->next)
		um_arrived(b, sdu, now_ns);
}

static void um_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	memset(tx, 0, sizeof(*tx));
	tx->kind = WL_TX_NEW;
	tx->sn = b->mode.um.vt_us++;
	wl_seg_fill(b, now_ns, tx);
}

static void release_sent(struct wl_bearer *b, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;
	struct wl_sdu *sdu;

	while ((sdu = um->unsent) && sdu->end_ns <= now_ns) {
		um->unsent = wl_um_live(sdu->next);
		wl_bearer_release(b, sdu);
	}
}

static void um_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		    u64 end_ns, bool lost)
{
	const struct wl_pdu *pdu = wl_pdu_at(b, tx->sn);
	u64 due_ns = wl_flight_due_ns(b, end_ns);
	struct wl_sdu *sdu = pdu->sdu;
	u32 i;

	for (i = 0; i < pdu->sdus; i++) {
		if (i)
			sdu = sdu->next;
		wl_sdu_count(sdu, 1, lost);
		if (sdu->left_bytes || sdu->last_sn != tx->sn)
			continue;
		sdu->end_ns = end_ns;
		sdu->due_ns = due_ns;
		sdu->whole_ns = due_ns;
	}
	if (!lost)
		wl_flight_push(b, end_ns, tx);
}

static u64 discard_ns(const struct wl_bearer *b)
{
	const struct wl_sdu *sdu = wl_buffer_first_unbegun(b);

	if (!sdu || b->cfg.rlc.discard_ns == WL_NEVER_NS)
		return WL_NEVER_NS;
	return sdu->arrival_ns + b->cfg.rlc.discard_ns;
}

static void um_unlinked(struct wl_bearer *b, const struct wl_sdu *sdu)
{
	struct wl_um *um = &b->mode.um;

	if (um->unsent == sdu)
		um->unsent = sdu->next;
	if (um->reassembly == sdu)
		um->reassembly = sdu->next;
}

static u64 um_next_ns(const struct wl_bearer *b)
{
	const struct wl_sdu *unsent = b->mode.um.unsent;
	u64 next_ns = min(wl_um_rx_next_ns(b), discard_ns(b));

	return unsent ? min(next_ns, unsent->end_ns) : next_ns;
}

static void um_event(struct wl_bearer *b, u64 now_ns)
{
	release_sent(b, now_ns);
	wl_um_rx_event(b, now_ns);
	while (discard_ns(b) <= now_ns)
		wl_buffer_drop_first(b, now_ns, WLINK_DROP_TIMER);
}

static void um_configured(struct wl_bearer *b, u64 now_ns,
			  const struct wl_cfg *old)
{
	wl_um_rx_configured(b, now_ns);
	/* Timers may have become shorter than what has passed. */
	um_event(b, now_ns);
}

const struct wl_mode_ops wl_um_ops = {
	.start = um_start,
	.arrived = um_arrived,
	.wanted = wl_seg_wanted,
	.key_ns = wl_seg_key_ns,
	.send = um_send,
	.sent = um_sent,
	.next_ns = um_next_ns,
	.event = um_event,
	.unlinked = um_unlinked,
	.configured = um_configured,
};
