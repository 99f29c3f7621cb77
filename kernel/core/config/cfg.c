// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "cfg.h"

/* Smallest SDU that the descriptors are sized for: an IPv4 TCP ACK with
 * timestamps is 52 bytes, so 64 leaves at most one drop in five to a flood of
 * bare ACKs that fills the whole link.
 */
#define SDU_BYTES_SMALL	64

/* As srsRAN 4G has them for QCI 9, and for QCI 7 t-Reordering of UM. */
static void cfg_default_lte(struct wl_rlc_cfg *rlc, enum wlink_mode mode)
{
	rlc->poll_pdu = 64;
	rlc->poll_byte = 750000;
	rlc->maxretx = 16;
	rlc->poll_ns = 120 * WL_NSEC_PER_MSEC;
	rlc->status_prohibit_ns = 50 * WL_NSEC_PER_MSEC;
	rlc->reorder_ns = (mode == WLINK_MODE_LTE_UM ? 45 : 50) * WL_NSEC_PER_MSEC;
}

void wl_rlc_default(struct wl_rlc_cfg *rlc, enum wlink_mode mode)
{
	memset(rlc, 0, sizeof(*rlc));
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
	if (wl_mode_is_lte(mode))
		cfg_default_lte(rlc, mode);
}

void wl_aqm_default(struct wl_aqm_cfg *aqm, enum wlink_aqm kind)
{
	memset(aqm, 0, sizeof(*aqm));
	aqm->kind = kind;
	aqm->unit = WLINK_UNIT_SDUS;
	aqm->maxth = WLINK_MAXTH_LIMIT;
	aqm->weight_q32 = WLINK_PROB_ONE;
	aqm->sdu_bytes = 1500;
	aqm->alpha = 5;
	aqm->count = 1;
	aqm->head = 1;
	aqm->hold = 1;
	aqm->target_ns = 5 * WL_NSEC_PER_MSEC;
	aqm->interval_ns = 100 * WL_NSEC_PER_MSEC;
	aqm->ramp_from_ns = WL_NEVER_NS;
	aqm->ramp_to_ns = WL_NEVER_NS;
}

void wl_cfg_default(struct wl_cfg *cfg)
{
	*cfg = (struct wl_cfg){
		.rate_bps = WL_RATE_UNSET,
		.limit = { .kind = WL_LIMIT_PACKETS, .value = 1000 },
		.channel.kind = WLINK_CHANNEL_NONE,
		.cell = {
			.pf_exponent_milli = WL_PF_EXPONENT_ONE,
			.users_bps = WLINK_RATE_UNLIMITED,
			.users_on_ns = WL_NSEC_PER_SEC,
			.size_bytes = 100000,
			.size_cv_milli = 1000,
		},
		/* Symbols 10:2:2 of downlink, guard and uplink: in LTE special subframe
		 * configuration 7 of TS 36.211 Table 4.2-1.
		 */
		.tdd.symbols = 10,
		/* What link adaptation aims at; what FikoRE and Simu5G have; what srsRAN
		 * does; FDD by TS 36.213 clause 7.
		 */
		.harq = {
			.bler_q32 = 429496730,		/* 0.1 */
			.factor_q32 = 858993459,	/* 0.2 */
			.transmissions = 4,
			.rtt_ns = 8 * WL_NSEC_PER_MSEC,
		},
		/* 4 ms for the base station to answer (what HARQ of FDD has for it, too), and
		 * 4 from the grant to what it is for, TS 36.213 clause 8. How large the first
		 * one is, is a scheduler's choice.
		 */
		.access = { .grant_ns = 8 * WL_NSEC_PER_MSEC, .first_bytes = 100 },
		.drx = {
			/* One operator's, MTN Ghana. */
			.on_ns = 10 * WL_NSEC_PER_MSEC,
			.inactivity_ns = 200 * WL_NSEC_PER_MSEC,
			.short_cycles = 1,
			/* Idle to connected in the control plane: the requirement of TR
			 * 25.913 clause 6.2.1.
			 */
			.promotion_ns = 100 * WL_NSEC_PER_MSEC,
		},
		.reverse = {
			.delay_ns = WL_NEVER_NS,
			.channel.kind = WLINK_CHANNEL_LINK,
		},
	};
	wl_rlc_default(&cfg->rlc, WLINK_MODE_TM);
	wl_aqm_default(&cfg->aqm, WLINK_AQM_DROPTAIL);
}

u64 wl_cfg_mean_bps(const struct wl_cfg *cfg)
{
	u32 i, slots = wl_tdd_slots(&cfg->tdd), symbols = 0;

	if (!slots)
		return wl_cfg_usual_bps(cfg);
	for (i = 0; i < slots; i++) {
		enum wlink_slot slot = wl_tdd_slot(&cfg->tdd, i);

		if (wl_tdd_own(&cfg->tdd, slot))
			symbols += slot == WLINK_SLOT_SPECIAL ? cfg->tdd.symbols :
								WLINK_TDD_SYMBOLS;
	}
	return div_u64(wl_cfg_usual_bps(cfg) * symbols, slots * WLINK_TDD_SYMBOLS);
}

bool wl_cfg_reestablishes(const struct wl_cfg *old, const struct wl_cfg *cfg)
{
	if (old->mode != cfg->mode)
		return true;
	if (cfg->mode == WLINK_MODE_TM)
		return false;
	return old->pdu_bytes != cfg->pdu_bytes ||
	       old->rlc.window != cfg->rlc.window ||
	       old->rlc.start != cfg->rlc.start;
}

/* The split keeps each product below 2^64. */
u64 wl_cfg_bits_in(u64 rate_bps, u64 time_ns, u64 *rest)
{
	u64 sec = div64_u64(time_ns, WL_NSEC_PER_SEC);
	u64 ns = time_ns - sec * WL_NSEC_PER_SEC;
	u64 rate_g = div64_u64(rate_bps, WL_NSEC_PER_SEC);
	u64 rate_rest = rate_bps - rate_g * WL_NSEC_PER_SEC;
	u64 bits = div64_u64(rate_rest * ns, WL_NSEC_PER_SEC);

	*rest = rate_rest * ns - bits * WL_NSEC_PER_SEC;
	return rate_bps * sec + rate_g * ns + bits;
}

u64 wl_cfg_bytes_in(u64 rate_bps, u64 time_ns)
{
	u64 rest;

	return wl_cfg_bits_in(rate_bps, time_ns, &rest) / 8;
}

u64 wl_cfg_limit_bytes(const struct wl_cfg *cfg)
{
	switch (cfg->limit.kind) {
	case WL_LIMIT_BYTES:
		return cfg->limit.value;
	case WL_LIMIT_TIME:
		return wl_cfg_bytes_in(wl_cfg_usual_bps(cfg), cfg->limit.value);
	default:
		return U64_MAX;
	}
}

/* The greatest value is that of a maxth that is given. */
u64 wl_aqm_maxth(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg)
{
	u64 sdu_bytes = max(aqm->sdu_bytes, 1U);
	bool sdus = cfg->limit.kind == WL_LIMIT_PACKETS;
	u64 maxth;

	if (aqm->maxth != WLINK_MAXTH_LIMIT)
		return aqm->maxth;
	maxth = sdus ? cfg->limit.value : wl_cfg_limit_bytes(cfg);
	if (sdus && aqm->unit == WLINK_UNIT_BYTES)
		maxth *= sdu_bytes;
	if (!sdus && aqm->unit == WLINK_UNIT_SDUS)
		maxth = div64_u64(maxth, sdu_bytes);
	return clamp_t(u64, maxth, 1, U32_MAX);
}

u32 wl_cfg_sdus(const struct wl_cfg *cfg)
{
	u64 rate_bps = cfg->rate_bps;
	u64 buffer, pipe;

	rate_bps = rate_bps == WLINK_RATE_UNLIMITED ? WLINK_RATE_MAX :
						      wl_cfg_usual_bps(cfg);

	if (cfg->limit.kind == WL_LIMIT_PACKETS)
		buffer = cfg->limit.value;
	else
		buffer = wl_cfg_limit_bytes(cfg) / SDU_BYTES_SMALL;
	/* Two TTIs: one is sent while the one before it is handed over. */
	pipe = wl_cfg_bytes_in(rate_bps, cfg->delay_ns + wl_dist_most_ns(cfg->impair.jitter) +
			       2 * cfg->tti_ns) / SDU_BYTES_SMALL;
	if (cfg->impair.duplicate_q32)
		pipe *= 2;
	return min_t(u64, buffer + pipe + WL_CFG_SDUS_SPARE, WL_CFG_SDUS_MAX);
}

int wl_within(struct wl_refusal *why, const struct wl_refusal *bounds,
	      u32 count)
{
	for (; count; count--, bounds++) {
		if (bounds->value >= bounds->min && bounds->value <= bounds->max)
			continue;
		*why = *bounds;
		return -ERANGE;
	}
	return 0;
}

int wl_aqm_check_thresholds(const struct wl_aqm_cfg *aqm,
			    const struct wl_cfg *cfg, struct wl_refusal *why)
{
	u64 maxth = wl_aqm_maxth(aqm, cfg);
	const char *unit = wl_aqm_unit(aqm);
	const struct wl_refusal bounds[] = {
		{ "aqm unit", "", aqm->unit, 0, WLINK_UNIT_MAX },
		{ "aqm sdu", "bytes", aqm->sdu_bytes, 1, WL_SDU_BYTES_MAX },
		{ "aqm maxth", unit, maxth, 2, U32_MAX },
		{ "aqm minth", unit, aqm->minth, 1, maxth - 1 },
	};

	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

u64 wl_harq_ttis(const struct wl_cfg *cfg)
{
	return max(DIV64_U64_ROUND_UP(cfg->harq.rtt_ns, max(cfg->tti_ns, 1ULL)), 1ULL);
}

/* A round may be longer with TDD, but has no more own slots. */
u64 wl_harq_blocks(const struct wl_cfg *cfg)
{
	if (!cfg->harq.processes || !cfg->tti_ns)
		return 0;
	return (cfg->harq.transmissions - 1) * wl_harq_ttis(cfg) + 1;
}

void wl_cfg_follow(struct wl_cfg *cfg)
{
	const struct wl_profile *profile = cfg->profile;
	u64 rate_bps = cfg->rate_bps;
	u32 i;

	if (!profile)
		return;
	if (!rate_bps && profile->row[0].rate_bps)
		rate_bps = wl_cfg_usual_bps(cfg);
	for (i = profile->count - 1; i; i--)
		if (profile->row[i].rate_bps <= rate_bps)
			break;
	cfg->aqm = profile->row[i].aqm;
}
