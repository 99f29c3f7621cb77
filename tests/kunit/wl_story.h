/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_STORY_H
#define _WL_STORY_H

/*
 * Random stories of a cell: bearers of all modes come, change, carry and go.
 * Shared by the KUnit module and the unit tests in user space. Those with more
 * in them (wl_story_more.c) have AQMs, ECN, transactions and schedules, too; all
 * that is drawn for these is drawn beside the rest.
 */
#include "wl_cell.h"

#define WL_STORY_ACTS		40
#define WL_STORY_NUMBERS	5
#define WL_STORY_SDUS		(6 * WL_STORY_ACTS)
/* With a descriptor for a copy of each. */
#define WL_STORY_MOST_SDUS	(2 * WL_STORY_SDUS)
/* A change of the link that is asked for now has taken effect. */
#define WL_STORY_SETTLES_NS	(40 * WL_MS)

#define WL_STORY_STEPS		8
#define WL_STORY_WORDS		(WL_STORY_STEPS * (1 + __WLINK_COLUMN_MAX))
#define WL_STORY_ROWS		3

enum wl_what {
	WL_SEND,
	WL_CHANGE,
	WL_ADD,
	WL_DEL,
	WL_WAIT,
	WL_COMMIT,
	WL_SCHEDULE,
	WL_STOP,
	WL_FORWARD,
	WL_FLUSH,
};

/**
 * struct wl_part - what there is in a schedule of a story
 * @columns: as in struct wl_schedule
 * @end: the same
 * @length_ns: the same
 * @start_ns: the same
 * @steps: how many
 * @words: of them
 */
struct wl_part {
	u32 columns;
	enum wlink_schedule_end end;
	u64 length_ns;
	u64 start_ns;
	u32 steps;
	u64 words[WL_STORY_WORDS];
};

/**
 * struct wl_act - one thing that happens to a cell
 * @what: which
 * @at_ns: when
 * @number: bearer
 * @bytes: size of each SDU sent
 * @count: SDUs sent
 * @cfg: of the bearer from here on
 * @ecn: ECN field of each SDU sent
 * @when: WL_COMMIT: as for wl_link_commit()
 * @again: WL_COMMIT: then all that waits is taken back, and committed for the next TTI
 * @other: WL_COMMIT: another bearer that changes with it, 0 for none
 * @other_cfg: its configuration
 * @part: WL_SCHEDULE: the schedule
 * @wide: of a wide story: schedules fit what they lie over
 */
struct wl_act {
	enum wl_what what;
	u64 at_ns;
	u32 number;
	u32 bytes;
	u32 count;
	struct wl_cfg cfg;
	u8 ecn;
	u64 when;
	bool again;
	u32 other;
	struct wl_cfg other_cfg;
	struct wl_part part;
	bool wide;
};

/**
 * struct wl_story_profile - struct wl_profile with its rows
 * @head: the profile
 * @rows: its rows
 */
struct wl_story_profile {
	union {
		struct wl_profile head;
		struct {
			u32 count;
			struct wl_profile_row rows[WL_STORY_ROWS];
		};
	};
};

/**
 * struct wl_story - what happens; too large for a kernel's stack
 * @cfg: of bearer 1 at the start
 * @acts: in order of time
 * @there: while it is made up, bearers by number
 * @cfgs: the same, their configurations
 * @more: whether there is more in it
 * @granting: more: bearers may have opportunities, all are in TM
 * @profile: more: of those that have one
 * @dice: more: its own
 * @wide: whether there is all that the module takes in it
 * @at_ns: wide: of the act that is made up
 * @until_ns: wide: the link stays as it is, as a change waits
 * @settled_ns: wide: when its last change has taken effect
 * @linked: wide: whether @link has been set
 * @link: wide: bearer 1 as it was last
 * @was: wide: before a draw
 * @scratch: wide: another bearer beside it
 */
struct wl_story {
	struct wl_cfg cfg;
	struct wl_act acts[WL_STORY_ACTS];
	bool there[WL_STORY_NUMBERS + 1];
	struct wl_cfg cfgs[WL_STORY_NUMBERS + 1];
	bool more;
	bool granting;
	struct wl_story_profile profile;
	struct wl_rng dice;
	bool wide;
	bool linked;
	u64 at_ns;
	u64 until_ns;
	u64 settled_ns;
	struct wl_cfg link;
	struct wl_cfg was;
	struct wl_cfg scratch;
};

/**
 * wl_story_make() - make a story up
 * @story: where
 * @seed: of all chance in it
 * @bad: set when a configuration in it would be refused
 */
void wl_story_make(struct wl_story *story, u64 seed, struct wl_mismatch *bad);

/**
 * wl_story_make_more() - make one up with more in it
 * @story: where; is not to be moved then
 * @seed: of all chance in it
 * @bad: set when a configuration in it would be refused
 */
void wl_story_make_more(struct wl_story *story, u64 seed, struct wl_mismatch *bad);

/**
 * wl_story_make_wide() - make one up with all that the module takes
 * @story: where; is not to be moved then
 * @seed: of all chance in it
 * @bad: set when a configuration in it would be refused
 */
void wl_story_make_wide(struct wl_story *story, u64 seed, struct wl_mismatch *bad);

/**
 * wl_story_let_through() - make a bearer possible, of which a change has been drawn
 * @story: story
 * @number: of the bearer
 *
 * Selective repeat sends a PDU until it has arrived, so a story would not end whose PDUs
 * are longer than the good times of their channel. The mean of these is made a quarter of
 * the longest PDU at least. Draws nothing.
 */
void wl_story_let_through(struct wl_story *story, u32 number);

/**
 * wl_story_more_cfg() - put an AQM into a configuration
 * @story: story with more in it
 * @cfg: configuration, all else is in it
 */
void wl_story_more_cfg(struct wl_story *story, struct wl_cfg *cfg);

/**
 * wl_story_more_act() - change an act, or put more into it
 * @story: story with more in it
 * @act: act
 */
void wl_story_more_act(struct wl_story *story, struct wl_act *act);

/**
 * wl_story_more_take() - let an act happen that others do not have
 * @cell: where
 * @act: act
 */
void wl_story_more_take(struct cell *cell, const struct wl_act *act);

/**
 * wl_story_more_end() - let what would go on for ever come to an end
 * @cell: where
 */
void wl_story_more_end(struct cell *cell);

/**
 * wl_story_wide_cfg() - put all else that the module takes into a configuration
 * @story: wide story
 * @cfg: of @story->cfgs
 */
void wl_story_wide_cfg(struct wl_story *story, struct wl_cfg *cfg);

/**
 * wl_story_wide_act() - bring an act to a time at which what it asks for would be taken
 * @story: wide story
 * @act: act
 */
void wl_story_wide_act(struct wl_story *story, struct wl_act *act);

/**
 * wl_story_wide_fits() - whether the module would take a schedule
 * @cell: where
 * @number: bearer
 * @schedule: schedule
 *
 * Return: whether it would.
 */
bool wl_story_wide_fits(struct cell *cell, u32 number, struct wl_schedule *schedule);

/**
 * wl_story_wide_commit() - stop the schedules for which a change would be refused
 * @cell: where
 * @act: WL_COMMIT
 */
void wl_story_wide_commit(struct cell *cell, const struct wl_act *act);

/**
 * wl_story_wide_end() - let bearers that are silent end
 * @cell: where
 */
void wl_story_wide_end(struct cell *cell);

/**
 * enum wl_manner - how the engine is called while a story is played
 * @WL_MANNER_WAKES: when it wants to, with all of its budget
 * @WL_MANNER_STEPS: at odd times, with a budget of 1 to 7
 * @WL_MANNER_ODD: at odd times, with some budget, and rings move between the calls
 * @WL_MANNERS: how many there are
 */
enum wl_manner {
	WL_MANNER_WAKES,
	WL_MANNER_STEPS,
	WL_MANNER_ODD,
	WL_MANNERS,
};

/**
 * wl_story_take() - let an act happen, now
 * @cell: where
 * @act: act
 */
void wl_story_take(struct cell *cell, const struct wl_act *act);

/**
 * wl_story_end() - let all come to its end, at which no SDU may be left
 * @cell: where; all acts have happened
 * @story: story
 *
 * What is wrong is in @cell->bad.
 */
void wl_story_end(struct cell *cell, const struct wl_story *story);

/**
 * wl_story_play() - play it to its end, at which no SDU may be left
 * @cell: where; to be freed by wl_cell_free()
 * @story: story
 * @seed: of the odd times of calls, and of the budget
 * @manner: how the engine is called
 *
 * What is wrong is in @cell->bad.
 */
void wl_story_play(struct cell *cell, const struct wl_story *story, u64 seed,
		   enum wl_manner manner);

/**
 * wl_story_same() - whether each SDU has had the same fate in two cells
 * @a: cell after wl_story_play()
 * @b: another one
 * @bad: the first difference
 *
 * The order of hand-over is the caller's where bearers tie, so it may differ.
 */
void wl_story_same(const struct cell *a, const struct cell *b, struct wl_mismatch *bad);

/**
 * wl_story_ordered() - whether bearers have kept the order of their SDUs
 * @story: story
 * @cell: cell in which it was played
 * @bad: the first SDU that has overtaken another
 *
 * Nothing is wrong in stories in which a bearer may deliver out of sequence.
 */
void wl_story_ordered(const struct wl_story *story, const struct cell *cell,
		      struct wl_mismatch *bad);

/**
 * wl_story_drops() - how many SDUs were dropped
 * @cell: cell after wl_story_play()
 *
 * Return: number.
 */
u32 wl_story_drops(const struct cell *cell);

/**
 * wl_story_digest() - the fate of all SDUs in one number
 * @cell: cell after wl_story_play(), called when it wanted to be
 *
 * Return: changes, but for a chance of 2^-64, if any time, count or reason of
 * any SDU or the order of hand-over does.
 */
u64 wl_story_digest(const struct cell *cell);

/**
 * wl_story_digest_more() - the same, and all that was told
 * @cell: cell
 *
 * Return: what changes with either.
 */
u64 wl_story_digest_more(const struct cell *cell);

#endif
