// SPDX-License-Identifier: GPL-2.0
/*
 * AM, the receiver (TS 25.322 clauses 11.3.3, 11.6.3, 11.4.3). The record of a
 * PDU from VT(A) on is valid, and VR(R) is never below VT(A).
 */
#include "wl_mode.h"
#include "wl_seg.h"

/* A descriptor goes when its SDU is gone and released, and takes those behind
 * it with it that are, too: so no pointer may stay at one that is settled.
 */
void wl_am_rx_skip(struct wl_am *am)
{
	while (am->reassembly &&
	       am->reassembly->flags & (WL_SDU_GONE | WL_SDU_OUT))
		am->reassembly = am->reassembly->next;
}

static bool settled(const struct wl_sdu *sdu)
{
	return sdu->flags & (WL_SDU_GONE | WL_SDU_OUT);
}

/* Deliver what is whole: in order up to the first that is not, or all. */
static void deliver(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;
	struct wl_sdu *sdu;

	while ((sdu = am->reassembly)) {
		if (!settled(sdu)) {
			if (!(sdu->flags & WL_SDU_WHOLE))
				return;
			wl_bearer_deliver(b, sdu, now_ns);
		}
		am->reassembly = sdu->next;
	}
}

static void put(struct wl_bearer *b, u64 now_ns, struct wl_pdu *pdu)
{
	struct wl_am *am = &b->mode.am;
	struct wl_sdu *sdu = pdu->sdu;
	u32 i;

	pdu->flags |= WL_PDU_RECEIVED;
	pdu->stamp = ++am->stamp;
	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next) {
		if (settled(sdu) || --sdu->missing || sdu->left_bytes)
			continue;
		sdu->flags |= WL_SDU_WHOLE;
		sdu->whole_ns = now_ns;
		/* A shorter delay since then lets another copy come first. */
		sdu->due_ns = min(sdu->due_ns, now_ns);
		if (!b->cfg.rlc.in_order)
			wl_bearer_deliver(b, sdu, now_ns);
	}
}

static void advance(struct wl_bearer *b)
{
	struct wl_am *am = &b->mode.am;

	while ((s32)(am->vr_r - am->vr_h) < 0 &&
	       wl_pdu_at(b, am->vr_r)->flags & WL_PDU_RECEIVED)
		am->vr_r++;
}

static void take_data(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_am *am = &b->mode.am;
	struct wl_pdu *pdu = wl_pdu_at(b, sn);

	/* Above the window nothing can be: the sender's is no larger. */
	if ((s32)(sn - am->vr_r) < 0 || pdu->flags & WL_PDU_RECEIVED) {
		b->stats.duplicates++;
		return;
	}
	if ((s32)(sn - am->vr_h) > 0 && b->cfg.rlc.missing)
		am->status = true;
	if ((s32)(sn - am->vr_h) >= 0)
		am->vr_h = sn + 1;
	put(b, now_ns, pdu);
	advance(b);
	deliver(b, now_ns);
}

static void answer(struct wl_bearer *b, u64 now_ns, enum wl_am_feedback kind,
		   u32 lsn, u32 aux)
{
	struct wl_feedback feedback = { .kind = kind, .lsn = lsn, .aux = aux };

	wl_reverse_send(b, now_ns, b->cfg.pdu_bytes + b->cfg.header_bytes,
			&feedback);
}

/* Deliver what is whole before the point, drop what is not. */
static void move_window(struct wl_bearer *b, u64 now_ns, u32 sn, u32 seq)
{
	struct wl_am *am = &b->mode.am;
	struct wl_sdu *sdu;

	while ((sdu = am->reassembly) && (s32)((u32)sdu->seq - seq) <= 0) {
		am->reassembly = sdu->next;
		wl_am_rx_skip(am);
		if (settled(sdu))
			continue;
		if (sdu->flags & WL_SDU_WHOLE)
			wl_bearer_deliver(b, sdu, now_ns);
		else
			wl_bearer_drop(b, sdu, now_ns, sdu->drop);
	}
	if ((s32)(sn - am->vr_r) > 0)
		am->vr_r = sn;
	if ((s32)(am->vr_r - am->vr_h) > 0)
		am->vr_h = am->vr_r;
	advance(b);
	deliver(b, now_ns);
}

static void take_mrw(struct wl_bearer *b, u64 now_ns, u32 sn, u32 seq)
{
	const struct wl_am *am = &b->mode.am;
	u32 n = 0;

	move_window(b, now_ns, sn, seq);
	if (am->vr_r == sn && am->mrw.seq == seq)
		n = am->mrw.n;
	answer(b, now_ns, WL_AM_MRW_ACK, am->vr_r, n);
}

static void take_reset(struct wl_bearer *b, u64 now_ns, u32 rsn)
{
	struct wl_am *am = &b->mode.am;

	if (am->rsn_seen != rsn + 1) {
		am->rsn_seen = rsn + 1;
		wl_am_rx_reset(b, now_ns);
	}
	answer(b, now_ns, WL_AM_RESET_ACK, rsn, 0);
}

void wl_am_rx_pdu(struct wl_bearer *b, u64 now_ns,
		  const struct wl_flight *flight)
{
	switch (flight->kind) {
	case WL_TX_RESET:
		take_reset(b, now_ns, flight->sn);
		break;
	case WL_TX_MRW:
		take_mrw(b, now_ns, flight->sn, flight->aux);
		break;
	default:
		take_data(b, now_ns, flight->sn);
		/* Also that of a PDU which is discarded (clause 9.7.2). */
		b->mode.am.status |= flight->poll;
		break;
	}
}
