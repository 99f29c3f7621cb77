/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_OWN_H
#define _TRACE_OWN_H

/* Names that our own format shares with the command line. */

#include <linux/pkt_sch_wlink.h>

#define TRACE_OWN_TITLE "wlink schedule"

extern const char *const trace_end_names[__WLINK_SCHEDULE_END_MAX];

/**
 * trace_end_of() - look up what follows the end of a schedule
 * @name: hold, loop or stop
 *
 * Return: enum wlink_schedule_end, or -1.
 */
int trace_end_of(const char *name);

#endif
