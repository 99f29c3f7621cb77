/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_UNIT_H
#define _WL_UNIT_H

#include "../types.h"

/**
 * wl_serve_count() - count PDUs on the air
 * @b: bearer
 * @bytes: payload in all
 * @pdus: how many
 * @lost: of these, lost
 * @header_bytes: of each
 */
void wl_serve_count(struct wl_bearer *b, u32 bytes, u32 pdus, u32 lost,
		    u32 header_bytes);

/**
 * wl_serve_count_tx() - count what else is known of a PDU of a numbering mode
 * @b: bearer
 * @tx: PDU
 */
void wl_serve_count_tx(struct wl_bearer *b, const struct wl_tx *tx);

/**
 * wl_unit_begin() - a PDU begins
 * @b: bearer that wants to send and has nothing on the air; its AQM has been asked
 * @now_ns: when
 */
void wl_unit_begin(struct wl_bearer *b, u64 now_ns);

/**
 * wl_unit_end() - the last bit of a unit has been sent
 * @b: bearer
 * @now_ns: b->unit.end_ns
 */
void wl_unit_end(struct wl_bearer *b, u64 now_ns);

/**
 * wl_unit_finish() - the same; what follows is the caller's
 * @b: bearer
 * @now_ns: b->unit.end_ns
 */
void wl_unit_finish(struct wl_bearer *b, u64 now_ns);

/**
 * wl_rate_ns() - time that work takes
 * @b: bearer that is not silent
 * @work: in 10^-9 bit, above 0
 *
 * A division by multiplication: the quotient by the reciprocal is at most two
 * too small.
 *
 * Return: ns, rounded up.
 */
static inline u64 wl_rate_ns(const struct wl_bearer *b, u64 work)
{
	u64 ns, rest;

	if (b->cfg.rate_bps == WLINK_RATE_UNLIMITED)
		return 0;
	ns = mul_u64_u64_shr(work, b->per_rate_q64, 64);
	rest = work - ns * b->cfg.rate_bps;
	while (rest >= b->cfg.rate_bps) {
		rest -= b->cfg.rate_bps;
		ns++;
	}
	return ns + !!rest;
}

/**
 * wl_unit_over() - work done past the end of a unit
 * @b: bearer with a unit on the air
 *
 * Return: less than one ns of it.
 */
static inline u64 wl_unit_over(const struct wl_bearer *b)
{
	const struct wl_unit *unit = &b->unit;

	if (b->cfg.rate_bps == WLINK_RATE_UNLIMITED)
		return 0;
	return (unit->end_ns - unit->work_at_ns) * b->cfg.rate_bps -
	       unit->work;
}

/**
 * wl_unit_cut() - what follows the PDU on the air may meet other conditions
 * @b: bearer
 * @now_ns: when; before the change
 */
void wl_unit_cut(struct wl_bearer *b, u64 now_ns);

/**
 * wl_unit_before_configure() - account for what has been sent of a unit
 * @b: bearer with a unit on the air; cfg is the old one
 * @now_ns: when
 * @cfg: the new one
 */
void wl_unit_before_configure(struct wl_bearer *b, u64 now_ns,
			      const struct wl_cfg *cfg);

/**
 * wl_unit_set_end() - when the unit will end at the rate of now
 * @b: bearer with a unit on the air
 */
static inline void wl_unit_set_end(struct wl_bearer *b)
{
	struct wl_unit *unit = &b->unit;

	if (unit->waits || !b->cfg.rate_bps) {
		unit->end_ns = WL_NEVER_NS;
		return;
	}
	unit->end_ns = unit->work_at_ns;
	if (unit->work > 0)
		unit->end_ns += wl_rate_ns(b, (u64)unit->work);
}

/**
 * wl_unit_resume() - the rest of a unit goes that has waited for its turn
 * @b: bearer with such a unit
 * @now_ns: when
 */
void wl_unit_resume(struct wl_bearer *b, u64 now_ns);

/**
 * wl_unit_at_once() - a PDU is sent in no time
 * @b: bearer in TM with something to send and nothing on the air
 * @now_ns: when
 * @bytes: its payload
 *
 * Return: bits sent.
 */
u64 wl_unit_at_once(struct wl_bearer *b, u64 now_ns, u32 bytes);

#endif
