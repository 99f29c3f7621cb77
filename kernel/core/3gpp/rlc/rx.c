// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Acknowledged mode, the receiver: what has come, when what has not is asked for, and
 * reports (clauses 5.1.3.2, 5.2.3; TS 38.322 clauses 5.2.3.2, 5.3.4). The record of a
 * number from VT(A) on is valid, and VR(R) is never below VT(A).
 */
#include "../../air/reverse.h"
#include "../../air/rings.h"
#include "../../buffer/sdu.h"
#include "../../rlc/segment.h"
#include "lte.h"

static bool rx_has(const struct wl_bearer *b, u32 sn)
{
	return wl_pdu_at(b, sn)->flags & WL_PDU_RECEIVED;
}

/* First one that has not come as a whole. */
static u32 rx_next_missing(const struct wl_bearer *b, u32 sn)
{
	u32 from = sn;

	while ((s32)(sn - b->mode.lte.vr_h) < 0 && rx_has(b, sn))
		sn++;
	wl_link_spend(b->link, (sn - from) / WL_WALKED_PER_CHARGE);
	return sn;
}

static void rx_put(struct wl_bearer *b, u64 now_ns, struct wl_pdu *pdu)
{
	struct wl_sdu *sdu = pdu->sdu;
	u32 i;

	pdu->flags |= WL_PDU_RECEIVED;
	pdu->stamp = b->mode.lte.stamp;
	wl_link_spend(b->link, pdu->sdus / WL_WALKED_PER_CHARGE);
	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next) {
		if (wl_sdu_done(sdu) || --sdu->missing || sdu->left_bytes)
			continue;
		wl_sdu_set_whole(sdu, now_ns);
		if (wl_lte_is_nr(b))
			wl_sdu_deliver(b, sdu, now_ns);
	}
}

/* NR: something before the last byte that has come of it is missing. */
static bool rx_has_hole(const struct wl_bearer *b, u32 sn)
{
	const struct wl_pdu *pdu = wl_pdu_at(b, sn);
	struct wl_lte_gap gap = { .span = pdu->came };

	if (pdu->flags & WL_PDU_RECEIVED)
		return false;
	wl_lte_gap_next(b, pdu, b->mode.lte.stamp, &gap);
	wl_link_spend(b->link, gap.walked / WL_WALKED_PER_CHARGE);
	return gap.to < pdu->bytes;
}

/* Whether what is missing from a number on is to be waited for. */
static bool rx_waits(const struct wl_bearer *b, u32 sn)
{
	s32 ahead = b->mode.lte.vr_h - sn;

	if (!wl_lte_is_nr(b))
		return ahead > 0;
	return ahead > 1 || (ahead == 1 && rx_has_hole(b, sn));
}

static void rx_start(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_lte *lte = &b->mode.lte;

	lte->reorder_at_ns = WL_NEVER_NS;
	if (!rx_waits(b, sn))
		return;
	lte->reorder_at_ns = now_ns + b->cfg.rlc.reorder_ns;
	lte->vr_x = lte->vr_h;
}

/* VR(MS) goes to the first from a number on that lacks something: polls of numbers that it
 * passes are answered.
 */
static void rx_move_status(struct wl_bearer *b, u32 sn)
{
	struct wl_lte *lte = &b->mode.lte;
	u32 from = lte->vr_ms;

	lte->vr_ms = rx_next_missing(b, sn);
	for (sn = from; (s32)(sn - lte->vr_ms) < 0; sn++)
		lte->status |= !!(wl_pdu_at(b, sn)->flags & WL_PDU_POLLED);
	wl_link_spend(b->link, (lte->vr_ms - from) / WL_WALKED_PER_CHARGE);
}

static void rx_timer(struct wl_bearer *b, u64 now_ns)
{
	struct wl_lte *lte = &b->mode.lte;
	s32 beyond = lte->vr_x - lte->vr_r;

	if (lte->reorder_at_ns != WL_NEVER_NS &&
	    (beyond <= 0 || (wl_lte_is_nr(b) && beyond == 1 && !rx_has_hole(b, lte->vr_r))))
		lte->reorder_at_ns = WL_NEVER_NS;
	if (lte->reorder_at_ns == WL_NEVER_NS)
		rx_start(b, now_ns, lte->vr_r);
}

/* LTE: of the first number that lacks something, the SDUs that end in what has come of it
 * from its start on, clause 5.1.3.2.3. The last part of a PDU has not ended there.
 */
static void rx_take_parts(struct wl_bearer *b, u64 now_ns)
{
	struct wl_lte *lte = &b->mode.lte;
	struct wl_pdu *pdu = wl_pdu_at(b, lte->vr_r);
	struct wl_lte_gap gap = { };
	struct wl_sdu *sdu = pdu->sdu;
	u32 i, end = 0;

	if (wl_lte_is_nr(b) || lte->vr_r == lte->vr_h || !pdu->came)
		return;
	gap.span = pdu->came;
	wl_lte_gap_next(b, pdu, lte->stamp, &gap);
	for (i = 0; i + 1 < pdu->sdus; i++, sdu = sdu->next) {
		end = wl_lte_part_end(pdu, sdu, i, end);
		if (end > gap.from)
			break;
		if (!wl_sdu_done(sdu))
			wl_sdu_set_whole(sdu, now_ns);
	}
	wl_link_spend(b->link, i / WL_WALKED_PER_CHARGE);
}

static void rx_take(struct wl_bearer *b, u64 now_ns, struct wl_pdu *pdu)
{
	struct wl_lte *lte = &b->mode.lte;
	bool first = pdu->sn == lte->vr_r;

	if ((s32)(pdu->sn - lte->vr_h) >= 0)
		lte->vr_h = pdu->sn + 1;
	if (pdu->came_bytes == pdu->bytes) {
		rx_put(b, now_ns, pdu);
		if (pdu->sn == lte->vr_ms)
			rx_move_status(b, lte->vr_ms);
		if (first)
			lte->vr_r = rx_next_missing(b, lte->vr_r);
	}
	if (first) {
		rx_take_parts(b, now_ns);
		wl_seg_deliver(b, now_ns);
	}
	rx_timer(b, now_ns);
}

/* Return: whether something of it has not come before. */
static bool rx_place(struct wl_bearer *b, struct wl_pdu *pdu, u32 from, u32 bytes)
{
	struct wl_lte *lte = &b->mode.lte;
	u32 more = bytes, at = 0;

	lte->stamp++;
	/* All at once: no report speaks of a part of it. */
	if (pdu->came || bytes != pdu->bytes)
		more = wl_lte_span_add(b, &pdu->came, &at, from, from + bytes,
				       lte->stamp);
	pdu->came_bytes += more;
	return more;
}

void wl_lte_rx_pdu(struct wl_bearer *b, u64 now_ns, const struct wl_flight *flight)
{
	struct wl_pdu *pdu = wl_pdu_at(b, flight->sn);
	struct wl_lte *lte = &b->mode.lte;
	bool taken;

	/* Above the window nothing can be: the sender's is no larger. */
	taken = (s32)(flight->sn - lte->vr_r) >= 0 && !(pdu->flags & WL_PDU_RECEIVED) &&
		rx_place(b, pdu, wl_lte_so(flight->aux), flight->bytes);
	if (taken)
		rx_take(b, now_ns, pdu);
	else
		b->stats.v[WLINK_STAT_DUPLICATES]++;
	if (!flight->poll)
		return;
	if (!taken || (s32)(flight->sn - lte->vr_ms) < 0)
		lte->status = true;
	else
		pdu->flags |= WL_PDU_POLLED;
}

void wl_lte_rx_expired(struct wl_bearer *b, u64 now_ns)
{
	struct wl_lte *lte = &b->mode.lte;

	rx_move_status(b, lte->vr_x);
	lte->status = true;
	rx_start(b, now_ns, lte->vr_ms);
}

/* --- Reports, clause 6.2.1.6 and TS 38.322 clause 6.2.2.5 --- */

/* Bits of what is said of a number, and of those missing behind it that go with it. */
static u32 status_nack(const struct wl_bearer *b, u32 *sn, u32 *walked)
{
	const struct wl_lte *lte = &b->mode.lte;
	const struct wl_pdu *pdu = wl_pdu_at(b, *sn);
	struct wl_lte_gap gap = { .span = pdu->came };
	bool nr = wl_lte_is_nr(b);
	u32 run = 1, bits = 0;

	(*sn)++;
	/* E1, E2, and in NR E3; a SOstart and a SOend. */
	if (pdu->came_bytes) {
		while (wl_lte_gap_next(b, pdu, lte->stamp, &gap))
			bits += nr ? 16 + 32 : 12 + 30;
		*walked += gap.walked;
		return bits;
	}
	if (!nr)
		return 12;
	for (; *sn != lte->vr_ms && run < 255 && !wl_pdu_at(b, *sn)->came_bytes; run++)
		(*sn)++;
	return run > 1 ? 16 + 8 : 16;
}

void wl_lte_status_send(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_lte *lte = &b->mode.lte;
	struct wl_feedback feedback = {
		.stamp = lte->stamp, .from = lte->vr_r, .to = lte->vr_ms,
		.lsn = lte->vr_ms,
	};
	u32 bits = wl_lte_is_nr(b) ? 24 : 15;
	u32 sn = lte->vr_r, walked = lte->vr_ms - lte->vr_r;

	lte->status = false;
	lte->told = lte->stamp;
	while (sn != lte->vr_ms) {
		if (rx_has(b, sn))
			sn++;
		else
			bits += status_nack(b, &sn, &walked);
	}
	wl_link_spend(b->link, 1 + walked / WL_WALKED_PER_CHARGE);
	wl_reverse_send(b, now_ns, DIV_ROUND_UP(bits, 8) + b->cfg.header_bytes, &feedback);
	if (rlc->status_prohibit_ns != WL_NEVER_NS)
		lte->status_after_ns = now_ns + rlc->status_prohibit_ns;
}

u64 wl_lte_status_due_ns(const struct wl_bearer *b)
{
	const struct wl_lte *lte = &b->mode.lte;

	if (!lte->status)
		return WL_NEVER_NS;
	return max(lte->status_after_ns, wl_reverse_free_ns(b));
}
