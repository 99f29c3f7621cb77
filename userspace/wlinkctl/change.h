/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_CHANGE_H
#define _WLINKCTL_CHANGE_H

/* Requests that change links and bearers. */

#include "target.h"
#include "wl_words.h"

/**
 * change_send() - send one request and tell what came of it
 * @ctl: the program
 * @to: what to change; for a bearer, as target_find() left it
 * @type: RTM_NEWQDISC, RTM_NEWTCLASS or RTM_DELTCLASS
 * @flags: NLM_F_* besides NLM_F_ACK
 * @values: its words, NULL for none
 *
 * Return: enum wlinkctl_exit.
 */
int change_send(struct wlinkctl *ctl, const struct target *to, uint16_t type,
		uint16_t flags, const struct wl_values *values);

#endif
