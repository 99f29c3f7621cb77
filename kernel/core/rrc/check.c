// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* A whole configuration is judged before it is used. */
#include "../air/rings.h"
#include "../aqm/aqm.h"
#include "../channel/channel.h"
#include "../rlc/mode.h"
#include "bearer.h"
#include "check.h"
#include "steps.h"

/* Without a window all of the buffer would be handed over. */
static bool check_hands_over(enum wlink_mode mode)
{
	return mode == WLINK_MODE_AM || mode == WLINK_MODE_FSR || mode == WLINK_MODE_ASR;
}

void wl_cfg_set_mode(struct wl_cfg *cfg, enum wlink_mode mode)
{
	const struct wl_mode_ops *ops = wl_bearer_mode(mode);
	u64 discard_ns = cfg->rlc.discard_ns;

	/* Words that families share mean other timers. */
	if (wl_mode_is_lte(cfg->mode) || wl_mode_is_lte(mode)) {
		wl_rlc_default(&cfg->rlc, mode);
		cfg->rlc.discard_ns = discard_ns;
		cfg->pdu_bytes = 0;
	}
	if (!check_hands_over(mode)) {
		cfg->rlc.start = WLINK_START_AIR;
		cfg->rlc.queue = 0;
	}
	cfg->mode = mode;
	cfg->header_bytes = ops ? ops->header_bytes : 0;
	cfg->rlc.window = ops ? ops->window : 1024;
	if (ops && !cfg->pdu_bytes)
		cfg->pdu_bytes = ops->pdu_bytes;
}

static int check_limit(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	static const struct wl_refusal limits[] = {
		[WL_LIMIT_PACKETS] = { "limit", "packets", 0, 1,
				       WLINK_LIMIT_PACKETS_MAX },
		[WL_LIMIT_BYTES] = { "limit", "bytes", 0, 1,
				     WLINK_LIMIT_BYTES_MAX },
		[WL_LIMIT_TIME] = { "limit", "ns", 0, 1, WLINK_LIMIT_TIME_MAX },
	};
	struct wl_refusal bounds[] = {
		limits[cfg->limit.kind],
		{ "limit at this rate", "bytes", 0, 0, WLINK_LIMIT_BYTES_MAX },
	};

	bounds[0].value = cfg->limit.value;
	if (cfg->limit.kind == WL_LIMIT_TIME)
		bounds[1].value = wl_cfg_limit_bytes(cfg);
	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

/* Without a rate there is nothing that time, or a share of it, could be told
 * from.
 */
static int check_unlimited(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_refusal none[] = {
		{ "tti with rate unlimited", "", cfg->tti_ns },
		{ "mode with rate unlimited", "", cfg->mode },
		{ "sched with rate unlimited", "", cfg->sched },
		{ "limit in time with rate unlimited", "",
		  cfg->limit.kind == WL_LIMIT_TIME },
		{ "channel twostate with rate unlimited", "",
		  cfg->channel.kind == WLINK_CHANNEL_TWOSTATE },
		{ "discard_timer with rate unlimited", "",
		  cfg->rlc.discard_ns != WL_NEVER_NS },
		{ "profile with rate unlimited", "", !!cfg->profile },
		{ "aqm with rate unlimited", "", cfg->aqm.kind },
		{ "aqm ramp_from with rate unlimited", "",
		  cfg->aqm.ramp_to_ns != WL_NEVER_NS },
	};

	return wl_within(why, none, ARRAY_SIZE(none));
}

/* A row is in force at its own rate and above. A limit in ns is less at lower
 * ones, so a row may be good there only.
 */
static int check_aqm(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_profile *profile = cfg->profile;
	struct wl_cfg at = *cfg;
	u32 i;

	at.usual_bps = wl_cfg_usual_bps(cfg);
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

static int check_harq(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_harq_cfg *harq = &cfg->harq;
	u64 rest;
	const struct wl_refusal bounds[] = {
		{ "tti with harq", "ns", cfg->tti_ns, 1, WLINK_TTI_MAX },
		{ "harq rtt", "ns", harq->rtt_ns, cfg->tti_ns,
		  cfg->tti_ns * WLINK_HARQ_TTIS_MAX },
		{ "TTI with harq", "bits", wl_cfg_bits_in(wl_cfg_usual_bps(cfg),
							  cfg->tti_ns, &rest),
		  0, WL_HARQ_BITS_MAX },
		{ "harq max", "", harq->transmissions, 1, WLINK_HARQ_SENT_MAX },
		{ "harq processes", "", harq->processes, 0,
		  WLINK_HARQ_PROCESSES_MAX },
	};

	return harq->processes ? wl_within(why, bounds, ARRAY_SIZE(bounds)) : 0;
}

static int check_access(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_access_cfg *access = &cfg->access;
	const struct wl_refusal bounds[] = {
		{ "tti with sr", "ns", cfg->tti_ns, 1, WLINK_TTI_MAX },
		{ "sr", "ns", access->sr_ns, cfg->tti_ns, WLINK_SR_MAX },
		{ "sr grant", "ns", access->grant_ns, 0, WLINK_SR_GRANT_MAX },
		{ "sr first", "bytes", access->first_bytes, 1, WLINK_SR_FIRST_MAX },
	};

	return access->sr_ns ? wl_within(why, bounds, ARRAY_SIZE(bounds)) : 0;
}

/* An uplink wakes by itself, and has no cycles to wait for. */
static int check_drx(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_drx_cfg *drx = &cfg->drx;
	u64 shortest_ns = drx->short_ns ?: drx->cycle_ns;
	u64 shorts = drx->short_ns ? div64_u64(drx->cycle_ns, drx->short_ns) : 1;
	const struct wl_refusal bounds[] = {
		{ "tti with drx", "ns", cfg->tti_ns, 1, WLINK_TTI_MAX },
		{ "drx cycle", "ns", drx->cycle_ns, shortest_ns, WLINK_DRX_CYCLE_MAX },
		{ "drx on", "ns", drx->on_ns, cfg->tti_ns, shortest_ns },
		{ "drx cycle beside whole short ones", "ns",
		  drx->cycle_ns - shorts * shortest_ns, 0, 0 },
		{ "drx short_cycles", "", drx->short_cycles, 1, WLINK_DRX_SHORTS_MAX },
		{ "drx with sr", "", !!cfg->access.sr_ns, 0, 0 },
	};
	const struct wl_refusal idle[] = {
		{ "tti with rrc idle", "ns", cfg->tti_ns, 1, WLINK_TTI_MAX },
		{ "rrc paging with sr", "", drx->paging_ns && cfg->access.sr_ns, 0, 0 },
	};

	if (drx->cycle_ns && wl_within(why, bounds, ARRAY_SIZE(bounds)))
		return -ERANGE;
	return drx->idle_ns ? wl_within(why, idle, ARRAY_SIZE(idle)) : 0;
}

static int check_tdd(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_tdd_cfg *tdd = &cfg->tdd;
	u32 i, count[__WLINK_SLOT_MAX] = { };
	struct wl_refusal bounds[] = {
		{ "tti with tdd", "ns", cfg->tti_ns, 1, WLINK_TTI_MAX },
		{ "holes in tdd", "", 0, 0, 0 },
		{ "downlink slots of tdd", "", 0, 1, WLINK_TDD_SLOTS_MAX - 1 },
		{ "uplink slots of tdd", "", 0, 1, WLINK_TDD_SLOTS_MAX - 1 },
		{ "tdd direction", "", tdd->direction, 0, WLINK_DIRECTION_MAX },
		{ "tdd special", "symbols", tdd->symbols, 0, WLINK_TDD_SYMBOLS - 1 },
	};

	for (i = 0; i < wl_tdd_slots(tdd); i++)
		count[wl_tdd_slot(tdd, i)]++;
	bounds[1].value = count[WLINK_SLOT_NONE];
	bounds[2].value = count[WLINK_SLOT_DOWNLINK];
	bounds[3].value = count[WLINK_SLOT_UPLINK];
	return tdd->pattern ? wl_within(why, bounds, ARRAY_SIZE(bounds)) : 0;
}

static int check_cell(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_cell_cfg *cell = &cfg->cell;
	bool pf = cell->pf_window || cell->pf_exponent_milli != WL_PF_EXPONENT_ONE;
	u64 rest, bits = wl_cfg_bits_in(wl_cfg_usual_bps(cfg), cfg->tti_ns, &rest);
	const struct wl_refusal bounds[] = {
		{ "sched with pf_exponent or pf_window", "", pf ? cfg->sched : WLINK_SCHED_PF,
		  WLINK_SCHED_PF, WLINK_SCHED_PF },
		{ "sched with rb", "", cell->rb ? cfg->sched : WLINK_SCHED_RR,
		  WLINK_SCHED_RR, WLINK_SCHED_MAX },
		{ "tti with rb", "ns", cell->rb ? cfg->tti_ns : 1, 1, WLINK_TTI_MAX },
		{ "TTI at this rate with rb", "bits", cell->rb ? bits : 0, 0,
		  (u64)cell->rb * WLINK_RB_BITS_MAX },
		{ "background needs rb:", "", cell->users ? cell->rb : 1, 1, WLINK_RB_MAX },
		{ "background_off with background_arrival", "ns",
		  cell->arrival_ns ? cell->users_off_ns : 0, 0, 0 },
		{ "tdd with background_arrival", "", cell->arrival_ns && cfg->tdd.pattern, 0, 0 },
		{ "pf_exponent with background", "of 1000",
		  cell->users ? cell->pf_exponent_milli : WL_PF_EXPONENT_ONE,
		  WL_PF_EXPONENT_ONE, WL_PF_EXPONENT_ONE },
		{ "sched with gbr", "", cfg->gbr_bps ? cfg->sched : WLINK_SCHED_RR,
		  WLINK_SCHED_FIFO, WLINK_SCHED_MAX },
		{ "tti with gbr", "ns", cfg->gbr_bps ? cfg->tti_ns : 1, 1, WLINK_TTI_MAX },
		{ "gbr", "bit/s", cfg->gbr_bps, 0, wl_cfg_mean_bps(cfg) },
	};

	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

static int check_impair(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_refusal lost[] = {
		{ "mode with corrupt_lost", "", cfg->mode, WLINK_MODE_TM, WLINK_MODE_TM },
		{ "harq with corrupt_lost", "", cfg->harq.processes, 0, 0 },
	};

	return cfg->impair.lost ? wl_within(why, lost, ARRAY_SIZE(lost)) : 0;
}

static int check_records(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	struct wl_refusal bounds[] = {
		{ "PDUs in flight", "", 0, 0, WL_RINGS_RECORDS_MAX },
		{ "PDUs in HARQ", "", 0, 0, WL_RINGS_RECORDS_MAX },
	};
	struct wl_ring_need need;

	wl_bearer_records(cfg, &need);
	bounds[0].value = need.flights;
	bounds[1].value = need.txs;
	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

static int check_mode(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	const struct wl_mode_ops *ops = wl_bearer_mode(cfg->mode);
	bool hands_over = check_hands_over(cfg->mode);
	const struct wl_refusal bounds[] = {
		{ "rlc start", "", cfg->rlc.start, 0, hands_over ? WLINK_START_MAX : 0 },
		{ "rlc queue", "PDUs", cfg->rlc.queue, 0, hands_over ? WLINK_QUEUE_MAX : 0 },
		{ "pdu", "bytes", cfg->pdu_bytes, 0, WLINK_PDU_MAX },
		{ "pdu plus header", "bytes",
		  (u64)cfg->pdu_bytes + cfg->header_bytes, 0, WLINK_PDU_MAX },
		{ "reorder", "PDUs", cfg->rlc.reorder, 0,
		  WLINK_UM_REORDER_MAX },
	};
	int err = 0;

	if (ops)
		err = ops->check(cfg, why);
	err = err ?: wl_within(why, bounds, ARRAY_SIZE(bounds));
	return err ?: check_harq(cfg, why) ?: check_access(cfg, why) ?:
	       check_drx(cfg, why) ?: check_impair(cfg, why) ?: check_records(cfg, why);
}

int wl_cfg_check(const struct wl_cfg *cfg, struct wl_refusal *why)
{
	bool unlimited = cfg->rate_bps == WLINK_RATE_UNLIMITED;
	const struct wl_refusal bounds[] = {
		{ "rate", "bit/s", unlimited ? 0 : cfg->rate_bps,
		  WLINK_RATE_SILENT, WLINK_RATE_MAX },
		{ "tti", "ns", cfg->tti_ns, 0, WLINK_TTI_MAX },
		{ "delay", "ns", cfg->delay_ns, 0, WLINK_DELAY_MAX },
		{ "header", "bytes", cfg->header_bytes, 0, WLINK_HEADER_MAX },
		{ "mode", "", cfg->mode, 0, WLINK_MODE_MAX },
		{ "tti with sched pf", "ns",
		  cfg->sched == WLINK_SCHED_PF ? cfg->tti_ns : 1, 1,
		  WLINK_TTI_MAX },
	};

	return (unlimited ? check_unlimited(cfg, why) : 0) ?:
	       wl_within(why, bounds, ARRAY_SIZE(bounds)) ?:
	       check_cell(cfg, why) ?: check_tdd(cfg, why) ?: check_mode(cfg, why) ?:
	       check_limit(cfg, why) ?:
	       wl_chan_check(&cfg->channel, false, why) ?:
	       wl_chan_check(&cfg->reverse.channel, true, why) ?:
	       check_aqm(cfg, why);
}

int wl_schedule_fits(const struct wl_schedule *s, const struct wl_cfg *cfg,
		     struct wl_refusal *why)
{
	const struct wl_refusal granted[] = {
		{ "mode with opportunities", "", cfg->mode, WLINK_MODE_TM,
		  WLINK_MODE_TM },
		{ "tti with opportunities", "ns", cfg->tti_ns, 0, 0 },
		{ "sched with opportunities", "", cfg->sched,
		  WLINK_SCHED_DEDICATED, WLINK_SCHED_DEDICATED },
		{ "channel kind with opportunities", "",
		  cfg->channel.kind == WLINK_CHANNEL_LINK ?
		  WLINK_CHANNEL_NONE : cfg->channel.kind, WLINK_CHANNEL_NONE,
		  WLINK_CHANNEL_GILBERT },
	};
	const struct wl_refusal with_bler = {
		"harq with bler", "processes", cfg->harq.processes, 1,
		WLINK_HARQ_PROCESSES_MAX,
	};
	const struct wl_refusal with_background = {
		"background of bearer 1", "users",
		s->bearer && s->bearer->number > 1 ? 0 : cfg->cell.users, 1, WLINK_USERS_MAX,
	};
	struct wl_cfg highest = *cfg;

	if (s->columns & 1U << WLINK_COLUMN_GRANT &&
	    wl_within(why, granted, ARRAY_SIZE(granted)))
		return -ERANGE;
	if (s->columns & 1U << WLINK_COLUMN_BLER && wl_within(why, &with_bler, 1))
		return -ERANGE;
	if (s->columns & 1U << WLINK_COLUMN_BACKGROUND && wl_within(why, &with_background, 1))
		return -ERANGE;
	wl_schedule_most(s, &highest);
	return wl_cfg_check(&highest, why);
}
