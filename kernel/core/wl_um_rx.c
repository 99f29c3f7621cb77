// SPDX-License-Identifier: GPL-2.0
/*
 * Unacknowledged mode: the receiving entity.
 *
 * PDUs have their turn in the order of their numbers, whether they were received
 * or are missing, and with the turn of its last one a SDU is delivered, if all
 * of it is there, or dropped.
 */
#include "wl_mode.h"

struct wl_sdu *wl_um_live(struct wl_sdu *sdu)
{
	while (sdu && sdu->flags & WL_SDU_GONE)
		sdu = sdu->next;
	return sdu;
}

/* The PDU that tells where it ends has been sent, or will be lost. */
static bool ended(const struct wl_sdu *sdu)
{
	return sdu && sdu->whole_ns != WL_NEVER_NS;
}

static void finish(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	b->mode.um.reassembly = wl_um_live(sdu->next);
	if (sdu->flags & WL_SDU_WHOLE)
		wl_bearer_deliver(b, sdu, now_ns);
	else
		wl_bearer_drop(b, sdu, now_ns, WLINK_DROP_CHANNEL);
}

static bool begun_by(const struct wl_sdu *sdu, u32 sn)
{
	return sdu && sdu->flags & WL_SDU_BEGUN &&
	       (s32)(sn - sdu->first_sn) >= 0;
}

/* The turn of the next PDU, received or missing. */
static void take_turn(struct wl_bearer *b, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;
	u32 sn = um->vr_us++;

	um->held >>= 1;
	while (begun_by(um->reassembly, sn) && ended(um->reassembly) &&
	       um->reassembly->last_sn == sn)
		finish(b, um->reassembly, now_ns);
}

/* What a PDU brings, long before its turn or in it. */
static void receive(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_sdu *sdu = b->mode.um.reassembly;

	for (; begun_by(sdu, sn); sdu = wl_um_live(sdu->next)) {
		if (ended(sdu) && (s32)(sn - sdu->last_sn) > 0)
			continue;
		if (--sdu->missing || !ended(sdu))
			continue;
		sdu->flags |= WL_SDU_WHOLE;
		sdu->whole_ns = now_ns;
		sdu->due_ns = min(sdu->due_ns, now_ns);
	}
}

static void move_to(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	struct wl_um *um = &b->mode.um;

	while ((s32)(sn - um->vr_us) > 0)
		take_turn(b, now_ns);
}

/* What is held and has no gap before it any more; then look after Timer_DAR. */
static void settle(struct wl_bearer *b, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;

	while (um->held & 1)
		take_turn(b, now_ns);
	if ((s32)(um->vr_us - um->vr_udt) > 0)
		um->dar_ns = WL_NEVER_NS;
	if (um->held && um->dar_ns == WL_NEVER_NS) {
		um->vr_udt = um->vr_udh;
		um->dar_ns = now_ns + b->cfg.rlc.reorder_ns;
	}
}

static void put_pdu(struct wl_bearer *b, u64 now_ns, u32 sn)
{
	u32 window = b->cfg.rlc.reorder;
	struct wl_um *um = &b->mode.um;
	s32 ahead = sn - um->vr_us;

	if (ahead < 0 || (ahead < 64 && um->held >> ahead & 1)) {
		b->stats.duplicates += b->cfg.rlc.duplicates;
		return;
	}
	if ((s32)(sn - um->vr_udh) > 0)
		um->vr_udh = sn;
	move_to(b, now_ns, window ? um->vr_udh - window + 1 : sn);
	um->held |= 1ULL << (sn - um->vr_us);
	receive(b, now_ns, sn);
	settle(b, now_ns);
}

/* When the SDU whose turn it is will be given up, if Timer_DAR does not see to
 * it.
 */
static u64 give_up_ns(const struct wl_bearer *b)
{
	const struct wl_sdu *sdu = b->mode.um.reassembly;

	if (!ended(sdu) || b->mode.um.dar_ns != WL_NEVER_NS)
		return WL_NEVER_NS;
	return sdu->whole_ns + (b->cfg.rlc.reorder ? b->cfg.rlc.reorder_ns : 0);
}

u64 wl_um_rx_next_ns(const struct wl_bearer *b)
{
	const struct wl_flight *flight = wl_flight_first(b);
	u64 next_ns = min(b->mode.um.dar_ns, give_up_ns(b));

	return flight ? min(next_ns, flight->arrive_ns) : next_ns;
}

void wl_um_rx_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;
	const struct wl_flight *first;
	struct wl_flight flight;

	while ((first = wl_flight_first(b)) && first->arrive_ns <= now_ns) {
		wl_flight_pop(b, &flight);
		put_pdu(b, now_ns, flight.sn);
	}
	if (um->dar_ns <= now_ns) {
		move_to(b, now_ns, um->vr_udt + 1);
		settle(b, now_ns);
	}
	/* Timer_DAR does not run, so nothing is held. */
	while (give_up_ns(b) <= now_ns)
		move_to(b, now_ns, um->reassembly->last_sn + 1);
}

void wl_um_rx_configured(struct wl_bearer *b, u64 now_ns)
{
	struct wl_um *um = &b->mode.um;

	if (um->held)
		move_to(b, now_ns, um->vr_udh + 1 - b->cfg.rlc.reorder);
	settle(b, now_ns);
}
