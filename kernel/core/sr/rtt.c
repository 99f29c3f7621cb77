// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The adaptive timer: equations (1) to (3) of the link-layer paper in integers,
 * with the scaled variables of TCP, whose gains they have.
 *
 * Where the paper prints a signed difference to an average that has just been
 * updated, TCP, which it says it follows, takes the absolute difference to the
 * average before: rttvar chooses.
 */
#include "sr.h"

/* Longer samples, of which 16000 times 8 would not fit, count as this one. */
#define SAMPLE_MAX_NS	(1ULL << 45)

void wl_sr_rtt_set(struct wl_sr *sr, const struct wl_cfg *cfg)
{
	const struct wl_rlc_cfg *rlc = &cfg->rlc;
	s64 srtt_ns = sr->srtt_x8_ns / 8;
	s64 var_x4_ns = sr->srttvar_x4_ns;
	s64 rtxto_ns;

	if (!sr->sampled) {
		sr->rtxto_ns = rlc->rto_ns;
		return;
	}
	rtxto_ns = div_u64(rlc->alpha_milli * sr->srtt_x8_ns, 8000);
	if (var_x4_ns < 0)
		rtxto_ns -= div_u64(rlc->beta_milli * (u64)-var_x4_ns, 4000);
	else
		rtxto_ns += div_u64(rlc->beta_milli * (u64)var_x4_ns, 4000);
	/* A timer of 0 would expire before anything else can happen. */
	sr->rtxto_ns = max_t(s64, max(rtxto_ns, srtt_ns), WLINK_TIMER_MIN);
}

void wl_sr_rtt_start(struct wl_sr *sr, const struct wl_cfg *cfg)
{
	sr->sampled = false;
	wl_sr_rtt_set(sr, cfg);
}

void wl_sr_rtt_sample(struct wl_sr *sr, const struct wl_cfg *cfg,
		      u64 sample_ns)
{
	s64 sample, error;

	if (cfg->mode != WLINK_MODE_ASR)
		return;
	sample = min(sample_ns, SAMPLE_MAX_NS);
	if (sr->sampled) {
		error = sample - (s64)(sr->srtt_x8_ns / 8);
		sr->srtt_x8_ns += error;
		if (cfg->rlc.rttvar == WLINK_RTTVAR_SIGNED)
			error = sample - (s64)(sr->srtt_x8_ns / 8);
		else if (error < 0)
			error = -error;
		sr->srttvar_x4_ns += error - (sr->srttvar_x4_ns >> 2);
	} else {
		sr->srtt_x8_ns = 8 * sample;
		sr->srttvar_x4_ns = 2 * sample;
		sr->sampled = true;
	}
	wl_sr_rtt_set(sr, cfg);
}
