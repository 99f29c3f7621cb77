// SPDX-License-Identifier: GPL-2.0
#include "wl_aqm.h"
#include "wl_sdu.h"

/* What alpha * tr may be, so that C_n fits beside any time. */
#define ALPHA_TR_MAX	(1ULL << 62)

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

static int check_timer(struct wl_refusal *why, const char *what, u64 value_ns)
{
	return wl_within(why, what, "ns", value_ns, WLINK_TIMER_MIN,
			 WLINK_TIMER_MAX);
}

static const char *unit_of(const struct wl_aqm_cfg *aqm)
{
	return aqm->unit == WLINK_UNIT_BYTES ? "bytes" : "SDUs";
}

static int check_thresholds(const struct wl_aqm_cfg *aqm,
			    const struct wl_cfg *cfg, struct wl_refusal *why)
{
	u64 maxth = wl_aqm_maxth(aqm, cfg);
	const char *unit = unit_of(aqm);
	int err;

	err = wl_within(why, "aqm unit", "", aqm->unit, 0, WLINK_UNIT_MAX);
	if (!err)
		err = wl_within(why, "aqm sdu", "bytes", aqm->sdu_bytes, 1,
				WL_SDU_BYTES_MAX);
	if (!err)
		err = wl_within(why, "aqm maxth", unit, maxth, 2, U32_MAX);
	if (!err)
		err = wl_within(why, "aqm minth", unit, aqm->minth, 1,
				maxth - 1);
	return err;
}

static int check_red(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg,
		     struct wl_refusal *why)
{
	int err = check_thresholds(aqm, cfg, why);

	if (!err)
		err = wl_within(why, "aqm maxp", "/ 2^32", aqm->maxp_q32, 1,
				WLINK_PROB_ONE);
	if (!err)
		err = wl_within(why, "aqm weight", "/ 2^32", aqm->weight_q32, 1,
				WLINK_PROB_ONE);
	return err;
}

static int check_sbd(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg,
		     struct wl_refusal *why)
{
	int err = check_thresholds(aqm, cfg, why);
	u64 max_alpha;

	if (!err)
		err = check_timer(why, "aqm tr", aqm->tr_ns);
	if (err)
		return err;
	max_alpha = min(wl_aqm_maxth(aqm, cfg),
			div64_u64(ALPHA_TR_MAX, aqm->tr_ns));
	return wl_within(why, "aqm alpha", unit_of(aqm), aqm->alpha, 1,
			 max_alpha);
}

static int check_codel(const struct wl_aqm_cfg *aqm, struct wl_refusal *why)
{
	int err = check_timer(why, "aqm target", aqm->target_ns);

	return err ?: check_timer(why, "aqm interval", aqm->interval_ns);
}

/* One of the two being off is a value out of the other's bounds. */
static int check_ramp(const struct wl_aqm_cfg *aqm, struct wl_refusal *why)
{
	int err;

	if (aqm->ramp_from_ns == WL_NEVER_NS && aqm->ramp_to_ns == WL_NEVER_NS)
		return 0;
	err = check_timer(why, "aqm ramp_to", aqm->ramp_to_ns);
	if (err)
		return err;
	return wl_within(why, "aqm ramp_from", "ns", aqm->ramp_from_ns, 0,
			 aqm->ramp_to_ns - 1);
}

int wl_aqm_check(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg,
		 struct wl_refusal *why)
{
	int err = wl_within(why, "aqm", "", aqm->kind, 0, WLINK_AQM_MAX);

	if (!err)
		err = check_ramp(aqm, why);
	if (err)
		return err;
	switch (aqm->kind) {
	case WLINK_AQM_RED:
		return check_red(aqm, cfg, why);
	case WLINK_AQM_SBD:
		return check_sbd(aqm, cfg, why);
	case WLINK_AQM_CODEL:
		return check_codel(aqm, why);
	default:
		return wl_within(why, "aqm ecn", "with aqm droptail", aqm->ecn,
				 0, 0);
	}
}

void wl_cfg_follow(struct wl_cfg *cfg)
{
	const struct wl_profile *profile = cfg->profile;
	u32 i;

	if (!profile)
		return;
	for (i = profile->count - 1; i; i--)
		if (profile->row[i].rate_bps <= cfg->rate_bps)
			break;
	cfg->aqm = profile->row[i].aqm;
}
