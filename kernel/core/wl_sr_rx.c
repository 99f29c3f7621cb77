// SPDX-License-Identifier: GPL-2.0
/*
 * Selective repeat: the receiver.
 *
 * Every frame that is missing between rnext and highest has been NACKed at
 * least once. The record of a frame from rnext on is valid, because the sender
 * has not got an ACK for it.
 */
#include "wl_mode.h"

static bool have(const struct wl_bearer *b, u32 sn)
{
	return (s32)(sn - b->mode.sr.rnext) < 0 ||
	       wl_pdu_at(b, sn)->flags & WL_PDU_RECEIVED;
}

/* As long as a retransmission takes at most to arrive, after a NACK: the frame
 * on the air goes first.
 */
static u64 guard_ns(const struct wl_bearer *b)
{
	u64 airtime_ns = wl_sr_airtime_ns(b, b->cfg.pdu_bytes);

	return b->cfg.rlc.nack_guard_ns ?:
	       wl_sr_back_ns(b) + airtime_ns + airtime_ns + b->cfg.delay_ns;
}

static void send_feedback(struct wl_bearer *b, u64 now_ns, u8 kind, u32 lsn)
{
	struct wl_feedback feedback = {
		.kind = kind,
		.lsn = lsn,
	};

	wl_reverse_send(b, now_ns, b->cfg.rlc.ack_bytes, &feedback);
}

static void put_frame(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_pdu *pdu = wl_pdu_at(b, sn);
	struct wl_sdu *sdu = pdu->sdu;

	pdu->flags |= WL_PDU_RECEIVED;
	pdu->nack_ns = WL_NEVER_NS;
	if (--sdu->missing || sdu->left_bytes)
		return;
	sdu->flags |= WL_SDU_WHOLE;
	sdu->whole_ns = now_ns;
	/* A shorter delay since then lets another transmission come first. */
	sdu->due_ns = min(sdu->due_ns, now_ns);
}

static void deliver_run(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;
	struct wl_sdu *sdu;

	while (sr->rnext != sr->highest && have(b, sr->rnext)) {
		sdu = wl_pdu_at(b, sr->rnext)->sdu;
		if (!sdu->left_bytes && sdu->last_sn == sr->rnext)
			wl_bearer_deliver(b, sdu, now_ns);
		sr->rnext++;
	}
}

/* Frames that arrive in the order in which they were sent say nothing of those
 * behind them, so only what is missing before the last arrival is NACKed. Those
 * from seen on have never been.
 */
static void nack_missing(struct wl_bearer *b, u64 now_ns, u32 seen, u32 last)
{
	struct wl_sr *sr = &b->mode.sr;
	u64 guard = guard_ns(b);
	bool all = sr->renack_ns <= now_ns;
	struct wl_pdu *pdu;
	u64 again_ns;
	u32 sn;

	if (all)
		sr->renack_ns = WL_NEVER_NS;
	sn = all || (s32)(seen - sr->rnext) < 0 ? sr->rnext : seen;
	for (; sn != sr->highest; sn++) {
		if (have(b, sn))
			continue;
		pdu = wl_pdu_at(b, sn);
		again_ns = (s32)(sn - seen) < 0 ? pdu->nack_ns + guard : now_ns;
		if (again_ns <= now_ns && (s32)(sn - last) < 0) {
			send_feedback(b, now_ns, WL_SR_NACK, sn);
			pdu->nack_ns = now_ns;
			again_ns = now_ns + guard;
		}
		sr->renack_ns = min(sr->renack_ns, again_ns);
	}
}

void wl_sr_rx_frames(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;
	const struct wl_flight *first;
	struct wl_flight flight;
	u32 seen = sr->highest;
	u32 last = sr->rnext;
	bool ack = false;

	while ((first = wl_flight_first(b)) && first->arrive_ns <= now_ns) {
		wl_flight_pop(b, &flight);
		if (have(b, flight.sn)) {
			b->stats.duplicates++;
			ack = true;
			continue;
		}
		put_frame(b, now_ns, flight.sn);
		if ((s32)(flight.sn - sr->highest) >= 0)
			sr->highest = flight.sn + 1;
		if (flight.sn == sr->rnext) {
			deliver_run(b, now_ns);
			ack = true;
		} else if ((s32)(flight.sn - last) > 0) {
			last = flight.sn;
		}
	}
	if ((s32)(last - sr->rnext) > 0)
		nack_missing(b, now_ns, seen, last);
	if (ack && sr->ack_ns == WL_NEVER_NS)
		sr->ack_ns = now_ns + b->cfg.rlc.ack_delay_ns;
}

void wl_sr_rx_ack(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;
	u64 free_ns;

	if (sr->ack_ns > now_ns)
		return;
	free_ns = wl_reverse_free_ns(b);
	if (free_ns > now_ns) {
		sr->ack_ns = free_ns;
		return;
	}
	sr->ack_ns = WL_NEVER_NS;
	send_feedback(b, now_ns, WL_SR_ACK, sr->rnext);
}
