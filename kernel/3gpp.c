// SPDX-License-Identifier: GPL-2.0
/* The module wlink_3gpp, as seen by sch_wlink: loaded when it is needed, held while it is. */
#include <linux/kmod.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "3gpp.h"
#include "core/3gpp.h"

/* Serialises those who take the module with its init and exit. */
static DEFINE_MUTEX(gpp_lock);
static struct module *gpp_owner;

/* Read without the lock by links, which hold a reference to the module before they use it. */
const struct wl_3gpp_ops *wl_3gpp;

static bool gpp_hold(void)
{
	bool held;

	mutex_lock(&gpp_lock);
	held = wl_3gpp && try_module_get(gpp_owner);
	mutex_unlock(&gpp_lock);
	return held;
}

bool wl_3gpp_get(bool *held)
{
	if (!*held)
		*held = gpp_hold();
	/* A fixed name: whoever may configure a link can load this module and no other. */
	if (!*held && !request_module("wlink_3gpp"))
		*held = gpp_hold();
	return *held;
}

void wl_3gpp_put(bool *held)
{
	if (*held)
		module_put(gpp_owner);
	*held = false;
}

void wl_3gpp_register(const struct wl_3gpp_ops *ops, struct module *owner)
{
	mutex_lock(&gpp_lock);
	gpp_owner = owner;
	wl_3gpp = ops;
	mutex_unlock(&gpp_lock);
}
EXPORT_SYMBOL_GPL(wl_3gpp_register);

void wl_3gpp_unregister(void)
{
	mutex_lock(&gpp_lock);
	wl_3gpp = NULL;
	mutex_unlock(&gpp_lock);
}
EXPORT_SYMBOL_GPL(wl_3gpp_unregister);
