// SPDX-License-Identifier: GPL-2.0
#include "wl_cfg.h"
#include "wl_room.h"

/* Smallest SDU that the descriptors are sized for: an IPv4 TCP ACK with
 * timestamps is 52 bytes, so 64 leaves at most one drop in five to a flood of
 * bare ACKs that fills the whole link.
 */
#define SDU_BYTES_SMALL	64

static void default_rlc(struct wl_rlc_cfg *rlc)
{
	rlc->window = 1024;
	rlc->poll_window = 50;
	rlc->maxdat = 10;
	rlc->maxmrw = 8;
	rlc->maxrst = 8;
	rlc->alpha_milli = 3000;
	rlc->beta_milli = 2000;
	rlc->ack_bytes = 8;
	rlc->status = WLINK_STATUS_BITMAP;
	rlc->discard = WLINK_DISCARD_MRW;
	rlc->rttvar = WLINK_RTTVAR_ABS;
	rlc->in_order = true;
	rlc->poll_last = true;
	rlc->poll_last_retx = true;
	rlc->missing = true;
	rlc->poll_ns = 60 * WL_NSEC_PER_MSEC;
	rlc->poll_periodic_ns = WL_NEVER_NS;
	rlc->poll_prohibit_ns = WL_NEVER_NS;
	rlc->status_periodic_ns = WL_NEVER_NS;
	rlc->status_prohibit_ns = 60 * WL_NSEC_PER_MSEC;
	rlc->discard_ns = WL_NEVER_NS;
	rlc->mrw_ns = 120 * WL_NSEC_PER_MSEC;
	rlc->rst_ns = 300 * WL_NSEC_PER_MSEC;
	rlc->reorder_ns = 100 * WL_NSEC_PER_MSEC;
	rlc->rto_ns = 1100 * WL_NSEC_PER_MSEC;
	rlc->ack_delay_ns = 50 * WL_NSEC_PER_MSEC;
}

void wl_cfg_default(struct wl_cfg *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->rate_bps = WL_RATE_UNSET;
	cfg->limit.kind = WL_LIMIT_PACKETS;
	cfg->limit.value = 1000;
	cfg->channel.kind = WLINK_CHANNEL_NONE;
	default_rlc(&cfg->rlc);
	wl_aqm_default(&cfg->aqm, WLINK_AQM_DROPTAIL);
	cfg->reverse.delay_ns = WL_NEVER_NS;
	cfg->reverse.channel.kind = WLINK_CHANNEL_LINK;
}

void wl_cfg_set_mode(struct wl_cfg *cfg, enum wlink_mode mode)
{
	static const u32 headers[] = {
		[WLINK_MODE_UM] = 1, [WLINK_MODE_AM] = 2,
		[WLINK_MODE_FSR] = 8, [WLINK_MODE_ASR] = 8,
	};
	bool sr = mode == WLINK_MODE_FSR || mode == WLINK_MODE_ASR;

	cfg->mode = mode;
	cfg->header_bytes = headers[mode];
	cfg->rlc.window = sr ? 128 : 1024;
	if (!cfg->pdu_bytes && mode != WLINK_MODE_TM)
		cfg->pdu_bytes = sr ? 250 : 40;
}

bool wl_cfg_reestablishes(const struct wl_cfg *old, const struct wl_cfg *cfg)
{
	if (old->mode != cfg->mode)
		return true;
	if (cfg->mode == WLINK_MODE_TM)
		return false;
	return old->pdu_bytes != cfg->pdu_bytes ||
	       old->rlc.window != cfg->rlc.window;
}

/* The split keeps each product below 2^64. */
u64 wl_cfg_bytes_in(u64 rate_bps, u64 time_ns)
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
		return wl_cfg_bytes_in(cfg->rate_bps, cfg->limit.value);
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
	pipe = wl_cfg_bytes_in(cfg->rate_bps ?: WLINK_RATE_MAX,
			       cfg->delay_ns + 2 * cfg->tti_ns) /
	       SDU_BYTES_SMALL;
	return min_t(u64, buffer + pipe + WL_CFG_SLOTS_SPARE, WL_CFG_SLOTS_MAX);
}

int wl_within(struct wl_refusal *why, const char *what, const char *unit,
	      u64 value, u64 min, u64 max)
{
	if (value >= min && value <= max)
		return 0;
	why->what = what;
	why->unit = unit;
	why->value = value;
	why->min = min;
	why->max = max;
	why->row = 0;
	return -ERANGE;
}

static int check_limit(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	u64 value = cfg->limit.value;
	int err;

	switch (cfg->limit.kind) {
	case WL_LIMIT_PACKETS:
		return wl_within(why, "limit", "packets", value, 1,
				 WLINK_LIMIT_PACKETS_MAX);
	case WL_LIMIT_BYTES:
		return wl_within(why, "limit", "bytes", value, 1,
				 WLINK_LIMIT_BYTES_MAX);
	default:
		err = wl_within(why, "limit", "ns", value, 1,
				WLINK_LIMIT_TIME_MAX);
		if (err)
			return err;
		return wl_within(why, "limit at this rate", "bytes",
				 wl_cfg_limit_bytes(cfg), 0,
				 WLINK_LIMIT_BYTES_MAX);
	}
}

/* A numbering PDU holds a byte of data beside the largest length indicator. */
static int check_pdu(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	bool rlc = cfg->mode == WLINK_MODE_UM || cfg->mode == WLINK_MODE_AM;
	u32 min_bytes = cfg->mode != WLINK_MODE_TM;
	int err;

	if (rlc)
		min_bytes = cfg->pdu_bytes + cfg->header_bytes > 125 ? 3 : 2;
	/* A STATUS PDU of the same size holds a LIST or BITMAP SUFI and an ACK
	 * SUFI in 48 bits.
	 */
	if (cfg->mode == WLINK_MODE_AM && cfg->header_bytes < 4)
		min_bytes = 6 - cfg->header_bytes;
	err = wl_within(why, "header", "bytes", cfg->header_bytes, 0,
			WLINK_HEADER_MAX);
	if (!err)
		err = wl_within(why, "pdu", "bytes", cfg->pdu_bytes, min_bytes,
				WLINK_PDU_MAX);
	if (!err)
		err = wl_within(why, "pdu plus header", "bytes",
				(u64)cfg->pdu_bytes + cfg->header_bytes, 0,
				WLINK_PDU_MAX);
	return err;
}

static int check_window(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	switch (cfg->mode) {
	case WLINK_MODE_AM:
		return wl_within(why, "window", "PDUs", cfg->rlc.window, 1,
				 WLINK_AM_WINDOW_MAX);
	case WLINK_MODE_FSR:
	case WLINK_MODE_ASR:
		return wl_within(why, "window", "frames", cfg->rlc.window, 1,
				 WLINK_SR_WINDOW_MAX);
	default:
		return wl_within(why, "reorder", "PDUs", cfg->rlc.reorder, 0,
				 WLINK_UM_REORDER_MAX);
	}
}

static int check_channel(const struct wl_chan_cfg *chan, const char *kind,
			 const char *good, const char *bad,
			 struct wl_refusal *why)
{
	int err = wl_within(why, kind, "", chan->kind, 0, WLINK_CHANNEL_MAX);

	if (err || chan->kind != WLINK_CHANNEL_TWOSTATE)
		return err;
	err = wl_within(why, good, "ns", chan->mean_good_ns, WLINK_SOJOURN_MIN,
			WLINK_SOJOURN_MAX);
	if (!err)
		err = wl_within(why, bad, "ns", chan->mean_bad_ns,
				WLINK_SOJOURN_MIN, WLINK_SOJOURN_MAX);
	return err;
}

/* Without any of these nobody ever says what has arrived. */
static int check_polls(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_rlc_cfg *rlc = &cfg->rlc;
	u32 triggers = rlc->poll_last + !!rlc->poll_pdu + !!rlc->poll_sdu +
		       !!rlc->poll_window +
		       (rlc->poll_periodic_ns != WL_NEVER_NS) +
		       (rlc->status_periodic_ns != WL_NEVER_NS);

	if (cfg->mode != WLINK_MODE_AM)
		return 0;
	return wl_within(why, "number of poll and periodic triggers", "",
			 triggers, 1, 6);
}

/* A row is in force at its own rate and above. A limit in ns is less at lower
 * ones, so a row may be good there only.
 */
static int check_aqm(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_profile *profile = cfg->profile;
	struct wl_cfg at = *cfg;
	u32 i;

	for (i = 0; profile && i < profile->count; i++) {
		at.rate_bps = profile->row[i].rate_bps;
		if (!wl_aqm_check(&profile->row[i].aqm, &at, why))
			continue;
		why->row = i + 1;
		return -ERANGE;
	}
	at.rate_bps = cfg->rate_bps;
	wl_cfg_follow(&at);
	return wl_aqm_check(&at.aqm, cfg, why);
}

static int check_room(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	if (cfg->mode == WLINK_MODE_TM)
		return 0;
	return wl_within(why, "PDUs in flight", "", wl_room_flights(cfg), 0,
			 WL_ROOM_RECORDS_MAX);
}

/* Without a rate there is nothing that time, or a share of it, could be told
 * from.
 */
static int check_unlimited(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_aqm_cfg *aqm = &cfg->aqm;
	const struct {
		const char *what;
		u64 value;
	} none[] = {
		{ "tti with rate unlimited", cfg->tti_ns },
		{ "mode with rate unlimited", cfg->mode },
		{ "sched with rate unlimited", cfg->sched },
		{ "limit in time with rate unlimited",
		  cfg->limit.kind == WL_LIMIT_TIME },
		{ "channel twostate with rate unlimited",
		  cfg->channel.kind == WLINK_CHANNEL_TWOSTATE },
		{ "discard_timer with rate unlimited",
		  cfg->rlc.discard_ns != WL_NEVER_NS },
		{ "profile with rate unlimited", !!cfg->profile },
		{ "aqm with rate unlimited", aqm->kind },
		{ "aqm ramp_from with rate unlimited",
		  aqm->ramp_to_ns != WL_NEVER_NS },
	};
	int err = 0;
	u32 i;

	for (i = 0; !err && i < ARRAY_SIZE(none); i++)
		err = wl_within(why, none[i].what, "", none[i].value, 0, 0);
	return err;
}

static int check_rate(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	if (cfg->rate_bps == WLINK_RATE_UNLIMITED)
		return check_unlimited(cfg, why);
	return wl_within(why, "rate", "bit/s", cfg->rate_bps, WLINK_RATE_MIN,
			 WLINK_RATE_MAX);
}

int wl_cfg_check(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	int err;

	err = check_rate(cfg, why);
	if (!err)
		err = wl_within(why, "tti", "ns", cfg->tti_ns, 0,
				WLINK_TTI_MAX);
	if (!err)
		err = wl_within(why, "delay", "ns", cfg->delay_ns, 0,
				WLINK_DELAY_MAX);
	if (!err)
		err = check_pdu(cfg, why);
	if (!err)
		err = check_limit(cfg, why);
	if (!err)
		err = wl_within(why, "mode", "", cfg->mode, 0, WLINK_MODE_MAX);
	if (!err)
		err = check_window(cfg, why);
	if (!err)
		err = check_polls(cfg, why);
	if (!err && cfg->sched == WLINK_SCHED_PF)
		err = wl_within(why, "tti with sched pf", "ns", cfg->tti_ns, 1,
				WLINK_TTI_MAX);
	if (!err)
		err = check_channel(&cfg->channel, "channel kind",
				    "channel mean_good", "channel mean_bad",
				    why);
	if (!err)
		err = check_channel(&cfg->reverse.channel, "rev_channel kind",
				    "rev_channel mean_good",
				    "rev_channel mean_bad", why);
	if (!err)
		err = check_aqm(cfg, why);
	if (!err)
		err = check_room(cfg, why);
	return err;
}
