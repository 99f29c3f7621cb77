/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_FROM_H
#define _WLINKCTL_RECORD_FROM_H

#include "record/out.h"

/**
 * record_from() - make lines of a raw recording
 * @path: it, or - for standard input
 * @out: where lines go, open
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int record_from(const char *path, struct record_out *out);

#endif
