// SPDX-License-Identifier: GPL-2.0
/*
 * What one call of the engine may take at most, which is what a root qdisc lock is
 * held for: hostile configurations by name, then random ones. The core's files are
 * compiled so that each basic block of theirs counts itself, which no load of the
 * machine changes; the worst call of each case is printed in blocks and in calls of
 * a plain link.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blocks.h"
#include "ut.h"
#include "wl_ask.h"
#include "wl_plays.h"

/* A block takes 2 ns, several times that where nothing of it is in a cache. */
#define BLOCKS_MAX	250000ULL
#define SDUS_MAX	100000U
#define CALLS_MAX	150U
#define CHANGES		500U
#define RANDOM_CASES	200U
#define MS		WL_NSEC_PER_MSEC
#define SEC		WL_NSEC_PER_SEC
#define HOUR		(3600 * SEC)

/**
 * struct hostile - a configuration and what is done to it
 * @name: what it is about
 * @make: it, in a default configuration
 * @bearers: how many
 * @sdus: SDUs that come at once, to all bearers in turn
 * @bytes: of each
 * @until_ns: the engine goes on until then
 * @change: what a transaction of all bearers makes of it then
 * @after_ns: how long it goes on after that
 * @often: or many of bearer 1 alone, each a scheduler of its own
 * @schedule: of each bearer, NULL for none
 */
struct hostile {
	const char *name;
	void (*make)(struct wl_cfg *cfg);
	u32 bearers;
	u32 sdus;
	u32 bytes;
	u64 until_ns;
	void (*change)(struct wl_cfg *cfg);
	u64 after_ns;
	bool often;
	struct wl_schedule *(*schedule)(void);
};

/**
 * struct worst - the longest call
 * @blocks: that it ran through
 * @ns: that it took
 * @calls: how many calls there were
 */
struct worst {
	u64 blocks;
	u64 ns;
	u64 calls;
};

struct bed {
	struct wl_link link;
	struct wl_bearer *bearer[WLINK_BEARERS_MAX + 1];
	u32 bearers;
	struct wl_node **slots;
	struct wl_sdu *sdus;
	struct wl_schedule **schedules;
	struct worst worst;
};

static struct bed bed;

static void dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
}

static const struct wl_link_ops ops = {
	.dropped = dropped,
	.rate_changed = wl_ask_rate_changed,
	.applied = wl_ask_applied,
	.granted = wl_ask_granted,
	.schedule_changed = wl_ask_play_changed,
	.channel_changed = wl_ask_channel_changed,
};

static u64 cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (u64)ts.tv_sec * SEC + (u64)ts.tv_nsec;
}

static void set_up(const struct wl_cfg *cfg, u32 bearers, u32 sdus)
{
	struct wl_cfg other = *cfg;
	u32 i;

	memset(&bed, 0, sizeof(bed));
	bed.bearers = bearers;
	bed.sdus = zeroed(sdus + 1, sizeof(*bed.sdus));
	bed.slots = zeroed(2 * (bearers + 1), sizeof(*bed.slots));
	bed.schedules = zeroed(bearers, sizeof(*bed.schedules));
	wl_link_init(&bed.link, cfg, 0, &ops);
	wl_link_add_sdus(&bed.link, bed.sdus, sdus + 1);
	free(wl_link_give_heaps(&bed.link, bed.slots, bearers));
	bed.bearer[1] = &bed.link.first;
	give_room(bed.bearer[1], cfg);
	if (cfg->channel.kind != WLINK_CHANNEL_TWOSTATE)
		other.channel.kind = WLINK_CHANNEL_LINK;
	for (i = 2; i <= bearers; i++) {
		bed.bearer[i] = zeroed(1, sizeof(struct wl_bearer));
		give_room(bed.bearer[i], &other);
		wl_link_add_bearer(&bed.link, bed.bearer[i], (u16)i, &other, 0);
	}
}

static void tear_down(void)
{
	u32 i;

	wl_ask_free(&bed.link);
	for (i = 1; i <= bed.bearers; i++) {
		free(bed.bearer[i]->rings.mem);
		wl_plays_put(bed.schedules[i - 1]);
		if (i > 1)
			free(bed.bearer[i]);
	}
	free(bed.schedules);
	free(bed.slots);
	free(bed.sdus);
}

static void took(u64 from_blocks, u64 from_ns)
{
	struct worst *worst = &bed.worst;

	worst->calls++;
	worst->ns = max(worst->ns, cpu_ns() - from_ns);
	worst->blocks = max(worst->blocks, blocks - from_blocks);
}

/* As dequeue() does it, until all is done or enough has been seen. */
static void go_on(u64 until_ns)
{
	struct wl_sdu *sdu;
	u32 calls = 0;
	bool done;

	do {
		u64 at = blocks, ns = cpu_ns();

		done = wl_link_advance(&bed.link, until_ns);
		took(at, ns);
		for (;;) {
			at = blocks;
			ns = cpu_ns();
			sdu = wl_link_due(&bed.link);
			if (!sdu)
				break;
			wl_link_hand_over(&bed.link, sdu);
			took(at, ns);
		}
	} while (!done && ++calls < CALLS_MAX);
}

/* Bearer 1 alone, many times at one time. */
static void change_often(const struct wl_cfg *cfg, u64 now_ns)
{
	struct wl_cfg other = *cfg;
	struct wl_pending *txn;
	u32 i;

	other.sched = WLINK_SCHED_FIFO;
	for (i = 0; i < CHANGES; i++) {
		txn = wl_ask_new(1, i + 1);
		if (!txn)
			abort();
		wl_ask_part(txn, bed.bearer[1], i % 2 ? cfg : &other);
		wl_link_commit(&bed.link, now_ns, WLINK_AT_NEXT, txn);
	}
}

static void change_all(const struct wl_cfg *cfg, u64 now_ns)
{
	struct wl_pending *txn = wl_ask_new(bed.bearers, 1);
	struct wl_cfg other = *cfg;
	u32 i;

	if (!txn)
		abort();
	if (cfg->channel.kind != WLINK_CHANNEL_TWOSTATE)
		other.channel.kind = WLINK_CHANNEL_LINK;
	for (i = 1; i <= bed.bearers; i++) {
		give_room(bed.bearer[i], cfg);
		wl_ask_part(txn, bed.bearer[i], i > 1 ? &other : cfg);
	}
	wl_link_commit(&bed.link, now_ns, WLINK_AT_NEXT, txn);
}

/* A command each; the timer is set after it. */
static void play_all(struct wl_schedule *(*schedule)(void))
{
	struct wl_schedule *one;
	u32 i;

	for (i = 0; i < bed.bearers; i++) {
		one = schedule();
		if (!one)
			break;
		bed.schedules[i] = one;
		wl_link_schedule(&bed.link, bed.bearer[i + 1], one, 0);
		wl_link_next_ns(&bed.link);
	}
}

static bool good(const char *name, const struct wl_cfg *cfg)
{
	struct wl_refusal why;

	if (!wl_cfg_check(cfg, &why))
		return true;
	if (name)
		ut_check(false, UT_WHERE, "%s: %s %llu is outside %llu..%llu",
			 name, why.what, why.value, why.min, why.max);
	return false;
}

static void offer(u32 sdus, u32 bytes, u64 now_ns)
{
	u32 i;

	for (i = 0; i < sdus; i++)
		wl_link_enqueue(&bed.link, bed.bearer[i % bed.bearers + 1],
				now_ns, &bed, bytes, WL_ECN_NOT_ECT);
}

static void start_cfg(struct wl_cfg *cfg)
{
	wl_cfg_default(cfg);
	cfg->rate_bps = WLINK_RATE_MAX;
	cfg->seed = 1;
	cfg->limit.value = WLINK_LIMIT_PACKETS_MAX;
}

static void play(const struct hostile *h)
{
	struct wl_cfg cfg;

	start_cfg(&cfg);
	h->make(&cfg);
	if (!good(h->name, &cfg))
		return;
	set_up(&cfg, h->bearers, h->sdus);
	if (h->schedule)
		play_all(h->schedule);
	offer(h->sdus, h->bytes, 0);
	go_on(h->until_ns);
	if (h->change) {
		h->change(&cfg);
		if (good(h->name, &cfg)) {
			if (h->often)
				change_often(&cfg, h->until_ns);
			else
				change_all(&cfg, h->until_ns);
			go_on(h->until_ns + h->after_ns);
		}
	}
	tear_down();
}

/* --- configurations --- */

static void lose(struct wl_cfg *cfg, double part)
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
	lose(cfg, 1);
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
	lose(cfg, 0.5);
}

static void am_reports(struct wl_cfg *cfg)
{
	am(cfg, 8);
	lose(cfg, 0.5);
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
	lose(cfg, 0.1);
	cfg->rlc.discard = WLINK_DISCARD_RESET;
	cfg->rlc.discard_ns = WL_NEVER_NS;
	cfg->rlc.maxdat = 2;
	cfg->rlc.rst_ns = 1000;
}

static void am_hole(struct wl_cfg *cfg)
{
	am(cfg, 1400);
	cfg->delay_ns = 10 * MS;
	lose(cfg, 0.001);
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
	lose(cfg, 0.1);
}

static void um_far(struct wl_cfg *cfg)
{
	um(cfg);
	cfg->pdu_bytes = 40;
	cfg->rate_bps = 100000000;
	cfg->delay_ns = SEC;
	lose(cfg, 0);
}

static void um_gone(struct wl_cfg *cfg)
{
	um(cfg);
	cfg->pdu_bytes = 3;
	lose(cfg, 0.9999);
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
	lose(cfg, 0.5);
}

static void sr_deaf(struct wl_cfg *cfg)
{
	sr(cfg);
	deaf(cfg);
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

static void tm_bytes_lost(struct wl_cfg *cfg)
{
	cfg->pdu_bytes = 1;
	cfg->tti_ns = 10 * MS;
	lose(cfg, 0.5);
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
	lose(cfg, 0.5);
}

static void other_sojourns(struct wl_cfg *cfg)
{
	cfg->channel.mean_good_ns *= 2;
}

static void other_tti(struct wl_cfg *cfg)
{
	cfg->tti_ns = 20 * MS;
}

static void to_rr(struct wl_cfg *cfg)
{
	cfg->sched = WLINK_SCHED_RR;
}

static void to_pf(struct wl_cfg *cfg)
{
	cfg->sched = WLINK_SCHED_PF;
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
	struct wl_schedule *schedule = wl_plays_new(1U << column);
	u64 *words = zeroed(count, 2 * sizeof(*words));
	u32 i;

	for (i = 0; i < count; i++) {
		words[2 * i] = i * gap_ns;
		words[2 * i + 1] = value + i % 2;
	}
	if (wl_plays_add(schedule, count, words) != count)
		abort();
	free(words);
	return schedule;
}

static struct wl_schedule *at_once(void)
{
	return steps(WLINK_COLUMN_RATE, SDUS_MAX, 0, 384000);
}

static struct wl_schedule *at_first_sdu(void)
{
	struct wl_schedule *schedule = steps(WLINK_COLUMN_RATE, 1024, 0, 384000);

	schedule->start_ns = WLINK_START_PACKET;
	return schedule;
}

static struct wl_schedule *loop(void)
{
	struct wl_schedule *schedule = steps(WLINK_COLUMN_RATE, 2, 1, 384000);

	schedule->end = WLINK_PLAY_END_LOOP;
	return schedule;
}

/* What bearer 1 has concerns the others' channels. */
static struct wl_schedule *loop_first(void)
{
	return bed.schedules[0] ? NULL : loop();
}

static struct wl_schedule *loop_losses(void)
{
	struct wl_schedule *schedule;

	if (bed.schedules[0])
		return NULL;
	schedule = steps(WLINK_COLUMN_LOSS, 2, 1, 1);
	schedule->end = WLINK_PLAY_END_LOOP;
	return schedule;
}

static struct wl_schedule *one_grant(void)
{
	return steps(WLINK_COLUMN_GRANT, 1, 0, WLINK_GRANT_MAX);
}

#define ALL	WLINK_BEARERS_MAX

static const struct hostile cases[] = {
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
	{ "um, a TTI of 10 s", um_tti, 1, SDUS_MAX, 40, 100 * SEC },
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

/* --- random ones --- */

static u32 below(struct wl_rng *rng, u32 n)
{
	return (u32)(wl_rng_next(rng) >> 32) % n;
}

static u64 spread(struct wl_rng *rng, u64 from, u64 to)
{
	u64 value = from;

	while (value < to && below(rng, 6))
		value *= 2 + below(rng, 3);
	return min(value, to);
}

static void random_cfg(struct wl_cfg *cfg, struct wl_rng *rng, u32 mode)
{
	start_cfg(cfg);
	cfg->rate_bps = spread(rng, 1000, WLINK_RATE_MAX);
	cfg->sched = below(rng, 3) ? below(rng, __WLINK_SCHED_MAX) : 0;
	if (cfg->sched == WLINK_SCHED_PF || below(rng, 2))
		cfg->tti_ns = spread(rng, WLINK_TTI_MIN, WLINK_TTI_MAX);
	cfg->delay_ns = below(rng, 2) ? spread(rng, 1000, 10 * SEC) : 0;
	wl_cfg_set_mode(cfg, mode);
	cfg->pdu_bytes = (u32)spread(rng, 6, 60000);
	cfg->rlc.window = (u32)spread(rng, 16, WLINK_SR_WINDOW_MAX);
	cfg->rlc.poll_ns = spread(rng, 1000, SEC);
	cfg->rlc.status_periodic_ns = spread(rng, 1000, SEC);
	cfg->rlc.rto_ns = spread(rng, 1000, SEC);
	cfg->rlc.discard = below(rng, __WLINK_DISCARD_MAX);
	cfg->rlc.maxdat = 1 + below(rng, 5);
	cfg->rlc.discard_ns = spread(rng, 1000, 10 * SEC);
	cfg->rlc.reorder = below(rng, WLINK_UM_REORDER_MAX);
	cfg->rlc.in_order = below(rng, 2);
	cfg->limit.value = spread(rng, 1, WLINK_LIMIT_PACKETS_MAX);
	if (below(rng, 2))
		lose(cfg, below(rng, 100) / 100.0);
}

static void random_case(u64 seed)
{
	struct wl_cfg cfg;
	struct wl_rng rng;
	u32 i, bearers, sdus;
	u64 now_ns = 0;

	wl_rng_seed(&rng, seed, WL_RNG_LOSS, 0);
	do
		random_cfg(&cfg, &rng, below(&rng, __WLINK_MODE_MAX));
	while (!good(NULL, &cfg));
	bearers = (u32)spread(&rng, 1, 300);
	sdus = (u32)spread(&rng, 100, SDUS_MAX);
	set_up(&cfg, bearers, sdus);
	for (i = 0; i < 4; i++) {
		offer(sdus / 4, (u32)spread(&rng, 1, 65000), now_ns);
		now_ns += spread(&rng, 1000, 10 * SEC);
		go_on(now_ns);
		do
			random_cfg(&cfg, &rng, below(&rng, 3) ? cfg.mode :
				   below(&rng, __WLINK_MODE_MAX));
		while (!good(NULL, &cfg));
		change_all(&cfg, now_ns);
	}
	go_on(now_ns + SEC);
	tear_down();
}

/* --- */

static u64 plain_blocks;

static void report(const char *name)
{
	const struct worst *worst = &bed.worst;

	printf("# %-48s %9llu blocks %7.0f plain calls %8.1f us, %llu calls\n", name,
	       worst->blocks, (double)worst->blocks / (double)plain_blocks,
	       (double)worst->ns / 1e3, worst->calls);
	ut_check(worst->blocks <= BLOCKS_MAX, UT_WHERE,
		 "%llu blocks are above %llu", worst->blocks, BLOCKS_MAX);
}

/* One packet of a link that only delays. */
static void measure_plain(void)
{
	struct wl_cfg cfg;
	u64 begun;

	start_cfg(&cfg);
	set_up(&cfg, 1, 1);
	begun = blocks;
	offer(1, 1400, 0);
	go_on(SEC);
	plain_blocks = blocks - begun;
	tear_down();
}

int main(int argc, char **argv)
{
	struct worst worst = { };
	u64 seed, worst_seed = 0;
	u32 i;

	measure_plain();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (argc > 1 && !strstr(cases[i].name, argv[1]))
			continue;
		ut_begin("bounds: %s", cases[i].name);
		play(&cases[i]);
		report(cases[i].name);
		ut_end();
	}
	if (argc > 1)
		return ut_summary();
	ut_begin("bounds: %u random configurations", RANDOM_CASES);
	for (seed = 1; seed <= RANDOM_CASES; seed++) {
		random_case(seed);
		if (bed.worst.blocks <= worst.blocks)
			continue;
		worst = bed.worst;
		worst_seed = seed;
	}
	bed.worst = worst;
	printf("# the worst is that of seed %llu\n", worst_seed);
	report("random configurations");
	ut_end();
	return ut_summary();
}
