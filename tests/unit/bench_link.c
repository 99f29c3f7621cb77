// SPDX-License-Identifier: GPL-2.0
/* What a SDU costs the engine on a link whose bearers are all busy: 1024 of them
 * against one that holds as much. No sanitizers here; ratios within one process.
 *
 * One bearer stays in the first-level cache and 1024 do not fit the second, so
 * that this ratio is far above that of a packet's whole way through the kernel
 * (tests/bench): the bound is one that only a walk over bearers breaks. Where one
 * bearer is plain (wl_plain.c) it costs a third of what each of many does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ut.h"
#include "wl_ask.h"

#define BEARERS		1024
#define HELD		(4 * BEARERS)
/* Acknowledged modes count what is delivered and not acknowledged, too. */
#define LIMIT		(4 * HELD)
#define SDUS		200000
#define SDU_BYTES	400
#define LINK_BPS	100000000ULL
#define REPEATS		5

#define RATIO_MAX	15.0

struct bench {
	struct wl_link link;
	struct wl_bearer *bearer[BEARERS + 1];
	struct wl_node **slots;
	struct wl_sdu *sdus;
	u64 dropped;
};

/* What is measured; the rate is the link's. */
struct load {
	const char *name;
	enum wlink_sched sched;
	enum wlink_mode mode;
	u64 tti_ns;
	bool lossy;
};

static void dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
	((struct bench *)link)->dropped++;
}

static void rate_changed(struct wl_link *link, const struct wl_bearer *b,
			 u64 at_ns, u64 old_bps, u64 new_bps)
{
}

static void channel_changed(struct wl_link *link, const struct wl_bearer *b,
			    u64 at_ns, bool bad)
{
}

static const struct wl_link_ops ops = {
	.dropped = dropped,
	.rate_changed = rate_changed,
	.applied = wl_ask_applied,
	.granted = wl_ask_granted,
	.play_changed = wl_ask_play_changed,
	.channel_changed = channel_changed,
};

static void *zeroed(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p)
		abort();
	return p;
}

static void give_room(struct wl_bearer *b, const struct wl_cfg *cfg)
{
	struct wl_room need;

	wl_room_need(cfg, &need);
	if (!need.bytes)
		return;
	wl_room_place(&need, zeroed(1, need.bytes));
	wl_bearer_give(b, &need);
}

static void configure(struct wl_cfg *cfg, const struct load *load, u32 bearers)
{
	struct wl_refusal why;

	wl_cfg_default(cfg);
	wl_cfg_set_mode(cfg, load->mode);
	cfg->rate_bps = LINK_BPS;
	if (load->sched == WLINK_SCHED_DEDICATED)
		cfg->rate_bps /= bearers;
	cfg->tti_ns = load->tti_ns;
	cfg->delay_ns = 5 * WL_NSEC_PER_MSEC;
	cfg->sched = load->sched;
	cfg->limit.value = LIMIT;
	if (load->mode != WLINK_MODE_TM) {
		cfg->pdu_bytes = SDU_BYTES;
		/* All bearers together have the window of one. */
		cfg->rlc.window = bearers > 1 ? 8 : 4000;
	}
	if (load->lossy) {
		cfg->channel.kind = WLINK_CHANNEL_UNIFORM;
		cfg->channel.loss_q32 = WLINK_PROB_ONE / 20;
	}
	if (wl_cfg_check(cfg, &why)) {
		printf("# %s: %s %llu\n", load->name, why.what, why.value);
		abort();
	}
}

static void start(struct bench *bench, const struct load *load, u32 bearers)
{
	struct wl_cfg cfg;
	u32 i;

	memset(bench, 0, sizeof(*bench));
	configure(&cfg, load, bearers);
	wl_link_init(&bench->link, &cfg, 0, &ops);
	give_room(&bench->link.first, &cfg);
	bench->bearer[1] = &bench->link.first;
	bench->sdus = zeroed(LIMIT, sizeof(*bench->sdus));
	wl_link_add_slots(&bench->link, bench->sdus, LIMIT);
	bench->slots = zeroed(2 * (bearers + 1), sizeof(*bench->slots));
	free(wl_link_give_slots(&bench->link, bench->slots, bearers));
	if (bearers > 1)
		cfg.channel.kind = WLINK_CHANNEL_LINK;
	for (i = 2; i <= bearers; i++) {
		bench->bearer[i] = zeroed(1, sizeof(struct wl_bearer));
		give_room(bench->bearer[i], &cfg);
		wl_link_add_bearer(&bench->link, bench->bearer[i], (u16)i, &cfg,
				   0);
	}
	for (i = 0; i < HELD; i++)
		wl_link_enqueue(&bench->link, bench->bearer[i % bearers + 1], 0,
				bench, SDU_BYTES, WL_ECN_NOT_ECT);
}

static void stop(struct bench *bench, u32 bearers)
{
	u32 i;

	for (i = 1; i <= bearers; i++) {
		free(bench->bearer[i]->room.mem);
		if (i > 1)
			free(bench->bearer[i]);
	}
	free(bench->slots);
	free(bench->sdus);
}

static double cpu_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* What is delivered comes back at once, so that all stay busy. */
static u32 turn(struct bench *bench, u64 *now_ns)
{
	struct wl_link *link = &bench->link;
	u64 next_ns = wl_link_next_ns(link);
	struct wl_sdu sdu;
	u32 count = 0;

	*now_ns = max(*now_ns, next_ns);
	while (!wl_link_advance(link, *now_ns))
		;
	while (wl_link_pop(link, *now_ns, &sdu)) {
		wl_link_enqueue(link, sdu.owner, *now_ns, bench, SDU_BYTES,
				WL_ECN_NOT_ECT);
		count++;
	}
	return count;
}

/* ns of processor time a SDU. */
static double cost(const struct load *load, u32 bearers)
{
	static struct bench bench;
	u64 now_ns = 0;
	double begun;
	u32 i, count = 0;
	u64 held;

	start(&bench, load, bearers);
	while (count < SDUS / 10)
		count += turn(&bench, &now_ns);
	count = 0;
	begun = cpu_s();
	while (count < SDUS)
		count += turn(&bench, &now_ns);
	begun = cpu_s() - begun;
	CHECK_EQ(bench.dropped, 0);
	for (i = 1, held = 0; i <= bearers; i++)
		held += bench.bearer[i]->stats.held;
	CHECK_EQ(held, HELD);
	stop(&bench, bearers);
	return begun * 1e9 / count;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, REPEATS, sizeof(*values), by_value);
	return values[REPEATS / 2];
}

static void compare(const struct load *load)
{
	double one[REPEATS], many[REPEATS], ratio;
	u32 i;

	ut_begin("cost of a SDU on %d busy bearers against one, %s", BEARERS,
		 load->name);
	for (i = 0; i < REPEATS && !ut_failed(); i++) {
		one[i] = cost(load, 1);
		many[i] = cost(load, BEARERS);
	}
	if (!ut_failed()) {
		ratio = median(many) / median(one);
		printf("# %s: %.0f and %.0f ns, ratio %.2f\n", load->name,
		       median(one), median(many), ratio);
		ut_check(ratio <= RATIO_MAX, UT_WHERE,
			 "ratio %.2f is above %.1f", ratio, RATIO_MAX);
	}
	ut_end();
}

int main(void)
{
	static const struct load loads[] = {
		{ "tm dedicated", WLINK_SCHED_DEDICATED, WLINK_MODE_TM },
		{ "tm dedicated, TTI 10 ms", WLINK_SCHED_DEDICATED,
		  WLINK_MODE_TM, 10 * WL_NSEC_PER_MSEC },
		{ "tm rr", WLINK_SCHED_RR, WLINK_MODE_TM },
		{ "tm rr, TTI 10 ms", WLINK_SCHED_RR, WLINK_MODE_TM,
		  10 * WL_NSEC_PER_MSEC },
		{ "tm fifo", WLINK_SCHED_FIFO, WLINK_MODE_TM },
		{ "am rr", WLINK_SCHED_RR, WLINK_MODE_AM },
		{ "am dedicated, 5 % lost", WLINK_SCHED_DEDICATED,
		  WLINK_MODE_AM, 0, true },
	};
	u32 i;

	for (i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
		compare(&loads[i]);
	return ut_summary();
}
