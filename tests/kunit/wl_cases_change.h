/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CASES_CHANGE_H
#define _WL_CASES_CHANGE_H

/* Reconfiguration while SDUs wait and fly. */
#include "wl_case.h"

#define BEARER_384K	SET(RATE, 384000), SET(TTI, 10 * WL_MS), SET(PDU, 40)

static const struct wl_case wl_cases_change[] = {
	{
		/* 12 PDUs a TTI at 10 and 20, then 4 at 30 (28), 40 (32), 50
		 * (36) and 60 (38).
		 */
		.name = "change_rate_in_tti_waits_for_boundary", .cfg = { BEARER_384K },
		.steps = { { 1 * WL_MS, WL_OP_SEND, 1500 }, { 25 * WL_MS, WL_OP_RATE, 128000 } },
		.wants = { { 0, 10 * WL_MS, 70 * WL_MS, 70 * WL_MS, 38, .generation = 1 } },
	}, {
		.name = "change_rate_at_boundary_waits_for_the_next", .cfg = { BEARER_384K },
		.steps = { { 1 * WL_MS, WL_OP_SEND, 1500 }, { 20 * WL_MS, WL_OP_RATE, 128000 } },
		.wants = { { 0, 10 * WL_MS, 70 * WL_MS, 70 * WL_MS, 38, .generation = 1 } },
	}, {
		.name = "change_rate_thrice_in_tti_last_wins", .cfg = { BEARER_384K },
		.steps = {
			{ 1 * WL_MS, WL_OP_SEND, 1500 }, { 21 * WL_MS, WL_OP_RATE, 64000 },
			{ 22 * WL_MS, WL_OP_RATE, 256000 }, { 29 * WL_MS, WL_OP_RATE, 128000 },
		},
		.wants = { { 0, 10 * WL_MS, 70 * WL_MS, 70 * WL_MS, 38, .generation = 1 } },
	}, {
		/* 3840 bits in 10 ms, 1280 in the next 10, 6880 at 64 kbit/s */
		.name = "change_rate_in_mid_pdu", .cfg = { SET(RATE, 384000) },
		.steps = {
			{ 0, WL_OP_SEND, 1500 }, { 10 * WL_MS, WL_OP_RATE, 128000 },
			{ 20 * WL_MS, WL_OP_RATE, 64000 },
		},
		.wants = { { 0, 0, 127500 * WL_US, 127500 * WL_US, 1, .generation = 2 } },
	}, {
		/* 9600 bit/s for 100000001 ns, 960.0000096 bits; the other
		 * 1039.9999904 take 148571427.2 ns at 7000 bit/s. The next SDU
		 * gets the 0.8 ns back: 1000 bits take 142857142.86 ns.
		 */
		.name = "change_rate_in_mid_pdu_rounds_once", .cfg = { SET(RATE, 9600) },
		.steps = {
			{ 0, WL_OP_SEND, 250 }, { 0, WL_OP_SEND, 125 },
			{ 100000001, WL_OP_RATE, 7000 },
		},
		.wants = {
			{ 0, 0, 248571429, 248571429, 1, .generation = 1 },
			{ 1, 248571429, 391428572, 391428572, 1, .generation = 1 },
		},
	}, {
		/* The thirteenth PDU is on the air until 10.833333 ms. The grid
		 * begins at 10.1 ms: 12 PDUs at 20.1, 12 at 30.1, 1 at 40.1.
		 */
		.name = "change_tti_from_0_cuts_at_the_pdu",
		.cfg = { SET(RATE, 384000), SET(PDU, 40) },
		.steps = { { 0, WL_OP_SEND, 1500 }, { 10100 * WL_US, WL_OP_TTI, 10 * WL_MS } },
		.wants = { { 0, 0, 50100 * WL_US, 50100 * WL_US, 38, .generation = 1 } },
	}, {
		/* 12 PDUs in the TTI at 10, from 20 the other 8160 bits. */
		.name = "change_tti_to_0_at_the_boundary", .cfg = { BEARER_384K },
		.steps = { { 1 * WL_MS, WL_OP_SEND, 1500 }, { 15 * WL_MS, WL_OP_TTI, 0 } },
		.wants = { { 0, 10 * WL_MS, 41250 * WL_US, 41250 * WL_US, 38, .generation = 1 } },
	}, {
		/* 12 PDUs at 10, from 20 on 24 every 20 ms: 36 and 38. */
		.name = "change_tti_to_another", .cfg = { BEARER_384K },
		.steps = {
			{ 1 * WL_MS, WL_OP_SEND, 1500 }, { 15 * WL_MS, WL_OP_TTI, 20 * WL_MS },
			{ 61 * WL_MS, WL_OP_SEND, 40 },
		},
		.wants = {
			{ 0, 10 * WL_MS, 60 * WL_MS, 60 * WL_MS, 38, .generation = 1 },
			{ 1, 80 * WL_MS, 100 * WL_MS, 100 * WL_MS, 1, .generation = 1 },
		},
	}, {
		/* Two PDUs of 40, one of them on the air; 1420 bytes are left:
		 * 14 of 100 and one of 20.
		 */
		.name = "change_pdu_in_mid_sdu", .cfg = { SET(RATE, 384000), SET(PDU, 40) },
		.steps = { { 0, WL_OP_SEND, 1500 }, { 1 * WL_MS, WL_OP_PDU, 100 } },
		.wants = { { 0, 0, 31250 * WL_US, 31250 * WL_US, 17, .generation = 1 } },
	}, {
		/* 5 ms are six PDUs of 40 to the ns; the seventh has begun. */
		.name = "change_pdu_at_the_end_of_a_pdu",
		.cfg = { SET(RATE, 384000), SET(PDU, 40) },
		.steps = { { 0, WL_OP_SEND, 1500 }, { 5 * WL_MS, WL_OP_PDU, 1300 } },
		.wants = { { 0, 0, 31250 * WL_US, 31250 * WL_US, 8, .generation = 1 } },
	}, {
		.name = "change_delay_down_overtakes",
		.cfg = { SET(RATE, 384000), SET(DELAY, 100 * WL_MS) },
		.steps = {
			{ 0, WL_OP_SEND, 1500, 1 }, { 40 * WL_MS, WL_OP_DELAY, 10 * WL_MS },
			{ 125 * WL_MS, WL_OP_SEND, 1500 },
		},
		.wants = {
			{ 0, 0, 31250 * WL_US, 131250 * WL_US, 1 },
			{ 1, 31250 * WL_US, 62500 * WL_US, 131250 * WL_US, 1, .generation = 1 },
			{ 2, 125 * WL_MS, 156250 * WL_US, 166250 * WL_US, 1, .generation = 1 },
		},
	}, {
		/* All is lost between 1 and 2 ms. Of the PDUs of 0.83 ms the
		 * second is on the air at 1 ms and lives, the third begins at
		 * 1.67 ms and does not, the fourth at 2.5 ms does.
		 */
		.name = "change_channel_hits_pdus_that_begin_later",
		.cfg = { SET(RATE, 384000), SET(PDU, 40) },
		.steps = {
			{ 0, WL_OP_SEND, 1500, 1 }, { 1 * WL_MS, WL_OP_UNIFORM, WLINK_PROB_ONE },
			{ 2 * WL_MS, WL_OP_NONE },
		},
		.wants = {
			{ 0, 0, 31250 * WL_US, 0, 38, 1, WLINK_DROP_CHANNEL, 2 },
			{ 1, 31250 * WL_US, 62500 * WL_US, 62500 * WL_US, 38, .generation = 2 },
		},
	}, {
		/* Lossy in the TTI at 20 only. */
		.name = "change_channel_in_tti_waits_for_boundary", .cfg = { BEARER_384K },
		.steps = {
			{ 1 * WL_MS, WL_OP_SEND, 480, 2 },
			{ 12 * WL_MS, WL_OP_UNIFORM, WLINK_PROB_ONE }, { 22 * WL_MS, WL_OP_NONE },
		},
		.wants = {
			{ 0, 10 * WL_MS, 20 * WL_MS, 20 * WL_MS, 12 },
			{ 1, 20 * WL_MS, 30 * WL_MS, 0, 12, 12, WLINK_DROP_CHANNEL, 1 },
			{ 2, 30 * WL_MS, 40 * WL_MS, 40 * WL_MS, 12, .generation = 2 },
		},
	}, {
		/* Bad after good after bad: two TTIs, four SDUs of one each. */
		.name = "change_gilbert_alternates",
		.cfg = { BEARER_384K, SET(P, WLINK_PROB_ONE), SET(R, 0) },
		.steps = {
			{ 1 * WL_MS, WL_OP_R, WLINK_PROB_ONE }, { 12 * WL_MS, WL_OP_SEND, 480, 3 },
		},
		.wants = {
			{ 0, 20 * WL_MS, 30 * WL_MS, 30 * WL_MS, 12, .generation = 1 },
			{ 1, 30 * WL_MS, 40 * WL_MS, 0, 12, 12, WLINK_DROP_CHANNEL, 1 },
			{ 2, 40 * WL_MS, 50 * WL_MS, 50 * WL_MS, 12, .generation = 1 },
			{ 3, 50 * WL_MS, 60 * WL_MS, 0, 12, 12, WLINK_DROP_CHANNEL, 1 },
		},
	}, {
		/* Bad at first, then a step a PDU: good, bad, good; bad; good.
		 */
		.name = "change_gilbert_without_tti_steps_by_pdu",
		.cfg = { SET(RATE, 320000), SET(PDU, 40), SET(P, WLINK_PROB_ONE), SET(R, 0) },
		.steps = {
			{ 0, WL_OP_R, WLINK_PROB_ONE }, { 1 * WL_SEC, WL_OP_SEND, 120 },
			{ 2 * WL_SEC, WL_OP_SEND, 40, 1 },
		},
		.wants = {
			{ 0, 1000 * WL_MS, 1003 * WL_MS, 0, 3, 1, WLINK_DROP_CHANNEL, 1 },
			{ 1, 2000 * WL_MS, 2001 * WL_MS, 0, 1, 1, WLINK_DROP_CHANNEL, 1 },
			{ 2, 2001 * WL_MS, 2002 * WL_MS, 2002 * WL_MS, 1, .generation = 1 },
		},
	}, {
		/* The first two PDUs of many are lost, the rest is not. */
		.name = "change_channel_tells_a_lost_sdu_a_delay_late",
		.cfg = {
			SET(RATE, 384000), SET(DELAY, 100 * WL_MS), SET(PDU, 40),
			SET(UNIFORM, WLINK_PROB_ONE),
		},
		.steps = { { 0, WL_OP_SEND, 1500 }, { 1 * WL_MS, WL_OP_NONE } },
		.wants = { { 0, 0, 31250 * WL_US, 0, 38, 2, WLINK_DROP_CHANNEL, 1 } },
	}, {
		/* The same for a PDU that is on the air still. */
		.name = "change_channel_tells_a_lost_pdu_a_delay_late",
		.cfg = { SET(RATE, 384000), SET(DELAY, 100 * WL_MS), SET(UNIFORM, WLINK_PROB_ONE) },
		.steps = { { 0, WL_OP_SEND, 1500 }, { 1 * WL_MS, WL_OP_NONE } },
		.wants = { { 0, 0, 31250 * WL_US, 0, 1, 1, WLINK_DROP_CHANNEL, 1 } },
	},
};

#endif
