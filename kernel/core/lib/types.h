/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_TYPES_H
#define _WL_TYPES_H

/*
 * The only door from core/ to the outside. In user space the includer supplies
 * <wl_user.h> with the same names: fixed-width types, 64-bit division helpers,
 * min/max, ilog2, memset.
 */
#ifdef __KERNEL__
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include <wl_user.h>
#endif

#include <uapi/linux/pkt_sch_wlink.h>

#define WL_NSEC_PER_SEC		1000000000ULL
#define WL_NSEC_PER_MSEC	1000000ULL
#define WL_NEVER_NS		U64_MAX

#endif
