/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_BUFFER_H
#define _WL_BUFFER_H

#include "../types.h"
#include "sdu.h"

/**
 * wl_buffer_access_ns() - how long a SDU has waited for access of its bearer
 * @b: bearer
 * @sdu: SDU of its buffer, which has just been begun
 *
 * Return: ns.
 */
u64 wl_buffer_access_ns(const struct wl_bearer *b, const struct wl_sdu *sdu);

/**
 * wl_buffer_begin() - the radio has capacity for a SDU for the first time
 * @b: bearer
 * @sdu: SDU in its buffer
 * @now_ns: when
 *
 * From then on neither the AQM nor a limit takes it away.
 */
static inline void wl_buffer_begin(struct wl_bearer *b, struct wl_sdu *sdu,
				   u64 now_ns)
{
	if (sdu->start_ns != WL_NEVER_NS)
		return;
	sdu->start_ns = now_ns;
	if (b->access.on)
		sdu->access_ns = wl_buffer_access_ns(b, sdu);
	b->unbegun_sdus--;
	b->unbegun_bytes -= sdu->bytes;
}

/**
 * wl_sdu_begin() - the first bit of a SDU goes
 * @b: bearer
 * @sdu: SDU, not begun
 * @now_ns: when
 */
static inline void wl_sdu_begin(struct wl_bearer *b, struct wl_sdu *sdu,
				u64 now_ns)
{
	sdu->flags |= WL_SDU_BEGUN;
	wl_buffer_begin(b, sdu, now_ns);
}

/**
 * wl_buffer_unbegin() - capacity that came to nothing does not count
 * @b: bearer
 * @sdu: SDU of its buffer of which no bit has been sent
 */
static inline void wl_buffer_unbegin(struct wl_bearer *b, struct wl_sdu *sdu)
{
	if (sdu->start_ns == WL_NEVER_NS)
		return;
	sdu->start_ns = WL_NEVER_NS;
	sdu->access_ns = 0;
	sdu->access_tx_ns = 0;
	b->unbegun_sdus++;
	b->unbegun_bytes += sdu->bytes;
}

/**
 * wl_buffer_asks() - whether wl_buffer_front() has anything to ask
 * @b: bearer
 *
 * Return: whether it has.
 */
static inline bool wl_buffer_asks(const struct wl_bearer *b)
{
	return (b->aqm.ops && b->aqm.ops->front) ||
	       b->cfg.aqm.ramp_to_ns != WL_NEVER_NS;
}

/**
 * wl_buffer_discard_ns() - Timer_Discard of that SDU
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS for never.
 */
u64 wl_buffer_discard_ns(const struct wl_bearer *b);

/**
 * wl_buffer_drop_first() - take it away
 * @b: bearer with such a SDU
 * @now_ns: when
 * @reason: why
 */
void wl_buffer_drop_first(struct wl_bearer *b, u64 now_ns,
			  enum wlink_drop reason);

/**
 * wl_buffer_arrive() - a SDU reaches the buffer, or is dropped before it
 * @b: bearer
 * @sdu: SDU
 * @now_ns: its arrival
 */
void wl_buffer_arrive(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);

/**
 * wl_buffer_count_in() - the part of it that counts
 * @b: bearer whose buffer has room
 * @sdu: SDU
 */
static inline void wl_buffer_count_in(struct wl_bearer *b,
				      struct wl_sdu *sdu)
{
	u64 *v = b->stats.v;

	sdu->flags &= ~WL_SDU_RELEASED;
	v[WLINK_STAT_BUFFER_SDUS]++;
	v[WLINK_STAT_BUFFER_BYTES] += sdu->bytes;
	b->unbegun_sdus++;
	b->unbegun_bytes += sdu->bytes;
	v[WLINK_STAT_BUFFER_SDUS_MAX] = max(v[WLINK_STAT_BUFFER_SDUS_MAX],
					    v[WLINK_STAT_BUFFER_SDUS]);
	v[WLINK_STAT_BUFFER_BYTES_MAX] = max(v[WLINK_STAT_BUFFER_BYTES_MAX],
					     v[WLINK_STAT_BUFFER_BYTES]);
	sdu->buffer_sdus = v[WLINK_STAT_BUFFER_SDUS];
}

/**
 * wl_buffer_fits() - whether a SDU has room beside others
 * @b: bearer
 * @sdus: how many there are
 * @bytes: theirs
 * @more: its own
 *
 * A limit below one SDU must not make the link dead, so an empty buffer takes any.
 *
 * Return: whether it has.
 */
static inline bool wl_buffer_fits(const struct wl_bearer *b, u64 sdus, u64 bytes, u32 more)
{
	if (b->cfg.limit.kind == WL_LIMIT_PACKETS)
		return sdus < b->cfg.limit.value;
	return !sdus || bytes + more <= wl_cfg_limit_bytes(&b->cfg);
}

/**
 * wl_buffer_take() - put a SDU at the end of the buffer
 * @b: bearer
 * @sdu: SDU
 * @now_ns: its arrival
 *
 * Return: false when there is no room; it has been dropped then.
 */
static inline bool wl_buffer_take(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	const u64 *v = b->stats.v;

	if (!wl_buffer_fits(b, v[WLINK_STAT_BUFFER_SDUS], v[WLINK_STAT_BUFFER_BYTES],
			    sdu->bytes)) {
		wl_sdu_drop(b, sdu, now_ns, WLINK_DROP_OVERFLOW);
		return false;
	}
	wl_buffer_count_in(b, sdu);
	wl_fifo_push(&b->queue, sdu);
	return true;
}

/**
 * wl_buffer_list() - the mode, if there is one, is to know a SDU at the queue's end
 * @b: bearer
 * @sdu: SDU
 */
void wl_buffer_list(struct wl_bearer *b, struct wl_sdu *sdu);

/**
 * wl_buffer_trim() - take what does not fit a limit that has become smaller
 * @b: bearer
 * @now_ns: when
 *
 * Return: false when link->budget did not suffice.
 */
bool wl_buffer_trim(struct wl_bearer *b, u64 now_ns);

/**
 * wl_buffer_front() - ask the AQM about the SDU that is about to be begun
 * @b: bearer
 * @now_ns: when
 *
 * To be called when there is capacity for what goes next. Some may be gone
 * afterwards, never all.
 */
void wl_buffer_front(struct wl_bearer *b, u64 now_ns);

/**
 * wl_buffer_start() - the AQM begins, with what is there
 * @b: bearer
 * @now_ns: now
 */
void wl_buffer_start(struct wl_bearer *b, u64 now_ns);

/**
 * wl_buffer_configure() - the limit or the AQM may have changed
 * @b: bearer; cfg is the new one
 * @now_ns: when
 * @old: the old one
 *
 * A limit that has become smaller takes what has not been begun: the first ones
 * where the AQM drops there, else the last ones.
 */
void wl_buffer_configure(struct wl_bearer *b, u64 now_ns,
			 const struct wl_cfg *old);

/**
 * wl_buffer_event() - let a timer of the AQM expire
 * @b: bearer
 * @now_ns: not after wl_aqm_next_ns()
 */
void wl_buffer_event(struct wl_bearer *b, u64 now_ns);

#endif
