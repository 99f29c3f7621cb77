/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_COMPAT_NET_GENETLINK_H
#define _WL_COMPAT_NET_GENETLINK_H

#include_next <net/genetlink.h>

/* 6.5 and older keep what a dump was asked with in other places. Kbuild looks which it
 * is.
 */
#ifdef WL_HAVE_GENL_INFO_DUMP
static inline struct nlattr **wl_dump_attrs(struct netlink_callback *cb)
{
	return genl_info_dump(cb)->attrs;
}
#else
static inline struct nlattr **wl_dump_attrs(struct netlink_callback *cb)
{
	return genl_dumpit_info(cb)->attrs;
}
#endif

#endif
