/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CASES_BUFFER_H
#define _WL_CASES_BUFFER_H

/* Limits of the buffer, descriptors, flush. */
#include "wl_case.h"

#define OVERFLOW_AT(seq, at) \
	{ seq, WL_NEVER_NS, at, 0, .drop = WLINK_DROP_OVERFLOW }

static const struct wl_case wl_cases_buffer[] = {
	{
		/* At 32.25 ms the first is gone and makes room for one. */
		.name = "limit_packets_counts_what_is_on_the_air",
		.cfg = { SET(RATE, 384000), SET(LIMIT_PACKETS, 2) },
		.steps = {
			{ 1 * WL_MS, WL_OP_SEND, 1500, 2 }, { 32 * WL_MS, WL_OP_SEND, 1500 },
			{ 32250 * WL_US, WL_OP_SEND, 1500, 1 },
		},
		.wants = {
			{ 0, 1 * WL_MS, 32250 * WL_US, 32250 * WL_US, 1 },
			{ 1, 32250 * WL_US, 63500 * WL_US, 63500 * WL_US, 1 },
			OVERFLOW_AT(2, 1 * WL_MS), OVERFLOW_AT(3, 32 * WL_MS),
			{ 4, 63500 * WL_US, 94750 * WL_US, 94750 * WL_US, 1 },
			OVERFLOW_AT(5, 32250 * WL_US),
		},
	}, {
		/* In the TTI that ends at 20 ms it is still buffered. */
		.name = "limit_packets_frees_room_at_the_end_of_tti",
		.cfg = {
			SET(RATE, 384000), SET(TTI, 10 * WL_MS), SET(LIMIT_PACKETS, 1),
			SET(DELAY, 1 * WL_SEC),
		},
		.steps = {
			{ 1 * WL_MS, WL_OP_SEND, 40 }, { 20 * WL_MS - 1, WL_OP_SEND, 40 },
			{ 20 * WL_MS, WL_OP_SEND, 40 },
		},
		.wants = {
			{ 0, 10 * WL_MS, 20 * WL_MS, 1020 * WL_MS, 1 },
			OVERFLOW_AT(1, 20 * WL_MS - 1),
			{ 2, 30 * WL_MS, 40 * WL_MS, 1040 * WL_MS, 1 },
		},
	}, {
		.name = "limit_bytes_is_off_by_one",
		.cfg = { SET(RATE, 384000), SET(LIMIT_BYTES, 3000) },
		.steps = {
			{ 1, WL_OP_SEND, 1500 }, { 1, WL_OP_SEND, 1501 }, { 1, WL_OP_SEND, 1500 },
			{ 1, WL_OP_SEND, 1 },
		},
		.wants = {
			{ 0, 1, 31250001, 31250001, 1 }, OVERFLOW_AT(1, 1),
			{ 2, 31250001, 62500001, 62500001, 1 }, OVERFLOW_AT(3, 1),
		},
	}, {
		/* 128 kbit/s x 100 ms = 1600 bytes */
		.name = "limit_time_is_bytes_at_the_rate",
		.cfg = { SET(RATE, 128000), SET(LIMIT_TIME, 100 * WL_MS) },
		.steps = {
			{ 1, WL_OP_SEND, 1500 }, { 1, WL_OP_SEND, 101 }, { 1, WL_OP_SEND, 100 },
			{ 1, WL_OP_SEND, 1 },
		},
		.wants = {
			{ 0, 1, 93750001, 93750001, 1 }, OVERFLOW_AT(1, 1),
			{ 2, 93750001, 100000001, 100000001, 1 }, OVERFLOW_AT(3, 1),
		},
	}, {
		/* From 1600 bytes to 3200 with the rate. */
		.name = "limit_time_follows_the_rate",
		.cfg = { SET(RATE, 128000), SET(LIMIT_TIME, 100 * WL_MS) },
		.steps = {
			{ 0, WL_OP_SEND, 1600 }, { 10 * WL_MS, WL_OP_SEND, 1600 },
			{ 10 * WL_MS, WL_OP_RATE, 256000 }, { 10 * WL_MS, WL_OP_SEND, 1600 },
			{ 10 * WL_MS, WL_OP_SEND, 1 },
		},
		.wants = {
			{ 0, 0, 55 * WL_MS, 55 * WL_MS, 1, .generation = 1 },
			OVERFLOW_AT(1, 10 * WL_MS),
			{ 2, 55 * WL_MS, 105 * WL_MS, 105 * WL_MS, 1, .generation = 1 },
			{ 3, WL_NEVER_NS, 10 * WL_MS, 0, 0, 0, WLINK_DROP_OVERFLOW, 1 },
		},
	}, {
		.name = "limit_below_one_sdu_makes_link_dead",
		.cfg = { SET(RATE, 384000), SET(LIMIT_BYTES, 1) },
		.steps = { { 1 * WL_MS, WL_OP_SEND, 1500, 1 }, { 40 * WL_MS, WL_OP_SEND, 1500 } },
		.wants = {
			{ 0, 1 * WL_MS, 32250 * WL_US, 32250 * WL_US, 1 },
			OVERFLOW_AT(1, 1 * WL_MS),
			{ 2, 40 * WL_MS, 71250 * WL_US, 71250 * WL_US, 1 },
		},
	}, {
		/* The one on the air stays, what has no room beside it goes, and
		 * the next is taken when it is over.
		 */
		.name = "limit_change_down_drops_what_has_been_begun",
		.cfg = { SET(RATE, 384000), SET(LIMIT_PACKETS, 3) },
		.steps = {
			{ 0, WL_OP_SEND, 1500, 2 }, { 1 * WL_MS, WL_OP_LIMIT_PACKETS, 1 },
			{ 93 * WL_MS, WL_OP_SEND, 1500 }, { 94 * WL_MS, WL_OP_SEND, 1500 },
		},
		.wants = {
			{ 0, 0, 31250 * WL_US, 31250 * WL_US, 1, .generation = 1 },
			{ 1, WL_NEVER_NS, 1 * WL_MS, 0, 0, 0, WLINK_DROP_OVERFLOW, 1 },
			{ 2, WL_NEVER_NS, 1 * WL_MS, 0, 0, 0, WLINK_DROP_OVERFLOW, 1 },
			{ 3, 93 * WL_MS, 124250 * WL_US, 124250 * WL_US, 1, .generation = 1 },
			{ 4, WL_NEVER_NS, 94 * WL_MS, 0, 0, 0, WLINK_DROP_OVERFLOW, 1 },
		},
	}, {
		/* Two descriptors: one SDU flies, one is sent; the first comes
		 * back at 131.25 ms.
		 */
		.name = "slots_exhausted", .cfg = { SET(RATE, 384000), SET(DELAY, 100 * WL_MS) },
		.slots = 2,
		.steps = {
			{ 0, WL_OP_SEND, 1500, 1 }, { 131 * WL_MS, WL_OP_SEND, 1500 },
			{ 131250 * WL_US, WL_OP_SEND, 1500, 1 },
		},
		.wants = {
			{ 0, 0, 31250 * WL_US, 131250 * WL_US, 1 },
			{ 2, WL_NEVER_NS, 131 * WL_MS, 0, .drop = WLINK_DROP_SLOTS },
			{ 3, 131250 * WL_US, 162500 * WL_US, 262500 * WL_US, 1 },
			{ 4, WL_NEVER_NS, 131250 * WL_US, 0, .drop = WLINK_DROP_SLOTS },
		},
	}, {
		/* One flies, one is on the air, one waits; then all is new, and
		 * so is the grid.
		 */
		.name = "flush_leaves_something_behind",
		.cfg = { SET(RATE, 384000), SET(TTI, 10 * WL_MS), SET(DELAY, 100 * WL_MS) },
		.steps = {
			{ 0, WL_OP_SEND, 480, 2 }, { 23 * WL_MS, WL_OP_FLUSH },
			{ 24 * WL_MS, WL_OP_SEND, 480 },
		},
		.wants = {
			{ 0, 10 * WL_MS, 20 * WL_MS, 0, 1, 0, WLINK_DROP_FLUSH },
			{ 1, 20 * WL_MS, 23 * WL_MS, 0, 1, 0, WLINK_DROP_FLUSH },
			{ 2, WL_NEVER_NS, 23 * WL_MS, 0, 0, 0, WLINK_DROP_FLUSH },
			{ 3, 33 * WL_MS, 43 * WL_MS, 143 * WL_MS, 1 },
		},
	}, {
		.name = "flush_forgets_a_waiting_change",
		.cfg = { SET(RATE, 384000), SET(TTI, 10 * WL_MS) },
		.steps = {
			{ 11 * WL_MS, WL_OP_TTI, 0 }, { 12 * WL_MS, WL_OP_FLUSH },
			{ 13 * WL_MS, WL_OP_SEND, 1500 },
		},
		.wants = { { 0, 13 * WL_MS, 44250 * WL_US, 44250 * WL_US, 1, .generation = 1 } },
	}, {
		/* A longer delay before the flush must not hold back the SDUs
		 * after it.
		 */
		.name = "flush_remembers_the_last_delivery",
		.cfg = { SET(RATE, 384000), SET(DELAY, 1 * WL_SEC) },
		.steps = {
			{ 0, WL_OP_SEND, 1500 }, { 40 * WL_MS, WL_OP_FLUSH },
			{ 50 * WL_MS, WL_OP_DELAY, 0 }, { 50 * WL_MS, WL_OP_SEND, 1500 },
		},
		.wants = { { 1, 50 * WL_MS, 81250 * WL_US, 81250 * WL_US, 1, .generation = 1 } },
	}, {
		/* The second SDU was on the air and had the excess of the first
		 * paid back; the fourth follows nobody.
		 */
		.name = "flush_keeps_the_excess_of_rounding", .cfg = { SET(RATE, 9600) },
		.steps = {
			{ 0, WL_OP_SEND, 250, 2 }, { 300 * WL_MS, WL_OP_FLUSH },
			{ 400 * WL_MS, WL_OP_SEND, 250 },
		},
		.wants = {
			{ 0, 0, 208333334, 208333334, 1 },
			{ 3, 400 * WL_MS, 608333334, 608333334, 1 },
		},
	}, {
		/* Bad at 10 ms, good at 20, a new grid from 25, bad at 35. */
		.name = "flush_stops_the_channel",
		.cfg = {
			SET(RATE, 384000), SET(TTI, 10 * WL_MS), SET(P, WLINK_PROB_ONE), SET(R, 0),
		},
		.steps = {
			{ 1 * WL_MS, WL_OP_R, WLINK_PROB_ONE }, { 25 * WL_MS, WL_OP_FLUSH },
			{ 26 * WL_MS, WL_OP_SEND, 480, 1 },
		},
		.wants = {
			{ 0, 35 * WL_MS, 45 * WL_MS, 0, 1, 1, WLINK_DROP_CHANNEL, 1 },
			{ 1, 45 * WL_MS, 55 * WL_MS, 55 * WL_MS, 1, .generation = 1 },
		},
	},
};

#endif
