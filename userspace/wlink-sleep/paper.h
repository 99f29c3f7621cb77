/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_PAPER_H
#define _WLINK_SLEEP_PAPER_H

/* Table 1 of A. Gurtov, Technical Issues of Real-Time Network Simulation in Linux. */

enum paper_row { PAPER_SELECT, PAPER_RTC, PAPER_HZ, PAPER_SLACK, PAPER_BUSY, PAPER_ROWS };

/* Means in ms and 1, variances in ms^2 and 1, as printed. */
struct paper {
	const char *name;
	double abs_mean, abs_var, rel_mean, rel_var;
};

extern const struct paper paper[PAPER_ROWS];

#endif
