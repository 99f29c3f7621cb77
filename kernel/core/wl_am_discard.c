// SPDX-License-Identifier: GPL-2.0
/*
 * AM, what the sender gives up: SDU discard with MRW (TS 25.322 clauses 9.7.3 and
 * 11.6), Timer_Discard, and RESET (clause 11.4).
 */
#include "wl_buffer.h"
#include "wl_mode.h"
#include "wl_seg.h"

/* Nothing more of the SDU that is being sent. */
static void pass(struct wl_bearer *b)
{
	b->passed = b->fresh;
	b->fresh = b->fresh->next;
}

bool wl_am_whole_sent(const struct wl_sdu *sdu)
{
	return !sdu->left_bytes || sdu->flags & WL_SDU_GIVEN_UP;
}

static void start_mrw(struct wl_am *am, const struct wl_am_point *point)
{
	am->mrw = *point;
	am->mrw_on = true;
	am->mrw_send = true;
	am->vt_mrw = 0;
	am->mrw_at_ns = WL_NEVER_NS;
}

/* SN_MRW and N_LENGTH of clause 11.6.2.2: the PDU that tells the end of the
 * SDU and how many ends it tells up to that one, or the PDU after it where
 * nothing of the next SDU is in it.
 */
static void point_behind(const struct wl_bearer *b, const struct wl_sdu *last,
			 struct wl_am_point *point)
{
	const struct wl_pdu *pdu = wl_pdu_at(b, last->last_sn);
	const struct wl_sdu *sdu = pdu->sdu;
	u32 n = 1;

	for (; sdu != last; sdu = sdu->next)
		n++;
	point->seq = last->seq;
	point->sn = last->last_sn;
	point->n = n;
	if (n == pdu->sdus) {
		point->sn++;
		point->n = 0;
	}
}

/* A SDU of which something is not sent yet: nothing more will be. SN_MRW is a
 * number beyond VT(S), which then moves there, so that nothing but the MRW can
 * bring the receiver's window past the SDU.
 */
static bool cut_short(struct wl_bearer *b, struct wl_sdu *last)
{
	struct wl_am *am = &b->mode.am;
	struct wl_pdu *pdu;

	if (b->unended == last)
		b->unended = NULL;
	else if (b->fresh == last)
		pass(b);
	else
		return false;
	pdu = wl_pdu_at(b, am->vt_s);
	memset(pdu, 0, sizeof(*pdu));
	pdu->sn = am->vt_s;
	pdu->flags = WL_PDU_SENT;
	last->last_sn = am->vt_s++;
	return true;
}

void wl_am_give_up(struct wl_bearer *b, struct wl_sdu *last,
		   enum wlink_drop reason)
{
	struct wl_am *am = &b->mode.am;
	struct wl_am_point point = { .seq = last->seq };
	struct wl_sdu *sdu;
	u32 sn;

	if (cut_short(b, last))
		point.sn = am->vt_s;
	else
		point_behind(b, last, &point);
	while ((sdu = am->live) && (s32)((u32)sdu->seq - point.seq) <= 0) {
		am->live = sdu->next;
		/* Dropped when the receiver hears of it. */
		if (!(sdu->flags & (WL_SDU_GONE | WL_SDU_OUT)))
			sdu->drop = reason;
		wl_bearer_give_up(b, sdu);
	}
	for (sn = am->vt_a; (s32)(sn - point.sn) < 0; sn++)
		wl_am_tx_unlist(b, wl_pdu_at(b, sn));
	am->given_sn = point.sn;
	if (!am->mrw_on) {
		start_mrw(am, &point);
		return;
	}
	am->more = point;
	am->mrw_more = true;
}

u64 wl_am_discard_ns(const struct wl_bearer *b)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	const struct wl_sdu *sdu = b->mode.am.live;

	if (!sdu || rlc->discard != WLINK_DISCARD_TIMER ||
	    rlc->discard_ns == WL_NEVER_NS)
		return WL_NEVER_NS;
	return sdu->arrival_ns + rlc->discard_ns;
}

void wl_am_discard(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;
	struct wl_sdu *sdu = am->live;

	if (sdu->flags & WL_SDU_BEGUN) {
		wl_am_give_up(b, sdu, WLINK_DROP_TIMER);
		return;
	}
	/* All before it have been given up, so it is the next to be begun. */
	wl_buffer_drop_first(b, now_ns, WLINK_DROP_TIMER);
}

static void end_mrw(struct wl_bearer *b)
{
	struct wl_am *am = &b->mode.am;

	am->mrw_on = false;
	am->mrw_send = false;
	am->mrw_at_ns = WL_NEVER_NS;
	if (!am->mrw_more)
		return;
	am->mrw_more = false;
	start_mrw(am, &am->more);
}

static bool answers(const struct wl_am *am, u32 sn, u32 n)
{
	s32 beyond = sn - am->mrw.sn;

	return am->mrw_on && beyond >= 0 && n == (beyond ? 0 : am->mrw.n);
}

void wl_am_mrw_ack(struct wl_bearer *b, u32 sn, u32 n)
{
	struct wl_am *am = &b->mode.am;

	/* It may answer the MRW that waits, too: not where that one has more
	 * ends to skip in the same PDU.
	 */
	while (answers(am, sn, n)) {
		wl_am_tx_acknowledge(b, sn);
		end_mrw(b);
	}
}

void wl_am_mrw_end(struct wl_bearer *b)
{
	struct wl_am *am = &b->mode.am;

	if (am->mrw_on && (s32)(am->vt_a - am->mrw.sn) >= 0)
		end_mrw(b);
}

void wl_am_mrw_expired(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	am->mrw_at_ns = WL_NEVER_NS;
	if (++am->vt_mrw >= b->cfg.rlc.maxmrw)
		wl_am_reset(b, now_ns);
	else
		am->mrw_send = true;
}

/* State variables of both sides, but for those of the RESET itself. */
static void initial(struct wl_bearer *b)
{
	struct wl_am *am = &b->mode.am;
	struct wl_sdu *sdu;

	am->vt_s = 0;
	am->vt_a = 0;
	am->vt_pdu = 0;
	am->vt_sdu = 0;
	am->given_sn = 0;
	am->retx.count = 0;
	am->poll = false;
	am->poll_delayed = false;
	am->poll_sn = 0;
	am->poll_at_ns = WL_NEVER_NS;
	am->prohibit_at_ns = WL_NEVER_NS;
	am->mrw_on = false;
	am->mrw_send = false;
	am->mrw_more = false;
	am->mrw_at_ns = WL_NEVER_NS;
	b->unended = NULL;
	if (b->fresh && b->fresh->flags & WL_SDU_BEGUN)
		pass(b);
	/* Up to the first that has not been begun. */
	while ((sdu = am->unacked) &&
	       sdu->flags & (WL_SDU_BEGUN | WL_SDU_GONE)) {
		wl_am_tx_release(b, sdu);
	}
}

void wl_am_rx_reset(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;
	struct wl_sdu *sdu;

	while ((sdu = am->reassembly) &&
	       sdu->flags & (WL_SDU_BEGUN | WL_SDU_GONE)) {
		am->reassembly = sdu->next;
		wl_am_rx_skip(am);
		if (!(sdu->flags & (WL_SDU_GONE | WL_SDU_OUT)))
			wl_bearer_drop(b, sdu, now_ns, WLINK_DROP_RESET);
	}
	am->vr_r = 0;
	am->vr_h = 0;
	am->status = false;
	am->status_after_ns = 0;
}

/* MaxRST: the upper layers would tear the bearer down. Here it begins anew with
 * what has not been begun.
 */
static void unrecoverable(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	b->stats.unrecoverable++;
	b->flight.head = b->flight.tail;
	b->feedback.head = b->feedback.tail;
	wl_am_rx_reset(b, now_ns);
	initial(b);
	am->rst_on = false;
	am->rst_send = false;
	am->rst_at_ns = WL_NEVER_NS;
	am->rsn_seen = 0;
	am->epoch++;
}

static void schedule_reset(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	am->rst_at_ns = WL_NEVER_NS;
	if (++am->vt_rst >= max(b->cfg.rlc.maxrst, 2U))
		unrecoverable(b, now_ns);
	else
		am->rst_send = true;
}

void wl_am_reset(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	if (am->rst_on)
		return;
	b->stats.resets++;
	am->rst_on = true;
	am->rsn ^= 1;
	am->vt_rst = 0;
	am->mrw_send = false;
	am->mrw_at_ns = WL_NEVER_NS;
	am->poll_at_ns = WL_NEVER_NS;
	am->prohibit_at_ns = WL_NEVER_NS;
	schedule_reset(b, now_ns);
}

void wl_am_reset_expired(struct wl_bearer *b, u64 now_ns)
{
	schedule_reset(b, now_ns);
}

void wl_am_reset_ack(struct wl_bearer *b, u32 rsn)
{
	struct wl_am *am = &b->mode.am;

	if (!am->rst_on || rsn != am->rsn)
		return;
	am->rst_on = false;
	am->rst_send = false;
	am->rst_at_ns = WL_NEVER_NS;
	initial(b);
}
