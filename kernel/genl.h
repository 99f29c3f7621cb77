/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_GENL_H
#define _WL_GENL_H

#include "qdisc.h"

/**
 * wl_genl_register() - make the family known, before any qdisc
 *
 * Return: 0 or a negative errno.
 */
int wl_genl_register(void);

/**
 * wl_genl_unregister() - after all qdiscs
 */
void wl_genl_unregister(void);

/**
 * wl_genl_send() - tell all who listen in the device's namespace; may sleep
 * @sch: a wlink qdisc
 * @notice: what has taken effect
 * @lost: how many could not be told so far
 *
 * Return: false where there was no memory for the message or one who asked to
 * be told of such things had no room for it.
 */
bool wl_genl_send(struct Qdisc *sch, const struct wl_notice *notice, u64 lost);

#endif
