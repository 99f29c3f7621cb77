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

/* Stories of outages: of the acts in which nothing happens each takes the rate away
 * for which a later one brings it back. All takes sixteen times as long, and bearers
 * stay.
 */
static void make_silent(struct wl_story *to, u64 seed, struct wl_mismatch *bad)
{
	bool there[WL_STORY_NUMBERS + 1] = { [1] = true };
	bool back[WL_STORY_NUMBERS + 1] = { };
	struct wl_act *act;
	u32 i;

	wl_story_make(to, seed, bad);
	for (i = 0; i < WL_STORY_ACTS; i++) {
		act = &to->acts[i];
		act->at_ns *= 16;
		if (act->what == WL_DEL)
			act->what = WL_WAIT;
		else if (act->what == WL_ADD && there[act->number])
			act->what = WL_CHANGE;
		there[act->number] = true;
	}
	while (i--) {
		act = &to->acts[i];
		if (act->what == WL_WAIT) {
			act->what = WL_CHANGE;
			if (back[act->number])
				act->cfg.rate_bps = WLINK_RATE_SILENT;
			back[act->number] = act->cfg.rate_bps;
		} else if (act->what != WL_SEND) {
			back[act->number] = true;
		}
	}
}

static u32 handed;

static void hand_over(struct wl_rng *dice, struct wl_cfg *cfg)
{
	u32 number = wl_rng_next(dice);

	if (cfg->mode < WLINK_MODE_AM)
		return;
	cfg->rlc.start = number & 1;
	handed += cfg->rlc.start;
}

/* Stories in which PDUs wait for the transmitter with their timers running. */
static void make_handed_over(struct wl_story *to, u64 seed, struct wl_mismatch *bad)
{
	struct wl_rng dice;

	wl_story_make_more(to, seed, bad);
	wl_rng_seed(&dice, seed, 0, 0);
	hand_over(&dice, &to->cfg);
	for (u32 i = 0; i < WL_STORY_ACTS; i++) {
		hand_over(&dice, &to->acts[i].cfg);
		hand_over(&dice, &to->acts[i].other_cfg);
	}
}

/* What is on its way comes within the longest delay, the rest of a TTI and a
 * receiver's timer.
 */
#define ON_ITS_WAY_NS	(360 * WL_MS)

static u32 silences, waited;

/* Nothing begins in an outage; nothing comes out of it but what was on its way. */
static void silent(u32 number, u64 from_ns, u64 until_ns)
{
	silences++;
	for (u32 i = 0; i < plain.sent; i++) {
		const struct wl_sdu *sdu = &plain.done[i].sdu;

		if (plain.done[i].number != number)
			continue;
		CHECK(sdu->start_ns <= from_ns || sdu->start_ns >= until_ns);
		if (sdu->drop != WLINK_DROP_NONE)
			continue;
		CHECK(sdu->deliver_ns < from_ns + ON_ITS_WAY_NS ||
		      sdu->deliver_ns >= until_ns);
		waited += sdu->arrival_ns < until_ns &&
			  sdu->deliver_ns >= until_ns &&
			  until_ns > from_ns + ON_ITS_WAY_NS;
	}
}

static void all_silent(void)
{
	u64 from_ns[WL_STORY_NUMBERS + 1] = { };

	CHECK(plain.noted < CELL_NOTES);
	for (u32 i = 0; i < plain.noted; i++) {
		const struct cell_note *note = &plain.notes[i];

		if (note->kind != CELL_RATE)
			continue;
		if (note->second == WLINK_RATE_SILENT)
			silent(note->number, from_ns[note->number], note->at_ns);
		from_ns[note->number] = note->at_ns;
	}
}

static void fuzz(maker make, u64 seed)
{
	struct wl_mismatch bad;
	enum wl_manner manner;

	make(&story, seed, &bad);
	check_mismatch(&bad);
	wl_story_play(&plain, &story, seed, WL_MANNER_WAKES);
	check_mismatch(&plain.bad);
	for (manner = WL_MANNER_WAKES + 1; manner < WL_MANNERS; manner++) {
		wl_story_play(&other, &story, seed, manner);
		check_mismatch(&other.bad);
		wl_story_same(&plain, &other, &bad);
		check_mismatch(&bad);
		wl_cell_free(&other);
	}
	wl_story_ordered(&story, &plain, &bad);
	check_mismatch(&bad);
	if (make == make_silent)
		all_silent();
	wl_cell_free(&plain);
	if (ut_failed())
		ut_check(false, UT_WHERE, "seed %llu", seed);
}

static void digests(void)
{
	struct wl_mismatch bad;

	ut_begin("fuzz: a SDU's fate is not that of wl_digests.h");
	for (u32 i = 0; i < ARRAY_SIZE(wl_digests); i++) {
		const struct wl_digest *wanted = &wl_digests[i];

		wl_story_make(&story, wanted->seed, &bad);
		wl_story_play(&plain, &story, wanted->seed, WL_MANNER_WAKES);
		CHECK_EQ(plain.sent, wanted->sent);
		CHECK_EQ(wl_story_drops(&plain), wanted->drops);
		CHECK_EQ(wl_story_digest(&plain), wanted->digest);
		wl_cell_free(&plain);
	}
}

static void digests_more(void)
{
	u32 i, j, drops = 0, forwards = 0, marks = 0, notes[CELL_SCHEDULE + 1] = { };
	struct wl_mismatch bad;

	ut_begin("fuzz: stories with more in them are not those of wl_digests.h");
	for (i = 0; i < ARRAY_SIZE(wl_digests_more); i++) {
		const struct wl_digest *wanted = &wl_digests_more[i];

		wl_story_make_more(&story, wanted->seed, &bad);
		wl_story_play(&plain, &story, wanted->seed, WL_MANNER_WAKES);
		CHECK_EQ(plain.sent, wanted->sent);
		CHECK_EQ(wl_story_drops(&plain), wanted->drops);
		CHECK_EQ(wl_story_digest_more(&plain), wanted->digest);
		for (j = 0; j < plain.sent; j++) {
			drops += plain.done[j].sdu.drop == WLINK_DROP_AQM;
			forwards += plain.done[j].sdu.drop == WLINK_DROP_FORWARD;
			marks += !!(plain.done[j].sdu.ecn & WL_ECN_MARKED);
		}
		for (j = 0; j < plain.noted; j++)
			notes[plain.notes[j].kind]++;
		wl_cell_free(&plain);
	}
	/* The table says nothing of what its stories do not reach. */
	CHECK(drops > 30);
	CHECK(forwards > 30);
	CHECK(marks > 30);
	CHECK(notes[CELL_APPLIED] > 20);
	CHECK(notes[CELL_GRANTED] > 20);
	CHECK(notes[CELL_SCHEDULE] > 50);
}

/* Changes that came into force where another one just had: of those that wait within one
 * TTI all do at its end.
 */
static u32 changes_together(void)
{
	const struct cell_note *last = NULL, *note;
	u32 i, together = 0;

	for (i = 0; i < plain.noted; i++) {
		note = &plain.notes[i];
		if (note->kind != CELL_APPLIED)
			continue;
		together += last && last->at_ns == note->at_ns;
		last = note;
	}
	return together;
}

static void digests_wide(void)
{
	u32 i, j, modes[__WLINK_MODE_MAX] = { 0 }, copies = 0, states = 0, cells = 0;
	u32 forwards = 0, together = 0, flushes = 0, cancelled = 0;
	struct wl_mismatch bad;
	u64 background_ns = 0;

	ut_begin("fuzz: stories with all that the module takes are not those of wl_digests.h");
	for (i = 0; i < ARRAY_SIZE(wl_digests_wide); i++) {
		const struct wl_digest *wanted = &wl_digests_wide[i];

		wl_story_make_wide(&story, wanted->seed, &bad);
		wl_story_play(&plain, &story, wanted->seed, WL_MANNER_WAKES);
		CHECK_EQ(plain.sent, wanted->sent);
		CHECK_EQ(wl_story_drops(&plain), wanted->drops);
		CHECK_EQ(wl_story_digest_more(&plain), wanted->digest);
		for (j = 0; j < WL_STORY_ACTS; j++)
			modes[story.acts[j].cfg.mode] += story.acts[j].what == WL_SEND;
		for (j = 0; j < plain.sent; j++)
			copies += plain.done[j].copies;
		for (j = 0; j < plain.sent; j++) {
			forwards += plain.done[j].sdu.drop == WLINK_DROP_FORWARD;
			flushes += plain.done[j].sdu.drop == WLINK_DROP_FLUSH;
		}
		cancelled += plain.cancelled;
		together += changes_together();
		states += plain.rrc_changes;
		background_ns += plain.background_ns;
		cells += !!plain.background_ns;
		wl_cell_free(&plain);
	}
	for (i = 0; i < ARRAY_SIZE(modes); i++)
		CHECK(modes[i] > 10);
	CHECK(copies > 30);
	CHECK(states > 30);
	CHECK(forwards > 30);
	CHECK(together > 30);
	CHECK(flushes > 30);
	CHECK(cancelled > 10);
	/* Users need a TTI, a scheduler and resource blocks, each a draw, so that few stories
	 * have them, and others do after each new draw: where too few, draw those more often.
	 */
	CHECK(cells >= 3);
	CHECK(background_ns > WL_SEC);
}

/* The table says nothing of what its stories do not reach. */
static void digests_reach(void)
{
	u32 drops[__WLINK_DROP_MAX] = { 0 }, modes[WLINK_MODE_ASR + 1] = { 0 };
	struct wl_mismatch bad;
	u32 i, j, retx = 0;

	ut_begin("fuzz: the stories of wl_digests.h miss a mode or a drop");
	for (i = 0; i < ARRAY_SIZE(wl_digests); i++) {
		wl_story_make(&story, wl_digests[i].seed, &bad);
		for (j = 0; j < WL_STORY_ACTS; j++)
			if (story.acts[j].what == WL_SEND)
				modes[story.acts[j].cfg.mode]++;
		wl_story_play(&plain, &story, wl_digests[i].seed, WL_MANNER_WAKES);
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
		/* There are always descriptors, no AQM, handovers and super-packets. */
		if (!CHECK(drops[i] || i == WLINK_DROP_SLOTS || i == WLINK_DROP_AQM ||
			   i == WLINK_DROP_SEGMENT || i == WLINK_DROP_FORWARD))
			ut_check(false, UT_WHERE, "drop %u", i);
}

static void fuzz_all(const char *what, maker make, unsigned int stories)
{
	u64 seed;

	for (seed = 1; seed <= stories; seed++) {
		if (seed % 100 == 1)
			ut_begin("fuzz: %s from %llu", what, seed);
		fuzz(make, seed);
		if (ut_failed())
			return;
	}
}

TEST(fuzz)
{
	const unsigned int stories = (ut_stories + 2) / 3;

	digests();
	digests_reach();
	digests_more();
	digests_wide();
	fuzz_all("a cell's stories", wl_story_make, ut_stories);
	fuzz_all("stories with more in them", wl_story_make_more, ut_stories);
	fuzz_all("stories with all that the module takes", wl_story_make_wide, ut_stories);
	fuzz_all("stories of outages", make_silent, stories);
	fuzz_all("stories of PDUs handed over", make_handed_over, stories);
	ut_begin("fuzz: nothing waits for the end of an outage");
	CHECK(silences >= stories / 2);
	CHECK(waited >= stories / 2);
	CHECK(handed >= 4 * stories);
}
