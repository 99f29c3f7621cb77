// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * AM, the sender: windows, polls and retransmissions (TS 25.322 clauses 11.3 and
 * 9.7.1), and what it gives up: SDU discard with MRW (clauses 9.7.3 and 11.6),
 * Timer_Discard, and RESET (clause 11.4). A PDU that is scheduled for the MaxDAT-th
 * time is given up instead.
 */
#include "../air/rings.h"
#include "../buffer/buffer.h"
#include "../buffer/sdu.h"
#include "am.h"
#include "mode.h"
#include "segment.h"

static bool am_tx_outstanding(const struct wl_am *am, u32 sn)
{
	return (s32)(sn - am->vt_a) >= 0 && (s32)(sn - am->vt_s) < 0;
}

/* The window, and what there is of memory behind it. */
static bool am_tx_window_open(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;

	return am->vt_s - am->vt_a < b->cfg.rlc.window &&
	       am->begun < WL_AM_BEGUN_MAX;
}

static void am_tx_unlist(struct wl_bearer *b, struct wl_pdu *pdu)
{
	if (!(pdu->flags & WL_PDU_RETX))
		return;
	pdu->flags &= ~WL_PDU_RETX;
	wl_list_del(b, &b->mode.am.retx, pdu);
}

static bool am_tx_whole_sent(const struct wl_sdu *sdu)
{
	return !sdu->left_bytes || sdu->flags & WL_SDU_GIVEN_UP;
}

/* The first that has not been, and it has been begun. */
static void am_tx_release(struct wl_bearer *b, struct wl_sdu *sdu)
{
	if (b->live == sdu)
		b->live = sdu->next;
	b->unreleased = sdu->next;
	b->mode.am.begun--;
	wl_link_spend(b->link, 1);
	wl_sdu_release(b, sdu);
}

static void am_tx_acknowledge(struct wl_bearer *b, u32 sn)
{
	struct wl_am *am = &b->mode.am;
	struct wl_sdu *sdu;

	if ((s32)(sn - am->vt_a) > 0)
		wl_link_spend(b->link, (sn - am->vt_a) / WL_WALKED_PER_CHARGE);
	for (; (s32)(sn - am->vt_a) > 0; am->vt_a++)
		am_tx_unlist(b, wl_pdu_at(b, am->vt_a));
	if ((s32)(am->given_sn - am->vt_a) < 0)
		am->given_sn = am->vt_a;
	while ((sdu = b->unreleased) && sdu->flags & WL_SDU_BEGUN &&
	       am_tx_whole_sent(sdu) && (s32)(sdu->last_sn - am->vt_a) < 0)
		am_tx_release(b, sdu);
}

static struct wl_sdu *am_tx_last_of(const struct wl_pdu *pdu)
{
	struct wl_sdu *sdu = pdu->sdu;
	u32 i;

	for (i = 1; i < pdu->sdus; i++)
		sdu = sdu->next;
	return sdu;
}

/* --- What is given up --- */

/* Nothing more of the SDU that is being sent. */
static void am_tx_pass(struct wl_bearer *b)
{
	b->passed = b->fresh;
	b->fresh = b->fresh->next;
}

static void am_mrw_start(struct wl_am *am, const struct wl_am_point *point)
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
static void am_mrw_point(const struct wl_bearer *b, const struct wl_sdu *last,
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
static bool am_tx_cut_short(struct wl_bearer *b, struct wl_sdu *last)
{
	struct wl_am *am = &b->mode.am;
	struct wl_pdu *pdu;

	if (b->unended == last)
		b->unended = NULL;
	else if (b->fresh == last)
		am_tx_pass(b);
	else
		return false;
	pdu = wl_pdu_at(b, am->vt_s);
	memset(pdu, 0, sizeof(*pdu));
	pdu->sn = am->vt_s;
	pdu->flags = WL_PDU_SENT;
	last->last_sn = am->vt_s++;
	return true;
}

static void am_tx_give_up(struct wl_bearer *b, struct wl_sdu *last,
			  enum wlink_drop reason)
{
	struct wl_am *am = &b->mode.am;
	struct wl_am_point point = { .seq = last->seq };
	struct wl_sdu *sdu;
	u32 sn;

	if (am_tx_cut_short(b, last))
		point.sn = am->vt_s;
	else
		am_mrw_point(b, last, &point);
	while ((sdu = b->live) && (s32)((u32)sdu->seq - point.seq) <= 0) {
		b->live = sdu->next;
		wl_link_spend(b->link, 1);
		/* Dropped when the receiver hears of it. */
		if (!wl_sdu_done(sdu))
			sdu->drop = reason;
		wl_sdu_give_up(b, sdu);
	}
	/* Those given up before are not listed any more. */
	sn = am->vt_a;
	if ((s32)(am->given_sn - sn) > 0)
		sn = am->given_sn;
	if ((s32)(point.sn - sn) > 0)
		wl_link_spend(b->link, (point.sn - sn) / WL_WALKED_PER_CHARGE);
	for (; (s32)(sn - point.sn) < 0; sn++)
		am_tx_unlist(b, wl_pdu_at(b, sn));
	am->given_sn = point.sn;
	if (!am->mrw_on) {
		am_mrw_start(am, &point);
		return;
	}
	am->more = point;
	am->mrw_more = true;
}

u64 wl_am_discard_ns(const struct wl_bearer *b)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	const struct wl_sdu *sdu = b->live;

	if (!sdu || rlc->discard != WLINK_DISCARD_TIMER ||
	    rlc->discard_ns == WL_NEVER_NS)
		return WL_NEVER_NS;
	return sdu->arrival_ns + rlc->discard_ns;
}

void wl_am_discard(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu = b->live;

	if (sdu->flags & WL_SDU_BEGUN) {
		am_tx_give_up(b, sdu, WLINK_DROP_TIMER);
		return;
	}
	/* All before it have been given up, so it is the next to be begun. */
	wl_buffer_drop_first(b, now_ns, WLINK_DROP_TIMER);
}

static void am_mrw_finish(struct wl_bearer *b)
{
	struct wl_am *am = &b->mode.am;

	am->mrw_on = false;
	am->mrw_send = false;
	am->mrw_at_ns = WL_NEVER_NS;
	if (!am->mrw_more)
		return;
	am->mrw_more = false;
	am_mrw_start(am, &am->more);
}

static bool am_mrw_answers(const struct wl_am *am, u32 sn, u32 n)
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
	while (am_mrw_answers(am, sn, n)) {
		am_tx_acknowledge(b, sn);
		am_mrw_finish(b);
	}
}

static void am_mrw_end(struct wl_bearer *b)
{
	struct wl_am *am = &b->mode.am;

	if (am->mrw_on && (s32)(am->vt_a - am->mrw.sn) >= 0)
		am_mrw_finish(b);
}

/* State variables of both sides, but for those of the RESET itself. */
static void am_tx_initial(struct wl_bearer *b)
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
		am_tx_pass(b);
	/* Up to the first that has not been begun. */
	while ((sdu = b->unreleased) && sdu->flags & WL_SDU_BEGUN)
		am_tx_release(b, sdu);
}

/* MaxRST: the upper layers would tear the bearer down. Here it begins anew with
 * what has not been begun.
 */
static void am_reset_fails(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	b->stats.v[WLINK_STAT_UNRECOVERABLE]++;
	/* A STATUS with a MRW of which only a part has been sent would move the receiver of
	 * the next epoch. A RESET names its epoch, and is ignored after that.
	 */
	if (b->unit.on && b->unit.tx.kind == WL_TX_MRW) {
		b->unit.tx.kind = WL_TX_RESET;
		b->unit.tx.aux = am->epoch;
	}
	wl_submit_forget(b);
	b->connection = ++b->link->connections;
	b->flight.head = b->flight.tail;
	b->feedback.head = b->feedback.tail;
	wl_am_rx_reset(b, now_ns);
	am_tx_initial(b);
	am->rst_on = false;
	am->rst_send = false;
	am->rst_at_ns = WL_NEVER_NS;
	am->rsn_seen = 0;
	am->epoch++;
}

bool wl_am_reset_schedule(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;
	bool fails = am->vt_rst + 1 >= max(b->cfg.rlc.maxrst, 2U);

	if (fails && !wl_am_rx_drop(b, now_ns))
		return false;
	am->rst_at_ns = WL_NEVER_NS;
	am->vt_rst++;
	if (fails)
		am_reset_fails(b, now_ns);
	else
		am->rst_send = true;
	return true;
}

/* None is under way: while one is, nothing that leads here happens. */
static void am_reset(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	b->stats.v[WLINK_STAT_RESETS]++;
	am->rst_on = true;
	am->rsn ^= 1;
	am->vt_rst = 0;
	am->mrw_send = false;
	am->mrw_at_ns = WL_NEVER_NS;
	am->poll_at_ns = WL_NEVER_NS;
	am->prohibit_at_ns = WL_NEVER_NS;
	wl_am_reset_schedule(b, now_ns);
}

void wl_am_mrw_expired(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	am->mrw_at_ns = WL_NEVER_NS;
	if (++am->vt_mrw >= b->cfg.rlc.maxmrw)
		am_reset(b, now_ns);
	else
		am->mrw_send = true;
}

void wl_am_reset_ack(struct wl_bearer *b, u32 rsn)
{
	struct wl_am *am = &b->mode.am;

	if (!am->rst_on || rsn != am->rsn)
		return;
	am->rst_on = false;
	am->rst_send = false;
	am->rst_at_ns = WL_NEVER_NS;
	am_tx_initial(b);
}

/* --- Sending --- */

u32 wl_am_tx_wanted(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;

	if (am->rst_on)
		return am->rst_send ? b->cfg.pdu_bytes : 0;
	if (am->mrw_send || am->retx.count)
		return b->cfg.pdu_bytes;
	return am_tx_window_open(b) ? wl_seg_wanted(b) : 0;
}

bool wl_am_tx_fresh_next(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;

	return !am->rst_on && !am->mrw_send && !am->retx.count &&
	       am_tx_window_open(b);
}

u64 wl_am_tx_key_ns(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;

	if (am->rst_on || am->mrw_send)
		return 0;
	if (am->retx.count)
		return wl_pdu_at(b, am->retx.first)->sdu->arrival_ns;
	return wl_seg_key_ns(b);
}

static void am_tx_request(struct wl_bearer *b, struct wl_pdu *pdu)
{
	struct wl_list *retx = &b->mode.am.retx;

	pdu->flags |= WL_PDU_RETX;
	wl_list_add(b, retx, pdu, &retx->last);
}

/* VT(DAT) counts how often a PDU has been scheduled; MaxDAT - 1 are sent. */
static void am_tx_schedule(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_pdu *pdu = wl_pdu_at(b, sn);
	struct wl_am *am = &b->mode.am;

	if (pdu->flags & WL_PDU_RETX || (s32)(sn - am->given_sn) < 0)
		return;
	if (pdu->dat < U16_MAX)
		pdu->dat++;
	if (rlc->discard == WLINK_DISCARD_TIMER ||
	    pdu->dat < max(rlc->maxdat, 2U))
		am_tx_request(b, pdu);
	else if (rlc->discard == WLINK_DISCARD_RESET)
		am_reset(b, now_ns);
	else
		am_tx_give_up(b, am_tx_last_of(pdu), WLINK_DROP_MAXDAT);
}

static bool am_tx_window_polls(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;

	/* J of clause 9.7.1, VT(S) as it was before this PDU. */
	return rlc->poll_window &&
	       100ULL * (am->vt_s + 1 - am->vt_a) >=
	       (u64)rlc->poll_window * rlc->window;
}

static u32 am_tx_ends_in(const struct wl_pdu *pdu)
{
	const struct wl_sdu *sdu = pdu->sdu;
	u32 i, ends = 0;

	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next)
		ends += wl_sdu_ends_in(sdu, pdu->sn);
	return ends;
}

static bool am_tx_sdus_poll(struct wl_bearer *b, const struct wl_pdu *pdu)
{
	u32 poll_sdu = b->cfg.rlc.poll_sdu;
	struct wl_am *am = &b->mode.am;

	if (!poll_sdu)
		return false;
	am->vt_sdu += am_tx_ends_in(pdu);
	if (am->vt_sdu < poll_sdu)
		return false;
	am->vt_sdu = 0;
	return true;
}

static bool am_tx_pdus_poll(struct wl_bearer *b)
{
	u32 poll_pdu = b->cfg.rlc.poll_pdu;
	struct wl_am *am = &b->mode.am;

	if (!poll_pdu || ++am->vt_pdu < poll_pdu)
		return false;
	am->vt_pdu = 0;
	return true;
}

static void am_tx_send_new(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx,
			   bool *poll)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_am *am = &b->mode.am;
	struct wl_pdu *pdu;

	tx->kind = WL_TX_NEW;
	tx->sn = am->vt_s;
	*poll |= am_tx_window_polls(b);
	wl_seg_fill(b, now_ns, tx);
	pdu = wl_pdu_at(b, am->vt_s++);
	pdu->dat = 1;
	pdu->queued = 0;
	wl_link_spend(b->link, pdu->sdus);
	/* All but the first begin here. */
	am->begun += pdu->sdus - (pdu->sdu->first_sn != pdu->sn);
	if (rlc->poll_last && (!wl_seg_wanted(b) || !am_tx_window_open(b)))
		*poll = true;
	*poll |= am_tx_sdus_poll(b, pdu);
}

static void am_tx_send_again(struct wl_bearer *b, struct wl_tx *tx, bool *poll)
{
	struct wl_am *am = &b->mode.am;
	struct wl_pdu *pdu = wl_pdu_at(b, am->retx.first);
	u32 i;
	struct wl_sdu *sdu = pdu->sdu;

	tx->kind = WL_TX_RETX;
	tx->sn = pdu->sn;
	tx->bytes = pdu->bytes;
	am_tx_unlist(b, pdu);
	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next)
		wl_sdu_count_retx(sdu);
	if (b->cfg.rlc.poll_last_retx && !am->retx.count)
		*poll = true;
}

/* A poll goes to the lower layer, or waits for Timer_Poll_Prohibit. */
static bool am_tx_let_poll(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_am *am = &b->mode.am;

	am->poll = false;
	if (am->prohibit_at_ns != WL_NEVER_NS) {
		am->poll_delayed = true;
		return false;
	}
	am->poll_sn = am->vt_s;
	if (rlc->poll_ns != WL_NEVER_NS)
		am->poll_at_ns = now_ns + rlc->poll_ns;
	if (rlc->poll_prohibit_ns != WL_NEVER_NS)
		am->prohibit_at_ns = now_ns + rlc->poll_prohibit_ns;
	return true;
}

static void am_tx_send_control(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	struct wl_am *am = &b->mode.am;

	tx->bytes = b->cfg.pdu_bytes;
	if (am->rst_on) {
		tx->kind = WL_TX_RESET;
		tx->sn = am->rsn;
		tx->aux = am->epoch;
		am->rst_send = false;
		am->rst_at_ns = now_ns + b->cfg.rlc.rst_ns;
		return;
	}
	tx->kind = WL_TX_MRW;
	tx->sn = am->mrw.sn;
	tx->aux = am->mrw.seq;
	am->mrw_send = false;
	am->mrw_at_ns = now_ns + b->cfg.rlc.mrw_ns;
	b->stats.v[WLINK_STAT_MRWS]++;
}

void wl_am_tx_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	struct wl_am *am = &b->mode.am;
	bool poll = am->poll;

	memset(tx, 0, sizeof(*tx));
	if (am->rst_on || am->mrw_send) {
		am_tx_send_control(b, now_ns, tx);
		return;
	}
	tx->aux = am->epoch;
	if (am->retx.count)
		am_tx_send_again(b, tx, &poll);
	else
		am_tx_send_new(b, now_ns, tx, &poll);
	wl_pdu_at(b, tx->sn)->queued++;
	poll |= am_tx_pdus_poll(b);
	tx->poll = poll && am_tx_let_poll(b, now_ns);
}

void wl_am_tx_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		   u64 end_ns, bool lost)
{
	bool data = tx->kind == WL_TX_NEW || tx->kind == WL_TX_RETX;
	const struct wl_am *am = &b->mode.am;

	/* It began before the connection ended. */
	if (tx->kind != WL_TX_MRW && tx->aux != am->epoch)
		return;
	if (!lost)
		wl_flight_push(b, end_ns, tx);
	/* An acknowledgment of an earlier copy may have come meanwhile. */
	if (!data || !am_tx_outstanding(am, tx->sn))
		return;
	wl_pdu_at(b, tx->sn)->queued--;
	wl_seg_sent(b, tx, end_ns, lost);
}

void wl_am_tx_status(struct wl_bearer *b, u64 now_ns,
		     const struct wl_feedback *feedback)
{
	struct wl_am *am = &b->mode.am;
	u32 lowest = feedback->lsn;
	u32 sn, end = am->vt_s;
	bool missing = false;

	if ((s32)(feedback->to - end) < 0)
		end = feedback->to;
	sn = feedback->from;
	if ((s32)(sn - am->vt_a) < 0)
		sn = am->vt_a;
	if ((s32)(end - sn) > 0)
		wl_link_spend(b->link, (end - sn) / WL_WALKED_PER_CHARGE);
	for (; (s32)(sn - end) < 0 && !am->rst_on; sn++) {
		struct wl_pdu *pdu = wl_pdu_at(b, sn);

		if (pdu->flags & WL_PDU_RECEIVED &&
		    (s32)(pdu->stamp - feedback->stamp) <= 0) {
			am_tx_unlist(b, pdu);
			continue;
		}
		if (!missing && (s32)(sn - lowest) < 0)
			lowest = sn;
		missing = true;
		if (sn + 1 == am->poll_sn)
			am->poll_at_ns = WL_NEVER_NS;
		am_tx_schedule(b, now_ns, sn);
	}
	if (am->rst_on || !(feedback->flags & WL_AM_HAS_ACK))
		return;
	am_tx_acknowledge(b, lowest);
	if ((s32)(am->vt_a - am->poll_sn) >= 0)
		am->poll_at_ns = WL_NEVER_NS;
	am_mrw_end(b);
}

void wl_am_tx_poll(struct wl_bearer *b)
{
	struct wl_am *am = &b->mode.am;

	if (am->prohibit_at_ns != WL_NEVER_NS)
		am->poll_delayed = true;
	else
		am->poll = true;
}

void wl_am_tx_force_poll(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = &b->mode.am;

	if (!am->poll || am->rst_on)
		return;
	if (am->vt_a == am->vt_s) {
		am->poll = false;
		return;
	}
	if (am->retx.count || (am_tx_window_open(b) && wl_seg_wanted(b)))
		return;
	am_tx_schedule(b, now_ns, am->vt_s - 1);
	/* Given up: the MRW brings the answer that the poll wanted. */
	if (!am->retx.count)
		am->poll = false;
}
