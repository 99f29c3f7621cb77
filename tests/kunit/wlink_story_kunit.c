// SPDX-License-Identifier: GPL-2.0
/* Stories of a cell: the kernel's arithmetic gives the fates of user space. */
#include <kunit/test.h>

#include "wl_digests.h"
#include "wl_mem.h"

static void good(struct kunit *test, const char *manner, const struct wl_mismatch *bad)
{
	if (bad->what)
		KUNIT_FAIL(test, "%s: SDU %llu: %s is %llu, not %llu", manner,
			   bad->seq, bad->what, bad->is, bad->wanted);
}

/**
 * struct stage - one story, played in both manners
 * @story: story
 * @plain: called when it wanted to be
 * @other: called at odd times
 */
struct stage {
	struct wl_story story;
	struct cell plain;
	struct cell other;
};

typedef void (*maker)(struct wl_story *to, u64 seed, struct wl_mismatch *bad);

static void judge(struct kunit *test, maker make, struct stage *stage)
{
	const struct wl_digest *wanted = test->param_value;
	struct wl_mismatch bad;

	make(&stage->story, wanted->seed, &bad);
	good(test, "story", &bad);
	wl_story_play(&stage->plain, &stage->story, wanted->seed, WL_MANNER_WAKES);
	good(test, "waking when told", &stage->plain.bad);
	KUNIT_EXPECT_EQ(test, stage->plain.sent, wanted->sent);
	KUNIT_EXPECT_EQ(test, wl_story_drops(&stage->plain), wanted->drops);
	KUNIT_EXPECT_EQ(test, stage->story.more ? wl_story_digest_more(&stage->plain) :
			wl_story_digest(&stage->plain), wanted->digest);
	wl_story_ordered(&stage->story, &stage->plain, &bad);
	good(test, "order", &bad);
	wl_story_play(&stage->other, &stage->story, wanted->seed, WL_MANNER_STEPS);
	good(test, "calling at odd times", &stage->other.bad);
	wl_story_same(&stage->plain, &stage->other, &bad);
	good(test, "both manners", &bad);
	wl_cell_free(&stage->plain);
	wl_cell_free(&stage->other);
}

static void fate_is_not_that_of_user_space(struct kunit *test)
{
	struct stage *stage = wl_mem_get(sizeof(*stage));

	KUNIT_ASSERT_NOT_NULL(test, stage);
	judge(test, wl_story_make, stage);
	wl_mem_put(stage);
}

static void more_is_not_that_of_user_space(struct kunit *test)
{
	struct stage *stage = wl_mem_get(sizeof(*stage));

	KUNIT_ASSERT_NOT_NULL(test, stage);
	judge(test, wl_story_make_more, stage);
	wl_mem_put(stage);
}

static void wide_is_not_that_of_user_space(struct kunit *test)
{
	struct stage *stage = wl_mem_get(sizeof(*stage));

	KUNIT_ASSERT_NOT_NULL(test, stage);
	judge(test, wl_story_make_wide, stage);
	wl_mem_put(stage);
}

/* Or the digests would not tell one fate from another. */
static void digest_misses_a_nanosecond(struct kunit *test)
{
	struct stage *stage = wl_mem_get(sizeof(*stage));
	struct wl_mismatch bad;
	u64 was;

	KUNIT_ASSERT_NOT_NULL(test, stage);
	wl_story_make(&stage->story, 1, &bad);
	wl_story_play(&stage->plain, &stage->story, 1, WL_MANNER_WAKES);
	was = wl_story_digest(&stage->plain);
	stage->plain.done[stage->plain.sent / 2].sdu.end_ns++;
	KUNIT_EXPECT_NE(test, wl_story_digest(&stage->plain), was);
	wl_cell_free(&stage->plain);
	wl_mem_put(stage);
}

static void describe(const struct wl_digest *one, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "seed %llu", one->seed);
}

KUNIT_ARRAY_PARAM(digest, wl_digests, describe);
KUNIT_ARRAY_PARAM(more, wl_digests_more, describe);
KUNIT_ARRAY_PARAM(wide, wl_digests_wide, describe);

static struct kunit_case story_cases[] = {
	KUNIT_CASE_PARAM(fate_is_not_that_of_user_space, digest_gen_params),
	KUNIT_CASE_PARAM(more_is_not_that_of_user_space, more_gen_params),
	KUNIT_CASE_PARAM(wide_is_not_that_of_user_space, wide_gen_params),
	KUNIT_CASE(digest_misses_a_nanosecond),
	{}
};

static struct kunit_suite story_suite = {
	.name = "wlink_story",
	.test_cases = story_cases,
};

kunit_test_suite(story_suite);
