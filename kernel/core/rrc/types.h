/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_RRC_TYPES_H
#define _WL_RRC_TYPES_H

#include "../config/cfg.h"

struct wl_bearer;

/**
 * struct wl_pending_part - what a pending change does to a bearer
 * @b: bearer, NULL where it has been deleted meanwhile
 * @number: its number, for the owner
 * @cfg: its configuration from then on
 */
struct wl_pending_part {
	struct wl_bearer *b;
	u16 number;
	struct wl_cfg cfg;
};

/**
 * struct wl_pending - a pending change: configurations that take effect together
 * @next: the one that comes after it
 * @from_ns: not before this time
 * @reseed: bearer 1 is among them: start the random streams anew from its seed
 * @count: how many, 0 for none
 * @done: of these, in force
 * @part: they; bearer 1, where it is among them, is the first
 */
struct wl_pending {
	struct wl_pending *next;
	u64 from_ns;
	bool reseed;
	u32 count;
	u32 done;
	struct wl_pending_part *part;
};

/**
 * struct wl_steps - a block of steps
 * @next: next block
 * @count: steps in it, at least one
 * @word: of each the offset in ns and a value for each column
 */
struct wl_steps {
	struct wl_steps *next;
	u32 count;
	u64 word[];
};

/**
 * struct wl_schedule - a schedule
 * @columns: mask of enum wlink_column
 * @width: words of a step
 * @end: what follows the end
 * @length_ns: when that is, after its start; WLINK_TIMER_MIN to
 *	WLINK_SCHEDULE_LENGTH_MAX, not below @last_ns
 * @start_ns: when it starts, at most WLINK_AHEAD_MAX from now; WLINK_START_NOW,
 *	WLINK_START_PACKET: with the next SDU
 * @state: where it is
 * @steps: how many
 * @last_ns: offset of the last
 * @first: blocks; the owner's
 * @last: the last of them
 * @block: the one with the step that comes next, NULL when there is none left
 * @index: of that step in its block
 * @step: steps played in this pass
 * @pass: passes that are over
 * @origin_ns: time of offset 0 in this pass
 * @value: what has been set, WLINK_STEP_KEEP for not
 * @changed: of @value, something is not in force yet
 * @base: configuration below
 * @granting: an opportunity is being used
 * @granted_bytes: its bytes
 * @stop_ns: it is to end at this time, after steps up to it, WL_NEVER_NS for not
 * @bearer: whose it is, NULL before wl_link_schedule()
 * @most: of each column the highest value of all steps, 0 for none
 */
struct wl_schedule {
	u32 columns;
	u32 width;
	enum wlink_schedule_end end;
	u64 length_ns;
	u64 start_ns;
	enum wlink_schedule_state state;
	u64 steps;
	u64 last_ns;
	struct wl_steps *first;
	struct wl_steps *last;
	struct wl_steps *block;
	u32 index;
	u64 step;
	u64 pass;
	u64 origin_ns;
	u64 value[__WLINK_COLUMN_MAX];
	bool changed;
	struct wl_cfg base;
	bool granting;
	u64 granted_bytes;
	u64 stop_ns;
	struct wl_bearer *bearer;
	u64 most[__WLINK_COLUMN_MAX];
};

#endif
