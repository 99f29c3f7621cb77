// SPDX-License-Identifier: GPL-2.0
#include "wl_cfg.h"

/* Smallest SDU that the descriptors are sized for: an IPv4 TCP ACK with
 * timestamps is 52 bytes, so 64 leaves at most one drop in five to a flood of
 * bare ACKs that fills the whole link.
 */
#define SDU_BYTES_SMALL	64

void wl_cfg_default(struct wl_cfg *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->limit.kind = WL_LIMIT_PACKETS;
	cfg->limit.value = 1000;
	cfg->channel.kind = WLINK_CHANNEL_NONE;
}

/* Bytes that rate_bps sends in time_ns. The split keeps each product below 2^64
 * for rates up to WLINK_RATE_MAX and times up to WLINK_LIMIT_TIME_MAX.
 */
static u64 bytes_in(u64 rate_bps, u64 time_ns)
{
	u64 sec = div64_u64(time_ns, WL_NSEC_PER_SEC);
	u64 ns = time_ns - sec * WL_NSEC_PER_SEC;
	u64 rate_g = div64_u64(rate_bps, WL_NSEC_PER_SEC);
	u64 rate_rest = rate_bps - rate_g * WL_NSEC_PER_SEC;
	u64 bits;

	bits = rate_bps * sec + rate_g * ns;
	bits += div64_u64(rate_rest * ns, WL_NSEC_PER_SEC);
	return bits / 8;
}

u64 wl_cfg_limit_bytes(const struct wl_cfg *cfg)
{
	switch (cfg->limit.kind) {
	case WL_LIMIT_BYTES:
		return cfg->limit.value;
	case WL_LIMIT_TIME:
		return bytes_in(cfg->rate_bps, cfg->limit.value);
	default:
		return U64_MAX;
	}
}

u32 wl_cfg_slots(const struct wl_cfg *cfg)
{
	u64 buffer, pipe;

	if (cfg->limit.kind == WL_LIMIT_PACKETS)
		buffer = cfg->limit.value;
	else
		buffer = wl_cfg_limit_bytes(cfg) / SDU_BYTES_SMALL;
	/* Two TTIs: one is sent while the one before it is handed over. */
	pipe = bytes_in(cfg->rate_bps, cfg->delay_ns + 2 * cfg->tti_ns) /
	       SDU_BYTES_SMALL;
	return min_t(u64, buffer + pipe + WL_CFG_SLOTS_SPARE, WL_CFG_SLOTS_MAX);
}

static int within(struct wl_refusal *why, const char *what, const char *unit,
		  u64 value, u64 min, u64 max)
{
	if (value >= min && value <= max)
		return 0;
	why->what = what;
	why->unit = unit;
	why->value = value;
	why->min = min;
	why->max = max;
	return -ERANGE;
}

static int check_limit(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	u64 value = cfg->limit.value;
	int err;

	switch (cfg->limit.kind) {
	case WL_LIMIT_PACKETS:
		return within(why, "limit", "packets", value, 1,
			      WLINK_LIMIT_PACKETS_MAX);
	case WL_LIMIT_BYTES:
		return within(why, "limit", "bytes", value, 1,
			      WLINK_LIMIT_BYTES_MAX);
	default:
		err = within(why, "limit", "ns", value, 1,
			     WLINK_LIMIT_TIME_MAX);
		if (err)
			return err;
		return within(why, "limit at this rate", "bytes",
			      wl_cfg_limit_bytes(cfg), 0,
			      WLINK_LIMIT_BYTES_MAX);
	}
}

int wl_cfg_check(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	int err;

	err = within(why, "rate", "bit/s", cfg->rate_bps, WLINK_RATE_MIN,
		     WLINK_RATE_MAX);
	if (!err)
		err = within(why, "tti", "ns", cfg->tti_ns, 0, WLINK_TTI_MAX);
	if (!err)
		err = within(why, "delay", "ns", cfg->delay_ns, 0,
			     WLINK_DELAY_MAX);
	if (!err)
		err = within(why, "header", "bytes", cfg->header_bytes, 0,
			     WLINK_HEADER_MAX);
	if (!err)
		err = within(why, "pdu", "bytes", cfg->pdu_bytes, 0,
			     WLINK_PDU_MAX);
	if (!err)
		err = within(why, "pdu plus header", "bytes",
			     (u64)cfg->pdu_bytes + cfg->header_bytes, 0,
			     WLINK_PDU_MAX);
	if (!err)
		err = check_limit(cfg, why);
	if (!err)
		err = within(why, "channel kind", "", cfg->channel.kind, 0,
			     WLINK_CHANNEL_MAX);
	return err;
}
