/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CASES_TTI_H
#define _WL_CASES_TTI_H

/* Transmission time intervals. */
#include "wl_case.h"

static const struct wl_case wl_cases_tti[] = {
	{
		/* 12 PDUs of 320 bits a TTI; 1500 bytes are 37 of them and one
		 * of 160 bits. TTI at 10: 12, 20: 24, 30: 36, 40: 38, and 10 of
		 * the next SDU, 160 bits left over. 50: 22, 60: 34, 70: 38.
		 */
		.name = "tti_384k_12_pdus",
		.cfg = { SET(RATE, 384000), SET(TTI, 10 * WL_MS), SET(PDU, 40) },
		.steps = { { 1 * WL_MS, WL_OP_SEND, 1500, 1 } },
		.wants = {
			{ 0, 10 * WL_MS, 50 * WL_MS, 50 * WL_MS, 38 },
			{ 1, 40 * WL_MS, 80 * WL_MS, 80 * WL_MS, 38 },
		},
	}, {
		/* 3840 bits a TTI, 12000 a SDU: the fourth TTI has 15360, the
		 * seventh 26880, the tenth 38400, the thirteenth 49920. Without
		 * the carry it would be every fourth.
		 */
		.name = "tti_pdu_larger_than_tti_loses_credit",
		.cfg = { SET(RATE, 384000), SET(TTI, 10 * WL_MS) },
		.steps = { { 0, WL_OP_SEND, 1500, 3 } },
		.wants = {
			{ 0, 10 * WL_MS, 50 * WL_MS, 50 * WL_MS, 1 },
			{ 1, 40 * WL_MS, 80 * WL_MS, 80 * WL_MS, 1 },
			{ 2, 70 * WL_MS, 110 * WL_MS, 110 * WL_MS, 1 },
			{ 3, 100 * WL_MS, 140 * WL_MS, 140 * WL_MS, 1 },
		},
	}, {
		/* 1.5 bits a TTI: 8 bits in the sixth (9), 16 in the eleventh
		 * (16.5), 24 in the sixteenth (24).
		 */
		.name = "tti_fraction_of_a_bit_is_lost",
		.cfg = { SET(RATE, 1500), SET(TTI, 1 * WL_MS) },
		.steps = { { 0, WL_OP_SEND, 1, 2 } },
		.wants = {
			{ 0, 1 * WL_MS, 7 * WL_MS, 7 * WL_MS, 1 },
			{ 1, 6 * WL_MS, 12 * WL_MS, 12 * WL_MS, 1 },
			{ 2, 12 * WL_MS, 17 * WL_MS, 17 * WL_MS, 1 },
		},
	}, {
		/* 0.001 bit a TTI: none before the thousandth, 8 in the 8000th.
		 */
		.name = "tti_less_than_a_bit", .cfg = { SET(RATE, 1), SET(TTI, 1 * WL_MS) },
		.steps = { { 0, WL_OP_SEND, 1 } },
		.wants = { { 0, 1 * WL_SEC, 8001 * WL_MS, 8001 * WL_MS, 1 } },
	}, {
		/* 1000000007 bit/s in 3 ns: 3.000000021 bits; 8 bits in the
		 * third TTI, 16 in the sixth.
		 */
		.name = "tti_odd_rate_odd_tti", .cfg = { SET(RATE, 1000000007), SET(TTI, 3) },
		.steps = { { 0, WL_OP_SEND, 1, 1 } },
		.wants = { { 0, 3, 12, 12, 1 }, { 1, 9, 21, 21, 1 } },
	}, {
		.name = "tti_arrival_at_boundary_waits_for_the_next",
		.cfg = {
			SET(RATE, 384000), SET(TTI, 10 * WL_MS), SET(PDU, 40),
			SET(DELAY, 5 * WL_MS),
		},
		.steps = {
			{ 10 * WL_MS - 1, WL_OP_SEND, 40 }, { 50 * WL_MS, WL_OP_SEND, 40 },
			{ 60 * WL_MS, WL_OP_SEND, 40 }, { 70 * WL_MS + 1, WL_OP_SEND, 40 },
		},
		.wants = {
			{ 0, 10 * WL_MS, 20 * WL_MS, 25 * WL_MS, 1 },
			{ 1, 60 * WL_MS, 70 * WL_MS, 75 * WL_MS, 1 },
			{ 2, 70 * WL_MS, 80 * WL_MS, 85 * WL_MS, 1 },
			{ 3, 80 * WL_MS, 90 * WL_MS, 95 * WL_MS, 1 },
		},
	}, {
		/* The second SDU comes when the first is in its last TTI: what
		 * that TTI has left is gone, the radio does not look back.
		 */
		.name = "tti_late_arrival_uses_a_running_tti",
		.cfg = { SET(RATE, 384000), SET(TTI, 10 * WL_MS), SET(PDU, 40) },
		.steps = { { 0, WL_OP_SEND, 400 }, { 11 * WL_MS, WL_OP_SEND, 560 } },
		.wants = {
			{ 0, 10 * WL_MS, 20 * WL_MS, 20 * WL_MS, 10 },
			{ 1, 20 * WL_MS, 40 * WL_MS, 40 * WL_MS, 14 },
		},
	}, {
		/* After a busy period nothing is carried into the next one:
		 * the 640 bits that were left are gone, and the thirteenth PDU
		 * needs a second TTI.
		 */
		.name = "tti_idle_radio_saves_credit",
		.cfg = { SET(RATE, 384000), SET(TTI, 10 * WL_MS), SET(PDU, 40) },
		.steps = { { 0, WL_OP_SEND, 400 }, { 995 * WL_MS, WL_OP_SEND, 520 } },
		.wants = {
			{ 0, 10 * WL_MS, 20 * WL_MS, 20 * WL_MS, 10 },
			{ 1, 1000 * WL_MS, 1020 * WL_MS, 1020 * WL_MS, 13 },
		},
	}, {
		/* Several SDUs complete in one TTI are due together. */
		.name = "tti_small_sdus_share_a_tti",
		.cfg = { SET(RATE, 384000), SET(TTI, 10 * WL_MS), SET(PDU, 40) },
		.steps = { { 0, WL_OP_SEND, 52, 9 } },
		.wants = {
			{ 0, 10 * WL_MS, 20 * WL_MS, 20 * WL_MS, 2 },
			{ 8, 10 * WL_MS, 20 * WL_MS, 20 * WL_MS, 2 },
			{ 9, 10 * WL_MS, 30 * WL_MS, 30 * WL_MS, 2 },
		},
	},
};

#endif
