// SPDX-License-Identifier: GPL-2.0
#include "paper.h"

/* Linux 2.0.36, Pentium II 450 MHz; "interrupts HZ" is select() at HZ=1024. */
const struct paper paper[PAPER_ROWS] = {
	[PAPER_SELECT] = { "standard select()", 14.50, 10.49, 0.85, 4.39 },
	[PAPER_RTC] = { "interrupts RTC", 0.00, 0.00, 0.00, 0.00 },
	[PAPER_HZ] = { "interrupts HZ", 0.41, 0.25, 0.04, 0.01 },
	[PAPER_SLACK] = { "slack variable", 0.01, 38.56, -0.09, 0.27 },
	[PAPER_BUSY] = { "busy waiting", 0.02, 0.11, 0.00, 0.00 },
};
