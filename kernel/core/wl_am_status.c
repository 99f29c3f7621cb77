// SPDX-License-Identifier: GPL-2.0
/*
 * AM, the receiver's reports: TS 25.322 clauses 9.2.2.11 and 11.5.2. All that is
 * missing in VR(R)..VR(H) is told by LIST or BITMAP SUFIs, in as many STATUS PDUs
 * of the bearer's size as that takes; the last one ends with an ACK SUFI.
 */
#include "wl_mode.h"

#define HEAD_BITS	4	/* D/C and type of the PDU */
#define ACK_BITS	16	/* type and LSN; ends the PDU */
#define LIST_BITS	8	/* type and LENGTH */
#define PAIR_BITS	16	/* SN and L */
#define PAIRS_MAX	15
#define PAIR_SNS	16	/* one and L more */
#define BITMAP_BITS	20	/* type, LENGTH and FSN */
#define OCTETS_MAX	16

static bool missing(const struct wl_bearer *b, u32 sn)
{
	return !(wl_pdu_at(b, sn)->flags & WL_PDU_RECEIVED);
}

static u32 next_missing(const struct wl_bearer *b, u32 sn)
{
	while (sn != b->mode.am.vr_h && !missing(b, sn))
		sn++;
	return sn;
}

/* Return: whether all fits. */
static bool fill_list(const struct wl_bearer *b, u32 room, u32 sn,
		      struct wl_am_part *part)
{
	u32 vr_h = b->mode.am.vr_h;
	u32 pairs = 0;

	for (sn = next_missing(b, sn); sn != vr_h; sn = next_missing(b, sn)) {
		u32 need = PAIR_BITS + (pairs % PAIRS_MAX ? 0 : LIST_BITS);
		u32 sns = 1;

		if (part->bits + need > room) {
			part->to = sn;
			return false;
		}
		part->bits += need;
		pairs++;
		while (sns < PAIR_SNS && sn + sns != vr_h &&
		       missing(b, sn + sns))
			sns++;
		sn += sns;
	}
	part->to = vr_h;
	return true;
}

static bool fill_bitmap(const struct wl_bearer *b, u32 room, u32 sn,
			struct wl_am_part *part)
{
	u32 vr_h = b->mode.am.vr_h;

	for (sn = next_missing(b, sn); sn != vr_h; sn = next_missing(b, sn)) {
		u32 octets = min_t(u32, DIV_ROUND_UP(vr_h - sn, 8), OCTETS_MAX);

		if (part->bits + BITMAP_BITS + 8 > room) {
			part->to = sn;
			return false;
		}
		octets = min(octets, (room - part->bits - BITMAP_BITS) / 8);
		part->bits += BITMAP_BITS + 8 * octets;
		sn += min(8 * octets, vr_h - sn);
	}
	part->to = vr_h;
	return true;
}

bool wl_am_status_part(const struct wl_bearer *b, u32 from,
		       struct wl_am_part *part)
{
	u32 size = 8 * (b->cfg.pdu_bytes + b->cfg.header_bytes);
	u32 room = size - ACK_BITS;
	bool last;

	part->from = from;
	part->bits = HEAD_BITS;
	if (b->cfg.rlc.status == WLINK_STATUS_LIST)
		last = fill_list(b, room, from, part);
	else
		last = fill_bitmap(b, room, from, part);
	/* A PDU too small for any SUFI but ACK tells no more than that. */
	if (part->to == from && !last)
		last = true;
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
