// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/clock.h"
#include "wlinkctl.h"

/* The first clock line of a recording, without one. */
int cmd_clock(struct wlinkctl *ctl, int argc, char **argv)
{
	struct record_clock clock;
	struct line line = { 0 };

	(void)ctl;
	if (argc) {
		complain("clock takes no word, but got \"%s\"", argv[0]);
		return EXIT_USAGE;
	}
	record_clock_open(&clock, &clock_calls);
	if (record_clock_read(&clock)) {
		complain("CLOCK_TAI cannot be read: %s", strerror(errno));
		record_clock_close(&clock);
		return EXIT_REFUSED;
	}
	record_clock_write(&clock, &line, UINT64_MAX);
	fwrite(line.text, 1, line.len, stdout);
	line_free(&line);
	record_clock_close(&clock);
	return EXIT_DONE;
}
