// SPDX-License-Identifier: GPL-2.0
/*
 * Selective repeat: the sender.
 *
 * A frame that is not acknowledged is on the list of those to be sent again
 * (WL_PDU_RETX), on the list of those whose timer runs (timer_ns is set), or on
 * the air (neither).
 */
#include "wl_mode.h"

static bool outstanding(const struct wl_sr *sr, u32 sn)
{
	return sn - sr->una < sr->next - sr->una;
}

/* Deadlines mostly grow, so the place is looked for from the end. */
static void start_timer(struct wl_bearer *b, struct wl_pdu *pdu,
			u64 deadline_ns)
{
	struct wl_list *timed = &b->mode.sr.timed;
	u32 i, after = timed->last;

	pdu->timer_ns = deadline_ns;
	for (i = timed->count; i > 0; i--) {
		if (wl_pdu_at(b, after)->timer_ns <= deadline_ns)
			break;
		after = wl_pdu_at(b, after)->prev;
	}
	wl_list_add(b, timed, pdu, i ? &after : NULL);
}

static void stop_timer(struct wl_bearer *b, struct wl_pdu *pdu)
{
	wl_list_del(b, &b->mode.sr.timed, pdu);
	pdu->timer_ns = WL_NEVER_NS;
}

/* Send it again; its timer runs, and has no meaning any more. */
static void request(struct wl_bearer *b, struct wl_pdu *pdu)
{
	struct wl_list *again = &b->mode.sr.again;

	stop_timer(b, pdu);
	pdu->flags |= WL_PDU_RETX;
	wl_list_add(b, again, pdu, &again->last);
}

static void unrequest(struct wl_bearer *b, struct wl_pdu *pdu)
{
	wl_list_del(b, &b->mode.sr.again, pdu);
	pdu->flags &= ~WL_PDU_RETX;
}

static u32 fresh_bytes(const struct wl_bearer *b)
{
	return min(b->fresh->left_bytes, b->cfg.pdu_bytes);
}

u32 wl_sr_tx_wanted(const struct wl_bearer *b)
{
	const struct wl_sr *sr = &b->mode.sr;

	if (sr->again.count)
		return wl_pdu_at(b, sr->again.first)->bytes;
	if (b->fresh && sr->next - sr->una < b->cfg.rlc.window)
		return fresh_bytes(b);
	return 0;
}

bool wl_sr_tx_fresh_next(const struct wl_bearer *b)
{
	const struct wl_sr *sr = &b->mode.sr;

	return !sr->again.count && sr->next - sr->una < b->cfg.rlc.window;
}

u64 wl_sr_tx_key_ns(const struct wl_bearer *b)
{
	const struct wl_sr *sr = &b->mode.sr;

	if (sr->again.count)
		return wl_pdu_at(b, sr->again.first)->sdu->arrival_ns;
	return b->fresh->arrival_ns;
}

static struct wl_pdu *cut_frame(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sr *sr = &b->mode.sr;
	struct wl_sdu *sdu = b->fresh;
	struct wl_pdu *pdu = wl_pdu_at(b, sr->next);

	if (!(sdu->flags & WL_SDU_BEGUN)) {
		wl_bearer_begin_sdu(b, sdu, now_ns);
		sdu->first_sn = sr->next;
		sdu->missing = 0;
	}
	memset(pdu, 0, sizeof(*pdu));
	pdu->sn = sr->next++;
	pdu->sdu = sdu;
	pdu->flags = WL_PDU_SENT;
	pdu->sdus = 1;
	pdu->bytes = fresh_bytes(b);
	pdu->timer_ns = WL_NEVER_NS;
	sdu->missing++;
	sdu->left_bytes -= pdu->bytes;
	if (!sdu->left_bytes) {
		sdu->last_sn = pdu->sn;
		b->fresh = sdu->next;
		b->passed = sdu;
	}
	return pdu;
}

void wl_sr_tx_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	const struct wl_sr *sr = &b->mode.sr;
	struct wl_pdu *pdu;

	memset(tx, 0, sizeof(*tx));
	if (sr->again.count) {
		tx->kind = WL_TX_RETX;
		pdu = wl_pdu_at(b, sr->again.first);
		unrequest(b, pdu);
	} else {
		tx->kind = WL_TX_NEW;
		pdu = cut_frame(b, now_ns);
	}
	tx->sn = pdu->sn;
	tx->bytes = pdu->bytes;
	pdu->tx_ns = now_ns;
	wl_sdu_count(pdu->sdu, 1, 0);
	if (tx->kind == WL_TX_RETX)
		wl_sdu_count_retx(pdu->sdu);
}

static bool ends_sdu(const struct wl_pdu *pdu)
{
	return !pdu->sdu->left_bytes && pdu->sdu->last_sn == pdu->sn;
}

void wl_sr_tx_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		   u64 end_ns, bool lost)
{
	const struct wl_sr *sr = &b->mode.sr;
	struct wl_pdu *pdu = wl_pdu_at(b, tx->sn);
	u64 due_ns = wl_flight_due_ns(b, end_ns);

	if (!lost)
		wl_flight_push(b, end_ns, tx);
	/* The ACK for an earlier transmission may have come meanwhile. */
	if (!outstanding(sr, tx->sn))
		return;
	wl_sdu_count(pdu->sdu, 0, lost);
	if (tx->kind == WL_TX_NEW && ends_sdu(pdu)) {
		pdu->sdu->end_ns = end_ns;
		pdu->sdu->due_ns = due_ns;
	}
	start_timer(b, pdu, end_ns + sr->rtxto_ns);
}

/* A NACK that comes sooner after the first bit than a round trip takes was made
 * before the frame could have arrived, and speaks of an earlier transmission.
 */
static void take_nack(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_pdu *pdu = wl_pdu_at(b, sn);
	u64 trip_ns;

	if (!outstanding(&b->mode.sr, sn) || pdu->timer_ns == WL_NEVER_NS)
		return;
	trip_ns = wl_sr_airtime_ns(b, pdu->bytes) + b->cfg.delay_ns +
		  wl_sr_back_ns(b);
	if (now_ns - pdu->tx_ns >= trip_ns)
		request(b, pdu);
}

static void forget(struct wl_bearer *b, struct wl_pdu *pdu)
{
	if (pdu->flags & WL_PDU_RETX)
		unrequest(b, pdu);
	else if (pdu->timer_ns != WL_NEVER_NS)
		stop_timer(b, pdu);
	if (ends_sdu(pdu))
		wl_bearer_release(b, pdu->sdu);
}

/* Exceptions (a) to (c) of the paper: no sample from a NACK, one from the last
 * frame of several, none from an ACK that brings nothing new.
 */
static void take_ack(struct wl_bearer *b, u64 now_ns, u32 expected)
{
	struct wl_sr *sr = &b->mode.sr;

	if (!outstanding(sr, expected - 1))
		return;
	wl_sr_rtt_sample(sr, &b->cfg,
			 now_ns - wl_pdu_at(b, expected - 1)->tx_ns);
	for (; sr->una != expected; sr->una++)
		forget(b, wl_pdu_at(b, sr->una));
}

void wl_sr_tx_feedback(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_feedback *first;
	struct wl_feedback feedback;

	while ((first = wl_feedback_first(b)) && first->arrive_ns <= now_ns) {
		wl_feedback_pop(b, &feedback);
		if (feedback.kind == WL_SR_ACK)
			take_ack(b, now_ns, feedback.lsn);
		else
			take_nack(b, now_ns, feedback.lsn);
	}
}

u64 wl_sr_tx_timer_ns(const struct wl_bearer *b)
{
	const struct wl_list *timed = &b->mode.sr.timed;

	return timed->count ? wl_pdu_at(b, timed->first)->timer_ns :
			      WL_NEVER_NS;
}

void wl_sr_tx_expire(struct wl_bearer *b, u64 now_ns)
{
	while (wl_sr_tx_timer_ns(b) <= now_ns) {
		b->stats.timeouts++;
		request(b, wl_pdu_at(b, b->mode.sr.timed.first));
	}
}
