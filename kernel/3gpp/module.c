// SPDX-License-Identifier: GPL-2.0
/* The module wlink_3gpp: core/3gpp, for sch_wlink. */
#include <linux/module.h>

#include "../3gpp.h"
#include "../core/3gpp/ops.h"
#include "../version.h"

static int __init gpp_module_init(void)
{
	wl_3gpp_register(&wl_3gpp_ops, THIS_MODULE);
	return 0;
}
module_init(gpp_module_init);

static void __exit gpp_module_exit(void)
{
	wl_3gpp_unregister();
}
module_exit(gpp_module_exit);

MODULE_DESCRIPTION("Radio link emulation: HARQ, RLC, access and cells of LTE and NR");
MODULE_VERSION(WLINK_VERSION);
MODULE_LICENSE("GPL");
