// SPDX-License-Identifier: GPL-2.0
/*
 * Random stories of a cell: however it is called, each SDU must have the same
 * fate; the modes that repeat what is lost must not lose, double or reorder
 * anything but by their own rules. tests/kunit plays the first ones, too.
 */
#include "cell.h"
#include "ut.h"
#include "wl_digests.h"
#include "wl_story.h"

static struct wl_story story;
static struct cell plain, other;

typedef void (*maker)(struct wl_story *to, u64 seed, struct wl_mismatch *bad);

static void fuzz(maker make, u64 seed)
{
	struct wl_mismatch bad;

	make(&story, seed, &bad);
	check_mismatch(&bad);
	wl_story_play(&plain, &story, seed, true);
	check_mismatch(&plain.bad);
	wl_story_play(&other, &story, seed, false);
	check_mismatch(&other.bad);
	wl_story_same(&plain, &other, &bad);
	check_mismatch(&bad);
	wl_story_ordered(&story, &plain, &bad);
	check_mismatch(&bad);
	wl_cell_free(&plain);
	wl_cell_free(&other);
	if (ut_failed())
		ut_check(false, UT_WHERE, "seed %llu", seed);
}

static void digests(void)
{
	struct wl_mismatch bad;
	u32 i;

	ut_begin("fuzz: a SDU's fate is not that of wl_digests.h");
	for (i = 0; i < ARRAY_SIZE(wl_digests); i++) {
		const struct wl_digest *wanted = &wl_digests[i];

		wl_story_make(&story, wanted->seed, &bad);
		wl_story_play(&plain, &story, wanted->seed, true);
		CHECK_EQ(plain.sent, wanted->sent);
		CHECK_EQ(wl_story_drops(&plain), wanted->drops);
		CHECK_EQ(wl_story_digest(&plain), wanted->digest);
		wl_cell_free(&plain);
	}
	ut_end();
}

static void digests_more(void)
{
	u32 i, j, drops = 0, marks = 0, notes[CELL_PLAY + 1] = { };
	struct wl_mismatch bad;

	ut_begin("fuzz: stories with more in them are not those of wl_digests.h");
	for (i = 0; i < ARRAY_SIZE(wl_digests_more); i++) {
		const struct wl_digest *wanted = &wl_digests_more[i];

		wl_story_make_more(&story, wanted->seed, &bad);
		wl_story_play(&plain, &story, wanted->seed, true);
		CHECK_EQ(plain.sent, wanted->sent);
		CHECK_EQ(wl_story_drops(&plain), wanted->drops);
		CHECK_EQ(wl_story_digest_more(&plain), wanted->digest);
		for (j = 0; j < plain.sent; j++) {
			drops += plain.done[j].sdu.drop == WLINK_DROP_AQM;
			marks += !!(plain.done[j].sdu.ecn & WL_ECN_MARKED);
		}
		for (j = 0; j < plain.noted; j++)
			notes[plain.notes[j].kind]++;
		wl_cell_free(&plain);
	}
	/* The table says nothing of what its stories do not reach. */
	CHECK(drops > 30);
	CHECK(marks > 30);
	CHECK(notes[CELL_APPLIED] > 20);
	CHECK(notes[CELL_GRANTED] > 20);
	CHECK(notes[CELL_PLAY] > 50);
	ut_end();
}

/* The table says nothing of what its stories do not reach. */
static void digests_reach(void)
{
	u32 drops[__WLINK_DROP_MAX] = { 0 }, modes[__WLINK_MODE_MAX] = { 0 };
	struct wl_mismatch bad;
	u32 i, j, retx = 0;

	ut_begin("fuzz: the stories of wl_digests.h miss a mode or a drop");
	for (i = 0; i < ARRAY_SIZE(wl_digests); i++) {
		wl_story_make(&story, wl_digests[i].seed, &bad);
		for (j = 0; j < WL_STORY_ACTS; j++)
			if (story.acts[j].what == WL_SEND)
				modes[story.acts[j].cfg.mode]++;
		wl_story_play(&plain, &story, wl_digests[i].seed, true);
		for (j = 0; j < plain.sent; j++) {
			drops[plain.done[j].sdu.drop]++;
			retx += plain.done[j].sdu.retx;
		}
		wl_cell_free(&plain);
	}
	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (!CHECK(modes[i] > 100))
			ut_check(false, UT_WHERE, "mode %u", i);
	CHECK(retx > 1000);
	for (i = 0; i < ARRAY_SIZE(drops); i++)
		/* There are always descriptors, and no AQM. */
		if (!CHECK(drops[i] || i == WLINK_DROP_SLOTS ||
			   i == WLINK_DROP_AQM))
			ut_check(false, UT_WHERE, "drop %u", i);
	ut_end();
}

static void fuzz_all(const char *what, maker make, unsigned int stories)
{
	u64 seed;

	for (seed = 1; seed <= stories; seed++) {
		if (seed % 100 == 1)
			ut_begin("fuzz: %s from %llu", what, seed);
		fuzz(make, seed);
		if (seed % 100 == 0 || seed == stories || ut_failed()) {
			ut_end();
			if (seed % 100)
				return;
		}
	}
}

void test_fuzz(unsigned int stories)
{
	digests();
	digests_reach();
	digests_more();
	fuzz_all("a cell's stories", wl_story_make, stories);
	fuzz_all("stories with more in them", wl_story_make_more, stories);
}
