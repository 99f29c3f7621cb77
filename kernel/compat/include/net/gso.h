/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_COMPAT_NET_GSO_H
#define _WL_COMPAT_NET_GSO_H

/* 6.4 and older have skb_gso_segment() in netdevice.h. Kbuild looks which it is:
 * sparse does not know __has_include_next.
 */
#ifdef WL_HAVE_NET_GSO_H
#include_next <net/gso.h>
#else
#include <linux/netdevice.h>
#endif

#endif
