/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SCENARIO_H
#define _SCENARIO_H

/*
 * Random scenarios, and ways to play one on the engine that must not differ in
 * what becomes of any SDU.
 */
#include <stdio.h>

#include "wl_case.h"

#define SCENARIO_EVENTS	64
#define SCENARIO_SDUS	512
#define SCENARIO_NOTES	4096

enum event_kind { EVENT_SEND, EVENT_CONFIGURE, EVENT_FLUSH };

/**
 * struct event - what somebody does to the link
 * @at_ns: when, not before the one before
 * @kind: what
 * @bytes: of the SDU
 * @cfg: configuration
 * @reseed: it brings a new seed
 */
struct event {
	u64 at_ns;
	enum event_kind kind;
	u32 bytes;
	struct wl_cfg cfg;
	bool reseed;
};

/**
 * struct scenario - a story of one link
 * @origin_ns: time of wl_link_init()
 * @cfg: configuration from there
 * @events: what happens
 * @count: how many
 */
struct scenario {
	u64 origin_ns;
	struct wl_cfg cfg;
	struct event events[SCENARIO_EVENTS];
	u32 count;
};

/**
 * scenario_random() - make one up
 * @story: where
 * @seed: which
 * @certain: nothing in it is left to chance, so that an oracle without random
 *	numbers can follow
 */
void scenario_random(struct scenario *story, u64 seed, bool certain);

/**
 * scenario_print() - for the oracle
 * @story: scenario
 * @bad: state of the channel after wl_link_init()
 * @out: where to
 */
void scenario_print(const struct scenario *story, bool bad, FILE *out);

/**
 * struct manner - how a scenario is played
 * @often: extra calls and pops between events, at times drawn from @seed
 * @lazy: one call where a careful owner calls until the work is done
 * @wakes: call whenever wl_link_next_ns() says so
 * @budget_max: as in struct wl_link, 0 for the default
 * @seed: of the manner's own dice
 */
struct manner {
	u32 often;
	bool lazy;
	bool wakes;
	u32 budget_max;
	u64 seed;
};

/**
 * struct note - a change of rate or of the channel's state
 * @at_ns: when the engine says it was
 * @heard_ns: when the engine said so
 * @what: 'r' or 'c'
 * @value: new rate or state
 */
struct note {
	u64 at_ns;
	u64 heard_ns;
	char what;
	u64 value;
};

/**
 * struct outcome - what became of a scenario
 * @link: must be first
 * @sdus: descriptors
 * @done: by number of arrival
 * @over: whether that one is done
 * @handed_ns: when it came out
 * @order: numbers in the order in which they came out
 * @count: how many are done
 * @notes: changes
 * @note_count: how many
 * @now_ns: time of the last call
 * @calls: of wl_link_advance()
 * @bad0: state of the channel after wl_link_init()
 * @sent: SDUs sent into it
 */
struct outcome {
	struct wl_link link;
	struct wl_sdu sdus[SCENARIO_SDUS];
	struct wl_sdu done[SCENARIO_SDUS];
	bool over[SCENARIO_SDUS];
	u64 handed_ns[SCENARIO_SDUS];
	u32 order[SCENARIO_SDUS];
	u32 count;
	struct note notes[SCENARIO_NOTES];
	u32 note_count;
	u64 now_ns;
	u64 calls;
	bool bad0;
	u32 sent;
};

/**
 * scenario_play() - play it to the end; checks conservation at every call
 * @story: scenario
 * @how: manner
 * @out: outcome
 */
void scenario_play(const struct scenario *story, const struct manner *how,
		   struct outcome *out);

/** outcome_init() - a link with descriptors whose story is recorded in @out */
void outcome_init(struct outcome *out, const struct wl_cfg *cfg, u64 now_ns);

/** outcome_send() - a SDU with a cookie of its own, without a call */
void outcome_send(struct outcome *out, u64 now_ns, u32 bytes);

/** outcome_call() - one call of the engine, then pop what is due */
bool outcome_call(struct outcome *out, u64 now_ns);

/** outcome_run() - call at each wl_link_next_ns() up to a time */
void outcome_run(struct outcome *out, u64 until_ns);

/** outcome_check() - look at everything that must hold after any call */
void outcome_check(const struct outcome *out);

/** outcome_print() - for the oracle */
void outcome_print(const struct outcome *out, FILE *file);

#endif
