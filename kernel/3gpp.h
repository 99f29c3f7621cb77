/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_GLUE_3GPP_H
#define _WL_GLUE_3GPP_H

#include <linux/types.h>

struct module;
struct wl_3gpp_ops;

/**
 * wl_3gpp_get() - take a reference to the module wlink_3gpp
 * @held: whether the caller has one already; set on success
 *
 * Loads the module if needed, and may sleep. RTNL may be held, as all commands of tc do:
 * the module's init takes no lock but that of wl_3gpp_register(), and the wait for modprobe
 * can be killed.
 *
 * Return: false if the module cannot be loaded.
 */
bool wl_3gpp_get(bool *held);

/**
 * wl_3gpp_put() - drop the reference
 * @held: whether the caller has one; cleared. The caller calls nothing of the module any more
 */
void wl_3gpp_put(bool *held);

/**
 * wl_3gpp_register() - the module has been loaded
 * @ops: its operations
 * @owner: the module
 */
void wl_3gpp_register(const struct wl_3gpp_ops *ops, struct module *owner);

/**
 * wl_3gpp_unregister() - the module is being removed; nobody has a reference
 */
void wl_3gpp_unregister(void);

#endif
