// SPDX-License-Identifier: GPL-2.0
#include "wl_buffer.h"
#include "wl_mode.h"
#include "wl_seg.h"

u32 wl_seg_li_bytes(const struct wl_cfg *cfg)
{
	u32 largest = cfg->mode == WLINK_MODE_UM ? 125 : 126;

	return cfg->pdu_bytes + cfg->header_bytes <= largest ? 1 : 2;
}

u32 wl_seg_wanted(const struct wl_bearer *b)
{
	return b->unended || b->fresh ? b->cfg.pdu_bytes : 0;
}

u64 wl_seg_key_ns(const struct wl_bearer *b)
{
	return (b->unended ?: b->fresh)->arrival_ns;
}

static void touch(struct wl_pdu *pdu, struct wl_sdu *sdu)
{
	if (!pdu->sdus++)
		pdu->sdu = sdu;
}

/* Return: room that is left. */
static u32 put(struct wl_bearer *b, u64 now_ns, struct wl_pdu *pdu,
	       struct wl_tx *tx, u32 room)
{
	u32 li_bytes = wl_seg_li_bytes(&b->cfg);
	struct wl_sdu *sdu;

	wl_buffer_front(b, now_ns);
	sdu = b->fresh;
	if (!(sdu->flags & WL_SDU_BEGUN)) {
		wl_bearer_begin_sdu(b, sdu, now_ns);
		sdu->first_sn = tx->sn;
		sdu->missing = 0;
	}
	touch(pdu, sdu);
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
	u32 li_bytes = wl_seg_li_bytes(&b->cfg);
	struct wl_pdu *pdu = wl_pdu_at(b, tx->sn);
	u32 room = b->cfg.pdu_bytes;

	memset(pdu, 0, sizeof(*pdu));
	pdu->sn = tx->sn;
	pdu->bytes = room;
	pdu->flags = WL_PDU_SENT;
	tx->bytes = room;
	if (b->unended) {
		touch(pdu, b->unended);
		b->unended = NULL;
		tx->li_bytes += li_bytes;
		room -= li_bytes;
	}
	while (room && b->fresh)
		room = put(b, now_ns, pdu, tx, room);
	if (room >= li_bytes) {
		tx->li_bytes += li_bytes;
		room -= li_bytes;
	}
	tx->pad_bytes += room;
}
