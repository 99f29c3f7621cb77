/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_SDU_H
#define _WL_SDU_H

#include "../types.h"

/**
 * wl_sdu_give_up() - wl_sdu_release(), but the descriptor stays until that
 * @b: bearer
 * @sdu: SDU
 *
 * For one whose PDUs the sender still remembers.
 */
static inline void wl_sdu_give_up(struct wl_bearer *b, struct wl_sdu *sdu)
{
	if (sdu->flags & WL_SDU_GIVEN_UP)
		return;
	sdu->flags |= WL_SDU_GIVEN_UP;
	b->stats.v[WLINK_STAT_BUFFER_SDUS]--;
	b->stats.v[WLINK_STAT_BUFFER_BYTES] -= sdu->bytes;
	if (!b->stats.v[WLINK_STAT_BUFFER_SDUS])
		b->empty_ns = b->link->event_ns;
	if (sdu->start_ns == WL_NEVER_NS) {
		b->unbegun_sdus--;
		b->unbegun_bytes -= sdu->bytes;
	}
}

/**
 * wl_sdu_release() - the sender's buffer no longer counts a SDU
 * @b: bearer
 * @sdu: SDU; does nothing when it is released already
 *
 * The descriptor is recycled once the SDU is released and gone and at the head
 * of bearer->queue; so @sdu may be invalid afterwards if it is gone.
 */
void wl_sdu_release(struct wl_bearer *b, struct wl_sdu *sdu);

/**
 * wl_sdu_deliver() - a SDU leaves the receiving entity for the upper layer
 * @b: bearer
 * @sdu: SDU, not gone; @sdu->end_ns, due_ns and whole_ns are set, in order
 * @now_ns: when
 */
void wl_sdu_deliver(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);

/**
 * wl_sdu_drop() - a SDU will never leave the receiving entity
 * @b: bearer
 * @sdu: SDU, not gone nor out; invalid afterwards if it is released
 * @now_ns: when
 * @reason: why
 */
void wl_sdu_drop(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns,
		 enum wlink_drop reason);

/**
 * wl_sdu_drop_out() - the same of one that was due and has not been handed over
 * @b: bearer
 * @sdu: SDU that has been taken from link->out
 * @now_ns: when
 */
void wl_sdu_drop_out(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);

/**
 * wl_sdu_count_drop() - count a dropped SDU and tell the owner
 * @sdu: SDU
 * @now_ns: when
 * @reason: why
 */
void wl_sdu_count_drop(struct wl_sdu *sdu, u64 now_ns, enum wlink_drop reason);

/**
 * wl_sdu_recycle() - a descriptor is free
 * @link: link
 * @sdu: descriptor
 */
static inline void wl_sdu_recycle(struct wl_link *link, struct wl_sdu *sdu)
{
	sdu->next = link->pool;
	link->pool = sdu;
}

/**
 * wl_sdu_is_over() - whether both peers have done with a SDU
 * @sdu: SDU or NULL
 *
 * Return: true where it is released and gone.
 */
static inline bool wl_sdu_is_over(const struct wl_sdu *sdu)
{
	const u8 both = WL_SDU_RELEASED | WL_SDU_GONE;

	return sdu && (sdu->flags & both) == both;
}

/**
 * wl_sdu_reap_listed() - wl_sdu_reap() of one in the queue of a mode that numbers PDUs
 * @b: bearer
 *
 * Descriptors go back in the order of the queue, so that it needs no links backwards.
 */
void wl_sdu_reap_listed(struct wl_bearer *b);

/**
 * wl_sdu_reap() - the descriptor of a SDU is free, if that is over
 * @b: bearer
 * @sdu: SDU
 */
static inline void wl_sdu_reap(struct wl_bearer *b, struct wl_sdu *sdu)
{
	if (sdu->flags & WL_SDU_LISTED)
		wl_sdu_reap_listed(b);
	else if (wl_sdu_is_over(sdu))
		wl_sdu_recycle(b->link, sdu);
}

/**
 * wl_sdu_gone() - the owner of the link has taken a SDU
 * @b: bearer
 * @sdu: SDU; its descriptor is recycled as soon as the sender releases it
 */
static inline void wl_sdu_gone(struct wl_bearer *b, struct wl_sdu *sdu)
{
	sdu->flags |= WL_SDU_GONE;
	wl_sdu_reap(b, sdu);
}

/**
 * wl_sdu_reap_first() - the descriptor at the head of the queue is free
 * @b: bearer of a mode that numbers PDUs; the SDU there is over
 */
void wl_sdu_reap_first(struct wl_bearer *b);

/**
 * wl_sdu_let_go() - drop or forward a SDU unless it is gone or out, and release it
 * @b: bearer
 * @sdu: SDU, in no list
 * @now_ns: when
 * @reason: why
 */
void wl_sdu_let_go(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns,
		   enum wlink_drop reason);

/* The parts of the delay of one that has been delivered. With its jitter_ns they are all of it. */
static inline u64 wl_sdu_queue_ns(const struct wl_sdu *sdu)
{
	return sdu->start_ns - sdu->arrival_ns - sdu->access_ns;
}

static inline u64 wl_sdu_serial_ns(const struct wl_sdu *sdu)
{
	return sdu->end_ns - sdu->start_ns - sdu->access_tx_ns;
}

static inline u64 wl_sdu_prop_ns(const struct wl_sdu *sdu)
{
	return sdu->due_ns - sdu->end_ns;
}

static inline u64 wl_sdu_retx_ns(const struct wl_sdu *sdu)
{
	return sdu->whole_ns - sdu->due_ns;
}

static inline u64 wl_sdu_hol_ns(const struct wl_sdu *sdu)
{
	return sdu->deliver_ns - sdu->whole_ns - sdu->jitter_ns;
}

static inline u64 wl_sdu_access_ns(const struct wl_sdu *sdu)
{
	return sdu->access_ns + sdu->access_tx_ns;
}

#endif
