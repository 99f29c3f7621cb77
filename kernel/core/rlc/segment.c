// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "../air/rings.h"
#include "../buffer/buffer.h"
#include "../buffer/sdu.h"
#include "mode.h"
#include "segment.h"

/* A length indicator with its extension bit, TS 25.322 clause 9.2.2.8. */
static u32 seg_li_bytes(const struct wl_cfg *cfg)
{
	u32 largest = cfg->mode == WLINK_MODE_UM ? 125 : 126;

	return cfg->pdu_bytes + cfg->header_bytes <= largest ? 1 : 2;
}

/* A byte of data beside the largest length indicator. */
u32 wl_seg_pdu_bytes_min(const struct wl_cfg *cfg)
{
	return cfg->pdu_bytes + cfg->header_bytes > 125 ? 3 : 2;
}

/* Two TTIs: one is sent while the one before it arrives. */
u64 wl_seg_flights(const struct wl_cfg *cfg)
{
	u64 bytes = wl_cfg_bytes_in(cfg->rate_bps,
				    cfg->delay_ns + 2 * cfg->tti_ns);

	return div64_u64(bytes, cfg->pdu_bytes) + 8;
}

u32 wl_seg_wanted(const struct wl_bearer *b)
{
	return b->unended || b->fresh ? b->cfg.pdu_bytes : 0;
}

u64 wl_seg_key_ns(const struct wl_bearer *b)
{
	return (b->unended ?: b->fresh)->arrival_ns;
}

static void seg_touch(struct wl_pdu *pdu, struct wl_sdu *sdu)
{
	if (!pdu->sdus++)
		pdu->sdu = sdu;
}

/* Return: room that is left. */
static u32 seg_put(struct wl_bearer *b, u64 now_ns, struct wl_pdu *pdu,
		   struct wl_tx *tx, u32 room)
{
	u32 li_bytes = seg_li_bytes(&b->cfg);
	struct wl_sdu *sdu;

	wl_buffer_front(b, now_ns);
	sdu = b->fresh;
	if (!(sdu->flags & WL_SDU_BEGUN)) {
		wl_sdu_begin(b, sdu, now_ns);
		sdu->first_sn = tx->sn;
		sdu->missing = 0;
	}
	seg_touch(pdu, sdu);
	sdu->missing++;
	if (sdu->left_bytes > room) {
		sdu->left_bytes -= room;
		return 0;
	}
	room -= sdu->left_bytes;
	sdu->left_bytes = 0;
	b->fresh = sdu->next;
	b->passed = sdu;
	if (room >= li_bytes) {
		sdu->last_sn = tx->sn;
		tx->li_bytes += li_bytes;
		return room - li_bytes;
	}
	sdu->last_sn = tx->sn + 1;
	sdu->missing++;
	b->unended = sdu;
	tx->pad_bytes += room;
	return 0;
}

void wl_seg_fill(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	u32 li_bytes = seg_li_bytes(&b->cfg);
	struct wl_pdu *pdu = wl_pdu_at(b, tx->sn);
	u32 room = b->cfg.pdu_bytes;

	memset(pdu, 0, sizeof(*pdu));
	pdu->sn = tx->sn;
	pdu->bytes = room;
	pdu->flags = WL_PDU_SENT;
	tx->bytes = room;
	if (b->unended) {
		seg_touch(pdu, b->unended);
		b->unended = NULL;
		tx->li_bytes += li_bytes;
		room -= li_bytes;
	}
	while (room && b->fresh && pdu->sdus < WL_SEG_SDUS_MAX)
		room = seg_put(b, now_ns, pdu, tx, room);
	if (room >= li_bytes) {
		tx->li_bytes += li_bytes;
		room -= li_bytes;
	}
	tx->pad_bytes += room;
}

void wl_seg_sent(struct wl_bearer *b, const struct wl_tx *tx, u64 end_ns, bool lost)
{
	const struct wl_pdu *pdu = wl_pdu_at(b, tx->sn);
	u64 due_ns = wl_flight_due_ns(b, end_ns);
	struct wl_sdu *sdu = pdu->sdu;
	u32 i;

	wl_link_spend(b->link, pdu->sdus / WL_WALKED_PER_CHARGE);
	for (i = 0; i < pdu->sdus; i++, sdu = sdu->next) {
		wl_sdu_count(sdu, 1, lost);
		if (tx->kind == WL_TX_RETX || !wl_sdu_ends_in(sdu, tx->sn))
			continue;
		sdu->end_ns = end_ns - b->harq.late_ns;
		sdu->due_ns = due_ns - b->harq.late_ns;
		sdu->whole_ns = due_ns;
	}
}

void wl_seg_um_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx, u64 end_ns,
		    bool lost)
{
	if (!lost)
		wl_flight_push(b, end_ns, tx);
	wl_seg_sent(b, tx, end_ns, lost);
}

bool wl_seg_release_sent(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu;

	while ((sdu = b->unreleased) && sdu->end_ns <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		b->unreleased = sdu->next;
		wl_sdu_release(b, sdu);
	}
	return true;
}

void wl_seg_deliver(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu;

	while ((sdu = b->reassembly)) {
		if (!wl_sdu_done(sdu)) {
			if (!(sdu->flags & WL_SDU_WHOLE))
				return;
			wl_sdu_deliver(b, sdu, now_ns);
			wl_link_spend(b->link, 1);
		}
		b->reassembly = sdu->next;
	}
}
