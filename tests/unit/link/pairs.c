// SPDX-License-Identifier: GPL-2.0
/*
 * Random stories of two links that are a pair: what the receivers of one tell is traffic of
 * the other, whatever happens to either meanwhile. They part before the end, which no
 * feedback would bring where the other link lacks the bearer.
 */
#include "cell.h"
#include "ut.h"
#include "wl_story.h"

static struct wl_story pairs_story[2];
static struct cell pairs_link[2];
static struct wl_message pairs_mails[2][WL_MAIL_MAX];
static u64 pairs_told, pairs_crossed;

static void pairs_join(bool on)
{
	for (u32 i = 0; i < 2; i++) {
		pairs_link[i].peer = on ? &pairs_link[!i] : NULL;
		wl_link_pair(&pairs_link[i].link, on ? pairs_mails[i] : NULL);
	}
}

/* Both engines at each time at which one of them has something to do. */
static void pairs_run(u64 until_ns)
{
	struct cell *a = &pairs_link[0], *b = &pairs_link[1];
	u64 now_ns = 0;

	while (now_ns < until_ns) {
		now_ns = min(wl_link_next_ns(&a->link), wl_link_next_ns(&b->link));
		now_ns = min(max3(now_ns, a->now_ns, b->now_ns), until_ns);
		wl_cell_call(a, now_ns);
		wl_cell_call(b, now_ns);
	}
	while (!wl_cell_call(a, until_ns) || !wl_cell_call(b, until_ns))
		;
}

static void pairs_play(u64 seed)
{
	u32 next[2] = { 0 }, i;
	struct wl_mismatch bad;
	const struct wl_act *act;

	for (i = 0; i < 2; i++) {
		wl_story_make_wide(&pairs_story[i], 2 * seed + i, &bad);
		check_mismatch(&bad);
		wl_cell_init(&pairs_link[i], &pairs_story[i].cfg, 0, WL_STORY_MOST_SDUS);
	}
	pairs_join(true);
	while (next[0] < WL_STORY_ACTS && next[1] < WL_STORY_ACTS && !ut_failed()) {
		i = pairs_story[0].acts[next[0]].at_ns > pairs_story[1].acts[next[1]].at_ns;
		act = &pairs_story[i].acts[next[i]++];
		pairs_run(act->at_ns);
		wl_story_take(&pairs_link[i], act);
		pairs_run(act->at_ns);
		wl_cell_check(&pairs_link[i]);
		check_mismatch(&pairs_link[i].bad);
	}
	pairs_run(pairs_link[0].now_ns + WL_SEC);
	for (i = 0; i < 2; i++)
		pairs_crossed += pairs_link[i].link.mail.tail;
	pairs_join(false);
	for (i = 0; i < 2; i++) {
		wl_story_end(&pairs_link[i], &pairs_story[i]);
		check_mismatch(&pairs_link[i].bad);
		pairs_told += pairs_link[i].sum.v[WLINK_STAT_FEEDBACK_SENT];
		wl_cell_free(&pairs_link[i]);
	}
	if (ut_failed())
		ut_check(false, UT_WHERE, "seed %llu", seed);
}

TEST(pairs)
{
	u64 seed;

	ut_begin("pairs: stories of two links whose feedback is the other's traffic");
	for (seed = 1; seed <= (ut_stories + 49) / 50 && !ut_failed(); seed++)
		pairs_play(seed);
	CHECK(pairs_crossed > 20 * (seed - 1));
	CHECK(pairs_told > pairs_crossed);
}
