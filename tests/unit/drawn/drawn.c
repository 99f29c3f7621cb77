// SPDX-License-Identifier: GPL-2.0
/* Whether what draws links at random draws each word of the table. */
#include "ut.h"
#include "wl_digests.h"
#include "wl_story.h"
#include "drawn/words.h"

static struct wl_story drawn_story;

/* Those of the digests, which are the first ones of all others, too. */
CASE(drawn, "drawn: a word of the table that no story of wl_digests.h has in two values")
{
	static u64 buf[WORDS_BYTES / sizeof(u64)];
	static struct words_seen seen;
	struct wl_mismatch bad;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(wl_digests_wide); i++) {
		wl_story_make_wide(&drawn_story, wl_digests_wide[i].seed, &bad);
		for (j = 0; j < WL_STORY_ACTS; j++)
			words_see(&seen, buf, words_put(&drawn_story.acts[j].cfg, buf));
	}
	words_missing(&seen, 2, false);
}

CASE(drawn, "drawn: a word of the table that no fuzzer begins with")
{
	static struct words_seen seen;

	words_see_fuzz(&seen);
	words_missing(&seen, 1, true);
}

CASE(drawn, "drawn: a word of the table that no script has")
{
	static const char *const said[] = {
#include "said.h"
	};
	static struct words_seen seen;

	for (u32 i = 0; i < ARRAY_SIZE(said); i++)
		if (!CHECK(words_see_text(&seen, said[i])))
			ut_check(false, UT_WHERE, "%s", said[i]);
	words_missing(&seen, 1, true);
}

/* Stories stand for the module only where they do with the engine what it does. */
CASE(drawn, "drawn: a call of the engine that the module has and no story makes")
{
	static const char *const missed[] = {
#include "missed.h"
		NULL,
	};

	for (u32 i = 0; missed[i]; i++)
		ut_check(false, UT_WHERE, "%s()", missed[i]);
}
