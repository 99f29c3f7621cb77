/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CASES_SERIAL_H
#define _WL_CASES_SERIAL_H

/* Continuous serialisation: TTI 0. */
#include "wl_case.h"

static const struct wl_case wl_cases_serial[] = {
	{
		/* 12000 bits / 384000 bit/s */
		.name = "serial_384k", .cfg = { SET(RATE, 384000) },
		.steps = { { 0, WL_OP_SEND, 1500 } },
		.wants = { { 0, 0, 31250 * WL_US, 31250 * WL_US, 1 } },
	}, {
		.name = "serial_256k", .cfg = { SET(RATE, 256000) },
		.steps = { { 0, WL_OP_SEND, 1500 } },
		.wants = { { 0, 0, 46875 * WL_US, 46875 * WL_US, 1 } },
	}, {
		.name = "serial_128k", .cfg = { SET(RATE, 128000) },
		.steps = { { 0, WL_OP_SEND, 1500 } },
		.wants = { { 0, 0, 93750 * WL_US, 93750 * WL_US, 1 } },
	}, {
		.name = "serial_64k", .cfg = { SET(RATE, 64000) },
		.steps = { { 0, WL_OP_SEND, 1500 } },
		.wants = { { 0, 0, 187500 * WL_US, 187500 * WL_US, 1 } },
	}, {
		/* The n-th of them ends at ceil(n * 2000 * 10^9 / 9600) ns;
		 * rounding each up would give 2500000008 for the twelfth.
		 */
		.name = "serial_9600_rounding_adds_up", .cfg = { SET(RATE, 9600) },
		.steps = { { 0, WL_OP_SEND, 250, 11 } },
		.wants = {
			{ 0, 0, 208333334, 208333334, 1 },
			{ 1, 208333334, 416666667, 416666667, 1 },
			{ 2, 416666667, 625000000, 625000000, 1 },
			{ 3, 625000000, 833333334, 833333334, 1 },
			{ 10, 2083333334, 2291666667, 2291666667, 1 },
			{ 11, 2291666667, 2500000000, 2500000000, 1 },
		},
	}, {
		/* As before, cut into PDUs: it is the bits that count. */
		.name = "serial_9600_pdus_do_not_matter",
		.cfg = { SET(RATE, 9600), SET(PDU, 7), SET(HEADER, 2) },
		.steps = { { 0, WL_OP_SEND, 250, 11 } },
		.wants = {
			{ 0, 0, 208333334, 208333334, 36 },
			{ 1, 208333334, 416666667, 416666667, 36 },
			{ 11, 2291666667, 2500000000, 2500000000, 36 },
		},
	}, {
		/* The excess of rounding belongs to a busy radio only. */
		.name = "serial_9600_excess_ends_with_the_busy_period", .cfg = { SET(RATE, 9600) },
		.steps = { { 0, WL_OP_SEND, 250 }, { 208333335, WL_OP_SEND, 250 } },
		.wants = {
			{ 0, 0, 208333334, 208333334, 1 },
			{ 1, 208333335, 416666669, 416666669, 1 },
		},
	}, {
		.name = "serial_idle_then_busy",
		.cfg = { SET(RATE, 384000), SET(DELAY, 50 * WL_MS) },
		.steps = {
			{ 5 * WL_MS, WL_OP_SEND, 1500 }, { 7 * WL_SEC, WL_OP_SEND, 1500 },
			{ 7010 * WL_MS, WL_OP_SEND, 1500 },
		},
		.wants = {
			{ 0, 5 * WL_MS, 36250 * WL_US, 86250 * WL_US, 1 },
			{ 1, 7 * WL_SEC, 7031250 * WL_US, 7081250 * WL_US, 1 },
			{ 2, 7031250 * WL_US, 7062500 * WL_US, 7112500 * WL_US, 1 },
		},
	}, {
		/* 100 bits a ns: 12000 bits, then 8 more. */
		.name = "serial_100g", .cfg = { SET(RATE, WLINK_RATE_MAX), SET(PDU, 1) },
		.steps = { { 0, WL_OP_SEND, 1500 }, { 0, WL_OP_SEND, 1 } },
		.wants = { { 0, 0, 120, 120, 1500 }, { 1, 120, 121, 121, 1 } },
	}, {
		/* 0.4 ns each: 10.4, 10.8, 11.2, 11.6, 12.0, 12.4 ... */
		.name = "serial_several_sdus_in_one_ns", .cfg = { SET(RATE, WLINK_RATE_MAX) },
		.steps = { { 10, WL_OP_SEND, 5, 9 } },
		.wants = {
			{ 0, 10, 11, 11, 1 }, { 1, 11, 11, 11, 1 }, { 2, 11, 12, 12, 1 },
			{ 3, 12, 12, 12, 1 }, { 4, 12, 12, 12, 1 }, { 5, 12, 13, 13, 1 },
			{ 9, 14, 14, 14, 1 },
		},
	}, {
		/* 12000 bits */
		.name = "serial_1bps", .cfg = { SET(RATE, 1) },
		.steps = { { 0, WL_OP_SEND, 1500 } },
		.wants = { { 0, 0, 12000 * WL_SEC, 12000 * WL_SEC, 1 } },
	},
};

#endif
