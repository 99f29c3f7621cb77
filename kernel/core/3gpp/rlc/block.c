// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* PDUs are made to fit a transport block: segmentation, concatenation, headers. */
#include "../../air/rings.h"
#include "../../buffer/buffer.h"
#include "../../rlc/mode.h"
#include "../../rlc/segment.h"
#include "lte.h"

/* A length indicator has 11 bits: what is longer ends its PDU (clause 6.2.2.5). */
#define LI_MAX	2047U

/* --- Headers --- */

bool wl_lte_is_nr(const struct wl_bearer *b)
{
	return b->cfg.mode == WLINK_MODE_NR_AM;
}

/* LTE: 2 bytes with a SN of 10 bits, 2 more with the SO of a segment, 12 bits for each
 * length indicator and its extension bit, one for each part but the last (clauses
 * 6.2.1.3, 6.2.1.4, 6.2.1.5). NR: 2 bytes with a SN of 12 bits, 2 more with a SO (TS
 * 38.322 clause 6.2.2.4).
 */
static u32 block_header(const struct wl_bearer *b, bool segment, u32 parts)
{
	u32 fixed = segment ? 4 : 2;

	return wl_lte_is_nr(b) ? fixed : fixed + DIV_ROUND_UP(3 * (parts - 1), 2);
}

u32 wl_lte_fits(const struct wl_bearer *b, u32 room, bool again)
{
	bool segment = again || wl_lte_goes_on(b);

	return room > block_header(b, segment, 1) ? room : 0;
}

/* --- New data --- */

static struct wl_pdu *block_last(const struct wl_bearer *b)
{
	return wl_pdu_at(b, b->mode.lte.vt_s - 1);
}

bool wl_lte_goes_on(const struct wl_bearer *b)
{
	return wl_lte_is_nr(b) && b->fresh && b->fresh->flags & WL_SDU_BEGUN &&
	       block_last(b)->sent_bytes < block_last(b)->bytes;
}

u32 wl_lte_new_bytes(const struct wl_bearer *b)
{
	u64 bytes;

	if (!b->fresh)
		return 0;
	bytes = b->fresh->left_bytes + block_header(b, wl_lte_goes_on(b), 1);
	return min_t(u64, bytes, WLINK_PDU_MAX);
}

static struct wl_pdu *block_new(struct wl_bearer *b, struct wl_tx *tx)
{
	struct wl_pdu *pdu;

	tx->sn = b->mode.lte.vt_s++;
	pdu = wl_pdu_at(b, tx->sn);
	memset(pdu, 0, sizeof(*pdu));
	pdu->sn = tx->sn;
	pdu->flags = WL_PDU_SENT;
	return pdu;
}

/* The next part of the SDU that is sent. Return: SDUs begun. */
static u32 block_put(struct wl_bearer *b, u64 now_ns, struct wl_pdu *pdu, u32 part,
		     bool touch)
{
	struct wl_sdu *sdu = b->fresh;
	u32 begun = 0;

	if (!(sdu->flags & WL_SDU_BEGUN)) {
		wl_sdu_begin(b, sdu, now_ns);
		sdu->first_sn = pdu->sn;
		sdu->missing = 0;
		begun = 1;
	}
	if (touch) {
		if (!pdu->sdus++)
			pdu->sdu = sdu;
		sdu->missing++;
	}
	sdu->left_bytes -= part;
	if (!sdu->left_bytes) {
		sdu->last_sn = pdu->sn;
		b->passed = sdu;
		b->fresh = sdu->next;
	}
	return begun;
}

/* Concatenation, clause 5.1.1. */
static u32 block_fill_lte(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	struct wl_pdu *pdu = block_new(b, tx);
	u32 room = b->room, begun = 0, part;

	while (b->fresh && pdu->sdus < WL_SEG_SDUS_MAX) {
		u32 taken = block_header(b, false, pdu->sdus + 1) + pdu->bytes;

		if (room <= taken)
			break;
		wl_buffer_front(b, now_ns);
		part = min(b->fresh->left_bytes, room - taken);
		begun += block_put(b, now_ns, pdu, part, true);
		pdu->bytes += part;
		if (pdu->sdus == 1)
			pdu->first_bytes = part;
		if (part > LI_MAX)
			break;
	}
	pdu->sent_bytes = pdu->bytes;
	tx->li_bytes = block_header(b, false, pdu->sdus);
	tx->bytes = pdu->bytes + tx->li_bytes;
	return begun;
}

/* A SDU or a segment of it, TS 38.322 clause 5.2.3.1.1. */
static u32 block_fill_nr(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	bool goes_on = wl_lte_goes_on(b);
	struct wl_pdu *pdu;
	u32 part, begun;

	if (goes_on) {
		pdu = block_last(b);
		tx->sn = pdu->sn;
	} else {
		wl_buffer_front(b, now_ns);
		pdu = block_new(b, tx);
		pdu->bytes = min(b->fresh->left_bytes, WLINK_PDU_MAX);
	}
	tx->li_bytes = block_header(b, goes_on, 1);
	part = min_t(u32, pdu->bytes - pdu->sent_bytes, b->room - tx->li_bytes);
	tx->aux = pdu->sent_bytes;
	tx->bytes = part + tx->li_bytes;
	pdu->sent_bytes += part;
	begun = block_put(b, now_ns, pdu, part, !goes_on);
	return begun;
}

u32 wl_lte_fill(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	tx->kind = WL_TX_NEW;
	return wl_lte_is_nr(b) ? block_fill_nr(b, now_ns, tx) :
				 block_fill_lte(b, now_ns, tx);
}

/* --- Once more --- */

u32 wl_lte_part_end(const struct wl_pdu *pdu, const struct wl_sdu *sdu, u32 i, u32 end)
{
	if (!i)
		return pdu->first_bytes;
	return i + 1 < pdu->sdus ? end + sdu->bytes : pdu->bytes;
}

/* How far a segment from some byte on gets with so much room (clause 5.1.1, 6.2.1.5). */
static u32 block_segment_end(const struct wl_bearer *b, const struct wl_pdu *pdu, u32 from,
			     u32 to, bool segment, u32 *parts)
{
	const struct wl_sdu *sdu = pdu->sdu;
	u32 i, end = 0, at = from;

	*parts = 0;
	for (i = 0; i < pdu->sdus && at < to; i++, sdu = sdu->next) {
		u32 header = block_header(b, segment, *parts + 1);
		u32 most = b->room > header ? from + b->room - header : from;

		end = wl_lte_part_end(pdu, sdu, i, end);
		if (end <= at)
			continue;
		if (most <= at)
			break;
		at = min3(end, to, most);
		(*parts)++;
	}
	return at;
}

void wl_lte_fill_again(struct wl_bearer *b, struct wl_pdu *pdu, struct wl_tx *tx)
{
	const struct wl_span *span = wl_span_at(b, pdu->again);
	u32 from = span->from, to = span->to, end, parts = 1;
	bool whole = !from && to == pdu->bytes;
	bool nr = wl_lte_is_nr(b);

	tx->kind = WL_TX_RETX;
	tx->sn = pdu->sn;
	tx->aux = from;
	if (nr) {
		tx->li_bytes = block_header(b, from, 1);
		end = min_t(u32, to, from + b->room - tx->li_bytes);
	} else {
		end = block_segment_end(b, pdu, from, to, !whole, &parts);
		/* It does not fit whole, so it is a segment. */
		if (whole && end != to) {
			whole = false;
			end = block_segment_end(b, pdu, from, to, true, &parts);
		}
		tx->li_bytes = block_header(b, !whole, parts);
	}
	wl_link_spend(b->link, pdu->sdus / WL_WALKED_PER_CHARGE);
	tx->bytes = end - from + tx->li_bytes;
	pdu->again_bytes -= end - from;
	wl_lte_span_cut(b, &pdu->again, end);
}

/* Least SDUs of 64 bytes, two TTIs and a PDU that a TTI ends in. */
u64 wl_lte_flights(const struct wl_cfg *cfg, u32 window)
{
	u64 time_ns = cfg->delay_ns + 2 * cfg->tti_ns;
	u64 ttis = div64_u64(time_ns, max(cfg->tti_ns, 1ULL));

	return min_t(u64, wl_cfg_bytes_in(wl_cfg_usual_bps(cfg), time_ns) / 64, 2 * window) +
	       2 * ttis + 8;
}
