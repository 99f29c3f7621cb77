// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "blocks.h"
#include "hostile.h"
#include "wl_schedules.h"

void hostile_default(struct wl_cfg *cfg)
{
	wl_cfg_default(cfg);
	cfg->rate_bps = WLINK_RATE_MAX;
	cfg->seed = 1;
	cfg->limit.value = WLINK_LIMIT_PACKETS_MAX;
}

void hostile_lose(struct wl_cfg *cfg, double part)
{
	cfg->channel.kind = WLINK_CHANNEL_UNIFORM;
	cfg->channel.loss_q32 = part >= 1 ? WLINK_PROB_ONE :
				(u32)(part * WLINK_PROB_ONE);
}

/* Feedback does not come through, but takes no time. */
static void deaf(struct wl_cfg *cfg)
{
	cfg->reverse.rate_bps = WLINK_RATE_MAX;
	cfg->reverse.channel.kind = WLINK_CHANNEL_UNIFORM;
	cfg->reverse.channel.loss_q32 = WLINK_PROB_ONE;
}

static void shared(struct wl_cfg *cfg, enum wlink_sched sched)
{
	cfg->rate_bps = 1000;
	cfg->tti_ns = WLINK_TTI_MIN;
	cfg->sched = sched;
}

static void pf(struct wl_cfg *cfg) { shared(cfg, WLINK_SCHED_PF); }
static void rr(struct wl_cfg *cfg) { shared(cfg, WLINK_SCHED_RR); }
static void fifo(struct wl_cfg *cfg) { shared(cfg, WLINK_SCHED_FIFO); }
static void own(struct wl_cfg *cfg) { shared(cfg, WLINK_SCHED_DEDICATED); }

static void pf_fast(struct wl_cfg *cfg)
{
	cfg->tti_ns = 10 * MS;
	cfg->sched = WLINK_SCHED_PF;
}

static void am(struct wl_cfg *cfg, u32 pdu_bytes)
{
	wl_cfg_set_mode(cfg, WLINK_MODE_AM);
	cfg->pdu_bytes = pdu_bytes;
	cfg->header_bytes = min(cfg->header_bytes, WLINK_PDU_MAX - pdu_bytes);
	cfg->rlc.window = WLINK_AM_WINDOW_MAX;
	cfg->rlc.poll_ns = 1000;
	cfg->rlc.discard = WLINK_DISCARD_TIMER;
	cfg->rlc.discard_ns = HOUR;
}

static void am_huge(struct wl_cfg *cfg)
{
	am(cfg, WLINK_PDU_MAX);
	hostile_lose(cfg, 1);
}

static void am_huge_good(struct wl_cfg *cfg)
{
	am(cfg, WLINK_PDU_MAX);
}

static void am_polls_last(struct wl_cfg *cfg)
{
	am(cfg, WLINK_PDU_MAX);
	cfg->rlc.poll_ns = WL_NEVER_NS;
	cfg->rlc.status_prohibit_ns = WL_NEVER_NS;
}

static void am_huge_far(struct wl_cfg *cfg)
{
	am_polls_last(cfg);
	cfg->delay_ns = 100 * MS;
	cfg->rlc.in_order = false;
}

static void am_huge_late(struct wl_cfg *cfg)
{
	am(cfg, WLINK_PDU_MAX);
	hostile_lose(cfg, 0.5);
}

static void am_reports(struct wl_cfg *cfg)
{
	am(cfg, 8);
	hostile_lose(cfg, 0.5);
	deaf(cfg);
	cfg->rlc.status_periodic_ns = 1000;
	cfg->rlc.status_prohibit_ns = WL_NEVER_NS;
}

static void am_lists(struct wl_cfg *cfg)
{
	am_reports(cfg);
	cfg->rlc.status = WLINK_STATUS_LIST;
}

static void am_answers(struct wl_cfg *cfg)
{
	am_lists(cfg);
	cfg->reverse.channel.kind = WLINK_CHANNEL_NONE;
}

static void am_mrw(struct wl_cfg *cfg)
{
	am_answers(cfg);
	cfg->rlc.discard = WLINK_DISCARD_MRW;
	cfg->rlc.discard_ns = WL_NEVER_NS;
	cfg->rlc.maxdat = 2;
}

static void am_reset(struct wl_cfg *cfg)
{
	am(cfg, 1400);
	hostile_lose(cfg, 0.1);
	cfg->rlc.discard = WLINK_DISCARD_RESET;
	cfg->rlc.discard_ns = WL_NEVER_NS;
	cfg->rlc.maxdat = 2;
	cfg->rlc.rst_ns = 1000;
}

/* The last RESET is not answered either. */
static void am_fails(struct wl_cfg *cfg)
{
	am_reset(cfg);
	cfg->rlc.maxrst = 1;
	cfg->pdu_bytes = 65000;
	deaf(cfg);
}

static void am_hole(struct wl_cfg *cfg)
{
	am(cfg, 1400);
	cfg->delay_ns = 10 * MS;
	hostile_lose(cfg, 0.001);
}

static void am_unordered(struct wl_cfg *cfg)
{
	am_hole(cfg);
	cfg->rlc.in_order = false;
}

static void am_expires(struct wl_cfg *cfg)
{
	am(cfg, 1400);
	cfg->rate_bps = 1000000;
	cfg->rlc.discard_ns = 1000;
}

static void am_far(struct wl_cfg *cfg)
{
	am(cfg, 40);
	cfg->rate_bps = 100000000;
	cfg->delay_ns = 100 * MS;
	cfg->rlc.status_prohibit_ns = WL_NEVER_NS;
	cfg->rlc.poll_pdu = 1;
}

static void no_delay(struct wl_cfg *cfg)
{
	cfg->delay_ns = 0;
	cfg->reverse.delay_ns = 0;
}

static void um(struct wl_cfg *cfg)
{
	wl_cfg_set_mode(cfg, WLINK_MODE_UM);
	cfg->pdu_bytes = WLINK_PDU_MAX - 1;
	cfg->rlc.reorder = WLINK_UM_REORDER_MAX;
	hostile_lose(cfg, 0.1);
}

static void um_far(struct wl_cfg *cfg)
{
	um(cfg);
	cfg->pdu_bytes = 40;
	cfg->rate_bps = 100000000;
	cfg->delay_ns = SEC;
	hostile_lose(cfg, 0);
}

static void um_gone(struct wl_cfg *cfg)
{
	um(cfg);
	cfg->pdu_bytes = 3;
	hostile_lose(cfg, 0.9999);
}

/* One PDU that comes has the turn of all that were lost before it. */
static void um_lost(struct wl_cfg *cfg)
{
	um(cfg);
	cfg->pdu_bytes = 3;
	cfg->rate_bps = 100000000;
	cfg->rlc.reorder_ns = HOUR;
	hostile_lose(cfg, 0.99997);
}

static void cell(struct wl_cfg *cfg, enum wlink_mode mode)
{
	cfg->tti_ns = MS;
	wl_cfg_set_mode(cfg, mode);
	cfg->rate_bps = 10000000;
	cfg->delay_ns = 10 * MS;
	cfg->rlc.reorder_ns = 200 * MS;
	hostile_lose(cfg, 0.01);
}

static void lte_um(struct wl_cfg *cfg)
{
	cell(cfg, WLINK_MODE_LTE_UM);
	cfg->rlc.reorder_ns = 1600 * MS;
}

static void lte_am(struct wl_cfg *cfg)
{
	cell(cfg, WLINK_MODE_LTE_AM);
	cfg->rlc.poll_ns = 4000 * MS;
}

/* Segments of a few bytes, of which half come. */
static void nr_am(struct wl_cfg *cfg)
{
	cell(cfg, WLINK_MODE_NR_AM);
	cfg->rate_bps = 160000;
	cfg->rlc.poll_ns = 4000 * MS;
	cfg->rlc.maxretx = 32;
	hostile_lose(cfg, 0.5);
}

static void um_tti(struct wl_cfg *cfg)
{
	um(cfg);
	cfg->tti_ns = WLINK_TTI_MAX;
	cfg->rate_bps = 500000000;
	cfg->pdu_bytes = 1400;
}

static void um_expires(struct wl_cfg *cfg)
{
	um(cfg);
	cfg->rate_bps = 1000000;
	cfg->rlc.discard_ns = 1000;
}

static void sr(struct wl_cfg *cfg)
{
	wl_cfg_set_mode(cfg, WLINK_MODE_FSR);
	cfg->pdu_bytes = 100;
	cfg->rlc.window = WLINK_SR_WINDOW_MAX;
	cfg->rlc.rto_ns = 1000;
	cfg->rlc.nack_guard_ns = 1000;
	hostile_lose(cfg, 0.5);
}

static void sr_deaf(struct wl_cfg *cfg)
{
	sr(cfg);
	deaf(cfg);
}

static void sr_slow_back(struct wl_cfg *cfg)
{
	sr(cfg);
	cfg->reverse.rate_bps = 1000;
	cfg->delay_ns = 10 * MS;
}

static void asr_far(struct wl_cfg *cfg)
{
	sr(cfg);
	wl_cfg_set_mode(cfg, WLINK_MODE_ASR);
	cfg->rlc.window = WLINK_SR_WINDOW_MAX;
	cfg->rlc.rto_ns = SEC;
	cfg->delay_ns = 100 * MS;
	cfg->rlc.ack_bytes = 1;
}

/* Most of many frames is missed at the same time. */
static void fsr_far(struct wl_cfg *cfg)
{
	sr(cfg);
	hostile_lose(cfg, 0.9);
	cfg->rlc.rto_ns = SEC;
	cfg->delay_ns = 100 * MS;
}

static void tm_expires(struct wl_cfg *cfg)
{
	cfg->rate_bps = 1000000;
	cfg->rlc.discard_ns = 1000;
}

static void tm_tti(struct wl_cfg *cfg)
{
	cfg->tti_ns = WLINK_TTI_MAX;
	cfg->delay_ns = MS;
}

static void harq(struct wl_cfg *cfg)
{
	cfg->tti_ns = 10 * MS;
	cfg->rate_bps = 40000000;
	cfg->harq.processes = 8;
	cfg->harq.rtt_ns = 80 * MS;
	cfg->harq.transmissions = 2;
	hostile_lose(cfg, 0.5);
}

static void um_harq(struct wl_cfg *cfg)
{
	um(cfg);
	cfg->pdu_bytes = 4;
	harq(cfg);
}

static void harq_bad(struct wl_cfg *cfg)
{
	harq(cfg);
	hostile_lose(cfg, 0);
	cfg->harq.bler_q32 = WLINK_PROB_ONE;
}

static void um_harq_bad(struct wl_cfg *cfg)
{
	um(cfg);
	cfg->pdu_bytes = 4;
	harq_bad(cfg);
}

static void tm_bytes_lost(struct wl_cfg *cfg)
{
	cfg->pdu_bytes = 1;
	cfg->tti_ns = 10 * MS;
	hostile_lose(cfg, 0.5);
}

static void plain(struct wl_cfg *cfg)
{
	cfg->delay_ns = SEC;
}

static void twostate(struct wl_cfg *cfg)
{
	cfg->tti_ns = SEC;
	cfg->rate_bps = 10000;
	cfg->channel.kind = WLINK_CHANNEL_TWOSTATE;
	cfg->channel.mean_good_ns = WLINK_SOJOURN_MIN;
	cfg->channel.mean_bad_ns = WLINK_SOJOURN_MIN;
	cfg->channel.hazard_bad_q56 = 1ULL << 50;
}

static void codel(struct wl_cfg *cfg)
{
	cfg->rate_bps = 1000000;
	wl_aqm_default(&cfg->aqm, WLINK_AQM_CODEL);
	cfg->aqm.target_ns = WLINK_TIMER_MIN;
	cfg->aqm.interval_ns = WLINK_TIMER_MIN;
}

static void codel_fifo(struct wl_cfg *cfg)
{
	codel(cfg);
	cfg->sched = WLINK_SCHED_FIFO;
}

static void codel_um(struct wl_cfg *cfg)
{
	um(cfg);
	codel(cfg);
}

/* The first is late soon, and dropped much later. */
static void am_codel(struct wl_cfg *cfg)
{
	am_huge(cfg);
	wl_aqm_default(&cfg->aqm, WLINK_AQM_CODEL);
	cfg->aqm.target_ns = WLINK_TIMER_MIN;
	cfg->aqm.interval_ns = HOUR;
}

static void slow(struct wl_cfg *cfg)
{
	cfg->rate_bps = 1000;
}

static void slow_am(struct wl_cfg *cfg)
{
	am(cfg, 40);
	cfg->rate_bps = 1000;
}

static void slow_tti(struct wl_cfg *cfg)
{
	slow(cfg);
	cfg->tti_ns = 10 * MS;
}

static void limit_one(struct wl_cfg *cfg)
{
	cfg->limit.value = 1;
}

static void limit_half(struct wl_cfg *cfg)
{
	cfg->limit.value = SDUS_MAX / 2;
}

static void other_pdu(struct wl_cfg *cfg)
{
	cfg->pdu_bytes = 41;
}

static void to_am(struct wl_cfg *cfg)
{
	wl_cfg_set_mode(cfg, WLINK_MODE_AM);
}

static void to_tm(struct wl_cfg *cfg)
{
	wl_cfg_set_mode(cfg, WLINK_MODE_TM);
}

static void other_channel(struct wl_cfg *cfg)
{
	hostile_lose(cfg, 0.5);
}

static void other_sojourns(struct wl_cfg *cfg)
{
	cfg->channel.mean_good_ns *= 2;
}

static void other_tti(struct wl_cfg *cfg)
{
	cfg->tti_ns = 20 * MS;
}

static void other_rtt(struct wl_cfg *cfg)
{
	cfg->harq.rtt_ns /= 2;
}

static void other_seed(struct wl_cfg *cfg)
{
	cfg->seed++;
}

static void guarantee(struct wl_cfg *cfg)
{
	cfg->gbr_bps = 1;
}

static void far(struct wl_cfg *cfg)
{
	cfg->delay_ns *= 3;
}

static void to_rr(struct wl_cfg *cfg)
{
	cfg->sched = WLINK_SCHED_RR;
}

static void to_pf(struct wl_cfg *cfg)
{
	cfg->sched = WLINK_SCHED_PF;
}

static void silent(struct wl_cfg *cfg)
{
	cfg->rate_bps = 0;
}

static void other_back(struct wl_cfg *cfg)
{
	cfg->reverse.rate_bps *= 2;
}

static void grants(struct wl_cfg *cfg)
{
	cfg->pdu_bytes = 1;
}

/* --- schedules --- */

/* @count steps of one column, @gap_ns from one to the next. */
static struct wl_schedule *steps(enum wlink_column column, u32 count, u64 gap_ns,
				 u64 value)
{
	struct wl_schedule *schedule = wl_schedules_new(1U << column);
	u64 *words = zeroed(count, 2 * sizeof(*words));

	for (u32 i = 0; i < count; i++) {
		words[2 * i] = i * gap_ns;
		words[2 * i + 1] = value + i % 2;
	}
	if (wl_schedules_add(schedule, count, words) != count)
		abort();
	free(words);
	return schedule;
}

static struct wl_schedule *at_once(u32 bearer)
{
	return steps(WLINK_COLUMN_RATE, SDUS_MAX, 0, 384000);
}

static struct wl_schedule *at_first_sdu(u32 bearer)
{
	struct wl_schedule *schedule = steps(WLINK_COLUMN_RATE, 1024, 0, 384000);

	schedule->start_ns = WLINK_START_PACKET;
	return schedule;
}

static struct wl_schedule *loop(u32 bearer)
{
	struct wl_schedule *schedule = steps(WLINK_COLUMN_RATE, 2, 1, 384000);

	schedule->end = WLINK_SCHEDULE_END_LOOP;
	return schedule;
}

/* What bearer 1 has concerns the others' channels. */
static struct wl_schedule *loop_first(u32 bearer)
{
	return bearer > 1 ? NULL : loop(bearer);
}

static struct wl_schedule *loop_losses(u32 bearer)
{
	struct wl_schedule *schedule;

	if (bearer > 1)
		return NULL;
	schedule = steps(WLINK_COLUMN_LOSS, 2, 1, 1);
	schedule->end = WLINK_SCHEDULE_END_LOOP;
	return schedule;
}

static struct wl_schedule *one_grant(u32 bearer)
{
	return steps(WLINK_COLUMN_GRANT, 1, 0, WLINK_GRANT_MAX);
}

#define ALL	WLINK_BEARERS_MAX

const struct hostile hostile[] = {
	{ "pf, all bearers busy, least TTI", pf, ALL, 2 * ALL, 1400, SEC },
	{ "rr, the same", rr, ALL, 2 * ALL, 1400, SEC },
	{ "fifo, the same", fifo, ALL, 2 * ALL, 1400, SEC },
	{ "dedicated, the same", own, ALL, 2 * ALL, 1400, SEC },
	{ "pf, all bearers, much sent", pf_fast, ALL, SDUS_MAX, 1400, SEC },
	{ "am, SDUs of 1 byte in PDUs of 65535, all lost", am_huge, 1,
	  SDUS_MAX, 1, 100 * MS },
	{ "am, the same, none lost", am_huge_good, 1, SDUS_MAX, 1, 100 * MS },
	{ "am, the same, half lost", am_huge_late, 1, SDUS_MAX, 1, 100 * MS },
	{ "am, the same, acknowledged at once, 5 bearers", am_polls_last, 5,
	  42000, 1, 100 * MS },
	{ "am, the same, all arrive at once out of order, 5 bearers",
	  am_huge_far, 5, 42000, 1, 90 * MS, no_delay, SEC },
	{ "am, the same, an aqm that looks at each SDU", am_codel, 12, SDUS_MAX,
	  1, 100 * MS },
	{ "am, bitmaps of 4095, half missing", am_reports, 1, SDUS_MAX, 40,
	  100 * MS },
	{ "am, lists of 4095, half missing", am_lists, 1, SDUS_MAX, 40,
	  100 * MS },
	{ "am, lists that arrive", am_answers, 1, SDUS_MAX, 40, 100 * MS },
	{ "am, many give up by MRW", am_mrw, 1, SDUS_MAX, 1, 100 * MS },
	{ "am, RESET with a full window", am_reset, 1, SDUS_MAX, 20, 100 * MS },
	{ "am, a hole is filled before many", am_hole, 1, SDUS_MAX, 1, SEC },
	{ "am, out of order", am_unordered, 1, SDUS_MAX, 1, SEC },
	{ "am, all bearers", am_lists, 256, SDUS_MAX, 40, 100 * MS },
	{ "am, Timer_Discard of all", am_expires, 1, SDUS_MAX, 40, 100 * MS },
	{ "um, the same", um_expires, 1, SDUS_MAX, 40, 100 * MS },
	{ "tm, the same", tm_expires, 1, SDUS_MAX, 40, 100 * MS },
	{ "am, a shorter way: all arrive at once", am_far, 1, SDUS_MAX, 40,
	  90 * MS, no_delay, SEC },
	{ "um, the same", um_far, 1, SDUS_MAX, 40, 900 * MS, no_delay, 10 * SEC },
	{ "asr, the same", asr_far, 1, SDUS_MAX, 40, 90 * MS, no_delay, SEC },
	{ "plain, the same", plain, 1, SDUS_MAX, 1400, 10 * MS, no_delay,
	  10 * SEC },
	{ "um, SDUs of 1 byte in large PDUs, reordered", um, 1, SDUS_MAX, 1,
	  100 * MS },
	{ "um, one PDU in 10000 comes", um_gone, 1, 10, 65000, SEC },
	{ "um, all PDUs but few are lost", um_lost, 1, SDUS_MAX, 3, 40 * SEC },
	{ "lte-um, a hole before many SDUs", lte_um, 1, SDUS_MAX, 4, 4 * SEC },
	{ "lte-am, a hole before many SDUs", lte_am, 1, SDUS_MAX, 4, 4 * SEC },
	{ "nr-am, what has come has many holes", nr_am, 1, 2000, 1500, 60 * SEC },
	{ "am, RESET is never answered", am_fails, 1, SDUS_MAX, 1, 100 * MS },
	{ "fsr, a faster way back for much feedback", sr_slow_back, 1, SDUS_MAX, 100, 200 * MS,
	  other_back, SEC },
	{ "fsr, much feedback waits when a pair begins", fsr_far, 50, SDUS_MAX, 100, 90 * MS,
	  silent, SEC, .pair = true },
	{ "um, a TTI of 10 s", um_tti, 1, SDUS_MAX, 40, 100 * SEC },
	{ "um, transport blocks of many PDUs", um_harq, 1, SDUS_MAX, 1, SEC },
	{ "tm, transport blocks of many SDUs", harq, 1, SDUS_MAX, 1, SEC },
	{ "tm, a TTI of 10 s", tm_tti, 1, SDUS_MAX, 1400, 100 * SEC },
	{ "tm, PDUs of 1 byte, half lost", tm_bytes_lost, 1, SDUS_MAX, 1400,
	  SEC },
	{ "fsr, half lost, timers of 1 us", sr, 1, SDUS_MAX, 100, 100 * MS },
	{ "fsr, no feedback", sr_deaf, 1, SDUS_MAX, 100, 100 * MS },
	{ "twostate, sojourns of 1 us, all bearers", twostate, ALL, 2 * ALL,
	  1400, 100 * SEC },
	{ "twostate, another channel after 100 s, all bearers", twostate, ALL,
	  0, 0, 100 * SEC, other_channel, SEC },
	{ "twostate, other sojourns after 100 s, 64 bearers", twostate, 64,
	  0, 0, 100 * SEC, other_sojourns, SEC },
	{ "codel, everything is late", codel, 1, SDUS_MAX, 40, SEC },
	{ "codel, fifo, all bearers", codel_fifo, ALL, SDUS_MAX, 40, SEC },
	{ "codel, um, many SDUs in a PDU", codel_um, 1, SDUS_MAX, 1, SEC },
	{ "limit 1 on a full buffer", slow, 1, SDUS_MAX, 40, SEC, limit_one,
	  SEC },
	{ "half the limit", slow, 1, SDUS_MAX, 40, SEC, limit_half, SEC },
	{ "limit 1, am", slow_am, 1, SDUS_MAX, 40, SEC, limit_one, SEC },
	{ "another PDU, am", slow_am, 1, SDUS_MAX, 40, SEC, other_pdu, SEC },
	{ "tm becomes am", slow, 1, SDUS_MAX, 40, SEC, to_am, SEC },
	{ "am becomes tm", slow_am, 1, SDUS_MAX, 40, SEC, to_tm, SEC },
	{ "another TTI, all bearers", slow_tti, ALL, 2 * ALL, 40, SEC,
	  other_tti, SEC },
	{ "pf from now on, all bearers", slow_tti, ALL, 2 * ALL, 40, SEC, to_pf,
	  SEC },
	{ "another sched many times, all bearers", slow, ALL, 2 * ALL, 40, SEC,
	  to_rr, SEC, .often = true },
	{ "am, another PDU, all bearers", slow_am, 256, SDUS_MAX, 40, SEC,
	  other_pdu, SEC },
	{ "a full buffer is forwarded", slow, 1, SDUS_MAX, 40, SEC, .forward = true },
	{ "the same, am", slow_am, 1, SDUS_MAX, 40, SEC, .forward = true },
	{ "the same, on its way", plain, 1, SDUS_MAX, 1400, 10 * MS, .forward = true },
	{ "a bearer of two is deleted, full", slow, 2, SDUS_MAX, 40, SEC, .del = true },
	{ "the same, am", slow_am, 2, SDUS_MAX, 40, SEC, .del = true },
	{ "the same, on its way", plain, 2, SDUS_MAX, 1400, 10 * MS, .del = true },
	{ "a bearer of an engine that is behind is forwarded", slow, 2, 0, 40, SEC,
	  .late = SDUS_MAX, .forward = true },
	{ "the same is deleted", slow, 2, 0, 40, SEC, .late = SDUS_MAX, .del = true },
	{ "one that nobody dequeues from is deleted", no_delay, 2, 0, 40, SEC,
	  .late = SDUS_MAX, .due = true, .del = true },
	{ "all bearers are flushed", slow, ALL, SDUS_MAX / 4, 40, SEC, .late = SDUS_MAX / 4,
	  .flush = true },
	{ "the same, nobody dequeues", no_delay, ALL, 0, 40, SEC, .late = SDUS_MAX / 2,
	  .due = true, .flush = true },
	{ "other HARQ with 100000 SDUs in blocks", harq_bad, 1, SDUS_MAX, 1, 25 * MS,
	  other_rtt, SEC },
	{ "tm becomes am, the same", harq_bad, 1, SDUS_MAX, 1, 25 * MS, to_am, SEC },
	{ "um becomes am, the same", um_harq_bad, 1, SDUS_MAX, 4, 75 * MS, to_am, SEC },
	{ "another TTI, the same, two bearers", um_harq_bad, 2, SDUS_MAX, 4, 45 * MS,
	  other_tti, SEC },
	{ "rr, all bearers are guaranteed something", rr, ALL, 2 * ALL, 1400, SEC, guarantee, SEC },
	{ "another seed, all bearers", slow_tti, ALL, 2 * ALL, 40, SEC, other_seed, SEC },
	{ "a longer way: rings placed anew, um", um_far, 1, SDUS_MAX, 40, 900 * MS, far, SEC },
	{ "schedule, 100000 steps at one time", slow, 1, 0, 0, SEC,
	  .schedule = at_once },
	{ "schedule, 1024 steps at the first SDU, all bearers", slow, ALL,
	  2 * ALL, 40, SEC, .schedule = at_first_sdu },
	{ "schedule, a loop of 1 us steps, idle", slow, 1, 0, 0, HOUR,
	  .schedule = loop },
	{ "schedule, the same, all bearers", slow, ALL, 0, 0, SEC,
	  .schedule = loop },
	{ "schedule, the same, bearer 1 of all", slow, ALL, 0, 0, SEC,
	  .schedule = loop_first },
	{ "schedule, a loop of losses, bearer 1 of all", slow, ALL, 0, 0, SEC,
	  .schedule = loop_losses },
	{ "schedule, an opportunity for all at once", grants, 1, SDUS_MAX, 1,
	  SEC, .schedule = one_grant },
};

const u32 hostile_cases = ARRAY_SIZE(hostile);
