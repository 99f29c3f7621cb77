/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_LINKS_H
#define _WLINKCTL_RECORD_LINKS_H

/* What links there are, and their rates, which events have only where they change. */

#include "lib/line.h"
#include "wlinkctl.h"

/**
 * record_links_write() - write a line for each bearer of this network namespace
 * @ctl: the program
 * @ifindex: device, 0 for all
 * @line: where to
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int record_links_write(struct wlinkctl *ctl, int ifindex, struct line *line);

#endif
