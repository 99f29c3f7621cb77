// SPDX-License-Identifier: GPL-2.0
#include "wl_mem.h"
#include "wl_plays.h"

struct wl_schedule *wl_plays_new(u32 columns)
{
	struct wl_schedule *play = wl_mem_get(sizeof(*play));

	if (!play)
		return NULL;
	wl_schedule_init(play, columns);
	play->end = WLINK_PLAY_END_HOLD;
	play->start_ns = WLINK_START_NOW;
	/* The least that it may be. */
	play->length_ns = WLINK_TIMER_MIN;
	return play;
}

u32 wl_plays_add(struct wl_schedule *play, u32 steps, const u64 *words)
{
	size_t bytes = (size_t)steps * play->width * sizeof(*words);
	struct wl_steps *block = wl_mem_get(sizeof(*block) + bytes);
	struct wl_refusal why;
	u32 good;

	if (!block)
		return 0;
	block->count = steps;
	memcpy(block->word, words, bytes);
	good = wl_schedule_check(play, block, &why);
	if (good == steps)
		wl_schedule_add(play, block);
	else
		wl_mem_put(block);
	return good;
}

void wl_plays_put(struct wl_schedule *play)
{
	if (!play)
		return;
	while (play->first) {
		struct wl_steps *block = play->first;

		play->first = block->next;
		wl_mem_put(block);
	}
	wl_mem_put(play);
}
