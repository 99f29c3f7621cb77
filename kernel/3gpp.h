/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_GLUE_3GPP_H
#define _WL_GLUE_3GPP_H

#include <linux/types.h>

struct module;
struct wl_3gpp_ops;

/**
 * wl_3gpp_get() - the module wlink_3gpp is there and stays
 * @held: whether its caller has it already; set. May sleep
 *
 * It is loaded if it is not there. RTNL may be held meanwhile, as by all commands of tc: its
 * init takes no lock but that of wl_3gpp_register(), and who waits for modprobe can be killed.
 *
 * Return: false where it cannot be had.
 */
bool wl_3gpp_get(bool *held);

/**
 * wl_3gpp_put() - the module may go
 * @held: whether its caller has it; cleared. Nothing of it runs any more for the caller
 */
void wl_3gpp_put(bool *held);

/**
 * wl_3gpp_register() - the module is there
 * @ops: what it has
 * @owner: it
 */
void wl_3gpp_register(const struct wl_3gpp_ops *ops, struct module *owner);

/**
 * wl_3gpp_unregister() - it goes; nobody holds it
 */
void wl_3gpp_unregister(void);

#endif
