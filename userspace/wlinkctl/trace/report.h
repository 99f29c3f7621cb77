/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_REPORT_H
#define _TRACE_REPORT_H

#include "trace/args.h"

/**
 * trace_report() - check a trace and print what it comes to
 * @ctl: the program
 * @name: of the file
 * @args: words
 *
 * Return: EXIT_DONE, or EXIT_USAGE if there is anything to tell but notes.
 */
int trace_report(struct wlinkctl *ctl, const char *name,
		 const struct trace_args *args);

#endif
