/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_GENL_H
#define _WL_GENL_H

#include "../glue.h"

/* Registered before any qdisc is. */
extern struct genl_family wl_genl_family;

/**
 * wl_genl_work() - send what has not been sent, free what it belongs to; may sleep
 * @work: of a struct wl_notify
 */
void wl_genl_work(struct work_struct *work);

#endif
