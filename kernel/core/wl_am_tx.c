// SPDX-License-Identifier: GPL-2.0
/*
 * AM, the sender: windows, polls and retransmissions (TS 25.322 clauses 11.3 and
 * 9.7.1). A PDU that is scheduled for the MaxDAT-th time is given up instead.
 */
#include "wl_mode.h"
#include "wl_seg.h"

static struct wl_am *am_of(struct wl_bearer *b)
{
	return &b->mode.am;
}

static bool outstanding(const struct wl_am *am, u32 sn)
{
	return (s32)(sn - am->vt_a) >= 0 && (s32)(sn - am->vt_s) < 0;
}

u32 wl_am_tx_wanted(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;

	if (am->rst_on)
		return am->rst_send ? b->cfg.pdu_bytes : 0;
	if (am->mrw_send || am->retx.count)
		return b->cfg.pdu_bytes;
	if (am->vt_s - am->vt_a >= b->cfg.rlc.window)
		return 0;
	return wl_seg_wanted(b);
}

bool wl_am_tx_fresh_next(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;

	return !am->rst_on && !am->mrw_send && !am->retx.count &&
	       am->vt_s - am->vt_a < b->cfg.rlc.window;
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

void wl_am_tx_unlist(struct wl_bearer *b, struct wl_pdu *pdu)
{
	if (!(pdu->flags & WL_PDU_RETX))
		return;
	pdu->flags &= ~WL_PDU_RETX;
	wl_list_del(b, &am_of(b)->retx, pdu);
}

static struct wl_sdu *last_of(const struct wl_pdu *pdu)
{
	struct wl_sdu *sdu = pdu->sdu;
	u32 i;

	for (i = 1; i < pdu->sdus; i++)
		sdu = sdu->next;
	return sdu;
}

static void request(struct wl_bearer *b, struct wl_pdu *pdu)
{
	struct wl_list *retx = &am_of(b)->retx;

	pdu->flags |= WL_PDU_RETX;
	wl_list_add(b, retx, pdu, &retx->last);
}

/* VT(DAT) counts how often a PDU has been scheduled; MaxDAT - 1 are sent. */
static void schedule(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_pdu *pdu = wl_pdu_at(b, sn);
	struct wl_am *am = am_of(b);

	if (pdu->flags & WL_PDU_RETX || (s32)(sn - am->given_sn) < 0)
		return;
	if (pdu->dat < U16_MAX)
		pdu->dat++;
	if (rlc->discard == WLINK_DISCARD_TIMER ||
	    pdu->dat < max(rlc->maxdat, 2U))
		request(b, pdu);
	else if (rlc->discard == WLINK_DISCARD_RESET)
		wl_am_reset(b, now_ns);
	else
		wl_am_give_up(b, last_of(pdu), WLINK_DROP_MAXDAT);
}

static bool window_polls(const struct wl_bearer *b)
{
	const struct wl_am *am = &b->mode.am;
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;

	/* J of clause 9.7.1, VT(S) as it was before this PDU. */
	return rlc->poll_window &&
	       100ULL * (am->vt_s + 1 - am->vt_a) >=
	       (u64)rlc->poll_window * rlc->window;
}

static u32 ends_in(const struct wl_pdu *pdu)
{
	const struct wl_sdu *sdu = pdu->sdu;
	u32 i, ends = 0;

	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next)
		ends += !sdu->left_bytes && sdu->last_sn == pdu->sn;
	return ends;
}

static bool sdus_poll(struct wl_bearer *b, const struct wl_pdu *pdu)
{
	u32 poll_sdu = b->cfg.rlc.poll_sdu;
	struct wl_am *am = am_of(b);

	if (!poll_sdu)
		return false;
	am->vt_sdu += ends_in(pdu);
	if (am->vt_sdu < poll_sdu)
		return false;
	am->vt_sdu = 0;
	return true;
}

static bool pdus_poll(struct wl_bearer *b)
{
	u32 poll_pdu = b->cfg.rlc.poll_pdu;
	struct wl_am *am = am_of(b);

	if (!poll_pdu || ++am->vt_pdu < poll_pdu)
		return false;
	am->vt_pdu = 0;
	return true;
}

static void send_new(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx,
		     bool *poll)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_am *am = am_of(b);
	struct wl_pdu *pdu;

	tx->kind = WL_TX_NEW;
	tx->sn = am->vt_s;
	*poll |= window_polls(b);
	wl_seg_fill(b, now_ns, tx);
	pdu = wl_pdu_at(b, am->vt_s++);
	pdu->dat = 1;
	if (rlc->poll_last &&
	    (!wl_seg_wanted(b) || am->vt_s - am->vt_a >= rlc->window))
		*poll = true;
	*poll |= sdus_poll(b, pdu);
}

static void send_again(struct wl_bearer *b, struct wl_tx *tx, bool *poll)
{
	struct wl_am *am = am_of(b);
	struct wl_pdu *pdu = wl_pdu_at(b, am->retx.first);
	u32 i;
	struct wl_sdu *sdu = pdu->sdu;

	tx->kind = WL_TX_RETX;
	tx->sn = pdu->sn;
	tx->bytes = pdu->bytes;
	wl_am_tx_unlist(b, pdu);
	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next)
		wl_sdu_count_retx(sdu);
	if (b->cfg.rlc.poll_last_retx && !am->retx.count)
		*poll = true;
}

/* A poll goes to the lower layer, or waits for Timer_Poll_Prohibit. */
static bool let_poll(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_am *am = am_of(b);

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

static void send_control(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	struct wl_am *am = am_of(b);

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
	b->stats.mrws++;
}

void wl_am_tx_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	struct wl_am *am = am_of(b);
	bool poll = am->poll;

	memset(tx, 0, sizeof(*tx));
	if (am->rst_on || am->mrw_send) {
		send_control(b, now_ns, tx);
		return;
	}
	tx->aux = am->epoch;
	if (am->retx.count)
		send_again(b, tx, &poll);
	else
		send_new(b, now_ns, tx, &poll);
	poll |= pdus_poll(b);
	tx->poll = poll && let_poll(b, now_ns);
}

void wl_am_tx_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		   u64 end_ns, bool lost)
{
	bool data = tx->kind == WL_TX_NEW || tx->kind == WL_TX_RETX;
	u64 due_ns = wl_flight_due_ns(b, end_ns);
	struct wl_am *am = am_of(b);
	struct wl_sdu *sdu;
	struct wl_pdu *pdu;
	u32 i;

	/* It began before the connection ended. */
	if (tx->kind != WL_TX_MRW && tx->aux != am->epoch)
		return;
	if (!lost)
		wl_flight_push(b, end_ns, tx);
	/* An acknowledgment of an earlier copy may have come meanwhile. */
	if (!data || !outstanding(am, tx->sn))
		return;
	pdu = wl_pdu_at(b, tx->sn);
	sdu = pdu->sdu;
	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next) {
		wl_sdu_count(sdu, 1, lost);
		if (tx->kind == WL_TX_RETX || sdu->left_bytes ||
		    sdu->last_sn != tx->sn)
			continue;
		sdu->end_ns = end_ns;
		sdu->due_ns = due_ns;
	}
}

void wl_am_tx_release(struct wl_bearer *b, struct wl_sdu *sdu)
{
	struct wl_am *am = am_of(b);

	if (am->live == sdu)
		am->live = sdu->next;
	/* See wl_am_rx_skip(). */
	do {
		am->unacked = am->unacked->next;
	} while (am->unacked && am->unacked->flags & WL_SDU_RELEASED);
	wl_bearer_release(b, sdu);
}

void wl_am_tx_acknowledge(struct wl_bearer *b, u32 sn)
{
	struct wl_am *am = am_of(b);
	struct wl_sdu *sdu;

	for (; (s32)(sn - am->vt_a) > 0; am->vt_a++)
		wl_am_tx_unlist(b, wl_pdu_at(b, am->vt_a));
	if ((s32)(am->given_sn - am->vt_a) < 0)
		am->given_sn = am->vt_a;
	while ((sdu = am->unacked)) {
		bool unbegun = !(sdu->flags & WL_SDU_BEGUN);

		/* Not begun, yet gone: Timer_Discard. */
		if (unbegun && !(sdu->flags & WL_SDU_RELEASED))
			break;
		if (!unbegun && (!wl_am_whole_sent(sdu) ||
				 (s32)(sdu->last_sn - am->vt_a) >= 0))
			break;
		wl_am_tx_release(b, sdu);
	}
}

void wl_am_tx_status(struct wl_bearer *b, u64 now_ns,
		     const struct wl_feedback *feedback)
{
	struct wl_am *am = am_of(b);
	u32 lowest = feedback->lsn;
	u32 sn, end = am->vt_s;
	bool missing = false;

	if ((s32)(feedback->to - end) < 0)
		end = feedback->to;
	sn = feedback->from;
	if ((s32)(sn - am->vt_a) < 0)
		sn = am->vt_a;
	for (; (s32)(sn - end) < 0 && !am->rst_on; sn++) {
		struct wl_pdu *pdu = wl_pdu_at(b, sn);

		if (pdu->flags & WL_PDU_RECEIVED &&
		    (s32)(pdu->stamp - feedback->stamp) <= 0) {
			wl_am_tx_unlist(b, pdu);
			continue;
		}
		if (!missing && (s32)(sn - lowest) < 0)
			lowest = sn;
		missing = true;
		if (sn + 1 == am->poll_sn)
			am->poll_at_ns = WL_NEVER_NS;
		schedule(b, now_ns, sn);
	}
	if (am->rst_on || !(feedback->flags & WL_AM_HAS_ACK))
		return;
	wl_am_tx_acknowledge(b, lowest);
	if ((s32)(am->vt_a - am->poll_sn) >= 0)
		am->poll_at_ns = WL_NEVER_NS;
	wl_am_mrw_end(b);
}

void wl_am_tx_poll(struct wl_bearer *b)
{
	struct wl_am *am = am_of(b);

	if (am->prohibit_at_ns != WL_NEVER_NS)
		am->poll_delayed = true;
	else
		am->poll = true;
}

void wl_am_tx_force_poll(struct wl_bearer *b, u64 now_ns)
{
	struct wl_am *am = am_of(b);

	if (!am->poll || am->rst_on)
		return;
	if (am->vt_a == am->vt_s) {
		am->poll = false;
		return;
	}
	if (am->retx.count || (am->vt_s - am->vt_a < b->cfg.rlc.window &&
			       wl_seg_wanted(b)))
		return;
	schedule(b, now_ns, am->vt_s - 1);
	/* Given up: the MRW brings the answer that the poll wanted. */
	if (!am->retx.count)
		am->poll = false;
}
