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
#include "hostile.h"
#include "say.h"
#include "ut.h"
#include "wl_ask.h"
#include "wl_schedules.h"

/* A block takes 2 ns, several times that where nothing of it is in a cache. */
#define BLOCKS_MAX	250000ULL
#define CALLS_MAX	250U
/* What a flush has for each SDU. */
#define FLUSH_BLOCKS_MAX	40U
#define CHANGES		500U
#define RANDOM_CASES	60U

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
	.schedule_changed = wl_ask_schedule_changed,
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
	for (u32 i = 2; i <= bearers; i++) {
		bed.bearer[i] = zeroed(1, sizeof(struct wl_bearer));
		give_room(bed.bearer[i], &other);
		wl_link_add_bearer(&bed.link, bed.bearer[i], (u16)i, &other, 0);
	}
}

static void tear_down(void)
{
	wl_ask_free(&bed.link);
	for (u32 i = 1; i <= bed.bearers; i++) {
		free(bed.bearer[i]->rings.mem);
		wl_schedules_put(bed.schedules[i - 1]);
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

	other.sched = WLINK_SCHED_FIFO;
	for (u32 i = 0; i < CHANGES; i++) {
		txn = wl_ask_new(1, i + 1);
		if (!txn)
			abort();
		wl_ask_part(txn, bed.bearer[1], i % 2 ? cfg : &other);
		wl_link_commit(&bed.link, now_ns, WLINK_AT_NEXT, txn);
	}
}

/* In as many holds of the lock as it takes. */
static void widen(struct wl_bearer *b, const struct wl_cfg *cfg)
{
	void *old = b->rings.mem;
	struct wl_rings need;
	bool done = false;

	wl_bearer_need(b, cfg, &need);
	if (!need.bytes || wl_rings_fits(&b->rings, &need))
		return;
	wl_rings_place(&need, zeroed(1, need.bytes));
	while (!done) {
		u64 at = blocks, ns = cpu_ns();

		done = wl_bearer_move(b, &need, WL_RINGS_MOVED);
		took(at, ns);
	}
	free(old);
}

static void change_all(const struct wl_cfg *cfg, u64 now_ns)
{
	struct wl_pending *txn = wl_ask_new(bed.bearers, 1);
	struct wl_cfg other = *cfg;

	if (!txn)
		abort();
	if (cfg->channel.kind != WLINK_CHANNEL_TWOSTATE)
		other.channel.kind = WLINK_CHANNEL_LINK;
	txn->reseed = cfg->seed != bed.link.first.cfg.seed;
	for (u32 i = 1; i <= bed.bearers; i++) {
		widen(bed.bearer[i], cfg);
		wl_ask_part(txn, bed.bearer[i], i > 1 ? &other : cfg);
	}
	wl_link_commit(&bed.link, now_ns, WLINK_AT_NEXT, txn);
}

/* A command each; the timer is set after it. */
static void schedule_all(struct wl_schedule *(*schedule)(u32 bearer))
{
	struct wl_schedule *one;

	for (u32 i = 0; i < bed.bearers; i++) {
		one = schedule(i + 1);
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
	for (u32 i = 0; i < sdus; i++)
		wl_link_enqueue(&bed.link, bed.bearer[i % bed.bearers + 1],
				now_ns, &bed, bytes, WL_ECN_NOT_ECT);
}

static void forward(u64 now_ns)
{
	u64 at = blocks, ns = cpu_ns();

	wl_link_forward(&bed.link, bed.bearer[1], now_ns);
	took(at, ns);
	go_on(now_ns);
	CHECK(!bed.bearer[1]->leave_for);
}

static void delete(u64 now_ns)
{
	u64 at = blocks, ns = cpu_ns();

	wl_link_clear(&bed.link, bed.bearer[2], now_ns);
	took(at, ns);
	go_on(now_ns);
	CHECK(!bed.bearer[2]->leave_for);
	at = blocks;
	ns = cpu_ns();
	wl_link_del_bearer(&bed.link, bed.bearer[2], now_ns);
	took(at, ns);
}

/* Return: blocks for each SDU. */
static u64 flush(u32 sdus, u64 now_ns)
{
	u64 at = blocks;

	wl_link_flush(&bed.link, now_ns);
	return (blocks - at) / sdus;
}

static void pair(void)
{
	static struct wl_message mails[WL_MAIL_MAX];
	u64 at = blocks, ns = cpu_ns(), lost = 0;

	wl_link_pair(&bed.link, mails);
	took(at, ns);
	for (u32 i = 1; i <= bed.bearers; i++)
		lost += bed.bearer[i]->stats.v[WLINK_STAT_FEEDBACK_LOST];
	CHECK(lost >= SDUS_MAX / 2);
}

static void arrive_late(const struct hostile *h)
{
	offer(h->late, h->bytes, h->until_ns);
	while (h->due && !wl_link_advance(&bed.link, h->until_ns))
		;
}

static void play(const struct hostile *h)
{
	struct wl_cfg cfg;

	hostile_default(&cfg);
	say(&cfg, "%s", h->words);
	if (!good(h->name, &cfg))
		return;
	set_up(&cfg, h->bearers, h->sdus + h->late);
	if (h->schedule)
		schedule_all(h->schedule);
	offer(h->sdus, h->bytes, 0);
	go_on(h->until_ns);
	if (h->late)
		arrive_late(h);
	if (h->flush)
		CHECK(flush(h->sdus + h->late, h->until_ns) <= FLUSH_BLOCKS_MAX);
	if (h->forward)
		forward(h->until_ns);
	if (h->del)
		delete(h->until_ns);
	if (h->change) {
		say(&cfg, "%s", h->change);
		if (good(h->name, &cfg)) {
			if (h->often)
				change_often(&cfg, h->until_ns);
			else
				change_all(&cfg, h->until_ns);
			go_on(h->until_ns + h->after_ns);
		}
	}
	if (h->pair)
		pair();
	tear_down();
}

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
	hostile_default(cfg);
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
		hostile_lose(cfg, below(rng, 100) / 100.0);
}

/* The same of a cell: modes of LTE and NR, HARQ, resource blocks, guarantees, background. */
static void random_cell(struct wl_cfg *cfg, struct wl_rng *rng, u32 mode)
{
	random_cfg(cfg, rng, mode);
	cfg->tti_ns = spread(rng, WL_NSEC_PER_MSEC / 8, 10 * WL_NSEC_PER_MSEC);
	cfg->sched = below(rng, __WLINK_SCHED_MAX);
	cfg->delay_ns = below(rng, 2) ? spread(rng, 1000, SEC) : 0;
	if (wl_mode_is_lte(mode)) {
		wl_cfg_set_mode(cfg, mode);
		cfg->rlc.poll_pdu = below(rng, 2) ? 4 : 0;
		cfg->rlc.status_prohibit_ns = below(rng, 2) ? WL_NEVER_NS :
							      WL_NSEC_PER_MSEC;
		cfg->rlc.reorder_ns = (1 + below(rng, 200)) * WL_NSEC_PER_MSEC;
		cfg->rlc.maxretx = 1 + below(rng, 32);
	}
	cfg->harq.processes = below(rng, 2) ? 8 : 0;
	if (cfg->sched >= WLINK_SCHED_RR && below(rng, 2))
		cfg->cell.rb = 1 + below(rng, WLINK_RB_MAX);
	if (cfg->cell.rb && below(rng, 2)) {
		cfg->cell.users = below(rng, WLINK_USERS_MAX);
		cfg->cell.users_on_ns = WLINK_USERS_TIME_MIN;
		cfg->cell.users_off_ns = below(rng, 2) * WLINK_USERS_TIME_MIN;
	}
	if (cfg->sched && below(rng, 2))
		cfg->gbr_bps = cfg->rate_bps / 300;
}

static void random_case(u64 seed, u32 modes,
			void (*make)(struct wl_cfg *cfg, struct wl_rng *rng, u32 mode))
{
	struct wl_cfg cfg;
	struct wl_rng rng;
	u32 i, bearers, sdus;
	u64 now_ns = 0;

	wl_rng_seed(&rng, seed, WL_RNG_LOSS, 0);
	do
		make(&cfg, &rng, below(&rng, modes));
	while (!good(NULL, &cfg));
	bearers = (u32)spread(&rng, 1, 300);
	sdus = (u32)spread(&rng, 100, SDUS_MAX);
	set_up(&cfg, bearers, sdus);
	for (i = 0; i < 4; i++) {
		offer(sdus / 4, (u32)spread(&rng, 1, 65000), now_ns);
		now_ns += spread(&rng, 1000, 10 * SEC);
		go_on(now_ns);
		do
			make(&cfg, &rng, below(&rng, 3) ? cfg.mode :
			     below(&rng, modes));
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

	hostile_default(&cfg);
	set_up(&cfg, 1, 1);
	begun = blocks;
	offer(1, 1400, 0);
	go_on(SEC);
	plain_blocks = blocks - begun;
	tear_down();
}

static void random_cases(const char *what, u32 modes,
			 void (*make)(struct wl_cfg *cfg, struct wl_rng *rng, u32 mode))
{
	struct worst worst = { };
	u64 seed, worst_seed = 0;

	ut_begin("bounds: %u random %s", RANDOM_CASES, what);
	for (seed = 1; seed <= RANDOM_CASES; seed++) {
		random_case(seed, modes, make);
		if (bed.worst.blocks <= worst.blocks)
			continue;
		worst = bed.worst;
		worst_seed = seed;
	}
	bed.worst = worst;
	printf("# the worst is that of seed %llu\n", worst_seed);
	report(what);
}

int main(int argc, char **argv)
{
	measure_plain();
	for (u32 i = 0; i < hostile_cases; i++) {
		if (argc > 1 && !strstr(hostile[i].name, argv[1]))
			continue;
		ut_begin("bounds: %s", hostile[i].name);
		play(&hostile[i]);
		report(hostile[i].name);
	}
	if (argc > 1)
		return ut_summary();
	random_cases("configurations", WLINK_MODE_ASR + 1, random_cfg);
	random_cases("cells", __WLINK_MODE_MAX, random_cell);
	return ut_summary();
}
