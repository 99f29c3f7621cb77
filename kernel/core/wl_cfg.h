/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CFG_H
#define _WL_CFG_H

#include "wl_internal.h"

/**
 * enum wl_limit_kind - unit of the SDU buffer's limit
 * @WL_LIMIT_PACKETS: SDUs
 * @WL_LIMIT_BYTES: bytes
 * @WL_LIMIT_TIME: what the current rate sends in a time
 */
enum wl_limit_kind {
	WL_LIMIT_PACKETS,
	WL_LIMIT_BYTES,
	WL_LIMIT_TIME,
};

/**
 * struct wl_limit - how much the SDU buffer takes
 * @kind: unit of @value
 * @value: SDUs, bytes or ns
 */
struct wl_limit {
	enum wl_limit_kind kind;
	u64 value;
};

/**
 * struct wl_chan_cfg - a channel; probabilities are p * 2^32
 * @kind: which; members of other kinds are 0
 * @loss_q32: uniform: loss probability of a PDU
 * @p_q32: gilbert: good to bad, per frame
 * @r_q32: gilbert: bad to good, per frame
 * @loss_good_q32: gilbert: loss probability of a PDU in the good state
 * @loss_bad_q32: gilbert: the same in the bad state
 */
struct wl_chan_cfg {
	enum wlink_channel kind;
	u32 loss_q32;
	u32 p_q32;
	u32 r_q32;
	u32 loss_good_q32;
	u32 loss_bad_q32;
};

/**
 * struct wl_cfg - all that a person sets on a link; a value, copied and swapped
 * @rate_bps: bit/s of PDU payload
 * @tti_ns: transmission time interval, 0 for continuous serialisation
 * @delay_ns: one-way propagation and processing
 * @pdu_bytes: payload of a PDU, 0 for the whole SDU
 * @header_bytes: header of a PDU; counted on the air, outside the rate
 * @limit: of the SDU buffer
 * @seed: of all random streams
 * @channel: what happens to a PDU on the air
 */
struct wl_cfg {
	u64 rate_bps;
	u64 tti_ns;
	u64 delay_ns;
	u32 pdu_bytes;
	u32 header_bytes;
	struct wl_limit limit;
	u64 seed;
	struct wl_chan_cfg channel;
};

/**
 * struct wl_refusal - why a configuration is no good
 * @what: parameter, in the words of tc
 * @unit: unit of the numbers below
 * @value: what it is
 * @min: least allowed value
 * @max: greatest allowed value
 */
struct wl_refusal {
	const char *what;
	const char *unit;
	u64 value;
	u64 min;
	u64 max;
};

/**
 * wl_cfg_default() - what a link is before anybody says otherwise
 * @cfg: set to continuous, undelayed, unsegmented, lossless, 1000 SDUs of
 *	buffer; the rate is 0 and must be given
 */
void wl_cfg_default(struct wl_cfg *cfg);

/**
 * wl_cfg_check() - judge a whole configuration before it is used
 * @cfg: configuration
 * @why: filled in when it is refused
 *
 * Return: 0, or -ERANGE with @why set.
 */
int wl_cfg_check(const struct wl_cfg *cfg, struct wl_refusal *why);

/**
 * wl_cfg_limit_bytes() - the limit in bytes, where it is one in bytes or time
 * @cfg: configuration
 *
 * Return: bytes; U64_MAX for a limit in SDUs.
 */
u64 wl_cfg_limit_bytes(const struct wl_cfg *cfg);

/**
 * wl_cfg_slots() - how many SDU descriptors a link with this configuration needs
 * @cfg: a checked configuration
 *
 * Covers a full buffer and a full propagation pipe of SDUs of 64 bytes, within
 * WL_CFG_SLOTS_MAX.
 *
 * Return: number of struct wl_sdu.
 */
u32 wl_cfg_slots(const struct wl_cfg *cfg);

#define WL_CFG_SLOTS_MAX	(1U << 20)
#define WL_CFG_SLOTS_SPARE	64U

#endif
