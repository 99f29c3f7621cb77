// SPDX-License-Identifier: GPL-2.0
#include "wl_mem.h"
#include "wl_schedules.h"

struct wl_schedule *wl_schedules_new(u32 columns)
{
	struct wl_schedule *schedule = wl_mem_get(sizeof(*schedule));

	if (!schedule)
		return NULL;
	wl_schedule_init(schedule, columns);
	schedule->end = WLINK_SCHEDULE_END_HOLD;
	schedule->start_ns = WLINK_START_NOW;
	/* The least that it may be. */
	schedule->length_ns = WLINK_TIMER_MIN;
	return schedule;
}

u32 wl_schedules_add(struct wl_schedule *schedule, u32 steps, const u64 *words)
{
	size_t bytes = (size_t)steps * schedule->width * sizeof(*words);
	struct wl_steps *block = wl_mem_get(sizeof(*block) + bytes);
	struct wl_refusal why;
	u32 good;

	if (!block)
		return 0;
	block->count = steps;
	memcpy(block->word, words, bytes);
	good = wl_schedule_check(schedule, block, &why);
	if (good == steps)
		wl_schedule_add(schedule, block);
	else
		wl_mem_put(block);
	return good;
}

void wl_schedules_put(struct wl_schedule *schedule)
{
	if (!schedule)
		return;
	while (schedule->first) {
		struct wl_steps *block = schedule->first;

		schedule->first = block->next;
		wl_mem_put(block);
	}
	wl_mem_put(schedule);
}
