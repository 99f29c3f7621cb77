// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * AM, the receiver (TS 25.322 clauses 11.3.3, 11.6.3, 11.4.3). The record of a
 * PDU from VT(A) on is valid, and VR(R) is never below VT(A).
 *
 * Its reports (clauses 9.2.2.11 and 11.5.2): all that is missing in VR(R)..VR(H) is
 * told by LIST or BITMAP SUFIs, in as many STATUS PDUs of the bearer's size as that
 * takes; the last one ends with an ACK SUFI.
 */
#include "../air/reverse.h"
#include "../air/rings.h"
#include "../buffer/sdu.h"
#include "am.h"
#include "mode.h"
#include "segment.h"

#define HEAD_BITS	4	/* D/C and type of the PDU */
#define ACK_BITS	16	/* type and LSN; ends the PDU */
#define LIST_BITS	8	/* type and LENGTH */
#define PAIR_BITS	16	/* SN and L */
#define PAIRS_MAX	15
#define PAIR_SNS	16	/* one and L more */
#define BITMAP_BITS	20	/* type, LENGTH and FSN */
#define OCTETS_MAX	16

/* A descriptor goes when its SDU is gone and released, and takes those behind
 * it with it that are, too: so no pointer may stay at one that is settled.
 */
static void am_rx_skip(struct wl_bearer *b)
{
	while (b->reassembly && wl_sdu_done(b->reassembly))
		b->reassembly = b->reassembly->next;
}

static void am_rx_put(struct wl_bearer *b, u64 now_ns, struct wl_pdu *pdu)
{
	struct wl_am *am = &b->mode.am;
	struct wl_sdu *sdu = pdu->sdu;
	u32 i;

	pdu->flags |= WL_PDU_RECEIVED;
	pdu->stamp = ++am->stamp;
	wl_link_spend(b->link, pdu->sdus / WL_WALKED_PER_CHARGE);
	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next) {
		if (wl_sdu_done(sdu) || --sdu->missing || sdu->left_bytes)
			continue;
		wl_sdu_set_whole(sdu, now_ns);
		if (b->cfg.rlc.in_order)
			continue;
		wl_sdu_deliver(b, sdu, now_ns);
		wl_link_spend(b->link, 1);
	}
}

static void am_rx_advance(struct wl_bearer *b)
{
	struct wl_am *am = &b->mode.am;

	while ((s32)(am->vr_r - am->vr_h) < 0 &&
	       wl_pdu_at(b, am->vr_r)->flags & WL_PDU_RECEIVED)
		am->vr_r++;
}

static void am_rx_take_data(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_am *am = &b->mode.am;
	struct wl_pdu *pdu = wl_pdu_at(b, sn);

	/* Above the window nothing can be: the sender's is no larger. */
	if ((s32)(sn - am->vr_r) < 0 || pdu->flags & WL_PDU_RECEIVED) {
		b->stats.v[WLINK_STAT_DUPLICATES]++;
		return;
	}
	if ((s32)(sn - am->vr_h) > 0 && b->cfg.rlc.missing)
		am->status = true;
	if ((s32)(sn - am->vr_h) >= 0)
		am->vr_h = sn + 1;
	am_rx_put(b, now_ns, pdu);
	am_rx_advance(b);
	wl_seg_deliver(b, now_ns);
}

static void am_rx_answer(struct wl_bearer *b, u64 now_ns, enum wl_am_feedback kind,
			 u32 lsn, u32 aux)
{
	struct wl_feedback feedback = { .kind = kind, .lsn = lsn, .aux = aux };

	wl_reverse_send(b, now_ns, b->cfg.pdu_bytes + b->cfg.header_bytes,
			&feedback);
}

/* Deliver what is whole before the point, drop what is not. */
static void am_rx_move_window(struct wl_bearer *b, u64 now_ns, u32 sn, u32 seq)
{
	struct wl_am *am = &b->mode.am;
	struct wl_sdu *sdu;

	while ((sdu = b->reassembly) && (s32)((u32)sdu->seq - seq) <= 0) {
		b->reassembly = sdu->next;
		am_rx_skip(b);
		wl_link_spend(b->link, 1);
		if (sdu->flags & WL_SDU_WHOLE)
			wl_sdu_deliver(b, sdu, now_ns);
		else
			wl_sdu_drop(b, sdu, now_ns, sdu->drop);
	}
	if ((s32)(sn - am->vr_r) > 0)
		am->vr_r = sn;
	if ((s32)(am->vr_r - am->vr_h) > 0)
		am->vr_h = am->vr_r;
	am_rx_advance(b);
	wl_seg_deliver(b, now_ns);
}

static void am_rx_take_mrw(struct wl_bearer *b, u64 now_ns, u32 sn, u32 seq)
{
	const struct wl_am *am = &b->mode.am;
	u32 n = 0;

	am_rx_move_window(b, now_ns, sn, seq);
	if (am->vr_r == sn && am->mrw.seq == seq)
		n = am->mrw.n;
	am_rx_answer(b, now_ns, WL_AM_MRW_ACK, am->vr_r, n);
}

/* Return: whether there is more. */
static bool am_rx_drop_begun(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu = b->reassembly;

	if (!sdu || !(sdu->flags & WL_SDU_BEGUN))
		return false;
	b->reassembly = sdu->next;
	am_rx_skip(b);
	wl_sdu_drop(b, sdu, now_ns, WLINK_DROP_RESET);
	return true;
}

bool wl_am_rx_drop(struct wl_bearer *b, u64 now_ns)
{
	while (am_rx_drop_begun(b, now_ns))
		if (!wl_link_charge(b->link, 1))
			return false;
	return true;
}

void wl_am_rx_reset(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	while (am_rx_drop_begun(b, now_ns))
		wl_link_spend(b->link, 1);
	am->vr_r = 0;
	am->vr_h = 0;
	am->status = false;
	am->status_after_ns = 0;
}

static void am_rx_take_reset(struct wl_bearer *b, u64 now_ns, u32 rsn)
{
	struct wl_am *am = &b->mode.am;

	if (am->rsn_seen != rsn + 1) {
		am->rsn_seen = rsn + 1;
		wl_am_rx_reset(b, now_ns);
	}
	am_rx_answer(b, now_ns, WL_AM_RESET_ACK, rsn, 0);
}

void wl_am_rx_pdu(struct wl_bearer *b, u64 now_ns,
		  const struct wl_flight *flight)
{
	switch (flight->kind) {
	case WL_TX_RESET:
		am_rx_take_reset(b, now_ns, flight->sn);
		break;
	case WL_TX_MRW:
		am_rx_take_mrw(b, now_ns, flight->sn, flight->aux);
		break;
	default:
		am_rx_take_data(b, now_ns, flight->sn);
		/* Also that of a PDU which is discarded (clause 9.7.2). */
		b->mode.am.status |= flight->poll;
		break;
	}
}

static bool am_status_missing(const struct wl_bearer *b, u32 sn)
{
	return !(wl_pdu_at(b, sn)->flags & WL_PDU_RECEIVED);
}

static u32 am_status_next_missing(const struct wl_bearer *b, u32 sn)
{
	while (sn != b->mode.am.vr_h && !am_status_missing(b, sn))
		sn++;
	return sn;
}

/* One more pair of a LIST SUFI. Return: numbers that it tells, 0 where it does not
 * fit.
 */
static u32 am_status_add_pair(const struct wl_bearer *b, u32 room, u32 sn, u32 pairs,
			      struct wl_am_part *part)
{
	u32 need = PAIR_BITS + (pairs % PAIRS_MAX ? 0 : LIST_BITS);
	u32 sns = 1;

	if (part->bits + need > room)
		return 0;
	part->bits += need;
	while (sns < PAIR_SNS && sn + sns != b->mode.am.vr_h &&
	       am_status_missing(b, sn + sns))
		sns++;
	return sns;
}

/* The same of a BITMAP SUFI. */
static u32 am_status_add_bitmap(const struct wl_bearer *b, u32 room, u32 sn,
				struct wl_am_part *part)
{
	u32 left = b->mode.am.vr_h - sn;
	u32 octets = min_t(u32, DIV_ROUND_UP(left, 8), OCTETS_MAX);

	if (part->bits + BITMAP_BITS + 8 > room)
		return 0;
	octets = min(octets, (room - part->bits - BITMAP_BITS) / 8);
	part->bits += BITMAP_BITS + 8 * octets;
	return min(8 * octets, left);
}

bool wl_am_status_part(const struct wl_bearer *b, u32 from,
		       struct wl_am_part *part)
{
	u32 size = 8 * (b->cfg.pdu_bytes + b->cfg.header_bytes);
	u32 room = size - ACK_BITS;
	bool list = b->cfg.rlc.status == WLINK_STATUS_LIST;
	u32 sufis, sns = 1;
	bool last;

	part->bits = HEAD_BITS;
	part->to = am_status_next_missing(b, from);
	for (sufis = 0; sns && part->to != b->mode.am.vr_h; sufis++) {
		sns = list ? am_status_add_pair(b, room, part->to, sufis, part) :
			     am_status_add_bitmap(b, room, part->to, part);
		if (sns)
			part->to = am_status_next_missing(b, part->to + sns);
	}
	/* A PDU too small for any SUFI but ACK tells no more than that. */
	last = sns || part->to == from;
	if (last)
		part->bits += ACK_BITS;
	return last;
}

void wl_am_status_send(struct wl_bearer *b, u64 now_ns)
{
	u32 bytes = b->cfg.pdu_bytes + b->cfg.header_bytes;
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_am *am = &b->mode.am;
	u32 from = am->vr_r;
	bool whole = true;
	bool last;

	am->status = false;
	wl_link_spend(b->link, (am->vr_h - am->vr_r) / WL_WALKED_PER_CHARGE);
	do {
		struct wl_feedback feedback = {
			.kind = WL_AM_STATUS, .stamp = am->stamp,
		};
		struct wl_am_part part;

		last = wl_am_status_part(b, from, &part);
		feedback.from = from;
		feedback.to = part.to;
		if (last) {
			/* LSN is above VR(R) only if all that is missing below
			 * it is told in the same PDU.
			 */
			whole = whole && part.to == am->vr_h;
			feedback.flags = WL_AM_HAS_ACK;
			feedback.lsn = whole ? am->vr_h : am->vr_r;
		}
		wl_reverse_send(b, now_ns, bytes, &feedback);
		wl_link_spend(b->link, 1);
		from = part.to;
		whole = false;
	} while (!last);
	if (rlc->status_prohibit_ns != WL_NEVER_NS)
		am->status_after_ns = now_ns + rlc->status_prohibit_ns;
}

u64 wl_am_status_due_ns(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;

	if (!am->status)
		return WL_NEVER_NS;
	return max(am->status_after_ns, wl_reverse_free_ns(b));
}
