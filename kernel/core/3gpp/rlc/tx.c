// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Acknowledged mode, the sender: window, polls, retransmissions (clauses 5.1.3.1, 5.2.1,
 * 5.2.2). When a PDU has been asked for too often, b->failed is set: the bearer begins
 * anew, as by the re-establishment that RRC does after a radio link failure (TS 36.331
 * clauses 5.3.11.3, 5.3.7).
 */
#include "../../air/rings.h"
#include "../../buffer/sdu.h"
#include "../../rlc/mode.h"
#include "lte.h"

bool wl_lte_tx_open(const struct wl_bearer *b)
{
	const struct wl_lte *lte = &b->mode.lte;

	return lte->vt_s - lte->vt_a < b->cfg.rlc.window && lte->begun < WL_LTE_BEGUN_MAX;
}

static void tx_unlist(struct wl_bearer *b, struct wl_pdu *pdu)
{
	if (!(pdu->flags & WL_PDU_RETX))
		return;
	pdu->flags &= ~WL_PDU_RETX;
	b->mode.lte.retx_bytes -= pdu->again_bytes;
	pdu->again_bytes = 0;
	wl_lte_span_free(b, &pdu->again);
	wl_list_del(b, &b->mode.lte.retx, pdu);
}

/* Portions of it are considered for retransmission, clause 5.2.1: more bytes. */
static void tx_schedule(struct wl_bearer *b, struct wl_pdu *pdu, u32 more)
{
	struct wl_list *retx = &b->mode.lte.retx;

	/* They are pending already. */
	if (!more)
		return;
	pdu->again_bytes += more;
	b->mode.lte.retx_bytes += more;
	if (!(pdu->flags & WL_PDU_RETX)) {
		pdu->flags |= WL_PDU_RETX;
		wl_list_add(b, retx, pdu, &retx->last);
	}
	if (pdu->dat++ == b->cfg.rlc.maxretx)
		b->failed = true;
}

/* --- Sending --- */

/* Clause 5.2.2.1, TS 38.322 clause 5.3.3.2: by counts, when nothing more is to be sent, and
 * while the window stalls, though there be something to be sent again, or in NR the rest of
 * a SDU.
 */
static bool tx_polls(struct wl_bearer *b, const struct wl_tx *tx)
{
	const struct wl_rlc_cfg *rlc = &b->cfg.rlc;
	struct wl_lte *lte = &b->mode.lte;

	if (tx->kind == WL_TX_NEW) {
		lte->pdu_without_poll++;
		lte->byte_without_poll += tx->bytes - tx->li_bytes;
		if ((rlc->poll_pdu && lte->pdu_without_poll >= rlc->poll_pdu) ||
		    (rlc->poll_byte && lte->byte_without_poll >= rlc->poll_byte))
			return true;
	}
	if (lte->poll)
		return true;
	return (!lte->retx.count && !b->fresh) || !wl_lte_tx_open(b);
}

static void tx_again(struct wl_bearer *b, struct wl_tx *tx)
{
	struct wl_lte *lte = &b->mode.lte;
	struct wl_pdu *pdu = wl_pdu_at(b, lte->retx.first);
	struct wl_sdu *sdu = pdu->sdu;
	u32 i;

	wl_lte_fill_again(b, pdu, tx);
	lte->retx_bytes -= tx->bytes - tx->li_bytes;
	if (!pdu->again_bytes)
		tx_unlist(b, pdu);
	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next)
		wl_sdu_count_retx(sdu);
}

void wl_lte_tx_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	struct wl_lte *lte = &b->mode.lte;
	u32 begun;

	memset(tx, 0, sizeof(*tx));
	if (lte->retx.count) {
		tx_again(b, tx);
	} else {
		begun = wl_lte_fill(b, now_ns, tx);
		lte->begun += begun;
		wl_link_spend(b->link, begun);
	}
	tx->poll = tx_polls(b, tx);
	if (!tx->poll)
		return;
	lte->poll = false;
	lte->pdu_without_poll = 0;
	lte->byte_without_poll = 0;
	lte->poll_sn = lte->vt_s - 1;
	if (b->cfg.rlc.poll_ns != WL_NEVER_NS)
		lte->poll_at_ns = now_ns + b->cfg.rlc.poll_ns;
}

void wl_lte_tx_expired(struct wl_bearer *b)
{
	struct wl_lte *lte = &b->mode.lte;
	struct wl_pdu *pdu;
	u32 at = 0;

	lte->poll_at_ns = WL_NEVER_NS;
	b->stats.v[WLINK_STAT_TIMEOUTS]++;
	lte->poll = lte->vt_a != lte->vt_s;
	if (!lte->poll || lte->retx.count || wl_lte_goes_on(b) ||
	    (b->fresh && wl_lte_tx_open(b)))
		return;
	/* Clause 5.2.2.3: VT(S) - 1, or any that is not acknowledged. */
	pdu = wl_pdu_at(b, lte->vt_s - 1);
	if (pdu->flags & WL_PDU_ACKED)
		pdu = wl_pdu_at(b, lte->vt_a);
	tx_schedule(b, pdu, wl_lte_span_add(b, &pdu->again, &at, 0, pdu->sent_bytes, 0));
}

/* --- What a report says --- */

static void tx_acknowledge(struct wl_bearer *b)
{
	struct wl_lte *lte = &b->mode.lte;
	struct wl_sdu *sdu;

	while (lte->vt_a != lte->vt_s && wl_pdu_at(b, lte->vt_a)->flags & WL_PDU_ACKED)
		lte->vt_a++;
	if (lte->vt_a == lte->vt_s)
		lte->poll = false;
	while ((sdu = b->unreleased) && sdu->flags & WL_SDU_BEGUN && !sdu->left_bytes &&
	       (s32)(sdu->last_sn - lte->vt_a) < 0) {
		b->unreleased = sdu->next;
		lte->begun--;
		wl_link_spend(b->link, 1);
		wl_sdu_release(b, sdu);
	}
}

/* What a report with such a stamp names. Return: spans that have been looked at. */
static u32 tx_named(struct wl_bearer *b, struct wl_pdu *pdu, u32 stamp)
{
	struct wl_lte_gap gap = { .span = pdu->came };
	u32 more = 0, at = 0;

	while (wl_lte_gap_next(b, pdu, stamp, &gap))
		more += wl_lte_span_add(b, &pdu->again, &at, gap.from,
					min_t(u32, gap.to, pdu->sent_bytes), 0);
	tx_schedule(b, pdu, more);
	return gap.walked;
}

void wl_lte_tx_status(struct wl_bearer *b, const struct wl_feedback *feedback)
{
	struct wl_lte *lte = &b->mode.lte;
	u32 sn = lte->vt_a, walked = 0;

	if ((s32)(feedback->to - sn) > 0)
		wl_link_spend(b->link, (feedback->to - sn) / WL_WALKED_PER_CHARGE);
	/* Below its ACK_SN all that it does not name is there. */
	if ((s32)(feedback->to - lte->poll_sn) > 0)
		lte->poll_at_ns = WL_NEVER_NS;
	for (; (s32)(sn - feedback->to) < 0 && !b->failed; sn++) {
		struct wl_pdu *pdu = wl_pdu_at(b, sn);

		if (!(pdu->flags & WL_PDU_RECEIVED) ||
		    (s32)(pdu->stamp - feedback->stamp) > 0) {
			walked += tx_named(b, pdu, feedback->stamp);
			continue;
		}
		tx_unlist(b, pdu);
		wl_lte_span_free(b, &pdu->came);
		pdu->flags |= WL_PDU_ACKED;
	}
	wl_link_spend(b->link, walked / WL_WALKED_PER_CHARGE);
	tx_acknowledge(b);
}
