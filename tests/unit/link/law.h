/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAW_H
#define _LAW_H

/*
 * The law of wl_link_next_ns(): whoever comes back only when told to, and when
 * something arrives, finds what he finds who looks every ns. A story is what is
 * done to a link and when; it is played in several ways, some of which keep the
 * link off the short cut of plain.h. Time is in ns throughout, and 8 Gbit/s are
 * a byte a ns.
 */
#include "cell.h"

#define LAW_SDUS	256
#define LAW_ACTS	64
#define LAW_WANTS	8

/**
 * enum law_op - what is done, beside enum wl_op; bearer 1 unless it says so
 * @LAW_SEND2: a SDU of bearer 2; value: bytes
 * @LAW_WAITS: a SDU; value: bytes; more: whether it may wait, in way 0
 * @LAW_MODE: value: enum wlink_mode
 * @LAW_AQM: value: enum wlink_aqm
 * @LAW_DISCARD: value: Timer_Discard
 * @LAW_TWOSTATE: value: mean time in either state
 * @LAW_LATER: value: rate; more: when
 * @LAW_ADD: bearer 2; value: its rate
 * @LAW_DEL: bearer 2
 * @LAW_SCHEDULE: a schedule of two rates; value: when it starts; more: the second
 *	rate, 1300 ns after that
 * @LAW_STOP: the schedule
 * @LAW_CALL: nothing, but the engine is called
 * @LAW_NEXT: value: wl_link_next_ns(), in way 0
 */
enum law_op {
	LAW_SEND2 = WL_OP_KIND + 1,
	LAW_WAITS,
	LAW_MODE,
	LAW_AQM,
	LAW_DISCARD,
	LAW_TWOSTATE,
	LAW_LATER,
	LAW_ADD,
	LAW_DEL,
	LAW_SCHEDULE,
	LAW_STOP,
	LAW_CALL,
	LAW_NEXT,
};

/**
 * struct law_act - one thing that is done
 * @at_ns: when; not before the act before
 * @op: enum wl_op or enum law_op; the last one is followed by WL_OP_END
 * @value: see there
 * @more: see there; of WL_OP_SEND: how many times more
 */
struct law_act {
	u64 at_ns;
	u32 op;
	u64 value;
	u64 more;
};

/**
 * struct law_want - what must become of a SDU
 * @seq: which
 * @at_ns: when it is delivered, or dropped; 0 ends the list
 * @drop: why
 * @pdus: sent for it, 0: not judged
 * @lost: of these, lost
 */
struct law_want {
	u64 seq;
	u64 at_ns;
	enum wlink_drop drop;
	u32 pdus;
	u32 lost;
};

/**
 * struct law - a story
 * @name: what is wrong where it fails
 * @cfg: on top of 8 Gbit/s and a delay of 5000 ns
 * @acts: what is done
 * @wants: what must come out
 * @wakes: how often way 0 is told to come, 0: not judged
 */
struct law {
	const char *name;
	struct law_act cfg[6];
	struct law_act acts[LAW_ACTS];
	struct law_want wants[LAW_WANTS];
	u32 wakes;
};

/**
 * struct law_way - how a story is played
 * @name: its name
 * @every: come every ns, up to some time after the last act
 * @beside: an idle bearer is there from the start
 * @lazy: SDUs that may wait for the time told before do, as in the glue
 * @budget_max: as in struct wl_link, 0 for the default
 */
struct law_way {
	const char *name;
	bool every;
	bool beside;
	bool lazy;
	u32 budget_max;
};

/**
 * struct law_play - a story as it has been played
 * @cell: the link
 * @cfg: of bearer 1, as asked for last
 * @way: how
 * @told_ns: wl_link_next_ns() after the last call
 * @handed_ns: by number of arrival: when it came out, 0: not yet
 * @handed: how many did
 * @waiting: first SDU that is certain to find room, + 1; 0 for none
 * @waiting_to: the last one, + 1
 * @wakes: times that wl_link_next_ns() told
 * @waited: SDUs that might wait
 * @left: SDUs that did
 * @turns: times that the link ceased to be plain with a SDU on the air
 */
struct law_play {
	struct cell cell;
	struct wl_cfg cfg;
	const struct law_way *way;
	u64 told_ns;
	u64 handed_ns[LAW_SDUS];
	u32 handed;
	u32 waiting;
	u32 waiting_to;
	u32 wakes;
	u32 waited;
	u32 left;
	u32 turns;
};

/** law_ways - the first one is the plainest, the others must agree with it */
extern const struct law_way law_ways[];
extern const u32 law_way_count;

/**
 * law_put() - one word on top of a configuration
 *
 * Return: whether it is one of a configuration.
 */
bool law_put(struct wl_cfg *cfg, const struct law_act *act);

/** law_cfg() - the configuration that a story begins with */
void law_cfg(const struct law *law, struct wl_cfg *cfg);

/** law_play() - play a story to its end; play->cell is to be freed */
void law_play(struct law_play *play, const struct law *law,
	      const struct law_way *way);

/**
 * struct law_reach - what stories have reached, over all ways
 * @waited: as in struct law_play
 * @left: the same
 * @turns: the same
 */
struct law_reach {
	u32 waited;
	u32 left;
	u32 turns;
};

/** law_keep() - play it in all ways, which must not differ */
void law_keep(const struct law *law, struct law_reach *reach);

#endif
